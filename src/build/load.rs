//! From a source to the facts of a graph: every document parsed once, side by side.

use super::join::Waiting;
use super::parallel::{cores, side_by_side};
use crate::graph::Facts;
use crate::law::{Act, ActRecord, Celex, Clause, ConsolidatedState, Day, Place, RegisterRow, Registry};
use crate::parse::{self, Notice, Parsed, Parts, Root, Synonyms, Warning};
use crate::source::{DocumentKey, Fetched, Kind, Listed, Source, SourceError};
use std::collections::{BTreeMap, BTreeSet};

/// What a source holds, read.
#[derive(Debug, Default)]
pub struct Loaded {
    /// What the documents say.
    pub facts: Facts,
    /// The documents that were read, sorted by key.
    pub read: Vec<Listed>,
    /// What was doubtful in them.
    pub warnings: Vec<(DocumentKey, Warning)>,
    /// Documents that were not read, and why.
    pub refused: Vec<(DocumentKey, String)>,
}

/// What one document gave.
enum Read {
    Act(Box<Parsed<Act>>),
    /// A text that may have come with others.
    Text(Root, Box<Parsed<Act>>),
    Table(Parsed<Parts>),
    /// A consolidated text: a compilation, which tells of a state of an act and is never its text.
    State(Parsed<Option<ConsolidatedState>>),
    Notice(Box<Parsed<Notice>>),
    Register(Parsed<Register>),
    /// Nothing that a graph is made of.
    Aside,
    Refused(String),
}

/// What a table says.
#[derive(Default)]
struct Register {
    rows: Vec<RegisterRow>,
    records: Vec<ActRecord>,
    states: Vec<ConsolidatedState>,
    works: Vec<(String, Celex)>,
}

/// Reads all that a source holds. Documents are parsed in parallel; the result does not depend on it.
///
/// A document that cannot be read is listed as refused and stops nothing.
///
/// # Errors
/// [`SourceError`] where the source cannot say what it holds.
pub fn load(source: &dyn Source, registry: &Registry) -> Result<Loaded, SourceError> {
    let listed = source.list()?;
    let days: BTreeMap<&str, Day> = listed.iter().filter_map(|l| Some((l.address.as_str(), l.taken?))).collect();
    let read = side_by_side(&listed, cores(), |one| read_one(source, one, registry, &days));
    let mut loaded = Loaded::default();
    let (mut waiting, mut states) = (Waiting::default(), Vec::new());
    let (mut notices, mut synonyms) = (Vec::new(), Synonyms::default());
    loaded.facts.known_on = source.known_on()?;
    for (one, read) in listed.into_iter().zip(read) {
        let mut keep = |warnings: Vec<Warning>| {
            loaded.warnings.extend(warnings.into_iter().map(|w| (one.key.clone(), w)));
        };
        match read {
            Read::Act(parsed) => {
                keep(parsed.warnings);
                loaded.facts.acts.push(parsed.value);
            }
            Read::Text(root, parsed) => {
                keep(parsed.warnings);
                waiting.text(root, one.key.clone(), parsed.value);
            }
            Read::Table(parsed) => {
                keep(parsed.warnings);
                if let (Some(celex), Some(language)) = (one.key.celex(), one.key.language()) {
                    waiting.table(celex, language, one.key.clone(), parsed.value);
                }
            }
            Read::State(parsed) => {
                keep(parsed.warnings);
                states.extend(parsed.value);
                loaded.read.push(one);
                continue;
            }
            Read::Notice(parsed) => {
                keep(parsed.warnings);
                parsed.value.works.iter().for_each(|(address, celex)| synonyms.add(address, celex));
                notices.push((one.key.clone(), parsed.value));
            }
            Read::Register(parsed) => {
                keep(parsed.warnings);
                parsed.value.works.iter().for_each(|(address, celex)| synonyms.add(address, celex));
                loaded.facts.rows.extend(parsed.value.rows);
                loaded.facts.records.extend(parsed.value.records);
                loaded.facts.states.extend(parsed.value.states);
            }
            Read::Aside => continue,
            Read::Refused(why) => {
                loaded.refused.push((one.key, why));
                continue;
            }
        }
        if let (Some(celex), Some(taken)) = (one.key.celex(), one.taken) {
            let newest = loaded.facts.taken.entry(celex).or_insert(taken);
            *newest = taken.max(*newest);
        }
        loaded.read.push(one);
    }
    // What a notice calls by an address alone, another document may call by its number.
    for (key, mut notice) in notices {
        let unnamed = notice.resolve(&synonyms);
        loaded.warnings.extend(unnamed.into_iter().map(|w| (key.clone(), w)));
        loaded.facts.rows.extend(notice.rows);
        loaded.facts.records.extend(notice.records);
        loaded.facts.states.extend(notice.states);
    }
    let joined = waiting.join();
    loaded.facts.acts.extend(joined.acts);
    loaded.warnings.extend(joined.warnings);
    loaded.read.retain(|one| !joined.lone.contains(&one.key));
    let lone = "an annex without the act it belongs to".to_string();
    loaded.refused.extend(joined.lone.into_iter().map(|key| (key, lone.clone())));
    // What a register says of a state is more than the text itself does.
    let known: BTreeSet<Celex> = loaded.facts.states.iter().map(|s| s.celex.clone()).collect();
    loaded.facts.states.extend(states.into_iter().filter(|s: &ConsolidatedState| !known.contains(&s.celex)));
    loaded.facts.titles = titles(&loaded.facts, registry);
    Ok(loaded)
}

