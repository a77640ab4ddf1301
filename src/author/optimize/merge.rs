//! Two candidates that changed different components, made one.

use super::draws::Draws;
use super::pool::{Pool, Prompts};
use std::collections::{BTreeMap, BTreeSet};

/// How often two candidates are drawn before it is said that there is nothing to merge.
const TRIES: usize = 10;
/// Pairs that a merge is tried on, about a third each where the first, the second and neither is better.
const TRIAL: usize = 5;

/// Two candidates and the last that both come from.
pub(super) type Triple = ([usize; 2], usize);

/// A merge that can be tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Merge {
    pub of: [usize; 2],
    pub ancestor: usize,
    /// The components that differ from those of the first.
    pub texts: BTreeMap<String, String>,
    /// The places of the selection it is tried on.
    pub trial: Vec<usize>,
}

/// Two candidates with votes, neither an ancestor of the other, with a common ancestor that is no better than either,
/// each of which may have changed what the other left alone (section 4 of the reference).
pub(super) fn find(pool: &Pool, draws: &mut Draws, tried: &BTreeSet<Triple>, most: usize) -> Option<Merge> {
    let voters = pool.votes();
    if voters.len() < 2 {
        return None;
    }
    for _ in 0..TRIES {
        let [first, second] = two(voters.len(), draws).map(|at| voters[at].0);
        let of = [first, second];
        let Some(ancestor) = ancestor(pool, of, tried) else { continue };
        if let Some(texts) = joined(pool, of, ancestor, draws) {
            return Some(Merge { of, ancestor, texts, trial: trial(pool, of, draws, most) });
        }
    }
    None
}

/// Two different numbers below `n`, the lesser first.
fn two(n: usize, draws: &mut Draws) -> [usize; 2] {
    let first = below(draws, n);
    let second = below(draws, n - 1);
    let second = if second >= first { second + 1 } else { second };
    [first.min(second), first.max(second)]
}

fn below(draws: &mut Draws, n: usize) -> usize {
    usize::try_from(draws.below(n as u64)).unwrap_or(0)
}

/// A candidate's ancestors, itself among them.
fn line(pool: &Pool, of: usize) -> BTreeSet<usize> {
    let (mut line, mut open) = (BTreeSet::from([of]), vec![of]);
    while let Some(place) = open.pop() {
        let parents = pool.get(place).map(super::pool::Entry::parents).unwrap_or_default();
        open.extend(parents.into_iter().filter(|parent| line.insert(*parent)));
    }
    line
}

/// The last common ancestor that is no better than either, beside which one of the two left alone what the other changed,
/// and by which they were not merged before; none where one of the two comes from the other.
fn ancestor(pool: &Pool, of: [usize; 2], tried: &BTreeSet<Triple>) -> Option<usize> {
    let [one, other] = of.map(|place| line(pool, place));
    if one.contains(&of[1]) || other.contains(&of[0]) {
        return None;
    }
    let sum = |place: usize| pool.get(place).map_or(0, |entry| entry.sum);
    let least = sum(of[0]).min(sum(of[1]));
    let serves = |place: &usize| {
        other.contains(place) && sum(*place) <= least && !tried.contains(&(of, *place)) && parted(pool, of, *place)
    };
    one.iter().rev().copied().find(serves)
}

/// Whether some component is as it was in one of the two and changed in the other.
fn parted(pool: &Pool, of: [usize; 2], ancestor: usize) -> bool {
    let [Some(first), Some(second), Some(before)] = [of[0], of[1], ancestor].map(|place| pool.get(place)) else {
        return false;
    };
    before.prompts.components().iter().any(|(name, was)| {
        let (one, other) = (first.prompts.text(name), second.prompts.text(name));
        one != other && (one == was || other == was)
    })
}

/// Each component from the one that changed it; where both did, from the better one. `None` where the outcome would be
/// one of the two again.
fn joined(pool: &Pool, of: [usize; 2], ancestor: usize, draws: &mut Draws) -> Option<BTreeMap<String, String>> {
    let [first, second] = of.map(|place| pool.get(place));
    let (first, second, before) = (first?, second?, pool.get(ancestor)?);
    let mut texts = BTreeMap::new();
    let mut from_first = false;
    for (name, own) in first.prompts.components() {
        let (other, was) = (second.prompts.text(name), before.prompts.text(name));
        if own == other {
            continue;
        }
        let takes_other = match () {
            () if own == was => true,
            () if other == was => false,
            () if first.sum == second.sum => draws.below(2) == 1,
            () => second.sum > first.sum,
        };
        if takes_other {
            texts.insert(name.clone(), other.to_string());
        } else {
            from_first = true;
        }
    }
    let same = |merged: &Prompts| merged.digest() == second.prompts.digest();
    (from_first && !texts.is_empty() && !same(&first.prompts.with(&texts))).then_some(texts)
}

