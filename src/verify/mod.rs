//! Is an item true, grounded, fair? Decides, never rewrites.
//!
//! [`prove`] decides a claim from the graph: proved, refuted, or undecided. [`gates`] sends a draft through
//! every [`Check`], cheapest first; [`Kept`] refuses repetitions; [`probes`] looks at the whole set. What is
//! looked for in prose is data: [`Rules`], read from `rubrics/checks.toml`.

mod check;
mod duplicates;
mod facts;
mod flaws;
mod gates;
mod generic;
mod grounding;
mod leaks;
mod probes;
mod proof;
mod prose;
mod rules;
mod structure;
mod wording;

pub use check::{Check, Verdict};
pub use duplicates::Kept;
pub use facts::{Proofs, Undecided, names_a_day, unknown_citations};
pub use flaws::{content, key_is_strictly_longest, names_an_option_letter};
pub use gates::{Passed, gates};
pub use generic::generic_reference;
pub use grounding::stated_in_text;
pub use leaks::{Leak, stem_leak};
pub use probes::{Probe, probes};
pub use proof::{Proven, prove, prove_all};
pub use rules::{Rules, RulesError};
pub use structure::{KeyFlaw, StructureFlaw, key_flaw, structure_flaws};
