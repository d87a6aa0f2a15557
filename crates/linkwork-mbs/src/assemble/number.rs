//! Numbers of coordinates, rows and entries.

use super::places::Entries;
use super::wiring::Wiring;
use super::{BodyPlan, CarrierPlan, ForcePlan, GROUND, JointPlan, Motion, Plan, SensorPlan};
use super::{check, latches, spins, square};
use crate::assembly::{Gather, JointPlaces};
use crate::body::{Body, Shape, Trust};
use crate::carrier::Carrier;
use crate::curve::Curve;
use crate::error::ModelError;
use crate::event::Action;
use crate::force::ForceWant;
use crate::geometry::{Frame, Matrix, Vector};
use crate::handle::BodyRef;
use crate::joint::{COLUMNS, Joint, JointPattern, JointPoint, JointTerms, MAX_TURNS, Want};
use crate::lanes::Lanes;
use crate::model::{Model, NamedJoint};
use linkwork_dae::law::{Law, Limit, RowLaw};
use linkwork_dae::switching::{Sense, Switch};
use linkwork_dae::system::{BlockPatterns, Dims, Guess, Part};
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// Numbers a model; entries of shared blocks are collected.
pub(super) fn number(model: &Model, entries: &mut Entries) -> Result<Plan, ModelError> {
    let length = typical_length(model)?;
    let mut plan = number_bodies(model, length, entries)?;
    number_joints(model, &mut plan, entries)?;
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

/// Bodies behind maps come last, so that coordinates of the others are those of their frames.
fn number_bodies(model: &Model, length: f64, entries: &mut Entries) -> Result<Plan, ModelError> {
    let g = model.gravity;
    if !(g.iter().all(|x| x.is_finite()) && model.start_time.is_finite()) {
        return Err(ModelError::new("gravity and start time must be finite"));
    }
    let mut plan = Plan {
        axes: model.axes,
        dims: Dims::default(),
        patterns: BlockPatterns::default(),
        bodies: Vec::new(),
        gyroscopic: false,
        selected: 0,
        carriers: Vec::new(),
        frames_of: vec![0..0; model.bodies.len()],
        pull_back: None,
        gravity: g,
        joints: Vec::new(),
        targets: Vec::new(),
        target_slots: Vec::new(),
        reads_multipliers: false,
        forces: Vec::new(),
        spins: Vec::new(),
        evolves: false,
        laws: Vec::new(),
        law_joints: Vec::new(),
        impacts: model.impacts,
        switches: Vec::new(),
        events: Vec::new(),
        holds: Vec::new(),
        sensors: Vec::new(),
        wiring: Wiring::default(),
        mass: Vec::new(),
        rest_of_mass: Vec::new(),
        weight: Vec::new(),
        scales: Vec::new(),
        body_of: Vec::new(),
        joint_of: Vec::new(),
        rotations: Vec::new(),
        turns: 0,
        length,
        guess: Guess {
            t: model.start_time,
            ..Guess::default()
        },
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
        let name = &model.bodies[index].name;
        number_carrier(&mut plan, (index, name), carrier, entries);
    }
    let nv = plan.weight.len();
    plan.dims = Dims {
        nq: nv,
        nv,
        ..Dims::default()
    };
    for (&(i, j), m) in plan.patterns[Part::Mass].iter().zip(&plan.mass) {
        let body = &plan.bodies[plan.body_of[i as usize] as usize];
        if !matches!(body.motion, Motion::Planar { .. }) {
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
            Motion::Rigid { rotation }
        }
        Shape::Planar { .. } => Motion::Planar { z },
        Shape::Point => Motion::Point,
        Shape::Bead => Motion::Bead { z },
        Shape::Target { .. } => Motion::Target,
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
        number_coordinate(plan, start, [trust, of_rate], scale);
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
                Motion::Target => [0.0; 3],
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
    (index, name): (usize, &str),
    carrier: Arc<dyn Carrier>,
    entries: &mut Entries,
) {
    let first = plan.guess.q.len();
    let told = carrier.coordinates();
    for c in &told {
        number_coordinate(plan, c.start, c.trust, c.scale);
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
            motion: Motion::Mapped(plan.bodies.len() - plan.selected),
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
fn number_coordinate(plan: &mut Plan, start: [f64; 2], trust: [Trust; 2], scale: Option<f64>) {
    plan.guess.q.push(start[0]);
    plan.guess.v.push(start[1]);
    let size = scale.unwrap_or(plan.length);
    let [of_value, of_rate] = trust.map(|trust| trust.weight() / (size * size));
    plan.guess.weight_q.push(of_value);
    plan.guess.weight_v.push(of_rate);
    plan.scales.push(scale);
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
            let stored = row == column && !matches!(body.motion, Motion::Mapped(_));
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
pub(super) fn gyroscopic_entries(j: &Matrix) -> Vec<(usize, usize)> {
    let diagonal = (0..3).all(|i| (0..3).all(|k| i == k || j[i][k] == 0.0));
    let ball = diagonal && j[0][0] == j[1][1] && j[1][1] == j[2][2];
    let all = (0..3).flat_map(|i| (0..3).map(move |k| (i, k)));
    all.filter(|(i, k)| !ball && (!diagonal || i != k))
        .collect()
}

/// The local rows of a joint that coordinates enter, those of positions first.
fn existing_rows(joint: &dyn Joint, pattern: &JointPattern, exists: &[bool; COLUMNS]) -> Vec<u8> {
    let has_column = |row: u8| {
        let mut own = pattern.c_q.iter().filter(|(i, _)| *i == row);
        own.any(|(_, j)| exists[usize::from(*j)])
    };
    let all = (joint.rows() + joint.velocity_rows()) as u8;
    (0..all).filter(|row| has_column(*row)).collect()
}

/// Refuses rows that no coordinate enters and that do not hold.
fn check_left_out(
    model: &Model,
    named: &NamedJoint,
    kept: &[u8],
    length: f64,
) -> Result<(), ModelError> {
    let joint = &named.joint;
    let rows = joint.rows();
    if kept.len() == rows + joint.velocity_rows() {
        return Ok(());
    }
    let at_rest = |body| Frame {
        pose: model.site(body).pose,
        ..Frame::GROUND
    };
    let (a, b) = (at_rest(named.a), at_rest(named.b));
    let at = JointPoint {
        t: model.start_time,
        a: &a,
        b: &b,
        lambda: &[],
        turns: &[0.0; MAX_TURNS],
        lanes: &Lanes::ALL,
    };
    let mut terms = JointTerms::default();
    joint.eval(&at, Want::C, &mut terms);
    let laws = joint.laws();
    for (row, name) in joint.row_names().iter().enumerate() {
        if laws.iter().any(|(own, _)| *own == row) {
            continue;
        }
        if !kept.contains(&(row as u8)) && !(terms.c[row].abs() <= 1e-9 * length.max(1.0)) {
            let message = format!(
                "joint `{}` cannot close: {name} is off by {:.3e}, and its bodies cannot change that",
                named.name, terms.c[row]
            );
            return Err(ModelError::new(message)
                .with_help("bodies in a plane keep their height and turn about z only"));
        }
    }
    Ok(())
}

/// Joints that an event lets go, and not only what has locked them.
fn let_go(model: &Model) -> BTreeSet<&str> {
    let names: BTreeSet<&str> = model.joints.iter().map(|j| j.name.as_str()).collect();
    let released = model.events.iter().filter_map(|e| match &e.action {
        Action::Release { joint } => Some(joint.as_str()),
        _ => None,
    });
    released
        .filter(|joint| !names.contains(latches::name(joint).as_str()))
        .collect()
}

/// Joints whose rows may be asked for while they are not in force: those that an event lets go, and those
/// whose reaction presses the friction of another.
fn staying(model: &Model) -> BTreeSet<&str> {
    let pressing = model.joints.iter().filter_map(|j| j.joint.pressed_by());
    let_go(model).into_iter().chain(pressing).collect()
}

/// The rows of forces of the joint that presses another.
fn pressing_rows(
    plan: &Plan,
    named: &NamedJoint,
    by: &str,
) -> Result<[Option<u32>; 3], ModelError> {
    let refused = |why: String| ModelError::new(format!("joint `{}`: {why}", named.name));
    let pressing = (plan.joints.iter()).find(|j| j.name == by && !j.places.is_further());
    let pressing = pressing.ok_or_else(|| refused(format!("there is no joint `{by}`")))?;
    let forces = pressing.joint.force_rows();
    let own = pressing.places.rows().filter(|(own, _)| *own < forces);
    let mut rows = [None; 3];
    for (to, (_, row)) in rows.iter_mut().zip(own) {
        *to = Some(row as u32);
    }
    match rows[0] {
        Some(_) => Ok(rows),
        None => {
            let why = format!("joint `{by}` has no force that could press: hinges and slides have");
            Err(refused(why))
        }
    }
}

/// The bodies of a joint, or of one of its parts where it has more than two sides.
struct Pairing {
    joint: Arc<dyn Joint>,
    bodies: [BodyRef; 2],
}

impl Pairing {
    /// The joint itself between its first two bodies, then its further parts.
    fn all(named: &NamedJoint) -> Result<Vec<Pairing>, ModelError> {
        let sides: Vec<BodyRef> = [named.a, named.b]
            .into_iter()
            .chain(named.further.iter().copied())
            .collect();
        let targets = usize::from(named.joint.target().is_some());
        let needed = named.joint.sides() + targets;
        if sides.len() != needed {
            let message = format!(
                "joint `{}` has {} bodies where it needs {needed}",
                named.name,
                sides.len()
            );
            return Err(ModelError::new(message));
        }
        let body = |side: Option<usize>| side.map_or(BodyRef::GROUND, |k| sides[k]);
        let first = Pairing {
            joint: named.joint.clone(),
            bodies: [named.a, named.b],
        };
        let legs = named.joint.legs().into_iter().map(|leg| Pairing {
            joint: leg.joint,
            bodies: leg.sides.map(body),
        });
        Ok(std::iter::once(first).chain(legs).collect())
    }

    fn flat(&self, model: &Model) -> bool {
        is_flat(model, self.bodies[0], self.bodies[1])
    }

    fn local(&self, plan: &Plan) -> [Option<u32>; COLUMNS] {
        let [a, b] = self.bodies.map(|body| plan.frame(body));
        plan.local_columns(a, b)
    }
}

/// A joint with its parts, the rows that exist, and how many of them are of positions.
struct Numbered<'a> {
    named: &'a NamedJoint,
    parts: Vec<Pairing>,
    kept: Vec<u8>,
    rows: usize,
}

impl Numbered<'_> {
    /// The row of the whole behind one of its own, with its first rows of positions and of velocities.
    fn row(&self, [row, velocity_row]: [usize; 2], own: u8) -> Option<u32> {
        let k = self.kept.iter().position(|kept| *kept == own)?;
        let at = match k.checked_sub(self.rows) {
            None => row + k,
            Some(k) => velocity_row + k,
        };
        Some(at as u32)
    }
}

/// Checks a joint and finds its rows.
fn find_rows<'a>(
    model: &Model,
    plan: &Plan,
    named: &'a NamedJoint,
) -> Result<Numbered<'a>, ModelError> {
    let title = format!("joint `{}`", named.name);
    check::bodies(model, &title, named.a, named.b)?;
    let parts = Pairing::all(named)?;
    let mut kept: Vec<u8> = Vec::new();
    for part in &parts {
        let [a, b] = part.bodies;
        check::bodies(model, &title, a, b)?;
        let needs = part.joint.needs_orientation();
        let markers = part.joint.markers();
        check::sides(model, &title, [a, b], needs, slices(&markers))?;
        let refused = |why: String| ModelError::new(format!("{title}: {why}"));
        part.joint.check().map_err(refused)?;
        let pattern = part.joint.pattern(part.flat(model));
        let exists = part.local(plan).map(|c| c.is_some());
        kept.extend(existing_rows(&*part.joint, &pattern, &exists));
    }
    kept.sort_unstable();
    kept.dedup();
    if parts.len() == 1 {
        check_left_out(model, named, &kept, plan.length)?;
    }
    let of_positions = |row: &&u8| usize::from(**row) < named.joint.rows();
    let rows = kept.iter().filter(of_positions).count();
    Ok(Numbered {
        named,
        parts,
        kept,
        rows,
    })
}

fn number_joints(model: &Model, plan: &mut Plan, entries: &mut Entries) -> Result<(), ModelError> {
    let mut all = Vec::new();
    for named in &model.joints {
        let joint = find_rows(model, plan, named)?;
        plan.dims.nc += joint.rows;
        plan.dims.ng += joint.kept.len() - joint.rows;
        all.push(joint);
    }
    let mut own = plan.dims.nc;
    for c in &mut plan.carriers {
        let count = c.rows.len();
        c.rows = own..own + count;
        own += count;
    }
    plan.joint_of = vec![0; plan.dims.rows()];
    let mut laws = Vec::new();
    let (let_go, staying) = (let_go(model), staying(model));
    let (mut row, mut velocity_row) = (0, plan.dims.nc);
    for joint in all {
        let velocity_rows = joint.kept.len() - joint.rows;
        let index = plan.joints.len() as u32;
        plan.joint_of[row..row + joint.rows].fill(index);
        plan.joint_of[velocity_row..velocity_row + velocity_rows].fill(index);
        if joint.named.joint.target().is_some()
            && let Some(target) = joint.named.further.last()
        {
            let frame = plan.frame(*target);
            let coordinate = plan.bodies[frame - GROUND - 1].first as u32;
            plan.targets.push((coordinate, row as u32));
            entries.r_l.insert((coordinate, row as u32));
        }
        let row_of = |own: u8| joint.row([row, velocity_row], own);
        let mut own_laws = joint.named.joint.laws();
        if own_laws.is_empty() && let_go.contains(joint.named.name.as_str()) {
            let all = joint.named.joint.rows() + joint.named.joint.velocity_rows();
            own_laws.extend((0..all).map(|own| (own, Law::Held { at_first: true })));
        }
        for (own, mut law) in own_laws {
            if let Law::Dry(Limit::Pressed { by, .. }) = &mut law {
                *by = row_of(*by as u8).unwrap_or(*by);
            }
            if let Some(row) = row_of(own as u8) {
                let name = format!("joint `{}`", joint.named.name);
                laws.push((RowLaw { row, law, name }, index as usize));
            }
        }
        number_parts(
            (model, &staying),
            plan,
            &joint,
            [row, velocity_row],
            entries,
        );
        row += joint.rows;
        velocity_row += velocity_rows;
    }
    for (law, joint) in &mut laws {
        let joint = &plan.joints[*joint];
        let named = model.joints.iter().find(|named| named.name == joint.name);
        if let (Law::Dry(limit @ Limit::Given { .. }), Some(by), Some(named)) =
            (&mut law.law, joint.joint.pressed_by(), named)
            && let Limit::Given { ratio } = *limit
        {
            let by = pressing_rows(plan, named, by)?;
            *limit = Limit::Reacting { by, ratio };
        }
    }
    laws.sort_by_key(|(law, _)| law.row);
    (plan.laws, plan.law_joints) = laws.into_iter().unzip();
    Ok(())
}

/// Entries of a joint or of all its parts: those of one stand one after the other, parts share theirs.
fn number_parts(
    (model, staying): (&Model, &BTreeSet<&str>),
    plan: &mut Plan,
    joint: &Numbered<'_>,
    [row, velocity_row]: [usize; 2],
    entries: &mut Entries,
) {
    let Numbered {
        named,
        parts,
        kept,
        rows,
    } = joint;
    let global = |i: u8| joint.row([row, velocity_row], i);
    let first = plan.joints.len();
    for part in parts {
        let (local, flat) = (part.local(plan), part.flat(model));
        let pattern = part.joint.pattern(flat);
        let mut gather = |block: Part, entries: &[(u8, u8)]| {
            let list = &mut plan.patterns[block];
            let mut g = Gather {
                first: list.len(),
                from: Vec::new(),
            };
            // parts after the first may have entries of the first
            for &(i, j) in entries {
                if let (Some(row), Some(column)) = (global(i), local[usize::from(j)]) {
                    list.push((row, column));
                    g.from.push(i * COLUMNS as u8 + j);
                }
            }
            g
        };
        let c_q = gather(Part::Cq, &pattern.c_q);
        let cv_q = gather(Part::CVq, &pattern.cv_q);
        (entries.r_q).extend(square(&local, &pattern.hess).map(|(_, entry)| entry));
        (entries.r_v).extend(square(&local, &pattern.hess_v).map(|(_, entry)| entry));
        let turns = remember(&mut plan.turns, part.joint.turns());
        let side = |first: usize| local[first..first + 6].iter().any(Option::is_some);
        let [a, b] = part.bodies.map(|body| plan.frame(body));
        plan.joints.push(JointPlan {
            name: named.name.clone(),
            joint: part.joint.clone(),
            places: JointPlaces {
                a,
                b,
                flat,
                on: [side(0), side(6)],
                straight: None,
                lanes: Lanes::new(|j| local[j].is_some()),
                kept: kept.clone(),
                row,
                rows: *rows,
                velocity_row,
                velocity_rows: kept.len() - rows,
                c_q,
                cv_q,
                shared: None,
                hess: Vec::new(),
                hess_v: Vec::new(),
                turns,
                driven: !part.joint.prescribed().is_empty(),
                stays: staying.contains(named.name.as_str()),
                rubs: (part.joint.laws().iter()).any(|(_, law)| matches!(law, Law::Dry(_))),
            },
        });
    }
    if parts.len() > 1 {
        share_rows(plan, first);
    }
}

/// Lets the parts of one joint, from the given one to the last, add to entries that each stand once.
fn share_rows(plan: &mut Plan, first: usize) {
    let Plan {
        joints, patterns, ..
    } = plan;
    let parts = &mut joints[first..];
    for part in parts.iter_mut() {
        part.places.shared = Some(Box::default());
    }
    for (block, rates) in [(Part::Cq, false), (Part::CVq, true)] {
        let list = &mut patterns[block];
        let own = |places: &JointPlaces| match rates {
            false => places.c_q.clone(),
            true => places.cv_q.clone(),
        };
        let Some(begin) = parts.first().map(|part| own(&part.places).first) else {
            return;
        };
        let all = list.split_off(begin);
        for (k, part) in parts.iter_mut().enumerate() {
            let own = own(&part.places);
            let mut slots = Vec::new();
            for (from, entry) in own.from.iter().zip(&all[own.first - begin..]) {
                let known = list[begin..].iter().position(|e| e == entry);
                let slot = known.map_or(list.len(), |k| begin + k);
                if known.is_none() {
                    list.push(*entry);
                }
                slots.push((*from, slot as u32));
            }
            let shared = part.places.shared.get_or_insert_default();
            shared.further = k > 0;
            match rates {
                false => shared.c_q = slots,
                true => shared.cv_q = slots,
            }
        }
        let whole = begin..list.len();
        if let Some(shared) = parts.first_mut().and_then(|p| p.places.shared.as_mut()) {
            match rates {
                false => shared.of_c_q = whole,
                true => shared.of_cv_q = whole,
            }
        }
    }
    for part in parts {
        (part.places.c_q, part.places.cv_q) = (Gather::default(), Gather::default());
    }
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
        plan.forces.push(ForcePlan {
            name: named.name.clone(),
            force: named.force.clone(),
            a,
            b,
            flat,
            lanes: Lanes::new(|j| local[j].is_some()),
            has: ForceWant::ALL,
            stiffness: Vec::new(),
            damping: Vec::new(),
            inputs: Vec::new(),
            states: 0..0,
            by_states: Default::default(),
            switches,
            features: named.force.profile().map_or(Vec::new(), Curve::features),
            told: model.axes.told(named.force.channels()),
            turns,
        });
    }
    Ok(())
}
