//! From year and number to CELEX: which stands first, in which period, for which kind of act.

use super::cursor::Cursor;
use super::makers::{Made, made};
use super::named::{Around, Member};
use super::wording::{Community, Wording};
use super::{Noun, Reason};
use crate::law::{Celex, Day};

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
pub(super) fn read(words: &Wording, noun: Noun, member: &Member<'_>, around: Around<'_>) -> Reading {
    let second = member.second.unwrap_or_default();
    match noun {
        Noun::Regulation => regulation(words, member, second),
        Noun::Decision => decision(words, member, second, around),
        Noun::Opinion if !member.suffix && !member.communities.any() => court_opinion(member, second),
        _ => year_first(letter(noun, member), member, second),
    }
}

/// The CELEX letter of a kind of act.
fn letter(noun: Noun, member: &Member<'_>) -> &'static str {
    match noun {
        Noun::Directive => "L",
        Noun::FrameworkDecision => "F",
        // Joint actions in justice and home affairs (before Amsterdam) are filed with the framework decisions.
        Noun::JointAction if member.communities.has(Community::HomeAffairs) => "F",
        Noun::JointAction | Noun::CommonPosition | Noun::CommonStrategy => "E",
        Noun::Recommendation if member.communities.only(Community::CoalAndSteel) => "K",
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
fn regulation(words: &Wording, member: &Member<'_>, second: &str) -> Reading {
    let Member { communities, no, first, suffix, .. } = *member;
    let by_year = |year: u16, number: &str| Celex::secondary("R", year, number);
    let early = year_of(second).or_else(|| late_year(second).filter(|_| no));
    let late = year_of(first).filter(|_| first.len() == 4);
    match (early, late) {
        (None, None) => Reading::certain(None),
        (Some(year), None) => Reading::certain(by_year(year, first)),
        (None, Some(year)) => Reading::certain(by_year(year, second)),
        (Some(early), Some(late)) => {
            let union = communities.has(Community::Union);
            let old = [Community::European, Community::Economic, Community::CoalAndSteel]
                .into_iter()
                .any(|c| communities.has(c));
            // Where a language has no "No", the Union behind the number plays its part until the order changed.
            let behind = suffix && words.number_first && (EU_FROM..YEAR_FIRST).contains(&early);
            let number_first = if no || behind {
                (!union || early >= EU_FROM).then_some(true)
            } else if old {
                Some(true)
            } else if union {
                (late >= YEAR_FIRST).then_some(false)
            } else if late < YEAR_FIRST {
                Some(true)
            } else if communities.any() {
                // Euratom alone: its regulations had "No" before their number while the year came last.
                Some(false)
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

/// Decisions: year/number, but number/year after "No"; those of the Coal and Steel Community have a letter of their own.
fn decision(words: &Wording, member: &Member<'_>, second: &str, around: Around<'_>) -> Reading {
    if around.between.body {
        return Reading::unsure(Vec::new(), Reason::AgreementBody);
    }
    let Member { communities, no, first, suffix, .. } = *member;
    let number_first = year_of(second).map(|year| (year, first));
    let year_first = year_of(first).map(|year| (year, second));
    // A language without "No" does not tell the two orders apart.
    if words.number_first
        && suffix
        && let (Some((year, number)), Some((other, other_number))) = (number_first, year_first)
    {
        let both = [Celex::secondary("D", other, other_number), Celex::secondary("D", year, number)];
        return Reading::unsure(both.into_iter().flatten().collect(), Reason::TwoReadings);
    }
    let (reading, by_number) = match (no, number_first, year_first) {
        (true, Some(reading), _) | (false, Some(reading), None) => (reading, true),
        (_, _, Some(reading)) => (reading, false),
        (_, None, None) => return Reading::certain(None),
    };
    let letter = if communities.has(Community::CoalAndSteel) && by_number { "S" } else { "D" };
    let celex = Celex::secondary(letter, reading.0, reading.1);
    if suffix || communities.any() || !by_number {
        return Reading::certain(celex);
    }
    let before = around.before().trim_end();
    let possessive = before.strip_suffix("'s").or_else(|| before.strip_suffix("’s"));
    let body = words.joint_bodies.at_end(possessive.unwrap_or(before)).is_some()
        || words.joint_bodies.within(body_reach(words, around.after())).any(|(at, ())| at <= BODY_REACH);
    if body {
        return Reading::unsure(Vec::new(), Reason::AgreementBody);
    }
    let institution =
        around.between.maker || words.makers.at_end(around.before()).is_some() || of_an_institution(words, around);
    if institution {
        Reading::certain(celex)
    } else {
        Reading::unsure(celex.into_iter().collect(), Reason::BodyNotNamed)
    }
}

/// How many bytes after a decision's number the body that took it can be named.
const BODY_REACH: usize = 90;

/// The words after a citation in which the body that took it can stand: of its own sentence, up to the next act.
fn body_reach<'a>(words: &Wording, after: &'a str) -> &'a str {
    let sentence = after.split(['.', ';', ':']).next().unwrap_or_default();
    let mut heads = words.heads.captures_iter(sentence).filter_map(|found| found.name("act"));
    heads.next().map_or(sentence, |next| &sentence[..next.start()])
}

fn of_an_institution(words: &Wording, around: Around<'_>) -> bool {
    made(words, &mut Cursor::new(around.text, around.end)) == Some(Made::By)
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

/// A regulation with a bare number ("Regulation No 17"); none if it is not one of the Community's.
pub(super) fn read_plain(words: &Wording, member: &Member<'_>, around: Around<'_>) -> Option<Reading> {
    let number: u16 = member.first.parse().ok()?;
    let united_nations = |near: &str| words.united_nations.within(near).next().is_some();
    if member.first.len() > 3 || united_nations(around.before()) || united_nations(around.after()) {
        return None;
    }
    let day = made_on(words, around);
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

/// The day on which an act was made, where the words behind it say so.
fn made_on(words: &Wording, around: Around<'_>) -> Option<Day> {
    let mut cursor = Cursor::new(around.text, around.end);
    loop {
        if let Made::On(day) = made(words, &mut cursor)? {
            return Some(day);
        }
    }
}
