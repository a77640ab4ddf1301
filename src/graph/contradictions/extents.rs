//! How much of the target ends: what the row records, and what the words say.

use super::ground::{Ground, Link};
use super::{Disagreement, Kind};
use crate::law::{Clause, Effect, Evidence, Extent, Part, Place, RegisterRow, Saving, Touch};

pub fn read(ground: &Ground<'_>) -> Vec<Disagreement> {
    let ends = ground.rows.iter().filter(|((_, relation, _), _)| ground.effect(relation) == Effect::Ends);
    ends.filter_map(|(link, rows)| one(ground, *link, rows)).collect()
}

fn one(ground: &Ground<'_>, link: Link<'_>, rows: &[&RegisterRow]) -> Option<Disagreement> {
    let (source, relation, target) = link;
    let spec = ground.registry.spec(relation)?;
    let words = ground.between(source, target);
    let ends: Vec<&Clause> =
        words.into_iter().filter(|c| c.place != Place::Title && ground.effect(&c.relation) == Effect::Ends).collect();
    let row = *rows.first()?;
    if rows.iter().all(|r| r.part.is_some()) {
        return as_partial(ground, link, row, &ends);
    }
    if spec.default_extent != Extent::Whole || rows.iter().any(|r| qualifies(r)) {
        return None;
    }
    let (kind, quote, what) = if ends.is_empty() {
        return bridged(ground, link, row);
    } else {
        let touched: Vec<&Part> = ends.iter().flat_map(|c| &c.parts).collect();
        let saved: Vec<&Saving> = ends.iter().flat_map(|c| &c.saved).collect();
        let quote = ends.iter().find(|c| c.extent == Extent::Partial || !c.saved.is_empty())?.quote.clone();
        let partial = ends.iter().all(|c| c.extent == Extent::Partial);
        if partial && !touched.is_empty() {
            (Kind::PartialAsWhole, quote, format!("only {} of it", list(&touched)))
        } else if partial || saved.iter().any(|s| s.part.is_some()) {
            let parts: Vec<&Part> = saved.iter().filter_map(|s| s.part.as_ref()).collect();
            (
                Kind::SavingNotRecorded,
                quote,
                format!("all of it but {}, kept in force for a time or for some cases", nonempty(&parts)?),
            )
        } else if let [saving, ..] = saved[..] {
            let until = saving.until.map_or(String::new(), |d| format!(", until {}", d.long()));
            let whom = if saving.words.is_empty() { "some cases".to_string() } else { saving.words.clone() };
            (Kind::SavingNotRecorded, quote, format!("it with a saving ({whom}{until})"))
        } else {
            return None;
        }
    };
    let label = &spec.label;
    let says = format!(
        "the register records that {source} {label} {target} and says nothing of an extent; by the words of {source} it ends {what}"
    );
    let sides = (ground.written(&row.locus), quote);
    Some(Disagreement::new(kind, &[source, target], Some(relation), sides, says).of_silence())
}

/// Whether a row says anything that narrows it.
fn qualifies(row: &RegisterRow) -> bool {
    row.part.is_some() || row.end.is_some() || row.comment.is_some()
}

/// The row names parts; the words end the whole act, and keep nothing.
fn as_partial(ground: &Ground<'_>, link: Link<'_>, row: &RegisterRow, ends: &[&Clause]) -> Option<Disagreement> {
    let (source, relation, target) = link;
    let whole = |c: &&&Clause| c.extent == Extent::Whole && c.saved.is_empty();
    let clause = ends.iter().find(whole)?;
    let part = row.part.as_ref()?.long();
    let says = format!(
        "the register records that {source} {} {part} of {target}; by the words of {source} the whole act ends",
        ground.label(relation)
    );
    let sides = (ground.written(&row.locus), clause.quote.clone());
    Some(Disagreement::new(Kind::WholeAsPartial, &[source, target], Some(relation), sides, says))
}

/// An act that no clause ends by name: it goes with the act between, which it had changed, and only as far as that.
fn bridged(ground: &Ground<'_>, (source, relation, target): Link<'_>, row: &RegisterRow) -> Option<Disagreement> {
    let edge = ground.graph.edge(source, relation, target)?;
    let partial = |t: &&Touch| t.extent == Extent::Partial && !t.parts.is_empty();
    let bridge = |t: &Touch| match edge.evidence.get(t.evidence) {
        Some(Evidence::Bridge { via, clause, change }) => Some((via, clause, change)),
        _ => None,
    };
    let (touch, (via, clause, change)) = edge.touches.iter().filter(partial).find_map(|t| Some((t, bridge(t)?)))?;
    let parts: Vec<&Part> = touch.parts.iter().collect();
    let says = format!(
        "the register records that {source} {} {target} and says nothing of an extent; by its words {source} ends {via}, which {target} had changed in its {}, besides doing other things",
        ground.label(relation),
        list(&parts)
    );
    let sides = (ground.written(&row.locus), clause.clone());
    let found = Disagreement::new(Kind::PartialAsWhole, &[source, target, via], Some(relation), sides, says);
    Some(Disagreement { further: Some(change.clone()), ..found }.of_silence())
}

fn nonempty(parts: &[&Part]) -> Option<String> {
    (!parts.is_empty()).then(|| list(parts))
}

fn list(parts: &[&Part]) -> String {
    parts.iter().map(|p| p.long()).collect::<Vec<_>>().join(", ")
}
