//! A flexible body: a floating frame, and small deformations that are a sum of mode shapes.
//!
//! ```text
//!  q = (x, psi, z)     a point of the body      r = x + R u,   u = c + Phi z
//!                      a frame at such a point  R_p = R E(Psi z)
//!
//!  dr = dx - R u^ theta + R Phi dz              theta_p = E' theta + T Psi dz
//! ```
//!
//! `E(y)` is the rotation of the four numbers `(1, y/2)`, which equals `exp(y)` up to the third order,
//! farther than rotations of modes mean anything; its derivatives are those of `four.rs`. Inertia is that of mass
//! points which move with the modes, exact for these displacements (`modal/inertia.rs`); stiffness and damping are
//! given. Of displacements that grow with the square of the modes a point may have a shortening along the x axis of the
//! body, `u = c + Phi z - e_x z' B z/2`: by virtue of it axial forces stiffen or soften bending, be they those of a rotation, of
//! weight or of what is attached. It counts to first order in inertia, with energy that is that of its forces.
//! (Shabana, Dynamics of Multibody Systems, chapter 5; Wallrapp 1994.)

mod floating;
mod inertia;
mod straight;
mod symmetric;

pub use straight::{ModeSet, StraightBeam};

use super::four::{Operators, Wide};
use super::{Carrier, CarrierPoint, Coordinate, FrameMap, OwnPattern, OwnTerms, Reach, Recovered};
use crate::body::Body;
use crate::geometry::{
    Matrix, Vector, add, apply, apply_transposed, cross, dot, hat, product, scaled, sub,
};
use floating::Floating;
use inertia::Invariants;
use linkwork_dae::rotation::{Quaternion, compose, matrix, normalise};
use linkwork_dae::system::Energy;
use std::ops::Range;
use std::sync::Arc;

/// A point of a flexible body, with what it carries.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModalPoint {
    /// Place in the body frame, m.
    pub place: Vector,
    /// Lumped mass, kg.
    pub mass: f64,
    /// Lumped moments of inertia along the axes of the body, kg m^2.
    pub inertia: Vector,
    /// Displacement by one unit of each mode.
    pub displacement: Vec<Vector>,
    /// Rotation by one unit of each mode, rad.
    pub rotation: Vec<Vector>,
    /// Shortening `B` along x by products of amplitudes, by rows; empty where there is none.
    pub shortening: Vec<f64>,
}

/// What a flexible body is made of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Modal {
    /// Mass points, and points that frames are fixed to.
    pub points: Vec<ModalPoint>,
    /// Whether it only moves and bends parallel to the x-y plane.
    pub flat: bool,
    /// Inertia that the modes have beside that of the points, of masses that they move along x to both sides alike, by rows; may be
    /// empty.
    pub added_mass: Vec<f64>,
    /// Stiffness of the modes, by rows.
    pub stiffness: Vec<f64>,
    /// Strain energy of the third order: products of three amplitudes, with their factors.
    pub cubic_energy: Vec<([usize; 3], f64)>,
    /// Damping ratio of each mode.
    pub damping_ratio: Vec<f64>,
    /// Further damping of the modes, by rows; may be empty.
    pub damping: Vec<f64>,
    /// Damping in proportion to mass (1/s) and stiffness (s), on top (Rayleigh).
    pub rayleigh: [f64; 2],
    /// What the modes are, "bending along y 3"; may be empty.
    pub names: Vec<String>,
    /// Names of the frames that elements can be attached to, with their points.
    pub frames: Vec<(String, usize)>,
    /// Start amplitudes of the modes, and their rates.
    pub start: Vec<[f64; 2]>,
    /// What is told beside them: section forces, stresses.
    pub recovered: Vec<Recovered>,
}

impl Modal {
    /// Number of modes.
    pub fn modes(&self) -> usize {
        self.start.len()
    }

    /// Mass of all points.
    pub fn mass(&self) -> f64 {
        self.points.iter().map(|p| p.mass).sum()
    }

