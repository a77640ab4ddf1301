//! One item of ours, derived again.

use super::report::{Finding, ItemReport};
use super::{Ground, Held, Published};
use crate::author::{Assignment, BuiltIn};
use crate::dataset::{Authorship, Balance, Item, Lock, Provenance, Row, option_order};
use crate::law::{DatedRelation, Digest, Evidence, RelationType};
use crate::verify::{Kept, Undecided, gates};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// Judges row after row; remembers what the whole set shows.
pub(super) struct Court<'a> {
    published: &'a Published,
    ground: &'a Ground<'a>,
    lock: Option<&'a Lock>,
    set: RefCell<WholeSet>,
}

#[derive(Default)]
struct WholeSet {
    kept: Kept,
    positions: BTreeMap<RelationType, Vec<usize>>,
    findings: Vec<Finding>,
}

impl<'a> Court<'a> {
    pub(super) fn new(published: &'a Published, ground: &'a Ground<'a>, lock: Option<&'a Lock>) -> Self {
        Self { published, ground, lock, set: RefCell::default() }
    }

    /// What does not stand about this row.
    pub(super) fn judge(&self, row: &Row, number: usize) -> ItemReport {
        let mut report = ItemReport::new(number, &row.id, Some(row.item.clone()));
        let Some(provenance) = self.published.provenance(&row.item) else {
            report.find("row", "nothing in provenance.jsonl says what it stands on");
            return report.settled();
        };
        self.columns(row, &provenance.item, &mut report);
        self.order(&provenance.item, &mut report);
        self.known_on(&provenance.item, &mut report);
        self.remember(&provenance.item);
        self.documents(provenance, &mut report);
        if report.unknown.is_empty() {
            self.edge(provenance, &mut report);
            self.gates(&provenance.item, &mut report);
            self.written_again(&provenance.item, &mut report);
        }
        report.settled()
    }

    /// The row says what the provenance says, under the name that its words have.
    fn columns(&self, row: &Row, item: &Item, report: &mut ItemReport) {
        let name = item.draft.item_id();
        if item.item != name {
            report.find("item", format!("its words have the name {name}"));
        }
        if self.ground.registry.spec(&item.draft.pair.relation).is_none() {
            report.find("item", format!("the registry has no relation `{}`", item.draft.pair.relation));
            return;
        }
        let mut expected = Row::of(item, self.ground.registry);
        // Perturbed passages come later than the item and are not derived from it.
        expected.perturbed_contexts.clone_from(&row.perturbed_contexts);
        for column in differing(row, &expected) {
            report.find("row", format!("column `{column}` is not what its provenance says"));
        }
        if row.perturbed_contexts.len() != row.contexts.len() {
            report.find("row", "there are not as many perturbed passages as clean ones");
        }
        if row.perturbed_contexts.iter().zip(&row.contexts).any(|(p, c)| !p.is_empty() && p == c) {
            report.find("row", "a perturbed passage is a copy of the clean one");
        }
    }

    fn order(&self, item: &Item, report: &mut ItemReport) {
        let numbers: BTreeSet<u8> = item.order.into_iter().collect();
        if numbers != BTreeSet::from([0, 1, 2, 3]) {
            report.find("positions", "the order of the options is no permutation");
            return;
        }
        if let Some(lock) = self.lock
            && item.order != option_order(item.item.as_str(), lock.seed, item.correct_index())
        {
            report.find("positions", format!("the options do not stand as the seed {} puts them", lock.seed));
        }
    }

    /// All items of a build know the law up to the same day.
    fn known_on(&self, item: &Item, report: &mut ItemReport) {
        let (own, locked) = (item.draft.known_on, self.lock.and_then(|l| l.known_on));
        if let Some(locked) = locked.filter(|day| *day != own) {
            report.find("day", format!("it knows the law up to {own}, and dataset.lock says {locked}"));
        }
    }

    fn remember(&self, item: &Item) {
        let mut set = self.set.borrow_mut();
        if let Err(why) = set.kept.admit(&item.draft, self.ground.rules) {
            set.findings.push(Finding::new("duplicate", format!("{} {why}", item.item)));
        }
        set.positions.entry(item.draft.pair.relation.clone()).or_default().push(item.correct_index());
    }

    /// What shows only in the whole set: duplicates, and keys that stand unevenly.
    pub(super) fn whole_set(self) -> Vec<Finding> {
        let WholeSet { positions, mut findings, .. } = self.set.into_inner();
        for (relation, at) in positions {
            let balance = Balance::of(at);
            if !balance.exact() {
                let says =
                    format!("keys of {relation} stand at A, B, C, D {:?} times: more uneven than one", balance.counts);
                findings.push(Finding::new("positions", says));
            }
        }
        findings
    }

