//! How prompts were improved: which proposal came from which, what it changed, and what became of it.

use super::html::{Text, count, counted, real, words};
use super::page::{STYLE, card, table};
use super::svg::{Anchor, Svg, WIDTH};
use similar::{ChangeTag, TextDiff};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// What is to be shown of an optimization.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Lineage {
    /// Candidates, in the order of their discovery; the first is what the run began with.
    pub candidates: Vec<Candidate>,
    /// Place of the candidate chosen.
    pub chosen: usize,
    /// Proposals that did not become candidates, by reason.
    pub rejected: BTreeMap<String, usize>,
    /// The result on the pairs that the optimizer never saw, per relation.
    pub held_out: Vec<Gain>,
    /// Pairs that candidates are compared by, and how many of them nobody has a point on.
    pub compared: (usize, usize),
    /// Evaluations used.
    pub evaluations: u64,
    /// The greatest total of one item.
    pub out_of: u32,
    /// Why it ended.
    pub ending: String,
}

/// A candidate.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Candidate {
    /// Places of those that it comes from.
    pub parents: Vec<usize>,
    /// Sum of its totals on the pairs that candidates are compared by.
    pub sum: u64,
    /// Evaluations used when it was found.
    pub found: u64,
    /// The components that differ from the first parent's: name, then the text before and after.
    pub changed: Vec<(String, [String; 2])>,
    /// Sum of weight x level per criterion on these pairs, by name; empty where none was judged.
    pub criteria: Vec<(String, u64)>,
}

/// The prompts chosen beside those at the start, on pairs of one relation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
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

impl Lineage {
    /// Mean total per pair of a sum.
    fn mean(&self, sum: u64) -> f64 {
        mean(sum, self.compared.0)
    }
}

#[allow(clippy::cast_precision_loss)] // sums of totals are far below 2^52
fn mean(sum: u64, pairs: usize) -> f64 {
    if pairs == 0 { 0.0 } else { sum as f64 / real(pairs) }
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
    let changed: Vec<&str> = candidate.changed.iter().map(|(name, _)| name.as_str()).collect();
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
    let start = lineage.candidates.first().map_or(0, |first| first.sum);
    let best = lineage.candidates.get(lineage.chosen).map_or(0, |best| best.sum);
    let climb = card("The best candidate so far", "Mean total per pair, by evaluations used.", &climb(lineage));
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>Prompts improved</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <header><p class=\"kicker\">Legal Link · prompts</p><h1>Prompts improved</h1>\
         <p class=\"quiet\">From {:.2} to {:.2} of {} points a pair, on {}; ended: {}.</p></header>\n\
         <main><section id=\"climb\"><h2>The climb</h2><div class=\"cards\">{climb}</div></section>\
         <section id=\"held-out\"><h2>On pairs it never saw</h2>{}</section>\
         <section id=\"lineage\"><h2>Who comes from whom</h2>{}</section>\
         <section id=\"rejected\"><h2>Not taken</h2>{}</section></main>\n\
         <footer><p>Made by {}.</p></footer>\n</body>\n</html>\n",
        lineage.mean(start),
        lineage.mean(best),
        lineage.out_of,
        counted(lineage.compared.0, "pair"),
        Text(&lineage.ending),
        held_out(lineage),
        tree(lineage),
        rejected(lineage),
        Text(tool)
    )
}

fn held_out(lineage: &Lineage) -> String {
    if lineage.held_out.is_empty() {
        return "<p>No pairs were kept for the end.</p>".to_string();
    }
    let row = |gain: &Gain| {
        let [before, after] = [gain.before, gain.after].map(|sum| mean(sum, gain.pairs));
        format!(
            "<tr><th scope=\"row\">{}</th><td>{}</td><td>{before:.2}</td><td>{after:.2}</td><td>{:+.2}</td></tr>",
            Text(&words(&gain.relation)),
            count(gain.pairs),
            after - before
        )
    };
    let rows: String = lineage.held_out.iter().map(row).collect();
    table("Mean totals", "", &["Relation", "Pairs", "Before", "After", "Change"], &rows)
}

fn rejected(lineage: &Lineage) -> String {
    let mut out = String::from("<ul class=\"reasons\">");
    for (reason, n) in &lineage.rejected {
        let _ = write!(out, "<li>{}: {}</li>", count(*n), Text(reason));
    }
    out.push_str("</ul>");
    if lineage.compared.1 > 0 {
        let silent = counted(lineage.compared.1, "pair");
        let _ = write!(out, "<p class=\"quiet\">On {silent} no candidate has any point: they have no vote.</p>");
    }
    out
}

/// Every candidate under its first parent, with what it changed. The depth of nesting is bounded, so that a long line of
/// descent stays readable.
fn tree(lineage: &Lineage) -> String {
    let mut out = String::from("<ol class=\"lineage\">");
    for (place, candidate) in lineage.candidates.iter().enumerate() {
        let chosen = if place == lineage.chosen { " <b>chosen</b>" } else { "" };
        let _ = write!(
            out,
            "<li id=\"c{place}\" value=\"{place}\"><p>{:.2} points · {}{chosen}</p>",
            lineage.mean(candidate.sum),
            linked(candidate)
        );
        if !candidate.criteria.is_empty() {
            let said =
                candidate.criteria.iter().map(|(name, sum)| format!("{} {:.1}", words(name), lineage.mean(*sum)));
            let _ = write!(out, "<p class=\"quiet\">{}</p>", Text(&said.collect::<Vec<_>>().join(" · ")));
        }
        for (name, [before, after]) in &candidate.changed {
            let _ = write!(
                out,
                "<details><summary>{}</summary><pre class=\"diff\">{}</pre></details>",
                Text(name),
                difference(before, after)
            );
        }
        out.push_str("</li>");
    }
    out.push_str("</ol>");
    out
}

