//! Documents, one after the other: held, fetched, known to be absent, failed, or left for the next run.

use super::super::Progress;
use super::Sum;
use super::choose::Document;
use crate::cache::Cache;
use crate::law::Day;
use crate::source::{Again, Failure, Got, Rest};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::Arc;

/// Who fetches.
pub(super) struct Fetcher<'a> {
    pub rest: &'a Rest,
    pub cache: &'a Arc<Cache>,
    pub progress: &'a dyn Progress,
}

impl Fetcher<'_> {
    /// Fetches what is missing of the documents wanted, in their order. A host that may not be asked answers at once, so
    /// that the rest is still looked up in the cache and counted. What failed is asked for once more at the end, when what
    /// was wrong may have passed.
    pub async fn documents(&self, wanted: &[Document], stopped: &mut Option<String>) -> Sum {
        let mut sum = Sum::of(wanted.len());
        let mut failed = Vec::new();
        self.progress.begin("fetch documents", wanted.len());
        for document in wanted {
            match self.one(document, Again::OnlyIfMissing).await {
                Got::Failed(_) => failed.push(document),
                got => {
                    count(&mut sum, document, got, stopped);
                    self.progress.step(1);
                }
            }
        }
        for document in failed {
            let got = self.one(document, Again::OnlyIfMissing).await;
            count(&mut sum, document, got, stopped);
            self.progress.step(1);
        }
        self.progress.end(&sum.to_string());
        sum
    }

    /// One document.
    pub async fn one(&self, document: &Document, again: Again) -> Got {
        match document {
            Document::Notice(celex) => self.rest.notice(celex, again).await,
            Document::Text(celex, language) => self.rest.text(celex, *language, again).await,
        }
    }

    /// The days on which the documents that are held were taken.
    pub fn taken(&self) -> BTreeMap<Document, Day> {
        let mut days: BTreeMap<Document, Day> = BTreeMap::new();
        for entry in self.cache.entries() {
            if let (Some(document), Some(taken)) = (Document::of(&entry.key), entry.about.taken) {
                let newest = days.entry(document).or_insert(taken);
                *newest = taken.max(*newest);
            }
        }
        days
    }
}

/// Enters what came into the sum; what the host kept back is pending, which needs no entry.
pub(super) fn count(sum: &mut Sum, what: impl Display, got: Got, stopped: &mut Option<String>) {
    match got {
        Got::Held | Got::Stored(_) => sum.stored(1),
        Got::Absent(absent) => sum.absent(&absent.to_string()),
        Got::Failed(failure) => sum.failed(&format!("{what} ({failure})"), kind(&failure)),
        Got::Stopped(why) => {
            stopped.get_or_insert(why);
        }
    }
}

/// The reason in the words that many failures share.
fn kind(failure: &Failure) -> &'static str {
    match failure {
        Failure::Wire(_) => "no whole answer came",
        Failure::Answer { .. } => "an answer came that is not the document",
        Failure::OtherAct { .. } => "another act's document came",
        Failure::Thin(_) => "far less came than is held",
        Failure::Unreadable(..) => "what came cannot be read",
        Failure::Cache(_) => "the cache does not keep it",
    }
}
