//! What one request for an act says about whether the act exists.

use crate::law::{Answer, Celex, Language};

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
            200 | 300..=303 | 307 | 308 => Answer::Yes,
            404 if self.language.is_none() && self.asks_for_a_notice() => Answer::No,
            _ => Answer::Unknown,
        };
        LookedUp { celex: celex.clone(), exists }
    }

    fn asks_for_a_notice(&self) -> bool {
        self.accept.split(';').skip(1).any(|parameter| parameter.trim().starts_with("notice="))
    }
}
