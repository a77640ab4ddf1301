//! The landscape on which optimizers are compared (`benches/optimizer`): what it says of itself is so.

#[allow(dead_code)] // The bench uses all of it.
#[path = "../../benches/optimizer/account.rs"]
mod account;
#[allow(dead_code)]
#[path = "../../benches/optimizer/landscape.rs"]
mod landscape;
#[allow(dead_code)]
#[path = "../../benches/optimizer/ours.rs"]
mod ours;
#[allow(dead_code)]
#[path = "../../benches/optimizer/wire.rs"]
mod wire;

use account::Account;
use landscape::{Kept, Landscape};
use std::collections::BTreeMap;
use std::net::TcpListener;
use std::sync::Arc;

/// Prompts that reflection comes to when it goes on and on from the start.
fn wandered(landscape: &Landscape, steps: usize) -> Vec<BTreeMap<String, String>> {
    let mut prompts = landscape.start();
    let names: Vec<String> = prompts.keys().cloned().collect();
    let mut seen = Vec::new();
    for step in 0..steps {
        let name = &names[step * 7 % names.len()];
        let lessons = [step, step + 1, step + 2].map(|at| landscape.evaluate(&prompts, Kept::Reflect, at % 75));
        let lessons = lessons.map(|one| one.feedback);
        let text = landscape.reflect(name, &prompts[name], &lessons);
        prompts.insert(name.clone(), text);
        seen.push(prompts.clone());
    }
    seen
}

#[test]
fn no_prompt_is_worth_more_than_the_optimum_and_leaving_out_what_does_no_good_costs_nothing() {
    let landscape = Landscape::new(3);
    for kept in [Kept::Select, Kept::Final] {
        let (optimum, start) = (landscape.optimum(kept), landscape.truth(&landscape.start(), kept));
        assert!(start * 3 < optimum && optimum < 7500, "{start} of {optimum}");
        for prompts in wandered(&landscape, 120) {
            let worth = landscape.truth(&prompts, kept);
            assert!(worth <= optimum, "{worth} of {optimum}");
            // The lemma on which the search for the optimum stands.
            assert!(landscape.truth(&landscape.without_the_useless(&prompts), kept) >= worth);
        }
    }
}

#[test]
fn the_branches_left_out_hold_no_better_prompt() {
    let landscape = Landscape::new(5);
    assert_eq!(landscape.optimum_of(0, Kept::Select), landscape.optimum_by_trying_all(0, Kept::Select));
}

#[test]
fn the_same_request_has_the_same_answer_and_another_seed_another() {
    let [one, same, other] = [1, 1, 2].map(Landscape::new);
    let (prompts, text) = (one.start(), "Write three wrong options.");
    for at in 0..75 {
        let asked = one.evaluate(&prompts, Kept::Reflect, at);
        assert_eq!(asked, same.evaluate(&prompts, Kept::Reflect, at));
        let lessons = [asked.feedback];
        assert_eq!(one.reflect("distractors", text, &lessons), same.reflect("distractors", text, &lessons));
    }
    let all =
        |landscape: &Landscape| (0..75).map(|at| landscape.evaluate(&prompts, Kept::Reflect, at)).collect::<Vec<_>>();
    assert_ne!(all(&one), all(&other));
}

#[test]
fn the_judge_says_of_an_addendum_only_where_it_is_sent() {
    let landscape = Landscape::new(4);
    let mut prompts = landscape.start();
    prompts.insert(landscape.own(Kept::Select, 0), "Never write 'the basic act'.".to_string());
    for at in 0..75 {
        let alike = landscape.own(Kept::Select, at) == landscape.own(Kept::Select, 0);
        let before = landscape.evaluate(&landscape.start(), Kept::Select, at);
        assert!(alike || landscape.evaluate(&prompts, Kept::Select, at) == before, "pair {at}");
    }
}

#[test]
fn the_engine_climbs_to_ninety_five_hundredths_of_the_optimum() {
    for seed in [1, 2, 5] {
        let landscape = Arc::new(Landscape::new(seed));
        let settings = ours::settings(&landscape, seed);
        let report = ours::run_here(&landscape, ours::engine(&landscape, settings.clone()));
        assert!(report.arrived.is_some() && report.evaluations <= settings.evaluations, "{report:?}");
    }
}

#[test]
fn a_run_over_the_wire_is_the_run_in_this_process() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    std::thread::spawn(move || wire::serve(&listener));
    let landscape = Arc::new(Landscape::new(6));
    let engine = || {
        let settings = ours::settings(&landscape, 6);
        ours::engine(&landscape, legal_link::author::optimize::Settings { evaluations: 700, ..settings })
    };
    let mut account = Account::new(landscape.clone());
    let here = ours::run(engine(), |asked| ours::here(&mut account, asked));
    let mut wire = wire::Wire::new(&address, "6-ours");
    let there = ours::run(engine(), |asked| wire.ask(asked));
    assert_eq!((here, account.report().clone()), (there, wire.report()));
}
