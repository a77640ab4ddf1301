//! Case law, documents of the Commission, and bare CELEX numbers.

use super::cursor::{Cursor, is_hyphen, tail};
use super::reading::Reading;
use super::{Citation, Noun, Reason};
use crate::law::Celex;
use crate::law::celex::full_year;
use regex::Regex;
use std::sync::LazyLock;

/// The words that tell a judgment from an order and an opinion; the last one before the number counts.
static KINDS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i-u:\b(?:(?P<judgment>judgments?|judgements?|rulings?)|(?P<order>orders?)|(?P<opinion>opinions?))\b)",
    )
    .expect("a pattern of this file")
});

/// `Case C-131/12`, `Joined Cases C-402/05 P and C-415/05 P`, `Case 31/87`. The members begin after byte `from`.
pub(super) fn case_list(text: &str, start: usize, from: usize, found: &mut Vec<Citation>) {
    let mut cursor = Cursor::new(text, from);
    cursor.blanks();
    let bare = from == start;
    let mut begin = start;
    while let Some((court, number, year)) = case_number(&mut cursor, bare) {
        let reading = judgment(text, start, court, number, year);
        found.push(citation(text, begin, cursor.at, Noun::Case, reading));
        let mut ahead = cursor;
        let comma = ahead.eat(',');
        ahead.blanks();
        let word = ahead.one_of(&["and", "to"]);
        ahead.blanks();
        if !(comma || word) {
            return;
        }
        begin = ahead.at;
        cursor = ahead;
    }
}

/// `C-131/12`, `T-201/04 P`, `31/87`: the court's letter, number, year.
fn case_number<'a>(cursor: &mut Cursor<'a>, bare: bool) -> Option<(char, &'a str, u16)> {
    let mut ahead = *cursor;
    let court = ahead.peek().filter(|c| matches!(c, 'C' | 'T' | 'F'));
    if court.is_some() {
        ahead.at += 1;
        ahead.peek().filter(|c| is_hyphen(*c)).map(|c| ahead.eat(c))?;
    } else if bare {
        return None;
    }
    let number = ahead.digits();
    ahead.eat_after_blanks('/').then_some(())?;
    ahead.blanks();
    let year = ahead.digits();
    if number.is_empty() || number.len() > 4 || year.len() != 2 || ahead.rest().starts_with(char::is_alphanumeric) {
        return None;
    }
    if ahead.rest().starts_with('/') {
        return None;
    }
    *cursor = ahead;
    let mut appeal = ahead;
    if appeal.blanks() && appeal.one_of(&["P", "R", "PPU", "RENV", "RX"]) {
        *cursor = appeal;
    }
    Some((court.unwrap_or('C'), number, full_year(year.parse().ok()?)))
}

/// The document of a case: which one, the words before it tell.
fn judgment(text: &str, start: usize, court: char, number: &str, year: u16) -> Reading {
    let celex = |letter: char| format!("6{year}{court}{letter}{number:0>4}").parse::<Celex>().ok();
    let before = tail(&text[..start], 100);
    let sentence = before.rfind(['.', ';']).map_or(before, |at| &before[at..]);
    match KINDS.captures_iter(sentence).last() {
        Some(word) if word.name("judgment").is_some() => Reading::certain(celex('J')),
        Some(word) if word.name("order").is_some() => Reading::certain(celex('O')),
        Some(_) => Reading::certain(celex('C')),
        None => Reading::unsure(['J', 'O', 'C'].into_iter().filter_map(celex).collect(), Reason::KindNotStated),
    }
}

/// `COM(2021) 206 final`, `SWD(2020) 12`, `JOIN(2020) 18`, `COM/2021/206`. A COM number is a proposal's or another document's.
pub(super) fn commission_document(text: &str, start: usize, found: &mut Vec<Citation>) {
    let mut cursor = Cursor::new(text, start);
    let series = cursor.run(|c| c.is_ascii_uppercase());
    cursor.blanks();
    let bracket = cursor.eat('(');
    let slash = !bracket && cursor.eat('/');
    cursor.blanks();
    let year = cursor.digits();
    if bracket && !cursor.eat_after_blanks(')') || slash && !cursor.eat('/') {
        return;
    }
    cursor.blanks();
    let number = cursor.digits();
    if !matches!(number.len(), 1..=4) || cursor.rest().starts_with(char::is_alphanumeric) {
        return;
    }
    let year = match year.len() {
        2 => year.parse().ok().map(full_year),
        4 => year.parse().ok().filter(|y| (1952..=2099).contains(y)),
        _ => return,
    };
    let mut ahead = cursor;
    ahead.blanks();
    if ahead.one_of(&["final", "FINAL"]) {
        cursor = ahead;
        if ahead.eat('/') && matches!(ahead.digits().len(), 1..=2) {
            cursor = ahead;
        }
    }
    let celex = |kind: &str| year.and_then(|y| format!("5{y}{kind}{number:0>4}").parse::<Celex>().ok());
    let reading = match series {
        "COM" => Reading::unsure(["DC", "PC"].into_iter().filter_map(celex).collect(), Reason::TypeNotInIdentifier),
        "JOIN" => Reading::certain(celex("JC")),
        _ => Reading::certain(celex("SC")),
    };
    found.push(citation(text, start, cursor.at, Noun::Document, reading));
}

/// `32016R0679` as such.
pub(super) fn bare_celex(text: &str, start: usize, found: &mut Vec<Citation>) {
    let rest = &text[start..];
    let end = rest
        .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '(' | ')' | '/' | '-' | '_')))
        .unwrap_or(rest.len());
    let mut token = &rest[..end.min(48)];
    while token.len() > 6 {
        if let Ok(celex) = token.parse::<Celex>() {
            found.push(citation(text, start, start + token.len(), Noun::Number, Reading::certain(Some(celex))));
            return;
        }
        // Closing punctuation may belong to the sentence; letters and digits belong to the number.
        if token.ends_with(|c: char| c.is_ascii_alphanumeric()) {
            return;
        }
        token = &token[..token.len() - 1];
    }
}

fn citation(text: &str, start: usize, end: usize, noun: Noun, reading: Reading) -> Citation {
    let Reading { celex, candidates, reason } = reading;
    let words = text[start..end].to_string();
    Citation {
        text: words,
        start,
        end,
        noun,
        short: false,
        celex,
        candidates,
        parts: Vec::new(),
        parts_start: start,
        reason,
    }
}
