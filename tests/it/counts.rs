//! Counts that are known stay known, and two editions of one act say the same.
//!
//! `counts.tsv` holds articles, recitals and annexes of real acts (numbers are facts). They were counted by a reader
//! that shares no code with ours: in pages with containers the distinct element ids (`art_*`, `rct_*`, `anx_*`), in flat
//! text the articles that follow each other by number before the signature, the "Whereas" before the enacting formula
//! or the numbers in brackets that follow each other there, and the lines "ANNEX …" after the signature. Where the two
//! readings differed the document was looked at; a row stands only where both agree.

use crate::corpus::corpus;
use legal_link::build::Rubrics;
use legal_link::law::{Act, Digest, Language, Registry, UnitKind, corrected};
use legal_link::parse::{Given, act};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const KNOWN: &str = include_str!("counts.tsv");

/// The acts in the four layouts of the journal, by CELEX number and layout.
fn acts(folder: &Path, registry: &Registry) -> BTreeMap<(String, String), Act> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder.join("acts")).expect("the corpus has acts").flatten() {
        let name = entry.file_name().into_string().expect("a name of the corpus");
        let Some((celex, rest)) = name.split_once('.') else { continue };
        let layout = rest.split('.').next().unwrap_or_default().to_string();
        if !matches!(layout.as_str(), "oj-eli" | "oj" | "txt_te" | "plain") || celex.starts_with('0') {
            continue;
        }
        let bytes = std::fs::read(entry.path()).expect("a file of the corpus");
        let number = celex.parse().expect("a CELEX number");
        let document = Digest::of(&bytes);
        let given = Given { celex: &number, language: Language::ENGLISH, document, bytes: &bytes, registry };
        if let Ok(parsed) = act(&given) {
            found.insert((celex.to_string(), layout), parsed.value);
        }
    }
    found
}

#[test]
fn known_acts_have_the_articles_recitals_and_annexes_they_have() {
    let Some(folder) = corpus("known_acts_have_the_articles_recitals_and_annexes_they_have") else { return };
    let acts = acts(&folder, &Rubrics::shipped().registry().unwrap());
    let mut wrong = Vec::new();
    let rows: Vec<Vec<&str>> = KNOWN.lines().skip(1).map(|line| line.split('\t').collect()).collect();
    assert!(rows.len() >= 40, "{} rows", rows.len());
    for row in rows {
        let [celex, layout, articles, recitals, annexes, _] = row[..] else { panic!("a row of six: {row:?}") };
        let act = &acts[&(celex.to_string(), layout.to_string())];
        let own = act.units.iter().filter(|u| u.kind == UnitKind::Annex && !u.quoted).count();
        let found = [act.articles().count(), act.recitals().count(), own].map(|n| n.to_string());
        if found != [articles, recitals, annexes] {
            wrong.push(format!("{celex} {layout}: {found:?}, known {:?}", [articles, recitals, annexes]));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Letters and digits of every article, recital and annex with all inside it, labels included: what a lost line
/// break glues together is still the same. Footnotes stand elsewhere in each layout.
fn words(act: &Act) -> BTreeMap<String, String> {
    let mut words: BTreeMap<String, String> = BTreeMap::new();
    for (root, unit) in act.units.iter().enumerate().filter(|(_, u)| !u.quoted) {
        if !matches!(unit.kind, UnitKind::Article | UnitKind::Recital | UnitKind::Annex) {
            continue;
        }
        let said = words.entry(unit.part.as_ref().map(ToString::to_string).unwrap_or_default()).or_default();
        for inner in act.subtree(root).into_iter().map(|i| &act.units[i]) {
            let label = if inner.kind == UnitKind::Recital { "" } else { &inner.label };
            let parts = [label, inner.heading.as_deref().unwrap_or_default(), &inner.text];
            said.extend(parts.iter().flat_map(|p| p.chars()).filter(|c| c.is_alphanumeric()));
        }
    }
    words
}

/// Articles, recitals and annexes that differ between the two editions of an act, and why.
const APART: [(&str, &[&str], &str); 2] = [
    ("32003L0088", &["Annex I"], "the line break after PART A is lost in one, so that it is no heading there"),
    ("32005L0029", &["Annex I", "Annex II"], "one has the notes of the annexes at the end of the second annex"),
];

#[test]
fn two_editions_of_one_act_say_the_same() {
    let Some(folder) = corpus("two_editions_of_one_act_say_the_same") else { return };
    let acts = acts(&folder, &Registry::default());
    let mut editions: BTreeMap<&str, Vec<(&str, &Act)>> = BTreeMap::new();
    for ((celex, layout), act) in &acts {
        editions.entry(celex).or_default().push((layout, act));
    }
    editions.retain(|_, of| of.len() == 2);
    assert_eq!(editions.len(), 12);
    let mut wrong = Vec::new();
    for (celex, of) in &editions {
        let (a, b) = (words(of[0].1), words(of[1].1));
        let all: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
        let apart: Vec<&String> = all.iter().copied().filter(|part| a.get(*part) != b.get(*part)).collect();
        eprintln!(
            "{celex}: {} and {}, {} articles, recitals and annexes, apart {apart:?}",
            of[0].0,
            of[1].0,
            all.len()
        );
        let known = APART.iter().find(|(c, ..)| c == celex).map_or(&[][..], |(_, parts, _)| *parts);
        if apart != known {
            wrong.push(format!("{celex}: {apart:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn corrigenda_are_worked_into_their_acts_or_the_reason_is_told() {
    let Some(folder) = corpus("corrigenda_are_worked_into_their_acts_or_the_reason_is_told") else { return };
    let acts = acts(&folder, &Rubrics::shipped().registry().unwrap());
    let (mut applied, mut refused) = (0, BTreeMap::<String, usize>::new());
    for ((celex, _), published) in &acts {
        let onto = acts.values().filter(|a| a.celex.is_corrigendum() && a.celex.base().as_str() == celex);
        let read = corrected(published, onto);
        for outcome in &read.outcomes {
            match &outcome.units {
                Ok(units) => {
                    applied += 1;
                    assert!(units.iter().any(|u| read.act.units[*u] != published.units[*u]), "{celex} {outcome:?}");
                }
                Err(why) => {
                    *refused.entry(why.to_string()).or_default() += 1;
                    eprintln!("{} {}: {why}", outcome.by, outcome.edit.place);
                }
            }
        }
        let same = |i: usize| read.act.units[i].text == published.units[i].text;
        let touched = (0..published.units.len()).filter(|i| !same(*i)).count();
        let told: BTreeSet<usize> = read.outcomes.iter().flat_map(|o| o.units.iter().flatten().copied()).collect();
        assert!(touched <= told.len(), "{celex}: {touched} units changed, {} told", told.len());
    }
    eprintln!("applied {applied}, refused {refused:#?}");
    assert!(applied >= 36, "{applied}");
}
