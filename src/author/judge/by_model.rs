//! A model as judge: one call for levels and reasons, and a blind answer where code left a claim undecided.

use super::{Case, Judge, JudgeError, Judging, Rubric};
use crate::author::exchange::{ExchangeError, exchange};
use crate::dataset::{Draft, Judgement, LETTERS};
use crate::model::{Ask, LanguageModel, Role, Schema, Turn};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

/// A judge that asks a model. It sees the item and the passages as data between marks, never as instructions.
pub struct ModelJudge {
    model: Arc<dyn LanguageModel>,
    rubric: Rubric,
    prompts: BTreeMap<String, String>,
    max_tokens: u32,
    temperature: Option<f64>,
}

impl ModelJudge {
    /// A judge by this rubric; `prompts` holds the components `judge` and `blind`.
    pub fn new(
        model: Arc<dyn LanguageModel>,
        rubric: Rubric,
        prompts: BTreeMap<String, String>,
        max_tokens: u32,
        temperature: Option<f64>,
    ) -> Self {
        Self { model, rubric, prompts, max_tokens, temperature }
    }

    async fn levels(&self, case: Case<'_>) -> Result<Judgement, JudgeError> {
        let item = case.draft.item_id();
        let key = case.order.iter().zip(LETTERS).find(|(option, _)| **option == 0).map_or("A", |(_, letter)| letter);
        let data = format!("{}Key: {key}\n", item_text(case.draft, case.order));
        let ask = self.ask("judge", &self.rubric_text(), &data, self.level_schema());
        let (levels, call) =
            exchange(&*self.model, ask, &format!("judge/{item}"), |v| self.read_levels(&v)).await.map_err(failed)?;
        let total = self.rubric.total(&levels.iter().map(|(_, level, _)| *level).collect::<Vec<_>>());
        Ok(Judgement {
            judge: self.model.name().to_string(),
            levels,
            total,
            out_of: self.rubric.out_of(),
            agrees: None,
            chose: None,
            call: Some(call.digest()),
        })
    }

    /// The options, unshuffled, that hold for the judge, who does not know the key.
    async fn blind(&self, case: Case<'_>) -> Result<Vec<u8>, JudgeError> {
        let item = case.draft.item_id();
        let schema = json!({
            "type": "object",
            "properties": {
                "reason": {"type": "string", "maxLength": 200},
                "hold": {"type": "array", "items": {"type": "string", "enum": LETTERS}, "maxItems": 4},
            },
            "required": ["reason", "hold"],
            "additionalProperties": false,
        });
        let ask = self.ask("blind", "", &item_text(case.draft, case.order), schema);
        let place = |letter: &Value| LETTERS.iter().position(|l| letter.as_str() == Some(*l));
        let read = |v: Value| {
            let letters: Option<Vec<usize>> = v["hold"].as_array().and_then(|hold| hold.iter().map(place).collect());
            letters.ok_or_else(|| "`hold` must be a list of letters of A, B, C, D".to_string())
        };
        let (places, _) = exchange(&*self.model, ask, &format!("blind/{item}"), read).await.map_err(failed)?;
        let chose: BTreeSet<u8> = places.into_iter().map(|place| case.order[place]).collect();
        Ok(chose.into_iter().collect())
    }

    fn ask(&self, prompt: &str, more: &str, data: &str, schema: Value) -> Ask {
        let system = self.prompts.get(prompt).cloned().unwrap_or_default();
        // A document that holds the closing mark must not end the data early.
        let data = data.replace("ITEM>>>", "ITEM> >>");
        Ask {
            turns: vec![
                Turn { role: Role::System, text: system },
                Turn { role: Role::User, text: format!("{more}<<<ITEM\n{data}\nITEM>>>") },
            ],
            schema: Schema { name: prompt.to_string(), schema },
            max_tokens: self.max_tokens,
            temperature: self.temperature,
            seed: None,
        }
    }

    fn rubric_text(&self) -> String {
        let mut text = String::new();
        for criterion in &self.rubric.criteria {
            let _ = writeln!(text, "{}: {}", criterion.name, criterion.ask);
            for (i, level) in criterion.levels.iter().enumerate() {
                let _ = writeln!(text, "  {} {level}", i + 1);
            }
        }
        text.push('\n');
        text
    }

    /// Levels as an enum: servers enforce a list of values, but not a range of numbers.
    fn level_schema(&self) -> Value {
        let mut properties = Map::new();
        for criterion in &self.rubric.criteria {
            properties.insert(
                criterion.name.clone(),
                json!({
                    "type": "object",
                    "properties": {"reason": {"type": "string", "maxLength": 200}, "level": {"type": "integer", "enum": [1, 2, 3, 4, 5]}},
                    "required": ["reason", "level"],
                    "additionalProperties": false,
                }),
            );
        }
        let required: Vec<&String> = properties.keys().collect();
        json!({"type": "object", "required": required, "properties": properties.clone(), "additionalProperties": false})
    }

    fn read_levels(&self, value: &Value) -> Result<Vec<(String, u8, String)>, String> {
        let read = |name: &String| {
            let level =
                value[name]["level"].as_u64().and_then(|l| u8::try_from(l).ok()).filter(|l| (1..=5).contains(l));
            let level = level.ok_or_else(|| format!("`{name}.level` must be 1, 2, 3, 4 or 5"))?;
            let reason = value[name]["reason"].as_str().ok_or_else(|| format!("`{name}.reason` must be a text"))?;
            Ok((name.clone(), level, reason.to_string()))
        };
        self.rubric.criteria.iter().map(|c| read(&c.name)).collect()
    }
}

impl Judge for ModelJudge {
    fn name(&self) -> String {
        self.model.name().to_string()
    }

    fn judge<'a>(&'a self, case: Case<'a>) -> Judging<'a> {
        Box::pin(async move {
            let mut judgement = self.levels(case).await?;
            if case.blind {
                let chose = self.blind(case).await?;
                judgement.agrees = Some(chose == [0]);
                judgement.chose = Some(chose);
            }
            Ok(judgement)
        })
    }
}

fn failed(error: ExchangeError) -> JudgeError {
    match error {
        ExchangeError::Model(error) => JudgeError::Model(error),
        other => JudgeError::Unusable(other.to_string()),
    }
}

/// The item as a judge sees it: passages, question, options in the given order.
fn item_text(draft: &Draft, order: [u8; 4]) -> String {
    let mut text = String::new();
    for passage in draft.passages.iter().filter(|p| !p.text.is_empty()) {
        let _ = writeln!(text, "Document {}:\n{}\n", passage.celex, passage.text);
    }
    let _ = writeln!(text, "Question: {}", draft.stem);
    for (letter, option) in LETTERS.iter().zip(order) {
        let option = draft.options.get(usize::from(option)).map_or("", |o| o.text.as_str());
        let _ = writeln!(text, "{letter}. {option}");
    }
    text
}
