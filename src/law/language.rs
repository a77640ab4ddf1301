//! Languages, by their three-letter codes.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// A language by its ISO 639-3 (terminological) code, as CELLAR wants it: `eng`, `deu`, `fra`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Language([u8; 3]);

/// A text that is no three-letter language code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no three-letter language code (write eng, deu, fra, ...)")]
pub struct LanguageError(pub String);

impl Language {
    /// English.
    pub const ENGLISH: Self = Self(*b"eng");
}

impl FromStr for Language {
    type Err = LanguageError;
    fn from_str(text: &str) -> Result<Self, LanguageError> {
        match text.as_bytes() {
            &[a, b, c] if [a, b, c].iter().all(u8::is_ascii_lowercase) => Ok(Self([a, b, c])),
            _ => Err(LanguageError(text.to_string())),
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|b| write!(f, "{}", char::from(*b)))
    }
}

impl Serialize for Language {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Language {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}
