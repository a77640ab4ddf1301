//! Folders that one run at a time may use, held by locks of the system: what a killed process held is free at once.

use super::{BuildError, ModelsError};
use crate::cache::lasting;
use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// How often a folder is made that is gone when it is to be held: a build that wrote nothing took it away in between.
const ATTEMPTS: u32 = 100;

/// The lock on a folder's journal of calls.
///
/// # Errors
/// [`ModelsError::Busy`] where another run has it, [`ModelsError::Lock`] where it cannot be had at all: two runs that
/// write one journal would tear each other's lines.
pub(super) fn journal(folder: &Path) -> Result<File, ModelsError> {
    let failed = |why: std::io::Error| ModelsError::Lock { folder: folder.to_path_buf(), why: why.to_string() };
    fs::create_dir_all(folder).map_err(failed)?;
    let file = File::create(folder.join("calls.lock")).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(ModelsError::Busy(folder.to_path_buf())),
        Err(TryLockError::Error(why)) => Err(failed(why)),
    }
}

/// An output folder that no other run writes into while this is kept.
///
/// The folder itself is locked and not a file in it, so that nothing of it is left in the dataset. It is made for that
/// where it is not there; if nothing was written into it, it is gone again afterwards.
#[derive(Debug)]
pub struct OutFolder {
    /// None where the system locks no folders: then nothing is held, and all else goes on.
    _lock: Option<File>,
    /// Folders that were not there before, the deepest first.
    made: Vec<PathBuf>,
}

impl OutFolder {
    /// Makes it where it is not there, and holds it.
    ///
    /// # Errors
    /// [`BuildError::Busy`] where another run holds it, [`BuildError::Write`] where it cannot be made.
    pub fn hold(folder: &Path) -> Result<Self, BuildError> {
        let new = folder.ancestors().take_while(|at| !at.as_os_str().is_empty() && !at.exists());
        let made: Vec<PathBuf> = new.map(Path::to_path_buf).collect();
        for _ in 0..ATTEMPTS {
            lasting::folders(folder)?;
            let lock = match File::open(folder) {
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                lock => lock.ok(),
            };
            match lock.as_ref().map(File::try_lock) {
                Some(Err(TryLockError::WouldBlock)) => break,
                Some(Ok(())) if lock.as_ref().is_some_and(|lock| is(lock, folder)) => {
                    return Ok(Self { _lock: lock, made });
                }
                Some(Ok(())) => {}
                Some(Err(TryLockError::Error(_))) | None => return Ok(Self { _lock: None, made }),
            }
        }
        Err(BuildError::Busy(folder.to_path_buf()))
    }
}

impl Drop for OutFolder {
    fn drop(&mut self) {
        // Only empty folders can be removed so; the lock is still held.
        let _ = self.made.iter().try_for_each(fs::remove_dir);
    }
}

/// Whether this is the folder that stands at the path now.
#[cfg(unix)]
fn is(open: &File, folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let name = |of: fs::Metadata| (of.dev(), of.ino());
    open.metadata().map(name).ok() == fs::metadata(folder).map(name).ok()
}

#[cfg(not(unix))]
fn is(_: &File, _: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_held_once_and_gone_if_nothing_came_of_it() {
        let at = tempfile::tempdir().unwrap();
        let out = at.path().join("new/deep");
        let held = OutFolder::hold(&out).unwrap();
        assert!(matches!(OutFolder::hold(&out), Err(BuildError::Busy(folder)) if folder == out));
        drop(held);
        assert!(!at.path().join("new").exists(), "nothing was written");
        let held = OutFolder::hold(&out).unwrap();
        fs::write(out.join("items.jsonl"), "{}\n").unwrap();
        drop(held);
        assert_eq!(fs::read_dir(&out).unwrap().count(), 1, "what was written stays, and nothing beside it");
        drop(OutFolder::hold(&out).unwrap());
        assert!(out.exists());
    }

    #[test]
    fn many_that_write_nothing_are_never_there_together() {
        let at = tempfile::tempdir().unwrap();
        let (out, inside) = (at.path().join("out"), std::sync::atomic::AtomicUsize::new(0));
        let turn = || {
            for _ in 0..50 {
                if let Ok(held) = OutFolder::hold(&out) {
                    assert_eq!(inside.fetch_add(1, std::sync::atomic::Ordering::SeqCst), 0);
                    std::thread::yield_now();
                    inside.fetch_sub(1, std::sync::atomic::Ordering::SeqCst);
                    drop(held);
                }
            }
        };
        std::thread::scope(|scope| (0..4).for_each(|_| drop(scope.spawn(turn))));
    }

    #[test]
    fn a_journal_is_held_once() {
        let at = tempfile::tempdir().unwrap();
        let held = journal(at.path()).unwrap();
        assert!(matches!(journal(at.path()), Err(ModelsError::Busy(_))));
        drop(held);
        assert!(journal(at.path()).is_ok());
    }
}
