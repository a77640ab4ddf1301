//! A folder with a manifest whose models are the stand-in's, and a stand-in that writes as well as its prompts say.

use crate::program::{files, legal_link};
use crate::provider::{Prompt, Speaker, by_schema};
use crate::world::World;
use legal_link::build::{Rubrics, shipped};
use legal_link::law::Digest;
use legal_link::source::Origin;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;

pub const RELATIONS: [&str; 3] = ["repeals", "corrects", "completes"];
/// Calls under way at once.
pub const IN_FLIGHT: usize = 4;

pub fn rule(number: usize) -> String {
    format!("Rule {number}: say nothing twice, and name each act in full.")
}

/// Writes what the built-in author would, but where its prompt lacks the rule that its relation needs it calls an act "the
/// regulation". Asked for a component it puts one more rule in, chosen by what it was shown. All else is filled in by its
/// schema.
pub fn heeding(source: &dyn legal_link::source::Source, relations: &[&str]) -> Speaker {
    let world = World::of(&Rubrics::shipped(), source);
    let with_rule = |(number, relation): (usize, &&str)| {
        world.replies(&[relation]).into_iter().map(move |(line, drafts)| (line, (rule(number), drafts)))
    };
    let replies: BTreeMap<String, (String, Vec<Value>)> =
        relations.iter().enumerate().flat_map(with_rule).filter(|(_, (_, drafts))| !drafts.is_empty()).collect();
    let (by_schema, rules) = (by_schema(), relations.len());
    Arc::new(move |prompt: &Prompt| {
        let text = prompt.text();
        let wants = |field: &str| prompt.schema.as_ref().is_some_and(|schema| !schema["properties"][field].is_null());
        if wants("faults") {
            let component = text.split("<<<DATA component\n").nth(1).and_then(|rest| rest.split("\nDATA>>>").next());
            let component = component.unwrap_or_default();
            let left: Vec<String> = (0..rules).map(rule).filter(|rule| !component.contains(rule)).collect();
            let at = usize::from(Digest::of(text.as_bytes()).as_bytes()[0]) % left.len().max(1);
            let more = left.get(at).cloned().unwrap_or_default();
            return json!({"faults": "It names no act.", "text": format!("{component}\n{more}")}).to_string();
        }
        let found = replies.iter().find(|(line, _)| text.contains(line.as_str())).filter(|_| wants("stem"));
        let Some((_, (rule, drafts))) = found else { return by_schema(prompt) };
        let mut draft = drafts[0].clone();
        if !text.contains(rule) {
            draft["stem"] = json!(format!("{} The regulation is silent.", draft["stem"].as_str().unwrap_or_default()));
        }
        draft.to_string()
    })
}

/// The same on what comes with the program.
pub fn heeding_shipped() -> Speaker {
    let source = Origin::Shipped.open(shipped().expect("it reads")).expect("a source");
    heeding(source.as_ref(), &RELATIONS)
}

pub struct Site {
    folder: tempfile::TempDir,
}

impl Site {
    /// A manifest on what comes with the program, with `more` at its end.
    pub fn new(base: &str, more: &str) -> Self {
        let quotas: String = RELATIONS.map(|relation| format!("{relation} = 9\n")).concat();
        Self::of(&format!(
            "name = \"o\"\nseed = 3\n[quotas]\n{quotas}[roles]\nreflect = 6\nselect = 5\nfinal = 4\n[calibration]\nitems = 0\n\
             [author]\n{}[optimize]\nevaluations = 120\nside_by_side = 2\ngive_up = 6\nfronts = \"hybrid\"\n{more}",
            model(base)
        ))
    }

    pub fn of(manifest: &str) -> Self {
        let site = Self { folder: tempfile::tempdir().expect("a folder") };
        std::fs::write(site.at("dataset.toml"), manifest).expect("written");
        site
    }

    pub fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The binary at work on the manifest, its cache in `cache`.
    pub fn command(&self, verb: &str, cache: &str, more: &[&str]) -> Command {
        let at = |name: &str| self.at(name).display().to_string();
        let (manifest, cache) = (at("dataset.toml"), at(cache));
        let mut args = vec![verb, &manifest, "--cache", &cache];
        args.extend(more);
        legal_link(&args, self.folder.path())
    }

    pub fn run(&self, verb: &str, cache: &str, more: &[&str]) -> Output {
        self.command(verb, cache, more).output().expect("the binary was built")
    }

    /// `optimize`, its result in the folder `out`.
    pub fn optimize(&self, out: &str, cache: &str, more: &[&str]) -> Output {
        let out = self.at(out).display().to_string();
        let mut args = vec!["--out", &out];
        args.extend(more);
        self.run("optimize", cache, &args)
    }

    pub fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.at(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    pub fn add(&self, more: &str) {
        let manifest = self.text("dataset.toml");
        std::fs::write(self.at("dataset.toml"), format!("{manifest}{more}")).expect("written");
    }

    /// The journal of decisions in a cache, by name and bytes.
    pub fn decisions(&self, cache: &str) -> Vec<(PathBuf, Vec<u8>)> {
        let decided = |(path, _): &(PathBuf, Vec<u8>)| {
            path.to_string_lossy().starts_with("optimize-") && path.extension().is_some_and(|end| end == "journal")
        };
        files(&self.at(cache)).into_iter().filter(decided).collect()
    }
}

/// A model behind the stand-in, as a manifest names it.
pub fn model(base: &str) -> String {
    format!("model = \"openai:m\"\nbase_url = \"{base}\"\nmax_tokens = 900\nin_flight = {IN_FLIGHT}\ndraws = 1\n")
}

pub fn same(a: &Path, b: &Path, what: &str) {
    let (a, b) = (files(a), files(b));
    assert!(!a.is_empty() && a.len() == b.len(), "{what}: {} and {} files", a.len(), b.len());
    for ((path, one), (_, other)) in a.iter().zip(&b) {
        assert!(one == other, "{what}: {} differs", path.display());
    }
}
