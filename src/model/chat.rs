//! The dialect of OpenAI's chat completions, as llama.cpp, vLLM, Ollama and OpenAI itself speak it.
//!
//! Pure: a question to request bytes, reply bytes to an answer. Field names as in the providers' own packages.

use super::{Ask, End, Reply, Role, Usage};
use serde_json::{Value, json};

/// A reply that is no chat completion.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the server's answer is no chat completion: {0}")]
pub struct NotAChat(pub String);

/// Request bytes; the same question gives the same bytes.
pub fn request(ask: &Ask, model: &str) -> Vec<u8> {
    let messages: Vec<Value> = ask
        .turns
        .iter()
        .map(|turn| {
            let role = match turn.role {
                Role::System => "system",
                Role::User => "user",
                Role::Assistant => "assistant",
            };
            json!({"role": role, "content": turn.text})
        })
        .collect();
    let mut body = json!({
        "model": model,
        "messages": messages,
        "max_completion_tokens": ask.max_tokens,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": ask.schema.name, "strict": true, "schema": ask.schema.schema},
        },
    });
    if let Some(temperature) = ask.temperature {
        body["temperature"] = json!(temperature);
    }
    if let Some(seed) = ask.seed {
        body["seed"] = json!(seed);
    }
    body.to_string().into_bytes()
}

/// Reads a completion.
///
/// # Errors
/// [`NotAChat`] when the bytes are no JSON or carry no choice.
pub fn reply(bytes: &[u8]) -> Result<Reply, NotAChat> {
    let body: Value = serde_json::from_slice(bytes).map_err(|e| NotAChat(e.to_string()))?;
    let choice = body["choices"].get(0).ok_or_else(|| NotAChat(error_of(&body)))?;
    let message = &choice["message"];
    let refusal = message["refusal"].as_str().filter(|r| !r.is_empty());
    let end = match (refusal, choice["finish_reason"].as_str()) {
        (Some(_), _) => End::Refusal,
        (None, Some("stop" | "tool_calls")) => End::Stop,
        (None, Some("length")) => End::Length,
        (None, Some("content_filter")) => End::Filtered,
        _ => End::Unsaid,
    };
    let usage = &body["usage"];
    Ok(Reply {
        text: refusal.or(message["content"].as_str()).unwrap_or_default().to_string(),
        end,
        usage: Usage {
            prompt: usage["prompt_tokens"].as_u64(),
            cached: usage["prompt_tokens_details"]["cached_tokens"].as_u64(),
            cache_write: usage["prompt_tokens_details"]["cache_write_tokens"].as_u64(),
            reply: usage["completion_tokens"].as_u64(),
            reasoning: usage["completion_tokens_details"]["reasoning_tokens"].as_u64(),
        },
        served: body["model"].as_str().map(str::to_string),
    })
}

/// The message of an error body, in either of the shapes servers use.
pub fn error_of(body: &Value) -> String {
    let error = &body["error"];
    let message = error["message"].as_str().or(error.as_str()).or(body["message"].as_str());
    message.unwrap_or("no `choices` in it").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Schema, Turn};

    fn ask() -> Ask {
        Ask {
            turns: vec![Turn { role: Role::User, text: "Say yes.".to_string() }],
            schema: Schema { name: "answer".to_string(), schema: json!({"type": "object"}) },
            max_tokens: 9,
            temperature: Some(0.5),
            seed: None,
        }
    }

    #[test]
    fn the_same_question_gives_the_same_bytes() {
        assert_eq!(request(&ask(), "m"), request(&ask(), "m"));
        let body: Value = serde_json::from_slice(&request(&ask(), "m")).unwrap();
        assert_eq!(body["response_format"]["json_schema"]["strict"], true);
        assert!(body.get("seed").is_none());
    }

    #[test]
    fn usage_is_split_and_may_be_absent() {
        let full = br#"{"model":"m-1","choices":[{"message":{"content":"{}"},"finish_reason":"length"}],
            "usage":{"prompt_tokens":10,"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":4}}}"#;
        let read = reply(full).unwrap();
        assert_eq!((read.end, read.usage.cached, read.usage.reasoning), (End::Length, Some(4), None));
        let bare = reply(br#"{"choices":[{"message":{"content":"x"}}]}"#).unwrap();
        assert_eq!((bare.end, bare.usage), (End::Unsaid, Usage::default()));
        assert!(reply(br#"{"error":{"message":"loading"}}"#).unwrap_err().0.contains("loading"));
    }
}
