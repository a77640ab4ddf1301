//! Calls in batches, at half the price and within a day: handed in together, asked after, fetched, the unanswered handed
//! in again.
//!
//! A batched model is a [`LanguageModel`] like any other. What is asked of it waits until nothing more is asked for a
//! while; then all of it goes out as one batch. A result has the key that the single call would have, and the same
//! journal: whichever way it came, it replays. Batches are noted in a [`Ledger`] before they are handed in, so that a
//! call that went out in one, in this run or in one that was killed, is waited for and never handed in beside it.

mod interface;
mod ledger;
mod openai;

pub use ledger::Ledger;

use super::served::{Asking, Means, worst_case};
use super::{Answered, Ask, CallKey, Fault, LanguageModel, ModelError, ModelName, NotKept, Route};
use crate::cache::Digest;
use crate::http::Answer;
use interface::{Came, Interface};
use ledger::Open;
use openai::Outcome;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;

/// How often a call is handed in at most.
const TRIES: u32 = 3;

/// How patiently batches are dealt with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// How long nothing more is asked before what waits is handed in.
    pub quiet: Duration,
    /// How often a batch is asked after.
    pub poll: Duration,
    /// How long a batch is waited for before the run ends; the next run asks after it again.
    pub most: Duration,
}

impl Default for Patience {
    /// Three seconds, half a minute, and an hour more than the day that providers take.
    fn default() -> Self {
        Self { quiet: Duration::from_secs(3), poll: Duration::from_secs(30), most: Duration::from_secs(25 * 3600) }
    }
}

/// Where it is told how batches go, a line each time.
pub type News = Arc<dyn Fn(String) + Send + Sync>;

/// A model whose calls go in batches.
#[derive(Clone)]
pub struct Batched(Arc<Shared>);

struct Shared {
    interface: Interface,
    ledger: Ledger,
    queue: Mutex<Queue>,
}

/// What waits for its answer.
#[derive(Default)]
struct Queue {
    waiting: Vec<Waiting>,
    /// Whether somebody hands in and fetches.
    driven: bool,
    /// What batches brought and nobody has asked for yet, by batch and call.
    brought: BTreeMap<String, BTreeMap<String, Outcome>>,
}

struct Waiting {
    key: CallKey,
    name: String,
    bytes: Vec<u8>,
    draw: String,
    tries: u32,
    tell: oneshot::Sender<Result<Answered, ModelError>>,
}

impl Batched {
    /// A model that is reached by this route at a server's base address.
    pub fn new(route: Route, base: &str, means: Means, ledger: Ledger, patience: Patience, news: News) -> Self {
        let interface = Interface::new(route, base, means, patience, news);
        Self(Arc::new(Shared { interface, ledger, queue: Mutex::default() }))
    }

    async fn call(&self, ask: &Ask, draw: &str) -> Result<Answered, ModelError> {
        let Shared { interface: Interface { route, means, .. }, queue, .. } = &*self.0;
        let (bytes, key) = route.request(ask, draw);
        if let Some(replayed) = route.replay(&means.calls, &key, false) {
            return replayed;
        }
        let worst = worst_case(&bytes, route.setup.cap(ask));
        let reserved = means.purse.reserve(&route.name, &worst, true).await?;
        let (tell, told) = oneshot::channel();
        let drive = {
            let mut queue = held(queue);
            let name = key.digest().to_string();
            queue.waiting.push(Waiting { key, name, bytes, draw: draw.to_string(), tries: 0, tell });
            !std::mem::replace(&mut queue.driven, true)
        };
        if drive {
            tokio::spawn(self.0.clone().drive());
        }
        // When the time is over, or the run is stopped, nothing is lost: the ledger knows the batch.
        let told = means.purse.in_time(told).await?;
        let result = told.unwrap_or_else(|_| Err(NotKept::new("whoever handed the batch in is gone").into()));
        if let Some(record) = means.calls.paid(&key) {
            reserved.settle(&record.usage);
        }
        result
    }
}

