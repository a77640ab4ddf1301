//! What an answer of the wire is, whatever its status says, and what is done with it.

use crate::http::{self, Sniffed};
use crate::parse;
use serde::Deserialize;
use serde::de::IgnoredAny;

/// What was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Asked<'a> {
    /// The `Accept` header; empty if none was sent.
    pub accept: &'a str,
    /// Whether an act with articles is known to stand there: one is held, or its notice says so.
    pub articles_expected: bool,
}

/// What came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Came<'a> {
    /// HTTP status.
    pub status: u16,
    /// Headers, names in lower case.
    pub headers: &'a [(String, String)],
    /// The body, decompressed.
    pub body: &'a [u8],
    /// How many articles stand in the body; `None` = nobody counted.
    pub articles: Option<usize>,
}

impl<'a> From<&'a http::Answer> for Came<'a> {
    fn from(answer: &'a http::Answer) -> Self {
        Self { status: answer.status, headers: &answer.headers, body: &answer.body, articles: None }
    }
}

/// What an answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum What {
    /// What was asked for, whole. The only class that is stored.
    Whole,
    /// A page that asks a browser to prove itself: its host is left alone.
    Challenge,
    /// Not now: accepted and not ready, too many requests, a server in trouble.
    Later,
    /// Nothing in it.
    Empty,
    /// A list of the parts in which the document stands (status 300).
    Choices,
    /// No such document in this format and language; perhaps in another.
    NotInThisFormat,
    /// There is a document, and it is not served so: longer than asked for, or listed and not servable (status 406).
    NotAcceptable,
    /// The query server's error, whatever the status.
    QueryError,
    /// The query server's error that it ran out of time, or would: a smaller question may be answered, the same one not.
    OutOfTime,
    /// A part of a longer answer. The same question would be answered in part again.
    Partial,
    /// A body that breaks off.
    Truncated,
    /// The frame of a site without the document.
    Shell,
    /// Another format than asked for: a scanned page under the label of a text.
    Mistyped,
    /// A redirect that was not followed.
    Moved,
    /// The document is as it was (status 304).
    Unchanged,
    /// Refused for good: not allowed, or no sound request.
    Refused,
}

/// What an answer is and what is done with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Class {
    /// What it is.
    pub what: What,
    /// Where to go on: the parts of a list in the order of their numbers, or where a redirect leads, as written.
    pub follow: Vec<String>,
    /// The format to ask for next.
    pub next_accept: Option<&'static str>,
    /// Its own words where it is an error or a part: one line, cut where it is long; often none.
    pub says: String,
}

impl Class {
    /// Whether the body may be kept.
    pub fn may_be_stored(&self) -> bool {
        self.what == What::Whole
    }

    /// Whether the same request may go out again by itself, after a pause.
    pub fn may_be_retried(&self) -> bool {
        matches!(self.what, What::Later | What::Empty | What::Truncated)
    }
}

/// The formats in which a text is asked for, one after the other: an act has XHTML or HTML, hardly ever both, and newer
/// ones Formex, in one stream or several.
pub const FORMATS: [&str; 4] =
    ["application/xhtml+xml", "text/html", "application/xml;type=fmx4", "application/zip;mtype=fmx4"];

/// Says what an answer is. Bytes are believed before labels and labels before the status.
///
/// ```
/// use legal_link::source::{Asked, Came, What, classify};
/// let asked = Asked { accept: "application/xhtml+xml", ..Asked::default() };
/// let missing = classify(&asked, &Came { status: 404, headers: &[], body: b"", articles: None });
/// assert_eq!((missing.what, missing.next_accept), (What::NotInThisFormat, Some("text/html")));
/// let cut = classify(&asked, &Came { status: 200, headers: &[], body: b"<html><body><p>Article 1</p>", articles: None });
/// assert!(cut.what == What::Truncated && !cut.may_be_stored() && cut.may_be_retried());
/// ```
pub fn classify(asked: &Asked, came: &Came) -> Class {
    let what = what(asked, came);
    let follow = match what {
        What::Choices => parse::choices(came.body).map(|parts| parts.value).unwrap_or_default(),
        What::Moved => came.header("location").map(str::to_string).into_iter().collect(),
        _ => Vec::new(),
    };
    let other = matches!(what, What::NotInThisFormat | What::Mistyped);
    let says = if what == What::Whole { String::new() } else { says(asked, came) };
    Class { what, follow, next_accept: if other { next_format(asked.accept) } else { None }, says }
}

