//! Formex documents of our own: what is read from them, how parts of one act come together, and that nothing hostile
//! gets through.

use crate::reading::{self, at};
use legal_link::build::load;
use legal_link::law::{Act, Celex, Digest, Flavour, Registry, UnitKind};
use legal_link::parse::{Parsed, Refused, Root, coverage, formex_root, parts};
use legal_link::source::Folder;
use proptest::prelude::*;
use std::fmt::Write as _;

const MAIN: &str = include_str!("../fixtures/parse/32024R9001.fmx4.L_202409001EN.000101.fmx.xml");
const HATS: &str = include_str!("../fixtures/parse/32024R9001.fmx4.L_202409001EN.000401.fmx.xml");
const RODS: &str = include_str!("../fixtures/parse/32024R9001.fmx4.L_202409001EN.000501.fmx.xml");
const PARTS: &str = include_str!("../fixtures/parse/32024R9001.fmx4.L_202409001EN.doc.fmx.xml");
const CORRIGENDUM: &str = include_str!("../fixtures/parse/32024R9001R(01).fmx4.L_202490001EN.000101.fmx.xml");
const CONSOLIDATED: &str = include_str!("../fixtures/parse/02024R9001-20250301.fmx4.CL2024R9001EN0010010.0001.xml");

fn try_read(celex: &str, bytes: &[u8]) -> Result<Parsed<Act>, Refused> {
    reading::try_read(celex, bytes, &Registry::default())
}

fn read(celex: &str, text: &str) -> Act {
    reading::read(celex, text, 0.995..=1.0)
}

/// Label and text of the units of a kind.
fn all(act: &Act, kind: UnitKind) -> Vec<(&str, &str)> {
    act.units.iter().filter(|u| u.kind == kind).map(|u| (u.label.as_str(), u.text.as_str())).collect()
}

#[test]
fn an_act() {
    let act = read("32024R9001", MAIN);
    assert_eq!(act.flavour, Flavour::Formex);
    assert_eq!(
        act.title.text,
        "Regulation (EU) 2024/9001 of the European Parliament and of the Council of 13 June 2024 on garden gnomes and amending Directive 2009/9046/EC"
    );
    assert_eq!(act.date_document.map(|d| d.to_string()).as_deref(), Some("2024-06-13"));
    assert_eq!(act.articles().map(|u| u.label.as_str()).collect::<Vec<_>>(), ["1", "2bis", "3", "4"]);
    let cited: Vec<&str> = all(&act, UnitKind::Citation).into_iter().map(|c| c.1).collect();
    assert_eq!(
        cited,
        ["Having regard to the Treaty on gnomes,", "Having regard to the opinion of the gnome committee,"]
    );
    assert_eq!(at(&act, "Recital 1"), "Gnomes stand in gardens & on walls (the ‘places’).");
    assert_eq!(at(&act, "1(1)"), "This Regulation applies to:");
    assert_eq!(at(&act, "1(1)(a)(i)"), "of clay worth EUR 1 250 000 or more;");
    assert_eq!(at(&act, "1(1)(b)"), "their owners/keepers.");
    assert_eq!(at(&act, "3(2)"), "Article 8 is deleted.");
    let dashes: Vec<&str> = all(&act, UnitKind::Point).into_iter().filter(|p| p.0.is_empty()).map(|p| p.1).collect();
    assert_eq!(dashes, ["a lamp,", "a rod."]);
    assert_eq!(
        all(&act, UnitKind::Footnote),
        [("1", "OJ C 900, 1.1.2024, p. 1."), ("*1", "Delete as appropriate."), ("1", "With its hat.")]
    );
    assert_eq!(all(&act, UnitKind::Table), [("", "Gnome | Height\nBashful | 30 cm or less\nOthers\n | — none")]);
    let quoted: Vec<(UnitKind, &str)> =
        act.units.iter().filter(|u| u.quoted).map(|u| (u.kind, u.label.as_str())).collect();
    assert_eq!(quoted, [(UnitKind::Article, "7a"), (UnitKind::Paragraph, "1")]);
    assert!(act.holds(&"Chapter I".parse().expect("a part"), &"1".parse().expect("a part")));
    assert!(!act.holds(&"Chapter I".parse().expect("a part"), &"3".parse().expect("a part")));
    assert!(all(&act, UnitKind::Final)[0].1.ends_with("Done at Brussels, 13 June 2024. For the Council A. Gnome"));
    let point = act.unit(&"1(1)(a)(ii)".parse().expect("a part")).expect("a point");
    assert_eq!(
        point.span.slice(MAIN.as_bytes()),
        Some(&b"(ii)</NO.P><TXT>of stone;"[..]),
        "from its label to its last word"
    );
}

