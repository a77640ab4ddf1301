//! Improving the prompts of a manifest's author: pairs, tasks and journal around [`Engine`].

use super::calibrate::model_judge;
use super::drawn::Drawn;
use super::models::{Counter, ModelsError};
use super::parallel::side_by_side;
use super::plan::{PlannedCost, VOTES, WITH_REPAIRS, stage};
use super::wish::quotas;
use super::{BuildError, Manifest, ModelWish, Progress, Rubrics, Undecided};
use crate::author::optimize::{
    Answer, Ending, Engine, EngineError, Forecast, Instance, Objections, Prompts, Reflector, Score, Scored, Set,
    Settings, Settled, Sizes, Task, Verdict, forecast,
};
use crate::author::{
    Assignment, Author as _, BuiltInJudge, Case, Judge, JudgeError, ModelAuthor, Rubric, Stop, addendum,
};
use crate::cache::{Flavour, Journal, JournalError};
use crate::dataset::{Draft, Judgement, Pair, Refusal, Role, option_order};
use crate::graph::RelationGraph;
use crate::law::{Day, Digest, Registry, RelationType};
use crate::model::LanguageModel;
use crate::source::Source;
use crate::verify::{self, Rules, gates};
use crate::view::{Candidate, Gain, Lineage};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The components that are improved; how the reply looks (`claims`) is read by code and stays.
const COMPONENTS: [&str; 2] = ["drafting", "distractors"];

/// The roles of the pairs: reflected on, compared by, kept for the end.
const ROLES: [Role; 3] = [Role::Reflect, Role::Select, Role::Final];

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
    /// Who listens.
    pub progress: &'a dyn Progress,
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

/// What an optimization would do.
#[derive(Debug, Clone, Serialize)]
pub struct OptimizePlan {
    /// Pairs reflected on, compared by, and kept for the end.
    pub pairs: [usize; 3],
    /// The components, by name.
    pub components: Vec<String>,
    /// Evaluations that are allowed.
    pub evaluations: u64,
    /// Proposals that they buy.
    pub proposals: Forecast,
    /// What it may cost.
    pub cost: PlannedCost,
    /// Whether nothing is fetched yet, and as many pairs are reckoned with as [roles] wants.
    pub unfetched: bool,
}

impl OptimizePlan {
    /// What an optimization would do whose documents are not fetched yet: as if every role were filled.
    ///
    /// # Errors
    /// [`OptimizeError`]: a rubric or a quota that is wrong, or no pairs are set aside.
    pub fn before_fetching(manifest: &Manifest, rubrics: &Rubrics) -> Result<Self, OptimizeError> {
        let quotas = quotas(manifest, &rubrics.registry()?).map_err(BuildError::from)?;
        let names = COMPONENTS.iter().map(|name| (*name).to_string()).chain(quotas.keys().map(addendum));
        let of = |role| manifest.roles.get(&role).copied().unwrap_or(0);
        if let Some(role) = [Role::Reflect, Role::Select].into_iter().find(|role| of(*role) == 0) {
            return Err(OptimizeError::NoPairs { role, wanted: 0 });
        }
        Self::of(manifest, rubrics, ROLES.map(of), names.collect(), true)
    }

    fn of(
        manifest: &Manifest,
        rubrics: &Rubrics,
        pairs: [usize; 3],
        components: Vec<String>,
        unfetched: bool,
    ) -> Result<Self, OptimizeError> {
        let writer = manifest.writer().ok_or(OptimizeError::NoAuthor)?;
        let rubric = Rubric::parse(rubrics.file("judge.toml")?).map_err(BuildError::from)?;
        let settings = settings(manifest, &rubric);
        let proposals = forecast(&settings, Sizes { reflect: pairs[0], select: pairs[1] });
        let prices = rubrics.prices()?;
        let items = settings.evaluations + 2 * pairs[2] as u64;
        let reflection = manifest.optimize.reflection.as_ref().unwrap_or(writer);
        let mut stages = vec![
            stage("write", writer, [items, items * WITH_REPAIRS], &prices)?,
            stage("reflect", reflection, [proposals.least, proposals.most * WITH_REPAIRS], &prices)?,
        ];
        if let Some(judge) = &manifest.judge {
            // What a gate refuses is not judged.
            stages.push(stage("judge", judge, [0, items * VOTES * WITH_REPAIRS], &prices)?);
        }
        let cost = PlannedCost::of(stages, unfetched, manifest);
        Ok(Self { pairs, components, evaluations: settings.evaluations, proposals, cost, unfetched })
    }
}

