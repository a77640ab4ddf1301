//! The book: what a run asked of models, by stage, and whether it was paid for now or before.

use super::{Ask, Asking, CallKey, LanguageModel, ModelError, ModelName, Usage};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Every call that was paid for, each once.
#[derive(Debug, Default)]
pub struct Book(Mutex<BTreeMap<CallKey, Entry>>);

/// A call in the book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The stage that asked first.
    pub stage: String,
    /// The model.
    pub model: ModelName,
    /// Tokens used.
    pub usage: Usage,
    /// Whether it went through the provider's batch interface.
    pub batch: bool,
    /// Whether it was on record already: part of what the dataset cost, but not paid for by this run.
    pub replayed: bool,
}

impl Book {
    /// All calls, in the order of their keys.
    pub fn entries(&self) -> Vec<Entry> {
        self.lock().values().cloned().collect()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<CallKey, Entry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A model whose calls are entered in a book for one stage.
pub struct Booked {
    model: Arc<dyn LanguageModel>,
    stage: String,
    book: Arc<Book>,
}

impl Booked {
    /// The model, asked for this stage.
    pub fn new(model: Arc<dyn LanguageModel>, stage: impl Into<String>, book: Arc<Book>) -> Self {
        Self { model, stage: stage.into(), book }
    }
}

impl LanguageModel for Booked {
    fn name(&self) -> &ModelName {
        self.model.name()
    }

    fn ask<'a>(&'a self, ask: &'a Ask, draw: &'a str) -> Asking<'a> {
        Box::pin(async move {
            let answered = self.model.ask(ask, draw).await;
            let (call, usage, batch, replayed) = match &answered {
                Ok(answered) => (answered.call, answered.reply.usage, answered.batch, answered.replayed),
                // Paid as well, and nobody can read how much it was.
                Err(ModelError::Malformed { call, .. }) => (*call, Usage::default(), false, false),
                Err(_) => return answered,
            };
            let entry = || Entry { stage: self.stage.clone(), model: self.name().clone(), usage, batch, replayed };
            self.book.lock().entry(call).or_insert_with(entry);
            answered
        })
    }
}
