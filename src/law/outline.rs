//! The order of an act's units, without their words.

use super::{Act, Part};
use serde::{Deserialize, Serialize};

/// Which parts an act has, and which of them stands in which: what is left of an act's text where only its order counts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outline {
    /// Each unit's address, where it is the act's own and law can name it, and the place of the unit around it.
    seats: Vec<(Option<Part>, Option<usize>)>,
}

impl Outline {
    /// The outline of an act.
    pub fn of(act: &Act) -> Self {
        let own = |u: &super::Unit| u.part.clone().filter(|_| !u.quoted);
        let mut seats = Vec::new();
        for text in act.texts() {
            let before = seats.len();
            seats.extend(text.units.iter().map(|u| (own(u), u.parent.map(|p| p + before))));
        }
        Self { seats }
    }

    /// Whether every unit stands after the one around it, as in every act.
    pub fn is_ordered(&self) -> bool {
        self.seats.iter().enumerate().all(|(i, (_, parent))| parent.is_none_or(|p| p < i))
    }

    /// The addresses of the act's own units, in order.
    pub fn parts(&self) -> impl Iterator<Item = &Part> {
        self.seats.iter().filter_map(|(part, _)| part.as_ref())
    }

    /// Whether `inner` stands in `outer`, as [`Act::holds`] tells.
    pub fn holds(&self, outer: &Part, inner: &Part) -> bool {
        let index = |part: &Part| self.seats.iter().position(|(own, _)| own.as_ref() == Some(part));
        outer.contains(inner)
            || index(outer).zip(index(inner)).is_some_and(|(o, i)| stands_in(|at| self.seats[at].1, o, i))
    }
}

/// Whether the unit at `inner` is the one at `outer` or stands in it. A unit comes after the one around it.
pub(super) fn stands_in(around: impl Fn(usize) -> Option<usize>, outer: usize, inner: usize) -> bool {
    let mut at = inner;
    while at > outer {
        match around(at).filter(|up| *up < at) {
            Some(up) => at = up,
            None => return false,
        }
    }
    at == outer
}
