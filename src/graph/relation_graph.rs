//! The graph itself: acts as nodes, one edge per (acting act, relation, target).

use super::edges::{self, Edge};
use super::facts::{Facts, Given, Moved};
use super::life::Life;
use super::node::{Node, best_texts, merged};
use super::starts;
use super::view::View;
use crate::law::{
    Act, ActRecord, Celex, Clause, ConsolidatedState, DatedRelation, Day, Effect, Evidence, Registry, RelationType,
};
use petgraph::Direction;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef as _;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The dated relation graph.
#[derive(Debug)]
pub struct RelationGraph {
    net: DiGraph<Node, usize>,
    nodes: BTreeMap<Celex, NodeIndex>,
    pub(super) edges: Vec<Edge>,
    pub(super) moved: BTreeMap<(Celex, Celex), Vec<Moved>>,
    nameless: BTreeSet<String>,
    pub(super) known_on: Option<Day>,
}

/// How much a graph holds.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Counts {
    /// Acts, those only named by an edge included.
    pub acts: usize,
    /// Acts whose text is here.
    pub texts: usize,
    /// Edges.
    pub edges: usize,
    /// Edges per relation, forward names.
    pub relations: BTreeMap<RelationType, usize>,
    /// The same per kind of evidence: `notice`, `register`, `text`, `bridge`; an edge counts under each it has.
    pub by_evidence: BTreeMap<&'static str, BTreeMap<RelationType, usize>>,
    /// Edges that something contradicts.
    pub contradicted: usize,
}

impl RelationGraph {
    /// Builds the graph from what the documents say. Neither the order of the facts nor a repetition
    /// among them changes the result.
    pub fn build(facts: Facts, registry: &Registry) -> Self {
        let Facts { acts, rows, records, states, titles, works, taken, known_on } = facts;
        let mut nodes: BTreeMap<Celex, Node> = BTreeMap::new();
        for act in best_texts(acts) {
            let celex = act.celex.clone();
            nodes.entry(celex).or_insert_with_key(Node::stub).act = Some(act);
        }
        for record in records {
            let node = nodes.entry(record.celex.clone()).or_insert_with_key(Node::stub);
            node.flags.extend(record.in_force.map(|flag| (record.taken, flag)));
            node.record = Some(match node.record.take() {
                Some(other) => merged(other, record),
                None => record,
            });
        }
        for state in states {
            nodes.entry(state.of.clone()).or_insert_with_key(Node::stub).states.push(state);
        }
        let rows_saw = rows.iter().flat_map(|r| [(&r.source, r.taken), (&r.target, r.taken)]);
        let saw: Vec<(Celex, Day)> =
            rows_saw.filter_map(|(celex, day)| day.map(|d| (celex.clone(), d))).chain(taken).collect();
        for (celex, day) in saw {
            let node = nodes.entry(celex).or_insert_with_key(Node::stub);
            node.seen = node.seen.max(Some(day));
        }
        let mut nameless = BTreeSet::new();
        for (address, celex) in works {
            match celex {
                Some(celex) => {
                    nodes.entry(celex).or_insert_with_key(Node::stub).works.insert(address);
                }
                None => {
                    nameless.insert(address);
                }
            }
        }
        for node in nodes.values_mut() {
            node.flags.sort_unstable();
            node.flags.dedup();
            let told = node.record.iter().map(|r| r.taken).chain(node.states.iter().map(|s| s.taken));
            node.seen = told.flatten().chain(node.seen).max();
            // Of two that tell of one state, the one that knows its last day counts.
            node.states.sort_by(|a, b| {
                let key = |s: &ConsolidatedState| (s.until.is_none(), s.until, s.taken, s.locus.document);
                (a.from, &a.celex).cmp(&(b.from, &b.celex)).then_with(|| key(a).cmp(&key(b)))
            });
            node.states.dedup_by(|a, b| a.celex == b.celex);
            node.life = Life::read(&node.life.celex, node.act.as_ref(), node.record.as_ref());
        }
        let titles: BTreeMap<Celex, Vec<Clause>> =
            titles.into_iter().filter(|(celex, _)| nodes.get(celex).is_none_or(|n| n.act.is_none())).collect();
        let (edges, moved) = edges::read(&nodes, rows, &titles, registry);
        let mut graph = Self::assemble(nodes, edges, moved, known_on);
        graph.nameless = nameless;
        graph
    }

