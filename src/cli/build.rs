//! `legal-link build MANIFEST --out DIR`: a dataset from a manifest.

use super::begun::{Begun, Opened, Reach};
use super::interrupt::Interrupt;
use super::ui::Ui;
use super::{Exit, Trouble};
use crate::build::{self, Build, BuildError, End, ModelsError, Outcome, Plan, PlannedCost};
use crate::cache::lasting;
use crate::dataset::{Calibration, Lock, SecondVote, Spending};
use crate::model::Money;
use crate::source::Origin;
use crate::view::{spending_total, summary};
use serde::Serialize;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
#[allow(clippy::struct_excessive_bools)] // each is a flag of the command line
pub(super) struct Args {
    /// The manifest, for instance examples/quickstart/dataset.toml.
    manifest: PathBuf,
    /// The folder that the dataset is written into.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Say what would be done and what it may cost; ask no model, write nothing.
    #[arg(long)]
    dry_run: bool,
    /// No network: replay the journal of calls, or end with exit 7 where one is missing.
    #[arg(long)]
    offline: bool,
    /// End with exit 7 where the result would differ from the dataset.lock beside the manifest.
    #[arg(long)]
    locked: bool,
    /// Copy the lock that was made beside the manifest.
    #[arg(long, conflicts_with = "locked")]
    write_lock: bool,
    /// Where the law comes from, whatever the manifest says: `folder:PATH` or `cache:PATH`.
    #[arg(long, value_name = "SRC")]
    source: Option<Origin>,
    /// The writable cache; default: the user's cache folder.
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
}

/// What is printed with `--json`.
#[derive(Serialize)]
struct Told<'a> {
    end: &'a str,
    out: &'a Path,
    report: PathBuf,
    items: Option<u64>,
    proved_by_code: Option<usize>,
    refused: Option<u64>,
    short: &'a [String],
    unread: &'a [(String, String)],
    unfair_probes: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    calibration: Option<&'a Calibration>,
    second_votes: &'a [SecondVote],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    spending: Option<&'a Spending>,
    #[serde(skip_serializing_if = "Option::is_none")]
    spent_now: Option<SpentNow>,
}

/// What this run spent; calls that were on record already are not in it.
#[derive(Serialize)]
struct SpentNow {
    calls: u64,
    tokens: u64,
    money: Money,
    unpriced_calls: u64,
}

pub(super) fn run(args: &Args, ui: Ui, interrupt: &Interrupt) -> Result<Exit, Trouble> {
    let begun = Begun::new(&args.manifest, Reach::of(args.dry_run, args.offline), ui, interrupt)?;
    let Begun { text, manifest, folder, rubrics, bars, allowance, .. } = &begun;
    let written = args.source.as_ref().map_or_else(|| manifest.source.0.clone(), ToString::to_string);
    let found = match begun.opened(args.source.as_ref(), args.cache.as_deref()) {
        // What is not fetched yet can still be reckoned with.
        Err(trouble) if args.dry_run && trouble.exit == Exit::NotReproducible => {
            let plan = Plan::before_fetching(manifest, rubrics).map_err(failed)?;
            ui.data(&plan, || plan_text(&plan))?;
            return Ok(Exit::Done);
        }
        found => found?,
    };
    let Some(Opened { source, unfetched }) = found else { return Ok(Exit::Stopped) };
    for stranger in
        rubrics.examine().map(|e| build::strangers(&e, source.as_ref()).unwrap_or_default()).unwrap_or_default()
    {
        ui.note(format_args!("rubrics/{stranger}"));
    }
    let locked = if args.locked { Some(build::lock_beside(folder).map_err(failed)?) } else { None };
    let cache = writable(args.cache.as_ref())?;
    let build = Build {
        manifest,
        manifest_bytes: text.as_bytes(),
        folder,
        rubrics,
        source: source.as_ref(),
        origin: &written,
        unfetched,
        out: &args.out,
        journal: &cache,
        offline: args.offline,
        locked,
        allowance: allowance.clone(),
        progress: bars,
    };
    if args.dry_run {
        let plan = build.plan().map_err(failed)?;
        ui.data(&plan, || plan_text(&plan))?;
        return Ok(Exit::Done);
    }
    let outcome = build.run().map_err(failed)?;
    if args.write_lock {
        beside(folder, &outcome.lock)?;
    }
    tell(&outcome, &args.out, bars.warnings(), ui)?;
    Ok(exit_of(&outcome.end))
}

/// The folder for what is kept from run to run: the one named, or the user's.
pub(super) fn writable(cache: Option<&PathBuf>) -> Result<PathBuf, Trouble> {
    cache.cloned().or_else(build::user_cache).ok_or_else(|| {
        Trouble::new(Exit::Other, "this system names no folder for caches").hint("give one with --cache DIR")
    })
}

fn beside(folder: &Path, lock: &Lock) -> Result<(), Trouble> {
    let text = lock.to_toml().map_err(|e| Trouble::new(Exit::Other, e))?;
    lasting::write(lasting::Place::Whole(&folder.join(build::LOCK)), text.as_bytes())
        .map_err(|e| Trouble::new(Exit::Other, e))
}

fn exit_of(end: &End) -> Exit {
    match end {
        End::Nothing | End::Done => Exit::Done,
        End::Short => Exit::Short,
        End::Stopped(_) => Exit::Stopped,
        End::Findings => Exit::Findings,
    }
}

