//! Documents of our own, one per layout: what is read from them, and that nothing hostile gets through.

use crate::reading::{self, at};
use legal_link::law::{Act, Celex, Digest, EffectDate, Flavour, Language, Registry, Unit, UnitKind, corrected};
use legal_link::parse::{Given, Parsed, Refused, act, coverage, notice, table};
use proptest::prelude::*;
use std::collections::BTreeSet;

const OJ_ELI: &str = include_str!("../fixtures/parse/32016R9001.oj-eli.xhtml");
const OJ: &str = include_str!("../fixtures/parse/31985L9001.oj.xhtml");
const TXT_TE: &str = include_str!("../fixtures/parse/31962R9017.txt_te.html");
const ONE_LINE: &str = include_str!("../fixtures/parse/32003L9088.plain.txt");
const LINES: &str = include_str!("../fixtures/parse/32009R9487.plain.txt");
const RDF: &str = include_str!("../fixtures/parse/32016R9001.tree.rdf");
const XML: &str = include_str!("../fixtures/parse/32016R9001.search-work.xml");
const EDGES: &str = "source_celex,relation,target_celex,evidence_file,start_of_validity\n32016R9001,repeals,31995L9046,n.rdf,2018-05-25\n";

fn registry() -> Registry {
    Registry::parse([("relations.toml", include_str!("../../rubrics/relations.toml"))]).expect("the shipped registry")
}

fn try_read(celex: &str, bytes: &[u8]) -> Result<Parsed<Act>, Refused> {
    reading::try_read(celex, bytes, &Registry::default())
}

fn read(celex: &str, text: &str) -> Act {
    reading::read(celex, text, 0.97..=1.03)
}

fn labels(act: &Act) -> Vec<&str> {
    act.articles().map(|u| u.label.as_str()).collect()
}

#[test]
fn a_page_with_containers() {
    let act = read("32016R9001", OJ_ELI);
    assert_eq!(act.flavour, Flavour::OjEli);
    assert_eq!(
        act.title.text,
        "REGULATION (EU) 2016/9001 OF THE EUROPEAN PARLIAMENT AND OF THE COUNCIL of 27 April 2016 on garden gnomes and repealing Directive 95/9046/EC"
    );
    assert_eq!(act.date_document.map(|d| d.to_string()).as_deref(), Some("2016-04-27"));
    assert_eq!(act.published.map(|d| d.to_string()).as_deref(), Some("2016-05-04"));
    assert_eq!(labels(&act), ["1", "2"]);
    assert_eq!(act.recitals().count(), 1);
    assert_eq!(at(&act, "1(1)(a)(i)"), "of clay;");
    assert_eq!(at(&act, "1(2)"), "Gnomes & owners are equal.");
    assert_eq!(at(&act, "Recital 1"), "Gnomes stand in gardens.");
    let citation = act.units.iter().find(|u| u.kind == UnitKind::Citation).expect("a citation");
    assert_eq!(citation.text, "Having regard to the opinion of the gnome committee ,");
    let note = act.units.iter().find(|u| u.kind == UnitKind::Footnote).expect("a footnote");
    assert_eq!((note.label.as_str(), note.text.as_str()), ("1", "OJ C 900, 1.1.2016, p. 1."));
    let table = act.units.iter().find(|u| u.kind == UnitKind::Table).expect("a table");
    assert_eq!(table.text, "Gnome | Height\nBashful | 30 cm");
    assert!(act.holds(&"Chapter I".parse().expect("a part"), &"1".parse().expect("a part")));
    let heading = act.unit(&"Chapter I".parse().expect("a part")).and_then(|u| u.heading.clone());
    assert_eq!(heading.as_deref(), Some("General provisions"));
    assert_eq!(at(&act, "Annex I"), "");
    let quoted: Vec<&str> = act.units.iter().filter(|u| u.quoted).map(|u| u.label.as_str()).collect();
    assert_eq!(quoted, ["7"]);
    let (i, ii) = (act.index_of(&"1(1)".parse().expect("a part")), act.index_of(&"1(1)(a)".parse().expect("a part")));
    let bytes = act.units[ii.expect("a point")].span.slice(OJ_ELI.as_bytes()).expect("bytes");
    assert!(bytes.starts_with(b"(a)") && bytes.ends_with(b"of clay;"));
    assert!(
        act.full_text(i.expect("a paragraph")).contains("(a) gnomes: (i) of clay; It does not apply to flamingos.")
    );
}