    /// A graph of facts given by hand: nothing but them counts.
    pub fn given(given: Given, registry: &Registry) -> Self {
        let mut nodes: BTreeMap<Celex, Node> = BTreeMap::new();
        for act in &given.acts {
            let node = nodes.entry(act.celex.clone()).or_insert_with_key(Node::stub);
            node.life = Life::given(act);
            node.void = act.void;
        }
        for state in given.states {
            nodes.entry(state.of.clone()).or_insert_with_key(Node::stub).states.push(state);
        }
        for node in nodes.values_mut() {
            node.states.sort_by_key(|s| s.from);
        }
        let edges = given.edges.into_iter().map(|e| Edge::given(e, registry)).collect();
        Self::assemble(nodes, edges, given.moved, given.known_on)
    }

    fn assemble(
        mut acts: BTreeMap<Celex, Node>,
        mut edges: Vec<Edge>,
        moved: Vec<Moved>,
        known_on: Option<Day>,
    ) -> Self {
        edges.sort_by(|a, b| a.key().cmp(&b.key()));
        for edge in &mut edges {
            for celex in [&edge.relation.source, &edge.relation.target] {
                acts.entry(celex.clone()).or_insert_with_key(Node::stub);
            }
            edge.made = acts.get(&edge.relation.source).and_then(starts::made);
        }
        let mut net = DiGraph::with_capacity(acts.len(), edges.len());
        let nodes: BTreeMap<Celex, NodeIndex> =
            acts.into_iter().map(|(celex, node)| (celex, net.add_node(node))).collect();
        // petgraph walks the edges of a node newest first: put in last to first, they come out in order.
        for (i, edge) in edges.iter().enumerate().rev() {
            net.add_edge(nodes[&edge.relation.source], nodes[&edge.relation.target], i);
        }
        let mut by_pair: BTreeMap<(Celex, Celex), Vec<Moved>> = BTreeMap::new();
        for m in moved.into_iter().collect::<BTreeSet<_>>() {
            by_pair.entry((m.of.clone(), m.by.clone())).or_default().push(m);
        }
        let mut graph = Self { net, nodes, edges, moved: by_pair, nameless: BTreeSet::new(), known_on };
        graph.settle();
        graph
    }

    /// Writes the starts as known on the newest fetch into the edges that are handed out.
    fn settle(&mut self) {
        let view = self.view(None);
        let mut settled = Vec::new();
        for (i, edge) in self.edges.iter().enumerate() {
            for t in 0..edge.relation.touches.len() {
                let start = view.start(edge, t, &mut Vec::new());
                settled.push((i, t, start.shown, start.unconfirmed));
            }
        }
        for (i, t, day, unconfirmed) in settled {
            let touch = &mut self.edges[i].relation.touches[t];
            touch.start = day;
            touch.unconfirmed = unconfirmed;
        }
    }

    /// The act's text, if it is here.
    pub fn act(&self, celex: &Celex) -> Option<&Act> {
        self.node(celex)?.act.as_ref()
    }

    /// All consolidated states, by act and day.
    pub fn states(&self) -> impl Iterator<Item = &ConsolidatedState> {
        self.nodes.values().flat_map(|&n| self.net[n].states.iter())
    }

    /// All acts whose text is here, by CELEX.
    pub fn acts(&self) -> impl Iterator<Item = &Act> {
        self.nodes.values().filter_map(|&n| self.net[n].act.as_ref())
    }

    /// All acts, those only named by an edge or a record included.
    pub fn celexes(&self) -> impl Iterator<Item = &Celex> {
        self.nodes.keys()
    }

    /// Whether anything here tells of the act, be it an edge that names it.
    pub fn has(&self, celex: &Celex) -> bool {
        self.nodes.contains_key(celex)
    }

    /// Whether the act is only named: neither its text nor a record of it is here.
    pub fn is_stub(&self, celex: &Celex) -> bool {
        self.node(celex).is_some_and(|n| n.act.is_none() && n.record.is_none())
    }

    /// The register's record of the act, if there is one.
    pub fn record(&self, celex: &Celex) -> Option<&ActRecord> {
        self.node(celex)?.record.as_ref()
    }

    /// All edges, by acting act, relation and target.
    pub fn edges(&self) -> impl Iterator<Item = &DatedRelation> {
        self.edges.iter().map(|e| &e.relation)
    }

    /// The edges that act on it.
    pub fn onto(&self, celex: &Celex) -> impl Iterator<Item = &DatedRelation> {
        self.indices(celex, Direction::Incoming).map(|i| &self.edges[i].relation)
    }

    /// The edges by which it acts.
    pub fn by(&self, celex: &Celex) -> impl Iterator<Item = &DatedRelation> {
        self.indices(celex, Direction::Outgoing).map(|i| &self.edges[i].relation)
    }

