//! Tables from the files that a run has written.

use super::stream::{self, Stream};
use super::{CHANNELS_FILE, FORMATS, Table, parquet_file};
use linkwork_dae::system::Channel;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// A table that could not be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {}: {why}", path.display())]
pub struct ReadError {
    /// The file or directory.
    pub path: PathBuf,
    /// Why not.
    pub why: String,
}

/// Reads a table from a directory of results, or from a file of any [format](FORMATS) in one. Units come from the
/// list of channels beside it.
pub fn read(path: &Path) -> Result<Table, ReadError> {
    let fail = |path: &Path, why: String| ReadError {
        path: path.to_path_buf(),
        why,
    };
    let file = if path.is_dir() {
        let formats = FORMATS.iter().map(|f| f.file);
        let mut files =
            (formats.clone().chain([Stream::Numbers.file()])).map(|name| path.join(name));
        files.find(|file| file.is_file()).ok_or_else(|| {
            let names: Vec<&str> = formats.collect();
            fail(path, format!("there is none of {} in it", names.join(", ")))
        })?
    } else {
        path.to_path_buf()
    };
    let units = file.parent().map(units).unwrap_or_default();
    let extension = file.extension().and_then(|e| e.to_str());
    let columns = match extension {
        Some("npz") => archive(&file),
        Some("parquet") => parquet_file::read(&file),
        Some("rows") => rows(&file),
        _ => csv(&file),
    };
    let columns = columns.map_err(|why| fail(&file, why))?;
    table(columns, &units).map_err(|why| fail(&file, why))
}

type Columns = Vec<(String, Vec<f64>)>;

fn table(mut columns: Columns, units: &HashMap<String, String>) -> Result<Table, String> {
    if columns.is_empty() || columns[0].0 != "t" {
        return Err("its first column is not `t`".into());
    }
    let times = columns.remove(0).1;
    let named = |(name, _): &(String, Vec<f64>)| {
        let unit = units.get(name).cloned().unwrap_or_default();
        Channel::new(name.clone(), unit)
    };
    let channels: Vec<Channel> = columns.iter().map(named).collect();
    if columns
        .iter()
        .any(|(_, values)| values.len() != times.len())
    {
        return Err("its columns differ in length".into());
    }
    Ok(Table {
        channels,
        times,
        columns: columns.into_iter().map(|(_, values)| values).collect(),
    })
}

fn units(folder: &Path) -> HashMap<String, String> {
    let Ok(file) = File::open(folder.join(CHANNELS_FILE)) else {
        return HashMap::new();
    };
    let mut reader = csv::Reader::from_reader(BufReader::new(file));
    let rows = reader.records().flatten();
    rows.filter_map(|r| Some((r.get(0)?.to_string(), r.get(1)?.to_string())))
        .collect()
}

/// Rows as numbers; their names are beside them.
fn rows(path: &Path) -> Result<Columns, String> {
    let columns = stream::read(path).map_err(words)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let list = csv::Reader::from_path(folder.join(CHANNELS_FILE));
    let mut list = list.map_err(|_| format!("there is no {CHANNELS_FILE} beside it"))?;
    let names = list.records().flatten();
    let names: Vec<String> = names.filter_map(|r| Some(r.get(0)?.to_string())).collect();
    if names.len() != columns.len() {
        return Err(format!(
            "{CHANNELS_FILE} beside it does not name its columns"
        ));
    }
    Ok(names.into_iter().zip(columns).collect())
}

fn csv(path: &Path) -> Result<Columns, String> {
    let mut file = File::open(path).map_err(words)?;
    // a line that was being written when everything ended is no row
    let whole = whole_lines(&mut file).map_err(words)?;
    let mut reader = csv::Reader::from_reader(BufReader::new(file.take(whole)));
    let head = reader.headers().map_err(|e| e.to_string())?;
    let mut columns: Columns = head.iter().map(|h| (h.to_string(), Vec::new())).collect();
    for record in reader.records() {
        let record = record.map_err(|e| e.to_string())?;
        for ((_, column), field) in columns.iter_mut().zip(&record) {
            let value: Result<f64, _> = field.trim().parse();
            column.push(value.map_err(|_| format!("`{field}` is no number"))?);
        }
    }
    Ok(columns)
}

