//! No bytes make the readers of consolidated texts, proposals and judgments panic. The first byte picks the beginning
//! that tells the layout, so that the fuzzer need not find it.
#![no_main]

use legal_link::law::{Digest, Language, Registry};
use legal_link::parse::{Given, act, coverage};
use libfuzzer_sys::fuzz_target;

const LAYOUTS: [(&str, &str); 6] = [
    ("02016R9001-20200101", "<html><p class=\"title-doc-first\">►B</p><div class=\"eli-container\">"),
    ("02016R9001-20200101", "<html><p class=\"title-doc-first\">►B</p><hr/><hr/>"),
    ("02016R9001-20200101", "<html><p>►B</p><hr/><hr/><p>▼B</p>"),
    ("52023PC9001", "<html><p class=\"Typedudocument\">REGULATION</p>"),
    ("62015CJ9001", "<body><p class=\"sum-title-1\">JUDGMENT</p>"),
    ("62015CJ9001", "JUDGMENT OF THE COURT\n"),
];

fuzz_target!(|bytes: &[u8]| {
    let Some((first, rest)) = bytes.split_first() else { return };
    let (celex, begin) = LAYOUTS[usize::from(*first) % LAYOUTS.len()];
    let Ok(celex) = celex.parse() else { return };
    let bytes = [begin.as_bytes(), rest].concat();
    let registry = Registry::default();
    let document = Digest::of(&bytes);
    let given = Given { celex: &celex, language: Language::ENGLISH, document, bytes: &bytes, registry: &registry };
    let Ok(parsed) = act(&given) else { return };
    for (i, unit) in parsed.value.units.iter().enumerate() {
        assert!(unit.span.start <= unit.span.end && unit.span.end <= bytes.len());
        assert!(unit.marks.iter().all(|m| unit.text.is_char_boundary(m.at)));
        if let Some(parent) = unit.parent {
            assert!(parent < i && parsed.value.units[parent].span.contains(&unit.span));
        }
    }
    let _ = coverage(&bytes, &parsed.value);
});
