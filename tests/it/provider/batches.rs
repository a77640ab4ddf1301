//! OpenAI's batch interface: files, batches, results in another order than asked, and some that are missing.

use super::shapes::{Prompt, Said};
use super::wire::{Answer, Request};
use super::{Asked, State};
use legal_link::law::Digest;
use serde_json::{Value, json};

/// All files and batches so far.
#[derive(Default)]
pub struct Batches {
    files: Vec<String>,
    all: Vec<Batch>,
    /// Of so many lines of a batch the last is left without an answer, once.
    pub forgets: usize,
    /// How often a batch is asked after before it has ended.
    pub polls: usize,
}

struct Batch {
    name: String,
    file: usize,
    polls: usize,
    output: Option<usize>,
    errors: Option<usize>,
}

impl Batches {
    /// How many batches were made.
    pub fn made(&self) -> usize {
        self.all.len()
    }

    /// Lets all batches that are under way, and those to come, end when they are next asked after.
    pub fn end(&mut self) {
        self.polls = 0;
        self.all.iter_mut().for_each(|batch| batch.polls = 0);
    }

    fn keep(&mut self, file: String) -> usize {
        self.files.push(file);
        self.files.len() - 1
    }
}

/// The answer, where the request is about batches or their files.
pub fn answer(state: &mut State, request: &Request) -> Option<Answer> {
    let (path, query) = request.path.split_once('?').unwrap_or((&request.path, ""));
    let steps: Vec<&str> = path.split('/').skip(2).collect();
    let number = |name: &str| name.rsplit('-').next()?.parse::<usize>().ok();
    let found = match (request.method.as_str(), steps.as_slice()) {
        ("POST", ["files"]) => {
            let file = uploaded(&request.body)?;
            json!({"id": format!("file-{}", state.batches.keep(file)), "purpose": "batch"})
        }
        ("POST", ["batches"]) => {
            let body: Value = serde_json::from_slice(&request.body).ok()?;
            let file = number(body["input_file_id"].as_str()?)?;
            let name = body["metadata"]["name"].as_str()?.to_string();
            let polls = state.batches.polls;
            state.batches.all.push(Batch { name, file, polls, output: None, errors: None });
            shown(state, state.batches.made() - 1)
        }
        ("GET", ["batches"]) => {
            let after = query.split("after=batch-").nth(1).and_then(|n| n.parse::<usize>().ok());
            let list: Vec<Value> =
                (after.map_or(0, |n| n + 1)..state.batches.made()).map(|n| shown(state, n)).collect();
            json!({"data": list, "has_more": false})
        }
        ("GET", ["batches", id]) => {
            let at = number(id)?;
            let batch = state.batches.all.get_mut(at)?;
            if batch.polls > 0 {
                batch.polls -= 1;
            } else if batch.output.is_none() {
                work(state, at);
            }
            shown(state, at)
        }
        ("GET", ["files", id, "content"]) => {
            let file = state.batches.files.get(number(id)?)?.clone();
            return Some(Answer { status: 200, headers: Vec::new(), body: file.into_bytes() });
        }
        _ => return None,
    };
    Some(Answer::json(200, &found))
}

fn shown(state: &State, at: usize) -> Value {
    let batch = &state.batches.all[at];
    let file = |number: Option<usize>| number.map(|n| format!("file-{n}"));
    let status = if batch.output.is_some() { "completed" } else { "in_progress" };
    json!({"id": format!("batch-{at}"), "status": status, "metadata": {"name": batch.name},
        "output_file_id": file(batch.output), "error_file_id": file(batch.errors)})
}

/// The file in a form.
fn uploaded(body: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(body).ok()?;
    let file = text.split("application/jsonl\r\n\r\n").nth(1)?;
    Some(file.split("\r\n--").next()?.to_string())
}

/// Answers the lines of a batch, last first.
fn work(state: &mut State, at: usize) {
    let lines: Vec<Value> =
        state.batches.files[state.batches.all[at].file].lines().filter_map(|l| serde_json::from_str(l).ok()).collect();
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let forgets = std::mem::take(&mut state.batches.forgets);
    for (number, line) in lines.iter().enumerate().rev() {
        let path = line["url"].as_str().unwrap_or_default().to_string();
        let body = line["body"].to_string();
        let call = Digest::of_fields([path.as_bytes(), body.as_bytes()]);
        let name = &line["custom_id"];
        let Some((shape, prompt)) = Prompt::of(&path, &line["body"]) else { continue };
        if forgets > 0 && number % forgets == forgets - 1 {
            errors.push(json!({"custom_id": name, "response": null, "error": {"code": "batch_expired"}}).to_string());
            continue;
        }
        let fault = state.faults.choose(shape, call, 1);
        let mut said = Said::text((state.speaker)(&prompt));
        if let Some(fault) = fault {
            fault.spoil_words(&mut said, &prompt);
        }
        let reply = shape.reply(&prompt, &said);
        output.push(
            json!({"custom_id": name, "response": {"status_code": 200, "body": reply}, "error": null}).to_string(),
        );
        state.asked.push(Asked { call, key: None, status: 200, paid: true, whole: true, fault });
    }
    let output = state.batches.keep(output.join("\n"));
    let errors = state.batches.keep(errors.join("\n"));
    (state.batches.all[at].output, state.batches.all[at].errors) = (Some(output), Some(errors));
}
