//! From year and number to CELEX: which stands first, in which period, for which kind of act.

use super::cursor::Cursor;
use super::named::{Around, Communities, Member, dated};
use super::{Noun, Reason};
use crate::law::{Celex, Day};
use regex::Regex;
use std::sync::LazyLock;

/// What a citation comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reading {
    pub celex: Option<Celex>,
    pub candidates: Vec<Celex>,
    pub reason: Option<Reason>,
}

impl Reading {
    pub fn certain(celex: Option<Celex>) -> Self {
        let reason = celex.is_none().then_some(Reason::NoPlausibleYear);
        Self { celex, candidates: Vec::new(), reason }
    }

    pub fn unsure(candidates: Vec<Celex>, reason: Reason) -> Self {
        Self { celex: None, candidates, reason: Some(reason) }
    }
}

/// From this year on all acts are numbered year/number.
const YEAR_FIRST: u16 = 2015;

/// The Union in its present form made no act before this year.
const EU_FROM: u16 = 2009;

/// The year that digits can stand for: four digits from 1952 to 2099, or two from 52 to 99.
fn year_of(digits: &str) -> Option<u16> {
    let year: u16 = digits.parse().ok()?;
    match digits.len() {
        4 => Some(year).filter(|y| (1952..=2099).contains(y)),
        2 => Some(1900 + year).filter(|_| year >= 52),
        _ => None,
    }
}

/// A year of two digits after 1999, as some write it by mistake: only where nothing else is possible.
fn late_year(digits: &str) -> Option<u16> {
    let year: u16 = digits.parse().ok()?;
    (digits.len() == 2 && year < 15).then_some(2000 + year)
}

/// The act behind a member with a slash.
pub(super) fn read(noun: Noun, member: &Member<'_>, around: Around<'_>) -> Reading {
    let second = member.second.unwrap_or_default();
    match noun {
        Noun::Regulation => regulation(member, second),
        Noun::Decision => decision(member, second, around),
        Noun::Opinion if !member.suffix && member.communities == Communities::default() => {
            court_opinion(member, second)
        }
        _ => year_first(letter(noun, member), member, second),
    }
}

/// The CELEX letter of a kind of act.
fn letter(noun: Noun, member: &Member<'_>) -> &'static str {
    match noun {
        Noun::Directive => "L",
        Noun::FrameworkDecision => "F",
        // Joint actions in justice and home affairs (before Amsterdam) are filed with the framework decisions.
        Noun::JointAction if member.communities.jha => "F",
        Noun::JointAction | Noun::CommonPosition => "E",
        Noun::Recommendation => "H",
        Noun::Guideline => "O",
        Noun::Opinion => "A",
        Noun::Decision => "D",
        _ => "R",
    }
}

/// Directives, recommendations and their like have always put the year first, "No" or not.
fn year_first(letter: &str, member: &Member<'_>, second: &str) -> Reading {
    let year = year_of(member.first).or_else(|| late_year(member.first).filter(|_| member.suffix));
    match (year, year_of(second)) {
        (Some(year), _) => Reading::certain(Celex::secondary(letter, year, second)),
        (None, Some(year)) => {
            Reading::unsure(Celex::secondary(letter, year, member.first).into_iter().collect(), Reason::TwoReadings)
        }
        (None, None) => Reading::certain(None),
    }
}

/// Regulations: number/year until 2014, year/number since.
fn regulation(member: &Member<'_>, second: &str) -> Reading {
    let Member { communities, no, first, .. } = *member;
    let by_year = |year: u16, number: &str| Celex::secondary("R", year, number);
    let early = year_of(second).or_else(|| late_year(second).filter(|_| no));
    let late = year_of(first).filter(|_| first.len() == 4);
    match (early, late) {
        (None, None) => Reading::certain(None),
        (Some(year), None) => Reading::certain(by_year(year, first)),
        (None, Some(year)) => Reading::certain(by_year(year, second)),
        (Some(early), Some(late)) => {
            let union = communities.eu;
            let number_first = if no {
                (!union || early >= EU_FROM).then_some(true)
            } else if communities.ec || communities.eec || communities.ecsc {
                Some(true)
            } else if union {
                (late >= YEAR_FIRST).then_some(false)
            } else if late < YEAR_FIRST {
                Some(true)
            } else {
                (early >= YEAR_FIRST).then_some(false)
            };
            match number_first {
                Some(true) => Reading::certain(by_year(early, first)),
                Some(false) => Reading::certain(by_year(late, second)),
                None => Reading::unsure(
                    [by_year(late, second), by_year(early, first)].into_iter().flatten().collect(),
                    Reason::TwoReadings,
                ),
            }
        }
    }
}

/// Bodies under agreements whose decisions are numbered like those of the institutions.
static BODIES: LazyLock<Regex> = LazyLock::new(|| {
    let bodies = concat!(
        r"(?:(?:Stabili[sz]ation\s+and\s+)?Association|Co-?operation|Partnership|Joint|Trade|Ministerial)\s+(?:Council|Committee)",
        r"|Council\s+of\s+(?:Association|Ministers)|Committee\s+of\s+Ambassadors|Joint\s+\w+\s+(?:Council|Committee)",
        r"|(?:EEA|EEC|EC|EU|Community|Communities)[-\u{2010}-\u{2013}/]\s?\w+(?:\s\w+)?\s+(?:\w+\s+)?(?:Council|Committee)",
    );
    Regex::new(&format!(r"^(?:[^.;:]{{0,90}}?\b)?(?:{bodies})\b")).expect("a pattern of this file")
});

static BODY_BEFORE: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"(?:Association|Cooperation|Partnership|Joint(?:\s+\w+)?|Ministerial)\s+(?:Council|Committee)(?:\s*['’]s)?\s*$";
    Regex::new(pattern).expect("a pattern of this file")
});

