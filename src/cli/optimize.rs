//! `legal-link optimize MANIFEST`: improve the prompts of a manifest's author.

use super::build::{Opened, cost_text, failed, opened, writable};
use super::ui::{Bars, Ui};
use super::{Exit, Trouble};
use crate::build::{Manifest, Optimize, OptimizeError, OptimizePlan, Optimized, Progress, Rubrics, Silent, TOOL};
use crate::cache::lasting;
use crate::source::Origin;
use crate::view::{lineage_page, lineage_text};
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The manifest: its [author] writes, its [judge] scores, [roles] sets pairs aside, [optimize] says how much.
    manifest: PathBuf,
    /// Write the prompts chosen, `lineage.json` and `lineage.html` into a folder; put its `prompts` into `rubrics` beside
    /// the manifest to build by them.
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

pub(super) fn run(args: &Args, ui: Ui) -> Result<Exit, Trouble> {
    let bad = |e: &dyn std::fmt::Display| Trouble::new(Exit::BadInput, e.to_string());
    let manifest = Manifest::read(&args.manifest).map_err(|e| bad(&e))?;
    let folder = args.manifest.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let rubrics = Rubrics::over(&folder.join("rubrics")).map_err(|e| bad(&e))?;
    let bars = Bars::default();
    let progress: &dyn Progress = if ui.json { &Silent } else { &bars };
    let quiet = args.offline || args.dry_run;
    let wanted = (&manifest, folder, &rubrics);
    let trouble = |error| match error {
        OptimizeError::Build(error) => failed(error),
        error => bad(&error),
    };
    let found = match opened(wanted, args.source.as_ref(), args.cache.as_deref(), quiet, progress, ui) {
        // What is not fetched yet can still be reckoned with.
        Err(missing) if args.dry_run && missing.exit == Exit::NotReproducible => {
            let plan = OptimizePlan::before_fetching(&manifest, &rubrics).map_err(trouble)?;
            ui.data(&plan, || plan_text(&plan))?;
            return Ok(Exit::Done);
        }
        found => found?,
    };
    let Some(Opened { source, .. }) = found else { return Ok(Exit::Stopped) };
    let journal = writable(args.cache.as_ref())?;
    let optimize = Optimize {
        manifest: &manifest,
        folder,
        rubrics: &rubrics,
        source: source.as_ref(),
        journal: &journal,
        offline: args.offline,
        progress,
    };
    if args.dry_run {
        let plan = optimize.plan().map_err(trouble)?;
        ui.data(&plan, || plan_text(&plan))?;
        return Ok(Exit::Done);
    }
    let optimized = optimize.run().map_err(trouble)?;
    if let Some(out) = &args.out {
        write(out, &optimized)?;
    }
    ui.data(&optimized, || lineage_text(&optimized.lineage()))?;
    Ok(Exit::Done)
}

fn write(out: &Path, optimized: &Optimized) -> Result<(), Trouble> {
    let put = |name: &str, bytes: &[u8]| {
        lasting::write(lasting::Place::Whole(&out.join(name)), bytes).map_err(|e| Trouble::new(Exit::Other, e))
    };
    for (component, text) in &optimized.prompts {
        put(&format!("prompts/{component}.md"), format!("{text}\n").as_bytes())?;
    }
    let json = serde_json::to_string_pretty(optimized).map_err(|e| Trouble::new(Exit::Other, e))?;
    put("lineage.json", format!("{json}\n").as_bytes())?;
    put("lineage.html", lineage_page(&optimized.lineage(), TOOL).as_bytes())
}

fn plan_text(plan: &OptimizePlan) -> String {
    let [reflect, select, last] = plan.pairs;
    let proposals = &plan.proposals;
    format!(
        "{reflect} pairs to reflect on, {select} to compare candidates by, {last} kept for the end; {} components.\n\
         {} evaluations, each a draft and a judgement: {} for the prompts at the start, then {} proposals if all pass their \
         minibatch, {} if none does. The end takes {} more.\n",
        plan.components.len(),
        plan.evaluations,
        proposals.start,
        proposals.least,
        proposals.most,
        2 * last
    ) + &cost_text(&plan.cost)
}
