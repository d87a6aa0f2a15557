//! Scaled divided differences on a variable grid.
//!
//! ```text
//!  tau_j = t_n - t_{n-j},    D_j = tau_1 .. tau_j [x_n, .., x_{n-j}]
//!  step h:  tau'_1 = h, tau'_{j+1} = h + tau_j,   omega_j = prod_{i<=j} tau'_i / tau_i
//!  c_j = sum_{i<=j} h / tau'_i
//!  predictor    x0      = x_n + sum_{j<=k} omega_j D_j
//!               h x0'   = sum_{j<=k} c_j omega_j D_j
//!  corrector    x = x0 + delta,   h x' = h x0' + c_k delta,   delta = D'_{k+1}
//!  update       D'_j = omega_j D_j + D'_{j+1}
//! ```
//!
//! (Brayton, Gustavson & Hachtel 1972; Hairer, Norsett & Wanner 1993, III.5.) All vectors share one
//! padded array, so that the loops run over whole lanes.

/// Highest BDF order that is zero-stable and of use.
pub(super) const MAX_ORDER: usize = 5;
/// Differences up to `D_{k+2}`.
const COLUMNS: usize = MAX_ORDER + 2;
const LANES: usize = 4;

/// Coefficients of one attempted step; index 0 is unused so that `omega[j]` reads as in the text.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Coefficients {
    pub h: f64,
    pub order: usize,
    pub omega: [f64; COLUMNS + 1],
    /// `h x'` gains `lead * delta`.
    pub lead: f64,
    /// Error constants `h / tau'_{j+1}` of orders j.
    pub error: [f64; COLUMNS + 1],
    tau: [f64; COLUMNS + 1],
}

/// The difference table of one vector.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    width: usize,
    /// Row 0 is `x_n`, row j is `D_j`.
    table: Vec<f64>,
    /// `tau[j] = t_n - t_{n-j}`.
    tau: [f64; COLUMNS + 1],
    /// Number of differences that are known.
    known: usize,
    /// Order of the last accepted step.
    order: usize,
}

impl History {
    /// A table for vectors of length `n`, from a value and its derivative; the node before the
    /// start is fictitious, one step back.
    pub(super) fn start(n: usize, h: f64, fill: impl FnOnce(&mut [f64], &mut [f64])) -> History {
        let width = n.div_ceil(LANES) * LANES;
        let mut table = vec![0.0; width * (COLUMNS + 1)];
        let (x, rest) = table.split_at_mut(width);
        let first = &mut rest[..width];
        fill(&mut x[..n], &mut first[..n]);
        for d in first.iter_mut() {
            *d *= h;
        }
        let mut tau = [0.0; COLUMNS + 1];
        for (j, tau) in tau.iter_mut().enumerate() {
            *tau = j as f64 * h;
        }
        History {
            width,
            table,
            tau,
            known: 1,
            order: 1,
        }
    }

    /// Length of a padded vector.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// Number of differences known, which bounds the order.
    pub(super) fn known(&self) -> usize {
        self.known
    }

    fn row(&self, j: usize) -> &[f64] {
        &self.table[j * self.width..(j + 1) * self.width]
    }

    /// Coefficients of a step.
    pub(super) fn coefficients(&self, h: f64, order: usize) -> Coefficients {
        let mut c = Coefficients {
            h,
            order,
            ..Coefficients::default()
        };
        c.tau[1] = h;
        for j in 1..COLUMNS {
            c.tau[j + 1] = h + self.tau[j];
        }
        c.omega[0] = 1.0;
        let last = (order + 1).min(self.known);
        for j in 1..=last {
            c.omega[j] = c.omega[j - 1] * c.tau[j] / self.tau[j];
        }
        for j in 1..=order {
            c.lead += h / c.tau[j];
        }
        for j in 1..=(order + 1).min(COLUMNS - 1) {
            c.error[j] = h / c.tau[j + 1];
        }
        c
    }

    /// Predicted value and derivative.
    pub(super) fn predict(&self, c: &Coefficients, x: &mut [f64], xdot: &mut [f64]) {
        x.copy_from_slice(self.row(0));
        let mut sum = 0.0;
        for j in 1..=c.order {
            sum += c.h / c.tau[j];
            let (a, b) = (c.omega[j], sum * c.omega[j] / c.h);
            let rows = x.chunks_exact_mut(LANES).zip(xdot.chunks_exact_mut(LANES));
            let first = j == 1;
            for ((x, xdot), d) in rows.zip(self.row(j).chunks_exact(LANES)) {
                for l in 0..LANES {
                    x[l] += a * d[l];
                    xdot[l] = if first { b * d[l] } else { xdot[l] + b * d[l] };
                }
            }
        }
    }

