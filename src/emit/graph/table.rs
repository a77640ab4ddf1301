//! The edge list as Parquet: one row per touch, days as dates.

use super::{EdgeList, basis, extent, parts, saved};
use crate::emit::EmitError;
use crate::law::Day;
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, Int32Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;
use std::sync::Arc;

/// Rows in a row group.
const ROWS: usize = 100_000;

/// A value of a row.
enum Cell {
    Text(Option<String>),
    Date(Option<Day>),
    Number(i32),
    Flag(bool),
}

const COLUMNS: [(&str, Physical); 15] = [
    ("source", Physical::BYTE_ARRAY),
    ("relation", Physical::BYTE_ARRAY),
    ("target", Physical::BYTE_ARRAY),
    ("touch", Physical::INT32),
    ("extent", Physical::BYTE_ARRAY),
    ("parts", Physical::BYTE_ARRAY),
    ("saved", Physical::BYTE_ARRAY),
    ("start", Physical::INT32),
    ("basis", Physical::BYTE_ARRAY),
    ("until", Physical::INT32),
    ("conditional", Physical::BYTE_ARRAY),
    ("unconfirmed", Physical::BYTE_ARRAY),
    ("words", Physical::BYTE_ARRAY),
    ("languages", Physical::BYTE_ARRAY),
    ("contradicted", Physical::BOOLEAN),
];

/// Whether an integer column holds days.
fn is_date(name: &str) -> bool {
    matches!(name, "start" | "until")
}

/// The edge list as a Parquet file: one row per touch, the same rows the same bytes. Lists are joined by `; `.
///
/// # Errors
/// [`EmitError::Format`] where the format cannot hold them.
pub fn edge_table(list: &EdgeList<'_>) -> Result<Vec<u8>, EmitError> {
    let told = |e: ParquetError| EmitError::Format {
        path: "the edge list".to_string(),
        what: "the edges".to_string(),
        message: e.to_string(),
    };
    file(&rows(list)).map_err(told)
}

fn rows(list: &EdgeList<'_>) -> Vec<Vec<Cell>> {
    let joined = |list: Vec<String>| (!list.is_empty()).then(|| list.join("; "));
    let languages = |t: &crate::law::Touch| joined(t.languages.iter().map(ToString::to_string).collect());
    let row = |(edge, at, touch): (&crate::law::DatedRelation, usize, Option<&crate::law::Touch>)| {
        vec![
            Cell::Text(Some(edge.source.to_string())),
            Cell::Text(Some(edge.relation.to_string())),
            Cell::Text(Some(edge.target.to_string())),
            Cell::Number(i32::try_from(at).unwrap_or(i32::MAX)),
            Cell::Text(touch.map(|t| extent(t).to_string())),
            Cell::Text(touch.and_then(|t| joined(parts(t)))),
            Cell::Text(touch.and_then(|t| joined(saved(t)))),
            Cell::Date(touch.and_then(|t| t.start)),
            Cell::Text(touch.and_then(basis)),
            Cell::Date(touch.and_then(|t| t.until)),
            Cell::Text(touch.and_then(|t| t.conditional.clone())),
            Cell::Text(touch.and_then(|t| t.unconfirmed.clone())),
            Cell::Text(touch.and_then(|t| t.words.clone())),
            Cell::Text(touch.and_then(languages)),
            Cell::Flag(!edge.contradictions.is_empty()),
        ]
    };
    list.touches().map(row).collect()
}

fn file(rows: &[Vec<Cell>]) -> Result<Vec<u8>, ParquetError> {
    let mut bytes = Vec::new();
    let properties = WriterProperties::builder()
        .set_created_by("legal-link".to_string())
        .set_compression(Compression::SNAPPY)
        .build();
    let fields = COLUMNS.iter().map(|(name, kind)| {
        let logical = match kind {
            Physical::BYTE_ARRAY => Some(LogicalType::String),
            Physical::INT32 if is_date(name) => Some(LogicalType::Date),
            _ => None,
        };
        let field = Type::primitive_type_builder(name, *kind).with_repetition(Repetition::OPTIONAL);
        field.with_logical_type(logical).build().map(Arc::new)
    });
    let schema = Type::group_type_builder("schema").with_fields(fields.collect::<Result<_, _>>()?).build()?;
    let mut file = SerializedFileWriter::new(&mut bytes, Arc::new(schema), Arc::new(properties))?;
    for group in rows.chunks(ROWS) {
        let mut writer = file.next_row_group()?;
        for (column, (_, kind)) in COLUMNS.iter().enumerate() {
            put(&mut writer, group, column, *kind)?;
        }
        writer.close()?;
    }
    file.close()?;
    Ok(bytes)
}

fn put(
    group: &mut SerializedRowGroupWriter<'_, &mut Vec<u8>>,
    rows: &[Vec<Cell>],
    column: usize,
    kind: Physical,
) -> Result<(), ParquetError> {
    let Some(mut writer) = group.next_column()? else {
        return Err(ParquetError::General("the schema has fewer columns than the table of columns".into()));
    };
    let cells = || rows.iter().map(|row| &row[column]);
    let present = |cell: &Cell| !matches!(cell, Cell::Text(None) | Cell::Date(None));
    let levels: Vec<i16> = cells().map(|cell| i16::from(present(cell))).collect();
    match kind {
        Physical::BYTE_ARRAY => {
            let text = |cell: &Cell| match cell {
                Cell::Text(text) => text.as_ref().map(|t| ByteArray::from(t.as_bytes().to_vec())),
                _ => None,
            };
            let values: Vec<ByteArray> = cells().filter_map(text).collect();
            writer.typed::<ByteArrayType>().write_batch(&values, Some(&levels), None)?;
        }
        Physical::BOOLEAN => {
            let values: Vec<bool> = cells().map(|cell| matches!(cell, Cell::Flag(true))).collect();
            writer.typed::<BoolType>().write_batch(&values, Some(&levels), None)?;
        }
        _ => {
            let number = |cell: &Cell| match cell {
                Cell::Number(n) => Some(*n),
                Cell::Date(day) => day.map(since_1970),
                _ => None,
            };
            let values: Vec<i32> = cells().filter_map(number).collect();
            writer.typed::<Int32Type>().write_batch(&values, Some(&levels), None)?;
        }
    }
    writer.close()
}

/// Days since 1 January 1970, negative before.
fn since_1970(day: Day) -> i32 {
    let epoch = Day::from_ymd(1970, 1, 1).unwrap_or(day);
    i32::try_from(epoch.days_until(day)).unwrap_or(0)
}
