//! What models were paid for a dataset.

use serde::{Deserialize, Serialize};

/// What a dataset cost: every call whose reply it was made from, whether it was paid for in the last run or before.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spending {
    /// By stage and model, in that order.
    pub rows: Vec<Spend>,
    /// US dollars as an exact decimal, for all rows with a price.
    pub cost: String,
    /// Models without a known price: what they cost comes on top.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unpriced: Vec<String>,
    /// Calls whose tokens the server did not count: what they cost comes on top.
    #[serde(default)]
    pub uncounted: u64,
}

/// What one stage asked of one model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spend {
    /// The stage: `probe`, `write`, `calibrate`, `judge`.
    pub stage: String,
    /// `provider:model`.
    pub model: String,
    /// Calls.
    pub calls: u64,
    /// Of those, through the provider's batch interface.
    #[serde(default, skip_serializing_if = "is_none")]
    pub batched: u64,
    /// Tokens of the prompts.
    pub prompt: u64,
    /// Of those, read from the provider's cache.
    pub cached: u64,
    /// Of the prompts' tokens, written into the provider's cache.
    pub cache_write: u64,
    /// Tokens of the replies.
    pub reply: u64,
    /// Of those, spent on thinking.
    pub reasoning: u64,
    /// US dollars as an exact decimal; none where the price is not known.
    pub cost: Option<String>,
    /// The month of the price.
    pub price_of: Option<String>,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde hands over a reference
fn is_none(count: &u64) -> bool {
    *count == 0
}
