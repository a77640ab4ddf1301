//! Models behind a server, and models replayed from their journal.

use super::{Ask, CallKey, CallRecord, Calls, ModelName, Purse, Reply, Usage, chat};
use crate::cache::JournalError;
use crate::http::{Client, HttpError, Request, Secret};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

/// A reply with the key of the call that it came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered {
    /// What was answered.
    pub reply: Reply,
    /// The call's key in the journal.
    pub call: CallKey,
    /// Whether it was already on record, so that nothing was paid.
    pub replayed: bool,
}

/// Why a model gave no reply.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// No answer came, after all attempts.
    #[error(transparent)]
    Http(#[from] HttpError),
    /// The server answered with an error.
    #[error("{address} answered {status}: {message}")]
    Status {
        /// Where.
        address: String,
        /// HTTP status.
        status: u16,
        /// The server's words.
        message: String,
    },
    /// The answer is no completion.
    #[error("{address}: {error}")]
    Malformed {
        /// Where.
        address: String,
        /// What is wrong.
        error: chat::NotAChat,
    },
    /// The reply could not be journaled, so it was not used.
    #[error("the reply could not be journaled, so it is not used: {0}")]
    Journal(#[from] JournalError),
    /// Offline, and the call is not on record.
    #[error("offline, and this call is not in the journal (draw {draw}); build once without --offline")]
    NotOnRecord {
        /// The draw that was asked for.
        draw: String,
    },
    /// The budget is used up.
    #[error("the budget is used up: {0}; raise it under [budget] and run the same command again to go on")]
    Spent(String),
}

impl ModelError {
    /// Whether the run should stop here and be resumed later, rather than go on with other work.
    pub fn ends_the_run(&self) -> bool {
        match self {
            // A server that is not there answers no other call either, and what was not asked is not refused.
            Self::Http(error) => error.of_host() || matches!(error, HttpError::Failed { .. } | HttpError::Address(_)),
            Self::Journal(_) | Self::Spent(_) | Self::NotOnRecord { .. } => true,
            Self::Status { status, .. } => matches!(status, 401 | 402 | 403 | 429),
            Self::Malformed { .. } => false,
        }
    }
}

/// What [`LanguageModel::ask`] returns.
pub type Asking<'a> = Pin<Box<dyn Future<Output = Result<Answered, ModelError>> + Send + 'a>>;

/// Something that answers questions in text.
pub trait LanguageModel: Send + Sync {
    /// Its name, as the manifest gives it.
    fn name(&self) -> &ModelName;

    /// Asks. The draw tells apart calls whose bytes are the same.
    fn ask<'a>(&'a self, ask: &'a Ask, draw: &'a str) -> Asking<'a>;
}

/// A model behind an OpenAI-compatible server. Every call is in the journal before its reply is used.
#[derive(Debug)]
pub struct Served {
    name: ModelName,
    address: String,
    key: Option<Secret>,
    client: Client,
    calls: Arc<Calls>,
    purse: Arc<Purse>,
    now: fn() -> String,
}

impl Served {
    /// A model at `base` (`http://127.0.0.1:8080/v1`). `now` tells the time for the record, RFC 3339.
    pub fn new(
        name: ModelName,
        base: &str,
        key: Option<Secret>,
        client: Client,
        calls: Arc<Calls>,
        purse: Arc<Purse>,
        now: fn() -> String,
    ) -> Self {
        let address = format!("{}/chat/completions", base.trim_end_matches('/'));
        Self { name, address, key, client, calls, purse, now }
    }

    async fn call(&self, ask: &Ask, draw: &str) -> Result<Answered, ModelError> {
        let request = chat::request(ask, self.name.model());
        let key = CallKey::new(&self.address, &request, draw);
        if let Some(record) = self.calls.get(&key) {
            return answered(&record, true);
        }
        let reserved =
            self.purse.reserve(&self.name, &worst_case(&request, ask.max_tokens)).map_err(ModelError::Spent)?;
        let answer = self
            .client
            .send(&Request {
                secret: self.key.clone().map(|k| ("authorization".to_string(), "Bearer ".to_string(), k)),
                body: Some(request.clone()),
                ..Request::get(self.address.clone()).header("content-type", "application/json")
            })
            .await?;
        if answer.status != 200 {
            let body: serde_json::Value = serde_json::from_slice(&answer.body).unwrap_or_default();
            let message = chat::error_of(&body);
            return Err(ModelError::Status { address: self.address.clone(), status: answer.status, message });
        }
        let reply = chat::reply(&answer.body)
            .map_err(|error| ModelError::Malformed { address: self.address.clone(), error })?;
        let mut record = CallRecord {
            key,
            address: self.address.clone(),
            draw: draw.to_string(),
            request: String::from_utf8_lossy(&request).into_owned(),
            reply: None,
            reply_hex: None,
            status: answer.status,
            served: reply.served.clone(),
            usage: reply.usage,
            attempt: answer.attempts,
            at: (self.now)(),
        };
        record.set_reply(&answer.body);
        self.calls.keep(&record)?;
        reserved.settle(&reply.usage);
        Ok(Answered { reply, call: key, replayed: false })
    }
}

impl LanguageModel for Served {
    fn name(&self) -> &ModelName {
        &self.name
    }

    fn ask<'a>(&'a self, ask: &'a Ask, draw: &'a str) -> Asking<'a> {
        Box::pin(self.call(ask, draw))
    }
}

/// A model whose every reply is on record already: `--offline`, and audits.
#[derive(Debug)]
pub struct Recorded {
    name: ModelName,
    address: String,
    calls: Arc<Calls>,
}

impl Recorded {
    /// The model at `base`, from its journal alone.
    pub fn new(name: ModelName, base: &str, calls: Arc<Calls>) -> Self {
        Self { name, address: format!("{}/chat/completions", base.trim_end_matches('/')), calls }
    }
}

impl LanguageModel for Recorded {
    fn name(&self) -> &ModelName {
        &self.name
    }

    fn ask<'a>(&'a self, ask: &'a Ask, draw: &'a str) -> Asking<'a> {
        let key = CallKey::new(&self.address, &chat::request(ask, self.name.model()), draw);
        let found = self.calls.get(&key).ok_or_else(|| ModelError::NotOnRecord { draw: draw.to_string() });
        Box::pin(std::future::ready(found.and_then(|record| answered(&record, true))))
    }
}

fn answered(record: &CallRecord, replayed: bool) -> Result<Answered, ModelError> {
    let reply = chat::reply(&record.reply_bytes())
        .map_err(|error| ModelError::Malformed { address: record.address.clone(), error })?;
    Ok(Answered { reply, call: record.key, replayed })
}

/// Tokens a call can cost at worst: every byte of the request a token, and the longest reply.
fn worst_case(request: &[u8], max_tokens: u32) -> Usage {
    Usage { prompt: Some(request.len() as u64), reply: Some(u64::from(max_tokens)), ..Usage::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_is_not_there_ends_the_run_and_a_long_reply_does_not() {
        let url = "http://127.0.0.1:9/v1".to_string();
        let failed = HttpError::Failed { url: url.clone(), why: "connection refused".to_string(), attempts: 5 };
        assert!(ModelError::Http(failed).ends_the_run());
        assert!(!ModelError::Http(HttpError::TooLong { url, max: 1 }).ends_the_run());
    }
}
