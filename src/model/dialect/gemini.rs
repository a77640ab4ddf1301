//! Gemini's generateContent.

use super::Spoken;
use crate::model::{End, Reply, Role, Usage};
use serde_json::{Value, json};

pub(super) fn request(spoken: &Spoken<'_>) -> Value {
    let contents: Vec<Value> = spoken
        .turns
        .iter()
        .map(|(role, text)| {
            json!({"role": if *role == Role::Assistant { "model" } else { "user" }, "parts": [{"text": text}]})
        })
        .collect();
    let mut config = json!({"maxOutputTokens": spoken.cap});
    if let Some((_, schema)) = &spoken.schema {
        config["responseMimeType"] = json!("application/json");
        config["responseJsonSchema"] = schema.clone();
    }
    if let Some(effort) = spoken.effort {
        config["thinkingConfig"] = json!({"thinkingBudget": effort.tokens()});
    }
    if let Some(temperature) = spoken.temperature {
        config["temperature"] = json!(temperature);
    }
    if let Some(seed) = spoken.seed {
        // A signed number of 32 bits there.
        config["seed"] = json!(seed & 0x7fff_ffff);
    }
    let mut body = json!({"contents": contents});
    if !spoken.system.is_empty() {
        body["systemInstruction"] = json!({"parts": [{"text": spoken.system}]});
    }
    body["generationConfig"] = config;
    body
}

pub(super) fn reply(body: &Value) -> Option<Reply> {
    let blocked = body["promptFeedback"]["blockReason"].as_str();
    let candidate = match (body["candidates"].get(0), blocked) {
        (Some(candidate), _) => candidate,
        (None, Some(_)) => &Value::Null,
        (None, None) => return None,
    };
    // `content` may be absent, or be there without parts: thoughts used the limit up.
    let parts = candidate["content"]["parts"].as_array();
    let text: String = parts
        .into_iter()
        .flatten()
        .filter(|part| part["thought"] != true)
        .filter_map(|part| part["text"].as_str())
        .collect();
    let usage = &body["usageMetadata"];
    let (thoughts, words) = (usage["thoughtsTokenCount"].as_u64(), usage["candidatesTokenCount"].as_u64());
    let end = match candidate["finishReason"].as_str() {
        _ if blocked.is_some() => End::Filtered,
        Some("STOP") => End::Stop,
        Some("MAX_TOKENS") => End::cut(&text, thoughts > Some(0)),
        Some("SAFETY" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" | "IMAGE_SAFETY") => End::Filtered,
        Some("RECITATION") => End::Recitation,
        _ => End::Unsaid,
    };
    let usage = Usage {
        prompt: usage["promptTokenCount"].as_u64(),
        cached: usage["cachedContentTokenCount"].as_u64(),
        cache_write: None,
        // Thoughts are counted beside the words here, and inside the reply everywhere else.
        reply: match (words, thoughts) {
            (None, None) => None,
            (words, thoughts) => Some(words.unwrap_or(0).saturating_add(thoughts.unwrap_or(0))),
        },
        reasoning: thoughts,
    };
    Some(Reply { text, end, usage, served: body["modelVersion"].as_str().map(str::to_string) })
}
