//! `legal-link optimize MANIFEST`: improve the prompts of a manifest's author.

use super::begun::{Begun, Opened, Reach};
use super::build::{cost_text, failed, writable};
use super::interrupt::Interrupt;
use super::ui::Ui;
use super::{Exit, Trouble};
use crate::build::{Improved, Manifest, Optimize, OptimizeError, OptimizePlan, Optimized, OutFolder, TOOL};
use crate::cache::lasting;
use crate::law::Digest;
use crate::source::Origin;
use crate::view::{Standing, lineage_page, lineage_text, news_line, standing_line};
use serde::Serialize;
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The manifest: its [author] writes, its [judge] scores, [roles] sets pairs aside, [optimize] says how much.
    manifest: PathBuf,
    /// Write the prompts chosen into a folder (`prompts.json`, which a manifest names to build by them), and beside them all
    /// decisions (`lineage.json`) and a page about them (`lineage.html`).
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Say what the budget buys; ask no model, write nothing.
    #[arg(long)]
    dry_run: bool,
    /// No network: replay the journals, or end with exit 7 where a call is missing.
    #[arg(long)]
    offline: bool,
    /// Where the law comes from, whatever the manifest says: `folder:PATH` or `cache:PATH`.
    #[arg(long, value_name = "SRC")]
    source: Option<Origin>,
    /// The writable cache; default: the user's cache folder.
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
}

/// What is printed with `--json`, a line each.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Event<'a> {
    /// A proposal was settled, or the run goes on after a stop.
    Settled(&'a Standing),
    /// The run has ended.
    Ended {
        /// The file of the prompts chosen, and its hash, where one was written.
        #[serde(skip_serializing_if = "Option::is_none")]
        prompts_file: Option<&'a Written>,
        result: &'a Optimized,
        /// What is damaged in the journals.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        warnings: Vec<String>,
    },
}

/// The file of the prompts chosen.
#[derive(Serialize)]
struct Written {
    /// As the manifest can name it.
    file: PathBuf,
    sha256: Digest,
}

pub(super) fn run(args: &Args, ui: Ui, interrupt: &Interrupt) -> Result<Exit, Trouble> {
    let bad = |e: &dyn std::fmt::Display| Trouble::new(Exit::BadInput, e.to_string());
    let begun = Begun::new(&args.manifest, Reach::of(args.dry_run, args.offline), ui, interrupt)?;
    let Begun { manifest, folder, rubrics, bars, allowance, .. } = &begun;
    let trouble = |error| match error {
        OptimizeError::Build(error) => failed(error),
        error => bad(&error),
    };
    let found = match begun.opened(args.source.as_ref(), args.cache.as_deref()) {
        // What is not fetched yet can still be reckoned with.
        Err(missing) if args.dry_run && missing.exit == Exit::NotReproducible => {
            let plan = OptimizePlan::before_fetching(manifest, rubrics).map_err(trouble)?;
            ui.data(&plan, || plan_text(&plan))?;
            return Ok(Exit::Done);
        }
        found => found?,
    };
    let Some(Opened { source, .. }) = found else { return Ok(Exit::Stopped) };
    let journal = writable(args.cache.as_ref())?;
    let optimize = Optimize {
        manifest,
        folder,
        rubrics,
        source: source.as_ref(),
        journal: &journal,
        offline: args.offline,
        allowance: allowance.clone(),
        progress: bars,
        watch: &|standing: &Standing| {
            if ui.json {
                // A reader who has gone away does not stop what was paid for.
                let _ = ui.lines(&[Event::Settled(standing)], |_| String::new());
            } else {
                bars.tell(&news_line(standing), &standing_line(standing));
            }
        },
    };
    if args.dry_run {
        let plan = optimize.plan().map_err(trouble)?;
        ui.data(&plan, || plan_text(&plan))?;
        return Ok(Exit::Done);
    }
    if let Some(out) = &args.out {
        may_be_written(out, folder, manifest)?;
    }
    let _held = args.out.as_deref().map(OutFolder::hold).transpose().map_err(failed)?;
    let optimized = optimize.run().map_err(trouble)?;
    let written = args.out.as_ref().map(|out| write(out, folder, &optimized)).transpose()?;
    let ended = Event::Ended { prompts_file: written.as_ref(), result: &optimized, warnings: bars.warnings() };
    ui.lines(&[ended], |_| lineage_text(&optimized.lineage()))?;
    if let Some(Written { file, sha256 }) = written.as_ref().filter(|_| !ui.json) {
        let file = file.display();
        ui.note(format_args!(
            "to build by the prompts chosen, write into {}:\n[prompts]\nfile = \"{file}\"\nsha256 = \"{sha256}\"",
            args.manifest.display()
        ));
    }
    Ok(Exit::Done)
}

