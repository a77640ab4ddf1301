//! How much of a document's words reached a unit: silent loss is the commonest fault of a parser.
//!
//! The document is read a second time for this, by a reader that knows tags and characters only, so that
//! what a layout's reader drops is missed too. Letters and digits are counted, not words: where a third party
//! lost line breaks words are glued, and no letter is lost.

use super::act::{Front, front, reading};
use super::block::Role;
use super::markup::{Markup, Piece};
use super::units::Reading;
use super::words::{Words, entity};
use super::{Warning, sniff};
use crate::law::{Act, Flavour, Span, Unit, UnitKind};
use std::collections::{BTreeSet, HashMap};

/// Off by more than one in this many, and what is missing is named.
const ALLOWED: usize = 200;
/// A run of fewer words is a label, not a loss.
const SHORTEST_RUN: usize = 4;
/// How much of a run is shown, in bytes.
const SHOWN: usize = 160;

/// How much a document holds, and what was read from it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Coverage {
    /// Of the text, less what is set aside on purpose: page headers, labels, the signs of footnotes.
    pub source: usize,
    /// Of title, headings and units.
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
    /// The share that was kept; 1 for an empty document.
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

    /// Off by more than half a per cent.
    fn doubtful(self) -> bool {
        self.kept.abs_diff(self.source) * ALLOWED > self.source
    }
}

/// What a reading found of an act.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tally {
    /// Articles of the act's own.
    pub articles: usize,
    /// Those of them without a word below their heading.
    pub empty_articles: usize,
    /// Recitals.
    pub recitals: usize,
}

/// What a [`Tally`] says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// An act.
    Units,
    /// Neither article nor recital: a failure, not an empty act.
    Nothing,
    /// Headings without what stands under them: the layout was read wrongly.
    Headings,
}

impl Tally {
    /// Counts the units of an act.
    pub fn of(act: &Act) -> Self {
        let filled: BTreeSet<usize> =
            act.units.iter().filter(|u| !u.text.is_empty()).filter_map(|u| u.parent).collect();
        let article = |u: &Unit| u.kind == UnitKind::Article && !u.quoted;
        let articles: Vec<usize> = (0..act.units.len()).filter(|i| article(&act.units[*i])).collect();
        let empty = |i: &&usize| act.units[**i].text.is_empty() && !filled.contains(*i) && act.subtree(**i).len() == 1;
        Self {
            articles: articles.len(),
            empty_articles: articles.iter().filter(empty).count(),
            recitals: act.recitals().count(),
        }
    }

    /// Whether an act was found: with more than one article in ten empty, it was not.
    pub fn found(self) -> Found {
        if self.articles == 0 && self.recitals == 0 {
            Found::Nothing
        } else if self.empty_articles * 10 > self.articles {
            Found::Headings
        } else {
            Found::Units
        }
    }
}

/// Counts the letters and digits of the document that `act` was read from, and those that the act holds.
pub fn coverage(bytes: &[u8], act: &Act) -> Coverage {
    let Ok(flavour) = sniff::act(bytes) else { return Coverage { source: 0, kept: 0 } };
    let front = front(flavour, bytes);
    let reading = reading(flavour, &front);
    measure(bytes, flavour, &front, &reading, &act.units)
}

/// What a layout's reader and the units made of it kept of a document.
pub(super) fn measure(bytes: &[u8], flavour: Flavour, front: &Front, reading: &Reading, units: &[Unit]) -> Coverage {
    let printed = match flavour {
        Flavour::Plain => letters_of(bytes, false),
        Flavour::TxtTe | Flavour::Oj | Flavour::OjEli => {
            pieces(bytes).map(|(start, end)| letters_of(&bytes[start..end], true)).sum()
        }
        // Other layouts hold more than the text: what their readers made blocks of is counted.
        _ => front.blocks.iter().map(|b| letters(b.text()) + b.marker.as_ref().map_or(0, |m| letters(m.text()))).sum(),
    };
    // The builder of judgments counts neither labels nor page headers.
    let apart = if flavour.is_judgment() {
        let headers = front.blocks.iter().filter(|b| b.role == Role::Header).map(|b| letters(b.text()));
        headers.chain(units.iter().map(|u| letters(&u.label))).sum()
    } else {
        0
    };
    let title: usize = reading.title.iter().map(|line| letters(line.text())).sum();
    let units = units.iter().map(|u| letters(&u.text) + u.heading.as_deref().map_or(0, letters));
    Coverage { source: printed.saturating_sub(front.aside + reading.aside + apart), kept: title + units.sum::<usize>() }
}

/// A warning that names what is missing, or is there twice, if that is more than half a per cent.
pub(super) fn warning(bytes: &[u8], flavour: Flavour, covered: Coverage, reading: &Reading) -> Option<Warning> {
    let measured = matches!(flavour, Flavour::Plain | Flavour::TxtTe | Flavour::Oj | Flavour::OjEli);
    if !measured || !covered.doubtful() {
        return None;
    }
    let share = covered.share() * 100.0;
    let (span, words) = if covered.kept > covered.source { None } else { left_out(bytes, flavour, reading) }
        .unwrap_or((Span::new(0, 0), String::new()));
    let what = if covered.kept > covered.source { "text is there twice" } else { "text reached no unit" };
    let shown = if words.is_empty() { String::new() } else { format!(": “{words}”") };
    Some(Warning { span, message: format!("{share:.1} % of the text was kept; {what}{shown}") })
}