/// Length of a text up to the end of its last line; of all of it where it is a single one. The text is left at
/// its beginning.
fn whole_lines(file: &mut File) -> io::Result<u64> {
    let length = file.metadata()?.len();
    let mut end = length;
    let mut block = vec![0; 4096];
    let whole = loop {
        let from = end.saturating_sub(block.len() as u64);
        let some = &mut block[..(end - from) as usize];
        file.seek(SeekFrom::Start(from))?;
        file.read_exact(some)?;
        match some.iter().rposition(|b| *b == b'\n') {
            Some(i) => break from + i as u64 + 1,
            None if from == 0 => break length,
            None => end = from,
        }
    };
    file.seek(SeekFrom::Start(0))?;
    Ok(whole)
}

/// Arrays of doubles from an archive of stored entries, as this program and `numpy.savez` write them.
fn archive(path: &Path) -> Result<Columns, String> {
    let bytes = fs::read(path).map_err(words)?;
    let word = |at: usize, n: usize| -> Option<usize> {
        let part = bytes.get(at..at + n)?;
        Some(part.iter().rev().fold(0, |x, b| x << 8 | usize::from(*b)))
    };
    let mut columns = Vec::new();
    let mut at = 0;
    while bytes.get(at..at + 4) == Some(b"PK\x03\x04") {
        let entry = || -> Option<(String, Vec<f64>, usize)> {
            let (size, name, extra) = (word(at + 18, 4)?, word(at + 26, 2)?, word(at + 28, 2)?);
            if word(at + 8, 2)? != 0 {
                return None;
            }
            let text = std::str::from_utf8(bytes.get(at + 30..at + 30 + name)?).ok()?;
            let begin = at + 30 + name + extra;
            let data = bytes.get(begin..begin + size)?;
            let text = text.strip_suffix(".npy")?.to_string();
            Some((text, npy(data)?, begin + size))
        };
        let (name, values, next) =
            entry().ok_or("an entry is not a plain array of doubles, stored as it is")?;
        columns.push((name, values));
        at = next;
    }
    let time = columns.iter().position(|(name, _)| name == "t");
    columns.rotate_left(time.unwrap_or(0));
    Ok(columns)
}

fn npy(data: &[u8]) -> Option<Vec<f64>> {
    if data.get(..6)? != b"\x93NUMPY" || *data.get(6)? != 1 {
        return None;
    }
    let length = usize::from(*data.get(8)?) | usize::from(*data.get(9)?) << 8;
    let header = std::str::from_utf8(data.get(10..10 + length)?).ok()?;
    if !header.contains("'<f8'") {
        return None;
    }
    let (values, []) = data.get(10 + length..)?.as_chunks::<8>() else {
        return None;
    };
    Some(values.iter().map(|b| f64::from_le_bytes(*b)).collect())
}

fn words(e: io::Error) -> String {
    e.to_string()
}

#[cfg(test)]
mod tests {
    use super::super::Rows;
    use super::*;

    #[test]
    fn what_is_written_comes_back() {
        let mut table = Table::new(&[Channel::new("odd, name", "N m"), Channel::new("b", "")]);
        for (i, v) in [1.0 / 3.0, 5e-324, f64::MAX, -0.0, 1e-5].iter().enumerate() {
            table.push(i as f64 * 0.1, &[*v, 1.0]);
        }
        let dir = std::env::temp_dir().join(format!("linkwork-reader-{}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        let mut units = Vec::new();
        super::super::write_channels(&table, &mut units).unwrap();
        fs::write(dir.join(CHANNELS_FILE), units).unwrap();
        for format in FORMATS {
            let path = dir.join(format.file);
            let mut file = File::create(&path).unwrap();
            (format.write)(&mut Rows::of(&table), &mut file).unwrap();
            let bytes = fs::read(&path).unwrap();
            assert_eq!(read(&path).unwrap(), table, "{}", format.name);
            // any part of a file is refused or gives no more than it has
            for n in (0..bytes.len()).step_by(7) {
                fs::write(&path, &bytes[..n]).unwrap();
                let _ = read(&path);
            }
            fs::write(&path, &bytes).unwrap();
        }
        for format in FORMATS {
            assert_eq!(read(&dir).unwrap(), table);
            fs::remove_file(dir.join(format.file)).unwrap();
        }
        fs::remove_dir_all(&dir).unwrap();
        assert!(read(&dir).is_err());
    }
}
