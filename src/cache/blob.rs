//! A blob: the bytes of a document as a gzip file named by their digest, with the entry they first came with in
//! its head, so that an index can be made anew from blobs alone.

use super::Entry;
use crate::law::Digest;
use flate2::bufread::GzDecoder;
use flate2::{Compression, GzBuilder};
use std::io::{Read as _, Write as _};

/// The longest document that is kept, in bytes uncompressed.
pub const LONGEST: u64 = 256 << 20;

/// Where the blob of these bytes stands, relative to the cache: `blobs/ab/abcd….gz`.
pub(super) fn path(digest: &Digest) -> String {
    format!("blobs/{}/{digest}.gz", digest.short(2))
}

/// The digest that a blob's path names, if it is the path of a blob.
pub(super) fn digest(of: &str) -> Option<Digest> {
    let name = of.rsplit('/').next()?.strip_suffix(".gz")?;
    let digest: Digest = name.parse().ok()?;
    (path(&digest) == of).then_some(digest)
}

/// What is wrong with a blob.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BlobFault {
    /// Not a gzip file, one that breaks off, or one with more behind its end.
    #[error("it cannot be decompressed")]
    Compression,
    /// More bytes than any document has.
    #[error("it is longer than any document may be")]
    TooLong,
    /// Other bytes than its name says.
    #[error("its bytes are not those that its name says")]
    Digest,
}

/// The file of a blob: the same bytes for the same input.
pub(super) fn pack(bytes: &[u8], entry: &Entry) -> Vec<u8> {
    let head = entry.line();
    let mut builder = GzBuilder::new().operating_system(255);
    if let Ok(len) = u16::try_from(head.len() + HEAD.len() + 2)
        && let Ok(own) = u16::try_from(head.len())
    {
        let mut extra = Vec::with_capacity(usize::from(len));
        extra.extend(HEAD);
        extra.extend(own.to_le_bytes());
        extra.extend(head.as_bytes());
        builder = builder.extra(extra);
    }
    let mut encoder = builder.write(Vec::with_capacity(bytes.len() / 4 + 256), Compression::default());
    // Writing to memory does not fail.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}

/// The name of our field in a gzip head (RFC 1952, section 2.3.1.1).
const HEAD: [u8; 2] = *b"LL";

/// The bytes in a blob's file, which have the digest `want`.
pub(super) fn unpack(file: &[u8], want: &Digest) -> Result<Vec<u8>, BlobFault> {
    let mut bytes = Vec::with_capacity(file.len().saturating_mul(3));
    let mut decoder = GzDecoder::new(file).take(LONGEST + 1);
    decoder.read_to_end(&mut bytes).map_err(|_| BlobFault::Compression)?;
    if bytes.len() as u64 > LONGEST {
        return Err(BlobFault::TooLong);
    }
    if !decoder.into_inner().into_inner().is_empty() {
        return Err(BlobFault::Compression);
    }
    if Digest::of(&bytes) == *want { Ok(bytes) } else { Err(BlobFault::Digest) }
}

/// The entry in a blob's head.
pub(super) fn head(file: &[u8]) -> Option<Entry> {
    let decoder = GzDecoder::new(file);
    let extra = decoder.header()?.extra()?;
    let (name, rest) = extra.split_at_checked(2)?;
    let (len, text) = rest.split_at_checked(2)?;
    let own = usize::from(u16::from_le_bytes(len.try_into().ok()?));
    if name != HEAD {
        return None;
    }
    Entry::read(std::str::from_utf8(text.get(..own)?).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache::About;

    fn entry(bytes: &[u8]) -> Entry {
        let about = About { address: "a/ä.xhtml".into(), ..About::default() };
        Entry { key: "other/x".parse().unwrap(), digest: Digest::of(bytes), size: bytes.len() as u64, about }
    }

    #[test]
    fn bytes_and_head_come_back() {
        let bytes = b"Article 1".repeat(100);
        let file = pack(&bytes, &entry(&bytes));
        assert_eq!(file, pack(&bytes, &entry(&bytes)));
        assert_eq!(unpack(&file, &Digest::of(&bytes)), Ok(bytes.clone()));
        assert_eq!(head(&file), Some(entry(&bytes)));
        assert_eq!(digest(&path(&Digest::of(&bytes))), Some(Digest::of(&bytes)));
        assert_eq!(digest("blobs/../x.gz"), None);
    }

    #[test]
    fn every_changed_byte_of_the_content_is_seen() {
        let bytes = b"Article 1 Subject matter".to_vec();
        let file = pack(&bytes, &entry(&bytes));
        for at in 0..file.len() {
            let mut changed = file.clone();
            changed[at] ^= 0x10;
            if let Ok(back) = unpack(&changed, &Digest::of(&bytes)) {
                assert_eq!(back, bytes);
            }
        }
        assert_eq!(unpack(&file[..file.len() - 9], &Digest::of(&bytes)), Err(BlobFault::Compression));
        assert_eq!(unpack(&[&file, &b"x"[..]].concat(), &Digest::of(&bytes)), Err(BlobFault::Compression));
    }
}
