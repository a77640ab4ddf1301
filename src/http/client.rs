//! The client: one request at a time through permit, pace, back-off; every answer bounded in size and time.

use super::{RedirectRefused, Secret, UnzipError, back_off, redirect, retry_after, retry_after_ms, unzip};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};
use tokio::sync::{OwnedMutexGuard, Semaphore};
use tokio::time::Instant;

/// Manners towards one host.
#[derive(Debug, Clone, PartialEq)]
pub struct Policy {
    /// Requests in flight at most.
    pub in_flight: usize,
    /// Least time between the starts of two requests.
    pub pace: Duration,
    /// Longest time for one request, connection and body included.
    pub timeout: Duration,
    /// Longest body, after decompression, in bytes.
    pub max_bytes: usize,
    /// How often a request is sent at most.
    pub attempts: u32,
    /// Shortest wait before the second attempt; doubled each time.
    pub back_off: Duration,
    /// Longest wait between two attempts. A server that asks for more is not asked again.
    pub longest_wait: Duration,
    /// Seed of the jitter.
    pub seed: u64,
    /// Hosts to which a redirect may lead, besides the one that was asked.
    pub allowed_hosts: Vec<String>,
}

impl Default for Policy {
    /// One request per host and second.
    fn default() -> Self {
        Self {
            in_flight: 1,
            pace: Duration::from_secs(1),
            timeout: Duration::from_secs(120),
            max_bytes: 64 << 20,
            attempts: 5,
            back_off: Duration::from_secs(1),
            longest_wait: Duration::from_secs(120),
            seed: 0,
            allowed_hosts: Vec::new(),
        }
    }
}

/// A request. The secret goes into the header it is named for, and nowhere else.
#[derive(Debug, Clone)]
pub struct Request {
    /// Absolute address.
    pub url: String,
    /// Headers.
    pub headers: Vec<(String, String)>,
    /// Header name, prefix (`Bearer `) and secret.
    pub secret: Option<(String, String, Secret)>,
    /// Body; a request with one is a POST, without one a GET.
    pub body: Option<Vec<u8>>,
}

impl Request {
    /// A number that differs between requests, so that those that fail together are not sent again together
    /// (FNV-1a, 64 bits, of address and body).
    fn fingerprint(&self) -> u64 {
        let bytes = self.url.bytes().chain(self.body.iter().flatten().copied());
        bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    }
}

/// An answer, whole, whatever its status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// HTTP status.
    pub status: u16,
    /// Headers, names in lower case, in order.
    pub headers: Vec<(String, String)>,
    /// Body, decompressed.
    pub body: Vec<u8>,
    /// How often the request was sent.
    pub attempts: u32,
    /// The address that answered: the one asked, or where it redirected to.
    pub url: String,
}

impl Answer {
    /// A header by its lower-case name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }
}

/// Why no usable answer came.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HttpError {
    /// The address is none.
    #[error("`{0}` is no http(s) address")]
    Address(String),
    /// Connection, time-out, or a body that was cut.
    #[error("{url}: {why} (sent {attempts} times)")]
    Failed {
        /// The address, without its query.
        url: String,
        /// What went wrong.
        why: String,
        /// How often it was sent.
        attempts: u32,
    },
    /// The body is longer than allowed.
    #[error("{url}: the body is longer than {max} bytes")]
    TooLong {
        /// The address, without its query.
        url: String,
        /// The bound.
        max: usize,
    },
    /// The body grows beyond all measure when it is decompressed.
    #[error("{url}: {why}")]
    Bomb {
        /// The address, without its query.
        url: String,
        /// How much is too much.
        why: UnzipError,
    },
    /// A redirect that is not followed.
    #[error("{url} redirects, and {why}")]
    Redirect {
        /// The address that redirects, without its query.
        url: String,
        /// Why it is not followed.
        why: RedirectRefused,
    },
    /// Redirects without end.
    #[error("{url}: more than {MOST_REDIRECTS} redirects")]
    Loop {
        /// The address that was asked first, without its query.
        url: String,
    },
}

/// How many redirects are followed, one after the other.
const MOST_REDIRECTS: usize = 8;

struct Host {
    permits: Semaphore,
    /// When the next request may start.
    next: Mutex<Option<Instant>>,
}

