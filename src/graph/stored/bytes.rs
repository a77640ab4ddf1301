//! Numbers and days as bytes, little end first, and a reader that never asks for more than there is.

use super::StoredError;
use crate::graph::Moment;
use crate::law::Day;
use sha2::{Digest as _, Sha256};
use std::io::Read;

/// A list that is written row by row.
#[derive(Debug, Default)]
pub(super) struct Rows {
    pub count: u64,
    pub bytes: Vec<u8>,
}

impl Rows {
    pub fn u8(&mut self, n: u8) -> &mut Self {
        self.bytes.push(n);
        self
    }

    pub fn u16(&mut self, n: u16) -> &mut Self {
        self.bytes.extend(n.to_le_bytes());
        self
    }

    pub fn u32(&mut self, n: u32) -> &mut Self {
        self.bytes.extend(n.to_le_bytes());
        self
    }

    /// A day as the days since the beginning of 1952 and one; 0: none.
    pub fn day(&mut self, day: Option<Day>) -> &mut Self {
        self.u16(day.map_or(0, |d| d.number() + 1))
    }

    pub fn moment(&mut self, moment: Moment) -> &mut Self {
        self.day(moment.earliest).day(moment.latest)
    }

    /// Ends a row.
    pub fn end(&mut self) {
        self.count += 1;
    }
}

/// One row being read.
pub(super) struct Row<'a>(pub &'a [u8]);

impl Row<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        match self.0.split_first_chunk::<N>() {
            Some((head, rest)) => {
                self.0 = rest;
                *head
            }
            None => [0; N],
        }
    }

    pub fn u8(&mut self) -> u8 {
        self.take::<1>()[0]
    }

    pub fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.take())
    }

    pub fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.take())
    }

    pub fn day(&mut self) -> Result<Option<Day>, StoredError> {
        match self.u16() {
            0 => Ok(None),
            n => Day::from_number(n - 1).map(Some).ok_or_else(|| StoredError::damaged("a day out of range")),
        }
    }

    pub fn moment(&mut self) -> Result<Moment, StoredError> {
        let moment = Moment { earliest: self.day()?, latest: self.day()? };
        match moment {
            Moment { earliest: Some(e), latest: Some(l) } if e > l => {
                Err(StoredError::damaged("a moment turned round"))
            }
            _ => Ok(moment),
        }
    }
}

/// How many bytes are read at once.
const BLOCK: usize = 1 << 16;

/// Bytes being read and hashed.
pub(super) struct Section<'r> {
    from: &'r mut dyn Read,
    left: u64,
    hash: Sha256,
}

impl<'r> Section<'r> {
    pub fn new(from: &'r mut dyn Read, length: u64) -> Self {
        Self { from, left: length, hash: Sha256::new() }
    }

    fn fill(&mut self, block: &mut [u8]) -> Result<(), StoredError> {
        self.from.read_exact(block).map_err(StoredError::Io)?;
        self.hash.update(&*block);
        self.left -= block.len() as u64;
        Ok(())
    }

    /// The number of rows of `size` bytes that come next: no more than fit into what is left.
    fn count(&mut self, size: usize) -> Result<usize, StoredError> {
        let short = || StoredError::damaged("a list longer than the file");
        if self.left < 8 {
            return Err(short());
        }
        let mut head = [0; 8];
        self.fill(&mut head)?;
        let count = u64::from_le_bytes(head);
        let fits = count.checked_mul(size as u64).is_some_and(|bytes| bytes <= self.left);
        usize::try_from(count).ok().filter(|_| fits).ok_or_else(short)
    }

    /// A list, row by row.
    pub fn rows<T>(
        &mut self,
        size: usize,
        mut read: impl FnMut(Row<'_>) -> Result<T, StoredError>,
    ) -> Result<Vec<T>, StoredError> {
        let mut left = self.count(size)?;
        let mut rows = Vec::with_capacity(left);
        let mut block = vec![0; BLOCK / size * size];
        while left > 0 {
            let now = left.min(BLOCK / size);
            let bytes = &mut block[..now * size];
            self.fill(bytes)?;
            for row in bytes.chunks_exact(size) {
                rows.push(read(Row(row))?);
            }
            left -= now;
        }
        Ok(rows)
    }

    /// Bytes as they are.
    pub fn bytes(&mut self) -> Result<Vec<u8>, StoredError> {
        let mut bytes = vec![0; self.count(1)?];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    /// A value in JSON.
    pub fn json<T: serde::de::DeserializeOwned>(&mut self, what: &str) -> Result<T, StoredError> {
        serde_json::from_slice(&self.bytes()?).map_err(|e| StoredError::Damaged(format!("{what}: {e}")))
    }

    /// The hash of all that was read, if nothing is left.
    pub fn finish(self) -> Option<[u8; 32]> {
        (self.left == 0).then(|| self.hash.finalize().into())
    }
}
