//! The crawler as a whole: the engine behind CELLAR's endpoint and a stand-in for its documents, both loaded from the
//! corpus, against the folder of the same facts; with bad answers, killed, interrupted, beside other commands.

#![allow(clippy::unwrap_used)]

use crate::cellar_folder::Written;
use crate::cellar_rdf::of_corpus;
use crate::corpus::corpus;
use crate::program::{legal_link, told};
use crate::standin::{Asked, Fault, Faults, Library, Standin, cellar_id};
use crate::virtuoso::Virtuoso;
use legal_link::build::{Basis, Crawl, Ended, Manifest, Rubrics, Silent, load};
use legal_link::cache::{Cache, Shipped, lasting};
use legal_link::graph::{Facts, RelationGraph};
use legal_link::http::{Allowance, Clock};
use legal_link::law::{Day, Digest, Locus, RegisterKind, Registry, Span};
use legal_link::source::{DocumentKey, Folder, Kind, Listed, Source};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, SystemTime};

/// The engine, loaded once for all tests that run at the same time.
fn engine(test: &str) -> Option<(PathBuf, Arc<Virtuoso>)> {
    static SHARED: Mutex<Weak<Virtuoso>> = Mutex::new(Weak::new());
    let corpus = corpus(test)?;
    let engine = Virtuoso::shared(&SHARED, test, || of_corpus(&corpus, &registry()).turtle(), 200)?;
    Some((corpus, engine))
}

fn registry() -> Registry {
    Rubrics::shipped().registry().unwrap()
}

const DAY: &str = "2026-08-22";
/// Of the acts that act on an end no more than this.
const FEW: &str = "acting_per_act = 3\n";

fn day(text: &str) -> Day {
    text.parse().unwrap()
}

/// The two servers, and a manifest that names them.
struct World {
    corpus: PathBuf,
    _engine: Arc<Virtuoso>,
    standin: Standin,
    folder: tempfile::TempDir,
}

impl World {
    /// `pairs` are the lines of a list of pairs; `more` is put under [crawl]. On a busy machine a server on loopback
    /// may take long: only where answers are held back by design is the time-out short.
    fn new(test: &str, pairs: &[String], more: &str) -> Option<Self> {
        let timeout = if more.contains("timeout") { "" } else { "timeout = 60" };
        let relations = if more.contains("relations") { "" } else { "relations = [\"amends\"]" };
        let (corpus, engine) = engine(test)?;
        let standin = Standin::start(Library::of_folder(&corpus, &registry()), Faults::none());
        let folder = tempfile::tempdir().unwrap();
        let list = format!("source_celex,relation,target_celex\n{}\n", pairs.join("\n"));
        fs::write(folder.path().join("pairs.csv"), list).unwrap();
        let manifest = format!(
            "name = \"crawled\"\nseed = 5\nsource = \"cellar\"\n[scope]\npairs = \"pairs.csv\"\n[quotas]\nrepeals = 2\n\
             implicitly_repeals = 2\ncorrects = 2\ncompletes = 2\nextends_validity = 1\n[crawl]\ncontact = \"you@example.org\"\n\
             sparql = \"{}\"\nrest = \"{}\"\n{timeout}\n{relations}\n{more}\n",
            engine.url,
            standin.address()
        );
        fs::write(folder.path().join("dataset.toml"), manifest).unwrap();
        Some(Self { corpus, _engine: engine, standin, folder })
    }

    fn manifest(&self) -> PathBuf {
        self.folder.path().join("dataset.toml")
    }