impl LanguageModel for Batched {
    fn name(&self) -> &ModelName {
        &self.0.interface.route.name
    }

    fn ask<'a>(&'a self, ask: &'a Ask, draw: &'a str) -> Asking<'a> {
        Box::pin(self.call(ask, draw))
    }
}

impl Shared {
    async fn drive(self: Arc<Self>) {
        if let Err(error) = self.work().await {
            self.fail(&error);
        }
    }

    /// Hands in what waits, asks after the batches that hold it, settles what they bring, until nothing waits.
    async fn work(&self) -> Result<(), ModelError> {
        let mut mine = BTreeSet::new();
        loop {
            self.quiet().await?;
            self.settle().await?;
            while let Some((keys, lines)) = self.next() {
                mine.insert(self.hand_in(keys, &lines.join("\n")).await?);
            }
            for open in self.out() {
                match self.interface.results(&open).await? {
                    Came::Results(results) => drop(held(&self.queue).brought.insert(open.name, results)),
                    Came::Nothing(why) => {
                        self.done(&open.name).await?;
                        if mine.contains(&open.name) {
                            return Err(self.interface.exhausted(why));
                        }
                    }
                }
                self.settle().await?;
            }
            let mut queue = held(&self.queue);
            if queue.waiting.is_empty() {
                queue.driven = false;
                return Ok(());
            }
        }
    }

    /// Waits until nothing more is asked for a while.
    async fn quiet(&self) -> Result<(), ModelError> {
        loop {
            let before = held(&self.queue).waiting.len();
            self.interface.means.client.pause(self.interface.patience.quiet).await?;
            if held(&self.queue).waiting.len() == before {
                return Ok(());
            }
        }
    }

    /// The batches that hold what waits and have brought nothing yet.
    fn out(&self) -> Vec<Open> {
        let queue = held(&self.queue);
        let names = queue.waiting.iter().map(|one| one.name.clone()).collect();
        let mut out = self.ledger.holding(&names);
        out.retain(|open| !queue.brought.contains_key(&open.name));
        out
    }

    /// Of what waits and is in no batch, as much as fits into one: names and lines. Who does not wait any more asks nothing.
    fn next(&self) -> Option<(Vec<String>, Vec<String>)> {
        let out: BTreeSet<String> = self.out().into_iter().flat_map(|open| open.keys).collect();
        let mut queue = held(&self.queue);
        queue.waiting.retain(|one| out.contains(&one.name) || !one.tell.is_closed());
        let mut bytes = 0;
        let (mut names, mut lines, mut taken) = (Vec::new(), Vec::new(), BTreeSet::new());
        for one in queue.waiting.iter().filter(|one| !out.contains(&one.name)) {
            let line = self.interface.line(&one.name, &one.bytes);
            bytes += line.len() + 1;
            let full = names.len() == openai::MOST_LINES || bytes > openai::MOST_BYTES;
            if full && !names.is_empty() {
                break;
            }
            if taken.insert(&one.name) {
                names.push(one.name.clone());
                lines.push(line);
            }
        }
        (!names.is_empty()).then_some((names, lines))
    }

    /// Hands a batch in: noted before, so that it is found whatever happens. Its name.
    async fn hand_in(&self, keys: Vec<String>, lines: &str) -> Result<String, ModelError> {
        let Interface { route, means, .. } = &self.interface;
        let kept = |why: String| ModelError::from(NotKept::new(&why));
        // The same calls handed in again, because they were not answered, are another batch.
        let tries = held(&self.queue).waiting.iter().map(|one| one.tries).max().unwrap_or(0).to_string();
        let name = Digest::of_fields([lines.as_bytes(), tries.as_bytes(), (means.now)().as_bytes()]).short(24);
        let count = keys.len();
        let file = self.interface.upload(&name, lines).await?;
        self.ledger.meant(&name, &route.address, keys).await.map_err(kept)?;
        let id = self.interface.make(&name, &file, count).await?;
        self.ledger.made(&name, &id).await.map_err(kept)?;
        Ok(name)
    }

