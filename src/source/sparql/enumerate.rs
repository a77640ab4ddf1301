//! A question heard whole: counted, asked slice by slice, proved, kept.

use super::ask::{Reply, Take};
use super::documents::{self, Proved};
use super::{Query, Question, Slice, Sparql, SparqlError};
use crate::cache::About;
use crate::source::DocumentKey;

/// A question that was heard whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enumerated {
    /// Where its answers stand, or the first of them.
    pub document: DocumentKey,
    /// How many rows the endpoint counted.
    pub counted: u64,
    /// How many came: as many.
    pub rows: u64,
    /// How many of them name a work without a CELEX number, so that no act can be told.
    pub nameless: u64,
    /// How many requests were sent for it now; 0 where all was held.
    pub requests: u64,
}

/// A slice of a question that was heard whole: what a progress bar wants to know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heard {
    /// The question.
    pub question: Question,
    /// The predicate asked about, where the question does not name it itself.
    pub predicate: Option<String>,
    /// The slice.
    pub slice: Slice,
    /// Its rows.
    pub rows: u64,
    /// Whether they were held already.
    pub held: bool,
}

impl Sparql {
    /// How many rows a question has in a slice, over all its predicates.
    ///
    /// # Errors
    /// [`SparqlError`].
    pub async fn count(&self, question: &Question, slice: &Slice) -> Result<u64, SparqlError> {
        let mut sum = 0;
        for predicate in question.predicates(&self.registry)? {
            let mut run = Run::new(self, question, predicate, &|_| ());
            sum += run.count_all(slice, Take::Held).await?;
        }
        Ok(sum)
    }

    /// Hears a question whole and keeps its answers as one document or several, if what came is as much as was counted and not
    /// far less than what is held. `progress` is told of every slice.
    ///
    /// # Errors
    /// [`SparqlError`]; what was heard before stays in the cache, and is not asked for again.
    pub async fn enumerate(
        &self,
        question: &Question,
        progress: &(dyn Fn(Heard) + Sync),
    ) -> Result<Enumerated, SparqlError> {
        self.recall_cap().await?;
        let document = question.document()?;
        let mut done = Enumerated { document, counted: 0, rows: 0, nameless: 0, requests: 0 };
        let mut answers = Vec::new();
        for predicate in question.predicates(&self.registry)? {
            let mut run = Run::new(self, question, predicate, progress);
            answers.extend(run.whole().await?);
            done.counted += run.counted;
            done.requests += run.requests;
        }
        done.rows = answers.iter().map(|answer| answer.rows).sum();
        done.nameless = answers.iter().map(|answer| answer.nameless).sum();
        let taken = answers.iter().map(|answer| answer.taken).max().unwrap_or(self.today);
        let about = About { address: format!("{}#{question}", self.address), taken: Some(taken), ..About::default() };
        let (question, longest) = (question.clone(), self.limits.longest_document);
        self.blocking(move |cache| documents::keep(cache, &question, &answers, longest, &about)).await??;
        Ok(done)
    }
}

/// How often counts and rows that do not agree are asked for anew.
const ATTEMPTS: usize = 3;

/// One predicate of a question, being heard.
struct Run<'a> {
    sparql: &'a Sparql,
    question: &'a Question,
    predicate: Option<String>,
    progress: &'a (dyn Fn(Heard) + Sync),
    counted: u64,
    requests: u64,
}

/// What became of a slice.
enum Portion {
    /// It has no rows.
    Empty,
    /// It was heard.
    Whole(Reply),
    /// It is too much for one answer: the parts to ask for, with their counts where they are known.
    Parts(Vec<Waiting>),
}

/// A slice to ask for.
struct Waiting {
    slice: Slice,
    /// Its rows, where they are counted already.
    counted: Option<u64>,
    /// How often it was halved since there was time for a count.
    halved: u32,
}

/// An endpoint that has no time even for the smallest of so many halves has none for us.
const MOST_HALVINGS: u32 = 16;

impl Waiting {
    /// Its halves, of which nothing is known; the error where it has none, or halving has led nowhere.
    fn halves(&self, error: SparqlError) -> Result<Portion, SparqlError> {
        let halves = self.slice.halves().filter(|_| self.halved < MOST_HALVINGS).ok_or(error)?;
        let half = |slice| Self { slice, counted: None, halved: self.halved + 1 };
        Ok(Portion::Parts(halves.into_iter().map(half).collect()))
    }

