//! The append-only journal: a record is on disk before `append` returns.

use super::lasting::{self, Place, WriteError};
use super::lines::{BadLine, Flavour, Lines};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Why a journal could not be opened or written.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// It could not be read.
    #[error("cannot read the journal {}: {source}", path.display())]
    Read {
        /// The journal.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// It could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A record holds a line end, which would make two of it.
    #[error("a journal record must be one line; write it as JSON")]
    LineEnd,
    /// An earlier append failed, perhaps half-way through a line.
    #[error("the journal {} failed earlier; open it again, which heals it", .0.display())]
    Broken(PathBuf),
}

/// What was found when a journal was opened.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Opened {
    /// The sound records, in order.
    pub records: Vec<String>,
    /// Lines in the middle that hold no sound record; they stay where they are.
    pub bad: Vec<BadLine>,
    /// Where the cut-off end of the file was put, if there was one.
    pub torn: Option<PathBuf>,
    /// The byte after the last record read: where a later look may begin.
    pub end: u64,
}

impl Opened {
    /// What is damaged in the journal at `path`, a line each; `lost` says what it means.
    pub fn damage(&self, path: &Path, lost: &str) -> Vec<String> {
        let path = path.display();
        let bad = self.bad.iter().map(|BadLine { line, offset, len }| {
            format!("{path}: line {line} ({len} bytes from byte {offset} on) is damaged and stays as it is; {lost}")
        });
        let torn = self.torn.iter().map(|aside| {
            format!("{path}: its last line was cut off in the middle, and was put into {}; {lost}", aside.display())
        });
        bad.chain(torn).collect()
    }

    fn of(read: &Lines<'_>, end: u64) -> Self {
        let records = read.good.iter().map(|(_, record)| (*record).to_string()).collect();
        Self { records, bad: read.bad.clone(), torn: None, end }
    }
}

/// An append-only file of records, one a line, safe to share between threads.
///
/// Threads that append at the same time share one force to disk. One process at a time: who writes
/// the same journal from two processes must hold a lock of their own.
///
/// ```
/// use legal_link::cache::{Flavour, Journal};
/// let folder = tempfile::tempdir().unwrap();
/// let path = folder.path().join("calls.journal");
/// let (journal, found) = Journal::open(&path, Flavour::Checked).unwrap();
/// assert!(found.records.is_empty());
/// journal.append(r#"{"call":1}"#).unwrap();
/// drop(journal);
/// let (_, found) = Journal::open(&path, Flavour::Checked).unwrap();
/// assert_eq!(found.records, [r#"{"call":1}"#]);
/// ```
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    flavour: Flavour,
    waiting: Mutex<Waiting>,
    disk: Mutex<Disk>,
}

/// Lines handed in and not yet on disk.
#[derive(Debug, Default)]
struct Waiting {
    text: String,
    handed_in: u64,
}

#[derive(Debug)]
struct Disk {
    file: File,
    written: u64,
    broken: bool,
}

impl Journal {
    /// Opens or makes the journal at `path`, heals a torn tail and gives what it holds.
    ///
    /// The bytes of a torn tail go to `PATH.torn` (added to what is there) before they are cut off.
    ///
    /// # Errors
    /// [`JournalError`] if the file cannot be read or written.
    pub fn open(path: &Path, flavour: Flavour) -> Result<(Self, Opened), JournalError> {
        Self::open_from(path, flavour, 0)
    }

