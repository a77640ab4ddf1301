//! The graph as known on a day.

use super::edges::Edge;
use super::node::Node;
use super::relation_graph::RelationGraph;
use crate::law::Day;

/// The graph as known on a day.
#[derive(Clone, Copy)]
pub(super) struct View<'g> {
    pub graph: &'g RelationGraph,
    pub known_on: Option<Day>,
}

impl<'g> View<'g> {
    /// Whether the act had been published by then (by its document date, its entry into force or the
    /// year of its number, where that is all there is).
    pub fn knows(&self, node: &Node) -> bool {
        let year = || Day::from_ymd(i32::from(node.life.celex.year()?), 1, 1);
        let since = node.life.published.or(node.life.made).or(node.life.in_force.known()).or_else(year);
        since.zip(self.known_on).is_none_or(|(since, known)| since <= known)
    }

    /// Whether a register's statement had been taken by then; an undated one counts as the newest.
    pub fn taken(&self, taken: Option<Day>) -> bool {
        taken.or(self.graph.known_on).zip(self.known_on).is_none_or(|(taken, known)| taken <= known)
    }

    /// The edges onto the act whose acting acts had been published, with these.
    pub fn incoming(self, node: &Node) -> impl Iterator<Item = (&'g Edge, &'g Node)> + use<'g> {
        self.placed(node).map(|(place, _, acting)| (&self.graph.edges[place], acting))
    }

    /// The places of these edges, with the ranks of the acting acts, and these.
    pub fn placed(self, node: &Node) -> impl Iterator<Item = (usize, usize, &'g Node)> + use<'g> {
        self.graph.acting_on(&node.life.celex).filter(move |(.., acting)| self.knows(acting))
    }

    /// In-force flags taken by then, each with its day.
    pub fn flags(&self, node: &Node) -> impl Iterator<Item = (Day, bool)> {
        let dated = |&(taken, flag): &(Option<Day>, bool)| {
            let day = taken.or(self.graph.known_on)?;
            self.taken(taken).then_some((day, flag))
        };
        node.flags.iter().filter_map(dated).collect::<Vec<_>>().into_iter()
    }
}
