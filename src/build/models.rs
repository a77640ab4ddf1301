//! The models a manifest names, ready to be asked: keys from the environment, journal, budget.

use super::news::News;
use super::{Budget, Manifest, ModelWish, TOOL, hold};
use crate::cache::JournalError;
use crate::dataset::LockedModel;
use crate::http::{Allowance, Client, Clock, HttpError, Policy, Secret, plain_address};
use crate::law::Digest;
use crate::model::{
    Batched, Book, Booked, CallKey, Calls, Dialect, Gate, LanguageModel, Ledger, Limits, Means, ModelName,
    ModelNameError, PROVIDERS, Prices, Probe, PromptProbe, Provider, Purse, Recorded, Route, Served, Silence, Whole,
};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

/// Calls side by side where they go in batches: enough for the published benchmark's items in one.
const BATCH: usize = 1500;
/// The longest answer to a call, and the longest file of a batch's answers, in bytes.
const LONGEST: [usize; 2] = [16 << 20, 512 << 20];

/// Journal and budget that all models of a build share.
#[derive(Debug)]
pub struct Counter {
    /// Held while this build runs: two builds must not write one journal.
    _lock: Option<std::fs::File>,
    calls: Calls,
    purse: Arc<Purse>,
    book: Arc<Book>,
    /// Where the journals lie.
    folder: PathBuf,
    /// The batches handed in, once a model is asked in batches.
    ledger: Mutex<Option<Ledger>>,
    /// How batches go and what is wrong, for whoever listens.
    news: News,
    /// The gates to the models in use, by base address and the provider's name for the model: two roles of one model
    /// share its limits, and so do two interfaces to it.
    gates: Mutex<BTreeMap<(String, String), Arc<Gate>>>,
    /// How long the servers have been silent, by base address.
    silences: Mutex<BTreeMap<String, Silence>>,
    /// What the servers' probes showed, by the name and address that the manifest gives.
    probes: Mutex<BTreeMap<(String, Option<String>), Probe>>,
    offline: bool,
}

/// A model that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ModelsError {
    /// The name is none.
    #[error(transparent)]
    Name(#[from] ModelNameError),
    /// The provider has no address of its own.
    #[error("the provider `{0}` has no address of its own; give `base_url` beside `model`")]
    NoAddress(String),
    /// The address is none.
    #[error("`base_url` {0}; write it as `http://127.0.0.1:8080/v1`")]
    Address(String),
    /// A setting of the model that cannot be.
    #[error("`{0}` of {1} is {2}; it must be {3}")]
    Setting(&'static str, String, String, String),
    /// The key is not there.
    #[error("the variable {0} is not set; put the key into it (its value is never stored or shown)")]
    NoKey(String),
    /// Money is limited, and the model has no price.
    #[error(
        "[budget] limits money, and the price of {0} is not known: add it to rubrics/prices.toml beside the manifest (0.0 where it costs nothing)"
    )]
    NoPrice(ModelName),
    /// Another run writes this journal.
    #[error(
        "another build, calibration or optimization writes the journal of calls in {} now: wait until it has ended and run \
         the same command again, or give `--cache` another folder, where calls are paid for anew", .0.display()
    )]
    Busy(PathBuf),
    /// The folder cannot be held.
    #[error("the journal of calls in {} cannot be locked: {why}; give `--cache` a folder on a disk of this machine", folder.display())]
    Lock {
        /// The folder.
        folder: PathBuf,
        /// What the system said.
        why: String,
    },
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The server drops part of a long prompt.
    #[error(
        "{0} drops part of a long prompt without a word, so no reply could be trusted: give it a larger window (llama.cpp \
         `-c`, vLLM `--max-model-len`, Ollama by the provider `ollama:`, which asks for one)"
    )]
    Cuts(String),
    /// A provider whose batches we do not know.
    #[error("`{0}` cannot be asked in batches; take `batch` out, or ask `openai:` or `openai-responses:`")]
    NoBatches(String),
    /// No runtime to probe the server with.
    #[error("cannot start the runtime: {0}")]
    Runtime(String),
    /// A model is wished for, and nobody opened its journal.
    #[error("a model is wished for, and its journal is not open")]
    NoCounter,
    /// The client cannot be made.
    #[error(transparent)]
    Http(#[from] HttpError),
}

