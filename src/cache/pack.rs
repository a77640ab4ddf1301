//! A cache as one file that can be given to a colleague: the layout of a shipped cache in a tar archive.

use super::blob;
use super::shipped::{INDEX, lay_out};
use super::store::{Cache, CacheError};
use super::{Entry, Key, Shipped, ShippedError};
use crate::law::Digest;
use std::collections::BTreeMap;
use std::io::{self, Read, Write};

/// Why a packed cache cannot be written or read.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    /// The file cannot be read or written.
    #[error("cannot read or write the packed cache: {0}")]
    File(#[from] io::Error),
    /// It is no tar archive of ours.
    #[error("not a packed cache: at byte {0}: {1}")]
    Archive(u64, &'static str),
    /// Its index cannot be read.
    #[error(transparent)]
    Index(#[from] ShippedError),
    /// A blob is damaged.
    #[error("the packed blob {0} is damaged: {1}")]
    Damaged(Digest, #[source] blob::BlobFault),
    /// The index names a blob that is not in it.
    #[error("the packed cache lacks the blob of `{0}`")]
    Lacks(Key),
    /// The cache it comes from or goes to does not do it.
    #[error(transparent)]
    Cache(#[from] CacheError),
}

/// What was put into a cache from a packed one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Unpacked {
    /// Documents in the packed cache.
    pub documents: usize,
    /// Of them, those that were not here before.
    pub new: usize,
}

/// Writes documents as one file; the same documents give the same bytes.
///
/// # Errors
/// The first error of `bytes_of`, or the sink's.
pub fn pack<E: From<io::Error>>(
    entries: Vec<Entry>,
    bytes_of: impl FnMut(&Entry) -> Result<Vec<u8>, E>,
    sink: &mut dyn Write,
) -> Result<(), E> {
    lay_out(entries, bytes_of, |path, bytes| {
        sink.write_all(&header(path, bytes.len() as u64))?;
        sink.write_all(bytes)?;
        sink.write_all(&[0; BLOCK][..padding(bytes.len() as u64)])?;
        Ok(())
    })?;
    sink.write_all(&[0; 2 * BLOCK])?;
    sink.flush()?;
    Ok(())
}

impl Cache {
    /// Puts every document of a packed cache into this one. Each is hashed first; one that is older than what is
    /// here goes to the history.
    ///
    /// # Errors
    /// [`PackError`]; what came before the fault has been put.
    pub fn unpack(&self, packed: &mut dyn Read) -> Result<Unpacked, PackError> {
        let mut reader = Members { source: packed, at: 0 };
        let (path, index) = reader.next()?.ok_or(PackError::Archive(0, "it is empty"))?;
        if path != INDEX {
            return Err(PackError::Archive(0, "it does not begin with an index"));
        }
        let shipped = Shipped::from_files([(path, index)])?;
        let mut wanted: BTreeMap<Digest, Vec<&Entry>> = BTreeMap::new();
        for entry in shipped.entries() {
            wanted.entry(entry.digest).or_default().push(entry);
        }
        let mut done = Unpacked::default();
        let mut batch = Batch::default();
        while let Some((path, file)) = reader.next()? {
            let digest = blob::digest(&path).ok_or(PackError::Archive(reader.at, "a member that is no blob"))?;
            let bytes = blob::unpack(&file, &digest).map_err(|fault| PackError::Damaged(digest, fault))?;
            let entries = wanted.remove(&digest).unwrap_or_default();
            done.documents += entries.len();
            batch.add(bytes, entries.into_iter().filter(|entry| !self.history(&entry.key).contains(entry)));
            if batch.bytes > BATCH {
                done.new += batch.put(self)?;
            }
        }
        done.new += batch.put(self)?;
        match wanted.into_values().flatten().next() {
            Some(entry) => Err(PackError::Lacks(entry.key.clone())),
            None => Ok(done),
        }
    }
}

/// How much is put at once, in bytes.
const BATCH: usize = 16 << 20;

/// Documents that wait to be put together.
#[derive(Default)]
struct Batch {
    documents: Vec<(Vec<u8>, Vec<Entry>)>,
    bytes: usize,
}

impl Batch {
    fn add<'a>(&mut self, bytes: Vec<u8>, entries: impl Iterator<Item = &'a Entry>) {
        let entries: Vec<Entry> = entries.cloned().collect();
        if !entries.is_empty() {
            self.bytes += bytes.len();
            self.documents.push((bytes, entries));
        }
    }

    /// Puts them, and says how many there were.
    fn put(&mut self, cache: &Cache) -> Result<usize, CacheError> {
        let batch = std::mem::take(self);
        let mut all: Vec<(Entry, &[u8])> = Vec::new();
        for (bytes, entries) in &batch.documents {
            all.extend(entries.iter().map(|entry| (entry.clone(), bytes.as_slice())));
        }
        cache.put_entries(&all)?;
        Ok(all.len())
    }
}

/// Size of a tar block, in bytes.
const BLOCK: usize = 512;

fn padding(len: u64) -> usize {
    // Below 512 by the remainder.
    usize::try_from((512 - len % 512) % 512).unwrap_or(0)
}

/// A header of the ustar format (POSIX.1-1988) with no time and no owner.
fn header(path: &str, len: u64) -> [u8; BLOCK] {
    let mut block = [0; BLOCK];
    let mut set = |at: usize, text: &str| block[at..at + text.len()].copy_from_slice(text.as_bytes());
    set(0, path); // ours are at most 76 bytes, and 100 are free
    set(100, "0000644\0");
    set(108, "0000000\0");
    set(116, "0000000\0");
    set(124, &format!("{len:011o}\0"));
    set(136, "00000000000\0");
    set(148, "        ");
    set(156, "0");
    set(257, "ustar\x0000");
    let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
    block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    block
}

/// The members of a tar archive, one after the other.
struct Members<'a> {
    source: &'a mut dyn Read,
    at: u64,
}

impl Members<'_> {
    fn next(&mut self) -> Result<Option<(String, Vec<u8>)>, PackError> {
        let start = self.at;
        let bad = |why| PackError::Archive(start, why);
        let mut block = [0; BLOCK];
        self.source.read_exact(&mut block).map_err(|_| bad("it breaks off"))?;
        self.at += BLOCK as u64;
        if block.iter().all(|byte| *byte == 0) {
            return Ok(None);
        }
        let sum = octal(&block[148..156]).ok_or_else(|| bad("no header of a tar archive"))?;
        let counted = block.iter().enumerate().map(|(at, byte)| if (148..156).contains(&at) { 32 } else { *byte });
        if counted.map(u64::from).sum::<u64>() != sum || !matches!(block[156], b'0' | 0) {
            return Err(bad("no header of a plain file"));
        }
        let len = octal(&block[124..136]).filter(|len| *len <= blob::LONGEST).ok_or_else(|| bad("too long"))?;
        let name = block[..100].split(|byte| *byte == 0).next().unwrap_or_default();
        let path = std::str::from_utf8(name).map_err(|_| bad("a name that is no text"))?.to_string();
        let mut bytes = Vec::new();
        let read = self.source.take(len).read_to_end(&mut bytes)?;
        let mut pad = [0; BLOCK];
        let pad = &mut pad[..padding(len)];
        if read as u64 != len || self.source.read_exact(pad).is_err() {
            return Err(bad("it breaks off"));
        }
        self.at += len + pad.len() as u64;
        Ok(Some((path, bytes)))
    }
}

fn octal(field: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(field).ok()?;
    u64::from_str_radix(text.trim_matches([' ', '\0']), 8).ok()
}
