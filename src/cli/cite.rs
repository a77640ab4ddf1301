//! `legal-link cite TEXT`: the acts that a text cites.

use super::ui::Ui;
use super::{Exit, Trouble};
use crate::build::Rubrics;
use crate::law::{Celex, Citation, Language, Part, Reason};
use serde::Serialize;
use std::fmt::Write as _;
use std::io::Read;
use std::path::Path;

/// Longest text read from stdin, in bytes.
const LONGEST: u64 = 64 << 20;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The text; `-` reads it from stdin.
    text: String,
    /// The language it is in, by its code (`fra`, `deu`). It is not guessed.
    #[arg(long, default_value = "eng")]
    language: String,
    /// The act whose text it is, which "this Regulation" means.
    #[arg(long, value_name = "CELEX")]
    act: Option<Celex>,
}

/// One citation; one for each part where it names several parts of the act.
#[derive(Serialize)]
struct Row<'a> {
    text: &'a str,
    start: usize,
    end: usize,
    short: bool,
    celex: Option<&'a Celex>,
    candidates: &'a [Celex],
    part: Option<&'a Part>,
    reason: Option<Reason>,
}

pub(super) fn run(args: &Args, ui: Ui) -> Result<Exit, Trouble> {
    let text = if args.text == "-" { stdin()? } else { args.text.clone() };
    let found = read(&text, args)?;
    let rows: Vec<Row<'_>> = found.iter().flat_map(rows).collect();
    ui.data(&rows, || rows.iter().fold(String::new(), line))?;
    Ok(Exit::Done)
}

/// The citations and short forms in a text, in its language.
fn read(text: &str, args: &Args) -> Result<Vec<Citation>, Trouble> {
    let wrong = |message: String| Trouble::new(Exit::BadInput, message);
    let rubrics = Rubrics::over(Path::new("rubrics")).map_err(|e| wrong(e.to_string()))?;
    let language = Language::from_code(&args.language).or_else(|| args.language.parse().ok());
    let languages = match language {
        Some(language) => rubrics.language(language).map_err(|e| wrong(e.to_string()))?,
        None => None,
    };
    match language.and_then(|language| languages.as_ref()?.wording(language)) {
        Some(wording) => Ok(wording.references(text, args.act.as_ref())),
        None => Err(wrong(format!(
            "no file rubrics/languages/{}.toml; there are {}",
            args.language,
            rubrics.language_codes().collect::<Vec<_>>().join(", ")
        ))),
    }
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
        short: citation.short,
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
