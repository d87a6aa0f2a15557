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
//! (Brayton, Gustavson & Hachtel 1972; Hairer, Norsett & Wanner 1993, III.5.) On an equidistant
//! grid these are the backward differences, `omega_j = 1`. The quasi-constant-step forms
//! re-interpolate the table onto such a grid whenever the step changes:
//!
//! ```text
//!  h -> zeta h:   D_new = D R U,   R_ij = prod_{a<i} (a - j zeta)/i!,   U_ij = prod_{a<i} (a - j)/i!
//! ```
//!
//! Four entries of all columns lie together, so that every sweep runs through whole lanes.

mod carry;
mod seed;

use super::bdf::Form;
use crate::memory::Memory;

/// Highest BDF order that is zero-stable and of use.
pub(super) const MAX_ORDER: usize = 5;
/// `x`, then differences up to `D_{k+2}`.
const COLUMNS: usize = MAX_ORDER + 3;
const LANES: usize = 4;
const BLOCK: usize = COLUMNS * LANES;

/// Modification constants of the numerical differentiation formulas, by order
/// (Shampine & Reichelt 1997, table 1).
const KAPPA: [f64; MAX_ORDER + 1] = [0.0, -0.1850, -1.0 / 9.0, -0.0823, -0.0415, 0.0];

/// Share of the next term in the formula of order 2, `h x' = .. + BLEND h/tau'_3 delta`, which leaves
/// `1 - BLEND` of its error. On an equidistant grid, with `x_j = exp(i j phi)`,
///
/// ```text
///  Re (D_1 + D_2 / 2 + BLEND D_3 / 3) = (1 - cos phi)^2 (1 - 2/3 BLEND (1 + 2 cos phi)),
/// ```
///
/// which is not negative, and the formula therefore A-stable, up to 1/2 (Klopfenstein's choice, 1971,
/// that of NDF). There nothing damps slow vibrations; a quarter less keeps a quarter of the damping
/// of plain BDF. On the elastic slider crank at tolerance 1e-4 this takes a fifth fewer steps
/// at half a digit more. Orders above 2 are not A-stable with any share (Dahlquist 1963).
const BLEND: f64 = 0.375;

/// Steps in a row up to order 2 from which on its formula takes that share. On the way up to higher
/// orders plain differentiation damps what the first steps have left.
const SETTLED: u32 = 6;

/// Coefficients of one attempted step; index 0 is unused so that `omega[j]` reads as in the text.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Coefficients {
    pub h: f64,
    pub order: usize,
    /// `h x'` gains `lead * delta`.
    pub lead: f64,
    /// Error constants of orders j.
    pub error: [f64; COLUMNS],
    omega: [f64; COLUMNS],
    tau: [f64; COLUMNS],
}

/// Weighted maximum norms of differences.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Norms {
    /// Of `D'_{k-1}`, `D'_k`, `D'_{k+1} = delta` and `D'_{k+2}`; infinite when not known.
    pub of: [f64; 4],
    /// Entry of `delta` that attains its norm.
    pub worst: usize,
}

/// The difference table of one vector.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    form: Form,
    /// Blocks of four entries, column by column: `x`, `D_1`, `D_2`, ...
    table: Vec<f64>,
    /// The table of the last accepted step, for forms that re-interpolate it.
    accepted: Vec<f64>,
    /// `tau[j] = t_n - t_{n-j}` of `table`.
    tau: [f64; COLUMNS],
    /// The same of `accepted`.
    accepted_tau: [f64; COLUMNS],
    /// Number of differences that are known.
    known: usize,
    /// Order of the last accepted step.
    order: usize,
    /// Accepted steps in a row at orders 1 and 2.
    at_low_order: u32,
}

fn equidistant(h: f64) -> [f64; COLUMNS] {
    std::array::from_fn(|j| j as f64 * h)
}

impl History {
    /// Room for `n` entries.
    pub(super) fn new(form: Form, n: usize) -> History {
        let table = vec![0.0; n.div_ceil(LANES) * BLOCK];
        History {
            form,
            accepted: table.clone(),
            table,
            tau: equidistant(1.0),
            accepted_tau: equidistant(1.0),
            known: 1,
            order: 1,
            at_low_order: 0,
        }
    }

