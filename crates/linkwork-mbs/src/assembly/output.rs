//! Named outputs and the energy account of an assembly.

use super::Assembly;
use crate::assemble::{ForcePlan, GROUND, MotionKind, Plan};
use crate::control::output_name;
use crate::error::ModelError;
use crate::force::ForceEnergy;
use crate::geometry::{Vector, apply, cross, sub};
use crate::joint::{JointPoint, JointTerms, Want};
use crate::lanes::Lanes;
use crate::model::Axes;
use crate::orientation::yaw_pitch_roll;
use linkwork_dae::state::State;
use linkwork_dae::system::{Channel, Energy, Part};
use std::collections::BTreeSet;

/// Quantities of a rigid body beside its position, as (name, unit).
const OF_ROTATION: [(&str, &str); 16] = [
    ("quaternion.w", ""),
    ("quaternion.x", ""),
    ("quaternion.y", ""),
    ("quaternion.z", ""),
    ("yaw", "rad"),
    ("pitch", "rad"),
    ("roll", "rad"),
    ("omega.x", "rad/s"),
    ("omega.y", "rad/s"),
    ("omega.z", "rad/s"),
    ("spin.x", "rad/s"),
    ("spin.y", "rad/s"),
    ("spin.z", "rad/s"),
    ("omega.x.rate", "rad/s^2"),
    ("omega.y.rate", "rad/s^2"),
    ("omega.z.rate", "rad/s^2"),
];

/// Most channels of a force.
const MAX_CHANNELS: usize = 16;

/// The axes of a force and of a torque that are told.
fn axes(axes: Axes) -> [&'static [(&'static str, usize)]; 2] {
    match axes {
        Axes::Space => [&[(".x", 0), (".y", 1), (".z", 2)]; 2],
        Axes::Plane => [&[(".x", 0), (".y", 1)], &[("", 2)]],
    }
}

/// All channels in the order in which they are filled; their names must differ.
pub(super) fn channels(plan: &Plan) -> Result<Vec<Channel>, ModelError> {
    let mut list = Vec::new();
    for body in plan.told_bodies() {
        let name = &plan.bodies[body].name;
        let body = &plan.bodies[body];
        let coordinates: &[(&str, &str)] = match body.motion {
            MotionKind::Mapped(_) | MotionKind::Planar { .. } if body.freedoms.len() == 3 => {
                &[("x", "m"), ("y", "m"), ("angle", "rad")]
            }
            MotionKind::Bead { .. } => &[("x", "m"), ("y", "m")],
            MotionKind::Target => &[],
            _ => &[("x", "m"), ("y", "m"), ("z", "m")],
        };
        for (what, unit) in coordinates {
            let base = format!("{name}.{what}");
            list.push(Channel::new(&base, *unit));
            let of_rate = [("velocity", "/s"), ("acceleration", "/s^2")];
            list.extend(
                of_rate.map(|(rate, per)| {
                    Channel::new(format!("{base}.{rate}"), format!("{unit}{per}"))
                }),
            );
        }
        if body.freedoms.len() == 6 {
            list.extend(
                OF_ROTATION.map(|(what, unit)| Channel::new(format!("{name}.{what}"), unit)),
            );
        }
    }
    let [of_force, of_torque] = axes(plan.axes);
    for j in plan.joints.iter().filter(|j| !j.places.is_further()) {
        let reacts = j.joint.reacts();
        for (there, what, axes, unit) in [
            (reacts.force, "reaction", of_force, "N"),
            (reacts.torque, "reaction.torque", of_torque, "N m"),
        ] {
            let axes = axes.iter().filter(|_| there);
            list.extend(
                axes.map(|(axis, _)| Channel::new(format!("{}.{what}{axis}", j.name), unit)),
            );
        }
    }
    for f in &plan.forces {
        for (_, what, unit) in &f.told {
            list.push(Channel::new(format!("{}.{what}", f.name), *unit));
        }
    }
    for (name, _) in &plan.beams {
        list.push(Channel::new(format!("{name}.strain_energy"), "J"));
    }
    for s in &plan.sensors {
        for (_, suffix, unit) in &s.told {
            list.push(Channel::new(format!("{}{suffix}", s.name), *unit));
        }
    }
    for c in &plan.wiring.controls {
        let outputs = c.control.outputs();
        let names = (0..outputs).map(|i| output_name(&c.name, outputs, i));
        list.extend(names.map(|name| Channel::new(name, "")));
    }
    for (_, body, what) in plan.told_coordinates() {
        let name = format!("{body}.{what}");
        list.push(Channel::new(&name, ""));
        let rates = [("velocity", "1/s"), ("acceleration", "1/s^2")];
        list.extend(rates.map(|(rate, unit)| Channel::new(format!("{name}.{rate}"), unit)));
    }
    for (carrier, quantity) in plan.recovered() {
        let name = format!("{}.{}", carrier.name, quantity.name);
        list.push(Channel::new(name, quantity.unit.as_str()));
    }
    for (carrier, energies) in plan.energies() {
        let names = energies
            .iter()
            .map(|what| format!("{}.{what}", carrier.name));
        list.extend(names.map(|name| Channel::new(name, "J")));
    }
    let mut seen = BTreeSet::new();
    for channel in &list {
        if !seen.insert(channel.name.as_str()) {
            let message = format!("two outputs would be called `{}`", channel.name);
            return Err(ModelError::new(message)
                .with_help("use names without dots for sensors and other parts".to_string()));
        }
    }
    Ok(list)
}

