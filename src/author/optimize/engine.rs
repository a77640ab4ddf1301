//! The optimizer: which candidate is reflected on next, what is done with what comes of it, and when to stop.

use super::budget::costs;
use super::draws::{Draws, Minibatches};
use super::merge::{self, Triple};
use super::objection::Objections;
use super::pool::{Pool, Prompts};
use super::proposal::{Answer, Outlook, Proposal, Stage, Start, Task, TaskId};
use super::record::{Origin, Round, Scored, Settled, Verdict};
use super::settings::{Instance, Set, Settings, Sizes};
use crate::law::Digest;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::Arc;

/// Why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// What is left of the budget may not be enough for one more proposal.
    Budget,
    /// The best candidate has the greatest score on every pair.
    Perfect,
    /// So many proposals in a row cost nothing and gave nothing.
    Barren(u32),
}

impl std::fmt::Display for Ending {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Budget => f.write_str("the budget is used"),
            Self::Perfect => f.write_str("the best candidate is perfect"),
            Self::Barren(n) => write!(f, "{n} proposals in a row gave nothing"),
        }
    }
}

/// An answer or a record that does not belong to this run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// The budget does not even pay for the start and one proposal.
    #[error(
        "{evaluations} evaluations buy no proposal: the start costs {start}, and one proposal up to {proposal} more"
    )]
    Budget {
        /// The budget.
        evaluations: u64,
        /// What the start costs.
        start: u64,
        /// What a proposal costs at the most.
        proposal: u64,
    },
    /// A set of pairs is empty, or there is no component.
    #[error("there is nothing to optimize: {0}")]
    Nothing(&'static str),
    /// The answer is to no open task.
    #[error("an answer came to a task that is not open (proposal {proposal})")]
    NoSuchTask {
        /// Its proposal.
        proposal: u64,
    },
    /// A record of an earlier run is of another one.
    #[error("record {number} is of another run: {why}; the settings, the seed, the prompts or the pairs differ")]
    Foreign {
        /// The record's number.
        number: u64,
        /// In what.
        why: &'static str,
    },
}

/// The optimizer's whole state. It does nothing by itself: see the [module](super).
///
/// ```
/// use legal_link::author::optimize::{Answer, Engine, Objections, Prompts, Scored, Score, Settings, Sizes, Task};
/// let seed = Prompts::new([("rules".to_string(), "Write.".to_string())].into());
/// let settings = Settings::reference(1, 60, 10);
/// let mut engine = Engine::new(settings, Sizes { reflect: 3, select: 3 }, seed, Objections::new(500, [])).unwrap();
/// let mut tasks = std::collections::VecDeque::from(engine.tasks());
/// while let Some(task) = tasks.pop_front() {
///     let answer = match &task {
///         // An item is as good as its prompt is long.
///         Task::Score { prompts, .. } => {
///             let total = prompts.text("rules").len().min(10) as u32;
///             Answer::Scored(Scored { score: Score { total, criteria: vec![] }, feedback: "longer".to_string() })
///         }
///         Task::Reflect { prompts, component, .. } => Answer::Text(format!("{}!", prompts.text(component))),
///     };
///     engine.answer(task.id(), answer).unwrap();
///     tasks.extend(engine.tasks());
/// }
/// let best = engine.pool().get(engine.pool().best().unwrap()).unwrap();
/// assert_eq!(best.prompts.text("rules"), "Write.!!!!");
/// ```
#[derive(Debug)]
pub struct Engine {
    settings: Settings,
    sizes: Sizes,
    objections: Objections,
    components: Vec<String>,
    only: BTreeMap<String, BTreeSet<Instance>>,
    pool: Pool,
    draws: Draws,
    /// Of all pairs.
    minibatches: Minibatches,
    /// By component, of the pairs that it is sent with, where these are not all.
    own_minibatches: BTreeMap<String, Minibatches>,
    under_way: VecDeque<Proposal>,
    begun: u64,
    settled: u64,
    spent: u64,
    reserved: u64,
    /// Scores that are known, and since how many settled proposals.
    known: HashMap<(Digest, Instance), (Scored, u64)>,
    /// Prompts that were tried, and since how many settled proposals.
    tried: HashMap<Digest, u64>,
    merged: BTreeSet<Triple>,
    merge_due: bool,
    barren: u32,
    ending: Option<Ending>,
}

