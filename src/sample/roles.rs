//! Roles: pairs that share an act, a version of it or a corrigendum to it get the same one.

use crate::dataset::{Pair, Role};
use crate::law::{Celex, Digest};
use std::collections::BTreeMap;

/// A role for each pair, in their order. Groups of linked pairs are taken in seeded order, the smallest
/// first, and go to the first role that still wants as many; what is left over is for the test.
pub(super) fn assign(pairs: &[Pair], wanted: &BTreeMap<Role, usize>, seed: u64) -> Vec<Role> {
    let groups = linked(pairs);
    let mut sizes: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (pair, group) in groups.iter().enumerate() {
        sizes.entry(*group).or_default().push(pair);
    }
    let mut order: Vec<Vec<usize>> = sizes.into_values().collect();
    order.sort_by_cached_key(|group| {
        let first = group.iter().map(|i| &pairs[*i]).min().map(|p| format!("{} {}", p.source, p.target));
        (group.len(), Digest::of_fields([seed.to_be_bytes().as_slice(), first.unwrap_or_default().as_bytes()]))
    });
    let mut left = wanted.clone();
    left.remove(&Role::Test);
    let mut roles = vec![Role::Test; pairs.len()];
    for group in order {
        let Some((role, room)) = left.iter_mut().find(|(_, room)| **room >= group.len()) else { continue };
        *room -= group.len();
        for pair in group {
            roles[pair] = *role;
        }
    }
    roles
}

/// A group number for each pair: equal where a chain of shared works links them.
fn linked(pairs: &[Pair]) -> Vec<usize> {
    let mut leader: Vec<usize> = (0..pairs.len()).collect();
    let mut seen: BTreeMap<Celex, usize> = BTreeMap::new();
    for (i, pair) in pairs.iter().enumerate() {
        for celex in [pair.source.celex.base(), pair.target.celex.base()] {
            let other = *seen.entry(celex).or_insert(i);
            let (a, b) = (find(&mut leader, i), find(&mut leader, other));
            leader[a.max(b)] = a.min(b);
        }
    }
    (0..pairs.len()).map(|i| find(&mut leader, i)).collect()
}

fn find(leader: &mut [usize], mut i: usize) -> usize {
    while leader[i] != i {
        leader[i] = leader[leader[i]];
        i = leader[i];
    }
    i
}
