//! The client: one request at a time through permit, pace, back-off; every answer bounded in size and time.

use super::{Secret, back_off, retry_after, retry_after_ms};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};
use tokio::sync::Semaphore;

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
}

struct Host {
    permits: Semaphore,
    next: tokio::sync::Mutex<Option<Instant>>,
}

/// A client with manners. Cheap to clone; all clones share connections, permits and pace.
#[derive(Clone)]
pub struct Client {
    inner: reqwest::Client,
    policy: Arc<Policy>,
    hosts: Arc<Mutex<BTreeMap<String, Arc<Host>>>>,
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
        Ok(Self { inner, policy: Arc::new(policy), hosts: Arc::default(), now })
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
        let mut attempt = 0;
        loop {
            attempt += 1;
            let result = {
                let _permit = host.permits.acquire().await;
                self.keep_pace(&host).await;
                self.once(request, url.clone()).await
            };
            let last = attempt >= self.policy.attempts;
            match result {
                Ok(mut answer) => {
                    answer.attempts = attempt;
                    if last || !worth_retrying(&answer) {
                        return Ok(answer);
                    }
                    let wait = self.wait_for(&answer, attempt);
                    if wait > self.policy.longest_wait {
                        return Ok(answer);
                    }
                    tokio::time::sleep(wait).await;
                }
                Err(Trouble::TooLong) => {
                    return Err(HttpError::TooLong { url: bare(&request.url), max: self.policy.max_bytes });
                }
                Err(Trouble::Broken(why)) if last => {
                    return Err(HttpError::Failed { url: bare(&request.url), why, attempts: attempt });
                }
                Err(Trouble::Broken(_)) => tokio::time::sleep(self.own_wait(attempt)).await,
            }
        }
    }

    async fn once(&self, request: &Request, url: reqwest::Url) -> Result<Answer, Trouble> {
        let mut builder = match &request.body {
            Some(body) => self.inner.post(url).body(body.clone()),
            None => self.inner.get(url),
        };
        for (name, value) in &request.headers {
            builder = builder.header(name, value);
        }
        if let Some((name, prefix, secret)) = &request.secret {
            let mut value = reqwest::header::HeaderValue::from_str(&format!("{prefix}{}", secret.reveal()))
                .map_err(|_| Trouble::Broken("the key holds a character that no header may hold".to_string()))?;
            value.set_sensitive(true);
            builder = builder.header(name, value);
        }
        let mut response = builder.send().await.map_err(|e| Trouble::Broken(chain(&e)))?;
        let status = response.status().as_u16();
        let headers = response
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
        Ok(Answer { status, headers, body, attempts: 1 })
    }

    fn wait_for(&self, answer: &Answer, attempt: u32) -> Duration {
        let ms = answer.header("retry-after-ms").and_then(|v| retry_after_ms(v).ok());
        let asked = ms.or_else(|| answer.header("retry-after").and_then(|v| retry_after(v, (self.now)()).ok()));
        asked.unwrap_or_else(|| self.own_wait(attempt))
    }

    fn own_wait(&self, attempt: u32) -> Duration {
        back_off(attempt - 1, self.policy.back_off, self.policy.longest_wait, self.policy.seed)
    }

    async fn keep_pace(&self, host: &Host) {
        if self.policy.pace.is_zero() {
            return;
        }
        let mut next = host.next.lock().await;
        let now = Instant::now();
        let start = next.map_or(now, |at| at.max(now));
        *next = Some(start + self.policy.pace);
        drop(next);
        tokio::time::sleep_until(start.into()).await;
    }

    fn host(&self, name: &str) -> Arc<Host> {
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        let make = || {
            Arc::new(Host {
                permits: Semaphore::new(self.policy.in_flight.max(1)),
                next: tokio::sync::Mutex::default(),
            })
        };
        hosts.entry(name.to_string()).or_insert_with(make).clone()
    }
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client").field("policy", &self.policy).finish_non_exhaustive()
    }
}

enum Trouble {
    Broken(String),
    TooLong,
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
