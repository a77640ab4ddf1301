//! What waits, and what we think wrong.

/// Kinds without an arm, and what they wait for.
pub const WAITING: &[(&str, &str)] = &[
    // relations
    // http
    // text
    // versions
    // llm
    ("answer_letter", "issue 5: models"),
    ("batch_match", "issue 5: models"),
    ("failed_call", "issue 5: models"),
    ("key_vs_text", "issue 5: models"),
    ("strip_label", "issue 5: models"),
    ("too_many", "issue 5: models"),
    // dataset
    ("group_key", "the issue on whole datasets"),
    ("typed_cell", "the issue on whole datasets"),
];

/// Cases that we think wrong: the id, the reason and its source.
pub const DISPUTED: &[(&str, &str)] = &[];
