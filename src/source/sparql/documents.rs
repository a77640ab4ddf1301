//! A question heard whole, as documents of the cache: its answers in their order, in one document or, where they are long,
//! in several.

use super::{Question, SparqlError};
use crate::cache::{About, Cache, Key};
use crate::law::{Day, Digest};
use crate::parse::{Told, ToldOnce};
use crate::source::{Answered, DocumentKey, DocumentKeyError, Kind, Refresh};
use serde::Deserialize;
use serde_json::value::RawValue;

/// A proved answer, which the cache holds.
pub(super) struct Proved {
    /// The predicate asked about, where the question does not name it itself.
    pub predicate: Option<String>,
    /// Where it is held.
    pub key: Key,
    /// The day on which it was given.
    pub taken: Day,
    /// Its rows.
    pub rows: u64,
    /// Its rows that name a work without a number.
    pub nameless: u64,
    /// Its bytes.
    pub length: usize,
}

/// The rows of a document held.
#[derive(Deserialize)]
struct RowsOf {
    rows: u64,
}

impl Question {
    /// Where its answers are kept: the first document, and the only one but where they are long.
    ///
    /// # Errors
    /// None for a relation of a registry: its name is fit for a key.
    pub fn document(&self) -> Result<DocumentKey, DocumentKeyError> {
        DocumentKey::named(Kind::Table, &format!("{self}.sparql.json"))
    }

    /// The `n`th document after the first.
    fn further(&self, n: usize) -> Result<DocumentKey, DocumentKeyError> {
        DocumentKey::named(Kind::Table, &format!("{self}.sparql.json.{n}"))
    }

    /// The documents in which its answers are held, in order; none where it was never heard whole.
    ///
    /// # Errors
    /// [`SparqlError`] where the cache cannot be read.
    pub fn documents(&self, cache: &Cache) -> Result<Vec<DocumentKey>, SparqlError> {
        let mut held = Vec::new();
        let mut next = self.document()?;
        while cache.entry(next.key())?.is_some() {
            held.push(next);
            next = self.further(held.len())?;
        }
        Ok(held)
    }
}

/// Keeps a question's answers as documents of about `longest` bytes at most, unless they are thin beside those held. None
/// counts before all are written. One answer is never cut, and no two are in memory.
pub(super) fn keep(
    cache: &Cache,
    question: &Question,
    answers: &[Proved],
    longest: usize,
    about: &About,
) -> Result<(), SparqlError> {
    let before = question.documents(cache)?;
    let mut groups = groups(answers, longest);
    // Of more documents than are needed now, the rest says nothing.
    groups.resize(groups.len().max(before.len()), &[]);
    let new = |n: usize| -> Result<Option<(Key, Vec<u8>, About)>, SparqlError> {
        let document = if n == 0 { question.document()? } else { question.further(n)? };
        let bytes = told(cache, question, groups[n])?;
        let same = cache.get(document.key()).ok().flatten().is_some_and(|held| held.entry.digest == Digest::of(&bytes));
        Ok((!same).then(|| (document.key().clone(), bytes, about.clone())))
    };
    let mut begun = (0..groups.len()).map(new).filter_map(Result::transpose).peekable();
    if begun.peek().is_none() {
        return Ok(());
    }
    thin(cache, question, &before, answers.iter().map(|answer| answer.rows).sum())?;
    cache.put_each(begun)
}

/// An error where far less came than is held.
fn thin(cache: &Cache, question: &Question, before: &[DocumentKey], rows: u64) -> Result<(), SparqlError> {
    let rows_of = |document: &DocumentKey| {
        let found = cache.get(document.key()).ok().flatten()?;
        serde_json::from_slice(&found.bytes).ok().map(|RowsOf { rows }| rows)
    };
    let held = before.iter().filter_map(rows_of).sum();
    let number = |rows: u64| usize::try_from(rows).unwrap_or(usize::MAX);
    let new = Answered { status: 200, rows: Some(number(rows)), complete: true };
    if before.is_empty() || new.refresh(number(held)) == Refresh::Replace {
        return Ok(());
    }
    Err(SparqlError::Thin { document: question.document()?, held, rows })
}

/// Answers that together are no longer than that, in order; at least one group.
fn groups(answers: &[Proved], longest: usize) -> Vec<&[Proved]> {
    let (mut groups, mut begins, mut length) = (Vec::new(), 0, 0);
    for (at, answer) in answers.iter().enumerate() {
        if at > begins && length + answer.length > longest {
            groups.push(&answers[begins..at]);
            (begins, length) = (at, 0);
        }
        length += answer.length;
    }
    groups.push(&answers[begins..]);
    groups
}

