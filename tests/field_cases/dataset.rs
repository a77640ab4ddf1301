//! Arms of the `dataset` cases: each a call into a room and a mapping of names.

use legal_link::cache::{Flavour, Journal, Resumption};
use legal_link::dataset::{
    Balance, BlankOption, LETTERS, ShuffleFault, accuracy, also_right, check_blank, check_shuffle, fact_asked,
    index_base, option_order, sameness, unaccounted,
};
use legal_link::law::Registry;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The answer of the code to one case; `None` where the kind has no arm yet.
pub fn answer(kind: &str, input: &Value) -> Option<Value> {
    Some(match kind {
        "shuffle_check" => shuffle_check(input),
        "shuffle_repeat" => shuffle_repeat(input),
        "position_balance" => position_balance(input),
        "gold_blank" => gold_blank(input),
        "two_right" => two_right(input),
        "fact_key" => fact_key(input),
        "index_base" => index(input),
        "totals" => totals(input),
        "score" => json!({"accuracy": accuracy(number(&input["n"]), number(&input["right"]))}),
        "duplicate_items" => duplicates(input),
        "jsonl_tail" => tail(input),
        "resume" => resume(input),
        _ => return crate::gates::answer(kind, input),
    })
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

fn number(value: &Value) -> u64 {
    value.as_u64().expect("a count")
}

fn place(value: &Value) -> usize {
    usize::try_from(number(value)).expect("a position")
}

fn shuffle_check(input: &Value) -> Value {
    let before = texts(&input["before"]);
    let after = texts(&input["after"]);
    let fault = check_shuffle((&before, place(&input["key_before"])), (&after, place(&input["key_after"]))).err();
    let reason = fault.map(|f| match f {
        ShuffleFault::NotAPermutation => "not_a_permutation",
        ShuffleFault::KeyPointsToOtherText => "key_points_to_other_text",
    });
    json!({"ok": reason.is_none(), "reason": reason})
}

fn shuffle_repeat(input: &Value) -> Value {
    let item = input["item_id"].as_str().expect("an id");
    let runs: Vec<[u8; 4]> =
        (0..number(&input["runs"])).map(|_| option_order(item, number(&input["seed"]), 0)).collect();
    let numbers: BTreeSet<u8> = runs[0].into_iter().collect();
    let whole = numbers.into_iter().map(usize::from).eq(0..texts(&input["options"]).len());
    json!({"all_equal": runs.windows(2).all(|w| w[0] == w[1]), "is_permutation": whole})
}

fn position_balance(input: &Value) -> Value {
    let counts = LETTERS.map(|letter| place(&input["counts"][letter]));
    let balance = Balance { counts };
    let (position, share) = balance.greatest();
    json!({"balanced": balance.even_as_chance(), "max_share": share, "max_letter": LETTERS[position]})
}

fn gold_blank(input: &Value) -> Value {
    let fault = check_blank(&texts(&input["options"]), place(&input["answer_index"])).err();
    let reason = fault.map(|f| match f {
        BlankOption::Empty => "empty_option",
        BlankOption::Key => "key_points_to_empty_option",
    });
    json!({"keep": reason.is_none(), "reason": reason})
}

fn two_right(input: &Value) -> Value {
    let is_true = texts(&input["graph_targets"]).into_iter().collect();
    let right = also_right(&texts(&input["options"]), place(&input["answer_index"]), &is_true);
    json!({"keep": right.is_empty(), "also_right": right})
}

fn fact_key(input: &Value) -> Value {
    let registry = Registry::parse([("relations.toml", include_str!("../../rubrics/relations.toml"))]);
    let registry = registry.expect("the registry reads");
    let text = |q: &Value, field: &str| q[field].as_str().unwrap_or_default().to_string();
    let facts = input["questions"].as_array().into_iter().flatten().map(|q| {
        fact_asked(&text(q, "asks"), &text(q, "of"), &text(q, "answer"), &registry).expect("a relation of the registry")
    });
    let facts: BTreeSet<_> = facts.collect();
    json!({"same_fact": facts.len() == 1})
}

fn index(input: &Value) -> Value {
    let answer = input["answer_text"].as_str().unwrap_or_default();
    let found = index_base(&texts(&input["options"]), answer, place(&input["answer_index"]));
    json!({"base": found.map(|f| f.0), "zero_based": found.map(|f| f.1)})
}

fn totals(input: &Value) -> Value {
    let splits = input["splits"].as_object().into_iter().flatten().map(|(name, count)| (name.as_str(), number(count)));
    let missing = unaccounted(splits, number(&input["dropped"]), number(&input["written"]));
    json!({"ok": missing == 0, "unaccounted": missing})
}

fn duplicates(input: &Value) -> Value {
    let mut seen = BTreeSet::new();
    let (mut kept, mut dropped) = (Vec::new(), Vec::new());
    for item in input["items"].as_array().into_iter().flatten() {
        let new = seen.insert(sameness(item["stem"].as_str().unwrap_or_default(), &texts(&item["options"])));
        if new { &mut kept } else { &mut dropped }.push(item["id"].clone());
    }
    json!({"kept": kept, "dropped": dropped})
}

/// Opens the lines as a file, which heals them, appends a record and looks where it begins.
fn tail(input: &Value) -> Value {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("items.jsonl");
    let lines: String = texts(&input["lines"]).concat();
    std::fs::write(&path, &lines).expect("written");
    let (journal, found) = Journal::open(&path, Flavour::Json).expect("opened");
    let healed = std::fs::read(&path).expect("read").len();
    journal.append(r#"{"id":"next"}"#).expect("appended");
    let after = std::fs::read(&path).expect("read");
    let id = |record: &String| serde_json::from_str::<Value>(record).expect("an object")["id"].clone();
    json!({
        "good": found.records.iter().map(id).collect::<Vec<_>>(),
        "torn_tail": found.torn.is_some(),
        "bad_lines": found.bad.iter().map(|bad| bad.line).collect::<Vec<_>>(),
        "next_write_starts_on_new_line": healed == 0 || after[healed - 1] == b'\n',
    })
}

fn resume(input: &Value) -> Value {
    let (wanted, done) = (texts(&input["wanted"]), texts(&input["done"]));
    let resumption = Resumption::of(&wanted, &done);
    json!({"todo": resumption.todo, "unknown_done": resumption.unknown_done})
}
