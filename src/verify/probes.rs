//! The whole set: can it be answered without reading law? Each probe picks an option by a cheap rule;
//! its hits must be no further from one in four than chance takes them.

use super::flaws::content;
use super::rules::Rules;
use super::wording::words;
use crate::dataset::Item;
use crate::law::Digest;
use crate::measure::{Interval, jaccard, wilson};
use serde::Serialize;
use std::collections::BTreeMap;

/// One probe over a set of items.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Probe {
    /// What it picks.
    pub name: &'static str,
    /// How often that was the key.
    pub hits: u32,
    /// Of how many items.
    pub items: u32,
    /// Lower end of Wilson's 95 % interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Whether the interval contains one in four.
    pub fair: bool,
}

/// Chance, with four options.
const CHANCE: f64 = 0.25;
/// Parts into which pairs are dealt, to learn from the others and guess in one.
const FOLDS: u8 = 5;

/// Runs the probes. Ties go to the option whose digest with the item's name is smallest, so that a rule
/// that cannot tell gets what chance gives.
pub fn probes(items: &[&Item], rules: &Rules) -> Vec<Probe> {
    let length = |option: &str| float(option.chars().count());
    let overlap = |item: &Item, option: &str| jaccard(content(&item.draft.stem, rules), content(option, rules));
    let unlike_others = |item: &Item, option: &str| {
        let others = item.draft.options.iter().filter(|o| o.text != option);
        others.map(|o| jaccard(words(&o.text), words(option))).sum::<f64>()
    };
    let learned = Learned::from(items);
    vec![
        probe("longest", items, |_, option| length(option)),
        probe("shortest", items, |_, option| -length(option)),
        probe("most overlap with the stem", items, overlap),
        probe("most like the other options", items, unlike_others),
        probe("options only", items, |item, option| learned.score(item, option)),
    ]
}

fn probe(name: &'static str, items: &[&Item], score: impl Fn(&Item, &str) -> f64) -> Probe {
    let hit = |item: &&&Item| {
        let tie = |text: &str| Digest::of_fields([item.item.as_str().as_bytes(), text.as_bytes()]);
        let options = item.draft.options.iter().enumerate();
        let scored = options.map(|(i, o)| (score(item, &o.text), tie(&o.text), i));
        let best = scored.max_by(|a, b| a.0.total_cmp(&b.0).then_with(|| b.1.cmp(&a.1)));
        best.is_some_and(|(_, _, i)| i == 0)
    };
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let (hits, n) = (count(items.iter().filter(hit).count()), count(items.len()));
    let interval = wilson(hits, n);
    let Interval { low, high } = interval;
    Probe { name, hits, items: n, low, high, fair: interval.contains(CHANCE) }
}

/// How words speak for the key, learned from the items of other pairs: log odds with one added to each
/// count (naive Bayes); figures count as one word.
struct Learned {
    folds: Vec<BTreeMap<String, (f64, f64)>>,
}

impl Learned {
    fn from(items: &[&Item]) -> Self {
        let mut folds = vec![BTreeMap::new(); usize::from(FOLDS)];
        for item in items {
            let own = fold(item);
            for (i, option) in item.draft.options.iter().enumerate() {
                for word in features(&option.text) {
                    for (f, counts) in folds.iter_mut().enumerate().filter(|(f, _)| *f != own) {
                        let _ = f;
                        let entry: &mut (f64, f64) = counts.entry(word.clone()).or_default();
                        if i == 0 { entry.0 += 1.0 } else { entry.1 += 1.0 / 3.0 }
                    }
                }
            }
        }
        Self { folds }
    }

    fn score(&self, item: &Item, option: &str) -> f64 {
        let Some(counts) = self.folds.get(fold(item)) else { return 0.0 };
        let odds = |word: String| {
            let (key, other) = counts.get(&word).copied().unwrap_or_default();
            ((key + 1.0) / (other + 1.0)).ln()
        };
        features(option).into_iter().map(odds).sum()
    }
}

/// Items of one pair of acts fall into one part.
fn fold(item: &Item) -> usize {
    let pair = &item.draft.pair;
    let digest = Digest::of_fields([pair.source.celex.as_str().as_bytes(), pair.target.celex.as_str().as_bytes()]);
    usize::from(digest.as_bytes()[0] % FOLDS)
}

/// Words and pairs of neighbouring words, each once.
fn features(text: &str) -> std::collections::BTreeSet<String> {
    let plain = |w: String| if w.contains(|c: char| c.is_ascii_digit()) { "#".to_string() } else { w };
    let words: Vec<String> = words(text).map(plain).collect();
    words.windows(2).map(|two| two.join(" ")).chain(words.iter().cloned()).collect()
}

fn float(n: usize) -> f64 {
    f64::from(u32::try_from(n).unwrap_or(u32::MAX))
}
