//! The cache on disk: who holds it, what is put and what is got.

use super::blob::{self, BlobFault};
use super::entry::{About, Entry, History};
use super::index::{Index, Mark};
use super::journal::{JournalError, held, try_lock};
use super::lasting::{self, Place, WriteError};
use super::shipped::{Shipped, blob_files};
use super::{Flavour, Journal, Key};
use crate::law::Digest;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Why the cache does not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum CacheError {
    /// A file or folder of it cannot be read.
    #[error("cannot read the cache at {}: {source}", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// Something could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The journal of puts cannot be read or written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// Nothing at all: a failed answer, never kept.
    #[error("`{0}` came with no bytes, and an empty answer is not kept")]
    Empty(Key),
    /// More bytes than any document has.
    #[error("`{0}` has more than {limit} bytes and is not kept", limit = blob::LONGEST)]
    TooLong(Key),
    /// The bytes are not those that were promised.
    #[error("`{key}` is not kept: its digest should be {expected} and is {found}")]
    Differs {
        /// The key.
        key: Key,
        /// What was promised.
        expected: Digest,
        /// What came.
        found: Digest,
    },
    /// The index knows the document, and its blob is damaged.
    #[error("`{key}`: its blob {digest} is damaged: {fault} (cache rebuild sets it aside, then fetch it again)")]
    Damaged {
        /// The key.
        key: Key,
        /// The blob.
        digest: Digest,
        /// What is wrong with it.
        #[source]
        fault: BlobFault,
    },
    /// The index knows the document, and its blob is gone.
    #[error("`{key}`: its blob {digest} is gone (cache rebuild forgets it, then fetch it again)")]
    Gone {
        /// The key.
        key: Key,
        /// The blob.
        digest: Digest,
    },
    /// This needs the cache for itself, and another process holds it.
    #[error("another process holds the cache at {}; try again when it has ended", .0.display())]
    Busy(PathBuf),
}

/// A document in the cache.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// What is known about it.
    pub entry: Entry,
    /// Its bytes, which have the entry's digest.
    pub bytes: Vec<u8>,
}

impl Found {
    /// An entry with what was found for its digest.
    pub(super) fn of(entry: Entry, blob: Result<Option<Vec<u8>>, BlobFault>) -> Result<Self, CacheError> {
        let (key, digest) = (entry.key.clone(), entry.digest);
        match blob {
            Ok(Some(bytes)) => Ok(Self { entry, bytes }),
            Ok(None) => Err(CacheError::Gone { key, digest }),
            Err(fault) => Err(CacheError::Damaged { key, digest, fault }),
        }
    }
}

/// Bytes by key, on disk, over a [`Shipped`] cache that is only read.
///
/// One process at a time *holds* a cache: it has the sled index. Any other is a *guest*: it reads the journal of puts
/// and the blobs, and what it puts goes to blobs and to a journal of its own, which the next holder folds in.
/// Neither can make the other fail.
///
/// ```
/// use legal_link::cache::{About, Cache, Shipped};
/// let folder = tempfile::tempdir().unwrap();
/// let cache = Cache::open(folder.path(), Shipped::default()).unwrap();
/// let key = "other/note".parse().unwrap();
/// cache.put(&key, b"Article 1", About::default()).unwrap();
/// assert_eq!(cache.get(&key).unwrap().unwrap().bytes, b"Article 1");
/// ```
#[derive(Debug)]
pub struct Cache {
    pub(super) folder: PathBuf,
    pub(super) shipped: Shipped,
    pub(super) index: Mutex<Index>,
    role: Role,
}

#[derive(Debug)]
enum Role {
    /// Has the lock (released when the file is closed) and the journal of puts.
    Holder { puts: Journal, _lock: File },
    /// Has neither; `own` is made at its first put, `seen` says how far each journal has been read.
    Guest { own: Mutex<Option<Journal>>, seen: Mutex<BTreeMap<PathBuf, u64>> },
}

/// How many blobs are written at the same time.
const SIDE_BY_SIDE: usize = 16;

/// The folder below the cache's own that this layout has; another layout would have another.
pub(super) const LAYOUT: &str = "v1";

