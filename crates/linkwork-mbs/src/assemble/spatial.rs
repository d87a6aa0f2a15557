//! Numbering of a mechanism in space: coordinates, rows, block patterns, slots.

use super::places::Entries;
use super::wiring::{ForceInput, Wiring};
use super::{GROUND, Plan, check};
use crate::assembly::{Gather, Slot};
use crate::error::ModelError;
use crate::handle::BodyRef;
use crate::model::Model;
use crate::spatial::Mechanism;
use crate::spatial::body::{Body, Shape};
use crate::spatial::force::Force;
use crate::spatial::geometry::{Matrix, Vector};
use crate::spatial::joint::{COLUMNS, Joint};
use crate::spatial::sensor::Sensor;
use linkwork_dae::rotation::Quaternion;
use linkwork_dae::system::{BlockPatterns, Dims, Guess, Part};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// What the coordinates of a body mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Motion {
    /// Position and rotation; the number of the rotation among those of the chart.
    Rigid { rotation: usize },
    /// x, y and an angle about z, at a constant height.
    Planar { z: f64 },
    /// Position.
    Point,
}

/// A numbered body in space.
#[derive(Debug)]
pub(crate) struct BodyPlan {
    pub name: String,
    /// First coordinate.
    pub first: usize,
    /// The freedoms behind its coordinates, among dx, dy, dz, theta_x, theta_y, theta_z.
    pub freedoms: &'static [usize],
    pub motion: Motion,
    pub inertia: Matrix,
    /// Force of gravity.
    pub weight: Vector,
    /// Entries of `d(omega x J omega)/d omega` in D.
    pub gyroscopic: Vec<Slot>,
}

/// A numbered joint in space.
#[derive(Debug)]
pub(crate) struct JointPlan {
    pub name: String,
    pub joint: Arc<dyn Joint>,
    pub a: usize,
    pub b: usize,
    /// First row of positions, and how many.
    pub row: usize,
    pub rows: usize,
    /// First row of velocities, and how many.
    pub velocity_row: usize,
    pub velocity_rows: usize,
    pub c_q: Gather,
    pub cv_q: Gather,
    pub hess: Vec<Slot>,
    pub hess_v: Vec<Slot>,
    /// Its remembered angles.
    pub turns: Range<usize>,
}

/// A numbered force in space.
#[derive(Debug)]
pub(crate) struct ForcePlan {
    pub name: String,
    pub force: Arc<dyn Force>,
    pub a: usize,
    pub b: usize,
    pub stiffness: Vec<Slot>,
    pub damping: Vec<Slot>,
    /// Inputs; empty when none of them names a signal.
    pub inputs: Vec<ForceInput>,
    /// Its remembered angles.
    pub turns: Range<usize>,
}

/// A numbered sensor in space.
#[derive(Debug)]
pub(crate) struct SensorPlan {
    pub name: String,
    pub sensor: Sensor,
    pub a: usize,
    pub b: usize,
    /// Its remembered angles.
    pub turns: Range<usize>,
}

/// What a plan holds of a mechanism in space.
#[derive(Debug, Default)]
pub(crate) struct SpacePlan {
    pub bodies: Vec<BodyPlan>,
    pub joints: Vec<JointPlan>,
    pub forces: Vec<ForcePlan>,
    pub sensors: Vec<SensorPlan>,
    /// First coordinate and start orientation of every rotation.
    pub rotations: Vec<(usize, Quaternion)>,
    /// Number of remembered angles.
    pub turns: usize,
}

impl SpacePlan {
    /// The coordinate behind each local column; `None` where the body has no such freedom.
    pub fn local_columns(&self, a: usize, b: usize) -> [Option<u32>; COLUMNS] {
        std::array::from_fn(|j| {
            let side = if j < 6 { a } else { b };
            let body = &self.bodies[side.checked_sub(GROUND + 1)?];
            let local = body.freedoms.iter().position(|f| *f == j % 6)?;
            Some((body.first + local) as u32)
        })
    }
}

fn frame(body: BodyRef) -> usize {
    body.index().map_or(GROUND, |i| i + 1)
}

