//! How CELLAR is asked: the manifest's `[crawl]`.

use crate::http::{NoContact, Policy, USUAL_PACE, user_agent};
use serde::Deserialize;
use std::fmt;
use std::time::Duration;

/// The manifest's `[crawl]`: nothing in it says which law is wanted (`[scope]` and `[quotas]` do), only how it is had.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CrawlWish {
    /// Whom the host's keepers can write to; a live crawl needs it.
    pub contact: Option<Contact>,
    /// Where SPARQL is answered.
    pub sparql: Address,
    /// The host that documents are asked of, without a path.
    pub rest: Address,
    /// Time between two requests to one host.
    pub pace: Pace,
    /// Seconds after which an answer is no longer waited for.
    pub timeout: u32,
    /// Pairs per relation whose documents are fetched.
    pub pairs: PairsWish,
    /// The relations that are listed; none named: all that bear on what an act's status is.
    pub relations: Vec<String>,
    /// What is fetched of the acts that act on a pair's ends.
    pub acting: Acting,
    /// At most so many acts that act on one end are fetched, the newest first.
    pub acting_per_act: usize,
    /// The longest document, in bytes.
    pub longest_document: usize,
    /// Rows per answer at which a question is taken to have been cut off, and is split.
    pub rows_per_answer: u64,
}

impl Default for CrawlWish {
    fn default() -> Self {
        Self {
            contact: None,
            sparql: Address("http://publications.europa.eu/webapi/rdf/sparql".to_string()),
            rest: Address("http://publications.europa.eu".to_string()),
            pace: Pace::POLITE,
            timeout: 180,
            pairs: PairsWish::Times(3),
            relations: Vec::new(),
            acting: Acting::Notices,
            acting_per_act: 50,
            longest_document: 32 << 20,
            rows_per_answer: 100_000,
        }
    }
}

/// The longest answer of the register that is read, in bytes.
const LONGEST_ANSWER: usize = 64 << 20;

impl CrawlWish {
    /// The manners of its client.
    pub fn policy(&self, seed: u64) -> Policy {
        Policy {
            pace: self.pace.duration(),
            timeout: Duration::from_secs(u64::from(self.timeout.max(1))),
            max_bytes: self.longest_document.max(LONGEST_ANSWER),
            seed,
            ..Policy::default()
        }
    }
}

/// A value of `[crawl]` that cannot be meant.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum WishFault {
    /// Not an address of the web.
    #[error("`{0}` is no address: write `http://HOST/PATH` or `https://HOST/PATH`, without `?` and `#`")]
    Address(String),
    /// No time between requests.
    #[error("a pace of {0} is none: write the seconds between two requests, from 0.001 to 3600")]
    Pace(f64),
    /// No number of pairs.
    #[error("`{0}` says no number of pairs: write \"3x\" (three times the quota), a number, or \"all\"")]
    Pairs(String),
}

/// Whom to write to, as the requests name it: an e-mail address or a page.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Contact(String);

impl Contact {
    /// The words.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Contact {
    type Error = NoContact;
    fn try_from(text: String) -> Result<Self, NoContact> {
        user_agent(&text).map(|_| Self(text))
    }
}

/// An address that others are made from: scheme, host, path, no slash at its end.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Address(String);

impl Address {
    /// The address.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for Address {
    type Error = WishFault;
    fn try_from(text: String) -> Result<Self, WishFault> {
        let rest = ["http://", "https://"].iter().find_map(|scheme| text.strip_prefix(scheme));
        let host = rest.and_then(|rest| rest.split('/').next()).unwrap_or_default();
        let fine = |c: char| c.is_ascii_graphic() && !"?#\\\"<>{}|^`".contains(c);
        if host.is_empty() || host.contains('@') || !text.chars().all(fine) {
            return Err(WishFault::Address(text));
        }
        Ok(Self(text.trim_end_matches('/').to_string()))
    }
}

/// The time between two requests to one host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Number")]
pub struct Pace(Duration);

impl Pace {
    /// The pace that needs no asking: as fast as one request a second, or slower.
    pub const POLITE: Self = Self(USUAL_PACE);

    /// The time.
    pub fn duration(self) -> Duration {
        self.0
    }
}

impl TryFrom<f64> for Pace {
    type Error = WishFault;
    fn try_from(seconds: f64) -> Result<Self, WishFault> {
        let in_bounds = (0.001..=3600.0).contains(&seconds);
        let time = Duration::try_from_secs_f64(seconds).ok().filter(|_| in_bounds);
        time.map(Self).ok_or(WishFault::Pace(seconds))
    }
}

