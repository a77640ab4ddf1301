//! The way to a provider's batches: handed in once whatever happens, asked after, fetched.

use super::ledger::Open;
use super::openai::{self, Outcome, State};
use super::{News, Patience};
use crate::http::{Answer, HttpError, Request, back_off};
use crate::model::{Fault, Matched, Means, ModelError, Route};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// How often one request about a batch is sent at most.
const ATTEMPTS: u32 = 6;
/// The wait before the second of them, unless batches are asked after more often.
const BACK_OFF: Duration = Duration::from_secs(2);
/// The longest wait between two of them.
const LONGEST_WAIT: Duration = Duration::from_secs(120);
/// Pages of the list of batches that are looked through at most.
const MOST_PAGES: usize = 1000;

/// A provider's batches, for the calls of one model.
pub(super) struct Interface {
    pub route: Route,
    pub means: Means,
    /// The interface's base address, and the path of single calls below its host.
    base: String,
    path: String,
    pub patience: Patience,
    news: News,
}

/// What came of a batch.
pub(super) enum Came {
    /// An outcome for each of its calls.
    Results(BTreeMap<String, Outcome>),
    /// Nothing, and nothing will: it never came to be, was refused as a whole, or is gone.
    Nothing(String),
}

impl Interface {
    pub fn new(route: Route, base: &str, means: Means, patience: Patience, news: News) -> Self {
        let base = base.trim_end_matches('/').to_string();
        let below_host = route.address.splitn(4, '/').nth(3).unwrap_or_default();
        let path = format!("/{below_host}");
        Self { route, means, base, path, patience, news }
    }

    /// A call as a line of a batch's file.
    pub fn line(&self, name: &str, request: &[u8]) -> String {
        openai::line(name, &self.path, request)
    }

    /// Brings the lines of a batch to the provider. The file's identifier there.
    pub async fn upload(&self, name: &str, lines: &str) -> Result<String, ModelError> {
        let (kind, body) = openai::upload(name, lines);
        let request = Request { body: Some(body), ..self.request("files") }.header("content-type", kind);
        let file = self.json(&request).await?;
        openai::id(&file).ok_or_else(|| self.unread("files"))
    }

    /// Makes a batch of a file. Its identifier.
    ///
    /// To make it twice is worse than not to make it: where it is not certain that none was made (the answer is lost,
    /// or tells of trouble at the server), it is looked for by its name before it is made again.
    pub async fn make(&self, name: &str, file: &str, calls: usize) -> Result<String, ModelError> {
        let body = openai::create(file, &self.path, name);
        let request =
            Request { body: Some(body), ..self.request("batches") }.header("content-type", "application/json");
        let mut attempt = 0;
        loop {
            let (error, pause, uncertain) = match self.means.send(&request).await {
                Ok(answer) if answer.status == 200 => match parsed(&answer).as_ref().and_then(openai::id) {
                    Some(id) => {
                        (self.news)(format!("batch {id} of {}: {calls} calls handed in", self.route.name));
                        return Ok(id);
                    }
                    None => (self.unread("batches"), None, true),
                },
                Ok(answer) => match self.fault(&answer) {
                    (Fault::Limited(pause), error) => (error, pause, false),
                    (Fault::Passing(pause), error) => (error, pause, true),
                    (_, error) => return Err(error),
                },
                Err(HttpError::Failed { url, why, attempts }) => {
                    (HttpError::Failed { url, why, attempts }.into(), None, attempts > 0)
                }
                Err(error) => return Err(error.into()),
            };
            self.pause(attempt, pause).await?;
            attempt += 1;
            if uncertain && let Some(id) = self.find(name).await? {
                return Ok(id);
            }
            if attempt == ATTEMPTS {
                return Err(error);
            }
        }
    }

    /// Asks after a batch until it has ended, and fetches what came of it.
    pub async fn results(&self, open: &Open) -> Result<Came, ModelError> {
        let id = match &open.id {
            Some(id) => id.clone(),
            None => match self.find(&open.name).await? {
                Some(id) => id,
                None => return Ok(Came::Nothing("it was never handed in".to_string())),
            },
        };
        let files = match self.ended(&id).await {
            Ok(State::Ended(files)) => files,
            Ok(State::Failed(why)) => return Ok(Came::Nothing(format!("the batch {id} was refused: {why}"))),
            Ok(State::Working(..)) => return Err(self.exhausted(self.too_long(&id))),
            // To hand it in again might be to pay twice: a proxy, or the key of another project, says the same.
            Err(ModelError::Status { status: 404, .. }) => {
                return Err(self.exhausted(format!(
                    "the batch {id} is not known there; is the key that of the project that handed it in? Providers drop \
                     batches after some weeks: to hand its calls in anew, move batches.journal away"
                )));
            }
            Err(error) => return Err(error),
        };
        let (mut lines, mut unread) = (Vec::new(), 0);
        for file in files {
            let bytes = match self.bytes(&self.request(&format!("files/{file}/content"))).await {
                Err(ModelError::Status { status: 404, .. }) => {
                    return Err(self.exhausted(format!("the results of the batch {id} (file {file}) are not there")));
                }
                other => other?,
            };
            for line in String::from_utf8_lossy(&bytes).lines().filter(|line| !line.trim().is_empty()) {
                openai::result(line).map_or_else(|| unread += 1, |result| lines.push(result));
            }
        }
        let named: BTreeSet<&String> = lines.iter().map(|(name, _)| name).collect();
        let missing = open.keys.iter().any(|key| !named.contains(key));
        if unread > 0 && missing {
            // What they answered is paid for: it is not bought again because it is not understood.
            return Err(self.exhausted(format!("{unread} lines of the results of the batch {id} cannot be read")));
        }
        Ok(Came::Results(self.told(&id, &open.keys, lines)))
    }

