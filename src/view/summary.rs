//! The end of a build, for a terminal.

use super::html::{count, counted, percent, turns, words};
use crate::dataset::Dataset;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Reasons shown under a gate.
const REASONS: usize = 3;

/// What was made, what was refused and why, where the report is (`out`: the output folder as the user named
/// it), and what to try next. Nothing in it can steer a terminal.
pub fn summary(dataset: &Dataset, out: &str) -> String {
    let (items, proved) = (dataset.items.len(), dataset.proved());
    let mut text = format!(
        "{} {}: {} over {}, {} proved by code ({})\n",
        plain(&dataset.name),
        plain(&dataset.version),
        counted(items, "item"),
        counted(dataset.pairs(), "pair"),
        count(proved),
        percent(proved, items)
    );
    if !dataset.documents.is_empty() && dataset.documents.iter().all(|d| d.specimen) {
        text.push_str("Nothing in it is law: every act was invented.\n");
    }
    relations(&mut text, dataset);
    refusals(&mut text, dataset);
    if !dataset.shortfalls.is_empty() {
        text.push('\n');
    }
    for s in &dataset.shortfalls {
        let _ = writeln!(text, "Short: {}, {} of {}. {}", plain(&s.stratum), s.had, s.wanted, plain(&s.reason));
    }
    let out = plain(out.trim_end_matches('/'));
    let _ = write!(text, "\nReport  {out}/report.html\n\nNext\n  legal-link audit {out}\n");
    if let Some(item) = dataset.items.first() {
        let _ = writeln!(text, "  legal-link audit {out} --item {}", item.item);
    }
    text
}

fn relations(text: &mut String, dataset: &Dataset) {
    let tallies = dataset.tallies();
    let width = tallies.iter().map(|t| t.relation.as_str().chars().count()).max().unwrap_or(0).max(8);
    let _ = writeln!(text, "\n  {:width$}  items  pairs  proved  refused   A   B   C   D", "relation");
    for t in &tallies {
        let [a, b, c, d] = t.positions;
        let _ = writeln!(
            text,
            "  {:width$}  {:>5}  {:>5}  {:>6}  {:>7} {a:>3} {b:>3} {c:>3} {d:>3}",
            words(t.relation.as_str()),
            t.items,
            t.pairs,
            t.proved,
            t.refused
        );
    }
}

fn refusals(text: &mut String, dataset: &Dataset) {
    if dataset.refusals.is_empty() {
        return;
    }
    let mut gates: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
    for refusal in &dataset.refusals {
        *gates.entry(&refusal.gate).or_default().entry(&refusal.reason).or_default() += 1;
    }
    let _ = writeln!(text, "\nRefused: {}", count(dataset.refusals.len()));
    let mut gates: Vec<_> =
        gates.into_iter().map(|(gate, reasons)| (reasons.values().sum::<usize>(), gate, reasons)).collect();
    gates.sort_by_key(|(n, gate, _)| (std::cmp::Reverse(*n), *gate));
    for (n, gate, reasons) in gates {
        let _ = writeln!(text, "  {} {}", count(n), plain(&words(gate)));
        let mut reasons: Vec<_> = reasons.into_iter().collect();
        reasons.sort_by_key(|(reason, n)| (std::cmp::Reverse(*n), *reason));
        for (reason, n) in reasons.iter().take(REASONS) {
            let _ = writeln!(text, "    {} × {}", count(*n), plain(reason));
        }
        if reasons.len() > REASONS {
            let _ = writeln!(text, "    and {} more in refused.jsonl", counted(reasons.len() - REASONS, "reason"));
        }
    }
}

/// Text without characters that a terminal obeys.
fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() || turns(c) { ' ' } else { c }).collect()
}
