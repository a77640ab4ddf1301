//! Footnotes of flat texts: the signs in the running text, and notes that a page end left in the middle of it.
//!
//! A sign looks like the number of a paragraph in old references ("Article 8 (3)") and like the label of a point.
//! It is told from them by what stands before it and, in a document, by counting on with the document's notes.

use super::block::{Block, Role};
use super::coverage::letters;
use super::label;
use super::numerals::cardinal;
use crate::law::{MONTHS, PartList, part_lists};
use regex::Regex;
use std::cell::OnceCell;
use std::ops::Range;
use std::sync::LazyLock;

/// How many notes may lack their sign before the next sign is taken.
const SKIPPED: usize = 2;

static SIGN: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\((\d{1,3}|\*{1,3}\d{0,2})\)").expect("a fixed pattern"));

/// A reference to the journal with which the notes of old acts begin, to its page, and what amended the act.
static JOURNAL: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"^OJ\s[^()]{4,80}?\bp\.\s?\d{1,5}(?:\s?(?:[-–]|to|and)\s?\d{1,5})?",
        r"(?:[,;]?(?:\s?and)?\s?OJ\s[^()]{4,80}?\bp\.\s?\d{1,5})*\.?",
        r"(?:\s(?:Directive|Regulation|Decision|Last|As)[^()]{0,80}amended by[^()]{0,120}\(OJ[^()]{0,80}\)\.?)?",
    ))
    .expect("a fixed pattern")
});

/// Words after which a number in brackets is a label, not a sign.
const BEFORE_LABELS: [&str; 58] = [
    "a",
    "an",
    "and",
    "annex",
    "annexes",
    "are",
    "article",
    "articles",
    "as",
    "at",
    "be",
    "by",
    "case",
    "categories",
    "category",
    "chapter",
    "class",
    "code",
    "column",
    "columns",
    "field",
    "footnote",
    "footnotes",
    "for",
    "form",
    "from",
    "group",
    "if",
    "in",
    "indent",
    "is",
    "item",
    "items",
    "no",
    "note",
    "notes",
    "number",
    "numbers",
    "of",
    "on",
    "option",
    "or",
    "paragraph",
    "paragraphs",
    "part",
    "point",
    "points",
    "recital",
    "recitals",
    "section",
    "sections",
    "shall",
    "subparagraph",
    "than",
    "the",
    "title",
    "to",
    "under",
];

/// A text without the signs of its footnotes, and the notes they point to, in order.
///
/// ```
/// use legal_link::parse::without_signs;
/// let (text, notes) = without_signs("pursuant to Directive 95/46/EC (1) and to Article 5(1)");
/// assert_eq!((text.as_str(), notes), ("pursuant to Directive 95/46/EC and to Article 5(1)", vec!["1".to_string()]));
/// ```
pub fn without_signs(text: &str) -> (String, Vec<String>) {
    let lists = OnceCell::new();
    let (mut bare, mut notes, mut from) = (String::new(), Vec::new(), 0);
    for (range, label) in signs(text) {
        if is_sign(text, &range, || lists.get_or_init(|| part_lists(text))) {
            bare.push_str(text[from..range.start].trim_end());
            notes.push(label.to_string());
            from = range.end;
        }
    }
    bare.push_str(&text[from..]);
    (bare, notes)
}

fn signs(text: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    let found = text.contains('(').then(|| SIGN.captures_iter(text)).into_iter().flatten();
    found.filter_map(|c| Some((c.get(0)?.range(), c.get(1)?.as_str())))
}

/// Whether the number in brackets points to a note: it follows a word that a note can be hung on, and is part of
/// no reference.
fn is_sign<'l>(text: &str, at: &Range<usize>, lists: impl Fn() -> &'l Vec<PartList>) -> bool {
    let (before, after) = (text[..at.start].trim_end(), &text[at.end..]);
    let Some(last) = before.chars().next_back() else { return false };
    if after.starts_with(|c: char| c.is_alphanumeric() || c == '(') {
        return false;
    }
    if text[at.clone()].starts_with("(*") {
        return true;
    }
    if counts(&text[at.clone()], before, after) {
        return false;
    }
    let hangs = last.is_alphanumeric()
        || matches!(last, ')' | ']' | '’' | '”' | '"' | '\'' | '»' | '%' | '`' | '…')
        || before.ends_with("..");
    hangs
        && word_takes_note(before, before.len() == at.start)
        && !lists().iter().any(|l| (l.start..l.end).contains(&at.start))
}

/// Whether a number in brackets repeats the word before it ("thirty (30) days") or is counted on from
/// ("conditions (1) to (4)").
fn counts(sign: &str, before: &str, after: &str) -> bool {
    static ON: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^(?:, \(\d{1,3}\))*,? (?:to|and|or) \(\d{1,3}\)").expect("a fixed pattern"));
    let word = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let number = sign.trim_matches(['(', ')']).parse().ok();
    number.is_some() && spelled(word) == number || ON.is_match(after)
}

/// The number that a word spells, below a hundred.
fn spelled(word: &str) -> Option<u32> {
    if word.eq_ignore_ascii_case("zero") {
        return Some(0);
    }
    let letters = word.starts_with(|c: char| c.is_ascii_alphabetic());
    cardinal(word).filter(|number| letters && *number < 100)
}

