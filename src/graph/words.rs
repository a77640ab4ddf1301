//! A touch in words.

use super::edges::Edge;
use super::starts::Start;
use super::status::Reason;
use crate::law::{Basis, Celex, Effect, Evidence, Extent, Part, Quote, Touch};

/// The fact that a touch states, in words.
pub(super) fn told(edge: &Edge, touch: &Touch, start: &Start) -> Reason {
    let (source, target) = (&edge.relation.source, &edge.relation.target);
    let list = |parts: Vec<String>| parts.join(", ");
    let what = match (touch.extent, touch.parts.is_empty()) {
        (Extent::Unknown, _) => format!("{target}, how much of it is not known,"),
        (_, false) => format!("{} of {target}", list(touch.parts.iter().map(Part::long).collect())),
        (Extent::Partial, true) if touch.saved.is_empty() => format!("part of {target}, which is not known,"),
        _ => target.to_string(),
    };
    let verb = match edge.effect {
        Effect::DeclaresSpent => "states to have no effect left:",
        Effect::Voids => "declares void",
        _ => "ends",
    };
    let mut says = vec![format!("{source} {verb} {what} {}", start.moment.words())];
    if let Some(words) = &touch.conditional {
        says.push(format!(", if and when \u{201c}{words}\u{201d}"));
    }
    if touch.basis == Some(Basis::EntryIntoForce) {
        says.push(" (presumed: its entry into force, for no other day is named)".to_string());
    }
    if touch.basis == Some(Basis::Applies) {
        says.push(" (the day from which it applies)".to_string());
    }
    if let Some(day) = start.moved_from {
        let by: Vec<String> = start.changed_by.iter().map(Celex::to_string).collect();
        says.push(format!(" (first printed as {}, moved by {})", day.long(), by.join(", ")));
    }
    if start.confirmed.is_some() {
        let by: Vec<String> = start.changed_by.iter().map(Celex::to_string).collect();
        let by = by.join(", ");
        says.push(format!(" (changed by {by}; the consolidated states of {target} confirm the day)"));
    }
    if let Some(doubt) = &start.unconfirmed {
        says.push(format!("; unconfirmed: {doubt}"));
    }
    let saved: Vec<String> = touch
        .saved
        .iter()
        .filter_map(|s| {
            let part = s.part.as_ref()?.long();
            Some(s.until.map_or(part.clone(), |u| format!("{part} until {}", u.long())))
        })
        .collect();
    if !saved.is_empty() {
        says.push(format!(", but {} lives on", list(saved)));
    }
    let mut reason = Reason::about(source, says.concat()).and(target);
    for by in &start.changed_by {
        reason = reason.and(by);
    }
    if let Some(Evidence::Bridge { via, .. }) = edge.relation.evidence.get(touch.evidence) {
        reason.add(&format!(", by the bridge through {via}"));
        reason = reason.and(via);
    }
    match quote(edge, touch) {
        Some(quote) => reason.quoting(quote),
        None => reason,
    }
}

/// The words that a touch is read from.
pub(super) fn quote<'e>(edge: &'e Edge, touch: &Touch) -> Option<&'e Quote> {
    match edge.relation.evidence.get(touch.evidence)? {
        Evidence::Text { quote } | Evidence::Bridge { clause: quote, .. } => Some(quote),
        Evidence::Notice { .. } | Evidence::Register { .. } => None,
    }
}
