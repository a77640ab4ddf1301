//! The client: guard, permit, back-off, pace, request; every answer bounded in size and time, and held to its headers.

use super::error::MOST_REDIRECTS;
use super::host::{Heard, Host};
use super::message::bare;
use super::{Allowance, Answer, Clock, HttpError, NotWhole, Policy, Request, Robots, UnzipError};
use super::{back_off, challenge, redirect, retry_after, retry_after_ms, same_host, unzip, whole};
use reqwest::Url;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::OwnedMutexGuard;
use tokio::time::Instant;

/// A client with manners. Cheap to clone; all clones share connections, permits, pace and what the hosts said.
#[derive(Clone)]
pub struct Client {
    inner: reqwest::Client,
    user_agent: Arc<str>,
    policy: Arc<Policy>,
    hosts: Arc<Mutex<BTreeMap<String, Arc<Host>>>>,
    /// What is being asked for, so that nobody asks for it twice at once.
    busy: Arc<Mutex<BTreeMap<String, Arc<tokio::sync::Mutex<()>>>>>,
    clock: Clock,
    allowance: Allowance,
}

impl Client {
    /// A client with one policy for every host. Pace, back-off and the dates of `Retry-After` go by the clock.
    ///
    /// # Errors
    /// [`HttpError::Failed`] if the TLS roots cannot be loaded.
    pub fn new(user_agent: &str, policy: Policy, clock: Clock) -> Result<Self, HttpError> {
        let inner = reqwest::Client::builder()
            .user_agent(user_agent)
            .timeout(policy.timeout)
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .pool_max_idle_per_host(policy.in_flight)
            .tcp_nodelay(true)
            .build()
            .map_err(|e| HttpError::Failed { url: String::new(), why: chain(&e), attempts: 0 })?;
        let (hosts, busy) = (Arc::default(), Arc::default());
        Ok(Self {
            inner,
            user_agent: user_agent.into(),
            policy: Arc::new(policy),
            hosts,
            busy,
            clock,
            allowance: Allowance::default(),
        })
    }

    /// The same, sending no more than it is allowed. Clones made from now on share the allowance.
    #[must_use]
    pub fn within(self, allowance: Allowance) -> Self {
        Self { allowance, ..self }
    }

    /// The hosts to which a redirect, or a link to a part of a document, may lead besides the one that was asked.
    pub fn allowed_hosts(&self) -> &[String] {
        &self.policy.allowed_hosts
    }

    /// Waits until nobody else in this process is busy with `name` (an address, a key), and keeps others waiting
    /// until the guard is dropped: who asks second looks into the cache first.
    pub async fn alone(&self, name: &str) -> OwnedMutexGuard<()> {
        let lock = {
            let mut busy = self.busy.lock().unwrap_or_else(PoisonError::into_inner);
            busy.retain(|_, lock| Arc::strong_count(lock) > 1);
            busy.entry(name.to_string()).or_default().clone()
        };
        lock.lock_owned().await
    }

    /// Sends a request, if the host's robots.txt allows it, until it gets an answer that need not be asked again: any
    /// status but 202, 408, 409, 425, 429, 500, 502, 503, 504 and 529, one that the request holds for settled, or the last
    /// of the attempts. Redirects are not followed.
    ///
    /// A permit is held only while a request waits for its turn and is under way: one that failed waits its back-off
    /// out beside the line. Where the host as such asks for a pause (429, 503, 529), all its requests wait.
    ///
    /// # Errors
    /// [`HttpError`] if no answer came, or one that was cut, too long or a challenge; or if the host may not be asked.
    pub async fn send(&self, request: &Request) -> Result<Answer, HttpError> {
        let no_address = || HttpError::Address(bare(&request.url));
        let url = Url::parse(&request.url).map_err(|_| no_address())?;
        let host = self.host(&url).ok_or_else(no_address)?;
        let mut pace = self.policy.pace;
        if self.policy.robots {
            let rules = self.rules(&host, &url).await?;
            let path = url.query().map_or_else(|| url.path().to_string(), |query| format!("{}?{query}", url.path()));
            if !rules.allows(&path) {
                return Err(HttpError::Disallowed { url: bare(&request.url) });
            }
            pace = pace.max(rules.delay().unwrap_or_default());
        }
        self.ask(&host, request, &url, pace).await
    }

