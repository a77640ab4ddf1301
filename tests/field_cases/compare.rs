//! When two answers are the same: numbers within 1e-9, some lists as sets, all else in order.

use serde_json::Value;

/// The lists that the notes on the cases call a set, by kind and field.
const SETS: [(&str, &str); 11] = [
    ("com_to_candidates", "candidates"),
    ("refresh_targets", "revisit"),
    ("repeal_mode", "explicit"),
    ("repeal_mode", "implicit"),
    ("inverse", "answer"),
    ("merge_edges", "edges"),
    ("collapse_to_base", "edges"),
    ("reach", "reached"),
    ("title_relations", "amends"),
    ("title_relations", "repeals"),
    ("check_item", "reasons"),
];

/// Whether `given` is the answer `expected` of a case of this kind.
pub fn same(kind: &str, expected: &Value, given: &Value) -> bool {
    let (Value::Object(expected), Value::Object(given)) = (expected, given) else {
        return equal(expected, given);
    };
    expected.len() == given.len()
        && expected.iter().all(|(field, want)| {
            given.get(field).is_some_and(|have| match (want, have) {
                (Value::Array(want), Value::Array(have)) if SETS.contains(&(kind, field)) => same_set(want, have),
                _ => equal(want, have),
            })
        })
}

fn same_set(want: &[Value], have: &[Value]) -> bool {
    let mut left: Vec<&Value> = have.iter().collect();
    let all_found = want.iter().all(|w| match left.iter().position(|h| equal(w, h)) {
        Some(at) => {
            left.swap_remove(at);
            true
        }
        None => false,
    });
    all_found && left.is_empty()
}

fn equal(want: &Value, have: &Value) -> bool {
    match (want, have) {
        (Value::Number(a), Value::Number(b)) => match (a.as_f64(), b.as_f64()) {
            (Some(a), Some(b)) => (a - b).abs() <= 1e-9,
            _ => a == b,
        },
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(k, v)| b.get(k).is_some_and(|other| equal(v, other)))
        }
        _ => want == have,
    }
}

#[test]
fn only_marked_lists_are_sets() {
    use serde_json::json;
    assert!(same("reach", &json!({"reached": [1, 2]}), &json!({"reached": [2, 1]})));
    assert!(!same("reach", &json!({"reached": [1, 1]}), &json!({"reached": [1, 2]})));
    assert!(!same("cite", &json!({"celex": [1, 2]}), &json!({"celex": [2, 1]})));
    assert!(same("score", &json!({"accuracy": 0.1}), &json!({"accuracy": 0.100_000_000_01})));
    assert!(!same("score", &json!({"accuracy": null}), &json!({})));
}
