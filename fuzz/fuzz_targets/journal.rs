//! Any bytes as a journal: every byte is accounted for, and what is read comes back when it is written again.
#![no_main]

use legal_link::cache::{Flavour, Lines};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for flavour in [Flavour::Checked, Flavour::Json] {
        let read = Lines::read(flavour, bytes);
        assert!(read.torn.is_none_or(|at| at < bytes.len()));
        let written: String = read.good.iter().map(|(_, record)| flavour.line(record)).collect();
        let again = Lines::read(flavour, written.as_bytes());
        assert!(again.bad.is_empty() && again.torn.is_none());
        let records = |read: &Lines<'_>| read.good.iter().map(|(_, record)| (*record).to_string()).collect::<Vec<_>>();
        assert_eq!(records(&read), records(&again));
    }
});
