//! Optimizers of prompts on a landscape with a known optimum.
//!
//! ```text
//! cargo bench --bench optimizer                    # the seeds of development
//! cargo bench --bench optimizer -- frozen COMMIT   # the twenty seeds that a commit draws
//! ```

mod account;
mod landscape;
mod ours;

use account::Account;
use landscape::{Budget, Landscape};
use legal_link::author::optimize::Settings;
use std::sync::Arc;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words[..] {
        [] => table(&landscape::development()),
        ["frozen", commit] => table(&landscape::frozen(commit)),
        _ => eprintln!("give nothing, or `frozen` and a commit"),
    }
}

fn table(seeds: &[u64]) {
    for seed in seeds {
        let landscape = Arc::new(Landscape::new(*seed));
        let Budget { evaluations, minibatch } = landscape.budget();
        let settings = Settings { minibatch, ..Settings::reference(*seed, evaluations, landscape.out_of()) };
        println!("{seed} {:?}", ours::run_here(Account::new(landscape), settings));
    }
}
