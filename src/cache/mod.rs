//! Bytes by key, on disk: an index over content-addressed compressed blobs, the shipped cache laid
//! under it, the one function for writes that must last, and the append-only journal.

mod blob;
mod care;
mod entry;
mod index;
mod journal;
mod key;
pub mod lasting;
mod lines;
mod pack;
mod shipped;
mod store;

pub use crate::law::Digest;
pub use blob::BlobFault;
pub use care::{Rebuilt, Stat, Verified};
pub use entry::{About, Entry, History};
pub use journal::{Journal, JournalError, Opened};
pub use key::{Key, KeyError};
pub use lasting::WriteError;
pub use lines::{BadLine, Flavour, LONGEST_RECORD, Lines, Resumption};
pub use pack::{PackError, Unpacked, pack};
pub use shipped::{INDEX, Shipped, ShippedError, lay_out, tidy};
pub use store::{Cache, CacheError, Found};
