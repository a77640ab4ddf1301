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

    /// Takes the key out of what a server said, which may repeat it: as it is, or as JSON may write it.
    pub(super) fn blot_out(&self, said: &mut Vec<u8>) {
        let key = self.0.as_bytes();
        let Some(first) = key.first().filter(|_| key.len() >= LEAST_KEY) else { return };
        let mut at = 0;
        while let Some(next) = memchr::memchr2(*first, b'\\', &said[at..]) {
            at += next;
            if let Some(long) = spelled(&said[at..], key) {
                said.splice(at..at + long, "…".bytes());
            }
            at += 1;
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

/// How long the key is that stands here, each of its characters as it is or escaped (`\/`, `\u002f`); none if it is not.
fn spelled(said: &[u8], key: &[u8]) -> Option<usize> {
    let mut at = 0;
    for letter in key {
        let rest = said.get(at..)?;
        at += match rest {
            [own, ..] if own == letter => 1,
            [b'\\', b'u', hex @ ..] => {
                let hex = std::str::from_utf8(hex.get(..4)?).ok()?;
                (u32::from_str_radix(hex, 16).ok()? == u32::from(*letter)).then_some(6)?
            }
            [b'\\', own, ..] if own == letter => 2,
            _ => return None,
        };
    }
    Some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_taken_out_however_json_writes_it() {
        let mut said = br#"{"a":"k\/0123456789abcdef","b":"\u006b/0123456789abcd\u0065f","c":"k\/0123"}"#.to_vec();
        Secret::new("k/0123456789abcdef").blot_out(&mut said);
        assert_eq!(String::from_utf8(said).unwrap(), r#"{"a":"…","b":"…","c":"k\/0123"}"#);
    }

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
