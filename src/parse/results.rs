//! Answers of a SPARQL endpoint in JSON, and the documents in which complete ones are kept.

use super::annotation::{Annotation, checked_day};
use super::notice::{End, Gathered};
use super::{Parsed, Refused, Tables, Warning, sniff};
use crate::law::{Celex, ConsolidatedState, Day, Digest, Locus, RegisterKind, Registry, Span};
use serde::de::{Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::fmt;

/// The rows of an answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Results {
    /// What was asked for, in the order of the answer's head.
    pub variables: Vec<String>,
    /// The rows, in the order of the answer.
    pub rows: Vec<Solution>,
}

/// One row of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solution {
    /// The bytes of the row.
    pub span: Span,
    /// The value of each variable; none where the row leaves it open.
    terms: Vec<Option<Box<str>>>,
}

impl Results {
    /// What a row says of a variable: an address, a literal's text or a node's label. None where the answer does not
    /// have the variable, or the row leaves it open.
    pub fn value<'a>(&self, row: &'a Solution, variable: &str) -> Option<&'a str> {
        let at = self.variables.iter().position(|known| known == variable)?;
        row.terms.get(at)?.as_deref()
    }

    /// The number that an answer of one row and one number gives.
    pub fn number(&self) -> Option<u64> {
        match (self.rows.as_slice(), self.variables.as_slice()) {
            ([row], [variable]) => self.value(row, variable)?.trim().parse().ok(),
            _ => None,
        }
    }

    /// How many rows name an act by its address alone, since it has no CELEX number.
    pub fn nameless(&self) -> usize {
        let names: Vec<usize> = (0..self.variables.len()).filter(|at| self.variables[*at].ends_with(CELEX)).collect();
        let open = |row: &&Solution| names.iter().any(|at| row.terms.get(*at).is_none_or(Option::is_none));
        self.rows.iter().filter(open).count()
    }
}

/// How the variables end that hold CELEX numbers.
const CELEX: &str = "celex";

/// Reads an answer in the JSON format for SPARQL results (W3C Recommendation of 21 March 2013), and the older
/// `typed-literal` that some servers write. White space around it is no matter; spans are those of `bytes`.
///
/// # Errors
/// [`Refused`] where it is not whole or not sound: cut, a variable twice, a value without a known type, or an answer
/// without rows (`ASK`).
///
/// ```
/// let answer = br#"{"head": {"vars": ["rows"]}, "results": {"bindings": [{"rows": {"type": "literal", "value": "7"}}]}}"#;
/// assert_eq!(legal_link::parse::results(answer).unwrap().value.number(), Some(7));
/// ```
pub fn results(bytes: &[u8]) -> Result<Parsed<Results>, Refused> {
    if bytes.len() > sniff::LIMIT {
        return Err(Refused::TooBig { bytes: bytes.len(), limit: sniff::LIMIT });
    }
    let text = utf8(bytes)?;
    let value = rows(text, text)?;
    let mut warnings = Vec::new();
    if value.variables.is_empty() {
        warnings.push(Warning { span: Span::new(0, bytes.len()), message: "an answer without variables".to_string() });
    }
    Ok(Parsed { value, warnings })
}

fn utf8(bytes: &[u8]) -> Result<&str, Refused> {
    std::str::from_utf8(bytes).map_err(|e| not_this(&e))
}

fn not_this(found: &dyn fmt::Display) -> Refused {
    Refused::NotThis { wanted: "SPARQL answer", found: found.to_string() }
}

/// The rows of `answer`, a part of `whole`.
fn rows(whole: &str, answer: &str) -> Result<Results, Refused> {
    let read: Answer = serde_json::from_str(answer).map_err(|e| not_this(&e))?;
    let variables = read.head.vars;
    if let Some(twice) = variables.iter().enumerate().find(|(at, name)| variables[..*at].contains(name)) {
        return Err(not_this(&format!("the variable `{}` twice in its head", twice.1)));
    }
    let mut rows = Vec::with_capacity(read.results.bindings.len());
    for raw in read.results.bindings {
        let row: Row = serde_json::from_str(raw.get()).map_err(|e| not_this(&e))?;
        let mut terms = vec![None; variables.len()];
        for (name, value) in row.0 {
            let at = variables.iter().position(|known| *known == name);
            let at = at.ok_or_else(|| not_this(&format!("a value of `{name}`, which its head does not name")))?;
            if terms[at].replace(value.into_boxed_str()).is_some() {
                return Err(not_this(&format!("two values of `{name}` in one row")));
            }
        }
        rows.push(Solution { span: place(whole, raw.get()), terms });
    }
    Ok(Results { variables, rows })
}

