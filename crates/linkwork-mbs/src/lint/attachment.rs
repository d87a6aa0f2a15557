//! Bodies and what they are attached to.

use super::{Finding, Scene, Severity};
use crate::handle::BodyRef;

/// Bodies that nothing touches.
pub(super) fn unattached(scene: &Scene<'_>) -> Vec<Finding> {
    let model = scene.model;
    let alone = |i: usize| {
        let me = BodyRef::from_index(i);
        let joined = model.joints.iter().any(|j| j.a == me || j.b == me);
        let pushed = model.forces.iter().any(|f| f.a == me || f.b == me);
        !joined && !pushed
    };
    // a single free body is an experiment, one among others was forgotten
    let severity = if model.bodies.len() == 1 {
        Severity::Hint
    } else {
        Severity::Warning
    };
    (0..model.bodies.len())
        .filter(|&i| alone(i))
        .map(|i| {
            let name = &model.bodies[i].name;
            let what = if model.gravity == [0.0; 2] {
                "drifts"
            } else {
                "falls"
            };
            scene.finding(
                "unattached",
                severity,
                name,
                format!("body `{name}` has no joint and no force: it {what} freely"),
                format!("attach it with a [[joint]] or a [[force]] that names `{name}`"),
            )
        })
        .collect()
}
