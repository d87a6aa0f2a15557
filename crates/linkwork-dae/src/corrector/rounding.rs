//! How large corrections are that rounding alone makes.
//!
//! Near a pose where constraints become dependent the matrix is nearly singular, and the rounding
//! of the residual makes corrections far above that of the unknowns: they stop shrinking, though
//! the equations hold as well as they can. To tell this from divergence, a residual of rounding
//! size is put through the factors (a probe of the componentwise forward error, Higham 2002, 7.2):
//!
//! ```text
//!  J x = s eps |J| |z|,   s = +-1 from row to row;      floor = |x|
//! ```

use crate::linear::{LinearSolver, Pattern};

/// Scratch of the probe.
#[derive(Clone, Debug, Default)]
pub struct Rounding {
    /// Sizes of the unknowns; the caller fills them.
    pub size: Vec<f64>,
    /// The correction that rounding makes.
    pub correction: Vec<f64>,
}

impl Rounding {
    /// Room for `n` unknowns and, up to the order of the matrix, auxiliary ones.
    pub fn new(n: usize, order: usize) -> Rounding {
        Rounding {
            size: vec![0.0; n],
            correction: vec![0.0; order],
        }
    }

    /// Puts rounding through the factors of the matrix with the given values.
    pub fn probe(&mut self, pattern: &Pattern, values: &[f64], solver: &mut dyn LinearSolver) {
        // A golden-section sequence of signs: fixed, and without the symmetry of a mechanism.
        const GOLDEN: f64 = 0.618_033_988_749_895;
        let r = &mut self.correction;
        r.fill(0.0);
        for j in 0..pattern.n {
            // an auxiliary unknown is as large as the terms of its equation, which are all there: own
            // equations are triangular
            let size = self.size.get(j).copied().unwrap_or(r[j]);
            for k in pattern.span(j) {
                r[pattern.row[k] as usize] += (values[k] * size).abs();
            }
        }
        for (i, r) in r.iter_mut().enumerate() {
            let up = (i as f64 * GOLDEN).fract() < 0.5;
            *r *= if up { f64::EPSILON } else { -f64::EPSILON };
        }
        solver.solve(r);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linear::DenseLu;

    /// x + y = 2, x + (1 + e) y = 2 + e: rounding of the terms is amplified by 1/e.
    #[test]
    fn the_floor_grows_as_rows_become_dependent() {
        let pattern = Pattern::from_entries(2, &[(0, 0), (0, 1), (1, 0), (1, 1)]);
        for e in [1.0, 1e-4, 1e-8] {
            let values = [1.0, 1.0, 1.0, 1.0 + e];
            let mut solver = DenseLu::new();
            solver.analyse(&pattern, &[0, 1]);
            solver.factor(&values).unwrap();
            let mut rounding = Rounding::new(2, 2);
            rounding.size.fill(1.0);
            rounding.probe(&pattern, &values, &mut solver);
            let floor = rounding
                .correction
                .iter()
                .fold(0.0f64, |m, x| m.max(x.abs()));
            let expected = f64::EPSILON / e;
            assert!(
                (expected..8.0 * expected).contains(&floor),
                "{e}: {floor:.1e}"
            );
        }
    }
}
