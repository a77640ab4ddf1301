//! Where the passages of a consolidated text come from.
//!
//! A consolidated text joins an act with what changed it, and marks each passage: `▼M1` before a block, `►C2` and `◄`
//! around words. The marks are no words: they are taken out and kept as origins.

use super::{Celex, Day};
use regex::Regex;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::ops::Range;
use std::str::FromStr;
use std::sync::LazyLock;

/// The mark of an origin: `B` the act itself, `M1` an act that changed it, `A1` an accession, `C1` a corrigendum.
///
/// ```
/// use legal_link::law::Mark;
/// let mark: Mark = "M12".parse().unwrap();
/// assert_eq!(mark.to_string(), "M12");
/// assert!(Mark::BASE < mark && "m1".parse::<Mark>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Mark {
    letter: char,
    /// 0 where none is printed.
    number: u16,
}

/// A text that is no mark of an origin.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no mark of an origin (write B, M1, A1, C1)")]
pub struct MarkError(pub String);

impl Mark {
    /// The act as first published.
    pub const BASE: Self = Self { letter: 'B', number: 0 };

    /// An act that changed the base, by its place in the list.
    pub const fn modifier(number: u16) -> Self {
        Self { letter: 'M', number }
    }

    /// A corrigendum, by its place in the list.
    pub const fn corrigendum(number: u16) -> Self {
        Self { letter: 'C', number }
    }

    /// An act of accession, by its place in the list.
    pub const fn accession(number: u16) -> Self {
        Self { letter: 'A', number }
    }

    /// Whether it stands for a corrigendum.
    pub fn is_corrigendum(self) -> bool {
        self.letter == 'C'
    }
}

impl PartialOrd for Mark {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Mark {
    /// The base, then letters and numbers.
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let key = |m: &Self| (*m != Self::BASE, m.letter, m.number);
        key(self).cmp(&key(other))
    }
}

impl FromStr for Mark {
    type Err = MarkError;
    fn from_str(text: &str) -> Result<Self, MarkError> {
        let wrong = || MarkError(text.to_string());
        let mut chars = text.chars();
        let letter = chars.next().filter(char::is_ascii_uppercase).ok_or_else(wrong)?;
        let digits = chars.as_str();
        let plain = digits.len() <= 4 && digits.bytes().all(|b| b.is_ascii_digit()) && !digits.starts_with('0');
        let number = if digits.is_empty() { Some(0) } else { digits.parse().ok() };
        number.filter(|_| plain).map(|number| Self { letter, number }).ok_or_else(wrong)
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.number {
            0 => write!(f, "{}", self.letter),
            number => write!(f, "{}{number}", self.letter),
        }
    }
}

impl Serialize for Mark {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Mark {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
    }
}

/// From a byte of a unit's text on, up to the next mark, the words have this origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marked {
    /// Offset in the unit's text.
    pub at: usize,
    /// The origin.
    pub mark: Mark,
}

/// An act that a consolidated text is made of, as its head lists it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// Its mark in the text.
    pub mark: Mark,
    /// Its CELEX number, where the text gives it or the printed name leaves no doubt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub act: Option<Celex>,
    /// Its name as printed.
    pub name: String,
    /// The day of the Official Journal that it was published in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published: Option<Day>,
}

/// The marks that a text prints, in order: where each stands (its sign included, blanks around it not), and the origin
/// that it opens; none for `◄`, which closes one.
pub fn marks(text: &str) -> impl Iterator<Item = (Range<usize>, Option<Mark>)> {
    static MARK: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"[►▼]\s*(?P<mark>[A-Z][0-9]{0,4})\b|◄").expect("a fixed pattern"));
    MARK.captures_iter(text).filter_map(|found| {
        let whole = found.get(0)?;
        let mark = found.name("mark").map(|m| m.as_str().parse::<Mark>());
        match mark {
            Some(Err(_)) => None,
            Some(Ok(mark)) => Some((whole.range(), Some(mark))),
            None => Some((whole.range(), None)),
        }
    })
}

/// A consolidated text without its marks, trimmed, white space runs as one blank; and the marks opened, in order.
///
/// ```
/// use legal_link::law::strip_marks;
/// let (text, marks) = strip_marks("▼M3 Article 5 ►B This text. ◄");
/// assert_eq!(text, "Article 5 This text.");
/// assert_eq!(marks, ["M3".parse().unwrap(), "B".parse().unwrap()]);
/// ```
pub fn strip_marks(text: &str) -> (String, Vec<Mark>) {
    let (mut words, mut opened, mut from) = (String::with_capacity(text.len()), Vec::new(), 0);
    for (range, mark) in marks(text) {
        words.push_str(&text[from..range.start]);
        opened.extend(mark);
        from = range.end;
    }
    words.push_str(&text[from..]);
    (words.split_whitespace().collect::<Vec<_>>().join(" "), opened)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_alone_leave_nothing_and_other_arrows_stay() {
        assert_eq!(strip_marks("▼M1\n\n▼B\n"), (String::new(), vec![Mark::modifier(1), Mark::BASE]));
        assert_eq!(strip_marks("► see ▼Mx ►M12345 z").0, "► see ▼Mx ►M12345 z");
    }

    #[test]
    fn a_mark_reads_back() {
        for text in ["B", "M1", "A2", "C13"] {
            assert_eq!(text.parse::<Mark>().map(|m| m.to_string()).as_deref(), Ok(text));
        }
        for text in ["", "1", "M01", "MM", "m1", "M1a", "É1"] {
            assert!(text.parse::<Mark>().is_err(), "{text}");
        }
    }
}
