//! The shapes of each dialect: a request body to a prompt, words to a reply body.

use super::wire::Request;
use legal_link::law::Digest;
use legal_link::model::End;
use serde_json::{Value, json};

/// Which interface was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shape {
    Chat,
    Responses,
    Messages,
    Gemini,
    Ollama,
}

/// What a model sees.
#[derive(Debug, Clone)]
pub struct Prompt {
    pub model: String,
    /// Instructions and turns, each with who speaks.
    pub turns: Vec<(String, String)>,
    pub schema: Option<Value>,
    pub cap: u64,
}

/// What a model says, and how it ends.
#[derive(Debug, Clone)]
pub struct Said {
    pub text: String,
    pub end: End,
    /// Whether it thought first.
    pub thoughts: bool,
    /// Figures of its usage, in whatever names; none where the server says nothing.
    pub usage: Option<[i64; 2]>,
    /// Whether the place for its words is not there at all.
    pub no_parts: bool,
}

impl Said {
    pub fn text(text: String) -> Self {
        let tokens = i64::try_from(text.len().div_ceil(4)).expect("a short text");
        Self { text, end: End::Stop, thoughts: false, usage: Some([0, tokens]), no_parts: false }
    }
}

impl Prompt {
    /// Reads a request; `None` where it is none of a dialect we know.
    pub fn read(request: &Request) -> Option<(Shape, Self)> {
        Self::of(&request.path, &serde_json::from_slice(&request.body).ok()?)
    }

    /// Reads the body of a request to `path`.
    pub fn of(path: &str, body: &Value) -> Option<(Shape, Self)> {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
        let turns = |list: &Value| -> Vec<(String, String)> {
            list.as_array().into_iter().flatten().map(|t| (text(&t["role"]), text(&t["content"]))).collect()
        };
        let with = |system: &Value, list: &Value| {
            let system = system.as_str().map(|s| ("system".to_string(), s.to_string()));
            system.into_iter().chain(turns(list)).collect::<Vec<_>>()
        };
        let given = |value: &Value| (!value.is_null()).then(|| value.clone());
        let mut model = text(&body["model"]);
        let (shape, turns, schema, cap) = if path.ends_with("/chat/completions") {
            let cap = if body["max_tokens"].is_null() { &body["max_completion_tokens"] } else { &body["max_tokens"] };
            let schema = &body["response_format"]["json_schema"]["schema"];
            (Shape::Chat, turns(&body["messages"]), given(schema), cap)
        } else if path.ends_with("/responses") {
            let all = with(&body["instructions"], &body["input"]);
            (Shape::Responses, all, given(&body["text"]["format"]["schema"]), &body["max_output_tokens"])
        } else if path.ends_with("/messages") {
            let all = with(&body["system"], &body["messages"]);
            (Shape::Messages, all, given(&body["output_config"]["format"]["schema"]), &body["max_tokens"])
        } else if path.ends_with(":generateContent") {
            model = path.rsplit('/').next()?.trim_end_matches(":generateContent").to_string();
            let part = |content: &Value| (text(&content["role"]), text(&content["parts"][0]["text"]));
            let system = given(&body["systemInstruction"]).map(|s| ("system".to_string(), part(&s).1));
            let contents = body["contents"].as_array().into_iter().flatten().map(part);
            let config = &body["generationConfig"];
            let all = system.into_iter().chain(contents).collect();
            (Shape::Gemini, all, given(&config["responseJsonSchema"]), &config["maxOutputTokens"])
        } else if path.ends_with("/api/chat") {
            (Shape::Ollama, turns(&body["messages"]), given(&body["format"]), &body["options"]["num_predict"])
        } else {
            return None;
        };
        (!turns.is_empty()).then(|| (shape, Self { model, turns, schema, cap: cap.as_u64().unwrap_or(0) }))
    }

    /// Cuts it to so many tokens, as servers do that say nothing of it: what came first is dropped.
    pub fn cut(&mut self, tokens: usize) {
        let mut left = tokens * 3 / 4;
        for (_, text) in self.turns.iter_mut().rev() {
            let words: Vec<&str> = text.split_whitespace().collect();
            let kept = words.len().min(left);
            left -= kept;
            if kept < words.len() {
                *text = words[words.len() - kept..].join(" ");
            }
        }
    }

    /// All its words.
    pub fn text(&self) -> String {
        self.turns.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join("\n")
    }

    pub fn digest(&self) -> Digest {
        Digest::of(self.text().as_bytes())
    }
}

impl Shape {
    /// A reply body.
    pub fn reply(self, prompt: &Prompt, said: &Said) -> Value {
        // Four tokens for three words, as in legal English.
        let words = prompt.text().split_whitespace().count();
        let asked = i64::try_from((words * 4).div_ceil(3)).expect("a short text");
        let usage = said.usage.map(|[wrong, reply]| (asked + wrong, reply));
        match self {
            Self::Chat => chat(prompt, said, usage),
            Self::Responses => responses(prompt, said, usage),
            Self::Messages => messages(prompt, said, usage),
            Self::Gemini => gemini(prompt, said, usage),
            Self::Ollama => ollama(prompt, said, usage),
        }
    }
}

