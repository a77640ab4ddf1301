//! OpenAI's responses.

use super::{Spoken, speaker};
use crate::model::{End, Reply, Usage};
use serde_json::{Value, json};

pub(super) fn request(spoken: &Spoken<'_>) -> Value {
    let input: Vec<Value> =
        spoken.turns.iter().map(|(role, text)| json!({"role": speaker(*role), "content": text})).collect();
    let mut body = json!({"model": spoken.model, "input": input, "max_output_tokens": spoken.cap, "store": false});
    if !spoken.system.is_empty() {
        body["instructions"] = json!(spoken.system);
    }
    if let Some((name, schema)) = &spoken.schema {
        body["text"] = json!({"format": {"type": "json_schema", "name": name, "strict": true, "schema": schema}});
    }
    if let Some(effort) = spoken.effort {
        body["reasoning"] = json!({"effort": effort.as_str()});
    }
    if let Some(temperature) = spoken.temperature {
        body["temperature"] = json!(temperature);
    }
    body
}

pub(super) fn reply(body: &Value) -> Option<Reply> {
    let output = body["output"].as_array()?;
    let status = body["status"].as_str();
    if status == Some("failed") {
        return None;
    }
    let parts: Vec<&Value> = output
        .iter()
        .filter(|item| item["type"] == "message")
        .filter_map(|item| item["content"].as_array())
        .flatten()
        .collect();
    let of = |kind: &str, field: &str| -> String {
        parts.iter().filter(|part| part["type"] == kind).filter_map(|part| part[field].as_str()).collect()
    };
    let (text, refusal) = (of("output_text", "text"), of("refusal", "refusal"));
    let usage = &body["usage"];
    let reasoning = usage["output_tokens_details"]["reasoning_tokens"].as_u64();
    let thoughts = reasoning > Some(0) || output.iter().any(|item| item["type"] == "reasoning");
    let end = match (status, body["incomplete_details"]["reason"].as_str()) {
        _ if !refusal.is_empty() => End::Refusal,
        (_, Some("max_output_tokens")) => End::cut(&text, thoughts),
        (_, Some("content_filter")) => End::Filtered,
        (Some("completed"), None) => End::Stop,
        _ => End::Unsaid,
    };
    let usage = Usage {
        prompt: usage["input_tokens"].as_u64(),
        cached: usage["input_tokens_details"]["cached_tokens"].as_u64(),
        cache_write: usage["input_tokens_details"]["cache_write_tokens"].as_u64(),
        reply: usage["output_tokens"].as_u64(),
        reasoning,
    };
    let text = if refusal.is_empty() { text } else { refusal };
    Some(Reply { text, end, usage, served: body["model"].as_str().map(str::to_string) })
}
