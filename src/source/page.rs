//! What a page of a longer list says about what comes after it.

use crate::law::Answer;

/// A page of a list that is had page by page, or an answer with a bound on its rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// The most that a page holds.
    pub size: u64,
    /// What this one held.
    pub returned: u64,
    /// Whether it was cut before its end.
    pub partial: bool,
}

impl Page {
    /// Whether there may be more. A full page may be the last, which only the next one shows; a short one is the last,
    /// unless it was cut: then it proves nothing.
    ///
    /// ```
    /// use legal_link::{law::Answer, source::Page};
    /// let page = |returned, partial| Page { size: 100, returned, partial }.more();
    /// assert_eq!((page(100, false), page(12, false), page(37, true)), (Answer::Yes, Answer::No, Answer::Unknown));
    /// ```
    pub fn more(&self) -> Answer {
        if self.partial { Answer::Unknown } else { Answer::from(self.returned >= self.size) }
    }
}
