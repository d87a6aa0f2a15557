//! Impacts of several contacts at one time.
//!
//! ```text
//!  u+ = u- + G Lambda,   Lambda >= 0         u: rates of the gaps, G = W [M B'; B 0]^-1 W'
//!
//!  one at a time    Lambda_i = -(1 + e_i) u_i / G_ii, fastest approach first, until none is left
//!  all at once      0 <= Lambda  complementary to  G Lambda + (1 + e) u- >= 0       (Newton, equal e)
//!                   compression with e = 0, then what was stored comes back         (Poisson)
//! ```
//!
//! Newton's law with unequal restitutions can gain energy, Poisson's cannot (Pfeiffer & Glocker 1996).
//! Each single impact loses `(1 - e^2) u^2/(2 G)`. Sequences of coupled contacts may take long to end:
//! what is left after many is given to the complementarity problem without restitution.
//!
//! A contact rubs when it is hit: `|Lambda_t| <= mu Lambda_n`, no more than stops the sliding.

use crate::law::Impacts;

/// Approach below this share of the fastest is none.
const ENDED: f64 = 1e-9;
/// Single impacts per contact before the rest is solved at once.
const PATIENCE: usize = 20;

/// Contacts first, then their rows of friction.
#[derive(Default)]
pub(super) struct Collision {
    /// Rates now, and before.
    u: Vec<f64>,
    before: Vec<f64>,
    restitution: Vec<f64>,
    /// Speed of departure below which a contact rests.
    slow: Vec<f64>,
    /// Contact and coefficient of each row of friction.
    friction: Vec<(usize, f64)>,
    g: Vec<f64>,
    impulse: Vec<f64>,
}

impl Collision {
    /// Adds a contact; all of them come before friction.
    pub fn contact(&mut self, rate: f64, restitution: f64, slow: f64) {
        self.u.push(rate);
        self.restitution.push(restitution);
        self.slow.push(slow);
    }

    /// Adds a row of friction of a contact.
    pub fn friction(&mut self, rate: f64, contact: usize, coefficient: f64) {
        self.u.push(rate);
        self.friction.push((contact, coefficient));
    }

    /// Takes the matrix `G`.
    pub fn couple(&mut self, g: impl Fn(usize, usize) -> f64) {
        let n = self.u.len();
        self.before.clone_from(&self.u);
        self.impulse = vec![0.0; n];
        self.g = (0..n * n).map(|k| g(k / n, k % n)).collect();
    }

    pub fn impulses(&self) -> &[f64] {
        &self.impulse
    }

    /// Whether a contact does not leave.
    pub fn rests(&self, i: usize) -> bool {
        self.u[i] <= self.slow[i]
    }

    /// Finds the impulses; returns the kinetic energy lost.
    pub fn solve(&mut self, rule: Impacts) -> f64 {
        match rule {
            Impacts::Sequential => self.one_by_one(),
            Impacts::Simultaneous => self.all_at_once(),
        }
        let both = self.before.iter().zip(&self.u);
        let work = both.zip(&self.impulse).map(|((a, b), l)| 0.5 * l * (a + b));
        -work.sum::<f64>()
    }

    fn contacts(&self) -> usize {
        self.restitution.len()
    }

    fn push(&mut self, i: usize, impulse: f64) {
        let n = self.u.len();
        self.impulse[i] += impulse;
        for (row, u) in self.u.iter_mut().enumerate() {
            *u += self.g[n * row + i] * impulse;
        }
    }

    fn diagonal(&self, i: usize) -> f64 {
        self.g[(self.u.len() + 1) * i]
    }

    /// Restitution of a contact that meets with its present rate.
    fn bounce(&self, i: usize) -> f64 {
        let e = self.restitution[i];
        if e * self.u[i].abs() <= self.slow[i] {
            0.0
        } else {
            e
        }
    }

    /// Friction of a contact that was hit by an impulse.
    fn rub(&mut self, contact: usize, impulse: f64) {
        for k in 0..self.friction.len() {
            let (of, mu) = self.friction[k];
            let i = self.contacts() + k;
            if of == contact && self.diagonal(i) > 0.0 {
                let most = mu * impulse;
                let stops = -self.u[i] / self.diagonal(i);
                self.push(i, stops.clamp(-most, most));
            }
        }
    }

