//! Citations of acts in prose: which CELEX number the words stand for, and which parts of the act they name.
//!
//! A citation that can mean two acts gives candidates and a reason, never a guess. Which order year and number stand
//! in, and from when, is section 3 of the CELLAR notes. The words of a language are data ([`Languages`]).

mod addressed;
mod anaphora;
mod bind;
mod cases;
mod cursor;
mod designation;
mod fold;
mod languages;
mod makers;
mod named;
mod parts;
mod phrases;
mod reading;
mod titles;
mod wording;

pub use addressed::{Addressed, addressed};
pub(in crate::law) use designation::Designation;
pub use languages::{Languages, LanguagesError};
pub use parts::{PartList, RangeFault};
pub use wording::Wording;

use super::{Celex, Division, Part};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::LazyLock;

/// What kind of document the words name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Noun {
    /// A regulation.
    Regulation,
    /// A directive.
    Directive,
    /// A decision.
    Decision,
    /// A framework decision.
    FrameworkDecision,
    /// A recommendation.
    Recommendation,
    /// A joint action or joint position.
    JointAction,
    /// A common position.
    CommonPosition,
    /// A common strategy.
    CommonStrategy,
    /// A guideline.
    Guideline,
    /// An opinion.
    Opinion,
    /// A case before the Union's courts.
    Case,
    /// A document of the Commission (COM, SWD, SEC, JOIN).
    Document,
    /// A bare CELEX number.
    Number,
}

/// Why a citation has no CELEX number of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// A decision of a joint body under an agreement: several bodies have one of that number.
    AgreementBody,
    /// A decision with a bare number: of an institution or of a joint body, the words do not say.
    BodyNotNamed,
    /// No reading gives a year in which acts were made.
    NoPlausibleYear,
    /// Year and number can stand in either order.
    TwoReadings,
    /// A number without a year.
    YearNotStated,
    /// The number does not tell the type of document.
    TypeNotInIdentifier,
    /// Judgment, order or opinion: the words do not say.
    KindNotStated,
    /// A short form that can mean more than one act named before, or none.
    UnclearReference,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::AgreementBody => {
                "a decision of a joint body under an agreement; several bodies have one of that number"
            }
            Self::BodyNotNamed => "the words do not say whether an institution or a joint body took the decision",
            Self::NoPlausibleYear => "no reading gives a year in which acts were made",
            Self::TwoReadings => "year and number can stand in either order",
            Self::YearNotStated => "the year is not stated",
            Self::TypeNotInIdentifier => "the number does not tell the type of document",
            Self::KindNotStated => "the words do not say whether it is a judgment, an order or an opinion",
            Self::UnclearReference => "the short form can mean more than one act, or none",
        })
    }
}

/// Words that name an act, and what they stand for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Citation {
    /// The words, from the kind of act to the number; of a later member of a list only the member.
    pub text: String,
    /// Offset of their first byte in the text.
    pub start: usize,
    /// Offset after their last byte.
    pub end: usize,
    /// What kind of document the words name.
    pub noun: Noun,
    /// Whether they are a short form without a number ("that Regulation").
    pub short: bool,
    /// The act, where the words leave no doubt.
    pub celex: Option<Celex>,
    /// The acts that are possible where they leave doubt; of a short form the one named last first.
    pub candidates: Vec<Celex>,
    /// The parts of the act that stand bound to it, in order of mention, ranges written out.
    pub parts: Vec<Part>,
    /// Offset of the first byte of the words that name those parts; `start` if there are none.
    pub parts_start: usize,
    /// Why there is no certain act.
    pub reason: Option<Reason>,
}

impl Citation {
    /// The act that the words take: the certain one, or, where a short form can mean several, the one named last.
    pub fn nearest(&self) -> Option<&Celex> {
        self.celex.as_ref().or_else(|| self.candidates.first().filter(|_| self.short))
    }
}

impl Wording {
    /// The citations in a text, in order of mention. Words that name no number ("that Regulation") are left to
    /// [`Wording::references`]. Offsets are bytes of `text`; takes time linear in its length.
    pub fn cite(&self, text: &str) -> Vec<Citation> {
        self.bound_lists(text).1
    }

    /// The lists of parts in a text, each with the index among the citations of the act it is bound to, and those
    /// citations.
    pub fn bound_lists(&self, text: &str) -> (Vec<PartList>, Vec<Citation>) {
        let mut lists = parts::find(self, text);
        let mut found = named::find(self, text);
        bind::bind(self, text, &mut lists, &mut found);
        (lists, found)
    }

    /// All lists of parts in a text, in order of mention; none is bound to an act.
    pub fn part_lists(&self, text: &str) -> Vec<PartList> {
        parts::find(self, text)
    }

    /// The citations in a text with its short forms, in order of mention. "that Directive" and "the Directive" take the
    /// directive named last; where the sentence that names it names another, both are candidates only
    /// ([`Citation::nearest`]). "this Directive" is the act whose text it is (`own`). What stays unclear has a reason.
    pub fn references(&self, text: &str, own: Option<&Celex>) -> Vec<Citation> {
        anaphora::find(self, text, own)
    }
}

/// The words of English, as shipped.
static ENGLISH: LazyLock<Wording> = LazyLock::new(|| {
    Wording::parse(include_str!("../../../rubrics/languages/eng.toml")).expect("the shipped file of English is tested")
});

/// What the words around a citation in an English text say of its act.
pub(in crate::law) fn designation(text: &str, citation: &Citation) -> Designation {
    Designation::of(&ENGLISH, text, citation)
}

/// The citations in an English text: [`Wording::cite`].
///
/// ```
/// use legal_link::law::cite;
/// let found = cite("Articles 5, 6 and 7(2) of Directive 95/46/EC and Regulations (EEC) No 1/71 and (EC) No 2/2001");
/// let acts: Vec<_> = found.iter().map(|c| c.celex.as_ref().unwrap().as_str()).collect();
/// assert_eq!(acts, ["31995L0046", "31971R0001", "32001R0002"]);
/// assert_eq!(found[0].parts.iter().map(ToString::to_string).collect::<Vec<_>>(), ["5", "6", "7(2)"]);
/// ```
pub fn cite(text: &str) -> Vec<Citation> {
    ENGLISH.cite(text)
}

/// The lists of parts in an English text and the citations: [`Wording::bound_lists`].
pub fn bound_lists(text: &str) -> (Vec<PartList>, Vec<Citation>) {
    ENGLISH.bound_lists(text)
}

/// The lists of parts in an English text: [`Wording::part_lists`].
///
/// ```
/// use legal_link::law::part_lists;
/// let lists = part_lists("points (a) and (b) of Article 6(1), and Articles 7 to 9");
/// let parts: Vec<String> = lists.iter().flat_map(|l| &l.parts).map(ToString::to_string).collect();
/// assert_eq!(parts, ["6(1)(a)", "6(1)(b)", "7", "8", "9"]);
/// ```
pub fn part_lists(text: &str) -> Vec<PartList> {
    ENGLISH.part_lists(text)
}

/// The citations and short forms in an English text: [`Wording::references`].
///
/// ```
/// use legal_link::law::references;
/// let text = "Regulation (EU) 2016/679 and Directive 95/46/EC are cited. Article 23 of the Regulation applies.";
/// let found = references(text, None);
/// assert_eq!(found[2].celex.as_ref().unwrap().as_str(), "32016R0679");
/// assert_eq!(found[2].parts[0].to_string(), "23");
/// ```
pub fn references(text: &str, own: Option<&Celex>) -> Vec<Citation> {
    ENGLISH.references(text, own)
}

#[cfg(test)]
mod tests;
