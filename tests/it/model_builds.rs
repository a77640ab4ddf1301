//! Builds whose author and judge are models behind the stand-in: bad answers leave every pair accounted for, a build
//! without a network repeats the bytes, and one that is killed goes on to the same ones.

#![allow(clippy::unwrap_used)]

use crate::program::{files, legal_link, told};
use crate::provider::{Fault, Faults, Prompt, Provider, Speaker, by_schema};
use crate::world::World;
use legal_link::build::{Rubrics, shipped};
use legal_link::source::Origin;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::time::Duration;

const RELATIONS: [&str; 2] = ["repeals", "completes"];
pub const IN_FLIGHT: usize = 4;

/// Drafts as the built-in author writes them, by the pair that a prompt names; all else by its schema.
pub fn good_author() -> Speaker {
    let source = Origin::Shipped.open(shipped().unwrap()).unwrap();
    let replies: BTreeMap<String, Vec<Value>> = World::of(&Rubrics::shipped(), source.as_ref()).replies(&RELATIONS);
    let by_schema = by_schema();
    Arc::new(move |prompt: &Prompt| {
        let text = prompt.text();
        let mut drafts = replies.iter().filter(|(line, _)| text.contains(line.as_str())).flat_map(|(_, drafts)| drafts);
        drafts.next().map_or_else(|| by_schema(prompt), Value::to_string)
    })
}

/// A folder with a manifest that asks `provider` for author and judge.
pub struct Site {
    pub folder: tempfile::TempDir,
}

impl Site {
    pub fn new(provider: &str, base: &str, more: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let model = format!(
            "model = \"{provider}:m\"\nbase_url = \"{base}\"\nmax_tokens = 900\nin_flight = {IN_FLIGHT}\ndraws = 2\n{more}"
        );
        let mut text = format!(
            "name = \"models\"\nseed = 5\nsource = \"shipped\"\n\n[calibration]\nitems = 0\n[author]\n{model}\n[judge]\n{model}\n[quotas]\n"
        );
        for relation in RELATIONS {
            let _ = writeln!(text, "{relation} = 6");
        }
        fs::write(folder.path().join("dataset.toml"), text).unwrap();
        Self { folder }
    }

    /// Adds tables to the manifest.
    pub fn with(self, tables: &str) -> Self {
        let path = self.at("dataset.toml");
        let text = fs::read_to_string(&path).unwrap();
        fs::write(path, format!("{text}\n{tables}")).unwrap();
        self
    }

    /// Lays a table of prices over the shipped one.
    pub fn priced(self, prices: &str) -> Self {
        fs::create_dir_all(self.at("rubrics")).unwrap();
        fs::write(self.at("rubrics/prices.toml"), prices).unwrap();
        self
    }

    pub fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn args(&self, out: &str, cache: &str, more: &[&str]) -> Vec<String> {
        let at = |name: &str| self.at(name).display().to_string();
        let mut args = vec!["build".to_string(), at("dataset.toml"), "--out".to_string(), at(out)];
        args.extend(["--cache".to_string(), at(cache)]);
        args.extend(more.iter().map(ToString::to_string));
        args
    }

    pub fn run(&self, out: &str, cache: &str, more: &[&str]) -> Output {
        self.command(&self.args(out, cache, more)).output().unwrap()
    }

    pub fn command(&self, args: &[String]) -> Command {
        legal_link(&args.iter().map(String::as_str).collect::<Vec<_>>(), self.folder.path())
    }

    pub fn build(&self, out: &str, cache: &str, more: &[&str]) -> i32 {
        let built = self.run(out, cache, more);
        let code = built.status.code();
        assert!(matches!(code, Some(0 | 4 | 5)), "{}", told(&built));
        code.unwrap()
    }

    /// A build in the background.
    pub fn spawn(&self, out: &str, cache: &str) -> Child {
        self.command(&self.args(out, cache, &[])).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }

    pub fn rows(&self, out: &str, file: &str) -> Vec<Value> {
        let text = fs::read_to_string(self.at(out).join(file)).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

pub fn same(a: &Path, b: &Path, what: &str) {
    let (a, b) = (files(a), files(b));
    assert_eq!(a.len(), b.len(), "{what}");
    for ((path, one), (_, other)) in a.iter().zip(&b) {
        assert!(one == other, "{what}: {} differs", path.display());
    }
}

/// Faults that need no wait: what is said badly, and what is refused.
const IN_WORDS: [Fault; 14] = [
    Fault::Slow,
    Fault::BrokenEnvelope,
    Fault::BrokenJson,
    Fault::Fenced,
    Fault::SchemaIgnored,
    Fault::OtherFields,
    Fault::Length,
    Fault::Thoughts,
    Fault::EmptyParts,
    Fault::WrongUsage,
    Fault::NoUsage,
    Fault::Refusal,
    Fault::Filtered,
    Fault::TooLong,
];

#[test]
fn bad_answers_leave_every_pair_accounted_for_and_replay_to_the_same_bytes() {
    let author = good_author();
    for (seed, provider) in ["openai", "openai-responses", "anthropic", "gemini"].into_iter().enumerate() {
        let server = Provider::start(author.clone(), Faults::of(seed as u64, 25, &IN_WORDS));
        let site = Site::new(provider, &server.base(), "effort = \"low\"\n");
        let code = site.build("out", "cache", &[]);
        // Every pair that the author was asked about is in the rows or in the refusals.
        let (items, refused) = (site.rows("out", "items.jsonl"), site.rows("out", "refused.jsonl"));
        assert!(!items.is_empty() && !refused.is_empty(), "{provider}: {} {}", items.len(), refused.len());
        let journal = fs::read_to_string(site.at("cache/calls.journal")).unwrap();
        let drafted = journal.lines().filter(|line| line.contains("\"draw\":\"draft/") && !line.contains("repair"));
        assert!(items.len() + refused.len() >= drafted.count(), "{provider}: a draw left no row");
        let lock = fs::read_to_string(site.at("out/dataset.lock")).unwrap();
        for told in ["effort = \"low\"", "[model.probe]", "schema = ", "prompt = ", "seed = ", "usage = "] {
            assert!(lock.contains(told), "{provider}: {told} is not in\n{lock}");
        }
        server.forget();
        assert_eq!(site.build("again", "cache", &["--offline"]), code, "{provider}");
        assert!(server.asked().is_empty());
        same(&site.at("out"), &site.at("again"), provider);
    }
}

#[test]
fn a_build_without_money_stops_and_the_same_command_goes_on() {
    let server = Provider::start(good_author(), Faults::none());
    let site = Site::new("openai", &server.base(), "");
    site.build("whole", "whole-cache", &[]);
    server.faults(Faults::always(Fault::NoMoney));
    assert_eq!(site.build("out", "cache", &[]), 5);
    assert_eq!(site.rows("out", "refused.jsonl").len(), 0, "what was not asked is not refused");
    server.faults(Faults::none());
    site.build("out", "cache", &[]);
    same(&site.at("whole"), &site.at("out"), "after money came");
}

#[test]
fn a_limit_that_is_final_for_the_day_or_for_hours_stops_a_build_and_the_same_command_goes_on() {
    for (provider, fault) in [("gemini", Fault::DayIsOver), ("anthropic", Fault::HasteHours)] {
        let server = Provider::start(good_author(), Faults::none());
        let site = Site::new(provider, &server.base(), "");
        let code = site.build("whole", "whole-cache", &[]);
        let calls = server.paid();
        server.forget();
        server.faults(Faults::always(fault));
        let stopped = site.run("out", "cache", &[]);
        assert_eq!(stopped.status.code(), Some(5), "{fault:?}: {}", told(&stopped));
        assert!(told(&stopped).contains("the same command goes on"), "{}", told(&stopped));
        assert_eq!((server.paid(), site.rows("out", "refused.jsonl").len()), (0, 0), "{fault:?}");
        server.faults(Faults::none());
        assert_eq!(site.build("out", "cache", &[]), code);
        same(&site.at("whole"), &site.at("out"), &format!("after {fault:?}"));
        assert_eq!(server.paid(), calls);
    }
}

/// A build that is told of the answers to its first calls when its time is over; none where the machine is so busy that
/// the time was over before they were sent.
fn late(server: &Provider, seconds: u64) -> Option<Site> {
    let site = Site::new("openai", &server.base(), "").with(&format!("[budget]\nseconds = {seconds}\n"));
    server.forget();
    // Answered and held back, but for the probe.
    server.hold("/chat/completions", 3);
    let mut child = site.spawn("out", "cache");
    while server.held() < IN_FLIGHT {
        if child.try_wait().unwrap().is_some() {
            return None;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    std::thread::sleep(Duration::from_secs(seconds) + Duration::from_millis(100));
    assert!(child.try_wait().unwrap().is_none(), "it waits for what it sent");
    server.let_go();
    assert_eq!(child.wait().unwrap().code(), Some(5));
    Some(site)
}

#[test]
fn when_the_time_is_over_nothing_is_sent_and_what_was_sent_is_kept() {
    let server = Provider::start(good_author(), Faults::none());
    let site = [3, 6, 12, 24].into_iter().find_map(|seconds| late(&server, seconds)).unwrap();
    let journal = || fs::read_to_string(site.at("cache/calls.journal")).unwrap().lines().count();
    assert_eq!((server.paid(), journal()), (3 + IN_FLIGHT, 3 + IN_FLIGHT), "what was paid for is on record");
    // The same command goes on, each time for as long again.
    let to_its_end = |out: &str, cache: &str| assert!((0..100).any(|_| site.build(out, cache, &[]) != 5));
    to_its_end("out", "cache");
    assert_eq!(server.paid(), journal(), "nothing is paid twice");
    to_its_end("whole", "whole-cache");
    same(&site.at("whole"), &site.at("out"), "after the time was over");
}

#[test]
fn a_server_that_cuts_prompts_is_refused_before_anything_rests_on_it() {
    for provider in ["local", "openai", "openai-responses", "anthropic", "gemini", "ollama"] {
        let server = Provider::start(good_author(), Faults::none());
        server.cuts_prompts(0, 4096);
        let site = Site::new(provider, &server.base(), "");
        let refused = site.run("out", "cache", &[]);
        assert_eq!(refused.status.code(), Some(3), "{provider}: {}", told(&refused));
        assert!(told(&refused).contains("drops part of a long prompt without a word"), "{}", told(&refused));
        assert!(server.paid() <= 3 && !site.at("out").exists(), "{provider}: only its probe was paid for");
    }
}

#[test]
fn a_server_that_begins_to_cut_prompts_later_is_found_by_what_it_counts() {
    let server = Provider::start(good_author(), Faults::none());
    server.cuts_prompts(12, 200);
    let site = Site::new("local", &server.base(), "");
    site.build("out", "cache", &[]);
    let (items, refused) = (site.rows("out", "items.jsonl"), site.rows("out", "refused.jsonl"));
    let cut = refused.iter().filter(|row| row.to_string().contains("dropped part of the prompt")).count();
    assert!(cut > 0 && cut == refused.len(), "{refused:?}");
    assert!(items.len() <= 9, "{} items rest on prompts that were cut", items.len());
}

#[test]
fn an_unfinished_build_without_a_network_says_what_is_missing() {
    let server = Provider::start(good_author(), Faults::none());
    let site = Site::new("openai", &server.base(), "");
    server.hold("/chat/completions", 9);
    let mut child = site.spawn("out", "cache");
    while server.held() == 0 {
        assert!(child.try_wait().unwrap().is_none());
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    server.let_go();
    server.forget();
    let missing = site.run("out", "cache", &["--offline"]);
    assert_eq!(missing.status.code(), Some(7), "{}", told(&missing));
    assert!(told(&missing).contains("this call is not in the journal"), "{}", told(&missing));
    assert!(
        server.asked().is_empty() && files(&site.at("out")).is_empty(),
        "a killed build leaves no more than a folder"
    );
}

#[test]
fn a_build_that_is_killed_goes_on_to_the_same_bytes() {
    let server = Provider::start(good_author(), Faults::none());
    let site = Site::new("anthropic", &server.base(), "");
    let code = site.build("whole", "whole-cache", &[]);
    let calls = server.paid();
    assert!(calls > 20, "{calls} calls");
    server.takes(Duration::from_millis(5));
    let kills: usize = std::env::var("LEGAL_LINK_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(4);
    let mut again = 0;
    for kill in 0..kills {
        server.forget();
        let (out, cache) = (format!("out-{kill}"), format!("cache-{kill}"));
        let mut child = site.spawn(&out, &cache);
        let at = 1 + kill * (calls - 1) / kills;
        while server.asked().len() < at && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        let _ = child.kill();
        child.wait().unwrap();
        assert_eq!(site.build(&out, &cache, &[]), code, "killed at call {at}");
        same(&site.at("whole"), &site.at(&out), &format!("killed at call {at}"));
        let paid = server.paid();
        assert!(paid <= calls + IN_FLIGHT, "killed at call {at}: {paid} paid, {calls} undisturbed");
        again += paid - calls;
    }
    eprintln!("{kills} builds killed: {again} calls paid twice in all, {IN_FLIGHT} in flight each");
}
