//! Roles: pairs that share an act, a version of it or a corrigendum to it get the same one.

use crate::dataset::{Pair, Role};
use crate::law::{Celex, Digest, RelationType};
use std::collections::BTreeMap;

/// A role for each pair, in their order. Groups of linked pairs are taken in seeded order, the smallest first. A role takes
/// them first as long as it wants more of each of their relations, which it wants in the proportions of all pairs; then, in
/// a second walk, as long as it has room. What is left over is for the test.
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
    let mut places: Vec<Places> =
        wanted.iter().filter(|(role, _)| **role != Role::Test).map(|(r, n)| Places::of(*r, *n, pairs)).collect();
    let mut roles = vec![Role::Test; pairs.len()];
    for by_relation in [true, false] {
        order.retain(|group| {
            let relations: Vec<&RelationType> = group.iter().map(|pair| &pairs[*pair].relation).collect();
            let Some(place) = places.iter_mut().find(|place| place.wants(&relations, by_relation)) else { return true };
            place.take(&relations);
            for pair in group {
                roles[*pair] = place.role;
            }
            false
        });
    }
    roles
}

/// What a role still wants.
struct Places<'a> {
    role: Role,
    room: usize,
    shares: BTreeMap<&'a RelationType, usize>,
}

impl<'a> Places<'a> {
    /// So many pairs, of each relation in proportion to all, rounded up.
    fn of(role: Role, room: usize, pairs: &'a [Pair]) -> Self {
        let mut shares: BTreeMap<&RelationType, usize> = BTreeMap::new();
        for pair in pairs {
            *shares.entry(&pair.relation).or_default() += 1;
        }
        for share in shares.values_mut() {
            *share = (*share * room).div_ceil(pairs.len());
        }
        Self { role, room, shares }
    }

    fn wants(&self, relations: &[&RelationType], by_relation: bool) -> bool {
        let of = |relation: &RelationType| relations.iter().filter(|one| **one == relation).count();
        let share = |relation: &&RelationType| self.shares.get(*relation).is_some_and(|share| *share >= of(relation));
        relations.len() <= self.room && (!by_relation || relations.iter().all(share))
    }

    fn take(&mut self, relations: &[&RelationType]) {
        self.room -= relations.len();
        for relation in relations {
            if let Some(share) = self.shares.get_mut(*relation) {
                *share = share.saturating_sub(1);
            }
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::Registry;

    #[test]
    fn a_role_has_its_share_of_each_relation() {
        let relations = "[[relation]]\nname = \"ends\"\nlabel = \"ends\"\neffect = \"ends\"\n[[relation]]\nname = \"cites\"\nlabel = \
                         \"cites\"\neffect = \"none\"\n";
        let registry = Registry::parse([("relations.toml", relations)]).unwrap();
        let act = |kind: &str, n: usize| format!("3200{kind}{n:04}").parse::<Celex>().unwrap().into();
        let pair = |n: usize| Pair {
            source: act("1R", n),
            relation: registry.relation(if n.is_multiple_of(3) { "cites" } else { "ends" }).unwrap(),
            target: act("1L", n),
        };
        let pairs: Vec<Pair> = (0..30).map(pair).collect();
        let roles = assign(&pairs, &[(Role::Reflect, 9), (Role::Select, 6), (Role::Final, 3)].into(), 1);
        let count = |role: Role, name: &str| {
            roles.iter().zip(&pairs).filter(|(one, pair)| **one == role && pair.relation.as_str() == name).count()
        };
        for (role, ends, cites) in
            [(Role::Reflect, 6, 3), (Role::Select, 4, 2), (Role::Final, 2, 1), (Role::Test, 8, 4)]
        {
            assert_eq!((count(role, "ends"), count(role, "cites")), (ends, cites), "{role}");
        }
    }
}
