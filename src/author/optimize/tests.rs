//! Whole runs on a small landscape of our own, without a model.

use super::*;
use crate::law::Digest;
use std::collections::{BTreeMap, VecDeque};

const SIZES: Sizes = Sizes { reflect: 12, select: 10 };
const NAMES: [&str; 3] = ["drafting", "distractors", "identifiers"];
/// Rules that each pair needs, of each component.
const NEEDS: usize = 4;

fn number(fields: &[&str]) -> usize {
    let digest = Digest::of_fields(fields.iter().map(|field| field.as_bytes()));
    usize::from(digest.as_bytes()[0])
}

/// The rules that a pair needs of a component: four of ten, each pair its own.
fn needs(instance: Instance, component: &str) -> Vec<String> {
    let rule = |nth: usize| number(&[component, &format!("{:?}{}/{nth}", instance.set, instance.at)]) % 10;
    (0..NEEDS).map(|nth| format!("r{}", rule(nth))).collect()
}

/// The last component is sent with every other pair only.
fn bears(component: &str, instance: Instance) -> bool {
    component != NAMES[2] || instance.at.is_multiple_of(2)
}

fn score(prompts: &Prompts, instance: Instance) -> Scored {
    let mut criteria = Vec::new();
    let mut missing = Vec::new();
    for name in NAMES.into_iter().filter(|name| bears(name, instance)) {
        let has: Vec<&str> = prompts.text(name).split(' ').collect();
        let needs = needs(instance, name);
        let had = needs.iter().filter(|rule| has.contains(&rule.as_str())).count();
        criteria.push(u32::try_from(had).unwrap());
        missing.extend(needs.into_iter().filter(|rule| !has.contains(&rule.as_str())).map(|rule| (name, rule)));
    }
    let feedback = missing.iter().map(|(name, rule)| format!("{name}:{rule}")).collect::<Vec<_>>().join(" ");
    Scored { score: Score { total: criteria.iter().sum(), criteria }, feedback }
}

/// Adds one rule that was missing; now and then it also forgets two.
fn reflect(component: &str, prompts: &Prompts, lessons: &[Lesson]) -> Answer {
    let text = prompts.text(component);
    let words = lessons.iter().flat_map(|lesson| lesson.scored.feedback.split(' '));
    let missing: Vec<&str> = words.filter_map(|word| word.strip_prefix(component)?.strip_prefix(':')).collect();
    if missing.is_empty() {
        return Answer::NoText("nothing is missing here".to_string());
    }
    let pick = number(&[text, component, &missing.join(" ")]);
    let mut rules: Vec<&str> = text.split(' ').collect();
    if pick.is_multiple_of(3) && rules.len() > 2 {
        rules.drain(1..3);
    }
    rules.push(missing[pick % missing.len()]);
    Answer::Text(rules.join(" "))
}

fn does(task: &Task) -> Answer {
    match task {
        Task::Score { prompts, instance, .. } => Answer::Scored(score(prompts, *instance)),
        Task::Reflect { component, prompts, lessons, .. } => reflect(component, prompts, lessons),
    }
}

/// An engine that is not told what the components are sent with.
fn untold(settings: &Settings) -> Engine {
    let seed = Prompts::new(NAMES.iter().map(|name| ((*name).to_string(), "Write.".to_string())).collect());
    Engine::new(settings.clone(), SIZES, seed, Objections::new(2000, [])).unwrap()
}

fn engine(settings: &Settings) -> Engine {
    let all = |(set, size)| (0..size).map(move |at| Instance { set, at });
    let pairs = [(Set::Reflect, SIZES.reflect), (Set::Select, SIZES.select)].into_iter().flat_map(all);
    let sent = pairs.filter(|one| bears(NAMES[2], *one)).collect();
    untold(settings).bearing(BTreeMap::from([(NAMES[2].to_string(), sent)]))
}

const SOME: Parts = Parts { remember: true, no_repeats: true, first_leg: 4, ..Parts::NONE };
const ALL: Parts = Parts {
    remember: true,
    no_repeats: true,
    rounds: 3,
    own_pairs: true,
    first_leg: 4,
    every_leg: true,
    no_worse: true,
};

fn settings(side_by_side: usize) -> Settings {
    let perfect = u32::try_from(NEEDS * NAMES.len()).unwrap();
    Settings { side_by_side, parts: SOME, ..Settings::reference(7, 900, perfect) }
}

fn of_parts(side_by_side: usize, parts: Parts) -> Settings {
    Settings { parts, ..settings(side_by_side) }
}

/// Goes on to the end, the answers coming in an order of their own; gives the records and how many tasks were done.
fn run(engine: &mut Engine, order: u64) -> (Vec<Settled>, usize) {
    let (mut open, mut records, mut done) = (VecDeque::from(engine.tasks()), Vec::new(), 0_usize);
    while !open.is_empty() {
        let at = number(&[&order.to_string(), &done.to_string()]) % open.len();
        let task = open.remove(if order == 0 { 0 } else { at }).unwrap();
        records.extend(engine.answer(task.id(), does(&task)).unwrap());
        done += 1;
        open.extend(engine.tasks());
    }
    assert!(engine.ending().is_some());
    (records, done)
}

