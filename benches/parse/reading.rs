//! The ways in which a document is read here, and what is told of it.

use legal_link::build::Rubrics;
use legal_link::law::{Act, Celex, Digest, Language, Registry};
use legal_link::parse::{self, Given};
use std::str::FromStr;

/// As what a document is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum How {
    /// An act: units, coverage, clauses.
    Act,
    /// The words of an act, as lines.
    Text,
    /// A notice, or an answer that holds notices.
    Notice,
    /// A table of edges, acts or pairs.
    Table,
}

impl How {
    /// By a flavour's name in an index.
    pub fn of(flavour: &str) -> Self {
        let table = ["edge-", "pair-", "act-metadata", "document-information", "sparql-"];
        if flavour.starts_with("notice-") || flavour.starts_with("soap-") {
            Self::Notice
        } else if table.iter().any(|t| flavour.starts_with(t)) {
            Self::Table
        } else {
            Self::Act
        }
    }
}

impl FromStr for How {
    type Err = String;
    fn from_str(word: &str) -> Result<Self, String> {
        match word {
            "act" => Ok(Self::Act),
            "text" => Ok(Self::Text),
            "notice" => Ok(Self::Notice),
            "table" => Ok(Self::Table),
            _ => Err(format!("`{word}`: want text, act, notice or table")),
        }
    }
}

/// What was read, counted.
#[derive(Debug, Clone, Default)]
pub struct Told {
    pub refused: usize,
    pub warnings: usize,
    pub units: usize,
    pub clauses: usize,
    pub rows: usize,
    pub records: usize,
    /// The share of each act's words that was kept.
    pub shares: Vec<f64>,
}

impl Told {
    pub fn add(&mut self, other: &Self) {
        self.refused += other.refused;
        self.warnings += other.warnings;
        self.units += other.units;
        self.clauses += other.clauses;
        self.rows += other.rows;
        self.records += other.records;
        self.shares.extend(&other.shares);
    }
}

/// Reads documents with the shipped registry.
pub struct Reader {
    registry: Registry,
}

impl Reader {
    pub fn new() -> Self {
        Self { registry: Rubrics::shipped().registry().expect("the shipped registry is sound") }
    }

    /// Reads and forgets.
    pub fn read(&self, how: How, name: &str, celex: &str, bytes: &[u8]) {
        match how {
            How::Act => drop(std::hint::black_box(self.parsed(celex, bytes))),
            How::Text => drop(std::hint::black_box(parse::text(bytes))),
            How::Notice => drop(std::hint::black_box(parse::notice(bytes, &self.registry, None))),
            How::Table => drop(std::hint::black_box(parse::table(name, bytes, &self.registry, |_| None))),
        }
    }

    /// The act, unless the document is refused.
    pub fn act(&self, celex: &str, bytes: &[u8]) -> Option<Act> {
        Some(self.parsed(celex, bytes).ok()?.value)
    }

    fn parsed(&self, celex: &str, bytes: &[u8]) -> Result<parse::Parsed<Act>, parse::Refused> {
        let celex: Celex = celex.parse().expect("an act's text has a CELEX number");
        // The hash is known to whoever fetched the document, and is no part of reading it.
        let document = Digest::of(b"");
        parse::act(&Given { celex: &celex, language: Language::ENGLISH, document, bytes, registry: &self.registry })
    }

    /// Reads and tells.
    pub fn told(&self, how: How, name: &str, celex: &str, bytes: &[u8]) -> Told {
        let told = match how {
            How::Act | How::Text => self.parsed(celex, bytes).map(|read| Told {
                warnings: read.warnings.len(),
                units: read.value.units.len(),
                clauses: read.value.clauses.len(),
                shares: vec![parse::coverage(bytes, &read.value).share()],
                ..Told::default()
            }),
            How::Notice => parse::notice(bytes, &self.registry, None).map(|read| Told {
                warnings: read.warnings.len(),
                rows: read.value.rows.len(),
                records: read.value.records.len(),
                ..Told::default()
            }),
            How::Table => parse::table(name, bytes, &self.registry, |_| None).map(|read| Told {
                warnings: read.warnings.len(),
                rows: read.value.rows.len() + read.value.states.len() + read.value.pairs.len(),
                records: read.value.records.len(),
                ..Told::default()
            }),
        };
        told.unwrap_or(Told { refused: 1, ..Told::default() })
    }
}
