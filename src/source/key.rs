//! What a document is called: its kind, the act, the language and which text of it.

use crate::cache::{Key, KeyError};
use crate::law::{Celex, Language};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// What kind of document it is; the first word of its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The text of an act or of one of its parts, in one language and one flavour: `act/CELEX/eng/oj-eli`.
    Act,
    /// What the publisher says about an act: `notice/CELEX/tree-rdf`.
    Notice,
    /// A table of register rows, of acts or of consolidated states: `table/relations`.
    Table,
    /// A list of pairs of acts: `pairs/NAME`.
    Pairs,
    /// Anything else: `other/NAME`.
    Other,
}

const KINDS: [(&str, Kind); 5] = [
    ("act", Kind::Act),
    ("notice", Kind::Notice),
    ("table", Kind::Table),
    ("pairs", Kind::Pairs),
    ("other", Kind::Other),
];

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(KINDS.iter().find(|(_, kind)| kind == self).map_or("other", |(word, _)| word))
    }
}

/// The key of a document: a [`Key`] that begins with its [`Kind`].
///
/// ```
/// use legal_link::source::{DocumentKey, Kind};
/// let key: DocumentKey = "act/32016R0679/eng/oj-eli".parse().unwrap();
/// assert_eq!(key.kind(), Kind::Act);
/// assert_eq!(key.celex().unwrap().as_str(), "32016R0679");
/// assert_eq!(key.language().unwrap().to_string(), "eng");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DocumentKey(Key);

/// A text that is no key of a document.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DocumentKeyError {
    /// Not even a key.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// Its first words do not say what it is.
    #[error(
        "`{0}` is no document: want act/CELEX/LANGUAGE/TEXT, notice/CELEX/FORM, table/NAME, pairs/NAME or other/NAME"
    )]
    Shape(Key),
}

impl DocumentKey {
    /// The text `text` (a flavour, perhaps with the member's name) of an act in a language.
    ///
    /// # Errors
    /// [`DocumentKeyError`] where `text` is empty or too long.
    pub fn act(celex: &Celex, language: Language, text: &str) -> Result<Self, DocumentKeyError> {
        Self::try_from(Key::of(["act", celex.as_str(), &language.to_string(), text])?)
    }

    /// The notice of an act in a form such as `tree-rdf`.
    ///
    /// # Errors
    /// [`DocumentKeyError`] where `form` is empty or too long.
    pub fn notice(about: &str, form: &str) -> Result<Self, DocumentKeyError> {
        Self::try_from(Key::of(["notice", about, form])?)
    }

    /// A document of a kind that needs only a name: a table, pairs, other.
    ///
    /// # Errors
    /// [`DocumentKeyError`] for another kind, or where `name` is empty or too long.
    pub fn named(kind: Kind, name: &str) -> Result<Self, DocumentKeyError> {
        Self::try_from(Key::of([kind.to_string().as_str(), name])?)
    }

    /// What kind of document it is.
    pub fn kind(&self) -> Kind {
        let word = self.0.segments().next();
        KINDS.iter().find(|(known, _)| Some(*known) == word).map_or(Kind::Other, |(_, kind)| *kind)
    }

    /// The act whose text it is, or which the notice is about; none for a dossier's notice, tables, lists.
    pub fn celex(&self) -> Option<Celex> {
        match self.kind() {
            Kind::Act | Kind::Notice => Key::plain(self.0.segments().nth(1)?)?.parse().ok(),
            _ => None,
        }
    }

    /// The language of an act's text.
    pub fn language(&self) -> Option<Language> {
        match self.kind() {
            Kind::Act => self.0.segments().nth(2)?.parse().ok(),
            _ => None,
        }
    }

    /// The last word: which text, which form, or the name of a table or list.
    pub fn name(&self) -> &str {
        self.0.as_str().rsplit('/').next().unwrap_or_default()
    }

    /// As the cache wants it.
    pub fn key(&self) -> &Key {
        &self.0
    }
}

impl TryFrom<Key> for DocumentKey {
    type Error = DocumentKeyError;
    fn try_from(key: Key) -> Result<Self, DocumentKeyError> {
        let words: Vec<_> = key.segments().collect();
        let is_celex = |word: &str| Key::plain(word).is_some_and(|plain| plain.parse::<Celex>().is_ok());
        let fine = match words.as_slice() {
            ["act", celex, language, _] => is_celex(celex) && language.parse::<Language>().is_ok(),
            ["notice", _, _] | ["table" | "pairs" | "other", _] => true,
            _ => false,
        };
        if fine { Ok(Self(key)) } else { Err(DocumentKeyError::Shape(key)) }
    }
}

impl FromStr for DocumentKey {
    type Err = DocumentKeyError;
    fn from_str(text: &str) -> Result<Self, DocumentKeyError> {
        Self::try_from(text.parse::<Key>()?)
    }
}

impl fmt::Display for DocumentKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for DocumentKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for DocumentKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::try_from(Key::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}
