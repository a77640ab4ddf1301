//! What the registers write about a link: places, roles, languages, days.

use crate::law::{Day, DayError, Division, Language, Part, RegisterRow};

/// An annotation's values, raw.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Annotation {
    /// `start_of_validity`.
    pub start: Option<String>,
    /// `end_of_validity`.
    pub end: Option<String>,
    /// `reference_to_modified_location`.
    pub place: Option<String>,
    /// `role2`.
    pub role: Option<String>,
    /// `language_list`.
    pub languages: Option<String>,
    /// `comment`.
    pub comment: Option<String>,
    /// `type_of_date`.
    pub date_type: Option<String>,
    /// `comment_on_date`.
    pub date_comment: Option<String>,
}

impl Annotation {
    /// Keeps the value of a property, by its local name in any case; unknown ones are left.
    pub fn set(&mut self, property: &str, value: &str) {
        let slot = match property.to_ascii_lowercase().as_str() {
            "start_of_validity" => &mut self.start,
            "end_of_validity" => &mut self.end,
            "reference_to_modified_location" => &mut self.place,
            "role2" => &mut self.role,
            "language_list" => &mut self.languages,
            "comment" => &mut self.comment,
            "type_of_date" => &mut self.date_type,
            "comment_on_date" => &mut self.date_comment,
            _ => return,
        };
        let value = value.trim();
        if !value.is_empty() {
            *slot = Some(value.to_string());
        }
    }

    /// Writes what it says into a row.
    pub fn into_row(self, row: &mut RegisterRow) {
        row.start = self.start.as_deref().and_then(day);
        row.end = self.end.as_deref().and_then(day);
        row.part = self.place.as_deref().and_then(place);
        row.role = self.role.as_deref().map(code);
        row.languages = self.languages.as_deref().map(languages).unwrap_or_default();
        row.comment = self.comment;
    }

    /// Whether it says anything about a link.
    pub fn says_something(&self) -> bool {
        let said = [&self.start, &self.end, &self.place, &self.role, &self.languages, &self.comment];
        said.into_iter().any(Option::is_some)
    }
}

/// A register's day: `2010-02-01` or `2010/02/01`, a time zone or hour after it left out. Fillers are none.
pub(super) fn day(raw: &str) -> Option<Day> {
    checked_day(raw).ok()
}

/// As [`day`], telling fillers from what is no date.
pub(super) fn checked_day(raw: &str) -> Result<Day, DayError> {
    let date = raw.trim().get(..10).ok_or(DayError::Malformed)?;
    date.replace('/', "-").parse()
}

/// A boolean in the spellings of XML Schema.
pub(super) fn boolean(raw: &str) -> Option<bool> {
    match raw.trim() {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}

/// The code of a template: `R` in `{R|…/fd_375/R}`, and of the bare form.
pub(super) fn code(raw: &str) -> String {
    let inner = raw.trim().trim_start_matches('{');
    inner.split(['|', '}']).next().unwrap_or(inner).trim().to_string()
}

/// `BG, ET, FR`.
fn languages(raw: &str) -> Vec<Language> {
    let codes = raw.split([',', ';', ' ']).map(code).filter(|c| !c.is_empty());
    codes.filter_map(|c| Language::from_code(&c)).collect()
}

/// The part that a location names: `{AR|…} 67 {PA|…} 1 {PTA|…} (d)` is `67(1)(d)`.
/// None where it starts with no division that has a name, or is no location at all.
pub(super) fn place(raw: &str) -> Option<Part> {
    let mut part: Option<Part> = None;
    for piece in raw.split('{').skip(1) {
        let (template, value) = piece.split_once('}')?;
        let step: String = value.chars().filter(|c| c.is_alphanumeric() || matches!(c, '.' | '-' | '/')).collect();
        let division = match code(template).as_str() {
            "AR" => Some(Division::Article),
            "AN" => Some(Division::Annex),
            "CHA" => Some(Division::Chapter),
            "SCT" => Some(Division::Section),
            "TIT" | "TIS" => Some(Division::Title),
            "PRT" | "PTI" => Some(Division::Part),
            "PROT" => Some(Division::Protocol),
            _ => None,
        };
        part = match (part, division) {
            // An article inside a chapter is named by itself.
            (None | Some(_), Some(Division::Article)) => {
                let mut steps = step.split('.');
                let article = Part::article(steps.next()?).ok()?;
                steps.try_fold(article, |p, s| p.child(s)).ok()
            }
            (None, Some(division)) => Part::new(division, &step, Vec::new()).ok(),
            (None, None) => return None,
            (Some(part), None) if matches!(code(template).as_str(), "PA" | "PO" | "PTA") && !step.is_empty() => {
                Some(part.child(&step).ok()?)
            }
            // Unnumbered divisions and what stands in them have no address of their own.
            (Some(part), _) => return Some(part),
        };
    }
    part
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_become_parts() {
        let ar = "{AR|http://publications.europa.eu/resource/authority/fd_370/AR}";
        let pa = "{PA|http://publications.europa.eu/resource/authority/fd_370/PA}";
        let named = |raw: &str| place(raw).map(|p| p.to_string());
        assert_eq!(named(&format!("{ar} 67 {pa} 1 {{PTA|x}} (d)")).as_deref(), Some("67(1)(d)"));
        assert_eq!(named(&format!("{ar} 8.3")).as_deref(), Some("8(3)"));
        assert_eq!(named("{AR} 54").as_deref(), Some("54"));
        assert_eq!(named("{AN|x} III {SCT|x} II {PTA|x} (f)").as_deref(), Some("Annex III"));
        assert_eq!(named(&format!("{ar} 56 {pa} 3 {{ALN|x}} 1")).as_deref(), Some("56(3)"));
        assert_eq!(named("Addition PT 37 DA."), None);
        assert_eq!(named("{PO|x} 14 {TIRE|x}"), None);
    }

    #[test]
    fn codes_days_and_languages() {
        assert_eq!(code("{R|http://publications.europa.eu/resource/authority/fd_375/R}"), "R");
        assert_eq!(day("2010/02/01").map(|d| d.to_string()).as_deref(), Some("2010-02-01"));
        assert_eq!(day("9999-12-31"), None);
        assert_eq!(languages("BG, ET").len(), 2);
        assert_eq!(boolean(" 1 "), Some(true));
        assert_eq!(boolean("yes"), None);
    }
}