#[test]
fn it_climbs_and_keeps_its_budget() {
    for settings in [settings(1), settings(4), of_parts(1, Parts::NONE), of_parts(1, ALL), of_parts(4, ALL)] {
        let mut engine = engine(&settings);
        let (records, _) = run(&mut engine, 0);
        let spent: u64 = records.iter().map(|record| record.evaluations).sum();
        assert!(spent <= settings.evaluations && spent == engine.spent(), "{spent}");
        let pool = engine.pool();
        let (first, best) = (pool.entries()[0].sum, pool.entries()[pool.best().unwrap()].sum);
        assert!(best > first + 30, "{first} to {best} of {}", 10 * settings.perfect);
        let tried = |r: &Settled| r.rounds.iter().map(|one| one.before.len() + one.after.len()).sum::<usize>();
        let paid = records.iter().map(|r| tried(r) + r.trial.len() + r.whole.len()).sum::<usize>();
        assert!(paid as u64 >= spent);
    }
}

#[test]
fn the_order_of_arrival_changes_nothing() {
    for settings in [settings(5), of_parts(5, ALL)] {
        let expected = run(&mut engine(&settings), 0).0;
        assert!(expected.iter().any(|record| matches!(record.origin, Origin::Merge { .. })), "no merge was tried");
        for order in 1..6 {
            assert_eq!(run(&mut engine(&settings), order).0, expected, "order {order}");
        }
    }
}

#[test]
fn a_run_that_was_stopped_goes_on_to_the_same_end_and_pays_for_nothing_settled() {
    for settings in [settings(3), of_parts(3, ALL)] {
        let mut undisturbed = engine(&settings);
        let (expected, whole) = run(&mut undisturbed, 0);
        for stop in [0, 1, 7, expected.len() / 2, expected.len()] {
            let mut resumed = engine(&settings);
            // The records are read from their lines, as a journal gives them.
            for record in &expected[..stop] {
                let line = serde_json::to_string(record).unwrap();
                resumed.replay(&serde_json::from_str(&line).unwrap()).unwrap();
            }
            let (rest, done) = run(&mut resumed, 3);
            assert_eq!(rest, expected[stop..], "stopped after {stop}");
            assert!(done <= whole, "{done} of {whole}");
            assert_eq!((resumed.spent(), resumed.ending()), (undisturbed.spent(), undisturbed.ending()));
        }
    }
}

#[test]
fn a_record_of_another_run_is_refused() {
    let records = run(&mut engine(&settings(1)), 0).0;
    let mut other = engine(&Settings { seed: 8, ..settings(1) });
    other.replay(&records[0]).unwrap();
    let refused = records[1..].iter().find_map(|record| other.replay(record).err()).unwrap();
    assert!(refused.to_string().contains("of another run"), "{refused}");
}

#[test]
fn a_budget_that_buys_nothing_is_refused_at_the_start() {
    let seed = || Prompts::new(BTreeMap::from([("a".to_string(), "b".to_string())]));
    let made = |evaluations| Engine::new(Settings { evaluations, ..settings(1) }, SIZES, seed(), Objections::default());
    assert_eq!(made(25).unwrap_err(), EngineError::Budget { evaluations: 25, start: 10, proposal: 16 });
    assert!(made(26).is_ok());
}

#[test]
fn what_gives_nothing_ends() {
    let mut engine = engine(&Settings { give_up: 4, ..settings(2) });
    let mut open = VecDeque::from(engine.tasks());
    while let Some(task) = open.pop_front() {
        let answer = match &task {
            Task::Score { .. } => does(&task),
            Task::Reflect { .. } => Answer::NoText("the model declined".to_string()),
        };
        engine.answer(task.id(), answer).unwrap();
        open.extend(engine.tasks());
    }
    assert!(matches!(engine.ending(), Some(Ending::Barren(4..))), "{:?}", engine.ending());
}

#[test]
fn what_only_fits_the_minibatch_is_paid_for_on_one_leg() {
    let mut engine = untold(&Settings { give_up: 3, evaluations: 60, ..settings(1) });
    let (mut open, mut records) = (VecDeque::from(engine.tasks()), Vec::new());
    while let Some(task) = open.pop_front() {
        let answer = match &task {
            Task::Score { prompts, instance, .. } => {
                let narrow = NAMES.iter().any(|name| prompts.text(name).contains("narrow"));
                let total = if !narrow {
                    5
                } else if instance.set == Set::Reflect {
                    8
                } else {
                    2
                };
                Answer::Scored(Scored { score: Score { total, criteria: Vec::new() }, feedback: String::new() })
            }
            Task::Reflect { .. } => Answer::Text(format!("narrow {}", records.len())),
        };
        records.extend(engine.answer(task.id(), answer).unwrap());
        open.extend(engine.tasks());
    }
    let behind = |record: &Settled| record.verdict == Verdict::Rejected(Cause::Behind { tried: 4 });
    assert!(records.len() > 3 && records[1..].iter().all(behind), "{records:?}");
    assert!(records[1..].iter().all(|record| record.evaluations <= 10 && record.whole.len() == 4));
}

