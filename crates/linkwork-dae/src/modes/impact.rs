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

use super::complement::complement;
use crate::law::Impacts;

/// Approach below this share of the fastest is none.
const ENDED: f64 = 1e-9;
/// Single impacts per contact before the rest is solved at once.
const PATIENCE: usize = 20;

/// A row of friction.
#[derive(Clone, Copy)]
struct Rub {
    contact: usize,
    coefficient: f64,
    directions: Directions,
}

/// The directions in which a contact can slide.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Directions {
    /// One.
    Line,
    /// Two, this row and the next.
    Plane,
    /// This row belongs to the one before.
    Second,
}

/// Contacts first, then their rows of friction.
#[derive(Default)]
pub(super) struct Collision {
    /// Rates now, and before.
    u: Vec<f64>,
    before: Vec<f64>,
    restitution: Vec<f64>,
    /// Speed of departure below which a contact rests.
    slow: Vec<f64>,
    /// Contact and coefficient of each row of friction, and whether the next row is its other direction.
    friction: Vec<Rub>,
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
    pub fn friction(
        &mut self,
        rate: f64,
        contact: usize,
        coefficient: f64,
        directions: Directions,
    ) {
        self.u.push(rate);
        self.friction.push(Rub {
            contact,
            coefficient,
            directions,
        });
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
            let rub = self.friction[k];
            let i = self.contacts() + k;
            if rub.contact != contact || !(self.diagonal(i) > 0.0) {
                continue;
            }
            let most = rub.coefficient * impulse;
            match rub.directions {
                Directions::Line => {
                    let stops = -self.u[i] / self.diagonal(i);
                    self.push(i, stops.clamp(-most, most));
                }
                Directions::Plane => self.rub_in_plane(i, most),
                Directions::Second => {}
            }
        }
    }

    /// Friction in two directions: what stops the sliding, or as much as there is against it. Along the slip no
    /// more than takes most energy, so that none is gained.
    fn rub_in_plane(&mut self, i: usize, most: f64) {
        let n = self.u.len();
        let g = |row: usize, column: usize| self.g[n * (i + row) + i + column];
        let u = [self.u[i], self.u[i + 1]];
        let speed = u[0].hypot(u[1]);
        let determinant = g(0, 0) * g(1, 1) - g(0, 1) * g(1, 0);
        let stops = [
            (g(0, 1) * u[1] - g(1, 1) * u[0]) / determinant,
            (g(1, 0) * u[0] - g(0, 0) * u[1]) / determinant,
        ];
        let impulse = if stops[0].hypot(stops[1]) <= most {
            stops
        } else {
            let against: f64 = (0..4).map(|k| u[k / 2] * g(k / 2, k % 2) * u[k % 2]).sum();
            let share = (most / speed).min(speed * speed / against);
            u.map(|u| -share * u)
        };
        for (k, impulse) in impulse.into_iter().enumerate() {
            if impulse.is_finite() {
                self.push(i + k, impulse);
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
        // what came before has rubbed already
        let earlier = self.impulse[..n].to_vec();
        let e: Vec<f64> = (0..n).map(|i| self.bounce(i)).collect();
        let equal = e.iter().all(|x| *x == e[0]);
        let compress = if equal {
            1.0 + e.first().copied().unwrap_or(0.0)
        } else {
            1.0
        };
        let q: Vec<f64> = self.u[..n].iter().map(|u| compress * u).collect();
        let compression = complement(&q, |i, j| self.g[self.u.len() * i + j]);
        for (i, impulse) in compression.iter().enumerate() {
            self.push(i, *impulse);
        }
        if !equal {
            // what has been stored comes back, and nothing approaches then
            for i in 0..n {
                self.push(i, e[i] * compression[i]);
            }
            let q = self.u[..n].to_vec();
            for (i, impulse) in complement(&q, |i, j| self.g[self.u.len() * i + j])
                .into_iter()
                .enumerate()
            {
                self.push(i, impulse);
            }
        }
        for (i, earlier) in earlier.iter().enumerate() {
            self.rub(i, self.impulse[i] - earlier);
        }
        // friction of one contact may have closed another
        if !self.friction.is_empty() {
            let q = self.u[..n].to_vec();
            for (i, impulse) in complement(&q, |i, j| self.g[self.u.len() * i + j])
                .into_iter()
                .enumerate()
            {
                self.push(i, impulse);
            }
        }
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