#[test]
fn a_page_with_old_classes() {
    let act = read_old();
    assert_eq!((act.flavour, labels(&act)), (Flavour::Oj, vec!["1", "2"]));
    assert_eq!(act.recitals().map(|u| u.text.as_str()).collect::<Vec<_>>(), ["gnomes are common;", "they break,"]);
    assert_eq!(act.date_document.map(|d| d.to_string()).as_deref(), Some("1985-12-20"));
    assert_eq!(at(&act, "1(1)"), "Gnomes shall be whole.");
}

fn read_old() -> Act {
    read("31985L9001", OJ)
}

#[test]
fn an_old_page_of_loose_paragraphs() {
    let act = read("31962R9017", TXT_TE);
    assert_eq!((act.flavour, labels(&act)), (Flavour::TxtTe, vec!["1", "2"]));
    assert_eq!(act.published.map(|d| d.to_string()).as_deref(), Some("1962-02-21"));
    assert_eq!(act.date_document.map(|d| d.to_string()).as_deref(), Some("1962-02-06"));
    assert_eq!(at(&act, "1"), "Gnomes are free.");
    assert_eq!(at(&act, "2(1)(b)"), "on walls.");
    assert_eq!(at(&act, "Recital 1"), "gnomes \"stand\";");
    assert!(matches!(try_read("31962R9018", TXT_TE.as_bytes()), Err(Refused::WrongAct { .. })));
}

#[test]
fn an_act_in_one_line() {
    let act = read("32003L9088", ONE_LINE);
    assert_eq!((act.flavour, labels(&act)), (Flavour::Plain, vec!["1", "2", "3"]));
    assert_eq!(act.published.map(|d| d.to_string()).as_deref(), Some("2003-11-18"));
    assert_eq!(act.recitals().count(), 2);
    assert_eq!(at(&act, "1(2)(b)"), "in the rain.");
    assert_eq!(act.unit(&"3".parse().expect("a part")).and_then(|u| u.heading.as_deref()), Some("Entry into force"));
    assert!(act.unit(&"Annex I".parse().expect("a part")).is_some());
}

#[test]
fn an_act_in_lines() {
    let act = read("32009R9487", LINES);
    assert_eq!(labels(&act), ["1", "2", "3"]);
    assert_eq!(at(&act, "1(1)(a)(ii)"), "of stone;");
    assert_eq!(at(&act, "1(1)(b)"), "on walls.");
    assert_eq!(at(&act, "1(2)"), "They may not walk.");
    assert_eq!(act.units.iter().filter(|u| u.kind == UnitKind::Annex).count(), 2);
    assert_eq!(act.units.iter().filter(|u| u.quoted && u.kind == UnitKind::Article).count(), 1);
}

const NOTED: &str = "COUNCIL DIRECTIVE 79/9079/EEC
of 3 May 1979
on gnomes
THE COUNCIL OF THE EUROPEAN COMMUNITIES,
Having regard to the opinion of the gnome committee (1),
Whereas Article 8 (3) of Directive 77/9001/EEC (2) names gnomes;
HAS ADOPTED THIS DIRECTIVE:
Article 1
Gnomes shall be counted
— in gardens,
— on walls.
Done at Brussels, 3 May 1979.
For the Council
The President
A. GNOME
(1) OJ No C 900, 1.2.1978, p. 1.
(2) OJ No L 901, 3.4.1977, p. 2.
";

#[test]
fn a_flat_text_has_its_notes_apart_and_its_indents_named() {
    let act = try_read("31979L9079", NOTED.as_bytes()).expect("an act").value;
    let notes: Vec<&str> =
        act.units.iter().filter(|u| u.kind == UnitKind::Footnote).map(|u| u.label.as_str()).collect();
    assert_eq!(notes, ["1", "2"]);
    let citation = act.units.iter().find(|u| u.kind == UnitKind::Citation).expect("a citation");
    assert_eq!(citation.text, "Having regard to the opinion of the gnome committee,");
    assert_eq!(at(&act, "Recital 1"), "Article 8 (3) of Directive 77/9001/EEC names gnomes;");
    assert_eq!(at(&act, "1(indent 2)"), "on walls.");
    let covered = coverage(NOTED.as_bytes(), &act);
    assert_eq!(covered.kept, covered.source);
}

