//! OpenAI's batch interface, as it and the servers that copy it speak it. Pure: bytes out, bytes in.
//!
//! A file of requests is uploaded, a batch made of it, the batch asked after until it has ended, and up to two files of
//! results fetched: answers, and what failed. Lines come in any order and carry the name that we gave them.

use serde_json::{Value, json};

/// Lines of one batch at most.
pub(super) const MOST_LINES: usize = 50_000;
/// Bytes of its file at most; the provider takes 200 MB.
pub(super) const MOST_BYTES: usize = 190_000_000;

/// How far a batch is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum State {
    /// Not yet ended.
    Working,
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

/// One request as a line of the file.
pub(super) fn line(name: &str, path: &str, body: &[u8]) -> String {
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    json!({"custom_id": name, "method": "POST", "url": path, "body": body}).to_string()
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
        _ => State::Working,
    })
}

/// One line of a file of results: its name, and what came of it.
pub(super) fn result(line: &str) -> Option<(String, Outcome)> {
    let line: Value = serde_json::from_str(line).ok()?;
    let name = line["custom_id"].as_str()?.to_string();
    let response = &line["response"];
    let status = response["status_code"].as_u64().and_then(|status| u16::try_from(status).ok());
    let outcome = match (status, &response["body"]) {
        (Some(status), body) if !body.is_null() => Outcome::Answered(status, body.to_string().into_bytes()),
        _ => {
            let why = line["error"]["message"].as_str().or(line["error"]["code"].as_str()).unwrap_or("not answered");
            Outcome::Unanswered(why.chars().take(300).collect())
        }
    };
    Some((name, outcome))
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
        let back = r#"{"id":"r","custom_id":"k1","response":{"status_code":200,"body":{"a":1}},"error":null}"#;
        assert_eq!(result(back), Some(("k1".to_string(), Outcome::Answered(200, br#"{"a":1}"#.to_vec()))));
        let expired = r#"{"custom_id":"k2","response":null,"error":{"code":"batch_expired"}}"#;
        assert_eq!(result(expired), Some(("k2".to_string(), Outcome::Unanswered("batch_expired".to_string()))));
        assert_eq!(result("{"), None);
    }

    #[test]
    fn an_expired_batch_gives_what_it_has() {
        let ended = json!({"status": "expired", "output_file_id": "f1", "error_file_id": "f2"});
        assert_eq!(state(&ended), Some(State::Ended(vec!["f1".to_string(), "f2".to_string()])));
        assert_eq!(state(&json!({"status": "finalizing"})), Some(State::Working));
        assert!(matches!(state(&json!({"status": "failed"})), Some(State::Failed(_))));
        assert_eq!(state(&json!({})), None);
        let page = json!({"data": [{"id": "b1", "metadata": {"name": "n"}}, {"id": "b2", "metadata": null}], "has_more": true});
        assert_eq!((find(&page, "n"), find(&page, "m")), (Ok("b1".to_string()), Err(Some("b2".to_string()))));
    }
}