/// Pairs per relation whose documents are fetched. More than the quota, since not every pair makes an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Pairs")]
pub enum PairsWish {
    /// So many times the relation's quota: `"3x"`.
    Times(usize),
    /// So many.
    Number(usize),
    /// All in scope: `"all"`.
    All,
}

impl PairsWish {
    /// How many pairs of a relation with this quota; none: all.
    pub fn of(self, quota: usize) -> Option<usize> {
        match self {
            Self::Times(times) => Some(quota.saturating_mul(times)),
            Self::Number(number) => Some(number),
            Self::All => None,
        }
    }
}

/// As the manifest writes it.
impl fmt::Display for PairsWish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Times(times) => write!(f, "{times}x"),
            Self::Number(number) => write!(f, "{number}"),
            Self::All => f.write_str("all"),
        }
    }
}

impl TryFrom<String> for PairsWish {
    type Error = WishFault;
    fn try_from(text: String) -> Result<Self, WishFault> {
        let times = text.strip_suffix('x').and_then(|times| times.parse().ok()).filter(|times| *times > 0);
        match times {
            Some(times) => Ok(Self::Times(times)),
            None if text == "all" => Ok(Self::All),
            None => Err(WishFault::Pairs(text)),
        }
    }
}

/// What is fetched of the acts that act on a pair's ends: they decide whether an end is still law on a day.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Acting {
    /// Their notices.
    #[default]
    Notices,
    /// Their notices and texts.
    Texts,
}

/// A number with or without a fraction.
#[derive(Deserialize)]
#[serde(untagged)]
enum Number {
    Whole(u32),
    Fraction(f64),
}

impl TryFrom<Number> for Pace {
    type Error = WishFault;
    fn try_from(written: Number) -> Result<Self, WishFault> {
        Self::try_from(match written {
            Number::Whole(seconds) => f64::from(seconds),
            Number::Fraction(seconds) => seconds,
        })
    }
}

/// A number or a word.
#[derive(Deserialize)]
#[serde(untagged)]
enum Pairs {
    Number(u32),
    Word(String),
}

impl TryFrom<Pairs> for PairsWish {
    type Error = WishFault;
    fn try_from(written: Pairs) -> Result<Self, WishFault> {
        match written {
            Pairs::Number(number) => Ok(Self::Number(number as usize)),
            Pairs::Word(word) => Self::try_from(word),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::Manifest;
    use super::*;
    use std::path::Path;

    fn read(crawl: &str) -> Result<CrawlWish, String> {
        let text = format!("name = \"x\"\nsource = \"cellar\"\n\n[crawl]\n{crawl}\n");
        Manifest::parse(Path::new("dataset.toml"), &text).map(|m| m.crawl).map_err(|e| e.to_string())
    }

    #[test]
    fn what_is_not_said_is_polite() {
        let wish = read("").unwrap();
        assert_eq!(wish, CrawlWish::default());
        assert_eq!((wish.pace, wish.policy(0).hurry(), wish.pairs.of(161)), (Pace::POLITE, None, Some(483)));
    }

    #[test]
    fn values_are_checked_and_shown_with_their_line() {
        let wish = read("contact = \"you@example.org\"\npace = 2\npairs = \"all\"\nrest = \"http://127.0.0.1:1/r/\"");
        let wish = wish.unwrap();
        assert_eq!((wish.pace.duration(), wish.pairs.of(1)), (Duration::from_secs(2), None));
        assert_eq!(wish.rest.as_str(), "http://127.0.0.1:1/r");
        assert!(read("pace = 0.2").unwrap().policy(0).hurry().is_some());
        assert_eq!(read("pairs = 40").unwrap().pairs.of(3), Some(40));
        for (line, why) in [
            ("contact = \"me\"", "no contact"),
            ("contact = \"a@b.c\\r\\nx: y\"", "no contact"),
            ("sparql = \"ftp://x/\"", "no address"),
            ("rest = \"http://x/?q=1\"", "no address"),
            ("pace = 0", "a pace of 0"),
            ("pace = -1.0", "a pace of -1"),
            ("pairs = \"0x\"", "no number of pairs"),
            ("paces = 1", "unknown field `paces`"),
        ] {
            let told = read(line).unwrap_err();
            assert!(told.starts_with("dataset.toml:5: ") && told.contains(why), "{line}: {told}");
        }
    }
}
