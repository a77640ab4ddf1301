//! Arms of the `relations` cases: each a call into a room and a mapping of names.

use serde_json::Value;

/// The answer of the code to one case; `None` where the kind has no arm yet.
pub fn answer(kind: &str, input: &Value) -> Option<Value> {
    crate::edges::answer(kind, input).or_else(|| crate::clauses::answer(kind, input))
}