static INSTITUTION_BEFORE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:Council|Commission|Parliament|High\s+Authority|Central\s+Bank|ECB)\s*$")
        .expect("a pattern of this file")
});

/// Decisions: year/number, but number/year after "No"; those of the Coal and Steel Community have a letter of their own.
fn decision(member: &Member<'_>, second: &str, around: Around<'_>) -> Reading {
    let Member { communities, no, first, suffix, .. } = *member;
    let number_first = year_of(second).map(|year| (year, first));
    let year_first = year_of(first).map(|year| (year, second));
    let (reading, by_number) = match (no, number_first, year_first) {
        (true, Some(reading), _) | (false, Some(reading), None) => (reading, true),
        (_, _, Some(reading)) => (reading, false),
        (_, None, None) => return Reading::certain(None),
    };
    let letter = if communities.ecsc && by_number { "S" } else { "D" };
    let celex = Celex::secondary(letter, reading.0, reading.1);
    if suffix || communities != Communities::default() || !by_number {
        return Reading::certain(celex);
    }
    if BODY_BEFORE.is_match(around.before()) || BODIES.is_match(up_to_next_act(around.after())) {
        return Reading::unsure(Vec::new(), Reason::AgreementBody);
    }
    let institution = INSTITUTION_BEFORE.is_match(around.before()) || of_an_institution(around);
    if institution {
        Reading::certain(celex)
    } else {
        Reading::unsure(celex.into_iter().collect(), Reason::BodyNotNamed)
    }
}

/// The words after a citation, up to the next one.
fn up_to_next_act(after: &str) -> &str {
    let next = ["Regulation", "Directive", "Decision"].iter().filter_map(|word| after.find(word)).min();
    &after[..next.unwrap_or(after.len())]
}

fn of_an_institution(around: Around<'_>) -> bool {
    let mut cursor = Cursor::new(around.text, around.end);
    let before = cursor.at;
    super::named::made_by(&mut cursor);
    cursor.at > before && dated_only(around.text, before).is_none()
}

/// The date of "… of 6 February 1962", if that is all that follows.
fn dated_only(text: &str, at: usize) -> Option<Day> {
    let mut cursor = Cursor::new(text, at);
    cursor.eat(',');
    (cursor.blanks() && cursor.word("of") && cursor.blanks()).then(|| dated(&mut cursor)).flatten()
}

/// "Opinion 2/13": the Court's opinion on an agreement.
fn court_opinion(member: &Member<'_>, second: &str) -> Reading {
    let year = if second.len() == 2 { second.parse().ok().map(crate::law::celex::full_year) } else { year_of(second) };
    let celex = year.and_then(|year| format!("6{year}CV{:0>4}", member.first).parse().ok());
    Reading::certain(celex)
}

/// Regulations were numbered straight on, without a year, from 1958 to 1962; number 17 is the first of 1962.
/// (The reference gives that rule for plain numbers; which years the sixteen before it fell in, it does not.)
const PLAIN_1962: std::ops::RangeInclusive<u16> = 17..=160;

/// Words that point at the regulations of the United Nations, which are cited by bare numbers too.
static UNITED_NATIONS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"UN[/-]?\s?ECE|UNECE|\bUN\b|United Nations|Economic Commission for Europe|\bECE\b")
        .expect("a pattern of this file")
});

/// A regulation with a bare number ("Regulation No 17"); none if it is not one of the Community's.
pub(super) fn read_plain(member: &Member<'_>, around: Around<'_>) -> Option<Reading> {
    let number: u16 = member.first.parse().ok()?;
    if member.first.len() > 3 || UNITED_NATIONS.is_match(around.before()) || UNITED_NATIONS.is_match(around.after()) {
        return None;
    }
    let mut after = Cursor::new(around.text, around.end);
    let mut before = after.at;
    let mut day = dated_only(around.text, after.at);
    super::named::made_by(&mut after);
    while day.is_none() && after.at > before {
        before = after.at;
        day = dated_only(around.text, after.at);
        super::named::made_by(&mut after);
    }
    let by_year = |year: u16| Celex::secondary("R", year, member.first);
    let dated = day.and_then(|d| u16::try_from(d.year()).ok()).filter(|y| (1958..=1967).contains(y));
    Some(match dated {
        Some(year) => Reading::certain(by_year(year)),
        None if PLAIN_1962.contains(&number) => Reading::certain(by_year(1962)),
        None if number < *PLAIN_1962.start() => {
            Reading::unsure((1958..=1962).filter_map(by_year).collect(), Reason::YearNotStated)
        }
        None => Reading::unsure(Vec::new(), Reason::YearNotStated),
    })
}
