//! What a register's in-force flag and ends of validity say together.

use super::{ActRecord, Answer, Day};
use serde::{Deserialize, Serialize};

/// Whether a register records an end of validity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EndKind {
    /// A last day is recorded.
    Known,
    /// The act is in force and no end is set.
    Open,
    /// The record does not tell.
    Unknown,
}

/// The end of validity that a register's record comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordedEnd {
    /// The last day inside.
    pub last_day: Option<Day>,
    /// What is known of the end.
    pub kind: EndKind,
    /// Whether the flag says in force while every end recorded is past.
    pub conflict: bool,
}

impl RecordedEnd {
    /// Weighs a flag against the ends recorded with it.
    ///
    /// `ends` are last valid days, fillers left out; `open_end` says that the filler `9999-12-31` stood among them:
    /// beside "in force" it means an open end, and a past day beside it the end of a part. `taken` is the day on which
    /// the register said so: what the flag says, it says of that day.
    pub fn weigh(in_force: Option<bool>, ends: &[Day], open_end: bool, taken: Option<Day>) -> Self {
        let unknown = Self { last_day: None, kind: EndKind::Unknown, conflict: false };
        let Some(latest) = ends.iter().max().copied() else {
            let open = in_force == Some(true) && open_end;
            return Self { kind: if open { EndKind::Open } else { EndKind::Unknown }, ..unknown };
        };
        let known = Self { last_day: Some(latest), kind: EndKind::Known, conflict: false };
        match in_force {
            Some(true) if open_end => Self { kind: EndKind::Open, ..unknown },
            Some(true) if taken.is_some_and(|day| latest < day) => Self { conflict: true, ..unknown },
            None if open_end => unknown,
            _ => known,
        }
    }

    /// The same of a record about an act.
    pub fn of(record: &ActRecord) -> Self {
        Self::weigh(record.in_force, &record.ends, record.open_end, record.taken)
    }
}

/// Ends of validity as a register writes them, sorted out: real last days in the order given, and whether the filler
/// for "no end" stood among them. Other fillers and broken dates are left out.
pub fn sort_ends<'a>(raw: impl IntoIterator<Item = &'a str>) -> (Vec<Day>, bool) {
    let mut ends = Vec::new();
    let mut open = false;
    for text in raw {
        match super::xsd_day(text) {
            Ok(day) => ends.push(day),
            Err(_) => open |= text.trim().starts_with(NO_END),
        }
    }
    (ends, open)
}

/// The filler that registers write where no end is set.
const NO_END: &str = "9999-12-31";

/// A stretch of days, both ends inside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Period {
    /// The first day; none if not known.
    pub first: Option<Day>,
    /// The last day; none if there is none.
    pub last: Option<Day>,
}

impl Period {
    /// Whether the day lies inside.
    ///
    /// ```
    /// use legal_link::law::{Answer, Period};
    /// let day = |text: &str| text.parse().unwrap();
    /// let period = Period { first: Some(day("1995-12-13")), last: Some(day("2018-05-24")) };
    /// assert_eq!(period.holds(day("2018-05-24")), Answer::Yes);
    /// assert_eq!(period.holds(day("2018-05-25")), Answer::No);
    /// ```
    pub fn holds(&self, day: Day) -> Answer {
        let begun = self.first.map_or(Answer::Unknown, |first| Answer::from(first <= day));
        begun.and(Answer::from(self.last.is_none_or(|last| day <= last)))
    }
}
