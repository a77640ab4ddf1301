//! No bytes make the readers of notices, search answers and tables panic; every row leads back into the bytes.
#![no_main]

use legal_link::law::Registry;
use legal_link::parse::{notice, search_answer, table};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static REGISTRY: LazyLock<Registry> = LazyLock::new(|| {
    Registry::parse([("relations.toml", include_str!("../../rubrics/relations.toml"))]).unwrap_or_default()
});

fuzz_target!(|bytes: &[u8]| {
    if let Ok(parsed) = notice(bytes, &REGISTRY, None) {
        assert!(parsed.value.rows.iter().all(|r| r.locus.span.end <= bytes.len()));
    }
    if let Ok(parsed) = search_answer(bytes, &REGISTRY, None) {
        assert!(parsed.value.notice.records.iter().all(|r| r.locus.span.end <= bytes.len()));
    }
    if let Ok(parsed) = table("x.csv", bytes, &REGISTRY, |_| None) {
        assert!(parsed.value.rows.iter().all(|r| r.locus.span.end <= bytes.len()));
    }
});
