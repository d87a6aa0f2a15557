//! Results on disk: one directory per run.

mod live;
pub(crate) mod manifest;

pub use live::Live;
pub use manifest::{MANIFEST_FILE, Manifest};

use crate::run::Run;
use crate::summary::{SUMMARY_FILE, Summary};
use crate::table::{FormatEntry, Rows};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Name of the model text among its results.
pub const MODEL_FILE: &str = "model.toml";

/// The directory of results of a model where the user names none. A checkpoint that a model names goes there, too.
pub fn results_dir(model: &str) -> PathBuf {
    PathBuf::from("out").join(file_name(model))
}

/// A model name as the name of a file.
pub fn file_name(model: &str) -> String {
    let safe = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    let kept = model.chars().map(|c| if safe(c) { c } else { '_' });
    kept.collect()
}

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
/// paths written. The directory is made when it does not exist. What it holds belongs to one run: what an older
/// one has left goes.
pub fn store(
    run: &Run,
    dir: &Path,
    formats: &[&'static FormatEntry],
) -> Result<Vec<String>, StoreError> {
    let manifest = Manifest::new("run", &run.model, 0, &run.options);
    Live::new(dir, formats, run.table.channels(), manifest)?.replay(run)
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
    make(dir, file, |f| {
        let mut out = BufWriter::new(f);
        fill(&mut out)?;
        out.flush()
    })
}

/// Writes rows as one file of a directory, under another name until it is whole.
pub(crate) fn write_rows(
    dir: &Path,
    file: &str,
    format: &FormatEntry,
    rows: io::Result<Rows<'_>>,
) -> Result<(), StoreError> {
    make(dir, file, |f| (format.write)(&mut rows?, f))
}

fn make(
    dir: &Path,
    file: &str,
    fill: impl FnOnce(&mut File) -> io::Result<()>,
) -> Result<(), StoreError> {
    let path = dir.join(file);
    let beside = dir.join(format!("{file}.part"));
    let result = File::create(&beside).and_then(|mut f| {
        fill(&mut f)?;
        fs::rename(&beside, &path)
    });
    if result.is_err() {
        // what is left of it is of no use
        let _ = fs::remove_file(&beside);
    }
    result.map_err(|source| StoreError { path, source })
}
