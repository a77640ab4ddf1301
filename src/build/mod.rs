//! The driver: manifest, plan, stages, resume, the lock, progress. Knows all stages, does none of their work.

mod load;
mod manifest;
mod progress;
mod shipped;

pub use load::{Loaded, load};
pub use manifest::{
    AuthorWish, Budget, BuiltInName, Manifest, ManifestError, ModelWish, Probes, Scope, SourceWish, Undecided,
};
pub use progress::{Progress, Silent};
pub use shipped::{shipped, user_cache};
