//! A provision cut into sentences, and a sentence freed from what stands before its subject.

use super::slots::Slotted;
use super::{fixed, quotation};
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// Words after which a full stop ends no sentence.
const ABBREVIATIONS: [&str; 12] = ["No", "Nos", "p", "pp", "Art", "Arts", "cf", "e.g", "i.e", "para", "paras", "vol"];

/// The sentences of `text`, in order, as ranges without outer white space. A line break ends a sentence;
/// nothing inside quotation marks does.
pub(super) fn sentences(text: &str) -> Vec<Range<usize>> {
    let quoted = quotation::ranges(text);
    let mut next_quote = 0;
    let mut found = Vec::new();
    let mut start = 0;
    for (at, c) in text.char_indices() {
        while quoted.get(next_quote).is_some_and(|q| q.end <= at) {
            next_quote += 1;
        }
        let inside = quoted.get(next_quote).is_some_and(|q| q.start < at);
        if !inside && (c == '\n' || c == '.' && stops(text, start, at)) {
            push(text, start..at + 1, &mut found);
            start = at + 1;
        }
    }
    push(text, start..text.len(), &mut found);
    found
}

fn push(text: &str, range: Range<usize>, found: &mut Vec<Range<usize>>) {
    let words = &text[range.clone()];
    let start = range.start + (words.len() - words.trim_start().len());
    let end = start + words.trim().len();
    if end > start {
        found.push(start..end);
    }
}

/// Whether the full stop at `at` ends the sentence that began at `start`.
fn stops(text: &str, start: usize, at: usize) -> bool {
    let after = &text[at + 1..];
    let follows = after.trim_start();
    let spaced = after.len() > follows.len() || follows.is_empty();
    let begins = follows.chars().next().is_none_or(|c| !c.is_lowercase() && !matches!(c, ',' | ';' | ')'));
    let sentence = text[start..at].trim_start();
    let word = sentence.rsplit([' ', '\u{a0}', '(']).next().unwrap_or_default();
    let enumerator =
        !sentence.is_empty() && sentence.len() <= 4 && sentence.chars().all(|c| c.is_ascii_digit() || c == '(');
    let initial = word.len() == 1 && word.chars().all(char::is_alphabetic);
    spaced && begins && !enumerator && !initial && !ABBREVIATIONS.contains(&word)
}

static ENUMERATOR: LazyLock<Regex> =
    LazyLock::new(|| fixed(r"^(?:\(?(?:\d{1,3}|[a-z]{1,3}|[ivx]{1,5})[.)]|—|–|-|•)(?:\([0-9a-z]{1,4}\))? "));
static ADVERB: LazyLock<Regex> = LazyLock::new(|| {
    fixed(r"^(?:However|Nevertheless|Moreover|Accordingly|Therefore|Furthermore|In addition|Consequently),? ")
});
static FROM_DAY: LazyLock<Regex> =
    LazyLock::new(|| fixed(r"^(?:With effect from|With effect as from|As from|As of|From|On|Effective) <day>,? "));
static INTRODUCED: LazyLock<Regex> = LazyLock::new(|| {
    fixed(concat!(
        r"^(?:With effect|With the exception|Other than|Apart from|Without prejudice|In accordance|Subject to|Notwithstanding|By way of derogation|Pursuant to|",
        r"For the purposes?|As from|As of|From|On|Upon|Until|Under|Save|Except|By|In derogation|Within|At|After|When|Once)\b",
    ))
});

/// The heading of a provision, where a page prints it in one line with the provision's words.
static HEADING: LazyLock<Regex> = LazyLock::new(|| {
    fixed(concat!(
        r"^(?:Article \d+[a-z]* )?(?:Repeal(?:s|ing provisions?)?|Repeals? of(?: [^.;]{0,200}?)?|Amend(?:ments?|ing provisions?)(?: to [^.;]{0,200}?)?",
        r"|(?:Final|Transitional|Concluding) provisions|(?:Date of )?(?:[Ee]ntry into force|[Aa]pplication)(?:,? and (?:date of )?(?:application|repeal|expiry|transitional (?:period|provisions)))?",
        r"|Transposition|Addressees?|Validity|Expiry|Period of (?:validity|application)|Duration) (?P<words>(?:<act>|<this>|<parts> of <act>|In <act>|The following|Member States|Articles?\b|[A-Z][a-z]+ (?:\([A-Z]+\) )?No |(?:Council |Commission )?(?:Regulation|Directive|Decision|Framework Decision)s? ))",
    ))
});

/// A provision's words without its number and heading, where these stand before them in one line.
pub(super) fn unheaded(text: &str) -> &str {
    static NUMBER: LazyLock<Regex> = LazyLock::new(|| fixed(r"^\W*Article \d+[a-z]*\s+"));
    let rest = NUMBER.find(text).map_or(text, |m| &text[m.end()..]);
    HEADING.captures(rest).and_then(|c| c.name("words")).map_or(rest, |m| &rest[m.start()..])
}

/// Commas looked at for the end of a phrase before the subject.
const COMMAS: usize = 12;

/// Splits a sentence into the phrases before its subject ("With effect from …", "Without prejudice to …,",
/// "However,") and the rest, which patterns see.
pub(super) fn lead_in(sentence: &Slotted) -> (Slotted, Slotted) {
    let text = &sentence.text;
    let mut at = 0;
    loop {
        let rest = &text[at..];
        let short = [&ENUMERATOR, &ADVERB, &FROM_DAY].iter().find_map(|r| r.find(rest)).map(|m| m.end());
        let heading = || HEADING.captures(rest).filter(|_| at == 0).and_then(|c| c.name("words")).map(|m| m.start());
        let short = short.or_else(heading);
        match short.or_else(|| phrase(rest)) {
            Some(length) if length > 0 => at += length,
            _ => break,
        }
    }
    if text[at..].starts_with("The <act>") || text[at..].starts_with("the <act>") {
        at += "The ".len();
    }
    (sentence.piece(0..at), sentence.piece(at..text.len()))
}

/// The length of a phrase that ends with a comma before the subject.
fn phrase(rest: &str) -> Option<usize> {
    if !INTRODUCED.is_match(rest) {
        return None;
    }
    let subject = |after: &str| {
        ["<act>", "<parts>", "<this>", "the ", "it ", "they ", "In <act>", "that "].iter().any(|s| after.starts_with(s))
    };
    let limit = rest.find([':', ';']).unwrap_or(rest.len());
    let commas = rest[..limit].match_indices(", ").take(COMMAS).map(|(at, _)| at + 2);
    let listed = rest[limit..].starts_with(": <").then_some(limit + 2);
    commas.into_iter().find(|at| subject(&rest[*at..])).or(listed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_stops_of_abbreviations_and_numbers_end_nothing() {
        let text = "1. Regulation (EEC) No. 1 applies. It ends on 1 May 2004. However, OJ L 1, p. 3. Next";
        let read: Vec<&str> = sentences(text).into_iter().map(|r| &text[r]).collect();
        assert_eq!(
            read,
            ["1. Regulation (EEC) No. 1 applies.", "It ends on 1 May 2004.", "However, OJ L 1, p. 3.", "Next"]
        );
    }

    #[test]
    fn quotations_are_not_cut() {
        let text = "It is replaced by ‘One. Two.’ Then";
        assert_eq!(sentences(text).len(), 1);
    }
}
