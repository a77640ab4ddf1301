//! The binary improves prompts, tells of it while it does, builds by what it chose, and is killed on the way.

use super::site::{IN_FLIGHT, Site, heeding_shipped, model, rule, same};
use crate::browser::{browser, fits};
use crate::program::told;
use crate::provider::{Fault, Faults, Provider};
use legal_link::build::Rubrics;
use legal_link::law::Digest;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

fn field<'a>(text: &'a str, name: &str) -> &'a str {
    let line = text.lines().find_map(|line| line.strip_prefix(&format!("{name} = \"")));
    line.and_then(|rest| rest.strip_suffix('"')).unwrap_or_else(|| panic!("no {name} in\n{text}"))
}

#[test]
fn a_build_names_the_prompts_chosen_by_their_hash_and_refuses_others() {
    let server = Provider::start(heeding_shipped(), Faults::none());
    let site = Site::new(&server.base(), "");
    let optimized = site.optimize("improved", "cache", &[]);
    assert_eq!(optimized.status.code(), Some(0), "{}", told(&optimized));
    let said = String::from_utf8_lossy(&optimized.stderr).into_owned();
    assert_eq!(field(&said, "file"), "improved/prompts.json", "as the manifest can name it: {said}");
    let bytes = fs::read(site.at("improved/prompts.json")).expect("the prompts are there");
    let digest = Digest::of(&bytes).to_string();
    assert_eq!(field(&said, "sha256"), digest);
    let chosen: Value = serde_json::from_slice(&bytes).expect("JSON");
    assert!(chosen["prompts"].to_string().contains(&rule(0)[..7]), "{}", chosen["prompts"]);

    site.add(&format!("[prompts]\nfile = \"improved/prompts.json\"\nsha256 = \"{digest}\"\n"));
    let out = site.at("out").display().to_string();
    let built = site.run("build", "cache", &["--out", &out]);
    assert!(matches!(built.status.code(), Some(0 | 4)), "{}", told(&built));
    let lock = site.text("out/dataset.lock");
    assert!(lock.contains(&format!("prompts_file = \"{digest}\"")), "{lock}");
    for (component, text) in chosen["prompts"].as_object().expect("texts by component") {
        let own = Digest::of(text.as_str().expect("a text").as_bytes());
        assert!(lock.contains(&format!("\"prompts/{component}.md\" = \"{own}\"")), "{component}: {own}\n{lock}");
    }
    let report = site.text("out/report.html");
    for told in ["Who comes from whom", "On pairs it never saw", "by relation", "by criterion", &digest[..12]] {
        assert!(report.contains(told), "{told}");
    }
    assert!(report.contains("<ins>+ Rule "), "each prompt's difference from its parent");

    let page = site.text("improved/lineage.html");
    for (name, html) in [("lineage.html", &page), ("report_of_chosen_prompts.html", &report)] {
        fs::write(Path::new(env!("CARGO_TARGET_TMPDIR")).join(name), html).expect("written for eyes");
        match browser() {
            Some(browser) => fits(&browser, html, name),
            None => eprintln!("SKIPPED {name} in a browser: no chromium here"),
        }
    }

    fs::write(site.at("improved/prompts.json"), String::from_utf8_lossy(&bytes).replacen("Rule", "rule", 1)).unwrap();
    server.forget();
    let refused = site.run("build", "cache", &["--out", &out]);
    assert_eq!(refused.status.code(), Some(3), "{}", told(&refused));
    let why = told(&refused);
    assert!(why.contains("improved/prompts.json") && why.contains(&digest) && why.contains("optimize --out"), "{why}");
    assert_eq!((server.asked().len(), site.text("out/dataset.lock")), (0, lock), "nothing is asked or written");
}

#[test]
fn what_cannot_begin_asks_no_model_not_even_what_its_server_can_do() {
    let server = Provider::start(heeding_shipped(), Faults::none());
    let site = Site::new(&server.base(), "");
    let manifest = site.text("dataset.toml");
    for (from, to, why) in [
        ("evaluations = 120", "evaluations = 4", "4 evaluations buy no proposal"),
        ("reflect = 6", "reflect = 0", "no pairs are set aside for reflect"),
    ] {
        fs::write(site.at("dataset.toml"), manifest.replace(from, to)).expect("written");
        let refused = site.optimize("improved", "cache", &[]);
        assert_eq!(refused.status.code(), Some(3), "{}", told(&refused));
        assert!(told(&refused).contains(why), "{}", told(&refused));
        assert!(server.asked().is_empty() && !site.at("improved").exists(), "{why}");
    }
}

