//! An act with all that is known of it but its edges.

use super::life::Life;
use crate::law::{Act, ActRecord, Celex, ConsolidatedState, Day, Flavour, Language, Part};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// An act with all that is known of it, but for its edges.
#[derive(Debug)]
pub(super) struct Node {
    pub life: Life,
    pub act: Option<Act>,
    pub record: Option<ActRecord>,
    /// In-force flags with the day each was taken, in order.
    pub flags: Vec<(Option<Day>, bool)>,
    /// Consolidated states, in order.
    pub states: Vec<ConsolidatedState>,
    /// Addresses under which registers keep it.
    pub works: BTreeSet<String>,
    /// The newest day on which anything here told of it.
    pub seen: Option<Day>,
    pub void: bool,
}

impl Node {
    /// Whether one part holds the other.
    pub fn on_line(&self, one: &Part, other: &Part) -> bool {
        self.holds(one, other) || self.holds(other, one)
    }

    pub fn stub(celex: &Celex) -> Self {
        let life = Life::blank(celex.clone());
        Self {
            life,
            act: None,
            record: None,
            flags: Vec::new(),
            states: Vec::new(),
            works: BTreeSet::new(),
            seen: None,
            void: false,
        }
    }

    /// Whether `inner` lies in `outer`, by the labels or by the act's own order.
    pub fn holds(&self, outer: &Part, inner: &Part) -> bool {
        self.act.as_ref().map_or_else(|| outer.contains(inner), |a| a.holds(outer, inner))
    }

    /// Whether its text is here and has no such part, nor one that holds it or lies in it. Parts that amendments
    /// put in are lacking too: the text is the one first published.
    pub fn lacks(&self, part: &Part) -> bool {
        let Some(act) = self.act.as_ref().filter(|_| self.has_text()) else { return false };
        let units = act.texts().flat_map(|text| &text.units);
        lacks(units.filter(|u| !u.quoted).filter_map(|u| u.part.as_ref()), part)
    }

    /// Whether the operative part of its text is here, in the language whose clauses are read.
    pub fn has_text(&self) -> bool {
        let law = self.act.as_ref().filter(|a| !a.flavour.is_judgment());
        law.is_some_and(|a| a.articles().next().is_some() || a.units.len() > 1)
    }
}

/// Whether no part of these is the one asked for, holds it or lies in it.
pub(super) fn lacks<'a>(mut parts: impl Iterator<Item = &'a Part>, part: &Part) -> bool {
    !parts.any(|own| own.contains(part) || part.contains(own))
}

/// One text per act: English, the best structured, the fullest; what it lacks of dates, the others lend.
pub(super) fn best_texts(mut acts: Vec<Act>) -> Vec<Act> {
    let structure = |flavour: Flavour| match flavour {
        Flavour::OjEli => 0,
        Flavour::Oj => 1,
        Flavour::Formex => 2,
        Flavour::TxtTe => 3,
        Flavour::Plain => 4,
        // Of texts of these kinds there is one layout per act, or they are no act's.
        Flavour::ConsolidatedFormex | Flavour::ConsEli | Flavour::ConsOld | Flavour::ConsInline => 5,
        Flavour::Proposal | Flavour::CjeuXhtml => 6,
        Flavour::CjeuMd => 7,
    };
    acts.sort_by_cached_key(|a| {
        let foreign = a.language != Language::ENGLISH;
        (a.celex.clone(), foreign, structure(a.flavour), Reverse(a.units.len()), a.document)
    });
    let mut best: Vec<Act> = Vec::new();
    for act in acts {
        match best.last_mut().filter(|b| b.celex == act.celex) {
            Some(kept) => {
                kept.published = kept.published.or(act.published);
                kept.date_document = kept.date_document.or(act.date_document);
            }
            None => best.push(act),
        }
    }
    best
}

/// Two records of one act: the newer speaks, the other fills its gaps.
pub(super) fn merged(a: ActRecord, b: ActRecord) -> ActRecord {
    let rank = |r: &ActRecord| (r.taken, r.effects.len(), r.ends.len(), r.locus.document, r.locus.span);
    let (mut kept, other) = if rank(&a) >= rank(&b) { (a, b) } else { (b, a) };
    kept.title = kept.title.or(other.title);
    kept.date_document = kept.date_document.or(other.date_document);
    kept.published = kept.published.or(other.published);
    if kept.effects.is_empty() {
        kept.effects = other.effects;
    }
    if kept.ends.is_empty() && !kept.open_end {
        (kept.ends, kept.open_end) = (other.ends, other.open_end);
    }
    kept
}
