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

    /// The language of a code in any of the spellings in use, any case: two letters (`de`, as the Official
    /// Journal writes), terminological (`deu`) or bibliographic (`ger`). Only official languages of the Union,
    /// and those of the EEA and of old accession treaties.
    ///
    /// ```
    /// use legal_link::law::Language;
    /// assert_eq!(Language::from_code("EL").map(|l| l.to_string()).as_deref(), Some("ell"));
    /// assert_eq!(Language::from_code("gre"), Language::from_code("ell"));
    /// assert_eq!(Language::from_code("mul"), None);
    /// ```
    pub fn from_code(code: &str) -> Option<Self> {
        let code = code.trim().to_ascii_lowercase();
        let known = |(two, three, bibliographic): &&(&str, &[u8; 3], &str)| {
            code == *two || code.as_bytes() == *three || code == *bibliographic
        };
        CODES.iter().find(known).map(|(_, three, _)| Self(**three))
    }
}

/// ISO 639-1, ISO 639-3 (terminological), ISO 639-2/B (bibliographic).
const CODES: [(&str, &[u8; 3], &str); 27] = [
    ("bg", b"bul", "bul"),
    ("cs", b"ces", "cze"),
    ("da", b"dan", "dan"),
    ("de", b"deu", "ger"),
    ("el", b"ell", "gre"),
    ("en", b"eng", "eng"),
    ("es", b"spa", "spa"),
    ("et", b"est", "est"),
    ("fi", b"fin", "fin"),
    ("fr", b"fra", "fre"),
    ("ga", b"gle", "gle"),
    ("hr", b"hrv", "hrv"),
    ("hu", b"hun", "hun"),
    ("is", b"isl", "ice"),
    ("it", b"ita", "ita"),
    ("lt", b"lit", "lit"),
    ("lv", b"lav", "lav"),
    ("mt", b"mlt", "mlt"),
    ("nl", b"nld", "dut"),
    ("no", b"nor", "nor"),
    ("pl", b"pol", "pol"),
    ("pt", b"por", "por"),
    ("ro", b"ron", "rum"),
    ("sk", b"slk", "slo"),
    ("sl", b"slv", "slv"),
    ("sv", b"swe", "swe"),
    ("tr", b"tur", "tur"),
];

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_is_read_and_all_spellings_are_one() {
        for (two, three, bibliographic) in CODES {
            let language = Language(*three);
            assert_eq!(language.to_string().parse(), Ok(language));
            for spelling in [two.to_string(), two.to_uppercase(), bibliographic.to_string(), language.to_string()] {
                assert_eq!(Language::from_code(&spelling), Some(language), "{spelling}");
            }
        }
    }
}