fn linked(candidate: &Candidate) -> String {
    let parents: Vec<String> = candidate.parents.iter().map(|p| format!("<a href=\"#c{p}\">{p}</a>")).collect();
    if parents.is_empty() { "the prompts at the start".to_string() } else { format!("from {}", parents.join(" and ")) }
}

/// Lines taken away and put in, told apart by a sign and not by colour alone.
fn difference(before: &str, after: &str) -> String {
    let diff = TextDiff::from_lines(before, after);
    let mut out = String::new();
    for change in diff.iter_all_changes() {
        let line = Text(change.value().trim_end_matches('\n')).to_string();
        let _ = match change.tag() {
            ChangeTag::Delete => writeln!(out, "<del>- {line}</del>"),
            ChangeTag::Insert => writeln!(out, "<ins>+ {line}</ins>"),
            ChangeTag::Equal => writeln!(out, "  {line}"),
        };
    }
    out
}

/// The best mean so far over the evaluations used.
fn climb(lineage: &Lineage) -> String {
    const HEIGHT: f64 = 160.0;
    let mut svg = Svg::new(HEIGHT + 28.0);
    let most = lineage.evaluations.max(1);
    let (left, right) = (34.0, WIDTH - 10.0);
    #[allow(clippy::cast_precision_loss)] // counts of evaluations are far below 2^52
    let x = |at: u64| left + (right - left) * at as f64 / most as f64;
    let means: Vec<f64> = lineage.candidates.iter().map(|one| lineage.mean(one.sum)).collect();
    let (low, high) = means.iter().fold((f64::MAX, f64::MIN), |(low, high), m| (low.min(*m), high.max(*m)));
    let span = (high - low).max(1.0);
    let y = |mean: f64| HEIGHT - 8.0 - (HEIGHT - 24.0) * (mean - low) / span;
    for mean in [low, high] {
        if mean.is_finite() {
            svg.line("grid", (left, y(mean)), (right, y(mean)));
            svg.text("tick", (left - 4.0, y(mean) + 4.0), Anchor::End, &format!("{mean:.1}"));
        }
    }
    let mut best: Option<(f64, f64)> = None;
    for (candidate, mean) in lineage.candidates.iter().zip(&means) {
        let at = (x(candidate.found), y(*mean));
        svg.circle("dot", at, 3.0);
        match best {
            Some((_, height)) if at.1 >= height => {}
            Some((from, height)) => {
                svg.line("whisker", (from, height), (at.0, height));
                svg.line("whisker", (at.0, height), at);
                best = Some(at);
            }
            None => best = Some(at),
        }
    }
    if let Some((from, height)) = best {
        svg.line("whisker", (from, height), (right, height));
    }
    svg.text("tick", (left, HEIGHT + 16.0), Anchor::Start, "0");
    svg.text("tick", (right, HEIGHT + 16.0), Anchor::End, &format!("{most} evaluations"));
    let said = format!("{} candidates, means from {low:.2} to {high:.2} of {}.", means.len(), lineage.out_of);
    svg.done("climb-figure", "The best candidate so far", &said)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lineage() -> Lineage {
        let text = |a: &str, b: &str| [a.to_string(), b.to_string()];
        let first = Candidate { sum: 80, found: 2, ..Candidate::default() };
        let second = Candidate {
            parents: vec![0],
            sum: 120,
            found: 9,
            changed: vec![("drafting".to_string(), text("Keep.\nOld <b>\n", "Keep.\nNew\n"))],
            criteria: vec![("legal_specificity".to_string(), 24)],
        };
        Lineage {
            candidates: vec![first, second],
            chosen: 1,
            rejected: BTreeMap::from([("no better".to_string(), 3)]),
            held_out: vec![Gain { relation: "repeals".to_string(), pairs: 4, before: 100, after: 160 }],
            compared: (2, 1),
            evaluations: 20,
            out_of: 100,
            ending: "the budget is used".to_string(),
        }
    }

    #[test]
    fn the_text_says_who_comes_from_whom() {
        let text = lineage_text(&lineage());
        assert!(text.contains("*   1   60.00  drafting of 0, written anew"), "{text}");
        assert!(text.contains("held out: repeals: 25.00 before, 40.00 after (4 pairs)"), "{text}");
    }

    #[test]
    fn the_page_shows_what_changed_and_takes_no_words_for_marks() {
        let page = lineage_page(&lineage(), "legal-link");
        assert!(page.contains("<del>- Old &lt;b&gt;</del>") && page.contains("<ins>+ New</ins>"), "{page}");
        assert!(page.contains("+15.00") && page.contains("From 40.00 to 60.00 of 100"), "{page}");
    }
}
