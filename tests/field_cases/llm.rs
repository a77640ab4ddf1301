//! Arms of the `llm` cases: each a call into a room and a mapping of names.

use legal_link::model::{ObjectError, object};
use serde_json::{Value, json};

/// The answer of the code to one case; `None` where the kind has no arm yet.
pub fn answer(kind: &str, input: &Value) -> Option<Value> {
    match kind {
        "parse_reply" => Some(reply(input["raw"].as_str().unwrap_or_default())),
        _ => crate::gates::answer(kind, input),
    }
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
