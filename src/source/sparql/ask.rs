//! One query: from the cache, or over the wire and into the cache.

use super::{Query, Sparql, SparqlError};
use crate::cache::{About, Cache, Found, Key};
use crate::http::{Answer, Request};
use crate::law::{Day, Digest, percent_encoded};
use crate::parse::{self, Refused, Results};
use serde::{Deserialize, Serialize};
use std::sync::atomic::Ordering;
use std::time::Duration;

/// An answer to a query.
pub(super) struct Reply {
    /// As it came.
    pub bytes: Vec<u8>,
    /// What it says.
    pub results: Results,
    /// The day on which it was given.
    pub taken: Day,
    /// The most rows that the endpoint gives, where it says that it stopped there.
    pub cap: Option<u64>,
    /// Whether it was held, so that nothing was sent.
    pub held: bool,
}

impl Reply {
    /// How many rows it has.
    pub fn rows(&self) -> u64 {
        self.results.rows.len() as u64
    }
}

/// What may be taken from the cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Take {
    /// Whatever the crawl that runs now may use.
    Held,
    /// What was heard today.
    Today,
    /// Nothing: ask.
    Nothing,
}

/// What is known of the endpoint, kept for the next run.
#[derive(Serialize, Deserialize)]
struct Endpoint {
    row_cap: u64,
}

/// Addresses longer than this are not sure to arrive; the query then goes into the body.
const LONGEST_ADDRESS: usize = 4000;

const JSON: &str = "application/sparql-results+json";

impl Sparql {
    /// The answer to a query: the one held if `whole` says yes to it, else the endpoint's, which is kept if `whole`
    /// says yes to that.
    pub(super) async fn ask(
        &self,
        query: &Query,
        take: Take,
        whole: &(dyn Fn(&Reply) -> bool + Sync),
    ) -> Result<Reply, SparqlError> {
        let key = self.key(query)?;
        let _alone = self.client.alone(key.as_str()).await;
        let from = match take {
            Take::Held => Some(self.since),
            Take::Today => Some(Some(self.today)),
            Take::Nothing => None,
        };
        if let Some(from) = from
            && let Some(reply) = self.held(key.clone(), from).await?.filter(|reply| whole(reply))
        {
            return Ok(reply);
        }
        let reply = self.send(query).await?;
        if whole(&reply) { self.keep_answer(key, reply).await } else { Ok(reply) }
    }

    /// Keeps an answer that turned out to be whole after all.
    pub(super) async fn keep(&self, query: &Query, reply: Reply) -> Result<Reply, SparqlError> {
        self.keep_answer(self.key(query)?, reply).await
    }

    async fn keep_answer(&self, key: Key, reply: Reply) -> Result<Reply, SparqlError> {
        let about = About {
            address: self.address.clone(),
            taken: Some(reply.taken),
            content_type: Some(JSON.to_string()),
            ..About::default()
        };
        Ok(self.blocking(move |cache| cache.put(&key, &reply.bytes, about).map(|_| reply)).await??)
    }

    /// `other/sparql.DIGEST`: which query, sent where.
    fn key(&self, query: &Query) -> Result<Key, SparqlError> {
        named(&format!("sparql.{}", query.digest(&self.address)))
    }

    /// What is held under a key and was heard on a day or after it. A blob that cannot be read is as good as none.
    async fn held(&self, key: Key, from: Option<Day>) -> Result<Option<Reply>, SparqlError> {
        let today = self.today;
        let read = move |cache: &Cache| {
            let Found { entry, bytes } = cache.get(&key).ok().flatten()?;
            if from.is_some_and(|from| entry.about.taken.is_none_or(|taken| taken < from)) {
                return None;
            }
            let results = parse::results(&bytes).ok()?.value;
            Some(Reply { bytes, results, taken: entry.about.taken.unwrap_or(today), cap: None, held: true })
        };
        self.blocking(read).await
    }

    /// Does work with the cache, or much work, beside the runtime.
    pub(super) async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Cache) -> T + Send + 'static,
    ) -> Result<T, SparqlError> {
        let cache = self.cache.clone();
        tokio::task::spawn_blocking(move || work(&cache)).await.map_err(|_| SparqlError::Interrupted)
    }

    async fn send(&self, query: &Query) -> Result<Reply, SparqlError> {
        let asked = || query.name().to_string();
        let answer = self.client.follow(&self.request(query)).await;
        let answer = answer.map_err(|error| SparqlError::Http { asked: asked(), error })?;
        judge(query, &answer)?;
        let cap = answer.header("x-sparql-maxrows").and_then(|rows| rows.trim().parse().ok());
        let bytes = answer.body;
        let (results, bytes) = self.blocking(move |_| (parse::results(&bytes), bytes)).await?;
        let results = results.map_err(|refused| broken(asked(), refused, &bytes))?.value;
        Ok(Reply { bytes, results, taken: self.today, cap, held: false })
    }

    fn request(&self, query: &Query) -> Request {
        let form = format!("query={}&format={}", percent_encoded(query.text()), percent_encoded(JSON));
        let url = format!("{}?{form}", self.address);
        let long = url.len() > LONGEST_ADDRESS;
        let mut request = Request::get(if long { self.address.clone() } else { url }).header("accept", JSON);
        if long {
            request = request.header("content-type", "application/x-www-form-urlencoded");
            request.body = Some(form.into_bytes());
        }
        request.within = Some(Duration::from_secs(self.limits.seconds));
        request
    }

    /// Believes that the endpoint gives no more rows than this, now and in the runs to come.
    pub(super) async fn learn_cap(&self, rows: u64) -> Result<(), SparqlError> {
        if rows == 0 || self.seen_cap.fetch_min(rows, Ordering::Relaxed) <= rows {
            return Ok(());
        }
        let key = self.cap_key()?;
        let about = About { address: self.address.clone(), taken: Some(self.today), ..About::default() };
        let text = serde_json::to_vec(&Endpoint { row_cap: rows }).unwrap_or_default();
        self.blocking(move |cache| cache.put(&key, &text, about)).await??;
        Ok(())
    }

    /// Believes what earlier runs found.
    pub(super) async fn recall_cap(&self) -> Result<(), SparqlError> {
        let key = self.cap_key()?;
        let known = move |cache: &Cache| {
            let found = cache.get(&key).ok().flatten()?;
            serde_json::from_slice::<Endpoint>(&found.bytes).ok()
        };
        if let Some(known) = self.blocking(known).await? {
            self.seen_cap.fetch_min(known.row_cap.max(1), Ordering::Relaxed);
        }
        Ok(())
    }

    fn cap_key(&self) -> Result<Key, SparqlError> {
        named(&format!("sparql-cap.{}", Digest::of(self.address.as_bytes())))
    }
}