/// Whether the last word of `before` is one that a note can be hung on; `glued` where no blank follows it.
fn word_takes_note(before: &str, glued: bool) -> bool {
    let whole = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    // "by … (9)": a day that was not known yet.
    if whole.ends_with('…') || whole.ends_with("..") {
        return true;
    }
    // "(A)", "5(1)": a label, and so what follows; "(UCITS)", "(Merger Regulation)" are words.
    if let Some(inner) = whole.strip_suffix(')') {
        let inner = inner.rsplit('(').next().unwrap_or_default();
        return inner.chars().count() > 3 && inner.chars().all(|c| !c.is_ascii_digit() || inner.contains('/'));
    }
    let word = whole.trim_matches(|c: char| !c.is_alphanumeric());
    if word.contains('/') {
        return true;
    }
    if word.bytes().all(|b| b.is_ascii_digit()) {
        let ahead = before[..before.len() - whole.len()].trim_end();
        let year = word.len() == 4 && MONTHS.iter().any(|month| ahead.ends_with(month));
        return !glued && (year || ahead.ends_with("No"));
    }
    let numeral = word.len() <= 4 && word.chars().all(|c| "IVXLC".contains(c)) || word.chars().count() == 1;
    let label = word.chars().any(|c| c.is_ascii_digit()) && word.len() <= 5;
    let listed = BEFORE_LABELS.binary_search(&word.to_lowercase().as_str()).is_ok();
    let ordinary = !glued || word.chars().count() > 3 && word.chars().any(char::is_lowercase);
    !numeral && !label && !listed && ordinary
}

/// The length of a note about the journal at the beginning of `text` (its sign left out), if one stands there.
pub(super) fn journal(text: &str) -> Option<usize> {
    text.starts_with("OJ ").then(|| JOURNAL.find(text)).flatten().map(|m| m.end())
}

/// Words that a note at the end of a page cut in two are one block again.
pub(super) fn rejoin(blocks: Vec<Block>) -> Vec<Block> {
    let mut out: Vec<Block> = Vec::with_capacity(blocks.len());
    for block in blocks {
        let notes = out.iter().rev().take_while(|b| b.role == Role::Note).count();
        let goes_on = notes > 0 && block.role == Role::Text && block.text().starts_with(char::is_lowercase);
        let cut = out.len().checked_sub(notes + 1).filter(|_| goes_on);
        match cut.and_then(|at| out.get_mut(at)) {
            Some(first) if first.role == Role::Text && !first.text().ends_with(['.', ':']) => {
                first.words.join(&block.words);
            }
            _ => out.push(block),
        }
    }
    out
}

/// Takes the signs that count on with the document's notes out of the running text; how many letters and digits
/// they have.
pub(super) fn take_signs(blocks: &mut [Block]) -> usize {
    let notes: Vec<String> =
        blocks.iter().filter(|b| b.role == Role::Note).filter_map(|b| label::note(b.text())).map(|(l, _)| l).collect();
    let (mut next, mut aside) = (0, 0);
    for block in blocks.iter_mut().filter(|b| !matches!(b.role, Role::Note | Role::Header)) {
        if next >= notes.len() {
            break;
        }
        let lists = OnceCell::new();
        let text = block.words.text();
        let mut taken: Vec<Range<usize>> = Vec::new();
        for (range, label) in signs(text) {
            let awaited = notes[next..].iter().take(1 + SKIPPED).position(|n| n == label);
            if let Some(skipped) = awaited
                && is_sign(text, &range, || lists.get_or_init(|| part_lists(text)))
            {
                next += skipped + 1;
                taken.push(range);
            }
        }
        for range in taken.into_iter().rev() {
            aside += letters(&block.words.text()[range.clone()]);
            block.words = block.words.without(range.start, range.end);
        }
    }
    aside
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_go_and_labels_stay() {
        for (text, bare, notes) in [
            (
                "opinion of the Committee (1), and of Parliament(2);",
                "opinion of the Committee, and of Parliament;",
                "1 2",
            ),
            ("Article 8 (3) of Regulation No 17 (4)", "Article 8 (3) of Regulation No 17", "4"),
            ("of 14 June 1989 (12).", "of 14 June 1989.", "12"),
            ("points (1) and (2) of Annex I (3)", "points (1) and (2) of Annex I (3)", ""),
            ("Articles 6 (2) and 7 (1) thereof", "Articles 6 (2) and 7 (1) thereof", ""),
            ("the Merger Regulation (*) as amended", "the Merger Regulation as amended", "*"),
            ("the following: (1) gnomes; (2) dwarfs", "the following: (1) gnomes; (2) dwarfs", ""),
            ("securities (UCITS) (2) has been", "securities (UCITS) has been", "2"),
            ("in force by ... (9). They", "in force by .... They", "9"),
            ("within two (2) months or thirty (30) days", "within two (2) months or thirty (30) days", ""),
            (
                "the twenty-eight (28) days of Directive 95/46/EC (3)",
                "the twenty-eight (28) days of Directive 95/46/EC",
                "3",
            ),
            (
                "conditions (1) to (4) and rules (1), (2) and (3)",
                "conditions (1) to (4) and rules (1), (2) and (3)",
                "",
            ),
            ("Article 13 (A) (3) and Article 5(1)(2)", "Article 13 (A) (3) and Article 5(1)(2)", ""),
        ] {
            let (found, signs) = without_signs(text);
            assert_eq!((found.as_str(), signs.join(" ").as_str()), (bare, notes), "{text}");
        }
    }

    #[test]
    fn the_words_before_labels_are_sorted() {
        assert!(BEFORE_LABELS.is_sorted());
    }

    #[test]
    fn a_note_about_the_journal_ends_with_its_page() {
        let note = "OJ No L 42, 15.2.1975, p. 1. progress shall be made";
        assert_eq!(journal(note).map(|n| &note[..n]), Some("OJ No L 42, 15.2.1975, p. 1."));
        assert_eq!(journal("Opinion of 3 May"), None);
    }
}
