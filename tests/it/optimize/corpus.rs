//! The whole way on real acts: prompts improved on the corpus's pairs, and a dataset built by what was chosen.

use super::site::{Site, heeding, model, rule};
use crate::corpus::corpus;
use crate::program::told;
use crate::provider::{Faults, Provider};
use legal_link::source::Folder;
use serde_json::Value;
use std::collections::BTreeSet;

const RELATIONS: [&str; 3] = ["repeals", "corrects", "completes"];

#[test]
fn prompts_improved_on_the_corpus_are_shown_in_the_report_of_a_build_by_them() {
    let Some(corpus) = corpus("prompts_improved_on_the_corpus") else { return };
    let corpus = corpus.canonicalize().expect("it is there");
    let source = Folder::open(&corpus).expect("the corpus is a folder source");
    let server = Provider::start(heeding(&source, &RELATIONS), Faults::none());
    let quotas = RELATIONS.map(|relation| format!("{relation} = 2\n")).concat();
    let site = Site::of(&format!(
        "name = \"corpus\"\nseed = 11\nsource = \"folder:{}\"\n[scope]\npairs = \"{}\"\n[quotas]\n{quotas}[roles]\nreflect = 9\n\
         select = 9\nfinal = 9\n[calibration]\nitems = 0\n[author]\n{}[optimize]\nevaluations = 160\ngive_up = 8\n\
         fronts = \"hybrid\"\n",
        corpus.display(),
        corpus.join("edges/pairs.csv").display(),
        model(&server.base())
    ));
    let optimized = site.optimize("improved", "cache", &[]);
    assert_eq!(optimized.status.code(), Some(0), "{}", told(&optimized));
    let chosen: Value = serde_json::from_str(&site.text("improved/prompts.json")).expect("JSON");
    let lineage = &chosen["lineage"];
    assert!(lineage["chosen"].as_u64().is_some_and(|place| place > 0), "{}", told(&optimized));
    assert!(chosen["prompts"].to_string().contains(&rule(0)[..7]));
    let held = lineage["held_out"].as_array().expect("a list");
    let relations: BTreeSet<&str> = held.iter().filter_map(|one| one["relation"].as_str()).collect();
    assert!(relations.len() >= 2, "{held:?}");
    let sum = |field: &str| held.iter().filter_map(|one| one[field].as_u64()).sum::<u64>();
    assert!(sum("after") > sum("before"), "{held:?}");
    eprintln!(
        "on the corpus: {} candidates of {} evaluations, held out {} pairs, {} points before, {} after; {}",
        lineage["candidates"].as_array().map_or(0, Vec::len),
        lineage["evaluations"],
        sum("pairs"),
        sum("before"),
        sum("after"),
        relations.into_iter().collect::<Vec<_>>().join(", ")
    );

    let said = String::from_utf8_lossy(&optimized.stderr).into_owned();
    let wish = said.split("[prompts]").nth(1).expect("it says what to write");
    site.add(&format!("[prompts]{wish}"));
    let out = site.at("out").display().to_string();
    let built = site.run("build", "cache", &["--out", &out]);
    assert!(matches!(built.status.code(), Some(0 | 4)), "{}", told(&built));
    let report = site.text("out/report.html");
    for shown in ["The prompts", "Who comes from whom", "On pairs it never saw", "<ins>+ Rule ", "by criterion"] {
        assert!(report.contains(shown), "{shown}");
    }
    assert!(site.text("out/dataset.lock").contains("prompts_file = "));
    assert!(site.text("out/items.jsonl").lines().count() >= 3, "{}", told(&built));
}
