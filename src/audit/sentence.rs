//! A claim in plain words.

use crate::dataset::{Claim, ClaimForm, StatusWord};
use crate::law::{Celex, Day, Part};

/// What a claim says about the day, as a sentence without full stop.
///
/// ```
/// use legal_link::{audit::sentence, dataset::Claim, law::Day};
/// let claim: Claim = serde_json::from_str(r#"{"form":"ended_by","act":"31995L0046","by":"32016R0679"}"#).unwrap();
/// let day = Day::from_ymd(2018, 6, 1).unwrap();
/// assert_eq!(sentence(&claim, day), "by 1 June 2018 31995L0046 had been ended by 32016R0679");
/// ```
pub fn sentence(claim: &Claim, day: Day) -> String {
    let day = day.long();
    let plain = match &claim.form {
        ClaimForm::Status { act, part, is } => {
            let word = match is {
                StatusWord::InForce => "in force",
                StatusWord::NotInForce => "not in force",
                StatusWord::Applicable => "applicable",
                StatusWord::NotApplicable => "not applicable",
            };
            format!("on {day} {} was {word}", of(act, part.as_ref()))
        }
        ClaimForm::EndedBy { act, part, by } => format!("by {day} {} had been ended by {by}", of(act, part.as_ref())),
        ClaimForm::EndsOn { act, last_day } => {
            format!("as the law stood on {day} the last day of {act} was {}", last_day.long())
        }
        ClaimForm::AppliesTo { act, part, words } => {
            format!("on {day} {} applied to “{words}”", of(act, part.as_ref()))
        }
        ClaimForm::SupplementedBy { act, by } => format!("on {day} {by} added to {act}"),
        ClaimForm::Reads { act, unit, words } => format!("on {day} {} said “{words}”", of(act, Some(unit))),
        ClaimForm::Quotes { act, unit, words } => {
            format!("on {day} {} was in force and said “{words}”", of(act, Some(unit)))
        }
    };
    if claim.denied { format!("it is not so that {plain}") } else { plain }
}

fn of(act: &Celex, part: Option<&Part>) -> String {
    part.map_or_else(|| act.to_string(), |part| format!("{} of {act}", part.long()))
}
