//! What prose names: acts, parts, days, figures, and what it sets in quotation marks.

use crate::law::{Celex, CelexClass, Citation, Day, Noun, Part, cite, part_lists, written_days};
use regex::Regex;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

/// An act named by its number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mention {
    pub(super) range: Range<usize>,
    pub(super) words: String,
    /// The act; several where the words fit several; none where they fit no act.
    pub(super) celex: Vec<Celex>,
    noun: Noun,
}

impl Mention {
    fn of(citation: Citation) -> Self {
        let Citation { text, start, end, noun, celex, candidates, .. } = citation;
        let celex = celex.map_or(candidates, |c| vec![c]);
        Self { range: start..end, words: text, celex, noun }
    }

    /// Whether the words can name this act: itself, or for a corrigendum the act it corrects.
    pub(super) fn may_be(&self, act: &Celex) -> bool {
        let base = act.base();
        self.celex.iter().any(|c| c == act || (act.parts().class == CelexClass::Corrigendum && *c == base))
    }

    /// Whether it names an act of this kind, by the kind's word in lower case.
    pub(super) fn is_kind(&self, word: &str) -> bool {
        let by_number = || {
            let parts = self.celex.first()?.parts();
            Some(match (parts.class, parts.kind) {
                (CelexClass::Corrigendum, _) => "corrigendum",
                (_, "R") => "regulation",
                (_, "L") => "directive",
                (_, "D" | "F") => "decision",
                (_, "H") => "recommendation",
                (_, "G") => "resolution",
                _ => return None,
            })
        };
        let kind = match self.noun {
            Noun::Regulation => Some("regulation"),
            Noun::Directive => Some("directive"),
            Noun::Decision | Noun::FrameworkDecision => Some("decision"),
            Noun::Recommendation => Some("recommendation"),
            Noun::Opinion => Some("opinion"),
            Noun::Number => by_number(),
            _ => None,
        };
        kind == Some(word)
    }

    /// By what acts are told apart: the CELEX numbers they can have, else their words.
    pub(super) fn identity(&self) -> String {
        if self.celex.is_empty() {
            return self.words.to_lowercase();
        }
        self.celex.iter().map(Celex::as_str).collect::<Vec<_>>().join(" ")
    }
}

/// The acts named by number, in order.
pub(super) fn mentions(text: &str) -> Vec<Mention> {
    cite(text).into_iter().map(Mention::of).collect()
}

/// All that a text names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) acts: Vec<Mention>,
    pub(super) parts: BTreeSet<Part>,
    pub(super) days: BTreeSet<Day>,
    /// Other figures as written, with their decimals: `40`, `1,5`, `12 000`.
    pub(super) figures: BTreeSet<String>,
}

static FIGURES: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\d+(?:[.,\u{a0}\u{202f} ]\d{3})*(?:[.,]\d+)?").ok());

/// What stands between an act's name and its own date.
static DATED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"^(?:,? of the (?:European Parliament and of the )?(?:Council|Commission|European Parliament|European Central Bank))*",
        r",? (?:of|dated|adopted on|made on|signed on)(?: the)? $",
    ))
    .ok()
});
/// What stands before the date of an act without a number, or of a journal.
static DATES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?:\b(?:Regulation|Directive|Decision|Recommendation|Resolution|Opinion|[Jj]udgment)",
        r"(?: of the (?:European Parliament and of the )?(?:Council|Commission|Court(?: of Justice)?|General Court))*,? (?:of|dated)(?: the)?",
        r"|\b(?:OJ|Official Journal(?: of the European (?:Union|Communities))?)(?: No)?(?:,? \(?[LC] ?\d*[A-Z]{0,2}\)?)?(?:, \d{4}/\d+)?,?(?: of| on)?) $",
    ))
    .ok()
});

