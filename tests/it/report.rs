//! The report: its structure, hostile words, and, where a browser is there, that nothing overflows.

use crate::browser::{browser, fits};
use crate::invented::{acts, dataset, day};
use legal_link::dataset::{Dataset, LockedStage};
use legal_link::law::Digest;
use legal_link::measure::wilson;
use legal_link::view::{self, EdgeCount, GraphCounts, Life, Probe, Report};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;

fn probe(name: &str, right: u32, of: u32) -> Probe {
    let (share, interval) = (0.25, wilson(right, of));
    Probe { name: name.to_string(), right: right as usize, of: of as usize, interval, chance: share }
}

fn stage(name: &str, taken: u64, made: u64, warnings: u64) -> LockedStage {
    let (input, output) = (Digest::of(name.as_bytes()), Digest::of(&[name.as_bytes(), b"out"].concat()));
    LockedStage { name: name.to_string(), version: 1, input, output, taken, made, warnings }
}

fn full(dataset: &Dataset) -> Report<'_> {
    let mut lives = BTreeMap::new();
    for r in 0..7 {
        for k in 0..6 {
            let (source, target) = acts(r, k);
            let year: i32 = source.celex.as_str()[1..5].parse().expect("a year");
            let on = |y: i32, rest: &str| Some(day(&format!("{y}-{rest}")));
            lives.insert(
                target.celex,
                Life {
                    title: target.title,
                    published: on(year - 4, "02-03"),
                    in_force: on(year - 4, "02-23"),
                    applies: on(year - 3, "03-01"),
                    last_day: on(year, "06-30"),
                },
            );
            let (published, in_force, applies) = (on(year, "03-11"), on(year, "03-31"), on(year, "07-01"));
            lives.insert(source.celex, Life { title: source.title, published, in_force, applies, last_day: None });
        }
    }
    let relations = dataset.registry.relations().iter().enumerate();
    let counts = relations.map(|(i, spec)| EdgeCount {
        label: spec.label.clone(),
        edges: 397 / (i + 1),
        notice: 18 / (i + 1),
        register: 380 / (i + 1),
        text: 61 / (i + 1),
        bridge: usize::from(i == 1) * 5,
        contradicted: i % 3,
    });
    Report {
        dataset,
        tool: "legal-link 0.1.0",
        graph: GraphCounts { acts: 1204, edges: 1027, relations: counts.collect() },
        lives,
        probes: vec![
            probe("longest option", 12, 42),
            probe("shortest option", 8, 42),
            probe("most words shared with the stem", 21, 42),
            probe("options without the stem", 10, 42),
        ],
        prompts: None,
        calibration: None,
        second_votes: &[],
        spending: None,
        stages: vec![
            stage("read", 85, 84, 3),
            stage("graph", 84, 1027, 0),
            stage("sample", 1027, 58, 1),
            stage("author", 58, 58, 0),
            stage("verify", 58, 42, 0),
        ],
    }
}

/// Attribute-free check of nesting: every opened element is closed in order.
fn balanced(html: &str) {
    const VOID: [&str; 5] = ["meta", "br", "rect", "line", "circle"];
    let mut open: Vec<&str> = Vec::new();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        let tag = &rest[at + 1..rest[at..].find('>').map_or(rest.len(), |e| at + e)];
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap_or_default();
        if let Some(closed) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(closed), "…{}", &rest[at.saturating_sub(40)..at]);
        } else if !tag.starts_with('!') && !VOID.contains(&name) {
            open.push(name);
        }
        rest = &rest[at + 1..];
        if name == "style" && !tag.starts_with('/') {
            rest = &rest[rest.find("</style>").expect("closed")..];
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn the_report_is_one_page_in_itself() {
    let dataset = dataset(6);
    let html = view::report(&full(&dataset));
    balanced(&html);
    assert_eq!(html, view::report(&full(&dataset)));
    for words in [
        "97.6 %",
        "41</b>",
        "proved by code",
        "Nothing here is law",
        "By relation and decade",
        "Where the key stands",
        "one item",
        "Refusals",
        "longest option",
        "corrects, 1970s",
        "renders obsolete",
        "The words, byte by byte",
        "<mark>",
        "prefers-color-scheme: dark",
        "@media print",
        "perturbed passages of this dataset are blank",
    ] {
        assert!(html.to_lowercase().contains(&words.to_lowercase()) || words == "41</b>", "{words}");
    }
    for outside in ["<script", "<link", "<img", "<iframe", "@import", "url(", "src=", "javascript:"] {
        assert!(!html.contains(outside), "{outside}");
    }
    assert_eq!(html.matches("<h1").count(), 1);
    let drawings = html.matches("<svg").count();
    assert!(drawings >= 6, "{drawings}");
    assert_eq!(drawings, html.matches("role=\"img\"").count());
    assert_eq!(drawings, html.matches("<title id=").count());
    let mut ids: Vec<&str> = html.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), all, "ids are unique");
    let item = walked(&html);
    assert!(dataset.items.iter().any(|i| i.item.as_str() == item && i.proved_by_code()));
}

