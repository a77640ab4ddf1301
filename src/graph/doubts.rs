//! Edges that stand in the registers and yet make no fair question.

use super::relation_graph::RelationGraph;
use crate::law::{DatedRelation, Effect, Extent};
use serde::Serialize;

/// Why an edge is kept but not asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Doubt {
    /// It points from an act to itself: an act can end itself by its own terms, but that is no pair.
    ActsOnItself,
    /// The two acts end each other.
    EndEachOther,
    /// The acting act was made before the act it acts on.
    AgainstTime,
}

/// Whether the acting act was made after its target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TimeOrder {
    /// It was, or on the same day.
    Kept,
    /// It was made before: mostly the direction was swapped.
    Broken,
    /// A date is not known.
    NotJudged,
}

impl RelationGraph {
    /// Why this edge makes no fair question, if it does not.
    pub fn doubt(&self, edge: &DatedRelation) -> Option<Doubt> {
        if edge.source == edge.target {
            return Some(Doubt::ActsOnItself);
        }
        let ends = self.edge_of(edge).is_some_and(|e| e.effect == Effect::Ends);
        if ends && self.between(&edge.target, &edge.source).any(|e| e.effect == Effect::Ends) {
            return Some(Doubt::EndEachOther);
        }
        (self.time_order(edge) == TimeOrder::Broken).then_some(Doubt::AgainstTime)
    }

    /// Whether the acting act was made after its target, by their document dates.
    pub fn time_order(&self, edge: &DatedRelation) -> TimeOrder {
        let made = |celex| self.node(celex).and_then(|n| n.life.made);
        match (made(&edge.source), made(&edge.target)) {
            (Some(acting), Some(target)) if acting < target => TimeOrder::Broken,
            (Some(_), Some(_)) => TimeOrder::Kept,
            _ => TimeOrder::NotJudged,
        }
    }

    /// Whether another edge between the same acts ends the target more plainly: where an explicit and an
    /// implicit repeal are recorded for one pair, the explicit one counts.
    pub fn superseded(&self, edge: &DatedRelation) -> bool {
        let Some(own) = self.edge_of(edge).filter(|e| e.effect == Effect::Ends) else { return false };
        own.default_extent == Extent::Unknown
            && self
                .between(&edge.source, &edge.target)
                .any(|e| e.effect == Effect::Ends && e.default_extent != Extent::Unknown)
    }
}
