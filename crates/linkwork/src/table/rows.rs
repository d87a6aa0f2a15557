//! Rows one after another, from memory or from the file that they grew in.

use super::{Table, stream};
use linkwork_dae::system::Channel;
use std::fs::File;
use std::io::{self, BufReader, Error, ErrorKind, Read};
use std::path::Path;

/// Numbers that are turned round at a time.
const BLOCK: usize = 1 << 21;

/// The rows of a table in their order, each with its time first.
pub struct Rows<'a> {
    channels: &'a [Channel],
    count: usize,
    taken: usize,
    source: Source<'a>,
}

enum Source<'a> {
    Table(&'a Table),
    Numbers(BufReader<File>),
}

impl<'a> Rows<'a> {
    /// The rows of a table.
    pub fn of(table: &'a Table) -> Rows<'a> {
        Rows {
            channels: table.channels(),
            count: table.times().len(),
            taken: 0,
            source: Source::Table(table),
        }
    }

    /// The whole rows of a file of numbers.
    pub(crate) fn of_file(path: &Path, channels: &'a [Channel]) -> io::Result<Rows<'a>> {
        let (numbers, columns, count) = stream::numbers(path)?;
        let wanted = channels.len() + 1;
        if columns != wanted {
            let why = format!("it has {columns} columns, not {wanted}");
            return Err(Error::new(ErrorKind::InvalidData, why));
        }
        Ok(Rows {
            channels,
            count,
            taken: 0,
            source: Source::Numbers(numbers),
        })
    }

    /// What the columns behind the times are.
    pub fn channels(&self) -> &'a [Channel] {
        self.channels
    }

    /// Names of all columns.
    pub(super) fn names(&self) -> impl Iterator<Item = &'a str> {
        let names = self.channels.iter().map(|c| c.name.as_str());
        std::iter::once("t").chain(names)
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Hands the next row over; false behind the last one.
    pub(super) fn next(&mut self, row: &mut [f64]) -> io::Result<bool> {
        if self.taken == self.count {
            return Ok(false);
        }
        match &mut self.source {
            Source::Table(table) => {
                row[0] = table.times[self.taken];
                for (value, column) in row[1..].iter_mut().zip(&table.columns) {
                    *value = column[self.taken];
                }
            }
            Source::Numbers(file) => {
                let mut word = [0; 8];
                for value in row {
                    file.read_exact(&mut word)?;
                    *value = f64::from_le_bytes(word);
                }
            }
        }
        self.taken += 1;
        Ok(true)
    }

    /// Hands all rows over, one by one: the time and the values of the channels.
    pub(crate) fn each(mut self, mut take: impl FnMut(f64, &[f64])) -> io::Result<()> {
        let mut row = vec![0.0; self.channels.len() + 1];
        while self.next(&mut row)? {
            take(row[0], &row[1..]);
        }
        Ok(())
    }

    /// Hands so many of the next rows over as memory should hold, turned into columns; false behind the last.
    pub(super) fn next_columns(&mut self, columns: &mut Vec<Vec<f64>>) -> io::Result<bool> {
        let width = self.channels.len() + 1;
        columns.resize_with(width, Vec::new);
        columns.iter_mut().for_each(Vec::clear);
        let mut row = vec![0.0; width];
        for _ in 0..(BLOCK / width).max(1) {
            if !self.next(&mut row)? {
                break;
            }
            for (column, value) in columns.iter_mut().zip(&row) {
                column.push(*value);
            }
        }
        Ok(!columns[0].is_empty())
    }
}
