//! One JSON value a line: the items, what each stands on, and what was refused.

use super::{EmitError, Emitter, Sink, write};
use crate::dataset::{Dataset, Provenance};
use serde::Serialize;

/// `items.jsonl`: the rows; the eight published columns first, then ours.
#[derive(Debug, Clone, Copy)]
pub struct Items;

/// `provenance.jsonl`: line by line, what each item stands on.
#[derive(Debug, Clone, Copy)]
pub struct Provenances;

/// `refused.jsonl`: every refused draft or pair, with its gate and reason.
#[derive(Debug, Clone, Copy)]
pub struct Refused;

impl Emitter for Items {
    fn name(&self) -> &'static str {
        "items"
    }
    fn emit(&self, dataset: &Dataset, sink: &mut Sink<'_>) -> Result<(), EmitError> {
        lines("items.jsonl", dataset.rows(), sink)
    }
}

impl Emitter for Provenances {
    fn name(&self) -> &'static str {
        "provenance"
    }
    fn emit(&self, dataset: &Dataset, sink: &mut Sink<'_>) -> Result<(), EmitError> {
        lines("provenance.jsonl", dataset.items.iter().map(|i| Provenance::of(i, dataset)), sink)
    }
}

impl Emitter for Refused {
    fn name(&self) -> &'static str {
        "refused"
    }
    fn emit(&self, dataset: &Dataset, sink: &mut Sink<'_>) -> Result<(), EmitError> {
        lines("refused.jsonl", dataset.refusals.iter(), sink)
    }
}

fn lines<T: Serialize>(path: &str, values: impl Iterator<Item = T>, sink: &mut Sink<'_>) -> Result<(), EmitError> {
    let mut out = String::new();
    for (i, value) in values.enumerate() {
        let line = serde_json::to_string(&value).map_err(|e| EmitError::Format {
            path: path.to_string(),
            what: format!("line {}", i + 1),
            message: e.to_string(),
        })?;
        push_line(&mut out, &line);
    }
    write(sink, path, out.as_bytes())
}

/// JSON leaves these characters bare in strings, but common readers take them for line ends.
const LINE_ENDS: [(char, &str); 3] = [('\u{85}', "\\u0085"), ('\u{2028}', "\\u2028"), ('\u{2029}', "\\u2029")];

fn push_line(out: &mut String, line: &str) {
    let mut rest = line;
    while let Some(at) = rest.find(|c| LINE_ENDS.iter().any(|(end, _)| *end == c)) {
        out.push_str(&rest[..at]);
        let mut chars = rest[at..].chars();
        let found = chars.next();
        out.extend(LINE_ENDS.iter().filter(|(end, _)| Some(*end) == found).map(|(_, escape)| *escape));
        rest = chars.as_str();
    }
    out.push_str(rest);
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::push_line;

    #[test]
    fn a_line_is_one_line_for_every_reader() {
        let mut out = String::new();
        push_line(&mut out, "\"a\u{2028}b\u{85}\u{2029}é\"");
        assert_eq!(out, "\"a\\u2028b\\u0085\\u2029é\"\n");
        assert_eq!(serde_json::from_str::<String>(&out).expect("JSON"), "a\u{2028}b\u{85}\u{2029}é");
    }
}
