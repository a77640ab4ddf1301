//! Interrupts: the first sends nothing more, waits for what was sent and keeps it; the second ends at once; the same command
//! goes on to the bytes of an undisturbed run. (SIGTERM, not SIGINT: where a shell runs tests in the background that is
//! ignored.)

#![allow(clippy::unwrap_used)]

use crate::model_builds::{IN_FLIGHT, Site, good_author, same};
use crate::optimize::site::{self, heeding_shipped};
use crate::program::told;
use crate::provider::{Faults, Provider};
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::time::Duration;

/// How a command ends that was interrupted.
const INTERRUPTED: Option<i32> = Some(130);
/// Calls of a probe.
const PROBE: usize = 3;

/// A command under way that has so many answers kept back, and what it says.
fn under_way(server: &Provider, mut command: Command, after: usize, held: usize) -> (Child, BufReader<ChildStderr>) {
    server.hold("/chat/completions", after);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    while server.held() < held {
        assert!(child.try_wait().unwrap().is_none(), "it waits");
        std::thread::sleep(Duration::from_millis(2));
    }
    let says = BufReader::new(child.stderr.take().unwrap());
    (child, says)
}

/// Interrupts it, and waits until it says so.
fn interrupt(child: &Child, says: &mut BufReader<ChildStderr>) {
    terminate(child);
    let said = says.by_ref().lines().map(Result::unwrap).find(|line| line.starts_with("interrupted: "));
    let said = said.expect("it says what it does");
    for part in ["nothing more is sent", "is waited for", "the same command goes on", "a second interrupt ends at once"]
    {
        assert!(said.contains(part), "{said}");
    }
}

fn terminate(child: &Child) {
    assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
}

/// Its exit code, and the rest of what it says.
fn ended(mut child: Child, mut says: BufReader<ChildStderr>) -> (Option<i32>, String) {
    let mut rest = String::new();
    says.read_to_string(&mut rest).unwrap();
    (child.wait().unwrap().code(), rest)
}

fn lines(journal: &Path) -> usize {
    fs::read_to_string(journal).unwrap().lines().count()
}

#[test]
fn a_build_that_is_interrupted_keeps_what_it_sent_and_goes_on_to_the_same_bytes() {
    let server = Provider::start(good_author(), Faults::none());
    let site = Site::new("openai", &server.base(), "");
    let code = site.build("whole", "whole-cache", &[]);
    let calls = server.paid();
    server.forget();
    let command = site.command(&site.args("out", "cache", &[]));
    let (child, mut says) = under_way(&server, command, PROBE, IN_FLIGHT);
    interrupt(&child, &mut says);
    server.let_go();
    let (code_now, rest) = ended(child, says);
    assert_eq!(code_now, INTERRUPTED, "{rest}");
    assert!(rest.contains("stopped: interrupted") && rest.contains("the same command goes on"), "{rest}");
    let sent = PROBE + IN_FLIGHT;
    assert_eq!((server.paid(), lines(&site.at("cache/calls.journal"))), (sent, sent), "what was paid for is on record");
    assert_eq!(site.build("out", "cache", &[]), code);
    same(&site.at("whole"), &site.at("out"), "after an interrupt");
    assert_eq!(server.paid(), calls, "nothing is paid twice");
}

#[test]
fn a_second_interrupt_ends_at_once() {
    let server = Provider::start(good_author(), Faults::none());
    let site = Site::new("openai", &server.base(), "");
    let command = site.command(&site.args("out", "cache", &[]));
    let (child, mut says) = under_way(&server, command, PROBE, IN_FLIGHT);
    interrupt(&child, &mut says);
    terminate(&child);
    // The answers are still kept back: it does not wait for them.
    assert_eq!(ended(child, says).0, INTERRUPTED);
    server.let_go();
    let code = site.build("out", "cache", &[]);
    assert_eq!(site.build("whole", "whole-cache", &[]), code);
    same(&site.at("whole"), &site.at("out"), "after two interrupts");
}

