//! `legal-link graph export`: the graph for other programs.

use super::no_relation;
use crate::cache::lasting::{self, Place};
use crate::cli::held::{Read, Where};
use crate::cli::ui::Ui;
use crate::cli::{Exit, Trouble, act};
use crate::emit::{EdgeList, ExportedAct, dot, edge_table, graphml, turtle};
use crate::graph::LastDay;
use crate::law::{Celex, DatedRelation};
use std::collections::BTreeSet;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// graphml and dot (for drawing), parquet (one row per touch), turtle (CDM and ELI terms with dates).
    #[arg(long, value_name = "FORMAT")]
    format: Format,
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Only edges of this relation; may be given several times.
    #[arg(long, value_name = "NAME")]
    relation: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Graphml,
    Dot,
    Parquet,
    Turtle,
}

pub(super) fn run(args: &Args, held: &Where, ui: Ui) -> Result<Exit, Trouble> {
    let read = held.read(ui)?;
    if let Some(unknown) = args.relation.iter().find(|name| read.registry.by_any_name(name).is_none()) {
        return Err(no_relation(&read.registry, unknown));
    }
    let names: Vec<_> =
        args.relation.iter().filter_map(|n| read.registry.by_any_name(n)).map(|(name, _)| name).collect();
    let wanted = |e: &&DatedRelation| names.is_empty() || names.contains(&e.relation);
    let edges: Vec<&DatedRelation> = read.graph.edges().filter(wanted).collect();
    let ends: BTreeSet<&Celex> = edges.iter().flat_map(|e| [&e.source, &e.target]).collect();
    let acts: Vec<ExportedAct> = ends.into_iter().map(|celex| exported(&read, celex)).collect();
    let list = EdgeList { acts: &acts, edges: &edges, registry: &read.registry };
    let bytes = match args.format {
        Format::Graphml => graphml(&list).into_bytes(),
        Format::Dot => dot(&list).into_bytes(),
        Format::Turtle => turtle(&list).into_bytes(),
        Format::Parquet => edge_table(&list).map_err(|e| Trouble::new(Exit::Other, e))?,
    };
    lasting::write(Place::Whole(&args.out), &bytes).map_err(|e| Trouble::new(Exit::Other, e))?;
    ui.note(format_args!("{}: {} acts, {} edges", args.out.display(), acts.len(), edges.len()));
    Ok(Exit::Done)
}

fn exported(read: &Read, celex: &Celex) -> ExportedAct {
    let life = read.graph.life(celex);
    let last_day = match read.graph.last_day(&celex.clone().into(), None) {
        LastDay::On(day) => Some(day),
        LastDay::Open | LastDay::Unknown => None,
    };
    ExportedAct {
        celex: celex.clone(),
        title: act::title(read, celex).map(str::to_string),
        made: life.as_ref().and_then(|l| l.made),
        in_force_from: life.and_then(|l| l.in_force.known()),
        last_day,
    }
}
