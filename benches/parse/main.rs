//! The parsers on real documents: what is read of each flavour, how whole, and what it costs.
//!
//! ```text
//! cargo bench --bench parse                             # every document of ../shared/corpus, by flavour
//! cargo bench --bench parse -- FOLDER                   # of another folder with an INDEX.tsv
//! cargo bench --bench parse -- FOLDER --json            # a line of figures per flavour
//! cargo bench --bench parse -- read HOW ROUNDS FILE...  # seconds of CPU per file, for benches/peers/beside.py
//! ```
//!
//! One process per flavour, one thread; CPU as Linux tells it, the median of five rounds. Peak memory is that of a
//! process that reads each document once and keeps none. HOW is `text` (a page as lines of words), `act` (units,
//! coverage and clauses as well), `notice` or `table`.

#[path = "../figures/mod.rs"]
mod figures;
mod reading;

use figures::{child, cpu, figure, peak};
use reading::{How, Reader};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

const ROUNDS: usize = 5;
/// A round is repeated until it is long enough, in seconds, for a clock that ticks in milliseconds.
const LONG_ENOUGH: f64 = 0.1;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let json = args.iter().any(|a| a == "--json");
    let words: Vec<&str> = args.iter().map(String::as_str).filter(|a| !a.starts_with("--")).collect();
    match words[..] {
        ["read", how, rounds, ref files @ ..] => println!("{}", read(how.parse().expect("a way"), rounds, files)),
        ["flavour", folder, name] => println!("{}", flavour(Path::new(folder), name)),
        [] => all("../shared/corpus", json),
        [folder] => all(folder, json),
        _ => eprintln!("cargo bench --bench parse -- [FOLDER] [--json]"),
    }
}

/// A document as the index lists it.
struct Listed {
    file: String,
    celex: String,
    flavour: String,
}

fn listed(folder: &Path) -> Vec<Listed> {
    let text = std::fs::read_to_string(folder.join("INDEX.tsv")).expect("an index");
    let mut lines = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let head = lines.next().expect("a line that names the columns");
    let column = |name: &str| head.iter().position(|c| *c == name).expect("a column of every index");
    let [file, celex, flavour] = ["file", "celex", "flavour"].map(column);
    let text = |row: &[&str], at: usize| row.get(at).copied().unwrap_or_default().to_string();
    lines.map(|row| Listed { file: text(&row, file), celex: text(&row, celex), flavour: text(&row, flavour) }).collect()
}

fn all(folder: &str, json: bool) {
    // Cargo runs benches in the folder of the crate.
    if !Path::new(folder).join("INDEX.tsv").is_file() {
        return eprintln!("SKIPPED: no INDEX.tsv in {folder}; name a folder that has one");
    }
    let mut groups: BTreeMap<How, Vec<Value>> = BTreeMap::new();
    let mut names: Vec<String> = listed(Path::new(folder)).into_iter().map(|one| one.flavour).collect();
    names.sort();
    names.dedup();
    for name in names {
        let figures = child(&["flavour", folder, &name]);
        if json {
            println!("{figures}");
        }
        groups.entry(How::of(&name)).or_default().push(figures);
    }
    if !json {
        for (how, rows) in &groups {
            table(*how, rows);
        }
    }
}

fn table(how: How, rows: &[Value]) {
    match how {
        How::Act | How::Text => {
            println!(
                "| flavour | files | MB | refused | units | clauses | coverage, least / mean | warnings | text | whole act | coverage again | peak |"
            );
            println!("|---|---|---|---|---|---|---|---|---|---|---|---|");
        }
        How::Notice | How::Table => {
            println!("| flavour | files | MB | refused | rows | records | warnings | speed | peak |");
            println!("|---|---|---|---|---|---|---|---|---|");
        }
    }
    for row in rows {
        let megabytes = figure(&row["mb"]);
        let (name, files, refused) = (&row["flavour"].as_str().expect("a name"), &row["files"], &row["refused"]);
        print!("| {name} | {files} | {megabytes:.2} | {refused} | ");
        let peak = figure(&row["peak_mb"]);
        match how {
            How::Act | How::Text => {
                let pace = |what: &str| figure(&row[what]) * 1e3 / megabytes;
                println!(
                    "{} | {} | {:.4} / {:.4} | {} | {:.1} ms/MB | {:.1} ms/MB | {:.1} ms/MB | {peak:.0} MB |",
                    row["units"],
                    row["clauses"],
                    figure(&row["coverage_least"]),
                    figure(&row["coverage_mean"]),
                    row["warnings"],
                    pace("text_s"),
                    pace("whole_s"),
                    pace("coverage_s"),
                );
            }
            How::Notice | How::Table => {
                let speed = megabytes / figure(&row["whole_s"]);
                println!(
                    "{} | {} | {} | {speed:.0} MB/s | {peak:.0} MB |",
                    row["rows"], row["records"], row["warnings"]
                );
            }
        }
    }
    println!();
}

