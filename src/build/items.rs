//! From a sample to the drafts that are kept: write, gates, duplicates, judge, in rounds until the quotas are met.

use super::calibrate::model_judge;
use super::drawn::Stock;
use super::models::{Counter, ModelsError};
use super::parallel::{cores, side_by_side};
use super::{Progress, Rubrics, Undecided};
use crate::author::{Author, BuiltIn, BuiltInJudge, Case, Judge, JudgeError, ModelAuthor, Rubric, Stop, Written};
use crate::dataset::{Authorship, Draft, Judgement, Kept, LockedModel, Pair, Refusal, Role, SecondVote, option_order};
use crate::http::Allowance;
use crate::law::{Digest, RelationType};
use crate::sample::{Sample, Sampled};
use crate::verify::{self, Passed, gates};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// What was made of a sample.
#[derive(Debug, Default)]
pub(super) struct Made {
    pub kept: Vec<Kept>,
    pub refusals: Vec<Refusal>,
    /// Where the judge and code are of two minds about generic references.
    pub second_votes: Vec<SecondVote>,
    /// Why the run stopped before the quotas were met, if it did.
    pub stop: Option<Stop>,
}

/// All that making items needs.
pub(super) struct Makers<'a> {
    stock: Stock<'a>,
    author: Arc<dyn Author>,
    /// The same author, where it is a model: it knows whether it had to stop.
    model_author: Option<Arc<ModelAuthor>>,
    judge: Arc<dyn Judge>,
    rubric: Rubric,
    runtime: tokio::runtime::Runtime,
    threads: usize,
}

/// A draft that passed gates 1-4.
struct Candidate {
    draft: Draft,
    passed: Passed,
}

impl<'a> Makers<'a> {
    /// Author and judge as the manifest wishes.
    ///
    /// # Errors
    /// [`super::BuildError`]: a rubric or prompt that is wrong, a model that cannot be used.
    pub fn open(stock: Stock<'a>, rubrics: &Rubrics, counter: Option<&Counter>) -> Result<Self, super::BuildError> {
        let Stock { manifest, rules, .. } = stock;
        let rubric = Rubric::parse(rubrics.file("judge.toml")?)?;
        let model = |wish| counter.ok_or(ModelsError::NoCounter).and_then(|c| c.model(wish, "write"));
        let mut threads = cores();
        let (author, model_author): (Arc<dyn Author>, _) = match manifest.writer() {
            None => (Arc::new(BuiltIn), None),
            Some(wish) => {
                threads = wish.side_by_side();
                let prompts = rubrics.prompts();
                let author =
                    Arc::new(ModelAuthor::new(model(wish)?, prompts, wish.max_tokens, wish.temperature, wish.draws));
                (author.clone(), Some(author))
            }
        };
        let judge: Arc<dyn Judge> = match &manifest.judge {
            None => Arc::new(BuiltInJudge::new(rubric.clone(), rules.clone())),
            Some(wish) => {
                threads = threads.max(wish.side_by_side());
                model_judge(wish, "judge", &rubric, rubrics, counter)?
            }
        };
        let runtime = tokio::runtime::Runtime::new()?;
        Ok(Self { stock, author, model_author, judge, rubric, runtime, threads })
    }

    /// Goes down each relation's list until its quota is filled or the list ends, or the run is stopped.
    pub fn make(&self, sample: &Sample, progress: &dyn Progress, allowance: &Allowance) -> Made {
        let mut made = Made::default();
        let mut seen = verify::Kept::default();
        let mut lists: BTreeMap<&RelationType, VecDeque<&Sampled>> = BTreeMap::new();
        for one in sample.pairs.iter().filter(|s| s.role == Role::Test) {
            lists.entry(&one.pair.relation).or_default().push_back(one);
        }
        progress.begin("write", sample.pairs.len());
        while made.stop.is_none() {
            made.stop = allowance.spent().map(Stop::Limit);
            if made.stop.is_some() {
                break;
            }
            let round: Vec<&Sampled> = lists
                .iter_mut()
                .flat_map(|(relation, list)| {
                    let missing = sample.quota(relation).saturating_sub(made.of(relation));
                    let pairs = missing.div_ceil(self.stock.manifest.items_per_pair as usize);
                    list.drain(..pairs.min(list.len())).collect::<Vec<_>>()
                })
                .collect();
            if round.is_empty() {
                break;
            }
            self.round(&round, sample, &mut seen, &mut made, progress);
        }
        progress.end(&format!("{} items kept, {} refusals", made.kept.len(), made.refusals.len()));
        made
    }

