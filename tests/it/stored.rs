//! The stored form of a graph: it answers as the graph it was made of, and nothing forged or damaged gets through.

use crate::corpus::corpus;
use legal_link::build::load;
use legal_link::graph::stored::StoredError;
use legal_link::graph::{Asked, Facts, Given, GivenAct, RelationGraph, StoredGraph, Tally};
use legal_link::law::{
    ActRecord, Celex, ConsolidatedState, DatedRelation, Day, Digest, Effect, EffectDate, Endpoint, Extent, Locus, Part,
    RegisterKind, RegisterRow, Registry, Saving, Span, Touch,
};
use legal_link::source::Folder;
use proptest::prelude::*;
use std::io::Cursor;
use std::sync::LazyLock;

static REGISTRY: LazyLock<Registry> = LazyLock::new(|| {
    let text = include_str!("../../rubrics/relations.toml");
    Registry::parse([("relations.toml", text)]).expect("the shipped registry parses")
});

const ACTS: u32 = 7;

fn act(n: u32) -> Celex {
    format!("3{}R{:04}", 1990 + n, 9001 + n).parse().expect("a CELEX number")
}

fn day(n: u32) -> Day {
    Day::from_ymd(1990, 1, 1).expect("a day").plus_days(n)
}

fn part(text: &str) -> Part {
    text.parse().expect("a part")
}

fn parts() -> impl Strategy<Value = Vec<Part>> {
    let named = ["1", "2", "2(1)", "3", "Annex I", "Chapter II"];
    proptest::collection::vec((0..named.len()).prop_map(move |i| part(named[i])), 0..3)
}

fn touch() -> impl Strategy<Value = Touch> {
    let saved = proptest::collection::vec((parts(), proptest::option::of(0..5000u32)), 0..2);
    let days = (proptest::option::of(0..4000u32), proptest::option::of(0..5000u32));
    (0..3usize, parts(), saved, days, any::<bool>()).prop_map(|(extent, parts, saved, (start, until), hangs)| Touch {
        extent: [Extent::Whole, Extent::Partial, Extent::Unknown][extent],
        parts,
        saved: saved
            .into_iter()
            .map(|(p, until)| Saving { part: p.into_iter().next(), until: until.map(day), words: "of goods".into() })
            .collect(),
        start: start.map(day),
        basis: None,
        conditional: (hangs && start.is_some_and(|s| s % 5 == 0)).then(|| "the fleet returns".to_string()),
        unconfirmed: None,
        until: until.map(day),
        words: None,
        languages: Vec::new(),
        evidence: 0,
    })
}

fn given() -> impl Strategy<Value = Given> {
    let life = (0..2000u32, proptest::option::of(0..400u32), proptest::option::of(2000..4000u32), 0..12u32);
    let acts = proptest::collection::vec(life, ACTS as usize);
    let relations = REGISTRY.relations().len();
    let edge = (0..ACTS, 0..relations, 0..ACTS, proptest::collection::vec(touch(), 1..3));
    let edges = proptest::collection::vec(edge, 0..16);
    (acts, edges, proptest::option::of(2000..6000u32)).prop_map(|(acts, edges, newest)| {
        let acts = (0..).zip(acts).map(|(n, (from, wait, last, void))| GivenAct {
            made: (void != 1).then(|| day(from)),
            in_force_from: (void != 2).then(|| day(from)),
            applies_from: wait.map(|w| day(from + w)),
            last_day: last.map(day),
            void: void == 0,
            ..GivenAct::named(act(n))
        });
        let mut edges: Vec<DatedRelation> = edges
            .into_iter()
            .map(|(source, relation, target, touches)| DatedRelation {
                source: act(source),
                relation: REGISTRY.relations()[relation].name.clone(),
                target: act(target),
                touches,
                evidence: Vec::new(),
                contradictions: Vec::new(),
            })
            .collect();
        edges.sort_by(|a, b| (&a.source, &a.relation, &a.target).cmp(&(&b.source, &b.relation, &b.target)));
        edges.dedup_by(|a, b| (&a.source, &a.relation, &a.target) == (&b.source, &b.relation, &b.target));
        Given { acts: acts.collect(), edges, known_on: newest.map(day), ..Given::default() }
    })
}

