//! What ends an act or a part of it: other acts, its own terms, the register's word.

use super::case::Case;
use super::moment::Moment;
use super::node::Node;
use super::relation_graph::RelationGraph;
use super::status::{Asked, Reason};
use super::view::View;
use super::weigh::{self, End, Source};
use crate::law::{Answer, Celex, Day, Endpoint, Part};
use serde::Serialize;

/// Something that ends an act, or the part asked about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ending {
    /// The act that ends it; none: its own terms, or the register alone.
    pub by: Option<Celex>,
    /// The first day without it.
    pub from: Moment,
    /// Whether it is known to end all that was asked about; else its extent is not known.
    pub whole: bool,
    /// A statement that no effect was left: never "ended by".
    pub spent: bool,
    /// From this day on it no longer counts: a later act had taken the target as living.
    pub over: Option<Day>,
    /// The fact.
    pub because: Reason,
}

impl Ending {
    /// Whether it has come by this day, and still counts on it.
    pub fn reached(&self, on: Day) -> Answer {
        if self.over.is_some_and(|over| over <= on) { Answer::No } else { self.from.reached(on) }
    }
}

/// The last day in force, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum LastDay {
    /// This day.
    On(Day),
    /// Nothing here ends it.
    Open,
    /// Something ends it, or may; the day is not known.
    Unknown,
}

impl RelationGraph {
    /// What ends the act or part, as known then. Empty where nothing here does.
    pub fn endings(&self, at: &Endpoint, known_on: Option<Day>) -> Vec<Ending> {
        let Some(node) = self.node(&at.celex) else { return Vec::new() };
        let mut trail = vec![at.celex.clone()];
        self.view(known_on).endings(node, at.part.as_ref(), &mut trail)
    }

    /// The last day in force, as the law stood when this was known.
    pub fn last_day(&self, at: &Endpoint, known_on: Option<Day>) -> LastDay {
        let endings: Vec<End> = self.ends(at, known_on).into_iter().filter(|e| e.over.is_none()).collect();
        let certain = endings.iter().filter(|e| e.whole && !e.spent).filter_map(|e| e.from.known()).min();
        let earlier = |e: &End| match (e.from.earliest, certain) {
            (Some(may), Some(day)) => may < day,
            _ => true,
        };
        let doubtful = endings.iter().filter(|e| !e.whole || e.spent || e.from.known().is_none()).any(earlier);
        match certain {
            _ if doubtful => LastDay::Unknown,
            Some(day) => LastDay::On(day.pred()),
            None => match self.node(&at.celex) {
                Some(node) if self.view(known_on).flags(node).any(|(_, flag)| !flag) => LastDay::Unknown,
                _ => LastDay::Open,
            },
        }
    }

    /// Whether `by` had ended the act or part by that day.
    pub fn ended_by(&self, at: &Endpoint, by: &Celex, asked: Asked) -> Answer {
        let ends = self.ends(at, asked.known_on);
        let answers = ends.iter().filter(|e| self.acting(e) == Some(by) && !e.spent).map(|e| e.ended(asked.on));
        !answers.fold(Answer::Yes, |none, a| none.and(!a))
    }

    /// What ends the act or part, without words.
    fn ends(&self, at: &Endpoint, known_on: Option<Day>) -> Vec<End> {
        let Some(node) = self.node(&at.celex) else { return Vec::new() };
        let mut trail = vec![at.celex.clone()];
        Case::new(self.view(known_on), node, &mut trail).ends(at.part.as_ref())
    }

    /// The act that an end comes from; none: the act's own terms, or the register alone.
    pub(super) fn acting(&self, end: &End) -> Option<&Celex> {
        match end.source {
            Source::Touch(at, ..) => Some(&self.edges[at.edge].relation.source),
            _ => None,
        }
    }
}

impl View<'_> {
    /// Why the act, or this part of it, counts as never made.
    pub(super) fn voided(&self, node: &Node, part: Option<&Part>) -> Option<Reason> {
        let mut trail = Vec::new();
        let case = Case::new(*self, node, &mut trail);
        weigh::void(&case, part).and_then(|ground| case.reason(part, ground))
    }

    /// Everything but flags that ends the act or the part; `trail` guards against acts that end each other.
    pub(super) fn endings(&self, node: &Node, part: Option<&Part>, trail: &mut Vec<Celex>) -> Vec<Ending> {
        let case = Case::new(*self, node, trail);
        let ending = |end: End| Ending {
            by: self.graph.acting(&end).cloned(),
            from: end.from,
            whole: end.whole,
            spent: end.spent,
            over: end.over,
            because: case.ended(end),
        };
        case.ends(part).into_iter().map(ending).collect()
    }
}
