//! The days that the register records and those that the words give.

use super::ground::{Ground, Link};
use super::{Disagreement, Kind};
use crate::graph::life::{Life, unit};
use crate::law::{
    ActRecord, Celex, Clause, Day, EffectDate, EndKind, Quote, RecordedEnd, RegisterRow, TermKind, When, cite,
};

pub fn read(ground: &Ground<'_>) -> Vec<Disagreement> {
    let starts = ground.rows.iter().filter_map(|(link, rows)| start(ground, *link, rows));
    let records = ground.records.iter().flat_map(|(celex, records)| {
        let of_one = records.iter().flat_map(|r| [beginning(ground, r), application(ground, r), document(ground, r)]);
        of_one.chain([end(ground, celex, records)]).flatten().collect::<Vec<_>>()
    });
    starts.chain(records).collect()
}

/// The annotated start of a relation against the clause's first day, where the clause or the act itself fixes one.
fn start(ground: &Ground<'_>, link: Link<'_>, rows: &[&RegisterRow]) -> Option<Disagreement> {
    let (source, relation, target) = link;
    if !ground.registry.spec(relation)?.has_start() {
        return None;
    }
    let act = ground.text(source)?;
    let dated: Vec<(&RegisterRow, Day)> = rows.iter().filter_map(|r| Some((*r, r.start?))).collect();
    let (row, recorded) = *dated.first()?;
    let words = ground.between(source, target);
    let clauses: Vec<&Clause> = words.into_iter().filter(|c| &c.relation == relation).collect();
    let life = ground.graph.life(source)?;
    let mut said = Vec::new();
    for clause in &clauses {
        if matches!(clause.start, When::Event { .. } | When::Notification) {
            return None;
        }
        let (day, _) = clause.start.resolve(&life.acting_dates(Some(act), unit(&clause.place)));
        said.push((day?, clause));
    }
    // An act may count from its entry into force in one register and from its application in another.
    let own: Vec<Day> =
        [life.in_force.known(), life.applies.known(), life.published, life.made].into_iter().flatten().collect();
    let staged = life.staged.iter().filter_map(|s| s.at.known());
    let fits = |day: Day| said.iter().any(|(d, _)| *d == day) || own.contains(&day) || staged.clone().any(|d| d == day);
    if dated.iter().any(|(_, day)| fits(*day)) {
        return None;
    }
    let (day, clause) = said.first()?;
    let says = format!(
        "the register records {} as the day from which {source} {} {target}; by the words of {source} it is {}",
        recorded.long(),
        ground.label(relation),
        day.long()
    );
    let sides = (ground.written(&row.locus), quote_of_day(&life, clause));
    Some(Disagreement::new(Kind::StartDiffers, &[source, target], Some(relation), sides, says))
}

/// The words that give a clause's day: its own, or those on the act's application or entry into force.
fn quote_of_day(life: &Life, clause: &Clause) -> Quote {
    let own = !matches!(clause.start, When::Unstated);
    let act = life.applies_because.as_ref().and_then(|r| r.quote.as_ref()).or(life.begins_because.quote.as_ref());
    if own { clause.quote.clone() } else { act.unwrap_or(&clause.quote).clone() }
}

fn beginning(ground: &Ground<'_>, record: &ActRecord) -> Option<Disagreement> {
    let recorded = days(record, EffectDate::EntryIntoForce);
    let life = ground.graph.life(&record.celex)?;
    let said = life.in_force.known()?;
    let quote = life.begins_because.quote.as_ref()?;
    let staged = life.staged.iter().any(|s| s.kind == TermKind::EntryIntoForce);
    let first = *recorded.iter().min()?;
    if staged || recorded.contains(&said) {
        return None;
    }
    let celex = &record.celex;
    let says = format!(
        "the register records {} as the entry into force of {celex}; by its own words it is {}",
        first.long(),
        said.long()
    );
    Some(about(ground, record, Kind::EntryDiffers, quote, says))
}

