//! CELLAR's SPARQL endpoint: relations, annotations, dates and states, enumerated whole.
//!
//! A [`Question`] is asked slice by slice over the keys of its rows, never by skipping rows. A slice is complete when
//! the same query, counted, says as many rows as came; where an answer is cut by the endpoint's cap or by time, the
//! slice is cut smaller. Whatever was heard is kept before the next thing is asked, so that nothing is asked twice.

mod around;
mod ask;
mod documents;
mod enumerate;
mod error;
mod probe;
mod query;
mod question;
mod slice;

pub use around::{Around, Position};
pub use enumerate::{Enumerated, Heard};
pub use error::SparqlError;
pub use probe::Probed;
pub use query::{Query, literal as sparql_literal};
pub use question::Question;
pub use slice::Slice;

use crate::cache::Cache;
use crate::http::Client;
use crate::law::{Day, Ontology, Registry};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How much is asked for at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Rows that an answer is trusted to hold. An endpoint that holds fewer is found out, and believed from then on.
    pub row_cap: u64,
    /// Seconds after which an answer is no longer waited for.
    pub seconds: u64,
    /// Bytes of answers that stand in one document of the cache at most; one answer is never cut.
    pub longest_document: usize,
}

impl Default for Limits {
    /// The endpoint's own cap is a million rows and its time limit a minute; rows of half a kilobyte make answers of
    /// this many rows about as long as the client takes.
    fn default() -> Self {
        Self { row_cap: 50_000, seconds: 55, longest_document: 64 << 20 }
    }
}

/// A SPARQL endpoint with CELLAR's vocabulary, and the cache in which its answers are kept.
#[derive(Debug)]
pub struct Sparql {
    client: Client,
    address: String,
    cache: Arc<Cache>,
    registry: Arc<Registry>,
    ontology: Arc<Ontology>,
    limits: Limits,
    today: Day,
    since: Option<Day>,
    /// The fewest rows that an answer was seen to be cut at.
    seen_cap: AtomicU64,
}

impl Sparql {
    /// The endpoint at `address`. `today` is the day that answers heard now are taken on.
    pub fn new(
        client: Client,
        address: &str,
        cache: Arc<Cache>,
        registry: Arc<Registry>,
        ontology: Arc<Ontology>,
        limits: Limits,
        today: Day,
    ) -> Self {
        let (address, seen_cap) = (address.to_string(), AtomicU64::new(u64::MAX));
        Self { client, address, cache, registry, ontology, limits, today, since: None, seen_cap }
    }

    /// The same, asking again for what was heard before this day: a refresh gives the day it began, so that one that
    /// was interrupted goes on where it was. Without it, whatever was heard is not asked for again.
    #[must_use]
    pub fn since(mut self, day: Day) -> Self {
        self.since = Some(day);
        self
    }

    /// How many rows an answer can hold, as far as is known.
    pub fn cap(&self) -> u64 {
        self.limits.row_cap.min(self.seen_cap.load(Ordering::Relaxed)).max(1)
    }
}
