//! A data table while it is read: rows on lines of their own, cells apart, tables inside it part of its cells.

use super::words::Words;

/// A data table that is open.
#[derive(Debug, Default)]
pub(super) struct Data {
    /// What was read of it.
    pub words: Words,
    /// Cells of the row that have been opened.
    cells: usize,
    /// How many tables stand open inside it.
    inside: usize,
}

impl Data {
    /// A row begins.
    pub fn row(&mut self, at: usize) {
        if self.inside == 0 {
            self.cells = 0;
            if !self.words.is_empty() {
                self.words.separator("\n", at);
            }
        }
    }

    /// A cell begins.
    pub fn cell(&mut self, at: usize) {
        if self.inside == 0 {
            if self.cells > 0 {
                self.words.separator(" | ", at);
            }
            self.cells += 1;
        }
    }

    /// A table begins inside it.
    pub fn enter(&mut self) {
        self.inside += 1;
    }

    /// A table ends; says whether it was one inside.
    pub fn leave(&mut self) -> bool {
        let inside = self.inside > 0;
        self.inside = self.inside.saturating_sub(1);
        inside
    }

    /// Its words, unless it has none.
    pub fn said(self) -> Option<Words> {
        Some(self.words).filter(|words| words.text().chars().any(char::is_alphanumeric))
    }
}
