//! Improving the prompts of a manifest's author: pairs, tasks and journal around [`Engine`].

mod bench;
mod error;
mod outcome;
mod plan;
mod watch;
mod workers;

pub(super) use bench::COMPONENTS;
pub use error::OptimizeError;
pub use outcome::{HeldOut, Optimized};
pub use plan::OptimizePlan;

use super::calibrate::{admitted, model_judge};
use super::drawn::Drawn;
use super::models::{Counter, ModelsError};
use super::news::passed_on;
use super::parallel::side_by_side;
use super::run::goes_on;
use super::{BuildError, Manifest, ModelWish, Progress, Rubrics};
use crate::author::optimize::{Ending, Engine, Prompts, Settled};
use crate::author::{BuiltInJudge, Judge, Stop};
use crate::cache::{Flavour, Journal};
use crate::dataset::Role;
use crate::http::Allowance;
use crate::law::RelationType;
use crate::model::{LanguageModel, Purse};
use crate::source::Source;
use crate::view::Standing;
use bench::{Bench, ROLES};
use error::stopped;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use watch::standing;
use workers::Workers;

/// An optimization to be run.
pub struct Optimize<'a> {
    /// The manifest.
    pub manifest: &'a Manifest,
    /// The folder it stands in.
    pub folder: &'a Path,
    /// The rubrics, with the manifest's own laid over.
    pub rubrics: &'a Rubrics,
    /// Where the law comes from.
    pub source: &'a dyn Source,
    /// The folder in which the journals lie.
    pub journal: &'a Path,
    /// No network: the journals, or a clear end.
    pub offline: bool,
    /// When it is halted nothing more is asked.
    pub allowance: Allowance,
    /// Who listens.
    pub progress: &'a dyn Progress,
    /// Who is told, proposal by proposal, how the run stands.
    pub watch: &'a dyn Fn(&Standing),
}

/// Who writes, who judges, and who writes prompts anew.
pub struct Voices {
    /// The author's model.
    pub author: Arc<dyn LanguageModel>,
    /// The judge.
    pub judge: Arc<dyn Judge>,
    /// The model that reflects.
    pub reflection: Arc<dyn LanguageModel>,
}