#[test]
fn a_section_of_two_chapters_is_named_by_its_chapter() {
    let text = "COUNCIL REGULATION (EC) No 9001/2009\nof 5 May 2009\non gnomes\nTHE COUNCIL,\nHAS ADOPTED THIS REGULATION:\nCHAPTER I\nGNOMES\nSection 1\nClay\nArticle 1\nClay is allowed.\nSection 2\nStone\nArticle 2\nStone is allowed.\nCHAPTER II\nDWARFS\nSection 1\nClay\nArticle 3\nClay is forbidden.\n";
    let act = try_read("32009R9001", text.as_bytes()).expect("an act").value;
    let part = |text: &str| text.parse().expect("a part");
    assert!(
        act.holds(&part("Chapter I(Section 1)"), &part("1")) && act.holds(&part("Chapter II(Section 1)"), &part("3"))
    );
    assert_eq!((act.index_of(&part("Section 1")), act.index_of(&part("Section 2")).is_some()), (None, true));
    assert_eq!(part("Chapter II(Section 1)").long(), "Chapter II, Section 1");
}

#[test]
fn a_corrigendum_is_worked_into_its_act() {
    let registry = registry();
    let given = |celex: &str, text: &str| {
        let (celex, document): (Celex, _) = (celex.parse().expect("a number"), Digest::of(text.as_bytes()));
        let given =
            Given { celex: &celex, language: Language::ENGLISH, document, bytes: text.as_bytes(), registry: &registry };
        act(&given).expect("an act")
    };
    let published = given("31979L9079", NOTED).value;
    let parsed = given(
        "31979L9079R(01)",
        "Corrigendum to Council Directive 79/9079/EEC of 3 May 1979 on gnomes\nOn page 3, Article 1, second indent:\nfor:\n‘on walls.’,\nread:\n‘on low walls.’;\non page 3, Article 9:\nfor:\n‘a’,\nread:\n‘b’;\non page 4, Article 1: the last word is deleted.\n",
    );
    let told: Vec<&str> = parsed.warnings.iter().map(|w| w.message.as_str()).collect();
    assert!(told.iter().any(|t| t.contains("replaces no words") && t.contains("the last word is deleted")), "{told:?}");
    let read = corrected(&published, [&parsed.value]);
    assert_eq!(at(&read.act, "1(indent 2)"), "on low walls.");
    assert_eq!(at(&published, "1(indent 2)"), "on walls.");
    let [first, second] = &read.outcomes[..] else { panic!("two edits: {:?}", read.outcomes) };
    assert_eq!((first.edit.page, first.edit.place.as_str()), (Some(3), "On page 3, Article 1, second indent"));
    assert_eq!(second.units.as_ref().map_err(ToString::to_string), Err("the act has no Article 9 here".to_string()));
}

#[test]
fn an_rdf_notice() {
    let taken = "2026-07-27".parse().ok();
    let parsed = notice(RDF.as_bytes(), &registry(), taken).expect("a notice");
    let rows: Vec<String> =
        parsed.value.rows.iter().map(|r| format!("{} {} {}", r.source, r.relation, r.target)).collect();
    assert_eq!(
        rows,
        [
            "02016R9001-20160504 consolidates 32016R9001",
            "32016R9001 repeals 31995L9046",
            "32016R9001R(02) corrects 32016R9001",
        ]
    );
    let repeal = &parsed.value.rows[1];
    assert_eq!(repeal.start.map(|d| d.to_string()).as_deref(), Some("2018-05-25"));
    assert_eq!(repeal.part.as_ref().map(ToString::to_string).as_deref(), Some("8(3)"));
    assert_eq!((repeal.role.as_deref(), repeal.comment.as_deref()), (Some("R"), Some("a & b")));
    assert!(repeal.locus.span.slice(RDF.as_bytes()).expect("bytes").starts_with(b"<rdf:Description rdf:nodeID=\"A1\""));
    let [record] = &parsed.value.records[..] else { panic!("one record") };
    assert_eq!(record.in_force, Some(true));
    assert!(record.open_end && record.ends.is_empty());
    assert_eq!(record.effects.iter().map(|(k, _)| *k).collect::<Vec<_>>(), [EffectDate::EntryIntoForce]);
    assert_eq!(parsed.value.states.len(), 1);
    assert!(parsed.warnings.is_empty());
    let [open] = &parsed.value.open[..] else { panic!("the delegated act has no CELEX number here") };
    assert!(open.addresses().eq(["http://publications.europa.eu/resource/oj/L_202500414"]));
}

#[test]
fn an_xml_notice() {
    let parsed = notice(XML.as_bytes(), &registry(), None).expect("a notice");
    let rows: Vec<String> =
        parsed.value.rows.iter().map(|r| format!("{} {} {}", r.source, r.relation, r.target)).collect();
    assert_eq!(rows, ["32016R9001R(02) corrects 32016R9001", "32018R9100 repeals 32016R9001"]);
    assert_eq!(parsed.value.rows[0].languages.len(), 2);
    assert_eq!(parsed.value.records[0].ends.len(), 1);
    assert_eq!(parsed.warnings.len(), 1);
}

