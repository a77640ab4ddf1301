//! The product: items and their claims, rows, splits, answer positions, the shape of the lock.

mod claim;
mod item;
mod provenance;
mod row;
mod set;

pub use claim::{Claim, ClaimForm, Proof, StatusWord};
pub use item::{Authorship, Choice, Draft, Item, ItemId, Judgement, Pair, Passage, Refusal, Side};
pub use provenance::Provenance;
pub use row::{LETTERS, Row, published_id, published_passages};
pub use set::{Dataset, Document, Shortfall, Tally};