    /// A table from a value and its derivative; the nodes before the start are fictitious.
    pub(super) fn start(&mut self, h: f64, x: &[f64], xdot: &[f64]) {
        self.table.fill(0.0);
        for (i, (x, xdot)) in x.iter().zip(xdot).enumerate() {
            let at = i / LANES * BLOCK + i % LANES;
            // entries beyond the last one only fill the lanes
            if at + LANES < self.table.len() {
                self.table[at] = *x;
                self.table[at + LANES] = h * xdot;
            }
        }
        self.accepted.copy_from_slice(&self.table);
        self.tau = equidistant(h);
        self.accepted_tau = self.tau;
        self.known = 1;
        self.order = 1;
        self.at_low_order = 0;
    }

    /// Length of a padded vector.
    pub(super) fn width(&self) -> usize {
        self.table.len() / COLUMNS
    }

    /// Number of differences known, which bounds the order.
    pub(super) fn known(&self) -> usize {
        self.known
    }

    /// Coefficients of a step; re-interpolates where the form asks for it.
    pub(super) fn coefficients(&mut self, h: f64, order: usize) -> Coefficients {
        if self.form.equidistant() {
            self.regrid(h, order);
        }
        let mut c = Coefficients {
            h,
            order,
            ..Coefficients::default()
        };
        c.tau[1] = h;
        for j in 1..COLUMNS - 1 {
            c.tau[j + 1] = h + self.tau[j];
        }
        c.omega[0] = 1.0;
        for j in 1..=(order + 1).min(self.known) {
            c.omega[j] = c.omega[j - 1] * c.tau[j] / self.tau[j];
        }
        let mut harmonic = [0.0; COLUMNS];
        for j in 1..=order {
            c.lead += h / c.tau[j];
            harmonic[j] = harmonic[j - 1] + 1.0 / j as f64;
        }
        for j in 1..=(order + 1).min(COLUMNS - 2) {
            c.error[j] = h / c.tau[j + 1];
        }
        if order == 2 && self.at_low_order >= SETTLED && self.form == Form::VariableStep {
            c.lead += BLEND * c.error[2];
            c.error[2] *= 1.0 - BLEND;
        }
        match self.form {
            Form::VariableStep | Form::QuasiConstant => {}
            Form::FixedLeading => {
                let e = c.error[order];
                c.error[order] = e.max((e + c.lead - harmonic[order]).abs());
                c.lead = harmonic[order];
            }
            Form::Numerical => {
                for j in 1..=order {
                    c.error[j] = (KAPPA[j] * harmonic[j] + c.error[j]).abs();
                }
                c.lead *= 1.0 - KAPPA[order];
            }
        }
        c
    }

    /// Predicted value and derivative.
    pub(super) fn predict(&self, c: &Coefficients, x: &mut [f64], xdot: &mut [f64]) {
        let mut weights = [(0.0, 0.0); MAX_ORDER];
        let mut sum = 0.0;
        for j in 1..=c.order {
            sum += c.h / c.tau[j];
            weights[j - 1] = (c.omega[j], sum * c.omega[j] / c.h);
        }
        let weights = &weights[..c.order];
        let (blocks, _) = self.table.as_chunks::<BLOCK>();
        let (x, _) = x.as_chunks_mut::<LANES>();
        let (xdot, _) = xdot.as_chunks_mut::<LANES>();
        for ((block, x), xdot) in blocks.iter().zip(x).zip(xdot) {
            let (columns, _) = block.as_chunks::<LANES>();
            let mut value = columns[0];
            let mut rate = [0.0; LANES];
            for ((a, b), d) in weights.iter().zip(&columns[1..]) {
                for l in 0..LANES {
                    value[l] += a * d[l];
                    rate[l] += b * d[l];
                }
            }
            *x = value;
            *xdot = rate;
        }
    }

