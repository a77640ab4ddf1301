//! Pages that say in styles what their parts are: consolidated texts, proposals and judgments, to blocks.
//!
//! A point hangs: its marker stands in a narrow column (of a grid or a table), in a span of its own, or before a
//! span that only spaces words. Whatever comes first, marker or text, becomes a block with the depth it hangs at.

use super::block::{Block, Region, Role};
use super::data::Data;
use super::hanging::{Hanging, Table, TableKind};
use super::markup::{Markup, Piece, attribute};
use super::signs::{self, Marks};
use super::words::Words;

/// Deeper nesting than any text has; what stands deeper is read as if it stood here.
const DEEPEST: usize = 64;
/// No marker is longer: `(xviii)`, `‘Article 1a.`.
const LONGEST_MARKER: usize = 24;

/// How a page of a layout differs from the others.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Layout {
    /// Whether a printer for eyes put blanks between its elements, before commas and inside brackets.
    pub spaced: bool,
}

/// What was read of a page.
#[derive(Debug, Default)]
pub(super) struct Styled {
    /// All blocks.
    pub blocks: Vec<Block>,
    /// The block that the act proposed begins with, in a proposal: what stands before explains it.
    pub begins: Option<usize>,
}

#[derive(Debug)]
enum Frame {
    Division(Division),
    Table(Table),
}

#[derive(Debug, Default)]
struct Division {
    region: Option<Region>,
    /// What all paragraphs in it are.
    role: Option<Role>,
    /// Whether its text hangs: it is one level deeper than what is around it.
    hangs: bool,
    /// Whether it is a column of markers.
    narrow: bool,
    /// Whether it is a footnote with paragraphs in it.
    note: bool,
}

struct Reader<'a> {
    source: &'a [u8],
    layout: Layout,
    frames: Vec<Frame>,
    read: Styled,
    words: Words,
    /// What the style of the paragraph being read says.
    style: Style,
    /// The marker that the next block takes.
    hanging: Hanging,
    /// Spans that are open inside a span of a marker.
    marker_spans: Option<usize>,
    /// Inside the sign of a footnote.
    sign: bool,
    /// The data table being read.
    data: Option<Data>,
    opens: bool,
    marks: Marks,
    in_annex: bool,
}

/// The blocks of the page from a byte on.
pub(super) fn read(source: &[u8], from: usize, layout: Layout) -> Styled {
    let mut reader = Reader {
        source,
        layout,
        frames: Vec::new(),
        read: Styled::default(),
        words: Words::default(),
        style: Style::default(),
        hanging: Hanging::default(),
        marker_spans: None,
        sign: false,
        data: None,
        opens: false,
        marks: Marks::default(),
        in_annex: false,
    };
    for piece in Markup::from(source, from) {
        match piece {
            Piece::Text { start, end } if !reader.sign => reader.text(start, end),
            Piece::Text { .. } => {}
            Piece::Open { name, attributes, closed, start, end } => reader.open(name, attributes, closed, start, end),
            Piece::Close { name, start, end } => reader.close(name, start, end),
        }
    }
    reader.end_table();
    reader.flush();
    reader.bare_marker();
    reader.read
}

fn class(attributes: &str) -> &str {
    attribute(attributes, "class").unwrap_or("")
}

