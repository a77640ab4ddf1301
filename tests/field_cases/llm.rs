//! Arms of the `llm` cases: each a call into a room and a mapping of names.

use legal_link::author::{Share, without_labels};
use legal_link::http::HttpError;
use legal_link::model::{Fault, Matched, ModelError, ObjectError, answer_letter, object};
use serde_json::{Value, json};

/// The answer of the code to one case; `None` where the kind has no arm yet.
pub fn answer(kind: &str, input: &Value) -> Option<Value> {
    match kind {
        "parse_reply" => Some(reply(input["raw"].as_str().unwrap_or_default())),
        "answer_letter" => Some(json!({ "letter": answer_letter(text(&input["reply"]), text(&input["letters"])) })),
        "strip_label" => Some(json!({ "options": without_labels(&texts(&input["options"])) })),
        "batch_match" => Some(batch(input)),
        "too_many" => {
            let count = |field: &str| input[field].as_u64().and_then(|n| usize::try_from(n).ok()).expect("a count");
            let Share { keep, dropped, shortfall } = Share::of(count("asked"), count("returned"));
            Some(json!({ "keep": keep, "dropped": dropped, "shortfall": shortfall }))
        }
        "failed_call" => Some(failed(input)),
        _ => crate::gates::answer(kind, input),
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().into_iter().flatten().map(text).collect()
}

fn batch(input: &Value) -> Value {
    let returned = input["returned"].as_array().into_iter().flatten().map(|one| text(&one["id"]));
    let Matched { ok, missing, extra, repeated } = Matched::of(texts(&input["asked_ids"]), returned);
    json!({ "ok": ok, "missing": missing, "extra": extra, "repeated": repeated })
}

/// The error that is left when all attempts failed so. What ends the run leaves no row and is asked again by the next.
fn failed(input: &Value) -> Value {
    let attempts = input["attempts"].as_u64().and_then(|n| u32::try_from(n).ok()).unwrap_or(1);
    let (address, message) = ("http://127.0.0.1/v1".to_string(), String::new());
    let error = match text(&input["last"]) {
        "rate_limited" => ModelError::Status { address, status: 429, message, fault: Fault::Limited(None) },
        _ => ModelError::Http(HttpError::Failed { url: address, why: "timed out".to_string(), attempts }),
    };
    let pending = error.ends_the_run();
    json!({ "row_written": !pending, "state": "failed", "retry_on_resume": pending })
}

fn reply(raw: &str) -> Value {
    match object(raw) {
        Ok(value) => json!({ "status": "ok", "value": value }),
        Err(error) => {
            let status = match error {
                ObjectError::Truncated => "truncated",
                ObjectError::NoObject => "no_object",
                ObjectError::SeveralObjects => "several_objects",
                ObjectError::NotAnObject => "not_an_object",
            };
            json!({ "status": status, "value": null })
        }
    }
}