    /// Weighted maximum norms over `range` of `D'_{k-1}`, `D'_k`, `D'_{k+1} = delta` and `D'_{k+2}`
    /// for a converged `delta`, with the index of the largest entry of `delta`. Differences that
    /// are not known give infinity.
    pub(super) fn norms(
        &self,
        c: &Coefficients,
        delta: &[f64],
        start: usize,
        weight: &[f64],
    ) -> ([f64; 4], usize) {
        let k = c.order;
        let range = start..start + weight.len();
        let zero = self.row(0);
        let pick = |j: usize| -> (f64, &[f64]) {
            if j >= 1 && j <= self.known {
                (c.omega[j], &self.row(j)[range.clone()])
            } else {
                (0.0, &zero[range.clone()])
            }
        };
        let (w_k, d_k) = pick(k);
        let (w_km, d_km) = pick(k - 1);
        let (w_kp, d_kp) = pick(k + 1);
        let mut n = [0.0f64; 4];
        let mut worst = 0;
        for (i, (&w, &e)) in weight.iter().zip(&delta[range]).enumerate() {
            let lower = e + w_k * d_k[i];
            let lowest = lower + w_km * d_km[i];
            let higher = e - w_kp * d_kp[i];
            let now = (e * w).abs();
            if now > n[2] || now.is_nan() {
                n[2] = now;
                worst = i;
            }
            n[1] = n[1].max((lower * w).abs());
            n[0] = n[0].max((lowest * w).abs());
            n[3] = n[3].max((higher * w).abs());
        }
        if k < 2 {
            n[1] = f64::INFINITY;
        }
        if k < 3 {
            n[0] = f64::INFINITY;
        }
        if k + 1 > self.known {
            n[3] = f64::INFINITY;
        }
        (n, worst)
    }

    /// Makes a converged step part of the table.
    pub(super) fn accept(&mut self, c: &Coefficients, x0: &[f64], delta: &[f64]) {
        let (k, w) = (c.order, self.width);
        let known = if k < self.known && k + 2 <= COLUMNS {
            let omega = c.omega[k + 1];
            let (low, high) = self.table.split_at_mut((k + 2) * w);
            for ((new, old), e) in high[..w].iter_mut().zip(&low[(k + 1) * w..]).zip(delta) {
                *new = e - omega * old;
            }
            k + 2
        } else {
            k + 1
        };
        self.table[(k + 1) * w..(k + 2) * w].copy_from_slice(delta);
        for j in (1..=k).rev() {
            let omega = c.omega[j];
            let (low, high) = self.table.split_at_mut((j + 1) * w);
            for (d, above) in low[j * w..].iter_mut().zip(&high[..w]) {
                *d = omega * *d + above;
            }
        }
        for ((x, x0), e) in self.table[..w].iter_mut().zip(x0).zip(delta) {
            *x = x0 + e;
        }
        self.tau = c.tau;
        self.known = known.min(COLUMNS);
        self.order = k;
    }

    /// Value at `t_n + dt` of the polynomial through the newest points, entries `start..`.
    pub(super) fn interpolate(&self, dt: f64, start: usize, out: &mut [f64]) {
        let range = start..start + out.len();
        out.copy_from_slice(&self.row(self.order)[range.clone()]);
        for j in (0..self.order).rev() {
            // D_{j+1} carries prod tau; its Newton factor is (t - t_{n-j}) / tau_{j+1}
            let factor = (dt + self.tau[j]) / self.tau[j + 1];
            for (o, d) in out.iter_mut().zip(&self.row(j)[range.clone()]) {
                *o = d + factor * *o;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A polynomial of degree k is predicted, differentiated and interpolated exactly by order k
    /// on any grid.
    #[test]
    fn exact_for_polynomials() {
        let p = |t: f64| 1.0 - t + 2.0 * t.powi(2) - 0.5 * t.powi(3) + 0.25 * t.powi(4);
        let dp = |t: f64| -1.0 + 4.0 * t - 1.5 * t.powi(2) + t.powi(3);
        let steps = [0.1, 0.13, 0.08, 0.1, 0.15, 0.12, 0.09];
        let mut t = 0.0;
        let mut h = History::start(1, 0.1, |x, d| {
            x[0] = p(0.0);
            d[0] = dp(0.0);
        });
        let (mut x, mut xdot, mut delta) = ([0.0; 4], [0.0; 4], [0.0; 4]);
        for (i, &step) in steps.iter().enumerate() {
            let order = (i + 1).min(4);
            let c = h.coefficients(step, order);
            h.predict(&c, &mut x, &mut xdot);
            t += step;
            if i >= 5 {
                assert!((x[0] - p(t)).abs() < 1e-12, "value {} {}", x[0], p(t));
                assert!((xdot[0] - dp(t)).abs() < 1e-11);
            }
            delta[0] = p(t) - x[0];
            h.accept(&c, &x, &delta);
        }
        let mut out = [0.0];
        h.interpolate(-0.05, 0, &mut out);
        assert!((out[0] - p(t - 0.05)).abs() < 1e-12);
    }
}
