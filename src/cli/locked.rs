//! The documents that a lock names, wherever they are.

use super::{Exit, Trouble};
use crate::audit::Held;
use crate::build;
use crate::cache::{Cache, Shipped};
use crate::dataset::{Lock, LockedDocument};
use crate::law::Digest;
use crate::source::{DocumentKey, Fetched, Listed, Origin, Source, SourceError};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

type AnySource = Box<dyn Source + Send + Sync>;

/// Where the documents of a dataset may be.
pub(super) struct Places<'a> {
    /// The dataset's folder, or that of its lock.
    pub dir: &'a Path,
    /// The one source to look in, if it is named.
    pub source: Option<&'a Origin>,
    /// The user's own cache, if it is named.
    pub cache: Option<&'a Path>,
}

impl Places<'_> {
    /// What is asked for; else where the lock says (seen from here and from the dataset's folder upwards), the user's
    /// cache and what is shipped.
    fn sources(&self, lock: Option<&Lock>) -> Result<Vec<AnySource>, Trouble> {
        let shipped = build::shipped().map_err(|e| Trouble::new(Exit::Other, e))?;
        if let Some(origin) = self.source {
            let opened = origin.open(shipped).map_err(|e| Trouble::new(Exit::BadInput, e))?;
            return Ok(vec![opened]);
        }
        let mut found: Vec<AnySource> = Vec::new();
        if let Some(origin) = written(lock) {
            let here = std::iter::once(PathBuf::from("."));
            let dir = self.dir.canonicalize().unwrap_or_else(|_| self.dir.to_path_buf());
            let upwards = dir.ancestors().map(Path::to_path_buf).collect::<Vec<_>>();
            found.extend(here.chain(upwards).find_map(|base| origin.beside(&base).open(shipped.clone()).ok()));
        }
        if let Some(cache) = self.own_cache() {
            found.extend(Origin::Cache(cache).open(shipped.clone()).ok());
        }
        found.extend(Origin::Shipped.open(shipped).ok());
        Ok(found)
    }

    /// The caches in which older answers are kept beside the newest.
    fn caches(&self, lock: Option<&Lock>) -> Vec<Cache> {
        let named = match self.source {
            Some(origin) => vec![Some(origin.clone())],
            None => vec![written(lock), self.own_cache().map(Origin::Cache)],
        };
        let folder = |origin| match origin {
            Some(Origin::Cache(folder)) => Some(folder),
            _ => None,
        };
        named.into_iter().filter_map(folder).filter_map(|at| Cache::visit(&at, Shipped::default()).ok()).collect()
    }

    fn own_cache(&self) -> Option<PathBuf> {
        self.cache.map(Path::to_path_buf).or_else(build::user_cache)
    }
}

/// The source as the lock writes it.
fn written(lock: Option<&Lock>) -> Option<Origin> {
    lock?.source.as_ref()?.parse().ok()
}

/// The documents that a lock names; all documents of the first source where there is no lock.
pub(super) struct Locked {
    sources: Vec<AnySource>,
    /// Sorted by key.
    listed: Vec<Listed>,
    /// By digest: which source has it, under which key.
    at: BTreeMap<Digest, (usize, DocumentKey)>,
    caches: Vec<Cache>,
}

impl Locked {
    /// Looks in all places; what is nowhere is not listed.
    pub(super) fn among(places: &Places<'_>, lock: Option<&Lock>) -> Result<Self, Trouble> {
        let (sources, caches) = (places.sources(lock)?, places.caches(lock));
        let wanted: Option<BTreeSet<(&str, Digest)>> =
            lock.map(|l| l.documents.iter().map(|d| (d.key.as_str(), d.sha256)).collect());
        let (mut listed, mut at) = (BTreeMap::new(), BTreeMap::new());
        for (i, source) in sources.iter().enumerate() {
            for one in source.list().map_err(|e| Trouble::new(Exit::BadInput, e))? {
                let key = one.key.to_string();
                let ours = wanted.as_ref().map_or(i == 0, |w| w.contains(&(key.as_str(), one.digest)));
                if ours {
                    at.entry(one.digest).or_insert_with(|| (i, one.key.clone()));
                    listed.entry(key).or_insert(one);
                }
            }
        }
        // A newer answer may stand before the one that the dataset was made from.
        for document in lock.into_iter().flat_map(|l| &l.documents) {
            if !listed.contains_key(&document.key)
                && let Some(older) = older(&caches, document)
            {
                listed.insert(document.key.clone(), older);
            }
        }
        let mut listed: Vec<Listed> = listed.into_values().collect();
        listed.sort_by(|a, b| a.key.cmp(&b.key));
        Ok(Self { sources, listed, at, caches })
    }

    /// What a digest's bytes are, if they are here.
    pub(super) fn held(&self, digest: &Digest) -> Held {
        let of_cache = || self.caches.iter().find_map(|cache| cache.blob(digest).ok().flatten());
        let Some((i, key)) = self.at.get(digest) else { return of_cache().map_or(Held::Absent, Held::Here) };
        match self.sources.get(*i).map(|s| s.fetch(key)) {
            Some(Ok(fetched)) => Held::Here(fetched.bytes),
            Some(Err(SourceError::NotHeld(_))) | None => Held::Absent,
            Some(Err(e)) => Held::Damaged(e.to_string()),
        }
    }

    /// The documents of the lock that are nowhere.
    pub(super) fn missing<'a>(&self, lock: &'a Lock) -> Vec<&'a LockedDocument> {
        let here: BTreeSet<String> = self.listed.iter().map(|one| one.key.to_string()).collect();
        lock.documents.iter().filter(|document| !here.contains(&document.key)).collect()
    }
}

/// The document with the very bytes of the lock, among the answers that a cache has kept.
fn older(caches: &[Cache], document: &LockedDocument) -> Option<Listed> {
    let key: DocumentKey = document.key.parse().ok()?;
    let kept = caches.iter().find_map(|cache| cache.get_exactly(key.key(), &document.sha256).ok().flatten())?;
    Some(Listed::of(key, kept.entry))
}

impl Source for Locked {
    fn list(&self) -> Result<Vec<Listed>, SourceError> {
        Ok(self.listed.clone())
    }

    fn fetch(&self, key: &DocumentKey) -> Result<Fetched, SourceError> {
        let not_held = || SourceError::NotHeld(key.clone());
        let held = self.listed.binary_search_by(|one| one.key.cmp(key)).ok();
        let one = held.and_then(|at| self.listed.get(at)).ok_or_else(not_held)?;
        if let Some((source, key)) = self.at.get(&one.digest).and_then(|(i, key)| Some((self.sources.get(*i)?, key))) {
            return source.fetch(key);
        }
        let bytes = self.caches.iter().find_map(|cache| cache.blob(&one.digest).ok().flatten());
        let bytes = bytes.ok_or_else(not_held)?;
        Ok(Fetched { bytes, digest: one.digest, address: one.address.clone(), taken: one.taken })
    }
}
