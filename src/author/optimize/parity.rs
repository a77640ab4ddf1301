//! Worked examples, each held to what the reference implementation's own functions say to it.
//!
//! `tests/python/gepa_cases.py` puts the examples to the package and wrote `tests/fixtures/optimize/gepa.json`. Where ours
//! differs on purpose the example has an `ours`, and the reason in `why`.

use super::draws::Draws;
use super::merge;
use super::pool::{Pool, Prompts};
use super::proposal::{Answer, Task};
use super::record::{Origin, Score, Scored, Verdict};
use super::settings::{Acceptance, Fronts, Set, Settings, Sizes};
use super::{Engine, Objections};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

#[derive(Deserialize)]
struct Cases {
    package: String,
    choice: Vec<Choice>,
    acceptance: Vec<Accepted>,
    merge: Vec<Joining>,
    outcome: Vec<Outcome>,
    trial: Vec<Trial>,
    budget: Vec<Budget>,
}

#[derive(Deserialize)]
struct Choice {
    name: String,
    rows: Vec<Vec<u32>>,
    votes: Vec<(usize, u64)>,
    ours: Option<Vec<(usize, u64)>>,
    why: Option<String>,
}

#[derive(Deserialize)]
struct Accepted {
    before: Vec<u32>,
    after: Vec<u32>,
    better: bool,
    no_worse: bool,
}

type Joined = (Vec<String>, usize);

#[derive(Deserialize)]
struct Joining {
    name: String,
    texts: Vec<Vec<String>>,
    parents: Vec<Vec<usize>>,
    sums: Vec<u32>,
    merged: BTreeSet<Joined>,
    ours: Option<BTreeSet<Joined>>,
    why: Option<String>,
}

#[derive(Deserialize)]
struct Outcome {
    before: [u32; 2],
    after: u32,
    taken: bool,
}

#[derive(Deserialize)]
struct Trial {
    name: String,
    first: Vec<u32>,
    second: Vec<u32>,
    counts: BTreeSet<([usize; 3], usize)>,
    ours: Option<[usize; 3]>,
    why: Option<String>,
}

#[derive(Deserialize)]
struct Budget {
    name: String,
    reflect: usize,
    select: usize,
    minibatch: usize,
    evaluations: u64,
    gains: bool,
    start: u64,
    costs: Vec<u64>,
    total: u64,
    each: Option<u64>,
}

fn cases() -> Cases {
    let text = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/optimize/gepa.json"));
    serde_json::from_str(text).expect("the recorded examples read")
}

fn score(total: u32) -> Score {
    Score { total, criteria: Vec::new() }
}

/// How long a component is.
fn length(prompts: &Prompts, component: &str) -> u32 {
    u32::try_from(prompts.text(component).len()).expect("a short text")
}

fn named(texts: &[String]) -> BTreeMap<String, String> {
    ["a", "b", "c"].into_iter().map(str::to_string).zip(texts.iter().cloned()).collect()
}

/// Candidates with these texts, parents and scores.
fn pool(texts: &[Vec<String>], parents: &[Vec<usize>], rows: &[Vec<u32>]) -> Pool {
    let mut pool = Pool::new(Fronts::Instance);
    for (place, row) in rows.iter().enumerate() {
        let origin = match parents.get(place).map(Vec::as_slice).unwrap_or_default() {
            [first, second] => Origin::Merge { of: [*first, *second], ancestor: 0, trial: Vec::new() },
            [parent, ..] => Origin::Reflection { parent: *parent, rounds: Vec::new() },
            [] => Origin::Seed,
        };
        let own = texts.get(place).map_or_else(|| vec![place.to_string()], Clone::clone);
        pool.add(
            Arc::new(Prompts::new(named(&own))),
            place as u64,
            origin,
            row.iter().map(|one| score(*one)).collect(),
        );
    }
    pool
}

#[test]
fn the_same_candidates_are_dropped_and_the_others_have_the_same_votes() {
    let cases = cases();
    assert_eq!(cases.package, "gepa 0.1.4");
    for case in cases.choice {
        assert_eq!(case.ours.is_some(), case.why.is_some(), "{}: a difference has its reason", case.name);
        let wanted = case.ours.unwrap_or(case.votes);
        assert_eq!(pool(&[], &[], &case.rows).votes(), wanted, "{}", case.name);
    }
}

#[test]
fn two_candidates_become_the_same_one() {
    for case in cases().merge {
        assert_eq!(case.ours.is_some(), case.why.is_some(), "{}: a difference has its reason", case.name);
        let last = case.sums.len();
        // The last two are best on a pair of their own, and nobody else is best anywhere.
        let row = |(place, sum): (usize, &u32)| match last - place {
            2 => vec![100 + sum, 0],
            1 => vec![0, 100 + sum],
            _ => vec![50, 50 + sum],
        };
        let rows: Vec<Vec<u32>> = case.sums.iter().enumerate().map(row).collect();
        let pool = pool(&case.texts, &case.parents, &rows);
        assert_eq!(pool.votes(), [(last - 2, 1), (last - 1, 1)], "{}", case.name);
        let found = (0..40).filter_map(|seed| merge::find(&pool, &mut Draws::new(seed), &BTreeSet::new(), 6));
        let made = found.map(|found| {
            let texts = pool.entries()[found.of[0]].prompts.with(&found.texts);
            (texts.components().values().cloned().collect(), found.ancestor)
        });
        let wanted = case.ours.unwrap_or(case.merged);
        assert_eq!(made.collect::<BTreeSet<Joined>>(), wanted, "{}", case.name);
    }
}

