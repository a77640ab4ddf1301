//! The queries as they are sent: the files of `src/source/queries/` with their slots filled.

use super::{Question, Slice};
use crate::law::{Celex, Day, Digest, local_name};

const PROLOGUE: &str = include_str!("../queries/prologue.rq");
const NUMBERED: &str = include_str!("../queries/numbered.rq");
const NAMELESS: &str = include_str!("../queries/nameless.rq");
const COUNT: &str = include_str!("../queries/count.rq");
const SPREAD: &str = include_str!("../queries/spread.rq");
const ANY: &str = include_str!("../queries/any.rq");
const KNOWN: &str = include_str!("../queries/known.rq");
const MODIFIED: &str = include_str!("../queries/modified.rq");

/// A query, and what to call it in messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    name: String,
    text: String,
}

impl Query {
    /// The rows of a question about a predicate (none where the question names it itself) in a slice, either of works
    /// with a number or of works without.
    pub fn rows(question: &Question, predicate: Option<&str>, slice: &Slice) -> Self {
        Self::new(named(question, predicate, slice), &asked(question, predicate, slice))
    }

    /// How many rows that has: the very same question, counted.
    pub fn count(question: &Question, predicate: Option<&str>, slice: &Slice) -> Self {
        let asked = asked(question, predicate, slice);
        Self::new(format!("the count of {}", named(question, predicate, slice)), &fill(COUNT, &[("query", &asked)]))
    }

    /// How many of those rows lie under each beginning, `length` characters long, of the key.
    pub fn spread(question: &Question, predicate: Option<&str>, slice: &Slice, length: usize) -> Self {
        let (asked, key) = (asked(question, predicate, slice), question.key(slice.is_nameless()));
        let text = fill(SPREAD, &[("query", &asked), ("key", &key), ("length", &length.to_string())]);
        Self::new(format!("the spread of {}", named(question, predicate, slice)), &text)
    }

    /// One statement with a predicate, whichever.
    pub fn any(predicate: &str) -> Self {
        Self::new(format!("any statement with {predicate}"), &fill(ANY, &[("predicate", &local_name(predicate))]))
    }

    /// One statement that is known to be there.
    pub fn known(predicate: &str, source: &Celex, target: &Celex) -> Self {
        let ends = [literal(source.as_str()), literal(target.as_str())];
        let slots = [("predicate", local_name(predicate)), ("source", ends[0].clone()), ("target", ends[1].clone())];
        let slots: Vec<(&str, &str)> = slots.iter().map(|(slot, value)| (*slot, value.as_str())).collect();
        Self::new(format!("whether {source} {predicate} {target}"), &fill(KNOWN, &slots))
    }

    /// Which of some acts have a record that was changed on a day or after it.
    pub fn modified<'a>(day: Day, acts: impl IntoIterator<Item = &'a Celex>) -> Self {
        let acts: Vec<String> =
            acts.into_iter().map(|celex| format!("\"{}\"^^xsd:string", literal(celex.as_str()))).collect();
        let text = fill(MODIFIED, &[("acts", &acts.join(" ")), ("day", &day.to_string())]);
        Self::new(format!("which of {} acts changed since {day}", acts.len()), &text)
    }

    fn new(name: String, body: &str) -> Self {
        let lines: Vec<&str> = PROLOGUE.lines().chain(body.lines()).map(str::trim_end).collect();
        let text = lines.join("\n");
        Self { name, text }
    }

    /// What it asks, in words.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// As it is sent.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Which query it is, sent to this address.
    pub(super) fn digest(&self, address: &str) -> Digest {
        Digest::of_fields([address.as_bytes(), self.text.as_bytes()])
    }

    /// Whether it compares a triple with a literal of no type, which finds no CELEX number: those are typed strings.
    pub fn matches_untyped(&self) -> bool {
        let mut depth = 0_u32;
        pieces(&self.text).any(|(piece, rest)| {
            match piece {
                "(" => depth += 1,
                ")" => depth = depth.saturating_sub(1),
                _ => {}
            }
            piece.starts_with('"') && depth == 0 && !rest.starts_with("^^") && !rest.starts_with('@')
        })
    }

    /// Whether it skips rows that the server then has to sort and count through each time.
    pub fn skips_rows(&self) -> bool {
        pieces(&self.text).any(|(piece, _)| piece.eq_ignore_ascii_case("offset"))
    }
}

fn named(question: &Question, predicate: Option<&str>, slice: &Slice) -> String {
    predicate.map_or_else(|| format!("{question} {slice}"), |p| format!("{question} ({p}) {slice}"))
}

/// The question itself, its rows bounded by their keys.
fn asked(question: &Question, predicate: Option<&str>, slice: &Slice) -> String {
    let (from, to, key) = (literal(slice.from()), literal(slice.to()), question.key(slice.is_nameless()));
    let (work, number) = question.about();
    let bounds = [("work", work), ("number", number), ("key", &key), ("from", &from), ("to", &to)];
    let named = fill(if slice.is_nameless() { NAMELESS } else { NUMBERED }, &bounds);
    let (predicate, own) = (predicate.map(local_name).unwrap_or_default(), question.slots());
    let mut slots = vec![("predicate", predicate.as_str()), ("named", named.as_str())];
    slots.extend(own.iter().map(|(slot, value)| (*slot, value.as_str())));
    fill(question.text(), &slots)
}

