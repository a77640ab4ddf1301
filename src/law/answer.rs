//! Three-valued answers: law is often uncertain, and a guess is worse than no answer.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Yes, no, or not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// It is so.
    Yes,
    /// It is not so.
    No,
    /// What is here does not decide it.
    Unknown,
}

impl Answer {
    /// Both: no if one is no, yes if both are yes, else unknown (Kleene's strong logic).
    ///
    /// ```
    /// use legal_link::law::Answer::{No, Unknown, Yes};
    /// assert_eq!(Unknown.and(No), No);
    /// assert_eq!(Yes.and(Unknown), Unknown);
    /// ```
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::No, _) | (_, Self::No) => Self::No,
            (Self::Yes, Self::Yes) => Self::Yes,
            _ => Self::Unknown,
        }
    }
}

impl std::ops::Not for Answer {
    type Output = Self;
    fn not(self) -> Self {
        match self {
            Self::Yes => Self::No,
            Self::No => Self::Yes,
            Self::Unknown => Self::Unknown,
        }
    }
}

impl From<bool> for Answer {
    fn from(value: bool) -> Self {
        if value { Self::Yes } else { Self::No }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::Unknown => "unknown",
        })
    }
}
