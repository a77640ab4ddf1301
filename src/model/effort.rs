//! How long a model may think before it answers.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Reasoning effort, one scale for all providers: each dialect says it in its provider's own terms.
///
/// Where a provider counts thinking tokens, an effort is a number of them, so that the same setting asks the same of
/// all: low = 1,024, medium = 8,192, high = 24,576 (the map of LiteLLM and of published comparisons). The two levels
/// above have no agreed number; they get 32,768, the most that any of the providers' current models takes.
///
/// ```
/// use legal_link::model::Effort;
/// assert_eq!(Effort::Low.tokens(), 1024);
/// assert!(Effort::None < Effort::Max);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    /// No thoughts, where the model can do without.
    None,
    /// As few as possible.
    Minimal,
    /// 1,024 tokens.
    Low,
    /// 8,192 tokens.
    Medium,
    /// 24,576 tokens.
    High,
    /// More than high.
    Xhigh,
    /// As many as the model can use.
    Max,
}

impl Effort {
    /// Tokens set aside for thoughts, on top of those of the answer.
    pub fn tokens(self) -> u32 {
        match self {
            Self::None => 0,
            Self::Minimal => 512,
            Self::Low => 1024,
            Self::Medium => 8192,
            Self::High => 24_576,
            Self::Xhigh | Self::Max => 32_768,
        }
    }

    /// Its name, as manifests, locks and OpenAI write it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Minimal => "minimal",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Xhigh => "xhigh",
            Self::Max => "max",
        }
    }
}

impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
