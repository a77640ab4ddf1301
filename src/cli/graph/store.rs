//! `legal-link graph store`: the graph of a source as one file, which every question about statuses can be asked of.

use crate::cache::lasting;
use crate::cli::held::Where;
use crate::cli::ui::Ui;
use crate::cli::{Exit, Trouble};
use crate::law::Day;
use serde::Serialize;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// What had been published by this day counts; by default the newest fetch.
    #[arg(long, value_name = "YYYY-MM-DD")]
    known_on: Option<Day>,
}

/// What was written.
#[derive(Serialize)]
struct Written {
    acts: usize,
    edges: usize,
    bytes: u64,
}

pub(super) fn run(args: &Args, held: &Where, ui: Ui) -> Result<Exit, Trouble> {
    let graph = held.graph(ui)?;
    lasting::fill(&args.out, |out| {
        let stored = graph.store(args.known_on, out);
        stored.map(drop).map_err(|e| Trouble::new(Exit::Other, e))
    })?;
    let written = Written {
        acts: graph.celexes().count(),
        edges: graph.edges().count(),
        bytes: std::fs::metadata(&args.out)?.len(),
    };
    ui.data(&written, || format!("{} acts and {} edges in {} bytes", written.acts, written.edges, written.bytes))?;
    Ok(Exit::Done)
}
