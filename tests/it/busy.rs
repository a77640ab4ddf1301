//! Runs beside each other: what one of them writes the other leaves alone, says so, and goes on when it is free.

#![allow(clippy::unwrap_used)]

use crate::model_builds::{Site, good_author, same};
use crate::program::{files, legal_link, told};
use crate::provider::{Faults, Provider};
use std::process::{Child, Output};
use std::time::Duration;

/// A build that waits for the answers to its first calls.
fn waiting(server: &Provider, site: &Site) -> Child {
    server.hold("/chat/completions", 3);
    let mut child = site.spawn("out", "cache");
    while server.held() == 0 {
        assert!(child.try_wait().unwrap().is_none(), "it waits");
        std::thread::sleep(Duration::from_millis(2));
    }
    child
}

fn refused(output: &Output, words: [&str; 3]) {
    assert_eq!(output.status.code(), Some(5), "{}", told(output));
    assert!(words.iter().all(|word| told(output).contains(word)), "{}", told(output));
}

#[test]
fn a_folder_that_a_build_writes_into_takes_no_other_and_is_free_when_that_is_killed() {
    let server = Provider::start(good_author(), Faults::none());
    let site = Site::new("openai", &server.base(), "");
    let out = site.at("out").display().to_string();
    let quickstart = || {
        let args = ["build", "examples/quickstart/dataset.toml", "--out", &out];
        legal_link(&args, site.folder.path()).output().unwrap()
    };
    let mut first = waiting(&server, &site);
    let calibrate = ["judge", "calibrate", "examples/quickstart/dataset.toml", "--items", "1", "--out", &out];
    refused(
        &legal_link(&calibrate, site.folder.path()).output().unwrap(),
        ["another run is writing into", &out, "`--out`"],
    );
    refused(&quickstart(), ["another run is writing into", &out, "`--out`"]);
    refused(&site.run("out", "other-cache", &[]), ["another run is writing into", &out, "`--out`"]);
    server.let_go();
    first.wait().unwrap();
    site.build("whole", "whole-cache", &[]);
    same(&site.at("whole"), &site.at("out"), "the first had the folder for itself");

    std::fs::remove_dir_all(site.at("out")).unwrap();
    std::fs::remove_dir_all(site.at("cache")).unwrap();
    let mut first = waiting(&server, &site);
    first.kill().unwrap();
    first.wait().unwrap();
    server.let_go();
    assert!(quickstart().status.success(), "what was killed holds nothing");
    let lock = std::fs::read_to_string(site.at("out/dataset.lock")).unwrap();
    for (path, _) in files(&site.at("out")) {
        let path = path.display().to_string();
        assert!(path == "dataset.lock" || lock.contains(&format!("\"{path}\"")), "{path} is not of the dataset");
    }
}

#[test]
fn a_journal_that_a_run_writes_takes_no_other_and_the_same_command_goes_on() {
    let server = Provider::start(good_author(), Faults::none());
    let site = Site::new("openai", &server.base(), "");
    let (manifest, cache) = (site.at("dataset.toml").display().to_string(), site.at("cache").display().to_string());
    let words = ["writes the journal of calls in", &cache, "`--cache`"];
    let mut first = waiting(&server, &site);
    refused(&site.run("other", "cache", &[]), words);
    assert!(!site.at("other").exists(), "nothing is written");
    let calibrate = ["judge", "calibrate", &manifest, "--items", "1", "--cache", &cache].map(str::to_string);
    refused(&site.command(&calibrate).output().unwrap(), words);
    server.let_go();
    first.wait().unwrap();
    site.build("other", "cache", &[]);
    same(&site.at("out"), &site.at("other"), "the same command, when the journal was free");
}
