//! Who may stand beside whom: groups of works, facts, and the roles that pairs are kept apart for.

use super::Pair;
use crate::law::Registry;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// What a pair is used for. No two roles share an act, a version of it or a corrigendum to it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Published.
    #[default]
    Test,
    /// The optimizer learns from its faults.
    Reflect,
    /// The optimizer chooses between prompts by it.
    Select,
    /// The optimizer's result is measured on it, once.
    Final,
}

impl Role {
    /// All roles, in the order in which pairs are given to them.
    pub const ALL: [Self; 4] = [Self::Test, Self::Reflect, Self::Select, Self::Final];
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Test => "test",
            Self::Reflect => "reflect",
            Self::Select => "select",
            Self::Final => "final",
        })
    }
}

/// The fact that a pair states, whichever way round it is asked: forward source, relation, target.
/// Two questions with one key may not stand in different splits.
pub fn fact_key(pair: &Pair) -> (&str, &str, &str) {
    (pair.source.celex.as_str(), pair.relation.as_str(), pair.target.celex.as_str())
}

/// Reads a question "what `asks` (a relation's name, forward or inverse) `of`?" with its answer as a fact.
/// None if the registry does not know the relation.
pub fn fact_asked(asks: &str, of: &str, answer: &str, registry: &Registry) -> Option<(String, String, String)> {
    let (relation, inverse) = registry.by_any_name(asks)?;
    let (source, target) = if inverse { (answer, of) } else { (of, answer) };
    Some((source.to_string(), relation.to_string(), target.to_string()))
}

/// Records that were written and are in no split and not among the dropped (negative: counted twice).
pub fn unaccounted<'a>(splits: impl IntoIterator<Item = (&'a str, u64)>, dropped: u64, written: u64) -> i64 {
    let kept: u64 = splits.into_iter().map(|(_, count)| count).sum();
    i64::try_from(written).unwrap_or(i64::MAX) - i64::try_from(kept + dropped).unwrap_or(i64::MAX)
}

/// How many pairs stand in each role.
pub fn count_roles<'a>(roles: impl IntoIterator<Item = &'a Role>) -> BTreeMap<Role, usize> {
    let mut counts = BTreeMap::new();
    for role in roles {
        *counts.entry(*role).or_insert(0) += 1;
    }
    counts
}
