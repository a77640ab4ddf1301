//! Consolidated states of an act in time, and which texts a corrigendum concerns.

use super::{Answer, Celex, Day, Language};

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
