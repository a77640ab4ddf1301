//! What an answer about one act is weighed from: everything that is settled before a day or a part is named.
//!
//! The law of [`super::weigh`] reads a docket and nothing else, so that one piece of code decides, whether the facts
//! lie in a [`super::RelationGraph`] or in its stored form.

use super::edges::Footing;
use super::moment::Moment;
use crate::law::{Day, Effect, Extent, Part, Saving, TermKind};

/// Which touch of which edge, by their places in the graph that holds them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct At {
    pub edge: usize,
    pub touch: usize,
}

/// A touch of the act by an edge whose acting act had been published.
#[derive(Debug, Clone, Copy)]
pub(super) struct Touched<'a> {
    pub at: At,
    /// The rank of the acting act among all acts, by CELEX.
    pub by: usize,
    pub effect: Effect,
    pub extent: Extent,
    pub parts: &'a [Part],
    pub saved: &'a [Saving],
    pub until: Option<Day>,
    pub footing: Footing,
}

/// An end by the act's own terms, prolongations counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OwnEnd {
    pub from: Moment,
    /// From this day on it no longer counts.
    pub over: Option<Day>,
}

/// What is settled of one act, as known on a day.
pub(super) trait Docket {
    /// The newest fetch: after it no answer is given.
    fn newest(&self) -> Option<Day>;
    /// What had been published by this day counts.
    fn known_on(&self) -> Option<Day>;
    /// Whether the act itself had been.
    fn published(&self) -> bool;
    /// Declared void itself.
    fn void(&self) -> bool;
    /// The first day in force, bounded by everything that shows it alive.
    fn begins(&self) -> Moment;
    /// The first day of application, where one is named.
    fn applies(&self) -> Option<Moment>;
    /// Parts with a day of their own, of each kind.
    fn stages(&self) -> impl Iterator<Item = (TermKind, &[Part], Moment)>;
    /// The newest day on which anything here told of it.
    fn seen(&self) -> Option<Day>;
    /// In-force flags with the day each was taken, in order.
    fn flags(&self) -> impl Iterator<Item = (Day, bool)>;
    /// The last day that the register records, unless the register itself shows the act alive after it.
    fn recorded(&self) -> Option<Day>;
    /// How it ends by its own terms.
    fn own_ends(&self) -> impl Iterator<Item = OwnEnd>;
    /// What touches it, by acting act and relation.
    fn touches(&self) -> impl Iterator<Item = Touched<'_>>;
    /// Whether another edge between the same acts ends the target more plainly.
    fn superseded(&self, at: At) -> bool;
    /// When a touch takes effect; none: it never came about, or fell.
    fn start(&self, at: At) -> Option<Moment>;
    /// Whether `inner` lies in `outer`, by the labels or by the act's own order.
    fn holds(&self, outer: &Part, inner: &Part) -> bool;
    /// Whether the order of its units is here.
    fn has_units(&self) -> bool;
    /// Whether its text is here and has no such part.
    fn lacks(&self, part: &Part) -> bool;
}
