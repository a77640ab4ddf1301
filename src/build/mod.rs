//! The driver: manifest, plan, stages, resume, the lock, progress. Knows all stages, does none of their work.

mod manifest;
mod progress;

pub use manifest::{
    AuthorWish, Budget, BuiltInName, Manifest, ManifestError, ModelWish, Probes, Scope, SourceWish, Undecided,
};
pub use progress::{Progress, Silent};