    fn fastest(&self) -> Option<(usize, f64)> {
        let approach = (0..self.contacts()).filter(|i| self.diagonal(*i) > 0.0);
        let approach = approach.map(|i| (i, -self.u[i]));
        let fastest = approach.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
        fastest.filter(|(_, u)| *u > 0.0)
    }

    fn one_by_one(&mut self) {
        let Some((_, first)) = self.fastest() else {
            return;
        };
        for _ in 0..PATIENCE * self.contacts() {
            let Some((i, approach)) = self.fastest().filter(|(_, u)| *u > ENDED * first) else {
                return;
            };
            let impulse = (1.0 + self.bounce(i)) * approach / self.diagonal(i);
            self.push(i, impulse);
            self.rub(i, impulse);
        }
        self.restitution.fill(0.0);
        self.all_at_once();
    }

    fn all_at_once(&mut self) {
        let n = self.contacts();
        let e: Vec<f64> = (0..n).map(|i| self.bounce(i)).collect();
        let equal = e.iter().all(|x| *x == e[0]);
        let compress = if equal {
            1.0 + e.first().copied().unwrap_or(0.0)
        } else {
            1.0
        };
        let q: Vec<f64> = self.u[..n].iter().map(|u| compress * u).collect();
        let compression = self.complement(&q);
        for (i, impulse) in compression.iter().enumerate() {
            self.push(i, *impulse);
        }
        if !equal {
            // what has been stored comes back, and nothing approaches then
            for i in 0..n {
                self.push(i, e[i] * compression[i]);
            }
            let q = self.u[..n].to_vec();
            for (i, impulse) in self.complement(&q).into_iter().enumerate() {
                self.push(i, impulse);
            }
        }
        for i in 0..n {
            self.rub(i, self.impulse[i]);
        }
        // friction of one contact may have closed another
        if !self.friction.is_empty() {
            let q = self.u[..n].to_vec();
            for (i, impulse) in self.complement(&q).into_iter().enumerate() {
                self.push(i, impulse);
            }
        }
    }

