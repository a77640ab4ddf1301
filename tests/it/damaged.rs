//! Journals with a damaged line in the middle: it is told where it is and what it means, and nothing else is lost.

#![allow(clippy::unwrap_used)]

use crate::model_builds::{Site, good_author, same};
use crate::optimize::site::{self, heeding_shipped};
use crate::program::told;
use crate::provider::{Faults, Provider};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Turns one letter of a line (from 1) around.
fn damage(journal: &Path, line: usize) {
    let mut bytes = fs::read(journal).unwrap();
    let begins = bytes.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(at, _)| at).nth(line - 2).unwrap();
    bytes[begins + 60] ^= 1;
    fs::write(journal, bytes).unwrap();
}

#[test]
fn a_call_whose_record_is_damaged_is_told_of_and_paid_for_again_alone() {
    let server = Provider::start(good_author(), Faults::none());
    let site = Site::new("openai", &server.base(), "");
    let code = site.build("whole", "cache", &[]);
    let journal = site.at("cache/calls.journal");
    damage(&journal, 10);
    let before = fs::read_to_string(&journal).unwrap();
    let offline = site.run("offline", "cache", &["--offline"]);
    assert_eq!(offline.status.code(), Some(7), "{}", told(&offline));
    assert!(told(&offline).contains("calls.journal: line 10 ("), "{}", told(&offline));
    server.forget();
    let built = site.run("out", "cache", &[]);
    assert_eq!(built.status.code(), Some(code), "{}", told(&built));
    let said = String::from_utf8_lossy(&built.stderr).into_owned();
    let warned = said.lines().find(|line| line.starts_with("warning: ")).unwrap();
    for part in [&journal.display().to_string(), "line 10 (", "stays as it is", "made and paid for again"] {
        assert!(warned.contains(part), "{warned}");
    }
    assert_eq!(server.paid(), 1);
    assert!(fs::read_to_string(&journal).unwrap().starts_with(&before), "the line stays");
    same(&site.at("whole"), &site.at("out"), "with a damaged line");

    let json = site.run("json", "cache", &["--json"]);
    let result: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(result["warnings"].as_array().unwrap().len(), 1, "{result}");
    assert!(result["warnings"][0].as_str().unwrap().contains("line 10 ("), "{result}");
    assert!(String::from_utf8_lossy(&json.stderr).contains("warning: "), "{}", told(&json));
    assert_eq!(server.paid(), 1, "once");
    let sound = site.run("sound", "sound-cache", &["--json"]);
    let result: Value = serde_json::from_slice(&sound.stdout).unwrap();
    assert!(result.get("warnings").is_none() && !told(&sound).contains("warning"), "{}", told(&sound));
}

#[test]
fn a_damaged_decision_is_told_of_and_cut_out_without_paying_again() {
    let server = Provider::start(heeding_shipped(), Faults::none());
    let site = site::Site::new(&server.base(), "");
    let whole = site.optimize("whole", "cache", &[]);
    assert_eq!(whole.status.code(), Some(0), "{}", told(&whole));
    let (name, bytes) = site.decisions("cache").remove(0);
    let journal = site.at("cache").join(name);
    let last = String::from_utf8_lossy(&bytes).lines().count();
    assert!(last > 3, "{last} decisions");
    server.forget();

    // In the middle: what follows does not fit.
    damage(&journal, 3);
    let refused = site.optimize("out", "cache", &[]);
    assert_eq!(refused.status.code(), Some(3), "{}", told(&refused));
    let why = told(&refused);
    let keep: usize = why.split("keep the first ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    assert!(why.contains(&journal.display().to_string()) && why.contains("line 3 is damaged"), "{why}");
    fs::write(&journal, &bytes[..keep]).unwrap();
    let cut = site.optimize("out", "cache", &[]);
    assert_eq!(cut.status.code(), Some(0), "{}", told(&cut));
    site::same(&site.at("whole"), &site.at("out"), "cut as it was told");
    assert!(fs::read(&journal).unwrap() == bytes, "the same decisions");

    // At the end: the decision is taken again after it.
    damage(&journal, last);
    for out in ["again", "once-more"] {
        let warned = site.optimize(out, "cache", &["--json"]);
        assert_eq!(warned.status.code(), Some(0), "{}", told(&warned));
        assert!(String::from_utf8_lossy(&warned.stderr).contains("taken again"), "{}", told(&warned));
        let text = String::from_utf8_lossy(&warned.stdout).into_owned();
        let ended: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
        let tells = |one: &Value| one.as_str().is_some_and(|one| one.contains(&format!("line {last} (")));
        assert!(ended["warnings"].as_array().unwrap().iter().any(tells), "{}", ended["warnings"]);
        site::same(&site.at("whole"), &site.at(out), "with a damaged line at the end");
    }
    assert_eq!(server.paid(), 0, "nothing is paid for again");
}
