//! The sum at the end of a crawl: nothing that was wanted is left out of it.

use serde::Serialize;
use std::collections::BTreeMap;

/// What became of everything that was wanted: each is stored, known to be absent, failed, or pending.
///
/// ```
/// use legal_link::build::Sum;
/// let mut sum = Sum::of(3);
/// sum.stored(2);
/// sum.failed("notice/32009R9001", "status 500");
/// assert_eq!((sum.pending(), sum.exit_zero()), (0, false));
/// assert_eq!(sum.to_string(), "3 wanted = 2 stored + 0 known absent + 1 failed + 0 pending");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Sum {
    /// How much was wanted.
    pub wanted: usize,
    /// How much of it is in the cache.
    pub stored: usize,
    /// How much is known not to exist, by what is missing.
    pub absent: BTreeMap<String, usize>,
    /// What failed for good, by reason.
    pub failed: BTreeMap<String, Vec<String>>,
}

impl Sum {
    /// So much is wanted, and nothing is known yet.
    pub fn of(wanted: usize) -> Self {
        Self { wanted, ..Self::default() }
    }

    /// So much more is in the cache.
    pub fn stored(&mut self, more: usize) {
        self.stored += more;
    }

    /// One more is known not to exist.
    pub fn absent(&mut self, what: &str) {
        *self.absent.entry(what.to_string()).or_default() += 1;
    }

    /// One more failed for good.
    pub fn failed(&mut self, what: &str, why: &str) {
        self.failed.entry(why.to_string()).or_default().push(what.to_string());
    }

    /// How much is known not to exist.
    pub fn absences(&self) -> usize {
        self.absent.values().sum()
    }

    /// How much failed for good.
    pub fn failures(&self) -> usize {
        self.failed.values().map(Vec::len).sum()
    }

    /// How much is neither stored nor absent nor failed: it has still to be asked for.
    pub fn pending(&self) -> usize {
        self.wanted.saturating_sub(self.stored + self.absences() + self.failures())
    }

    /// Whether all that exists is here.
    pub fn exit_zero(&self) -> bool {
        self.pending() == 0 && self.failed.is_empty()
    }

    /// Both sums as one.
    pub fn add(&mut self, other: &Self) {
        self.wanted += other.wanted;
        self.stored += other.stored;
        for (what, n) in &other.absent {
            *self.absent.entry(what.clone()).or_default() += n;
        }
        for (why, what) in &other.failed {
            self.failed.entry(why.clone()).or_default().extend(what.iter().cloned());
        }
    }
}

/// The sum, written out.
impl std::fmt::Display for Sum {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { wanted, stored, .. } = self;
        let (absent, failed, pending) = (self.absences(), self.failures(), self.pending());
        write!(f, "{wanted} wanted = {stored} stored + {absent} known absent + {failed} failed + {pending} pending")
    }
}
