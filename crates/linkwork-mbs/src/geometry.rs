//! Geometry of space: vectors, poses, moving frames, points and directions of a body.
//!
//! ```text
//!  pose          x   position of the centre of mass, global components
//!                R   takes body components to global ones
//!  small motion  dx (global), theta (body axes):   R -> R exp(theta^)
//!  velocity      x' (global), omega (body axes):   R' = R omega^
//! ```
//!
//! Everything is written for any scalar, so that one formula serves values, derivatives along small
//! motions and derivatives along a motion in time.

use linkwork_dae::scalar::{Dual, Jet, Scalar};

/// A vector in space.
pub type Vector<S = f64> = [S; 3];
/// A 3 x 3 matrix by rows.
pub type Matrix<S = f64> = [[S; 3]; 3];

/// The matrix that changes nothing.
pub const IDENTITY: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// Scalar product.
#[inline]
pub fn dot<S: Scalar>(a: Vector<S>, b: Vector<S>) -> S {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Vector product.
#[inline]
pub fn cross<S: Scalar>(a: Vector<S>, b: Vector<S>) -> Vector<S> {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// Sum.
#[inline]
pub fn add<S: Scalar>(a: Vector<S>, b: Vector<S>) -> Vector<S> {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// Difference.
#[inline]
pub fn sub<S: Scalar>(a: Vector<S>, b: Vector<S>) -> Vector<S> {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// Multiple.
#[inline]
pub fn scaled<S: Scalar>(a: Vector<S>, by: S) -> Vector<S> {
    [a[0] * by, a[1] * by, a[2] * by]
}

/// Length.
#[inline]
pub fn norm<S: Scalar>(a: Vector<S>) -> S {
    dot(a, a).sqrt()
}

/// A vector of plain numbers as one of another scalar.
#[inline]
pub fn lifted<S: Scalar>(a: Vector) -> Vector<S> {
    a.map(S::from)
}

/// Values without derivatives.
#[inline]
pub fn values<S: Scalar>(a: Vector<S>) -> Vector {
    a.map(S::value)
}

/// `A x`.
#[inline]
pub fn apply<S: Scalar>(m: &Matrix<S>, x: Vector<S>) -> Vector<S> {
    [dot(m[0], x), dot(m[1], x), dot(m[2], x)]
}

/// `A' x`.
#[inline]
pub fn apply_transposed<S: Scalar>(m: &Matrix<S>, x: Vector<S>) -> Vector<S> {
    std::array::from_fn(|i| m[0][i] * x[0] + m[1][i] * x[1] + m[2][i] * x[2])
}

/// `A B`.
#[inline]
pub fn product<S: Scalar>(a: &Matrix<S>, b: &Matrix<S>) -> Matrix<S> {
    std::array::from_fn(|i| {
        std::array::from_fn(|j| a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j])
    })
}

/// `A' B`.
#[inline]
pub fn transposed_product<S: Scalar>(a: &Matrix<S>, b: &Matrix<S>) -> Matrix<S> {
    std::array::from_fn(|i| {
        std::array::from_fn(|j| a[0][i] * b[0][j] + a[1][i] * b[1][j] + a[2][i] * b[2][j])
    })
}

/// `a^`, the matrix of the vector product with `a` on the left.
#[inline]
pub fn hat<S: Scalar>(a: Vector<S>) -> Matrix<S> {
    let zero = S::from(0.0);
    [
        [zero, -a[2], a[1]],
        [a[2], zero, -a[0]],
        [-a[1], a[0], zero],
    ]
}

/// `A b^`, row by row: `(A b^)' = -b^ A'`.
#[inline]
pub fn times_hat<S: Scalar>(a: &Matrix<S>, b: Vector<S>) -> Matrix<S> {
    a.map(|row| cross(row, b))
}

/// `a^ b^ = b a' - (a . b) I`.
#[inline]
pub fn two_hats(a: Vector, b: Vector) -> Matrix {
    let d = dot(a, b);
    std::array::from_fn(|i| std::array::from_fn(|j| b[i] * a[j] - if i == j { d } else { 0.0 }))
}

/// The vector as one of length one; as it is where it has no length.
pub fn unit(a: Vector) -> Vector {
    let length = norm(a);
    if length > 0.0 && length.is_finite() && (length - 1.0).abs() > 4.0 * f64::EPSILON {
        a.map(|x| x / length)
    } else {
        a
    }
}

/// Two unit vectors that make a right-handed triad with a unit vector: `p x q = axis`.
///
/// The first is the coordinate axis after the one nearest to the given direction, made
/// perpendicular: for z it is x, and the second y. Close directions have close triads but for a
/// switch where two components are equal.
pub fn perpendiculars(axis: Vector) -> [Vector; 2] {
    let mut nearest = 0;
    for i in 1..3 {
        if axis[i].abs() > axis[nearest].abs() {
            nearest = i;
        }
    }
    let mut e = [0.0; 3];
    e[(nearest + 1) % 3] = 1.0;
    let p = unit(sub(e, scaled(axis, dot(e, axis))));
    [p, cross(axis, p)]
}

/// The angle of the plane vector `(x, y)` from the x axis, between -pi and pi.
///
/// Turned back by its own value, the vector lies on the axis, where the arc tangent is smooth.
pub fn atan2<S: Scalar>(y: S, x: S) -> S {
    let angle = y.value().atan2(x.value());
    let (sin, cos) = angle.sin_cos();
    let tangent = (y * cos - x * sin) / (x * cos + y * sin);
    let z = tangent.value();
    let r = 1.0 / (1.0 + z * z);
    let f = [
        z.atan(),
        r,
        -2.0 * z * r * r,
        (6.0 * z * z - 2.0) * r * r * r,
    ];
    tangent.lift(f) + angle
}

/// The angle that equals `angle` but for whole turns and is nearest to `reference`.
pub fn nearest_turn<S: Scalar>(angle: S, reference: f64) -> S {
    use std::f64::consts::TAU;
    angle + ((reference - angle.value()) / TAU).round() * TAU
}

/// A vector given by three components or, in the x-y plane, by two.
pub trait Components {
    /// The vector in space.
    fn vector(self) -> Vector;
}

impl Components for [f64; 2] {
    fn vector(self) -> Vector {
        [self[0], self[1], 0.0]
    }
}

impl Components for Vector {
    fn vector(self) -> Vector {
        self
    }
}

/// A turn given by a rotation vector or, in the x-y plane, by an angle.
pub trait Turning {
    /// The rotation vector.
    fn turning(self) -> Vector;
}

impl Turning for f64 {
    fn turning(self) -> Vector {
        [0.0, 0.0, self]
    }
}

impl Turning for Vector {
    fn turning(self) -> Vector {
        self
    }
}

/// Position and orientation of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose<S = f64> {
    /// Position of the centre of mass.
    pub position: Vector<S>,
    /// Takes body components to global ones.
    pub rotation: Matrix<S>,
    /// Angle about z, over whole turns, of a body that moves in the x-y plane; zero for others.
    pub angle: S,
}

impl Pose {
    /// The global frame.
    pub const GROUND: Pose = Pose {
        position: [0.0; 3],
        rotation: IDENTITY,
        angle: 0.0,
    };

    /// A pose in space.
    pub fn new(position: Vector, rotation: Matrix) -> Pose {
        Pose {
            position,
            rotation,
            angle: 0.0,
        }
    }

    /// A pose turned about z.
    pub fn flat(position: Vector, angle: f64) -> Pose {
        let (s, c) = angle.sin_cos();
        Pose {
            position,
            rotation: [[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]],
            angle,
        }
    }

    /// A global direction as seen from this frame.
    pub fn local_direction(&self, u: Vector) -> Vector {
        apply_transposed(&self.rotation, u)
    }

    /// A global point as seen from this frame.
    pub fn local_point(&self, p: Vector) -> Vector {
        self.local_direction(sub(p, self.position))
    }
}

impl<S: Scalar> Pose<S> {
    /// A body-fixed direction in global components.
    #[inline]
    pub fn direction(&self, u: Vector) -> Vector<S> {
        std::array::from_fn(|i| {
            let row = self.rotation[i];
            row[0] * u[0] + row[1] * u[1] + row[2] * u[2]
        })
    }

    /// A body-fixed vector with components of any scalar in global components.
    #[inline]
    pub fn turn(&self, u: Vector<S>) -> Vector<S> {
        apply(&self.rotation, u)
    }

    /// Global components as seen from the body.
    #[inline]
    pub fn turn_back(&self, u: Vector<S>) -> Vector<S> {
        apply_transposed(&self.rotation, u)
    }

    /// A body-fixed point in global components.
    #[inline]
    pub fn point(&self, p: Vector) -> Vector<S> {
        add(self.position, self.direction(p))
    }

    /// The pose of plain numbers without derivatives.
    #[inline]
    pub fn constant(at: &Pose) -> Pose<S> {
        Pose {
            position: lifted(at.position),
            rotation: at.rotation.map(lifted),
            angle: S::from(at.angle),
        }
    }
}

impl<const N: usize, S: Scalar> Pose<Dual<N, S>> {
    /// The pose with a small motion in the lanes of its six freedoms: `x + dx`, `R (I + theta^)`;
    /// freedoms whose lane is beyond the last one stay where they are.
    ///
    /// Over another dual number the inner motion comes first, `R (I + inner^)(I + outer^)`: outer
    /// lanes differentiate along the tangent, inner lanes differentiate the result. Rotations do
    /// not commute, so the order matters.
    #[inline]
    pub fn seeded(at: &Pose<S>, lanes: &[usize; 6]) -> Pose<Dual<N, S>> {
        let variable = |x: S, lane: usize| {
            let mut x = Dual::constant(x);
            if let Some(d) = x.d.get_mut(lane) {
                *d = S::from(1.0);
            }
            x
        };
        let position = std::array::from_fn(|i| variable(at.position[i], lanes[i]));
        let rotation = std::array::from_fn(|i| {
            let row = at.rotation[i];
            std::array::from_fn(|j| {
                // row i of R theta^: column j is (row x theta) . e_j
                let (k, l) = ((j + 1) % 3, (j + 2) % 3);
                let mut x = Dual::constant(row[j]);
                if let Some(d) = x.d.get_mut(lanes[3 + l]) {
                    *d = row[k];
                }
                if let Some(d) = x.d.get_mut(lanes[3 + k]) {
                    *d = -row[l];
                }
                x
            })
        });
        Pose {
            position,
            rotation,
            angle: variable(at.angle, lanes[5]),
        }
    }
}

impl<S: Scalar> Pose<Dual<1, S>> {
    /// The pose with its motion in the only lane: `x'`, `R' = R omega^`.
    #[inline]
    pub fn moving(at: &Pose<S>, velocity: Vector<S>, omega: Vector<S>) -> Pose<Dual<1, S>> {
        let rate = times_hat(&at.rotation, omega);
        let pair = |v: S, d: S| Dual { v, d: [d] };
        Pose {
            position: std::array::from_fn(|i| pair(at.position[i], velocity[i])),
            rotation: std::array::from_fn(|i| {
                std::array::from_fn(|j| pair(at.rotation[i][j], rate[i][j]))
            }),
            angle: pair(at.angle, omega[2]),
        }
    }
}

impl Pose<Jet> {
    /// The pose along the motion with constant velocities:
    /// `R exp(omega^ t) = R + R omega^ t + R omega^ omega^ t^2/2`.
    #[inline]
    pub fn along(at: &Frame) -> Pose<Jet> {
        let rate = times_hat(&at.pose.rotation, at.omega);
        let second = times_hat(&rate, at.omega);
        let r = &at.pose.rotation;
        Pose {
            position: std::array::from_fn(|i| Jet::new(at.pose.position[i], at.velocity[i], 0.0)),
            rotation: std::array::from_fn(|i| {
                std::array::from_fn(|j| Jet::new(r[i][j], rate[i][j], second[i][j]))
            }),
            angle: Jet::new(at.pose.angle, at.omega[2], 0.0),
        }
    }
}

/// A pose with its velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame<S = f64> {
    /// Where the body is.
    pub pose: Pose<S>,
    /// Velocity of the centre of mass, global components.
    pub velocity: Vector<S>,
    /// Angular velocity, body axes.
    pub omega: Vector<S>,
}

impl Frame {
    /// The global frame at rest.
    pub const GROUND: Frame = Frame {
        pose: Pose::GROUND,
        velocity: [0.0; 3],
        omega: [0.0; 3],
    };
}

impl<S: Scalar> Frame<S> {
    /// The frame of plain numbers without derivatives.
    #[inline]
    pub fn constant(at: &Frame) -> Frame<S> {
        Frame {
            pose: Pose::constant(&at.pose),
            velocity: lifted(at.velocity),
            omega: lifted(at.omega),
        }
    }

    /// Velocity of a body-fixed point, global components.
    #[inline]
    pub fn velocity_at(&self, p: Vector) -> Vector<S> {
        add(self.velocity, self.pose.turn(cross(self.omega, lifted(p))))
    }

    /// Angular velocity in global components.
    #[inline]
    pub fn spin(&self) -> Vector<S> {
        self.pose.turn(self.omega)
    }
}

/// What a body looks like when the model is put together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Site {
    /// The start pose of its centre of mass.
    pub pose: Pose,
    /// Whether it has an orientation; points have none.
    pub oriented: bool,
    /// Whether it can only move parallel to the x-y plane, as the ground does, which rests.
    pub flat: bool,
    /// Centre of mass in the frame that body points are given in.
    pub centre_of_mass: Vector,
}

