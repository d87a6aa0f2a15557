//! The matrix `W` that says what a branch answers to the motion of its root.

use crate::tree::spatial::{Force, Motion, Vec3};

/// The columns of `W`: by angular and linear part of `p`, then by the last three.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Gain {
    w: [Force; 3],
    v: [Force; 3],
    e: [Force; 3],
}

/// `sum of u_k columns_k`.
#[inline]
fn combine(c: &[Force; 3], u: Vec3) -> Force {
    c[0] * u.x + c[1] * u.y + c[2] * u.z
}

/// `columns_k' j`.
#[inline]
fn project(c: &[Force; 3], j: Motion) -> Vec3 {
    Vec3::new(j.dot(c[0]), j.dot(c[1]), j.dot(c[2]))
}

impl Gain {
    #[inline]
    pub(super) fn apply(&self, p: Motion, p_w: Vec3) -> Force {
        combine(&self.w, p.w) + combine(&self.v, p.v) + combine(&self.e, p_w)
    }

    /// `W' j`, in the parts of a force and the last three.
    #[inline]
    pub(super) fn project(&self, j: Motion) -> (Force, Vec3) {
        let force = Force::new(project(&self.w, j), project(&self.v, j));
        (force, project(&self.e, j))
    }

    /// Subtracts `u r'`.
    #[inline]
    pub(super) fn subtract(&mut self, u: Force, r: Force, r_w: Vec3) {
        let columns = [(&mut self.w, r.n), (&mut self.v, r.f), (&mut self.e, r_w)];
        for (columns, r) in columns {
            for (c, r) in columns.iter_mut().zip(r.array()) {
                *c = *c - u * r;
            }
        }
    }

    /// The gain between quantities about a point that lies back by `arm`.
    #[inline]
    pub(super) fn shifted(&self, arm: Vec3) -> Gain {
        let v = self.v.map(|c| c.shifted_back(arm));
        let w = self.w.map(|c| c.shifted_back(arm));
        // an angular motion moves the further point by w x arm
        Gain {
            w: [
                w[0] + v[2] * arm.y - v[1] * arm.z,
                w[1] + v[0] * arm.z - v[2] * arm.x,
                w[2] + v[1] * arm.x - v[0] * arm.y,
            ],
            v,
            e: self.e.map(|c| c.shifted_back(arm)),
        }
    }

    #[inline]
    pub(super) fn add(&mut self, o: &Gain) {
        for k in 0..3 {
            self.w[k] += o.w[k];
            self.v[k] += o.v[k];
            self.e[k] += o.e[k];
        }
    }
}
