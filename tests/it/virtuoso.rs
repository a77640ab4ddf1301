//! The engine behind CELLAR's endpoint, loaded with RDF made from the corpus and asked the production queries: what is
//! enumerated equals the tables exactly, through a row cap that makes paging and splitting necessary.

#![allow(clippy::unwrap_used)]

use crate::cellar_rdf::{ANNOTATIONS, CellarRdf, dates_of_notices, of_corpus, predicate, rows, work};
use crate::corpus::corpus;
use legal_link::build::Rubrics;
use legal_link::cache::{Cache, Shipped};
use legal_link::http::{Client, Clock, Policy};
use legal_link::law::{ActRecord, Celex, Day, RegisterRow, Registry, RelationType};
use legal_link::parse::{Tables, table};
use legal_link::source::{DocumentKey, Enumerated, Heard, Limits, Question, Slice, Sparql, SparqlError};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError, Weak};
use std::time::{Duration, SystemTime};

/// A running engine, stopped when the last test that uses it has ended.
pub struct Virtuoso {
    pub url: String,
    pid: String,
    _folder: tempfile::TempDir,
}

impl Virtuoso {
    /// One engine for all tests that run at the same time and share `kept`; `turtle` is made for the first of them.
    pub fn shared(
        kept: &Mutex<Weak<Self>>,
        test: &str,
        turtle: impl FnOnce() -> String,
        most_rows: u64,
    ) -> Option<Arc<Self>> {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(engine) = kept.upgrade() {
            return Some(engine);
        }
        let engine = Arc::new(Self::start(test, &turtle(), most_rows)?);
        *kept = Arc::downgrade(&engine);
        Some(engine)
    }

    /// Starts one on free ports, loaded with Turtle; none where the tool to start it is not here.
    pub fn start(test: &str, turtle: &str, most_rows: u64) -> Option<Self> {
        static ONE_AT_A_TIME: Mutex<()> = Mutex::new(()); // the first start installs the engine
        let shared = std::env::var_os("LEGAL_LINK_SHARED").map(PathBuf::from);
        let shared = shared.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"));
        let tool = shared.join("tools/start-virtuoso");
        if !tool.is_file() {
            eprintln!("SKIPPED {test}: no ../shared/tools/start-virtuoso (set LEGAL_LINK_SHARED)");
            return None;
        }
        let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let mut told = String::new();
        for _ in 0..5 {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("works.ttl");
            std::fs::write(&file, turtle).unwrap();
            let mut command = Command::new(&tool);
            command.arg(folder.path().join("db")).arg(free_port().to_string()).arg(&file);
            let output = command.env("MAX_ROWS", most_rows.to_string()).output().unwrap();
            told = String::from_utf8_lossy(&output.stdout).into_owned();
            let said = |name: &str| told.lines().find_map(|line| line.strip_prefix(name)).map(str::to_string);
            if let (true, Some(url), Some(pid)) = (output.status.success(), said("url="), said("pid=")) {
                return Some(Self { url, pid, _folder: folder });
            }
            told = format!("{told}{}", String::from_utf8_lossy(&output.stderr));
            // Started, perhaps, and not loaded: it must not stay.
            let lock = std::fs::read_to_string(folder.path().join("db/virtuoso.lck")).unwrap_or_default();
            if let Some(pid) = lock.lines().find_map(|line| line.strip_prefix("VIRT_PID=")) {
                stop(pid);
            }
        }
        panic!("the engine does not start: {told}");
    }
}

impl Drop for Virtuoso {
    fn drop(&mut self) {
        stop(&self.pid);
    }
}

fn stop(pid: &str) {
    let _ = Command::new("kill").args(["-KILL", pid]).status();
}

/// A port that is free, and the next one too.
fn free_port() -> u16 {
    loop {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let next = port.checked_add(1).is_some_and(|next| TcpListener::bind(("127.0.0.1", next)).is_ok());
        if next {
            return port;
        }
    }
}

/// What is done to the head of a request, and, with its query at hand, to its answer.
struct Fault {
    request: Box<dyn Fn(&str) -> String + Send + Sync>,
    answer: Box<OnAnswer>,
}

type OnAnswer = dyn Fn(&str, Vec<u8>) -> Vec<u8> + Send + Sync;

