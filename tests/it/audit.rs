//! The audit, on items that the built-in author wrote from the specimens (and from the corpus, where it is
//! here): what was built stands; what was forged is named, even where hashes and lock were made anew.

use crate::corpus::corpus;
use legal_link::audit::{Ground, Held, Published, Report, State, audit, explain};
use legal_link::author::{Assignment, BuiltIn};
use legal_link::build;
use legal_link::dataset::{
    ClaimForm, Dataset, Document, Draft, Item, Kept, Lock, LockedDocument, LockedFile, Pair, Side, option_order, place,
};
use legal_link::emit::{Emitter, Items, Parquet, Provenances, TABLE};
use legal_link::graph::RelationGraph;
use legal_link::law::{Celex, DatedRelation, Day, Digest, Endpoint, Language, Part, Registry, cite};
use legal_link::source::{Folder, Held as HeldSource, Listed, Source};
use legal_link::verify::{self, Rules, Undecided, gates, probes};
use std::collections::BTreeMap;
use std::mem::swap;

const SEED: u64 = 7;

/// A source, the graph of what it says, and a dataset built from it.
struct World {
    registry: Registry,
    rules: Rules,
    graph: RelationGraph,
    documents: BTreeMap<Digest, Vec<u8>>,
    listed: Vec<Listed>,
    known_on: Day,
    items: Vec<Item>,
    refused: BTreeMap<String, Vec<String>>,
}

impl World {
    fn of(source: &(dyn Source + Sync)) -> Self {
        let registry = Registry::parse([("relations.toml", include_str!("../../rubrics/relations.toml"))])
            .expect("the shipped registry");
        let rules = Rules::parse("checks.toml", include_str!("../../rubrics/checks.toml")).expect("the shipped rules");
        let loaded = build::load(source, &registry).expect("the source can be listed");
        let known_on = loaded.facts.known_on.expect("a day");
        let graph = RelationGraph::build(loaded.facts, &registry);
        let listed = source.list().expect("a list");
        let documents = listed.iter().filter_map(|l| Some((l.digest, source.fetch(&l.key).ok()?.bytes))).collect();
        let (items, refused) = (Vec::new(), BTreeMap::new());
        let mut world = Self { registry, rules, graph, documents, listed, known_on, items, refused };
        world.write();
        world
    }

    fn pairs(&self) -> Vec<Pair> {
        let here = |celex: &Celex| self.graph.act(celex).is_some();
        let asked = |e: &&DatedRelation| {
            self.registry.spec(&e.relation).is_some_and(|s| !s.context) && here(&e.source) && here(&e.target)
        };
        let pair = |e: &DatedRelation| Pair {
            source: Endpoint::from(e.source.clone()),
            relation: e.relation.clone(),
            target: Endpoint::from(e.target.clone()),
        };
        self.graph.edges().filter(asked).map(pair).collect()
    }

    fn assignment<'a>(&'a self, pair: &'a Pair, items: usize) -> Assignment<'a> {
        let Self { graph, registry, rules, known_on, .. } = self;
        Assignment { pair, items, graph, registry, rules, known_on: *known_on, seed: SEED }
    }

    fn write(&mut self) {
        let (mut kept, mut seen) = (Vec::new(), verify::Kept::default());
        let mut refused: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for pair in self.pairs() {
            let written = BuiltIn.draft(self.assignment(&pair, 2));
            for refusal in written.refusals {
                refused.entry(refusal.gate).or_default().push(format!("{} {}", pair.source, refusal.reason));
            }
            for draft in written.drafts {
                match gates(&draft, &self.graph, &self.rules, Undecided::Refuse) {
                    Ok(passed) => match seen.admit(&draft, &self.rules) {
                        Ok(()) => kept.push(Kept { draft, proofs: passed.proofs, judgement: None }),
                        Err(why) => refused.entry("duplicate".into()).or_default().push(why),
                    },
                    Err(refusal) => {
                        let form = format!("{:?}", draft.author);
                        refused.entry(refusal.gate).or_default().push(format!("{form}: {}", refusal.reason));
                    }
                }
            }
        }
        self.items = place(kept, SEED);
        self.refused = refused;
    }

