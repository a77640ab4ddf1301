//! One crawl from its manifest to its sum.

use super::super::wish::wish;
use super::super::{Manifest, Progress, Rubrics};
use super::choose::{Chosen, Wanted, wanted};
use super::fetch::Fetcher;
use super::questions::{around, heard, questions, relations};
use super::{CrawlError, Crawled, Sum};
use crate::cache::Cache;
use crate::http::{Allowance, Client, Clock, user_agent};
use crate::law::{Celex, Day, Ontology, Registry, RelationType};
use crate::sample::Wish;
use crate::source::{Enumerated, Heard, Limits, Question, Rest, Sparql, SparqlError};
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// A crawl to be run.
pub struct Crawl<'a> {
    /// The manifest.
    pub manifest: &'a Manifest,
    /// The folder it stands in: a list of pairs is relative to it.
    pub folder: &'a Path,
    /// The rubrics, with the manifest's own laid over.
    pub rubrics: &'a Rubrics,
    /// Where everything goes that comes.
    pub cache: Arc<Cache>,
    /// The day that answers are taken on.
    pub today: Day,
    /// The clock that the manners go by.
    pub clock: Clock,
    /// How many requests may be sent; none where there is no network. Halting it ends the crawl with what is held.
    pub allowance: Allowance,
    /// Ask again for what has changed since this day.
    pub since: Option<Day>,
    /// Who listens.
    pub progress: &'a dyn Progress,
}

/// A question as it was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Asked {
    /// The question, in a word.
    pub question: String,
    /// How many rows the register counted, and as many came; none where it was not heard whole.
    pub rows: Option<u64>,
    /// How many requests were sent for it now.
    pub requests: u64,
}

/// How a crawl ended.
#[derive(Debug)]
pub struct Ended {
    /// What became of all that was wanted.
    pub sum: Sum,
    /// The questions.
    pub questions: Vec<Asked>,
    /// What was chosen, per relation.
    pub chosen: Vec<Chosen>,
    /// Acts that act on an end and were left out, since the end has more of them than are fetched.
    pub left_out: usize,
    /// Documents that were asked for again, since they had changed or might have.
    pub revisited: usize,
    /// Requests sent now.
    pub requests: u64,
    /// Why it stopped before its end.
    pub stopped: Option<String>,
    /// What there is now.
    pub source: Crawled,
}

/// All that a crawl asks and looks into.
pub(super) struct Ground {
    pub registry: Arc<Registry>,
    pub wish: Wish,
    pub relations: BTreeSet<RelationType>,
    pub questions: Vec<Question>,
    pub sparql: Sparql,
    pub rest: Arc<Rest>,
}

impl Ground {
    /// What is asked about the ends of the pairs.
    pub fn around(&self, ends: &BTreeSet<Celex>) -> Vec<Question> {
        around(ends, &self.relations, &self.wish, &self.registry)
    }
}