    fn round(
        &self,
        round: &[&Sampled],
        sample: &Sample,
        seen: &mut verify::Kept,
        made: &mut Made,
        progress: &dyn Progress,
    ) {
        let written = side_by_side(round, self.threads, |one| {
            let written = self.write(&one.pair);
            progress.step(1);
            written
        });
        let mut candidates = Vec::new();
        for (passed, refusals) in written {
            made.refusals.extend(refusals);
            for candidate in passed {
                let relation = &candidate.draft.pair.relation;
                let had = made.of(relation)
                    + candidates.iter().filter(|c: &&Candidate| &c.draft.pair.relation == relation).count();
                if had >= sample.quota(relation) {
                    continue;
                }
                match seen.admit(&candidate.draft, self.stock.rules) {
                    Ok(()) => candidates.push(candidate),
                    Err(reason) => made.refusals.push(refusal(candidate.draft, "duplicate", reason)),
                }
            }
        }
        let judged = side_by_side(&candidates, self.threads, |c| self.judge(c));
        for (candidate, (judged, vote)) in candidates.into_iter().zip(judged) {
            made.second_votes.extend(vote);
            match judged {
                Ok(judgement) => made.kept.push(Kept {
                    draft: candidate.draft,
                    proofs: candidate.passed.proofs,
                    judgement: Some(judgement),
                }),
                Err(NotKept::Refused(reason)) => made.refusals.push(refusal(candidate.draft, "judge", reason)),
                Err(NotKept::Stopped(stop)) => {
                    made.stop.get_or_insert(stop);
                }
            }
        }
        if made.stop.is_none() {
            made.stop = self.model_author.as_ref().and_then(|a| a.stopped());
        }
    }

    /// Drafts of one pair that passed gates 1-4, and what was refused.
    fn write(&self, pair: &Pair) -> (Vec<Candidate>, Vec<Refusal>) {
        let assignment = self.stock.assignment(pair, self.stock.manifest.items_per_pair as usize);
        let mut written = self.wait(self.author.write(assignment));
        written.hold_to(assignment.items);
        let Written { drafts, mut refusals } = written;
        let undecided = match self.stock.manifest.undecided {
            Undecided::Refuse => verify::Undecided::Refuse,
            Undecided::Judge if self.model_author.is_none() => verify::Undecided::Refuse,
            Undecided::Judge => verify::Undecided::Judge,
        };
        let mut passed = Vec::new();
        for draft in drafts {
            match gates(&draft, self.stock.graph, self.stock.rules, undecided) {
                Ok(p) => passed.push(Candidate { draft, passed: p }),
                Err(refusal) => refusals.push(*refusal),
            }
        }
        (passed, refusals)
    }

    /// Whether a candidate is kept, and the judge's vote on generic references where it is not that of code.
    fn judge(&self, candidate: &Candidate) -> (Result<Judgement, NotKept>, Option<SecondVote>) {
        let item = candidate.draft.item_id();
        let key_at = usize::from(item.as_str().as_bytes().first().copied().unwrap_or(0));
        let case = Case {
            draft: &candidate.draft,
            proofs: &candidate.passed.proofs,
            blind: candidate.passed.needs_judge,
            order: option_order(item.as_str(), self.stock.manifest.seed, key_at),
        };
        match self.wait(self.judge.judge(case)) {
            // Code found no such reference, or the draft would not be here.
            Ok(judgement) => {
                let vote = self.rubric.second_vote(&judgement, item, None);
                (self.keep(candidate, judgement), vote)
            }
            Err(JudgeError::Model(error)) if error.ends_the_run() => (Err(NotKept::Stopped(Stop::of(&error))), None),
            Err(error) => (Err(NotKept::Refused(error.to_string())), None),
        }
    }

    fn keep(&self, candidate: &Candidate, judgement: Judgement) -> Result<Judgement, NotKept> {
        let floor = self.rubric.floor;
        if judgement.total < floor {
            let reason = format!("{} of {} points, and the floor is {floor}", judgement.total, judgement.out_of);
            return Err(NotKept::Refused(reason));
        }
        if candidate.passed.needs_judge && judgement.agrees != Some(true) {
            let reason = "code left a claim undecided, and the judge, blind to the key, does not answer with it alone";
            return Err(NotKept::Refused(reason.to_string()));
        }
        Ok(judgement)
    }

    fn wait<T>(&self, promise: impl Future<Output = T>) -> T {
        self.runtime.block_on(promise)
    }

    /// What the lock says of the models asked.
    pub fn locked(&self, made: &Made, counter: Option<&Counter>) -> Vec<LockedModel> {
        let served = |call: &Digest| counter.and_then(|c| c.served(call));
        let probed = |wish| counter.map(|c| c.probed(wish)).unwrap_or_default();
        let mut models = Vec::new();
        if let Some(wish) = self.stock.manifest.writer() {
            let calls = made.kept.iter().filter_map(|k| match &k.draft.author {
                Authorship::Model { call, .. } => served(call),
                Authorship::BuiltIn { .. } => None,
            });
            models.push(wish.locked("author", calls.min(), probed(wish)));
        }
        if let Some(wish) = &self.stock.manifest.judge {
            let calls = made.kept.iter().filter_map(|k| k.judgement.as_ref()?.call).filter_map(|c| served(&c));
            models.push(wish.locked("judge", calls.min(), probed(wish)));
        }
        models
    }
}

/// Why a draft that passed the gates is not kept.
enum NotKept {
    Refused(String),
    Stopped(Stop),
}

impl Made {
    fn of(&self, relation: &RelationType) -> usize {
        self.kept.iter().filter(|k| &k.draft.pair.relation == relation).count()
    }
}

fn refusal(draft: Draft, gate: &str, reason: String) -> Refusal {
    Refusal { pair: draft.pair.clone(), gate: gate.to_string(), reason, draft: Some(draft) }
}
