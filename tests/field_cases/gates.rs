//! Arms of the cases about what an item says: each a call into `verify` and a mapping of names.

use legal_link::dataset::{Claim, Proof};
use legal_link::graph::{Given, GivenAct, RelationGraph};
use legal_link::law::{
    Celex, DatedRelation, Day, Digest, Evidence, Extent, Locus, Part, Quote, Registry, Saving, Span, Touch,
};
use legal_link::verify::{
    Rules, generic_reference, key_flaw, key_is_strictly_longest, names_a_day, names_an_option_letter, prove,
    stated_in_text, stem_leak, structure_flaws, unknown_citations,
};
use serde_json::{Value, json};
use std::str::FromStr;

/// The answer of the code to one case; `None` where the kind is not about this room.
pub fn answer(kind: &str, input: &Value) -> Option<Value> {
    Some(match kind {
        "claim" => claim(input),
        "generic_reference" => generic(input),
        "grounding" => grounding(input),
        "as_of_needed" => as_of(input),
        "stem_leak" => leak(input),
        "identifier_check" => identifiers(input),
        "longest_option" => {
            let longest = key_is_strictly_longest(&texts(input, "options"), key(input));
            json!({ "key_is_strictly_longest": longest })
        }
        "explanation_letter" => letter(input),
        "check_item" => check_item(input),
        "key_vs_text" => key_vs_text(input),
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

fn rules() -> Rules {
    Rules::parse("checks.toml", include_str!("../../rubrics/checks.toml")).expect("the shipped rules")
}

fn text<'a>(input: &'a Value, field: &str) -> &'a str {
    input[field].as_str().unwrap_or_default()
}

fn texts<'a>(input: &'a Value, field: &str) -> Vec<&'a str> {
    list(input, field).filter_map(Value::as_str).collect()
}

fn key(input: &Value) -> usize {
    input["answer_index"].as_u64().and_then(|i| usize::try_from(i).ok()).expect("a position")
}

fn generic(input: &Value) -> Value {
    let span = generic_reference(text(input, "text"), input["stem"].as_str(), &rules());
    json!({ "generic": span.is_some(), "span": span })
}

/// An edge that a text states, or that only a register records.
fn grounding(input: &Value) -> Value {
    let words: Vec<&str> = text(input, "fact").split_whitespace().collect();
    let quote = Quote { document: Digest::of(b""), span: Span::new(0, 0), text: String::new() };
    let locus = Locus { document: Digest::of(b""), span: Span::new(0, 0) };
    let edge = DatedRelation {
        source: words[0].parse().expect("a CELEX number"),
        relation: registry().relation(words[1]).expect("a relation"),
        target: words[2].parse().expect("a CELEX number"),
        touches: Vec::new(),
        evidence: vec![match input["stated_in_text"].as_bool() {
            Some(true) => Evidence::Text { quote },
            _ => Evidence::Register { locus },
        }],
        contradictions: Vec::new(),
    };
    json!({ "text_question": stated_in_text(&edge), "register_question": !edge.evidence.is_empty() })
}

fn as_of(input: &Value) -> Value {
    let ok = names_a_day(text(input, "stem"));
    json!({ "ok": ok, "reason": (!ok).then_some("no_as_of_date") })
}

fn leak(input: &Value) -> Value {
    let by = stem_leak(text(input, "stem"), &texts(input, "options"), key(input), &rules());
    json!({ "leak": by.is_some(), "by": by })
}

fn identifiers(input: &Value) -> Value {
    let known = texts(input, "known");
    let unknown = unknown_citations(text(input, "text"), |celex| known.contains(&celex.as_str()));
    json!({ "keep": unknown.is_empty(), "unknown_citations": unknown })
}

fn letter(input: &Value) -> Value {
    let moved = input["order_changed"].as_bool().unwrap_or(true);
    let ok = !(moved && names_an_option_letter(text(input, "explanation"), &rules()));
    json!({ "ok": ok, "reason": (!ok).then_some("letter_in_explanation") })
}

fn check_item(input: &Value) -> Value {
    let item = &input["item"];
    let reasons = structure_flaws(&texts(item, "options"), &item["answer_index"], &rules());
    json!({ "keep": reasons.is_empty(), "reasons": reasons })
}

fn key_vs_text(input: &Value) -> Value {
    let item = &input["item"];
    let flaw = key_flaw(&texts(item, "options"), &item["answer_index"], text(item, "answer_text"));
    json!({ "keep": flaw.is_none(), "reasons": flaw.iter().collect::<Vec<_>>() })
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
