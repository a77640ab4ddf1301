//! Judges on planted defects: the built-in one, and a model whose faults are known, which the figures must show exactly.

use crate::program::{files, root, run, told};
use crate::world::{World, prompt, serve_by};
use legal_link::author::{Case, Criterion, Planter};
use legal_link::author::{
    Defect, DefectWords, Judge, JudgeError, Kind, ModelJudge, Rubric, Standard, Trial, Trials, reckon, trials,
};
use legal_link::build::Rubrics;
use legal_link::dataset::{Calibration, Judgement, LETTERS, Proof, Rate};
use legal_link::model::{Answered, Ask, Asking, CallKey, End, LanguageModel, ModelName, Money, Reply, Usage};
use serde_json::{Map, Value, json};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

const ITEMS: u32 = 14;

/// A model that knows every trial and judges it rightly, but for the faults planted in it here.
struct Faulty {
    name: ModelName,
    trials: Trials,
    rubric: Rubric,
    /// Without them it judges rightly.
    faults: bool,
}

impl Faulty {
    /// The trial that a prompt shows: the question, all options in their order, all passages.
    fn shown(&self, prompt: &str) -> Option<&Trial> {
        let shows = |trial: &&Trial| {
            let draft = &trial.draft;
            let options = LETTERS.iter().zip(trial.order).all(|(letter, option)| {
                prompt.contains(&format!("\n{letter}. {}\n", draft.options[usize::from(option)].text))
            });
            options
                && prompt.contains(&format!("Question: {}\n", draft.stem))
                && draft.passages.iter().all(|p| prompt.contains(p.text.as_str()))
        };
        self.trials.list.iter().find(shows)
    }

    /// The options that hold, unshuffled; it never sees a second key or a shifted day, and long options draw it.
    fn answer(&self, trial: &Trial) -> Vec<u8> {
        let proved = || (0u8..4).zip(&trial.proofs).filter(|(_, p)| **p == Proof::Proved).map(|(i, _)| i).collect();
        match trial.kind {
            Kind::Planted(Defect::WrongKey) => proved(),
            Kind::Planted(Defect::TwoKeys | Defect::ShiftedDate) if !self.faults => proved(),
            Kind::Planted(Defect::UnsupportedKey) => Vec::new(),
            Kind::Lengthened(at) if self.faults => vec![at],
            _ => vec![0],
        }
    }

    /// Level by criterion: 5, but 1 where a planted defect must show; some generic references it does not mind, some good
    /// items it finds absurd, and a key at D costs points.
    fn level(&self, trial: &Trial, criterion: &str, catches: &[Defect]) -> u8 {
        if !self.faults {
            return if matches!(trial.kind, Kind::Planted(defect) if catches.contains(&defect)) { 1 } else { 5 };
        }
        let at_d = trial.order[3] == 0 && matches!(trial.kind, Kind::Good | Kind::Rotated);
        match trial.kind {
            Kind::Planted(Defect::GenericReference) if trial.item.is_multiple_of(3) => 4,
            Kind::Planted(defect) if catches.contains(&defect) => 1,
            Kind::Good if trial.item.is_multiple_of(4) && criterion == "distractor_quality" => 1,
            _ if at_d && criterion == "novel_scenario" => 1,
            _ => 5,
        }
    }

    /// The reply to a question by the name of its schema. What is no trial is an item of a build: all is well with it.
    fn reply(&self, schema: &str, prompt: &str) -> String {
        let trial = self.shown(prompt);
        if self.faults && trial.is_some_and(|t| t.kind == Kind::Planted(Defect::ProceduralTrivia) && t.item == 1) {
            return "I would rather not.".to_string();
        }
        if let ("blind", Some(trial)) = (schema, trial) {
            let letters: Vec<&str> = self
                .answer(trial)
                .iter()
                .filter_map(|option| trial.order.iter().position(|o| o == option))
                .map(|place| LETTERS[place])
                .collect();
            return json!({"reason": "so", "hold": letters}).to_string();
        }
        let level = |c: &Criterion| trial.map_or(5, |trial| self.level(trial, &c.name, &c.catches));
        let levels: Map<String, Value> =
            self.rubric.criteria.iter().map(|c| (c.name.clone(), json!({"reason": "so", "level": level(c)}))).collect();
        Value::Object(levels).to_string()
    }
}

