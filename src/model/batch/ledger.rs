//! Which batches were handed in, on disk before they are: so that a build that was killed finds them again.

use crate::cache::{Flavour, Journal, JournalError};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;

/// One step of a batch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Step {
    /// About to be handed in, under this name, with calls of these keys, at this address.
    Meant { name: String, address: String, keys: Vec<String> },
    /// Handed in: the provider's identifier.
    Made { name: String, id: String },
    /// All that it gave is in the journal of calls.
    Done { name: String },
}

/// A batch whose results are still to be fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Open {
    pub name: String,
    /// The provider's identifier, where its answer was heard.
    pub id: Option<String>,
    pub keys: Vec<String>,
}

/// The batches of a journal's folder. Cheap to clone; clones share it.
#[derive(Debug, Clone)]
pub struct Ledger {
    journal: Arc<Journal>,
    open: Vec<(String, Open)>,
}

impl Ledger {
    /// Opens or makes the ledger at `path`.
    ///
    /// # Errors
    /// [`JournalError`].
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let (journal, found) = Journal::open(path, Flavour::Checked)?;
        let mut open: Vec<(String, Open)> = Vec::new();
        for step in found.records.iter().filter_map(|line| serde_json::from_str(line).ok()) {
            match step {
                Step::Meant { name, address, keys } => open.push((address, Open { name, id: None, keys })),
                Step::Made { name, id } => {
                    open.iter_mut().filter(|(_, o)| o.name == name).for_each(|(_, o)| o.id = Some(id.clone()));
                }
                Step::Done { name } => open.retain(|(_, o)| o.name != name),
            }
        }
        Ok(Self { journal: Arc::new(journal), open })
    }

    /// The batches of an address that were open when the ledger was opened.
    pub(super) fn left(&self, address: &str) -> Vec<Open> {
        self.open.iter().filter(|(at, _)| at == address).map(|(_, open)| open.clone()).collect()
    }

    pub(super) async fn meant(&self, name: &str, address: &str, keys: Vec<String>) -> Result<(), String> {
        self.write(Step::Meant { name: name.to_string(), address: address.to_string(), keys }).await
    }

    pub(super) async fn made(&self, name: &str, id: &str) -> Result<(), String> {
        self.write(Step::Made { name: name.to_string(), id: id.to_string() }).await
    }

    pub(super) async fn done(&self, name: &str) -> Result<(), String> {
        self.write(Step::Done { name: name.to_string() }).await
    }

    async fn write(&self, step: Step) -> Result<(), String> {
        let journal = self.journal.clone();
        let line = serde_json::to_string(&step).map_err(|e| e.to_string())?;
        let written = tokio::task::spawn_blocking(move || journal.append(&line)).await;
        written.map_err(|e| e.to_string())?.map_err(|e| e.to_string())
    }
}
