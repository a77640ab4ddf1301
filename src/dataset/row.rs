//! The row schema: the eight published columns, in their order, then ours.

use super::published::published_id;
use super::{Authorship, Claim, Item, Passage, Side};
use crate::law::{Celex, Day, Part, Registry};
use serde::{Deserialize, Serialize};

/// A row of `items.jsonl`. The first eight fields are the published columns, with their names, types and
/// order; the rest is ours. A published `id` repeats where a pair has several items; `item` is unique.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// `complex_legallink_{source}_{target}_{relation}`, in the published order of the ends.
    pub id: String,
    /// The stem.
    pub question: String,
    /// Four options, A to D.
    pub options: Vec<String>,
    /// Position of the key, 0-3.
    pub correct_index: usize,
    /// Its letter.
    pub correct_label: String,
    /// `Source (CELEX)` or `Target (CELEX)`, one per passage.
    pub context_titles: Vec<String>,
    /// Five passages, the published source's before the published target's.
    pub contexts: Vec<String>,
    /// Five perturbed passages; five empty strings while the row has none.
    pub perturbed_contexts: Vec<String>,
    /// The unique name of the item.
    pub item: String,
    /// The relation by its forward name; only `id` uses the published one.
    pub relation: String,
    /// The acting act, whichever way round the published order has it.
    pub source_celex: Celex,
    /// The part of it, if only a part is meant.
    pub source_part: Option<Part>,
    /// The act acted upon.
    pub target_celex: Celex,
    /// The part of it, if only a part is meant.
    pub target_part: Option<Part>,
    /// The day the item is set on.
    pub day: Day,
    /// What was known by when.
    pub known_on: Day,
    /// What the stem asserts.
    pub stem_claims: Vec<Claim>,
    /// What each option claims, A to D.
    pub claims: Vec<Vec<Claim>>,
    /// `built-in` or `model`.
    pub author: String,
    /// The form, or the model as `provider:model`.
    pub written_by: String,
    /// Whether code decided every claim: the key proved, each distractor refuted.
    pub proved_by_code: bool,
    /// Whether a judge's answer stands in for an undecided claim.
    pub judged: bool,
}

/// The letters of the four positions.
pub const LETTERS: [&str; 4] = ["A", "B", "C", "D"];

impl Row {
    /// The row of an item.
    pub fn of(item: &Item, registry: &Registry) -> Self {
        let draft = &item.draft;
        let inverted = registry.published(&draft.pair.relation).1;
        let super::Pair { source, relation, target } = &draft.pair;
        let passages = published_passages(item, registry);
        let title = |p: &Passage| {
            let at_source = (p.side == Side::Source) != inverted;
            format!("{} ({})", if at_source { "Source" } else { "Target" }, p.celex)
        };
        let (author, written_by) = match &draft.author {
            Authorship::BuiltIn { form } => ("built-in", form),
            Authorship::Model { model, .. } => ("model", model),
        };
        let proved_by_code = item.proved_by_code();
        Self {
            id: published_id(&draft.pair, registry),
            question: draft.stem.clone(),
            options: item.options().map(|o| o.text.clone()).collect(),
            correct_index: item.correct_index(),
            correct_label: LETTERS[item.correct_index().min(3)].to_string(),
            context_titles: passages.iter().map(|p| title(p)).collect(),
            contexts: passages.iter().map(|p| p.text.clone()).collect(),
            perturbed_contexts: vec![String::new(); passages.len()],
            item: item.item.to_string(),
            relation: relation.to_string(),
            source_celex: source.celex.clone(),
            source_part: source.part.clone(),
            target_celex: target.celex.clone(),
            target_part: target.part.clone(),
            day: draft.day,
            known_on: draft.known_on,
            stem_claims: draft.stem_claims.clone(),
            claims: item.options().map(|o| o.claims.clone()).collect(),
            author: author.to_string(),
            written_by: written_by.clone(),
            proved_by_code,
            judged: !proved_by_code && item.judgement.as_ref().is_some_and(|j| j.agrees == Some(true)),
        }
    }
}

/// The passages in the published order: those of the published source first.
pub fn published_passages<'a>(item: &'a Item, registry: &Registry) -> Vec<&'a Passage> {
    let inverted = registry.published(&item.draft.pair.relation).1;
    let mut passages: Vec<&Passage> = item.draft.passages.iter().collect();
    passages.sort_by_key(|p| (p.side == Side::Target) != inverted);
    passages
}
