//! Which parts a text means of its own act, and which of others: "Article 6 of this Regulation and Article 6 of
//! Directive 95/46/EC".

use super::cursor::Cursor;
use super::{ENGLISH, bind, part_lists, references};
use crate::law::{Celex, Part};
use std::collections::BTreeMap;

/// The parts a text names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Addressed {
    /// Of the act that the text stands in, in order of first mention.
    pub own: Vec<Part>,
    /// Of other acts, in order of first mention.
    pub others: BTreeMap<Celex, Vec<Part>>,
}

/// Words after "of the" that name a document without a CELEX number of the usual kind.
const DOCUMENTS: [&str; 12] = [
    "Treaty",
    "Treaties",
    "Charter",
    "Agreement",
    "Convention",
    "Protocol",
    "Statute",
    "Act",
    "Annex",
    "TFEU",
    "TEU",
    "Staff",
];

/// Sorts the parts that an English text names by the act they belong to. Parts of an act that is not certain, of a treaty or
/// an agreement are left out.
///
/// ```
/// use legal_link::law::addressed;
/// let found = addressed("Article 6 of this Regulation and Article 7 of Directive 95/46/EC; see Article 9");
/// assert_eq!(found.own.iter().map(ToString::to_string).collect::<Vec<_>>(), ["6", "9"]);
/// assert_eq!(found.others.keys().map(ToString::to_string).collect::<Vec<_>>(), ["31995L0046"]);
/// ```
pub fn addressed(text: &str) -> Addressed {
    let mut citations = references(text, None);
    for citation in &mut citations {
        citation.parts.clear();
    }
    let mut lists = part_lists(text);
    bind::bind(&ENGLISH, text, &mut lists, &mut citations);
    let mut found = Addressed::default();
    for list in &lists {
        let of = list.citation.map(|i| &citations[i]);
        let into = match of {
            Some(citation) => match &citation.celex {
                Some(celex) => found.others.entry(celex.clone()).or_default(),
                None if is_own(&citation.text) => &mut found.own,
                None => continue,
            },
            None => match elsewhere(text, list.end) {
                Elsewhere::No => &mut found.own,
                Elsewhere::Document => continue,
                Elsewhere::LastAct => {
                    let last = citations.iter().rev().find(|c| c.end <= list.start).and_then(|c| c.celex.clone());
                    let Some(celex) = last else { continue };
                    found.others.entry(celex).or_default()
                }
            },
        };
        for part in &list.parts {
            if !into.contains(part) {
                into.push(part.clone());
            }
        }
    }
    found
}

fn is_own(citation: &str) -> bool {
    citation.get(..4).is_some_and(|w| w.eq_ignore_ascii_case("this"))
}

enum Elsewhere {
    No,
    /// "thereof": of the act named before.
    LastAct,
    /// "of the Treaty".
    Document,
}

fn elsewhere(text: &str, from: usize) -> Elsewhere {
    let mut cursor = Cursor::new(text, from);
    bind::asides(&ENGLISH, &mut cursor);
    cursor.eat(',');
    cursor.blanks();
    if cursor.one_of(&["thereof"]) {
        return Elsewhere::LastAct;
    }
    if !cursor.one_of(&["of", "to", "in", "under"]) || !cursor.blanks() {
        return Elsewhere::No;
    }
    cursor.one_of(&["the", "that", "said"]);
    cursor.blanks();
    // "the United Nations Convention", "the Association Agreement".
    for _ in 0..4 {
        if cursor.one_of(&DOCUMENTS) {
            return Elsewhere::Document;
        }
        let word = cursor.run(char::is_alphanumeric);
        if !word.starts_with(char::is_uppercase) || !cursor.blanks() {
            break;
        }
    }
    Elsewhere::No
}
