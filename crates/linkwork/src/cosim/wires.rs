//! From outputs to inputs: signals as they are, elements by their laws.

use super::element::{Element, Load, PortMotion, Turn, cross};
use linkwork_dae::cosim::{Connection, Coupling};
use std::sync::Arc;

/// Where the motion of a port stands among the outputs: x, y and, in space, z, their rates, then, if the element asks for
/// turns, angle and rate, in space the places and velocities of two points beside the port.
#[derive(Clone, Debug)]
pub(super) struct PortOutputs {
    pub first: usize,
    /// Directions: 2 in the plane, 3 in space.
    pub axes: usize,
    pub turns: bool,
}

impl PortOutputs {
    fn motion(&self, outputs: &[f64]) -> PortMotion {
        let (y, n) = (&outputs[self.first..], self.axes);
        let mut motion = PortMotion::default();
        motion.p[..n].copy_from_slice(&y[..n]);
        motion.v[..n].copy_from_slice(&y[n..2 * n]);
        match (self.turns, n) {
            (false, _) => {}
            (true, 2) => {
                motion.turn = Turn::Angle(y[4]);
                motion.omega[2] = y[5];
            }
            (true, _) => {
                let vector = |at: usize, from: &[f64; 3]| [0, 1, 2].map(|i| y[at + i] - from[i]);
                let [ex, ey] = [6, 9].map(|at| vector(at, &motion.p));
                let [vx, vy] = [12, 15].map(|at| vector(at, &motion.v));
                let ez = cross(&ex, &ey);
                let (once, again) = (cross(&vx, &ey), cross(&ex, &vy));
                let vz = [0, 1, 2].map(|i| once[i] + again[i]);
                // omega = 1/2 sum e x e'
                for (e, v) in [(ex, vx), (ey, vy), (ez, vz)] {
                    for (sum, x) in motion.omega.iter_mut().zip(cross(&e, &v)) {
                        *sum += 0.5 * x;
                    }
                }
                motion.turn = Turn::Axes([ex, ey, ez]);
            }
        }
        motion
    }

    fn count(&self) -> usize {
        let turning = if self.axes == 2 { 2 } else { 12 };
        2 * self.axes + if self.turns { turning } else { 0 }
    }

    /// The components of a load that the port takes, forces first: those along its axes and, if the element turns, about them.
    fn components(&self) -> (usize, std::ops::Range<usize>) {
        match (self.turns, self.axes) {
            (false, n) => (n, 0..0),
            (true, 2) => (2, 2..3),
            (true, n) => (n, 0..3),
        }
    }
}

/// The inputs of one side of an element.
#[derive(Clone, Debug)]
pub(super) enum Side {
    /// Force along the directions, and torque if the element turns.
    Force { first: usize },
    /// The motion of the other port.
    Displacement { first: usize },
}

/// One connection.
#[derive(Clone, Debug)]
pub(super) enum Wire {
    Signal {
        from: usize,
        to: usize,
        held: bool,
    },
    Element {
        element: Arc<dyn Element>,
        ports: [PortOutputs; 2],
        sides: [Side; 2],
    },
}

/// All connections of a system.
#[derive(Clone, Debug, Default)]
pub(super) struct Wires {
    pub wires: Vec<Wire>,
    pub connections: Vec<Connection>,
}

/// The load on a side: b feels the law, a the opposite.
fn on(side: usize, load: Load) -> Load {
    if side == 1 {
        load
    } else {
        Load::default().minus(&load)
    }
}

impl Wires {
    /// Whether an element is among them.
    pub fn has_elements(&self) -> bool {
        (self.wires.iter()).any(|wire| matches!(wire, Wire::Element { .. }))
    }

    /// Names of the elements with a side that is driven by the force.
    pub fn driven_by_force(&self) -> Vec<String> {
        let by_force = |wire: &Wire| match wire {
            Wire::Element { sides, .. } => sides.iter().any(|s| matches!(s, Side::Force { .. })),
            Wire::Signal { .. } => false,
        };
        let named = self.wires.iter().zip(&self.connections);
        (named.filter(|(wire, _)| by_force(wire)))
            .map(|(_, connection)| format!("`{}`", connection.name))
            .collect()
    }
}

impl Coupling for Wires {
    fn couple(&mut self, outputs: &[f64], inputs: &mut [f64]) {
        for wire in &self.wires {
            match wire {
                Wire::Signal { from, to, .. } => inputs[*to] = outputs[*from],
                Wire::Element {
                    element,
                    ports,
                    sides,
                } => {
                    let motions = [ports[0].motion(outputs), ports[1].motion(outputs)];
                    let load = element.load(&motions[0], &motions[1]);
                    for (s, side) in sides.iter().enumerate() {
                        match side {
                            Side::Force { first } => {
                                let (load, (n, about)) = (on(s, load), ports[0].components());
                                let torque = &load.m[about];
                                let inputs = &mut inputs[*first..];
                                inputs[..n].copy_from_slice(&load.f[..n]);
                                inputs[n..n + torque.len()].copy_from_slice(torque);
                            }
                            Side::Displacement { first } => {
                                let other = &ports[1 - s];
                                let count = other.count();
                                let from = &outputs[other.first..other.first + count];
                                inputs[*first..first + count].copy_from_slice(from);
                            }
                        }
                    }
                }
            }
        }
    }

    fn connections(&self) -> &[Connection] {
        &self.connections
    }

    fn is_held(&self, input: usize) -> bool {
        let held = |w: &Wire| matches!(w, Wire::Signal { to, held: true, .. } if *to == input);
        self.wires.iter().any(held)
    }

    fn power_defect(&self, connection: usize, used: &[f64], outputs: &[f64]) -> Option<f64> {
        let Wire::Element {
            element,
            ports,
            sides,
        } = &self.wires[connection]
        else {
            return None;
        };
        let motions = [ports[0].motion(outputs), ports[1].motion(outputs)];
        let right = element.load(&motions[0], &motions[1]);
        let mut power = 0.0;
        for (s, side) in sides.iter().enumerate() {
            let load = match side {
                Side::Force { first } => {
                    let (mut load, (n, about)) = (Load::default(), ports[0].components());
                    let (used, torque) = (&used[*first..], &mut load.m[about]);
                    load.f[..n].copy_from_slice(&used[..n]);
                    torque.copy_from_slice(&used[n..n + torque.len()]);
                    load
                }
                Side::Displacement { first } => {
                    let seen = PortOutputs {
                        first: *first,
                        ..ports[0].clone()
                    }
                    .motion(used);
                    on(
                        s,
                        if s == 1 {
                            element.load(&seen, &motions[1])
                        } else {
                            element.load(&motions[0], &seen)
                        },
                    )
                }
            };
            power += load.minus(&on(s, right)).power(&motions[s]);
        }
        Some(power)
    }

    fn power(&self, connection: usize, outputs: &[f64]) -> f64 {
        match &self.wires[connection] {
            Wire::Signal { .. } => 0.0,
            Wire::Element { element, ports, .. } => {
                let motions = [ports[0].motion(outputs), ports[1].motion(outputs)];
                let load = element.load(&motions[0], &motions[1]);
                let sides = [on(0, load).power(&motions[0]), load.power(&motions[1])];
                0.5 * (sides[0].abs() + sides[1].abs())
            }
        }
    }
}
