//! Work side by side, results in order.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Threads that this machine runs at once.
pub(super) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Does the work on so many threads; the results stand in the order of the inputs, whoever is done first.
pub(super) fn side_by_side<T: Sync, R: Send>(inputs: &[T], threads: usize, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::with_capacity(inputs.len()));
    let take = || {
        let at = next.fetch_add(1, Ordering::Relaxed);
        inputs.get(at).map(|input| (at, input))
    };
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, inputs.len().max(1)) {
            scope.spawn(|| {
                while let Some((at, input)) = take() {
                    let result = work(input);
                    done.lock().unwrap_or_else(PoisonError::into_inner).push((at, result));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(i, _)| *i);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_stand_in_the_order_of_the_inputs() {
        let inputs: Vec<u64> = (0..100).collect();
        let slow_first = |n: &u64| {
            std::thread::sleep(std::time::Duration::from_micros(100 - n));
            n * 2
        };
        assert_eq!(side_by_side(&inputs, 4, slow_first), inputs.iter().map(|n| n * 2).collect::<Vec<_>>());
        assert!(side_by_side(&[], 4, |n: &u64| *n).is_empty());
    }
}
