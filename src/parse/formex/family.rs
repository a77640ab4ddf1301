//! The family of a consolidated text: the act and what changed it, and which passages come from which.

use super::super::words::Words;
use super::{position, reader, value};
use crate::law::{Celex, Day, Mark, Marked, Origin};
use quick_xml::events::{BytesStart, Event};

/// More acts than any text was changed by.
const MOST: usize = 4096;

/// Reads the list of the acts that a consolidated text is made of, the base first.
///
/// An act that ended the text (`MOD.ACT` of the type `REP`) put no words into it and is left out, so that the marks
/// are those of the printed text.
pub(super) fn origins(source: &[u8]) -> Vec<Origin> {
    let mut list = List { source, origins: Vec::new(), kind: None, member: None, field: Field::None, instance: false };
    let (mut events, before) = reader(source);
    loop {
        let start = position(&events, before);
        let Ok(event) = events.read_event() else { break };
        let end = position(&events, before);
        match event {
            Event::Start(tag) => list.open(&tag),
            Event::Empty(tag) => {
                list.open(&tag);
                list.close(tag.name().as_ref());
            }
            Event::End(tag) if tag.name().as_ref() == b"FAM.COMP" => break,
            Event::End(tag) => list.close(tag.name().as_ref()),
            Event::Text(_) | Event::GeneralRef(_) => list.text(start, end),
            Event::Eof => break,
            _ => {}
        }
    }
    list.origins
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    None,
    Number,
    Title,
}

/// What a member of the family did to the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Base,
    Changed,
    Corrected,
    Ended,
}

struct Member {
    number: Words,
    title: Words,
    published: Option<crate::law::Day>,
}

struct List<'a> {
    source: &'a [u8],
    origins: Vec<Origin>,
    /// What the member being read did; none outside the family.
    kind: Option<Part>,
    member: Option<Member>,
    field: Field,
    /// Inside the member's place in the journal.
    instance: bool,
}

impl List<'_> {
    fn open(&mut self, tag: &BytesStart) {
        match tag.name().as_ref() {
            b"FAM.COMP" => self.kind = Some(Part::Base),
            b"MOD.ACT" => self.kind = Some(if value(tag, "TYPE") == Some("REP") { Part::Ended } else { Part::Changed }),
            b"CORRIG" | b"GR.CORRIG" => self.kind = Some(Part::Corrected),
            b"BIB.DATA" if self.kind.is_some() => {
                self.member = Some(Member { number: Words::default(), title: Words::default(), published: None });
            }
            b"BIB.INSTANCE.CONS" => self.instance = true,
            b"DATE" if self.instance => {
                if let Some(member) = &mut self.member {
                    member.published = member.published.or_else(|| value(tag, "ISO").and_then(Day::compact));
                }
            }
            b"NO.CELEX" => self.field = Field::Number,
            b"TITLE" => self.field = Field::Title,
            // The edge of a line.
            b"P" => self.text(0, 0),
            _ => {}
        }
    }

    fn close(&mut self, name: &[u8]) {
        match name {
            b"BIB.INSTANCE.CONS" => self.instance = false,
            b"NO.CELEX" | b"TITLE" => self.field = Field::None,
            b"BIB.DATA" => {
                if let (Some(kind), Some(member)) = (self.kind, self.member.take()) {
                    self.keep(kind, &member);
                }
            }
            _ => {}
        }
    }

    fn text(&mut self, start: usize, end: usize) {
        let Some(member) = &mut self.member else { return };
        let into = match self.field {
            Field::None => return,
            Field::Number => &mut member.number,
            Field::Title => &mut member.title,
        };
        if start == end { into.blank(start, end) } else { into.push(self.source, start, end, true) }
    }

    fn keep(&mut self, kind: Part, member: &Member) {
        let act: Option<Celex> = member.number.text().parse().ok();
        let mark = match kind {
            _ if self.origins.len() >= MOST => return,
            Part::Ended => return,
            Part::Base => Mark::BASE,
            Part::Corrected => self.next(true),
            Part::Changed => self.next(act.as_ref().is_some_and(Celex::is_corrigendum)),
        };
        let name = super::super::head::clean_title(member.title.text()).0;
        self.origins.push(Origin { mark, act, name, published: member.published });
    }

    fn next(&self, corrigendum: bool) -> Mark {
        next(&self.origins, corrigendum)
    }
}