#[test]
fn it_tells_of_every_proposal_for_people_and_for_programs() {
    let server = Provider::start(heeding_shipped(), Faults::none());
    let site = Site::new(&server.base(), "");
    let people = site.optimize("improved", "cache", &[]);
    let said = String::from_utf8_lossy(&people.stderr).into_owned();
    let record: Value = serde_json::from_str(&site.text("improved/lineage.json")).expect("JSON");
    let proposals = record["proposals"].as_array().expect("a list");
    let lines: Vec<&str> = said.lines().filter(|line| line.contains(" · front of ")).collect();
    assert_eq!(lines.len(), proposals.len(), "{said}");
    assert!(lines[0].contains("  0  the prompts at the start: candidate 0"), "{}", lines[0]);
    assert!(lines.iter().any(|line| line.contains("candidate 1, ") && line.contains("{+Rule ")), "{said}");
    assert!(lines.iter().any(|line| line.contains("not taken: ")), "{said}");
    let last = lines.last().expect("a line");
    assert!(
        last.contains("of 120 evaluations")
            && last.contains(" · $")
            && last.contains(" calls · ")
            && last.contains(" tokens"),
        "{last}"
    );

    // A program gets the same as lines of JSON, the result last; what is settled is not told of again.
    let again = site.optimize("improved", "cache", &["--json", "--offline"]);
    let events: Vec<Value> =
        String::from_utf8_lossy(&again.stdout).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(events.iter().map(|e| e["event"].as_str().unwrap_or("")).collect::<Vec<_>>(), ["settled", "ended"]);
    assert_eq!((&events[0]["news"], &events[0]["evaluations"]), (&Value::Null, &record["evaluations"]));
    assert_eq!(events[1]["result"], record);
    let fresh = site.optimize("fresh", "other", &["--json"]);
    let events: Vec<Value> =
        String::from_utf8_lossy(&fresh.stdout).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(events.len(), proposals.len() + 1);
    let last = &events[proposals.len() - 1];
    for (field, holds) in [
        ("best", last["best"][1].is_u64()),
        ("front", last["front"].as_array().is_some_and(|front| !front.is_empty())),
        ("spent", last["spent"]["calls"].as_u64().is_some_and(|calls| calls > 50)),
        ("news", last["news"]["number"].as_u64() == Some(proposals.len() as u64 - 1)),
    ] {
        assert!(holds, "{field}: {last}");
    }
    let said = String::from_utf8_lossy(&fresh.stderr).into_owned();
    assert!(said.lines().all(|line| line.is_empty() || line.contains("are set aside")), "only warnings: {said}");
    same(&site.at("improved"), &site.at("fresh"), "told otherwise, the same result");
}

#[test]
fn a_call_that_is_refused_is_no_score_and_the_same_command_goes_on_when_it_is_not() {
    let server = Provider::start(heeding_shipped(), Faults::none());
    let base = server.base();
    let site = Site::new(&base, &format!("[judge]\n{}", model(&base)));
    let whole = site.optimize("whole", "whole-cache", &[]);
    assert_eq!(whole.status.code(), Some(0), "{}", told(&whole));
    server.faults(Faults::of(5, 10, &[Fault::TooLong]));
    let stopped = site.optimize("out", "cache", &[]);
    assert_eq!(stopped.status.code(), Some(5), "{}", told(&stopped));
    assert!(told(&stopped).contains("the prompt is too long") && !site.at("out").exists(), "{}", told(&stopped));
    server.faults(Faults::none());
    let resumed = site.optimize("out", "cache", &[]);
    assert_eq!(resumed.status.code(), Some(0), "{}", told(&resumed));
    same(&site.at("whole"), &site.at("out"), "refused, then answered");
    assert!(site.decisions("whole-cache") == site.decisions("cache"));
}

/// The stand-in judges everything alike.
#[test]
fn a_judge_that_may_not_build_chooses_no_prompts_and_its_trial_is_paid_for_once() {
    let server = Provider::start(heeding_shipped(), Faults::none());
    let base = server.base();
    let site = Site::new(&base, &format!("[judge]\n{}", model(&base)));
    let waived = site.text("dataset.toml");
    fs::write(site.at("dataset.toml"), waived.replace("items = 0", "items = 1")).expect("written");
    let plan: Value = serde_json::from_slice(&site.optimize("out", "cache", &["--dry-run", "--json"]).stdout).unwrap();
    let stages = plan["cost"]["stages"].as_array().expect("a list").iter();
    let trials = stages
        .filter(|stage| stage["stage"] == "calibrate")
        .filter_map(|stage| stage["calls"][0].as_u64())
        .sum::<u64>();

    let stopped = site.optimize("out", "cache", &[]);
    assert_eq!(stopped.status.code(), Some(6), "{}", told(&stopped));
    let why = told(&stopped);
    assert!(why.contains("the judge openai:m may not judge") && why.contains("[calibration]"), "{why}");
    assert!(!site.at("out").exists() && site.decisions("cache").is_empty(), "nothing is decided");
    let paid = || site.text("cache/calls.journal").lines().count() as u64;
    let trial = paid();
    assert_eq!(trial, trials + 3, "the trials, and what the server is asked to learn what it can do");
    let out = site.at("built").display().to_string();
    let build = site.run("build", "cache", &["--out", &out]);
    assert_eq!((build.status.code(), paid()), (Some(6), trial), "{}", told(&build));
}

