//! What an audit says.

use serde::Serialize;

/// Something that does not stand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What was looked at: `file`, `document`, `row`, `item`, `edge`, `proofs`, `positions`, or a gate's name.
    pub what: String,
    /// What does not stand, in one sentence.
    pub says: String,
}

impl Finding {
    pub(super) fn new(what: &str, says: impl Into<String>) -> Self {
        Self { what: what.to_string(), says: says.into() }
    }
}

/// How an item stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// All of it was derived again.
    Sound,
    /// Something does not stand.
    Unsound,
    /// Nothing speaks against it, and what it stands on is not all here.
    Unknown,
}

/// What an audit says of one row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ItemReport {
    /// The row, from 1.
    pub row: usize,
    /// The item's unique name, if the row has one.
    pub item: Option<String>,
    /// The published id.
    pub id: String,
    /// How it stands.
    pub state: State,
    /// What does not stand.
    pub findings: Vec<Finding>,
    /// What could not be looked at, and why.
    pub unknown: Vec<String>,
    /// What was found to hold, in plain sentences (rows without provenance).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl ItemReport {
    pub(super) fn new(row: usize, id: &str, item: Option<String>) -> Self {
        let (findings, unknown, notes) = Default::default();
        Self { row, item, id: id.to_string(), state: State::Sound, findings, unknown, notes }
    }

    pub(super) fn broken(row: usize, why: &str) -> Self {
        let mut report = Self::new(row, "", None);
        report.find("row", why);
        report.settled()
    }

    pub(super) fn find(&mut self, what: &str, says: impl Into<String>) {
        self.findings.push(Finding::new(what, says));
    }

    /// The same with its state read off what was found.
    pub(super) fn settled(mut self) -> Self {
        self.state = match (self.findings.is_empty(), self.unknown.is_empty()) {
            (false, _) => State::Unsound,
            (true, false) => State::Unknown,
            (true, true) => State::Sound,
        };
        self
    }
}

/// What an audit says of a dataset.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// What does not stand about the set: files, documents, positions, duplicates.
    pub set: Vec<Finding>,
    /// Row by row.
    pub items: Vec<ItemReport>,
}

impl Report {
    pub(super) fn of_set(&mut self, findings: Vec<Finding>) {
        self.set.extend(findings);
    }

    /// Whether nothing was found.
    pub fn sound(&self) -> bool {
        self.set.is_empty() && self.items.iter().all(|i| i.findings.is_empty())
    }

    /// How many rows are in this state.
    pub fn count(&self, state: State) -> usize {
        self.items.iter().filter(|i| i.state == state).count()
    }
}
