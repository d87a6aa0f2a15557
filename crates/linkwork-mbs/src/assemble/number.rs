//! Numbers of coordinates, rows and entries.

mod bodies;
mod joints;

pub(super) use bodies::gyroscopic_entries;

use super::places::Entries;
use super::{ForcePlan, Plan, SensorPlan};
use super::{check, spins, square};
use crate::body::Shape;
use crate::curve::Curve;
use crate::error::ModelError;
use crate::force::ForceWant;
use crate::geometry::Vector;
use crate::handle::BodyRef;
use crate::lanes::Lanes;
use crate::model::Model;
use linkwork_dae::switching::{Sense, Switch};
use std::ops::Range;

/// Numbers a model; entries of shared blocks are collected.
pub(super) fn number(model: &Model, entries: &mut Entries) -> Result<Plan, ModelError> {
    let length = typical_length(model)?;
    let mut plan = bodies::bodies(model, length, entries)?;
    joints::joints(model, &mut plan, entries)?;
    number_forces(model, &mut plan, entries)?;
    for named in &model.sensors {
        let title = format!("sensor `{}`", named.name);
        let (a, b) = (named.a, named.b);
        check::known(model, &title, a)?;
        check::known(model, &title, b)?;
        let needs = [named.sensor.needs_orientation(); 2];
        let markers = named.sensor.markers();
        check::sides(model, &title, [a, b], needs, slices(&markers))?;
        let refused = |why: String| ModelError::new(format!("{title}: {why}"));
        named.sensor.check().map_err(refused)?;
        let turns = remember(&mut plan.turns, named.sensor.turns());
        plan.sensors.push(SensorPlan {
            name: named.name.clone(),
            sensor: named.sensor.clone(),
            a: plan.frame(a),
            b: plan.frame(b),
            flat: is_flat(model, a, b),
            told: model.axes.told(named.sensor.channels()),
            turns,
        });
    }
    Ok(plan)
}

/// Whether two bodies can only move parallel to the x-y plane.
fn is_flat(model: &Model, a: BodyRef, b: BodyRef) -> bool {
    model.site(a).flat && model.site(b).flat
}

fn slices(markers: &[Option<Vector>; 2]) -> [Option<&[f64]>; 2] {
    [0, 1].map(|i| markers[i].as_ref().map(|p| &p[..]))
}

fn remember(count: &mut usize, more: usize) -> Range<usize> {
    let first = *count;
    *count += more;
    first..*count
}

/// The typical length that the model gives, if any.
fn given_length(model: &Model) -> Result<Option<f64>, ModelError> {
    match model.length {
        Some(length) if !(length > 0.0 && length.is_finite()) => {
            let message = format!("the typical length must be greater than zero, it is {length}");
            Err(ModelError::new(message))
        }
        given => Ok(given),
    }
}

/// The largest side of the box around all bodies and attachment points in the start pose, or the
/// longest length among the parameters.
pub(super) fn typical_length(model: &Model) -> Result<f64, ModelError> {
    if let Some(length) = given_length(model)? {
        return Ok(length);
    }
    let mut low = [f64::INFINITY; 3];
    let mut high = [f64::NEG_INFINITY; 3];
    let mut longest = 0.0_f64;
    let mut include = |p: Vector| {
        for i in 0..3 {
            low[i] = low[i].min(p[i]);
            high[i] = high[i].max(p[i]);
        }
    };
    for body in &model.bodies {
        if let Shape::Target { .. } = body.shape {
            continue;
        }
        include(body.centre());
        if let Shape::Modal(modal) = &body.shape {
            let pose = body.site().pose;
            (modal.points.iter()).for_each(|p| include(pose.point(p.place)));
        }
    }
    let elements = (model.joints.iter())
        .map(|j| (j.a, j.b, j.joint.markers(), j.joint.extent()))
        .chain((model.forces.iter()).map(|f| (f.a, f.b, f.force.markers(), f.force.extent())));
    for (a, b, markers, extent) in elements {
        for (body, marker) in [a, b].into_iter().zip(markers) {
            if let Some(p) = marker {
                include(model.site(body).pose.point(p));
            }
        }
        longest = longest.max(extent);
    }
    let size = (0..3).map(|i| high[i] - low[i]).fold(longest, f64::max);
    // A mechanism without extent (one body, no points) has no scale of its own.
    Ok(if size > 0.0 && size.is_finite() {
        size
    } else {
        1.0
    })
}

fn number_forces(model: &Model, plan: &mut Plan, entries: &mut Entries) -> Result<(), ModelError> {
    for named in &model.forces {
        let title = format!("force `{}`", named.name);
        if named.force.is_external() {
            check::external(model, &title, named.a, named.b)?;
        } else {
            check::bodies(model, &title, named.a, named.b)?;
        }
        let needs = named.force.needs_orientation();
        let markers = named.force.markers();
        check::sides(model, &title, [named.a, named.b], needs, slices(&markers))?;
        let refused = |why: String| ModelError::new(format!("{title}: {why}"));
        named.force.check().map_err(refused)?;
        let (a, b) = (plan.frame(named.a), plan.frame(named.b));
        let local = plan.local_columns(a, b);
        let flat = is_flat(model, named.a, named.b);
        let pattern = named.force.pattern(flat);
        (entries.r_q).extend(square(&local, &pattern.stiffness).map(|(_, entry)| entry));
        (entries.r_v).extend(square(&local, &pattern.damping).map(|(_, entry)| entry));
        let first = plan.switches.len();
        for (what, scale) in named.force.switches() {
            plan.switches.push(Switch {
                name: format!("{title}, {what}"),
                sense: Sense::Mode,
                scale,
                recorded: false,
            });
        }
        let switches = first..plan.switches.len();
        if let Some(inertia) = named.force.spin_inertia() {
            spins::number(plan, (a, b), inertia, entries);
        }
        let turns = remember(&mut plan.turns, named.force.turns());
        let curves = (named.force.profiles()).map(|curve| curve.map(|(_, curve)| curve));
        let piece = plan.forces.len();
        match named.force.strains() {
            None | Some("") => {}
            Some(of) => match plan.beams.iter_mut().rfind(|(name, _)| name == of) {
                Some((_, pieces)) => pieces.push(piece),
                None => plan.beams.push((of.to_string(), vec![piece])),
            },
        }
        plan.may_meet(named.force.reach(), [a, b], named.force.markers());
        plan.forces.push(ForcePlan {
            name: named.name.clone(),
            force: named.force.clone(),
            a,
            b,
            flat,
            lanes: Lanes::new(|j| local[j].is_some() && pattern.has_column(j)),
            has: ForceWant::ALL,
            stiffness: Vec::new(),
            damping: Vec::new(),
            inputs: Vec::new(),
            states: 0..0,
            by_states: Default::default(),
            switches,
            features: curves.map(|c| c.map_or(Vec::new(), Curve::features)),
            hides: curves.map(|c| c.is_some_and(Curve::may_hide)),
            told: model.axes.told(named.force.channels()),
            turns,
        });
    }
    Ok(())
}
