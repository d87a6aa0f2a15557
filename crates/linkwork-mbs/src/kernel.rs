//! Formulas of body points, written once for bodies that move in the x-y plane and for all others.
//!
//! Frames are those of space, always; a view says which of their numbers count. [`Flat`] reads x, y
//! and the turn about z, with one number where [`Solid`] has a vector or a matrix. With `p = x + R s`,
//! `omega` and small turns `theta` in body axes:
//!
//! ```text
//!           arm      velocity of turning    d arm          d(s x R' l)
//!  solid    R s      R (omega x s)          -R s^ theta    s^ (R' l)^ theta
//!  flat     R s      omega (R s)^           (R s)^ theta   -(R s . l) theta        (x, y)^ = (-y, x)
//! ```

use crate::geometry::{Frame, apply, apply_transposed, cross, dot, times_hat, two_hats};

/// What formulas of body points need of the space that the bodies move in.
pub trait Space {
    /// A vector.
    type V: Copy + AsRef<[f64]>;
    /// A turn, or a moment.
    type T: Copy + AsRef<[f64]>;
    /// Derivative of a vector by a turn, by rows.
    type VT: Copy + AsRef<[f64]>;
    /// Derivative of a moment by a turn, by rows.
    type TT: Copy + AsRef<[f64]>;
    /// Entries of one body in the derivative of a point: one for each axis, then those of the turn.
    type E: Copy + AsRef<[f64]>;
    /// Number of axes.
    const AXES: usize;
    /// Number of turns.
    const TURNS: usize;
    /// First turn among the six freedoms of a frame.
    const TURN: usize;
    /// Length of `E`.
    const ENTRIES: usize = Self::AXES * (1 + Self::TURNS);

    /// `R s`.
    fn arm(f: &Frame, s: &[f64; 3]) -> Self::V;
    /// Place of the point.
    fn point(f: &Frame, arm: Self::V) -> Self::V;
    /// Its velocity.
    fn velocity(f: &Frame, s: &[f64; 3], arm: Self::V) -> Self::V;
    /// Its acceleration from turning alone.
    fn second(f: &Frame, s: &[f64; 3], arm: Self::V) -> Self::V;
    /// Derivative of the arm by the turn.
    fn by_turn(f: &Frame, s: &[f64; 3], arm: Self::V) -> Self::VT;
    /// Derivative of the rate of the arm by the turn, `omega` fixed.
    fn rate_by_turn(f: &Frame, s: &[f64; 3], arm: Self::V) -> Self::VT;
    /// Moment of a force at the point.
    fn moment(f: &Frame, s: &[f64; 3], arm: Self::V, l: Self::V) -> Self::T;
    /// Moment of a force at the rate of the arm: `(omega x s) x R' l`.
    fn moment_of_rate(f: &Frame, s: &[f64; 3], arm: Self::V, l: Self::V) -> Self::T;
    /// Derivative of the moment by the turn.
    fn moment_by_turn(f: &Frame, s: &[f64; 3], arm: Self::V, l: Self::V) -> Self::TT;
    /// The first entries of a slice.
    fn vector(x: &[f64]) -> Self::V;
    /// Difference.
    fn minus(x: Self::V, y: Self::V) -> Self::V;
    /// Multiple.
    fn times(x: Self::V, factor: f64) -> Self::V;
    /// Scalar product.
    fn dot(x: Self::V, y: Self::V) -> f64;
    /// `factor` for each axis, then `factor` times the derivative by the turn.
    fn entries(factor: f64, by_turn: Self::VT) -> Self::E;
    /// The negative.
    fn opposite(x: Self::VT) -> Self::VT;
    /// Adds a force and its moment, times a factor, to the load of a frame.
    fn load(on: &mut [f64; 6], l: Self::V, moment: Self::T, factor: f64);
}

/// The columns of two bodies in the x-y plane.
pub(crate) const FLAT: [usize; 6] = [0, 1, 5, 6, 7, 11];

/// Bodies that move parallel to the x-y plane.
#[derive(Clone, Copy, Debug)]
pub struct Flat;

/// Bodies in space.
#[derive(Clone, Copy, Debug)]
pub struct Solid;

impl Space for Flat {
    type V = [f64; 2];
    type T = [f64; 1];
    type VT = [f64; 2];
    type TT = [f64; 1];
    type E = [f64; 4];
    const AXES: usize = 2;
    const TURNS: usize = 1;
    const TURN: usize = 5;

