//! Judges tried on good items and on the same items with defects planted in them.

use super::drawn::{Drawn, Stock};
use super::models::{Counter, ModelsError};
use super::news::passed_on;
use super::parallel::{cores, side_by_side};
use super::plan::{PlannedCost, VOTES, WITH_REPAIRS, stage};
use super::run::goes_on;
use super::{BuildError, Manifest, ModelWish, Progress, Rubrics};
use crate::author::{
    BuiltIn, BuiltInJudge, Case, DefectWords, Judge, JudgeError, ModelJudge, Planter, Rubric, Standard, Stop, Trial,
    Trials, reckon, trials,
};
use crate::dataset::{Calibration, Draft, Judgement, Role};
use crate::http::Allowance;
use crate::law::RelationType;
use crate::sample::{Sample, Sampled};
use crate::source::Source;
use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The stage under whose name the calls of a calibration are booked.
pub(super) const CALIBRATE: &str = "calibrate";

/// A calibration to be made: the built-in judge, the manifest's, and those it names for comparison.
pub struct Calibrate<'a> {
    /// The manifest.
    pub manifest: &'a Manifest,
    /// The folder it stands in.
    pub folder: &'a Path,
    /// The rubrics, with the manifest's own laid over.
    pub rubrics: &'a Rubrics,
    /// Where the law comes from.
    pub source: &'a dyn Source,
    /// The folder in which the journal of calls lies.
    pub journal: &'a Path,
    /// No network: the journal, or a clear end.
    pub offline: bool,
    /// When it is halted nothing more is asked.
    pub allowance: Allowance,
    /// How many good items, at most.
    pub items: usize,
    /// The good items, where they are not to be written anew.
    pub given: Option<Vec<Draft>>,
    /// Who listens.
    pub progress: &'a dyn Progress,
}

/// What a calibration would ask.
#[derive(Debug, Clone, serde::Serialize)]
pub struct CalibrationPlan {
    /// Good items.
    pub items: usize,
    /// Items shown to each judge, in all forms.
    pub trials: usize,
    /// What models may cost; none where the built-in judge is the only one.
    pub cost: Option<PlannedCost>,
}

impl Calibrate<'_> {
    /// Asks all judges and reckons.
    ///
    /// # Errors
    /// [`BuildError`], as a build; [`BuildError::Stopped`] where a limit was reached: the same command goes on.
    pub fn run(&self) -> Result<Calibration, BuildError> {
        let prices = self.rubrics.prices()?;
        let open = || Counter::open(self.journal, &self.manifest.budget, prices, self.allowance.clone(), self.offline);
        let counter = (!self.models().is_empty()).then(open).transpose()?;
        self.with(|bench, sample| {
            passed_on(counter.as_ref(), self.progress, || {
                let mut judges: Vec<Arc<dyn Judge>> =
                    vec![Arc::new(BuiltInJudge::new(bench.rubric.clone(), bench.stock.rules.clone()))];
                for wish in self.models() {
                    judges.push(model_judge(wish, CALIBRATE, &bench.rubric, self.rubrics, counter.as_ref())?);
                }
                let trials = bench.trials(&self.good(bench, sample)?, true);
                let threads = self.models().iter().map(|m| m.side_by_side()).fold(cores(), usize::max);
                bench.hear(&judges, &trials, threads, self.progress, &self.allowance)
            })
        })
    }

    /// What [`Calibrate::run`] would ask.
    ///
    /// # Errors
    /// As [`Calibrate::run`], but for models.
    pub fn plan(&self) -> Result<CalibrationPlan, BuildError> {
        self.with(|bench, sample| {
            let good = self.good(bench, sample)?;
            let trials = bench.trials(&good, true).list.len();
            let calls = trials as u64 * VOTES;
            let prices = self.rubrics.prices()?;
            let stage = |wish: &&ModelWish| stage(CALIBRATE, wish, [calls, calls * WITH_REPAIRS], &prices);
            let stages = self.models().iter().map(stage).collect::<Result<Vec<_>, _>>()?;
            let cost = (!stages.is_empty()).then(|| PlannedCost::of(stages, false, self.manifest));
            Ok(CalibrationPlan { items: good.len(), trials, cost })
        })
    }

    /// The manifest's judge, if it is a model, and those it names for comparison.
    fn models(&self) -> Vec<&ModelWish> {
        self.manifest.judge.iter().chain(&self.manifest.calibration.judges).collect()
    }

    fn good(&self, bench: &Bench<'_>, sample: &Sample) -> Result<Vec<Draft>, BuildError> {
        let good = match &self.given {
            Some(given) => given.iter().take(self.items).cloned().collect(),
            None => bench.good(sample, self.items),
        };
        if good.is_empty() { Err(BuildError::NothingGood) } else { Ok(good) }
    }

    fn with<T>(&self, work: impl FnOnce(&Bench<'_>, &Sample) -> Result<T, BuildError>) -> Result<T, BuildError> {
        let drawn = Drawn::of(self.manifest, self.folder, self.rubrics, self.source, self.progress)?;
        let bench = Bench::open(drawn.stock(self.manifest), self.rubrics)?;
        goes_on(&self.allowance)?;
        work(&bench, &drawn.sample)
    }
}

