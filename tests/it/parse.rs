//! Every act, notice and table of the corpus, read.

use crate::corpus::corpus;
use legal_link::law::{Act, Digest, Language, RegisterRow, Registry, UnitKind};
use legal_link::parse::{Given, Parsed, Refused, act, coverage, notice, table};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

/// The shipped relation registry.
fn registry() -> Registry {
    let text = include_str!("../../rubrics/relations.toml");
    Registry::parse([("relations.toml", text)]).expect("the shipped registry is sound")
}

/// Files of `acts/` by name, with the CELEX number and the flavour their names carry.
fn files(folder: &Path) -> Vec<(String, String, String)> {
    let mut found: Vec<_> = std::fs::read_dir(folder.join("acts"))
        .expect("the corpus has acts")
        .filter_map(|e| e.ok()?.file_name().into_string().ok())
        .filter_map(|name| {
            let (celex, rest) = name.split_once('.')?;
            let (flavour, _) = rest.split_once('.')?;
            Some((name.clone(), celex.to_string(), flavour.to_string()))
        })
        .collect();
    found.sort();
    found
}

fn read(
    folder: &Path,
    name: &str,
    celex: &str,
    registry: &Registry,
) -> (Result<Parsed<Act>, Refused>, Vec<u8>, Duration) {
    let bytes = std::fs::read(folder.join("acts").join(name)).expect("a file of the corpus");
    let celex = celex.parse().expect("a CELEX number");
    let given =
        Given { celex: &celex, language: Language::ENGLISH, document: Digest::of(&bytes), bytes: &bytes, registry };
    let clock = Instant::now();
    let result = act(&given);
    (result, bytes, clock.elapsed())
}

/// Spans lie in the document, inside the parent's; parents stand before children.
fn sound(act: &Act, bytes: &[u8], name: &str) {
    assert!(act.title.span.end <= bytes.len(), "{name}: title");
    for (i, unit) in act.units.iter().enumerate() {
        assert!(unit.span.end <= bytes.len() && unit.span.start <= unit.span.end, "{name}: unit {i} {unit:?}");
        if let Some(parent) = unit.parent {
            assert!(parent < i, "{name}: unit {i} before its parent");
            assert!(act.units[parent].span.contains(&unit.span), "{name}: unit {i} outside its parent {unit:?}");
        }
    }
}

#[test]
fn the_acts_of_the_corpus_parse() {
    let Some(folder) = corpus("the_acts_of_the_corpus_parse") else { return };
    let registry = registry();
    let mut table: BTreeMap<String, [usize; 8]> = BTreeMap::new();
    let mut time: BTreeMap<String, Duration> = BTreeMap::new();
    let mut size: BTreeMap<String, usize> = BTreeMap::new();
    for (name, celex, flavour) in files(&folder) {
        if !matches!(flavour.as_str(), "oj-eli" | "oj" | "txt_te" | "plain") || celex.starts_with('0') {
            continue;
        }
        let (result, bytes, took) = read(&folder, &name, &celex, &registry);
        let row = table.entry(flavour.clone()).or_default();
        row[0] += 1;
        match result {
            Ok(Parsed { value: act, warnings }) => {
                sound(&act, &bytes, &name);
                assert!(!act.units.is_empty(), "{name}: no units");
                row[1] += 1;
                row[2] += act.units.len();
                row[3] += warnings.len();
                row[4] += act.articles().count();
                row[5] += act.recitals().count();
                size.entry(flavour.clone()).and_modify(|s| *s += bytes.len()).or_insert(bytes.len());
                *time.entry(flavour).or_default() += took;
                let covered = coverage(&bytes, &act);
                row[6] += covered.source;
                row[7] += covered.kept;
                if !(0.99..=1.01).contains(&covered.share()) {
                    eprintln!("{name}: coverage {:.4} {covered:?}", covered.share());
                }
                eprintln!(
                    "{name:40} units {:5} articles {:4} recitals {:4} annexes {:2} quoted {:4} {:?} {:?} {:.80} {:?}",
                    act.units.len(),
                    act.articles().count(),
                    act.recitals().count(),
                    act.units.iter().filter(|u| u.kind == UnitKind::Annex).count(),
                    act.units.iter().filter(|u| u.quoted).count(),
                    act.date_document.map(|d| d.to_string()),
                    act.published.map(|d| d.to_string()),
                    act.title.text,
                    warnings.iter().map(|w| w.message.as_str()).collect::<Vec<_>>(),
                );
            }
            Err(refused) => eprintln!("{name}: {refused}"),
        }
    }
    for (flavour, row) in &table {
        let seconds = time.get(flavour).map_or(1.0, Duration::as_secs_f64);
        #[allow(clippy::cast_precision_loss)]
        let (speed, covered) =
            (size.get(flavour).copied().unwrap_or(0) as f64 / 1e6 / seconds, row[7] as f64 / row[6] as f64);
        eprintln!(
            "{flavour:8} files {:3} acts {:3} units {:6} warnings {:3} articles {:5} recitals {:5} coverage {covered:.4} {speed:.1} MB/s",
            row[0], row[1], row[2], row[3], row[4], row[5]
        );
    }
}

