//! Results on disk: one directory per run.

use crate::events::{self, EVENTS_FILE};
use crate::run::Run;
use crate::summary::{SUMMARY_FILE, Summary};
use crate::table::{CHANNELS_FILE, FORMATS, FormatEntry, write_channels};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Name of the model text among its results.
pub const MODEL_FILE: &str = "model.toml";

/// A result that could not be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {source}", path.display())]
pub struct StoreError {
    /// The file or directory.
    pub path: PathBuf,
    /// What the system says.
    pub source: io::Error,
}

/// Writes tables in the given formats, the units of their columns and the summary; returns the
/// paths written. The directory is made when it does not exist. What it holds belongs to one run: the
/// summary and the tables of an older one go first, so that whatever interrupts this leaves no verdict beside
/// rows that it does not speak of.
pub fn store(run: &Run, dir: &Path, formats: &[&FormatEntry]) -> Result<Vec<String>, StoreError> {
    fs::create_dir_all(dir).map_err(|source| StoreError {
        path: dir.to_path_buf(),
        source,
    })?;
    let name = |file: &str| dir.join(file).display().to_string();
    let mut files: Vec<String> = formats.iter().map(|f| name(f.file)).collect();
    files.push(name(CHANNELS_FILE));
    files.push(name(SUMMARY_FILE));
    let tables = FORMATS.iter().map(|f| f.file);
    for old in [SUMMARY_FILE, EVENTS_FILE].into_iter().chain(tables) {
        remove(&dir.join(old))?;
    }
    for format in formats {
        write(dir, format.file, |out| (format.write)(&run.table, out))?;
    }
    write(dir, CHANNELS_FILE, |out| write_channels(&run.table, out))?;
    if !run.events.happenings.is_empty() {
        write(dir, EVENTS_FILE, |out| events::write(&run.events, out))?;
        files.push(name(EVENTS_FILE));
    }
    write_summary(run, dir, &files)?;
    Ok(files)
}

/// Writes the summary of a run with the files that belong to it.
pub fn write_summary(run: &Run, dir: &Path, files: &[String]) -> Result<(), StoreError> {
    let summary = Summary::new(run, files).to_json_pretty();
    write(dir, SUMMARY_FILE, |out| writeln!(out, "{summary}"))
}

fn remove(path: &Path) -> Result<(), StoreError> {
    match fs::remove_file(path) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => Err(StoreError {
            path: path.to_path_buf(),
            source,
        }),
        _ => Ok(()),
    }
}

/// Writes one file of a directory, under another name until it is whole.
pub fn write(
    dir: &Path,
    file: &str,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), StoreError> {
    let path = dir.join(file);
    let beside = dir.join(format!("{file}.part"));
    let result = File::create(&beside).and_then(|f| {
        let mut out = BufWriter::new(f);
        fill(&mut out)?;
        out.flush()?;
        fs::rename(&beside, &path)
    });
    if result.is_err() {
        // what is left of it is of no use
        let _ = fs::remove_file(&beside);
    }
    result.map_err(|source| StoreError { path, source })
}
