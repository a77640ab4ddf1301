//! What does the optimizer's tasks: the author and the gates, the judge, the model that reflects.

use super::Voices;
use super::bench::Bench;
use crate::author::optimize::{Answer, Prompts, Reflector, Score, Scored, Task};
use crate::author::{Author as _, Case, JudgeError, ModelAuthor, Rubric, Stop, UNASKED};
use crate::build::{ModelWish, Undecided};
use crate::dataset::{Draft, Judgement, Pair, Refusal, option_order};
use crate::verify::{self, gates};
use std::fmt::Write as _;

/// What does the tasks.
pub(super) struct Workers<'a> {
    pub bench: &'a Bench<'a>,
    voices: &'a Voices,
}

impl<'a> Workers<'a> {
    pub fn new(bench: &'a Bench<'a>, voices: &'a Voices) -> Self {
        Self { bench, voices }
    }

    pub fn threads(&self) -> usize {
        self.bench.stock.manifest.writer().map_or(1, ModelWish::side_by_side)
    }

    pub fn does(&self, task: &Task) -> Result<Answer, Stop> {
        match task {
            Task::Score { prompts, instance, .. } => match self.bench.pair(*instance) {
                Some(pair) => self.score(prompts, pair).map(Answer::Scored),
                None => Ok(Answer::Scored(Scored::default())),
            },
            Task::Reflect { component, prompts, lessons, .. } => {
                let wish =
                    self.bench.stock.manifest.optimize.reflection.as_ref().or(self.bench.stock.manifest.writer());
                let instructions = self.bench.base.get("reflection").cloned().unwrap_or_default();
                let (tokens, temperature) = wish.map_or((1500, None), |wish| (wish.max_tokens, wish.temperature));
                let reflector = Reflector::new(self.voices.reflection.clone(), instructions, tokens, temperature);
                let text = self.bench.runtime.block_on(reflector.reflect(component, prompts, lessons))?;
                Ok(text.map_or_else(Answer::NoText, Answer::Text))
            }
        }
    }

    /// One item by these prompts: what the gates and the judge make of it.
    pub fn score(&self, prompts: &Prompts, pair: &Pair) -> Result<Scored, Stop> {
        let bench = self.bench;
        let mut all = bench.base.clone();
        all.extend(prompts.components().clone());
        let (tokens, temperature) =
            self.bench.stock.manifest.writer().map_or((1500, None), |wish| (wish.max_tokens, wish.temperature));
        let author = ModelAuthor::new(self.voices.author.clone(), all, tokens, temperature, 1);
        let mut written = bench.runtime.block_on(author.write(bench.stock.assignment(pair, 1)));
        if let Some(stop) = author.stopped() {
            return Err(stop);
        }
        let Some(draft) = written.drafts.pop() else {
            return match written.refusals.pop() {
                Some(refusal) if refusal.gate == UNASKED => Err(unasked("author", pair, &refusal.reason)),
                refusal => Ok(refusal.map(|refusal| refused(&refusal)).unwrap_or_default()),
            };
        };
        let undecided = match bench.stock.manifest.undecided {
            Undecided::Refuse => verify::Undecided::Refuse,
            Undecided::Judge => verify::Undecided::Judge,
        };
        let passed = match gates(&draft, bench.stock.graph, bench.stock.rules, undecided) {
            Ok(passed) => passed,
            Err(refusal) => return Ok(refused(&refusal)),
        };
        let item = draft.item_id();
        let order = option_order(item.as_str(), bench.stock.manifest.seed, 0);
        let case = Case { draft: &draft, proofs: &passed.proofs, blind: passed.needs_judge, order };
        match bench.runtime.block_on(self.voices.judge.judge(case)) {
            Ok(judgement) if passed.needs_judge && judgement.agrees != Some(true) => Ok(no_item(
                &draft,
                "judge",
                "code left a claim undecided, and the judge does not answer with the key alone",
            )),
            Ok(judgement) => Ok(judged(&draft, &judgement, &bench.rubric)),
            Err(JudgeError::Model(error)) if error.ends_the_run() => Err(Stop::of(&error)),
            Err(JudgeError::Model(error)) => Err(unasked("judge", pair, &error.to_string())),
            Err(error) => Ok(no_item(&draft, "judge", &error.to_string())),
        }
    }
}

/// What was not answered says nothing of the prompts: it is no score, and the next run asks again.
fn unasked(who: &str, pair: &Pair, why: &str) -> Stop {
    let Pair { source, relation, target } = pair;
    Stop::Limit(format!(
        "the {who} could not be asked about {source} {relation} {target}, which is no score: {why} (a pair that it can never be \
         asked about is left out by [scope] leave_out = [\"{source}\"])"
    ))
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