    fn dataset(&self, items: Vec<Item>) -> Dataset {
        let document = |l: &Listed| Document {
            name: l.key.to_string(),
            celex: l.key.celex(),
            digest: l.digest,
            bytes: self.documents.get(&l.digest).map_or(0, Vec::len),
            origin: None,
            taken: l.taken,
            specimen: true,
        };
        Dataset {
            name: "audited".into(),
            version: "1".into(),
            seed: SEED,
            language: Language::ENGLISH,
            known_on: self.known_on,
            registry: self.registry.clone(),
            edges: self.graph.edges().cloned().collect(),
            documents: self.listed.iter().map(document).collect(),
            items,
            refusals: Vec::new(),
            shortfalls: Vec::new(),
        }
    }

    /// The files of the folder with these items, the lock made for exactly these bytes.
    fn files(&self, items: Vec<Item>) -> BTreeMap<String, Vec<u8>> {
        self.files_with(items, self.graph.edges().cloned().collect())
    }

    /// The same with other edges than those of the graph.
    fn files_with(&self, items: Vec<Item>, edges: Vec<DatedRelation>) -> BTreeMap<String, Vec<u8>> {
        let dataset = Dataset { edges, ..self.dataset(items) };
        let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
        let mut sink = |path: &str, bytes: &[u8]| {
            files.insert(path.to_string(), bytes.to_vec());
            Ok(())
        };
        Parquet.emit(&dataset, &mut sink).expect("a table");
        Items.emit(&dataset, &mut sink).expect("rows");
        Provenances.emit(&dataset, &mut sink).expect("provenances");
        self.locked(files)
    }

    fn locked(&self, mut files: BTreeMap<String, Vec<u8>>) -> BTreeMap<String, Vec<u8>> {
        files.remove("dataset.lock");
        let mut lock = Lock::new("legal-link test", SEED);
        lock.known_on = Some(self.known_on);
        lock.documents = (self.listed.iter())
            .map(|l| LockedDocument {
                key: l.key.to_string(),
                sha256: l.digest,
                bytes: self.documents.get(&l.digest).map_or(0, Vec::len) as u64,
                address: None,
                taken: l.taken,
            })
            .collect();
        let rows = |bytes: &[u8]| Some(String::from_utf8_lossy(bytes).lines().count() as u64);
        lock.files = (files.iter())
            .map(|(path, b)| LockedFile {
                path: path.clone(),
                sha256: Digest::of(b),
                bytes: b.len() as u64,
                rows: rows(b),
            })
            .collect();
        files.insert("dataset.lock".into(), lock.to_toml().expect("a lock").into_bytes());
        files
    }

    fn audit(&self, files: BTreeMap<String, Vec<u8>>) -> Report {
        audit(&Published::read(files), &self.ground(&|digest| self.held(digest)))
    }

    fn held(&self, digest: &Digest) -> Held {
        self.documents.get(digest).map_or(Held::Absent, |bytes| Held::Here(bytes.clone()))
    }

    fn ground<'a>(&'a self, documents: &'a dyn Fn(&Digest) -> Held) -> Ground<'a> {
        let Self { graph, registry, rules, .. } = self;
        Ground { graph, registry, rules, rubrics: BTreeMap::new(), documents }
    }
}

fn specimens() -> World {
    World::of(&HeldSource::Shipped(build::shipped().expect("the shipped cache")))
}

fn told(world: &World) {
    let mut of: BTreeMap<&str, usize> = BTreeMap::new();
    for item in &world.items {
        *of.entry(item.draft.pair.relation.as_str()).or_default() += 1;
    }
    eprintln!("{} items {of:?}", world.items.len());
    for (gate, reasons) in &world.refused {
        eprintln!("{gate}: {}", reasons.len());
        reasons.iter().take(40).for_each(|r| eprintln!("    {}", r.chars().take(600).collect::<String>()));
    }
    let items: Vec<&Item> = world.items.iter().collect();
    for probe in probes(&items, &world.rules) {
        eprintln!("{} {}/{} [{:.2}, {:.2}] {}", probe.name, probe.hits, probe.items, probe.low, probe.high, probe.fair);
    }
}

