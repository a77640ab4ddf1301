//! Values to bytes, into a sink handed in.
//!
//! An [`Emitter`] turns a [`Dataset`] into one or more files; where they go is the sink's matter. The same
//! dataset gives the same bytes: nothing here knows the time, the machine or the tool's version.

mod card;
mod graph;
mod jsonl;
mod parquet;

pub use card::Card;
pub use graph::{EdgeList, ExportedAct, dot, edge_table, graphml, turtle};
pub use jsonl::{Items, Provenances, Refused};
pub use parquet::{PATH as TABLE, Parquet, encode as table};

use crate::dataset::Dataset;

/// Takes a path relative to the output folder (`/` between its parts) and the whole file.
pub type Sink<'a> = dyn FnMut(&str, &[u8]) -> std::io::Result<()> + 'a;

/// A format that a dataset can be written in.
pub trait Emitter {
    /// The name a manifest gives it.
    fn name(&self) -> &'static str;

    /// Writes the dataset's files into the sink.
    ///
    /// # Errors
    /// [`EmitError`] if a value cannot be written in this format, or the sink refuses a file.
    fn emit(&self, dataset: &Dataset, sink: &mut Sink<'_>) -> Result<(), EmitError>;
}

/// All emitters, in the order in which their files are written.
///
/// ```
/// let names: Vec<_> = legal_link::emit::all().iter().map(|e| e.name()).collect();
/// assert_eq!(names, ["parquet", "items", "provenance", "refused", "card"]);
/// ```
pub fn all() -> Vec<Box<dyn Emitter>> {
    vec![Box::new(Parquet), Box::new(Items), Box::new(Provenances), Box::new(Refused), Box::new(Card)]
}

/// Why a file was not written.
#[derive(Debug, thiserror::Error)]
pub enum EmitError {
    /// The sink refused the file.
    #[error("cannot write {path}: {source} (is there room, and may the output folder be written?)")]
    Sink {
        /// The file.
        path: String,
        /// What the sink said.
        source: std::io::Error,
    },
    /// The format cannot hold a value.
    #[error("cannot express {what} in {path}: {message}")]
    Format {
        /// The file.
        path: String,
        /// What was to be written.
        what: String,
        /// What the format's library said.
        message: String,
    },
}

fn write(sink: &mut Sink<'_>, path: &str, bytes: &[u8]) -> Result<(), EmitError> {
    sink(path, bytes).map_err(|source| EmitError::Sink { path: path.to_string(), source })
}
