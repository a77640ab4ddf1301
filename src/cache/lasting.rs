//! The one function through which every write that must last goes.
//!
//! A whole file is written beside its place, forced to disk, renamed over it, and the folder is forced
//! to disk: a reader sees the old bytes or the new, never half. An append is forced to disk before the
//! function returns; a crash in the middle leaves a torn tail, which [`super::Journal`] heals.
//!
//! Crash tests kill the process at a chosen [`moment`](die_at): before, in the middle of, and after each write.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Where bytes that must last go.
#[derive(Debug, Clone, Copy)]
pub enum Place<'a> {
    /// A whole file: created with its folders, or replaced at once.
    Whole(&'a Path),
    /// The end of a file opened for appending, with its path for messages.
    End(&'a File, &'a Path),
}

/// A write that did not last.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {source} (is the folder there, writable, and the disk not full?)", path.display())]
pub struct WriteError {
    /// The file.
    pub path: PathBuf,
    /// What the system said.
    #[source]
    pub source: io::Error,
}

/// Writes `bytes` so that they are on disk, whole, when it returns.
///
/// # Errors
/// [`WriteError`] with the path; a file replaced whole is then as it was before.
///
/// ```
/// use legal_link::cache::lasting::{Place, write};
/// let folder = tempfile::tempdir().unwrap();
/// let path = folder.path().join("deep/file");
/// write(Place::Whole(&path), b"old").unwrap();
/// write(Place::Whole(&path), b"new").unwrap();
/// assert_eq!(std::fs::read(&path).unwrap(), b"new");
/// ```
pub fn write(place: Place<'_>, bytes: &[u8]) -> Result<(), WriteError> {
    moment();
    let (path, outcome) = match place {
        Place::Whole(path) => (path, whole(path, &mut |file| file.write_all(bytes))),
        Place::End(file, path) => (path, end(file, bytes)),
    };
    outcome.map_err(|source| WriteError { path: path.to_path_buf(), source })?;
    moment();
    Ok(())
}

/// As [`write`] of a whole file, for bytes that are too many to hand over at once: `fill` writes them, and may be
/// asked to do so twice.
///
/// # Errors
/// The first error of `fill`, or [`WriteError`].
pub fn fill<E: From<WriteError>>(
    path: &Path,
    mut fill: impl FnMut(&mut dyn io::Write) -> Result<(), E>,
) -> Result<(), E> {
    moment();
    let mut failed = None;
    let outcome = whole(path, &mut |file| {
        let mut buffered = io::BufWriter::new(file);
        match fill(&mut buffered) {
            Ok(()) => buffered.flush(),
            Err(error) => {
                failed = Some(error);
                Err(io::ErrorKind::Other.into())
            }
        }
    });
    if let Some(error) = failed {
        return Err(error);
    }
    outcome.map_err(|source| WriteError { path: path.to_path_buf(), source })?;
    moment();
    Ok(())
}

fn whole(path: &Path, fill: &mut dyn FnMut(&mut File) -> io::Result<()>) -> io::Result<()> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    make_folders(folder)?;
    let mut attempt = || -> io::Result<()> {
        let mut beside = tempfile::Builder::new().prefix(UNFINISHED).tempfile_in(folder)?;
        fill(beside.as_file_mut())?;
        beside.as_file().sync_all()?;
        moment();
        open_to_others(beside.as_file())?;
        beside.persist(path).map_err(|failed| failed.error)?;
        Ok(())
    };
    match attempt() {
        // Somebody tidied the unfinished file away under us: it was not abandoned, so write it again.
        Err(error) if error.kind() == io::ErrorKind::NotFound => attempt()?,
        other => other?,
    }
    sync_folder(folder)
}

fn end(mut file: &File, bytes: &[u8]) -> io::Result<()> {
    let (head, tail) = bytes.split_at(bytes.len() / 2);
    if armed() {
        // One write where nobody watches, two where a test wants to die between them.
        file.write_all(head)?;
        moment();
        file.write_all(tail)?;
    } else {
        file.write_all(bytes)?;
        count();
    }
    file.sync_data()
}

/// Makes a folder, and those above it that are not there, so that they are on disk when it returns.
///
/// # Errors
/// [`WriteError`] with the path.
pub fn folders(path: &Path) -> Result<(), WriteError> {
    make_folders(path).map_err(|source| WriteError { path: path.to_path_buf(), source })
}

/// How the name of a file begins that is not yet in its place; a crash can leave one behind.
pub const UNFINISHED: &str = ".unfinished-";

fn make_folders(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    if let Some(parent) = folder.parent().filter(|p| !p.as_os_str().is_empty()) {
        make_folders(parent)?;
        match fs::create_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(()),
            other => other?,
        }
        return sync_folder(parent);
    }
    fs::create_dir_all(folder)
}

/// Gives a finished file the usual rights: temporary files are private to their owner.
#[cfg(unix)]
fn open_to_others(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    file.set_permissions(fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn open_to_others(_: &File) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

static PASSED: AtomicU64 = AtomicU64::new(0);
static LAST: AtomicU64 = AtomicU64::new(u64::MAX);

/// For crash tests: kills this process, as if by `kill -9`, at the `n`th moment from now (0: the next).
/// Every lasting write has three moments: before it, half-way through it, after it.
pub fn die_at(n: u64) {
    LAST.store(moments().saturating_add(n), Ordering::SeqCst);
}

/// For crash tests: how many moments this process has passed, so that a test knows how many there are to die at.
pub fn moments() -> u64 {
    PASSED.load(Ordering::SeqCst)
}

fn armed() -> bool {
    LAST.load(Ordering::Relaxed) != u64::MAX
}

fn count() -> u64 {
    PASSED.fetch_add(1, Ordering::SeqCst)
}

fn moment() {
    if count() >= LAST.load(Ordering::Relaxed) {
        std::process::abort();
    }
}
