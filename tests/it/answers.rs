//! Real texts, notices and query answers as answers of the wire: whole, cut, under a wrong label.

use crate::corpus::corpus;
use legal_link::parse::misread;
use legal_link::source::{Asked, Came, What, classify};
use std::path::{Path, PathBuf};

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    files
}

fn what(accept: &str, body: &[u8]) -> What {
    let came = Came { status: 200, headers: &[], body, articles: None };
    classify(&Asked { accept, articles_expected: true }, &came).what
}

#[test]
fn what_is_whole_is_kept_and_what_is_cut_is_not() {
    let Some(corpus) = corpus("what_is_whole_is_kept_and_what_is_cut_is_not") else { return };
    let (mut whole, mut cut) = (0, 0);
    for path in ["acts", "notices", "sparql"].iter().flat_map(|folder| files(&corpus.join(folder))) {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let ending = path.extension().unwrap_or_default().to_string_lossy().into_owned();
        let bytes = std::fs::read(&path).expect("a file");
        if name.contains("portal-shell") {
            assert_eq!(what("text/html", &bytes), What::Shell, "{name}");
            continue;
        }
        assert_eq!(what("", &bytes), What::Whole, "{name}");
        whole += 1;
        if ["html", "xhtml", "xml", "rdf", "json"].contains(&ending.as_str()) {
            for part in [1, 5, 9] {
                assert_eq!(what("", &bytes[..bytes.len() * part / 10]), What::Truncated, "{name} cut at {part}/10");
            }
            assert_eq!(what("application/zip;mtype=fmx4", &bytes), What::Mistyped, "{name}");
            cut += 3;
        }
    }
    eprintln!("{whole} whole answers kept, {cut} cut ones refused");
    assert!(whole > 200 && cut > 400);
}

#[test]
fn real_texts_are_not_taken_for_misread_ones() {
    let Some(corpus) = corpus("real_texts_are_not_taken_for_misread_ones") else { return };
    for path in files(&corpus.join("acts")) {
        let bytes = std::fs::read(&path).expect("a file");
        let Ok(text) = std::str::from_utf8(&bytes) else { continue };
        let suspect: Vec<_> = text.lines().filter(|line| misread(line)).collect();
        assert!(
            suspect.is_empty(),
            "{}: {:?}",
            path.display(),
            suspect.first().map(|line| line.chars().take(200).collect::<String>())
        );
    }
}
