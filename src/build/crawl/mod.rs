//! The crawl: from a manifest to the documents it needs, fetched from CELLAR into the cache.

mod wish;

pub use wish::{Acting, Address, Contact, CrawlWish, Pace, PairsWish, WishFault};
