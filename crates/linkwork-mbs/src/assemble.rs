//! From a model to numbered equations: checks, coordinates, block patterns, slots.
//!
//! Everything that evaluation would have to search for is found here once. The entries of `C_q`
//! and `(C_q v + C_t)_q` belong to one joint each and are stored joint after joint; the entries of
//! `K` and `D` are shared by all elements on a body and are found through slots.

mod check;
mod layout;
mod places;
mod spatial;
mod wiring;

pub(crate) use spatial::{
    BodyPlan as SpaceBodyPlan, ForcePlan as SpaceForcePlan, JointPlan as SpaceJointPlan, Motion,
    SpacePlan,
};
pub(crate) use wiring::{Node, Source, Wiring};

use crate::assembly::{Assembly, Gather, JointPlaces, Sides, Slot};
use crate::body::Shape;
use crate::error::ModelError;
use crate::force::Force;
use crate::handle::BodyRef;
use crate::joint::{COLUMNS, Joint};
use crate::model::Model;
use crate::sensor::Sensor;
use crate::space::Vector;
use linkwork_dae::system::{BlockPatterns, Dims, Guess, Part};
use places::Entries;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use wiring::ForceInput;

/// Number of the ground among the frames; body `i` has frame `i + 1`.
pub(crate) const GROUND: usize = 0;

/// A numbered body.
#[derive(Debug)]
pub(crate) struct BodyPlan {
    pub name: String,
    /// First coordinate.
    pub first: usize,
    /// Number of coordinates: 3, or 2 for a point.
    pub coordinates: usize,
    pub mass: f64,
    pub inertia: f64,
    /// Force of gravity.
    pub weight: Vector,
}

/// A numbered joint.
#[derive(Debug)]
pub(crate) struct JointPlan {
    pub name: String,
    pub joint: Arc<dyn Joint>,
    pub places: JointPlaces,
}

/// A numbered force.
#[derive(Debug)]
pub(crate) struct ForcePlan {
    pub name: String,
    pub force: Arc<dyn Force>,
    pub a: usize,
    pub b: usize,
    /// Entries of `-dQ/dq` in K.
    pub stiffness: Vec<Slot>,
    /// Entries of `-dQ/dv` in D.
    pub damping: Vec<Slot>,
    /// Inputs; empty when none of them names a signal.
    pub inputs: Vec<ForceInput>,
}

/// A numbered sensor.
#[derive(Debug)]
pub(crate) struct SensorPlan {
    pub name: String,
    pub sensor: Sensor,
    pub a: usize,
    pub b: usize,
}

/// The constant part of an assembly, shared by all its copies.
#[derive(Debug)]
pub(crate) struct Plan {
    pub dims: Dims,
    pub patterns: BlockPatterns,
    pub bodies: Vec<BodyPlan>,
    pub joints: Vec<JointPlan>,
    pub forces: Vec<ForcePlan>,
    pub sensors: Vec<SensorPlan>,
    pub wiring: Wiring,
    /// Diagonal of M.
    pub mass: Vec<f64>,
    /// Generalised gravity force.
    pub weight: Vec<f64>,
    /// Whether each coordinate is an angle.
    pub angular: Vec<bool>,
    /// Body of each coordinate.
    pub body_of: Vec<u32>,
    /// Joint of each constraint row.
    pub joint_of: Vec<u32>,
    /// Typical length.
    pub length: f64,
    pub guess: Guess,
    /// The elements of a mechanism in space; then the planar ones are not there.
    pub space: Option<SpacePlan>,
}

/// Checks a model and numbers its equations.
pub fn assemble(model: &Model) -> Result<Assembly, ModelError> {
    check::names(model)?;
    check::one_space(model)?;
    let spatial = model.spatial.as_ref();
    let nothing_to_move = model.bodies.is_empty()
        && model.joints.is_empty()
        && model.forces.is_empty()
        && spatial
            .is_none_or(|m| m.bodies.is_empty() && m.joints.is_empty() && m.forces.is_empty());
    // a controller alone is a model too: it has states, and others to work with
    let nothing_to_move = nothing_to_move && model.controls.is_empty();
    if nothing_to_move {
        let help = "add a [[body]]: whatever moves, its mass and where it starts";
        return Err(ModelError::new("the model has no bodies").with_help(help));
    }
    let mut entries = Entries::default();
    let mut plan = match spatial {
        Some(mechanism) => spatial::number(model, mechanism, &mut entries)?,
        None => number(model, &mut entries)?,
    };
    let mut wiring = wiring::wire(model, &mut plan, &mut entries)?;
    share_slots(&mut plan, &mut wiring, entries);
    plan.dims.nx = wiring.state_names.len();
    plan.guess.x.clone_from(&wiring.state_start);
    plan.wiring = wiring;
    Assembly::new(plan)
}

