//! Which act does what to which: rows that the words do not bear out, and words that no row records.

use super::ground::{Ground, Link};
use super::{Disagreement, Kind};
use crate::law::{Act, Celex, Clause, Effect, Evidence, Extent, Place, RegisterRow, RelationType};
use std::collections::BTreeSet;

pub fn read(ground: &Ground<'_>) -> Vec<Disagreement> {
    let recorded = ground.rows.iter().filter_map(|(link, rows)| row_against_words(ground, *link, rows));
    let acting: BTreeSet<&Celex> = ground.rows.keys().map(|(source, ..)| *source).collect();
    let missing = acting.into_iter().flat_map(|source| missing(ground, source));
    recorded.chain(missing).collect()
}

fn row_against_words(ground: &Ground<'_>, link: Link<'_>, rows: &[&RegisterRow]) -> Option<Disagreement> {
    let (source, relation, target) = link;
    let spec = ground.registry.spec(relation)?;
    let act = ground.text(source)?;
    // Of a relation that acts do not put in words nothing is silent about it, but for ends, which bridges bear out.
    if source == target || spec.effect == Effect::None || (spec.clauses.is_empty() && spec.effect != Effect::Ends) {
        return None;
    }
    let words = ground.between(source, target);
    if words.iter().any(|c| &c.relation == relation) || has_bridge(ground, link) {
        return None;
    }
    let row = *rows.first()?;
    let sides = |quote: &crate::law::Quote| (ground.written(&row.locus), quote.clone());
    let label = &spec.label;
    if let Some(other) = words.iter().find(|c| c.place != Place::Title) {
        if !tells_apart(ground, spec.effect, rows, other) {
            return None;
        }
        let says = format!(
            "the register records that {source} {label} {target}; by its words {source} {} it{}",
            ground.label(&other.relation),
            if ground.effect(&other.relation) == spec.effect { " expressly" } else { "" }
        );
        return Some(Disagreement::new(
            Kind::OtherRelation,
            &[source, target],
            Some(relation),
            sides(&other.quote),
            says,
        ));
    }
    if !words.is_empty() {
        return None;
    }
    if let Some(back) = ground.between(target, source).into_iter().find(|c| &c.relation == relation) {
        let says = format!(
            "the register records that {source} {label} {target}; the words say that {target} {label} {source}"
        );
        return Some(Disagreement::new(
            Kind::WrongDirection,
            &[source, target],
            Some(relation),
            sides(&back.quote),
            says,
        ));
    }
    if ground.mentions(act, target) {
        return None;
    }
    if let Some(meant) = near(ground, act, relation, target) {
        let says = format!(
            "the register records that {source} {label} {target}, which {source} does not name; by its words it {label} {}",
            meant.target
        );
        return Some(Disagreement::new(
            Kind::WrongTarget,
            &[source, target, &meant.target],
            Some(relation),
            sides(&meant.quote),
            says,
        ));
    }
    // An implicit repeal can only be looked for where it is known what the target had changed.
    let unknown = spec.clauses.is_empty() && ground.clauses(target).is_empty();
    if unknown || (spec.effect == Effect::Ends && ground.may_go_with_another(source, target)) {
        return None;
    }
    let said =
        ground.clauses(source).iter().find(|c| ground.effect(&c.relation) == spec.effect && c.place != Place::Title);
    let quote = said.map_or(&act.title, |c| &c.quote);
    let says = format!(
        "the register records that {source} {label} {target}; the text of {source} does not name {target}, nor does it end an act that {target} changed"
    );
    Some(Disagreement::new(Kind::NotInText, &[source, target], Some(relation), sides(quote), says).of_silence())
}

fn has_bridge(ground: &Ground<'_>, (source, relation, target): Link<'_>) -> bool {
    let edge = ground.graph.edge(source, relation, target);
    edge.is_some_and(|e| e.evidence.iter().any(|x| matches!(x, Evidence::Bridge { .. })))
}

/// Whether a clause of another relation says something else than the row: the deletion of an article is an
/// amendment and the end of a part alike, so only an end of the whole act and its opposite are told apart.
fn tells_apart(ground: &Ground<'_>, recorded: Effect, rows: &[&RegisterRow], clause: &Clause) -> bool {
    let said = ground.effect(&clause.relation);
    let bare = rows.iter().all(|r| r.part.is_none() && r.comment.is_none());
    match (recorded, said) {
        (Effect::Ends, Effect::Ends) => true,
        (Effect::Ends, Effect::Rewrites | Effect::Supplements | Effect::Prolongs | Effect::Widens) => bare,
        (Effect::Rewrites | Effect::Supplements | Effect::Prolongs, Effect::Ends) => clause.extent == Extent::Whole,
        _ => false,
    }
}

/// The act that the acting act's clause of this relation names and no row records, with a number like the recorded.
fn near<'a>(ground: &Ground<'a>, act: &Act, relation: &RelationType, target: &Celex) -> Option<&'a Clause> {
    let unrecorded = |c: &&Clause| !ground.rows.contains_key(&(&act.celex, &c.relation, &c.target));
    let mut alike = ground
        .clauses(&act.celex)
        .iter()
        .filter(|c| &c.relation == relation)
        .filter(unrecorded)
        .filter(|c| differing(c.target.as_str(), target.as_str()) <= 2);
    let first = alike.next()?;
    alike.all(|c| c.target == first.target).then_some(first)
}

/// In how many places two numbers of the same length differ.
fn differing(a: &str, b: &str) -> usize {
    if a.len() == b.len() { a.bytes().zip(b.bytes()).filter(|(x, y)| x != y).count() } else { usize::MAX }
}

/// What the words do to acts that a notice of the acting act has no row for.
fn missing(ground: &Ground<'_>, source: &Celex) -> Vec<Disagreement> {
    let notices = ground.notices_of(source);
    if notices.is_empty() {
        return Vec::new();
    }
    let by: Vec<&RegisterRow> = ground.by(source).collect();
    let mut told = BTreeSet::new();
    let mut list = Vec::new();
    for clause in ground.clauses(source) {
        let effect = ground.effect(&clause.relation);
        let known = by.iter().any(|r| r.target == clause.target && ground.effect(&r.relation) != Effect::None);
        if effect == Effect::None || known || !told.insert((&clause.relation, &clause.target)) {
            continue;
        }
        let Some(row) = by.iter().find(|r| notices.contains(&r.locus.document)) else { continue };
        let (target, label) = (&clause.target, ground.label(&clause.relation));
        let says = format!(
            "{source} {label} {target} by its own words; the notice that lists what {source} does to other acts has no such relation"
        );
        let sides = (ground.written(&row.locus), clause.quote.clone());
        let found = Disagreement::new(Kind::MissingEdge, &[source, target], Some(&clause.relation), sides, says);
        list.push(found.of_silence());
    }
    list
}
