//! Why a build cannot be made.

use super::{ModelsError, RubricsError, WishError};
use crate::author::{DefectWordsError, RubricError};
use crate::cache::WriteError;
use crate::dataset::LockError;
use crate::emit::EmitError;
use crate::source::SourceError;
use crate::verify::RulesError;
use std::path::PathBuf;

/// Why a build cannot be made. Nothing in the output folder was touched, unless it is [`BuildError::Write`].
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// A rubric is missing or wrong.
    #[error(transparent)]
    Rubrics(#[from] RubricsError),
    /// The judge's rubric is wrong.
    #[error("rubrics/{0}")]
    Judge(#[from] RubricError),
    /// The words for planting defects are wrong.
    #[error("rubrics/{0}")]
    Defects(#[from] DefectWordsError),
    /// The rules of the gates are wrong.
    #[error("rubrics/{0}")]
    Rules(#[from] RulesError),
    /// The source does not answer.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The wish cannot be read.
    #[error(transparent)]
    Wish(#[from] WishError),
    /// A model cannot be used.
    #[error(transparent)]
    Models(#[from] ModelsError),
    /// No document says when it was taken, and the manifest does not say what was known by when.
    #[error("no document says on what day it was taken; set `known_on` under [scope]")]
    NoDay,
    /// A judge is under the floor of its calibration.
    #[error("the judge {judge} may not judge: {}; take another, or change [calibration]", .why.join("; "))]
    UnderFloor {
        /// The judge.
        judge: String,
        /// What it does not reach.
        why: Vec<String>,
    },
    /// There is no good item to try a judge on.
    #[error(
        "no good item to calibrate a judge on: the built-in author writes none from this source; give a dataset, or set `items = 0` under [calibration] to build without"
    )]
    NothingGood,
    /// Stopped by a limit before there was anything to write; the same command goes on.
    #[error("{0}; what was answered is journaled, and the same command goes on from there")]
    Stopped(String),
    /// The result would differ from the lock beside the manifest.
    #[error("the result would differ from the lock:\n  {}", .0.join("\n  "))]
    Differs(Vec<String>),
    /// Offline, and something is missing.
    #[error("{0}")]
    Missing(String),
    /// A format cannot hold a value.
    #[error(transparent)]
    Emit(#[from] EmitError),
    /// The lock cannot be written.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// Where the output folder should be is a file.
    #[error("{} is a file and no folder: give `--out` another place", .0.display())]
    Out(PathBuf),
    /// Another run writes into the output folder.
    #[error("another run is writing into {} now: wait until it has ended, or give `--out` another folder", .0.display())]
    Busy(PathBuf),
    /// The output folder cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// No runtime for the models.
    #[error("cannot start the runtime: {0}")]
    Runtime(#[from] std::io::Error),
}
