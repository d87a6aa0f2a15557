//! Kinetic energy by bodies, whatever the coordinates.
//!
//! The kinetic energy of a mechanism is a sum over its bodies, and that of a body one over its
//! translation and its rotation about the centre of mass (König's theorem):
//!
//! ```text
//!  2 T = sum over bodies of  v . p + omega . L          p = m v,  L = I omega
//! ```
//!
//! None of the terms is negative, and none depends on the coordinates that the motion is told in. That
//! is not so for coordinates: `v_i (M v)_i` add up to `2 T` as well, but where the mass matrix couples
//! coordinates, as it does for joints, one of them may be negative and another above `2 T`. So a share
//! belongs to a body.

use crate::dense::Matrix;
use crate::eigen::Complex;
use crate::system::{Row, System};

/// What a row of [`BodyMotions`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MotionRow {
    /// Its body, as an index into the names.
    pub body: usize,
    /// Whether it is of the rotation of the body; `None` where this is not known.
    pub turns: Option<bool>,
}

/// Velocities and momenta of bodies for several directions of motion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BodyMotions {
    /// Names of the bodies; empty where their energies cannot be told apart.
    pub names: Vec<String>,
    /// What each row of the matrices is. Products of velocity and momentum of one row add up to twice
    /// the kinetic energy of its body.
    pub rows: Vec<MotionRow>,
    /// Velocities, a column for each direction.
    pub velocity: Matrix,
    /// Momenta, a column for each direction.
    pub momentum: Matrix,
}

/// The part of a body in a motion.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BodyShare {
    /// Its share of the kinetic energy, 0 to 1.
    pub energy: f64,
    /// The part of it in the rotation about its centre of mass, where this is known.
    pub rotation: Option<f64>,
}

/// Complex velocities and momenta of all rows in one motion.
#[derive(Clone, Debug)]
pub(crate) struct Moving {
    velocity: Vec<Complex>,
    momentum: Vec<Complex>,
}

impl BodyMotions {
    /// What can be said of a system that does not know its bodies: coordinates of one owner are a body
    /// if the mass matrix does not couple them with others. Directions are the columns of `dq`.
    pub fn of_coordinates(sys: &dyn System, dq: &Matrix, mass: &Matrix) -> BodyMotions {
        /// Couplings below this share of the diagonal are rounding.
        const APART: f64 = 1e-12;
        let nv = dq.rows();
        let mut names: Vec<String> = Vec::new();
        let mut rows = Vec::with_capacity(nv);
        for i in 0..nv {
            let owner = sys.owner(Row::Position(i));
            let body = names.iter().position(|n| *n == owner);
            let body = body.unwrap_or_else(|| {
                names.push(owner);
                names.len() - 1
            });
            rows.push(MotionRow { body, turns: None });
        }
        let couples = |i: usize, j: usize| {
            let size = (mass[(i, i)] * mass[(j, j)]).abs().sqrt();
            rows[i].body != rows[j].body && mass[(i, j)].abs() > APART * size
        };
        if (0..nv).any(|i| (0..nv).any(|j| couples(i, j))) {
            names.clear();
        }
        BodyMotions {
            names,
            rows,
            velocity: dq.clone(),
            momentum: mass.times(dq),
        }
    }

    /// The motion along a combination of the directions.
    pub(crate) fn along(&self, y: &[Complex]) -> Moving {
        Moving {
            velocity: combined(&self.velocity, y),
            momentum: combined(&self.momentum, y),
        }
    }

    /// `a^H M b` over the rows that are wanted. For `a = b` this is four times the kinetic energy of a
    /// vibration with these amplitudes of velocity, in the mean over a period.
    pub(crate) fn product(
        &self,
        a: &Moving,
        b: &Moving,
        wanted: impl Fn(&MotionRow) -> bool,
    ) -> Complex {
        let mut sum = Complex::ZERO;
        let pairs = a.velocity.iter().zip(&b.momentum);
        for (_, (v, p)) in (self.rows.iter().zip(pairs)).filter(|(row, _)| wanted(row)) {
            sum = sum + v.conj() * *p;
        }
        sum
    }

    /// Shares of the bodies in the energy of a motion; zeros where nothing with inertia moves.
    pub(crate) fn shares(&self, m: &Moving) -> Vec<BodyShare> {
        let mut shares = vec![BodyShare::default(); self.names.len()];
        for share in &mut shares {
            share.rotation = Some(0.0);
        }
        let total = self.product(m, m, |_| true).re;
        let moved = total.is_finite() && total > 0.0;
        let rows = self.rows.iter().zip(m.velocity.iter().zip(&m.momentum));
        for (row, (v, p)) in rows {
            let Some(share) = shares.get_mut(row.body) else {
                continue;
            };
            let energy = if moved {
                (v.conj() * *p).re / total
            } else {
                0.0
            };
            share.energy += energy;
            share.rotation = match (share.rotation, row.turns) {
                (Some(sum), Some(true)) => Some(sum + energy),
                (sum, Some(false)) => sum,
                _ => None,
            };
        }
        shares
    }
}

/// A combination of the columns of a matrix.
pub(crate) fn combined(m: &Matrix, y: &[Complex]) -> Vec<Complex> {
    let row = |i: usize| {
        let mut sum = Complex::ZERO;
        for (x, a) in y.iter().zip(m.row(i)) {
            sum = sum + x.scale(*a);
        }
        sum
    };
    (0..m.rows()).map(row).collect()
}
