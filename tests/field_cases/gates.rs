//! Arms of the cases about what an item says: each a call into `verify` and a mapping of names.

use legal_link::dataset::{Claim, Proof};
use legal_link::graph::{Given, GivenAct, RelationGraph};
use legal_link::law::{Celex, DatedRelation, Day, Extent, Part, Registry, Saving, Touch};
use legal_link::verify::prove;
use serde_json::{Value, json};
use std::str::FromStr;

/// The answer of the code to one case; `None` where the kind is not about this room.
pub fn answer(kind: &str, input: &Value) -> Option<Value> {
    Some(match kind {
        "claim" => claim(input),
        _ => return None,
    })
}

fn registry() -> Registry {
    let text = include_str!("../../rubrics/relations.toml");
    Registry::parse([("relations.toml", text)]).expect("the shipped registry")
}

fn read<T: FromStr>(value: &Value) -> Option<T> {
    value.as_str().and_then(|text| text.parse().ok())
}

fn list<'a>(value: &'a Value, field: &str) -> impl Iterator<Item = &'a Value> {
    value[field].as_array().into_iter().flatten()
}

fn claim(input: &Value) -> Value {
    let facts = &input["facts"];
    let given = Given {
        acts: list(facts, "acts").map(act).collect(),
        edges: list(facts, "edges").map(edge).collect(),
        known_on: read(&facts["known_on"]),
        ..Given::default()
    };
    let graph = RelationGraph::given(given, &registry());
    let mut claim = input["claim"]["args"].clone();
    claim["form"] = input["claim"]["form"].clone();
    let claim: Claim = serde_json::from_value(claim).expect("a claim of the closed forms");
    let day: Day = read(&input["day"]).expect("a day");
    let known_on = read(&facts["known_on"]).unwrap_or(day);
    let verdict = match prove(&claim, day, known_on, &graph).proof {
        Proof::Proved => "proved",
        Proof::Refuted => "refuted",
        Proof::Undecided => "undecided",
    };
    json!({ "verdict": verdict })
}

fn act(value: &Value) -> GivenAct {
    GivenAct {
        in_force_from: read(&value["in_force_from"]),
        applies_from: read(&value["applies_from"]),
        last_day: read(&value["last_day"]),
        void: value["void"].as_bool().unwrap_or(false),
        ..GivenAct::named(celex(&value["celex"]))
    }
}

fn celex(value: &Value) -> Celex {
    read(value).expect("a CELEX number")
}

fn edge(value: &Value) -> DatedRelation {
    let extent = match value["extent"].as_str() {
        Some("whole") => Extent::Whole,
        Some("partial") => Extent::Partial,
        _ => Extent::Unknown,
    };
    let saved = list(value, "saved");
    let saved = saved.map(|s| Saving { part: read(&s["part"]), until: read(&s["until"]), words: String::new() });
    let touch = Touch {
        extent,
        parts: list(value, "parts").filter_map(read::<Part>).collect(),
        saved: saved.collect(),
        start: read(&value["start"]),
        basis: None,
        conditional: value["conditional"].as_bool().unwrap_or(false).then(|| "an event".to_string()),
        unconfirmed: None,
        until: read(&value["until"]),
        words: None,
        languages: Vec::new(),
        evidence: 0,
    };
    let words: Vec<Touch> = list(value, "words")
        .map(|words| Touch { words: words.as_str().map(str::to_string), ..touch.clone() })
        .collect();
    DatedRelation {
        source: celex(&value["source"]),
        relation: registry().relation(value["relation"].as_str().unwrap_or_default()).expect("a relation"),
        target: celex(&value["target"]),
        touches: if words.is_empty() { vec![touch] } else { words },
        evidence: Vec::new(),
        contradictions: Vec::new(),
    }
}
