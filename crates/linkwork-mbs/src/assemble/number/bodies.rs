//! Numbers of bodies: coordinates, start values, inertia and weight of their frames.

use crate::assemble::places::Entries;
use crate::assemble::{BodyPlan, CarrierPlan, MotionKind, Plan};
use crate::body::{Body, Shape, Trust};
use crate::carrier::Carrier;
use crate::error::ModelError;
use crate::geometry::Matrix;
use crate::model::Model;
use linkwork_dae::system::{Dims, Guess, Part};
use std::sync::Arc;

/// Bodies behind maps come last, so that coordinates of the others are those of their frames.
pub(super) fn bodies(
    model: &Model,
    length: f64,
    entries: &mut Entries,
) -> Result<Plan, ModelError> {
    let g = model.gravity;
    if !(g.iter().all(|x| x.is_finite()) && model.start_time.is_finite()) {
        return Err(ModelError::new("gravity and start time must be finite"));
    }
    let mut plan = Plan {
        axes: model.axes,
        frames_of: vec![0..0; model.bodies.len()],
        gravity: g,
        impacts: model.impacts,
        length,
        guess: Guess {
            t: model.start_time,
            ..Guess::default()
        },
        ..Plan::default()
    };
    let mut behind_maps = Vec::new();
    for (index, body) in model.bodies.iter().enumerate() {
        body.check()?;
        match body.carrier(model.rotation) {
            Some(carrier) => behind_maps.push((index, carrier)),
            None => number_selected(&mut plan, index, body, entries),
        }
    }
    plan.selected = plan.bodies.len();
    for (index, carrier) in behind_maps {
        let body = &model.bodies[index];
        number_carrier(&mut plan, (index, body), carrier, entries);
    }
    let nv = plan.weight.len();
    plan.dims = Dims {
        nq: nv,
        nv,
        ..Dims::default()
    };
    for (&(i, j), m) in plan.patterns[Part::Mass].iter().zip(&plan.mass) {
        let body = &plan.bodies[plan.body_of[i as usize] as usize];
        if !matches!(body.motion, MotionKind::Planar { .. }) {
            plan.rest_of_mass.push((i, j, *m));
        }
    }
    Ok(plan)
}

/// A body whose coordinates are freedoms of its frame.
fn number_selected(plan: &mut Plan, index: usize, body: &Body, entries: &mut Entries) {
    let first = plan.guess.q.len();
    let inertia = match body.shape {
        Shape::Rigid { inertia } => inertia,
        Shape::Planar { inertia, .. } => [[0.0; 3], [0.0; 3], [0.0, 0.0, inertia]],
        Shape::Point | Shape::Bead | Shape::Modal(_) | Shape::Target { .. } => [[0.0; 3]; 3],
    };
    let z = body.position[2];
    let motion = match body.shape {
        Shape::Rigid { .. } | Shape::Modal(_) => {
            plan.rotations.push((first + 3, body.orientation));
            let rotation = plan.rotations.len() - 1;
            MotionKind::Rigid { rotation }
        }
        Shape::Planar { .. } => MotionKind::Planar { z },
        Shape::Point => MotionKind::Point,
        Shape::Bead => MotionKind::Bead { z },
        Shape::Target { .. } => MotionKind::Target,
    };
    let centre = body.centre();
    for &freedom in body.freedoms() {
        let axis = freedom % 3;
        let (start, trust, scale) = if freedom >= 3 {
            // Rotation vectors are about the start orientation.
            let q = match body.shape {
                Shape::Planar { angle, .. } => angle,
                _ => 0.0,
            };
            let start = [q, body.angular_velocity[axis]];
            (start, body.orientation_trust, Some(1.0))
        } else {
            let start = [centre[axis], body.velocity[axis]];
            let angular = matches!(body.shape, Shape::Target { angular: true });
            (start, body.position_trust, angular.then_some(1.0))
        };
        let of_rate = body.velocity_trusts()[usize::from(freedom >= 3)];
        number_coordinate(
            plan,
            start,
            ([trust, of_rate], body.start_weight),
            scale,
            0.0,
        );
    }
    plan.frames_of[index] = plan.bodies.len()..plan.bodies.len() + 1;
    number_frame(
        plan,
        BodyPlan {
            name: body.name.clone(),
            index,
            first,
            freedoms: body.freedoms(),
            motion,
            mass: body.mass,
            inertia,
            weight: match motion {
                MotionKind::Target => [0.0; 3],
                _ => plan.gravity.map(|g| body.mass * g),
            },
            gyroscopic: Vec::new(),
        },
        entries,
    );
}

