//! How prompts were improved: which proposal came from which, what it changed, and what became of it.

pub(super) mod change;
mod climb;
mod tree;

use super::html::{Text, count, counted, real, words};
use super::page::{STYLE, card, table};
use crate::law::Digest;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The style of lineages, beside that of every page.
pub(super) const LINEAGE_STYLE: &str = include_str!("lineage.css");

/// What is to be shown of an optimization.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lineage {
    /// The prompts at the start, by component.
    pub start: BTreeMap<String, String>,
    /// Candidates, in the order of their discovery; the first is what the run began with.
    pub candidates: Vec<Candidate>,
    /// Place of the candidate chosen.
    pub chosen: usize,
    /// Proposals that did not become candidates, by reason.
    pub rejected: BTreeMap<String, usize>,
    /// The result on the pairs that the optimizer never saw, per relation.
    pub held_out: Vec<Gain>,
    /// Pairs that candidates are compared by.
    pub pairs: usize,
    /// Of these, per relation.
    pub relations: BTreeMap<String, usize>,
    /// What candidates are compared by on which nobody has a point, so that nobody has a vote there.
    pub silent: usize,
    /// Evaluations used.
    pub evaluations: u64,
    /// The greatest total of one item.
    pub out_of: u32,
    /// Why it ended.
    pub ending: String,
}

/// A candidate.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Candidate {
    /// Places of those that it comes from.
    pub parents: Vec<usize>,
    /// Sum of its totals on the pairs that candidates are compared by.
    pub sum: u64,
    /// Evaluations used when it was found.
    pub found: u64,
    /// The components that differ from the first parent's, by name.
    pub changed: BTreeMap<String, String>,
    /// Sum of its totals on these pairs, by relation.
    pub relations: BTreeMap<String, u64>,
    /// Sum of weight x level on these pairs, by criterion; empty where none was judged.
    pub criteria: BTreeMap<String, u64>,
}

/// The prompts chosen beside those at the start, on pairs of one relation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gain {
    /// The relation.
    pub relation: String,
    /// Pairs.
    pub pairs: usize,
    /// Sum of totals before.
    pub before: u64,
    /// Sum of totals after.
    pub after: u64,
}

/// The prompts that a dataset was written by, where an optimization chose them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChosenPrompts<'a> {
    /// The file, as the manifest names it.
    pub file: &'a str,
    /// Its bytes.
    pub digest: Digest,
    /// How they came about.
    pub lineage: &'a Lineage,
}

impl Lineage {
    /// Mean total per pair of a sum.
    fn mean(&self, sum: u64) -> f64 {
        mean(sum, self.pairs)
    }

    /// The first parent of a candidate; parents stand before their children.
    fn first_parent(&self, place: usize) -> Option<usize> {
        self.candidates.get(place)?.parents.first().copied().filter(|parent| *parent < place)
    }

    /// A component's text in the first parent of a candidate.
    fn before(&self, place: usize, component: &str) -> &str {
        let mut at = self.first_parent(place);
        while let Some(place) = at {
            if let Some(text) = self.candidates[place].changed.get(component) {
                return text;
            }
            at = self.first_parent(place);
        }
        self.start.get(component).map_or("", String::as_str)
    }
}

/// Mean total of so many pairs.
pub(super) fn mean(sum: u64, pairs: usize) -> f64 {
    if pairs == 0 { 0.0 } else { real_of(sum) / real(pairs) }
}

/// A sum of totals, or a count of evaluations, as a real number.
#[allow(clippy::cast_precision_loss)] // far below 2^52
fn real_of(n: u64) -> f64 {
    n as f64
}

/// The lineage for a terminal.
pub fn lineage_text(lineage: &Lineage) -> String {
    let mut text = format!(
        "{} candidates; ended: {}; {} evaluations\n",
        lineage.candidates.len(),
        lineage.ending,
        lineage.evaluations
    );
    for (place, candidate) in lineage.candidates.iter().enumerate() {
        let mark = if place == lineage.chosen { "*" } else { " " };
        let _ = writeln!(text, "{mark} {place:>3}  {:6.2}  {}", lineage.mean(candidate.sum), from(candidate));
    }
    for (reason, n) in &lineage.rejected {
        let _ = writeln!(text, "not taken: {n} x {reason}");
    }
    for gain in &lineage.held_out {
        let _ = writeln!(
            text,
            "held out: {}: {:.2} before, {:.2} after ({})",
            words(&gain.relation),
            mean(gain.before, gain.pairs),
            mean(gain.after, gain.pairs),
            counted(gain.pairs, "pair")
        );
    }
    text
}

fn from(candidate: &Candidate) -> String {
    let changed: Vec<&str> = candidate.changed.keys().map(String::as_str).collect();
    match candidate.parents.as_slice() {
        [] => "the prompts at the start".to_string(),
        [parent] => format!("{} of {parent}, written anew", changed.join(", ")),
        [first, others @ ..] => {
            let others: Vec<String> = others.iter().map(ToString::to_string).collect();
            format!("{first} with {} of {}", changed.join(", "), others.join(", "))
        }
    }
}

