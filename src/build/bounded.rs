//! Reading small text files that somebody else wrote.

use std::fs::{self, File};
use std::io::{Error, Read as _, Result};
use std::path::Path;

/// The longest text that is read, in bytes.
const LONGEST: u64 = 4 << 20;

/// The text of a file, but not of one that is longer than 4 MiB, nor of a pipe or device, which may never end.
pub(super) fn text(path: &Path) -> Result<String> {
    up_to(path, LONGEST)
}

/// The same for files of at most so many bytes.
pub(super) fn up_to(path: &Path, longest: u64) -> Result<String> {
    // Asked before it is opened: opening a pipe waits for its writer.
    if !fs::metadata(path)?.is_file() {
        return Err(Error::other("it is no file"));
    }
    let mut text = String::new();
    File::open(path)?.take(longest + 1).read_to_string(&mut text)?;
    if text.len() as u64 > longest {
        return Err(Error::other(format!("it is longer than {} MiB", longest >> 20)));
    }
    Ok(text)
}
