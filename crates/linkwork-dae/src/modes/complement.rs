//! Linear complementarity: `0 <= z  complementary to  w = G z + q >= 0`, with `G` symmetric and positive semidefinite.
//!
//! ```text
//!  the same as     min 1/2 z'G z + q'z,   z >= 0          entries that are free: w = 0, z of any sign
//! ```
//!
//! By active sets (Lawson & Hanson 1974, chapter 23, for this objective): the row that is furthest below zero joins those
//! that bear, and whoever would have to pull leaves on the way. The objective falls in every step, so the search ends,
//! and begins where the last solution is. Rows that bear are independent. One that depends on them joins along the
//! direction in which nothing moves, up to where another bears nothing any more; if none does, the row is as far below
//! zero as its geometry is known.

/// What is below zero by less than this share of its terms is not.
const ENDED: f64 = 1e-9;
/// What is left of a row beside the others, squared and relative, from which on it is independent of them.
const OWN: f64 = 1e-8;

/// A problem, with rows and columns scaled to a unit diagonal of `G`.
pub(super) struct Complement {
    n: usize,
    g: Vec<f64>,
    q: Vec<f64>,
    scale: Vec<f64>,
    free: Vec<bool>,
    /// The rows that bear, and the rows of the Cholesky factor of their part of `G`.
    bears: Vec<usize>,
    factor: Vec<Vec<f64>>,
    z: Vec<f64>,
}

/// Solves for `z`, from nothing.
pub(super) fn complement(q: &[f64], g: impl Fn(usize, usize) -> f64) -> Vec<f64> {
    Complement::new(q, g).solve()
}

/// Rows that are independent of each other, for what has to be found one after the other.
pub(super) struct Independent(Complement);

impl Independent {
    pub fn new(n: usize, g: impl Fn(usize, usize) -> f64) -> Independent {
        Independent(Complement::new(&vec![0.0; n], g))
    }

    /// Takes a row to the others, if it is independent of them.
    pub fn take(&mut self, i: usize) -> bool {
        self.0.join(i)
    }

    /// What makes a row that is not: others, and how much of each.
    pub fn made_of(&self, i: usize) -> Vec<(usize, f64)> {
        let rows = &self.0;
        let mut share = rows.coefficients(i);
        rows.back_substitute(&mut share);
        let own = rows.bears.iter().zip(share);
        own.map(|(&j, share)| (j, share * rows.scale[j] / rows.scale[i]))
            .collect()
    }
}

impl Complement {
    pub fn new(q: &[f64], g: impl Fn(usize, usize) -> f64) -> Complement {
        let n = q.len();
        let scale: Vec<f64> = (0..n)
            .map(|i| {
                let g = g(i, i);
                if g > 0.0 { 1.0 / g.sqrt() } else { 0.0 }
            })
            .collect();
        let entry = |k: usize| scale[k / n] * g(k / n, k % n) * scale[k % n];
        Complement {
            n,
            g: (0..n * n).map(entry).collect(),
            q: q.iter().zip(&scale).map(|(q, d)| q * d).collect(),
            free: vec![false; n],
            bears: Vec::with_capacity(n),
            factor: Vec::with_capacity(n),
            z: vec![0.0; n],
            scale,
        }
    }

    /// Lets `w = 0` on a row, whatever that takes.
    pub fn hold(&mut self, i: usize) {
        self.free[i] = true;
    }

    /// Lets a row be as it is, whatever becomes of it.
    pub fn leave_alone(&mut self, i: usize) {
        self.scale[i] = 0.0;
    }

    /// Begins with what a row bore before.
    pub fn begin(&mut self, i: usize, z: f64) {
        if z > 0.0 && self.scale[i] > 0.0 {
            self.z[i] = z / self.scale[i];
        }
    }

