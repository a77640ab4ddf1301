//! Formex texts of the corpus: all are read, and agree with other layouts of the same act.

use crate::corpus::corpus;
use legal_link::build::load;
use legal_link::law::{Act, Digest, Flavour, Language, Mark, Registry, Unit, UnitKind};
use legal_link::parse::{Given, Parsed, Refused, act, coverage};
use legal_link::source::Folder;
use regex::Regex;
use std::path::Path;
use std::time::{Duration, Instant};

fn registry() -> Registry {
    Registry::parse([("relations.toml", include_str!("../../rubrics/relations.toml"))]).expect("the shipped registry")
}

/// The Formex files of the corpus, by name.
fn files(folder: &Path) -> Vec<String> {
    let names =
        std::fs::read_dir(folder.join("acts")).expect("acts").filter_map(|e| e.ok()?.file_name().into_string().ok());
    let mut found: Vec<String> = names.filter(|name| name.contains(".fmx4.")).collect();
    found.sort();
    found
}

fn read(folder: &Path, name: &str, registry: &Registry) -> (Result<Parsed<Act>, Refused>, Vec<u8>, Duration) {
    let bytes = std::fs::read(folder.join("acts").join(name)).expect("a file of the corpus");
    let celex = name.split('.').next().unwrap_or_default().parse().expect("a CELEX number");
    let document = Digest::of(&bytes);
    let given = Given { celex: &celex, language: Language::ENGLISH, document, bytes: &bytes, registry };
    let clock = Instant::now();
    let result = act(&given);
    (result, bytes, clock.elapsed())
}

/// Letters and figures of the text by a second reading that shares no code: the file without what is said about the
/// text, without passages taken out and notes repeated, without tags.
fn figures_apart(bytes: &[u8]) -> usize {
    let mut text = String::from_utf8_lossy(bytes).into_owned();
    for (pattern, by) in [
        (r"(?s)<(FAM\.COMP|INFO\.[A-Z]+).*?</(FAM\.COMP|INFO\.[A-Z]+)>", ""),
        (r"(?s)<BIB\.INSTANCE>.*?</BIB\.INSTANCE>", ""),
        (r#"(?s)<\?CLG\.MDFO [^?]*ACTION="DELETED"[^?]*\?>.*?<\?CLG\.MDFC [^?]*\?>"#, ""),
        (r"(?s)<NOTE NOTE\.REF=[^>]*[^/]>.*?</NOTE>", ""),
        (r"(?s)<[^>]*>", ""),
        (r"&(amp|lt|gt|quot|apos);", " "),
    ] {
        text = Regex::new(pattern).expect("a pattern").replace_all(&text, by).into_owned();
    }
    text.chars().filter(|c| c.is_alphanumeric()).count()
}

/// Letters and figures that the act's title and units hold, printed labels included, numbers of notes (which no
/// element holds) left out.
fn figures_held(act: &Act) -> usize {
    let of = |u: &Unit| {
        let head = if u.kind == UnitKind::Footnote { String::new() } else { u.printed_head() };
        format!("{head}{}{}", u.heading.as_deref().unwrap_or_default(), u.text)
    };
    let all = act.units.iter().map(of).chain([act.title.text.clone()]);
    all.map(|text| text.chars().filter(|c| c.is_alphanumeric()).count()).sum()
}

#[test]
fn every_formex_text_of_the_corpus_is_read() {
    let Some(folder) = corpus("every_formex_text_of_the_corpus_is_read") else { return };
    let registry = registry();
    let (mut time, mut units_only, mut size, mut tables) = (Duration::ZERO, Duration::ZERO, 0, 0);
    for name in files(&folder) {
        let (result, bytes, took) = read(&folder, &name, &registry);
        match result {
            Ok(Parsed { value: act, warnings }) => {
                for (i, unit) in act.units.iter().enumerate() {
                    assert!(unit.span.end <= bytes.len() && unit.span.start <= unit.span.end, "{name}: {unit:?}");
                    if let Some(parent) = unit.parent {
                        assert!(parent < i && act.units[parent].span.contains(&unit.span), "{name}: {i} {unit:?}");
                    }
                }
                time += took;
                size += bytes.len();
                let clock = Instant::now();
                let covered = coverage(&bytes, &act);
                units_only += clock.elapsed();
                assert!((0.995..=1.005).contains(&covered.share()), "{name}: {covered:?}");
                let (apart, held) = (figures_apart(&bytes), figures_held(&act));
                // Marks such as "(Text with EEA relevance)" are no part of a title.
                let near = |a: usize, b: usize| a.abs_diff(b) <= a.max(b) / 200 + 25;
                assert!(near(apart, held), "{name}: {apart} letters and figures in the file, {held} in its units");
                let of = |kind: UnitKind| act.units.iter().filter(|u| u.kind == kind).count();
                eprintln!(
                    "{name:62} units {:4} coverage {:.4} letters {apart} {held} warnings {} articles {:3} recitals {:3} annexes {} tables {} notes {} quoted {} changed {}",
                    act.units.len(),
                    covered.share(),
                    warnings.len(),
                    act.articles().count(),
                    act.recitals().count(),
                    of(UnitKind::Annex),
                    of(UnitKind::Table),
                    of(UnitKind::Footnote),
                    act.units.iter().filter(|u| u.quoted).count(),
                    act.units.iter().filter(|u| u.marks.iter().any(|m| m.mark != Mark::BASE)).count(),
                );
            }
            Err(refused) => {
                let table = name.ends_with(".doc.xml") || name.ends_with(".doc.fmx.xml") || name.contains(".toc.");
                assert!(table, "{name}: {refused}");
                tables += 1;
            }
        }
    }
    #[allow(clippy::cast_precision_loss)]
    let (mib, ms) = (size as f64 / 1e6, time.as_secs_f64() * 1e3);
    eprintln!("units alone: {:.2} ms per MB", units_only.as_secs_f64() * 1e3 / mib);
    eprintln!("{tables} tables of parts and contents; {mib:.2} MB in {ms:.1} ms: {:.2} ms per MB", ms / mib);
}

/// Words as they are compared: case, blanks before marks and the set of thousands aside.
fn normal(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() && !word.starts_with([',', '.', ';', ':', ')', '’']) {
            out.push(' ');
        }
        out.push_str(&word.to_lowercase());
    }
    out
}

