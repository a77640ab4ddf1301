//! The two XHTML families: pages to blocks. Tables of a narrow and a wide column are points, not tables.

use super::block::{Block, Region, Role};
use super::coverage::letters;
use super::data::Data;
use super::markup::{Markup, Piece, attribute};
use super::words::Words;

/// Deeper nesting than any act has; what stands deeper is read as if it stood here.
const DEEPEST: usize = 64;
/// What is longer, in bytes, is no marker, in however narrow a column it stands.
const LONGEST_MARKER: usize = 40;

#[derive(Debug)]
enum Frame {
    /// A `div`, with the region it opens.
    Division(Option<Region>),
    /// A `table` and its column widths in per cent.
    Table(Table),
}

#[derive(Debug)]
struct Table {
    widths: Vec<u32>,
    kind: Option<TableKind>,
    column: usize,
    /// Marker of the current row, until a block takes it.
    marker: Words,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TableKind {
    /// A narrow column of markers and a wide one of text.
    Layout,
    /// Rows and columns that mean something.
    Data,
    /// Neither: a page header, a row of signatures.
    Plain,
}

struct Reader<'a> {
    source: &'a [u8],
    frames: Vec<Frame>,
    blocks: Vec<Block>,
    words: Words,
    role: Role,
    /// Inside the anchor of a footnote, whose sign is no word of the text.
    anchor: bool,
    /// The data table being read.
    data: Option<Data>,
    in_head: bool,
    /// A container has been opened and no block has been read in it yet.
    opens: bool,
    /// Letters and digits of footnote signs.
    aside: usize,
}

