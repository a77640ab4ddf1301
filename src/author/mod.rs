//! Writing items: the built-in author, the model author, the judges.
//!
//! An [`Author`] takes an [`Assignment`] (a pair of acts, and the graph that knows them) and gives drafts,
//! each with its claims, or refusals that say why there are none. The built-in author works from the forms in
//! `rubrics/relations.toml`; it writes nothing that code does not decide.

mod built_in;
mod by_model;
mod exchange;
mod form;
mod judge;
mod labels;
pub mod optimize;
mod passages;
mod slots;
mod wording;

pub use built_in::BuiltIn;
pub use by_model::{ModelAuthor, UNASKED, addendum};
pub use form::claim_fault;
pub use judge::{
    BuiltInJudge, Case, Criterion, Defect, DefectWords, DefectWordsError, Judge, JudgeError, Judging, Kind, Measure,
    ModelJudge, Planter, Rubric, RubricError, Standard, Trial, Trials, reckon, trials,
};
pub use labels::without_labels;

use crate::dataset::{Draft, Pair, Refusal};
use crate::graph::RelationGraph;
use crate::law::{Day, Registry};
use crate::model::ModelError;
use crate::verify::Rules;
use std::future::Future;
use std::pin::Pin;

/// What an author is asked to write.
#[derive(Clone, Copy)]
pub struct Assignment<'a> {
    /// The pair.
    pub pair: &'a Pair,
    /// How many items are wanted.
    pub items: usize,
    /// What is known of the acts.
    pub graph: &'a RelationGraph,
    /// The relation types and forms.
    pub registry: &'a Registry,
    /// What the gates look for in prose.
    pub rules: &'a Rules,
    /// What was known by when.
    pub known_on: Day,
    /// The seed of its choices.
    pub seed: u64,
}

/// What an author gives back.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Written {
    /// Drafts.
    pub drafts: Vec<Draft>,
    /// Drafts that a gate refused, and what could not be written at all.
    pub refusals: Vec<Refusal>,
}

/// How many of what came are kept, where so many were asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// Kept: the first.
    pub keep: usize,
    /// Dropped: more than asked, which would unbalance the set.
    pub dropped: usize,
    /// Missing; never filled up.
    pub shortfall: usize,
}

impl Share {
    /// Of `returned`, where `asked` were wanted.
    pub fn of(asked: usize, returned: usize) -> Self {
        let keep = asked.min(returned);
        Self { keep, dropped: returned - keep, shortfall: asked - keep }
    }
}

impl Written {
    /// Keeps as many drafts as were asked for, in order; each of the others becomes a refusal that says so.
    pub fn hold_to(&mut self, asked: usize) -> Share {
        let share = Share::of(asked, self.drafts.len());
        let surplus = self.drafts.split_off(share.keep);
        let refusal = |draft: Draft| Refusal {
            pair: draft.pair.clone(),
            gate: "surplus".to_string(),
            reason: format!("{asked} were asked for"),
            draft: Some(draft),
        };
        self.refusals.extend(surplus.into_iter().map(refusal));
        share
    }
}

/// A promise of what an author writes.
pub type Writing<'a> = Pin<Box<dyn Future<Output = Written> + Send + 'a>>;

/// Writes items.
pub trait Author: Send + Sync {
    /// Its name, as rows and the lock say it: `built-in`, or `provider:model`.
    fn name(&self) -> String;

    /// Writes up to the wanted number of items about a pair.
    fn write<'a>(&'a self, assignment: Assignment<'a>) -> Writing<'a>;
}

/// Why a run stops here, to be gone on with later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// A limit was reached, or the server refuses to go on.
    Limit(String),
    /// Offline, and a call is not on record.
    NotOnRecord(String),
}

impl Stop {
    /// The stop that a model's error means.
    pub fn of(error: &ModelError) -> Self {
        match error {
            ModelError::NotOnRecord { .. } => Self::NotOnRecord(error.to_string()),
            _ => Self::Limit(error.to_string()),
        }
    }
}
