//! Reading a stored graph: every number is checked before it is used as a place.

use super::bytes::Section;
use super::{ActFacts, EdgeFacts, MARK, Names, StageFacts, StoredError, StoredGraph, TouchFacts, WrittenStage, width};
use crate::graph::docket::OwnEnd;
use crate::graph::edges::Footing;
use crate::graph::moment::Moment;
use crate::law::{Celex, Day, Effect, Extent, Outline, Part, RelationType, Saving};
use std::collections::BTreeMap;
use std::io::{Read, Seek, SeekFrom};

/// The bytes after the core: its length, its hash, the mark.
const FOOT: u64 = 8 + 32 + 8;

impl StoredGraph {
    /// Reads the graph, without its evidence, from a file that [`crate::graph::RelationGraph::store`] or a
    /// [`super::Writer`] made.
    ///
    /// # Errors
    /// [`StoredError`] where the file is none, or is not what was written.
    pub fn load(from: &mut (impl Read + Seek)) -> Result<Self, StoredError> {
        let (core, length, digest) = frame(from)?;
        from.seek(SeekFrom::Start(core))?;
        let mut section = Section::new(from, length);
        let mut graph = read(&mut section, core)?;
        match section.finish() {
            Some(found) if found == digest => {}
            Some(_) => return Err(StoredError::damaged("its core is not what was written")),
            None => return Err(StoredError::damaged("its core is longer than its lists")),
        }
        graph.turn_round()?;
        Ok(graph)
    }

    /// Lists the edges by acting act.
    fn turn_round(&mut self) -> Result<(), StoredError> {
        let last = self.edges.len().saturating_sub(1);
        for edge in &self.edges[..last] {
            let act = self.acts.get_mut(edge.source as usize + 1);
            act.ok_or_else(|| StoredError::damaged("an edge from no act"))?.outgoing += 1;
        }
        let mut next = Vec::with_capacity(self.acts.len());
        let mut sum = 0;
        for act in &mut self.acts {
            sum += act.outgoing;
            act.outgoing = sum;
            next.push(sum);
        }
        self.outgoing = vec![0; last];
        for (edge, i) in self.edges[..last].iter().zip(0..) {
            let place = &mut next[edge.source as usize];
            self.outgoing[*place as usize] = i;
            *place += 1;
        }
        Ok(())
    }
}

/// Where the core begins, how long it is, and its hash.
fn frame(from: &mut (impl Read + Seek)) -> Result<(u64, u64, [u8; 32]), StoredError> {
    let foreign = |why: &str| StoredError::Foreign(why.to_string());
    let size = from.seek(SeekFrom::End(0))?;
    if size < MARK.len() as u64 + FOOT {
        return Err(foreign("it is too short"));
    }
    let mut mark = [0; MARK.len()];
    from.seek(SeekFrom::Start(0))?;
    from.read_exact(&mut mark)?;
    if mark[..7] != MARK[..7] {
        return Err(foreign("it does not begin as one does"));
    }
    if mark != MARK {
        return Err(StoredError::Foreign(format!("it is of version {}, not {}", mark[7], MARK[7])));
    }
    let (mut length, mut digest, mut end) = ([0; 8], [0; 32], [0; 8]);
    from.seek(SeekFrom::Start(size - FOOT))?;
    from.read_exact(&mut length)?;
    from.read_exact(&mut digest)?;
    from.read_exact(&mut end)?;
    let length = u64::from_le_bytes(length);
    let core = (size - FOOT).checked_sub(length).filter(|core| end == MARK && *core >= MARK.len() as u64);
    Ok((core.ok_or_else(|| StoredError::damaged("its end is missing"))?, length, digest))
}

/// A list's length as a row's place, and the next place.
fn next(place: &mut u32, count: u32) -> Result<u32, StoredError> {
    let now = *place;
    *place = now.checked_add(count).ok_or_else(|| StoredError::damaged("a list that is too long"))?;
    Ok(now)
}

fn read(section: &mut Section<'_>, core: u64) -> Result<StoredGraph, StoredError> {
    let ([newest, known_on], relations): ([Option<Day>; 2], Vec<(RelationType, Effect)>) = section.json("its head")?;
    let names = names(section.bytes()?)?;
    let parts: Vec<Vec<Part>> = section.json("its parts")?;
    let saved: Vec<Vec<Saving>> = section.json("its savings")?;
    let stages: Vec<(u32, Vec<WrittenStage>)> = section.json("its stages")?;
    let outlines: Vec<(u32, (Outline, bool))> = section.json("its outlines")?;
    let stage =
        |(kind, parts, [earliest, latest]): WrittenStage| StageFacts { kind, parts, at: Moment { earliest, latest } };
    let stages: BTreeMap<u32, Vec<StageFacts>> =
        stages.into_iter().map(|(rank, list)| (rank, list.into_iter().map(stage).collect())).collect();
    let outlines: BTreeMap<u32, (Outline, bool)> = outlines.into_iter().collect();
    if outlines.values().any(|(outline, _)| !outline.is_ordered()) {
        return Err(StoredError::damaged("a unit before the one around it"));
    }
    let (acts, mut act_words) = acts(section)?;
    let flags = section.rows(width::FLAG, |mut row| {
        let day = row.day()?.ok_or_else(|| StoredError::damaged("a flag without a day"))?;
        Ok((day, row.u8() != 0))
    })?;
    let own_ends = section.rows(width::OWN_END, |mut row| Ok(OwnEnd { from: row.moment()?, over: row.day()? }))?;
    let edges = edges(section, relations.len())?;
    let touches = section.rows(width::TOUCH, |row| touch(row, parts.len(), saved.len()))?;
    let mut graph = StoredGraph {
        newest,
        known_on,
        relations,
        names,
        acts,
        flags,
        own_ends,
        stages,
        outlines,
        edges,
        touches,
        parts,
        saved,
        outgoing: Vec::new(),
        ledger: core,
    };
    fits(&graph)?;
    place_words(&mut graph, &mut act_words, core)?;
    Ok(graph)
}