    /// `0 <= z  complementary to  G z + q >= 0` for the contacts, by Lemke's method (Cottle, Pang & Stone
    /// 1992, section 4.4). `G` is positive semidefinite, so that there is a solution.
    fn complement(&self, q: &[f64]) -> Vec<f64> {
        let (n, all) = (q.len(), self.u.len());
        let mut z = vec![0.0; n];
        let scale = q.iter().fold(0.0f64, |m, q| m.max(q.abs()));
        let least = ENDED * scale;
        if n == 0 || q.iter().all(|q| *q >= -least) {
            return z;
        }
        // columns: w (n), z (n), artificial, right-hand side
        let width = 2 * n + 2;
        let mut t = vec![0.0; n * width];
        // G scaled to a unit diagonal
        let d: Vec<f64> = (0..n)
            .map(|i| {
                let g = self.g[(all + 1) * i];
                if g > 0.0 { 1.0 / g.sqrt() } else { 1.0 }
            })
            .collect();
        for i in 0..n {
            t[width * i + i] = 1.0;
            for j in 0..n {
                t[width * i + n + j] = -d[i] * self.g[all * i + j] * d[j];
            }
            t[width * i + 2 * n] = -1.0;
            t[width * i + 2 * n + 1] = d[i] * q[i];
        }
        let mut basis: Vec<usize> = (0..n).collect();
        let mut enter = 2 * n;
        let mut leave = (0..n)
            .min_by(|a, b| t[width * a + width - 1].total_cmp(&t[width * b + width - 1]))
            .unwrap_or(0);
        for _ in 0..50 * (n + 1) {
            let pivot = t[width * leave + enter];
            for x in &mut t[width * leave..width * (leave + 1)] {
                *x /= pivot;
            }
            let row = t[width * leave..width * (leave + 1)].to_vec();
            for i in (0..n).filter(|i| *i != leave) {
                let factor = t[width * i + enter];
                if factor != 0.0 {
                    for (x, r) in t[width * i..width * (i + 1)].iter_mut().zip(&row) {
                        *x -= factor * r;
                    }
                }
            }
            let left = std::mem::replace(&mut basis[leave], enter);
            if left == 2 * n {
                break;
            }
            enter = if left < n { left + n } else { left - n };
            let mut best: Option<(f64, usize)> = None;
            for i in 0..n {
                let x = t[width * i + enter];
                if x <= 1e-12 {
                    continue;
                }
                let ratio = t[width * i + width - 1] / x;
                let better = best.is_none_or(|(least, _)| {
                    ratio < least - 1e-14 || (ratio <= least + 1e-14 && basis[i] == 2 * n)
                });
                if better {
                    best = Some((ratio, i));
                }
            }
            let Some((_, next)) = best else {
                break;
            };
            leave = next;
        }
        for (i, b) in basis.iter().enumerate() {
            if (n..2 * n).contains(b) {
                let x = t[width * i + width - 1];
                z[b - n] = d[b - n] * x.max(0.0);
            }
        }
        z
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Balls of unit mass in a row; contact i is between balls i and i + 1.
    fn row(v: &[f64], e: f64) -> Collision {
        let mut c = Collision::default();
        for pair in v.windows(2) {
            c.contact(pair[1] - pair[0], e, 0.0);
        }
        c.couple(|i, j| match i.abs_diff(j) {
            0 => 2.0,
            1 => -1.0,
            _ => 0.0,
        });
        c
    }

    fn velocities(v: &[f64], c: &Collision) -> Vec<f64> {
        let mut v = v.to_vec();
        for (i, l) in c.impulses().iter().enumerate() {
            v[i] -= l;
            v[i + 1] += l;
        }
        v
    }

    #[test]
    fn newtons_cradle_by_both_rules() {
        let v = [1.0, 0.0, 0.0, 0.0, 0.0];
        for (rule, e, expected) in [
            (Impacts::Sequential, 1.0, [0.0, 0.0, 0.0, 0.0, 1.0]),
            (Impacts::Simultaneous, 1.0, [-0.6, 0.4, 0.4, 0.4, 0.4]),
            (Impacts::Simultaneous, 0.9, [-0.52, 0.38, 0.38, 0.38, 0.38]),
        ] {
            let mut c = row(&v, e);
            c.solve(rule);
            for (a, b) in velocities(&v, &c).iter().zip(expected) {
                assert!((a - b).abs() < 1e-14, "{rule:?} {e}: {a} {b}");
            }
        }
        let mut c = row(&v, 0.9);
        let lost = c.solve(Impacts::Sequential);
        assert!((velocities(&v, &c)[4] - 0.814_506_25).abs() < 1e-14);
        assert!((0.5 - lost - 0.336_020_469_886).abs() < 1e-9, "{lost}");
    }

    /// Random contacts, also dependent ones, with unequal restitutions: none gains energy, none
    /// approaches afterwards.
    #[test]
    fn energy_is_never_gained() {
        let mut seed = 0.371_f64;
        let mut draw = || {
            seed = (seed * 97.31 + 0.137).fract();
            2.0 * seed - 1.0
        };
        for case in 0..4000 {
            let (n, freedoms) = (2 + case % 6, 2 + case % 5);
            let w: Vec<f64> = (0..n * freedoms).map(|_| draw()).collect();
            let v: Vec<f64> = (0..freedoms).map(|_| draw()).collect();
            let dot = |i: usize, x: &[f64]| -> f64 {
                (0..freedoms).map(|k| w[freedoms * i + k] * x[k]).sum()
            };
            for rule in [Impacts::Sequential, Impacts::Simultaneous] {
                let mut c = Collision::default();
                for i in 0..n {
                    let e = 0.5 * (draw() + 1.0);
                    c.contact(dot(i, &v), e, 0.0);
                }
                c.couple(|i, j| dot(i, &w[freedoms * j..freedoms * (j + 1)]));
                let lost = c.solve(rule);
                let approach = c.u.iter().fold(0.0f64, |m, u| m.max(-u));
                assert!(lost >= -1e-10, "case {case} {rule:?}: {lost}");
                assert!(approach < 1e-7, "case {case} {rule:?}: {approach}");
                assert!(c.impulses().iter().all(|l| *l >= 0.0));
            }
        }
    }
}
