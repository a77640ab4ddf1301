//! A stand-in for the providers of language models, on loopback: it answers in each dialect's own shapes, remembers
//! what it was asked and what was paid, and answers badly where it is told to.
//!
//! ```ignore
//! let server = Provider::start(by_schema, Faults::seeded(7));
//! let route = Route::new("openai:m".parse().unwrap(), Dialect::Chat, &server.base());
//! // ... and afterwards:
//! assert!(server.asked().iter().all(|asked| asked.paid || asked.fault.is_some()));
//! ```
//!
//! The server runs on a thread of its own and ends when it is dropped. Which dialect is spoken is told by the path.

mod batches;
mod faults;
mod shapes;
mod wire;

pub use batches::BatchFaults;
pub use faults::{Fault, Faults};
pub use shapes::{Prompt, Said};

use batches::Batches;
use legal_link::law::Digest;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};

/// What a model would say to a prompt.
pub type Speaker = Arc<dyn Fn(&Prompt) -> String + Send + Sync>;

/// One request that came.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Path and body, as a digest: the same for a call that came again.
    pub call: Digest,
    /// The header that held a key, and the key.
    pub key: Option<(String, String)>,
    /// The status it was answered with; 0 where the connection was broken instead.
    pub status: u16,
    /// Whether a completion was made, which is what costs money.
    pub paid: bool,
    /// Whether all of the answer was sent.
    pub whole: bool,
    /// What was done wrong on purpose.
    pub fault: Option<Fault>,
}

struct State {
    speaker: Speaker,
    faults: Faults,
    asked: Vec<Asked>,
    /// How often each call came: a fault that hits one does not hit all its repetitions.
    times: BTreeMap<Digest, u64>,
    /// How long a completion takes.
    takes: Duration,
    in_flight: usize,
    most_in_flight: usize,
    batches: Batches,
    /// Prompts are cut to so many tokens, from the completion of this number on.
    window: Option<(usize, usize)>,
    hold: Option<Hold>,
}

/// Answers that are made and not sent.
struct Hold {
    /// Part of the path of what is asked.
    path: String,
    /// So many of them are sent.
    sent: usize,
    held: usize,
}

/// The server.
pub struct Provider {
    address: String,
    state: Arc<Mutex<State>>,
    stop: Option<tokio::sync::oneshot::Sender<()>>,
}

impl Provider {
    /// Starts a server that says this, and makes these faults.
    pub fn start(speaker: Speaker, faults: Faults) -> Self {
        let state = State {
            speaker,
            faults,
            asked: Vec::new(),
            times: BTreeMap::new(),
            takes: Duration::ZERO,
            in_flight: 0,
            most_in_flight: 0,
            batches: Batches::default(),
            window: None,
            hold: None,
        };
        let state = Arc::new(Mutex::new(state));
        let (tell, told) = std::sync::mpsc::channel();
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let shared = state.clone();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async move {
                let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port on loopback");
                tell.send(listener.local_addr().expect("an address")).expect("somebody waits");
                let serve = async {
                    while let Ok((socket, _)) = listener.accept().await {
                        tokio::spawn(connection(socket, shared.clone()));
                    }
                };
                tokio::select! { () = serve => {}, _ = stopped => {} }
            });
        });
        let address = format!("http://{}", told.recv().expect("the server started"));
        Self { address, state, stop: Some(stop) }
    }

    /// Its base address.
    pub fn base(&self) -> String {
        format!("{}/v1", self.address)
    }

    /// All that was asked so far, in order.
    pub fn asked(&self) -> Vec<Asked> {
        self.with(|state| state.asked.clone())
    }

    /// How many completions were made.
    pub fn paid(&self) -> usize {
        self.with(|state| state.asked.iter().filter(|asked| asked.paid).count())
    }

    /// The most calls that were ever under way at once.
    pub fn most_in_flight(&self) -> usize {
        self.with(|state| state.most_in_flight)
    }

    /// Forgets what was asked.
    pub fn forget(&self) {
        self.with(|state| state.asked.clear());
    }

    /// Makes other faults from now on.
    pub fn faults(&self, faults: Faults) {
        self.with(|state| state.faults = faults);
    }

    /// Takes so long for a completion from now on.
    pub fn takes(&self, takes: Duration) {
        self.with(|state| state.takes = takes);
    }

    /// Cuts prompts to so many tokens without a word, from the completion of this number on.
    pub fn cuts_prompts(&self, from: usize, tokens: usize) {
        self.with(|state| state.window = Some((from, tokens)));
    }

    /// Sends so many more answers to requests whose path holds this; those after them are made, and kept back.
    pub fn hold(&self, path: &str, after: usize) {
        self.with(|state| state.hold = Some(Hold { path: path.to_string(), sent: after, held: 0 }));
    }

    /// How many answers were kept back since they are.
    pub fn held(&self) -> usize {
        self.with(|state| state.hold.as_ref().map_or(0, |hold| hold.held))
    }

    /// Sends the answers kept back, and all others.
    pub fn let_go(&self) {
        self.with(|state| state.hold = None);
    }

    /// What goes wrong with the batches to come.
    pub fn batch_faults(&self, faults: BatchFaults) {
        self.with(|state| state.batches.faults = faults);
    }

    /// How many batches were made.
    pub fn batches(&self) -> usize {
        self.with(|state| state.batches.made())
    }

    /// How often a call was handed in again although a batch held it, since this many batches were made.
    pub fn handed_in_again(&self, since: usize) -> usize {
        self.with(|state| state.batches.beside(since))
    }

    /// From now on a batch is asked after so often before it has ended.
    pub fn batches_take(&self, polls: usize) {
        self.with(|state| state.batches.polls = polls);
    }

    /// Ends all batches that are under way.
    pub fn batches_end(&self) {
        self.with(|state| state.batches.end());
    }

    fn with<R>(&self, use_it: impl FnOnce(&mut State) -> R) -> R {
        use_it(&mut held(&self.state))
    }
}

