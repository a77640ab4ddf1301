//! An act as read from one document: its title, its units in order, and what it says it does.

use super::outline::stands_in;
use super::{Celex, Clause, Day, Digest, Division, Language, Mark, Marked, Origin, Part, Quote, Span, Term};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// What a unit of an act is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnitKind {
    /// A "Having regard to …" line.
    Citation,
    /// A recital; the label is its number, counted where the act prints none.
    Recital,
    /// A group of articles (part, title, chapter, section); `part` says which.
    Container,
    /// An article.
    Article,
    /// A numbered paragraph of an article.
    Paragraph,
    /// An unnumbered paragraph.
    Subparagraph,
    /// A point, at any depth.
    Point,
    /// A data table (its cells joined by ` | `, rows by line breaks).
    Table,
    /// A footnote.
    Footnote,
    /// An annex.
    Annex,
    /// Signature, place and date.
    Final,
    /// A numbered paragraph of a judgment's reasons.
    Ground,
    /// A part of a judgment's operative part: what it rules.
    Ruling,
    /// A party to a case, and in which role.
    Party,
}

/// One unit: its own words, and where they stand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unit {
    /// What it is.
    pub kind: UnitKind,
    /// Its label as printed, without the word: `7`, `3`, `a`, `II`; empty if it has none.
    pub label: String,
    /// Its heading, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heading: Option<String>,
    /// Its full address (`8(3)(a)`), where law can name it; none for footnotes and final parts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<Part>,
    /// Its own words, without label, heading and the units inside it. White space runs as one
    /// blank; otherwise as written (quotation marks, dashes and brackets untouched).
    pub text: String,
    /// Bytes of the whole unit, label, heading and inner units included.
    pub span: Span,
    /// Index of the unit it stands in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<usize>,
    /// Whether it stands inside quotation marks: the words of another act that this one changes.
    #[serde(default)]
    pub quoted: bool,
    /// In a consolidated text, the origins of its words (of its heading where it has none): the first at 0, then one
    /// wherever another begins. Empty in other texts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Marked>,
}

impl Unit {
    /// Its own words as running text: the cells of a table behind commas, its rows behind semicolons.
    pub fn running(&self) -> Cow<'_, str> {
        match self.kind {
            UnitKind::Table => Cow::Owned(self.text.replace('\n', "; ").replace(" | ", ", ")),
            _ => Cow::Borrowed(&self.text),
        }
    }

    /// The last of the lines on which the unit stands in a flat document, without blanks around it: of a
    /// signature the name or the office; none if the unit is not of these bytes.
    pub fn last_line<'d>(&self, document: &'d [u8]) -> Option<&'d str> {
        let lines = std::str::from_utf8(self.span.slice(document)?).ok()?;
        lines.lines().map(str::trim).rfind(|line| !line.is_empty())
    }

    /// The origin that the unit begins with, in a consolidated text.
    pub fn origin(&self) -> Option<Mark> {
        self.marks.first().map(|m| m.mark)
    }

    /// Its label as a printed page has it before its words: `Article 7`, `1.`, `(a)`, `(12)`; empty if it has none.
    pub fn printed_head(&self) -> String {
        let label = &self.label;
        match (self.kind, &self.part) {
            (UnitKind::Container, Some(part)) if !part.steps().is_empty() => {
                part.steps().last().cloned().unwrap_or_default()
            }
            (UnitKind::Article | UnitKind::Annex | UnitKind::Container, Some(part)) => part.long(),
            _ if label.is_empty() => String::new(),
            (UnitKind::Paragraph, _) => format!("{label}."),
            (UnitKind::Recital | UnitKind::Point | UnitKind::Footnote, _) => format!("({label})"),
            _ => label.clone(),
        }
    }
}

