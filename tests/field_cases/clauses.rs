//! Arms that read provisions: clauses with their dates, scopes, titles, bridges.

use crate::edges::REGISTRY;
use legal_link::graph::bridges;
use legal_link::law::{
    Act, ActingDates, Celex, Clause, Digest, Effect, Extent, Flavour, Language, Part, Place, Quote, Span, Unit,
    UnitKind, When,
};
use legal_link::parse::clauses;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The answer of the reading to one case; `None` where the kind is not its own.
pub fn answer(kind: &str, input: &Value) -> Option<Value> {
    match kind {
        "clause" => Some(clause(input)),
        "scope" => Some(scope(input)),
        "title_relations" => Some(title_relations(input)),
        "bridge" => Some(bridge(input)),
        _ => None,
    }
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

fn celex(value: &Value, name: &str) -> Celex {
    text(value, name).parse().unwrap_or_else(|_| panic!("{value}: no CELEX in `{name}`"))
}

/// An act with a title and at most one unit.
fn act(celex: Celex, title: &str, unit: Option<(UnitKind, &str, &str)>) -> Act {
    let document = Digest::of(b"case");
    let unit = unit.map(|(kind, label, words)| Unit {
        kind,
        label: label.to_string(),
        heading: None,
        part: Part::article(label).ok().filter(|_| kind == UnitKind::Article),
        text: words.to_string(),
        span: Span::new(0, words.len()),
        parent: None,
        quoted: false,
        marks: Vec::new(),
    });
    Act {
        celex,
        language: Language::ENGLISH,
        document,
        flavour: Flavour::Plain,
        title: Quote { document, span: Span::new(0, title.len()), text: title.to_string() },
        date_document: None,
        published: None,
        units: unit.into_iter().collect(),
        clauses: Vec::new(),
        terms: Vec::new(),
        origins: Vec::new(),
        annexed: Vec::new(),
    }
}

fn read(act: &Act) -> Vec<Clause> {
    clauses::read(act, &REGISTRY).value.0
}

fn effect(clause: &Clause) -> Effect {
    REGISTRY.effect(&clause.relation)
}

fn clause(input: &Value) -> Value {
    let acting = &input["acting"];
    let words = text(input, "text");
    let kind = match text(input, "place") {
        "title" => None,
        "recital" => Some(UnitKind::Recital),
        "footnote" => Some(UnitKind::Footnote),
        _ => Some(UnitKind::Article),
    };
    let title = if kind.is_none() { words } else { "" };
    let act = act(celex(acting, "celex"), title, kind.map(|k| (k, "1", words)));
    let asked = |c: &&Clause| REGISTRY.spec(&c.relation).is_some_and(|s| !s.context);
    let read = read(&act);
    let Some(clause) = read.iter().find(asked) else {
        return json!({
            "relation": null, "target": null, "extent": null, "parts": [], "saved": [], "until": null,
            "from": null, "from_basis": null, "conditional": false,
        });
    };
    let day = |name: &str| acting[name].as_str().and_then(|d| d.parse().ok());
    let dates = ActingDates {
        published: day("published"),
        entry_into_force: day("entry_into_force"),
        applies_from: day("applies_from"),
    };
    // A corrigendum has a clause for each passage.
    let passages: Vec<&Clause> =
        read.iter().filter(|c| c.relation == clause.relation && c.target == clause.target).collect();
    let corrects = REGISTRY.spec(&clause.relation).is_some_and(|s| s.from_beginning);
    let clause = &if corrects { joined(clause, &passages) } else { clause.clone() };
    let starts = REGISTRY.spec(&clause.relation).is_some_and(legal_link::law::RelationSpec::has_start);
    let (from, basis) = if starts { clause.start.resolve(&dates) } else { (None, None) };
    json!({
        "relation": clause.relation,
        "target": clause.target,
        "extent": Some(clause.extent).filter(|_| effect(clause) != Effect::Supplements),
        "parts": clause.parts,
        "saved": clause.saved.iter().map(|s| json!({"part": s.part, "until": s.until})).collect::<Vec<_>>(),
        "until": clause.until,
        "from": from,
        "from_basis": basis,
        "conditional": matches!(clause.start, When::Event { .. }),
    })
}

/// The passages of one corrigendum as one clause, its parts in order of mention.
fn joined(first: &Clause, passages: &[&Clause]) -> Clause {
    let mut clause = first.clone();
    for part in passages.iter().flat_map(|p| &p.parts) {
        if !clause.parts.contains(part) {
            clause.parts.push(part.clone());
        }
    }
    if !clause.parts.is_empty() {
        clause.extent = Extent::Partial;
    }
    clause
}

fn scope(input: &Value) -> Value {
    let acting = "32020R9999".parse().expect("a number");
    let read = clauses::provision(text(input, "text"), &Place::Operative(None), &acting, &REGISTRY);
    let Some(clause) = read.first() else { return Value::Null };
    let saved: Vec<&Part> = clause.saved.iter().filter_map(|s| s.part.as_ref()).collect();
    json!({
        "type": clause.relation,
        "celex": clause.target,
        "extent": if clause.extent == Extent::Whole { "whole" } else { "partial" },
        "articles": clause.parts,
        "except_articles": saved,
    })
}

fn title_relations(input: &Value) -> Value {
    let acting = "32020R9999".parse().expect("a number");
    let read = clauses::provision(text(input, "title"), &Place::Title, &acting, &REGISTRY);
    // A correction rewrites too, but from the beginning: it is no amendment.
    let corrects = |c: &Clause| REGISTRY.spec(&c.relation).is_some_and(|s| s.from_beginning);
    let of = |effect: Effect| -> BTreeSet<&Celex> {
        read.iter().filter(|c| self::effect(c) == effect && !corrects(c)).map(|c| &c.target).collect()
    };
    json!({"amends": of(Effect::Rewrites), "repeals": of(Effect::Ends)})
}

fn bridge(input: &Value) -> Value {
    let acting = act(celex(input, "acting"), "", Some((UnitKind::Article, "1", text(input, "acting_clause"))));
    let target = &input["target"];
    let article = target["article_text"].as_str().and_then(|t| t.strip_prefix("Article ")?.split_once(". "));
    let target_act =
        act(celex(target, "celex"), text(target, "title"), article.map(|(n, t)| (UnitKind::Article, n, t)));
    let (ends, changes) = (read(&acting), read(&target_act));
    let spans = bridges(&ends, &target_act.celex, &changes, &REGISTRY);
    let first = spans.first();
    json!({
        "whole": first.is_some_and(|s| s.whole),
        "part": first.and_then(|s| s.parts.first()),
        "via": first.map(|s| &s.clause.target),
    })
}
