//! Formex texts of the corpus: all are read, and agree with other layouts of the same act.

use crate::corpus::corpus;
use legal_link::law::{Act, Digest, Flavour, Language, Registry, Unit, UnitKind};
use legal_link::parse::{Given, Parsed, Refused, act, coverage};
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

#[test]
fn every_formex_text_of_the_corpus_is_read() {
    let Some(folder) = corpus("every_formex_text_of_the_corpus_is_read") else { return };
    let registry = registry();
    let (mut time, mut size) = (Duration::ZERO, 0);
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
                let covered = coverage(&bytes, &act);
                let of = |kind: UnitKind| act.units.iter().filter(|u| u.kind == kind).count();
                eprintln!(
                    "{name:62} {:5} {:.4} {covered:?} w {} art {:3} rct {:3} anx {} cit {} note {} tbl {} quoted {} {:?} {:.60} {:?}",
                    act.units.len(),
                    covered.share(),
                    warnings.len(),
                    act.articles().count(),
                    act.recitals().count(),
                    of(UnitKind::Annex),
                    of(UnitKind::Citation),
                    of(UnitKind::Footnote),
                    of(UnitKind::Table),
                    act.units.iter().filter(|u| u.quoted).count(),
                    act.date_document,
                    act.title.text,
                    warnings.iter().map(|w| &w.message).collect::<Vec<_>>(),
                );
                if let Ok(dump) = std::env::var("FORMEX_DUMP") {
                    let lines: Vec<String> = act
                        .units
                        .iter()
                        .enumerate()
                        .map(|(i, u)| {
                            format!(
                                "{i:4} {:?} [{}] {:?} p{:?} {} {:?} | {:.90}",
                                u.kind,
                                u.label,
                                u.heading,
                                u.parent,
                                if u.quoted { "Q" } else { "" },
                                u.part.as_ref().map(ToString::to_string),
                                u.text.replace('\n', " // ")
                            )
                        })
                        .collect();
                    std::fs::write(format!("{dump}/{name}.txt"), lines.join("\n")).expect("written");
                }
            }
            Err(refused) => eprintln!("{name}: {refused}"),
        }
    }
    #[allow(clippy::cast_precision_loss)]
    let (mib, ms) = (size as f64 / 1e6, time.as_secs_f64() * 1e3);
    eprintln!("{mib:.2} MB in {ms:.1} ms: {:.2} ms per MB", ms / mib);
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
