//! No bytes make the reader of Formex panic; spans lie in the bytes and inside their parents, marks in the text.
#![no_main]

use legal_link::law::{Celex, Digest, Language, Registry};
use legal_link::parse::{Given, act, coverage, parts};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static ACTS: LazyLock<Vec<Celex>> =
    LazyLock::new(|| ["32024R9001", "02024R9001-20250301"].iter().filter_map(|c| c.parse().ok()).collect());

fuzz_target!(|bytes: &[u8]| {
    let registry = Registry::default();
    let document = Digest::of(bytes);
    for root in ["", "<ACT>", "<ANNEX>", "<CORR>", "<CONS.ACT>"] {
        let text = [root.as_bytes(), bytes].concat();
        for celex in ACTS.iter() {
            let given = Given { celex, language: Language::ENGLISH, document, bytes: &text, registry: &registry };
            let Ok(parsed) = act(&given) else { continue };
            let units = &parsed.value.units;
            for (i, unit) in units.iter().enumerate() {
                assert!(unit.span.start <= unit.span.end && unit.span.end <= text.len());
                assert!(unit.marks.iter().all(|m| m.at <= unit.text.len()));
                if let Some(parent) = unit.parent {
                    assert!(parent < i && units[parent].span.contains(&unit.span));
                }
            }
            let _ = coverage(&text, &parsed.value);
        }
        let _ = parts(&text);
    }
});
