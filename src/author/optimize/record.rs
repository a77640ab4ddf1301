//! What was decided, as it is kept: one record per proposal.

use super::objection::Objection;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;

/// A score of one item: the weighted total, and the level of each criterion. Integers, so that ties are exact.
///
/// In JSON it is a list, the total first: a decision holds one for each pair of the selection.
///
/// ```
/// # use legal_link::author::optimize::Score;
/// let score = Score { total: 9, criteria: vec![4, 5] };
/// assert_eq!(serde_json::to_string(&score).unwrap(), "[9,4,5]");
/// assert_eq!(serde_json::from_str::<Score>("[9,4,5]").unwrap(), score);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Score {
    /// The total; 0 where a hard rule was broken, or no item came.
    pub total: u32,
    /// Weight x level of each criterion, in the rubric's order.
    pub criteria: Vec<u32>,
}

impl Serialize for Score {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(std::iter::once(&self.total).chain(&self.criteria))
    }
}

impl<'de> Deserialize<'de> for Score {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut criteria = Vec::<u32>::deserialize(deserializer)?;
        if criteria.is_empty() {
            return Err(serde::de::Error::custom("a score is a list that begins with its total"));
        }
        Ok(Self { total: criteria.remove(0), criteria })
    }
}

/// A score with its reasons, which are what is reflected on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scored {
    /// The score.
    pub score: Score,
    /// What the gates or the judge said of the item.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub feedback: String,
}

/// Where a proposal comes from. Candidates are named by their place in the pool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// The prompts that the run began with.
    Seed,
    /// Components written anew, one after the other.
    Reflection {
        /// Whose components.
        parent: usize,
        /// Which, and in the light of what.
        rounds: Vec<Round>,
    },
    /// Components of two candidates, each taken from the one that changed it.
    Merge {
        /// The two.
        of: [usize; 2],
        /// The last that both come from.
        ancestor: usize,
        /// The pairs of the selection it is tried on.
        trial: Vec<usize>,
    },
}

/// One reflection, as it is planned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Round {
    /// The component.
    pub component: String,
    /// The pairs reflected on, by their places.
    pub minibatch: Vec<usize>,
}

/// One reflection, and what became of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tried {
    /// How the prompts did on the minibatch that were there before.
    pub before: Vec<Scored>,
    /// The component's new text, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// How the prompts with it did.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<Scored>,
    /// Why it was not taken, if it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<Cause>,
}

/// A proposal and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settled {
    /// Its number, in the order in which proposals were begun; the prompts at the start are 0.
    pub number: u64,
    /// Where it comes from.
    pub origin: Origin,
    /// The components that differ from the first parent's, whole; where no reflection passed, the last that was tried.
    pub texts: BTreeMap<String, String>,
    /// What became of the reflections, as far as it came.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rounds: Vec<Tried>,
    /// How a merge did on its trial.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trial: Vec<Score>,
    /// How it did on the selection, as far as it was tried.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub whole: Vec<Score>,
    /// Of pairs of the selection for which it got nothing, by place: why. What was said of the others is not kept, since
    /// nobody reflects on it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub nothing: BTreeMap<usize, String>,
    /// Evaluations that it cost.
    pub evaluations: u64,
    /// What became of it.
    pub verdict: Verdict,
}

/// What became of a proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It is in the pool, at this place.
    Accepted(usize),
    /// It is not.
    Rejected(Cause),
}

/// Why a proposal is not in the pool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// There was nothing to mend.
    #[error("the parent's scores on the minibatch are perfect")]
    NothingToMend,
    /// Reflection gave no text.
    #[error("reflection gave no text: {0}")]
    NoText(String),
    /// The text may not be used.
    #[error(transparent)]
    Objection(Objection),
    /// These prompts were tried before.
    #[error("these prompts were tried before")]
    Repeated,
    /// It did not do better where its parent was tried.
    #[error("it scored {after} where {before} was to beat")]
    NoBetter {
        /// Its sum on the minibatch or the trial.
        after: u64,
        /// The sum to beat.
        before: u64,
    },
    /// As far as it was tried on the selection it was worse than a candidate that it comes from.
    #[error("on {tried} pairs of the selection it was worse than a candidate that it comes from")]
    Behind {
        /// Pairs it was tried on.
        tried: usize,
    },
}

impl Origin {
    /// Places of the candidates that it comes from.
    pub fn parents(&self) -> Vec<usize> {
        match self {
            Self::Seed => Vec::new(),
            Self::Reflection { parent, .. } => vec![*parent],
            Self::Merge { of, .. } => of.to_vec(),
        }
    }
}

impl Cause {
    /// The reason without its figures, to count by.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::NothingToMend => "the parent's scores were perfect",
            Self::NoText(_) => "reflection gave no text",
            Self::Objection(Objection::Empty) => "the text was empty",
            Self::Objection(Objection::Unchanged) => "the text was what it was",
            Self::Objection(Objection::TooLong { .. }) => "the text was too long",
            Self::Objection(Objection::Unprotected(_)) => "a protected block was gone",
            Self::Objection(Objection::Protecting(_)) => "it protected a block of its own",
            Self::Objection(Objection::Copied(_)) => "it copied from an act",
            Self::Repeated => "the prompts were tried before",
            Self::NoBetter { .. } => "no better on its minibatch",
            Self::Behind { .. } => "behind on the selection",
        }
    }
}

impl Settled {
    /// The place it has in the pool, if it has one.
    pub fn place(&self) -> Option<usize> {
        match self.verdict {
            Verdict::Accepted(place) => Some(place),
            Verdict::Rejected(_) => None,
        }
    }
}

/// The sum of the totals.
pub(super) fn sum<'a>(scores: impl IntoIterator<Item = &'a Score>) -> u64 {
    scores.into_iter().map(|score| u64::from(score.total)).sum()
}
