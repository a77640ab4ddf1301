//! The proof that a relation is data: words made up at run time become relations, one per effect, each with a small
//! graph of its own, and yield edges, pairs, items by both authors and a clean audit.

use crate::program::{run, told};
use crate::world::{World, serve};
use legal_link::build::Rubrics;
use legal_link::law::Digest;
use legal_link::source::Folder;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// The closed set, all but what is context only.
const EFFECTS: [&str; 9] =
    ["ends", "declares_spent", "prolongs", "widens", "narrows", "pauses", "supplements", "rewrites", "voids"];
/// How a pair is known beside the acting act's words: the notice of either end, a table, or not at all.
const PAIRS: usize = 4;

/// Words that no language has, the same for the same seed.
struct Words {
    seed: u64,
    made: BTreeSet<String>,
}

impl Words {
    fn next(&mut self) -> String {
        let (consonants, vowels) = (b"bdfgjklmnprtvz", b"aeiou");
        for n in 0_u64.. {
            let fields = [self.seed.to_be_bytes(), (self.made.len() as u64).to_be_bytes(), n.to_be_bytes()];
            let digest = Digest::of_fields(fields.iter().map(<[u8; 8]>::as_slice));
            let letter = |i: usize, from: &[u8]| char::from(from[usize::from(digest.as_bytes()[i]) % from.len()]);
            let word: String = (0..8).map(|i| letter(i, if i % 2 == 0 { consonants } else { vowels })).collect();
            if self.made.insert(word.clone()) {
                return word;
            }
        }
        unreachable!("there are more words than relations")
    }
}

/// A relation made of words.
struct Invented {
    effect: &'static str,
    number: usize,
    name: String,
    label: String,
    predicate: String,
    inverse: String,
    inverse_name: String,
    /// What its clauses say was done.
    done: String,
    things: [String; 4],
}

impl Invented {
    fn new(effect: &'static str, number: usize, words: &mut Words) -> Self {
        let (act, verb, verbed) = (words.next(), words.next(), words.next());
        Self {
            effect,
            number,
            name: words.next(),
            label: words.next(),
            predicate: format!("{act}_{verb}_{act}"),
            inverse: format!("{act}_{verbed}_by_{act}"),
            inverse_name: words.next(),
            done: words.next(),
            things: [words.next(), words.next(), words.next(), words.next()],
        }
    }

    /// Number of the target and of the acting act of the `k`th pair.
    fn numbers(&self, k: usize) -> (usize, usize) {
        let first = 9001 + self.number * 2 * PAIRS + 2 * k;
        (first, first + 1)
    }

    fn celexes(&self, k: usize) -> (String, String) {
        let (target, source) = self.numbers(k);
        (format!("31999R{target}"), format!("32005R{source}"))
    }

    /// The words that the acting act does it with; `target` is the name of the act acted upon.
    fn clause(&self, target: &str) -> String {
        let (done, [_, _, one, other]) = (&self.done, &self.things);
        match self.effect {
            "prolongs" => format!("{target} is hereby {done} until 31 December 2009."),
            "widens" => {
                format!("{target} is hereby {done} to each {one} of a {other} with effect from 1 September 2005.")
            }
            "narrows" => format!(
                "{target} is hereby {done} for each {one} of a {other} from 1 September 2005 until 30 June 2008."
            ),
            "pauses" => format!("{target} is hereby {done} from 1 September 2005 until 30 November 2006."),
            "rewrites" => format!("In Article 2 of {target}, ‘within 30 days’ is hereby {done} by ‘within 20 days’."),
            "ends" => format!("{target} is hereby {done} with effect from 1 September 2005."),
            _ => format!("{target} is hereby {done}."),
        }
    }

    fn pattern(&self) -> String {
        let done = &self.done;
        match self.effect {
            "prolongs" => format!("^<target> is hereby {done} until <until>"),
            "widens" => format!("^<target> is hereby {done} to <words>"),
            "narrows" => format!("^<target> is hereby {done} for <words>"),
            "rewrites" => format!("^In <target>, <old> is hereby {done} by <new>"),
            _ => format!("^<target> is hereby {done}"),
        }
    }

