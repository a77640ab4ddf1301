//! Our engine on the landscape.

use super::account::{Account, Report};
use super::landscape::{Kept, Landscape};
use legal_link::author::optimize::{
    Answer, Engine, Instance, Objections, Prompts, Set, Settings, Settled, Sizes, Task, Verdict,
};
use legal_link::build::OptimizeWish;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// Longest component, in characters.
const LONGEST: usize = 6000;

/// What an optimizer asks of the landscape, here or elsewhere.
pub enum Asked<'a> {
    Evaluate(&'a BTreeMap<String, String>, Instance),
    Reflect(&'a str, &'a BTreeMap<String, String>, Vec<String>),
    /// The prompts have a place in the pool.
    Accepted(&'a BTreeMap<String, String>),
    Chosen(&'a BTreeMap<String, String>),
}

pub fn kept(set: Set) -> Kept {
    match set {
        Set::Reflect => Kept::Reflect,
        Set::Select => Kept::Select,
    }
}

/// What a manifest says that says nothing about it, with the budget and the minibatch that all have here.
pub fn settings(landscape: &Landscape, seed: u64) -> Settings {
    let (wish, budget) = (OptimizeWish::default(), landscape.budget());
    Settings {
        seed,
        minibatch: budget.minibatch,
        evaluations: budget.evaluations,
        side_by_side: 1,
        fronts: wish.fronts,
        acceptance: wish.acceptance,
        perfect: landscape.out_of(),
        merges: wish.merges,
        give_up: wish.give_up,
        parts: wish.parts,
    }
}

/// An engine on this landscape that is not told which component is sent with which pair.
pub fn untold(landscape: &Landscape, settings: Settings) -> Engine {
    let sizes = Sizes { reflect: landscape.size(Kept::Reflect), select: landscape.size(Kept::Select) };
    let start = Prompts::new(landscape.start());
    Engine::new(settings, sizes, start, Objections::new(LONGEST, [])).expect("a budget for one proposal")
}

/// An engine on this landscape, as `build::Optimize` sets it up for the real job.
pub fn engine(landscape: &Landscape, settings: Settings) -> Engine {
    let mut bearing: BTreeMap<String, BTreeSet<Instance>> = BTreeMap::new();
    for set in [Set::Reflect, Set::Select] {
        for at in 0..landscape.size(kept(set)) {
            bearing.entry(landscape.own(kept(set), at)).or_default().insert(Instance { set, at });
        }
    }
    untold(landscape, settings).bearing(bearing)
}

/// Runs to the end, one task after the other; `ask` answers, and is told what came of it.
pub fn run(mut engine: Engine, mut ask: impl FnMut(Asked<'_>) -> Option<Answer>) -> Vec<Settled> {
    let mut open = VecDeque::from(engine.tasks());
    let mut records = Vec::new();
    while let Some(task) = open.pop_front() {
        let asked = match &task {
            Task::Score { prompts, instance, .. } => Asked::Evaluate(prompts.components(), *instance),
            Task::Reflect { component, prompts, lessons, .. } => {
                let heard = lessons.iter().map(|one| one.scored.feedback.clone());
                Asked::Reflect(component, prompts.components(), heard.collect())
            }
        };
        let answer = ask(asked).expect("an answer to a task");
        for settled in engine.answer(task.id(), answer).expect("an open task") {
            if let Verdict::Accepted(place) = settled.verdict {
                let entry = engine.pool().get(place).expect("a candidate");
                ask(Asked::Accepted(entry.prompts.components()));
            }
            records.push(settled);
        }
        open.extend(engine.tasks());
    }
    let best = engine.pool().best().and_then(|place| engine.pool().get(place)).expect("a candidate");
    ask(Asked::Chosen(best.prompts.components()));
    records
}

/// Answers from the landscape in this process.
pub fn here(account: &mut Account, asked: Asked<'_>) -> Option<Answer> {
    match asked {
        Asked::Evaluate(prompts, Instance { set, at }) => {
            Some(Answer::Scored(account.evaluate(prompts, kept(set), at)))
        }
        Asked::Reflect(component, prompts, lessons) => {
            Some(Answer::Text(account.reflect(component, &prompts[component], &lessons)))
        }
        Asked::Accepted(prompts) => {
            account.accepted(prompts);
            None
        }
        Asked::Chosen(prompts) => {
            account.chosen(prompts);
            None
        }
    }
}

/// A run in this process.
pub fn run_here(landscape: &Arc<Landscape>, engine: Engine) -> Report {
    let mut account = Account::new(landscape.clone());
    run(engine, |asked| here(&mut account, asked));
    account.report().clone()
}
