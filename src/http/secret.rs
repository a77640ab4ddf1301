//! A value that is sent and never shown.

use std::fmt;
use zeroize::Zeroizing;

/// Shorter ones are placeholders that local servers are given (`none`, `EMPTY`), and words of an answer may be the same.
const LEAST_KEY: usize = 16;

/// A key or token. It has no `Display`, its `Debug` shows nothing, and it cannot be serialised: what is never
/// printable needs no pattern to redact it.
#[derive(Clone)]
pub struct Secret(Zeroizing<String>);

impl Secret {
    /// Wraps a key. Surrounding white space (a line end from a file) is dropped.
    pub fn new(key: &str) -> Self {
        Self(Zeroizing::new(key.trim().to_string()))
    }

    /// Takes the key out of what a server said, which may repeat the key that it refuses.
    pub(super) fn blot_out(&self, said: &mut Vec<u8>) {
        let key = self.0.as_bytes();
        if key.len() < LEAST_KEY {
            return;
        }
        let finder = memchr::memmem::Finder::new(key);
        while let Some(at) = finder.find(said) {
            said.splice(at..at + key.len(), "…".bytes());
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_taken_out_of_what_a_server_says() {
        let mut said = b"wrong key: sk-0123456789abcdef (sk-0123456789abcdef)".to_vec();
        Secret::new("sk-0123456789abcdef\n").blot_out(&mut said);
        assert_eq!(String::from_utf8(said).unwrap(), "wrong key: … (…)");
        let mut said = b"the slot is EMPTY".to_vec();
        Secret::new("EMPTY").blot_out(&mut said);
        assert_eq!(said, b"the slot is EMPTY");
    }
}
