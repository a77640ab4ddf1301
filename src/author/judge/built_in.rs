//! The judge that needs no model: what code can measure of each criterion, from claims and quotations.
//!
//! It is a baseline: it sees whether an item has the parts of a good one, not whether it reads well.

use super::{Case, Criterion, Judge, JudgeError, Judging, Measure, Rubric};
use crate::dataset::{Choice, ClaimForm, Draft, Judgement, Passage, Proof, Side};
use crate::law::Quote;
use crate::verify::{Rules, generic_reference};
use std::collections::BTreeSet;

/// The built-in judge. Pure: the same item gets the same levels.
#[derive(Debug, Clone)]
pub struct BuiltInJudge {
    rubric: Rubric,
    rules: Rules,
}

impl BuiltInJudge {
    /// A judge by this rubric; the rules say what a generic reference is.
    pub fn new(rubric: Rubric, rules: Rules) -> Self {
        Self { rubric, rules }
    }

    fn judgement(&self, case: Case<'_>) -> Judgement {
        let levels: Vec<(String, u8, String)> = self.rubric.criteria.iter().map(|c| self.level(c, case)).collect();
        let total = self.rubric.total(&levels.iter().map(|(_, level, _)| *level).collect::<Vec<_>>());
        Judgement {
            judge: self.name(),
            levels,
            total,
            out_of: self.rubric.out_of(),
            agrees: None,
            chose: None,
            call: None,
        }
    }

    fn level(&self, criterion: &Criterion, case: Case<'_>) -> (String, u8, String) {
        let (level, reason) = match criterion.measure {
            Some(Measure::BothActs) => both_acts(case.draft),
            Some(Measure::RelationClaims) => relation_claims(case.draft),
            Some(Measure::Case) => case_told(case.draft),
            Some(Measure::DistinctDistractors) => distinct_distractors(case),
            Some(Measure::Exactness) => exactness(case.draft),
            Some(Measure::NamedReferences) => self.named_references(case.draft),
            None => (3, "not measured by code: the middle level".to_string()),
        };
        (criterion.name.clone(), level, reason)
    }

    fn named_references(&self, draft: &Draft) -> (u8, String) {
        let in_stem = generic_reference(&draft.stem, None, &self.rules);
        let in_options =
            || draft.options.iter().find_map(|o| generic_reference(&o.text, Some(&draft.stem), &self.rules));
        match in_stem.or_else(in_options) {
            Some(words) => (1, format!("`{words}` names no act")),
            None => (5, "every reference names its act".to_string()),
        }
    }
}

impl Judge for BuiltInJudge {
    fn name(&self) -> String {
        "built-in".to_string()
    }

    fn judge<'a>(&'a self, case: Case<'a>) -> Judging<'a> {
        let mut judgement = self.judgement(case);
        if case.blind {
            let Some(chose) = answer(case) else { return Box::pin(std::future::ready(Err(JudgeError::NoBlindAnswer))) };
            judgement.agrees = Some(chose == [0]);
            judgement.chose = Some(chose);
        }
        Box::pin(std::future::ready(Ok(judgement)))
    }
}

/// The options that hold by code and for which words stand in the passages; none where code left one open.
fn answer(case: Case<'_>) -> Option<Vec<u8>> {
    if case.proofs.contains(&Proof::Undecided) {
        return None;
    }
    let shown = |quote: &Quote| {
        let holds = |p: &Passage| p.document == quote.document && p.span.contains(&quote.span) && !p.text.is_empty();
        case.draft.passages.iter().any(holds)
    };
    let stands = |(option, proof): &(&Choice, &Proof)| **proof == Proof::Proved && option.support.iter().any(shown);
    let numbered = (0u8..).zip(case.draft.options.iter().zip(case.proofs));
    Some(numbered.filter(|(_, one)| stands(one)).map(|(i, _)| i).collect())
}

