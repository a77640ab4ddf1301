//! Calls in batches, at half the price and within a day: handed in together, asked after, fetched, the unanswered handed
//! in again.
//!
//! A batched model is a [`LanguageModel`] like any other. What is asked of it waits until nothing more is asked for a
//! while; then all of it goes out as one batch. A result has the key that the single call would have, and the same
//! journal: whichever way it came, it replays. Batches are noted in a [`Ledger`] before they are handed in, so that a
//! build that was killed finds its batch again instead of paying for another.

mod ledger;
mod openai;

pub use ledger::Ledger;

use super::served::{Asking, Means, worst_case};
use super::{Answered, Ask, CallKey, Fault, LanguageModel, Matched, ModelError, ModelName, NotKept, Route};
use crate::cache::Digest;
use crate::http::{Answer, HttpError, Request, back_off};
use ledger::Open;
use openai::{Outcome, State};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;

/// How long nothing more is asked before what waits is handed in.
const QUIET: Duration = Duration::from_secs(3);
/// How often a batch is asked after.
const POLL: Duration = Duration::from_secs(30);
/// How often a call is handed in at most.
const TRIES: u32 = 3;
/// How often one request about a batch is sent at most.
const ATTEMPTS: u32 = 6;

/// A model whose calls go in batches.
#[derive(Debug, Clone)]
pub struct Batched(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    route: Route,
    means: Means,
    ledger: Ledger,
    /// The interface's base address, and the path of single calls below its host.
    base: String,
    path: String,
    queue: Mutex<Queue>,
}

/// What waits to be handed in.
#[derive(Debug, Default)]
struct Queue {
    waiting: Vec<Waiting>,
    /// Whether somebody is handing in.
    driven: bool,
    /// Whether what an earlier run left was fetched.
    recovered: bool,
    /// What an earlier run's batches answered, until it is asked for.
    left: BTreeMap<String, Outcome>,
    /// Those batches.
    open: Vec<Open>,
}

struct Waiting {
    key: CallKey,
    bytes: Vec<u8>,
    draw: String,
    tries: u32,
    tell: oneshot::Sender<Result<Answered, ModelError>>,
}

impl std::fmt::Debug for Waiting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Waiting").field("draw", &self.draw).field("tries", &self.tries).finish_non_exhaustive()
    }
}

impl Waiting {
    fn name(&self) -> String {
        self.key.digest().to_string()
    }
}

impl Batched {
    /// A model that is reached by this route at a server's base address.
    pub fn new(route: Route, base: &str, means: Means, ledger: Ledger) -> Self {
        let base = base.trim_end_matches('/').to_string();
        let below_host = route.address.splitn(4, '/').nth(3).unwrap_or_default();
        let path = format!("/{below_host}");
        Self(Arc::new(Shared { route, means, ledger, base, path, queue: Mutex::default() }))
    }

    async fn call(&self, ask: &Ask, draw: &str) -> Result<Answered, ModelError> {
        let Shared { route, means, queue, .. } = &*self.0;
        let (bytes, key) = route.request(ask, draw);
        if let Some(replayed) = route.replay(&means.calls, &key, false) {
            return replayed;
        }
        let worst = worst_case(&bytes, route.setup.cap(ask));
        let reserved = means.purse.reserve(&route.name, &worst).await.map_err(ModelError::Spent)?;
        let (tell, told) = oneshot::channel();
        let drive = {
            let mut queue = held(queue);
            queue.waiting.push(Waiting { key, bytes, draw: draw.to_string(), tries: 0, tell });
            !std::mem::replace(&mut queue.driven, true)
        };
        if drive {
            tokio::spawn(self.0.clone().drive());
        }
        let result = told.await.unwrap_or_else(|_| Err(NotKept::new("whoever handed the batch in is gone").into()));
        if let Some(record) = means.calls.paid(&key) {
            reserved.settle(&record.usage);
        }
        result
    }
}

impl LanguageModel for Batched {
    fn name(&self) -> &ModelName {
        &self.0.route.name
    }

    fn ask<'a>(&'a self, ask: &'a Ask, draw: &'a str) -> Asking<'a> {
        Box::pin(self.call(ask, draw))
    }
}

impl Shared {
    /// Hands in what waits, batch after batch, until nothing does.
    async fn drive(self: Arc<Self>) {
        if !std::mem::replace(&mut held(&self.queue).recovered, true) {
            for open in self.ledger.left(&self.route.address) {
                match self.recover(&open).await {
                    Ok(results) => {
                        let mut queue = held(&self.queue);
                        queue.left.extend(results);
                        queue.open.push(open);
                    }
                    Err(error) => return self.fail(&error),
                }
            }
        }
        loop {
            if let Err(error) = self.settled().await {
                return self.fail(&error);
            }
            let batch = self.next();
            if batch.is_empty() {
                let mut queue = held(&self.queue);
                if queue.waiting.is_empty() {
                    queue.driven = false;
                    return;
                }
                continue;
            }
            if let Err((error, batch)) = self.hand_in(batch).await {
                for one in batch {
                    drop(one.tell.send(Err(error.clone())));
                }
                return self.fail(&error);
            }
        }
    }

