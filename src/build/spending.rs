//! The book of calls as what a dataset cost.

use super::Counter;
use crate::dataset::{Spend, Spending};
use crate::model::{Entry, Money};
use std::collections::BTreeMap;

/// What the calls in the book cost, by stage and model.
pub(super) fn spending(counter: &Counter) -> Spending {
    let mut rows: BTreeMap<(String, String), Vec<Entry>> = BTreeMap::new();
    for entry in counter.book().entries() {
        rows.entry((entry.stage.clone(), entry.model.to_string())).or_default().push(entry);
    }
    let (mut spending, mut total) = (Spending::default(), Money::default());
    for ((stage, model), entries) in rows {
        let price = entries.first().and_then(|entry| counter.purse().price(&entry.model));
        let cost = price.map(|price| {
            let paid = |entry: &Entry| Some(price.paid(price.cost(&entry.usage)?, entry.batch));
            entries.iter().filter_map(paid).sum::<Money>()
        });
        let sum = |of: fn(&Entry) -> Option<u64>| entries.iter().filter_map(of).fold(0, u64::saturating_add);
        total = total + cost.unwrap_or_default();
        spending.uncounted += entries.iter().filter(|entry| entry.usage.total().is_none()).count() as u64;
        if cost.is_none() && !spending.unpriced.contains(&model) {
            spending.unpriced.push(model.clone());
        }
        spending.rows.push(Spend {
            stage,
            model,
            calls: entries.len() as u64,
            batched: entries.iter().filter(|entry| entry.batch).count() as u64,
            prompt: sum(|entry| entry.usage.prompt),
            cached: sum(|entry| entry.usage.cached),
            cache_write: sum(|entry| entry.usage.cache_write),
            reply: sum(|entry| entry.usage.reply),
            reasoning: sum(|entry| entry.usage.reasoning),
            cost: cost.map(Money::decimal),
            price_of: price.map(|price| price.as_of.clone()),
        });
    }
    spending.cost = total.decimal();
    spending
}