/// The blocks of a page, and how many letters and digits the signs of footnotes have that are left out of them.
pub(super) fn blocks(source: &[u8]) -> (Vec<Block>, usize) {
    let mut reader = Reader {
        source,
        frames: Vec::new(),
        blocks: Vec::new(),
        words: Words::default(),
        role: Role::Text,
        anchor: false,
        data: None,
        in_head: false,
        opens: false,
        aside: 0,
    };
    for piece in Markup::new(source) {
        match piece {
            Piece::Text { start, end } if !reader.anchor && !reader.in_head => reader.text(start, end),
            Piece::Text { start, end } => {
                let sign = source.get(start..end).and_then(|s| std::str::from_utf8(s).ok()).filter(|_| !reader.in_head);
                reader.aside += sign.map_or(0, letters);
            }
            Piece::Open { name, attributes, closed, start, end } => reader.open(name, attributes, closed, start, end),
            Piece::Close { name, start, end } => reader.close(name, start, end),
        }
    }
    reader.end_table();
    reader.flush();
    (reader.blocks, reader.aside)
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
            "head" => self.in_head = true,
            "body" => self.in_head = false,
            "a" if !closed => {
                let note = attribute(attributes, "id").is_some_and(|id| id.starts_with("ntc"))
                    || attribute(attributes, "href").is_some_and(|h| h.starts_with("#ntr"));
                self.anchor |= note;
            }
            "br" => self.sink().blank(start, end),
            "p" | "h1" | "h2" | "h3" | "h4" | "li" | "figure" => {
                self.boundary(start, end);
                self.role = attribute(attributes, "class").map_or(Role::Text, role);
            }
            "div" if !closed => {
                self.boundary(start, end);
                if self.frames.len() < DEEPEST {
                    let region = region(attributes);
                    self.opens |= region.is_some();
                    self.frames.push(Frame::Division(region));
                }
            }
            "table" if !closed => self.open_table(attributes, start, end),
            "col" => {
                if let Some(Frame::Table(table)) = self.frames.last_mut() {
                    let width = attribute(attributes, "width").unwrap_or("").trim_end_matches('%');
                    if table.widths.len() < DEEPEST {
                        table.widths.push(width.parse().unwrap_or(0));
                    }
                }
            }
            "tr" => self.open_row(start),
            "td" | "th" => {
                self.open_cell(start, end);
                if closed {
                    self.close_cell(start, end);
                }
            }
            _ => {}
        }
    }

    fn close(&mut self, name: &str, start: usize, end: usize) {
        match name {
            "head" => self.in_head = false,
            "a" => self.anchor = false,
            "p" | "h1" | "h2" | "h3" | "h4" | "li" | "figure" => self.boundary(start, end),
            "td" | "th" => self.close_cell(start, end),
            "tr" => self.close_row(),
            "div" => {
                self.boundary(start, end);
                if let Some(Frame::Division(_)) = self.frames.last() {
                    self.frames.pop();
                }
            }
            "table" => self.close_table(end),
            _ => {}
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
            return data.enter();
        }
        if self.frames.len() >= DEEPEST {
            return;
        }
        let class = attribute(attributes, "class").unwrap_or("");
        let data = older_class(class) == "table";
        let kind = data.then_some(TableKind::Data);
        self.frames.push(Frame::Table(Table { widths: Vec::new(), kind, column: 0, marker: Words::default() }));
        if data {
            self.data = Some(Data::default());
        }
    }

    fn open_row(&mut self, at: usize) {
        if let Some(data) = &mut self.data {
            return data.row(at);
        }
        if let Some(table) = self.table() {
            table.column = 0;
            let narrow = table.widths.first().is_some_and(|w| (1..=10).contains(w));
            let wide = table.widths.last().is_some_and(|w| *w >= 75);
            let kind = if narrow && wide { TableKind::Layout } else { TableKind::Plain };
            table.kind.get_or_insert(kind);
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

    fn close_row(&mut self) {
        self.boundary(0, 0);
        if let Some(table) = self.table()
            && table.kind == Some(TableKind::Layout)
            && !table.marker.is_empty()
        {
            // A row of a marker without text.
            self.markers();
        }
    }

    fn close_table(&mut self, end: usize) {
        if self.data.as_mut().is_some_and(Data::leave) {
            return;
        }
        self.boundary(end, end);
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
        self.anchor = false;
        if let Some(data) = &mut self.data {
            data.words.blank(start, end);
        } else {
            self.flush();
        }
        self.role = Role::Text;
    }

    fn flush(&mut self) {
        let words = std::mem::take(&mut self.words);
        if words.is_empty() {
            return;
        }
        if let Some(table) = self.table()
            && table.kind == Some(TableKind::Layout)
            && table.column + 1 < table.widths.len()
            && table.widths.get(table.column).is_some_and(|w| *w <= 10)
            && words.text().len() <= LONGEST_MARKER
        {
            table.marker.join(&words);
            return;
        }
        self.emit(words, self.role);
    }

    fn emit(&mut self, words: Words, role: Role) {
        // A semicolon after the end of a quoted division belongs to the block before it.
        if !words.text().chars().any(char::is_alphanumeric)
            && words.text().chars().all(|c| c.is_ascii_punctuation() || matches!(c, '’' | '”'))
            && !self.marked()
            && let Some(last) = self.blocks.last_mut()
        {
            last.words.append(&words, "");
            return;
        }
        let marker = self.markers();
        let (region, depth) = (self.region(), self.depth());
        let opens = std::mem::take(&mut self.opens);
        self.blocks.push(Block { role, region, depth, marker, opens, ..Block::loose(words) });
    }

    fn marked(&mut self) -> bool {
        self.table().is_some_and(|t| t.kind == Some(TableKind::Layout) && !t.marker.is_empty())
    }

    /// The marker of the innermost row. Markers of rows around it that no block has taken yet come out
    /// as blocks without words.
    fn markers(&mut self) -> Option<Words> {
        let mut waiting = Vec::new();
        let mut depth = 0;
        for frame in &mut self.frames {
            if let Frame::Table(table) = frame
                && table.kind == Some(TableKind::Layout)
            {
                depth += 1;
                if !table.marker.is_empty() {
                    waiting.push((depth, std::mem::take(&mut table.marker)));
                }
            }
        }
        let own = waiting.pop_if(|(at, _)| *at == depth).map(|(_, words)| words);
        let region = self.region();
        for (depth, marker) in waiting {
            self.blocks.push(Block { region, depth, marker: Some(marker), ..Block::loose(Words::default()) });
        }
        own
    }

    fn depth(&self) -> usize {
        let layout = |f: &&Frame| matches!(f, Frame::Table(t) if t.kind == Some(TableKind::Layout));
        self.frames.iter().filter(layout).count()
    }

    fn region(&self) -> Region {
        let open = self.frames.iter().rev().filter_map(|f| match f {
            Frame::Division(region) => *region,
            Frame::Table(_) => None,
        });
        Region::within(open, None)
    }
}

/// The older name of a style class: the journal renamed its classes with the prefix `oj-`.
pub fn older_class(class: &str) -> &str {
    class.strip_prefix("oj-").unwrap_or(class)
}

/// The role that a style class names.
fn role(class: &str) -> Role {
    match older_class(class.split_whitespace().next().unwrap_or("")) {
        "hd-date" | "hd-lg" | "hd-ti" | "hd-oj" | "hd-coll" | "hd-uniq" => Role::Header,
        "doc-ti" => Role::Title,
        "ti-art" => Role::Article,
        "sti-art" => Role::ArticleHeading,
        "ti-section-1" | "ti-grseq-1" => Role::Group,
        "ti-section-2" => Role::GroupHeading,
        "note" => Role::Note,
        "signatory" => Role::Signature,
        _ => Role::Text,
    }
}

/// The region that a container opens.
fn region(attributes: &str) -> Option<Region> {
    let id = attribute(attributes, "id")?;
    let class = attribute(attributes, "class")?;
    if !class.starts_with("eli-") {
        return None;
    }
    // The title of an article has the article's name, too.
    Region::of_container(id).filter(|r| *r != Region::Article || class.starts_with("eli-subdivision"))
}
