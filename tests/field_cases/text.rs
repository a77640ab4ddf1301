//! Arms of the `text` cases: each a call into a room and a mapping of names.

use legal_link::law::{
    Act, Digest, Language, RangeFault, Registry, UnitKind, addressed, bound_lists, join_words, part_lists, strip_marks,
};
use legal_link::parse::{self, Complete, Coverage, Found, Given, PointLabel, Tally};
use serde_json::{Value, json};

/// The answer of the code to one case; `None` where the kind has no arm yet.
pub fn answer(kind: &str, input: &Value) -> Option<Value> {
    let text = input["text"].as_str().unwrap_or_default();
    Some(match kind {
        "bind_list" => bind_list(text),
        "range_cap" => range_cap(text),
        "count_articles" => json!({"articles": act(input)?.articles().map(|u| &u.label).collect::<Vec<_>>()}),
        "recitals" => json!({"recitals": act(input)?.recitals().map(|u| &u.text).collect::<Vec<_>>()}),
        "annex_after_signature" => annex_after_signature(input)?,
        "is_heading" => json!({"heading": parse::is_article_heading(input["line"].as_str()?)}),
        "heading_class" => json!({"same_as": parse::older_class(input["class_name"].as_str()?)}),
        "title_clean" => title_clean(input["title"].as_str()?),
        "coverage" => coverage(input)?,
        "label" => label(input)?,
        "main_part" => main_part(input)?,
        "strip_marks" => {
            let (text, marks) = strip_marks(text);
            json!({"text": text, "marks": marks})
        }
        "join_spans" => json!({"text": join_words(input["spans"].as_array()?.iter().filter_map(Value::as_str))}),
        "footnote" => footnote(text),
        "internal_external" => internal_external(text),
        "parse_result" => parse_result(input)?,
        _ => return None,
    })
}

fn bind_list(text: &str) -> Value {
    let (lists, acts) = bound_lists(text);
    let first = lists.first();
    let act = first.and_then(|list| acts[list.citation?].celex.as_ref());
    json!({"celex": act, "articles": first.map_or(&[][..], |list| &list.parts)})
}

fn range_cap(text: &str) -> Value {
    let list = part_lists(text).into_iter().next();
    let reason = list.as_ref().and_then(|list| list.fault).map(|fault| match fault {
        RangeFault::TooLarge => "range_too_large",
        RangeFault::Reversed => "range_reversed",
    });
    json!({"expanded": list.filter(|l| l.fault.is_none()).map(|l| l.parts), "reason": reason})
}

/// The lines as a plain document.
fn act(input: &Value) -> Option<Act> {
    let text = lines(input)?;
    let (celex, registry) = ("32009R9001".parse().ok()?, Registry::default());
    let document = Digest::of(text.as_bytes());
    let given =
        Given { celex: &celex, language: Language::ENGLISH, document, bytes: text.as_bytes(), registry: &registry };
    Some(parse::act(&given).ok()?.value)
}

fn lines(input: &Value) -> Option<String> {
    let lines: Vec<&str> = input["lines"].as_array()?.iter().filter_map(Value::as_str).collect();
    Some(lines.join("\n"))
}

fn annex_after_signature(input: &Value) -> Option<Value> {
    let (act, text) = (act(input)?, lines(input)?);
    let last = act.units.iter().rfind(|u| u.kind == UnitKind::Final);
    let end = last.and_then(|u| u.last_line(text.as_bytes()));
    let annexes = act.units.iter().filter(|u| u.kind == UnitKind::Annex).count();
    Some(json!({"main_end": end, "annexes": annexes}))
}

fn title_clean(title: &str) -> Value {
    let (title, eea_relevance) = parse::clean_title(title);
    json!({"title": title, "eea_relevance": eea_relevance})
}

fn coverage(input: &Value) -> Option<Value> {
    let count = |name: &str| usize::try_from(input[name].as_u64()?).ok();
    let complete = Coverage { source: count("source_words")?, kept: count("kept_words")? }.complete();
    let state = match complete {
        Complete::Yes => "ok",
        Complete::TextLost => "text_lost",
        Complete::TextDoubled => "text_doubled",
    };
    Some(json!({"success": complete == Complete::Yes, "state": state}))
}

fn footnote(text: &str) -> Value {
    let (text, notes) = parse::without_signs(text);
    json!({"text": text, "notes": notes})
}

fn internal_external(text: &str) -> Value {
    let found = addressed(text);
    json!({"internal": found.own, "external": found.others})
}

fn parse_result(input: &Value) -> Option<Value> {
    let count = |name: &str| usize::try_from(input[name].as_u64().unwrap_or_default()).ok();
    let (articles, recitals) = (count("articles")?, count("recitals")?);
    let found = Tally { articles, empty_articles: count("empty_articles")?, recitals }.found();
    let state = match found {
        Found::Units => "ok",
        Found::Nothing => "zero_units",
        Found::Headings => "empty_units",
    };
    Some(json!({"success": found == Found::Units, "state": state}))
}

fn label(input: &Value) -> Option<Value> {
    let deeper = match input["depth_hint"].as_str() {
        Some("deeper") => Some(true),
        Some("same") => Some(false),
        _ => None,
    };
    Some(match parse::point_label(input["label"].as_str()?, input["previous"].as_str(), deeper) {
        PointLabel::Letter(value) => json!({"level": "letter", "value": value}),
        PointLabel::Roman(value) => json!({"level": "roman", "value": value}),
        PointLabel::Other(_) => return None,
    })
}

fn main_part(input: &Value) -> Option<Value> {
    let parts = input["parts"].as_array()?.iter();
    let named = parts.filter_map(|p| Some((p["root"].as_str()?.parse::<parse::Root>().ok()?, p["name"].as_str()?)));
    let found = parse::main_part(named);
    Some(json!({"main": found.main, "annexes": found.annexes}))
}