impl Site {
    /// The ground.
    pub const GROUND: Site = Site {
        pose: Pose::GROUND,
        oriented: true,
        flat: true,
        centre_of_mass: [0.0; 3],
    };
}

/// How a point or direction is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// As it is in the start pose, globally.
    Globally,
    /// In the frame of the body.
    OnBody,
    /// From the centre of mass, in body axes: ready for use.
    Placed,
}

/// A point of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Marker {
    /// Coordinates; from the centre of mass once the marker is placed.
    pub point: Vector,
    /// What they refer to.
    pub given: Given,
}

impl Marker {
    /// The origin of the body.
    pub const ORIGIN: Marker = Marker {
        point: [0.0; 3],
        given: Given::OnBody,
    };

    /// A point in the body frame.
    pub fn body(point: impl Components) -> Marker {
        Marker {
            point: point.vector(),
            given: Given::OnBody,
        }
    }

    /// The body point that is at this global place in the start pose.
    pub fn global(point: impl Components) -> Marker {
        Marker {
            point: point.vector(),
            given: Given::Globally,
        }
    }

    /// Refers the marker to the centre of mass. A point body is its own only point.
    pub fn place(&mut self, site: &Site) {
        self.point = match self.given {
            Given::Globally if site.oriented => site.pose.local_point(self.point),
            Given::Globally => [0.0; 3],
            Given::OnBody => sub(self.point, site.centre_of_mass),
            Given::Placed => self.point,
        };
        self.given = Given::Placed;
    }
}

