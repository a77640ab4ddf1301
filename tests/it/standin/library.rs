//! What the stand-in serves: works with expressions, manifestations and streams, their notices, and what changed when.

use super::notices::{Statement, identifiers, notice};
use super::wire::Request;
use legal_link::law::{Celex, Day, Language, Registry};
use legal_link::parse::Change;
use legal_link::source::{Folder, Kind, Source as _};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

/// The identifier of a work: the same for a CELEX number always, here and at the SPARQL endpoint.
pub fn cellar_id(celex: &str) -> String {
    crate::cellar_rdf::work(celex).rsplit('/').next().expect("an address").to_string()
}

/// A file of a manifestation.
#[derive(Debug, Clone)]
pub struct Stream {
    pub name: String,
    pub bytes: Arc<Vec<u8>>,
}

/// An expression in one format.
#[derive(Debug, Clone, Default)]
pub struct Manifestation {
    /// `xhtml`, `html`, `fmx4`, …
    pub kind: String,
    pub streams: Vec<Stream>,
    /// Whether the streams are members of one zip stream, as those of acts since October 2023 are.
    pub zipped: bool,
}

/// A work.
#[derive(Debug, Clone, Default)]
pub struct Work {
    pub celex: String,
    pub expressions: BTreeMap<Language, Vec<Manifestation>>,
    /// A notice as it is; made from the statements where there is none.
    pub notice: Option<Arc<Vec<u8>>>,
    pub statements: Vec<Statement>,
    pub title: Option<String>,
}

/// All of it.
#[derive(Debug, Clone, Default)]
pub struct Library {
    /// By identifier.
    pub works: BTreeMap<String, Work>,
    /// What was taken in, changed or given up, in order.
    pub changes: Vec<(Day, Change, String)>,
    /// Entries on a page of notifications.
    pub page: usize,
}

impl Library {
    /// The documents, tables and RDF notices of a folder with an `INDEX.tsv`. Texts that a third party extracted, and
    /// pages without law, are in no format that the repository serves: such a work has an expression and no text.
    pub fn of_folder(path: &Path, registry: &Registry) -> Self {
        let folder = Folder::open(path).expect("a folder with an index");
        let mut library = Self { page: 1000, ..Self::default() };
        for one in folder.list().expect("a list") {
            let Some(celex) = one.key.celex() else { continue };
            match one.key.kind() {
                Kind::Act => {
                    let language = one.key.language().expect("a language");
                    let bytes = folder.fetch(&one.key).expect("a document").bytes;
                    library.add(celex.as_str(), language, &one.address, bytes);
                }
                Kind::Notice if one.address.to_ascii_lowercase().ends_with(".rdf") => {
                    let bytes = folder.fetch(&one.key).expect("a document").bytes;
                    library.work(celex.as_str()).notice = Some(Arc::new(bytes));
                }
                _ => {}
            }
        }
        super::notices::of_tables(&path.join("edges"), registry, &mut library);
        library
    }

    /// The work with this number, made if it is not there.
    pub fn work(&mut self, celex: &str) -> &mut Work {
        self.works.entry(cellar_id(celex)).or_insert_with(|| Work { celex: celex.to_string(), ..Work::default() })
    }

    /// Adds a text by the name of its file (`CELEX.flavour.ending`).
    pub fn add(&mut self, celex: &str, language: Language, file: &str, bytes: Vec<u8>) {
        let name = file.rsplit('/').next().unwrap_or(file);
        let manifestations = self.work(celex).expressions.entry(language).or_default();
        let (kind, name) = if let Some((_, member)) = name.split_once(".fmx4.") {
            ("fmx4", member)
        } else if name.contains(".portal-shell.") {
            return;
        } else {
            match name.rsplit('.').next() {
                Some("xhtml" | "xml") => ("xhtml", name),
                Some("html") => ("html", name),
                _ => return,
            }
        };
        let stream = Stream { name: name.to_string(), bytes: Arc::new(bytes) };
        if let Some(formex) = manifestations.iter_mut().find(|m| m.kind == kind && kind == "fmx4") {
            formex.streams.push(stream);
        } else {
            let zipped = name.ends_with(".fmx.xml");
            manifestations.push(Manifestation { kind: kind.to_string(), streams: vec![stream], zipped });
        }
    }

    /// Puts other bytes in the place of a work's text in a format.
    pub fn replace(&mut self, celex: &str, language: Language, kind: &str, bytes: Vec<u8>) {
        let manifestations = self.work(celex).expressions.entry(language).or_default();
        let name = format!("{celex}.{kind}");
        let stream = Stream { name, bytes: Arc::new(bytes) };
        manifestations.retain(|m| m.kind != kind);
        manifestations.push(Manifestation { kind: kind.to_string(), streams: vec![stream], zipped: false });
    }

    /// Notes that a work was changed on a day.
    pub fn changed(&mut self, celex: &str, day: Day) {
        self.changes.push((day, Change::Updated, cellar_id(celex)));
    }

    /// The notice of a work: its own, or one made of what the tables say.
    pub fn notice_of(&self, id: &str) -> Option<Vec<u8>> {
        let work = self.works.get(id)?;
        Some(work.notice.as_ref().map_or_else(|| notice(id, work).into_bytes(), |bytes| bytes.to_vec()))
    }

    /// The names of a work.
    pub fn names_of(&self, id: &str) -> Option<Vec<u8>> {
        self.works.get(id).map(|work| identifiers(id, work).into_bytes())
    }

    /// The numbers of all works that have a text in English to serve, sorted.
    pub fn texts(&self) -> BTreeSet<Celex> {
        let has = |work: &&Work| work.expressions.get(&Language::ENGLISH).is_some_and(|m| !m.is_empty());
        self.works.values().filter(has).filter_map(|work| work.celex.parse().ok()).collect()
    }

    /// What another work has of the kind that was asked for: its text in that format, or its notice.
    pub(super) fn another(&self, request: &Request, own: &[u8]) -> Option<Vec<u8>> {
        let id = request.path.split("/cellar/").nth(1)?.split(['/', '.', '?']).next()?;
        let after = self.works.range(id.to_string()..).skip(1).chain(self.works.range(..id.to_string()));
        if request.path.contains("/rdf/") {
            return after.filter(|(other, _)| *other != id).find_map(|(other, _)| self.notice_of(other));
        }
        if own.starts_with(b"PK") {
            return None;
        }
        let kind = |bytes: &[u8]| bytes.get(..5).map(<[u8]>::to_ascii_lowercase);
        let mut streams = after.filter(|(other, _)| *other != id).flat_map(|(_, work)| {
            work.expressions.values().flatten().flat_map(|m| m.streams.iter().map(|s| s.bytes.clone()))
        });
        streams.find(|bytes| kind(bytes) == kind(own)).map(|bytes| bytes.to_vec())
    }
}