impl LanguageModel for Faulty {
    fn name(&self) -> &ModelName {
        &self.name
    }

    fn ask<'a>(&'a self, ask: &'a Ask, draw: &'a str) -> Asking<'a> {
        let reply = Reply {
            text: self.reply(&ask.schema.name, &ask.turns[1].text),
            end: End::Stop,
            usage: Usage::default(),
            served: None,
        };
        let call = CallKey::new("", draw.as_bytes(), "");
        Box::pin(std::future::ready(Ok(Answered { reply, call, replayed: false, batch: false })))
    }
}

fn hear(judge: &dyn Judge, trials: &Trials) -> Vec<Option<Judgement>> {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let ask = |trial: &Trial, blind| {
        runtime.block_on(judge.judge(Case { draft: &trial.draft, proofs: &trial.proofs, blind, order: trial.order }))
    };
    let hear = |trial: &Trial| match ask(trial, true) {
        Err(JudgeError::NoBlindAnswer) => ask(trial, false).ok(),
        said => said.ok(),
    };
    trials.list.iter().map(hear).collect()
}

fn number(n: usize) -> u32 {
    u32::try_from(n).expect("a small number")
}

fn counts(rate: &Rate) -> (u32, u32) {
    (rate.hits, rate.of)
}

fn calibrated() -> (Trials, Calibration) {
    let rubrics = Rubrics::shipped();
    let rubric = Rubric::parse(rubrics.file("judge.toml").expect("shipped")).expect("a rubric");
    let words = DefectWords::parse(rubrics.file("defects.toml").expect("shipped")).expect("words");
    let world = World::shipped(&rubrics);
    let planter = Planter { graph: world.graph(), rules: world.rules(), words: &words, seed: 7 };
    let good = world.good(ITEMS as usize);
    assert_eq!(number(good.len()), ITEMS);
    let trials = trials(&good, &planter, true);
    let model = Faulty {
        name: "stand-in:faulty".parse().expect("a name"),
        trials: trials.clone(),
        rubric: rubric.clone(),
        faults: true,
    };
    let judge = ModelJudge::new(Arc::new(model), rubric.clone(), rubrics.prompts(), 500, None);
    let built_in = legal_link::author::BuiltInJudge::new(rubric.clone(), world.rules().clone());
    let said = vec![("built-in".to_string(), hear(&built_in, &trials)), (judge.name(), hear(&judge, &trials))];
    let standard = Standard { rubric: &rubric, rules: world.rules(), catch_floor: 0.7, alarm_ceiling: 0.3, seed: 7 };
    let calibration = reckon(&trials, &said, standard);
    (trials, calibration)
}

