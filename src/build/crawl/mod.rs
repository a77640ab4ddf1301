//! The crawl: from a manifest to the documents it needs, fetched from CELLAR into the cache.

mod sum;
mod wish;

pub use sum::Sum;
pub use wish::{Acting, Address, Contact, CrawlWish, Pace, PairsWish, WishFault};
