//! A value that is sent and never shown.

use std::fmt;
use zeroize::Zeroizing;

/// A key or token. It has no `Display`, its `Debug` shows nothing, and it cannot be serialised: what is never
/// printable needs no pattern to redact it.
#[derive(Clone)]
pub struct Secret(Zeroizing<String>);

impl Secret {
    /// Wraps a key. Surrounding white space (a line end from a file) is dropped.
    pub fn new(key: &str) -> Self {
        Self(Zeroizing::new(key.trim().to_string()))
    }

    /// The key itself, for the header it belongs in.
    pub(super) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}