impl Cache {
    /// Opens the cache in `folder`, made if it is not there, and holds it if nobody else does.
    ///
    /// # Errors
    /// [`CacheError`] where the folder cannot be read or, by its holder, not written.
    pub fn open(folder: &Path, shipped: Shipped) -> Result<Self, CacheError> {
        let folder = folder.join(LAYOUT);
        let unread = |source| CacheError::Read { path: folder.clone(), source };
        fs::create_dir_all(&folder).map_err(unread)?;
        let lock = File::options().create(true).append(true).open(folder.join("lock")).map_err(unread)?;
        // A file system that knows no locks makes every process a guest, which is slower and as sound.
        if !try_lock(&lock).unwrap_or(false) {
            return Self::guest(folder, shipped);
        }
        let mut index = Index::open(&folder.join("index"));
        let puts = fold(&folder, &mut index)?;
        Ok(Self { folder, shipped, index: Mutex::new(index), role: Role::Holder { puts, _lock: lock } })
    }

    /// Opens it as a guest: for who only reads, and need not keep others from holding it.
    /// A folder that is not there is an empty cache.
    ///
    /// # Errors
    /// [`CacheError`] where the folder is there and cannot be read.
    pub fn visit(folder: &Path, shipped: Shipped) -> Result<Self, CacheError> {
        Self::guest(folder.join(LAYOUT), shipped)
    }

    fn guest(folder: PathBuf, shipped: Shipped) -> Result<Self, CacheError> {
        let role = Role::Guest { own: Mutex::default(), seen: Mutex::default() };
        let cache = Self { folder, shipped, index: Mutex::new(Index::memory()), role };
        cache.look_again()?;
        Ok(cache)
    }

    /// Whether this process holds the cache.
    pub fn holds(&self) -> bool {
        matches!(self.role, Role::Holder { .. })
    }

    /// The entry that counts under a key: the cache's own, else the shipped one.
    ///
    /// # Errors
    /// [`CacheError`] where the cache cannot be read.
    pub fn entry(&self, key: &Key) -> Result<Option<Entry>, CacheError> {
        if let Some(entry) = self.own(key)? {
            return Ok(Some(entry));
        }
        Ok(self.shipped.entry(key).cloned())
    }

    fn own(&self, key: &Key) -> Result<Option<Entry>, CacheError> {
        let look = || held(&self.index).history(key).and_then(|history| history.current().cloned());
        let found = look();
        if found.is_none() && self.look_again()? {
            return Ok(look());
        }
        Ok(found)
    }

    /// Every putting under a key in the cache's own part, oldest first.
    pub fn history(&self, key: &Key) -> Vec<Entry> {
        held(&self.index).history(key).map(|history| history.entries().to_vec()).unwrap_or_default()
    }

    /// The entry that counts under every key, own before shipped, sorted by key.
    pub fn entries(&self) -> Vec<Entry> {
        let shipped = self.shipped.entries().map(|entry| (entry.key.clone(), entry.clone()));
        let mut all: BTreeMap<Key, Entry> = shipped.collect();
        let own = self.histories();
        all.extend(own.iter().filter_map(History::current).map(|entry| (entry.key.clone(), entry.clone())));
        all.into_values().collect()
    }

    /// The entries that count under the keys below a folder of keys (`act/31999R9001/eng`), own before shipped, sorted.
    pub fn below(&self, folder: &str) -> Vec<Entry> {
        let inside = |entry: &&Entry| entry.key.as_str().strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
        let shipped = self.shipped.entries().filter(inside).map(|entry| (entry.key.clone(), entry.clone()));
        let mut all: BTreeMap<Key, Entry> = shipped.collect();
        if let Role::Guest { .. } = &self.role {
            // What the journal cannot be read for is not there; a key asked for says so.
            let _ = self.look_again();
        }
        let own = held(&self.index).below(folder);
        all.extend(own.iter().filter_map(History::current).map(|entry| (entry.key.clone(), entry.clone())));
        all.into_values().collect()
    }

    /// Every key, sorted.
    pub fn keys(&self) -> Vec<Key> {
        self.entries().into_iter().map(|entry| entry.key).collect()
    }

    pub(super) fn histories(&self) -> Vec<History> {
        held(&self.index).all().unwrap_or_default()
    }

    /// The document under a key; `None` where there is none. Its bytes are hashed again.
    ///
    /// # Errors
    /// [`CacheError::Damaged`] or [`CacheError::Gone`] where the blob is not what the index says and no sound one
    /// was shipped; [`CacheError::Read`].
    pub fn get(&self, key: &Key) -> Result<Option<Found>, CacheError> {
        let Some(entry) = self.entry(key)? else { return Ok(None) };
        let blob = self.blob(&entry.digest);
        Found::of(entry, blob).map(Some)
    }

