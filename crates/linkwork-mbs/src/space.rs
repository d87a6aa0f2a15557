//! Planar geometry: poses, moving frames, points and directions given on a body or globally.
//!
//! Sine and cosine are taken once per body; [`Pose::lifted`] carries them into any scalar, so
//! formulas written for duals or jets never call a trigonometric function.

use linkwork_dae::scalar::Scalar;

/// A plane vector.
pub type Vector<S = f64> = [S; 2];

/// The vector turned by a right angle: `d(A u)/d(angle) = perp(A u)`.
#[inline]
pub fn perp(u: Vector) -> Vector {
    [-u[1], u[0]]
}

/// Scalar product.
#[inline]
pub fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// Moment of the force `f` at the arm `r`.
#[inline]
pub fn cross(r: Vector, f: Vector) -> f64 {
    r[0] * f[1] - r[1] * f[0]
}

/// Position and orientation of a body frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose<S = f64> {
    /// Abscissa of the origin.
    pub x: S,
    /// Ordinate of the origin.
    pub y: S,
    /// Angle from the global x axis to the body's.
    pub angle: S,
    /// Cosine of the angle.
    pub cos: S,
    /// Sine of the angle.
    pub sin: S,
}

impl Pose {
    /// The global frame.
    pub const GROUND: Pose = Pose {
        x: 0.0,
        y: 0.0,
        angle: 0.0,
        cos: 1.0,
        sin: 0.0,
    };

    /// A frame at a position, turned by an angle.
    pub fn new(position: Vector, angle: f64) -> Pose {
        let (sin, cos) = angle.sin_cos();
        Pose {
            x: position[0],
            y: position[1],
            angle,
            cos,
            sin,
        }
    }

    /// A global direction as seen from this frame.
    pub fn local_direction(&self, u: Vector) -> Vector {
        [
            self.cos * u[0] + self.sin * u[1],
            -self.sin * u[0] + self.cos * u[1],
        ]
    }

    /// A global point as seen from this frame.
    pub fn local_point(&self, p: Vector) -> Vector {
        self.local_direction([p[0] - self.x, p[1] - self.y])
    }
}

impl<S: Scalar> Pose<S> {
    /// The pose `at` with coordinates that carry derivatives; reuses its sine and cosine.
    #[inline]
    pub fn lifted(at: &Pose, x: S, y: S, angle: S) -> Pose<S> {
        let (s, c) = (at.sin, at.cos);
        Pose {
            x,
            y,
            angle,
            cos: angle.lift([c, -s, -c, s]),
            sin: angle.lift([s, c, -s, -c]),
        }
    }

    /// A body-fixed direction in global components.
    #[inline]
    pub fn direction(&self, u: Vector) -> Vector<S> {
        [
            self.cos * u[0] - self.sin * u[1],
            self.sin * u[0] + self.cos * u[1],
        ]
    }

    /// A body-fixed point in global components.
    #[inline]
    pub fn point(&self, p: Vector) -> Vector<S> {
        let [x, y] = self.direction(p);
        [self.x + x, self.y + y]
    }
}

/// A pose with its velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Where the body is.
    pub pose: Pose,
    /// Velocity of its origin.
    pub velocity: Vector,
    /// Angular velocity.
    pub omega: f64,
}

impl Frame {
    /// The global frame at rest.
    pub const GROUND: Frame = Frame {
        pose: Pose::GROUND,
        velocity: [0.0; 2],
        omega: 0.0,
    };

    /// Velocity of a body point whose arm from the origin is `r` in global components.
    #[inline]
    pub fn velocity_at(&self, r: Vector) -> Vector {
        [
            self.velocity[0] - self.omega * r[1],
            self.velocity[1] + self.omega * r[0],
        ]
    }
}

/// What a body looks like when the model is put together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Site {
    /// Its start pose.
    pub pose: Pose,
    /// Whether it has an orientation; points have none.
    pub oriented: bool,
}

