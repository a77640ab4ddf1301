//! The graph of the real acts: statuses that rules, not special cases, must give, and the counts of edges.

use crate::corpus::corpus;
use legal_link::build::load;
use legal_link::graph::{Asked, Facts, RelationGraph, Status};
use legal_link::law::{Answer, Day, Endpoint, Evidence, RegisterKind, Registry};
use legal_link::source::Folder;
use std::sync::{LazyLock, OnceLock};

static REGISTRY: LazyLock<Registry> = LazyLock::new(|| {
    let text = include_str!("../../rubrics/relations.toml");
    Registry::parse([("relations.toml", text)]).expect("the shipped registry parses")
});

fn facts(test: &str) -> Option<&'static Facts> {
    static FACTS: OnceLock<Option<Facts>> = OnceLock::new();
    let path = corpus(test)?;
    let read = || Some(load(&Folder::open(&path).ok()?, &REGISTRY).ok()?.facts);
    FACTS.get_or_init(read).as_ref()
}

fn graph(test: &str) -> Option<&'static RelationGraph> {
    static GRAPH: OnceLock<RelationGraph> = OnceLock::new();
    let facts = facts(test)?;
    Some(GRAPH.get_or_init(|| RelationGraph::build(facts.clone(), &REGISTRY)))
}

fn day(text: &str) -> Day {
    text.parse().expect("a day")
}

fn endpoint(text: &str) -> Endpoint {
    let (celex, part) = text.split_once('#').map_or((text, None), |(celex, part)| (celex, Some(part)));
    Endpoint { celex: celex.parse().expect("a CELEX number"), part: part.map(|p| p.parse().expect("a part")) }
}

fn status(graph: &RelationGraph, act: &str, on: &str) -> Status {
    graph.status(&endpoint(act), Asked::on(day(on)))
}

/// Whether a reason names the act.
fn names(status: &Status, act: &str) -> bool {
    status.because.iter().any(|r| r.acts.iter().any(|c| c.as_str() == act))
}

#[test]
fn a_directive_ends_on_the_day_that_the_repealing_text_names() {
    let Some(graph) = graph("a_directive_ends_on_the_day_that_the_repealing_text_names") else { return };
    assert_eq!(status(graph, "31995L0046", "1995-12-12").in_force, Answer::No);
    assert_eq!(status(graph, "31995L0046", "1995-12-13").in_force, Answer::Yes);
    assert_eq!(status(graph, "31995L0046", "2018-05-24").in_force, Answer::Yes);
    let ended = status(graph, "31995L0046", "2018-05-25");
    assert_eq!(ended.in_force, Answer::No);
    let first = &ended.because[0];
    assert_eq!(first.acts[0].as_str(), "32016R0679");
    let quote = first.quote.as_ref().expect("the words of the repeal");
    let acting = graph.act(&first.acts[0]).expect("its text");
    let article = acting.unit(&"94".parse().expect("a part")).expect("Article 94");
    assert!(article.span.contains(&quote.span), "the quotation stands in Article 94");
}

#[test]
fn force_and_application_are_two_questions() {
    let Some(graph) = graph("force_and_application_are_two_questions") else { return };
    let on = |day| {
        let status = status(graph, "32016R0679", day);
        (status.in_force, status.applicable)
    };
    assert_eq!(on("2016-05-23"), (Answer::No, Answer::No));
    assert_eq!(on("2016-05-24"), (Answer::Yes, Answer::No));
    assert_eq!(on("2018-05-24"), (Answer::Yes, Answer::No));
    assert_eq!(on("2018-05-25"), (Answer::Yes, Answer::Yes));
}

#[test]
fn a_repeal_without_a_day_begins_when_its_act_applies() {
    let Some(graph) = graph("a_repeal_without_a_day_begins_when_its_act_applies") else { return };
    assert_eq!(status(graph, "32012R1215", "2013-01-09").in_force, Answer::Yes);
    assert_eq!(status(graph, "32001R0044", "2015-01-09").in_force, Answer::Yes);
    let ended = status(graph, "32001R0044", "2015-01-10");
    assert_eq!(ended.in_force, Answer::No);
    assert!(names(&ended, "32012R1215"));
}

#[test]
fn a_moved_day_is_unconfirmed_and_both_readings_are_shown() {
    let Some(graph) = graph("a_moved_day_is_unconfirmed_and_both_readings_are_shown") else { return };
    assert_eq!(status(graph, "32004L0039", "2017-01-02").in_force, Answer::Yes);
    let between = status(graph, "32004L0039", "2017-06-01");
    assert_ne!(between.in_force, Answer::No);
    let says = &between.because[0].says;
    assert!(says.contains("3 January 2017") && says.contains("3 January 2018"), "{says}");
    assert_eq!(status(graph, "32004L0039", "2018-01-03").in_force, Answer::No);
}

#[test]
fn an_amending_act_whose_amendments_go_lives_on() {
    let Some(graph) = graph("an_amending_act_whose_amendments_go_lives_on") else { return };
    let on = status(graph, "32010L0078", "2018-06-01");
    assert_eq!(on.in_force, Answer::Yes);
    assert!(names(&on, "32014L0065"), "the repeal that the register records is named: {:?}", on.because);
}

