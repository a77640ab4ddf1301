//! `legal-link build MANIFEST --out DIR`: a dataset from a manifest.

use super::crawl::{Fetched, crawled};
use super::ui::{Bars, Ui};
use super::{Exit, Trouble};
use crate::build::{self, Build, BuildError, End, Manifest, Outcome, Plan, Progress, Rubrics, Silent};
use crate::cache::lasting;
use crate::dataset::Lock;
use crate::source::{Origin, Source};
use crate::view::summary;
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
}

pub(super) fn run(args: &Args, ui: Ui) -> Result<Exit, Trouble> {
    let text = Manifest::text(&args.manifest).map_err(|e| Trouble::new(Exit::BadInput, e))?;
    let manifest = Manifest::parse(&args.manifest, &text).map_err(|e| Trouble::new(Exit::BadInput, e))?;
    let folder = args.manifest.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let rubrics = Rubrics::over(&folder.join("rubrics")).map_err(|e| Trouble::new(Exit::BadInput, e))?;
    let named = || manifest.source.0.parse::<Origin>().map(|origin| origin.beside(folder));
    let origin = args.source.clone().map_or_else(named, Ok).map_err(|e| Trouble::new(Exit::BadInput, e))?;
    let written = args.source.as_ref().map_or_else(|| manifest.source.0.clone(), ToString::to_string);
    let bars = Bars::default();
    let progress: &dyn Progress = if ui.json { &Silent } else { &bars };
    let (source, unfetched): (Box<dyn Source>, _) = if origin == Origin::Cellar {
        let quiet = args.offline || args.dry_run;
        match crawled((&manifest, folder, &rubrics), args.cache.as_deref(), quiet, progress, ui)? {
            Some(Fetched { source, failed }) => (Box::new(source), failed),
            None => return Ok(Exit::Stopped),
        }
    } else {
        let shipped = build::shipped().map_err(|e| Trouble::new(Exit::Other, e))?;
        (origin.open(shipped).map_err(|e| Trouble::new(Exit::BadInput, e))?, Vec::new())
    };
    for stranger in
        rubrics.examine().map(|e| build::strangers(&e, source.as_ref()).unwrap_or_default()).unwrap_or_default()
    {
        ui.note(format_args!("rubrics/{stranger}"));
    }
    let locked = if args.locked { Some(build::lock_beside(folder).map_err(failed)?) } else { None };
    let cache = args.cache.clone().or_else(build::user_cache).ok_or_else(|| {
        Trouble::new(Exit::Other, "this system names no folder for caches").hint("give one with --cache DIR")
    })?;
    let build = Build {
        manifest: &manifest,
        manifest_bytes: text.as_bytes(),
        folder,
        rubrics: &rubrics,
        source: source.as_ref(),
        origin: &written,
        unfetched,
        out: &args.out,
        journal: &cache,
        offline: args.offline,
        locked,
        progress,
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
    tell(&outcome, &args.out, ui)?;
    Ok(exit_of(&outcome.end))
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

fn tell(outcome: &Outcome, out: &Path, ui: Ui) -> Result<(), Trouble> {
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
    let mut text = format!("{} documents, {} acts with text, {} edges\n", plan.documents, plan.acts, plan.edges);
    for line in &plan.relations {
        let _ = writeln!(text, "{:24} {:>5} wanted  {:>5} pairs to try", line.relation, line.wanted, line.pairs);
    }
    let Some(calls) = &plan.calls else {
        text.push_str("No model is asked: this costs nothing.\n");
        return text;
    };
    let ([least, most], [few, many]) = (calls.calls, calls.tokens);
    let _ = writeln!(text, "Model calls {least} to {most}, tokens {few} to {many} ({})", calls.assumptions);
    text
}

fn failed(error: BuildError) -> Trouble {
    let exit = match &error {
        BuildError::Differs(_) | BuildError::Missing(_) => Exit::NotReproducible,
        BuildError::Write(_) | BuildError::Runtime(_) | BuildError::Emit(_) => Exit::Other,
        _ => Exit::BadInput,
    };
    Trouble::new(exit, error)
}
