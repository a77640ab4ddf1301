//! What a build would do and may cost, without asking a model or writing a file.

use super::parallel::cores;
use super::wish::wish;
use super::{Build, BuildError, load};
use crate::graph::RelationGraph;
use crate::sample::draw;
use serde::Serialize;

/// Bytes of legal English per token, low and high: between 3.5 and 4.5 in the tokenizers of the large providers;
/// a range, because the model's own tokenizer is not asked.
const BYTES_PER_TOKEN: [f64; 2] = [4.5, 3.0];
/// Bytes of a prompt: instructions, facts, five passages.
const PROMPT_BYTES: [f64; 2] = [4_000.0, 14_000.0];

/// What a build would do.
#[derive(Debug, Clone, Serialize)]
pub struct Plan {
    /// Documents in the source.
    pub documents: usize,
    /// Acts whose text is here.
    pub acts: usize,
    /// Edges between acts.
    pub edges: usize,
    /// Per relation.
    pub relations: Vec<PlannedRelation>,
    /// Model calls; none where the built-in pair does the work.
    pub calls: Option<PlannedCalls>,
    /// Threads or calls side by side.
    pub side_by_side: usize,
}

/// A relation's share of the plan.
#[derive(Debug, Clone, Serialize)]
pub struct PlannedRelation {
    /// The relation, forward.
    pub relation: String,
    /// Items wanted.
    pub wanted: usize,
    /// Pairs that can be tried for them.
    pub pairs: usize,
}

/// What models may cost, each as least and most.
#[derive(Debug, Clone, Serialize)]
pub struct PlannedCalls {
    /// Calls.
    pub calls: [u64; 2],
    /// Tokens, prompt and reply.
    pub tokens: [u64; 2],
    /// On what the range rests.
    pub assumptions: String,
}

impl Build<'_> {
    /// What this build would do and may cost.
    ///
    /// # Errors
    /// [`BuildError`], as the build itself.
    pub fn plan(&self) -> Result<Plan, BuildError> {
        let registry = self.rubrics.registry()?;
        let documents = self.source.list()?.len();
        let loaded = load(self.source, &registry)?;
        let graph = RelationGraph::build(loaded.facts, &registry);
        let wish = wish(self.manifest, self.folder, &registry)?;
        let sample = draw(&graph, &registry, &wish);
        let relations: Vec<PlannedRelation> = wish
            .quotas
            .iter()
            .map(|(relation, wanted)| PlannedRelation {
                relation: relation.to_string(),
                wanted: *wanted,
                pairs: sample.pairs.iter().filter(|s| &s.pair.relation == relation).count(),
            })
            .collect();
        let items: u64 =
            relations.iter().map(|r| r.wanted.min(r.pairs * self.manifest.items_per_pair as usize) as u64).sum();
        Ok(Plan {
            documents,
            acts: graph.acts().count(),
            edges: graph.edges().count(),
            relations,
            calls: self.calls(items),
            side_by_side: self.manifest.writer().map_or_else(cores, |w| w.in_flight),
        })
    }

    fn calls(&self, items: u64) -> Option<PlannedCalls> {
        let writer = self.manifest.writer().map(|w| (u64::from(w.draws), w.max_tokens));
        let judge = self.manifest.judge.as_ref().map(|j| (1, j.max_tokens));
        if writer.is_none() && judge.is_none() {
            return None;
        }
        let (mut calls, mut tokens) = ([0, 0], [0.0, 0.0]);
        // Each call may need two repair turns; a judge may have to answer blind as well.
        for (draws, reply) in [writer, judge.map(|(_, reply)| (2, reply))].into_iter().flatten() {
            for (i, per_item) in [1, draws * 3].into_iter().enumerate() {
                #[allow(clippy::cast_precision_loss)] // counts of calls are far below 2^52
                let n = (items * per_item) as f64;
                calls[i] += items * per_item;
                tokens[i] += n * (PROMPT_BYTES[i] / BYTES_PER_TOKEN[i] + f64::from(reply) * [0.3, 1.0][i]);
            }
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // positive and far below 2^63
        let tokens = tokens.map(|t| t as u64);
        let assumptions = "least: one call each, short prompts, replies a third of the limit; most: every draw used, \
             two repair turns each, long prompts, replies at the limit; 3 to 4.5 bytes a token";
        Some(PlannedCalls { calls, tokens, assumptions: assumptions.to_string() })
    }
}
