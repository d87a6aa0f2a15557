//! Poses and motions of the bodies outwards along the tree, in the coordinates of the assembly.

use super::{JointCoordinates, Layout};
use crate::assembly::Freedom;
use crate::geometry;
use crate::tree::{Mat3, Vec3};
use linkwork_dae::dense::Matrix;
use linkwork_dae::state::State;
use linkwork_dae::system::{At, System, Terms};

/// Amplitudes of modes, which follow the coordinates of joints, as coordinates of the assembly; zeros where there are none.
fn put_modes(layout: &Layout, from: &[f64], out: &mut [f64]) {
    let mut next = layout.joint_coordinates;
    for body in layout.bodies.iter().filter(|b| b.modes > 0) {
        let first = body.first + body.freedoms.len();
        for to in &mut out[first..first + body.modes] {
            *to = from.get(next).copied().unwrap_or(0.0);
            next += 1;
        }
    }
}

/// Six numbers of a body as its coordinates.
fn put(layout: &Layout, body: usize, x: Vec3, turn: Vec3, out: &mut [f64]) {
    let carried = &layout.bodies[body];
    let all = [x.x, x.y, x.z, turn.x, turn.y, turn.z];
    let own = &mut out[carried.first..carried.first + carried.freedoms.len()];
    for (o, freedom) in own.iter_mut().zip(carried.freedoms) {
        *o = all[*freedom];
    }
}

impl JointCoordinates {
    /// Brings the bases of the chart into the tree.
    pub(super) fn follow_chart(&mut self) {
        for (k, &body) in self.layout.turning.iter().enumerate() {
            let base = self.chart.orientation(k, &self.scratch.zero);
            self.tree.set_base(body as usize, Mat3::of_quaternion(base));
        }
    }

    /// Poses of all bodies, and their coordinates in the assembly but for rotation vectors.
    pub(super) fn place(&mut self, q: &[f64]) {
        self.scratch.q.copy_from_slice(self.driven.moved(q));
        self.place_tree();
        self.place_bodies();
    }

    /// Poses of bodies in a tree that is placed.
    pub(super) fn place_bodies(&mut self) {
        let (layout, q) = (&*self.layout, &self.scratch.q);
        if layout.flat {
            let angles = self.scratch.along.get_mut();
            for link in &layout.links {
                let own = link.dofs.clone().filter(|k| layout.angular[*k]);
                let before = link.parent.map_or(0.0, |p| angles[p]);
                let bent = link
                    .perch
                    .map_or(0.0, |k| match layout.perches[k].site.carries {
                        true => -self.relative[k].angle,
                        false => self.relative[k].angle,
                    });
                angles[link.body] = own.fold(before + bent, |sum, k| sum + q[k]);
            }
        }
        for (body, frame) in self.bodies.iter_mut().zip(&layout.frames) {
            let place = self.kin.frame(frame);
            (body.r, body.p) = (place.r, place.p);
        }
    }

    /// Angle of a planar body.
    fn angle(&self, b: usize) -> f64 {
        match self.layout.bodies[b].freedom {
            Freedom::Plane => self.layout.turn[b] + self.scratch.along.borrow()[b],
            _ => 0.0,
        }
    }

    /// Poses of all bodies and their coordinates in the assembly, rotation vectors included.
    pub(super) fn place_absolutely(&mut self, q: &[f64]) {
        self.place(q);
        for b in 0..self.layout.bodies.len() {
            let body = self.bodies[b];
            let turn = match self.layout.bodies[b].freedom {
                Freedom::Space(k) => {
                    let psi = self.assembly.rotation_vector(k, body.r.quaternion());
                    psi.into()
                }
                _ => Vec3::Z * self.angle(b),
            };
            put(&self.layout, b, body.p, turn, &mut self.scratch.state.q);
        }
        let s = &mut self.scratch;
        put_modes(&self.layout, &s.q, &mut s.state.q);
    }

    /// Velocities of all bodies in a tree that moves.
    pub(super) fn read_velocities(&mut self) {
        for (body, frame) in self.bodies.iter_mut().zip(&self.layout.frames) {
            body.v = self.kin.point_velocity(frame, body.p);
        }
    }

    /// Velocities and accelerations of all bodies.
    pub(super) fn move_along(&mut self, v: &[f64], a: &[f64]) {
        self.move_tree(v, a);
        self.read_velocities();
        for (body, frame) in self.bodies.iter_mut().zip(&self.layout.frames) {
            body.a = self.kin.point_acceleration(frame, body.p);
        }
    }