fn locus(at: usize) -> Locus {
    Locus { document: Digest::of(b"a table"), span: Span::new(at, at + 1) }
}

/// What registers say, with flags, ends and states.
fn registered() -> impl Strategy<Value = Facts> {
    let optional = || proptest::option::of(0..5000u32);
    let row = (0..ACTS, 0..REGISTRY.relations().len(), 0..ACTS, optional(), 0..4usize);
    let record = (0..ACTS, proptest::option::of(any::<bool>()), optional(), optional(), any::<bool>(), optional());
    let state = (0..ACTS, 0..4000u32, optional());
    let rows = proptest::collection::vec(row, 0..14);
    let records = proptest::collection::vec(record, 0..10);
    (rows, records, proptest::collection::vec(state, 0..5), 1000..6000u32).prop_map(
        |(rows, records, states, newest)| {
            let rows = rows.into_iter().enumerate().map(|(at, (source, relation, target, start, kind))| RegisterRow {
                source: act(source),
                relation: REGISTRY.relations()[relation].name.clone(),
                target: act(target),
                start: start.map(day),
                end: start.filter(|s| s % 3 == 0).map(|s| day(s + 700)),
                part: (kind == 3).then(|| part("2")),
                role: None,
                languages: Vec::new(),
                comment: None,
                register: if kind == 0 { RegisterKind::Table } else { RegisterKind::Notice },
                locus: locus(at),
                taken: Some(day(newest)),
            });
            let records = records.into_iter().enumerate().map(|(at, (of, flag, end, from, open, taken))| ActRecord {
                celex: act(of),
                title: None,
                date_document: from.map(day),
                published: None,
                in_force: flag,
                effects: from.map(|f| (EffectDate::EntryIntoForce, day(f + 20))).into_iter().collect(),
                ends: end.map(day).into_iter().collect(),
                open_end: open,
                locus: locus(at),
                taken: taken.map(|t| day(t.min(newest))),
            });
            let states = states.into_iter().enumerate().map(|(at, (of, from, until))| {
                let name = format!("0{}-{}", &act(of).as_str()[1..], day(from).to_string().replace('-', ""));
                ConsolidatedState {
                    celex: name.parse().expect("a consolidated text"),
                    of: act(of),
                    from: day(from),
                    until: until.map(|u| day(from + u)),
                    locus: locus(at),
                    taken: None,
                }
            });
            Facts {
                rows: rows.collect(),
                records: records.collect(),
                states: states.collect(),
                known_on: Some(day(newest)),
                ..Facts::default()
            }
        },
    )
}

fn stored(graph: &RelationGraph, known_on: Option<Day>) -> (StoredGraph, Cursor<Vec<u8>>) {
    let bytes = graph.store(known_on, Vec::new()).expect("memory can be written");
    assert_eq!(bytes, graph.store(known_on, Vec::new()).expect("memory"), "the same graph, the same bytes");
    let mut file = Cursor::new(bytes);
    (StoredGraph::load(&mut file).expect("what was written can be read"), file)
}