impl Host {
    /// Lets no request start before `wait` is over.
    fn pause(&self, wait: Duration) {
        let until = Instant::now() + wait;
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        *next = Some(next.map_or(until, |at| at.max(until)));
    }

    /// Waits for this request's turn.
    async fn turn(&self, pace: Duration) {
        let start = {
            let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
            let now = Instant::now();
            let start = next.map_or(now, |at| at.max(now));
            *next = if pace.is_zero() { next.filter(|at| *at > now) } else { Some(start + pace) };
            (start > now).then_some(start)
        };
        if let Some(start) = start {
            tokio::time::sleep_until(start).await;
        }
    }
}

/// A client with manners. Cheap to clone; all clones share connections, permits and pace.
#[derive(Clone)]
pub struct Client {
    inner: reqwest::Client,
    policy: Arc<Policy>,
    hosts: Arc<Mutex<BTreeMap<String, Arc<Host>>>>,
    /// What is being asked for, so that nobody asks for it twice at once.
    busy: Arc<Mutex<BTreeMap<String, Arc<tokio::sync::Mutex<()>>>>>,
    now: fn() -> SystemTime,
}

impl Client {
    /// A client with one policy for every host. `now` tells the time for `Retry-After` dates.
    ///
    /// # Errors
    /// [`HttpError::Failed`] if the TLS roots cannot be loaded.
    pub fn new(user_agent: &str, policy: Policy, now: fn() -> SystemTime) -> Result<Self, HttpError> {
        let inner = reqwest::Client::builder()
            .user_agent(user_agent)
            .timeout(policy.timeout)
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .pool_max_idle_per_host(policy.in_flight)
            .tcp_nodelay(true)
            .build()
            .map_err(|e| HttpError::Failed { url: String::new(), why: chain(&e), attempts: 0 })?;
        Ok(Self { inner, policy: Arc::new(policy), hosts: Arc::default(), busy: Arc::default(), now })
    }

    /// Sends a request until it gets an answer that need not be asked again: any status but 408, 409, 425,
    /// 429, 500, 502, 503, 504 and 529, or the last of the attempts. Redirects are not followed.
    ///
    /// # Errors
    /// [`HttpError`] if no answer came, or one that was cut or too long.
    pub async fn send(&self, request: &Request) -> Result<Answer, HttpError> {
        let url = reqwest::Url::parse(&request.url).map_err(|_| HttpError::Address(bare(&request.url)))?;
        let host = url.host_str().map(|h| format!("{h}:{}", url.port_or_known_default().unwrap_or(0)));
        let host = self.host(&host.ok_or_else(|| HttpError::Address(bare(&request.url)))?);
        let jitter = self.policy.seed ^ request.fingerprint();
        let own_wait = |attempt| back_off(attempt - 1, self.policy.back_off, self.policy.longest_wait, jitter);
        let mut attempt = 0;
        loop {
            attempt += 1;
            let result = {
                let _permit = host.permits.acquire().await;
                host.turn(self.policy.pace).await;
                self.once(request, url.clone()).await
            };
            let last = attempt >= self.policy.attempts;
            let at = || bare(&request.url);
            let wait = match result {
                Ok(mut answer) => {
                    answer.attempts = attempt;
                    let asked = self.wait_asked(&answer);
                    let wait = asked.unwrap_or_else(|| own_wait(attempt));
                    if last || !worth_retrying(&answer) || wait > self.policy.longest_wait {
                        return Ok(answer);
                    }
                    if asked.is_some() {
                        host.pause(wait); // what the server asks of one request it asks of all
                    }
                    wait
                }
                Err(Trouble::TooLong) => return Err(HttpError::TooLong { url: at(), max: self.policy.max_bytes }),
                Err(Trouble::Bomb(why)) => return Err(HttpError::Bomb { url: at(), why }),
                Err(Trouble::Broken(why)) if last => {
                    return Err(HttpError::Failed { url: at(), why, attempts: attempt });
                }
                Err(Trouble::Unsendable(why)) => return Err(HttpError::Failed { url: at(), why, attempts: 0 }),
                Err(Trouble::Broken(_)) => own_wait(attempt),
            };
            tokio::time::sleep(wait).await;
        }
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
            let Some(location) = answer.header("location").filter(|_| matches!(answer.status, 301..=303 | 307 | 308))
            else {
                return Ok(answer);
            };
            let to = redirect(&request.url, answer.status, location, &self.policy.allowed_hosts)
                .map_err(|why| HttpError::Redirect { url: bare(&request.url), why })?;
            if host_of(&to) != host_of(&request.url) {
                request.secret = None;
            }
            if !matches!(answer.status, 307 | 308) {
                request.body = None;
            }
            request.url = to;
        }
        Err(HttpError::Loop { url: bare(&first) })
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

