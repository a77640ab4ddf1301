//! What a crawl would ask and how long it would take, from counts alone.

use super::choose::{Document, Wanted};
use super::run::{Ground, waited_for};
use super::{Chosen, Crawl, CrawlError};
use crate::cache::Entry;
use crate::law::RelationType;
use crate::source::{Around, DocumentKey, Kind, Question, Slice, SparqlError};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Requests for a notice: the address of the act, and the one that it leads to.
const PER_NOTICE: u64 = 2;
/// Requests for a text: as for a notice, and for every other text one for a format that the act does not have.
const PER_TEXT: [u64; 2] = [5, 2];
/// Requests for a question besides one for each part of its answer: the count, and where its rows lie.
const PER_QUESTION: u64 = 2;
/// Bytes of a notice in the normalised form: a few kilobytes for a small act, two megabytes for one with hundreds of
/// annotated amendments.
const NOTICE_BYTES: u64 = 120_000;
/// Bytes of a text: the mean of the English pages and Formex files of a corpus of real acts.
const TEXT_BYTES: u64 = 110_000;
/// Bytes of a row of the register's answers.
const ROW_BYTES: u64 = 600;
/// Rows of a question that nobody has counted.
const ASSUMED_ROWS: u64 = 50_000;
/// Acts that act on an end, where the edges are not known: besides the pair's own, one more.
const ASSUMED_ACTING: u64 = 2;
/// Of the ends of the pairs chosen, in a hundred, those that are ends of no pair before: more than the 82 among the 764
/// pairs of a corpus, since these are drawn from many more.
const ASSUMED_DISTINCT: u64 = 92;
/// Held documents of a kind from which on their own mean counts.
const ENOUGH: u64 = 50;

/// On what a number of a plan rests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Basis {
    /// The register's answers are held: the documents are known one by one.
    Held,
    /// The register was asked for counts.
    Counted,
    /// Nothing is known; see the assumptions.
    Assumed,
}

/// What a crawl would ask, and how long it would take.
#[derive(Debug, Clone, Serialize)]
pub struct CrawlPlan {
    /// On what the number of documents rests.
    pub basis: Basis,
    /// Rows of each question, where they are known.
    pub rows: BTreeMap<String, Option<u64>>,
    /// Per relation: pairs in scope, as far as they are known, and pairs whose documents are wanted.
    pub chosen: Vec<Chosen>,
    /// Notices wanted.
    pub notices: u64,
    /// Texts wanted.
    pub texts: u64,
    /// Documents of these that are held already.
    pub held: u64,
    /// Requests to the register still to be sent.
    pub register_requests: u64,
    /// Requests for documents still to be sent.
    pub document_requests: u64,
    /// Bytes still to come.
    pub bytes: u64,
    /// Seconds between two requests.
    pub pace_seconds: f64,
    /// Seconds that it takes.
    pub seconds: f64,
    /// Requests that this plan itself sent.
    pub sent: u64,
    /// What was taken for granted.
    pub assumptions: Vec<String>,
}

