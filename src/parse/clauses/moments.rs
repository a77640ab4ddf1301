//! From when: the moments that provisions name, in figures, counted from the act's own days, or by an event.

use super::super::numerals::{cardinal, ordinal};
use super::fixed;
use super::slots::{Filling, Slotted};
use crate::law::{Offset, When};
use regex::{Captures, Regex};
use std::ops::Range;
use std::sync::LazyLock;

/// What a preposition leads to; `own` is the day of the act that is counted from.
const PREPOSITION: &str = r"\b(?:with effect (?:as )?(?:from|on|of)|as (?:from|of)|effective (?:as )?(?:from|on)|starting (?:from|on)|from|on|upon|at|by|until) ";
const OWN: &str = concat!(
    r"(?:the )?(?:(?:date|day|that|time|moment) )?(?:of |on which |in which |the date of |that of |the day of )*",
    r"(?:(?:its|the|their) )?(?:(?:date|day) of )?",
    r"(?:<this> (?:is |was )?)?(?P<own>publication|published|entry into force|enters? into force|entering into force",
    r"|comes? into force|takes? effect|application|applies|(?:begins?|starts?) to (?:apply|be applicable)|becomes? applicable|notification)",
    r"(?P<of> of <this>| thereof| of the present [A-Z]\w+)?",
    r"(?: in the Official Journal(?: of the European (?:Union|Communities|Community))?)?",
    r"(?P<after>[,.;:)]|$| (?:of )?[a-z<(]\S*(?: \S+){0,2})?",
);

static FIRST_OF_MONTH: LazyLock<Regex> = LazyLock::new(|| {
    fixed(&format!(
        "(?i){PREPOSITION}the (?:first|1st) day of the (?:(?P<n>[a-z0-9-]+) )?(?:calendar )?month (?:following|after) (?:the month |that )?{OWN}"
    ))
});
static NTH_DAY: LazyLock<Regex> =
    LazyLock::new(|| fixed(&format!("(?i){PREPOSITION}the (?:(?P<n>[a-z0-9-]+) )?day (?:following|after) {OWN}")));
static DISTANCE: LazyLock<Regex> = LazyLock::new(|| {
    fixed(&format!(
        r"(?i)(?:{PREPOSITION})?(?:the (?:date|day) falling |a period of )?\b(?P<n>\d{{1,3}}|[a-z]+(?:-[a-z]+)?) (?P<unit>day|month|year)s? (?:after|from|following) {OWN}"
    ))
});
static SAME_DAY: LazyLock<Regex> = LazyLock::new(|| fixed(&format!("(?i){PREPOSITION}{OWN}")));
static ON_DAY: LazyLock<Regex> = LazyLock::new(|| fixed(&format!("(?i){PREPOSITION}<day>")));
static EVENT: LazyLock<Regex> = LazyLock::new(|| {
    fixed(concat!(
        r"(?i)^,? ?(?P<words>(?:(?:with effect (?:as )?(?:from|on)|as (?:from|of)|from|on|upon) (?:the )?[a-z]",
        r"|with effect from\b|when\b|once\b|as soon as\b|after\b|(?:[a-z]+|\d+) (?:days?|months?|years?) (?:after|from|following)\b|in each Member State\b",
        r"|subject to (?:the|its|their) (?:entry into force|adoption|approval|conclusion|completion|ratification|accession)\b",
        r"|provided that\b|on condition that\b|(?:by|not later than|no later than|at the latest (?:by|on)) <day>)[^;]*)",
    ))
});
/// An event before the subject: "Upon the entry into force of the Convention,".
static EVENT_BEFORE: LazyLock<Regex> = LazyLock::new(|| {
    fixed(concat!(
        r"(?i)\b(?P<words>(?:(?:with effect (?:as )?(?:from|on)|as (?:from|of)|from|on|upon|after|following) (?:the )?(?:(?:date|day) (?:of |on which )(?:the )?)?",
        r"(?:entry into force|accession|adoption|application|conclusion|completion|expiry|establishment|ratification|publication|notification|[^,;]* (?:enters? into force|applies|becomes operational))\b",
        r"|once\b|when\b|as soon as\b)[^;]*?),? $",
    ))
});

