//! What a document is, from its bytes: never from its name or the label it came with.

use super::Refused;
use super::formex::{self, Root};
use super::markup::seek;
use crate::law::Flavour;
use scraper::{Html, Selector};
use std::sync::LazyLock;

/// More than ten times the largest act known.
pub(super) const LIMIT: usize = 64 << 20;
/// How far the marks of a layout are looked for.
const WINDOW: usize = 16 << 10;

/// The layout of an act's text, by its first marks; nothing is read yet.
///
/// # Errors
/// [`Refused`]: nothing there, too much of it, a challenge, a portal's page, another format.
pub fn act(bytes: &[u8]) -> Result<Flavour, Refused> {
    if bytes.len() > LIMIT {
        return Err(Refused::TooBig { bytes: bytes.len(), limit: LIMIT });
    }
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    if text.is_empty() {
        return Err(Refused::Empty);
    }
    let head = &text[..text.len().min(WINDOW)];
    if head.contains(&0) || head.starts_with(b"%PDF") {
        return Err(not_an_act("a binary file"));
    }
    if !head.starts_with(b"<") {
        return Ok(if judgment(head) { Flavour::CjeuMd } else { Flavour::Plain });
    }
    if has(head, b"<!ENTITY") {
        return Err(Refused::Entities);
    }
    match formex::root(text) {
        Some(Root::Act | Root::Annex | Root::Corrigendum) => return Ok(Flavour::Formex),
        Some(Root::Consolidated | Root::ConsolidatedAnnex) => return Ok(Flavour::ConsolidatedFormex),
        Some(Root::Parts) => return Err(not_an_act("the table of the parts that a document was published in")),
        Some(Root::Issue) => return Err(not_an_act("the table of contents of an issue of the Official Journal")),
        None if has(head, b"formex.publications.europa.eu") => {
            return Err(not_an_act("a Formex document of another kind"));
        }
        None => {}
    }
    if [&b"awswaf"[..], b"gokuProps", b"AwsWafIntegration", b"captcha-delivery"].iter().any(|w| has(head, w)) {
        return Err(Refused::Challenge);
    }
    if has(text, b"<TXT_TE>") || has(text, b"<txt_te>") || has(text, b"id=\"TexteOnly\"") {
        return Ok(Flavour::TxtTe);
    }
    if let Some(flavour) = styled(head, text) {
        return Ok(flavour);
    }
    if has(head, b"class=\"oj-") || has(head, b"eli-subdivision") || has(head, b"eli-container") {
        return Ok(Flavour::OjEli);
    }
    let old = [&b"class=\"doc-ti\""[..], b"class=\"ti-art\"", b"class=\"hd-date\""];
    if old.iter().any(|c| has(text, c)) && !portal(head) {
        return Ok(Flavour::Oj);
    }
    if portal(head) { Err(Refused::PortalShell) } else { Err(not_an_act("markup of another kind")) }
}

/// A layout that says its kind by its style classes, or by the mark of the base act in a consolidated text's head.
fn styled(head: &[u8], text: &[u8]) -> Option<Flavour> {
    if has(head, b"class=\"title-doc-first\"") && has(head, "►".as_bytes()) {
        let contained = has(text, b"class=\"eli-container\"");
        return Some(if contained { Flavour::ConsEli } else { Flavour::ConsOld });
    }
    if has(head, "►B".as_bytes()) && has(text, "▼".as_bytes()) && !portal(head) {
        return Some(Flavour::ConsInline);
    }
    if has(text, b"class=\"Typedudocument\"") {
        return Some(Flavour::Proposal);
    }
    let court = [&b"class=\"sum-title-1\""[..], b"class=\"coj-sum-title-1\""];
    court.iter().any(|c| has(head, c)).then_some(Flavour::CjeuXhtml)
}

/// Whether one of the first lines says that a court decided.
fn judgment(head: &[u8]) -> bool {
    let lines = head.split(|b| *b == b'\n').map(<[u8]>::trim_ascii).filter(|l| !l.is_empty());
    let kinds = [&b"JUDGMENT OF THE"[..], b"ORDER OF THE", b"# JUDGMENT OF THE", b"**JUDGMENT OF THE"];
    lines.take(3).any(|line| kinds.iter().any(|k| line.starts_with(k)))
}

/// The forms that notices come in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoticeKind {
    /// `rdf:RDF`.
    Rdf,
    /// `NOTICE`.
    Xml,
    /// An envelope of the search service.
    Soap,
}

/// The form of a notice.
///
/// # Errors
/// [`Refused`] where the bytes are none.
pub(super) fn notice(bytes: &[u8]) -> Result<NoticeKind, Refused> {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    let head = &text[..text.len().min(WINDOW)];
    if text.is_empty() {
        return Err(Refused::Empty);
    }
    if has(head, b"<!ENTITY") {
        return Err(Refused::Entities);
    }
    if has(head, b"<rdf:RDF") || has(head, b"http://www.w3.org/1999/02/22-rdf-syntax-ns#") {
        return Ok(NoticeKind::Rdf);
    }
    if has(head, b"Envelope") && has(head, b"http://www.w3.org/2003/05/soap-envelope") {
        return Ok(NoticeKind::Soap);
    }
    if has(head, b"<NOTICE") {
        return Ok(NoticeKind::Xml);
    }
    Err(Refused::NotThis { wanted: "notice", found: "markup without a notice".to_string() })
}

fn not_an_act(found: &str) -> Refused {
    Refused::NotThis { wanted: "act", found: found.to_string() }
}

fn has(hay: &[u8], needle: &[u8]) -> bool {
    seek(hay, 0, needle).is_some()
}

/// Whether a page is the portal's own: its application settings or navigation, and no text of an act.
fn portal(head: &[u8]) -> bool {
    static MARKS: LazyLock<Option<Selector>> = LazyLock::new(|| {
        Selector::parse(
            "script[src*='eurlex-frontoffice'], link[href*='eurlex-frontoffice'], meta[name='WT.cg_n'], \
             meta[property='og:site_name'], nav, .EurlexContent, #EurlexContent, .ecl-site-header",
        )
        .ok()
    });
    let page = Html::parse_document(&String::from_utf8_lossy(head));
    MARKS.as_ref().is_some_and(|marks| page.select(marks).next().is_some())
}
