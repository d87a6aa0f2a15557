//! Which of the contacts that touch press: all at once, on the level of accelerations.
//!
//! ```text
//!  0 <= N  complementary to  W a + G N - gamma >= 0        a: accelerations without these contacts
//! ```
//!
//! Where one of many contacts would pull, others may have to let go with it, and which do cannot be told one by
//! one. All that touch are asked, be they open or closed: a contact that bore nothing until now may have to bear
//! what another lets go. Rows that depend on those that press bear nothing and are open, at rest.
//!
//! Speeds of contacts that close are not quite zero. They are taken away, and nothing else may approach by that:
//!
//! ```text
//!  u = 0 of those that press,   0 <= Lambda  complementary to  u >= 0  of the others that touch
//! ```
//!
//! Positions are moved onto the rows that come into force, which moves the gaps of all others by rounding, and the
//! forces with them. So what is below zero by no more than that right behind an event is zero there.

use super::complement::complement;
use super::{Mode, Modes, STILL};
use crate::law::Law;
use crate::saddle::{Saddle, SaddleError};
use crate::state::State;
use crate::system::System;

/// Forces and accelerations below this share of the largest are none.
const NOTHING: f64 = 1e-9;
/// What moving positions onto rows leaves of a gap, relative to the size of its terms.
pub(super) const LEFT: f64 = 1e-11;
/// What is left of a row beside those that press, squared and relative, from which it counts as one of its own.
const OWN: f64 = 1e-8;

impl Modes {
    /// Whether contacts are all there is: friction would have a say in who presses.
    pub(super) fn is_smooth(&self) -> bool {
        let smooth = |law: Law| matches!(law, Law::OneSided { .. } | Law::Held { .. });
        self.laws.iter().all(|law| smooth(law.law))
    }

    /// Whether a gap is so small that a contact may close there: more would be seen in the motion of others.
    pub(super) fn is_at_zero(&self, k: usize, size: f64) -> bool {
        self.c[self.laws[k].row as usize] <= LEFT * size
    }

    /// Closes the contacts that press and opens those that do not; `leaving` are those whose force has just fallen
    /// to zero.
    pub(super) fn press(
        &mut self,
        sys: &mut dyn System,
        s: &mut State,
        leaving: &[usize],
    ) -> Result<(), SaddleError> {
        let Some(mut free) = self.free.take() else {
            return Ok(());
        };
        let found = self.press_with(&mut free, sys, s, leaving);
        self.free = Some(free);
        for (k, mode) in found? {
            self.mode[k] = mode;
        }
        Ok(())
    }

    fn press_with(
        &mut self,
        free: &mut Saddle,
        sys: &mut dyn System,
        s: &mut State,
        leaving: &[usize],
    ) -> Result<Vec<(usize, Mode)>, SaddleError> {
        let nv = s.v.len();
        let mut a = vec![0.0; nv];
        let gamma = free.take_accelerations(sys, s, &mut a)?.to_vec();
        self.evaluate(sys, s, true)?;
        let mut of = Vec::new();
        for k in 0..self.laws.len() {
            let Law::OneSided { .. } = self.laws[k].law else {
                continue;
            };
            let touches = match self.mode[k] {
                Mode::Closed => true,
                Mode::Open if !self.outlook.is_far(k) => {
                    let row = self.laws[k].row as usize;
                    let [size, speed] = self.sizes(k, free.c_q(), &s.v);
                    let pull = self.pull(k, free.c_q(), &a) + gamma[row];
                    self.is_at_zero(k, size) && self.cv[row] <= self.still([size, speed], pull)
                }
                _ => false,
            };
            if touches {
                of.push(k);
            }
        }
        let opening: Vec<f64> = (of.iter())
            .map(|&k| -self.pull(k, free.c_q(), &a) - gamma[self.laws[k].row as usize])
            .collect();
        let mut y = vec![0.0; nv * of.len()];
        for (k, y) in of.iter().zip(y.chunks_exact_mut(nv)) {
            free.respond(&self.entries[*k], y)?;
        }
        let (c_q, n) = (free.c_q(), of.len());
        let mut g = vec![0.0; n * n];
        for (i, k) in of.iter().enumerate() {
            for (j, y) in y.chunks_exact(nv).enumerate() {
                let own = self.entries[*k].iter();
                g[n * i + j] = own.map(|&(e, column)| c_q[e] * y[column]).sum();
            }
        }
        let forces = complement(&opening, |i, j| g[n * i + j]);
        let largest = forces.iter().fold(0.0f64, |m, force| m.max(*force));
        let fastest = opening.iter().fold(0.0f64, |m, a| m.max(a.abs()));
        let mut rows = Independent::new(&g, n);
        let mut presses = vec![false; n];
        for i in (0..n).filter(|i| forces[*i] > NOTHING * largest) {
            rows.add(i, 0.0);
            presses[i] = true;
        }
        // what neither presses nor leaves stays as it is, if others leave it any say
        for i in 0..n {
            let off: f64 = (0..n).map(|j| g[n * i + j] * forces[j]).sum();
            let idle = !presses[i] && self.mode[of[i]] == Mode::Closed && !leaving.contains(&of[i]);
            if idle && (opening[i] + off).abs() <= NOTHING * fastest && rows.add(i, OWN) {
                presses[i] = true;
            }
        }
        let rates: Vec<f64> = (of.iter())
            .map(|&k| self.cv[self.laws[k].row as usize])
            .collect();
        for (impulse, y) in rows.land(&rates).iter().zip(y.chunks_exact(nv)) {
            for (v, y) in s.v.iter_mut().zip(y) {
                *v += impulse * y;
            }
        }
        let mode = |presses: bool| if presses { Mode::Closed } else { Mode::Open };
        Ok(of.into_iter().zip(presses.into_iter().map(mode)).collect())
    }

