//! What came of an optimization.

use crate::author::optimize::{Ending, Settled, Verdict};
use crate::build::{Improved, TOOL};
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
    /// The relation of each pair that candidates are compared by, in the order of their scores.
    pub selection: Vec<RelationType>,
    /// Pairs of the selection on which no candidate has any point: they have no vote.
    pub silent: usize,
    /// Every proposal and what became of it.
    pub proposals: Vec<Settled>,
    /// The result on the pairs kept for the end, per relation.
    pub held_out: Vec<HeldOut>,
}

impl Optimized {
    /// The file of the prompts chosen, for a manifest to name.
    pub fn improved(&self) -> Improved {
        Improved { tool: TOOL.to_string(), prompts: self.prompts.clone(), lineage: self.lineage() }
    }

    /// What is to be shown of it.
    pub fn lineage(&self) -> Lineage {
        let (mut candidates, mut rejected, mut used) = (Vec::new(), BTreeMap::new(), 0);
        for settled in &self.proposals {
            used += settled.evaluations;
            match &settled.verdict {
                Verdict::Accepted(_) => candidates.push(self.candidate(settled, used)),
                Verdict::Rejected(cause) => *rejected.entry(cause.kind().to_string()).or_default() += 1,
            }
        }
        let gain = |one: &HeldOut| Gain {
            relation: one.relation.to_string(),
            pairs: one.pairs,
            before: one.before,
            after: one.after,
        };
        let mut relations = BTreeMap::new();
        self.selection.iter().for_each(|relation| *relations.entry(relation.to_string()).or_default() += 1);
        Lineage {
            start: self.before.clone(),
            candidates,
            chosen: self.chosen,
            rejected,
            held_out: self.held_out.iter().map(gain).collect(),
            pairs: self.selection.len(),
            relations,
            silent: self.silent,
            evaluations: self.evaluations,
            out_of: self.out_of,
            ending: self.ending.to_string(),
        }
    }

    fn candidate(&self, settled: &Settled, found: u64) -> Candidate {
        let scores = || settled.whole.iter();
        let mut relations = BTreeMap::new();
        for (relation, score) in self.selection.iter().zip(scores()) {
            *relations.entry(relation.to_string()).or_default() += u64::from(score.total);
        }
        let criterion = |(at, name): (usize, &String)| {
            // A broken hard rule takes the criteria with it, as on the fronts.
            let levels = scores().filter(|score| score.total > 0).filter_map(|score| score.criteria.get(at));
            (name.clone(), levels.map(|level| u64::from(*level)).sum())
        };
        Candidate {
            parents: settled.origin.parents(),
            sum: scores().map(|score| u64::from(score.total)).sum(),
            found,
            changed: settled.texts.clone(),
            relations,
            criteria: self.criteria.iter().enumerate().map(criterion).collect(),
        }
    }
}
