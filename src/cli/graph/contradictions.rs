//! `legal-link graph contradictions` and `graph checks`: where the register and the acts' own words disagree, and
//! where the register disagrees with itself.

use crate::cli::held::{Read, Where};
use crate::cli::ui::Ui;
use crate::cli::{Exit, Trouble};
use crate::graph::contradictions::{Disagreement, checks, contradictions, drawn};
use crate::law::Quote;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Letters of a quotation shown to people; JSON has all of it.
const SHOWN: usize = 500;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Only this kind; may be given several times. The counts at the end name the kinds there are.
    #[arg(long, value_name = "KIND")]
    kind: Vec<String>,
    /// Only so many, drawn by the seed.
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// The seed of the draw.
    #[arg(long, value_name = "SEED", default_value = "1")]
    seed: String,
}

/// A disagreement with the names of the documents it quotes.
#[derive(Serialize)]
struct Told<'a> {
    #[serde(flatten)]
    what: &'a Disagreement,
    register_document: Option<String>,
    against_document: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    further_document: Option<String>,
}

pub(super) fn run(args: &Args, held: &Where, ui: Ui) -> Result<Exit, Trouble> {
    let held = held.read(ui)?;
    let list = contradictions(&held.graph, &held.register, &held.registry, &|locus| held.as_written(locus));
    tell(&held, list, args, ui)
}

pub(super) fn run_checks(args: &Args, held: &Where, ui: Ui) -> Result<Exit, Trouble> {
    let held = held.read(ui)?;
    let list = checks(&held.graph, &held.register, &held.registry, &|locus| held.as_written(locus));
    tell(&held, list, args, ui)
}

fn tell(held: &Read, list: Vec<Disagreement>, args: &Args, ui: Ui) -> Result<Exit, Trouble> {
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for one in &list {
        *kinds.entry(one.kind.name()).or_default() += 1;
    }
    if let Some(unknown) = args.kind.iter().find(|k| !kinds.contains_key(*k)) {
        let there: Vec<&str> = kinds.keys().map(String::as_str).collect();
        ui.note(format_args!("none of kind `{unknown}`; there are: {}", there.join(", ")));
    }
    let wanted = |d: &Disagreement| args.kind.is_empty() || args.kind.contains(&d.kind.name());
    let mut list: Vec<Disagreement> = list.into_iter().filter(wanted).collect();
    let all = list.len();
    if let Some(count) = args.sample {
        list = drawn(list, count, &args.seed);
    }
    let name = |quote: &Quote| held.document(&quote.document).map(|one| one.address.clone());
    let told: Vec<Told<'_>> = list
        .iter()
        .map(|what| Told {
            what,
            register_document: name(&what.register),
            against_document: name(&what.against),
            further_document: what.further.as_ref().and_then(name),
        })
        .collect();
    ui.lines(&told, paragraph)?;
    let counts: Vec<String> = kinds.iter().map(|(kind, n)| format!("{kind} {n}")).collect();
    ui.note(format_args!("{} shown of {all}; {}", told.len(), counts.join(", ")));
    Ok(Exit::Done)
}

fn paragraph(one: &Told<'_>) -> String {
    let what = one.what;
    let mut out = format!("{}  {}\n  {}.\n", what.id, what.kind.name(), what.says);
    let further = what.further.as_ref().map(|quote| (&one.further_document, quote));
    let sides = [(&one.register_document, &what.register), (&one.against_document, &what.against)];
    for (document, quote) in sides.into_iter().chain(further) {
        let short = quote.document.short(12);
        let document = document.as_deref().unwrap_or(&short);
        let _ = writeln!(out, "    {document} [{}..{}]", quote.span.start, quote.span.end);
        let short: String = quote.text.chars().take(SHOWN).collect();
        let more = if short.len() < quote.text.len() { " \u{2026}" } else { "" };
        let _ = writeln!(out, "      \u{201c}{short}{more}\u{201d}");
    }
    out
}
