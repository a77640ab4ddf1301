//! What became known of judges: how many planted defects they see, and how many good items they turn away.

use super::ItemId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How often something happened, with Wilson's two-sided 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Rate {
    /// How often.
    pub hits: u32,
    /// Of how many.
    pub of: u32,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Rate {
    /// The share; none of nothing.
    pub fn share(&self) -> Option<f64> {
        (self.of > 0).then(|| f64::from(self.hits) / f64::from(self.of))
    }
}

/// The judges of a build, tried on good items and on the same items with defects planted in them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// The rubric's version.
    pub rubric: u32,
    /// The seed of items, defects and orders.
    pub seed: u64,
    /// Good items.
    pub items: usize,
    /// Least share of planted defects that a judge must catch.
    pub catch_floor: f64,
    /// Greatest share of good items that it may turn away.
    pub alarm_ceiling: f64,
    /// Each judge.
    pub judges: Vec<JudgeRecord>,
    /// Each two of them.
    pub agreement: Vec<JudgeAgreement>,
    /// Defects that could not be planted in an item, by defect and reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub not_planted: BTreeMap<String, BTreeMap<String, usize>>,
}

/// One judge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JudgeRecord {
    /// `provider:model`, or `built-in`.
    pub judge: String,
    /// Planted defects that it caught.
    pub caught: Rate,
    /// Good items that it would have turned away, or on which its reply could not be used.
    pub false_alarms: Rate,
    /// Judgements that could not be used, of all that were asked for.
    pub unusable: Rate,
    /// The same defect by defect.
    pub defects: Vec<DefectRecord>,
    /// What the place of the key does to it, where that was tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<PositionBias>,
    /// What the length of a wrong option does to it, where that was tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<LengthBias>,
    /// Where it and the code's rule are of two minds about generic references.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub second_votes: Vec<SecondVote>,
    /// Defects that it did not catch.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missed: Vec<Missed>,
    /// Why it is under the floor or over the ceiling; nothing where it is neither.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fails: Vec<String>,
}

/// One judge and one defect.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DefectRecord {
    /// The defect: `wrong_key`, ….
    pub defect: String,
    /// Items with the defect that it caught.
    pub caught: Rate,
    /// The same items without the defect that it would have called defective by the same rule.
    pub false_alarms: Rate,
    /// Of the caught: those whose total was under the rubric's floor.
    pub by_total: u32,
    /// Of the caught: those whose key was not its own answer.
    pub by_answer: u32,
    /// Of the caught: those in which a criterion that must show the defect got level 1 or 2.
    pub by_level: u32,
}

/// A defect that was not caught.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Missed {
    /// The good item it was planted in.
    pub item: ItemId,
    /// The defect.
    pub defect: String,
}

/// The same items with the key at A, B, C and D.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PositionBias {
    /// Key at A, B, C, D.
    pub places: [KeyPlace; 4],
    /// Greatest minus least mean total over the four places, in points.
    pub spread: f64,
    /// Items that it keeps at one place and turns away at another.
    pub flips: Rate,
}

/// What a judge does with the key at one place.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct KeyPlace {
    /// Mean total, in points; none where no judgement could be used.
    pub mean_total: Option<f64>,
    /// Items whose key was its own answer, of those that it answered.
    pub answered: Rate,
}

/// The same items with one wrong option made longer by words that say nothing.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LengthBias {
    /// Items judged both ways.
    pub items: u32,
    /// Mean of total with the long option minus total without, in points.
    pub mean_difference: f64,
    /// Items whose total rose.
    pub higher: u32,
    /// Items whose total fell.
    pub lower: u32,
    /// How often it chose the option before it was made longer.
    pub chose_short: Rate,
    /// How often after.
    pub chose_long: Rate,
}

/// Two judges on the same items, good and defective: which do they keep?
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JudgeAgreement {
    /// The two.
    pub judges: [String; 2],
    /// Both turn away, only the first, only the second, neither.
    pub table: [u32; 4],
    /// Share of items on which they agree.
    pub raw: Option<f64>,
    /// Cohen's kappa; none where it is not defined.
    pub kappa: Option<f64>,
    /// Gwet's AC1; none where it is not defined.
    pub ac1: Option<f64>,
}

/// An item on which code and judge are of two minds about references to a document as such. Code decides; the judge's
/// view is the second vote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SecondVote {
    /// The item.
    pub item: ItemId,
    /// The judge.
    pub judge: String,
    /// The words that the code's rule finds; none where it finds none and the judge does.
    pub code: Option<String>,
    /// The judge's level.
    pub level: u8,
    /// The judge's reason.
    pub reason: String,
}
