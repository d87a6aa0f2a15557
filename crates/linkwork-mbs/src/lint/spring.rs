//! Springs and dampers.

use super::parts::Connector;
use super::{Finding, Scene, Severity};
use crate::handle::BodyRef;
use crate::units::Unit;
use std::f64::consts::TAU;

/// Periods within the simulation from which a vibration is dear, and from which it is hopeless.
const MANY: f64 = 1e5;
const TOO_MANY: f64 = 1e7;
/// The same for contacts, which cannot be damped away: it must be resolved while it touches.
const CONTACTS: f64 = 1e4;
/// Ends nearer than this share of the size of the mechanism coincide.
const COINCIDENT: f64 = 1e-12;

/// Springs and dampers along a line whose ends are in one place.
pub(super) fn zero_length(scene: &Scene<'_>) -> Vec<Finding> {
    let forces = scene.forces();
    let springs = forces.iter().filter(|f| {
        let along_line = |unit| f.parameter(unit).is_some_and(|(_, x)| x != 0.0);
        along_line(Unit::Stiffness) || along_line(Unit::Damping)
    });
    let mut findings = Vec::new();
    for f in springs {
        if f.apart.is_some_and(|d| d <= COINCIDENT * scene.length) {
            findings.push(scene.finding(
                "zero-length",
                Severity::Error,
                f.name,
                format!(
                    "force `{}`: both ends are at the same place in the start pose, so it has no direction",
                    f.name
                ),
                "give it two different attachment points (at_a, at_b or point_a, point_b), or use a joint",
            ));
        }
    }
    findings
}

/// Mass that a force moves when everything else stands still: upper bounds of frequencies.
fn moved(scene: &Scene<'_>, f: &Connector<'_>, angular: bool) -> Option<f64> {
    let mobility = |b: BodyRef| {
        let Some(body) = scene.mass(b) else {
            return Some(0.0);
        };
        let m = if angular { body.inertia?[0] } else { body.mass };
        (m > 0.0).then(|| 1.0 / m)
    };
    let sum = mobility(f.a)? + mobility(f.b)?;
    (sum > 0.0).then(|| 1.0 / sum)
}

/// Springs that vibrate far faster than the simulation is long.
pub(super) fn fast_spring(scene: &Scene<'_>) -> Vec<Finding> {
    let Some(duration) = scene.duration else {
        return Vec::new();
    };
    let mut findings = Vec::new();
    for f in &scene.forces() {
        for (unit, angular) in [(Unit::Stiffness, false), (Unit::AngularStiffness, true)] {
            let Some((key, k)) = f.parameter(unit) else {
                continue;
            };
            let Some(m) = moved(scene, f, angular) else {
                continue;
            };
            let period = TAU * (m / k).sqrt();
            let periods = duration / period;
            if !(periods > MANY) {
                continue;
            }
            let severity = if periods > TOO_MANY {
                Severity::Warning
            } else {
                Severity::Hint
            };
            let message = format!(
                "force `{}` with its bodies can vibrate with a period of {period:.1e} s, {periods:.0e} times within the simulation",
                f.name
            );
            let help = format!(
                "check the unit of the {key}; a joint instead of so stiff a spring, or some damping, lets steps be longer"
            );
            findings.push(
                scene
                    .finding("fast-spring", severity, f.name, message, help)
                    .at(key),
            );
        }
    }
    findings
}

/// Contacts whose vibration is far faster than the simulation is long. Pressed in by the weight of
/// the mass `m` that it moves, a contact `k delta^e` is a spring of `e k delta^(e-1)`.
pub(super) fn fast_contact(scene: &Scene<'_>) -> Vec<Finding> {
    const STANDARD: f64 = 9.81;
    let Some(duration) = scene.duration else {
        return Vec::new();
    };
    let pull = scene
        .model
        .gravity
        .iter()
        .map(|g| g * g)
        .sum::<f64>()
        .sqrt();
    let pull = if pull > 0.0 { pull } else { STANDARD };
    let mut findings = Vec::new();
    for f in scene.forces().iter().filter(|f| f.kind == "contact") {
        let (Some(k), Some(e)) = (f.number("stiffness"), f.number("exponent")) else {
            continue;
        };
        let Some(m) = moved(scene, f, false) else {
            continue;
        };
        let depth = (m * pull / k).powf(1.0 / e);
        let period = TAU * (depth / (e * pull)).sqrt();
        let periods = duration / period;
        if !(periods > CONTACTS) {
            continue;
        }
        let severity = if periods > MANY {
            Severity::Warning
        } else {
            Severity::Hint
        };
        let message = format!(
            "contact `{}` yields by {depth:.1e} m under the weight of {m:.2e} kg and vibrates with a period of about {period:.1e} s, {periods:.0e} times within the simulation: steps while it touches are a fraction of that",
            f.name
        );
        let help = "a softer contact gives the same motion if its depth stays small beside the parts: a hundredth of the stiffness, ten times the step";
        findings.push(
            scene
                .finding("fast-contact", severity, f.name, message, help)
                .at("stiffness"),
        );
    }
    findings
}
