//! The output folder: files gathered in memory, written whole, the lock last.

use super::BuildError;
use crate::cache::WriteError;
use crate::cache::lasting::{Place, UNFINISHED, write};
use crate::dataset::{Lock, LockedFile};
use crate::law::Digest;
use std::collections::BTreeSet;
use std::path::Path;

/// The lock's name in an output folder.
pub const LOCK: &str = "dataset.lock";

/// Files to be written, by path relative to the output folder.
#[derive(Debug, Default)]
pub struct Output {
    files: Vec<(String, Vec<u8>, Option<u64>)>,
}

impl Output {
    /// Takes a file; `rows` where it is a table.
    pub fn add(&mut self, path: &str, bytes: &[u8], rows: Option<u64>) {
        self.files.push((path.to_string(), bytes.to_vec(), rows));
    }

    /// What the lock says of the files.
    pub fn locked(&self) -> Vec<LockedFile> {
        let one = |(path, bytes, rows): &(String, Vec<u8>, Option<u64>)| LockedFile {
            path: path.clone(),
            sha256: Digest::of(bytes),
            bytes: bytes.len() as u64,
            rows: *rows,
        };
        let mut files: Vec<LockedFile> = self.files.iter().map(one).collect();
        files.sort();
        files
    }

    /// Writes all files and then the lock: while the lock is the old one, the folder is not a finished build.
    ///
    /// # Errors
    /// [`WriteError`] with the path.
    pub fn write(&self, folder: &Path, lock: &str) -> Result<(), WriteError> {
        for (path, bytes, _) in &self.files {
            let path = folder.join(path);
            // A file that is there already is left alone: a repeated build touches nothing.
            if std::fs::read(&path).is_ok_and(|there| &there == bytes) {
                continue;
            }
            write(Place::Whole(&path), bytes)?;
        }
        // Before the lock: once that is there, a build that is run again does nothing.
        self.sweep(folder);
        write(Place::Whole(&folder.join(LOCK)), lock.as_bytes())
    }

    /// Removes what a killed build left half-written beside the files.
    fn sweep(&self, folder: &Path) {
        let folders: BTreeSet<_> = self.files.iter().filter_map(|(path, ..)| Path::new(path).parent()).collect();
        for at in folders {
            for entry in std::fs::read_dir(folder.join(at)).into_iter().flatten().flatten() {
                if entry.file_name().to_string_lossy().starts_with(UNFINISHED) {
                    // Where it cannot be removed it does no harm; a build beside this one writes it again.
                    let _ = std::fs::remove_file(entry.path());
                }
            }
        }
    }
}

/// Told before the work is done: an output folder that is a file can take none.
///
/// # Errors
/// [`BuildError::Out`].
pub fn takes(folder: &Path) -> Result<(), BuildError> {
    let nearest = folder.ancestors().find(|at| at.exists());
    match nearest.filter(|at| !at.is_dir()) {
        Some(file) => Err(BuildError::Out(file.to_path_buf())),
        None => Ok(()),
    }
}

/// The lock in an output folder, if it reads and every file it names is there with the bytes it says.
pub fn finished(folder: &Path) -> Option<Lock> {
    let lock = Lock::parse(&std::fs::read_to_string(folder.join(LOCK)).ok()?).ok()?;
    let sound = |f: &LockedFile| std::fs::read(folder.join(&f.path)).is_ok_and(|bytes| Digest::of(&bytes) == f.sha256);
    lock.files.iter().all(sound).then_some(lock)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_finished_until_a_file_changes() {
        let folder = tempfile::tempdir().unwrap();
        let mut output = Output::default();
        output.add("data/x.txt", b"words", Some(1));
        let mut lock = Lock::new("test", 1);
        lock.files = output.locked();
        output.write(folder.path(), &lock.to_toml().unwrap()).unwrap();
        assert_eq!(finished(folder.path()).as_ref(), Some(&lock));
        let left = folder.path().join("data/.unfinished-x");
        std::fs::write(&left, "half").unwrap();
        output.write(folder.path(), &lock.to_toml().unwrap()).unwrap();
        assert!(!left.exists(), "what a killed build left is gone");
        assert!(takes(folder.path()).is_ok() && takes(&folder.path().join("new/deep")).is_ok());
        assert!(takes(&folder.path().join("data/x.txt/deep")).is_err());
        std::fs::write(folder.path().join("data/x.txt"), "other").unwrap();
        assert_eq!(finished(folder.path()), None);
    }
}
