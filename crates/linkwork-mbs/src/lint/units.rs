//! Numbers that look as if they were meant in another unit.

use super::{Finding, Scene, Severity};
use crate::body::BODIES;
use crate::field::Key;
use crate::force::FORCES;
use crate::joint::JOINTS;
use crate::text::tree::Content;
use crate::units::Unit;
use std::f64::consts::TAU;

/// Gravity above this is not in m/s^2 on any planet.
const STRONG: f64 = 100.0;
/// Kilograms per cubic metre of the whole mechanism: fifty times the densest metal.
const DENSE: f64 = 1e6;

/// Gravity in mm/s^2, or upwards.
pub(super) fn gravity(scene: &Scene<'_>) -> Vec<Finding> {
    let [x, y] = scene.model.gravity;
    let g = x.hypot(y);
    let (severity, message, help) = if g > STRONG {
        (
            Severity::Warning,
            format!("gravity is {g} m/s^2, more than on any planet"),
            "lengths are in m: write [0, -9.81], or [\"0 mm/s^2\", \"-9810 mm/s^2\"]",
        )
    } else if x == 0.0 && y > 0.0 {
        (
            Severity::Hint,
            "gravity points up, along +y".to_string(),
            "write a negative second component if y points up",
        )
    } else {
        return Vec::new();
    };
    vec![
        scene
            .finding("gravity", severity, "", message, help)
            .at("gravity"),
    ]
}

/// Plain numbers behind keys of angles that are more than a turn.
pub(super) fn degrees(scene: &Scene<'_>) -> Vec<Finding> {
    let Some(document) = scene.document else {
        return Vec::new();
    };
    let model = scene.model;
    let bodies = (model.bodies.iter()).map(|b| {
        let keys = BODIES.iter().find(|e| e.kind == b.kind()).map(|e| e.keys);
        (&b.name, keys)
    });
    let joints = (model.joints.iter()).map(|j| {
        let keys = JOINTS
            .iter()
            .find(|e| e.kind == j.joint.kind())
            .map(|e| e.keys);
        (&j.name, keys)
    });
    let forces = (model.forces.iter()).map(|f| {
        let keys = FORCES
            .iter()
            .find(|e| e.kind == f.force.kind())
            .map(|e| e.keys);
        (&f.name, keys)
    });
    let mut findings = Vec::new();
    for (name, keys) in bodies.chain(joints).chain(forces) {
        let angles = keys
            .unwrap_or(&[])
            .iter()
            .filter(|k: &&Key| k.unit == Unit::Angle);
        for key in angles {
            let Some(Content::Number(x)) = document.value(name, key.name).map(|v| &v.content)
            else {
                continue;
            };
            if x.abs() > TAU {
                let message = format!(
                    "`{name}`: the {} is {x} rad, more than a turn; degrees?",
                    key.name
                );
                let help = format!("numbers without a unit are radians: write \"{x} deg\"");
                let finding = scene.finding("degrees", Severity::Warning, name, message, help);
                findings.push(finding.at(key.name));
            }
        }
    }
    findings
}

/// Masses that do not fit the size of the mechanism.
pub(super) fn density(scene: &Scene<'_>) -> Vec<Finding> {
    if scene.model.joints.is_empty() && scene.model.forces.is_empty() {
        return Vec::new();
    }
    let volume = scene.length.powi(3);
    let bodies = scene.model.bodies.iter();
    bodies
        .filter(|b| b.mass > DENSE * volume)
        .map(|b| {
            let message = format!(
                "body `{}` has {:.1e} kg in a mechanism of {:.1e} m: fifty times as dense as any metal",
                b.name, b.mass, scene.length
            );
            let help = "masses are in kg and lengths in m; units can be written: \"50 g\", \"12 mm\"";
            scene.finding("density", Severity::Warning, &b.name, message, help).at("mass")
        })
        .collect()
}
