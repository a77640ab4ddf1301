//! The candidates, and who has a vote.
//!
//! The reference calls this choice "Pareto", and it is no dominance of vectors: on every front (a pair, or a
//! criterion) the candidates that reach the best score stand together; a candidate that is never needed, because on
//! each of its fronts another stands beside it, is dropped, the worst first; what is left is drawn with as many votes
//! as it has fronts (section 3 of the reference).

use super::record::{Origin, Score};
use super::settings::Fronts;
use crate::law::Digest;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The components of a prompt, by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompts {
    components: BTreeMap<String, String>,
    digests: BTreeMap<String, Digest>,
}

impl Prompts {
    /// Prompts of these components.
    pub fn new(components: BTreeMap<String, String>) -> Self {
        let digests = components.iter().map(|(name, text)| (name.clone(), Digest::of(text.as_bytes()))).collect();
        Self { components, digests }
    }

    /// The components.
    pub fn components(&self) -> &BTreeMap<String, String> {
        &self.components
    }

    /// One component's text; empty where there is none of that name.
    pub fn text(&self, component: &str) -> &str {
        self.components.get(component).map_or("", String::as_str)
    }

    /// The digest of names and texts: two prompts with one digest are the same prompts.
    pub fn digest(&self) -> Digest {
        self.digest_of(|_| true)
    }

    /// The digest of those components only.
    pub(super) fn digest_of(&self, which: impl Fn(&str) -> bool) -> Digest {
        let of = self.digests.iter().filter(|(name, _)| which(name));
        Digest::of_fields(of.flat_map(|(name, digest)| [name.as_bytes(), digest.as_bytes().as_slice()]))
    }

    /// The components that are not the same in both.
    pub(super) fn differing<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = &'a str> {
        self.digests
            .iter()
            .filter(|(name, digest)| other.digests.get(*name) != Some(digest))
            .map(|(name, _)| name.as_str())
    }

    /// These prompts with some components in other words.
    #[must_use]
    pub fn with(&self, changed: &BTreeMap<String, String>) -> Self {
        let mut prompts = self.clone();
        for (name, text) in changed {
            prompts.digests.insert(name.clone(), Digest::of(text.as_bytes()));
            prompts.components.insert(name.clone(), text.clone());
        }
        prompts
    }
}

/// A candidate of the pool.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Its prompts.
    pub prompts: Arc<Prompts>,
    /// Number of the proposal that it was.
    pub number: u64,
    /// Where it comes from.
    pub origin: Origin,
    /// Its scores on the selection, by place.
    pub scores: Arc<[Score]>,
    /// Their sum.
    pub sum: u64,
    /// How many of its components were reflected on: the next one is this, counted round.
    pub(super) reflected: usize,
}

impl Entry {
    /// The candidates that it comes from.
    pub fn parents(&self) -> Vec<usize> {
        self.origin.parents()
    }
}

/// The best score on one front, and who of those that reach it is the best candidate.
#[derive(Debug, Clone, Copy, Default)]
struct Front {
    score: u64,
    first: usize,
}

/// All candidates, in the order of their discovery; the first is what the run began with.
#[derive(Debug, Clone)]
pub struct Pool {
    kind: Fronts,
    entries: Vec<Entry>,
    best: Option<usize>,
    fronts: Vec<Front>,
    /// Those that are first on some front, and every front that they reach the best score on, with that score. The others
    /// are never needed: who is not first on a front at once never comes to be first there.
    holders: BTreeMap<usize, Vec<(usize, u64)>>,
    votes: Vec<(usize, u64)>,
    bests: Vec<u32>,
}

impl Pool {
    /// An empty pool.
    pub(super) fn new(kind: Fronts) -> Self {
        let (entries, fronts, votes, bests) = Default::default();
        Self { kind, entries, best: None, fronts, holders: BTreeMap::new(), votes, bests }
    }

    /// The candidates.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// One candidate.
    pub fn get(&self, place: usize) -> Option<&Entry> {
        self.entries.get(place)
    }

