//! The wish that a model's calls go in batches, and how patiently.

use crate::model::Patience;
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;
use std::time::Duration;

/// How patiently a model's batches are dealt with, in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BatchWish {
    /// How long nothing more is asked before what waits is handed in.
    pub quiet: Seconds,
    /// How often a batch is asked after.
    pub poll: Seconds,
    /// How long a batch is waited for before the build stops (exit 5); the same command asks after it again.
    pub patience: Seconds,
}

impl Default for BatchWish {
    fn default() -> Self {
        let Patience { quiet, poll, most } = Patience::default();
        Self { quiet: Seconds(quiet), poll: Seconds(poll), patience: Seconds(most) }
    }
}

impl BatchWish {
    /// As the model takes it.
    pub(super) fn patience(self) -> Patience {
        Patience { quiet: self.quiet.0, poll: self.poll.0, most: self.patience.0 }
    }
}

/// A length of time, written as a number of seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "f64")]
pub struct Seconds(pub Duration);

impl TryFrom<f64> for Seconds {
    type Error = String;
    fn try_from(seconds: f64) -> Result<Self, String> {
        let duration = Duration::try_from_secs_f64(seconds).ok().filter(|d| !d.is_zero() && d.as_secs() < 1 << 32);
        duration.map(Self).ok_or_else(|| format!("{seconds} is no number of seconds that can be waited"))
    }
}

/// A word or a table.
pub(super) fn batch<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<BatchWish>, D::Error> {
    struct Batch;
    impl<'de> Visitor<'de> for Batch {
        type Value = Option<BatchWish>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("`true`, `false`, or a table with `quiet`, `poll` and `patience` in seconds")
        }

        fn visit_bool<E: serde::de::Error>(self, wanted: bool) -> Result<Self::Value, E> {
            Ok(wanted.then(BatchWish::default))
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
            BatchWish::deserialize(MapAccessDeserializer::new(map)).map(Some)
        }
    }
    deserializer.deserialize_any(Batch)
}

#[cfg(test)]
mod tests {
    use super::super::Manifest;
    use super::*;
    use std::path::Path;

    #[test]
    fn batches_are_a_word_or_a_table() {
        let batch = |line: &str| {
            let text = format!("name = \"x\"\n[judge]\nmodel = \"openai:m\"\n{line}\n");
            let manifest = Manifest::parse(Path::new("dataset.toml"), &text).map_err(|e| e.to_string())?;
            Ok::<_, String>(manifest.judge.and_then(|judge| judge.batch))
        };
        assert_eq!((batch(""), batch("batch = false")), (Ok(None), Ok(None)));
        assert_eq!(batch("batch = true"), Ok(Some(BatchWish::default())));
        let poll = Seconds(Duration::from_millis(2500));
        assert_eq!(batch("batch = { poll = 2.5 }"), Ok(Some(BatchWish { poll, ..BatchWish::default() })));
        assert!(batch("batch = { pol = 2 }").unwrap_err().contains("unknown field `pol`"));
        assert!(batch("batch = { poll = 0 }").unwrap_err().contains("no number of seconds"));
        assert!(batch("batch = \"yes\"").unwrap_err().contains("`true`, `false`, or a table"));
    }
}
