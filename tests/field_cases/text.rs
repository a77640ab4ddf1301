//! Arms of the `text` cases: each a call into a room and a mapping of names.

use legal_link::law::{RangeFault, bound_lists, part_lists};
use serde_json::{Value, json};

/// The answer of the code to one case; `None` where the kind has no arm yet.
pub fn answer(kind: &str, input: &Value) -> Option<Value> {
    let text = input["text"].as_str().unwrap_or_default();
    Some(match kind {
        "bind_list" => bind_list(text),
        "range_cap" => range_cap(text),
        _ => return None,
    })
}

fn bind_list(text: &str) -> Value {
    let (lists, acts) = bound_lists(text);
    let first = lists.first();
    let act = first.and_then(|list| acts[list.citation?].celex.as_ref());
    json!({"celex": act, "articles": first.map_or(&[][..], |list| &list.parts)})
}

fn range_cap(text: &str) -> Value {
    let list = part_lists(text).into_iter().next();
    let reason = list.as_ref().and_then(|list| list.fault).map(|fault| match fault {
        RangeFault::TooLarge => "range_too_large",
        RangeFault::Reversed => "range_reversed",
    });
    json!({"expanded": list.filter(|l| l.fault.is_none()).map(|l| l.parts), "reason": reason})
}
