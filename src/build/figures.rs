//! Figures for the report and the lock, taken from graph and dataset.

use crate::dataset::{Dataset, Item};
use crate::graph::{LastDay, RelationGraph};
use crate::law::{Celex, DatedRelation, Day, Evidence, Registry};
use crate::measure::Interval;
use crate::verify;
use crate::view::{EdgeCount, GraphCounts, Life, Probe};
use std::collections::{BTreeMap, BTreeSet};

/// The edges that the items rest on, sorted.
pub(super) fn edges_of(graph: &RelationGraph, items: &[Item]) -> Vec<DatedRelation> {
    let pairs: BTreeSet<_> = items.iter().map(|i| &i.draft.pair).collect();
    let edge = |p: &&crate::dataset::Pair| graph.edge(&p.source.celex, &p.relation, &p.target.celex).cloned();
    pairs.iter().filter_map(edge).collect()
}

/// Edges per relation and kind of evidence.
pub(super) fn graph_counts(graph: &RelationGraph, registry: &Registry) -> GraphCounts {
    let count = |spec: &crate::law::RelationSpec| {
        let mut count = EdgeCount { label: spec.label.clone(), ..EdgeCount::default() };
        for edge in graph.edges().filter(|e| e.relation == spec.name) {
            let has = |kind: fn(&Evidence) -> bool| usize::from(edge.evidence.iter().any(kind));
            count.edges += 1;
            count.notice += has(|e| matches!(e, Evidence::Notice { .. }));
            count.register += has(|e| matches!(e, Evidence::Register { .. }));
            count.text += has(|e| matches!(e, Evidence::Text { .. }));
            count.bridge += has(|e| matches!(e, Evidence::Bridge { .. }));
            count.contradicted += usize::from(!edge.contradictions.is_empty());
        }
        count
    };
    GraphCounts {
        acts: graph.celexes().count(),
        edges: graph.edges().count(),
        relations: registry.relations().iter().map(count).filter(|c| c.edges > 0).collect(),
    }
}

/// The lives of the acts that the items are about.
pub(super) fn lives(graph: &RelationGraph, items: &[Item], known_on: Day) -> BTreeMap<Celex, Life> {
    let ends = items.iter().flat_map(|i| [&i.draft.pair.source.celex, &i.draft.pair.target.celex]);
    let acts: BTreeSet<&Celex> = ends.collect();
    let life = |celex: &Celex| {
        let life = graph.life(celex)?;
        Some(Life {
            title: graph.act(celex).map(|a| a.title.text.clone()).unwrap_or_default(),
            published: life.published,
            in_force: life.in_force.known(),
            applies: life.applies.known(),
            // Not the day that it names itself: what was repealed ended before, what was prolonged later.
            last_day: match graph.last_day(&celex.clone().into(), Some(known_on)) {
                LastDay::On(day) => Some(day),
                LastDay::Open | LastDay::Unknown => None,
            },
        })
    };
    acts.into_iter().filter_map(|celex| Some((celex.clone(), life(celex)?))).collect()
}

/// The probes as the report draws them.
pub(super) fn shown(probes: &[verify::Probe]) -> Vec<Probe> {
    let one = |p: &verify::Probe| Probe {
        name: p.name.to_string(),
        right: p.hits as usize,
        of: p.items as usize,
        interval: Interval { low: p.low, high: p.high },
        chance: 0.25,
    };
    probes.iter().map(one).collect()
}

/// How many rows a file of the output has, where it is a table.
pub(super) fn rows(path: &str, dataset: &Dataset) -> Option<u64> {
    match path.rsplit('.').next() {
        Some("jsonl") if path.starts_with("refused") => Some(dataset.refusals.len() as u64),
        Some("parquet" | "jsonl") => Some(dataset.items.len() as u64),
        _ => None,
    }
}