impl Engine {
    /// An optimizer of these prompts, at its start.
    ///
    /// # Errors
    /// [`EngineError::Budget`] and [`EngineError::Nothing`].
    pub fn new(settings: Settings, sizes: Sizes, seed: Prompts, objections: Objections) -> Result<Self, EngineError> {
        let (start, proposal) = costs(&settings, sizes);
        let nothing = match () {
            () if sizes.reflect == 0 => Some("no pair to reflect on"),
            () if sizes.select == 0 => Some("no pair to compare candidates by"),
            () if seed.components().is_empty() => Some("no component"),
            () => None,
        };
        if let Some(nothing) = nothing {
            return Err(EngineError::Nothing(nothing));
        }
        let evaluations = settings.evaluations;
        if evaluations < start + proposal {
            return Err(EngineError::Budget { evaluations, start, proposal });
        }
        let mut engine = Self {
            components: seed.components().keys().cloned().collect(),
            only: BTreeMap::new(),
            pool: Pool::new(settings.fronts),
            draws: Draws::new(settings.seed),
            minibatches: Minibatches::new(settings.seed, 0..sizes.reflect),
            own_minibatches: BTreeMap::new(),
            under_way: VecDeque::new(),
            begun: 1,
            settled: 0,
            spent: 0,
            reserved: start,
            known: HashMap::new(),
            tried: HashMap::new(),
            merged: BTreeSet::new(),
            merge_due: false,
            barren: 0,
            ending: None,
            settings,
            sizes,
            objections,
        };
        let origin = Start { number: 0, origin: Origin::Seed, reserved: start, settled: 0 };
        let seed = engine.looking(0, |look| Proposal::seed(origin, Arc::new(seed), look));
        engine.under_way.push_back(seed);
        Ok(engine)
    }

    /// Says of some components which pairs they are sent with (all, of those not named): other pairs teach nothing about
    /// them, and on those it changes nothing that they are written anew. To be said before the first task is asked for.
    #[must_use]
    pub fn bearing(mut self, only: BTreeMap<String, BTreeSet<Instance>>) -> Self {
        for (component, pairs) in &only {
            let places = pairs.iter().filter(|pair| pair.set == Set::Reflect).map(|pair| pair.at);
            let seed = Digest::of_fields([&self.settings.seed.to_be_bytes(), component.as_bytes()]);
            let seed = seed.as_bytes()[..8].iter().fold(0, |seed, byte| seed << 8 | u64::from(*byte));
            self.own_minibatches.insert(component.clone(), Minibatches::new(seed, places));
        }
        self.only = only;
        self
    }

    fn bears(&self, component: &str, pair: Instance) -> bool {
        self.only.get(component).is_none_or(|pairs| pairs.contains(&pair))
    }

    /// The candidates so far.
    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    /// Evaluations that settled proposals cost.
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// Proposals settled, the prompts at the start among them.
    pub fn settled(&self) -> u64 {
        self.settled
    }

    /// Why the run ended; `None` while there is something to do.
    pub fn ending(&self) -> Option<Ending> {
        self.ending.filter(|_| self.under_way.is_empty())
    }

    /// The tasks that can be done now and were not given before, in their order. All answers are in where this is empty
    /// and none is under way: then the run has [ended](Engine::ending).
    pub fn tasks(&mut self) -> Vec<Task> {
        self.under_way.iter_mut().flat_map(Proposal::tasks).collect()
    }

    /// Takes an answer, and gives what is settled by it, in the order of the proposals: to be kept before anything else.
    ///
    /// # Errors
    /// [`EngineError::NoSuchTask`].
    pub fn answer(&mut self, id: TaskId, answer: Answer) -> Result<Vec<Settled>, EngineError> {
        // Apart, while it looks at the engine.
        let mut under_way = std::mem::take(&mut self.under_way);
        let one = under_way.iter_mut().find(|one| one.start.number == id.proposal);
        let taken = one.is_some_and(|one| {
            self.looking(one.start.settled, |look| {
                let taken = one.answer(id, answer, look);
                one.advance(look);
                taken
            })
        });
        self.under_way = under_way;
        if taken { Ok(self.settle()) } else { Err(EngineError::NoSuchTask { proposal: id.proposal }) }
    }

    /// Takes a record of an earlier run in place of the tasks that led to it.
    ///
    /// # Errors
    /// [`EngineError::Foreign`] where this run would not have come to it.
    pub fn replay(&mut self, record: &Settled) -> Result<(), EngineError> {
        let foreign = |why| EngineError::Foreign { number: record.number, why };
        let next = self.under_way.front().ok_or_else(|| foreign("the run had ended"))?;
        let whole = match record.verdict {
            Verdict::Accepted(place) if place != self.pool.entries().len() => return Err(foreign("its place")),
            Verdict::Accepted(_) => self.sizes.select,
            Verdict::Rejected(_) => record.whole.len(),
        };
        let known = |name: &String| self.components.contains(name);
        match () {
            () if next.start.number != record.number => return Err(foreign("its number")),
            () if next.start.origin != record.origin => return Err(foreign("where it comes from")),
            () if record.whole.len() != whole => return Err(foreign("the pairs it is compared by")),
            () if !record.texts.keys().all(known) => return Err(foreign("its components")),
            () => {}
        }
        if let Some(proposal) = self.under_way.pop_front() {
            self.enter(&proposal, record);
            self.begin();
        }
        Ok(())
    }