/// The longest run of the document's words that neither title nor units have.
fn left_out(bytes: &[u8], flavour: Flavour, reading: &Reading) -> Option<(Span, String)> {
    let mut all = Words::default();
    if flavour == Flavour::Plain {
        all.push(bytes, 0, bytes.len(), false);
    } else {
        for (start, end) in pieces(bytes) {
            all.push(bytes, start, end, true);
            all.blank(end, end);
        }
    }
    let mut kept: HashMap<&str, usize> = HashMap::new();
    let header = reading.header.iter().map(String::as_str);
    let title = reading.title.iter().map(Words::text);
    let units = reading.units.iter().flat_map(|u| [u.heading.as_deref().unwrap_or_default(), u.text.as_str()]);
    for word in header.chain(title).chain(units).flat_map(str::split_whitespace) {
        *kept.entry(word).or_default() += 1;
    }
    let (mut longest, mut run) = (None, None);
    let mut at = 0;
    for word in all.text().split(' ') {
        let (from, to) = (at, at + word.len());
        at = to + 1;
        if let Some(n) = kept.get_mut(word).filter(|n| **n > 0) {
            *n -= 1;
            run = None;
            continue;
        }
        let (begin, count) = run.map_or((from, 1), |(begin, count): (usize, usize)| (begin, count + 1));
        run = Some((begin, count));
        if longest.is_none_or(|(_, _, most)| count > most) {
            longest = Some((begin, to, count));
        }
    }
    let (from, to, _) = longest.filter(|(_, _, count)| *count >= SHORTEST_RUN)?;
    let end = (from..=to.min(from + SHOWN)).rev().find(|i| all.text().is_char_boundary(*i))?;
    Some((all.span(from, to), all.text()[from..end].trim_end().to_string()))
}

/// The character data of a page's body.
fn pieces(bytes: &[u8]) -> impl Iterator<Item = (usize, usize)> {
    let mut in_head = false;
    Markup::new(bytes).filter_map(move |piece| match piece {
        Piece::Text { start, end } => (!in_head).then_some((start, end)),
        Piece::Open { name, closed, .. } => {
            in_head |= name.eq_ignore_ascii_case("head") && !closed;
            in_head &= !name.eq_ignore_ascii_case("body");
            None
        }
        Piece::Close { name, .. } => {
            in_head &= !name.eq_ignore_ascii_case("head");
            None
        }
    })
}

/// How many letters and digits a text has.
pub(super) fn letters(text: &str) -> usize {
    text.chars().filter(|c| c.is_alphanumeric()).count()
}

/// The same of source bytes, read as [`Words`] reads them.
fn letters_of(bytes: &[u8], entities: bool) -> usize {
    let mut count = 0;
    for chunk in bytes.utf8_chunks() {
        let mut rest = chunk.valid();
        while let Some(at) = rest.find('&').filter(|_| entities) {
            count += letters(&rest[..at]);
            let (c, length) = entity(&rest[at..]).unwrap_or(('&', 1));
            count += usize::from(c.is_alphanumeric());
            rest = &rest[at + length..];
        }
        count += letters(rest) + chunk.invalid().iter().filter(|b| char::from(**b).is_alphanumeric()).count();
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "COUNCIL REGULATION (EC) No 9001/2009\nof 5 May 2009\non gnomes\nTHE COUNCIL,\nHAS ADOPTED THIS REGULATION:\nArticle 1\nGnomes shall stand in gardens.\nArticle 2\nNobody shall paint another\u{2019}s gnome at night.\n";

    #[test]
    fn what_reached_no_unit_is_named_with_its_bytes() {
        let bytes = TEXT.as_bytes();
        let front = front(Flavour::Plain, bytes);
        let mut reading = reading(Flavour::Plain, &front);
        let whole = measure(bytes, Flavour::Plain, &front, &reading, &reading.units);
        assert_eq!((whole.source, warning(bytes, Flavour::Plain, whole, &reading)), (whole.kept, None));
        for unit in reading.units.iter_mut().filter(|u| u.text.contains("paint")) {
            unit.text.clear();
        }
        let covered = measure(bytes, Flavour::Plain, &front, &reading, &reading.units);
        let told = warning(bytes, Flavour::Plain, covered, &reading).expect("a warning");
        assert!(told.message.contains("Nobody shall paint"), "{}", told.message);
        let missing = String::from_utf8_lossy(told.span.slice(bytes).expect("bytes"));
        assert!(missing.ends_with("Nobody shall paint another’s gnome at night."), "{missing}");
    }

    #[test]
    fn a_page_is_counted_by_its_characters() {
        let page =
            "<html><head><title>no</title></head><body><p>a&amp;b &#233;<!-- x --></p><script>x</script>1</body>";
        let counted: usize = pieces(page.as_bytes()).map(|(s, e)| letters_of(&page.as_bytes()[s..e], true)).sum();
        assert_eq!(counted, 4);
    }
}
