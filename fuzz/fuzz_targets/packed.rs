//! Any bytes as a packed cache: whatever comes in is sound.
#![no_main]

use legal_link::cache::{Cache, Shipped};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = Cache::open(folder.path(), Shipped::default()).expect("a cache");
    let mut packed = bytes;
    let _ = cache.unpack(&mut packed);
    assert!(cache.verify().expect("it can be read").sound());
});
