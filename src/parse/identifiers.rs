//! Identifiers notices: under which names the repository knows a work. And what many such names come to: which CELEX
//! number the works have that a register calls otherwise.

use super::notice_xml::{Element, child, tree};
use super::{Parsed, Refused, Warning, sniff};
use crate::law::{Celex, Span};
use memchr::memmem::Finder;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// A longer notice is none: a work has a few dozen names.
const LONGEST: usize = 4 << 20;

/// The names of one work.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Identifiers {
    /// Its identifier in the repository (`0caf473a-85bd-11ed-9887-01aa75ed71a1`).
    pub cellar: Option<String>,
    /// Its CELEX numbers; one, as a rule.
    pub celex: BTreeSet<Celex>,
    /// All its addresses, as written.
    pub addresses: BTreeSet<String>,
}

/// Reads an identifiers notice. Names of the work's expressions and manifestations are left out.
///
/// ```
/// let notice = br#"<NOTICE type="identifiers"><WORK>
///   <URI><VALUE>http://h/resource/cellar/9001-a</VALUE><IDENTIFIER>9001-a</IDENTIFIER><TYPE>cellar</TYPE></URI>
///   <SAMEAS><URI><VALUE>http://h/resource/celex/32016R9001</VALUE><IDENTIFIER>32016R9001</IDENTIFIER>
///   <TYPE>celex</TYPE></URI></SAMEAS></WORK></NOTICE>"#;
/// let names = legal_link::parse::identifiers(notice).unwrap().value;
/// assert_eq!(names.celex.first().unwrap().as_str(), "32016R9001");
/// assert_eq!(names.cellar.as_deref(), Some("9001-a"));
/// ```
///
/// # Errors
/// [`Refused`] where the bytes are no notice in XML, or name nothing.
pub fn identifiers(bytes: &[u8]) -> Result<Parsed<Identifiers>, Refused> {
    if bytes.len() > LONGEST {
        return Err(Refused::TooBig { bytes: bytes.len(), limit: LONGEST });
    }
    if sniff::notice(bytes)? != sniff::NoticeKind::Xml {
        return Err(Refused::NotThis { wanted: "identifiers notice", found: "a notice in another form".to_string() });
    }
    let (mut names, mut warnings) = (Identifiers::default(), Vec::new());
    let elements = tree(bytes, &mut warnings);
    // Elements stand parents first, so that one pass knows what is inside an expression.
    let mut inside = vec![false; elements.len()];
    for at in 0..elements.len() {
        let below = elements[at].parent != at && inside[elements[at].parent];
        inside[at] = below || matches!(elements[at].name.as_str(), "EXPRESSION" | "MANIFESTATION" | "ITEM");
        if elements[at].name == "URI" && !inside[at] {
            name(&elements, at, &mut names, &mut warnings);
        }
    }
    if names.addresses.is_empty() {
        return Err(Refused::NotThis { wanted: "identifiers notice", found: "no name of a work".to_string() });
    }
    Ok(Parsed { value: names, warnings })
}

/// One name: its address, and the CELEX number or the repository's identifier in it.
fn name(elements: &[Element], uri: usize, names: &mut Identifiers, warnings: &mut Vec<Warning>) {
    let field = |name| child(elements, uri, name).next().map(|at| elements[at].text.trim()).filter(|t| !t.is_empty());
    let Some(address) = field("VALUE") else { return };
    let (kind, identifier) = (field("TYPE"), field("IDENTIFIER"));
    match (kind, identifier) {
        (Some("celex"), Some(celex)) => match celex.parse() {
            Ok(celex) => {
                names.celex.insert(celex);
            }
            Err(_) => warnings.push(Warning {
                span: elements[uri].span,
                message: format!("`{celex}` is said to be a CELEX number and is none"),
            }),
        },
        (Some("cellar"), Some(id)) if names.cellar.is_none() => names.cellar = Some(id.to_string()),
        _ => {}
    }
    names.addresses.insert(address.to_string());
}