/// The layout a text came in (the file part of `../shared/corpus`, and section 5 of the CELLAR notes).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Flavour {
    /// HTML 4 with `<TXT_TE>`, acts up to about 2004.
    TxtTe,
    /// XHTML with unprefixed classes (`ti-art`), no containers.
    Oj,
    /// XHTML with `eli-subdivision` containers and `oj-` classes.
    OjEli,
    /// Text without structure, one line per block or all in one.
    Plain,
    /// A consolidated text as XHTML with `eli-subdivision` containers and lists as grids.
    ConsEli,
    /// A consolidated text as XHTML with classes (`title-article-norm`), without containers.
    ConsOld,
    /// A consolidated text as HTML with styles in place of classes.
    ConsInline,
    /// A proposal of the Commission as XHTML made of a word processor's styles.
    Proposal,
    /// A judgment as XHTML.
    CjeuXhtml,
    /// A judgment as Markdown.
    CjeuMd,
    /// Formex 4, the publisher's XML: an act, a corrigendum, or an annex that is a document of its own.
    Formex,
    /// Formex 4 of a consolidated text.
    ConsolidatedFormex,
}

impl Flavour {
    /// Whether a judgment came in it: grounds and a ruling, no articles.
    pub fn is_judgment(self) -> bool {
        matches!(self, Self::CjeuXhtml | Self::CjeuMd)
    }

    /// Whether a consolidated text came in it.
    pub fn is_consolidated(self) -> bool {
        matches!(self, Self::ConsEli | Self::ConsOld | Self::ConsInline | Self::ConsolidatedFormex)
    }

    /// Its name in keys of documents, as in `oj-eli`.
    pub fn word(self) -> &'static str {
        match self {
            Self::TxtTe => "txt_te",
            Self::Oj => "oj",
            Self::OjEli => "oj-eli",
            Self::Plain => "plain",
            Self::ConsEli => "cons-eli",
            Self::ConsOld => "cons-old",
            Self::ConsInline => "cons-inline",
            Self::Proposal => "proposal",
            Self::CjeuXhtml => "cjeu-xhtml",
            Self::CjeuMd => "cjeu-md",
            Self::Formex | Self::ConsolidatedFormex => "fmx4",
        }
    }
}

/// An act as read from one document. Immutable once parsed; nothing in it is inferred from other acts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Act {
    /// Its CELEX number (told by whoever fetched it; checked against the document where that names itself).
    pub celex: Celex,
    /// The language of this expression.
    pub language: Language,
    /// The document these units were read from.
    pub document: Digest,
    /// The layout it came in.
    pub flavour: Flavour,
    /// Full title, number and date included, marks such as "(Text with EEA relevance)" left out.
    pub title: Quote,
    /// The date in the title: adoption or signature. A corrigendum has none of its own here.
    pub date_document: Option<Day>,
    /// The day of the Official Journal as printed on the document.
    pub published: Option<Day>,
    /// All units, in document order; a parent stands before its children.
    pub units: Vec<Unit>,
    /// What the title and the operative part do to other acts.
    pub clauses: Vec<Clause>,
    /// What the act says about its own entry into force, application and end.
    pub terms: Vec<Term>,
    /// The acts that a consolidated text is made of, the base first; empty for other texts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub origins: Vec<Origin>,
    /// The annexes that came as documents of their own, in their order, each with its spans into its own document;
    /// empty where the annexes stand in the same document.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub annexed: Vec<Act>,
}

impl Act {
    /// The unit with this address, quoted ones left out.
    pub fn unit(&self, part: &Part) -> Option<&Unit> {
        self.index_of(part).map(|i| &self.units[i])
    }

    /// The index of the unit with this address.
    pub fn index_of(&self, part: &Part) -> Option<usize> {
        self.units.iter().position(|u| !u.quoted && u.part.as_ref() == Some(part))
    }

    /// Its texts: this one, then the annexes that came as documents of their own. A span points into the document of
    /// the text that it is taken from.
    pub fn texts(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(&self.annexed)
    }

    /// The text, of this act's, that has the unit with this address, and the unit's index there.
    pub fn text_with(&self, part: &Part) -> Option<(&Self, usize)> {
        self.texts().find_map(|text| Some((text, text.index_of(part)?)))
    }

    /// The act's own articles, in order; those of an agreement in an annex are not among them.
    pub fn articles(&self) -> impl Iterator<Item = &Unit> {
        let annexed = |u: &Unit| u.part.as_ref().is_some_and(|p| p.division() == Division::Annex);
        self.units.iter().filter(move |u| u.kind == UnitKind::Article && !u.quoted && !annexed(u))
    }

