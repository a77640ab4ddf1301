//! Case law, documents of the Commission, and bare CELEX numbers.

use super::cursor::{Cursor, is_hyphen, tail};
use super::named::citation;
use super::reading::Reading;
use super::wording::{Ruling, Wording};
use super::{Citation, Noun, Reason};
use crate::law::Celex;
use crate::law::celex::full_year;

/// `Case C-131/12`, `Joined Cases C-402/05 P and C-415/05 P`, `Case 31/87`. The members begin after byte `from`.
pub(super) fn case_list(words: &Wording, text: &str, start: usize, from: usize, found: &mut Vec<Citation>) {
    let mut cursor = Cursor::new(text, from);
    cursor.blanks();
    let bare = from == start;
    let mut begin = start;
    let named = text[start..].starts_with(char::is_uppercase) || ruling(words, text, start).is_some();
    while let Some((court, number, year)) = case_number(&mut cursor, bare, named) {
        let reading = judgment(words, text, start, court, number, year);
        found.push(citation(text, begin, cursor.at, Noun::Case, reading));
        let mut ahead = cursor;
        let comma = ahead.eat(',');
        ahead.blanks();
        let word = words.and.take(&mut ahead).is_some() || words.to.take(&mut ahead).is_some();
        ahead.blanks();
        if !(comma || word) {
            return;
        }
        begin = ahead.at;
        cursor = ahead;
    }
}

/// `C-131/12`, `T-201/04 P`, `31/87`, and `26-62` as titles of that time have it: the court's letter, number, year.
/// `named` tells a case from the everyday word before a range.
fn case_number<'a>(cursor: &mut Cursor<'a>, bare: bool, named: bool) -> Option<(char, &'a str, u16)> {
    let mut ahead = *cursor;
    let court = ahead.peek().filter(|c| matches!(c, 'C' | 'T' | 'F'));
    if court.is_some() {
        ahead.at += 1;
        if !bare {
            ahead.blanks();
        }
        ahead.peek().filter(|c| is_hyphen(*c)).map(|c| ahead.eat(c))?;
        if !bare {
            ahead.blanks();
        }
    } else if bare {
        return None;
    }
    let number = ahead.digits();
    let hyphen = ahead.peek().filter(|c| court.is_none() && named && is_hyphen(*c));
    let divided = match hyphen {
        Some(hyphen) => ahead.eat(hyphen),
        None => ahead.eat_after_blanks('/'),
    };
    divided.then_some(())?;
    if hyphen.is_none() {
        ahead.blanks();
    }
    let year = ahead.digits();
    if number.is_empty() || number.len() > 4 || year.len() != 2 || ahead.rest().starts_with(char::is_alphanumeric) {
        return None;
    }
    if ahead.rest().starts_with('/') {
        return None;
    }
    let year = full_year(year.parse().ok()?);
    if hyphen.is_some() && !WITHOUT_A_COURT.contains(&year) {
        return None;
    }
    *cursor = ahead;
    let mut appeal = ahead;
    if appeal.blanks() && appeal.one_of(&["P", "R", "PPU", "RENV", "RX"]) {
        *cursor = appeal;
    }
    Some((court.unwrap_or('C'), number, year))
}

/// The years whose cases carry no letter of a court: the second court began its work in 1989.
const WITHOUT_A_COURT: std::ops::RangeInclusive<u16> = 1953..=1989;

/// The document of a case: which one, the words before it tell.
fn judgment(words: &Wording, text: &str, start: usize, court: char, number: &str, year: u16) -> Reading {
    let celex = |letter: char| format!("6{year}{court}{letter}{number:0>4}").parse::<Celex>().ok();
    match ruling(words, text, start) {
        Some(Ruling::Judgment) => Reading::certain(celex('J')),
        Some(Ruling::Order) => Reading::certain(celex('O')),
        Some(Ruling::Opinion) => Reading::certain(celex('C')),
        None => Reading::unsure(['J', 'O', 'C'].into_iter().filter_map(celex).collect(), Reason::KindNotStated),
    }
}

/// Which document of a case the words of its sentence name.
fn ruling(words: &Wording, text: &str, start: usize) -> Option<Ruling> {
    let before = tail(&text[..start], 100);
    let sentence = before.rfind(['.', ';']).map_or(before, |at| &before[at..]);
    words.rulings.within(sentence).last().map(|(_, ruling)| ruling)
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
