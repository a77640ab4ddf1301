//! The lock: what happened in a build, exact enough to repeat it and to find what changed.

use crate::law::{Day, Digest};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// `dataset.lock`. Sorted throughout, so that equal builds give equal bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lock {
    /// The format of this file.
    pub version: u32,
    /// The tool and its version: `legal-link 0.1.0`.
    pub tool: String,
    /// The seed of every seeded order.
    pub seed: u64,
    /// Where the documents came from, as the manifest names it; recorded, not compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The day up to which the sources know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known_on: Option<Day>,
    /// Whether the build ran to its end (a budget may stop it before).
    #[serde(default)]
    pub complete: bool,
    /// What was asked for and could not be had, one line each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub short: Vec<String>,
    /// The manifest's bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub manifest: Option<Digest>,
    /// The bytes of the list of pairs, where the manifest names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pairs: Option<Digest>,
    /// The bytes of the file of prompts that an optimization chose, where the manifest names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompts_file: Option<Digest>,
    /// Rubric files by name: registry, checks, judge.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rubrics: BTreeMap<String, Digest>,
    /// Prompt components by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub prompts: BTreeMap<String, Digest>,
    /// Each model asked.
    #[serde(default, rename = "model", skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<LockedModel>,
    /// Each stage, in order.
    #[serde(default, rename = "stage", skip_serializing_if = "Vec::is_empty")]
    pub stages: Vec<LockedStage>,
    /// Each output file, by path.
    #[serde(default, rename = "file", skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<LockedFile>,
    /// Each document used, by key.
    #[serde(default, rename = "document", skip_serializing_if = "Vec::is_empty")]
    pub documents: Vec<LockedDocument>,
}

/// A document as it was used.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LockedDocument {
    /// Its key: what was asked for.
    pub key: String,
    /// Its bytes.
    pub sha256: Digest,
    /// How many.
    pub bytes: u64,
    /// Where it came from; recorded, not compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// The day it was taken; recorded, not compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taken: Option<Day>,
}

/// A model as it was asked.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LockedModel {
    /// What it did: `author`, `judge`, `perturber`.
    pub role: String,
    /// As the manifest names it: `provider:model`.
    pub model: String,
    /// The name the server gave.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub served: Option<String>,
    /// Parameters sent, as text.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, String>,
    /// What its probe showed.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub probe: BTreeMap<String, String>,
}

/// A stage: hashes over all its inputs and outputs, and how many there were.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LockedStage {
    /// Its name.
    pub name: String,
    /// Its version: raised when its output changes.
    pub version: u32,
    /// Over the input values, parameters and seed.
    pub input: Digest,
    /// Over the output values.
    pub output: Digest,
    /// How many values went in.
    pub taken: u64,
    /// How many came out.
    pub made: u64,
    /// How many warnings.
    #[serde(default)]
    pub warnings: u64,
}

/// An output file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LockedFile {
    /// Path inside the output folder, `/` between its parts.
    pub path: String,
    /// Its bytes.
    pub sha256: Digest,
    /// How many.
    pub bytes: u64,
    /// How many rows, of a table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<u64>,
}

/// A text that is no lock of ours.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LockError {
    /// It does not read as one.
    #[error("dataset.lock does not read: {0}; build again without --locked to make a new one")]
    Malformed(String),
    /// A value has no form in TOML.
    #[error("dataset.lock cannot be written: {0}; use a seed below 2^63")]
    Unwritable(String),
    /// A later version of this tool wrote it.
    #[error("dataset.lock has format {found}, and this version reads up to {known}: use a newer legal-link")]
    Newer {
        /// The format found.
        found: u32,
        /// The newest format known.
        known: u32,
    },
}

impl Lock {
    /// The format written.
    pub const VERSION: u32 = 1;

    /// An empty lock of this format.
    pub fn new(tool: impl Into<String>, seed: u64) -> Self {
        Self { version: Self::VERSION, tool: tool.into(), seed, ..Self::default() }
    }

    /// Sorts what has no order of its own (all but the stages).
    pub fn sort(&mut self) {
        self.documents.sort();
        self.models.sort();
        self.files.sort();
    }

    /// As TOML, sorted.
    ///
    /// # Errors
    /// [`LockError::Unwritable`] for a number beyond 2^63, which TOML has no form for.
    pub fn to_toml(&self) -> Result<String, LockError> {
        let mut sorted = self.clone();
        sorted.sort();
        toml::to_string(&sorted).map_err(|e| LockError::Unwritable(e.to_string()))
    }

