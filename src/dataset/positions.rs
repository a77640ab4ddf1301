//! Answer positions: exact per relation, by a seeded permutation that any reader can repeat.

use super::{Draft, Item, ItemId, Judgement, Proof};
use crate::law::{Digest, RelationType};
use std::collections::BTreeMap;

/// The order of an item's four options with the key (unshuffled index 0) at `key_at`: `order[i]` is the
/// unshuffled index of the option at position `i`. The same item, seed and position give the same order.
///
/// ```
/// use legal_link::dataset::option_order;
/// let order = option_order("an item", 7, 2);
/// assert_eq!(order[2], 0);
/// assert_eq!(order, option_order("an item", 7, 2));
/// ```
pub fn option_order(item: &str, seed: u64, key_at: usize) -> [u8; 4] {
    let mut rest = [1u8, 2, 3];
    rest.sort_by_key(|option| seeded(seed, &[item.as_bytes(), &[*option]]));
    let mut rest = rest.into_iter();
    let mut order = [0; 4];
    for (position, slot) in order.iter_mut().enumerate() {
        if position != key_at % 4 {
            *slot = rest.next().unwrap_or(0);
        }
    }
    order
}

/// A draft that passed the gates, before it has an answer position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// The draft.
    pub draft: Draft,
    /// What code said of the key and of each distractor, unshuffled.
    pub proofs: Vec<Proof>,
    /// What a judge said, if one was asked.
    pub judgement: Option<Judgement>,
}

/// Gives every kept draft its answer position, so that in each relation the counts of A, B, C and D differ by at
/// most one. Items come back sorted by pair and item. Which letters have one more is seeded per relation.
pub fn place(kept: Vec<Kept>, seed: u64) -> Vec<Item> {
    let mut by_relation: BTreeMap<RelationType, Vec<(ItemId, Kept)>> = BTreeMap::new();
    for one in kept {
        let relation = one.draft.pair.relation.clone();
        by_relation.entry(relation).or_default().push((one.draft.item_id(), one));
    }
    let mut items = Vec::new();
    for (relation, mut group) in by_relation {
        let first = usize::from(seeded(seed, &[relation.as_str().as_bytes()]).as_bytes()[0]);
        group.sort_by_cached_key(|(id, _)| (seeded(seed, &[id.as_str().as_bytes()]), id.clone()));
        items.extend(group.into_iter().enumerate().map(|(i, (item, kept))| Item {
            order: option_order(item.as_str(), seed, first + i),
            item,
            draft: kept.draft,
            proofs: kept.proofs,
            judgement: kept.judgement,
        }));
    }
    items.sort_by(|a, b| (&a.draft.pair, &a.item).cmp(&(&b.draft.pair, &b.item)));
    items
}

fn seeded(seed: u64, fields: &[&[u8]]) -> Digest {
    let seed = seed.to_be_bytes();
    Digest::of_fields(std::iter::once(seed.as_slice()).chain(fields.iter().copied()))
}

/// What is wrong with a shuffled list of options.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ShuffleFault {
    /// An option was lost, added or changed.
    #[error("the options are no permutation of those before")]
    NotAPermutation,
    /// The options moved and the key did not, or the other way round.
    #[error("the key points to another text than before")]
    KeyPointsToOtherText,
}

/// Whether `after` holds the same options as `before` and its key points to the same text.
///
/// # Errors
/// [`ShuffleFault`], the first that applies.
pub fn check_shuffle<S: AsRef<str> + Ord>(
    (before, key_before): (&[S], usize),
    (after, key_after): (&[S], usize),
) -> Result<(), ShuffleFault> {
    let sorted = |options: &[S]| {
        let mut texts: Vec<String> = options.iter().map(|o| o.as_ref().to_string()).collect();
        texts.sort();
        texts
    };
    if sorted(before) != sorted(after) {
        return Err(ShuffleFault::NotAPermutation);
    }
    match (before.get(key_before), after.get(key_after)) {
        (Some(a), Some(b)) if a.as_ref() == b.as_ref() => Ok(()),
        _ => Err(ShuffleFault::KeyPointsToOtherText),
    }
}

/// How keys are spread over the four letters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Balance {
    /// Keys at A, B, C and D.
    pub counts: [usize; 4],
}

impl Balance {
    /// Counts positions; those beyond D are left out.
    pub fn of(positions: impl IntoIterator<Item = usize>) -> Self {
        let mut counts = [0; 4];
        for position in positions {
            if let Some(count) = counts.get_mut(position) {
                *count += 1;
            }
        }
        Self { counts }
    }

    /// No more uneven than chance: Pearson's chi-square against equal shares at 5 %. The bound is the
    /// 95th percentile of the chi-square distribution with 3 degrees of freedom.
    #[expect(clippy::cast_precision_loss, reason = "counts of items are far below 2^52")]
    pub fn even_as_chance(&self) -> bool {
        const BOUND: f64 = 7.814_727_903_251_179;
        let expected = self.counts.iter().sum::<usize>() as f64 / 4.0;
        let squares = self.counts.iter().map(|&c| (c as f64 - expected).powi(2));
        expected == 0.0 || squares.sum::<f64>() / expected <= BOUND
    }

    /// Whether the counts differ by at most one, as [`place`] makes them.
    pub fn exact(&self) -> bool {
        let most = self.counts.iter().max().copied().unwrap_or(0);
        most - self.counts.iter().min().copied().unwrap_or(0) <= 1
    }

    /// The position with most keys (the first of several) and its share.
    #[expect(clippy::cast_precision_loss, reason = "counts of items are far below 2^52")]
    pub fn greatest(&self) -> (usize, f64) {
        let total = self.counts.iter().sum::<usize>().max(1) as f64;
        let (mut position, mut most) = (0, 0);
        for (i, &count) in self.counts.iter().enumerate() {
            if count > most {
                (position, most) = (i, count);
            }
        }
        (position, most as f64 / total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_is_a_permutation_with_the_key_where_it_was_asked_for() {
        for key_at in 0..4 {
            let mut order = option_order("i-1", 7, key_at);
            assert_eq!(order[key_at], 0);
            order.sort_unstable();
            assert_eq!(order, [0, 1, 2, 3]);
        }
    }

    #[test]
    fn a_lost_option_and_a_stale_key_are_found() {
        let before = ["w", "x", "y", "z"];
        assert_eq!(check_shuffle((&before, 0), (&["y", "w", "z", "x"], 1)), Ok(()));
        let stale = check_shuffle((&before, 0), (&["y", "w", "z", "x"], 0));
        assert_eq!(stale, Err(ShuffleFault::KeyPointsToOtherText));
        let lost = check_shuffle((&before, 1), (&["x", "x", "y", "z"], 0));
        assert_eq!(lost, Err(ShuffleFault::NotAPermutation));
    }

    #[test]
    fn keys_on_one_letter_are_uneven() {
        let uneven = Balance { counts: [40, 615, 200, 145] };
        assert!(!uneven.even_as_chance());
        assert_eq!(uneven.greatest(), (1, 0.615));
        assert!(Balance { counts: [252, 249, 250, 249] }.even_as_chance());
    }
}