/// The lineage as one self-contained HTML file.
pub fn lineage_page(lineage: &Lineage, tool: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>Prompts improved</title>\n<style>\n{STYLE}{LINEAGE_STYLE}</style>\n</head>\n<body>\n\
         <header><p class=\"kicker\">Legal Link · prompts</p><h1>Prompts improved</h1>\
         <p class=\"quiet\">{}</p></header>\n\
         <main>{}<section id=\"lineage\"><h2>Who comes from whom</h2>{}</section></main>\n\
         <footer><p>Made by {}.</p></footer>\n</body>\n</html>\n",
        said(lineage),
        cards(lineage),
        tree::tree(lineage),
        Text(tool)
    )
}

/// The section of the report; empty where the prompts are not from an optimization.
pub(super) fn section(prompts: Option<&ChosenPrompts<'_>>) -> String {
    let Some(ChosenPrompts { file, digest, lineage }) = prompts else { return String::new() };
    format!(
        "<p>The author’s prompts were chosen by an optimization; they are those of <code>{}</code>, sha256 \
         <code title=\"{digest}\">{}</code>, as <code>dataset.lock</code> names them. {}</p>{}\
         <details><summary>Who comes from whom: {}, each with what it changed</summary>{}</details>",
        Text(file),
        digest.short(12),
        said(lineage),
        cards(lineage),
        counted(lineage.candidates.len(), "candidate"),
        tree::tree(lineage)
    )
}

fn said(lineage: &Lineage) -> String {
    let [start, chosen] = ends(lineage).map(|one| lineage.mean(one.map_or(0, |one| one.sum)));
    format!(
        "From {start:.2} to {chosen:.2} of {} points a pair, on the {} that candidates are compared by; ended: {}.",
        lineage.out_of,
        counted(lineage.pairs, "pair"),
        Text(&lineage.ending)
    )
}

/// What the run began with, and what it chose.
fn ends(lineage: &Lineage) -> [Option<&Candidate>; 2] {
    [0, lineage.chosen].map(|place| lineage.candidates.get(place))
}

fn cards(lineage: &Lineage) -> String {
    let climb = "Each candidate by what was spent when it was found, with a line to those it comes from; the strong line is \
                 the best so far, the green dot what was chosen.";
    let unseen = if lineage.held_out.is_empty() {
        "<p>No pairs were kept for the end.</p>".to_string()
    } else {
        held_out(lineage)
    };
    let kept = "Mean points a pair, on pairs that neither reflection nor choice had seen.";
    let chosen =
        "Mean points a pair by relation, and of them by criterion, on the pairs that candidates are compared by.";
    let refused = "What is proposed and does not pass is kept with its reason.";
    let mut out = String::from("<div class=\"cards\">");
    out.push_str(&card("The climb", climb, &climb::climb(lineage)));
    out.push_str(&card("On pairs it never saw", kept, &unseen));
    out.push_str(&card("The start and the choice", chosen, &compared(lineage)));
    out.push_str(&card("Not taken", refused, &rejected(lineage)));
    out.push_str("</div>");
    out
}

/// A row of means: before, after, and the difference.
fn row(name: &str, pairs: usize, [before, after]: [u64; 2]) -> String {
    let [before, after] = [before, after].map(|sum| mean(sum, pairs));
    format!(
        "<tr><th scope=\"row\">{}</th><td>{}</td><td>{before:.2}</td><td>{after:.2}</td><td>{:+.2}</td></tr>",
        Text(&words(name)),
        count(pairs),
        after - before
    )
}

fn held_out(lineage: &Lineage) -> String {
    let all = |of: fn(&Gain) -> u64| lineage.held_out.iter().map(of).sum();
    let sum = |of: fn(&Gain) -> usize| lineage.held_out.iter().map(of).sum();
    let mut rows: String =
        lineage.held_out.iter().map(|gain| row(&gain.relation, gain.pairs, [gain.before, gain.after])).collect();
    if lineage.held_out.len() > 1 {
        rows.push_str(&row("all", sum(|gain| gain.pairs), [all(|gain| gain.before), all(|gain| gain.after)]));
    }
    table("Held out, by relation", "", &["Relation", "Pairs", "Before", "After", "Change"], &rows)
}

fn compared(lineage: &Lineage) -> String {
    let [Some(start), Some(chosen)] = ends(lineage) else { return String::new() };
    let of = |scores: &BTreeMap<String, u64>, name: &String| scores.get(name).copied().unwrap_or(0);
    let mut rows = String::new();
    for (relation, pairs) in &lineage.relations {
        rows.push_str(&row(relation, *pairs, [&start.relations, &chosen.relations].map(|one| of(one, relation))));
    }
    for criterion in chosen.criteria.keys() {
        rows.push_str(&row(
            criterion,
            lineage.pairs,
            [&start.criteria, &chosen.criteria].map(|one| of(one, criterion)),
        ));
    }
    table("By relation and criterion", "", &["", "Pairs", "Start", "Chosen", "Change"], &rows)
}

