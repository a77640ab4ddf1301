//! The ledger: entries that are read one by one, each with its own check.

use super::StoredError;
use crate::law::Digest;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{Read, Seek, SeekFrom, Write};

/// The bytes before an entry's JSON: its length and the beginning of its hash.
const HEAD: usize = 4 + 8;

/// Writes an entry; gives the bytes it takes.
pub(super) fn write(out: &mut impl Write, entry: &impl Serialize) -> Result<u32, StoredError> {
    let json = serde_json::to_vec(entry).map_err(|e| StoredError::Facts(e.to_string()))?;
    let whole = u32::try_from(HEAD + json.len());
    let whole = whole.map_err(|_| StoredError::Facts("an entry of the ledger is too long".to_string()))?;
    out.write_all(&u32::try_from(json.len()).unwrap_or_default().to_le_bytes())?;
    out.write_all(&Digest::of(&json).as_bytes()[..8])?;
    out.write_all(&json)?;
    Ok(whole)
}

/// Reads the entry that stands there, where the ledger ends at `end`.
pub(super) fn read<T: DeserializeOwned>(from: &mut (impl Read + Seek), at: u64, end: u64) -> Result<T, StoredError> {
    let wrong = |why: &str| StoredError::Damaged(format!("the ledger entry at byte {at} {why}"));
    let mut head = [0; HEAD];
    from.seek(SeekFrom::Start(at))?;
    from.read_exact(&mut head)?;
    let (length, check) = head.split_at(4);
    let length = u32::from_le_bytes(length.try_into().unwrap_or_default());
    if at + HEAD as u64 + u64::from(length) > end {
        return Err(wrong("is longer than the ledger"));
    }
    let mut json = vec![0; length as usize];
    from.read_exact(&mut json)?;
    if Digest::of(&json).as_bytes()[..8] != *check {
        return Err(wrong("is not what was written"));
    }
    serde_json::from_slice(&json).map_err(|e| wrong(&format!("cannot be read: {e}")))
}
