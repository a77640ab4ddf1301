//! Claims: the closed form in which an option or a stem says something that code can check.

use crate::law::{Celex, Day, Part};
use serde::{Deserialize, Serialize};
use std::fmt;

/// One assertion, or its denial.
///
/// ```
/// use legal_link::dataset::Claim;
/// let claim: Claim = serde_json::from_str(
///     r#"{"form":"status","act":"31995L0046","part":null,"is":"in_force","denied":true}"#).unwrap();
/// assert!(claim.denied);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Claim {
    /// What is asserted.
    #[serde(flatten)]
    pub form: ClaimForm,
    /// Whether the opposite is asserted.
    #[serde(default)]
    pub denied: bool,
}

/// The closed set of assertions. All are about the item's day.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "form", rename_all = "snake_case")]
pub enum ClaimForm {
    /// The act or part has this status.
    Status {
        /// The act.
        act: Celex,
        /// The part, if not the whole act.
        #[serde(default)]
        part: Option<Part>,
        /// The status.
        is: StatusWord,
    },
    /// By that day the act or part had been ended by `by`.
    EndedBy {
        /// The act ended.
        act: Celex,
        /// The part ended, if not the whole act.
        #[serde(default)]
        part: Option<Part>,
        /// The act that ended it.
        by: Celex,
    },
    /// Its last day in force, as the law stands on that day, is `last_day`.
    EndsOn {
        /// The act.
        act: Celex,
        /// Last day inside.
        last_day: Day,
    },
    /// On that day it applies to what the words of a widening or narrowing clause name.
    AppliesTo {
        /// The act widened or narrowed.
        act: Celex,
        /// The part touched.
        #[serde(default)]
        part: Option<Part>,
        /// The words of the clause.
        words: String,
    },
    /// On that day `by` adds to it.
    SupplementedBy {
        /// The act supplemented.
        act: Celex,
        /// The supplementing act.
        by: Celex,
    },
    /// The unit, as law on that day, contains these words.
    Reads {
        /// The act.
        act: Celex,
        /// The unit.
        unit: Part,
        /// The words, compared after normalisation.
        words: String,
    },
    /// The option quotes a unit that is in force on that day.
    Quotes {
        /// The act.
        act: Celex,
        /// The unit.
        unit: Part,
        /// The words quoted.
        words: String,
    },
}

/// The status words a claim may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StatusWord {
    /// In force.
    InForce,
    /// Not in force.
    NotInForce,
    /// In force and applicable.
    Applicable,
    /// Not applicable.
    NotApplicable,
}

/// What code says of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Proof {
    /// It holds.
    Proved,
    /// It does not hold.
    Refuted,
    /// What is here does not decide it.
    Undecided,
}

/// The claim in a plain sentence, without a full stop. All claims are about the item's day.
impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.denied {
            f.write_str("it is not so that ")?;
        }
        self.form.fmt(f)
    }
}

impl fmt::Display for ClaimForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Status { act, part, is } => write!(f, "{} {is}", Named(act, part.as_ref())),
            Self::EndedBy { act, part, by } => write!(f, "{} has been ended by {by}", Named(act, part.as_ref())),
            Self::EndsOn { act, last_day } => write!(f, "the last day of {act} is {}", last_day.long()),
            Self::AppliesTo { act, part, words } => {
                write!(f, "{} applies to “{words}”", Named(act, part.as_ref()))
            }
            Self::SupplementedBy { act, by } => write!(f, "{by} adds to {act}"),
            Self::Reads { act, unit, words } => write!(f, "{} contains “{words}”", Named(act, Some(unit))),
            Self::Quotes { act, unit, words } => {
                write!(f, "{} is in force and says “{words}”", Named(act, Some(unit)))
            }
        }
    }
}

impl fmt::Display for StatusWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::InForce => "is in force",
            Self::NotInForce => "is not in force",
            Self::Applicable => "is in force and applicable",
            Self::NotApplicable => "is not applicable",
        })
    }
}

/// An act, or a part of it, as a sentence names it.
struct Named<'a>(&'a Celex, Option<&'a Part>);

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1 {
            Some(part) => write!(f, "{} of {}", part.long(), self.0),
            None => write!(f, "{}", self.0),
        }
    }
}