#[test]
fn what_was_built_stands() {
    let world = specimens();
    told(&world);
    let report = world.audit(world.files(world.items.clone()));
    assert!(report.sound(), "{report:#?}");
    assert_eq!(report.count(State::Sound), world.items.len());
}

#[test]
fn what_was_built_from_real_acts_stands() {
    let Some(folder) = corpus("what_was_built_from_real_acts_stands") else { return };
    let world = World::of(&Folder::open(folder).expect("the corpus folder"));
    told(&world);
    let report = world.audit(world.files(world.items.clone()));
    assert!(report.sound(), "{report:#?}");
}

/// The item under the name and in the order that its new words have.
fn renamed(draft: Draft, of: &Item) -> Item {
    let item = draft.item_id();
    let order = option_order(item.as_str(), SEED, of.correct_index());
    Item { item, order, draft, ..of.clone() }
}

/// Every text of a draft, changed.
fn reworded(draft: &mut Draft, change: impl Fn(&str) -> String) {
    draft.stem = change(&draft.stem);
    draft.options.iter_mut().for_each(|o| o.text = change(&o.text));
}

fn forms(draft: &mut Draft) -> impl Iterator<Item = &mut ClaimForm> {
    let options = draft.options.iter_mut().flat_map(|o| &mut o.claims);
    draft.stem_claims.iter_mut().chain(options).map(|claim| &mut claim.form)
}

/// The key's words and claims change places with a distractor's.
fn key_moved(world: &World) -> Vec<Item> {
    let forged = world.items.iter().enumerate().map(|(i, item)| {
        let mut draft = item.draft.clone();
        draft.options.swap(0, 1 + i % 3);
        renamed(draft, item)
    });
    forged.collect()
}

/// The day goes over the first day of the effect.
fn day_moved(world: &World) -> Vec<Item> {
    let forged = world.items.iter().filter_map(|item| {
        let mut draft = item.draft.clone();
        let pair = &draft.pair;
        let edge = world.graph.edge(&pair.source.celex, &pair.relation, &pair.target.celex)?;
        let start = edge.touches.iter().find_map(|t| t.start)?;
        let (old, new) = (draft.day, if draft.day < start { start } else { start.pred() });
        draft.day = new;
        reworded(&mut draft, |text| text.replace(&old.long(), &new.long()));
        Some(renamed(draft, item))
    });
    forged.collect()
}

/// A touched or saved part is gone from the edge, from the claims and from the words.
fn part_dropped(world: &World) -> (Vec<Item>, Vec<DatedRelation>) {
    let mut edges: Vec<DatedRelation> = world.graph.edges().cloned().collect();
    let mut forged = Vec::new();
    for item in &world.items {
        let pair = &item.draft.pair;
        let ours = |e: &&mut DatedRelation| {
            (&e.source, &e.relation, &e.target) == (&pair.source.celex, &pair.relation, &pair.target.celex)
        };
        let Some(edge) = edges.iter_mut().find(ours) else { continue };
        let dropped = edge.touches.iter_mut().find_map(|t| t.parts.pop().or_else(|| t.saved.pop()?.part));
        let Some(dropped) = dropped.or_else(|| item_part(item)) else { continue };
        let mut draft = item.draft.clone();
        for form in forms(&mut draft) {
            if let ClaimForm::Status { part, .. } | ClaimForm::EndedBy { part, .. } = form
                && part.as_ref() == Some(&dropped)
            {
                *part = None;
            }
        }
        reworded(&mut draft, |text| text.replace(&format!("{} of ", dropped.long()), ""));
        forged.push(renamed(draft, item));
    }
    (forged, edges)
}

fn item_part(item: &Item) -> Option<Part> {
    item.draft.options.iter().flat_map(|o| &o.claims).find_map(|c| match &c.form {
        ClaimForm::Status { part, .. } | ClaimForm::EndedBy { part, .. } => part.clone(),
        _ => None,
    })
}

