//! `legal-link relations list|check`: what relation types there are, whether their registry holds, and what the
//! source has of each.

use super::held::loaded;
use super::ui::Ui;
use super::{Exit, Trouble};
use crate::author::{Assignment, BuiltIn};
use crate::build::{self, Manifest, Rubrics};
use crate::dataset::{Authorship, Draft, Pair};
use crate::graph::RelationGraph;
use crate::law::{DatedRelation, Dimension, Effect, Evidence, Examined, Extent, Registry, RegistryError, RelationSpec};
use crate::sample::{Wish, draw};
use crate::source::{Origin, Source};
use crate::verify::Rules;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Pairs that are tried for a sample item.
const TRIED: usize = 200;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Each relation type: effect, predicates, and how many edges and pairs the source has of it.
    List(List),
    /// Hold a registry to its rules, and show of each relation type edges, pairs and one sample item.
    Check(Check),
}

#[derive(Debug, clap::Args)]
struct List {
    #[command(flatten)]
    ground: Ground,
}

#[derive(Debug, clap::Args)]
struct Check {
    /// A registry file, a folder of rubrics, or a manifest (or its folder), laid over what is shipped.
    #[arg(value_name = "FILE|FOLDER", conflicts_with = "rubrics")]
    path: Option<PathBuf>,
    #[command(flatten)]
    ground: Ground,
    /// The seed of the sample items.
    #[arg(long, default_value_t = 7)]
    seed: u64,
}

/// On what the relations are shown.
#[derive(Debug, clap::Args)]
struct Ground {
    /// Where the documents are: folder:PATH, cache:PATH; by default what the manifest says, else what is shipped.
    #[arg(long, alias = "source", value_name = "SRC")]
    from: Option<Origin>,
    /// Rubrics laid over those of the program [default: rubrics, if it is here].
    #[arg(long, value_name = "DIR")]
    rubrics: Option<PathBuf>,
}

pub(super) fn run(args: &Args, ui: Ui) -> Result<Exit, Trouble> {
    match &args.verb {
        Verb::List(args) => list(args, ui),
        Verb::Check(args) => check(args, ui),
    }
}

fn bad(error: impl std::fmt::Display) -> Trouble {
    Trouble::new(Exit::BadInput, error)
}

fn list(args: &List, ui: Ui) -> Result<Exit, Trouble> {
    let laid = Laid::read(None, &args.ground)?;
    let registry = laid.rubrics.registry().map_err(bad)?;
    let source = laid.source()?;
    let graph = graph(source.as_ref(), &registry, ui)?;
    let told: Vec<Told> = registry.relations().iter().map(|spec| Told::of(spec, &registry, &graph)).collect();
    ui.data(&told, || told.iter().map(Told::lines).collect())?;
    Ok(Exit::Done)
}

fn check(args: &Check, ui: Ui) -> Result<Exit, Trouble> {
    let laid = Laid::read(args.path.as_deref(), &args.ground)?;
    let mut examined = match laid.rubrics.examine() {
        Ok(examined) => examined,
        Err(build::RubricsError::Registry(error)) => Examined { errors: vec![error], ..Examined::default() },
        Err(error) => return Err(bad(error)),
    };
    let mut report = Report::default();
    if examined.errors.is_empty() {
        let source = laid.source()?;
        examined.errors = build::strangers(&examined, source.as_ref()).map_err(bad)?;
        report.relations = laid.shown(&examined.registry, source.as_ref(), args.seed, ui)?;
    }
    report.errors = examined.errors.iter().map(|e| laid.told(e)).collect();
    report.warnings = examined.warnings.iter().map(|e| laid.told(e)).collect();
    ui.data(&report, || report.relations.iter().map(Told::lines).collect())?;
    for (word, faults) in [("warning", &report.warnings), ("error", &report.errors)] {
        for fault in faults {
            ui.note(format_args!("{word}: {}", fault.shown));
        }
    }
    let sound = report.errors.is_empty();
    ui.note(match (sound, report.errors.len()) {
        (true, _) => format!("The registry holds: {} relation types.", examined.registry.relations().len()),
        (false, 1) => "1 error".to_string(),
        (false, n) => format!("{n} errors"),
    });
    Ok(if sound { Exit::Done } else { Exit::Findings })
}

/// Rubrics with what was given laid over them, and where its documents are.
struct Laid {
    rubrics: Rubrics,
    origin: Origin,
    /// A file that was given by itself, and the name it has among the rubrics.
    file: Option<(String, PathBuf)>,
}

