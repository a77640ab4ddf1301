//! Is it the same item again?

use super::rules::Rules;
use super::wording::words;
use crate::dataset::{Draft, ItemId, Pair, sameness};
use crate::measure::jaccard;
use std::collections::{BTreeMap, BTreeSet};

/// The items kept so far; hand them over in a fixed order, for the first of two alike is kept.
#[derive(Debug, Default)]
pub struct Kept {
    questions: BTreeMap<(String, BTreeSet<String>), ItemId>,
    by_pair: BTreeMap<Pair, Vec<(ItemId, Vec<String>)>>,
}

impl Kept {
    /// Keeps the draft, unless it repeats one kept before.
    ///
    /// # Errors
    /// The reason, naming the item it repeats: the same stem and options, or nearly the same words of
    /// stem and key about the same pair.
    pub fn admit(&mut self, draft: &Draft, rules: &Rules) -> Result<(), String> {
        let item = draft.item_id();
        let options: Vec<&str> = draft.options.iter().map(|o| o.text.as_str()).collect();
        let key = sameness(&draft.stem, &options);
        if let Some(other) = self.questions.get(&key) {
            return Err(format!("asks what {other} asks"));
        }
        let shingles = shingles(draft);
        let of_pair = self.by_pair.entry(draft.pair.clone()).or_default();
        let limit = f64::from(rules.limits.same_item) / 100.0;
        if let Some((other, _)) = of_pair.iter().find(|(_, s)| jaccard(s, &shingles) >= limit) {
            return Err(format!("asks {other} again in nearly the same words"));
        }
        of_pair.push((item.clone(), shingles));
        self.questions.insert(key, item);
        Ok(())
    }
}

/// Word 8-grams of stem and key; all words where there are fewer than eight.
fn shingles(draft: &Draft) -> Vec<String> {
    let key = draft.options.first().map_or("", |o| o.text.as_str());
    let all: Vec<String> = words(&draft.stem).chain(words(key)).collect();
    all.windows(8.min(all.len()).max(1)).map(|w| w.join(" ")).collect()
}
