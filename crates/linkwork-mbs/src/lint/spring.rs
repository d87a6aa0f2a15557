//! Springs and dampers.

use super::{Finding, Scene, Severity, inertia_of};
use crate::field::Value;
use crate::force::{FORCES, Force};
use crate::handle::BodyRef;
use crate::model::NamedForce;
use crate::units::Unit;
use std::f64::consts::TAU;

/// Periods within the simulation from which a vibration is dear, and from which it is hopeless.
const MANY: f64 = 1e5;
const TOO_MANY: f64 = 1e7;
/// Ends nearer than this share of the size of the mechanism coincide.
const COINCIDENT: f64 = 1e-12;

/// The parameter of a force with a given unit.
fn parameter(force: &dyn Force, unit: Unit) -> Option<(&'static str, f64)> {
    let entry = FORCES.iter().find(|e| e.kind == force.kind())?;
    let key = entry.keys.iter().find(|k| k.unit == unit)?;
    let value = force
        .fields()
        .into_iter()
        .find(|(name, _)| *name == key.name)?;
    match value.1 {
        Value::Number(x) => Some((key.name, x)),
        _ => None,
    }
}

/// Springs and dampers along a line whose ends are in one place.
pub(super) fn zero_length(scene: &Scene<'_>) -> Vec<Finding> {
    let springs = scene.model.forces.iter().filter(|f| {
        let along_line = |unit| parameter(&*f.force, unit).is_some_and(|(_, x)| x != 0.0);
        along_line(Unit::Stiffness) || along_line(Unit::Damping)
    });
    let mut findings = Vec::new();
    for f in springs {
        let [Some(a), Some(b)] = f.force.markers() else {
            continue;
        };
        let place = |body: BodyRef, p| scene.model.site(body).pose.point(p);
        let (p, q) = (place(f.a, a), place(f.b, b));
        if (q[0] - p[0]).hypot(q[1] - p[1]) <= COINCIDENT * scene.length {
            findings.push(scene.finding(
                "zero-length",
                Severity::Error,
                &f.name,
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

/// Mass that a spring moves when everything else stands still: upper bounds of frequencies.
fn moved(scene: &Scene<'_>, f: &NamedForce, angular: bool) -> Option<f64> {
    let mobility = |b: BodyRef| {
        let Some(body) = scene.model.body(b) else {
            return Some(0.0);
        };
        let m = if angular {
            inertia_of(&body.shape)?
        } else {
            body.mass
        };
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
    for f in &scene.model.forces {
        for (unit, angular) in [(Unit::Stiffness, false), (Unit::AngularStiffness, true)] {
            let Some((key, k)) = parameter(&*f.force, unit) else {
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
                    .finding("fast-spring", severity, &f.name, message, help)
                    .at(key),
            );
        }
    }
    findings
}
