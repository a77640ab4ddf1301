//! Binds lists of parts to the act named with them: "Articles 5, 6 and 7(2) of Directive 95/46/EC".

use super::Citation;
use super::cursor::{Cursor, is_blank};
use super::makers::pass_makers;
use super::parts::PartList;
use super::wording::{Habit, Wording};

/// Gives each list the citation it is bound to, and each citation its parts.
pub(super) fn bind(words: &Wording, text: &str, lists: &mut [PartList], citations: &mut [Citation]) {
    // From the end, so that "Article 5 and Annex II to …" passes the binding of the second list on to the first.
    for i in (0..lists.len()).rev() {
        let (start, end) = (lists[i].start, lists[i].end);
        let next = citations.partition_point(|c| c.start < end);
        let leads = |c: &&Citation| leads_to(words, text, end, c);
        let direct = citations.get(next).filter(leads).map(|_| next);
        let direct = direct.or_else(|| {
            let last = next.checked_sub(1)?;
            let act_end = citations[last].end;
            let binds = words.has(Habit::AfterAct) || closes(text, act_end, start, end);
            (binds && follows(words, text, act_end, start)).then_some(last)
        });
        let joined = lists.get(i + 1).filter(|l| joins(words, text, end, l.start)).and_then(|l| l.citation);
        let inside = lists.get(i + 1).filter(|l| contains(words, text, end, l.start)).and_then(|l| l.citation);
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
        let after = |at: &usize| {
            citations.get(at + 1).filter(|next| goes_on(words, text, citations[*at].end, next)).map(|_| at + 1)
        };
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
fn goes_on(words: &Wording, text: &str, from: usize, next: &Citation) -> bool {
    let member = next.text.starts_with(|c: char| c == '(' || c.is_ascii_digit())
        || words.signs.take_glued(&mut Cursor::new(&next.text, 0)).is_some();
    let mut cursor = Cursor::new(&text[..next.start.max(from)], from);
    pass_makers(words, &mut cursor);
    let comma = cursor.eat(',');
    cursor.blanks();
    let word = words.and.take(&mut cursor).is_some();
    cursor.blanks();
    let of = words.of.take(&mut cursor).is_some();
    cursor.blanks();
    cursor.at == next.start && !next.short && (comma || word) && (of || member)
}

/// Whether only "of Council" or the like stands between a list and an act.
fn leads_to(words: &Wording, text: &str, from: usize, act: &Citation) -> bool {
    let to = act.start;
    if to < from || to - from > 120 {
        return false;
    }
    let mut cursor = Cursor::new(&text[..to], from);
    asides(words, &mut cursor);
    cursor.eat(',');
    if !cursor.blanks() {
        return false;
    }
    // The words of a short form hold the tie: "dudit règlement", "der genannten Richtlinie".
    let tied = words.of.is_empty() || (act.short && cursor.at == to);
    if !tied && words.of.take(&mut cursor).is_none() {
        return false;
    }
    while cursor.at < to {
        cursor.blanks();
        let known = [&words.makers, &words.the, &words.before_act, &words.maker_of, &words.and, &words.qualifiers];
        if cursor.at < to && !known.iter().any(|one| one.take(&mut cursor).is_some()) {
            return false;
        }
    }
    true
}

/// Whether a list behind an act and a comma is the last of what is said: "(see Regulation (EU) 2016/679, Article 17)". Where
/// more follows, the list may be of the act whose text it is: "Under Regulation (EU) 2016/679, Article 17 applies".
fn closes(text: &str, act_end: usize, start: usize, end: usize) -> bool {
    let after = text[end..].trim_matches(is_blank);
    let last = matches!(after, "" | ".") || after.starts_with([')', ']', ';']);
    last && text.get(act_end..start).is_some_and(|between| between.contains(','))
}

/// Whether a list stands directly behind an act, as some languages have it: "asetuksen (EU) 2016/679 5 artikla".
fn follows(words: &Wording, text: &str, from: usize, to: usize) -> bool {
    if to <= from || to - from > 120 {
        return false;
    }
    let mut cursor = Cursor::new(&text[..to], from);
    pass_makers(words, &mut cursor);
    cursor.eat(',');
    cursor.blanks();
    cursor.at == to
}

/// ", first subparagraph," and ", respectively,": the act still follows.
pub(super) fn asides(words: &Wording, cursor: &mut Cursor<'_>) {
    while let Some(end) = aside(words, *cursor) {
        cursor.at = end;
    }
}

/// Where an aside ends, if one stands here.
fn aside(words: &Wording, mut cursor: Cursor<'_>) -> Option<usize> {
    cursor.eat(',');
    cursor.blanks();
    words.and.take(&mut cursor);
    cursor.blanks();
    if words.asides.take(&mut cursor).is_some() {
        return Some(cursor.at);
    }
    ordinal_step(words, cursor)
}

/// Where "first and second subparagraphs" or "Unterabsatz 1" ends, if it stands here: a step that is no part of its own.
pub(super) fn ordinal_step(words: &Wording, mut cursor: Cursor<'_>) -> Option<usize> {
    words.the.take(&mut cursor);
    cursor.blanks();
    if words.unlabelled.take(&mut cursor).is_some() {
        cursor.eat('.');
        cursor.blanks();
        let counted = words.ordinals.take(&mut cursor).is_some() || matches!(cursor.digits().len(), 1..=2);
        return counted.then_some(cursor.at);
    }
    words.ordinals.take(&mut cursor)?;
    cursor.blanks();
    if words.and.take(&mut cursor).is_some() {
        cursor.blanks();
        words.ordinals.take(&mut cursor);
        cursor.blanks();
    }
    words.unlabelled.take(&mut cursor)?;
    Some(cursor.at)
}

/// Whether a list goes on in the next one: "Article 5 and Annex II".
fn joins(words: &Wording, text: &str, from: usize, to: usize) -> bool {
    let mut cursor = Cursor::new(&text[..to.max(from)], from);
    asides(words, &mut cursor);
    let comma = cursor.eat(',');
    cursor.blanks();
    let word = words.and.take(&mut cursor).is_some();
    cursor.blanks();
    tie(words, &mut cursor);
    (comma || word) && cursor.at == to
}

/// Whether a list stands inside the next one: "Section 2 of Chapter III".
fn contains(words: &Wording, text: &str, from: usize, to: usize) -> bool {
    let mut cursor = Cursor::new(&text[..to.max(from)], from);
    cursor.blanks() && words.of.take(&mut cursor).is_some() && {
        cursor.blanks();
        words.the.take(&mut cursor);
        cursor.blanks();
        cursor.at == to
    }
}

/// Passes "of the" and the blanks after it.
fn tie(words: &Wording, cursor: &mut Cursor<'_>) {
    words.of.take(cursor);
    cursor.blanks();
    words.the.take(cursor);
    cursor.blanks();
}
