//! The graph at scale: what it costs to load a stored graph, to ask for one act and to ask for all.
//!
//! ```text
//! cargo bench --bench graph                          # 10^5, 10^6 and 10^7 edges, one process per figure
//! cargo bench --bench graph -- 100000                # one size
//! cargo bench --bench graph -- tables 1000000 DIR    # for benches/beside_networkx.py: a stored graph and its tables
//! ```
//!
//! Memory is the peak of the whole process, CPU that of its threads (both as Linux tells them).

#[path = "../figures/mod.rs"]
mod figures;
mod synthetic;

use figures::{child, cpu, figure, peak};
use legal_link::graph::{Asked, StoredGraph, Tally};
use legal_link::law::{Day, Endpoint, Extent};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufReader, BufWriter, Write as _};
use std::path::Path;
use std::time::Instant;
use synthetic::{Chance, Synthetic, newest};

const SIZES: [usize; 3] = [100_000, 1_000_000, 10_000_000];
const SEED: u64 = 20_251_231;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words[..] {
        ["write", edges, file] => println!("{}", write(size(edges), Path::new(file))),
        ["ask", file] => println!("{}", ask(Path::new(file))),
        ["tables", edges, folder] => println!("{}", tables(size(edges), Path::new(folder))),
        [] => table(&SIZES),
        [..] => table(&words.iter().map(|w| size(w)).collect::<Vec<_>>()),
    }
}

fn size(text: &str) -> usize {
    text.parse().expect("a number of edges")
}

/// Ten edges to an act.
fn made(edges: usize) -> Synthetic {
    Synthetic::new(edges / 10, edges, SEED)
}

fn write(edges: usize, path: &Path) -> Value {
    let graph = made(edges);
    graph.store(BufWriter::new(File::create(path).expect("a file")));
    json!({ "cpu_s": cpu(), "peak_mb": peak(), "edges": graph.edges.len(), "acts": graph.celexes.len() })
}

fn ask(path: &Path) -> Value {
    let mut file = BufReader::new(File::open(path).expect("a stored graph"));
    let before = cpu();
    let graph = StoredGraph::load(&mut file).expect("a stored graph");
    let (load, loaded) = (cpu() - before, peak());
    let mut chance = Chance::new(1);
    let acts: Vec<Endpoint> = graph.each(newest()).map(|(celex, _)| celex.parse().expect("an act")).collect();
    let asked: Vec<(&Endpoint, Day)> =
        (0..100_000).map(|_| (&acts[chance.below(acts.len())], a_day(&mut chance))).collect();
    let one = times(&asked, |(at, on)| {
        std::hint::black_box(graph.as_of(at, *on));
    });
    let why = times(&asked[..1000], |(at, on)| {
        std::hint::black_box(graph.status(at, Asked::on(*on), &mut file)).expect("its own file");
    });
    let day = Day::from_ymd(2010, 6, 30).expect("a day");
    let start = Instant::now();
    let tally: Tally = graph.each(day).map(|(_, answers)| answers).collect();
    json!({
        "load_cpu_s": load, "load_peak_mb": loaded, "peak_mb": peak(),
        "as_of_us": one, "status_us": why, "all_s": start.elapsed().as_secs_f64(), "tally": tally,
    })
}

fn a_day(chance: &mut Chance) -> Day {
    Day::from_number(u16::try_from(2500 + chance.below(24_000)).expect("a number of days")).expect("a day")
}

/// Median and 99th percentile, in microseconds.
fn times<T>(asked: &[T], mut ask: impl FnMut(&T)) -> [f64; 2] {
    let mut took: Vec<f64> = asked
        .iter()
        .map(|question| {
            let start = Instant::now();
            ask(question);
            start.elapsed().as_secs_f64() * 1e6
        })
        .collect();
    took.sort_by(f64::total_cmp);
    [took[took.len() / 2], took[took.len() * 99 / 100]]
}

