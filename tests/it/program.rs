//! The binary, run as a user runs it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The repository's root, where the examples are.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The binary with these arguments, its cache in `cache`.
pub fn legal_link(args: &[&str], cache: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_legal-link"));
    command.current_dir(root()).args(args).env("XDG_CACHE_HOME", cache).env("HOME", cache);
    command
}

/// Runs it to its end.
pub fn run(args: &[&str], cache: &Path) -> Output {
    legal_link(args, cache).output().expect("the binary was built by cargo for this test")
}

/// What a failed assertion should show.
pub fn told(output: &Output) -> String {
    format!("{}\n{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Every file below a folder with its bytes, sorted by path.
pub fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(at) = folders.pop() {
        for entry in std::fs::read_dir(&at).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(bytes) = std::fs::read(&path) {
                found.push((path.strip_prefix(folder).unwrap_or(&path).to_path_buf(), bytes));
            }
        }
    }
    found.sort();
    found
}