    /// The relation as a researcher would write it.
    fn registry(&self) -> String {
        let Self { effect, name, label, predicate, inverse, inverse_name, .. } = self;
        let extent =
            if matches!(*effect, "supplements" | "rewrites" | "none") { "" } else { "default_extent = \"whole\"\n" };
        let context = if *effect == "none" { "context = true\n" } else { "" };
        let mut text = format!(
            "[[relation]]\nname = \"{name}\"\nlabel = \"{label}\"\n{context}predicates = [\"{predicate}\"]\ninverses = [\"{inverse}\"]\n\
             inverse_names = [\"{inverse_name}\"]\neffect = \"{effect}\"\n{extent}\
             clauses = [{{ place = \"operative\", pattern = '{}' }}]\nquota = {PAIRS}\n\n",
            self.pattern()
        );
        for (n, (day, key, options)) in forms(effect).into_iter().enumerate() {
            let stem =
                "On {day} an adviser holds {source} against {target.named}. Which statement is right on that day?";
            let stem = if *effect == "rewrites" {
                stem.replace("{target.named}", "{unit} of {target.named}")
            } else {
                stem.to_string()
            };
            let stem = if matches!(*effect, "widens" | "narrows") {
                stem.replace(". Which", " for ‘{words}’. Which")
            } else {
                stem
            };
            let _ = writeln!(
                text,
                "[[form]]\nrelation = \"{name}\"\nname = \"form-{n}\"\nday = \"{day}\"\nstem = \"{stem}\""
            );
            let _ = writeln!(text, "key = {}\ndistractors = [", options[key]);
            for (_, option) in options.iter().enumerate().filter(|(i, _)| *i != key) {
                let _ = writeln!(text, "    {option},");
            }
            text.push_str("]\n\n");
        }
        text
    }
}

/// An option: its text, and its claims as TOML.
fn option(text: &str, claims: &[&str]) -> String {
    let claims: Vec<String> = claims.iter().map(|c| format!("{{ {c} }}")).collect();
    format!("{{ text = \"{text}\", claims = [{}] }}", claims.join(", "))
}

