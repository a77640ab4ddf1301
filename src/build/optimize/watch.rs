//! What is told of a run while it goes on.

use super::bench::Bench;
use crate::author::optimize::{Engine, Origin, Settled, Verdict};
use crate::model::Purse;
use crate::view::{News, SpentSoFar, Standing};

/// How the run stands; `last` is what was settled just now.
pub(super) fn standing(bench: &Bench<'_>, engine: &Engine, purse: Option<&Purse>, last: Option<&Settled>) -> Standing {
    let pool = engine.pool();
    let best = pool.best().and_then(|place| Some((place, pool.get(place)?.sum)));
    let mut front = pool.votes().to_vec();
    front.sort_by_key(|(place, votes)| (std::cmp::Reverse(*votes), *place));
    let rubric = bench.rubric.out_of();
    Standing {
        news: last.map(|settled| news(bench, engine, settled)),
        proposals: engine.settled().saturating_sub(1),
        accepted: (pool.entries().len() as u64).saturating_sub(1),
        best,
        front,
        pairs: bench.sizes().select,
        out_of: rubric,
        evaluations: engine.spent(),
        of: bench.stock.manifest.optimize.evaluations,
        spent: purse.map(|purse| {
            let spent = purse.spent();
            SpentSoFar {
                calls: spent.calls,
                tokens: spent.tokens,
                cost: spent.money.decimal(),
                unpriced: spent.unpriced,
            }
        }),
    }
}

fn news(bench: &Bench<'_>, engine: &Engine, settled: &Settled) -> News {
    let pool = engine.pool();
    let parents = settled.origin.parents();
    let from = parents.first().and_then(|place| pool.get(*place)).map_or(&bench.seed, |entry| &*entry.prompts);
    let changed = |(name, text): (&String, &String)| (name.clone(), [from.text(name).to_string(), text.clone()]);
    let (accepted, refused) = match &settled.verdict {
        Verdict::Accepted(place) => (Some((*place, pool.get(*place).map_or(0, |entry| entry.sum))), None),
        Verdict::Rejected(cause) => (None, Some(cause.to_string())),
    };
    News {
        number: settled.number,
        changed: settled.texts.iter().map(changed).collect(),
        component: match &settled.origin {
            // The last that it came to.
            Origin::Reflection { rounds, .. } => {
                rounds.get(settled.rounds.len().saturating_sub(1)).map(|round| round.component.clone())
            }
            Origin::Seed | Origin::Merge { .. } => None,
        },
        parents,
        accepted,
        refused,
    }
}
