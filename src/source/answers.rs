//! What an answer about relations proves, and whether it may take the place of the one held.

use crate::law::Answer;

/// How a register answered when asked for an act's relations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answered {
    /// The status of the reply.
    pub status: u16,
    /// The rows it held; none: no table at all.
    pub rows: Option<usize>,
    /// Whether the reply is known to be whole: none of it cut off, no page missing.
    pub complete: bool,
}

/// What becomes of the relations held when a newer answer comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refresh {
    /// The newer answer takes their place.
    Replace,
    /// They stay: the newer one failed.
    Keep,
    /// They stay: the newer one holds fewer than half of them, and is marked so.
    KeepThin,
}

impl Answered {
    /// Whether the act has relations: a failed or cut answer without rows proves nothing.
    pub fn any(&self) -> Answer {
        match self.rows {
            Some(rows) if self.ok() && rows > 0 => Answer::Yes,
            Some(_) if self.ok() && self.complete => Answer::No,
            _ => Answer::Unknown,
        }
    }

    /// Whether it may take the place of an answer with `stored` rows.
    pub fn refresh(&self, stored: usize) -> Refresh {
        match self.rows.filter(|_| self.ok()) {
            None => Refresh::Keep,
            Some(rows) if rows < stored.div_ceil(2) => Refresh::KeepThin,
            Some(_) => Refresh::Replace,
        }
    }

    fn ok(&self) -> bool {
        self.status == 200
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silence_is_an_answer_only_where_all_was_heard() {
        let told = |status, rows, complete| Answered { status, rows, complete }.any();
        assert_eq!(told(200, Some(0), true), Answer::No);
        assert_eq!(told(200, Some(0), false), Answer::Unknown);
        assert_eq!(told(206, Some(0), true), Answer::Unknown);
        assert_eq!(told(503, None, false), Answer::Unknown);
        assert_eq!(told(200, Some(3), false), Answer::Yes);
    }

    #[test]
    fn a_thin_answer_wipes_nothing() {
        let told = |rows, stored| Answered { status: 200, rows, complete: true }.refresh(stored);
        assert_eq!(told(Some(6), 12), Refresh::Replace);
        assert_eq!(told(Some(5), 12), Refresh::KeepThin);
        assert_eq!(told(Some(6), 13), Refresh::KeepThin);
        assert_eq!(told(Some(0), 0), Refresh::Replace);
        assert_eq!(told(None, 12), Refresh::Keep);
    }
}