    pub(super) fn get_mut(&mut self, place: usize) -> Option<&mut Entry> {
        self.entries.get_mut(place)
    }

    /// The place of the candidate with the greatest sum, of several the one found first; `None` before the start.
    pub fn best(&self) -> Option<usize> {
        self.best
    }

    /// Who may be chosen as a parent, each with its votes.
    pub fn votes(&self) -> &[(usize, u64)] {
        &self.votes
    }

    /// How many fronts give no vote, because nobody has any score there.
    pub fn silent(&self) -> usize {
        self.fronts.iter().filter(|front| front.score == 0).count()
    }

    /// The best total on each pair of the selection.
    pub(super) fn bests(&self) -> &[u32] {
        &self.bests
    }

    pub(super) fn add(&mut self, prompts: Arc<Prompts>, number: u64, origin: Origin, scores: Vec<Score>) -> usize {
        let place = self.entries.len();
        let sum = scores.iter().map(|score| u64::from(score.total)).sum();
        let better = |than: usize| self.entries.get(than).is_none_or(|entry| sum > entry.sum);
        let values = corners(self.kind, &scores);
        self.fronts.resize_with(values.len().max(self.fronts.len()), Front::default);
        for (front, value) in self.fronts.iter_mut().zip(&values) {
            if *value > front.score || *value == front.score && better(front.first) {
                *front = Front { score: *value, first: place };
            }
        }
        if self.best.is_none_or(better) {
            self.best = Some(place);
        }
        let held = values.into_iter().enumerate().filter(|(at, value)| *value > 0 && *value == self.fronts[*at].score);
        self.holders.insert(place, held.collect());
        self.bests.resize(scores.len().max(self.bests.len()), 0);
        self.bests.iter_mut().zip(&scores).for_each(|(best, score)| *best = score.total.max(*best));
        self.entries.push(Entry { prompts, number, origin, scores: scores.into(), sum, reflected: 0 });
        self.count();
        place
    }

    /// Drops those that are never needed, the worst first, and counts the fronts of the others.
    ///
    /// The reference begins anew after each drop. One walk gives the same: dropping takes company away and never
    /// brings any, so who was needed once stays needed. And only those who are first on some front need be walked: on
    /// any other front somebody better, who is looked at later, is company.
    fn count(&mut self) {
        let fronts = &self.fronts;
        self.holders.retain(|place, held| {
            // Where somebody did better meanwhile, it holds nothing.
            held.retain(|(at, score)| fronts[*at].score == *score);
            held.iter().any(|(at, _)| fronts[*at].first == *place)
        });
        let mut order: Vec<usize> = self.holders.keys().copied().collect();
        // Of two that are equally good, the one found later is dropped.
        order.sort_by_key(|place| (self.entries[*place].sum, std::cmp::Reverse(*place)));
        let mut accompanied = vec![false; fronts.len()];
        self.votes.clear();
        for place in order {
            let held = &self.holders[&place];
            if held.iter().any(|(at, _)| fronts[*at].first == place && !accompanied[*at]) {
                for (at, _) in held {
                    accompanied[*at] = true;
                }
                self.votes.push((place, held.len() as u64));
            }
        }
        self.votes.sort_unstable();
    }
}

