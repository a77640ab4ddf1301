//! Bad answers, by seed.

use super::library::Library;
use super::wire::{Answer, Request};
use flate2::Compression;
use flate2::write::GzEncoder;
use legal_link::law::Digest;
use std::io::Write as _;

/// One way of answering badly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// 429, with `Retry-After` in seconds.
    BusySeconds,
    /// 429, with `Retry-After` as one of the three forms of an HTTP date, in the past.
    BusyDate,
    /// 429, with `retry-after-ms`.
    BusyMilliseconds,
    /// 429, with a `Retry-After` that is neither.
    BusyNonsense,
    /// 429 without a word about when.
    Busy,
    /// 500.
    Broken,
    /// 503.
    Unavailable,
    /// 202 without content: later, perhaps.
    Later,
    /// The connection ends before the answer.
    Reset,
    /// Half of the body, then the end.
    Cut,
    /// The document cut, and `Content-Length` cut with it.
    WrongLength,
    /// A content type that names another character set.
    WrongCharset,
    /// A small body that grows beyond measure.
    Bomb,
    /// A byte now and then.
    Drip,
    /// A redirect to itself.
    Loop,
    /// A redirect to a host that nobody allowed.
    Foreign,
    /// A page that asks a browser to prove itself, with status 200.
    Challenge200,
    /// The same with status 202.
    Challenge202,
    /// A portal's page in place of the document.
    Shell,
    /// 200 and nothing.
    Empty,
    /// Another act's document.
    Swapped,
}

impl Fault {
    /// All but challenges, after which nothing more is asked of a host.
    pub const PASSING: [Self; 19] = [
        Self::BusySeconds,
        Self::BusyDate,
        Self::BusyMilliseconds,
        Self::BusyNonsense,
        Self::Busy,
        Self::Broken,
        Self::Unavailable,
        Self::Later,
        Self::Reset,
        Self::Cut,
        Self::WrongLength,
        Self::WrongCharset,
        Self::Bomb,
        Self::Drip,
        Self::Loop,
        Self::Foreign,
        Self::Shell,
        Self::Empty,
        Self::Swapped,
    ];

    /// Whether it can be told from an answer without it only where a document comes.
    fn needs_a_document(self) -> bool {
        matches!(
            self,
            Self::Cut | Self::WrongLength | Self::WrongCharset | Self::Drip | Self::Shell | Self::Empty | Self::Swapped
        )
    }

    /// Makes the answer bad; what concerns the wire is done when it is written.
    pub fn spoil(self, answer: &mut Answer, library: &Library, request: &Request) {
        let busy = || Answer::new(429, "text/plain", "slow down");
        let html = "text/html;charset=UTF-8";
        let challenge = "<html><head><script>window.gokuProps={}</script><script src=\"https://x.example/challenge.js\">\
                         </script></head><body></body></html>";
        *answer = match self {
            Self::BusySeconds => busy().header("retry-after", "1"),
            Self::BusyDate => {
                let forms =
                    ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"];
                busy().header("retry-after", forms[request.path.len() % 3])
            }
            Self::BusyMilliseconds => busy().header("retry-after-ms", "700"),
            Self::BusyNonsense => busy().header("retry-after", "soon"),
            Self::Busy => busy(),
            Self::Broken => Answer::new(500, html, "<html><body>Internal error</body></html>"),
            Self::Unavailable => Answer::new(503, html, "<html><body>Unavailable</body></html>"),
            Self::Later => Answer::new(202, html, ""),
            Self::Bomb => {
                let mut zipped = GzEncoder::new(Vec::new(), Compression::best());
                zipped.write_all(&vec![b' '; 24 << 20]).expect("memory");
                Answer::new(200, html, zipped.finish().expect("memory")).header("content-encoding", "gzip")
            }
            Self::Loop => Answer::new(303, html, "").header("location", request.path.clone()),
            Self::Foreign => Answer::new(303, html, "").header("location", "http://elsewhere.example/document"),
            Self::Challenge200 => Answer::new(200, html, challenge),
            Self::Challenge202 => Answer::new(202, html, "").header("x-amzn-waf-action", "challenge"),
            Self::Shell => Answer::new(200, html, shell()),
            Self::Empty => Answer::new(200, html, ""),
            Self::Swapped => {
                if let Some(other) = library.another(request, &answer.body) {
                    answer.body = other;
                    answer.headers.retain(|(name, _)| name != "etag" && name != "content-md5");
                }
                return;
            }
            Self::WrongCharset => {
                let kind = answer.headers.iter().find(|(name, _)| name == "content-type").map(|(_, v)| v.clone());
                let kind = kind.unwrap_or_default();
                answer.set("content-type", format!("{};charset=UTF-16", kind.split(';').next().unwrap_or_default()));
                return;
            }
            Self::Reset | Self::Cut | Self::WrongLength | Self::Drip => return,
        };
    }
}

/// A page of a portal: navigation and no law.
fn shell() -> String {
    let links = "<li><a href=\"/browse\">Browse the collections</a></li>".repeat(400);
    format!(
        "<!DOCTYPE html><html><head><title>Access to law</title><meta name=\"WT.cg_n\" content=\"portal\"/>\
         <script src=\"/eurlex-frontoffice/dist/x.js\"></script></head><body><nav><ul>{links}</ul></nav>\
         <div id=\"EurlexContent\"></div></body></html>"
    )
}

/// Which bad answers are given, and how often.
#[derive(Debug, Clone, Default)]
pub struct Faults {
    /// Another seed, other bad answers.
    pub seed: u64,
    /// The share of answers that are bad, from 0 to 1.
    pub rate: f64,
    /// The ways of being bad; each is as likely as the others.
    pub kinds: Vec<Fault>,
}

impl Faults {
    /// None at all.
    pub fn none() -> Self {
        Self::default()
    }

    /// Of every kind that passes.
    pub fn passing(seed: u64, rate: f64) -> Self {
        Self { seed, rate, kinds: Fault::PASSING.to_vec() }
    }

    /// Of one kind.
    pub fn only(fault: Fault, seed: u64, rate: f64) -> Self {
        Self { seed, rate, kinds: vec![fault] }
    }

    /// What is done to the `time`th answer to a request. Nothing is done to robots.txt: where it fails nothing may be
    /// asked at all, and other tests look at that.
    pub(super) fn choose(&self, request: &str, time: u64, answer: &Answer) -> Option<Fault> {
        if self.kinds.is_empty() || request.starts_with("/robots.txt") {
            return None;
        }
        let digest = Digest::of_fields([&self.seed.to_le_bytes()[..], request.as_bytes(), &time.to_le_bytes()]);
        let bytes = digest.as_bytes();
        let share = f64::from(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])) / f64::from(u32::MAX);
        let chosen = self.kinds[usize::from(u16::from_le_bytes([bytes[4], bytes[5]])) % self.kinds.len()];
        (share < self.rate && (answer.holds_a_document() || !chosen.needs_a_document())).then_some(chosen)
    }
}
