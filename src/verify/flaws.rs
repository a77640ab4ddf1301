//! Gate 6, second half: item-writing flaws. Which refuse and which only warn: section 2.2 of the notes on
//! multiple-choice quality; figures in `rubrics/checks.toml`.

use super::check::{Check, Verdict};
use super::rules::Rules;
use super::structure::finds_outside_quotations;
use super::wording::words;
use crate::dataset::Draft;
use crate::graph::RelationGraph;
use crate::measure::{edit_similarity, jaccard};
use std::collections::BTreeSet;

/// Whether the key is longer than every other option, in characters.
pub fn key_is_strictly_longest<S: AsRef<str>>(options: &[S], key: usize) -> bool {
    let length = |o: &S| o.as_ref().chars().count();
    let Some(longest) = options.get(key).map(length) else { return false };
    options.iter().enumerate().all(|(i, o)| i == key || length(o) < longest)
}

/// Whether a text calls an option by its letter, which points elsewhere once the options are shuffled.
pub fn names_an_option_letter(text: &str, rules: &Rules) -> bool {
    finds_outside_quotations(&rules.letter, text)
}

/// The gate.
#[derive(Debug, Clone, Copy)]
pub(super) struct Flaws<'r>(pub(super) &'r Rules);

impl Check for Flaws<'_> {
    fn name(&self) -> &'static str {
        "item_writing"
    }

    fn check(&self, draft: &Draft, _graph: &RelationGraph) -> Verdict {
        let mut verdict = Verdict::default();
        let options: Vec<&str> = draft.options.iter().map(|o| o.text.as_str()).collect();
        self.refuse(&draft.stem, &options, &mut verdict);
        self.warn(&draft.stem, &options, &mut verdict);
        verdict
    }
}

impl Flaws<'_> {
    fn refuse(self, stem: &str, options: &[&str], verdict: &mut Verdict) {
        if let Some(found) = self.0.negation.iter().find_map(|n| n.find(stem)) {
            verdict.refuse(format!("the stem turns the question round: “{}”", found.as_str()));
        }
        for text in std::iter::once(&stem).chain(options).filter(|t| names_an_option_letter(t, self.0)) {
            verdict.refuse(format!("“{text}” calls an option by its letter"));
        }
        for (i, a) in options.iter().enumerate() {
            for b in options.iter().skip(i + 1).filter(|b| self.nearly_one(a, b)) {
                verdict.refuse(format!("“{a}” and “{b}” are nearly one option"));
            }
        }
    }

    /// Nearly the same words and exactly the same figures: options that differ by a day or a number differ.
    fn nearly_one(self, a: &str, b: &str) -> bool {
        let figures = |t: &str| words(t).filter(|w| w.contains(|c: char| c.is_ascii_digit())).collect::<Vec<_>>();
        let limit = f64::from(self.0.limits.near_duplicate) / 100.0;
        // A denial turns the sense round with one short word.
        let denials =
            |t: &str| words(t).filter(|w| matches!(w.as_str(), "not" | "no" | "never" | "neither" | "nor")).count();
        figures(a) == figures(b)
            && denials(a) == denials(b)
            && (jaccard(words(a), words(b)) >= limit || edit_similarity(a, b) >= limit)
    }

    fn warn(self, stem: &str, options: &[&str], verdict: &mut Verdict) {
        let Some((key, others)) = options.split_first() else { return };
        let mut lengths: Vec<usize> = others.iter().map(|o| o.chars().count()).collect();
        lengths.sort_unstable();
        let median = lengths.get(lengths.len() / 2).copied().unwrap_or(0);
        let limit = median * self.0.limits.key_length_tenths;
        if key_is_strictly_longest(options, 0) && key.chars().count() * 10 > limit {
            verdict.warn("the key is by far the longest option");
        }
        let rare = |text: &str| content(text, self.0);
        let (asked, keyed) = (rare(stem), rare(key));
        let elsewhere: BTreeSet<String> = others.iter().flat_map(|o| rare(o)).collect();
        let clang: Vec<&String> = asked.intersection(&keyed).filter(|w| !elsewhere.contains(*w)).collect();
        if let Some(word) = clang.first() {
            verdict.warn(format!("of the options only the key repeats the stem's word “{word}”"));
        }
        let cues = &self.0.cues;
        for (list, what) in [(&cues.absolute, "absolute"), (&cues.vague, "vague")] {
            let has = |o: &&&str| words(o).any(|w| list.contains(&w));
            let (in_key, in_others) = (has(&key), others.iter().filter(has).count());
            if !in_key && in_others == others.len() {
                verdict.warn(format!("every option but the key has words of the {what} kind"));
            }
        }
    }
}

/// Words that carry content: not on the list of empty words, no figures.
pub fn content(text: &str, rules: &Rules) -> BTreeSet<String> {
    words(text).filter(|w| !rules.cues.empty.contains(w) && w.chars().all(char::is_alphabetic)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_is_an_options_name_only_where_an_option_can_stand() {
        let rules = Rules::parse("checks.toml", include_str!("../../rubrics/checks.toml")).expect("the shipped rules");
        for leak in [
            "The correct answer is C.",
            "Answers A and C ignore the saving.",
            "Only B names the last day.",
            "That is why D is wrong.",
            "Options A, B and D state a day after the repeal.",
            "The key is B: the act had ended.",
            "C misstates the day; D ignores the saving.",
            "The right option is (b).",
            "Neither A nor D mentions Article 4.",
            "Therefore (A).",
            "Unlike A, it names the last day.",
            "The act had ended, so B.",
            "A, C and D confuse the two acts.",
            "This makes D wrong.",
        ] {
            assert!(names_an_option_letter(leak, &rules), "{leak}");
        }
        for harmless in [
            "Annex B lists the goods.",
            "Imports of vitamin C are covered by the duty.",
            "Class A goods fall under Annex I, Section B.",
            "See Case C-131/12.",
            "Under Article 5(1)(a) and point B of Annex II the duty ended.",
            "Annexes A and B are deleted.",
            "Vessels of type C are exempt; so is category B.",
            "A holder of a licence may answer a question.",
            "A will made abroad is valid.",
            "B vitamins are covered.",
            "The option in Article 5(a) is open to him.",
            "The licence covers options (a) and (b) of Article 3(1).",
            "Only Annex B is concerned.",
        ] {
            assert!(!names_an_option_letter(harmless, &rules), "{harmless}");
        }
    }
}
