//! A form filled for a pair: its day, stem, options and claims.

use super::slots::{Face, Slots};
use crate::dataset::Claim;
use crate::law::{Day, Form, FormOption};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A form with its slots filled, claims not yet decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Filled {
    pub day: Day,
    pub stem: String,
    pub stem_claims: Vec<Claim>,
    pub key: FilledOption,
    /// In the form's order; those whose slots do not exist left out.
    pub distractors: Vec<FilledOption>,
}

/// An option with its slots filled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FilledOption {
    pub text: String,
    pub claims: Vec<Claim>,
}

/// Fills a form.
///
/// # Errors
/// A sentence: the slot that the pair does not have, or the claim that is none.
pub(super) fn fill(form: &Form, slots: &Slots) -> Result<Filled, String> {
    let day = slots.day_in(&form.day).ok_or_else(|| no_slot(&form.day))?;
    let mut slots = slots.clone();
    slots.set_item_day(day);
    Ok(Filled {
        day,
        stem: slots.fill(&form.stem, Face::Prose).map_err(|s| no_slot(&s))?,
        stem_claims: claims(&form.stem_claims, &slots)?,
        key: option(&form.key, &slots)?,
        distractors: form.distractors.iter().filter_map(|d| option(d, &slots).ok()).collect(),
    })
}

fn no_slot(name: &str) -> String {
    format!("the pair has no `{{{name}}}`")
}

fn option(option: &FormOption, slots: &Slots) -> Result<FilledOption, String> {
    let text = slots.fill(&option.text, Face::Prose).map_err(|s| no_slot(&s))?;
    Ok(FilledOption { text, claims: claims(&option.claims, slots)? })
}

fn claims(claims: &[BTreeMap<String, String>], slots: &Slots) -> Result<Vec<Claim>, String> {
    claims.iter().map(|fields| claim(fields, slots)).collect()
}

fn claim(fields: &BTreeMap<String, String>, slots: &Slots) -> Result<Claim, String> {
    let mut object = Map::new();
    for (field, text) in fields {
        let text = slots.fill(text, Face::Claim).map_err(|s| no_slot(&s))?;
        let value = if field == "denied" { Value::Bool(text == "true") } else { Value::String(text) };
        object.insert(field.clone(), value);
    }
    serde_json::from_value(Value::Object(object)).map_err(|e| format!("the claim {fields:?} is none: {e}"))
}