/// Answers as one document.
fn told(cache: &Cache, question: &Question, answers: &[Proved]) -> Result<Vec<u8>, SparqlError> {
    let held = |answer: &Proved| -> Result<Box<RawValue>, SparqlError> {
        let lost = || SparqlError::Lost(answer.key.clone());
        let found = cache.get(&answer.key)?.ok_or_else(lost)?;
        serde_json::from_slice(found.bytes.trim_ascii()).map_err(|_| lost())
    };
    let read: Vec<Box<RawValue>> = answers.iter().map(held).collect::<Result<_, _>>()?;
    let once = |(proved, answer)| {
        let Proved { predicate, taken, .. }: &Proved = proved;
        ToldOnce { predicate: predicate.clone(), taken: Some(*taken), answer }
    };
    let (question, relation) = (question.to_string(), question.relation().map(ToString::to_string));
    let rows = answers.iter().map(|answer| answer.rows).sum();
    let answers = answers.iter().zip(read.iter().map(|answer| &**answer)).map(once).collect();
    Ok(serde_json::to_vec(&Told { question, relation, rows, answers }).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache::Shipped;

    fn fresh() -> (tempfile::TempDir, Cache) {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = Cache::open(folder.path(), Shipped::default()).expect("a cache");
        (folder, cache)
    }

    /// Answers with so many rows, in the cache.
    fn proved(cache: &Cache, rows: &[u64]) -> Vec<Proved> {
        let one = |(n, rows): (usize, &u64)| {
            let key = DocumentKey::named(Kind::Other, &format!("sparql.{n}.{rows}")).expect("a key").key().clone();
            let row = r#"{"act_celex":{"type":"literal","value":"32009R9001"}}"#;
            let bindings = vec![row; usize::try_from(*rows).expect("few")].join(",");
            let answer =
                format!(r#"{{"head":{{"vars":["act_celex","state_date"]}},"results":{{"bindings":[{bindings}]}}}}"#);
            cache.put(&key, answer.as_bytes(), About::default()).expect("room on disk");
            let taken = "2026-08-22".parse().expect("a day");
            Proved { predicate: None, key, taken, rows: *rows, nameless: 0, length: answer.len() }
        };
        rows.iter().enumerate().map(one).collect()
    }

    fn rows_held(cache: &Cache) -> Vec<u64> {
        let rows = |document: DocumentKey| {
            let found = cache.get(document.key()).expect("the cache is sound").expect("a document");
            serde_json::from_slice::<RowsOf>(&found.bytes).expect("a document of ours").rows
        };
        Question::States.documents(cache).expect("a sound cache").into_iter().map(rows).collect()
    }

    fn kept(cache: &Cache, rows: &[u64], longest: usize) -> Result<(), SparqlError> {
        keep(cache, &Question::States, &proved(cache, rows), longest, &About::default())
    }

    #[test]
    fn a_thin_document_replaces_nothing() {
        let (_folder, cache) = fresh();
        assert!(kept(&cache, &[100], 1 << 20).is_ok() && kept(&cache, &[100], 1 << 20).is_ok());
        assert!(matches!(kept(&cache, &[49], 1 << 20), Err(SparqlError::Thin { held: 100, rows: 49, .. })));
        assert!(matches!(kept(&cache, &[], 1 << 20), Err(SparqlError::Thin { .. })));
        assert_eq!(rows_held(&cache), [100]);
        assert!(kept(&cache, &[50], 1 << 20).is_ok());
        assert_eq!(rows_held(&cache), [50]);
    }

    #[test]
    fn what_is_long_stands_in_several_documents() {
        let (_folder, cache) = fresh();
        assert!(kept(&cache, &[], 3000).is_ok());
        assert_eq!(rows_held(&cache), [0]);
        assert!(kept(&cache, &[20, 20, 70, 1, 2], 3000).is_ok());
        assert_eq!(rows_held(&cache), [40, 70, 3]);
        assert!(matches!(kept(&cache, &[30, 20], 3000), Err(SparqlError::Thin { held: 113, rows: 50, .. })));
        // Where fewer documents do, the others are left, and say nothing.
        assert!(kept(&cache, &[50, 20], 1 << 20).is_ok());
        assert_eq!(rows_held(&cache), [70, 0, 0]);
        let further = Question::States.further(2).expect("a key");
        assert_eq!(further.to_string(), "table/states.sparql.json.2");
    }
}