/// Places of the selection: where the first is better, where the second is, where both are alike, in turn.
pub(super) fn trial(pool: &Pool, of: [usize; 2], draws: &mut Draws, most: usize) -> Vec<usize> {
    let scores = of.map(|place| pool.get(place).map(|entry| &*entry.scores).unwrap_or_default());
    let mut kinds: [Vec<usize>; 3] = Default::default();
    for (at, (one, other)) in scores[0].iter().zip(scores[1]).enumerate() {
        let kind = match one.total.cmp(&other.total) {
            std::cmp::Ordering::Greater => 0,
            std::cmp::Ordering::Less => 1,
            std::cmp::Ordering::Equal => 2,
        };
        kinds[kind].push(at);
    }
    let mut places = Vec::new();
    let wanted = TRIAL.min(most);
    while places.len() < wanted && kinds.iter().any(|kind| !kind.is_empty()) {
        for kind in kinds.iter_mut().filter(|kind| !kind.is_empty()) {
            if places.len() < wanted {
                places.push(kind.swap_remove(below(draws, kind.len())));
            }
        }
    }
    places.sort_unstable();
    places
}

#[cfg(test)]
mod tests {
    use super::super::record::{Origin, Score};
    use super::super::settings::Fronts;
    use super::*;
    use std::sync::Arc;

    fn prompts(a: &str, b: &str) -> Arc<Prompts> {
        let named = |(name, text): (&str, &str)| (name.to_string(), text.to_string());
        Arc::new(Prompts::new([("a", a), ("b", b)].map(named).into()))
    }

    fn pool(rows: &[(&str, &str, usize, &[u32])]) -> Pool {
        let mut pool = Pool::new(Fronts::Instance);
        for (number, (a, b, parent, totals)) in rows.iter().enumerate() {
            let reflection = Origin::Reflection { parent: *parent, rounds: Vec::new() };
            let origin = if number == 0 { Origin::Seed } else { reflection };
            let scores = totals.iter().map(|total| Score { total: *total, criteria: Vec::new() }).collect();
            pool.add(prompts(a, b), number as u64, origin, scores);
        }
        pool
    }

    #[test]
    fn each_component_comes_from_the_one_that_changed_it() {
        let pool = pool(&[("0", "0", 0, &[1, 1, 1]), ("1", "0", 0, &[5, 1, 1]), ("0", "1", 0, &[1, 5, 1])]);
        let merge = find(&pool, &mut Draws::new(1), &BTreeSet::new(), 6).unwrap();
        assert_eq!((merge.of, merge.ancestor), ([1, 2], 0));
        assert_eq!(merge.texts, BTreeMap::from([("b".to_string(), "1".to_string())]));
        assert_eq!(merge.trial, [0, 1, 2]);
        let tried = BTreeSet::from([([1, 2], 0)]);
        assert_eq!(find(&pool, &mut Draws::new(1), &tried, 6), None, "never the same three twice");
    }

    #[test]
    fn what_both_changed_comes_from_the_better_and_a_copy_is_no_merge() {
        let both = pool(&[("0", "0", 0, &[1, 1, 0]), ("1", "0", 0, &[5, 1, 1]), ("2", "1", 0, &[1, 9, 1])]);
        // The second is better and would give both: that is the second again.
        assert_eq!(find(&both, &mut Draws::new(1), &BTreeSet::new(), 6), None);
        let better = pool(&[("0", "0", 0, &[1, 1, 0]), ("1", "0", 0, &[9, 1, 1]), ("2", "1", 0, &[1, 5, 1])]);
        let merge = find(&better, &mut Draws::new(1), &BTreeSet::new(), 6).unwrap();
        assert_eq!(merge.texts, BTreeMap::from([("b".to_string(), "1".to_string())]));
    }

    #[test]
    fn a_candidate_and_its_child_do_not_merge() {
        let pool = pool(&[("0", "0", 0, &[1, 1]), ("1", "0", 0, &[5, 1]), ("1", "1", 1, &[1, 5])]);
        assert_eq!(find(&pool, &mut Draws::new(1), &BTreeSet::new(), 6), None);
    }
}
