//! The journal of calls: the record of what was paid for.
//!
//! A record is written before its reply is used, whatever the reply is worth: one that cannot be read was paid for
//! too. A call whose reply is here is never made again.

use super::Usage;
use crate::cache::{Digest, Flavour, Journal, JournalError, Opened};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;

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

/// One call, as it went out and as it came back. Its `Debug` shows neither request nor reply.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
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
    /// Whether it came through the provider's batch interface, which has a price of its own.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub batch: bool,
    /// How long the reply took from the sending of that attempt to its last byte, in milliseconds.
    #[serde(default)]
    pub took_ms: u64,
    /// When the reply came, RFC 3339; empty if not told.
    #[serde(default)]
    pub at: String,
}

impl fmt::Debug for CallRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("CallRecord");
        shown.field("key", &self.key).field("draw", &self.draw).field("status", &self.status).finish_non_exhaustive()
    }
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

    /// The record as JSON, on one line.
    fn line(&self) -> String {
        // Text grows by a few escapes, what is in hex not at all.
        let long = self.request.len() + self.reply.as_ref().or(self.reply_hex.as_ref()).map_or(0, String::len);
        let mut line = Vec::with_capacity(long + long / 8 + 1024);
        let written = serde_json::to_writer(&mut line, self);
        written.ok().and_then(|()| String::from_utf8(line).ok()).unwrap_or_default()
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

/// How long records gather before they are forced to disk together: nothing beside the time that a model takes, and
/// each force costs as much work as a few calls.
const GATHER: Duration = Duration::from_millis(1);

/// What a record that cannot be read means.
const LOST: &str = "if a call was on record there, it is made and paid for again";

/// The calls of one journal, by key. Cheap to clone; clones share it.
///
/// A record of a *paid* reply (status 200) stands for good: its call is not made again. A record of a refused request
/// only says what came of it, so that a replay without a network ends the same way; asked again over the network it
/// may be answered, and then the answer takes its place.
#[derive(Debug, Clone)]
pub struct Calls(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    journal: Option<Journal>,
    damage: Vec<String>,
    known: Mutex<BTreeMap<CallKey, Arc<CallRecord>>>,
    waiting: Mutex<Waiting>,
}

/// Records handed in and not yet on disk: who waits for each, and whether somebody is writing.
#[derive(Debug, Default)]
struct Waiting {
    records: Vec<(Arc<CallRecord>, Told)>,
    writing: bool,
}

/// Tells who waits whether the record is on disk.
type Told = oneshot::Sender<Result<(), NotKept>>;

/// A record that is not on disk, so that its reply must not be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotKept(String);

impl NotKept {
    pub(super) fn new(why: &str) -> Self {
        Self(why.to_string())
    }
}

impl Calls {
    /// Opens or makes the journal at `path`.
    ///
    /// # Errors
    /// [`JournalError`] if it cannot be read or written. A line that holds no call record stays in the file, and its call
    /// will be made again: [`Calls::damage`] tells of it.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let (journal, found) = Journal::open(path, Flavour::Checked)?;
        Ok(Self::over(path, Some(journal), &found))
    }

    /// Reads the journal at `path` and changes nothing.
    ///
    /// # Errors
    /// [`JournalError`] if it cannot be read.
    pub fn peek(path: &Path) -> Result<Self, JournalError> {
        Ok(Self::over(path, None, &Journal::peek(path, Flavour::Checked)?))
    }

    fn over(path: &Path, journal: Option<Journal>, found: &Opened) -> Self {
        let mut damage = found.damage(path, LOST);
        let mut known = BTreeMap::new();
        for (nth, line) in (1..).zip(&found.records) {
            match serde_json::from_str::<CallRecord>(line) {
                Ok(record) => insert(&mut known, Arc::new(record)),
                Err(why) => damage.push(format!("{}: record {nth} is no call ({why}); {LOST}", path.display())),
            }
        }
        Self(Arc::new(Shared { journal, damage, known: Mutex::new(known), waiting: Mutex::default() }))
    }

    /// What of the journal could not be read when it was opened, a line each.
    pub fn damage(&self) -> &[String] {
        &self.0.damage
    }

    /// The record of a call that was made, however it ended.
    pub fn get(&self, key: &CallKey) -> Option<Arc<CallRecord>> {
        held(&self.0.known).get(key).cloned()
    }

    /// The record of a call that was paid for.
    pub fn paid(&self, key: &CallKey) -> Option<Arc<CallRecord>> {
        self.get(key).filter(|record| record.status == 200)
    }

    /// Keeps a record; it is on disk when this returns. A paid call that is there already is not overwritten.
    ///
    /// Records that come while others are being written go to disk together, with one force, on a thread where waiting
    /// is allowed.
    ///
    /// # Errors
    /// [`NotKept`] if it could not be written: then the reply must not be used.
    pub async fn keep(&self, record: CallRecord) -> Result<(), NotKept> {
        if self.paid(&record.key).is_some() {
            return Ok(());
        }
        let (tell, told) = oneshot::channel();
        let write = {
            let mut waiting = held(&self.0.waiting);
            waiting.records.push((Arc::new(record), tell));
            !std::mem::replace(&mut waiting.writing, true)
        };
        if write {
            let shared = self.0.clone();
            tokio::task::spawn_blocking(move || shared.write_all());
        }
        told.await.unwrap_or_else(|_| Err(NotKept("whoever wrote the journal is gone".to_string())))
    }

    /// How many calls are on record.
    pub fn len(&self) -> usize {
        held(&self.0.known).len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Shared {
    /// Writes what waits, and what comes meanwhile, until nothing does.
    fn write_all(&self) {
        loop {
            std::thread::sleep(GATHER);
            let batch = {
                let mut waiting = held(&self.waiting);
                waiting.writing = !waiting.records.is_empty();
                std::mem::take(&mut waiting.records)
            };
            if batch.is_empty() {
                return;
            }
            let lines: Vec<String> = batch.iter().map(|(record, _)| record.line()).collect();
            let written = self.journal.as_ref().map_or(Ok(()), |j| j.append_all(lines.iter().map(String::as_str)));
            let written = written.map_err(|error| NotKept(error.to_string()));
            for (record, tell) in batch {
                if written.is_ok() {
                    insert(&mut held(&self.known), record);
                }
                // Who does not wait any more finds it on record the next time.
                let _ = tell.send(written.clone());
            }
        }
    }
}

/// What was paid for stands; what was refused gives way.
fn insert(known: &mut BTreeMap<CallKey, Arc<CallRecord>>, record: Arc<CallRecord>) {
    if known.get(&record.key).is_none_or(|before| before.status != 200) {
        known.insert(record.key, record);
    }
}

/// Every change is one insertion, so a panic elsewhere leaves it sound.
fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(draw: &str, status: u16) -> CallRecord {
        let mut record = CallRecord {
            key: CallKey::new("http://127.0.0.1/v1/chat/completions", b"{}", draw),
            address: "http://127.0.0.1/v1/chat/completions".to_string(),
            draw: draw.to_string(),
            request: "{}".to_string(),
            reply: None,
            reply_hex: None,
            status,
            served: None,
            usage: Usage::default(),
            attempt: 1,
            batch: false,
            took_ms: 12,
            at: String::new(),
        };
        record.set_reply(&[0xff, 0x00, b'a']);
        record
    }

    #[tokio::test]
    async fn a_record_is_there_after_the_journal_is_opened_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("calls.journal");
        let calls = Calls::open(&path).unwrap();
        for draw in ["pair/1", "pair/1", "pair/2"] {
            calls.keep(record(draw, 200)).await.unwrap();
        }
        drop(calls);
        let again = Calls::peek(&path).unwrap();
        assert_eq!(again.len(), 2);
        let kept = again.get(&record("pair/1", 200).key).unwrap();
        assert_eq!((kept.reply_bytes(), kept.took_ms), (vec![0xff, 0x00, b'a'], 12));
    }

    #[tokio::test]
    async fn what_cannot_be_read_is_told_with_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("calls.journal");
        let calls = Calls::open(&path).unwrap();
        for draw in ["pair/1", "pair/2"] {
            calls.keep(record(draw, 200)).await.unwrap();
        }
        assert!(calls.damage().is_empty());
        drop(calls);
        let text = std::fs::read_to_string(&path).unwrap();
        let other = Flavour::Checked.line("{\"what\":1}");
        std::fs::write(&path, format!("{}{other}7 cut", text.replacen("pair/1", "pair/7", 1))).unwrap();
        let calls = Calls::open(&path).unwrap();
        let [line, torn, record] = calls.damage() else { panic!("{:?}", calls.damage()) };
        assert!(line.contains("calls.journal: line 1 (") && line.contains("paid for again"), "{line}");
        assert!(torn.contains("calls.journal.torn"), "{torn}");
        assert!(record.contains("record 2 is no call"), "{record}");
        assert_eq!(calls.len(), 1);
    }

    #[tokio::test]
    async fn a_refused_request_gives_way_to_an_answer_and_never_the_other_way() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("calls.journal");
        let key = record("d", 200).key;
        let calls = Calls::open(&path).unwrap();
        calls.keep(record("d", 400)).await.unwrap();
        assert!(calls.paid(&key).is_none() && calls.get(&key).is_some());
        calls.keep(record("d", 200)).await.unwrap();
        calls.keep(record("d", 400)).await.unwrap();
        assert!(calls.paid(&key).is_some());
        drop(calls);
        assert!(Calls::peek(&path).unwrap().paid(&key).is_some());
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn many_at_once_are_all_on_disk() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("calls.journal");
        let calls = Calls::open(&path).unwrap();
        let keep = |n: u32| {
            let calls = calls.clone();
            tokio::spawn(async move {
                calls.keep(record(&format!("pair/{n}"), 200)).await.unwrap();
                let on_disk = Calls::peek(calls.0.journal.as_ref().unwrap().path()).unwrap();
                assert!(on_disk.get(&record(&format!("pair/{n}"), 200).key).is_some());
            })
        };
        let all: Vec<_> = (0..60).map(keep).collect();
        for one in all {
            one.await.unwrap();
        }
        assert_eq!(Calls::peek(&path).unwrap().len(), 60);
    }
}