impl Default for Marker {
    fn default() -> Marker {
        Marker::ORIGIN
    }
}

impl From<[f64; 2]> for Marker {
    fn from(point: [f64; 2]) -> Marker {
        Marker::body(point)
    }
}

impl From<Vector> for Marker {
    fn from(point: Vector) -> Marker {
        Marker::body(point)
    }
}

/// A unit direction fixed in a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    /// Components; in body axes once the axis is placed.
    pub direction: Vector,
    /// What they refer to.
    pub given: Given,
}

impl Axis {
    /// A direction in the body frame.
    pub fn body(direction: impl Components) -> Axis {
        Axis {
            direction: direction.vector(),
            given: Given::OnBody,
        }
    }

    /// The body direction that has these global components in the start pose.
    pub fn global(direction: impl Components) -> Axis {
        Axis {
            direction: direction.vector(),
            given: Given::Globally,
        }
    }

    /// Expresses the axis in body axes as a unit vector (left as it is when zero).
    pub fn place(&mut self, site: &Site) {
        self.direction = match self.given {
            Given::Globally => unit(site.pose.local_direction(self.direction)),
            Given::OnBody => unit(self.direction),
            Given::Placed => self.direction,
        };
        self.given = Given::Placed;
    }

    /// Whether this is a direction at all.
    pub fn is_valid(&self) -> bool {
        let length = norm(self.direction);
        length > 0.0 && length.is_finite()
    }
}

