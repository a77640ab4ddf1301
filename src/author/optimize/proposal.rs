//! A proposal on its way, from its origin to its verdict.

use super::objection::Objections;
use super::pool::{Entry, Prompts};
use super::record::{Cause, Origin, Round, Score, Scored, Tried, sum};
use super::settings::{Acceptance, Instance, Set, Settings};
use crate::law::Digest;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// A task's name: which proposal, how many stages it had gone through, which place in this one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId {
    pub(super) proposal: u64,
    pub(super) stage: u32,
    pub(super) at: usize,
}

/// Something to be done outside.
#[derive(Debug, Clone)]
pub enum Task {
    /// Write and judge an item by these prompts; the answer is [`Answer::Scored`].
    Score {
        /// Its name.
        id: TaskId,
        /// The prompts.
        prompts: Arc<Prompts>,
        /// The pair.
        instance: Instance,
    },
    /// Write a component anew; the answer is [`Answer::Text`] or [`Answer::NoText`].
    Reflect {
        /// Its name.
        id: TaskId,
        /// Which component.
        component: String,
        /// All prompts as they are.
        prompts: Arc<Prompts>,
        /// How they did.
        lessons: Vec<Lesson>,
    },
}

impl Task {
    /// Its name.
    pub fn id(&self) -> TaskId {
        match self {
            Self::Score { id, .. } | Self::Reflect { id, .. } => *id,
        }
    }
}

/// What became of one pair, for reflection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lesson {
    /// The pair.
    pub instance: Instance,
    /// Its score and the reasons.
    pub scored: Scored,
}

/// The answer to a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// To [`Task::Score`].
    Scored(Scored),
    /// To [`Task::Reflect`]: the component's new text.
    Text(String),
    /// To [`Task::Reflect`]: why there is none.
    NoText(String),
}

/// Scores that are wanted of some prompts.
#[derive(Debug, Clone)]
pub(super) struct Wanted {
    prompts: Arc<Prompts>,
    instances: Vec<Instance>,
    got: Vec<Option<Scored>>,
    /// How many of them are still to come.
    open: usize,
    handed: bool,
}

/// How far a proposal is.
#[derive(Debug, Clone)]
pub(super) enum Stage {
    /// Its parent is scored on the minibatch.
    Before(Wanted),
    /// Its text is written.
    Reflection { handed: bool },
    /// It is scored on the minibatch, or on a merge's trial.
    After(Wanted),
    /// It is scored on a leg of the selection.
    Leg(Wanted),
    /// It is scored on what is left of the selection.
    Whole(Wanted),
    /// All is known.
    Ended(Result<(), Cause>),
}

/// What a proposal sees of the world: what was settled when it began. What is settled while it is under way it does
/// not see, so that it does not matter which answer comes first.
pub(super) struct Outlook<'a> {
    pub settings: &'a Settings,
    pub objections: &'a Objections,
    /// Pairs of the selection.
    pub select: usize,
    /// A score that was known then, by what is sent with a pair.
    pub known: &'a dyn Fn(Digest, Instance) -> Option<Scored>,
    /// Whether these prompts were tried by then.
    pub tried: &'a dyn Fn(Digest) -> bool,
    /// Whether a component is sent with a pair.
    pub bears: &'a dyn Fn(&str, Instance) -> bool,
    /// The order in which the selection is walked.
    pub order: &'a dyn Fn(u64) -> Vec<usize>,
}

impl Outlook<'_> {
    /// The digest of what is sent with a pair.
    pub fn sent(&self, prompts: &Prompts, instance: Instance) -> Digest {
        prompts.digest_of(|component| (self.bears)(component, instance))
    }
}

/// What a proposal begins with.
#[derive(Debug, Clone)]
pub(super) struct Start {
    pub number: u64,
    pub origin: Origin,
    /// Evaluations put by for it.
    pub reserved: u64,
    /// How many proposals were settled when it began.
    pub settled: u64,
}

/// A candidate that a proposal comes from.
#[derive(Debug, Clone)]
struct Kin {
    prompts: Arc<Prompts>,
    scores: Arc<[Score]>,
}

