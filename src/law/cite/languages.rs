//! The languages whose citations are read, from text handed in: one file each, under `rubrics/languages/`.

use super::Wording;
use crate::law::Language;
use std::collections::BTreeMap;

/// The languages whose citations are read.
///
/// ```
/// use legal_link::law::{Language, Languages};
/// let text = r#"
///     [acts]
///     regulation = { one = ["regulo"], many = ["reguloj"] }
///     [numbers]
///     signs = ["n-ro"]
///     [communities]
///     EC = ["EK"]
/// "#;
/// let languages = Languages::parse([("epo", text)]).unwrap();
/// let esperanto = languages.wording("epo".parse().unwrap()).unwrap();
/// assert_eq!(esperanto.cite("la regulo (EK) n-ro 9001/2003")[0].celex.as_ref().unwrap().as_str(), "32003R9001");
/// assert!(languages.wording(Language::ENGLISH).is_none());
/// ```
#[derive(Debug)]
pub struct Languages(BTreeMap<Language, Wording>);

/// A language file that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("languages/{file}.toml: {message}")]
pub struct LanguagesError {
    /// Its name, which must be the three-letter code of a language.
    pub file: String,
    /// What is wrong with it, and in which line.
    pub message: String,
}

impl Languages {
    /// Reads language files, each given by its name without ending (a three-letter code) and its text.
    ///
    /// # Errors
    /// [`LanguagesError`], for the first file that cannot be used.
    pub fn parse<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self, LanguagesError> {
        let read = |(file, text): (&str, &str)| {
            let wrong = |message: String| LanguagesError { file: file.to_string(), message };
            let language = file.parse::<Language>().map_err(|e| wrong(e.to_string()))?;
            Ok((language, Wording::parse(text).map_err(wrong)?))
        };
        files.into_iter().map(read).collect::<Result<_, _>>().map(Self)
    }

    /// The words of a language, where it has a file.
    pub fn wording(&self, language: Language) -> Option<&Wording> {
        self.0.get(&language)
    }

    /// The languages that have a file, sorted.
    pub fn known(&self) -> impl Iterator<Item = Language> {
        self.0.keys().copied()
    }
}
