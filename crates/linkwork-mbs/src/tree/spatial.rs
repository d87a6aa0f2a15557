//! The six-component motions and forces of rigid bodies.
//!
//! A motion is `(w, v)`, angular and linear velocity of the body point at the reference point; a
//! force is `(n, f)`, moment about that point and force (Featherstone 2008, chapter 2):
//!
//! ```text
//!  m x m2  = (w x w2,  w x v2 + v x w2)          motion x m  v x f = -(m x)' f
//!  m x* f  = (w x n + v x f,  w x f)
//! ```
//!
//! Everything is a fixed number of `f64` in place; nothing allocates.

use super::vector::linear;
pub use super::vector::{Mat3, Sym3, Vec3};

/// A motion, or the rate of one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Twist {
    /// Angular part.
    pub w: Vec3,
    /// Linear part, of the body point at the reference point.
    pub v: Vec3,
}

impl Twist {
    /// No motion.
    pub const ZERO: Twist = Twist {
        w: Vec3::ZERO,
        v: Vec3::ZERO,
    };

    /// A motion from its parts.
    #[inline]
    pub const fn new(w: Vec3, v: Vec3) -> Twist {
        Twist { w, v }
    }

    /// The motion `o` carried along by this one: `m x o`.
    #[inline]
    pub fn cross(self, o: Twist) -> Twist {
        Twist::new(self.w.cross(o.w), self.w.cross(o.v) + self.v.cross(o.w))
    }

    /// The force `f` carried along by this motion: `m x* f`.
    #[inline]
    pub fn cross_force(self, f: Wrench) -> Wrench {
        Wrench::new(self.w.cross(f.n) + self.v.cross(f.f), self.w.cross(f.f))
    }

    /// Power of a force: `m' f`.
    #[inline]
    pub fn dot(self, f: Wrench) -> f64 {
        self.w.dot(f.n) + self.v.dot(f.f)
    }

    /// The same motion seen from a reference point that lies further by `arm`.
    #[inline]
    pub fn shifted(self, arm: Vec3) -> Twist {
        Twist::new(self.w, self.v + self.w.cross(arm))
    }

    /// In other axes: `(R w, R v)`.
    #[inline]
    pub fn turned(self, r: &Mat3) -> Twist {
        Twist::new(r.apply(self.w), r.apply(self.v))
    }
}

/// A force with its moment, or a momentum.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wrench {
    /// Moment about the reference point.
    pub n: Vec3,
    /// Force.
    pub f: Vec3,
}

impl Wrench {
    /// No force.
    pub const ZERO: Wrench = Wrench {
        n: Vec3::ZERO,
        f: Vec3::ZERO,
    };

    /// A force from its parts.
    #[inline]
    pub const fn new(n: Vec3, f: Vec3) -> Wrench {
        Wrench { n, f }
    }

    /// The same force with its moment about the point that lies back by `arm`.
    #[inline]
    pub fn shifted_back(self, arm: Vec3) -> Wrench {
        Wrench::new(self.n + arm.cross(self.f), self.f)
    }

    /// In other axes.
    #[inline]
    pub fn turned(self, r: &Mat3) -> Wrench {
        Wrench::new(r.apply(self.n), r.apply(self.f))
    }
}

linear!(Twist { w, v });
linear!(Wrench { n, f });
