//! What it costs to bring documents over the wire, and how much memory: the crawler's own driver against a server on
//! loopback, in a process of its own.
//!
//! ```text
//! cargo bench --bench crawl             # 5,000, 10,000 and 20,000 documents, two processes per row
//! cargo bench --bench crawl -- 1000     # another number
//! ```
//!
//! Half of the documents are invented notices, half invented texts, every other one of which is served as HTML only. They
//! are asked for one after the other, without a pause: the address of the act, the redirect to the stream; each answer is
//! classified, checked to be the act's, put into a fresh cache and forced to disk. Then all is read from the cache again
//! and parsed. CPU is that of all threads of the crawling process; the server's, which makes the documents, is shown
//! apart. Memory is the peak of the crawling process, over both.

#[path = "../figures/mod.rs"]
mod figures;
mod server;
#[path = "../store/synthetic.rs"]
mod synthetic;

use figures::{all_threads, child, figure, peak};
use legal_link::build::Rubrics;
use legal_link::cache::{Cache, Shipped};
use legal_link::http::{Client, Clock, Policy};
use legal_link::law::{Day, Digest, Language};
use legal_link::parse::{self, Given};
use legal_link::source::{Again, DocumentKey, Got, Kind, Rest};
use serde_json::{Value, json};
use server::Server;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

const SIZES: [u64; 3] = [5_000, 10_000, 20_000];
const SEED: u64 = 20_251_231;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words[..] {
        ["serve"] => server::serve(SEED),
        ["crawl", documents] => println!("{}", crawl(size(documents))),
        [] => table(&SIZES),
        [..] => table(&words.iter().map(|w| size(w)).collect::<Vec<_>>()),
    }
}

fn size(text: &str) -> u64 {
    text.parse().expect("a number of documents")
}

fn table(sizes: &[u64]) {
    println!(
        "| documents | MB | requests | CPU a document: fetched, checked and stored | parsed | all | the server's | by the clock | peak |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for documents in sizes {
        let row = child(&["crawl", &documents.to_string()]);
        let [brought, parsed] = [figure(&row["brought_ms"]), figure(&row["parsed_ms"])];
        println!(
            "| {documents} | {:.0} | {} | {brought:.2} ms | {parsed:.2} ms | {:.2} ms | {:.2} ms | {:.0} s | {:.0} MB |",
            figure(&row["mb"]),
            row["requests"],
            brought + parsed,
            figure(&row["server_ms"]),
            figure(&row["clock_s"]),
            figure(&row["peak_mb"]),
        );
    }
}

#[allow(clippy::cast_precision_loss)]
fn crawl(documents: u64) -> Value {
    let server = Server::start();
    let folder = tempfile::tempdir().expect("a folder");
    let cache = Arc::new(Cache::open(folder.path(), Shipped::default()).expect("a fresh cache"));
    let (clock, start) = (Instant::now(), all_threads());
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("threads");
    runtime.block_on(bring(documents / 2, &server.address, &cache));
    drop(runtime);
    let (brought, clock) = (all_threads() - start, clock.elapsed().as_secs_f64());
    let start = all_threads();
    let (read, bytes) = parse_all(&cache);
    let parsed = all_threads() - start;
    assert_eq!(read, documents / 2 * 2, "every document is there");
    let (server_cpu, requests) = server.stop();
    let each = |seconds: f64| seconds * 1e3 / documents as f64;
    json!({
        "mb": bytes as f64 / 1e6, "requests": requests, "brought_ms": each(brought), "parsed_ms": each(parsed),
        "server_ms": each(server_cpu), "clock_s": clock, "peak_mb": peak(),
    })
}

/// Asks for the notice and the text of so many acts.
async fn bring(acts: u64, address: &str, cache: &Arc<Cache>) {
    let policy = Policy { pace: Duration::ZERO, ..Policy::default() };
    let client = Client::new("legal-link-bench", policy, Clock::new(SystemTime::now)).expect("a client");
    let today: Day = "2026-08-22".parse().expect("a day");
    let rest = Rest::new(client, address, cache.clone(), today, 32 << 20);
    for act in 0..acts {
        let celex = synthetic::celex(act).parse().expect("a number");
        for got in [
            rest.notice(&celex, Again::OnlyIfMissing).await,
            rest.text(&celex, Language::ENGLISH, Again::OnlyIfMissing).await,
        ] {
            assert!(matches!(got, Got::Stored(_)), "{celex}: {got:?}");
        }
    }
}

/// Reads every document that is held, as a build does. Gives their number and size.
fn parse_all(cache: &Cache) -> (u64, u64) {
    let registry = Rubrics::shipped().registry().expect("the shipped registry is sound");
    let (mut read, mut size) = (0, 0);
    for key in cache.keys() {
        let bytes = cache.get(&key).expect("a sound cache").expect("an entry").bytes;
        let key = DocumentKey::try_from(key).expect("the key of a document");
        let (document, bytes) = (Digest::of(&bytes), bytes.as_slice());
        match (key.kind(), key.celex()) {
            (Kind::Notice, _) => {
                let notice = parse::notice(bytes, &registry, None).expect("a notice").value;
                assert!(!notice.rows.is_empty(), "{key}: no statement");
            }
            (Kind::Act, Some(celex)) => {
                let given = Given { celex: &celex, language: Language::ENGLISH, document, bytes, registry: &registry };
                assert!(parse::act(&given).expect("an act").value.articles().count() > 3, "{celex}: articles lost");
            }
            _ => continue,
        }
        read += 1;
        size += bytes.len() as u64;
    }
    (read, size)
}
