//! Numbers that look as if they were meant in another unit.

use super::{Finding, Scene, Severity};
use crate::model::Axes;
use crate::text::tree::Content;
use crate::units::Unit;
use std::f64::consts::TAU;

/// Gravity above this is not in m/s^2 on any planet.
const STRONG: f64 = 100.0;
/// Kilograms per cubic metre of the whole mechanism: fifty times the densest metal.
const DENSE: f64 = 1e6;

/// Gravity in mm/s^2, or upwards.
pub(super) fn gravity(scene: &Scene<'_>) -> Vec<Finding> {
    let [x, y, z] = scene.model.gravity;
    let g = x.hypot(y).hypot(z);
    let in_space = scene.model.axes == Axes::Space;
    let up = if in_space {
        [x, y] == [0.0; 2] && z > 0.0
    } else {
        x == 0.0 && y > 0.0
    };
    let (severity, message, help) = if g > STRONG {
        (
            Severity::Warning,
            // however large it is, in a few digits
            match g < 1e6 {
                true => format!("gravity is {g} m/s^2, more than on any planet"),
                false => format!("gravity is {g:e} m/s^2, more than on any planet"),
            },
            if in_space {
                "lengths are in m: write [0, 0, -9.81], or units: \"-9810 mm/s^2\""
            } else {
                "lengths are in m: write [0, -9.81], or [\"0 mm/s^2\", \"-9810 mm/s^2\"]"
            },
        )
    } else if up && in_space {
        (
            Severity::Hint,
            "gravity points up, along +z".to_string(),
            "write a negative third component if z points up",
        )
    } else if up {
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
    let (bodies, joints, forces) = (scene.masses(), scene.joints(), scene.forces());
    let links = joints.iter().chain(&forces).map(|l| (l.name, &l.keys[..]));
    let parts = bodies.iter().map(|b| (b.name, &b.keys[..])).chain(links);
    let mut findings = Vec::new();
    for (name, keys) in parts {
        let angles = keys.iter().filter(|k| k.unit == Unit::Angle);
        for key in angles {
            let numbers: Vec<f64> = match document.value(name, key.name).map(|v| &v.content) {
                Some(Content::Number(x)) => vec![*x],
                Some(Content::List(list)) => (list.iter())
                    .filter_map(|v| match v.content {
                        Content::Number(x) => Some(x),
                        _ => None,
                    })
                    .collect(),
                _ => continue,
            };
            if let Some(x) = numbers.iter().find(|x| x.abs() > TAU) {
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
    if scene.is_loose() {
        return Vec::new();
    }
    let volume = scene.length.powi(3);
    let bodies = scene.masses();
    (bodies.iter())
        .filter(|b| b.mass > DENSE * volume)
        .map(|b| {
            let message = format!(
                "body `{}` has {:.1e} kg in a mechanism of {:.1e} m: fifty times as dense as any metal",
                b.name, b.mass, scene.length
            );
            let help = "masses are in kg and lengths in m; units can be written: \"50 g\", \"12 mm\"";
            scene.finding("density", Severity::Warning, b.name, message, help).at("mass")
        })
        .collect()
}