/// A moment and where in the text it is written, preposition included.
pub(super) struct Moment {
    pub(super) when: When,
    pub(super) range: Range<usize>,
}

/// The first moment in `text` that is a day: in figures, or counted from the act's own days.
pub(super) fn first(text: &Slotted) -> Option<Moment> {
    let counted = [&*FIRST_OF_MONTH, &*NTH_DAY, &*DISTANCE, &*SAME_DAY].into_iter().enumerate();
    let counted = counted.filter_map(|(form, regex)| regex.captures_iter(&text.text).find_map(|c| own_day(form, &c)));
    counted.chain(figures(text)).min_by_key(|m| m.range.start)
}

fn figures(text: &Slotted) -> Option<Moment> {
    ON_DAY.find_iter(&text.text).find_map(|m| {
        let until = ["until", "by "].iter().any(|p| m.as_str().to_ascii_lowercase().starts_with(p));
        match text.at(m.end() - "<day>".len())?.filling {
            Filling::Day(day) if !until => Some(Moment { when: When::On { day }, range: m.range() }),
            _ => None,
        }
    })
}

/// The event that a provision hangs on, where the text begins with one.
pub(super) fn event(text: &Slotted, source: &str) -> Option<When> {
    let words = EVENT.captures(&text.text)?.name("words")?;
    let written = text.words(words.range(), source);
    Some(When::Event { words: written.trim_end_matches(['.', ',']).to_string() })
}

/// The event named before the subject of a provision.
pub(super) fn event_before(lead: &Slotted, source: &str) -> Option<When> {
    let words = EVENT_BEFORE.captures(&lead.text)?.name("words")?;
    Some(When::Event { words: lead.words(words.range(), source) })
}

fn own_day(form: usize, caps: &Captures) -> Option<Moment> {
    let whole = caps.get(0)?;
    let own = caps.name("own")?;
    if whole.as_str().to_ascii_lowercase().starts_with("until") || !is_own(caps) {
        return None;
    }
    let n = caps.name("n").map(|n| n.as_str());
    let offset = match form {
        0 => Offset { months: n.map_or(Some(1), ordinal)?, days: 0, first_of_month: true },
        1 => Offset { days: n.map_or(Some(1), ordinal)?, ..Offset::default() },
        2 => distance(cardinal(n?)?, &caps["unit"])?,
        _ => Offset::default(),
    };
    let when = match own.as_str().to_ascii_lowercase() {
        s if s.starts_with("publi") => When::Publication(offset),
        s if s.contains("force") || s.contains("effect") => When::EntryIntoForce(offset),
        s if s.contains("appl") => When::Application(offset),
        _ => When::Notification,
    };
    let end = caps.name("after").map_or(whole.end(), |a| a.start());
    Some(Moment { when, range: whole.start()..end })
}

/// Whether the day counted from is the act's own: "its", "of this Regulation", or nothing further named.
fn is_own(caps: &Captures) -> bool {
    let words = &caps[0];
    let named = caps.name("of").is_some() || words.contains("<this>") || words.to_ascii_lowercase().contains(" its ");
    named || caps.name("after").is_none_or(|a| !a.as_str().trim_start().starts_with("of ") && a.as_str().len() <= 1)
}

fn distance(n: u32, unit: &str) -> Option<Offset> {
    match unit.to_ascii_lowercase().as_str() {
        "day" => Some(Offset { days: n, ..Offset::default() }),
        "month" => Some(Offset { months: n, ..Offset::default() }),
        _ => Some(Offset { months: n.checked_mul(12)?, ..Offset::default() }),
    }
}
