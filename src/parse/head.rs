//! An act's title and dates.

use crate::law::{Celex, Day};
use regex::Regex;
use std::sync::LazyLock;

/// Marks that are printed with a title and are no part of it.
static MARKS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)\s*\((?:text\s+with\s+(?:eea|relevance\s+for\s+the\s+eea)[^)]*|text\s+of\s+relevance\s+to\s+the\s+eea[^)]*|only the [^()]*texts? (?:is|are) authentic|acts? whose publication is (?:not )?obligatory|acts? adopted under[^()]*|notified under (?:document )?(?:number )?[^()]*(?:\([^()]*\)[^()]*)*)\)|[\s,;]+text\s+with\s+eea\s+relevance[\s.]*$",
    )
    .expect("a fixed pattern")
});

/// A title without "(Text with EEA relevance)" and its like, and whether that mark stood in it.
pub fn clean_title(title: &str) -> (String, bool) {
    let eea = MARKS.find_iter(title).any(|m| m.as_str().to_ascii_lowercase().contains("eea"));
    let clean = MARKS.replace_all(title, "");
    (clean.split_whitespace().collect::<Vec<_>>().join(" "), eea)
}

/// The first day written out in a text: `27 April 2016`.
pub(super) fn long_day(text: &str) -> Option<Day> {
    static LONG: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            r"\b(\d{1,2})(?:st|nd|rd|th)?\s?(January|February|March|April|May|June|July|August|September|October|November|December),?\s(\d{4})\b",
        )
        .expect("a fixed pattern")
    });
    LONG.captures_iter(text).find_map(|c| Day::parse_long(&format!("{} {} {}", &c[1], &c[2], &c[3])).ok())
}

/// A day in figures: `4.5.2016`, `9. 6. 1975`, `21/02/1962`.
pub(super) fn short_day(text: &str) -> Option<Day> {
    static SHORT: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\b(\d{1,2})\s?[./]\s?(\d{1,2})\s?[./]\s?(\d{4})\b").expect("a fixed pattern"));
    SHORT.captures_iter(text).find_map(|c| Day::from_ymd(c[3].parse().ok()?, c[2].parse().ok()?, c[1].parse().ok()?))
}

/// The day in a line of the journal's page header, where the year may have two figures: `31. 12. 85`.
pub(super) fn header_day(line: &str) -> Option<Day> {
    static SHORT: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^(\d{1,2})\s?\.\s?(\d{1,2})\s?\.\s?(\d{2})$").expect("a fixed pattern"));
    short_day(line).or_else(|| {
        let found = SHORT.captures(line.trim())?;
        let year: i32 = found[3].parse().ok()?;
        Day::from_ymd(1900 + year, found[2].parse().ok()?, found[1].parse().ok()?)
    })
}

/// Whether a day can be the document date of an act with this number: its year or the year before; of a judgment,
/// whose number has the year of the case, no day before.
pub(super) fn fits(celex: &Celex, day: Day) -> bool {
    let year = celex.as_str().get(1..5).and_then(|y| y.parse::<i32>().ok());
    let court = celex.parts().sector == '6';
    year.is_none_or(|y| day.year() == y || if court { day.year() > y } else { day.year() + 1 == y })
}

/// The day of the journal from a line such as `Official Journal L 271 , 09/10/2002 P. 0016`.
pub(super) fn journal_line(line: &str) -> Option<Day> {
    let at = line.find("Official Journal")?;
    short_day(line.get(at..)?.split(';').next()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_lose_their_marks_only() {
        let title = "Directive 2009/9001/EC on toys (recast) (Text with EEA relevance)";
        assert_eq!(clean_title(title), ("Directive 2009/9001/EC on toys (recast)".to_string(), true));
        for mark in [" Text with EEA relevance", "\u{a0}(Text with\u{a0}EEA relevance)", "\n(Text with EEA\nrelevance)"]
        {
            let title = format!("Directive 2009/9001/EC on toys{mark}");
            assert_eq!(clean_title(&title), ("Directive 2009/9001/EC on toys".to_string(), true));
        }
        let decision = "Decision of 2 May 1999 on toys (notified under document number C(1999) 9001) (Only the French text is authentic)";
        assert_eq!(clean_title(decision), ("Decision of 2 May 1999 on toys".to_string(), false));
    }

    #[test]
    fn days_as_they_are_printed() {
        assert_eq!(long_day("of 27 April 2016 on toys").map(|d| d.to_string()).as_deref(), Some("2016-04-27"));
        assert_eq!(short_day("9. 6. 1975").map(|d| d.to_string()).as_deref(), Some("1975-06-09"));
        let line = "Official Journal 013 , 21/02/1962 P. 0204 - 0211";
        assert_eq!(journal_line(line).map(|d| d.to_string()).as_deref(), Some("1962-02-21"));
    }
}