/// Finds out before anything is paid for whether what comes of it can be written, and would take no place that it may not.
fn may_be_written(out: &Path, folder: &Path, manifest: &Manifest) -> Result<(), Trouble> {
    let named = manifest.prompts.as_ref().map(|wish| folder.join(&wish.file));
    let prompts = out.join(Improved::FILE);
    if named.is_some_and(|named| beside(folder, &named) == beside(folder, &prompts)) {
        let why = format!(
            "{} is what the manifest's [prompts] names: these prompts would be improved further, and the file replaced; give \
             another --out, or take [prompts] out of the manifest to go on from the prompts that it began with",
            prompts.display()
        );
        return Err(Trouble::new(Exit::BadInput, why));
    }
    // Nothing is made yet: what cannot begin leaves nothing behind.
    let here = |path: &&Path| path.as_os_str().is_empty() || path.exists();
    let above = out.ancestors().find(here).filter(|path| !path.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let tried = match () {
        () if !above.is_dir() => Err(std::io::ErrorKind::NotADirectory.into()),
        () if prompts.is_dir() => Err(std::io::ErrorKind::IsADirectory.into()),
        () => tempfile::tempfile_in(above).map(|_| ()),
    };
    tried.map_err(|e: std::io::Error| {
        Trouble::new(Exit::BadInput, format!("nothing can be written into {}: {e}; give another --out", out.display()))
    })
}

/// Writes what came of it; the prompts last, so that where they are the rest is too.
fn write(out: &Path, folder: &Path, optimized: &Optimized) -> Result<Written, Trouble> {
    let put = |name: &str, bytes: &[u8]| {
        lasting::write(lasting::Place::Whole(&out.join(name)), bytes).map_err(|e| Trouble::new(Exit::Other, e))
    };
    let improved = optimized.improved();
    let json = serde_json::to_string_pretty(optimized).map_err(|e| Trouble::new(Exit::Other, e))?;
    put("lineage.json", format!("{json}\n").as_bytes())?;
    put("lineage.html", lineage_page(&improved.lineage, TOOL).as_bytes())?;
    let bytes = improved.to_json();
    put(Improved::FILE, &bytes)?;
    Ok(Written { file: beside(folder, out).join(Improved::FILE), sha256: Digest::of(&bytes) })
}

/// A folder as a manifest in `manifest` names it: relative where it lies below, else whole.
fn beside(manifest: &Path, out: &Path) -> PathBuf {
    let whole = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let (manifest, out) = (whole(manifest), whole(out));
    out.strip_prefix(&manifest).map(Path::to_path_buf).unwrap_or(out)
}

fn plan_text(plan: &OptimizePlan) -> String {
    let [reflect, select, last] = plan.pairs;
    let proposals = &plan.proposals;
    format!(
        "{reflect} pairs to reflect on, {select} to compare candidates by, {last} kept for the end; {} components.\n\
         {} evaluations, each a draft and a judgement: {} for the prompts at the start, then {} proposals if all pass their \
         minibatch, {} if none does (those that cost no evaluation, because reflection gave nothing new, come on top). The end \
         takes {} more.\n",
        plan.components.len(),
        plan.evaluations,
        proposals.start,
        proposals.least,
        proposals.most,
        2 * last
    ) + &cost_text(&plan.cost)
}