    /// As [`send`](Self::send), going on where the answer redirects to: to the same host, or one that the policy
    /// allows. A secret goes only to the host it was meant for.
    ///
    /// # Errors
    /// As `send`; [`HttpError::Redirect`] and [`HttpError::Loop`].
    pub async fn follow(&self, request: &Request) -> Result<Answer, HttpError> {
        let mut request = request.clone();
        let first = request.url.clone();
        for _ in 0..=MOST_REDIRECTS {
            let answer = self.send(&request).await?;
            let Some(to) = self.onward(&request.url, &answer)? else { return Ok(answer) };
            // What a redirect asks for is a pause before the address it leads to (RFC 9110, section 10.2.3).
            let wait = self.wait_asked(&answer).unwrap_or_default();
            if wait > self.policy.longest_wait {
                return Ok(answer);
            }
            self.allowance.sleep(self.clock.lasts(wait)).await?;
            if !same_host(&to, &request.url) {
                request.secret = None;
            }
            if !matches!(answer.status, 307 | 308) {
                request.body = None;
            }
            request.url = to;
        }
        Err(HttpError::Loop { url: bare(&first) })
    }

    /// Where an answer redirects to, if it does.
    fn onward(&self, from: &str, answer: &Answer) -> Result<Option<String>, HttpError> {
        let Some(location) = answer.location() else { return Ok(None) };
        let to = redirect(from, answer.status, location, &self.policy.allowed_hosts);
        to.map(Some).map_err(|why| HttpError::Redirect { url: bare(from), why })
    }

    /// The rules of a host: asked for before its first request, kept from then on. Where they cannot be had nothing is
    /// allowed, and they are asked for again once the longest wait has passed.
    async fn rules(&self, host: &Host, url: &Url) -> Result<Arc<Robots>, HttpError> {
        let refused = |why: &str| HttpError::NoRobots { host: host.name.clone(), why: why.to_string() };
        let mut heard = host.robots.lock().await;
        match &*heard {
            Some(Heard::Rules(rules)) => return Ok(rules.clone()),
            Some(Heard::Nothing { why, until }) if *until > Instant::now() => return Err(refused(why)),
            _ => {}
        }
        match self.ask_for_rules(host, url).await {
            Ok(Ok(rules)) => {
                let rules = Arc::new(rules);
                *heard = Some(Heard::Rules(rules.clone()));
                Ok(rules)
            }
            Ok(Err(why)) => {
                let error = refused(&why);
                let until = Instant::now() + self.clock.lasts(self.policy.longest_wait);
                *heard = Some(Heard::Nothing { why, until });
                Err(error)
            }
            Err(error) => Err(error),
        }
    }

    /// Asks for robots.txt: its rules, or why there are none to go by. A status of 400 to 499 means that the host has
    /// none and allows everything, but for 429, which is a server in need of a pause (RFC 9309, section 2.3.1).
    async fn ask_for_rules(&self, host: &Host, url: &Url) -> Result<Result<Robots, String>, HttpError> {
        let mut address = url.clone();
        address.set_path("/robots.txt");
        address.set_query(None);
        address.set_fragment(None);
        for _ in 0..=MOST_REDIRECTS {
            let request = Request::get(address.as_str());
            let on = self.host(&address);
            let answer = match self.ask(on.as_deref().unwrap_or(host), &request, &address, self.policy.pace).await {
                Ok(answer) => answer,
                Err(error) if error.of_host() => return Err(error),
                Err(error) => return Ok(Err(error.to_string())),
            };
            match self.onward(&request.url, &answer) {
                Ok(Some(to)) => address = Url::parse(&to).map_err(|_| HttpError::Address(bare(&to)))?,
                Ok(None) => return Ok(rules_of(&answer, &self.user_agent)),
                Err(error) => return Ok(Err(error.to_string())),
            }
        }
        Ok(Err("redirects without end".to_string()))
    }