    /// The edge with these ends.
    pub fn edge(&self, source: &Celex, relation: &RelationType, target: &Celex) -> Option<&DatedRelation> {
        let at = self.edges.binary_search_by(|e| e.key().cmp(&(source, relation, target))).ok()?;
        Some(&self.edges[at].relation)
    }

    /// What an edge of this graph does to its target.
    pub fn effect(&self, edge: &DatedRelation) -> Effect {
        self.edge_of(edge).map_or(Effect::None, |e| e.effect)
    }

    /// Whether an edge of this graph reaches back to the beginning of its target, as a correction does.
    pub fn from_beginning(&self, edge: &DatedRelation) -> bool {
        self.edge_of(edge).is_some_and(|e| e.from_beginning)
    }

    /// The act's life by its own words, its beginning bounded by all that shows it alive.
    pub fn life(&self, celex: &Celex) -> Option<Life> {
        let node = self.node(celex)?;
        let mut life = node.life.clone();
        life.in_force = self.view(None).begins(node);
        if !life.application_named {
            life.applies = life.in_force;
        }
        Some(life)
    }

    /// The addresses under which registers keep the act: one node, however many.
    pub fn works(&self, celex: &Celex) -> impl Iterator<Item = &str> {
        self.node(celex).into_iter().flat_map(|n| n.works.iter().map(String::as_str))
    }

    /// Addresses of works without a CELEX number: listed, never made one nameless act.
    pub fn nameless(&self) -> impl Iterator<Item = &str> {
        self.nameless.iter().map(String::as_str)
    }

    /// The newest fetch.
    pub fn known_on(&self) -> Option<Day> {
        self.known_on
    }

    /// How much there is.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts { acts: self.nodes.len(), texts: self.acts().count(), ..Counts::default() };
        for kind in ["notice", "register", "text", "bridge"] {
            counts.by_evidence.insert(kind, BTreeMap::new());
        }
        for edge in self.edges() {
            counts.edges += 1;
            counts.contradicted += usize::from(!edge.contradictions.is_empty());
            *counts.relations.entry(edge.relation.clone()).or_default() += 1;
            let kinds: BTreeSet<&str> = edge.evidence.iter().map(Evidence::kind).collect();
            for kind in kinds {
                *counts.by_evidence.entry(kind).or_default().entry(edge.relation.clone()).or_default() += 1;
            }
        }
        counts
    }

    pub(super) fn node(&self, celex: &Celex) -> Option<&Node> {
        self.nodes.get(celex).map(|&n| &self.net[n])
    }

    /// The act's place among all acts, by CELEX.
    pub(super) fn rank(&self, celex: &Celex) -> usize {
        self.nodes.get(celex).map_or(usize::MAX, |n| n.index())
    }

    pub(super) fn edge_of(&self, relation: &DatedRelation) -> Option<&Edge> {
        let key = (&relation.source, &relation.relation, &relation.target);
        self.edges.binary_search_by(|e| e.key().cmp(&key)).ok().map(|i| &self.edges[i])
    }

    /// The edges between two acts, in order.
    pub(super) fn between(&self, source: &Celex, target: &Celex) -> impl Iterator<Item = &Edge> {
        let ends = self.nodes.get(source).zip(self.nodes.get(target));
        let found = ends.into_iter().flat_map(|(&s, &t)| self.net.edges_connecting(s, t));
        found.map(|e| &self.edges[*e.weight()])
    }

    /// What was known on that day, at most on the newest fetch.
    pub(super) fn view(&self, known_on: Option<Day>) -> View<'_> {
        let known_on = match (known_on, self.known_on) {
            (Some(asked), Some(newest)) => Some(asked.min(newest)),
            (asked, newest) => asked.or(newest),
        };
        View { graph: self, known_on }
    }

    /// The places of the edges onto an act, with the acting acts and their ranks.
    pub(super) fn acting_on<'a>(&'a self, celex: &Celex) -> impl Iterator<Item = (usize, usize, &'a Node)> + use<'a> {
        let node = self.nodes.get(celex).copied();
        let edges = node.into_iter().flat_map(move |n| self.net.edges_directed(n, Direction::Incoming));
        edges.map(|e| (*e.weight(), e.source().index(), &self.net[e.source()]))
    }

    pub(super) fn indices<'a>(&'a self, celex: &Celex, direction: Direction) -> impl Iterator<Item = usize> + use<'a> {
        let node = self.nodes.get(celex).copied();
        node.into_iter().flat_map(move |n| self.net.edges_directed(n, direction)).map(|e| *e.weight())
    }
}
