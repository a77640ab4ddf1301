//! The words scripts rely on: what goes to stdout, and exit codes, where something is missing, wrong or in the way.

use crate::program::{root, run, told};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Output;

fn exit(output: &Output, code: i32) {
    assert_eq!(output.status.code(), Some(code), "{}", told(output));
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {}", told(output)))
}

/// The specimens, to be changed.
fn copied(to: &Path) {
    let from = root().join("examples/specimens");
    for (path, bytes) in crate::program::files(&from) {
        let path = to.join(path);
        fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("a folder");
        fs::write(path, bytes).expect("a file");
    }
}

fn build(folder: &Path, manifest: &str, out: &Path) -> Output {
    let path = folder.join("dataset.toml");
    fs::write(&path, manifest).expect("a manifest");
    run(&["build", &path.to_string_lossy(), "--out", &out.to_string_lossy(), "--json"], folder)
}

#[test]
fn what_is_empty_prints_nothing_and_a_folder_without_a_cache_is_no_source() {
    let folder = tempfile::tempdir().unwrap();
    let cited = run(&["cite", "no act at all"], folder.path());
    exit(&cited, 0);
    assert!(cited.stdout.is_empty(), "{}", told(&cited));
    exit(&run(&["graph", "--source", &format!("cache:{}", folder.path().display())], folder.path()), 3);
}

#[test]
fn a_part_that_the_text_does_not_have_is_unknown_where_the_act_is_in_force() {
    let folder = tempfile::tempdir().unwrap();
    let status = |act: &str| json(&run(&["status", act, "--on", "1976-07-01", "--json"], folder.path()));
    assert_eq!(status("31974R9001#5")["in_force"], "yes");
    let absent = status("31974R9001#99");
    assert_eq!((&absent["in_force"], &absent["applicable"]), (&"unknown".into(), &"unknown".into()), "{absent:#}");
    assert!(absent["because"][0]["says"].as_str().unwrap().contains("no Article 99"), "{absent:#}");
}

#[test]
fn an_output_folder_that_is_a_file_is_refused_before_the_work() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "mine").unwrap();
    let built = build(folder.path(), "name = \"x\"\n[quotas]\nrepeals = 1\n", &file.join("deep"));
    exit(&built, 3);
    assert!(told(&built).contains("is a file"), "{}", told(&built));
    assert_eq!(fs::read(&file).unwrap(), b"mine");
}

#[test]
fn a_model_at_no_address_is_a_wrong_manifest() {
    let folder = tempfile::tempdir().unwrap();
    let manifest = "name = \"x\"\n[author]\nmodel = \"local:m\"\nbase_url = \"file:///etc/hostname\"\n";
    let built = build(folder.path(), manifest, &folder.path().join("out"));
    exit(&built, 3);
    assert!(told(&built).contains("no http(s) address") && !folder.path().join("out").exists(), "{}", told(&built));
}

#[test]
fn a_document_that_cannot_be_read_makes_a_build_short_each_time_it_is_run() {
    let folder = tempfile::tempdir().unwrap();
    copied(&folder.path().join("acts"));
    fs::write(folder.path().join("acts/acts/31971R9020.txt_te.html"), "damaged").unwrap();
    let manifest = "name = \"x\"\nsource = \"folder:acts\"\n[quotas]\nrepeals = 1\n";
    let out = folder.path().join("out");
    for end in ["short", "nothing to do"] {
        let built = build(folder.path(), manifest, &out);
        exit(&built, 4);
        let told = json(&built);
        assert_eq!(told["short"].as_array().map(Vec::len), Some(1), "{end}: {told:#}");
        assert!(told["short"][0].as_str().unwrap().contains("31971R9020"), "{end}: {told:#}");
    }
}

#[test]
fn another_list_of_pairs_makes_another_build() {
    let folder = tempfile::tempdir().unwrap();
    let list = |pair: &str| {
        let text = format!("source_celex,relation,target_celex\n{pair}\n");
        fs::write(folder.path().join("pairs.csv"), text).unwrap();
    };
    let manifest = "name = \"x\"\n[scope]\npairs = \"pairs.csv\"\n[quotas]\nrepeals = 1\n";
    let out = folder.path().join("out");
    let mut rows = Vec::new();
    for pair in ["31983R9010,repeals,31974R9001", "31994R9110,repeals,31986R9101"] {
        list(pair);
        exit(&build(folder.path(), manifest, &out), 0);
        rows.push(fs::read_to_string(out.join("items.jsonl")).unwrap());
    }
    assert!(rows[0].contains("31983R9010") && rows[1].contains("31994R9110"));
}

