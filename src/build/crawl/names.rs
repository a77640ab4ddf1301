//! The names of works that notices link by an address alone.

use super::choose::{Document, Wanted};
use super::fetch::{Fetcher, count};
use super::{CrawlError, Sum};
use crate::cache::Cache;
use crate::law::{Effect, Registry};
use crate::parse::{self, Synonyms};
use crate::source::DocumentKey;
use std::collections::BTreeSet;
use std::sync::Arc;

impl Fetcher<'_> {
    /// The names of the works that the notices of the pairs' ends link by an address alone, where the link bears on what
    /// an act's status is and neither the register's answers nor the notices wanted name the work. Gives the documents
    /// that hold them.
    pub async fn names(
        &self,
        wanted: &Arc<Wanted>,
        registry: &Arc<Registry>,
        stopped: &mut Option<String>,
    ) -> Result<(Sum, BTreeSet<DocumentKey>), CrawlError> {
        let (cache, registry, wanted) = (self.cache.clone(), registry.clone(), wanted.clone());
        let read = tokio::task::spawn_blocking(move || unnamed(&cache, &registry, &wanted));
        let works = read.await.map_err(|e| CrawlError::Runtime(e.into()))??;
        let mut sum = Sum::of(works.len());
        let mut keys = BTreeSet::new();
        self.progress.begin("look up names", works.len());
        for work in &works {
            let got = self.rest.identifiers(work).await;
            count(&mut sum, format_args!("names of {work}"), got, stopped);
            keys.extend(self.rest.identifiers_key(work));
            self.progress.step(1);
        }
        self.progress.end(&sum.to_string());
        Ok((sum, keys))
    }
}

/// Addresses of works that the notices of the ends link by relations with an effect, and that nothing wanted names.
fn unnamed(cache: &Cache, registry: &Registry, wanted: &Wanted) -> Result<BTreeSet<String>, CrawlError> {
    let notices: BTreeSet<&Document> = wanted.documents.iter().collect();
    let (mut open, mut known) = (BTreeSet::new(), Synonyms::default());
    for key in cache.keys() {
        let document = Document::of(&key);
        let Some(document @ Document::Notice(_)) = document.filter(|document| notices.contains(document)) else {
            continue;
        };
        let Some(found) = cache.get(&key)? else { continue };
        let Ok(read) = parse::notice(&found.bytes, registry, None) else { continue };
        for (address, celex) in &read.value.works {
            known.add(address, celex);
        }
        if wanted.ends.contains(document.celex()) {
            let bears = |link: &&parse::OpenLink| registry.effect(link.relation()) != Effect::None;
            open.extend(read.value.open.iter().filter(bears).flat_map(parse::OpenLink::addresses).map(str::to_string));
        }
    }
    open.retain(|address| wanted.names.celex(address).is_none() && known.celex(address).is_none());
    Ok(open)
}