impl Crawl<'_> {
    /// How many requests for counts [`plan`](Self::plan) sends at most: one per predicate of every question whose answer
    /// is not held.
    ///
    /// # Errors
    /// [`CrawlError`].
    pub fn counts_for_plan(&self) -> Result<u64, CrawlError> {
        let ground = self.ground()?;
        let mut counts = 0;
        for question in &ground.questions {
            if self.cache.entry(question.document()?.key())?.is_none() {
                let spec = question.relation().and_then(|relation| ground.registry.spec(relation));
                counts += spec.map_or(1, |spec| spec.predicates.len() as u64);
            }
        }
        Ok(counts)
    }

    /// What it would ask. Nothing is asked but counts, and none of those that are held.
    ///
    /// # Errors
    /// [`CrawlError`].
    pub fn plan(&self) -> Result<CrawlPlan, CrawlError> {
        waited_for(self.look_ahead())
    }

    async fn look_ahead(&self) -> Result<CrawlPlan, CrawlError> {
        let ground = self.ground()?;
        let (wanted, held) = self.choose(&ground).await?;
        let mut assumptions = Vec::new();
        let rows = self.counts(&ground, &mut assumptions).await?;
        let all_held = held.len() == ground.questions.len();
        let documents = if all_held { self.exact(&wanted) } else { assumed(&ground, self, &rows, &mut assumptions) };
        let basis = match (all_held, rows.values().all(Option::is_some)) {
            (true, _) => Basis::Held,
            (false, true) => Basis::Counted,
            (false, false) => Basis::Assumed,
        };
        let chosen = if all_held { wanted.chosen.clone() } else { self.chosen(&ground, &rows) };
        let per_answer = self.manifest.crawl.rows_per_answer.max(1);
        let (mut register_requests, mut register_bytes) = (0, 0);
        for question in ground.questions.iter().filter(|question| !held.contains(question)) {
            let rows = rows.get(&question.to_string()).copied().flatten().unwrap_or(ASSUMED_ROWS);
            register_requests += PER_QUESTION + rows.div_ceil(per_answer);
            register_bytes += rows * ROW_BYTES;
        }
        register_requests += if all_held { self.unheard(&ground, &wanted)? } else { around(documents.ends) };
        if rows.values().any(Option::is_none) {
            assumptions.push(format!("{ASSUMED_ROWS} rows for each question that nobody has counted"));
        }
        assumptions.push(format!(
            "{PER_NOTICE} requests for a notice and {} for a text (an address leads to another, and not every format is \
             there); {ROW_BYTES} bytes a row",
            decimal(PER_TEXT)
        ));
        let [notice_bytes, text_bytes] = self.sizes(&mut assumptions);
        let document_requests =
            documents.missing[0] * PER_NOTICE + (documents.missing[1] * PER_TEXT[0]).div_ceil(PER_TEXT[1]);
        let pace_seconds = self.manifest.crawl.pace.duration().as_secs_f64();
        #[allow(clippy::cast_precision_loss)] // counts of requests are far below 2^52
        let seconds = (register_requests + document_requests) as f64 * pace_seconds;
        Ok(CrawlPlan {
            basis,
            rows,
            chosen,
            notices: documents.notices,
            texts: documents.texts,
            held: documents.notices + documents.texts - documents.missing[0] - documents.missing[1],
            register_requests,
            document_requests,
            bytes: register_bytes + documents.missing[0] * notice_bytes + documents.missing[1] * text_bytes,
            pace_seconds,
            seconds,
            sent: self.allowance.sent(),
            assumptions,
        })
    }

    /// Requests for what is not held of the questions about the ends.
    fn unheard(&self, ground: &Ground, wanted: &Wanted) -> Result<u64, CrawlError> {
        let mut requests = 0;
        for question in ground.around(&wanted.ends) {
            let held = self.cache.entry(question.document()?.key())?.is_some();
            requests += if held { 0 } else { PER_QUESTION + 1 };
        }
        Ok(requests)
    }

    /// The rows of every question, held or counted now; of works without a number nothing is wanted. Why a question could
    /// not be counted is said once for all that fail alike.
    async fn counts(
        &self,
        ground: &Ground,
        assumptions: &mut Vec<String>,
    ) -> Result<BTreeMap<String, Option<u64>>, CrawlError> {
        let mut rows = BTreeMap::new();
        let mut failed: BTreeMap<String, usize> = BTreeMap::new();
        self.progress.begin("count", ground.questions.len());
        for question in &ground.questions {
            let counted = match ground.sparql.count(question, &Slice::numbered()).await {
                Ok(counted) => Some(counted),
                Err(SparqlError::Cache(error)) => return Err(error.into()),
                Err(error) => {
                    *failed.entry(error.to_string()).or_default() += 1;
                    None
                }
            };
            rows.insert(question.to_string(), counted);
            self.progress.step(1);
        }
        let known = rows.values().flatten().count();
        self.progress.end(&format!("{known} of {} questions", rows.len()));
        assumptions.extend(failed.into_iter().map(|(why, n)| format!("{n} questions not counted: {why}")));
        Ok(rows)
    }

    /// The documents one by one, as far as the edges are known.
    fn exact(&self, wanted: &Wanted) -> Documents {
        let mut documents = Documents::default();
        let held: BTreeSet<Document> = self.cache.keys().iter().filter_map(Document::of).collect();
        for document in &wanted.documents {
            let missing = u64::from(!held.contains(document));
            match document {
                Document::Notice(_) => {
                    documents.notices += 1;
                    documents.missing[0] += missing;
                }
                Document::Text(..) => {
                    documents.texts += 1;
                    documents.missing[1] += missing;
                }
            }
        }
        documents
    }

    /// Per relation the pairs wanted, where only counts are known.
    fn chosen(&self, ground: &Ground, rows: &BTreeMap<String, Option<u64>>) -> Vec<Chosen> {
        let one = |(relation, quota): (&RelationType, &usize)| {
            let counted = rows.get(&Question::Edges(relation.clone()).to_string()).copied().flatten();
            let there = counted.and_then(|rows| usize::try_from(rows).ok());
            let most = self.manifest.crawl.pairs.of(*quota);
            let pairs = most.unwrap_or(usize::MAX).min(there.unwrap_or(most.unwrap_or(0)));
            Chosen { relation: relation.clone(), in_scope: there.unwrap_or(pairs), pairs }
        };
        ground.wish.quotas.iter().map(one).collect()
    }

    /// Mean bytes of a notice and of a text: of those held, where they are enough.
    fn sizes(&self, assumptions: &mut Vec<String>) -> [u64; 2] {
        let kinds = [(Kind::Notice, NOTICE_BYTES, "a notice"), (Kind::Act, TEXT_BYTES, "a text")];
        let entries: Vec<(Kind, Entry)> = self
            .cache
            .entries()
            .into_iter()
            .filter_map(|entry| Some((DocumentKey::try_from(entry.key.clone()).ok()?.kind(), entry)))
            .collect();
        kinds.map(|(kind, assumed, name)| {
            let sizes: Vec<u64> = entries.iter().filter(|(k, _)| *k == kind).map(|(_, entry)| entry.size).collect();
            let n = sizes.len() as u64;
            if n < ENOUGH {
                assumptions.push(format!("{assumed} bytes for {name}"));
                return assumed;
            }
            let mean = sizes.iter().sum::<u64>() / n;
            assumptions.push(format!("{mean} bytes for {name}, the mean of the {n} that are held"));
            mean
        })
    }
}

