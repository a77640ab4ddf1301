//! Writing a graph down.

use super::bytes::Rows;
use super::ledger;
use super::settled::{SettledAct, SettledEdge, SettledTouch, can_decide};
use super::{MARK, StoredError, WrittenStage, bit};
use crate::graph::edges::Footing;
use crate::law::{Celex, Day, Effect, Evidence, Extent, Outline, Part, RelationType, Saving};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::io::Write;

/// The days that bound what a graph knows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Horizon {
    /// The newest fetch: after it no answer is given.
    pub newest: Option<Day>,
    /// What had been published by this day counts.
    pub known_on: Option<Day>,
}

/// Writes a stored graph act by act, each with the edges onto it: for graphs that are settled elsewhere, or too large
/// to be held otherwise. [`crate::graph::RelationGraph::store`] uses it.
pub struct Writer<W: Write> {
    out: W,
    horizon: Horizon,
    celexes: Vec<Celex>,
    relations: Vec<(RelationType, Effect)>,
    acts: Rows,
    flags: Rows,
    own_ends: Rows,
    edges: Rows,
    touches: Rows,
    stages: BTreeMap<usize, Vec<WrittenStage>>,
    outlines: BTreeMap<usize, (Outline, bool)>,
    parts: Pool<Vec<Part>>,
    saved: Pool<Vec<Saving>>,
}

/// Lists that many touches share, in order of first mention; the first is empty.
struct Pool<T> {
    all: Vec<T>,
    places: std::collections::HashMap<T, u32>,
}

impl<T: Default + Clone + Eq + std::hash::Hash> Pool<T> {
    fn new() -> Self {
        Self { all: vec![T::default()], places: std::iter::once((T::default(), 0)).collect() }
    }

    fn place(&mut self, list: T) -> Result<u32, StoredError> {
        if let Some(place) = self.places.get(&list) {
            return Ok(*place);
        }
        let place = small(self.all.len(), "lists of parts")?;
        self.all.push(list.clone());
        self.places.insert(list, place);
        Ok(place)
    }
}

fn small<N: TryFrom<usize>>(n: usize, what: &str) -> Result<N, StoredError> {
    N::try_from(n).map_err(|_| StoredError::Facts(format!("too many {what}: {n}")))
}

impl<W: Write> Writer<W> {
    /// A writer of a graph with these acts, sorted by CELEX, and these relations.
    ///
    /// # Errors
    /// [`StoredError`] where `out` cannot be written, or the acts are not in order.
    pub fn new(
        mut out: W,
        horizon: Horizon,
        celexes: Vec<Celex>,
        relations: Vec<(RelationType, Effect)>,
    ) -> Result<Self, StoredError> {
        if let Some((a, b)) = celexes.iter().zip(&celexes[1.min(celexes.len())..]).find(|(a, b)| a >= b) {
            return Err(StoredError::Facts(format!("{a} stands before {b}")));
        }
        small::<u16>(relations.len(), "relations")?;
        out.write_all(&MARK)?;
        Ok(Self {
            out,
            horizon,
            celexes,
            relations,
            acts: Rows::default(),
            flags: Rows::default(),
            own_ends: Rows::default(),
            edges: Rows::default(),
            touches: Rows::default(),
            stages: BTreeMap::new(),
            outlines: BTreeMap::new(),
            parts: Pool::new(),
            saved: Pool::new(),
        })
    }

    /// Writes the next act, with the edges onto it by acting act and relation.
    ///
    /// # Errors
    /// [`StoredError`] where `out` cannot be written, or the facts do not fit each other.
    pub fn act(&mut self, act: &SettledAct, edges: impl IntoIterator<Item = SettledEdge>) -> Result<(), StoredError> {
        let rank = usize::try_from(self.acts.count).unwrap_or(usize::MAX);
        let Some(celex) = self.celexes.get(rank) else {
            return Err(StoredError::Facts(format!("more than {rank} acts")));
        };
        if act.words.stages.len() != act.stages.len() || act.words.own_ends.len() != act.own_ends.len() {
            return Err(StoredError::Facts(format!("{celex}: not as many words as ends and stages")));
        }
        let words = ledger::write(&mut self.out, &act.words)?;
        for &(day, flag) in &act.flags {
            self.flags.day(Some(day)).u8(u8::from(flag)).end();
        }
        for &(from, over) in &act.own_ends {
            self.own_ends.moment(from).day(over).end();
        }
        if !act.stages.is_empty() {
            let stage = |s: &crate::graph::Stage| (s.kind, s.parts.clone(), [s.at.earliest, s.at.latest]);
            self.stages.insert(rank, act.stages.iter().map(stage).collect());
        }
        if let Some(outline) = &act.outline {
            self.outlines.insert(rank, outline.clone());
        }
        let before = self.edges.count;
        let mut last = None;
        for edge in edges {
            let key = (edge.source, self.relations.get(edge.relation).map(|(name, _)| name.clone()));
            if edge.source >= self.celexes.len() || key.1.is_none() || last.as_ref().is_some_and(|l| *l >= key) {
                return Err(StoredError::Facts(format!("an edge onto {} out of order", self.celexes[rank])));
            }
            last = Some(key);
            self.edge(&edge)?;
        }
        let bits = u8::from(act.published) | u8::from(act.void) << 1 | u8::from(act.applies.is_some()) << 2;
        let edges = small(usize::try_from(self.edges.count - before).unwrap_or(usize::MAX), "edges onto one act")?;
        self.acts
            .u8(bits)
            .moment(act.begins)
            .moment(act.applies.unwrap_or(crate::graph::Moment::UNKNOWN))
            .day(act.seen)
            .day(act.recorded)
            .u16(small(act.flags.len(), "flags of one act")?)
            .u8(small(act.own_ends.len(), "ends of one act")?)
            .u32(edges)
            .u32(words)
            .end();
        Ok(())
    }

