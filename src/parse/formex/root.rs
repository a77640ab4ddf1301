//! What a Formex document is, from its root element.

use std::str::FromStr;

/// The root elements of the documents that an act is published in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Root {
    /// `ACT`: an act without the annexes that came as documents of their own.
    Act,
    /// `ANNEX`: one annex of an act.
    Annex,
    /// `CORR`: a corrigendum.
    Corrigendum,
    /// `CONS.ACT`, `CONS.DOC`: a consolidated text.
    Consolidated,
    /// `CONS.ANNEX`: an annex of a consolidated text.
    ConsolidatedAnnex,
    /// `DOC`: the table of the parts that a document was published in. No text.
    Parts,
    /// `PUBLICATION`: the table of contents of an issue of the Official Journal. No text.
    Issue,
}

/// An element that is none of the known roots.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no root of a Formex text (want ACT, ANNEX, CORR, CONS.ACT, CONS.DOC, CONS.ANNEX, DOC, PUBLICATION)")]
pub struct RootError(String);

impl FromStr for Root {
    type Err = RootError;
    fn from_str(name: &str) -> Result<Self, RootError> {
        Ok(match name {
            "ACT" => Self::Act,
            "ANNEX" => Self::Annex,
            "CORR" => Self::Corrigendum,
            "CONS.ACT" | "CONS.DOC" => Self::Consolidated,
            "CONS.ANNEX" => Self::ConsolidatedAnnex,
            "DOC" => Self::Parts,
            "PUBLICATION" => Self::Issue,
            other => return Err(RootError(other.to_string())),
        })
    }
}

/// The root element of a document, if it is one of Formex that is known here.
///
/// ```
/// use legal_link::parse::{Root, formex_root};
/// assert_eq!(formex_root(b"<?xml version=\"1.0\"?>\n<!-- 1 --><ANNEX><TITLE/>"), Some(Root::Annex));
/// assert_eq!(formex_root(b"<html><body>ACT"), None);
/// ```
pub fn root(bytes: &[u8]) -> Option<Root> {
    let mut rest = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    // Declaration, comments, instructions and document type stand before the root.
    loop {
        let end: &[u8] = match rest {
            [b'<', b'?', ..] => b"?>",
            [b'<', b'!', b'-', b'-', ..] => b"-->",
            [b'<', b'!', ..] => b">",
            _ => break,
        };
        let close = super::super::markup::seek(rest, 2, end)?;
        rest = rest.get(close + end.len()..)?.trim_ascii_start();
    }
    let name = rest.strip_prefix(b"<")?;
    let length = name.iter().position(|b| b.is_ascii_whitespace() || matches!(b, b'>' | b'/'))?;
    std::str::from_utf8(&name[..length]).ok()?.parse().ok()
}