/// The days that a stem can be set on: all it names but the dates by which it names acts and journals.
pub(super) fn days_set(stem: &str) -> BTreeSet<Day> {
    let acts = mentions(stem);
    let belongs = |day: &Range<usize>| {
        let after_act = acts
            .iter()
            .filter(|m| m.range.end <= day.start)
            .any(|m| DATED.as_ref().is_some_and(|dated| dated.is_match(&stem[m.range.end..day.start])));
        after_act
            || acts.iter().any(|m| m.range.start < day.end && day.start < m.range.end)
            || DATES.as_ref().is_some_and(|dates| dates.is_match(&stem[..day.start]))
    };
    written_days(stem).into_iter().filter(|(range, _)| !belongs(range)).map(|(_, day)| day).collect()
}

impl Named {
    /// Reads a text.
    pub(super) fn read(text: &str) -> Self {
        let acts = mentions(text);
        let lists = part_lists(text);
        let days = written_days(text);
        let taken: Vec<Range<usize>> = (acts.iter().map(|m| m.range.clone()))
            .chain(lists.iter().map(|l| l.start..l.end))
            .chain(days.iter().map(|(range, _)| range.clone()))
            .collect();
        let free = |r: &Range<usize>| !taken.iter().any(|t| t.start < r.end && r.start < t.end);
        let figures = FIGURES.iter().flat_map(|r| r.find_iter(text)).filter(|m| free(&m.range()));
        Self {
            parts: lists.iter().flat_map(|l| l.parts.iter().cloned()).collect(),
            days: days.iter().map(|(_, day)| *day).collect(),
            figures: figures.map(|m| m.as_str().to_string()).collect(),
            acts,
        }
    }

    /// Whether it names this act; a corrigendum may be named by the act it corrects and its own word.
    pub(super) fn act(&self, act: &Celex) -> bool {
        self.acts.iter().any(|m| m.may_be(act))
    }
}

/// Ranges inside quotation marks, marks included. A closing mark between letters is an apostrophe;
/// a mark that is never closed opens no quotation.
pub(super) fn quotations(text: &str) -> Vec<Range<usize>> {
    const MARKS: [(char, char); 5] = [('‘', '’'), ('“', '”'), ('„', '“'), ('«', '»'), ('"', '"')];
    let mut found = Vec::new();
    let mut from = 0;
    while let Some((start, open, close)) = text[from..]
        .char_indices()
        .find_map(|(i, c)| MARKS.iter().find(|(open, _)| *open == c).map(|(open, close)| (from + i, *open, *close)))
    {
        let inside = start + open.len_utf8();
        let end = text[inside..].char_indices().find_map(|(i, c)| {
            let at = inside + i;
            let apostrophe = c == '’'
                && text[..at].chars().next_back().is_some_and(char::is_alphanumeric)
                && text[at + c.len_utf8()..].chars().next().is_some_and(char::is_alphanumeric);
            (c == close && !apostrophe).then_some(at + c.len_utf8())
        });
        match end {
            Some(end) => {
                found.push(start..end);
                from = end;
            }
            None => from = inside,
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_date_of_an_act_or_a_journal_sets_no_day() {
        for stem in [
            "Is Regulation (EU) 2016/679 of 27 April 2016 in force?",
            "Is Directive 95/46/EC of the European Parliament and of the Council of 24 October 1995 still in force?",
            "Is Regulation (EC) No 1/2003 of 16 December 2002 (OJ L 1, 4.1.2003, p. 1) in force?",
            "Is the Council Decision of 3 May 2004 on fees in force?",
            "Is Directive 98/9001/EC, adopted on 3 May 1998, in force?",
        ] {
            assert!(days_set(stem).is_empty(), "{stem}");
        }
        for stem in [
            "Was Directive 95/46/EC of 24 October 1995 in force on 1 May 2018?",
            "On May 1, 2018, was Directive 95/46/EC in force?",
            "Did Regulation (EC) No 1/2003 (OJ L 1, 4.1.2003, p. 1) apply on the 1st of May 2018?",
        ] {
            assert_eq!(days_set(stem), BTreeSet::from([Day::from_ymd(2018, 5, 1).expect("a day")]), "{stem}");
        }
    }
}
