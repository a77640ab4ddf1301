//! Where documents come from: a folder, the cache, CELLAR.

mod answers;
mod archive;
mod classify;
mod folder;
mod held;
mod index;
mod key;
mod lookup;
mod origin;
mod page;
mod rest;
mod revisit;
mod sparql;

pub use answers::{Answered, Refresh};
pub use archive::{Archive, ArchiveError, Bounds, Member};
pub use classify::{Asked, Came, Class, FORMATS, What, classify};
pub use folder::{Difference, Folder};
pub use held::Held;
pub use index::IndexError;
pub use key::{DocumentKey, DocumentKeyError, Kind};
pub use lookup::{LookedUp, Lookup, Texts, exists};
pub use origin::{Origin, OriginError, entries};
pub use page::Page;
pub use rest::{Absent, Again, Failure, Got, Ingested, Rest, RestError};
pub use revisit::revisit;
pub use sparql::{
    Around, Enumerated, Heard, Limits, Position, Probed, Query, Question, Slice, Sparql, SparqlError, sparql_literal,
};

use crate::cache::{About, CacheError, Entry, ShippedError};
use crate::law::{Day, Digest};
use std::path::PathBuf;

/// Where documents come from.
///
/// All texts of an act that a source holds are listed; which of them is read is decided later.
pub trait Source: Send + Sync {
    /// Every document it holds, sorted by key.
    ///
    /// # Errors
    /// [`SourceError`] where the list cannot be had.
    fn list(&self) -> Result<Vec<Listed>, SourceError>;

    /// A document's bytes, which have the digest that the list says.
    ///
    /// # Errors
    /// [`SourceError::NotHeld`] where it is not listed, [`SourceError::Differs`] where the bytes are others.
    fn fetch(&self, key: &DocumentKey) -> Result<Fetched, SourceError>;

    /// The newest day on which any of its documents was taken: what the law was known to be.
    ///
    /// # Errors
    /// As [`Source::list`].
    fn known_on(&self) -> Result<Option<Day>, SourceError> {
        Ok(self.list()?.iter().filter_map(|one| one.taken).max())
    }
}

/// A document that a source holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Its key, which says kind, act and language.
    pub key: DocumentKey,
    /// Where the source has it from: an address, or a path relative to the folder (`notices/X.tree.rdf`).
    /// Tables name other files of their source by it.
    pub address: String,
    /// The day on which the source held these bytes at the latest; `None` = not known.
    pub taken: Option<Day>,
    /// Which bytes.
    pub digest: Digest,
    /// How many.
    pub size: u64,
    /// The compilation it came through (`owner/name:path`), where the source names one.
    pub origin: Option<String>,
    /// Written for examples and tests: no law.
    pub specimen: bool,
}

impl Listed {
    /// A document that a cache has.
    pub fn of(key: DocumentKey, entry: Entry) -> Self {
        let Entry { digest, size, about, .. } = entry;
        let About { address, taken, origin, specimen, .. } = about;
        Self { key, address, taken, digest, size, origin, specimen }
    }

    /// What a cache notes beside it.
    pub fn about(self) -> About {
        let Self { address, taken, origin, specimen, .. } = self;
        About { address, taken, origin, specimen, ..About::default() }
    }
}

/// A document's bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Their digest.
    pub digest: Digest,
    /// Where they come from, as in [`Listed::address`].
    pub address: String,
    /// The day on which they were taken.
    pub taken: Option<Day>,
}

/// Why a source does not answer.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// A file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// A file that must be text is not.
    #[error("{} is not UTF-8 text", path.display())]
    Text {
        /// The file.
        path: PathBuf,
    },
    /// A file is longer than any document may be.
    #[error("{} is longer than {limit} bytes, which no document is", path.display())]
    TooLong {
        /// The file.
        path: PathBuf,
        /// The bound, in bytes.
        limit: u64,
    },
    /// An index cannot be used.
    #[error("{}: {source}", path.display())]
    Index {
        /// The index.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        source: IndexError,
    },
    /// The source does not hold this document.
    #[error("`{0}` is not held here")]
    NotHeld(DocumentKey),
    /// What is held cannot be read as what it should be.
    #[error("`{key}` cannot be read: {why}")]
    NotRead {
        /// The document.
        key: DocumentKey,
        /// What is wrong with it.
        why: String,
    },
    /// The bytes are not those that the index names.
    #[error("`{key}` has changed: the index says {expected}, the bytes are {found}")]
    Differs {
        /// The document.
        key: DocumentKey,
        /// The digest in the index.
        expected: Digest,
        /// The digest of the bytes.
        found: Digest,
    },
    /// A folder that was given as a cache holds no document.
    #[error("{} holds no document; give the folder of a cache, and where its journal was lost run `legal-link cache rebuild --cache` on it", path.display())]
    Empty {
        /// The folder.
        path: PathBuf,
    },
    /// A cache does not answer.
    #[error(transparent)]
    Cache(#[from] CacheError),
    /// A shipped cache cannot be used.
    #[error(transparent)]
    Shipped(#[from] ShippedError),
    /// CELLAR is not read like a folder: a crawl fills a cache, and the cache is read.
    #[error(
        "cellar is fetched by `crawl` and `build`; what they fetched is read with cache:PATH, other documents with \
         folder:PATH (files with an INDEX.tsv)"
    )]
    NoCrawler,
    /// The file system refuses what packing needs.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}
