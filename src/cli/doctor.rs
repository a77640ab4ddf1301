//! `legal-link doctor [MANIFEST]`: what is configured, what is missing, whether what is kept is whole.

use super::crawl::today;
use super::ui::Ui;
use super::{Exit, Trouble};
use crate::build::{self, Answering, Crawl, Manifest, Rubrics, Silent, TOOL};
use crate::cache::{Cache, Shipped};
use crate::http::{Allowance, Clock};
use crate::law::Language;
use crate::source::Origin;
use crate::verify::Rules;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The manifest; without one, only the program and this machine are looked at.
    manifest: Option<PathBuf>,
    /// The cache's folder [default: the user's cache folder].
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Ask CELLAR whether it answers: a handful of requests, under the manifest's contact and pace.
    #[arg(long, requires = "manifest")]
    online: bool,
}

/// How a thing was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum State {
    Fine,
    /// Worth knowing, and no fault.
    Note,
    Finding,
}

/// One thing that was looked at.
#[derive(Debug, Serialize)]
struct Checked {
    what: &'static str,
    state: State,
    says: String,
}

impl Checked {
    fn new(what: &'static str, state: State, says: impl Into<String>) -> Self {
        Self { what, state, says: says.into() }
    }

    fn of(what: &'static str, looked: Result<String, String>) -> Self {
        let state = if looked.is_ok() { State::Fine } else { State::Finding };
        Self::new(what, state, looked.unwrap_or_else(|why| why))
    }
}

/// What is printed.
#[derive(Serialize)]
struct Told {
    tool: &'static str,
    findings: usize,
    checks: Vec<Checked>,
}

pub(super) fn run(args: &Args, ui: Ui) -> Result<Exit, Trouble> {
    let manifest = args.manifest.as_ref().map(|path| (path, Manifest::read(path)));
    let folder = args.manifest.as_ref().and_then(|path| path.parent()).unwrap_or(Path::new(""));
    let cache = args.cache.clone().or_else(build::user_cache);
    let read = manifest.as_ref().and_then(|(_, read)| read.as_ref().ok());
    let mut checks = Vec::new();
    if let Some((path, read)) = &manifest {
        let told = |m: &Manifest| format!("{}: {} {}", path.display(), m.name, m.version);
        checks.push(Checked::of("manifest", read.as_ref().map(told).map_err(ToString::to_string)));
    }
    checks.extend(read.map(|manifest| source(manifest, folder, cache.as_deref())));
    checks.push(Checked::of("rubrics", rubrics(&folder.join("rubrics"))));
    checks.extend(keys(read));
    checks.push(Checked::of("shipped", shipped()));
    checks.extend(kept(cache.as_deref()));
    if let Some(manifest) = read.filter(|_| args.online) {
        checks.extend(online(manifest, folder));
    }
    let findings = checks.iter().filter(|c| c.state == State::Finding).count();
    let told = Told { tool: TOOL, findings, checks };
    ui.data(&told, || text(&told))?;
    Ok(if findings == 0 { Exit::Done } else { Exit::Findings })
}

fn text(told: &Told) -> String {
    let mut out = format!("{}\n", told.tool);
    for Checked { what, state, says } in &told.checks {
        let mark = match state {
            State::Fine => "ok  ",
            State::Note => "note",
            State::Finding => "!   ",
        };
        let _ = writeln!(out, "{mark} {what:9} {says}");
    }
    match told.findings {
        0 => out.push_str("nothing is wrong\n"),
        n => {
            let _ = writeln!(out, "{n} to be seen to");
        }
    }
    out
}

/// Where the manifest's documents come from, and whether they are there.
fn source(manifest: &Manifest, folder: &Path, cache: Option<&Path>) -> Checked {
    let wish = &manifest.source.0;
    let origin = match wish.parse::<Origin>() {
        Ok(origin) => origin.beside(folder),
        Err(e) => return Checked::new("source", State::Finding, e.to_string()),
    };
    if origin == Origin::Cellar {
        return cellar(manifest, cache);
    }
    let opened = build::shipped().map_err(|e| e.to_string()).and_then(|s| origin.open(s).map_err(|e| e.to_string()));
    let counted = opened.and_then(|source| source.list().map_err(|e| e.to_string()));
    Checked::of("source", counted.map(|listed| format!("{wish}: {} documents", listed.len())))
}

fn cellar(manifest: &Manifest, cache: Option<&Path>) -> Checked {
    let crawl = &manifest.crawl;
    let held = cache.and_then(|at| Cache::visit(at, Shipped::default()).ok()).map_or(0, |cache| cache.keys().len());
    match &crawl.contact {
        None => {
            let why =
                "cellar: a live crawl needs `contact` under [crawl]; what the cache holds can be built from without";
            Checked::new("source", State::Finding, why)
        }
        Some(_) if crawl.policy(manifest.seed).hurry().is_some() => {
            let why = format!(
                "cellar: a request every {} s is faster than the one a second that public hosts are asked for",
                crawl.pace.duration().as_secs_f64()
            );
            Checked::new("source", State::Note, why)
        }
        Some(contact) => {
            let says = format!(
                "cellar: {} and {}, a request every {} s, contact {}; {held} documents in the cache",
                crawl.sparql,
                crawl.rest,
                crawl.pace.duration().as_secs_f64(),
                contact.as_str()
            );
            Checked::new("source", State::Fine, says)
        }
    }
}