    /// Solves for `z`.
    pub fn solve(mut self) -> Vec<f64> {
        for i in 0..self.n {
            if (self.free[i] || self.z[i] > 0.0) && !self.join(i) {
                self.z[i] = 0.0;
            }
        }
        self.balance();
        // each turn lowers the objective, apart from rounding
        for _ in 0..4 * self.n {
            let Some(i) = self.worst() else { break };
            let before = (self.z.clone(), self.bears.clone());
            if !self.enter(i) {
                // rounding: there is nothing to be gained
                self.z = before.0;
                self.take(&before.1);
                self.scale[i] = 0.0;
            }
        }
        let z = self.z.iter().zip(&self.scale);
        z.map(|(z, d)| z * d).collect()
    }

    /// The row furthest below zero, beyond rounding.
    fn worst(&self) -> Option<usize> {
        let mut worst: Option<(f64, usize)> = None;
        let mut idle: Vec<bool> = self.scale.iter().map(|d| *d > 0.0).collect();
        self.bears.iter().for_each(|i| idle[*i] = false);
        for i in (0..self.n).filter(|i| idle[*i]) {
            let row = &self.g[self.n * i..self.n * (i + 1)];
            let (mut w, mut size) = (self.q[i], self.q[i].abs());
            for &j in &self.bears {
                w += row[j] * self.z[j];
                size = size.max((row[j] * self.z[j]).abs());
            }
            if w < -ENDED * size && worst.is_none_or(|(least, _)| w < least) {
                worst = Some((w, i));
            }
        }
        worst.map(|(_, i)| i)
    }

    /// Lets a row bear that is below zero. `false`: nothing has come of it.
    fn enter(&mut self, i: usize) -> bool {
        while !self.join(i) {
            // along this nothing moves
            let mut d = self.coefficients(i);
            self.back_substitute(&mut d);
            let mut step = (f64::INFINITY, 0);
            for (at, (&j, d)) in self.bears.iter().zip(&d).enumerate() {
                if !self.free[j] && *d > 0.0 && self.z[j] / d < step.0 {
                    step = (self.z[j] / d, at);
                }
            }
            if step.0 == f64::INFINITY {
                return false;
            }
            for (&j, d) in self.bears.iter().zip(&d) {
                self.z[j] -= step.0 * d;
            }
            self.z[i] += step.0;
            self.leave(step.1);
        }
        self.balance();
        self.z[i] > 0.0
    }

    /// Moves to the minimum over those that bear; who would have to pull leaves on the way.
    fn balance(&mut self) {
        while !self.bears.is_empty() {
            let mut aim: Vec<f64> = self.bears.iter().map(|&i| -self.q[i]).collect();
            self.forward_substitute(&mut aim);
            self.back_substitute(&mut aim);
            let mut share = (1.0, None);
            for (at, (&j, aim)) in self.bears.iter().zip(&aim).enumerate() {
                if !self.free[j] && *aim <= 0.0 {
                    let z = self.z[j];
                    let to = if z > 0.0 { z / (z - aim) } else { 0.0 };
                    if to < share.0 || share.1.is_none() {
                        share = (to, Some(at));
                    }
                }
            }
            for (&j, aim) in self.bears.iter().zip(&aim) {
                self.z[j] += share.0 * (aim - self.z[j]);
            }
            let Some(at) = share.1 else { return };
            self.leave(at);
        }
    }

    /// Adds a row to the factor, if it is independent of those in it.
    fn join(&mut self, i: usize) -> bool {
        let mut row = self.coefficients(i);
        let left = 1.0 - row.iter().map(|x| x * x).sum::<f64>();
        if !(self.scale[i] > 0.0 && left > OWN) {
            return false;
        }
        row.push(left.sqrt());
        self.bears.push(i);
        self.factor.push(row);
        true
    }

    fn leave(&mut self, at: usize) {
        let rest = self.bears[at + 1..].to_vec();
        self.z[self.bears[at]] = 0.0;
        self.bears.truncate(at);
        self.factor.truncate(at);
        self.append(&rest);
    }

    fn take(&mut self, rows: &[usize]) {
        self.bears.clear();
        self.factor.clear();
        self.append(rows);
    }

    fn append(&mut self, rows: &[usize]) {
        for &i in rows {
            if !self.join(i) {
                self.z[i] = 0.0;
            }
        }
    }