impl Fault {
    fn answer(answer: impl Fn(&str, Vec<u8>) -> Vec<u8> + Send + Sync + 'static) -> Self {
        Self { request: Box::new(str::to_string), answer: Box::new(answer) }
    }
}

/// Between client and engine: writes down every query that was answered, and does what it is told to answers.
struct Between {
    url: String,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Between {
    fn new(engine: &str, fault: Fault) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/sparql", listener.local_addr().unwrap());
        let upstream = engine.trim_start_matches("http://").trim_end_matches("/sparql").to_string();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (log, fault) = (asked.clone(), Arc::new(fault));
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let (log, fault, upstream) = (log.clone(), fault.clone(), upstream.clone());
                std::thread::spawn(move || pass(client, &upstream, &log, &fault));
            }
        });
        Self { url, asked }
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

fn pass(mut client: TcpStream, upstream: &str, log: &Mutex<Vec<String>>, fault: &Fault) -> Option<()> {
    let mut head = Vec::new();
    let mut byte = [0; 1];
    while !head.ends_with(b"\r\n\r\n") {
        if client.read(&mut byte).ok()? == 0 {
            return None;
        }
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).ok()?;
    let query = decoded(head.split_whitespace().nth(1)?.split_once("query=")?.1.split('&').next()?);
    let mut server = TcpStream::connect(upstream).ok()?;
    let head = (fault.request)(&head);
    server.write_all(head.replacen("\r\n", "\r\nConnection: close\r\n", 1).as_bytes()).ok()?;
    let mut answer = Vec::new();
    server.read_to_end(&mut answer).ok()?;
    let answer = (fault.answer)(&query, answer);
    // Written down first: whoever has the answer may look at once.
    log.lock().ok()?.push(query);
    client.write_all(&answer).ok()?;
    client.flush().ok()?;
    Some(())
}

fn decoded(text: &str) -> String {
    let mut out = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        match (byte, rest.split_at_checked(2)) {
            (b'%', Some((digits, after))) => {
                out.push(u8::from_str_radix(std::str::from_utf8(digits).unwrap(), 16).unwrap());
                rest = after;
            }
            _ => out.push(byte),
        }
    }
    String::from_utf8(out).unwrap()
}

/// An answer of the engine's own shape.
fn answer(status: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 {status}\r\n{headers}content-length: {}\r\nconnection: close\r\n\r\n", body.len());
    [head.as_bytes(), body].concat()
}

fn untouched() -> Fault {
    Fault::answer(|_, answer| answer)
}

const CAP: u64 = 200;
const DAY: &str = "2026-08-22";

fn day(text: &str) -> Day {
    text.parse().unwrap()
}

/// The shipped relations, a made-up one with two predicates, and one that nothing is stated with.
fn registry() -> &'static Registry {
    static REGISTRY: LazyLock<Registry> = LazyLock::new(made_registry);
    &REGISTRY
}

fn made_registry() -> Registry {
    let more = "[[relation]]\nname = \"wugs\"\nlabel = \"wugs\"\ncontext = true\n\
                predicates = [\"resource_legal_wugs_resource_legal\", \"case-law_wugs_resource_legal\"]\n\
                inverses = [\"resource_legal_wugged_by_resource_legal\"]\ninverse_names = [\"wugged_by\"]\neffect = \"none\"\n\
                [[relation]]\nname = \"blicks\"\nlabel = \"blicks\"\ncontext = true\n\
                predicates = [\"resource_legal_reestablished_by_resource_legal\"]\n\
                inverses = [\"resource_legal_blicked_by_resource_legal\"]\ninverse_names = [\"blicked_by\"]\neffect = \"none\"\n";
    let text = include_str!("../../rubrics/relations.toml");
    Registry::parse([("relations.toml", text), ("more.toml", more)]).unwrap()
}

const WUGS: &str = "resource_legal_wugs_resource_legal";
const ALSO_WUGS: &str = "case-law_wugs_resource_legal";

/// The made-up relation: 3,000 edges, unevenly spread; 700 in one year, 150 of one act.
fn made() -> Vec<(String, String)> {
    let edge = |i: usize| {
        let (year, number) = match i {
            0..150 => (1977, 9001),
            150..850 => (1988, 9001 + i % 300),
            _ => (1960 + i % 57, 9001 + i % 400),
        };
        (format!("3{year}R{number}"), format!("3{}D{}", 1955 + i % 9, 9001 + i))
    };
    (0..3000).map(edge).collect()
}

