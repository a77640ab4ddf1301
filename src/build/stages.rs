//! The stages of a build, as the lock tells them: hashes over what went in and what came out.

use crate::dataset::LockedStage;
use crate::law::Digest;
use serde::Serialize;

/// The digest of a value by its JSON form, whose maps are sorted and whose lists have their order.
pub(super) fn digest_of(value: &impl Serialize) -> Digest {
    Digest::of(&serde_json::to_vec(value).unwrap_or_default())
}

/// Stages recorded so far.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    stages: Vec<LockedStage>,
}

/// How many values a stage took and made, and how many warnings it had.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counted {
    pub taken: usize,
    pub made: usize,
    pub warnings: usize,
}

impl Ledger {
    /// Records a stage; its input is chained to the output of the stage before.
    pub fn record(&mut self, name: &str, version: u32, parameters: Digest, output: Digest, counted: Counted) {
        let before = self.stages.last().map(|s| s.output);
        let input = digest_of(&(name, version, parameters, before));
        self.stages.push(LockedStage {
            name: name.to_string(),
            version,
            input,
            output,
            taken: counted.taken as u64,
            made: counted.made as u64,
            warnings: counted.warnings as u64,
        });
    }

    /// The stages, in order.
    pub fn stages(&self) -> &[LockedStage] {
        &self.stages
    }
}
