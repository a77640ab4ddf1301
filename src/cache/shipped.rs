//! A shipped cache: an index of text and blobs, read-only. Laid out as `eurlex_cache/README.md` says.

use super::blob::{self, BlobFault};
use super::{CacheError, Entry, Found, Key};
use crate::law::Digest;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The index's file name: an [`Entry`] a line, as JSON, sorted by key.
pub const INDEX: &str = "index.jsonl";

/// Documents that come with the program or from a colleague: read, never written.
#[derive(Debug, Clone, Default)]
pub struct Shipped {
    entries: BTreeMap<Key, Entry>,
    blobs: Blobs,
}

#[derive(Debug, Clone)]
enum Blobs {
    Here(BTreeMap<Digest, Cow<'static, [u8]>>),
    Folder(PathBuf),
}

impl Default for Blobs {
    fn default() -> Self {
        Self::Here(BTreeMap::new())
    }
}

/// Why a shipped cache cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ShippedError {
    /// It has no index, or one that cannot be read.
    #[error("cannot read {}: {source} (a shipped cache has an {INDEX} and a folder of blobs)", path.display())]
    Read {
        /// The index.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// A line of the index is no entry, or its key is not greater than the one before.
    #[error("{INDEX}, line {0}: no entry, or out of order")]
    Line(usize),
}

impl Shipped {
    /// From files in memory, by their paths relative to the cache: those embedded in the program, for instance.
    /// Other files than index and blobs (a `README.md`) are passed over.
    ///
    /// # Errors
    /// [`ShippedError`] where there is no index or it cannot be read. Blobs are checked when they are asked for.
    pub fn from_files<P, B>(files: impl IntoIterator<Item = (P, B)>) -> Result<Self, ShippedError>
    where
        P: AsRef<str>,
        B: Into<Cow<'static, [u8]>>,
    {
        let (mut index, mut blobs) = (None, BTreeMap::new());
        for (path, bytes) in files {
            let path = path.as_ref().replace('\\', "/");
            if path == INDEX {
                index = Some(bytes.into());
            } else if let Some(digest) = blob::digest(&path) {
                blobs.insert(digest, bytes.into());
            }
        }
        let absent = || ShippedError::Read { path: INDEX.into(), source: io::ErrorKind::NotFound.into() };
        let entries = read_index(&index.ok_or_else(absent)?)?;
        Ok(Self { entries, blobs: Blobs::Here(blobs) })
    }

    /// From a folder.
    ///
    /// # Errors
    /// As [`Shipped::from_files`].
    pub fn from_folder(folder: impl Into<PathBuf>) -> Result<Self, ShippedError> {
        let folder = folder.into();
        let path = folder.join(INDEX);
        let index = fs::read(&path).map_err(|source| ShippedError::Read { path, source })?;
        Ok(Self { entries: read_index(&index)?, blobs: Blobs::Folder(folder) })
    }

    /// The entry under a key.
    pub fn entry(&self, key: &Key) -> Option<&Entry> {
        self.entries.get(key)
    }

    /// All entries, sorted by key.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.values()
    }

    /// The document under a key.
    ///
    /// # Errors
    /// [`CacheError::Damaged`] or [`CacheError::Gone`] where its blob is not what the index says.
    pub fn get(&self, key: &Key) -> Result<Option<Found>, CacheError> {
        let Some(entry) = self.entry(key).cloned() else { return Ok(None) };
        let blob = self.blob(&entry.digest);
        Found::of(entry, blob).map(Some)
    }

    /// The bytes with this digest, checked; `None` where it has no such blob.
    ///
    /// # Errors
    /// [`BlobFault`] where the blob is damaged.
    pub fn blob(&self, digest: &Digest) -> Result<Option<Vec<u8>>, BlobFault> {
        match &self.blobs {
            Blobs::Here(blobs) => blobs.get(digest).map(|file| blob::unpack(file, digest)).transpose(),
            Blobs::Folder(folder) => {
                let file = fs::read(folder.join(blob::path(digest))).ok();
                file.map(|file| blob::unpack(&file, digest)).transpose()
            }
        }
    }
}

fn read_index(bytes: &[u8]) -> Result<BTreeMap<Key, Entry>, ShippedError> {
    let text = std::str::from_utf8(bytes).map_err(|_| ShippedError::Line(1))?;
    let mut entries = BTreeMap::new();
    for (number, line) in text.lines().enumerate() {
        let entry = Entry::read(line).ok_or(ShippedError::Line(number + 1))?;
        if entries.last_key_value().is_some_and(|(last, _)| *last >= entry.key) {
            return Err(ShippedError::Line(number + 1));
        }
        entries.insert(entry.key.clone(), entry);
    }
    Ok(entries)
}

/// Lays documents out as a shipped cache: hands each file's relative path and bytes to `into`, the index first,
/// then each blob once, by digest. The same documents give the same files.
///
/// # Errors
/// The first error of `bytes_of` or `into`.
pub fn lay_out<E>(
    mut entries: Vec<Entry>,
    mut bytes_of: impl FnMut(&Entry) -> Result<Vec<u8>, E>,
    mut into: impl FnMut(&str, &[u8]) -> Result<(), E>,
) -> Result<(), E> {
    entries.sort_by(|a, b| a.key.cmp(&b.key));
    entries.dedup_by(|later, earlier| later.key == earlier.key);
    let index: String = entries.iter().map(|entry| entry.line() + "\n").collect();
    into(INDEX, index.as_bytes())?;
    entries.sort_by_key(|entry| entry.digest); // stable: of equal bytes the first key stays first
    entries.dedup_by_key(|entry| entry.digest);
    for entry in &entries {
        into(&blob::path(&entry.digest), &blob::pack(&bytes_of(entry)?, entry))?;
    }
    Ok(())
}

/// Removes from a folder the blobs that `entries` do not name; other files stay.
///
/// # Errors
/// What the system says.
pub fn tidy(folder: &Path, entries: &[Entry]) -> io::Result<usize> {
    let named: BTreeSet<_> = entries.iter().map(|entry| entry.digest).collect();
    let mut removed = 0;
    for (path, digest) in blob_files(folder)? {
        if !named.contains(&digest) {
            fs::remove_file(path)?;
            removed += 1;
        }
    }
    Ok(removed)
}

/// Every blob below a cache's folder with the digest that its name says, sorted.
pub(super) fn blob_files(folder: &Path) -> io::Result<Vec<(PathBuf, Digest)>> {
    let mut found = Vec::new();
    let blobs = folder.join("blobs");
    if !blobs.is_dir() {
        return Ok(found);
    }
    for shard in fs::read_dir(blobs)? {
        let shard = shard?;
        if !shard.file_type()?.is_dir() {
            continue;
        }
        for file in fs::read_dir(shard.path())? {
            let file = file?;
            let relative = format!("blobs/{}/{}", shard.file_name().display(), file.file_name().display());
            if let Some(digest) = blob::digest(&relative) {
                found.push((file.path(), digest));
            }
        }
    }
    found.sort();
    Ok(found)
}
