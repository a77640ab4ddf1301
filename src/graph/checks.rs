//! Checks that a register can fail by itself: statements of it that cannot both hold.

use super::contradictions::{Disagreement, Ground, Kind};
use crate::law::{
    ActRecord, Answer, Celex, Day, Effect, EffectDate, Locus, RecordedEnd, RegisterRow, RelationType, year_fits,
};
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::BTreeMap;

pub(super) fn read(ground: &Ground<'_>) -> Vec<Disagreement> {
    let rows = ground.rows.iter().filter_map(|((source, relation, target), rows)| {
        Some(Recorded { ground, source, relation, target, row: rows.first()?, rows })
    });
    let rows: Vec<Recorded<'_>> = rows.collect();
    let of_rows =
        rows.iter().flat_map(|r| [r.itself(), r.against_time(), r.corrector(), r.ended_yet_in_force(), r.span()]);
    let records = ground.records.values().flatten();
    let of_records = records.flat_map(|r| [conflict(ground, r), order(ground, r), year(ground, r)]);
    let states = ground.states.values().flatten().filter(|s| s.until.is_some_and(|u| u < s.from));
    let of_states = states.map(|s| {
        let says = format!("the register counts a state of {} from {} to an earlier day", s.of, s.from.long());
        pair(ground, Kind::EndBeforeStart, &[&s.of, &s.celex], None, (&s.locus, &s.locus), says)
    });
    of_rows.chain(of_records).flatten().chain(of_states).chain(cycles(&rows)).collect()
}

fn pair(
    ground: &Ground<'_>,
    kind: Kind,
    acts: &[&Celex],
    relation: Option<&RelationType>,
    (one, other): (&Locus, &Locus),
    says: String,
) -> Disagreement {
    Disagreement::new(kind, acts, relation, (ground.written(one), ground.written(other)), says)
}

/// A recorded link, by its fullest row.
struct Recorded<'a> {
    ground: &'a Ground<'a>,
    source: &'a Celex,
    relation: &'a RelationType,
    target: &'a Celex,
    row: &'a RegisterRow,
    rows: &'a [&'a RegisterRow],
}

impl Recorded<'_> {
    fn effect(&self) -> Effect {
        self.ground.effect(self.relation)
    }

    fn found(&self, kind: Kind, other: &Locus, says: String) -> Disagreement {
        let acts = [self.source, self.target];
        pair(self.ground, kind, &acts, Some(self.relation), (&self.row.locus, other), says)
    }

    fn says(&self) -> String {
        format!("the register records that {} {} {}", self.source, self.ground.label(self.relation), self.target)
    }

    fn itself(&self) -> Option<Disagreement> {
        let loops = self.source == self.target && self.effect() != Effect::None;
        loops.then(|| self.found(Kind::ActsOnItself, &self.row.locus, format!("{}: itself", self.says())))
    }

    /// An act can act on what is made the same day, and on nothing later.
    fn against_time(&self) -> Option<Disagreement> {
        if self.effect() == Effect::None || self.source == self.target {
            return None;
        }
        let dated = |celex: &Celex| {
            let records = self.ground.records.get(celex).into_iter().flatten();
            records.filter_map(|r| Some((r.date_document?, &r.locus))).min_by_key(|(day, _)| *day)
        };
        let ((acting, _), (target, locus)) = (dated(self.source)?, dated(self.target)?);
        let says = format!(
            "{}; by the dates it records {} was made on {}, before {} was, on {}",
            self.says(),
            self.source,
            acting.long(),
            self.target,
            target.long()
        );
        (acting < target).then(|| self.found(Kind::BeforeItExisted, locus, says))
    }

    /// What reads from the beginning differently is put right by a corrigendum, of that act or of its corrigenda.
    fn corrector(&self) -> Option<Disagreement> {
        if !self.ground.registry.spec(self.relation).is_some_and(|s| s.from_beginning) {
            return None;
        }
        if !self.source.is_corrigendum() {
            let says = format!("{}; by its number {} is no corrigendum", self.says(), self.source);
            let words = self.ground.between(self.source, self.target);
            let corrects = words.iter().any(|c| &c.relation == self.relation);
            return (!corrects).then(|| self.found(Kind::CorrectorIsNone, &self.row.locus, says));
        }
        let (own, other) = (self.source.base(), self.target.base());
        let secondary = |c: &Celex| c.as_str().starts_with('3');
        if own == other || !secondary(&own) || !secondary(&other) {
            return None;
        }
        let right = self.ground.rows.get(&(self.source, self.relation, &own))?.first()?;
        let says = format!("{}; by its number, and by another row, {} corrects {own}", self.says(), self.source);
        Some(self.found(Kind::CorrectsAnother, &right.locus, says))
    }

    /// A dated end of the whole act, and a flag of a later day that says in force.
    fn ended_yet_in_force(&self) -> Option<Disagreement> {
        let whole = self.ground.registry.spec(self.relation)?.default_extent == crate::law::Extent::Whole;
        let narrowed = |r: &&RegisterRow| r.part.is_some() || r.comment.is_some() || r.end.is_some();
        if self.effect() != Effect::Ends || !whole || self.rows.iter().any(narrowed) {
            return None;
        }
        let start = self.rows.iter().filter_map(|r| r.start).max()?;
        let mut records = self.ground.records.get(self.target).into_iter().flatten();
        let alive = |r: &&&ActRecord| r.in_force == Some(true) && r.taken.is_some_and(|day| day >= start);
        let record = records.rfind(alive)?;
        let taken: Day = record.taken?;
        let says = format!(
            "{} from {}; its flag says that {} was in force on {}",
            self.says(),
            start.long(),
            self.target,
            taken.long()
        );
        Some(self.found(Kind::EndedYetInForce, &record.locus, says))
    }

    fn span(&self) -> Option<Disagreement> {
        let wrong = self.rows.iter().find(|r| r.start.zip(r.end).is_some_and(|(start, end)| end < start))?;
        let (start, end) = (wrong.start?, wrong.end?);
        let says = format!("{} from {} to {}, an earlier day", self.says(), start.long(), end.long());
        Some(self.found(Kind::EndBeforeStart, &wrong.locus, says))
    }
}

