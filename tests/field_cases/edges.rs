//! Arms that ask the dated graph: edges kept and folded, what makes no question, moved dates, texts that changed.

use legal_link::graph::{Asked, Doubt, Facts, Folded, Given, GivenAct, Moved, RelationGraph, TextState, TimeOrder};
use legal_link::law::{
    ActRecord, Answer, Celex, ConsolidatedState, DatedRelation, Day, Digest, Extent, Locus, RegisterKind, RegisterRow,
    Registry, RelationType, Span, Touch,
};
use serde_json::{Value, json};
use std::sync::LazyLock;

pub static REGISTRY: LazyLock<Registry> = LazyLock::new(|| {
    let text = include_str!("../../rubrics/relations.toml");
    Registry::parse([("relations.toml", text)]).expect("the shipped registry parses")
});

/// The answer of the graph to one case; `None` where the kind is not its own.
pub fn answer(kind: &str, input: &Value) -> Option<Value> {
    match kind {
        "repeal_mode" => Some(repeal_mode(input)),
        "inverse" => Some(inverse(input)),
        "merge_edges" => Some(merge_edges(input)),
        "self_loop" => Some(self_loop(input)),
        "accept_edge" => Some(accept_edge(input)),
        "order_check" => Some(order_check(input)),
        "mutual_check" => Some(mutual_check(input)),
        "collapse_to_base" => Some(collapse_to_base(input)),
        "same_celex" => Some(same_celex(input)),
        "moved_date" => Some(moved_date(input)),
        "text_for_question" => Some(text_for_question(input)),
        _ => None,
    }
}

fn celex(value: &Value) -> Celex {
    value.as_str().and_then(|t| t.parse().ok()).unwrap_or_else(|| panic!("{value} is no CELEX"))
}

fn day(value: &Value) -> Option<Day> {
    value.as_str()?.parse().ok()
}

fn locus() -> Locus {
    Locus { document: Digest::of(b"case"), span: Span::new(0, 0) }
}

/// A register row as a table would give it, inverse names folded by the registry.
fn row(from: &Celex, name: &str, to: &Celex) -> RegisterRow {
    let (relation, inverted) = REGISTRY.by_any_name(name).unwrap_or_else(|| panic!("no relation {name}"));
    let (source, target) = if inverted { (to, from) } else { (from, to) };
    RegisterRow::bare(source.clone(), relation, target.clone(), RegisterKind::Table, locus())
}

fn edge_row(edge: &Value) -> RegisterRow {
    row(&celex(&edge["from"]), edge["type"].as_str().unwrap_or_default(), &celex(&edge["to"]))
}

fn record(celex: Celex, made: Option<Day>) -> ActRecord {
    ActRecord {
        celex,
        title: None,
        date_document: made,
        published: None,
        in_force: None,
        effects: Vec::new(),
        ends: Vec::new(),
        open_end: false,
        locus: locus(),
        taken: None,
    }
}

fn graph(rows: Vec<RegisterRow>, records: Vec<ActRecord>) -> RelationGraph {
    RelationGraph::build(Facts { rows, records, ..Facts::default() }, &REGISTRY)
}

fn rows(input: &Value) -> Vec<RegisterRow> {
    input["rows"].as_array().into_iter().flatten().map(edge_row).collect()
}

fn collapse_to_base(input: &Value) -> Value {
    let Folded { edges, versions, corrigenda } = graph(rows(input), Vec::new()).folded();
    let edge = |(from, relation, to): (Celex, RelationType, Celex)| json!({"from": from, "type": relation, "to": to});
    json!({"edges": edges.into_iter().map(edge).collect::<Vec<_>>(), "versions": versions, "corrigenda": corrigenda})
}

