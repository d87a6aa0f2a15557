//! Named outputs and the energy account of an assembly.

use super::{Assembly, force_inputs, spatial};
use crate::assemble::Plan;
use crate::control::output_name;
use crate::error::ModelError;
use crate::force::ForcePoint;
use crate::joint::{JointPoint, Want};
use crate::space::cross;
use linkwork_dae::state::State;
use linkwork_dae::system::{Channel, Energy};
use std::collections::BTreeSet;

/// All channels in the order in which they are filled; their names must differ.
pub(super) fn channels(plan: &Plan) -> Result<Vec<Channel>, ModelError> {
    let mut list = plan.space.as_ref().map_or_else(Vec::new, spatial::channels);
    for body in &plan.bodies {
        let name = &body.name;
        let coordinates = [("x", "m"), ("y", "m"), ("angle", "rad")];
        for (what, unit) in &coordinates[..body.coordinates] {
            let base = format!("{name}.{what}");
            list.push(Channel::new(&base, *unit));
            list.push(Channel::new(
                format!("{base}.velocity"),
                format!("{unit}/s"),
            ));
            list.push(Channel::new(
                format!("{base}.acceleration"),
                format!("{unit}/s^2"),
            ));
        }
    }
    for j in &plan.joints {
        let reacts = j.joint.reacts();
        if reacts.force {
            list.push(Channel::new(format!("{}.reaction.x", j.name), "N"));
            list.push(Channel::new(format!("{}.reaction.y", j.name), "N"));
        }
        if reacts.torque {
            list.push(Channel::new(format!("{}.reaction.torque", j.name), "N m"));
        }
    }
    for f in &plan.forces {
        for (what, unit) in f.force.channels() {
            list.push(Channel::new(format!("{}.{what}", f.name), *unit));
        }
    }
    for s in &plan.sensors {
        for (suffix, unit) in s.sensor.channels() {
            list.push(Channel::new(format!("{}{suffix}", s.name), *unit));
        }
    }
    for c in &plan.wiring.controls {
        let outputs = c.control.outputs();
        let names = (0..outputs).map(|i| output_name(&c.name, outputs, i));
        list.extend(names.map(|name| Channel::new(name, "")));
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

impl Assembly {
    /// Values of the channels at a state whose frames are placed.
    pub(super) fn fill_channels(&mut self, s: &State, out: &mut [f64]) {
        let plan = &*self.plan;
        let mut k = match (&mut self.space, &plan.space) {
            (Some(space), Some(elements)) => space.observe(elements, &self.signals, s, out),
            _ => 0,
        };
        for body in &plan.bodies {
            for i in body.first..body.first + body.coordinates {
                out[k..k + 3].copy_from_slice(&[s.q[i], s.v[i], s.a[i]]);
                k += 3;
            }
        }
        for j in &plan.joints {
            let (a, b) = (&self.frames[j.places.a], &self.frames[j.places.b]);
            let point = JointPoint {
                t: s.t,
                a,
                b,
                lambda: &s.lambda[j.places.row..j.places.row + j.places.rows],
            };
            j.joint.eval(&point, Want::LOAD, &mut self.joint);
            // The reaction on body b is -C_q' lambda, reduced to the marker of body b.
            let [.., x, y, turn] = self.joint.load;
            let force = [-x, -y];
            let arm = (j.joint.markers()[1]).map_or([0.0; 2], |p| b.pose.direction(p));
            let reacts = j.joint.reacts();
            if reacts.force {
                out[k..k + 2].copy_from_slice(&force);
                k += 2;
            }
            if reacts.torque {
                out[k] = -turn - cross(arm, force);
                k += 1;
            }
        }
        for f in &plan.forces {
            let inputs = force_inputs(&self.signals, f);
            let point = ForcePoint {
                t: s.t,
                a: &self.frames[f.a],
                b: &self.frames[f.b],
                inputs: &inputs[..f.inputs.len()],
            };
            let count = f.force.channels().len();
            f.force.observe(&point, &mut out[k..k + count]);
            k += count;
        }
        for sensor in &plan.sensors {
            let count = sensor.sensor.channels().len();
            let (a, b) = (&self.frames[sensor.a], &self.frames[sensor.b]);
            sensor.sensor.observe(a, b, &mut out[k..k + count]);
            k += count;
        }
        for node in &plan.wiring.outputs {
            out[k] = self.signals.value(*node);
            k += 1;
        }
    }

    /// Energy at a state whose frames are placed.
    ///
    /// From `M a = Q - C_q' lambda` and `C_q v = -C_t`, joints deliver `-lambda' C_q v =
    /// lambda' C_t`: nothing unless they follow a function of time.
    pub(super) fn energy_account(&self, s: &State) -> Energy {
        let plan = &*self.plan;
        if let (Some(space), Some(elements)) = (&self.space, &plan.space) {
            return space.energy(plan, elements, &self.signals, s);
        }
        let mut e = Energy::default();
        for i in 0..plan.dims.nv {
            e.kinetic += 0.5 * plan.mass[i] * s.v[i] * s.v[i];
            e.potential -= plan.weight[i] * s.q[i];
        }
        for f in &plan.forces {
            let inputs = force_inputs(&self.signals, f);
            let of_force = f.force.energy(&ForcePoint {
                t: s.t,
                a: &self.frames[f.a],
                b: &self.frames[f.b],
                inputs: &inputs[..f.inputs.len()],
            });
            e.potential += of_force.potential;
            e.power += of_force.power;
        }
        for j in &plan.joints {
            let c_t = j.joint.c_t(s.t);
            for (l, c_t) in s.lambda[j.places.row..j.places.row + j.places.rows]
                .iter()
                .zip(c_t)
            {
                e.power += l * c_t;
            }
        }
        e
    }
}