impl Site {
    /// The ground.
    pub const GROUND: Site = Site {
        pose: Pose::GROUND,
        oriented: true,
    };
}

/// A point of a body, given in the body frame or as the place where it is at the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Marker {
    /// Coordinates; in the body frame once the marker is placed.
    pub point: Vector,
    /// Whether `point` is still in global coordinates.
    pub global: bool,
}

impl Marker {
    /// The origin of the body.
    pub const ORIGIN: Marker = Marker::body([0.0; 2]);

    /// A point in the body frame.
    pub const fn body(point: Vector) -> Marker {
        Marker {
            point,
            global: false,
        }
    }

    /// The body point that is at this global place in the start pose.
    pub const fn global(point: Vector) -> Marker {
        Marker {
            point,
            global: true,
        }
    }

    /// Expresses the marker in the body frame. A point body is its own only point.
    pub fn place(&mut self, site: &Site) {
        if self.global {
            let point = if site.oriented {
                site.pose.local_point(self.point)
            } else {
                [0.0; 2]
            };
            *self = Marker::body(point);
        }
    }
}

impl From<Vector> for Marker {
    fn from(point: Vector) -> Marker {
        Marker::body(point)
    }
}

/// A unit direction fixed in a body, given in the body frame or as it is at the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    /// Components; in the body frame once the axis is placed.
    pub direction: Vector,
    /// Whether the components are still global.
    pub global: bool,
}

impl Axis {
    /// A direction in the body frame.
    pub const fn body(direction: Vector) -> Axis {
        Axis {
            direction,
            global: false,
        }
    }

    /// The body direction that has these global components in the start pose.
    pub const fn global(direction: Vector) -> Axis {
        Axis {
            direction,
            global: true,
        }
    }

    /// Expresses the axis in the body frame and makes it a unit vector (left as it is when zero).
    pub fn place(&mut self, site: &Site) {
        let u = if self.global {
            site.pose.local_direction(self.direction)
        } else {
            self.direction
        };
        let length = u[0].hypot(u[1]);
        let unit = if length > 0.0 && length.is_finite() && (length - 1.0).abs() > f64::EPSILON {
            [u[0] / length, u[1] / length]
        } else {
            u
        };
        *self = Axis::body(unit);
    }

    /// Whether this is a direction at all.
    pub fn is_valid(&self) -> bool {
        let length = self.direction[0].hypot(self.direction[1]);
        length > 0.0 && length.is_finite()
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
    use linkwork_dae::scalar::Dual;

    #[test]
    fn markers_keep_their_global_place() {
        let site = Site {
            pose: Pose::new([0.3, -1.2], 0.7),
            oriented: true,
        };
        let mut m = Marker::global([2.0, 1.0]);
        m.place(&site);
        let p = site.pose.point(m.point);
        // Two rotations back and forth: rounding only.
        assert!((p[0] - 2.0).abs() < 1e-15 && (p[1] - 1.0).abs() < 1e-15);
    }

    #[test]
    fn lifted_poses_differentiate_points() {
        let pose = Pose::new([0.3, -1.2], 0.7);
        let lifted = Pose::lifted(
            &pose,
            Dual::<1>::from(0.3),
            Dual::from(-1.2),
            Dual::variable(0.7, 0),
        );
        let p = lifted.point([0.4, 0.9]);
        let r = perp(pose.direction([0.4, 0.9]));
        assert!((p[0].d[0] - r[0]).abs() < 1e-15);
        assert!((p[1].d[0] - r[1]).abs() < 1e-15);
    }

    #[test]
    fn axes_become_unit_vectors_and_zero_stays_invalid() {
        let mut u = Axis::body([3.0, 4.0]);
        u.place(&Site::GROUND);
        assert_eq!(u.direction, [0.6, 0.8]);
        let mut zero = Axis::global([0.0, 0.0]);
        zero.place(&Site::GROUND);
        assert!(!zero.is_valid());
    }
}
