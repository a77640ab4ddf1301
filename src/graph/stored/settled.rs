//! What a stored graph keeps of acts and edges: everything that is settled once it is known what had been published.

use crate::graph::edges::Footing;
use crate::graph::{Moment, Reason, Stage};
use crate::law::{DatedRelation, Day, Effect, Extent, Outline, Part, Saving};
use serde::{Deserialize, Serialize};

/// An act as settled, without what acts on it.
#[derive(Debug, Clone, PartialEq)]
pub struct SettledAct {
    /// Whether it had been published by the day whose knowledge counts.
    pub published: bool,
    /// Declared void.
    pub void: bool,
    /// The first day in force, bounded by everything that shows it alive.
    pub begins: Moment,
    /// The first day of application, where one is named.
    pub applies: Option<Moment>,
    /// The newest day on which anything told of it.
    pub seen: Option<Day>,
    /// The last day that the register records, unless the register itself shows it alive after it.
    pub recorded: Option<Day>,
    /// In-force flags with their days, in order.
    pub flags: Vec<(Day, bool)>,
    /// Ends by its own terms: the first day without it, and from when that no longer counts.
    pub own_ends: Vec<(Moment, Option<Day>)>,
    /// Parts with days of their own.
    pub stages: Vec<Stage>,
    /// The order of its units, where its text is here, and whether that holds the operative part.
    pub outline: Option<(Outline, bool)>,
    /// What its grounds are in words.
    pub words: ActWords,
}

/// An edge as settled, onto the act it stands under.
#[derive(Debug, Clone, PartialEq)]
pub struct SettledEdge {
    /// The rank of the acting act among all acts, by CELEX.
    pub source: usize,
    /// The relation's place in the list that the writer was given.
    pub relation: usize,
    /// Whether the acting act had been published by the day whose knowledge counts.
    pub published: bool,
    /// Whether another edge between the same acts ends the target more plainly.
    pub superseded: bool,
    /// Whether it is an end that no text states.
    pub implicit: bool,
    /// Its touches.
    pub touches: Vec<SettledTouch>,
    /// The edge with all that supports and contradicts it, and what it does in words.
    pub words: EdgeWords,
}

/// A touch as settled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettledTouch {
    /// When it takes effect; none: it never came about, or fell.
    pub start: Option<Moment>,
    /// How much of the target.
    pub extent: Extent,
    /// The parts touched.
    pub parts: Vec<Part>,
    /// The parts saved.
    pub saved: Vec<Saving>,
    /// Its last day.
    pub until: Option<Day>,
    /// On what the extent stands.
    pub footing: Footing,
}

/// What is read from disk only where somebody asks why: the words of an act's own grounds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ActWords {
    /// Why it begins when it does.
    pub begins: Reason,
    /// Why it applies when it does.
    pub applies: Option<Reason>,
    /// Why parts have days of their own, one per stage.
    pub stages: Vec<Reason>,
    /// Why it ends by its own terms, one per end.
    pub own_ends: Vec<Reason>,
}

/// Whether edges of this effect can decide an answer, so that the words of their touches are kept.
pub fn can_decide(effect: Effect) -> bool {
    matches!(effect, Effect::Ends | Effect::DeclaresSpent | Effect::Voids | Effect::Pauses)
}

/// The same of an edge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EdgeWords {
    /// The edge as the graph hands it out: dates, evidence, contradictions.
    pub relation: DatedRelation,
    /// What each touch states, where [`can_decide`] says that an answer may rest on it; else empty.
    pub told: Vec<Reason>,
    /// Why a touch never came about, or fell; likewise.
    pub never: Vec<Option<Reason>>,
}
