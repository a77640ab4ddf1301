//! An act as its corrigenda have it read.

use super::{Act, Celex, Clause, Edit, Part, UnitKind};
use std::ops::Range;

/// An act with corrections worked in, and what became of each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Corrected {
    /// The act. Its spans are those of the published text.
    pub act: Act,
    /// What became of each correction, in the order in which they were made.
    pub outcomes: Vec<Outcome>,
}

/// One correction, and whether it was applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The corrigendum.
    pub by: Celex,
    /// The correction.
    pub edit: Edit,
    /// The indices of the units that now read differently, or why none does.
    pub units: Result<Vec<usize>, NotApplied>,
}

/// Why a correction was not worked in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotApplied {
    /// It names a page and no part of the act.
    #[error("it names no part of the act")]
    NoPart,
    /// The part it names is not found in the act.
    #[error("the act has no {0} here")]
    NoUnit(String),
    /// Dots stand for words that are not the same before and after.
    #[error("it does not give the words it replaces in full")]
    NoWords,
    /// What differs is no word of a unit: a footnote, a mark.
    #[error("the words before and after are the same")]
    Same,
    /// The words stand nowhere in the part.
    #[error("the words it replaces are not in {0}")]
    NotFound(String),
    /// They stand there more than once, and which of them is meant is not told.
    #[error("the words it replaces are in {0} more than once")]
    Several(String),
    /// The part has the corrected words already.
    #[error("{0} has the corrected words already")]
    ReadsSo(String),
}

/// The act with the edits of these corrigenda worked in, in the order of their numbers.
///
/// An edit is made only where its "for" words are found exactly once in the part it names (or in the nearest part
/// around that, where the act's text has no such address); of an annex of forms, in the form and field named. A
/// passage of several paragraphs is several such edits. Everything else is reported, and changes nothing.
///
/// ```
/// use legal_link::law::{corrected, Digest, Language, Registry};
/// use legal_link::parse::{Given, act};
/// let registry = Registry::parse([("relations.toml", include_str!("../../rubrics/relations.toml"))])?;
/// let read = |celex: &str, text: &str| {
///     let celex = celex.parse().expect("a number");
///     let document = Digest::of(text.as_bytes());
///     let given = Given { celex: &celex, language: Language::ENGLISH, document, bytes: text.as_bytes(), registry: &registry };
///     act(&given).expect("an act").value
/// };
/// let published = read("32009R9001", "COUNCIL REGULATION (EC) No 9001/2009\nof 5 May 2009\non toys\nTHE COUNCIL,\nHAS ADOPTED THIS REGULATION:\nArticle 1\nToys are save.\n");
/// let corrigendum = read("32009R9001R(01)", "Corrigendum to Council Regulation (EC) No 9001/2009 of 5 May 2009 on toys\nOn page 1, Article 1:\nfor:\n‘Toys are save.’,\nread:\n‘Toys are safe.’.\n");
/// let read = corrected(&published, [&corrigendum]);
/// let units = read.outcomes[0].units.as_ref().expect("applied");
/// assert_eq!(read.act.units[units[0]].text, "Toys are safe.");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn corrected<'a>(published: &Act, corrigenda: impl IntoIterator<Item = &'a Act>) -> Corrected {
    let mut corrigenda: Vec<&Act> = corrigenda.into_iter().collect();
    corrigenda.sort_by(|a, b| a.celex.cmp(&b.celex));
    let mut act = published.clone();
    let mut outcomes = Vec::new();
    for corrigendum in corrigenda {
        for clause in corrigendum.clauses.iter().filter(|c| c.target == published.celex) {
            let Some(edit) = &clause.edit else { continue };
            let units = apply(&mut act, clause, edit);
            outcomes.push(Outcome { by: corrigendum.celex.clone(), edit: edit.clone(), units });
        }
    }
    Corrected { act, outcomes }
}

