//! `data/test-00000-of-00001.parquet`: the published columns with their types, and the few of ours that
//! a loader sorts and filters by.

use super::{EmitError, Emitter, Sink, write};
use crate::dataset::{Dataset, Row};
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{Type, TypePtr};
use std::sync::Arc;

/// The split's file in the layout that Python's `datasets` finds.
pub const PATH: &str = "data/test-00000-of-00001.parquet";

/// Rows in a row group: enough to compress well, little enough to hold.
const ROWS_PER_GROUP: usize = 10_000;

/// The Parquet file.
#[derive(Debug, Clone, Copy)]
pub struct Parquet;

/// What a column holds, and how to take it from a row.
pub(super) enum Column {
    Text(fn(&Row) -> String),
    Texts(fn(&Row) -> &[String]),
    Number(fn(&Row) -> usize),
}

/// The columns in order: the eight published ones, then ours.
pub(super) const COLUMNS: [(&str, Column); 13] = [
    ("id", Column::Text(|r| r.id.clone())),
    ("question", Column::Text(|r| r.question.clone())),
    ("options", Column::Texts(|r| &r.options)),
    ("correct_index", Column::Number(|r| r.correct_index)),
    ("correct_label", Column::Text(|r| r.correct_label.clone())),
    ("context_titles", Column::Texts(|r| &r.context_titles)),
    ("contexts", Column::Texts(|r| &r.contexts)),
    ("perturbed_contexts", Column::Texts(|r| &r.perturbed_contexts)),
    ("item", Column::Text(|r| r.item.clone())),
    ("relation", Column::Text(|r| r.relation.clone())),
    ("source_celex", Column::Text(|r| r.source_celex.to_string())),
    ("target_celex", Column::Text(|r| r.target_celex.to_string())),
    ("day", Column::Text(|r| r.day.to_string())),
];

impl Emitter for Parquet {
    fn name(&self) -> &'static str {
        "parquet"
    }
    fn emit(&self, dataset: &Dataset, sink: &mut Sink<'_>) -> Result<(), EmitError> {
        write(sink, PATH, &encode(&dataset.rows().collect::<Vec<_>>())?)
    }
}

/// The rows as a Parquet file; the same rows give the same bytes.
///
/// # Errors
/// [`EmitError::Format`] where the format cannot hold them.
pub fn encode(rows: &[Row]) -> Result<Vec<u8>, EmitError> {
    file(rows).map_err(|e| EmitError::Format {
        path: PATH.to_string(),
        what: "the rows".to_string(),
        message: e.to_string(),
    })
}

fn file(rows: &[Row]) -> Result<Vec<u8>, ParquetError> {
    let mut bytes = Vec::new();
    let properties = WriterProperties::builder()
        .set_created_by("legal-link".to_string())
        .set_compression(Compression::SNAPPY)
        .build();
    let mut file = SerializedFileWriter::new(&mut bytes, schema()?, Arc::new(properties))?;
    for group in rows.chunks(ROWS_PER_GROUP) {
        let mut writer = file.next_row_group()?;
        for (_, column) in &COLUMNS {
            put(&mut writer, group, column)?;
        }
        writer.close()?;
    }
    file.close()?;
    Ok(bytes)
}

/// Every column is optional, as the published file has it, though no row leaves one out.
fn schema() -> Result<TypePtr, ParquetError> {
    let fields = COLUMNS.iter().map(|(name, column)| match column {
        Column::Text(_) => text(name),
        Column::Number(_) => Type::primitive_type_builder(name, Physical::INT64)
            .with_repetition(Repetition::OPTIONAL)
            .build()
            .map(Arc::new),
        Column::Texts(_) => texts(name),
    });
    Ok(Arc::new(Type::group_type_builder("schema").with_fields(fields.collect::<Result<_, _>>()?).build()?))
}

fn text(name: &str) -> Result<TypePtr, ParquetError> {
    let text = Type::primitive_type_builder(name, Physical::BYTE_ARRAY)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type(Some(LogicalType::String));
    Ok(Arc::new(text.build()?))
}

/// A list of the standard three levels: `optional group name (LIST) { repeated group list { element } }`.
fn texts(name: &str) -> Result<TypePtr, ParquetError> {
    let list = Type::group_type_builder("list")
        .with_repetition(Repetition::REPEATED)
        .with_fields(vec![text("element")?])
        .build()?;
    let outer = Type::group_type_builder(name)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type(Some(LogicalType::List))
        .with_fields(vec![Arc::new(list)]);
    Ok(Arc::new(outer.build()?))
}

fn put(
    group: &mut SerializedRowGroupWriter<'_, &mut Vec<u8>>,
    rows: &[Row],
    column: &Column,
) -> Result<(), ParquetError> {
    let Some(mut writer) = group.next_column()? else {
        return Err(ParquetError::General("the schema has fewer columns than the table of columns".into()));
    };
    let present = vec![1; rows.len()];
    match column {
        Column::Text(of) => {
            let values: Vec<ByteArray> = rows.iter().map(|r| ByteArray::from(of(r).into_bytes())).collect();
            writer.typed::<ByteArrayType>().write_batch(&values, Some(&present), None)?;
        }
        Column::Number(of) => {
            let values: Vec<i64> = rows.iter().map(|r| i64::try_from(of(r)).unwrap_or(i64::MAX)).collect();
            writer.typed::<Int64Type>().write_batch(&values, Some(&present), None)?;
        }
        Column::Texts(of) => {
            let (values, definition, repetition) = levels(rows, *of);
            writer.typed::<ByteArrayType>().write_batch(&values, Some(&definition), Some(&repetition))?;
        }
    }
    writer.close()
}

/// Values with their levels: an element of a list is defined to level 3, an empty list to level 1;
/// the first entry of each row repeats at level 0, the others at level 1.
fn levels(rows: &[Row], of: fn(&Row) -> &[String]) -> (Vec<ByteArray>, Vec<i16>, Vec<i16>) {
    let (mut values, mut definition, mut repetition) = (Vec::new(), Vec::new(), Vec::new());
    for row in rows {
        let list = of(row);
        if list.is_empty() {
            definition.push(1);
            repetition.push(0);
        }
        for (i, text) in list.iter().enumerate() {
            values.push(ByteArray::from(text.as_bytes().to_vec()));
            definition.push(3);
            repetition.push(i16::from(i > 0));
        }
    }
    (values, definition, repetition)
}
