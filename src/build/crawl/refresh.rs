//! Asking again for what has changed, and no more.

use super::choose::{Document, Wanted};
use super::fetch::{Fetcher, count};
use super::run::{Ground, of_host};
use super::{Crawl, CrawlError, Sum};
use crate::cache::{About, Key};
use crate::law::{Celex, Day};
use crate::source::{Again, DocumentKey, Kind, SparqlError, revisit};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A refresh, as the cache remembers it: one that was interrupted goes on where it was, also on another day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Refresh {
    /// What changed on this day or later is asked for again.
    since: Day,
    /// The day it began: what was heard then or later need not be heard again.
    pub began: Day,
    /// Whether it came to its end.
    finished: bool,
}

impl Crawl<'_> {
    /// Begins a refresh, or goes on with one that did not come to its end.
    pub(super) fn begin_refresh(&self, since: Day) -> Result<Refresh, CrawlError> {
        let key = self.refresh_key(since)?;
        let before = self.cache.get(&key)?.and_then(|found| serde_json::from_slice::<Refresh>(&found.bytes).ok());
        let unfinished = before.filter(|before| !before.finished && before.since == since);
        let refresh = unfinished.unwrap_or(Refresh { since, began: self.today, finished: false });
        self.note_refresh(&key, &refresh)?;
        Ok(refresh)
    }

    /// Notes that all was asked again.
    pub(super) fn end_refresh(&self, refresh: &Refresh) -> Result<(), CrawlError> {
        let key = self.refresh_key(refresh.since)?;
        self.note_refresh(&key, &Refresh { finished: true, ..refresh.clone() })
    }

    fn note_refresh(&self, key: &Key, refresh: &Refresh) -> Result<(), CrawlError> {
        let about = About { taken: Some(self.today), ..About::default() };
        self.cache.put(key, &serde_json::to_vec(refresh).unwrap_or_default(), about)?;
        Ok(())
    }

    fn refresh_key(&self, since: Day) -> Result<Key, CrawlError> {
        Ok(DocumentKey::named(Kind::Other, &format!("refresh.{}.{since}", self.manifest.name))?.key().clone())
    }

    /// Asks again, each under the condition that it changed, for the documents of the acts that changed and of those
    /// upon which these act: a repeal or an amendment is written into the record of the old act.
    pub(super) async fn revisit(
        &self,
        ground: &Ground,
        fetcher: &Fetcher<'_>,
        wanted: &Wanted,
        refresh: &Refresh,
        stopped: &mut Option<String>,
    ) -> Result<Sum, CrawlError> {
        let ours: BTreeSet<Celex> = wanted.documents.iter().map(|document| document.celex().clone()).collect();
        let changed = self.changed(ground, &ours, refresh.since, stopped).await?;
        let mut stale: BTreeSet<Celex> = changed.intersection(&ours).cloned().collect();
        for act in &changed {
            let acted_upon = wanted.acted_upon(act);
            stale.extend(revisit(act, acted_upon, &ground.registry).intersection(&ours).cloned());
        }
        let again: Vec<&Document> = wanted.documents.iter().filter(|d| stale.contains(d.celex())).collect();
        let mut sum = Sum::of(again.len());
        // One that was interrupted need not ask again for what it has asked for.
        let taken = fetcher.taken();
        self.progress.begin("ask again", again.len());
        for document in again {
            if taken.get(document).is_some_and(|day| *day >= refresh.began) {
                sum.stored(1);
            } else {
                count(&mut sum, document, fetcher.one(document, Again::IfChanged).await, stopped);
            }
            self.progress.step(1);
        }
        self.progress.end(&format!("{} acts changed or acted upon: {sum}", stale.len()));
        Ok(sum)
    }

    /// The acts that changed since: by the repository's own notifications, and by the days in the records of ours.
    async fn changed(
        &self,
        ground: &Ground,
        ours: &BTreeSet<Celex>,
        since: Day,
        stopped: &mut Option<String>,
    ) -> Result<BTreeSet<Celex>, CrawlError> {
        let mut changed = BTreeSet::new();
        match ground.rest.ingested(since).await {
            Ok(ingested) => changed.extend(ingested.into_iter().flat_map(|one| one.celex)),
            // The records' own days tell of every act of ours; a feed that fails only tells of it less soon.
            Err(error) => self.progress.end(&format!("the notifications cannot be had: {error}")),
        }
        match ground.sparql.modified_since(since, ours).await {
            Ok(modified) => changed.extend(modified),
            Err(SparqlError::Cache(error)) => return Err(error.into()),
            Err(error) if of_host(&error) => {
                stopped.get_or_insert_with(|| error.to_string());
            }
            Err(error) => return Err(CrawlError::Endpoint(error)),
        }
        Ok(changed)
    }
}