/// Tries the manifest's judge on planted defects, where it is a model and the manifest does not waive it. What a build and an
/// optimization of the same manifest ask for this is the same, so that it is paid for once.
///
/// # Errors
/// [`BuildError::UnderFloor`] where it may not judge, [`BuildError::Stopped`] where it could not be asked.
pub(super) fn admitted(
    stock: Stock<'_>,
    rubrics: &Rubrics,
    counter: Option<&Counter>,
    sample: &Sample,
    progress: &dyn Progress,
    allowance: &Allowance,
) -> Result<Option<Calibration>, BuildError> {
    let items = stock.manifest.calibration.items;
    let Some(wish) = stock.manifest.judge.as_ref().filter(|_| items > 0) else { return Ok(None) };
    let bench = Bench::open(stock, rubrics)?;
    let judge = model_judge(wish, CALIBRATE, &bench.rubric, rubrics, counter)?;
    let good = bench.good(sample, items);
    if good.is_empty() {
        return Err(BuildError::NothingGood);
    }
    let trials = bench.trials(&good, false);
    let calibration = bench.hear(&[judge], &trials, wish.side_by_side(), progress, allowance)?;
    match calibration.judges.iter().find(|judge| !judge.fails.is_empty()) {
        Some(judge) => Err(BuildError::UnderFloor { judge: judge.judge.clone(), why: judge.fails.clone() }),
        None => Ok(Some(calibration)),
    }
}

/// A judge that asks the model wished for.
pub(super) fn model_judge(
    wish: &ModelWish,
    stage: &str,
    rubric: &Rubric,
    rubrics: &Rubrics,
    counter: Option<&Counter>,
) -> Result<Arc<dyn Judge>, ModelsError> {
    let model = counter.ok_or(ModelsError::NoCounter)?.model(wish, stage)?;
    let prompts = rubrics.prompts();
    Ok(Arc::new(ModelJudge::new(model, rubric.clone(), prompts, wish.max_tokens, wish.temperature)))
}

/// What judges are tried with.
struct Bench<'a> {
    stock: Stock<'a>,
    rubric: Rubric,
    words: DefectWords,
    runtime: tokio::runtime::Runtime,
}

impl<'a> Bench<'a> {
    /// # Errors
    /// [`BuildError`]: a rubric that is wrong.
    fn open(stock: Stock<'a>, rubrics: &Rubrics) -> Result<Self, BuildError> {
        let rubric = Rubric::parse(rubrics.file("judge.toml")?)?;
        let words = DefectWords::parse(rubrics.file("defects.toml")?)?;
        Ok(Self { stock, rubric, words, runtime: tokio::runtime::Runtime::new()? })
    }

