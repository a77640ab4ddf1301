//! The journal of calls: the record of what was paid for.
//!
//! A record is written before its reply is used. A call whose key is here is never made again.

use super::Usage;
use crate::cache::{Digest, Flavour, Journal, JournalError};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;

/// What makes a call the same call: where it goes, its exact bytes, and which draw it is.
///
/// The draw is given by the work (pair, attempt, repeat), so that a second item of one pair or a repeated
/// judgment is a new call although its bytes are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CallKey(Digest);

impl CallKey {
    /// The key of a request to `address` with these bytes, for this draw.
    pub fn new(address: &str, request: &[u8], draw: &str) -> Self {
        Self(Digest::of_fields([address.as_bytes(), request, draw.as_bytes()]))
    }

    /// The digest, for rows and locks.
    pub fn digest(&self) -> Digest {
        self.0
    }
}

impl From<Digest> for CallKey {
    fn from(digest: Digest) -> Self {
        Self(digest)
    }
}

/// One call, as it went out and as it came back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallRecord {
    /// Its key.
    pub key: CallKey,
    /// Where it went, without any secret.
    pub address: String,
    /// Which draw it was.
    pub draw: String,
    /// The request's exact bytes (JSON, so text).
    pub request: String,
    /// The reply's exact bytes, if they are UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply: Option<String>,
    /// The reply's exact bytes in hex, where they are not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply_hex: Option<String>,
    /// HTTP status.
    pub status: u16,
    /// The name the server gave for the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub served: Option<String>,
    /// Tokens used.
    pub usage: Usage,
    /// How many times it was sent until this reply came, 1 = at once.
    pub attempt: u32,
    /// When the reply came, RFC 3339; empty if not told.
    #[serde(default)]
    pub at: String,
}

impl CallRecord {
    /// The reply's bytes.
    pub fn reply_bytes(&self) -> Vec<u8> {
        match (&self.reply, &self.reply_hex) {
            (Some(text), _) => text.as_bytes().to_vec(),
            (None, Some(hex)) => unhex(hex),
            (None, None) => Vec::new(),
        }
    }

    /// Puts the reply's bytes in.
    pub fn set_reply(&mut self, bytes: &[u8]) {
        match std::str::from_utf8(bytes) {
            Ok(text) => self.reply = Some(text.to_string()),
            Err(_) => {
                self.reply_hex = Some(bytes.iter().fold(String::new(), |hex, b| hex + &format!("{b:02x}")));
            }
        }
    }
}

fn unhex(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex.chars().filter_map(|c| c.to_digit(16)).filter_map(|d| u8::try_from(d).ok()).collect();
    digits.chunks(2).map(|pair| pair.iter().fold(0, |byte, d| byte << 4 | d)).collect()
}

/// The calls of one journal, by key.
#[derive(Debug)]
pub struct Calls {
    journal: Option<Journal>,
    known: Mutex<BTreeMap<CallKey, CallRecord>>,
}

impl Calls {
    /// Opens or makes the journal at `path`.
    ///
    /// # Errors
    /// [`JournalError`] if it cannot be read or written. A line that holds no call record is passed over:
    /// it stays in the file, and its call will be made again.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let (journal, found) = Journal::open(path, Flavour::Checked)?;
        Ok(Self { journal: Some(journal), known: Mutex::new(index(&found.records)) })
    }

    /// Reads the journal at `path` and changes nothing.
    ///
    /// # Errors
    /// [`JournalError`] if it cannot be read.
    pub fn peek(path: &Path) -> Result<Self, JournalError> {
        let found = Journal::peek(path, Flavour::Checked)?;
        Ok(Self { journal: None, known: Mutex::new(index(&found.records)) })
    }

    /// The record of a call that was made.
    pub fn get(&self, key: &CallKey) -> Option<CallRecord> {
        self.lock().get(key).cloned()
    }

    /// Keeps a record; it is on disk when this returns. A call that is there already is not overwritten.
    ///
    /// # Errors
    /// [`JournalError`] if it could not be written: then the reply must not be used.
    pub fn keep(&self, record: &CallRecord) -> Result<(), JournalError> {
        if self.lock().contains_key(&record.key) {
            return Ok(());
        }
        if let Some(journal) = &self.journal {
            let line = serde_json::to_string(record).unwrap_or_default();
            journal.append(&line)?;
        }
        self.lock().insert(record.key, record.clone());
        Ok(())
    }

    /// How many calls are on record.
    pub fn len(&self) -> usize {
        self.lock().len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Every change of the map is one insertion, so a panic elsewhere leaves it sound.
    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<CallKey, CallRecord>> {
        self.known.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

fn index(records: &[String]) -> BTreeMap<CallKey, CallRecord> {
    let mut known = BTreeMap::new();
    for record in records.iter().filter_map(|line| serde_json::from_str::<CallRecord>(line).ok()) {
        known.entry(record.key).or_insert(record);
    }
    known
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(draw: &str) -> CallRecord {
        let mut record = CallRecord {
            key: CallKey::new("http://127.0.0.1/v1/chat/completions", b"{}", draw),
            address: "http://127.0.0.1/v1/chat/completions".to_string(),
            draw: draw.to_string(),
            request: "{}".to_string(),
            reply: None,
            reply_hex: None,
            status: 200,
            served: None,
            usage: Usage::default(),
            attempt: 1,
            at: String::new(),
        };
        record.set_reply(&[0xff, 0x00, b'a']);
        record
    }

    #[test]
    fn a_record_is_there_after_the_journal_is_opened_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("calls.journal");
        let calls = Calls::open(&path).unwrap();
        calls.keep(&record("pair/1")).unwrap();
        calls.keep(&record("pair/1")).unwrap();
        calls.keep(&record("pair/2")).unwrap();
        drop(calls);
        let again = Calls::peek(&path).unwrap();
        assert_eq!(again.len(), 2);
        let kept = again.get(&record("pair/1").key).unwrap();
        assert_eq!(kept.reply_bytes(), [0xff, 0x00, b'a']);
    }
}
