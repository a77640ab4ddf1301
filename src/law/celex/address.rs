//! CELEX numbers in addresses and file names, there and back.

use super::Celex;
use crate::law::{Eli, percent_encoded};

impl Celex {
    /// The number as one path segment of an address: everything but letters, digits, `-`, `.`, `_`, `~` percent-encoded.
    ///
    /// ```
    /// use legal_link::law::Celex;
    /// let celex: Celex = "32019H1115(01)".parse().unwrap();
    /// assert_eq!(celex.url_path(), "32019H1115%2801%29");
    /// ```
    pub fn url_path(&self) -> String {
        percent_encoded(self.as_str())
    }

    /// The number as a file name: `/` becomes `~`, which no number has, so [`Celex::from_slug`] leads back.
    pub fn slug(&self) -> String {
        self.as_str().replace('/', "~")
    }

    /// The number of a file name made by [`Celex::slug`].
    ///
    /// # Errors
    /// [`crate::law::CelexError`] if it is none.
    pub fn from_slug(slug: &str) -> Result<Self, super::CelexError> {
        if slug.contains(['/', '\\']) {
            return Err(super::CelexError(slug.to_string()));
        }
        slug.replace('~', "/").parse()
    }

    /// The act that an address of CELLAR (`…/resource/celex/…`), of EUR-Lex (`…?uri=CELEX:…`) or an ELI names.
    /// Language and format of an expression or manifestation are left out.
    ///
    /// ```
    /// use legal_link::law::Celex;
    /// let celex = Celex::from_uri("http://publications.europa.eu/resource/celex/12007L%2FTXT").unwrap();
    /// assert_eq!(celex.as_str(), "12007L/TXT");
    /// ```
    pub fn from_uri(uri: &str) -> Option<Self> {
        let uri = uri.trim();
        let after = |mark: &str| uri.to_ascii_lowercase().find(mark).map(|at| &uri[at + mark.len()..]);
        let named = after("/celex/").or_else(|| after("celex:")).or_else(|| after("celex%3a"));
        match named {
            Some(rest) => {
                let end = rest.find(['?', '#', '&', '.', ';', ':', ' ']).unwrap_or(rest.len());
                Self::normalise(percent_decoded(&rest[..end])?.trim_end_matches('/'))
            }
            None => uri.parse::<Eli>().ok()?.celex(),
        }
    }
}

/// The text behind percent escapes; none if an escape is broken or the bytes are no text.
fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        if *first == b'%' {
            let hex = tail.get(..2).and_then(|h| std::str::from_utf8(h).ok())?;
            bytes.push(u8::from_str_radix(hex, 16).ok()?);
            rest = &tail[2..];
        } else {
            bytes.push(*first);
        }
    }
    String::from_utf8(bytes).ok()
}