/// The words of an answer that is not whole: those of the query server's error, of a header that tells of one, or its
/// first line.
fn says(asked: &Asked, came: &Came) -> String {
    let told = came.header("x-sql-message").map(str::as_bytes);
    let words = query_error(asked, came.body).or(told).unwrap_or(came.body.trim_ascii_start());
    let line = String::from_utf8_lossy(&words[..words.len().min(2000)]).into_owned();
    line.lines().next().unwrap_or_default().trim().chars().take(300).collect()
}

/// In the words of a query server's error: it ran out of time, or would.
const OUT_OF_TIME: [&str; 6] = ["S1T00", "S1TAT", "SR171", "timed out", "timeout", "estimated execution time"];

fn what(asked: &Asked, came: &Came) -> What {
    if http::challenge(came.status, came.headers, came.body) {
        return What::Challenge;
    }
    if query_error(asked, came.body).is_some() {
        let says = says(asked, came);
        let out_of_time = OUT_OF_TIME.iter().any(|words| says.contains(words));
        return if out_of_time { What::OutOfTime } else { What::QueryError };
    }
    match came.status {
        200 | 203 => body(asked, came),
        202 | 408 | 409 | 425 | 429 | 500 | 502..=504 | 529 => What::Later,
        204 | 205 => What::Empty,
        206 => What::Partial,
        300 => What::Choices,
        301..=303 | 307 | 308 => What::Moved,
        304 => What::Unchanged,
        404 | 410 => What::NotInThisFormat,
        406 => What::NotAcceptable,
        _ => What::Refused,
    }
}

/// What a body is that came with a status of success.
fn body(asked: &Asked, came: &Came) -> What {
    let sniffed = Sniffed::of(came.body);
    if came.is_part() {
        What::Partial
    } else if came.length_differs() {
        What::Truncated
    } else if came.body.trim_ascii().is_empty() {
        What::Empty
    } else if mistyped(asked.accept, came.header("content-type").unwrap_or_default(), sniffed) {
        What::Mistyped
    } else if breaks_off(came.body, sniffed) {
        What::Truncated
    } else if asked.articles_expected && came.articles == Some(0) || is_portal(asked.accept, came.body, sniffed) {
        What::Shell
    } else {
        What::Whole
    }
}

impl Came<'_> {
    fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
    }

    /// Whether the query server says that it stopped early, or that its answer has as many rows as it ever gives.
    fn is_part(&self) -> bool {
        let stopped = self.header("x-sql-state").is_some_and(|state| !state.is_empty() && !state.starts_with("00"));
        let cap = self.header("x-sparql-maxrows").and_then(|rows| rows.parse::<usize>().ok());
        stopped || cap.is_some_and(|cap| rows(self.body).is_none_or(|rows| rows >= cap))
    }

    /// Whether another number of bytes was announced than came. Of a compressed body the length is not known here.
    fn length_differs(&self) -> bool {
        let coded = self.header("content-encoding").is_some_and(|coding| !coding.eq_ignore_ascii_case("identity"));
        let announced = self.header("content-length").and_then(|length| length.parse::<usize>().ok());
        !coded && announced.is_some_and(|length| length != self.body.len())
    }
}

/// The rows of an answer in JSON; `None` if it is none.
fn rows(body: &[u8]) -> Option<usize> {
    #[derive(Deserialize)]
    struct Answer {
        results: Results,
    }
    #[derive(Deserialize)]
    struct Results {
        bindings: Vec<IgnoredAny>,
    }
    serde_json::from_slice::<Answer>(body).ok().map(|answer| answer.results.bindings.len())
}

