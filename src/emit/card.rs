//! `README.md`: the dataset card. Front matter that a hub and Python's `datasets` read, then plain words.

use super::parquet::{COLUMNS, Column, PATH, encode};
use super::{EmitError, Emitter, Sink, write};
use crate::dataset::{Dataset, Row, Tally};
use crate::law::Language;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The dataset card.
#[derive(Debug, Clone, Copy)]
pub struct Card;

impl Emitter for Card {
    fn name(&self) -> &'static str {
        "card"
    }
    fn emit(&self, dataset: &Dataset, sink: &mut Sink<'_>) -> Result<(), EmitError> {
        let rows: Vec<Row> = dataset.rows().collect();
        let mut card = front_matter(dataset, &rows, encode(&rows)?.len());
        for section in [head, columns, relations, refusals, limits, rights] {
            card.push('\n');
            card.push_str(&section(dataset));
        }
        write(sink, "README.md", card.as_bytes())
    }
}

/// What the documents are: it decides the licence and what must be said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// Texts of the European Union.
    Law,
    /// Texts written for examples.
    Specimens,
    /// Both.
    Mixed,
}

fn standing(dataset: &Dataset) -> Standing {
    let specimens = dataset.documents.iter().filter(|d| d.specimen).count();
    match specimens {
        0 => Standing::Law,
        n if n == dataset.documents.len() => Standing::Specimens,
        _ => Standing::Mixed,
    }
}

fn front_matter(dataset: &Dataset, rows: &[Row], download: usize) -> String {
    let licence = match standing(dataset) {
        Standing::Specimens => "license:\n- mit\n- apache-2.0\n",
        Standing::Law | Standing::Mixed => {
            "license: other\nlicense_name: commission-decision-2011-833-eu\n\
             license_link: http://data.europa.eu/eli/dec/2011/833/oj\n"
        }
    };
    let bytes = arrow_bytes(rows);
    let features: String = COLUMNS.iter().fold(String::new(), |mut out, (name, column)| {
        let kind = match column {
            Column::Text(_) => "dtype: string",
            Column::Texts(_) => "list: string",
            Column::Number(_) => "dtype: int64",
        };
        let _ = writeln!(out, "  - name: {name}\n    {kind}");
        out
    });
    format!(
        "---\npretty_name: {name}\n{licence}language:\n- {language}\ntask_categories:\n- question-answering\n\
         - multiple-choice\ntask_ids:\n- multiple-choice-qa\nsize_categories:\n- {size}\ntags:\n- legal\n- european-union\n- eur-lex\n\
         - retrieval-augmented-generation\n- robustness\nconfigs:\n- config_name: default\n  data_files:\n  - split: test\n    path: data/test-*\n\
         dataset_info:\n  config_name: default\n  features:\n{features}  splits:\n  - name: test\n    num_bytes: {bytes}\n    num_examples: {examples}\n  \
         download_size: {download}\n  dataset_size: {bytes}\n---\n",
        name = quoted(&dataset.name),
        language = two_letters(dataset.language),
        size = size_category(rows.len()),
        examples = rows.len(),
    )
}

/// A YAML string in double quotes: JSON's, with what YAML does not allow bare left out.
fn quoted(text: &str) -> String {
    let fine: String =
        text.chars().filter(|c| !c.is_control() && !matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}')).collect();
    serde_json::Value::String(fine).to_string()
}

fn size_category(rows: usize) -> &'static str {
    match rows {
        0..1_000 => "n<1K",
        1_000..10_000 => "1K<n<10K",
        10_000..100_000 => "10K<n<100K",
        _ => "100K<n<1M",
    }
}

/// Bytes of the loaded table as `datasets` counts them (Arrow's buffers without null masks): a text is its
/// bytes and an offset of four, a list an offset of four and its texts, a number eight.
fn arrow_bytes(rows: &[Row]) -> usize {
    let offsets = |n: usize| 4 * n;
    let column = |column: &Column| match column {
        Column::Text(of) => offsets(rows.len()) + rows.iter().map(|r| of(r).len()).sum::<usize>(),
        Column::Number(_) => 8 * rows.len(),
        Column::Texts(of) => {
            let texts: Vec<&String> = rows.iter().flat_map(of).collect();
            offsets(rows.len()) + offsets(texts.len()) + texts.iter().map(|t| t.len()).sum::<usize>()
        }
    };
    COLUMNS.iter().map(|(_, c)| column(c)).sum()
}

/// The hub's two-letter code of an official language, else the three letters.
fn two_letters(language: Language) -> String {
    const CODES: [(&str, &str); 24] = [
        ("bul", "bg"),
        ("ces", "cs"),
        ("dan", "da"),
        ("deu", "de"),
        ("ell", "el"),
        ("eng", "en"),
        ("est", "et"),
        ("fin", "fi"),
        ("fra", "fr"),
        ("gle", "ga"),
        ("hrv", "hr"),
        ("hun", "hu"),
        ("ita", "it"),
        ("lav", "lv"),
        ("lit", "lt"),
        ("mlt", "mt"),
        ("nld", "nl"),
        ("pol", "pl"),
        ("por", "pt"),
        ("ron", "ro"),
        ("slk", "sk"),
        ("slv", "sl"),
        ("spa", "es"),
        ("swe", "sv"),
    ];
    let three = language.to_string();
    CODES.iter().find(|(l, _)| *l == three).map_or(three, |(_, two)| (*two).to_string())
}

