//! How much of a document's words reached a unit: silent loss is the commonest fault of a parser.

use super::act::{front, reading};
use super::block::Role;
use super::units::words;
use super::{sniff, units};
use crate::law::{Act, UnitKind};

/// Words in a document and in what was read from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Coverage {
    /// Words of the text, page headers and the signs of footnotes in it left out.
    pub source: usize,
    /// Words of title, labels, headings and units.
    pub kept: usize,
}

/// What a [`Coverage`] says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Complete {
    /// Within one word in twenty.
    Yes,
    /// Text reached no unit.
    TextLost,
    /// Text is there twice.
    TextDoubled,
}

impl Coverage {
    /// The share of the words that were kept; 1 for an empty document.
    #[allow(clippy::cast_precision_loss)]
    pub fn share(self) -> f64 {
        if self.source == 0 { 1.0 } else { self.kept as f64 / self.source as f64 }
    }

    /// Whether text was lost or doubled: off by more than one word in twenty.
    pub fn complete(self) -> Complete {
        if self.kept * 20 < self.source * 19 {
            Complete::TextLost
        } else if self.kept * 20 > self.source * 21 {
            Complete::TextDoubled
        } else {
            Complete::Yes
        }
    }
}

/// Counts the words of the document that `act` was read from, and those that the act holds.
pub fn coverage(bytes: &[u8], act: &Act) -> Coverage {
    let Ok(flavour) = sniff::act(bytes) else { return Coverage { source: 0, kept: 0 } };
    let front = front(flavour, bytes);
    let title: usize = reading(flavour, &front).title.iter().map(|line| words(line.text())).sum();
    let blocks = front.blocks.iter().filter(|b| b.role != Role::Header && !units::imprint(b.text()));
    let source: usize = blocks.map(|b| words(b.text()) + b.marker.as_ref().map_or(0, |m| words(m.text()))).sum();
    let label = |kind: UnitKind, label: &str| match kind {
        // "Article 7", "CHAPTER IV", "ANNEX II".
        UnitKind::Article | UnitKind::Container | UnitKind::Annex => {
            words(label) + usize::from(kind != UnitKind::Container || !label.is_empty())
        }
        // Dashes are labels too, and no words.
        _ => words(label),
    };
    let units =
        act.units.iter().map(|u| words(&u.text) + label(u.kind, &u.label) + u.heading.as_deref().map_or(0, words));
    Coverage { source, kept: title + units.sum::<usize>() }
}