fn apply(act: &mut Act, clause: &Clause, edit: &Edit) -> Result<Vec<usize>, NotApplied> {
    let Some(first) = clause.parts.first() else { return Err(NotApplied::NoPart) };
    let roots: Vec<usize> = clause.parts.iter().filter_map(|part| nearest(act, part)).collect();
    if roots.is_empty() {
        return Err(NotApplied::NoUnit(first.long()));
    }
    let mut units: Vec<usize> = roots.iter().flat_map(|root| act.subtree(*root)).collect();
    units.sort_unstable();
    units.dedup();
    units.retain(|i| act.units[*i].kind != UnitKind::Footnote);
    let pairs = passages(edit).ok_or(NotApplied::NoWords)?;
    if pairs.is_empty() {
        return Err(NotApplied::Same);
    }
    let mut places: Vec<(Place, &str)> = Vec::new();
    for (old, new) in &pairs {
        let place = match only_place(act, &units, old) {
            Err(2..) => only_place(act, &narrowed(act, &units, &edit.place), old),
            found => found,
        };
        let place = place.map_err(|found| match found {
            0 if !new.is_empty() && only_place(act, &units, new).is_ok() => NotApplied::ReadsSo(first.long()),
            0 => NotApplied::NotFound(first.long()),
            _ => NotApplied::Several(first.long()),
        })?;
        let new = if place.stopped { new.as_str() } else { new.trim_end_matches(STOPS) };
        places.push((place, new));
    }
    // From the end, so that the ranges before stay right.
    places.sort_by_key(|(place, _)| std::cmp::Reverse((place.unit, place.range.start)));
    let apart = |two: &[(Place, &str)]| two[0].0.unit != two[1].0.unit || two[1].0.range.end <= two[0].0.range.start;
    if !places.windows(2).all(apart) {
        return Err(NotApplied::Several(first.long()));
    }
    let mut changed: Vec<usize> = places.iter().map(|(place, _)| place.unit).rev().collect();
    changed.dedup();
    for (place, new) in places {
        act.units[place.unit].text.replace_range(place.range, new);
    }
    Ok(changed)
}

/// Of the units of an annex, those of the form or section, and of the field or point, that the place names.
fn narrowed(act: &Act, units: &[usize], place: &str) -> Vec<usize> {
    let words: Vec<&str> = place.split([' ', ',']).filter(|w| !w.is_empty()).collect();
    let mut kept = units.to_vec();
    for two in words.windows(2) {
        let (word, label) = (two[0].to_lowercase(), two[1]);
        if ["form", "section", "part", "table", "template", "appendix"].contains(&word.as_str()) {
            let begins = |i: &usize, label: &str| {
                let unit = &act.units[*i];
                let mut words = unit.heading.as_deref().unwrap_or(&unit.text).split_whitespace();
                words.next().is_some_and(|w| w.eq_ignore_ascii_case(&word))
                    && words.next().is_some_and(|w| label.is_empty() && w.len() <= 4 || w == label)
            };
            let Some(from) = kept.iter().position(|i| begins(i, label)) else { continue };
            let others = kept[from + 1..].iter().position(|i| begins(i, "") && !begins(i, label));
            kept = kept[from..others.map_or(kept.len(), |n| from + 1 + n)].to_vec();
        } else if ["field", "point", "subpoint", "item"].contains(&word.as_str()) {
            let roots = kept.iter().filter(|i| act.units[**i].label == label);
            let inside: Vec<usize> = roots.flat_map(|i| act.subtree(*i)).collect();
            if !inside.is_empty() {
                kept.retain(|i| inside.contains(i));
            }
        }
    }
    kept
}

/// The unit with this address, or the one around it that has one.
fn nearest(act: &Act, part: &Part) -> Option<usize> {
    let steps = part.steps();
    (0..=steps.len()).rev().find_map(|n| {
        let around = Part::new(part.division(), part.label(), steps[..n].to_vec()).ok()?;
        act.index_of(&around)
    })
}

/// The words replaced and those put in their place, paragraph by paragraph, cut at the dots that stand for words
/// left out; what is the same in both is left out. `None` where the two are not cut alike.
fn passages(edit: &Edit) -> Option<Vec<(String, String)>> {
    let cut = |words: &str| -> Vec<String> {
        let words = words.replace("...", "…");
        words.split(['…', '\n']).map(|w| w.trim().to_string()).filter(|w| !w.is_empty()).collect()
    };
    let (old, new) = (cut(&edit.old), cut(&edit.new));
    if old.is_empty() || old.len() != new.len() && !new.is_empty() {
        return None;
    }
    let new = new.into_iter().chain(std::iter::repeat_n(String::new(), old.len()));
    Some(old.into_iter().zip(new).filter(|(old, new)| old != new).collect())
}

