//! No bytes make the reader of acts panic; spans lie in the bytes and inside their parents.
#![no_main]

use legal_link::law::{Digest, Language, Registry};
use legal_link::parse::{Given, act, coverage};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(celex) = "32016R9001".parse() else { return };
    let registry = Registry::default();
    let document = Digest::of(bytes);
    let given = Given { celex: &celex, language: Language::ENGLISH, document, bytes, registry: &registry };
    let Ok(parsed) = act(&given) else { return };
    for (i, unit) in parsed.value.units.iter().enumerate() {
        assert!(unit.span.start <= unit.span.end && unit.span.end <= bytes.len());
        if let Some(parent) = unit.parent {
            assert!(parent < i && parsed.value.units[parent].span.contains(&unit.span));
        }
    }
    let _ = coverage(bytes, &parsed.value);
});
