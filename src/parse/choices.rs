//! The list of parts with which the repository answers (status 300) where a document stands in several streams.

use super::markup::{Markup, Piece, attribute};
use super::{Parsed, Refused, Warning};
use crate::law::Span;
use std::collections::BTreeSet;

/// More parts than any document was published in.
const MOST: usize = 4096;
/// A longer list is none: some hundred bytes name a part.
const LONGEST: usize = 4 << 20;
/// A longer address is none.
const LONGEST_ADDRESS: usize = 2000;

/// The addresses in a list of parts, in the order of their numbers (`…/DOC_2` before `…/DOC_10`), each once, as written.
///
/// ```
/// let list = br#"<ul><li><a href="x.0006.03/DOC_10">b</a></li><li><a href="x.0006.03/DOC_2">a</a></li></ul>"#;
/// let parts = legal_link::parse::choices(list).unwrap().value;
/// assert_eq!(parts, ["x.0006.03/DOC_2", "x.0006.03/DOC_10"]);
/// ```
///
/// # Errors
/// [`Refused`] where no link leads to a numbered part, or the list is longer than any.
pub fn choices(bytes: &[u8]) -> Result<Parsed<Vec<String>>, Refused> {
    if bytes.len() > LONGEST {
        return Err(Refused::TooBig { bytes: bytes.len(), limit: LONGEST });
    }
    let (mut parts, mut seen, mut warnings) = (Vec::new(), BTreeSet::new(), Vec::new());
    for piece in Markup::new(bytes) {
        let Piece::Open { name, attributes, start, end, .. } = piece else { continue };
        let Some(href) = attribute(attributes, "href").filter(|_| name.eq_ignore_ascii_case("a")) else { continue };
        let mut doubt = |message: String| warnings.push(Warning { span: Span::new(start, end), message });
        let href = href.trim().replace("&amp;", "&");
        match part_number(&href) {
            _ if href.len() > LONGEST_ADDRESS => doubt("an address longer than any is left out".to_string()),
            None => doubt(format!("`{href}` is no numbered part")),
            Some(_) if parts.len() == MOST => {
                doubt(format!("more than {MOST} parts; the rest is left out"));
                break;
            }
            Some(_) => {
                if seen.insert(href.clone()) {
                    parts.push(href);
                }
            }
        }
    }
    if parts.is_empty() {
        return Err(Refused::NotThis { wanted: "list of parts", found: "no link to a numbered part".to_string() });
    }
    Ok(Parsed { value: parts_in_order(parts), warnings })
}

/// Addresses of parts by number; those of one number, and those without any (last), as they came.
pub fn parts_in_order(mut parts: Vec<String>) -> Vec<String> {
    parts.sort_by_cached_key(|part| part_number(part).unwrap_or(u64::MAX));
    parts
}

/// The number of a part: of the last `DOC_n` in its address.
pub fn part_number(address: &str) -> Option<u64> {
    let path = address.split(['?', '#']).next()?;
    path.rsplit('/').find_map(|segment| {
        let digits = segment.strip_prefix("DOC_")?;
        if digits.bytes().all(|b| b.is_ascii_digit()) { digits.parse().ok() } else { None }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_list_as_it_is_served() {
        let list = concat!(
            "<?xml version=\"1.0\"?><html xmlns=\"http://www.w3.org/1999/xhtml\"><head><title>Choices</title></head><body>",
            "<p><a href=\"/help\">help</a></p><ul>",
            "<li><a class='x' href='http://h/resource/cellar/u.0006.02/DOC_2'>two</a></li>",
            "<li><a href=\"http://h/resource/cellar/u.0006.02/DOC_1?a=1&amp;b=2\">one</a></li>",
            "<li><a href=\"http://h/resource/cellar/u.0006.02/DOC_3/L_9001EN.xml\">three</a></li>",
            "<li><a href='http://h/resource/cellar/u.0006.02/DOC_2'>two again</a></li></ul></body></html>"
        );
        let parsed = choices(list.as_bytes()).expect("a list");
        let ends: Vec<&str> = parsed.value.iter().map(|a| &a["http://h/resource/cellar/u.0006.02/".len()..]).collect();
        assert_eq!(ends, ["DOC_1?a=1&b=2", "DOC_2", "DOC_3/L_9001EN.xml"]);
        assert_eq!(parsed.warnings.len(), 1, "the link to the help is none");
        assert!(choices(b"<html><body><p>No list.</p></body></html>").is_err());
        assert!(choices(b"").is_err());
    }

    proptest! {
        #[test]
        fn numbers_decide(mut numbers in proptest::collection::btree_set(0_u64..100_000, 1..40), turn in 0_usize..40) {
            let wanted: Vec<String> = numbers.iter().map(|n| format!("x/DOC_{n}")).collect();
            let mut given = wanted.clone();
            let turn = turn % given.len();
            given.rotate_left(turn);
            numbers.clear();
            prop_assert_eq!(parts_in_order(given.clone()), wanted.clone());
            let list = given.iter().fold(String::new(), |list, part| list + "<a href=\"" + part + "\">");
            prop_assert_eq!(choices(list.as_bytes()).expect("a list").value, wanted);
        }

        #[test]
        fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400), text in "(<a href=[\"']?|DOC_[0-9]{0,25}|/|[\"'>]){0,30}") {
            let _ = choices(&bytes);
            if let Ok(parsed) = choices(text.as_bytes()) {
                prop_assert!(parsed.warnings.iter().all(|w| w.span.end <= text.len()));
            }
        }
    }
}