    /// Journals what was answered and tells who waits; what was not answered waits again, so many times.
    async fn settle(&self) -> Result<(), ModelError> {
        for (mut one, outcome) in self.known() {
            one.tries += 1;
            let result = match outcome {
                Some(Outcome::Answered(status, body)) => self.answered(&one, status, body).await?,
                Some(Outcome::Unanswered(why)) => Err(self.interface.exhausted(why)),
                None => self.replayed(&one),
            };
            match result {
                Err(error) if passing(&error) && one.tries < TRIES => held(&self.queue).waiting.push(one),
                result => drop(one.tell.send(result)),
            }
        }
        let used_up: Vec<String> = {
            let queue = held(&self.queue);
            let left = |calls: &BTreeMap<_, _>| calls.values().any(|o| matches!(o, Outcome::Answered(..)));
            queue.brought.iter().filter(|(_, calls)| !left(calls)).map(|(batch, _)| batch.clone()).collect()
        };
        for batch in used_up {
            self.done(&batch).await?;
            held(&self.queue).brought.remove(&batch);
        }
        Ok(())
    }

    /// Those that wait no longer: with what a batch brought for them, or without where the journal has it meanwhile.
    fn known(&self) -> Vec<(Waiting, Option<Outcome>)> {
        let mut queue = held(&self.queue);
        let mut known = Vec::new();
        for one in std::mem::take(&mut queue.waiting) {
            let brought = queue.brought.values_mut().find_map(|calls| calls.remove(&one.name));
            if brought.is_some() || self.interface.means.calls.paid(&one.key).is_some() {
                known.push((one, brought));
            } else {
                queue.waiting.push(one);
            }
        }
        known
    }

    fn replayed(&self, one: &Waiting) -> Result<Answered, ModelError> {
        let Interface { route, means, .. } = &self.interface;
        let replayed = route.replay(&means.calls, &one.key, false);
        replayed.unwrap_or_else(|| Err(NotKept::new("the journal lost a record").into()))
    }

    /// The answer to one call, in the journal before it is read.
    async fn answered(
        &self,
        one: &Waiting,
        status: u16,
        body: Vec<u8>,
    ) -> Result<Result<Answered, ModelError>, ModelError> {
        let Interface { route, means, .. } = &self.interface;
        let answer = Answer { status, headers: Vec::new(), body, attempts: one.tries, url: route.address.clone() };
        if status != 200 {
            let (fault, error) = self.interface.fault(&answer);
            if fault != Fault::Refused {
                return Ok(Err(error));
            }
        }
        let (mut record, read) = route.record(&one.bytes, one.key, &one.draw, &answer);
        (record.batch, record.at) = (true, (means.now)());
        means.calls.keep(record).await?;
        Ok(read.map(|answered| Answered { batch: true, ..answered }))
    }

    async fn done(&self, batch: &str) -> Result<(), ModelError> {
        Ok(self.ledger.done(batch).await.map_err(|why| NotKept::new(&why))?)
    }

    /// Tells everybody who waits that nothing comes. Trouble with a batch is no answer to any of its calls: the run ends.
    fn fail(&self, error: &ModelError) {
        let error = if error.ends_the_run() { error.clone() } else { self.interface.exhausted(error.to_string()) };
        let mut queue = held(&self.queue);
        queue.driven = false;
        queue.brought.clear();
        for one in std::mem::take(&mut queue.waiting) {
            drop(one.tell.send(Err(error.clone())));
        }
    }
}

/// Whether the same call, handed in again, may be answered.
fn passing(error: &ModelError) -> bool {
    error.ends_the_run() && !matches!(error, ModelError::Status { fault: Fault::Final, .. })
}

/// Every change is a few assignments that cannot panic.
fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}
