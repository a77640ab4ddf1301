//! Titles in which the number stands apart from the kind of act: "Council Directive of 20 January 1976 on … (76/9211/EEC)"
//! and "87/9598/EEC: Commission Recommendation of …".

use super::Citation;
use super::cursor::{Cursor, head, tail};
use super::named::{Around, head_of, member};
use super::reading::{Reading, read};
use crate::law::Day;
use regex::Regex;
use std::sync::LazyLock;

/// How far before its number, in bytes, a title can begin.
const TITLE: usize = 700;

static DATED_HEAD: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"(?i-u:\b(?P<act>regulation|directive|decision|recommendation)\b)\s+of\s+(?P<day>[0-9]{1,2}\s+[A-Za-z]+\s+[0-9]{4})";
    Regex::new(pattern).expect("a pattern of this file")
});

static HEAD_AFTER: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"^\s*:\s*(?:(?:EEC|EC|Council|Commission|European|Parliament|and|of|the|Framework)\s+){0,8}(?i:(?P<act>directive|decision|recommendation))(?-u:\b)";
    Regex::new(pattern).expect("a pattern of this file")
});

/// The act behind a number with a suffix at `start`, if the title around it tells its kind.
pub(super) fn number_apart(text: &str, start: usize, found: &mut Vec<Citation>) {
    let mut cursor = Cursor::new(text, start);
    let Some(member) = member(&mut cursor).filter(|m| m.suffix) else { return };
    let from = found.last().map_or(0, |c| c.end);
    let after = head(cursor.rest(), 120);
    let noun = if let Some(act) = HEAD_AFTER.captures(after).and_then(|c| c.name("act")) {
        head_of(text, act.as_str(), cursor.at + act.start()).0
    } else {
        let bracketed = text[..start].ends_with('(') && cursor.rest().starts_with(')');
        let before = tail(&text[from..start], TITLE);
        let Some(title) = DATED_HEAD.captures_iter(before).last().filter(|_| bracketed) else { return };
        // The number of a title carries the year of its date; another number in brackets is another act's.
        let year = Day::parse_long(&title["day"]).ok().map(|d| d.year() % 100);
        let Some(act) = title.name("act").filter(|_| year.is_some() && year == two_digits(member.first)) else {
            return;
        };
        head_of(text, act.as_str(), start - before.len() + act.start()).0
    };
    let Reading { celex, candidates, reason } = read(noun, &member, Around { text, start, end: cursor.at });
    found.push(Citation {
        text: text[start..cursor.at].to_string(),
        start,
        end: cursor.at,
        noun,
        short: false,
        celex,
        candidates,
        parts: Vec::new(),
        parts_start: start,
        reason,
    });
}

fn two_digits(year: &str) -> Option<i32> {
    year.get(year.len().checked_sub(2)?..)?.parse().ok()
}