    /// Where a frame is in the body at the start; the first one is the body itself.
    pub fn start_pose(&self, frame: usize) -> (Vector, Quaternion) {
        let start: Vec<f64> = self.start.iter().map(|s| s[0]).collect();
        match frame.checked_sub(1).and_then(|k| self.frames.get(k)) {
            Some((_, point)) => self.points[*point].pose(&start),
            None => ([0.0; 3], linkwork_dae::rotation::IDENTITY),
        }
    }

    /// Squares of the angular frequencies of the body without any support, beside motions of the whole, from below; `None`
    /// where its modes have no mass.
    pub fn frequencies(&self) -> Option<Vec<f64>> {
        Invariants::new(self).frequencies()
    }

    /// Angular frequency and damping ratio of each mode alone; zeros where it has no mass or no stiffness.
    pub fn vibrations(&self) -> Vec<[f64; 2]> {
        Invariants::new(self).vibrations()
    }

    /// The lowest of them, where it is not rounding.
    fn softest(&self) -> Option<f64> {
        let all = self.frequencies()?;
        let most = all.last().copied().unwrap_or(0.0);
        all.first().copied().filter(|least| *least < -1e-9 * most)
    }

    /// Why it cannot be a body.
    pub fn problem(&self) -> Option<String> {
        let n = self.modes();
        if n == 0 {
            return Some("a flexible body has at least one mode".into());
        }
        for (i, p) in self.points.iter().enumerate() {
            let i = i + 1;
            let pairs = p.shortening.len();
            if p.displacement.len() != n || p.rotation.len() != n || ![0, n * n].contains(&pairs) {
                return Some(format!(
                    "point {i} does not move with each of the {n} modes"
                ));
            }
            let shapes = p.displacement.iter().chain(&p.rotation);
            let numbers = shapes.chain([&p.place, &p.inertia]).flatten();
            let mut numbers = numbers.chain(&p.shortening);
            if numbers.any(|x| !x.is_finite()) {
                return Some(format!("the numbers of point {i} must be finite"));
            }
            if p.mass > 0.0 && !p.shortening.is_empty() && [p.place[1], p.place[2]] != [0.0; 2] {
                return Some(format!(
                    "point {i} has mass and a shortening, and does not lie on the x axis"
                ));
            }
            if !(p.mass >= 0.0 && p.mass.is_finite()) || p.inertia.iter().any(|j| *j < 0.0) {
                return Some(format!("the inertia of point {i} must not be negative"));
            }
        }
        if self.stiffness.len() != n * n || self.damping_ratio.len() != n {
            return Some(format!("stiffness and damping need numbers for {n} modes"));
        }
        if self.flat {
            let leaves = |p: &ModalPoint| {
                p.displacement.iter().any(|u| u[2] != 0.0)
                    || p.rotation.iter().any(|w| [w[0], w[1]] != [0.0; 2])
            };
            if let Some(i) = self.points.iter().position(leaves) {
                return Some(format!("its modes move point {} out of the plane", i + 1));
            }
        }
        if let Some(why) = self.further_problem() {
            return Some(why);
        }
        let mut given = (self.stiffness.iter()).chain(self.start.as_flattened());
        if given.any(|x| !x.is_finite()) {
            return Some("stiffness and start of the modes must be finite".into());
        }
        let symmetric = |i: usize, j: usize| {
            let [a, b] = [self.stiffness[i * n + j], self.stiffness[j * n + i]];
            (a - b).abs() <= 1e-9 * (a.abs() + b.abs())
        };
        for i in 0..n {
            let own = self.stiffness[i * n + i];
            if own < 0.0 {
                return Some(format!(
                    "the stiffness of mode {} is negative: {own}",
                    i + 1
                ));
            }
            if let Some(j) = (0..i).find(|j| !symmetric(i, *j)) {
                let [a, b] = [self.stiffness[j * n + i], self.stiffness[i * n + j]];
                return Some(format!(
                    "the stiffness must be symmetric: between modes {} and {} it is {a} and {b}",
                    j + 1,
                    i + 1
                ));
            }
        }
        if let Some(least) = self.softest()
            && least < 0.0
        {
            return Some(format!(
                "the stiffness is negative for some combination of modes: {least} times their mass"
            ));
        }
        let sound = |z: &f64| *z >= 0.0 && z.is_finite();
        if !self.damping_ratio.iter().all(sound) {
            return Some("damping ratios must not be negative".into());
        }
        if ![0, n * n].contains(&self.damping.len()) || self.damping.iter().any(|x| !x.is_finite())
        {
            return Some(format!("the damping needs {n} rows of {n} finite numbers"));
        }
        if !self.rayleigh.iter().all(sound) {
            return Some("Rayleigh's damping must not be negative".into());
        }
        if ![0, n].contains(&self.names.len()) {
            return Some(format!(
                "there are {n} modes, and {} names of modes",
                self.names.len()
            ));
        }
        for quantity in &self.recovered {
            let factors = &quantity.factors;
            if factors.len() != n || factors.iter().any(|x| !x.is_finite()) {
                let name = &quantity.name;
                return Some(format!("its output `{name}` needs {n} finite numbers"));
            }
        }
        if self.frames.iter().any(|(_, p)| *p >= self.points.len()) {
            let count = self.points.len();
            return Some(format!("there are {count} points to fix frames to"));
        }
        let names = self.frames.iter().enumerate();
        let twice = |(i, (name, _)): (usize, &(String, usize))| {
            self.frames[..i].iter().any(|(other, _)| other == name)
        };
        if names.into_iter().any(twice) {
            return Some("its frames must have different names".into());
        }
        Invariants::new(self).problem()
    }

