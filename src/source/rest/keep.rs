//! Documents that came, held against what is there.

use super::words::Words;
use super::{Failure, Got, Rest};
use crate::cache::{About, Cache, Entry};
use crate::law::Digest;
use crate::source::DocumentKey;

/// A document that came.
pub(super) struct Piece {
    pub key: DocumentKey,
    pub bytes: Vec<u8>,
    pub about: About,
}

/// What became of documents that came.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// Those that are new, or say something else than before.
    pub changed: Vec<DocumentKey>,
}

impl Rest {
    /// Does work with the cache beside the runtime.
    pub(super) async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Cache) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let cache = self.cache.clone();
        let done = tokio::task::spawn_blocking(move || work(&cache)).await;
        done.map_err(|e| Failure::Cache(e.to_string()))?
    }

    /// The entry of a document that is held.
    pub(super) async fn entry(&self, key: &DocumentKey) -> Result<Option<Entry>, Failure> {
        let key = key.key().clone();
        self.blocking(move |cache| Ok(cache.entry(&key)?)).await
    }

    /// Keeps documents that have passed every check of their own. Where one is much less than what is held, none is kept.
    pub(super) async fn keep(&self, pieces: Vec<Piece>) -> Got {
        match self.blocking(move |cache| keep(cache, pieces)).await {
            Ok(kept) => kept.into(),
            Err(failure) => Got::Failed(failure),
        }
    }

    /// Notes that documents are today as they were.
    pub(super) async fn confirm(&self, entries: Vec<Entry>) -> Got {
        let today = self.today;
        let confirmed = self.blocking(move |cache| {
            for entry in entries {
                let Some(found) = cache.get(&entry.key)? else { continue };
                cache.put(&entry.key, &found.bytes, About { taken: Some(today), ..entry.about })?;
            }
            Ok(())
        });
        confirmed.await.map_or_else(Got::Failed, |()| Got::Held)
    }
}

fn keep(cache: &Cache, pieces: Vec<Piece>) -> Result<Kept, Failure> {
    let mut kept = Kept::default();
    let mut puts = Vec::new();
    for Piece { key, bytes, mut about } in pieces {
        // A blob that is damaged or gone is no reason to refuse a sound document.
        let held = cache.get(key.key()).ok().flatten();
        let bytes = match held {
            Some(held) if held.entry.digest == Digest::of(&bytes) => {
                // The same bytes another time: only the day is new.
                about.origin = held.entry.about.origin;
                about.specimen = held.entry.about.specimen;
                bytes
            }
            Some(held) => {
                let (old, new) = (Words::of(&held.bytes), Words::of(&bytes));
                if old == new {
                    about.rebuilt = Some(Digest::of(&bytes));
                    about.origin = held.entry.about.origin;
                    held.bytes
                } else if new.length < old.length.div_ceil(2) {
                    return Err(Failure::Thin(key.to_string()));
                } else {
                    kept.changed.push(key.clone());
                    bytes
                }
            }
            None => {
                kept.changed.push(key.clone());
                bytes
            }
        };
        puts.push((key, bytes, about));
    }
    cache.put_all(puts.iter().map(|(key, bytes, about)| (key.key().clone(), bytes.as_slice(), about.clone())))?;
    Ok(kept)
}
