//! Rows on their way to disk while a run goes on, so that whatever ends the program leaves the rows so far.
//!
//! ```text
//!  DIR/manifest.json   which run this is, and whether it is over
//!  DIR/table.csv       grows by whole lines
//!  DIR/table.rows      rows as numbers, until table.npz or table.parquet is made of them
//! ```
//!
//! Rows wait in memory for a second or [`BLOCK`] bytes at most. Archives of columns cannot grow by rows: their
//! numbers are kept row by row and turned round, block by block, when the run is over. A folder with such rows
//! is read like any other.

use super::manifest::{MANIFEST_FILE, Manifest, clear};
use super::{MODEL_FILE, StoreError, write, write_rows};
use crate::attempts::{self, STEPS_FILE};
use crate::events::{self, EVENTS_FILE};
use crate::observe::Sink;
use crate::run::Run;
use crate::summary::SUMMARY_FILE;
use crate::table::stream::Stream;
use crate::table::{self, CHANNELS_FILE, FORMATS, FormatEntry, Rows, write_channels};
use linkwork_dae::system::Channel;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Bytes that wait.
const BLOCK: usize = 1 << 16;
/// Time that they wait.
const PATIENCE: Duration = Duration::from_secs(1);

/// The folder of a run that goes on.
pub struct Live {
    dir: PathBuf,
    formats: Vec<&'static FormatEntry>,
    channels: Vec<Channel>,
    manifest: Manifest,
    model: Option<String>,
    growing: Vec<Growing>,
    /// Where the run goes on; the files are made when the first row comes.
    from: Option<f64>,
    opened: bool,
    flushed: Instant,
    trouble: Option<StoreError>,
}

/// A file that grows by rows.
struct Growing {
    stream: Stream,
    path: PathBuf,
    file: File,
    waiting: Vec<u8>,
}

impl Live {
    /// The folder of a run, which is made if it does not exist. Results of another kind are not written over.
    /// What an older run has left goes when the new one begins.
    pub fn new(
        dir: &Path,
        formats: &[&'static FormatEntry],
        channels: &[Channel],
        manifest: Manifest,
    ) -> Result<Live, StoreError> {
        let fail = |source| StoreError {
            path: dir.to_path_buf(),
            source,
        };
        fs::create_dir_all(dir).map_err(fail)?;
        manifest.fits(dir)?;
        Ok(Live {
            dir: dir.to_path_buf(),
            formats: formats.to_vec(),
            channels: channels.to_vec(),
            manifest,
            model: None,
            growing: Vec::new(),
            from: None,
            opened: false,
            flushed: Instant::now(),
            trouble: None,
        })
    }

    /// The same with the text of the model, which stands beside its results from the start.
    #[must_use]
    pub fn with_model(mut self, text: Option<String>) -> Live {
        self.model = text;
        self
    }

    /// Makes the files if they are not there yet.
    fn ready(&mut self) {
        if !std::mem::replace(&mut self.opened, true) {
            self.trouble = self.open(self.from).err();
        }
    }

    /// Makes the files. A run that goes on at a time keeps the rows of the same run up to there.
    fn open(&mut self, from: Option<f64>) -> Result<(), StoreError> {
        let dir = self.dir.clone();
        let older = Manifest::read(&dir);
        let same = older.is_some_and(|m| m.is_same(&self.manifest));
        let mut past = Vec::new();
        for stream in [Stream::Csv, Stream::Numbers] {
            let wanted = self.formats.iter().any(|f| stream.serves(f));
            let path = dir.join(stream.file());
            let fail = |source| StoreError {
                path: path.clone(),
                source,
            };
            match from.filter(|_| same && wanted) {
                Some(t) => {
                    if stream == Stream::Numbers && !path.exists() {
                        numbers_again(&dir).map_err(fail)?;
                    }
                    let kept = stream.length_until(&path, &self.channels, t);
                    past.push((stream, kept.map_err(fail)?));
                }
                None if wanted => past.push((stream, None)),
                None => {}
            }
        }
        let kept: Vec<PathBuf> = (past.iter())
            .filter(|(_, length)| length.is_some())
            .map(|(stream, _)| dir.join(stream.file()))
            .collect();
        clear(&dir, &kept)?;
        let names = table::Table::new(&self.channels);
        write(&dir, CHANNELS_FILE, |out| write_channels(&names, out))?;
        if let Some(text) = &self.model {
            write(&dir, MODEL_FILE, |out| write!(out, "{text}"))?;
        }
        for (stream, length) in past {
            let path = dir.join(stream.file());
            let file = open(&path, length, &stream.header(&self.channels));
            let file = file.map_err(|source| StoreError {
                path: path.clone(),
                source,
            })?;
            self.growing.push(Growing {
                stream,
                path,
                file,
                waiting: Vec::with_capacity(2 * BLOCK),
            });
        }
        // whoever finds a manifest finds a table
        write(&dir, MANIFEST_FILE, |out| self.manifest.write(out))
    }

    /// Ends the folder with another run, which has taken the place of the one that it was made for; the files.
    pub fn replay(self, run: &Run) -> Result<Vec<String>, StoreError> {
        let mut anew = Live {
            manifest: Manifest {
                finished: false,
                ..self.manifest
            },
            growing: Vec::new(),
            from: None,
            opened: false,
            trouble: None,
            ..self
        };
        anew.begin(None);
        let made = Rows::of(&run.table).each(|t, values| anew.row(t, values));
        made.map_err(|source| StoreError {
            path: anew.dir.clone(),
            source,
        })?;
        anew.finish(run)
    }

    /// Ends the folder with what there is to tell of the run; the files.
    pub fn finish(mut self, run: &Run) -> Result<Vec<String>, StoreError> {
        self.ready();
        self.flush();
        if let Some(trouble) = self.trouble {
            return Err(trouble);
        }
        let dir = &self.dir;
        for growing in std::mem::take(&mut self.growing) {
            if growing.stream != Stream::Numbers {
                continue;
            }
            drop(growing.file);
            for format in self.formats.iter().filter(|f| growing.stream.serves(f)) {
                let rows = Rows::of_file(&growing.path, &self.channels);
                write_rows(dir, format.file, format, rows)?;
            }
            fs::remove_file(&growing.path).map_err(|source| StoreError {
                path: growing.path.clone(),
                source,
            })?;
        }
        let name = |file: &str| dir.join(file).display().to_string();
        let mut files: Vec<String> = self.formats.iter().map(|f| name(f.file)).collect();
        files.push(name(CHANNELS_FILE));
        files.push(name(SUMMARY_FILE));
        if !run.events.happenings.is_empty() {
            write(dir, EVENTS_FILE, |out| events::write(&run.events, out))?;
            files.push(name(EVENTS_FILE));
        }
        if !run.attempts.is_empty() {
            write(dir, STEPS_FILE, |out| attempts::write(&run.attempts, out))?;
            files.push(name(STEPS_FILE));
        }
        if self.model.is_some() {
            files.push(name(MODEL_FILE));
        }
        super::write_summary(run, dir, &files)?;
        self.manifest.finished = true;
        write(dir, MANIFEST_FILE, |out| self.manifest.write(out))?;
        Ok(files)
    }
}

impl Sink for Live {
    fn begin(&mut self, from: Option<f64>) {
        self.from = from;
    }