    /// Settles those in front whose end is known, and begins others in their place.
    fn settle(&mut self) -> Vec<Settled> {
        let mut settled = Vec::new();
        while let Some(Stage::Ended(result)) = self.under_way.front().map(|one| &one.stage) {
            let verdict = match result {
                Ok(()) => Verdict::Accepted(self.pool.entries().len()),
                Err(cause) => Verdict::Rejected(cause.clone()),
            };
            let Some(mut proposal) = self.under_way.pop_front() else { break };
            let record = Settled {
                number: proposal.start.number,
                origin: proposal.start.origin.clone(),
                texts: proposal.differs(),
                rounds: std::mem::take(&mut proposal.rounds),
                trial: std::mem::take(&mut proposal.trial),
                whole: std::mem::take(&mut proposal.whole).into_values().collect(),
                nothing: std::mem::take(&mut proposal.nothing),
                evaluations: proposal.evaluations,
                verdict,
            };
            self.enter(&proposal, &record);
            settled.push(record);
            self.begin();
        }
        settled
    }

    /// What a settled proposal changes.
    fn enter(&mut self, proposal: &Proposal, record: &Settled) {
        self.settled += 1;
        self.spent += record.evaluations;
        self.reserved -= proposal.start.reserved;
        let refused = matches!(record.verdict, Verdict::Rejected(_));
        self.barren = if refused && record.evaluations == 0 { self.barren + 1 } else { 0 };
        let prompts = Arc::new(proposal.from.with(&record.texts));
        self.remember(proposal, record, &prompts);
        if refused {
            return;
        }
        self.merge_due = !matches!(record.origin, Origin::Seed | Origin::Merge { .. });
        let place = self.pool.add(prompts, record.number, record.origin.clone(), record.whole.clone());
        let parent = match record.origin {
            Origin::Reflection { parent, .. } => self.pool.get(parent).map_or(0, |entry| entry.reflected),
            Origin::Seed | Origin::Merge { .. } => 0,
        };
        if let Some(entry) = self.pool.get_mut(place) {
            entry.reflected = parent;
        }
    }

    /// Keeps what was learned of prompts: scores on the minibatches, and that they were tried.
    fn remember(&mut self, proposal: &Proposal, record: &Settled, prompts: &Arc<Prompts>) {
        let since = self.settled;
        if !record.texts.is_empty() || matches!(record.origin, Origin::Seed) {
            self.tried.entry(prompts.digest()).or_insert(since);
        }
        let Origin::Reflection { rounds, .. } = &record.origin else { return };
        let mut current = proposal.from.clone();
        for (round, tried) in rounds.iter().zip(&record.rounds) {
            self.know(&current, round, &tried.before, since);
            let Some(text) = &tried.text else { continue };
            let child = Arc::new(current.with(&BTreeMap::from([(round.component.clone(), text.clone())])));
            self.tried.entry(child.digest()).or_insert(since);
            self.know(&child, round, &tried.after, since);
            if tried.refused.is_none() {
                current = child;
            }
        }
    }

    fn know(&mut self, prompts: &Prompts, round: &Round, scores: &[Scored], since: u64) {
        for (at, scored) in round.minibatch.iter().zip(scores) {
            let instance = Instance { set: Set::Reflect, at: *at };
            let sent = prompts.digest_of(|component| self.bears(component, instance));
            self.known.entry((sent, instance)).or_insert_with(|| (scored.clone(), since));
        }
    }

    /// Begins proposals while there is room for them and money for the dearest.
    fn begin(&mut self) {
        let (_, dear) = costs(&self.settings, self.sizes);
        while self.under_way.len() < self.settings.side_by_side.max(1) && self.ending.is_none() {
            let perfect = self.sizes.select as u64 * u64::from(self.settings.perfect);
            let best = self.pool.best().and_then(|place| self.pool.get(place)).map_or(0, |entry| entry.sum);
            self.ending = match () {
                () if best >= perfect => Some(Ending::Perfect),
                () if self.barren >= self.settings.give_up.max(1) => Some(Ending::Barren(self.barren)),
                () if self.spent + self.reserved + dear > self.settings.evaluations && self.under_way.is_empty() => {
                    Some(Ending::Budget)
                }
                // What is under way may cost less than was put by for it.
                () if self.spent + self.reserved + dear > self.settings.evaluations => return,
                () => None,
            };
            if self.ending.is_none() {
                let mut one = self.merge(dear).unwrap_or_else(|| self.reflection(dear));
                self.looking(one.start.settled, |look| one.advance(look));
                self.begun += 1;
                self.reserved += dear;
                self.under_way.push_back(one);
            }
        }
    }

