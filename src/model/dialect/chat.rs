//! Chat completions: OpenAI's own, and those of the servers that copy them (llama.cpp, vLLM, many providers).

use super::{Spoken, speaker};
use crate::model::{End, Reply, Usage};
use serde_json::{Value, json};

/// The request. OpenAI's own models refuse `max_tokens`; not every copy knows the name that replaced it.
pub(super) fn request(spoken: &Spoken<'_>, openai: bool) -> Value {
    let system = (!spoken.system.is_empty()).then(|| json!({"role": "system", "content": spoken.system}));
    let turns = spoken.turns.iter().map(|(role, text)| json!({"role": speaker(*role), "content": text}));
    let messages: Vec<Value> = system.into_iter().chain(turns).collect();
    let mut body = json!({"model": spoken.model, "messages": messages});
    body[if openai { "max_completion_tokens" } else { "max_tokens" }] = json!(spoken.cap);
    if let Some((name, schema)) = &spoken.schema {
        body["response_format"] =
            json!({"type": "json_schema", "json_schema": {"name": name, "strict": true, "schema": schema}});
    }
    if let Some(effort) = spoken.effort {
        body["reasoning_effort"] = json!(effort.as_str());
    }
    if let Some(temperature) = spoken.temperature {
        body["temperature"] = json!(temperature);
    }
    if let Some(seed) = spoken.seed {
        body["seed"] = json!(seed);
    }
    body
}

pub(super) fn reply(body: &Value) -> Option<Reply> {
    let choice = body["choices"].get(0)?;
    let message = &choice["message"];
    let refusal = message["refusal"].as_str().filter(|r| !r.is_empty());
    let text = refusal.map_or_else(|| text_of(&message["content"]), str::to_string);
    let usage = &body["usage"];
    let reasoning = usage["completion_tokens_details"]["reasoning_tokens"].as_u64();
    // vLLM and llama.cpp set thoughts beside the content, under either name.
    let thoughts =
        ["reasoning_content", "reasoning"].iter().any(|n| message[n].as_str().is_some_and(|t| !t.is_empty()));
    let end = match (refusal, choice["finish_reason"].as_str()) {
        (Some(_), _) => End::Refusal,
        (None, Some("stop" | "tool_calls")) => End::Stop,
        (None, Some("length")) => End::cut(&text, thoughts || reasoning > Some(0)),
        (None, Some("content_filter")) => End::Filtered,
        _ => End::Unsaid,
    };
    let usage = Usage {
        prompt: usage["prompt_tokens"].as_u64(),
        cached: usage["prompt_tokens_details"]["cached_tokens"].as_u64(),
        cache_write: usage["prompt_tokens_details"]["cache_write_tokens"].as_u64(),
        reply: usage["completion_tokens"].as_u64(),
        reasoning,
    };
    Some(Reply { text, end, usage, served: body["model"].as_str().map(str::to_string) })
}

/// Content is a text, or a list of parts with texts.
fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
        _ => String::new(),
    }
}