/// Source and target change places everywhere: pair, claims, words, passages, edge.
fn acts_swapped(world: &World) -> (Vec<Item>, Vec<DatedRelation>) {
    let edges = world.graph.edges().cloned().map(|mut edge| {
        swap(&mut edge.source, &mut edge.target);
        edge
    });
    let forged = world.items.iter().map(|item| {
        let mut draft = item.draft.clone();
        let (source, target) = (draft.pair.source.clone(), draft.pair.target.clone());
        let other = |celex: &Celex| if *celex == source.celex { target.celex.clone() } else { source.celex.clone() };
        for form in forms(&mut draft) {
            match form {
                ClaimForm::EndedBy { act, by, .. } | ClaimForm::SupplementedBy { act, by } => {
                    (*act, *by) = (other(act), other(by));
                }
                ClaimForm::Status { act, .. }
                | ClaimForm::EndsOn { act, .. }
                | ClaimForm::AppliesTo { act, .. }
                | ClaimForm::Reads { act, .. }
                | ClaimForm::Quotes { act, .. } => *act = other(act),
            }
        }
        let named = |celex: &Celex| {
            let found = cite(&item.draft.stem).into_iter().find(|c| c.celex.as_ref() == Some(celex));
            found.map_or(celex.to_string(), |c| c.text)
        };
        let (a, b) = (named(&source.celex), named(&target.celex));
        reworded(&mut draft, |text| text.replace(&a, "\u{1}").replace(&b, &a).replace('\u{1}', &b));
        swap(&mut draft.pair.source, &mut draft.pair.target);
        for passage in &mut draft.passages {
            passage.side = if passage.side == Side::Source { Side::Target } else { Side::Source };
        }
        draft.passages.sort_by_key(|p| (p.text.is_empty(), p.side == Side::Target));
        renamed(draft, item)
    });
    (forged.collect(), edges.collect())
}

/// Every forged row is named, though names, orders, hashes and lock were made anew.
#[test]
fn forged_rows_are_refuted() {
    let world = specimens();
    let edges: Vec<DatedRelation> = world.graph.edges().cloned().collect();
    let kinds = [
        ("key moved", (key_moved(&world), edges.clone())),
        ("day moved", (day_moved(&world), edges)),
        ("part dropped", part_dropped(&world)),
        ("acts swapped", acts_swapped(&world)),
    ];
    let mut refuted = 0;
    for (kind, (items, edges)) in kinds {
        let report = world.audit(world.files_with(items.clone(), edges));
        assert!(!items.is_empty(), "{kind}: nothing to forge");
        eprintln!("{kind}: {} forged, {} refuted", items.len(), report.count(State::Unsound));
        for row in &report.items {
            assert_eq!(row.state, State::Unsound, "{kind}: {row:#?}\n{:#?}", items.get(row.row - 1));
        }
        refuted += report.items.len();
    }
    assert!(refuted >= 100, "only {refuted} rows were forged");
}

fn changed(files: &BTreeMap<String, Vec<u8>>, path: &str, old: &str, new: &str) -> BTreeMap<String, Vec<u8>> {
    let mut files = files.clone();
    let text = String::from_utf8(files[path].clone()).expect("text");
    assert!(text.contains(old), "{path} has no {old}");
    files.insert(path.to_string(), text.replacen(old, new, 1).into_bytes());
    files
}

#[test]
fn simple_tamperings_are_named() {
    let world = specimens();
    let files = world.files(world.items.clone());
    let first = &world.items[0];
    let day = first.draft.day.to_string();
    let other_day = first.draft.day.succ().to_string();
    let option = serde_json::to_string(&first.draft.options[1].text).expect("text");
    let tampered = [
        changed(&files, "items.jsonl", &day, &other_day),
        changed(&files, "provenance.jsonl", &day, &other_day),
        changed(&files, "items.jsonl", &option, "\"Something else.\""),
        changed(&files, "items.jsonl", "\"correct_label\":\"", "\"correct_label\":\"E"),
    ];
    for (i, files) in tampered.into_iter().enumerate() {
        assert!(!world.audit(files.clone()).sound(), "{i}: against the lock");
        let report = world.audit(world.locked(files));
        assert_eq!(report.count(State::Unsound), 1, "{i}: with a new lock {report:#?}");
    }
    let mut short = files.clone();
    short.remove("provenance.jsonl");
    assert!(!world.audit(short).sound());
}

