//! CELLAR's REST interface: notices, texts by negotiation, the names of works, and what the repository took in.
//!
//! A document is asked for once: a guard per document, then the cache, then the client with its manners. Every answer is
//! classified before it is kept, and compared with what is held: one that is cut, of another kind, of another act, or thin
//! takes no place. What is known not to be there is recorded too (`other/absent.…`), so that a crawl that is taken up
//! again does not ask for it.

mod absent;
mod keep;
mod text;
mod words;

pub use absent::Absent;

use crate::cache::{About, Cache, CacheError, Entry};
use crate::http::{Answer, Client, HttpError, Request};
use crate::law::{Celex, Day, Digest, Language};
use crate::parse::{self, Feed};
use crate::source::{Asked, Came, DocumentKey, Kind, What, classify};
use keep::{Kept, Piece};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

/// The form in which notices are asked for: the work and its expressions, every work by its identifier, nothing inferred.
const NOTICE: &str = "application/rdf+xml;notice=non-inferred-tree-normalized";
/// The names of a work.
const NAMES: &str = "application/xml;notice=identifiers";
/// Pages of notifications that are read at most: a thousand entries each.
const MOST_PAGES: u64 = 1000;

/// Documents from CELLAR's REST interface, kept in a cache.
#[derive(Debug, Clone)]
pub struct Rest {
    client: Client,
    base: String,
    cache: Arc<Cache>,
    today: Day,
    longest: usize,
    notifications: String,
}

/// Whether a document that is held is asked for again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Again {
    /// Not if it is held, or known to be absent.
    OnlyIfMissing,
    /// It is, and the server may answer that it is as it was.
    IfChanged,
    /// It is, without conditions.
    Anyway,
}

/// What became of a wish.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Got {
    /// It is held already, or still: the same bytes, or the same words in other mark-up.
    Held,
    /// It came and is kept under these keys.
    Stored(Vec<DocumentKey>),
    /// It is not there.
    Absent(Absent),
    /// It could not be had; what is held stays.
    Failed(Failure),
    /// The host may not be asked now, so that nothing is known: a challenge, a rest, no robots.txt.
    Stopped(String),
}

/// Why a document could not be had.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// No whole answer came.
    #[error("{0}")]
    Wire(String),
    /// An answer came, and it is not the document.
    #[error("{address}: {}, status {status}", words_of(*what))]
    Answer {
        /// What was asked.
        address: String,
        /// What the answer is.
        what: What,
        /// Its status.
        status: u16,
    },
    /// Another act's document came.
    #[error("{asked} was asked for, and the document names {named}")]
    OtherAct {
        /// What was asked for.
        asked: String,
        /// What came.
        named: String,
    },
    /// Far less came than is held.
    #[error("{0}: what came holds less than half of what is held, which stays")]
    Thin(String),
    /// What came cannot be read as what it should be.
    #[error("{0}: {1}")]
    Unreadable(String, String),
    /// The cache does not keep or find it.
    #[error("{0}")]
    Cache(String),
}

/// What happened to a work, as the repository tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ingested {
    /// Its CELEX numbers; none where the notification gives none.
    pub celex: BTreeSet<Celex>,
    /// Its identifier in the repository.
    pub work: String,
    /// What was done.
    pub change: parse::Change,
    /// The day, where it can be read.
    pub day: Option<Day>,
}

/// Why the notifications could not be had.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RestError {
    /// No answer, or one that may not be had now.
    #[error(transparent)]
    Http(#[from] HttpError),
    /// An answer that is no page of notifications.
    #[error("the page {page} of the notifications: {why}")]
    Page {
        /// Which page.
        page: u64,
        /// What is wrong with it.
        why: String,
    },
}

impl From<CacheError> for Failure {
    fn from(error: CacheError) -> Self {
        Self::Cache(error.to_string())
    }
}

/// What an answer is, in words.
fn words_of(what: What) -> &'static str {
    match what {
        What::Whole => "a document",
        What::Challenge => "a challenge",
        What::Later => "the server has no answer now",
        What::Empty => "an empty answer",
        What::Choices => "a list of parts where a document was expected",
        What::NotInThisFormat => "not found",
        What::NotAcceptable => "longer than accepted, or not served",
        What::QueryError | What::OutOfTime => "an error of the query server",
        What::Partial => "a part of the document",
        What::Truncated => "a document that breaks off",
        What::Shell => "a page without the document",
        What::Mistyped => "a document of another format",
        What::Moved => "a redirect that is not followed",
        What::Unchanged => "unchanged, although nothing was held",
        What::Refused => "refused",
    }
}

/// How a single request ended.
enum Heard {
    /// The document, whole.
    Document(Answer),
    /// A list of parts, in order, and where it came from.
    Parts(Vec<String>, Answer),
    /// As it was.
    Unchanged,
    /// Not found: the status.
    Missing(u16),
    /// Nothing of use.
    End(Got),
}