fn rejected(lineage: &Lineage) -> String {
    let mut out = String::from("<ul class=\"reasons\">");
    for (reason, n) in &lineage.rejected {
        let _ = write!(out, "<li><b>{} ×</b> {}</li>", count(*n), Text(reason));
    }
    out.push_str("</ul>");
    if lineage.silent > 0 {
        let _ = write!(
            out,
            "<p class=\"quiet\">On {} no candidate has any point: it gives nobody a vote.</p>",
            counted(lineage.silent, "front")
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(list: &[(&str, &str)]) -> BTreeMap<String, String> {
        list.iter().map(|(name, text)| ((*name).to_string(), (*text).to_string())).collect()
    }

    fn sums(list: &[(&str, u64)]) -> BTreeMap<String, u64> {
        list.iter().map(|(name, sum)| ((*name).to_string(), *sum)).collect()
    }

    /// The start, two that come from it, and a merge of them, which was chosen.
    fn lineage() -> Lineage {
        let one = |parents: &[usize], sum, found, changed: &[(&str, &str)]| Candidate {
            parents: parents.to_vec(),
            sum,
            found,
            changed: texts(changed),
            relations: sums(&[("repeals", sum / 2), ("renders_obsolete", sum - sum / 2)]),
            criteria: sums(&[("legal_specificity", sum / 5)]),
        };
        Lineage {
            start: texts(&[("drafting", "Keep.\nOld <b>\n"), ("distractors", "Three.\n")]),
            candidates: vec![
                one(&[], 80, 2, &[]),
                one(&[0], 120, 9, &[("drafting", "Keep.\nNew\n")]),
                one(&[0], 90, 14, &[("distractors", "Three, alike.\n")]),
                one(&[1, 2], 140, 17, &[("distractors", "Three, alike.\n")]),
            ],
            chosen: 3,
            rejected: BTreeMap::from([("no better".to_string(), 3)]),
            held_out: vec![Gain { relation: "repeals".to_string(), pairs: 4, before: 100, after: 160 }],
            pairs: 2,
            relations: BTreeMap::from([("repeals".to_string(), 1), ("renders_obsolete".to_string(), 1)]),
            silent: 1,
            evaluations: 20,
            out_of: 100,
            ending: "the budget is used".to_string(),
        }
    }

    #[test]
    fn the_text_says_who_comes_from_whom() {
        let text = lineage_text(&lineage());
        assert!(text.contains("    1   60.00  drafting of 0, written anew"), "{text}");
        assert!(text.contains("*   3   70.00  1 with distractors of 2"), "{text}");
        assert!(text.contains("held out: repeals: 25.00 before, 40.00 after (4 pairs)"), "{text}");
    }

    #[test]
    fn the_page_shows_what_changed_and_takes_no_words_for_marks() {
        let page = lineage_page(&lineage(), "legal-link");
        assert!(page.contains("<del>- Old &lt;b&gt;</del>") && page.contains("<ins>+ New</ins>"), "{page}");
        assert!(page.contains("+15.00") && page.contains("From 40.00 to 70.00 of 100"), "{page}");
    }

    #[test]
    fn a_line_of_descent_parts_into_lists_and_scores_stand_by_relation_and_criterion() {
        let tree = tree::tree(&lineage());
        assert_eq!(tree.matches("<ol>").count(), 2, "the start has two branches, and a merge stands under one: {tree}");
        assert_eq!(tree.matches("<ol").count(), tree.matches("</ol>").count());
        assert_eq!((tree.matches("<li").count(), tree.matches("</li>").count()), (4, 4));
        let merge = tree.find("id=\"c3\"").zip(tree.find("id=\"c2\"")).expect("both are there");
        assert!(merge.0 < merge.1, "under its first parent, before the next branch: {tree}");
        assert!(
            tree.contains("<span class=\"score\">renders obsolete 70.0 <span class=\"good\">+10.0</span></span>"),
            "{tree}"
        );
        assert!(tree.contains("<span class=\"score\">legal specificity 14.0"), "{tree}");
    }

    #[test]
    fn a_lineage_that_leads_nowhere_is_still_a_page() {
        let mut broken = lineage();
        broken.chosen = 77;
        broken.candidates[1].parents = vec![3];
        broken.candidates[2].parents = vec![2, 99];
        let page = lineage_page(&broken, "legal-link");
        assert_eq!(page.matches("<li id").count(), 4);
        assert!(lineage_page(&Lineage::default(), "legal-link").contains("No pairs were kept"));
    }

    #[test]
    fn long_lines_of_branches_are_bounded_in_depth() {
        let mut long = lineage();
        for place in 4..2000 {
            long.candidates.push(Candidate { parents: vec![place - 1 - (place % 2)], ..Candidate::default() });
        }
        let tree = tree::tree(&long);
        assert_eq!(tree.matches("<li ").count(), 2000);
        let deepest = tree.split('<').fold((0_i32, 0), |(depth, most), tag| {
            let depth = depth + i32::from(tag.starts_with("ol")) - i32::from(tag.starts_with("/ol"));
            (depth, depth.max(most))
        });
        assert!(deepest.1 <= 9, "{deepest:?}");
    }
}
