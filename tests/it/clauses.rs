//! What the acts of the corpus say they do, against the lists read from the same texts by hand and machine.

use crate::corpus::corpus;
use legal_link::law::{Act, Clause, Digest, Effect, Extent, Language, Registry, Term, TermKind, When};
use legal_link::parse::{Given, act};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

type Edge = (String, String, String);

fn registry() -> Registry {
    let text = include_str!("../../rubrics/relations.toml");
    Registry::parse([("relations.toml", text)]).expect("the shipped registry is sound")
}

/// All acts of the corpus that can be read, one text each.
fn acts(folder: &Path, registry: &Registry) -> BTreeMap<String, Act> {
    let mut read = BTreeMap::new();
    let names = std::fs::read_dir(folder.join("acts")).expect("the corpus has acts");
    let mut names: Vec<String> = names.filter_map(|e| e.ok()?.file_name().into_string().ok()).collect();
    names.sort();
    for name in names {
        let Some((celex, flavour)) = name.split_once('.') else { continue };
        let layout = ["txt_te.html", "plain.txt", "oj.xhtml", "oj-eli.xhtml"].contains(&flavour);
        let Some(celex) = celex.parse().ok().filter(|_| layout && !celex.starts_with('0')) else { continue };
        let bytes = std::fs::read(folder.join("acts").join(&name)).expect("a file of the corpus");
        let document = Digest::of(&bytes);
        let given = Given { celex: &celex, language: Language::ENGLISH, document, bytes: &bytes, registry };
        if let Ok(parsed) = act(&given) {
            read.insert(celex.to_string(), parsed.value);
        }
    }
    read
}

fn edges(folder: &Path, file: &str, wanted: impl Fn(&[&str]) -> bool) -> BTreeSet<Edge> {
    let text = std::fs::read_to_string(folder.join("edges").join(file)).expect("a table of the corpus");
    let rows = text.lines().skip(1).map(|l| l.split(',').collect::<Vec<_>>());
    rows.filter(|r| wanted(r)).map(|r| (r[0].to_string(), r[1].to_string(), r[2].to_string())).collect()
}

/// Edges that the texts state and `relations_from_text.csv` does not list, all looked at and found true.
const BEYOND: usize = 71;

#[test]
fn the_texts_of_the_corpus_state_their_relations() {
    let Some(folder) = corpus("the_texts_of_the_corpus_state_their_relations") else { return };
    let registry = registry();
    let acts = acts(&folder, &registry);
    let asked = |c: &&Clause| registry.spec(&c.relation).is_some_and(|s| !s.context);
    let read: BTreeSet<Edge> = acts
        .iter()
        .flat_map(|(celex, act)| act.clauses.iter().filter(asked).map(move |c| (celex, c)))
        .map(|(celex, c)| (celex.clone(), c.relation.to_string(), c.target.to_string()))
        .collect();
    let pairs = edges(&folder, "pairs.csv", |r| r[3] == "text");
    let listed = edges(&folder, "relations_from_text.csv", |_| true);
    let missing: Vec<&Edge> = pairs.union(&listed).filter(|e| !read.contains(e)).collect();
    assert!(missing.is_empty(), "not read: {missing:?}");
    let beyond: Vec<Edge> = read.difference(&listed).cloned().collect();
    eprintln!("text pairs {}, listed {}, beyond {}", pairs.len(), listed.len(), beyond.len());
    for (source, relation, target) in &beyond {
        eprintln!("beyond the list: {source} {relation} {target}");
    }
    assert_eq!(beyond.len(), BEYOND, "look at each for truth before changing the number");
}

fn the<'a>(acts: &'a BTreeMap<String, Act>, source: &str, target: &str) -> &'a Clause {
    let act = acts.get(source).unwrap_or_else(|| panic!("no {source}"));
    let found = act.clauses.iter().find(|c| c.target.as_str() == target && c.place != legal_link::law::Place::Title);
    found.unwrap_or_else(|| panic!("{source} says nothing of {target}"))
}

fn terms(acts: &BTreeMap<String, Act>, celex: &str, kind: TermKind) -> Vec<When> {
    let whole = |t: &&Term| t.kind == kind && t.parts.is_empty();
    acts.get(celex).map(|a| a.terms.iter().filter(whole).map(|t| t.at.clone()).collect()).unwrap_or_default()
}