impl Reader<'_> {
    fn text(&mut self, start: usize, end: usize) {
        let source = self.source;
        self.sink().push(source, start, end, true);
    }

    /// Where words go.
    fn sink(&mut self) -> &mut Words {
        self.data.as_mut().map_or(&mut self.words, |data| &mut data.words)
    }

    fn open(&mut self, name: &str, attributes: &str, closed: bool, start: usize, end: usize) {
        match name {
            "p" | "h1" | "h2" | "h3" | "h4" | "li" if !self.in_note() => self.open_paragraph(attributes, start, end),
            "p" | "br" => self.sink().blank(start, end),
            "div" | "dd" if !closed => self.open_division(name, attributes, start, end),
            "span" if !closed => self.open_span(attributes),
            "a" if !closed => self.open_anchor(attributes, start),
            "table" if !closed => self.open_table(attributes, start, end),
            "col" => {
                if let Some(table) = self.table() {
                    table.width(attribute(attributes, "width").unwrap_or(""));
                }
            }
            "tr" => self.open_row(start),
            "td" | "th" => self.open_cell(start, end),
            _ => {}
        }
    }

    fn close(&mut self, name: &str, start: usize, end: usize) {
        match name {
            "p" | "h1" | "h2" | "h3" | "h4" | "li" if !self.in_note() => self.boundary(start, end),
            "a" => self.sign = false,
            "span" => self.close_span(),
            "td" | "th" => self.close_cell(start, end),
            "div" | "dd" => {
                self.boundary(start, end);
                if matches!(self.frames.last(), Some(Frame::Division(_))) {
                    self.frames.pop();
                }
            }
            "table" => self.close_table(start, end),
            _ => {}
        }
    }

    fn open_paragraph(&mut self, attributes: &str, start: usize, end: usize) {
        self.boundary(start, end);
        let class = class(attributes);
        self.style = style(class, self.in_annex);
        self.in_annex |= self.style.annex;
        self.opens |= self.style.opens;
        if class == "Typedudocument" {
            let statute = self.read.blocks.last().is_some_and(|b| b.role == Role::Title);
            self.read.begins = Some(self.read.blocks.len() - usize::from(statute));
        }
        let within = self.frames.iter().rev().find_map(|f| match f {
            Frame::Division(d) => d.role,
            Frame::Table(_) => None,
        });
        self.style.role = within.unwrap_or(self.style.role);
    }

    fn open_division(&mut self, name: &str, attributes: &str, start: usize, end: usize) {
        self.boundary(start, end);
        if self.frames.len() >= DEEPEST {
            return;
        }
        let class = class(attributes);
        let has = |word: &str| class.split_whitespace().any(|c| c == word);
        let indented = attribute(attributes, "style").is_some_and(|s| s.replace(' ', "").contains("text-indent:-"));
        let region = region(attribute(attributes, "id").unwrap_or(""));
        self.opens |= region.is_some();
        self.in_annex |= region == Some(Region::Annex);
        let role = match class {
            "eli-title" => Some(Role::ArticleHeading),
            "signature" | "signaturecase" => Some(Role::Signature),
            _ => None,
        };
        let note = name == "dd";
        self.frames.push(Frame::Division(Division {
            region: region.or_else(|| (class == "signature").then_some(Region::Final)),
            role,
            hangs: has("grid-list") || indented,
            narrow: has("grid-list-column-1"),
            note,
        }));
        if note {
            self.style.role = Role::Note;
        }
    }

    fn in_note(&self) -> bool {
        self.frames.iter().any(|f| matches!(f, Frame::Division(d) if d.note))
    }

    fn open_span(&mut self, attributes: &str) {
        if let Some(open) = &mut self.marker_spans {
            *open += 1;
            return;
        }
        if self.data.is_some() || self.in_note() {
            return;
        }
        if matches!(class(attributes), "no-parag" | "num") && self.words.is_empty() {
            self.marker_spans = Some(0);
            return;
        }
        // A span that only widens the blank after a marker.
        let spaces = attribute(attributes, "style").is_some_and(|s| s.contains("word-spacing"));
        if spaces && !self.words.is_empty() && self.words.text().len() <= LONGEST_MARKER {
            self.hang();
        }
    }

    fn close_span(&mut self) {
        match &mut self.marker_spans {
            Some(0) => {
                self.marker_spans = None;
                self.hang();
            }
            Some(open) => *open -= 1,
            None => {}
        }
    }

    /// The words read so far are the marker of what follows.
    fn hang(&mut self) {
        let marker = std::mem::take(&mut self.words);
        if marker.is_empty() {
            return;
        }
        self.bare_marker();
        self.hanging = Hanging { marker, depth: self.depth(), region: self.style.region };
    }

    /// A marker without words of its own comes out alone.
    fn bare_marker(&mut self) {
        let hanging = std::mem::take(&mut self.hanging);
        if !hanging.marker.is_empty() {
            let region = self.region_here(hanging.region);
            let mut block = Block { region, depth: hanging.depth, ..Block::loose(Words::default()) };
            block.marks = self.marks.of(&mut block.words);
            block.marker = Some(signs::plain(hanging.marker, &mut self.marks));
            block.opens = std::mem::take(&mut self.opens);
            self.read.blocks.push(block);
        }
    }

    /// The sign of a footnote is no word of the text; the way back from the footnote makes its paragraph one.
    fn open_anchor(&mut self, attributes: &str, start: usize) {
        let Some(to) = attribute(attributes, "href").and_then(|h| h.strip_prefix('#')) else { return };
        let back = ["src.", "c-", "footnoteref"].iter().any(|p| to.starts_with(p));
        if back {
            if self.words.text().len() <= 2 && self.data.is_none() && self.style.role == Role::Text {
                self.style.role = Role::Note;
            }
        } else if ["E", "t-", "footnote"].iter().any(|p| to.starts_with(p)) {
            self.sign = true;
            self.sink().separator(signs::SIGN, start);
        }
    }

    fn table(&mut self) -> Option<&mut Table> {
        self.frames.iter_mut().rev().find_map(|f| match f {
            Frame::Table(t) => Some(t),
            Frame::Division(_) => None,
        })
    }

    fn open_table(&mut self, attributes: &str, start: usize, end: usize) {
        self.boundary(start, end);
        if let Some(data) = &mut self.data {
            data.enter();
        } else if self.frames.len() < DEEPEST {
            let bordered = attribute(attributes, "border").is_none_or(|b| b != "0") || class(attributes) == "table";
            self.frames.push(Frame::Table(Table::new(bordered)));
        }
    }

    fn open_row(&mut self, at: usize) {
        if let Some(data) = &mut self.data {
            return data.row(at);
        }
        let begins = self.table().is_some_and(|table| {
            table.column = 0;
            table.settle() == TableKind::Data
        });
        if begins {
            self.bare_marker();
            self.data = Some(Data::default());
        }
    }

    fn open_cell(&mut self, start: usize, end: usize) {
        self.boundary(start, end);
        if let Some(data) = &mut self.data {
            data.cell(start);
        }
    }

    fn close_cell(&mut self, start: usize, end: usize) {
        self.boundary(start, end);
        if let Some(table) = self.table() {
            table.column += 1;
        }
    }

    fn close_table(&mut self, start: usize, end: usize) {
        if self.data.as_mut().is_some_and(Data::leave) {
            return;
        }
        self.boundary(start, end);
        self.end_table();
        if let Some(at) = self.frames.iter().rposition(|f| matches!(f, Frame::Table(_))) {
            self.frames.truncate(at);
        }
    }

    fn end_table(&mut self) {
        if let Some(words) = self.data.take().and_then(Data::said) {
            self.emit(words, Role::Table);
        }
    }

    /// The edge of a block: its words go out, and its role with it.
    fn boundary(&mut self, start: usize, end: usize) {
        self.sign = false;
        if let Some(data) = &mut self.data {
            data.words.blank(start, end);
        } else {
            self.marker_spans = None;
            self.flush();
        }
        if self.in_note() {
            return;
        }
        self.style = Style::default();
    }

    fn flush(&mut self) {
        if self.words.is_empty() {
            return;
        }
        let narrow = match self.frames.last() {
            Some(Frame::Division(d)) => d.narrow,
            Some(Frame::Table(t)) => t.in_marker_column(),
            None => false,
        };
        if narrow && self.words.text().len() <= LONGEST_MARKER {
            return self.hang();
        }
        let words = std::mem::take(&mut self.words);
        self.emit(words, self.style.role);
    }

    fn emit(&mut self, mut words: Words, role: Role) {
        let depth = self.depth();
        if !self.hanging.marker.is_empty() && self.hanging.depth != depth {
            self.bare_marker();
        }
        let hanging = std::mem::take(&mut self.hanging);
        let marker = Some(hanging.marker).filter(|m| !m.is_empty()).map(|m| signs::plain(m, &mut self.marks));
        if self.layout.spaced {
            words = signs::unspaced(words);
        }
        let mut marks = self.marks.of(&mut words);
        if role == Role::Note {
            // Notes are gathered at the end; of what origin each is, its place does not say.
            marks.clear();
        }
        // A mark that closes a quotation after a table belongs to the block before it.
        let closes = !words.is_empty() && words.text().chars().all(|c| matches!(c, '’' | '”' | ';' | '.' | ','));
        if closes
            && marker.is_none()
            && let Some(last) = self.read.blocks.last_mut()
        {
            return last.words.append(&words, "");
        }
        // A line of dashes stands where a passage was taken out; a mark alone stands for what follows.
        if words.text().chars().all(|c| matches!(c, '—' | ' ')) && marker.is_none() {
            return;
        }
        let region = self.region_here(self.style.region.or(hanging.region));
        let opens = std::mem::take(&mut self.opens);
        let quoted = self.style.quoted;
        self.read.blocks.push(Block { role, region, depth, marker, opens, marks, quoted, ..Block::loose(words) });
    }

    fn depth(&self) -> usize {
        let hangs = |f: &&Frame| match f {
            Frame::Division(d) => d.hangs,
            Frame::Table(t) => t.kind == Some(TableKind::Layout),
        };
        self.style.depth.unwrap_or_else(|| self.frames.iter().filter(hangs).count())
    }

    /// The region of the innermost container, or the paragraph's own.
    fn region_here(&self, own: Option<Region>) -> Region {
        let open = self.frames.iter().rev().filter_map(|f| match f {
            Frame::Division(d) => d.region,
            Frame::Table(_) => None,
        });
        Region::within(open, own)
    }
}

