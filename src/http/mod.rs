//! One client: pace per host, permits, back-off, Retry-After, bounds on size and time, secrets that
//! cannot be printed. Knows nothing of law.

mod client;
mod content;
mod follow;
mod secret;
mod wait;

pub use client::{Answer, Client, HttpError, Policy, Request};
pub use content::{MOST_GROWTH, Sniffed, UnzipError, charset, unzip};
pub use follow::{RedirectRefused, Resumed, redirect};
pub use secret::Secret;
pub use wait::{InvalidWait, back_off, http_date, retry_after, retry_after_ms};