/// The forms of a relation with this effect: day, which option is the key, and four options.
fn forms(effect: &str) -> Vec<(&'static str, usize, Vec<String>)> {
    let [s, not_s] =
        ["in_force", "not_in_force"].map(|is| format!("form = \"status\", act = \"{{source}}\", is = \"{is}\""));
    let [t, not_t] =
        ["in_force", "not_in_force"].map(|is| format!("form = \"status\", act = \"{{target}}\", is = \"{is}\""));
    let force = vec![
        option("{source} is now in force, and {target} is now in force.", &[&s, &t]),
        option("{source} is now in force, and {target} is not in force.", &[&s, &not_t]),
        option("{target} is now in force, and {source} is not in force.", &[&not_s, &t]),
        option("{source} is not in force, and {target} is not in force.", &[&not_s, &not_t]),
    ];
    let both = |yes: &str, no: &str, holds: &str, fails: &str| {
        vec![
            option(&format!("{yes}; {{source}} is now in force."), &[holds, &s]),
            option(&format!("{no}; {{source}} is now in force."), &[fails, &s]),
            option(&format!("{{source}} is not in force; {yes}."), &[holds, &not_s]),
            option(&format!("{no}; {{source}} is not in force."), &[fails, &not_s]),
        ]
    };
    match effect {
        "ends" => {
            vec![("start", 1, force.clone()), ("start.before", 0, force.clone()), ("source.in_force.before", 2, force)]
        }
        "declares_spent" => vec![("start.later", 1, force.clone()), ("target.in_force", 2, force)],
        "supplements" => {
            let adds = "form = \"supplemented_by\", act = \"{target}\", by = \"{source}\"";
            let adds_not = format!("{adds}, denied = \"true\"");
            let added = both("{source} already adds to {target}", "{source} does not add to {target}", adds, &adds_not);
            vec![("start.later", 0, force.clone()), ("source.in_force.before", 2, force), ("start.later", 0, added)]
        }
        "voids" => vec![("start.later", 1, force.clone()), ("target.later", 3, force)],
        "prolongs" => {
            let last = |day: &str| {
                let claim = format!("form = \"ends_on\", act = \"{{target}}\", last_day = \"{{{day}}}\"");
                option(&format!("As the law stands, the last day of {{target}} is {{{day}}}."), &[&claim])
            };
            let days = ["new_end", "old_end", "new_end.after", "old_end.before"].map(last).to_vec();
            vec![("source.in_force", 0, days.clone()), ("source.published.before", 1, days)]
        }
        "widens" | "narrows" => {
            let applies = "form = \"applies_to\", act = \"{target}\", words = \"{words}\"";
            let not = format!("{applies}, denied = \"true\"");
            let options =
                both("{target} already applies to {words}", "{target} does not apply to {words}", applies, &not);
            let (from, before) = if effect == "widens" { (0, 1) } else { (1, 0) };
            let mut forms = vec![("start", from, options.clone()), ("start.before", before, options.clone())];
            if effect == "narrows" {
                forms.extend([("until", 1, options.clone()), ("until.after", 0, options)]);
            }
            forms
        }
        "pauses" => {
            let applies = "form = \"status\", act = \"{target}\", is = \"applicable\"";
            let paused = ["in_force", "not_applicable"]
                .map(|is| format!("form = \"status\", act = \"{{target}}\", is = \"{is}\""));
            let paused = paused.join(" }, { ");
            let options = both(
                "{target} is in force and still applies",
                "{target} is in force and does not apply",
                applies,
                &paused,
            );
            vec![("start", 1, options.clone()), ("start.before", 0, options.clone()), ("until.after", 0, options)]
        }
        "rewrites" => {
            let reads = |slot: &str| {
                format!("form = \"reads\", act = \"{{target}}\", unit = \"{{unit}}\", words = \"{{{slot}}}\"")
            };
            let options = both("It reads ‘{new}’", "It reads ‘{old}’", &reads("new"), &reads("old"));
            vec![("start", 0, options.clone()), ("start.before", 3, options)]
        }
        _ => Vec::new(),
    }
}

/// An act as a page of words, in the layout of text extracted from old pages.
fn page(celex: &str, name: &str, made: &str, subject: &str, articles: &[String]) -> String {
    let title = format!("Council {name} of {made} {subject}");
    let upper = format!("COUNCIL {} of {made} {subject}", name.replace("Regulation", "REGULATION"));
    let body: Vec<String> = articles.iter().enumerate().map(|(i, text)| format!("Article {}  {text}", i + 1)).collect();
    let year = &celex[1..5];
    format!(
        "EUR-Lex - {celex} - EN\nAvis juridique important\n|\n{celex}\n{title}\nOfficial Journal L 111 , 13/05/{year} P. 0001 - 0004\n\
         {upper}  THE COUNCIL OF THE EUROPEAN UNION,  Having regard to the Treaty establishing the European Community,  \
         Whereas order is needed;  HAS ADOPTED THIS REGULATION:  {}  This Regulation shall be binding in its entirety and \
         directly applicable in all Member States.  Done at Brussels, {made}.  For the Council  The President  A. SPECIMEN\n\
         [SPECIMEN written for Legal Link. Not law.]\n",
        body.join("  ")
    )
}

fn notice(celex: &str, predicate: &str, other: &str) -> String {
    let resource = "http://publications.europa.eu/resource";
    format!(
        "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns:cdm=\"http://publications.europa.eu/ontology/cdm#\" \
         xmlns:owl=\"http://www.w3.org/2002/07/owl#\">\n  <rdf:Description rdf:about=\"{resource}/cellar/{celex}\">\n    \
         <owl:sameAs rdf:resource=\"{resource}/celex/{celex}\"/>\n    \
         <cdm:{predicate} rdf:resource=\"{resource}/celex/{other}\"/>\n  </rdf:Description>\n</rdf:RDF>\n"
    )
}