impl Default for Axis {
    /// Along z.
    fn default() -> Axis {
        Axis::global([0.0, 0.0, 1.0])
    }
}

impl From<[f64; 2]> for Axis {
    fn from(direction: [f64; 2]) -> Axis {
        Axis::body(direction)
    }
}

impl From<Vector> for Axis {
    fn from(direction: Vector) -> Axis {
        Axis::body(direction)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triads_are_right_handed_and_orthonormal() {
        for axis in [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.6, 0.0, 0.8]] {
            let [p, q] = perpendiculars(axis);
            let r = cross(p, q);
            for i in 0..3 {
                assert!((r[i] - axis[i]).abs() < 1e-15);
            }
            assert!(dot(p, axis).abs() < 1e-15 && (norm(p) - 1.0).abs() < 1e-15);
        }
    }

    #[test]
    fn angles_have_exact_derivatives() {
        // d angle = (x dy - y dx) / r^2; the second derivative by y is -2 x y / r^4.
        type Number = Dual<2, Dual<2>>;
        for (x, y) in [(0.3, 0.4), (-1.0, 0.2), (-0.5, -2.0), (0.0, 1.5)] {
            let number = |v: f64, lane: usize| Number::variable(Dual::variable(v, lane), lane);
            let a = atan2(number(y, 1), number(x, 0));
            let r2: f64 = x * x + y * y;
            assert!((a.value() - f64::atan2(y, x)).abs() < 1e-15);
            assert!((a.d[0].v + y / r2).abs() < 1e-14);
            assert!((a.d[1].v - x / r2).abs() < 1e-14);
            assert!((a.d[1].d[1] + 2.0 * x * y / (r2 * r2)).abs() < 1e-13);
        }
    }

    #[test]
    fn whole_turns_are_kept() {
        use std::f64::consts::TAU;
        assert!((nearest_turn(0.1, 3.0 * TAU) - (0.1 + 3.0 * TAU)).abs() < 1e-14);
        assert!((nearest_turn(-3.0, 3.3) - (TAU - 3.0)).abs() < 1e-14);
    }
}
