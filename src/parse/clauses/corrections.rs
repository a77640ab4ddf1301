//! What a corrigendum changes: "On page 14, Article 7(2): for: ‘…’, read: ‘…’."

use super::relations::{Draft, Found, Reader};
use super::slots::{Filling, Slotted};
use super::{fixed, quotation};
use crate::law::{Celex, Edit, Extent, Place, When};
use regex::Regex;
use std::sync::LazyLock;

/// Where the next place begins in a corrigendum that lists several.
static PLACE: LazyLock<Regex> = LazyLock::new(|| fixed(r"(?i)\b(?:on|in|throughout) (?:the )?(?:contents )?page"));

/// Reads the body of a corrigendum; `named` is the act that its title corrects. One clause per passage,
/// with the parts named before it; where no passage can be told apart, one clause whose extent is unknown.
pub(super) fn read<R: Fn(&str) -> Option<Celex>>(reader: &Reader<R>, text: &str, named: Option<Celex>) -> Vec<Found> {
    let text = &text.replace('\n', " ");
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
        let mut from = 0;
        for caps in pattern.pattern.regex().captures_iter(&slotted.text) {
            let Some(whole) = caps.get(0) else { continue };
            let parts = place(&slotted, from, whole.start());
            let words = |name: &str| {
                let range = caps.name(name).map_or(0..0, |m| m.range());
                bare(&slotted.words(range, text))
            };
            let source = source(&slotted, from, whole.end(), text.len());
            let draft = Draft {
                relation: spec.name.clone(),
                effect: spec.effect,
                target: target.clone(),
                extent: if parts.is_empty() { Extent::Unknown } else { Extent::Partial },
                parts,
                saved: Vec::new(),
                start: When::Unstated,
                until: None,
                words: None,
                edit: Some(Edit { old: words("old"), new: words("new") }),
                alone: false,
            };
            found.push(Found { clause: draft, range: source });
            from = whole.end();
        }
        if found.is_empty() {
            let draft = Draft {
                relation: spec.name.clone(),
                effect: spec.effect,
                target: target.clone(),
                extent: Extent::Unknown,
                parts: Vec::new(),
                saved: Vec::new(),
                start: When::Unstated,
                until: None,
                words: None,
                edit: None,
                alone: false,
            };
            found.push(Found { clause: draft, range: 0..text.len() });
        }
    }
    found
}

/// The parts named between the passage before and this one, from the last "on page" on.
fn place(slotted: &Slotted, from: usize, to: usize) -> Vec<crate::law::Part> {
    let between = &slotted.text[from..to];
    let start = PLACE.find_iter(between).last().map_or(from, |m| from + m.start());
    let lists = slotted.between(&(start..to)).iter().filter_map(|s| match &s.filling {
        Filling::Parts(parts) => Some(parts.as_slice()),
        _ => None,
    });
    lists.flatten().cloned().collect()
}

/// The bytes of a passage: from its first slot to its last.
fn source(slotted: &Slotted, from: usize, to: usize, length: usize) -> std::ops::Range<usize> {
    let inside = slotted.between(&(from..to));
    let start = inside.first().map_or(0, |s| s.source.start);
    start..inside.last().map_or(length, |s| s.source.end)
}

/// A quotation without its marks, and without the stop or comma of the sentence behind the closing one.
pub(super) fn bare(quoted: &str) -> String {
    let marks = [quotation::OPEN, quotation::CLOSE, '‘', '’', '“', '”', '„', '«', '»', '"', '\'', '`'];
    let inner = quoted.trim().trim_end_matches(['.', ',', ';']);
    let quoted = if inner.ends_with(marks) { inner } else { quoted.trim() };
    quoted.trim_matches(marks).trim().to_string()
}
