//! The words with which defects are planted, as data (`rubrics/defects.toml`).

use serde::Deserialize;

/// Words for the planter.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DefectWords {
    /// Raised when figures of one version cannot be compared with another's.
    pub version: u32,
    /// References to a document as such.
    pub generic: Vec<String>,
    /// Absurd options.
    pub implausible: Vec<String>,
    /// Sentences that say nothing.
    pub padding: Vec<String>,
    /// Questions about trifles.
    pub trivia: Trivia,
}

/// Stems with `{act}` for an act's designation.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trivia {
    /// Asks for the day of publication.
    pub published: String,
    /// Asks for the day of signature.
    pub made: String,
}

/// Words that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("defects.toml: {0}")]
pub struct DefectWordsError(pub String);

impl DefectWords {
    /// Reads the words.
    ///
    /// # Errors
    /// [`DefectWordsError`]: no TOML, unknown keys, an empty list, fewer than two absurd options, a stem without `{act}`.
    pub fn parse(text: &str) -> Result<Self, DefectWordsError> {
        let words: Self = toml::from_str(text).map_err(|e| DefectWordsError(e.message().to_string()))?;
        let wrong = match () {
            () if words.generic.is_empty() || words.padding.is_empty() => "`generic` and `padding` may not be empty",
            () if words.implausible.len() < 2 => "`implausible` needs at least two options",
            () if ![&words.trivia.published, &words.trivia.made].iter().all(|s| s.contains("{act}")) => {
                "a stem of [trivia] has no `{act}`"
            }
            () => return Ok(words),
        };
        Err(DefectWordsError(wrong.to_string()))
    }
}
