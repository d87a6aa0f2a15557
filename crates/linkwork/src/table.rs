//! Results as columns over time, and the files they are written to.
//!
//! ```text
//!  DIR/table.csv      first column t, one column per channel, a header with names
//!  DIR/table.npz      one array per channel, and t
//!  DIR/table.parquet  one column per channel, and t
//!  DIR/table.rows     numbers row by row, until they become table.npz or table.parquet
//!  DIR/channels.csv   name and unit of every column
//!  DIR/summary.json   the verdict and the counters
//! ```

mod csv_file;
mod npz;
mod parquet_file;
mod reader;
mod rows;
pub(crate) mod stream;

pub use reader::{ReadError, read};
pub use rows::Rows;

use linkwork_dae::system::Channel;
use std::fs::File;
use std::io::{self, Write};

/// Values of all channels at the kept points of a motion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    channels: Vec<Channel>,
    times: Vec<f64>,
    columns: Vec<Vec<f64>>,
}

impl Table {
    /// An empty table.
    pub fn new(channels: &[Channel]) -> Table {
        Table {
            channels: channels.to_vec(),
            times: Vec::new(),
            columns: vec![Vec::new(); channels.len()],
        }
    }

    /// Makes room for this many further rows.
    pub fn reserve(&mut self, rows: usize) {
        self.times.reserve(rows);
        for column in &mut self.columns {
            column.reserve(rows);
        }
    }

    /// Appends a row; missing values become NaN, surplus ones are dropped.
    pub fn push(&mut self, t: f64, row: &[f64]) {
        self.times.push(t);
        for (i, column) in self.columns.iter_mut().enumerate() {
            column.push(row.get(i).copied().unwrap_or(f64::NAN));
        }
    }

    /// Keeps every second row, the first among them.
    pub fn thin(&mut self) {
        let halve = |column: &mut Vec<f64>| {
            let mut i = 0;
            column.retain(|_| {
                i += 1;
                i % 2 == 1
            });
        };
        halve(&mut self.times);
        self.columns.iter_mut().for_each(halve);
    }

    /// Removes the rows after `t`.
    pub fn forget_after(&mut self, t: f64) {
        let rows = self.times.partition_point(|time| *time <= t);
        self.times.truncate(rows);
        for column in &mut self.columns {
            column.truncate(rows);
        }
    }

    /// Names and units of the columns.
    pub fn channels(&self) -> &[Channel] {
        &self.channels
    }

    /// Times of the rows.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// Columns in the order of the channels.
    pub fn columns(&self) -> &[Vec<f64>] {
        &self.columns
    }

    /// The column of a channel.
    pub fn column(&self, name: &str) -> Option<&[f64]> {
        let i = self.channels.iter().position(|c| c.name == name)?;
        Some(&self.columns[i])
    }

    /// Hands the times over; the table has none until they are [put](Table::put_times) back.
    pub fn take_times(&mut self) -> Vec<f64> {
        std::mem::take(&mut self.times)
    }

    /// Hands the column of a number over; it is empty until it is [put](Table::put_column) back.
    pub fn take_column(&mut self, i: usize) -> Vec<f64> {
        self.columns
            .get_mut(i)
            .map(std::mem::take)
            .unwrap_or_default()
    }

    /// Puts times in their place.
    pub fn put_times(&mut self, times: Vec<f64>) {
        self.times = times;
    }

    /// Puts the column of a number in its place.
    pub fn put_column(&mut self, i: usize, values: Vec<f64>) {
        if let Some(column) = self.columns.get_mut(i) {
            *column = values;
        }
    }

    /// Values of the last row by channel; empty when there is no row.
    pub fn last(&self) -> impl Iterator<Item = (&str, f64)> {
        self.channels
            .iter()
            .zip(&self.columns)
            .filter_map(|(c, column)| Some((c.name.as_str(), *column.last()?)))
    }
}

/// A file format for tables.
pub struct FormatEntry {
    /// Name on the command line.
    pub name: &'static str,
    /// One line for lists.
    pub summary: &'static str,
    /// Name of the file in the result directory.
    pub file: &'static str,
    /// Whether its file can grow by rows. If not, it is made when all of them are there.
    pub grows: bool,
    /// Writes rows.
    pub write: fn(&mut Rows<'_>, &mut File) -> io::Result<()>,
}

/// Every file format.
pub static FORMATS: &[FormatEntry] = &[
    FormatEntry {
        name: "csv",
        summary: "comma-separated text, one row per kept point",
        file: csv_file::FILE,
        grows: true,
        write: csv_file::write,
    },
    FormatEntry {
        name: "npz",
        summary: "NumPy archive, one array per channel: numpy.load",
        file: npz::FILE,
        grows: false,
        write: npz::write,
    },
    FormatEntry {
        name: "parquet",
        summary: "Apache Parquet, one column per channel: pandas.read_parquet, polars, DuckDB",
        file: parquet_file::FILE,
        grows: false,
        write: parquet_file::write,
    },
];

/// Name of the file that holds the units of the columns.
pub const CHANNELS_FILE: &str = "channels.csv";

/// Writes names and units of the columns, time first.
pub fn write_channels(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    csv_file::write_channels(table, out)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes of a table in a format.
    pub(super) fn written(table: &Table, format: &str) -> Vec<u8> {
        let entry = FORMATS.iter().find(|f| f.name == format).unwrap();
        let name = format!("linkwork-table-{}-{}", std::process::id(), entry.file);
        let path = std::env::temp_dir().join(name);
        (entry.write)(&mut Rows::of(table), &mut File::create(&path).unwrap()).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        bytes
    }

    #[test]
    fn rows_become_columns() {
        let mut t = Table::new(&[Channel::new("a", "m"), Channel::new("b", "")]);
        assert_eq!(t.last().count(), 0);
        t.push(0.0, &[1.0, 2.0]);
        t.push(0.5, &[3.0]);
        assert_eq!(t.column("a"), Some(&[1.0, 3.0][..]));
        let last: Vec<_> = t.last().collect();
        assert_eq!(last[0], ("a", 3.0));
        assert!(last[1].1.is_nan());
        assert_eq!(t.column("c"), None);
    }
}