#[test]
fn another_rubric_makes_it_another_run_and_offline_no_decision_is_written() {
    let server = Provider::start(heeding_shipped(), Faults::none());
    let site = Site::new(&server.base(), "");
    let one = site.optimize("one", "cache", &[]);
    assert_eq!(one.status.code(), Some(0), "{}", told(&one));
    fs::create_dir(site.at("calls-only")).expect("a folder");
    fs::copy(site.at("cache/calls.journal"), site.at("calls-only/calls.journal")).expect("copied");
    let replayed = site.optimize("replayed", "calls-only", &["--offline"]);
    assert_eq!(replayed.status.code(), Some(0), "{}", told(&replayed));
    same(&site.at("one"), &site.at("replayed"), "from the calls alone");
    assert!(site.decisions("calls-only").is_empty(), "others may be writing them");

    let shipped = Rubrics::shipped();
    let rubric = shipped.file("judge.toml").expect("shipped").replacen("weight = 4", "weight = 1", 1);
    assert_ne!(rubric, shipped.file("judge.toml").expect("shipped"));
    fs::create_dir(site.at("rubrics")).expect("a folder");
    fs::write(site.at("rubrics/judge.toml"), rubric).expect("written");
    let other = site.optimize("other", "cache", &[]);
    assert_eq!(other.status.code(), Some(0), "{}", told(&other));
    assert_eq!(site.decisions("cache").len(), 2);
    let out_of = |name: &str| serde_json::from_str::<Value>(&site.text(name)).expect("JSON")["out_of"].clone();
    assert_ne!(out_of("one/lineage.json"), out_of("other/lineage.json"));
}

#[test]
fn where_the_result_has_no_place_nothing_is_paid_for() {
    let server = Provider::start(heeding_shipped(), Faults::none());
    let site = Site::new(&server.base(), "");
    let done = site.optimize("improved", "cache", &[]);
    assert_eq!(done.status.code(), Some(0), "{}", told(&done));
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    let bytes = fs::read(site.at("improved/prompts.json")).expect("written");
    site.add(&format!("[prompts]\nfile = \"improved/prompts.json\"\nsha256 = \"{}\"\n", field(&said, "sha256")));
    server.forget();
    let named = site.optimize("improved", "cache", &[]);
    assert_eq!((named.status.code(), server.asked().len()), (Some(3), 0), "{}", told(&named));
    assert!(told(&named).contains("give another --out"), "{}", told(&named));
    assert_eq!(fs::read(site.at("improved/prompts.json")).expect("it is there"), bytes);
    fs::write(site.at("in-the-way"), "a file").expect("written");
    let nowhere = site.optimize("in-the-way/improved", "cache", &[]);
    assert_eq!((nowhere.status.code(), server.asked().len()), (Some(3), 0), "{}", told(&nowhere));
    assert!(told(&nowhere).contains("nothing can be written into"), "{}", told(&nowhere));
}

#[test]
fn an_optimization_that_is_killed_goes_on_to_the_same_bytes() {
    let server = Provider::start(heeding_shipped(), Faults::none());
    let base = server.base();
    let site = Site::new(&base, &format!("[judge]\n{}", model(&base)));
    let whole = site.optimize("whole", "whole-cache", &[]);
    assert_eq!(whole.status.code(), Some(0), "{}", told(&whole));
    let calls = server.paid();
    assert!(calls > 100, "{calls} calls");
    server.takes(Duration::from_millis(5));
    let kills: usize = std::env::var("LEGAL_LINK_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(3);
    let mut again = 0;
    for kill in 0..kills {
        server.forget();
        let (out, cache) = (format!("out-{kill}"), format!("cache-{kill}"));
        let to = site.at(&out).display().to_string();
        let mut command = site.command("optimize", &cache, &["--out", &to]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
        let at = 1 + kill * (calls - 1) / kills;
        while server.asked().len() < at && child.try_wait().expect("it is ours").is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        let _ = child.kill();
        child.wait().expect("it ends");
        let resumed = site.optimize(&out, &cache, &[]);
        assert_eq!(resumed.status.code(), Some(0), "killed at call {at}: {}", told(&resumed));
        same(&site.at("whole"), &site.at(&out), &format!("killed at call {at}"));
        assert!(site.decisions("whole-cache") == site.decisions(&cache), "killed at call {at}: other decisions");
        let paid = server.paid();
        assert!(paid <= calls + IN_FLIGHT, "killed at call {at}: {paid} paid, {calls} undisturbed");
        again += paid - calls;
    }
    assert_eq!(site.decisions("whole-cache").len(), 1);
    server.forget();
    let replayed = site.optimize("replayed", "whole-cache", &["--offline"]);
    assert_eq!((replayed.status.code(), server.asked().len()), (Some(0), 0), "{}", told(&replayed));
    same(&site.at("whole"), &site.at("replayed"), "replayed without a network");
    eprintln!("{kills} optimizations killed: {again} calls paid twice in all, {IN_FLIGHT} in flight each");
}