/// The mark of the next act, or of the next corrigendum, in a list.
fn next(origins: &[Origin], corrigendum: bool) -> Mark {
    let like = |o: &&Origin| o.mark != Mark::BASE && o.mark.is_corrigendum() == corrigendum;
    let number = u16::try_from(origins.iter().filter(like).count() + 1).unwrap_or(u16::MAX);
    if corrigendum { Mark::corrigendum(number) } else { Mark::modifier(number) }
}

/// A passage that another act put in or took out, from its opening instruction (`CLG.MDFO`) on.
struct Passage {
    id: String,
    mark: Option<Mark>,
    /// The act that took it out.
    taken_out_by: Option<String>,
    from: usize,
}

/// Where the words being read come from.
#[derive(Default)]
pub(super) struct Passages {
    /// The family; empty where the text is no consolidated one.
    pub origins: Vec<Origin>,
    open: Vec<Passage>,
    /// Where the origin changes in the words being read.
    changes: Vec<Marked>,
}

impl Passages {
    pub fn of(origins: Vec<Origin>) -> Self {
        Self { origins, ..Self::default() }
    }

    /// Whether the words here were taken out: the file still holds them, the state of the act does not.
    pub fn taken_out(&self) -> bool {
        self.open.iter().any(|p| p.taken_out_by.is_some())
    }

    /// The origin of the words here.
    fn mark(&self) -> Mark {
        self.open.iter().rev().find_map(|p| p.mark).unwrap_or(Mark::BASE)
    }

    /// A processing instruction; gives the bytes and the author of a passage taken out, at its end.
    pub fn instruction(&mut self, content: &str, start: usize, end: usize) -> Option<(usize, String)> {
        let (name, attributes) = content.split_once(char::is_whitespace)?;
        let of = |name: &str| super::super::markup::attribute(attributes, name);
        match name {
            "CLG.MDFO" if self.open.len() < 64 => {
                let by = of("ACTIVE.DOC").unwrap_or_default();
                let action = of("ACTION").unwrap_or_default();
                // The end of the whole act changes no word of it.
                let mark = if action == "REPEALED" { None } else { self.mark_of(by) };
                let taken_out_by = (action == "DELETED").then(|| by.to_string());
                let id = of("ID").unwrap_or_default().to_string();
                self.open.push(Passage { id, mark, taken_out_by, from: start });
                None
            }
            "CLG.MDFC" => {
                let id = of("IDREF").unwrap_or_default();
                let at = self.open.iter().rposition(|p| p.id == id)?;
                let passage = self.open.remove(at);
                passage.taken_out_by.filter(|_| passage.from < end).map(|by| (passage.from, by))
            }
            _ => None,
        }
    }

    /// The mark of an act; one that the family does not list joins it.
    fn mark_of(&mut self, by: &str) -> Option<Mark> {
        let act: Celex = by.parse().ok()?;
        if let Some(known) = self.origins.iter().find(|o| o.act.as_ref() == Some(&act)) {
            return Some(known.mark);
        }
        if self.origins.is_empty() || self.origins.len() >= MOST {
            return None;
        }
        let mark = next(&self.origins, act.is_corrigendum());
        self.origins.push(Origin { mark, name: String::new(), act: Some(act), published: None });
        Some(mark)
    }

    /// Words of this origin follow at this offset.
    pub fn say(&mut self, at: usize) {
        let mark = self.mark();
        if !self.origins.is_empty() && self.changes.last().is_none_or(|c| c.mark != mark) {
            self.changes.push(Marked { at, mark });
        }
    }

    /// The origin of a block here.
    pub fn here(&self) -> Vec<Marked> {
        if self.origins.is_empty() { Vec::new() } else { vec![Marked { at: 0, mark: self.mark() }] }
    }

    /// The origins of the words read, `before` bytes of other words of the same block standing before them.
    pub fn take(&mut self, before: usize) -> Vec<Marked> {
        if self.changes.is_empty() {
            return self.here();
        }
        let mut changes = std::mem::take(&mut self.changes);
        for (i, change) in changes.iter_mut().enumerate() {
            change.at = if i == 0 { 0 } else { change.at + before };
        }
        changes
    }
}