/// Whether the stored form answers as the graph, of every act, on these days, for these parts.
fn agree(graph: &RelationGraph, known_on: Option<Day>, days: &[Day], parts: impl Fn(&Celex) -> Vec<Part>) {
    let (loaded, mut file) = stored(graph, known_on);
    assert_eq!(loaded.counts(), graph.counts());
    for celex in graph.celexes() {
        let parts = parts(celex).into_iter().map(Some).chain([None]);
        for at in parts.map(|part| Endpoint { celex: celex.clone(), part }) {
            for &on in days {
                let asked = Asked { on, known_on };
                let told = graph.status(&at, asked);
                assert_eq!(loaded.status(&at, asked, &mut file).expect("its own file"), told, "{at} on {on}");
                let answers = loaded.as_of(&at, on);
                assert_eq!((answers.in_force, answers.applicable), (told.in_force, told.applicable), "{at} on {on}");
                assert_eq!(graph.as_of(&at, asked), answers, "{at} on {on}");
            }
        }
        let edges: Vec<&DatedRelation> = graph.onto(celex).collect();
        let found: Vec<_> = loaded.onto(celex).collect();
        assert_eq!(found.len(), edges.len());
        for (found, edge) in found.into_iter().zip(edges) {
            assert_eq!(&loaded.evidence(found, &mut file).expect("its own file"), edge);
        }
        let by: Vec<(&str, &str)> = loaded.by(celex).map(|e| (e.relation.as_str(), e.target)).collect();
        let mut told: Vec<(&str, &str)> = graph.by(celex).map(|e| (e.relation.as_str(), e.target.as_str())).collect();
        told.sort_by_key(|(relation, target)| (*target, *relation));
        assert_eq!(by, told);
    }
    for &on in days {
        let tally: Tally = loaded.each(on).map(|(_, answers)| answers).collect();
        assert_eq!(tally, graph.each(Asked { on, known_on }).map(|(_, answers)| answers).collect());
    }
}

fn some_parts(_: &Celex) -> Vec<Part> {
    ["1", "2", "2(1)", "Annex I", "Chapter II"].map(part).to_vec()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn a_stored_graph_answers_as_the_one_it_was_made_of(given in given(), on in proptest::collection::vec(0..6000u32, 4), known in 0..6000u32) {
        let graph = RelationGraph::given(given, &REGISTRY);
        let days: Vec<Day> = on.into_iter().map(day).collect();
        agree(&graph, None, &days, some_parts);
        agree(&graph, Some(day(known)), &days, some_parts);
    }

    #[test]
    fn a_stored_graph_of_registers_answers_so_too(facts in registered(), on in proptest::collection::vec(0..6000u32, 4), known in 0..6000u32) {
        let graph = RelationGraph::build(facts, &REGISTRY);
        let days: Vec<Day> = on.into_iter().map(day).collect();
        agree(&graph, None, &days, some_parts);
        agree(&graph, Some(day(known)), &days, some_parts);
    }

    #[test]
    fn a_damaged_file_is_refused(given in given(), at in any::<prop::sample::Index>(), bit in 0..8u32, cut in any::<bool>()) {
        let graph = RelationGraph::given(given, &REGISTRY);
        let (whole, mut file) = stored(&graph, None);
        let mut bytes = file.get_ref().clone();
        let at = at.index(bytes.len());
        if cut {
            bytes.truncate(at);
        } else {
            bytes[at] ^= 1 << bit;
        }
        let mut damaged = Cursor::new(bytes);
        let Ok(loaded) = StoredGraph::load(&mut damaged) else { return Ok(()) };
        prop_assert!(!cut, "a file cut short is not read");
        // Only the ledger is read later: what is read of it is what was written, or refused.
        for celex in graph.celexes() {
            let (at, asked) = (Endpoint::from(celex.clone()), Asked::on(day(3000)));
            if let Ok(status) = loaded.status(&at, asked, &mut damaged) {
                prop_assert_eq!(status, whole.status(&at, asked, &mut file).expect("whole"));
            }
        }
    }

    #[test]
    fn a_forged_file_brings_nothing_down(given in given(), at in any::<prop::sample::Index>(), byte in any::<u8>(), on in 0..6000u32) {
        let graph = RelationGraph::given(given, &REGISTRY);
        let (_, file) = stored(&graph, None);
        let mut bytes = file.into_inner();
        let foot = bytes.len() - 48;
        let length = u64::from_le_bytes(bytes[foot..foot + 8].try_into().expect("eight bytes"));
        let core = foot - usize::try_from(length).expect("a length");
        let place = core + at.index(foot - core);
        bytes[place] = byte;
        let check = Digest::of(&bytes[core..foot]);
        bytes[foot + 8..foot + 40].copy_from_slice(check.as_bytes());
        let mut forged = Cursor::new(bytes);
        let Ok(loaded) = StoredGraph::load(&mut forged) else { return Ok(()) };
        let _ = loaded.counts();
        for celex in graph.celexes() {
            let at = Endpoint { celex: celex.clone(), part: Some(part("2(1)")) };
            let _ = (loaded.as_of(&at, day(on)), loaded.status(&celex.clone().into(), Asked::on(day(on)), &mut forged));
            for edge in loaded.onto(celex).chain(loaded.by(celex)) {
                let _ = loaded.evidence(edge, &mut forged);
            }
        }
    }

    #[test]
    fn no_bytes_are_too_strange(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(StoredGraph::load(&mut Cursor::new(bytes)).is_err());
    }
}