    /// Takes what is below zero right behind an event for zero: forces, by rounding, and gaps that do not close.
    pub fn level(&mut self, sys: &mut dyn System, s: &State) {
        if self.is_empty() {
            return;
        }
        self.sunk.fill(0.0);
        if self.evaluate(sys, s, true).is_err() {
            return;
        }
        let force = |k: usize| -s.lambda[self.laws[k].row as usize];
        let closed = |k: &usize| self.mode[*k] == Mode::Closed && !self.spare[*k];
        let all = 0..self.laws.len();
        let largest = all.clone().filter(closed).fold(0.0f64, |m, k| m.max(force(k)));
        for k in all {
            let Law::OneSided { .. } = self.laws[k].law else {
                continue;
            };
            let row = self.laws[k].row as usize;
            let (value, is_zero) = match self.mode[k] {
                Mode::Closed if !self.spare[k] => (force(k), force(k) >= -NOTHING * largest),
                Mode::Open if self.outlook.is_far(k) => continue,
                Mode::Open | Mode::Closed => {
                    let c_q = self.free.as_ref().map_or(&[][..], Saddle::c_q);
                    let [_, speed] = match c_q.is_empty() {
                        true => [0.0; 2],
                        false => self.sizes(k, c_q, &s.v),
                    };
                    (self.c[row], self.cv[row] >= -STILL * speed)
                }
                _ => continue,
            };
            if value < 0.0 && is_zero {
                self.sunk[k] = value;
            }
        }
    }
}

/// Rows that do not depend on each other, found one by one: Cholesky factors of their part of `G`.
struct Independent<'a> {
    g: &'a [f64],
    n: usize,
    rows: Vec<usize>,
    factor: Vec<Vec<f64>>,
}

impl Independent<'_> {
    fn new(g: &[f64], n: usize) -> Independent<'_> {
        Independent {
            g,
            n,
            rows: Vec::new(),
            factor: Vec::new(),
        }
    }

    /// Adds a row of which at least this share is left beside the others.
    fn add(&mut self, i: usize, share: f64) -> bool {
        let own = self.g[(self.n + 1) * i];
        let mut line: Vec<f64> = Vec::with_capacity(self.rows.len() + 1);
        let mut left = own;
        for (j, factor) in self.rows.iter().zip(&self.factor) {
            let known: f64 = line.iter().zip(factor).map(|(a, b)| a * b).sum();
            let x = (self.g[self.n * i + j] - known) / factor[line.len()];
            left -= x * x;
            line.push(x);
        }
        let independent = left > share * own && left > 0.0;
        if independent {
            line.push(left.sqrt());
            self.rows.push(i);
            self.factor.push(line);
        }
        independent
    }

    /// Solves with the rows that were added, `L L' x = b`.
    fn solve(&self, b: &mut [f64]) {
        for (i, line) in self.factor.iter().enumerate() {
            let known: f64 = line[..i].iter().zip(&b[..i]).map(|(a, b)| a * b).sum();
            b[i] = (b[i] - known) / line[i];
        }
        for i in (0..b.len()).rev() {
            b[i] /= self.factor[i][i];
            let x = b[i];
            for (j, b) in b[..i].iter_mut().enumerate() {
                *b -= self.factor[i][j] * x;
            }
        }
    }

    /// Impulses that stop the rows that were added and let no other approach.
    fn land(&self, rates: &[f64]) -> Vec<f64> {
        let (n, rows) = (self.n, &self.rows);
        let others: Vec<usize> = (0..n).filter(|i| !rows.contains(i)).collect();
        let mut stopped: Vec<f64> = rows.iter().map(|i| rates[*i]).collect();
        self.solve(&mut stopped);
        let beside = |i: usize, x: &[f64]| -> f64 {
            let both = rows.iter().zip(x);
            both.map(|(j, x)| self.g[n * i + j] * x).sum()
        };
        let q: Vec<f64> = (others.iter())
            .map(|&i| rates[i] - beside(i, &stopped))
            .collect();
        let mut schur = vec![0.0; others.len() * others.len()];
        for (b, &j) in others.iter().enumerate() {
            let mut through: Vec<f64> = rows.iter().map(|i| self.g[n * i + j]).collect();
            self.solve(&mut through);
            for (a, &i) in others.iter().enumerate() {
                schur[others.len() * a + b] = self.g[n * i + j] - beside(i, &through);
            }
        }
        let pushed = complement(&q, |a, b| schur[others.len() * a + b]);
        let mut impulses = vec![0.0; n];
        let mut left: Vec<f64> = rows.iter().map(|i| rates[*i]).collect();
        for (&j, z) in others.iter().zip(&pushed) {
            impulses[j] = *z;
            for (left, i) in left.iter_mut().zip(rows) {
                *left += self.g[n * i + j] * z;
            }
        }
        self.solve(&mut left);
        for (&i, x) in rows.iter().zip(&left) {
            impulses[i] = -x;
        }
        impulses
    }
}