    /// As [`Journal::open`], giving only the records from byte `from` on, where a line must begin.
    ///
    /// # Errors
    /// As [`Journal::open`].
    pub fn open_from(path: &Path, flavour: Flavour, from: u64) -> Result<(Self, Opened), JournalError> {
        let failed = |source| JournalError::Read { path: path.to_path_buf(), source };
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(failed)?;
        }
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(failed)?;
        let bytes = read_from(path, from).map_err(failed)?;
        let read = Lines::read(flavour, &bytes);
        let (mut opened, torn) = (Opened::of(&read, from + bytes.len() as u64), read.torn);
        if let Some(at) = torn {
            opened.torn = Some(set_aside(path, &bytes[at..])?);
            opened.end = from + at as u64;
            file.set_len(opened.end).and_then(|()| file.sync_all()).map_err(failed)?;
        } else if !read.ends_on_line {
            lasting::write(Place::End(&file, path), b"\n")?;
            opened.end += 1;
        }
        let disk = Mutex::new(Disk { file, written: 0, broken: false });
        Ok((Self { path: path.to_path_buf(), flavour, waiting: Mutex::default(), disk }, opened))
    }

    /// A new journal in `file`, which the caller has made, locked and named `path`.
    pub(super) fn over(path: &Path, file: File) -> Self {
        let disk = Mutex::new(Disk { file, written: 0, broken: false });
        Self { path: path.to_path_buf(), flavour: Flavour::Checked, waiting: Mutex::default(), disk }
    }

    /// What stands in the journal at `path`, changing nothing; an absent file is an empty journal.
    ///
    /// # Errors
    /// [`JournalError::Read`].
    pub fn peek(path: &Path, flavour: Flavour) -> Result<Opened, JournalError> {
        Self::peek_from(path, flavour, 0)
    }

    /// What stands in the journal at `path` from byte `from` on, changing nothing; an absent file is empty.
    /// A cut-off end may be one that another process is just writing, so it is left for the next look.
    ///
    /// # Errors
    /// [`JournalError::Read`].
    pub fn peek_from(path: &Path, flavour: Flavour, from: u64) -> Result<Opened, JournalError> {
        let bytes = match read_from(path, from) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            other => other.map_err(|source| JournalError::Read { path: path.to_path_buf(), source })?,
        };
        let read = Lines::read(flavour, &bytes);
        let whole = if read.ends_on_line { read.torn } else { read.good.last().map(|(at, _)| *at) };
        let end = from + whole.unwrap_or(bytes.len()) as u64;
        Ok(Opened::of(&read, end))
    }

    /// How long the file is, in bytes, after the last append that returned.
    ///
    /// # Errors
    /// What the system says.
    pub fn len(&self) -> io::Result<u64> {
        Ok(held(&self.disk).file.metadata()?.len())
    }

    /// Whether nothing has ever been appended.
    ///
    /// # Errors
    /// As [`Journal::len`].
    pub fn is_empty(&self) -> io::Result<bool> {
        Ok(self.len()? == 0)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a record (one line, usually JSON); it is on disk when this returns.
    ///
    /// # Errors
    /// [`JournalError::LineEnd`]; or [`JournalError::Write`], when the record may or may not be there and every
    /// later append is [`JournalError::Broken`] until the journal is opened again.
    pub fn append(&self, record: &str) -> Result<(), JournalError> {
        self.append_all([record])
    }

    /// Adds several records with one force to disk.
    ///
    /// # Errors
    /// As [`Journal::append`].
    pub fn append_all<'a>(&self, records: impl IntoIterator<Item = &'a str>) -> Result<(), JournalError> {
        let mut lines = String::new();
        for record in records {
            if record.contains('\n') {
                return Err(JournalError::LineEnd);
            }
            self.flavour.push(&mut lines, record);
        }
        let mine = {
            let mut waiting = held(&self.waiting);
            if waiting.text.is_empty() {
                waiting.text = lines;
            } else {
                waiting.text.push_str(&lines);
            }
            waiting.handed_in += 1;
            waiting.handed_in
        };
        let mut disk = held(&self.disk);
        if disk.written >= mine {
            return Ok(()); // whoever held the disk before us wrote our lines with theirs
        }
        if disk.broken {
            return Err(JournalError::Broken(self.path.clone()));
        }
        let (text, upto) = {
            let mut waiting = held(&self.waiting);
            (std::mem::take(&mut waiting.text), waiting.handed_in)
        };
        disk.broken = true; // until the write has lasted
        lasting::write(Place::End(&disk.file, &self.path), text.as_bytes())?;
        disk.broken = false;
        disk.written = upto;
        Ok(())
    }
}

/// The bytes of a file from `from` on; none where it is shorter.
fn read_from(path: &Path, from: u64) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(from))?;
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Locks a file against other processes, without waiting.
pub(super) fn try_lock(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// A lock whose holder panicked still guards sound data here: every change is a single assignment.
pub(super) fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps torn bytes, each tail on its own line, in `PATH.torn`.
fn set_aside(path: &Path, tail: &[u8]) -> Result<PathBuf, JournalError> {
    let mut name = path.as_os_str().to_os_string();
    name.push(".torn");
    let aside = PathBuf::from(name);
    let file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(&aside)
        .map_err(|source| WriteError { path: aside.clone(), source })?;
    lasting::write(Place::End(&file, &aside), &[tail, b"\n"].concat())?;
    Ok(aside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_torn_tail_is_set_aside_and_the_next_record_begins_on_a_line() {
        let folder = tempfile::tempdir().expect("temp");
        let path = folder.path().join("j");
        let whole = Flavour::Checked.line("one");
        fs::write(&path, format!("{whole}3 ab")).expect("write");
        let (journal, found) = Journal::open(&path, Flavour::Checked).expect("open");
        assert_eq!(found.records, ["one"]);
        assert_eq!(fs::read(found.torn.expect("torn")).expect("read"), b"3 ab\n");
        journal.append("two").expect("append");
        let found = Journal::peek(&path, Flavour::Checked).expect("peek");
        assert_eq!((found.records.len(), found.bad.len()), (2, 0));
    }

    #[test]
    fn a_whole_last_line_without_its_end_is_kept() {
        let folder = tempfile::tempdir().expect("temp");
        let path = folder.path().join("j");
        fs::write(&path, "{\"id\":1}\n{\"id\":2}").expect("write");
        let (journal, found) = Journal::open(&path, Flavour::Json).expect("open");
        assert_eq!((found.records.len(), found.torn), (2, None));
        journal.append("{\"id\":3}").expect("append");
        assert_eq!(fs::read_to_string(&path).expect("read"), "{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n");
    }

    #[test]
    fn many_threads_lose_nothing() {
        let folder = tempfile::tempdir().expect("temp");
        let path = folder.path().join("j");
        let (journal, _) = Journal::open(&path, Flavour::Checked).expect("open");
        std::thread::scope(|scope| {
            for thread in 0..8 {
                let journal = &journal;
                scope.spawn(move || (0..25).for_each(|n| journal.append(&format!("{thread}.{n}")).expect("append")));
            }
        });
        let found = Journal::peek(&path, Flavour::Checked).expect("peek");
        let distinct: std::collections::BTreeSet<_> = found.records.iter().collect();
        assert_eq!((found.records.len(), distinct.len(), found.bad.len()), (200, 200, 0));
    }
}
