//! Notices in the normalised form, in which works have addresses instead of numbers, from the bytes to the graph.

use legal_link::build::load;
use legal_link::cache::{About, Cache, Shipped};
use legal_link::graph::RelationGraph;
use legal_link::law::Registry;
use legal_link::parse::{Synonyms, expressions, identifiers, notice};
use legal_link::source::Held;
use std::sync::Arc;

const NORMALISED: &str = include_str!("../fixtures/parse/32016R9001.normalized.rdf");
const IDENTIFIERS: &str = include_str!("../fixtures/parse/32016R9001.identifiers.xml");

fn registry() -> Registry {
    let text = include_str!("../../rubrics/relations.toml");
    Registry::parse([("relations.toml", text)]).expect("the shipped registry")
}

/// The identifiers notice of another work.
fn names_of(number: &str, celex: &str) -> String {
    IDENTIFIERS.replace("00009001-", &format!("{number}-")).replace("32016R9001", celex)
}

#[test]
fn a_normalised_notice_keeps_its_links_open_until_the_works_have_names() {
    let mut read = notice(NORMALISED.as_bytes(), &registry(), None).expect("a notice").value;
    assert!(read.rows.len() == 1 && read.states.len() == 1, "the state names its act by the act's own address");
    assert_eq!(read.records[0].title.as_deref(), Some("Regulation (EU) 2016/9001 on the keeping of gnomes"));
    assert_eq!(read.open.len(), 2);
    let mut synonyms = Synonyms::default();
    synonyms.learn(&identifiers(names_of("00009046", "31995L9046").as_bytes()).expect("names").value);
    let unnamed = read.resolve(&synonyms);
    let repeal = read.rows.iter().find(|row| row.target.as_str() == "31995L9046").expect("the repeal");
    assert_eq!(repeal.start.map(|d| d.to_string()).as_deref(), Some("2018-05-25"));
    assert!(repeal.locus.span.slice(NORMALISED.as_bytes()).expect("bytes").starts_with(b"<rdf:Description rdf:nodeID"));
    assert_eq!((unnamed.len(), read.open.len()), (1, 1));
    assert!(unnamed[0].message.contains("00009047"), "{unnamed:?}");
    // Told again, nothing is doubled.
    let rows = read.rows.clone();
    assert_eq!(read.resolve(&synonyms).len(), 1);
    assert_eq!(read.rows, rows);
}

#[test]
fn the_languages_of_a_work_are_those_of_its_expressions() {
    let found: Vec<String> =
        expressions(NORMALISED.as_bytes()).expect("a notice").value.iter().map(ToString::to_string).collect();
    assert_eq!(found, ["deu", "eng"]);
    assert!(expressions(IDENTIFIERS.as_bytes()).is_err());
}

#[test]
fn edges_of_normalised_notices_reach_the_graph() {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = Cache::open(folder.path(), Shipped::default()).expect("a cache");
    let put = |key: &str, text: &str| {
        let about = About { taken: "2026-08-05".parse().ok(), ..About::default() };
        cache.put(&key.parse().expect("a key"), text.as_bytes(), about).expect("kept");
    };
    put("notice/32016R9001/tree-rdf", NORMALISED);
    put("notice/00009046-0000-11e6-9000-01aa75ed71a1/identifiers", &names_of("00009046", "31995L9046"));
    let registry = registry();
    let loaded = load(&Held::Cache(Arc::new(cache)), &registry).expect("loaded");
    assert!(loaded.refused.is_empty(), "{:?}", loaded.refused);
    assert_eq!(loaded.warnings.len(), 1, "one link leads to a work without a name: {:?}", loaded.warnings);
    let graph = RelationGraph::build(loaded.facts, &registry);
    let edges: Vec<String> = graph.edges().map(|e| format!("{} {} {}", e.source, e.relation, e.target)).collect();
    assert!(edges.iter().any(|e| e.starts_with("32016R9001") && e.ends_with("31995L9046")), "{edges:?}");
}
