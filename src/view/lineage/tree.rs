//! Who comes from whom, as a tree: every candidate under its first parent, with what it changed and what that was worth.

use super::change::by_line;
use super::{Candidate, Lineage};
use crate::view::html::{Text, words};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Branches inside branches at most; what lies deeper stands beside, and says whose child it is.
const DEEPEST: usize = 8;

/// What is still to be written, last first.
enum Step {
    Candidate(usize, usize),
    Text(&'static str),
}

/// The tree as nested lists. An only child stands under its parent; where a line of descent parts, each branch is a list
/// of its own, so that long lines stay readable.
pub(super) fn tree(lineage: &Lineage) -> String {
    let mut children: BTreeMap<Option<usize>, Vec<usize>> = BTreeMap::new();
    for place in 0..lineage.candidates.len() {
        children.entry(lineage.first_parent(place)).or_default().push(place);
    }
    let mut out = String::from("<ol class=\"lineage\">");
    let roots = children.get(&None).into_iter().flatten().rev();
    let mut steps: Vec<Step> = roots.map(|place| Step::Candidate(*place, 0)).collect();
    while let Some(step) = steps.pop() {
        let (place, depth) = match step {
            Step::Text(text) => {
                out.push_str(text);
                continue;
            }
            Step::Candidate(place, depth) => (place, depth),
        };
        node(&mut out, lineage, place);
        match children.get(&Some(place)).map(Vec::as_slice).unwrap_or_default() {
            below if below.len() < 2 || depth >= DEEPEST => {
                out.push_str("</li>");
                steps.extend(below.iter().rev().map(|child| Step::Candidate(*child, depth)));
            }
            below => {
                steps.push(Step::Text("</li>"));
                for child in below.iter().rev() {
                    steps.push(Step::Text("</ol>"));
                    steps.push(Step::Candidate(*child, depth + 1));
                    steps.push(Step::Text("<ol>"));
                }
            }
        }
    }
    out.push_str("</ol>");
    out
}

fn node(out: &mut String, lineage: &Lineage, place: usize) {
    let candidate = &lineage.candidates[place];
    let chosen = place == lineage.chosen;
    let parent = lineage.first_parent(place).map(|at| &lineage.candidates[at]);
    let badge = if chosen { " <span class=\"badge good\">chosen</span>" } else { "" };
    let _ = write!(
        out,
        "<li id=\"c{place}\"{}><p class=\"who\"><b>{place}</b> {:.2} points{} · {}{badge}</p>",
        if chosen { " class=\"chosen\"" } else { "" },
        lineage.mean(candidate.sum),
        parent.map_or_else(String::new, |parent| change(lineage.mean(candidate.sum) - lineage.mean(parent.sum))),
        linked(candidate)
    );
    let relations = scores(&candidate.relations, parent.map(|one| &one.relations), |name| {
        lineage.relations.get(name).copied().unwrap_or(0)
    });
    let criteria = scores(&candidate.criteria, parent.map(|one| &one.criteria), |_| lineage.pairs);
    for (what, said) in [("by relation", relations), ("by criterion", criteria)] {
        if !said.is_empty() {
            let _ = write!(out, "<p class=\"scores\"><span class=\"quiet\">{what}</span> {said}</p>");
        }
    }
    for (name, text) in &candidate.changed {
        let _ = write!(
            out,
            "<details{}><summary>{}</summary><pre class=\"diff\">{}</pre></details>",
            if chosen { " open" } else { "" },
            Text(name),
            by_line(lineage.before(place, name), text)
        );
    }
}

/// Mean points by name, each with what it is above or below the parent's.
fn scores(
    own: &BTreeMap<String, u64>,
    parent: Option<&BTreeMap<String, u64>>,
    pairs: impl Fn(&str) -> usize,
) -> String {
    let said = own.iter().map(|(name, sum)| {
        let mean = super::mean(*sum, pairs(name));
        let was = parent.and_then(|parent| parent.get(name)).map(|sum| super::mean(*sum, pairs(name)));
        let more = was.map_or_else(String::new, |was| change(mean - was));
        format!("<span class=\"score\">{} {mean:.1}{more}</span>", Text(&words(name)))
    });
    said.collect::<Vec<_>>().join(" ")
}

/// A difference of means, with its sign; nothing where there is none to speak of.
fn change(by: f64) -> String {
    if by.abs() < 0.05 {
        return String::new();
    }
    let class = if by > 0.0 { "good" } else { "bad" };
    format!(" <span class=\"{class}\">{by:+.1}</span>")
}

fn linked(candidate: &Candidate) -> String {
    let link = |place: &usize| format!("<a href=\"#c{place}\">{place}</a>");
    let names: Vec<String> = candidate.changed.keys().map(|name| Text(name).to_string()).collect();
    let names = names.join(", ");
    match candidate.parents.as_slice() {
        [] => "the prompts at the start".to_string(),
        [parent] => format!("{names} of {}, written anew", link(parent)),
        [first, others @ ..] => {
            let others: Vec<String> = others.iter().map(link).collect();
            format!("{} with {names} of {}", link(first), others.join(", "))
        }
    }
}