/// Writes a list front to back.
struct Listing<'a> {
    out: &'a mut [f64],
    used: usize,
}

impl Listing<'_> {
    fn put(&mut self, values: &[f64]) {
        self.out[self.used..self.used + values.len()].copy_from_slice(values);
        self.used += values.len();
    }
}

impl Assembly {
    /// Values of the channels at a state whose frames are placed, but for coordinates that are told by
    /// themselves; answers how many these are.
    pub(super) fn fill_channels(&mut self, s: &State, out: &mut [f64]) -> usize {
        let now = self.clock.now(s.t);
        let t = now.side;
        let plan = &*self.plan;
        let (turned, on) = (&self.turned, self.turned.frames());
        let mut line = Listing { out, used: 0 };
        for body in plan.told_bodies() {
            let (body, frame) = (&plan.bodies[body], &turned.frames[GROUND + 1 + body]);
            for i in body.first..body.first + body.freedoms.len().min(3) {
                line.put(&[s.q[i], s.v[i], s.a[i]]);
            }
            let orientation = match body.motion {
                MotionKind::Rigid { rotation } => {
                    Some(turned.rotations.orientation(rotation, &s.q))
                }
                MotionKind::Mapped(map) if body.freedoms.len() == 6 => {
                    Some(turned.orientations[map])
                }
                _ => None,
            };
            if let Some(orientation) = orientation {
                let turn = body.first + 3;
                line.put(&orientation);
                line.put(&yaw_pitch_roll(&frame.pose.rotation));
                line.put(&frame.omega);
                line.put(&frame.spin());
                line.put(&s.a[turn..turn + 3]);
            }
        }
        let [of_force, of_torque] = axes(plan.axes);
        for j in plan.joints.iter().filter(|j| !j.places.is_further()) {
            let (b, lambda) = (&on.frames[j.places.b], j.places.multipliers(&s.lambda));
            let point = JointPoint {
                lanes: &Lanes::ALL,
                ..j.places.point(t, on, &lambda)
            };
            j.joint.eval(&point, Want::LOAD, &mut self.joint);
            // The reaction on body b is -C_q' lambda, reduced to the marker of body b.
            let [.., fx, fy, fz, tx, ty, tz] = self.joint.load;
            let force: Vector = [-fx, -fy, -fz];
            let arm = (j.joint.markers()[1]).map_or([0.0; 3], |p| b.pose.direction(p));
            let about_centre = apply(&b.pose.rotation, [-tx, -ty, -tz]);
            let torque = sub(about_centre, cross(arm, force));
            let reacts = j.joint.reacts();
            for (there, axes, values) in [
                (reacts.force, of_force, force),
                (reacts.torque, of_torque, torque),
            ] {
                for (_, axis) in axes.iter().filter(|_| there) {
                    line.put(&[values[*axis]]);
                }
            }
        }
        for f in &plan.forces {
            let inputs = self.signals.inputs_of(f);
            let (inputs, sides) = (&inputs[..f.inputs.len()], self.sides.of(&f.switches));
            let point = f.point(now, on, inputs, &s.x, sides);
            let mut all = [0.0; MAX_CHANNELS];
            let count = f.force.channels().len();
            f.force.observe(&point, &mut all[..count]);
            for (i, _, _) in &f.told {
                line.put(&[all[*i]]);
            }
        }
        for (_, pieces) in &plan.beams {
            let energies = pieces.iter().map(|i| self.stored(&plan.forces[*i], s));
            line.put(&[energies.map(|e| e.potential).sum()]);
        }
        for sensor in &plan.sensors {
            let (a, b) = (&turned.frames[sensor.a], &turned.frames[sensor.b]);
            let turns = &turned.turns[sensor.turns.clone()];
            let all = sensor.sensor.values(a, b, turns, sensor.flat);
            for (i, _, _) in &sensor.told {
                line.put(&[all[*i]]);
            }
        }
        for node in &plan.wiring.outputs {
            line.put(&[self.signals.value(*node)]);
        }
        line.used
    }

