//! Tables of relations, acts, consolidated states and pairs, recognised by their columns.

use super::annotation::{Annotation, boolean, checked_day, day};
use super::notice::Gathered;
use super::{Parsed, Refused, Warning, results, sniff};
use crate::law::{
    ActRecord, Celex, ConsolidatedState, Day, DayError, Digest, Endpoint, Locus, Part, RegisterKind, RegisterRow,
    Registry, RelationType, Span,
};
use std::collections::BTreeMap;

/// What a table holds; a table holds one of these.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tables {
    /// Statements that one act acts on another.
    pub rows: Vec<RegisterRow>,
    /// Statements about acts themselves.
    pub records: Vec<ActRecord>,
    /// Consolidated states.
    pub states: Vec<ConsolidatedState>,
    /// Pairs of acts to ask about: no evidence.
    pub pairs: Vec<Pair>,
    /// The addresses of works that it names, with their CELEX numbers.
    pub works: Vec<(String, Celex)>,
}

/// A pair of acts that a list names, in the forward direction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// The acting act, or a part of it.
    pub source: Endpoint,
    /// The relation.
    pub relation: RelationType,
    /// The act acted upon, or a part of it.
    pub target: Endpoint,
    /// What the list says the pair rests on, if it does.
    pub evidence: Option<String>,
    /// Where it stands.
    pub locus: Locus,
}

/// Reads a table: CSV with a header line, or a document of a SPARQL endpoint's answers. `taken_of` tells the day on which a file of the same source was
/// taken: a row of an edge table that names its evidence file is as old as that.
///
/// # Errors
/// [`Refused`] where the columns are those of no table known here. Relations read from texts are no
/// register's word and are refused too.
pub fn table(
    name: &str,
    bytes: &[u8],
    registry: &Registry,
    taken_of: impl Fn(&str) -> Option<Day>,
) -> Result<Parsed<Tables>, Refused> {
    if results::is_told(bytes) {
        return results::told(bytes, registry, taken_of(name));
    }
    if bytes.len() > sniff::LIMIT {
        return Err(Refused::TooBig { bytes: bytes.len(), limit: sniff::LIMIT });
    }
    let document = Digest::of(bytes);
    let mark = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let bytes = &bytes[mark..];
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(bytes);
    let not_this = |found: String| Refused::NotThis { wanted: "table", found };
    let header = reader.byte_headers().map_err(|e| not_this(e.to_string()))?.clone();
    let columns: BTreeMap<String, usize> =
        header.iter().enumerate().map(|(i, c)| (String::from_utf8_lossy(c).trim().to_string(), i)).collect();
    let has = |names: &[&str]| names.iter().all(|n| columns.contains_key(*n));
    let kind = if has(&["text_evidence"]) {
        return Err(not_this("relations read from texts, which are no register's word".to_string()));
    } else if has(&["source_celex", "relation", "target_celex", "evidence_file"]) {
        Kind::Edges
    } else if has(&["source_celex", "relation", "target_celex"]) {
        Kind::Pairs(["source_celex", "relation", "target_celex"])
    } else if has(&["published_source", "published_relation", "published_target"]) {
        Kind::Pairs(["published_source", "published_relation", "published_target"])
    } else if has(&["consolidated_celex", "state_date", "consolidates"]) {
        Kind::States
    } else if has(&["celex", "work_date_document", "in_force_raw"]) {
        Kind::Records
    } else if has(&["celex", "property", "value"]) {
        Kind::Facts
    } else {
        return Err(not_this(format!("unknown columns in {name}: {}", String::from_utf8_lossy(header.as_slice()))));
    };
    let mut reading = Reading {
        registry,
        document,
        taken: taken_of(name),
        taken_of: &taken_of,
        facts: Gathered::new(document, registry, RegisterKind::Table, taken_of(name)),
        tables: Tables::default(),
        warnings: Vec::new(),
    };
    let mut record = csv::ByteRecord::new();
    loop {
        let more = reader.read_byte_record(&mut record);
        let start = record.position().map_or(0, |p| usize::try_from(p.byte()).unwrap_or(0));
        let end = usize::try_from(reader.position().byte()).unwrap_or(start).min(bytes.len());
        let line = bytes.get(start..end).unwrap_or_default();
        let end = start + line.trim_ascii_end().len();
        let span = Span::new(mark + end - line.trim_ascii().len(), mark + end);
        match more {
            Ok(true) => {
                let row = Row { columns: &columns, record: &record };
                if let Err(message) = reading.read(kind, &row, span) {
                    reading.warnings.push(Warning { span, message });
                }
            }
            Ok(false) => break,
            Err(e) => {
                reading.warnings.push(Warning { span, message: e.to_string() });
                break;
            }
        }
    }
    let Reading { facts, mut tables, mut warnings, .. } = reading;
    let told = facts.finish();
    tables.records.extend(told.value.records);
    warnings.extend(told.warnings);
    Ok(Parsed { value: tables, warnings })
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Edges,
    Pairs([&'static str; 3]),
    States,
    /// One row per act.
    Records,
    /// One row per statement about an act: a property (CDM local name, or its address) and a value.
    Facts,
}

struct Row<'a> {
    columns: &'a BTreeMap<String, usize>,
    record: &'a csv::ByteRecord,
}

impl Row<'_> {
    /// The trimmed text of a cell; none if it is empty or not there.
    fn cell(&self, column: &str) -> Option<String> {
        let cell = self.record.get(*self.columns.get(column)?)?;
        let text = String::from_utf8_lossy(cell).trim().to_string();
        (!text.is_empty()).then_some(text)
    }

    fn celex(&self, column: &str) -> Result<Celex, String> {
        let text = self.cell(column).ok_or_else(|| format!("no {column}"))?;
        text.parse().map_err(|e| format!("{column}: {e}"))
    }

    /// What it says besides the acts.
    fn annotation(&self) -> Annotation {
        let mut annotation = Annotation::default();
        for column in self.columns.keys() {
            if let Some(value) = self.cell(column) {
                annotation.set(column, &value);
            }
        }
        annotation
    }
}

