//! Lists of parts in prose: "Articles 5, 6 and 7(2)", "Annexes I to IV", "point (a) of Article 6(1)".

use super::cursor::{Cursor, is_hyphen, tail};
use crate::law::{Division, Part};
use regex::Regex;
use std::sync::LazyLock;

/// A broken range must not make thousands of parts; no act has that many articles.
pub const LONGEST_RANGE: u32 = 500;

/// What is wrong with a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RangeFault {
    /// More members than an act has parts.
    TooLarge,
    /// It falls.
    Reversed,
}

/// Words that name parts of one kind, and the parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartList {
    /// Offset of the first byte of the words.
    pub start: usize,
    /// Offset after the last byte of the words.
    pub end: usize,
    /// The parts, in order of mention, ranges written out (of a faulty range only its ends).
    pub parts: Vec<Part>,
    /// What is wrong with a range among them.
    pub fault: Option<RangeFault>,
    /// The index of the citation they are bound to (see [`super::cite`]).
    pub citation: Option<usize>,
}

static HEADS: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = concat!(
        r"(?-u:\b)(?:(?P<article>[Aa]rticles?|ARTICLES?|Arts?\.)|(?P<annex>[Aa]nnex(?:es)?|ANNEX(?:ES)?)",
        r"|(?P<chapter>[Cc]hapters?|CHAPTERS?)|(?P<title>Titles?|TITLES?)|(?P<section>[Ss]ections?|SECTIONS?)",
        r"|(?P<part>Parts?|PARTS?)|(?P<protocol>Protocols?)|(?P<recital>[Rr]ecitals?))(?-u:\b|\B)",
    );
    Regex::new(pattern).expect("a pattern of this file")
});

const NAMES: [(&str, Division); 8] = [
    ("article", Division::Article),
    ("annex", Division::Annex),
    ("chapter", Division::Chapter),
    ("title", Division::Title),
    ("section", Division::Section),
    ("part", Division::Part),
    ("protocol", Division::Protocol),
    ("recital", Division::Recital),
];

/// All lists of parts in a text, in order of mention; none is bound to an act yet.
///
/// ```
/// use legal_link::law::part_lists;
/// let lists = part_lists("points (a) and (b) of Article 6(1), and Articles 7 to 9");
/// let parts: Vec<String> = lists.iter().flat_map(|l| &l.parts).map(ToString::to_string).collect();
/// assert_eq!(parts, ["6(1)(a)", "6(1)(b)", "7", "8", "9"]);
/// ```
pub fn part_lists(text: &str) -> Vec<PartList> {
    let mut lists: Vec<PartList> = Vec::new();
    for head in HEADS.captures_iter(text) {
        let found = NAMES.iter().find_map(|(name, division)| head.name(name).map(|m| (*division, m.start(), m.end())));
        let Some((division, start, end)) = found.filter(|f| lists.last().is_none_or(|l| l.end <= f.1)) else {
            continue;
        };
        if let Some(mut list) = labels(text, division, start, end) {
            steps_before(text, &mut list, lists.last().map_or(0, |l| l.end));
            lists.push(list);
        }
    }
    lists
}

/// A label with its steps, and where it ends.
struct Label {
    label: String,
    steps: Vec<String>,
}

/// The labels after a head.
fn labels(text: &str, division: Division, start: usize, end: usize) -> Option<PartList> {
    let mut list = PartList { start, end, parts: Vec::new(), fault: None, citation: None };
    let mut cursor = Cursor::new(text, end);
    if !cursor.blanks() {
        return (division == Division::Annex).then(|| only_annex(list)).flatten();
    }
    let mut range_from: Option<Label> = None;
    while let Some(label) = label(&mut cursor, division) {
        if !ends_well(&cursor) {
            break;
        }
        list.end = cursor.at;
        match range_from.take() {
            Some(from) => list.add_range(division, &from, &label),
            None => match list.again(&label) {
                Some(part) => list.parts.push(part),
                None => list.add(division, &label.label, &label.steps),
            },
        }
        steps_after(&mut cursor, &mut list);
        match separator(&mut cursor) {
            Some(Separator::Range) => range_from = Some(label),
            Some(Separator::Next) => {}
            None => break,
        }
    }
    if list.parts.is_empty() {
        return (division == Division::Annex).then(|| only_annex(list)).flatten();
    }
    Some(list)
}

