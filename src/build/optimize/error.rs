//! Why an optimization cannot be run.

use crate::author::Stop;
use crate::author::optimize::EngineError;
use crate::build::{BuildError, RubricsError};
use crate::cache::JournalError;
use crate::dataset::Role;
use std::path::PathBuf;

/// Why an optimization cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum OptimizeError {
    /// As a build.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The optimizer cannot begin, or its journal is of another run.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The journal of decisions cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A record of the journal cannot be read.
    #[error("{}: record {nth} is no decision ({why}); move the file away to begin anew", path.display())]
    Record {
        /// The journal.
        path: PathBuf,
        /// Which record, from 1.
        nth: usize,
        /// What is wrong.
        why: String,
    },
    /// A record in the middle of the journal is damaged, and those after it do not follow without it.
    #[error(
        "{}: line {line} is damaged, and what was decided after it does not follow without it; keep the first {sound} bytes of \
         the file, or move it away, and run the same command again: the decisions from there on are taken anew, and what \
         they rest on is in the journal of calls and is not paid for again",
        path.display()
    )]
    Damaged {
        /// The journal.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// How many bytes before it are sound.
        sound: usize,
    },
    /// A setting of `[optimize]` that cannot be.
    #[error("[optimize] {name} = {is} cannot be: it must be between {least} and {most}")]
    Setting {
        /// Its name.
        name: &'static str,
        /// What it is.
        is: u64,
        /// The least that it may be.
        least: u64,
        /// The most.
        most: u64,
    },
    /// No model writes.
    #[error("the manifest's author is built in, which has no prompts; name a model under [author]")]
    NoAuthor,
    /// No pairs were set aside.
    #[error(
        "no pairs are set aside for {role} ({wanted} wanted); say how many under [roles], as in `reflect = 75`; pairs of two roles share no act, so that a small source fills few"
    )]
    NoPairs {
        /// The role.
        role: Role,
        /// How many the manifest wants.
        wanted: usize,
    },
}

impl From<RubricsError> for OptimizeError {
    fn from(error: RubricsError) -> Self {
        Self::Build(error.into())
    }
}

/// A limit, or a call that is not on record.
pub(super) fn stopped(stop: Stop) -> OptimizeError {
    OptimizeError::Build(match stop {
        Stop::Limit(why) => BuildError::Stopped(why),
        Stop::NotOnRecord(why) => BuildError::Missing(why),
    })
}