/// Numbers a mechanism; entries of shared blocks are collected.
pub(super) fn number(
    model: &Model,
    mechanism: &Mechanism,
    entries: &mut Entries,
) -> Result<Plan, ModelError> {
    let length = typical_length(model, mechanism)?;
    let (mut plan, mut space) = number_bodies(model, mechanism, length, entries)?;
    number_joints(model, mechanism, &mut plan, &mut space, entries)?;
    number_forces(model, mechanism, &mut space, entries)?;
    for named in &mechanism.sensors {
        let title = format!("sensor `{}`", named.name);
        let (a, b) = named.sensor.bodies();
        check::known(model, &title, a)?;
        check::known(model, &title, b)?;
        let needs = [named.sensor.needs_orientation(); 2];
        let markers = named.sensor.markers();
        check::sides(model, &title, [a, b], needs, slices(&markers))?;
        let refused = |why: String| ModelError::new(format!("{title}: {why}"));
        named.sensor.check().map_err(refused)?;
        let turns = remember(&mut space.turns, named.sensor.turns());
        space.sensors.push(SensorPlan {
            name: named.name.clone(),
            sensor: named.sensor.clone(),
            a: frame(a),
            b: frame(b),
            turns,
        });
    }
    plan.space = Some(space);
    Ok(plan)
}

fn slices(markers: &[Option<Vector>; 2]) -> [Option<&[f64]>; 2] {
    [0, 1].map(|i| markers[i].as_ref().map(|p| &p[..]))
}

fn remember(count: &mut usize, more: usize) -> Range<usize> {
    let first = *count;
    *count += more;
    first..*count
}

