//! Relations as data: the verbs that look after the registry, the example that adds three, and the README's way to
//! add one.

use crate::corpus::corpus;
use crate::program::{files, legal_link, root, run, told};
use crate::world::{World, serve};
use legal_link::build::{Rubrics, shipped};
use legal_link::source::Origin;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Output;

const EXAMPLE: &str = "examples/new-relation";
const NEW: [&str; 3] = ["amends", "derogates", "suspends"];

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {}", told(output)))
}

/// Items per relation of a dataset.
fn items(out: &Path) -> BTreeMap<String, usize> {
    let rows = fs::read_to_string(out.join("items.jsonl")).expect("rows");
    let mut per_relation = BTreeMap::new();
    for row in rows.lines() {
        let row: Value = serde_json::from_str(row).expect("a row");
        *per_relation.entry(row["relation"].as_str().expect("a relation").to_string()).or_default() += 1;
    }
    per_relation
}

/// The example in a folder of its own, with another head of its manifest.
fn example(to: &Path, manifest: impl Fn(&str) -> String) {
    for (path, bytes) in files(&root().join(EXAMPLE)) {
        let path = to.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, bytes).expect("a file");
    }
    let text = fs::read_to_string(to.join("dataset.toml")).expect("the manifest");
    fs::write(to.join("dataset.toml"), manifest(&text)).expect("a file");
}

fn build(folder: &Path, out: &Path) -> Output {
    let (manifest, out, cache) = (folder.join("dataset.toml"), out.display().to_string(), folder.join("cache"));
    run(&["build", &manifest.to_string_lossy(), "--out", &out, "--cache", &cache.to_string_lossy()], folder)
}

fn audit_is_clean(out: &Path, rubrics: &Path, source: &str) {
    let args = ["audit", &out.to_string_lossy(), "--rubrics", &rubrics.to_string_lossy(), "--source", source];
    let audited = run(&args, out);
    assert!(audited.status.success(), "{}", told(&audited));
    assert!(told(&audited).contains("0 unsound, 0 unknown"), "{}", told(&audited));
}

#[test]
fn the_example_compiles_from_the_shipped_cache_and_audits_clean() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let manifest = format!("{EXAMPLE}/dataset.toml");
    let built = run(&["build", &manifest, "--out", &out.to_string_lossy()], folder.path());
    assert!(built.status.success(), "{}", told(&built));
    let expected: BTreeMap<String, usize> = NEW.iter().map(|r| ((*r).to_string(), 6)).collect();
    assert_eq!(items(&out), expected);
    audit_is_clean(&out, &root().join(EXAMPLE).join("rubrics"), "shipped");
}

#[test]
fn a_model_writes_the_example_too() {
    let folder = tempfile::tempdir().unwrap();
    let source = Origin::Shipped.open(shipped().unwrap()).unwrap();
    let world = World::of(&Rubrics::over(&root().join(EXAMPLE).join("rubrics")).unwrap(), source.as_ref());
    let base = serve(world.replies(&NEW));
    let model = format!(
        "undecided = \"refuse\"\nitems_per_pair = 1\n\n[author]\nmodel = \"local:served\"\nbase_url = \"{base}\"\ndraws = 6\n"
    );
    example(folder.path(), |text| text.replace("author = \"built-in\"\n", "").replace("items_per_pair = 1\n", &model));
    let out = folder.path().join("out");
    let built = build(folder.path(), &out);
    assert!(built.status.success(), "{}", told(&built));
    let made = items(&out);
    assert!(NEW.iter().all(|r| made.get(*r) == Some(&6)), "{made:?}: {}", told(&built));
    assert!(fs::read_to_string(out.join("provenance.jsonl")).unwrap().contains("local:served"));
    audit_is_clean(&out, &folder.path().join("rubrics"), "shipped");
}