#[test]
fn edges_are_listed_with_the_words_they_stand_on() {
    let folder = tempfile::tempdir().unwrap();
    let source = format!("folder:{}", root().join("examples/specimens").display());
    let list =
        |args: &[&str]| json(&run(&[&["graph", "edges", "--json", "--source", &source], args].concat(), folder.path()));
    let listed = list(&["--relation", "repeals", "--by", "31983R9010"]);
    let edge = &listed[0];
    assert_eq!((&edge["target"], &edge["touches"][0]["start"]), (&"31974R9001".into(), &"1984-07-01".into()));
    let words = edge["evidence"].as_array().unwrap().iter().find(|e| e["kind"] == "text").unwrap();
    let at = &words["stands"][0];
    let bytes = fs::read(root().join("examples/specimens").join(at["address"].as_str().unwrap())).unwrap();
    let end = |name: &str| usize::try_from(at["span"][name].as_u64().unwrap()).unwrap();
    let span = String::from_utf8_lossy(&bytes[end("start")..end("end")]);
    assert!(span.contains("1 July 1984") && at["text"].as_str().unwrap().contains("1 July 1984"), "{span}");

    let only = list(&["--only", "text"]);
    let kinds = only.as_array().unwrap().iter().flat_map(|e| e["evidence"].as_array().unwrap());
    assert!(!only.as_array().unwrap().is_empty() && kinds.into_iter().all(|e| e["kind"] == "text"), "{only:#}");
    let drawn = list(&["--evidence", "text", "--sample", "5", "--seed", "a"]);
    assert_eq!(drawn.as_array().unwrap().len(), 5);
    assert_eq!(drawn, list(&["--evidence", "text", "--sample", "5", "--seed", "a"]));
    exit(&run(&["graph", "edges", "--relation", "unheard_of"], folder.path()), 3);
}

#[test]
fn a_stored_graph_is_asked_as_its_source_is() {
    let folder = tempfile::tempdir().unwrap();
    let source = format!("folder:{}", root().join("examples/specimens").display());
    let path = folder.path().join("graph");
    let file = path.to_str().unwrap();
    let stored = json(&run(&["graph", "store", "--out", file, "--json", "--source", &source], folder.path()));
    assert_eq!(stored["bytes"].as_u64(), Some(fs::metadata(&path).unwrap().len()));
    let both = |args: &[&str]| {
        let [from_file, from_source] = [["--graph", file], ["--source", &source]]
            .map(|held| json(&run(&[args, &["--json"], &held].concat(), folder.path())));
        assert_eq!(from_file, from_source, "{args:?}");
        from_file
    };
    let status = both(&["status", "31974R9001", "--on", "1984-07-01"]);
    assert_eq!((&status["in_force"], &status["because"][0]["quote"].is_null()), (&"no".into(), &false));
    assert_eq!(both(&["status", "31974R9001#5", "--on", "1984-07-01"])["in_force"], "yes");
    both(&["graph"]);
    let counted = both(&["graph", "on", "1984-07-01"]);
    let listed = both(&["graph", "on", "1984-07-01", "--list"]);
    let listed = listed.as_array().unwrap();
    let yes = listed.iter().filter(|line| line["in_force"] == "yes").count();
    assert_eq!(
        (counted["acts"].as_u64(), counted["in_force"]["yes"].as_u64()),
        (Some(listed.len() as u64), Some(yes as u64))
    );

    exit(&run(&["graph", "edges", "--graph", file], folder.path()), 3);
    exit(&run(&["graph", "on", "1984-07-01", "--known-on", "1984-07-01", "--graph", file], folder.path()), 3);
    let mut bytes = fs::read(&path).unwrap();
    let at = bytes.len() - 100;
    bytes[at] ^= 1;
    fs::write(&path, bytes).unwrap();
    let damaged = run(&["graph", "--graph", file], folder.path());
    exit(&damaged, 3);
    assert!(told(&damaged).contains("damaged"), "{}", told(&damaged));
    let foreign = root().join("Cargo.toml");
    exit(&run(&["graph", "--graph", &foreign.to_string_lossy()], folder.path()), 3);
}
