//! What hangs: a marker before its words, and the tables that put it there.

use super::block::Region;
use super::words::Words;

/// A marker that waits for its words.
#[derive(Debug, Default)]
pub(super) struct Hanging {
    /// Its words; empty if none waits.
    pub marker: Words,
    /// How deep it hangs.
    pub depth: usize,
    /// The region that its paragraph's style says.
    pub region: Option<Region>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TableKind {
    /// A narrow column of markers and a wide one of text.
    Layout,
    /// Rows and columns that mean something.
    Data,
}

/// A table that is open.
#[derive(Debug)]
pub(super) struct Table {
    /// What it is; known from its first row on.
    pub kind: Option<TableKind>,
    /// The column being read.
    pub column: usize,
    bordered: bool,
    widths: Vec<u32>,
}

impl Table {
    pub fn new(bordered: bool) -> Self {
        Self { kind: None, column: 0, bordered, widths: Vec::new() }
    }

    /// A column's width in per cent, as written.
    pub fn width(&mut self, raw: &str) {
        if self.widths.len() < 64 {
            self.widths.push(raw.trim_end_matches('%').parse().unwrap_or(0));
        }
    }

    /// What it is, decided once.
    pub fn settle(&mut self) -> TableKind {
        let narrow = self.widths.first().is_some_and(|w| (1..=12).contains(w));
        let wide = self.widths.last().is_some_and(|w| *w >= 75);
        let layout = !self.bordered && self.widths.len() == 2 && narrow && wide;
        *self.kind.get_or_insert(if layout { TableKind::Layout } else { TableKind::Data })
    }

    /// Whether what is read stands in the column of markers.
    pub fn in_marker_column(&self) -> bool {
        self.kind == Some(TableKind::Layout) && self.column == 0
    }
}
