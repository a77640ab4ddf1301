//! A stranger's first commands: a manifest to begin with, and what the doctor says.

#![allow(clippy::unwrap_used)]

use crate::program::{run, told};
use serde_json::Value;
use std::fs;

#[test]
fn the_manifest_to_begin_with_builds_at_once_and_is_never_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("mine");
    let dir = at.to_string_lossy();
    let written = run(&["init", &dir], folder.path());
    assert!(written.status.success(), "{}", told(&written));
    let manifest = at.join("dataset.toml");
    let out = at.join("out");
    let built = run(&["build", &manifest.to_string_lossy(), "--out", &out.to_string_lossy()], folder.path());
    assert!(built.status.success(), "{}", told(&built));
    assert!(fs::read_to_string(out.join("items.jsonl")).unwrap().lines().count() >= 21);
    fs::write(&manifest, "name = \"mine\"\n").unwrap();
    let again = run(&["init", &dir], folder.path());
    assert_eq!(again.status.code(), Some(3), "{}", told(&again));
    assert_eq!(fs::read_to_string(&manifest).unwrap(), "name = \"mine\"\n");
}

#[test]
fn only_cellar_is_crawled_and_the_manifest_is_told_so() {
    let folder = tempfile::tempdir().unwrap();
    run(&["init", &folder.path().to_string_lossy()], folder.path());
    let manifest = folder.path().join("dataset.toml");
    for more in [&[][..], &["--plan", "--offline"]] {
        let asked = run(&[&["crawl", &*manifest.to_string_lossy()], more].concat(), folder.path());
        assert_eq!(asked.status.code(), Some(3), "{}", told(&asked));
        assert!(told(&asked).contains("\"shipped\", and nothing but CELLAR"), "{}", told(&asked));
        assert!(told(&asked).contains("source = \"cellar\"\n[crawl]\ncontact = "), "{}", told(&asked));
    }
}

fn checks(args: &[&str], cache: &std::path::Path) -> (Option<i32>, Value, String) {
    let output = run(&[&["doctor", "--json"], args].concat(), cache);
    let text = told(&output);
    (output.status.code(), serde_json::from_slice(&output.stdout).unwrap(), text)
}

fn says(told: &Value, what: &str) -> String {
    let all = told["checks"].as_array().unwrap().iter().filter(|c| c["what"] == what);
    let said = all.map(|c| format!("{}: {}", c["state"].as_str().unwrap(), c["says"].as_str().unwrap()));
    said.collect::<Vec<_>>().join("\n")
}

#[test]
fn the_doctor_finds_nothing_on_a_fresh_machine_and_names_what_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let (code, fresh, text) = checks(&[], folder.path());
    assert_eq!((code, &fresh["findings"]), (Some(0), &Value::from(0)), "{text}");
    assert!(says(&fresh, "cache").contains("0 documents"), "{text}");

    let manifest = folder.path().join("dataset.toml");
    let text =
        "name = \"x\"\nsource = \"cellar\"\n[judge]\nmodel = \"openai:m\"\nkey_env = \"LEGAL_LINK_NO_SUCH_KEY\"\n";
    fs::write(&manifest, text).unwrap();
    let (code, told, text) = checks(&[&manifest.to_string_lossy()], folder.path());
    assert_eq!(code, Some(6), "{text}");
    assert!(says(&told, "source").contains("needs `contact`"), "{text}");
    assert!(says(&told, "key").contains("finding: LEGAL_LINK_NO_SUCH_KEY is not set"), "{text}");

    fs::write(&manifest, "name = \"x\"\nsource = \"folder:nowhere\"\n").unwrap();
    fs::create_dir_all(folder.path().join("rubrics")).unwrap();
    fs::write(folder.path().join("rubrics/relations.toml"), "[[relation]]\nname = 1\n").unwrap();
    let (code, told, text) = checks(&[&manifest.to_string_lossy()], folder.path());
    assert_eq!((code, &told["findings"]), (Some(6), &Value::from(2)), "{text}");
    assert!(says(&told, "rubrics").contains("relations.toml:2"), "{text}");
}

#[test]
fn the_doctor_shows_that_a_key_is_there_and_never_the_key() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = crate::program::legal_link(&["doctor"], folder.path());
    let output = command.env("OPENAI_API_KEY", "sk-very-secret").output().unwrap();
    let text = told(&output);
    assert!(text.contains("OPENAI_API_KEY is set") && !text.contains("secret"), "{text}");
}

#[test]
fn the_doctor_sees_a_damaged_cache_and_who_holds_it() {
    use legal_link::cache::{About, Cache, Shipped};
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("kept");
    let cache = Cache::open(&at, Shipped::default()).unwrap();
    cache.put(&"other/a".parse().unwrap(), b"words", About::default()).unwrap();
    let dir = at.to_string_lossy().into_owned();
    let (code, told, text) = checks(&["--cache", &dir], folder.path());
    assert_eq!(code, Some(0), "{text}");
    assert!(says(&told, "cache").contains("note: another process holds it"), "{text}");
    let digest = cache.entry(&"other/a".parse().unwrap()).unwrap().unwrap().digest.to_string();
    drop(cache);
    let shards = fs::read_dir(at.join("v1/blobs")).unwrap().map(|shard| shard.unwrap().path());
    let blobs: Vec<_> = shards.flat_map(|shard| fs::read_dir(shard).unwrap().map(|b| b.unwrap().path())).collect();
    assert_eq!(blobs.len(), 1, "{digest}");
    fs::write(&blobs[0], "not a blob").unwrap();
    let (code, told, text) = checks(&["--cache", &dir], folder.path());
    assert_eq!(code, Some(6), "{text}");
    assert!(says(&told, "cache").contains("1 damaged"), "{text}");
}
