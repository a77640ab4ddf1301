//! Short forms: "that Regulation", "the Directive", "this Decision", resolved only where certain; where several acts are
//! possible, they are candidates, the one named last first.

use super::cursor::{Cursor, head, is_blank};
use super::wording::{Which, Wording};
use super::{Citation, Noun, Reason, named};
use crate::law::Celex;

/// How many citations back a short form can reach.
const REACH: usize = 200;

/// Longest sentence that is looked at, in bytes.
const LONGEST_SENTENCE: usize = 2000;

/// The citations in a text with its short forms, in order of mention.
pub(super) fn find(words: &Wording, text: &str, own: Option<&Celex>) -> Vec<Citation> {
    let found = named::find(words, text);
    let mut all: Vec<Citation> = Vec::with_capacity(found.len());
    let mut by_article = Vec::new();
    let mut found = found.into_iter().peekable();
    for short in words.shorts.captures_iter(text) {
        let (Some(whole), Some(noun)) = (short.get(0), short.name("noun")) else { continue };
        while let Some(citation) = found.next_if(|c| c.start < whole.end()) {
            all.push(citation);
        }
        let numbered = all.last().is_some_and(|c| c.end > whole.start())
            || found.peek().is_some_and(|c| c.start < whole.end() + 2)
            || followed_by_number(words, &text[whole.end()..]);
        let capital = noun.as_str().starts_with(char::is_uppercase);
        if numbered || (words.capitals && !capital) {
            continue;
        }
        let mut cursor = Cursor::new(text, whole.start());
        let Some(which) = words.short_words.take(&mut cursor) else { continue };
        cursor.blanks();
        let from = cursor.at;
        let qualifier = words.qualifiers.take(&mut cursor).map_or("", |()| &text[from..cursor.at]).to_lowercase();
        let Some((noun, _)) = words.acts.take(&mut Cursor::new(text, noun.start())) else { continue };
        let (celex, candidates) = match which {
            Which::This => (own.cloned(), Vec::new()),
            Which::That | Which::The => last_named(text, &all, noun, &qualifier),
            Which::Unclear => (None, Vec::new()),
        };
        if which == Which::The {
            by_article.push(whole.start());
        }
        all.push(Citation {
            text: whole.as_str().to_string(),
            start: whole.start(),
            end: whole.end(),
            noun,
            short: true,
            reason: celex.is_none().then_some(Reason::UnclearReference),
            celex,
            candidates,
            parts: Vec::new(),
            parts_start: whole.start(),
        });
    }
    all.extend(found);
    super::bind::bind(words, text, &mut super::parts::find(words, text), &mut all);
    if !words.capitals {
        // The article alone is a short form only where a part leads to it; elsewhere it is the everyday word.
        all.retain(|c| !(c.short && c.parts.is_empty() && by_article.binary_search(&c.start).is_ok()));
    }
    all
}

/// "the Regulation (EU) 2016/679": a number follows, the words are no short form.
fn followed_by_number(words: &Wording, rest: &str) -> bool {
    let mut cursor = Cursor::new(head(rest, 24), 0);
    cursor.blanks();
    named::number_sign(words, &mut cursor) || cursor.peek().is_some_and(|c| c.is_ascii_digit())
}

/// The act of that kind, with that word before it ("Implementing"), that was named by number last: for certain, if the
/// sentence that names it names no other; else a candidate, with the others after it.
fn last_named(text: &str, before: &[Citation], noun: Noun, qualifier: &str) -> (Option<Celex>, Vec<Celex>) {
    let fits = |c: &Citation| qualifier.is_empty() || c.text.to_lowercase().contains(qualifier);
    let mut of_kind = before.iter().rev().take(REACH).filter(|c| c.noun == noun && !c.short && fits(c));
    let Some((last, celex)) = of_kind.next().and_then(|last| Some((last, last.celex.clone()?))) else {
        return (None, Vec::new());
    };
    let same_sentence = |other: &Citation| {
        let between = text.get(other.end..last.end).filter(|between| between.len() <= LONGEST_SENTENCE);
        between.is_some_and(|between| !ends_sentence(between))
    };
    let others: Vec<&Citation> =
        of_kind.take_while(|other| same_sentence(other)).filter(|other| other.celex != last.celex).collect();
    if others.is_empty() {
        return (Some(celex), Vec::new());
    }
    let mut candidates = vec![celex];
    for other in others.iter().filter_map(|other| other.celex.as_ref()) {
        if !candidates.contains(other) {
            candidates.push(other.clone());
        }
    }
    (None, candidates)
}

/// Whether a sentence ends in these words: a stop and a capital after it, or an empty line.
fn ends_sentence(words: &str) -> bool {
    let stops = words.match_indices(['.', '?', '!']).map(|(at, _)| &words[at + 1..]);
    let mut begins = stops.filter(|rest| rest.starts_with(is_blank)).map(str::trim_start);
    words.contains("\n\n") || begins.any(|rest| rest.starts_with(char::is_uppercase))
}
