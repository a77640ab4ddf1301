//! The gates in order, cheapest first.

use super::check::Check;
use super::facts::{Facts, Proofs, Undecided};
use super::flaws::Flaws;
use super::generic::generic_reference;
use super::grounding::Grounding;
use super::leaks::Leaks;
use super::rules::Rules;
use super::structure::Structure;
use super::{Verdict, grounding};
use crate::dataset::{Draft, Proof, Refusal};
use crate::graph::RelationGraph;

/// What the gates say of a draft that passed them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passed {
    /// What code says of the key and of each distractor, unshuffled.
    pub proofs: Vec<Proof>,
    /// A claim is undecided: the item is kept only if a judge, blind to the key, answers it and agrees.
    pub needs_judge: bool,
    /// What a reader should look at.
    pub warnings: Vec<String>,
}

/// Sends a draft through the gates: structure, generic references, facts, grounding, leaks, item writing.
/// Duplicates are asked of [`super::Kept`], whole sets of [`super::probes`].
///
/// # Errors
/// The refusal of the first gate that does not let it pass, with all that this gate found.
pub fn gates(
    draft: &Draft,
    graph: &RelationGraph,
    rules: &Rules,
    undecided: Undecided,
) -> Result<Passed, Box<Refusal>> {
    let checks: [&dyn Check; 6] =
        [&Structure(rules), &GenericReferences(rules), &Facts { undecided }, &Grounding, &Leaks(rules), &Flaws(rules)];
    let mut warnings = Vec::new();
    for check in checks {
        let verdict = check.check(draft, graph);
        if !verdict.passes() {
            let reason = verdict.refused.join("; ");
            let (pair, gate) = (draft.pair.clone(), check.name().to_string());
            return Err(Box::new(Refusal { pair, gate, reason, draft: Some(draft.clone()) }));
        }
        warnings.extend(verdict.warnings);
    }
    let proofs = Proofs::of(draft, graph);
    Ok(Passed { needs_judge: proofs.undecided(), proofs: proofs.options.iter().map(|p| p.proof).collect(), warnings })
}

/// Gate 2.
#[derive(Debug, Clone, Copy)]
struct GenericReferences<'r>(&'r Rules);

impl Check for GenericReferences<'_> {
    fn name(&self) -> &'static str {
        "generic_reference"
    }

    fn check(&self, draft: &Draft, _graph: &RelationGraph) -> Verdict {
        let mut verdict = Verdict::default();
        let options = draft.options.iter().map(|o| (o.text.as_str(), Some(draft.stem.as_str())));
        for (text, stem) in std::iter::once((draft.stem.as_str(), None)).chain(options) {
            if let Some(words) = generic_reference(text, stem, self.0) {
                verdict.refuse(format!("“{words}” in “{}” refers to a document as such", grounding::shortened(text)));
            }
        }
        verdict
    }
}
