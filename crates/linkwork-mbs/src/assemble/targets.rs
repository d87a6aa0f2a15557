//! What is put together from simpler parts. Forces of several sides are taken apart. Joints bring forces, and coordinates of those that follow signals. Each of these is a body with
//! one freedom, moved by a lag, and the last side of its joint.

use super::number::typical_length;
use crate::body::{Body, Shape};
use crate::error::ModelError;
use crate::force::Follow;
use crate::handle::BodyRef;
use crate::model::{Model, NamedForce, NamedJoint, NamedSensor};
use std::borrow::Cow;
use std::sync::Arc;

/// Inertia of a target over that of the whole model. Where forces follow reactions these are found by
/// iterations, which converge as this number is large; nothing else depends on it.
const INERTIA: f64 = 1e6;

/// The model with forces and targets of its joints behind all that it has; the model itself where there are none.
pub(super) fn with_targets(model: &Model) -> Result<Cow<'_, Model>, ModelError> {
    let brought: Vec<NamedForce> = model.joints.iter().filter_map(companion).collect();
    let apart = take_apart(model)?;
    let follows = model.joints.iter().any(|j| j.joint.target().is_some());
    if brought.is_empty() && apart.is_none() && !follows {
        return Ok(Cow::Borrowed(model));
    }
    let length = typical_length(model)?;
    let mass: f64 = model.bodies.iter().map(|body| body.mass).sum();
    let turning: f64 = model.bodies.iter().map(turning).sum();
    let mut all = model.clone();
    if let Some((forces, sensors)) = apart {
        all.forces = forces;
        all.sensors.extend(sensors);
    }
    all.forces.extend(brought);
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
            further: Vec::new(),
            force: Arc::new(follow),
            rests_at_start: false,
        });
    }
    Ok(Cow::Owned(all))
}

/// Forces and sensors.
type Elements = (Vec<NamedForce>, Vec<NamedSensor>);

/// All forces, those of several sides as their parts, and the sensors of these; `None` where there are none.
fn take_apart(model: &Model) -> Result<Option<Elements>, ModelError> {
    let (mut forces, mut sensors) = (Vec::new(), Vec::new());
    for named in &model.forces {
        let sides: Vec<BodyRef> = [named.a, named.b]
            .into_iter()
            .chain(named.further.iter().copied())
            .collect();
        let (needed, name) = (named.force.sides(), &named.name);
        if sides.len() != needed {
            let message = format!(
                "force `{name}` has {} bodies where it needs {needed}",
                sides.len()
            );
            return Err(ModelError::new(message));
        }
        let legs = named.force.legs(name);
        if legs.is_empty() {
            forces.push(named.clone());
            continue;
        }
        let refused = |why: String| ModelError::new(format!("force `{name}`: {why}"));
        named.force.check().map_err(refused)?;
        for leg in legs {
            let [a, b] = leg.sides.map(|k| sides[k]);
            forces.push(NamedForce {
                name: leg.name.clone(),
                a,
                b,
                further: Vec::new(),
                force: leg.force,
                rests_at_start: false,
            });
            sensors.push(NamedSensor {
                name: leg.name,
                a,
                b,
                sensor: leg.sensor,
            });
        }
    }
    Ok((!sensors.is_empty()).then_some((forces, sensors)))
}

/// The force that a joint brings.
fn companion(joint: &NamedJoint) -> Option<NamedForce> {
    Some(NamedForce {
        name: joint.name.clone(),
        a: joint.a,
        b: joint.b,
        further: Vec::new(),
        force: joint.joint.companion(&joint.name)?,
        rests_at_start: false,
    })
}

/// The largest moment of inertia of a body.
fn turning(body: &Body) -> f64 {
    match &body.shape {
        Shape::Rigid { inertia } => (0..3).map(|i| inertia[i][i]).fold(0.0, f64::max),
        Shape::Planar { inertia, .. } => *inertia,
        Shape::Point | Shape::Bead | Shape::Modal(_) | Shape::Target { .. } => 0.0,
    }
}
