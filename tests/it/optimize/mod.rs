//! The optimizer from the manifest to the prompts, with a writer that heeds one rule and a reflector that finds it.

mod corpus;
mod program;
pub mod site;

use crate::program::{root, told};
use crate::world::World;
use legal_link::author::{BuiltInJudge, Rubric};
use legal_link::build::{BuildError, Manifest, Optimize, OptimizeError, Optimized, Rubrics, Silent, Voices, shipped};
use legal_link::http::Allowance;
use legal_link::model::{Answered, Ask, Asking, CallKey, End, LanguageModel, ModelError, ModelName, Reply, Usage};
use legal_link::source::Origin;
use legal_link::verify::Rules;
use legal_link::view::{lineage_page, lineage_text};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};

const RELATIONS: [&str; 3] = ["repeals", "corrects", "completes"];
/// The rule that the writer needs to hear, in a component that every prompt has.
const RULE: &str = "Say nothing twice.";

/// Writes what the built-in author would; without the rule it calls an act "the regulation".
struct Writer {
    name: ModelName,
    replies: BTreeMap<String, Vec<Value>>,
    asked: AtomicUsize,
    /// Calls after which it answers no more.
    until: usize,
}

impl LanguageModel for Writer {
    fn name(&self) -> &ModelName {
        &self.name
    }

    fn ask<'a>(&'a self, ask: &'a Ask, draw: &'a str) -> Asking<'a> {
        if self.asked.fetch_add(1, Ordering::SeqCst) >= self.until {
            return Box::pin(std::future::ready(Err(ModelError::Spent("no more calls".to_string()))));
        }
        let (system, prompt) = (&ask.turns[0].text, &ask.turns[1].text);
        let text = if ask.schema.name == "component" {
            let component = prompt.split("<<<DATA component\n").nth(1).and_then(|t| t.split("\nDATA>>>").next());
            json!({"faults": "so", "text": format!("{}\n{RULE}", component.unwrap_or_default())}).to_string()
        } else {
            assert!(!system.contains("<!--"), "marks are not sent");
            let found = self.replies.iter().find(|(line, replies)| prompt.contains(*line) && !replies.is_empty());
            let mut reply = found.map_or(Value::Null, |(_, replies)| replies[0].clone());
            if !system.contains(RULE) {
                reply["stem"] = json!(format!("{} The regulation is silent.", reply["stem"].as_str().unwrap_or("")));
            }
            reply.to_string()
        };
        let reply = Reply { text, end: End::Stop, usage: Usage::default(), served: None };
        let call = CallKey::new("", draw.as_bytes(), "");
        Box::pin(std::future::ready(Ok(Answered { reply, call, replayed: false, batch: false })))
    }
}

struct Ground {
    rubrics: Rubrics,
    manifest: Manifest,
    folder: tempfile::TempDir,
}

impl Ground {
    fn new() -> Self {
        let text = "name = \"o\"\nseed = 3\n[quotas]\nrepeals = 9\ncorrects = 9\ncompletes = 9\n[roles]\nreflect = 6\n\
                    select = 5\nfinal = 4\n[author]\nmodel = \"local:writer\"\nbase_url = \"http://127.0.0.1:9/v1\"\n\
                    [optimize]\nevaluations = 120\nside_by_side = 2\ngive_up = 6\n";
        let manifest = Manifest::parse(Path::new("dataset.toml"), text).expect("a manifest");
        Self { rubrics: Rubrics::shipped(), manifest, folder: tempfile::tempdir().expect("a folder") }
    }

    fn run(&self, journal: &str, until: usize) -> (Result<Optimized, OptimizeError>, usize) {
        static REPLIES: LazyLock<BTreeMap<String, Vec<Value>>> =
            LazyLock::new(|| World::shipped(&Rubrics::shipped()).replies(&RELATIONS));
        let name: ModelName = "local:writer".parse().expect("a name");
        let writer = Arc::new(Writer { name, replies: REPLIES.clone(), asked: AtomicUsize::new(0), until });
        let rubric = Rubric::parse(self.rubrics.file("judge.toml").expect("shipped")).expect("a rubric");
        let rules = Rules::parse("checks.toml", self.rubrics.file("checks.toml").expect("shipped")).expect("rules");
        let voices = Voices {
            author: writer.clone(),
            judge: Arc::new(BuiltInJudge::new(rubric, rules)),
            reflection: writer.clone(),
        };
        let source = Origin::Shipped.open(shipped().expect("it reads")).expect("a source");
        let optimize = Optimize {
            manifest: &self.manifest,
            folder: root(),
            rubrics: &self.rubrics,
            source: source.as_ref(),
            journal: &self.folder.path().join(journal),
            offline: false,
            allowance: Allowance::default(),
            progress: &Silent,
            watch: &|_| {},
        };
        (optimize.run_with(&voices), writer.asked.load(Ordering::SeqCst))
    }
}

/// Pairs kept for the end.
fn apart(optimized: &Optimized) -> usize {
    optimized.held_out.iter().map(|one| one.pairs).sum()
}

