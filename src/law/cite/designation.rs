//! What a designation says of its act besides kind and number: "Commission Implementing Decision … of 3 May 2010".

use super::Citation;
use super::cursor::Cursor;
use super::fold::fold;
use super::makers::{Made, made};
use super::named::head_at;
use super::phrases::Phrases;
use super::wording::Wording;
use crate::law::Day;
use std::collections::BTreeSet;

/// Who made an act, as what, and when, as far as the words around its number say so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::law) struct Designation {
    /// Who made it ("council"), in small letters.
    pub makers: BTreeSet<String>,
    /// As what ("implementing"), in small letters.
    pub qualifiers: BTreeSet<String>,
    /// When.
    pub day: Option<Day>,
    /// Offset of its first byte in the text.
    pub start: usize,
}

impl Designation {
    /// Reads what stands around a citation: "Council Decision 2010/9001/EU of 3 May 2010", "2010/9001/EU: Council Decision
    /// of 3 May 2010", "Decision 2010/9001/EU of the European Parliament and of the Council".
    pub fn of(words: &Wording, text: &str, citation: &Citation) -> Self {
        let start = begin(words, text, citation.start);
        let named = behind_number(words, text, citation).unwrap_or(citation.end);
        let mut cursor = Cursor::new(text, named);
        let mut day = None;
        while let Some(made) = made(words, &mut cursor) {
            if let Made::On(on) = made {
                day.get_or_insert(on);
            }
        }
        let all = &text[start..cursor.at];
        Self { makers: among(&words.makers, all), qualifiers: among(&words.qualifiers, all), day, start }
    }
}

/// Where the words before the kind of act begin that say who made it.
fn begin(words: &Wording, text: &str, mut from: usize) -> usize {
    let known = [&words.makers, &words.qualifiers, &words.and, &words.the, &words.maker_of];
    while let Some(at) = known.iter().find_map(|one| one.at_end(&text[..from])) {
        from = at;
    }
    from
}

/// Where the kind of act ends that stands behind its number and a colon.
fn behind_number(words: &Wording, text: &str, citation: &Citation) -> Option<usize> {
    let mut cursor = Cursor::new(text, citation.end);
    cursor.eat_after_blanks(':').then_some(())?;
    let act = words.heads.captures_at(text, cursor.at)?.name("act")?;
    let (noun, _, _, end) = head_at(words, text, act.start())?;
    (noun == citation.noun).then_some(end)
}

/// The phrases of a set in a text, in small letters without accents, each blank one.
fn among(phrases: &Phrases, text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut cursor = Cursor::new(text, 0);
    while cursor.at < text.len() {
        let from = cursor.at;
        if phrases.take(&mut cursor).is_some() {
            let words: Vec<&str> = text[from..cursor.at].split_whitespace().collect();
            found.insert(words.join(" ").chars().map(fold).collect());
        } else if cursor.run(char::is_alphanumeric).is_empty() {
            cursor.run(|c| !c.is_alphanumeric());
        }
    }
    found
}
