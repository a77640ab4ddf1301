//! The date of a document: which of two statements counts, and whether it fits the number.

use super::{Answer, Celex, CelexClass, Day};

/// Where a document's date was taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DateSource {
    /// The register's record.
    Notice,
    /// The document's own text.
    Body,
}

/// A document's date with what was refused on the way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentDate<'a> {
    /// The date, and where it is from.
    pub date: Option<(Day, DateSource)>,
    /// Values that are no date or a filler: the text's first.
    pub rejected: Vec<&'a str>,
}

impl<'a> DocumentDate<'a> {
    /// The date of a document, from its text and from its record. The record is preferred. A corrigendum repeats the
    /// date of the act it corrects, so its text never tells its own.
    pub fn choose(celex: &Celex, body: Option<&'a str>, notice: Option<&'a str>) -> Self {
        let read = |raw: Option<&'a str>| raw.map(|text| super::xsd_day(text).map_err(|_| text));
        let (body, notice) = (read(body), read(notice));
        let rejected = [&body, &notice].into_iter().filter_map(|r| r.as_ref()?.as_ref().err().copied()).collect();
        let from_notice = notice.and_then(Result::ok).map(|day| (day, DateSource::Notice));
        let from_body =
            body.and_then(Result::ok).filter(|_| !celex.is_corrigendum()).map(|day| (day, DateSource::Body));
        Self { date: from_notice.or(from_body), rejected }
    }
}

/// Whether a document's date fits the year in its number. Secondary law carries the year of the document or, since
/// acts are numbered by publication, the next one; a case the year of its registration, which no later document
/// precedes. Of other numbers, and of corrigenda, nothing follows.
pub fn year_fits(celex: &Celex, date: Day) -> Answer {
    let parts = celex.parts();
    let Some(year) = parts.year.map(i32::from).filter(|_| parts.class == CelexClass::Document) else {
        return Answer::Unknown;
    };
    match parts.sector {
        '3' => Answer::from(date.year() == year || date.year() == year - 1),
        '6' => Answer::from(date.year() >= year),
        _ => Answer::Unknown,
    }
}