    #[inline(always)]
    fn arm(f: &Frame, s: &[f64; 3]) -> [f64; 2] {
        let (c, n) = (f.pose.rotation[0][0], f.pose.rotation[1][0]);
        [c * s[0] - n * s[1], n * s[0] + c * s[1]]
    }
    #[inline(always)]
    fn point(f: &Frame, arm: [f64; 2]) -> [f64; 2] {
        [f.pose.position[0] + arm[0], f.pose.position[1] + arm[1]]
    }
    #[inline(always)]
    fn velocity(f: &Frame, _: &[f64; 3], arm: [f64; 2]) -> [f64; 2] {
        let w = f.omega[2];
        [f.velocity[0] - w * arm[1], f.velocity[1] + w * arm[0]]
    }
    #[inline(always)]
    fn second(f: &Frame, _: &[f64; 3], arm: [f64; 2]) -> [f64; 2] {
        let w = f.omega[2] * f.omega[2];
        [-(w * arm[0]), -(w * arm[1])]
    }
    #[inline(always)]
    fn by_turn(_: &Frame, _: &[f64; 3], arm: [f64; 2]) -> [f64; 2] {
        [-arm[1], arm[0]]
    }
    #[inline(always)]
    fn rate_by_turn(f: &Frame, _: &[f64; 3], arm: [f64; 2]) -> [f64; 2] {
        [-f.omega[2] * arm[0], -f.omega[2] * arm[1]]
    }
    #[inline(always)]
    fn moment(_: &Frame, _: &[f64; 3], arm: [f64; 2], l: [f64; 2]) -> [f64; 1] {
        [l[1] * arm[0] - l[0] * arm[1]]
    }
    #[inline(always)]
    fn moment_of_rate(f: &Frame, _: &[f64; 3], arm: [f64; 2], l: [f64; 2]) -> [f64; 1] {
        [-((l[0] * arm[0] + l[1] * arm[1]) * f.omega[2])]
    }
    #[inline(always)]
    fn moment_by_turn(_: &Frame, _: &[f64; 3], arm: [f64; 2], l: [f64; 2]) -> [f64; 1] {
        [-(l[0] * arm[0] + l[1] * arm[1])]
    }
    #[inline(always)]
    fn vector(x: &[f64]) -> [f64; 2] {
        [x[0], x[1]]
    }
    #[inline(always)]
    fn minus(x: [f64; 2], y: [f64; 2]) -> [f64; 2] {
        [x[0] - y[0], x[1] - y[1]]
    }
    #[inline(always)]
    fn times(x: [f64; 2], factor: f64) -> [f64; 2] {
        [x[0] * factor, x[1] * factor]
    }
    #[inline(always)]
    fn dot(x: [f64; 2], y: [f64; 2]) -> f64 {
        x[0] * y[0] + x[1] * y[1]
    }
    #[inline(always)]
    fn entries(factor: f64, t: [f64; 2]) -> [f64; 4] {
        [factor, factor, factor * t[0], factor * t[1]]
    }
    #[inline(always)]
    fn opposite(x: [f64; 2]) -> [f64; 2] {
        [-x[0], -x[1]]
    }
    #[inline(always)]
    fn load(on: &mut [f64; 6], l: [f64; 2], moment: [f64; 1], factor: f64) {
        on[0] += factor * l[0];
        on[1] += factor * l[1];
        on[5] += factor * moment[0];
    }
}

#[inline(always)]
fn nine(m: [[f64; 3]; 3]) -> [f64; 9] {
    let mut out = [0.0; 9];
    out.copy_from_slice(m.as_flattened());
    out
}

impl Space for Solid {
    type V = [f64; 3];
    type T = [f64; 3];
    type VT = [f64; 9];
    type TT = [f64; 9];
    type E = [f64; 12];
    const AXES: usize = 3;
    const TURNS: usize = 3;
    const TURN: usize = 3;