impl Laid {
    fn read(path: Option<&Path>, ground: &Ground) -> Result<Self, Trouble> {
        let mut wished = None;
        let mut file = None;
        let rubrics = match path {
            None => Rubrics::over(ground.rubrics.as_deref().unwrap_or(Path::new("rubrics"))).map_err(bad)?,
            Some(path) => match Given::of(path)? {
                Given::Folder(folder) => Rubrics::over(&folder).map_err(bad)?,
                Given::Manifest(manifest, folder) => {
                    wished = Some(manifest.source.0.parse::<Origin>().map_err(bad)?.beside(&folder));
                    Rubrics::over(&folder.join("rubrics")).map_err(bad)?
                }
                Given::File(name, text) => {
                    let mut rubrics = Rubrics::shipped();
                    rubrics.lay(&name, text);
                    file = Some((name, path.to_path_buf()));
                    rubrics
                }
            },
        };
        let origin = ground.from.clone().or(wished).unwrap_or(Origin::Shipped);
        Ok(Self { rubrics, origin, file })
    }

    fn source(&self) -> Result<Box<dyn Source + Send + Sync>, Trouble> {
        let shipped = build::shipped().map_err(|e| Trouble::new(Exit::Other, e))?;
        self.origin.open(shipped).map_err(bad)
    }

    fn shown(&self, registry: &Registry, source: &dyn Source, seed: u64, ui: Ui) -> Result<Vec<Told>, Trouble> {
        let rules = Rules::parse("checks.toml", self.rubrics.file("checks.toml").map_err(bad)?).map_err(bad)?;
        let graph = graph(source, registry, ui)?;
        let told = registry.relations().iter().map(|spec| {
            let mut told = Told::of(spec, registry, &graph);
            if told.asked {
                told.sample = Some(sample(spec, registry, &graph, &rules, seed));
            }
            told
        });
        Ok(told.collect())
    }

    /// A fault, its file named as it was given.
    fn told(&self, error: &RegistryError) -> Fault {
        let file = match &self.file {
            Some((name, path)) if *name == error.file => path.display().to_string(),
            _ => format!("rubrics/{}", error.file),
        };
        let error = RegistryError { file, ..error.clone() };
        Fault {
            shown: error.to_string(),
            file: error.file,
            line: error.line,
            message: error.message,
            why: error.why.into(),
            write: error.write.into(),
        }
    }
}

/// What a path leads to.
enum Given {
    Folder(PathBuf),
    Manifest(Box<Manifest>, PathBuf),
    /// A registry file: its name among the rubrics, and its text.
    File(String, String),
}

impl Given {
    fn of(path: &Path) -> Result<Self, Trouble> {
        if path.is_dir() {
            let manifest = path.join("dataset.toml");
            return if manifest.is_file() { Self::of(&manifest) } else { Ok(Self::Folder(folder(path))) };
        }
        let text = Manifest::text(path).map_err(bad)?;
        let keys = toml::from_str::<toml::Table>(&text).unwrap_or_default();
        if keys.contains_key("name") {
            let manifest = Manifest::parse(path, &text).map_err(bad)?;
            let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
            return Ok(Self::Manifest(Box::new(manifest), folder.to_path_buf()));
        }
        let name = path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
        Ok(Self::File(if name == "relations.toml" { name } else { format!("relations/{name}") }, text))
    }
}

/// The rubrics of a folder: those in it, or the folder itself.
fn folder(path: &Path) -> PathBuf {
    let inside = path.join("rubrics");
    if inside.is_dir() { inside } else { path.to_path_buf() }
}

fn graph(source: &dyn Source, registry: &Registry, ui: Ui) -> Result<RelationGraph, Trouble> {
    Ok(RelationGraph::build(loaded(source, registry, ui)?.facts, registry))
}

/// What `check` prints with `--json`.
#[derive(Default, Serialize)]
struct Report {
    errors: Vec<Fault>,
    warnings: Vec<Fault>,
    relations: Vec<Told>,
}

#[derive(Serialize)]
struct Fault {
    file: String,
    line: Option<usize>,
    message: String,
    why: String,
    write: String,
    /// As people see it, with the line and a caret.
    shown: String,
}

/// One relation type, and what the source has of it.
#[derive(Serialize)]
struct Told {
    relation: String,
    label: String,
    effect: Effect,
    #[serde(skip_serializing_if = "Option::is_none")]
    dimension: Option<Dimension>,
    default_extent: Extent,
    asked: bool,
    predicates: Vec<String>,
    inverses: Vec<String>,
    published: String,
    patterns: usize,
    forms: usize,
    quota: Option<u32>,
    edges: Counted,
    /// Edges whose two texts are here, so that they can be asked about.
    pairs: Counted,
    #[serde(skip_serializing_if = "Option::is_none")]
    sample: Option<Sample>,
}

/// How many, and how many of them stand on which kind of evidence.
#[derive(Default, Serialize)]
struct Counted {
    all: usize,
    by_evidence: BTreeMap<&'static str, usize>,
}

