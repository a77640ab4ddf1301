//! The providers' dialects: a question to request bytes, reply bytes to an answer. Pure, one file each.
//!
//! A dialect is what a provider expects on the wire. Each file has the same three functions: `request` writes a
//! question down, `reply` reads an answer, `schema` lowers a JSON schema to what the provider accepts. Field names as
//! in the providers' own packages.

mod chat;
mod gemini;
mod messages;
mod ollama;
mod responses;
mod schema;

use super::{Ask, Effort, Reply, Role, Turn};
use crate::http::Secret;
use serde_json::Value;

/// How a server is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// OpenAI's chat completions.
    Chat,
    /// Chat completions as other servers copy them: llama.cpp, vLLM, and many a provider.
    Compatible,
    /// OpenAI's responses.
    Responses,
    /// Anthropic's messages.
    Messages,
    /// Gemini's generateContent.
    Gemini,
    /// Ollama's own interface: the copied one has no way to ask for a window, and cuts prompts without a word.
    Ollama,
}

/// What holds for all calls of one model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    /// The name the provider knows it by.
    pub model: String,
    /// How long it may think; not said where the model's own default is wanted.
    pub effort: Option<Effort>,
    /// Whether the schema is told in words, because the server does not enforce one.
    pub tell_schema: bool,
}

impl Setup {
    /// A model as its provider sets it up.
    pub fn new(model: &str) -> Self {
        Self { model: model.to_string(), effort: None, tell_schema: false }
    }
}

/// An answer that is no completion.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the server's answer is no completion: {0}")]
pub struct NotAReply(pub String);

impl Dialect {
    /// Where calls of `model` go, below a base address.
    pub fn address(self, base: &str, model: &str) -> String {
        let base = base.trim_end_matches('/');
        match self {
            Self::Chat | Self::Compatible => format!("{base}/chat/completions"),
            Self::Responses => format!("{base}/responses"),
            Self::Messages => format!("{base}/messages"),
            Self::Gemini => format!("{base}/models/{model}:generateContent"),
            Self::Ollama => format!("{base}/api/chat"),
        }
    }

    /// Headers of every request.
    pub fn headers(self) -> Vec<(String, String)> {
        let mut headers = vec![("content-type".to_string(), "application/json".to_string())];
        if self == Self::Messages {
            headers.push(("anthropic-version".to_string(), "2023-06-01".to_string()));
        }
        headers
    }

    /// The header that the key goes into: its name, what stands before the key, the key.
    pub fn secret(self, key: Secret) -> (String, String, Secret) {
        let (name, before) = match self {
            Self::Messages => ("x-api-key", ""),
            Self::Gemini => ("x-goog-api-key", ""),
            _ => ("authorization", "Bearer "),
        };
        (name.to_string(), before.to_string(), key)
    }

    /// Whether a seed can be given.
    pub fn takes_seed(self) -> bool {
        !matches!(self, Self::Responses | Self::Messages)
    }

    /// The schema as this dialect takes it. What it does not take is told in `description`, and checked here later.
    pub fn schema(self, schema: &Value) -> Value {
        match self {
            Self::Chat | Self::Responses => schema::lower(schema, &schema::OPENAI),
            Self::Messages => schema::lower(schema, &schema::ANTHROPIC),
            Self::Gemini => schema::lower(schema, &schema::GEMINI),
            Self::Compatible | Self::Ollama => schema.clone(),
        }
    }

    /// Request bytes; the same question gives the same bytes.
    pub fn request(self, ask: &Ask, setup: &Setup) -> Vec<u8> {
        let spoken = Spoken::of(self, ask, setup);
        let body = match self {
            Self::Chat => chat::request(&spoken, true),
            Self::Compatible => chat::request(&spoken, false),
            Self::Responses => responses::request(&spoken),
            Self::Messages => messages::request(&spoken),
            Self::Gemini => gemini::request(&spoken),
            Self::Ollama => ollama::request(&spoken),
        };
        let long: usize = ask.turns.iter().map(|turn| turn.text.len()).sum();
        let mut bytes = Vec::with_capacity(long + long / 8 + 4096);
        match serde_json::to_writer(&mut bytes, &body) {
            Ok(()) => bytes,
            // Cannot be: what is written to is memory, and what is written a JSON value.
            Err(_) => body.to_string().into_bytes(),
        }
    }

