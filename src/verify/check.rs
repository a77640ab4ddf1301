//! What a gate is.

use crate::dataset::Draft;
use crate::graph::RelationGraph;

/// One gate: looks at a draft by itself. Decides, never rewrites.
pub trait Check {
    /// Its name, as refusals carry it.
    fn name(&self) -> &'static str;

    /// What it says of the draft.
    fn check(&self, draft: &Draft, graph: &RelationGraph) -> Verdict;
}

/// What a gate says. A draft passes where nothing refuses it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Why it is refused, one sentence each, the words or the fact named.
    pub refused: Vec<String>,
    /// What a reader should look at; refuses nothing.
    pub warnings: Vec<String>,
}

impl Verdict {
    /// Whether nothing refuses the draft.
    pub fn passes(&self) -> bool {
        self.refused.is_empty()
    }

    pub(super) fn refuse(&mut self, why: impl Into<String>) {
        let why = why.into();
        if !self.refused.contains(&why) {
            self.refused.push(why);
        }
    }

    pub(super) fn warn(&mut self, why: impl Into<String>) {
        self.warnings.push(why.into());
    }
}