/// How the result does on pairs that the optimizer never saw.
#[derive(Debug, Clone, Serialize)]
pub struct HeldOut {
    /// The relation.
    pub relation: RelationType,
    /// Pairs.
    pub pairs: usize,
    /// Sum of the totals by the prompts at the start.
    pub before: u64,
    /// Sum of the totals by the prompts chosen.
    pub after: u64,
}

/// What came of an optimization.
#[derive(Debug, Clone, Serialize)]
pub struct Optimized {
    /// Why it ended.
    pub ending: Ending,
    /// Evaluations that it took, those for the end apart.
    pub evaluations: u64,
    /// The greatest total of one item.
    pub out_of: u32,
    /// Place in the pool of the prompts chosen.
    pub chosen: usize,
    /// The prompts chosen, by component.
    pub prompts: BTreeMap<String, String>,
    /// The prompts at the start, by component.
    pub before: BTreeMap<String, String>,
    /// The criteria, in the rubric's order.
    pub criteria: Vec<String>,
    /// Pairs of the selection on which no candidate has any point: they have no vote.
    pub silent: usize,
    /// Every proposal and what became of it.
    pub proposals: Vec<Settled>,
    /// The result on the pairs kept for the end, per relation.
    pub held_out: Vec<HeldOut>,
}

/// Why an optimization cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum OptimizeError {
    /// As a build.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The optimizer cannot begin, or its journal is of another run.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The journal of decisions cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A record of the journal cannot be read.
    #[error("{}: record {nth} is no decision ({why}); move the file away to begin anew", path.display())]
    Record {
        /// The journal.
        path: PathBuf,
        /// Which record, from 1.
        nth: usize,
        /// What is wrong.
        why: String,
    },
    /// No model writes.
    #[error("the manifest's author is built in, which has no prompts; name a model under [author]")]
    NoAuthor,
    /// No pairs were set aside.
    #[error(
        "no pairs are set aside for {role} ({wanted} wanted); say how many under [roles], as in `reflect = 75`; pairs of two roles share no act, so that a small source fills few"
    )]
    NoPairs {
        /// The role.
        role: Role,
        /// How many the manifest wants.
        wanted: usize,
    },
}

impl Optimized {
    /// What is to be shown of it.
    pub fn lineage(&self) -> Lineage {
        let mut texts: Vec<BTreeMap<String, String>> = Vec::new();
        let mut lineage = Lineage {
            chosen: self.chosen,
            evaluations: self.evaluations,
            out_of: self.out_of,
            ending: self.ending.to_string(),
            ..Lineage::default()
        };
        let mut used = 0;
        for settled in &self.proposals {
            used += settled.evaluations;
            let cause = match &settled.verdict {
                Verdict::Accepted(_) => None,
                Verdict::Rejected(cause) => Some(cause.kind()),
            };
            if let Some(cause) = cause {
                *lineage.rejected.entry(cause.to_string()).or_default() += 1;
                continue;
            }
            let parents = settled.origin.parents();
            let from = parents.first().and_then(|at| texts.get(*at)).unwrap_or(&self.before).clone();
            let was = |name: &String| from.get(name).cloned().unwrap_or_default();
            let changed = settled.texts.iter().map(|(name, text)| (name.clone(), [was(name), text.clone()])).collect();
            let sum = settled.whole.iter().map(|one| u64::from(one.score.total)).sum();
            let criteria = self.criteria.iter().enumerate().map(|(at, name)| {
                let levels = settled.whole.iter().filter_map(|one| one.score.criteria.get(at));
                (name.clone(), levels.map(|level| u64::from(*level)).sum())
            });
            let criteria = criteria.collect();
            lineage.candidates.push(Candidate { parents, sum, found: used, changed, criteria });
            lineage.compared = (settled.whole.len(), self.silent);
            let mut own = from;
            own.extend(settled.texts.clone());
            texts.push(own);
        }
        let gain = |one: &HeldOut| Gain {
            relation: one.relation.to_string(),
            pairs: one.pairs,
            before: one.before,
            after: one.after,
        };
        lineage.held_out = self.held_out.iter().map(gain).collect();
        lineage
    }
}

