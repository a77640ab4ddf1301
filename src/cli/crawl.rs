//! `legal-link crawl MANIFEST`: the documents that a manifest needs, fetched from CELLAR into the cache.

use super::held::cache_folder;
use super::interrupt::Interrupt;
use super::ui::{Bars, Ui};
use super::{Exit, Trouble};
use crate::build::{
    Asked, Basis, Chosen, Crawl, CrawlError, CrawlPlan, Crawled, Ended, Manifest, Progress, Rubrics, Sum,
};
use crate::cache::{Cache, Shipped};
use crate::http::{Allowance, Clock};
use crate::law::Day;
use crate::source::Origin;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

#[derive(Debug, clap::Args)]
#[allow(clippy::struct_excessive_bools)] // each is a flag of the command line
pub(super) struct Args {
    /// The manifest, whose source is "cellar".
    manifest: PathBuf,
    /// Say how many requests it takes, how long and how many bytes, from counts alone.
    #[arg(long)]
    plan: bool,
    /// No network: say what is held and what is missing; with --plan, from the last counts kept.
    #[arg(long)]
    offline: bool,
    /// Ask again for what has changed since a day.
    #[arg(long, requires = "since", conflicts_with = "plan")]
    refresh: bool,
    /// The day.
    #[arg(long, value_name = "YYYY-MM-DD", requires = "refresh")]
    since: Option<Day>,
    /// Stop after so many requests; the same command goes on.
    #[arg(long, value_name = "N")]
    max_requests: Option<u64>,
    /// The cache's folder [default: the user's cache folder].
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
}

/// What is printed with `--json`.
#[derive(Serialize)]
struct Told<'a> {
    wanted: usize,
    stored: usize,
    absent: usize,
    failed: usize,
    pending: usize,
    requests: u64,
    stopped: Option<&'a str>,
    sum: &'a Sum,
    revisited: usize,
    questions: &'a [Asked],
    chosen: &'a [Chosen],
    left_out: usize,
}

pub(super) fn run(args: &Args, ui: Ui) -> Result<Exit, Trouble> {
    let bad = |e: &dyn std::fmt::Display| Trouble::new(Exit::BadInput, e.to_string());
    let manifest = Manifest::read(&args.manifest).map_err(|e| bad(&e))?;
    if manifest.source.0.parse() != Ok(Origin::Cellar) {
        return Err(elsewhere(&args.manifest, &manifest));
    }
    let folder = args.manifest.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let rubrics = Rubrics::of(&manifest, folder).map_err(|e| bad(&e))?;
    let bars = Bars::new(ui);
    let progress: &dyn Progress = &bars;
    let allowance = match (args.offline, args.max_requests) {
        (true, _) => Allowance::none(OFFLINE),
        (false, Some(most)) => Allowance::of(most),
        (false, None) => Allowance::default(),
    };
    let cache = kept(args.cache.as_deref())?;
    // Documents are pending then, which has an exit code of its own.
    Interrupt::default().halts(&allowance, &bars);
    let crawl = Crawl {
        manifest: &manifest,
        folder,
        rubrics: &rubrics,
        cache: Arc::new(cache),
        today: today()?,
        clock: Clock::new(SystemTime::now),
        allowance,
        since: args.since,
        progress,
    };
    if !args.offline {
        hurry(&manifest, ui);
    }
    if args.plan {
        if !args.offline {
            let counts = crawl.counts_for_plan()?;
            ui.note(format_args!("asks for at most {counts} counts, one per predicate and question"));
        }
        let plan = crawl.plan()?;
        ui.data(&plan, || plan_text(&plan))?;
        return Ok(Exit::Done);
    }
    let ended = crawl.run()?;
    tell(&ended, ui)?;
    Ok(exit_of(&ended.sum))
}

/// Why a manifest is not crawled whose law comes from elsewhere.
fn elsewhere(path: &Path, manifest: &Manifest) -> Trouble {
    let (path, source) = (path.display(), &manifest.source.0);
    let contact = if manifest.crawl.contact.is_none() { "\n[crawl]\ncontact = \"you@example.org\"" } else { "" };
    let why = format!("the source of {path} is \"{source}\", and nothing but CELLAR is crawled");
    Trouble::new(Exit::BadInput, why).hint(format!("for law from CELLAR write there:\nsource = \"cellar\"{contact}"))
}

/// What is said of a crawl that has no network.
const OFFLINE: &str = "offline: nothing is asked for";

/// What a crawl came to.
pub(super) struct Fetched {
    /// What there is.
    pub source: Crawled,
    /// Documents that failed for good, with the reason.
    pub failed: Vec<(String, String)>,
}

/// The documents of a manifest whose source is CELLAR, and those that failed for good: fetched now within an allowance, or,
/// without one, what the cache holds. None where it stopped before its end, which was told.
pub(super) fn crawled(
    build: (&Manifest, &Path, &Rubrics),
    cache: Option<&Path>,
    allowance: Option<&Allowance>,
    progress: &dyn Progress,
    ui: Ui,
) -> Result<Option<Fetched>, Trouble> {
    let (manifest, folder, rubrics) = build;
    let quiet = allowance.is_none();
    if !quiet {
        hurry(manifest, ui);
    }
    let allowance = allowance.cloned().unwrap_or_else(|| Allowance::none(OFFLINE));
    let (today, cache, clock) = (today()?, Arc::new(kept(cache)?), Clock::new(SystemTime::now));
    let ended = Crawl { manifest, folder, rubrics, cache, today, clock, allowance, since: None, progress }.run()?;
    let Ended { sum, source, stopped, .. } = ended;
    if sum.pending() == 0 {
        let failed = sum.failed.into_iter().flat_map(|(why, all)| all.into_iter().map(move |one| (one, why.clone())));
        return Ok(Some(Fetched { source, failed: failed.collect() }));
    }
    if quiet {
        let why = format!("not all documents are held: {sum}");
        return Err(Trouble::new(Exit::NotReproducible, why).hint("fetch them: legal-link crawl MANIFEST"));
    }
    ui.note(format_args!("{sum}\nstopped: {}\nThe same command goes on where it was.", stopped.unwrap_or_default()));
    Ok(None)
}

