//! Binds lists of parts to the act named after them: "Articles 5, 6 and 7(2) of Directive 95/46/EC".

use super::Citation;
use super::cursor::Cursor;
use super::parts::PartList;

/// Words that may stand between "of" and the act.
const INSTITUTIONS: [&str; 22] = [
    "European Parliament and of the Council",
    "European Parliament and Council",
    "European Parliament",
    "Council and Commission",
    "Council",
    "Commission",
    "European Central Bank",
    "ECB",
    "High Authority",
    "EEC",
    "EC",
    "Euratom",
    "basic",
    "said",
    "First",
    "Second",
    "Third",
    "Fourth",
    "Fifth",
    "Sixth",
    "Seventh",
    "Eighth",
];

/// Gives each list the citation it is bound to, and each citation its parts.
pub(super) fn bind(text: &str, lists: &mut [PartList], citations: &mut [Citation]) {
    // From the end, so that "Article 5 and Annex II to …" passes the binding of the second list on to the first.
    for i in (0..lists.len()).rev() {
        let (start, end) = (lists[i].start, lists[i].end);
        let next = citations.partition_point(|c| c.start < end);
        let direct = citations.get(next).filter(|c| leads_to(text, end, c.start)).map(|_| next);
        let joined = lists.get(i + 1).filter(|l| joins(text, end, l.start)).and_then(|l| l.citation);
        let inside = lists.get(i + 1).filter(|l| contains(text, end, l.start)).and_then(|l| l.citation);
        lists[i].citation = direct.or(joined).or(inside);
        if inside.is_some() && direct.is_none() && joined.is_none() {
            // "Chapter II of Title III of …": the inner one is meant, the outer one says where it is.
            lists[i + 1].citation = None;
        }
        debug_assert!(start <= end);
    }
    for list in lists.iter() {
        let Some(first) = list.citation else { continue };
        // "Article 56 of Regulation A, of Regulation B and of Regulation C", "Article 5 of Regulations A and B": of each.
        let after =
            |at: &usize| citations.get(at + 1).filter(|next| goes_on(text, citations[*at].end, next)).map(|_| at + 1);
        let acts: Vec<usize> = std::iter::successors(Some(first), after).collect();
        for citation in acts {
            let citation = &mut citations[citation];
            if citation.parts.is_empty() {
                citation.parts_start = list.start;
            }
            citation.parts.extend(list.parts.iter().cloned());
        }
    }
}

/// Whether a citation goes on the list of acts that ended at `from`: a later member under the same head, or ", of …".
fn goes_on(text: &str, from: usize, next: &Citation) -> bool {
    let member = next.text.starts_with(|c: char| c == '(' || c.is_ascii_digit()) || next.text.starts_with("No");
    let mut cursor = Cursor::new(&text[..next.start.max(from)], from);
    super::named::pass_makers(&mut cursor);
    let comma = cursor.eat(',');
    cursor.blanks();
    let word = cursor.one_of(&["and", "or"]);
    cursor.blanks();
    let of = cursor.one_of(&["of"]);
    cursor.blanks();
    cursor.at == next.start && !next.short && (comma || word) && (of || member)
}

/// Whether only "of Council" or the like stands between a list and an act.
fn leads_to(text: &str, from: usize, to: usize) -> bool {
    if to <= from || to - from > 120 {
        return false;
    }
    let mut cursor = Cursor::new(&text[..to], from);
    asides(&mut cursor);
    cursor.eat(',');
    if !cursor.blanks() || !cursor.one_of(&["of", "to", "in", "under"]) || !cursor.blanks() {
        return false;
    }
    while cursor.at < to {
        let institution = INSTITUTIONS.iter().any(|name| cursor.phrase(name));
        if !(institution || cursor.one_of(&["the", "that"])) || !cursor.blanks() {
            return cursor.at == to;
        }
    }
    true
}

/// ", first subparagraph," and ", respectively,": the act still follows.
pub(super) fn asides(cursor: &mut Cursor<'_>) {
    loop {
        let mut ahead = *cursor;
        ahead.eat(',');
        ahead.blanks();
        ahead.one_of(&["and"]);
        ahead.blanks();
        ahead.phrase("the");
        ahead.blanks();
        let ordinals = ["first", "second", "third", "fourth", "fifth", "sixth", "last"];
        let ordinal = ahead.one_of(&ordinals);
        ahead.blanks();
        if ordinal && ahead.one_of(&["and"]) {
            ahead.blanks();
            ahead.one_of(&ordinals);
            ahead.blanks();
        }
        let nouns = ["subparagraph", "subparagraphs", "paragraph", "sentence", "sentences", "indent", "indents"];
        let aside = if ordinal { ahead.one_of(&nouns) } else { ahead.word("respectively") };
        if !aside {
            break;
        }
        *cursor = ahead;
    }
}

/// Whether a list goes on in the next one: "Article 5 and Annex II".
fn joins(text: &str, from: usize, to: usize) -> bool {
    let mut cursor = Cursor::new(&text[..to.max(from)], from);
    let comma = cursor.eat(',');
    cursor.blanks();
    let word = cursor.one_of(&["and", "or"]);
    cursor.blanks();
    cursor.one_of(&["in", "to", "of", "the"]);
    cursor.blanks();
    cursor.one_of(&["the"]);
    cursor.blanks();
    (comma || word) && cursor.at == to
}

/// Whether a list stands inside the next one: "Section 2 of Chapter III".
fn contains(text: &str, from: usize, to: usize) -> bool {
    let mut cursor = Cursor::new(&text[..to.max(from)], from);
    cursor.blanks() && cursor.one_of(&["of", "in", "to"]) && cursor.blanks() && {
        cursor.phrase("the");
        cursor.blanks();
        cursor.at == to
    }
}
