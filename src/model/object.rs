//! The one JSON object in a model's reply, out of whatever the model wrapped it in.
//!
//! Models fence their JSON, think aloud before it, put note marks after it, leave trailing commas and write
//! Python literals. All of that is read. What is never done is repair that invents content: a reply cut
//! in the middle is [`ObjectError::Truncated`], two objects are [`ObjectError::SeveralObjects`].

use super::thought::after_thoughts;
use serde_json::{Map, Number, Value};

/// Why a reply holds no usable object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ObjectError {
    /// The reply ends inside a thought or inside the object.
    #[error("the reply was cut before the object ended")]
    Truncated,
    /// No object at all.
    #[error("the reply holds no JSON object")]
    NoObject,
    /// More than one.
    #[error("the reply holds several JSON objects; which one is meant cannot be told")]
    SeveralObjects,
    /// Another JSON value where one object was asked.
    #[error("the reply holds a JSON list where one object was asked")]
    NotAnObject,
}

/// Deepest nesting that is read; a reply nested deeper counts as holding no object.
const DEEPEST: usize = 64;

/// Reads the one object of a reply.
///
/// ```
/// use legal_link::model::{object, ObjectError};
/// assert_eq!(object("Sure!\n```json\n{\"a\": 1,}\n```").unwrap()["a"], 1);
/// assert_eq!(object("{\"a\": [1, 2"), Err(ObjectError::Truncated));
/// ```
///
/// # Errors
/// [`ObjectError`]; the reply itself stays with the caller's journal.
pub fn object(reply: &str) -> Result<Value, ObjectError> {
    let reply = after_thoughts(reply)?;
    let mut objects = Vec::new();
    let mut others = 0;
    let mut reader = Reader { bytes: reply.as_bytes(), at: 0, text: reply };
    while let Some(skip) = reply[reader.at..].find(['{', '[']) {
        reader.at += skip;
        let start = reader.at;
        match reader.value(0) {
            Ok(value @ Value::Object(_)) => objects.push(value),
            Ok(list) if is_note_mark(&list, reply, start, reader.at) => {}
            Ok(_) => others += 1,
            Err(Stop::End) => return Err(ObjectError::Truncated),
            Err(Stop::Syntax) => reader.at = start + 1,
        }
    }
    match (objects.len(), others) {
        (1, _) => objects.pop().ok_or(ObjectError::NoObject),
        (0, 0) => Err(ObjectError::NoObject),
        (0, _) => Err(ObjectError::NotAnObject),
        _ => Err(ObjectError::SeveralObjects),
    }
}

/// Whether a list is a note mark: figures in the middle of a line of words.
fn is_note_mark(list: &Value, reply: &str, start: usize, end: usize) -> bool {
    let before = reply[..start].rsplit('\n').next().unwrap_or_default();
    let after = reply[end..].split('\n').next().unwrap_or_default();
    let words = |text: &str| text.contains(char::is_alphanumeric);
    list.as_array().is_some_and(|figures| !figures.is_empty() && figures.iter().all(Value::is_number))
        && (words(before) || words(after))
}

/// Where the object or list ends that begins at `start`; a cut one ends with the text. None where none begins.
pub(super) fn value_end(text: &str, start: usize) -> Option<usize> {
    let mut reader = Reader { bytes: text.as_bytes(), at: start, text };
    if !matches!(reader.bytes.get(start), Some(b'{' | b'[')) {
        return None;
    }
    match reader.value(0) {
        Ok(_) => Some(reader.at),
        Err(Stop::End) => Some(text.len()),
        Err(Stop::Syntax) => None,
    }
}

enum Stop {
    End,
    Syntax,
}

