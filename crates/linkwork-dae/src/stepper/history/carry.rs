//! A difference table about another base of a chart.

use super::{BLOCK, COLUMNS, History, LANES};
use crate::chart::Chart;

impl History {
    /// Room that [`History::carry`] needs to carry `m` of `n` positions and velocities each.
    pub(in crate::stepper) fn scratch(n: usize, m: usize) -> usize {
        2 * COLUMNS * m + 2 * n
    }

    /// Carries positions and velocities of all nodes, `n` entries each from the first on, to the new
    /// base of a chart; `t` is the time of the newest node, and `carried` lists the entries that
    /// may change.
    ///
    /// Differences and node values determine each other, so this changes coordinates and nothing
    /// else.
    pub(in crate::stepper) fn carry(
        &mut self,
        chart: &dyn Chart,
        t: f64,
        n: usize,
        carried: &[usize],
        scratch: &mut [f64],
    ) {
        let (table, tau) = if self.form.equidistant() {
            (&mut self.accepted, &self.accepted_tau)
        } else {
            (&mut self.table, &self.tau)
        };
        let m = carried.len();
        if m == 0 {
            return;
        }
        let place = |i: usize| i / LANES * BLOCK + i % LANES;
        let (differences, rest) = scratch.split_at_mut(COLUMNS * m);
        let (nodes, point) = rest.split_at_mut(COLUMNS * m);
        let (q, v) = point.split_at_mut(n);
        for (e, &i) in carried.iter().enumerate() {
            for j in 0..=self.known {
                differences[j * m + e] = table[place(i) + j * LANES];
            }
        }
        nodes.copy_from_slice(differences);
        for (j, node) in nodes.chunks_exact_mut(m).take(self.known + 1).enumerate() {
            let below = differences.chunks_exact(m).zip(tau.windows(2)).take(j);
            for (d, tau_l) in below.rev() {
                let factor = (tau_l[0] - tau[j]) / tau_l[1];
                for (x, d) in node.iter_mut().zip(d) {
                    *x = d + factor * *x;
                }
            }
            for (&i, x) in carried.iter().zip(&*node) {
                *if i < n { &mut q[i] } else { &mut v[i - n] } = *x;
            }
            chart.carry(t - tau[j], q, v);
            for (&i, x) in carried.iter().zip(node) {
                *x = if i < n { q[i] } else { v[i - n] };
            }
        }
        let mut product = 1.0;
        for level in 0..=self.known {
            if level > 0 {
                product *= tau[level];
                for j in (level..=self.known).rev() {
                    let per_gap = 1.0 / (tau[j] - tau[j - level]);
                    let (newer, older) = nodes.split_at_mut(j * m);
                    let newer = &newer[(j - 1) * m..];
                    for (x, newer) in older[..m].iter_mut().zip(newer) {
                        *x = per_gap * (newer - *x);
                    }
                }
            }
            for (&i, x) in carried.iter().zip(&nodes[level * m..]) {
                table[place(i) + level * LANES] = product * x;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stepper::bdf::Form;

    /// A chart of plain numbers whose base is an offset; velocities stay.
    struct Offset(f64);

    impl Chart for Offset {
        fn tangent(&self, _: &[f64], qdot: &[f64], v: &mut [f64]) {
            v.copy_from_slice(qdot);
        }
        fn rate(&self, _: &[f64], v: &[f64], qdot: &mut [f64]) {
            qdot.copy_from_slice(v);
        }
        fn advance(&self, q: &mut [f64], d: &[f64]) {
            q[0] += d[0];
        }
        fn pattern(&self) -> Vec<(u32, u32)> {
            Vec::new()
        }
        fn rate_derivative(&self, _: &[f64], _: &[f64], _: &mut [f64]) {}
        fn rate_excess(&self, _: &[f64], _: &mut [f64]) {}
        fn tangent_excess(&self, _: &[f64], _: &mut [f64]) {}
        fn transport(&self, _: &[f64], _: &[f64], _: &mut [f64]) {}
        fn bend_rate(&self, _: &[f64], _: &[f64], _: &mut [f64]) {}
        fn rebase(&mut self, _: f64, q: &[f64]) -> bool {
            self.0 = q[0];
            true
        }
        fn carry(&self, t: f64, q: &mut [f64], _: &mut [f64]) {
            // not linear, so that every node must be at its own time and place
            q[0] = (q[0] - self.0) * (1.0 + t * t);
        }
        fn carried(&self) -> Vec<usize> {
            vec![0]
        }
        fn turn(&self, _: &[f64]) -> f64 {
            0.0
        }
    }

    /// A carried table is the one that carried points would have made: differences of all orders, on
    /// uneven and on equidistant grids.
    #[test]
    fn carried_differences_are_those_of_carried_points() {
        let x = |t: f64| [(1.3 * t).exp(), (2.0 * t).sin()];
        let mut chart = Offset(0.0);
        for form in [Form::VariableStep, Form::FixedLeading, Form::QuasiConstant] {
            let steps = if form.equidistant() {
                [0.1; 7]
            } else {
                [0.1, 0.12, 0.09, 0.11, 0.1, 0.13, 0.08]
            };
            let end: f64 = steps.iter().sum();
            chart.rebase(end, &x(end));
            let carried = |t: f64| {
                let mut at = x(t);
                let (q, v) = at.split_at_mut(1);
                chart.carry(t, q, v);
                at
            };
            let fill = |of: &dyn Fn(f64) -> [f64; 2]| {
                let (mut t, mut h) = (0.0, History::new(form, 2));
                let first = of(0.0);
                h.start(0.1, &first, &[0.0; 2]);
                let (mut x0, mut xdot) = ([0.0; 4], [0.0; 4]);
                for (i, step) in steps.into_iter().enumerate() {
                    let c = h.coefficients(step, (i + 1).min(5));
                    h.predict(&c, &mut x0, &mut xdot);
                    t += step;
                    let mut delta = [0.0; 4];
                    for (d, (x, x0)) in delta.iter_mut().zip(of(t).iter().zip(&x0)) {
                        *d = x - x0;
                    }
                    h.accept(&c, &x0, &delta);
                }
                h
            };
            let mut moved = fill(&x);
            let mut scratch = vec![0.0; History::scratch(1, 1)];
            moved.carry(&chart, end, 1, &[0], &mut scratch);
            let direct = fill(&carried);
            assert_eq!(moved.known, 7);
            let (a, b) = if form.equidistant() {
                (&moved.accepted, &direct.accepted)
            } else {
                (&moved.table, &direct.table)
            };
            // the first node before the start is fictitious, and carried as such
            for j in 0..7 {
                for l in 0..2 {
                    let (a, b) = (a[j * LANES + l], b[j * LANES + l]);
                    assert!((a - b).abs() < 1e-12, "{form:?} D_{j}: {a} {b}");
                }
            }
        }
    }
}