#[test]
fn a_merge_is_tried_on_as_many_pairs_of_each_kind() {
    for case in cases().trial {
        assert_eq!(case.ours.is_some(), case.why.is_some(), "{}: a difference has its reason", case.name);
        let pool = pool(&[], &[], &[case.first.clone(), case.second.clone()]);
        for seed in 0..40 {
            let places = merge::trial(&pool, [0, 1], &mut Draws::new(seed), 6);
            let kind = |wanted| {
                let is = |at: &&usize| case.second[**at].cmp(&case.first[**at]) == wanted;
                places.iter().filter(is).count()
            };
            let counts = [std::cmp::Ordering::Less, std::cmp::Ordering::Greater, std::cmp::Ordering::Equal].map(kind);
            let distinct = places.iter().collect::<BTreeSet<_>>().len();
            match case.ours {
                Some(ours) => assert_eq!((counts, distinct), (ours, ours.iter().sum()), "{}", case.name),
                None => assert!(case.counts.contains(&(counts, distinct)), "{}: {counts:?}", case.name),
            }
        }
    }
}

/// Runs an engine to its end; the answers are those of `scored` and `written`. The verdicts, with what each cost.
fn run(
    settings: Settings,
    sizes: Sizes,
    components: &[&str],
    scored: impl Fn(&Task) -> u32,
    written: impl Fn(&str) -> String,
) -> (Engine, Vec<super::Settled>) {
    let seed = components.iter().map(|name| ((*name).to_string(), String::new())).collect();
    let mut engine = Engine::new(settings, sizes, Prompts::new(seed), Objections::new(100, [])).expect("it begins");
    let mut settled = Vec::new();
    loop {
        let tasks = engine.tasks();
        if tasks.is_empty() {
            return (engine, settled);
        }
        for task in tasks {
            let answer = match &task {
                Task::Score { .. } => Answer::Scored(Scored { score: score(scored(&task)), feedback: String::new() }),
                Task::Reflect { prompts, component, .. } => Answer::Text(written(prompts.text(component))),
            };
            settled.extend(engine.answer(task.id(), answer).expect("it was asked"));
        }
    }
}

#[test]
fn a_proposal_passes_its_minibatch_where_the_package_lets_it_pass() {
    for case in cases().acceptance {
        for (acceptance, passes) in [(Acceptance::Better, case.better), (Acceptance::NoWorse, case.no_worse)] {
            let settings = Settings { acceptance, ..Settings::reference(1, 10, 1000) };
            let scored = |task: &Task| match task {
                Task::Score { prompts, instance, .. } if instance.set == Set::Reflect => {
                    if prompts.text("a").is_empty() { case.before[instance.at] } else { case.after[instance.at] }
                }
                _ => 1,
            };
            let (_, settled) =
                run(settings, Sizes { reflect: 3, select: 1 }, &["a"], scored, |text| format!("{text}x"));
            let passed = matches!(settled[1].verdict, Verdict::Accepted(_));
            assert_eq!(passed, passes, "{:?} after {:?}, {acceptance:?}", case.after, case.before);
        }
    }
}

#[test]
fn a_merge_is_taken_where_the_package_takes_it() {
    for case in cases().outcome {
        // Both are tried on all five pairs: one parent has its points on the first, the other on the second.
        let scored = |task: &Task| {
            let Task::Score { prompts, instance, .. } = task else { return 0 };
            let has = [length(prompts, "a"), length(prompts, "b")];
            match (instance.set, has, instance.at) {
                (Set::Reflect, [a, b], _) => 1 + a + b,
                (_, [0, 0], 2) => 1,
                (_, [1, 0], 0) => case.before[0],
                (_, [0, 1], 1) => case.before[1],
                (_, [1, 1], 0) => case.after,
                _ => 0,
            }
        };
        let sizes = Sizes { reflect: 3, select: 5 };
        let merges = (0..40).filter_map(|seed| {
            let settings = Settings::reference(seed, 60, 1000);
            let (_, settled) = run(settings, sizes, &["a", "b"], scored, |text| format!("{text}x"));
            let merge = settled.into_iter().find(|one| match &one.origin {
                Origin::Merge { ancestor, .. } => *ancestor == 0 && one.texts.values().all(|text| text == "x"),
                _ => false,
            });
            merge.map(|one| matches!(one.verdict, Verdict::Accepted(_)))
        });
        let became: BTreeSet<bool> = merges.collect();
        assert_eq!(became, BTreeSet::from([case.taken]), "{} where {:?} are to beat", case.after, case.before);
    }
}

#[test]
fn evaluations_cost_what_they_cost_there_and_the_budget_is_never_passed() {
    for case in cases().budget {
        let Budget { reflect, select, minibatch, evaluations, .. } = case;
        let settings = Settings { minibatch, ..Settings::reference(1, evaluations, 1_000_000) };
        let scored = |task: &Task| match task {
            Task::Score { prompts, .. } if case.gains => length(prompts, "a"),
            _ => 1,
        };
        let (engine, settled) = run(settings, Sizes { reflect, select }, &["a"], scored, |text| format!("{text}x"));
        let cost: Vec<u64> = settled.iter().map(|one| one.evaluations).collect();
        assert_eq!(cost[0], case.start, "{}", case.name);
        // As the package, for as long as the dearest proposal can still be paid.
        let dearest = 2 * minibatch.min(reflect) as u64 + select as u64;
        let (mut spent, mut wanted) = (case.start, Vec::new());
        for its in case.costs.iter().map(|its| case.each.unwrap_or(*its)).cycle() {
            if spent + dearest > evaluations {
                break;
            }
            wanted.push(its);
            spent += its;
        }
        assert_eq!(cost[1..], wanted, "{}", case.name);
        assert_eq!(engine.spent(), spent);
        assert!(spent <= evaluations && case.total >= evaluations, "{}: {spent} and {}", case.name, case.total);
    }
}
