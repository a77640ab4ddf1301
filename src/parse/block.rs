//! Blocks: what every layout is reduced to before units are made of it.

use super::words::Words;
use crate::law::Marked;
use std::borrow::Cow;

/// What a block's own markup says it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Role {
    /// A line of the journal's page header.
    Header,
    /// A line of a title (of the act or of an annex).
    Title,
    /// "Article 7".
    Article,
    /// The heading under it.
    ArticleHeading,
    /// "CHAPTER IV", or the first heading of a group in an annex.
    Group,
    /// The heading under it.
    GroupHeading,
    /// Running text.
    #[default]
    Text,
    /// A data table.
    Table,
    /// A footnote.
    Note,
    /// A line of the signatures.
    Signature,
}

/// What the containers around a block say; `Loose` where the layout has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Region {
    /// No container.
    Loose,
    /// The main title.
    Title,
    /// The preamble, outside citations and recitals.
    Preamble,
    /// A citation.
    Citation,
    /// A recital.
    Recital,
    /// The enacting terms.
    Enacting,
    /// Inside an article of the act's own.
    Article,
    /// The final part.
    Final,
    /// An annex.
    Annex,
}

impl Region {
    /// The region of a container by its id: `rct_4`, `art_7`, `anx_II`.
    pub fn of_container(id: &str) -> Option<Self> {
        match id.split_once('_')?.0 {
            "tit" => Some(Self::Title),
            "pbl" => Some(Self::Preamble),
            "cit" => Some(Self::Citation),
            "rct" => Some(Self::Recital),
            "enc" => Some(Self::Enacting),
            "art" => Some(Self::Article),
            "fnp" => Some(Self::Final),
            "anx" => Some(Self::Annex),
            _ => None,
        }
    }

    /// Where a block stands: in the region its own style says, else in that of the innermost of the containers that
    /// are `open`, innermost first.
    pub fn within(mut open: impl Iterator<Item = Self>, own: Option<Self>) -> Self {
        let inner = open.next().unwrap_or(Self::Loose);
        // The articles of an agreement in an annex are not the act's own.
        if open.any(|r| r == Self::Annex) { Self::Annex } else { own.unwrap_or(inner) }
    }
}

/// One block of text.
#[derive(Debug, Clone)]
pub(super) struct Block {
    /// Its words; may be empty if it only carries a marker.
    pub words: Words,
    /// What its markup says it is.
    pub role: Role,
    /// Where it stands.
    pub region: Region,
    /// How many layout tables it stands in; 0 in flat text.
    pub depth: usize,
    /// The words of its marker column (`(a)`, `—`).
    pub marker: Option<Words>,
    /// Whether its container begins with it.
    pub opens: bool,
    /// How deep a group of an annex stands among groups, from 1; 0 where the layout does not tell.
    pub level: usize,
    /// In a consolidated text, the origins of its words: the first at 0.
    pub marks: Vec<Marked>,
    /// Whether its markup says that it is quoted: the words of another act.
    pub quoted: bool,
}

impl Block {
    /// Running text without containers or markers.
    pub fn loose(words: Words) -> Self {
        Self {
            words,
            role: Role::Text,
            region: Region::Loose,
            depth: 0,
            level: 0,
            marker: None,
            opens: false,
            marks: Vec::new(),
            quoted: false,
        }
    }

    /// The block with its marker before its words.
    pub fn marked(&self) -> Cow<'_, Self> {
        let Some(marker) = &self.marker else { return Cow::Borrowed(self) };
        let mut words = marker.clone();
        words.join(&self.words);
        let shift = words.text().len() - self.text().len();
        let marks = self.marks.iter().map(|m| Marked { at: m.at + shift, ..*m }).collect();
        Cow::Owned(Self { words, marks, marker: None, ..self.clone() })
    }

    /// Its text.
    pub fn text(&self) -> &str {
        self.words.text()
    }
}
