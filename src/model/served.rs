//! Models behind a server, and models replayed from their journal.

use super::{
    Answered, Ask, CallKey, Calls, Fault, Gate, ModelError, ModelName, Purse, Reserved, Route, Silence, Usage,
    is_reply, used_up,
};
use crate::http::{Answer, Client, HttpError, Request, Secret, back_off};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often a call is sent at most that fails for a reason that may pass. Refusals for haste do not count.
const ATTEMPTS: u32 = 5;
/// The wait before the second of them; doubled each time.
const BACK_OFF: Duration = Duration::from_secs(1);
/// The longest wait between two of them.
const LONGEST_WAIT: Duration = Duration::from_secs(120);

/// What [`LanguageModel::ask`] returns.
pub type Asking<'a> = Pin<Box<dyn Future<Output = Result<Answered, ModelError>> + Send + 'a>>;

/// Something that answers questions in text.
pub trait LanguageModel: Send + Sync {
    /// Its name, as the manifest gives it.
    fn name(&self) -> &ModelName;

    /// Asks. The draw tells apart calls whose bytes are the same.
    fn ask<'a>(&'a self, ask: &'a Ask, draw: &'a str) -> Asking<'a>;
}

/// What all models of a run share, and what one of them needs to be asked.
#[derive(Debug, Clone)]
pub struct Means {
    /// The client; of its policy only the bounds count.
    pub client: Client,
    /// The model's key, if its server wants one.
    pub key: Option<Secret>,
    /// How many calls are in flight.
    pub gate: Arc<Gate>,
    /// How long its server has been silent.
    pub silence: Silence,
    /// The journal.
    pub calls: Calls,
    /// The budget.
    pub purse: Arc<Purse>,
    /// Tells the time for the record, RFC 3339.
    pub now: fn() -> String,
}

impl Means {
    /// Sends a request once, and tells if the answer is long in coming.
    pub(super) async fn send(&self, request: &Request) -> Result<Answer, HttpError> {
        self.silence.over(self.client.send_once(request)).await
    }
}

/// A model behind a server. Every reply is in the journal before it is used.
///
/// A call goes in this order: the journal, the budget, the gate, the request; one at a time of those that are the same. A refusal for haste (429) sends it back to
/// the gate, a failure that may pass (408, 409, 425, 5xx, a cut body) is waited out, so many times.
#[derive(Debug, Clone)]
pub struct Served {
    route: Route,
    means: Means,
}

impl Served {
    /// A model that is reached by this route.
    pub fn new(route: Route, means: Means) -> Self {
        Self { route, means }
    }

    async fn call(&self, ask: &Ask, draw: &str) -> Result<Answered, ModelError> {
        let Means { client, calls, now, .. } = &self.means;
        let (bytes, key) = self.route.request(ask, draw);
        // Who asks the same meanwhile waits, and finds it on record.
        let _alone = client.alone(&key.digest().to_string()).await;
        if let Some(replayed) = self.route.replay(calls, &key, false) {
            return replayed;
        }
        let worst = worst_case(&bytes, self.route.setup.cap(ask));
        let request = self.message(&bytes);
        let mut reserved = self.reserve(&worst).await?;
        let mut failures = 0;
        let mut sent = 0;
        loop {
            let passage = self.in_time(self.means.gate.enter()).await?;
            let began = Instant::now();
            let result = match self.means.purse.in_grace(self.means.send(&request)).await {
                Ok(result) => result,
                Err(why) => {
                    // Sent, and given up: perhaps paid.
                    reserved.settle(&Usage::default());
                    return Err(why.into());
                }
            };
            sent += 1;
            let wait = match result {
                Ok(mut answer) if is_reply(&answer) => {
                    passage.answered(used_up(&answer, client.clock().now()));
                    drop(passage);
                    answer.attempts = sent;
                    return self.keep(&bytes, key, draw, &answer, began.elapsed(), reserved).await;
                }
                Ok(mut answer) => {
                    answer.attempts = sent;
                    let (fault, error) = self.route.fault(&answer, client.clock().now());
                    match fault {
                        Fault::Limited(pause) => {
                            let give_up = passage.refused(pause);
                            give_up.map_err(|why| self.exhausted(why.0))?;
                            continue;
                        }
                        Fault::Passing(pause) if failures + 1 < ATTEMPTS => {
                            if matches!(answer.status, 408 | 502 | 504 | 524) {
                                // A gateway gave up; behind it the call may have been answered and paid.
                                reserved.settle(&Usage::default());
                                reserved = self.reserve(&worst).await?;
                            }
                            pause
                        }
                        Fault::Refused => {
                            let (mut record, _) = self.route.record(&bytes, key, draw, &answer);
                            (record.took_ms, record.at) = (millis(began.elapsed()), now());
                            calls.keep(record).await?;
                            return Err(error);
                        }
                        Fault::Passing(_) | Fault::Final => return Err(error),
                    }
                }
                Err(HttpError::Failed { url, why, attempts }) => {
                    if attempts > 0 {
                        // Perhaps answered and paid, though nothing whole came back.
                        reserved.settle(&Usage::default());
                        reserved = self.reserve(&worst).await?;
                    }
                    if failures + 1 == ATTEMPTS {
                        return Err(HttpError::Failed { url, why, attempts: sent }.into());
                    }
                    None
                }
                Err(HttpError::TooLong { .. } | HttpError::Bomb { .. }) => {
                    // Paid, and larger than any reply: on record as one that says nothing, so that it is not paid again.
                    drop(passage);
                    let nothing = Answer {
                        status: 200,
                        headers: Vec::new(),
                        body: Vec::new(),
                        attempts: sent,
                        url: request.url.clone(),
                    };
                    return self.keep(&bytes, key, draw, &nothing, began.elapsed(), reserved).await;
                }
                Err(error) => {
                    reserved.settle(&Usage::default());
                    return Err(error.into());
                }
            };
            drop(passage);
            let own = back_off(failures, BACK_OFF, LONGEST_WAIT, jitter(&key));
            failures += 1;
            let wait = wait.unwrap_or(own);
            if wait > LONGEST_WAIT {
                return Err(self.exhausted(format!("the server asks for a pause of {} s", wait.as_secs())));
            }
            self.in_time(client.pause(wait)).await??;
        }
    }