    /// What a row has in common with those in the factor: the row of the factor that it would get.
    fn coefficients(&self, i: usize) -> Vec<f64> {
        let mut row: Vec<f64> = (self.bears.iter())
            .map(|&j| self.g[self.n * i + j])
            .collect();
        self.forward_substitute(&mut row);
        row
    }

    fn forward_substitute(&self, x: &mut [f64]) {
        for i in 0..x.len() {
            let row = &self.factor[i];
            x[i] = (x[i] - dot(&row[..i], x)) / row[i];
        }
    }

    fn back_substitute(&self, x: &mut [f64]) {
        for i in (0..x.len()).rev() {
            x[i] /= self.factor[i][i];
            let (head, tail) = x.split_at_mut(i);
            for (x, l) in head.iter_mut().zip(&self.factor[i]) {
                *x -= l * tail[0];
            }
        }
    }
}

/// The sum of products, of as many as the first has: four sums side by side, since one waits for each addition.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (mut sums, b) = ([0.0; 4], &b[..a.len()]);
    let (a, b) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest = a.remainder().iter().zip(b.remainder());
    let rest: f64 = rest.map(|(a, b)| a * b).sum();
    for (a, b) in a.zip(b) {
        for k in 0..4 {
            sums[k] += a[k] * b[k];
        }
    }
    sums[0] + sums[1] + (sums[2] + sums[3]) + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random problems, half of them with more rows than freedoms: no row below zero, none that pulls, and none that
    /// bears while it moves. From the solution on nothing changes.
    #[test]
    fn solutions_are_complementary() {
        let mut seed = 0.371_f64;
        let mut draw = || {
            seed = (seed * 97.31 + 0.137).fract();
            2.0 * seed - 1.0
        };
        for case in 0..2000 {
            let (n, freedoms) = (1 + case % 12, 1 + case % 7);
            let w: Vec<f64> = (0..n * freedoms).map(|_| draw()).collect();
            let v: Vec<f64> = (0..freedoms).map(|_| draw()).collect();
            let dot = |i: usize, x: &[f64]| -> f64 {
                (0..freedoms).map(|k| w[freedoms * i + k] * x[k]).sum()
            };
            let g = |i: usize, j: usize| dot(i, &w[freedoms * j..freedoms * (j + 1)]);
            let q: Vec<f64> = (0..n).map(|i| dot(i, &v)).collect();
            let z = complement(&q, g);
            let rate = |z: &[f64], i: usize| q[i] + (0..n).map(|j| g(i, j) * z[j]).sum::<f64>();
            for i in 0..n {
                let w = rate(&z, i);
                assert!(z[i] >= 0.0, "case {case}: {z:?}");
                assert!(w > -1e-7, "case {case}: {w:e}");
                assert!(z[i] * w < 1e-7, "case {case}: {} {w:e}", z[i]);
            }
            let mut again = Complement::new(&q, g);
            z.iter().enumerate().for_each(|(i, z)| again.begin(i, *z));
            for (a, b) in again.solve().iter().zip(&z) {
                assert!((a - b).abs() <= 1e-9 * (1.0 + b), "case {case}: {a} {b}");
            }
        }
    }

    /// A free row is held at rest, and the others are not pushed below zero by that.
    #[test]
    fn free_rows_pull() {
        // two masses side by side on the ground: rows x0, x1 - x0, x1
        let w = [[1.0, 0.0], [-1.0, 1.0], [0.0, 1.0]];
        let g = |i: usize, j: usize| w[i][0] * w[j][0] + w[i][1] * w[j][1];
        let mut problem = Complement::new(&[-0.5, 1.5, 1.0], g);
        problem.hold(1);
        let z = problem.solve();
        let rate = |i: usize| [-0.5, 1.5, 1.0][i] + (0..3).map(|j| g(i, j) * z[j]).sum::<f64>();
        assert!(z[1] < 0.0 && rate(1).abs() < 1e-14, "{z:?}");
        assert!(rate(0) > -1e-14 && rate(2) > -1e-14, "{z:?}");
    }
}