/// Distinct pairs of acts per relation.
fn pairs<'a>(rows: impl IntoIterator<Item = &'a RegisterRow>) -> BTreeMap<String, usize> {
    let distinct: BTreeSet<_> = rows.into_iter().map(|r| (r.relation.to_string(), &r.source, &r.target)).collect();
    let mut counts = BTreeMap::new();
    for (relation, ..) in distinct {
        *counts.entry(relation).or_insert(0) += 1;
    }
    counts
}

#[test]
fn the_notices_of_the_corpus_give_their_edges() {
    let Some(folder) = corpus("the_notices_of_the_corpus_give_their_edges") else { return };
    let registry = registry();
    let mut rows = Vec::new();
    let mut names: Vec<_> = std::fs::read_dir(folder.join("notices")).expect("notices").flatten().collect();
    names.sort_by_key(std::fs::DirEntry::file_name);
    for file in names {
        let bytes = std::fs::read(file.path()).expect("a notice");
        let clock = Instant::now();
        match notice(&bytes, &registry, None) {
            Ok(parsed) => {
                let got = &parsed.value;
                for row in &got.rows {
                    assert!(row.locus.span.end <= bytes.len() && row.locus.span.start < row.locus.span.end);
                }
                eprintln!(
                    "{:?}: {} bytes, rows {}, records {}, states {}, warnings {}, {:?} {:?}",
                    file.file_name(),
                    bytes.len(),
                    got.rows.len(),
                    got.records.len(),
                    got.states.len(),
                    parsed.warnings.len(),
                    clock.elapsed(),
                    pairs(&got.rows),
                );
                rows.extend(parsed.value.rows);
            }
            Err(refused) => eprintln!("{:?}: {refused}", file.file_name()),
        }
    }
    let counts = pairs(&rows);
    for (relation, count) in [("completes", 18), ("corrects", 10), ("repeals", 6), ("implicitly_repeals", 1)] {
        assert_eq!(counts.get(relation), Some(&count), "{relation}: {counts:?}");
    }
}

#[test]
fn the_tables_of_the_corpus_give_their_rows() {
    let Some(folder) = corpus("the_tables_of_the_corpus_give_their_rows") else { return };
    let registry = registry();
    let read = |name: &str| {
        let bytes = std::fs::read(folder.join("edges").join(name)).expect("a table");
        let parsed = table(name, &bytes, &registry, |_| None).expect("a table");
        eprintln!("{name}: warnings {:?}", parsed.warnings.iter().map(|w| w.message.as_str()).collect::<Vec<_>>());
        for row in &parsed.value.rows {
            let line = row.locus.span.slice(&bytes).expect("bytes of a row");
            assert!(
                line.starts_with(row.source.as_str().as_bytes()) || line.starts_with(row.target.as_str().as_bytes())
            );
        }
        parsed.value
    };
    let mut rows = Vec::new();
    for name in ["relations.csv", "relations_other.csv", "relations_annotated.csv"] {
        rows.extend(read(name).rows);
    }
    let counts = pairs(&rows);
    eprintln!("{counts:?}");
    for (relation, count) in [
        ("repeals", 397),
        ("extends_validity_of", 144),
        ("corrects", 138),
        ("implicitly_repeals", 62),
        ("completes", 23),
    ] {
        assert_eq!(counts.get(relation), Some(&count), "{relation}: {counts:?}");
    }
    assert_eq!(read("act_metadata.csv").records.len(), 910);
    assert_eq!(read("consolidations.csv").states.len(), 916);
    assert_eq!(read("pairs.csv").pairs.len(), 111);
    assert_eq!(read("published_pairs.csv").pairs.len(), 15);
}

#[test]
fn pages_without_law_are_refused() {
    let Some(folder) = corpus("pages_without_law_are_refused") else { return };
    let registry = registry();
    for (name, celex, flavour) in files(&folder) {
        let (result, ..) = read(&folder, &name, &celex, &registry);
        if flavour == "portal-shell" {
            assert_eq!(result.err(), Some(Refused::PortalShell), "{name}");
        }
    }
}