/// What the recorded titles of acts say whose texts are not here.
fn titles(facts: &Facts, registry: &Registry) -> BTreeMap<Celex, Vec<Clause>> {
    let here: BTreeSet<&Celex> = facts.acts.iter().map(|a| &a.celex).collect();
    let mut said = BTreeMap::new();
    // What a proposal's title says it does, it does not do; what a court does is told by other words.
    let law = |r: &&ActRecord| !r.celex.is_proposal() && r.celex.parts().sector != '6';
    for record in facts.records.iter().filter(|r| !here.contains(&r.celex)).filter(law) {
        let Some(title) = &record.title else { continue };
        let mut clauses = parse::clauses::provision(title, &Place::Title, &record.celex, registry);
        for clause in &mut clauses {
            clause.quote.document = record.locus.document;
            clause.quote.span = record.locus.span;
        }
        if !clauses.is_empty() {
            said.entry(record.celex.clone()).or_insert(clauses);
        }
    }
    said
}

fn read_one(source: &dyn Source, one: &Listed, registry: &Registry, days: &BTreeMap<&str, Day>) -> Read {
    let kind = one.key.kind();
    if matches!(kind, Kind::Pairs | Kind::Other) {
        return Read::Aside;
    }
    let fetched = match source.fetch(&one.key) {
        Ok(fetched) => fetched,
        Err(e) => return Read::Refused(e.to_string()),
    };
    let read = match kind {
        Kind::Act => return act(one, &fetched, registry),
        Kind::Notice => parse::notice(&fetched.bytes, registry, one.taken).map(|parsed| Read::Notice(Box::new(parsed))),
        _ => parse::table(&one.address, &fetched.bytes, registry, |file| days.get(file).copied()).map(|parsed| {
            let parse::Tables { rows, records, states, works, .. } = parsed.value;
            Read::Register(Parsed { value: Register { rows, records, states, works }, warnings: parsed.warnings })
        }),
    };
    read.unwrap_or_else(|e| Read::Refused(e.to_string()))
}

fn act(one: &Listed, fetched: &Fetched, registry: &Registry) -> Read {
    let (Some(celex), Some(language)) = (one.key.celex(), one.key.language()) else { return Read::Aside };
    let bytes = fetched.bytes.as_slice();
    let root = parse::formex_root(bytes);
    match root {
        Some(Root::Parts) => return parse::parts(bytes).map_or_else(|e| Read::Refused(e.to_string()), Read::Table),
        // The contents of an issue of the journal: which acts stood beside this one.
        Some(Root::Issue) => return Read::Aside,
        _ => {}
    }
    let given = parse::Given { celex: &celex, language, document: fetched.digest, bytes, registry };
    match (parse::act(&given), root) {
        (Ok(parsed), _) if celex.is_consolidated() => {
            let warnings = parsed.warnings;
            Read::State(Parsed { value: ConsolidatedState::of_text(&parsed.value, one.taken), warnings })
        }
        (Ok(parsed), Some(root)) => Read::Text(root, Box::new(parsed)),
        // A page that came in parts: the first is the act, the others are what is annexed to it.
        (Ok(parsed), None) => match parse::part_number(&one.key.name().replace(".DOC_", "/DOC_")) {
            Some(number) => Read::Text(if number == 1 { Root::Act } else { Root::Annex }, Box::new(parsed)),
            None => Read::Act(Box::new(parsed)),
        },
        (Err(e), _) => Read::Refused(e.to_string()),
    }
}
