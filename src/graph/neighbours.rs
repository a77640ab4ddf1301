//! What stands around an act: its newest neighbours, the acts that changed it, how far its relations reach.

use super::relation_graph::RelationGraph;
use super::starts;
use crate::law::{Celex, Day, Effect};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The first of a list, and whether there was more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Capped<T> {
    /// Those kept, in order.
    pub shown: Vec<T>,
    /// How many there are in all.
    pub all: usize,
    /// Whether some are left out.
    pub truncated: bool,
}

impl<T> Capped<T> {
    /// The newest so many of a list: by day, the same day by name, what has no day last.
    pub fn newest<N: Ord>(items: Vec<T>, limit: usize, of: impl Fn(&T) -> (Option<Day>, N)) -> Self {
        let mut shown = items;
        shown.sort_by_cached_key(|item| {
            let (day, name) = of(item);
            (Reverse(day), name)
        });
        let all = shown.len();
        shown.truncate(limit);
        Self { truncated: shown.len() < all, shown, all }
    }
}

/// How an act was changed since.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Changes {
    /// The newest act that amends it; a corrigendum never is.
    pub latest: Option<Celex>,
    /// Acts that amend it.
    pub amendments: usize,
    /// Corrigenda of it, whatever relation they are recorded with.
    pub corrigenda: usize,
}

impl RelationGraph {
    /// The acts that changed the words of this one.
    pub fn changes(&self, celex: &Celex) -> Changes {
        let mut by: BTreeMap<&Celex, bool> = BTreeMap::new();
        for edge in self.onto(celex).filter(|e| self.effect(e) == Effect::Rewrites && &e.source != celex) {
            let corrects = edge.source.is_corrigendum() || self.from_beginning(edge);
            let known = by.entry(&edge.source).or_insert(corrects);
            *known &= corrects;
        }
        let amending = by.iter().filter(|(_, corrects)| !**corrects).map(|(celex, _)| *celex);
        let latest = amending.clone().max_by_key(|c| (self.made(c), Reverse((*c).clone())));
        let amendments = amending.count();
        Changes { latest: latest.cloned(), amendments, corrigenda: by.len() - amendments }
    }

    /// The day an act was made: of its document, else of its publication, else the first day of the year in its number.
    pub fn made(&self, celex: &Celex) -> Option<Day> {
        self.node(celex).and_then(starts::made)
    }
}

/// All that is reached from a start by following `next`, in at most so many steps, without the start. Circles are
/// walked once.
pub fn reached<N: Ord + Clone>(start: &N, steps: usize, next: impl Fn(&N) -> Vec<N>) -> BTreeSet<N> {
    let mut seen = BTreeSet::from([start.clone()]);
    let mut waiting = VecDeque::from([(start.clone(), 0)]);
    while let Some((at, depth)) = waiting.pop_front() {
        if depth == steps {
            continue;
        }
        for found in next(&at) {
            if seen.insert(found.clone()) {
                waiting.push_back((found, depth + 1));
            }
        }
    }
    seen.remove(start);
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_cut_from_its_old_end_and_says_so() {
        let day = |d: &str| d.parse::<Day>().ok();
        let list = vec![("c", None), ("b", day("2003-01-01")), ("a", day("2003-01-01")), ("d", day("2010-01-01"))];
        let cut = |limit| Capped::newest(list.clone(), limit, |(name, day)| (*day, *name));
        let names: Vec<&str> = cut(9).shown.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["d", "a", "b", "c"]);
        assert_eq!((cut(3).truncated, cut(3).all, cut(4).truncated), (true, 4, false));
    }

    #[test]
    fn a_walk_ends_in_circles_and_at_its_depth() {
        let next = |n: &u32| vec![(n + 1) % 5];
        assert_eq!(reached(&0, 9, next), BTreeSet::from([1, 2, 3, 4]));
        assert_eq!(reached(&0, 2, next), BTreeSet::from([1, 2]));
        assert!(reached(&0, 0, next).is_empty());
    }
}
