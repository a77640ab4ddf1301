//! Before a run: whether the endpoint holds what it should; between runs: what has changed in it.

use super::ask::Take;
use super::{Query, Sparql, SparqlError};
use crate::law::{Celex, Day, RelationType};
use std::collections::BTreeSet;

/// A relation whose predicates all answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probed {
    /// Its predicates (CDM local names), each with whether a statement known beforehand was found; else some other was.
    pub predicates: Vec<(String, bool)>,
}

/// Acts asked about in one query.
const ACTS_AT_ONCE: u64 = 100;

impl Sparql {
    /// Whether every predicate of a relation has statements, and the one that is known to be there where one is known.
    /// A misspelt predicate finds nothing, and nothing else would tell.
    ///
    /// # Errors
    /// [`SparqlError::Silent`] with a hint, [`SparqlError::Missing`], or why no answer came.
    pub async fn probe(&self, relation: &RelationType) -> Result<Probed, SparqlError> {
        let spec = self.registry.spec(relation).filter(|spec| !spec.predicates.is_empty());
        let spec = spec.ok_or_else(|| SparqlError::NoPredicate(relation.clone()))?;
        let mut probed = Probed { predicates: Vec::new() };
        for predicate in &spec.predicates {
            let known = self.ontology.known(predicate);
            let mut found = false;
            if let Some((source, target)) = known {
                found = self.says_yes(&Query::known(predicate, source, target)).await?;
            }
            if !found && !self.says_yes(&Query::any(predicate)).await? {
                let (relation, predicate) = (relation.clone(), predicate.clone());
                return Err(SparqlError::Silent { relation, hint: self.hint(&predicate), predicate });
            }
            if let (Some((source, target)), false) = (known, found) {
                return Err(SparqlError::Missing {
                    relation: relation.clone(),
                    predicate: predicate.clone(),
                    source_celex: source.clone(),
                    target_celex: target.clone(),
                });
            }
            probed.predicates.push((predicate.clone(), found));
        }
        Ok(probed)
    }

    /// Only a yes is remembered.
    async fn says_yes(&self, query: &Query) -> Result<bool, SparqlError> {
        Ok(self.ask(query, Take::Held, &|reply| reply.rows() > 0).await?.rows() > 0)
    }

    /// Why a predicate may find nothing.
    fn hint(&self, predicate: &str) -> String {
        if let Some(forward) = self.ontology.forward_of(predicate) {
            return format!(
                "it is the inverse of `{forward}`, and the inverses are not in the triple store: name `{forward}` under \
                 `predicates` and this one under `inverses`"
            );
        }
        if self.ontology.has(predicate) {
            return "the name is a known one, so that this endpoint has none of it or is not the one it should be: leave \
                    the relation out, or give another address"
                .to_string();
        }
        match self.ontology.nearest(predicate) {
            Some(near) => format!("is `{near}` meant?"),
            None => "no predicate of such a name is known; look it up in the ontology".to_string(),
        }
    }

    /// Which of some acts have a record that was changed on `day` or after it. Only what was heard today is not asked
    /// for again.
    ///
    /// # Errors
    /// [`SparqlError`].
    pub async fn modified_since(&self, day: Day, among: &BTreeSet<Celex>) -> Result<BTreeSet<Celex>, SparqlError> {
        self.recall_cap().await?;
        let mut changed = BTreeSet::new();
        let acts: Vec<&Celex> = among.iter().collect();
        let mut waiting: Vec<&[&Celex]> = Vec::new();
        let at_once = usize::try_from(ACTS_AT_ONCE.min(self.cap().div_ceil(2))).unwrap_or(1);
        waiting.extend(acts.chunks(at_once.max(1)).rev());
        while let Some(some) = waiting.pop() {
            let cap = self.cap();
            let query = Query::modified(day, some.iter().copied());
            let whole = |reply: &super::ask::Reply| reply.cap.is_none() && reply.rows() < cap;
            let reply = match self.ask(&query, Take::Today, &whole).await {
                Err(error) if error.asks_too_much() && some.len() > 1 => None,
                reply => Some(reply?).filter(whole),
            };
            match (reply, some) {
                (Some(reply), _) => {
                    let acts = reply.results.rows.iter().filter_map(|row| reply.results.value(row, "celex"));
                    changed.extend(acts.filter_map(|celex| celex.parse::<Celex>().ok()));
                }
                // More rows about one act than an answer holds: one was enough.
                (None, [one]) => changed.extend([(*one).clone()]),
                (None, many) => {
                    let (first, second) = many.split_at(many.len() / 2);
                    waiting.extend([second, first]);
                }
            }
        }
        Ok(changed)
    }
}