/// Calls in flight that a manifest may ask for.
const MOST_IN_FLIGHT: usize = 10_000;
/// Longest reply that a manifest may ask for, in tokens: several times what any provider writes, and few enough that a
/// slip of the finger sets no absurd worst case aside for each call.
const MOST_TOKENS: u32 = 1_000_000;

impl Counter {
    /// Opens the journal in `folder`; offline, reads it only. When the allowance is halted, no model is asked any more.
    ///
    /// # Errors
    /// [`ModelsError::Journal`]; [`ModelsError::Busy`] where another run writes it.
    pub fn open(
        folder: &Path,
        budget: &Budget,
        prices: Prices,
        allowance: Allowance,
        offline: bool,
    ) -> Result<Self, ModelsError> {
        let path = folder.join("calls.journal");
        let lock = if offline { None } else { Some(hold::journal(folder)?) };
        let calls = if offline { Calls::peek(&path)? } else { Calls::open(&path)? };
        let (purse, book) = (Arc::new(Purse::new(budget.limits(), prices).within(allowance)), Arc::default());
        let (folder, gates, probes) = (folder.to_path_buf(), Mutex::default(), Mutex::default());
        let (ledger, news, silences) = (Mutex::default(), News::default(), Mutex::default());
        news.warn(calls.damage());
        Ok(Self { _lock: lock, calls, purse, book, folder, ledger, news, gates, silences, probes, offline })
    }

    /// How batches go, while models are waited for.
    pub(super) fn news(&self) -> &News {
        &self.news
    }

    /// The calls on record.
    pub fn calls(&self) -> &Calls {
        &self.calls
    }

    /// The name that the server gave for the model that answered this call.
    pub fn served(&self, call: &Digest) -> Option<String> {
        self.calls.get(&CallKey::from(*call))?.served.clone()
    }

    /// What this run spent.
    pub fn purse(&self) -> &Purse {
        &self.purse
    }

    /// What was asked in this run, and of what stage.
    pub fn book(&self) -> &Book {
        &self.book
    }

    /// A model as wished for, asked for one stage of the work.
    ///
    /// # Errors
    /// [`ModelsError`].
    pub fn model(&self, wish: &ModelWish, stage: &str) -> Result<Arc<dyn LanguageModel>, ModelsError> {
        let mut route = wish.route()?;
        if self.purse.lacks_price(&route.name) {
            return Err(ModelsError::NoPrice(route.name));
        }
        let takes_batches = matches!(route.dialect, Dialect::Chat | Dialect::Compatible | Dialect::Responses);
        if wish.batch.is_some() && !takes_batches {
            return Err(ModelsError::NoBatches(wish.model.clone()));
        }
        let means = if self.offline { None } else { Some(self.means(wish, &route)?) };
        let probe = self.probe(wish, &route, means.clone())?;
        if probe.prompt == PromptProbe::Cut {
            return Err(ModelsError::Cuts(route.address));
        }
        route.setup.tell_schema = probe.tell_schema();
        let model: Arc<dyn LanguageModel> = match (means, wish.batch) {
            (Some(means), Some(batch)) => {
                let (ledger, news) = (self.ledger()?, self.news.teller());
                Arc::new(Batched::new(route, wish.base()?, means, ledger, batch.patience(), news))
            }
            (Some(means), None) => Arc::new(Served::new(route, means)),
            (None, _) => Arc::new(Recorded::new(route, self.calls.clone())),
        };
        let model: Arc<dyn LanguageModel> = if probe.counts { Arc::new(Whole::new(model)) } else { model };
        Ok(Arc::new(Booked::new(model, stage, self.book.clone())))
    }

