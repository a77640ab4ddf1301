//! Arms of the `versions` cases: each a call into a room and a mapping of names.

use legal_link::build::Rubrics;
use legal_link::law::{
    Answer, Celex, Day, Language, Languages, UnitKind, concerns, is_superseded, newest_served, not_consolidated,
    state_around, text_with, title_in, version_on,
};
use serde_json::{Value, json};
use std::sync::LazyLock;

/// The answer of the code to one case; `None` where the kind has no arm yet.
pub fn answer(kind: &str, input: &Value) -> Option<Value> {
    Some(match kind {
        "lang_code" => {
            let codes = texts(&input["in"]).into_iter().map(Language::from_code);
            json!({"out": codes.collect::<Vec<_>>()})
        }
        "cite_multilingual" => cite_multilingual(input),
        "title_fallback" => title_fallback(input),
        "corrigendum_language" => corrigendum_language(input),
        "as_of_version" => as_of_version(input),
        "next_day_gap" => {
            let firsts = texts(&input["version_days"]).into_iter().filter_map(|d| d.parse::<Day>().ok());
            let held = day(&input["ask"]).and_then(|ask| state_around(firsts, ask));
            json!({"from": held.map(|h| h.0), "to": held.and_then(|h| h.1)})
        }
        "recitals_source" => {
            let kind = if input["asked"] == "recitals" { UnitKind::Recital } else { UnitKind::Article };
            json!({"take_from": text_with(&celex(&input["celex"])?, kind)})
        }
        "servable_version" => {
            let versions: Vec<Celex> = texts(&input["versions"]).into_iter().filter_map(|v| v.parse().ok()).collect();
            let (version, skipped) = newest_served(&versions, |v| input["status"][v.as_str()] == 200);
            json!({"version": version, "skipped": skipped})
        }
        "superseded" => {
            let newer = celex(&input["newer"]);
            let superseded = is_superseded(&celex(&input["version"])?, newer.as_ref());
            let state = if superseded { "superseded" } else { "latest" };
            json!({"version_state": state, "act_in_force": input["act_in_force"]})
        }
        "stale_consolidation" => {
            let changes = texts(&input["amendments_in_force"]).into_iter().filter_map(|d| d.parse().ok());
            let missing = not_consolidated(&celex(&input["latest_version"])?, changes);
            json!({"stale": !missing.is_empty(), "missing": missing})
        }
        _ => return crate::edges::answer(kind, input),
    })
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

fn celex(value: &Value) -> Option<Celex> {
    value.as_str()?.parse().ok()
}

fn day(value: &Value) -> Option<Day> {
    value.as_str()?.parse().ok()
}

static LANGUAGES: LazyLock<Languages> =
    LazyLock::new(|| Rubrics::shipped().languages().expect("the shipped language files"));

fn cite_multilingual(input: &Value) -> Value {
    let language = input["lang"].as_str().and_then(Language::from_code);
    let wording = language.and_then(|language| LANGUAGES.wording(language)).expect("an official language");
    let found = wording.cite(input["text"].as_str().unwrap_or_default());
    json!({"celex": found.iter().filter_map(|c| c.celex.as_ref()).collect::<Vec<_>>()})
}

fn title_fallback(input: &Value) -> Value {
    let language = |code: &str| Language::from_code(code).or_else(|| code.parse().ok());
    let titles = input["titles"].as_object().into_iter().flatten();
    let titles = titles.filter_map(|(code, title)| Some((language(code)?, title.as_str()?.to_string()))).collect();
    let wanted = input["wanted"].as_str().and_then(language).expect("a language");
    let order: Vec<Language> = texts(&input["order"]).into_iter().filter_map(language).collect();
    let shown = title_in(&titles, wanted, &order);
    json!({
        "title": shown.map(|s| s.title),
        "language": shown.map(|s| s.language),
        "exact": shown.is_some_and(|s| s.exact),
    })
}

fn corrigendum_language(input: &Value) -> Value {
    let languages: Vec<Language> = texts(&input["languages"]).into_iter().filter_map(Language::from_code).collect();
    let reading = input["reading"].as_str().and_then(Language::from_code).expect("a language");
    let applies = match concerns(&languages, reading) {
        Answer::Yes => Some(true),
        Answer::No => Some(false),
        Answer::Unknown => None,
    };
    json!({"applies": applies})
}

fn as_of_version(input: &Value) -> Value {
    let versions: Vec<Celex> = texts(&input["versions"]).into_iter().filter_map(|v| v.parse().ok()).collect();
    let act = input["base"].as_str().and_then(|act| act.parse().ok());
    let version = day(&input["date"]).and_then(|day| version_on(act.as_ref(), &versions, day));
    json!({"version": version, "reason": version.is_none().then_some("before_first_version")})
}
