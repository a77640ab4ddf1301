//! Models behind the stand-in of their provider, in every dialect, with bad answers by seed: nothing is lost, nothing is
//! paid twice, and every call has an end that can be told.

#![allow(clippy::unwrap_used)]

use crate::provider::{BatchFaults, Fault, Faults, Provider, by_schema};
use legal_link::build::{Counter, Manifest};
use legal_link::http::{Allowance, Client, Clock, Policy, Secret};
use legal_link::model::{
    Ask, Batched, Calls, Dialect, Gate, LanguageModel, Ledger, Limits, Means, ModelError, Patience, Prices, Purse,
    Recorded, Role, Route, Schema, Served, Silence, Turn,
};
use serde_json::json;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

/// Each dialect with a name that speaks it.
const DIALECTS: [(Dialect, &str); 6] = [
    (Dialect::Chat, "openai:m"),
    (Dialect::Compatible, "local:m"),
    (Dialect::Responses, "openai-responses:m"),
    (Dialect::Messages, "anthropic:m"),
    (Dialect::Gemini, "gemini:m"),
    (Dialect::Ollama, "ollama:m"),
];

/// A clock on which a second lasts a millisecond.
fn quick() -> Clock {
    Clock::scaled(SystemTime::now, 1000)
}

fn ask(n: usize) -> Ask {
    Ask {
        turns: vec![
            Turn { role: Role::System, text: "Answer in JSON.".to_string() },
            Turn { role: Role::User, text: format!("Question {n}: which act ended which?") },
        ],
        schema: Schema {
            name: "answer".to_string(),
            schema: json!({
                "type": "object",
                "properties": {"answer": {"type": "string", "maxLength": 40}, "sure": {"type": "boolean"}},
                "required": ["answer", "sure"],
                "additionalProperties": false,
            }),
        },
        max_tokens: 200,
        temperature: None,
        seed: None,
    }
}

fn served(route: &Route, calls: &Calls, purse: Arc<Purse>, cap: usize) -> Served {
    Served::new(route.clone(), means(calls, purse, cap))
}

fn means(calls: &Calls, purse: Arc<Purse>, cap: usize) -> Means {
    let policy = Policy { in_flight: cap, timeout: Duration::from_secs(60), ..Policy::default() };
    Means {
        client: Client::new("legal-link-test", policy, quick()).unwrap(),
        key: Some(Secret::new("not-to-be-seen")),
        gate: Arc::new(Gate::new(cap, quick())),
        silence: Silence::new("the stand-in", Arc::new(|_| {}), quick()),
        calls: calls.clone(),
        purse,
        now: || "2026-01-01T00:00:00Z".to_string(),
    }
}

fn route(dialect: Dialect, name: &str, server: &Provider) -> Route {
    Route::new(name.parse().unwrap(), dialect, &server.base())
}

/// What came of each of so many questions, all asked at once.
async fn all(model: Arc<dyn LanguageModel>, count: usize) -> Vec<Result<String, ModelError>> {
    let one = |n: usize| {
        let model = model.clone();
        tokio::spawn(async move {
            let answered = model.ask(&ask(n), &format!("draw/{n}")).await?;
            Ok(format!("{:?} {}", answered.reply.end, answered.reply.text))
        })
    };
    let running: Vec<_> = (0..count).map(one).collect();
    let mut ends = Vec::new();
    for call in running {
        ends.push(call.await.unwrap());
    }
    ends
}

fn told(ends: &[Result<String, ModelError>]) -> Vec<String> {
    ends.iter().map(|end| end.as_ref().map_or_else(ToString::to_string, Clone::clone)).collect()
}

