//! What the register is asked whole, and what it said.

use super::super::Manifest;
use super::CrawlError;
use crate::cache::Cache;
use crate::law::{Celex, Effect, Registry, RelationSpec, RelationType};
use crate::parse::{self, Tables};
use crate::sample::Wish;
use crate::source::{Around, Question, SourceError};
use std::collections::BTreeSet;

/// The relations that are listed: those named, else all that bear on what an act's status is; always those that
/// questions are asked about.
pub(super) fn relations(
    manifest: &Manifest,
    wish: &Wish,
    registry: &Registry,
) -> Result<BTreeSet<RelationType>, CrawlError> {
    let mut found: BTreeSet<RelationType> = wish.quotas.keys().cloned().collect();
    let bears = |spec: &&RelationSpec| spec.effect != Effect::None && !spec.predicates.is_empty();
    if manifest.crawl.relations.is_empty() {
        found.extend(registry.relations().iter().filter(bears).map(|spec| spec.name.clone()));
    }
    for name in &manifest.crawl.relations {
        let known = registry.by_any_name(name).and_then(|(relation, _)| registry.spec(&relation));
        let spec = known.filter(|spec| !spec.predicates.is_empty());
        found.insert(spec.ok_or_else(|| CrawlError::Relation(name.clone()))?.name.clone());
    }
    Ok(found)
}

/// Whether days and annotations are asked for of all statements of a relation: of those that questions are asked about
/// and those by which a court voids an act.
fn in_full(relation: &RelationType, wish: &Wish, registry: &Registry) -> bool {
    wish.quotas.contains_key(relation) || registry.effect(relation) == Effect::Voids
}

/// The questions that are asked first: the edges of every relation; days and annotations with them for those that are
/// asked about in full; and the consolidated states.
pub(super) fn questions(relations: &BTreeSet<RelationType>, wish: &Wish, registry: &Registry) -> Vec<Question> {
    let mut questions = Vec::new();
    for relation in relations {
        questions.push(Question::Edges(relation.clone()));
        if in_full(relation, wish, registry) {
            questions.extend([Question::Annotations(relation.clone()), Question::Dates(relation.clone())]);
        }
    }
    questions.push(Question::States);
    questions
}

/// The questions that are asked of the pairs' ends once these are chosen: days and annotations of what the relations that
/// are not asked about in full do to them, and of what they do by those.
pub(super) fn around(
    ends: &BTreeSet<Celex>,
    relations: &BTreeSet<RelationType>,
    wish: &Wish,
    registry: &Registry,
) -> Vec<Question> {
    let others = relations.iter().filter(|relation| !in_full(relation, wish, registry));
    let predicates = others.filter_map(|relation| registry.spec(relation)).flat_map(|spec| spec.predicates.clone());
    let around = Around::all(ends.iter().cloned(), predicates).into_iter();
    around.flat_map(|around| [Question::AnnotationsAround(around.clone()), Question::DatesAround(around)]).collect()
}

/// What the register said to the questions whose answers are held, and which those are.
///
/// # Errors
/// [`CrawlError`] where a document that is held cannot be read.
pub(super) fn heard(
    questions: &[Question],
    cache: &Cache,
    registry: &Registry,
) -> Result<(Tables, Vec<Question>), CrawlError> {
    let (mut all, mut held) = (Tables::default(), Vec::new());
    for question in questions {
        let mut told = Vec::new();
        for key in question.documents(cache).map_err(CrawlError::Endpoint)? {
            // A question of which a document is lost is none that was heard.
            let Some(found) = cache.get(key.key())? else {
                told.clear();
                break;
            };
            let read = parse::table(&found.entry.about.address, &found.bytes, registry, |_| found.entry.about.taken);
            told.push(read.map_err(|why| SourceError::NotRead { key, why: why.to_string() })?.value);
        }
        held.extend((!told.is_empty()).then(|| question.clone()));
        for tables in told {
            all.rows.extend(tables.rows);
            all.works.extend(tables.works);
        }
    }
    Ok((all, held))
}
