//! The built-in author on the real acts: how many of the listed pairs become items, and why the others do not.

use crate::corpus::corpus;
use legal_link::author::{Assignment, BuiltIn};
use legal_link::build::load;
use legal_link::dataset::{Balance, Draft, Kept, Pair, place};
use legal_link::graph::RelationGraph;
use legal_link::law::{Celex, Registry};
use legal_link::source::Folder;
use legal_link::verify::{Rules, Undecided, gates, key_is_strictly_longest, probes};
use std::collections::BTreeMap;
use std::path::Path;

fn registry() -> Registry {
    let text = include_str!("../../rubrics/relations.toml");
    Registry::parse([("relations.toml", text)]).expect("the shipped registry parses")
}

fn rules() -> Rules {
    Rules::parse("checks.toml", include_str!("../../rubrics/checks.toml")).expect("the shipped checks parse")
}

fn pairs(corpus: &Path, registry: &Registry) -> Vec<Pair> {
    let file = std::fs::File::open(corpus.join("edges/pairs.csv")).expect("the list of pairs");
    let mut rows = csv::Reader::from_reader(file);
    let act = |text: &str| text.parse::<Celex>().expect("a CELEX number").into();
    rows.records()
        .map(|row| row.expect("a row"))
        .map(|row| {
            let relation = registry.relation(&row[1]).expect("a relation of the registry");
            Pair { source: act(&row[0]), relation, target: act(&row[2]) }
        })
        .collect()
}

/// Issue 2: at least 84 of the 105 pairs of repeals, corrections and completions, 4 of 5 implicit repeals, the
/// one prolongation; each item through all gates, each pair without one with its reason.
#[test]
fn the_listed_pairs_become_items() {
    let Some(corpus) = corpus("the_listed_pairs_become_items") else { return };
    let (registry, rules) = (registry(), rules());
    let folder = Folder::open(&corpus).expect("the corpus is a folder source");
    let loaded = load(&folder, &registry).expect("the corpus loads");
    let known_on = loaded.facts.known_on.expect("the corpus says when it was taken");
    let graph = RelationGraph::build(loaded.facts, &registry);
    let pairs = pairs(&corpus, &registry);
    let mut drafts: Vec<Draft> = Vec::new();
    let mut figures: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut forms: BTreeMap<String, usize> = BTreeMap::new();
    let (mut without, mut refused) = (Vec::new(), Vec::new());
    for pair in &pairs {
        let assignment =
            Assignment { pair, items: 1, graph: &graph, registry: &registry, rules: &rules, known_on, seed: 7 };
        let written = BuiltIn.draft(assignment);
        let (had, of) = figures.entry(pair.relation.as_str()).or_default();
        *of += 1;
        *had += written.drafts.len();
        if written.drafts.is_empty() {
            let reason =
                written.refusals.last().map(|r| r.reason.clone()).expect("a pair without an item has its reason");
            without.push(format!("{} {} {}: {reason}", pair.source, pair.relation, pair.target));
        }
        for refusal in written.refusals.iter().filter(|r| r.gate != "author") {
            refused.push(format!(
                "{} {} {} at {}: {}",
                pair.source, pair.relation, pair.target, refusal.gate, refusal.reason
            ));
        }
        for draft in written.drafts {
            if let legal_link::dataset::Authorship::BuiltIn { form } = &draft.author {
                *forms.entry(format!("{} {form}", pair.relation)).or_default() += 1;
            }
            drafts.push(draft);
        }
    }
    eprintln!("items of pairs: {figures:?}");
    eprintln!("forms: {forms:#?}");
    eprintln!("refused:\n{}", refused.join("\n"));
    eprintln!("without:\n{}", without.join("\n"));
    let mut kept = Vec::new();
    let mut longest = 0;
    for draft in drafts {
        let passed =
            gates(&draft, &graph, &rules, Undecided::Refuse).expect("what the author hands over has passed the gates");
        let texts: Vec<&str> = draft.options.iter().map(|o| o.text.as_str()).collect();
        longest += usize::from(key_is_strictly_longest(&texts, 0));
        kept.push(Kept { draft, proofs: passed.proofs, judgement: None });
    }
    let items = place(kept, 7);
    eprintln!("key strictly longest in {longest} of {}", items.len());
    for probe in probes(&items.iter().collect::<Vec<_>>(), &rules) {
        eprintln!("{probe:?}");
    }
    if let Some(out) = std::env::var_os("LEGAL_LINK_ITEMS_OUT") {
        let lines: Vec<String> = items.iter().map(|i| serde_json::to_string(i).expect("an item serialises")).collect();
        std::fs::write(out, lines.join("\n")).expect("the file can be written");
    }
    for spec in registry.asked() {
        let of = items.iter().filter(|i| i.draft.pair.relation == spec.name);
        assert!(Balance::of(of.map(legal_link::dataset::Item::correct_index)).exact(), "positions of {}", spec.name);
    }
    let had = |relation: &str| figures.get(relation).map_or(0, |(had, _)| *had);
    assert!(had("repeals") + had("corrects") + had("completes") >= 84, "{figures:?}");
    assert!(had("implicitly_repeals") >= 4, "{figures:?}");
    assert!(had("extends_validity_of") >= 1, "{figures:?}");
}