/// How many documents are wanted.
#[derive(Default)]
struct Documents {
    /// Ends of pairs.
    ends: u64,
    notices: u64,
    texts: u64,
    /// Notices and texts that are not held.
    missing: [u64; 2],
}

/// How many documents the pairs have, where the edges are not known one by one.
fn assumed(
    ground: &Ground,
    crawl: &Crawl<'_>,
    rows: &BTreeMap<String, Option<u64>>,
    assumptions: &mut Vec<String>,
) -> Documents {
    let pairs: u64 = crawl.chosen(ground, rows).iter().map(|chosen| chosen.pairs as u64).sum();
    let ends = (pairs * 2 * ASSUMED_DISTINCT).div_ceil(100);
    let acting = ends * (ASSUMED_ACTING - 1);
    assumptions.push(format!(
        "{ASSUMED_DISTINCT} in a hundred ends belong to one pair only; {ASSUMED_ACTING} acts act on an end, one of them \
         the pair's own"
    ));
    let acting_texts = if crawl.manifest.crawl.acting == super::Acting::Texts { acting } else { 0 };
    let (notices, texts) = (ends + acting, ends + acting_texts);
    Documents { ends, notices, texts, missing: [notices, texts] }
}

/// Requests for the questions about so many ends: annotations and dates, in both positions.
fn around(ends: u64) -> u64 {
    4 * ends.div_ceil(Around::ACTS as u64) * (PER_QUESTION + 1)
}

/// A ratio with one decimal.
fn decimal([a, b]: [u64; 2]) -> String {
    format!("{}.{}", a / b, a * 10 / b % 10)
}
