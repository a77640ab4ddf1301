//! How registers write booleans and dates (the lexical forms of XML Schema), and how an address holds any text.

use super::{Day, DayError};
use std::fmt::Write as _;

/// A text as one segment of an address or a value of its query: everything but the unreserved characters (RFC 3986,
/// section 2.3) percent-encoded byte by byte, with capital digits.
///
/// ```
/// assert_eq!(legal_link::law::percent_encoded("a {?b}+é"), "a%20%7B%3Fb%7D%2B%C3%A9");
/// ```
pub fn percent_encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 2);
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

/// The local name of a predicate: what no such name may hold is left out, so that nothing in it can end it.
///
/// ```
/// assert_eq!(legal_link::law::local_name("work_cites_work> ?x"), "work_cites_workx");
/// ```
pub fn local_name(text: &str) -> String {
    text.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-')).collect()
}

/// An XSD boolean: `true`, `1`, `false`, `0`, white space around it collapsed. Other spellings (`True`) are none.
///
/// ```
/// use legal_link::law::xsd_boolean;
/// assert_eq!([" 1 ", "false", "True"].map(xsd_boolean), [Some(true), Some(false), None]);
/// ```
pub fn xsd_boolean(text: &str) -> Option<bool> {
    match text.trim_matches([' ', '\t', '\n', '\r']) {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}

/// The day of an XSD date or date-time, as written: a zone is not applied, since the record means the day it names.
///
/// # Errors
/// [`DayError`] if no date stands at the beginning, something else than a time or a zone follows, or it is a filler.
///
/// ```
/// use legal_link::law::xsd_day;
/// assert_eq!(xsd_day("2016-05-04T00:00:00+02:00").unwrap().to_string(), "2016-05-04");
/// ```
pub fn xsd_day(text: &str) -> Result<Day, DayError> {
    let text = text.trim_matches([' ', '\t', '\n', '\r']);
    let date = text.get(..10).ok_or(DayError::Malformed)?;
    let rest = &text[10..];
    let (time, zone) = match rest.strip_prefix('T') {
        Some(rest) => rest.split_at(rest.find(['Z', '+', '-']).unwrap_or(rest.len())),
        None => ("", rest),
    };
    let digits_and = |s: &str, marks: &[char]| s.chars().all(|c| c.is_ascii_digit() || marks.contains(&c));
    let offset = |zone: &str| zone.len() == 6 && zone.strip_prefix(['+', '-']).is_some_and(|at| digits_and(at, &[':']));
    let zoned = zone.is_empty() || zone == "Z" || offset(zone);
    if !zoned || !digits_and(time, &[':', '.']) || zone.starts_with(|c: char| c.is_ascii_digit()) {
        return Err(DayError::Malformed);
    }
    date.parse()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_as_written() {
        for text in ["2016-05-04", "2016-05-04Z", "2016-05-04+02:00", "2016-05-04-11:00", " 2016-05-04T23:59:59.5Z "] {
            assert_eq!(xsd_day(text).map(|d| d.to_string()), Ok("2016-05-04".to_string()), "{text}");
        }
        for text in [
            "",
            "2016",
            "2016-05-04 and more",
            "2016-02-30",
            "2016-05-041",
            "9999-12-31",
            "2016-05-0é",
            "2016-05-04€abc",
        ] {
            assert!(xsd_day(text).is_err(), "{text}");
        }
    }
}
