//! Emitters: golden bytes on an invented dataset, and a round trip of any strings.

use crate::invented::dataset;
use legal_link::dataset::{Dataset, Item, Provenance, Refusal, Row};
use legal_link::emit;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::PathBuf;

fn emitted(dataset: &Dataset) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for emitter in emit::all() {
        let mut sink = |path: &str, bytes: &[u8]| {
            assert!(files.insert(path.to_string(), bytes.to_vec()).is_none(), "{path} is written once");
            Ok(())
        };
        emitter.emit(dataset, &mut sink).expect("written");
    }
    files
}

/// Compares with the file of this name under `tests/golden/emit`; writes it where `UPDATE_GOLDEN` is set.
fn golden(path: &str, bytes: &[u8]) {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/emit").join(path);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::create_dir_all(file.parent().expect("a folder")).expect("made");
        std::fs::write(&file, bytes).expect("written");
    }
    let want = std::fs::read(&file).unwrap_or_default();
    assert!(want == bytes, "{path} differs from tests/golden/emit/{path} (UPDATE_GOLDEN=1 writes it anew)");
}

#[test]
fn every_emitter_writes_the_same_bytes() {
    let files = emitted(&dataset(2));
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    let want = ["README.md", "data/test-00000-of-00001.parquet", "items.jsonl", "provenance.jsonl", "refused.jsonl"];
    assert_eq!(names, want);
    assert_eq!(files, emitted(&dataset(2)));
    for (path, bytes) in &files {
        golden(path, bytes);
    }
}

/// Leaves the invented dataset where `tests/python/load_dataset.py` can be run on it.
#[test]
fn a_folder_for_python() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("invented");
    for (path, bytes) in emitted(&dataset(6)) {
        let file = folder.join(path);
        std::fs::create_dir_all(file.parent().expect("a folder")).expect("made");
        std::fs::write(file, bytes).expect("written");
    }
}

#[test]
fn the_published_columns_come_first_and_the_published_order_is_restored() {
    let files = emitted(&dataset(1));
    let items = std::str::from_utf8(&files["items.jsonl"]).expect("UTF-8");
    let published = [
        "id",
        "question",
        "options",
        "correct_index",
        "correct_label",
        "context_titles",
        "contexts",
        "perturbed_contexts",
    ];
    for line in items.lines() {
        let row: serde_json::Map<String, serde_json::Value> = serde_json::from_str(line).expect("JSON");
        assert_eq!(row.keys().take(8).map(String::as_str).collect::<Vec<_>>(), published);
        assert_eq!(row["perturbed_contexts"], serde_json::json!(["", "", "", "", ""]));
        assert_eq!(row["options"].as_array().map(Vec::len), Some(4));
    }
    let obsolete: Row = serde_json::from_str(items.lines().last().expect("a row")).expect("a row");
    assert_eq!(obsolete.relation, "renders_obsolete");
    assert_eq!(
        obsolete.id,
        format!("complex_legallink_{}_{}_rendered_obsolete_by", obsolete.target_celex, obsolete.source_celex)
    );
    assert!(
        obsolete.source_celex > obsolete.target_celex,
        "the acting act is the newer one, in every column but the published"
    );
    assert!(obsolete.context_titles[0].starts_with("Source"));
    assert!(obsolete.contexts[0].contains("yellow band"), "the old act's passages come first");
}

#[test]
fn lines_read_back_as_the_values_they_were() {
    let dataset = dataset(2);
    let files = emitted(&dataset);
    let text = |path: &str| String::from_utf8(files[path].clone()).expect("UTF-8");
    let rows: Vec<Row> = text("items.jsonl").lines().map(|l| serde_json::from_str(l).expect("a row")).collect();
    assert_eq!(rows, dataset.rows().collect::<Vec<_>>());
    let provenance: Vec<Provenance> =
        text("provenance.jsonl").lines().map(|l| serde_json::from_str(l).expect("a record")).collect();
    assert_eq!(provenance.iter().map(|p| p.item.clone()).collect::<Vec<Item>>(), dataset.items);
    assert!(provenance.iter().all(|p| p.edge.is_some() && p.documents.len() >= 2));
    let refused: Vec<Refusal> =
        text("refused.jsonl").lines().map(|l| serde_json::from_str(l).expect("a refusal")).collect();
    assert_eq!(refused, dataset.refusals);
}

