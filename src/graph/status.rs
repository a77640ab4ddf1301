//! The status of an act, or of a part of one, on a day: in force, applicable, and why.

use super::edges::Edge;
use super::endings::Reach;
use super::moment::Moment;
use super::node::Node;
use super::relation_graph::RelationGraph;
use super::view::View;
use crate::law::{Answer, Celex, Day, Effect, Endpoint, Evidence, Part, Quote, TermKind};
use serde::Serialize;

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
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Reason {
    /// The fact, as a plain sentence without full stop.
    pub says: String,
    /// The words it is read from.
    #[serde(skip_serializing_if = "Option::is_none")]
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
    fn both(answer: Answer, reason: Reason) -> Self {
        Self { in_force: answer, applicable: answer, because: vec![reason] }
    }
}

impl RelationGraph {
    /// Whether the act or part is in force and applicable on the day asked, and why.
    pub fn status(&self, at: &Endpoint, asked: Asked) -> Status {
        let celex = &at.celex;
        if let Some(newest) = self.known_on()
            && asked.on > newest
        {
            let says = format!("nothing here is newer than {}", newest.long());
            return Status::both(Answer::Unknown, Reason::about(celex, says));
        }
        let Some(node) = self.node(celex) else {
            return Status::both(Answer::Unknown, Reason::about(celex, format!("nothing here tells of {celex}")));
        };
        let view = self.view(asked.known_on);
        if !view.knows(node) {
            let by = view.known_on.map_or(String::new(), |d| format!(" by {}", d.long()));
            let answer = if view.known_on.is_some_and(|k| asked.on <= k) { Answer::No } else { Answer::Unknown };
            return Status::both(answer, Reason::about(celex, format!("{celex} had not been published{by}")));
        }
        if let Some(reason) = view.voided(node, at.part.as_ref()) {
            return Status::both(Answer::No, reason);
        }
        let (begun, mut because) = view.begun(node, at.part.as_ref(), asked.on);
        let ended = if begun == Answer::No {
            Answer::No
        } else {
            let (ended, why) = view.ended(node, at.part.as_ref(), asked.on);
            because.splice(0..0, why);
            ended
        };
        let mut in_force = begun.and(!ended);
        if let Some(seen) = node.seen.filter(|seen| in_force == Answer::Yes && *seen < asked.on) {
            in_force = Answer::Unknown;
            let says = format!("nothing here tells of {celex} after {}", seen.long());
            because.insert(0, Reason::about(celex, says));
        }
        if let Some(part) = at.part.as_ref().filter(|part| in_force == Answer::Yes && node.lacks(part)) {
            in_force = Answer::Unknown;
            let says = format!("the text of {celex} that is here has no {}", part.long());
            because.insert(0, Reason::about(celex, says));
        }
        let (applies, why) = view.applies(node, at.part.as_ref(), asked.on);
        let applicable = in_force.and(applies);
        if in_force != Answer::No {
            because.extend(why);
        }
        if in_force == Answer::Yes {
            because.push(Reason::about(celex, "nothing here ends it by that day; case law was not asked".to_string()));
        }
        let mut seen = std::collections::HashSet::new();
        because.retain(|r| seen.insert(r.says.clone()));
        Status { in_force, applicable, because }
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

    fn begun(&self, node: &Node, part: Option<&Part>, on: Day) -> (Answer, Vec<Reason>) {
        let celex = &node.life.celex;
        if let Some(stage) = part.and_then(|p| node.stage(TermKind::EntryIntoForce, p)) {
            return (stage.at.reached(on), vec![stage.because.clone()]);
        }
        let at = self.begins(node);
        let mut because = vec![node.life.begins_because.clone()];
        if at.known().is_none() {
            because.push(Reason::about(celex, format!("{celex} began {}", at.words())));
        }
        (at.reached(on), because)
    }

    /// Whether it has begun to apply and is not paused; force is asked apart.
    fn applies(&self, node: &Node, part: Option<&Part>, on: Day) -> (Answer, Vec<Reason>) {
        let (mut answer, mut because) = match part.and_then(|p| node.stage(TermKind::Application, p)) {
            Some(stage) => (stage.at.reached(on), vec![stage.because.clone()]),
            None if node.life.application_named => {
                (node.life.applies.reached(on), node.life.applies_because.iter().cloned().collect())
            }
            None => (Answer::Yes, Vec::new()),
        };
        for (edge, acting) in self.incoming(node).filter(|(e, _)| e.effect == Effect::Pauses) {
            for (i, touch) in edge.relation.touches.iter().enumerate() {
                let reach = node.reach(touch, part);
                if reach == Reach::None || reach == Reach::Part {
                    continue;
                }
                let start = self.start(edge, i, &mut Vec::new());
                let over = touch.until.map_or(Answer::No, |last| Answer::from(last < on));
                let mut paused = start.moment.reached(on).and(!over);
                if reach == Reach::Unknown {
                    paused = paused.and(Answer::Unknown);
                }
                if paused != Answer::No {
                    let says = format!("{} pauses {} {}", acting.life.celex, node.life.celex, start.moment.words());
                    because.push(Reason::about(&acting.life.celex, says).and(&node.life.celex));
                }
                answer = answer.and(!paused);
            }
        }
        (answer, because)
    }
}
