//! A calendar day that law can hang on.

use chrono::{Datelike, Days, Months, NaiveDate};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// A calendar day between 1952-01-01 and 2099-12-31.
///
/// Registers write fillers where they know no day (`9999-12-31`, `1001-01-01`, `1003-03-03`);
/// such a value can never become a `Day`, so nothing downstream has to remember to test for it.
///
/// ```
/// use legal_link::law::{Day, DayError};
/// let day: Day = "2018-05-25".parse().unwrap();
/// assert_eq!(day.pred().to_string(), "2018-05-24");
/// assert_eq!(day.long(), "25 May 2018");
/// assert_eq!("9999-12-31".parse::<Day>(), Err(DayError::Filler));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(NaiveDate);

/// Why a text is no [`Day`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DayError {
    /// Not written as a date that exists.
    #[error("not a date (want YYYY-MM-DD)")]
    Malformed,
    /// A date, but outside 1952-2099: a register's way to say "none".
    #[error("a filler, not a date: outside 1952-2099")]
    Filler,
}

/// The months as English law writes them.
pub(crate) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// 1 January 1952, counted in days of the common era.
const EPOCH: i32 = 712_588;

impl Day {
    /// First day that can be expressed: 1952-01-01.
    pub const FIRST_YEAR: i32 = 1952;
    /// Last year that can be expressed.
    pub const LAST_YEAR: i32 = 2099;

    /// The day with this year, month (1-12) and day of the month (1-31), if it exists and is no filler.
    pub fn from_ymd(year: i32, month: u32, day: u32) -> Option<Self> {
        Self::from_naive(NaiveDate::from_ymd_opt(year, month, day)?)
    }

    /// The day written without dashes, `20180525`, if it exists and is no filler.
    pub fn compact(text: &str) -> Option<Self> {
        if text.len() != 8 || !text.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        Self::from_ymd(text[..4].parse().ok()?, text[4..6].parse().ok()?, text[6..].parse().ok()?)
    }

    fn from_naive(date: NaiveDate) -> Option<Self> {
        (Self::FIRST_YEAR..=Self::LAST_YEAR).contains(&date.year()).then_some(Self(date))
    }

    /// The year, as a number of four digits.
    pub fn year(self) -> i32 {
        self.0.year()
    }

    /// The month, 1-12.
    pub fn month(self) -> u32 {
        self.0.month()
    }

    /// The day of the month, 1-31.
    pub fn day_of_month(self) -> u32 {
        self.0.day()
    }

    /// The next day; at the end of the range, the same day.
    #[must_use]
    pub fn succ(self) -> Self {
        self.plus_days(1)
    }

    /// The day before; at the beginning of the range, the same day.
    #[must_use]
    pub fn pred(self) -> Self {
        self.0.checked_sub_days(Days::new(1)).and_then(Self::from_naive).unwrap_or(self)
    }

    /// `n` days later (plain addition, as periods "on the twentieth day following" are counted).
    #[must_use]
    pub fn plus_days(self, n: u32) -> Self {
        self.0.checked_add_days(Days::new(u64::from(n))).and_then(Self::from_naive).unwrap_or(self)
    }

    /// `n` months later, same day number, or the month's last day where that does not exist.
    #[must_use]
    pub fn plus_months(self, n: u32) -> Self {
        self.0.checked_add_months(Months::new(n)).and_then(Self::from_naive).unwrap_or(self)
    }

    /// Days from `self` to `later` (negative if it is earlier).
    pub fn days_until(self, later: Self) -> i64 {
        (later.0 - self.0).num_days()
    }

    /// The days passed since 1 January 1952.
    pub fn number(self) -> u16 {
        u16::try_from(self.0.num_days_from_ce() - EPOCH).unwrap_or_default()
    }

    /// The day on which so many days had passed since 1 January 1952, up to the end of the range.
    ///
    /// ```
    /// use legal_link::law::Day;
    /// let day: Day = "2018-05-25".parse().unwrap();
    /// assert_eq!(Day::from_number(day.number()), Some(day));
    /// assert_eq!(Day::from_number(u16::MAX), None);
    /// ```
    pub fn from_number(days: u16) -> Option<Self> {
        Self::from_naive(NaiveDate::from_num_days_from_ce_opt(EPOCH + i32::from(days))?)
    }

    /// As English legal prose writes it: `25 May 2018`.
    pub fn long(self) -> String {
        let month = MONTHS[self.0.month0() as usize];
        format!("{} {} {}", self.0.day(), month, self.0.year())
    }

    /// Reads `25 May 2018` (English month name, any case).
    ///
    /// # Errors
    /// [`DayError`] if it is no such date or a filler.
    pub fn parse_long(text: &str) -> Result<Self, DayError> {
        let mut words = text.split_whitespace();
        let (day, month, year) = (words.next(), words.next(), words.next());
        let (Some(day), Some(month), Some(year), None) = (day, month, year, words.next()) else {
            return Err(DayError::Malformed);
        };
        let month = MONTHS.iter().position(|m| m.eq_ignore_ascii_case(month)).ok_or(DayError::Malformed)?;
        let day = day.parse().map_err(|_| DayError::Malformed)?;
        let year = year.parse().map_err(|_| DayError::Malformed)?;
        let date = NaiveDate::from_ymd_opt(year, u32::try_from(month + 1).unwrap_or(0), day);
        Self::from_naive(date.ok_or(DayError::Malformed)?).ok_or(DayError::Filler)
    }

    /// Reads a day in any of the notations of English prose: `25 May 2018`, `May 25, 2018`, `25th of May 2018`,
    /// `Sept. 1, 2018`.
    ///
    /// ```
    /// use legal_link::law::Day;
    /// assert_eq!(Day::parse_prose("May 25th, 2018"), Day::parse_long("25 May 2018"));
    /// ```
    ///
    /// # Errors
    /// [`DayError`] if it is no such date or a filler.
    pub fn parse_prose(text: &str) -> Result<Self, DayError> {
        let words = text.split([' ', ',', '.']).filter(|word| !matches!(*word, "" | "the" | "of"));
        let (mut numbers, months): (Vec<&str>, Vec<&str>) =
            words.partition(|word| word.starts_with(|c: char| c.is_ascii_digit()));
        let [month] = months[..] else { return Err(DayError::Malformed) };
        let begins = |name: &&&str| name.get(..month.len()).is_some_and(|n| n.eq_ignore_ascii_case(month));
        let month = MONTHS.iter().find(begins).filter(|_| month.len() >= 3).ok_or(DayError::Malformed)?;
        if let Some(first) = numbers.first_mut() {
            *first = first.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        }
        numbers.insert(numbers.len().min(1), month);
        Self::parse_long(&numbers.join(" "))
    }
}

impl FromStr for Day {
    type Err = DayError;
    fn from_str(text: &str) -> Result<Self, DayError> {
        if text.len() != 10 {
            return Err(DayError::Malformed);
        }
        let date = NaiveDate::parse_from_str(text, "%Y-%m-%d").map_err(|_| DayError::Malformed)?;
        Self::from_naive(date).ok_or(DayError::Filler)
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.format("%Y-%m-%d"))
    }
}

impl Serialize for Day {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Day {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_printed_is_read(days in 0_u32..54_000) {
            let day = Day::from_ymd(Day::FIRST_YEAR, 1, 1).expect("the first day").plus_days(days);
            prop_assert_eq!(day.to_string().parse::<Day>(), Ok(day));
            prop_assert_eq!(Day::parse_long(&day.long()), Ok(day));
            prop_assert_eq!(Day::parse_prose(&day.long()), Ok(day));
        }
    }
}