    /// Reads an answer.
    ///
    /// # Errors
    /// [`NotAReply`] when the bytes are no JSON, or hold no completion in this dialect.
    pub fn reply(self, bytes: &[u8]) -> Result<Reply, NotAReply> {
        let body: Value = serde_json::from_slice(bytes).map_err(|e| NotAReply(e.to_string()))?;
        let reply = match self {
            Self::Chat | Self::Compatible => chat::reply(&body),
            Self::Responses => responses::reply(&body),
            Self::Messages => messages::reply(&body),
            Self::Gemini => gemini::reply(&body),
            Self::Ollama => ollama::reply(&body),
        };
        let mut reply = reply.ok_or_else(|| NotAReply(error_of(&body)))?;
        reply.usage = reply.usage.sane(&reply.text);
        Ok(reply)
    }
}

/// The message of an error body, in any of the shapes servers use.
pub fn error_of(body: &Value) -> String {
    let error = if body.is_array() { &body[0]["error"] } else { &body["error"] };
    let message = error["message"].as_str().or(error.as_str()).or(body["message"].as_str());
    message.map_or_else(|| "it holds neither an answer nor an error".to_string(), |text| clip(text, 500))
}

/// The first characters of a text.
fn clip(text: &str, chars: usize) -> String {
    text.char_indices().nth(chars).map_or_else(|| text.to_string(), |(at, _)| format!("{}…", &text[..at]))
}

/// A question, taken apart as the dialects need it.
struct Spoken<'a> {
    model: &'a str,
    effort: Option<Effort>,
    /// All standing instructions.
    system: String,
    /// The turns after them.
    turns: Vec<(Role, &'a str)>,
    /// The schema's name and its lowered form, unless it is told in words.
    schema: Option<(&'a str, Value)>,
    /// Longest reply, thoughts included.
    cap: u32,
    temperature: Option<f64>,
    seed: Option<u64>,
}

impl<'a> Spoken<'a> {
    fn of(dialect: Dialect, ask: &'a Ask, setup: &'a Setup) -> Self {
        let of_system = |turn: &&Turn| turn.role == Role::System;
        let mut system: Vec<String> = ask.turns.iter().filter(of_system).map(|turn| turn.text.clone()).collect();
        if setup.tell_schema {
            system.push(format!(
                "Reply with one JSON object and nothing else. It must follow this JSON schema:\n{}",
                ask.schema.schema
            ));
        }
        // An empty turn is an error to Anthropic and Gemini; a model that said nothing is quoted so.
        let said = |turn: &'a Turn| (turn.role, if turn.text.trim().is_empty() { "(nothing)" } else { &turn.text });
        Self {
            model: &setup.model,
            effort: setup.effort,
            system: system.join("\n"),
            turns: ask.turns.iter().filter(|turn| !of_system(turn)).map(said).collect(),
            schema: (!setup.tell_schema).then(|| (ask.schema.name.as_str(), dialect.schema(&ask.schema.schema))),
            cap: setup.cap(ask),
            temperature: ask.temperature,
            seed: ask.seed,
        }
    }
}

impl Setup {
    /// Longest reply in tokens: every provider counts thoughts inside its limit, so they are added to the answer's.
    pub fn cap(&self, ask: &Ask) -> u32 {
        ask.max_tokens.saturating_add(self.effort.map_or(0, Effort::tokens))
    }
}

/// How OpenAI and Anthropic name who speaks.
fn speaker(role: Role) -> &'static str {
    match role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
    }
}

#[cfg(test)]
mod tests;