/// The corpus and the made-up relation, some ends without a number, some works to be left out.
fn everything(corpus: &Path, registry: &Registry) -> CellarRdf {
    let mut rdf = of_corpus(corpus, registry);
    for (source, target) in made() {
        rdf.edge(&source, WUGS, &target);
    }
    rdf.edge("62099CJ9001", ALSO_WUGS, "31960R9001");
    for i in 0..5 {
        let target = rdf.act("31960R9001");
        rdf.statement(&work(&format!("nameless {i}")), WUGS, &target);
    }
    for i in 0..3 {
        let source = rdf.act("31960R9001");
        rdf.statement(&source, WUGS, &work(&format!("also nameless {i}")));
    }
    rdf.edge("31960R9901", WUGS, "31960R9902");
    rdf.hide("31960R9901");
    rdf.edge("31960R9903", WUGS, "31960R9904");
    rdf.hide("31960R9904");
    for (celex, moment) in [
        ("31977R9001", "2026-08-21T23:59:59.9+02:00"),
        ("31988R9001", "2026-08-22T00:00:00+02:00"),
        ("31988R9002", "2026-09-30T12:00:00Z"),
    ] {
        rdf.fact(celex, "cmr:lastModificationDate", crate::cellar_rdf::Value::Moment(moment), &[]);
    }
    rdf
}

/// One engine for all tests that run at the same time.
fn engine(test: &str) -> Option<(PathBuf, Arc<Virtuoso>)> {
    static SHARED: Mutex<Weak<Virtuoso>> = Mutex::new(Weak::new());
    let corpus = corpus(test)?;
    let engine = Virtuoso::shared(&SHARED, test, || everything(&corpus, registry()).turtle(), CAP)?;
    Some((corpus, engine))
}

/// A client as the crawler's, in no hurry to be polite to this machine.
fn client() -> Client {
    let policy = Policy {
        pace: Duration::ZERO,
        robots: false,
        attempts: 2,
        back_off: Duration::from_millis(1),
        ..Policy::default()
    };
    Client::new("legal-link-test", policy, Clock::new(SystemTime::now)).unwrap()
}

fn open(folder: &Path) -> Arc<Cache> {
    Arc::new(Cache::open(folder, Shipped::default()).unwrap())
}

fn sparql(url: &str, cache: &Arc<Cache>) -> Sparql {
    sparql_within(url, cache, Limits::default())
}

fn sparql_within(url: &str, cache: &Arc<Cache>, limits: Limits) -> Sparql {
    let ontology = Rubrics::shipped().ontology().unwrap();
    let (registry, ontology) = (Arc::new(registry().clone()), Arc::new(ontology));
    Sparql::new(client(), url, cache.clone(), registry, ontology, limits, day(DAY))
}

fn wait<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap().block_on(future)
}

fn relation(name: &str) -> RelationType {
    registry().relation(name).unwrap()
}

/// Hears a question; what came of it, how many slices it took, and its documents read as one table.
fn heard(sparql: &Sparql, cache: &Cache, question: &Question) -> (Enumerated, usize, Tables) {
    let slices = Mutex::new(0);
    let progress = |_: Heard| *slices.lock().unwrap() += 1;
    let done = wait(sparql.enumerate(question, &progress)).unwrap();
    assert_eq!(done.counted, done.rows, "{question}");
    let mut all = Tables::default();
    let documents = question.documents(cache).unwrap();
    assert_eq!(documents.first(), Some(&done.document));
    for document in documents {
        let document = cache.get(document.key()).unwrap().unwrap();
        assert_eq!(document.entry.about.taken, Some(day(DAY)));
        let read = table(&document.entry.about.address, &document.bytes, registry(), |_| None).unwrap().value;
        all.rows.extend(read.rows);
        all.records.extend(read.records);
        all.states.extend(read.states);
    }
    let slices = *slices.lock().unwrap();
    (done, slices, all)
}

/// What a row says, wherever it stands.
fn says(row: &RegisterRow) -> String {
    let RegisterRow { source, relation, target, start, end, part, role, languages, comment, .. } = row;
    format!("{source} {relation} {target} {start:?} {end:?} {part:?} {role:?} {languages:?} {comment:?}")
}