    /// The batches of this folder: one ledger for all models, since it is one file.
    fn ledger(&self) -> Result<Ledger, ModelsError> {
        let mut ledger = held(&self.ledger);
        if let Some(ledger) = &*ledger {
            return Ok(ledger.clone());
        }
        let opened = Ledger::open(&self.folder.join("batches.journal"))?;
        self.news.warn(opened.damage());
        Ok(ledger.insert(opened).clone())
    }

    fn means(&self, wish: &ModelWish, route: &Route) -> Result<Means, ModelsError> {
        let key = match wish.key_variable() {
            Some(variable) => {
                let value = std::env::var(variable).map_err(|_| ModelsError::NoKey(variable.to_string()))?;
                Some(Secret::new(&value))
            }
            None => None,
        };
        let clock = Clock::new(SystemTime::now);
        let gate = self.gate(wish.base()?, route.name.model(), wish.in_flight, clock);
        let (client, silence) = (client(wish, clock)?, self.silence(wish.base()?, clock));
        Ok(Means { client, key, gate, silence, calls: self.calls.clone(), purse: self.purse.clone(), now })
    }

    /// How long a server has been silent, to all who ask it.
    fn silence(&self, base: &str, clock: Clock) -> Silence {
        let mut silences = held(&self.silences);
        let silence = silences.entry(base.trim_end_matches('/').to_string());
        silence.or_insert_with_key(|base| Silence::new(base, self.news.teller(), clock)).clone()
    }

    /// What the server does, found out once per model of this run.
    fn probe(&self, wish: &ModelWish, route: &Route, means: Option<Means>) -> Result<Probe, ModelsError> {
        let named = (wish.model.clone(), wish.base_url.clone());
        if let Some(known) = held(&self.probes).get(&named) {
            return Ok(known.clone());
        }
        let model: Arc<dyn LanguageModel> = match means {
            // A client of its own: connections belong to the runtime that they were made on.
            Some(means) => {
                let client = client(wish, means.client.clock())?;
                Arc::new(Served::new(route.clone(), Means { client, ..means }))
            }
            None => Arc::new(Recorded::new(route.clone(), self.calls.clone())),
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| ModelsError::Runtime(error.to_string()))?;
        let probe =
            runtime.block_on(Probe::of(&Booked::new(model, "probe", self.book.clone()), route.dialect.takes_seed()));
        held(&self.probes).insert(named, probe.clone());
        Ok(probe)
    }

    /// What the probe of a model showed, for the lock.
    pub(super) fn probed(&self, wish: &ModelWish) -> BTreeMap<String, String> {
        let named = (wish.model.clone(), wish.base_url.clone());
        held(&self.probes).get(&named).map(Probe::answers).unwrap_or_default()
    }

    fn gate(&self, base: &str, model: &str, cap: usize, clock: Clock) -> Arc<Gate> {
        let mut gates = held(&self.gates);
        let gate = gates.entry((base.trim_end_matches('/').to_string(), model.to_string()));
        let gate = gate.or_insert_with(|| Arc::new(Gate::new(cap, clock))).clone();
        gate.widen(cap);
        gate
    }
}

/// A client for one model. The gate says how many calls are in flight; as many connections are kept between them.
fn client(wish: &ModelWish, clock: Clock) -> Result<Client, HttpError> {
    let policy = Policy {
        in_flight: wish.in_flight,
        robots: false,
        timeout: Duration::from_secs(600),
        max_bytes: LONGEST[usize::from(wish.batch.is_some())],
        ..Policy::default()
    };
    Client::new(TOOL, policy, clock)
}

/// Every change is one insertion, so a panic elsewhere leaves it sound.
fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Budget {
    /// The limits that a purse keeps.
    fn limits(&self) -> Limits {
        Limits {
            calls: self.calls,
            tokens: self.tokens,
            money: self.money,
            time: self.seconds.map(Duration::from_secs),
        }
    }
}