/// "the Annex to": an act's only annex, without a label.
fn only_annex(mut list: PartList) -> Option<PartList> {
    list.parts.push(Part::new(Division::Annex, "", Vec::new()).ok()?);
    Some(list)
}

impl PartList {
    /// "(5)" in "12(4) and (5)": the steps of the part before it, the last ones exchanged.
    fn again(&self, label: &Label) -> Option<Part> {
        let before = self.parts.last().filter(|_| label.label.is_empty())?;
        let kept = before.steps().len().checked_sub(label.steps.len())?;
        let steps = before.steps()[..kept].iter().chain(&label.steps).cloned().collect();
        Part::new(before.division(), before.label(), steps).ok()
    }

    fn add(&mut self, division: Division, label: &str, steps: &[String]) {
        if let Ok(part) = Part::new(division, label, steps.to_vec()) {
            self.parts.push(part);
        }
    }

    /// The members of a range after its first, which is there already.
    fn add_range(&mut self, division: Division, from: &Label, to: &Label) {
        // "5(1) to (4)" runs over the last step; "7 to 9" over the label.
        let (from_end, to_end) = if to.label.is_empty() {
            (from.steps.last().map_or("", String::as_str), to.steps.last().map_or("", String::as_str))
        } else {
            (from.label.as_str(), to.label.as_str())
        };
        match between(from_end, to_end) {
            Ok(members) => {
                for member in members {
                    if to.label.is_empty() {
                        let mut steps = from.steps.clone();
                        steps.pop();
                        steps.push(member);
                        self.add(division, &from.label, &steps);
                    } else {
                        let last = member == to.label;
                        self.add(division, &member, if last { &to.steps } else { &[] });
                    }
                }
            }
            Err(fault) => {
                self.fault = fault.or(self.fault);
                if !to.label.is_empty() {
                    self.add(division, &to.label, &to.steps);
                }
            }
        }
    }
}

/// The labels after `from` up to `to`: numbers, Roman numerals, single letters, or `5a` to `5d`.
/// Labels of different shapes give no members (only the end is known) and no fault.
fn between(from: &str, to: &str) -> Result<Vec<String>, Option<RangeFault>> {
    if let (Ok(a), Ok(b)) = (from.parse::<u32>(), to.parse::<u32>()) {
        return count_up(a, b, |n| n.to_string());
    }
    if let (Some(a), Some(b)) = (roman(from), roman(to)) {
        return count_up(a, b, to_roman);
    }
    let (stem_a, letter_a) = split_letter(from).ok_or(None)?;
    let (stem_b, letter_b) = split_letter(to).ok_or(None)?;
    if stem_a != stem_b {
        return Err(None);
    }
    count_up(u32::from(letter_a), u32::from(letter_b), |n| format!("{stem_a}{}", char::from_u32(n).unwrap_or('?')))
}

fn count_up(from: u32, to: u32, print: impl Fn(u32) -> String) -> Result<Vec<String>, Option<RangeFault>> {
    if to < from {
        return Err(Some(RangeFault::Reversed));
    }
    if to - from > LONGEST_RANGE {
        return Err(Some(RangeFault::TooLarge));
    }
    Ok((from + 1..=to).map(print).collect())
}

/// `5a` as `5` and `a`; `c` as nothing and `c`.
fn split_letter(label: &str) -> Option<(&str, u8)> {
    let letter = *label.as_bytes().last().filter(|b| b.is_ascii_alphabetic())?;
    let stem = &label[..label.len() - 1];
    stem.bytes().all(|b| b.is_ascii_digit()).then_some((stem, letter))
}