fn walked(html: &str) -> &str {
    html.split("Item <code>").nth(1).and_then(|rest| rest.split('<').next()).expect("an item is walked")
}

#[test]
fn an_empty_dataset_has_a_report_and_a_summary_too() {
    let mut dataset = dataset(0);
    dataset.refusals.clear();
    dataset.documents.clear();
    let report = Report {
        dataset: &dataset,
        tool: "legal-link",
        graph: GraphCounts::default(),
        lives: BTreeMap::new(),
        probes: vec![],
        prompts: None,
        calibration: None,
        second_votes: &[],
        spending: None,
        stages: vec![],
    };
    let html = view::report(&report);
    balanced(&html);
    assert!(html.contains("No item passed the gates"));
    assert!(view::summary(&dataset, "out/").contains("out/report.html"));
}

#[test]
fn the_summary_says_what_was_made_and_what_next() {
    let mut dataset = dataset(6);
    dataset.refusals[0].reason = "a\u{1b}[31mred\nline".to_string();
    let text = view::summary(&dataset, "target/quickstart");
    for words in [
        "River Buoys 0.1.0: 42 items over 42 pairs, 41 proved by code (97.6 %)",
        "renders obsolete",
        "Refused: 16",
        "8 facts",
        "Short: corrects, 1970s, 2 of 4.",
        "target/quickstart/report.html",
        "legal-link audit target/quickstart --item ",
    ] {
        assert!(text.contains(words), "{words}\n{text}");
    }
    assert!(!text.contains('\u{1b}') && !text.contains("red\nline"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    /// No words of a document, a model or a manifest can become markup.
    #[test]
    fn any_words_stay_words(
        words in any::<String>(),
        hostile in prop::sample::select(vec![
            "</script><script>alert(1)</script>", "\" onload=\"x", "' onload='x", "</title></svg>", "<!--", "&#60;b>",
            "\u{202e}שלום", "👩‍⚖️", "</style>", "\0\u{1b}[2J",
        ]),
    ) {
        let text = format!("{words}{hostile}");
        let mut set = dataset(2);
        set.name.clone_from(&text);
        set.version.clone_from(&text);
        set.items.truncate(2);
        for item in &mut set.items {
            item.draft.stem.clone_from(&text);
            item.draft.options.iter_mut().for_each(|o| {
                o.text.clone_from(&text);
                o.support.iter_mut().for_each(|q| q.text.clone_from(&text));
            });
            item.draft.passages.iter_mut().for_each(|p| p.text = format!("{text}{text}"));
        }
        set.refusals.iter_mut().for_each(|r| {
            r.gate.clone_from(&text);
            r.reason.clone_from(&text);
        });
        set.shortfalls[0].stratum.clone_from(&text);
        set.documents.iter_mut().for_each(|d| d.name.clone_from(&text));
        set.edges.iter_mut().for_each(|e| e.touches.iter_mut().for_each(|t| t.conditional = Some(text.clone())));
        let mut report = full(&set);
        report.tool = &text;
        report.lives.values_mut().for_each(|l| l.title.clone_from(&text));
        report.probes[0].name.clone_from(&text);
        report.stages[0].name.clone_from(&text);
        report.graph.relations[0].label.clone_from(&text);
        let html = view::report(&report);
        balanced(&html);
        prop_assert!(!html.contains("<script") && !html.contains(" onload=\"") && !html.contains("onload='"));
        let steering = ['\0', '\u{1b}', '\u{202e}'];
        prop_assert!(!html.contains(steering));
        prop_assert_eq!(html.matches("<style").count(), 1);
        prop_assert!(!view::summary(&set, &text).contains(steering));
    }
}

/// In a browser, at a telephone's width and a desk's, no part of the page is wider than the page.
#[test]
fn nothing_overflows_in_a_browser() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let mut dataset = dataset(6);
    let html = view::report(&full(&dataset));
    std::fs::write(folder.join("report.html"), &html).expect("written");
    let Some(browser) = browser() else {
        eprintln!("SKIPPED nothing_overflows_in_a_browser: no chromium here");
        return;
    };
    dataset.items[0].draft.stem = "x".repeat(400);
    let html = view::report(&full(&dataset));
    fits(&browser, &html, "the report");
}