impl From<super::RubricsError> for OptimizeError {
    fn from(error: super::RubricsError) -> Self {
        Self::Build(error.into())
    }
}

/// What is the same for a whole run.
struct Bench<'a> {
    manifest: &'a Manifest,
    graph: &'a RelationGraph,
    registry: &'a Registry,
    rules: &'a Rules,
    known_on: Day,
    rubric: Rubric,
    pairs: BTreeMap<Role, Vec<&'a Pair>>,
    base: BTreeMap<String, String>,
    seed: Prompts,
    runtime: tokio::runtime::Runtime,
}

impl Optimize<'_> {
    /// What [`Optimize::run`] would do.
    ///
    /// # Errors
    /// [`OptimizeError`], as the run itself, but for models.
    pub fn plan(&self) -> Result<OptimizePlan, OptimizeError> {
        self.with(|bench| {
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
        let budget = &self.manifest.budget;
        let counter = Counter::open(self.journal, budget, self.rubrics.prices()?, self.offline);
        let counter = counter.map_err(BuildError::from)?;
        let model = |wish, stage| counter.model(wish, stage).map_err(|e: ModelsError| OptimizeError::Build(e.into()));
        let author = model(writer, "write")?;
        let reflection = model(self.manifest.optimize.reflection.as_ref().unwrap_or(writer), "reflect")?;
        let rubric = Rubric::parse(self.rubrics.file("judge.toml")?).map_err(BuildError::from)?;
        let judge: Arc<dyn Judge> = match &self.manifest.judge {
            None => {
                let rules = Rules::parse("checks.toml", self.rubrics.file("checks.toml")?).map_err(BuildError::from)?;
                Arc::new(BuiltInJudge::new(rubric, rules))
            }
            Some(wish) => {
                model_judge(wish, "judge", &rubric, self.rubrics, Some(&counter)).map_err(BuildError::from)?
            }
        };
        self.run_with(&Voices { author, judge, reflection })
    }

    /// As [`Optimize::run`], with voices of one's own.
    ///
    /// # Errors
    /// As [`Optimize::run`].
    pub fn run_with(&self, voices: &Voices) -> Result<Optimized, OptimizeError> {
        self.with(|bench| {
            let settings = settings(self.manifest, &bench.rubric);
            let objections = Objections::new(self.manifest.optimize.longest, bench.passages());
            let engine = Engine::new(settings.clone(), bench.sizes(), bench.seed.clone(), objections)?;
            let mut engine = engine.bearing(bench.bearing());
            let path = self.journal.join(format!("optimize-{}.journal", bench.name(&settings, voices).short(16)));
            let (journal, mut proposals) = resumed(&path, &mut engine)?;
            self.progress.begin("optimize", usize::try_from(settings.evaluations).unwrap_or(0));
            self.progress.step(usize::try_from(engine.spent()).unwrap_or(0));
            let workers = Workers { bench, voices };
            loop {
                let tasks = engine.tasks();
                if tasks.is_empty() {
                    break;
                }
                let answers = side_by_side(&tasks, workers.threads(), |task| workers.does(task));
                for (task, answer) in tasks.iter().zip(answers) {
                    for settled in engine.answer(task.id(), answer.map_err(stopped)?)? {
                        journal.append(&serde_json::to_string(&settled).unwrap_or_default())?;
                        self.progress.step(usize::try_from(settled.evaluations).unwrap_or(0));
                        proposals.push(settled);
                    }
                }
            }
            let ending = engine.ending().unwrap_or(Ending::Budget);
            let chosen = engine.pool().best().unwrap_or(0);
            let prompts = engine.pool().get(chosen).map_or(&bench.seed, |entry| &*entry.prompts);
            self.progress.end(&format!(
                "{} candidates of {} proposals",
                engine.pool().entries().len(),
                proposals.len()
            ));
            Ok(Optimized {
                ending,
                evaluations: engine.spent(),
                out_of: bench.rubric.out_of(),
                chosen,
                prompts: prompts.components().clone(),
                before: bench.seed.components().clone(),
                criteria: bench.rubric.criteria.iter().map(|one| one.name.clone()).collect(),
                silent: engine.pool().silent(),
                held_out: self.held_out(&workers, prompts)?,
                proposals,
            })
        })
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
        work(&Bench::open(self, &drawn)?)
    }
}

fn settings(manifest: &Manifest, rubric: &Rubric) -> Settings {
    let wish = &manifest.optimize;
    Settings {
        seed: manifest.seed,
        minibatch: wish.minibatch,
        evaluations: wish.evaluations,
        side_by_side: wish.side_by_side,
        fronts: wish.fronts,
        acceptance: wish.acceptance,
        perfect: rubric.out_of(),
        merges: wish.merges,
        give_up: wish.give_up,
        parts: wish.parts,
    }
}

/// The journal at `path`, and an engine that has taken what stands in it.
fn resumed(path: &Path, engine: &mut Engine) -> Result<(Journal, Vec<Settled>), OptimizeError> {
    let (journal, opened) = Journal::open(path, Flavour::Checked)?;
    let mut proposals = Vec::with_capacity(opened.records.len());
    for (nth, line) in (1..).zip(&opened.records) {
        let wrong = |e: serde_json::Error| OptimizeError::Record { path: path.to_path_buf(), nth, why: e.to_string() };
        let settled: Settled = serde_json::from_str(line).map_err(wrong)?;
        engine.replay(&settled)?;
        proposals.push(settled);
    }
    Ok((journal, proposals))
}

fn stopped(stop: Stop) -> OptimizeError {
    OptimizeError::Build(match stop {
        Stop::Limit(why) => BuildError::Stopped(why),
        Stop::NotOnRecord(why) => BuildError::Missing(why),
    })
}

impl<'a> Bench<'a> {
    fn open(optimize: &Optimize<'a>, drawn: &'a Drawn) -> Result<Self, OptimizeError> {
        let Drawn { registry, rules, graph, known_on, sample } = drawn;
        let mut pairs: BTreeMap<Role, Vec<&Pair>> = BTreeMap::new();
        for one in &sample.pairs {
            pairs.entry(one.role).or_default().push(&one.pair);
        }
        for role in [Role::Reflect, Role::Select] {
            if !pairs.contains_key(&role) {
                let wanted = optimize.manifest.roles.get(&role).copied().unwrap_or(0);
                return Err(OptimizeError::NoPairs { role, wanted });
            }
        }
        let base = optimize.rubrics.prompts();
        let mut components: BTreeMap<String, String> =
            COMPONENTS.iter().filter_map(|name| Some(((*name).to_string(), base.get(*name)?.clone()))).collect();
        let asked: BTreeSet<&RelationType> = pairs.values().flatten().map(|pair| &pair.relation).collect();
        for relation in asked {
            let name = addendum(relation);
            let words = registry.spec(relation).map(|spec| spec.prompt.clone()).unwrap_or_default();
            let text = base.get(&name).cloned().unwrap_or(words);
            components.insert(name, text);
        }
        Ok(Self {
            manifest: optimize.manifest,
            graph,
            registry,
            rules,
            known_on: *known_on,
            rubric: Rubric::parse(optimize.rubrics.file("judge.toml")?).map_err(BuildError::from)?,
            pairs,
            base,
            seed: Prompts::new(components),
            runtime: tokio::runtime::Runtime::new().map_err(BuildError::from)?,
        })
    }

    fn of(&self, role: Role) -> &[&'a Pair] {
        self.pairs.get(&role).map(Vec::as_slice).unwrap_or_default()
    }

    fn sizes(&self) -> Sizes {
        Sizes { reflect: self.of(Role::Reflect).len(), select: self.of(Role::Select).len() }
    }

    fn pair(&self, instance: Instance) -> Option<&'a Pair> {
        let role = match instance.set {
            Set::Reflect => Role::Reflect,
            Set::Select => Role::Select,
        };
        self.of(role).get(instance.at).copied()
    }

    /// An addendum bears on the pairs of its relation.
    fn bearing(&self) -> BTreeMap<String, BTreeSet<usize>> {
        let mut bearing: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
        for name in self.seed.components().keys().filter(|name| !COMPONENTS.contains(&name.as_str())) {
            bearing.insert(name.clone(), BTreeSet::new());
        }
        for (at, pair) in self.of(Role::Reflect).iter().enumerate() {
            bearing.entry(addendum(&pair.relation)).or_default().insert(at);
        }
        bearing
    }

    /// The words of the acts of all pairs, of which a prompt may not copy a run.
    fn passages(&self) -> impl Iterator<Item = &str> {
        let acts = self.pairs.values().flatten().flat_map(|pair| [&pair.source.celex, &pair.target.celex]);
        let acts: BTreeSet<_> = acts.collect();
        acts.into_iter()
            .filter_map(|celex| self.graph.act(celex))
            .flat_map(|act| act.units.iter().map(|u| u.text.as_str()))
    }

    /// The name of this run: equal settings, prompts, pairs and voices give equal names.
    fn name(&self, settings: &Settings, voices: &Voices) -> Digest {
        let settings = serde_json::to_string(settings).unwrap_or_default();
        let pairs = serde_json::to_string(&self.pairs).unwrap_or_default();
        let voices =
            [voices.author.name().to_string(), voices.judge.name(), voices.reflection.name().to_string()].join(" ");
        let base = Prompts::new(self.base.clone()).digest().to_string();
        let seed = self.seed.digest().to_string();
        Digest::of_fields([&settings, &pairs, &voices, &base, &seed].map(String::as_bytes))
    }

    fn assignment<'b>(&'b self, pair: &'b Pair) -> Assignment<'b> {
        let Self { graph, registry, rules, known_on, .. } = *self;
        Assignment { pair, items: 1, graph, registry, rules, known_on, seed: self.manifest.seed }
    }
}