    async fn once(&self, request: &Request, url: reqwest::Url) -> Result<Answer, Trouble> {
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
        let sent = builder.build().map_err(|e| Trouble::Unsendable(chain(&e)))?;
        let mut response = self.inner.execute(sent).await.map_err(|e| Trouble::Broken(chain(&e)))?;
        let status = response.status().as_u16();
        let mut headers: Vec<(String, String)> = response
            .headers()
            .iter()
            .map(|(n, v)| (n.as_str().to_string(), String::from_utf8_lossy(v.as_bytes()).into_owned()))
            .collect();
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|e| Trouble::Broken(chain(&e)))? {
            if body.len() + chunk.len() > self.policy.max_bytes {
                return Err(Trouble::TooLong);
            }
            body.extend_from_slice(&chunk);
        }
        let zipped = |(name, value): &(String, String)| name == "content-encoding" && value.contains("gzip");
        if headers.iter().any(zipped) && !body.is_empty() {
            body = unzip(&body, self.policy.max_bytes)?;
            headers.retain(|(name, _)| name != "content-encoding" && name != "content-length");
        }
        Ok(Answer { status, headers, body, attempts: 1, url: request.url.clone() })
    }

    /// The wait that the server asks for.
    fn wait_asked(&self, answer: &Answer) -> Option<Duration> {
        let ms = answer.header("retry-after-ms").and_then(|v| retry_after_ms(v).ok());
        ms.or_else(|| answer.header("retry-after").and_then(|v| retry_after(v, (self.now)()).ok()))
    }

    fn host(&self, name: &str) -> Arc<Host> {
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        let make = || Arc::new(Host { permits: Semaphore::new(self.policy.in_flight.max(1)), next: Mutex::default() });
        hosts.entry(name.to_string()).or_insert_with(make).clone()
    }
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client").field("policy", &self.policy).finish_non_exhaustive()
    }
}

