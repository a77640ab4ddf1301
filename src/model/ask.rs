//! What is asked of a model, and what comes back, in words that belong to no provider.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;
use std::str::FromStr;

/// A model by provider and name: `openai:gpt-5-mini`, `local:smollm2-135m`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ModelName {
    provider: String,
    model: String,
}

/// A text that names no model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` names no model: write `provider:model`, for instance `openai:gpt-5-mini` or `local:llama`")]
pub struct ModelNameError(pub String);

impl ModelName {
    /// The provider: whose dialect is spoken and whose key is asked for.
    pub fn provider(&self) -> &str {
        &self.provider
    }

    /// The name the provider knows it by.
    pub fn model(&self) -> &str {
        &self.model
    }
}

impl FromStr for ModelName {
    type Err = ModelNameError;
    fn from_str(text: &str) -> Result<Self, ModelNameError> {
        match text.split_once(':') {
            Some((provider, model)) if !provider.is_empty() && !model.is_empty() => {
                Ok(Self { provider: provider.to_string(), model: model.to_string() })
            }
            _ => Err(ModelNameError(text.to_string())),
        }
    }
}

impl TryFrom<String> for ModelName {
    type Error = ModelNameError;
    fn try_from(text: String) -> Result<Self, ModelNameError> {
        text.parse()
    }
}

impl From<ModelName> for String {
    fn from(name: ModelName) -> Self {
        name.to_string()
    }
}

impl fmt::Display for ModelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.provider, self.model)
    }
}

/// Who says a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Standing instructions.
    System,
    /// Us.
    User,
    /// The model, earlier.
    Assistant,
}

/// One turn of a conversation. Its `Debug` shows how long the text is, and none of it.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Turn {
    /// Who.
    pub role: Role,
    /// What.
    pub text: String,
}

impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Turn").field("role", &self.role).field("bytes", &self.text.len()).finish()
    }
}

/// A JSON schema that the reply must follow, with its name.
#[derive(Debug, Clone, PartialEq)]
pub struct Schema {
    /// Letters, digits, `_`.
    pub name: String,
    /// The schema; all fields required, no additional properties.
    pub schema: Value,
}

/// A question to a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Ask {
    /// The conversation.
    pub turns: Vec<Turn>,
    /// The shape of the reply.
    pub schema: Schema,
    /// Longest reply, in tokens.
    pub max_tokens: u32,
    /// Sampling temperature, if not the server's own.
    pub temperature: Option<f64>,
    /// Seed of the sampling, where the server takes one.
    pub seed: Option<u64>,
}

/// Why a reply ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// The model was done.
    Stop,
    /// The token limit was reached: the reply is cut and must not be read leniently.
    Length,
    /// The token limit was reached by thoughts alone: there is no reply.
    Thoughts,
    /// Prompt and reply fill the model's window: the reply is cut.
    Window,
    /// The server dropped part of the prompt without a word: whatever was replied answers something else.
    PromptCut,
    /// The model declined.
    Refusal,
    /// A filter of the provider held it back.
    Filtered,
    /// The provider held it back because it repeats a source word for word, which legal texts do.
    Recitation,
    /// Not said.
    Unsaid,
}

impl End {
    /// How a reply ended that reached the token limit.
    pub(super) fn cut(text: &str, thoughts: bool) -> Self {
        if text.trim().is_empty() && thoughts { Self::Thoughts } else { Self::Length }
    }
}

/// Tokens used, as the server counted them; absent where it did not say.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of the prompt, cached ones included.
    pub prompt: Option<u64>,
    /// Of those, read from the provider's cache.
    pub cached: Option<u64>,
    /// Of those, written into the provider's cache, where that has a price of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_write: Option<u64>,
    /// Tokens of the reply, thoughts included.
    pub reply: Option<u64>,
    /// Of those, spent on thinking.
    pub reasoning: Option<u64>,
}

/// More tokens than any model reads or writes at once.
const MOST_TOKENS: u64 = 1 << 32;

impl Usage {
    /// Prompt and reply together, where both were counted.
    pub fn total(&self) -> Option<u64> {
        self.prompt?.checked_add(self.reply?)
    }

    /// Without the figures that cannot be: a prompt of no tokens, a text of none, a part larger than its whole, more than
    /// any window holds.
    pub(super) fn sane(mut self, text: &str) -> Self {
        self.prompt = self.prompt.filter(|tokens| (1..=MOST_TOKENS).contains(tokens));
        self.reply = self.reply.filter(|tokens| (*tokens > 0 || text.is_empty()) && *tokens <= MOST_TOKENS);
        let within = |part: Option<u64>, whole: Option<u64>| part.filter(|p| whole.is_none_or(|w| *p <= w));
        self.cached = within(self.cached, self.prompt);
        self.cache_write = within(self.cache_write, self.prompt);
        self.reasoning = within(self.reasoning, self.reply);
        self
    }
}

/// What a model answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// Its words.
    pub text: String,
    /// Why it ended.
    pub end: End,
    /// Tokens used.
    pub usage: Usage,
    /// The name the server gave for the model that answered.
    pub served: Option<String>,
}
