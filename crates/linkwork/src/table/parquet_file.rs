//! Apache Parquet: one column of doubles per channel, and `t`; units of the columns in its metadata.
//!
//! Plain and uncompressed: doubles of a motion hardly shrink, and equal results are equal files.

use super::rows::Rows;
use parquet::basic::{Repetition, Type as Physical};
use parquet::column::reader::ColumnReader;
use parquet::data_type::DoubleType;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Name of the file.
pub(super) const FILE: &str = "table.parquet";
/// Key of the units, an object of JSON by name of the column.
const UNITS: &str = "units";

/// Writes all rows, in groups of as many as memory should hold.
pub(super) fn write(rows: &mut Rows<'_>, out: &mut File) -> io::Result<()> {
    put(rows, out).map_err(io::Error::other)
}

fn put(rows: &mut Rows<'_>, out: &mut File) -> Result<(), ParquetError> {
    let column = |name: &str| {
        let double = Type::primitive_type_builder(name, Physical::DOUBLE);
        Ok(Arc::new(
            double.with_repetition(Repetition::REQUIRED).build()?,
        ))
    };
    let columns: Result<Vec<_>, ParquetError> = rows.names().map(column).collect();
    let schema = Type::group_type_builder("table").with_fields(columns?);
    let seconds = std::iter::once(("t", "s"));
    let named = (rows.channels().iter()).map(|c| (c.name.as_str(), c.unit.as_str()));
    let units: serde_json::Map<_, _> = (seconds.chain(named))
        .map(|(name, unit)| (name.to_string(), unit.into()))
        .collect();
    let units = KeyValue::new(UNITS.into(), serde_json::Value::from(units).to_string());
    let plain = WriterProperties::builder()
        .set_dictionary_enabled(false)
        .set_statistics_enabled(EnabledStatistics::None)
        .set_key_value_metadata(Some(vec![units]))
        .build();
    let mut file = SerializedFileWriter::new(out, Arc::new(schema.build()?), Arc::new(plain))?;
    let mut block = Vec::new();
    while rows.next_columns(&mut block)? {
        let mut group = file.next_row_group()?;
        for values in &block {
            if let Some(mut column) = group.next_column()? {
                let typed = column.typed::<DoubleType>();
                typed.write_batch(values, None, None)?;
                column.close()?;
            }
        }
        group.close()?;
    }
    file.close()?;
    Ok(())
}

/// The columns of a file with their names: those of doubles, as they are all in a table of a run.
pub(super) fn read(path: &Path) -> Result<Vec<(String, Vec<f64>)>, String> {
    let file = File::open(path).map_err(|e| e.to_string())?;
    columns(file).map_err(|e| e.to_string())
}

fn columns(file: File) -> Result<Vec<(String, Vec<f64>)>, ParquetError> {
    let file = SerializedFileReader::new(file)?;
    let schema = file.metadata().file_metadata().schema_descr();
    let names = schema.columns().iter().map(|c| c.name().to_string());
    let mut columns: Vec<(String, Vec<f64>)> = names.map(|name| (name, Vec::new())).collect();
    for i in 0..file.num_row_groups() {
        let group = file.get_row_group(i)?;
        for (k, (name, values)) in columns.iter_mut().enumerate() {
            let ColumnReader::DoubleColumnReader(mut column) = group.get_column_reader(k)? else {
                let why = format!("column `{name}` does not hold doubles");
                return Err(ParquetError::General(why));
            };
            if column.read_records(usize::MAX, None, None, values)?.1 == 0 {
                break;
            }
        }
    }
    Ok(columns)
}
