//! What a folder of results is: one run, by which program, of which model, with which options.

use super::{MODEL_FILE, StoreError, remove};
use crate::attempts::STEPS_FILE;
use crate::checkpoint::hash_of;
use crate::cosim::CoupledRun;
use crate::cosim::summary::{COUPLING_FILE, SYSTEM_FILE};
use crate::events::EVENTS_FILE;
use crate::options::{OPTIONS, Opt, Options};
use crate::summary::SUMMARY_FILE;
use crate::table::stream::Stream;
use crate::table::{CHANNELS_FILE, FORMATS};
use serde_json::{Value, json};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Name of the file.
pub const MANIFEST_FILE: &str = "manifest.json";

/// What a folder of results is.
#[derive(Clone, Debug, PartialEq)]
pub struct Manifest {
    /// `run`, `kinematics`, `co-simulation` or `sweep`.
    pub kind: String,
    /// Name of the model.
    pub model: String,
    /// Hash of what makes the model what it is.
    pub identity: String,
    /// Options that have a value.
    pub options: Vec<(String, String)>,
    /// Whether it came to an end.
    pub finished: bool,
}

impl Manifest {
    /// What the folder of a run will be.
    pub fn new(kind: &str, model: &str, identity: u64, options: &Options) -> Manifest {
        // where a run is saved or goes on makes it no other run
        let lasting = |o: &&Opt<Options>| !o.name.starts_with("checkpoint") && o.name != "restart";
        let known = |o: &Opt<Options>| Some((o.name.to_string(), (o.get)(options)?));
        Manifest {
            kind: kind.to_string(),
            model: model.to_string(),
            identity: format!("{identity:016x}"),
            options: OPTIONS.iter().filter(lasting).filter_map(known).collect(),
            finished: false,
        }
    }

    /// Whether both are of the same run: model and all options.
    pub(super) fn is_same(&self, other: &Manifest) -> bool {
        let sorted = |m: &Manifest| {
            let mut options = m.options.clone();
            options.sort();
            options
        };
        self.identity == other.identity && sorted(self) == sorted(other)
    }

    /// What the folder of a co-simulation will be.
    pub(crate) fn of_system(run: &CoupledRun) -> Manifest {
        let options = run.settings.options.lines().into_iter();
        Manifest {
            kind: "co-simulation".to_string(),
            model: run.name.clone(),
            identity: format!("{:016x}", hash_of(run.text.as_bytes())),
            options: options
                .map(|(name, value)| (name.to_string(), value))
                .collect(),
            finished: false,
        }
    }

    /// The manifest of a folder, if it has one that can be read.
    pub fn read(dir: &Path) -> Option<Manifest> {
        let text = fs::read_to_string(dir.join(MANIFEST_FILE)).ok()?;
        let value: Value = serde_json::from_str(&text).ok()?;
        let word = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_string);
        let options = value.get("options").and_then(Value::as_object);
        let options = options.into_iter().flatten();
        Some(Manifest {
            kind: word("kind")?,
            model: word("model").unwrap_or_default(),
            identity: word("identity").unwrap_or_default(),
            options: options
                .filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_string())))
                .collect(),
            finished: value.get("finished") == Some(&Value::Bool(true)),
        })
    }

    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let options = self.options.iter();
        let options = options.map(|(name, value)| (name.clone(), Value::from(value.clone())));
        let object = json!({
            "program": "linkwork",
            "version": env!("CARGO_PKG_VERSION"),
            "kind": self.kind,
            "model": self.model,
            "identity": self.identity,
            "options": options.collect::<serde_json::Map<_, _>>(),
            "finished": self.finished,
        });
        // maps with text keys cannot fail to serialise
        writeln!(
            out,
            "{}",
            serde_json::to_string_pretty(&object).unwrap_or_default()
        )
    }

    /// Refuses a folder that holds results of another kind.
    pub(crate) fn fits(&self, dir: &Path) -> Result<(), StoreError> {
        let of_runs = |kind: &str| ["run", "kinematics"].contains(&kind);
        match Manifest::read(dir) {
            Some(other)
                if other.kind != self.kind && !(of_runs(&other.kind) && of_runs(&self.kind)) =>
            {
                let words = format!(
                    "it holds the results of a {}; name another directory",
                    other.kind
                );
                Err(StoreError {
                    path: dir.to_path_buf(),
                    source: io::Error::new(io::ErrorKind::AlreadyExists, words),
                })
            }
            _ => Ok(()),
        }
    }
}

/// Removes what an older run has left in a folder, but for what is kept: the verdict first, so that whatever
/// interrupts this leaves no verdict beside rows that it does not speak of.
pub(crate) fn clear(dir: &Path, kept: &[PathBuf]) -> Result<(), StoreError> {
    let tables = FORMATS.iter().map(|f| f.file);
    let growing = [Stream::Csv, Stream::Numbers].map(Stream::file);
    let others = [
        MANIFEST_FILE,
        EVENTS_FILE,
        STEPS_FILE,
        CHANNELS_FILE,
        MODEL_FILE,
        SYSTEM_FILE,
        COUPLING_FILE,
    ];
    let all = [SUMMARY_FILE]
        .into_iter()
        .chain(others)
        .chain(tables)
        .chain(growing);
    for file in all {
        let path = dir.join(file);
        remove(&dir.join(format!("{file}.part")))?;
        if !kept.contains(&path) {
            remove(&path)?;
        }
    }
    Ok(())
}