    /// Waits until nothing more is asked for a while, and settles at once what an earlier run's batch has answered.
    async fn settled(&self) -> Result<(), ModelError> {
        loop {
            let before = held(&self.queue).waiting.len();
            self.means.client.pause(QUIET).await?;
            if held(&self.queue).waiting.len() == before {
                break;
            }
        }
        let (known, results) = {
            let mut queue = held(&self.queue);
            let waiting = std::mem::take(&mut queue.waiting);
            let (known, rest): (Vec<_>, Vec<_>) =
                waiting.into_iter().partition(|one| queue.left.contains_key(&one.name()));
            queue.waiting = rest;
            let results = known.iter().filter_map(|one| queue.left.remove_entry(&one.name())).collect();
            (known, results)
        };
        self.settle(known, &results).await?;
        let used_up: Vec<Open> = {
            let Queue { left, open, .. } = &mut *held(&self.queue);
            let some_left = |open: &Open| open.keys.iter().any(|key| left.contains_key(key));
            let (rest, used_up) = std::mem::take(open).into_iter().partition(some_left);
            *open = rest;
            used_up
        };
        for open in used_up {
            self.ledger.done(&open.name).await.map_err(|why| NotKept::new(&why))?;
        }
        Ok(())
    }

    /// As many of those that wait as fit into one batch.
    fn next(&self) -> Vec<Waiting> {
        let mut queue = held(&self.queue);
        let mut bytes = 0;
        let fits = queue.waiting.iter().take(openai::MOST_LINES).take_while(|one| {
            bytes += one.bytes.len() + 256;
            bytes <= openai::MOST_BYTES
        });
        let count = fits.count().max(usize::from(!queue.waiting.is_empty()));
        queue.waiting.drain(..count).collect()
    }

    /// Hands a batch in, waits for its end and settles what came; what was not answered waits again.
    async fn hand_in(&self, batch: Vec<Waiting>) -> Result<(), (ModelError, Vec<Waiting>)> {
        match self.fetched(&batch).await {
            Ok((name, results)) => {
                self.settle(batch, &results).await.map_err(|error| (error, Vec::new()))?;
                self.ledger.done(&name).await.map_err(|why| (NotKept::new(&why).into(), Vec::new()))
            }
            Err(error) => Err((error, batch)),
        }
    }

    async fn fetched(&self, batch: &[Waiting]) -> Result<(String, BTreeMap<String, Outcome>), ModelError> {
        let keys: Vec<String> = batch.iter().map(Waiting::name).collect();
        let lines: Vec<String> = batch.iter().map(|one| openai::line(&one.name(), &self.path, &one.bytes)).collect();
        let lines = lines.join("\n");
        // The same calls handed in again, because they were not answered, are another batch.
        let tries = batch.iter().map(|one| one.tries).max().unwrap_or(0).to_string();
        let taken = (self.means.now)();
        let name = Digest::of_fields([lines.as_bytes(), tries.as_bytes(), taken.as_bytes()]).short(24);
        let (kind, body) = openai::upload(&name, &lines);
        let file = self.send("files", Some((&kind, body))).await?;
        let file = openai::id(&file).ok_or_else(|| self.unread("files"))?;
        let kept = |why: String| ModelError::from(NotKept::new(&why));
        self.ledger.meant(&name, &self.route.address, keys.clone()).await.map_err(kept)?;
        let create = openai::create(&file, &self.path, &name);
        let made = self.send("batches", Some(("application/json", create))).await?;
        let id = openai::id(&made).ok_or_else(|| self.unread("batches"))?;
        self.ledger.made(&name, &id).await.map_err(kept)?;
        Ok((name, self.results(&id, &keys).await?))
    }

    /// What a batch gave that an earlier run handed in; nothing where it never came to be.
    async fn recover(&self, open: &Open) -> Result<BTreeMap<String, Outcome>, ModelError> {
        let id = match &open.id {
            Some(id) => Some(id.clone()),
            None => self.find(&open.name).await?,
        };
        let results = match id {
            Some(id) => self.results(&id, &open.keys).await,
            None => return Ok(BTreeMap::new()),
        };
        match results {
            // Providers drop batches after some weeks, and refuse some as a whole: nothing is to be had from them.
            Err(ModelError::Status { status: 404, .. } | ModelError::Exhausted { .. }) => Ok(BTreeMap::new()),
            results => results,
        }
    }

    /// The batch of this name, if the provider has it.
    async fn find(&self, name: &str) -> Result<Option<String>, ModelError> {
        let mut after = String::new();
        loop {
            let page = self.send(&format!("batches?limit=100{after}"), None).await?;
            match openai::find(&page, name) {
                Ok(id) => return Ok(Some(id)),
                Err(None) => return Ok(None),
                Err(Some(last)) => after = format!("&after={last}"),
            }
        }
    }

