//! Consolidated states of an act in time, and which texts a corrigendum concerns.

use super::{Act, Answer, Celex, CelexClass, ConsolidatedState, Day, Language, Locus, UnitKind};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// The state of an act on a day, among its consolidated states (in any order): the latest that begins on or before it,
/// never a later one. None before the first. With `act` given, states of other acts are passed over.
pub fn version_on<'a>(
    act: Option<&Celex>,
    versions: impl IntoIterator<Item = &'a Celex>,
    day: Day,
) -> Option<&'a Celex> {
    let own = versions.into_iter().filter(|v| act.is_none_or(|act| v.base() == *act));
    let dated = own.filter_map(|v| Some((v.parts().version?, v)));
    dated.filter(|(from, _)| *from <= day).max_by_key(|(from, _)| *from).map(|(_, version)| version)
}

/// The days on which the state of a day holds, among the first days of all states: from its first day to the eve of
/// the next state. None before the first; no last day for the latest.
pub fn state_around(firsts: impl IntoIterator<Item = Day>, day: Day) -> Option<(Day, Option<Day>)> {
    let (mut from, mut next) = (None, None);
    for first in firsts {
        if first <= day {
            from = from.max(Some(first));
        } else if next.is_none_or(|n| first < n) {
            next = Some(first);
        }
    }
    from.map(|from| (from, next.map(Day::pred)))
}

/// Whether a correction made in `languages` concerns the text in the language read; unknown where none is recorded.
pub fn concerns(languages: &[Language], reading: Language) -> Answer {
    if languages.is_empty() { Answer::Unknown } else { Answer::from(languages.contains(&reading)) }
}

impl ConsolidatedState {
    /// The state that a consolidated text is: its day stands in its number. None for other texts.
    ///
    /// The text itself proves nothing else of its act: a state is evidence for dates, and never the sole proof.
    pub fn of_text(act: &Act, taken: Option<Day>) -> Option<Self> {
        let from = act.celex.parts().version?;
        let locus = Locus { document: act.document, span: act.title.span };
        Some(Self { celex: act.celex.clone(), of: act.celex.base(), from, until: None, locus, taken })
    }
}

/// Those of the documents that belong to this act, in the order given: its dated consolidated states, its corrigenda,
/// the national measures that transpose it. A register asked for them lists those of other acts too.
pub fn belonging<'a>(
    act: &Celex,
    class: CelexClass,
    rows: impl IntoIterator<Item = &'a Celex>,
) -> impl Iterator<Item = &'a Celex> {
    let own = move |row: &&Celex| {
        let parts = row.parts();
        // The family of all states has no day, the family of all measures neither country nor number.
        let single = match class {
            CelexClass::Consolidated => parts.version.is_some(),
            CelexClass::NationalMeasure => parts.measure.is_some(),
            _ => true,
        };
        parts.class == class && single && row.base() == *act
    };
    rows.into_iter().filter(own)
}

/// Where to take the units of a kind from when a text is asked for them: consolidated texts leave out what stands
/// before the enacting terms, so citations and recitals come from the act as published.
pub fn text_with(celex: &Celex, kind: UnitKind) -> Celex {
    match kind {
        UnitKind::Citation | UnitKind::Recital if celex.is_consolidated() => celex.base(),
        _ => celex.clone(),
    }
}

/// The newest state that can be had, and the newer ones that cannot, newest first: the newest that a register lists
/// may not be there yet.
pub fn newest_served<'a>(
    versions: impl IntoIterator<Item = &'a Celex>,
    served: impl Fn(&Celex) -> bool,
) -> (Option<&'a Celex>, Vec<&'a Celex>) {
    let mut newest: Vec<&Celex> = versions.into_iter().collect();
    newest.sort_by_key(|v| Reverse(v.parts().version));
    let found = newest.iter().position(|v| served(v));
    let version = found.map(|at| newest[at]);
    newest.truncate(found.unwrap_or(newest.len()));
    (version, newest)
}

/// Whether a newer state of the same act is known. It says nothing of the act: an old state is superseded, not repealed.
pub fn is_superseded(version: &Celex, newer: Option<&Celex>) -> bool {
    newer.is_some_and(|n| n.base() == version.base() && n.parts().version > version.parts().version)
}

/// The days of changes that a consolidated state does not hold yet: those after its own, in order, each once.
pub fn not_consolidated(version: &Celex, changes: impl IntoIterator<Item = Day>) -> BTreeSet<Day> {
    let of = version.parts().version;
    changes.into_iter().filter(|day| of.is_none_or(|of| *day > of)).collect()
}
