//! What it costs to check, read and store documents, one after the other as a crawl does, and how much memory.
//!
//! ```text
//! cargo bench --bench store             # 2,000, 6,000 and 20,000 documents, one process per row
//! cargo bench --bench store -- 1000     # another number
//! ```
//!
//! Half of the documents are invented notices, half invented pages. Each is parsed, which is how an answer is checked,
//! and put into a fresh cache, forced to disk; then the cache is opened again and all is listed. CPU is that of all
//! threads of the process, less that of making the documents; memory is its peak.

#[path = "../figures/mod.rs"]
mod figures;
mod synthetic;

use figures::{all_threads, child, figure, peak};
use legal_link::build::Rubrics;
use legal_link::cache::{About, Cache, Shipped};
use legal_link::law::{Digest, Language, Registry};
use legal_link::parse::{self, Given};
use legal_link::source::DocumentKey;
use serde_json::{Value, json};
use std::time::Instant;
use synthetic::{Invented, invented};

const SIZES: [u64; 3] = [2_000, 6_000, 20_000];
const SEED: u64 = 20_251_231;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words[..] {
        ["store", documents] => println!("{}", store(size(documents))),
        [] => table(&SIZES),
        [..] => table(&words.iter().map(|w| size(w)).collect::<Vec<_>>()),
    }
}

fn size(text: &str) -> u64 {
    text.parse().expect("a number of documents")
}

fn table(sizes: &[u64]) {
    println!(
        "| documents | MB | CPU a document: parsed | stored | all | by the clock | peak | opened again and listed |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for documents in sizes {
        let row = child(&["store", &documents.to_string()]);
        println!(
            "| {documents} | {:.0} | {:.2} ms | {:.2} ms | {:.2} ms | {:.0} s | {:.0} MB | {:.2} s |",
            figure(&row["mb"]),
            figure(&row["parsed_ms"]),
            figure(&row["stored_ms"]),
            figure(&row["parsed_ms"]) + figure(&row["stored_ms"]),
            figure(&row["clock_s"]),
            figure(&row["peak_mb"]),
            figure(&row["listed_s"]),
        );
    }
}

#[allow(clippy::cast_precision_loss)]
fn store(documents: u64) -> Value {
    let acts = || (0..documents / 2).map(|n| invented(SEED, n));
    let registry = Rubrics::shipped().registry().expect("the shipped registry is sound");
    let cost = |work: &mut dyn FnMut(&Invented)| {
        let start = all_threads();
        acts().for_each(|act| work(&act));
        all_threads() - start
    };
    let mut bytes = 0;
    let making = cost(&mut |act| bytes += act.notice.len() + act.page.len());
    let parsing = cost(&mut |act| check(act, &registry)) - making;
    let folder = tempfile::tempdir().expect("a folder");
    let cache = Cache::open(folder.path(), Shipped::default()).expect("a fresh cache");
    let clock = Instant::now();
    let storing = cost(&mut |act| keep(act, &cache)) - making;
    let clock = clock.elapsed().as_secs_f64();
    drop(cache);
    let start = all_threads();
    let cache = Cache::open(folder.path(), Shipped::default()).expect("the cache again");
    assert_eq!(cache.keys().len() as u64, documents / 2 * 2, "every document is there");
    let listing = all_threads() - start;
    let each = |seconds: f64| seconds * 1e3 / documents as f64;
    json!({
        "mb": bytes as f64 / 1e6, "parsed_ms": each(parsing), "stored_ms": each(storing),
        "clock_s": clock, "listed_s": listing, "peak_mb": peak(),
    })
}

/// Reads both documents of an act, as a crawl does before it keeps them.
fn check(act: &Invented, registry: &Registry) {
    let notice = parse::notice(act.notice.as_bytes(), registry, None).expect("a notice");
    assert!(!notice.value.rows.is_empty(), "{}: no statement", act.celex);
    let bytes = act.page.as_bytes();
    let document = Digest::of(bytes);
    let given = Given { celex: &act.celex, language: Language::ENGLISH, document, bytes, registry };
    let page = parse::act(&given).expect("an act");
    assert!(page.value.articles().count() > 3, "{}: articles lost", act.celex);
}

fn keep(act: &Invented, cache: &Cache) {
    let notice = DocumentKey::notice(act.celex.as_str(), "tree").expect("a key");
    let page = DocumentKey::act(&act.celex, Language::ENGLISH, "oj-eli").expect("a key");
    let about = |kind: &str| About { address: format!("https://example.org/{}/{kind}", act.celex), ..About::default() };
    cache.put(notice.key(), act.notice.as_bytes(), about("notice")).expect("room on disk");
    cache.put(page.key(), act.page.as_bytes(), about("page")).expect("room on disk");
}
