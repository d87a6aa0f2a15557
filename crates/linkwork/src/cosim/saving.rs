//! Checkpoints of a co-simulation: what must agree, when one is due, and the file.

use super::options::CosimSettings;
use crate::checkpoint::{Checkpoint, Heading};
use crate::settings::Settings;
use linkwork_dae::cosim::MacroStep;
use linkwork_dae::stepper::Tuning;
use std::path::PathBuf;

/// What a saved co-simulation belongs to. The end time, the outputs, the threads and the limit of
/// attempts may change.
pub(super) fn heading(
    system: u64,
    settings: &CosimSettings,
    parts: &[(&str, &Settings)],
) -> Heading {
    let or_default = |x: Option<f64>| x.map_or("by default".to_string(), |x| format!("{x:e}"));
    let mut lines = vec![
        ("degree".to_string(), settings.degree.to_string()),
        ("approach".to_string(), settings.approach_name.to_string()),
        ("rtol".to_string(), format!("{:e}", settings.rtol)),
        ("micro".to_string(), settings.micro.to_string()),
        ("step".to_string(), or_default(settings.step)),
        ("max_step".to_string(), or_default(settings.max_step)),
    ];
    for (name, part) in parts {
        let Tuning {
            rho,
            alpha,
            error_constant,
            scaling,
            error_estimate,
        } = part.tuning;
        let word = |w: &dyn std::fmt::Debug| format!("{w:?}").to_lowercase();
        let max_order = part.max_order.map(|n| n as f64);
        for (option, value) in [
            ("method", part.method.name.to_string()),
            ("formulation", part.formulation.name.to_string()),
            ("jacobian", part.jacobian.name.to_string()),
            ("linear", part.linear.name.to_string()),
            ("max_order", or_default(max_order)),
            (
                "order_control",
                part.order_control.map_or("usual", |c| c.name).to_string(),
            ),
            ("rho", format!("{rho:e}")),
            ("alpha", format!("{alpha:e}")),
            ("error_constant", word(&error_constant)),
            ("scaling", word(&scaling)),
            ("error_estimate", word(&error_estimate)),
            ("max_step", or_default(part.max_step)),
        ] {
            lines.push((format!("{option} of subsystem `{name}`"), value));
        }
    }
    Heading::of_lines(system, &lines)
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