#[test]
fn an_interrupted_build_does_not_wait_for_its_batch_and_asks_after_it_again() {
    let server = Provider::start(good_author(), Faults::none());
    let patient = "batch = { quiet = 0.3, poll = 0.02 }\n";
    let whole = Site::new("openai", &server.base(), patient);
    let code = whole.build("out", "cache", &[]);
    let (calls, before) = (server.paid(), server.batches());
    server.forget();
    server.batches_take(usize::MAX);
    let site = Site::new("openai", &server.base(), patient);
    let mut command = site.command(&site.args("out", "cache", &[]));
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut says = BufReader::new(child.stderr.take().unwrap());
    assert!(says.by_ref().lines().any(|line| line.unwrap().contains("done")), "the batch is asked after");
    interrupt(&child, &mut says);
    let (code_now, rest) = ended(child, says);
    assert_eq!(code_now, INTERRUPTED, "{rest}");
    server.batches_end();
    server.batches_take(0);
    assert_eq!(site.build("out", "cache", &[]), code);
    // The manifests name the same server, so that all is the same.
    same(&whole.at("out"), &site.at("out"), "after an interrupt");
    assert_eq!((server.paid(), server.handed_in_again(before)), (calls, 0));
}

#[test]
fn a_calibration_that_is_interrupted_goes_on_to_the_same_figures() {
    let server = Provider::start(good_author(), Faults::none());
    let site = Site::new("openai", &server.base(), "");
    let command = |out: &str, cache: &str| {
        let at = |name: &str| site.at(name).display().to_string();
        let mut args = ["judge", "calibrate", "--items", "2", "--out"].map(str::to_string).to_vec();
        args.extend([at(out), "--cache".to_string(), at(cache), at("dataset.toml")]);
        site.command(&args)
    };
    let whole = command("whole", "whole-cache").output().unwrap();
    assert!(matches!(whole.status.code(), Some(0 | 6)), "{}", told(&whole));
    let calls = server.paid();
    server.forget();
    let (child, mut says) = under_way(&server, command("out", "cache"), PROBE + 4, IN_FLIGHT);
    interrupt(&child, &mut says);
    server.let_go();
    let (code, rest) = ended(child, says);
    assert_eq!(code, INTERRUPTED, "{rest}");
    assert!(rest.contains("interrupted; what was answered is journaled"), "{rest}");
    let resumed = command("out", "cache").output().unwrap();
    assert_eq!(resumed.status.code(), whole.status.code(), "{}", told(&resumed));
    same(&site.at("whole"), &site.at("out"), "after an interrupt");
    assert_eq!((server.paid(), resumed.stdout), (calls, whole.stdout));
}

#[test]
fn an_optimization_that_is_interrupted_goes_on_to_the_same_bytes() {
    let server = Provider::start(heeding_shipped(), Faults::none());
    let site = site::Site::new(&server.base(), "");
    let whole = site.optimize("whole", "whole-cache", &[]);
    assert_eq!(whole.status.code(), Some(0), "{}", told(&whole));
    let calls = server.paid();
    server.forget();
    let out = site.at("out").display().to_string();
    let command = site.command("optimize", "cache", &["--out", &out]);
    let (child, mut says) = under_way(&server, command, PROBE + 20, 1);
    interrupt(&child, &mut says);
    server.let_go();
    let (code, rest) = ended(child, says);
    assert_eq!(code, INTERRUPTED, "{rest}");
    assert!(rest.contains("interrupted; what was answered is journaled"), "{rest}");
    let resumed = site.optimize("out", "cache", &[]);
    assert_eq!(resumed.status.code(), Some(0), "{}", told(&resumed));
    site::same(&site.at("whole"), &site.at("out"), "after an interrupt");
    assert!(site.decisions("whole-cache") == site.decisions("cache"), "other decisions");
    assert_eq!(server.paid(), calls, "nothing is paid twice");
}