    /// Norms of the differences around the order of a converged step, weighted entry by entry.
    pub(super) fn norms(&self, c: &Coefficients, delta: &[f64], weight: &[f64]) -> Norms {
        let k = c.order;
        let known = |j: usize| j >= 1 && j <= self.known;
        let omega = |j: usize| if known(j) { c.omega[j] } else { 0.0 };
        let (w_lower, w_lowest, w_higher) = (omega(k), omega(k - 1), omega(k + 1));
        let mut top = [[0.0f64; LANES]; 4];
        let mut sum = [0.0f64; LANES];
        let (blocks, _) = self.table.as_chunks::<BLOCK>();
        let (delta, _) = delta.as_chunks::<LANES>();
        let (weight, _) = weight.as_chunks::<LANES>();
        for ((block, e), w) in blocks.iter().zip(delta).zip(weight) {
            let (columns, _) = block.as_chunks::<LANES>();
            let (d, below, above) = (&columns[k], &columns[k - 1], &columns[k + 1]);
            for l in 0..LANES {
                let lower = e[l] + w_lower * d[l];
                let all = [
                    lower + w_lowest * below[l],
                    lower,
                    e[l],
                    e[l] - w_higher * above[l],
                ];
                sum[l] += e[l] * w[l];
                for (top, x) in top.iter_mut().zip(all) {
                    let x = (x * w[l]).abs();
                    top[l] = if x > top[l] { x } else { top[l] };
                }
            }
        }
        let mut of = top.map(|t| t.iter().fold(0.0, |m, &x| if x > m { x } else { m }));
        let weighted = delta.as_flattened().iter().zip(weight.as_flattened());
        let mut errors = weighted.map(|(e, w)| (e * w).abs());
        // a sum keeps the NaN that comparisons lose
        let worst = if sum.iter().sum::<f64>().is_nan() {
            of[2] = f64::NAN;
            errors.position(f64::is_nan)
        } else {
            errors.position(|e| e == of[2])
        };
        for (n, order) in of.iter_mut().zip([k.wrapping_sub(2), k - 1, k, k + 1]) {
            if order == 0 || order > k + 1 || (order == k + 1 && !known(k + 1)) {
                *n = f64::INFINITY;
            }
        }
        Norms {
            of,
            worst: worst.unwrap_or(0),
        }
    }