impl Kin {
    fn of(entry: &Entry) -> Self {
        Self { prompts: entry.prompts.clone(), scores: entry.scores.clone() }
    }

    fn sum(&self, places: impl Iterator<Item = usize>) -> u64 {
        places.filter_map(|at| self.scores.get(at)).map(|score| u64::from(score.total)).sum()
    }
}

/// A proposal on its way.
#[derive(Debug, Clone)]
pub(super) struct Proposal {
    pub start: Start,
    /// The prompts that it changes.
    pub from: Arc<Prompts>,
    /// What it is so far.
    pub prompts: Arc<Prompts>,
    /// The components that differ.
    pub texts: BTreeMap<String, String>,
    /// What became of its reflections so far.
    pub rounds: Vec<Tried>,
    /// How a merge did on its trial.
    pub trial: Vec<Score>,
    pub stage: Stage,
    /// Stages that it has gone through.
    gone: u32,
    /// What is known of it on the selection.
    pub whole: BTreeMap<usize, Score>,
    /// Why it got nothing, where it did.
    pub nothing: BTreeMap<usize, String>,
    /// The order in which it walks through the selection; empty before its first leg.
    walk: Vec<usize>,
    /// Whom it comes from.
    kin: Vec<Kin>,
    /// The best totals on the selection.
    best: Vec<u32>,
    /// What it learned by itself: scores, by what was sent, and prompts that were tried.
    learned: HashMap<(Digest, Instance), Scored>,
    own: BTreeSet<Digest>,
    pub evaluations: u64,
}

impl Proposal {
    /// The prompts at the start.
    pub fn seed(start: Start, prompts: Arc<Prompts>, look: &Outlook<'_>) -> Self {
        let mut seed = Self::blank(start, prompts);
        seed.stage = seed.whole_stage(look);
        seed
    }

    /// Components of `parent` to be written anew. `best` are the best totals on the selection.
    pub fn reflection(start: Start, parent: &Entry, best: &[u32], look: &Outlook<'_>) -> Self {
        let mut one = Self::blank(start, parent.prompts.clone());
        one.kin = vec![Kin::of(parent)];
        one.best = best.to_vec();
        one.stage = one.next_round(look);
        one
    }

    /// The first of two candidates with these texts.
    pub fn merge(
        start: Start,
        of: [&Entry; 2],
        texts: BTreeMap<String, String>,
        best: &[u32],
        look: &Outlook<'_>,
    ) -> Self {
        let mut one = Self::blank(start, of[0].prompts.clone());
        one.kin = of.map(Kin::of).into();
        one.best = best.to_vec();
        one.take(texts);
        one.stage = if look.settings.parts.no_repeats && (look.tried)(one.prompts.digest()) {
            Stage::Ended(Err(Cause::Repeated))
        } else {
            Stage::After(one.wanted(&one.prompts.clone(), selected(one.places_of_trial()), look))
        };
        one
    }

    fn blank(start: Start, from: Arc<Prompts>) -> Self {
        Self {
            start,
            prompts: from.clone(),
            from,
            texts: BTreeMap::new(),
            rounds: Vec::new(),
            trial: Vec::new(),
            stage: Stage::Ended(Ok(())),
            gone: 0,
            whole: BTreeMap::new(),
            nothing: BTreeMap::new(),
            walk: Vec::new(),
            kin: Vec::new(),
            best: Vec::new(),
            learned: HashMap::new(),
            own: BTreeSet::new(),
            evaluations: 0,
        }
    }

    fn take(&mut self, texts: BTreeMap<String, String>) {
        self.prompts = Arc::new(self.prompts.with(&texts));
        self.texts.extend(texts);
    }

    /// The round that it is in, or that comes next.
    fn round(&self, nth: usize) -> Option<&Round> {
        match &self.start.origin {
            Origin::Reflection { rounds, .. } => rounds.get(nth),
            Origin::Seed | Origin::Merge { .. } => None,
        }
    }