#[test]
fn the_faults_of_a_judge_are_found_exactly() {
    let (trials, calibration) = calibrated();
    let planted = |defect: Defect| number(trials.list.iter().filter(|t| t.kind == Kind::Planted(defect)).count());
    assert!(Defect::ALL.into_iter().all(|defect| planted(defect) > 5), "{:?}", trials.not_planted);
    let judge = &calibration.judges[1];
    let of = |defect: Defect| judge.defects.iter().find(|d| d.defect == defect.name()).unwrap();
    let caught = |defect: Defect| of(defect).caught.hits;

    // Blind spots: never, every third item, one reply that cannot be used; the rest is caught whole.
    assert_eq!((caught(Defect::ShiftedDate), caught(Defect::TwoKeys)), (0, 0));
    let third = number((0..ITEMS).filter(|item| item % 3 == 0).count());
    assert_eq!(caught(Defect::GenericReference), ITEMS - third);
    assert_eq!(caught(Defect::ProceduralTrivia), planted(Defect::ProceduralTrivia) - 1);
    assert_eq!(counts(&judge.unusable), (1, number(trials.list.len())));
    for whole in [Defect::WrongKey, Defect::UnsupportedKey, Defect::ImplausibleDistractor] {
        assert_eq!(caught(whole), planted(whole), "{whole}");
    }
    // By what: answers see keys, levels see prose, the hard rule takes all points.
    assert_eq!((of(Defect::WrongKey).by_answer, of(Defect::WrongKey).by_level), (planted(Defect::WrongKey), 0));
    assert_eq!((of(Defect::ImplausibleDistractor).by_total, of(Defect::ImplausibleDistractor).by_level), (0, ITEMS));
    assert_eq!(of(Defect::GenericReference).by_total, caught(Defect::GenericReference));

    // False alarms: every fourth good item, seen by the rule of one defect only.
    let fourth = number((0..ITEMS).filter(|item| item % 4 == 0).count());
    assert_eq!(counts(&judge.false_alarms), (fourth, ITEMS));
    assert_eq!(of(Defect::ImplausibleDistractor).false_alarms.hits, fourth);
    assert_eq!(of(Defect::WrongKey).false_alarms.hits, 0);

    // A key at D costs twelve points of a hundred, and nothing is turned away for it. (A good item found absurd loses 16.)
    let position = judge.position.as_ref().unwrap();
    let totals: Vec<f64> = position.places.iter().map(|place| place.mean_total.unwrap()).collect();
    assert!(totals[..3].iter().all(|total| *total > 94.0) && totals[3] < 88.5, "{totals:?}");
    assert_eq!(counts(&position.flips), (0, ITEMS));
    assert!(position.places.iter().all(|place| counts(&place.answered) == (ITEMS, ITEMS)));

    // Long options draw it.
    let length = judge.length.as_ref().unwrap();
    assert_eq!((counts(&length.chose_short), counts(&length.chose_long)), ((0, ITEMS), (ITEMS, ITEMS)));

    // The second vote: where code finds a reference as such and it does not mind.
    assert_eq!(number(judge.second_votes.len()), third);
    assert!(judge.second_votes.iter().all(|vote| vote.code.is_some() && vote.level == 4));
    assert_eq!(number(judge.missed.len()), judge.caught.of - judge.caught.hits);
    assert!(judge.fails.len() == 1 && judge.fails[0].contains("planted defects"), "{:?}", judge.fails);
}

#[test]
fn judges_are_compared_and_the_built_in_one_sees_what_code_sees() {
    let (trials, calibration) = calibrated();
    let [built_in, faulty] = calibration.judges.as_slice() else { panic!("two judges") };
    assert!(built_in.fails.is_empty() && built_in.false_alarms.hits == 0, "{:?}", built_in.fails);
    assert!(built_in.caught.share() > Some(0.95) && built_in.caught.share() > faulty.caught.share());
    assert_eq!(built_in.position.as_ref().map(|p| p.spread), Some(0.0));
    let two = &calibration.agreement[0];
    let judged = number(trials.list.iter().filter(|t| matches!(t.kind, Kind::Good | Kind::Planted(_))).count()) - 1;
    assert_eq!(two.table.iter().sum::<u32>(), judged);
    assert_eq!(two.table[2], 0, "it turns nothing away that the built-in judge keeps, but by a level");
    let raw = two.raw.unwrap();
    assert!((raw - f64::from(two.table[0] + two.table[3]) / f64::from(judged)).abs() < 1e-12);
    assert!(two.kappa.unwrap() < raw && two.ac1.unwrap() < raw);
}

#[test]
fn the_same_items_and_seed_give_the_same_trials() {
    let (first, again) = (calibrated(), calibrated());
    assert!(first.0 == again.0 && first.1 == again.1);
}

