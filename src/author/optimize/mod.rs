//! Improving prompts by reflection: GEPA (Agrawal et al., arXiv 2507.19457) with integer scores and a hard budget.
//!
//! An [`Engine`] decides and does nothing: it hands out [`Task`]s (score these prompts on that pair; write this
//! component anew in the light of these faults), takes the answers in any order, and applies them in the order in
//! which the tasks were given. So the same seed and the same answers make the same run, however many proposals are
//! under way. What it decided is a list of [`Settled`] records, one per proposal; an engine that is given the
//! records of an earlier run goes on where that stopped.

mod budget;
mod draws;
mod engine;
mod merge;
mod objection;
mod pool;
mod proposal;
mod record;
mod reflection;
mod settings;

pub use budget::{Forecast, forecast};
pub use engine::{Ending, Engine, EngineError};
pub use objection::{Objection, Objections, without_marks};
pub use pool::{Entry, Pool, Prompts};
pub use proposal::{Answer, Lesson, Task, TaskId};
pub use record::{Cause, Origin, Round, Score, Scored, Settled, Tried, Verdict};
pub use reflection::Reflector;
pub use settings::{Acceptance, Fronts, Instance, Parts, Set, Settings, Sizes};

#[cfg(test)]
mod parity;
#[cfg(test)]
mod tests;