    /// What a force stores and spends.
    fn stored(&self, f: &ForcePlan, s: &State) -> ForceEnergy {
        let inputs = self.signals.inputs_of(f);
        let (inputs, sides) = (&inputs[..f.inputs.len()], self.sides.of(&f.switches));
        let (now, on) = (self.clock.now(s.t), self.turned.frames());
        f.force.energy(&f.point(now, on, inputs, &s.x, sides))
    }

    /// Energy at a state whose frames are placed.
    ///
    /// From `M a = Q - C_q' lambda` and `C_q v = -C_t`, joints deliver `-lambda' C_q v =
    /// lambda' C_t`: nothing unless they follow a function of time, or slip: then `C_q v + C_t` is not 0.
    pub(super) fn energy_account(&self, s: &State) -> Energy {
        let t = self.clock.side(s.t);
        let plan = &*self.plan;
        let (turned, on) = (&self.turned, self.turned.frames());
        let mut e = Energy::default();
        for (&(i, j), m) in plan.patterns[Part::Mass].iter().zip(&plan.mass) {
            if plan.is_target(i) {
                continue;
            }
            e.kinetic += 0.5 * m * s.v[i as usize] * s.v[j as usize];
        }
        for (body, frame) in plan.bodies.iter().zip(&turned.frames[GROUND + 1..]) {
            for (weight, x) in body.weight.iter().zip(frame.pose.position) {
                e.potential -= weight * x;
            }
        }
        for f in &plan.forces {
            let of_force = self.stored(f, s);
            e.potential += of_force.potential;
            e.power += of_force.power;
            if f.force.strains().is_some() {
                e.strain += of_force.potential;
            }
        }
        for j in plan.joints.iter().filter(|j| j.places.driven) {
            let lambda = j.places.multipliers(&s.lambda);
            let c_t = j.joint.c_t(&j.places.point(t, on, &[]));
            e.power += lambda.iter().zip(c_t).map(|(l, c_t)| l * c_t).sum::<f64>();
        }
        // a target moves as a function of time would
        for &(target, row) in &plan.targets {
            e.power -= s.lambda[row as usize] * s.v[target as usize];
        }
        for j in plan.joints.iter().filter(|j| j.places.rubs) {
            let lambda = j.places.multipliers(&s.lambda);
            let point = j.places.point(t, on, &lambda);
            let mut terms = JointTerms::default();
            j.joint.eval(&point, Want::CV, &mut terms);
            let c_t = j.joint.c_t(&point);
            let rates = terms.cv.iter().zip(c_t).map(|(cv, c_t)| cv - c_t);
            e.power -= lambda.iter().zip(rates).map(|(l, r)| l * r).sum::<f64>();
        }
        e
    }
}