/// Numbers a planar model; entries of shared blocks are collected.
fn number(model: &Model, entries: &mut Entries) -> Result<Plan, ModelError> {
    let length = typical_length(model)?;
    let mut plan = number_bodies(model, length)?;
    for named in &model.joints {
        let title = format!("joint `{}`", named.name);
        check::bodies(model, &title, named.a, named.b)?;
        let needs = named.joint.needs_orientation();
        check::sides(
            model,
            &title,
            [named.a, named.b],
            needs,
            slices(&named.joint.markers()),
        )?;
        let refused = |why: String| ModelError::new(format!("{title}: {why}"));
        named.joint.check().map_err(refused)?;
        add_joint(&mut plan, named, &mut entries.r_q);
    }
    for named in &model.forces {
        let title = format!("force `{}`", named.name);
        if named.force.is_external() {
            check::external(model, &title, named.a, named.b)?;
        } else {
            check::bodies(model, &title, named.a, named.b)?;
        }
        let needs = named.force.needs_orientation();
        check::sides(
            model,
            &title,
            [named.a, named.b],
            needs,
            slices(&named.force.markers()),
        )?;
        let refused = |why: String| ModelError::new(format!("{title}: {why}"));
        named.force.check().map_err(refused)?;
        add_force(&mut plan, named, entries);
    }
    for named in &model.sensors {
        let title = format!("sensor `{}`", named.name);
        let (a, b) = named.sensor.bodies();
        check::known(model, &title, a)?;
        check::known(model, &title, b)?;
        let needs = [named.sensor.needs_orientation(); 2];
        let markers = named.sensor.markers().map(|m| Some(m.point));
        check::sides(model, &title, [a, b], needs, slices(&markers))?;
        plan.sensors.push(SensorPlan {
            name: named.name.clone(),
            sensor: named.sensor.clone(),
            a: frame(a),
            b: frame(b),
        });
    }
    Ok(plan)
}

fn slices(markers: &[Option<Vector>; 2]) -> [Option<&[f64]>; 2] {
    [0, 1].map(|i| markers[i].as_ref().map(|p| &p[..]))
}