/// Which CELEX number works have, by the addresses that registers keep them under.
///
/// ```
/// use legal_link::parse::Synonyms;
/// let mut synonyms = Synonyms::default();
/// synonyms.add("http://h/resource/cellar/9001-A", &"32016R9001".parse().unwrap());
/// assert_eq!(synonyms.celex("https://g/resource/cellar/9001-a").unwrap().as_str(), "32016R9001");
/// assert_eq!(synonyms.celex("http://h/resource/oj/L_202409001"), None);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Synonyms(BTreeMap<String, Celex>);

impl Synonyms {
    /// Notes that the work at an address has this number; of several numbers the first in order counts, whichever was
    /// heard first.
    pub fn add(&mut self, address: &str, celex: &Celex) {
        let known = self.0.entry(work_name(address)).or_insert_with(|| celex.clone());
        if celex < known {
            *known = celex.clone();
        }
    }

    /// Notes what an identifiers notice says.
    pub fn learn(&mut self, names: &Identifiers) {
        if let Some(celex) = names.celex.first() {
            names.addresses.iter().for_each(|address| self.add(address, celex));
        }
    }

    /// The number of the work at an address: known, or in the address itself.
    pub fn celex(&self, address: &str) -> Option<Celex> {
        self.0.get(&work_name(address)).cloned().or_else(|| in_address(address))
    }

    /// How many addresses are known.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether none is known.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// What an address names: the words after `/resource/`; an identifier of the repository in lower case.
fn work_name(address: &str) -> String {
    let name = address.trim().split_once("/resource/").map_or(address, |(_, name)| name);
    if name.starts_with("cellar/") { name.to_ascii_lowercase() } else { name.to_string() }
}

/// The CELEX number in a work's address; an expression's or manifestation's is not its name.
pub(super) fn in_address(address: &str) -> Option<Celex> {
    static MARK: LazyLock<Finder> = LazyLock::new(|| Finder::new("/celex/"));
    let work = &address[MARK.find(address.as_bytes())?..];
    if work.contains('.') { None } else { Celex::from_uri(work) }
}

/// The warning about a statement of which an end has no CELEX number.
pub(super) fn nameless(source: &str, relation: &str, target: &str, span: Span) -> Warning {
    let message = format!("{relation} from {source} to {target}: no CELEX number is known for an end");
    Warning { span, message }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const NOTICE: &str = include_str!("../../tests/fixtures/parse/32016R9001.identifiers.xml");

    #[test]
    fn the_names_of_a_work() {
        let names = identifiers(NOTICE.as_bytes()).expect("a notice").value;
        assert_eq!(names.celex.iter().map(Celex::as_str).collect::<Vec<_>>(), ["32016R9001"]);
        assert_eq!(names.addresses.len(), 3);
        let mut synonyms = Synonyms::default();
        synonyms.learn(&names);
        let known = |address: &str| synonyms.celex(address).map(|c| c.to_string());
        assert_eq!(known("https://h/resource/oj/JOL_2016_9119_R_0001").as_deref(), Some("32016R9001"));
        assert_eq!(known("http://h/resource/celex/31999R9001%2801%29").as_deref(), Some("31999R9001(01)"));
        assert_eq!(known("http://h/resource/celex/31999R9001.ENG"), None);
    }

    #[test]
    fn names_of_expressions_are_not_the_works() {
        let notice = NOTICE.replace(
            "</WORK>",
            "</WORK><EXPRESSION><URI><VALUE>http://h/resource/celex/31999R9001</VALUE><IDENTIFIER>31999R9001\
             </IDENTIFIER><TYPE>celex</TYPE></URI></EXPRESSION>",
        );
        assert_eq!(identifiers(notice.as_bytes()).expect("a notice").value.celex.len(), 1);
        assert!(identifiers(b"<NOTICE type=\"identifiers\"/>").is_err());
        assert!(identifiers(b"<!DOCTYPE x [<!ENTITY a \"b\">]><NOTICE><URI>&a;</URI></NOTICE>").is_err());
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300), cut in 0_usize..2000) {
            let mut notice = NOTICE.as_bytes().to_vec();
            let cut = cut % notice.len();
            notice.splice(cut..(cut + bytes.len() / 2).min(NOTICE.len()), bytes);
            if let Ok(parsed) = identifiers(&notice) {
                prop_assert!(parsed.warnings.iter().all(|w| w.span.end <= notice.len()));
            }
        }
    }
}
