//! Optimizers of prompts on a landscape with a known optimum, and what each of the engine's means is worth there.
//!
//! ```text
//! cargo bench --bench optimizer                    # the means, one at a time: the seeds of development
//! cargo bench --bench optimizer -- frozen TREE     # the twenty seeds that the frozen engine draws
//! python benches/optimizer/peers.py                # beside gepa and dspy.GEPA, over the wire
//! ```
//!
//! `serve`, `run ADDRESS SEED-NAME` and `seeds TREE` are what `peers.py` calls.

mod account;
mod landscape;
mod ours;
mod wire;

use account::Report;
use landscape::Landscape;
use legal_link::author::optimize::{Engine, Fronts, Parts, Settings};
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::sync::Arc;

/// A way to change settings, and its name.
type Change = (&'static str, fn(Settings) -> Settings);

/// Everything on, and each of the means off by itself.
const CHANGES: [Change; 9] = [
    ("as it is", |settings| settings),
    ("one reflection before a candidate is compared", |s| with(s, |p| p.rounds = 1)),
    ("minibatches of all pairs, also for addenda", |s| with(s, |p| p.own_pairs = false)),
    ("known scores are paid for again", |s| with(s, |p| p.remember = false)),
    ("texts are tried again", |s| with(s, |p| p.no_repeats = false)),
    ("compared on the whole selection at once", |s| with(s, |p| (p.first_leg, p.every_leg) = (0, false))),
    ("a candidate may be worse than its parents", |s| with(s, |p| p.no_worse = false)),
    ("no merges", |settings| Settings { merges: 0, ..settings }),
    ("none of these: as the reference, with merges", |s| Settings {
        fronts: Fronts::Instance,
        parts: Parts::NONE,
        ..s
    }),
];

fn with(mut settings: Settings, change: impl FnOnce(&mut Parts)) -> Settings {
    change(&mut settings.parts);
    settings
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words[..] {
        [] => table(&landscape::development()),
        ["frozen", tree] => table(&landscape::frozen(tree)),
        ["seeds", tree] => landscape::frozen(tree).iter().for_each(|seed| println!("{seed}")),
        ["serve"] => serve(),
        ["run", address, name] => println!("{}", serde_json::to_string(&over_the_wire(address, name)).expect("JSON")),
        _ => eprintln!("give nothing, or `frozen` and the tree of the engine"),
    }
}

/// Serves until there is nobody who could ask more.
fn serve() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port on loopback");
    println!("{}", listener.local_addr().expect("an address"));
    std::io::stdout().flush().expect("its reader");
    std::thread::spawn(move || wire::serve(&listener));
    std::io::stdin().read_to_end(&mut Vec::new()).expect("the end of its input");
}

/// A run of ours on a server; its name begins with the seed.
fn over_the_wire(address: &str, name: &str) -> Report {
    let seed = name.split('-').next().and_then(|seed| seed.parse().ok()).expect("a seed");
    let landscape = Landscape::new(seed);
    let mut wire = wire::Wire::new(address, name);
    let engine = ours::engine(&landscape, ours::settings(&landscape, seed));
    ours::run(engine, |asked| wire.ask(asked));
    wire.report()
}

fn table(seeds: &[u64]) {
    let landscapes: Vec<(u64, Arc<Landscape>)> =
        seeds.iter().map(|seed| (*seed, Arc::new(Landscape::new(*seed)))).collect();
    println!("{} seeds, calls until the first candidate of {} % of the optimum\n", seeds.len(), account::ARRIVED);
    println!("| switched off | median calls | arrived | held out | candidates |\n|---|---|---|---|---|");
    let each = |name: &str, engine: &dyn Fn(&Landscape, u64) -> Engine| {
        let run = |(seed, landscape): &(u64, Arc<Landscape>)| ours::run_here(landscape, engine(landscape, *seed));
        println!("| {name} {}", row(&landscapes.iter().map(run).collect::<Vec<_>>()));
    };
    for (name, change) in CHANGES {
        each(name, &|landscape, seed| ours::engine(landscape, change(ours::settings(landscape, seed))));
    }
    each("it is not told which component is sent with which pair", &|landscape, seed| {
        ours::untold(landscape, ours::settings(landscape, seed))
    });
}

#[allow(clippy::cast_precision_loss)] // sums of totals
fn row(reports: &[Report]) -> String {
    let mut calls: Vec<u64> = reports.iter().map(|report| report.arrived.unwrap_or(u64::MAX)).collect();
    calls.sort_unstable();
    let middle = [calls[(calls.len() - 1) / 2], calls[calls.len() / 2]];
    let median =
        if middle[1] == u64::MAX { "never".to_string() } else { u64::midpoint(middle[0], middle[1]).to_string() };
    let arrived = calls.iter().filter(|calls| **calls < u64::MAX).count();
    let held: f64 = reports.iter().map(|report| report.chosen[1] as f64 / report.optimum[1] as f64).sum();
    let candidates: u64 = reports.iter().map(|report| report.candidates).sum();
    let n = reports.len() as f64;
    format!("| {median} | {arrived} | {:.1} % | {:.0} |", 100.0 * held / n, candidates as f64 / n)
}