/// The largest side of the box around all bodies and attachment points in the start pose, or the
/// longest length among the parameters.
fn typical_length(model: &Model, mechanism: &Mechanism) -> Result<f64, ModelError> {
    if let Some(length) = super::given_length(model)? {
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
    for body in &mechanism.bodies {
        include(body.centre());
    }
    let elements = (mechanism.joints.iter())
        .map(|j| (j.a, j.b, j.joint.markers(), j.joint.extent()))
        .chain((mechanism.forces.iter()).map(|f| (f.a, f.b, f.force.markers(), f.force.extent())));
    for (a, b, markers, extent) in elements {
        for (body, marker) in [a, b].into_iter().zip(markers) {
            if let Some(p) = marker {
                include(mechanism.site(body).pose.point(p));
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

fn number_bodies(
    model: &Model,
    mechanism: &Mechanism,
    length: f64,
    entries: &mut Entries,
) -> Result<(Plan, SpacePlan), ModelError> {
    let g = mechanism.gravity;
    if !(g.iter().all(|x| x.is_finite()) && model.start_time.is_finite()) {
        return Err(ModelError::new("gravity and start time must be finite"));
    }
    let mut plan = Plan {
        dims: Dims::default(),
        patterns: BlockPatterns::default(),
        bodies: Vec::new(),
        joints: Vec::new(),
        forces: Vec::new(),
        sensors: Vec::new(),
        wiring: Wiring::default(),
        mass: Vec::new(),
        weight: Vec::new(),
        angular: Vec::new(),
        body_of: Vec::new(),
        joint_of: Vec::new(),
        length,
        guess: Guess {
            t: model.start_time,
            ..Guess::default()
        },
        space: None,
    };
    let mut space = SpacePlan::default();
    for body in &mechanism.bodies {
        body.check()?;
        let first = plan.guess.q.len();
        let inertia = match body.shape {
            Shape::Rigid { inertia } => inertia,
            Shape::Planar { inertia, .. } => [[0.0; 3], [0.0; 3], [0.0, 0.0, inertia]],
            Shape::Point => [[0.0; 3]; 3],
        };
        number_coordinates(&mut plan, space.bodies.len(), body, &inertia, g);
        let motion = match body.shape {
            Shape::Rigid { .. } => {
                space.rotations.push((first + 3, body.orientation));
                let rotation = space.rotations.len() - 1;
                for (i, j) in gyroscopic_entries(&inertia) {
                    let entry = ((first + 3 + i) as u32, (first + 3 + j) as u32);
                    entries.r_v.insert(entry);
                }
                Motion::Rigid { rotation }
            }
            Shape::Planar { .. } => Motion::Planar {
                z: body.position[2],
            },
            Shape::Point => Motion::Point,
        };
        space.bodies.push(BodyPlan {
            name: body.name.clone(),
            first,
            freedoms: body.freedoms(),
            motion,
            inertia,
            weight: g.map(|g| body.mass * g),
            gyroscopic: Vec::new(),
        });
    }
    let nv = plan.guess.q.len();
    plan.dims = Dims {
        nq: nv,
        nv,
        ..Dims::default()
    };
    Ok((plan, space))
}

/// Start values, inertia and weights of the coordinates of one body.
fn number_coordinates(plan: &mut Plan, index: usize, body: &Body, inertia: &Matrix, g: Vector) {
    let first = plan.guess.q.len();
    let centre = body.centre();
    for &freedom in body.freedoms() {
        let angular = freedom >= 3;
        let axis = freedom % 3;
        let (q, v, weight) = if angular {
            // Rotation vectors are about the start orientation.
            let q = match body.shape {
                Shape::Planar { angle, .. } => angle,
                _ => 0.0,
            };
            (q, body.angular_velocity[axis], 0.0)
        } else {
            (centre[axis], body.velocity[axis], body.mass * g[axis])
        };
        plan.guess.q.push(q);
        plan.guess.v.push(v);
        plan.weight.push(weight);
        plan.angular.push(angular);
        plan.body_of.push(index as u32);
        // Metres and radians become comparable when each is measured in its own scale.
        let scale = if angular { 1.0 } else { plan.length };
        let trust = if angular {
            body.orientation_trust
        } else {
            body.position_trust
        };
        let weigh = |w: f64| w / (scale * scale);
        plan.guess.weight_q.push(weigh(trust.weight()));
        let trust = body.velocity_trust.weight();
        plan.guess.weight_v.push(weigh(trust));
    }
    for (i, &row) in body.freedoms().iter().enumerate() {
        for (j, &column) in body.freedoms().iter().enumerate() {
            let value = match (row < 3, column < 3) {
                (true, true) if row == column => body.mass,
                (false, false) => inertia[row - 3][column - 3],
                _ => 0.0,
            };
            if row == column || value != 0.0 {
                let entry = ((first + i) as u32, (first + j) as u32);
                plan.patterns[Part::Mass].push(entry);
                plan.mass.push(value);
            }
        }
    }
}

/// Entries of `omega^ J - (J omega)^` that can be nonzero.
fn gyroscopic_entries(j: &Matrix) -> Vec<(usize, usize)> {
    let diagonal = (0..3).all(|i| (0..3).all(|k| i == k || j[i][k] == 0.0));
    let ball = diagonal && j[0][0] == j[1][1] && j[1][1] == j[2][2];
    let all = (0..3).flat_map(|i| (0..3).map(move |k| (i, k)));
    all.filter(|(i, k)| !ball && (!diagonal || i != k))
        .collect()
}

fn number_joints(
    model: &Model,
    mechanism: &Mechanism,
    plan: &mut Plan,
    space: &mut SpacePlan,
    entries: &mut Entries,
) -> Result<(), ModelError> {
    let all = mechanism.joints.iter();
    plan.dims.nc = all.clone().map(|j| j.joint.rows()).sum();
    plan.dims.ng = all.map(|j| j.joint.velocity_rows()).sum();
    plan.joint_of = vec![0; plan.dims.rows()];
    let (mut row, mut velocity_row) = (0, plan.dims.nc);
    for named in &mechanism.joints {
        let title = format!("joint `{}`", named.name);
        check::bodies(model, &title, named.a, named.b)?;
        let needs = named.joint.needs_orientation();
        let markers = named.joint.markers();
        check::sides(model, &title, [named.a, named.b], needs, slices(&markers))?;
        let refused = |why: String| ModelError::new(format!("{title}: {why}"));
        named.joint.check().map_err(refused)?;
        let (a, b) = (frame(named.a), frame(named.b));
        let local = space.local_columns(a, b);
        let pattern = named.joint.pattern();
        let (rows, velocity_rows) = (named.joint.rows(), named.joint.velocity_rows());
        let global = |i: u8| {
            let i = usize::from(i);
            let of_positions = i < rows;
            (if of_positions {
                row + i
            } else {
                velocity_row + i - rows
            }) as u32
        };
        let mut gather = |part: Part, entries: &[(u8, u8)]| {
            let block = &mut plan.patterns[part];
            let mut g = Gather {
                first: block.len(),
                from: Vec::new(),
            };
            for &(i, j) in entries {
                if let Some(column) = local[usize::from(j)] {
                    block.push((global(i), column));
                    g.from.push(i * COLUMNS as u8 + j);
                }
            }
            g
        };
        let c_q = gather(Part::Cq, &pattern.c_q);
        let cv_q = gather(Part::CVq, &pattern.cv_q);
        let index = space.joints.len() as u32;
        plan.joint_of[row..row + rows].fill(index);
        plan.joint_of[velocity_row..velocity_row + velocity_rows].fill(index);
        (entries.r_q).extend(square(&local, &pattern.hess).map(|(_, entry)| entry));
        (entries.r_v).extend(square(&local, &pattern.hess_v).map(|(_, entry)| entry));
        let turns = remember(&mut space.turns, named.joint.turns());
        space.joints.push(JointPlan {
            name: named.name.clone(),
            joint: named.joint.clone(),
            a,
            b,
            row,
            rows,
            velocity_row,
            velocity_rows,
            c_q,
            cv_q,
            hess: Vec::new(),
            hess_v: Vec::new(),
            turns,
        });
        row += rows;
        velocity_row += velocity_rows;
    }
    Ok(())
}

fn number_forces(
    model: &Model,
    mechanism: &Mechanism,
    space: &mut SpacePlan,
    entries: &mut Entries,
) -> Result<(), ModelError> {
    for named in &mechanism.forces {
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
        let (a, b) = (frame(named.a), frame(named.b));
        let local = space.local_columns(a, b);
        let pattern = named.force.pattern();
        (entries.r_q).extend(square(&local, &pattern.stiffness).map(|(_, entry)| entry));
        (entries.r_v).extend(square(&local, &pattern.damping).map(|(_, entry)| entry));
        let turns = remember(&mut space.turns, named.force.turns());
        space.forces.push(ForcePlan {
            name: named.name.clone(),
            force: named.force.clone(),
            a,
            b,
            stiffness: Vec::new(),
            damping: Vec::new(),
            inputs: Vec::new(),
            turns,
        });
    }
    Ok(())
}

/// Entries of a 12 x 12 element matrix that exist: row-major position, and (row, column).
fn square<'a>(
    local: &'a [Option<u32>; COLUMNS],
    pattern: &'a [(u8, u8)],
) -> impl Iterator<Item = (u8, (u32, u32))> + 'a {
    pattern.iter().filter_map(|&(i, j)| {
        let entry = (local[usize::from(i)]?, local[usize::from(j)]?);
        Some((i * COLUMNS as u8 + j, entry))
    })
}

/// Tells every element where its entries of K and D are.
pub(super) fn share_slots(
    space: &mut SpacePlan,
    in_k: &BTreeMap<(u32, u32), u32>,
    in_d: &BTreeMap<(u32, u32), u32>,
) {
    let slots = |map: &BTreeMap<(u32, u32), u32>,
                 local: &[Option<u32>; COLUMNS],
                 pattern: &[(u8, u8)]|
     -> Vec<Slot> {
        square(local, pattern)
            .map(|(from, entry)| (from, map[&entry]))
            .collect()
    };
    for i in 0..space.joints.len() {
        let local = space.local_columns(space.joints[i].a, space.joints[i].b);
        let joint = &mut space.joints[i];
        let pattern = joint.joint.pattern();
        joint.hess = slots(in_k, &local, &pattern.hess);
        joint.hess_v = slots(in_d, &local, &pattern.hess_v);
    }
    for i in 0..space.forces.len() {
        let local = space.local_columns(space.forces[i].a, space.forces[i].b);
        let force = &mut space.forces[i];
        let pattern = force.force.pattern();
        force.stiffness = slots(in_k, &local, &pattern.stiffness);
        force.damping = slots(in_d, &local, &pattern.damping);
    }
    for body in &mut space.bodies {
        if let Motion::Rigid { .. } = body.motion {
            let turn = (body.first + 3) as u32;
            let entries = gyroscopic_entries(&body.inertia).into_iter();
            body.gyroscopic = entries
                .map(|(i, j)| ((3 * i + j) as u8, in_d[&(turn + i as u32, turn + j as u32)]))
                .collect();
        }
    }
}