    /// What is wrong with added masses and energies.
    fn further_problem(&self) -> Option<String> {
        let n = self.modes();
        let mass = &self.added_mass;
        if ![0, n * n].contains(&mass.len()) || mass.iter().any(|x| !x.is_finite()) {
            return Some(format!(
                "the added mass needs {n} rows of {n} finite numbers"
            ));
        }
        if !mass.is_empty() {
            let odd = |(i, j): &(usize, usize)| mass[i * n + j] != mass[j * n + i];
            let mut pairs = (0..n).flat_map(|i| (0..i).map(move |j| (i, j)));
            if let Some((i, j)) = pairs.find(odd) {
                let (a, b) = (mass[j * n + i], mass[i * n + j]);
                let (i, j) = (i + 1, j + 1);
                return Some(format!(
                    "the added mass must be symmetric: between modes {j} and {i} it is {a} and {b}"
                ));
            }
        }
        for (modes, factor) in &self.cubic_energy {
            if modes.iter().any(|k| *k >= n) || !factor.is_finite() {
                return Some(format!(
                    "its cubic energy has finite factors of products of three of the {n} modes"
                ));
            }
        }
        None
    }

    fn floating(&self) -> Floating {
        Floating { flat: self.flat }
    }
}

impl ModalPoint {
    fn pose(&self, z: &[f64]) -> (Vector, Quaternion) {
        let [x, y, w] = sum(&self.rotation, z);
        let turn = normalise([1.0, 0.5 * x, 0.5 * y, 0.5 * w]);
        (self.displaced(z), turn)
    }

    /// `c + Phi z - e_x z' B z/2`.
    fn displaced(&self, z: &[f64]) -> Vector {
        let mut u = add(self.place, sum(&self.displacement, z));
        u[0] -= 0.5 * self.short(z, z);
        u
    }

    /// `a' B b`.
    fn short(&self, a: &[f64], b: &[f64]) -> f64 {
        (0..a.len()).map(|k| a[k] * self.short_by(k, b)).sum()
    }