impl Rest {
    /// Where the repository tells what it took in; the path is not confirmed by its manual.
    pub const NOTIFICATIONS: &str = "/webapi/notification/ingestion";

    /// The interface at `base` (`http://publications.europa.eu`). `today` is the day on which documents are taken,
    /// `longest` the longest document accepted, in bytes.
    pub fn new(client: Client, base: &str, cache: Arc<Cache>, today: Day, longest: usize) -> Self {
        let (base, notifications) = (base.trim_end_matches('/').to_string(), Self::NOTIFICATIONS.to_string());
        Self { client, base, cache, today, longest, notifications }
    }

    /// With another path for the notifications.
    #[must_use]
    pub fn notified_at(mut self, path: &str) -> Self {
        self.notifications = path.to_string();
        self
    }

    /// The notice of an act: `notice/CELEX/tree-rdf`.
    pub async fn notice(&self, celex: &Celex, again: Again) -> Got {
        let key = match DocumentKey::notice(celex.as_str(), "tree-rdf") {
            Ok(key) => key,
            Err(error) => return Got::Failed(Failure::Unreadable(celex.to_string(), error.to_string())),
        };
        let url = format!("{}/resource/celex/{}", self.base, celex.url_path());
        let asked = celex.clone();
        let check = move |bytes: &[u8]| absent::names_act(bytes, &asked);
        self.single(&key, &url, NOTICE, again, Absent::NoSuchWork, check).await
    }

    /// The names of the work with an identifier of the repository, or at an address: `notice/ID/identifiers`.
    pub async fn identifiers(&self, id: &str) -> Got {
        let Some(key) = self.identifiers_key(id) else {
            return Got::Failed(Failure::Unreadable(id.to_string(), "no identifier of a work".to_string()));
        };
        let url = match id.split_once("/resource/") {
            Some((_, name)) => format!("{}/resource/{name}", self.base),
            None => format!("{}/resource/cellar/{id}", self.base),
        };
        let own = bare_id(id).to_string();
        let check = move |bytes: &[u8]| {
            let names = parse::identifiers(bytes).map_err(|e| Failure::Unreadable(own.clone(), e.to_string()))?.value;
            match names.cellar {
                _ if names.addresses.iter().any(|address| address.ends_with(&own)) => Ok(()),
                Some(cellar) if cellar == own => Ok(()),
                other => Err(Failure::OtherAct { asked: own.clone(), named: other.unwrap_or_default() }),
            }
        };
        self.single(&key, &url, NAMES, Again::OnlyIfMissing, Absent::NoSuchWork, check).await
    }

    /// The key under which the names of a work are kept; `None` where `id` is none.
    pub fn identifiers_key(&self, id: &str) -> Option<DocumentKey> {
        DocumentKey::notice(bare_id(id), "identifiers").ok()
    }

    /// What the repository created, changed or gave up since a day (inclusive), each thing as it was told last.
    ///
    /// # Errors
    /// [`RestError`]: a list that is not known to be whole is none.
    pub async fn ingested(&self, since: Day) -> Result<Vec<Ingested>, RestError> {
        let mut found: BTreeMap<(String, BTreeSet<Celex>), Ingested> = BTreeMap::new();
        for page in 1..=MOST_PAGES {
            let url = format!("{}{}?startDate={since}&wemiClasses=work&page={page}", self.base, self.notifications);
            let feed = self.feed(&url, page).await?;
            for entry in feed.entries {
                let work = entry.work.unwrap_or(entry.cellar);
                let told = Ingested { celex: entry.celex, work, change: entry.change, day: entry.day };
                found.insert((told.work.clone(), told.celex.clone()), told);
            }
            match feed.more {
                Some(true) => {}
                Some(false) => return Ok(found.into_values().collect()),
                None => return Err(RestError::Page { page, why: "it does not say whether more follows".to_string() }),
            }
        }
        Err(RestError::Page { page: MOST_PAGES, why: "the notifications do not end".to_string() })
    }

    /// A page of the notifications. It is asked for once a day, so that a refresh that was interrupted goes on behind the
    /// pages it has; what is told after that is told again to the next one, which asks for the days since this one.
    async fn feed(&self, url: &str, page: u64) -> Result<Feed, RestError> {
        let broken = |why: String| RestError::Page { page, why };
        let which = Digest::of_fields([url.as_bytes(), self.today.to_string().as_bytes()]);
        let key = DocumentKey::named(Kind::Other, &format!("ingested.{which}")).map_err(|e| broken(e.to_string()))?;
        let at = key.key().clone();
        let held = self.blocking(move |cache| Ok(cache.get(&at).ok().flatten())).await;
        let held = held.ok().flatten().and_then(|found| parse::feed(&found.bytes).ok());
        if let Some(feed) = held {
            return Ok(feed.value);
        }
        let accept = "application/atom+xml";
        let answer = self.client.follow(&Request::get(url).header("accept", accept)).await?;
        let what = classify(&Asked { accept, ..Asked::default() }, &Came::from(&answer)).what;
        if what != What::Whole {
            return Err(broken(format!("{}, status {}", words_of(what), answer.status)));
        }
        let feed = parse::feed(&answer.body).map_err(|e| broken(e.to_string()))?.value;
        let about = self.about(url, accept, None, &answer);
        let kept = self.blocking(move |cache| Ok(cache.put(key.key(), &answer.body, about)?)).await;
        kept.map_err(|e| broken(e.to_string()))?;
        Ok(feed)
    }