    /// Waits for what comes before the call is sent, while there is time and nobody stops the run.
    async fn in_time<T>(&self, wait: impl Future<Output = T>) -> Result<T, ModelError> {
        Ok(self.means.purse.in_time(wait).await?)
    }

    /// Books a reply that was paid for and journals it, readable or not, before it is used.
    async fn keep(
        &self,
        request: &[u8],
        key: CallKey,
        draw: &str,
        answer: &Answer,
        took: Duration,
        reserved: Reserved<'_>,
    ) -> Result<Answered, ModelError> {
        let (mut record, read) = self.route.record(request, key, draw, answer);
        (record.took_ms, record.at) = (millis(took), (self.means.now)());
        reserved.settle(&record.usage);
        self.means.calls.keep(record).await?;
        read
    }

    fn message(&self, bytes: &[u8]) -> Request {
        Request {
            headers: self.route.dialect.headers(),
            secret: self.means.key.clone().map(|key| self.route.dialect.secret(key)),
            body: Some(bytes.to_vec()),
            ..Request::get(self.route.address.clone())
        }
    }

    async fn reserve(&self, worst: &Usage) -> Result<Reserved<'_>, ModelError> {
        Ok(self.means.purse.reserve(&self.route.name, worst, false).await?)
    }

    fn exhausted(&self, why: String) -> ModelError {
        ModelError::Exhausted { address: self.route.address.clone(), why }
    }
}

impl LanguageModel for Served {
    fn name(&self) -> &ModelName {
        &self.route.name
    }

    fn ask<'a>(&'a self, ask: &'a Ask, draw: &'a str) -> Asking<'a> {
        Box::pin(self.call(ask, draw))
    }
}

/// A model whose every reply is on record already: `--offline`, and audits.
#[derive(Debug, Clone)]
pub struct Recorded {
    route: Route,
    calls: Calls,
}

impl Recorded {
    /// The model that was reached by this route, from its journal alone.
    pub fn new(route: Route, calls: Calls) -> Self {
        Self { route, calls }
    }
}

impl LanguageModel for Recorded {
    fn name(&self) -> &ModelName {
        &self.route.name
    }

    fn ask<'a>(&'a self, ask: &'a Ask, draw: &'a str) -> Asking<'a> {
        let (_, key) = self.route.request(ask, draw);
        let found = self.route.replay(&self.calls, &key, true);
        let none = || Err(ModelError::NotOnRecord { draw: draw.to_string() });
        Box::pin(std::future::ready(found.unwrap_or_else(none)))
    }
}

/// Tokens a call can cost at worst: every byte of the request a token, and the longest reply.
pub(super) fn worst_case(request: &[u8], cap: u32) -> Usage {
    Usage { prompt: Some(request.len() as u64), reply: Some(u64::from(cap)), ..Usage::default() }
}

/// Calls that fail together are not sent again together.
fn jitter(key: &CallKey) -> u64 {
    key.digest().as_bytes().iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte))
}

fn millis(took: Duration) -> u64 {
    u64::try_from(took.as_millis()).unwrap_or(u64::MAX)
}
