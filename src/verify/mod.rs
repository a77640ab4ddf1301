//! Is an item true, grounded, fair? Decides, never rewrites.
//!
//! [`prove`] decides a claim from the graph: proved, refuted, or undecided.

mod proof;
mod wording;

pub use proof::{Proven, prove, prove_all};