    /// `(B b)_k`.
    fn short_by(&self, k: usize, b: &[f64]) -> f64 {
        let row = self.shortening.get(k * b.len()..(k + 1) * b.len());
        let row = row.unwrap_or(&[]);
        row.iter().zip(b).map(|(x, b)| x * b).sum()
    }

    /// How a mode moves it from here.
    fn shape(&self, k: usize, z: &[f64]) -> Vector {
        let mut phi = self.displacement[k];
        phi[0] -= self.short_by(k, z);
        phi
    }
}

/// A flexible body, ready for evaluation.
#[derive(Clone, Debug)]
pub(crate) struct ModalBody {
    body: Body,
    modal: Arc<Modal>,
    invariants: Invariants,
}

impl ModalBody {
    pub fn new(body: &Body, modal: &Arc<Modal>) -> ModalBody {
        ModalBody {
            body: body.clone(),
            modal: modal.clone(),
            invariants: Invariants::new(modal),
        }
    }

    fn floating(&self) -> Floating {
        self.modal.floating()
    }

    fn count(&self) -> usize {
        self.floating().count() + self.modal.modes()
    }

    /// Orientation of the floating frame.
    fn orientation(&self, at: &CarrierPoint<'_>) -> Quaternion {
        self.floating().orientation(at)
    }

    /// The point of a frame; none for the first one, which is that of the coordinates.
    fn point(&self, frame: usize) -> Option<&ModalPoint> {
        let (_, point) = self.modal.frames.get(frame.checked_sub(1)?)?;
        self.modal.points.get(*point)
    }
}

/// What a frame on a point does.
struct Node<'a> {
    floating: Floating,
    point: &'a ModalPoint,
    /// Amplitudes, their rates and accelerations.
    modes: [&'a [f64]; 3],
    r: Matrix,
    /// From the axes of the frame to those of the body.
    e: Matrix,
    /// Place, and its velocity and acceleration in the body.
    u: Vector,
    rate: Vector,
    second: Vector,
    turn: Operators,
    /// Angular velocity of the body, and its rate.
    w: Vector,
    wd: Vector,
}

/// The sum of some shapes.
fn sum(shapes: &[Vector], z: &[f64]) -> Vector {
    let all = shapes.iter().zip(z);
    all.fold([0.0; 3], |sum, (shape, z)| add(sum, scaled(*shape, *z)))
}

fn three(x: &[f64], first: usize) -> Vector {
    [x[first], x[first + 1], x[first + 2]]
}

/// `X Psi` for a shape: the columns of the last three numbers, which are half of the rotation.
fn spread(x: &Wide, shape: Vector) -> Vector {
    x.map(|row| 0.5 * (row[1] * shape[0] + row[2] * shape[1] + row[3] * shape[2]))
}

