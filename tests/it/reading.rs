//! Reads a document of our own as an act, as the tests of every layout do.

use legal_link::law::{Act, Celex, Digest, Language, Registry};
use legal_link::parse::{Given, Parsed, Refused, act, coverage};
use std::ops::RangeInclusive;

/// The act that the bytes hold, its clauses read by these relations.
pub fn try_read(celex: &str, bytes: &[u8], registry: &Registry) -> Result<Parsed<Act>, Refused> {
    let celex: Celex = celex.parse().expect("a CELEX number");
    act(&Given { celex: &celex, language: Language::ENGLISH, document: Digest::of(bytes), bytes, registry })
}

/// The act of a text that gives no warning and of whose words this share reached a unit.
pub fn read(celex: &str, text: &str, share: RangeInclusive<f64>) -> Act {
    let parsed = try_read(celex, text.as_bytes(), &Registry::default()).expect("an act");
    assert_eq!(parsed.warnings, [], "{celex}");
    let covered = coverage(text.as_bytes(), &parsed.value).share();
    assert!(share.contains(&covered), "{celex}: {covered}");
    parsed.value
}

/// The text of the unit at an address.
pub fn at<'a>(act: &'a Act, part: &str) -> &'a str {
    let part = part.parse().expect("a part");
    act.unit(&part).map_or_else(|| panic!("no {part} in {:#?}", act.units), |u| u.text.as_str())
}
