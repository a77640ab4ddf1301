//! OpenAI's batch interface, as it and the servers that copy it speak it. Pure: bytes out, bytes in.
//!
//! A file of requests is uploaded, a batch made of it, the batch asked after until it has ended, and up to two files of
//! results fetched: answers, and what failed. Lines come in any order and carry the name that we gave them.

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// Lines of one batch at most.
pub(super) const MOST_LINES: usize = 50_000;
/// Bytes of its file at most; the provider takes 200 MB.
pub(super) const MOST_BYTES: usize = 190_000_000;

/// How far a batch is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum State {
    /// Not yet ended: lines done, of how many.
    Working(u64, u64),
    /// Ended, whole or not: the files with what came of it.
    Ended(Vec<String>),
    /// Refused as a whole.
    Failed(String),
}

/// What came of one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The server's answer: status and body.
    Answered(u16, Vec<u8>),
    /// Not answered: expired, cancelled, lost.
    Unanswered(String),
}

/// One request as a line of the file; its body stays as it is, to the byte.
pub(super) fn line(name: &str, path: &str, body: &[u8]) -> String {
    let (name, path) = (json!(name), json!(path));
    format!(r#"{{"custom_id":{name},"method":"POST","url":{path},"body":{}}}"#, String::from_utf8_lossy(body))
}

/// The upload of a file: content type and body. The boundary is a name that no line holds.
pub(super) fn upload(name: &str, lines: &str) -> (String, Vec<u8>) {
    let boundary = format!("legal-link-{name}");
    let body = format!(
        "--{boundary}\r\ncontent-disposition: form-data; name=\"purpose\"\r\n\r\nbatch\r\n--{boundary}\r\n\
         content-disposition: form-data; name=\"file\"; filename=\"{name}.jsonl\"\r\n\
         content-type: application/jsonl\r\n\r\n{lines}\r\n--{boundary}--\r\n"
    );
    (format!("multipart/form-data; boundary={boundary}"), body.into_bytes())
}

/// The making of a batch from an uploaded file. The name in its metadata finds it again if the answer is lost.
pub(super) fn create(file: &str, path: &str, name: &str) -> Vec<u8> {
    let body = json!({"input_file_id": file, "endpoint": path, "completion_window": "24h", "metadata": {"name": name}});
    body.to_string().into_bytes()
}

/// The identifier of what was made.
pub(super) fn id(body: &Value) -> Option<String> {
    body["id"].as_str().map(str::to_string)
}

/// The batch of this name in a page of batches; or where the next page begins.
pub(super) fn find(page: &Value, name: &str) -> Result<String, Option<String>> {
    let list = || page["data"].as_array().into_iter().flatten();
    let found = list().find(|batch| batch["metadata"]["name"] == name).and_then(id);
    let next = page["has_more"].as_bool().unwrap_or(false).then(|| list().last().and_then(id)).flatten();
    found.ok_or(next)
}

/// How far a batch is.
pub(super) fn state(body: &Value) -> Option<State> {
    let files = || {
        let named = ["output_file_id", "error_file_id"].iter().filter_map(|field| body[*field].as_str());
        named.map(str::to_string).collect::<Vec<_>>()
    };
    Some(match body["status"].as_str()? {
        "failed" => {
            let why = body["errors"]["data"][0]["message"].as_str().unwrap_or("the batch failed");
            State::Failed(why.chars().take(300).collect())
        }
        "completed" | "expired" | "cancelled" => State::Ended(files()),
        _ => {
            let count = |field: &str| body["request_counts"][field].as_u64().unwrap_or(0);
            State::Working(count("completed").saturating_add(count("failed")), count("total"))
        }
    })
}

/// A line of a file of results; the answer's body stays as it came.
#[derive(Deserialize)]
struct Line<'a> {
    custom_id: String,
    #[serde(borrow)]
    response: Option<Response<'a>>,
    #[serde(default)]
    error: Value,
}

#[derive(Deserialize)]
struct Response<'a> {
    status_code: Option<u16>,
    #[serde(borrow)]
    body: Option<&'a RawValue>,
}

/// One line of a file of results: its name, and what came of it.
pub(super) fn result(line: &str) -> Option<(String, Outcome)> {
    let Line { custom_id, response, error } = serde_json::from_str(line).ok()?;
    let answer = response.and_then(|response| Some((response.status_code?, response.body?.get())));
    let outcome = answer.map_or_else(
        || {
            let why = error["message"].as_str().or(error["code"].as_str()).unwrap_or("not answered");
            Outcome::Unanswered(why.chars().take(300).collect())
        },
        |(status, body)| Outcome::Answered(status, body.as_bytes().to_vec()),
    );
    Some((custom_id, outcome))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_goes_out_and_comes_back_by_its_name() {
        let out: Value = serde_json::from_str(&line("k1", "/v1/responses", br#"{"model":"m"}"#)).unwrap();
        assert_eq!(
            (&out["custom_id"], &out["url"], &out["body"]["model"]),
            (&json!("k1"), &json!("/v1/responses"), &json!("m"))
        );
        let back = r#"{"id":"r","custom_id":"k1","response":{"status_code":200,"body":{"a": 1.10}},"error":null}"#;
        assert_eq!(result(back), Some(("k1".to_string(), Outcome::Answered(200, br#"{"a": 1.10}"#.to_vec()))));
        let expired = r#"{"custom_id":"k2","response":null,"error":{"code":"batch_expired"}}"#;
        assert_eq!(result(expired), Some(("k2".to_string(), Outcome::Unanswered("batch_expired".to_string()))));
        let lost = r#"{"custom_id":"k3","response":{"status_code":200,"body":null}}"#;
        assert_eq!(result(lost), Some(("k3".to_string(), Outcome::Unanswered("not answered".to_string()))));
        assert_eq!(result("{"), None);
    }

    #[test]
    fn an_expired_batch_gives_what_it_has() {
        let ended = json!({"status": "expired", "output_file_id": "f1", "error_file_id": "f2"});
        assert_eq!(state(&ended), Some(State::Ended(vec!["f1".to_string(), "f2".to_string()])));
        let working = json!({"status": "finalizing", "request_counts": {"total": 9, "completed": 6, "failed": 1}});
        assert_eq!(
            (state(&working), state(&json!({"status": "validating"}))),
            (Some(State::Working(7, 9)), Some(State::Working(0, 0)))
        );
        assert!(matches!(state(&json!({"status": "failed"})), Some(State::Failed(_))));
        assert_eq!(state(&json!({})), None);
        let page = json!({"data": [{"id": "b1", "metadata": {"name": "n"}}, {"id": "b2", "metadata": null}], "has_more": true});
        assert_eq!((find(&page, "n"), find(&page, "m")), (Ok("b1".to_string()), Err(Some("b2".to_string()))));
    }
}
