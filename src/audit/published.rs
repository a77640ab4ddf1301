//! The files of a published folder, as they lie there.

use super::Finding;
use crate::dataset::{Lock, Provenance, Row};
use crate::emit;
use crate::law::Digest;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// A row of `items.jsonl`.
#[derive(Debug, Clone, PartialEq)]
pub enum Line {
    /// A row of ours.
    Ours(Box<Row>),
    /// A row with the published eight columns and nothing of ours.
    Foreign(Box<Foreign>),
    /// No row at all.
    Broken(String),
}

/// The published eight columns.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Foreign {
    /// `complex_legallink_{source}_{target}_{relation}`.
    pub id: String,
    /// The stem.
    pub question: String,
    /// The options, A to D.
    pub options: Vec<String>,
    /// Position of the key.
    pub correct_index: i64,
    /// Its letter.
    pub correct_label: String,
    /// `Source (CELEX)` or `Target (CELEX)`, one per passage.
    #[serde(default)]
    pub context_titles: Vec<String>,
    /// The passages.
    #[serde(default)]
    pub contexts: Vec<String>,
}

/// The files of a folder that an audit reads, by their path in it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Published {
    files: BTreeMap<String, Vec<u8>>,
    lines: Vec<Line>,
    provenances: BTreeMap<String, Provenance>,
    faults: Vec<Finding>,
}

impl Published {
    /// Reads the rows and what they stand on. `files` are paths in the folder, `/` between their parts.
    pub fn read(files: BTreeMap<String, Vec<u8>>) -> Self {
        let mut published = Self { files, ..Self::default() };
        let Some(items) = published.text("items.jsonl") else {
            published.faults.push(Finding::new("file", "there is no items.jsonl"));
            return published;
        };
        let mut names: BTreeMap<String, usize> = BTreeMap::new();
        for line in lines(&items) {
            let line = line_of(line);
            if let Line::Ours(row) = &line {
                *names.entry(row.item.clone()).or_default() += 1;
            }
            published.lines.push(line);
        }
        for (item, _) in names.iter().filter(|(_, n)| **n > 1) {
            published.faults.push(Finding::new("file", format!("{item} stands in several rows")));
        }
        for (number, line) in lines(&published.text("provenance.jsonl").unwrap_or_default()).enumerate() {
            match serde_json::from_str::<Provenance>(line) {
                Ok(provenance) => {
                    let item = provenance.item.item.to_string();
                    if !names.contains_key(&item) {
                        let says = format!("provenance.jsonl line {} is about {item}, which is no row", number + 1);
                        published.faults.push(Finding::new("file", says));
                    }
                    published.provenances.insert(item, provenance);
                }
                Err(e) => {
                    let says = format!("provenance.jsonl line {} does not read: {e}", number + 1);
                    published.faults.push(Finding::new("file", says));
                }
            }
        }
        published
    }

    /// The rows, in order.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// What an item stands on, by its unique name.
    pub fn provenance(&self, item: &str) -> Option<&Provenance> {
        self.provenances.get(item)
    }

    /// All provenances, by item.
    pub fn provenances(&self) -> impl Iterator<Item = &Provenance> {
        self.provenances.values()
    }

    /// The lock, if there is one; its fault, if it does not read.
    pub fn lock(&self) -> Option<Result<Lock, String>> {
        Some(Lock::parse(&self.text(LOCK)?).map_err(|e| e.to_string()))
    }

    fn text(&self, path: &str) -> Option<String> {
        self.files.get(path).map(|bytes| String::from_utf8_lossy(bytes).into_owned())
    }

    /// Files against the lock: there, with the bytes and the rows that it says.
    pub(super) fn check_files(&self, lock: Option<&Result<Lock, String>>) -> Vec<Finding> {
        let mut findings = self.faults.clone();
        let mut find = |says: String| findings.push(Finding::new("file", says));
        let lock = match lock {
            None => return findings,
            Some(Err(why)) => {
                find(why.clone());
                return findings;
            }
            Some(Ok(lock)) => lock,
        };
        let named: BTreeSet<&str> = lock.files.iter().map(|f| f.path.as_str()).collect();
        for path in self.files.keys().filter(|p| *p != LOCK && !named.contains(p.as_str())) {
            find(format!("dataset.lock does not name {path}"));
        }
        for locked in &lock.files {
            let Some(bytes) = self.files.get(&locked.path) else {
                find(format!("{} is gone", locked.path));
                continue;
            };
            if Digest::of(bytes) != locked.sha256 || u64::try_from(bytes.len()).ok() != Some(locked.bytes) {
                find(format!("{} is not the file that dataset.lock names", locked.path));
            }
            let jsonl = std::path::Path::new(&locked.path).extension().is_some_and(|e| e == "jsonl");
            if let (true, Some(rows)) = (jsonl, locked.rows) {
                let found = lines(&String::from_utf8_lossy(bytes)).count();
                if u64::try_from(found).ok() != Some(rows) {
                    find(format!("{} has {found} rows, and dataset.lock says {rows}", locked.path));
                }
            }
        }
        findings.extend(self.check_table());
        findings
    }

    /// The Parquet file, which is what most readers load, holds the rows of `items.jsonl` and no others.
    fn check_table(&self) -> Option<Finding> {
        let table = self.files.get(emit::TABLE)?;
        let own = |line: &Line| match line {
            Line::Ours(row) => Some(row.as_ref().clone()),
            Line::Foreign(_) | Line::Broken(_) => None,
        };
        let rows: Vec<Row> = self.lines.iter().map(own).collect::<Option<_>>()?;
        let says = match emit::table(&rows) {
            Ok(bytes) if &bytes == table => return None,
            Ok(_) => format!("{} does not hold the rows of items.jsonl", emit::TABLE),
            Err(e) => e.to_string(),
        };
        Some(Finding::new("file", says))
    }
}

/// The lock's name in a folder.
const LOCK: &str = "dataset.lock";

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').map(|l| l.strip_suffix('\r').unwrap_or(l)).filter(|l| !l.trim().is_empty())
}

fn line_of(line: &str) -> Line {
    let value: serde_json::Value = match serde_json::from_str(line) {
        Ok(value) => value,
        Err(e) => return Line::Broken(format!("no JSON: {e}")),
    };
    // A row that names an item says it is ours, and must read as ours.
    if value.get("item").is_some() {
        return match Row::deserialize(&value) {
            Ok(row) => Line::Ours(Box::new(row)),
            Err(e) => Line::Broken(format!("no row of ours: {e}")),
        };
    }
    match Foreign::deserialize(&value) {
        Ok(row) => Line::Foreign(Box::new(row)),
        Err(e) => Line::Broken(format!("no row: {e}")),
    }
}