/// The folder of a source: for each relation four pairs of acts, known by notices of either end, by a table, by text.
fn law(folder: &Path, relations: &[Invented]) {
    let mut index = String::from("file\tcelex\tflavour\tlanguage\tsource\tsha256\tbytes\tnotes\ttaken\n");
    let mut put = |path: &str, celex: &str, flavour: &str, text: &str| {
        let file = folder.join(path);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        fs::write(file, text).expect("a file");
        let _ = writeln!(
            index,
            "{path}\t{celex}\t{flavour}\ten\twritten by a test\t{}\t{}\tspecimen: not law\t2026-11-01",
            Digest::of(text.as_bytes()),
            text.len()
        );
    };
    let mut table = String::from("source_celex,relation,target_celex,evidence_file\n");
    for relation in relations {
        for k in 0..PAIRS {
            let ((target, source), (n, m)) = (relation.celexes(k), relation.numbers(k));
            let [a, b, ..] = &relation.things;
            let name = format!("Regulation (EC) No {n}/1999");
            let mut articles = vec![
                format!("This Regulation lays down what is to be done with each {a} that has a {b} of its own."),
                format!("Whoever finds a {a} shall report it to the authority within 30 days after the {b} was seen."),
                format!("Member States shall keep a list of each {a} for two years."),
            ];
            if relation.effect == "prolongs" {
                articles.push("This Regulation shall apply until 31 December 2006.".to_string());
            }
            articles.push("This Regulation shall enter into force on 1 July 1999.".to_string());
            put(
                &format!("acts/{target}.plain.txt"),
                &target,
                "plain",
                &page(&target, &name, "10 May 1999", &format!("on the {a} and its {b}"), &articles),
            );
            let articles = vec![
                relation.clause(&name),
                format!("Member States shall tell the Commission of each {b} that was seen."),
                "This Regulation shall enter into force on 1 June 2005.".to_string(),
            ];
            let acting = format!("Regulation (EC) No {m}/2005");
            put(
                &format!("acts/{source}.plain.txt"),
                &source,
                "plain",
                &page(&source, &acting, "10 May 2005", &format!("on the seeing of a {b}"), &articles),
            );
            match k {
                0 => put(
                    &format!("notices/{source}.tree.rdf"),
                    &source,
                    "notice-rdf",
                    &notice(&source, &relation.predicate, &target),
                ),
                1 => put(
                    &format!("notices/{target}.tree.rdf"),
                    &target,
                    "notice-rdf",
                    &notice(&target, &relation.inverse, &source),
                ),
                2 => {
                    let _ = writeln!(table, "{target},{},{source},a test", relation.inverse_name);
                }
                _ => {}
            }
        }
    }
    put("edges/relations.csv", "", "edge-table", &table);
    fs::write(folder.join("INDEX.tsv"), index).expect("a file");
}

fn manifest(relations: &[Invented], more: &str) -> String {
    let asked = relations.iter().filter(|r| r.effect != "none");
    let quotas = asked.map(|r| format!("{} = {PAIRS}", r.name)).collect::<Vec<_>>().join("\n");
    format!(
        "name = \"invented\"\nseed = 7\nsource = \"folder:law\"\nundecided = \"refuse\"\n\n[quotas]\n{quotas}\n{more}"
    )
}

fn seed() -> u64 {
    let given = std::env::var("LEGAL_LINK_SEED").ok().and_then(|s| s.parse().ok());
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.subsec_nanos());
    given.unwrap_or_else(|| u64::from(now))
}