#[test]
fn both_layouts_of_one_act_agree_unit_by_unit() {
    let Some(folder) = corpus("both_layouts_of_one_act_agree_unit_by_unit") else { return };
    let registry = registry();
    let formex = read(&folder, "32016R0679.fmx4.gdpr.fmx.xml", &registry).0.expect("an act").value;
    let page = read(&folder, "32016R0679.oj-eli.xhtml", &registry).0.expect("an act").value;
    assert_eq!((formex.flavour, page.flavour), (Flavour::Formex, Flavour::OjEli));
    assert_eq!(normal(&formex.title.text), normal(&page.title.text));
    assert_eq!(formex.date_document, page.date_document);
    let said = |u: &Unit| {
        let heading = u.heading.as_deref().map(normal);
        (u.kind, u.label.clone(), u.part.clone(), heading, normal(&u.text), u.quoted)
    };
    // Notes stand in the text there, and at its end here.
    for notes in [false, true] {
        let of = |act: &Act| -> Vec<_> {
            act.units.iter().filter(|u| (u.kind == UnitKind::Footnote) == notes).map(said).collect()
        };
        let (formex, page) = (of(&formex), of(&page));
        let differ: Vec<_> = formex.iter().zip(&page).filter(|(a, b)| a != b).collect();
        assert!(
            differ.is_empty() && formex.len() == page.len(),
            "{} and {} units; {} differ: {:#?}",
            formex.len(),
            page.len(),
            differ.len(),
            &differ[..differ.len().min(8)]
        );
    }
}

#[test]
fn what_no_act_changed_reads_as_it_was_published() {
    let Some(folder) = corpus("what_no_act_changed_reads_as_it_was_published") else { return };
    let registry = registry();
    let state = "02014R0604-20210614.fmx4.CL2014R0604EN0020010.0001.xml";
    let state = read(&folder, state, &registry).0.expect("an act").value;
    let base = read(&folder, "32014R0604.oj-eli.xhtml", &registry).0.expect("an act").value;
    let (mut same, mut changed) = (0, Vec::new());
    for unit in state.units.iter().filter(|u| u.part.is_some()) {
        let part = unit.part.as_ref().expect("a part");
        let published = base.unit(part).map(|u| (normal(&u.text), u.label.clone(), u.kind));
        let here = Some((normal(&unit.text), unit.label.clone(), unit.kind));
        if unit.marks.iter().all(|m| m.mark == Mark::BASE) {
            assert_eq!(here, published, "{part}");
            same += 1;
        } else if here != published {
            changed.push(part.to_string());
        }
    }
    eprintln!("{same} units as published, changed: {changed:?}, by {:?}", state.origins);
    assert!(same > 30 && !changed.is_empty());
}

#[test]
fn an_act_in_fourteen_documents_is_one_act() {
    let Some(folder) = corpus("an_act_in_fourteen_documents_is_one_act") else { return };
    let some = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(some.path().join("acts")).expect("a folder");
    let index = std::fs::read_to_string(folder.join("INDEX.tsv")).expect("an index");
    let mut lines = index.lines();
    let mut wanted = vec![lines.next().expect("a header")];
    for line in lines.filter(|line| line.starts_with("acts/32024R1689.fmx4.")) {
        let file = line.split('\t').next().unwrap_or_default();
        std::fs::copy(folder.join(file), some.path().join(file)).expect("copied");
        wanted.push(line);
    }
    std::fs::write(some.path().join("INDEX.tsv"), wanted.join("\n")).expect("written");
    let loaded = load(&Folder::open(some.path()).expect("a folder"), &registry()).expect("loaded");
    assert_eq!((loaded.refused, loaded.warnings), (Vec::new(), Vec::new()));
    let [act] = &loaded.facts.acts[..] else { panic!("{} acts", loaded.facts.acts.len()) };
    assert_eq!((act.articles().count(), act.recitals().count()), (113, 180));
    assert_eq!(act.published.map(|d| d.to_string()).as_deref(), Some("2024-07-12"));
    let labels: Vec<&str> = act.annexed.iter().map(|a| a.units[0].label.as_str()).collect();
    assert_eq!(labels, ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII"]);
    let documents: std::collections::BTreeSet<Digest> = act.texts().map(|text| text.document).collect();
    assert_eq!(documents.len(), 14);
}