fn frame(body: BodyRef) -> usize {
    body.index().map_or(GROUND, |i| i + 1)
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

/// The larger side of the box around all bodies and attachment points in the start pose, or the
/// longest length among the parameters.
fn typical_length(model: &Model) -> Result<f64, ModelError> {
    if let Some(length) = given_length(model)? {
        return Ok(length);
    }
    let mut low = [f64::INFINITY; 2];
    let mut high = [f64::NEG_INFINITY; 2];
    let mut longest = 0.0_f64;
    let mut include = |p: Vector| {
        for i in 0..2 {
            low[i] = low[i].min(p[i]);
            high[i] = high[i].max(p[i]);
        }
    };
    for body in &model.bodies {
        include(body.position);
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
    let size = (high[0] - low[0]).max(high[1] - low[1]).max(longest);
    // A mechanism without extent (one body, no points) has no scale of its own.
    Ok(if size > 0.0 && size.is_finite() {
        size
    } else {
        1.0
    })
}

fn number_bodies(model: &Model, length: f64) -> Result<Plan, ModelError> {
    let g = model.gravity;
    if !(g[0].is_finite() && g[1].is_finite() && model.start_time.is_finite()) {
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
    for (i, body) in model.bodies.iter().enumerate() {
        body.check()?;
        plan.bodies.push(BodyPlan {
            name: body.name.clone(),
            first: plan.mass.len(),
            coordinates: body.coordinates(),
            mass: body.mass,
            inertia: match body.shape {
                Shape::Rigid { inertia } => inertia,
                Shape::Point => 0.0,
            },
            weight: [body.mass * g[0], body.mass * g[1]],
        });
        let mut coordinate = |mass: f64, weight: f64, q: f64, v: f64, angular: bool| {
            // Metres and radians become comparable when each is measured in its own scale.
            let scale = if angular { 1.0 } else { length };
            plan.mass.push(mass);
            plan.weight.push(weight);
            plan.angular.push(angular);
            plan.body_of.push(i as u32);
            plan.guess.q.push(q);
            plan.guess.v.push(v);
            let weigh = |w: f64| w / (scale * scale);
            let trust = if angular {
                body.angle_trust
            } else {
                body.position_trust
            };
            plan.guess.weight_q.push(weigh(trust.weight()));
            plan.guess
                .weight_v
                .push(weigh(body.velocity_trust.weight()));
        };
        let m = body.mass;
        coordinate(m, m * g[0], body.position[0], body.velocity[0], false);
        coordinate(m, m * g[1], body.position[1], body.velocity[1], false);
        if let Shape::Rigid { inertia } = body.shape {
            coordinate(inertia, 0.0, body.angle, body.angular_velocity, true);
        }
    }
    let nv = plan.mass.len();
    plan.dims = Dims {
        nq: nv,
        nv,
        ..Dims::default()
    };
    plan.patterns[Part::Mass] = (0..nv as u32).map(|i| (i, i)).collect();
    Ok(plan)
}

/// The coordinate behind each local column; `None` where the body has no such coordinate.
fn local_columns(plan: &Plan, a: usize, b: usize) -> [Option<u32>; COLUMNS] {
    std::array::from_fn(|j| {
        let side = if j < 3 { a } else { b };
        let body = &plan.bodies[side.checked_sub(1)?];
        let local = j % 3;
        (local < body.coordinates).then(|| (body.first + local) as u32)
    })
}

fn add_joint(plan: &mut Plan, named: &crate::model::NamedJoint, k: &mut BTreeSet<(u32, u32)>) {
    let (a, b) = (frame(named.a), frame(named.b));
    let local = local_columns(plan, a, b);
    let pattern = named.joint.pattern();
    let (row, rows) = (plan.dims.nc, named.joint.rows());
    let mut gather = |part: Part, entries: &[(u8, u8)]| {
        let block = &mut plan.patterns[part];
        let mut g = Gather {
            first: block.len(),
            from: Vec::new(),
        };
        for &(i, j) in entries {
            if let Some(column) = local[j as usize] {
                block.push((row as u32 + u32::from(i), column));
                g.from.push(i * COLUMNS as u8 + j);
            }
        }
        g
    };
    let c_q = gather(Part::Cq, &pattern.c_q);
    let cv_q = gather(Part::CVq, &pattern.cv_q);
    let index = plan.joints.len() as u32;
    plan.joint_of.extend(std::iter::repeat_n(index, rows));
    plan.dims.nc += rows;
    plan.joints.push(JointPlan {
        name: named.name.clone(),
        joint: named.joint.clone(),
        places: JointPlaces {
            a,
            b,
            sides: match local {
                [Some(_), _, Some(_), _, _, Some(_)] => Sides::Rigid,
                [None, _, _, _, _, Some(_)] => Sides::GroundAndRigid,
                _ => Sides::Other,
            },
            row,
            rows,
            c_q,
            cv_q,
            hess: Vec::new(),
        },
    });
    k.extend(entries(&local, &pattern.hess).map(|(_, entry)| entry));
}

fn add_force(plan: &mut Plan, named: &crate::model::NamedForce, all: &mut Entries) {
    let (a, b) = (frame(named.a), frame(named.b));
    let local = local_columns(plan, a, b);
    let pattern = named.force.pattern();
    (all.r_q).extend(entries(&local, &pattern.stiffness).map(|(_, entry)| entry));
    (all.r_v).extend(entries(&local, &pattern.damping).map(|(_, entry)| entry));
    plan.forces.push(ForcePlan {
        name: named.name.clone(),
        force: named.force.clone(),
        a,
        b,
        stiffness: Vec::new(),
        damping: Vec::new(),
        inputs: Vec::new(),
    });
}

/// Entries of a 6 x 6 element matrix that exist: row-major position, and (row, column).
fn entries<'a>(
    local: &'a [Option<u32>; COLUMNS],
    pattern: &'a [(u8, u8)],
) -> impl Iterator<Item = (u8, (u32, u32))> + 'a {
    pattern.iter().filter_map(|&(i, j)| {
        let entry = (local[i as usize]?, local[j as usize]?);
        Some((i * COLUMNS as u8 + j, entry))
    })
}

/// Numbers the shared entries of K, D and the blocks of signals, and tells every element where its
/// own are.
fn share_slots(plan: &mut Plan, wiring: &mut Wiring, mut all: Entries) {
    let shared = [Part::Rq, Part::Rv, Part::Rx, Part::Fq, Part::Fv, Part::Fx];
    let mut maps: [BTreeMap<(u32, u32), u32>; Part::COUNT] = Default::default();
    for part in shared {
        let set = std::mem::take(all.set(part));
        plan.patterns[part] = set.iter().copied().collect();
        maps[part as usize] = set.into_iter().zip(0..).collect();
    }
    let (in_k, in_d) = (&maps[Part::Rq as usize], &maps[Part::Rv as usize]);
    let slots = |map: &BTreeMap<(u32, u32), u32>,
                 local: &[Option<u32>; COLUMNS],
                 pattern: &[(u8, u8)]|
     -> Vec<Slot> {
        entries(local, pattern)
            .map(|(from, entry)| (from, map[&entry]))
            .collect()
    };
    for i in 0..plan.joints.len() {
        let places = &plan.joints[i].places;
        let local = local_columns(plan, places.a, places.b);
        let joint = &mut plan.joints[i];
        joint.places.hess = slots(in_k, &local, &joint.joint.pattern().hess);
    }
    for i in 0..plan.forces.len() {
        let local = local_columns(plan, plan.forces[i].a, plan.forces[i].b);
        let force = &mut plan.forces[i];
        let pattern = force.force.pattern();
        force.stiffness = slots(in_k, &local, &pattern.stiffness);
        force.damping = slots(in_d, &local, &pattern.damping);
    }
    if let Some(space) = &mut plan.space {
        spatial::share_slots(space, in_k, in_d);
    }
    places::place(plan, wiring, &|part, entry| maps[part as usize][&entry]);
}