/// Where words stand.
struct Place {
    unit: usize,
    range: Range<usize>,
    /// Whether with the stop at their end.
    stopped: bool,
}

/// Marks with which a quotation may end where the text it quotes goes on.
const STOPS: [char; 3] = ['.', ',', ';'];

/// The one place in these units where the words stand; else how many there are.
fn only_place(act: &Act, units: &[usize], words: &str) -> Result<Place, usize> {
    let wanted = Plain::of(words);
    let bare = wanted.text.trim_end_matches(STOPS);
    for (needle, stopped) in [(wanted.text.as_str(), true), (bare, false)] {
        if needle.is_empty() {
            return Err(0);
        }
        let mut found = Vec::new();
        for unit in units {
            let plain = Plain::of(&act.units[*unit].text);
            let ranges = plain.text.match_indices(needle).map(|(at, m)| plain.source(at, at + m.len()));
            let whole = ranges.filter(|range| is_whole(&act.units[*unit].text, range));
            found.extend(whole.map(|range| Place { unit: *unit, range, stopped }));
        }
        match found.len() {
            0 => {}
            1 => return Ok(found.remove(0)),
            n => return Err(n),
        }
    }
    Err(0)
}

/// Whether no word is cut at either end of a range.
fn is_whole(text: &str, range: &Range<usize>) -> bool {
    let letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let (before, inside, after) = (&text[..range.start], &text[range.clone()], &text[range.end..]);
    let cut_before = letter(before.chars().next_back()) && letter(inside.chars().next());
    let cut_after = letter(inside.chars().next_back()) && letter(after.chars().next());
    !cut_before && !cut_after
}

/// A text with one shape of every mark and no blanks, which line breaks and printers set as they like, and the way
/// back.
struct Plain {
    text: String,
    /// Of every byte of the text, the bytes of the source it stands for.
    from: Vec<(usize, usize)>,
}

impl Plain {
    fn of(source: &str) -> Self {
        let mut plain = Self { text: String::with_capacity(source.len()), from: Vec::with_capacity(source.len()) };
        for (at, c) in source.char_indices() {
            let shape = match c {
                '‘' | '’' | '‚' | '′' | '`' | '“' | '”' | '„' | '«' | '»' | '"' => '\'',
                '‐' | '‑' | '–' | '—' | '−' => '-',
                c if c.is_whitespace() || matches!(c, '\u{ad}' | '\u{200b}') => continue,
                c => c,
            };
            plain.text.push(shape);
            plain.from.extend(std::iter::repeat_n((at, at + c.len_utf8()), shape.len_utf8()));
        }
        plain
    }

    fn source(&self, from: usize, to: usize) -> Range<usize> {
        let start = self.from.get(from).map_or(0, |s| s.0);
        let end = to.checked_sub(1).and_then(|last| self.from.get(last)).map_or(start, |s| s.1);
        start..end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(old: &str, new: &str) -> Edit {
        Edit { old: old.to_string(), new: new.to_string(), ..Edit::default() }
    }

    #[test]
    fn dots_and_paragraphs_cut_an_edit_into_what_differs() {
        let pairs = passages(&edit("Gnomes … of clay …", "Gnomes … of stone …"));
        assert_eq!(pairs, Some(vec![("of clay".to_string(), "of stone".to_string())]));
        assert_eq!(passages(&edit("…", "of clay")), None);
        assert_eq!(passages(&edit("one … two", "two")), None);
        assert_eq!(passages(&edit("one\ntwo", "one\n2")).map(|p| p.len()), Some(1));
        assert_eq!(passages(&edit("one", "")), Some(vec![("one".to_string(), String::new())]));
    }

    #[test]
    fn plain_text_leads_back_to_its_source() {
        let source = "the  ‘gnome’ —  a figure";
        let plain = Plain::of(source);
        assert_eq!(plain.text, "the'gnome'-afigure");
        let at = plain.text.find("'gnome'-").unwrap_or(0);
        let range = plain.source(at, at + 8);
        assert_eq!(&source[range.clone()], "‘gnome’ —");
        assert!(is_whole(source, &range) && !is_whole(source, &(1..3)));
    }
}
