//! Rows of a register's answer that carry a date, several or none: grouped, and picked by year.

use super::{Day, EffectDate};
use std::collections::{BTreeMap, BTreeSet};

/// The days of each work: a work with two dates comes as two rows and is still one work. Rows without a date, and
/// repeated ones, add nothing.
pub fn days_by_work<'a>(rows: impl IntoIterator<Item = (&'a str, Option<Day>)>) -> BTreeMap<&'a str, BTreeSet<Day>> {
    let mut works: BTreeMap<&str, BTreeSet<Day>> = BTreeMap::new();
    for (work, day) in rows {
        works.entry(work).or_default().extend(day);
    }
    works
}

/// The values of all rows, each once, in the order they first come: a work with two authors comes as two rows.
pub fn distinct<'a>(values: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen = BTreeSet::new();
    values.into_iter().filter(|v| !v.is_empty() && seen.insert(*v)).collect()
}

/// Records picked by year.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfYear<T> {
    /// Those of that year, in the order given.
    pub hits: Vec<T>,
    /// Those without a date (none, or a filler), in the order given: a date condition must not drop them silently.
    pub undated: Vec<T>,
}

/// Picks the records of a year.
pub fn of_year<T>(records: impl IntoIterator<Item = (T, Option<Day>)>, year: i32) -> OfYear<T> {
    let mut picked = OfYear { hits: Vec::new(), undated: Vec::new() };
    for (record, day) in records {
        match day {
            Some(day) if day.year() == year => picked.hits.push(record),
            Some(_) => {}
            None => picked.undated.push(record),
        }
    }
    picked
}

impl EffectDate {
    /// The kind behind a code of the authority table fd_335: `EV`, `MA`, `MA/PART`. Anything else says nothing.
    pub fn of_code(code: &str) -> Self {
        match code {
            "EV" => Self::EntryIntoForce,
            "MA" => Self::Application,
            "MA/PART" => Self::PartialApplication,
            _ => Self::Unsaid,
        }
    }
}

/// The entry into force among dates of effect: the earliest that is annotated as one. Neither the order in the record
/// nor the earliest date tells it; without an annotation it is not known.
pub fn entry_into_force(effects: &[(EffectDate, Day)]) -> Option<Day> {
    effects.iter().filter(|(kind, _)| *kind == EffectDate::EntryIntoForce).map(|(_, day)| *day).min()
}
