//! Clause patterns: regular expressions over a provision in which citations, parts, days and quotations
//! stand as slots. The slots are described at the head of `rubrics/relations.toml`.

use regex::{Regex, RegexBuilder};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::str::FromStr;
use std::sync::LazyLock;

/// What a pattern's macros stand for in the regular expression. The target's tail (a date, the subject of
/// its title, a clause between commas) is taken in lazily, within the sentence.
const MACROS: [(&str, &str); 5] = [
    ("<target>", "(?P<target><act>)(?P<tail> [a-z(][^:;.]*?|, [^:;.]*?,)??"),
    ("<until>", "(?P<until><day>|<ending>)"),
    ("<words>", "(?P<words>[^.;]+)"),
    ("<old>", "(?P<old><quote>|<ending>)"),
    ("<new>", "(?P<new><quote>|<ending>)"),
];

/// Slots that stand in a provision as they are written in a pattern.
const SLOTS: [&str; 6] = ["act", "parts", "day", "quote", "ending", "this"];

/// A compiled pattern, equal to another if it was written the same.
#[derive(Debug, Clone)]
pub struct Pattern {
    written: String,
    regex: Regex,
}

/// A pattern that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the clause pattern `{pattern}` cannot be used: {message}")]
pub struct PatternError {
    /// The pattern as written.
    pub pattern: String,
    /// Why, and what to write.
    pub message: String,
}

impl Pattern {
    /// The regular expression, macros written out; it ignores case.
    pub fn regex(&self) -> &Regex {
        &self.regex
    }

    /// The pattern as written.
    pub fn as_str(&self) -> &str {
        &self.written
    }

    /// Whether the pattern names its target itself; one that does not speaks of the act last named.
    pub fn names_target(&self) -> bool {
        self.written.contains("<target>")
    }
}

impl FromStr for Pattern {
    type Err = PatternError;
    fn from_str(written: &str) -> Result<Self, PatternError> {
        let wrong = |message: String| PatternError { pattern: written.to_string(), message };
        if let Some(name) = unknown_slot(written) {
            let known: Vec<&str> = MACROS.iter().map(|(m, _)| m.trim_matches(['<', '>'])).chain(SLOTS).collect();
            return Err(wrong(format!("`<{name}>` is no slot; the slots are {}", known.join(", "))));
        }
        let mut text = written.to_string();
        for (name, meaning) in MACROS {
            if written.matches(name).count() > 1 {
                return Err(wrong(format!("`{name}` may stand in it once")));
            }
            text = text.replace(name, meaning);
        }
        let regex = RegexBuilder::new(&text).case_insensitive(true).size_limit(1 << 22).build();
        let regex = regex.map_err(|e| wrong(e.to_string().lines().last().unwrap_or_default().trim().to_string()))?;
        Ok(Self { written: written.to_string(), regex })
    }
}

/// The first `<name>` that is neither a macro nor a slot; names of groups, `(?<name>`, do not count.
fn unknown_slot(written: &str) -> Option<&str> {
    static NAME: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(?P<group>\(\?P?)?<(?P<name>[a-z_ ]+)>").expect("a pattern of this file"));
    let known = |name: &str| SLOTS.contains(&name) || MACROS.iter().any(|(m, _)| m.trim_matches(['<', '>']) == name);
    let named = NAME.captures_iter(written).filter(|c| c.name("group").is_none());
    named.filter_map(|c| c.name("name")).map(|m| m.as_str()).find(|name| !known(name))
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.written == other.written
    }
}

impl Eq for Pattern {}

impl Serialize for Pattern {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.written)
    }
}

impl<'de> Deserialize<'de> for Pattern {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_checked_and_errors_say_what_to_write() {
        let pattern: Pattern = "^<target> is repealed".parse().expect("a pattern");
        assert!(pattern.names_target());
        assert!(pattern.regex().is_match("<act> of <day> on fees is repealed."));
        let error = "^<traget> is repealed".parse::<Pattern>().expect_err("no slot");
        assert!(error.message.contains("`<traget>` is no slot"), "{error}");
        assert!("<target> replaces <target>".parse::<Pattern>().is_err());
        assert!("^<target> (is".parse::<Pattern>().is_err());
    }
}
