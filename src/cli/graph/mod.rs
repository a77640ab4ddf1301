//! `legal-link graph`: the dated relation graph of a source. One file per question asked of it.

mod contradictions;
mod counts;
mod edges;
mod export;
mod on;
mod store;

pub(super) use edges::reading as touch_words;

use super::held::Where;
use super::ui::Ui;
use super::{Exit, Trouble};
use crate::law::Registry;

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
    /// Write the graph for other programs.
    Export(export::Args),
    /// Count the acts in force and applicable on a day, or list every act with its answers.
    On(on::Args),
    /// Write the graph into one file that loads in moments, its evidence apart.
    Store(store::Args),
    /// List where the register and the acts' own words disagree, with both quotations.
    Contradictions(contradictions::Args),
    /// List what a register says that cannot hold whatever the acts say.
    Checks(contradictions::Args),
}

/// That no relation has this name, and which names there are.
fn no_relation(registry: &Registry, name: &str) -> Trouble {
    let known: Vec<&str> = registry.relations().iter().map(|s| s.name.as_str()).collect();
    let trouble = Trouble::new(Exit::BadInput, format!("the registry holds no relation `{name}`"));
    trouble.hint(format!("it holds {}", known.join(", ")))
}

pub(super) fn run(args: &Args, ui: Ui) -> Result<Exit, Trouble> {
    match &args.what {
        None | Some(What::Counts) => counts::run(&args.held, ui),
        Some(What::Edges(wanted)) => edges::run(wanted, &args.held, ui),
        Some(What::Export(wanted)) => export::run(wanted, &args.held, ui),
        Some(What::On(wanted)) => on::run(wanted, &args.held, ui),
        Some(What::Store(wanted)) => store::run(wanted, &args.held, ui),
        Some(What::Checks(wanted)) => contradictions::run_checks(wanted, &args.held, ui),
        Some(What::Contradictions(wanted)) => contradictions::run(wanted, &args.held, ui),
    }
}
