//! The dated graph: what holds for any facts.

use legal_link::graph::{Asked, Facts, Given, GivenAct, LastDay, RelationGraph};
use legal_link::law::{
    Answer, Celex, DatedRelation, Day, Digest, Endpoint, Extent, Locus, RegisterKind, RegisterRow, Registry, Span,
    Touch,
};
use proptest::prelude::*;
use std::sync::LazyLock;

static REGISTRY: LazyLock<Registry> = LazyLock::new(|| {
    let text = include_str!("../../rubrics/relations.toml");
    Registry::parse([("relations.toml", text)]).expect("the shipped registry parses")
});

const NAMES: [(&str, &str); 4] = [
    ("repeals", "repealed_by"),
    ("amends", "amended_by"),
    ("extends_validity_of", "validity_extended_by"),
    ("implicitly_repeals", "implicitly_repealed_by"),
];

fn act(n: u32) -> Celex {
    format!("3{}R{:04}", 1990 + n, 9001 + n).parse().expect("a CELEX number")
}

fn day(n: u32) -> Day {
    Day::from_ymd(1990, 1, 1).expect("a day").plus_days(n)
}

fn row(source: u32, relation: usize, target: u32, start: Option<u32>, at: usize) -> RegisterRow {
    let relation = REGISTRY.relation(NAMES[relation].0).expect("a relation of the registry");
    RegisterRow {
        source: act(source),
        relation,
        target: act(target),
        start: start.map(day),
        end: None,
        part: None,
        role: None,
        languages: Vec::new(),
        comment: None,
        register: if at.is_multiple_of(2) { RegisterKind::Table } else { RegisterKind::Notice },
        locus: Locus { document: Digest::of(b"table"), span: Span::new(at, at + 1) },
        taken: None,
    }
}

fn rows() -> impl Strategy<Value = Vec<RegisterRow>> {
    let one = (0..8u32, 0..NAMES.len(), 0..8u32, proptest::option::of(0..4000u32), 0..40usize);
    proptest::collection::vec(one.prop_map(|(s, r, t, start, at)| row(s, r, t, start, at)), 0..20)
}

fn given() -> impl Strategy<Value = Given> {
    let acts = proptest::collection::vec((0..2000u32, 0..400u32, proptest::option::of(2000..4000u32)), 8);
    let edge = (0..8u32, 0..NAMES.len(), 0..8u32, proptest::option::of(0..4000u32), 0..3usize);
    (acts, proptest::collection::vec(edge, 0..12)).prop_map(|(acts, edges)| {
        let acts = (0..).zip(acts).map(|(n, (from, wait, last))| GivenAct {
            in_force_from: Some(day(from)),
            applies_from: Some(day(from + wait)),
            last_day: last.map(day),
            ..GivenAct::named(act(n))
        });
        let mut edges: Vec<DatedRelation> = edges
            .into_iter()
            .map(|(s, r, t, start, extent)| DatedRelation {
                source: act(s),
                relation: REGISTRY.relation(NAMES[r].0).expect("a relation of the registry"),
                target: act(t),
                touches: vec![Touch {
                    extent: [Extent::Whole, Extent::Partial, Extent::Unknown][extent],
                    parts: Vec::new(),
                    saved: Vec::new(),
                    start: start.map(day),
                    basis: None,
                    conditional: None,
                    unconfirmed: None,
                    until: start.map(|s| day(s + 500)),
                    words: None,
                    languages: Vec::new(),
                    evidence: 0,
                }],
                evidence: Vec::new(),
                contradictions: Vec::new(),
            })
            .collect();
        edges.sort_by_key(|e| (e.source.clone(), e.relation.clone(), e.target.clone()));
        edges.dedup_by_key(|e| (e.source.clone(), e.relation.clone(), e.target.clone()));
        Given { acts: acts.collect(), edges, ..Given::default() }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn the_order_of_loading_does_not_matter(rows in rows(), turn in 0..20usize) {
        let mut turned = rows.clone();
        turned.reverse();
        let by = turn % turned.len().max(1);
        turned.rotate_left(by);
        let build = |rows| RelationGraph::build(Facts { rows, ..Facts::default() }, &REGISTRY);
        let (a, b) = (build(rows), build(turned));
        prop_assert!(a.edges().eq(b.edges()));
        for n in 0..8 {
            let at = Endpoint::from(act(n));
            prop_assert_eq!(a.status(&at, Asked::on(day(3000))), b.status(&at, Asked::on(day(3000))));
        }
    }

    #[test]
    fn a_fact_told_twice_or_from_the_other_side_is_one_edge(rows in rows()) {
        let build = |rows| RelationGraph::build(Facts { rows, ..Facts::default() }, &REGISTRY);
        let once = build(rows.clone());
        let other_side = |row: &RegisterRow| {
            let (_, inverse) = NAMES.iter().find(|(name, _)| *name == row.relation.as_str()).expect("one of ours");
            let (relation, inverted) = REGISTRY.by_any_name(inverse).expect("an inverse name");
            assert!(inverted);
            RegisterRow { relation, ..row.clone() }
        };
        let twice = build(rows.iter().cloned().chain(rows.iter().map(other_side)).collect());
        prop_assert!(once.edges().eq(twice.edges()));
        let keys: Vec<_> = once.edges().map(|e| (&e.source, &e.relation, &e.target)).collect();
        prop_assert!(keys.is_sorted() && keys.windows(2).all(|w| w[0] != w[1]));
    }

    #[test]
    fn a_status_never_contradicts_the_dates_it_cites(given in given(), n in 0..8u32, on in 0..5000u32) {
        let graph = RelationGraph::given(given, &REGISTRY);
        let (at, on) = (Endpoint::from(act(n)), day(on));
        let status = graph.status(&at, Asked::on(on));
        let begun = graph.life(&at.celex).map_or(Answer::Unknown, |l| l.in_force.reached(on));
        let endings = graph.endings(&at, None);
        let ended = endings.iter().any(|e| e.whole && e.reached(on) == Answer::Yes);
        match status.in_force {
            Answer::Yes => prop_assert!(begun == Answer::Yes && endings.iter().all(|e| e.reached(on) == Answer::No)),
            Answer::No => prop_assert!(begun == Answer::No || ended),
            Answer::Unknown => prop_assert!(!ended),
        }
        prop_assert!(status.in_force != Answer::No || status.applicable == Answer::No);
        prop_assert!(!status.because.is_empty());
        if let (LastDay::On(last), Answer::Yes) = (graph.last_day(&at, None), begun) {
            let after = graph.status(&at, Asked::on(last.succ())).in_force;
            prop_assert!(after == Answer::No, "last day {last}, yet {after} after it");
            prop_assert!(status.in_force == Answer::No || on <= last);
        }
    }
}
