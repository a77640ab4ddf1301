//! The crawl: from a manifest to the documents it needs, fetched from CELLAR into the cache.
//!
//! The register is asked whole first (which act acts on which, from when); from its answers alone it is chosen which
//! pairs' documents are wanted; then these are fetched, one after the other. Whatever is held is not asked for again, so
//! that a crawl that was stopped, a later one and one without a network take the same way: they differ in how many
//! requests they may send, the last one none.

mod choose;
mod crawled;
mod errors;
mod fetch;
mod names;
mod online;
mod plan;
mod questions;
mod refresh;
mod run;
mod sum;
mod wish;

pub use choose::Chosen;
pub use crawled::Crawled;
pub use errors::CrawlError;
pub use online::Answering;
pub use plan::{Basis, CrawlPlan};
pub use run::{Asked, Crawl, Ended};
pub use sum::Sum;
pub use wish::{Acting, Address, Contact, CrawlWish, Pace, PairsWish, WishFault};