type Counted = Option<(i64, i64)>;

fn chat(prompt: &Prompt, said: &Said, usage: Counted) -> Value {
    let why = match said.end {
        End::Length | End::Thoughts | End::Window => "length",
        End::Filtered | End::Recitation => "content_filter",
        _ => "stop",
    };
    let mut message = json!({"role": "assistant", "content": said.text});
    if said.end == End::Refusal {
        message = json!({"role": "assistant", "content": null, "refusal": said.text});
    }
    if said.thoughts {
        message["reasoning_content"] = json!("Let me see.");
    }
    if said.no_parts {
        message = json!({"role": "assistant"});
    }
    let mut body = json!({"id": "chatcmpl-1", "object": "chat.completion", "model": format!("{}-2026", prompt.model),
        "choices": [{"index": 0, "message": message, "finish_reason": why}]});
    if let Some((asked, reply)) = usage {
        body["usage"] = json!({"prompt_tokens": asked, "completion_tokens": reply, "total_tokens": asked + reply,
            "prompt_tokens_details": {"cached_tokens": asked / 2}});
    }
    body
}

fn responses(prompt: &Prompt, said: &Said, usage: Counted) -> Value {
    let part = match said.end {
        End::Refusal => json!({"type": "refusal", "refusal": said.text}),
        _ => json!({"type": "output_text", "text": said.text}),
    };
    let content = if said.no_parts { json!([]) } else { json!([part]) };
    let mut output = vec![json!({"type": "reasoning", "summary": []})];
    if said.end != End::Thoughts {
        output.push(json!({"type": "message", "role": "assistant", "content": content}));
    }
    let mut body = json!({"id": "resp_1", "object": "response", "model": format!("{}-2026", prompt.model),
        "status": "completed", "output": output});
    let why = match said.end {
        End::Length | End::Thoughts | End::Window => Some("max_output_tokens"),
        End::Filtered | End::Recitation => Some("content_filter"),
        _ => None,
    };
    if let Some(why) = why {
        body["status"] = json!("incomplete");
        body["incomplete_details"] = json!({"reason": why});
    }
    if let Some((asked, reply)) = usage {
        body["usage"] = json!({"input_tokens": asked, "output_tokens": reply, "total_tokens": asked + reply,
            "input_tokens_details": {"cached_tokens": asked / 2}, "output_tokens_details": {"reasoning_tokens": reply / 2}});
    }
    body
}

fn messages(prompt: &Prompt, said: &Said, usage: Counted) -> Value {
    let why = match said.end {
        End::Length | End::Thoughts => "max_tokens",
        End::Window => "model_context_window_exceeded",
        End::Refusal | End::Filtered | End::Recitation => "refusal",
        _ => "end_turn",
    };
    let thinking = said.thoughts.then(|| json!({"type": "thinking", "thinking": "Let me see."}));
    let words = (!said.text.is_empty()).then(|| json!({"type": "text", "text": said.text}));
    let content: Vec<Value> = if said.no_parts { Vec::new() } else { thinking.into_iter().chain(words).collect() };
    let mut body = json!({"id": "msg_1", "type": "message", "role": "assistant", "content": content,
        "model": format!("{}-2026", prompt.model), "stop_reason": why});
    if let Some((asked, reply)) = usage {
        body["usage"] = json!({"input_tokens": asked - asked / 2, "cache_read_input_tokens": asked / 2,
            "cache_creation_input_tokens": 0, "output_tokens": reply});
    }
    body
}

fn gemini(prompt: &Prompt, said: &Said, usage: Counted) -> Value {
    let why = match said.end {
        End::Length | End::Thoughts | End::Window => "MAX_TOKENS",
        End::Filtered | End::Refusal => "SAFETY",
        End::Recitation => "RECITATION",
        _ => "STOP",
    };
    let mut content = json!({"role": "model"});
    if !said.text.is_empty() && !said.no_parts {
        content["parts"] = json!([{"text": said.text}]);
    }
    let mut body = json!({"modelVersion": format!("{}-2026", prompt.model),
        "candidates": [{"index": 0, "content": content, "finishReason": why}]});
    if let Some((asked, reply)) = usage {
        let thoughts = if said.thoughts { reply } else { 0 };
        body["usageMetadata"] = json!({"promptTokenCount": asked, "cachedContentTokenCount": asked / 2,
            "candidatesTokenCount": reply - thoughts, "thoughtsTokenCount": thoughts, "totalTokenCount": asked + reply});
    }
    body
}

fn ollama(prompt: &Prompt, said: &Said, usage: Counted) -> Value {
    let why = match said.end {
        End::Length | End::Thoughts | End::Window => "length",
        _ => "stop",
    };
    let mut message = json!({"role": "assistant", "content": said.text});
    if said.thoughts {
        message["thinking"] = json!("Let me see.");
    }
    if said.no_parts {
        message = json!({"role": "assistant"});
    }
    let mut body =
        json!({"model": format!("{}-2026", prompt.model), "message": message, "done": true, "done_reason": why});
    if let Some((asked, reply)) = usage {
        body["prompt_eval_count"] = json!(asked);
        body["eval_count"] = json!(reply);
    }
    body
}