/// What does the tasks.
struct Workers<'a> {
    bench: &'a Bench<'a>,
    voices: &'a Voices,
}

impl Workers<'_> {
    fn threads(&self) -> usize {
        self.bench.manifest.writer().map_or(1, ModelWish::side_by_side)
    }

    fn does(&self, task: &Task) -> Result<Answer, Stop> {
        match task {
            Task::Score { prompts, instance, .. } => match self.bench.pair(*instance) {
                Some(pair) => self.score(prompts, pair).map(Answer::Scored),
                None => Ok(Answer::Scored(Scored::default())),
            },
            Task::Reflect { component, prompts, lessons, .. } => {
                let wish = self.bench.manifest.optimize.reflection.as_ref().or(self.bench.manifest.writer());
                let instructions = self.bench.base.get("reflection").cloned().unwrap_or_default();
                let (tokens, temperature) = wish.map_or((1500, None), |wish| (wish.max_tokens, wish.temperature));
                let reflector = Reflector::new(self.voices.reflection.clone(), instructions, tokens, temperature);
                let text = self.bench.runtime.block_on(reflector.reflect(component, prompts, lessons))?;
                Ok(text.map_or_else(Answer::NoText, Answer::Text))
            }
        }
    }

    /// One item by these prompts: what the gates and the judge make of it.
    fn score(&self, prompts: &Prompts, pair: &Pair) -> Result<Scored, Stop> {
        let bench = self.bench;
        let mut all = bench.base.clone();
        all.extend(prompts.components().clone());
        let (tokens, temperature) =
            self.bench.manifest.writer().map_or((1500, None), |wish| (wish.max_tokens, wish.temperature));
        let author = ModelAuthor::new(self.voices.author.clone(), all, tokens, temperature, 1);
        let mut written = bench.runtime.block_on(author.write(bench.assignment(pair)));
        if let Some(stop) = author.stopped() {
            return Err(stop);
        }
        let Some(draft) = written.drafts.pop() else {
            return Ok(written.refusals.pop().map(|refusal| refused(&refusal)).unwrap_or_default());
        };
        let undecided = match bench.manifest.undecided {
            Undecided::Refuse => verify::Undecided::Refuse,
            Undecided::Judge => verify::Undecided::Judge,
        };
        let passed = match gates(&draft, bench.graph, bench.rules, undecided) {
            Ok(passed) => passed,
            Err(refusal) => return Ok(refused(&refusal)),
        };
        let item = draft.item_id();
        let order = option_order(item.as_str(), bench.manifest.seed, 0);
        let case = Case { draft: &draft, proofs: &passed.proofs, blind: passed.needs_judge, order };
        match bench.runtime.block_on(self.voices.judge.judge(case)) {
            Ok(judgement) if passed.needs_judge && judgement.agrees != Some(true) => Ok(no_item(
                &draft,
                "judge",
                "code left a claim undecided, and the judge does not answer with the key alone",
            )),
            Ok(judgement) => Ok(judged(&draft, &judgement, &bench.rubric)),
            Err(JudgeError::Model(error)) if error.ends_the_run() => Err(Stop::of(&error)),
            Err(error) => Ok(no_item(&draft, "judge", &error.to_string())),
        }
    }
}

