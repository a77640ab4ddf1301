//! Field cases: faults that users of such tools met, each a small input with the right answer.
//!
//! Cases come from `../shared/cases/field-cases.jsonl` and from every `*.jsonl` in the folder that
//! `LEGAL_LINK_CASES` names. An arm hands the input to the real code and maps names; it holds no rule of its own.

mod clauses;
mod compare;
mod dataset;
mod dates;
mod edges;
mod gates;
mod http;
mod identifiers;
mod lists;
mod llm;
mod relations;
mod text;
mod versions;

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

type Arm = fn(&str, &Value) -> Option<Value>;

/// One module per group.
const GROUPS: [(&str, Arm); 8] = [
    ("identifiers", identifiers::answer),
    ("dates", dates::answer),
    ("relations", relations::answer),
    ("http", http::answer),
    ("text", text::answer),
    ("versions", versions::answer),
    ("llm", llm::answer),
    ("dataset", dataset::answer),
];

struct Case {
    id: String,
    group: String,
    kind: String,
    input: Value,
    expected: Value,
}

/// The files with cases: our own, the shared one, and a folder of the caller's.
fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let shared = root.join("../shared/cases/field-cases.jsonl");
    let mut files =
        vec![root.join("tests/fixtures/cases/provisions.jsonl"), root.join("tests/fixtures/cases/moved-dates.jsonl")];
    if shared.is_file() {
        files.push(shared);
    } else {
        eprintln!("SKIPPED field cases: no ../shared/cases/field-cases.jsonl");
    }
    if let Some(folder) = std::env::var_os("LEGAL_LINK_CASES") {
        let entries = std::fs::read_dir(&folder).expect("LEGAL_LINK_CASES names a folder that can be read");
        let mut more: Vec<PathBuf> = entries
            .filter_map(|entry| entry.ok().map(|e| e.path()))
            .filter(|path| path.extension().is_some_and(|e| e == "jsonl"))
            .collect();
        more.sort();
        files.extend(more);
    }
    files
}

fn cases(path: &Path) -> Vec<Case> {
    let text = std::fs::read_to_string(path).expect("a file with cases can be read");
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(number, line)| case(line).unwrap_or_else(|| panic!("{}:{}: no case", path.display(), number + 1)))
        .collect()
}

fn case(line: &str) -> Option<Case> {
    let value: Value = serde_json::from_str(line).ok()?;
    Some(Case {
        id: value["id"].as_str()?.to_string(),
        group: value["group"].as_str()?.to_string(),
        kind: value["input"]["kind"].as_str()?.to_string(),
        input: value["input"].clone(),
        expected: value["expected"].clone(),
    })
}

#[derive(Default)]
struct Tally {
    passed: usize,
    failed: usize,
    disputed: usize,
    waiting: BTreeMap<String, usize>,
}

/// Asks one case; what went wrong, if something did.
fn ask(case: &Case, tally: &mut Tally) -> Option<String> {
    let Case { id, group, kind, input, expected } = case;
    let Some((_, arm)) = GROUPS.iter().find(|(name, _)| name == group) else {
        return Some(format!("{id}: no group `{group}`"));
    };
    let waits = lists::WAITING.iter().any(|(k, _)| k == kind);
    let Ok(answer) = catch_unwind(|| arm(kind, input)) else {
        tally.failed += 1;
        return Some(format!("{id} {kind}: its arm panicked\n    input    {input}"));
    };
    let given = match (answer, waits) {
        (Some(given), false) => given,
        (Some(_), true) => return Some(format!("{id}: `{kind}` has an arm, take it off the waiting list")),
        (None, true) => {
            *tally.waiting.entry(kind.clone()).or_default() += 1;
            return None;
        }
        (None, false) => return Some(format!("{id}: no arm for `{kind}`, and it is not on the waiting list")),
    };
    let same = compare::same(kind, expected, &given);
    if lists::DISPUTED.iter().any(|(disputed, _)| disputed == id) {
        tally.disputed += 1;
        return same.then(|| format!("{id} is disputed and passes: take it off the list"));
    }
    if same {
        tally.passed += 1;
        return None;
    }
    tally.failed += 1;
    Some(format!("{id} {kind}\n    input    {input}\n    expected {expected}\n    given    {given}"))
}

#[test]
fn field_cases() {
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    let mut wrong = Vec::new();
    for case in files().iter().flat_map(|file| cases(file)) {
        wrong.extend(ask(&case, tallies.entry(case.group.clone()).or_default()));
    }
    for (group, tally) in &tallies {
        let waiting: usize = tally.waiting.values().sum();
        eprintln!(
            "{group:12} passed {:3}  failed {:3}  disputed {:2}  waiting {waiting:3} {}",
            tally.passed,
            tally.failed,
            tally.disputed,
            tally.waiting.keys().cloned().collect::<Vec<_>>().join(" "),
        );
    }
    assert!(wrong.is_empty(), "{} field cases fail:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn lists_name_each_kind_and_case_once() {
    let waiting: BTreeSet<_> = lists::WAITING.iter().map(|(kind, _)| kind).collect();
    assert_eq!(waiting.len(), lists::WAITING.len());
    assert!(lists::WAITING.iter().chain(lists::DISPUTED).all(|(_, why)| !why.is_empty()));
}
