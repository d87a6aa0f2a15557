//! The bodies, placed, and what a motion leaves behind: rotations are a chart, and angles that pass
//! whole turns are renewed when its base moves.

use super::points::Frames;
use crate::assemble::{CarrierPlan, GROUND, MotionKind, Plan};
use crate::carrier::CarrierPoint;
use crate::forward::forward_coordinates;
use crate::geometry::{self, Frame, Pose, Vector};
use linkwork_dae::chart::Chart;
use linkwork_dae::memory::Memory;
use linkwork_dae::rotation::{IDENTITY, Quaternion, RotationVectors, matrix};
use std::sync::Arc;

/// Frames of all bodies with bases of rotations and remembered angles.
#[derive(Clone, Debug)]
pub(super) struct Turned {
    /// The ground, then the bodies.
    pub frames: Vec<Frame>,
    /// Rotation vectors and their bases.
    pub rotations: RotationVectors,
    /// Orientations of the frames behind maps.
    pub orientations: Vec<Quaternion>,
    /// Angles beyond one turn, as they were a short while ago.
    pub turns: Vec<f64>,
    /// The same while they are renewed.
    known: Vec<f64>,
    /// Velocities at rest.
    still: Vec<f64>,
    plan: Arc<Plan>,
}

impl Turned {
    pub fn new(plan: &Arc<Plan>) -> Turned {
        let mut frames = vec![Frame::GROUND; plan.bodies.len() + GROUND + 1];
        for (body, frame) in plan.bodies.iter().zip(&mut frames[GROUND + 1..]) {
            if let MotionKind::Planar { z } | MotionKind::Bead { z } = body.motion {
                frame.pose.position[2] = z;
            }
        }
        Turned {
            frames,
            rotations: RotationVectors::new(plan.rotations.iter().copied()),
            orientations: vec![IDENTITY; plan.bodies.len() - plan.selected],
            turns: vec![0.0; plan.turns],
            known: vec![0.0; plan.turns],
            still: vec![0.0; plan.weight.len()],
            plan: plan.clone(),
        }
    }

    /// Whether configurations are curved, or angles are kept count of.
    pub fn has_chart(&self) -> bool {
        !(self.rotations.is_empty() && self.turns.is_empty())
    }

    /// Coordinates of a rotation about its base.
    pub fn rotation_vector(&self, k: usize, orientation: Quaternion) -> Vector {
        self.rotations.coordinates(k, orientation)
    }

    pub fn reset(&mut self) {
        self.rotations.reset();
        self.turns.fill(0.0);
    }

    /// Saves or restores bases and angles.
    pub fn memory(&mut self, m: &mut Memory) {
        if !self.has_chart() {
            return;
        }
        self.rotations.memory(m);
        m.section("turns");
        m.slice(&mut self.turns);
    }