    /// The document that was put under a key with these very bytes, whatever counts under it now.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    pub fn get_exactly(&self, key: &Key, digest: &Digest) -> Result<Option<Found>, CacheError> {
        let shipped = self.shipped.entry(key).cloned();
        let entry = self.history(key).into_iter().chain(shipped).find(|entry| entry.digest == *digest);
        entry.map(|entry| Found::of(entry, self.blob(digest))).transpose()
    }

    /// The bytes with this digest, own or shipped, hashed again; `None` where neither has them.
    ///
    /// # Errors
    /// [`BlobFault`] where the only blob is damaged.
    pub fn blob(&self, digest: &Digest) -> Result<Option<Vec<u8>>, BlobFault> {
        let own = match fs::read(self.folder.join(blob::path(digest))) {
            Ok(file) => Some(blob::unpack(&file, digest)),
            Err(_) => None,
        };
        match own {
            Some(Ok(bytes)) => Ok(Some(bytes)),
            Some(Err(fault)) => self.shipped.blob(digest).ok().flatten().map(Some).ok_or(fault),
            None => self.shipped.blob(digest),
        }
    }

    /// Keeps `bytes` under `key`; they are on disk when this returns. What was there before stays in the
    /// [`history`](Self::history). The caller has made sure that the answer is whole and of the right kind: a failed
    /// or thin one must not come here.
    ///
    /// # Errors
    /// [`CacheError::Empty`], [`CacheError::TooLong`], or what keeps it from being written.
    pub fn put(&self, key: &Key, bytes: &[u8], about: About) -> Result<Entry, CacheError> {
        let entry = Entry { key: key.clone(), digest: Digest::of(bytes), size: bytes.len() as u64, about };
        self.keep(&entry, bytes)?;
        self.enter(std::slice::from_ref(&entry))?;
        Ok(entry)
    }

    /// As [`put`](Self::put), for bytes whose digest is known: others are refused.
    ///
    /// # Errors
    /// [`CacheError::Differs`], and as `put`.
    pub fn put_known(&self, entry: &Entry, bytes: &[u8]) -> Result<(), CacheError> {
        let found = Digest::of(bytes);
        if found != entry.digest {
            return Err(CacheError::Differs { key: entry.key.clone(), expected: entry.digest, found });
        }
        self.keep(entry, bytes)?;
        self.enter(std::slice::from_ref(entry))
    }

    /// Puts several at once, which is faster than one after the other: blobs are forced to disk side by side, the
    /// lines of the journal together.
    ///
    /// # Errors
    /// As [`put`](Self::put); then none is entered.
    pub fn put_all<'a>(&self, all: impl IntoIterator<Item = (Key, &'a [u8], About)>) -> Result<(), CacheError> {
        let entry = |(key, bytes, about): (Key, &'a [u8], About)| {
            (Entry { key, digest: Digest::of(bytes), size: bytes.len() as u64, about }, bytes)
        };
        self.put_entries(&all.into_iter().map(entry).collect::<Vec<_>>())
    }

    /// As [`put_all`](Self::put_all), of bytes that are made one after the other and need not be in memory together.
    ///
    /// # Errors
    /// What their making fails with, or [`CacheError`]; then none of them counts.
    pub fn put_each<E: From<CacheError>>(
        &self,
        all: impl Iterator<Item = Result<(Key, Vec<u8>, About), E>>,
    ) -> Result<(), E> {
        let mut entries = Vec::new();
        for one in all {
            let (key, bytes, about) = one?;
            let entry = Entry { key, digest: Digest::of(&bytes), size: bytes.len() as u64, about };
            self.keep(&entry, &bytes)?;
            entries.push(entry);
        }
        Ok(self.enter(&entries)?)
    }

    /// Keeps and enters bytes whose entries are known to be theirs.
    pub(super) fn put_entries(&self, all: &[(Entry, &[u8])]) -> Result<(), CacheError> {
        // Waiting for the disk takes most of the time, so more threads than cores are of use.
        let share = all.len().div_ceil(SIDE_BY_SIDE).max(1);
        std::thread::scope(|scope| {
            let keep = |(entry, bytes): &(Entry, &[u8])| self.keep(entry, bytes);
            let threads: Vec<_> =
                all.chunks(share).map(|some| scope.spawn(move || some.iter().try_for_each(keep))).collect();
            threads.into_iter().try_for_each(|thread| match thread.join() {
                Ok(kept) => kept,
                Err(panic) => std::panic::resume_unwind(panic),
            })
        })?;
        self.enter(&all.iter().map(|(entry, _)| entry.clone()).collect::<Vec<_>>())
    }

    /// Writes the blob, unless a sound one is there.
    fn keep(&self, entry: &Entry, bytes: &[u8]) -> Result<(), CacheError> {
        if bytes.is_empty() {
            return Err(CacheError::Empty(entry.key.clone()));
        }
        if bytes.len() as u64 > blob::LONGEST {
            return Err(CacheError::TooLong(entry.key.clone()));
        }
        let path = self.folder.join(blob::path(&entry.digest));
        let sound = fs::read(&path).is_ok_and(|file| blob::unpack(&file, &entry.digest).is_ok());
        if !sound {
            lasting::write(Place::Whole(&path), &blob::pack(bytes, entry))?;
        }
        Ok(())
    }

    /// Notes entries in the journal, then in the index; those that already count as they are, nowhere.
    fn enter(&self, entries: &[Entry]) -> Result<(), CacheError> {
        let counts = |entry: &&Entry| held(&self.index).history(&entry.key).is_some_and(|h| h.current() == Some(entry));
        let new: Vec<&Entry> = entries.iter().filter(|entry| !counts(entry)).collect();
        if new.is_empty() {
            return Ok(());
        }
        let lines: Vec<String> = new.iter().map(|entry| entry.line()).collect();
        let lines = lines.iter().map(String::as_str);
        match &self.role {
            Role::Holder { puts, .. } => puts.append_all(lines)?,
            Role::Guest { own, .. } => {
                let mut own = held(own);
                if own.is_none() {
                    *own = Some(guest_journal(&self.folder.join(WAITING))?);
                }
                own.as_ref().map_or(Ok(()), |journal| journal.append_all(lines))?;
            }
        }
        let mut index = held(&self.index);
        for entry in new {
            index.add(entry.clone());
        }
        Ok(())
    }

    /// A guest reads what others have put since it last looked; says whether there was anything.
    fn look_again(&self) -> Result<bool, CacheError> {
        let Role::Guest { seen, .. } = &self.role else { return Ok(false) };
        let mut seen = held(seen);
        let mut journals = waiting(&self.folder);
        journals.push(self.folder.join(PUTS));
        let mut news = false;
        for path in journals {
            let from = seen.get(&path).copied().unwrap_or(0);
            let long = fs::metadata(&path).map_or(0, |file| file.len());
            if long <= from {
                continue;
            }
            let found = Journal::peek_from(&path, Flavour::Checked, from)?;
            seen.insert(path, found.end);
            let mut index = held(&self.index);
            for entry in found.records.iter().filter_map(|line| Entry::read(line)) {
                index.add(entry);
                news = true;
            }
        }
        Ok(news)
    }

    /// Takes out of the index every entry whose blob is not there, own or shipped; gives the keys left without one.
    pub(super) fn forget_gone(&self) -> Vec<Key> {
        let mut index = held(&self.index);
        let mut lost = Vec::new();
        for history in index.all().unwrap_or_default() {
            let here = |entry: &Entry| {
                self.folder.join(blob::path(&entry.digest)).is_file()
                    || matches!(self.shipped.blob(&entry.digest), Ok(Some(_)))
            };
            let Some(key) = history.current().map(|entry| entry.key.clone()) else { continue };
            let rest: Vec<Entry> = history.entries().iter().filter(|entry| here(entry)).cloned().collect();
            if rest.is_empty() {
                lost.push(key.clone());
            }
            if rest.len() < history.entries().len() {
                index.replace(&key, rest);
            }
        }
        lost
    }

    /// Makes the index anew from the journal, the guests' journals and the heads of blobs. Only its holder can.
    pub(super) fn refold(&mut self) -> Result<(), CacheError> {
        let Role::Holder { puts, .. } = &mut self.role else { return Err(CacheError::Busy(self.folder.clone())) };
        let mut index = held(&self.index);
        index.clear();
        *puts = fold(&self.folder, &mut index)?;
        Ok(())
    }
}

