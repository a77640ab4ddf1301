//! The `legal-link` binary.

fn main() {}
