//! The judge's rubric as data (`rubrics/judge.toml`).

use super::Defect;
use serde::Deserialize;

/// Criteria with levels 1-5 and integer weights, and the total from which an item is kept.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rubric {
    /// Raised when totals of one version cannot be compared with another's.
    pub version: u32,
    /// Least total of an item that is kept.
    pub floor: u32,
    /// The criteria, in order.
    #[serde(rename = "criterion")]
    pub criteria: Vec<Criterion>,
}

/// One criterion.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Criterion {
    /// Letters and `_`.
    pub name: String,
    /// Integer weight.
    pub weight: u32,
    /// The question to the judge.
    pub ask: String,
    /// Descriptions of the levels 1 to 5.
    pub levels: [String; 5],
    /// Level 1 makes the total 0.
    #[serde(default)]
    pub hard: bool,
    /// What the built-in judge measures for it; it takes no view of a criterion without one.
    #[serde(default)]
    pub measure: Option<Measure>,
    /// The planted defects that must show at a low level here when a judge is calibrated.
    #[serde(default)]
    pub catches: Vec<Defect>,
}

/// What code can measure of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// Whether the words that decide the options stand in both acts, and in how many provisions.
    BothActs,
    /// Whether the claims are about what one act does to the other, on a day, in part.
    RelationClaims,
    /// Whether the stem tells a case: a day and facts beyond the acts' names.
    Case,
    /// Whether each distractor is refuted for a reason of its own.
    DistinctDistractors,
    /// Whether acts, provisions and days are named.
    Exactness,
    /// Whether every reference names its act.
    NamedReferences,
}

/// A rubric that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("judge.toml: {0}")]
pub struct RubricError(pub String);

impl Rubric {
    /// Reads a rubric.
    ///
    /// # Errors
    /// [`RubricError`]: no TOML, unknown keys, no criterion, two of one name, a weight of 0, a floor above the
    /// greatest total.
    pub fn parse(text: &str) -> Result<Self, RubricError> {
        let rubric: Self = toml::from_str(text).map_err(|e| RubricError(e.message().to_string()))?;
        let mut names: Vec<&str> = rubric.criteria.iter().map(|c| c.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        let wrong = match () {
            () if rubric.criteria.is_empty() => "it has no [[criterion]]",
            () if names.len() < rubric.criteria.len() => "two criteria have one name",
            () if rubric.criteria.iter().any(|c| c.weight == 0) => "a weight must be at least 1",
            () if rubric.floor > rubric.out_of() => "the floor is above the greatest total",
            () => return Ok(rubric),
        };
        Err(RubricError(wrong.to_string()))
    }

    /// The greatest total: every level 5.
    pub fn out_of(&self) -> u32 {
        self.criteria.iter().map(|c| c.weight * 5).sum()
    }

    /// The weighted total of levels in the criteria's order; 0 where a hard criterion is at level 1, or a level
    /// is missing or out of range.
    pub fn total(&self, levels: &[u8]) -> u32 {
        let fits = levels.len() == self.criteria.len() && levels.iter().all(|l| (1..=5).contains(l));
        let hard = self.criteria.iter().zip(levels).any(|(c, l)| c.hard && *l == 1);
        if !fits || hard {
            return 0;
        }
        self.criteria.iter().zip(levels).map(|(c, l)| c.weight * u32::from(*l)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shipped() -> Rubric {
        Rubric::parse(include_str!("../../../rubrics/judge.toml")).unwrap()
    }

    #[test]
    fn the_shipped_rubric_has_six_criteria_and_goes_from_20_to_100() {
        let rubric = shipped();
        assert_eq!(rubric.criteria.len(), 6);
        assert_eq!((rubric.total(&[1, 1, 1, 1, 1, 2]), rubric.out_of()), (22, 100));
        assert_eq!(rubric.total(&[5; 6]), 100);
    }

    #[test]
    fn a_hard_rule_and_a_missing_level_give_nothing() {
        assert_eq!(shipped().total(&[5, 5, 5, 5, 5, 1]), 0);
        assert_eq!(shipped().total(&[5, 5, 5, 5, 5]), 0);
        assert_eq!(shipped().total(&[5, 5, 5, 5, 5, 6]), 0);
    }
}
