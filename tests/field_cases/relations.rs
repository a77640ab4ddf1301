//! Arms of the `relations` cases: each a call into a room and a mapping of names.

use crate::edges::REGISTRY;
use legal_link::graph::{Capped, Facts, RelationGraph, reached};
use legal_link::law::{
    ActRecord, Answer, Celex, CelexClass, Day, Digest, Locus, RegisterKind, RegisterRow, Span, belonging, distinct,
};
use legal_link::source::{Answered, Refresh};
use serde_json::{Value, json};

/// The answer of the code to one case; `None` where the kind has no arm yet.
pub fn answer(kind: &str, input: &Value) -> Option<Value> {
    Some(match kind {
        "own_versions" => json!({"versions": own(input, CelexClass::Consolidated)?}),
        "nim_of" => json!({"nim": own(input, CelexClass::NationalMeasure)?}),
        "row1_only" => {
            let authors = input["rows"].as_array()?.iter().filter_map(|r| r["author"].as_str());
            json!({"authors": distinct(authors)})
        }
        "cap" => cap(input),
        "cap_order" => cap_order(input),
        "latest_amender" => latest_amender(input),
        "reach" => reach(input),
        "refresh" => refresh(input),
        "error_or_none" => error_or_none(input),
        _ => return crate::edges::answer(kind, input).or_else(|| crate::clauses::answer(kind, input)),
    })
}

/// The rows that belong to the act.
fn own(input: &Value, class: CelexClass) -> Option<Vec<Celex>> {
    let act: Celex = input["act"].as_str()?.parse().ok()?;
    let rows: Vec<Celex> = input["rows"].as_array()?.iter().filter_map(|r| r.as_str()?.parse().ok()).collect();
    Some(belonging(&act, class, &rows).cloned().collect())
}

fn count(value: &Value) -> usize {
    value.as_u64().and_then(|n| usize::try_from(n).ok()).unwrap_or_default()
}

fn day(value: &Value) -> Option<Day> {
    value.as_str()?.parse().ok()
}

fn cap(input: &Value) -> Value {
    let limit = count(&input["limit"]);
    let side = |name: &str| Capped::newest((0..count(&input[name])).collect(), limit, |n| (None, *n));
    let (incoming, outgoing) = (side("incoming"), side("outgoing"));
    json!({
        "incoming_returned": incoming.shown.len(),
        "outgoing_returned": outgoing.shown.len(),
        "truncated": {"incoming": incoming.truncated, "outgoing": outgoing.truncated},
    })
}

fn cap_order(input: &Value) -> Value {
    let rows: Vec<(&str, Option<Day>)> = input["rows"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|r| (r["id"].as_str().unwrap_or_default(), day(&r["date"])))
        .collect();
    let newest = Capped::newest(rows, count(&input["limit"]), |(id, day)| (*day, *id));
    let ids: Vec<&str> = newest.shown.iter().map(|(id, _)| *id).collect();
    json!({"ids": ids, "truncated": newest.truncated})
}

fn latest_amender(input: &Value) -> Value {
    let celex = |v: &Value| -> Celex { v.as_str().and_then(|t| t.parse().ok()).expect("a CELEX number") };
    let locus = || Locus { document: Digest::of(b"case"), span: Span::new(0, 0) };
    let of = celex(&input["of"]);
    let incoming = input["incoming"].as_array().into_iter().flatten();
    let (mut rows, mut records) = (Vec::new(), Vec::new());
    for one in incoming {
        let name = one["type"].as_str().unwrap_or_default();
        let (relation, inverted) = REGISTRY.by_any_name(name).unwrap_or_else(|| panic!("no relation {name}"));
        let other = celex(&one["celex"]);
        let (source, target) = if inverted { (of.clone(), other.clone()) } else { (other.clone(), of.clone()) };
        rows.push(RegisterRow::bare(source, relation, target, RegisterKind::Table, locus()));
        records.push(ActRecord {
            celex: other,
            title: None,
            date_document: day(&one["date"]),
            published: None,
            in_force: None,
            effects: Vec::new(),
            ends: Vec::new(),
            open_end: false,
            locus: locus(),
            taken: None,
        });
    }
    let graph = RelationGraph::build(Facts { rows, records, ..Facts::default() }, &REGISTRY);
    json!(graph.changes(&of))
}

fn reach(input: &Value) -> Value {
    let edges: Vec<(&str, &str)> = input["edges"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|e| Some((e["from"].as_str()?, e["to"].as_str()?)))
        .collect();
    let next = |at: &&str| edges.iter().filter(|(from, _)| from == at).map(|(_, to)| *to).collect();
    let start = input["start"].as_str().unwrap_or_default();
    json!({"reached": reached(&start, count(&input["max_depth"]), next)})
}

fn answered(answer: &Value) -> Answered {
    Answered {
        status: answer["status"].as_u64().and_then(|s| u16::try_from(s).ok()).unwrap_or_default(),
        rows: answer["rows"].as_u64().and_then(|n| usize::try_from(n).ok()),
        complete: answer["complete"].as_bool().unwrap_or_default(),
    }
}

fn refresh(input: &Value) -> Value {
    let what = answered(&input["new_answer"]).refresh(count(&input["stored_edges"]));
    json!({
        "keep_stored": what != Refresh::Replace,
        "mark": (what == Refresh::KeepThin).then_some("thin_answer"),
    })
}

fn error_or_none(input: &Value) -> Value {
    let none = answered(&input["answer"]).any() == Answer::No;
    let edges: Option<[Value; 0]> = none.then_some([]);
    json!({"edges": edges, "state": if none { "none" } else { "unknown" }})
}
