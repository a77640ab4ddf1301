//! `act` and `timeline` on the specimens.

use crate::program::{run, told};
use serde_json::Value;
use std::path::Path;

fn json(args: &[&str], cache: &Path) -> Value {
    let output = run(args, cache);
    assert!(output.status.success(), "{}", told(&output));
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {}", told(&output)))
}

#[test]
fn an_act_is_told_with_its_neighbours_newest_first() {
    let folder = tempfile::tempdir().unwrap();
    let act = json(&["act", "31974R9001", "--on", "1984-07-01", "--json"], folder.path());
    assert_eq!(act["status"]["in_force"], "no", "{act:#}");
    assert!(act["title"].as_str().is_some_and(|t| t.contains("9001/74")), "{act:#}");
    let onto = act["acted_on_by"]["shown"].as_array().expect("a list");
    assert!(onto.iter().any(|n| n["source"] == "31983R9010"), "{act:#}");
    assert_eq!(act["acted_on_by"]["truncated"], false);
    let days: Vec<&str> = onto.iter().filter_map(|n| n["made"].as_str()).collect();
    assert!(days.is_sorted_by(|a, b| a >= b), "{days:?}");
    let cut = json(&["act", "31974R9001", "--limit", "0", "--json"], folder.path());
    assert_eq!(cut["acted_on_by"]["truncated"], true);
    assert_eq!(cut["acted_on_by"]["all"], act["acted_on_by"]["all"]);
    assert!(act["documents"].as_array().is_some_and(|d| !d.is_empty()));
    let plain = run(&["act", "31974R9001"], folder.path());
    let text = String::from_utf8_lossy(&plain.stdout).to_string();
    assert!(text.lines().all(|l| l.chars().count() <= 160), "{text}");
    assert!(text.contains("Acted on by") && text.contains("Stands on"), "{text}");
    assert_eq!(run(&["act", "31901R0001"], folder.path()).status.code(), Some(3));
}

#[test]
fn a_text_is_printed_as_read_whole_or_a_unit_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let whole = json(&["act", "31974R9001", "--text", "--json"], folder.path());
    let unit = json(&["act", "31974R9001", "--text", "--unit", "6", "--json"], folder.path());
    let count = |v: &Value| v["units"].as_array().map_or(0, Vec::len);
    assert!(count(&whole) > count(&unit) && count(&unit) > 0);
    assert_eq!(unit["units"][0]["part"], "6");
    assert_eq!(run(&["act", "31974R9001", "--text", "--unit", "999"], folder.path()).status.code(), Some(3));
}

#[test]
fn a_text_is_printed_with_its_corrigenda_worked_in() {
    let folder = tempfile::tempdir().unwrap();
    let published = json(&["act", "31974R9001", "--text", "--json"], folder.path());
    let corrected = json(&["act", "31974R9001", "--text", "--corrected", "--json"], folder.path());
    assert!(published.get("corrections").is_none());
    let [one] = &corrected["corrections"].as_array().unwrap()[..] else { panic!("{}", corrected["corrections"]) };
    assert_eq!(one["by"], "31974R9001R(01)");
    let (old, new) = (one["old"].as_str().unwrap(), one["new"].as_str().unwrap());
    let reads = |v: &Value, words: &str| v["units"].to_string().contains(words);
    assert!(reads(&published, old) && !reads(&published, new), "{one}");
    assert!(reads(&corrected, new) && one["units"].as_array().is_some_and(|u| u.len() == 1), "{one}");
}

#[test]
fn a_time_line_is_a_page_with_words_for_those_who_cannot_see_it() {
    let folder = tempfile::tempdir().unwrap();
    let svg = folder.path().join("line.svg");
    let drawn = run(&["timeline", "31974R9001", "--svg", &svg.to_string_lossy(), "--on", "1984-07-01"], folder.path());
    assert!(drawn.status.success(), "{}", told(&drawn));
    let text = std::fs::read_to_string(&svg).expect("written");
    assert!(text.contains("width=\"297mm\" height=\"210mm\""));
    assert!(text.contains("<title id=\"t\">Time line of 31974R9001</title>"), "{text}");
    assert!(text.contains("ended by: 31983R9010 (1 July 1984)"), "{text}");
    assert!(text.contains("Article 5") && text.contains("saved by 31983R9010"), "{text}");
    assert!(text.contains("1 July 1984</text>"), "the day asked about is marked");
}