impl Crawl<'_> {
    /// Runs it.
    ///
    /// # Errors
    /// [`CrawlError`]. What could not be had, or is still pending, is no error: it stands in the sum.
    pub fn run(&self) -> Result<Ended, CrawlError> {
        waited_for(self.go())
    }

    async fn go(&self) -> Result<Ended, CrawlError> {
        let mut ground = self.ground()?;
        let mut stopped = None;
        let refresh = self.since.map(|since| self.begin_refresh(since)).transpose()?;
        if let Some(refresh) = &refresh {
            ground.sparql = ground.sparql.since(refresh.began);
        }
        self.probe(&ground, &mut stopped).await?;
        let (mut sum, mut asked) = self.ask(&ground, &ground.questions, &mut stopped).await?;
        let (wanted, mut held) = self.choose(&ground).await?;
        // Who the ends are is known once all else was heard.
        if held.len() == ground.questions.len() {
            let around = ground.around(&wanted.ends);
            let (more, asked_too) = self.ask(&ground, &around, &mut stopped).await?;
            sum.add(&more);
            asked.extend(asked_too);
            held.extend(around);
        }
        let fetcher = Fetcher { rest: &ground.rest, cache: &self.cache, progress: self.progress };
        let mut revisited = 0;
        if let Some(refresh) = &refresh {
            let again = self.revisit(&ground, &fetcher, &wanted, refresh, &mut stopped).await?;
            revisited = again.wanted;
            sum.add(&again);
        }
        sum.add(&fetcher.documents(&wanted.documents, &mut stopped).await);
        let (looked_up, names) = fetcher.names(&wanted, &ground.registry, &mut stopped).await?;
        sum.add(&looked_up);
        if let Some(refresh) = refresh.filter(|_| sum.pending() == 0) {
            self.end_refresh(&refresh)?;
        }
        let source = Crawled::of(&self.cache, &held, &wanted.documents, &names);
        let stopped = self.allowance.spent().or(stopped).filter(|_| sum.pending() > 0);
        Ok(Ended {
            sum,
            questions: asked,
            chosen: wanted.chosen.clone(),
            left_out: wanted.left_out,
            revisited,
            requests: self.allowance.sent(),
            stopped,
            source,
        })
    }

    /// Reads what is wanted and opens what is asked.
    pub(super) fn ground(&self) -> Result<Ground, CrawlError> {
        let registry = Arc::new(self.rubrics.registry()?);
        let ontology = Arc::new(Ontology::parse("cdm.toml", self.rubrics.file("cdm.toml")?)?);
        let wish = wish(self.manifest, self.folder, &registry)?;
        let relations = relations(self.manifest, &wish, &registry)?;
        let questions = questions(&relations, &wish, &registry);
        let crawl = &self.manifest.crawl;
        let client = self.client()?;
        let limits = Limits { row_cap: crawl.rows_per_answer, ..Limits::default() };
        let sparql = Sparql::new(
            client.clone(),
            crawl.sparql.as_str(),
            self.cache.clone(),
            registry.clone(),
            ontology,
            limits,
            self.today,
        );
        let rest = Rest::new(client, crawl.rest.as_str(), self.cache.clone(), self.today, crawl.longest_document);
        Ok(Ground { registry, wish, relations, questions, sparql, rest: Arc::new(rest) })
    }

    /// The client, with a contact wherever it may send anything.
    fn client(&self) -> Result<Client, CrawlError> {
        let crawl = &self.manifest.crawl;
        let name = match &crawl.contact {
            Some(contact) => user_agent(contact.as_str())?,
            None if self.allowance.spent().is_some() => super::super::TOOL.to_string(),
            None => return Err(CrawlError::NoContact),
        };
        let client = Client::new(&name, crawl.policy(self.manifest.seed), self.clock)?;
        Ok(client.within(self.allowance.clone()))
    }

    /// Asks the register. A question that is not heard whole is failed or pending; what is held of the others is enough to
    /// go on with.
    async fn ask(
        &self,
        ground: &Ground,
        questions: &[Question],
        stopped: &mut Option<String>,
    ) -> Result<(Sum, Vec<Asked>), CrawlError> {
        let mut sum = Sum::of(questions.len());
        self.progress.begin("ask the register", questions.len());
        let (mut asked, mut rows) = (Vec::new(), 0);
        for question in questions {
            let told = |_: Heard| {};
            let heard = ground.sparql.enumerate(question, &told).await;
            let (counted, requests) = match heard {
                Ok(Enumerated { rows: came, requests, .. }) => {
                    sum.stored(1);
                    rows += came;
                    (Some(came), requests)
                }
                Err(SparqlError::Cache(error)) => return Err(error.into()),
                Err(error) if of_host(&error) => {
                    stopped.get_or_insert_with(|| error.to_string());
                    // An answer of an earlier crawl is an answer, until a refresh asks again.
                    if self.since.is_none() && self.cache.entry(question.document()?.key())?.is_some() {
                        sum.stored(1);
                    }
                    (None, 0)
                }
                Err(error) => {
                    sum.failed(&question.to_string(), &error.to_string());
                    (None, 0)
                }
            };
            asked.push(Asked { question: question.to_string(), rows: counted, requests });
            self.progress.step(1);
        }
        self.progress.end(&format!("{rows} rows, {} of {} questions heard whole", sum.stored, sum.wanted));
        Ok((sum, asked))
    }

    /// A predicate that nothing is stated with stops the run: no count would tell.
    async fn probe(&self, ground: &Ground, stopped: &mut Option<String>) -> Result<(), CrawlError> {
        for relation in &ground.relations {
            match ground.sparql.probe(relation).await {
                Ok(_) => {}
                Err(SparqlError::Cache(error)) => return Err(error.into()),
                Err(
                    error @ (SparqlError::Silent { .. } | SparqlError::Missing { .. } | SparqlError::NoPredicate(_)),
                ) => {
                    return Err(CrawlError::Endpoint(error));
                }
                // That the endpoint does not answer is told by the questions, one by one.
                Err(error) => {
                    stopped.get_or_insert_with(|| error.to_string());
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// What is wanted by what is held of the register, and the questions that are.
    pub(super) async fn choose(&self, ground: &Ground) -> Result<(Arc<Wanted>, Vec<Question>), CrawlError> {
        let (cache, registry, questions) = (self.cache.clone(), ground.registry.clone(), ground.questions.clone());
        let read = tokio::task::spawn_blocking(move || heard(&questions, &cache, &registry));
        let (tables, held) = read.await.map_err(|e| CrawlError::Runtime(e.into()))??;
        let language = self.manifest.scope.language;
        let mut wanted = wanted(&tables.rows, &ground.wish, &self.manifest.crawl, language, &ground.registry);
        tables.works.iter().for_each(|(address, celex)| wanted.names.add(address, celex));
        Ok((Arc::new(wanted), held))
    }
}

/// Runs what asks and reads to its end, on a runtime of its own.
pub(super) fn waited_for<T>(work: impl Future<Output = Result<T, CrawlError>>) -> Result<T, CrawlError> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(work)
}

/// Whether an error speaks of the host, so that what was asked is pending and not failed.
pub(super) fn of_host(error: &SparqlError) -> bool {
    matches!(error, SparqlError::Http { error, .. } if error.of_host())
}
