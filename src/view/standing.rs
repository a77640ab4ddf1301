//! How an optimization stands while it runs: what a person would like to watch, one proposal after the other.

use super::html::count;
use super::lineage::change::{cut, in_words};
use serde::Serialize;
use std::collections::BTreeMap;

/// Candidates of the front that are named; the others are counted.
const NAMED: usize = 4;
/// Characters of a change that are shown.
const SHOWN: usize = 160;

/// How an optimization stands after one more proposal was settled, or when it goes on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Standing {
    /// What was settled last; none where the run goes on after a stop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub news: Option<News>,
    /// Proposals settled, the prompts at the start not counted.
    pub proposals: u64,
    /// Of these, in the pool.
    pub accepted: u64,
    /// Place of the best candidate, and the sum of its totals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<(usize, u64)>,
    /// Who may be reflected on next, by place, with its votes; the most votes first.
    pub front: Vec<(usize, u64)>,
    /// Pairs that candidates are compared by.
    pub pairs: usize,
    /// The greatest total of one item.
    pub out_of: u32,
    /// Evaluations used.
    pub evaluations: u64,
    /// Evaluations that are allowed.
    pub of: u64,
    /// What models were paid in this run; none where it is not counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spent: Option<SpentSoFar>,
}

/// A proposal that was settled.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct News {
    /// Its number; the prompts at the start are 0.
    pub number: u64,
    /// Places of the candidates that it comes from.
    pub parents: Vec<usize>,
    /// The components in other words, by name: before and after.
    pub changed: BTreeMap<String, [String; 2]>,
    /// The component that was to be written anew, of several the last; none for a merge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub component: Option<String>,
    /// Its place in the pool and the sum of its totals, if it was taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accepted: Option<(usize, u64)>,
    /// Why it was not taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
}

/// Calls, tokens and money of a run so far.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct SpentSoFar {
    /// Calls.
    pub calls: u64,
    /// Tokens.
    pub tokens: u64,
    /// US dollars as an exact decimal.
    pub cost: String,
    /// Calls at an unknown price, which come on top.
    pub unpriced: u64,
}

/// What was settled last, in one line.
pub fn news_line(standing: &Standing) -> String {
    let Some(news) = &standing.news else {
        return format!("goes on after {} that were settled before", counted(standing.proposals, "proposal"));
    };
    let mut names: Vec<&str> = news.changed.keys().map(String::as_str).collect();
    if names.is_empty() {
        names.push(news.component.as_deref().unwrap_or("nothing"));
    }
    let names = names.join(", ");
    let what = match news.parents.as_slice() {
        [] => "the prompts at the start".to_string(),
        [parent] => format!("{names} of {parent}"),
        [first, others @ ..] => {
            let others: Vec<String> = others.iter().map(ToString::to_string).collect();
            format!("{first} with {names} of {}", others.join(", "))
        }
    };
    let became = match (&news.accepted, &news.refused) {
        (Some((place, sum)), _) => format!("candidate {place}, {} points", mean(*sum, standing.pairs)),
        (None, Some(why)) => format!("not taken: {}", cut(why, SHOWN)),
        (None, None) => "not taken".to_string(),
    };
    let mut changes = news.changed.values().map(|[before, after]| in_words(before, after, SHOWN));
    let change = changes.find(|change| !change.is_empty()).map_or_else(String::new, |change| format!(" | {change}"));
    format!("{:>3}  {what}: {became}{change}", news.number)
}

/// How the run stands, in one line: the best, the front, acceptance, spend.
pub fn standing_line(standing: &Standing) -> String {
    let mut parts = Vec::new();
    if let Some((place, sum)) = standing.best {
        parts.push(format!("best {place}: {} of {}", mean(sum, standing.pairs), standing.out_of));
    }
    if let Some(spent) = &standing.spent {
        let more = if spent.unpriced > 0 { " and more" } else { "" };
        parts.push(format!("${}{more}, {}", spent.cost, counted(spent.calls, "call")));
    }
    parts.push(format!("{} of {} taken", standing.accepted, standing.proposals));
    parts.push(format!("{} of {} evaluations", number(standing.evaluations), number(standing.of)));
    let named = standing.front.iter().take(NAMED).map(|(place, votes)| format!("{place} ×{votes}"));
    let more = if standing.front.len() > NAMED { ", …" } else { "" };
    let named = named.collect::<Vec<_>>().join(", ");
    parts.push(format!("front of {} (votes: {named}{more})", standing.front.len()));
    if let Some(spent) = &standing.spent {
        parts.push(format!("{} tokens", number(spent.tokens)));
        if spent.unpriced > 0 {
            parts.push(format!("{} at an unknown price", counted(spent.unpriced, "call")));
        }
    }
    parts.join(" · ")
}

fn mean(sum: u64, pairs: usize) -> String {
    format!("{:.2}", super::lineage::mean(sum, pairs))
}

fn number(n: u64) -> String {
    count(usize::try_from(n).unwrap_or(usize::MAX))
}

fn counted(n: u64, one: &str) -> String {
    super::html::counted(usize::try_from(n).unwrap_or(usize::MAX), one)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(news: Option<News>) -> Standing {
        Standing {
            news,
            proposals: 8,
            accepted: 3,
            best: Some((3, 214)),
            front: vec![(3, 9), (1, 2), (0, 1), (2, 1), (4, 1)],
            pairs: 3,
            out_of: 100,
            evaluations: 41,
            of: 1200,
            spent: Some(SpentSoFar { calls: 96, tokens: 120_331, cost: "0.12".to_string(), unpriced: 0 }),
        }
    }

    #[test]
    fn a_proposal_is_told_in_one_line() {
        let changed = BTreeMap::from([("drafting".to_string(), ["Say it.\n".to_string(), "Say it once.".to_string()])]);
        let mut news = News { number: 8, parents: vec![1], changed, accepted: Some((3, 214)), ..News::default() };
        news.component = Some("drafting".to_string());
        let told = news_line(&standing(Some(news.clone())));
        assert_eq!(told, "  8  drafting of 1: candidate 3, 71.33 points | Say [-it.-] {+it once.+}");
        (news.accepted, news.refused) = (None, Some("it scored 180 where 214 was to beat".to_string()));
        news.changed.clear();
        let told = news_line(&standing(Some(news)));
        assert_eq!(told, "  8  drafting of 1: not taken: it scored 180 where 214 was to beat");
        assert_eq!(news_line(&standing(None)), "goes on after 8 proposals that were settled before");
    }

    #[test]
    fn how_it_stands_is_told_in_one_line() {
        let told = standing_line(&standing(None));
        assert_eq!(
            told,
            "best 3: 71.33 of 100 · $0.12, 96 calls · 3 of 8 taken · 41 of 1,200 evaluations · front of 5 (votes: 3 ×9, 1 ×2, \
             0 ×1, 2 ×1, …) · 120,331 tokens"
        );
    }
}
