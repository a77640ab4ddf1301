//! The graph for other programs: what is written of the specimens, and titles that try to break the formats.

use crate::program::{root, run, told};
use legal_link::emit::{EdgeList, ExportedAct, dot, edge_table, graphml, turtle};
use legal_link::law::{DatedRelation, Extent, Part, Registry, Touch};
use std::path::Path;

fn exported(format: &str, folder: &Path) -> Vec<u8> {
    let out = folder.join(format);
    let path = out.to_string_lossy();
    let args = ["graph", "export", "--format", format, "--relation", "extends_validity_of", "--out", &path];
    let done = run(&args, folder);
    assert!(done.status.success(), "{}", told(&done));
    std::fs::read(&out).expect("the file was written")
}

/// `UPDATE_GOLDEN=1` records anew.
#[test]
fn the_specimens_are_exported_as_recorded() {
    let folder = tempfile::tempdir().unwrap();
    for format in ["graphml", "dot", "turtle", "parquet"] {
        let bytes = exported(format, folder.path());
        assert_eq!(bytes, exported(format, folder.path()), "{format}: the same bytes again");
        if format == "parquet" {
            assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
            continue;
        }
        let path = root().join("tests/golden/graph").join(format);
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, &bytes).unwrap();
        }
        let recorded = std::fs::read(&path).unwrap_or_default();
        assert_eq!(String::from_utf8_lossy(&bytes), String::from_utf8_lossy(&recorded), "{format}");
    }
}

#[test]
fn titles_from_outside_break_no_format() {
    let text = include_str!("../../rubrics/relations.toml");
    let registry = Registry::parse([("relations.toml", text)]).expect("the shipped registry");
    let hostile = "<a href=\"x\">&amp; ]]> \\n \\G \"; } \u{0}\u{b}\u{85} 𝒳 \u{fffe}\n.";
    let act = |number: &str| ExportedAct {
        celex: number.parse().expect("a CELEX number"),
        title: Some(hostile.to_string()),
        made: "2005-05-03".parse().ok(),
        in_force_from: None,
        last_day: "2006-12-31".parse().ok(),
    };
    let acts = [act("31999R9001"), act("32005R9002R(01)")];
    let touch = Touch {
        extent: Extent::Partial,
        parts: vec!["8(3)".parse::<Part>().expect("a part")],
        saved: Vec::new(),
        start: "1969-12-31".parse().ok(),
        basis: None,
        conditional: Some(hostile.to_string()),
        unconfirmed: None,
        until: None,
        words: Some(hostile.to_string()),
        languages: Vec::new(),
        evidence: 0,
    };
    let edge = DatedRelation {
        source: acts[1].celex.clone(),
        relation: registry.relation("repeals").expect("a relation"),
        target: acts[0].celex.clone(),
        touches: vec![touch],
        evidence: Vec::new(),
        contradictions: Vec::new(),
    };
    let list = EdgeList { acts: &acts, edges: &[&edge], registry: &registry };
    let xml = graphml(&list);
    assert!(!xml.contains("<a href") && !xml.contains('\u{0}') && !xml.contains('\u{b}') && !xml.contains('\u{fffe}'));
    assert!(xml.contains("<node id=\"32005R9002R(01)\">") && xml.contains("Article 8(3)"));
    let drawn = dot(&list);
    let inside = drawn.replace("\\\\", "").replace("\\\"", "");
    assert_eq!(inside.matches('"').count() % 2, 0, "{drawn}");
    assert_eq!(inside.lines().filter(|l| l.trim() == "}").count(), 1, "{drawn}");
    let triples = turtle(&list);
    assert!(triples.contains("resource/celex/32005R9002R%2801%29>"), "{triples}");
    assert!(triples.contains("ann:start_of_validity \"1969-12-31\"^^xsd:date"), "{triples}");
    assert!(triples.contains("eli:date_no_longer_in_force \"2007-01-01\"^^xsd:date"), "{triples}");
    assert!(triples.contains("eli:repeals") && !triples.contains('\u{0}'));
    assert!(edge_table(&list).expect("a table").starts_with(b"PAR1"));
}
