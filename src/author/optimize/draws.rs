//! Draws by seed, and the order in which pairs are reflected on.

use crate::law::Digest;
use std::collections::BTreeMap;

/// A source of draws: the same seed, the same draws.
#[derive(Debug, Clone)]
pub(super) struct Draws {
    seed: u64,
    drawn: u64,
}

impl Draws {
    pub fn new(seed: u64) -> Self {
        Self { seed, drawn: 0 }
    }

    /// A number below `n`; 0 where `n` is 0.
    pub fn below(&mut self, n: u64) -> u64 {
        self.drawn += 1;
        let digest = Digest::of_fields([b"draw".as_slice(), &self.seed.to_be_bytes(), &self.drawn.to_be_bytes()]);
        let bytes = digest.as_bytes();
        let wide = bytes[..8].iter().fold(0_u128, |n, byte| n << 8 | u128::from(*byte));
        // The high half of a product (Lemire, 2019): its bias is below 2^-50 for all the counts met here.
        u64::try_from((wide * u128::from(n)) >> 64).unwrap_or(0)
    }

    /// One of these, each as likely as its weight; `None` where all weights are 0.
    pub fn weighted(&mut self, weights: impl IntoIterator<Item = (usize, u64)> + Clone) -> Option<usize> {
        let sum: u64 = weights.clone().into_iter().map(|(_, weight)| weight).sum();
        let mut left = (sum > 0).then(|| self.below(sum))?;
        for (one, weight) in weights {
            if left < weight {
                return Some(one);
            }
            left -= weight;
        }
        None
    }
}

/// Minibatches: all pairs in an order of their own each epoch, filled up with those that were used least.
#[derive(Debug, Clone)]
pub(super) struct Minibatches {
    seed: u64,
    epoch: u64,
    left: Vec<usize>,
    /// The pairs, by place, and how often each was used.
    used: BTreeMap<usize, u64>,
}

impl Minibatches {
    pub fn new(seed: u64, pairs: impl IntoIterator<Item = usize>) -> Self {
        Self { seed, epoch: 0, left: Vec::new(), used: pairs.into_iter().map(|at| (at, 0)).collect() }
    }

    /// The next `size` pairs, none twice; fewer only where there are fewer.
    pub fn next(&mut self, size: usize) -> Vec<usize> {
        if self.left.is_empty() {
            self.epoch += 1;
            self.left = self.shuffled();
        }
        let mut batch = self.left.split_off(self.left.len() - size.min(self.left.len()));
        let others = self.used.iter().filter(|(at, _)| !batch.contains(at));
        let mut others: Vec<(u64, usize)> = others.map(|(at, used)| (*used, *at)).collect();
        others.sort_unstable();
        batch.extend(others.into_iter().take(size - batch.len()).map(|(_, at)| at));
        for at in &batch {
            self.used.entry(*at).and_modify(|used| *used += 1);
        }
        batch
    }

    fn shuffled(&self) -> Vec<usize> {
        let key = |at: &usize| {
            let at = (*at as u64).to_be_bytes();
            Digest::of_fields([b"epoch".as_slice(), &self.seed.to_be_bytes(), &self.epoch.to_be_bytes(), &at])
        };
        let mut order: Vec<usize> = self.used.keys().copied().collect();
        order.sort_by_cached_key(key);
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_even_and_follow_their_seed() {
        let drawn = |seed| {
            let mut draws = Draws::new(seed);
            (0..3000).map(|_| draws.below(3)).collect::<Vec<_>>()
        };
        assert_eq!(drawn(1), drawn(1));
        assert_ne!(drawn(1), drawn(2));
        for n in 0..3 {
            let times = drawn(1).iter().filter(|one| **one == n).count();
            assert!((900..1100).contains(&times), "{n}: {times}");
        }
        assert_eq!(Draws::new(1).weighted([(4, 0), (7, 2)]), Some(7));
        assert_eq!(Draws::new(1).weighted([(4, 0)]), None);
    }

    #[test]
    fn an_epoch_uses_every_pair_and_fills_up_with_those_used_least() {
        let mut batches = Minibatches::new(5, 0..7);
        let first: Vec<Vec<usize>> = (0..3).map(|_| batches.next(3)).collect();
        assert!(first.iter().all(|batch| batch.len() == 3));
        let mut all: Vec<usize> = first[..2].concat();
        all.push(first[2][0]);
        all.sort_unstable();
        assert_eq!(all, [0, 1, 2, 3, 4, 5, 6]);
        assert_eq!(Minibatches::new(5, 0..2).next(3).len(), 2);
    }
}
