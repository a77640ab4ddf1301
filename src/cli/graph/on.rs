//! `legal-link graph on DAY`: how many acts are in force and apply on a day, or which.

use crate::cli::held::{Opened, Where};
use crate::cli::ui::Ui;
use crate::cli::{Exit, Trouble};
use crate::graph::{Answers, Asked, Shares, Tally};
use crate::law::Day;
use serde::Serialize;
use std::fmt::Write as _;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The day asked about.
    #[arg(value_name = "YYYY-MM-DD")]
    on: Day,
    /// What had been published by this day counts; by default the newest fetch.
    #[arg(long, value_name = "DAY")]
    known_on: Option<Day>,
    /// One line per act in place of the counts.
    #[arg(long)]
    list: bool,
}

/// An act with its answers.
#[derive(Serialize)]
struct Line<'a> {
    celex: &'a str,
    #[serde(flatten)]
    answers: Answers,
}

pub(super) fn run(args: &Args, held: &Where, ui: Ui) -> Result<Exit, Trouble> {
    let asked = Asked { on: args.on, known_on: args.known_on };
    match held.opened(ui)? {
        Opened::Built(graph) => show(args, graph.each(asked).map(|(celex, a)| (celex.as_str(), a)), ui),
        Opened::Stored(graph, _) => {
            graph.answers_for(args.known_on).map_err(|e| Trouble::new(Exit::BadInput, e))?;
            show(args, graph.each(args.on), ui)
        }
    }
}

fn show<'a>(args: &Args, acts: impl Iterator<Item = (&'a str, Answers)>, ui: Ui) -> Result<Exit, Trouble> {
    if args.list {
        let lines: Vec<Line<'_>> = acts.map(|(celex, answers)| Line { celex, answers }).collect();
        ui.data(&lines, || listed(&lines))?;
    } else {
        let tally: Tally = acts.map(|(_, answers)| answers).collect();
        ui.data(&tally, || counted(args.on, &tally))?;
    }
    Ok(Exit::Done)
}

fn listed(lines: &[Line<'_>]) -> String {
    let mut out = String::new();
    for Line { celex, answers } in lines {
        let _ = writeln!(out, "{celex}\t{}\t{}", answers.in_force, answers.applicable);
    }
    out
}

fn counted(on: Day, tally: &Tally) -> String {
    let line = |word: &str, s: Shares| format!("{word:12}{:>9}{:>9}{:>9}", s.yes, s.no, s.unknown);
    let (force, application) = (line("in force", tally.in_force), line("applicable", tally.applicable));
    format!(
        "{} acts on {}\n{:12}{:>9}{:>9}{:>9}\n{force}\n{application}",
        tally.acts,
        on.long(),
        "",
        "yes",
        "no",
        "unknown"
    )
}
