//! Does a dataset stand? Every item is derived again from its documents; what does not stand is named.
//!
//! [`audit`] takes the files of a published folder and the [`Ground`] they claim to stand on: the graph
//! built anew from the documents, their bytes, the registry and the rules. A document that is not here
//! makes an item *unknown*, which is no finding. [`explain`] walks one item from its options to the bytes.

mod explain;
mod foreign;
mod item;
mod published;
mod report;
mod sentence;

pub use explain::{Explained, Node, explain};
pub use published::{Line, Published};
pub use report::{Finding, ItemReport, Report, State};
pub use sentence::sentence;

use crate::dataset::Lock;
use crate::graph::RelationGraph;
use crate::law::{Digest, Registry};
use crate::verify::Rules;
use std::collections::BTreeMap;

/// Whether a document's bytes are here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Held {
    /// They are.
    Here(Vec<u8>),
    /// They are not.
    Absent,
    /// Something is here under that name, and it is damaged.
    Damaged(String),
}

/// What a dataset claims to stand on.
pub struct Ground<'a> {
    /// The graph, built anew from the documents that are here.
    pub graph: &'a RelationGraph,
    /// The relation types and forms.
    pub registry: &'a Registry,
    /// The rules of the gates.
    pub rules: &'a Rules,
    /// The rubric files that registry and rules were read from, by name.
    pub rubrics: BTreeMap<String, Digest>,
    /// A document's bytes by their digest.
    pub documents: &'a dyn Fn(&Digest) -> Held,
}

/// Derives every item of a published folder again.
pub fn audit(published: &Published, ground: &Ground<'_>) -> Report {
    let lock = published.lock();
    let mut report = Report::default();
    report.of_set(published.check_files(lock.as_ref()));
    if let Some(lock) = &lock {
        report.of_set(documents(lock, ground));
    }
    let court = item::Court::new(published, ground, lock.as_ref().and_then(|l| l.as_ref().ok()));
    for (number, line) in published.lines().iter().enumerate() {
        report.items.push(match line {
            Line::Ours(row) => court.judge(row, number + 1),
            Line::Foreign(row) => foreign::walk(row, number + 1, ground),
            Line::Broken(why) => ItemReport::broken(number + 1, why),
        });
    }
    report.of_set(court.whole_set());
    report
}

/// Documents that the lock names and that are here, but damaged.
fn documents(lock: &Result<Lock, String>, ground: &Ground<'_>) -> Vec<Finding> {
    let Ok(lock) = lock else { return Vec::new() };
    let damaged = |sha256: &Digest| match (ground.documents)(sha256) {
        Held::Here(bytes) => (Digest::of(&bytes) != *sha256).then(|| "its bytes have another hash".to_string()),
        Held::Absent => None,
        Held::Damaged(why) => Some(why),
    };
    let named = lock.documents.iter().filter_map(|d| Some((d, damaged(&d.sha256)?)));
    named.map(|(d, why)| Finding::new("document", format!("{} is damaged: {why}", d.key))).collect()
}
