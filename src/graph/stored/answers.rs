//! What a stored graph answers.

use super::settled::{ActWords, EdgeWords};
use super::{EdgeFacts, StoredError, StoredGraph, bit, ledger};
use crate::graph::case::once;
use crate::graph::docket::{At, Docket, OwnEnd, Touched};
use crate::graph::edges::Footing;
use crate::graph::grounds::{self, Ledger};
use crate::graph::weigh::{Answers, End, Hearing, weigh};
use crate::graph::{Asked, Counts, Moment, Reason, Status};
use crate::law::{Answer, Celex, DatedRelation, Day, Effect, Endpoint, Part, Quote, RelationType, TermKind};
use std::cell::{OnceCell, RefCell};
use std::io::{Read, Seek};

/// An edge as a stored graph holds it in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredEdge<'g> {
    /// The acting act.
    pub source: &'g str,
    /// The relation.
    pub relation: &'g RelationType,
    /// The act acted upon.
    pub target: &'g str,
    /// What it does.
    pub effect: Effect,
    words: u64,
}

impl StoredGraph {
    /// What had been published by this day counts.
    pub fn known_on(&self) -> Option<Day> {
        self.known_on
    }

    /// How many acts there are.
    pub fn len(&self) -> usize {
        self.names.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How much there is.
    pub fn counts(&self) -> Counts {
        let edges = &self.edges[..self.edges.len() - 1];
        let mut counts =
            Counts { acts: self.len(), texts: self.outlines.len(), edges: edges.len(), ..Counts::default() };
        let mut of = vec![[0; 5]; self.relations.len()];
        let kinds =
            [("notice", bit::NOTICE), ("register", bit::REGISTER), ("text", bit::TEXT), ("bridge", bit::BRIDGE)];
        for edge in edges {
            let row = &mut of[usize::from(edge.relation)];
            row[4] += 1;
            for (n, (_, bit)) in row.iter_mut().zip(kinds) {
                *n += usize::from(edge.is(bit));
            }
            counts.contradicted += usize::from(edge.is(bit::CONTRADICTED));
        }
        for ((name, _), row) in self.relations.iter().zip(of).filter(|(_, row)| row[4] > 0) {
            counts.relations.insert(name.clone(), row[4]);
            for ((kind, _), n) in kinds.into_iter().zip(row).filter(|(_, n)| *n > 0) {
                counts.by_evidence.entry(kind).or_default().insert(name.clone(), n);
            }
        }
        for (kind, _) in kinds {
            counts.by_evidence.entry(kind).or_default();
        }
        counts
    }

    /// Whether the act or part is in force and applicable on a day: the answers, without the reasons.
    pub fn as_of(&self, at: &Endpoint, on: Day) -> Answers {
        match self.names.find(at.celex.as_str()) {
            Some(rank) => self.weighed(rank, at.part.as_ref(), on, &mut Vec::new()),
            None => Answers::both(Answer::Unknown),
        }
    }

    /// Whether the graph was stored as known on that day (none: on any).
    ///
    /// # Errors
    /// [`StoredError::KnownOn`] if not.
    pub fn answers_for(&self, known_on: Option<Day>) -> Result<(), StoredError> {
        let day = known_on.map(|asked| self.newest.map_or(asked, |newest| asked.min(newest)));
        match day.filter(|day| Some(*day) != self.known_on) {
            Some(asked) => Err(StoredError::KnownOn { stored: self.known_on, asked }),
            None => Ok(()),
        }
    }

    fn weighed(&self, rank: usize, part: Option<&Part>, on: Day, ends: &mut Vec<End>) -> Answers {
        weigh(&Settled { graph: self, rank }, part, on, ends, Hearing(None))
    }

    /// Every act with its answers on a day, by CELEX.
    pub fn each(&self, on: Day) -> impl Iterator<Item = (&str, Answers)> {
        let mut ends = Vec::new();
        (0..self.len()).map(move |rank| (self.names.get(rank), self.weighed(rank, None, on, &mut ends)))
    }

    /// The status and what it rests on, as [`crate::graph::RelationGraph::status`] tells; the words are read from the
    /// file that the graph was loaded from.
    ///
    /// # Errors
    /// [`StoredError`] where the file's evidence cannot be read, or the graph was stored as known on another day than
    /// the one asked for.
    pub fn status(&self, at: &Endpoint, asked: Asked, file: &mut (impl Read + Seek)) -> Result<Status, StoredError> {
        self.answers_for(asked.known_on)?;
        let Some(rank) = self.names.find(at.celex.as_str()) else {
            return Ok(Status::unheard(&at.celex, self.newest, asked.on));
        };
        let (part, mut grounds) = (at.part.as_ref(), Vec::new());
        let docket = Settled { graph: self, rank };
        let Answers { in_force, applicable } =
            weigh(&docket, part, asked.on, &mut Vec::new(), Hearing(Some(&mut grounds)));
        let words = Words { docket, celex: &at.celex, file: RefCell::new(file), act: OnceCell::new() };
        let mut because = Vec::new();
        for ground in grounds {
            because.extend(grounds::reason(&words, part, ground)?);
        }
        once(&mut because);
        Ok(Status { in_force, applicable, because })
    }

    /// The edges that act on it.
    pub fn onto(&self, celex: &Celex) -> impl Iterator<Item = StoredEdge<'_>> {
        let rank = self.names.find(celex.as_str());
        rank.into_iter()
            .flat_map(move |rank| Settled { graph: self, rank }.edges().map(move |(_, e)| self.edge(e, rank)))
    }

