//! What a build would do and may cost, without asking a model or writing a file.

use super::calibrate::CALIBRATE;
use super::parallel::cores;
use super::wish::{quotas, wish};
use super::{Build, BuildError, Manifest, ModelWish, Rubrics, load};
use crate::author::Defect;
use crate::graph::RelationGraph;
use crate::model::{ModelName, Money, Prices};
use crate::sample::draw;
use serde::Serialize;
use std::collections::BTreeSet;

/// Bytes of legal English per token, in thousandths, most and least: between 3.5 and 4.5 in the tokenizers of the large
/// providers; a range, because the model's own tokenizer is not asked.
const BYTES_PER_TOKEN: [u64; 2] = [4_500, 3_000];
/// Bytes of a prompt: instructions, facts, five passages.
const PROMPT_BYTES: [u64; 2] = [4_000, 14_000];
/// Tokens of a reply, in tenths of its limit.
const REPLY_TENTHS: [u64; 2] = [3, 10];
/// A call and the repair turns that it may need.
pub(super) const WITH_REPAIRS: u64 = 3;
/// Levels, and a blind answer.
pub(super) const VOTES: u64 = 2;

/// What a build would do.
#[derive(Debug, Clone, Serialize)]
pub struct Plan {
    /// What is in the source; none where it is not fetched yet.
    pub source: Option<PlannedSource>,
    /// Per relation.
    pub relations: Vec<PlannedRelation>,
    /// Items to be made: as many as are wanted and, where it is known, as the pairs can give.
    pub items: u64,
    /// What models may cost; none where the built-in pair does the work.
    pub cost: Option<PlannedCost>,
    /// Threads or calls side by side.
    pub side_by_side: usize,
}

/// What a source holds.
#[derive(Debug, Clone, Serialize)]
pub struct PlannedSource {
    /// Documents.
    pub documents: usize,
    /// Acts whose text is here.
    pub acts: usize,
    /// Edges between acts.
    pub edges: usize,
}

/// A relation's share of the plan.
#[derive(Debug, Clone, Serialize)]
pub struct PlannedRelation {
    /// The relation, forward.
    pub relation: String,
    /// Items wanted.
    pub wanted: usize,
    /// Pairs that can be tried for them; none where it is not known yet.
    pub pairs: Option<usize>,
}

/// What models may cost, each figure as least and most.
#[derive(Debug, Clone, Serialize)]
pub struct PlannedCost {
    /// Stage by stage.
    pub stages: Vec<PlannedStage>,
    /// Calls.
    pub calls: [u64; 2],
    /// Tokens, prompt and reply.
    pub tokens: [u64; 2],
    /// Money, for all stages whose model has a price; none where no model has.
    pub money: Option<[Money; 2]>,
    /// Models without a known price: what they cost comes on top.
    pub unpriced: Vec<String>,
    /// On what the ranges rest.
    pub assumptions: Vec<String>,
}

/// What one stage may ask of its model.
#[derive(Debug, Clone, Serialize)]
pub struct PlannedStage {
    /// The stage: `write`, `judge`, `calibrate`.
    pub stage: String,
    /// `provider:model`.
    pub model: String,
    /// Calls.
    pub calls: [u64; 2],
    /// Tokens of the prompts.
    pub prompt: [u64; 2],
    /// Tokens of the replies.
    pub reply: [u64; 2],
    /// Money; none where the price is not known.
    pub money: Option<[Money; 2]>,
    /// Of which month the price is, and where it was read.
    pub price: Option<String>,
    /// Whether its calls go in batches.
    pub batch: bool,
    /// What is paid through the batch interface, as a part of the price, where it is known.
    pub batch_part: Option<f64>,
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
        let pairs = |relation| sample.pairs.iter().filter(|s| &s.pair.relation == relation).count();
        let relations = wish.quotas.iter().map(|(relation, wanted)| PlannedRelation {
            relation: relation.to_string(),
            wanted: *wanted,
            pairs: Some(pairs(relation)),
        });
        let source = PlannedSource { documents, acts: graph.acts().count(), edges: graph.edges().count() };
        Plan::of(self.manifest, self.rubrics, Some(source), relations.collect())
    }
}

impl Plan {
    /// What a build would do and may cost whose documents are not fetched yet: as if every quota were filled.
    ///
    /// # Errors
    /// [`BuildError`]: a rubric or a quota that is wrong.
    pub fn before_fetching(manifest: &Manifest, rubrics: &Rubrics) -> Result<Self, BuildError> {
        let quotas = quotas(manifest, &rubrics.registry()?)?;
        let relations = quotas.into_iter().map(|(relation, wanted)| PlannedRelation {
            relation: relation.to_string(),
            wanted,
            pairs: None,
        });
        Self::of(manifest, rubrics, None, relations.collect())
    }

    fn of(
        manifest: &Manifest,
        rubrics: &Rubrics,
        source: Option<PlannedSource>,
        relations: Vec<PlannedRelation>,
    ) -> Result<Self, BuildError> {
        let per_pair = manifest.items_per_pair as usize;
        let can = |r: &PlannedRelation| r.pairs.map_or(r.wanted, |pairs| r.wanted.min(pairs.saturating_mul(per_pair)));
        let items = relations.iter().map(|r| can(r) as u64).sum();
        let prices = rubrics.prices()?;
        let stages = stages(manifest, items, &prices)?;
        let side_by_side = manifest.writer().map_or_else(cores, |w| w.in_flight);
        let cost = (!stages.is_empty()).then(|| PlannedCost::of(stages, source.is_none(), manifest));
        Ok(Self { source, relations, items, cost, side_by_side })
    }
}

