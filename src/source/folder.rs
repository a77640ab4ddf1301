//! A folder of files with an `INDEX.tsv`.

use super::{DocumentKey, Fetched, Listed, Source, SourceError, index};
use crate::law::{Day, Digest};
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// A folder whose `INDEX.tsv` names each file with its CELEX number, flavour, language, SHA-256 and the day on
/// which the bytes were taken. A file that differs from its line is refused.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    listed: Vec<Listed>,
}

/// How a folder differs from its index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// The index names a file that is not there or cannot be read.
    Missing(String),
    /// The file holds other bytes than the index says.
    Changed {
        /// The file, relative to the folder.
        file: String,
        /// The digest in the index.
        expected: Digest,
        /// The digest of the file.
        found: Digest,
    },
    /// The folder holds a file that the index does not name.
    Unlisted(String),
}

impl Folder {
    /// The longest file that is read, in bytes.
    pub const LONGEST: u64 = 256 << 20;

    /// Reads the index of the folder at `path`.
    ///
    /// # Errors
    /// [`SourceError::Read`] where there is no `INDEX.tsv`, [`SourceError::Index`] where it cannot be used.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, SourceError> {
        let path = path.into();
        let file = path.join("INDEX.tsv");
        let bytes = read(&file)?;
        let text = std::str::from_utf8(&bytes).map_err(|_| SourceError::Text { path: file.clone() })?;
        let listed = index::read(text).map_err(|source| SourceError::Index { path: file, source })?;
        Ok(Self { path, listed })
    }

    /// How the files differ from the index: reads and hashes every one.
    ///
    /// # Errors
    /// [`SourceError::Read`] where the folder itself cannot be listed.
    pub fn differences(&self) -> Result<Vec<Difference>, SourceError> {
        let mut found = Vec::new();
        for one in &self.listed {
            match read(&self.path.join(&one.address)).map(|bytes| Digest::of(&bytes)) {
                Ok(digest) if digest == one.digest => {}
                Ok(digest) => {
                    found.push(Difference::Changed { file: one.address.clone(), expected: one.digest, found: digest });
                }
                Err(_) => found.push(Difference::Missing(one.address.clone())),
            }
        }
        let mut files = Vec::new();
        files_below(&self.path, "", &mut files)?;
        files.sort();
        let named: std::collections::BTreeSet<_> = self.listed.iter().map(|one| one.address.as_str()).collect();
        let beside = |file: &String| !named.contains(file.as_str()) && file != "INDEX.tsv" && file != "README.md";
        found.extend(files.into_iter().filter(beside).map(Difference::Unlisted));
        Ok(found)
    }
}

impl Source for Folder {
    fn list(&self) -> Result<Vec<Listed>, SourceError> {
        Ok(self.listed.clone())
    }

    fn fetch(&self, key: &DocumentKey) -> Result<Fetched, SourceError> {
        let held = self.listed.binary_search_by(|one| one.key.cmp(key));
        let one = held.ok().and_then(|at| self.listed.get(at)).ok_or_else(|| SourceError::NotHeld(key.clone()))?;
        let path = self.path.join(&one.address);
        let bytes = read(&path)?;
        let found = Digest::of(&bytes);
        if found != one.digest {
            return Err(SourceError::Differs { key: key.clone(), expected: one.digest, found });
        }
        Ok(Fetched { bytes, digest: found, address: one.address.clone(), taken: one.taken })
    }

    fn known_on(&self) -> Result<Option<Day>, SourceError> {
        Ok(self.listed.iter().filter_map(|one| one.taken).max())
    }
}

fn read(path: &Path) -> Result<Vec<u8>, SourceError> {
    let failed = |source| SourceError::Read { path: path.to_path_buf(), source };
    let mut bytes = Vec::new();
    // Asked before it is opened: opening a pipe waits for its writer.
    if !fs::metadata(path).map_err(failed)?.is_file() {
        return Err(failed(io::Error::other("it is no file")));
    }
    let file = File::open(path).map_err(failed)?;
    file.take(Folder::LONGEST + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > Folder::LONGEST {
        return Err(SourceError::TooLong { path: path.to_path_buf(), limit: Folder::LONGEST });
    }
    Ok(bytes)
}

fn files_below(folder: &Path, prefix: &str, files: &mut Vec<String>) -> Result<(), SourceError> {
    let failed = |source| SourceError::Read { path: folder.to_path_buf(), source };
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let kind = entry.file_type().map_err(failed)?;
        if kind.is_dir() {
            files_below(&entry.path(), &format!("{name}/"), files)?;
        } else {
            files.push(name);
        }
    }
    Ok(())
}
