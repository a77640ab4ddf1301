//! What an element says of the words inside it.

use super::super::block::{Region, Role};

/// What the words at a point of the document are, by the elements around them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub region: Region,
    pub role: Role,
    /// What the lines of a `TITLE` are here.
    pub titles: Titles,
    /// How many numbered points or list items stand around.
    pub depth: usize,
    /// Inside `QUOT.S`: the words of another act.
    pub quoted: bool,
    /// How many groups of an annex stand around.
    pub level: usize,
    /// The sign of the list whose item has begun here and has shown no words yet.
    pub item: Option<char>,
    /// The sign before the items of the list around.
    pub sign: Option<char>,
}

/// What a title is the title of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Titles {
    /// The act.
    Act,
    /// A division of articles, or a group in an annex.
    Group,
    /// An annex.
    Annex,
    /// A table or the like: its lines are text.
    Plain,
}

impl Place {
    pub fn outermost() -> Self {
        Self {
            region: Region::Loose,
            role: Role::Text,
            titles: Titles::Act,
            depth: 0,
            level: 0,
            quoted: false,
            item: None,
            sign: None,
        }
    }

    /// The place inside an element of this name, and whether it begins a region.
    pub fn inside(self, name: &[u8], list: Option<&str>) -> (Self, bool) {
        let mut inner = Self { item: None, ..self };
        let region = match name {
            b"PREAMBLE" => Some(Region::Preamble),
            b"VISA" => Some(Region::Citation),
            b"CONSID" => Some(Region::Recital),
            b"ENACTING.TERMS" => Some(Region::Enacting),
            b"ARTICLE" => Some(Region::Article),
            b"FINAL" => Some(Region::Final),
            b"ANNEX" | b"CONS.ANNEX" => Some(Region::Annex),
            b"TITLE" if self.titles == Titles::Act && self.region == Region::Loose => Some(Region::Title),
            _ => None,
        };
        match name {
            b"TITLE" => {
                inner.role = match self.titles {
                    Titles::Act if self.region == Region::Loose => Role::Title,
                    Titles::Annex => Role::Title,
                    Titles::Act | Titles::Group => Role::Group,
                    Titles::Plain => Role::Text,
                };
            }
            b"DIVISION" => inner.titles = Titles::Group,
            b"GR.SEQ" => {
                inner.titles = Titles::Group;
                inner.level += 1;
            }
            b"ANNEX" | b"CONS.ANNEX" => inner.titles = Titles::Annex,
            b"TBL" | b"GR.TBL" | b"CONTENTS.CORR" => inner.titles = Titles::Plain,
            b"TI.ART" => inner.role = Role::Article,
            b"STI.ART" => inner.role = Role::ArticleHeading,
            b"SIGNATURE" => inner.role = Role::Signature,
            b"QUOT.S" => inner.quoted = true,
            b"NP" if self.role == Role::Text => inner.depth += 1,
            b"ITEM" => inner.item = self.sign,
            _ => {}
        }
        if name == b"LIST" {
            inner.sign = match list {
                Some("DASH") => Some('—'),
                Some("NDASH") => Some('–'),
                Some("BULLET") => Some('•'),
                _ => None,
            };
        }
        // The regions of quoted words are those of another act, and the articles of an agreement in an annex are
        // not the act's own.
        let begins = region.filter(|r| !self.quoted && (self.region != Region::Annex || *r == Region::Annex));
        if let Some(region) = begins {
            inner.region = region;
        }
        (inner, begins.is_some())
    }
}

/// Whether an element stands inside a line of text and breaks none.
pub(super) fn is_inline(name: &[u8]) -> bool {
    matches!(
        name,
        b"HT"
            | b"DATE"
            | b"FT"
            | b"IE"
            | b"LINK"
            | b"REF.DOC"
            | b"REF.DOC.OJ"
            | b"REF.DOC.ECR"
            | b"REF.DOC.SE"
            | b"QUOT.START"
            | b"QUOT.END"
            | b"INCL.ELEMENT"
            | b"FORMULA"
            | b"EXPONENT"
            | b"IND"
            | b"ADDR"
            | b"ACRON"
            | b"FMT.VALUE"
            | b"NO.DOC.TXT"
    )
}

/// Whether an element holds no words of the text, but what is said about it.
pub(super) fn is_aside(name: &[u8]) -> bool {
    name.starts_with(b"BIB.") || matches!(name, b"FAM.COMP" | b"INFO.CONSLEG" | b"INFO.PROD" | b"PROD.ID" | b"FIN.ID")
}
