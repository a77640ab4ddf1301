//! What a graph is built from: what the documents say, or facts given by hand.

use crate::law::{Act, ActRecord, Celex, Clause, ConsolidatedState, DatedRelation, Day, Part, RegisterRow};
use std::collections::BTreeMap;

/// What the documents say. The order of the lists does not matter.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Facts {
    /// Acts read from their texts; of several texts of one act the best structured English one counts.
    pub acts: Vec<Act>,
    /// Register rows: notices' links and tables.
    pub rows: Vec<RegisterRow>,
    /// The registers' statements about the acts themselves.
    pub records: Vec<ActRecord>,
    /// Consolidated states.
    pub states: Vec<ConsolidatedState>,
    /// What recorded titles say of acts whose text is not here. A text's own clauses go before.
    pub titles: BTreeMap<Celex, Vec<Clause>>,
    /// Addresses under which registers keep works, with the CELEX number of each that has one.
    pub works: Vec<(String, Option<Celex>)>,
    /// The newest day on which a document about each act was taken. A "yes" holds up to that day, or up to
    /// that of the newest record, row or state that names the act; none known: up to the newest fetch.
    pub taken: BTreeMap<Celex, Day>,
    /// The newest fetch. After it no answer is given; none: no such bound.
    pub known_on: Option<Day>,
}

/// Facts given by hand, edges ready-made: no text, no register. For claims to be checked against a
/// fact pattern, and for tests.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Given {
    /// The acts with their days.
    pub acts: Vec<GivenAct>,
    /// The edges; the starts of their touches are taken as printed by the acting act.
    pub edges: Vec<DatedRelation>,
    /// Days that a later act put in the place of others.
    pub moved: Vec<Moved>,
    /// Consolidated states.
    pub states: Vec<ConsolidatedState>,
    /// The newest fetch.
    pub known_on: Option<Day>,
}

/// An act as given by hand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GivenAct {
    /// The act.
    pub celex: Celex,
    /// Day of adoption or signature; orders acts, starts nothing.
    pub made: Option<Day>,
    /// First day in force.
    pub in_force_from: Option<Day>,
    /// First day of application, where it is another.
    pub applies_from: Option<Day>,
    /// Last day in force by its own terms.
    pub last_day: Option<Day>,
    /// Declared void.
    pub void: bool,
}

impl GivenAct {
    /// An act of which nothing but its number is given.
    pub fn named(celex: Celex) -> Self {
        Self { celex, made: None, in_force_from: None, applies_from: None, last_day: None, void: false }
    }
}

/// A day in an act's text that a later act put in the place of another.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moved {
    /// The act whose text says the day.
    pub of: Celex,
    /// The act that moved it.
    pub by: Celex,
    /// The parts in which it stood; empty: wherever it stood.
    pub parts: Vec<Part>,
    /// The day as printed; none: whatever day stood there (the parts were replaced as a whole, and fix one day anew).
    pub old: Option<Day>,
    /// The day in its place.
    pub new: Day,
}
