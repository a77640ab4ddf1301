//! Zip archives: the Formex members of an act, or a bulk dump. Everything in them is bounded.

use crate::http::MOST_GROWTH;
use std::io::{Read, Seek};
use zip::ZipArchive;

/// How much is taken out of an archive at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Members, folders included.
    pub members: usize,
    /// Bytes of one member, uncompressed.
    pub longest: u64,
}

impl Bounds {
    /// For the streams of one act.
    pub const ACT: Self = Self { members: 4096, longest: 64 << 20 };
    /// For a dump of the acts of months or years.
    pub const DUMP: Self = Self { members: 2_000_000, longest: 256 << 20 };
}

/// Why an archive, or a member of it, is not read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ArchiveError {
    /// It is no zip archive, or its directory is broken.
    #[error("no zip archive that can be read: {0}")]
    Broken(String),
    /// It has more members than allowed.
    #[error("the archive has {found} members, and at most {most} are read")]
    TooMany {
        /// Its members.
        found: usize,
        /// The bound.
        most: usize,
    },
    /// A member is encrypted, packed by a method that is not read, cut, or fails its checksum.
    #[error("the member `{name}` cannot be read: {why}")]
    Member {
        /// The member's name, as far as it can be printed.
        name: String,
        /// What is wrong.
        why: String,
    },
    /// A member is longer than allowed.
    #[error("the member `{name}` is longer than {most} bytes")]
    TooLong {
        /// The member's name.
        name: String,
        /// The bound.
        most: u64,
    },
    /// A member grows beyond all measure.
    #[error("the member `{name}` grows more than {MOST_GROWTH} times when it is decompressed")]
    Bomb {
        /// The member's name.
        name: String,
    },
}

/// A file in an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Its name with its folders, as the archive has it. Never a path to write to.
    pub name: String,
    /// Its bytes, whose checksum was compared.
    pub bytes: Vec<u8>,
}

impl Member {
    /// The name without its folders.
    pub fn file(&self) -> &str {
        self.name.rsplit(['/', '\\']).next().unwrap_or(&self.name)
    }
}

/// An open archive. Members are read one at a time, in the order of its directory.
pub struct Archive<R> {
    zip: ZipArchive<R>,
    bounds: Bounds,
}

impl<R: Read + Seek> Archive<R> {
    /// Reads the archive's directory.
    ///
    /// # Errors
    /// [`ArchiveError::Broken`], [`ArchiveError::TooMany`].
    pub fn open(source: R, bounds: Bounds) -> Result<Self, ArchiveError> {
        let zip = ZipArchive::new(source).map_err(|e| ArchiveError::Broken(e.to_string()))?;
        match zip.len() {
            found if found > bounds.members => Err(ArchiveError::TooMany { found, most: bounds.members }),
            _ => Ok(Self { zip, bounds }),
        }
    }

    /// How many members there are, folders included.
    pub fn len(&self) -> usize {
        self.zip.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.zip.is_empty()
    }

    /// The member at this place; `None` for a folder, or past the end.
    ///
    /// # Errors
    /// [`ArchiveError`] with the member's name.
    pub fn member(&mut self, at: usize) -> Result<Option<Member>, ArchiveError> {
        if at >= self.zip.len() {
            return Ok(None);
        }
        let printable = |name: &str| name.chars().filter(|c| !c.is_control()).take(200).collect::<String>();
        let known = self.zip.name_for_index(at).and_then(Result::ok).map(|name| printable(&name)).unwrap_or_default();
        let failed = |why: String| ArchiveError::Member { name: known.clone(), why };
        let mut file = self.zip.by_index(at).map_err(|e| failed(e.to_string()))?;
        if file.is_dir() {
            return Ok(None);
        }
        // What the directory says of sizes is not believed: the bytes are counted as they come.
        let grown = file.compressed_size().saturating_mul(MOST_GROWTH as u64).max(1 << 20);
        let most = grown.min(self.bounds.longest);
        let mut bytes = Vec::new();
        file.by_ref().take(most + 1).read_to_end(&mut bytes).map_err(|e| failed(e.to_string()))?;
        match bytes.len() as u64 > most {
            true if most < self.bounds.longest => Err(ArchiveError::Bomb { name: known }),
            true => Err(ArchiveError::TooLong { name: known, most }),
            false => Ok(Some(Member { name: known, bytes })),
        }
    }

    /// All files in it, in the order of their names.
    ///
    /// # Errors
    /// The first member that cannot be read.
    pub fn members(&mut self) -> Result<Vec<Member>, ArchiveError> {
        let mut found = Vec::new();
        for at in 0..self.len() {
            found.extend(self.member(at)?);
        }
        found.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Cursor, Write as _};
    use zip::write::SimpleFileOptions;

    fn packed(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in files {
            writer.start_file(*name, SimpleFileOptions::default()).unwrap();
            writer.write_all(bytes).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    fn opened(bytes: &[u8]) -> Result<Vec<Member>, ArchiveError> {
        Archive::open(Cursor::new(bytes), Bounds { members: 3, longest: 4 << 20 })?.members()
    }

    #[test]
    fn members_come_sorted_with_their_bytes() {
        let members = opened(&packed(&[("b/two.xml", b"<B/>"), ("a/one.xml", b"<A/>")])).unwrap();
        let told: Vec<_> = members.iter().map(|m| (m.file(), m.bytes.as_slice())).collect();
        assert_eq!(told, [("one.xml", b"<A/>".as_slice()), ("two.xml", b"<B/>")]);
    }

    #[test]
    fn bombs_crowds_cuts_and_forgeries_are_refused() {
        let zeros = vec![0; 3 << 20];
        assert!(matches!(opened(&packed(&[("x", &zeros)])), Err(ArchiveError::Bomb { .. })));
        let noise: Vec<u8> = (0u32..6 << 20).map(|n| n.wrapping_mul(2_654_435_761).to_be_bytes()[0]).collect();
        assert!(matches!(opened(&packed(&[("x", &noise)])), Err(ArchiveError::TooLong { .. })));
        let many = packed(&[("1", b"x"), ("2", b"x"), ("3", b"x"), ("4", b"x")]);
        assert!(matches!(opened(&many), Err(ArchiveError::TooMany { found: 4, .. })));
        let sound = packed(&[("x", b"some words of a text")]);
        assert!(matches!(opened(&sound[..sound.len() - 30]), Err(ArchiveError::Broken(_))));
        let mut forged = sound.clone();
        forged[35] ^= 0x55;
        assert!(matches!(opened(&forged), Err(ArchiveError::Member { .. })));
        assert!(opened(b"").is_err() && opened(b"PK\x03\x04").is_err());
    }
}