    /// Sends until an answer comes that need not be asked again.
    async fn ask(&self, host: &Host, request: &Request, url: &Url, pace: Duration) -> Result<Answer, HttpError> {
        let Policy { attempts, longest_wait, .. } = *self.policy;
        let mut attempt = 0;
        loop {
            attempt += 1;
            let at = || bare(&request.url);
            let result = {
                host.open(longest_wait, self.clock)?;
                let _permit = host.permits.acquire().await;
                host.turn(pace, longest_wait, self.clock, &self.allowance).await?;
                self.allowance.take()?;
                self.once(request, url.clone()).await
            };
            let last = attempt >= attempts;
            let wait = match result {
                Ok(mut answer) => {
                    answer.attempts = attempt;
                    if challenge(answer.status, &answer.headers, &answer.body) {
                        return Err(host.stop(answer.status));
                    }
                    if !worth_retrying(&answer) || request.settled.is_some_and(|settled| settled(&answer)) {
                        return Ok(answer);
                    }
                    let asked = self.wait_asked(&answer);
                    let wait = asked.unwrap_or_else(|| self.own_wait(attempt, request));
                    if matches!(answer.status, 429 | 503 | 529) {
                        host.rest(wait, self.clock); // what the host asks of one request it asks of all
                    }
                    if last || wait > longest_wait {
                        return Ok(answer);
                    }
                    wait
                }
                Err(Trouble::TooLong) => return Err(HttpError::TooLong { url: at(), max: self.policy.max_bytes }),
                Err(Trouble::TooSlow(within)) => {
                    return Err(HttpError::TooSlow { url: at(), seconds: within.as_secs() });
                }
                Err(Trouble::Bomb(why)) => return Err(HttpError::Bomb { url: at(), why }),
                Err(Trouble::Broken(why) | Trouble::Unreached(why)) if last => {
                    return Err(HttpError::Failed { url: at(), why, attempts: attempt });
                }
                Err(Trouble::Unsendable(why)) => return Err(HttpError::Failed { url: at(), why, attempts: 0 }),
                Err(Trouble::Broken(_) | Trouble::Unreached(_)) => self.own_wait(attempt, request),
            };
            self.allowance.sleep(self.clock.lasts(wait)).await?;
        }
    }

    /// Sends a request once and gives whatever answer comes: for a caller who has attempts and limits of his own. Of
    /// the policy only the bounds on size and time hold.
    ///
    /// # Errors
    /// [`HttpError`] if no whole answer came; [`HttpError::Failed`] with no attempt where nothing was sent.
    pub async fn send_once(&self, request: &Request) -> Result<Answer, HttpError> {
        let at = || bare(&request.url);
        let url = Url::parse(&request.url).map_err(|_| HttpError::Address(at()))?;
        self.allowance.take()?;
        self.once(request, url).await.map_err(|trouble| match trouble {
            Trouble::TooLong => HttpError::TooLong { url: at(), max: self.policy.max_bytes },
            Trouble::TooSlow(within) => HttpError::TooSlow { url: at(), seconds: within.as_secs() },
            Trouble::Bomb(why) => HttpError::Bomb { url: at(), why },
            Trouble::Broken(why) => HttpError::Failed { url: at(), why, attempts: 1 },
            Trouble::Unsendable(why) | Trouble::Unreached(why) => HttpError::Failed { url: at(), why, attempts: 0 },
        })
    }

    /// Waits as long as a pause of `told` lasts by the clock, if nothing halts the client meanwhile.
    ///
    /// # Errors
    /// [`HttpError::Halted`].
    pub async fn pause(&self, told: Duration) -> Result<(), HttpError> {
        self.allowance.sleep(self.clock.lasts(told)).await
    }

    /// The clock that pauses go by.
    pub fn clock(&self) -> Clock {
        self.clock
    }

    /// The wait after an attempt where the server asks for none.
    fn own_wait(&self, attempt: u32, request: &Request) -> Duration {
        let jitter = self.policy.seed ^ request.fingerprint();
        back_off(attempt - 1, self.policy.back_off, self.policy.longest_wait, jitter)
    }

    /// The wait that the server asks for.
    fn wait_asked(&self, answer: &Answer) -> Option<Duration> {
        let ms = answer.header("retry-after-ms").and_then(|v| retry_after_ms(v).ok());
        ms.or_else(|| answer.header("retry-after").and_then(|v| retry_after(v, self.clock.now()).ok()))
    }

    async fn once(&self, request: &Request, url: Url) -> Result<Answer, Trouble> {
        let mut builder = match &request.body {
            Some(body) => self.inner.post(url).body(body.clone()),
            None => self.inner.get(url),
        };
        builder = builder.header("accept-encoding", "gzip");
        for (name, value) in &request.headers {
            builder = builder.header(name, value);
        }
        if let Some((name, prefix, secret)) = &request.secret {
            let mut value = reqwest::header::HeaderValue::from_str(&format!("{prefix}{}", secret.reveal()))
                .map_err(|_| Trouble::Unsendable("the key holds a character that no header may hold".to_string()))?;
            value.set_sensitive(true);
            builder = builder.header(name, value);
        }
        if let Some(within) = request.within {
            builder = builder.timeout(within.min(self.policy.timeout));
        }
        let broken = |error: reqwest::Error| match request.within {
            Some(within) if error.is_timeout() => Trouble::TooSlow(within),
            _ if error.is_connect() => Trouble::Unreached(chain(&error)),
            _ => Trouble::Broken(chain(&error)),
        };
        let sent = builder.build().map_err(|e| Trouble::Unsendable(chain(&e)))?;
        let mut response = self.inner.execute(sent).await.map_err(broken)?;
        let status = response.status().as_u16();
        let headers: Vec<(String, String)> = response
            .headers()
            .iter()
            .map(|(n, v)| (n.as_str().to_string(), String::from_utf8_lossy(v.as_bytes()).into_owned()))
            .collect();
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(broken)? {
            if body.len() + chunk.len() > self.policy.max_bytes {
                return Err(Trouble::TooLong);
            }
            body.extend_from_slice(&chunk);
        }
        let (headers, mut body) = received(status, headers, body, self.policy.max_bytes)?;
        if let Some((_, _, secret)) = &request.secret {
            secret.blot_out(&mut body);
        }
        Ok(Answer { status, headers, body, attempts: 1, url: request.url.clone() })
    }