    /// `D'_{k-1}`, `D'_k`, `D'_{k+1} = delta` and `D'_{k+2}` of each entry; nothing is subtracted for
    /// what is not known.
    pub(super) fn differences<'a>(
        &'a self,
        c: &'a Coefficients,
        delta: &'a [f64],
    ) -> impl Iterator<Item = [f64; 4]> + 'a {
        let k = c.order;
        let omega = move |j: usize| match j >= 1 && j <= self.known {
            true => c.omega[j],
            false => 0.0,
        };
        let (blocks, _) = self.table.as_chunks::<BLOCK>();
        let (delta, _) = delta.as_chunks::<LANES>();
        blocks.iter().zip(delta).flat_map(move |(block, e)| {
            let (columns, _) = block.as_chunks::<LANES>();
            (0..LANES).map(move |l| {
                let lower = e[l] + omega(k) * columns[k][l];
                let lowest = lower + omega(k - 1) * columns[k - 1][l];
                [lowest, lower, e[l], e[l] - omega(k + 1) * columns[k + 1][l]]
            })
        })
    }

    /// Makes a converged step part of the table.
    pub(super) fn accept(&mut self, c: &Coefficients, x0: &[f64], delta: &[f64]) {
        let k = c.order;
        let has_higher = k < self.known;
        let omega_higher = if has_higher { c.omega[k + 1] } else { 0.0 };
        let (blocks, _) = self.table.as_chunks_mut::<BLOCK>();
        let (x0, _) = x0.as_chunks::<LANES>();
        let (delta, _) = delta.as_chunks::<LANES>();
        for ((block, x0), e) in blocks.iter_mut().zip(x0).zip(delta) {
            let (columns, _) = block.as_chunks_mut::<LANES>();
            for l in 0..LANES {
                columns[k + 2][l] = e[l] - omega_higher * columns[k + 1][l];
                columns[0][l] = x0[l] + e[l];
            }
            columns[k + 1] = *e;
            let mut above = *e;
            for (omega, d) in c.omega[1..=k].iter().zip(&mut columns[1..=k]).rev() {
                for l in 0..LANES {
                    above[l] += omega * d[l];
                }
                *d = above;
            }
        }
        self.tau = c.tau;
        self.known = if has_higher { k + 2 } else { k + 1 };
        self.order = k;
        self.at_low_order = if k <= 2 {
            self.at_low_order.saturating_add(1)
        } else {
            0
        };
        if self.form.equidistant() {
            self.accepted.copy_from_slice(&self.table);
            self.accepted_tau = self.tau;
        }
    }

    /// Error that order `k`, settled, would make in steps like the last one, of which the table
    /// holds the difference; infinite when it does not.
    pub(super) fn error_at(&self, k: usize, weight: &[f64]) -> f64 {
        if k == 0 || k >= self.known || k + 1 >= COLUMNS {
            return f64::INFINITY;
        }
        let (blocks, _) = self.table.as_chunks::<BLOCK>();
        let (weight, _) = weight.as_chunks::<LANES>();
        let mut top = 0.0f64;
        for (block, w) in blocks.iter().zip(weight) {
            let (columns, _) = block.as_chunks::<LANES>();
            for (d, w) in columns[k + 1].iter().zip(w) {
                top = top.max((d * w).abs());
            }
        }
        let blend = if k == 2 && self.form == Form::VariableStep {
            BLEND
        } else {
            0.0
        };
        (1.0 - blend) / (k + 1) as f64 * top
    }

    /// Value at `t_n + dt` of the polynomial through the newest points, entries `start..`.
    pub(super) fn interpolate(&self, dt: f64, start: usize, out: &mut [f64]) {
        let (table, tau) = if self.form.equidistant() {
            (&self.accepted, &self.accepted_tau)
        } else {
            (&self.table, &self.tau)
        };
        let mut factor = [0.0; MAX_ORDER];
        for j in 0..self.order {
            // D_{j+1} carries prod tau; its Newton factor is (t - t_{n-j}) / tau_{j+1}
            factor[j] = (dt + tau[j]) / tau[j + 1];
        }
        for (i, o) in (start..).zip(out) {
            let block = &table[i / LANES * BLOCK + i % LANES..];
            let mut value = block[self.order * LANES];
            for j in (0..self.order).rev() {
                value = block[j * LANES] + factor[j] * value;
            }
            *o = value;
        }
    }

    /// Saves or restores the table that the next step begins with.
    pub(super) fn memory(&mut self, m: &mut Memory) {
        let History {
            form,
            table,
            accepted,
            tau,
            accepted_tau,
            known,
            order,
            at_low_order,
        } = self;
        m.section("history");
        // re-interpolating forms make the one from the other before every attempt
        if form.equidistant() {
            m.slice(accepted);
            m.slice(accepted_tau);
        } else {
            m.slice(table);
            m.slice(tau);
        }
        m.index(known, 1..=COLUMNS - 1);
        m.index(order, 1..=MAX_ORDER);
        m.u32(at_low_order);
    }

    /// Re-interpolates the accepted table onto an equidistant grid with step `h`, keeping the
    /// polynomial of degree `order` exactly; the next difference is scaled like a derivative.
    fn regrid(&mut self, h: f64, order: usize) {
        self.table.copy_from_slice(&self.accepted);
        self.tau = equidistant(h);
        let zeta = h / self.accepted_tau[1];
        if (zeta - 1.0).abs() < 4.0 * f64::EPSILON {
            return;
        }
        let falling =
            |i: usize, x: f64| -> f64 { (0..i).map(|a| (a as f64 - x) / (a + 1) as f64).product() };
        let mut change = [[0.0; MAX_ORDER]; MAX_ORDER];
        for i in 1..=order {
            for j in 1..=order {
                change[i - 1][j - 1] = (1..=order)
                    .map(|m| falling(i, m as f64 * zeta) * falling(m, j as f64))
                    .sum();
            }
        }
        let last = zeta.powi(order as i32 + 1);
        let blocks = self.table.chunks_exact_mut(BLOCK);
        for (new, old) in blocks.zip(self.accepted.chunks_exact(BLOCK)) {
            for j in 1..=order {
                for l in 0..LANES {
                    new[j * LANES + l] = (1..=order)
                        .map(|i| old[i * LANES + l] * change[i - 1][j - 1])
                        .sum();
                }
            }
            for l in 0..LANES {
                new[(order + 1) * LANES + l] = last * old[(order + 1) * LANES + l];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A polynomial of degree k is predicted, differentiated and interpolated exactly by order k
    /// on any grid; re-interpolation keeps it.
    #[test]
    fn exact_for_polynomials() {
        let p = |t: f64| 1.0 - t + 2.0 * t.powi(2) - 0.5 * t.powi(3) + 0.25 * t.powi(4);
        let dp = |t: f64| -1.0 + 4.0 * t - 1.5 * t.powi(2) + t.powi(3);
        let varied = [0.1, 0.13, 0.08, 0.1, 0.15, 0.12, 0.09];
        let late = [0.1, 0.1, 0.1, 0.1, 0.1, 0.13, 0.08];
        for (form, steps) in [
            (Form::VariableStep, varied),
            (Form::FixedLeading, varied),
            (Form::QuasiConstant, late),
            (Form::Numerical, late),
        ] {
            let mut t = 0.0;
            let mut h = History::new(form, 1);
            h.start(0.1, &[p(0.0)], &[dp(0.0)]);
            let (mut x, mut xdot, mut delta) = ([0.0; 4], [0.0; 4], [0.0; 4]);
            for (i, &step) in steps.iter().enumerate() {
                let order = (i + 1).min(4);
                let c = h.coefficients(step, order);
                h.predict(&c, &mut x, &mut xdot);
                t += step;
                if i >= 5 {
                    assert!((x[0] - p(t)).abs() < 1e-12, "{form:?} {} {}", x[0], p(t));
                    assert!((xdot[0] - dp(t)).abs() < 1e-11, "{form:?}");
                }
                delta[0] = p(t) - x[0];
                h.accept(&c, &x, &delta);
            }
            let mut out = [0.0];
            h.interpolate(-0.05, 0, &mut out);
            assert!((out[0] - p(t - 0.05)).abs() < 1e-12, "{form:?}");
        }
    }

    /// Norms against differences computed one by one.
    #[test]
    fn norms_are_those_of_the_updated_differences() {
        let x = |t: f64| [t.exp(), (2.0 * t).sin(), 1.0 / (1.0 + t), t * t, t.cos()];
        let (mut t, mut h) = (0.0, History::new(Form::VariableStep, 5));
        h.start(0.1, &x(0.0), &[1.0, 2.0, -1.0, 0.0, 0.0]);
        let weight = [1.0, 2.0, 3.0, 0.5, 1.0, 0.0, 0.0, 0.0];
        let (mut x0, mut xdot) = ([0.0; 8], [0.0; 8]);
        for (i, step) in [0.1, 0.12, 0.09, 0.11, 0.1].into_iter().enumerate() {
            let c = h.coefficients(step, (i + 1).min(3));
            h.predict(&c, &mut x0, &mut xdot);
            t += step;
            let mut delta = [0.0; 8];
            for (d, (x, x0)) in delta.iter_mut().zip(x(t).iter().zip(&x0)) {
                *d = x - x0;
            }
            let norms = h.norms(&c, &delta, &weight);
            h.accept(&c, &x0, &delta);
            if i == 4 {
                // after the update D'_{k-1}.. are columns 2, 3, 4 and 5
                for (n, column) in norms.of.iter().zip(2..) {
                    let direct = (0..5)
                        .map(|i| (h.table[i / 4 * BLOCK + column * 4 + i % 4] * weight[i]).abs())
                        .fold(0.0, f64::max);
                    assert!((n - direct).abs() < 1e-15, "column {column}");
                }
            }
        }
    }
}
