//! Parts of an act, as law names them: `7`, `8(3)`, `Annex II`, `Chapter IV`.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// The kind of division a part starts from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Division {
    /// An article: written without a word, `8(3)`.
    Article,
    /// An annex.
    Annex,
    /// A chapter.
    Chapter,
    /// A title (a group of chapters).
    Title,
    /// A section.
    Section,
    /// A part (a group of titles).
    Part,
    /// A protocol.
    Protocol,
    /// A recital.
    Recital,
}

const WORDS: [(Division, &str); 7] = [
    (Division::Annex, "Annex"),
    (Division::Chapter, "Chapter"),
    (Division::Title, "Title"),
    (Division::Section, "Section"),
    (Division::Part, "Part"),
    (Division::Protocol, "Protocol"),
    (Division::Recital, "Recital"),
];

/// A part of an act: a division, its label, and the steps down from it (`8(3)(a)` has label `8`, steps `3`, `a`).
/// A step without a label of its own, or that is no point, says what it is: `8(3)(indent 2)`, `Chapter III(Section 1)`.
///
/// ```
/// use legal_link::law::Part;
/// let part: Part = "8(3)".parse().unwrap();
/// assert!("8".parse::<Part>().unwrap().contains(&part));
/// assert_eq!("Annex II".parse::<Part>().unwrap().to_string(), "Annex II");
/// assert_eq!(part.long(), "Article 8(3)");
/// assert_eq!("8(3)(indent 2)".parse::<Part>().unwrap().long(), "Article 8(3), second indent");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Part {
    division: Division,
    label: String,
    steps: Vec<String>,
}

/// A text that names no part of an act.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` names no part of an act (write `7`, `8(3)`, `Annex II`, `Chapter IV`)")]
pub struct PartError(pub String);

impl Part {
    /// The article with this label (`7`, `2f`, `9bis`).
    ///
    /// # Errors
    /// [`PartError`] if the label is empty or holds anything but letters, digits and dashes.
    pub fn article(label: &str) -> Result<Self, PartError> {
        Self::new(Division::Article, label, Vec::new())
    }

    /// A part from its division, label and steps.
    ///
    /// # Errors
    /// [`PartError`] if a label is empty or holds anything but letters, digits, dots and dashes.
    pub fn new(division: Division, label: &str, steps: Vec<String>) -> Result<Self, PartError> {
        let fine = |s: &str| s.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '.' | '/'));
        // A step is a label (`3`, `a`), or says which kind of step it is (`indent 2`, `Section 1`).
        let label = label.trim();
        let empty_allowed = division == Division::Annex;
        let bad = |s: &String| s.splitn(2, ' ').any(|s| s.is_empty() || !fine(s));
        if !fine(label) || (label.is_empty() && !empty_allowed) || steps.iter().any(bad) {
            return Err(PartError(format!("{label} {steps:?}")));
        }
        Ok(Self { division, label: label.to_string(), steps })
    }

    /// The division that the part starts from.
    pub fn division(&self) -> Division {
        self.division
    }

    /// The label of the division: `8` in `8(3)`; empty for an only annex.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The steps below it: `["3"]` in `8(3)`.
    pub fn steps(&self) -> &[String] {
        &self.steps
    }

    /// The part one step further down.
    ///
    /// # Errors
    /// [`PartError`] if the step is no label.
    pub fn child(&self, step: &str) -> Result<Self, PartError> {
        let mut steps = self.steps.clone();
        steps.push(step.to_string());
        Self::new(self.division, &self.label, steps)
    }

    /// Whether `other` is this part or lies in it. Known from the labels alone: whether an article
    /// stands in a chapter is not, and needs the act ([`crate::law::Act::holds`]).
    pub fn contains(&self, other: &Self) -> bool {
        self.division == other.division
            && self.label.eq_ignore_ascii_case(&other.label)
            && other.steps.starts_with(&self.steps)
    }

    /// As prose names it: `Article 8(3)`, `Annex II`, `Article 8(3), second indent`, `Chapter III, Section 1`.
    pub fn long(&self) -> String {
        let plain = self.steps.iter().take_while(|s| !s.contains(' ')).count();
        let head = Self { steps: self.steps[..plain].to_vec(), ..self.clone() };
        let mut text = if self.division == Division::Article { format!("Article {head}") } else { head.to_string() };
        for step in &self.steps[plain..] {
            match step.split_once(' ') {
                Some((word @ ("indent" | "subparagraph"), n)) => text.extend([", ", &ordinal(n), " ", word]),
                Some(_) => text.extend([", ", step]),
                None => text.extend([", point (", step, ")"]),
            }
        }
        text
    }
}

/// `second` for `2`; from the eleventh on, `11th`.
fn ordinal(number: &str) -> String {
    const WORDS: [&str; 10] =
        ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
    let word = number.parse::<usize>().ok().and_then(|n| WORDS.get(n.checked_sub(1)?));
    word.map_or_else(|| format!("{number}th"), |w| (*w).to_string())
}

impl FromStr for Part {
    type Err = PartError;
    fn from_str(text: &str) -> Result<Self, PartError> {
        let wrong = || PartError(text.to_string());
        let text = text.trim();
        let (division, rest) = WORDS
            .iter()
            .find_map(|(d, word)| {
                let head = text.get(..word.len())?;
                let rest = &text[word.len()..];
                let ends = rest.is_empty() || rest.starts_with([' ', '(', '\u{a0}']);
                (head.eq_ignore_ascii_case(word) && ends).then_some((*d, rest.trim_start()))
            })
            .or_else(|| {
                let head = text.get(..8).filter(|h| h.eq_ignore_ascii_case("article "));
                Some((Division::Article, if head.is_some() { text[8..].trim_start() } else { text }))
            })
            .ok_or_else(wrong)?;
        let (label, mut steps_text) = match rest.find('(') {
            Some(at) => rest.split_at(at),
            None => (rest, ""),
        };
        let mut steps = Vec::new();
        while !steps_text.is_empty() {
            let inner = steps_text.trim_start().strip_prefix('(').ok_or_else(wrong)?;
            let close = inner.find(')').ok_or_else(wrong)?;
            steps.push(inner[..close].trim().to_string());
            steps_text = inner[close + 1..].trim_start();
        }
        Self::new(division, label, steps).map_err(|_| wrong())
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((_, word)) = WORDS.iter().find(|(d, _)| *d == self.division) {
            f.write_str(word)?;
            if !self.label.is_empty() {
                f.write_str(" ")?;
            }
        }
        f.write_str(&self.label)?;
        self.steps.iter().try_for_each(|s| write!(f, "({s})"))
    }
}

impl Serialize for Part {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Part {
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
        fn what_is_printed_is_read(
            word in "(|Annex|Chapter|Title|Section|Part|Protocol|Recital)",
            label in "[0-9]{1,3}(bis|ter|[a-z]{0,2})|[IVX]{1,4}|[A-Z]",
            steps in prop::collection::vec("[0-9]{1,2}|[a-z]{1,4}", 0..4),
        ) {
            let division = WORDS.iter().find(|(_, w)| *w == word).map_or(Division::Article, |(d, _)| *d);
            let part = Part::new(division, &label, steps).expect("a part");
            prop_assert_eq!(part.to_string().parse::<Part>(), Ok(part.clone()));
            prop_assert_eq!(part.long().parse::<Part>(), Ok(part));
        }
    }
}