/// In force on the flag's day, while every recorded end is past.
fn conflict(ground: &Ground<'_>, record: &ActRecord) -> Option<Disagreement> {
    let (last, taken) = (*record.ends.iter().max()?, record.taken?);
    let celex = &record.celex;
    let says = format!(
        "the register records {} as the last day of {celex}; its flag says that {celex} was in force on {}",
        last.long(),
        taken.long()
    );
    let loci = (&record.locus, &record.locus);
    RecordedEnd::of(record).conflict.then(|| pair(ground, Kind::EndedYetInForce, &[celex], None, loci, says))
}

fn order(ground: &Ground<'_>, record: &ActRecord) -> Option<Disagreement> {
    let entry =
        record.effects.iter().filter(|(kind, _)| *kind == EffectDate::EntryIntoForce).map(|(_, day)| *day).min()?;
    let last = *record.ends.iter().max()?;
    let celex = &record.celex;
    let says = format!(
        "the register records {} as the last day of {celex}, before its entry into force on {}",
        last.long(),
        entry.long()
    );
    let loci = (&record.locus, &record.locus);
    (last < entry && !record.open_end).then(|| pair(ground, Kind::EndBeforeStart, &[celex], None, loci, says))
}

fn year(ground: &Ground<'_>, record: &ActRecord) -> Option<Disagreement> {
    let made = record.date_document?;
    let celex = &record.celex;
    let says = format!("the register records {} as the date of {celex}, whose number says another year", made.long());
    let loci = (&record.locus, &record.locus);
    (year_fits(celex, made) == Answer::No).then(|| pair(ground, Kind::YearDiffers, &[celex], None, loci, says))
}

/// Acts that end each other, directly or round: one finding per circle, with its first two rows.
fn cycles(rows: &[Recorded<'_>]) -> Vec<Disagreement> {
    let ends: Vec<&Recorded<'_>> = rows.iter().filter(|r| r.effect() == Effect::Ends && r.source != r.target).collect();
    let mut net: DiGraph<(), ()> = DiGraph::new();
    let mut ids: BTreeMap<&Celex, NodeIndex> = BTreeMap::new();
    for celex in ends.iter().flat_map(|r| [r.source, r.target]) {
        ids.entry(celex).or_insert_with(|| net.add_node(()));
    }
    for row in &ends {
        net.add_edge(ids[row.source], ids[row.target], ());
    }
    let circles = tarjan_scc(&net).into_iter().filter(|c| c.len() > 1);
    let found = circles.filter_map(|circle| {
        let mut inside = ends.iter().filter(|r| circle.contains(&ids[r.source]) && circle.contains(&ids[r.target]));
        let (first, second) = (inside.next()?, inside.next()?);
        let mut acts: Vec<&Celex> = ids.iter().filter(|(_, id)| circle.contains(id)).map(|(celex, _)| *celex).collect();
        acts.sort();
        let names: Vec<&str> = acts.iter().map(|c| c.as_str()).collect();
        let says = format!("the register records that these acts end each other: {}", names.join(", "));
        let loci = (&first.row.locus, &second.row.locus);
        Some(pair(first.ground, Kind::CycleOfEnds, &acts, None, loci, says))
    });
    found.collect()
}
