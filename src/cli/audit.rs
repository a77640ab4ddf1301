//! `legal-link audit DIR`: does a dataset stand on its documents?

use super::locked::{Locked, Places};
use super::ui::Ui;
use super::{Exit, Trouble};
use crate::audit::{Explained, Ground, ItemReport, Published, Report, State, audit, explain};
use crate::build::{self, LOCK, Rubrics};
use crate::dataset::Lock;
use crate::graph::RelationGraph;
use crate::law::Digest;
use crate::source::Origin;
use crate::verify::Rules;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Component, Path, PathBuf};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The dataset's folder: items.jsonl, provenance.jsonl, dataset.lock.
    dir: PathBuf,
    /// Explain this item (or all items of a published id), and print the chain down to the bytes.
    #[arg(long, value_name = "ITEM")]
    item: Option<String>,
    /// Where the documents are: `folder:PATH`, `cache:PATH` [default: where the lock says, the user's cache, what is shipped].
    #[arg(long, value_name = "SRC")]
    source: Option<Origin>,
    /// The writable cache; default: the user's cache folder.
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Rubrics laid over those of the program.
    #[arg(long, value_name = "DIR")]
    rubrics: Option<PathBuf>,
}

/// One item with its explanation.
#[derive(Serialize)]
struct Told<'a> {
    #[serde(flatten)]
    report: &'a ItemReport,
    #[serde(flatten)]
    explained: Option<Explained>,
}

/// What is printed with `--json` about a whole dataset.
#[derive(Serialize)]
struct Whole<'a> {
    rows: usize,
    sound: usize,
    unsound: usize,
    unknown: usize,
    #[serde(flatten)]
    report: &'a Report,
}

pub(super) fn run(args: &Args, ui: Ui) -> Result<Exit, Trouble> {
    let published = Published::read(files(&args.dir)?);
    let lock = published.lock().and_then(Result::ok);
    let rubrics = match &args.rubrics {
        Some(folder) => Rubrics::over(folder),
        None => Ok(Rubrics::shipped()),
    };
    let bad = |e: &dyn std::fmt::Display| Trouble::new(Exit::BadInput, e.to_string());
    let rubrics = rubrics.map_err(|e| bad(&e))?;
    let registry = rubrics.registry().map_err(|e| bad(&e))?;
    let rules = rubrics.file("checks.toml").map_err(|e| bad(&e))?;
    let rules = Rules::parse("checks.toml", rules).map_err(|e| bad(&e))?;
    let places = Places { dir: &args.dir, source: args.source.as_ref(), cache: args.cache.as_deref() };
    let locked = Locked::among(&places, lock.as_ref())?;
    let loaded = build::load(&locked, &registry).map_err(|e| bad(&e))?;
    let graph = RelationGraph::build(loaded.facts, &registry);
    let documents = |digest: &Digest| locked.held(digest);
    let ground = Ground {
        graph: &graph,
        registry: &registry,
        rules: &rules,
        rubrics: rubrics.digests().0,
        documents: &documents,
    };
    let report = audit(&published, &ground);
    match &args.item {
        None => whole(&report, ui),
        Some(item) => one(item, &report, &published, &ground, ui),
    }
}

/// The files of the folder that an audit reads: rows, provenances, lock, and what the lock names.
fn files(dir: &Path) -> Result<BTreeMap<String, Vec<u8>>, Trouble> {
    let mut names: BTreeSet<String> = ["items.jsonl", "provenance.jsonl", LOCK].map(str::to_string).into();
    if let Some(Ok(lock)) = std::fs::read_to_string(dir.join(LOCK)).ok().map(|text| Lock::parse(&text)) {
        // A lock from elsewhere must not make us read outside its folder.
        let inside = |path: &str| Path::new(path).components().all(|c| matches!(c, Component::Normal(_)));
        names.extend(lock.files.into_iter().map(|f| f.path).filter(|p| inside(p)));
    }
    names.extend(tables(dir));
    if !dir.join("items.jsonl").is_file() {
        let why = format!("{} holds no items.jsonl", dir.display());
        return Err(Trouble::new(Exit::BadInput, why).hint("give the folder that `build --out` wrote"));
    }
    Ok(names.into_iter().filter_map(|name| Some((name.clone(), std::fs::read(dir.join(&name)).ok()?))).collect())
}

