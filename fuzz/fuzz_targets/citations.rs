//! Any text is read, its offsets are its own, and every citation has an act or a reason.
#![no_main]

use legal_link::law::{Celex, references};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let own: Option<Celex> = "32020R9001".parse().ok();
    let mut end = 0;
    for citation in references(text, own.as_ref()) {
        assert_eq!(&text[citation.start..citation.end], citation.text);
        assert!(citation.start >= end && citation.parts_start <= citation.start);
        assert_ne!(citation.celex.is_some(), citation.reason.is_some());
        end = citation.end;
    }
});
