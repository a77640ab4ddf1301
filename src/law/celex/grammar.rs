//! The grammar of CELEX numbers (section 3 of the CELLAR notes), read left to right without backing up.

use super::{Celex, CelexClass, CelexParts, Day};

/// Longest text that is looked at; the longest real numbers have some 25 characters.
const LONGEST: usize = 48;

/// The parts, if the whole text is a CELEX number.
pub(super) fn read(text: &str) -> Option<CelexParts<'_>> {
    if text.len() > LONGEST || !text.is_ascii() {
        return None;
    }
    let sector = text.chars().next().filter(|c| Celex::SECTORS.contains(*c))?;
    let (text, corrigendum) = split_corrigendum(text);
    let mut parts = CelexParts {
        class: CelexClass::Document,
        sector,
        year: None,
        kind: "",
        number: None,
        serial: None,
        corrigendum,
        version: None,
        measure: None,
        tail: None,
        companion: None,
    };
    let rest = &text[1..];
    match sector {
        'C' => journal_notice(rest, &mut parts)?,
        '1' => treaty(rest, &mut parts)?,
        '0' if rest.contains('/') => consolidated_treaty(rest, &mut parts)?,
        _ => numbered(rest, &mut parts)?,
    }
    if corrigendum.is_some() {
        // A consolidated text and a national measure are not corrected; their acts are.
        if !matches!(parts.class, CelexClass::Document | CelexClass::Treaty) {
            return None;
        }
        parts.class = CelexClass::Corrigendum;
    }
    Some(parts)
}

/// Takes `R(02)` off the end. The type letter R is never followed by a bracket, so there is no doubt.
fn split_corrigendum(text: &str) -> (&str, Option<u16>) {
    let split = text.strip_suffix(')').and_then(|t| t.rsplit_once("R("));
    match split.map(|(base, ordinal)| (base, ordinal, bracketed(ordinal))) {
        Some((base, _, Some(ordinal))) if base.len() > 4 => (base, Some(ordinal)),
        _ => (text, None),
    }
}

/// The number inside brackets: one to three digits.
fn bracketed(digits: &str) -> Option<u16> {
    let fine = (1..=3).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    if fine { digits.parse().ok() } else { None }
}

fn count(text: &str, is: impl Fn(&u8) -> bool) -> usize {
    text.bytes().take_while(|b| is(b)).count()
}

/// Four digits of a year between 1900 and 2099.
fn year(text: &str) -> Option<(u16, &str)> {
    let digits = text.get(..4).filter(|y| count(y, u8::is_ascii_digit) == 4)?;
    let year = digits.parse().ok().filter(|y| (1900..2100).contains(y))?;
    Some((year, &text[4..]))
}

/// `C2002/074/07`, `C2022/417A/01`, and `C/2026/02617` since the journal appears act by act.
fn journal_notice<'a>(rest: &'a str, parts: &mut CelexParts<'a>) -> Option<()> {
    let rest = rest.strip_prefix('/').unwrap_or(rest);
    let (year, rest) = year(rest)?;
    let tail = rest.strip_prefix('/')?;
    let step = |s: &str| {
        let digits = count(s, u8::is_ascii_digit);
        digits > 0 && s[digits..].bytes().all(|b| b.is_ascii_uppercase()) && s.len() - digits <= 1
    };
    if !tail.split('/').all(step) || tail.split('/').count() > 2 {
        return None;
    }
    parts.year = Some(year);
    parts.tail = Some(tail);
    Some(())
}

