//! Named outputs and the energy account of a mechanism in space.

use super::{Space, inputs, multipliers};
use crate::assemble::{GROUND, Motion, Plan, SpacePlan};
use crate::assembly::signals::Signals;
use crate::joint::Want;
use crate::spatial::force::ForcePoint;
use crate::spatial::geometry::{Vector, apply, cross, sub};
use crate::spatial::joint::JointPoint;
use crate::spatial::orientation::yaw_pitch_roll;
use linkwork_dae::state::State;
use linkwork_dae::system::{Channel, Energy, Part};

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

/// The channels of bodies, joints, forces and sensors in the order in which they are filled.
pub(in crate::assembly) fn channels(space: &SpacePlan) -> Vec<Channel> {
    let mut list = Vec::new();
    for body in &space.bodies {
        let name = &body.name;
        let last = match body.motion {
            Motion::Planar { .. } => ("angle", "rad"),
            _ => ("z", "m"),
        };
        for (what, unit) in [("x", "m"), ("y", "m"), last] {
            let base = format!("{name}.{what}");
            list.push(Channel::new(&base, unit));
            list.push(Channel::new(
                format!("{base}.velocity"),
                format!("{unit}/s"),
            ));
            list.push(Channel::new(
                format!("{base}.acceleration"),
                format!("{unit}/s^2"),
            ));
        }
        if let Motion::Rigid { .. } = body.motion {
            list.extend(
                OF_ROTATION.map(|(what, unit)| Channel::new(format!("{name}.{what}"), unit)),
            );
        }
    }
    for j in &space.joints {
        let reacts = j.joint.reacts();
        for (there, what, unit) in [
            (reacts.force, "reaction", "N"),
            (reacts.torque, "reaction.torque", "N m"),
        ] {
            if there {
                let axes = ["x", "y", "z"].into_iter();
                list.extend(
                    axes.map(|axis| Channel::new(format!("{}.{what}.{axis}", j.name), unit)),
                );
            }
        }
    }
    for f in &space.forces {
        for (what, unit) in f.force.channels() {
            list.push(Channel::new(format!("{}.{what}", f.name), *unit));
        }
    }
    for s in &space.sensors {
        for (suffix, unit) in s.sensor.channels() {
            list.push(Channel::new(format!("{}{suffix}", s.name), *unit));
        }
    }
    list
}

/// Writes a list front to back.
struct Line<'a> {
    out: &'a mut [f64],
    used: usize,
}

impl Line<'_> {
    fn put(&mut self, values: &[f64]) {
        self.out[self.used..self.used + values.len()].copy_from_slice(values);
        self.used += values.len();
    }
}

impl Space {
    /// Values of the channels at a state whose frames are placed; tells how many they are.
    pub fn observe(
        &mut self,
        space: &SpacePlan,
        signals: &Signals,
        s: &State,
        out: &mut [f64],
    ) -> usize {
        let mut line = Line { out, used: 0 };
        for (body, frame) in space.bodies.iter().zip(&self.frames[GROUND + 1..]) {
            for i in body.first..body.first + 3 {
                line.put(&[s.q[i], s.v[i], s.a[i]]);
            }
            if let Motion::Rigid { rotation } = body.motion {
                let turn = body.first + 3;
                line.put(&self.rotations.orientation(rotation, &s.q));
                line.put(&yaw_pitch_roll(&frame.pose.rotation));
                line.put(&frame.omega);
                line.put(&frame.spin());
                line.put(&s.a[turn..turn + 3]);
            }
        }
        for j in &space.joints {
            let (a, b) = (&self.frames[j.a], &self.frames[j.b]);
            let lambda = multipliers(j, &s.lambda);
            let point = JointPoint {
                t: s.t,
                a,
                b,
                lambda: &lambda[..j.rows + j.velocity_rows],
                turns: &self.turns[j.turns.clone()],
            };
            j.joint.eval(&point, Want::LOAD, &mut self.joint);
            // The reaction on body b is -C_q' lambda, reduced to the marker of body b.
            let [.., fx, fy, fz, tx, ty, tz] = self.joint.load;
            let force: Vector = [-fx, -fy, -fz];
            let arm = (j.joint.markers()[1]).map_or([0.0; 3], |p| b.pose.direction(p));
            let about_centre = apply(&b.pose.rotation, [-tx, -ty, -tz]);
            let reacts = j.joint.reacts();
            if reacts.force {
                line.put(&force);
            }
            if reacts.torque {
                line.put(&sub(about_centre, cross(arm, force)));
            }
        }
        for f in &space.forces {
            let inputs = inputs(signals, f);
            let point = ForcePoint {
                t: s.t,
                a: &self.frames[f.a],
                b: &self.frames[f.b],
                inputs: &inputs[..f.inputs.len()],
                turns: &self.turns[f.turns.clone()],
            };
            let count = f.force.channels().len();
            f.force
                .observe(&point, &mut line.out[line.used..line.used + count]);
            line.used += count;
        }
        for sensor in &space.sensors {
            let count = sensor.sensor.channels().len();
            let (a, b) = (&self.frames[sensor.a], &self.frames[sensor.b]);
            let values = sensor
                .sensor
                .quantities(a, b, &self.turns[sensor.turns.clone()]);
            line.put(&values[..count]);
        }
        line.used
    }

    /// Energy at a state whose frames are placed. As in the plane, joints deliver `lambda' C_t`.
    pub fn energy(&self, plan: &Plan, space: &SpacePlan, signals: &Signals, s: &State) -> Energy {
        let mut e = Energy::default();
        for (&(i, j), m) in plan.patterns[Part::Mass].iter().zip(&plan.mass) {
            e.kinetic += 0.5 * m * s.v[i as usize] * s.v[j as usize];
        }
        for (body, frame) in space.bodies.iter().zip(&self.frames[GROUND + 1..]) {
            for (weight, x) in body.weight.iter().zip(frame.pose.position) {
                e.potential -= weight * x;
            }
        }
        for f in &space.forces {
            let inputs = inputs(signals, f);
            let of_force = f.force.energy(&ForcePoint {
                t: s.t,
                a: &self.frames[f.a],
                b: &self.frames[f.b],
                inputs: &inputs[..f.inputs.len()],
                turns: &self.turns[f.turns.clone()],
            });
            e.potential += of_force.potential;
            e.power += of_force.power;
        }
        for j in &space.joints {
            let lambda = multipliers(j, &s.lambda);
            let c_t = j.joint.c_t(&JointPoint {
                t: s.t,
                a: &self.frames[j.a],
                b: &self.frames[j.b],
                lambda: &[],
                turns: &self.turns[j.turns.clone()],
            });
            e.power += lambda.iter().zip(c_t).map(|(l, c_t)| l * c_t).sum::<f64>();
        }
        e
    }
}