/// The corpus has 101 register rows that say that an act amends another, and texts that say so themselves.
#[test]
fn the_example_compiles_from_real_acts() {
    let Some(corpus) = corpus("the_example_compiles_from_real_acts") else { return };
    let folder = tempfile::tempdir().unwrap();
    let source = format!("folder:{}", fs::canonicalize(corpus).unwrap().display());
    example(folder.path(), |text| text.replace("\"shipped\"", &format!("\"{source}\"")).replace("= 6", "= 60"));
    let checked = run(&["relations", "check", &folder.path().to_string_lossy(), "--json"], folder.path());
    assert!(checked.status.success(), "{}", told(&checked));
    let report = json(&checked);
    let amends = report["relations"].as_array().unwrap().iter().find(|r| r["relation"] == "amends").unwrap();
    eprintln!("amends: edges {}, pairs {}", amends["edges"], amends["pairs"]);
    assert_eq!(amends["edges"]["by_evidence"]["table"], 101);
    let out = folder.path().join("out");
    let built = build(folder.path(), &out);
    assert_eq!(built.status.code(), Some(4), "short, for there are not sixty pairs: {}", told(&built));
    let made = items(&out);
    eprintln!("items: {made:?}");
    assert!(made.get("amends").is_some_and(|n| *n >= 20), "{made:?}");
    audit_is_clean(&out, &folder.path().join("rubrics"), &source);
}

#[test]
fn a_check_shows_edges_pairs_and_a_sample_of_each_relation() {
    let folder = tempfile::tempdir().unwrap();
    let checked = run(&["relations", "check", EXAMPLE, "--json"], folder.path());
    assert!(checked.status.success(), "{}", told(&checked));
    let report = json(&checked);
    assert_eq!((&report["errors"], &report["warnings"]), (&Value::Array(vec![]), &Value::Array(vec![])));
    let relations = report["relations"].as_array().unwrap();
    for (name, effect) in [("suspends", "pauses"), ("derogates", "narrows")] {
        let told = relations.iter().find(|r| r["relation"] == name).unwrap();
        assert_eq!((&told["effect"], &told["asked"]), (&effect.into(), &true.into()));
        for what in ["edges", "pairs"] {
            assert_eq!(told[what]["all"], 6, "{told:#}");
            assert_eq!(told[what]["by_evidence"]["text"], 6, "{told:#}");
            assert_eq!(told[what]["by_evidence"]["table"], 6, "{told:#}");
        }
        assert_eq!(told["sample"]["draft"]["options"].as_array().map(Vec::len), Some(4), "{told:#}");
    }
    assert!(relations.iter().filter(|r| r["asked"] == true).all(|r| r["sample"]["form"].is_string()), "{report:#}");
    let read = run(&["relations", "check", EXAMPLE], folder.path());
    let text = told(&read);
    assert!(text.contains("derogates: narrows to what it applies, asked about"), "{text}");
    assert!(text.contains("The registry holds: 21 relation types."), "{text}");
}

#[test]
fn the_list_names_effect_predicates_and_counts() {
    let folder = tempfile::tempdir().unwrap();
    let listed = json(&run(&["relations", "list", "--json"], folder.path()));
    let amends = listed.as_array().unwrap().iter().find(|r| r["relation"] == "amends").unwrap();
    assert_eq!((&amends["asked"], &amends["effect"]), (&false.into(), &"rewrites".into()));
    assert_eq!(amends["predicates"][0], "resource_legal_amends_resource_legal");
    let list = run(&["relations", "list"], folder.path());
    assert!(told(&list).contains("amends: rewrites, context"), "{}", told(&list));
}

/// A registry file of its own, checked.
fn checked(text: &str) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mine.toml");
    fs::write(&file, text).expect("a file");
    run(&["relations", "check", &file.to_string_lossy()], folder.path())
}

