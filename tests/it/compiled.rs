//! Consolidated texts, judgments, proposals and search answers: our own in each layout, and those of the corpus.

use crate::corpus::corpus;
use crate::reading;
use legal_link::law::{Act, Celex, ConsolidatedState, Flavour, Registry, Unit, UnitKind};
use legal_link::parse::{Parsed, Refused, coverage, notice, search_answer};
use proptest::prelude::*;
use std::path::Path;
use std::sync::LazyLock;

const ELI: &str = include_str!("../fixtures/parse/02016R9005-20210701.eli.xhtml");
const OLD: &str = include_str!("../fixtures/parse/01998L9027-20061228.cons-old.html");
const INLINE: &str = include_str!("../fixtures/parse/01994L9004-19990101.cons-inline.html");
const PROPOSAL: &str = include_str!("../fixtures/parse/52023PC9533.proposal.xhtml");
const PAGE: &str = include_str!("../fixtures/parse/62015CJ9036.cjeu-xhtml.xml");
const MARKDOWN: &str = include_str!("../fixtures/parse/62019CJ9017.cjeu-md.md");
const IDENTIFIERS: &str = include_str!("../fixtures/parse/32016R9001.identifiers.xml");

/// The shipped relation registry.
static REGISTRY: LazyLock<Registry> = LazyLock::new(|| {
    let text = include_str!("../../rubrics/relations.toml");
    Registry::parse([("relations.toml", text)]).expect("the shipped registry is sound")
});

fn try_read(celex: &str, bytes: &[u8]) -> Result<Parsed<Act>, Refused> {
    reading::try_read(celex, bytes, &REGISTRY)
}

fn read(celex: &str, text: &str) -> Act {
    let Parsed { value: act, .. } = try_read(celex, text.as_bytes()).expect("a text");
    sound(&act, text.as_bytes(), celex);
    act
}

/// Spans lie in the document, inside the parent's; parents stand before children; origins lie in the text, in order.
fn sound(act: &Act, bytes: &[u8], name: &str) {
    for (i, unit) in act.units.iter().enumerate() {
        assert!(unit.span.end <= bytes.len() && unit.span.start <= unit.span.end, "{name}: unit {i} {unit:?}");
        if let Some(parent) = unit.parent {
            assert!(parent < i, "{name}: unit {i} before its parent");
            assert!(act.units[parent].span.contains(&unit.span), "{name}: unit {i} outside its parent {unit:?}");
        }
        assert!(unit.marks.windows(2).all(|m| m[0].at < m[1].at && m[0].mark != m[1].mark), "{name}: {unit:?}");
        assert!(unit.marks.iter().all(|m| unit.text.is_char_boundary(m.at)), "{name}: {unit:?}");
    }
}

fn at<'a>(act: &'a Act, part: &str) -> &'a Unit {
    let part = part.parse().expect("a part");
    act.unit(&part).unwrap_or_else(|| panic!("no {part} in {:#?}", act.units))
}

fn marks(unit: &Unit) -> String {
    let told: Vec<String> = unit.marks.iter().map(|m| format!("{}:{}", m.at, m.mark)).collect();
    told.join(" ")
}

fn all(act: &Act, kind: UnitKind) -> Vec<&Unit> {
    act.units.iter().filter(|u| u.kind == kind).collect()
}

fn labels(act: &Act) -> Vec<&str> {
    act.articles().map(|u| u.label.as_str()).collect()
}

