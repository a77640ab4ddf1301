//! The command line: one file per verb, and [`ui`], the only place that prints.

mod act;
mod audit;
mod begun;
mod build;
mod cache;
mod celex;
mod cite;
mod crawl;
mod doctor;
mod exit;
mod graph;
mod held;
mod init;
mod interrupt;
mod judge;
mod locked;
mod optimize;
mod relations;
mod status;
mod timeline;
pub mod ui;

pub use exit::{Exit, Trouble};

use clap::{Parser, Subcommand};
use interrupt::Interrupt;
use std::ffi::OsString;
use std::process::ExitCode;
use ui::Ui;

/// A compiler that turns EU law into legal multiple-choice benchmarks which can be rebuilt, extended and audited.
#[derive(Debug, Parser)]
#[command(name = "legal-link", version, about)]
struct CommandLine {
    #[command(subcommand)]
    verb: Verb,
    /// Print the result as JSON on stdout.
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Write a commented manifest to begin with.
    Init(init::Args),
    /// Say what is configured, what is missing and whether what is kept is whole.
    Doctor(doctor::Args),
    /// Look after the documents kept on this machine.
    Cache(cache::Args),
    /// Fetch the documents that a manifest needs from CELLAR, or say what that takes.
    Crawl(crawl::Args),
    /// Make a dataset from a manifest.
    Build(build::Args),
    /// Derive a dataset again from its documents and name what does not stand.
    Audit(audit::Args),
    /// Say what a judge is worth: plant known defects in good items and count those it catches.
    Judge(judge::Args),
    /// Improve the prompts of a manifest's author, and measure them on pairs that were kept apart.
    Optimize(optimize::Args),
    /// Take a CELEX number (or an address or ELI that names one) apart.
    Celex(celex::Args),
    /// Find the acts that a text cites.
    Cite(cite::Args),
    /// Count or list the acts and edges of a source.
    Graph(graph::Args),
    /// Tell all that is known of an act, or print its text as it was read.
    Act(act::Args),
    /// Draw an act and its relations on a time line to print.
    Timeline(timeline::Args),
    /// List the relation types, or check a registry of them: edges, pairs and a sample item of each.
    Relations(relations::Args),
    /// Say whether an act is in force and applies on a day, and why.
    Status(status::Args),
}

/// Runs the command that `args` (the program's name first) ask for.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let line = match CommandLine::try_parse_from(args) {
        Ok(line) => line,
        Err(error) => {
            // Help and version are no errors; clap knows where to print them.
            let _ = error.print();
            return if error.use_stderr() { Exit::Usage.into() } else { Exit::Done.into() };
        }
    };
    let ui = Ui { json: line.json };
    let interrupt = Interrupt::default();
    let ended = match line.verb {
        Verb::Init(args) => init::run(&args, ui),
        Verb::Doctor(args) => doctor::run(&args, ui),
        Verb::Cache(args) => cache::run(&args, ui),
        Verb::Crawl(args) => crawl::run(&args, ui),
        Verb::Build(args) => build::run(&args, ui, &interrupt),
        Verb::Audit(args) => audit::run(&args, ui),
        Verb::Judge(args) => judge::run(&args, ui, &interrupt),
        Verb::Optimize(args) => optimize::run(&args, ui, &interrupt),
        Verb::Celex(args) => celex::run(&args, ui),
        Verb::Cite(args) => cite::run(&args, ui),
        Verb::Graph(args) => graph::run(&args, ui),
        Verb::Act(args) => act::run(&args, ui),
        Verb::Timeline(args) => timeline::run(&args, ui),
        Verb::Relations(args) => relations::run(&args, ui),
        Verb::Status(args) => status::run(&args, ui),
    };
    let exit = ended.unwrap_or_else(|trouble| {
        ui.note(&trouble);
        trouble.exit
    });
    interrupt.end(exit).into()
}
