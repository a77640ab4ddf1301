//! The graph as known on one day, in a file: what is settled in memory, the evidence on disk until it is asked for.
//!
//! [`crate::graph::RelationGraph::store`] settles every start, prolongation and beginning once, by the law of the
//! graph, and writes them down; a [`StoredGraph`] then answers for any day and any part by the same law
//! ([`crate::graph`]'s `weigh`), from a few bytes per edge. What an answer rests on is read from the end of the same
//! file, entry by entry, where somebody asks why.
//!
//! The file, all numbers little end first: eight bytes of name and version; the entries of the *ledger* (length, the
//! first eight bytes of their SHA-256, JSON), each act's before those of the edges onto it; the *core* (lists of rows
//! of one size each); its length, its SHA-256, and the eight bytes again. The core is read and checked whole,
//! a ledger entry when it is read. The same graph gives the same bytes.

mod answers;
mod bytes;
mod ledger;
mod read;
mod settle;
mod settled;
mod write;

pub use settled::{ActWords, EdgeWords, SettledAct, SettledEdge, SettledTouch, can_decide};
pub use write::{Horizon, Writer};

use super::docket::OwnEnd;
use super::edges::Footing;
use super::moment::Moment;
use crate::law::{Day, Effect, Extent, Outline, Part, RelationType, Saving, TermKind};
use std::collections::BTreeMap;
use std::io;

/// How a stored graph begins and ends: its name and version.
const MARK: [u8; 8] = *b"LLGRAPH\x01";

/// Why a stored graph cannot be written, read or asked.
#[derive(Debug, thiserror::Error)]
pub enum StoredError {
    /// The file is no stored graph, or one of another version.
    #[error("no stored graph that this version can read: {0} (write it anew with `legal-link graph store`)")]
    Foreign(String),
    /// It was one once.
    #[error("the stored graph is damaged: {0} (write it anew with `legal-link graph store`)")]
    Damaged(String),
    /// A graph is stored as known on one day.
    #[error("this graph was stored as known {}, not on {asked} (store it with that day, or leave the day out)",
        stored.map_or("at any time".to_string(), |day| format!("on {day}")))]
    KnownOn {
        /// The day it was stored for; none: it knows no bound.
        stored: Option<Day>,
        /// The day asked about.
        asked: Day,
    },
    /// What was handed to the writer does not make a graph.
    #[error("these facts make no graph that can be stored: {0}")]
    Facts(String),
    /// The file cannot be read or written.
    #[error("the stored graph cannot be read or written: {0}")]
    Io(#[from] io::Error),
}

impl StoredError {
    fn damaged(what: &str) -> Self {
        Self::Damaged(what.to_string())
    }
}

/// The dated relation graph as known on one day, read from its stored form.
///
/// Each act's incoming edges lie together, in the order of [`crate::graph::RelationGraph::onto`]; acts are sorted by
/// CELEX, and known by their rank.
#[derive(Debug)]
pub struct StoredGraph {
    newest: Option<Day>,
    known_on: Option<Day>,
    relations: Vec<(RelationType, Effect)>,
    names: Names,
    acts: Vec<ActFacts>,
    flags: Vec<(Day, bool)>,
    own_ends: Vec<OwnEnd>,
    stages: BTreeMap<u32, Vec<StageFacts>>,
    outlines: BTreeMap<u32, (Outline, bool)>,
    edges: Vec<EdgeFacts>,
    touches: Vec<TouchFacts>,
    parts: Vec<Vec<Part>>,
    saved: Vec<Vec<Saving>>,
    /// Edges by acting act.
    outgoing: Vec<u32>,
    /// The bytes of the ledger.
    ledger: u64,
}

/// The CELEX numbers, one after the other.
#[derive(Debug, Default)]
struct Names {
    text: String,
    ends: Vec<u32>,
}

impl Names {
    fn get(&self, rank: usize) -> &str {
        let start = if rank == 0 { 0 } else { self.ends[rank - 1] };
        &self.text[start as usize..self.ends[rank] as usize]
    }

    fn find(&self, celex: &str) -> Option<usize> {
        let (mut low, mut high) = (0, self.ends.len());
        while low < high {
            let middle = low.midpoint(high);
            match self.get(middle).cmp(celex) {
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }
}

/// An act. Its flags, ends and edges begin where its row says, and end where the next one's begin; a last row, of no
/// act, closes the lists.
#[derive(Debug, Clone, Copy)]
struct ActFacts {
    begins: Moment,
    applies: Option<Moment>,
    seen: Option<Day>,
    recorded: Option<Day>,
    published: bool,
    void: bool,
    flags: u32,
    own_ends: u32,
    edges: u32,
    outgoing: u32,
    words: u64,
}

#[derive(Debug, Clone)]
struct StageFacts {
    kind: TermKind,
    parts: Vec<Part>,
    at: Moment,
}

/// The same as the file has it, its first day between two days.
type WrittenStage = (TermKind, Vec<Part>, [Option<Day>; 2]);

/// An edge; a last one, of no act, closes the list.
#[derive(Debug, Clone, Copy)]
struct EdgeFacts {
    words: u64,
    source: u32,
    touches: u32,
    relation: u16,
    bits: u8,
}

/// Bits of an edge.
mod bit {
    pub const NOTICE: u8 = 1;
    pub const REGISTER: u8 = 1 << 1;
    pub const TEXT: u8 = 1 << 2;
    pub const BRIDGE: u8 = 1 << 3;
    pub const CONTRADICTED: u8 = 1 << 4;
    pub const SUPERSEDED: u8 = 1 << 5;
    pub const IMPLICIT: u8 = 1 << 6;
    pub const UNPUBLISHED: u8 = 1 << 7;
}

impl EdgeFacts {
    fn is(&self, bit: u8) -> bool {
        self.bits & bit != 0
    }
}

#[derive(Debug, Clone, Copy)]
struct TouchFacts {
    start: Moment,
    until: Option<Day>,
    parts: u32,
    saved: u32,
    extent: Extent,
    footing: Footing,
    never: bool,
}

/// Bytes per row of each list in the file.
mod width {
    pub const ACT: usize = 1 + 2 + 2 + 2 + 2 + 2 + 2 + 2 + 1 + 4 + 4;
    pub const FLAG: usize = 2 + 1;
    pub const OWN_END: usize = 2 + 2 + 2;
    pub const EDGE: usize = 4 + 2 + 1 + 2 + 4;
    pub const TOUCH: usize = 1 + 2 + 2 + 2 + 4 + 4;
}