#[test]
fn a_saved_part_lives_where_the_act_does_not() {
    let Some(graph) = graph("a_saved_part_lives_where_the_act_does_not") else { return };
    assert_eq!(status(graph, "31962R0017", "2004-04-30").in_force, Answer::Yes);
    let act = status(graph, "31962R0017", "2010-01-01");
    assert_eq!(act.in_force, Answer::No);
    assert!(act.because[0].says.contains("Article 8(3)"), "{:?}", act.because);
    assert_eq!(status(graph, "31962R0017#8(3)", "2010-01-01").in_force, Answer::Yes);
    assert_eq!(status(graph, "31962R0017#8", "2010-01-01").in_force, Answer::No);
    assert_eq!(status(graph, "31962R0017#9", "2010-01-01").in_force, Answer::No);
}

#[test]
fn an_implicit_repeal_ends_what_its_bridge_reaches_and_no_more() {
    let Some(graph) = graph("an_implicit_repeal_ends_what_its_bridge_reaches_and_no_more") else { return };
    let asked = Asked { on: day("2026-07-01"), known_on: Some(day("2026-07-01")) };
    let act = graph.status(&endpoint("32005L0029"), asked);
    assert_eq!(act.in_force, Answer::Yes);
    assert!(names(&act, "32023L2673") && names(&act, "32002L0065"), "{:?}", act.because);
    assert_eq!(graph.status(&endpoint("32005L0029#15"), asked).in_force, Answer::No);
    assert_eq!(graph.status(&endpoint("32005L0029#5"), asked).in_force, Answer::Yes);
}

#[test]
fn after_the_newest_fetch_nothing_is_known() {
    let Some(graph) = graph("after_the_newest_fetch_nothing_is_known") else { return };
    let newest = graph.known_on().expect("the index says when");
    assert_eq!(status(graph, "32016R0679", &newest.to_string()).in_force, Answer::Yes);
    assert_eq!(status(graph, "32016R0679", &newest.succ().to_string()).in_force, Answer::Unknown);
}

#[test]
fn no_status_contradicts_the_register_on_its_own_day_but_for_saved_parts() {
    let Some(graph) = graph("no_status_contradicts_the_register_on_its_own_day_but_for_saved_parts") else { return };
    let (mut agree, mut unknown, mut other) = (0, 0, Vec::new());
    for celex in graph.celexes() {
        let Some((flag, taken)) = graph.record(celex).and_then(|r| r.in_force.zip(r.taken)) else { continue };
        let on = status(graph, celex.as_str(), &taken.to_string());
        match on.in_force {
            Answer::Unknown => unknown += 1,
            answer if answer == Answer::from(flag) => agree += 1,
            _ => other.push(format!("{celex}: {:?}", on.because.first().map(|r| &r.says))),
        }
    }
    eprintln!("flags: {agree} agree, {unknown} unknown, {} differ: {other:#?}", other.len());
    assert!(other.iter().all(|o| o.contains("lives on")), "{other:#?}");
    assert!(unknown * 20 < agree, "{unknown} unknown beside {agree}");
}

/// Distinct edges of a relation among those that pass.
fn count(facts: Facts, relation: &str, pass: impl Fn(&[Evidence]) -> bool) -> usize {
    let graph = RelationGraph::build(facts, &REGISTRY);
    graph.edges().filter(|e| e.relation.as_str() == relation && pass(&e.evidence)).count()
}

#[test]
fn the_registers_and_the_texts_are_counted_apart() {
    let Some(facts) = facts("the_registers_and_the_texts_are_counted_apart") else { return };
    let from = |kind| {
        let rows = facts.rows.iter().filter(|r| r.register == kind).cloned().collect();
        Facts { rows, ..Facts::default() }
    };
    for (relation, notices, tables) in [
        ("completes", 18, 23),
        ("corrects", 10, 138),
        ("repeals", 6, 397),
        ("implicitly_repeals", 1, 62),
        ("extends_validity_of", 0, 144),
    ] {
        assert_eq!(count(from(RegisterKind::Notice), relation, |_| true), notices, "{relation} by notices");
        assert_eq!(count(from(RegisterKind::Table), relation, |_| true), tables, "{relation} by tables");
    }
    let texts = Facts { acts: facts.acts.clone(), ..Facts::default() };
    let text = |e: &[Evidence]| e.iter().any(|e| matches!(e, Evidence::Text { .. }));
    for relation in ["repeals", "corrects", "completes"] {
        eprintln!("{relation} by texts: {}", count(texts.clone(), relation, text));
    }
}

#[test]
fn around_the_days_on_which_acts_begin_and_end_the_answers_are_those_that_a_reader_gives() {
    let Some(graph) = graph("status: days read by hand") else { return };
    let rows = include_str!("as_of.tsv").lines().filter(|l| !l.starts_with('#')).skip(1);
    let mut wrong = Vec::new();
    let mut asked = 0;
    for row in rows {
        let [act, on, in_force, applicable, read] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("no row of five: {row}")
        };
        let given = status(graph, act, on);
        let says = |answer: Answer| format!("{answer:?}").to_lowercase();
        asked += 1;
        if says(given.in_force) != in_force || applicable != "." && says(given.applicable) != applicable {
            let because: Vec<&str> = given.because.iter().map(|r| r.says.as_str()).take(4).collect();
            wrong.push(format!(
                "{act} on {on}: {in_force}/{applicable} ({read}), not {:?}/{:?}: {because:?}",
                given.in_force, given.applicable
            ));
        }
    }
    eprintln!("{asked} answers around beginnings and ends, {} wrong", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