/// The query server's error that stands in the body, from its first word on: at its beginning, or, where rows were asked
/// for, also behind those that had gone out before it (`Virtuoso 37000 Error SP030: …`).
fn query_error<'a>(asked: &Asked, body: &'a [u8]) -> Option<&'a [u8]> {
    const NAME: &[u8] = b"Virtuoso ";
    let at = |text: &[u8]| {
        let rest = text.strip_prefix(NAME).unwrap_or_default();
        let state = rest.len() > 5 && rest[..5].iter().all(u8::is_ascii_alphanumeric);
        state && rest[5..].starts_with(b" Error")
    };
    let whole = body.trim_ascii_start();
    if at(whole) {
        return Some(whole);
    }
    let accept = asked.accept.to_ascii_lowercase();
    let rows = ["sparql-results", "text/csv", "text/tab-separated-values"].iter().any(|format| accept.contains(format));
    let ends = [0..body.len().min(2000), body.len().saturating_sub(2000)..body.len()];
    let found = ends.into_iter().flatten().map(|from| &body[from..]).find(|text| rows && at(text));
    // In sound JSON a value may say anything.
    found.filter(|_| serde_json::from_slice::<IgnoredAny>(body).is_err())
}

/// Whether the bytes are of another kind than asked for, or, where nothing was asked for, than their label says.
fn mistyped(accept: &str, label: &str, sniffed: Sniffed) -> bool {
    let fits = |media: &str| {
        let media = media.to_ascii_lowercase();
        if media.contains("zip") {
            Some(sniffed == Sniffed::Zip)
        } else if media.contains("pdf") {
            Some(sniffed == Sniffed::Pdf)
        } else if media.contains("json") {
            Some(sniffed == Sniffed::Json)
        } else if media.contains("html") || media.contains("xml") {
            // What cannot be told by its first bytes may be mark-up all the same.
            Some(sniffed.is_markup() || sniffed == Sniffed::Other)
        } else {
            None
        }
    };
    let asked: Vec<bool> = accept.split(',').filter_map(fits).collect();
    if asked.is_empty() { fits(label) == Some(false) } else { !asked.contains(&true) }
}

/// Whether a body breaks off before its end: a root element that is not closed, JSON or an archive without its last bytes.
fn breaks_off(body: &[u8], sniffed: Sniffed) -> bool {
    let tail = |length: usize| &body[body.len().saturating_sub(length)..];
    let holds = |hay: &[u8], needle: &[u8]| hay.windows(needle.len()).any(|window| window.eq_ignore_ascii_case(needle));
    // Mark-up of two bytes a character is not looked into.
    let wide = body.iter().take(4).any(|byte| *byte == 0);
    match sniffed {
        Sniffed::Xml | Sniffed::Html if wide => false,
        Sniffed::Xml | Sniffed::Html => match root(body) {
            Root::Cut => true,
            Root::Empty => false,
            // A page may be a fragment; what opens as a whole page closes as one.
            Root::Open(name) => {
                let whole = sniffed == Sniffed::Xml || name.eq_ignore_ascii_case(b"html");
                whole && !closes(tail(4096), name, sniffed)
            }
        },
        Sniffed::Json => serde_json::from_slice::<IgnoredAny>(body).is_err(),
        // The end record of an archive, with the longest comment it may have.
        Sniffed::Zip => !holds(tail(22 + 65_535), b"PK\x05\x06"),
        Sniffed::Pdf => !holds(tail(4096), b"%%EOF"),
        Sniffed::Tiff | Sniffed::Gzip | Sniffed::Other => false,
    }
}

/// Whether an element is closed here, with nothing but comments behind it; behind a page there may be more.
fn closes(tail: &[u8], name: &[u8], sniffed: Sniffed) -> bool {
    let tag = [b"</", name].concat();
    let last = (0..tail.len()).rev().find_map(|at| {
        let begins = tail[at..].get(..tag.len())?.eq_ignore_ascii_case(&tag);
        let rest = tail[at..][tag.len()..].trim_ascii_start().strip_prefix(b">")?;
        begins.then(|| rest.trim_ascii_start())
    });
    last.is_some_and(|rest| sniffed == Sniffed::Html || matches!(rest, [] | [b'<', b'!' | b'?', ..]))
}