    fn minibatch(&self, nth: usize) -> Vec<Instance> {
        let places = self.round(nth).map(|round| round.minibatch.as_slice()).unwrap_or_default();
        places.iter().map(|at| Instance { set: Set::Reflect, at: *at }).collect()
    }

    fn places_of_trial(&self) -> Vec<usize> {
        match &self.start.origin {
            Origin::Merge { trial, .. } => trial.clone(),
            Origin::Seed | Origin::Reflection { .. } => Vec::new(),
        }
    }

    /// What is not known of these scores is to be paid for.
    fn wanted(&mut self, prompts: &Arc<Prompts>, instances: Vec<Instance>, look: &Outlook<'_>) -> Wanted {
        let got = instances.iter().map(|one| {
            if !look.settings.parts.remember {
                return None;
            }
            match one.set {
                Set::Select => {
                    self.inherited(prompts, *one, look).map(|score| Scored { score, feedback: String::new() })
                }
                Set::Reflect => {
                    let sent = look.sent(prompts, *one);
                    self.learned.get(&(sent, *one)).cloned().or_else(|| (look.known)(sent, *one))
                }
            }
        });
        let got: Vec<Option<Scored>> = got.collect();
        let open = got.iter().filter(|one| one.is_none()).count();
        self.evaluations += open as u64;
        Wanted { prompts: prompts.clone(), instances, got, open, handed: false }
    }

    /// On a pair with which nothing else is sent than by one it comes from, it does what that one does.
    fn inherited(&self, prompts: &Prompts, one: Instance, look: &Outlook<'_>) -> Option<Score> {
        let alike = |kin: &&Kin| !kin.prompts.differing(prompts).any(|component| (look.bears)(component, one));
        self.kin.iter().find(alike)?.scores.get(one.at).cloned()
    }

    /// These pairs of the selection, but for those that it was tried on already (which are paid for again only by who
    /// remembers nothing).
    fn on_selection(&mut self, places: Vec<usize>, look: &Outlook<'_>) -> Wanted {
        let open = |at: &usize| !look.settings.parts.remember || !self.whole.contains_key(at);
        let open = selected(places.into_iter().filter(open));
        self.wanted(&self.prompts.clone(), open, look)
    }

    fn whole_stage(&mut self, look: &Outlook<'_>) -> Stage {
        Stage::Whole(self.on_selection((0..look.select).collect(), look))
    }

    /// The round after those that it went through; after the last, the selection, if a reflection passed.
    fn next_round(&mut self, look: &Outlook<'_>) -> Stage {
        if self.round(self.rounds.len()).is_some() {
            let instances = self.minibatch(self.rounds.len());
            return Stage::Before(self.wanted(&self.prompts.clone(), instances, look));
        }
        if self.texts.is_empty() {
            let last = self.rounds.last().and_then(|tried| tried.refused.clone());
            let last = last.unwrap_or(Cause::NothingToMend);
            return Stage::Ended(Err(last));
        }
        self.compared(look)
    }

    /// The selection, or its first leg.
    fn compared(&mut self, look: &Outlook<'_>) -> Stage {
        if look.settings.parts.first_leg > 0 && !self.kin.is_empty() {
            self.leg(1, look)
        } else {
            self.whole_stage(look)
        }
    }

    fn leg(&mut self, nth: usize, look: &Outlook<'_>) -> Stage {
        if self.walk.is_empty() {
            self.walk = (look.order)(self.start.number);
        }
        let leg = self.walk.iter().copied().take(look.settings.parts.first_leg * nth).collect();
        Stage::Leg(self.on_selection(leg, look))
    }

    /// Ends a round; `refused` says why its text was not taken.
    fn end_round(&mut self, refused: Option<Cause>, look: &Outlook<'_>) -> Stage {
        if let Some(tried) = self.rounds.last_mut() {
            tried.refused = refused;
        }
        self.next_round(look)
    }