/// The rows of the corpus's tables of edges.
fn edges_of_tables(corpus: &Path) -> BTreeMap<RelationType, BTreeSet<(String, String)>> {
    let mut edges: BTreeMap<RelationType, BTreeSet<(String, String)>> = BTreeMap::new();
    for name in ["relations.csv", "relations_other.csv"] {
        for row in rows(&corpus.join("edges").join(name)) {
            let Some((relation, _)) = predicate(registry(), &row["relation"]) else { continue };
            edges.entry(relation).or_default().insert((row["source_celex"].clone(), row["target_celex"].clone()));
        }
    }
    edges
}

#[test]
fn what_is_enumerated_equals_the_tables() {
    let Some((corpus, engine)) = engine("what_is_enumerated_equals_the_tables") else { return };
    let folder = tempfile::tempdir().unwrap();
    let cache = open(folder.path());
    let between = Between::new(&engine.url, untouched());
    let sparql = sparql_within(&between.url, &cache, Limits { longest_document: 100_000, ..Limits::default() });

    let tables = edges_of_tables(&corpus);
    assert_eq!(tables.values().map(BTreeSet::len).sum::<usize>(), 1174);
    for (relation, mut expected) in tables.clone() {
        // The states of the other table are edges of this relation too.
        if registry().spec(&relation).unwrap().predicates[0].starts_with("act_consolidated_consolidates") {
            let states = rows(&corpus.join("edges/consolidations.csv"));
            expected.extend(states.into_iter().map(|r| (r["consolidated_celex"].clone(), r["consolidates"].clone())));
        }
        let (done, slices, found) = heard(&sparql, &cache, &Question::Edges(relation.clone()));
        assert_eq!(done.rows, expected.len() as u64, "{relation}");
        assert!(slices as u64 >= done.rows.div_ceil(CAP), "{relation}: {slices} slices");
        let found: BTreeSet<(String, String)> =
            found.rows.iter().map(|r| (r.source.to_string(), r.target.to_string())).collect();
        assert_eq!(found, expected, "{relation}");
    }
    annotations(&corpus, &sparql, &cache, tables.keys());
    dates(&corpus, &sparql, &cache, &tables);
    states(&corpus, &sparql, &cache);
    let long = cache.keys().into_iter().filter(|key| key.as_str().contains(".sparql.json.")).count();
    assert!(long > 3, "{long} further documents");
    let asked = between.asked();
    assert_eq!(asked.iter().collect::<BTreeSet<_>>().len(), asked.len(), "nothing is asked twice");
}

/// Annotations come one row per axiom.
fn annotations<'a>(corpus: &Path, sparql: &Sparql, cache: &Cache, relations: impl Iterator<Item = &'a RelationType>) {
    let path = corpus.join("edges/relations_annotated.csv");
    let told = table("x.csv", &std::fs::read(&path).unwrap(), registry(), |_| None).unwrap().value.rows;
    let mut axioms: BTreeMap<String, u64> = BTreeMap::new();
    for row in rows(&path) {
        assert!(ANNOTATIONS.iter().all(|name| row.contains_key(*name)));
        *axioms.entry(row["relation"].clone()).or_default() += 1;
    }
    assert_eq!(axioms.values().sum::<u64>(), 1178);
    let statement = |row: &RegisterRow| (row.source.clone(), row.target.clone());
    let bare = |row: &RegisterRow| {
        let RegisterRow { source, relation, target, register, locus, .. } = row.clone();
        says(&RegisterRow::bare(source, relation, target, register, locus)) == says(row)
    };
    for relation in relations {
        let (done, _, found) = heard(sparql, cache, &Question::Annotations(relation.clone()));
        assert_eq!(done.rows, axioms.get(relation.as_str()).copied().unwrap_or(0), "{relation}");
        let mine: Vec<&RegisterRow> = told.iter().filter(|row| row.relation == *relation).collect();
        let annotated: BTreeSet<_> = mine.iter().filter(|row| !bare(row)).map(|row| statement(row)).collect();
        let expected: BTreeSet<String> =
            mine.iter().filter(|row| !bare(row) || !annotated.contains(&statement(row))).map(|row| says(row)).collect();
        assert_eq!(found.rows.iter().map(says).collect::<BTreeSet<_>>(), expected, "{relation}");
    }
}