#[test]
fn relations_made_of_random_words_yield_edges_pairs_items_by_both_authors_and_a_clean_audit() {
    let seed = seed();
    eprintln!("the words of this run: LEGAL_LINK_SEED={seed}");
    let mut words = Words { seed, made: BTreeSet::new() };
    let relations: Vec<Invented> =
        EFFECTS.iter().chain(&["none"]).enumerate().map(|(i, effect)| Invented::new(effect, i, &mut words)).collect();
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path();
    law(&folder.join("law"), &relations);
    fs::create_dir_all(folder.join("rubrics/relations")).expect("a folder");
    let registry: String = relations.iter().map(Invented::registry).collect();
    fs::write(folder.join("rubrics/relations/invented.toml"), &registry).expect("a file");
    fs::write(folder.join("dataset.toml"), manifest(&relations, "")).expect("a file");

    let shown = |at: &str| folder.join(at).to_string_lossy().into_owned();
    let checked = run(&["relations", "check", &shown("dataset.toml"), "--json"], folder);
    assert!(checked.status.success(), "{}\n{registry}", told(&checked));
    let report: Value = serde_json::from_slice(&checked.stdout).expect("a report");
    for relation in &relations {
        let all = report["relations"].as_array().expect("relations");
        let told = all.iter().find(|r| r["relation"] == relation.name.as_str()).expect("the relation is there");
        for what in ["edges", "pairs"] {
            let by = &told[what]["by_evidence"];
            assert_eq!(
                (&told[what]["all"], &by["text"], &by["notice"], &by["table"]),
                (&4.into(), &4.into(), &2.into(), &1.into()),
                "{}: {told:#}",
                relation.effect
            );
        }
        assert_eq!(told["sample"]["form"].is_string(), relation.effect != "none", "{}: {told:#}", relation.effect);
    }

    let source = format!("folder:{}", shown("law"));
    let built_and_audited = |manifest: &str, out: &str, full: bool| {
        let built = run(&["build", &shown(manifest), "--out", &shown(out), "--cache", &shown("cache")], folder);
        let refused = fs::read_to_string(folder.join(out).join("refused.jsonl")).unwrap_or_default();
        assert!(matches!(built.status.code(), Some(0 | 4)), "{}\n{refused}", told(&built));
        let rows = fs::read_to_string(folder.join(out).join("items.jsonl")).expect("rows");
        for relation in relations.iter().filter(|r| r.effect != "none") {
            let named = |row: &&str| row.contains(&format!("\"relation\":\"{}\"", relation.name));
            let n = rows.lines().filter(named).count();
            let enough = if full { n == PAIRS } else { n >= 1 };
            let why: String = refused.lines().filter(|row| row.contains(&format!("\"{}\"", relation.name))).collect();
            assert!(enough, "{}: {n} items\n{why}\n{}", relation.effect, told(&built));
        }
        let audited = run(&["audit", &shown(out), "--rubrics", &shown("rubrics"), "--source", &source], folder);
        assert!(audited.status.success() && told(&audited).contains("0 unsound, 0 unknown"), "{}", told(&audited));
        eprintln!("{out}: {}", told(&audited).trim());
    };
    built_and_audited("dataset.toml", "built-in", true);

    let rubrics = Rubrics::over(&folder.join("rubrics")).expect("rubrics");
    let world = World::of(&rubrics, &Folder::open(folder.join("law")).expect("a source"));
    let names: Vec<&str> = relations.iter().map(|r| r.name.as_str()).collect();
    let base = serve(world.replies(&names));
    let author = format!("[author]\nmodel = \"local:served\"\nbase_url = \"{base}\"\ndraws = 4\n");
    fs::write(folder.join("by-model.toml"), manifest(&relations, &author)).expect("a file");
    built_and_audited("by-model.toml", "by-model", false);

    // The same file on a source that does not carry the words is told as what it is: predicates that nothing has.
    let elsewhere = run(&["relations", "check", &shown("dataset.toml"), "--from", "shipped"], folder);
    assert_eq!(elsewhere.status.code(), Some(6), "{}", told(&elsewhere));
    assert!(
        told(&elsewhere).contains(&format!("`{}` is no predicate of the CDM", relations[0].predicate)),
        "{}",
        told(&elsewhere)
    );
}