#[test]
fn the_table_holds_the_rows_and_the_lock_names_every_file() {
    let world = specimens();
    let files = world.files(world.items.clone());
    let told = |files: &BTreeMap<String, Vec<u8>>| {
        let report = world.audit(files.clone());
        assert!(!report.sound());
        serde_json::to_string(&report).expect("a report")
    };

    let mut other = files.clone();
    other.insert(TABLE.into(), world.files(world.items[1..].to_vec())[TABLE].clone());
    assert!(told(&world.locked(other)).contains("does not hold the rows of items.jsonl"));

    let mut beside = files.clone();
    beside.insert("data/test-00001-of-00002.parquet".into(), files[TABLE].clone());
    assert!(told(&beside).contains("does not name data/test-00001-of-00002.parquet"));

    let day = format!("known_on = \"{}\"", world.known_on);
    let earlier = changed(&files, "dataset.lock", &day, "known_on = \"1980-01-01\"");
    assert!(told(&earlier).contains("dataset.lock says 1980-01-01"));

    let blanks = "\"perturbed_contexts\":[\"\"";
    let fewer = changed(&files, "items.jsonl", blanks, "\"perturbed_contexts\":[\"\",\"\"");
    assert!(told(&world.locked(fewer)).contains("not as many perturbed passages"));
}

#[test]
fn a_damaged_document_is_a_finding_and_an_absent_one_is_unknown() {
    let world = specimens();
    let files = Published::read(world.files(world.items.clone()));
    let document = world.items[0].draft.passages[0].document;
    let flipped = |digest: &Digest| {
        let mut bytes = world.documents[digest].clone();
        if *digest == document {
            bytes[100] ^= 1;
        }
        Held::Here(bytes)
    };
    let report = audit(&files, &world.ground(&flipped));
    assert!(!report.sound() && report.set.iter().any(|f| f.what == "document"), "{:#?}", report.set);

    let absent = |digest: &Digest| if *digest == document { Held::Absent } else { world.held(digest) };
    let report = audit(&files, &world.ground(&absent));
    assert!(report.sound(), "{:#?}", report.set);
    assert!(report.count(State::Unknown) > 0);
}

#[test]
fn an_item_is_explained_down_to_its_bytes() {
    let world = specimens();
    let files = Published::read(world.files(world.items.clone()));
    let item = world.items[0].item.to_string();
    let held = |digest: &Digest| world.held(digest);
    let told = explain(files.provenance(&item).expect("a provenance"), &world.ground(&held));
    let tree = told.chain.to_string();
    eprintln!("{}\n{tree}", told.sentences.join("\n"));
    for word in ["[key]", "claims that", "proved", "refuted", "bytes ", "sha256 ", "hash re-made: true"] {
        assert!(tree.contains(word), "no {word} in\n{tree}");
    }
    assert!(told.sentences.iter().any(|s| s.contains("is the key, and it holds")));
}

#[test]
fn a_foreign_row_is_walked_and_its_key_left_open() {
    let world = specimens();
    let pair = world.items[0].draft.pair.clone();
    let row = |id: &str| {
        serde_json::json!({
            "id": id, "question": "Which act?", "options": ["a", "b", "c", "d"], "correct_index": 1, "correct_label": "B",
            "context_titles": [], "contexts": [], "perturbed_contexts": [],
        })
    };
    let known = legal_link::dataset::published_id(&pair, &world.registry);
    let rows =
        [row(&known), row("complex_legallink_32009R1135_32008D0798_repeals"), row("complex_legallink_x_repeals")];
    let text: String = rows.map(|r| r.to_string()).join("\n");
    let report = world.audit(BTreeMap::from([("items.jsonl".to_string(), text.into_bytes())]));
    let states: Vec<State> = report.items.iter().map(|i| i.state).collect();
    assert_eq!(states, [State::Unknown, State::Unknown, State::Unsound], "{report:#?}");
    assert!(report.items[0].notes.iter().any(|n| n.contains("a text states it")), "{report:#?}");
}