/// How a root element begins.
enum Root<'a> {
    /// The bytes end before it does.
    Cut,
    /// It has no content, or there is none.
    Empty,
    /// It has this name, and content.
    Open(&'a [u8]),
}

fn root(body: &[u8]) -> Root<'_> {
    let find = |text: &[u8], mark: &[u8]| text.windows(mark.len()).position(|window| window == mark);
    let mut rest = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body).trim_ascii_start();
    loop {
        let end: &[u8] = match rest {
            [] => return Root::Cut,
            [b'<', b'?', ..] => b"?>",
            [b'<', b'!', b'-', b'-', ..] => b"-->",
            [b'<', b'!', ..] => match rest.iter().find(|b| matches!(b, b'>' | b'[')) {
                Some(b'[') => b"]>",
                _ => b">",
            },
            [b'<', ..] => break,
            _ => return Root::Empty,
        };
        let Some(at) = find(rest, end) else { return Root::Cut };
        rest = rest[at + end.len()..].trim_ascii_start();
    }
    let Some(end) = find(rest, b">") else { return Root::Cut };
    let tag = &rest[1..end];
    let length = tag.iter().position(|b| b.is_ascii_whitespace() || *b == b'/').unwrap_or(tag.len());
    if tag.ends_with(b"/") || length == 0 { Root::Empty } else { Root::Open(&tag[..length]) }
}

/// Whether a text was asked for and the portal's own page came.
fn is_portal(accept: &str, body: &[u8], sniffed: Sniffed) -> bool {
    let text = accept.is_empty() || accept.contains("html");
    text && sniffed.is_markup() && matches!(parse::flavour(body), Err(parse::Refused::PortalShell))
}

