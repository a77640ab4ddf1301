//! Bytes by key, on disk: an index over content-addressed compressed blobs, the shipped cache laid
//! under it, the one function for writes that must last, and the append-only journal.

mod journal;
mod key;
pub mod lasting;
mod lines;

pub use crate::law::Digest;
pub use journal::{Journal, JournalError, Opened};
pub use key::{Key, KeyError};
pub use lasting::WriteError;
pub use lines::{BadLine, Flavour, LONGEST_RECORD, Lines, Resumption};
