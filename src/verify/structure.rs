//! Gate 1: does the item have the shape of an item?

use super::check::{Check, Verdict};
use super::prose::quotations;
use super::rules::Rules;
use super::wording::normal;
use crate::dataset::{Draft, Side};
use crate::graph::RelationGraph;
use crate::law::Day;
use regex::Regex;
use serde::Serialize;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// What can be wrong with four options and the index of the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StructureFlaw {
    /// The index names no option.
    AnswerIndexOutOfRange,
    /// The index is no whole number.
    AnswerIndexNotInteger,
    /// Two options say the same.
    DuplicateOptions,
    /// An option is blank.
    EmptyOption,
    /// Not four options.
    OptionCount,
    /// An option speaks of the other options.
    MetaOption,
}

/// What can be wrong between the index of a key and its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyFlaw {
    /// The index names another option than the text.
    KeyTextMismatch,
    /// The text is none of the options.
    AnswerTextNotAnOption,
}

/// Whether the index of a key and its text name the same option. Where they do not, neither wins.
pub fn key_flaw(options: &[&str], answer_index: &serde_json::Value, answer_text: &str) -> Option<KeyFlaw> {
    let text = folded(answer_text);
    let at = answer_index.as_u64().and_then(|index| usize::try_from(index).ok());
    if !options.iter().any(|option| folded(option) == text) {
        return Some(KeyFlaw::AnswerTextNotAnOption);
    }
    let same = at.and_then(|at| options.get(at)).is_some_and(|option| folded(option) == text);
    (!same).then_some(KeyFlaw::KeyTextMismatch)
}

/// What is wrong with options and answer index as received: no index is clipped or converted.
pub fn structure_flaws(options: &[&str], answer_index: &serde_json::Value, rules: &Rules) -> BTreeSet<StructureFlaw> {
    let mut flaws = BTreeSet::new();
    match (answer_index.as_i64(), answer_index.is_number()) {
        (Some(index), _) if usize::try_from(index).is_ok_and(|i| i < options.len()) => {}
        (Some(_), _) => {
            flaws.insert(StructureFlaw::AnswerIndexOutOfRange);
        }
        (None, _) => {
            flaws.insert(StructureFlaw::AnswerIndexNotInteger);
        }
    }
    if options.len() != rules.limits.options {
        flaws.insert(StructureFlaw::OptionCount);
    }
    if options.iter().any(|o| normal(o).is_empty()) {
        flaws.insert(StructureFlaw::EmptyOption);
    }
    let distinct: BTreeSet<String> = options.iter().map(|o| folded(o)).collect();
    if distinct.len() < options.len() {
        flaws.insert(StructureFlaw::DuplicateOptions);
    }
    let spaced = |option: &str| option.split_whitespace().collect::<Vec<_>>().join(" ");
    if options.iter().any(|o| finds_outside_quotations(&rules.meta, &spaced(o))) {
        flaws.insert(StructureFlaw::MetaOption);
    }
    flaws
}

/// Whether one of the patterns matches words that are not quoted.
pub(super) fn finds_outside_quotations(patterns: &[Regex], text: &str) -> bool {
    let quoted = quotations(text);
    let inside = |m: &regex::Match| quoted.iter().any(|q| q.start <= m.start() && m.end() <= q.end);
    patterns.iter().any(|p| p.find_iter(text).any(|m| !inside(&m)))
}

/// A text as it is compared: case, white space, marks and the notation of days aside.
pub(super) fn folded(text: &str) -> String {
    static DAY: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let month = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}";
        let number = r"\d{1,2}(?:st|nd|rd|th)?";
        let pattern = format!(
            r"(?i)\b(?:(?:the )?{number}(?: of)? {month}\.?,? \d{{4}}|{month}\.? (?:the )?{number},? \d{{4}})\b"
        );
        Regex::new(&pattern).ok()
    });
    let text = normal(text);
    let text = match DAY.as_ref() {
        Some(day) => day.replace_all(&text, |found: &regex::Captures| {
            Day::parse_prose(&found[0]).map_or_else(|_| found[0].to_string(), |d| d.to_string())
        }),
        None => text.as_str().into(),
    };
    text.trim_end_matches(['.', ' ']).to_lowercase()
}

/// The gate.
#[derive(Debug, Clone, Copy)]
pub(super) struct Structure<'r>(pub(super) &'r Rules);

