//! Some acts, and what is stated of them by others.

use super::query::literal;
use crate::law::{Celex, Digest, local_name};
use std::fmt;
use std::sync::Arc;

/// The position of an act in a statement. The inverse predicates are not in the triple store, so that what is done to an
/// act is asked for with the same predicate as what it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Position {
    /// It acts.
    Acting,
    /// It is acted upon.
    ActedUpon,
}

/// The statements of some predicates in which one of some acts stands in a position.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Around {
    position: Position,
    acts: Arc<[Celex]>,
    predicates: Arc<[String]>,
}

impl Around {
    /// Acts asked about in one question.
    pub const ACTS: usize = 200;

    /// The statements about these acts in both positions, not too many acts at once. The same acts and predicates give
    /// the same, in whatever order they come.
    pub fn all(acts: impl IntoIterator<Item = Celex>, predicates: impl IntoIterator<Item = String>) -> Vec<Self> {
        let (mut acts, mut predicates): (Vec<_>, Vec<_>) =
            (acts.into_iter().collect(), predicates.into_iter().collect());
        acts.sort();
        predicates.sort();
        if predicates.is_empty() {
            return Vec::new();
        }
        let predicates: Arc<[String]> = predicates.into();
        let both = |acts: &[Celex]| {
            let (acts, predicates): (Arc<[Celex]>, _) = (acts.into(), predicates.clone());
            [Position::Acting, Position::ActedUpon].map(|position| Self {
                position,
                acts: acts.clone(),
                predicates: predicates.clone(),
            })
        };
        acts.chunks(Self::ACTS).flat_map(both).collect()
    }

    /// What stands in the slots of its queries.
    pub(super) fn slots(&self) -> [(&'static str, String); 5] {
        let acts: Vec<String> =
            self.acts.iter().map(|act| format!("\"{}\"^^xsd:string", literal(act.as_str()))).collect();
        let predicates: Vec<String> = self.predicates.iter().map(|name| format!("cdm:{}", local_name(name))).collect();
        let (position, [source, target]) = match self.position {
            Position::Acting => ("source", ["act", "work"]),
            Position::ActedUpon => ("target", ["work", "act"]),
        };
        [
            ("acts", acts.join(" ")),
            ("predicates", predicates.join(" ")),
            ("act", position.to_string()),
            ("source", source.to_string()),
            ("target", target.to_string()),
        ]
    }
}

/// As in a document's name: the position, and which acts and predicates.
impl fmt::Display for Around {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let acts = self.acts.iter().map(|act| act.as_str().as_bytes());
        let which = Digest::of_fields(acts.chain(self.predicates.iter().map(String::as_bytes)));
        let position = match self.position {
            Position::Acting => "by",
            Position::ActedUpon => "onto",
        };
        write!(f, "{position}.{}", which.short(16))
    }
}
