//! What waits, and what we think wrong.

/// Kinds without an arm, and what they wait for.
pub const WAITING: &[(&str, &str)] = &[
    // relations
    // http
    // text
    // versions
    // llm
    // dataset
    ("group_key", "the issue on whole datasets"),
    ("typed_cell", "the issue on whole datasets"),
];

/// Cases that we think wrong: the id, the reason and its source.
pub const DISPUTED: &[(&str, &str)] = &[];
