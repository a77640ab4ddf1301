//! Judging items: six criteria, levels 1-5, integer weights, reasons kept.

mod built_in;
mod by_model;
mod calibration;
mod rubric;

pub use built_in::BuiltInJudge;
pub use by_model::ModelJudge;
pub use calibration::{Defect, DefectWords, DefectWordsError, Kind, Planter, Standard, Trial, Trials, reckon, trials};
pub use rubric::{Criterion, Measure, Rubric, RubricError};

use crate::dataset::{Draft, Judgement, Proof};
use crate::model::ModelError;
use std::future::Future;
use std::pin::Pin;

/// What a judge is asked to look at.
#[derive(Debug, Clone, Copy)]
pub struct Case<'a> {
    /// The draft: key first.
    pub draft: &'a Draft,
    /// What code said of the key and of each distractor.
    pub proofs: &'a [Proof],
    /// Whether the judge must also answer the item blind: code left a claim undecided, or the judge is on trial.
    pub blind: bool,
    /// The order in which the judge sees the options: unshuffled index by place.
    pub order: [u8; 4],
}

/// Why an item was not judged.
#[derive(Debug, thiserror::Error)]
pub enum JudgeError {
    /// The model could not be asked; whether the run can go on, [`ModelError::ends_the_run`] says.
    #[error(transparent)]
    Model(ModelError),
    /// The judge's reply could not be used.
    #[error("the judge's reply could not be used: {0}")]
    Unusable(String),
    /// The item needs a blind answer, and this judge cannot give one.
    #[error("code left a claim undecided, and the built-in judge answers by code alone")]
    NoBlindAnswer,
}

/// A promise of a judgement.
pub type Judging<'a> = Pin<Box<dyn Future<Output = Result<Judgement, JudgeError>> + Send + 'a>>;

/// Scores items.
pub trait Judge: Send + Sync {
    /// Its name, as rows and the lock say it: `built-in`, or `provider:model`.
    fn name(&self) -> String;

    /// Scores one item.
    fn judge<'a>(&'a self, case: Case<'a>) -> Judging<'a>;
}