/// Dates and flags of the acts at both ends.
fn dates(corpus: &Path, sparql: &Sparql, cache: &Cache, edges: &BTreeMap<RelationType, BTreeSet<(String, String)>>) {
    let bytes = std::fs::read(corpus.join("edges/act_metadata.csv")).unwrap();
    let acts = table("x.csv", &bytes, registry(), |_| None).unwrap().value.records;
    let acts: BTreeMap<Celex, ActRecord> = acts.into_iter().map(|act| (act.celex.clone(), act)).collect();
    let dated: BTreeMap<Celex, _> =
        dates_of_notices(corpus, registry()).into_iter().map(|dates| (dates.0.clone(), dates)).collect();
    let mut compared = 0;
    for (relation, edges) in edges {
        let (_, _, found) = heard(sparql, cache, &Question::Dates(relation.clone()));
        let found: BTreeMap<Celex, ActRecord> = found.records.into_iter().map(|act| (act.celex.clone(), act)).collect();
        let ends: BTreeSet<Celex> = edges.iter().flat_map(|(a, b)| [a.parse().unwrap(), b.parse().unwrap()]).collect();
        for celex in &ends {
            let said = acts.get(celex).map(|act| (act.date_document, act.in_force));
            let seen = found.get(celex).map(|act| (act.date_document, act.in_force));
            let told = dated.get(celex).map(|(_, effects, ends, open)| (effects.clone(), ends.clone(), *open));
            let have = found.get(celex).map(|act| (act.effects.clone(), act.ends.clone(), act.open_end));
            if said.is_some() || told.is_some() {
                assert_eq!(seen, said.or(Some((None, None))), "{celex}");
                assert_eq!(have, told.or(Some((Vec::new(), Vec::new(), false))), "{celex}");
                compared += 1;
            } else {
                assert!(!found.contains_key(celex), "{celex}");
            }
        }
    }
    assert!(compared > 150, "{compared} acts compared");
}

/// States belong to their own act, whatever else the statements lead to.
fn states(corpus: &Path, sparql: &Sparql, cache: &Cache) {
    let bytes = std::fs::read(corpus.join("edges/consolidations.csv")).unwrap();
    let told = table("x.csv", &bytes, registry(), |_| None).unwrap().value.states;
    let mut expected: BTreeSet<(String, String, Day)> =
        told.iter().map(|s| (s.celex.to_string(), s.of.to_string(), s.from)).collect();
    for row in rows(&corpus.join("edges/relations_other.csv")) {
        let (state, act) = (row["source_celex"].parse::<Celex>().unwrap(), row["target_celex"].parse().unwrap());
        if state.base() == act
            && let Some(from) = state.parts().version
        {
            expected.insert((state.to_string(), act.to_string(), from));
        }
    }
    let (done, slices, found) = heard(sparql, cache, &Question::States);
    assert!(slices >= 5 && done.rows >= 916, "{done:?}");
    let found: BTreeSet<(String, String, Day)> =
        found.states.iter().map(|s| (s.celex.to_string(), s.of.to_string(), s.from)).collect();
    assert_eq!(found, expected);
}

#[test]
fn a_long_relation_is_heard_whole_through_a_low_cap() {
    let Some((_, engine)) = engine("a_long_relation_is_heard_whole_through_a_low_cap") else { return };
    let folder = tempfile::tempdir().unwrap();
    let cache = open(folder.path());
    let between = Between::new(&engine.url, untouched());
    let asking = sparql(&between.url, &cache);
    let question = Question::Edges(relation("wugs"));
    let (done, slices, found) = heard(&asking, &cache, &question);
    let mut expected: BTreeSet<(String, String)> = made().into_iter().collect();
    assert_eq!(expected.len(), 3000);
    // The five and the three without a number are counted; the two of works to be left out are not.
    assert_eq!((done.rows, done.nameless), (3000 + 1 + 8, 8));
    expected.insert(("62099CJ9001".to_string(), "31960R9001".to_string()));
    assert_eq!(
        found.rows.iter().map(|r| (r.source.to_string(), r.target.to_string())).collect::<BTreeSet<_>>(),
        expected
    );
    assert_eq!(asking.cap(), CAP, "the cap was found out");
    assert!((16..60).contains(&slices), "{slices} slices");
    let requests = usize::try_from(done.requests).unwrap();
    assert!(requests <= slices + slices / 2 + 8, "{requests} requests for {slices} slices");
    assert_eq!(requests, between.asked().len());

    // Again: nothing is sent. Another run begins with what is held, the cap included.
    let again = sparql(&between.url, &cache);
    let (held, _, _) = heard(&again, &cache, &question);
    assert_eq!((held.requests, held.rows), (0, done.rows));
    assert_eq!(again.cap(), CAP);
    // A refresh of a later day asks everything again, and an earlier one nothing.
    let refreshed = heard(&sparql(&between.url, &cache).since(day("2026-08-21")), &cache, &question).0;
    assert_eq!(refreshed.requests, 0);
    let before = between.asked().len();
    let later = wait(sparql(&between.url, &cache).since(day("2026-08-23")).count(&question, &Slice::all())).unwrap();
    assert_eq!((later, between.asked().len()), (3009, before + 4));
    assert_eq!(wait(again.count(&question, &Slice::nameless())).unwrap(), 5);
}