impl<'a> Node<'a> {
    fn new(floating: Floating, point: &'a ModalPoint, at: &CarrierPoint<'a>) -> Node<'a> {
        let own = floating.count();
        let (z, v, a) = (&at.q[own..], &at.v[own..], &at.a[own..]);
        let half = |first: f64, z: &[f64]| {
            let [x, y, w] = sum(&point.rotation, z);
            [first, 0.5 * x, 0.5 * y, 0.5 * w]
        };
        let e = half(1.0, z);
        let mut rate = sum(&point.displacement, v);
        rate[0] -= point.short(z, v);
        let mut second = sum(&point.displacement, a);
        second[0] -= point.short(z, a);
        Node {
            floating,
            point,
            modes: [z, v, a],
            r: matrix(floating.orientation(at)),
            e: matrix(normalise(e)),
            u: point.displaced(z),
            rate,
            second,
            turn: Operators::new(e, half(0.0, v), half(0.0, a)),
            w: floating.three(at.v, 3),
            wd: floating.three(at.a, 3),
        }
    }

    /// Angular velocity of the body in the axes of the frame, and its rate but for the turn of these.
    fn seen(&self) -> [Vector; 2] {
        [self.w, self.wd].map(|w| apply_transposed(&self.e, w))
    }

    /// What of the acceleration of the place is none of coordinates: `w x (w x u) + 2 w x u' - e_x z'' B z'`.
    fn bias(&self) -> Vector {
        let swing = cross(self.w, cross(self.w, self.u));
        let mut bias = add(swing, scaled(cross(self.w, self.rate), 2.0));
        bias[0] -= self.point.short(self.modes[1], self.modes[1]);
        bias
    }

    fn fill(&self, out: &mut FrameMap) {
        let floating = self.floating;
        let n = floating.count() + self.point.displacement.len();
        let turned = |m: &Matrix| product(&self.r, m);
        let minus_hat = |a: Vector| hat(scaled(a, -1.0));
        let (w, wd, u) = (self.w, self.wd, self.u);
        let [seen, seen_rate] = self.seen();
        let relative = self.turn.omega;
        let bias = self.bias();
        let speed = add(cross(w, u), self.rate);
        let acceleration = add(add(cross(wd, u), self.second), bias);
        let by_w: Matrix = {
            let (a, b) = (hat(cross(w, u)), product(&hat(w), &hat(u)));
            let c = hat(self.rate);
            std::array::from_fn(|i| std::array::from_fn(|j| -a[i][j] - b[i][j] - 2.0 * c[i][j]))
        };
        let back: Matrix = std::array::from_fn(|i| std::array::from_fn(|j| self.e[j][i]));
        for i in 0..3 {
            if let Some(column) = floating.at(i) {
                out.j[i * n + column] = 1.0;
            }
        }
        let put = |to: &mut [f64], row: usize, block: &Matrix| floating.put(to, n, row, block);
        put(&mut out.j, 0, &turned(&minus_hat(u)));
        put(&mut out.j, 3, &back);
        put(&mut out.w, 0, &turned(&minus_hat(speed)));
        put(&mut out.a, 0, &turned(&minus_hat(acceleration)));
        put(&mut out.bias_v, 0, &turned(&by_w));
        put(&mut out.bias_v, 3, &product(&minus_hat(relative), &back));
        let place = apply(&self.r, bias);
        let turn = sub(self.turn.bias, cross(relative, seen));
        out.bias = [place[0], place[1], place[2], turn[0], turn[1], turn[2]];
        let [z, v, a] = self.modes;
        for (k, &psi) in self.point.rotation.iter().enumerate() {
            let phi = self.point.shape(k, z);
            // derivatives of the shapes by the mode, along x, with rates and accelerations
            let shorter = |x: &[f64]| [-self.point.short_by(k, x), 0.0, 0.0];
            let (by_rate, by_second) = (shorter(v), shorter(a));
            let column = floating.count() + k;
            let delta = spread(&self.turn.b, psi);
            let faster = spread(&self.turn.w, psi);
            let across = cross(w, phi);
            let both = |to: &mut [f64], place: Vector, turn: Vector| {
                let place = apply(&self.r, place);
                for i in 0..3 {
                    to[i * n + column] = place[i];
                    to[(3 + i) * n + column] = turn[i];
                }
            };
            both(&mut out.j, phi, delta);
            let speed = add(across, by_rate);
            both(&mut out.w, speed, add(cross(seen, delta), faster));
            let turn = add(cross(seen_rate, delta), spread(&self.turn.a, psi));
            let turn = sub(turn, cross(faster, seen));
            let turn = sub(turn, cross(relative, cross(seen, delta)));
            let place = add(cross(wd, phi), cross(w, across));
            let place = add(place, add(by_second, scaled(cross(w, by_rate), 2.0)));
            both(&mut out.a, place, turn);
            let turn = add(cross(seen, delta), spread(&self.turn.bias_v, psi));
            both(&mut out.bias_v, scaled(add(across, by_rate), 2.0), turn);
        }
    }

    /// `(J' l)_q` but for the coordinates of the position.
    fn bend(&self, load: &[f64; 6], out: &mut [f64]) {
        // rows and columns from the turns on
        let turns = self.floating.count() - self.floating.turns();
        let n = turns + self.point.displacement.len();
        let turn = |i: usize| self.floating.turn(i);
        let force = apply_transposed(&self.r, three(load, 0));
        let torque = three(load, 3);
        let arm = product(&hat(self.u), &hat(force));
        for (i, row) in arm.iter().enumerate() {
            for (j, x) in row.iter().enumerate() {
                if let (Some(i), Some(j)) = (turn(i), turn(j)) {
                    out[i * n + j] = *x;
                }
            }
        }
        let bent = self.turn.pull_by_e(torque);
        let psi = &self.point.rotation;
        let count = psi.len();
        for (k, own) in psi.iter().enumerate() {
            let phi = self.point.shape(k, self.modes[0]);
            let moment = cross(phi, force);
            let turned = cross(spread(&self.turn.b, *own), torque);
            let column = add(moment, apply(&self.e, turned));
            for i in 0..3 {
                if let Some(row) = turn(i) {
                    out[row * n + turns + k] = column[i];
                    out[(turns + k) * n + row] = moment[i];
                }
            }
            let by_own: Vector = std::array::from_fn(|i| dot(three(&bent[1 + i], 1), *own));
            for (j, other) in psi.iter().enumerate() {
                let short = self.point.shortening.get(j * count + k);
                let straight = short.map_or(0.0, |b| b * force[0]);
                out[(turns + j) * n + turns + k] = 0.25 * dot(*other, by_own) - straight;
            }
        }
    }
}

