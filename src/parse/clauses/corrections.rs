//! What a corrigendum changes: "On page 14, Article 7(2): for: ‘…’, read: ‘…’."

use super::relations::{Draft, Found, Reader};
use super::slots::{Filling, Slotted};
use super::{fixed, quotation};
use crate::law::{Celex, Edit, Extent, Part, Place, When};
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// Where the next place begins in a corrigendum that lists several.
static PLACE: LazyLock<Regex> = LazyLock::new(|| fixed(r"(?i)\b(?:on|in|throughout) (?:the )?(?:contents )?page"));

/// Reads the body of a corrigendum; `named` is the act that its title corrects. One clause per passage,
/// with the parts named before it; where no passage can be told apart, one clause whose extent is unknown.
pub(super) fn read<R: Fn(&str) -> Option<Celex>>(reader: &Reader<R>, text: &str, named: Option<Celex>) -> Vec<Found> {
    // Line breaks end no sentence here; the words quoted keep theirs.
    let (written, text) = (text, &text.replace('\n', " "));
    let slotted = reader.slotted(text, None);
    let mut found = Vec::new();
    let mut target = named;
    for (spec, pattern) in reader.patterns(&Place::Operative(None)) {
        if pattern.pattern.names_target() {
            let caps = pattern.pattern.regex().captures(&slotted.text);
            let slot = caps.and_then(|c| slotted.at(c.name("target")?.start()));
            if let Some(Filling::Acts(reaches)) = slot.map(|s| &s.filling) {
                target = reaches.first().and_then(|r| r.celex.clone()).or(target);
            }
            continue;
        }
        let Some(target) = &target else { continue };
        let draft = |parts: Vec<Part>, edit: Option<Edit>| Draft {
            relation: spec.name.clone(),
            effect: spec.effect,
            target: target.clone(),
            extent: if parts.is_empty() { Extent::Unknown } else { Extent::Partial },
            parts,
            saved: Vec::new(),
            start: When::Unstated,
            until: None,
            words: None,
            edit,
            days: Vec::new(),
            alone: false,
        };
        let mut from = 0;
        for caps in pattern.pattern.regex().captures_iter(&slotted.text) {
            let Some(whole) = caps.get(0) else { continue };
            let begins = begins(&slotted.text, from..whole.start());
            let parts = named_parts(&slotted, begins..whole.start());
            let words = |name: &str| {
                let range = caps.name(name).map_or(0..0, |m| m.range());
                bare(&slotted.words(range, written))
            };
            let source = source(&slotted, from, whole.end(), text.len());
            let place = slotted.words(begins..whole.start(), text);
            let mut clause = draft(parts, Some(edit(&place, words("old"), words("new"))));
            clause.days = reader.new_days(&clause);
            found.push(Found { clause, range: source, also: Vec::new() });
            from = whole.end();
        }
        if found.is_empty() {
            found.push(Found { clause: draft(Vec::new(), None), range: 0..text.len(), also: Vec::new() });
        }
    }
    found
}

/// Where, of what stands between the passage before and this one, the words begin that say where it is made: at the
/// last "on page".
fn begins(text: &str, between: Range<usize>) -> usize {
    PLACE.find_iter(&text[between.clone()]).last().map_or(between.start, |m| between.start + m.start())
}

/// The edit, with the words that say where it is made.
fn edit(place: &str, old: String, new: String) -> Edit {
    static PAGE: LazyLock<Regex> = LazyLock::new(|| fixed(r"(?i)\bpage (\d{1,4})\b"));
    let place = place.trim_matches(|c: char| c.is_whitespace() || matches!(c, ':' | ';' | ',' | '.'));
    let page = PAGE.captures(place).and_then(|c| c[1].parse().ok());
    Edit { page, place: place.split_whitespace().collect::<Vec<_>>().join(" "), old, new }
}

