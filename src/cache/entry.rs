//! What the cache knows about a document besides its bytes.

use super::Key;
use crate::law::{Day, Digest};
use serde::{Deserialize, Serialize};

/// Where bytes come from and when they were had; the clock is the caller's.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct About {
    /// The address, or a path relative to the folder they were read from.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub address: String,
    /// The day on which the source held these bytes at the latest; `None` = not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taken: Option<Day>,
    /// When they were fetched, in seconds since 1970-01-01T00:00:00Z.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fetched_at: Option<u64>,
    /// The compilation it came through (`owner/name:path`), where the source names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// Written for examples and tests: no law.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub specimen: bool,
    /// The content type the server named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_type: Option<String>,
    /// What was asked for: the media type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accept: Option<String>,
    /// The language asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The status it came with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The server's tag of these bytes, to ask whether they have changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub etag: Option<String>,
    /// The day on which they last changed, in the server's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<String>,
    /// The bytes that the source holds now, where they differ from these in mark-up alone: a page converted anew.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rebuilt: Option<Digest>,
}

/// One putting of bytes under a key: a line of the journal, of a shipped index, and the head of a blob.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The name.
    pub key: Key,
    /// Which bytes.
    pub digest: Digest,
    /// How many, uncompressed.
    pub size: u64,
    /// Whence and when.
    #[serde(flatten)]
    pub about: About,
}

impl Entry {
    /// The entry as one line of JSON.
    pub fn line(&self) -> String {
        // A struct of strings and numbers always has a JSON form.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The entry on a line, if it is one.
    pub fn read(line: &str) -> Option<Self> {
        serde_json::from_str(line).ok()
    }
}

/// Every putting under one key, oldest first. Nothing is ever taken out: a newer answer stands before an older
/// one, and the older one stays.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct History(Vec<Entry>);

impl History {
    /// Adds an entry; one that is already there only becomes the last.
    pub fn add(&mut self, entry: Entry) {
        self.0.retain(|known| *known != entry);
        self.0.push(entry);
    }

    /// The entry that counts: the one fetched last, else taken last, else put last.
    pub fn current(&self) -> Option<&Entry> {
        self.0.iter().max_by_key(|entry| (entry.about.fetched_at, entry.about.taken))
    }

    /// All of them, oldest first.
    pub fn entries(&self) -> &[Entry] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(bytes: &[u8], fetched_at: Option<u64>) -> Entry {
        let about = About { fetched_at, ..About::default() };
        Entry { key: "other/x".parse().unwrap(), digest: Digest::of(bytes), size: bytes.len() as u64, about }
    }

    #[test]
    fn the_newest_fetch_counts_whatever_the_order_of_puts() {
        let mut history = History::default();
        history.add(entry(b"new", Some(20)));
        history.add(entry(b"old", Some(10)));
        history.add(entry(b"undated", None));
        assert_eq!(history.current().unwrap().digest, Digest::of(b"new"));
        assert_eq!(history.entries().len(), 3);
    }

    #[test]
    fn replaying_the_same_puts_changes_nothing() {
        let puts = [entry(b"a", None), entry(b"b", None), entry(b"a", None)];
        let mut history = History::default();
        puts.iter().cloned().for_each(|e| history.add(e));
        let once = history.clone();
        puts.iter().cloned().for_each(|e| history.add(e));
        assert_eq!(history, once);
        assert_eq!(history.current().unwrap().digest, Digest::of(b"a"));
    }

    #[test]
    fn a_line_comes_back() {
        let entry = entry("ü\n\t".as_bytes(), Some(7));
        assert!(!entry.line().contains('\n'));
        assert_eq!(Entry::read(&entry.line()), Some(entry));
    }
}
