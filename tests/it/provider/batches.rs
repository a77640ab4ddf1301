//! OpenAI's batch interface: files, batches, results in another order than asked, and all that may go wrong with them.

use super::shapes::{Prompt, Said};
use super::wire::{Answer, Request};
use super::{Asked, Fault, State};
use legal_link::law::Digest;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::mem::take;

/// What goes wrong with the next batch, each once.
#[derive(Debug, Clone, Default)]
#[allow(clippy::struct_excessive_bools)] // each is one thing that goes wrong
pub struct BatchFaults {
    /// Of so many lines the last is left without an answer.
    pub forgets: usize,
    /// Of so many lines the last is answered 500.
    pub trips: usize,
    /// It expires when half of it is done.
    pub expires: bool,
    /// It is refused as a whole.
    pub refuses: bool,
    /// It is made, and the connection ends before that is said.
    pub loses: bool,
    /// So many requests about its state are answered 500.
    pub trouble: usize,
    /// Its output holds one line twice, and one that nobody asked for.
    pub extra: bool,
}

/// All files and batches so far.
#[derive(Default)]
pub struct Batches {
    files: Vec<String>,
    all: Vec<Batch>,
    pub faults: BatchFaults,
    /// How often a batch is asked after before it has ended.
    pub polls: usize,
}

struct Batch {
    name: String,
    file: usize,
    polls: usize,
    status: &'static str,
    output: Option<usize>,
    errors: Option<usize>,
}

impl Batches {
    /// How many batches were made.
    pub fn made(&self) -> usize {
        self.all.len()
    }

    /// How often a call was handed in beside a batch that held it already. Batches before this one do not count, nor do
    /// those that were refused.
    pub fn beside(&self, from: usize) -> usize {
        let taken = self.all.iter().skip(from).filter(|batch| batch.status != "failed");
        let lines = taken.flat_map(|batch| self.files[batch.file].lines());
        let names: Vec<String> = lines
            .filter_map(|line| Some(serde_json::from_str::<Value>(line).ok()?["custom_id"].as_str()?.to_string()))
            .collect();
        names.len() - names.iter().collect::<BTreeSet<_>>().len()
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

/// The answer, where the request is about batches or their files, and what is wrong with it.
pub fn answer(state: &mut State, request: &Request) -> Option<(Answer, Option<Fault>)> {
    let (path, query) = request.path.split_once('?').unwrap_or((&request.path, ""));
    let steps: Vec<&str> = path.split('/').skip(2).collect();
    let number = |name: &str| name.rsplit('-').next()?.parse::<usize>().ok();
    let mut fault = None;
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
            let batch = Batch { name, file, polls, status: "in_progress", output: None, errors: None };
            state.batches.all.push(batch);
            fault = take(&mut state.batches.faults.loses).then_some(Fault::Reset);
            shown(state, state.batches.made() - 1)
        }
        ("GET", ["batches"]) => {
            // Two to a page, newest first.
            let before = query.split("after=batch-").nth(1).and_then(|n| n.parse::<usize>().ok());
            let end = before.unwrap_or(state.batches.made());
            let list: Vec<Value> = (0..end).rev().take(2).map(|n| shown(state, n)).collect();
            json!({"data": list, "has_more": end > 2})
        }
        ("GET", ["batches", id]) => {
            if state.batches.faults.trouble > 0 {
                state.batches.faults.trouble -= 1;
                return Some((Answer::json(500, &json!({"error": {"message": "trouble"}})), None));
            }
            let at = number(id)?;
            let batch = state.batches.all.get_mut(at)?;
            if batch.polls > 0 {
                batch.polls -= 1;
            } else if batch.status == "in_progress" {
                work(state, at);
            }
            shown(state, at)
        }
        ("GET", ["files", id, "content"]) => {
            let file = state.batches.files.get(number(id)?)?.clone();
            return Some((Answer { status: 200, headers: Vec::new(), body: file.into_bytes() }, None));
        }
        _ => return None,
    };
    Some((Answer::json(200, &found), fault))
}

fn shown(state: &State, at: usize) -> Value {
    let batch = &state.batches.all[at];
    let file = |number: Option<usize>| number.map(|n| format!("file-{n}"));
    let total = state.batches.files[batch.file].lines().count();
    json!({"id": format!("batch-{at}"), "status": batch.status, "metadata": {"name": batch.name},
        "request_counts": {"total": total, "completed": 0, "failed": 0},
        "errors": {"data": [{"message": "the file is not to our liking"}]},
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
    if take(&mut state.batches.faults.refuses) {
        state.batches.all[at].status = "failed";
        return;
    }
    let lines: Vec<Value> =
        state.batches.files[state.batches.all[at].file].lines().filter_map(|l| serde_json::from_str(l).ok()).collect();
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let (forgets, trips) = (take(&mut state.batches.faults.forgets), take(&mut state.batches.faults.trips));
    let (expires, extra) = (take(&mut state.batches.faults.expires), take(&mut state.batches.faults.extra));
    let hits = |of: usize, number: usize| of > 0 && number % of == of - 1;
    for (number, line) in lines.iter().enumerate().rev() {
        let path = line["url"].as_str().unwrap_or_default().to_string();
        let body = line["body"].to_string();
        let call = Digest::of_fields([path.as_bytes(), body.as_bytes()]);
        let name = &line["custom_id"];
        let Some((shape, prompt)) = Prompt::of(&path, &line["body"]) else { continue };
        if hits(forgets, number) || expires && number >= lines.len().div_ceil(2) {
            errors.push(json!({"custom_id": name, "response": null, "error": {"code": "batch_expired"}}).to_string());
            continue;
        }
        if hits(trips, number) {
            let body = json!({"error": {"message": "trouble", "type": "server_error"}});
            errors.push(json!({"custom_id": name, "response": {"status_code": 500, "body": body}}).to_string());
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
    if extra {
        let first = output.first().cloned();
        output.extend(first);
        output.push(json!({"custom_id": "somebody-else's", "response": {"status_code": 200, "body": {}}}).to_string());
    }
    let output = state.batches.keep(output.join("\n"));
    let errors = state.batches.keep(errors.join("\n"));
    let batch = &mut state.batches.all[at];
    (batch.output, batch.errors) = (Some(output), Some(errors));
    batch.status = if expires { "expired" } else { "completed" };
}
