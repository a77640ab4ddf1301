//! Where the real acts are.

use std::path::PathBuf;

/// The corpus folder, or a `SKIPPED` line on stderr and `None`.
pub fn corpus(test: &str) -> Option<PathBuf> {
    let given = std::env::var_os("LEGAL_LINK_CORPUS").map(PathBuf::from);
    let path = given.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus"));
    if path.join("INDEX.tsv").is_file() {
        return Some(path);
    }
    eprintln!("SKIPPED {test}: no corpus at ../shared/corpus (set LEGAL_LINK_CORPUS)");
    None
}

#[test]
fn the_corpus_is_here_or_its_absence_is_said() {
    let _ = corpus("the_corpus_is_here_or_its_absence_is_said");
}
