//! The graph of a source that a command line names.

use super::ui::Ui;
use super::{Exit, Trouble};
use crate::build::{self, Loaded, Rubrics};
use crate::graph::{Facts, RelationGraph, StoredGraph};
use crate::law::{Digest, Locus, Registry};
use crate::source::{Listed, Origin, Source};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Where the documents are.
#[derive(Debug, clap::Args)]
pub(super) struct Where {
    /// folder:PATH, cache:PATH or cellar (what was crawled into the user's cache); by default what is shipped.
    #[arg(long, alias = "from", value_name = "SRC", default_value_t, global = true)]
    source: Origin,
    /// A file written by `graph store`, in place of a source.
    #[arg(long = "graph", value_name = "FILE", conflicts_with = "source", global = true)]
    stored: Option<PathBuf>,
}

/// A graph, in memory or in a file.
pub(super) enum Opened {
    Built(Box<RelationGraph>),
    Stored(Box<StoredGraph>, BufReader<File>),
}

/// What a source holds, read into a graph.
pub(super) struct Read {
    pub(super) graph: RelationGraph,
    /// The documents that were read.
    pub(super) documents: Vec<Listed>,
    pub(super) registry: Registry,
    /// What the registers say and the titles they record, of which the graph was built; the texts are in the graph.
    pub(super) register: Facts,
    source: Box<dyn Source>,
    bytes: RefCell<BTreeMap<Digest, Option<Rc<[u8]>>>>,
}

impl Where {
    /// Reads all that is there into a graph. Documents that cannot be read are told, and stop nothing.
    pub(super) fn graph(&self, ui: Ui) -> Result<RelationGraph, Trouble> {
        let (registry, source) = self.ground()?;
        Ok(RelationGraph::build(loaded(source.as_ref(), &registry, ui)?.facts, &registry))
    }

    /// The registry and the source, where no stored graph is named.
    fn ground(&self) -> Result<(Registry, Box<dyn Source>), Trouble> {
        if let Some(path) = &self.stored {
            let says = format!("{} holds a stored graph without texts, and this asks for those", path.display());
            return Err(Trouble::new(Exit::BadInput, says).hint("name the source that it was made from with --source"));
        }
        let rubrics = Rubrics::over(Path::new("rubrics")).map_err(|e| Trouble::new(Exit::BadInput, e))?;
        let registry = rubrics.registry().map_err(|e| Trouble::new(Exit::BadInput, e))?;
        let shipped = build::shipped().map_err(|e| Trouble::new(Exit::Other, e))?;
        // What is asked about of CELLAR is what was crawled.
        let origin = match (&self.source, build::user_cache()) {
            (Origin::Cellar, Some(cache)) => Origin::Cache(cache),
            (named, _) => named.clone(),
        };
        let source = origin.open(shipped).map_err(|e| Trouble::new(Exit::BadInput, e))?;
        Ok((registry, source))
    }

    /// The graph, from the stored file if one is named, else from the source.
    pub(super) fn opened(&self, ui: Ui) -> Result<Opened, Trouble> {
        let Some(path) = &self.stored else { return Ok(Opened::Built(Box::new(self.graph(ui)?))) };
        let named = |e: &dyn std::fmt::Display| Trouble::new(Exit::BadInput, format!("{}: {e}", path.display()));
        let mut file = BufReader::new(File::open(path).map_err(|e| named(&e))?);
        let graph = StoredGraph::load(&mut file).map_err(|e| named(&e))?;
        Ok(Opened::Stored(Box::new(graph), file))
    }

    /// The same, with the documents and the registry it was made with.
    pub(super) fn read(&self, ui: Ui) -> Result<Read, Trouble> {
        let (registry, source) = self.ground()?;
        let loaded = loaded(source.as_ref(), &registry, ui)?;
        let facts = loaded.facts;
        let register = Facts {
            rows: facts.rows.clone(),
            records: facts.records.clone(),
            states: facts.states.clone(),
            titles: facts.titles.clone(),
            known_on: facts.known_on,
            ..Facts::default()
        };
        let graph = RelationGraph::build(facts, &registry);
        Ok(Read { graph, documents: loaded.read, registry, register, source, bytes: RefCell::default() })
    }
}

/// The cache's folder: the one named, else the user's.
pub(super) fn cache_folder(named: Option<&Path>) -> Result<PathBuf, Trouble> {
    let none = || Trouble::new(Exit::Usage, "this system has no cache folder").hint("name one with --cache DIR");
    named.map(Path::to_path_buf).or_else(build::user_cache).ok_or_else(none)
}

/// All that a source holds; what cannot be read is told.
pub(super) fn loaded(source: &dyn Source, registry: &Registry, ui: Ui) -> Result<Loaded, Trouble> {
    let loaded = build::load(source, registry).map_err(|e| Trouble::new(Exit::BadInput, e))?;
    for (document, why) in &loaded.refused {
        ui.note(format_args!("not read: {document}: {why}"));
    }
    Ok(loaded)
}

impl Read {
    /// The document with these bytes.
    pub(super) fn document(&self, digest: &Digest) -> Option<&Listed> {
        self.documents.iter().find(|one| &one.digest == digest)
    }

    /// A register's statement as its document has it, white space runs as one blank.
    pub(super) fn as_written(&self, locus: &Locus) -> Option<String> {
        let mut kept = self.bytes.borrow_mut();
        let bytes = kept.entry(locus.document).or_insert_with(|| {
            let key = &self.document(&locus.document)?.key;
            self.source.fetch(key).ok().map(|fetched| fetched.bytes.into())
        });
        let slice = locus.span.slice(bytes.as_deref()?)?;
        Some(String::from_utf8_lossy(slice).split_whitespace().collect::<Vec<_>>().join(" "))
    }
}