enum Trouble {
    /// No whole answer; the next may be.
    Broken(String),
    /// The request is none.
    Unsendable(String),
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

fn host_of(url: &str) -> Option<String> {
    reqwest::Url::parse(url).ok()?.host_str().map(str::to_string)
}

/// Statuses after which the same request may succeed. A 429 for lack of money never will.
fn worth_retrying(answer: &Answer) -> bool {
    matches!(answer.status, 408 | 409 | 425 | 429 | 500 | 502 | 503 | 504 | 529)
        && !(answer.status == 429 && answer.body.windows(18).any(|w| w == b"insufficient_quota"))
}

/// The address without its query, which may hold a key.
fn bare(url: &str) -> String {
    url.split(['?', '#']).next().unwrap_or_default().to_string()
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
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    /// Serves one canned answer per connection, then the last one again; gives the address.
    async fn serve(answers: Vec<&'static str>) -> String {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}/", listener.local_addr().unwrap());
        tokio::spawn(async move {
            let mut next = 0;
            while let Ok((mut socket, _)) = listener.accept().await {
                let mut seen = [0; 4096];
                let _ = socket.read(&mut seen).await;
                let _ = socket.write_all(answers[next.min(answers.len() - 1)].as_bytes()).await;
                next += 1;
            }
        });
        address
    }

    fn client(attempts: u32) -> Client {
        let policy = Policy {
            pace: Duration::ZERO,
            attempts,
            back_off: Duration::from_millis(1),
            max_bytes: 100,
            ..Policy::default()
        };
        Client::new("test", policy, SystemTime::now).unwrap()
    }

    fn get(url: String) -> Request {
        Request { url, headers: Vec::new(), secret: None, body: None }
    }

    const OK: &str = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok";

    #[tokio::test]
    async fn a_busy_server_is_asked_again() {
        let busy = "HTTP/1.1 429 Busy\r\nretry-after-ms: 1\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
        let url = serve(vec![busy, busy, OK]).await;
        let answer = client(5).send(&get(url)).await.unwrap();
        assert_eq!((answer.status, answer.attempts, answer.body.as_slice()), (200, 3, b"ok".as_slice()));
    }

    #[tokio::test]
    async fn a_cut_body_is_no_answer() {
        let cut = "HTTP/1.1 200 OK\r\ncontent-length: 20\r\nconnection: close\r\n\r\nhalf";
        let error = client(2).send(&get(serve(vec![cut]).await)).await.unwrap_err();
        assert!(matches!(error, HttpError::Failed { attempts: 2, .. }), "{error}");
    }

    #[tokio::test]
    async fn a_lack_of_money_is_final_and_a_long_body_refused() {
        let broke = "HTTP/1.1 429 No\r\ncontent-length: 18\r\nconnection: close\r\n\r\ninsufficient_quota";
        assert_eq!(client(5).send(&get(serve(vec![broke]).await)).await.unwrap().attempts, 1);
        let long = "HTTP/1.1 200 OK\r\ncontent-length: 200\r\nconnection: close\r\n\r\n\
            xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";
        let error = client(1).send(&get(serve(vec![long]).await)).await.unwrap_err();
        assert!(matches!(error, HttpError::TooLong { max: 100, .. }), "{error}");
    }

    #[tokio::test]
    async fn redirects_are_followed_within_the_host_and_loops_end() {
        let there = "HTTP/1.1 303 See\r\nlocation: /there\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
        let url = serve(vec![there, OK]).await;
        let answer = client(1).follow(&get(url.clone())).await.unwrap();
        assert_eq!((answer.status, answer.url), (200, format!("{url}there")));
        let error = client(1).follow(&get(serve(vec![there]).await)).await.unwrap_err();
        assert!(matches!(error, HttpError::Loop { .. }), "{error}");
        let away =
            "HTTP/1.1 302 Away\r\nlocation: https://example.com/\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
        let error = client(1).follow(&get(serve(vec![away]).await)).await.unwrap_err();
        assert!(matches!(error, HttpError::Redirect { .. }), "{error}");
    }

    #[tokio::test]
    async fn one_at_a_time_is_busy_with_a_name() {
        let client = client(1);
        let first = client.alone("a").await;
        let _other = client.alone("b").await;
        let wait = tokio::time::timeout(Duration::from_millis(20), client.alone("a")).await;
        assert!(wait.is_err());
        drop(first);
        let _second = client.alone("a").await;
    }

    #[tokio::test]
    async fn starts_keep_their_pace_and_a_pause_holds_all() {
        let host = Host { permits: Semaphore::new(1), next: Mutex::default() };
        let began = Instant::now();
        for _ in 0..4 {
            host.turn(Duration::from_millis(20)).await;
        }
        assert!(began.elapsed() >= Duration::from_millis(60));
        host.pause(Duration::from_millis(100));
        let paused = Instant::now();
        host.turn(Duration::ZERO).await;
        assert!(paused.elapsed() >= Duration::from_millis(100));
    }

    #[tokio::test]
    async fn sixty_four_in_flight_share_their_connections() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        let connections = Arc::new(std::sync::atomic::AtomicUsize::new(0));
        let counted = connections.clone();
        tokio::spawn(async move {
            while let Ok((mut socket, _)) = listener.accept().await {
                counted.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
                tokio::spawn(async move {
                    let mut seen = [0; 4096];
                    while socket.read(&mut seen).await.is_ok_and(|n| n > 0) {
                        tokio::time::sleep(Duration::from_millis(2)).await;
                        let _ = socket.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok").await;
                    }
                });
            }
        });
        let policy = Policy { pace: Duration::ZERO, in_flight: 64, ..Policy::default() };
        let client = Client::new("test", policy, SystemTime::now).unwrap();
        let request = Request { body: Some(b"{}".to_vec()), ..get(url) };
        let all = futures_util::future::join_all((0..640).map(|_| client.send(&request))).await;
        assert!(all.iter().all(|answer| answer.as_ref().is_ok_and(|a| a.body == b"ok")));
        assert!(connections.load(std::sync::atomic::Ordering::SeqCst) <= 64);
    }

    #[test]
    fn secrets_do_not_show() {
        let request = Request {
            url: "http://127.0.0.1/".to_string(),
            headers: Vec::new(),
            secret: Some(("authorization".to_string(), "Bearer ".to_string(), Secret::new("s3cr3t\n"))),
            body: None,
        };
        assert!(!format!("{request:?}").contains("s3cr3t"));
    }
}