/// The cache, held if nobody else does.
fn kept(cache: Option<&Path>) -> Result<Cache, Trouble> {
    Ok(Cache::open(&cache_folder(cache)?, Shipped::default())?)
}

/// The day, by the clock of this machine.
pub(super) fn today() -> Result<Day, Trouble> {
    let now = chrono::Utc::now().date_naive().to_string();
    now.parse().map_err(|e| Trouble::new(Exit::Other, format!("the clock of this machine: {e}")))
}

/// Warns of a pace that nobody was asked about.
fn hurry(manifest: &Manifest, ui: Ui) {
    if let Some(hurry) = manifest.crawl.policy(manifest.seed).hurry() {
        ui.note(format_args!("warning: [crawl] pace means {hurry}"));
    }
}

/// 5 while anything is pending, 4 where something failed for good.
fn exit_of(sum: &Sum) -> Exit {
    match (sum.pending(), sum.failed.is_empty()) {
        (0, true) => Exit::Done,
        (0, false) => Exit::Short,
        _ => Exit::Stopped,
    }
}

/// The sum, what failed, and why it stopped.
fn tell(ended: &Ended, ui: Ui) -> Result<(), Trouble> {
    let sum = &ended.sum;
    let told = Told {
        wanted: sum.wanted,
        stored: sum.stored,
        absent: sum.absences(),
        failed: sum.failures(),
        pending: sum.pending(),
        requests: ended.requests,
        stopped: ended.stopped.as_deref().filter(|_| sum.pending() > 0),
        sum,
        revisited: ended.revisited,
        questions: &ended.questions,
        chosen: &ended.chosen,
        left_out: ended.left_out,
    };
    ui.data(&told, || sum_text(&told))?;
    if let Some(why) = told.stopped {
        ui.note(format_args!("stopped: {why}\nThe same command goes on where it was."));
    }
    Ok(())
}

fn sum_text(told: &Told<'_>) -> String {
    let mut text = String::new();
    for Chosen { relation, in_scope, pairs } in told.chosen {
        let _ = writeln!(text, "{:24} {pairs:>6} of {in_scope:>7} pairs in scope", relation.as_str());
    }
    if told.left_out > 0 {
        let _ = writeln!(text, "{} acts that act on an end are left out (acting_per_act)", told.left_out);
    }
    for (what, n) in &told.sum.absent {
        let _ = writeln!(text, "known absent  {n:>6}  {what}");
    }
    for (why, what) in &told.sum.failed {
        let first = what.first().map_or("", String::as_str);
        let _ = writeln!(text, "failed        {:>6}  {why}; the first: {first}", what.len());
    }
    let _ = writeln!(text, "{}, with {} requests", told.sum, told.requests);
    text
}

fn plan_text(plan: &CrawlPlan) -> String {
    let mut text = String::new();
    for (question, rows) in &plan.rows {
        let rows = rows.map_or("not counted".to_string(), |rows| format!("{rows} rows"));
        let _ = writeln!(text, "{question:32} {rows:>16}");
    }
    for Chosen { relation, in_scope, pairs } in &plan.chosen {
        let of = if plan.basis == Basis::Assumed { String::new() } else { format!(" of {in_scope}") };
        let _ = writeln!(text, "{:32} {pairs:>16} pairs{of}", relation.as_str());
    }
    let basis = match plan.basis {
        Basis::Held => "from the register's answers, which are held",
        Basis::Counted => "from counts",
        Basis::Assumed => "assumed",
    };
    let _ = writeln!(
        text,
        "documents  {} notices and {} texts, {} of them held ({basis})",
        plan.notices, plan.texts, plan.held
    );
    let _ = writeln!(
        text,
        "requests   {} to the register, {} for documents",
        plan.register_requests, plan.document_requests
    );
    let hours = plan.seconds / 3600.0;
    let _ = writeln!(text, "time       {hours:.1} hours, a request every {} s", plan.pace_seconds);
    let _ = writeln!(text, "bytes      {} million", plan.bytes.div_ceil(1_000_000));
    let _ = writeln!(text, "taken for granted:");
    for one in &plan.assumptions {
        let _ = writeln!(text, "  {one}");
    }
    text
}

impl From<CrawlError> for Trouble {
    fn from(error: CrawlError) -> Self {
        match error {
            CrawlError::Cache(error) => error.into(),
            CrawlError::NoContact => Self::new(Exit::BadInput, error).hint("[crawl]\ncontact = \"you@example.org\""),
            CrawlError::Runtime(_) | CrawlError::Http(_) | CrawlError::Changes(_) => Self::new(Exit::Other, error),
            other => Self::new(Exit::BadInput, other),
        }
    }
}
