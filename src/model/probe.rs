//! What a server really does, found out by asking, once per model, before the first call that matters.
//!
//! Servers swallow fields they do not know and cut prompts without a word, with status 200. The questions are calls like
//! any other: budgeted, journaled, replayed; so an offline rebuild finds the same answers.

use super::{Ask, End, LanguageModel, ModelError, Reply, Role, Schema, Turn, Usage, conforms, object};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A field that no model would write of itself.
const ODD_FIELD: &str = "zq17_amber";
/// What stands at the head of the long prompt.
const PASSWORD: &str = "7319";
/// Words of the long prompt, each at least a token: more than the window that servers have when nobody sets one.
const WORDS: usize = 5000;
/// Longest reply, in tokens.
const REPLY: u32 = 96;

/// What a server does with a schema.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SchemaProbe {
    /// The reply followed it.
    Honoured,
    /// The reply had nothing of it.
    Ignored,
    /// The request was refused.
    Refused,
    /// Not found out.
    #[default]
    Unknown,
}

/// What a server does with a long prompt.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PromptProbe {
    /// All of it was read.
    Whole,
    /// Part of it was dropped without a word: it counted fewer tokens than there are words.
    Cut,
    /// The request was refused.
    Refused,
    /// Not found out.
    #[default]
    Unknown,
}

/// What the probe of a server showed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Probe {
    /// A schema with an odd field.
    pub schema: SchemaProbe,
    /// A prompt of 5,000 words.
    pub prompt: PromptProbe,
    /// Tokens used: `given`, `partial`, `absent`, `unknown`.
    pub usage: &'static str,
    /// The same question with the same seed: `repeats`, `varies`, `none` where no seed can be given, `unknown`.
    pub seed: &'static str,
    /// Whether its counts of prompts grew as their words did, so that a prompt that is cut later shows in them.
    #[serde(skip)]
    pub counts: bool,
}

impl Probe {
    /// Probes a model; `takes_seed` says whether its dialect can give one. What cannot be found out stays unknown: the
    /// first call that matters meets the same trouble, and is there to tell of it.
    pub async fn of(model: &dyn LanguageModel, takes_seed: bool) -> Self {
        let form = form();
        let first = model.ask(&form, "probe/form/1").await.map(|answered| answered.reply);
        let again =
            if takes_seed { model.ask(&form, "probe/form/2").await.map(|answered| answered.reply).ok() } else { None };
        let long = model.ask(&long(), "probe/long").await.map(|answered| answered.reply);
        let short_prompt = first.as_ref().ok().and_then(|reply| reply.usage.prompt);
        Self {
            schema: schema(&first, &form.schema.schema),
            prompt: prompt(&long, short_prompt),
            usage: first.as_ref().map_or("unknown", |reply| usage(&reply.usage)),
            seed: match (takes_seed, first.as_ref().ok().zip(again.as_ref())) {
                (false, _) => "none",
                (true, Some((one, two))) if one.text == two.text => "repeats",
                (true, Some(_)) => "varies",
                (true, None) => "unknown",
            },
            counts: counts(short_prompt, again.as_ref(), &long),
        }
    }

    /// Whether the schema should be told in words from now on.
    pub fn tell_schema(&self) -> bool {
        matches!(self.schema, SchemaProbe::Ignored | SchemaProbe::Refused)
    }

    /// For the lock: what was asked, and what it showed.
    pub fn answers(&self) -> BTreeMap<String, String> {
        let written = serde_json::to_value(self).unwrap_or_default();
        let fields = written.as_object().into_iter().flatten();
        fields.map(|(name, value)| (name.clone(), value.as_str().unwrap_or_default().to_string())).collect()
    }
}

fn schema(first: &Result<Reply, ModelError>, schema: &Value) -> SchemaProbe {
    match first {
        Ok(Reply { end: End::Thoughts | End::Window, .. }) => SchemaProbe::Unknown,
        Ok(reply) => {
            let follows = object(&reply.text).is_ok_and(|value| conforms(&value, schema).is_ok());
            // A reply cut at its limit may still show that it was on the way.
            let begun = reply.end == End::Length && reply.text.contains(ODD_FIELD);
            if follows || begun { SchemaProbe::Honoured } else { SchemaProbe::Ignored }
        }
        Err(error) if error.ends_the_run() => SchemaProbe::Unknown,
        Err(ModelError::Status { .. }) => SchemaProbe::Refused,
        Err(_) => SchemaProbe::Unknown,
    }
}