    /// The tasks of its stage, once.
    pub fn tasks(&mut self) -> Vec<Task> {
        let (proposal, stage) = (self.start.number, self.gone);
        match &mut self.stage {
            Stage::Before(wanted) | Stage::After(wanted) | Stage::Leg(wanted) | Stage::Whole(wanted) => {
                if std::mem::replace(&mut wanted.handed, true) {
                    return Vec::new();
                }
                let open = wanted.got.iter().enumerate().filter(|(_, got)| got.is_none());
                open.map(|(at, _)| Task::Score {
                    id: TaskId { proposal, stage, at },
                    prompts: wanted.prompts.clone(),
                    instance: wanted.instances[at],
                })
                .collect()
            }
            Stage::Reflection { handed } => {
                if std::mem::replace(handed, true) {
                    return Vec::new();
                }
                self.reflect().into_iter().collect()
            }
            Stage::Ended(_) => Vec::new(),
        }
    }

    fn reflect(&self) -> Option<Task> {
        let nth = self.rounds.len() - 1;
        let lessons = self.minibatch(nth).into_iter().zip(self.rounds[nth].before.iter().cloned());
        Some(Task::Reflect {
            id: TaskId { proposal: self.start.number, stage: self.gone, at: 0 },
            component: self.round(nth)?.component.clone(),
            prompts: self.prompts.clone(),
            lessons: lessons.map(|(instance, scored)| Lesson { instance, scored }).collect(),
        })
    }

    /// Takes an answer; `false` where it is none to any task that is open.
    pub fn answer(&mut self, id: TaskId, answer: Answer, look: &Outlook<'_>) -> bool {
        if id.stage != self.gone {
            return false;
        }
        match (&mut self.stage, answer) {
            (
                Stage::Before(wanted) | Stage::After(wanted) | Stage::Leg(wanted) | Stage::Whole(wanted),
                Answer::Scored(scored),
            ) => match wanted.got.get_mut(id.at) {
                Some(place @ None) => {
                    *place = Some(scored);
                    wanted.open -= 1;
                }
                _ => return false,
            },
            (Stage::Reflection { .. }, Answer::Text(text)) => {
                let next = self.reflected(text, look);
                self.go_to(next);
            }
            (Stage::Reflection { .. }, Answer::NoText(why)) => {
                let next = self.end_round(Some(Cause::NoText(why)), look);
                self.go_to(next);
            }
            _ => return false,
        }
        true
    }

    fn go_to(&mut self, stage: Stage) {
        self.stage = stage;
        self.gone += 1;
    }

    /// The component and the text of the round that it is in.
    fn written(&self) -> Option<(String, String)> {
        let tried = self.rounds.last()?;
        Some((self.round(self.rounds.len() - 1)?.component.clone(), tried.text.clone()?))
    }

    fn reflected(&mut self, text: String, look: &Outlook<'_>) -> Stage {
        if let Some(tried) = self.rounds.last_mut() {
            tried.text = Some(text);
        }
        let Some((component, text)) = self.written() else { return Stage::Ended(Err(Cause::NothingToMend)) };
        if let Some(objection) = look.objections.object(self.prompts.text(&component), &text) {
            return self.end_round(Some(Cause::Objection(objection)), look);
        }
        let child = Arc::new(self.prompts.with(&BTreeMap::from([(component, text)])));
        let digest = child.digest();
        let repeated = (look.tried)(digest) || !self.own.insert(digest);
        if look.settings.parts.no_repeats && repeated {
            return self.end_round(Some(Cause::Repeated), look);
        }
        Stage::After(self.wanted(&child, self.minibatch(self.rounds.len() - 1), look))
    }

    /// Goes on as far as what is known allows.
    pub fn advance(&mut self, look: &Outlook<'_>) {
        loop {
            let (Stage::Before(wanted) | Stage::After(wanted) | Stage::Leg(wanted) | Stage::Whole(wanted)) =
                &mut self.stage
            else {
                return;
            };
            if wanted.open > 0 {
                return;
            }
            let (prompts, instances) = (wanted.prompts.clone(), std::mem::take(&mut wanted.instances));
            let got: Vec<Scored> = std::mem::take(&mut wanted.got).into_iter().flatten().collect();
            self.learn(&prompts, &instances, &got, look);
            let next = self.next(got, look);
            self.go_to(next);
        }
    }

