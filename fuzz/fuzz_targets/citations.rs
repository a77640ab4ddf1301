//! Any text is read in every language, its offsets are its own, and every citation has an act or a reason.
#![no_main]

use legal_link::build::Rubrics;
use legal_link::law::{Celex, Languages};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static LANGUAGES: LazyLock<Languages> = LazyLock::new(|| Rubrics::shipped().languages().expect("the shipped files"));

fuzz_target!(|text: &str| {
    let own: Option<Celex> = "32020R9001".parse().ok();
    for language in LANGUAGES.known() {
        let wording = LANGUAGES.wording(language).expect("it is known");
        let mut end = 0;
        for citation in wording.references(text, own.as_ref()) {
            assert_eq!(&text[citation.start..citation.end], citation.text);
            assert!(citation.start >= end);
            assert_ne!(citation.celex.is_some(), citation.reason.is_some());
            end = citation.end;
        }
    }
});
