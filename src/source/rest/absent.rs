//! What is not there, and how that is known and kept.

use super::{Failure, Got, Rest};
use crate::cache::{About, Key};
use crate::law::{Celex, Day};
use serde::{Deserialize, Serialize};
use std::fmt;

/// In which way a document is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Absent {
    /// The repository has no such work.
    NoSuchWork,
    /// The work is there, and not in this language: so it is with corrigenda that concern others.
    NoExpression,
    /// The work is there in this language, in no format that is read: a scan.
    NoTextFormat,
}

impl fmt::Display for Absent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoSuchWork => "no such work",
            Self::NoExpression => "not in this language",
            Self::NoTextFormat => "in no format of a text",
        })
    }
}

/// What is kept of it.
#[derive(Debug, Serialize, Deserialize)]
struct Record {
    /// The document.
    what: String,
    absent: Absent,
    /// What was asked for and the status it was answered with.
    asked: Vec<(String, u16)>,
    day: Day,
}

fn key(what: &str) -> Option<Key> {
    Key::of(["other", &format!("absent.{}", what.replace('/', "."))]).ok()
}

impl Rest {
    /// Whether a document is known not to be there.
    pub(super) async fn known_absent(&self, what: &str) -> Option<Absent> {
        let key = key(what)?;
        let found = self.blocking(move |cache| Ok(cache.get(&key)?)).await.ok()??;
        serde_json::from_slice::<Record>(&found.bytes).ok().map(|record| record.absent)
    }

    /// Records that a document is not there.
    pub(super) async fn note_absent(&self, what: &str, absent: Absent, asked: &[(&str, u16)]) -> Got {
        let asked = asked.iter().map(|(accept, status)| ((*accept).to_string(), *status)).collect();
        let record = Record { what: what.to_string(), absent, asked, day: self.today };
        let (Some(key), Ok(bytes)) = (key(what), serde_json::to_vec(&record)) else { return Got::Absent(absent) };
        let about = About { taken: Some(self.today), ..About::default() };
        match self.blocking(move |cache| Ok(cache.put(&key, &bytes, about)?)).await {
            Ok(_) => Got::Absent(absent),
            Err(failure) => Got::Failed(failure),
        }
    }
}

/// Whether a notice is that of the act: a number that it gives for a work is the act's, or an address in it is.
pub(super) fn names_act(bytes: &[u8], celex: &Celex) -> Result<(), Failure> {
    let text = String::from_utf8_lossy(bytes);
    let own = [
        format!(">{}<", celex.as_str()),
        format!("/celex/{}\"", celex.as_str()),
        format!("/celex/{}\"", celex.url_path()),
        format!(">celex:{}<", celex.as_str()),
    ];
    if own.iter().any(|mark| text.contains(mark.as_str())) {
        return Ok(());
    }
    Err(Failure::OtherAct { asked: celex.to_string(), named: "another work".to_string() })
}
