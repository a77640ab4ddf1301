//! References to the Official Journal: where an act was published. None of them tells the type of the act.

use super::{Celex, Day, Reason};
use regex::Regex;
use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

/// A place in the Official Journal.
///
/// ```
/// use legal_link::law::JournalReference;
/// let act: JournalReference = "OJ:L_202401346".parse().unwrap();
/// assert_eq!(act.to_string(), "L_202401346");
/// let page: JournalReference = "OJ L 119, 4.5.2016, p. 1".parse().unwrap();
/// assert_eq!(page.to_string(), "OJ L 119, 4.5.2016, p. 1");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum JournalReference {
    /// An act of the journal that appears act by act, since 1 October 2023: `L_202401346`.
    Act {
        /// `L` or `C`.
        series: char,
        /// Year.
        year: u16,
        /// Number in that year; corrigenda begin at 90000.
        number: u32,
    },
    /// An item of an issue: `JOL_2022_333_R_0001`.
    Item {
        /// `L` or `C`.
        series: char,
        /// Year.
        year: u16,
        /// Issue, with the letter of a supplement.
        issue: String,
        /// Section and item: `R_0001`.
        item: String,
    },
    /// A page as prose cites it: `OJ L 119, 4.5.2016, p. 1`.
    Page {
        /// `L` or `C`.
        series: char,
        /// Issue, with the letter of a supplement.
        issue: String,
        /// Day of the issue.
        day: Day,
        /// First page.
        page: u32,
    },
}

/// A text that is no reference to the Official Journal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no reference to the Official Journal (for instance L_202401346 or OJ L 119, 4.5.2016, p. 1)")]
pub struct JournalError(pub String);

static ACT: LazyLock<Regex> = LazyLock::new(|| compiled(r"^([LC])_(20[0-9]{2})([0-9]{5})$"));
static ITEM: LazyLock<Regex> =
    LazyLock::new(|| compiled(r"^JO([LC])_([12][0-9]{3})_([0-9]{1,3}[A-Z]?)_([A-Z]{1,2}_[0-9]{4}(?:_[0-9]{2})?)$"));
static PAGE: LazyLock<Regex> = LazyLock::new(|| {
    compiled(
        r"^OJ\s+(?:No\s+)?([LC])\s+([0-9]{1,3}\s?[A-Z]?),\s+([0-9]{1,2})\.\s?([0-9]{1,2})\.\s?([0-9]{4}),\s+p\.\s*([0-9]{1,5})\.?$",
    )
});

fn compiled(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a pattern of this file")
}

impl JournalReference {
    /// The acts it can stand for, and why none of them is certain: the journal numbers its acts whatever their type.
    pub fn candidates(&self) -> (Vec<Celex>, Reason) {
        let candidates = match self {
            Self::Act { series: 'L', year, number } if *number < 90_000 => {
                let number = number.to_string();
                ["R", "L", "D"].iter().filter_map(|kind| Celex::secondary(kind, *year, &number)).collect()
            }
            Self::Act { series: 'C', year, number } => format!("C/{year}/{number:05}").parse().into_iter().collect(),
            _ => Vec::new(),
        };
        (candidates, Reason::TypeNotInIdentifier)
    }
}

impl FromStr for JournalReference {
    type Err = JournalError;
    fn from_str(given: &str) -> Result<Self, JournalError> {
        read(given).ok_or_else(|| JournalError(given.chars().take(120).collect()))
    }
}

fn read(given: &str) -> Option<JournalReference> {
    let given = given.trim();
    let name = given.rsplit_once("/oj/").map_or(given, |(_, name)| name);
    let name = name.strip_prefix("OJ:").or_else(|| name.strip_prefix("oj:")).unwrap_or(name);
    let series = |text: &str| text.chars().next();
    if let Some(c) = ACT.captures(name) {
        return Some(JournalReference::Act {
            series: series(&c[1])?,
            year: c[2].parse().ok()?,
            number: c[3].parse().ok()?,
        });
    }
    if let Some(c) = ITEM.captures(name) {
        let (issue, item) = (c[3].to_string(), c[4].to_string());
        return Some(JournalReference::Item { series: series(&c[1])?, year: c[2].parse().ok()?, issue, item });
    }
    let c = PAGE.captures(name)?;
    let day = Day::from_ymd(c[5].parse().ok()?, c[4].parse().ok()?, c[3].parse().ok()?)?;
    let issue = c[2].split_whitespace().collect::<Vec<_>>().join(" ");
    Some(JournalReference::Page { series: series(&c[1])?, issue, day, page: c[6].parse().ok()? })
}

impl fmt::Display for JournalReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Act { series, year, number } => write!(f, "{series}_{year}{number:05}"),
            Self::Item { series, year, issue, item } => write!(f, "JO{series}_{year}_{issue}_{item}"),
            Self::Page { series, issue, day, page } => {
                let (year, month, day) = (day.year(), day.month(), day.day_of_month());
                write!(f, "OJ {series} {issue}, {day}.{month}.{year}, p. {page}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn references_round_trip() {
        for text in [
            "L_202401346",
            "L_202590620",
            "C_202602617",
            "JOL_2022_333_R_0001",
            "OJ L 119, 4.5.2016, p. 1",
            "OJ C 417 A, 31.10.2022, p. 12",
        ] {
            let read: JournalReference = text.parse().unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(read.to_string(), text);
        }
        let address = "http://publications.europa.eu/resource/oj/L_202401346".parse::<JournalReference>();
        assert_eq!(address.map(|r| r.candidates().0.len()), Ok(3));
        for text in ["", "OJ L 119", "L_2024", "L_199901346", "OJ L 1, 31.2.2016, p. 1"] {
            assert!(text.parse::<JournalReference>().is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_printed_is_read(series in "[LC]", year in 2023_u16..2099, number in 1_u32..99_999, issue in "[0-9]{1,3}( A)?", item in "R_[0-9]{4}", page in 1_u32..9999, days in 0_u32..54_000) {
            let series = series.chars().next().expect("a letter");
            let day = Day::from_ymd(1952, 1, 1).expect("a day").plus_days(days);
            let all = [
                JournalReference::Act { series, year, number },
                JournalReference::Item { series, year, issue: issue.replace(' ', ""), item },
                JournalReference::Page { series, issue, day, page },
            ];
            for reference in all {
                prop_assert_eq!(reference.to_string().parse::<JournalReference>(), Ok(reference));
            }
        }
    }
}
