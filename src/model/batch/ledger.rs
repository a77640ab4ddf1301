//! Which batches were handed in, on disk before they are: so that a build that was killed finds them again.

use crate::cache::{Flavour, Journal, JournalError};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// One step of a batch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Step {
    /// About to be handed in, under this name, with calls of these keys, at this address.
    Meant { name: String, address: String, keys: Vec<String> },
    /// Handed in: the provider's identifier.
    Made { name: String, id: String },
    /// All that it gave is in the journal of calls, or nothing is to be had from it.
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

/// The batches of a journal's folder. Cheap to clone; clones share it, and so do all models of a run.
#[derive(Debug, Clone)]
pub struct Ledger(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    journal: Journal,
    damage: Vec<String>,
    open: Mutex<Vec<Open>>,
}

impl Ledger {
    /// Opens or makes the ledger at `path`.
    ///
    /// # Errors
    /// [`JournalError`].
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let (journal, found) = Journal::open(path, Flavour::Checked)?;
        let mut open = Vec::new();
        for step in found.records.iter().filter_map(|line| serde_json::from_str(line).ok()) {
            take(&mut open, step);
        }
        let damage = found.damage(path, "a batch noted there is not known, and its calls may be handed in again");
        Ok(Self(Arc::new(Shared { journal, damage, open: Mutex::new(open) })))
    }

    /// What of it could not be read when it was opened, a line each.
    pub fn damage(&self) -> &[String] {
        &self.0.damage
    }

    /// The open batches in which any of these calls went out.
    pub(super) fn holding(&self, keys: &BTreeSet<String>) -> Vec<Open> {
        let open = held(&self.0.open);
        open.iter().filter(|batch| batch.keys.iter().any(|key| keys.contains(key))).cloned().collect()
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
        let shared = self.0.clone();
        let line = serde_json::to_string(&step).map_err(|e| e.to_string())?;
        let written = tokio::task::spawn_blocking(move || shared.journal.append(&line)).await;
        written.map_err(|e| e.to_string())?.map_err(|e| e.to_string())?;
        take(&mut held(&self.0.open), step);
        Ok(())
    }
}

/// What is open after a step.
fn take(open: &mut Vec<Open>, step: Step) {
    match step {
        Step::Meant { name, keys, .. } => open.push(Open { name, id: None, keys }),
        Step::Made { name, id } => {
            open.iter_mut().filter(|batch| batch.name == name).for_each(|batch| batch.id = Some(id.clone()));
        }
        Step::Done { name } => open.retain(|batch| batch.name != name),
    }
}

/// Every change is one of a few that cannot panic.
fn held(open: &Mutex<Vec<Open>>) -> MutexGuard<'_, Vec<Open>> {
    open.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_batch_is_open_until_it_is_done_and_after_a_kill() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("batches.journal");
        let keys = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
        let of = |names: &[&str]| keys(names).into_iter().collect::<BTreeSet<_>>();
        let ledger = Ledger::open(&path).unwrap();
        ledger.meant("one", "http://h", keys(&["a", "b"])).await.unwrap();
        ledger.made("one", "batch-1").await.unwrap();
        ledger.meant("two", "http://h", keys(&["c"])).await.unwrap();
        drop(ledger);
        let ledger = Ledger::open(&path).unwrap();
        let id = |ledger: &Ledger, key: &str| ledger.holding(&of(&[key])).first().map(|open| open.id.clone());
        assert_eq!(id(&ledger, "b"), Some(Some("batch-1".to_string())));
        assert_eq!((id(&ledger, "c"), id(&ledger, "d")), (Some(None), None));
        ledger.done("one").await.unwrap();
        assert_eq!(id(&ledger, "b"), None);
        drop(ledger);
        assert_eq!(Ledger::open(&path).unwrap().holding(&of(&["a", "b", "c"])).len(), 1);
    }
}