    /// A document that stands in one stream.
    async fn single(
        &self,
        key: &DocumentKey,
        url: &str,
        accept: &'static str,
        again: Again,
        missing: Absent,
        check: impl Fn(&[u8]) -> Result<(), Failure>,
    ) -> Got {
        let _alone = self.client.alone(&key.to_string()).await;
        let name = key.to_string();
        let held = match self.entry(key).await {
            Ok(held) => held,
            Err(failure) => return Got::Failed(failure),
        };
        if again == Again::OnlyIfMissing {
            if held.is_some() {
                return Got::Held;
            }
            if let Some(absent) = self.known_absent(&name).await {
                return Got::Absent(absent);
            }
        }
        match self.ask(url, accept, None, held.as_ref().filter(|_| again == Again::IfChanged)).await {
            Heard::Document(answer) => match check(&answer.body) {
                Ok(()) => {
                    let about = self.about(url, accept, None, &answer);
                    self.keep(vec![Piece { key: key.clone(), bytes: answer.body, about }]).await
                }
                Err(failure) => Got::Failed(failure),
            },
            Heard::Unchanged => self.confirm(held.into_iter().collect()).await,
            Heard::Missing(status) => self.note_absent(&name, missing, &[(accept, status)]).await,
            Heard::Parts(_, answer) => Got::Failed(answered(&answer, What::Choices)),
            Heard::End(got) => got,
        }
    }

    /// Asks once, with what the held document says of itself where only changes are of interest.
    async fn ask(&self, url: &str, accept: &str, language: Option<Language>, held: Option<&Entry>) -> Heard {
        let mut request = Request::get(url).header("accept", accept);
        request = request.header("accept-max-cs-size", self.longest.to_string());
        if let Some(language) = language {
            request = request.header("accept-language", language.to_string());
        }
        let same = held.map(|entry| &entry.about).filter(|about| about.accept.as_deref() == Some(accept));
        if let Some(about) = same {
            if let Some(tag) = &about.etag {
                request = request.header("if-none-match", tag);
            } else if let Some(day) = &about.last_modified {
                request = request.header("if-modified-since", day);
            }
        }
        let answer = match self.client.follow(&request).await {
            Ok(answer) => answer,
            Err(error) if error.of_host() => return Heard::End(Got::Stopped(error.to_string())),
            Err(error) => return Heard::End(Got::Failed(Failure::Wire(error.to_string()))),
        };
        let class = classify(&Asked { accept, ..Asked::default() }, &Came::from(&answer));
        match class.what {
            What::Whole => Heard::Document(answer),
            What::Choices => Heard::Parts(class.follow, answer),
            What::Unchanged if same.is_some() => Heard::Unchanged,
            What::NotInThisFormat => Heard::Missing(answer.status),
            what => Heard::End(Got::Failed(answered(&answer, what))),
        }
    }

    /// What is written beside a document: what was asked and what came.
    fn about(&self, url: &str, accept: &str, language: Option<Language>, answer: &Answer) -> About {
        let header = |name| answer.header(name).map(str::to_string);
        About {
            address: url.to_string(),
            taken: Some(self.today),
            accept: Some(accept.to_string()),
            language: language.map(|l| l.to_string()),
            status: Some(answer.status),
            etag: header("etag"),
            last_modified: header("last-modified"),
            content_type: header("content-type"),
            ..About::default()
        }
    }
}

/// The failure that an answer is.
fn answered(answer: &Answer, what: What) -> Failure {
    Failure::Answer { address: answer.url.clone(), what, status: answer.status }
}

/// An identifier by itself, from an address.
fn bare_id(id: &str) -> &str {
    id.trim_end_matches('/').rsplit('/').next().unwrap_or(id)
}

impl From<Kept> for Got {
    fn from(kept: Kept) -> Self {
        if kept.changed.is_empty() { Self::Held } else { Self::Stored(kept.changed) }
    }
}

impl fmt::Display for Again {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OnlyIfMissing => "only if missing",
            Self::IfChanged => "if changed",
            Self::Anyway => "anyway",
        })
    }
}
