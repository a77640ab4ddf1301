//! Ollama's own chat interface.
//!
//! Its copy of chat completions has no way to ask for a window and cuts a longer prompt at the server's own (often
//! 4,096 tokens) without a word; here each request asks for one that its prompt and its reply fit into.

use super::{Spoken, speaker};
use crate::model::{Effort, End, Reply, Usage};
use serde_json::{Value, json};

/// The smallest window asked for.
const LEAST_WINDOW: usize = 4096;
/// Bytes per token, low: prose of any European language has more.
const BYTES_PER_TOKEN: usize = 2;

pub(super) fn request(spoken: &Spoken<'_>) -> Value {
    let system = (!spoken.system.is_empty()).then(|| json!({"role": "system", "content": spoken.system}));
    let turns = spoken.turns.iter().map(|(role, text)| json!({"role": speaker(*role), "content": text}));
    let messages: Vec<Value> = system.into_iter().chain(turns).collect();
    let mut options = json!({"num_ctx": window(spoken), "num_predict": spoken.cap});
    if let Some(temperature) = spoken.temperature {
        options["temperature"] = json!(temperature);
    }
    if let Some(seed) = spoken.seed {
        options["seed"] = json!(seed);
    }
    let mut body = json!({"model": spoken.model, "messages": messages, "stream": false, "options": options});
    if let Some((_, schema)) = &spoken.schema {
        body["format"] = schema.clone();
    }
    match spoken.effort {
        None => {}
        Some(Effort::None) => body["think"] = json!(false),
        Some(Effort::Minimal | Effort::Low) => body["think"] = json!("low"),
        Some(Effort::Medium) => body["think"] = json!("medium"),
        Some(Effort::High | Effort::Xhigh | Effort::Max) => body["think"] = json!("high"),
    }
    body
}

/// A window for prompt and reply, in powers of two: another size makes the server load the model anew.
fn window(spoken: &Spoken<'_>) -> usize {
    let bytes = spoken.system.len() + spoken.turns.iter().map(|(_, text)| text.len()).sum::<usize>();
    let reply = usize::try_from(spoken.cap).unwrap_or(usize::MAX);
    (bytes / BYTES_PER_TOKEN).saturating_add(reply).max(LEAST_WINDOW).next_power_of_two()
}

pub(super) fn reply(body: &Value) -> Option<Reply> {
    let message = body["message"].as_object()?;
    let said = |name: &str| message.get(name).and_then(Value::as_str).unwrap_or_default();
    let (text, thoughts) = (said("content").to_string(), !said("thinking").is_empty());
    let end = match body["done_reason"].as_str() {
        Some("stop") => End::Stop,
        Some("length") => End::cut(&text, thoughts),
        _ => End::Unsaid,
    };
    let usage =
        Usage { prompt: body["prompt_eval_count"].as_u64(), reply: body["eval_count"].as_u64(), ..Usage::default() };
    Some(Reply { text, end, usage, served: body["model"].as_str().map(str::to_string) })
}