/// The passages of a corrigendum that replace no words, by the places they name, `edits` being the ranges of those
/// that do: something is struck out, put in, or moved.
pub(super) fn unread(text: &str, edits: &[Range<usize>]) -> Vec<Range<usize>> {
    let quoted = quotation::ranges(text);
    let places: Vec<usize> =
        PLACE.find_iter(text).map(|m| m.start()).filter(|at| !quoted.iter().any(|q| q.contains(at))).collect();
    let passages = places.iter().enumerate().map(|(i, at)| *at..places.get(i + 1).copied().unwrap_or(text.len()));
    passages
        .filter(|passage| {
            let read = edits.iter().any(|edit| edit.start < passage.end && passage.start < edit.end);
            // A place that only introduces those below it ("On page 5 and following:"), or goes on ("page 5 and").
            let words = text[passage.clone()].trim_end_matches(|c: char| !c.is_alphanumeric() && c != ':');
            !read && !words.ends_with(':') && !words.ends_with(" and")
        })
        .collect()
}

/// The parts that a range names.
fn named_parts(slotted: &Slotted, range: Range<usize>) -> Vec<Part> {
    let lists = slotted.between(&range).iter().filter_map(|s| match &s.filling {
        Filling::Parts(parts) => Some(parts.as_slice()),
        _ => None,
    });
    lists.flatten().cloned().collect()
}

/// The bytes of a passage: from its first slot to its last.
fn source(slotted: &Slotted, from: usize, to: usize, length: usize) -> Range<usize> {
    let inside = slotted.between(&(from..to));
    let start = inside.first().map_or(0, |s| s.source.start);
    start..inside.last().map_or(length, |s| s.source.end)
}

/// A quotation without its marks, and without the stop or comma of the sentence behind the closing one.
pub(super) fn bare(quoted: &str) -> String {
    const PAIRS: [(char, char); 7] =
        [('‘', '’'), ('“', '”'), ('„', '”'), ('«', '»'), ('"', '"'), ('\'', '\''), ('`', '\'')];
    let whole = quoted.trim_matches([quotation::OPEN, quotation::CLOSE]).trim();
    let inner = whole.trim_end_matches(['.', ',', ';', ' ']);
    let inner = if inner.ends_with(['’', '”', '»', '"', '\'']) { inner } else { whole };
    let count = |mark: char| inner.matches(mark).count();
    let both = |(open, close): &&(char, char)| {
        inner.starts_with(*open) && inner.ends_with(*close) && (*open != '“' || count('“') == count('”'))
    };
    if let Some(bare) = PAIRS.iter().find(both).and_then(|(o, c)| inner.strip_prefix(*o)?.strip_suffix(*c)) {
        return bare.trim().to_string();
    }
    // The label that bore the opening mark, or the words that bear the closing one, are not among the words.
    let closes = PAIRS[..2].iter().find(|(o, c)| inner.ends_with(*c) && count(*c) > count(*o));
    let opens = PAIRS[..2].iter().find(|(o, c)| inner.starts_with(*o) && count(*o) > count(*c));
    let bare = closes.map_or(inner, |(_, c)| inner.strip_suffix(*c).unwrap_or(inner));
    opens.map_or(bare, |(o, _)| bare.strip_prefix(*o).unwrap_or(bare)).trim().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quotation_loses_the_marks_around_it_only() {
        for (quoted, words) in [
            ("‘gnomes of clay;’,", "gnomes of clay;"),
            ("‘… the Member States’ gnomes …’.", "… the Member States’ gnomes …"),
            ("“gnome” means a figure;’,", "“gnome” means a figure;"),
            ("gnomes of clay.", "gnomes of clay."),
            ("‘Description, Code’.", "Description, Code"),
            ("‘a ‘b’ c", "a ‘b’ c"),
        ] {
            let marked = format!("{}{quoted}{}", quotation::OPEN, quotation::CLOSE);
            assert_eq!(bare(&marked), words, "{quoted}");
            assert_eq!(bare(quoted), words, "{quoted}");
        }
    }
}