const ROMAN: [(u32, &str); 9] =
    [(100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")];

/// The value of a Roman numeral in capitals, if it is written as one is.
fn roman(text: &str) -> Option<u32> {
    let mut rest = text;
    let mut value = 0;
    for (worth, digits) in ROMAN {
        while let Some(after) = rest.strip_prefix(digits) {
            value += worth;
            rest = after;
            if value > 399 {
                return None;
            }
        }
    }
    (rest.is_empty() && value > 0 && to_roman(value) == text).then_some(value)
}

fn to_roman(mut value: u32) -> String {
    let mut text = String::new();
    for (worth, digits) in ROMAN {
        while value >= worth {
            text.push_str(digits);
            value -= worth;
        }
    }
    text
}

/// `7`, `6a`, `8 (3)`, `II`, `A`, and in a range `(4)` alone.
fn label(cursor: &mut Cursor<'_>, division: Division) -> Option<Label> {
    let mut ahead = *cursor;
    let roman_or_letter = division != Division::Article && division != Division::Recital;
    let label = if ahead.peek()? == '(' {
        ""
    } else if ahead.peek()?.is_ascii_digit() {
        let from = ahead.at;
        ahead.digits();
        let inserted = ahead.run(|c| c.is_ascii_lowercase());
        // "5th", "12km" are no labels; inserted articles have one or two letters, or a Latin numeral.
        if inserted.len() > 2 && !matches!(inserted, "bis" | "ter" | "quater" | "quinquies" | "sexies") {
            return None;
        }
        &ahead.text[from..ahead.at]
    } else if roman_or_letter {
        let label = ahead.run(|c| c.is_ascii_uppercase());
        // "Annex IIA": a numeral, and the letter of one put in later.
        let stem = &label[..label.len().saturating_sub(1)];
        if label.is_empty() || (label.len() > 1 && roman(label).is_none() && roman(stem).is_none()) {
            return None;
        }
        label
    } else {
        return None;
    };
    if ahead.rest().starts_with(char::is_alphanumeric) || label.len() > 8 {
        return None;
    }
    let steps = bracketed_steps(&mut ahead);
    if label.is_empty() && steps.is_empty() {
        return None;
    }
    *cursor = ahead;
    Some(Label { label: label.to_string(), steps })
}

/// `(3)(a)`, `(3) (a)`. A number in brackets alone after a blank may be a footnote mark; articles are written so too
/// in old acts ("Article 8 (3)"), and that reading is right far more often.
fn bracketed_steps(cursor: &mut Cursor<'_>) -> Vec<String> {
    let mut steps = Vec::new();
    while let Some(step) = bracketed(cursor) {
        steps.push(step.to_string());
    }
    steps
}

fn bracketed<'a>(cursor: &mut Cursor<'a>) -> Option<&'a str> {
    let mut ahead = *cursor;
    ahead.eat_after_blanks('(').then_some(())?;
    ahead.blanks();
    let step = ahead.run(|c| c.is_ascii_alphanumeric());
    ahead.blanks();
    ((1..=5).contains(&step.len()) && ahead.eat(')')).then_some(())?;
    *cursor = ahead;
    Some(step)
}

/// Whether a label ends here: "30 %", "1.5", "5/6" and "5 EUR" are numbers of something else.
fn ends_well(cursor: &Cursor<'_>) -> bool {
    let rest = cursor.rest();
    let figure = rest.strip_prefix(['.', ',']).is_some_and(|r| r.starts_with(|c: char| c.is_ascii_digit()));
    let mut ahead = *cursor;
    ahead.blanks();
    let unit =
        ahead.eat('%') || ahead.one_of(&["per", "EUR", "ECU", "euro", "million", "kg", "tonnes", "days", "months"]);
    !(figure || unit || rest.starts_with('/'))
}

enum Separator {
    Next,
    Range,
}

/// `, ` `and` `or` go on, `to` and a dash make a range; a label must follow.
fn separator(cursor: &mut Cursor<'_>) -> Option<Separator> {
    let mut ahead = *cursor;
    let comma = ahead.eat(',');
    let blank = ahead.blanks();
    let dash = !comma && ahead.peek().is_some_and(is_hyphen);
    if dash {
        ahead.run(is_hyphen);
    }
    let range = dash || (!comma && blank && ahead.one_of(&["to"]));
    let word = !range && ahead.one_of(&["and", "or"]);
    if !(comma || range || word) {
        return None;
    }
    ahead.blanks();
    *cursor = ahead;
    Some(if range { Separator::Range } else { Separator::Next })
}

/// ", point (a)," and ", points (a) to (c)" after a label: the last part is replaced by those inside it.
fn steps_after(cursor: &mut Cursor<'_>, list: &mut PartList) {
    let mut ahead = *cursor;
    super::bind::asides(&mut ahead);
    ahead.eat(',');
    ahead.blanks();
    if !ahead.one_of(&["point", "points", "letter", "letters", "paragraph", "paragraphs"]) || !ahead.blanks() {
        return;
    }
    let steps = step_list(&mut ahead);
    if steps.is_empty() {
        return;
    }
    if let Some(whole) = list.parts.pop() {
        list.parts.extend(steps.iter().filter_map(|path| down(&whole, path)));
    }
    *cursor = ahead;
    list.end = ahead.at;
}

