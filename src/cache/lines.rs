//! Records a line each, as found on disk: which are sound, which are bad, and whether the last was cut off.

use crate::law::Digest;
use serde_json::{Map, Value};
use std::fmt::Write as _;

/// How a record is written on its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flavour {
    /// `LENGTH CHECKSUM RECORD`: length in bytes (decimal), first 16 hex digits of the SHA-256, the record.
    Checked,
    /// The record alone, which is a JSON object (of which no shorter prefix is one): `items.jsonl` and the like.
    Json,
}

/// A record longer than this is taken for damage (bytes).
pub const LONGEST_RECORD: usize = 256 << 20;

impl Flavour {
    /// The record as its line, with the line end.
    pub fn line(self, record: &str) -> String {
        let mut line = String::new();
        self.push(&mut line, record);
        line
    }

    /// Adds the record's line to others.
    pub(super) fn push(self, lines: &mut String, record: &str) {
        lines.reserve(record.len() + 2 * CHECKSUM);
        if self == Self::Checked {
            let _ = write!(lines, "{} {} ", record.len(), Digest::of(record.as_bytes()).short(CHECKSUM));
        }
        lines.push_str(record);
        lines.push('\n');
    }

    /// The record on a line (without line end), if it is whole.
    pub fn record(self, line: &[u8]) -> Option<&str> {
        let text = std::str::from_utf8(line).ok()?;
        match self {
            Self::Checked => {
                let (length, rest) = text.split_once(' ')?;
                let (checksum, record) = rest.split_once(' ')?;
                // Compared as written: `+7` or `007` is damage.
                let sound =
                    length == record.len().to_string() && Digest::of(record.as_bytes()).short(CHECKSUM) == checksum;
                sound.then_some(record)
            }
            Self::Json => {
                let record = text.strip_suffix('\r').unwrap_or(text);
                serde_json::from_str::<Map<String, Value>>(record).is_ok().then_some(record)
            }
        }
    }
}

const CHECKSUM: usize = 16;

/// Where a record that cannot be read stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadLine {
    /// Its number, from 1.
    pub line: usize,
    /// Offset of its first byte.
    pub offset: usize,
    /// Its length in bytes, without the line end.
    pub len: usize,
}

/// What stands in a file of records.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Lines<'a> {
    /// The sound records with the offset of their line, in order.
    pub good: Vec<(usize, &'a str)>,
    /// Complete lines that hold no sound record; blank lines are passed over.
    pub bad: Vec<BadLine>,
    /// Where a cut-off last record begins: bytes after the last line end that are no whole record.
    pub torn: Option<usize>,
    /// Whether the bytes, without the torn ones, end where a new line may begin.
    pub ends_on_line: bool,
}

impl<'a> Lines<'a> {
    /// Reads all of `bytes`; never fails, for damage is part of the answer.
    ///
    /// ```
    /// use legal_link::cache::{Flavour, Lines};
    /// let read = Lines::read(Flavour::Json, b"{\"id\":1}\nrubbish\n{\"id\":2}\n{\"id\":3,\"te");
    /// assert_eq!(read.good.len(), 2);
    /// assert_eq!(read.bad[0].line, 2);
    /// assert_eq!(read.torn, Some(26));
    /// ```
    pub fn read(flavour: Flavour, bytes: &'a [u8]) -> Self {
        let mut read = Self { ends_on_line: true, ..Self::default() };
        let mut offset = 0;
        for (number, piece) in bytes.split_inclusive(|b| *b == b'\n').enumerate() {
            let complete = piece.last() == Some(&b'\n');
            let line = piece.strip_suffix(b"\n").unwrap_or(piece);
            let blank = line.iter().all(u8::is_ascii_whitespace);
            match flavour.record(line).filter(|r| r.len() <= LONGEST_RECORD) {
                Some(record) => {
                    read.good.push((offset, record));
                    read.ends_on_line = complete;
                }
                None if complete && blank => {}
                None if complete => read.bad.push(BadLine { line: number + 1, offset, len: line.len() }),
                None => read.torn = Some(offset),
            }
            offset += piece.len();
        }
        read
    }
}

/// What is still to do when a run is taken up again: by name, never by count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resumption<'a> {
    /// Wanted and not done, in the order wanted.
    pub todo: Vec<&'a str>,
    /// Done and not (or no longer) wanted, in the order done.
    pub unknown_done: Vec<&'a str>,
}

impl<'a> Resumption<'a> {
    /// Compares what is wanted with what a journal says is done.
    pub fn of(wanted: &[&'a str], done: &[&'a str]) -> Self {
        let have: std::collections::HashSet<_> = done.iter().copied().collect();
        let want: std::collections::HashSet<_> = wanted.iter().copied().collect();
        Self {
            todo: wanted.iter().copied().filter(|id| !have.contains(id)).collect(),
            unknown_done: done.iter().copied().filter(|id| !want.contains(id)).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn checked(records: &[String]) -> String {
        records.iter().map(|r| Flavour::Checked.line(r)).collect()
    }

    proptest! {
        #[test]
        fn records_come_back(records in proptest::collection::vec("[^\n]{0,40}", 0..8)) {
            let text = checked(&records);
            let read = Lines::read(Flavour::Checked, text.as_bytes());
            let back: Vec<_> = read.good.iter().map(|(_, r)| (*r).to_string()).collect();
            prop_assert_eq!(back, records);
            prop_assert!(read.bad.is_empty() && read.torn.is_none() && read.ends_on_line);
        }

        #[test]
        fn a_cut_loses_only_the_last_record(records in proptest::collection::vec("[a-z]{0,20}", 1..6), cut in 0usize..200) {
            let text = checked(&records);
            let cut = cut % text.len();
            let read = Lines::read(Flavour::Checked, &text.as_bytes()[..cut]);
            prop_assert!(read.bad.is_empty());
            for (found, (_, record)) in records.iter().zip(&read.good) {
                prop_assert_eq!(found, record);
            }
            let kept = read.torn.unwrap_or(cut);
            let again = checked(&records[..read.good.len()]);
            prop_assert_eq!(again.trim_end_matches('\n'), text[..kept].trim_end_matches('\n'));
        }

        #[test]
        fn no_bytes_make_it_panic_and_every_byte_is_accounted_for(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            for flavour in [Flavour::Checked, Flavour::Json] {
                let read = Lines::read(flavour, &bytes);
                prop_assert!(read.torn.is_none_or(|at| at < bytes.len()));
                prop_assert!(read.bad.iter().all(|b| b.offset + b.len < bytes.len()));
            }
        }

        #[test]
        fn a_flipped_bit_is_seen(record in "[a-z]{1,30}", at in 0usize..200, bit in 0u8..8) {
            let mut line = Flavour::Checked.line(&record).into_bytes();
            let at = at % (line.len() - 1);
            line[at] ^= 1 << bit;
            let read = Lines::read(Flavour::Checked, &line);
            prop_assert!(read.good.is_empty() || read.good[0].1 == record);
        }
    }
}
