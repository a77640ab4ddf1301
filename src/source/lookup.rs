//! What requests for an act say about whether the act exists, and in which languages.

use crate::law::{Answer, Celex, Language};
use std::collections::BTreeMap;

/// One request that was made for an act, and the status it was answered with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lookup<'a> {
    /// The HTTP status.
    pub status: u16,
    /// The media type asked for, with its parameters; empty if none was named.
    pub accept: &'a str,
    /// The language asked for.
    pub language: Option<Language>,
}

/// What is known of an identifier after a look-up. The identifier is the one asked for, always: one that does not
/// answer is never exchanged for one that does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LookedUp {
    /// The identifier asked for.
    pub celex: Celex,
    /// Whether the source has it.
    pub exists: Answer,
}

impl Lookup<'_> {
    /// Whether the act asked for exists.
    ///
    /// A text, a list of texts or the way to one is a yes. "Not found" speaks of the format and the language that were
    /// asked for; of the act only where neither was, since every act that the source holds has a notice. Anything else
    /// (refusals, faults, "later") says nothing.
    ///
    /// ```
    /// use legal_link::law::{Answer, Language};
    /// use legal_link::source::Lookup;
    /// let celex = "32008D9977".parse().unwrap();
    /// let text = Lookup { status: 404, accept: "application/xhtml+xml", language: Some(Language::ENGLISH) };
    /// assert_eq!(text.of(&celex).exists, Answer::Unknown);
    /// let record = Lookup { status: 404, accept: "application/xml;notice=object", language: None };
    /// assert_eq!(record.of(&celex).exists, Answer::No);
    /// ```
    pub fn of(&self, celex: &Celex) -> LookedUp {
        let exists = match self.status {
            status if has_something(status) => Answer::Yes,
            404 if self.language.is_none() && self.asks_for_a_notice() => Answer::No,
            _ => Answer::Unknown,
        };
        LookedUp { celex: celex.clone(), exists }
    }

    fn asks_for_a_notice(&self) -> bool {
        self.accept.split(';').skip(1).any(|parameter| parameter.trim().starts_with("notice="))
    }
}

/// A status with which a text comes, a list of texts, the way to one, or word that it is as it was.
fn has_something(status: u16) -> bool {
    matches!(status, 200 | 203 | 206 | 300..=304 | 307 | 308)
}

/// What several requests for the texts of an act say together: one definite answer settles it. Texts that are not found,
/// time-outs (`None`) and faults leave it open.
pub fn exists(statuses: impl IntoIterator<Item = Option<u16>>) -> Answer {
    let found = statuses.into_iter().flatten().any(has_something);
    if found { Answer::Yes } else { Answer::Unknown }
}

/// The texts of an act: for each language the status of the last request, when all formats had been tried.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Texts(pub BTreeMap<Language, Option<u16>>);

impl Texts {
    /// Whether the act exists: missing in one language is not missing.
    pub fn exists(&self) -> Answer {
        exists(self.0.values().copied())
    }

    /// The languages that have a text.
    pub fn languages(&self) -> impl Iterator<Item = Language> + '_ {
        self.0.iter().filter(|(_, status)| status.is_some_and(has_something)).map(|(language, _)| *language)
    }

    /// Whether there is a text in this language: unknown where it was not asked for, or no definite answer came.
    pub fn has(&self, language: Language) -> Answer {
        match self.0.get(&language).copied().flatten() {
            Some(status) if has_something(status) => Answer::Yes,
            Some(404 | 410) => Answer::No,
            _ => Answer::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_definite_answer_settles() {
        assert_eq!(exists([Some(503), None, Some(303)]), Answer::Yes);
        assert_eq!(exists([Some(404), None, Some(202), Some(406)]), Answer::Unknown);
        let language = |code: &str| code.parse::<Language>().expect("a language");
        let (eng, fra, deu, ita) = (language("eng"), language("fra"), language("deu"), language("ita"));
        let texts = Texts([(eng, Some(404)), (fra, Some(200)), (deu, None)].into());
        assert_eq!(texts.exists(), Answer::Yes);
        assert_eq!(texts.languages().collect::<Vec<_>>(), [fra]);
        assert_eq!(
            [eng, fra, deu, ita].map(|l| texts.has(l)),
            [Answer::No, Answer::Yes, Answer::Unknown, Answer::Unknown]
        );
    }
}