/// The part at the end of a path of steps.
fn down(part: &Part, path: &[String]) -> Option<Part> {
    path.iter().try_fold(part.clone(), |part, step| part.child(step).ok())
}

/// `(a), (b) and (c)`, `(a) to (c)`, `1 and 2`, `(a)(ii)`: the paths of steps.
fn step_list(cursor: &mut Cursor<'_>) -> Vec<Vec<String>> {
    let mut paths: Vec<Vec<String>> = Vec::new();
    let mut ahead = *cursor;
    let mut range = false;
    loop {
        let Some(step) = bracketed(&mut ahead).or_else(|| bare_step(&mut ahead)) else { return paths };
        let from = paths.last().filter(|_| range).and_then(|path| path.last());
        match from.map(|from| between(from, step)) {
            Some(Ok(members)) => paths.extend(members.into_iter().map(|m| vec![m])),
            _ => paths.push(vec![step.to_string()]),
        }
        while let Some(inner) = bracketed(&mut ahead) {
            if let Some(path) = paths.last_mut() {
                path.push(inner.to_string());
            }
        }
        *cursor = ahead;
        match separator(&mut ahead) {
            Some(Separator::Range) => range = true,
            Some(Separator::Next) => range = false,
            None => return paths,
        }
    }
}

/// `2`, `1a`, `B` without brackets; small letters alone are words.
fn bare_step<'a>(cursor: &mut Cursor<'a>) -> Option<&'a str> {
    let step = cursor.run(|c| c.is_ascii_alphanumeric());
    let (digits, rest) = step.split_at(step.bytes().take_while(u8::is_ascii_digit).count());
    let numbered = matches!(digits.len(), 1..=3) && rest.len() <= 1;
    let lettered = digits.is_empty() && rest.len() == 1 && rest.bytes().all(|b| b.is_ascii_uppercase());
    (numbered || lettered).then_some(step)
}

/// "point (b) of the first subparagraph of", "paragraphs 1 and 2 of" before the head.
static BEFORE: LazyLock<Regex> = LazyLock::new(|| {
    let labels = r"\(?\w{1,4}\)?(?:(?:,|\s+and|\s+or|\s+to|,\s+and)\s+\(?\w{1,4}\)?){0,6}";
    let ordinal = r"(?:the\s+)?(?:first|second|third|fourth|fifth|sixth|last|introductory)\s+\w+\s+(?:of|to|in)\s+";
    let step = format!(r"(?P<steps>(?i:points?|letters?|paragraphs?|indents?)\s+{labels})\s+(?:of|in)\s+");
    let inner = format!(r"(?i:points?|letters?)\s+(?P<inner>{labels})\s+(?:of|in)\s+");
    let pattern = format!(r"(?:{inner})?(?:{ordinal})?(?:{step})?(?:{ordinal})*$");
    Regex::new(&pattern).expect("a pattern of this file")
});

/// Adds the steps named before the head to its first part, and moves the start of the words there.
fn steps_before(text: &str, list: &mut PartList, from: usize) {
    let before = tail(&text[from..list.start], 120);
    if !before.ends_with(super::cursor::is_blank) {
        return;
    }
    let Some(found) = BEFORE.captures(before).filter(|f| f.get(0).is_some_and(|m| !m.is_empty())) else { return };
    let Some(first) = list.parts.first().cloned() else { return };
    let read = |name: &str| {
        let words = found.name(name).map_or("", |m| m.as_str());
        let words = words.trim_start_matches(|c: char| c.is_alphabetic()).trim_start();
        step_list(&mut Cursor::new(words, 0))
    };
    let (outer, inner) =
        (read("steps"), found.name("inner").map_or(Vec::new(), |m| step_list(&mut Cursor::new(m.as_str(), 0))));
    let into = |parts: Vec<Part>, paths: &[Vec<String>]| -> Vec<Part> {
        if paths.is_empty() {
            return parts;
        }
        parts.iter().flat_map(|part| paths.iter().filter_map(|path| down(part, path))).collect()
    };
    let named = into(into(vec![first], &outer), &inner);
    if !named.is_empty() {
        list.parts.splice(..1, named);
        list.start -= found.get(0).map_or(0, |m| m.len());
    }
}
