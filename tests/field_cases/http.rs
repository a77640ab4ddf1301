//! Arms of the `http` cases: each a call into a room and a mapping of names.

use legal_link::build::{Rubrics, Sum};
use legal_link::cache::{About, Cache, Key, Shipped};
use legal_link::http::{RedirectRefused, Resumed, Sniffed, charset, http_date, redirect, retry_after};
use legal_link::law::{Answer, Language};
use legal_link::parse;
use legal_link::source::{Asked, Came, Page, Query, Question, Slice, Texts, What, classify, exists, sparql_literal};
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

/// The answer of the code to one case; `None` where the kind has no arm yet.
pub fn answer(kind: &str, input: &Value) -> Option<Value> {
    Some(match kind {
        "retry_after" => wait(input),
        "redirect" => redirected(input),
        "charset" => json!({"decoder": charset(text(&input["content_type"]))}),
        "sniff" => sniffed(input),
        "resume_download" => resumed(input),
        "cache_entry" => cached(input),
        "run_result" => summed(input),
        "classify_response" => classified(input),
        "parts_order" => json!({"order": parse::parts_in_order(texts(&input["hrefs"]))}),
        "mojibake" => json!({"suspect": parse::misread(text(&input["text"]))}),
        "lookup_state" => json!({"exists": word(exists(values(&input["answers"]).map(status_of)))}),
        "language_404" => languages(input),
        "next_page" => next_page(input),
        "paging_plan" => json!({"uses_offset": queries().iter().any(Query::skips_rows)}),
        "sparql_literal" => json!({"escaped": sparql_literal(text(&input["value"]))}),
        "celex_filter" => {
            let celex = text(&input["celex"]).parse().ok()?;
            let day = "2026-08-22".parse().expect("a day");
            let asked = [Query::known("p", &celex, &celex), Query::modified(day, [&celex])];
            json!({"plain_literal": asked.iter().any(Query::matches_untyped)})
        }
        _ => return None,
    })
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn values(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

fn texts(list: &Value) -> Vec<String> {
    values(list).map(|value| text(value).to_string()).collect()
}

/// A status, or none where the case says `timeout`.
fn status_of(value: &Value) -> Option<u16> {
    value.as_u64().and_then(|status| u16::try_from(status).ok())
}

fn word(answer: Answer) -> &'static str {
    match answer {
        Answer::Yes => "yes",
        Answer::No => "no",
        Answer::Unknown => "unknown",
    }
}

/// A body of which the case gives only the length is made of the letter x.
fn classified(input: &Value) -> Value {
    let headers: Vec<(String, String)> = input["headers"]
        .as_object()
        .map(|headers| headers.iter().map(|(name, value)| (name.to_lowercase(), text(value).to_string())).collect())
        .unwrap_or_default();
    let count = |value: &Value| value.as_u64().and_then(|number| usize::try_from(number).ok());
    let body = match count(&input["body_len"]) {
        Some(length) => vec![b'x'; length],
        None => text(&input["body"]).as_bytes().to_vec(),
    };
    let came = Came {
        status: status_of(&input["status"]).expect("a status"),
        headers: &headers,
        body: &body,
        articles: count(&input["articles_found"]),
    };
    let articles_expected = input["act_expected"].as_bool().unwrap_or_default();
    let class = classify(&Asked { accept: text(&input["accept"]), articles_expected }, &came);
    let name = match class.what {
        What::Whole => "ok".to_string(),
        What::Later => "pending".to_string(),
        What::NotInThisFormat => "not_found_format".to_string(),
        What::NotAcceptable => "not_acceptable".to_string(),
        What::QueryError | What::OutOfTime => "query_error".to_string(),
        other => format!("{other:?}").to_lowercase(),
    };
    json!({
        "class": name,
        "store": class.may_be_stored(),
        "retry": class.may_be_retried(),
        "follow": class.follow,
        "next_accept": class.next_accept,
    })
}

fn languages(input: &Value) -> Value {
    let language = |code: &str| code.parse::<Language>().expect("a language");
    let answers = input["answers"].as_object().expect("answers");
    let texts = Texts(answers.iter().map(|(code, status)| (language(code), status_of(status))).collect());
    let asked = match texts.has(language(text(&input["lang"]))) {
        Answer::Yes => Some("present"),
        Answer::No => Some("missing"),
        Answer::Unknown => None,
    };
    json!({
        "exists": word(texts.exists()),
        "languages": texts.languages().map(|l| l.to_string()).collect::<Vec<_>>(),
        "asked_language": asked,
    })
}

fn wait(input: &Value) -> Value {
    let now = u64::try_from(http_date(text(&input["now"])).expect("a date")).expect("after 1970");
    match retry_after(text(&input["value"]), SystemTime::UNIX_EPOCH + Duration::from_secs(now)) {
        Ok(wait) => json!({"wait_s": wait.as_secs(), "reason": null}),
        Err(_) => json!({"wait_s": null, "reason": "invalid"}),
    }
}

fn redirected(input: &Value) -> Value {
    let status = u16::try_from(input["status"].as_u64().expect("a status")).expect("a status");
    match redirect(text(&input["from"]), status, text(&input["location"]), &[]) {
        Ok(to) => json!({"follow": to, "reason": null}),
        Err(RedirectRefused::OtherHost(_)) => json!({"follow": null, "reason": "other_host"}),
        Err(_) => json!({"follow": null, "reason": "no_redirect"}),
    }
}

fn sniffed(input: &Value) -> Value {
    let hex = text(&input["first_bytes_hex"]);
    let bytes: Vec<u8> =
        (0..hex.len() / 2).map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).expect("hex")).collect();
    let found = Sniffed::of(&bytes);
    let class = match found {
        Sniffed::Tiff => "image_tiff".to_string(),
        other => format!("{other:?}").to_lowercase(),
    };
    json!({"class": class, "parse": found.is_markup()})
}