    fn cache(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn crawl(&self, cache: &Path) -> Ended {
        crawl(&self.manifest(), cache, Allowance::default(), 1000)
    }
}

fn crawl(manifest: &Path, cache: &Path, allowance: Allowance, scale: u32) -> Ended {
    crawl_since(manifest, cache, allowance, scale, None, DAY)
}

fn crawl_since(
    manifest: &Path,
    cache: &Path,
    allowance: Allowance,
    scale: u32,
    since: Option<Day>,
    today: &str,
) -> Ended {
    let crawl = Crawl {
        manifest: &Manifest::read(manifest).unwrap(),
        folder: manifest.parent().unwrap(),
        rubrics: &Rubrics::shipped(),
        cache: Arc::new(Cache::open(cache, Shipped::default()).unwrap()),
        today: day(today),
        clock: Clock::scaled(SystemTime::now, scale),
        allowance,
        since,
        progress: &Silent,
    };
    crawl.run().unwrap()
}

/// The pairs of the corpus of which both texts are there, by the publisher's word: every `step`th.
fn pairs(corpus: &Path, step: usize) -> Vec<String> {
    let text = fs::read_to_string(corpus.join("edges/pairs.csv")).unwrap();
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let at = |name: &str| header.iter().position(|column| *column == name).unwrap();
    let (source, relation, target, evidence) = (at("source_celex"), at("relation"), at("target_celex"), at("evidence"));
    let rows = lines.map(|line| line.split(',').collect::<Vec<_>>()).filter(|row| row[evidence] == "metadata");
    rows.map(|row| format!("{},{},{}", row[source], row[relation], row[target])).step_by(step).collect()
}

/// What a cache holds of what a graph is made of, by key.
fn documents(source: &dyn Source) -> BTreeMap<String, Digest> {
    source.list().unwrap().into_iter().map(|one| (one.key.to_string(), one.digest)).collect()
}

/// The facts of a source, but for the places where a register's rows stand: a line of a table and an answer of the endpoint
/// say the same in other files. All else is as it was read: the places in notices and texts too.
fn facts(source: &dyn Source) -> Facts {
    let loaded = load(source, &registry()).unwrap();
    assert_eq!(loaded.refused, Vec::new());
    let mut facts = loaded.facts;
    let nowhere = || Locus { document: Digest::of(b"a table"), span: Span::new(0, 0) };
    for row in facts.rows.iter_mut().filter(|row| row.register == RegisterKind::Table) {
        row.locus = nowhere();
    }
    facts
}

fn stored(facts: Facts) -> Vec<u8> {
    RelationGraph::build(facts, &registry()).store(None, Vec::new()).unwrap()
}

#[test]
fn what_is_crawled_equals_the_folder_of_the_same_facts() {
    let test = "what_is_crawled_equals_the_folder_of_the_same_facts";
    let Some(corpus) = corpus(test) else { return };
    // All that the endpoint is loaded with is asked for.
    let relations = ["adds_to", "adopts", "amends", "based_on", "cites", "influences", "replaces", "proposes_to_amend"];
    let Some(world) = World::new(test, &pairs(&corpus, 1), &format!("{FEW}relations = {relations:?}\n")) else {
        return;
    };
    let ended = world.crawl(&world.cache("c"));
    assert!(ended.sum.exit_zero(), "{:?}", ended.sum);
    assert_eq!(ended.stopped, None);

    // Every text that the folder has of the acts wanted is there, byte for byte.
    let folder = Folder::open(&world.corpus).unwrap();
    let crawled = documents(&ended.source);
    let digests: BTreeSet<Digest> = crawled.values().copied().collect();
    let ends: BTreeSet<String> = pairs(&corpus, 1)
        .iter()
        .flat_map(|line| line.split(',').step_by(2).map(str::to_string).collect::<Vec<_>>())
        .collect();
    let served: BTreeSet<String> =
        world.standin.library(|library| library.texts()).iter().map(ToString::to_string).collect();
    let there = |one: &Listed| {
        let celex = one.key.celex().map(|celex| celex.to_string()).unwrap_or_default();
        let extracted = one.address.contains(".plain.");
        one.key.kind() == Kind::Act && ends.contains(&celex) && served.contains(&celex) && !extracted
    };
    let texts: Vec<Listed> = folder.list().unwrap().into_iter().filter(there).collect();
    assert!(texts.len() > 30, "{} texts", texts.len());
    for one in &texts {
        assert!(digests.contains(&one.digest), "{}", one.address);
    }

    // The folder of what the servers say: tables of the same statements, the notices and names that the repository
    // serves of the acts asked about, and the texts. The stored graphs are the same to the byte.
    let asked: BTreeSet<String> =
        ended.questions.iter().filter_map(|asked| asked.question.strip_prefix("edges.").map(str::to_string)).collect();
    // Annotations and dates come along with all statements of the relations that questions are asked about; with those of
    // others where an end of a pair stands in them.
    let in_full = |relation: &str, source: &str, target: &str| {
        ended.chosen.iter().any(|c| c.relation.as_str() == relation) || ends.contains(source) || ends.contains(target)
    };
    let path = world.cache("folder");
    let mut written = Written::new(&path, DAY);
    let acts = written.tables(&of_corpus(&world.corpus, &registry()), &registry(), &asked, &in_full);
    let mut works: BTreeSet<String> = acts.iter().map(|celex| cellar_id(celex)).collect();
    world.standin.library(|library| {
        for key in crawled.keys().map(|key| key.parse::<DocumentKey>().unwrap()) {
            match (key.kind(), key.name(), key.celex()) {
                (Kind::Notice, "identifiers", _) => {
                    works.extend(key.key().segments().nth(1).map(str::to_string));
                }
                (Kind::Notice, _, Some(celex)) => written.notice(library, celex.as_str()),
                _ => {}
            }
        }
        for id in &works {
            written.names(library, id);
        }
    });
    for one in &texts {
        written.text(&folder, one);
    }
    let (ours, theirs) = (stored(facts(&ended.source)), stored(facts(&written.open())));
    assert!(ours == theirs, "{} bytes and {} bytes", ours.len(), theirs.len());

    // Again: nothing is asked.
    world.standin.forget();
    let again = world.crawl(&world.cache("c"));
    assert_eq!((again.requests, again.sum.clone()), (0, ended.sum.clone()));
    assert_eq!(documents(&again.source), crawled);
    let offline = crawl(&world.manifest(), &world.cache("c"), Allowance::none("offline"), 1);
    assert_eq!((offline.sum, documents(&offline.source)), (ended.sum, crawled));
}

/// A cache that has heard the register and has no document yet.
fn register_heard(world: &World, name: &str) -> PathBuf {
    let cache = world.cache(name);
    let heard = world.cache("heard");
    if !heard.exists() {
        let whole = world.cache("whole");
        world.crawl(&whole);
        let whole = Cache::open(&whole, Shipped::default()).unwrap();
        let to = Cache::open(&heard, Shipped::default()).unwrap();
        for key in whole.keys() {
            if key.as_str().starts_with("other/sparql") || key.as_str().starts_with("table/") {
                let found = whole.get(&key).unwrap().unwrap();
                to.put(&key, &found.bytes, found.entry.about).unwrap();
            }
        }
    }
    let (from, to) =
        (Cache::open(&heard, Shipped::default()).unwrap(), Cache::open(&cache, Shipped::default()).unwrap());
    for key in from.keys() {
        let found = from.get(&key).unwrap().unwrap();
        to.put(&key, &found.bytes, found.entry.about).unwrap();
    }
    cache
}

#[test]
fn bad_answers_leave_the_same_documents_or_are_named() {
    let test = "bad_answers_leave_the_same_documents_or_are_named";
    let Some(corpus) = corpus(test) else { return };
    let Some(world) = World::new(test, &pairs(&corpus, 3), &format!("{FEW}timeout = 1\n")) else { return };
    let good = world.crawl(&world.cache("whole"));
    let expected = documents(&good.source);
    let seeds = std::env::var("LEGAL_LINK_SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(4);
    for seed in 0..seeds {
        let cache = register_heard(&world, &format!("seed {seed}"));
        world.standin.faults(Faults::passing(seed, 0.3));
        let began = std::time::Instant::now();
        let ended = world.crawl(&cache);
        let found = documents(&ended.source);
        // Where a notice failed that names a work, the work's name was looked up.
        let looked_up = |key: &str| key.ends_with("/identifiers");
        for (key, digest) in found.iter().filter(|(key, _)| !looked_up(key)) {
            assert_eq!(expected.get(key), Some(digest), "seed {seed}: {key}");
        }
        let sum = &ended.sum;
        let missing = expected.keys().filter(|key| !found.contains_key(*key)).count();
        assert!(missing == 0 || sum.failures() + sum.pending() > 0, "seed {seed}: {missing} missing, {sum}");
        assert_eq!(sum.wanted, sum.stored + sum.absences() + sum.failures() + sum.pending(), "seed {seed}: {sum}");
        eprintln!("seed {seed}: {sum} in {:?}", began.elapsed());
        assert!(Cache::open(&cache, Shipped::default()).unwrap().verify().unwrap().sound());
        // Once the answers are good again, what failed is had.
        world.standin.faults(Faults::none());
        let mended = world.crawl(&cache);
        assert!(mended.sum.exit_zero(), "seed {seed}: {}", mended.sum);
        assert_eq!(documents(&mended.source), expected, "seed {seed}");
    }
}

#[test]
fn a_challenge_stops_the_host_and_the_rest_is_pending() {
    let test = "a_challenge_stops_the_host_and_the_rest_is_pending";
    let Some(corpus) = corpus(test) else { return };
    let Some(world) = World::new(test, &pairs(&corpus, 4), FEW) else { return };
    let good = world.crawl(&world.cache("whole"));
    let cache = register_heard(&world, "challenged");
    world.standin.forget();
    world.standin.faults(Faults::only(Fault::Challenge200, 3, 0.05));
    let ended = world.crawl(&cache);
    let challenges = world.standin.requests().iter().filter(|asked| asked.fault.is_some()).count();
    assert_eq!(challenges, 1, "nothing is asked after a challenge");
    assert!(ended.stopped.as_ref().unwrap().contains("prove itself"), "{:?}", ended.stopped);
    assert!(ended.sum.pending() > 0 && ended.sum.failures() == 0, "{}", ended.sum);
    world.standin.faults(Faults::none());
    let resumed = world.crawl(&cache);
    assert!(resumed.sum.exit_zero());
    assert_eq!(documents(&resumed.source), documents(&good.source));
}

#[test]
fn a_budget_stops_it_and_the_sum_adds_up_each_time() {
    let test = "a_budget_stops_it_and_the_sum_adds_up_each_time";
    let Some(corpus) = corpus(test) else { return };
    let Some(world) = World::new(test, &pairs(&corpus, 6), FEW) else { return };
    let cache = world.cache("c");
    let (mut runs, mut sent) = (0, 0);
    loop {
        let ended = crawl(&world.manifest(), &cache, Allowance::of(40), 1000);
        assert!(ended.requests <= 40);
        sent += ended.requests;
        runs += 1;
        if ended.sum.pending() == 0 {
            assert!(ended.sum.exit_zero(), "{}", ended.sum);
            break;
        }
        assert!(ended.stopped.as_ref().unwrap().contains("40 requests"), "{:?}", ended.stopped);
        assert!(runs < 60, "{}", ended.sum);
    }
    assert!(runs > 2, "{runs} runs, {sent} requests");
}

#[test]
fn a_plan_is_assumed_then_counted_then_known() {
    let test = "a_plan_is_assumed_then_counted_then_known";
    let Some(corpus) = corpus(test) else { return };
    let Some(world) = World::new(test, &pairs(&corpus, 3), FEW) else { return };
    let cache = world.cache("c");
    let manifest = Manifest::read(&world.manifest()).unwrap();
    let plan = |allowance| {
        let crawl = Crawl {
            manifest: &manifest,
            folder: world.folder.path(),
            rubrics: &Rubrics::shipped(),
            cache: Arc::new(Cache::open(&cache, Shipped::default()).unwrap()),
            today: day(DAY),
            clock: Clock::scaled(SystemTime::now, 1000),
            allowance,
            since: None,
            progress: &Silent,
        };
        (crawl.counts_for_plan().unwrap(), crawl.plan().unwrap())
    };
    let (counts, assumed) = plan(Allowance::none("offline"));
    assert_eq!((assumed.basis, assumed.sent), (Basis::Assumed, 0));
    assert!(counts > 10 && assumed.document_requests > 0 && !assumed.assumptions.is_empty());
    let (_, counted) = plan(Allowance::default());
    assert_eq!(counted.basis, Basis::Counted, "{:?}", counted.assumptions);
    // robots.txt is asked for too.
    assert!(counted.sent <= counts + 1, "{} requests for {counts} counts", counted.sent);
    assert_eq!(counted.rows["edges.repeals"], Some(397));
    assert_eq!(plan(Allowance::none("offline")).1.rows, counted.rows);
    let ended = world.crawl(&cache);
    let (counts, known) = plan(Allowance::none("offline"));
    assert_eq!((known.basis, counts), (Basis::Held, 0));
    let documents = usize::try_from(known.notices + known.texts).unwrap();
    assert!(ended.sum.wanted >= documents && documents > 20, "{documents} of {}", ended.sum);
    assert_eq!(known.register_requests, 0);
}

/// Runs one test of this file again in a process of its own, which crawls `manifest` into `cache`.
fn child(test: &str, word: &str, manifest: &Path, cache: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", &format!("crawl::{test}"), "--quiet"]);
    command.env("LEGAL_LINK_CHILD", word).env("LEGAL_LINK_MANIFEST", manifest).env("LEGAL_LINK_CACHE", cache);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// What a child does: crawl, dying at a moment where one is named.
fn as_child() -> bool {
    let Ok(word) = std::env::var("LEGAL_LINK_CHILD") else { return false };
    let path = |name: &str| PathBuf::from(std::env::var_os(name).unwrap());
    if let Ok(moment) = word.parse() {
        lasting::die_at(moment);
    }
    crawl(&path("LEGAL_LINK_MANIFEST"), &path("LEGAL_LINK_CACHE"), Allowance::default(), 1000);
    true
}

/// How often a request that had been answered whole came again.
fn repeated(asked: &[Asked]) -> usize {
    let mut seen = BTreeSet::new();
    let of_interest = asked.iter().filter(|asked| asked.path != "/robots.txt" && asked.status != 0);
    of_interest.filter(|asked| !seen.insert((&asked.path, &asked.accept, &asked.language))).count()
}

#[test]
fn killed_twenty_times_it_ends_the_same_and_repeats_nothing_but_what_was_in_flight() {
    if as_child() {
        return;
    }
    let test = "killed_twenty_times_it_ends_the_same_and_repeats_nothing_but_what_was_in_flight";
    let Some(corpus) = corpus(test) else { return };
    let Some(world) = World::new(test, &pairs(&corpus, 2), FEW) else { return };
    let whole = world.crawl(&world.cache("whole"));
    let cache = register_heard(&world, "killed");
    let began = std::time::Instant::now();
    world.crawl(&register_heard(&world, "timed"));
    let undisturbed = began.elapsed();
    world.standin.forget();
    for n in 0u32..20 {
        let mut child = child(test, "crawl", &world.manifest(), &cache).spawn().unwrap();
        // Twenty moments, each a little further on than the work that one run can add.
        std::thread::sleep(undisturbed.mul_f64(f64::from(n * 7 % 20 + 1) / 60.0) + Duration::from_millis(30));
        let _ = child.kill();
        let _ = child.wait();
    }
    let ended = world.crawl(&cache);
    assert!(ended.sum.exit_zero(), "{}", ended.sum);
    assert_eq!(documents(&ended.source), documents(&whole.source));
    let cache = Cache::open(&cache, Shipped::default()).unwrap();
    assert!(cache.verify().unwrap().sound());
    // Of one document per kill the requests that lead to it: address, redirects, formats that are not there.
    let again = repeated(&world.standin.requests());
    assert!(again <= 20 * 6, "{again} requests came again");
    eprintln!("{again} of {} requests came again", world.standin.requests().len());
}

#[test]
fn killed_at_any_lasting_write_it_ends_in_the_same_bytes() {
    if as_child() {
        return;
    }
    let test = "killed_at_any_lasting_write_it_ends_in_the_same_bytes";
    let Some(corpus) = corpus(test) else { return };
    let Some(world) = World::new(test, &pairs(&corpus, 20), "acting_per_act = 1\n") else { return };
    let whole = world.crawl(&world.cache("whole"));
    let expected = documents(&whole.source);
    let step = std::env::var("LEGAL_LINK_MOMENTS").ok().and_then(|n| n.parse().ok()).unwrap_or(9);
    let (mut moment, mut died) = (0, 0);
    loop {
        let cache = register_heard(&world, &format!("moment {moment}"));
        let ended = child(test, &moment.to_string(), &world.manifest(), &cache).status().unwrap();
        let resumed = world.crawl(&cache);
        assert!(resumed.sum.exit_zero(), "killed at {moment}: {}", resumed.sum);
        assert_eq!(documents(&resumed.source), expected, "killed at {moment}");
        if ended.success() {
            break;
        }
        died += 1;
        moment += step;
    }
    assert!(died >= 4, "died {died} times");
}

#[test]
fn builds_a_crawl_and_a_status_share_one_cache() {
    let test = "builds_a_crawl_and_a_status_share_one_cache";
    let Some(corpus) = corpus(test) else { return };
    let Some(world) = World::new(test, &pairs(&corpus, 3), "acting_per_act = 3\npace = 0.001\n") else { return };
    let cache = world.cache("shared").to_string_lossy().into_owned();
    let manifest = world.manifest().to_string_lossy().into_owned();
    let home = world.cache("home");
    let start = |args: &[&str]| {
        let mut command = legal_link(args, &home);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let (one, two) = (world.cache("one"), world.cache("two"));
    let build = |out: &Path| start(&["build", &manifest, "--out", &out.to_string_lossy(), "--cache", &cache]);
    let mut running = vec![start(&["crawl", &manifest, "--cache", &cache]), build(&one), build(&two)];
    running.push(start(&["cache", "stat", "--cache", &cache]));
    for child in running {
        let output = child.wait_with_output().unwrap();
        assert!(matches!(output.status.code(), Some(0 | 4)), "{:?} {}", output.status, told(&output));
    }
    let source = format!("cache:{cache}");
    let status =
        legal_link(&["status", "32016R0679", "--on", "2020-01-01", "--source", &source], &home).output().unwrap();
    assert!(status.status.success(), "{}", told(&status));
    let held = Cache::open(Path::new(&cache), Shipped::default()).unwrap();
    assert!(held.verify().unwrap().sound());
    let (one, two) = (fs::read(one.join("items.jsonl")).unwrap(), fs::read(two.join("items.jsonl")).unwrap());
    assert_eq!(one, two);
}

#[test]
fn the_command_says_how_it_ended_and_a_build_needs_no_network_after_it() {
    let test = "the_command_says_how_it_ended_and_a_build_needs_no_network_after_it";
    let Some(corpus) = corpus(test) else { return };
    let Some(world) = World::new(test, &pairs(&corpus, 6), "acting_per_act = 1\npace = 0.02\n") else { return };
    let (cache, home) = (world.cache("c").to_string_lossy().into_owned(), world.cache("home"));
    let manifest = world.manifest().to_string_lossy().into_owned();
    let run = |args: &[&str]| legal_link(&[args, &["--cache", &cache]].concat(), &home).output().unwrap();
    let out = world.cache("out").to_string_lossy().into_owned();
    let build = |more: &[&str]| run(&[&["build", &manifest, "--out", &out], more].concat());

    let nothing = build(&["--offline"]);
    assert_eq!(nothing.status.code(), Some(7), "{}", told(&nothing));
    let few = run(&["crawl", &manifest, "--max-requests", "30", "--json"]);
    assert_eq!(few.status.code(), Some(5), "{}", told(&few));
    let sum: serde_json::Value = serde_json::from_slice(&few.stdout).unwrap();
    assert!(sum["pending"].as_u64() > Some(0) && sum["requests"].as_u64() <= Some(30), "{sum}");
    assert!(told(&few).contains("the 30 requests that were allowed are spent"), "{}", told(&few));
    assert!(told(&few).contains("50 requests a second"), "{}", told(&few));

    let before = world.standin.requests().len();
    let mut interrupted = legal_link(&["crawl", &manifest, "--cache", &cache], &home);
    let interrupted = interrupted.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while world.standin.requests().len() < before + 10 {
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(Command::new("kill").args(["-INT", &interrupted.id().to_string()]).status().unwrap().success());
    let interrupted = interrupted.wait_with_output().unwrap();
    assert_eq!(interrupted.status.code(), Some(5), "{}", told(&interrupted));
    assert!(told(&interrupted).contains("stopped: interrupted"), "{}", told(&interrupted));

    let whole = run(&["crawl", &manifest]);
    assert_eq!(whole.status.code(), Some(0), "{}", told(&whole));
    assert!(told(&whole).contains("0 failed + 0 pending"), "{}", told(&whole));
    world.standin.forget();
    let made = build(&["--offline"]);
    // The corpus has few pairs: quotas are unmet, and that is told.
    assert!(matches!(made.status.code(), Some(0 | 4)), "{}", told(&made));
    assert_eq!(world.standin.requests().len(), 0);
    let again = build(&[]);
    assert!(told(&again).contains("Nothing to do"), "{}", told(&again));
    let lock = fs::read_to_string(Path::new(&out).join("dataset.lock")).unwrap();
    assert!(lock.contains("source = \"cellar\"") && !lock.contains("other/"), "{lock}");
    let audited = legal_link(&["audit", &out, "--cache", &cache], &home).output().unwrap();
    assert!(audited.status.success(), "{}", told(&audited));

    let online = run(&["doctor", &manifest, "--online"]);
    assert_eq!(online.status.code(), Some(0), "{}", told(&online));
    assert!(told(&online).contains("what is known of"), "{}", told(&online));
}

#[test]
fn a_change_in_an_old_acts_record_reaches_the_graph() {
    let test = "a_change_in_an_old_acts_record_reaches_the_graph";
    let Some(corpus) = corpus(test) else { return };
    let Some(world) = World::new(test, &pairs(&corpus, 8), FEW) else { return };
    let cache = world.cache("c");
    let before = world.crawl(&cache);
    let ends: BTreeSet<String> = documents(&before.source)
        .keys()
        .filter_map(|key| key.parse::<DocumentKey>().ok()?.celex())
        .map(|celex| celex.to_string())
        .collect();
    let old = ends.iter().find(|celex| celex.starts_with('3')).unwrap().clone();
    let changed = day("2026-09-10");
    world.standin.library(|library| {
        let work = library.work(&old);
        work.title = Some(format!("{} as it was put right", work.title.clone().unwrap_or_default().repeat(3)));
        work.notice = None;
        library.changed(&old, changed);
    });
    world.standin.forget();
    let refresh =
        || crawl_since(&world.manifest(), &cache, Allowance::default(), 1000, Some(day("2026-09-01")), "2026-09-20");
    let after = refresh();
    assert!(after.sum.exit_zero(), "{:?}", after.sum);
    assert!(after.revisited >= 1);
    let (then, now) = (documents(&before.source), documents(&after.source));
    let differ: Vec<&String> = now
        .iter()
        .filter(|(key, digest)| key.starts_with("notice/") && then.get(*key) != Some(digest))
        .map(|(k, _)| k)
        .collect();
    assert_eq!(differ.len(), 1, "{differ:?}");
    assert!(differ[0].contains(&old));
    // Only what may have changed was asked for.
    let documents_asked = world.standin.requests().iter().filter(|a| a.path.starts_with("/resource/celex/")).count();
    assert!(documents_asked <= 2 * after.revisited, "{documents_asked} for {}", after.revisited);
    let loaded = load(&after.source, &registry()).unwrap();
    assert!(loaded.facts.records.iter().any(|r| r.title.as_ref().is_some_and(|title| title.ends_with("put right"))));
}

#[test]
fn at_true_pace_the_server_sees_the_gaps() {
    let test = "at_true_pace_the_server_sees_the_gaps";
    let Some(corpus) = corpus(test) else { return };
    let Some(world) = World::new(test, &pairs(&corpus, 20), "pace = 1\nacting_per_act = 0\n") else { return };
    let cache = register_heard(&world, "paced");
    world.standin.forget();
    let began = std::time::Instant::now();
    let ended = crawl(&world.manifest(), &cache, Allowance::of(4), 1);
    assert_eq!(ended.requests, 4, "{:?}", ended.sum);
    let asked = world.standin.requests();
    assert_eq!(asked.len(), 4);
    // An arrival may be late and never early: each is measured from the beginning, the gaps are shown as they were.
    let gaps: Vec<_> = asked.windows(2).map(|two| two[1].at - two[0].at).collect();
    eprintln!("gaps that the server saw: {gaps:?}");
    assert!((0..).zip(&asked).all(|(nth, one)| one.at - began >= Duration::from_secs(nth)), "{asked:?}");
}
