//! What a flag says of its day, and what the words say of that day.

use super::ground::Ground;
use super::{Disagreement, Kind};
use crate::graph::endings::Ending;
use crate::graph::relation_graph::RelationGraph;
use crate::law::{ActRecord, Answer, Celex, Day, Quote};

pub fn read(ground: &Ground<'_>) -> Vec<Disagreement> {
    let records = ground.records.values().flatten();
    records.filter_map(|r| if r.in_force? { in_force(ground, r) } else { not_in_force(ground, r) }).collect()
}

/// What the words end wholly, from a day that is known, with their quotation; nothing where a part or a case lives on.
pub(super) fn ended_by_words(graph: &RelationGraph, celex: &Celex) -> Option<(Day, Ending, Quote)> {
    let endings = graph.endings(&celex.clone().into(), None);
    let whole = endings.into_iter().filter(|e| e.whole && !e.spent && e.over.is_none());
    let stated = whole.filter_map(|e| Some((e.from.known()?, e.because.quote.clone()?, e)));
    let (day, quote, ending) = stated.min_by_key(|(day, ..)| *day)?;
    let keeps = |by: &Celex| {
        graph.onto(celex).filter(|e| &e.source == by).flat_map(|e| &e.touches).any(|t| !t.saved.is_empty())
    };
    let saved = ending.by.as_ref().is_some_and(keeps);
    (!saved).then_some((day, ending, quote))
}

fn in_force(ground: &Ground<'_>, record: &ActRecord) -> Option<Disagreement> {
    let (celex, taken) = (&record.celex, record.taken.or(ground.graph.known_on())?);
    let (without, ending, quote) = ended_by_words(ground.graph, celex)?;
    if without > taken {
        return None;
    }
    let by = ending.by.as_ref();
    let says = format!(
        "the register's flag says that {celex} was in force on {}; by the words of {} it ended, {} being the first day without it",
        taken.long(),
        by.map_or_else(|| "the act itself".to_string(), Celex::to_string),
        without.long()
    );
    let acts: Vec<&Celex> = by.into_iter().chain([celex]).collect();
    let sides = (ground.written(&record.locus), quote);
    Some(Disagreement::new(Kind::FlaggedInForce, &acts, None, sides, says))
}

/// The act has begun, and the only words that end it, or its own last day, end it after the flag's day.
fn not_in_force(ground: &Ground<'_>, record: &ActRecord) -> Option<Disagreement> {
    let (celex, taken) = (&record.celex, record.taken.or(ground.graph.known_on())?);
    let life = ground.graph.life(celex)?;
    if life.in_force.reached(taken) != Answer::Yes {
        return None;
    }
    let endings = ground.graph.endings(&celex.clone().into(), None);
    if endings.iter().any(|e| e.from.reached(taken) != Answer::No) {
        return None;
    }
    let ending = endings.iter().find(|e| e.whole && e.from.known().is_some() && e.because.quote.is_some())?;
    let (without, quote) = (ending.from.known()?, ending.because.quote.clone()?);
    let by = ending.by.as_ref();
    let says = format!(
        "the register's flag says that {celex} was not in force on {}; by the words of {} its last day is {}",
        taken.long(),
        by.map_or_else(|| "the act itself".to_string(), Celex::to_string),
        without.pred().long()
    );
    let acts: Vec<&Celex> = by.into_iter().chain([celex]).collect();
    let sides = (ground.written(&record.locus), quote);
    Some(Disagreement::new(Kind::FlaggedNotInForce, &acts, None, sides, says))
}
