//! Mechanisms in which nothing can move, or nothing makes anything move.

use super::{Finding, Scene, Severity};
use crate::assemble::assemble;
use crate::body::Shape;
use crate::geometry::{Vector, cross, dot, norm};
use crate::joint::{Joint, Revolute};
use crate::model::{Axes, Model, NamedJoint};
use linkwork_dae::initial;
use linkwork_dae::system::System;
use std::sync::Arc;

/// Hinge axes that are further apart are meant to be.
const NEARLY_PARALLEL: f64 = 0.2;
/// Hinge axes that are nearer are parallel.
const PARALLEL: f64 = 1e-6;
/// Changes of a hinge that are tried before the search for one that frees the mechanism is given up.
const TRIED: usize = 60;

/// Whether a joint moves the mechanism by itself.
fn drives(joint: &NamedJoint) -> bool {
    !joint.joint.prescribed().is_empty() || joint.joint.target().is_some()
}

/// Mechanisms without a degree of freedom that nothing drives.
pub(super) fn locked(scene: &Scene<'_>) -> Vec<Finding> {
    let (model, Some(equations)) = (scene.model, &scene.equations) else {
        return Vec::new();
    };
    let dims = equations.assembly.facts().dims;
    // fewer equations than coordinates leave a freedom, whatever they are
    if dims.nv == 0 || dims.rows() < dims.nv || model.joints.iter().any(drives) {
        return Vec::new();
    }
    let mut system = equations.assembly.clone();
    let guess = system.facts().guess.clone();
    let Ok(start) = initial::start(&mut system, &guess) else {
        return Vec::new();
    };
    if start.report.dof > 0 {
        return Vec::new();
    }
    let what = "the joints leave no degree of freedom: nothing can move";
    let Some((odd, like, angle)) = oblique_hinge(model) else {
        let help = "remove a joint, or take one with fewer equations; a prescribed motion needs a joint of kind drive";
        return vec![scene.finding("locked", Severity::Warning, "", what.into(), help)];
    };
    let message = format!(
        "{what}. It could if the axis of `{odd}` were parallel to that of `{like}`: they are {:.2} degrees apart",
        angle.to_degrees()
    );
    let help = format!("give `{odd}` the axis of `{like}`");
    let finding = scene.finding("locked", Severity::Warning, &odd, message, help);
    vec![finding.at("axis")]
}

/// The global axis of a hinge.
fn axis(model: &Model, joint: &NamedJoint) -> Option<Vector> {
    let hinge = joint
        .joint
        .hinge()
        .filter(|_| joint.joint.kind() == "revolute")?;
    Some(model.site(joint.a).pose.direction(hinge.axis()))
}

/// A hinge whose axis is nearly parallel to another, and the mechanism could move if it were; with the angle.
fn oblique_hinge(model: &Model) -> Option<(String, String, f64)> {
    let hinges: Vec<(usize, Vector)> = (model.joints.iter().enumerate())
        .filter_map(|(k, joint)| Some((k, axis(model, joint)?)))
        .collect();
    let pairs = hinges
        .iter()
        .flat_map(|odd| hinges.iter().map(move |like| (odd, like)));
    let oblique = pairs.filter_map(|((k, axis), (l, like))| {
        let angle = norm(cross(*axis, *like)).atan2(dot(*axis, *like).abs());
        (angle > PARALLEL && angle < NEARLY_PARALLEL).then_some((*k, *l, *like, angle))
    });
    let freed = |(k, l, like, angle): (usize, usize, Vector, f64)| {
        let mut changed = model.clone();
        let joint = &mut changed.joints[k];
        let (a, b) = (model.site(joint.a), model.site(joint.b));
        let place = a.pose.point(joint.joint.markers()[0]?);
        let mut hinge = Revolute::at(place, like);
        hinge.place(&a, &b);
        joint.joint = Arc::new(hinge);
        let mut system = assemble(&changed).ok()?;
        let guess = system.facts().guess.clone();
        let start = initial::start(&mut system, &guess).ok()?;
        let name = |k: usize| model.joints[k].name.clone();
        (start.report.dof > 0).then(|| (name(k), name(l), angle))
    };
    oblique.take(TRIED).find_map(freed)
}

/// Models in which nothing acts: gravity was most likely forgotten.
pub(super) fn nothing_acts(scene: &Scene<'_>) -> Vec<Finding> {
    let model = scene.model;
    let rests = |v: &Vector| *v == [0.0; 3];
    let acts = !rests(&model.gravity)
        || !model.forces.is_empty()
        || !model.controls.is_empty()
        || model
            .joints
            .iter()
            .any(|j| drives(j) || !j.further.is_empty());
    let moves = (model.bodies.iter()).any(|b| {
        !rests(&b.velocity) || !rests(&b.angular_velocity) || matches!(b.shape, Shape::Modal(_))
    });
    // a single free body is an experiment
    if acts || moves || model.bodies.is_empty() || model.joints.is_empty() {
        return Vec::new();
    }
    let message = "nothing moves: there is no gravity, no force, no drive and no start velocity";
    let help = match scene.model.axes {
        Axes::Space => "gravity is zero unless it is given: gravity = [0, 0, -9.81] in [model]",
        Axes::Plane => "gravity is zero unless it is given: gravity = [0, -9.81] in [model]",
    };
    let name = model.bodies[0].name.clone();
    vec![scene.finding(
        "nothing-acts",
        Severity::Warning,
        &name,
        message.into(),
        help,
    )]
}
