//! What reflection may not do to a prompt.

use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// Where a protected block begins and ends: what stands between these lines must stay, to the letter.
const PROTECTED: [&str; 2] = ["<!-- keep -->", "<!-- /keep -->"];
/// A run of so many words that stands in a source too is taken for copied.
const COPIED_WORDS: usize = 9;

/// Why a text may not be used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum Objection {
    /// There is no text.
    #[error("the text is empty")]
    Empty,
    /// It is what it was.
    #[error("the text is what it was")]
    Unchanged,
    /// It is too long.
    #[error("the text has {length} characters, and {longest} are allowed")]
    TooLong {
        /// Its length.
        length: usize,
        /// The most that are allowed.
        longest: usize,
    },
    /// A protected block is gone or altered.
    #[error("a protected block is gone or altered: {0}")]
    Unprotected(String),
    /// It protects something itself, which no later reflection could mend.
    #[error("it protects a block of its own: {0}")]
    Protecting(String),
    /// It copies from a source.
    #[error("it copies from an act: {0}")]
    Copied(String),
}

/// What proposals are held against.
#[derive(Debug, Clone, Default)]
pub struct Objections {
    longest: usize,
    sources: HashSet<u64>,
}

impl Objections {
    /// Objects to texts of more than `longest` characters, and to runs of nine words of these sources.
    pub fn new<'a>(longest: usize, sources: impl IntoIterator<Item = &'a str>) -> Self {
        let sources = sources.into_iter().flat_map(|text| runs(text).map(|(hash, _)| hash)).collect();
        Self { longest, sources }
    }

    /// Why `proposed` may not take the place of `current`, if it may not.
    pub fn object(&self, current: &str, proposed: &str) -> Option<Objection> {
        let length = proposed.chars().count();
        if !proposed.contains(char::is_alphanumeric) {
            return Some(Objection::Empty);
        }
        // Other blanks are not worth an evaluation.
        if proposed.split_whitespace().eq(current.split_whitespace()) {
            return Some(Objection::Unchanged);
        }
        if length > self.longest {
            return Some(Objection::TooLong { length, longest: self.longest });
        }
        let begins = |block: &str| block.trim().chars().take(80).collect();
        let kept = protected(current);
        if let Some(lost) = kept.iter().find(|block| !proposed.contains(*block)) {
            return Some(Objection::Unprotected(begins(lost)));
        }
        if let Some(own) = protected(proposed).into_iter().find(|block| !kept.contains(block)) {
            return Some(Objection::Protecting(begins(own)));
        }
        let known: HashSet<u64> = runs(current).map(|(hash, _)| hash).collect();
        let copied = runs(proposed).find(|(hash, _)| self.sources.contains(hash) && !known.contains(hash));
        copied.map(|(_, words)| Objection::Copied(words))
    }
}

/// A prompt as it is sent: without the lines that only mark what is protected.
///
/// ```
/// use legal_link::author::optimize::without_marks;
/// assert_eq!(without_marks("a\n<!-- keep -->\nb\n<!-- /keep -->\nc\n"), "a\nb\nc\n");
/// ```
pub fn without_marks(text: &str) -> String {
    text.split_inclusive('\n').filter(|line| !PROTECTED.contains(&line.trim())).collect()
}

/// The protected blocks of a text, with their marks. A block without an end goes to the end of the text.
fn protected(text: &str) -> Vec<&str> {
    let mut blocks = Vec::new();
    let mut from = 0;
    while let Some(start) = text[from..].find(PROTECTED[0]).map(|at| from + at) {
        let end = text[start..].find(PROTECTED[1]).map_or(text.len(), |at| start + at + PROTECTED[1].len());
        blocks.push(&text[start..end]);
        from = end;
    }
    blocks
}

/// The runs of [`COPIED_WORDS`] words, each with a hash. Letter case and punctuation do not count.
fn runs(text: &str) -> impl Iterator<Item = (u64, String)> {
    let words: Vec<String> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
    let count = (words.len() + 1).saturating_sub(COPIED_WORDS);
    (0..count).map(move |at| {
        let run = words[at..at + COPIED_WORDS].join(" ");
        let digest = crate::law::Digest::of(run.as_bytes());
        (digest.as_bytes()[..8].iter().fold(0, |n, byte| n << 8 | u64::from(*byte)), run)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_may_be_put_otherwise_and_not_lose_what_is_protected() {
        let checks =
            Objections::new(400, ["Operators of invented mills shall paint every second wheel green before noon."]);
        let current = "Write well.\n<!-- keep -->\nReply in JSON.\n<!-- /keep -->\nBe brief.";
        let fine = "Write better.\n<!-- keep -->\nReply in JSON.\n<!-- /keep -->";
        assert_eq!(checks.object(current, fine), None);
        assert_eq!(checks.object(current, " \n"), Some(Objection::Empty));
        assert_eq!(checks.object(current, "\u{200b}"), Some(Objection::Empty));
        assert_eq!(checks.object(current, current), Some(Objection::Unchanged));
        assert_eq!(checks.object(current, &format!("{} \n", current.replace('.', ". "))), Some(Objection::Unchanged));
        let own = checks.object(current, &format!("{fine}\n<!-- keep -->\nPraise it."));
        assert_eq!(own, Some(Objection::Protecting("<!-- keep -->\nPraise it.".to_string())));
        let lost = checks.object(current, "Write better. Reply in JSON.");
        assert!(matches!(lost, Some(Objection::Unprotected(block)) if block.contains("Reply in JSON.")));
        let long = "a ".repeat(300);
        assert_eq!(checks.object("b", &long), Some(Objection::TooLong { length: 600, longest: 400 }));
        let copied = checks.object("b", "Say: shall paint every second wheel green, BEFORE noon!");
        assert!(copied.is_none(), "eight words of a source are no copy: {copied:?}");
        let copied = checks.object("b", "Say: mills shall paint every second wheel green, BEFORE noon!");
        assert!(matches!(copied, Some(Objection::Copied(_))), "{copied:?}");
    }

    #[test]
    fn a_block_without_an_end_goes_to_the_end() {
        assert_eq!(protected("a <!-- keep --> b"), ["<!-- keep --> b"]);
        assert!(protected("no block").is_empty());
    }
}
