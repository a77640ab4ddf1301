//! No words make the reader of provisions panic; quotations are what their spans say.
#![no_main]

use legal_link::law::{Celex, Place, Registry};
use legal_link::parse::clauses::provision;
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static REGISTRY: LazyLock<Registry> = LazyLock::new(|| {
    let text = include_str!("../../rubrics/relations.toml");
    Registry::parse([("relations.toml", text)]).expect("the shipped registry is sound")
});

fuzz_target!(|text: &str| {
    for number in ["32020R9000", "32020R9000R(01)"] {
        let Ok(acting) = number.parse::<Celex>() else { return };
        for place in [Place::Title, Place::Operative(None)] {
            for clause in provision(text, &place, &acting, &REGISTRY) {
                assert!(clause.target != acting);
                assert!(clause.days.iter().all(|d| d.old != Some(d.new)));
                let quoted = text.get(clause.quote.span.start..clause.quote.span.end);
                assert_eq!(quoted, Some(clause.quote.text.as_str()));
            }
        }
    }
});
