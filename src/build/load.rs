//! From a source to the facts of a graph: every document parsed once, side by side.

use super::parallel::{cores, side_by_side};
use crate::graph::Facts;
use crate::law::{Act, Registry};
use crate::parse::{self, Parsed, Warning};
use crate::source::{DocumentKey, Kind, Listed, Source, SourceError};

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
    /// Nothing that a graph is made of.
    Aside,
    Refused(String),
}

/// Reads all that a source holds. Documents are parsed in parallel; the result does not depend on it.
///
/// A document that cannot be read is listed as refused and stops nothing.
///
/// # Errors
/// [`SourceError`] where the source cannot say what it holds.
pub fn load(source: &dyn Source, registry: &Registry) -> Result<Loaded, SourceError> {
    let listed = source.list()?;
    let read = side_by_side(&listed, cores(), |one| read_one(source, one, registry));
    let mut loaded = Loaded::default();
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
    Ok(loaded)
}

fn read_one(source: &dyn Source, one: &Listed, registry: &Registry) -> Read {
    match one.key.kind() {
        Kind::Act => act(source, one, registry),
        Kind::Notice | Kind::Table | Kind::Pairs | Kind::Other => Read::Aside,
    }
}

fn act(source: &dyn Source, one: &Listed, registry: &Registry) -> Read {
    let (Some(celex), Some(language)) = (one.key.celex(), one.key.language()) else { return Read::Aside };
    // A consolidated text is a compilation; it tells its day by its number, and proves nothing else.
    if celex.is_consolidated() {
        return Read::Aside;
    }
    let fetched = match source.fetch(&one.key) {
        Ok(fetched) => fetched,
        Err(e) => return Read::Refused(e.to_string()),
    };
    let given = parse::Given { celex: &celex, language, document: fetched.digest, bytes: &fetched.bytes, registry };
    match parse::act(&given) {
        Ok(parsed) => Read::Act(Box::new(parsed)),
        Err(e) => Read::Refused(e.to_string()),
    }
}