#[test]
fn a_consolidated_page_with_containers_keeps_the_origin_of_its_words() {
    let act = read("02016R9005-20210701", ELI);
    assert_eq!(act.flavour, Flavour::ConsEli);
    assert_eq!(act.title.text, "REGULATION (EU) 2016/9005 of 27 April 2016 on weather vanes");
    assert_eq!(act.published.map(|d| d.to_string()).as_deref(), Some("2016-05-04"));
    let listed: Vec<String> = act
        .origins
        .iter()
        .map(|o| {
            let day = o.published.map_or_else(String::new, |d| d.to_string());
            format!("{} {} {day}", o.mark, o.act.as_ref().map_or("?", |c| c.as_str()))
        })
        .collect();
    let want = [
        "B 32016R9005 2016-05-04",
        "M1 32019R9061 2019-03-20",
        "M2 32021R9062 2021-06-14",
        "C1 32016R9005R(01) 2017-04-12",
    ];
    assert_eq!(listed, want);
    assert_eq!(act.origins[1].name, "REGULATION (EU) 2019/9061 of 4 March 2019");
    assert_eq!(labels(&act), ["1", "2", "2a", "4"]);
    assert_eq!(at(&act, "1").heading.as_deref(), Some("Scope"));
    assert_eq!(at(&act, "1").text, "Every vane that turns within the meaning of the Convention, and is made:");
    assert_eq!([marks(at(&act, "1(a)")), marks(at(&act, "1(b)"))], ["0:B", "0:M1"]);
    let first = at(&act, "2(1)");
    assert_eq!(first.text, "Owners shall oil their vanes within three months, and again each year.");
    assert_eq!(
        marks(first),
        format!("0:B {}:C1 {}:B", first.text.find("three").unwrap_or(0), first.text.find(", and").unwrap_or(0))
    );
    let inserted = at(&act, "2(1a)");
    assert_eq!((inserted.kind, inserted.origin().map(|m| m.to_string()).as_deref()), (UnitKind::Paragraph, Some("M2")));
    assert_eq!(at(&act, "2(1a)(b)").text, "cheap.");
    let quoted: Vec<&Unit> = act.units.iter().filter(|u| u.quoted).collect();
    assert_eq!((quoted[0].label.as_str(), quoted[0].heading.as_deref()), ("7a", Some("Exclusion")));
    assert!(quoted[0].text.starts_with("That Regulation shall not apply to vanes"), "{quoted:?}");
    let table = all(&act, UnitKind::Table)[0];
    assert_eq!(table.text, "Wind | Points\nNorth | 12");
    assert_eq!(marks(table), "0:B 14:M2");
    assert_eq!(all(&act, UnitKind::Final).len(), 1);
    assert!(all(&act, UnitKind::Footnote).iter().all(|n| n.marks.is_empty()));
    let state = ConsolidatedState::of_text(&act, None).expect("a state");
    assert_eq!((state.of.as_str(), state.from.to_string().as_str()), ("32016R9005", "2021-07-01"));
    let wrong = try_read("02016R9005-20200101", ELI.as_bytes());
    assert!(matches!(wrong, Err(Refused::WrongAct { .. })), "{wrong:?}");
}

#[test]
fn an_older_consolidated_page_has_its_recitals_and_points() {
    let act = read("01998L9027-20061228", OLD);
    assert_eq!(act.flavour, Flavour::ConsOld);
    let recitals: Vec<&str> = act.recitals().map(|u| u.text.as_str()).collect();
    assert_eq!(recitals, ["kites fly;", "strings break,"]);
    assert_eq!(labels(&act), ["1", "2bis"]);
    assert_eq!(at(&act, "1(2)(a)(ii)").text, "owls;");
    assert_eq!(at(&act, "1(2)(b)").text, "clouds.");
    assert_eq!(marks(at(&act, "2bis")), "0:A1");
    assert_eq!(all(&act, UnitKind::Citation)[1].text, "Having regard to the proposal from the Commission,");
    assert_eq!(at(&act, "Annex A").kind, UnitKind::Annex);
    assert_eq!(act.origins.len(), 3);
}

#[test]
fn a_consolidated_page_without_classes_is_told_by_its_words() {
    let Parsed { value: act, warnings } = try_read("01994L9004-19990101", INLINE.as_bytes()).expect("a text");
    sound(&act, INLINE.as_bytes(), "inline");
    assert_eq!(warnings.len(), 1, "the editors' note: {warnings:?}");
    assert_eq!(act.flavour, Flavour::ConsInline);
    assert_eq!((labels(&act), act.recitals().count()), (vec!["1", "2"], 2));
    assert_eq!(marks(at(&act, "2(2)")), "0:M1");
    let quoted: Vec<&str> = act.units.iter().filter(|u| u.quoted).map(|u| u.label.as_str()).collect();
    assert_eq!(quoted, ["7b", "1", "2"]);
}

#[test]
fn a_proposal_is_read_without_its_memorandum_and_does_nothing() {
    let Parsed { value: act, warnings } = try_read("52023PC9533", PROPOSAL.as_bytes()).expect("a text");
    sound(&act, PROPOSAL.as_bytes(), "proposal");
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert_eq!(act.date_document.map(|d| d.to_string()).as_deref(), Some("2023-09-12"));
    assert_eq!((labels(&act), act.recitals().count()), (vec!["1", "2"], 1));
    assert_eq!(at(&act, "Recital 1").text, "Swallows (birds), come late.");
    assert_eq!(at(&act, "1(1)(a)(i)").text, "young;");
    assert_eq!(at(&act, "2").heading.as_deref(), Some("Repeal"));
    assert!(act.clauses.is_empty() && act.terms.is_empty());
    assert_eq!(all(&act, UnitKind::Footnote)[0].text, "OJ C 9001, 1.1.2023, p. 1.");
}

