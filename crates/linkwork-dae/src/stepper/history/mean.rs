//! Weighted root mean squares of differences, the norm of DASSL.

use super::{BLOCK, Coefficients, History, LANES, Norms};
use crate::state::peak;

impl History {
    /// Of `D'_{k-1}`, `D'_k`, `D'_{k+1} = delta` and `D'_{k+2}` over the entries that have a weight;
    /// infinite when not known.
    pub(in crate::stepper) fn mean_norms(
        &self,
        c: &Coefficients,
        delta: &[f64],
        weight: &[f64],
    ) -> Norms {
        let worst = peak(delta, weight).index;
        let k = c.order;
        let omega = |j: usize| if j <= self.known { c.omega[j] } else { 0.0 };
        let (blocks, _) = self.table.as_chunks::<BLOCK>();
        let (delta, _) = delta.as_chunks::<LANES>();
        let (weight, _) = weight.as_chunks::<LANES>();
        let mut sum = [0.0; 4];
        let mut count = 0u32;
        for ((block, e), w) in blocks.iter().zip(delta).zip(weight) {
            let (columns, _) = block.as_chunks::<LANES>();
            for l in 0..LANES {
                let lower = e[l] + omega(k) * columns[k][l];
                let all = [
                    lower + omega(k - 1) * columns[k - 1][l],
                    lower,
                    e[l],
                    e[l] - omega(k + 1) * columns[k + 1][l],
                ];
                for (sum, x) in sum.iter_mut().zip(all) {
                    *sum += (x * w[l]) * (x * w[l]);
                }
                count += u32::from(w[l] != 0.0);
            }
        }
        let mut of = sum.map(|s| (s / f64::from(count.max(1))).sqrt());
        if k <= 2 {
            of[0] = f64::INFINITY;
        }
        if k <= 1 {
            of[1] = f64::INFINITY;
        }
        if k + 1 > self.known {
            of[3] = f64::INFINITY;
        }
        Norms { of, worst }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::bdf::Form;
    use super::*;

    /// All entries alike: the mean is the largest. One of two entries zero: less by a root of two.
    #[test]
    fn means_stand_beside_the_largest() {
        let x = |t: f64| (0.7 * t).sin();
        for (second, ratio) in [(1.0, 1.0), (0.0, 0.5f64.sqrt())] {
            let mut h = History::new(Form::FixedLeading, 2);
            h.start(0.1, &[x(0.0), second * x(0.0)], &[0.7, 0.7 * second]);
            let weight = [3.0, 3.0, 0.0, 0.0];
            let (mut x0, mut xdot, mut t) = ([0.0; 4], [0.0; 4], 0.0);
            for (i, step) in [0.1, 0.2, 0.15, 0.15, 0.15, 0.15].into_iter().enumerate() {
                let c = h.coefficients(step, (i + 1).min(3));
                h.predict(&c, &mut x0, &mut xdot);
                t += step;
                let delta = [x(t) - x0[0], second * x(t) - x0[1], 0.0, 0.0];
                let largest = h.norms(&c, &delta, &weight);
                let mean = h.mean_norms(&c, &delta, &weight);
                assert_eq!(mean.worst, largest.worst);
                for (mean, largest) in mean.of.iter().zip(largest.of) {
                    let same = *mean == largest;
                    assert!(
                        same || (mean / largest - ratio).abs() < 1e-12,
                        "{mean} {largest}"
                    );
                    assert_eq!(mean.is_finite(), largest.is_finite());
                }
                h.accept(&c, &x0, &delta);
            }
        }
    }
}