    pub fn frames(&self) -> Frames<'_> {
        Frames {
            frames: &self.frames,
            turns: &self.turns,
        }
    }

    /// Poses and velocities of all bodies; velocities are zero where `v` is empty. What a body
    /// cannot do is not written again. Frames behind maps get their poses, and their velocities from
    /// the maps.
    #[inline]
    pub fn place(&mut self, plan: &Plan, q: &[f64], v: &[f64]) {
        let v = if v.is_empty() { &self.still[..] } else { v };
        let selected = plan.bodies[..plan.selected].iter();
        for (body, frame) in selected.zip(&mut self.frames[GROUND + 1..]) {
            let coordinates = body.first..body.first + body.freedoms.len();
            let Frame {
                pose,
                velocity,
                omega,
            } = frame;
            match (&q[coordinates.clone()], &v[coordinates], body.motion) {
                (&[x, y, angle], &[vx, vy, w], MotionKind::Planar { .. }) => {
                    let (s, c) = angle.sin_cos();
                    (pose.position[0], pose.position[1], pose.angle) = (x, y, angle);
                    (pose.rotation[0][0], pose.rotation[0][1]) = (c, -s);
                    (pose.rotation[1][0], pose.rotation[1][1]) = (s, c);
                    (velocity[0], velocity[1], omega[2]) = (vx, vy, w);
                }
                (
                    &[x, y, z, _, _, _],
                    &[vx, vy, vz, wx, wy, wz],
                    MotionKind::Rigid { rotation },
                ) => {
                    pose.position = [x, y, z];
                    pose.rotation = matrix(self.rotations.orientation(rotation, q));
                    (*velocity, *omega) = ([vx, vy, vz], [wx, wy, wz]);
                }
                (&[x, y, z], &[vx, vy, vz], MotionKind::Point) => {
                    pose.position = [x, y, z];
                    pose.rotation = geometry::IDENTITY;
                    *velocity = [vx, vy, vz];
                }
                (&[x], &[vx], MotionKind::Target) => {
                    (pose.position[0], velocity[0]) = (x, vx);
                }
                (&[x, y], &[vx, vy], MotionKind::Bead { .. }) => {
                    (pose.position[0], pose.position[1]) = (x, y);
                    (velocity[0], velocity[1]) = (vx, vy);
                }
                _ => {}
            }
        }
        if !plan.carriers.is_empty() {
            self.place_carriers(plan, q);
        }
    }

    /// Poses of the frames behind maps.
    #[inline(never)]
    fn place_carriers(&mut self, plan: &Plan, q: &[f64]) {
        for c in &plan.carriers {
            let point = self.point(plan, c, q, &[], &[]);
            for (k, body) in c.frames.clone().enumerate() {
                let (position, orientation) = c.carrier.pose(k, &point);
                self.orientations[body - plan.selected] = orientation;
                self.frames[GROUND + 1 + body].pose = Pose {
                    angle: c.carrier.angle(k, &point),
                    ..Pose::new(position, matrix(orientation))
                };
            }
        }
    }

    /// Where a carrier is evaluated; missing vectors stay missing.
    pub fn point<'a>(
        &self,
        plan: &Plan,
        c: &CarrierPlan,
        q: &'a [f64],
        v: &'a [f64],
        a: &'a [f64],
    ) -> CarrierPoint<'a> {
        let own = |x: &'a [f64]| x.get(c.coordinates.clone()).unwrap_or(&[]);
        CarrierPoint {
            q: own(q),
            v: own(v),
            a: own(a),
            orientation: match c.rotation {
                Some(k) => self.rotations.orientation(k, q),
                None => IDENTITY,
            },
            gravity: plan.gravity,
        }
    }

    /// Takes over where a body is and how it moves, as far as it can.
    #[inline]
    pub fn enter(&mut self, plan: &Plan, body: usize, from: &Frame) {
        let to = &mut self.frames[GROUND + 1 + body];
        let (p, r) = (from.pose.position, &from.pose.rotation);
        match plan.bodies[body].motion {
            MotionKind::Rigid { .. } | MotionKind::Mapped(_) => *to = *from,
            MotionKind::Planar { .. } => {
                (to.pose.position[0], to.pose.position[1]) = (p[0], p[1]);
                to.pose.angle = from.pose.angle;
                (to.pose.rotation[0][0], to.pose.rotation[0][1]) = (r[0][0], r[0][1]);
                (to.pose.rotation[1][0], to.pose.rotation[1][1]) = (r[1][0], r[1][1]);
                (to.velocity[0], to.velocity[1]) = (from.velocity[0], from.velocity[1]);
                to.omega[2] = from.omega[2];
            }
            MotionKind::Point => (to.pose.position, to.velocity) = (p, from.velocity),
            MotionKind::Target => {
                (to.pose.position[0], to.velocity[0]) = (p[0], from.velocity[0]);
            }
            MotionKind::Bead { .. } => {
                (to.pose.position[0], to.pose.position[1]) = (p[0], p[1]);
                (to.velocity[0], to.velocity[1]) = (from.velocity[0], from.velocity[1]);
            }
        }
    }

    /// Renews the remembered angles.
    pub fn wind(&mut self, t: f64, q: &[f64]) {
        if self.turns.is_empty() {
            return;
        }
        let plan = self.plan.clone();
        self.place(&plan, q, &[]);
        self.known.copy_from_slice(&self.turns);
        let known = Frames {
            frames: &self.frames,
            turns: &self.known,
        };
        let turns = &mut self.turns;
        for j in plan.joints.iter().filter(|j| !j.places.turns.is_empty()) {
            let own = &mut turns[j.places.turns.clone()];
            j.joint.wind(&j.places.point(t, known, &[]), own);
        }
        for f in plan.forces.iter().filter(|f| !f.turns.is_empty()) {
            let own = &mut turns[f.turns.clone()];
            f.force.wind(&f.point(t.into(), known, &[], &[], &[]), own);
        }
        for s in &plan.sensors {
            let own = &mut turns[s.turns.clone()];
            (s.sensor).wind(&self.frames[s.a], &self.frames[s.b], own);
        }
    }
}

impl Chart for Turned {
    forward_coordinates!(rotations);

    fn rebase(&mut self, t: f64, q: &[f64]) -> bool {
        self.wind(t, q);
        self.rotations.rebase(t, q)
    }

    fn turn(&self, v: &[f64]) -> f64 {
        let carriers = self.plan.carriers.iter();
        let turns = carriers.map(|c| c.carrier.turn(&v[c.coordinates.clone()]));
        turns.fold(self.rotations.turn(v), f64::max)
    }
}