impl Counted {
    fn add(&mut self, edge: &DatedRelation) {
        self.all += 1;
        let kinds: BTreeSet<&str> = edge.evidence.iter().map(kind).collect();
        for kind in kinds {
            *self.by_evidence.entry(kind).or_default() += 1;
        }
    }

    fn words(&self) -> String {
        let kinds: Vec<String> = self.by_evidence.iter().map(|(kind, n)| format!("{kind} {n}")).collect();
        if kinds.is_empty() { self.all.to_string() } else { format!("{} ({})", self.all, kinds.join(", ")) }
    }
}

fn kind(evidence: &Evidence) -> &'static str {
    match evidence {
        Evidence::Notice { .. } => "notice",
        Evidence::Register { .. } => "table",
        Evidence::Text { .. } => "text",
        Evidence::Bridge { .. } => "bridge",
    }
}

impl Told {
    fn of(spec: &RelationSpec, registry: &Registry, graph: &RelationGraph) -> Self {
        let (mut edges, mut pairs) = (Counted::default(), Counted::default());
        let here = |celex| graph.act(celex).is_some();
        for edge in graph.edges().filter(|e| e.relation == spec.name) {
            edges.add(edge);
            if edge.source != edge.target && here(&edge.source) && here(&edge.target) {
                pairs.add(edge);
            }
        }
        Self {
            relation: spec.name.to_string(),
            label: spec.label.clone(),
            effect: spec.effect,
            dimension: spec.dimension,
            default_extent: spec.default_extent,
            asked: !spec.context,
            predicates: spec.predicates.clone(),
            inverses: spec.inverses.clone(),
            published: registry.published(&spec.name).0.to_string(),
            patterns: spec.clauses.len(),
            forms: registry.forms(&spec.name).count(),
            quota: spec.quota,
            edges,
            pairs,
            sample: None,
        }
    }

    fn lines(&self) -> String {
        let asked = if self.asked { "asked about" } else { "context" };
        let dimension = self.dimension.map_or(String::new(), |d| format!(" {d} it applies"));
        let mut out = format!("{}: {}{dimension}, {asked}", self.relation, self.effect);
        if self.asked {
            let quota = self.quota.map_or("no quota".to_string(), |q| format!("quota {q}"));
            let _ = write!(out, " ({} forms, {} patterns, {quota})", self.forms, self.patterns);
        }
        let list = |names: &[String]| if names.is_empty() { "none".to_string() } else { names.join(", ") };
        let _ = writeln!(out, "\n  predicate {}; inverse {}", list(&self.predicates), list(&self.inverses));
        let _ = writeln!(out, "  edges {}; drawable pairs {}", self.edges.words(), self.pairs.words());
        if let Some(sample) = &self.sample {
            sample.lines(&mut out);
        }
        out
    }
}

/// An item that the built-in author writes, or why it writes none.
#[derive(Serialize)]
#[serde(untagged)]
enum Sample {
    Item { form: String, pair: Pair, draft: Box<Draft> },
    None { none: String },
}

/// The first item that the built-in author makes of the relation's pairs, in the order of the seed.
fn sample(spec: &RelationSpec, registry: &Registry, graph: &RelationGraph, rules: &Rules, seed: u64) -> Sample {
    let Some(known_on) = graph.known_on() else {
        return Sample::None { none: "no document says on what day it was taken".to_string() };
    };
    let wish = Wish { quotas: BTreeMap::from([(spec.name.clone(), 1)]), seed, ..Wish::default() };
    let drawn = draw(graph, registry, &wish);
    let mut none = "the source has no pair with both texts".to_string();
    for one in drawn.pairs.iter().take(TRIED) {
        let pair = &one.pair;
        let assignment = Assignment { pair, items: 1, graph, registry, rules, known_on, seed };
        let written = BuiltIn.draft(assignment);
        if let Some(draft) = written.drafts.into_iter().next() {
            let form = match &draft.author {
                Authorship::BuiltIn { form } => form.clone(),
                Authorship::Model { .. } => String::new(),
            };
            return Sample::Item { form, pair: pair.clone(), draft: Box::new(draft) };
        }
        none = written.refusals.last().map_or(none, |r| format!("{}: {}", pair.source, r.reason));
    }
    Sample::None { none }
}

impl Sample {
    fn lines(&self, out: &mut String) {
        match self {
            Self::None { none } => {
                let _ = writeln!(out, "  no sample item: {none}");
            }
            Self::Item { form, pair, draft } => {
                let _ = writeln!(out, "  sample: {} {} {}, form {form}", pair.source, pair.relation, pair.target);
                let _ = writeln!(out, "    {}", draft.stem);
                for (i, option) in draft.options.iter().enumerate() {
                    let _ = writeln!(out, "    {} {}", if i == 0 { "*" } else { "-" }, option.text);
                }
            }
        }
    }
}