fn names(bytes: Vec<u8>) -> Result<Names, StoredError> {
    let joined = String::from_utf8(bytes).map_err(|_| StoredError::damaged("a name that is no text"))?;
    let (mut text, mut ends) = (String::with_capacity(joined.len()), Vec::new());
    let mut before: Option<&str> = None;
    for name in joined.split('\n').filter(|_| !joined.is_empty()) {
        if name.parse::<Celex>().is_err() || before.is_some_and(|b| b >= name) {
            return Err(StoredError::Damaged(format!("`{name}` is no CELEX number, or out of order")));
        }
        before = Some(name);
        text.push_str(name);
        ends.push(u32::try_from(text.len()).map_err(|_| StoredError::damaged("too many names"))?);
    }
    Ok(Names { text, ends })
}

/// The acts, with the lengths of their words.
fn acts(section: &mut Section<'_>) -> Result<(Vec<ActFacts>, Vec<u32>), StoredError> {
    let (mut flags, mut own_ends, mut edges) = (0, 0, 0);
    let mut words = Vec::new();
    let mut acts = section.rows(width::ACT, |mut row| {
        let bits = row.u8();
        let begins = row.moment()?;
        let applies = row.moment()?;
        let act = ActFacts {
            begins,
            applies: (bits & 4 != 0).then_some(applies),
            seen: row.day()?,
            recorded: row.day()?,
            published: bits & 1 != 0,
            void: bits & 2 != 0,
            flags: next(&mut flags, u32::from(row.u16()))?,
            own_ends: next(&mut own_ends, u32::from(row.u8()))?,
            edges: next(&mut edges, row.u32())?,
            outgoing: 0,
            words: 0,
        };
        words.push(row.u32());
        Ok(act)
    })?;
    acts.push(ActFacts {
        begins: Moment::UNKNOWN,
        applies: None,
        seen: None,
        recorded: None,
        published: false,
        void: false,
        flags,
        own_ends,
        edges,
        outgoing: 0,
        words: 0,
    });
    Ok((acts, words))
}

/// The edges; `words` holds the length of each one's words until its place is known.
fn edges(section: &mut Section<'_>, relations: usize) -> Result<Vec<EdgeFacts>, StoredError> {
    let mut touches = 0;
    let mut edges = section.rows(width::EDGE, |mut row| {
        let (source, relation, bits) = (row.u32(), row.u16(), row.u8());
        if usize::from(relation) >= relations {
            return Err(StoredError::damaged("an edge of no relation"));
        }
        let touches = next(&mut touches, u32::from(row.u16()))?;
        Ok(EdgeFacts { words: u64::from(row.u32()), source, touches, relation, bits })
    })?;
    edges.push(EdgeFacts { words: 0, source: u32::MAX, touches, relation: 0, bits: 0 });
    Ok(edges)
}

fn touch(mut row: super::bytes::Row<'_>, parts: usize, saved: usize) -> Result<TouchFacts, StoredError> {
    let bits = row.u8();
    let (start, until) = (row.moment()?, row.day()?);
    let touch = TouchFacts {
        start,
        until,
        parts: row.u32(),
        saved: row.u32(),
        extent: match bits & 3 {
            0 => Extent::Whole,
            1 => Extent::Partial,
            _ => Extent::Unknown,
        },
        footing: match bits >> 2 & 3 {
            0 => Footing::Stated,
            1 => Footing::Bare,
            _ => Footing::Contradicted,
        },
        never: bits >> 4 & 1 != 0,
    };
    let known = (touch.parts as usize) < parts && (touch.saved as usize) < saved;
    known.then_some(touch).ok_or_else(|| StoredError::damaged("a touch of parts that are not listed"))
}

/// Whether the lists are as long as each other's rows say.
fn fits(graph: &StoredGraph) -> Result<(), StoredError> {
    let (Some(act), Some(edge)) = (graph.acts.last(), graph.edges.last()) else { return Ok(()) };
    let acts = graph.acts.len() - 1;
    let lists = [
        (graph.names.ends.len(), acts),
        (graph.flags.len(), act.flags as usize),
        (graph.own_ends.len(), act.own_ends as usize),
        (graph.edges.len() - 1, act.edges as usize),
        (graph.touches.len(), edge.touches as usize),
    ];
    let beyond = graph.stages.keys().chain(graph.outlines.keys()).any(|rank| *rank as usize >= acts);
    if beyond || lists.iter().any(|(found, told)| found != told) {
        return Err(StoredError::damaged("its lists do not fit each other"));
    }
    Ok(())
}

/// Finds where in the ledger the words of each act and edge stand, from their lengths.
fn place_words(graph: &mut StoredGraph, lengths: &mut Vec<u32>, end: u64) -> Result<(), StoredError> {
    let mut at = MARK.len() as u64;
    for (i, length) in lengths.drain(..).enumerate() {
        graph.acts[i].words = at;
        at += u64::from(length);
        let (from, to) = (graph.acts[i].edges as usize, graph.acts[i + 1].edges as usize);
        for edge in &mut graph.edges[from..to] {
            at += std::mem::replace(&mut edge.words, at);
        }
    }
    if at == end { Ok(()) } else { Err(StoredError::damaged("its ledger is not as long as its core says")) }
}
