//! Why a question has no answer that may be kept.

use super::Slice;
use crate::cache::{CacheError, Key};
use crate::http::HttpError;
use crate::law::{Celex, RelationType};
use crate::parse::Refused;
use crate::source::{DocumentKey, DocumentKeyError};

/// Why a question has no answer that may be kept.
#[derive(Debug, thiserror::Error)]
pub enum SparqlError {
    /// No answer came.
    #[error("{asked}: {error}")]
    Http {
        /// What was asked.
        asked: String,
        /// Why none came.
        #[source]
        error: HttpError,
    },
    /// The endpoint answered with an error, whatever the status.
    #[error("{asked}: the endpoint answered {status}: {says}")]
    Error {
        /// What was asked.
        asked: String,
        /// HTTP status; an error can come with 200.
        status: u16,
        /// Its words.
        says: String,
    },
    /// The endpoint ran out of time, and answered with an error or with a part.
    #[error("{asked}: the endpoint ran out of time ({says}); try again when it is less busy")]
    TooSlow {
        /// What was asked.
        asked: String,
        /// Its words.
        says: String,
    },
    /// What came is no answer.
    #[error("{asked}: {refused}")]
    NotAnAnswer {
        /// What was asked.
        asked: String,
        /// What it is.
        #[source]
        refused: Refused,
    },
    /// A predicate that nothing is stated with.
    #[error("{relation}: no statement with the predicate `{predicate}` is there; {hint}")]
    Silent {
        /// The relation that names it.
        relation: RelationType,
        /// The predicate (CDM local name).
        predicate: String,
        /// What may be wrong.
        hint: String,
    },
    /// A statement that is known to be there is not.
    #[error(
        "{relation}: `{source_celex} {predicate} {target_celex}` should be there and is not: the endpoint does not hold \
         all it should, and nothing it says is complete; try later, or correct the pair in cdm.toml"
    )]
    Missing {
        /// The relation.
        relation: RelationType,
        /// Its predicate.
        predicate: String,
        /// The acting act.
        source_celex: Celex,
        /// The act acted upon.
        target_celex: Celex,
    },
    /// Counts and rows do not agree, however often both were asked for.
    #[error(
        "{asked}: {counted} rows were counted {slice} and {rows} came: not complete, and not kept; try again when the \
         register is not being changed"
    )]
    Unproved {
        /// What was asked.
        asked: String,
        /// Where.
        slice: Slice,
        /// How many there should be.
        counted: u64,
        /// How many came at last.
        rows: u64,
    },
    /// More rows under one key than an answer holds.
    #[error("{asked}: {counted} rows {slice} have one key, and an answer holds {cap}: they cannot be had whole")]
    Indivisible {
        /// What was asked.
        asked: String,
        /// Where.
        slice: Slice,
        /// How many there are.
        counted: u64,
        /// How many an answer holds.
        cap: u64,
    },
    /// The new answer has fewer than half the rows of the one held, which stays.
    #[error(
        "`{document}` had {held} rows and would have {rows}: kept as it was; if the register did shrink so much, \
         begin a new cache"
    )]
    Thin {
        /// The document.
        document: DocumentKey,
        /// Rows held.
        held: u64,
        /// Rows that came.
        rows: u64,
    },
    /// An answer that was kept is no longer there, or damaged.
    #[error("`{0}` was kept and cannot be read again; run the same command once more")]
    Lost(Key),
    /// The registry names no predicate for a relation.
    #[error("`{0}` has no predicate in the registry, so that nothing can be asked about it; add one to relations.toml")]
    NoPredicate(RelationType),
    /// The cache does not take or give an answer.
    #[error(transparent)]
    Cache(#[from] CacheError),
    /// A name that cannot be a key.
    #[error(transparent)]
    Key(#[from] DocumentKeyError),
    /// A task of this process was cut off.
    #[error("cut off while it read or wrote the cache; run the same command again")]
    Interrupted,
}

impl SparqlError {
    /// Whether a smaller question may be answered.
    pub(super) fn asks_too_much(&self) -> bool {
        matches!(
            self,
            Self::TooSlow { .. }
                | Self::Http {
                    error: HttpError::TooSlow { .. } | HttpError::TooLong { .. } | HttpError::Bomb { .. },
                    ..
                }
        )
    }
}
