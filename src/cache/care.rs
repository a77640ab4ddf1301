//! Looking after a cache: what is in it, whether it is sound, and making it sound again.

use super::blob::{self, BlobFault};
use super::entry::{Entry, History};
use super::journal::try_lock;
use super::lasting::UNFINISHED;
use super::shipped::blob_files;
use super::store::{Cache, CacheError, LAYOUT, PUTS, waiting};
use super::{BadLine, Flavour, Journal, Key};
use crate::law::Digest;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// What is in a cache.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Stat {
    /// Keys in its own part.
    pub keys: usize,
    /// Puttings under them, older answers included.
    pub puts: usize,
    /// Blob files.
    pub blobs: usize,
    /// Bytes of the blobs on disk.
    pub bytes_on_disk: u64,
    /// Bytes of the current documents, uncompressed.
    pub bytes: u64,
    /// Keys that are shipped with the program.
    pub shipped: usize,
    /// Whether this process holds it.
    pub holder: bool,
    /// Journals of guests that no holder has folded in yet.
    pub waiting: usize,
}

/// What does not stand in a cache.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Verified {
    /// Blobs read and hashed, own and shipped.
    pub blobs: usize,
    /// Blobs whose bytes are not what their name says, with the reason.
    pub damaged: Vec<(Digest, String)>,
    /// Keys whose current blob is not there.
    pub gone: Vec<Key>,
    /// Blobs that no key names.
    pub unnamed: Vec<Digest>,
    /// Lines of the journal of puts that hold no sound record, by number.
    pub bad_lines: Vec<usize>,
    /// Files that a killed process left half-written; harmless.
    pub unfinished: usize,
}

impl Verified {
    /// Whether everything that the cache claims to have is there and sound.
    pub fn sound(&self) -> bool {
        self.damaged.is_empty() && self.gone.is_empty() && self.bad_lines.is_empty()
    }
}

/// What a rebuild did.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Rebuilt {
    /// Keys in the new index.
    pub keys: usize,
    /// Damaged blobs, moved to the folder `damaged`.
    pub set_aside: Vec<Digest>,
    /// Keys that have no sound blob any more and are to be fetched again.
    pub lost: Vec<Key>,
    /// Half-written files removed.
    pub unfinished: usize,
}

impl Cache {
    /// Whether a process holds the cache in `folder` at this moment.
    pub fn is_held(folder: &Path) -> bool {
        let lock = fs::File::options().read(true).open(folder.join(LAYOUT).join("lock"));
        lock.is_ok_and(|lock| try_lock(&lock).is_ok_and(|ours| !ours))
    }

    /// Counts what is there.
    ///
    /// # Errors
    /// [`CacheError::Read`].
    pub fn stat(&self) -> Result<Stat, CacheError> {
        let histories = self.histories();
        let blobs = self.blob_files()?;
        let size = |path: &PathBuf| fs::metadata(path).map_or(0, |file| file.len());
        Ok(Stat {
            keys: histories.len(),
            puts: histories.iter().map(|history| history.entries().len()).sum(),
            blobs: blobs.len(),
            bytes_on_disk: blobs.iter().map(|(path, _)| size(path)).sum(),
            bytes: histories.iter().filter_map(History::current).map(|entry| entry.size).sum(),
            shipped: self.shipped.entries().count(),
            holder: self.holds(),
            waiting: waiting(&self.folder).len(),
        })
    }

    /// Reads and hashes every blob, own and shipped, and compares with the index.
    ///
    /// # Errors
    /// [`CacheError`] where folder or journal cannot be read at all.
    pub fn verify(&self) -> Result<Verified, CacheError> {
        let mut found = Verified::default();
        let mut sound = BTreeSet::new();
        for (path, digest) in self.blob_files()? {
            match check(&path, &digest) {
                Ok(()) => {
                    sound.insert(digest);
                }
                Err(fault) => found.damaged.push((digest, fault.to_string())),
            }
        }
        found.blobs = sound.len() + found.damaged.len();
        let shipped: BTreeSet<Digest> = self.shipped.entries().map(|entry| entry.digest).collect();
        for digest in shipped {
            found.blobs += 1;
            match self.shipped.blob(&digest) {
                Ok(Some(_)) => {
                    sound.insert(digest);
                }
                Ok(None) => {}
                Err(fault) => found.damaged.push((digest, format!("shipped: {fault}"))),
            }
        }
        let histories = self.histories();
        let named: BTreeSet<Digest> = histories.iter().flat_map(History::entries).map(|entry| entry.digest).collect();
        let damaged: BTreeSet<Digest> = found.damaged.iter().map(|(digest, _)| *digest).collect();
        let missing = |entry: &Entry| !sound.contains(&entry.digest) && !damaged.contains(&entry.digest);
        found.gone = self.entries().into_iter().filter(missing).map(|entry| entry.key).collect();
        found.unnamed = self.own_blobs(&sound)?.into_iter().filter(|digest| !named.contains(digest)).collect();
        let journal = Journal::peek(&self.folder.join(PUTS), Flavour::Checked)?;
        found.bad_lines = journal.bad.iter().map(|BadLine { line, .. }| *line).collect();
        found.unfinished = unfinished(&self.folder).len();
        Ok(found)
    }

    /// Makes the cache sound: damaged blobs are set aside, the index is made anew from the journal and the heads of
    /// the blobs, and a key whose newest blob is gone falls back to its newest sound one.
    ///
    /// # Errors
    /// [`CacheError::Busy`] where another process holds the cache.
    pub fn rebuild(&mut self) -> Result<Rebuilt, CacheError> {
        if !self.holds() {
            return Err(CacheError::Busy(self.folder.clone()));
        }
        let mut done = Rebuilt::default();
        let aside = self.folder.join("damaged");
        for (path, digest) in self.blob_files()? {
            if check(&path, &digest).is_err() {
                let moved = fs::create_dir_all(&aside)
                    .and_then(|()| fs::rename(&path, aside.join(path.file_name().unwrap_or_default())));
                moved.map_err(|source| CacheError::Read { path: path.clone(), source })?;
                done.set_aside.push(digest);
            }
        }
        for path in unfinished(&self.folder) {
            done.unfinished += usize::from(fs::remove_file(path).is_ok());
        }
        self.refold()?;
        done.lost = self.forget_gone();
        done.keys = self.histories().len();
        Ok(done)
    }

    fn blob_files(&self) -> Result<Vec<(PathBuf, Digest)>, CacheError> {
        blob_files(&self.folder).map_err(|source| CacheError::Read { path: self.folder.join("blobs"), source })
    }

    fn own_blobs(&self, sound: &BTreeSet<Digest>) -> Result<Vec<Digest>, CacheError> {
        let own = self.blob_files()?.into_iter().map(|(_, digest)| digest);
        Ok(own.filter(|digest| sound.contains(digest)).collect())
    }
}

fn check(path: &Path, digest: &Digest) -> Result<(), BlobFault> {
    let file = fs::read(path).map_err(|_| BlobFault::Compression)?;
    blob::unpack(&file, digest).map(|_| ())
}

/// Files that a killed process left before they had their name.
fn unfinished(folder: &Path) -> Vec<PathBuf> {
    let below = |folder: PathBuf| fs::read_dir(folder).into_iter().flatten().filter_map(|file| Some(file.ok()?.path()));
    let shards = below(folder.join("blobs")).filter(|path| path.is_dir());
    let left = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(UNFINISHED));
    shards.flat_map(below).filter(left).collect()
}