fn prompt(long: &Result<Reply, ModelError>, short: Option<u64>) -> PromptProbe {
    match long {
        Ok(reply) => match (reply.usage.prompt, short) {
            _ if reply.text.contains(PASSWORD) => PromptProbe::Whole,
            // Figures that do not grow with the prompt say nothing.
            (Some(long), Some(short)) if long <= short => PromptProbe::Unknown,
            (Some(long), Some(_)) if long < WORDS as u64 => PromptProbe::Cut,
            (Some(_), Some(_)) => PromptProbe::Whole,
            _ => PromptProbe::Unknown,
        },
        Err(ModelError::Status { .. }) if long.as_ref().is_err_and(|error| !error.ends_the_run()) => {
            PromptProbe::Refused
        }
        Err(_) => PromptProbe::Unknown,
    }
}

/// A server that leaves what it had cached out of its figures counts fewer tokens the second time.
fn counts(short: Option<u64>, again: Option<&Reply>, long: &Result<Reply, ModelError>) -> bool {
    let long = long.as_ref().ok().and_then(|reply| reply.usage.prompt);
    let grows = short.zip(long).is_some_and(|(short, long)| short < long && long >= WORDS as u64);
    grows && again.is_none_or(|again| again.usage.prompt >= short)
}

fn usage(usage: &Usage) -> &'static str {
    match (usage.prompt, usage.reply) {
        (Some(_), Some(_)) => "given",
        (None, None) => "absent",
        _ => "partial",
    }
}

/// A form whose field's name stands in the schema alone, with a free word, so that a seed can show itself.
fn form() -> Ask {
    let schema = json!({
        "type": "object",
        "properties": {ODD_FIELD: {"type": "string", "maxLength": 40}},
        "required": [ODD_FIELD],
        "additionalProperties": false,
    });
    ask("Fill in the form: the name of any town.".to_string(), schema)
}

fn long() -> Ask {
    let words = ["of", "and", "in", "the", "to"];
    let middle: Vec<&str> = words.iter().copied().cycle().take(WORDS).collect();
    let text = format!("The password is {PASSWORD}.\n\n{}\n\nWhat is the password?", middle.join(" "));
    let schema = json!({
        "type": "object",
        "properties": {"password": {"type": "string", "maxLength": 40}},
        "required": ["password"],
        "additionalProperties": false,
    });
    ask(text, schema)
}

fn ask(text: String, schema: Value) -> Ask {
    Ask {
        turns: vec![Turn { role: Role::User, text }],
        schema: Schema { name: "probe".to_string(), schema },
        max_tokens: REPLY,
        temperature: None,
        seed: Some(7),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(text: &str, prompt: Option<u64>) -> Reply {
        let usage = Usage { prompt, reply: Some(3), ..Usage::default() };
        Reply { text: text.to_string(), end: End::Stop, usage, served: None }
    }

    #[test]
    fn a_cut_prompt_shows_in_what_was_counted() {
        for (long, short, found) in [
            (reply("{}", Some(4096)), Some(20), PromptProbe::Cut),
            (reply("{}", Some(5600)), Some(20), PromptProbe::Whole),
            (reply("{\"password\":\"7319\"}", None), None, PromptProbe::Whole),
            (reply("{}", Some(1)), Some(1), PromptProbe::Unknown),
            (reply("{}", None), Some(20), PromptProbe::Unknown),
        ] {
            assert_eq!(prompt(&Ok(long), short), found);
        }
    }

    #[test]
    fn figures_count_where_they_grow_with_the_prompt_and_not_less_the_second_time() {
        let found = |short, again: Option<u64>, long| {
            counts(short, again.map(|tokens| reply("", Some(tokens))).as_ref(), &Ok(reply("", long)))
        };
        assert!(found(Some(20), Some(20), Some(5600)) && found(Some(20), None, Some(5600)));
        assert!(!found(Some(20), Some(4), Some(5600)), "what was cached is left out");
        assert!(!found(Some(20), Some(20), Some(4096)) && !found(Some(7000), None, Some(7000)));
        assert!(!found(None, None, Some(5600)) && !found(Some(20), None, None));
    }

    #[test]
    fn an_odd_field_shows_whether_the_schema_was_read() {
        let form = form().schema.schema;
        let found = |text: &str| schema(&Ok(reply(text, None)), &form);
        assert_eq!(found("{\"zq17_amber\": \"Ulm\"}"), SchemaProbe::Honoured);
        assert_eq!(found("Ulm"), SchemaProbe::Ignored);
        assert_eq!(found("{\"town\": \"Ulm\"}"), SchemaProbe::Ignored);
    }
}