fn table(sizes: &[usize]) {
    println!(
        "| acts | edges | file | written (CPU) | loaded (CPU) | peak | one act, median / 99 % | with reasons | all acts on a day |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for &edges in sizes {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("graph");
        let name = path.to_string_lossy();
        let written = child(&["write", &edges.to_string(), &name]);
        let bytes = std::fs::metadata(&path).expect("the file").len();
        let asked = child(&["ask", &name]);
        println!(
            "| {} | {} | {} MB | {:.1} s | {:.2} s | {:.0} MB | {:.2} / {:.2} µs | {:.0} µs | {:.3} s |",
            written["acts"],
            written["edges"],
            bytes / 1_000_000,
            figure(&written["cpu_s"]),
            figure(&asked["load_cpu_s"]),
            figure(&asked["load_peak_mb"]),
            figure(&asked["as_of_us"][0]),
            figure(&asked["as_of_us"][1]),
            figure(&asked["status_us"][0]),
            figure(&asked["all_s"]),
        );
    }
}

/// Writes the stored graph and, as tables for another program, the facts that a whole act's status depends on; asks
/// for every act on a day, and tells the figures.
fn tables(edges: usize, folder: &Path) -> Value {
    let graph = made(edges);
    let file = |name: &str| BufWriter::new(File::create(folder.join(name)).expect("a file"));
    graph.store(file("graph"));
    let (mut acts, mut links) = (file("acts.csv"), file("edges.csv"));
    writeln!(acts, "celex,void,begins,applies,seen,recorded,flags,ends").expect("room on disk");
    writeln!(links, "source,target,relation,effect,superseded,touches").expect("room on disk");
    graph.each(|rank, act, onto| {
        let flags: Vec<String> =
            act.flags.iter().map(|(day, flag)| format!("{}:{}", day.number(), u8::from(*flag))).collect();
        let ends: Vec<String> =
            act.own_ends.iter().map(|(from, over)| format!("{}:{}", moment(*from), number(*over))).collect();
        let applies = act.applies.map_or(String::new(), moment);
        let line = [
            graph.celexes[rank].to_string(),
            u8::from(act.void).to_string(),
            moment(act.begins),
            applies,
            number(act.seen),
            number(act.recorded),
            flags.join(";"),
            ends.join(";"),
        ];
        writeln!(acts, "{}", line.join(",")).expect("room on disk");
        for edge in onto {
            let touches: Vec<String> = edge.touches.iter().map(touch).collect();
            let (name, effect) = graph.relation(edge.relation);
            let effect = serde_json::to_value(effect).expect("a word");
            let (by, target) = (&graph.celexes[edge.source], &graph.celexes[rank]);
            let superseded = u8::from(edge.superseded);
            let effect = effect.as_str().expect("a word");
            writeln!(links, "{by},{target},{name},{effect},{superseded},{}", touches.join(";")).expect("room on disk");
        }
    });
    drop((acts, links));
    child(&["ask", &folder.join("graph").to_string_lossy()])
}

fn number(day: Option<Day>) -> String {
    day.map_or(String::new(), |d| d.number().to_string())
}

fn moment(moment: legal_link::graph::Moment) -> String {
    format!("{}:{}", number(moment.earliest), number(moment.latest))
}

/// What of a touch counts for the act as a whole.
fn touch(touch: &legal_link::graph::stored::SettledTouch) -> String {
    let reach = match touch.extent {
        Extent::Whole => "whole",
        Extent::Partial if touch.parts.is_empty() && touch.saved.iter().any(|s| s.part.is_some()) => "whole",
        Extent::Partial => "part",
        Extent::Unknown => "unknown",
    };
    let start = touch.start.map_or("never".to_string(), moment);
    let saves = u8::from(!touch.saved.is_empty());
    format!("{reach}/{start}/{}/{saves}/{:?}", number(touch.until), touch.footing)
}