#[test]
fn an_interrupted_run_goes_on_where_it_was() {
    let Some((_, engine)) = engine("an_interrupted_run_goes_on_where_it_was") else { return };
    let whole = {
        let folder = tempfile::tempdir().unwrap();
        let cache = open(folder.path());
        heard(&sparql(&engine.url, &cache), &cache, &Question::Edges(relation("wugs"))).0
    };
    let folder = tempfile::tempdir().unwrap();
    let between = Between::new(&engine.url, untouched());
    let question = Question::Edges(relation("wugs"));
    for stop_after in [0_usize, 1, 3, 4, 9] {
        let cache = open(folder.path());
        let sparql = sparql(&between.url, &cache);
        let heard = Arc::new(tokio::sync::Notify::new());
        let seen = Mutex::new(0);
        let progress = |told: Heard| {
            if !told.held {
                let mut seen = seen.lock().unwrap();
                *seen += 1;
                if *seen > stop_after {
                    heard.notify_one();
                }
            }
        };
        wait(async {
            tokio::select! {
                () = heard.notified() => {}
                done = sparql.enumerate(&question, &progress) => panic!("not interrupted: {done:?}"),
            }
        });
    }
    let cache = open(folder.path());
    let (done, _, _) = heard(&sparql(&between.url, &cache), &cache, &question);
    assert_eq!(done.rows, whole.rows);
    assert!(done.requests > 0 && done.requests < whole.requests);
    let asked = between.asked();
    let distinct: BTreeSet<&String> = asked.iter().collect();
    // What was in flight when it was cut off is asked again, and nothing else.
    assert!(asked.len() <= distinct.len() + 5 + 1, "{} requests, {} of them different", asked.len(), distinct.len());
}

/// A cache of its own, and the folder that it is in.
fn fresh() -> (tempfile::TempDir, Arc<Cache>) {
    let folder = tempfile::tempdir().unwrap();
    let cache = open(folder.path());
    (folder, cache)
}

#[test]
fn a_predicate_that_answers_nothing_stops_the_run_with_a_hint() {
    let Some((_, engine)) = engine("a_predicate_that_answers_nothing_stops_the_run_with_a_hint") else { return };
    let (_folder, cache) = fresh();
    let sparql = sparql(&engine.url, &cache);
    let probed = wait(sparql.probe(&relation("repeals"))).unwrap();
    assert_eq!(probed.predicates, [("resource_legal_repeals_resource_legal".to_string(), true)]);
    assert_eq!(wait(sparql.probe(&relation("wugs"))).unwrap().predicates.len(), 2);
    let silent = wait(sparql.probe(&relation("renders_obsolete"))).unwrap_err();
    assert!(matches!(silent, SparqlError::Silent { .. }), "{silent}");
    let inverse = wait(sparql.probe(&relation("blicks"))).unwrap_err().to_string();
    assert!(inverse.contains("the inverses are not in the triple store"), "{inverse}");
}

