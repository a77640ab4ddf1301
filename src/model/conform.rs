//! Whether a reply follows the schema that was asked for, checked here, whatever the server promised.

use serde_json::Value;

/// Where a value does not follow its schema, and how.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{at}` {why}")]
pub struct Misfit {
    /// The place, `options[2].text`; `the object` for the whole.
    pub at: String,
    /// What is wrong, so that a model can put it right.
    pub why: String,
}

/// Holds a value to a schema: types, fields required and allowed, lists of values, lengths, ranges, alternatives. Other
/// keywords hold nothing.
///
/// ```
/// use legal_link::model::conforms;
/// let schema = serde_json::json!({"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}});
/// assert!(conforms(&serde_json::json!({"n": 3}), &schema).is_ok());
/// assert_eq!(conforms(&serde_json::json!({"n": 0.5}), &schema).unwrap_err().to_string(), "`n` must be of type integer");
/// ```
///
/// # Errors
/// The first [`Misfit`].
pub fn conforms(value: &Value, schema: &Value) -> Result<(), Misfit> {
    check(value, schema, "").map_err(|(at, why)| {
        let at = at.trim_start_matches('.').to_string();
        Misfit { at: if at.is_empty() { "the object".to_string() } else { at }, why }
    })
}

type Found = Result<(), (String, String)>;

fn check(value: &Value, schema: &Value, at: &str) -> Found {
    let wrong = |why: String| Err((at.to_string(), why));
    if let Some(ways) = schema["anyOf"].as_array()
        && !ways.iter().any(|way| check(value, way, at).is_ok())
    {
        return wrong("fits none of the alternatives".to_string());
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::String(name) => vec![name],
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if !types.is_empty() && !types.iter().any(|name| is_of(value, name)) {
        return wrong(format!("must be of type {}", types.join(" or ")));
    }
    if let Some(values) = schema["enum"].as_array()
        && !values.iter().any(|one| same(one, value))
    {
        let values: Vec<String> = values.iter().map(Value::to_string).collect();
        return wrong(format!("must be one of {}", values.join(", ")));
    }
    match value {
        Value::Object(fields) => {
            let known = schema["properties"].as_object();
            for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
                if !fields.contains_key(name) {
                    return wrong(format!("lacks the field `{name}`"));
                }
            }
            for (name, inner) in fields {
                match known.and_then(|known| known.get(name)) {
                    Some(schema) => check(inner, schema, &format!("{at}.{name}"))?,
                    None if schema["additionalProperties"] == false => {
                        return wrong(format!("has no field `{}`", name.chars().take(60).collect::<String>()));
                    }
                    None => {}
                }
            }
        }
        Value::Array(entries) => {
            let bounds = (&schema["minItems"], &schema["maxItems"]);
            bounded(entries.len(), bounds, "entries").or_else(wrong)?;
            for (number, entry) in entries.iter().enumerate() {
                check(entry, &schema["items"], &format!("{at}[{number}]"))?;
            }
        }
        Value::String(text) => {
            let bounds = (&schema["minLength"], &schema["maxLength"]);
            bounded(text.chars().count(), bounds, "characters").or_else(wrong)?;
        }
        Value::Number(number) => {
            let number = number.as_f64().unwrap_or(f64::NAN);
            if let Some(least) = schema["minimum"].as_f64().filter(|least| number < *least) {
                return wrong(format!("must not be below {least}"));
            }
            if let Some(most) = schema["maximum"].as_f64().filter(|most| number > *most) {
                return wrong(format!("must not be above {most}"));
            }
        }
        Value::Bool(_) | Value::Null => {}
    }
    Ok(())
}

fn is_of(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|n| n.fract() == 0.0),
        _ => false,
    }
}

/// Equal as JSON Schema has it: `4` and `4.0` are one number.
fn same(a: &Value, b: &Value) -> bool {
    a == b || a.as_f64().zip(b.as_f64()).is_some_and(|(a, b)| a.total_cmp(&b).is_eq())
}

fn bounded(len: usize, (least, most): (&Value, &Value), what: &str) -> Result<(), String> {
    let len = len as u64;
    if let Some(least) = least.as_u64().filter(|least| len < *least) {
        return Err(format!("must have at least {least} {what}, and has {len}"));
    }
    if let Some(most) = most.as_u64().filter(|most| len > *most) {
        return Err(format!("must have at most {most} {what}, and has {len}"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_first_misfit_is_named_with_its_place() {
        let schema = json!({
            "type": "object", "additionalProperties": false, "required": ["list"],
            "properties": {
                "list": {"type": "array", "minItems": 1, "maxItems": 2, "items": {"type": "string", "maxLength": 3}},
                "level": {"type": "integer", "enum": [1, 2]},
                "part": {"anyOf": [{"type": "null"}, {"type": "number", "minimum": 1, "maximum": 2}]},
            },
        });
        let told = |value: Value| conforms(&value, &schema).err().map(|e| e.to_string());
        assert_eq!(told(json!({"list": ["a"], "level": 2.0, "part": null})), None);
        for (value, told_is) in [
            (json!([]), "`the object` must be of type object"),
            (json!({}), "`the object` lacks the field `list`"),
            (json!({"list": []}), "`list` must have at least 1 entries, and has 0"),
            (json!({"list": ["a", "abcd"]}), "`list[1]` must have at most 3 characters, and has 4"),
            (json!({"list": ["a"], "more": 1}), "`the object` has no field `more`"),
            (json!({"list": ["a"], "level": 3}), "`level` must be one of 1, 2"),
            (json!({"list": ["a"], "part": 3}), "`part` fits none of the alternatives"),
        ] {
            assert_eq!(told(value).as_deref(), Some(told_is));
        }
    }
}
