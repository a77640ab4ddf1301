//! What disagreements are looked for in: the register's statements by act and by link, and the acts' words.

use super::AsWritten;
use crate::graph::facts::Facts;
use crate::graph::relation_graph::RelationGraph;
use crate::law::{
    Act, ActRecord, Celex, Clause, ConsolidatedState, Digest, Effect, Locus, Place, Quote, RegisterKind, RegisterRow,
    Registry, RelationType, UnitKind, cite,
};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// A link as registers record it: acting act, relation, act acted upon.
pub type Link<'a> = (&'a Celex, &'a RelationType, &'a Celex);

/// The register's statements, sorted, and the words they are held against.
pub struct Ground<'a> {
    pub graph: &'a RelationGraph,
    pub registry: &'a Registry,
    /// Rows per link, the fullest first.
    pub rows: BTreeMap<Link<'a>, Vec<&'a RegisterRow>>,
    pub records: BTreeMap<&'a Celex, Vec<&'a ActRecord>>,
    /// Consolidated states per act, by their first day, each once.
    pub states: BTreeMap<&'a Celex, Vec<&'a ConsolidatedState>>,
    titles: &'a BTreeMap<Celex, Vec<Clause>>,
    as_written: &'a AsWritten<'a>,
    mentioned: RefCell<BTreeMap<Celex, BTreeSet<Celex>>>,
}

impl<'a> Ground<'a> {
    pub fn new(
        graph: &'a RelationGraph,
        facts: &'a Facts,
        registry: &'a Registry,
        as_written: &'a AsWritten<'a>,
    ) -> Self {
        let mut rows: BTreeMap<Link<'a>, Vec<&RegisterRow>> = BTreeMap::new();
        for row in &facts.rows {
            rows.entry((&row.source, &row.relation, &row.target)).or_default().push(row);
        }
        for list in rows.values_mut() {
            list.sort_by_cached_key(|r| {
                let bare = r.start.is_none() && r.part.is_none() && r.comment.is_none() && r.end.is_none();
                (bare, r.locus.span.end - r.locus.span.start, r.register, r.locus.document, r.locus.span)
            });
        }
        let mut records: BTreeMap<&Celex, Vec<&ActRecord>> = BTreeMap::new();
        for record in &facts.records {
            records.entry(&record.celex).or_default().push(record);
        }
        for list in records.values_mut() {
            list.sort_by_key(|r| (r.taken, r.locus.document, r.locus.span));
        }
        let mut states: BTreeMap<&Celex, Vec<&ConsolidatedState>> = BTreeMap::new();
        for state in &facts.states {
            states.entry(&state.of).or_default().push(state);
        }
        for list in states.values_mut() {
            list.sort_by_key(|s| (s.from, s.locus.span.end - s.locus.span.start, s.locus.document, s.locus.span));
            list.dedup_by_key(|s| s.from);
        }
        let titles = &facts.titles;
        Self { graph, registry, rows, records, states, titles, as_written, mentioned: RefCell::default() }
    }

    /// The register's words at this place.
    pub fn written(&self, locus: &Locus) -> Quote {
        let text = (self.as_written)(locus).unwrap_or_default();
        Quote { document: locus.document, span: locus.span, text }
    }

    /// The act's text, if its operative part is here.
    pub fn text(&self, celex: &Celex) -> Option<&'a Act> {
        self.graph.act(celex).filter(|a| a.articles().next().is_some() || a.units.len() > 1)
    }

    /// What the act's title and operative part do to others; of an act whose text is not here, its recorded title.
    pub fn clauses(&self, celex: &Celex) -> &'a [Clause] {
        let text = self.graph.act(celex).map(|a| a.clauses.as_slice());
        text.or_else(|| self.titles.get(celex).map(Vec::as_slice)).unwrap_or(&[])
    }

    /// The clauses by which one act acts on another; the operative ones alone where there are any.
    pub fn between(&self, source: &Celex, target: &Celex) -> Vec<&'a Clause> {
        let all: Vec<&Clause> = self.clauses(source).iter().filter(|c| &c.target == target).collect();
        let operative: Vec<&Clause> = all.iter().copied().filter(|c| c.place != Place::Title).collect();
        if operative.is_empty() { all } else { operative }
    }

    pub fn effect(&self, relation: &RelationType) -> Effect {
        self.registry.effect(relation)
    }

    pub fn label(&self, relation: &RelationType) -> &'a str {
        self.registry.spec(relation).map_or("acts on", |s| s.label.as_str())
    }

    /// Whether the act's title, articles, annexes or tables name the other act anywhere.
    pub fn mentions(&self, act: &Act, other: &Celex) -> bool {
        let mut known = self.mentioned.borrow_mut();
        let named = known.entry(act.celex.clone()).or_insert_with(|| mentioned(act));
        named.contains(other) || named.contains(&other.base())
    }

    /// Whether the text of `target` names, in its title, articles or annexes, an act that `source` ends: then it may
    /// have changed that act, and go with it.
    pub fn may_go_with_another(&self, source: &Celex, target: &Celex) -> bool {
        let Some(act) = self.text(target) else { return false };
        let ended = self.clauses(source).iter().filter(|c| self.effect(&c.relation) == Effect::Ends);
        ended.into_iter().any(|c| &c.target != target && self.mentions(act, &c.target))
    }

    /// The notices that describe an act as a work of its own and list relations by which it acts.
    pub fn notices_of(&self, celex: &Celex) -> BTreeSet<Digest> {
        let described = self.records.get(celex).into_iter().flatten();
        let described: BTreeSet<Digest> =
            described.filter(|r| r.date_document.is_some()).map(|r| r.locus.document).collect();
        let lists = self.by(celex).filter(|r| r.register == RegisterKind::Notice).map(|r| r.locus.document);
        lists.filter(|d| described.contains(d)).collect()
    }

    /// The rows by which an act acts.
    pub fn by(&self, celex: &Celex) -> impl Iterator<Item = &'a RegisterRow> {
        let own =
            self.rows.iter().skip_while(move |((s, ..), _)| *s < celex).take_while(move |((s, ..), _)| *s == celex);
        own.flat_map(|(_, rows)| rows.iter().copied()).collect::<Vec<_>>().into_iter()
    }
}

fn mentioned(act: &Act) -> BTreeSet<Celex> {
    let aside = |kind| matches!(kind, UnitKind::Citation | UnitKind::Recital | UnitKind::Final);
    let units = act.units.iter().filter(|u| !aside(u.kind)).map(|u| u.text.as_str());
    let texts = std::iter::once(act.title.text.as_str()).chain(units);
    texts.flat_map(cite).flat_map(|c| c.celex.into_iter().chain(c.candidates)).map(|c| c.base()).collect()
}
