//! The whole of what is published: items, refusals, and what they stand on.

use super::{Item, Proof, Refusal, Row};
use crate::law::{Celex, DatedRelation, Day, Digest, Language, Registry, RelationSpec, RelationType};
use std::collections::BTreeSet;

/// A dataset ready to be written: everything an emitter or the report may say.
#[derive(Debug, Clone, PartialEq)]
pub struct Dataset {
    /// Its name, for people and for the card.
    pub name: String,
    /// Its version, as the manifest gives it.
    pub version: String,
    /// The seed of its draws and of its answer positions.
    pub seed: u64,
    /// The language of stems, options and passages.
    pub language: Language,
    /// What was known by when: the newest fetch, unless the manifest says otherwise.
    pub known_on: Day,
    /// The relation types, with their labels and published names.
    pub registry: Registry,
    /// The items kept, in the order of their rows.
    pub items: Vec<Item>,
    /// The drafts refused, in order.
    pub refusals: Vec<Refusal>,
    /// What was asked for and could not be had.
    pub shortfalls: Vec<Shortfall>,
    /// The edges that the items rest on.
    pub edges: Vec<DatedRelation>,
    /// The documents used.
    pub documents: Vec<Document>,
}

/// A document the dataset rests on.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Document {
    /// Its name in the source: a file, or a key.
    pub name: String,
    /// The act whose text or record it is, if it is about one act.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub celex: Option<Celex>,
    /// Its bytes.
    pub digest: Digest,
    /// How many they are.
    pub bytes: usize,
    /// Where it came from: an address, or the compilation and the path in it (`owner/name:path`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// The day the source said so at the latest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taken: Option<Day>,
    /// Written by us for examples and tests: no law.
    #[serde(default)]
    pub specimen: bool,
}

impl Document {
    /// The compilation it came through, where its origin names one: `owner/name` in `owner/name:path`.
    pub fn compilation(&self) -> Option<&str> {
        let (name, path) = self.origin.as_deref()?.split_once(':')?;
        (!path.starts_with("//") && !path.is_empty() && name.contains('/')).then_some(name)
    }
}

/// A stratum that yielded less than its quota.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Shortfall {
    /// What was asked for: a relation, or a finer stratum.
    pub stratum: String,
    /// Items wanted.
    pub wanted: usize,
    /// Items had.
    pub had: usize,
    /// Why, in one sentence.
    pub reason: String,
}

/// The figures of one relation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally<'a> {
    /// The relation, forward.
    pub relation: &'a RelationType,
    /// For people.
    pub label: &'a str,
    /// Items kept.
    pub items: usize,
    /// Distinct pairs among them.
    pub pairs: usize,
    /// Items whose every claim code decided: the key proved, each distractor refuted.
    pub proved: usize,
    /// How often the key stands at A, B, C, D.
    pub positions: [usize; 4],
    /// Drafts and pairs refused.
    pub refused: usize,
}

impl Dataset {
    /// The rows, in order.
    pub fn rows(&self) -> impl Iterator<Item = Row> + '_ {
        self.items.iter().map(|item| Row::of(item, &self.registry))
    }

    /// The edge an item rests on.
    pub fn edge(&self, item: &Item) -> Option<&DatedRelation> {
        let pair = &item.draft.pair;
        self.edges
            .iter()
            .find(|e| e.source == pair.source.celex && e.relation == pair.relation && e.target == pair.target.celex)
    }

    /// The document with these bytes.
    pub fn document(&self, digest: &Digest) -> Option<&Document> {
        self.documents.iter().find(|d| &d.digest == digest)
    }

    /// Items whose every claim was decided by code.
    pub fn proved(&self) -> usize {
        self.items.iter().filter(|i| i.proved_by_code()).count()
    }

    /// Distinct pairs of acts.
    pub fn pairs(&self) -> usize {
        self.items.iter().map(|i| &i.draft.pair).collect::<BTreeSet<_>>().len()
    }

    /// Claims decided, over all items: proved, refuted, undecided (one verdict per option).
    pub fn verdicts(&self) -> [usize; 3] {
        let of = |p: Proof| self.items.iter().flat_map(|i| &i.proofs).filter(|q| **q == p).count();
        [of(Proof::Proved), of(Proof::Refuted), of(Proof::Undecided)]
    }

    /// Figures per relation, in the registry's order: those asked about or met.
    pub fn tallies(&self) -> Vec<Tally<'_>> {
        let met = |t: &Tally<'_>| t.items + t.refused > 0;
        let specs = self.registry.relations().iter();
        specs.map(|spec| (spec, self.tally(spec))).filter(|(s, t)| !s.context || met(t)).map(|(_, t)| t).collect()
    }

    fn tally<'a>(&'a self, spec: &'a RelationSpec) -> Tally<'a> {
        let items: Vec<&Item> = self.items.iter().filter(|i| i.draft.pair.relation == spec.name).collect();
        let mut positions = [0; 4];
        for item in &items {
            positions[item.correct_index().min(3)] += 1;
        }
        Tally {
            relation: &spec.name,
            label: &spec.label,
            items: items.len(),
            pairs: items.iter().map(|i| &i.draft.pair).collect::<BTreeSet<_>>().len(),
            proved: items.iter().filter(|i| i.proved_by_code()).count(),
            positions,
            refused: self.refusals.iter().filter(|r| r.pair.relation == spec.name).count(),
        }
    }
}