impl Carrier for ModalBody {
    fn coordinates(&self) -> Vec<Coordinate> {
        let body = &self.body;
        let [of_velocity, of_spin] = body.velocity_trusts();
        let there = |first: usize| move |i: &usize| self.floating().at(first + i).is_some();
        let axes = ["x", "y", "z"];
        let place = (0..3).filter(there(0)).map(|i| Coordinate {
            words: [axes[i].into(), format!("{} velocity", axes[i])],
            start: [body.position[i], body.velocity[i]],
            trust: [body.position_trust, of_velocity],
            scale: None,
            channel: None,
        });
        let turn = (0..3).filter(there(3)).map(|i| Coordinate {
            words: match self.modal.flat {
                true => ["angle".into(), "angular velocity".into()],
                false => ["rotation", "angular velocity"]
                    .map(|what| format!("{what} about its {} axis", axes[i])),
            },
            start: [
                if self.modal.flat { body.angle() } else { 0.0 },
                body.angular_velocity[i],
            ],
            trust: [body.orientation_trust, of_spin],
            scale: Some(1.0),
            channel: None,
        });
        let scales = self.invariants.scales.iter();
        let modes = self.modal.start.iter().zip(scales).enumerate();
        let modes = modes.map(|(k, (start, scale))| Coordinate {
            words: ["amplitude", "rate"].map(|what| match self.modal.names.get(k) {
                Some(name) => format!("{what} of its {name}"),
                None => format!("{what} of its mode {}", k + 1),
            }),
            start: *start,
            trust: [body.position_trust, body.velocity_trust],
            scale: Some(*scale),
            channel: Some(format!("mode{}", k + 1)),
        });
        place.chain(turn).chain(modes).collect()
    }

    fn rotation(&self) -> Option<(usize, Quaternion)> {
        (!self.modal.flat).then_some((3, self.body.orientation))
    }