    fn merge(&mut self, reserved: u64) -> Option<Proposal> {
        let left = self.merged.len() < self.settings.merges as usize;
        if !std::mem::take(&mut self.merge_due) || !left {
            return None;
        }
        let most = 2 * self.settings.minibatch.min(self.sizes.reflect).max(1);
        let found = merge::find(&self.pool, &mut self.draws, &self.merged, most)?;
        self.merged.insert((found.of, found.ancestor));
        let [Some(first), Some(second)] = found.of.map(|place| self.pool.get(place)) else { return None };
        let origin = Origin::Merge { of: found.of, ancestor: found.ancestor, trial: found.trial };
        let start = self.start(origin, reserved);
        Some(self.looking(self.settled, |look| {
            Proposal::merge(start, [first, second], found.texts, self.pool.bests(), look)
        }))
    }

    fn reflection(&mut self, reserved: u64) -> Proposal {
        // On fronts where nobody has any score nobody has a vote; while that is all of them, the latest is drawn.
        let parent = self.draws.weighted(self.pool.votes().iter().copied()).or(self.pool.best()).unwrap_or(0);
        let rounds = (0..self.settings.parts.rounds.max(1)).map(|_| self.round(parent)).collect();
        let start = self.start(Origin::Reflection { parent, rounds }, reserved);
        let entry = &self.pool.entries()[parent];
        self.looking(self.settled, |look| Proposal::reflection(start, entry, self.pool.bests(), look))
    }

    /// The component that is reflected on next, and in the light of which pairs.
    fn round(&mut self, parent: usize) -> Round {
        let size = self.settings.minibatch.max(1);
        if self.settings.parts.own_pairs {
            let at = self.in_turn(parent, &[]);
            let component = self.components[at].clone();
            let minibatches = self.own_minibatches.get_mut(&component).unwrap_or(&mut self.minibatches);
            return Round { minibatch: minibatches.next(size), component };
        }
        let minibatch = self.minibatches.next(size);
        let at = self.in_turn(parent, &minibatch);
        Round { component: self.components[at].clone(), minibatch }
    }

    /// Whether a component bears on one of these pairs, or, where there are none yet, on any.
    fn teaches(&self, at: usize, minibatch: &[usize]) -> bool {
        let component = &self.components[at];
        let bears = |at: &usize| self.bears(component, Instance { set: Set::Reflect, at: *at });
        if minibatch.is_empty() { (0..self.sizes.reflect).any(|at| bears(&at)) } else { minibatch.iter().any(bears) }
    }

    /// The parent's next component, round and round, of those that the minibatch teaches something about.
    fn in_turn(&mut self, parent: usize, minibatch: &[usize]) -> usize {
        let count = self.components.len();
        let from = self.pool.get(parent).map_or(0, |entry| entry.reflected);
        let at = (from..from + count).find(|at| self.teaches(at % count, minibatch)).unwrap_or(from);
        if let Some(entry) = self.pool.get_mut(parent) {
            entry.reflected = at + 1;
        }
        at % count
    }

    fn start(&self, origin: Origin, reserved: u64) -> Start {
        Start { number: self.begun, origin, reserved, settled: self.settled }
    }

    /// Lets a proposal look at what was settled when it began.
    fn looking<T>(&self, settled: u64, f: impl FnOnce(&Outlook<'_>) -> T) -> T {
        let known = |sent: Digest, instance: Instance| {
            let found = self.known.get(&(sent, instance)).filter(|(_, since)| *since <= settled);
            found.map(|(scored, _)| scored.clone())
        };
        let tried = |prompts: Digest| self.tried.get(&prompts).is_some_and(|since| *since <= settled);
        let bears = |component: &str, pair: Instance| self.bears(component, pair);
        let order = |number: u64| self.order(number);
        f(&Outlook {
            settings: &self.settings,
            objections: &self.objections,
            select: self.sizes.select,
            known: &known,
            tried: &tried,
            bears: &bears,
            order: &order,
        })
    }

    /// The order in which a proposal walks through the selection.
    fn order(&self, number: u64) -> Vec<usize> {
        let key = |at: &usize| {
            let fields = [self.settings.seed, number, *at as u64].map(u64::to_be_bytes);
            Digest::of_fields(std::iter::once(b"leg".as_slice()).chain(fields.iter().map(<[u8; 8]>::as_slice)))
        };
        let mut order: Vec<usize> = (0..self.sizes.select).collect();
        order.sort_by_cached_key(key);
        order
    }
}
