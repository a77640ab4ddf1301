//! Short forms: "that Regulation", "the Directive", "this Decision", resolved only where certain.

use super::cursor::{Cursor, head};
use super::{Citation, Noun, Reason};
use crate::law::Celex;
use regex::Regex;
use std::sync::LazyLock;

static SHORT: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = concat!(
        r"(?-u:\b)(?P<which>(?i:this|that|the\s+said|said|the\s+aforementioned|the\s+abovementioned|the\s+same|the\s+latter|the))\s+",
        r"(?:(?:Implementing|Delegated|Council|Commission)\s+)?",
        r"(?P<noun>Regulation|Directive|Framework\s+Decision|Decision|Recommendation|Joint\s+Action|Common\s+Position|Guideline)(?-u:\b)",
    );
    Regex::new(pattern).expect("a pattern of this file")
});

/// The citations in a text with its short forms, in order of mention: "that Directive" and "the Directive" take the last
/// directive named, unless it was named in one list with others of its kind; "this Directive" is the act whose text it
/// is (`own`). What stays unclear has a reason.
///
/// ```
/// use legal_link::law::references;
/// let text = "Regulation (EU) 2016/679 and Directive 95/46/EC are cited. Article 23 of the Regulation applies.";
/// let found = references(text, None);
/// assert_eq!(found[2].celex.as_ref().unwrap().as_str(), "32016R0679");
/// assert_eq!(found[2].parts[0].to_string(), "23");
/// ```
pub fn references(text: &str, own: Option<&Celex>) -> Vec<Citation> {
    let named = super::named::find(text);
    let mut all: Vec<Citation> = Vec::with_capacity(named.len());
    let mut named = named.into_iter().peekable();
    for short in SHORT.captures_iter(text) {
        let (Some(whole), Some(which), Some(noun)) = (short.get(0), short.name("which"), short.name("noun")) else {
            continue;
        };
        while let Some(citation) = named.next_if(|c| c.start < whole.end()) {
            all.push(citation);
        }
        let numbered = all.last().is_some_and(|c| c.end > whole.start())
            || named.peek().is_some_and(|c| c.start < whole.end() + 2)
            || followed_by_number(&text[whole.end()..]);
        if numbered {
            continue;
        }
        let noun = noun_of(noun.as_str());
        let celex =
            if which.as_str().eq_ignore_ascii_case("this") { own.cloned() } else { last_named(text, &all, noun) };
        let reason = celex.is_none().then_some(Reason::UnclearReference);
        all.push(Citation {
            text: whole.as_str().to_string(),
            start: whole.start(),
            end: whole.end(),
            noun,
            short: true,
            celex,
            candidates: Vec::new(),
            parts: Vec::new(),
            parts_start: whole.start(),
            reason,
        });
    }
    all.extend(named);
    super::bind::bind(text, &mut super::part_lists(text), &mut all);
    all
}

/// "the Regulation (EU) 2016/679": a number follows, the words are no short form.
fn followed_by_number(rest: &str) -> bool {
    let mut cursor = Cursor::new(head(rest, 24), 0);
    cursor.blanks();
    cursor.word("No") || cursor.peek().is_some_and(|c| c.is_ascii_digit())
}

fn noun_of(word: &str) -> Noun {
    match word.as_bytes().first() {
        Some(b'R') if word.len() > 10 => Noun::Recommendation,
        Some(b'R') => Noun::Regulation,
        Some(b'D') if word.len() == 9 => Noun::Directive,
        Some(b'D') => Noun::Decision,
        Some(b'F') => Noun::FrameworkDecision,
        Some(b'J') => Noun::JointAction,
        Some(b'C') => Noun::CommonPosition,
        _ => Noun::Guideline,
    }
}

/// The last act of that kind that was named by number, if it stood in no list with another of its kind.
fn last_named(text: &str, before: &[Citation], noun: Noun) -> Option<Celex> {
    let mut of_kind = before.iter().rev().filter(|c| c.noun == noun && c.reason != Some(Reason::UnclearReference));
    let last = of_kind.next()?;
    let listed = of_kind.next().is_some_and(|other| {
        let between = text.get(other.end..last.start).unwrap_or_default().trim();
        other.celex != last.celex && matches!(between, "," | "and" | "or" | ", and" | ", or")
    });
    if listed { None } else { last.celex.clone() }
}
