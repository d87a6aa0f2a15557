//! Derivatives of forward dynamics by positions, velocities and joint forces.
//!
//! From those of inverse dynamics at the acceleration that belongs to the point (Carpentier & Mansard
//! 2018, section IV):
//!
//! ```text
//!  tau = ID(q, v, a)      a_q = -M^-1 ID_q      a_v = -M^-1 ID_v      a_tau = M^-1
//! ```
//!
//! The result is full, `3 n^2` numbers, each for the price of a few vectors: `M^-1` is that of
//! articulated bodies, applied to all columns at once ([`Aba::solve_columns`]). Along joints with
//! rotation vectors derivatives are along the tangent.

use super::aba::{Aba, Columns};
use super::derivatives::Point;
use super::{Branches, Derivatives, Kinematics, Tree, Wrench};
use linkwork_dae::linear::Singular;

/// Entries of a matrix with their rows and columns.
pub(super) type Triplets<'a> = (&'a [(u32, u32)], &'a [f64]);

/// Forward dynamics of one tree with its derivatives.
#[derive(Clone, Debug, Default)]
pub struct ForwardDerivatives {
    n: usize,
    /// Row `i`: `a_i` by all positions, all velocities, all joint forces.
    rows: Vec<f64>,
    branches: Branches,
    aba: Aba,
    kin: Kinematics,
    derivatives: Derivatives,
    columns: Columns,
}

impl ForwardDerivatives {
    /// Room for a tree.
    pub fn new(tree: &Tree) -> ForwardDerivatives {
        let n = tree.nv();
        let branches = Branches::new(tree);
        ForwardDerivatives {
            n,
            rows: vec![0.0; 3 * n * n],
            aba: Aba::new(tree),
            kin: Kinematics::new(tree),
            derivatives: Derivatives::new(tree, &branches),
            columns: Columns::new(tree, 3 * n),
            branches,
        }
    }

    /// Accelerations at `(q, v)` under the joint forces `tau` and their derivatives. `external` are
    /// forces on the bodies, each in the frame of its body, or empty; they turn with the bodies. On
    /// failure a coordinate is named that has no inertia, or whose inertia is not finite.
    pub fn run(
        &mut self,
        tree: &Tree,
        q: &[f64],
        v: &[f64],
        tau: &[f64],
        external: &[Wrench],
        a: &mut [f64],
    ) -> Result<(), Singular> {
        self.aba.run(tree, q, v, tau, external, a)?;
        let point = Point { q, v, a, external };
        (self.derivatives).run(tree, &self.branches, &mut self.kin, &point);
        self.place();
        self.aba
            .solve_columns(tree, &mut self.columns, &mut self.rows);
        Ok(())
    }

    /// The same from derivatives of inverse dynamics, given as entries with their places, and the
    /// articulated bodies of the point.
    pub(super) fn divide(&mut self, tree: &Tree, aba: &Aba, by: [Triplets<'_>; 2]) {
        let n = self.n;
        self.rows.fill(0.0);
        for (part, (pattern, values)) in by.into_iter().enumerate() {
            for (&(i, j), x) in pattern.iter().zip(values) {
                self.rows[n * (3 * i as usize + part) + j as usize] = -x;
            }
        }
        for i in 0..n {
            self.rows[3 * n * i + 2 * n + i] = 1.0;
        }
        aba.solve_columns(tree, &mut self.columns, &mut self.rows);
    }

    /// `-ID_q`, `-ID_v` and the identity.
    fn place(&mut self) {
        let n = self.n;
        self.rows.fill(0.0);
        let d = &self.derivatives;
        for (first, lower, upper) in [(0, &d.q_lower, &d.q_upper), (n, &d.v_lower, &d.v_upper)] {
            for i in 0..n {
                for (j, at) in self.branches.path(i).zip(self.branches.row(i).rev()) {
                    self.rows[3 * n * j + first + i] = -upper[at];
                    // last, because the diagonal is that of the lower list
                    self.rows[3 * n * i + first + j] = -lower[at];
                }
            }
        }
        for i in 0..n {
            self.rows[3 * n * i + 2 * n + i] = 1.0;
        }
    }

    fn part(&self, i: usize, part: usize) -> &[f64] {
        &self.rows[self.n * (3 * i + part)..][..self.n]
    }

    /// Acceleration `i` by every position.
    pub fn by_positions(&self, i: usize) -> &[f64] {
        self.part(i, 0)
    }

    /// Acceleration `i` by every velocity.
    pub fn by_velocities(&self, i: usize) -> &[f64] {
        self.part(i, 1)
    }

    /// Acceleration `i` by every joint force: a row of `M^-1`.
    pub fn by_forces(&self, i: usize) -> &[f64] {
        self.part(i, 2)
    }
}
