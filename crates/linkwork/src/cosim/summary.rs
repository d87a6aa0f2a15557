//! The outcome of a co-simulation as one object and as files.
//!
//! ```text
//!  DIR/coupling.csv             macro points: step, error, degree, all inputs
//!  DIR/SUBSYSTEM/table.csv ..   as `run` writes them, one folder per subsystem, with its model
//!  DIR/system.toml              what was run
//!  DIR/summary.json             verdict, accounts, counters
//! ```

use super::run::CoupledRun;
use crate::doubts::Doubt;
use crate::events::{self, EVENTS_FILE};
use crate::explain::Explanation;
use crate::notes::Note;
use crate::run::Verdict;
use crate::store::manifest::clear;
use crate::store::{MANIFEST_FILE, MODEL_FILE, Manifest, StoreError, write, write_rows};
use crate::summary::SUMMARY_FILE;
use crate::table::{CHANNELS_FILE, FORMATS, FormatEntry, Rows, write_channels};
use linkwork_dae::cosim::account::Guarantee;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Name of the text of the system among its results.
pub const SYSTEM_FILE: &str = "system.toml";
/// Name of the table of macro points.
pub const COUPLING_FILE: &str = "coupling.csv";

/// The outcome of a co-simulation. Numbers without a value are null.
#[derive(Serialize)]
pub struct CosimSummary<'a> {
    system: &'a str,
    verdict: Verdict,
    doubts: &'a [Doubt],
    #[serde(skip_serializing_if = "<[Note]>::is_empty")]
    notes: &'a [Note],
    approach: Option<&'a str>,
    degree: usize,
    rtol: Option<f64>,
    step_rtol: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<f64>,
    micro_rtol: f64,
    t_end: f64,
    t_last: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    restarted_at: Option<f64>,
    threads: usize,
    wall_seconds: f64,
    guarantee: Option<&'static str>,
    macro_steps: u64,
    rejected: u64,
    repeated_after_failure: u64,
    exceeded: u64,
    /// Of all subsystems.
    events: u64,
    largest_error: Option<f64>,
    accumulated_error: Option<f64>,
    connections: Vec<ConnectionObject<'a>>,
    subsystems: Vec<PartObject<'a>>,
    #[serde(rename = "final")]
    last: BTreeMap<String, f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<&'a Explanation>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    files: &'a [String],
}

#[derive(Serialize)]
struct ConnectionObject<'a> {
    name: &'a str,
    largest_defect: f64,
    mean_defect: f64,
    energy_residual: Option<f64>,
    energy_scatter: f64,
    energy_through: f64,
    limited: u64,
}

#[derive(Serialize)]
struct PartObject<'a> {
    name: &'a str,
    method: &'static str,
    formulation: &'static str,
    steps: u64,
    rejected: u64,
    events: u64,
    seconds: f64,
    limited: u64,
    limiter: Option<&'a str>,
}

/// What is known about the error, in a word.
pub fn guarantee_word(guarantee: Guarantee) -> &'static str {
    match guarantee {
        Guarantee::Estimated => "estimated",
        Guarantee::ForwardOnly => "forward only",
    }
}

