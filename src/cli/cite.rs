//! `legal-link cite TEXT`: the acts that a text cites.

use super::ui::Ui;
use super::{Exit, Trouble};
use crate::law::{Celex, Citation, Part, Reason, cite};
use serde::Serialize;
use std::fmt::Write as _;
use std::io::Read;

/// Longest text read from stdin, in bytes.
const LONGEST: u64 = 64 << 20;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The text; `-` reads it from stdin.
    text: String,
}

/// One citation; one for each part where it names several parts of the act.
#[derive(Serialize)]
struct Row<'a> {
    text: &'a str,
    start: usize,
    end: usize,
    celex: Option<&'a Celex>,
    candidates: &'a [Celex],
    part: Option<&'a Part>,
    reason: Option<Reason>,
}

pub(super) fn run(args: &Args, ui: Ui) -> Result<Exit, Trouble> {
    let text = if args.text == "-" { stdin()? } else { args.text.clone() };
    let found = cite(&text);
    let rows: Vec<Row<'_>> = found.iter().flat_map(rows).collect();
    ui.data(&rows, || rows.iter().fold(String::new(), line))?;
    Ok(Exit::Done)
}

fn stdin() -> Result<String, Trouble> {
    let mut text = String::new();
    let read = std::io::stdin().lock().take(LONGEST + 1).read_to_string(&mut text);
    match read {
        Ok(n) if n as u64 > LONGEST => {
            Err(Trouble::new(Exit::BadInput, format!("the text is longer than {LONGEST} bytes")))
        }
        Ok(_) => Ok(text),
        Err(error) => Err(Trouble::new(Exit::BadInput, format!("stdin is no text: {error}"))),
    }
}

fn rows(citation: &Citation) -> Vec<Row<'_>> {
    let row = |part| Row {
        text: &citation.text,
        start: citation.start,
        end: citation.end,
        celex: citation.celex.as_ref(),
        candidates: &citation.candidates,
        part,
        reason: citation.reason,
    };
    if citation.parts.is_empty() {
        vec![row(None)]
    } else {
        citation.parts.iter().map(|part| row(Some(part))).collect()
    }
}

fn line(mut out: String, row: &Row<'_>) -> String {
    let celex = row.celex.map_or("?", Celex::as_str);
    let part = row.part.map_or(String::new(), |part| format!("  {}", part.long()));
    let _ = write!(out, "{celex:16} {}{part}", row.text);
    if let Some(reason) = row.reason {
        let _ = write!(out, "  ({reason}");
        let near: Vec<_> = row.candidates.iter().map(Celex::as_str).collect();
        let _ = if near.is_empty() { write!(out, ")") } else { write!(out, "; perhaps {})", near.join(" or ")) };
    }
    out.push('\n');
    out
}