fn head(dataset: &Dataset) -> String {
    let items = dataset.items.len();
    let (proved, percent) = (dataset.proved(), share(dataset.proved(), items));
    let what = match standing(dataset) {
        Standing::Law => "acts of the European Union",
        Standing::Specimens => "invented acts in the form of acts of the European Union",
        Standing::Mixed => "acts of the European Union, and invented acts in their form",
    };
    let warning = match standing(dataset) {
        Standing::Specimens => {
            "> **Nothing here is law.** Every act, number, date and text was invented for this example (numbers from 9001 up). \
             Use it to see how the compiler works, not to measure what a model knows.\n\n"
        }
        Standing::Mixed => "> **Part of this is not law.** The documents marked as specimens were invented.\n\n",
        Standing::Law => "",
    };
    format!(
        "# {name}\n\n{warning}Multiple-choice questions about {what}. Each names two acts, is set on a day, and needs both acts to answer: \
         one acts upon the other (ends it, prolongs it, corrects it, …), and of four options one is true on that day.\n\n\
         | | |\n|---|---|\n| Version | {version} |\n| Items | {items} |\n| Pairs of acts | {pairs} |\n| **Proved by code** | **{proved} of {items} ({percent})** |\n\
         | Law as known on | {known_on} |\n| Seed | `{seed}` |\n\n\
         ```python\nfrom datasets import load_dataset\n\nrows = load_dataset(\"path/to/this/folder\", split=\"test\")\n```\n\n\
         ## How it was made\n\nLegal Link, a compiler, read the documents named in `dataset.lock`, built from them a graph of dated relations between acts, \
         and asked of the graph what was in force on which day, ended by what, and how far. Each option carries *claims* in a closed form. \
         Code decided every claim against the graph on the item's day, with what was known by {known_on}: an item is *proved by code* when its key \
         came out proved and each distractor refuted. {others}\n\n\
         - `items.jsonl`: the rows, with claims and further columns.\n- `provenance.jsonl`: for each row the passages, the bytes that support the key and refute the \
         distractors (document hash and offsets), the verdicts, and the edge between the two acts with its evidence and contradictions.\n\
         - `refused.jsonl`: every draft that a gate refused, and why.\n- `dataset.lock`: every document by hash, every stage by its inputs and outputs.\n\
         - `report.html`: the same for eyes.\n\n`legal-link audit` on this folder derives every item again.\n",
        name = line(&dataset.name),
        version = line(&dataset.version),
        pairs = dataset.pairs(),
        known_on = dataset.known_on,
        seed = dataset.seed,
        others = others(dataset),
    )
}

/// What the items that code did not decide wholly rest on.
fn others(dataset: &Dataset) -> String {
    let judged = dataset.rows().filter(|r| r.judged).count();
    let rest = dataset.items.len() - dataset.proved();
    match (rest, judged) {
        (0, _) => "All items are.".to_string(),
        (_, judged) if judged == rest => format!(
            "Of the others ({rest}), each rests on a judge that answered it blind to the key and agreed; they are marked `judged`."
        ),
        _ => format!(
            "Of the others ({rest}), {judged} rest on a judge that answered them blind to the key and agreed (marked `judged`)."
        ),
    }
}

fn columns(_: &Dataset) -> String {
    const MEANING: [&str; 13] = [
        "`complex_legallink_{source}_{target}_{relation}`; repeats where a pair has several items",
        "the stem",
        "four options, A to D",
        "position of the key, 0 to 3",
        "its letter",
        "`Source (CELEX)` or `Target (CELEX)`, one per passage",
        "five passages, the source's before the target's; blank only when both documents are used up",
        "five passages changed to mislead; **blank in this release**: five empty strings per row",
        "the unique name of the item: a hash of pair, day, stem and options",
        "the relation, by its forward name: from the acting act to the one acted upon",
        "CELEX number of the acting act",
        "CELEX number of the act acted upon",
        "the day the item is set on",
    ];
    let mut out = String::from("## Columns\n\n| column | type | what it holds |\n|---|---|---|\n");
    for ((name, column), meaning) in COLUMNS.iter().zip(MEANING) {
        let kind = match column {
            Column::Text(_) => "string",
            Column::Texts(_) => "list of strings",
            Column::Number(_) => "int64",
        };
        let _ = writeln!(out, "| `{name}` | {kind} | {meaning} |");
    }
    let _ = write!(
        out,
        "\nThe Parquet file (`{PATH}`) holds these. `items.jsonl` adds, after them: `source_part`, `target_part`, `known_on`, `stem_claims`, \
         `claims` (one list per option), `author`, `written_by`, `proved_by_code`, `judged`. The perturbed passages are blank because none were \
         made; they are never copies of the clean ones.\n"
    );
    out
}