#[test]
fn what_is_wrong_with_a_registry_file_shows_its_line_and_what_to_write() {
    let head = "[[relation]]\nname = \"hinders\"\nlabel = \"hinders\"\neffect = \"pauses\"\n";
    let wrong = |lines: &str, says: &[&str]| {
        let output = checked(&format!("{head}{lines}"));
        assert_eq!(output.status.code(), Some(6), "{}", told(&output));
        let text = told(&output);
        assert!(text.contains("mine.toml:5: ") && text.contains("\n   5 | ") && text.contains('^'), "{text}");
        for words in says {
            assert!(text.contains(words), "no `{words}` in {text}");
        }
    };
    let near = "`resource_legal_suspends_resource_legal`, if that is meant";
    wrong(
        "predicates = [\"resource_legal_suspnds_resource_legal\"]\ninverses = []\n",
        &["is no predicate of the CDM", near],
    );
    wrong(
        "predicates = [\"resource_legal_confirms_resource_legal\"]\n",
        &["has a predicate and no inverse", "inverses = [\"resource_legal_confirmed_by_resource_legal\"]"],
    );
    wrong("from_beginning = true\n", &["contradicts the effect `pauses`"]);
    wrong("inverse_names = [\"repealed_by\"]\n", &["is the inverse name of `repeals` already"]);
    wrong("clauses = [{ place = \"operative\", pattern = '^<traget> is hindered' }]\n", &["`<traget>` is no slot"]);
}

#[test]
fn a_claim_that_is_none_is_found_before_an_item_is_written() {
    let relation = "[[relation]]\nname = \"hinders\"\nlabel = \"hinders\"\neffect = \"pauses\"\n";
    let option = |claim: &str| format!("{{ text = \"{{target}} applies.\", claims = [{{ {claim} }}] }}");
    let form = |claim: &str| {
        let fine = option("form = \"status\", act = \"{target}\", is = \"applicable\"");
        let key = option(claim);
        format!(
            "{relation}[[form]]\nrelation = \"hinders\"\nname = \"x\"\nday = \"start\"\nstem = \"On {{day}} {{source}}?\"\nkey = {key}\ndistractors = [{fine}, {fine}, {fine}]\n"
        )
    };
    let says = |claim: &str, words: &str| {
        let output = checked(&form(claim));
        let text = told(&output);
        assert_eq!(output.status.code(), Some(6), "{text}");
        assert!(text.contains("mine.toml:10: this is no claim: ") && text.contains(words), "no `{words}` in {text}");
    };
    says("form = \"staus\", act = \"{target}\"", "unknown variant `staus`");
    says("form = \"status\", act = \"{target}\"", "missing field `is`");
    says(
        "form = \"status\", act = \"{target}\", is = \"applicable\", prt = \"3\"",
        "a claim of this form has no `prt`",
    );
    says("form = \"status\", act = \"{start}\", is = \"applicable\"", "CELEX");
    says("form = \"status\", act = \"{target}\", is = \"applicable\", denied = \"yes\"", "denied");
}

/// The README's section says how to add a relation; here somebody does as it says, in an empty folder.
#[test]
fn the_readme_adds_a_relation_in_files() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let section = readme.split("\n## ").find(|s| s.starts_with("Extend it")).expect("a section on extending");
    let folder = tempfile::tempdir().unwrap();
    let mut ran = 0;
    for block in section.split("```").skip(1).step_by(2) {
        let (language, body) = block.split_once('\n').expect("a block has lines");
        match language {
            "toml" => {
                let name = body.lines().next().and_then(|l| l.strip_prefix("# ")).expect("the file's name comes first");
                let path = folder.path().join(name);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, body).unwrap();
            }
            "sh" => {
                for line in body.lines().filter_map(|l| l.strip_prefix("legal-link ")) {
                    let words = line.split('#').next().unwrap_or_default();
                    let args: Vec<&str> = words.split_whitespace().collect();
                    let output = legal_link(&args, folder.path()).current_dir(folder.path()).output().unwrap();
                    assert!(output.status.success(), "{line}: {}", told(&output));
                    ran += 1;
                }
            }
            other => panic!("a block of `{other}`"),
        }
    }
    assert_eq!(ran, 3, "check, build and audit");
    assert_eq!(items(&folder.path().join("out")), BTreeMap::from([("suspends".to_string(), 3)]));
}