    fn row(&mut self, t: f64, values: &[f64]) {
        self.ready();
        if self.trouble.is_some() {
            return;
        }
        for growing in &mut self.growing {
            growing.stream.put(t, values, &mut growing.waiting);
        }
        let waits = self.growing.iter().any(|g| g.waiting.len() > BLOCK);
        if waits || self.flushed.elapsed() > PATIENCE {
            self.flush();
        }
    }

    fn flush(&mut self) {
        for growing in &mut self.growing {
            let written = growing.file.write_all(&growing.waiting);
            growing.waiting.clear();
            if let Err(source) = written {
                self.trouble.get_or_insert(StoreError {
                    path: growing.path.clone(),
                    source,
                });
            }
        }
        self.flushed = Instant::now();
    }
}

/// Opens a file at the end of what is kept of it, or makes it: it is there with its header or not at all.
fn open(path: &Path, length: Option<u64>, header: &[u8]) -> io::Result<File> {
    let Some(length) = length else {
        let mut beside = path.to_path_buf().into_os_string();
        beside.push(".part");
        let mut file = File::create(&beside)?;
        file.write_all(header)?;
        fs::rename(&beside, path)?;
        return Ok(file);
    };
    let file = OpenOptions::new().append(true).open(path)?;
    file.set_len(length)?;
    Ok(file)
}

/// Makes rows of an archive that was made of them, if there is one.
fn numbers_again(dir: &Path) -> io::Result<()> {
    let archives = FORMATS.iter().filter(|f| Stream::Numbers.serves(f));
    let Some(past) = (archives.map(|f| dir.join(f.file))).find_map(|file| table::read(&file).ok())
    else {
        return Ok(());
    };
    let mut bytes = Stream::Numbers.header(past.channels());
    Rows::of(&past).each(|t, values| Stream::Numbers.put(t, values, &mut bytes))?;
    fs::write(dir.join(Stream::Numbers.file()), bytes)
}