fn relations(dataset: &Dataset) -> String {
    let mut out = String::from(
        "## Relations and answer positions\n\n| relation | meaning | items | pairs | proved by code | A | B | C | D |\n\
         |---|---|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for t in dataset.tallies() {
        let [a, b, c, d] = t.positions;
        let meaning = format!("the acting act {} the other", line(t.label));
        let proved = share(t.proved, t.items);
        let (name, items, pairs) = (t.relation, t.items, t.pairs);
        let _ = writeln!(out, "| `{name}` | {meaning} | {items} | {pairs} | {proved} | {a} | {b} | {c} | {d} |");
    }
    let spread = |t: &Tally<'_>| t.positions.iter().max() > t.positions.iter().min().map(|n| n + 1).as_ref();
    if !dataset.tallies().iter().any(spread) {
        out.push_str(
            "\nWithin each relation the counts of A to D differ by at most one: a seeded permutation placed the keys.",
        );
    }
    out.push_str(
        "\nIn `id`, `context_titles` and `contexts` source and target stand in the published order, and `id` has the relation's published \
         name: where that is an inverse, the source there is the act acted upon.\n",
    );
    if !dataset.shortfalls.is_empty() {
        out.push_str("\nAsked for and not had; nothing was filled up silently:\n\n| stratum | wanted | had | why |\n|---|---:|---:|---|\n");
        for s in &dataset.shortfalls {
            let _ = writeln!(out, "| {} | {} | {} | {} |", line(&s.stratum), s.wanted, s.had, line(&s.reason));
        }
    }
    out
}

fn refusals(dataset: &Dataset) -> String {
    let mut out = String::from("## Refusals\n\n");
    if dataset.refusals.is_empty() {
        out.push_str("No draft was refused.\n");
        return out;
    }
    let mut gates: BTreeMap<&str, usize> = BTreeMap::new();
    for refusal in &dataset.refusals {
        *gates.entry(&refusal.gate).or_default() += 1;
    }
    let n = dataset.refusals.len();
    let _ = write!(
        out,
        "{n} drafts or pairs were refused; each stands in `refused.jsonl` with its reason.\n\n| gate | refused |\n|---|---:|\n"
    );
    for (gate, count) in gates {
        let _ = writeln!(out, "| {} | {count} |", line(gate));
    }
    out
}

fn limits(dataset: &Dataset) -> String {
    format!(
        "## Limits\n\n\
         - A verdict is what the documents read allow on {}, no more. Case law and other sources that were not read may say otherwise.\n\
         - The passages are the acts as first published. Where an act had been changed by the item's day, the passage is marked `as_published` in \
         `provenance.jsonl`, and nothing changed is asked about.\n\
         - Items by the built-in author follow templates; they test the law of time between two acts, not legal prose at large.\n\
         - There are no perturbed contexts in this release.\n\
         - This is material for tests of language models. It is not legal advice.\n",
        dataset.known_on
    )
}

fn rights(dataset: &Dataset) -> String {
    let mut out = String::from("## Rights\n\n");
    let standing = standing(dataset);
    if standing != Standing::Law {
        out.push_str(
            "Specimens were written for Legal Link and are under its licences, MIT or Apache-2.0, at your choice. They imitate the form of acts; \
             nothing in them is law, and no act of the European Union bears their numbers.\n",
        );
    }
    if standing != Standing::Specimens {
        if standing == Standing::Mixed {
            out.push('\n');
        }
        out.push_str(
            "Texts and metadata of acts: © European Union, https://eur-lex.europa.eu. Reuse is allowed with acknowledgement under Commission Decision 2011/833/EU. \
             **Only the Official Journal of the European Union is authentic.**\n\n\
             Changes made: passages are contiguous pieces of the documents with markup removed and white space made even; stems and options were written for this \
             dataset and are not words of the acts, except where they quote. The European Union has not endorsed them.\n",
        );
    }
    let mut compilations: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for document in &dataset.documents {
        if let Some(compilation) = document.compilation() {
            compilations.entry(compilation).or_default().insert(&document.name);
        }
    }
    if !compilations.is_empty() {
        out.push_str("\nDocuments came through these compilations, whose makers are to be named when their files are passed on:\n\n");
        for (name, documents) in compilations {
            let _ = writeln!(out, "- {} ({} documents)", line(name), documents.len());
        }
    }
    out
}

fn share(part: usize, whole: usize) -> String {
    if whole == 0 {
        return "–".to_string();
    }
    #[allow(clippy::cast_precision_loss)] // counts of rows, far below 2^52
    let percent = 100.0 * part as f64 / whole as f64;
    format!("{percent:.1} %")
}

/// Text that stays in its line and its table cell, and is no markup.
fn line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '|' | '<' | '>' | '[' | ']' | '*' | '_' | '`' | '\\' | '#' => out.extend(['\\', c]),
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