/// The value on each front.
fn corners(kind: Fronts, scores: &[Score]) -> Vec<u64> {
    let totals = || scores.iter().map(|score| u64::from(score.total));
    let count = scores.iter().map(|score| score.criteria.len()).max().unwrap_or(0);
    // A broken hard rule takes the criteria with it: such an item is good for nothing.
    let level = |score: &Score, at: usize| {
        if score.total == 0 { 0 } else { score.criteria.get(at).copied().map_or(0, u64::from) }
    };
    let criteria = || (0..count).map(|at| scores.iter().map(|score| level(score, at)).sum());
    match kind {
        Fronts::Instance => totals().collect(),
        Fronts::Criterion => criteria().collect(),
        Fronts::Hybrid => totals().chain(criteria()).collect(),
        Fronts::Cartesian => scores.iter().flat_map(|score| (0..count).map(move |at| level(score, at))).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn pool(rows: &[&[u32]]) -> Pool {
        let mut pool = Pool::new(Fronts::Instance);
        for (number, row) in rows.iter().enumerate() {
            let scores = row.iter().map(|total| Score { total: *total, criteria: Vec::new() }).collect();
            let prompts = Prompts::new(BTreeMap::from([("a".to_string(), number.to_string())]));
            pool.add(Arc::new(prompts), number as u64, Origin::Seed, scores);
        }
        pool
    }

    #[test]
    fn who_is_never_needed_has_no_vote() {
        // The first is best nowhere alone; the second and the third are.
        let pool = pool(&[&[3, 1, 0], &[3, 2, 0], &[0, 2, 5]]);
        assert_eq!(pool.votes(), [(1, 2), (2, 2)]);
        assert_eq!(pool.best(), Some(2));
    }

    #[test]
    fn a_pair_on_which_nobody_scores_casts_no_vote() {
        let pool = pool(&[&[0, 1], &[0, 2]]);
        assert_eq!((pool.votes(), pool.silent()), ([(1, 1)].as_slice(), 1));
    }

    #[test]
    fn a_broken_hard_rule_takes_the_criteria_with_it() {
        let score = |total, criteria: &[u32]| Score { total, criteria: criteria.to_vec() };
        let scores = [score(0, &[5, 5]), score(8, &[3, 5])];
        assert_eq!(corners(Fronts::Cartesian, &scores), [0, 0, 3, 5]);
        assert_eq!(corners(Fronts::Hybrid, &scores), [0, 8, 3, 5]);
        assert_eq!(corners(Fronts::Criterion, &scores), [3, 5]);
    }

    /// The reference's way, word for word: scan, drop one, begin again.
    fn again_and_again(rows: &[Vec<u64>], sums: &[u64]) -> Vec<(usize, u64)> {
        let ids = rows[0].len();
        let best = |at: usize| rows.iter().map(|row| row[at]).max().unwrap();
        let holds = |place: usize, at: usize| best(at) > 0 && rows[place][at] == best(at);
        let mut left: Vec<usize> = (0..rows.len()).filter(|place| (0..ids).any(|at| holds(*place, at))).collect();
        left.sort_by_key(|place| (sums[*place], std::cmp::Reverse(*place)));
        while let Some(drop) = left.iter().position(|place| {
            (0..ids).filter(|at| holds(*place, *at)).all(|at| left.iter().any(|o| o != place && holds(*o, at)))
        }) {
            left.remove(drop);
        }
        left.sort_unstable();
        left.iter().map(|place| (*place, (0..ids).filter(|at| holds(*place, *at)).count() as u64)).collect()
    }

    proptest! {
        #[test]
        fn one_walk_drops_whom_many_scans_drop(
            rows in proptest::collection::vec(proptest::collection::vec(proptest::collection::vec(0_u32..3, 2), 4), 1..12)
        ) {
            for kind in [Fronts::Instance, Fronts::Criterion, Fronts::Hybrid, Fronts::Cartesian] {
                let mut pool = Pool::new(kind);
                let score = |criteria: &Vec<u32>| Score { total: criteria.iter().sum(), criteria: criteria.clone() };
                let scores: Vec<Vec<Score>> = rows.iter().map(|row| row.iter().map(score).collect()).collect();
                let values: Vec<Vec<u64>> = scores.iter().map(|scores| corners(kind, scores)).collect();
                for (number, scores) in scores.into_iter().enumerate() {
                    let prompts = Prompts::new(BTreeMap::from([("a".to_string(), number.to_string())]));
                    pool.add(Arc::new(prompts), number as u64, Origin::Seed, scores);
                    // After each, since what is no longer needed is forgotten on the way.
                    let sums: Vec<u64> = pool.entries().iter().map(|entry| entry.sum).collect();
                    prop_assert_eq!(pool.votes(), again_and_again(&values[..=number], &sums));
                    let best = (0..=number).max_by_key(|place| (sums[*place], std::cmp::Reverse(*place)));
                    prop_assert_eq!(pool.best(), best);
                }
            }
        }
    }
}
