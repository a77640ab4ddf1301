//! From a graph in memory to its stored form: what the law says of starts, prolongations and beginnings is written
//! down as it stands by what had been published.

use super::StoredError;
use super::settled::{ActWords, EdgeWords, SettledAct, SettledEdge, SettledTouch, can_decide};
use super::write::{Horizon, Writer};
use crate::graph::RelationGraph;
use crate::graph::case::Case;
use crate::graph::docket::{At, Docket};
use crate::graph::edges::Edge;
use crate::graph::grounds::Ledger;
use crate::graph::node::Node;
use crate::graph::view::View;
use crate::law::{Celex, Day, Effect, Outline, RelationType};
use std::collections::BTreeMap;
use std::io::Write;

impl RelationGraph {
    /// Writes the graph, as known on a day (none: on the newest fetch), for [`super::StoredGraph`] to read.
    ///
    /// # Errors
    /// [`StoredError`] where `out` cannot be written.
    pub fn store<W: Write>(&self, known_on: Option<Day>, out: W) -> Result<W, StoredError> {
        let view = self.view(known_on);
        let horizon = Horizon { newest: self.known_on(), known_on: view.known_on };
        let relations: BTreeMap<&RelationType, Effect> =
            self.edges.iter().map(|e| (&e.relation.relation, e.effect)).collect();
        let celexes: Vec<Celex> = self.celexes().cloned().collect();
        let named = relations.iter().map(|(name, effect)| ((*name).clone(), *effect)).collect();
        let mut writer = Writer::new(out, horizon, celexes, named)?;
        let places: BTreeMap<&RelationType, usize> = relations.keys().copied().zip(0..).collect();
        for celex in self.celexes() {
            let Some(node) = self.node(celex) else { continue };
            let edges = self.indices(celex, petgraph::Direction::Incoming);
            writer.act(&act(view, node), edges.map(|i| edge(view, node, i, &places)))?;
        }
        writer.finish()
    }
}

fn act(view: View<'_>, node: &Node) -> SettledAct {
    let mut trail = vec![node.life.celex.clone()];
    let case = Case::new(view, node, &mut trail);
    let Ok(applies) = Ledger::applies(&case);
    let life = &node.life;
    SettledAct {
        published: case.published(),
        void: case.void(),
        begins: Docket::begins(&case),
        applies: Docket::applies(&case),
        seen: case.seen(),
        recorded: case.recorded(),
        flags: case.flags().collect(),
        own_ends: case.own().iter().map(|own| (own.end.from, own.end.over)).collect(),
        stages: life.staged.clone(),
        outline: node.act.as_ref().map(|act| (Outline::of(act), node.has_text())),
        words: ActWords {
            begins: life.begins_because.clone(),
            applies,
            stages: life.staged.iter().map(|s| s.because.clone()).collect(),
            own_ends: case.own().iter().map(|own| own.because.clone()).collect(),
        },
    }
}

fn edge(view: View<'_>, target: &Node, i: usize, places: &BTreeMap<&RelationType, usize>) -> SettledEdge {
    let edge: &Edge = &view.graph.edges[i];
    let mut trail = vec![target.life.celex.clone()];
    let case = Case::new(view, target, &mut trail);
    let at = |touch| At { edge: i, touch };
    let all = 0..edge.relation.touches.len();
    let touch = |t: usize| {
        let fact = &edge.relation.touches[t];
        SettledTouch {
            start: case.start(at(t)),
            extent: fact.extent,
            parts: fact.parts.clone(),
            saved: fact.saved.clone(),
            until: fact.until,
            footing: case.footing(at(t)),
        }
    };
    let decides = can_decide(edge.effect);
    let told = |t| {
        let Ok(reason) = case.told(at(t));
        reason
    };
    let never = |t| {
        let Ok(reason) = case.never(at(t));
        reason
    };
    SettledEdge {
        source: view.graph.rank(&edge.relation.source),
        relation: places.get(&edge.relation.relation).copied().unwrap_or_default(),
        published: view.graph.node(&edge.relation.source).is_some_and(|n| view.knows(n)),
        superseded: view.graph.superseded(&edge.relation),
        implicit: case.implicit(at(0)),
        touches: all.clone().map(touch).collect(),
        words: EdgeWords {
            relation: edge.relation.clone(),
            told: all.clone().filter(|_| decides).map(told).collect(),
            never: all.filter(|_| decides).map(never).collect(),
        },
    }
}
