//! Titles in which the number stands apart from the kind of act: "Council Directive of 20 January 1976 on … (76/9211/EEC)"
//! and "87/9598/EEC: Commission Recommendation of …".

use super::cursor::{Cursor, tail};
use super::makers::{Made, made};
use super::named::{Around, Between, citation, head_at, member};
use super::reading::read;
use super::wording::Wording;
use super::{Citation, Noun};
use crate::law::Day;

/// How far before its number, in bytes, a title can begin.
const TITLE: usize = 700;

/// The act behind a number with a suffix at `start`, if the title around it tells its kind.
pub(super) fn number_apart(words: &Wording, text: &str, start: usize, found: &mut Vec<Citation>) {
    let mut cursor = Cursor::new(text, start);
    let Some(member) = member(words, &mut cursor).filter(|m| m.suffix) else { return };
    let from = found.last().map_or(0, |c| c.end);
    let noun = if let Some(noun) = kind_after(words, cursor) {
        noun
    } else {
        let bracketed = text[..start].ends_with('(') && cursor.rest().starts_with(')');
        let Some((noun, day)) = dated_kind(words, text, from, start).filter(|_| bracketed) else { return };
        // The number of a title carries the year of its date; another number in brackets is another act's.
        if two_digits(member.first) != Some(day.year() % 100) {
            return;
        }
        noun
    };
    let around = Around { text, start, end: cursor.at, between: Between::default() };
    found.push(citation(text, start, cursor.at, noun, read(words, noun, &member, around)));
}

/// The kind of act in ": Commission Recommendation …".
fn kind_after(words: &Wording, mut cursor: Cursor<'_>) -> Option<Noun> {
    cursor.eat_after_blanks(':').then_some(())?;
    for _ in 0..8 {
        cursor.blanks();
        if let Some((noun, _)) = words.acts.take(&mut cursor) {
            return Some(noun).filter(|noun| *noun != Noun::Regulation);
        }
        let known = [&words.makers, &words.the, &words.and, &words.maker_of, &words.before_act, &words.qualifiers];
        if !known.iter().any(|one| one.take(&mut cursor).is_some()) {
            return None;
        }
    }
    None
}

/// The last kind of act with a date between two places: "Council Directive of 20 January 1976".
fn dated_kind(words: &Wording, text: &str, from: usize, to: usize) -> Option<(Noun, Day)> {
    let before = to - tail(&text[from..to], TITLE).len();
    let heads = words.heads.captures_iter(&text[before..to]).filter_map(|found| found.name("act"));
    let dated = heads.filter_map(|head| {
        let (noun, _, _, end) = head_at(words, text, before + head.start())?;
        let mut cursor = Cursor::new(&text[..to], end);
        loop {
            if let Made::On(day) = made(words, &mut cursor)? {
                return Some((noun, day));
            }
        }
    });
    dated.last()
}

fn two_digits(year: &str) -> Option<i32> {
    year.get(year.len().checked_sub(2)?..)?.parse().ok()
}