fn refused(refusal: &Refusal) -> Scored {
    match &refusal.draft {
        Some(draft) => no_item(draft, &refusal.gate, &refusal.reason),
        None => Scored {
            score: Score::default(),
            feedback: format!("No question came of it ({}): {}", refusal.gate, refusal.reason),
        },
    }
}

fn no_item(draft: &Draft, gate: &str, reason: &str) -> Scored {
    Scored { score: Score::default(), feedback: format!("{}Refused ({gate}): {reason}", question(draft)) }
}

fn judged(draft: &Draft, judgement: &Judgement, rubric: &Rubric) -> Scored {
    let weighed = rubric.criteria.iter().zip(&judgement.levels);
    let criteria = weighed.map(|(criterion, (_, level, _))| criterion.weight * u32::from(*level)).collect();
    let mut feedback = question(draft);
    let _ = writeln!(feedback, "{} of {} points.", judgement.total, judgement.out_of);
    for (name, level, reason) in &judgement.levels {
        let _ = writeln!(feedback, "- {name}: level {level} of 5. {reason}");
    }
    Scored { score: Score { total: judgement.total, criteria }, feedback }
}

fn question(draft: &Draft) -> String {
    let mut text = format!("{}\n", draft.stem);
    for (option, mark) in draft.options.iter().zip(["(key)", "", "", ""]) {
        let _ = writeln!(text, "- {} {mark}", option.text);
    }
    text
}