/// The stages that ask a model.
fn stages(manifest: &Manifest, items: u64, prices: &Prices) -> Result<Vec<PlannedStage>, BuildError> {
    let draws = manifest.writer().map_or(1, |writer| u64::from(writer.draws.max(1)));
    let mut stages = Vec::new();
    if let Some(writer) = manifest.writer() {
        stages.push(stage("write", writer, [items, items * draws * WITH_REPAIRS], prices)?);
    }
    if let Some(judge) = &manifest.judge {
        stages.push(calibration(manifest, judge, prices)?);
        stages.push(stage("judge", judge, [items, items * draws * VOTES * WITH_REPAIRS], prices)?);
    }
    stages.retain(|stage| stage.calls[1] > 0);
    Ok(stages)
}

/// The judge's calibration before it judges; no call where the manifest waives it.
pub(super) fn calibration(manifest: &Manifest, judge: &ModelWish, prices: &Prices) -> Result<PlannedStage, BuildError> {
    let good = manifest.calibration.items as u64;
    let trials = good * (1 + Defect::ALL.len() as u64) * VOTES;
    stage(CALIBRATE, judge, [trials, trials * WITH_REPAIRS], prices)
}

pub(super) fn stage(
    name: &str,
    wish: &ModelWish,
    calls: [u64; 2],
    prices: &Prices,
) -> Result<PlannedStage, BuildError> {
    let model: ModelName = wish.model.parse().map_err(super::ModelsError::from)?;
    let range = |each: [u64; 2]| [0, 1].map(|i| calls[i].saturating_mul(each[i]));
    let prompt = range([0, 1].map(|i| PROMPT_BYTES[i] * 1000 / BYTES_PER_TOKEN[i]));
    let reply = range(REPLY_TENTHS.map(|tenths| u64::from(wish.max_tokens) * tenths / 10));
    let price = prices.of(&model);
    Ok(PlannedStage {
        stage: name.to_string(),
        model: wish.model.clone(),
        calls,
        prompt,
        reply,
        money: price.map(|price| [0, 1].map(|i| price.paid(price.plain(prompt[i], reply[i]), wish.batch.is_some()))),
        price: price.map(|price| {
            let hand = if price.first_hand { "the provider's own page" } else { "at second hand" };
            format!("{}, {hand}: {}", price.as_of, price.source)
        }),
        batch: wish.batch.is_some(),
        batch_part: price.and_then(|price| price.batch).filter(|_| wish.batch.is_some()),
    })
}

impl PlannedCost {
    pub(super) fn of(stages: Vec<PlannedStage>, unfetched: bool, manifest: &Manifest) -> Self {
        let sum = |of: fn(&PlannedStage) -> [u64; 2]| [0, 1].map(|i| stages.iter().map(|s| of(s)[i]).sum());
        let (calls, prompt, reply): ([u64; 2], [u64; 2], [u64; 2]) =
            (sum(|s| s.calls), sum(|s| s.prompt), sum(|s| s.reply));
        let priced: Vec<[Money; 2]> = stages.iter().filter_map(|s| s.money).collect();
        let money = (!priced.is_empty()).then(|| [0, 1].map(|i| priced.iter().map(|range| range[i]).sum()));
        let mut unpriced: Vec<String> = stages.iter().filter(|s| s.money.is_none()).map(|s| s.model.clone()).collect();
        unpriced.sort_unstable();
        unpriced.dedup();
        let tokens = [prompt[0] + reply[0], prompt[1] + reply[1]];
        let mut assumptions = assumptions(manifest, unfetched);
        assumptions.extend(in_batches(&stages));
        Self { stages, calls, tokens, money, unpriced, assumptions }
    }
}

/// What is taken for granted of calls in batches, model by model.
fn in_batches(stages: &[PlannedStage]) -> BTreeSet<String> {
    let told = |stage: &PlannedStage| match (stage.batch_part, &stage.money) {
        (Some(part), _) => format!("{} goes in batches, at {part} of the price", stage.model),
        (None, Some(_)) => format!("{} goes in batches, whose price is not known: at the full price", stage.model),
        (None, None) => format!("{} goes in batches", stage.model),
    };
    stages.iter().filter(|stage| stage.batch).map(told).collect()
}

fn assumptions(manifest: &Manifest, unfetched: bool) -> Vec<String> {
    let mut all = Vec::new();
    if unfetched {
        all.push("nothing is fetched yet: every quota is filled, whatever the documents will give".to_string());
    }
    let [short, long] = PROMPT_BYTES.map(|bytes| bytes / 1000);
    all.push(format!(
        "least: one call each, prompts of {short} kB at 4.5 bytes a token, replies of three tenths of `max_tokens`"
    ));
    let draws = manifest.writer().map_or(1, |writer| writer.draws);
    all.push(format!(
        "most: {draws} draws an item, each judged, a blind answer each, two repair turns a call, prompts of {long} kB at 3 bytes a token, replies of `max_tokens`, thoughts included"
    ));
    all.push("pairs that yield no item come on top; calls that are journaled already cost nothing again".to_string());
    all.push("prompts at the full price, none read from a provider's cache".to_string());
    all.push("three calls to probe each server come on top, some 6,000 tokens".to_string());
    let limits = [
        manifest.budget.calls.map(|n| format!("{n} calls")),
        manifest.budget.tokens.map(|n| format!("{n} tokens")),
        manifest.budget.money.map(|money| money.to_string()),
        manifest.budget.seconds.map(|n| format!("{n} seconds")),
    ];
    let limits: Vec<String> = limits.into_iter().flatten().collect();
    all.push(match limits.as_slice() {
        [] => "[budget] sets no limit".to_string(),
        limits => format!("[budget] ends it before it passes {}", limits.join(", ")),
    });
    all
}