    /// The edges by which it acts.
    pub fn by(&self, celex: &Celex) -> impl Iterator<Item = StoredEdge<'_>> {
        let rank = self.names.find(celex.as_str());
        let places = rank.map_or(0..0, |r| self.acts[r].outgoing as usize..self.acts[r + 1].outgoing as usize);
        self.outgoing[places].iter().map(|&i| {
            let target = self.acts.partition_point(|act| act.edges <= i) - 1;
            self.edge(&self.edges[i as usize], target)
        })
    }

    fn edge(&self, edge: &EdgeFacts, target: usize) -> StoredEdge<'_> {
        let (relation, effect) = &self.relations[usize::from(edge.relation)];
        StoredEdge {
            source: self.names.get(edge.source as usize),
            relation,
            target: self.names.get(target),
            effect: *effect,
            words: edge.words,
        }
    }

    /// An edge with its dates and all that supports and contradicts it, read from the file that the graph was loaded
    /// from.
    ///
    /// # Errors
    /// [`StoredError`] where the file cannot be read, or is not what was written.
    pub fn evidence(&self, edge: StoredEdge<'_>, file: &mut (impl Read + Seek)) -> Result<DatedRelation, StoredError> {
        Ok(ledger::read::<EdgeWords>(file, edge.words, self.ledger)?.relation)
    }
}

/// One act of a stored graph.
#[derive(Clone, Copy)]
struct Settled<'g> {
    graph: &'g StoredGraph,
    rank: usize,
}

impl<'g> Settled<'g> {
    fn edges(self) -> impl Iterator<Item = (usize, &'g EdgeFacts)> {
        let acts = &self.graph.acts;
        let range = acts[self.rank].edges as usize..acts[self.rank + 1].edges as usize;
        range.clone().zip(&self.graph.edges[range])
    }

    fn key(self) -> u32 {
        u32::try_from(self.rank).unwrap_or(u32::MAX)
    }

    fn touch(self, at: At) -> &'g super::TouchFacts {
        &self.graph.touches[self.graph.edges[at.edge].touches as usize + at.touch]
    }
}

