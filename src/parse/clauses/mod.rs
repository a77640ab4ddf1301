//! What an act says it does: its title and operative part, read once into clauses and terms.
//!
//! Which words express a relation stands in `rubrics/relations.toml` as patterns; from when, until when,
//! with which exceptions and on which condition is read here, the same for every relation. Words in
//! quotation marks, recitals and footnotes do nothing.

mod corrections;
mod moments;
mod provisions;
mod quotation;
mod relations;
mod savings;
mod sentences;
mod slots;
mod terms;
#[cfg(test)]
mod tests;

use crate::law::{Act, Celex, Clause, Digest, Place, Quote, Registry, Span, Term};
use crate::parse::Parsed;
use regex::Regex;

/// Reads the title and the operative part of an act.
///
/// Clauses stand in document order, the title's first. What a title announces and the operative part
/// says is kept once, as the operative part says it.
pub fn read(act: &Act, registry: &Registry) -> Parsed<(Vec<Clause>, Vec<Term>)> {
    provisions::read(act, registry)
}

/// Reads one provision by itself: the clauses of an act `acting` that the text at `place` states.
/// Their quotations are spans of `text`.
///
/// ```
/// use legal_link::law::{Extent, Place, Registry};
/// use legal_link::parse::clauses::provision;
///
/// let registry = Registry::parse([("relations.toml", include_str!("../../../rubrics/relations.toml"))])?;
/// let text = "Regulation (EC) No 9002/1999 is repealed, with the exception of Article 3.";
/// let clauses = provision(text, &Place::Operative(None), &"32010R9001".parse()?, &registry);
/// assert_eq!(clauses[0].target.as_str(), "31999R9002");
/// assert_eq!(clauses[0].extent, Extent::Partial);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn provision(text: &str, place: &Place, acting: &Celex, registry: &Registry) -> Vec<Clause> {
    let document = Digest::of(text.as_bytes());
    let quoted = |range: std::ops::Range<usize>| Quote {
        document,
        span: Span::new(range.start, range.end),
        text: text[range].to_string(),
    };
    let reader = relations::Reader::new(acting, registry, |_| None);
    let found = reader.read(text, place);
    found.into_iter().map(|f| f.clause.into_clause(place.clone(), quoted(f.range), Vec::new())).collect()
}

/// A regular expression of ours.
fn fixed(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a pattern written in this room, compiled by its tests")
}