impl Drop for Cache {
    /// Notes how far the index has come, so that the next opening has nothing to read again.
    fn drop(&mut self) {
        if let Role::Holder { puts, .. } = &self.role
            && let Ok(end) = puts.len()
        {
            held(&self.index).set_mark(&mark_at(&self.folder.join(PUTS), end));
        }
    }
}

/// The journal of puts: what the index is made from.
pub(super) const PUTS: &str = "puts.journal";
/// The folder of guests' journals.
const WAITING: &str = "waiting";
/// How the name of a guest's journal ends.
const ENDING: &str = ".journal";

/// The guests' journals, sorted.
pub(super) fn waiting(folder: &Path) -> Vec<PathBuf> {
    let Ok(files) = fs::read_dir(folder.join(WAITING)) else { return Vec::new() };
    let is_journal = |path: &PathBuf| path.to_str().is_some_and(|name| name.ends_with(ENDING));
    let mut found: Vec<PathBuf> = files.filter_map(|file| Some(file.ok()?.path())).filter(is_journal).collect();
    found.sort();
    found
}

/// A journal of this guest's own, locked before it gets the name by which the holder finds it.
fn guest_journal(folder: &Path) -> Result<Journal, CacheError> {
    let failed = |source| CacheError::Write(WriteError { path: folder.to_path_buf(), source });
    fs::create_dir_all(folder).map_err(failed)?;
    let named = tempfile::Builder::new().prefix("put-").suffix(".new").tempfile_in(folder).map_err(failed)?;
    let (file, path) = named.keep().map_err(|error| failed(error.error))?;
    try_lock(&file).ok();
    let known = path.with_extension(ENDING.trim_start_matches('.'));
    fs::rename(&path, &known).map_err(failed)?;
    Ok(Journal::over(&known, file))
}

