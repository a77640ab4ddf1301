//! One JSON schema, lowered to what a provider accepts.
//!
//! A keyword that is not accepted is told in the field's `description`, where the model reads it; the reply is held to
//! the whole schema here, whatever was sent.

use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// What a provider accepts in a schema.
pub(super) struct Accepted {
    /// Keywords kept.
    keywords: &'static [&'static str],
    /// Whether a list may have any least length, or only 0 and 1.
    any_min_items: bool,
}

/// OpenAI with `strict`: objects closed, all fields required; lengths of texts are not taken.
pub(super) const OPENAI: Accepted = Accepted {
    keywords: &[
        "type",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "enum",
        "const",
        "anyOf",
        "description",
        "title",
        "minItems",
        "maxItems",
        "minimum",
        "maximum",
        "pattern",
        "format",
    ],
    any_min_items: true,
};

/// Anthropic: no ranges, no lengths; lists at least 0 or 1 long.
pub(super) const ANTHROPIC: Accepted = Accepted {
    keywords: &[
        "type",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "enum",
        "const",
        "anyOf",
        "description",
        "title",
        "minItems",
        "format",
    ],
    any_min_items: false,
};

/// Gemini's `responseJsonSchema`.
pub(super) const GEMINI: Accepted = Accepted {
    keywords: &[
        "type",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "enum",
        "anyOf",
        "description",
        "title",
        "minItems",
        "maxItems",
        "minimum",
        "maximum",
        "format",
    ],
    any_min_items: true,
};

/// The schema with what is accepted kept, and the rest told in words.
pub(super) fn lower(schema: &Value, accepted: &Accepted) -> Value {
    let Value::Object(fields) = schema else { return schema.clone() };
    let mut kept = Map::new();
    let mut told = String::new();
    for (keyword, value) in fields {
        let small = value.as_u64().is_some_and(|least| least <= 1);
        let fits = keyword != "minItems" || accepted.any_min_items || small;
        match (keyword.as_str(), value) {
            ("properties", Value::Object(properties)) => {
                let lowered: Map<String, Value> =
                    properties.iter().map(|(name, inner)| (name.clone(), lower(inner, accepted))).collect();
                kept.insert(keyword.clone(), Value::Object(lowered));
            }
            ("items", inner) => drop(kept.insert(keyword.clone(), lower(inner, accepted))),
            ("anyOf", Value::Array(ways)) => {
                let lowered: Vec<Value> = ways.iter().map(|way| lower(way, accepted)).collect();
                kept.insert(keyword.clone(), Value::Array(lowered));
            }
            (word, _) if fits && accepted.keywords.contains(&word) => drop(kept.insert(keyword.clone(), value.clone())),
            (word, value) => tell(&mut told, word, value),
        }
    }
    if let Some(Value::Object(properties)) = kept.get("properties") {
        let all: Vec<String> = properties.keys().cloned().collect();
        kept.insert("required".to_string(), json!(all));
        kept.insert("additionalProperties".to_string(), json!(false));
    }
    if !told.is_empty() {
        let before = kept.get("description").and_then(Value::as_str).map(|text| format!("{text} ")).unwrap_or_default();
        kept.insert("description".to_string(), json!(format!("{before}{told}.")));
    }
    Value::Object(kept)
}

/// A keyword in words, behind those told already.
fn tell(told: &mut String, word: &str, value: &Value) {
    let between = if told.is_empty() { "" } else { ", " };
    let _ = match word {
        "minLength" => write!(told, "{between}at least {value} characters"),
        "maxLength" => write!(told, "{between}at most {value} characters"),
        "minItems" => write!(told, "{between}at least {value} entries"),
        "maxItems" => write!(told, "{between}at most {value} entries"),
        "minimum" => write!(told, "{between}not below {value}"),
        "maximum" => write!(told, "{between}not above {value}"),
        other => write!(told, "{between}{other}: {value}"),
    };
}