/// The registry, the rules of the gates and the words of English, with what is laid over them.
fn rubrics(over: &Path) -> Result<String, String> {
    let rubrics = Rubrics::over(over).map_err(|e| e.to_string())?;
    let examined = rubrics.examine().map_err(|e| e.to_string())?;
    if let Some(first) = examined.errors.first() {
        return Err(format!("{} errors, the first: rubrics/{first}", examined.errors.len()));
    }
    let checks = rubrics.file("checks.toml").map_err(|e| e.to_string())?;
    Rules::parse("checks.toml", checks).map_err(|e| format!("rubrics/{e}"))?;
    rubrics.language(Language::ENGLISH).map_err(|e| e.to_string())?;
    let own = if over.is_dir() { format!(", {} laid over the shipped ones", over.display()) } else { String::new() };
    let relations = examined.registry.relations().len();
    Ok(format!("{relations} relations, {} asked about{own}", examined.registry.asked().count()))
}

/// Which keys are here, by the name of the variable; a value is never read further than to see that it is one.
fn keys(manifest: Option<&Manifest>) -> Vec<Checked> {
    let one = |(name, (of, needed)): (String, (String, bool))| {
        let there = std::env::var_os(&name).is_some_and(|value| !value.is_empty());
        match (there, needed) {
            (true, _) => Checked::new("key", State::Fine, format!("{name} is set ({of})")),
            (false, true) => Checked::new("key", State::Finding, format!("{name} is not set, and {of} needs it")),
            (false, false) => Checked::new("key", State::Note, format!("{name} is not set ({of}; not needed here)")),
        }
    };
    build::key_variables(manifest).into_iter().map(one).collect()
}

/// Whether CELLAR answers.
fn online(manifest: &Manifest, folder: &Path) -> Vec<Checked> {
    let asked = || -> Result<Answering, String> {
        let rubrics = Rubrics::of(manifest, folder).map_err(|e| e.to_string())?;
        // A cache of its own: an answer that is held would say nothing about today.
        let apart = tempfile::tempdir().map_err(|e| e.to_string())?;
        let cache = Cache::open(apart.path(), Shipped::default()).map_err(|e| e.to_string())?;
        let crawl = Crawl {
            manifest,
            folder,
            rubrics: &rubrics,
            cache: Arc::new(cache),
            today: today().map_err(|e| e.message)?,
            clock: Clock::new(SystemTime::now),
            allowance: Allowance::of(MOST_REQUESTS),
            since: None,
            progress: &Silent,
        };
        crawl.answering().map_err(|e| e.to_string())
    };
    match asked() {
        Ok(Answering { sparql, rest }) => vec![Checked::of("sparql", sparql), Checked::of("rest", rest)],
        Err(why) => vec![Checked::new("online", State::Finding, why)],
    }
}

/// More requests than two small questions take, with their redirects and repetitions.
const MOST_REQUESTS: u64 = 12;

fn shipped() -> Result<String, String> {
    let shipped = build::shipped().map_err(|e| e.to_string())?;
    let mut sound = 0;
    for entry in shipped.entries() {
        shipped.get(&entry.key).map_err(|e| e.to_string())?;
        sound += 1;
    }
    Ok(format!("{sound} specimen documents, all whole"))
}

/// The cache: where it is, who holds it, whether it is whole.
fn kept(cache: Option<&Path>) -> Vec<Checked> {
    let Some(at) = cache else {
        let why = "this system names no folder for caches: give one with --cache DIR where it is needed";
        return vec![Checked::new("cache", State::Finding, why)];
    };
    let shown = at.display();
    let looked = Cache::visit(at, Shipped::default()).and_then(|cache| Ok((cache.stat()?, cache.verify()?)));
    let (stat, verified) = match looked {
        Ok(looked) => looked,
        Err(e) => return vec![Checked::new("cache", State::Finding, e.to_string())],
    };
    let whole = if verified.sound() {
        let says = format!("{shown}: {} documents, {} bytes on disk, all whole", stat.keys, stat.bytes_on_disk);
        Checked::new("cache", State::Fine, says)
    } else {
        let (damaged, gone, lines) = (verified.damaged.len(), verified.gone.len(), verified.bad_lines.len());
        let says = format!(
            "{shown}: {damaged} damaged blobs, {gone} documents gone, {lines} bad lines: `legal-link cache rebuild` mends it"
        );
        Checked::new("cache", State::Finding, says)
    };
    let mut checks = vec![whole];
    if Cache::is_held(at) {
        let says = "another process holds it now; what this one puts waits beside it".to_string();
        checks.push(Checked::new("cache", State::Note, says));
    }
    if stat.waiting > 0 {
        let says = format!("{} journals of other processes wait for the next holder", stat.waiting);
        checks.push(Checked::new("cache", State::Note, says));
    }
    checks
}