struct Reading<'a> {
    registry: &'a Registry,
    document: Digest,
    taken: Option<Day>,
    taken_of: &'a dyn Fn(&str) -> Option<Day>,
    facts: Gathered<'a>,
    tables: Tables,
    warnings: Vec<Warning>,
}

impl Reading<'_> {
    fn read(&mut self, kind: Kind, row: &Row, span: Span) -> Result<(), String> {
        let locus = Locus { document: self.document, span };
        match kind {
            Kind::Edges => self.edge(row, locus),
            Kind::Pairs(columns) => self.pair(columns, row, locus),
            Kind::States => self.state(row, locus),
            Kind::Records => self.record(row, locus),
            Kind::Facts => self.fact(row, span),
        }
    }

    fn relation(&self, row: &Row, column: &str) -> Result<(RelationType, bool), String> {
        let name = row.cell(column).ok_or("no relation")?;
        self.registry.by_any_name(&name).ok_or_else(|| format!("`{name}` is no relation of the registry"))
    }

    fn edge(&mut self, row: &Row, locus: Locus) -> Result<(), String> {
        let (relation, inverse) = self.relation(row, "relation")?;
        let (mut source, mut target) = (row.celex("source_celex")?, row.celex("target_celex")?);
        if inverse {
            std::mem::swap(&mut source, &mut target);
        }
        let taken = match row.cell("evidence_file") {
            Some(file) => (self.taken_of)(&file),
            None => self.taken,
        };
        let mut edge = RegisterRow { taken, ..RegisterRow::bare(source, relation, target, RegisterKind::Table, locus) };
        row.annotation().into_row(&mut edge);
        self.tables.rows.push(edge);
        Ok(())
    }

    fn pair(&mut self, [source, relation, target]: [&str; 3], row: &Row, locus: Locus) -> Result<(), String> {
        let (relation, inverse) = self.relation(row, relation)?;
        let end = |column: &str| endpoint(&row.cell(column).ok_or_else(|| format!("no {column}"))?);
        let (mut source, mut target) = (end(source)?, end(target)?);
        if inverse {
            std::mem::swap(&mut source, &mut target);
        }
        self.tables.pairs.push(Pair { source, relation, target, evidence: row.cell("evidence"), locus });
        Ok(())
    }

    fn state(&mut self, row: &Row, locus: Locus) -> Result<(), String> {
        let from = row.cell("state_date").ok_or("no state_date")?;
        let from = checked_day(&from).map_err(|e| format!("state_date `{from}`: {e}"))?;
        let until = row.cell("state_end_derived").as_deref().and_then(day);
        let (celex, of) = (row.celex("consolidated_celex")?, row.celex("consolidates")?);
        self.tables.states.push(ConsolidatedState { celex, of, from, until, locus, taken: self.taken });
        Ok(())
    }

    fn fact(&mut self, row: &Row, span: Span) -> Result<(), String> {
        let celex = row.celex("celex")?;
        let [property, value] = ["property", "value"].map(|column| row.cell(column).ok_or(format!("no {column}")));
        self.facts.fact(&celex, &property?, &value?, &row.annotation(), span);
        Ok(())
    }

    fn record(&mut self, row: &Row, locus: Locus) -> Result<(), String> {
        let celex = row.celex("celex")?;
        let dated = row.cell("work_date_document").map(|raw| (checked_day(&raw), raw));
        if let Some((Err(DayError::Malformed), raw)) = &dated {
            let message = format!("{celex}: `{raw}` is no date");
            self.warnings.push(Warning { span: locus.span, message });
        }
        let in_force = row.cell("in_force_raw").as_deref().and_then(boolean);
        self.tables.records.push(ActRecord {
            celex,
            title: row.cell("title_en"),
            date_document: dated.and_then(|(day, _)| day.ok()),
            published: None,
            in_force,
            effects: Vec::new(),
            ends: Vec::new(),
            open_end: false,
            locus,
            taken: self.taken,
        });
        Ok(())
    }
}

