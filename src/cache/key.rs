//! Names of what is kept.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// The name of something kept: one to eight segments between slashes, as in `act/32016R0679/eng/oj-eli`.
///
/// A segment holds letters, digits and `-._~()+=:%` and is neither `.` nor `..`, so that a key is also a
/// path below a folder and a word in a line of text.
///
/// ```
/// use legal_link::cache::Key;
/// assert!("stage/parse/4be1".parse::<Key>().is_ok());
/// assert!("stage/../secret".parse::<Key>().is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(Box<str>);

/// A text that is no [`Key`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no key (want one to eight segments of letters, digits and -._~()+=:% between slashes)")]
pub struct KeyError(pub String);

impl Key {
    /// The longest key, in bytes.
    pub const LONGEST: usize = 400;

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The segments, in order.
    pub fn segments(&self) -> impl Iterator<Item = &str> {
        self.0.split('/')
    }

    /// The key of these segments, each first made fit by [`Key::segment`].
    ///
    /// # Errors
    /// [`KeyError`] where there are too many, one is empty, or all are too long.
    pub fn of<'a>(segments: impl IntoIterator<Item = &'a str>) -> Result<Self, KeyError> {
        segments.into_iter().map(Self::segment).collect::<Vec<_>>().join("/").parse()
    }

    /// Any text as a segment: every byte that a segment cannot hold, and `%` itself, as `%` and two hex digits.
    pub fn segment(text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        for byte in text.bytes() {
            if byte != b'%' && holds(byte) {
                out.push(char::from(byte));
            } else {
                out.push('%');
                out.extend([byte >> 4, byte & 15].map(|half| char::from(b"0123456789ABCDEF"[usize::from(half)])));
            }
        }
        out
    }

    /// The text that [`Key::segment`] was given, if the escapes are sound.
    pub fn plain(segment: &str) -> Option<String> {
        let mut out = Vec::with_capacity(segment.len());
        let mut rest = segment.as_bytes();
        while let Some((&byte, after)) = rest.split_first() {
            rest = after;
            if byte == b'%' {
                let (digits, after) = rest.split_at_checked(2)?;
                out.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
                rest = after;
            } else {
                out.push(byte);
            }
        }
        String::from_utf8(out).ok()
    }
}

fn holds(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~()+=:%".contains(&byte)
}

impl FromStr for Key {
    type Err = KeyError;
    fn from_str(text: &str) -> Result<Self, KeyError> {
        let fine = text.len() <= Self::LONGEST
            && text.split('/').count() <= 8
            && text.split('/').all(|s| !matches!(s, "" | "." | "..") && s.bytes().all(holds));
        if fine { Ok(Self(text.into())) } else { Err(KeyError(text.chars().take(120).collect())) }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for Key {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_segment_round_trips(text in any::<String>()) {
            prop_assert_eq!(Key::plain(&Key::segment(&text)), Some(text));
        }
    }
}
