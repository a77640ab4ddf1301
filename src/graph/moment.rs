//! A first day that is known, bounded, or not known at all.

use crate::law::{Answer, Day};
use serde::Serialize;

/// The first day of something: it lies between two days, both inside. Without an earliest day it may
/// have come at any time before; without a latest it may never come.
///
/// ```
/// use legal_link::graph::Moment;
/// use legal_link::law::{Answer, Day};
/// let (a, b) = (Day::from_ymd(2017, 1, 3).unwrap(), Day::from_ymd(2018, 1, 3).unwrap());
/// let moved = Moment::between(a, b);
/// assert_eq!(moved.reached(a.pred()), Answer::No);
/// assert_eq!(moved.reached(a), Answer::Unknown);
/// assert_eq!(moved.reached(b), Answer::Yes);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct Moment {
    /// No earlier than this day.
    pub earliest: Option<Day>,
    /// No later than this day.
    pub latest: Option<Day>,
}

impl Moment {
    /// Not known at all.
    pub const UNKNOWN: Self = Self { earliest: None, latest: None };

    /// Exactly this day.
    pub fn on(day: Day) -> Self {
        Self { earliest: Some(day), latest: Some(day) }
    }

    /// Between the two days, given in any order.
    pub fn between(a: Day, b: Day) -> Self {
        Self { earliest: Some(a.min(b)), latest: Some(a.max(b)) }
    }

    /// On this day, or later, or never; with `None`, not known at all.
    pub fn not_before(day: Option<Day>) -> Self {
        Self { earliest: day, latest: None }
    }

    /// The day, if there is only one it can be.
    pub fn known(&self) -> Option<Day> {
        self.earliest.filter(|_| self.earliest == self.latest)
    }

    /// Whether it has come by this day.
    pub fn reached(&self, on: Day) -> Answer {
        if self.latest.is_some_and(|l| l <= on) {
            Answer::Yes
        } else if self.earliest.is_some_and(|e| e > on) {
            Answer::No
        } else {
            Answer::Unknown
        }
    }

    /// The same, known to have come by `day` at the latest.
    #[must_use]
    pub fn at_latest(self, day: Day) -> Self {
        let latest = self.latest.map_or(day, |l| l.min(day));
        Self { earliest: self.earliest.map(|e| e.min(latest)), latest: Some(latest) }
    }

    /// In words: `on 25 May 2018`, `between … and …`, `on a day not known`.
    pub fn words(&self) -> String {
        match (self.earliest, self.latest) {
            (Some(e), Some(l)) if e == l => format!("on {}", e.long()),
            (Some(e), Some(l)) => format!("on a day between {} and {}", e.long(), l.long()),
            (Some(e), None) => format!("on a day not known, not before {}", e.long()),
            (None, Some(l)) => format!("on a day not known, at the latest {}", l.long()),
            (None, None) => "on a day not known".to_string(),
        }
    }
}