    /// The act's recitals, in order.
    pub fn recitals(&self) -> impl Iterator<Item = &Unit> {
        self.units.iter().filter(|u| u.kind == UnitKind::Recital && !u.quoted)
    }

    /// Indices of the unit and of all units inside it, in order.
    pub fn subtree(&self, index: usize) -> Vec<usize> {
        let mut inside = vec![index];
        for (i, unit) in self.units.iter().enumerate().skip(index + 1) {
            if unit.parent.is_some_and(|p| inside.contains(&p)) {
                inside.push(i);
            }
        }
        inside
    }

    /// All words of a unit with its inner units, labels as `1.` or `(a)` before each, joined by blanks.
    pub fn full_text(&self, index: usize) -> String {
        let mut out = String::new();
        for i in self.subtree(index) {
            let unit = &self.units[i];
            if i != index && !unit.label.is_empty() {
                match unit.kind {
                    UnitKind::Paragraph => push(&mut out, &format!("{}.", unit.label)),
                    UnitKind::Point => push(&mut out, &format!("({})", unit.label)),
                    _ => {}
                }
            }
            push(&mut out, &unit.text);
        }
        out
    }

    /// The words of all units that lie wholly in `span`, each on its own line with its label and heading; the
    /// title first where it lies in it. The words of a unit cut by the span are left out.
    pub fn words_in(&self, span: &Span) -> String {
        let mut out = String::new();
        if span.contains(&self.title.span) && !self.title.text.is_empty() {
            out.push_str(&self.title.text);
        }
        for unit in self.units.iter().filter(|u| span.contains(&u.span)) {
            let head = unit.printed_head();
            let parts = [head.as_str(), unit.heading.as_deref().unwrap_or(""), unit.text.as_str()];
            let line = parts.into_iter().filter(|p| !p.is_empty()).collect::<Vec<_>>().join(" ");
            if !line.is_empty() {
                if !out.is_empty() {
                    out.push('\n');
                }
                out.push_str(&line);
            }
        }
        out
    }

    /// The nearest article, recital or annex that the unit at `index` stands in (or is).
    pub fn enclosing(&self, index: usize) -> usize {
        let mut at = index;
        loop {
            let unit = &self.units[at];
            if matches!(unit.kind, UnitKind::Article | UnitKind::Recital | UnitKind::Annex) {
                return at;
            }
            match unit.parent {
                Some(p) => at = p,
                None => return at,
            }
        }
    }

    /// Whether `inner` (an article, say) stands in the container `outer` (`Chapter IV`), by the act's own order.
    pub fn holds(&self, outer: &Part, inner: &Part) -> bool {
        if outer.contains(inner) {
            return true;
        }
        let (Some(outer), Some(inner)) = (self.index_of(outer), self.index_of(inner)) else { return false };
        stands_in(|at| self.units[at].parent, outer, inner)
    }
}

/// Pieces of text that stood apart, as one: a blank between two, and none where a piece is empty or nothing but blanks.
pub fn join_words<'a>(pieces: impl IntoIterator<Item = &'a str>) -> String {
    let mut out = String::new();
    for piece in pieces {
        push(&mut out, piece.trim());
    }
    out
}

fn push(out: &mut String, words: &str) {
    if !out.is_empty() && !words.is_empty() {
        out.push(' ');
    }
    out.push_str(words);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_ends_with_its_last_line() {
        let document = "Text.\nDone at Brussels, 4 June 2001.\nFor the Commission\n  J. DOE \n\nANNEX".as_bytes();
        let unit = Unit {
            kind: UnitKind::Final,
            label: String::new(),
            heading: None,
            part: None,
            text: String::new(),
            span: Span::new(6, document.len() - 5),
            parent: None,
            quoted: false,
            marks: Vec::new(),
        };
        assert_eq!(unit.last_line(document), Some("J. DOE"));
        assert_eq!(unit.last_line(b"Text."), None);
    }
}