/// What lies in `data/`: a reader of the dataset loads it, whether the lock names it or not.
fn tables(dir: &Path) -> Vec<String> {
    let there = std::fs::read_dir(dir.join("data")).into_iter().flatten().filter_map(Result::ok);
    let tables = there.map(|entry| entry.file_name().to_string_lossy().into_owned());
    tables.filter(|name| name.ends_with(".parquet")).map(|name| format!("data/{name}")).collect()
}

fn whole(report: &Report, ui: Ui) -> Result<Exit, Trouble> {
    let [sound, unsound, unknown] = [State::Sound, State::Unsound, State::Unknown].map(|s| report.count(s));
    let told = Whole { rows: report.items.len(), sound, unsound, unknown, report };
    ui.data(&told, || {
        let mut text = format!("{} rows: {sound} sound, {unsound} unsound, {unknown} unknown\n", told.rows);
        for finding in &report.set {
            let _ = writeln!(text, "{}: {}", finding.what, finding.says);
        }
        report.items.iter().filter(|i| i.state == State::Unsound).for_each(|item| lines(&mut text, item));
        if unknown > 0 {
            unknowns(&mut text, report);
        }
        text
    })?;
    Ok(if report.sound() { Exit::Done } else { Exit::Findings })
}

/// Why rows are unknown, each reason once with the number of rows.
fn unknowns(text: &mut String, report: &Report) {
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for why in report.items.iter().flat_map(|i| &i.unknown) {
        *reasons.entry(why).or_default() += 1;
    }
    let mut reasons: Vec<(&str, usize)> = reasons.into_iter().collect();
    reasons.sort_by_key(|(why, n)| (std::cmp::Reverse(*n), *why));
    for (why, n) in reasons.iter().take(10) {
        let _ = writeln!(text, "unknown ({n} rows): {why}");
    }
}

fn lines(text: &mut String, item: &ItemReport) {
    let name = item.item.as_deref().unwrap_or(&item.id);
    let _ = writeln!(text, "row {} {name}", item.row);
    for finding in &item.findings {
        let _ = writeln!(text, "  {}: {}", finding.what, finding.says);
    }
    for why in &item.unknown {
        let _ = writeln!(text, "  unknown: {why}");
    }
    for note in &item.notes {
        let _ = writeln!(text, "  {note}");
    }
}

fn one(name: &str, report: &Report, published: &Published, ground: &Ground<'_>, ui: Ui) -> Result<Exit, Trouble> {
    let rows: Vec<&ItemReport> =
        report.items.iter().filter(|i| i.item.as_deref() == Some(name) || i.id == name).collect();
    if rows.is_empty() {
        let why = format!("no row has the item or the published id `{name}`");
        return Err(Trouble::new(Exit::BadInput, why).hint("`item` is a column of items.jsonl"));
    }
    let explained =
        |row: &ItemReport| row.item.as_ref().and_then(|i| published.provenance(i)).map(|p| explain(p, ground));
    let told: Vec<Told<'_>> = rows.iter().map(|row| Told { report: row, explained: explained(row) }).collect();
    ui.data(&told, || {
        let mut text = String::new();
        for told in &told {
            if let Some(explained) = &told.explained {
                let _ = writeln!(text, "{}\n\n{}", explained.sentences.join("\n"), explained.chain);
            }
            let state = match told.report.state {
                State::Sound => "It stands: everything was derived again.",
                State::Unsound => "It does not stand:",
                State::Unknown => "Not all of it could be derived again:",
            };
            let _ = writeln!(text, "{state}");
            lines(&mut text, told.report);
        }
        text
    })?;
    Ok(if rows.iter().all(|r| r.findings.is_empty()) { Exit::Done } else { Exit::Findings })
}
