//! A folder's `INDEX.tsv`: which file is which document.

use super::{DocumentKey, DocumentKeyError, Kind, Listed};
use crate::law::{Celex, Day, Digest, Language};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Component, Path};

/// A line of an index that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IndexError {
    /// A column that must be there is not.
    #[error("no column `{0}` (want at least file, celex, flavour, language, sha256)")]
    NoColumn(&'static str),
    /// The line is no row of tab-separated values.
    #[error("line {0}: not a row of as many values as the header names")]
    Row(u64),
    /// A path that leads out of the folder.
    #[error("line {0}: `{1}` is no path inside the folder")]
    Path(u64, String),
    /// A value that cannot be read.
    #[error("line {line}: the {column} `{value}` cannot be read")]
    Value {
        /// The line, from 1.
        line: u64,
        /// The column.
        column: &'static str,
        /// What stands there.
        value: String,
    },
    /// The document's name cannot be made a key.
    #[error("line {line}: {source}")]
    Key {
        /// The line, from 1.
        line: u64,
        /// Why not.
        #[source]
        source: DocumentKeyError,
    },
    /// Two lines name the same file.
    #[error("line {0}: `{1}` is named twice")]
    Twice(u64, String),
}

/// Reads an index: tab-separated, the first line names the columns, `taken` and others may be absent.
/// Rows come back sorted by key.
pub(super) fn read(text: &str) -> Result<Vec<Listed>, IndexError> {
    let mut reader = csv::ReaderBuilder::new().delimiter(b'\t').quoting(false).from_reader(text.as_bytes());
    let header = reader.headers().map_err(|_| IndexError::Row(1))?.clone();
    let find = |name: &str| header.iter().position(|column| column == name);
    let need = |name: &'static str| find(name).ok_or(IndexError::NoColumn(name));
    let [file, celex, flavour, language, sha256] =
        [need("file")?, need("celex")?, need("flavour")?, need("language")?, need("sha256")?];
    let (taken, bytes, source, notes) = (find("taken"), find("bytes"), find("source"), find("notes"));

    let mut by_file = BTreeMap::new();
    for (number, record) in (2..).zip(reader.records()) {
        let record = record.map_err(|_| IndexError::Row(number))?;
        let at = |column: usize| record.get(column).unwrap_or_default();
        let row = Row {
            line: number,
            file: at(file),
            celex: at(celex),
            flavour: at(flavour),
            language: at(language),
            sha256: at(sha256),
            taken: taken.map(at).unwrap_or_default(),
            bytes: bytes.map(at).unwrap_or_default(),
            source: source.map(at).unwrap_or_default(),
            notes: notes.map(at).unwrap_or_default(),
        };
        if by_file.insert(row.file.to_string(), row.listed()?).is_some() {
            return Err(IndexError::Twice(number, row.file.to_string()));
        }
    }
    with_own_keys(by_file.into_values())
}

struct Row<'a> {
    line: u64,
    file: &'a str,
    celex: &'a str,
    flavour: &'a str,
    language: &'a str,
    sha256: &'a str,
    taken: &'a str,
    bytes: &'a str,
    source: &'a str,
    notes: &'a str,
}

impl Row<'_> {
    fn listed(&self) -> Result<Listed, IndexError> {
        let inside =
            !self.file.is_empty() && Path::new(self.file).components().all(|part| matches!(part, Component::Normal(_)));
        if !inside {
            return Err(IndexError::Path(self.line, self.file.to_string()));
        }
        let key = self.key().map_err(|source| IndexError::Key { line: self.line, source })?;
        let digest: Digest = self.sha256.parse().map_err(|_| self.unreadable("sha256", self.sha256))?;
        let taken: Option<Day> = match self.taken {
            "" => None,
            day => Some(day.parse().map_err(|_| self.unreadable("taken", day))?),
        };
        Ok(Listed {
            key,
            address: self.file.to_string(),
            taken,
            digest,
            size: self.bytes.parse().unwrap_or(0),
            origin: Some(self.source).filter(|s| !s.is_empty()).map(str::to_string),
            specimen: self.notes.starts_with("specimen"),
        })
    }

    fn unreadable(&self, column: &'static str, value: &str) -> IndexError {
        IndexError::Value { line: self.line, column, value: value.to_string() }
    }

    fn kind(&self) -> Kind {
        match self.flavour {
            "pair-table" => Kind::Pairs,
            "edge-table" | "edge-list" | "act-metadata" | "document-information" => Kind::Table,
            flavour if flavour.starts_with("notice") => Kind::Notice,
            flavour if flavour.starts_with("sparql") || flavour.starts_with("soap") => Kind::Other,
            _ if self.celex.parse::<Celex>().is_ok() => Kind::Act,
            _ => Kind::Other,
        }
    }

    /// The key, from the file's name: `32016R0679.oj-eli.xhtml` is the text `oj-eli` of that act.
    fn key(&self) -> Result<DocumentKey, DocumentKeyError> {
        let name = self.file.rsplit('/').next().unwrap_or(self.file);
        let (head, rest) = name.split_once('.').unwrap_or((name, ""));
        let stem = |text: &str| text.rsplit_once('.').map_or(text.to_string(), |(stem, _)| stem.to_string());
        match (self.kind(), self.celex.parse::<Celex>()) {
            (Kind::Act, Ok(celex)) => {
                let language = Language::from_code(self.language).unwrap_or(Language::ENGLISH);
                let text = rest.rsplit_once('.').map_or(self.flavour, |(text, _)| text);
                DocumentKey::act(&celex, language, text)
            }
            (Kind::Notice, celex) => {
                let about = celex.as_ref().map_or(head, Celex::as_str);
                DocumentKey::notice(about, &rest.replace('.', "-"))
            }
            (kind @ (Kind::Table | Kind::Pairs), _) => DocumentKey::named(kind, &stem(name)),
            _ => DocumentKey::named(Kind::Other, name),
        }
    }
}

/// Gives each its own key, sorted: where two files would share one, the later takes its file's ending on.
fn with_own_keys(listed: impl Iterator<Item = Listed>) -> Result<Vec<Listed>, IndexError> {
    let mut by_key: BTreeMap<DocumentKey, Listed> = BTreeMap::new();
    for mut one in listed {
        let plain = one.key.to_string();
        let ending = one.address.rsplit('.').next().unwrap_or_default().to_string();
        for n in 1.. {
            let Entry::Occupied(_) = by_key.entry(one.key.clone()) else { break };
            let longer = if n == 1 { format!("{plain}.{ending}") } else { format!("{plain}.{ending}.{n}") };
            one.key = longer.parse().map_err(|source| IndexError::Key { line: 0, source })?;
        }
        by_key.insert(one.key.clone(), one);
    }
    Ok(by_key.into_values().collect())
}
