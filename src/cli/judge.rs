//! `legal-link judge calibrate MANIFEST`: what judges are worth, on items with planted defects.

use super::begun::{Begun, Opened, Reach};
use super::build::{cost_text, failed, writable};
use super::interrupt::Interrupt;
use super::ui::Ui;
use super::{Exit, Trouble};
use crate::build::{self, Calibrate, CalibrationPlan, OutFolder, TOOL};
use crate::cache::lasting;
use crate::dataset::{Calibration, Draft, Provenance};
use crate::source::Origin;
use crate::view::{calibration_page, calibration_text};
use serde::Serialize;
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Plant known defects in good items and count those that each judge catches, and the good items it turns away.
    ///
    /// Judges are the built-in one, the manifest's `[judge]` and its `[[calibration.judge]]`s. Every call is journaled:
    /// the same command goes on where it was stopped. Ends with 6 where a judge is under the manifest's floor.
    Calibrate(CalibrateArgs),
}

/// What is printed with `--json`.
#[derive(Serialize)]
struct Told<'a> {
    #[serde(flatten)]
    calibration: &'a Calibration,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

#[derive(Debug, clap::Args)]
struct CalibrateArgs {
    /// The manifest, for instance examples/quickstart/dataset.toml.
    manifest: PathBuf,
    /// Good items to plant defects in [default: `items` under [calibration]].
    #[arg(long, value_name = "N")]
    items: Option<usize>,
    /// Take the items of a dataset that was built, instead of writing some anew.
    #[arg(long, value_name = "DIR")]
    dataset: Option<PathBuf>,
    /// Write `calibration.json` and `calibration.html` into a folder.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Say what would be asked; ask no model, write nothing.
    #[arg(long)]
    dry_run: bool,
    /// No network: replay the journal of calls, or end with exit 7 where one is missing.
    #[arg(long)]
    offline: bool,
    /// Where the law comes from, whatever the manifest says: `folder:PATH` or `cache:PATH`.
    #[arg(long, value_name = "SRC")]
    source: Option<Origin>,
    /// The writable cache; default: the user's cache folder.
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
}

pub(super) fn run(args: &Args, ui: Ui, interrupt: &Interrupt) -> Result<Exit, Trouble> {
    match &args.what {
        What::Calibrate(args) => calibrate(args, ui, interrupt),
    }
}

fn calibrate(args: &CalibrateArgs, ui: Ui, interrupt: &Interrupt) -> Result<Exit, Trouble> {
    let begun = Begun::new(&args.manifest, Reach::of(args.dry_run, args.offline), ui, interrupt)?;
    let Begun { manifest, folder, rubrics, bars, allowance, .. } = &begun;
    let found = begun.opened(args.source.as_ref(), args.cache.as_deref())?;
    let Some(Opened { source, .. }) = found else { return Ok(Exit::Stopped) };
    let journal = writable(args.cache.as_ref())?;
    let own = if manifest.calibration.items == 0 {
        build::CalibrationWish::default().items
    } else {
        manifest.calibration.items
    };
    let calibrate = Calibrate {
        manifest,
        folder,
        rubrics,
        source: source.as_ref(),
        journal: &journal,
        offline: args.offline,
        allowance: allowance.clone(),
        items: args.items.unwrap_or(own),
        given: args.dataset.as_deref().map(items_of).transpose()?,
        progress: bars,
    };
    if args.dry_run {
        let plan = calibrate.plan().map_err(failed)?;
        ui.data(&plan, || plan_text(&plan))?;
        return Ok(Exit::Done);
    }
    let _held = args.out.as_deref().map(OutFolder::hold).transpose().map_err(failed)?;
    let calibration = calibrate.run().map_err(failed)?;
    if let Some(out) = &args.out {
        write(out, &calibration)?;
    }
    let told = Told { calibration: &calibration, warnings: bars.warnings() };
    ui.data(&told, || calibration_text(&calibration))?;
    let fails = calibration.judges.iter().any(|judge| !judge.fails.is_empty());
    Ok(if fails { Exit::Findings } else { Exit::Done })
}

/// The items of a dataset's folder.
fn items_of(folder: &Path) -> Result<Vec<Draft>, Trouble> {
    let path = folder.join("provenance.jsonl");
    let bad = |why: String| Trouble::new(Exit::BadInput, format!("{}: {why}", path.display()));
    let text = std::fs::read_to_string(&path).map_err(|e| bad(e.to_string()))?;
    let read = |(i, line): (usize, &str)| match serde_json::from_str::<Provenance>(line) {
        Ok(provenance) => Ok(provenance.item.draft),
        Err(e) => Err(bad(format!("line {}: {e}", i + 1))),
    };
    text.lines().enumerate().map(read).collect()
}

fn write(out: &Path, calibration: &Calibration) -> Result<(), Trouble> {
    let put = |name: &str, bytes: &[u8]| {
        lasting::write(lasting::Place::Whole(&out.join(name)), bytes).map_err(|e| Trouble::new(Exit::Other, e))
    };
    let json = serde_json::to_string_pretty(calibration).map_err(|e| Trouble::new(Exit::Other, e))?;
    put("calibration.json", format!("{json}\n").as_bytes())?;
    put("calibration.html", calibration_page(calibration, TOOL).as_bytes())
}

fn plan_text(plan: &CalibrationPlan) -> String {
    let head = format!("{} good items, {} trials for each judge\n", plan.items, plan.trials);
    match &plan.cost {
        None => head + "No model is asked: this costs nothing.\n",
        Some(cost) => head + &cost_text(cost),
    }
}
