//! Documents that are held already: a cache, or the one that is shipped.

use super::{DocumentKey, Fetched, Listed, Source, SourceError};
use crate::cache::{Cache, Entry, Found, Shipped};
use std::path::Path;
use std::sync::Arc;

/// What a cache holds, as a source. Entries that are no documents (stage outputs) are passed over.
#[derive(Debug, Clone)]
pub enum Held {
    /// A cache, with what is shipped under it.
    Cache(Arc<Cache>),
    /// Only what is shipped, or packed in a folder of the same layout.
    Shipped(Shipped),
}

impl Held {
    /// What is at `path`: a cache, read without holding it, or a folder laid out as a shipped cache.
    ///
    /// # Errors
    /// [`SourceError::Read`] where there is no such folder, or the cache's own error.
    pub fn open(path: &Path) -> Result<Self, SourceError> {
        std::fs::read_dir(path).map_err(|source| SourceError::Read { path: path.to_path_buf(), source })?;
        if path.join(crate::cache::INDEX).is_file() {
            return Ok(Self::Shipped(Shipped::from_folder(path)?));
        }
        let cache = Cache::visit(path, Shipped::default())?;
        if cache.entries().is_empty() {
            return Err(SourceError::Empty { path: path.to_path_buf() });
        }
        Ok(Self::Cache(Arc::new(cache)))
    }

    fn entries(&self) -> Vec<Entry> {
        match self {
            Self::Cache(cache) => cache.entries(),
            Self::Shipped(shipped) => shipped.entries().cloned().collect(),
        }
    }

    fn found(&self, key: &DocumentKey) -> Result<Option<Found>, SourceError> {
        match self {
            Self::Cache(cache) => Ok(cache.get(key.key())?),
            Self::Shipped(shipped) => Ok(shipped.get(key.key())?),
        }
    }
}

impl Source for Held {
    fn list(&self) -> Result<Vec<Listed>, SourceError> {
        let listed = self.entries().into_iter().filter_map(|entry| {
            let key = DocumentKey::try_from(entry.key.clone()).ok()?;
            Some(Listed::of(key, entry))
        });
        Ok(listed.collect())
    }

    fn fetch(&self, key: &DocumentKey) -> Result<Fetched, SourceError> {
        let Found { entry, bytes } = self.found(key)?.ok_or_else(|| SourceError::NotHeld(key.clone()))?;
        Ok(Fetched { bytes, digest: entry.digest, address: entry.about.address, taken: entry.about.taken })
    }
}
