//! Bodies and what they are attached to.

use super::{Finding, Scene, Severity};
use crate::handle::BodyRef;
use std::collections::HashSet;

/// Bodies that nothing touches.
pub(super) fn unattached(scene: &Scene<'_>) -> Vec<Finding> {
    let (bodies, joints, forces) = (scene.masses(), scene.joints(), scene.forces());
    let links = joints.iter().chain(&forces);
    // at whatever frame of a body
    let ends = links.flat_map(|link| [link.a, link.b]);
    let attached: HashSet<usize> = ends.filter_map(BodyRef::index).collect();
    let alone = |i: usize| !attached.contains(&i);
    // a single free body is an experiment, one among others was forgotten
    let severity = if bodies.len() == 1 {
        Severity::Hint
    } else {
        Severity::Warning
    };
    (0..bodies.len())
        .filter(|&i| alone(i))
        .map(|i| {
            let name = bodies[i].name;
            let what = if scene.model.gravity == [0.0; 3] {
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
