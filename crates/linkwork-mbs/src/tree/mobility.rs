//! Joints between a body and its parent: what they leave free.
//!
//! A joint frame sits on the parent and one on the child; the frame of the child is the frame of the
//! body. The axis of every joint that has one is the third axis of both frames. Coordinates and
//! speeds:
//!
//! ```text
//!  revolute     angle                      prismatic   displacement
//!  screw        angle; displacement is pitch times angle
//!  cylindrical  angle, displacement        universal   angle about z of the parent, then about x of the child
//!  planar       x, y on the parent, angle about z      translation  x, y, z on the parent
//!  spherical    rotation vector psi, R = R_base exp(psi); speeds are the angular velocity in child axes
//!  free         x, y, z on the parent, then as spherical
//!  slot         x on the parent, angle about z           ball on line   z on the parent, then as spherical
//!                                           ball on plane  x, y on the parent, then as spherical
//! ```
//!
//! Each column of the motion subspace is fixed either in the child or in the parent
//! ([`Mobility::rides_on_parent`]), which is all that derivatives need to know about its change.

use super::spatial::{Mat3, Twist, Vec3};

/// Most degrees of freedom of one joint.
pub const MOST_DOF: usize = 6;

/// A joint kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mobility {
    /// Rotation about the axis.
    Revolute,
    /// Displacement along the axis.
    Prismatic,
    /// Rotation about the axis with a displacement in proportion.
    Screw {
        /// Displacement per radian, m.
        pitch: f64,
    },
    /// Rotation about and displacement along the axis.
    Cylindrical,
    /// Two crossing axes at a right angle: third of the parent frame, first of the child frame.
    Universal,
    /// Any rotation about the common origin.
    Spherical,
    /// Displacements in the plane normal to the axis, and rotation about it.
    Planar,
    /// Any displacement without rotation.
    Translation,
    /// No restriction.
    Free,
    /// A pin in a slot: displacement across the axis, and rotation about it.
    Slot,
    /// A point of the child on the axis of the parent, and any rotation about it.
    BallOnLine,
    /// A point of the child in the plane normal to the axis, and any rotation about it.
    BallOnPlane,
    /// Nothing: a frame on a flexible body that its modes move.
    Perch,
}

impl Mobility {
    /// One of each kind that has coordinates.
    pub const ALL: [Mobility; 12] = [
        Mobility::Revolute,
        Mobility::Prismatic,
        Mobility::Screw { pitch: 0.1 },
        Mobility::Cylindrical,
        Mobility::Universal,
        Mobility::Spherical,
        Mobility::Planar,
        Mobility::Translation,
        Mobility::Free,
        Mobility::Slot,
        Mobility::BallOnLine,
        Mobility::BallOnPlane,
    ];

    /// Degrees of freedom, which is the number of coordinates and of speeds.
    #[inline]
    pub fn dof(&self) -> usize {
        match self {
            Mobility::Revolute | Mobility::Prismatic | Mobility::Screw { .. } => 1,
            Mobility::Cylindrical | Mobility::Universal | Mobility::Slot => 2,
            Mobility::Spherical | Mobility::Planar | Mobility::Translation => 3,
            Mobility::BallOnLine => 4,
            Mobility::BallOnPlane => 5,
            Mobility::Free => 6,
            Mobility::Perch => 0,
        }
    }

    /// Where the rotation vector lies among the coordinates, if there is one.
    pub fn rotation_vector(&self) -> Option<usize> {
        match self {
            Mobility::Spherical => Some(0),
            Mobility::BallOnLine => Some(1),
            Mobility::BallOnPlane => Some(2),
            Mobility::Free => Some(3),
            _ => None,
        }
    }

    /// Whether coordinate `k` is an angle rather than a length.
    pub fn is_angle(&self, k: usize) -> bool {
        match self {
            Mobility::Revolute
            | Mobility::Screw { .. }
            | Mobility::Universal
            | Mobility::Spherical => true,
            Mobility::Prismatic | Mobility::Translation | Mobility::Perch => false,
            Mobility::Cylindrical => k == 0,
            Mobility::Planar => k == 2,
            Mobility::Free => k >= 3,
            Mobility::Slot | Mobility::BallOnLine => k >= 1,
            Mobility::BallOnPlane => k >= 2,
        }
    }