    /// Up to so many items of the built-in author, from one relation after the other; in each the pairs that are set aside come
    /// last.
    fn good(&self, sample: &Sample, items: usize) -> Vec<Draft> {
        let mut lists: BTreeMap<&RelationType, VecDeque<&Sampled>> = BTreeMap::new();
        let (test, aside): (Vec<_>, Vec<_>) = sample.pairs.iter().partition(|s| s.role == Role::Test);
        for one in test.into_iter().chain(aside) {
            lists.entry(&one.pair.relation).or_default().push_back(one);
        }
        let mut good = Vec::new();
        while good.len() < items && !lists.is_empty() {
            for list in lists.values_mut() {
                let draft = std::iter::from_fn(|| list.pop_front()).find_map(|one| self.draft(one));
                good.extend(draft.filter(|_| good.len() < items));
            }
            lists.retain(|_, list| !list.is_empty());
        }
        good
    }

    fn draft(&self, sampled: &Sampled) -> Option<Draft> {
        BuiltIn.draft(self.stock.assignment(&sampled.pair, 1)).drafts.into_iter().next()
    }

    fn trials(&self, good: &[Draft], bias: bool) -> Trials {
        let Stock { manifest, graph, rules, .. } = self.stock;
        let planter = Planter { graph, rules, words: &self.words, seed: manifest.seed };
        trials(good, &planter, bias)
    }

    /// What all judges say of all trials, as figures.
    ///
    /// # Errors
    /// [`BuildError::Stopped`] or [`BuildError::Missing`] where a model could not be asked.
    fn hear(
        &self,
        judges: &[Arc<dyn Judge>],
        trials: &Trials,
        threads: usize,
        progress: &dyn Progress,
        allowance: &Allowance,
    ) -> Result<Calibration, BuildError> {
        progress.begin("calibrate", judges.len() * trials.list.len());
        let stopped = AtomicBool::new(false);
        let mut said = Vec::new();
        for judge in judges {
            let answers = side_by_side(&trials.list, threads, |trial| {
                let answer = match allowance.spent() {
                    _ if stopped.load(Ordering::Relaxed) => Ok(None),
                    Some(why) => Err(Stop::Limit(why)),
                    None => self.ask(judge.as_ref(), trial),
                };
                stopped.fetch_or(answer.is_err(), Ordering::Relaxed);
                progress.step(1);
                answer
            });
            let answers = answers.into_iter().collect::<Result<Vec<_>, Stop>>().map_err(|stop| match stop {
                Stop::Limit(why) => BuildError::Stopped(why),
                Stop::NotOnRecord(why) => BuildError::Missing(why),
            })?;
            said.push((judge.name(), answers));
        }
        progress.end(&format!("{} judges, {} trials each", judges.len(), trials.list.len()));
        let Stock { manifest, rules, .. } = self.stock;
        let wish = &manifest.calibration;
        let standard = Standard {
            rubric: &self.rubric,
            rules,
            catch_floor: wish.catch_floor,
            alarm_ceiling: wish.alarm_ceiling,
            seed: manifest.seed,
        };
        Ok(reckon(trials, &said, standard))
    }

    /// Levels and a blind answer, where the judge gives one; none where its reply cannot be used.
    fn ask(&self, judge: &dyn Judge, trial: &Trial) -> Result<Option<Judgement>, Stop> {
        let Trial { draft, proofs, order, .. } = trial;
        let case = |blind| Case { draft, proofs, blind, order: *order };
        let said = match self.runtime.block_on(judge.judge(case(true))) {
            Err(JudgeError::NoBlindAnswer) => self.runtime.block_on(judge.judge(case(false))),
            said => said,
        };
        match said {
            Ok(judgement) => Ok(Some(judgement)),
            Err(JudgeError::Model(error)) if error.ends_the_run() => Err(Stop::of(&error)),
            Err(_) => Ok(None),
        }
    }
}