#[test]
fn judgments_have_grounds_and_a_ruling_and_no_articles() {
    for (celex, text, flavour, parties) in [
        ("62015CJ9036", PAGE, Flavour::CjeuXhtml, vec!["Kite Makers KG", "Office for Strings,", "Wind Society,"]),
        ("62019CJ9017", MARKDOWN, Flavour::CjeuMd, vec!["Umbrella AG", "Rain Ltd,"]),
    ] {
        let act = read(celex, text);
        assert_eq!(act.flavour, flavour);
        assert_eq!(act.articles().count(), 0);
        let grounds: Vec<&str> = all(&act, UnitKind::Ground).iter().map(|u| u.label.as_str()).collect();
        assert_eq!(grounds, ["1", "2", "3", "4"]);
        let rulings: Vec<&str> = all(&act, UnitKind::Ruling).iter().map(|u| u.label.as_str()).collect();
        assert_eq!(rulings, ["", "1", "2"]);
        assert_eq!(all(&act, UnitKind::Party).iter().map(|u| u.text.as_str()).collect::<Vec<_>>(), parties);
        let headings: Vec<&str> = all(&act, UnitKind::Container).iter().filter_map(|u| u.heading.as_deref()).collect();
        assert_eq!(headings.len(), 4, "{headings:?}");
        assert!(act.units.iter().any(|u| u.quoted && u.label == "1"), "the quoted provision is marked");
        assert!(all(&act, UnitKind::Ground).iter().all(|u| !u.quoted));
        assert_eq!(all(&act, UnitKind::Footnote)[0].label, "*1");
        assert_eq!(all(&act, UnitKind::Final).len(), 1);
        assert!(coverage(text.as_bytes(), &act).share() > 0.995);
    }
    let none = "JUDGMENT OF THE COURT\n\n1 October 2020\n\nNothing is numbered here.\n";
    assert!(matches!(try_read("62019CJ9017", none.as_bytes()), Err(Refused::NotThis { .. })));
}

#[test]
fn a_notice_of_identifiers_states_nothing() {
    let parsed = notice(IDENTIFIERS.as_bytes(), &REGISTRY, None).expect("a notice");
    assert!(parsed.value.rows.is_empty() && parsed.value.records.is_empty() && parsed.warnings.is_empty());
}

/// Figures that a second reading, by the page's own ids and classes, gives.
fn counted(text: &str, begin: &str) -> usize {
    text.matches(begin).count()
}

#[test]
fn compiled_texts_of_the_corpus_are_read_whole() {
    let Some(folder) = corpus("compiled_texts_of_the_corpus_are_read_whole") else { return };
    for (name, celex) in compiled(&folder) {
        let bytes = std::fs::read(folder.join("acts").join(&name)).expect("a file of the corpus");
        let text = String::from_utf8_lossy(&bytes);
        if name.contains("portal-shell") {
            assert_eq!(try_read(&celex, &bytes).map(|_| ()), Err(Refused::PortalShell), "{name}");
            continue;
        }
        let Parsed { value: act, warnings } = try_read(&celex, &bytes).unwrap_or_else(|e| panic!("{name}: {e}"));
        sound(&act, &bytes, &name);
        let covered = coverage(&bytes, &act);
        assert!(covered.share() > 0.99, "{name}: {covered:?}");
        assert!(!act.units.iter().any(|u| u.text.contains(['►', '▼', '◄', '\u{e000}'])), "{name}");
        match act.flavour {
            Flavour::ConsEli | Flavour::ConsOld => {
                assert_eq!(act.articles().count(), counted(&text, "<p class=\"title-article-norm\""), "{name}");
                assert_eq!(all(&act, UnitKind::Annex).len(), counted(&text, "class=\"title-annex-1\""), "{name}");
                assert_eq!(all(&act, UnitKind::Footnote).len(), counted(&text, "<p class=\"footnote\""), "{name}");
            }
            Flavour::Proposal => {
                assert_eq!(act.articles().count(), counted(&text, "class=\"Titrearticle\""), "{name}");
                assert_eq!(act.recitals().count(), counted(&text, "class=\"li ManualConsidrant\""), "{name}");
            }
            Flavour::CjeuXhtml => {
                assert_eq!(all(&act, UnitKind::Ground).len(), counted(&text, "id=\"point"), "{name}");
            }
            _ => {}
        }
        if act.flavour.is_judgment() {
            assert!(all(&act, UnitKind::Ruling).len() >= 2 && all(&act, UnitKind::Party).len() >= 2, "{name}");
            let last = all(&act, UnitKind::Ground).last().map(|u| u.label.clone());
            assert_eq!(last.as_deref(), Some(all(&act, UnitKind::Ground).len().to_string().as_str()), "{name}");
        } else if celex.starts_with('0') {
            assert!(act.origins.iter().all(|o| o.act.is_some() && o.published.is_some()), "{name}: {:?}", act.origins);
            let listed = |u: &Unit| u.marks.iter().all(|m| act.origins.iter().any(|o| o.mark == m.mark));
            let marked = |u: &Unit| u.kind == UnitKind::Footnote || !u.marks.is_empty();
            assert!(act.units.iter().all(|u| listed(u) && marked(u)), "{name}: a unit without an origin");
        }
        eprintln!(
            "{name:42} {:?} units {:4} coverage {:.4} warnings {}",
            act.flavour,
            act.units.len(),
            covered.share(),
            warnings.len()
        );
    }
}

