//! What the optimizer itself costs, its evaluator free of charge: CPU per proposal, the durable journal included.
//!
//!     cargo bench --bench engine                 # 1,000 candidates by 150 pairs
//!     cargo bench --bench engine -- 300 75       # so many candidates, so many pairs
//!
//! Three runs: as the reference compares (by totals, one reflection a proposal), with a front for each criterion on each
//! pair, and with all means of ours (four reflections, legs of 25 pairs, no worse than its parents). Every proposal passes
//! its minibatch; in the first two each is compared on all pairs and enters the pool. What is printed is CPU of the one thread that does all the work (answers in, decisions out, each
//! as JSON in the journal and forced to disk), over the whole run and over its thirds: a cost that grows shows there. Then
//! the journal is replayed, as when a run goes on.

#[path = "../figures/mod.rs"]
mod figures;

use figures::{cpu, peak};
use legal_link::author::optimize::{
    Answer, Engine, Fronts, Objections, Parts, Prompts, Score, Scored, Set, Settings, Settled, Sizes, Task,
};
use legal_link::cache::{Flavour, Journal};
use legal_link::law::Digest;

/// Weights of the six criteria.
const WEIGHTS: [u32; 6] = [4, 4, 3, 4, 3, 2];
/// As much as the gates and a judge say of one item.
const SAID: &str = "A question of some length, its four options, and what became of it. 83 of 100 points.\n\
                    - distractor_quality: level 4 of 5. Three distractors refuted, two for a reason of their own.\n\
                    - legal_specificity: level 5 of 5. Acts, days and provisions are named.\n\
                    - novel_scenario: level 3 of 5. A company asks on the day.\n";

fn main() {
    let sizes: Vec<usize> = std::env::args().filter_map(|word| word.parse().ok()).collect();
    let (candidates, pairs) = match sizes.as_slice() {
        [candidates, pairs, ..] => (*candidates, *pairs),
        _ => (1000, 150),
    };
    println!(
        "{candidates} candidates by {pairs} pairs; CPU of one thread, the journal forced to disk before anything else is done"
    );
    let modes = [
        ("by total", Fronts::Instance, Parts::NONE),
        ("by criterion and pair", Fronts::Cartesian, Parts::NONE),
        ("with all means", Fronts::Instance, Parts::default()),
    ];
    for (name, fronts, parts) in modes {
        run(name, &|| engine(fronts, parts, candidates, pairs));
    }
}

fn engine(fronts: Fronts, parts: Parts, candidates: usize, pairs: usize) -> Engine {
    let evaluations = (pairs + candidates * (pairs + 6 * parts.rounds)) as u64;
    let reference = Settings::reference(1, evaluations, 1_000_000);
    let settings = Settings { fronts, parts, side_by_side: 4, merges: 0, ..reference };
    let seed = ["claims", "distractors", "drafting"].map(|name| (name.to_string(), "Write one question.".to_string()));
    let sizes = Sizes { reflect: pairs / 2, select: pairs };
    Engine::new(settings, sizes, Prompts::new(seed.into()), Objections::new(100_000, [])).expect("it begins")
}

fn run(name: &str, engine: &dyn Fn() -> Engine) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("optimize.journal");
    let (journal, _) = Journal::open(&path, Flavour::Checked).expect("a new journal");
    let mut first = engine();
    let (mut marks, began) = (vec![0.0], cpu());
    let (mut free, mut written) = (0.0, 0);
    loop {
        let tasks = first.tasks();
        if tasks.is_empty() {
            break;
        }
        // What an evaluator would do is not counted.
        let before = cpu();
        let answers: Vec<Answer> = tasks.iter().map(|task| answer(task, &mut written)).collect();
        free += cpu() - before;
        let mut lines = Vec::new();
        for (task, answer) in tasks.iter().zip(answers) {
            let settled = first.answer(task.id(), answer).expect("it was asked");
            lines.extend(settled.iter().map(|settled| serde_json::to_string(settled).expect("JSON")));
        }
        journal.append_all(lines.iter().map(String::as_str)).expect("a disk");
        marks.resize(marks.len() + lines.len(), cpu() - began - free);
    }
    let proposals = marks.len() - 1;
    let each = |from: usize, to: usize| 1000.0 * (marks[to] - marks[from]) / real(to - from);
    let thirds = [0, 1, 2].map(|third| each(third * proposals / 3, (third + 1) * proposals / 3));
    let bytes = std::fs::metadata(&path).expect("it was written").len();
    println!(
        "{name}: {:.3} ms a proposal ({proposals} proposals, {} candidates, {} may be chosen); thirds {:.3}, {:.3}, {:.3} ms; \
         journal {:.1} kB each; peak {:.0} MB",
        each(0, proposals),
        first.pool().entries().len(),
        first.pool().votes().len(),
        thirds[0],
        thirds[1],
        thirds[2],
        real(usize::try_from(bytes).expect("a size")) / 1000.0 / real(proposals),
        peak()
    );
    drop(journal);
    let mut again = engine();
    let before = cpu();
    let (_, opened) = Journal::open(&path, Flavour::Checked).expect("it is there");
    for line in &opened.records {
        let settled: Settled = serde_json::from_str(line).expect("a decision");
        again.replay(&settled).expect("of this run");
    }
    assert_eq!(again.pool().votes(), first.pool().votes());
    println!("{name}: gone on with after {:.3} ms a proposal", 1000.0 * (cpu() - before) / real(proposals));
}

fn real(n: usize) -> f64 {
    f64::from(u32::try_from(n).expect("a count"))
}

/// Scores by the numbers that end the components (the later it was written, the greater) and a draw: on the pairs
/// reflected on what is later is better, on the others mostly.
fn answer(task: &Task, written: &mut u32) -> Answer {
    match task {
        Task::Reflect { .. } => {
            *written += 1;
            Answer::Text(format!("Write one question, and mind what was said of the others. {written}"))
        }
        Task::Score { prompts, instance, .. } => {
            let number = |text: &String| text.rsplit(' ').next().and_then(|word| word.parse::<u32>().ok()).unwrap_or(0);
            let numbers: u32 = prompts.components().values().map(number).sum();
            let drawn = Digest::of_fields([prompts.digest().as_bytes().as_slice(), &instance.at.to_be_bytes()]);
            let level = |at: usize| 1 + u32::from(drawn.as_bytes()[at] % 5);
            let mut criteria: Vec<u32> = WEIGHTS.iter().enumerate().map(|(at, weight)| weight * level(at)).collect();
            // Not so much that the latest is the best everywhere.
            criteria[0] += numbers / 16;
            let total = match instance.set {
                Set::Reflect => numbers,
                Set::Select => criteria.iter().sum(),
            };
            Answer::Scored(Scored { score: Score { total, criteria }, feedback: SAID.to_string() })
        }
    }
}