    /// An outcome for each call asked: of those that came twice the first, and nobody asked for the others.
    fn told(&self, id: &str, keys: &[String], lines: Vec<(String, Outcome)>) -> BTreeMap<String, Outcome> {
        let matched = Matched::of(keys.iter().map(String::as_str), lines.iter().map(|(name, _)| name.as_str()));
        let nothing = || Outcome::Unanswered("the batch gave no result for it".to_string());
        let mut told: BTreeMap<String, Outcome> = keys.iter().map(|key| (key.clone(), nothing())).collect();
        for (name, outcome) in lines.into_iter().rev() {
            if let Some(place) = told.get_mut(&name) {
                *place = outcome;
            }
        }
        let answered = told.values().filter(|outcome| matches!(outcome, Outcome::Answered(200, _))).count();
        let mut words = format!("batch {id}: {answered} of {} answered", keys.len());
        if !matched.extra.is_empty() {
            let _ = write!(words, ", and {} that nobody asked for", matched.extra.len());
        }
        (self.news)(words);
        told
    }

    /// A batch's state when it has ended, or when patience has.
    async fn ended(&self, id: &str) -> Result<State, ModelError> {
        let began = Instant::now();
        let patience = self.means.client.clock().lasts(self.patience.most);
        let mut told = None;
        loop {
            let body = self.json(&self.request(&format!("batches/{id}"))).await?;
            let state = openai::state(&body).ok_or_else(|| self.unread("batches"))?;
            let State::Working(done, of) = state else { return Ok(state) };
            if told.replace((done, of)) != Some((done, of)) {
                (self.news)(format!("batch {id}: {done} of {of} done"));
            }
            if began.elapsed() >= patience {
                return Ok(state);
            }
            self.means.client.pause(self.patience.poll).await?;
        }
    }

    fn too_long(&self, id: &str) -> String {
        format!("the batch {id} has not ended within {} s; it is asked after again", self.patience.most.as_secs())
    }

    /// The batch of this name, if the provider has it.
    async fn find(&self, name: &str) -> Result<Option<String>, ModelError> {
        let mut seen = BTreeSet::new();
        let mut after = String::new();
        loop {
            let page = self.json(&self.request(&format!("batches?limit=100{after}"))).await?;
            match openai::find(&page, name) {
                Ok(id) => return Ok(Some(id)),
                Err(None) => return Ok(None),
                Err(Some(last)) if seen.len() < MOST_PAGES && seen.insert(last.clone()) => {
                    after = format!("&after={last}");
                }
                Err(Some(_)) => return Err(self.exhausted("its list of batches has no end".to_string())),
            }
        }
    }

    fn request(&self, what: &str) -> Request {
        let secret = self.means.key.clone().map(|key| self.route.dialect.secret(key));
        Request { secret, ..Request::get(format!("{}/{what}", self.base)) }
    }

    async fn json(&self, request: &Request) -> Result<Value, ModelError> {
        let bytes = self.bytes(request).await?;
        serde_json::from_slice(&bytes).map_err(|_| self.unread(&request.url))
    }

    /// The answer to a request that may be sent again.
    async fn bytes(&self, request: &Request) -> Result<Vec<u8>, ModelError> {
        let mut attempt = 0;
        loop {
            let last = attempt + 1 == ATTEMPTS;
            let pause = match self.means.send(request).await {
                Ok(answer) if answer.status == 200 => return Ok(answer.body),
                Ok(answer) => match self.fault(&answer) {
                    (Fault::Limited(pause) | Fault::Passing(pause), _) if !last => pause,
                    (_, error) => return Err(error),
                },
                Err(HttpError::Failed { .. }) if !last => None,
                Err(error) => return Err(error.into()),
            };
            self.pause(attempt, pause).await?;
            attempt += 1;
        }
    }

    async fn pause(&self, attempt: u32, asked: Option<Duration>) -> Result<(), ModelError> {
        let own = back_off(attempt, BACK_OFF.min(self.patience.poll), LONGEST_WAIT, u64::from(attempt));
        Ok(self.means.client.pause(asked.unwrap_or(own).min(LONGEST_WAIT)).await?)
    }

    /// The error that an answer other than 200 is, and what it means.
    pub fn fault(&self, answer: &Answer) -> (Fault, ModelError) {
        self.route.fault(answer, self.means.client.clock().now())
    }

    fn unread(&self, what: &str) -> ModelError {
        self.exhausted(format!("the answer about `{what}` cannot be read"))
    }

    pub fn exhausted(&self, why: String) -> ModelError {
        ModelError::Exhausted { address: self.base.clone(), why }
    }
}

fn parsed(answer: &Answer) -> Option<Value> {
    serde_json::from_slice(&answer.body).ok()
}