#[test]
fn an_annex_of_its_own() {
    let annex = read("32024R9001", HATS);
    assert_eq!(annex.articles().count(), 0);
    let first = &annex.units[0];
    assert_eq!(
        (first.kind, first.label.as_str(), first.heading.as_deref()),
        (UnitKind::Annex, "I", Some("Permitted hats"))
    );
    assert_eq!(at(&annex, "Annex I(2)"), "the bent hat.");
    let groups: Vec<(Option<&str>, Option<usize>)> = (annex.units.iter())
        .filter(|u| u.kind == UnitKind::Container)
        .map(|u| (u.heading.as_deref(), u.parent.map(|p| annex.units[p].span.start)))
        .collect();
    let outer = annex.units.iter().find(|u| u.heading.as_deref() == Some("Other hats")).expect("a group").span.start;
    assert_eq!(groups[1], (Some("Other hats"), Some(first.span.start)));
    assert_eq!(groups[2], (Some("A. Blue"), Some(outer)), "a group stands in the group around it");
}

#[test]
fn a_corrigendum() {
    let act = read("32024R9001R(01)", CORRIGENDUM);
    assert!(act.title.text.starts_with("Corrigendum to Regulation (EU) 2024/9001"));
    let words: Vec<&str> = act.units.iter().map(|u| u.text.as_str()).collect();
    assert_eq!(words, ["On page 2, Article 1(2), second indent:", "for:", "‘a rod’,", "read:", "‘a spade’."]);
    assert_eq!(act.articles().count(), 0);
}

#[test]
fn a_consolidated_text_keeps_its_origins_and_loses_what_was_taken_out() {
    let parsed = try_read("02024R9001-20250301", CONSOLIDATED.as_bytes()).expect("an act");
    let act = parsed.value;
    assert_eq!(act.flavour, Flavour::ConsolidatedFormex);
    let origins: Vec<String> =
        act.origins.iter().map(|o| format!("{} {}", o.mark, o.act.as_ref().map_or("", Celex::as_str))).collect();
    assert_eq!(origins, ["B 32024R9001", "M1 32025R9200", "C1 32025R9200R(01)"]);
    assert_eq!(act.origins[1].published.map(|d| d.to_string()).as_deref(), Some("2025-02-10"));
    let marks = |part: &str| -> Vec<(usize, String)> {
        let unit = act.unit(&part.parse().expect("a part")).expect(part);
        unit.marks.iter().map(|m| (m.at, m.mark.to_string())).collect()
    };
    let of = |marks: &[(usize, &str)]| marks.iter().map(|(at, m)| (*at, (*m).to_string())).collect::<Vec<_>>();
    assert_eq!(marks("1"), of(&[(0, "B")]));
    assert_eq!(at(&act, "1(1)"), "Gnomes are large and free.");
    assert_eq!(marks("1(1)"), of(&[(0, "B"), (11, "M1"), (16, "B")]));
    assert_eq!(marks("1(2)"), of(&[(0, "M1")]));
    assert_eq!(marks("3"), of(&[(0, "B")]));
    assert!(act.unit(&"2".parse().expect("a part")).is_none(), "no part of this state");
    let [warning] = &parsed.warnings[..] else { panic!("{:?}", parsed.warnings) };
    assert!(warning.message.contains("32025R9200"), "{warning:?}");
    let left_out = warning.span.slice(CONSOLIDATED.as_bytes()).expect("bytes");
    assert!(String::from_utf8_lossy(left_out).contains("Flamingos are free"));
    let table = act.units.iter().find(|u| u.kind == UnitKind::Table).expect("a table");
    assert_eq!(table.marks.iter().map(|m| m.mark.to_string()).collect::<Vec<_>>(), ["B", "C1"]);
    let other = try_read("02024R9002-20250301", CONSOLIDATED.as_bytes());
    assert!(matches!(other, Err(Refused::WrongAct { .. })));
}

#[test]
fn a_table_of_parts_is_no_act() {
    assert_eq!(formex_root(PARTS.as_bytes()), Some(Root::Parts));
    assert!(matches!(try_read("32024R9001", PARTS.as_bytes()), Err(Refused::NotThis { .. })));
    let read = parts(PARTS.as_bytes()).expect("a table").value;
    assert_eq!(read.published.map(|d| d.to_string()).as_deref(), Some("2024-07-12"));
    assert_eq!(read.celex.as_ref().map(Celex::as_str), Some("32024R9001"));
    let files: Vec<(&str, bool)> = read.members.iter().map(|m| (m.file.as_str(), m.main)).collect();
    assert_eq!(
        files,
        [
            ("L_202409001EN.000101.fmx.xml", true),
            ("L_202409001EN.000501.fmx.xml", false),
            ("L_202409001EN.000401.fmx.xml", false)
        ]
    );
    assert!(matches!(parts(MAIN.as_bytes()), Err(Refused::NotThis { .. })));
    let issue = b"<PUBLICATION><OJ/></PUBLICATION>";
    let Err(refused) = try_read("32024R9001", issue) else { panic!("no act") };
    assert!(refused.to_string().contains("table of contents"), "{refused}");
    let other = b"<CASE xsi:noNamespaceSchemaLocation=\"http://formex.publications.europa.eu/schema/formex-05.xd\"><P>1</P></CASE>";
    let Err(refused) = try_read("32024R9001", other) else { panic!("no act") };
    assert!(refused.to_string().contains("Formex"), "{refused}");
}

