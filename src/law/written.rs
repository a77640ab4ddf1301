//! Days as prose writes them.

use super::Day;
use super::day::MONTHS;
use regex::{Captures, Regex};
use std::ops::Range;
use std::sync::LazyLock;

static WRITTEN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let month = r"(?i:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?";
    let day = r"(?i:st|nd|rd|th)?";
    Regex::new(&format!(
        r"\b(?:(?P<d1>\d{{1,2}}){day}(?:\s+day)?(?:\s+of)?\s+(?P<m1>{month}),?\s+(?P<y1>\d{{4}})|(?P<m2>{month})\s+(?P<d2>\d{{1,2}}){day},?\s+(?P<y2>\d{{4}})|(?P<y3>\d{{4}})-(?P<m3>\d{{2}})-(?P<d3>\d{{2}})|(?P<d4>\d{{1,2}})(?:\s?\.\s?(?P<m4>\d{{1,2}})\s?\.\s?|/(?P<m5>\d{{1,2}})/)(?P<y4>(?:19|20)\d{{2}}))\b"
    ))
    .ok()
});

/// The days written in a text, with their places: `25 May 2018`, `25th of May 2018`, `May 25, 2018`, `2018-05-25`,
/// `25.5.2018`, `25/05/2018` (in figures the day comes first, as acts write it).
///
/// ```
/// use legal_link::law::written_days;
/// let (place, day) = written_days("On 25.5.2018 it ended.").remove(0);
/// assert_eq!((place, day.long().as_str()), (3..12, "25 May 2018"));
/// ```
pub fn written_days(text: &str) -> Vec<(Range<usize>, Day)> {
    let found = WRITTEN.iter().flat_map(|r| r.captures_iter(text));
    found.filter_map(|c| Some((c.get(0).filter(|m| whole(text, &m.range()))?.range(), day(&c)?))).collect()
}

fn day(found: &Captures) -> Option<Day> {
    let one_of = |names: &[&str]| names.iter().find_map(|n| found.name(n)).map(|m| m.as_str());
    let (day, year) =
        (one_of(&["d1", "d2", "d3", "d4"])?.parse().ok()?, one_of(&["y1", "y2", "y3", "y4"])?.parse().ok()?);
    let month = match one_of(&["m1", "m2"]) {
        Some(name) => {
            let begins = name.get(..3)?;
            let at = MONTHS.iter().position(|m| m[..3].eq_ignore_ascii_case(begins))?;
            u32::try_from(at + 1).ok()?
        }
        None => one_of(&["m3", "m4", "m5"])?.parse().ok()?,
    };
    Day::from_ymd(year, month, day)
}

/// Whether the figures are not part of a longer number: `1.25.5.2018`, `25/05/2018/EC`.
fn whole(text: &str, place: &Range<usize>) -> bool {
    let joins = |c: char| matches!(c, '.' | '/' | '-');
    let before = text[..place.start].strip_suffix(joins).and_then(|t| t.chars().next_back());
    let after = text[place.end..].strip_prefix(joins).and_then(|t| t.chars().next());
    !before.is_some_and(|c| c.is_ascii_digit()) && !after.is_some_and(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_read_as_prose_writes_them() {
        for text in [
            "25 May 2018",
            "On the 25th of May 2018,",
            "May 25, 2018",
            "may 25th 2018",
            "25th May, 2018",
            "2018-05-25",
            "25.5.2018",
            "25. 5. 2018",
            "25/05/2018",
        ] {
            let days: Vec<String> = written_days(text).into_iter().map(|(_, day)| day.to_string()).collect();
            assert_eq!(days, ["2018-05-25"], "{text}");
        }
        for text in ["May 2018", "31 June 2018", "1.25.5.2018", "25/05/2018/EC", "2018/679", "9999-12-31", "5(1)"] {
            assert_eq!(written_days(text), [], "{text}");
        }
    }
}