    /// Velocities of all bodies as coordinates of the assembly.
    pub(super) fn velocity_coordinates(&mut self, v: &[f64]) {
        for (b, body) in self.bodies[..self.layout.bodies.len()].iter().enumerate() {
            let omega = body.r.apply_transposed(body.v.w);
            put(&self.layout, b, body.v.v, omega, &mut self.scratch.state.v);
        }
        put_modes(&self.layout, v, &mut self.scratch.state.v);
    }

    /// Places the bodies of the assembly where those of the tree are.
    pub(super) fn enter_frames(&mut self) {
        for b in 0..self.layout.bodies.len() {
            let body = &self.bodies[b];
            let angle = self.angle(b);
            let omega = body.r.apply_transposed(body.v.w);
            let rows = body.r.transposed();
            let frame = geometry::Frame {
                pose: geometry::Pose {
                    position: body.p.array(),
                    rotation: [rows.x.array(), rows.y.array(), rows.z.array()],
                    angle,
                },
                velocity: body.v.v.array(),
                omega: omega.array(),
            };
            self.assembly.enter_frame(b, &frame);
            if self.layout.signals {
                let s = &mut self.scratch.state;
                put(&self.layout, b, body.p, Vec3::Z * angle, &mut s.q);
                put(&self.layout, b, body.v.v, omega, &mut s.v);
            }
        }
    }

    /// `J v` for velocities in the columns of `v`.
    pub(super) fn absolute_velocities(&mut self, q: &[f64], v: &Matrix) -> Matrix {
        self.place_absolutely(q);
        let mut absolute = Matrix::zero(self.layout.inner.nv, v.columns());
        for k in 0..v.columns() {
            let speeds = v.column(k);
            self.move_along(&speeds, &[]);
            self.velocity_coordinates(&speeds);
            for (i, v) in self.scratch.state.v.iter().enumerate() {
                absolute[(i, k)] = *v;
            }
        }
        absolute
    }

    /// Takes multipliers over; missing ones, and those of the tree, count as zero.
    pub(super) fn enter_multipliers(&mut self, lambda: &[f64]) {
        let to = &mut self.scratch.state.lambda;
        to.fill(0.0);
        for (row, l) in self.layout.rows.iter().zip(lambda) {
            to[*row as usize] = *l;
        }
    }

    /// Absolute accelerations of the bodies as they are now.
    pub(super) fn read_accelerations(&self, a: &[f64], out: &mut [f64]) {
        put_modes(&self.layout, a, out);
        for (b, body) in self.bodies[..self.layout.bodies.len()].iter().enumerate() {
            put(
                &self.layout,
                b,
                body.a.v,
                body.r.apply_transposed(body.a.w),
                out,
            );
        }
    }

    /// Takes a whole state over.
    pub(super) fn enter_state(&mut self, s: &State) {
        self.place_absolutely(&s.q);
        self.move_along(&s.v, &s.a);
        self.velocity_coordinates(&s.v);
        let mut a = std::mem::take(&mut self.scratch.state.a);
        self.read_accelerations(&s.a, &mut a);
        self.scratch.state.a = a;
        self.enter_multipliers(&s.lambda);
        self.scratch.state.t = s.t;
        self.scratch.state.x.copy_from_slice(&s.x);
    }

    /// A state with consistent accelerations and multipliers in the absolute coordinates of the model,
    /// with the multipliers of all its joints.
    pub fn absolute(&mut self, s: &State) -> &State {
        self.enter_state(s);
        self.find_reactions();
        &self.scratch.state
    }

    /// Multipliers of the joints of the tree at the state just entered.
    fn find_reactions(&mut self) {
        let s = &mut self.scratch;
        let at = At {
            t: s.state.t,
            q: &s.state.q,
            v: &s.state.v,
            a: &s.state.a,
            lambda: &s.state.lambda,
            x: &s.state.x,
        };
        let mut residual = Terms {
            r: Some(&mut s.r),
            ..Terms::default()
        };
        let done = self.assembly.eval(&at, &mut residual);
        self.assembly.leave_out(&[]);
        let mut derivative = Terms {
            c_q: Some(&mut s.c_q),
            ..Terms::default()
        };
        let done = done.and(self.assembly.eval(&at, &mut derivative));
        self.assembly.leave_out(&self.layout.topology.in_tree);
        if done.is_err() {
            s.r.fill(f64::NAN);
        }
        (self.layout.reactions).run(&s.c_q, &mut s.r, &mut s.state.lambda);
    }
}