fn bytes(optimized: &Optimized) -> String {
    serde_json::to_string_pretty(optimized).expect("it serialises")
}

#[test]
fn it_finds_what_the_writer_needs_and_shows_it_on_pairs_it_never_saw() {
    let ground = Ground::new();
    let optimized = ground.run("a", usize::MAX).0.unwrap_or_else(|e| panic!("{e}"));
    assert!(optimized.chosen > 0 && optimized.prompts.values().any(|text| text.contains(RULE)));
    assert!(!optimized.before.values().any(|text| text.contains(RULE)));
    let held = &optimized.held_out;
    let (before, after) = held.iter().fold((0, 0), |(b, a), one| (b + one.before, a + one.after));
    assert!(after > 2 * before && after >= 60 * apart(&optimized) as u64, "{held:?}");
    let lineage = optimized.lineage();
    assert_eq!(lineage.candidates.len(), optimized.proposals.iter().filter(|one| one.place().is_some()).count());
    let page = lineage_page(&lineage, "legal-link");
    assert!(page.contains(&format!("<ins>+ {RULE}</ins>")), "the change is shown");
    assert!(lineage_text(&lineage).contains("held out: repeals"), "{}", lineage_text(&lineage));
}

#[test]
fn stopped_anywhere_it_ends_in_the_same_bytes_and_asks_for_nothing_settled_again() {
    let ground = Ground::new();
    let (whole, calls) = ground.run("whole", usize::MAX);
    let whole = whole.unwrap_or_else(|e| panic!("{e}"));
    let (apart, whole) = (apart(&whole), bytes(&whole));
    for until in [0, 1, 7, calls / 3, calls / 2, calls - 1] {
        let journal = format!("stopped {until}");
        let stopped = ground.run(&journal, until).0.err().map(|e| e.to_string()).unwrap_or_default();
        assert!(stopped.contains("no more calls") && stopped.contains("goes on"), "{until}: {stopped}");
        let (resumed, again) = ground.run(&journal, usize::MAX);
        assert_eq!(bytes(&resumed.unwrap_or_else(|e| panic!("{e}"))), whole, "stopped after {until} calls");
        assert!(again <= calls, "{again} of {calls}");
    }
    // All is journaled but what is measured at the end.
    let (replayed, again) = ground.run("whole", usize::MAX);
    assert_eq!(bytes(&replayed.unwrap_or_else(|e| panic!("{e}"))), whole);
    assert_eq!(again, 2 * apart, "the pairs kept for the end are asked about twice");
}

#[test]
fn what_cannot_be_optimized_is_said_before_anything_is_paid() {
    let mut ground = Ground::new();
    ground.manifest.roles.clear();
    let (error, asked) = ground.run("none", usize::MAX);
    assert!(matches!(error, Err(OptimizeError::NoPairs { .. })) && asked == 0);
    let mut ground = Ground::new();
    ground.manifest.optimize.evaluations = 9;
    let (error, asked) = ground.run("none", usize::MAX);
    let error = error.err().map(|e| e.to_string()).unwrap_or_default();
    assert!(error.contains("9 evaluations buy no proposal") && asked == 0, "{error}");
    assert!(!matches!(Ground::new().run("stopped", 0).0, Err(OptimizeError::Build(BuildError::NoDay))));
}

#[test]
fn the_plan_says_what_the_budget_buys() {
    let folder = tempfile::tempdir().expect("a folder");
    let manifest = folder.path().join("dataset.toml");
    let text = "name = \"o\"\nseed = 3\n[quotas]\nrepeals = 9\ncorrects = 9\ncompletes = 9\n[roles]\nreflect = 6\n\
                select = 5\nfinal = 4\n[author]\nmodel = \"local:m\"\n\
                base_url = \"http://127.0.0.1:9/v1\"\n[optimize]\nevaluations = 120\n";
    std::fs::write(&manifest, text).expect("written");
    let out = crate::program::run(&["optimize", &manifest.to_string_lossy(), "--dry-run"], folder.path());
    let said = String::from_utf8_lossy(&out.stdout).into_owned();
    assert_eq!(out.status.code(), Some(0), "{}", told(&out));
    assert!(said.contains("6 pairs to reflect on, 3 to compare candidates by, 3 kept for the end"), "{said}");
    assert!(said.contains("3 for the prompts at the start, then 4 proposals if all pass"), "{said}");
}

#[test]
fn the_papers_optimization_is_planned_before_anything_is_fetched() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = crate::program::run(&["optimize", "examples/legal-link-eu/dataset.toml", "--dry-run"], folder.path());
    let said = String::from_utf8_lossy(&out.stdout).into_owned();
    assert_eq!(out.status.code(), Some(0), "{}", told(&out));
    assert!(said.contains("75 pairs to reflect on, 75 to compare candidates by, 70 kept for the end"), "{said}");
    assert!(said.contains("then 44 proposals if all pass"), "{said}");
    assert!(said.contains("nothing is fetched yet"), "{said}");
}