/// The files of `acts/` that are consolidated, proposed or judged, Formex left out.
fn compiled(folder: &Path) -> Vec<(String, String)> {
    let entries = std::fs::read_dir(folder.join("acts")).expect("the corpus has acts");
    let names = entries.filter_map(|e| e.ok()?.file_name().into_string().ok());
    let mut found: Vec<(String, String)> = names
        .filter(|n| n.starts_with(['0', '5', '6']) && !n.contains(".fmx4."))
        .filter_map(|n| Some((n.clone(), n.split_once('.')?.0.to_string())))
        .collect();
    found.sort();
    found
}

#[test]
fn every_notice_of_the_corpus_is_read_or_refused_with_its_reason() {
    let Some(folder) = corpus("every_notice_of_the_corpus_is_read_or_refused_with_its_reason") else { return };
    let mut names: Vec<_> = std::fs::read_dir(folder.join("notices"))
        .expect("the corpus has notices")
        .filter_map(|e| e.ok()?.file_name().into_string().ok())
        .collect();
    names.sort();
    for name in names {
        let bytes = std::fs::read(folder.join("notices").join(&name)).expect("a file of the corpus");
        let read = notice(&bytes, &REGISTRY, None);
        match &read {
            Ok(Parsed { value, warnings }) => eprintln!(
                "{name:45} rows {:4} records {:3} states {:2} titles {:2} warnings {}",
                value.rows.len(),
                value.records.len(),
                value.states.len(),
                value.records.iter().filter(|r| r.title.is_some()).count(),
                warnings.len()
            ),
            Err(refused) => eprintln!("{name:45} refused: {refused}"),
        }
        let fault = name.starts_with("soap-error");
        assert_eq!(matches!(read, Err(Refused::Fault { .. })), fault, "{name}: {read:?}");
        assert_eq!(read.is_err(), fault, "{name}");
        if name == "soap-result.xml" {
            let found = search_answer(&bytes, &REGISTRY, None).expect("an answer").value;
            let celexes: Vec<&str> = found.hits.iter().filter_map(|h| h.celex.as_ref()).map(Celex::as_str).collect();
            assert_eq!(celexes, ["32014R1337", "32014R1338"]);
            assert_eq!((found.total, found.page, found.on_page), (Some(2), Some(1), Some(2)));
            assert!(found.hits.iter().all(|h| h.title.is_some() && h.date_document.is_some() && h.published.is_some()));
        }
    }
}

/// One of our documents with bytes changed, cut or doubled.
fn torn() -> impl Strategy<Value = (&'static str, Vec<u8>)> {
    let all = [
        ("02016R9005-20210701", ELI),
        ("01998L9027-20061228", OLD),
        ("01994L9004-19990101", INLINE),
        ("52023PC9533", PROPOSAL),
        ("62015CJ9036", PAGE),
        ("62019CJ9017", MARKDOWN),
    ];
    let hurt = proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4_u8, 0..200_usize), 0..6);
    (0..all.len(), hurt).prop_map(move |(which, hurt)| {
        let (celex, text) = all[which];
        let mut bytes = text.as_bytes().to_vec();
        for (at, byte, how, length) in hurt {
            let at = at.index(bytes.len().max(1)).min(bytes.len());
            let end = (at + length).min(bytes.len());
            match how {
                0 => bytes.truncate(at),
                1 => drop(bytes.drain(at..end)),
                2 => {
                    let again = bytes[at..end].to_vec();
                    bytes.splice(at..at, again);
                }
                _ => bytes.insert(at, byte),
            }
        }
        (celex, bytes)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn torn_texts_never_break_the_reading((celex, bytes) in torn()) {
        if let Ok(parsed) = try_read(celex, &bytes) {
            sound(&parsed.value, &bytes, celex);
            let _ = coverage(&bytes, &parsed.value);
        }
        let _ = search_answer(&bytes, &REGISTRY, None);
    }
}
