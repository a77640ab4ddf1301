//! Gate 6, first half: does the wording give the key away?

use super::check::{Check, Verdict};
use super::prose::{Named, mentions};
use super::rules::Rules;
use crate::dataset::Draft;
use crate::graph::RelationGraph;
use crate::law::{Celex, written_days};
use std::collections::BTreeSet;

/// How a stem gives the key away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Leak {
    /// Only the key's act is of a year that the stem names.
    Year,
    /// Only the key's act is of the kind that the stem asks for.
    Type,
}

/// Whether year or kind of act in the stem fits the key alone. What belongs to an act named by its number,
/// or to a full date, asks for nothing.
pub fn stem_leak<S: AsRef<str>>(stem: &str, options: &[S], key: usize, rules: &Rules) -> Option<Leak> {
    let asked = without_names(stem);
    let acts: Vec<BTreeSet<Celex>> = options.iter().map(|o| acts_in(o.as_ref())).collect();
    if acts.iter().any(BTreeSet::is_empty) {
        return None;
    }
    let only_key =
        |fits: &dyn Fn(&Celex) -> bool| acts.iter().enumerate().all(|(i, of)| of.iter().any(fits) == (i == key));
    let years =
        asked.split(|c: char| !c.is_ascii_digit()).filter(|w| w.len() == 4).filter_map(|w| w.parse::<u16>().ok());
    if years.into_iter().any(|year| only_key(&|c| c.parts().year == Some(year))) {
        return Some(Leak::Year);
    }
    // "Framework decision" is read before "decision", which it holds.
    let kind = rules.types.iter().find(|(words, _)| words.is_match(&asked))?.1;
    let letter = |c: &Celex| c.parts().kind.starts_with(kind);
    only_key(&letter).then_some(Leak::Type)
}

/// The text without the acts it names by number and the days it names.
fn without_names(text: &str) -> String {
    let mut out = text.to_string();
    let acts = mentions(text).into_iter().map(|m| m.range);
    let mut ranges: Vec<_> = acts.chain(written_days(text).into_iter().map(|(range, _)| range)).collect();
    ranges.sort_by_key(|r| std::cmp::Reverse(r.start));
    for range in ranges {
        if out.is_char_boundary(range.start) && out.is_char_boundary(range.end.min(out.len())) {
            out.replace_range(range.start..range.end.min(out.len()), "…");
        }
    }
    out
}

fn acts_in(text: &str) -> BTreeSet<Celex> {
    mentions(text).into_iter().flat_map(|m| m.celex).collect()
}

/// The gate.
#[derive(Debug, Clone, Copy)]
pub(super) struct Leaks<'r>(pub(super) &'r Rules);

impl Check for Leaks<'_> {
    fn name(&self) -> &'static str {
        "leak"
    }

    fn check(&self, draft: &Draft, _graph: &RelationGraph) -> Verdict {
        let mut verdict = Verdict::default();
        let options: Vec<&str> = draft.options.iter().map(|o| o.text.as_str()).collect();
        match stem_leak(&draft.stem, &options, 0, self.0) {
            Some(Leak::Year) => verdict.refuse("only the key's act is of the year that the stem names"),
            Some(Leak::Type) => verdict.refuse("only the key's act is of the kind that the stem asks for"),
            None => {}
        }
        let stem = Named::read(&draft.stem);
        let named: Vec<Named> = options.iter().map(|o| Named::read(o)).collect();
        if let Some((key, others)) = named.split_first() {
            let new_act = |n: &Named| n.acts.iter().any(|m| !stem.acts.iter().any(|s| s.identity() == m.identity()));
            let new_day = |n: &Named| n.days.iter().any(|d| !stem.days.contains(d));
            if new_act(key) && !others.iter().any(new_act) {
                verdict.refuse("only the key names an act that the stem does not name");
            }
            if new_day(key) && !others.iter().any(new_day) {
                verdict.refuse("only the key names a day that the stem does not name");
            }
        }
        verdict
    }
}
