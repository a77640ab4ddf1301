//! The table of the parts that a document was published in (`DOC`), and which of several texts is the act.

use super::super::{Parsed, Refused, Warning};
use super::{Root, position, reader, root, value};
use crate::law::{Celex, Day, Span};
use quick_xml::events::Event;

/// More parts than any document was published in.
const MOST: usize = 4096;

/// What a `DOC` file says of the document it belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Parts {
    /// Its texts in their order, the main one first.
    pub members: Vec<Member>,
    /// The day of the Official Journal that it was published in.
    pub published: Option<Day>,
    /// Its CELEX number, where the table gives one.
    pub celex: Option<Celex>,
}

/// One text of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// The name of its file.
    pub file: String,
    /// Whether it is the main text, not an annex.
    pub main: bool,
    /// Its place in the document (`0001`, `0001.0003`).
    pub sequence: String,
}

/// Reads the table of a document's parts.
///
/// ```
/// let table = br#"<DOC><FMX><DOC.MAIN.PUB NO.SEQ="0001"><REF.PHYS FILE="L_9001.xml" TYPE="DOC.XML"/></DOC.MAIN.PUB>
///   <DOC.SUB.PUB NO.SEQ="0001.0001" TYPE="ANNEX"><REF.PHYS FILE="L_9002.xml" TYPE="DOC.XML"/></DOC.SUB.PUB></FMX></DOC>"#;
/// let parts = legal_link::parse::parts(table).unwrap().value;
/// let files: Vec<&str> = parts.members.iter().map(|m| m.file.as_str()).collect();
/// assert_eq!(files, ["L_9001.xml", "L_9002.xml"]);
/// ```
///
/// # Errors
/// [`Refused`] where the bytes are no such table.
pub fn parts(bytes: &[u8]) -> Result<Parsed<Parts>, Refused> {
    if root(bytes) != Some(Root::Parts) {
        let found = "another document".to_string();
        return Err(Refused::NotThis { wanted: "table of a document's parts", found });
    }
    let (mut events, before) = reader(bytes);
    let (mut parts, mut warnings) = (Parts::default(), Vec::new());
    let (mut publication, mut number): (bool, Option<String>) = (false, None);
    // The part being read: whether it is the main one, and its place.
    let mut part: Option<(bool, String)> = None;
    loop {
        let start = position(&events, before);
        let event = match events.read_event() {
            Ok(Event::Eof) => break,
            Ok(event) => event,
            Err(e) => {
                let message = format!("the table is torn here: {e}");
                warnings.push(Warning { span: Span::new(start, bytes.len()), message });
                break;
            }
        };
        match event {
            Event::Start(tag) | Event::Empty(tag) => match tag.name().as_ref() {
                b"PUBLICATION.REF" => publication = true,
                b"DATE" if publication && parts.published.is_none() => {
                    parts.published = value(&tag, "ISO").and_then(Day::compact);
                }
                name @ (b"DOC.MAIN.PUB" | b"DOC.SUB.PUB") => {
                    let sequence = value(&tag, "NO.SEQ").unwrap_or_default().to_string();
                    part = Some((name == b"DOC.MAIN.PUB", sequence));
                }
                b"REF.PHYS" => {
                    let file = value(&tag, "FILE").filter(|_| value(&tag, "TYPE").is_none_or(|t| t == "DOC.XML"));
                    if let (Some(file), Some((main, sequence))) = (file, &part)
                        && parts.members.len() < MOST
                    {
                        let (file, main, sequence) = (file.to_string(), *main, sequence.clone());
                        parts.members.push(Member { file, main, sequence });
                    }
                }
                b"NO.CELEX" => number = Some(String::new()),
                _ => {}
            },
            Event::Text(text) => {
                if let Some(number) = &mut number {
                    number.push_str(&String::from_utf8_lossy(&text));
                }
            }
            Event::End(tag) => match tag.name().as_ref() {
                b"PUBLICATION.REF" => publication = false,
                b"DOC.MAIN.PUB" | b"DOC.SUB.PUB" => part = None,
                b"NO.CELEX" => parts.celex = number.take().and_then(|n| n.trim().parse().ok()).or(parts.celex),
                _ => {}
            },
            _ => {}
        }
    }
    parts.members.sort_by(|a, b| (!a.main, &a.sequence).cmp(&(!b.main, &b.sequence)));
    Ok(Parsed { value: parts, warnings })
}

/// The texts of one document, told apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MainPart<T> {
    /// The act, corrigendum or consolidated text; none where only annexes are here.
    pub main: Option<T>,
    /// The annexes, in the order given.
    pub annexes: Vec<T>,
    /// What is neither: tables, and further main texts.
    pub rest: Vec<T>,
}

/// Which of the texts of a document is the act itself, and which are its annexes. Their root elements tell: an
/// annex may come first.
///
/// ```
/// use legal_link::parse::{Root, main_part};
/// let found = main_part([(Root::Annex, "DOC_1"), (Root::Act, "DOC_2")]);
/// assert_eq!((found.main, found.annexes), (Some("DOC_2"), vec!["DOC_1"]));
/// ```
pub fn main_part<T>(texts: impl IntoIterator<Item = (Root, T)>) -> MainPart<T> {
    let mut found = MainPart { main: None, annexes: Vec::new(), rest: Vec::new() };
    for (root, text) in texts {
        match root {
            Root::Act | Root::Corrigendum | Root::Consolidated if found.main.is_none() => found.main = Some(text),
            Root::Annex | Root::ConsolidatedAnnex => found.annexes.push(text),
            _ => found.rest.push(text),
        }
    }
    found
}