impl Drop for Provider {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
    }
}

fn held(state: &Mutex<State>) -> std::sync::MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Answers the requests of one connection, one after the other.
async fn connection(mut socket: TcpStream, state: Arc<Mutex<State>>) {
    let _ = socket.set_nodelay(true);
    let mut left = Vec::new();
    while let Some(request) = wire::read(&mut socket, &mut left).await {
        let takes = {
            let mut state = held(&state);
            state.in_flight += 1;
            state.most_in_flight = state.most_in_flight.max(state.in_flight);
            state.takes
        };
        if !takes.is_zero() {
            tokio::time::sleep(takes).await;
        }
        let (answer, fault) = answer(&mut held(&state), &request);
        if held(&state).keeps_back(&request.path) {
            while held(&state).hold.is_some() {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        }
        let goes_on = wire::write(&mut socket, &answer, fault).await;
        held(&state).in_flight -= 1;
        if !goes_on {
            return;
        }
    }
}

/// The answer to a request, and what is wrong with it on purpose.
fn answer(state: &mut State, request: &wire::Request) -> (wire::Answer, Option<Fault>) {
    if let Some(answered) = batches::answer(state, request) {
        return answered;
    }
    let call = Digest::of_fields([request.path.as_bytes(), &request.body]);
    let time = state.times.entry(call).or_default();
    *time += 1;
    let time = *time;
    let Some((shape, mut prompt)) = Prompt::read(request) else {
        let refused =
            wire::Answer::json(400, &json!({"error": {"type": "invalid_request_error", "message": "no prompt"}}));
        return (refused, None);
    };
    if let Some((_, tokens)) = state.window.filter(|(from, _)| state.asked.len() >= *from) {
        prompt.cut(tokens);
    }
    let fault = state.faults.choose(shape, call, time);
    let mut said = Said::text((state.speaker)(&prompt));
    if let Some(fault) = fault {
        fault.spoil_words(&mut said, &prompt);
    }
    let mut answer = wire::Answer::json(200, &shape.reply(&prompt, &said));
    if let Some(fault) = fault {
        let key = request.key().map(|(_, key)| key).unwrap_or_default();
        fault.spoil(&mut answer, shape, key.trim_start_matches("Bearer "));
    }
    state.asked.push(Asked {
        call,
        key: request.key(),
        status: if fault == Some(Fault::Reset) { 0 } else { answer.status },
        paid: answer.status == 200 && fault != Some(Fault::Reset),
        whole: !matches!(fault, Some(Fault::Cut | Fault::Reset)),
        fault,
    });
    (answer, fault)
}

impl State {
    /// Whether the answer to a request of this path is kept back.
    fn keeps_back(&mut self, path: &str) -> bool {
        let Some(hold) = self.hold.as_mut().filter(|hold| path.contains(&hold.path)) else { return false };
        let sent = hold.sent > 0;
        if sent {
            hold.sent -= 1;
        } else {
            hold.held += 1;
        }
        !sent
    }
}

/// A speaker that fills the schema in, alike for the same prompt.
pub fn by_schema() -> Speaker {
    Arc::new(|prompt| {
        let schema = prompt.schema.clone().unwrap_or_else(|| json!({"type": "object"}));
        filled(&schema, prompt.digest()).to_string()
    })
}

/// A value that follows a schema, chosen by `seed`.
pub fn filled(schema: &Value, seed: Digest) -> Value {
    let byte = usize::from(seed.as_bytes()[0]);
    let under = |name: &str| Digest::of_fields([seed.as_bytes(), name.as_bytes()]);
    if let Some(values) = schema["enum"].as_array() {
        return values[byte % values.len()].clone();
    }
    match schema["type"].as_str() {
        Some("object") => {
            let fields = schema["properties"].as_object().cloned().unwrap_or_default();
            let value = |(name, inner): (&String, &Value)| (name.clone(), filled(inner, under(name)));
            Value::Object(fields.iter().map(value).collect::<Map<_, _>>())
        }
        Some("array") => {
            let least = schema["minItems"].as_u64().unwrap_or(1);
            Value::Array((0..least).map(|n| filled(&schema["items"], under(&n.to_string()))).collect())
        }
        Some("integer") => json!(1 + byte % 5),
        Some("number") => json!(0.5),
        Some("boolean") => json!(byte % 2 == 0),
        _ => {
            let longest = schema["maxLength"].as_u64().unwrap_or(40);
            json!(seed.to_string().chars().take(usize::try_from(longest).unwrap_or(40)).collect::<String>())
        }
    }
}
