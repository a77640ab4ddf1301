//! A proposal on its way, from its origin to its verdict.

use super::objection::Objections;
use super::pool::{Entry, Prompts};
use super::record::{Cause, Origin, Scored, sum};
use super::settings::{Acceptance, Instance, Set, Settings};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A task's name: which proposal, which stage of it, which place there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId {
    pub(super) proposal: u64,
    pub(super) stage: u8,
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
    /// It is scored on the first leg of the selection.
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
    /// A score that was known then.
    pub known: &'a dyn Fn(&Prompts, Instance) -> Option<Scored>,
    /// Whether these prompts were tried by then.
    pub tried: &'a dyn Fn(&Prompts) -> bool,
    /// The order in which the selection is walked.
    pub order: &'a dyn Fn(u64) -> Vec<usize>,
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

/// A proposal on its way.
#[derive(Debug, Clone)]
pub(super) struct Proposal {
    pub start: Start,
    /// The prompts that it changes.
    pub from: Arc<Prompts>,
    /// What it is.
    pub prompts: Arc<Prompts>,
    pub texts: BTreeMap<String, String>,
    pub before: Vec<Scored>,
    pub after: Vec<Scored>,
    pub stage: Stage,
    /// What is known of it on the selection.
    pub whole: BTreeMap<usize, Scored>,
    /// The sum that a merge has to reach.
    to_beat: u64,
    /// Its parent's scores on the selection, and the best of all candidates.
    standing: Vec<(u32, u32)>,
    pub evaluations: u64,
}

impl Proposal {
    /// The prompts at the start.
    pub fn seed(start: Start, prompts: Arc<Prompts>, look: &Outlook<'_>) -> Self {
        let mut seed = Self::blank(start, prompts);
        seed.stage = seed.whole_stage(look);
        seed
    }

    /// A component of `parent` to be written anew. `best` are the best totals on the selection.
    pub fn reflection(start: Start, parent: &Entry, best: &[u32], look: &Outlook<'_>) -> Self {
        let mut one = Self::blank(start, parent.prompts.clone());
        one.standing = parent.scores.iter().map(|score| score.total).zip(best.iter().copied()).collect();
        one.stage = Stage::Before(one.wanted(&one.from.clone(), one.minibatch(), look));
        one
    }

    /// The candidate `first` with these texts; it has to reach `to_beat` on its trial.
    pub fn merge(
        start: Start,
        first: &Entry,
        texts: BTreeMap<String, String>,
        to_beat: u64,
        look: &Outlook<'_>,
    ) -> Self {
        let mut one = Self::blank(start, first.prompts.clone());
        one.take(texts);
        one.to_beat = to_beat;
        one.stage = if look.settings.parts.no_repeats && (look.tried)(&one.prompts) {
            Stage::Ended(Err(Cause::Repeated))
        } else {
            Stage::After(one.wanted(&one.prompts.clone(), one.trial(), look))
        };
        one
    }

    fn blank(start: Start, from: Arc<Prompts>) -> Self {
        Self {
            start,
            prompts: from.clone(),
            from,
            texts: BTreeMap::new(),
            before: Vec::new(),
            after: Vec::new(),
            stage: Stage::Ended(Ok(())),
            whole: BTreeMap::new(),
            to_beat: 0,
            standing: Vec::new(),
            evaluations: 0,
        }
    }

    fn take(&mut self, texts: BTreeMap<String, String>) {
        self.prompts = Arc::new(self.from.with(&texts));
        self.texts = texts;
    }

    fn minibatch(&self) -> Vec<Instance> {
        match &self.start.origin {
            Origin::Reflection { minibatch, .. } => {
                minibatch.iter().map(|at| Instance { set: Set::Reflect, at: *at }).collect()
            }
            _ => Vec::new(),
        }
    }

    fn trial(&self) -> Vec<Instance> {
        match &self.start.origin {
            Origin::Merge { trial, .. } => selected(trial.iter().copied()),
            _ => Vec::new(),
        }
    }

    /// What is not known of these scores is to be paid for.
    fn wanted(&mut self, prompts: &Arc<Prompts>, instances: Vec<Instance>, look: &Outlook<'_>) -> Wanted {
        let own = |one: &Instance| {
            let is_own =
                look.settings.parts.remember && one.set == Set::Select && prompts.digest() == self.prompts.digest();
            is_own.then(|| self.whole.get(&one.at).cloned()).flatten()
        };
        let known = |one: &Instance| if look.settings.parts.remember { (look.known)(prompts, *one) } else { None };
        let got: Vec<Option<Scored>> = instances.iter().map(|one| own(one).or_else(|| known(one))).collect();
        self.evaluations += got.iter().filter(|one| one.is_none()).count() as u64;
        Wanted { prompts: prompts.clone(), instances, got, handed: false }
    }

    fn whole_stage(&mut self, look: &Outlook<'_>) -> Stage {
        let prompts = self.prompts.clone();
        Stage::Whole(self.wanted(&prompts, selected(0..look.select), look))
    }