    fn host(&self, url: &Url) -> Option<Arc<Host>> {
        // http and https on their usual ports are one host, and share its pace.
        let name = url
            .port()
            .map_or_else(|| url.host_str().map(str::to_string), |p| Some(format!("{}:{p}", url.host_str()?)))?;
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        let make = || Arc::new(Host::new(&name, self.policy.in_flight));
        Some(hosts.entry(name.clone()).or_insert_with(make).clone())
    }
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client").field("policy", &self.policy).finish_non_exhaustive()
    }
}

/// What a host's answer to the question for its robots.txt means.
fn rules_of(answer: &Answer, user_agent: &str) -> Result<Robots, String> {
    match answer.status {
        200..=299 => Ok(Robots::parse(&answer.body, user_agent)),
        400..=428 | 430..=499 => Ok(Robots::default()),
        status => Err(format!("status {status}")),
    }
}

type Headers = Vec<(String, String)>;

/// The body as it is read: decompressed, and held to the headers, which lose what spoke of the compressed bytes.
fn received(status: u16, mut headers: Headers, sent: Vec<u8>, max: usize) -> Result<(Headers, Vec<u8>), Trouble> {
    if status == 304 || sent.is_empty() && status == 204 {
        return Ok((headers, Vec::new()));
    }
    let coding = headers.iter().find(|(name, _)| name == "content-encoding");
    let coding = coding.map(|(_, value)| value.trim().to_ascii_lowercase()).unwrap_or_default();
    let read = match coding.as_str() {
        "" | "identity" => None,
        _ if sent.is_empty() => None,
        "gzip" | "x-gzip" => Some(unzip(&sent, max)?),
        other => return Err(NotWhole::Coding(other.chars().take(40).collect()).into()),
    };
    whole(&headers, &sent, read.as_deref().unwrap_or(&sent))?;
    if read.is_some() {
        headers.retain(|(name, _)| name != "content-encoding" && name != "content-length");
    }
    Ok((headers, read.unwrap_or(sent)))
}

enum Trouble {
    /// No whole answer; the next may be.
    Broken(String),
    /// No connection, so nothing was sent; the next attempt may reach it.
    Unreached(String),
    /// The request is none.
    Unsendable(String),
    TooSlow(Duration),
    TooLong,
    Bomb(UnzipError),
}

impl From<UnzipError> for Trouble {
    fn from(error: UnzipError) -> Self {
        match error {
            UnzipError::Broken => Self::Broken(error.to_string()),
            UnzipError::TooLong => Self::TooLong,
            UnzipError::Bomb => Self::Bomb(error),
        }
    }
}

impl From<NotWhole> for Trouble {
    fn from(error: NotWhole) -> Self {
        Self::Broken(error.to_string())
    }
}

/// Statuses after which the same request may succeed. A 429 for lack of money never will.
fn worth_retrying(answer: &Answer) -> bool {
    matches!(answer.status, 202 | 408 | 409 | 425 | 429 | 500 | 502 | 503 | 504 | 529)
        && !(answer.status == 429 && answer.body.windows(18).any(|w| w == b"insufficient_quota"))
}

/// An error with its causes, without the address (reqwest prints it with its query).
fn chain(error: &reqwest::Error) -> String {
    use std::error::Error as _;
    let mut text = match (error.is_timeout(), error.is_connect()) {
        (true, _) => "timed out".to_string(),
        (_, true) => "cannot connect".to_string(),
        _ => "the answer was cut or broken".to_string(),
    };
    let mut cause = error.source();
    while let Some(inner) = cause {
        text = format!("{text}: {inner}");
        cause = inner.source();
    }
    text
}

#[cfg(test)]
mod tests;
