//! Which pairs to ask about: strata, quotas, roles that share no act.
//!
//! [`draw`] puts every candidate pair into a stratum (relation, decade, kind and length of act), and
//! lists them so that any first part of a relation's list is spread over its strata as evenly as there
//! are pairs. Whoever makes items goes down the list until the quota is filled; what could not be filled is
//! told by [`Sample::shortfalls`], stratum by stratum.

mod roles;

use crate::dataset::{Pair, Role, Shortfall};
use crate::graph::RelationGraph;
use crate::law::{Celex, Digest, Registry, RelationType};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;
use std::ops::RangeInclusive;

/// What is wanted.
#[derive(Debug, Clone, Default)]
pub struct Wish {
    /// Items per relation; relations not named are not asked about.
    pub quotas: BTreeMap<RelationType, usize>,
    /// Only these pairs, in this order; none: every edge of the graph with both texts.
    pub named: Option<Vec<Pair>>,
    /// Acts to leave out, with their versions and corrigenda.
    pub leave_out: BTreeSet<Celex>,
    /// Years of the acting acts; none: all.
    pub years: Option<RangeInclusive<u16>>,
    /// Pairs wanted for the optimizer, per role; all others are for the test.
    pub roles: BTreeMap<Role, usize>,
    /// The seed of every choice.
    pub seed: u64,
}

/// A group of like pairs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stratum {
    /// The relation.
    pub relation: RelationType,
    /// First year of the acting act's decade; none where the number tells no year.
    pub decade: Option<u16>,
    /// The letter of the acting act's kind in its CELEX number.
    pub kind: String,
    /// How long the longer of the two texts is.
    pub length: Length,
}

/// How long a text is, by its units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Length {
    /// Up to 60 units.
    Short,
    /// Up to 300.
    Middle,
    /// More.
    Long,
}

impl fmt::Display for Stratum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decade = self.decade.map_or("undated".to_string(), |d| format!("{d}s"));
        let length = match self.length {
            Length::Short => "short",
            Length::Middle => "middle",
            Length::Long => "long",
        };
        write!(f, "{}, {decade}, kind {}, {length}", self.relation, self.kind)
    }
}

/// A pair to ask about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sampled {
    /// The pair.
    pub pair: Pair,
    /// Where it stands.
    pub stratum: Stratum,
    /// What it is used for.
    pub role: Role,
}

/// Pairs in the order in which they are tried, relation by relation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sample {
    /// The pairs.
    pub pairs: Vec<Sampled>,
    quotas: BTreeMap<RelationType, usize>,
}

/// Draws the pairs to be tried.
pub fn draw(graph: &RelationGraph, registry: &Registry, wish: &Wish) -> Sample {
    let left_out: BTreeSet<Celex> = wish.leave_out.iter().map(Celex::base).collect();
    let wanted = |pair: &Pair| {
        let year = pair.source.celex.year();
        let in_years = wish.years.as_ref().is_none_or(|years| year.is_some_and(|y| years.contains(&y)));
        let allowed = |celex: &Celex| !left_out.contains(&celex.base());
        wish.quotas.contains_key(&pair.relation)
            && in_years
            && allowed(&pair.source.celex)
            && allowed(&pair.target.celex)
    };
    let candidates: Vec<Pair> = match &wish.named {
        Some(named) => named.clone(),
        None => every_pair(graph),
    };
    let candidates: Vec<Pair> = candidates.into_iter().filter(wanted).collect();
    let roles = roles::assign(&candidates, &wish.roles, wish.seed);
    let mut sampled: Vec<Sampled> = candidates
        .into_iter()
        .zip(roles)
        .map(|(pair, role)| Sampled { stratum: stratum(graph, &pair), pair, role })
        .collect();
    if wish.named.is_none() {
        sampled = registry.asked().flat_map(|spec| spread(&sampled, &spec.name, wish.seed)).collect();
    }
    Sample { pairs: sampled, quotas: wish.quotas.clone() }
}

/// Every edge whose two texts are here, whole acts as ends.
fn every_pair(graph: &RelationGraph) -> Vec<Pair> {
    let here = |celex: &Celex| graph.act(celex).is_some();
    let edges = graph.edges().filter(|e| here(&e.source) && here(&e.target) && e.source != e.target);
    edges
        .map(|e| Pair {
            source: e.source.clone().into(),
            relation: e.relation.clone(),
            target: e.target.clone().into(),
        })
        .collect()
}

