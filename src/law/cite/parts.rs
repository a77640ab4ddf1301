//! Lists of parts in prose: "Articles 5, 6 and 7(2)", "Annexes I to IV", "point (a) of Article 6(1)".

use super::cursor::{Cursor, is_blank, is_hyphen, tail};
use super::wording::{Habit, Wording};
use crate::law::{Division, Part};

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

/// All lists of parts in a text, in order of mention; none is bound to an act yet.
pub(super) fn find(words: &Wording, text: &str) -> Vec<PartList> {
    let mut lists: Vec<PartList> = Vec::new();
    for head in words.part_heads.find_iter(text) {
        let from = lists.last().map_or(0, |l| l.end);
        if head.start() < from || text[..head.start()].ends_with(char::is_alphanumeric) {
            continue;
        }
        let mut cursor = Cursor::new(text, head.start());
        let Some(division) = words.divisions.take(&mut cursor) else { continue };
        let list = if words.has(Habit::LabelFirst) {
            labels_before(words, text, division, from, head.start(), cursor.at)
        } else {
            labels(words, text, division, head.start(), cursor.at)
        };
        if let Some(mut list) = list {
            steps_before(words, text, &mut list, from);
            lists.push(list);
        }
    }
    lists
}

/// "5 artikla", "5. és 7. cikk": the labels stand before the word.
fn labels_before(
    words: &Wording,
    text: &str,
    division: Division,
    from: usize,
    start: usize,
    end: usize,
) -> Option<PartList> {
    let before = tail(&text[from..start], 60);
    let offset = start - before.len();
    // The longest run of labels that reaches the word.
    let begins = |(at, c): (usize, char)| {
        let head = c.is_ascii_digit() || (division == Division::Annex && c.is_ascii_uppercase());
        head && !before[..at].ends_with(|b: char| b.is_alphanumeric() || matches!(b, '/' | '.' | '('))
    };
    before.char_indices().filter(|one| begins(*one)).find_map(|(at, _)| {
        let list = labels(words, &text[..start], division, offset + at, offset + at)?;
        let rest = text[list.end..start].trim_matches(|c| is_blank(c) || c == '.');
        rest.is_empty().then_some(PartList { end, ..list })
    })
}

/// A label with its steps, and where it ends.
struct Label {
    label: String,
    steps: Vec<String>,
}

