//! CELEX numbers: the identifier every EU act is known by.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// A CELEX number, kept exactly as written and known to be well-formed.
///
/// ```
/// use legal_link::law::Celex;
/// let celex: Celex = "32016R0679R(02)".parse().unwrap();
/// assert_eq!(celex.to_string(), "32016R0679R(02)");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Celex(Box<str>);

/// A text that is no CELEX number.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no CELEX number (for instance 32016R0679, 31995L0046, 32016R0679R(02), 02016R0679-20160504)")]
pub struct CelexError(pub String);

impl Celex {
    /// The text, as written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Celex {
    type Err = CelexError;
    fn from_str(text: &str) -> Result<Self, CelexError> {
        let fine = text.len() >= 4
            && text.starts_with(|c: char| c.is_ascii_digit() || c == 'C' || c == 'E')
            && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '(' | ')' | '-' | '/' | '_' | '.'));
        if fine { Ok(Self(text.into())) } else { Err(CelexError(text.to_string())) }
    }
}

impl fmt::Display for Celex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for Celex {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Celex {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}
