//! The whole graph on a day, counted.

use super::relation_graph::RelationGraph;
use super::status::Asked;
use super::weigh::Answers;
use crate::law::{Answer, Celex, Endpoint};
use serde::Serialize;

/// How many acts are in force, and how many apply.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Acts, those only named included.
    pub acts: usize,
    /// Of these, in force.
    pub in_force: Shares,
    /// Of these, applicable.
    pub applicable: Shares,
}

/// How often each answer was given.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Shares {
    /// So it is.
    pub yes: usize,
    /// So it is not.
    pub no: usize,
    /// What is here does not decide it.
    pub unknown: usize,
}

impl Shares {
    fn add(&mut self, answer: Answer) {
        match answer {
            Answer::Yes => self.yes += 1,
            Answer::No => self.no += 1,
            Answer::Unknown => self.unknown += 1,
        }
    }
}

impl FromIterator<Answers> for Tally {
    fn from_iter<I: IntoIterator<Item = Answers>>(all: I) -> Self {
        let mut tally = Self::default();
        for answers in all {
            tally.acts += 1;
            tally.in_force.add(answers.in_force);
            tally.applicable.add(answers.applicable);
        }
        tally
    }
}

impl RelationGraph {
    /// Every act with its answers on a day, by CELEX.
    pub fn each(&self, asked: Asked) -> impl Iterator<Item = (&Celex, Answers)> {
        self.celexes().map(move |celex| (celex, self.as_of(&Endpoint::from(celex.clone()), asked)))
    }
}