/// A folder with an index of these documents.
fn folder(documents: &[(&str, &str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let mut index = "file\tcelex\tflavour\tlanguage\tsha256\n".to_string();
    for (celex, member, text) in documents {
        let name = format!("{celex}.fmx4.{member}.fmx.xml");
        std::fs::write(folder.path().join(&name), text).expect("written");
        writeln!(index, "{name}\t{celex}\tfmx4\ten\t{}", Digest::of(text.as_bytes())).expect("a line");
    }
    std::fs::write(folder.path().join("INDEX.tsv"), index).expect("written");
    folder
}

#[test]
fn the_documents_of_an_act_become_one() {
    let held = folder(&[
        ("32024R9001", "L_202409001EN.000401", HATS),
        ("32024R9001", "L_202409001EN.000501", RODS),
        ("32024R9001", "L_202409001EN.000101", MAIN),
        ("32024R9001", "L_202409001EN.doc", PARTS),
        ("02024R9001-20250301", "CL2024R9001EN0010010.0001", CONSOLIDATED),
    ]);
    let loaded = load(&Folder::open(held.path()).expect("a folder"), &Registry::default()).expect("loaded");
    assert_eq!(loaded.refused, [], "all are read");
    assert_eq!(loaded.read.len(), 5);
    let [act] = &loaded.facts.acts[..] else { panic!("one act: {:#?}", loaded.facts.acts) };
    assert_eq!(act.published.map(|d| d.to_string()).as_deref(), Some("2024-07-12"), "as the table of parts says");
    let annexes: Vec<&str> = act.annexed.iter().map(|a| a.units[0].label.as_str()).collect();
    assert_eq!(annexes, ["II", "I"], "in the order of the table of parts");
    let (text, at) = act.text_with(&"Annex I(2)".parse().expect("a part")).expect("a point");
    assert_eq!(text.document, Digest::of(HATS.as_bytes()));
    assert_eq!(text.units[at].span.slice(HATS.as_bytes()), Some(&b"2.</NO.P><TXT>the bent hat."[..]));
    let [state] = &loaded.facts.states[..] else { panic!("one state") };
    assert_eq!((state.of.as_str(), state.from.to_string().as_str()), ("32024R9001", "2025-03-01"));
}

#[test]
fn an_annex_without_its_act_is_no_act() {
    let held = folder(&[("32024R9001", "L_202409001EN.000401", HATS), ("32024R9001", "L_202409001EN.doc", PARTS)]);
    let loaded = load(&Folder::open(held.path()).expect("a folder"), &Registry::default()).expect("loaded");
    assert!(loaded.facts.acts.is_empty());
    assert_eq!((loaded.refused.len(), loaded.read.len()), (1, 1));
    assert_eq!(loaded.warnings.len(), 2, "two members are not here");
}

#[test]
fn hostile_documents_are_bounded() {
    let bomb = "<?xml version=\"1.0\"?><!DOCTYPE ACT [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><ACT><ENACTING.TERMS><ARTICLE><TI.ART>Article 1</TI.ART><ALINEA>&b;</ALINEA></ARTICLE></ENACTING.TERMS></ACT>";
    assert_eq!(try_read("32024R9001", bomb.as_bytes()).err(), Some(Refused::Entities));
    let late = bomb.replacen("?>", &format!("?><!--{}-->", " ".repeat(40_000)), 1);
    assert!(try_read("32024R9001", late.as_bytes()).is_err());
    let named = bomb.replacen("<!DOCTYPE ACT [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]>", "", 1);
    let act = try_read("32024R9001", named.as_bytes()).expect("an act").value;
    assert_eq!(at(&act, "1"), "&b;");
    let deep = format!(
        "<ACT><ENACTING.TERMS>{}Gnome.",
        "<LIST TYPE=\"DASH\"><ITEM><NP><NO.P>1</NO.P><TXT>a</TXT><P>".repeat(40_000)
    );
    let notes = format!(
        "<ACT><ENACTING.TERMS><ARTICLE><TI.ART>Article 1</TI.ART>{}",
        "<NOTE NOTE.ID=\"E1\"><P>a<NOTE>".repeat(40_000)
    );
    let passages = format!(
        "<CONS.ACT><FAM.COMP><BIB.DATA><NO.CELEX>32024R9001</NO.CELEX></BIB.DATA></FAM.COMP>{}a",
        "<?CLG.MDFO ID=\"1\" ACTION=\"X\" ACTIVE.DOC=\"32025R9001\"?><P>a</P>".repeat(40_000)
    );
    let tables = format!(
        "<ACT><ENACTING.TERMS><ARTICLE><TI.ART>Article 1</TI.ART>{}",
        "<TBL><CORPUS><ROW><CELL>a".repeat(40_000)
    );
    for text in [deep, notes, passages, tables] {
        let clock = std::time::Instant::now();
        let celex = if text.starts_with("<CONS") { "02024R9001-20250301" } else { "32024R9001" };
        let _ = try_read(celex, text.as_bytes());
        assert!(clock.elapsed().as_secs() < 20, "{:?} for {} bytes", clock.elapsed(), text.len());
    }
}

#[test]
fn a_torn_document_says_where() {
    let cut = MAIN.find("Article 3</TI.ART>").expect("a place");
    let parsed = try_read("32024R9001", &MAIN.as_bytes()[..cut]).expect("an act");
    assert_eq!(parsed.value.articles().count(), 2);
    assert!(parsed.warnings.iter().any(|w| w.message.contains("torn")), "{:?}", parsed.warnings);
}

/// Spans lie in the bytes and inside the parent's, and marks in the text.
fn sound(bytes: &[u8]) {
    for celex in ["32024R9001", "02024R9001-20250301", "32024R9001R(01)"] {
        let Ok(parsed) = try_read(celex, bytes) else { continue };
        let act = parsed.value;
        for (i, unit) in act.units.iter().enumerate() {
            assert!(unit.span.start <= unit.span.end && unit.span.end <= bytes.len(), "{unit:?}");
            if let Some(parent) = unit.parent {
                assert!(parent < i && act.units[parent].span.contains(&unit.span), "{unit:?}");
            }
            assert!(unit.marks.windows(2).all(|m| m[0].at < m[1].at), "{unit:?}");
            assert!(unit.marks.iter().all(|m| m.at <= unit.text.len()), "{unit:?}");
        }
        for warning in &parsed.warnings {
            assert!(warning.span.start <= warning.span.end && warning.span.end <= bytes.len(), "{warning:?}");
        }
        let _ = coverage(bytes, &act);
    }
    let _ = parts(bytes);
}

const DOCUMENTS: [&str; 6] = [MAIN, HATS, RODS, PARTS, CORRIGENDUM, CONSOLIDATED];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn damaged_formex_never_panics(which in 0_usize..6, cut in any::<prop::sample::Index>(), edits in proptest::collection::vec((any::<prop::sample::Index>(), 0_usize..60, "[<>&;?!/=\"‘’A-Z.a-z0-9 ()é\n]{0,12}"), 0..10)) {
        let mut text = DOCUMENTS[which].as_bytes().to_vec();
        for (at, cut, insert) in edits {
            let at = at.index(text.len() + 1);
            let end = (at + cut).min(text.len());
            text.splice(at..end, insert.bytes());
        }
        sound(&text);
        text.truncate(cut.index(text.len() + 1));
        sound(&text);
    }

    #[test]
    fn any_tree_of_elements_is_read(names in proptest::collection::vec((0_usize..24, any::<bool>()), 0..120)) {
        const NAMES: [&str; 24] = ["TITLE", "TI", "P", "NP", "NO.P", "TXT", "LIST TYPE=\"DASH\"", "ITEM", "ARTICLE", "TI.ART", "PARAG", "NO.PARAG", "ALINEA", "QUOT.S", "NOTE NOTE.ID=\"1\"", "TBL", "CORPUS", "ROW", "CELL", "ANNEX", "FINAL", "CONSID", "FT TYPE=\"NUMBER\"", "GR.SEQ"];
        let (mut text, mut open) = ("<ACT>".to_string(), Vec::new());
        for (which, closes) in names {
            if closes && let Some(name) = open.pop() {
                write!(text, "</{name}>").expect("text");
            } else {
                let name = NAMES[which];
                write!(text, "<{name}>1234 a").expect("text");
                open.push(name.split(' ').next().unwrap_or_default());
            }
        }
        for name in open.into_iter().rev() {
            write!(text, "</{name}>").expect("text");
        }
        text.push_str("</ACT>");
        sound(text.as_bytes());
    }
}