/// Provisions quoted, and from which side.
fn both_acts(draft: &Draft) -> (u8, String) {
    let quotes: BTreeSet<_> = draft.options.iter().flat_map(|o| &o.support).map(|q| (q.document, q.span)).collect();
    let side = |side: Side| {
        let of_side = draft.passages.iter().filter(|p| p.side == side);
        let inside =
            |(document, span): &(_, _)| of_side.clone().any(|p| p.document == *document && p.span.contains(span));
        quotes.iter().filter(|q| inside(q)).count()
    };
    let (source, target) = (side(Side::Source), side(Side::Target));
    let level = match (source.min(target), source + target) {
        (0, 0 | 1) => 1,
        (0, _) => 2,
        (1, 2) => 4,
        _ => 5,
    };
    (level, format!("{source} provisions of the acting act and {target} of the other bear on the options"))
}

/// Whether the options say what one act does to the other.
fn relation_claims(draft: &Draft) -> (u8, String) {
    let claims = || draft.options.iter().flat_map(|o| &o.claims);
    let about = |form: &ClaimForm| match form {
        ClaimForm::EndedBy { .. }
        | ClaimForm::SupplementedBy { .. }
        | ClaimForm::AppliesTo { .. }
        | ClaimForm::EndsOn { .. }
        | ClaimForm::Reads { .. } => true,
        ClaimForm::Status { .. } | ClaimForm::Quotes { .. } => false,
    };
    let direct = claims().filter(|c| about(&c.form)).count();
    let dated = claims().any(|c| matches!(c.form, ClaimForm::Status { .. } | ClaimForm::EndsOn { .. }));
    match (direct, dated) {
        (0, false) => (2, "no option says what one act does to the other".to_string()),
        (0, true) => (4, "the status asked for follows from the relation".to_string()),
        (_, false) => (4, format!("{direct} claims are about what one act does to the other")),
        (_, true) => (5, format!("{direct} claims are about the relation, and its day decides")),
    }
}

/// A case is told in more words than the acts' names take.
fn case_told(draft: &Draft) -> (u8, String) {
    let words = draft.stem.split_whitespace().count();
    let day = draft.stem.contains(&draft.day.long());
    let level = match (day, words) {
        (false, _) => 2,
        (true, 0..=20) => 3,
        (true, 21..=35) => 4,
        (true, _) => 5,
    };
    (level, format!("{words} words, {}", if day { "set on the item's day" } else { "without the item's day" }))
}

/// Distractors refuted, each by claims of its own.
fn distinct_distractors(case: Case<'_>) -> (u8, String) {
    let distractors: Vec<_> = case.draft.options.iter().skip(1).collect();
    let refuted = case.proofs.iter().skip(1).filter(|p| **p == Proof::Refuted).count();
    let distinct = distractors.iter().map(|d| format!("{:?}", d.claims)).collect::<BTreeSet<_>>().len();
    let level = u8::try_from(1 + refuted.min(3)).unwrap_or(1) + u8::from(refuted == 3 && distinct == 3);
    (level, format!("{refuted} distractors refuted, {distinct} for a reason of their own"))
}

/// Acts, days and parts named by the claims.
fn exactness(draft: &Draft) -> (u8, String) {
    let claims = || draft.stem_claims.iter().chain(draft.options.iter().flat_map(|o| &o.claims));
    let part = claims().any(|c| match &c.form {
        ClaimForm::Status { part, .. } | ClaimForm::EndedBy { part, .. } | ClaimForm::AppliesTo { part, .. } => {
            part.is_some()
        }
        ClaimForm::Reads { .. } | ClaimForm::Quotes { .. } => true,
        ClaimForm::EndsOn { .. } | ClaimForm::SupplementedBy { .. } => false,
    });
    let day = draft.stem.contains(&draft.day.long());
    let level = 2 + u8::from(day) + 2 * u8::from(part && day);
    let named = [("acts", true), ("days", day), ("provisions", part)];
    let named: Vec<&str> = named.iter().filter(|(_, is)| *is).map(|(what, _)| *what).collect();
    (level, format!("{} named", named.join(", ")))
}
