//! Dynamics of trees with flexible bodies: recursions of rigid bodies do not know them, so that full matrices are factored.

use super::{Dynamics, DynamicsError, Partials, point, spread};
use linkwork_dae::dense::Matrix;
use linkwork_dae::system::{Part, Parts, System, Terms};

/// Pivots of the mass matrix below this share of their column: no inertia.
const MASSLESS: f64 = 1e-13;

impl Dynamics {
    /// The mass matrix from the entries of the system.
    pub(super) fn full_mass(&mut self, q: &[f64], out: &mut Matrix) -> Result<(), DynamicsError> {
        let at = point(self.t, (q, &self.rest, &self.rest), &self.states);
        let none = &mut Terms::default();
        let parts = Parts::from(Part::Mass);
        (self.system).linearise(&at, none, parts, &mut self.blocks)?;
        let pattern = &self.system.facts().patterns[Part::Mass];
        spread(pattern, &self.blocks[Part::Mass], out);
        Ok(())
    }

    /// Accelerations by the factors of the mass matrix; returns its inverse as well where wanted.
    pub(super) fn full_forward(
        &mut self,
        (q, v, tau): (&[f64], &[f64], &[f64]),
        a: &mut [f64],
    ) -> Result<Matrix, DynamicsError> {
        let n = self.rest.len();
        let mut force = vec![0.0; n];
        let at = point(self.t, (q, v, &[]), &self.states);
        let mut want = Terms {
            force: Some(&mut force),
            ..Terms::default()
        };
        self.system.eval(&at, &mut want)?;
        let mut mass = Matrix::zero(n, n);
        self.full_mass(q, &mut mass)?;
        let sides = Matrix::new(n, 1, |i, _| force[i] + tau[i]);
        let solved = mass.clone().solve(&sides, MASSLESS);
        let solved = solved.map_err(|k| self.without_inertia(k))?;
        for (i, a) in a.iter_mut().enumerate() {
            *a = solved[(i, 0)];
        }
        Ok(mass)
    }

    /// Derivatives of accelerations: `-M^-1 r_q`, `-M^-1 r_v` and `M^-1`.
    pub(super) fn full_derivatives(
        &mut self,
        (q, v, tau): (&[f64], &[f64], &[f64]),
        a: &mut [f64],
        out: &mut Partials,
    ) -> Result<(), DynamicsError> {
        let mass = self.full_forward((q, v, tau), a)?;
        self.linearise(q, v, a)?;
        for (part, to) in [(Part::Rq, &mut out.by_q), (Part::Rv, &mut out.by_v)] {
            spread(&self.system.facts().patterns[part], &self.blocks[part], to);
            let solved = mass.clone().solve(&to.clone().scaled(-1.0), MASSLESS);
            *to = solved.map_err(|k| self.without_inertia(k))?;
        }
        let inverse = mass.solve(&Matrix::unit(self.rest.len()), MASSLESS);
        out.by_input = inverse.map_err(|k| self.without_inertia(k))?;
        Ok(())
    }

    /// Its velocities by the speeds.
    pub(super) fn full_jacobian(&mut self, q: &[f64], body: usize, out: &mut Matrix) {
        let columns = self.system.velocities_of(q, body);
        for (k, column) in columns.into_iter().enumerate() {
            for (i, x) in column.into_iter().enumerate() {
                out[(i, k)] = x;
            }
        }
    }
}
