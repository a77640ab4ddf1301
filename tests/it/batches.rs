//! Builds whose calls go in batches: the same dataset as call by call at the batches' price, whatever goes wrong with
//! them, and a batch that was handed in is never handed in again.

#![allow(clippy::unwrap_used)]

use crate::model_builds::{Site, good_author};
use crate::program::{files, told};
use crate::provider::{BatchFaults, Faults, Provider};
use serde_json::Value;
use std::path::Path;
use std::process::{Child, Command};
use std::time::Duration;

const PATIENT: &str = "batch = { quiet = 0.3, poll = 0.02 }\n";
const PRICES: &str = "version = 1\n[[price]]\nmodel = \"openai*\"\ninput = 1.0\ncached = 1.0\noutput = 2.0\nbatch = 0.5\n\
                      as_of = \"2026-11\"\nsource = \"the test\"\n";

/// Two folders hold the same dataset; what it cost and how the manifest was written may differ.
fn same_dataset(a: &Path, b: &Path, what: &str) {
    let dataset = |folder| {
        let mut files = files(folder);
        files.retain(|(path, _)| {
            !["dataset.lock", "report.html", "spending.json"].iter().any(|name| path.ends_with(name))
        });
        files
    };
    let (a, b) = (dataset(a), dataset(b));
    assert!(a.len() > 4 && a.len() == b.len(), "{what}");
    for ((path, one), (_, other)) in a.iter().zip(&b) {
        assert!(one == other, "{what}: {} differs", path.display());
    }
}

fn spending(site: &Site) -> Value {
    serde_json::from_slice(&std::fs::read(site.at("out/spending.json")).unwrap()).unwrap()
}

/// Dollars of one stage, and how many of its calls went in batches.
fn stage(spending: &Value, stage: &str) -> (f64, u64, u64) {
    let row = spending["rows"].as_array().unwrap().iter().find(|row| row["stage"] == stage).unwrap();
    let cost = row["cost"].as_str().unwrap().parse().unwrap();
    (cost, row["calls"].as_u64().unwrap(), row["batched"].as_u64().unwrap_or(0))
}