#[test]
fn the_command_tells_rates_as_table_json_and_page() {
    let folder = tempfile::tempdir().unwrap();
    let manifest = "examples/quickstart/dataset.toml";
    let out = folder.path().join("out");
    let told_as = |more: &[&str]| {
        let mut args = vec!["judge", "calibrate", manifest, "--items", "7"];
        args.extend(more);
        run(&args, folder.path())
    };
    let out_path = out.display().to_string();
    let table = told_as(&["--out", &out_path]);
    assert!(table.status.success(), "{}", told(&table));
    assert!(told(&table).contains("built-in: may judge"), "{}", told(&table));
    let json = told_as(&["--json"]);
    let calibration: Calibration = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!((calibration.items, calibration.judges.len()), (7, 1));
    let written = std::fs::read(out.join("calibration.json")).unwrap();
    assert_eq!(serde_json::from_slice::<Calibration>(&written).unwrap(), calibration);
    let page = std::fs::read_to_string(out.join("calibration.html")).unwrap();
    assert!(page.contains("<svg") && page.contains("wrong key") && !page.contains("<script"));
    assert!(root().join(manifest).is_file());
}

#[test]
fn the_items_of_a_dataset_can_be_taken() {
    let folder = tempfile::tempdir().unwrap();
    let manifest = "examples/quickstart/dataset.toml";
    let out = folder.path().join("out").display().to_string();
    assert!(run(&["build", manifest, "--out", &out], folder.path()).status.success());
    let told_of = run(&["judge", "calibrate", manifest, "--dataset", &out, "--items", "3", "--json"], folder.path());
    let calibration: Calibration = serde_json::from_slice(&told_of.stdout).unwrap();
    assert_eq!(calibration.items, 3);
    let nothing = run(&["judge", "calibrate", manifest, "--items", "0"], folder.path());
    assert_eq!(nothing.status.code(), Some(3), "{}", told(&nothing));
}

/// A manifest beside which a model of the test is priced, judging the specimens at `base`.
fn judged_build(folder: &Path, base: &str, more: &str) -> String {
    let path = folder.join("dataset.toml");
    let text = format!(
        "name = \"judged\"\nseed = 7\nsource = \"shipped\"\n\n[judge]\nmodel = \"local:stand-in\"\nbase_url = \"{base}\"\n\n\
         [quotas]\nrepeals = 3\ncompletes = 3\n\n{more}"
    );
    std::fs::write(&path, text).expect("a temporary folder can be written");
    path.display().to_string()
}

const PRICE: &str = "version = 1\n[[price]]\nmodel = \"local:stand-in\"\ninput = 1.0\ncached = 0.5\noutput = 2.0\nas_of = \"2026-11\"\nsource = \"the test\"\n";

fn priced(folder: &Path) {
    std::fs::create_dir_all(folder.join("rubrics")).expect("a temporary folder can be written");
    std::fs::write(folder.join("rubrics/prices.toml"), PRICE).expect("a temporary folder can be written");
}

/// A server that judges rightly, and counts how often it was asked.
fn right_judge() -> (String, Arc<AtomicU64>) {
    served_judge(false)
}

/// A server that judges rightly, or but for the faults planted in it, and counts how often it was asked.
pub fn served_judge(faults: bool) -> (String, Arc<AtomicU64>) {
    let rubrics = Rubrics::shipped();
    let rubric = Rubric::parse(rubrics.file("judge.toml").expect("shipped")).expect("a rubric");
    let words = DefectWords::parse(rubrics.file("defects.toml").expect("shipped")).expect("words");
    let world = World::shipped(&rubrics);
    let planter = Planter { graph: world.graph(), rules: world.rules(), words: &words, seed: 7 };
    let trials = trials(&world.good(100), &planter, faults);
    let model = Faulty { name: "local:stand-in".parse().expect("a name"), trials, rubric, faults };
    let asked = Arc::new(AtomicU64::new(0));
    let count = asked.clone();
    let base = serve_by(move |request| {
        count.fetch_add(1, Ordering::SeqCst);
        let schema = request["response_format"]["json_schema"]["name"].as_str().unwrap_or_default();
        let usage = json!({
            "prompt_tokens": 1000, "completion_tokens": 100, "prompt_tokens_details": {"cached_tokens": 400},
            "completion_tokens_details": {"reasoning_tokens": 30},
        });
        if schema == "probe" {
            let fields = request["response_format"]["json_schema"]["schema"]["properties"].as_object();
            let field = fields.and_then(|fields| fields.keys().next()).expect("a form has a field");
            return (json!({field.as_str(): "7319"}).to_string(), usage);
        }
        (model.reply(schema, &prompt(request)), usage)
    });
    (base, asked)
}

