//! What a crawl has brought, as a source: of all that the cache holds, only what this manifest wants.

use super::choose::Document;
use crate::cache::Cache;
use crate::law::{Celex, Language};
use crate::source::{DocumentKey, Fetched, Held, Kind, Listed, Question, Source, SourceError};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The documents of one crawl in a cache that may hold those of many. Which they are depends on the manifest and on the
/// answers of the register, not on what else was fetched into the same cache.
#[derive(Debug)]
pub struct Crawled {
    held: Held,
    keys: BTreeSet<DocumentKey>,
}

impl Crawled {
    /// The answers to the questions, the documents wanted and the names of works that were looked up.
    pub(super) fn of(
        cache: &Arc<Cache>,
        questions: &[Question],
        documents: &[Document],
        names: &BTreeSet<DocumentKey>,
    ) -> Self {
        let (mut notices, mut texts) = (BTreeSet::<&Celex>::new(), BTreeSet::<(&Celex, Language)>::new());
        for document in documents {
            match document {
                Document::Notice(celex) => notices.insert(celex),
                Document::Text(celex, language) => texts.insert((celex, *language)),
            };
        }
        let tables: BTreeSet<DocumentKey> =
            questions.iter().filter_map(|q| q.documents(cache).ok()).flatten().collect();
        let wanted = |key: &DocumentKey| match (key.kind(), key.celex()) {
            (Kind::Act, Some(celex)) => key.language().is_some_and(|language| texts.contains(&(&celex, language))),
            (Kind::Notice, Some(celex)) => notices.contains(&celex) || names.contains(key),
            (Kind::Table, _) => tables.contains(key),
            _ => names.contains(key),
        };
        let keys = cache.keys().into_iter().filter_map(|key| DocumentKey::try_from(key).ok()).filter(wanted).collect();
        Self { held: Held::Cache(cache.clone()), keys }
    }

    /// How many documents there are.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }
}

impl Source for Crawled {
    fn list(&self) -> Result<Vec<Listed>, SourceError> {
        Ok(self.held.list()?.into_iter().filter(|one| self.keys.contains(&one.key)).collect())
    }

    fn fetch(&self, key: &DocumentKey) -> Result<Fetched, SourceError> {
        if self.keys.contains(key) { self.held.fetch(key) } else { Err(SourceError::NotHeld(key.clone())) }
    }
}
