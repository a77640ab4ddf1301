//! Documents from the stand-in of CELLAR's REST interface: every way of negotiation, and every way in which an answer can
//! be bad.

use super::corpus::corpus;
use super::standin::{Fault, Faults, Library, Manifestation, Standin, Stream, cellar_id};
use legal_link::build::load;
use legal_link::cache::{Cache, Shipped};
use legal_link::http::{Client, Clock, Policy};
use legal_link::law::{Celex, Day, Digest, Language, Registry};
use legal_link::source::{Absent, Again, DocumentKey, Failure, Folder, Got, Held, Rest};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

const LONGEST: usize = 16 << 20;

fn registry() -> Registry {
    let text = include_str!("../../rubrics/relations.toml");
    Registry::parse([("relations.toml", text)]).expect("the shipped registry")
}

fn specimens() -> Library {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("examples/specimens");
    Library::of_folder(&folder, &registry())
}

fn day(text: &str) -> Day {
    text.parse().expect("a day")
}

fn celex(text: &str) -> Celex {
    text.parse().expect("a number")
}

/// A crawl's client, its pauses a thousandth as long; it waits so many milliseconds for an answer.
fn client(attempts: u32, timeout: u64) -> Client {
    let timeout = Duration::from_millis(timeout);
    let policy = Policy { pace: Duration::ZERO, timeout, attempts, max_bytes: LONGEST, ..Policy::default() };
    Client::new("legal-link test", policy, Clock::scaled(SystemTime::now, 1000)).expect("a client")
}

struct Ground {
    _folder: TempDir,
    cache: Arc<Cache>,
    rest: Rest,
}

fn ground(server: &Standin, longest: usize) -> Ground {
    ground_with(client(4, 30_000), server, longest)
}

fn ground_with(client: Client, server: &Standin, longest: usize) -> Ground {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = Arc::new(Cache::open(folder.path(), Shipped::default()).expect("a cache"));
    let rest = Rest::new(client, server.address(), cache.clone(), day("2026-11-30"), longest);
    Ground { _folder: folder, cache, rest }
}

impl Ground {
    async fn text(&self, number: &str, again: Again) -> Got {
        self.rest.text(&celex(number), Language::ENGLISH, again).await
    }

    /// The same cache, asked through a client that knows nothing of hosts that stopped.
    fn anew(&self, server: &Standin) -> Rest {
        Rest::new(client(4, 30_000), server.address(), self.cache.clone(), day("2026-12-01"), LONGEST)
    }

    fn bytes(&self, key: &str) -> Vec<u8> {
        self.cache.get(&key.parse().expect("a key")).expect("sound").unwrap_or_else(|| panic!("no {key}")).bytes
    }

    /// Every document with its digest.
    fn documents(&self) -> BTreeMap<String, Digest> {
        let entries = self.cache.entries().into_iter().filter(|entry| !entry.key.as_str().starts_with("other/"));
        entries.map(|entry| (entry.key.to_string(), entry.digest)).collect()
    }
}

fn keys(got: Got) -> Vec<String> {
    match got {
        Got::Stored(keys) => keys.iter().map(ToString::to_string).collect(),
        other => panic!("not stored: {other:?}"),
    }
}

fn stream(name: &str, bytes: &[u8]) -> Stream {
    Stream { name: name.to_string(), bytes: Arc::new(bytes.to_vec()) }
}

/// A page in two parts: an act, and an annex by itself.
fn in_parts(library: &mut Library, number: &str) -> [Vec<u8>; 2] {
    let page = |body: &str| {
        format!("<html xmlns=\"http://www.w3.org/1999/xhtml\"><head><title>x</title></head><body>{body}</body></html>")
            .into_bytes()
    };
    let main = page(
        "<p class=\"oj-doc-ti\">COUNCIL REGULATION (EC) No 9555/2007</p><p class=\"oj-doc-ti\">of 5 May 2007</p>\
         <p class=\"oj-doc-ti\">on gnomes</p><p class=\"oj-normal\">THE COUNCIL OF THE EUROPEAN UNION,</p>\
         <p class=\"oj-normal\">HAS ADOPTED THIS REGULATION:</p><p class=\"oj-ti-art\">Article 1</p>\
         <p class=\"oj-normal\">Gnomes are listed in the Annex.</p>",
    );
    let annex = page("<p class=\"oj-doc-ti\">ANNEX</p><p class=\"oj-normal\">Gnomes of clay and gnomes of stone.</p>");
    let streams = vec![stream("main.xhtml", &main), stream("annex.xhtml", &annex)];
    let manifestation = Manifestation { kind: "xhtml".to_string(), streams, zipped: false };
    library.work(number).expressions.insert(Language::ENGLISH, vec![manifestation]);
    [main, annex]
}