impl<'a> CosimSummary<'a> {
    /// The outcome of `run`, whose results went to `files`.
    pub fn new(run: &'a CoupledRun, files: &'a [String]) -> CosimSummary<'a> {
        let s = &run.settings;
        let report = run.report.as_ref();
        let count = |f: fn(&linkwork_dae::cosim::Report) -> u64| report.map_or(0, f);
        let accounts = report.map_or(&[][..], |r| &r.connections);
        let members = report.map_or(&[][..], |r| &r.members);
        let mut last = BTreeMap::new();
        for part in &run.parts {
            for (name, value) in part.table.last() {
                last.insert(format!("{}.{name}", part.name), value);
            }
        }
        CosimSummary {
            system: &run.name,
            verdict: run.verdict,
            doubts: &run.doubts,
            notes: &run.notes,
            approach: s.options.approach.as_deref(),
            degree: s.plan.degree,
            rtol: s.plan.step.is_none().then_some(s.plan.rtol),
            step_rtol: s.plan.step.is_none().then_some(s.step_rtol),
            step: s.plan.step,
            micro_rtol: s.micro_rtol,
            t_end: s.plan.t_end,
            t_last: run.t_last,
            restarted_at: run.restarted_at,
            threads: s.plan.threads,
            wall_seconds: run.wall_seconds,
            guarantee: report.map(|r| guarantee_word(r.guarantee)),
            macro_steps: count(|r| r.accepted),
            rejected: count(|r| r.rejected),
            repeated_after_failure: count(|r| r.failed),
            exceeded: count(|r| r.exceeded),
            events: run.parts.iter().map(|part| part.events.count()).sum(),
            largest_error: report.map(|r| r.largest_error),
            accumulated_error: report
                .filter(|r| r.guarantee == Guarantee::Estimated)
                .map(|r| r.accumulated),
            connections: (run.connections.iter().zip(accounts))
                .map(|(name, a)| ConnectionObject {
                    name,
                    largest_defect: a.largest_defect,
                    mean_defect: a.mean_defect,
                    energy_residual: a.energy_residual,
                    energy_scatter: a.energy_scatter,
                    energy_through: a.energy_through,
                    limited: a.limited,
                })
                .collect(),
            subsystems: (run.parts.iter().enumerate())
                .map(|(i, p)| {
                    let account = members.get(i);
                    PartObject {
                        name: &p.name,
                        method: p.method,
                        formulation: p.formulation,
                        steps: p.stats.steps,
                        rejected: p.stats.rejected,
                        events: p.events.count(),
                        seconds: account.map_or(0.0, |a| a.seconds),
                        limited: account.map_or(0, |a| a.limited),
                        limiter: account.and_then(|a| a.limiter.as_deref()),
                    }
                })
                .collect(),
            last,
            failure: run.failure.as_ref(),
            files,
        }
    }

    /// The object as one line of JSON.
    pub fn to_json(&self) -> String {
        // maps with text keys and plain numbers cannot fail to serialise
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The object as indented JSON.
    pub fn to_json_pretty(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }
}

/// Writes tables in the given formats and the summary; returns the paths written. Directories are
/// made where they do not exist; files of an older run are replaced.
pub fn store(
    run: &CoupledRun,
    dir: &Path,
    formats: &[&FormatEntry],
) -> Result<Vec<String>, StoreError> {
    let mut files = Vec::new();
    let make = |dir: &Path| {
        fs::create_dir_all(dir).map_err(|source| StoreError {
            path: dir.to_path_buf(),
            source,
        })
    };
    make(dir)?;
    let mut manifest = Manifest::of_system(run);
    manifest.fits(dir)?;
    clear(dir, &[])?;
    write(dir, MANIFEST_FILE, |out| manifest.write(out))?;
    let coupling = Ok(Rows::of(&run.coupling));
    write_rows(dir, COUPLING_FILE, &FORMATS[0], coupling)?;
    files.push(dir.join(COUPLING_FILE).display().to_string());
    for part in &run.parts {
        let own = dir.join(&part.name);
        make(&own)?;
        clear(&own, &[])?;
        for format in formats {
            write_rows(&own, format.file, format, Ok(Rows::of(&part.table)))?;
            files.push(own.join(format.file).display().to_string());
        }
        write(&own, CHANNELS_FILE, |out| write_channels(&part.table, out))?;
        files.push(own.join(CHANNELS_FILE).display().to_string());
        write(&own, MODEL_FILE, |out| write!(out, "{}", part.model))?;
        files.push(own.join(MODEL_FILE).display().to_string());
        if !part.events.happenings.is_empty() {
            write(&own, EVENTS_FILE, |out| events::write(&part.events, out))?;
            files.push(own.join(EVENTS_FILE).display().to_string());
        }
    }
    write(dir, SYSTEM_FILE, |out| write!(out, "{}", run.text))?;
    files.push(dir.join(SYSTEM_FILE).display().to_string());
    files.push(dir.join(SUMMARY_FILE).display().to_string());
    let summary = CosimSummary::new(run, &files).to_json_pretty();
    write(dir, SUMMARY_FILE, |out| writeln!(out, "{summary}"))?;
    manifest.finished = true;
    write(dir, MANIFEST_FILE, |out| manifest.write(out))?;
    Ok(files)
}
