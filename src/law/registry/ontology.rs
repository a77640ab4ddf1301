//! The properties by which the Common Data Model relates documents, so that a mistyped one is found.

use super::RegistryError;
use super::error::Places;
use crate::law::Celex;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The known predicates (CDM local names), each with its inverse. Read from `rubrics/cdm.toml`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ontology {
    /// Forward to inverse; empty where none is known.
    inverse: BTreeMap<String, String>,
    /// By forward predicate a statement that is known to be in the register: acting act, act acted upon.
    known: BTreeMap<String, (Celex, Celex)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OntologyFile {
    inverse: BTreeMap<String, String>,
    #[serde(default)]
    known: BTreeMap<String, (Celex, Celex)>,
}

impl Ontology {
    /// Reads the list; `file` is used in messages only.
    ///
    /// # Errors
    /// [`RegistryError`] where the text is no such list, a predicate is its own inverse, or a statement is known of one
    /// that is not in the list.
    pub fn parse(file: &str, text: &str) -> Result<Self, RegistryError> {
        let read: OntologyFile = toml::from_str(text).map_err(|e| RegistryError::unreadable(file, text, &e))?;
        if let Some((forward, _)) = read.inverse.iter().find(|(forward, inverse)| forward == inverse) {
            let places = Places::of(file, text);
            return Err(places.error(
                &["inverse".into(), forward.as_str().into()],
                format!("`{forward}` cannot be its own inverse"),
            ));
        }
        if let Some(stranger) = read.known.keys().find(|predicate| !read.inverse.contains_key(*predicate)) {
            let places = Places::of(file, text);
            return Err(places.error(
                &["known".into(), stranger.as_str().into()],
                format!("`{stranger}` is no forward predicate of this list"),
            ));
        }
        Ok(Self { inverse: read.inverse, known: read.known })
    }

    /// A statement with this forward predicate that is known to be in the register: a crawl asks for it first, and a
    /// register that does not answer with it is not asked anything else.
    pub fn known(&self, predicate: &str) -> Option<(&Celex, &Celex)> {
        self.known.get(predicate).map(|(source, target)| (source, target))
    }

    /// Whether it is a predicate of the list, forward or inverse (any case).
    pub fn has(&self, predicate: &str) -> bool {
        self.names().any(|name| name.eq_ignore_ascii_case(predicate))
    }

    /// The inverse of a forward predicate, where one is known.
    pub fn inverse_of(&self, predicate: &str) -> Option<&str> {
        let (_, inverse) = self.inverse.iter().find(|(forward, _)| forward.eq_ignore_ascii_case(predicate))?;
        Some(inverse.as_str()).filter(|inverse| !inverse.is_empty())
    }

    /// The forward predicate that has this one as its inverse, where it is an inverse and no forward one.
    pub fn forward_of(&self, inverse: &str) -> Option<&str> {
        let forward = self.inverse.iter().find(|(_, other)| other.eq_ignore_ascii_case(inverse));
        forward.map(|(forward, _)| forward.as_str()).filter(|_| !self.is_forward(inverse))
    }

    /// Whether it is a forward predicate.
    pub fn is_forward(&self, predicate: &str) -> bool {
        self.inverse.keys().any(|forward| forward.eq_ignore_ascii_case(predicate))
    }

    /// The predicate written most like this one, if any is like it at all.
    pub fn nearest(&self, predicate: &str) -> Option<&str> {
        nearest(predicate, self.names())
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        let (forward, inverse) = (self.inverse.keys(), self.inverse.values());
        forward.chain(inverse).map(String::as_str).filter(|name| !name.is_empty())
    }
}

/// The one of several names that is written most like this one: at most a quarter of its letters differ.
pub(super) fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (name.chars().count() / 4).max(2);
    let (distance, found) = names.map(|other| (distance(name, other), other)).min()?;
    (distance <= limit).then_some(found)
}

/// How many letters must be added, dropped or changed to turn one word into the other (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
