//! Arms of the `dates` cases: each a call into a room and a mapping of names.

use crate::edges::REGISTRY;
use legal_link::law::{
    Answer, Celex, DateSource, Day, DocumentDate, EffectDate, EndKind, Period, RecordedEnd, days_by_work,
    entry_into_force, of_year, sort_ends, xsd_boolean, xsd_day, year_fits,
};
use legal_link::source::revisit;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The answer of the code to one case; `None` where the kind has no arm yet.
pub fn answer(kind: &str, input: &Value) -> Option<Value> {
    Some(match kind {
        "validity" => validity(input),
        "bool_lexical" => {
            let values = list(&input["values"]).iter().map(|v| v.as_str().and_then(xsd_boolean));
            json!({"values": values.collect::<Vec<_>>()})
        }
        "to_date" => json!({"date": day(&input["raw"])}),
        "as_of" => as_of(input),
        "entry_dates" => entry_dates(input),
        "doc_date" => doc_date(input),
        "year_check" => year_check(input),
        "filter_by_year" => filter_by_year(input),
        "refresh_targets" => refresh_targets(input),
        "group_rows" => group_rows(input),
        _ => return crate::edges::answer(kind, input),
    })
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn day(value: &Value) -> Option<Day> {
    xsd_day(value.as_str()?).ok()
}

fn truth(answer: Answer) -> Option<bool> {
    match answer {
        Answer::Yes => Some(true),
        Answer::No => Some(false),
        Answer::Unknown => None,
    }
}

fn celex(input: &Value) -> Celex {
    input["celex"].as_str().and_then(|c| c.parse().ok()).expect("a CELEX number")
}

fn validity(input: &Value) -> Value {
    let in_force = input["in_force"].as_str().and_then(xsd_boolean);
    let (ends, open_end) = sort_ends(list(&input["end_of_validity"]).iter().filter_map(Value::as_str));
    let end = RecordedEnd::weigh(in_force, &ends, open_end, day(&input["fetched"]));
    json!({"in_force": in_force, "last_valid_day": end.last_day, "end": end.kind, "conflict": end.conflict})
}

fn as_of(input: &Value) -> Value {
    let known = input["end"] == json!(EndKind::Known);
    let period = Period { first: day(&input["entry"]), last: day(&input["last_valid_day"]).filter(|_| known) };
    let valid = list(&input["dates"]).iter().map(|d| day(d).and_then(|d| truth(period.holds(d))));
    json!({"valid": valid.collect::<Vec<_>>()})
}

fn entry_dates(input: &Value) -> Value {
    let rows = list(&input["dates_of_effect"]).iter();
    let effects: Vec<(EffectDate, Day)> = rows
        .filter_map(|row| Some((EffectDate::of_code(row["type"].as_str().unwrap_or_default()), day(&row["date"])?)))
        .collect();
    let all: BTreeSet<Day> = effects.iter().map(|(_, day)| *day).collect();
    json!({"entry_into_force": entry_into_force(&effects), "all": all})
}

fn doc_date(input: &Value) -> Value {
    let celex = celex(input);
    let read = DocumentDate::choose(&celex, input["body_date"].as_str(), input["notice_date"].as_str());
    let from = read.date.map(|(_, from)| match from {
        DateSource::Notice => "notice",
        DateSource::Body => "body",
    });
    json!({"date": read.date.map(|(day, _)| day), "from": from, "rejected": read.rejected})
}

fn year_check(input: &Value) -> Value {
    let celex = celex(input);
    let date = day(&input["document_date"]);
    json!({
        "consistent": date.and_then(|date| truth(year_fits(&celex, date))),
        "celex_year": celex.year(),
        "document_year": date.map(Day::year),
    })
}

fn filter_by_year(input: &Value) -> Value {
    let records = list(&input["records"]).iter().map(|r| (&r["id"], day(&r["date"])));
    let year = input["year"].as_i64().and_then(|y| i32::try_from(y).ok()).expect("a year");
    let picked = of_year(records, year);
    json!({"hits": picked.hits, "undated": picked.undated})
}

fn refresh_targets(input: &Value) -> Value {
    let celex = |value: &Value| value.as_str().and_then(|text| text.parse::<Celex>().ok()).expect("a CELEX number");
    let named = |name: &str| REGISTRY.relation(name).expect("a relation of the registry");
    let (repeals, amends) = (named("repeals"), named("amends"));
    let targets = |field: &str| list(&input[field]).iter().map(celex).collect::<Vec<_>>();
    let (ended, changed) = (targets("repeals"), targets("amends"));
    let rows = ended.iter().map(|t| (&repeals, t)).chain(changed.iter().map(|t| (&amends, t)));
    json!({"revisit": revisit(&celex(&input["changed_act"]), rows, &REGISTRY)})
}

fn group_rows(input: &Value) -> Value {
    let rows = list(&input["rows"]).iter();
    let works = days_by_work(rows.filter_map(|row| Some((row["work"].as_str()?, day(&row["date"])))));
    json!({"works": works.len(), "dates": works})
}