/// The labels after a head.
fn labels(words: &Wording, text: &str, division: Division, start: usize, end: usize) -> Option<PartList> {
    let mut list = PartList { start, end, parts: Vec::new(), fault: None, citation: None };
    let mut cursor = Cursor::new(text, end);
    if !cursor.blanks() && start < end && !text[..end].ends_with('.') {
        return (division == Division::Annex).then(|| only_annex(list)).flatten();
    }
    let mut range_from: Option<Label> = None;
    while let Some(label) = label(words, &mut cursor, division, list.parts.is_empty()) {
        if !ends_well(words, &cursor) {
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
        steps_after(words, &mut cursor, &mut list);
        // ", first subparagraph, and 6": the list goes on behind the aside.
        let mut past = cursor;
        super::bind::asides(words, &mut past);
        match separator(words, &mut past) {
            Some(Separator::Range) => range_from = Some(label),
            Some(Separator::Next) => {}
            None => break,
        }
        cursor = past;
    }
    if list.parts.is_empty() {
        return (division == Division::Annex && start < end).then(|| only_annex(list)).flatten();
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

/// Endings of articles put in later.
const INSERTED: [&str; 8] = ["bis", "ter", "quater", "quinquies", "sexies", "septies", "octies", "nonies"];

/// `7`, `6a`, `5 bis`, `8 (3)`, `II`, `A`, "premier", and in a range `(4)` alone.
fn label(words: &Wording, cursor: &mut Cursor<'_>, division: Division, may_be_word: bool) -> Option<Label> {
    let mut ahead = *cursor;
    let roman_or_letter = division != Division::Article && division != Division::Recital;
    let first = ahead.peek()?;
    let label = if first == '(' {
        String::new()
    } else if may_be_word && words.first_label.take(&mut ahead).is_some() {
        "1".into()
    } else if first.is_ascii_digit() {
        arabic(words, &mut ahead)?
    } else if roman_or_letter {
        let label = ahead.run(|c| c.is_ascii_uppercase());
        // "Annex IIA": a numeral, and the letter of one put in later.
        let stem = &label[..label.len().saturating_sub(1)];
        if label.is_empty() || (label.len() > 1 && roman(label).is_none() && roman(stem).is_none()) {
            return None;
        }
        label.to_string()
    } else {
        return None;
    };
    if ahead.rest().starts_with(char::is_alphanumeric) || label.len() > 14 {
        return None;
    }
    let mut steps = dotted_steps(words, &mut ahead);
    steps.extend(bracketed_steps(&mut ahead));
    if label.is_empty() && steps.is_empty() {
        return None;
    }
    *cursor = ahead;
    Some(Label { label, steps })
}

/// `7`, `6a`, `5 bis`, `5-bis`, `5.º`, `5.o`
fn arabic(words: &Wording, cursor: &mut Cursor<'_>) -> Option<String> {
    let digits = cursor.digits();
    let mut glued = cursor.run(|c| c.is_ascii_lowercase());
    if glued.is_empty() {
        glued = cursor.run(|c| c.is_ascii_uppercase());
    }
    // "5th", "12km" are no labels; inserted articles have one or two letters, or a Latin numeral.
    if glued.len() > 2 && !INSERTED.contains(&glued) {
        return None;
    }
    let mut label = format!("{digits}{glued}");
    let mut mark = *cursor;
    mark.eat('.');
    if mark.run(|c| matches!(c, 'º' | 'ª' | '°' | 'o')).chars().count() == 1
        && !mark.rest().starts_with(char::is_alphanumeric)
    {
        *cursor = mark;
    }
    let mut ahead = *cursor;
    if glued.is_empty() && (ahead.blanks() || ahead.eat('-')) {
        let latin = ahead.run(|c| c.is_ascii_lowercase());
        if INSERTED.contains(&latin) && !ahead.rest().starts_with(char::is_alphanumeric) {
            label.push_str(latin);
            *cursor = ahead;
        }
    }
    if words.has(Habit::OrdinalStop) {
        cursor.eat('.');
    }
    Some(label)
}

/// `.2` and `.2 a` behind an article, as some languages write paragraph and point.
fn dotted_steps(words: &Wording, cursor: &mut Cursor<'_>) -> Vec<String> {
    let mut ahead = *cursor;
    if !words.has(Habit::Dotted) || !ahead.eat('.') {
        return Vec::new();
    }
    let paragraph = ahead.digits();
    if !matches!(paragraph.len(), 1..=3) {
        return Vec::new();
    }
    let mut steps = vec![paragraph.to_string()];
    *cursor = ahead;
    ahead.blanks();
    let tie = words.of.take(&mut { ahead }).is_some();
    let point = ahead.run(char::is_alphabetic);
    if !tie && point.chars().count() == 1 && point.chars().all(char::is_lowercase) {
        steps.push(point.to_string());
        *cursor = ahead;
    }
    steps
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
    let step = ahead.run(char::is_alphanumeric);
    ahead.blanks();
    ((1..=5).contains(&step.chars().count()) && ahead.eat(')')).then_some(())?;
    *cursor = ahead;
    Some(step)
}

/// Whether a label ends here: "30 %", "1.5", "5/6" and "5 EUR" are numbers of something else.
fn ends_well(words: &Wording, cursor: &Cursor<'_>) -> bool {
    let rest = cursor.rest();
    let figure = rest.strip_prefix(['.', ',']).is_some_and(|r| r.starts_with(|c: char| c.is_ascii_digit()));
    let mut ahead = *cursor;
    ahead.blanks();
    let unit = ahead.eat('%') || words.units.take(&mut ahead).is_some();
    !(figure || unit || rest.starts_with('/'))
}

enum Separator {
    Next,
    Range,
}

/// `, ` `and` `or` go on, `to` and a dash make a range; a label must follow.
fn separator(words: &Wording, cursor: &mut Cursor<'_>) -> Option<Separator> {
    let mut ahead = *cursor;
    let comma = ahead.eat(',');
    let blank = ahead.blanks();
    let dash = !comma && ahead.peek().is_some_and(is_hyphen);
    if dash {
        ahead.run(is_hyphen);
    }
    let range = dash || (!comma && blank && words.to.take(&mut ahead).is_some());
    let word = !range && words.and.take(&mut ahead).is_some();
    if !(comma || range || word) {
        return None;
    }
    ahead.blanks();
    *cursor = ahead;
    Some(if range { Separator::Range } else { Separator::Next })
}

/// ", point (a)," and "Absatz 2 Buchstabe a" after a label: the last part is replaced by those inside it.
fn steps_after(words: &Wording, cursor: &mut Cursor<'_>, list: &mut PartList) {
    loop {
        let mut ahead = *cursor;
        let mut steps = labelled_steps(words, &mut ahead);
        if steps.is_empty() {
            ahead = *cursor;
            super::bind::asides(words, &mut ahead);
            steps = labelled_steps(words, &mut ahead);
        }
        if steps.is_empty() {
            return;
        }
        if let Some(whole) = list.parts.pop() {
            list.parts.extend(steps.iter().filter_map(|path| down(&whole, path)));
        }
        *cursor = ahead;
        list.end = ahead.at;
    }
}

/// ", points (a) to (c)"
fn labelled_steps(words: &Wording, cursor: &mut Cursor<'_>) -> Vec<Vec<String>> {
    cursor.eat(',');
    if !cursor.blanks() || words.steps.take(cursor).is_none() {
        return Vec::new();
    }
    cursor.eat('.');
    cursor.blanks();
    step_list(words, cursor)
}

/// The part at the end of a path of steps.
fn down(part: &Part, path: &[String]) -> Option<Part> {
    path.iter().try_fold(part.clone(), |part, step| part.child(step).ok())
}

/// `(a), (b) and (c)`, `(a) to (c)`, `1 and 2`, `a) et b)`, `(a)(ii)`: the paths of steps.
fn step_list(words: &Wording, cursor: &mut Cursor<'_>) -> Vec<Vec<String>> {
    let mut paths: Vec<Vec<String>> = Vec::new();
    let mut ahead = *cursor;
    let mut range = false;
    loop {
        let Some(step) = bracketed(&mut ahead).or_else(|| bare_step(words, &mut ahead)) else { return paths };
        let from = paths.last().filter(|_| range).and_then(|path| path.last());
        match from.map(|from| between(from, step)) {
            Some(Ok(members)) => paths.extend(members.into_iter().map(|m| vec![m])),
            _ => paths.push(beside(paths.last(), step)),
        }
        while let Some(inner) = bracketed(&mut ahead) {
            if let Some(path) = paths.last_mut() {
                path.push(inner.to_string());
            }
        }
        *cursor = ahead;
        match separator(words, &mut ahead) {
            Some(Separator::Range) => range = true,
            Some(Separator::Next) => range = false,
            None => return paths,
        }
    }
}

/// The path of a step that follows another path: "(iv)" in "(c)(ii) and (iv)" stands in (c) too.
fn beside(before: Option<&Vec<String>>, step: &str) -> Vec<String> {
    let numeral = |s: &str| s.chars().all(|c| matches!(c, 'i' | 'v' | 'x'));
    let outer = before.filter(|path| path.last().is_some_and(|last| numeral(last)) && numeral(step));
    let mut path = outer.map_or(Vec::new(), |path| path[..path.len() - 1].to_vec());
    path.push(step.to_string());
    path
}

/// `2`, `1a`, `B` without brackets, `a)` with one; small letters alone are words, but in some languages.
fn bare_step<'a>(words: &Wording, cursor: &mut Cursor<'a>) -> Option<&'a str> {
    let mut ahead = *cursor;
    let step = ahead.run(char::is_alphanumeric);
    let (digits, rest) = step.split_at(step.bytes().take_while(u8::is_ascii_digit).count());
    let letters = rest.chars().count();
    let small = rest.chars().all(char::is_lowercase);
    let numbered = matches!(digits.len(), 1..=3) && letters <= 1;
    let lettered = digits.is_empty() && letters == 1 && (!small || words.has(Habit::BareLetters));
    if !(numbered || lettered || (digits.is_empty() && matches!(letters, 1..=4) && small && ahead.peek() == Some(')')))
    {
        return None;
    }
    if digits.is_empty() && small {
        ahead.eat(')');
    } else if words.has(Habit::OrdinalStop) {
        ahead.eat('.');
    }
    *cursor = ahead;
    Some(step)
}

/// Adds the steps named before the head to its first part, and moves the start of the words there: "point (b) of the
/// first subparagraph of", "paragraphs 1 and 2 of".
fn steps_before(words: &Wording, text: &str, list: &mut PartList, from: usize) {
    let before = tail(&text[from..list.start], 120);
    if !before.ends_with(|c| is_blank(c) || matches!(c, '\'' | '\u{2019}')) {
        return;
    }
    let offset = list.start - before.len();
    let starts = before.char_indices().filter(|(at, c)| {
        c.is_alphabetic() && !before[..*at].ends_with(char::is_alphanumeric) && begins_step(words, before, *at)
    });
    let chains = starts.filter_map(|(at, _)| {
        let steps = chain(words, Cursor::new(&text[..list.start], offset + at))?;
        Some((offset + at, steps))
    });
    let Some((start, steps)) = chains.into_iter().next() else { return };
    let Some(first) = list.parts.first().cloned() else { return };
    let into = |parts: Vec<Part>, paths: &Vec<Vec<String>>| -> Vec<Part> {
        parts.iter().flat_map(|part| paths.iter().filter_map(|path| down(part, path))).collect()
    };
    // What stands first is innermost.
    let named = steps.iter().rev().fold(vec![first], into);
    if !named.is_empty() {
        list.parts.splice(..1, named);
        list.start = start;
    }
}

fn begins_step(words: &Wording, text: &str, at: usize) -> bool {
    let cursor = Cursor::new(text, at);
    [&words.steps, &words.unlabelled, &words.ordinals, &words.the].iter().any(|one| one.take(&mut { cursor }).is_some())
}

/// The labelled steps of a chain of steps that reaches the end of the text.
fn chain(words: &Wording, mut cursor: Cursor<'_>) -> Option<Vec<Vec<Vec<String>>>> {
    let mut steps = Vec::new();
    while !cursor.rest().is_empty() {
        let mut labelled = cursor;
        let labels = words.steps.take(&mut labelled).map_or(Vec::new(), |()| {
            labelled.eat('.');
            labelled.blanks();
            step_list(words, &mut labelled)
        });
        if labels.is_empty() {
            cursor.at = super::bind::ordinal_step(words, cursor)?;
        } else {
            steps.push(labels);
            cursor = labelled;
        }
        cursor.blanks();
        words.of.take(&mut cursor)?;
        cursor.blanks();
        words.the.take(&mut cursor);
        cursor.blanks();
    }
    Some(steps)
}
