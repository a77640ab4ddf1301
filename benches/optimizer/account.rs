//! A run on the landscape with what it cost: whoever asks, here or over the wire, asks through it.

use super::landscape::{Kept, Landscape};
use legal_link::author::optimize::Scored;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A run has arrived when it has a candidate of so many hundredths of the optimum.
pub const ARRIVED: u64 = 95;

/// A run of one optimizer on the landscape of one seed.
#[derive(Debug)]
pub struct Account {
    landscape: Arc<Landscape>,
    report: Report,
}

/// What a run came to. Sums are of what items are worth without noise.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// Items written and judged.
    pub evaluations: u64,
    /// Components written anew.
    pub reflections: u64,
    /// Calls of both kinds when the first candidate was accepted that is worth 95 % of the optimum on the selection.
    pub arrived: Option<u64>,
    /// Candidates accepted.
    pub candidates: u64,
    /// The best candidate accepted, on the selection.
    pub best: u64,
    /// The prompts chosen at the end: on the selection, and on the pairs that no optimizer was told of.
    pub chosen: [u64; 2],
    /// The greatest sums that any prompts reach there.
    pub optimum: [u64; 2],
}

impl Account {
    pub fn new(landscape: Arc<Landscape>) -> Self {
        let optimum = [Kept::Select, Kept::Final].map(|kept| landscape.optimum(kept));
        Self { landscape, report: Report { optimum, ..Report::default() } }
    }

    pub fn landscape(&self) -> &Landscape {
        &self.landscape
    }

    pub fn evaluate(&mut self, prompts: &BTreeMap<String, String>, kept: Kept, at: usize) -> Scored {
        self.report.evaluations += 1;
        self.landscape.evaluate(prompts, kept, at)
    }

    pub fn reflect(&mut self, component: &str, text: &str, lessons: &[String]) -> String {
        self.report.reflections += 1;
        self.landscape.reflect(component, text, lessons)
    }

    /// The optimizer has taken these prompts into its pool.
    pub fn accepted(&mut self, prompts: &BTreeMap<String, String>) {
        let worth = self.landscape.truth(prompts, Kept::Select);
        self.report.candidates += 1;
        self.report.best = self.report.best.max(worth);
        if worth * 100 >= ARRIVED * self.report.optimum[0] {
            let calls = self.report.evaluations + self.report.reflections;
            self.report.arrived.get_or_insert(calls);
        }
    }

    /// The optimizer has ended and gives these prompts.
    pub fn chosen(&mut self, prompts: &BTreeMap<String, String>) {
        self.report.chosen = [Kept::Select, Kept::Final].map(|kept| self.landscape.truth(prompts, kept));
    }

    pub fn report(&self) -> &Report {
        &self.report
    }
}
