//! The index: every key's history, found fast. Made anew from the journal whenever it is missing or broken.

use super::Key;
use super::entry::{Entry, History};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// How far into the journal an index has read: the offset, and the digest of the bytes just before it, by which a
/// journal that is not the one we read is recognised.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Mark {
    pub(super) offset: u64,
    pub(super) before: String,
}

/// Key to history: in sled where this process holds the cache, in memory where it does not.
#[derive(Debug)]
pub(super) enum Index {
    Sled(Box<sled::Db>),
    Memory(BTreeMap<Key, History>),
}

/// Under which name the mark stands; no key begins with a null byte.
const MARK: &[u8] = b"\0mark";

/// Memory that sled may use, in bytes.
const SLED_MEMORY: u64 = 32 << 20;

impl Index {
    pub(super) fn memory() -> Self {
        Self::Memory(BTreeMap::new())
    }

    /// The sled index in `folder`; a broken one is removed and made empty. Where sled cannot be had at all, memory.
    pub(super) fn open(folder: &Path) -> Self {
        let attempt = || sled(folder).filter(|db| mark(db).is_some());
        let opened = attempt().or_else(|| {
            fs::remove_dir_all(folder).ok();
            let db = sled(folder)?;
            db.insert(MARK, encode(&Mark::default())).ok()?;
            Some(db)
        });
        opened.map_or_else(Self::memory, |db| Self::Sled(Box::new(db)))
    }

    /// How far it has read the journal.
    pub(super) fn mark(&self) -> Mark {
        match self {
            Self::Sled(db) => mark(db).unwrap_or_default(),
            Self::Memory(_) => Mark::default(),
        }
    }

    /// Notes how far it has read, and forces all of it to disk.
    pub(super) fn set_mark(&self, to: &Mark) {
        if let Self::Sled(db) = self {
            // If this fails the index reads more of the journal again at the next opening, which does no harm.
            let _ = db.insert(MARK, encode(to)).and_then(|_| db.flush());
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        match self {
            Self::Sled(db) => {
                let emptied = db.clear().and_then(|()| db.insert(MARK, encode(&Mark::default())));
                if emptied.is_err() {
                    *self = Self::memory();
                }
            }
            Self::Memory(map) => map.clear(),
        }
    }

    /// The history under a key.
    pub(super) fn history(&self, key: &Key) -> Option<History> {
        match self {
            Self::Sled(db) => decode(&db.get(key.as_str()).ok()??),
            Self::Memory(map) => map.get(key).cloned(),
        }
    }

    /// The histories of all keys below a folder of keys.
    pub(super) fn below(&self, folder: &str) -> Vec<History> {
        let prefix = format!("{folder}/");
        match self {
            Self::Sled(db) => db.scan_prefix(&prefix).filter_map(|pair| decode(&pair.ok()?.1)).collect(),
            Self::Memory(map) => {
                let under = |key: &Key| key.as_str().starts_with(&prefix);
                let Ok(first) = folder.parse::<Key>() else { return Vec::new() };
                let from = map.range(first..).skip_while(|(key, _)| key.as_str() < prefix.as_str());
                from.take_while(|(key, _)| under(key)).map(|(_, history)| history.clone()).collect()
            }
        }
    }

    /// Adds an entry. Should sled fail here, the journal has it and the next opening finds it.
    pub(super) fn add(&mut self, entry: Entry) {
        match self {
            Self::Sled(db) => {
                let key = entry.key.to_string();
                let mut history: History = db.get(&key).ok().flatten().and_then(|old| decode(&old)).unwrap_or_default();
                history.add(entry);
                if db.insert(key, encode(&history)).is_err() {
                    let _ = db.remove(MARK);
                }
            }
            Self::Memory(map) => map.entry(entry.key.clone()).or_default().add(entry),
        }
    }

    /// Puts these entries, oldest first, in the place of what is under a key; none at all takes the key out.
    pub(super) fn replace(&mut self, key: &Key, entries: Vec<Entry>) {
        match self {
            Self::Sled(db) => {
                let _ = db.remove(key.as_str());
            }
            Self::Memory(map) => {
                map.remove(key);
            }
        }
        for entry in entries {
            self.add(entry);
        }
    }

    /// Every history, sorted by key; `None` where the index is found to be broken.
    pub(super) fn all(&self) -> Option<Vec<History>> {
        match self {
            Self::Sled(db) => db
                .iter()
                .filter(|pair| pair.as_ref().map_or(true, |(key, _)| key != MARK))
                .map(|pair| decode(&pair.ok()?.1))
                .collect(),
            Self::Memory(map) => Some(map.values().cloned().collect()),
        }
    }
}

/// Sled can panic on files that are not its own; to us that is one more way of being broken.
fn sled(folder: &Path) -> Option<sled::Db> {
    let config =
        sled::Config::new().path(folder).cache_capacity(SLED_MEMORY).mode(sled::Mode::LowSpace).flush_every_ms(None);
    catch_unwind(AssertUnwindSafe(|| config.open())).ok()?.ok()
}

fn mark(db: &sled::Db) -> Option<Mark> {
    decode(&db.get(MARK).ok()??)
}

fn encode<T: Serialize>(value: &T) -> Vec<u8> {
    serde_json::to_vec(value).unwrap_or_default()
}

fn decode<T: for<'a> Deserialize<'a>>(bytes: &[u8]) -> Option<T> {
    serde_json::from_slice(bytes).ok()
}
