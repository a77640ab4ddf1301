//! `legal-link status CELEX[#PART] --on DAY`: whether an act or a part of it is in force and applies, and why.

use super::held::{Opened, Where};
use super::ui::Ui;
use super::{Exit, Trouble};
use crate::graph::{Asked, Reason};
use crate::law::{Answer, Celex, Day, Endpoint, Part};
use serde::Serialize;
use std::fmt::Write as _;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A CELEX number, or one with a part: 31995L0046, '31962R0017#8(3)', '32016R0679#Chapter IV'.
    #[arg(value_name = "CELEX[#PART]")]
    at: String,
    /// The day asked about.
    #[arg(long, value_name = "YYYY-MM-DD")]
    on: Day,
    /// What had been published by this day counts; by default the newest fetch.
    #[arg(long, value_name = "DAY")]
    known_on: Option<Day>,
    #[command(flatten)]
    held: Where,
}

/// What is printed.
#[derive(Serialize)]
struct Told<'a> {
    celex: &'a Celex,
    part: Option<&'a Part>,
    on: Day,
    known_on: Option<Day>,
    in_force: Answer,
    applicable: Answer,
    because: &'a [Reason],
}

pub(super) fn run(args: &Args, ui: Ui) -> Result<Exit, Trouble> {
    let at = endpoint(&args.at)?;
    let asked = Asked { on: args.on, known_on: args.known_on };
    let (status, known_on) = match args.held.opened(ui)? {
        Opened::Built(graph) => (graph.status(&at, asked), graph.known_on()),
        Opened::Stored(graph, mut file) => {
            let status = graph.status(&at, asked, &mut file).map_err(|e| Trouble::new(Exit::BadInput, e))?;
            (status, graph.known_on())
        }
    };
    let told = Told {
        celex: &at.celex,
        part: at.part.as_ref(),
        on: args.on,
        known_on: args.known_on.or(known_on),
        in_force: status.in_force,
        applicable: status.applicable,
        because: &status.because,
    };
    ui.data(&told, || lines(&at, &told))?;
    Ok(Exit::Done)
}

fn endpoint(text: &str) -> Result<Endpoint, Trouble> {
    let (celex, part) = text.split_once('#').map_or((text, None), |(celex, part)| (celex, Some(part)));
    let celex = celex.parse().map_err(|e| Trouble::new(Exit::BadInput, e))?;
    let part = part.map(str::parse::<Part>).transpose().map_err(|e| Trouble::new(Exit::BadInput, e))?;
    Ok(Endpoint { celex, part })
}

fn lines(at: &Endpoint, told: &Told<'_>) -> String {
    let mut out = format!("{at} on {}: in force {}, applicable {}\n", told.on.long(), told.in_force, told.applicable);
    for reason in told.because {
        let _ = writeln!(out, "  {}", reason.says);
        if let Some(quote) = &reason.quote {
            let _ = writeln!(out, "    \u{201c}{}\u{201d}", quote.text);
        }
    }
    out
}
