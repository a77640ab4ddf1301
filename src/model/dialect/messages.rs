//! Anthropic's messages.

use super::{Spoken, speaker};
use crate::model::{End, Reply, Usage};
use serde_json::{Value, json};

/// The least budget of thoughts that is taken.
const LEAST_BUDGET: u32 = 1024;

pub(super) fn request(spoken: &Spoken<'_>) -> Value {
    let messages: Vec<Value> =
        spoken.turns.iter().map(|(role, text)| json!({"role": speaker(*role), "content": text})).collect();
    let budget = spoken.effort.map(super::Effort::tokens).filter(|tokens| *tokens > 0);
    let more = budget.map_or(0, |tokens| LEAST_BUDGET.saturating_sub(tokens));
    let mut body = json!({"model": spoken.model, "messages": messages, "max_tokens": spoken.cap + more});
    if !spoken.system.is_empty() {
        body["system"] = json!(spoken.system);
    }
    if let Some((_, schema)) = &spoken.schema {
        body["output_config"] = json!({"format": {"type": "json_schema", "schema": schema}});
    }
    match (budget, spoken.temperature) {
        // Thinking allows no temperature but its own.
        (Some(tokens), _) => {
            body["thinking"] = json!({"type": "enabled", "budget_tokens": tokens.max(LEAST_BUDGET)});
        }
        (None, Some(temperature)) => body["temperature"] = json!(temperature),
        (None, None) => {}
    }
    body
}

pub(super) fn reply(body: &Value) -> Option<Reply> {
    let content = body["content"].as_array()?;
    let of = |kind: &'static str| content.iter().filter(move |block| block["type"] == kind);
    let mut text: String = of("text").filter_map(|block| block["text"].as_str()).collect();
    if text.is_empty() {
        text = of("tool_use").next().map(|block| block["input"].to_string()).unwrap_or_default();
    }
    let end = match body["stop_reason"].as_str() {
        Some("end_turn" | "stop_sequence" | "tool_use") => End::Stop,
        Some("max_tokens") => End::cut(&text, of("thinking").chain(of("redacted_thinking")).next().is_some()),
        Some("refusal") => End::Refusal,
        Some("model_context_window_exceeded") => End::Window,
        _ => End::Unsaid,
    };
    let usage = &body["usage"];
    let (read, written) = (&usage["cache_read_input_tokens"], &usage["cache_creation_input_tokens"]);
    // Cached tokens are counted apart here, and inside the prompt everywhere else.
    let apart = read.as_u64().unwrap_or(0).saturating_add(written.as_u64().unwrap_or(0));
    let usage = Usage {
        prompt: usage["input_tokens"].as_u64().map(|tokens| tokens.saturating_add(apart)),
        cached: read.as_u64(),
        cache_write: written.as_u64(),
        reply: usage["output_tokens"].as_u64(),
        reasoning: None,
    };
    Some(Reply { text, end, usage, served: body["model"].as_str().map(str::to_string) })
}