/// A text with its slots filled, its comments left out. In one pass: a value that looks like a slot stays a value.
fn fill(template: &str, slots: &[(&str, &str)]) -> String {
    let lines = template.lines().filter(|line| !line.starts_with('#'));
    let template = lines.collect::<Vec<_>>().join("\n");
    let mut out = String::new();
    for (at, piece) in template.split('%').enumerate() {
        let value = slots.iter().find(|(slot, _)| at % 2 == 1 && *slot == piece);
        out.push_str(value.map_or(piece, |(_, value)| value));
    }
    out
}

/// A text for between the double quotes of a literal: what the grammar does not let stand there (SPARQL 1.1, rule 157,
/// `STRING_LITERAL2`) is escaped, and nothing else.
///
/// ```
/// assert_eq!(legal_link::source::sparql_literal("a\"b\\c\nd"), r#"a\"b\\c\nd"#);
/// ```
pub fn literal(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            other => out.push(other),
        }
    }
    out
}

/// The words, brackets and literals of a query, each with what follows it; addresses are passed over whole.
fn pieces(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let first = rest.chars().next()?;
        let end = match first {
            '"' => quoted(rest),
            '<' => rest.find(['>', ' ', '\n']).map_or(rest.len(), |at| at + 1),
            c if c.is_alphanumeric() => rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len()),
            c => c.len_utf8(),
        };
        let (piece, after) = rest.split_at(end);
        rest = after;
        Some((piece, after))
    })
}

/// Where a literal that begins here ends.
fn quoted(text: &str) -> usize {
    let mut escaped = false;
    let end = text.char_indices().skip(1).find(|(_, c)| {
        let closes = *c == '"' && !escaped;
        escaped = *c == '\\' && !escaped;
        closes
    });
    end.map_or(text.len(), |(at, _)| at + 1)
}

#[cfg(test)]
mod tests {
    use super::super::Around;
    use super::*;
    use crate::law::Registry;

    fn questions() -> Vec<Question> {
        let text = include_str!("../../../rubrics/relations.toml");
        let registry = Registry::parse([("relations.toml", text)]).expect("the shipped registry");
        let relation = registry.relation("repeals").expect("a relation of it");
        let acts = ["32009R9001", "31999R9001"].map(|celex| celex.parse().expect("a number"));
        let around = Around::all(acts, ["p".to_string(), "q> ?x".to_string()]);
        let around =
            around.into_iter().flat_map(|a| [Question::AnnotationsAround(a.clone()), Question::DatesAround(a)]);
        let whole = [
            Question::Edges(relation.clone()),
            Question::Annotations(relation.clone()),
            Question::Dates(relation),
            Question::States,
        ];
        whole.into_iter().chain(around).collect()
    }

    #[test]
    fn every_slot_is_filled_and_every_literal_typed_or_compared() {
        let (celex, day): (Celex, Day) =
            ("32009R9001".parse().expect("a number"), "2026-08-22".parse().expect("a day"));
        let mut queries = vec![Query::any("p"), Query::known("p", &celex, &celex), Query::modified(day, [&celex])];
        for question in questions() {
            let slice = Slice::of("3", "4");
            queries.push(Query::rows(&question, Some("p"), &slice));
            queries.push(Query::count(&question, Some("p"), &slice));
            queries.push(Query::spread(&question, Some("p"), &slice, 5));
        }
        for query in queries {
            assert!(!query.text().contains('%') && !query.text().contains("\n#"), "{}", query.text());
            assert!(!query.matches_untyped() && !query.skips_rows(), "{}", query.text());
        }
    }

    #[test]
    fn values_cannot_leave_their_place() {
        let hostile = Slice::of("\") } # %to%", "~");
        let text = Query::rows(&questions()[0], Some("p> . ?a ?b ?c"), &hostile).text().to_string();
        assert!(text.contains(r#" >= "\") } # %to%" && CONCAT("#) && text.contains(r#" < "~""#), "{text}");
        assert!(text.contains("cdm:pabc"), "{text}");
    }

    #[test]
    fn bad_habits_are_seen() {
        let query = |text: &str| Query { name: String::new(), text: text.to_string() };
        assert!(query("SELECT ?w { ?w cdm:id \"3\" }").matches_untyped());
        assert!(!query("SELECT ?w { ?w cdm:id \"3\"^^xsd:string . FILTER(STR(?x) = \"3\") }").matches_untyped());
        assert!(query("SELECT ?w { } offset 5").skips_rows());
        assert!(!query("SELECT ?w { ?w ?p \"no OFFSET \\\" offset\"@en }").skips_rows());
    }
}