fn wait_for(child: &mut Child, what: &str, it: impl Fn() -> bool) {
    while !it() {
        assert!(child.try_wait().unwrap().is_none(), "it ended before {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn batches_make_the_same_dataset_at_their_own_price() {
    for provider in ["openai", "openai-responses"] {
        let server = Provider::start(good_author(), Faults::none());
        let single = Site::new(provider, &server.base(), "").priced(PRICES);
        let code = single.build("out", "cache", &[]);
        let calls = server.paid();
        server.forget();
        server.batches_take(2);
        let site = Site::new(provider, &server.base(), PATIENT).priced(PRICES);
        let built = site.run("out", "cache", &[]);
        assert_eq!(built.status.code(), Some(code), "{}", told(&built));
        assert!(
            told(&built).contains("calls handed in") && told(&built).contains("batch batch-0: "),
            "{}",
            told(&built)
        );
        same_dataset(&single.at("out"), &site.at("out"), provider);
        assert_eq!(server.paid(), calls);

        // Half the price, but for the probe, which goes call by call; in the report, and in what this run spent.
        let (whole, half) = (spending(&single), spending(&site));
        for name in ["write", "judge"] {
            let ((full, of, _), (paid, calls, batched)) = (stage(&whole, name), stage(&half, name));
            assert!((full / 2.0 - paid).abs() < 1e-9 && full > 0.0, "{name}: {full} and {paid}");
            assert_eq!((of, batched), (calls, calls));
        }
        assert_eq!(stage(&whole, "probe"), stage(&half, "probe"));
        let cost = half["cost"].as_str().unwrap();
        assert!(told(&built).contains(&format!("calls now, ${cost}")), "{cost}: {}", told(&built));
        assert!(std::fs::read_to_string(site.at("out/report.html")).unwrap().contains("in batches"));

        // From the journal it costs what it cost, however the manifest would ask today.
        assert_eq!(site.build("again", "cache", &["--offline"]), code);
        for ((path, a), (_, b)) in files(&site.at("out")).iter().zip(&files(&site.at("again"))) {
            assert!(a == b, "{} differs when replayed", path.display());
        }
        assert_eq!(server.paid(), calls);
    }
}

#[test]
fn a_dry_run_and_a_limit_in_money_reckon_with_the_price_of_batches() {
    let server = Provider::start(good_author(), Faults::none());
    let most = |batch: &str| {
        let site = Site::new("openai", &server.base(), batch).priced(PRICES);
        let plan = site.run("out", "cache", &["--dry-run", "--json"]);
        assert!(plan.status.success(), "{}", told(&plan));
        let plan: Value = serde_json::from_slice(&plan.stdout).unwrap();
        let taken = plan["cost"]["assumptions"].to_string().contains("openai:m goes in batches, at 0.5 of the price");
        assert_eq!(taken, !batch.is_empty(), "{plan}");
        plan["cost"]["money"][1].as_str().unwrap().parse::<f64>().unwrap()
    };
    assert!((most("") / 2.0 - most(PATIENT)).abs() < 1e-9);
    assert!(server.asked().is_empty());
    // What one call may cost at the full price is more than there is; in a batch it is not.
    let limit = "[budget]\nmoney = 0.02\n";
    let site = Site::new("openai", &server.base(), PATIENT).priced(PRICES).with(limit);
    let stopped = site.run("out", "cache", &[]);
    assert!(server.batches() > 0, "{}", told(&stopped));
    let spent = spending(&site)["cost"].as_str().unwrap().parse::<f64>().unwrap();
    assert!(spent <= 0.02, "{spent}");
}

#[test]
fn whatever_goes_wrong_with_batches_the_dataset_is_the_same_and_nothing_is_paid_twice() {
    let server = Provider::start(good_author(), Faults::none());
    let single = Site::new("openai", &server.base(), "");
    let code = single.build("out", "cache", &[]);
    let calls = server.paid();
    let none = BatchFaults::default;
    for (name, faults) in [
        ("expired", BatchFaults { expires: true, ..none() }),
        ("some left out, some answered 500", BatchFaults { forgets: 4, trips: 3, ..none() }),
        (
            "its making unheard, its state untold, lines twice",
            BatchFaults { loses: true, trouble: 3, extra: true, ..none() },
        ),
    ] {
        server.forget();
        let before = server.batches();
        server.batch_faults(faults);
        let site = Site::new("openai", &server.base(), PATIENT);
        let built = site.run("out", "cache", &[]);
        assert_eq!(built.status.code(), Some(code), "{name}: {}", told(&built));
        same_dataset(&single.at("out"), &site.at("out"), name);
        assert_eq!(server.paid(), calls, "{name}: paid twice, or not at all");
        assert!(server.batches() - before >= 2, "{name}");
    }
}

#[test]
fn a_batch_that_is_refused_or_takes_too_long_stops_the_build_and_the_same_command_goes_on() {
    let server = Provider::start(good_author(), Faults::none());
    let single = Site::new("openai", &server.base(), "");
    let code = single.build("out", "cache", &[]);
    let calls = server.paid();
    server.forget();
    let site = Site::new("openai", &server.base(), "batch = { quiet = 0.3, poll = 0.02, patience = 0.2 }\n");
    server.batch_faults(BatchFaults { refuses: true, ..BatchFaults::default() });
    let refused = site.run("out", "cache", &[]);
    assert_eq!(refused.status.code(), Some(5), "{}", told(&refused));
    assert!(told(&refused).contains("refused: the file is not to our liking"), "{}", told(&refused));
    server.batches_take(usize::MAX);
    let waited = site.run("out", "cache", &[]);
    assert_eq!(waited.status.code(), Some(5), "{}", told(&waited));
    assert!(told(&waited).contains("has not ended within"), "{}", told(&waited));
    assert!(server.batches() >= 2, "the one that was refused is handed in anew");
    let again = site.run("out", "cache", &[]);
    assert_eq!(again.status.code(), Some(5), "the one under way is asked after: {}", told(&again));
    server.batches_end();
    assert_eq!(site.build("out", "cache", &[]), code);
    same_dataset(&single.at("out"), &site.at("out"), "after a batch was waited for");
    assert_eq!((server.paid(), server.handed_in_again(0)), (calls, 0));
}

#[test]
fn a_build_that_is_killed_or_interrupted_at_its_batch_asks_after_it_and_pays_nothing_twice() {
    let server = Provider::start(good_author(), Faults::none());
    let whole = Site::new("openai", &server.base(), PATIENT);
    let code = whole.build("out", "cache", &[]);
    let calls = server.paid();
    for (at, signal) in
        [("/v1/files", "-KILL"), ("/v1/batches", "-KILL"), ("/v1/batches/batch-", "-TERM"), ("/content", "-KILL")]
    {
        server.forget();
        let before = server.batches();
        let site = Site::new("openai", &server.base(), PATIENT);
        // The answer is made and never heard. (Not SIGINT: where a shell runs tests in the background it is ignored.)
        server.hold(at, 0);
        let mut child = site.spawn("out", "cache");
        wait_for(&mut child, at, || server.held() > 0);
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        assert!(!child.wait().unwrap().success(), "{at}");
        server.let_go();
        assert_eq!(site.build("out", "cache", &[]), code, "{at}");
        same_dataset(&whole.at("out"), &site.at("out"), at);
        assert_eq!((server.paid(), server.handed_in_again(before)), (calls, 0), "{at}");
    }
}

#[test]
fn a_provider_whose_batches_we_do_not_know_is_refused_before_it_is_asked() {
    let server = Provider::start(good_author(), Faults::none());
    let refused = Site::new("anthropic", &server.base(), PATIENT).run("out", "cache", &[]);
    assert_eq!(refused.status.code(), Some(3), "{}", told(&refused));
    assert!(told(&refused).contains("cannot be asked in batches"), "{}", told(&refused));
    assert!(server.asked().is_empty());
}
