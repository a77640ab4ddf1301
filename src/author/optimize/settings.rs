//! What an optimization is told to do.

use serde::{Deserialize, Serialize};

/// The settings of a run. A run that is gone on with must have the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The seed of every draw.
    pub seed: u64,
    /// Pairs that a proposal is tried on first.
    pub minibatch: usize,
    /// Evaluations (one set of prompts on one pair) at the most.
    pub evaluations: u64,
    /// Proposals under way at once.
    pub side_by_side: usize,
    /// What candidates are compared by.
    pub fronts: Fronts,
    /// When a proposal has passed its minibatch.
    pub acceptance: Acceptance,
    /// The greatest score there is: a minibatch of nothing else teaches nothing.
    pub perfect: u32,
    /// Merges tried at the most.
    pub merges: u32,
    /// After so many proposals in a row that cost nothing and gave nothing, the run ends.
    pub give_up: u32,
    /// Which of the means that go beyond the reference are used.
    pub parts: Parts,
}

/// Means that the reference implementation does not have; each can be switched off to see what it is worth. What is used
/// where nothing is said is what helped on the landscape of `benches/optimizer`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[allow(clippy::struct_excessive_bools)] // Switches, each by itself.
pub struct Parts {
    /// A score that is known is not paid for again: of prompts that were tried on a pair, and of a change that is not sent
    /// with it.
    pub remember: bool,
    /// A text that was tried before is refused before it is evaluated.
    pub no_repeats: bool,
    /// Reflections one after the other, each on what came of the one before, until a proposal is compared by the selection.
    pub rounds: usize,
    /// A component is reflected on in the light of pairs that it bears on, and of no others.
    pub own_pairs: bool,
    /// Pairs of the selection that a proposal is tried on before the others are paid for; 0 = all at once.
    pub first_leg: usize,
    /// It is tried again after each further leg of so many pairs, not only after the first.
    pub every_leg: bool,
    /// It is taken only if it is no worse on the selection than what it comes from; else being best on one pair is enough
    /// after a leg, and after the whole selection nothing is asked.
    pub no_worse: bool,
}

/// What candidates are compared by: where one is best, it has a vote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fronts {
    /// Each pair, by its total.
    Instance,
    /// Each criterion, by its sum over all pairs.
    Criterion,
    /// Both of these.
    Hybrid,
    /// Each criterion on each pair.
    Cartesian,
}

/// When a proposal has passed its minibatch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Acceptance {
    /// Its sum is above its parent's.
    Better,
    /// Its sum is not below its parent's.
    NoWorse,
}

/// How many pairs there are for each purpose; no act is in two of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sizes {
    /// Pairs whose faults are reflected on.
    pub reflect: usize,
    /// Pairs by which candidates are compared.
    pub select: usize,
}

/// What a pair is for. The third set, by which the result is measured, the engine never sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Set {
    /// Its faults are reflected on.
    Reflect,
    /// Candidates are compared by it.
    Select,
}

/// One pair of one set, by its place there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Instance {
    /// What it is for.
    pub set: Set,
    /// Its place in the set.
    pub at: usize,
}

impl Parts {
    /// None of them.
    pub const NONE: Self = Self {
        remember: false,
        no_repeats: false,
        rounds: 1,
        own_pairs: false,
        first_leg: 0,
        every_leg: false,
        no_worse: false,
    };
}

impl Default for Parts {
    fn default() -> Self {
        Self {
            remember: true,
            no_repeats: true,
            rounds: 4,
            own_pairs: true,
            first_leg: 25,
            every_leg: true,
            no_worse: true,
        }
    }
}

impl Settings {
    /// The settings of the reference implementation (gepa 0.1.4), with these limits: minibatches of three, fronts by
    /// instance, five merges, and none of [`Parts`].
    pub fn reference(seed: u64, evaluations: u64, perfect: u32) -> Self {
        Self {
            seed,
            minibatch: 3,
            evaluations,
            side_by_side: 1,
            fronts: Fronts::Instance,
            acceptance: Acceptance::Better,
            perfect,
            merges: 5,
            give_up: 50,
            parts: Parts::NONE,
        }
    }
}