fn journal(folder: &Path) -> Calls {
    Calls::open(&folder.join("calls.journal")).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bad_answers_lose_nothing_and_nothing_is_paid_twice_in_any_dialect() {
    let seeds: u64 = std::env::var("LEGAL_LINK_SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(2);
    for (number, (dialect, name)) in DIALECTS.into_iter().enumerate() {
        for seed in 0..seeds {
            let at = format!("{dialect:?} seed {seed}");
            let folder = tempfile::tempdir().unwrap();
            let server = Provider::start(by_schema(), Faults::seeded(seed * 10 + number as u64));
            let route = route(dialect, name, &server);
            let calls = journal(folder.path());
            let model = Arc::new(served(&route, &calls, Arc::default(), 16));
            let ends = all(model, 120).await;

            // No error but those that say what came: a reply that is none, a request that was refused.
            for end in ends.iter().filter_map(|end| end.as_ref().err()) {
                assert!(
                    matches!(end, ModelError::Malformed { .. } | ModelError::Status { status: 400, .. }),
                    "{at}: {end}"
                );
            }
            assert!(ends.iter().filter(|end| end.is_ok()).count() > 90, "{at}");
            assert!(server.most_in_flight() <= 16, "{at}");

            // What was answered whole stands in the journal, once, and was paid once.
            let asked = server.asked();
            let whole = asked.iter().filter(|a| a.paid && a.whole).count();
            let on_record = |status| {
                let lines = std::fs::read_to_string(folder.path().join("calls.journal")).unwrap();
                lines.lines().filter(|line| line.contains(&format!("\"status\":{status}"))).count()
            };
            assert_eq!(whole, on_record(200), "{at}");
            assert_eq!(asked.iter().filter(|a| a.status == 400).count(), on_record(400), "{at}");
            assert_eq!(whole + on_record(400), 120, "{at}");
            let mut paid: Vec<_> = asked.iter().filter(|a| a.paid && a.whole).map(|a| a.call).collect();
            paid.sort_unstable();
            paid.dedup();
            assert_eq!(paid.len(), whole, "{at}: paid twice");
            let unsaid = asked.iter().filter(|a| a.status != 200 && a.fault.is_none()).count();
            assert_eq!(unsaid, 0, "{at}: refused for no reason");

            // The same again from the journal: only what was refused is asked anew; offline nothing is.
            drop(calls);
            server.forget();
            let replayed = Recorded::new(route.clone(), Calls::peek(&folder.path().join("calls.journal")).unwrap());
            assert_eq!(told(&all(Arc::new(replayed), 120).await), told(&ends), "{at}");
            assert!(server.asked().is_empty(), "{at}");
            let calls = journal(folder.path());
            let again = Arc::new(served(&route, &calls, Arc::default(), 16));
            all(again, 120).await;
            assert!(server.asked().iter().filter(|a| a.status == 200).count() <= on_record(400), "{at}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_asked_at_the_same_moment_is_paid_for_once() {
    let folder = tempfile::tempdir().unwrap();
    let server = Provider::start(by_schema(), Faults::none());
    server.takes(Duration::from_millis(20));
    let calls = journal(folder.path());
    let model = served(&route(Dialect::Chat, "openai:m", &server), &calls, Arc::default(), 16);
    let same = ask(0);
    let answers = futures_util::future::join_all((0..8).map(|n| model.ask(&same, ["a", "b"][n % 2]))).await;
    let texts: std::collections::BTreeSet<_> = answers.into_iter().map(|one| one.unwrap().reply.text).collect();
    assert_eq!((server.asked().len(), calls.len()), (2, 2), "one call of each draw");
    assert!(!texts.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_number_of_calls_in_flight_passes_the_budget() {
    let folder = tempfile::tempdir().unwrap();
    let server = Provider::start(by_schema(), Faults::of(3, 50, &Fault::HARMLESS));
    let route = route(Dialect::Chat, "openai:m", &server);
    let purse = Arc::new(Purse::new(Limits { calls: Some(50), ..Limits::default() }, Prices::default()));
    let calls = journal(folder.path());
    let ends = all(Arc::new(served(&route, &calls, purse.clone(), 32)), 200).await;
    assert!(purse.spent().calls <= 50);
    assert!(server.paid() <= 50, "{} paid", server.paid());
    let spent = ends.iter().filter(|end| matches!(end, Err(ModelError::Spent(_)))).count();
    let answered = ends.iter().filter(|end| end.is_ok()).count();
    assert!(spent >= 150 && answered >= 20 && answered == calls.len(), "{spent} {answered}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_money_and_a_day_that_is_over_end_the_run_at_once() {
    for fault in [Fault::NoMoney, Fault::DayIsOver] {
        let folder = tempfile::tempdir().unwrap();
        let server = Provider::start(by_schema(), Faults::always(fault));
        let route = route(Dialect::Gemini, "gemini:m", &server);
        let calls = journal(folder.path());
        let ends = all(Arc::new(served(&route, &calls, Arc::default(), 1)), 3).await;
        assert!(ends.iter().all(|end| end.as_ref().is_err_and(ModelError::ends_the_run)), "{fault:?}");
        assert_eq!((server.asked().len(), calls.len()), (3, 0), "{fault:?}: asked once each");
        server.faults(Faults::none());
        assert!(all(Arc::new(served(&route, &calls, Arc::default(), 1)), 3).await.iter().all(Result::is_ok));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_stays_broken_is_asked_so_many_times_and_one_that_refuses_all_for_so_long() {
    let folder = tempfile::tempdir().unwrap();
    let server = Provider::start(by_schema(), Faults::always(Fault::Broken));
    let route = route(Dialect::Messages, "anthropic:m", &server);
    let calls = journal(folder.path());
    let ends = all(Arc::new(served(&route, &calls, Arc::default(), 1)), 1).await;
    assert!(matches!(&ends[0], Err(ModelError::Status { status: 500, .. })), "{:?}", ends[0]);
    assert_eq!(server.asked().len(), 5);
    server.faults(Faults::always(Fault::HasteSeconds));
    let ends = all(Arc::new(served(&route, &calls, Arc::default(), 4)), 4).await;
    assert!(ends.iter().all(|end| matches!(end, Err(ModelError::Exhausted { .. }))), "{:?}", told(&ends));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_goes_into_its_header_and_nowhere_else() {
    for (dialect, name) in DIALECTS {
        let folder = tempfile::tempdir().unwrap();
        let server = Provider::start(by_schema(), Faults::of(1, 60, &[Fault::Broken, Fault::TooLong]));
        let calls = journal(folder.path());
        let model = served(&route(dialect, name, &server), &calls, Arc::default(), 4);
        let shown = format!("{model:?} {:?}", told(&all(Arc::new(model.clone()), 12).await));
        let header = match dialect {
            Dialect::Messages => ("x-api-key", "not-to-be-seen"),
            Dialect::Gemini => ("x-goog-api-key", "not-to-be-seen"),
            _ => ("authorization", "Bearer not-to-be-seen"),
        };
        let header = (header.0.to_string(), header.1.to_string());
        assert!(server.asked().iter().all(|asked| asked.key.as_ref() == Some(&header)), "{dialect:?}");
        let journal = std::fs::read_to_string(folder.path().join("calls.journal")).unwrap();
        assert!(!shown.contains("not-to-be") && !journal.contains("not-to-be"), "{dialect:?}");
        assert!(!shown.contains("which act ended"), "{dialect:?}: a prompt is shown");
        assert!(journal.contains("which act ended"));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_limit_that_an_answer_says_is_used_up_is_waited_for_before_there_is_a_429() {
    for (dialect, name) in [(Dialect::Chat, "openai:m"), (Dialect::Messages, "anthropic:m")] {
        let folder = tempfile::tempdir().unwrap();
        let server = Provider::start(by_schema(), Faults::always(Fault::UsedUp));
        let calls = journal(folder.path());
        let began = std::time::Instant::now();
        let ends = all(Arc::new(served(&route(dialect, name, &server), &calls, Arc::default(), 1)), 3).await;
        assert!(ends.iter().all(Result::is_ok), "{:?}", told(&ends));
        // Two pauses of two minutes each, on a clock on which a second lasts a millisecond.
        assert!(began.elapsed() >= Duration::from_millis(220), "{dialect:?}: {:?}", began.elapsed());
    }
}

#[test]
fn two_roles_of_one_model_and_two_interfaces_to_it_share_its_limits() {
    let folder = tempfile::tempdir().unwrap();
    let server = Provider::start(by_schema(), Faults::none());
    server.takes(Duration::from_millis(5));
    let wish =
        |model: &str, cap: usize| format!("model = \"{model}\"\nbase_url = \"{}\"\nin_flight = {cap}\n", server.base());
    let text = format!(
        "name = \"x\"\n[author]\n{}[judge]\n{}[[calibration.judge]]\n{}",
        wish("openai:m", 3),
        wish("openai:m", 2),
        wish("openai-responses:m", 3)
    );
    let manifest = Manifest::parse(Path::new("dataset.toml"), &text).unwrap();
    let counter =
        Counter::open(folder.path(), &manifest.budget, Prices::default(), Allowance::default(), false).unwrap();
    let models: Vec<_> = manifest.models().map(|wish| counter.model(wish, "write").unwrap()).collect();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let asked: Vec<_> = models
            .into_iter()
            .enumerate()
            .map(|(role, model)| {
                tokio::spawn(async move {
                    let one = |n: usize| {
                        let model = model.clone();
                        tokio::spawn(async move { model.ask(&ask(n), &format!("{role}/{n}")).await.unwrap() })
                    };
                    for call in (0..20).map(one).collect::<Vec<_>>() {
                        call.await.unwrap();
                    }
                })
            })
            .collect();
        for role in asked {
            role.await.unwrap();
        }
    });
    assert_eq!(server.most_in_flight(), 3);
}

fn batched(route: &Route, server: &Provider, folder: &Path, calls: &Calls) -> Arc<Batched> {
    let ledger = Ledger::open(&folder.join("batches.journal")).unwrap();
    let (means, news) = (means(calls, Arc::default(), 4), Arc::new(|_| {}));
    Arc::new(Batched::new(route.clone(), &server.base(), means, ledger, Patience::default(), news))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_batch_answers_as_the_single_calls_would_and_what_it_leaves_out_is_asked_again() {
    for (dialect, name) in [(Dialect::Chat, "openai:m"), (Dialect::Responses, "openai-responses:m")] {
        let folder = tempfile::tempdir().unwrap();
        let server = Provider::start(by_schema(), Faults::none());
        let route = route(dialect, name, &server);
        server.batches_take(2);
        server.batch_faults(BatchFaults { forgets: 7, ..BatchFaults::default() });
        let calls = journal(folder.path());
        let ends = told(&all(batched(&route, &server, folder.path(), &calls), 60).await);
        assert_eq!((server.paid(), calls.len()), (60, 60), "{dialect:?}");
        assert!(server.batches() >= 2, "{dialect:?}: what was left out went into a second batch");

        // A call of the same key replays, whichever way it is made; and single calls say the same.
        server.forget();
        assert_eq!(told(&all(Arc::new(served(&route, &calls, Arc::default(), 8)), 60).await), ends);
        assert!(server.asked().is_empty());
        let elsewhere = tempfile::tempdir().unwrap();
        let single = Arc::new(served(&route, &journal(elsewhere.path()), Arc::default(), 8));
        assert_eq!(told(&all(single, 60).await), ends);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_batch_that_was_handed_in_is_fetched_by_the_next_run_and_not_paid_again() {
    let folder = tempfile::tempdir().unwrap();
    let server = Provider::start(by_schema(), Faults::none());
    let route = route(Dialect::Chat, "openai:m", &server);
    server.batches_take(usize::MAX);
    {
        // A run that ends while it waits for its batch: all that it has begun ends with its runtime.
        let (calls, run) = (journal(folder.path()), tokio::runtime::Runtime::new().unwrap());
        run.spawn(all(batched(&route, &server, folder.path(), &calls), 20));
        while server.batches() == 0 {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        let ended = tokio::task::spawn_blocking(move || run.shutdown_timeout(Duration::from_secs(60)));
        ended.await.unwrap();
    }
    server.batches_end();
    let calls = journal(folder.path());
    let ends = all(batched(&route, &server, folder.path(), &calls), 25).await;
    assert!(ends.iter().all(Result::is_ok), "{:?}", told(&ends));
    assert_eq!((server.paid(), server.handed_in_again(0)), (25, 0), "five more were asked for");
    drop(calls);
    let calls = journal(folder.path());
    assert!(all(batched(&route, &server, folder.path(), &calls), 25).await.iter().all(Result::is_ok));
    assert_eq!(server.paid(), 25);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_does_not_answer_is_told_of_once_by_all_who_wait_and_ever_more_rarely() {
    let folder = tempfile::tempdir().unwrap();
    let server = Provider::start(by_schema(), Faults::none());
    let clock = Clock::scaled(|| SystemTime::UNIX_EPOCH + Duration::from_secs(1050), 1000);
    let said = Arc::new(Mutex::new(Vec::new()));
    let hears = said.clone();
    let news = Arc::new(move |line: String| hears.lock().unwrap().push(line));
    let means = Means {
        silence: Silence::new(&server.base(), news, clock),
        ..means(&journal(folder.path()), Arc::default(), 16)
    };
    let model = Arc::new(Served::new(route(Dialect::Chat, "openai:m", &server), means));
    server.hold("/chat/completions", 0);
    let asking = tokio::spawn(all(model, 8));
    while said.lock().unwrap().len() < 3 {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    server.let_go();
    assert!(asking.await.unwrap().iter().all(Result::is_ok));
    for (line, seconds) in said.lock().unwrap().iter().zip([30, 60, 120]) {
        let begins = format!("waiting for {}: no answer for {seconds} s, since 00:17:", server.base());
        assert!(line.starts_with(&begins) && line.contains("requests under way: "), "{line}");
    }
}
