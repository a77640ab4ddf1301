//! Consolidated states that the register counts from days before the act was published, or after it had ended.

use super::flags::ended_by_words;
use super::ground::Ground;
use super::{Disagreement, Kind};
use crate::law::{Basis, Celex, ConsolidatedState, Day, Quote};

pub fn read(ground: &Ground<'_>) -> Vec<Disagreement> {
    ground
        .states
        .iter()
        .flat_map(|(celex, states)| [before(ground, celex, states), after(ground, celex, states)])
        .flatten()
        .collect()
}

fn before(ground: &Ground<'_>, celex: &Celex, states: &[&ConsolidatedState]) -> Option<Disagreement> {
    let life = ground.graph.life(celex)?;
    let begins = life.in_force.known()?;
    let quote = life.begins_because.quote.as_ref()?;
    // A state that counts from the day of publication is the text as published: the register's way of counting.
    let state = states.first().filter(|s| s.from < begins && life.published.is_some_and(|p| s.from < p))?;
    // An act may apply before it enters into force, as a whole or in parts.
    let applies = life.applies.earliest.is_none_or(|d| d < begins);
    let staged = life.staged.iter().any(|s| s.at.earliest.is_none_or(|d| d < begins));
    if applies || staged {
        return None;
    }
    let published = life.published.map_or(String::new(), |d| format!(", published on {},", d.long()));
    let says = format!(
        "the register counts a consolidated state of {celex} from {}; by its own words {celex}{published} entered into force on {}",
        state.from.long(),
        begins.long()
    );
    let sides = (ground.written(&state.locus), quote.clone());
    Some(Disagreement::new(Kind::StateBeforeForce, &[celex], None, sides, says))
}

fn after(ground: &Ground<'_>, celex: &Celex, states: &[&ConsolidatedState]) -> Option<Disagreement> {
    let (without, ending, quote) = ended_by_words(ground.graph, celex)?;
    // A state that counts from the first day without the act is the register's record of that end.
    let state = states.last().filter(|s| s.from > without)?;
    let by = ending.by.as_ref();
    let says = format!(
        "the register counts a consolidated state of {celex} from {}; by the words of {} {} was the first day without it",
        state.from.long(),
        by.map_or_else(|| "the act itself".to_string(), Celex::to_string),
        without.long()
    );
    let acts: Vec<&Celex> = by.into_iter().chain([celex]).collect();
    let sides = (ground.written(&state.locus), quote);
    let found = Disagreement::new(Kind::StateAfterEnd, &acts, None, sides, says);
    Some(Disagreement { further: by.and_then(|by| own_day(ground, by, celex, without)), ..found })
}

/// Where the acting act's clause names no day, the words on its own application or entry into force.
fn own_day(ground: &Ground<'_>, by: &Celex, celex: &Celex, without: Day) -> Option<Quote> {
    let touches = ground.graph.onto(celex).filter(|e| &e.source == by).flat_map(|e| &e.touches);
    let basis = touches.filter(|t| t.start == Some(without)).find_map(|t| t.basis)?;
    let life = ground.graph.life(by)?;
    match basis {
        Basis::Applies => life.applies_because.and_then(|r| r.quote),
        Basis::EntryIntoForce => life.begins_because.quote,
        Basis::Annotation | Basis::Clause | Basis::Publication => None,
    }
}