    /// Every document named is here, and the graph's texts of both acts are those named.
    fn documents(&self, provenance: &Provenance, report: &mut ItemReport) {
        let draft = &provenance.item.draft;
        for digest in named(provenance) {
            match (self.ground.documents)(&digest) {
                Held::Here(_) => {}
                Held::Absent => report.unknown.push(format!("the document {} is not here", digest.short(16))),
                Held::Damaged(why) => report.find("document", format!("{} is damaged: {why}", digest.short(16))),
            }
        }
        for celex in [&draft.pair.source.celex, &draft.pair.target.celex] {
            if self.ground.graph.act(celex).is_none() {
                report.unknown.push(format!("the text of {celex} is not here"));
            }
        }
        if let Some(newest) = self.ground.graph.known_on()
            && draft.known_on > newest
        {
            report
                .unknown
                .push(format!("it knows the law up to {}, the documents here up to {newest}", draft.known_on));
        }
    }

    fn edge(&self, provenance: &Provenance, report: &mut ItemReport) {
        let pair = &provenance.item.draft.pair;
        let edge = self.ground.graph.edge(&pair.source.celex, &pair.relation, &pair.target.celex);
        match (edge, &provenance.edge) {
            (None, _) => {
                report
                    .find("edge", format!("nothing here says that {} {} {}", pair.source, pair.relation, pair.target));
            }
            (Some(_), None) => report.find("edge", "its provenance names no edge"),
            (Some(now), Some(then)) => {
                for part in differing(then, now) {
                    report.find("edge", format!("`{part}` of the edge is not what the documents say"));
                }
            }
        }
    }

    fn gates(&self, item: &Item, report: &mut ItemReport) {
        let agreed = item.judgement.as_ref().is_some_and(|j| j.agrees == Some(true));
        let undecided = if agreed { Undecided::Judge } else { Undecided::Refuse };
        match gates(&item.draft, self.ground.graph, self.ground.rules, undecided) {
            Err(refusal) => report.find(&refusal.gate, refusal.reason),
            Ok(passed) if passed.proofs != item.proofs => {
                report.find("proofs", format!("code says {:?}, and the item {:?}", passed.proofs, item.proofs));
            }
            Ok(_) => {}
        }
    }

    /// The built-in author writes the same item again, where its forms are those of the lock.
    fn written_again(&self, item: &Item, report: &mut ItemReport) {
        let (Authorship::BuiltIn { form }, Some(lock)) = (&item.draft.author, self.lock) else { return };
        let same_forms =
            lock.rubrics.iter().all(|(name, digest)| self.ground.rubrics.get(name).is_none_or(|d| d == digest));
        if !same_forms {
            report.unknown.push("it was written from other rubrics than those here".to_string());
            return;
        }
        let Ground { graph, registry, rules, .. } = *self.ground;
        let draft = &item.draft;
        let assignment = Assignment {
            pair: &draft.pair,
            items: usize::MAX,
            graph,
            registry,
            rules,
            known_on: draft.known_on,
            seed: lock.seed,
        };
        if !BuiltIn.draft(assignment).drafts.contains(draft) {
            report.find("author", format!("the built-in author does not write this from its form `{form}`"));
        }
    }
}

/// The names of the fields in which two values differ, as they are written out.
fn differing<T: serde::Serialize>(a: &T, b: &T) -> Vec<String> {
    let fields = |value: &T| match serde_json::to_value(value) {
        Ok(serde_json::Value::Object(fields)) => fields,
        _ => serde_json::Map::new(),
    };
    let (a, b) = (fields(a), fields(b));
    let names: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
    names.into_iter().filter(|n| a.get(*n) != b.get(*n)).cloned().collect()
}

/// The documents that an item names: passages, quotations, and the texts its edge is read from.
pub(super) fn named(provenance: &Provenance) -> BTreeSet<Digest> {
    let draft = &provenance.item.draft;
    let quotes = draft.options.iter().flat_map(|o| &o.support).map(|q| q.document);
    let mut all: BTreeSet<Digest> = draft.passages.iter().map(|p| p.document).chain(quotes).collect();
    all.extend(provenance.edge.iter().flat_map(evidence));
    all
}

fn evidence(edge: &DatedRelation) -> Vec<Digest> {
    let of = |e: &Evidence| match e {
        Evidence::Notice { locus } | Evidence::Register { locus } => vec![locus.document],
        Evidence::Text { quote } => vec![quote.document],
        Evidence::Bridge { clause, change, .. } => vec![clause.document, change.document],
    };
    edge.evidence.iter().flat_map(of).collect()
}
