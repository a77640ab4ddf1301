//! The graph of a source that a command line names.

use super::ui::Ui;
use super::{Exit, Trouble};
use crate::build::{self, Rubrics};
use crate::graph::RelationGraph;
use crate::source::Origin;
use std::path::Path;

/// Where the documents are.
#[derive(Debug, clap::Args)]
pub(super) struct Where {
    /// folder:PATH, cache:PATH or cellar; by default what is shipped.
    #[arg(long, value_name = "SRC", default_value_t)]
    source: Origin,
}

impl Where {
    /// Reads all that is there into a graph. Documents that cannot be read are told, and stop nothing.
    pub(super) fn graph(&self, ui: Ui) -> Result<RelationGraph, Trouble> {
        let rubrics = Rubrics::over(Path::new("rubrics")).map_err(|e| Trouble::new(Exit::BadInput, e))?;
        let registry = rubrics.registry().map_err(|e| Trouble::new(Exit::BadInput, e))?;
        let shipped = build::shipped().map_err(|e| Trouble::new(Exit::Other, e))?;
        let source = self.source.open(shipped).map_err(|e| Trouble::new(Exit::BadInput, e))?;
        let loaded = build::load(source.as_ref(), &registry).map_err(|e| Trouble::new(Exit::BadInput, e))?;
        for (document, why) in &loaded.refused {
            ui.note(format_args!("not read: {document}: {why}"));
        }
        Ok(RelationGraph::build(loaded.facts, &registry))
    }
}
