//! Formex texts to blocks.

use super::super::Warning;
use super::super::act::Front;
use super::super::block::{Block, Role};
use super::super::data::Data;
use super::super::words::Words;
use super::family::{self, Passages};
use super::place::{Place, is_aside, is_inline};
use super::{Root, position, reader, root, value};
use crate::law::{Mark, Marked, Span};
use quick_xml::events::{BytesStart, Event};
use std::collections::BTreeSet;

/// Deeper nesting than any act has; what stands deeper is read as if it stood here.
const DEEPEST: usize = 256;

/// An open element: what the words around it were, and what its end does.
struct Frame {
    outer: Place,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Part of a line.
    Inline,
    /// A number to be set in groups of three figures.
    Number,
    /// A block, or a container of blocks.
    Block,
    /// No words of the text.
    Aside,
    /// A footnote.
    Note,
    /// The body of a data table.
    Table,
    /// A number printed before the words that follow, in the same line.
    Label,
    /// The number of a point.
    Marker,
    /// A paragraph or point, whose number may be without words.
    Numbered,
}

struct Note {
    words: Words,
    at: usize,
    numbering: Numbering,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Numbering {
    /// One after the other through the text.
    Running,
    /// With stars.
    Stars,
    /// Anew in each table.
    Table,
}

struct Walk<'a> {
    source: &'a [u8],
    frames: Vec<Frame>,
    /// How many elements are open beyond the deepest.
    beyond: usize,
    /// How many elements without words of the text are open.
    aside: usize,
    place: Place,
    blocks: Vec<Block>,
    words: Words,
    /// The number before the words that come next.
    label: Words,
    /// The marker of the point that comes next, and its depth.
    marker: Words,
    marked: usize,
    marking: bool,
    /// The title being read has shown its first line.
    titled: bool,
    /// A container has been opened and no block has been read in it yet.
    opens: bool,
    table: Option<Data>,
    note: Option<Note>,
    /// Notes on the block being read.
    notes: Vec<Block>,
    noted: [usize; 3],
    known_notes: BTreeSet<String>,
    /// In a consolidated text: where its words come from.
    passages: Passages,
    warnings: Vec<Warning>,
}

/// The blocks of a text.
pub(in super::super) fn front(source: &[u8]) -> Front {
    let consolidated = matches!(root(source), Some(Root::Consolidated | Root::ConsolidatedAnnex));
    let mut walk = Walk {
        source,
        frames: Vec::new(),
        beyond: 0,
        aside: 0,
        place: Place::outermost(),
        blocks: Vec::new(),
        words: Words::default(),
        label: Words::default(),
        marker: Words::default(),
        marked: 0,
        marking: false,
        titled: false,
        opens: false,
        table: None,
        note: None,
        notes: Vec::new(),
        noted: [0; 3],
        known_notes: BTreeSet::new(),
        passages: Passages::of(if consolidated { family::origins(source) } else { Vec::new() }),
        warnings: Vec::new(),
    };
    walk.events();
    walk.finish();
    let origins = walk.passages.origins;
    let base = origins.iter().find(|o| o.mark == Mark::BASE);
    let (names, published) = (base.and_then(|o| o.act.clone()), base.and_then(|o| o.published));
    Front { blocks: walk.blocks, names, published, origins, warnings: walk.warnings, ..Front::default() }
}