    /// The tasks of its stage, once.
    pub fn tasks(&mut self) -> Vec<Task> {
        let (proposal, stage) = (self.start.number, self.stage.index());
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
                let Origin::Reflection { component, .. } = &self.start.origin else { return Vec::new() };
                if std::mem::replace(handed, true) {
                    return Vec::new();
                }
                let lessons = self.minibatch().into_iter().zip(self.before.iter().cloned());
                vec![Task::Reflect {
                    id: TaskId { proposal, stage, at: 0 },
                    component: component.clone(),
                    prompts: self.from.clone(),
                    lessons: lessons.map(|(instance, scored)| Lesson { instance, scored }).collect(),
                }]
            }
            Stage::Ended(_) => Vec::new(),
        }
    }

    /// Takes an answer; `false` where it is none to any task that is open.
    pub fn answer(&mut self, id: TaskId, answer: Answer, look: &Outlook<'_>) -> bool {
        if id.stage != self.stage.index() {
            return false;
        }
        match (&mut self.stage, answer) {
            (
                Stage::Before(wanted) | Stage::After(wanted) | Stage::Leg(wanted) | Stage::Whole(wanted),
                Answer::Scored(scored),
            ) => match wanted.got.get_mut(id.at) {
                Some(place @ None) => *place = Some(scored),
                _ => return false,
            },
            (Stage::Reflection { .. }, Answer::Text(text)) => self.reflected(text, look),
            (Stage::Reflection { .. }, Answer::NoText(why)) => self.stage = Stage::Ended(Err(Cause::NoText(why))),
            _ => return false,
        }
        true
    }

    fn reflected(&mut self, text: String, look: &Outlook<'_>) {
        let Origin::Reflection { component, .. } = &self.start.origin else { return };
        let component = component.clone();
        if let Some(objection) = look.objections.object(self.from.text(&component), &text) {
            self.texts = BTreeMap::from([(component, text)]);
            self.stage = Stage::Ended(Err(Cause::Objection(objection)));
            return;
        }
        self.take(BTreeMap::from([(component, text)]));
        self.stage = if look.settings.parts.no_repeats && (look.tried)(&self.prompts) {
            Stage::Ended(Err(Cause::Repeated))
        } else {
            Stage::After(self.wanted(&self.prompts.clone(), self.minibatch(), look))
        };
    }

    /// Goes on as far as what is known allows.
    pub fn advance(&mut self, look: &Outlook<'_>) {
        loop {
            let (Stage::Before(wanted) | Stage::After(wanted) | Stage::Leg(wanted) | Stage::Whole(wanted)) =
                &self.stage
            else {
                return;
            };
            if wanted.got.iter().any(Option::is_none) {
                return;
            }
            let (instances, got) = (wanted.instances.clone(), wanted.got.iter().flatten().cloned().collect());
            self.stage = self.next(&instances, got, look);
        }
    }

    fn next(&mut self, instances: &[Instance], got: Vec<Scored>, look: &Outlook<'_>) -> Stage {
        if instances.first().is_some_and(|one| one.set == Set::Select) {
            self.whole.extend(instances.iter().map(|one| one.at).zip(got.iter().cloned()));
        }
        match &self.stage {
            Stage::Before(_) => {
                let perfect = got.iter().all(|one| one.score.total >= look.settings.perfect);
                self.before = got;
                if perfect { Stage::Ended(Err(Cause::NothingToMend)) } else { Stage::Reflection { handed: false } }
            }
            Stage::After(_) => {
                self.after = got;
                match self.passed(look.settings) {
                    Err(cause) => Stage::Ended(Err(cause)),
                    Ok(()) if look.settings.parts.first_leg > 0 && !self.standing.is_empty() => {
                        let mut leg = (look.order)(self.start.number);
                        leg.truncate(look.settings.parts.first_leg);
                        Stage::Leg(self.wanted(&self.prompts.clone(), selected(leg), look))
                    }
                    Ok(()) => self.whole_stage(look),
                }
            }
            Stage::Leg(_) if self.behind() => Stage::Ended(Err(Cause::Behind { tried: self.whole.len() })),
            Stage::Leg(_) => self.whole_stage(look),
            Stage::Reflection { .. } | Stage::Whole(_) | Stage::Ended(_) => Stage::Ended(Ok(())),
        }
    }

    /// Whether its sum on the minibatch, or on its trial, suffices.
    fn passed(&self, settings: &Settings) -> Result<(), Cause> {
        let after = sum(&self.after);
        let merge = matches!(self.start.origin, Origin::Merge { .. });
        let before = if merge { self.to_beat } else { sum(&self.before) };
        // A merge has nothing of its own: it need not be better than the better of the two on the trial.
        let equal = merge || settings.acceptance == Acceptance::NoWorse;
        let passes = after > before || equal && after == before;
        if passes { Ok(()) } else { Err(Cause::NoBetter { after, before }) }
    }

    /// Whether it is nowhere as good as the best, and worse than its parent, as far as it was tried.
    fn behind(&self) -> bool {
        let tried = || self.whole.iter().filter_map(|(at, one)| Some((one.score.total, self.standing.get(*at)?)));
        let holds = tried().any(|(total, (_, best))| total > 0 && total >= *best);
        let own: u64 = tried().map(|(total, _)| u64::from(total)).sum();
        let parents: u64 = tried().map(|(_, (parent, _))| u64::from(*parent)).sum();
        !holds && own < parents
    }
}

impl Stage {
    fn index(&self) -> u8 {
        match self {
            Self::Before(_) => 0,
            Self::Reflection { .. } => 1,
            Self::After(_) => 2,
            Self::Leg(_) => 3,
            Self::Whole(_) => 4,
            Self::Ended(_) => 5,
        }
    }
}

fn selected(places: impl IntoIterator<Item = usize>) -> Vec<Instance> {
    places.into_iter().map(|at| Instance { set: Set::Select, at }).collect()
}