impl Optimize<'_> {
    /// What [`Optimize::run`] would do.
    ///
    /// # Errors
    /// [`OptimizeError`], as the run itself, but for models.
    pub fn plan(&self) -> Result<OptimizePlan, OptimizeError> {
        self.with(|bench| {
            bench.engine()?;
            let names = bench.seed.components().keys().cloned().collect();
            OptimizePlan::of(self.manifest, self.rubrics, ROLES.map(|role| bench.of(role).len()), names, false)
        })
    }

    /// Improves the prompts; the same call goes on where an earlier one was stopped.
    ///
    /// # Errors
    /// [`OptimizeError`]; [`BuildError::Stopped`] where a limit was reached: the same call goes on.
    pub fn run(&self) -> Result<Optimized, OptimizeError> {
        let writer = self.manifest.writer().ok_or(OptimizeError::NoAuthor)?;
        // What cannot begin asks no model, not even what its server can do.
        self.with(|bench| {
            let engine = bench.engine()?;
            let budget = &self.manifest.budget;
            let (prices, allowance) = (self.rubrics.prices()?, self.allowance.clone());
            let counter = Counter::open(self.journal, budget, prices, allowance, self.offline);
            let counter = counter.map_err(BuildError::from)?;
            passed_on(Some(&counter), self.progress, || {
                // A judge that may not judge a build does not choose its prompts either.
                admitted(bench.stock, self.rubrics, Some(&counter), bench.sample, self.progress, &self.allowance)?;
                let voices = self.voices(bench, writer, &counter).map_err(BuildError::from)?;
                self.go(bench, engine, &voices, Some(counter.purse()))
            })
        })
    }

    /// The models that the manifest names.
    fn voices(&self, bench: &Bench<'_>, writer: &ModelWish, counter: &Counter) -> Result<Voices, ModelsError> {
        let author = counter.model(writer, "write")?;
        let reflection = counter.model(self.manifest.optimize.reflection.as_ref().unwrap_or(writer), "reflect")?;
        let judge: Arc<dyn Judge> = match &self.manifest.judge {
            None => Arc::new(BuiltInJudge::new(bench.rubric.clone(), bench.stock.rules.clone())),
            Some(wish) => model_judge(wish, "judge", &bench.rubric, self.rubrics, Some(counter))?,
        };
        Ok(Voices { author, judge, reflection })
    }

    /// As [`Optimize::run`], with voices of one's own.
    ///
    /// # Errors
    /// As [`Optimize::run`].
    pub fn run_with(&self, voices: &Voices) -> Result<Optimized, OptimizeError> {
        self.with(|bench| self.go(bench, bench.engine()?, voices, None))
    }

    fn go(
        &self,
        bench: &Bench<'_>,
        mut engine: Engine,
        voices: &Voices,
        purse: Option<&Purse>,
    ) -> Result<Optimized, OptimizeError> {
        let path = self.journal.join(format!("optimize-{}.journal", bench.name(self, voices)?.short(16)));
        let (journal, mut proposals) = resumed(&path, self.offline, &mut engine, self.progress)?;
        self.progress.begin("optimize", usize::try_from(self.manifest.optimize.evaluations).unwrap_or(0));
        self.progress.step(usize::try_from(engine.spent()).unwrap_or(0));
        if !proposals.is_empty() {
            (self.watch)(&standing(bench, &engine, purse, None));
        }
        let workers = Workers::new(bench, voices);
        loop {
            goes_on(&self.allowance)?;
            let tasks = engine.tasks();
            if tasks.is_empty() {
                break;
            }
            let answers = side_by_side(&tasks, workers.threads(), |task| workers.does(task));
            let (mut settled, mut stop) = (Vec::new(), None);
            for (task, answer) in tasks.iter().zip(answers) {
                match answer {
                    Err(why) => stop = stop.or(Some(why)),
                    Ok(answer) => {
                        for one in engine.answer(task.id(), answer)? {
                            settled.push((standing(bench, &engine, purse, Some(&one)), one));
                        }
                    }
                }
            }
            // What was settled is kept also where the run stops.
            proposals.extend(self.kept(journal.as_ref(), settled)?);
            if let Some(stop) = stop {
                return Err(stopped(stop));
            }
        }
        let ending = engine.ending().unwrap_or(Ending::Budget);
        let chosen = engine.pool().best().unwrap_or(0);
        let prompts = engine.pool().get(chosen).map_or(&bench.seed, |entry| &*entry.prompts);
        self.progress.end(&format!("{} candidates of {} proposals", engine.pool().entries().len(), proposals.len()));
        Ok(Optimized {
            ending,
            evaluations: engine.spent(),
            out_of: bench.rubric.out_of(),
            chosen,
            prompts: prompts.components().clone(),
            before: bench.seed.components().clone(),
            criteria: bench.rubric.criteria.iter().map(|one| one.name.clone()).collect(),
            selection: bench.of(Role::Select).iter().map(|pair| pair.relation.clone()).collect(),
            silent: engine.pool().silent(),
            held_out: self.held_out(&workers, prompts)?,
            proposals,
        })
    }

    /// Keeps decisions, with one force to disk for all of them, and tells of each how the run stood then.
    fn kept(&self, to: Option<&Journal>, settled: Vec<(Standing, Settled)>) -> Result<Vec<Settled>, OptimizeError> {
        let lines = settled.iter().map(|(_, one)| serde_json::to_string(one).unwrap_or_default());
        let lines: Vec<String> = lines.collect();
        to.map_or(Ok(()), |journal| journal.append_all(lines.iter().map(String::as_str)))?;
        let told = settled.into_iter().map(|(standing, one)| {
            self.progress.step(usize::try_from(one.evaluations).unwrap_or(0));
            (self.watch)(&standing);
            one
        });
        Ok(told.collect())
    }

    /// The prompts at the start and those chosen, on the pairs that nobody saw.
    fn held_out(&self, workers: &Workers<'_>, chosen: &Prompts) -> Result<Vec<HeldOut>, OptimizeError> {
        let bench = workers.bench;
        let pairs = bench.of(Role::Final);
        self.progress.begin("held out", 2 * pairs.len());
        let score = |prompts: &Prompts| {
            let scored = side_by_side(pairs, workers.threads(), |pair| {
                let scored = workers.score(prompts, pair);
                self.progress.step(1);
                scored
            });
            scored.into_iter().collect::<Result<Vec<_>, Stop>>().map_err(stopped)
        };
        let (before, after) = (score(&bench.seed)?, score(chosen)?);
        let mut held: BTreeMap<&RelationType, HeldOut> = BTreeMap::new();
        for (pair, (before, after)) in pairs.iter().zip(before.iter().zip(&after)) {
            let relation = &pair.relation;
            let blank = || HeldOut { relation: relation.clone(), pairs: 0, before: 0, after: 0 };
            let one = held.entry(relation).or_insert_with(blank);
            one.pairs += 1;
            one.before += u64::from(before.score.total);
            one.after += u64::from(after.score.total);
        }
        self.progress.end(&format!("{} pairs", pairs.len()));
        Ok(held.into_values().collect())
    }

    fn with<T>(&self, work: impl FnOnce(&Bench<'_>) -> Result<T, OptimizeError>) -> Result<T, OptimizeError> {
        let drawn = Drawn::of(self.manifest, self.folder, self.rubrics, self.source, self.progress)?;
        goes_on(&self.allowance)?;
        work(&Bench::open(self, &drawn)?)
    }
}

/// The journal at `path`, and an engine that has taken what stands in it. Offline, when others may be writing it, it is only
/// read.
fn resumed(
    path: &Path,
    offline: bool,
    engine: &mut Engine,
    progress: &dyn Progress,
) -> Result<(Option<Journal>, Vec<Settled>), OptimizeError> {
    let (journal, opened) = if offline {
        (None, Journal::peek(path, Flavour::Checked)?)
    } else {
        let (journal, opened) = Journal::open(path, Flavour::Checked)?;
        (Some(journal), opened)
    };
    let lost = "the decision on record there is taken again, and what it rests on is in the journal of calls";
    for warning in opened.damage(path, lost) {
        progress.warn(&warning);
    }
    let mut proposals = Vec::with_capacity(opened.records.len());
    for (nth, line) in (1..).zip(&opened.records) {
        let wrong = |e: serde_json::Error| OptimizeError::Record { path: path.to_path_buf(), nth, why: e.to_string() };
        let settled: Settled = serde_json::from_str(line).map_err(wrong)?;
        engine.replay(&settled).map_err(|error| match opened.bad.first() {
            // Not of another run: what is missing there led to it.
            Some(bad) => OptimizeError::Damaged { path: path.to_path_buf(), line: bad.line, sound: bad.offset },
            None => error.into(),
        })?;
        proposals.push(settled);
    }
    Ok((journal, proposals))
}
