//! The models a manifest names, ready to be asked: keys from the environment, journal, budget.

use super::{Budget, Manifest, ModelWish, TOOL};
use crate::cache::JournalError;
use crate::dataset::LockedModel;
use crate::http::{Client, Clock, HttpError, Policy, Secret};
use crate::law::Digest;
use crate::model::{CallKey, Calls, LanguageModel, ModelName, ModelNameError, Purse, Recorded, Served};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// Base addresses of providers that have one of their own, and the variable their key is usually in.
const PROVIDERS: [(&str, &str, &str); 1] = [("openai", "https://api.openai.com/v1", "OPENAI_API_KEY")];

/// Journal and budget that all models of a build share.
#[derive(Debug)]
pub struct Counter {
    /// Held while this build runs: two builds must not write one journal.
    _lock: Option<std::fs::File>,
    calls: Arc<Calls>,
    purse: Arc<Purse>,
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
    #[error("`base_url` is `{0}`, which is no http(s) address")]
    Address(String),
    /// The key is not there.
    #[error("the variable {0} is not set; put the key into it (its value is never stored or shown)")]
    NoKey(String),
    /// Another build writes this journal, or its folder cannot be used.
    #[error("the journal of calls in {} cannot be held: {why}; wait for the other build, or give --cache DIR", folder.display())]
    Busy {
        /// The folder.
        folder: PathBuf,
        /// What the system said.
        why: String,
    },
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A model is wished for, and nobody opened its journal.
    #[error("a model is wished for, and its journal is not open")]
    NoCounter,
    /// The client cannot be made.
    #[error(transparent)]
    Http(#[from] HttpError),
}

impl Counter {
    /// Opens the journal in `folder`; offline, reads it only.
    ///
    /// # Errors
    /// [`ModelsError::Journal`].
    pub fn open(folder: &Path, budget: &Budget, offline: bool) -> Result<Self, ModelsError> {
        let path = folder.join("calls.journal");
        let lock = if offline { None } else { Some(hold(folder)?) };
        let calls = Arc::new(if offline { Calls::peek(&path)? } else { Calls::open(&path)? });
        Ok(Self { _lock: lock, calls, purse: Arc::new(Purse::new(budget.calls, budget.tokens)), offline })
    }

    /// The calls on record.
    pub fn calls(&self) -> &Calls {
        &self.calls
    }

    /// The name that the server gave for the model that answered this call.
    pub fn served(&self, call: &Digest) -> Option<String> {
        self.calls.get(&CallKey::from(*call))?.served
    }

    /// What this run spent.
    pub fn purse(&self) -> &Purse {
        &self.purse
    }

    /// A model as wished for.
    ///
    /// # Errors
    /// [`ModelsError`].
    pub fn model(&self, wish: &ModelWish) -> Result<Arc<dyn LanguageModel>, ModelsError> {
        let name: ModelName = wish.model.parse()?;
        let known = PROVIDERS.iter().find(|(provider, ..)| *provider == name.provider());
        let base = wish.base_url.as_deref().or(known.map(|k| k.1));
        let base = base.ok_or_else(|| ModelsError::NoAddress(name.provider().to_string()))?;
        if !["http://", "https://"].iter().any(|scheme| base.starts_with(scheme)) {
            return Err(ModelsError::Address(base.to_string()));
        }
        if self.offline {
            return Ok(Arc::new(Recorded::new(name, base, self.calls.clone())));
        }
        let key = match wish.key_variable() {
            Some(variable) => {
                let value = std::env::var(variable).map_err(|_| ModelsError::NoKey(variable.to_string()))?;
                Some(Secret::new(&value))
            }
            None => None,
        };
        let policy = Policy {
            in_flight: wish.in_flight,
            pace: Duration::ZERO,
            robots: false,
            timeout: Duration::from_secs(600),
            max_bytes: 16 << 20,
            ..Policy::default()
        };
        let client = Client::new(TOOL, policy, Clock::new(SystemTime::now))?;
        Ok(Arc::new(Served::new(name, base, key, client, self.calls.clone(), self.purse.clone(), now)))
    }
}

/// The lock on a folder's journal of calls.
fn hold(folder: &Path) -> Result<std::fs::File, ModelsError> {
    let busy = |why: String| ModelsError::Busy { folder: folder.to_path_buf(), why };
    std::fs::create_dir_all(folder).map_err(|e| busy(e.to_string()))?;
    let file = std::fs::File::create(folder.join("calls.lock")).map_err(|e| busy(e.to_string()))?;
    file.try_lock().map_err(|e| busy(e.to_string()))?;
    Ok(file)
}

/// The environment variables that hold the keys of models: those of the providers that are known here, and those that
/// a manifest names, each with what it is for and whether the manifest needs it.
pub fn key_variables(manifest: Option<&Manifest>) -> BTreeMap<String, (String, bool)> {
    let own =
        PROVIDERS.iter().map(|(provider, _, variable)| ((*variable).to_string(), ((*provider).to_string(), false)));
    let mut variables: BTreeMap<String, (String, bool)> = own.collect();
    let wishes = manifest.into_iter().flat_map(|m| [m.writer(), m.judge.as_ref()]).flatten();
    let named = wishes.filter_map(|wish| Some((wish.key_variable()?.to_string(), (wish.model.clone(), true))));
    variables.extend(named);
    variables
}

impl ModelWish {
    /// The environment variable that holds its key, if it needs one.
    fn key_variable(&self) -> Option<&str> {
        let provider = self.model.split(':').next().unwrap_or_default();
        let known = PROVIDERS.iter().find(|(name, ..)| *name == provider).filter(|_| self.base_url.is_none());
        self.key_env.as_deref().or(known.map(|k| k.2))
    }

    /// What the lock says of the model.
    pub(super) fn locked(&self, role: &str, served: Option<String>) -> LockedModel {
        let mut parameters = BTreeMap::from([("max_tokens".to_string(), self.max_tokens.to_string())]);
        if let Some(temperature) = self.temperature {
            parameters.insert("temperature".to_string(), temperature.to_string());
        }
        LockedModel { role: role.to_string(), model: self.model.clone(), served, parameters, probe: BTreeMap::new() }
    }
}

/// Now, RFC 3339, to the second.
fn now() -> String {
    chrono::Utc::now().format("%Y-%m-%dT%H:%M:%SZ").to_string()
}