    fn freedoms(&self) -> &'static [usize] {
        self.body.freedoms()
    }

    fn angle(&self, frame: usize, at: &CarrierPoint<'_>) -> f64 {
        if !self.modal.flat {
            return 0.0;
        }
        let own = self.floating().count();
        let bent = match self.point(frame) {
            Some(point) => 2.0 * (0.5 * sum(&point.rotation, &at.q[own..])[2]).atan(),
            None => 0.0,
        };
        at.q[self.floating().turns()] + bent
    }

    fn more_frames(&self) -> Vec<String> {
        let names = self.modal.frames.iter();
        names.map(|(name, _)| name.clone()).collect()
    }

    fn recovered(&self) -> &[Recovered] {
        &self.modal.recovered
    }

    fn reach(&self, frame: usize) -> [Reach; 6] {
        let (floating, all) = (self.floating(), self.count());
        std::array::from_fn(|i| match (self.point(frame), floating.at(i)) {
            (_, None) => Reach {
                columns: 0..0,
                constant: true,
            },
            (None, Some(column)) => Reach {
                columns: column..column + 1,
                constant: true,
            },
            (Some(_), _) => Reach {
                columns: if i < 3 { 0..all } else { floating.turns()..all },
                constant: false,
            },
        })
    }

    fn pose(&self, frame: usize, at: &CarrierPoint<'_>) -> (Vector, Quaternion) {
        let (mut origin, own) = (self.floating().three(at.q, 0), self.orientation(at));
        if self.modal.flat {
            origin[2] = self.body.position[2];
        }
        match self.point(frame) {
            None => (origin, own),
            Some(point) => {
                let (u, turn) = point.pose(&at.q[self.floating().count()..]);
                (add(origin, apply(&matrix(own), u)), compose(own, turn))
            }
        }
    }

    fn fixed_at(&self, frame: usize) -> Option<Vector> {
        let Some(point) = self.point(frame) else {
            return Some([0.0; 3]);
        };
        let shapes = point.displacement.iter().chain(&point.rotation).flatten();
        let still = shapes.chain(&point.shortening).all(|x| *x == 0.0);
        still.then_some(point.place)
    }

    fn map(
        &self,
        frame: usize,
        at: &CarrierPoint<'_>,
        out: &mut FrameMap,
    ) -> Result<(), &'static str> {
        match self.point(frame) {
            Some(point) => Node::new(self.floating(), point, at).fill(out),
            None => {
                let n = self.count();
                for i in 0..6 {
                    if let Some(column) = self.floating().at(i) {
                        out.j[i * n + column] = 1.0;
                    }
                }
            }
        }
        Ok(())
    }

    fn bent(&self, frame: usize) -> Range<usize> {
        match self.point(frame) {
            Some(_) => self.floating().turns()..self.count(),
            None => 0..0,
        }
    }

    fn bend(&self, frame: usize, at: &CarrierPoint<'_>, load: &[f64; 6], out: &mut [f64]) {
        if let Some(point) = self.point(frame) {
            Node::new(self.floating(), point, at).bend(load, out);
        }
    }

    fn own_pattern(&self) -> OwnPattern {
        let n = self.count();
        let first = self.floating().turns();
        let all = || (0..n).flat_map(move |i| (0..n).map(move |j| (i, j)));
        let turned: Vec<(usize, usize)> = all().filter(|(_, j)| *j >= first).collect();
        OwnPattern {
            mass: all()
                .filter(|(i, j)| i == j || *i.max(j) >= first)
                .collect(),
            r_q: turned.clone(),
            r_v: turned,
            ..OwnPattern::default()
        }
    }

    fn own(&self, at: &CarrierPoint<'_>, _: &[f64], derivatives: bool, out: &mut OwnTerms) {
        self.invariants.terms(at, derivatives, out);
    }

    fn energy(&self, at: &CarrierPoint<'_>) -> Energy {
        self.invariants.energy(at)
    }

    fn energies(&self) -> Vec<String> {
        let modes = (1..=self.modal.modes()).map(|k| format!("mode{k}.energy"));
        std::iter::once("strain_energy".into())
            .chain(modes)
            .collect()
    }

    fn tell_energies(&self, at: &CarrierPoint<'_>, out: &mut [f64]) {
        self.invariants.energies(at, out);
    }
}