    /// Asks after a batch until it has ended, and fetches what came of it, by name.
    async fn results(&self, id: &str, keys: &[String]) -> Result<BTreeMap<String, Outcome>, ModelError> {
        let files = loop {
            let body = self.send(&format!("batches/{id}"), None).await?;
            match openai::state(&body).ok_or_else(|| self.unread("batches"))? {
                State::Working => self.means.client.pause(POLL).await?,
                State::Ended(files) => break files,
                State::Failed(why) => return Err(self.exhausted(format!("the batch {id} was refused: {why}"))),
            }
        };
        let mut results = Vec::new();
        for file in files {
            let bytes = self.bytes(&format!("files/{file}/content"), None).await?;
            results.extend(String::from_utf8_lossy(&bytes).lines().filter_map(openai::result));
        }
        let matched = Matched::of(keys.iter().map(String::as_str), results.iter().map(|(name, _)| name.as_str()));
        let asked: std::collections::BTreeSet<String> = matched.ok.into_iter().collect();
        // Nobody asked for the others; of those that came twice the first counts.
        let mut by_name = BTreeMap::new();
        for (name, outcome) in results.into_iter().filter(|(name, _)| asked.contains(name)) {
            by_name.entry(name).or_insert(outcome);
        }
        Ok(by_name)
    }

    /// Journals what was answered and tells who waits; what was not answered waits again, so many times.
    async fn settle(&self, batch: Vec<Waiting>, results: &BTreeMap<String, Outcome>) -> Result<(), ModelError> {
        for mut one in batch {
            one.tries += 1;
            let answer = match results.get(&one.name()) {
                Some(Outcome::Answered(status, body)) => Ok((*status, body.clone())),
                Some(Outcome::Unanswered(why)) => Err(why.clone()),
                None => Err("the batch gave no result for it".to_string()),
            };
            let result = match answer {
                Ok((status, body)) => self.answered(&one, status, body).await?,
                Err(why) => Err(self.exhausted(why)),
            };
            match result {
                Err(error) if error.ends_the_run() && one.tries < TRIES => held(&self.queue).waiting.push(one),
                result => drop(one.tell.send(result)),
            }
        }
        Ok(())
    }

    /// The answer to one call, in the journal before it is read.
    async fn answered(
        &self,
        one: &Waiting,
        status: u16,
        body: Vec<u8>,
    ) -> Result<Result<Answered, ModelError>, ModelError> {
        let answer = Answer { status, headers: Vec::new(), body, attempts: one.tries, url: self.route.address.clone() };
        if status != 200 {
            let (fault, error) = self.route.fault(&answer, self.means.client.clock().now());
            if fault != Fault::Refused {
                return Ok(Err(error));
            }
        }
        let (mut record, read) = self.route.record(&one.bytes, one.key, &one.draw, &answer);
        record.at = (self.means.now)();
        self.means.calls.keep(record).await?;
        Ok(read)
    }

    /// Tells everybody who waits that nothing comes.
    fn fail(&self, error: &ModelError) {
        let mut queue = held(&self.queue);
        (queue.driven, queue.recovered) = (false, false);
        for one in std::mem::take(&mut queue.waiting) {
            drop(one.tell.send(Err(error.clone())));
        }
    }

    async fn send(&self, what: &str, body: Option<(&str, Vec<u8>)>) -> Result<Value, ModelError> {
        let bytes = self.bytes(what, body).await?;
        serde_json::from_slice(&bytes).map_err(|_| self.unread(what))
    }

    /// A request about batches, sent again for what may pass. Making a batch twice is worse than not making it: its
    /// answer, if lost, is found by the batch's name.
    async fn bytes(&self, what: &str, body: Option<(&str, Vec<u8>)>) -> Result<Vec<u8>, ModelError> {
        let mut request = Request::get(format!("{}/{what}", self.base));
        request.secret = self.means.key.clone().map(|key| self.route.dialect.secret(key));
        let once = what == "batches" && body.is_some();
        if let Some((kind, body)) = body {
            request = request.header("content-type", kind);
            request.body = Some(body);
        }
        let client = &self.means.client;
        for attempt in 0.. {
            let last = attempt + 1 >= ATTEMPTS;
            let pause = match client.send_once(&request).await {
                Ok(answer) if answer.status == 200 => return Ok(answer.body),
                Ok(answer) => match self.route.fault(&answer, client.clock().now()) {
                    (Fault::Limited(pause) | Fault::Passing(pause), _) if !last => pause,
                    (_, error) => return Err(error),
                },
                Err(HttpError::Failed { attempts, .. }) if !last && (attempts == 0 || !once) => None,
                Err(error) => return Err(error.into()),
            };
            let own = back_off(attempt, Duration::from_secs(2), Duration::from_secs(120), u64::from(attempt));
            client.pause(pause.unwrap_or(own)).await?;
        }
        Err(self.unread(what))
    }

    fn unread(&self, what: &str) -> ModelError {
        self.exhausted(format!("the answer about `{what}` cannot be read"))
    }

    fn exhausted(&self, why: String) -> ModelError {
        ModelError::Exhausted { address: self.base.clone(), why }
    }
}

/// Every change is a few assignments that cannot panic.
fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}