/// `11957E086`, `12012E/TXT`, `12016M/PRO/04`, `12012E106BIS`, `12003TN02/01/A`; and `192MK`, which registers hold.
fn treaty<'a>(rest: &'a str, parts: &mut CelexParts<'a>) -> Option<()> {
    parts.class = CelexClass::Treaty;
    let Some((year, rest)) = year(rest) else {
        let two = count(rest, u8::is_ascii_digit) == 2;
        let letters = rest.get(2..).filter(|l| (2..=3).contains(&l.len()))?;
        if !two || !letters.bytes().all(|b| b.is_ascii_uppercase()) {
            return None;
        }
        parts.year = rest[..2].parse::<u16>().ok().map(|y| 1900 + y);
        parts.kind = letters;
        return Some(());
    };
    parts.year = Some(year);
    let (rest, tail) = match rest.split_once('/') {
        Some((rest, tail)) => (rest, Some(tail)),
        None => (rest, None),
    };
    let (rest, serial) = split_serial(rest);
    parts.serial = serial;
    let letters = count(rest, u8::is_ascii_uppercase);
    let (kind, number) = rest.split_at(letters);
    let digits = count(number, u8::is_ascii_digit);
    let added = &number[digits..];
    let fine = (1..=2).contains(&letters)
        && digits <= 4
        && (digits > 0 || added.is_empty())
        && added.len() <= 12
        && added.bytes().all(|b| b.is_ascii_uppercase());
    let slashed = |tail: &str| {
        tail.split('/').all(|s| !s.is_empty() && s.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit()))
    };
    if !fine || !tail.is_none_or(slashed) {
        return None;
    }
    parts.kind = kind;
    parts.number = Some(number).filter(|n| !n.is_empty());
    parts.tail = tail;
    Some(())
}

/// `02016E/TXT-20200301`, and the family `02016E/TXT`: the consolidated text of a treaty as a whole.
fn consolidated_treaty<'a>(rest: &'a str, parts: &mut CelexParts<'a>) -> Option<()> {
    let (named, version) = match rest.split_once('-') {
        Some((named, day)) => (named, Some(Day::compact(day)?)),
        None => (rest, None),
    };
    treaty(named, parts)?;
    parts.class = CelexClass::Consolidated;
    parts.version = version;
    Some(())
}

/// Takes a serial `(01)` off the end.
fn split_serial(text: &str) -> (&str, Option<u16>) {
    let split = text.strip_suffix(')').and_then(|t| t.rsplit_once('('));
    match split.map(|(base, serial)| (base, bracketed(serial))) {
        Some((base, Some(serial))) => (base, Some(serial)),
        _ => (text, None),
    }
}

/// All other sectors: year, one or two letters, four to six digits, and what the sector adds.
fn numbered<'a>(rest: &'a str, parts: &mut CelexParts<'a>) -> Option<()> {
    let (year, rest) = year(rest)?;
    parts.year = Some(year);
    let letters = count(rest, u8::is_ascii_uppercase);
    let digits = count(rest.get(letters..)?, u8::is_ascii_digit);
    if !(1..=2).contains(&letters) || !(4..=6).contains(&digits) {
        return None;
    }
    parts.kind = &rest[..letters];
    parts.number = Some(&rest[letters..letters + digits]);
    let mut rest = &rest[letters + digits..];
    if rest.starts_with('(') {
        let close = rest.find(')')?;
        parts.serial = Some(bracketed(&rest[1..close])?);
        rest = &rest[close + 1..];
    }
    match parts.sector {
        '0' => {
            parts.class = CelexClass::Consolidated;
            parts.version = if rest.is_empty() { None } else { Some(Day::compact(rest.strip_prefix('-')?)?) };
        }
        '7' => {
            parts.class = CelexClass::NationalMeasure;
            parts.measure = if rest.is_empty() { None } else { Some(measure(rest)?) };
        }
        '6' if rest.starts_with('_') => {
            parts.companion = Some(&rest[1..]).filter(|c| !c.is_empty() && c.bytes().all(|b| b.is_ascii_uppercase()));
            parts.companion?;
        }
        _ if !rest.is_empty() => return None,
        _ => {}
    }
    Some(())
}

/// `GBR_123456`
fn measure(text: &str) -> Option<(&str, &str)> {
    let (country, number) = text.split_once('_')?;
    let fine = country.len() == 3
        && country.bytes().all(|b| b.is_ascii_uppercase())
        && !number.is_empty()
        && number.bytes().all(|b| b.is_ascii_digit());
    fine.then_some((country, number))
}