    #[inline(always)]
    fn arm(f: &Frame, s: &[f64; 3]) -> [f64; 3] {
        f.pose.direction(*s)
    }
    #[inline(always)]
    fn point(f: &Frame, arm: [f64; 3]) -> [f64; 3] {
        let p = f.pose.position;
        [p[0] + arm[0], p[1] + arm[1], p[2] + arm[2]]
    }
    #[inline(always)]
    fn velocity(f: &Frame, s: &[f64; 3], _: [f64; 3]) -> [f64; 3] {
        f.velocity_at(*s)
    }
    #[inline(always)]
    fn second(f: &Frame, s: &[f64; 3], _: [f64; 3]) -> [f64; 3] {
        apply(&f.pose.rotation, cross(f.omega, cross(f.omega, *s)))
    }
    #[inline(always)]
    fn by_turn(f: &Frame, s: &[f64; 3], _: [f64; 3]) -> [f64; 9] {
        nine(times_hat(&f.pose.rotation, s.map(|x| -x)))
    }
    #[inline(always)]
    fn rate_by_turn(f: &Frame, s: &[f64; 3], _: [f64; 3]) -> [f64; 9] {
        nine(times_hat(&f.pose.rotation, cross(f.omega, *s).map(|x| -x)))
    }
    #[inline(always)]
    fn moment(f: &Frame, s: &[f64; 3], _: [f64; 3], l: [f64; 3]) -> [f64; 3] {
        cross(*s, apply_transposed(&f.pose.rotation, l))
    }
    #[inline(always)]
    fn moment_of_rate(f: &Frame, s: &[f64; 3], _: [f64; 3], l: [f64; 3]) -> [f64; 3] {
        cross(cross(f.omega, *s), apply_transposed(&f.pose.rotation, l))
    }
    #[inline(always)]
    fn moment_by_turn(f: &Frame, s: &[f64; 3], _: [f64; 3], l: [f64; 3]) -> [f64; 9] {
        nine(two_hats(*s, apply_transposed(&f.pose.rotation, l)))
    }
    #[inline(always)]
    fn vector(x: &[f64]) -> [f64; 3] {
        [x[0], x[1], x[2]]
    }
    #[inline(always)]
    fn minus(x: [f64; 3], y: [f64; 3]) -> [f64; 3] {
        [x[0] - y[0], x[1] - y[1], x[2] - y[2]]
    }
    #[inline(always)]
    fn times(x: [f64; 3], factor: f64) -> [f64; 3] {
        x.map(|x| x * factor)
    }
    #[inline(always)]
    fn dot(x: [f64; 3], y: [f64; 3]) -> f64 {
        dot(x, y)
    }
    #[inline(always)]
    fn entries(factor: f64, t: [f64; 9]) -> [f64; 12] {
        std::array::from_fn(|i| if i < 3 { factor } else { factor * t[i - 3] })
    }
    #[inline(always)]
    fn opposite(x: [f64; 9]) -> [f64; 9] {
        x.map(|x| -x)
    }
    #[inline(always)]
    fn load(on: &mut [f64; 6], l: [f64; 3], moment: [f64; 3], factor: f64) {
        for i in 0..3 {
            on[i] += factor * l[i];
            on[3 + i] += factor * moment[i];
        }
    }
}

/// Two points of two bodies: where they are as seen in a space.
pub(crate) struct Ends<'a, X: Space> {
    /// Body a.
    pub a: &'a Frame,
    /// Body b.
    pub b: &'a Frame,
    /// The points, in body axes.
    pub points: [&'a [f64; 3]; 2],
    /// The same from the centres of mass, in global components.
    pub arms: [X::V; 2],
}

impl<'a, X: Space> Ends<'a, X> {
    #[inline(always)]
    pub fn new(frames: [&'a Frame; 2], points: [&'a [f64; 3]; 2]) -> Ends<'a, X> {
        let [a, b] = frames;
        Ends {
            a,
            b,
            points,
            arms: [X::arm(a, points[0]), X::arm(b, points[1])],
        }
    }

    /// From the point of a to that of b.
    #[inline(always)]
    pub fn apart(&self) -> X::V {
        X::minus(
            X::point(self.b, self.arms[1]),
            X::point(self.a, self.arms[0]),
        )
    }

    /// Velocity of the point of b against that of a.
    #[inline(always)]
    pub fn velocity(&self) -> X::V {
        let [p, q] = self.points;
        X::minus(
            X::velocity(self.b, q, self.arms[1]),
            X::velocity(self.a, p, self.arms[0]),
        )
    }

    /// What `of` gives for both sides.
    #[inline(always)]
    pub fn both<R>(&self, of: impl Fn(&Frame, &[f64; 3], X::V) -> R) -> [R; 2] {
        [
            of(self.a, self.points[0], self.arms[0]),
            of(self.b, self.points[1], self.arms[1]),
        ]
    }

    /// `J' l` of the line from a to b: force and moment on a, then on b, on twelve columns.
    #[inline(always)]
    pub fn along(&self, l: X::V) -> [f64; 12] {
        let [on_a, on_b] = self.both(|f, s, arm| X::moment(f, s, arm, l));
        let mut out = [0.0; 12];
        let l = l.as_ref();
        for i in 0..X::AXES {
            (out[i], out[6 + i]) = (-l[i], l[i]);
        }
        for k in 0..X::TURNS {
            out[X::TURN + k] = -on_a.as_ref()[k];
            out[6 + X::TURN + k] = on_b.as_ref()[k];
        }
        out
    }
}