    fn learn(&mut self, prompts: &Prompts, instances: &[Instance], got: &[Scored], look: &Outlook<'_>) {
        for (one, scored) in instances.iter().zip(got) {
            match one.set {
                Set::Select => {
                    self.whole.insert(one.at, scored.score.clone());
                    if scored.score.total == 0 && !scored.feedback.is_empty() {
                        self.nothing.insert(one.at, scored.feedback.clone());
                    }
                }
                Set::Reflect => {
                    self.learned.insert((look.sent(prompts, *one), *one), scored.clone());
                }
            }
        }
    }

    fn next(&mut self, got: Vec<Scored>, look: &Outlook<'_>) -> Stage {
        match &self.stage {
            Stage::Before(_) => {
                let perfect = got.iter().all(|one| one.score.total >= look.settings.perfect);
                self.rounds.push(Tried { before: got, ..Tried::default() });
                if perfect {
                    self.end_round(Some(Cause::NothingToMend), look)
                } else {
                    Stage::Reflection { handed: false }
                }
            }
            Stage::After(_) if matches!(self.start.origin, Origin::Merge { .. }) => {
                self.trial = got.into_iter().map(|one| one.score).collect();
                let after = sum(&self.trial);
                let before = self.kin.iter().map(|kin| kin.sum(self.places_of_trial().into_iter())).max().unwrap_or(0);
                // A merge has nothing of its own: it need not be better than the better of the two on the trial.
                if after >= before { self.compared(look) } else { Stage::Ended(Err(Cause::NoBetter { after, before })) }
            }
            Stage::After(_) => self.tried(got, look),
            Stage::Leg(_) if self.behind(look.settings.parts.no_worse) => {
                Stage::Ended(Err(Cause::Behind { tried: self.whole.len() }))
            }
            Stage::Leg(_) if look.settings.parts.every_leg && self.whole.len() < look.select => {
                self.leg(self.whole.len() / look.settings.parts.first_leg + 1, look)
            }
            Stage::Leg(_) => self.whole_stage(look),
            Stage::Whole(_) if look.settings.parts.no_worse && !self.kin.is_empty() && self.behind(true) => {
                Stage::Ended(Err(Cause::Behind { tried: self.whole.len() }))
            }
            Stage::Reflection { .. } | Stage::Whole(_) | Stage::Ended(_) => Stage::Ended(Ok(())),
        }
    }

    /// Takes the text of the round, if its sum on the minibatch suffices.
    fn tried(&mut self, got: Vec<Scored>, look: &Outlook<'_>) -> Stage {
        let Some(tried) = self.rounds.last_mut() else { return Stage::Ended(Err(Cause::NothingToMend)) };
        let [before, after] = [&tried.before, &got].map(|scored| sum(scored.iter().map(|one| &one.score)));
        tried.after = got;
        let equal = look.settings.acceptance == Acceptance::NoWorse;
        if after > before || equal && after == before {
            self.take(self.written().into_iter().collect());
            self.end_round(None, look)
        } else {
            self.end_round(Some(Cause::NoBetter { after, before }), look)
        }
    }

    /// Whether it is worse than one it comes from, as far as it was tried, and (`anywhere` not) nowhere as good as the best.
    fn behind(&self, anywhere: bool) -> bool {
        let holds = self
            .whole
            .iter()
            .any(|(at, one)| one.total > 0 && self.best.get(*at).is_some_and(|best| one.total >= *best));
        let own = sum(self.whole.values());
        (anywhere || !holds) && self.kin.iter().any(|kin| own < kin.sum(self.whole.keys().copied()))
    }

    /// What differs from the prompts it comes from; where no reflection passed, the last text that was tried.
    pub fn differs(&self) -> BTreeMap<String, String> {
        if self.texts.is_empty() { self.written().into_iter().collect() } else { self.texts.clone() }
    }
}

fn selected(places: impl IntoIterator<Item = usize>) -> Vec<Instance> {
    places.into_iter().map(|at| Instance { set: Set::Select, at }).collect()
}
