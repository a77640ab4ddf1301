//! Why a crawl cannot be run. What merely failed or is pending stands in its sum.

use super::super::{RubricsError, WishError};
use crate::cache::CacheError;
use crate::http::{HttpError, NoContact};
use crate::law::RegistryError;
use crate::source::{DocumentKeyError, RestError, SourceError, SparqlError};

/// Why a crawl cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum CrawlError {
    /// Nobody to write to.
    #[error("a live crawl needs `contact` under [crawl] of the manifest: whom the hosts' keepers can write to")]
    NoContact,
    /// Nobody can be reached there.
    #[error(transparent)]
    Contact(#[from] NoContact),
    /// A relation that the registry does not have, or of which nothing can be asked.
    #[error("[crawl] names `{0}` under `relations`, which the registry does not have, or without predicates")]
    Relation(String),
    /// A rubric is missing or wrong.
    #[error(transparent)]
    Rubrics(#[from] RubricsError),
    /// The list of predicates is wrong.
    #[error("rubrics/{0}")]
    Ontology(#[from] RegistryError),
    /// The wish cannot be read.
    #[error(transparent)]
    Wish(#[from] WishError),
    /// The endpoint does not hold what it should: whatever it says, it is not complete.
    #[error(transparent)]
    Endpoint(SparqlError),
    /// What has changed cannot be had.
    #[error("what has changed cannot be asked for: {0}")]
    Changes(#[from] RestError),
    /// The client cannot be made.
    #[error(transparent)]
    Http(#[from] HttpError),
    /// The cache cannot be read or written.
    #[error(transparent)]
    Cache(#[from] CacheError),
    /// The cache cannot be read as a source.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A document cannot be given a key.
    #[error(transparent)]
    Key(#[from] DocumentKeyError),
    /// No runtime.
    #[error("cannot start the runtime: {0}")]
    Runtime(#[from] std::io::Error),
}