    /// What coordinate `k` is, in a word.
    pub fn word(&self, k: usize) -> &'static str {
        match self {
            Mobility::Revolute | Mobility::Screw { .. } => "angle",
            Mobility::Prismatic => "displacement",
            Mobility::Cylindrical => ["angle", "displacement"][k.min(1)],
            Mobility::Universal => ["angle 1", "angle 2"][k.min(1)],
            Mobility::Spherical => ["rotation x", "rotation y", "rotation z"][k.min(2)],
            Mobility::Planar => ["x", "y", "angle"][k.min(2)],
            Mobility::Translation => ["x", "y", "z"][k.min(2)],
            Mobility::Free => ["x", "y", "z", "rotation x", "rotation y", "rotation z"][k.min(5)],
            Mobility::Slot => ["displacement", "angle"][k.min(1)],
            Mobility::BallOnLine => {
                ["displacement", "rotation x", "rotation y", "rotation z"][k.min(3)]
            }
            Mobility::BallOnPlane => ["x", "y", "rotation x", "rotation y", "rotation z"][k.min(4)],
            Mobility::Perch => "",
        }
    }

    /// Child frame in the parent's joint frame: axes and origin.
    #[inline]
    pub(super) fn pose(&self, q: &[f64], base: &Mat3) -> (Mat3, Vec3) {
        let about_z = |q: f64| {
            let (s, c) = q.sin_cos();
            Mat3::IDENTITY.turned_about_z(s, c)
        };
        let one = Mat3::IDENTITY;
        match *self {
            Mobility::Revolute => (about_z(q[0]), Vec3::ZERO),
            Mobility::Perch => (one, Vec3::ZERO),
            Mobility::Prismatic => (one, Vec3::new(0.0, 0.0, q[0])),
            Mobility::Screw { pitch } => (about_z(q[0]), Vec3::new(0.0, 0.0, pitch * q[0])),
            Mobility::Cylindrical => (about_z(q[0]), Vec3::new(0.0, 0.0, q[1])),
            Mobility::Universal => {
                let (s, c) = q[1].sin_cos();
                (about_z(q[0]).turned_about_x(s, c), Vec3::ZERO)
            }
            Mobility::Spherical => (base.times(&Mat3::exp(Vec3::read(q))), Vec3::ZERO),
            Mobility::Planar => (about_z(q[2]), Vec3::new(q[0], q[1], 0.0)),
            Mobility::Translation => (one, Vec3::read(q)),
            Mobility::Free => (base.times(&Mat3::exp(Vec3::read(&q[3..]))), Vec3::read(q)),
            Mobility::Slot => (about_z(q[1]), Vec3::new(q[0], 0.0, 0.0)),
            Mobility::BallOnLine => {
                let r = base.times(&Mat3::exp(Vec3::read(&q[1..])));
                (r, Vec3::new(0.0, 0.0, q[0]))
            }
            Mobility::BallOnPlane => {
                let r = base.times(&Mat3::exp(Vec3::read(&q[2..])));
                (r, Vec3::new(q[0], q[1], 0.0))
            }
        }
    }

    /// Columns of the motion subspace in child axes at the child's origin; `r` are the axes of the
    /// child in the parent's joint frame.
    #[inline]
    pub(super) fn columns(&self, r: &Mat3) -> [Twist; MOST_DOF] {
        let turn = |u: Vec3| Twist::new(u, Vec3::ZERO);
        let slide = |u: Vec3| Twist::new(Vec3::ZERO, u);
        let [x, y, z] = [Mat3::IDENTITY.x, Mat3::IDENTITY.y, Mat3::IDENTITY.z];
        let on_parent = r.transposed();
        let mut s = [Twist::ZERO; MOST_DOF];
        match *self {
            Mobility::Perch => {}
            Mobility::Revolute => s[0] = turn(z),
            Mobility::Prismatic => s[0] = slide(z),
            Mobility::Screw { pitch } => s[0] = Twist::new(z, z * pitch),
            Mobility::Cylindrical => {
                s[0] = turn(z);
                s[1] = slide(z);
            }
            Mobility::Universal => {
                s[0] = turn(on_parent.z);
                s[1] = turn(x);
            }
            Mobility::Spherical => {
                s[0] = turn(x);
                s[1] = turn(y);
                s[2] = turn(z);
            }
            Mobility::Planar => {
                s[0] = slide(on_parent.x);
                s[1] = slide(on_parent.y);
                s[2] = turn(z);
            }
            Mobility::Translation => {
                s[0] = slide(x);
                s[1] = slide(y);
                s[2] = slide(z);
            }
            Mobility::Free => {
                s[0] = slide(on_parent.x);
                s[1] = slide(on_parent.y);
                s[2] = slide(on_parent.z);
                s[3] = turn(x);
                s[4] = turn(y);
                s[5] = turn(z);
            }
            Mobility::Slot => {
                s[0] = slide(on_parent.x);
                s[1] = turn(z);
            }
            Mobility::BallOnLine => {
                s[0] = slide(on_parent.z);
                s[1] = turn(x);
                s[2] = turn(y);
                s[3] = turn(z);
            }
            Mobility::BallOnPlane => {
                s[0] = slide(on_parent.x);
                s[1] = slide(on_parent.y);
                s[2] = turn(x);
                s[3] = turn(y);
                s[4] = turn(z);
            }
        }
        s
    }

    /// Whether column `k` of the motion subspace is fixed in the parent and turns relative to the
    /// child. The others are fixed in the child.
    #[inline]
    pub fn rides_on_parent(&self, k: usize) -> bool {
        match self {
            Mobility::Universal | Mobility::Slot | Mobility::BallOnLine => k == 0,
            Mobility::Planar | Mobility::BallOnPlane => k < 2,
            Mobility::Free => k < 3,
            _ => false,
        }
    }
}