fn application(ground: &Ground<'_>, record: &ActRecord) -> Option<Disagreement> {
    let recorded = days(record, EffectDate::Application);
    let life = ground.graph.life(&record.celex).filter(|l| l.application_named)?;
    let said = life.applies.known()?;
    let quote = life.applies_because.as_ref()?.quote.as_ref()?;
    let last = *recorded.iter().max()?;
    if recorded.contains(&said) {
        return None;
    }
    let celex = &record.celex;
    let says = format!(
        "the register records {} as the day from which {celex} applies; by its own words it is {}",
        last.long(),
        said.long()
    );
    Some(about(ground, record, Kind::ApplicationDiffers, quote, says))
}

/// The register's end is the last day inside; an act's clause gives the first day without.
fn end(ground: &Ground<'_>, celex: &Celex, records: &[&ActRecord]) -> Option<Disagreement> {
    let record = records.iter().rev().find(|r| !r.ends.is_empty())?;
    let recorded = RecordedEnd::of(record);
    let last = recorded.last_day.filter(|_| recorded.kind == EndKind::Known)?;
    let endings = ground.graph.endings(&celex.clone().into(), None);
    let said = endings.iter().filter(|e| e.whole && !e.spent && e.over.is_none());
    let (without, ending) = said.filter_map(|e| Some((e.from.known()?, e))).find(|(_, e)| e.because.quote.is_some())?;
    if endings.iter().any(|e| e.from.known().is_none_or(|day| day.pred() == last)) {
        return None;
    }
    let quote = ending.because.quote.as_ref()?;
    let says = format!(
        "the register records {} as the last day of {celex}; by the words of {} it is {}",
        last.long(),
        ending.by.as_ref().map_or_else(|| "the act itself".to_string(), Celex::to_string),
        without.pred().long()
    );
    Some(about(ground, record, Kind::EndDiffers, quote, says))
}

/// The date of a document against the one that its own title gives behind its own number.
fn document(ground: &Ground<'_>, record: &ActRecord) -> Option<Disagreement> {
    let celex = &record.celex;
    if celex.is_corrigendum() {
        return None;
    }
    let recorded = record.date_document?;
    let title = match ground.graph.act(celex) {
        Some(act) => act.title.clone(),
        None => Quote { document: record.locus.document, span: record.locus.span, text: record.title.clone()? },
    };
    let said = dated_by_title(celex, &title.text)?;
    if said == recorded {
        return None;
    }
    let says =
        format!("the register records {} as the date of {celex}; its title says {}", recorded.long(), said.long());
    Some(about(ground, record, Kind::DocumentDateDiffers, &title, says))
}

/// The day that follows the act's own number in its title: `Directive 95/46/EC of … of 24 October 1995`.
fn dated_by_title(celex: &Celex, title: &str) -> Option<Day> {
    let own = cite(title).into_iter().next().filter(|c| c.celex.as_ref() == Some(celex))?;
    let rest = title.get(own.end..)?;
    let head = rest.split([',', ';', '(', ':']).next()?;
    let words: Vec<&str> = head.split_whitespace().take(16).collect();
    let mut days = words.windows(4).filter(|w| w[0] == "of").filter_map(|w| Day::parse_long(&w[1..].join(" ")).ok());
    let acts = words.iter().position(|w| ["amending", "repealing", "supplementing", "correcting", "on"].contains(w));
    let day = days.next()?;
    let at = words.windows(4).position(|w| w[0] == "of" && Day::parse_long(&w[1..].join(" ")) == Ok(day))?;
    acts.is_none_or(|a| at < a).then_some(day)
}

fn days(record: &ActRecord, kind: EffectDate) -> Vec<Day> {
    record.effects.iter().filter(|(k, _)| *k == kind).map(|(_, day)| *day).collect()
}

fn about(ground: &Ground<'_>, record: &ActRecord, kind: Kind, quote: &Quote, says: String) -> Disagreement {
    let sides = (ground.written(&record.locus), quote.clone());
    Disagreement::new(kind, &[&record.celex], None, sides, says)
}
