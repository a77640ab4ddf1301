//! Bridges: an implicit repeal, which no text states, is grounded by the acting act's clause that
//! ends an act X, and the title or article by which the target had changed X.
//!
//! A target that did nothing but change acts which the acting act ends goes whole; else only the
//! article by which it changed X.

use crate::law::{Celex, Clause, Effect, Extent, Part, Place, Registry};

/// One bridge over one repealed act.
#[derive(Debug, Clone)]
pub struct Bridge<'a> {
    /// The acting act's clause that ends the act between.
    pub clause: &'a Clause,
    /// The target's clause by which it had changed that act.
    pub change: &'a Clause,
    /// Whether the target goes whole.
    pub whole: bool,
    /// Else its articles that changed the act between, as far as they are known.
    pub parts: Vec<Part>,
}

/// The bridges from an acting act with these clauses to a target with those, one per act between;
/// where the target goes whole, only the first.
pub fn bridges<'a>(
    acting: &'a [Clause],
    target: &Celex,
    changes: &'a [Clause],
    registry: &Registry,
) -> Vec<Bridge<'a>> {
    let rewrites: Vec<&Clause> = changes.iter().filter(|c| registry.effect(&c.relation) == Effect::Rewrites).collect();
    let ends =
        |c: &&Clause| registry.effect(&c.relation) == Effect::Ends && &c.target != target && takes_along(c, &rewrites);
    let ended: Vec<&Clause> = acting.iter().filter(ends).collect();
    let only_changes = rewrites.iter().any(|c| c.alone)
        && changes.iter().all(|c| registry.effect(&c.relation) == Effect::Rewrites || only_announced(c))
        && rewrites.iter().all(|c| ended.iter().any(|e| e.target == c.target));
    let mut spans: Vec<Bridge> = Vec::new();
    for clause in ended {
        if spans.iter().any(|s| s.clause.target == clause.target) {
            continue;
        }
        let onto: Vec<&&Clause> = rewrites.iter().filter(|c| c.target == clause.target).collect();
        let titled = onto.iter().find(|c| c.place == Place::Title);
        let Some(change) = titled.or_else(|| onto.first()) else { continue };
        let mut parts: Vec<Part> = onto.iter().filter_map(|c| article(&c.place)).collect();
        parts.sort();
        parts.dedup();
        if only_changes {
            parts.clear();
        }
        spans.push(Bridge { clause, change, whole: only_changes, parts });
    }
    if only_changes {
        spans.truncate(1);
    }
    spans
}

/// Whether the end of an act takes along what had been changed in it: it ends whole, or all but parts that
/// none of these changes touched.
fn takes_along(end: &Clause, changes: &[&Clause]) -> bool {
    let saved: Vec<&Part> = end.saved.iter().filter_map(|s| s.part.as_ref()).collect();
    if end.extent != Extent::Partial || saved.is_empty() {
        return end.extent == Extent::Whole;
    }
    let here = changes.iter().filter(|c| c.target == end.target && c.place != Place::Title);
    let touched: Vec<&Part> = here.flat_map(|c| &c.parts).collect();
    let apart = |p: &&Part| !saved.iter().any(|s| s.contains(p) || p.contains(s));
    end.parts.is_empty() && !touched.is_empty() && touched.iter().all(apart)
}

/// An end that only a title announces is mostly that of the title it quotes: "correcting Regulation X on y and
/// repealing Regulation Z".
fn only_announced(clause: &Clause) -> bool {
    clause.place == Place::Title && clause.extent == Extent::Unknown
}

/// The article that a place lies in.
fn article(place: &Place) -> Option<Part> {
    match place {
        Place::Operative(Some(part)) => Part::new(part.division(), part.label(), Vec::new()).ok(),
        _ => None,
    }
}
