//! One query: from the cache, or over the wire and into the cache.

use super::{Query, Sparql, SparqlError};
use crate::cache::{About, Cache, Found, Key};
use crate::http::{Answer, Request};
use crate::law::{Day, Digest, percent_encoded};
use crate::parse::{self, Results};
use crate::source::{Asked, Came, Class, What, classify};
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
const ROWS: Asked<'static> = Asked { accept: JSON, articles_expected: false };

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
    pub(super) fn key(&self, query: &Query) -> Result<Key, SparqlError> {
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
        let asked = query.name().to_string();
        let answer = match self.client.follow(&self.request(query)).await {
            Ok(answer) => answer,
            Err(error) => return Err(SparqlError::Http { asked, error }),
        };
        let cap = answer.header("x-sparql-maxrows").and_then(|rows| rows.trim().parse().ok());
        let (results, bytes) = self.blocking(move |_| (read(asked, &answer), answer.body)).await?;
        Ok(Reply { bytes, results: results?, taken: self.today, cap, held: false })
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
        request.settled = Some(out_of_time);
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

/// What an answer says, if it is one to the query: errors come with status 200 too, and parts of an answer as if whole.
fn read(asked: String, answer: &Answer) -> Result<Results, SparqlError> {
    let Class { what, says, .. } = classify(&ROWS, &Came::from(answer));
    // As many rows as the endpoint ever gives may be all of them: that is told by their count.
    let part = what == What::Partial && (answer.status == 206 || answer.header("x-sql-state").is_some());
    if part || out_of_time(answer) {
        return Err(SparqlError::TooSlow { asked, says });
    }
    if what == What::QueryError || answer.status != 200 {
        return Err(SparqlError::Error { asked, status: answer.status, says });
    }
    parse::results(&answer.body).map(|read| read.value).map_err(|refused| SparqlError::NotAnAnswer { asked, refused })
}

/// Whether the endpoint, or a gateway before it, had no time for the query: a smaller one may be answered.
fn out_of_time(answer: &Answer) -> bool {
    answer.status == 504 || classify(&ROWS, &Came::from(answer)).what == What::OutOfTime
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(status: u16, headers: &[(&str, &str)], body: &str) -> Result<Results, SparqlError> {
        let headers = headers.iter().map(|(n, v)| ((*n).to_string(), (*v).to_string())).collect();
        let body = body.as_bytes().to_vec();
        read(String::new(), &Answer { status, headers, body, attempts: 1, url: String::new() })
    }

    const NO_ROWS: &str = "\n{ \"head\": { \"vars\": [\"a\"] }, \"results\": { \"bindings\": [ ] } }";

    #[test]
    fn errors_are_errors_with_any_status() {
        assert!(told(200, &[], NO_ROWS).is_ok());
        for status in [200, 400, 500] {
            let error =
                told(status, &[], "Virtuoso 37000 Error SP030: SPARQL compiler, line 2: syntax error\n\nSPARQL query:");
            assert!(
                matches!(&error, Err(SparqlError::Error { says, .. }) if says.ends_with("syntax error")),
                "{error:?}"
            );
            let slow = told(status, &[], "Virtuoso S1T00 Error SR171: Transaction timed out");
            assert!(matches!(slow, Err(SparqlError::TooSlow { .. })), "{slow:?}");
        }
        assert!(matches!(told(404, &[], "gone"), Err(SparqlError::Error { status: 404, .. })));
        assert!(matches!(told(200, &[], "{ \"head\""), Err(SparqlError::NotAnAnswer { .. })));
    }

    #[test]
    fn what_is_too_much_may_be_asked_for_in_parts() {
        let too_much = |told: Result<Results, SparqlError>| told.is_err_and(|e| e.asks_too_much());
        let guess = "Virtuoso 42000 Error The estimated execution time 99 (sec) exceeds the limit of 60 (sec).";
        assert!(too_much(told(500, &[], guess)));
        assert!(too_much(told(200, &[("x-sql-state", "S1TAT")], NO_ROWS)) && too_much(told(206, &[], NO_ROWS)));
        assert!(too_much(told(504, &[], "<html>Gateway Time-out</html>")) && !too_much(told(502, &[], "<html>")));
        // Behind the first rows.
        let late = "{ \"head\": { \"vars\": [] },\nVirtuoso S1T00 Error SR171: Transaction timed out\n";
        assert!(too_much(told(200, &[], late)));
        // At most so many rows: whether that is all is told by a count.
        assert!(told(200, &[("x-sparql-maxrows", "0")], NO_ROWS).is_ok());
    }

    #[test]
    fn everything_but_letters_and_figures_is_encoded() {
        assert_eq!(percent_encoded("a {?b}+é"), "a%20%7B%3Fb%7D%2B%C3%A9");
    }
}
