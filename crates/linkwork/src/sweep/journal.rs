//! A sweep on disk: every outcome is written when it comes, so that one that was interrupted goes on
//! where it was.
//!
//! ```text
//!  DIR/manifest.json   what is varied and kept, units, how many points, what tells it from others
//!  DIR/model.toml      the model
//!  DIR/log.csv         outcomes in the order in which they came
//!  DIR/sweep.csv       all of them in the order of the points, once they are there
//! ```

use super::{Outcome, Output, Study, SweepError};
use crate::checkpoint::hash_of;
use serde_json::{Value, json};
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Name of the file that says what the sweep is.
pub const MANIFEST_FILE: &str = "manifest.json";
/// Name of the file that outcomes are appended to.
pub const LOG_FILE: &str = "log.csv";
/// Name of the file with all outcomes in order.
pub const TABLE_FILE: &str = "sweep.csv";

/// The directory of a sweep.
pub struct Journal {
    dir: PathBuf,
    log: File,
    done: Vec<Outcome>,
}

impl Journal {
    /// Begins a sweep in a directory, or goes on with the same one; another one that is there is
    /// refused.
    pub fn open(dir: &Path, study: &Study) -> Result<Journal, SweepError> {
        let fail = |path: &Path, e: std::io::Error| {
            SweepError::File(format!("cannot write {}: {e}", path.display()))
        };
        fs::create_dir_all(dir).map_err(|e| fail(dir, e))?;
        let path = dir.join(MANIFEST_FILE);
        let own = manifest(study);
        match fs::read_to_string(&path) {
            Ok(text) => {
                let there: Value = serde_json::from_str(&text).unwrap_or_default();
                if there["identity"] != own["identity"] {
                    let message = match there["kind"].as_str() {
                        Some(kind) if kind != "sweep" => {
                            format!("{} holds the results of a {kind}", dir.display())
                        }
                        _ => format!("{} holds another sweep", dir.display()),
                    };
                    let help = "name another directory, or remove this one";
                    return Err(SweepError::asked(message, help));
                }
            }
            Err(_) => {
                let model = dir.join("model.toml");
                fs::write(&model, study.model_text()).map_err(|e| fail(&model, e))?;
                let text = serde_json::to_string_pretty(&own).unwrap_or_default();
                // a manifest is there as a whole or not at all
                let draft = dir.join("manifest.json.new");
                fs::write(&draft, text + "\n").map_err(|e| fail(&draft, e))?;
                fs::rename(&draft, &path).map_err(|e| fail(&path, e))?;
            }
        }
        let path = dir.join(LOG_FILE);
        let written = fs::read_to_string(&path).unwrap_or_default();
        // a line that was being written when everything ended is dropped
        let whole = written.rfind('\n').map_or(0, |end| end + 1);
        let mut done = Vec::new();
        let mut seen = vec![false; study.points().len()];
        let mut reader = csv::Reader::from_reader(&written.as_bytes()[..whole]);
        for record in reader.records().flatten() {
            let outcome = outcome(study, &record).filter(|o| !seen[o.number]);
            if let Some(outcome) = outcome {
                seen[outcome.number] = true;
                done.push(outcome);
            }
        }
        let mut log = (OpenOptions::new().create(true).append(true).open(&path))
            .map_err(|e| fail(&path, e))?;
        log.set_len(whole as u64).map_err(|e| fail(&path, e))?;
        if whole == 0 {
            log.write_all(&header(study)).map_err(|e| fail(&path, e))?;
        }
        let dir = dir.to_path_buf();
        Ok(Journal { dir, log, done })
    }

    /// Outcomes that are there already.
    pub fn done(&self) -> &[Outcome] {
        &self.done
    }

    /// Numbers of the points that are left.
    pub fn left(&self, study: &Study) -> Vec<usize> {
        let mut open = vec![true; study.points().len()];
        for outcome in &self.done {
            open[outcome.number] = false;
        }
        (0..open.len()).filter(|i| open[*i]).collect()
    }

    /// Writes an outcome down.
    pub fn keep(&mut self, study: &Study, outcome: Outcome) -> Result<(), SweepError> {
        let line = line(study, &outcome);
        self.done.push(outcome);
        let path = self.dir.join(LOG_FILE);
        // one call for one line, so that a line is there or not
        (self.log.write_all(&line))
            .map_err(|e| SweepError::File(format!("cannot write {}: {e}", path.display())))
    }

    /// Writes the table once all points are there; the outcomes in order.
    pub fn finish(mut self, study: &Study) -> Result<Vec<Outcome>, SweepError> {
        self.done.sort_by_key(|outcome| outcome.number);
        if self.done.len() == study.points().len() {
            let mut text = header(study);
            for outcome in &self.done {
                text.extend(line(study, outcome));
            }
            let path = self.dir.join(TABLE_FILE);
            fs::write(&path, text)
                .map_err(|e| SweepError::File(format!("cannot write {}: {e}", path.display())))?;
        }
        Ok(self.done)
    }
}

fn manifest(study: &Study) -> Value {
    let outputs = study.outputs().iter();
    let outputs: Vec<Value> = (outputs.clone())
        .map(|o| json!({"name": o.name(), "unit": o.unit()}))
        .collect();
    json!({
        "program": "linkwork",
        "version": env!("CARGO_PKG_VERSION"),
        "kind": "sweep",
        "model": study.name(),
        "identity": format!("{:016x}", hash_of(study.identity().as_bytes())),
        "points": study.points().len(),
        "varied": study.points().names(),
        "outputs": outputs,
        "files": ["model.toml", LOG_FILE, TABLE_FILE],
    })
}

fn header(study: &Study) -> Vec<u8> {
    let fixed = ["point", "verdict", "message", "steps"].map(str::to_string);
    let names = study.points().names().iter().cloned();
    let outputs = study.outputs().iter().map(Output::name).map(str::to_string);
    record(fixed.into_iter().chain(names).chain(outputs))
}

fn line(study: &Study, outcome: &Outcome) -> Vec<u8> {
    let Outcome {
        number,
        verdict,
        message,
        steps,
        values,
    } = outcome;
    let fixed = [
        number.to_string(),
        verdict.clone(),
        message.clone(),
        steps.to_string(),
    ];
    let point = study.points().values(*number).iter().cloned();
    let values = values.iter().map(|x| format!("{x:?}"));
    record(fixed.into_iter().chain(point).chain(values))
}

fn record(fields: impl Iterator<Item = String>) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // writing to memory cannot fail
    let _ = writer.write_record(fields);
    writer.into_inner().unwrap_or_default()
}

/// The outcome of a line; `None` where it is not one of this study.
fn outcome(study: &Study, record: &csv::StringRecord) -> Option<Outcome> {
    let (varied, outputs) = (study.points().names().len(), study.outputs().len());
    let number: usize = record.get(0)?.parse().ok()?;
    if record.len() != 4 + varied + outputs || number >= study.points().len() {
        return None;
    }
    let values = record.iter().skip(4 + varied).map(|x| x.parse().ok());
    Some(Outcome {
        number,
        verdict: record.get(1)?.to_string(),
        message: record.get(2)?.to_string(),
        steps: record.get(3)?.parse().ok()?,
        values: values.collect::<Option<_>>()?,
    })
}
