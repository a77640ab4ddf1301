//! What is sent and what comes back.

use super::Secret;
use reqwest::Url;
use std::time::Duration;

/// A request. The secret goes into the header it is named for, and nowhere else.
#[derive(Debug, Clone)]
pub struct Request {
    /// Absolute address.
    pub url: String,
    /// Headers. With `If-None-Match` or `If-Modified-Since` an unchanged document is answered with status 304 and no
    /// body, which is an [`Answer`] like any other.
    pub headers: Vec<(String, String)>,
    /// Header name, prefix (`Bearer `) and secret.
    pub secret: Option<(String, String, Secret)>,
    /// Body; a request with one is a POST, without one a GET.
    pub body: Option<Vec<u8>>,
    /// Longest time for its answer, where that is less than the policy's. One that takes longer is not sent again: the
    /// same question would take as long.
    pub within: Option<Duration>,
    /// Says of an answer whose status asks for another attempt that the same request would be answered so again.
    pub settled: Option<fn(&Answer) -> bool>,
}

impl Request {
    /// A request for what is at `url`.
    pub fn get(url: impl Into<String>) -> Self {
        Self { url: url.into(), headers: Vec::new(), secret: None, body: None, within: None, settled: None }
    }

    /// With one header more.
    #[must_use]
    pub fn header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.to_string(), value.into()));
        self
    }

    /// A number that differs between requests, so that those that fail together are not sent again together
    /// (FNV-1a, 64 bits, of address and body).
    pub(super) fn fingerprint(&self) -> u64 {
        let bytes = self.url.bytes().chain(self.body.iter().flatten().copied());
        bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    }
}

/// An answer, whole, whatever its status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// HTTP status.
    pub status: u16,
    /// Headers, names in lower case, in order. Those that spoke of the compressed body are left out.
    pub headers: Vec<(String, String)>,
    /// Body, decompressed.
    pub body: Vec<u8>,
    /// How often the request was sent.
    pub attempts: u32,
    /// The address that answered: the one asked, or where it redirected to.
    pub url: String,
}

impl Answer {
    /// A header by its lower-case name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }

    /// Where a redirect leads, if it is one.
    pub(super) fn location(&self) -> Option<&str> {
        self.header("location").filter(|_| matches!(self.status, 301..=303 | 307 | 308))
    }
}

/// The address without its query, which may hold a key.
pub(super) fn bare(url: &str) -> String {
    url.split(['?', '#']).next().unwrap_or_default().to_string()
}

/// Whether an address can stand before the paths of an interface: whole, http or https, and without a secret.
///
/// ```
/// use legal_link::http::plain_address;
/// assert!(plain_address("http://127.0.0.1:8080/v1").is_ok());
/// assert!(plain_address("http://me:secret@127.0.0.1/v1").unwrap_err().contains("key_env"));
/// ```
///
/// # Errors
/// What is wrong with it, without its secret.
pub fn plain_address(text: &str) -> Result<(), String> {
    let plain = "its key stands in a variable of the environment that `key_env` names";
    match Url::parse(text) {
        Err(_) => Err(format!("`{}` is no address", bare(text))),
        Ok(url) if !["http", "https"].contains(&url.scheme()) || url.host_str().is_none() => {
            Err(format!("`{}` is no http(s) address", bare(text)))
        }
        Ok(url) if !url.username().is_empty() || url.password().is_some() => {
            Err(format!("holds a name or a password, which would be stored with every call; {plain}"))
        }
        Ok(url) if url.query().is_some() || url.fragment().is_some() => {
            Err(format!("has a query (`?`) or a fragment (`#`), behind which no path can stand; {plain}"))
        }
        Ok(_) => Ok(()),
    }
}
