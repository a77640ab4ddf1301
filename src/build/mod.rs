//! The driver: manifest, plan, stages, resume, the lock, progress. Knows all stages, does none of their work.

mod batch;
mod bounded;
mod calibrate;
mod crawl;
mod drawn;
mod errors;
mod figures;
mod hold;
mod import;
mod improved;
mod items;
mod join;
mod load;
mod manifest;
mod models;
mod news;
mod optimize;
mod output;
mod parallel;
mod plan;
mod progress;
mod rubrics;
mod run;
mod shipped;
mod spending;
mod stages;
mod starter;
mod wish;

pub use batch::{BatchWish, Seconds};
pub use calibrate::{Calibrate, CalibrationPlan};
pub use crawl::{
    Acting, Address, Answering, Asked, Basis, Chosen, Contact, Crawl, CrawlError, CrawlPlan, CrawlWish, Crawled, Ended,
    Pace, PairsWish, Sum, WishFault,
};
pub use errors::BuildError;
pub use hold::OutFolder;
pub use import::{Import, ImportError, Imported};
pub use improved::{Improved, PromptsError};
pub use load::{Loaded, load};
pub use manifest::{
    AuthorWish, Budget, BuiltInName, CalibrationWish, Manifest, ManifestError, ModelWish, OptimizeWish, Probes,
    PromptsWish, Scope, SourceWish, Undecided,
};
pub use models::{Counter, ModelsError, key_variables};
pub use optimize::{HeldOut, Optimize, OptimizeError, OptimizePlan, Optimized, Voices};
pub use output::LOCK;
pub use plan::{Plan, PlannedCost, PlannedRelation, PlannedSource, PlannedStage};
pub use progress::{Progress, Silent};
pub use rubrics::{Rubrics, RubricsError, strangers};
pub use run::{AskedModels, Build, End, Outcome, lock_beside};
pub use shipped::{shipped, user_cache};
pub use starter::STARTER;
pub use wish::WishError;

/// The tool and its version, as locks and reports name it.
pub const TOOL: &str = concat!("legal-link ", env!("CARGO_PKG_VERSION"));
