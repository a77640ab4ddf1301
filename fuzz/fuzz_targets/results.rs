//! No bytes make the reader of SPARQL answers panic; rows lie in the bytes, and an answer in a document says what it says
//! alone.
#![no_main]

use legal_link::build::Rubrics;
use legal_link::law::Registry;
use legal_link::parse::{results, table};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static REGISTRY: LazyLock<Registry> = LazyLock::new(|| Rubrics::shipped().registry().expect("the shipped registry"));

fuzz_target!(|bytes: &[u8]| {
    if let Ok(parsed) = table("sparql", bytes, &REGISTRY, |_| None) {
        let rows = parsed.value.rows.iter().map(|row| row.locus.span);
        let records = parsed.value.records.iter().map(|record| record.locus.span);
        assert!(rows.chain(records).all(|span| span.slice(bytes).is_some()));
    }
    let Ok(answer) = results(bytes) else { return };
    for row in &answer.value.rows {
        assert!(row.span.slice(bytes).is_some_and(|row| row.starts_with(b"{") && row.ends_with(b"}")));
    }
    let text = String::from_utf8_lossy(bytes);
    let rows = answer.value.rows.len();
    let document = format!("{{\"question\":\"q\",\"rows\":{rows},\"answers\":[{{\"answer\":{}}}]}}", text.trim());
    assert!(table("sparql", document.as_bytes(), &REGISTRY, |_| None).is_ok());
});
