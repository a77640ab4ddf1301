//! A key is in the header of the requests that need it, and nowhere else: in no file that is written, in nothing that is
//! printed, whatever goes wrong, and although servers repeat it.

#![allow(clippy::unwrap_used)]

use crate::model_builds::{Site, good_author};
use crate::program::{files, told};
use crate::provider::{Fault, Faults, Provider};
use std::process::Output;

const VARIABLE: &str = "LEGAL_LINK_TEST_KEY";
const KEY: &str = "sk-sentinel-5ac1f20b97d3";

const FAULTS: [Fault; 7] = [
    Fault::TellsKey,
    Fault::TooLong,
    Fault::BrokenEnvelope,
    Fault::SchemaIgnored,
    Fault::Thoughts,
    Fault::Refusal,
    Fault::NoUsage,
];

/// Runs it with the key in its environment.
fn with_key(site: &Site, args: &[String]) -> Output {
    site.command(args).env(VARIABLE, KEY).output().unwrap()
}

/// The key stands in nothing that was printed and in no file: its folder holds the manifest, the cache, what was built.
fn nowhere(site: &Site, output: &Output, what: &str) {
    let holds = |bytes: &[u8]| memchr::memmem::find(bytes, b"sentinel-5ac1").is_some();
    assert!(!holds(&output.stdout) && !holds(&output.stderr), "{what}: {}", told(output));
    for (path, bytes) in files(site.folder.path()) {
        assert!(!holds(&bytes), "{what}: {} holds the key", path.display());
    }
}

#[test]
fn a_key_is_in_no_file_and_no_output_whatever_the_server_says() {
    let author = good_author();
    for (seed, provider) in
        ["openai", "openai-responses", "anthropic", "gemini", "ollama", "local"].into_iter().enumerate()
    {
        let server = Provider::start(author.clone(), Faults::of(seed as u64, 40, &FAULTS));
        let site = Site::new(provider, &server.base(), &format!("key_env = \"{VARIABLE}\"\n"));
        for (out, more) in [("out", &[][..]), ("told", &["--json"][..])] {
            let built = with_key(&site, &site.args(out, "cache", more));
            assert!(matches!(built.status.code(), Some(0 | 4)), "{provider}: {}", told(&built));
            nowhere(&site, &built, provider);
        }
        let asked = server.asked();
        assert!(asked.iter().any(|asked| asked.fault == Some(Fault::TellsKey)), "{provider}: it was never told again");
        assert!(asked.iter().all(|asked| asked.key.as_ref().is_some_and(|(_, key)| key.ends_with(KEY))), "{provider}");

        // Refused, without money, over the limit: each ends the build.
        for fault in [Fault::WrongKey, Fault::NoMoney, Fault::HasteHours] {
            server.faults(Faults::always(fault));
            let stopped = with_key(&site, &site.args("stopped", "another-cache", &[]));
            assert_eq!(stopped.status.code(), Some(5), "{provider} {fault:?}: {}", told(&stopped));
            assert_eq!(
                fault == Fault::WrongKey,
                told(&stopped).contains("Incorrect API key provided: …"),
                "{}",
                told(&stopped)
            );
            nowhere(&site, &stopped, provider);
        }
    }
}

#[test]
fn a_key_is_in_no_batch_no_calibration_and_no_replay() {
    let server = Provider::start(good_author(), Faults::none());
    let more = format!("key_env = \"{VARIABLE}\"\nbatch = {{ quiet = 0.3, poll = 0.02 }}\n");
    let site = Site::new("openai", &server.base(), &more);
    for more in [&[][..], &["--offline"][..]] {
        let built = with_key(&site, &site.args("out", "cache", more));
        assert!(matches!(built.status.code(), Some(0 | 4)), "{}", told(&built));
        nowhere(&site, &built, "batches");
    }
    let manifest = site.at("dataset.toml").display().to_string();
    for args in [vec!["judge", "calibrate", &manifest, "--items", "1"], vec!["doctor", &manifest]] {
        let args: Vec<String> = args.into_iter().map(str::to_string).collect();
        let told_of = with_key(&site, &args);
        assert!(!told(&told_of).contains("panicked"), "{}", told(&told_of));
        nowhere(&site, &told_of, &args[0]);
    }
    let missing = site.command(&site.args("missing", "missing-cache", &[])).env_remove(VARIABLE).output().unwrap();
    assert!(missing.status.code() == Some(3) && told(&missing).contains(VARIABLE), "{}", told(&missing));
}
