//! Sources: what a folder lists, and what it refuses.

#![allow(clippy::unwrap_used)]

use crate::corpus::corpus;
use legal_link::law::Digest;
use legal_link::source::{Difference, Folder, IndexError, Kind, Source, SourceError};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

fn index(rows: &[(&str, &str, &str, &[u8], &str)]) -> String {
    let mut text = String::from("file\tcelex\tflavour\tlanguage\tsource\tsha256\tbytes\tnotes\ttaken\n");
    for (file, celex, flavour, bytes, taken) in rows {
        let row = [*file, celex, flavour, "en", "us", &Digest::of(bytes).to_string(), "1", "", taken];
        text.push_str(&row.join("\t"));
        text.push('\n');
    }
    text
}

fn folder(rows: &[(&str, &str, &str, &[u8], &str)]) -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    for (file, _, _, bytes, _) in rows {
        let path = place.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    fs::write(place.path().join("INDEX.tsv"), index(rows)).unwrap();
    place
}

#[test]
fn a_folder_lists_its_documents_by_key() {
    let place = folder(&[
        ("acts/31999R9001.oj-eli.xhtml", "31999R9001", "xhtml-eli-oj", b"a", "2026-01-02"),
        ("acts/31999R9001.plain.txt", "31999R9001", "plain", b"b", ""),
        ("acts/12016M-TXT.plain.txt", "12016M/TXT", "plain", b"c", ""),
        ("notices/31999R9001.tree.rdf", "31999R9001", "notice-rdf-tree", b"d", "2026-01-03"),
        ("edges/relations.csv", "", "edge-table", b"e", "2025-01-01"),
        ("edges/pairs.csv", "", "pair-table", b"f", ""),
    ]);
    let source = Folder::open(place.path()).unwrap();
    let keys: Vec<_> = source.list().unwrap().iter().map(|one| one.key.to_string()).collect();
    assert_eq!(
        keys,
        [
            "act/12016M%2FTXT/eng/plain",
            "act/31999R9001/eng/oj-eli",
            "act/31999R9001/eng/plain",
            "notice/31999R9001/tree-rdf",
            "pairs/pairs",
            "table/relations"
        ]
    );
    assert_eq!(source.list().unwrap()[0].key.celex().unwrap().as_str(), "12016M/TXT");
    assert_eq!(source.known_on().unwrap().unwrap().to_string(), "2026-01-03");
    assert_eq!(source.fetch(&"pairs/pairs".parse().unwrap()).unwrap().bytes, b"f");
    assert!(matches!(source.fetch(&"pairs/none".parse().unwrap()), Err(SourceError::NotHeld(_))));
}

#[test]
fn a_file_that_differs_from_its_line_is_refused_and_named() {
    let place = folder(&[
        ("acts/31999R9001.plain.txt", "31999R9001", "plain", b"a", ""),
        ("acts/31999R9002.plain.txt", "31999R9002", "plain", b"b", ""),
    ]);
    fs::write(place.path().join("acts/31999R9001.plain.txt"), b"A").unwrap();
    fs::remove_file(place.path().join("acts/31999R9002.plain.txt")).unwrap();
    fs::write(place.path().join("acts/new.txt"), b"").unwrap();
    let source = Folder::open(place.path()).unwrap();
    let key = "act/31999R9001/eng/plain".parse().unwrap();
    assert!(matches!(source.fetch(&key), Err(SourceError::Differs { .. })));
    let differences = source.differences().unwrap();
    assert!(matches!(&differences[0], Difference::Changed { file, .. } if file == "acts/31999R9001.plain.txt"));
    assert_eq!(differences[1], Difference::Missing("acts/31999R9002.plain.txt".into()));
    assert_eq!(differences[2], Difference::Unlisted("acts/new.txt".into()));
}

#[test]
fn two_files_never_share_a_key() {
    let place = folder(&[
        ("a/31999R9001.plain.txt", "31999R9001", "plain", b"a", ""),
        ("b/31999R9001.plain.html", "31999R9001", "plain", b"b", ""),
        ("c/31999R9001.plain.html", "31999R9001", "plain", b"c", ""),
    ]);
    let keys: Vec<_> =
        Folder::open(place.path()).unwrap().list().unwrap().iter().map(|one| one.key.name().to_string()).collect();
    assert_eq!(keys, ["plain", "plain.html", "plain.html.2"]);
}

#[test]
fn an_index_cannot_lead_out_of_its_folder() {
    for path in ["../x", "/etc/x", "acts/../../x", ""] {
        let place = tempfile::tempdir().unwrap();
        fs::write(place.path().join("INDEX.tsv"), index(&[(path, "", "plain", b"", "")])).unwrap();
        let refused = Folder::open(place.path()).unwrap_err();
        assert!(matches!(refused, SourceError::Index { source: IndexError::Path(2, _), .. }), "{path}: {refused}");
    }
    assert!(matches!(Folder::open(Path::new("no/such/folder")), Err(SourceError::Read { .. })));
}

#[test]
fn the_corpus_is_what_its_index_says() {
    let Some(path) = corpus("the_corpus_is_what_its_index_says") else { return };
    let source = Folder::open(path).unwrap();
    let listed = source.list().unwrap();
    let mut kinds = BTreeMap::new();
    for one in &listed {
        *kinds.entry(one.key.kind()).or_insert(0) += 1;
        assert_eq!(source.fetch(&one.key).unwrap().digest, one.digest);
    }
    assert_eq!(listed.len(), 281);
    assert_eq!(kinds[&Kind::Act], 256, "{kinds:?}");
    assert_eq!(source.differences().unwrap(), []);
    assert_eq!(source.known_on().unwrap().unwrap().to_string(), "2026-08-22");
}
