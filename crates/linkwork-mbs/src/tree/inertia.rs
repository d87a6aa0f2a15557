//! Rigid-body inertia: mass, first moment and second moments about a reference point.

use super::spatial::{Mat3, Sym3, Twist, Vec3, Wrench};
use super::vector::linear;

/// Inertia of a rigid body about the origin of its frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Inertia {
    /// Mass.
    pub m: f64,
    /// First moment: mass times centre of mass.
    pub h: Vec3,
    /// Moments of inertia about the reference point.
    pub i: Sym3,
}

impl Inertia {
    /// No inertia.
    pub const ZERO: Inertia = Inertia {
        m: 0.0,
        h: Vec3::ZERO,
        i: Sym3::scalar(0.0),
    };

    /// From mass, centre of mass and the moments of inertia about the centre of mass.
    pub fn about_centre(m: f64, centre: Vec3, i: Sym3) -> Inertia {
        Inertia {
            m,
            h: Vec3::ZERO,
            i,
        }
        .shifted_back(centre)
    }

    /// A point mass.
    pub fn point(m: f64, at: Vec3) -> Inertia {
        Inertia::about_centre(m, at, Sym3::scalar(0.0))
    }

    /// `I m`: momentum of a motion.
    #[inline]
    pub fn apply(&self, m: Twist) -> Wrench {
        Wrench::new(
            self.i.apply(m.w) + self.h.cross(m.v),
            m.v * self.m + m.w.cross(self.h),
        )
    }

    /// In other axes.
    #[inline]
    pub fn turned(&self, r: &Mat3) -> Inertia {
        Inertia {
            m: self.m,
            h: r.apply(self.h),
            i: self.i.turned(r),
        }
    }

    /// About the point that lies back by `arm`: `I' = I - [r][h] - [h][r] - m [r][r]`.
    #[inline]
    pub fn shifted_back(&self, arm: Vec3) -> Inertia {
        // with [a][b] = b a' - (a.b) 1 and g = h + m r / 2:
        // -[r][g] - [g][r] = 2 (r.g) 1 - (r g' + g r')
        let g = self.h + arm * (0.5 * self.m);
        Inertia {
            m: self.m,
            h: self.h + arm * self.m,
            i: self.i + Sym3::scalar(2.0 * arm.dot(g)) - Sym3::product(arm, g),
        }
    }

    /// Sum of the second moments of mass, `int r r' dm = tr(I)/2 - I`.
    pub fn second_moments(&self) -> Sym3 {
        Sym3::scalar(0.5 * self.i.trace()) - self.i
    }

    /// Whether all entries are finite and the mass is not negative.
    pub fn is_sound(&self) -> bool {
        let s = &self.i;
        let sum = self.m + self.h.dot(self.h) + s.trace() + s.xy + s.xz + s.yz;
        self.m >= 0.0 && sum.is_finite()
    }
}

linear!(Inertia { m, h, i });

/// A frame as seen from another one: `x = R x' + p`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// Axes of the frame.
    pub r: Mat3,
    /// Its origin.
    pub p: Vec3,
}

impl Default for Placement {
    fn default() -> Placement {
        Placement::IDENTITY
    }
}

impl Placement {
    /// The frame itself.
    pub const IDENTITY: Placement = Placement {
        r: Mat3::IDENTITY,
        p: Vec3::ZERO,
    };

    /// A frame with the same axes at a point.
    pub fn at(p: Vec3) -> Placement {
        Placement {
            r: Mat3::IDENTITY,
            p,
        }
    }

    /// A frame at a point with its third axis along a direction: where a hinge sits.
    pub fn along(axis: Vec3, p: Vec3) -> Placement {
        Placement {
            r: Mat3::with_z_along(axis),
            p,
        }
    }

    /// This frame, then one given in it.
    pub fn then(&self, inner: &Placement) -> Placement {
        Placement {
            r: self.r.times(&inner.r),
            p: self.point(inner.p),
        }
    }

    /// The outer frame as seen from this one.
    pub fn inverse(&self) -> Placement {
        let r = self.r.transposed();
        Placement {
            r,
            p: -r.apply(self.p),
        }
    }

    /// A point of this frame in the outer one.
    pub fn point(&self, x: Vec3) -> Vec3 {
        self.p + self.r.apply(x)
    }

    /// An inertia given in this frame, about the origin and in the axes of the outer one.
    pub fn inertia(&self, i: &Inertia) -> Inertia {
        i.turned(&self.r).shifted_back(self.p)
    }

    /// A force given in this frame, in the axes and about the origin of the outer one.
    pub fn force(&self, f: Wrench) -> Wrench {
        f.turned(&self.r).shifted_back(self.p)
    }

    /// Whether the axes are a rotation to rounding and everything is finite.
    pub fn is_sound(&self) -> bool {
        let e = self.r.transposed().times(&self.r);
        let off = [e.x, e.y, e.z]
            .into_iter()
            .zip([Mat3::IDENTITY.x, Mat3::IDENTITY.y, Mat3::IDENTITY.z])
            .fold(0.0f64, |m, (a, b)| m.max((a - b).norm()));
        let right_handed = self.r.x.cross(self.r.y).dot(self.r.z) > 0.0;
        off < 1e-9 && right_handed && self.p.norm().is_finite()
    }
}
