//! The status of an act, or of a part of one, on a day: in force, applicable, and why.

use super::case::Case;
use super::edges::Edge;
use super::moment::Moment;
use super::node::Node;
use super::relation_graph::RelationGraph;
use super::view::View;
use super::weigh::{Answers, Hearing, weigh};
use crate::law::{Answer, Celex, Day, Effect, Endpoint, Evidence, Quote};
use serde::{Deserialize, Serialize};

/// On which day, and by whose knowledge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Asked {
    /// The day the question is about.
    pub on: Day,
    /// What had been published by this day counts; none: the newest fetch.
    pub known_on: Option<Day>,
}

impl Asked {
    /// On this day, by all that is known.
    pub fn on(day: Day) -> Self {
        Self { on: day, known_on: None }
    }
}

/// A fact that an answer rests on.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Reason {
    /// The fact, as a plain sentence without full stop.
    pub says: String,
    /// The words it is read from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<Quote>,
    /// The acts it names.
    pub acts: Vec<Celex>,
}

impl Reason {
    /// A fact about one act.
    pub(super) fn about(celex: &Celex, says: String) -> Self {
        Self { says, quote: None, acts: vec![celex.clone()] }
    }

    /// The same, naming a further act.
    pub(super) fn and(mut self, celex: &Celex) -> Self {
        if !self.acts.contains(celex) {
            self.acts.push(celex.clone());
        }
        self
    }

    /// Adds words to the sentence.
    pub(super) fn add(&mut self, words: &str) {
        self.says.push_str(words);
    }

    /// The same, with the words it is read from.
    pub(super) fn quoting(mut self, quote: &Quote) -> Self {
        self.quote = Some(quote.clone());
        self
    }
}

/// The answer to the two questions, and what it rests on, the decisive facts first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Status {
    /// Begun and not ended.
    pub in_force: Answer,
    /// In force, begun to apply, and not paused.
    pub applicable: Answer,
    /// What the answers rest on.
    pub because: Vec<Reason>,
}

impl Status {
    /// The status of an act of which nothing is here.
    pub(super) fn unheard(celex: &Celex, newest: Option<Day>, on: Day) -> Self {
        let says = match newest.filter(|newest| on > *newest) {
            Some(newest) => format!("nothing here is newer than {}", newest.long()),
            None => format!("nothing here tells of {celex}"),
        };
        let because = vec![Reason::about(celex, says)];
        Self { in_force: Answer::Unknown, applicable: Answer::Unknown, because }
    }
}

impl RelationGraph {
    /// Whether the act or part is in force and applicable on the day asked, and why.
    pub fn status(&self, at: &Endpoint, asked: Asked) -> Status {
        let Some(node) = self.node(&at.celex) else { return Status::unheard(&at.celex, self.known_on, asked.on) };
        let mut trail = vec![at.celex.clone()];
        let case = Case::new(self.view(asked.known_on), node, &mut trail);
        let (mut grounds, part) = (Vec::new(), at.part.as_ref());
        let Answers { in_force, applicable } =
            weigh(&case, part, asked.on, &mut Vec::new(), Hearing(Some(&mut grounds)));
        Status { in_force, applicable, because: case.reasons(part, &grounds) }
    }

    /// The same without the reasons.
    pub fn as_of(&self, at: &Endpoint, asked: Asked) -> Answers {
        let Some(node) = self.node(&at.celex) else { return Answers::both(Answer::Unknown) };
        let mut trail = vec![at.celex.clone()];
        let case = Case::new(self.view(asked.known_on), node, &mut trail);
        weigh(&case, at.part.as_ref(), asked.on, &mut Vec::new(), Hearing(None))
    }
}

impl View<'_> {
    /// The act's first day in force, bounded by everything that shows it alive.
    pub(super) fn begins(&self, node: &Node) -> Moment {
        let mut at = node.life.in_force;
        if at.known().is_some() {
            return at;
        }
        let state = node.states.iter().filter(|s| self.taken(s.taken)).map(|s| s.from).min();
        // A later act that changes it, or that ends it in so many words, takes it as living.
        let takes_as_living = |e: &Edge| match e.effect {
            Effect::Rewrites => !e.from_beginning,
            Effect::Ends => e.relation.evidence.iter().any(|e| matches!(e, Evidence::Text { .. })),
            _ => false,
        };
        let changed = self.incoming(node).filter(|(e, _)| takes_as_living(e));
        let changed = changed.filter_map(|(_, acting)| acting.life.published.or(acting.life.made)).min();
        let applied = node.life.applies.known().filter(|d| node.life.made.is_some_and(|m| m < *d));
        for day in [node.life.transposed, state, changed, applied].into_iter().flatten() {
            at = at.at_latest(day);
        }
        match self.flags(node).filter(|(_, flag)| *flag).map(|(day, _)| day).min() {
            Some(day) => at.at_latest(day),
            None => at,
        }
    }
}