    fn edge(&mut self, edge: &SettledEdge) -> Result<(), StoredError> {
        let decides = self.relations.get(edge.relation).is_some_and(|(_, effect)| can_decide(*effect));
        let touches = edge.touches.len();
        if decides && (edge.words.told.len() != touches || edge.words.never.len() != touches) {
            return Err(StoredError::Facts(format!("{}: not as many words as touches", self.celexes[edge.source])));
        }
        let words = ledger::write(&mut self.out, &edge.words)?;
        let kinds = edge.words.relation.evidence.iter().map(|e| match e {
            Evidence::Notice { .. } => bit::NOTICE,
            Evidence::Register { .. } => bit::REGISTER,
            Evidence::Text { .. } => bit::TEXT,
            Evidence::Bridge { .. } => bit::BRIDGE,
        });
        let marks = [
            (!edge.words.relation.contradictions.is_empty(), bit::CONTRADICTED),
            (edge.superseded, bit::SUPERSEDED),
            (edge.implicit, bit::IMPLICIT),
            (!edge.published, bit::UNPUBLISHED),
        ];
        let bits = marks.into_iter().filter(|(on, _)| *on).map(|(_, bit)| bit).chain(kinds).fold(0, |all, b| all | b);
        for touch in &edge.touches {
            self.touch(touch)?;
        }
        self.edges
            .u32(small(edge.source, "acts")?)
            .u16(small(edge.relation, "relations")?)
            .u8(bits)
            .u16(small(edge.touches.len(), "touches of one edge")?)
            .u32(words)
            .end();
        Ok(())
    }

    fn touch(&mut self, touch: &SettledTouch) -> Result<(), StoredError> {
        let extent = match touch.extent {
            Extent::Whole => 0,
            Extent::Partial => 1,
            Extent::Unknown => 2,
        };
        let footing = match touch.footing {
            Footing::Stated => 0,
            Footing::Bare => 1 << 2,
            Footing::Contradicted => 2 << 2,
        };
        let parts = self.parts.place(touch.parts.clone())?;
        // Whom or what a saving is for is told by the ledger; the law asks for parts and days.
        let bare = |s: &Saving| Saving { words: String::new(), ..s.clone() };
        let saved = self.saved.place(touch.saved.iter().map(bare).collect())?;
        self.touches
            .u8(extent | footing | u8::from(touch.start.is_none()) << 4)
            .moment(touch.start.unwrap_or(crate::graph::Moment::UNKNOWN))
            .day(touch.until)
            .u32(parts)
            .u32(saved)
            .end();
        Ok(())
    }

    /// Writes what is left, and gives `out` back.
    ///
    /// # Errors
    /// [`StoredError`] where `out` cannot be written, or an act of the list was not told of.
    pub fn finish(self) -> Result<W, StoredError> {
        if self.acts.count != self.celexes.len() as u64 {
            return Err(StoredError::Facts(format!("{} of {} acts told", self.acts.count, self.celexes.len())));
        }
        let mut core = Core { out: self.out, hash: Sha256::new(), length: 0 };
        let days = [self.horizon.newest, self.horizon.known_on];
        core.json(&(days, &self.relations))?;
        let names: Vec<&str> = self.celexes.iter().map(Celex::as_str).collect();
        core.bytes(names.join("\n").as_bytes())?;
        core.json(&self.parts.all)?;
        core.json(&self.saved.all)?;
        core.json(&self.stages.into_iter().collect::<Vec<_>>())?;
        core.json(&self.outlines.into_iter().collect::<Vec<_>>())?;
        for rows in [&self.acts, &self.flags, &self.own_ends, &self.edges, &self.touches] {
            core.rows(rows)?;
        }
        let Core { mut out, hash, length } = core;
        out.write_all(&length.to_le_bytes())?;
        out.write_all(&hash.finalize())?;
        out.write_all(&MARK)?;
        Ok(out)
    }
}

/// The core being written and hashed.
struct Core<W> {
    out: W,
    hash: Sha256,
    length: u64,
}

impl<W: Write> Core<W> {
    fn put(&mut self, bytes: &[u8]) -> Result<(), StoredError> {
        self.hash.update(bytes);
        self.length += bytes.len() as u64;
        Ok(self.out.write_all(bytes)?)
    }

    fn bytes(&mut self, bytes: &[u8]) -> Result<(), StoredError> {
        self.put(&(bytes.len() as u64).to_le_bytes())?;
        self.put(bytes)
    }

    fn json(&mut self, value: &impl serde::Serialize) -> Result<(), StoredError> {
        let text = serde_json::to_vec(value).map_err(|e| StoredError::Facts(e.to_string()))?;
        self.bytes(&text)
    }

    fn rows(&mut self, rows: &Rows) -> Result<(), StoredError> {
        self.put(&rows.count.to_le_bytes())?;
        self.put(&rows.bytes)
    }
}
