//! No bytes make the readers of part lists, identifiers notices and notification feeds panic; parts come in order, and
//! warnings point into the bytes.
#![no_main]

use legal_link::parse::{choices, expressions, feed, identifiers, part_number};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let inside = |warnings: &[legal_link::parse::Warning]| warnings.iter().all(|w| w.span.end <= bytes.len());
    if let Ok(parsed) = choices(bytes) {
        assert!(inside(&parsed.warnings) && parsed.value.is_sorted_by_key(|part| part_number(part)));
    }
    if let Ok(parsed) = identifiers(bytes) {
        assert!(inside(&parsed.warnings) && !parsed.value.addresses.is_empty());
    }
    if let Ok(parsed) = feed(bytes) {
        assert!(inside(&parsed.warnings));
    }
    if let Ok(parsed) = expressions(bytes) {
        assert!(inside(&parsed.warnings));
    }
});
