//! What is asked for whole.

use super::{Around, SparqlError};
use crate::law::{Registry, RelationType};
use crate::parse::{Results, Solution};
use std::fmt;

/// What the addresses of works have in common up to here.
const ADDRESS: &str = "resource/";

/// A question whose rows are enumerated.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Question {
    /// Which act acts on which.
    Edges(RelationType),
    /// What is annotated to those statements: parts, days, roles, languages.
    Annotations(RelationType),
    /// Dates and flags of the acts at both ends.
    Dates(RelationType),
    /// What is annotated to the statements in which some acts stand, whatever the relation.
    AnnotationsAround(Around),
    /// Dates and flags of the acts at the other end of those statements.
    DatesAround(Around),
    /// Consolidated states.
    States,
}

impl Question {
    /// The relation it is about.
    pub fn relation(&self) -> Option<&RelationType> {
        match self {
            Self::Edges(relation) | Self::Annotations(relation) | Self::Dates(relation) => Some(relation),
            Self::AnnotationsAround(_) | Self::DatesAround(_) | Self::States => None,
        }
    }

    /// What stands in those slots of its query that are its own.
    pub(super) fn slots(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::AnnotationsAround(around) | Self::DatesAround(around) => around.slots().into(),
            Self::Edges(_) | Self::Annotations(_) | Self::Dates(_) | Self::States => Vec::new(),
        }
    }

    /// Its query, slots open.
    pub(super) fn text(&self) -> &'static str {
        match self {
            Self::Edges(_) => include_str!("../queries/edges.rq"),
            Self::Annotations(_) => include_str!("../queries/annotations.rq"),
            Self::Dates(_) => include_str!("../queries/dates.rq"),
            Self::AnnotationsAround(_) => include_str!("../queries/annotations_around.rq"),
            Self::DatesAround(_) => include_str!("../queries/dates_around.rq"),
            Self::States => include_str!("../queries/states.rq"),
        }
    }

    /// How its rows name the work that it is about (address and number), and the other one.
    fn ends(&self) -> (&'static str, &'static str, Option<&'static str>) {
        match self {
            Self::Edges(_) | Self::Annotations(_) | Self::AnnotationsAround(_) => {
                ("source", "source_celex", Some("target"))
            }
            Self::Dates(_) | Self::DatesAround(_) => ("work", "celex", None),
            Self::States => ("consolidated", "consolidated_celex", Some("act")),
        }
    }

    /// The variables of the work that it is about: its address and its number.
    pub(super) fn about(&self) -> (&'static str, &'static str) {
        let (work, number, _) = self.ends();
        (work, number)
    }

    /// The key of its rows, as the engine computes it. Nothing in it may be missing from a row.
    pub(super) fn key(&self, nameless: bool) -> String {
        let (work, number, other) = self.ends();
        let first = if nameless { work } else { number };
        let other = other.map_or("\"\"".to_string(), |other| format!("STRAFTER(STR(?{other}), \"{ADDRESS}\")"));
        format!("CONCAT(STR(?{first}), \" \", {other})")
    }

    /// The key of a row, as it must come out.
    pub(super) fn key_of(&self, results: &Results, row: &Solution) -> String {
        let (work, number, other) = self.ends();
        let first = results.value(row, number).or_else(|| results.value(row, work)).unwrap_or_default();
        let other = other.and_then(|other| results.value(row, other)?.split_once(ADDRESS)).map_or("", |(_, tail)| tail);
        format!("{first} {other}")
    }

    /// The predicates it is asked about, one after the other: all forward ones of its relation. None names the one
    /// that stands in the query itself.
    pub(super) fn predicates(&self, registry: &Registry) -> Result<Vec<Option<String>>, SparqlError> {
        let Some(relation) = self.relation() else { return Ok(vec![None]) };
        let predicates = registry.spec(relation).map(|spec| spec.predicates.clone()).unwrap_or_default();
        if predicates.is_empty() {
            return Err(SparqlError::NoPredicate(relation.clone()));
        }
        Ok(predicates.into_iter().map(Some).collect())
    }
}

/// As in its document's name: `edges.repeals`.
impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Edges(relation) => write!(f, "edges.{relation}"),
            Self::Annotations(relation) => write!(f, "annotations.{relation}"),
            Self::Dates(relation) => write!(f, "dates.{relation}"),
            Self::AnnotationsAround(around) => write!(f, "annotations.{around}"),
            Self::DatesAround(around) => write!(f, "dates.{around}"),
            Self::States => f.write_str("states"),
        }
    }
}