impl Docket for Settled<'_> {
    fn newest(&self) -> Option<Day> {
        self.graph.newest
    }

    fn known_on(&self) -> Option<Day> {
        self.graph.known_on
    }

    fn published(&self) -> bool {
        self.graph.acts[self.rank].published
    }

    fn void(&self) -> bool {
        self.graph.acts[self.rank].void
    }

    fn begins(&self) -> Moment {
        self.graph.acts[self.rank].begins
    }

    fn applies(&self) -> Option<Moment> {
        self.graph.acts[self.rank].applies
    }

    fn stages(&self) -> impl Iterator<Item = (TermKind, &[Part], Moment)> {
        self.graph.stages.get(&self.key()).into_iter().flatten().map(|s| (s.kind, s.parts.as_slice(), s.at))
    }

    fn seen(&self) -> Option<Day> {
        self.graph.acts[self.rank].seen
    }

    fn flags(&self) -> impl Iterator<Item = (Day, bool)> {
        let acts = &self.graph.acts;
        self.graph.flags[acts[self.rank].flags as usize..acts[self.rank + 1].flags as usize].iter().copied()
    }

    fn recorded(&self) -> Option<Day> {
        self.graph.acts[self.rank].recorded
    }

    fn own_ends(&self) -> impl Iterator<Item = OwnEnd> {
        let acts = &self.graph.acts;
        self.graph.own_ends[acts[self.rank].own_ends as usize..acts[self.rank + 1].own_ends as usize].iter().copied()
    }

    fn touches(&self) -> impl Iterator<Item = Touched<'_>> {
        let graph = self.graph;
        self.edges().filter(|(_, e)| !e.is(bit::UNPUBLISHED)).flat_map(move |(i, edge)| {
            let range = edge.touches as usize..graph.edges[i + 1].touches as usize;
            let effect = graph.relations[usize::from(edge.relation)].1;
            graph.touches[range].iter().enumerate().map(move |(t, touch)| Touched {
                at: At { edge: i, touch: t },
                by: edge.source as usize,
                effect,
                extent: touch.extent,
                parts: &graph.parts[touch.parts as usize],
                saved: &graph.saved[touch.saved as usize],
                until: touch.until,
                footing: touch.footing,
            })
        })
    }

    fn superseded(&self, at: At) -> bool {
        self.graph.edges[at.edge].is(bit::SUPERSEDED)
    }

    fn start(&self, at: At) -> Option<Moment> {
        let touch = self.touch(at);
        (!touch.never).then_some(touch.start)
    }

    fn holds(&self, outer: &Part, inner: &Part) -> bool {
        let outline = self.graph.outlines.get(&self.key());
        outline.map_or_else(|| outer.contains(inner), |(outline, _)| outline.holds(outer, inner))
    }

    fn has_units(&self) -> bool {
        self.graph.outlines.contains_key(&self.key())
    }

    fn lacks(&self, part: &Part) -> bool {
        let outline = self.graph.outlines.get(&self.key()).filter(|(_, full)| *full);
        outline.is_some_and(|(outline, _)| crate::graph::node::lacks(outline.parts(), part))
    }
}

/// The words of a stored act's grounds, in the file.
struct Words<'g, 'f, F> {
    docket: Settled<'g>,
    celex: &'g Celex,
    file: RefCell<&'f mut F>,
    act: OnceCell<ActWords>,
}

impl<F: Read + Seek> Words<'_, '_, F> {
    fn act(&self) -> Result<&ActWords, StoredError> {
        if let Some(words) = self.act.get() {
            return Ok(words);
        }
        let graph = self.docket.graph;
        let at = graph.acts[self.docket.rank].words;
        let words = ledger::read(*self.file.borrow_mut(), at, graph.ledger)?;
        Ok(self.act.get_or_init(|| words))
    }

    fn edge(&self, at: At) -> Result<EdgeWords, StoredError> {
        let graph = self.docket.graph;
        ledger::read(*self.file.borrow_mut(), graph.edges[at.edge].words, graph.ledger)
    }
}

/// The words at a place of a list, which a forged file may lack.
fn nth<T: Clone>(list: &[T], i: usize) -> Result<T, StoredError> {
    list.get(i).cloned().ok_or_else(|| StoredError::damaged("the ledger lacks the words of a ground"))
}

impl<F: Read + Seek> Ledger for Words<'_, '_, F> {
    type Error = StoredError;

    fn celex(&self) -> &Celex {
        self.celex
    }

    fn acting(&self, at: At) -> Result<Celex, StoredError> {
        let name = self.docket.graph.names.get(self.docket.graph.edges[at.edge].source as usize);
        name.parse().map_err(|_| StoredError::damaged("an acting act without a name"))
    }

    fn implicit(&self, at: At) -> bool {
        self.docket.graph.edges[at.edge].is(bit::IMPLICIT)
    }

    fn footing(&self, at: At) -> Footing {
        self.docket.touch(at).footing
    }

    fn begins(&self) -> Result<Reason, StoredError> {
        Ok(self.act()?.begins.clone())
    }

    fn applies(&self) -> Result<Option<Reason>, StoredError> {
        Ok(self.act()?.applies.clone())
    }

    fn stage(&self, i: usize) -> Result<Reason, StoredError> {
        nth(&self.act()?.stages, i)
    }

    fn own_end(&self, i: usize) -> Result<Reason, StoredError> {
        nth(&self.act()?.own_ends, i)
    }

    fn quote(&self, at: At) -> Result<Option<Quote>, StoredError> {
        Ok(self.told(at)?.quote)
    }

    fn told(&self, at: At) -> Result<Reason, StoredError> {
        nth(&self.edge(at)?.told, at.touch)
    }

    fn never(&self, at: At) -> Result<Option<Reason>, StoredError> {
        nth(&self.edge(at)?.never, at.touch)
    }
}
