//! The graph of a source that a command line names.

use super::ui::Ui;
use super::{Exit, Trouble};
use crate::build::{self, Rubrics};
use crate::graph::RelationGraph;
use crate::law::Registry;
use crate::source::{Listed, Origin};
use std::path::Path;

/// Where the documents are.
#[derive(Debug, clap::Args)]
pub(super) struct Where {
    /// folder:PATH, cache:PATH or cellar; by default what is shipped.
    #[arg(long, alias = "from", value_name = "SRC", default_value_t, global = true)]
    source: Origin,
}

/// What a source holds, read into a graph.
pub(super) struct Read {
    pub(super) graph: RelationGraph,
    /// The documents that were read.
    pub(super) documents: Vec<Listed>,
    pub(super) registry: Registry,
}

impl Where {
    /// Reads all that is there into a graph. Documents that cannot be read are told, and stop nothing.
    pub(super) fn graph(&self, ui: Ui) -> Result<RelationGraph, Trouble> {
        Ok(self.read(ui)?.graph)
    }

    /// The same, with the documents and the registry it was made with.
    pub(super) fn read(&self, ui: Ui) -> Result<Read, Trouble> {
        let rubrics = Rubrics::over(Path::new("rubrics")).map_err(|e| Trouble::new(Exit::BadInput, e))?;
        let registry = rubrics.registry().map_err(|e| Trouble::new(Exit::BadInput, e))?;
        let shipped = build::shipped().map_err(|e| Trouble::new(Exit::Other, e))?;
        let source = self.source.open(shipped).map_err(|e| Trouble::new(Exit::BadInput, e))?;
        let loaded = build::load(source.as_ref(), &registry).map_err(|e| Trouble::new(Exit::BadInput, e))?;
        for (document, why) in &loaded.refused {
            ui.note(format_args!("not read: {document}: {why}"));
        }
        let graph = RelationGraph::build(loaded.facts, &registry);
        Ok(Read { graph, documents: loaded.read, registry })
    }
}
