//! A stage's output may change only with its version: what the quickstart's stages gave is recorded in
//! `tests/golden/stages.tsv`. `UPDATE_GOLDEN=1` records anew.

use crate::program::{root, run, told};
use legal_link::dataset::Lock;
use std::collections::BTreeMap;

/// Stage name to version, input and output.
type Stages = BTreeMap<String, (u32, String, String)>;

#[test]
fn a_stage_whose_output_changes_has_a_new_version() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let manifest = "examples/quickstart/dataset.toml";
    let built = run(&["build", manifest, "--out", &out.to_string_lossy()], folder.path());
    assert!(built.status.success(), "{}", told(&built));
    let lock = Lock::parse(&std::fs::read_to_string(out.join("dataset.lock")).unwrap()).unwrap();
    let found: Stages =
        lock.stages.iter().map(|s| (s.name.clone(), (s.version, s.input.short(16), s.output.short(16)))).collect();
    let path = root().join("tests/golden/stages.tsv");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        let lines =
            found.iter().map(|(name, (version, input, output))| format!("{name}\t{version}\t{input}\t{output}\n"));
        std::fs::write(&path, lines.collect::<String>()).unwrap();
        return;
    }
    let recorded: Stages = std::fs::read_to_string(&path)
        .unwrap()
        .lines()
        .filter_map(|line| {
            let mut cells = line.split('\t');
            let name = cells.next()?.to_string();
            Some((name, (cells.next()?.parse().ok()?, cells.next()?.to_string(), cells.next()?.to_string())))
        })
        .collect();
    for (name, (version, input, output)) in &found {
        let (old_version, old_input, old_output) = recorded.get(name).expect(name);
        assert!(
            (version, input) != (old_version, old_input) || output == old_output,
            "the stage `{name}` gives another output for the same input under version {version}: if that is meant, raise \
             its version in src/build/run.rs and record anew with UPDATE_GOLDEN=1"
        );
        assert_eq!(
            (version, input, output),
            (old_version, old_input, old_output),
            "the inputs of `{name}` changed (rubrics, specimens or an earlier stage): record anew with UPDATE_GOLDEN=1"
        );
    }
}