/// All documents of a flavour: first once each for what is in them, then again and again for what they cost.
#[allow(clippy::cast_precision_loss)]
fn flavour(folder: &Path, name: &str) -> Value {
    let how = How::of(name);
    let reader = Reader::new();
    let files: Vec<Listed> = listed(folder).into_iter().filter(|one| one.flavour == name).collect();
    let bytes_of = |one: &Listed| std::fs::read(folder.join(&one.file)).expect("a file of the index");
    let mut told = reading::Told::default();
    for one in &files {
        told.add(&reader.told(how, &one.file, &one.celex, &bytes_of(one)));
    }
    let peak = peak();
    let documents: Vec<(&Listed, Vec<u8>)> = files.iter().map(|one| (one, bytes_of(one))).collect();
    let each = |how: How| {
        median_of(ROUNDS, || documents.iter().for_each(|(one, bytes)| reader.read(how, &one.file, &one.celex, bytes)))
    };
    let whole = each(how);
    let mut figures = json!({
        "flavour": name, "files": files.len(), "refused": told.refused, "warnings": told.warnings,
        "mb": documents.iter().map(|(_, bytes)| bytes.len()).sum::<usize>() as f64 / 1e6,
        "whole_s": whole, "peak_mb": peak,
    });
    if how == How::Act {
        let read: Vec<_> =
            documents.iter().filter_map(|(one, bytes)| Some((reader.act(&one.celex, bytes)?, bytes))).collect();
        let again = median_of(ROUNDS, || {
            for (act, bytes) in &read {
                std::hint::black_box(legal_link::parse::coverage(bytes, act));
            }
        });
        let mean = told.shares.iter().sum::<f64>() / told.shares.len().max(1) as f64;
        figures["units"] = told.units.into();
        figures["clauses"] = told.clauses.into();
        figures["coverage_least"] = told.shares.iter().copied().fold(1.0, f64::min).into();
        figures["coverage_mean"] = if told.shares.is_empty() { 1.0 } else { mean }.into();
        figures["text_s"] = each(How::Text).into();
        figures["coverage_s"] = again.into();
    } else {
        figures["rows"] = told.rows.into();
        figures["records"] = told.records.into();
    }
    figures
}

/// Seconds of CPU that each file costs.
fn read(how: How, rounds: &str, files: &[&str]) -> Value {
    let rounds = rounds.parse().expect("a number of rounds");
    let reader = Reader::new();
    let seconds: Vec<f64> = files
        .iter()
        .map(|file| {
            let bytes = std::fs::read(file).expect("a file");
            let name = Path::new(file).file_name().expect("a name").to_string_lossy();
            let celex = name.split('.').next().unwrap_or_default();
            median_of(rounds, || reader.read(how, &name, celex, &bytes))
        })
        .collect();
    json!({ "seconds": seconds, "peak_mb": peak() })
}

/// The median of several rounds, each as often repeated as it takes to be long enough.
fn median_of(rounds: usize, mut work: impl FnMut()) -> f64 {
    let start = cpu();
    let mut times = 0_u32;
    while cpu() - start < LONG_ENOUGH {
        work();
        times += 1;
    }
    let mut took: Vec<f64> = (0..rounds)
        .map(|_| {
            let start = cpu();
            (0..times).for_each(|_| work());
            (cpu() - start) / f64::from(times)
        })
        .collect();
    took.sort_by(f64::total_cmp);
    took[took.len() / 2]
}