    /// Reads a lock.
    ///
    /// # Errors
    /// [`LockError`] if it is malformed or of a newer format.
    pub fn parse(text: &str) -> Result<Self, LockError> {
        let lock: Self = toml::from_str(text).map_err(|e| LockError::Malformed(e.message().to_string()))?;
        if lock.version > Self::VERSION {
            return Err(LockError::Newer { found: lock.version, known: Self::VERSION });
        }
        Ok(lock)
    }

    /// The same without what only says where documents were had from: equal for equal inputs.
    #[must_use]
    pub fn without_places(&self) -> Self {
        let mut lock = Self { source: None, ..self.clone() };
        lock.documents.iter_mut().for_each(|document| document.address = None);
        lock
    }

    /// What differs from `other` in a way that matters, one plain line each: everything but times,
    /// addresses and warnings.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let mut out = Vec::new();
        let mut scalar = |what: &str, a: String, b: String| {
            if a != b {
                out.push(format!("{what}: {a}, was {b}"));
            }
        };
        let shown = |d: &Option<Day>| d.map_or_else(|| "none".to_string(), |d| d.to_string());
        let hash = |d: &Option<Digest>| d.map_or_else(|| "none".to_string(), |d| d.to_string());
        scalar("tool", self.tool.clone(), other.tool.clone());
        scalar("seed", self.seed.to_string(), other.seed.to_string());
        scalar("known_on", shown(&self.known_on), shown(&other.known_on));
        scalar("manifest", hash(&self.manifest), hash(&other.manifest));
        scalar("list of pairs", hash(&self.pairs), hash(&other.pairs));
        scalar("file of prompts", hash(&self.prompts_file), hash(&other.prompts_file));
        compare(&mut out, "rubric", &self.rubrics, &other.rubrics);
        compare(&mut out, "prompt", &self.prompts, &other.prompts);
        compare(&mut out, "document", &documents(self), &documents(other));
        compare(&mut out, "model", &models(self), &models(other));
        compare(&mut out, "stage", &stages(self), &stages(other));
        compare(&mut out, "file", &files(self), &files(other));
        out
    }
}

fn documents(lock: &Lock) -> BTreeMap<String, Digest> {
    lock.documents.iter().map(|d| (d.key.clone(), d.sha256)).collect()
}

fn models(lock: &Lock) -> BTreeMap<String, (Option<String>, BTreeMap<String, String>)> {
    let named = |m: &LockedModel| (format!("{} {}", m.role, m.model), (m.served.clone(), m.parameters.clone()));
    lock.models.iter().map(named).collect()
}

fn stages(lock: &Lock) -> BTreeMap<String, (u32, Digest, Digest)> {
    lock.stages.iter().map(|s| (s.name.clone(), (s.version, s.input, s.output))).collect()
}

fn files(lock: &Lock) -> BTreeMap<String, (Digest, Option<u64>)> {
    lock.files.iter().map(|f| (f.path.clone(), (f.sha256, f.rows))).collect()
}

fn compare<V: PartialEq>(out: &mut Vec<String>, what: &str, now: &BTreeMap<String, V>, then: &BTreeMap<String, V>) {
    for (name, value) in now {
        match then.get(name) {
            None => out.push(format!("{what} {name} is new")),
            Some(old) if old != value => out.push(format!("{what} {name} changed")),
            Some(_) => {}
        }
    }
    out.extend(then.keys().filter(|name| !now.contains_key(*name)).map(|name| format!("{what} {name} is gone")));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Lock {
        let mut lock = Lock::new("legal-link 0.1.0", 7);
        lock.documents.push(LockedDocument {
            key: "32001R9001/eng".into(),
            sha256: Digest::of(b"text"),
            bytes: 4,
            address: Some("folder".into()),
            taken: "2026-08-01".parse().ok(),
        });
        lock.files.push(LockedFile { path: "items.jsonl".into(), sha256: Digest::of(b"{}"), bytes: 2, rows: Some(1) });
        lock
    }

    #[test]
    fn a_lock_reads_back_as_it_was_written() {
        assert_eq!(sample().to_toml().and_then(|text| Lock::parse(&text)), Ok(sample()));
    }

    #[test]
    fn times_and_addresses_are_not_compared_and_bytes_are() {
        let (then, mut now) = (sample(), sample());
        now.documents[0].taken = None;
        now.documents[0].address = None;
        assert_eq!(now.differences(&then), Vec::<String>::new());
        now.documents[0].sha256 = Digest::of(b"other");
        now.files.clear();
        assert_eq!(now.differences(&then), ["document 32001R9001/eng changed", "file items.jsonl is gone"]);
    }

    #[test]
    fn a_newer_format_says_so() {
        let text = "version = 2\ntool = \"legal-link 9\"\nseed = 7";
        assert_eq!(Lock::parse(text), Err(LockError::Newer { found: 2, known: 1 }));
    }
}
