//! One end of a relation: an act, or a part of one.

use super::{Celex, CelexError, Division, Part, PartError};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// An act, or a part of an act: `31962R0017`, `31962R0017#8(3)`.
///
/// ```
/// use legal_link::law::Endpoint;
/// let end: Endpoint = "31962R0017#8(3)".parse().unwrap();
/// assert_eq!(end.part.as_ref().unwrap().to_string(), "8(3)");
/// assert_eq!(end.to_string(), "31962R0017#8(3)");
/// assert_eq!(end.published(), "31962R0017_article_8.3");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Endpoint {
    /// The act.
    pub celex: Celex,
    /// The part of it, if only a part is meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<Part>,
}

/// A text that names no act and no part of one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EndpointError {
    /// The act is not named by a CELEX number.
    #[error(transparent)]
    Celex(#[from] CelexError),
    /// What stands after `#` is no part.
    #[error(transparent)]
    Part(#[from] PartError),
}

/// The words for divisions in published ids.
const WORDS: [(Division, &str); 8] = [
    (Division::Article, "article"),
    (Division::Annex, "annex"),
    (Division::Chapter, "chapter"),
    (Division::Title, "title"),
    (Division::Section, "section"),
    (Division::Part, "part"),
    (Division::Protocol, "protocol"),
    (Division::Recital, "recital"),
];

impl Endpoint {
    /// As the published dataset writes it: a part as `_article_5.4` or `_annex_2` behind its act.
    pub fn published(&self) -> String {
        let Some(part) = &self.part else { return self.celex.to_string() };
        let word = WORDS.iter().find(|(d, _)| *d == part.division()).map_or("", |(_, word)| word);
        let mut text = format!("{}_{word}", self.celex);
        let steps =
            std::iter::once(part.label()).filter(|l| !l.is_empty()).chain(part.steps().iter().map(String::as_str));
        for (i, step) in steps.enumerate() {
            text.push(if i == 0 { '_' } else { '.' });
            text.push_str(step);
        }
        text
    }

    /// Reads an end as [`Endpoint::published`] writes it; the whole text must be one.
    ///
    /// # Errors
    /// [`CelexError`] if it is none.
    pub fn from_published(text: &str) -> Result<Self, CelexError> {
        match Self::published_head(text) {
            Some((end, "")) => Ok(end),
            _ => Err(CelexError(text.to_string())),
        }
    }

    /// The end with which a text begins, and what follows it. A CELEX number may hold `_` itself (national measures,
    /// companions of judgments), so the longest piece up to a `_` that is one is taken.
    pub(super) fn published_head(text: &str) -> Option<(Self, &str)> {
        let (celex, rest) = celex_head(text)?;
        let named = WORDS.iter().find_map(|(division, word)| {
            let after = rest.strip_prefix('_')?.strip_prefix(word)?;
            (after.is_empty() || after.starts_with('_')).then_some((*division, after))
        });
        let Some((division, after)) = named else { return Some((Self { celex, part: None }, rest)) };
        let (label, rest) = match after.strip_prefix('_').map(|a| a.split_at(a.find('_').unwrap_or(a.len()))) {
            // A relation and an act are no labels: an only annex has none.
            Some((label, rest)) if is_label(label) && celex_head(&after[1..]).is_none() => (label, rest),
            _ => ("", after),
        };
        let mut steps = label.split('.');
        let label = steps.next().unwrap_or_default();
        let part = Part::new(division, label, steps.map(str::to_string).collect()).ok()?;
        Some((Self { celex, part: Some(part) }, rest))
    }
}

/// The longest CELEX number up to a `_` with which a text begins, and the rest.
fn celex_head(text: &str) -> Option<(Celex, &str)> {
    let cuts = text.match_indices('_').map(|(at, _)| at).chain([text.len()]).take(3);
    cuts.filter_map(|at| Some((text[..at].parse().ok()?, &text[at..]))).last()
}

/// `2f`, `5.4`, `IV`, `B`: digits or capitals first.
fn is_label(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit() || c.is_ascii_uppercase()) && text.len() <= 16
}

impl From<Celex> for Endpoint {
    fn from(celex: Celex) -> Self {
        Self { celex, part: None }
    }
}

impl FromStr for Endpoint {
    type Err = EndpointError;
    fn from_str(text: &str) -> Result<Self, EndpointError> {
        Ok(match text.split_once('#') {
            Some((celex, part)) => Self { celex: celex.parse()?, part: Some(part.parse()?) },
            None => Self { celex: text.parse()?, part: None },
        })
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.celex)?;
        self.part.iter().try_for_each(|p| write!(f, "#{p}"))
    }
}