impl Walk<'_> {
    fn events(&mut self) {
        let (mut events, before) = reader(self.source);
        loop {
            let start = position(&events, before);
            let event = match events.read_event() {
                Ok(event) => event,
                Err(e) => return self.torn(start, &e.to_string()),
            };
            let end = position(&events, before);
            match event {
                Event::Start(tag) => self.open(&tag, start, end),
                Event::Empty(tag) => {
                    self.open(&tag, start, end);
                    self.close(end, end);
                }
                Event::End(_) => self.close(start, end),
                Event::Text(_) | Event::GeneralRef(_) => self.text(start, end, true),
                Event::CData(_) => self.text(start + 9, end.saturating_sub(3), false),
                Event::PI(instruction) => {
                    let content = String::from_utf8_lossy(&instruction);
                    if let Some((from, by)) = self.passages.instruction(&content, start, end) {
                        let message = format!("taken out by {by}: no part of this state, and left out");
                        self.warnings.push(Warning { span: Span::new(from, end), message });
                    }
                }
                Event::Eof if !self.frames.is_empty() => return self.torn(start, "it ends inside an element"),
                Event::Eof => return,
                _ => {}
            }
        }
    }

    fn torn(&mut self, at: usize, why: &str) {
        let message = format!("the document is torn here: {why}");
        self.warnings.push(Warning { span: Span::new(at, self.source.len()), message });
    }

    fn finish(&mut self) {
        self.beyond = 0;
        while !self.frames.is_empty() {
            self.close(self.source.len(), self.source.len());
        }
        self.flush();
        self.lone_label();
        self.lone_marker();
        self.blocks.append(&mut self.notes);
    }

    /// Where words go now.
    fn into(&mut self) -> &mut Words {
        if let Some(note) = &mut self.note {
            &mut note.words
        } else if let Some(table) = &mut self.table {
            &mut table.words
        } else if self.marking {
            &mut self.marker
        } else {
            &mut self.words
        }
    }

    fn text(&mut self, start: usize, end: usize, entities: bool) {
        if self.aside > 0 || self.passages.taken_out() {
            return;
        }
        let raw = self.source.get(start..end).unwrap_or_default();
        if !raw.trim_ascii().is_empty() {
            self.begin_item(start);
            self.originate();
        }
        let source = self.source;
        if self.frames.last().is_some_and(|f| f.kind == Kind::Number) {
            let figures = raw.iter().take_while(|b| b.is_ascii_digit()).count();
            let mut from = start;
            for at in (start + 1..start + figures).filter(|at| (start + figures - at).is_multiple_of(3)) {
                self.into().push(source, from, at, false);
                self.into().blank(at, at);
                from = at;
            }
            return self.into().push(source, from, end, entities);
        }
        self.into().push(source, start, end, entities);
    }

    fn open(&mut self, tag: &BytesStart, start: usize, end: usize) {
        if self.frames.len() >= DEEPEST {
            self.beyond += 1;
            return self.boundary(start, end);
        }
        let name = tag.name();
        let name = name.as_ref();
        if self.aside > 0 || is_aside(name) {
            self.aside += 1;
            return self.frames.push(Frame { outer: self.place, kind: Kind::Aside });
        }
        let inline = is_inline(name) || name == b"NOTE";
        if !inline {
            self.boundary(start, end);
        }
        if name == b"NP" {
            self.place.item = None;
        } else {
            self.begin_item(start);
        }
        let outer = self.place;
        let kind = match name {
            b"NOTE" => self.open_note(tag, start),
            b"FT" if value(tag, "TYPE") == Some("NUMBER") => Kind::Number,
            _ if inline => Kind::Inline,
            _ => self.open_block(tag, name, start),
        };
        if matches!(name, b"QUOT.START" | b"QUOT.END") {
            self.quotation_mark(tag, start, end);
        }
        self.frames.push(Frame { outer, kind });
    }

    fn open_block(&mut self, tag: &BytesStart, name: &[u8], start: usize) -> Kind {
        let in_line = self.note.is_some() || self.table.is_some() || self.place.role != Role::Text;
        let list = value(tag, "TYPE").filter(|_| name == b"LIST");
        let (inner, begins) = self.place.inside(name, list);
        self.place = inner;
        self.opens |= begins && !self.passages.taken_out();
        match name {
            b"TITLE" => self.titled = false,
            b"TBL" => self.noted[Numbering::Table as usize] = 0,
            b"NO.PARAG" => return Kind::Label,
            b"NO.P" if in_line => return Kind::Label,
            b"NO.P" => {
                self.lone_marker();
                (self.marking, self.marked) = (true, self.place.depth);
                return Kind::Marker;
            }
            b"PARAG" | b"NP" | b"ITEM" => return Kind::Numbered,
            b"CORPUS" if self.note.is_none() => {
                match &mut self.table {
                    Some(table) => table.enter(),
                    None => self.table = Some(Data::default()),
                }
                return Kind::Table;
            }
            b"ROW" | b"TI.BLK" | b"STI.BLK" => self.table.iter_mut().for_each(|t| t.row(start)),
            b"CELL" => self.table.iter_mut().for_each(|t| t.cell(start)),
            _ => {}
        }
        Kind::Block
    }

    fn close(&mut self, start: usize, end: usize) {
        if self.beyond > 0 {
            self.beyond -= 1;
            return self.boundary(start, end);
        }
        let Some(frame) = self.frames.pop() else { return };
        match frame.kind {
            Kind::Inline | Kind::Number => {}
            Kind::Aside => self.aside -= 1,
            Kind::Note => self.close_note(),
            Kind::Block => self.boundary(start, end),
            Kind::Table => {
                self.boundary(start, end);
                self.close_table();
            }
            Kind::Label if self.note.is_some() || self.table.is_some() => self.into().blank(start, end),
            Kind::Label => {
                self.lone_label();
                self.label = std::mem::take(&mut self.words);
            }
            Kind::Marker => self.marking = false,
            Kind::Numbered => {
                self.boundary(start, end);
                self.lone_label();
                self.lone_marker();
            }
        }
        self.place = frame.outer;
    }

    /// The character that an element stands for; its bytes are the element's.
    fn quotation_mark(&mut self, tag: &BytesStart, start: usize, end: usize) {
        let code = value(tag, "CODE").and_then(|code| u32::from_str_radix(code, 16).ok()).and_then(char::from_u32);
        let fallback = if tag.name().as_ref() == b"QUOT.START" { '‘' } else { '’' };
        if self.passages.taken_out() {
            return;
        }
        self.originate();
        self.into().character(code.filter(|c| !c.is_control()).unwrap_or(fallback), start, end);
    }

    /// The words that come next have the origin of the passage here.
    fn originate(&mut self) {
        if self.note.is_none() && !self.marking {
            let into = self.table.as_ref().map_or(&self.words, |t| &t.words);
            self.passages.say(into.next());
        }
    }

    /// The sign before the first words of a list's item, which the list's kind tells and no element holds.
    fn begin_item(&mut self, at: usize) {
        let Some(sign) = self.place.item.take().filter(|_| !self.passages.taken_out()) else { return };
        if self.note.is_some() || self.table.is_some() {
            let into = self.into();
            let apart = into.is_empty() || into.text().ends_with([' ', '\n']);
            into.separator(&format!("{}{sign} ", if apart { "" } else { " " }), at);
            return;
        }
        self.lone_marker();
        self.place.depth += 1;
        self.marked = self.place.depth;
        self.marker.separator(sign.encode_utf8(&mut [0; 4]), at);
    }

    fn close_table(&mut self) {
        if !self.table.as_mut().is_some_and(Data::leave)
            && let Some(words) = self.table.take().and_then(Data::said)
        {
            self.emit(words, Role::Table);
        }
    }

    /// A note is kept apart from the words it stands in. One that repeats another is no note of its own.
    fn open_note(&mut self, tag: &BytesStart, start: usize) -> Kind {
        let again = value(tag, "NOTE.REF").is_some_and(|id| self.known_notes.contains(id));
        if again || self.note.is_some() {
            self.aside += usize::from(again);
            return if again { Kind::Aside } else { Kind::Inline };
        }
        self.known_notes.extend(value(tag, "NOTE.ID").or_else(|| value(tag, "NOTE.REF")).map(str::to_string));
        let numbering = match (value(tag, "TYPE"), value(tag, "NUMBERING")) {
            (_, Some("STAR")) => Numbering::Stars,
            (Some("TABLE"), _) => Numbering::Table,
            _ => Numbering::Running,
        };
        self.note = Some(Note { words: Words::default(), at: start, numbering });
        Kind::Note
    }

    fn close_note(&mut self) {
        let Some(note) = self.note.take().filter(|n| !n.words.is_empty()) else { return };
        let number = &mut self.noted[note.numbering as usize];
        *number += 1;
        let stars = if note.numbering == Numbering::Stars { "*" } else { "" };
        let mut marker = Words::default();
        marker.separator(&format!("{stars}{number}"), note.at);
        self.notes.push(Block {
            role: Role::Note,
            region: self.place.region,
            marker: Some(marker),
            quoted: self.place.quoted,
            marks: self.passages.here(),
            ..Block::loose(note.words)
        });
    }

    /// The edge of a block: its words go out.
    fn boundary(&mut self, start: usize, end: usize) {
        if self.note.is_some() || self.table.is_some() {
            self.into().blank(start, end);
        } else if !self.marking {
            self.flush();
        }
    }

    fn flush(&mut self) {
        let words = std::mem::take(&mut self.words);
        if !words.is_empty() {
            self.emit(words, self.place.role);
        }
    }

    fn emit(&mut self, words: Words, role: Role) {
        // A semicolon after the end of a quoted division belongs to the block before it.
        if words.text().chars().all(|c| c.is_ascii_punctuation() || matches!(c, '’' | '”'))
            && self.marker.is_empty()
            && self.label.is_empty()
            && let Some(last) = self.blocks.iter_mut().rev().find(|b| b.role != Role::Note)
        {
            let at = last.words.text().len();
            let marks = self.passages.take(0).into_iter().map(|m| Marked { at, ..m });
            let before = last.marks.last().map(|m| m.mark);
            last.marks.extend(marks.filter(|m| before != Some(m.mark)).take(1));
            return last.words.append(&words, "");
        }
        let role = match role {
            Role::Group if self.titled => Role::GroupHeading,
            role => role,
        };
        self.titled = true;
        let marker = if self.marked == self.place.depth { std::mem::take(&mut self.marker) } else { Words::default() };
        self.lone_marker();
        let marks = self.passages.take(if self.label.is_empty() { 0 } else { self.label.text().len() + 1 });
        let words = if self.label.is_empty() || role == Role::Table || !marker.is_empty() {
            self.lone_label();
            words
        } else {
            let mut line = std::mem::take(&mut self.label);
            line.join(&words);
            line
        };
        let marker = Some(marker).filter(|m| !m.is_empty());
        self.push(words, role, self.place.depth, marker, marks);
        self.blocks.append(&mut self.notes);
    }

    fn push(&mut self, words: Words, role: Role, depth: usize, marker: Option<Words>, marks: Vec<Marked>) {
        let opens = std::mem::take(&mut self.opens);
        let Place { region, quoted, level, .. } = self.place;
        self.blocks.push(Block { role, region, depth, marker, opens, level, marks, quoted, ..Block::loose(words) });
    }

    /// A number without words of its own.
    fn lone_label(&mut self) {
        let label = std::mem::take(&mut self.label);
        if !label.is_empty() {
            let marks = self.passages.take(0);
            self.push(label, Role::Text, self.place.depth, None, marks);
        }
    }

    /// The marker of a point without words of its own.
    fn lone_marker(&mut self) {
        let marker = std::mem::take(&mut self.marker);
        if !marker.is_empty() {
            self.push(Words::default(), Role::Text, self.marked, Some(marker), self.passages.here());
        }
    }
}