/// What a paragraph's style says.
#[derive(Default)]
struct Style {
    role: Role,
    region: Option<Region>,
    depth: Option<usize>,
    /// Whether a unit of its region begins with it.
    opens: bool,
    /// Whether it begins an annex.
    annex: bool,
    /// Whether it is the heading of another act's article.
    quoted: bool,
}

/// Reads a style class: of consolidated texts, of judgments (`coj-` is a later prefix), of the Commission's drafts.
fn style(class: &str, in_annex: bool) -> Style {
    let mut style = Style { quoted: class.ends_with("-quoted"), ..Style::default() };
    let mut names = class.split_whitespace().filter(|c| *c != "li");
    let name = names.next().unwrap_or("");
    let name = name.strip_prefix("coj-").unwrap_or(name);
    let level = |prefix: &str| name.strip_prefix(prefix).and_then(|l| l.parse::<usize>().ok());
    style.role = match name {
        "title-doc-first" | "title-doc-last" | "sum-title-1" | "Statut" | "Typedudocument" | "Titreobjet"
        | "IntrtEEE" => Role::Title,
        "title-annex-1" | "title-annex-2" | "Annexetitre" => {
            style.annex = true;
            Role::Title
        }
        "title-article-norm" | "Titrearticle" => {
            (style.region, style.opens) = (Some(Region::Article), true);
            Role::Article
        }
        "title-article-quoted" => Role::Article,
        "stitle-article-norm" | "stitle-article-quoted" => Role::ArticleHeading,
        "title-division-1" | "PartTitle" | "TitleTitle" | "ChapterTitle" | "SectionTitle" => Role::Group,
        "title-division-2" => Role::GroupHeading,
        "note" | "footnote" => Role::Note,
        "signatory" => Role::Signature,
        "title-gr-seq-level-1" | "title-gr-seq-level-2" | "title-gr-seq-level-3" | "title-gr-seq-level-4"
            if in_annex =>
        {
            Role::Group
        }
        _ if name.starts_with("title-grseq-") => {
            style.depth = level("title-grseq-");
            Role::Group
        }
        _ => Role::Text,
    };
    match name {
        "Applicationdirecte" | "Fait" => style.region = Some(Region::Final),
        "ManualConsidrant" | "Considrant" => {
            (style.region, style.opens, style.depth) = (Some(Region::Recital), true, Some(1));
        }
        _ => {}
    }
    // The drafts number the depth of their points from the margin.
    let drafted = ["ManualNumPar", "NumPar", "Point", "PointManual", "Tiret", "Bullet", "Text"];
    if let Some((prefix, level)) = drafted.iter().find_map(|p| level(p).map(|l| (*p, l))) {
        style.depth = Some(match prefix {
            "ManualNumPar" | "NumPar" | "Text" => level.saturating_sub(1),
            _ => level.max(1),
        });
    }
    style
}

/// The region that a container's name says.
fn region(id: &str) -> Option<Region> {
    if id.contains('.') { None } else { Region::of_container(id) }
}
