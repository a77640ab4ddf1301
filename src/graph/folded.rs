//! The graph of acts alone: consolidated states and corrigenda folded into the acts they belong to.

use super::relation_graph::RelationGraph;
use crate::law::{Celex, CelexClass, RelationType};
use std::collections::{BTreeMap, BTreeSet};

/// Edges between acts; states and corrigenda as what acts have.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Folded {
    /// Acting act, relation, target; what was recorded on a state or a corrigendum belongs to its act. An edge whose
    /// two ends belong to one act is none.
    pub edges: BTreeSet<(Celex, RelationType, Celex)>,
    /// Consolidated states, by act.
    pub versions: BTreeMap<Celex, BTreeSet<Celex>>,
    /// Corrigenda, by the act they correct.
    pub corrigenda: BTreeMap<Celex, BTreeSet<Celex>>,
}

impl RelationGraph {
    /// The graph of acts alone. In the graph itself a corrigendum stays a node: it is what corrects.
    pub fn folded(&self) -> Folded {
        let mut folded = Folded::default();
        for edge in self.edges() {
            let [source, target] = [&edge.source, &edge.target].map(|end| folded.act(end));
            let one = source == target && (source != edge.source || target != edge.target);
            if !one {
                folded.edges.insert((source, edge.relation.clone(), target));
            }
        }
        for state in self.states() {
            folded.act(&state.celex);
        }
        folded
    }
}

impl Folded {
    /// The act that a document belongs to, which then has it.
    fn act(&mut self, document: &Celex) -> Celex {
        let parts = document.parts();
        let list = match parts.class {
            CelexClass::Consolidated if parts.version.is_some() => &mut self.versions,
            CelexClass::Corrigendum => &mut self.corrigenda,
            _ => return document.clone(),
        };
        let act = document.base();
        list.entry(act.clone()).or_default().insert(document.clone());
        act
    }
}