struct Reader<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn peek(&mut self) -> Result<u8, Stop> {
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        self.bytes.get(self.at).copied().ok_or(Stop::End)
    }

    fn value(&mut self, depth: usize) -> Result<Value, Stop> {
        if depth > DEEPEST {
            return Err(Stop::Syntax);
        }
        match self.peek()? {
            b'{' => self.map(depth),
            b'[' => self.list(depth),
            quote @ (b'"' | b'\'') => self.string(quote).map(Value::String),
            _ => self.word(),
        }
    }

    fn map(&mut self, depth: usize) -> Result<Value, Stop> {
        self.at += 1;
        let mut map = Map::new();
        loop {
            match self.peek()? {
                b'}' => {
                    self.at += 1;
                    return Ok(Value::Object(map));
                }
                b',' if !map.is_empty() => self.at += 1,
                quote @ (b'"' | b'\'') => {
                    let key = self.string(quote)?;
                    if self.peek()? != b':' {
                        return Err(Stop::Syntax);
                    }
                    self.at += 1;
                    let value = self.value(depth + 1)?;
                    map.insert(key, value);
                }
                _ => return Err(Stop::Syntax),
            }
        }
    }

    fn list(&mut self, depth: usize) -> Result<Value, Stop> {
        self.at += 1;
        let mut list = Vec::new();
        loop {
            match self.peek()? {
                b']' => {
                    self.at += 1;
                    return Ok(Value::Array(list));
                }
                b',' if !list.is_empty() => self.at += 1,
                _ => list.push(self.value(depth + 1)?),
            }
        }
    }

    fn string(&mut self, quote: u8) -> Result<String, Stop> {
        self.at += 1;
        let start = self.at;
        let mut escaped = false;
        let mut plain = true;
        loop {
            let byte = *self.bytes.get(self.at).ok_or(Stop::End)?;
            match byte {
                _ if escaped => escaped = false,
                b'\\' => (escaped, plain) = (true, false),
                b if b == quote => break,
                b'"' | b'\n' | b'\t' | b'\r' => plain = false,
                _ => {}
            }
            self.at += 1;
        }
        let raw = &self.text[start..self.at];
        self.at += 1;
        if plain { Ok(raw.to_string()) } else { unescape(raw).ok_or(Stop::Syntax) }
    }

    fn word(&mut self) -> Result<Value, Stop> {
        let start = self.at;
        while self.bytes.get(self.at).is_some_and(|b| b.is_ascii_alphanumeric() || b"+-.".contains(b)) {
            self.at += 1;
        }
        if self.at == self.bytes.len() {
            return Err(Stop::End);
        }
        match &self.text[start..self.at] {
            "true" | "True" => Ok(Value::Bool(true)),
            "false" | "False" => Ok(Value::Bool(false)),
            "null" | "None" => Ok(Value::Null),
            number => number.parse::<Number>().map(Value::Number).map_err(|_| Stop::Syntax),
        }
    }
}

/// JSON escapes; raw line breaks and an escaped apostrophe, which strict JSON refuses, are kept as they are.
fn unescape(raw: &str) -> Option<String> {
    let mut json = String::with_capacity(raw.len() + 2);
    json.push('"');
    let mut escaped = false;
    for c in raw.chars() {
        match c {
            '\'' if escaped => {
                json.pop();
                json.push('\'');
            }
            '"' if !escaped => json.push_str("\\\""),
            '\n' => json.push_str("\\n"),
            '\t' => json.push_str("\\t"),
            '\r' => json.push_str("\\r"),
            c => json.push(c),
        }
        escaped = c == '\\' && !escaped;
    }
    json.push('"');
    serde_json::from_str(&json).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn braces_in_strings_and_note_marks_do_no_harm() {
        assert_eq!(object("{\"a\":\"{x}\"} [1]").unwrap()["a"], "{x}");
        assert_eq!(object("{'a': True, 'b': None}").unwrap()["a"], true);
        assert_eq!(object("[{\"a\":1}]"), Err(ObjectError::NotAnObject));
        assert_eq!(object("{\"a\":1}\n{\"a\":2}"), Err(ObjectError::SeveralObjects));
        assert_eq!(object("<think>{\"a\":1}"), Err(ObjectError::Truncated));
        assert_eq!(object("I will not."), Err(ObjectError::NoObject));
    }

    #[test]
    fn figures_in_a_line_of_words_are_note_marks() {
        for refusal in ["I cannot write that [1].", "See [a] and [1, 2].", "No.\n[1] A source"] {
            assert_eq!(object(refusal), Err(ObjectError::NoObject), "{refusal}");
        }
        for list in ["[1, 2]", "```json\n[1]\n```", "[]", "Here: [\"a\"]"] {
            assert_eq!(object(list), Err(ObjectError::NotAnObject), "{list}");
        }
    }

    #[test]
    fn drafts_in_thoughts_are_no_objects_and_marks_in_strings_no_thoughts() {
        let channels = "<|channel|>analysis<|message|>{\"a\":1}<|end|><|start|>assistant<|channel|>final<|message|>";
        for thought in ["[THINK]{\"a\":1}[/THINK]", "<thinking>{\"a\":1}</thinking>", "{\"a\":1}</think>", channels] {
            assert_eq!(object(&format!("{thought}{{\"a\":2}}")).unwrap()["a"], 2, "{thought}");
        }
        assert_eq!(object("Sure.\n<think>{\"a\":1}"), Err(ObjectError::Truncated));
        assert_eq!(object("{\"a\":\"</think>\"}").unwrap()["a"], "</think>");
        assert_eq!(object("{\"a\":\"</think>\", \"b\": {\"c\":1}, \"d"), Err(ObjectError::Truncated));
    }

    proptest! {
        #[test]
        fn never_panics(reply in "[\\[\\]{}\"',:\\\\a-e<>/ \\n0-9]{0,60}") {
            let _ = object(&reply);
        }

        #[test]
        fn reads_what_serde_writes(text in ".{0,40}", number in any::<i64>()) {
            let value = serde_json::json!({"text": text, "list": [number, null, true]});
            prop_assert_eq!(object(&value.to_string()).unwrap(), value);
        }
    }
}