#[test]
fn a_build_tries_its_judge_first_and_tells_what_it_cost() {
    let folder = tempfile::tempdir().unwrap();
    let (base, asked) = right_judge();
    priced(folder.path());
    let manifest =
        judged_build(folder.path(), &base, "[calibration]\nitems = 2\n\n[budget]\nmoney = 1.0\nseconds = 600\n");
    let build = |out: &str, more: &[&str]| {
        let mut args = vec!["build", &manifest, "--out", out, "--json"];
        args.extend(more);
        run(&args, folder.path())
    };
    let out = folder.path().join("out").display().to_string();
    let first = build(&out, &[]);
    assert!(first.status.success(), "{}", told(&first));
    let said: Value = serde_json::from_slice(&first.stdout).unwrap();
    assert!(said["calibration"]["judges"][0]["fails"].is_null(), "{said}");
    assert_eq!(said["calibration"]["judges"][0]["caught"]["hits"], said["calibration"]["judges"][0]["caught"]["of"]);

    // Each call: 600 at 1.00, 400 at 0.50 and 100 at 2.00 dollars per million tokens.
    let calls = asked.load(Ordering::SeqCst);
    let spent = Money::nanos(calls * (600_000 + 200_000 + 200_000)).decimal();
    assert_eq!(
        (said["spent_now"]["calls"].as_u64(), said["spent_now"]["money"].as_str()),
        (Some(calls), Some(spent.as_str()))
    );
    assert_eq!(said["spending"]["cost"].as_str(), Some(spent.as_str()));
    let row = |stage: &str| {
        said["spending"]["rows"].as_array().unwrap().iter().find(|r| r["stage"] == stage).unwrap().clone()
    };
    // An item that was judged alike when the judge was tried is not judged again.
    let judged = row("judge")["calls"].as_u64().unwrap();
    assert!((4..=6).contains(&judged), "{said}");
    assert_eq!(row("probe")["calls"], 3);
    assert_eq!(row("calibrate")["calls"].as_u64(), Some(calls - judged - 3));
    assert_eq!(
        (row("judge")["cached"].as_u64(), row("judge")["reasoning"].as_u64()),
        (Some(judged * 400), Some(judged * 30))
    );
    let page = std::fs::read_to_string(folder.path().join("out/report.html")).unwrap();
    assert!(page.contains("What it cost") && page.contains("The judge") && page.contains(&spent));

    // The same again from the journal: nothing is spent now, and the dataset cost what it cost.
    let again = folder.path().join("again").display().to_string();
    let replayed = build(&again, &["--offline"]);
    let said: Value = serde_json::from_slice(&replayed.stdout).unwrap();
    assert_eq!(
        (said["spent_now"]["calls"].as_u64(), said["spending"]["cost"].as_str()),
        (Some(0), Some(spent.as_str()))
    );
    assert_eq!(asked.load(Ordering::SeqCst), calls);
    for ((path, a), (_, b)) in files(&folder.path().join("out")).iter().zip(&files(&folder.path().join("again"))) {
        assert!(a == b, "{} differs when replayed", path.display());
    }
}