fn resumed(input: &Value) -> Value {
    let status = u16::try_from(input["status"].as_u64().expect("a status")).expect("a status");
    let have = input["have_bytes"].as_u64().expect("a count");
    let action = match Resumed::of(have, status, input["content_range"].as_str()) {
        Resumed::Append => "append",
        Resumed::Replace => "replace",
    };
    json!({"action": action})
}

/// The sum of a crawl that wanted, stored and failed so much.
fn summed(input: &Value) -> Value {
    let count = |name: &str| usize::try_from(input[name].as_u64().expect("a count")).expect("a count");
    let mut sum = Sum::of(count("wanted"));
    sum.stored(count("ok"));
    (0..count("failed")).for_each(|n| sum.failed(&n.to_string(), "a reason"));
    json!({"exit_zero": sum.exit_zero(), "unaccounted": sum.pending()})
}

fn next_page(input: &Value) -> Value {
    let number = |name: &str| input[name].as_u64().expect("a number");
    let partial = input["partial"] == true;
    let page = Page { size: number("page_size"), returned: number("returned"), partial };
    match page.more() {
        Answer::Yes => json!({"continue": true, "reason": null}),
        Answer::No => json!({"continue": false, "reason": null}),
        Answer::Unknown => json!({"continue": null, "reason": "partial_answer"}),
    }
}

/// Every query by which a list is had, whatever its length.
fn queries() -> Vec<Query> {
    let registry = Rubrics::shipped().registry().expect("the shipped registry");
    let relations = registry.relations().iter().map(|spec| spec.name.clone());
    let about = relations
        .flat_map(|name| [Question::Edges(name.clone()), Question::Annotations(name.clone()), Question::Dates(name)]);
    let slice = Slice::of("32016", "32017");
    let asked = |question: Question| {
        let rows = Query::rows(&question, Some("p"), &slice);
        [rows, Query::count(&question, Some("p"), &slice), Query::spread(&question, Some("p"), &slice, 7)]
    };
    about.chain([Question::States]).flat_map(asked).collect()
}

/// Puts a document of the recorded size, leaves on disk what the case says is there, and asks the cache.
fn cached(input: &Value) -> Value {
    let folder = tempfile::tempdir().expect("a folder");
    let key: Key = "other/case".parse().expect("a key");
    let recorded = usize::try_from(input["recorded_bytes"].as_u64().expect("a size")).expect("a size");
    let put = Cache::open(folder.path(), Shipped::default()).expect("a cache");
    if put.put(&key, &vec![b'a'; recorded], About::default()).is_err() {
        return json!({"cached": false});
    }
    drop(put);
    let blob = only_blob(folder.path().join("v1/blobs"));
    let whole = fs::read(&blob).expect("the blob");
    let part = |size: u64| left(&whole, usize::try_from(size).expect("a size"), recorded);
    fs::remove_file(&blob).expect("removed");
    if let Some(size) = input["final_bytes"].as_u64() {
        fs::write(&blob, part(size)).expect("written");
    }
    if let Some(size) = input["temporary_bytes"].as_u64() {
        fs::write(blob.with_file_name(".unfinished-case"), part(size)).expect("written");
    }
    let cache = Cache::open(folder.path(), Shipped::default()).expect("a cache");
    json!({"cached": matches!(cache.get(&key), Ok(Some(_)))})
}

/// What is left of a blob when `size` of the `recorded` bytes stand on disk: its beginning, or more than it.
fn left(whole: &[u8], size: usize, recorded: usize) -> Vec<u8> {
    match size.checked_sub(recorded) {
        Some(more) => [whole, &vec![b'a'; more]].concat(),
        None => whole[..whole.len() * size / recorded].to_vec(),
    }
}

fn only_blob(folder: PathBuf) -> PathBuf {
    let inside = fs::read_dir(folder).expect("a folder").next().expect("something").expect("read").path();
    if inside.is_dir() { only_blob(inside) } else { inside }
}