fn on(day: &str) -> When {
    When::On { day: day.parse().expect("a day") }
}

#[test]
fn well_known_ends_are_read_to_the_day() {
    let Some(folder) = corpus("well_known_ends_are_read_to_the_day") else { return };
    let registry = registry();
    let acts = acts(&folder, &registry);
    for (source, target, extent, start) in [
        ("32016R0679", "31995L0046", Extent::Whole, on("2018-05-25")),
        ("32012R1215", "32001R0044", Extent::Whole, When::Unstated),
        ("32014L0065", "32004L0039", Extent::Whole, on("2017-01-03")),
        ("32003R0001", "31962R0017", Extent::Partial, When::Unstated),
        ("32023L2673", "32002L0065", Extent::Whole, on("2026-06-19")),
    ] {
        let clause = the(&acts, source, target);
        assert_eq!(registry.effect(&clause.relation), Effect::Ends, "{source}");
        assert_eq!((clause.extent, &clause.start), (extent, &start), "{source}");
    }
    let saved = &the(&acts, "32003R0001", "31962R0017").saved;
    assert!(saved.iter().any(|s| s.part.as_ref().is_some_and(|p| p.to_string() == "8(3)")), "{saved:?}");
    let bytes = std::fs::read(folder.join("acts/32016R0679.oj-eli.xhtml")).expect("a file of the corpus");
    let quote = &the(&acts, "32016R0679", "31995L0046").quote;
    assert!(quote.span.slice(&bytes).is_some_and(|b| String::from_utf8_lossy(b).contains("25 May 2018")));
    assert_eq!(terms(&acts, "32012R1215", TermKind::Application), [on("2015-01-10")]);
    assert_eq!(terms(&acts, "32016R0679", TermKind::Application), [on("2018-05-25")]);
    assert_eq!(terms(&acts, "32022R2554", TermKind::Application), [on("2025-01-17")]);
    let twentieth = terms(&acts, "32022R2554", TermKind::EntryIntoForce);
    assert!(matches!(twentieth.as_slice(), [When::Publication(o)] if o.days == 20), "{twentieth:?}");
    assert_eq!(terms(&acts, "32014R0651", TermKind::Expiry), [on("2020-12-31")]);
    assert_eq!(the(&acts, "32023R1315", "32014R0651").until.map(|d| d.to_string()).as_deref(), Some("2026-12-31"));
}

/// Register rows between acts whose texts are both here, and which neither a clause nor a bridge bears out.
const NOT_IN_THE_TEXTS: [(&str, &str, &str); 2] = [
    // It extends the repealed 97/80/EC to a further State, and stands in the list of amendments of Annex I, Part A; no
    // sentence ends it, and a list of amendments repeals nothing.
    ("32006L0054", "repeals", "31998L0052"),
    // Point 16 of its Annex II adapts the repealed 3696/93; an act that changes dozens by its annexes is not ended
    // with one of them, and which point falls is not said.
    ("32008R0451", "implicitly_repeals", "32003R1882"),
];

#[test]
fn what_the_register_says_of_two_texts_stands_in_them_or_is_explained() {
    let Some(folder) = corpus("what_the_register_says_of_two_texts_stands_in_them_or_is_explained") else { return };
    let registry = registry();
    let source = legal_link::source::Folder::open(folder.clone()).expect("the corpus has an index");
    let loaded = legal_link::build::load(&source, &registry).expect("the corpus can be read");
    let graph = legal_link::graph::RelationGraph::build(loaded.facts, &registry);
    let pairs = edges(&folder, "pairs.csv", |r| r[3] == "metadata");
    assert_eq!(pairs.len(), 43);
    let silent = |(source, relation, target): &&Edge| {
        let (source, target) = (source.parse().expect("a CELEX"), target.parse().expect("a CELEX"));
        let relation = registry.by_any_name(relation).expect("a relation").0;
        let edge = graph.edge(&source, &relation, &target).expect("a row makes an edge");
        edge.evidence.iter().all(|e| !matches!(e.kind(), "text" | "bridge"))
    };
    let silent: Vec<(&str, &str, &str)> =
        pairs.iter().filter(silent).map(|(s, r, t)| (s.as_str(), r.as_str(), t.as_str())).collect();
    assert_eq!(silent, NOT_IN_THE_TEXTS);
}
