//! A source as the command line and a manifest name it.

use super::{Folder, Held, Source, SourceError};
use crate::cache::{Entry, Shipped};
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Where documents shall come from, as written: `folder:PATH`, `cache:PATH` or `cellar`; by default what is shipped.
///
/// ```
/// use legal_link::source::Origin;
/// assert_eq!("folder:acts".parse(), Ok(Origin::Folder("acts".into())));
/// assert!("acts".parse::<Origin>().is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Origin {
    /// The documents that come with the program.
    #[default]
    Shipped,
    /// A folder with an `INDEX.tsv`.
    Folder(PathBuf),
    /// A cache, or a folder laid out as a shipped one; nothing else is laid under it.
    Cache(PathBuf),
    /// The Publications Office's repository.
    Cellar,
}

/// A text that names no source.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no source (want folder:PATH, cache:PATH or cellar)")]
pub struct OriginError(pub String);

impl FromStr for Origin {
    type Err = OriginError;
    fn from_str(text: &str) -> Result<Self, OriginError> {
        match text.split_once(':') {
            Some(("folder", path)) if !path.is_empty() => Ok(Self::Folder(path.into())),
            Some(("cache", path)) if !path.is_empty() => Ok(Self::Cache(path.into())),
            None if text == "cellar" => Ok(Self::Cellar),
            None if text == "shipped" => Ok(Self::Shipped),
            _ => Err(OriginError(text.to_string())),
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shipped => f.write_str("shipped"),
            Self::Folder(path) => write!(f, "folder:{}", path.display()),
            Self::Cache(path) => write!(f, "cache:{}", path.display()),
            Self::Cellar => f.write_str("cellar"),
        }
    }
}

impl Origin {
    /// The same, a relative path read from `folder` (a manifest's) and not from where the program runs.
    #[must_use]
    pub fn beside(&self, folder: &Path) -> Self {
        match self {
            Self::Folder(path) => Self::Folder(folder.join(path)),
            Self::Cache(path) => Self::Cache(folder.join(path)),
            other => other.clone(),
        }
    }

    /// Opens it; `shipped` is what comes with the program.
    ///
    /// # Errors
    /// [`SourceError`]; for `cellar` always [`SourceError::NoCrawler`].
    pub fn open(&self, shipped: Shipped) -> Result<Box<dyn Source + Send + Sync>, SourceError> {
        Ok(match self {
            Self::Shipped => Box::new(Held::Shipped(shipped)),
            Self::Folder(path) => Box::new(Folder::open(path)?),
            Self::Cache(path) => Box::new(Held::open(path)?),
            Self::Cellar => return Err(SourceError::NoCrawler),
        })
    }
}

/// Everything a source lists, as a cache enters it. Reads every document once, for its size.
///
/// # Errors
/// The first document that cannot be fetched.
pub fn entries(source: &dyn Source) -> Result<Vec<Entry>, SourceError> {
    let entry = |one: super::Listed| {
        let size = source.fetch(&one.key)?.bytes.len() as u64;
        let (key, digest) = (one.key.key().clone(), one.digest);
        Ok(Entry { key, digest, size, about: one.about() })
    };
    source.list()?.into_iter().map(entry).collect()
}