fn named(name: &str) -> Result<Key, SparqlError> {
    use crate::source::{DocumentKey, Kind};
    Ok(DocumentKey::named(Kind::Other, name)?.key().clone())
}

/// What a server's words begin with where they are an error, whatever the status (Virtuoso).
const ERROR: &str = "Virtuoso ";

/// In an error's words: it ran out of time, or would have.
const OUT_OF_TIME: [&str; 5] = ["S1T00", "SR171", "timed out", "timeout", "estimated execution time"];

/// Whether an answer can be one to the query: errors come with status 200 too, and parts of an answer as if whole.
fn judge(query: &Query, answer: &Answer) -> Result<(), SparqlError> {
    let head = &answer.body[..answer.body.len().min(2000)];
    let text = String::from_utf8_lossy(head);
    let says: String = text.trim().lines().next().unwrap_or_default().chars().take(300).collect();
    let asked = query.name().to_string();
    let partial = answer.header("x-sql-state").is_some() || answer.status == 206;
    let error = says.starts_with(ERROR) || answer.status != 200;
    if error && OUT_OF_TIME.iter().any(|words| says.contains(words)) {
        return Err(SparqlError::TooSlow { asked, says });
    }
    if error && !(partial && answer.status == 206) {
        return Err(SparqlError::Error { asked, status: answer.status, says });
    }
    if partial {
        let says = answer.header("x-sql-message").unwrap_or("only a part of the answer came").chars().take(300);
        return Err(SparqlError::TooSlow { asked, says: says.collect() });
    }
    Ok(())
}

/// Why what came is no answer: an endpoint may run out of time when the first rows are out already, and says so behind
/// them.
fn broken(asked: String, refused: Refused, bytes: &[u8]) -> SparqlError {
    let tail = String::from_utf8_lossy(&bytes[bytes.len().saturating_sub(2000)..]).into_owned();
    let says = tail.rsplit_once(ERROR).map(|(_, says)| says.lines().next().unwrap_or_default());
    match says.filter(|says| OUT_OF_TIME.iter().any(|words| says.contains(words))) {
        Some(says) => SparqlError::TooSlow { asked, says: says.chars().take(300).collect() },
        None => SparqlError::NotAnAnswer { asked, refused },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(status: u16, headers: &[(&str, &str)], body: &str) -> Result<(), SparqlError> {
        let headers = headers.iter().map(|(n, v)| ((*n).to_string(), (*v).to_string())).collect();
        let body = body.as_bytes().to_vec();
        judge(&Query::any("p"), &Answer { status, headers, body, attempts: 1, url: String::new() })
    }

    #[test]
    fn errors_are_errors_with_any_status() {
        assert!(told(200, &[], "\n{ \"head\"").is_ok());
        for status in [200, 400, 500] {
            let error =
                told(status, &[], "Virtuoso 37000 Error SP030: SPARQL compiler, line 2: syntax error\n\nSPARQL query:");
            assert!(matches!(error, Err(SparqlError::Error { .. })), "{error:?}");
            let slow = told(status, &[], "Virtuoso S1T00 Error SR171: Transaction timed out");
            assert!(matches!(slow, Err(SparqlError::TooSlow { .. })), "{slow:?}");
        }
        let guess = "Virtuoso 42000 Error The estimated execution time 99 (sec) exceeds the limit of 60 (sec).";
        assert!(told(500, &[], guess).is_err_and(|e| e.asks_too_much()));
        let part = told(200, &[("x-sql-state", "S1TAT")], "\n{ \"head\"");
        assert!(part.is_err_and(|e| e.asks_too_much()));
        assert!(matches!(told(404, &[], "gone"), Err(SparqlError::Error { status: 404, .. })));
    }

    #[test]
    fn time_may_run_out_behind_the_first_rows() {
        let told = |body: &str| broken(String::new(), Refused::Empty, body.as_bytes()).asks_too_much();
        assert!(told("{ \"head\": { \"vars\": [] },\nVirtuoso S1T00 Error SR171: Transaction timed out\n"));
        assert!(!told("{ \"head\": { \"vars\": [\"timed out\"] },"));
        assert!(!told("{ \"head\"\nVirtuoso 42000 Error SQ070: unknown\n"));
    }

    #[test]
    fn everything_but_letters_and_figures_is_encoded() {
        assert_eq!(percent_encoded("a {?b}+é"), "a%20%7B%3Fb%7D%2B%C3%A9");
    }
}