/// A body whose frames are behind maps.
fn number_carrier(
    plan: &mut Plan,
    (index, body): (usize, &Body),
    carrier: Arc<dyn Carrier>,
    entries: &mut Entries,
) {
    let name = body.name.as_str();
    let first = plan.guess.q.len();
    let told = carrier.coordinates();
    for c in &told {
        number_coordinate(plan, c.start, (c.trust, body.start_weight), c.scale, c.rate);
    }
    let rotation = carrier.rotation().map(|(at, orientation)| {
        plan.rotations.push((first + at, orientation));
        plan.rotations.len() - 1
    });
    let frames = plan.bodies.len();
    let more = carrier.more_frames().into_iter();
    let names = more.map(|frame| format!("{name}.{frame}"));
    for (k, name) in std::iter::once(name.to_string()).chain(names).enumerate() {
        let (mass, inertia) = carrier.frame_inertia(k);
        let body = BodyPlan {
            name,
            index,
            first: plan.weight.len(),
            freedoms: carrier.freedoms(),
            motion: MotionKind::Mapped(plan.bodies.len() - plan.selected),
            mass,
            inertia,
            weight: plan.gravity.map(|g| mass * g),
            gyroscopic: Vec::new(),
        };
        number_frame(plan, body, entries);
    }
    plan.frames_of[index] = frames..plan.bodies.len();
    plan.carriers.push(CarrierPlan {
        name: name.to_string(),
        coordinates: first..plan.guess.q.len(),
        told,
        // numbered after those of joints
        rows: 0..carrier.rows().len(),
        frames: frames..plan.bodies.len(),
        rotation,
        energies: carrier.energies().len(),
        carrier,
    });
}

/// Start values of a coordinate, weighed: metres and radians become comparable when each is measured in
/// its own scale.
fn number_coordinate(
    plan: &mut Plan,
    start: [f64; 2],
    (trust, weight): ([Trust; 2], f64),
    scale: Option<f64>,
    rate: f64,
) {
    plan.guess.q.push(start[0]);
    plan.guess.v.push(start[1]);
    let size = scale.unwrap_or(plan.length);
    let weigh = |trust: Trust| match trust {
        Trust::Guess => weight,
        other => other.weight(),
    };
    let [of_value, of_rate] = trust.map(|trust| weigh(trust) / (size * size));
    plan.guess.weight_q.push(of_value);
    plan.guess.weight_v.push(of_rate);
    plan.scales.push(scale);
    plan.rates.push(rate);
}

/// Inertia and weights of one frame.
fn number_frame(plan: &mut Plan, body: BodyPlan, entries: &mut Entries) {
    let first = body.first;
    let index = plan.bodies.len() as u32;
    for (i, &row) in body.freedoms.iter().enumerate() {
        let weight = body.weight.get(row).copied().unwrap_or(0.0);
        plan.weight.push(weight);
        plan.body_of.push(index);
        for (j, &column) in body.freedoms.iter().enumerate() {
            let value = match (row < 3, column < 3) {
                (true, true) if row == column => body.mass,
                (false, false) => body.inertia[row - 3][column - 3],
                _ => 0.0,
            };
            let stored = row == column && !matches!(body.motion, MotionKind::Mapped(_));
            if stored || value != 0.0 {
                let entry = ((first + i) as u32, (first + j) as u32);
                plan.patterns[Part::Mass].push(entry);
                plan.mass.push(value);
            }
        }
    }
    if body.freedoms.len() == 6 {
        for (i, j) in gyroscopic_entries(&body.inertia) {
            let entry = ((first + 3 + i) as u32, (first + 3 + j) as u32);
            entries.r_v.insert(entry);
        }
    }
    plan.bodies.push(body);
}

/// Entries of `omega^ J - (J omega)^` that can be nonzero.
pub(in crate::assemble) fn gyroscopic_entries(j: &Matrix) -> Vec<(usize, usize)> {
    let diagonal = (0..3).all(|i| (0..3).all(|k| i == k || j[i][k] == 0.0));
    let ball = diagonal && j[0][0] == j[1][1] && j[1][1] == j[2][2];
    let all = (0..3).flat_map(|i| (0..3).map(move |k| (i, k)));
    all.filter(|(i, k)| !ball && (!diagonal || i != k))
        .collect()
}