fn repeal_mode(input: &Value) -> Value {
    let name = |mode: &Value| if mode == "explicit" { "repeals" } else { "implicitly_repeals" };
    let read = input["rows"].as_array().into_iter().flatten();
    let rows = read.map(|r| row(&celex(&r["act"]), name(&r["mode"]), &celex(&r["target"]))).collect();
    let graph = graph(rows, Vec::new());
    let targets = |name: &str| -> Vec<String> {
        let kept = graph.edges().filter(|e| e.relation.as_str() == name && !graph.superseded(e));
        kept.map(|e| e.target.to_string()).collect()
    };
    json!({ "explicit": targets("repeals"), "implicit": targets("implicitly_repeals") })
}

fn inverse(input: &Value) -> Value {
    let graph = graph(vec![edge_row(&input["edge"])], Vec::new());
    let of = celex(&input["of"]);
    let asked = REGISTRY.by_any_name(input["ask"].as_str().unwrap_or_default());
    let (relation, inverted) = asked.expect("a relation that the registry knows");
    let answer: Vec<String> = if inverted {
        graph.onto(&of).filter(|e| e.relation == relation).map(|e| e.source.to_string()).collect()
    } else {
        graph.by(&of).filter(|e| e.relation == relation).map(|e| e.target.to_string()).collect()
    };
    json!({ "answer": answer })
}

fn merge_edges(input: &Value) -> Value {
    let graph = graph(rows(input), Vec::new());
    let edges = graph.edges().map(|e| json!({ "from": e.source, "type": e.relation, "to": e.target }));
    json!({ "edges": edges.collect::<Vec<_>>() })
}

fn self_loop(input: &Value) -> Value {
    let graph = graph(vec![edge_row(&input["edge"])], Vec::new());
    let doubt = graph.edges().next().and_then(|e| graph.doubt(e));
    json!({
        "keep": graph.edges().count() == 1,
        "flagged": doubt == Some(Doubt::ActsOnItself),
        "use_for_questions": doubt.is_none(),
    })
}

fn accept_edge(input: &Value) -> Value {
    let edge = &input["edge"];
    let refused = |reason: &str| json!({ "accept": false, "reason": reason, "stub": null });
    let end = |value: &Value| value.as_str().and_then(|t| t.parse::<Celex>().ok());
    let Some(from) = end(&edge["from"]) else { return refused("empty_source") };
    let Some(to) = end(&edge["to"]) else { return refused("empty_target") };
    let known: Vec<Celex> = input["known_nodes"].as_array().into_iter().flatten().map(celex).collect();
    let records = known.into_iter().map(|c| record(c, None)).collect();
    let row = row(&from, edge["type"].as_str().unwrap_or_default(), &to);
    let graph = graph(vec![row], records);
    let stub = [&from, &to].into_iter().find(|c| graph.is_stub(c));
    json!({ "accept": graph.edges().count() == 1, "reason": null, "stub": stub })
}

fn order_check(input: &Value) -> Value {
    let dates = input["dates"].as_object().into_iter().flatten();
    let records = dates.map(|(c, d)| record(celex(&json!(c)), day(d))).collect();
    let graph = graph(vec![edge_row(&input["edge"])], records);
    let verdict = match graph.edges().next().map(|e| graph.time_order(e)) {
        Some(TimeOrder::Kept) => "ok",
        Some(TimeOrder::Broken) => "violates_time_order",
        Some(TimeOrder::NotJudged) | None => "not_judged",
    };
    json!({ "verdict": verdict })
}

fn mutual_check(input: &Value) -> Value {
    let graph = graph(rows(input), Vec::new());
    let doubts: Vec<Doubt> = graph.edges().filter_map(|e| graph.doubt(e)).collect();
    let mutual = doubts.contains(&Doubt::EndEachOther);
    json!({ "verdict": if mutual { "mutual_repeal" } else { "ok" }, "use_for_questions": doubts.is_empty() })
}

