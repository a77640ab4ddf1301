//! What a budget buys, said before anything is spent.

use super::settings::{Parts, Settings, Sizes};
use serde::Serialize;

/// How many proposals a budget of evaluations buys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Forecast {
    /// If every proposal passes its minibatch and is compared on the whole selection.
    pub least: u64,
    /// If none does.
    pub most: u64,
    /// Evaluations that the first prompts cost before any proposal.
    pub start: u64,
}

/// What the budget of these settings buys: the start costs the selection once, a proposal two minibatches a round, and the
/// selection once more where it passes (section 2 of the reference: 2 b, plus |V| if accepted).
pub fn forecast(settings: &Settings, sizes: Sizes) -> Forecast {
    let (start, dear) = costs(settings, sizes);
    let left = settings.evaluations.saturating_sub(start);
    Forecast { least: left / dear, most: at_most(left, settings, sizes, dear), start }
}

/// A proposal begins only while its worst case can be paid.
fn at_most(left: u64, settings: &Settings, sizes: Sizes, dear: u64) -> u64 {
    let cheap = dear - compared(settings, sizes);
    let rounds = settings.parts.rounds.max(1) as u64;
    let per = match settings.parts {
        // What came before may be known; what comes after is new, on the pairs that the component bears on: all, or one.
        Parts { remember: true, own_pairs: true, .. } => cheap / 2,
        Parts { remember: true, .. } => rounds,
        Parts { remember: false, .. } => cheap,
    };
    if left < dear { 0 } else { (left - dear) / per.max(1) + 1 }
}

/// Evaluations at the start, and of a proposal at the most.
pub(super) fn costs(settings: &Settings, sizes: Sizes) -> (u64, u64) {
    let batch = settings.minibatch.min(sizes.reflect).max(1) as u64;
    let rounds = settings.parts.rounds.max(1) as u64;
    (sizes.select as u64, 2 * batch * rounds + compared(settings, sizes))
}

/// What it costs at the most to compare a proposal on the selection: once, but for who goes by legs and remembers nothing,
/// and so pays for the earlier legs with each further one.
fn compared(settings: &Settings, sizes: Sizes) -> u64 {
    let (select, leg) = (sizes.select as u64, settings.parts.first_leg as u64);
    if settings.parts.remember || leg == 0 {
        return select;
    }
    let legs = if settings.parts.every_leg { select.div_ceil(leg) } else { 1 };
    (1..=legs).map(|nth| select.min(nth * leg)).sum::<u64>() + select
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_budget_buys_what_the_reference_says() {
        // 30 full evaluations of 150 pairs, split in halves: 54 proposals if all pass, 737 if none does.
        let settings = Settings::reference(0, 30 * 150, 100);
        let bought = forecast(&settings, Sizes { reflect: 75, select: 75 });
        assert_eq!((bought.start, bought.least), (75, 54));
        // Ours never begins what it might be unable to pay, which leaves the last few unspent.
        assert_eq!(bought.most, 725);
    }

    #[test]
    fn rounds_cost_two_minibatches_each() {
        let parts = Parts { rounds: 4, remember: true, own_pairs: true, ..Parts::NONE };
        let settings = Settings { parts, ..Settings::reference(0, 30 * 150, 100) };
        let bought = forecast(&settings, Sizes { reflect: 75, select: 75 });
        assert_eq!((bought.start, bought.least, bought.most), (75, 4425 / 99, (4425 - 99) / 12 + 1));
    }

    #[test]
    fn too_small_a_budget_buys_nothing_and_says_so() {
        let bought = forecast(&Settings::reference(0, 8, 100), Sizes { reflect: 6, select: 6 });
        assert_eq!((bought.least, bought.most, bought.start), (0, 0, 6));
    }
}