#[test]
fn an_error_with_status_200_is_an_error() {
    let Some((_, engine)) = engine("an_error_with_status_200_is_an_error") else { return };
    let (_folder, cache) = fresh();
    // The engine's own words about a query that is none; it says them with status 400, others with 200.
    let words = Between::new(
        &engine.url,
        Fault {
            request: Box::new(|head| head.replacen("query=PREFIX", "query=PREFIKS", 1)),
            answer: Box::new(|_, whole| {
                let text = String::from_utf8(whole).unwrap();
                assert!(text.starts_with("HTTP/1.1 400"), "{text}");
                text.replacen("HTTP/1.1 400 Bad Request", "HTTP/1.1 200 OK", 1).into_bytes()
            }),
        },
    );
    let error = wait(sparql(&words.url, &cache).enumerate(&Question::States, &|_| ())).unwrap_err();
    assert!(matches!(&error, SparqlError::Error { status: 200, .. }), "{error}");
    assert!(error.to_string().contains("SP030"), "{error}");
    assert!(cache.get(Question::States.document().unwrap().key()).unwrap().is_none());
}

#[test]
fn an_endpoint_without_time_is_asked_for_less_and_then_left() {
    let Some((_, engine)) = engine("an_endpoint_without_time_is_asked_for_less_and_then_left") else { return };
    let (_folder, cache) = fresh();
    let question = Question::Edges(relation("completes"));
    let busy = Between::new(
        &engine.url,
        Fault::answer(|_, _| answer("200 OK", "", b"Virtuoso S1T00 Error SR171: Transaction timed out")),
    );
    let error = wait(sparql(&busy.url, &cache).enumerate(&question, &|_| ())).unwrap_err();
    assert!(error.to_string().contains("ran out of time"), "{error}");
    assert!(busy.asked().len() < 20, "{} requests", busy.asked().len());

    // No time for the count of all, of which a part comes as if it were all: heard in pieces.
    let slow = Between::new(
        &engine.url,
        Fault::answer(|query, whole| {
            let wide = query.contains(" >= \"\" ") && query.contains(" < \"a\")");
            if wide && query.contains("COUNT(") {
                let body = whole.windows(4).position(|w| w == b"\r\n\r\n").unwrap() + 4;
                answer("200 OK", "x-sql-state: S1TAT\r\n", &whole[body..])
            } else {
                whole
            }
        }),
    );
    let (done, slices, found) = heard(&sparql(&slow.url, &cache), &cache, &question);
    assert!(slices >= 1 && done.requests >= 5 && done.rows == 23 && found.rows.len() == 23, "{done:?}");
}

#[test]
fn rows_lost_on_the_way_are_missed() {
    let Some((_, engine)) = engine("rows_lost_on_the_way_are_missed") else { return };
    let (_folder, cache) = fresh();
    let more = AtomicUsize::new(0);
    let lossy = Between::new(
        &engine.url,
        Fault::answer(move |query, whole| {
            if query.contains("COUNT(") {
                return whole;
            }
            let text = String::from_utf8(whole).unwrap();
            let (_, body) = text.split_once("\r\n\r\n").unwrap();
            let mut rows: Vec<&str> = body.split("},\n").collect();
            let last = rows.pop().unwrap();
            rows.truncate(rows.len() - 1 - more.fetch_add(1, Ordering::SeqCst));
            rows.push(last);
            answer("200 OK", "", rows.join("},\n").as_bytes())
        }),
    );
    let question = Question::Edges(relation("influences"));
    let error = wait(sparql(&lossy.url, &cache).enumerate(&question, &|_| ())).unwrap_err();
    assert!(matches!(error, SparqlError::Unproved { counted: 5, .. }), "{error}");
    assert!(error.to_string().contains("resource_legal_influences_resource_legal"), "{error}");
    assert!(cache.get(question.document().unwrap().key()).unwrap().is_none());
}

#[test]
fn what_changed_since_a_day_is_told() {
    let Some((_, engine)) = engine("what_changed_since_a_day_is_told") else { return };
    let (_folder, cache) = fresh();
    let among = ["31977R9001", "31988R9001", "31988R9002", "31988R9003"].map(|c| c.parse::<Celex>().unwrap());
    let among = BTreeSet::from(among);
    let changed = wait(sparql(&engine.url, &cache).modified_since(day("2026-08-22"), &among)).unwrap();
    assert_eq!(changed.iter().map(Celex::as_str).collect::<Vec<_>>(), ["31988R9001", "31988R9002"]);
}

#[test]
fn documents_are_tables_of_the_cache() {
    let key: DocumentKey = Question::Dates(relation("completes")).document().unwrap();
    assert_eq!(key.to_string(), "table/dates.completes.sparql.json");
}
