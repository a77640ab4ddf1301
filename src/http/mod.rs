//! One client with manners: robots.txt, pace per host, permits, back-off, `Retry-After`, challenges that end it, bounds on
//! size and time, bodies held to their headers, secrets that cannot be printed. Knows nothing of law.
//!
//! A crawler uses it so, in this order per document: guard, cache, then the client's permit, back-off, pace and request.
//!
//! ```no_run
//! use legal_link::http::{Client, Clock, HttpError, Policy, Request, user_agent};
//! # async fn crawl(cached: fn(&str) -> bool) -> Result<(), Box<dyn std::error::Error>> {
//! let policy = Policy { allowed_hosts: vec!["publications.europa.eu".to_string()], ..Policy::default() };
//! if let Some(hurry) = policy.hurry() {
//!     // a warning for the user
//! }
//! let clock = Clock::new(std::time::SystemTime::now); // on loopback: Clock::scaled(SystemTime::now, 200)
//! let client = Client::new(&user_agent("crawl@uni.example")?, policy, clock)?;
//! let url = "http://publications.europa.eu/resource/celex/31999R9001";
//! let _guard = client.alone(url).await; // nobody else asks for it now
//! if !cached(url) {
//!     match client.follow(&Request::get(url).header("accept", "application/xhtml+xml")).await {
//!         Ok(answer) => { /* any status: `source::classify` says what it is and whether it may be kept */ }
//!         Err(error) if error.of_host() => { /* stopped, resting, no robots.txt: all from this host is pending */ }
//!         Err(error) => { /* this document failed: cut, too long, disallowed, redirected away */ }
//!     }
//! }
//! # Ok(())
//! # }
//! ```

mod allowance;
mod challenge;
mod client;
mod clock;
mod content;
mod error;
mod follow;
mod host;
mod integrity;
mod message;
mod policy;
mod robots;
mod secret;
mod wait;

pub use allowance::Allowance;
pub use challenge::challenge;
pub use client::Client;
pub use clock::Clock;
pub use content::{MOST_GROWTH, Sniffed, UnzipError, charset, unzip};
pub use error::HttpError;
pub use follow::{RedirectRefused, Resumed, redirect};
pub use integrity::{NotWhole, whole};
pub use message::{Answer, Request, plain_address};
pub use policy::{Hurry, NoContact, Policy, USUAL_PACE, user_agent};
pub use robots::Robots;
pub use secret::Secret;
pub use wait::{InvalidWait, back_off, http_date, retry_after, retry_after_decimal, retry_after_ms};

use follow::same_host;