impl Check for Structure<'_> {
    fn name(&self) -> &'static str {
        "structure"
    }

    fn check(&self, draft: &Draft, _graph: &RelationGraph) -> Verdict {
        let limits = &self.0.limits;
        let mut verdict = Verdict::default();
        let options: Vec<&str> = draft.options.iter().map(|o| o.text.as_str()).collect();
        for flaw in structure_flaws(&options, &serde_json::Value::from(0), self.0) {
            verdict.refuse(match flaw {
                StructureFlaw::OptionCount => format!("{} options, not {}", options.len(), limits.options),
                StructureFlaw::EmptyOption => "an option is blank".to_string(),
                StructureFlaw::DuplicateOptions => "two options say the same".to_string(),
                StructureFlaw::MetaOption => "an option speaks of the other options".to_string(),
                StructureFlaw::AnswerIndexOutOfRange | StructureFlaw::AnswerIndexNotInteger => "no key".to_string(),
            });
        }
        if draft.stem.trim().is_empty() {
            verdict.refuse("the stem is blank");
        }
        if draft.stem.chars().count() > limits.stem_characters {
            verdict.refuse(format!("the stem is longer than {} characters", limits.stem_characters));
        }
        if options.iter().any(|o| o.chars().count() > limits.option_characters) {
            verdict.refuse(format!("an option is longer than {} characters", limits.option_characters));
        }
        if let Some(silent) = draft.options.iter().find(|o| o.claims.is_empty()) {
            verdict.refuse(format!("the option “{}” carries no claim", silent.text));
        }
        if draft.known_on < draft.day {
            verdict.refuse(format!("set on {}, which is after all that is known ({})", draft.day, draft.known_on));
        }
        passages(draft, limits.passages, &mut verdict);
        verdict
    }
}

/// Source before target, at least one of each, of the acts of the pair, blank only at the end.
fn passages(draft: &Draft, count: usize, verdict: &mut Verdict) {
    if draft.passages.len() != count {
        verdict.refuse(format!("{} passages, not {count}", draft.passages.len()));
    }
    let filled: Vec<_> = draft.passages.iter().filter(|p| !p.text.trim().is_empty()).collect();
    if draft.passages.iter().take(filled.len()).any(|p| p.text.trim().is_empty()) {
        verdict.refuse("a blank passage stands before one with words");
    }
    let sides: Vec<Side> = filled.iter().map(|p| p.side).collect();
    if !sides.contains(&Side::Source) || !sides.contains(&Side::Target) {
        verdict.refuse("the passages do not come from both acts");
    }
    if sides.windows(2).any(|two| two == [Side::Target, Side::Source]) {
        verdict.refuse("a passage of the acted upon stands before one of the acting act");
    }
    for passage in filled {
        let act = match passage.side {
            Side::Source => &draft.pair.source.celex,
            Side::Target => &draft.pair.target.celex,
        };
        if passage.celex != *act {
            verdict.refuse(format!("a passage is from {}, which is not the pair's {act}", passage.celex));
        }
    }
    let mut seen = BTreeSet::new();
    if draft.passages.iter().any(|p| !p.text.trim().is_empty() && !seen.insert((&p.celex, &p.text))) {
        verdict.refuse("two passages are the same");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules() -> Rules {
        Rules::parse("checks.toml", include_str!("../../rubrics/checks.toml")).expect("the shipped rules")
    }

    #[test]
    fn one_day_is_one_in_every_notation() {
        for day in ["3 May 1999", "May 3, 1999", "3rd May 1999", "the 3rd of May 1999", "MAY 3rd 1999", "03 May 1999"] {
            assert_eq!(folded(day), "1999-05-03", "{day}");
        }
        assert_eq!(folded("From 1 Sept. 2000."), "from 2000-09-01");
        assert_eq!(folded("Article 5 Marches 2000"), "article 5 marches 2000");
        assert_eq!(folded("31 February 2000"), "31 february 2000");
    }

    #[test]
    fn composed_or_not_a_word_is_one() {
        let index = serde_json::Value::from(0);
        assert_eq!(key_flaw(&["E\u{301}tat", "b"], &index, "\u{c9}tat"), None);
        let flaws = structure_flaws(&["E\u{301}tat", "\u{c9}tat", "\u{200b}", "d"], &index, &rules());
        assert_eq!(flaws, BTreeSet::from([StructureFlaw::DuplicateOptions, StructureFlaw::EmptyOption]));
    }

    #[test]
    fn options_that_speak_of_options_are_told_from_law() {
        let rules = rules();
        let meta = |option: &str| {
            let options = ["w", "x", "y", option];
            structure_flaws(&options, &serde_json::Value::from(0), &rules).contains(&StructureFlaw::MetaOption)
        };
        for option in [
            "All the above",
            "All options are correct",
            "None of the options is right.",
            "All of the foregoing",
            "Neither A nor B",
            "Options A and C",
            "Only A and B",
            "A, B and C",
            "(a), (b), and (d)",
            "A & B",
            "Both options B and C are correct",
            "None of them is correct",
            "More than one of the above",
            "Only option B",
            "All  of\u{a0}the above",
            "Both answers are wrong",
            "No option is correct",
            "Either A or B",
            "A/B",
        ] {
            assert!(meta(option), "{option}");
        }
        for option in [
            "Both Regulations remain in force",
            "Annex A and B to Directive 92/43/EEC",
            "None of the Member States",
            "All acts listed in Annex II",
            "A and its successors in title",
            "All the other Member States",
            "Neither Directive 95/46/EC nor its amendments",
            "Articles 4 and 5",
            "Only Annex A",
            "Both options under Article 4",
            "No answer was given by the Commission",
            "Each statement of account",
            "All the preceding Regulations",
            "A",
        ] {
            assert!(!meta(option), "{option}");
        }
    }
}
