//! Comma-separated text. Numbers are written with as many digits as it takes to read back the
//! same bits; units are in a file of their own, so that every reader of csv gets plain numbers.

use super::{Rows, Table};
use linkwork_dae::system::Channel;
use std::fs::File;
use std::io::{self, BufWriter, Write};

/// Name of the file.
pub(super) const FILE: &str = "table.csv";

/// Writes a header with names and one row per time.
pub(super) fn write(rows: &mut Rows<'_>, out: &mut File) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    out.write_all(&header(rows.channels()))?;
    let mut row = vec![0.0; rows.channels().len() + 1];
    let mut text = Vec::new();
    while rows.next(&mut row)? {
        text.clear();
        line(row[0], &row[1..], &mut text);
        out.write_all(&text)?;
    }
    out.flush()
}

/// The line of names; those with commas or quotes are quoted.
pub(super) fn header(channels: &[Channel]) -> Vec<u8> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    let names = channels.iter().map(|c| c.name.as_str());
    // memory takes everything
    let _ = csv.write_record(std::iter::once("t").chain(names));
    csv.into_inner().unwrap_or_default()
}

/// Appends the line of a row.
pub(super) fn line(t: f64, values: &[f64], out: &mut Vec<u8>) {
    number(t, out);
    for value in values {
        out.push(b',');
        number(*value, out);
    }
    out.push(b'\n');
}

/// Writes names and units.
pub(super) fn write_channels(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(["name", "unit"])?;
    csv.write_record(["t", "s"])?;
    for channel in table.channels() {
        csv.write_record([&channel.name, &channel.unit])?;
    }
    csv.flush()
}

/// The shortest text that reads back to the same number; very large and small ones with exponent.
fn number(x: f64, out: &mut Vec<u8>) {
    let size = x.abs();
    // memory takes everything
    let _ = if x == 0.0 || (1e-4..1e9).contains(&size) || !x.is_finite() {
        write!(out, "{x}")
    } else {
        write!(out, "{x:e}")
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_survive_and_names_are_quoted_where_needed() {
        let mut table = Table::new(&[Channel::new("odd, name", "N m"), Channel::new("b", "")]);
        let values = [1.0 / 3.0, 5e-324, f64::MAX, -0.0, f64::NAN, 1e-5];
        for (i, v) in values.iter().enumerate() {
            table.push(i as f64 * 0.1, &[*v, 1.0]);
        }
        let bytes = super::super::tests::written(&table, "csv");
        let mut reader = csv::Reader::from_reader(&bytes[..]);
        assert_eq!(&reader.headers().unwrap()[1], "odd, name");
        for (record, v) in reader.records().zip(values) {
            let read: f64 = record.unwrap()[1].parse().unwrap();
            assert!(read.to_bits() == v.to_bits() || (read.is_nan() && v.is_nan()));
        }
        let mut units = Vec::new();
        write_channels(&table, &mut units).unwrap();
        assert_eq!(units, b"name,unit\nt,s\n\"odd, name\",N m\nb,\n");
    }
}