#[test]
fn why_a_pair_of_the_selection_got_nothing_is_kept() {
    let mut engine = untold(&settings(1));
    let (mut open, mut records) = (VecDeque::from(engine.tasks()), Vec::new());
    while let Some(task) = open.pop_front() {
        let answer = match does(&task) {
            Answer::Scored(mut scored) => {
                let refused = matches!(&task, Task::Score { instance, .. } if instance.at == 2);
                scored.score.total = if refused { 0 } else { scored.score.total + 1 };
                scored.feedback = if refused { "Refused (facts)".to_string() } else { scored.feedback };
                Answer::Scored(scored)
            }
            other => other,
        };
        records.extend(engine.answer(task.id(), answer).unwrap());
        open.extend(engine.tasks());
    }
    assert_eq!(records[0].nothing, BTreeMap::from([(2, "Refused (facts)".to_string())]));
    let kept = serde_json::to_value(&records[0]).unwrap();
    assert_eq!((&kept["nothing"]["2"], &kept["whole"][2][0]), (&"Refused (facts)".into(), &0.into()));
}

#[test]
fn rounds_go_on_from_what_passed_and_the_selection_is_paid_for_once() {
    let records = run(&mut engine(&of_parts(1, ALL)), 0).0;
    let passed = |record: &Settled| record.rounds.iter().filter(|one| one.refused.is_none()).count();
    assert!(records.iter().any(|record| passed(record) > 1), "no two rounds of one proposal passed");
    for record in &records {
        let Origin::Reflection { rounds, .. } = &record.origin else { continue };
        assert_eq!((rounds.len(), record.rounds.len()), (3, 3));
        let last = rounds.iter().zip(&record.rounds).filter(|(_, one)| one.refused.is_none());
        let last: BTreeMap<_, _> =
            last.map(|(round, one)| (round.component.clone(), one.text.clone().unwrap())).collect();
        assert!(passed(record) == 0 || record.texts == last, "{record:?}");
        // A component is tried on pairs that it is sent with.
        for round in rounds {
            let sent = |at: &usize| bears(&round.component, Instance { set: Set::Reflect, at: *at });
            assert!(round.minibatch.len() == 3 && round.minibatch.iter().all(sent), "{round:?}");
        }
    }
}

#[test]
fn what_a_change_is_not_sent_with_is_not_paid_for_again() {
    let mut asked = BTreeMap::new();
    let mut engine = engine(&of_parts(1, ALL));
    let mut open = VecDeque::from(engine.tasks());
    while let Some(task) = open.pop_front() {
        if let Task::Score { prompts, instance, .. } = &task {
            let sent = |(name, _): &(&String, &String)| bears(name, *instance);
            let sent: Vec<_> = prompts.components().iter().filter(sent).map(|(_, text)| text.clone()).collect();
            *asked.entry((*instance, sent)).or_insert(0) += 1;
        }
        engine.answer(task.id(), does(&task)).unwrap();
        open.extend(engine.tasks());
    }
    // On the minibatches nothing is asked twice; on the selection only what neither parent is known to have done.
    let twice = asked.iter().filter(|((instance, _), n)| instance.set == Set::Reflect && **n > 1).count();
    assert_eq!(twice, 0);
    // And what is taken over is what it would have been.
    for entry in engine.pool().entries() {
        for (at, told) in entry.scores.iter().enumerate() {
            assert_eq!(*told, score(&entry.prompts, Instance { set: Set::Select, at }).score);
        }
    }
}

#[test]
fn what_is_taken_is_no_worse_than_what_it_comes_from() {
    let mut engine = engine(&of_parts(2, ALL));
    run(&mut engine, 0);
    for entry in engine.pool().entries() {
        for parent in entry.parents() {
            assert!(entry.sum >= engine.pool().get(parent).unwrap().sum);
        }
    }
}

#[test]
fn the_forecast_holds_what_was_begun() {
    for parts in [Parts::NONE, SOME, ALL] {
        let settings = of_parts(1, parts);
        let bought = forecast(&settings, SIZES);
        let mut engine = untold(&settings);
        let records = run(&mut engine, 0).0;
        if engine.ending() == Some(Ending::Budget) {
            // The first is the start; those that merge cost less, and no more of them are tried than was said.
            let begun = records.len() as u64 - 1;
            assert!((bought.least..=bought.most + u64::from(settings.merges)).contains(&begun), "{begun}: {bought:?}");
        }
    }
}