#[test]
fn what_is_no_act_is_refused() {
    let challenge = b"<html><head><script>window.gokuProps = {};</script><script src=\"https://x.awswaf.com/challenge.js\"></script></head><body></body></html>";
    assert_eq!(try_read("32016R9001", challenge).err(), Some(Refused::Challenge));
    let shell = b"<!DOCTYPE html><html><head><script src=\"/eurlex-frontoffice/x.js\"></script><title>EUR-Lex</title></head><body><nav>Home</nav></body></html>";
    assert_eq!(try_read("32016R9001", shell).err(), Some(Refused::PortalShell));
    assert_eq!(try_read("32016R9001", b" \n ").err(), Some(Refused::Empty));
    let bomb = b"<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><html class=\"oj-x\">&b;</html>";
    assert_eq!(try_read("32016R9001", bomb).err(), Some(Refused::Entities));
    assert!(matches!(try_read("32016R9001", b"%PDF-1.4 \0"), Err(Refused::NotThis { .. })));
    assert!(matches!(try_read("32016R9001", b"Some words about gnomes."), Err(Refused::NotThis { .. })));
}

#[test]
fn deep_and_repetitive_pages_are_read_in_linear_time() {
    let deep = format!(
        "<html><body><div class=\"eli-container\">{}<p class=\"oj-normal\">Gnome.</p>",
        "<div><table><col width=\"4%\"/><col width=\"96%\"/><tr><td>".repeat(50_000)
    );
    let marks = format!(
        "<html><p class=\"oj-normal\">The following:</p>{}",
        "<p class=\"oj-normal\">‘Torn:</p>".repeat(50_000)
    );
    let glued =
        format!("THE COUNCIL,HAS ADOPTED THIS REGULATION:{}", "Article 1 (1) ‘ANNEX I CHAPTER (a) 1. ".repeat(20_000));
    for page in [deep, marks, glued] {
        let clock = std::time::Instant::now();
        let _ = try_read("32016R9001", page.as_bytes());
        assert!(clock.elapsed().as_secs() < 20, "{:?} for {} bytes", clock.elapsed(), page.len());
    }
}

/// Spans lie in the bytes and inside the parent's.
fn sound(bytes: &[u8]) {
    for celex in ["32016R9001", "32016R9001R(01)"] {
        let Ok(parsed) = try_read(celex, bytes) else { continue };
        let act = parsed.value;
        for (i, unit) in act.units.iter().enumerate() {
            assert!(unit.span.start <= unit.span.end && unit.span.end <= bytes.len(), "{unit:?}");
            if let Some(parent) = unit.parent {
                assert!(parent < i && act.units[parent].span.contains(&unit.span), "{unit:?}");
            }
        }
        let inner = |u: &&Unit| matches!(u.kind, UnitKind::Paragraph | UnitKind::Point | UnitKind::Subparagraph);
        let named: Vec<_> = act.units.iter().filter(inner).filter_map(|u| u.part.as_ref()).collect();
        assert_eq!(named.iter().collect::<BTreeSet<_>>().len(), named.len(), "an address of two units");
        let _ = coverage(bytes, &act);
    }
    let registry = registry();
    let _ = notice(bytes, &registry, None);
    let _ = table("x.csv", bytes, &registry, |_| None);
}

const DOCUMENTS: [&str; 8] = [OJ_ELI, OJ, TXT_TE, ONE_LINE, LINES, RDF, XML, EDGES];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn random_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..2000), front in 0_usize..7) {
        let fronts = ["", "<html class=\"oj-x\">", "<p class=\"doc-ti\">", "<TXT_TE>", "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">", "<NOTICE><WORK>", "source_celex,relation,target_celex,evidence_file\n"];
        let mut page = fronts[front].as_bytes().to_vec();
        page.extend(bytes);
        sound(&page);
    }

    #[test]
    fn damaged_documents_never_panic(which in 0_usize..8, edits in proptest::collection::vec((any::<prop::sample::Index>(), 0_usize..60, "[<>&;‘’\"A-Za-z0-9 .()é\n]{0,12}"), 1..12)) {
        let mut page = DOCUMENTS[which].as_bytes().to_vec();
        for (at, cut, insert) in edits {
            let at = at.index(page.len() + 1);
            let end = (at + cut).min(page.len());
            page.splice(at..end, insert.bytes());
        }
        sound(&page);
    }
}