/// Where a part of a text stands in it.
fn place(whole: &str, part: &str) -> Span {
    let start = part.as_ptr().addr().saturating_sub(whole.as_ptr().addr());
    Span::new(start, start + part.len())
}

#[derive(Deserialize)]
struct Answer<'a> {
    head: Head,
    #[serde(borrow)]
    results: Bindings<'a>,
}

#[derive(Deserialize)]
struct Head {
    vars: Vec<String>,
}

#[derive(Deserialize)]
struct Bindings<'a> {
    #[serde(borrow)]
    bindings: Vec<&'a RawValue>,
}

/// A row as it stands there: a name given twice is seen.
struct Row(Vec<(String, String)>);

#[derive(Deserialize)]
struct Term {
    #[serde(rename = "type")]
    _kind: TermKind,
    value: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum TermKind {
    Uri,
    Literal,
    TypedLiteral,
    Bnode,
}

impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs;
        impl<'de> Visitor<'de> for Pairs {
            type Value = Row;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a row of values by variable")
            }
            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Row, M::Error> {
                let mut row = Vec::new();
                while let Some((name, term)) = map.next_entry::<String, Term>()? {
                    row.push((name, term.value));
                }
                Ok(Row(row))
            }
        }
        deserializer.deserialize_map(Pairs)
    }
}

/// A document of answers: what was asked, and every answer as it came. Together they are complete.
#[derive(Debug, Serialize, Deserialize)]
pub struct Told<'a> {
    /// The question, in a word.
    pub question: String,
    /// The relation it is about; none where it is about none.
    #[serde(default)]
    pub relation: Option<String>,
    /// How many rows there are.
    pub rows: u64,
    /// The answers, in the order of their keys.
    #[serde(borrow)]
    pub answers: Vec<ToldOnce<'a>>,
}

/// One answer in a document of them.
#[derive(Debug, Serialize, Deserialize)]
pub struct ToldOnce<'a> {
    /// The predicate that was asked about (CDM local name); none where the question names it itself.
    #[serde(default)]
    pub predicate: Option<String>,
    /// The day on which it was given.
    #[serde(default)]
    pub taken: Option<Day>,
    /// The answer as it came.
    #[serde(borrow)]
    pub answer: &'a RawValue,
}

/// More bytes than a document of answers may have: what the cache keeps.
const LONGEST: usize = 256 << 20;

/// Whether bytes may be a document of answers.
pub(super) fn is_told(bytes: &[u8]) -> bool {
    bytes.trim_ascii_start().starts_with(b"{")
}

/// Reads a document of answers into what other tables give. Rows of which an end has no CELEX number are left out, each
/// with a warning that names it.
pub(super) fn told(bytes: &[u8], registry: &Registry, taken: Option<Day>) -> Result<Parsed<Tables>, Refused> {
    if bytes.len() > LONGEST {
        return Err(Refused::TooBig { bytes: bytes.len(), limit: LONGEST });
    }
    let text = utf8(bytes)?;
    let read: Told = serde_json::from_str(text).map_err(|e| not_this(&e))?;
    let document = Digest::of(bytes);
    let (mut tables, mut warnings, mut counted) = (Tables::default(), Vec::new(), 0);
    for ToldOnce { predicate, taken: day, answer } in &read.answers {
        let gathered = Gathered::new(document, registry, RegisterKind::Table, day.or(taken));
        let results = rows(text, answer.get())?;
        counted += results.rows.len() as u64;
        let mut reading = Reading { results: &results, predicate: predicate.as_deref(), gathered };
        for row in &results.rows {
            if let Err(message) = reading.read(row, &mut tables, Locus { document, span: row.span }, day.or(taken)) {
                reading.gathered.warnings.push(Warning { span: row.span, message });
            }
        }
        let told = reading.gathered.finish();
        warnings.extend(told.warnings);
        tables.rows.extend(told.value.rows);
        tables.records.extend(told.value.records);
        tables.states.extend(told.value.states);
        tables.works.extend(told.value.works);
    }
    if counted != read.rows {
        let message = format!("{} rows were announced and {counted} stand here", read.rows);
        warnings.push(Warning { span: Span::new(0, bytes.len()), message });
    }
    Ok(Parsed { value: tables, warnings })
}