fn stratum(graph: &RelationGraph, pair: &Pair) -> Stratum {
    let source = &pair.source.celex;
    let units = |celex| graph.act(celex).map_or(0, |a| a.units.len());
    let length = match units(source).max(units(&pair.target.celex)) {
        0..=60 => Length::Short,
        61..=300 => Length::Middle,
        _ => Length::Long,
    };
    Stratum {
        relation: pair.relation.clone(),
        decade: source.year().map(|y| y - y % 10),
        kind: source.parts().kind.to_string(),
        length,
    }
}

/// One relation's pairs, one stratum after another in turn, both in seeded order.
fn spread(sampled: &[Sampled], relation: &RelationType, seed: u64) -> Vec<Sampled> {
    let of_relation = sampled.iter().filter(|s| &s.pair.relation == relation);
    in_turn(of_relation.map(|s| (&s.stratum, s.pair.clone(), s)), seed).into_iter().cloned().collect()
}

/// Pairs of one relation before their texts are known, in an order of which any first part is spread over decades and
/// kinds as evenly as there are pairs.
pub fn before_texts(pairs: impl IntoIterator<Item = Pair>, seed: u64) -> Vec<Pair> {
    let stratum = |pair: &Pair| Stratum {
        relation: pair.relation.clone(),
        decade: pair.source.celex.year().map(|y| y - y % 10),
        kind: pair.source.celex.parts().kind.to_string(),
        length: Length::Short,
    };
    in_turn(pairs.into_iter().map(|pair| (stratum(&pair), pair.clone(), pair)), seed)
}

/// What stands in strata, one stratum after another in turn, both in seeded order.
fn in_turn<S: Ord + fmt::Display, T>(all: impl Iterator<Item = (S, Pair, T)>, seed: u64) -> Vec<T> {
    let chance = |name: String| Digest::of_fields([seed.to_be_bytes().as_slice(), name.as_bytes()]);
    let mut strata: BTreeMap<S, Vec<(Digest, T)>> = BTreeMap::new();
    for (stratum, pair, one) in all {
        let place = chance(format!("{} {}", pair.source, pair.target));
        strata.entry(stratum).or_default().push((place, one));
    }
    let queue = |(stratum, mut pairs): (S, Vec<(Digest, T)>)| {
        pairs.sort_by_key(|(place, _)| *place);
        (chance(stratum.to_string()), VecDeque::from(pairs))
    };
    let mut queues: Vec<(Digest, VecDeque<(Digest, T)>)> = strata.into_iter().map(queue).collect();
    queues.sort_by_key(|(chance, _)| *chance);
    let mut out = Vec::new();
    while queues.iter().any(|(_, queue)| !queue.is_empty()) {
        out.extend(queues.iter_mut().filter_map(|(_, queue)| queue.pop_front()).map(|(_, one)| one));
    }
    out
}

impl Sample {
    /// How many items of a relation are wanted.
    pub fn quota(&self, relation: &RelationType) -> usize {
        self.quotas.get(relation).copied().unwrap_or(0)
    }

    /// What is short after the work: per relation the whole, then each stratum that gave less than an equal
    /// share. `had` counts the items kept for a pair.
    pub fn shortfalls(&self, had: impl Fn(&Pair) -> usize) -> Vec<Shortfall> {
        let mut out = Vec::new();
        for (relation, &quota) in &self.quotas {
            let mut strata: BTreeMap<&Stratum, (usize, usize)> = BTreeMap::new();
            for one in self.pairs.iter().filter(|s| &s.pair.relation == relation) {
                let (pairs, items) = strata.entry(&one.stratum).or_default();
                *pairs += 1;
                *items += had(&one.pair);
            }
            let total: usize = strata.values().map(|(_, items)| items).sum();
            if total >= quota {
                continue;
            }
            let pairs: usize = strata.values().map(|(pairs, _)| pairs).sum();
            let reason = format!("{pairs} pairs with both texts were there to be asked about");
            out.push(Shortfall { stratum: relation.to_string(), wanted: quota, had: total, reason });
            let share = quota.div_ceil(strata.len().max(1));
            let short = strata.into_iter().filter(|(_, (_, items))| *items < share);
            out.extend(short.map(|(stratum, (pairs, items))| Shortfall {
                stratum: stratum.to_string(),
                wanted: share,
                had: items,
                reason: format!("{pairs} pairs stand in it"),
            }));
        }
        out
    }
}

#[cfg(test)]
mod tests;
