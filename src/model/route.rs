//! The way to one model: which dialect, which address, how it is set up. What is on record is read the same way.

use super::{Ask, CallKey, CallRecord, Calls, Dialect, Fault, ModelError, ModelName, Reply, Setup, error_of};
use crate::http::Answer;
use std::time::SystemTime;

/// A reply with the key of the call that it came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered {
    /// What was answered.
    pub reply: Reply,
    /// The call's key in the journal.
    pub call: CallKey,
    /// Whether it was already on record, so that nothing was paid.
    pub replayed: bool,
    /// Whether it came through the provider's batch interface.
    pub batch: bool,
}

/// The way to one model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    /// Its name, as the manifest gives it.
    pub name: ModelName,
    /// How its server is spoken to.
    pub dialect: Dialect,
    /// Where its calls go.
    pub address: String,
    /// What holds for all its calls.
    pub setup: Setup,
}

impl Route {
    /// The way to `name` at a server's base address, `http://127.0.0.1:8080/v1`.
    pub fn new(name: ModelName, dialect: Dialect, base: &str) -> Self {
        let (address, setup) = (dialect.address(base, name.model()), Setup::new(name.model()));
        Self { name, dialect, address, setup }
    }

    /// The exact bytes that ask this, and their key for this draw.
    pub fn request(&self, ask: &Ask, draw: &str) -> (Vec<u8>, CallKey) {
        let bytes = self.dialect.request(ask, &self.setup);
        let key = CallKey::new(&self.address, &bytes, draw);
        (bytes, key)
    }

    /// What a record says.
    ///
    /// # Errors
    /// [`ModelError::Malformed`], and [`ModelError::Status`] of a request that was refused.
    pub fn read(&self, record: &CallRecord) -> Result<Answered, ModelError> {
        match record.status {
            200 => {
                let answered = self.answered(record.key, &record.reply_bytes(), true)?;
                Ok(Answered { batch: record.batch, ..answered })
            }
            status => Err(self.error(status, &record.reply_bytes(), Fault::Refused)),
        }
    }

    /// A record of an answer, and what it says.
    pub(super) fn record(
        &self,
        request: &[u8],
        key: CallKey,
        draw: &str,
        answer: &Answer,
    ) -> (CallRecord, Result<Answered, ModelError>) {
        let read = match answer.status {
            200 => self.answered(key, &answer.body, false),
            status => Err(self.error(status, &answer.body, Fault::Refused)),
        };
        let reply = read.as_ref().ok().map(|answered| &answered.reply);
        let mut record = CallRecord {
            key,
            address: self.address.clone(),
            draw: draw.to_string(),
            request: String::from_utf8_lossy(request).into_owned(),
            reply: None,
            reply_hex: None,
            status: answer.status,
            served: reply.and_then(|reply| reply.served.clone()),
            usage: reply.map(|reply| reply.usage).unwrap_or_default(),
            attempt: answer.attempts,
            batch: false,
            took_ms: 0,
            at: String::new(),
        };
        record.set_reply(&answer.body);
        (record, read)
    }

    fn answered(&self, call: CallKey, bytes: &[u8], replayed: bool) -> Result<Answered, ModelError> {
        let address = || self.address.clone();
        let reply = self.dialect.reply(bytes);
        let reply = reply.map_err(|error| ModelError::Malformed { address: address(), error, call })?;
        Ok(Answered { reply, call, replayed, batch: false })
    }

    /// The error that an answer other than 200 is, and what it means.
    pub(super) fn fault(&self, answer: &Answer, now: SystemTime) -> (Fault, ModelError) {
        let fault = Fault::of(answer, now);
        (fault, self.error(answer.status, &answer.body, fault))
    }

    fn error(&self, status: u16, body: &[u8], fault: Fault) -> ModelError {
        let body: serde_json::Value = serde_json::from_slice(body).unwrap_or_default();
        ModelError::Status { address: self.address.clone(), status, message: error_of(&body), fault }
    }

    /// The reply on record, if there is one: what was paid, or, where nothing can be asked, what was refused.
    pub(super) fn replay(&self, calls: &Calls, key: &CallKey, offline: bool) -> Option<Result<Answered, ModelError>> {
        let record = if offline { calls.get(key) } else { calls.paid(key) };
        record.map(|record| self.read(&record))
    }
}
