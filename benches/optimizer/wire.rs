//! The landscape over HTTP on loopback: a server in a process of its own, and our side of the wire.
//!
//! `POST /RUN/VERB` with JSON, where a run is named `SEED-NAME` and begins with its first request:
//!
//! | verb | asked | answered |
//! |---|---|---|
//! | `start` | `{}` | the prompts at the start, the sizes of the sets, the budget, the greatest total of one item |
//! | `own` | `{set}` | for each pair the addendum that is sent with it |
//! | `evaluate` | `{prompts, set, at: [..]}` | `[{total, criteria, feedback}, ..]` |
//! | `reflect` | `{component, text, lessons: [feedback, ..]}` | `{text}` |
//! | `accepted`, `chosen` | `{prompts}` | `{}` |
//! | `report` | `{}` | what the run came to, by the server's own counts |

use super::account::{Account, Report};
use super::landscape::{Kept, Landscape};
use super::ours::{Asked, kept};
use legal_link::author::optimize::{Answer, Instance, Score, Scored};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

type Runs = Arc<Mutex<BTreeMap<String, Account>>>;

/// Answers on this listener until the process ends.
pub fn serve(listener: &TcpListener) {
    let runs = Runs::default();
    for stream in listener.incoming().flatten() {
        let runs = runs.clone();
        std::thread::spawn(move || connection(stream, &runs));
    }
}

/// Answers the requests of one connection.
fn connection(mut stream: TcpStream, runs: &Runs) {
    let Ok(reading) = stream.try_clone() else { return };
    let _ = stream.set_nodelay(true);
    let mut reading = BufReader::new(reading);
    while let Some((first, body)) = message(&mut reading) {
        let path = first.split(' ').nth(1).unwrap_or_default();
        let answer = answer(path, &body, runs).map(|value| value.to_string());
        let (status, body) = answer.map_or(("404 Not Found", String::new()), |body| ("200 OK", body));
        let whole = format!(
            "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        if stream.write_all(whole.as_bytes()).is_err() {
            return;
        }
    }
}

/// The first line and the body of a request or an answer.
fn message(reading: &mut BufReader<TcpStream>) -> Option<(String, Vec<u8>)> {
    let (mut first, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        if reading.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if first.is_empty() {
            first = line.to_string();
        } else if let Some(n) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = n.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reading.read_exact(&mut body).ok()?;
    Some((first, body))
}

fn answer(path: &str, body: &[u8], runs: &Runs) -> Option<Value> {
    let (run, verb) = path.strip_prefix('/')?.split_once('/')?;
    let asked: Value = serde_json::from_slice(body).ok()?;
    let seed = run.split('-').next()?.parse().ok()?;
    let mut runs = runs.lock().ok()?;
    let account = runs.entry(run.to_string()).or_insert_with(|| Account::new(Arc::new(Landscape::new(seed))));
    let prompts = || serde_json::from_value::<BTreeMap<String, String>>(asked["prompts"].clone()).ok();
    let set = || serde_json::from_value::<Kept>(asked["set"].clone()).ok();
    match verb {
        "start" => Some(start(account.landscape())),
        "own" => {
            let (set, landscape) = (set()?, account.landscape());
            Some((0..landscape.size(set)).map(|at| landscape.own(set, at)).collect())
        }
        "evaluate" => {
            let (prompts, set) = (prompts()?, set()?);
            let places = asked["at"].as_array()?.iter().filter_map(Value::as_u64).map(usize::try_from);
            let places: Vec<usize> =
                places.filter_map(Result::ok).filter(|at| *at < account.landscape().size(set)).collect();
            let scored = places.into_iter().map(|at| account.evaluate(&prompts, set, at));
            Some(scored.map(|one| json!({"total": one.score.total, "criteria": one.score.criteria, "feedback": one.feedback})).collect())
        }
        "reflect" => {
            let lessons: Vec<String> = serde_json::from_value(asked["lessons"].clone()).ok()?;
            Some(json!({"text": account.reflect(asked["component"].as_str()?, asked["text"].as_str()?, &lessons)}))
        }
        "accepted" => {
            account.accepted(&prompts()?);
            Some(json!({}))
        }
        "chosen" => {
            account.chosen(&prompts()?);
            Some(json!({}))
        }
        "report" => serde_json::to_value(account.report()).ok(),
        _ => None,
    }
}

fn start(landscape: &Landscape) -> Value {
    let sizes: BTreeMap<&str, usize> =
        [("reflect", Kept::Reflect), ("select", Kept::Select)].map(|(name, set)| (name, landscape.size(set))).into();
    let budget = landscape.budget();
    json!({
        "prompts": landscape.start(), "sizes": sizes, "out_of": landscape.out_of(),
        "evaluations": budget.evaluations, "minibatch": budget.minibatch,
    })
}

/// A run of ours on a server.
pub struct Wire {
    stream: TcpStream,
    reading: BufReader<TcpStream>,
    run: String,
}

impl Wire {
    pub fn new(address: &str, run: &str) -> Self {
        let stream = TcpStream::connect(address).expect("the server");
        stream.set_nodelay(true).expect("a socket");
        let reading = BufReader::new(stream.try_clone().expect("a socket"));
        Self { stream, reading, run: run.to_string() }
    }

    fn post(&mut self, verb: &str, body: &Value) -> Value {
        let body = body.to_string();
        let whole = format!(
            "POST /{}/{verb} HTTP/1.1\r\nhost: loopback\r\ncontent-length: {}\r\n\r\n{body}",
            self.run,
            body.len()
        );
        self.stream.write_all(whole.as_bytes()).expect("sent");
        let (first, body) = message(&mut self.reading).expect("an answer");
        assert!(first.contains("200"), "{verb}: {first}");
        serde_json::from_slice(&body).expect("JSON")
    }

    /// As [`super::ours::here`], of the server.
    pub fn ask(&mut self, asked: Asked<'_>) -> Option<Answer> {
        match asked {
            Asked::Evaluate(prompts, Instance { set, at }) => {
                let set = if kept(set) == Kept::Reflect { "reflect" } else { "select" };
                let said = self.post("evaluate", &json!({"prompts": prompts, "set": set, "at": [at]}));
                let criteria = serde_json::from_value(said[0]["criteria"].clone()).expect("levels");
                let total = said[0]["total"].as_u64().and_then(|n| u32::try_from(n).ok()).expect("a total");
                let feedback = said[0]["feedback"].as_str().expect("words").to_string();
                Some(Answer::Scored(Scored { score: Score { total, criteria }, feedback }))
            }
            Asked::Reflect(component, prompts, lessons) => {
                let said = self
                    .post("reflect", &json!({"component": component, "text": prompts[component], "lessons": lessons}));
                Some(Answer::Text(said["text"].as_str().expect("a text").to_string()))
            }
            Asked::Accepted(prompts) => {
                self.post("accepted", &json!({"prompts": prompts}));
                None
            }
            Asked::Chosen(prompts) => {
                self.post("chosen", &json!({"prompts": prompts}));
                None
            }
        }
    }

    /// What the server counted.
    pub fn report(&mut self) -> Report {
        serde_json::from_value(self.post("report", &json!({}))).expect("a report")
    }
}