/// An act or a part of one, as the published ids write it: `31985R3143_article_5.4`, `31986L0362_annex_2`.
fn endpoint(text: &str) -> Result<Endpoint, String> {
    if let Ok(celex) = text.parse::<Celex>() {
        return Ok(celex.into());
    }
    let wrong = || format!("`{text}` names no act or part of an act");
    let (act, part) = text.split_once('_').ok_or_else(wrong)?;
    let celex: Celex = act.parse().map_err(|_| wrong())?;
    let (word, label) = part.split_once('_').unwrap_or((part, ""));
    let mut labels = label.split(['.', '_']);
    let first = labels.next().unwrap_or("");
    let whole: Part = format!("{word} {first}").trim().parse().map_err(|_| wrong())?;
    let part = labels.try_fold(whole, |part, step| part.child(step)).map_err(|_| wrong())?;
    Ok(Endpoint { celex, part: Some(part) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn registry() -> Registry {
        Registry::parse([("relations.toml", include_str!("../../rubrics/relations.toml"))])
            .expect("the shipped registry")
    }

    fn read(text: &str) -> Parsed<Tables> {
        table(
            "edges/x.csv",
            text.as_bytes(),
            &registry(),
            |f| if f == "n.rdf" { "2026-07-27".parse().ok() } else { None },
        )
        .expect("a table")
    }

    #[test]
    fn an_edge_table_folds_inverses_and_knows_its_bytes() {
        let text = "source_celex,relation,target_celex,evidence_file,comment\r\n31999R9001,repealed_by,32009R9001,n.rdf,\"a\nb\"\r\n31999R9002,repeals,,n.rdf,\r\n";
        let parsed = read(text);
        let row = &parsed.value.rows[0];
        assert_eq!((row.source.as_str(), row.target.as_str()), ("32009R9001", "31999R9001"));
        assert_eq!(row.comment.as_deref(), Some("a\nb"));
        assert_eq!(row.taken.map(|d| d.to_string()).as_deref(), Some("2026-07-27"));
        let bytes = row.locus.span.slice(text.as_bytes()).expect("bytes");
        assert!(bytes.starts_with(b"31999R9001") && bytes.ends_with(b"b\""));
        assert_eq!(parsed.warnings.len(), 1);
    }

    #[test]
    fn pairs_name_parts_and_stand_forward() {
        let parsed = read(
            "published_source,published_relation,published_target\n31985R9001,rendered_obsolete_by,52014XC9001(01)\n31987R9002,completes,31985R9003_article_5.4\n",
        );
        let [old, part] = &parsed.value.pairs[..] else { panic!("two pairs") };
        assert_eq!(old.source.to_string(), "52014XC9001(01)");
        assert_eq!(part.target.to_string(), "31985R9003#5(4)");
    }

    #[test]
    fn statements_about_acts_make_one_record_each() {
        let text = "celex,property,value,type_of_date\n\
                    31999R9001,http://publications.europa.eu/ontology/cdm#work_date_document,1999-05-04,\n\
                    31999R9001,resource_legal_date_entry-into-force,1999-06-01,{EV|x}\n\
                    31999R9001,resource_legal_date_end-of-validity,9999-12-31,\n";
        let records = read(text).value.records;
        let [record] = &records[..] else { panic!("one record: {records:?}") };
        assert_eq!(record.date_document.map(|d| d.to_string()).as_deref(), Some("1999-05-04"));
        assert!(record.effects.len() == 1 && record.open_end && record.in_force.is_none());
    }

    #[test]
    fn readings_of_texts_are_no_register() {
        let text = "source_celex,relation,target_celex,text_evidence\n31999R9001,repeals,31989R9001,operative\n";
        assert!(matches!(table("x.csv", text.as_bytes(), &registry(), |_| None), Err(Refused::NotThis { .. })));
    }
}