#[test]
fn the_card_of_real_acts_says_whose_they_are() {
    let mut set = dataset(1);
    for (i, document) in set.documents.iter_mut().enumerate() {
        document.specimen = false;
        document.origin =
            Some(if i == 0 { "https://example.org/a:b".into() } else { "someone/acts-of-law:works/9001".to_string() });
    }
    let card = String::from_utf8(emitted(&set)["README.md"].clone()).expect("UTF-8");
    for words in [
        "license: other",
        "© European Union, https://eur-lex.europa.eu",
        "Only the Official Journal of the European Union is authentic",
        "Changes made",
        "- someone/acts-of-law (14 documents)",
        "five empty strings",
    ] {
        assert!(card.contains(words), "{words}");
    }
    assert!(!card.contains("Nothing here is law") && !card.contains("- https"));
    set.documents[0].specimen = true;
    assert!(String::from_utf8(emitted(&set)["README.md"].clone()).expect("UTF-8").contains("Part of this is not law"));
}

fn texts(field: &Field) -> Vec<String> {
    match field {
        Field::Str(text) => vec![text.clone()],
        Field::Long(n) => vec![n.to_string()],
        Field::ListInternal(list) => list.elements().iter().flat_map(texts).collect(),
        other => panic!("no such column was written: {other:?}"),
    }
}

fn parquet_rows(bytes: &[u8]) -> Vec<Vec<(String, Vec<String>)>> {
    let mut file = tempfile::tempfile().expect("a file");
    file.write_all(bytes).expect("written");
    let reader = SerializedFileReader::new(file).expect("Parquet");
    let rows = reader.get_row_iter(None).expect("rows");
    rows.map(|row| row.expect("a row").get_column_iter().map(|(name, field)| (name.clone(), texts(field))).collect())
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// Any strings survive: quotes, line ends of every kind, right-to-left text, emoji, tags.
    #[test]
    fn any_strings_survive(
        stem in any::<String>(),
        options in prop::collection::vec(any::<String>(), 4),
        hostile in prop::sample::select(vec!["</script>", "\"\n\r\t", "\u{202e}שלום", "👩‍⚖️", "\u{2028}\u{85}", "\0", "a|b", "---\n"]),
        name in any::<String>(),
    ) {
        let mut set = dataset(1);
        set.name = format!("{name}{hostile}");
        set.items.truncate(1);
        set.items[0].draft.stem = format!("{hostile}{stem}");
        for (choice, text) in set.items[0].draft.options.iter_mut().zip(&options) {
            choice.text = format!("{text}{hostile}");
        }
        set.items[0].draft.passages[0].text = stem.clone();
        let files = emitted(&set);
        let want: Vec<Row> = set.rows().collect();

        let lines = std::str::from_utf8(&files["items.jsonl"]).expect("UTF-8");
        prop_assert_eq!(lines.matches(['\n', '\u{2028}', '\u{2029}', '\u{85}']).count(), 1);
        prop_assert_eq!(&serde_json::from_str::<Row>(lines).expect("a row"), &want[0]);

        let columns: BTreeMap<String, Vec<String>> =
            parquet_rows(&files["data/test-00000-of-00001.parquet"]).remove(0).into_iter().collect();
        prop_assert_eq!(&columns["question"], &vec![want[0].question.clone()]);
        prop_assert_eq!(&columns["options"], &want[0].options);
        prop_assert_eq!(&columns["contexts"], &want[0].contexts);
        prop_assert_eq!(&columns["correct_index"], &vec![want[0].correct_index.to_string()]);

        let card = std::str::from_utf8(&files["README.md"]).expect("UTF-8");
        prop_assert_eq!(card.lines().filter(|l| *l == "---").count(), 2, "the front matter is closed once");
    }
}
