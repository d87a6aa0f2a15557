//! Coordinates of joints that follow signals: each is a body with one freedom, moved by a lag, and the last side of
//! its joint.

use super::number::typical_length;
use crate::body::{Body, Shape};
use crate::error::ModelError;
use crate::force::Follow;
use crate::handle::BodyRef;
use crate::model::{Model, NamedForce};
use std::borrow::Cow;
use std::sync::Arc;

/// Inertia of a target over that of the whole model. Where forces follow reactions these are found by
/// iterations, which converge as this number is large; nothing else depends on it.
const INERTIA: f64 = 1e6;

/// The model with its targets behind all that it has; the model itself where nothing follows a signal.
pub(super) fn with_targets(model: &Model) -> Result<Cow<'_, Model>, ModelError> {
    if !model.joints.iter().any(|j| j.joint.target().is_some()) {
        return Ok(Cow::Borrowed(model));
    }
    let length = typical_length(model)?;
    let mass: f64 = model.bodies.iter().map(|body| body.mass).sum();
    let turning: f64 = model.bodies.iter().map(turning).sum();
    let mut all = model.clone();
    for joint in &mut all.joints {
        let Some(target) = joint.joint.target() else {
            continue;
        };
        let inertia = match target.angular {
            true => mass * length * length + turning,
            false => mass,
        };
        let inertia = match inertia > 0.0 && inertia.is_finite() {
            true => INERTIA * inertia,
            false => INERTIA,
        };
        let angular = target.angular;
        let mut body = Body::target(&joint.name, inertia, angular);
        body.position[0] = target.start;
        let follow = Follow {
            signal: target.signal.clone(),
            inertia,
            rate: target.rate,
            damping: target.damping,
        };
        all.bodies.push(body);
        let body = BodyRef::from_index(all.bodies.len() - 1);
        joint.further.push(body);
        all.forces.push(NamedForce {
            name: joint.name.clone(),
            a: BodyRef::GROUND,
            b: body,
            force: Arc::new(follow),
        });
    }
    Ok(Cow::Owned(all))
}

/// The largest moment of inertia of a body.
fn turning(body: &Body) -> f64 {
    match &body.shape {
        Shape::Rigid { inertia } => (0..3).map(|i| inertia[i][i]).fold(0.0, f64::max),
        Shape::Planar { inertia, .. } => *inertia,
        Shape::Point | Shape::Bead | Shape::Modal(_) | Shape::Target { .. } => 0.0,
    }
}