/// The format after the last of those asked for.
fn next_format(accept: &str) -> Option<&'static str> {
    let plain = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_ascii_lowercase();
    let asked = accept.split(',').map(plain);
    let places = asked.filter_map(|media| {
        let media = media.split(";q=").next().unwrap_or_default().to_string();
        FORMATS.iter().position(|format| *format == media)
    });
    FORMATS.get(places.max()? + 1).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "application/xhtml+xml";
    const ROWS: &str = "application/sparql-results+json";

    fn class(accept: &str, status: u16, headers: &[(&str, &str)], body: &[u8]) -> What {
        let headers: Vec<_> = headers.iter().map(|(n, v)| ((*n).to_string(), (*v).to_string())).collect();
        let came = Came { status, headers: &headers, body, articles: None };
        classify(&Asked { accept, articles_expected: false }, &came).what
    }

    #[test]
    fn bytes_are_believed_before_labels() {
        let label = [("content-type", "application/xhtml+xml")];
        assert_eq!(class(TEXT, 200, &label, b"%PDF-1.4 ... %%EOF"), What::Mistyped);
        assert_eq!(class("", 200, &label, b"II*\0...."), What::Mistyped);
        assert_eq!(class("application/pdf", 200, &label, b"%PDF-1.4 ... %%EOF"), What::Whole);
        assert_eq!(class("application/zip;mtype=fmx4", 200, &[], b"<html></html>"), What::Mistyped);
        assert_eq!(class(ROWS, 200, &[], b"<html><body>busy</body></html>"), What::Mistyped);
        assert_eq!(class(TEXT, 200, &label, b"plain words"), What::Whole);
    }

    #[test]
    fn what_breaks_off_is_not_whole() {
        assert_eq!(
            class(TEXT, 200, &[], b"<?xml version=\"1.0\"?><!DOCTYPE html><html><p>Article 1</p></html>\n<!-- x -->"),
            What::Whole
        );
        for cut in [
            "<!DOCTYPE html><html><body><p>Article 1",
            "<?xml version=\"1.0\"?><DOC xmlns",
            "<!-- ",
            "<!DOCTYPE html>",
            "<DOC><A>x</A></DOC.X>",
            "<a><a></a><b/>",
        ] {
            assert_eq!(class(TEXT, 200, &[], cut.as_bytes()), What::Truncated, "{cut}");
        }
        assert_eq!(class("", 200, &[], b"<rdf:RDF xmlns:rdf=\"x\"><rdf:Description/>"), What::Truncated);
        assert_eq!(class("", 200, &[], b"<!DOCTYPE a [<!ENTITY b \">\">]><NOTICE/>"), What::Whole);
        assert_eq!(class(ROWS, 200, &[], b"\n{ \"results\": { \"bindings\": [ {} "), What::Truncated);
        assert_eq!(class("", 200, &[], b"PK\x03\x04...."), What::Truncated);
        assert_eq!(class("", 200, &[("content-length", "9")], b"a text"), What::Truncated);
        assert_eq!(class("", 200, &[("content-length", "9"), ("content-encoding", "gzip")], b"a text"), What::Whole);
    }

    #[test]
    fn query_servers_say_errors_and_parts_with_success() {
        let answer = b"{\"results\":{\"bindings\":[{},{}]}}";
        assert_eq!(class(ROWS, 200, &[("x-sparql-maxrows", "2")], answer), What::Partial);
        assert_eq!(class(ROWS, 200, &[("x-sparql-maxrows", "3")], answer), What::Whole);
        assert_eq!(class(ROWS, 200, &[("X-SQL-State", "S1TAT")], answer), What::Partial);
        for status in [200, 400, 500] {
            assert_eq!(class("", status, &[], b"Virtuoso 37000 Error SP030: SPARQL compiler"), What::QueryError);
            assert_eq!(class("", status, &[], b"\nVirtuoso S1T00 Error SR171: Transaction timed out"), What::OutOfTime);
        }
        let guess = b"Virtuoso 42000 Error The estimated execution time 99 (sec) exceeds the limit of 60 (sec).";
        assert_eq!(class(ROWS, 500, &[], guess), What::OutOfTime);
        let late = b"{\"results\":{\"bindings\":[{}\nVirtuoso S1T00 Error SR171: Transaction timed out\n";
        assert_eq!(class(ROWS, 200, &[], late), What::OutOfTime);
        let named = b"{\"head\":{\"vars\":[\"timed out\"]},\nVirtuoso 42000 Error SQ070: unknown";
        assert_eq!(class(ROWS, 200, &[], named), What::QueryError);
        let title = b"{\"results\":{\"bindings\":[{\"t\":{\"value\":\"Virtuoso 37000 Error SP030\"}}]}}";
        assert_eq!(class(ROWS, 200, &[], title), What::Whole);
    }

    #[test]
    fn other_formats_are_asked_for_in_turn() {
        let next = |accept: &str| {
            classify(
                &Asked { accept, articles_expected: false },
                &Came { status: 404, headers: &[], body: b"", articles: None },
            )
            .next_accept
        };
        assert_eq!(FORMATS.map(next), [Some(FORMATS[1]), Some(FORMATS[2]), Some(FORMATS[3]), None]);
        assert_eq!(next("Application/XML; type=fmx4;q=0.5"), Some(FORMATS[3]));
        assert_eq!(next("application/xml;notice=object"), None);
    }

    #[test]
    fn statuses_without_a_document() {
        let told = |status| class(TEXT, status, &[("location", "/x")], b"");
        assert_eq!(
            [429, 503, 304, 303, 403].map(told),
            [What::Later, What::Later, What::Unchanged, What::Moved, What::Refused]
        );
        assert_eq!(
            [204, 206, 406, 410].map(told),
            [What::Empty, What::Partial, What::NotAcceptable, What::NotInThisFormat]
        );
    }

    #[test]
    fn an_act_that_lost_its_articles_is_the_frame_of_a_site() {
        let told = |articles_expected, articles| {
            let came = Came { status: 200, headers: &[], body: b"<html><p>x</p></html>", articles };
            classify(&Asked { accept: TEXT, articles_expected }, &came).what
        };
        assert_eq!(
            [told(true, Some(0)), told(true, Some(1)), told(false, Some(0)), told(true, None)],
            [What::Shell, What::Whole, What::Whole, What::Whole]
        );
        let portal =
            b"<html><head><meta property=\"og:site_name\" content=\"x\"></head><body><nav>Menu</nav></body></html>";
        assert_eq!(class(TEXT, 200, &[], portal), What::Shell);
    }
}