fn same_celex(input: &Value) -> Value {
    let read = input["rows"].as_array().into_iter().flatten();
    let works = read
        .map(|r| (r["work"].as_str().unwrap_or_default().to_string(), r["celex"].as_str().map(|_| celex(&r["celex"]))));
    let graph = RelationGraph::build(Facts { works: works.collect(), ..Facts::default() }, &REGISTRY);
    let works = graph.celexes().map(|c| (c.to_string(), json!(graph.works(c).collect::<Vec<_>>())));
    json!({
        "nodes": graph.celexes().count(),
        "works": works.collect::<serde_json::Map<_, _>>(),
        "without_celex": graph.nameless().collect::<Vec<_>>(),
    })
}

/// An edge given by hand, with one touch.
fn given_edge(source: Celex, name: &str, target: Celex, extent: Extent, start: Option<Day>) -> DatedRelation {
    let touch = Touch {
        extent,
        parts: Vec::new(),
        saved: Vec::new(),
        start,
        basis: None,
        conditional: None,
        unconfirmed: None,
        until: None,
        words: None,
        languages: Vec::new(),
        evidence: 0,
    };
    DatedRelation {
        source,
        relation: REGISTRY.relation(name).expect("a relation that the registry knows"),
        target,
        touches: vec![touch],
        evidence: Vec::new(),
        contradictions: Vec::new(),
    }
}

fn moved_date(input: &Value) -> Value {
    let acting = celex(&input["acting"]["celex"]);
    let printed = day(&input["acting"]["printed_from"]);
    let states = input["consolidated_states"].as_array().cloned().unwrap_or_default();
    let target = states.first().map_or_else(|| celex(&json!("31990R9999")), |s| celex(&s["celex"]).base());
    let mut given = Given {
        acts: vec![
            GivenAct::named(acting.clone()),
            GivenAct { in_force_from: Day::from_ymd(1960, 1, 1), ..GivenAct::named(target.clone()) },
        ],
        edges: vec![given_edge(acting.clone(), "repeals", target.clone(), Extent::Whole, printed)],
        ..Given::default()
    };
    for change in input["changed_by"].as_array().into_iter().flatten() {
        let (by, made) = (celex(&change["celex"]), day(&change["date"]));
        given.acts.push(GivenAct { made, ..GivenAct::named(by.clone()) });
        given.edges.push(given_edge(by.clone(), "amends", acting.clone(), Extent::Unknown, made));
        if let Some(new) = day(&change["new_from"]) {
            given.moved.push(Moved { of: acting.clone(), by, parts: Vec::new(), old: None, new });
        }
    }
    given.states = states
        .iter()
        .filter_map(|s| {
            let (of, locus) = (target.clone(), locus());
            let from = day(&s["state_date"])?;
            Some(ConsolidatedState {
                celex: celex(&s["celex"]),
                of,
                from,
                until: day(&s["state_end"]),
                locus,
                taken: None,
            })
        })
        .collect();
    let graph = RelationGraph::given(given, &REGISTRY);
    let answer = graph.status(&target.into(), Asked::on(day(&input["ask"]).expect("a day")));
    let unconfirmed =
        answer.in_force == Answer::Unknown && answer.because.iter().any(|r| r.says.contains("unconfirmed"));
    json!({ "answer": answer.in_force, "note": unconfirmed.then_some("unconfirmed") })
}

fn text_for_question(input: &Value) -> Value {
    let act = celex(&input["act"]);
    let text = celex(&input["text_from"]);
    let by = |i: usize| celex(&json!(format!("32000R{:04}", 9900 + i)));
    let amended = input["amended_on"].as_array().into_iter().flatten().enumerate();
    let edges = amended.map(|(i, on)| given_edge(by(i), "amends", act.clone(), Extent::Unknown, day(on))).collect();
    let given = Given { acts: vec![GivenAct::named(act.clone())], edges, ..Given::default() };
    let graph = RelationGraph::given(given, &REGISTRY);
    let on = day(&input["as_of"]).expect("a day");
    let state = graph.text_since(&act.into(), text.parts().version, on);
    let allowed = state == TextState::AsPublished;
    json!({ "allowed": allowed, "reason": (!allowed).then_some("original_text_of_amended_act") })
}