    /// The same, of which there was time for a count.
    fn counted(&self, rows: u64) -> Self {
        Self { slice: self.slice.clone(), counted: Some(rows), halved: 0 }
    }
}

impl<'a> Run<'a> {
    fn new(
        sparql: &'a Sparql,
        question: &'a Question,
        predicate: Option<String>,
        progress: &'a (dyn Fn(Heard) + Sync),
    ) -> Self {
        Self { sparql, question, predicate, progress, counted: 0, requests: 0 }
    }

    /// All answers, kept, in the order of their keys: together they have as many rows as are counted of all keys.
    async fn whole(&mut self) -> Result<Vec<Proved>, SparqlError> {
        let sides = Slice::all().sides().into_iter().rev();
        let mut waiting: Vec<_> = sides.map(|slice| Waiting { slice, counted: None, halved: 0 }).collect();
        let mut heard = Vec::new();
        while let Some(next) = waiting.pop() {
            let slice = next.slice.clone();
            match self.slice(&next).await? {
                Portion::Empty => {}
                Portion::Whole(reply) => {
                    heard.push(self.proved(&slice, &reply)?);
                    let (rows, held) = (reply.rows(), reply.held);
                    let (question, predicate) = (self.question.clone(), self.predicate.clone());
                    (self.progress)(Heard { question, predicate, slice, rows, held });
                }
                Portion::Parts(parts) => waiting.extend(parts.into_iter().rev()),
            }
        }
        let rows = heard.iter().map(|answer: &Proved| answer.rows).sum();
        self.counted = self.total(rows).await?;
        Ok(heard)
    }

    /// What is remembered of the answer to a slice, which is kept.
    fn proved(&self, slice: &Slice, reply: &Reply) -> Result<Proved, SparqlError> {
        let query = Query::rows(self.question, self.predicate.as_deref(), slice);
        Ok(Proved {
            predicate: self.predicate.clone(),
            key: self.sparql.key(&query)?,
            taken: reply.taken,
            rows: reply.rows(),
            nameless: reply.results.nameless() as u64,
            length: reply.bytes.len(),
        })
    }

    /// The count of all keys, which must be the rows that came. Where even the count of all takes too long, the counts
    /// of the slices, each of which was proved, must do.
    async fn total(&mut self, rows: u64) -> Result<u64, SparqlError> {
        let mut counted = rows;
        for take in [Take::Held, Take::Nothing] {
            counted = match self.count_all(&Slice::all(), take).await {
                Err(error) if error.asks_too_much() => return Ok(rows),
                counted => counted?,
            };
            if counted == rows {
                return Ok(counted);
            }
        }
        Err(self.unproved(&Slice::all(), counted, rows))
    }

    async fn slice(&mut self, waiting: &Waiting) -> Result<Portion, SparqlError> {
        let slice = &waiting.slice;
        let mut counted = match waiting.counted {
            Some(counted) => counted,
            None => match self.count(slice, Take::Held).await {
                Err(error) if error.asks_too_much() => return waiting.halves(error),
                counted => counted?,
            },
        };
        if counted == 0 {
            return Ok(Portion::Empty);
        }
        let mut too_much = None;
        if counted <= self.sparql.cap() {
            match self.rows(slice, counted).await {
                Ok(Ok(reply)) => return Ok(Portion::Whole(reply)),
                Ok(Err(more)) => counted = more,
                Err(error) if error.asks_too_much() => too_much = Some(error),
                Err(error) => return Err(error),
            }
        }
        self.parts(&waiting.counted(counted), counted, too_much).await
    }

    /// The rows of a slice, as many as are counted and each where it belongs (an engine may compute a key wrong and
    /// count as wrongly); or a count that is more than an answer holds.
    async fn rows(&mut self, slice: &Slice, counted: u64) -> Result<Result<Reply, u64>, SparqlError> {
        let query = Query::rows(self.question, self.predicate.as_deref(), slice);
        let question = self.question;
        let at_home = |reply: &Reply| {
            let results = &reply.results;
            results.rows.iter().all(|row| slice.holds(&question.key_of(results, row)))
        };
        let (mut counted, mut before, mut rows) = (counted, None, 0);
        for attempt in 0..ATTEMPTS {
            let take = if attempt == 0 { Take::Held } else { Take::Nothing };
            let whole = |reply: &Reply| reply.rows() == counted && at_home(reply);
            let reply = self.ask(&query, take, &whole).await?;
            rows = reply.rows();
            if whole(&reply) {
                return Ok(Ok(reply));
            }
            // Cut by the endpoint's own word, or (below) at the same row twice: that is as many as it gives.
            if rows < counted && reply.cap == Some(rows) {
                self.sparql.learn_cap(rows).await?;
                return Ok(Err(counted));
            }
            counted = self.count(slice, Take::Nothing).await?;
            if rows == counted && at_home(&reply) {
                return self.sparql.keep(&query, reply).await.map(Ok);
            }
            if rows < counted && before == Some(rows) {
                self.sparql.learn_cap(rows).await?;
                return Ok(Err(counted));
            }
            before = Some(rows);
        }
        Err(self.unproved(slice, counted, rows))
    }