#[tokio::test(flavor = "multi_thread")]
async fn every_way_of_negotiation() {
    let mut library = specimens();
    let formex = ["000101", "000401", "000501", "doc"].map(|part| {
        let name = format!("L_202409001EN.{part}.fmx.xml");
        let path = format!("{}/tests/fixtures/parse/32024R9001.fmx4.{name}", env!("CARGO_MANIFEST_DIR"));
        (name, std::fs::read(path).expect("a fixture"))
    });
    for (name, bytes) in &formex {
        library.add("32024R9001", Language::ENGLISH, &format!("32024R9001.fmx4.{name}"), bytes.clone());
    }
    let parts = in_parts(&mut library, "32007R9555");
    let german = stream("x.xhtml", b"<html><body><p>Verordnung</p></body></html>");
    let german = Manifestation { kind: "xhtml".to_string(), streams: vec![german], zipped: false };
    let deu: Language = "deu".parse().expect("a language");
    library.work("32007R9555R(02)").expressions.insert(deu, vec![german]);
    let server = Standin::start(library, Faults::none());
    let ground = ground(&server, LONGEST);
    let missing = Again::OnlyIfMissing;

    assert_eq!(keys(ground.text("32003R9301", missing).await), ["act/32003R9301/eng/xhtml"]);
    assert_eq!(keys(ground.text("31974R9001", missing).await), ["act/31974R9001/eng/html"]);
    assert_eq!(keys(ground.text("31974R9001R(01)", missing).await), ["act/31974R9001R(01)/eng/xhtml"]);
    let names = keys(ground.text("32024R9001", missing).await);
    assert_eq!(names[0], "act/32024R9001/eng/fmx4.L_202409001EN.000101.fmx");
    assert_eq!(names.len(), 4);
    for (name, bytes) in &formex {
        let key = format!("act/32024R9001/eng/fmx4.{}", name.strip_suffix(".xml").expect("xml"));
        assert_eq!(&ground.bytes(&key), bytes, "{key}");
    }
    let names = keys(ground.text("32007R9555", missing).await);
    assert_eq!(names, ["act/32007R9555/eng/xhtml.DOC_0001", "act/32007R9555/eng/xhtml.DOC_0002"]);
    assert_eq!([ground.bytes(&names[0]), ground.bytes(&names[1])], parts);
    assert_eq!(ground.text("32007R9555R(02)", missing).await, Got::Absent(Absent::NoExpression));
    assert_eq!(ground.text("32000R9206", missing).await, Got::Absent(Absent::NoTextFormat), "only extracted words");
    assert_eq!(ground.text("32099R9999", missing).await, Got::Absent(Absent::NoSuchWork));
    assert_eq!(ground.rest.notice(&celex("32099R9999"), missing).await, Got::Absent(Absent::NoSuchWork));
    assert_eq!(keys(ground.rest.notice(&celex("32003R9301"), missing).await), ["notice/32003R9301/tree-rdf"]);
    let id = cellar_id("31974R9001R(01)");
    assert_eq!(keys(ground.rest.identifiers(&id).await), [format!("notice/{id}/identifiers")]);
    assert_eq!(ground.rest.identifiers(&format!("http://x/resource/cellar/{id}")).await, Got::Held);

    // What was asked and what came stands beside the document.
    let entry = ground.cache.entry(&"act/31974R9001/eng/html".parse().expect("a key")).expect("read").expect("held");
    assert_eq!(entry.about.accept.as_deref(), Some("text/html"));
    assert_eq!((entry.about.status, entry.about.language.as_deref()), (Some(200), Some("eng")));
    assert!(entry.about.etag.is_some() && entry.about.last_modified.is_some());
    let asked = server.requests();
    assert!(asked.iter().all(|asked| !asked.accept.contains("; ") && asked.status != 400));
    assert!(asked.iter().all(|asked| matches!(asked.language.as_str(), "" | "eng")));
    assert!(asked.is_sorted_by_key(|asked| asked.at));

    // Nothing that is held, or known not to be there, is asked for again.
    server.forget();
    for number in ["32003R9301", "31974R9001", "32024R9001", "32007R9555"] {
        assert_eq!(ground.text(number, missing).await, Got::Held);
    }
    for number in ["32007R9555R(02)", "32000R9206", "32099R9999"] {
        assert!(matches!(ground.text(number, missing).await, Got::Absent(_)));
    }
    assert!(server.requests().is_empty(), "{:?}", server.requests());

    // The act and its annex are one act.
    let loaded = load(&Held::Cache(ground.cache.clone()), &registry()).expect("loaded");
    let act = loaded.facts.acts.iter().find(|act| act.celex.as_str() == "32007R9555").expect("the act in parts");
    assert_eq!(act.annexed.len(), 1);
    let act = loaded.facts.acts.iter().find(|act| act.celex.as_str() == "32024R9001").expect("the act in files");
    assert_eq!(act.annexed.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_are_asked_for_with_conditions_and_told_from_conversions() {
    let server = Standin::start(specimens(), Faults::none());
    let ground = ground(&server, LONGEST);
    let key = "act/32003R9301/eng/xhtml";
    keys(ground.text("32003R9301", Again::OnlyIfMissing).await);
    let first = ground.bytes(key);
    server.forget();
    assert_eq!(ground.text("32003R9301", Again::IfChanged).await, Got::Held);
    let asked = server.requests();
    assert!(asked.iter().any(|asked| asked.conditional && asked.status == 304), "{asked:?}");

    // A page that was only converted anew is the law that it was.
    let page = String::from_utf8(first.clone()).expect("UTF-8");
    let anew =
        page.replacen("<head>", "<!-- CONVEX # converter_version:9.18.0 # generated_on:20261201-0100 --><head>", 1);
    assert_ne!(anew, page);
    server.library(|l| l.replace("32003R9301", Language::ENGLISH, "xhtml", anew.clone().into_bytes()));
    let rest = ground.anew(&server);
    let number = celex("32003R9301");
    assert_eq!(rest.text(&number, Language::ENGLISH, Again::IfChanged).await, Got::Held);
    assert_eq!(ground.bytes(key), first);
    let entry = ground.cache.entry(&key.parse().expect("a key")).expect("read").expect("held");
    assert_eq!(entry.about.rebuilt, Some(Digest::of(anew.as_bytes())));
    assert_eq!(entry.about.taken, Some(day("2026-12-01")));

    // Other words are a change, and the old ones stay in the history.
    let changed = page.replacen("</body>", "<p class=\"oj-normal\">And gnomes.</p></body>", 1);
    server.library(|l| l.replace("32003R9301", Language::ENGLISH, "xhtml", changed.clone().into_bytes()));
    assert_eq!(keys(rest.text(&number, Language::ENGLISH, Again::IfChanged).await), [key]);
    assert_eq!(ground.bytes(key), changed.into_bytes());
    assert!(ground.cache.history(&key.parse().expect("a key")).iter().any(|e| e.digest == Digest::of(&first)));

    // Much less than there was takes no place.
    let thin = "<html xmlns=\"http://www.w3.org/1999/xhtml\"><body><p class=\"oj-normal\">Gnomes.</p></body></html>";
    server.library(|l| l.replace("32003R9301", Language::ENGLISH, "xhtml", thin.as_bytes().to_vec()));
    let got = rest.text(&number, Language::ENGLISH, Again::Anyway).await;
    assert!(matches!(got, Got::Failed(Failure::Thin(_))), "{got:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_longer_than_accepted_is_said_to_be() {
    let server = Standin::start(specimens(), Faults::none());
    let ground = ground(&server, 500);
    let got = ground.text("32003R9301", Again::OnlyIfMissing).await;
    assert!(matches!(&got, Got::Failed(Failure::Answer { status: 406, .. })), "{got:?}");
    assert!(ground.documents().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_of_which_some_parts_came_is_not_held() {
    let mut library = specimens();
    let [_, annex] = in_parts(&mut library, "32007R9555");
    let short = {
        let mut short = library.clone();
        let text = short.work("32007R9555").expressions.get_mut(&Language::ENGLISH).expect("a text");
        text[0].streams[1].bytes = Arc::new(annex[..annex.len() / 2].to_vec());
        short
    };
    let server = Standin::start(short, Faults::none());
    let ground = ground(&server, LONGEST);
    let got = ground.text("32007R9555", Again::OnlyIfMissing).await;
    assert!(matches!(got, Got::Failed(_)), "{got:?}");
    assert_eq!(ground.documents().len(), 1, "the first part came");
    server.library(|held| *held = library);
    server.forget();
    assert_eq!(keys(ground.text("32007R9555", Again::OnlyIfMissing).await), ["act/32007R9555/eng/xhtml.DOC_0002"]);
    let again = server.requests().iter().filter(|asked| asked.path.ends_with("/DOC_1")).count();
    assert_eq!(again, 0, "what came is not asked for again");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_repositorys_notifications_are_read_to_their_end() {
    let mut library = specimens();
    library.page = 2;
    for (at, number) in
        ["31974R9001", "32003R9301", "31974R9001R(01)", "31975R9003", "32004R9303"].into_iter().enumerate()
    {
        library.changed(number, day(&format!("2026-08-0{}", at + 1)));
    }
    let server = Standin::start(library, Faults::none());
    let ground = ground(&server, LONGEST);
    let told = ground.rest.ingested(day("2026-08-02")).await.expect("notifications");
    let mut numbers: Vec<String> = told.iter().flat_map(|one| one.celex.iter().map(ToString::to_string)).collect();
    numbers.sort();
    assert_eq!(numbers, ["31974R9001R(01)", "31975R9003", "32003R9301", "32004R9303"]);
    assert!(told.iter().all(|one| one.day.is_some() && !one.work.is_empty()));
    // On the same day they are not asked for again.
    let requests = server.requests().len();
    assert_eq!(ground.rest.ingested(day("2026-08-02")).await.as_ref(), Ok(&told));
    assert_eq!(server.requests().len(), requests);
    let elsewhere = ground.rest.clone().notified_at("/nowhere");
    assert!(elsewhere.ingested(day("2026-08-02")).await.is_err(), "a list that is not had is no empty one");
}

/// The texts and notices of some acts, in order; what did not come is counted.
async fn crawl(rest: &Rest, numbers: &[Celex], again: Again) -> Vec<(String, Got)> {
    let mut open = Vec::new();
    for number in numbers {
        let notice = rest.notice(number, again).await;
        let text = rest.text(number, Language::ENGLISH, again).await;
        for (what, got) in [("notice", notice), ("text", text)] {
            if !matches!(got, Got::Held | Got::Stored(_)) {
                open.push((format!("{what} {number}"), got));
            }
        }
    }
    open
}

/// Some specimens: pages old and new, with the files of one act in Formex.
fn small() -> (Library, Vec<Celex>) {
    let mut library = specimens();
    in_parts(&mut library, "32007R9555");
    let numbers =
        ["31974R9001", "31974R9001R(01)", "31975R9003", "32003R9301", "32004R9303", "32007R9555"].map(celex).to_vec();
    (library, numbers)
}

#[tokio::test(flavor = "multi_thread")]
async fn each_fault_leaves_what_is_held_as_it_is_and_says_so() {
    let (library, numbers) = small();
    let server = Standin::start(library, Faults::none());
    let ground = ground(&server, LONGEST);
    assert!(crawl(&ground.rest, &numbers, Again::OnlyIfMissing).await.is_empty());
    let sound = ground.documents();
    let every = Fault::PASSING.into_iter().chain([Fault::Challenge200, Fault::Challenge202]);
    for fault in every {
        server.faults(Faults::only(fault, 7, 1.0));
        let rest = Rest::new(client(2, 1_500), server.address(), ground.cache.clone(), day("2026-12-01"), LONGEST);
        let got = rest.text(&numbers[0], Language::ENGLISH, Again::Anyway).await;
        match fault {
            // The bytes are what they are, whatever the label says of them.
            Fault::WrongCharset => assert_eq!(got, Got::Held, "{fault:?}"),
            Fault::Challenge200 | Fault::Challenge202 | Fault::Busy | Fault::BusyNonsense | Fault::Unavailable => {
                assert!(matches!(got, Got::Stopped(_) | Got::Failed(_)), "{fault:?}: {got:?}");
            }
            _ => assert!(matches!(got, Got::Failed(_)), "{fault:?}: {got:?}"),
        }
        assert_eq!(ground.documents(), sound, "{fault:?}");
    }
}

/// After faults the store is the faultless one, or what differs is told; and a second crawl without faults ends there.
async fn faulty(library: Library, numbers: &[Celex], seeds: std::ops::Range<u64>) {
    let clean = Standin::start(library.clone(), Faults::none());
    let wanted = ground(&clean, LONGEST);
    let absent = crawl(&wanted.rest, numbers, Again::OnlyIfMissing).await;
    assert!(absent.iter().all(|(_, got)| matches!(got, Got::Absent(_))), "{absent:?}");
    let faultless = wanted.documents();
    for seed in seeds {
        let server = Standin::start(library.clone(), Faults::passing(seed, 0.3));
        let ground = ground_with(client(4, 1_000), &server, LONGEST);
        let open = crawl(&ground.rest, numbers, Again::OnlyIfMissing).await;
        let told = |what: &str, number: &Celex| open.iter().any(|(name, _)| *name == format!("{what} {number}"));
        let stored = ground.documents();
        for (key, digest) in &stored {
            assert_eq!(faultless.get(key), Some(digest), "seed {seed}: {key} is not what the server has");
        }
        for key in faultless.keys().filter(|key| !stored.contains_key(*key)) {
            let document: DocumentKey = key.parse().expect("a document");
            let number = document.celex().expect("a number");
            let what = if key.starts_with("act/") { "text" } else { "notice" };
            assert!(told(what, &number), "seed {seed}: {key} is missing and nobody said so: {open:?}");
        }
        let bad = server.requests().iter().filter(|asked| asked.fault.is_some()).count();
        assert!(bad > 0, "seed {seed}: no fault was made");
        server.faults(Faults::none());
        let rest = ground.anew(&server);
        let left = crawl(&rest, numbers, Again::OnlyIfMissing).await;
        assert_eq!(left.len(), absent.len(), "seed {seed}: {left:?}");
        assert_eq!(ground.documents(), faultless, "seed {seed}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_faulty_server_fools_nobody() {
    let (library, numbers) = small();
    faulty(library, &numbers, 0..6).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_faulty_server_of_real_acts_fools_nobody() {
    let Some(folder) = corpus("a_faulty_server_of_real_acts_fools_nobody") else { return };
    let (library, numbers) = served(&folder);
    let some: Vec<Celex> = numbers.into_iter().step_by(9).collect();
    faulty(library, &some, 0..2).await;
}

/// Source, relation and target of what registers say.
fn links(source: &dyn legal_link::source::Source) -> BTreeSet<[String; 3]> {
    let facts = load(source, &registry()).expect("loaded").facts;
    let rows = facts.rows.into_iter();
    rows.map(|row| [row.source.to_string(), row.relation.to_string(), row.target.to_string()]).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_links_of_the_tables_come_back_by_normalised_notices() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("examples/specimens");
    let library = specimens();
    let numbers: Vec<Celex> = library.works.values().map(|work| celex(&work.celex)).collect();
    let server = Standin::start(library, Faults::none());
    let ground = ground(&server, LONGEST);
    for number in &numbers {
        keys(ground.rest.notice(number, Again::OnlyIfMissing).await);
    }
    let told = links(&Held::Cache(ground.cache.clone()));
    let tables = links(&Folder::open(folder).expect("the specimens"));
    assert!(told.len() > 20, "{told:?}");
    assert_eq!(told, tables);
}

/// The texts of the corpus that the repository would serve, by number.
fn served(folder: &Path) -> (Library, Vec<Celex>) {
    let library = Library::of_folder(folder, &registry());
    let numbers = library.texts().into_iter().collect();
    (library, numbers)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_texts_of_the_corpus_come_back_byte_for_byte() {
    let Some(folder) = corpus("the_texts_of_the_corpus_come_back_byte_for_byte") else { return };
    let (library, numbers) = served(&folder);
    let server = Standin::start(library, Faults::none());
    let ground = ground(&server, LONGEST);
    let mut open = Vec::new();
    for number in &numbers {
        let got = ground.rest.text(number, Language::ENGLISH, Again::OnlyIfMissing).await;
        if !matches!(got, Got::Stored(_)) {
            open.push((number, got));
        }
    }
    assert!(open.is_empty(), "{} of {} texts did not come: {open:?}", open.len(), numbers.len());
    let digests: BTreeSet<Digest> = ground.documents().into_values().collect();
    server.library(|library| {
        for work in library.works.values() {
            let Some(manifestations) = work.expressions.get(&Language::ENGLISH) else { continue };
            // Of several formats one is asked for.
            let Some(first) =
                ["xhtml", "html", "fmx4"].iter().find_map(|k| manifestations.iter().find(|m| m.kind == *k))
            else {
                continue;
            };
            for stream in &first.streams {
                assert!(digests.contains(&Digest::of(&stream.bytes)), "{} {}", work.celex, stream.name);
            }
        }
    });
    eprintln!("{} texts in {} documents, {} requests", numbers.len(), digests.len(), server.requests().len());
}
