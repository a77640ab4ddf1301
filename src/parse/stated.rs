//! What a document says it is, where nobody asked for it by number: a file of a dump, a page that was saved.

use super::act::{front, printed_title, reading};
use super::formex::{self, Root};
use super::markup::seek;
use super::{Refused, head, sniff};
use crate::law::{Celex, Flavour, Language, cite};

/// What a text states about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stated {
    /// Its layout.
    pub flavour: Flavour,
    /// The act, where the document leaves no doubt: it prints the CELEX number, or its English title begins with the
    /// kind and number of the act and goes on with a day that fits them. A corrigendum prints no number of its own.
    pub celex: Option<Celex>,
    /// The language, where mark-up names it.
    pub language: Option<Language>,
    /// The file of the table of parts that a Formex document says it belongs to.
    pub table: Option<String>,
}

/// Reads what a document states about itself.
///
/// ```
/// let page = "<html><body><p class=\"oj-doc-ti\">COMMISSION REGULATION (EC) No 9001/2009</p>\
///             <p class=\"oj-doc-ti\">of 5 May 2009</p><p class=\"oj-ti-art\">Article 1</p><p>Toys are safe.</p></body></html>";
/// let stated = legal_link::parse::stated(page.as_bytes()).unwrap();
/// assert_eq!(stated.celex.unwrap().as_str(), "32009R9001");
/// ```
///
/// # Errors
/// [`Refused`] where no act stands there: a portal's page, a challenge, a table, another format.
pub fn stated(bytes: &[u8]) -> Result<Stated, Refused> {
    let flavour = sniff::act(bytes)?;
    let formex = matches!(flavour, Flavour::Formex | Flavour::ConsolidatedFormex);
    let language = if formex { between(bytes, b"<LG.DOC>", b"<") } else { lang_attribute(bytes) };
    let table = between(bytes, b"<DOCUMENT.REF FILE=\"", b"\"").filter(|_| formex).map(str::to_string);
    let annex = matches!(formex::root(bytes), Some(Root::Annex | Root::ConsolidatedAnnex));
    let celex = if annex { None } else { celex(flavour, bytes) };
    Ok(Stated { flavour, celex, language: language.and_then(Language::from_code), table })
}

fn celex(flavour: Flavour, bytes: &[u8]) -> Option<Celex> {
    let front = front(flavour, bytes);
    // A consolidated text in Formex names the act whose state it is, and not which state.
    if let Some(named) = &front.names {
        return Some(named.clone()).filter(|n| flavour != Flavour::ConsolidatedFormex || n.is_consolidated());
    }
    if flavour.is_consolidated() || flavour.is_judgment() || flavour == Flavour::Proposal {
        return None;
    }
    let title = printed_title(&reading(flavour, &front).title, front.title.as_ref());
    titled(&head::clean_title(title.text()).0)
}

/// The act whose title this is: the first that it cites, if nothing but the institution's name stands before it.
fn titled(title: &str) -> Option<Celex> {
    let first = cite(title).into_iter().next()?;
    let before = title.get(..first.start)?;
    let small = |word: &str| matches!(word, "of" | "the" | "and" | "for");
    let name = |word: &str| small(word) || word.starts_with(|c: char| c.is_uppercase());
    let clear = before.split_whitespace().all(name) && !before.to_lowercase().contains("corrigend");
    let day = head::long_day(title)?;
    first.celex.filter(|celex| clear && head::fits(celex, day))
}

/// The language that the root element of a page names.
fn lang_attribute(bytes: &[u8]) -> Option<&str> {
    let head = bytes.get(..bytes.len().min(4096))?;
    let at = seek(head, 0, b"<html")?;
    let root = head.get(at..seek(head, at, b">")?)?;
    between(root, b"lang=\"", b"\"")
}

/// The first text between two marks, if it is short.
fn between<'a>(bytes: &'a [u8], open: &[u8], close: &[u8]) -> Option<&'a str> {
    let start = seek(bytes, 0, open)? + open.len();
    let rest = bytes.get(start..bytes.len().min(start + 200))?;
    std::str::from_utf8(rest.get(..seek(rest, 0, close)?)?).ok()
}

#[cfg(test)]
mod tests {
    use super::titled;

    #[test]
    fn only_a_title_that_begins_with_its_own_number_names_an_act() {
        let named = |title: &str| titled(title).map(|c| c.to_string());
        let own = "COMMISSION REGULATION (EC) No 9001/2009 of 5 May 2009 amending Regulation (EC) No 9000/2008";
        assert_eq!(named(own).as_deref(), Some("32009R9001"));
        assert_eq!(named("Corrigendum to Regulation (EC) No 9001/2009 of 5 May 2009"), None);
        assert_eq!(named("Commission Decision of 5 May 2009 amending Decision 2008/9001/EC"), None);
        // A day that does not fit, and a title in another language: nothing is guessed.
        assert_eq!(named("Regulation (EC) No 9001/2009 of 5 May 2003"), None);
        assert_eq!(named("Directive 2009/9001/CE du 5 mai 2009"), None);
    }
}
