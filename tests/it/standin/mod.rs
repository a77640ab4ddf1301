//! A stand-in for CELLAR's REST interface, on loopback: it serves a library of documents with the negotiation of the
//! manual, remembers what it was asked, and answers badly where it is told to.
//!
//! ```ignore
//! let server = Standin::start(Library::of_folder(&corpus, &registry), Faults::none());
//! let rest = Rest::new(client, server.address(), cache, registry, today);
//! // ... and afterwards:
//! assert!(server.requests().iter().all(|asked| asked.status < 500));
//! ```
//!
//! The server runs on a thread of its own, so that tests of any kind can use it, and ends when it is dropped. Every
//! address is served on `127.0.0.1`; redirects name the host that the request named.

mod faults;
mod library;
mod negotiate;
mod notices;
mod wire;

pub use faults::{Fault, Faults};
pub use library::{Library, Manifestation, Stream, cellar_id};

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use tokio::net::{TcpListener, TcpStream};

/// One request that came.
#[derive(Debug, Clone)]
pub struct Asked {
    /// When its head had been read.
    pub at: Instant,
    /// Path and query.
    pub path: String,
    /// `Accept`.
    pub accept: String,
    /// `Accept-Language`.
    pub language: String,
    /// Whether it asked only for what changed.
    pub conditional: bool,
    /// The status it was answered with; 0 where the connection was broken instead.
    pub status: u16,
    /// What was done wrong on purpose.
    pub fault: Option<Fault>,
}

#[derive(Default)]
struct State {
    library: Library,
    faults: Faults,
    asked: Vec<Asked>,
    /// How often each request came: a fault that hits one does not hit all its repetitions.
    times: BTreeMap<String, u64>,
}

/// The server.
pub struct Standin {
    address: String,
    state: Arc<Mutex<State>>,
    stop: Option<tokio::sync::oneshot::Sender<()>>,
}

impl Standin {
    /// Starts a server of these documents, that makes these faults.
    pub fn start(library: Library, faults: Faults) -> Self {
        let state = Arc::new(Mutex::new(State { library, faults, ..State::default() }));
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

    /// Its address, without a slash at the end.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// All that was asked so far, in order.
    pub fn requests(&self) -> Vec<Asked> {
        self.with(|state| state.asked.clone())
    }

    /// Forgets what was asked.
    pub fn forget(&self) {
        self.with(|state| state.asked.clear());
    }

    /// Makes other faults from now on.
    pub fn faults(&self, faults: Faults) {
        self.with(|state| state.faults = faults);
    }

    /// Changes the library.
    pub fn library<R>(&self, change: impl FnOnce(&mut Library) -> R) -> R {
        self.with(|state| change(&mut state.library))
    }

    fn with<R>(&self, use_it: impl FnOnce(&mut State) -> R) -> R {
        use_it(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Drop for Standin {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
    }
}

/// Answers the requests of one connection, one after the other.
async fn connection(mut socket: TcpStream, state: Arc<Mutex<State>>) {
    let _ = socket.set_nodelay(true);
    let mut left = Vec::new();
    while let Some(request) = wire::read(&mut socket, &mut left).await {
        let (answer, fault) = {
            let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
            let name = format!("{} {} {}", request.path, request.header("accept"), request.header("accept-language"));
            let time = state.times.entry(name.clone()).or_default();
            *time += 1;
            let time = *time;
            let mut answer = negotiate::answer(&state.library, &request);
            let fault = state.faults.choose(&name, time, &answer);
            if let Some(fault) = fault {
                fault.spoil(&mut answer, &state.library, &request);
            }
            state.asked.push(Asked {
                at: Instant::now(),
                path: request.path.clone(),
                accept: request.header("accept").to_string(),
                language: request.header("accept-language").to_string(),
                conditional: !request.header("if-none-match").is_empty()
                    || !request.header("if-modified-since").is_empty(),
                status: if fault == Some(Fault::Reset) { 0 } else { answer.status },
                fault,
            });
            (answer, fault)
        };
        if !wire::write(&mut socket, &answer, fault).await {
            return;
        }
    }
}
