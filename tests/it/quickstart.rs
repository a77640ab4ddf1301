//! The README's first command: offline, with no key, the same bytes each time, whatever happens in between.

use crate::program::{files, legal_link, root, run, told};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

const MANIFEST: &str = "examples/quickstart/dataset.toml";

fn build(out: &Path, cache: &Path) -> std::process::Output {
    run(&["build", MANIFEST, "--out", &out.to_string_lossy()], cache)
}

#[test]
fn it_makes_items_over_all_seven_relations_and_the_audit_finds_them_sound() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let built = build(&out, folder.path());
    assert!(built.status.success(), "{}", told(&built));
    let rows = std::fs::read_to_string(out.join("items.jsonl")).unwrap();
    let mut per_relation: BTreeMap<String, usize> = BTreeMap::new();
    for row in rows.lines() {
        let row: serde_json::Value = serde_json::from_str(row).unwrap();
        *per_relation.entry(row["relation"].as_str().unwrap().to_string()).or_default() += 1;
    }
    assert_eq!(per_relation.len(), 7, "{per_relation:?}");
    assert!(per_relation.values().all(|n| *n >= 4), "{per_relation:?}");
    assert!(per_relation.values().sum::<usize>() >= 28, "{per_relation:?}");
    let audited = run(&["audit", &out.to_string_lossy()], folder.path());
    assert!(audited.status.success(), "{}", told(&audited));
}

#[test]
fn two_builds_give_the_same_bytes_and_a_second_run_does_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = (folder.path().join("one"), folder.path().join("two"));
    assert!(build(&one, folder.path()).status.success());
    assert!(build(&two, folder.path()).status.success());
    for ((path, a), (_, b)) in files(&one).iter().zip(&files(&two)) {
        // The report and the lock name no folder, so even they are equal.
        assert!(a == b, "{} differs", path.display());
    }
    let again = build(&one, folder.path());
    assert!(again.status.success() && told(&again).contains("Nothing to do"), "{}", told(&again));
}

#[test]
fn a_build_killed_at_any_moment_ends_in_the_same_bytes_when_run_again() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole");
    let began = Instant::now();
    assert!(build(&whole, folder.path()).status.success());
    let undisturbed = began.elapsed();
    let out = folder.path().join("out");
    for n in 0u32..20 {
        let mut child = legal_link(&["build", MANIFEST, "--out", &out.to_string_lossy()], folder.path())
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        // Twenty moments spread over a build, not in order.
        std::thread::sleep(undisturbed.mul_f64(f64::from(n * 7 % 20) / 20.0) + Duration::from_millis(1));
        let _ = child.kill();
        let _ = child.wait();
    }
    assert!(build(&out, folder.path()).status.success());
    let (expected, found) = (files(&whole), files(&out));
    let leftovers = found.iter().filter(|(path, _)| !expected.iter().any(|(p, _)| p == path)).count();
    for (path, bytes) in &expected {
        let same = found.iter().find(|(p, _)| p == path).is_some_and(|(_, b)| b == bytes);
        assert!(same, "{} differs after kills", path.display());
    }
    // What a kill can leave behind are temporary files that were not yet in their place.
    assert!(leftovers <= 20, "{leftovers} files beside the dataset");
}

#[test]
fn a_lock_beside_the_manifest_is_kept_or_the_difference_named() {
    let folder = tempfile::tempdir().unwrap();
    let manifest = folder.path().join("dataset.toml");
    std::fs::copy(root().join(MANIFEST), &manifest).unwrap();
    let out = folder.path().join("out");
    let build =
        |more: &str| run(&["build", &manifest.to_string_lossy(), "--out", &out.to_string_lossy(), more], folder.path());
    assert_eq!(build("--locked").status.code(), Some(7));
    assert!(build("--write-lock").status.success());
    assert!(build("--locked").status.success());
    let text = std::fs::read_to_string(&manifest).unwrap().replace("seed = 7", "seed = 8");
    std::fs::write(&manifest, text).unwrap();
    let changed = build("--locked");
    assert_eq!(changed.status.code(), Some(7), "{}", told(&changed));
    assert!(told(&changed).contains("seed"), "{}", told(&changed));
}

#[test]
fn a_dry_run_says_what_it_would_do_and_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let planned = run(&["build", MANIFEST, "--out", &out.to_string_lossy(), "--dry-run"], folder.path());
    assert!(planned.status.success() && told(&planned).contains("costs nothing"), "{}", told(&planned));
    assert!(!out.exists());
}

#[test]
fn a_wrong_manifest_is_told_with_its_line_and_exit_3() {
    let folder = tempfile::tempdir().unwrap();
    let manifest = folder.path().join("dataset.toml");
    std::fs::write(&manifest, "name = \"x\"\n[quotas]\nrepeels = 3\n").unwrap();
    let out = folder.path().join("out");
    let refused = run(&["build", &manifest.to_string_lossy(), "--out", &out.to_string_lossy()], folder.path());
    assert_eq!(refused.status.code(), Some(3), "{}", told(&refused));
    assert!(told(&refused).contains("repeels"), "{}", told(&refused));
}