struct Reading<'a> {
    results: &'a Results,
    predicate: Option<&'a str>,
    gathered: Gathered<'a>,
}

impl Reading<'_> {
    fn read(&mut self, row: &Solution, into: &mut Tables, locus: Locus, taken: Option<Day>) -> Result<(), String> {
        let has = |name: &str| self.results.variables.iter().any(|v| v == name);
        if has("property") {
            self.fact(row)
        } else if has("state_date") {
            into.states.extend(self.state(row, locus, taken)?);
            Ok(())
        } else if has("source_celex") && has("target_celex") {
            self.link(row)
        } else {
            Err("no question of ours has such an answer".to_string())
        }
    }

    fn value<'r>(&self, row: &'r Solution, variable: &str) -> Option<&'r str> {
        self.results.value(row, variable)
    }

    /// The number of an act, by which its address is known from now on; or why there is none.
    fn celex(&mut self, row: &Solution, variable: &str, address: &str) -> Result<Celex, String> {
        let work = self.value(row, address);
        let Some(number) = self.value(row, variable) else {
            return Err(format!("{} has no CELEX number ({address})", work.unwrap_or("a work")));
        };
        let celex: Celex = number.parse().map_err(|e| format!("{variable}: {e}"))?;
        if let Some(work) = work {
            self.gathered.work(work.to_string(), celex.clone());
        }
        Ok(celex)
    }

    /// What a row says besides the acts.
    fn annotation(&self, row: &Solution) -> Annotation {
        let mut annotation = Annotation::default();
        for variable in &self.results.variables {
            if let Some(value) = self.value(row, variable) {
                annotation.set(variable, value);
            }
        }
        annotation
    }

    fn link(&mut self, row: &Solution) -> Result<(), String> {
        let said = self.value(row, "predicate").map(|address| address.rsplit('#').next().unwrap_or(address));
        let predicate = said.or(self.predicate).ok_or("the predicate is not said")?;
        let relation = self.gathered.relation(predicate);
        let relation = relation.ok_or_else(|| format!("`{predicate}` is no predicate of the registry"))?;
        let source = self.celex(row, "source_celex", "source")?;
        let target = self.celex(row, "target_celex", "target")?;
        for (variable, celex) in [("source", &source), ("target", &target)] {
            if let Some(address) = self.value(row, variable) {
                self.gathered.work(address.to_string(), celex.clone());
            }
        }
        self.gathered.link(End::Act(source), relation, End::Act(target), row.span, self.annotation(row));
        Ok(())
    }

    fn fact(&mut self, row: &Solution) -> Result<(), String> {
        let celex = self.celex(row, "celex", "work")?;
        let property = self.value(row, "property").ok_or("no property")?;
        let value = self.value(row, "value").ok_or("no value")?;
        self.gathered.fact(&celex, property, value, &self.annotation(row), row.span);
        Ok(())
    }

    /// A consolidated state of its own act; none where the statement leads to another act.
    fn state(&mut self, row: &Solution, locus: Locus, taken: Option<Day>) -> Result<Option<ConsolidatedState>, String> {
        let celex = self.celex(row, "consolidated_celex", "consolidated")?;
        let of = self.celex(row, "act_celex", "act")?;
        let from = match self.value(row, "state_date") {
            Some(date) => checked_day(date).map_err(|e| format!("{celex}: state date `{date}`: {e}"))?,
            None => celex.parts().version.ok_or_else(|| format!("{celex}: no state date"))?,
        };
        let own = celex.is_consolidated() && celex.base() == of;
        Ok(own.then_some(ConsolidatedState { celex, of, from, until: None, locus, taken }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CDM: &str = "http://publications.europa.eu/ontology/cdm#";

    /// As a server writes it: a line end first, tabs before commas.
    fn answer(variables: &[&str], rows: &[&[Option<(&str, &str)>]]) -> String {
        let head: Vec<String> = variables.iter().map(|v| format!("\"{v}\"")).collect();
        let row = |cells: &&[Option<(&str, &str)>]| {
            let said = variables.iter().zip(*cells).filter_map(|(variable, cell)| {
                let (kind, value) = (*cell)?;
                Some(format!("\"{variable}\": {{ \"type\": \"{kind}\", \"value\": \"{value}\" }}"))
            });
            format!("    {{ {}}}", said.collect::<Vec<_>>().join("\t, "))
        };
        let rows: Vec<String> = rows.iter().map(row).collect();
        format!(
            "\n{{ \"head\": {{ \"link\": [], \"vars\": [{}] }},\n  \"results\": {{ \"distinct\": false, \"ordered\": true, \"bindings\": [\n{} ] }} }}",
            head.join(", "),
            rows.join(",\n")
        )
    }

    fn document(predicate: Option<&str>, answers: &[String], rows: usize) -> String {
        let predicate = predicate.map_or("null".to_string(), |p| format!("\"{p}\""));
        let answers: Vec<String> = answers
            .iter()
            .map(|a| format!("{{\"predicate\":{predicate},\"taken\":\"2026-08-22\",\"answer\":{}}}", a.trim()))
            .collect();
        format!("{{\"question\":\"q\",\"rows\":{rows},\"answers\":[{}]}}", answers.join(",\n"))
    }

    fn registry() -> Registry {
        Registry::parse([("relations.toml", include_str!("../../rubrics/relations.toml"))])
            .expect("the shipped registry")
    }

    fn tables(text: &str) -> Parsed<Tables> {
        super::super::table("http://localhost/sparql", text.as_bytes(), &registry(), |_| None).expect("a document")
    }

    #[test]
    fn rows_know_their_bytes_and_leave_values_open() {
        let text = answer(&["a", "b"], &[&[Some(("uri", "x:1")), None], &[None, Some(("typed-literal", "2"))]]);
        let Results { variables, rows } = results(text.as_bytes()).expect("an answer").value;
        let read = Results { variables, rows: rows.clone() };
        assert_eq!(read.value(&rows[0], "a"), Some("x:1"));
        assert_eq!(read.value(&rows[0], "b"), None);
        assert_eq!(read.value(&rows[1], "c"), None);
        let bytes = rows[1].span.slice(text.as_bytes()).expect("bytes");
        assert_eq!(bytes, br#"{ "b": { "type": "typed-literal", "value": "2" }}"#);
    }

    #[test]
    fn what_is_not_whole_or_not_sound_is_refused() {
        let good = answer(&["a"], &[&[Some(("uri", "x:1"))], &[Some(("bnode", "b1"))]]);
        assert!(results(good.as_bytes()).is_ok());
        for cut in 1..good.trim_end().len() {
            assert!(results(&good.as_bytes()[..cut]).is_err(), "cut at {cut}");
        }
        let twice = answer(&["a", "a"], &[]);
        let stranger = good.replace("\"vars\": [\"a\"]", "\"vars\": [\"b\"]");
        let kind = good.replace("bnode", "triple");
        let number = good.replace("\"x:1\"", "1");
        let double = good.replace(
            "{ \"a\": { \"type\": \"uri\"",
            "{ \"a\": { \"type\": \"uri\", \"value\": \"y\" }, \"a\": { \"type\": \"uri\"",
        );
        let two_heads = good.replace("{ \"head\"", "{ \"head\": { \"vars\": [] }, \"head\"");
        let ask = "{\"head\": {}, \"boolean\": true}".to_string();
        let words = "Virtuoso 37000 Error SP030: SPARQL compiler".to_string();
        for bad in [twice, stranger, kind, number, double, two_heads, ask, words, String::new(), format!("{good} x")] {
            assert!(results(bad.as_bytes()).is_err(), "{bad}");
        }
    }

    #[test]
    fn statements_become_rows_with_their_annotations() {
        let bare = answer(
            &["source", "source_celex", "target", "target_celex"],
            &[
                &[
                    Some(("uri", "c:1")),
                    Some(("literal", "32009R9001")),
                    Some(("uri", "c:2")),
                    Some(("literal", "31999R9001")),
                ],
                &[Some(("uri", "c:3")), None, Some(("uri", "c:2")), Some(("literal", "31999R9001"))],
            ],
        );
        let parsed = tables(&document(Some("resource_legal_repeals_resource_legal"), &[bare], 2));
        assert_eq!(parsed.value.rows.len(), 1);
        let row = &parsed.value.rows[0];
        assert_eq!((row.source.as_str(), row.target.as_str()), ("32009R9001", "31999R9001"));
        assert_eq!(row.register, RegisterKind::Table);
        let works: Vec<(&str, &str)> =
            parsed.value.works.iter().map(|(at, celex)| (at.as_str(), celex.as_str())).collect();
        assert_eq!(works, [("c:1", "32009R9001"), ("c:2", "31999R9001")]);
        assert_eq!(row.taken.map(|d| d.to_string()).as_deref(), Some("2026-08-22"));
        assert_eq!(parsed.warnings.len(), 1);
        assert!(parsed.warnings[0].message.contains("c:3"), "{:?}", parsed.warnings);

        let annotated = answer(
            &["axiom", "source", "source_celex", "target", "target_celex", "start_of_validity", "language_list"],
            &[&[
                Some(("bnode", "b1")),
                Some(("uri", "c:1")),
                Some(("literal", "32009R9001")),
                Some(("uri", "c:2")),
                Some(("literal", "31999R9001")),
                Some(("literal", "2010/02/01")),
                Some(("literal", "BG, ET")),
            ]],
        );
        let parsed = tables(&document(Some("resource_legal_repeals_resource_legal"), &[annotated], 1));
        let row = &parsed.value.rows[0];
        assert_eq!(row.start.map(|d| d.to_string()).as_deref(), Some("2010-02-01"));
        assert_eq!(row.languages.len(), 2);
    }

    #[test]
    fn dates_become_one_record_and_states_keep_to_their_act() {
        let said = |property: &str, value: &str, kind: Option<&str>| {
            let property = format!("{CDM}{property}");
            let cells = [Some("c:1"), Some("31999R9001"), Some(property.as_str()), Some(value), kind];
            let cells: Vec<Option<(&str, &str)>> = cells.iter().map(|c| c.map(|v| ("literal", v))).collect();
            answer(&["work", "celex", "property", "value", "type_of_date"], &[&cells])
        };
        let force = "resource_legal_date_entry-into-force";
        let one = said(force, "2000-01-02", Some("{EV|x/fd_335/EV}"));
        let parsed = tables(&document(None, &[one], 1));
        assert_eq!(format!("{:?}", parsed.value.records[0].effects[0].0), "EntryIntoForce");
        let flag = tables(&document(None, &[said("resource_legal_in-force", "1", None)], 1));
        assert_eq!(flag.value.records[0].in_force, Some(true));
        let open = tables(&document(None, &[said("resource_legal_date_end-of-validity", "9999-12-31", None)], 1));
        assert!(open.value.records[0].open_end && open.value.records[0].ends.is_empty());
        let year = tables(&document(None, &[said("work_date_document", "1999", None)], 2));
        assert_eq!(year.value.records[0].date_document, None);
        assert_eq!(year.warnings.len(), 2, "no day, and a row that is missing: {:?}", year.warnings);

        let state = |act: &str| {
            let cells = ["01999R9001-20000102", "2000-01-02", act].map(|v| Some(("literal", v)));
            answer(&["consolidated_celex", "state_date", "act_celex"], &[&cells])
        };
        let parsed = tables(&document(None, &[state("31999R9001"), state("31998R9009")], 2));
        assert_eq!(parsed.value.states.len(), 1);
        assert_eq!(parsed.value.states[0].of.as_str(), "31999R9001");
        assert!(parsed.warnings.is_empty());
    }
}