/// Brings the index up to the journal of puts, and folds in what guests left; gives the journal.
fn fold(folder: &Path, index: &mut Index) -> Result<Journal, CacheError> {
    let path = folder.join(PUTS);
    let mark = index.mark();
    let anew = mark.offset == 0 || mark != mark_at(&path, mark.offset);
    if anew {
        index.clear();
    }
    let (puts, found) = Journal::open_from(&path, Flavour::Checked, if anew { 0 } else { mark.offset })?;
    found.records.iter().filter_map(|line| Entry::read(line)).for_each(|entry| index.add(entry));
    if anew {
        fold_heads(folder, index, &puts)?;
    }
    for journal in waiting(folder) {
        fold_guest(&journal, index, &puts)?;
    }
    index.set_mark(&mark_at(&path, puts.len().unwrap_or(0)));
    Ok(puts)
}

/// Enters what a guest put, and removes its journal if the guest has ended.
fn fold_guest(path: &Path, index: &mut Index, puts: &Journal) -> Result<(), CacheError> {
    let Ok(file) = File::options().append(true).open(path) else { return Ok(()) };
    let ended = try_lock(&file).unwrap_or(false);
    let found = Journal::peek(path, Flavour::Checked)?;
    enter_new(found.records.iter().filter_map(|line| Entry::read(line)), index, puts)?;
    if ended && found.bad.is_empty() {
        fs::remove_file(path).ok();
    }
    Ok(())
}

/// Enters blobs that no entry names, by their heads: their line in the journal is lost.
fn fold_heads(folder: &Path, index: &mut Index, puts: &Journal) -> Result<(), CacheError> {
    let unread = |source| CacheError::Read { path: folder.join("blobs"), source };
    let known: BTreeSet<Digest> =
        index.all().unwrap_or_default().iter().flat_map(History::entries).map(|entry| entry.digest).collect();
    let blobs = blob_files(folder).map_err(unread)?;
    let orphans = blobs.into_iter().filter(|(_, digest)| !known.contains(digest));
    let heads = orphans.filter_map(|(path, digest)| {
        let head = blob::head(&fs::read(path).ok()?)?;
        (head.digest == digest).then_some(head)
    });
    enter_new(heads, index, puts)
}

fn enter_new(entries: impl Iterator<Item = Entry>, index: &mut Index, puts: &Journal) -> Result<(), CacheError> {
    let known = |entry: &Entry, index: &Index| index.history(&entry.key).is_some_and(|h| h.entries().contains(entry));
    let new: Vec<Entry> = entries.filter(|entry| !known(entry, index)).collect();
    let lines: Vec<String> = new.iter().map(Entry::line).collect();
    if !lines.is_empty() {
        puts.append_all(lines.iter().map(String::as_str))?;
    }
    for entry in new {
        index.add(entry);
    }
    Ok(())
}

/// The mark of a journal read up to `offset`.
fn mark_at(journal: &Path, offset: u64) -> Mark {
    use std::io::{Read as _, Seek as _, SeekFrom};
    let from = offset.saturating_sub(4096);
    let mut before = Vec::new();
    let read = File::open(journal).and_then(|mut file| {
        file.seek(SeekFrom::Start(from))?;
        file.take(offset - from).read_to_end(&mut before)
    });
    match read {
        Ok(len) if len as u64 == offset - from => Mark { offset, before: Digest::of(&before).short(16) },
        _ => Mark::default(),
    }
}