/// The environment variables that hold the keys of models: those of the providers that are known here, and those that
/// a manifest names, each with what it is for and whether the manifest needs it.
pub fn key_variables(manifest: Option<&Manifest>) -> BTreeMap<String, (String, bool)> {
    let own = PROVIDERS
        .iter()
        .rev()
        .filter_map(|provider| Some((provider.key?.to_string(), (provider.name.to_string(), false))));
    let mut variables: BTreeMap<String, (String, bool)> = own.collect();
    let wishes = manifest.into_iter().flat_map(Manifest::models);
    let named = wishes.filter_map(|wish| Some((wish.key_variable()?.to_string(), (wish.model.clone(), true))));
    variables.extend(named);
    variables
}

impl ModelWish {
    /// The environment variable that holds its key, if it needs one.
    fn key_variable(&self) -> Option<&str> {
        let known = self.provider().filter(|_| self.base_url.is_none());
        self.key_env.as_deref().or(known.and_then(|provider| provider.key))
    }

    fn provider(&self) -> Option<&'static Provider> {
        Provider::named(self.model.split(':').next().unwrap_or_default())
    }

    /// The base address of its server.
    fn base(&self) -> Result<&str, ModelsError> {
        let base = self.base_url.as_deref().or(self.provider().and_then(|provider| provider.base));
        base.ok_or_else(|| ModelsError::NoAddress(self.model.split(':').next().unwrap_or_default().to_string()))
    }

    /// Calls that may wait side by side: a batch is all that is asked for at one time.
    pub(super) fn side_by_side(&self) -> usize {
        if self.batch.is_some() { self.in_flight.max(BATCH) } else { Gate::askers(self.in_flight.max(1)) }
    }

    /// Whether its settings can be.
    pub(super) fn settings(&self) -> Result<(), ModelsError> {
        let wrong = |name, is: &dyn std::fmt::Display, must: &dyn std::fmt::Display| {
            Err(ModelsError::Setting(name, self.model.clone(), is.to_string(), must.to_string()))
        };
        match self {
            Self { in_flight: n, .. } if !(1..=MOST_IN_FLIGHT).contains(n) => {
                wrong("in_flight", n, &format_args!("between 1 and {MOST_IN_FLIGHT}"))
            }
            Self { draws: 0, .. } => wrong("draws", &0, &"at least 1"),
            Self { max_tokens: n, .. } if !(1..=MOST_TOKENS).contains(n) => {
                wrong("max_tokens", n, &format_args!("between 1 and {MOST_TOKENS}"))
            }
            Self { temperature: Some(t), .. } if !(0.0..=2.0).contains(t) => {
                wrong("temperature", t, &"between 0 and 2")
            }
            _ => Ok(()),
        }
    }

    /// The way to it.
    fn route(&self) -> Result<Route, ModelsError> {
        let name: ModelName = self.model.parse()?;
        let known = self.provider();
        let base = self.base()?;
        plain_address(base).map_err(ModelsError::Address)?;
        let mut route = Route::new(name, known.map_or(Dialect::Compatible, |provider| provider.dialect), base);
        route.setup.effort = self.effort;
        Ok(route)
    }

    /// What the lock says of the model.
    pub(super) fn locked(&self, role: &str, served: Option<String>, probe: BTreeMap<String, String>) -> LockedModel {
        let mut parameters = BTreeMap::from([("max_tokens".to_string(), self.max_tokens.to_string())]);
        if let Some(temperature) = self.temperature {
            parameters.insert("temperature".to_string(), temperature.to_string());
        }
        if let Some(effort) = self.effort {
            parameters.insert("effort".to_string(), effort.to_string());
        }
        LockedModel { role: role.to_string(), model: self.model.clone(), served, parameters, probe }
    }
}

/// Now, RFC 3339, to the second.
fn now() -> String {
    chrono::Utc::now().format("%Y-%m-%dT%H:%M:%SZ").to_string()
}
