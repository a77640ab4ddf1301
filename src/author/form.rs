//! A form filled for a pair: its day, stem, options and claims.

use super::slots::{Face, Slots};
use crate::dataset::Claim;
use crate::law::{Day, Form, FormOption, Slot, SlotKind};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Why these fields of a form make no claim, whatever its slots hold; none if they do.
pub fn claim_fault(fields: &BTreeMap<String, String>) -> Option<String> {
    let example = |slot: &str| match Slot::named(slot).map(|s| s.kind) {
        Some(SlotKind::Act) => "31999R9001",
        Some(SlotKind::Day) => "1999-05-01",
        Some(SlotKind::Part) => "1",
        // A slot that does not exist is told as such.
        Some(SlotKind::Words) | None => "words",
    };
    let filled = |text: &str| {
        let mut pieces = text.split('{');
        let first = pieces.next().unwrap_or_default().to_string();
        pieces.fold(first, |out, piece| match piece.split_once('}') {
            Some((slot, rest)) => out + example(slot) + rest,
            None => out + piece,
        })
    };
    let unknown = |text: &String| {
        text.split('{').skip(1).any(|s| s.split_once('}').is_none_or(|(n, _)| Slot::named(n).is_none()))
    };
    if fields.values().any(unknown) {
        return None;
    }
    let claim = match read(fields, |text| Ok(filled(text))) {
        Ok(claim) => claim,
        Err(why) => return Some(why),
    };
    let known = serde_json::to_value(&claim).unwrap_or_default();
    let stray = fields.keys().find(|field| known.get(field.as_str()).is_none())?;
    Some(format!("a claim of this form has no `{stray}`"))
}

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
    read(fields, |text| slots.fill(text, Face::Claim).map_err(|s| no_slot(&s)))
}

/// The claim that the fields make once their texts are filled.
fn read(fields: &BTreeMap<String, String>, fill: impl Fn(&str) -> Result<String, String>) -> Result<Claim, String> {
    let mut object = Map::new();
    for (field, text) in fields {
        let text = fill(text)?;
        let value = match (field.as_str(), text.as_str()) {
            ("denied", "true") => Value::Bool(true),
            ("denied", "false") => Value::Bool(false),
            _ => Value::String(text),
        };
        object.insert(field.clone(), value);
    }
    serde_json::from_value(Value::Object(object)).map_err(|e| e.to_string())
}
