//! Whether the body that came is the body that was sent.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use md5::{Digest as _, Md5};
use sha2::{Sha256, Sha512};

/// What is wrong with a body, in the light of its headers.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotWhole {
    /// More or fewer bytes than announced.
    #[error("{came} bytes came, {announced} were announced")]
    Length {
        /// `Content-Length`.
        announced: u64,
        /// What came.
        came: u64,
    },
    /// Another body than the one whose digest the headers hold.
    #[error("the body is not the one that `{0}` speaks of")]
    Digest(&'static str),
    /// A coding that was not asked for and is not undone here.
    #[error("the body is encoded as `{0}`, which was not asked for")]
    Coding(String),
}

/// Holds a body to its headers: `Content-Length`, `Content-Digest` and `Repr-Digest` (RFC 9530; SHA-256, SHA-512 and MD5,
/// others are passed over), `Content-MD5` (RFC 1864). `sent` are the bytes as they came over the wire, `read` the same
/// decompressed; a digest of either will do, since servers differ in which they mean. Header names are in lower case.
///
/// # Errors
/// [`NotWhole`].
pub fn whole(headers: &[(String, String)], sent: &[u8], read: &[u8]) -> Result<(), NotWhole> {
    let all = |name: &'static str| headers.iter().filter(move |(n, _)| n == name).map(|(_, value)| value.as_str());
    let chunked = all("transfer-encoding").next().is_some();
    let length = all("content-length").next().and_then(|value| value.trim().parse::<u64>().ok());
    let came = sent.len() as u64;
    if let Some(announced) = length.filter(|announced| !chunked && *announced != came) {
        return Err(NotWhole::Length { announced, came });
    }
    for name in ["content-digest", "repr-digest"] {
        let members = all(name).flat_map(|value| value.split(','));
        let given = members.filter_map(|member| {
            let (algorithm, value) = member.trim().split_once('=')?;
            Some((algorithm.trim().to_ascii_lowercase(), value.trim().strip_prefix(':')?.strip_suffix(':')?))
        });
        for (algorithm, value) in given {
            if differs(&algorithm, value, sent) && differs(&algorithm, value, read) {
                return Err(NotWhole::Digest(name));
            }
        }
    }
    if all("content-md5").any(|value| differs("md5", value.trim(), sent) && differs("md5", value.trim(), read)) {
        return Err(NotWhole::Digest("content-md5"));
    }
    Ok(())
}

/// Whether a digest speaks of other bytes. One that cannot be read, or is of a kind not known here, says nothing.
fn differs(algorithm: &str, value: &str, bytes: &[u8]) -> bool {
    let found = match algorithm {
        "sha-256" => Sha256::digest(bytes).to_vec(),
        "sha-512" => Sha512::digest(bytes).to_vec(),
        "md5" => Md5::digest(bytes).to_vec(),
        _ => return false,
    };
    STANDARD.decode(value).is_ok_and(|given| given.len() == found.len() && given != found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(name: &str, value: &str, body: &[u8]) -> Result<(), NotWhole> {
        whole(&[(name.to_string(), value.to_string())], body, body)
    }

    #[test]
    fn bodies_are_held_to_their_headers() {
        // The example of RFC 9530, appendix B.1.
        let body = b"{\"hello\": \"world\"}\n";
        let digest = "sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:";
        assert_eq!(told("content-digest", digest, body), Ok(()));
        assert_eq!(told("repr-digest", &format!("unixsum=:AA==:, {digest}"), body), Ok(()));
        assert_eq!(told("content-digest", digest, b"{}"), Err(NotWhole::Digest("content-digest")));
        assert_eq!(told("content-md5", "XUFAKrxLKna5cZ2REBfFkg==", b"hello"), Ok(()));
        assert_eq!(told("content-md5", "XUFAKrxLKna5cZ2REBfFkg==", b"hallo"), Err(NotWhole::Digest("content-md5")));
        assert_eq!(told("content-length", "5", b"hallo"), Ok(()));
        assert_eq!(told("content-length", "7", b"hallo"), Err(NotWhole::Length { announced: 7, came: 5 }));
    }

    #[test]
    fn what_cannot_be_read_says_nothing() {
        for value in ["sha-256=:not base64:", "sha-256=:AA==:", "sha-256", "=", "crc32c=:AAAA:", ""] {
            assert_eq!(told("content-digest", value, b"x"), Ok(()), "{value}");
        }
    }
}