#[test]
fn a_limit_in_money_stops_a_build_before_it_is_passed_and_a_higher_one_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let (base, asked) = right_judge();
    let limited = |money: &str| {
        judged_build(folder.path(), &base, &format!("[calibration]\nitems = 1\n\n[budget]\nmoney = {money}\n"))
    };
    let out = folder.path().join("out").display().to_string();
    let build = |manifest: &str| run(&["build", manifest, "--out", &out], folder.path());
    let unpriced = build(&limited("1.0"));
    assert_eq!(unpriced.status.code(), Some(3), "{}", told(&unpriced));
    assert!(told(&unpriced).contains("the price of local:stand-in is not known"), "{}", told(&unpriced));
    priced(folder.path());
    // A few calls' worst case, which is some ten times what they come to.
    let stopped = build(&limited("0.015"));
    assert_eq!(stopped.status.code(), Some(5), "{}", told(&stopped));
    assert!(told(&stopped).contains("of $0.015 are left"), "{}", told(&stopped));
    let before = asked.load(Ordering::SeqCst);
    assert!(before > 0 && before * 1_000_000 <= 15_000_000, "{before} calls were paid for");
    let done = build(&limited("1.0"));
    assert!(done.status.success(), "{}", told(&done));
    let journal = std::fs::read_to_string(folder.path().join("legal-link/calls.journal")).unwrap();
    assert_eq!(journal.lines().count() as u64, asked.load(Ordering::SeqCst), "no call is made twice");
}

#[test]
fn a_judge_under_the_floor_stops_the_build() {
    let folder = tempfile::tempdir().unwrap();
    let base = serve_by(|_| ("I do not know.".to_string(), json!({"prompt_tokens": 1, "completion_tokens": 1})));
    let out = folder.path().join("out").display().to_string();
    let build = |more: &str| run(&["build", &judged_build(folder.path(), &base, more), "--out", &out], folder.path());
    let stopped = build("[calibration]\nitems = 1\n");
    assert_eq!(stopped.status.code(), Some(6), "{}", told(&stopped));
    assert!(
        told(&stopped).contains("local:stand-in may not judge") && told(&stopped).contains("catches 0 of"),
        "{}",
        told(&stopped)
    );
    assert!(!folder.path().join("out").exists(), "nothing is written");
    // Waived, it may; all it says is refused.
    let waived = build("[calibration]\nitems = 0\n");
    assert_eq!(waived.status.code(), Some(4), "{}", told(&waived));
}

#[test]
fn a_dry_run_of_the_benchmark_tells_tokens_and_money_before_anything_is_fetched() {
    let folder = tempfile::tempdir().unwrap();
    let manifest = "examples/legal-link-eu/dataset.toml";
    let out = folder.path().join("out").display().to_string();
    let plan = |more: &[&str]| {
        let mut args = vec!["build", manifest, "--out", &out, "--dry-run"];
        args.extend(more);
        run(&args, folder.path())
    };
    let text = plan(&[]);
    assert!(text.status.success() && told(&text).contains("not fetched yet"), "{}", told(&text));
    let said: Value = serde_json::from_slice(&plan(&["--json"]).stdout).unwrap();
    assert_eq!((said["items"].as_u64(), said["source"].is_null()), (Some(7 * 161), true));
    let cost = &said["cost"];
    let money: Vec<f64> =
        cost["money"].as_array().unwrap().iter().map(|m| m.as_str().unwrap().parse().unwrap()).collect();
    assert!(0.0 < money[0] && money[0] < money[1], "{cost}");
    let calls =
        |stage: &str| cost["stages"].as_array().unwrap().iter().find(|s| s["stage"] == stage).unwrap()["calls"].clone();
    assert_eq!((calls("write"), calls("judge")[0].as_u64()), (json!([1127, 1127 * 9]), Some(1127)));
    assert!(cost["unpriced"].as_array().unwrap().is_empty() && cost["assumptions"].as_array().unwrap().len() >= 5);
    let unpriced = judged_build(folder.path(), "http://127.0.0.1:9/v1", "");
    let plan = run(&["build", &unpriced, "--out", &out, "--dry-run"], folder.path());
    assert!(told(&plan).contains("price not known") && !told(&plan).contains('$'), "{}", told(&plan));
}
