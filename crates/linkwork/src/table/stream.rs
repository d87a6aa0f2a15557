//! Tables that grow by rows: text, or plain numbers row by row.
//!
//! ```text
//!  table.rows   "LWROWS1\n", number of columns, then t and the channels of each row; 64 bits each, little endian
//! ```
//!
//! A row that was being written when everything ended is no row: whoever reads leaves it out.

use super::{FormatEntry, csv_file};
use linkwork_dae::system::Channel;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

/// First bytes of a file of numbers.
const MAGIC: &[u8; 8] = b"LWROWS1\n";
/// Length of its header.
pub(super) const HEADER: usize = 16;

/// A form of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Lines of csv.
    Csv,
    /// Numbers.
    Numbers,
}

impl Stream {
    /// Name of the file.
    pub fn file(self) -> &'static str {
        match self {
            Stream::Csv => csv_file::FILE,
            Stream::Numbers => "table.rows",
        }
    }

    /// Whether a format is this, or is made of it.
    pub fn serves(self, format: &FormatEntry) -> bool {
        format.grows == (self == Stream::Csv)
    }

    /// What the file begins with.
    pub fn header(self, channels: &[Channel]) -> Vec<u8> {
        match self {
            Stream::Csv => csv_file::header(channels),
            Stream::Numbers => {
                let columns = (channels.len() as u64 + 1).to_le_bytes();
                [&MAGIC[..], &columns].concat()
            }
        }
    }

    /// Appends a row.
    pub fn put(self, t: f64, values: &[f64], out: &mut Vec<u8>) {
        match self {
            Stream::Csv => csv_file::line(t, values, out),
            Stream::Numbers => {
                out.extend_from_slice(&t.to_le_bytes());
                for value in values {
                    out.extend_from_slice(&value.to_le_bytes());
                }
            }
        }
    }

    /// Length of a file up to its last row that is not after `t`; `None` where it is no such file of these
    /// channels.
    pub fn length_until(
        self,
        path: &Path,
        channels: &[Channel],
        t: f64,
    ) -> io::Result<Option<u64>> {
        let Ok(mut file) = File::open(path) else {
            return Ok(None);
        };
        let header = self.header(channels);
        let mut found = vec![0; header.len()];
        if file.read_exact(&mut found).is_err() || found != header {
            return Ok(None);
        }
        match self {
            Stream::Csv => lines_until(file, header.len() as u64, t).map(Some),
            Stream::Numbers => rows_until(file, channels.len() + 1, t).map(Some),
        }
    }
}

fn lines_until(file: File, mut length: u64, t: f64) -> io::Result<u64> {
    let mut lines = BufReader::new(file);
    let mut line = Vec::new();
    loop {
        line.clear();
        let n = lines.read_until(b'\n', &mut line)?;
        let text = std::str::from_utf8(&line).unwrap_or_default();
        let time = text
            .split(',')
            .next()
            .and_then(|t| t.trim().parse::<f64>().ok());
        match time {
            Some(time) if line.ends_with(b"\n") && time <= t => length += n as u64,
            _ => return Ok(length),
        }
    }
}

fn rows_until(mut file: File, columns: usize, t: f64) -> io::Result<u64> {
    let each = 8 * columns as u64;
    let rows = (file.metadata()?.len() - HEADER as u64) / each;
    let mut time = |row: u64| -> io::Result<f64> {
        let mut word = [0; 8];
        file.seek(SeekFrom::Start(HEADER as u64 + row * each))?;
        file.read_exact(&mut word)?;
        Ok(f64::from_le_bytes(word))
    };
    // rows are in the order of time
    let (mut low, mut high) = (0, rows);
    while low < high {
        let middle = low + (high - low) / 2;
        if time(middle)? <= t {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    Ok(HEADER as u64 + low * each)
}

/// A file of numbers from its beginning, and how many columns and whole rows it has.
pub(super) fn numbers(path: &Path) -> io::Result<(BufReader<File>, usize, usize)> {
    let mut file = File::open(path)?;
    let mut header = [0; HEADER];
    let bad = |why: &str| io::Error::new(io::ErrorKind::InvalidData, why);
    file.read_exact(&mut header)?;
    let (magic, columns) = header.split_at(8);
    let mut word = [0; 8];
    word.copy_from_slice(columns);
    let columns = u64::from_le_bytes(word);
    if magic != MAGIC || columns == 0 || columns > u64::from(u32::MAX) {
        return Err(bad("it is no file of rows"));
    }
    let rows = (file.metadata()?.len() - HEADER as u64) / (8 * columns);
    Ok((
        BufReader::with_capacity(1 << 20, file),
        columns as usize,
        rows as usize,
    ))
}

/// The columns of a file of numbers, times first.
pub(super) fn read(path: &Path) -> io::Result<Vec<Vec<f64>>> {
    let (mut file, columns, rows) = numbers(path)?;
    let mut all = vec![Vec::with_capacity(rows); columns];
    let mut word = [0; 8];
    for _ in 0..rows {
        for column in &mut all {
            file.read_exact(&mut word)?;
            column.push(f64::from_le_bytes(word));
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Table;
    use std::fs;

    /// Whatever the instant at which everything ended, the rows that are whole are there.
    #[test]
    fn any_beginning_of_a_file_has_its_whole_rows() {
        let channels = [Channel::new("a, b", "m"), Channel::new("c", "")];
        let dir = std::env::temp_dir().join(format!("linkwork-stream-{}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        let mut names = Vec::new();
        let empty = Table::new(&channels);
        super::super::write_channels(&empty, &mut names).unwrap();
        fs::write(dir.join(super::super::CHANNELS_FILE), names).unwrap();
        for stream in [Stream::Csv, Stream::Numbers] {
            let mut bytes = stream.header(&channels);
            let mut ends = vec![bytes.len()];
            for i in 0..20 {
                let t = 0.1 * f64::from(i);
                stream.put(t, &[t.sin(), -1e-7 / 3.0 * t], &mut bytes);
                ends.push(bytes.len());
            }
            let path = dir.join(stream.file());
            for n in ends[0]..=bytes.len() {
                fs::write(&path, &bytes[..n]).unwrap();
                let table = super::super::read(&path).unwrap();
                let whole = ends.iter().filter(|end| **end <= n).count() - 1;
                assert_eq!(table.times().len(), whole, "{stream:?} {n}");
                assert_eq!(table.channels(), channels);
                if whole > 0 {
                    let t = 0.1 * (whole - 1) as f64;
                    assert_eq!(table.columns()[0][whole - 1].to_bits(), t.sin().to_bits());
                }
                // and goes on where it is told to
                let until = stream
                    .length_until(&path, &channels, 1.05)
                    .unwrap()
                    .unwrap();
                assert_eq!(until as usize, ends[whole.min(11)], "{stream:?} {n}");
            }
            assert_eq!(
                stream.length_until(&path, &channels[..1], 1.0).unwrap(),
                None
            );
            fs::remove_file(&path).unwrap();
        }
        fs::remove_dir_all(&dir).unwrap();
    }
}
