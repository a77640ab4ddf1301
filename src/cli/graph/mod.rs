//! `legal-link graph`: the dated relation graph of a source. One file per question asked of it.

mod counts;
mod edges;

use super::held::Where;
use super::ui::Ui;
use super::{Exit, Trouble};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    what: Option<What>,
    #[command(flatten)]
    held: Where,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Count acts and edges, per relation and kind of evidence (this is done where nothing is asked).
    Counts,
    /// List edges with their days, extent and quotations.
    Edges(edges::Args),
}

pub(super) fn run(args: &Args, ui: Ui) -> Result<Exit, Trouble> {
    match &args.what {
        None | Some(What::Counts) => counts::run(&args.held, ui),
        Some(What::Edges(wanted)) => edges::run(wanted, &args.held, ui),
    }
}
