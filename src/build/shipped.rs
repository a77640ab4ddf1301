//! The documents that are embedded in the binary, and where the user's own cache is.

use crate::cache::{Shipped, ShippedError};
use directories::ProjectDirs;
use include_dir::{Dir, include_dir};
use std::path::PathBuf;

static SHIPPED: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/eurlex_cache");

/// The cache that comes with the program: the specimen acts, which are not law.
///
/// # Errors
/// [`ShippedError`] if the folder was damaged when the program was built.
pub fn shipped() -> Result<Shipped, ShippedError> {
    let mut files = Vec::new();
    let mut folders = vec![&SHIPPED];
    while let Some(folder) = folders.pop() {
        folders.extend(folder.dirs());
        files.extend(folder.files().map(|file| (file.path().to_string_lossy(), file.contents())));
    }
    Shipped::from_files(files)
}

/// The user's cache folder for this program, where the system has one.
pub fn user_cache() -> Option<PathBuf> {
    ProjectDirs::from("", "", "legal-link").map(|folders| folders.cache_dir().to_path_buf())
}
