//! Modes of flexible bodies.

use super::{Finding, Scene, Severity};
use crate::body::Shape;
use std::f64::consts::TAU;

/// Periods within the simulation from which on a vibration that goes on for ever rules the steps.
const MANY: f64 = 1e4;
/// Damping ratio below which it does.
const UNDAMPED: f64 = 1e-3;

/// Modes that vibrate very often and that nothing damps: the fastest one of each body.
pub(super) fn fast_mode(scene: &Scene<'_>) -> Vec<Finding> {
    let Some(duration) = scene.duration else {
        return Vec::new();
    };
    let mut findings = Vec::new();
    for body in &scene.model.bodies {
        let Shape::Modal(modal) = &body.shape else {
            continue;
        };
        let all = modal.vibrations().into_iter().enumerate();
        let lasting = all.filter(|(_, [_, ratio])| *ratio < UNDAMPED);
        let fastest = lasting.max_by(|(_, a), (_, b)| a[0].total_cmp(&b[0]));
        let Some((k, [frequency, _])) = fastest else {
            continue;
        };
        let periods = duration * frequency / TAU;
        if !(periods > MANY) {
            continue;
        }
        let mode = match modal.names.get(k) {
            Some(name) => format!("its {name}"),
            None => format!("its mode {}", k + 1),
        };
        let message = format!(
            "body `{}`: {mode} vibrates with {:.1e} Hz, {periods:.0e} times within the simulation, and nothing damps it",
            body.name,
            frequency / TAU
        );
        let help = "give it a damping_ratio or leave it out; radau and gen-alpha step over what is fast, other methods follow it";
        findings.push(scene.finding("fast-mode", Severity::Hint, &body.name, message, help));
    }
    findings
}