#[test]
fn a_graph_stored_as_known_on_a_day_answers_for_no_other() {
    let given = Given {
        acts: vec![GivenAct { in_force_from: Some(day(10)), ..GivenAct::named(act(0)) }],
        known_on: Some(day(5000)),
        ..Given::default()
    };
    let graph = RelationGraph::given(given, &REGISTRY);
    let (loaded, mut file) = stored(&graph, Some(day(100)));
    let ask = |known_on| Asked { on: day(50), known_on };
    let refused = loaded.status(&act(0).into(), ask(Some(day(101))), &mut file);
    assert!(matches!(refused, Err(StoredError::KnownOn { .. })));
    assert!(loaded.status(&act(0).into(), ask(Some(day(100))), &mut file).is_ok());
    let mut other = file.into_inner();
    other[7] = 9;
    assert!(matches!(StoredGraph::load(&mut Cursor::new(other)), Err(StoredError::Foreign(_))));
}

/// Days around everything that is dated.
fn days_of(graph: &RelationGraph, celex: &Celex) -> Vec<Day> {
    let touches = graph.onto(celex).filter(|e| graph.effect(e) != Effect::None).flat_map(|e| &e.touches);
    let mut days: Vec<Day> = touches.flat_map(|t| t.start.into_iter().chain(t.until)).collect();
    let life = graph.life(celex).into_iter();
    days.extend(life.flat_map(|l| [l.made, l.in_force.known(), l.applies.known(), l.last_day]).flatten());
    days.extend([day(2000), day(10_000)]);
    let mut around: Vec<Day> = days.into_iter().flat_map(|d| [d.pred(), d, d.succ()]).collect();
    around.sort_unstable();
    around.dedup();
    around
}

#[test]
fn the_stored_graph_of_the_real_acts_answers_as_they_do() {
    let Some(path) = corpus("the_stored_graph_of_the_real_acts_answers_as_they_do") else { return };
    let loaded = load(&Folder::open(&path).expect("the corpus"), &REGISTRY).expect("it can be listed");
    let newest = loaded.facts.known_on;
    let graph = RelationGraph::build(loaded.facts, &REGISTRY);
    // A third of the acts for each day of knowledge: all of them take minutes where nothing is optimised.
    for (third, known_on) in [None, newest, Day::from_ymd(2005, 6, 30)].into_iter().enumerate() {
        let (whole, mut file) = stored(&graph, known_on);
        assert_eq!(whole.counts(), graph.counts());
        let mut asked_of = 0;
        for celex in graph.celexes().skip(third).step_by(3) {
            let mut parts: Vec<Part> =
                graph.onto(celex).flat_map(|e| &e.touches).flat_map(|t| t.parts.clone()).collect();
            parts.extend(
                graph.act(celex).into_iter().flat_map(|a| a.units.iter().filter_map(|u| u.part.clone())).take(3),
            );
            parts.sort();
            parts.dedup();
            parts.truncate(3);
            let days = days_of(&graph, celex);
            for at in parts.into_iter().map(Some).chain([None]).map(|part| Endpoint { celex: celex.clone(), part }) {
                for &on in days.iter().take(12) {
                    let asked = Asked { on, known_on };
                    let told = graph.status(&at, asked);
                    assert_eq!(whole.status(&at, asked, &mut file).expect("its own file"), told, "{at} on {on}");
                    let answers = whole.as_of(&at, on);
                    assert_eq!((answers.in_force, answers.applicable), (told.in_force, told.applicable));
                    asked_of += 1;
                }
            }
        }
        assert!(asked_of > 2_000, "{asked_of} questions");
    }
}
