//! Which of an act's titles is shown where the wanted language is missing.

use super::Language;
use std::collections::BTreeMap;

/// A title, and which language it is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TitleShown<'a> {
    /// The title.
    pub title: &'a str,
    /// The language it is in, so that it is never taken for the wanted one.
    pub language: Language,
    /// Whether that is the wanted one.
    pub exact: bool,
}

/// The title in the wanted language; else in the first of `order` that has one; else the one whose language code comes
/// first. Empty titles are none.
///
/// ```
/// use legal_link::law::{Language, title_in};
/// let german: Language = "deu".parse().unwrap();
/// let titles = [(german, "Beschluss X".to_string())].into();
/// let shown = title_in(&titles, Language::ENGLISH, &[Language::ENGLISH, german]).unwrap();
/// assert_eq!((shown.title, shown.language, shown.exact), ("Beschluss X", german, false));
/// ```
pub fn title_in<'a>(
    titles: &'a BTreeMap<Language, String>,
    wanted: Language,
    order: &[Language],
) -> Option<TitleShown<'a>> {
    let held = |language: &Language| titles.get(language).filter(|title| !title.trim().is_empty()).map(|_| *language);
    let preferred = std::iter::once(&wanted).chain(order);
    let language = preferred.chain(titles.keys()).find_map(held)?;
    Some(TitleShown { title: titles.get(&language)?, language, exact: language == wanted })
}
