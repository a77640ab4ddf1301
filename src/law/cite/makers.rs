//! Who made an act, and when: "of the European Parliament and of the Council of 27 April 2016".

use super::cursor::Cursor;
use super::wording::Wording;
use crate::law::Day;

/// What stands behind an act's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Made {
    /// Who made it.
    By,
    /// When it was made.
    On(Day),
}

/// Passes who made an act, and when; whether that was said.
pub(super) fn pass_makers(words: &Wording, cursor: &mut Cursor<'_>) -> bool {
    let start = cursor.at;
    while made(words, cursor).is_some() {}
    cursor.at > start
}

/// Passes "of the European Parliament and of the Council" or "of 27 April 2016".
pub(super) fn made(words: &Wording, cursor: &mut Cursor<'_>) -> Option<Made> {
    let mut ahead = *cursor;
    ahead.eat(',');
    if !ahead.blanks() {
        return None;
    }
    let mut dated = ahead;
    if let Some(day) = tied_date(words, &mut dated) {
        *cursor = dated;
        return Some(Made::On(day));
    }
    if words.maker_of.take(&mut ahead).is_none() && !words.maker_of.is_empty() {
        return None;
    }
    let mut made = None;
    loop {
        ahead.blanks();
        words.the.take(&mut ahead);
        ahead.blanks();
        if words.makers.take(&mut ahead).is_none() {
            return made;
        }
        *cursor = ahead;
        made = Some(Made::By);
        ahead.eat(',');
        ahead.blanks();
        words.and.take(&mut ahead);
        ahead.blanks();
        words.maker_of.take(&mut ahead);
    }
}

/// "of 27 April 2016", "(2016. április 27.)".
fn tied_date(words: &Wording, cursor: &mut Cursor<'_>) -> Option<Day> {
    if words.date_of.take(cursor).is_none() && !words.date_of.is_empty() {
        return None;
    }
    cursor.blanks();
    let bracket = cursor.eat('(');
    let day = dated(words, cursor)?;
    if bracket {
        cursor.eat(')');
    }
    Some(day)
}

/// "27 April 2016", "14. Dezember 2022", "2022 m. gruodžio 14 d.", "14 de diciembre de 2022": day, month and year in
/// any order; a number of four digits is the year.
pub(super) fn dated(words: &Wording, cursor: &mut Cursor<'_>) -> Option<Day> {
    let mut ahead = *cursor;
    let (mut year, mut month, mut day) = (None, None, None);
    while year.is_none() || month.is_none() || day.is_none() {
        let digits = ahead.digits();
        match digits.len() {
            0 => {
                if month.is_none()
                    && let Some(named) = words.months.take(&mut ahead)
                {
                    month = Some(named);
                } else {
                    words.date_between.take(&mut ahead)?;
                }
            }
            1 | 2 if day.is_none() => {
                day = digits.parse::<u32>().ok();
                ordinal_mark(&mut ahead);
            }
            4 if year.is_none() => year = digits.parse::<i32>().ok(),
            _ => return None,
        }
        ahead.eat('.');
        *cursor = ahead;
        ahead.blanks();
    }
    if words.date_between.take(&mut ahead).is_some() {
        ahead.eat('.');
        *cursor = ahead;
    }
    Day::from_ymd(year?, month?, day?)
}

/// "1er", "1.º", "14ης": the mark of an ordinal behind a day.
fn ordinal_mark(cursor: &mut Cursor<'_>) {
    let mut ahead = *cursor;
    ahead.eat('.');
    let mark = ahead.run(|c| c.is_alphabetic() || matches!(c, 'º' | 'ª' | '°'));
    if (1..=2).contains(&mark.chars().count()) {
        *cursor = ahead;
    }
}