    /// The parts of a slice that is too much for one answer, by where its rows lie.
    async fn parts(
        &mut self,
        waiting: &Waiting,
        counted: u64,
        too_much: Option<SparqlError>,
    ) -> Result<Portion, SparqlError> {
        let slice = &waiting.slice;
        let (cap, asked) = (self.sparql.cap(), self.asked());
        let most = cap.min(counted.div_ceil(2));
        let indivisible = too_much.unwrap_or(SparqlError::Indivisible { asked, slice: slice.clone(), counted, cap });
        for length in slice.lengths() {
            match self.spread(slice, length, counted).await {
                Ok(Some(spread)) if spread.len() > 1 => {
                    let part = |(slice, rows)| Waiting { slice, counted: Some(rows), halved: 0 };
                    return Ok(Portion::Parts(slice.cut(&spread, most).into_iter().map(part).collect()));
                }
                // All under one beginning: longer ones tell more.
                Ok(Some(_)) => {}
                Ok(None) => return waiting.halves(indivisible),
                Err(error) if error.asks_too_much() => return waiting.halves(error),
                Err(error) => return Err(error),
            }
        }
        Err(indivisible)
    }

    /// The count on both sides of the border between numbers and addresses.
    async fn count_all(&mut self, slice: &Slice, take: Take) -> Result<u64, SparqlError> {
        let mut sum = 0;
        for side in slice.sides() {
            sum += self.count(&side, take).await?;
        }
        Ok(sum)
    }

    async fn count(&mut self, slice: &Slice, take: Take) -> Result<u64, SparqlError> {
        let query = Query::count(self.question, self.predicate.as_deref(), slice);
        let reply = self.ask(&query, take, &|reply| reply.results.number().is_some()).await?;
        let found = "no number where rows were counted".to_string();
        let no_number = || SparqlError::NotAnAnswer {
            asked: query.name().to_string(),
            refused: crate::parse::Refused::NotThis { wanted: "count", found },
        };
        reply.results.number().ok_or_else(no_number)
    }

    /// How many rows lie under each beginning of the key; none if the list is longer than an answer, or is not of the
    /// rows that were counted there.
    async fn spread(
        &mut self,
        slice: &Slice,
        length: usize,
        counted: u64,
    ) -> Result<Option<Vec<(String, u64)>>, SparqlError> {
        let cap = self.sparql.cap();
        let query = Query::spread(self.question, self.predicate.as_deref(), slice, length);
        let whole = |reply: &Reply| reply.cap.is_none() && reply.rows() < cap;
        let reply = self.ask(&query, Take::Held, &whole).await?;
        if !whole(&reply) {
            return Ok(None);
        }
        let results = &reply.results;
        let line = |row| Some((results.value(row, "prefix")?.to_string(), results.value(row, "rows")?.parse().ok()?));
        let mut spread: Vec<(String, u64)> = results.rows.iter().filter_map(line).collect();
        spread.sort();
        let sound = spread.iter().map(|(_, rows)| rows).sum::<u64>() == counted
            && spread.iter().all(|(beginning, _)| slice.may_hold(beginning));
        Ok(Some(spread).filter(|_| sound))
    }

    async fn ask(
        &mut self,
        query: &Query,
        take: Take,
        whole: &(dyn Fn(&Reply) -> bool + Sync),
    ) -> Result<Reply, SparqlError> {
        let reply = self.sparql.ask(query, take, whole).await;
        self.requests += u64::from(reply.as_ref().map_or(true, |reply| !reply.held));
        reply
    }

    /// What is asked, for messages.
    fn asked(&self) -> String {
        let question = self.question;
        self.predicate.as_ref().map_or_else(|| question.to_string(), |p| format!("{question} ({p})"))
    }

    fn unproved(&self, slice: &Slice, counted: u64, rows: u64) -> SparqlError {
        SparqlError::Unproved { asked: self.asked(), slice: slice.clone(), counted, rows }
    }
}
