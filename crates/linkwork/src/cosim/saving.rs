//! Checkpoints of a co-simulation: what must agree, when one is due, and the file.

use super::options::CosimSettings;
use crate::checkpoint::{Checkpoint, Heading};
use crate::settings::Settings;
use linkwork_dae::cosim::MacroStep;
use std::path::PathBuf;

/// What a saved co-simulation belongs to. The end time, the outputs, the threads and the limit of
/// attempts may change.
pub(super) fn heading(
    system: u64,
    settings: &CosimSettings,
    parts: &[(&str, &Settings)],
) -> Heading {
    let own = settings.options.lines().into_iter();
    let mut lines: Vec<(String, String)> = own.map(|(k, v)| (k.to_string(), v)).collect();
    for (name, part) in parts {
        let own = part.options.lines().into_iter();
        lines.extend(own.map(|(k, v)| (format!("{k} of subsystem `{name}`"), v)));
    }
    Heading::new(system, &lines)
}

/// Saves a run when it is due.
pub(super) struct Saver {
    pub path: PathBuf,
    pub heading: Heading,
    /// Accepted macro steps between two checkpoints.
    pub steps: Option<u64>,
    /// Simulated time between two checkpoints.
    pub interval: Option<f64>,
    count: u64,
    since: Option<f64>,
    /// Why the file could not be written.
    pub trouble: Option<String>,
}

impl Saver {
    pub fn new(
        path: PathBuf,
        heading: Heading,
        steps: Option<u64>,
        interval: Option<f64>,
    ) -> Saver {
        Saver {
            path,
            heading,
            steps,
            interval,
            count: 0,
            since: None,
            trouble: None,
        }
    }

    /// Whether to save after this accepted step, or at the end.
    pub fn is_due(&mut self, step: Option<&MacroStep>) -> bool {
        let Some(step) = step else {
            return true;
        };
        let since = *self.since.get_or_insert(step.t);
        self.count += 1;
        let t = step.t + step.h;
        let due = self.steps.is_some_and(|n| self.count >= n)
            || self.interval.is_some_and(|s| t - since >= s);
        if due {
            (self.count, self.since) = (0, Some(t));
        }
        due
    }

    /// Writes the file.
    pub fn write(&mut self, words: &[u64]) {
        let checkpoint = Checkpoint {
            heading: self.heading.clone(),
            words: words.to_vec(),
        };
        if let Err(e) = checkpoint.write(&self.path) {
            self.trouble.get_or_insert(e.to_string());
        }
    }
}