fn tell(outcome: &Outcome, out: &Path, warnings: Vec<String>, ui: Ui) -> Result<(), Trouble> {
    let dataset = outcome.dataset.as_ref();
    let told = Told {
        end: match outcome.end {
            End::Nothing => "nothing to do",
            End::Done => "done",
            End::Short => "short",
            End::Stopped(_) => "stopped",
            End::Findings => "findings",
        },
        out,
        report: out.join("report.html"),
        items: rows(&outcome.lock, "items.jsonl"),
        proved_by_code: dataset.map(crate::dataset::Dataset::proved),
        refused: rows(&outcome.lock, "refused.jsonl"),
        short: &outcome.lock.short,
        unread: &outcome.unread,
        calibration: outcome.models.calibration.as_ref(),
        second_votes: &outcome.models.second_votes,
        warnings,
        spending: outcome.models.spending.as_ref(),
        spent_now: outcome.models.spent.map(|spent| SpentNow {
            calls: spent.calls,
            tokens: spent.tokens,
            money: spent.money,
            unpriced_calls: spent.unpriced,
        }),
        unfair_probes: outcome.probes.iter().map(|p| p.name).collect(),
    };
    ui.data(&told, || match dataset {
        Some(dataset) => summary(dataset, &out.to_string_lossy()),
        None => format!(
            "Nothing to do: {} holds this very build (same manifest, rubrics, documents and seed).\nReport  {}\n",
            out.display(),
            told.report.display()
        ),
    })?;
    if let (Some(spending), Some(now)) = (told.spending, &told.spent_now) {
        let unpriced = if now.unpriced_calls > 0 {
            format!(", and {} at an unknown price", now.unpriced_calls)
        } else {
            String::new()
        };
        let calls: u64 = spending.rows.iter().map(|row| row.calls).sum();
        ui.note(format_args!(
            "models: {} calls now, {}{unpriced}; the dataset rests on {calls} calls. {}",
            now.calls,
            now.money,
            spending_total(spending)
        ));
    }
    for (document, why) in &outcome.unread {
        ui.note(format_args!("not read: {document}: {why}"));
    }
    for probe in &outcome.probes {
        ui.note(format_args!("probe: `{}` picks the key in {} of {} items", probe.name, probe.hits, probe.items));
    }
    if let End::Stopped(why) = &outcome.end {
        ui.note(format_args!("stopped: {why}\nwhat was answered is journaled; the same command goes on from there"));
    }
    Ok(())
}

/// How many rows a file of the dataset has, as the lock tells.
fn rows(lock: &Lock, path: &str) -> Option<u64> {
    lock.files.iter().find(|file| file.path == path)?.rows
}

fn plan_text(plan: &Plan) -> String {
    let mut text = match &plan.source {
        Some(source) => {
            format!("{} documents, {} acts with text, {} edges\n", source.documents, source.acts, source.edges)
        }
        None => "The documents are not fetched yet (legal-link crawl MANIFEST).\n".to_string(),
    };
    for line in &plan.relations {
        let pairs = line.pairs.map_or_else(String::new, |pairs| format!("  {pairs:>5} pairs to try"));
        let _ = writeln!(text, "{:24} {:>5} wanted{pairs}", line.relation, line.wanted);
    }
    match &plan.cost {
        None => text.push_str("No model is asked: this costs nothing.\n"),
        Some(cost) => {
            let _ = writeln!(text, "{} items", plan.items);
            text.push_str(&cost_text(cost));
        }
    }
    text
}

/// What models may cost, stage by stage, with all that is taken for granted.
pub(super) fn cost_text(cost: &PlannedCost) -> String {
    let mut text = String::new();
    for stage in &cost.stages {
        let ([least, most], tokens) = (stage.calls, [0, 1].map(|i| stage.prompt[i] + stage.reply[i]));
        let money = stage.money.map_or_else(|| "price not known".to_string(), |[low, high]| format!("{low} to {high}"));
        let _ = writeln!(
            text,
            "{:10} {}: {least} to {most} calls, {} to {} tokens, {money}",
            stage.stage, stage.model, tokens[0], tokens[1]
        );
        if let Some(price) = &stage.price {
            let _ = writeln!(text, "           price of {price}");
        }
    }
    let ([least, most], [few, many]) = (cost.calls, cost.tokens);
    let money = cost.money.map_or_else(|| "price not known".to_string(), |[low, high]| format!("{low} to {high}"));
    let _ = writeln!(text, "in all     {least} to {most} calls, {few} to {many} tokens, {money}");
    if cost.money.is_some() && !cost.unpriced.is_empty() {
        let _ = writeln!(text, "           on top comes what is not known: the price of {}", cost.unpriced.join(", "));
    }
    let _ = writeln!(text, "taken for granted:");
    for one in &cost.assumptions {
        let _ = writeln!(text, "  {one}");
    }
    text
}

pub(super) fn failed(error: BuildError) -> Trouble {
    let exit = match &error {
        BuildError::Differs(_) | BuildError::Missing(_) => Exit::NotReproducible,
        BuildError::UnderFloor { .. } => Exit::Findings,
        BuildError::Stopped(_) | BuildError::Busy(_) | BuildError::Models(ModelsError::Busy(_)) => Exit::Stopped,
        BuildError::Models(ModelsError::Lock { .. })
        | BuildError::Write(_)
        | BuildError::Runtime(_)
        | BuildError::Emit(_) => Exit::Other,
        _ => Exit::BadInput,
    };
    Trouble::new(exit, error)
}
