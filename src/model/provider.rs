//! The providers we know: which dialect they speak, where they are, and which variable usually holds their key.

use super::Dialect;

/// A provider, by the name that stands before the colon of a model's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Provider {
    /// Its name.
    pub name: &'static str,
    /// How it is spoken to.
    pub dialect: Dialect,
    /// Its base address; none where only the manifest can know it.
    pub base: Option<&'static str>,
    /// The environment variable that its key is usually in.
    pub key: Option<&'static str>,
}

/// All that we know. Any other name is a server that copies OpenAI's chat completions.
pub const PROVIDERS: [Provider; 6] = [
    Provider {
        name: "openai",
        dialect: Dialect::Chat,
        base: Some("https://api.openai.com/v1"),
        key: Some("OPENAI_API_KEY"),
    },
    Provider {
        name: "openai-responses",
        dialect: Dialect::Responses,
        base: Some("https://api.openai.com/v1"),
        key: Some("OPENAI_API_KEY"),
    },
    Provider {
        name: "anthropic",
        dialect: Dialect::Messages,
        base: Some("https://api.anthropic.com/v1"),
        key: Some("ANTHROPIC_API_KEY"),
    },
    Provider {
        name: "gemini",
        dialect: Dialect::Gemini,
        base: Some("https://generativelanguage.googleapis.com/v1beta"),
        key: Some("GEMINI_API_KEY"),
    },
    Provider { name: "ollama", dialect: Dialect::Ollama, base: Some("http://127.0.0.1:11434"), key: None },
    Provider { name: "local", dialect: Dialect::Compatible, base: None, key: None },
];

impl Provider {
    /// The provider of this name, where we know it.
    ///
    /// ```
    /// use legal_link::model::{Dialect, Provider};
    /// assert_eq!(Provider::named("anthropic").unwrap().dialect, Dialect::Messages);
    /// assert!(Provider::named("mistral").is_none());
    /// ```
    pub fn named(name: &str) -> Option<&'static Self> {
        PROVIDERS.iter().find(|provider| provider.name == name)
    }
}
