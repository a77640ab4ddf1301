//! What came of an optimization.

use crate::author::optimize::{Ending, Settled, Verdict};
use crate::law::RelationType;
use crate::view::{Candidate, Gain, Lineage};
use serde::Serialize;
use std::collections::BTreeMap;

/// How the result does on pairs that the optimizer never saw.
#[derive(Debug, Clone, Serialize)]
pub struct HeldOut {
    /// The relation.
    pub relation: RelationType,
    /// Pairs.
    pub pairs: usize,
    /// Sum of the totals by the prompts at the start.
    pub before: u64,
    /// Sum of the totals by the prompts chosen.
    pub after: u64,
}

/// What came of an optimization.
#[derive(Debug, Clone, Serialize)]
pub struct Optimized {
    /// Why it ended.
    pub ending: Ending,
    /// Evaluations that it took, those for the end apart.
    pub evaluations: u64,
    /// The greatest total of one item.
    pub out_of: u32,
    /// Place in the pool of the prompts chosen.
    pub chosen: usize,
    /// The prompts chosen, by component.
    pub prompts: BTreeMap<String, String>,
    /// The prompts at the start, by component.
    pub before: BTreeMap<String, String>,
    /// The criteria, in the rubric's order.
    pub criteria: Vec<String>,
    /// Pairs of the selection on which no candidate has any point: they have no vote.
    pub silent: usize,
    /// Every proposal and what became of it.
    pub proposals: Vec<Settled>,
    /// The result on the pairs kept for the end, per relation.
    pub held_out: Vec<HeldOut>,
}

impl Optimized {
    /// What is to be shown of it.
    pub fn lineage(&self) -> Lineage {
        let mut texts: Vec<BTreeMap<String, String>> = Vec::new();
        let mut lineage = Lineage {
            chosen: self.chosen,
            evaluations: self.evaluations,
            out_of: self.out_of,
            ending: self.ending.to_string(),
            ..Lineage::default()
        };
        let mut used = 0;
        for settled in &self.proposals {
            used += settled.evaluations;
            let cause = match &settled.verdict {
                Verdict::Accepted(_) => None,
                Verdict::Rejected(cause) => Some(cause.kind()),
            };
            if let Some(cause) = cause {
                *lineage.rejected.entry(cause.to_string()).or_default() += 1;
                continue;
            }
            let parents = settled.origin.parents();
            let from = parents.first().and_then(|at| texts.get(*at)).unwrap_or(&self.before).clone();
            let was = |name: &String| from.get(name).cloned().unwrap_or_default();
            let changed = settled.texts.iter().map(|(name, text)| (name.clone(), [was(name), text.clone()])).collect();
            let sum = settled.whole.iter().map(|one| u64::from(one.score.total)).sum();
            let criteria = self.criteria.iter().enumerate().map(|(at, name)| {
                let levels = settled.whole.iter().filter_map(|one| one.score.criteria.get(at));
                (name.clone(), levels.map(|level| u64::from(*level)).sum())
            });
            let criteria = criteria.collect();
            lineage.candidates.push(Candidate { parents, sum, found: used, changed, criteria });
            lineage.compared = (settled.whole.len(), self.silent);
            let mut own = from;
            own.extend(settled.texts.clone());
            texts.push(own);
        }
        let gain = |one: &HeldOut| Gain {
            relation: one.relation.to_string(),
            pairs: one.pairs,
            before: one.before,
            after: one.after,
        };
        lineage.held_out = self.held_out.iter().map(gain).collect();
        lineage
    }
}
