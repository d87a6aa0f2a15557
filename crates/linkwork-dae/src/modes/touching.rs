//! Contacts that touch at one time: what they answer to impulses, and the forces with which they press.
//!
//! Rows are those of the gaps first, then those of friction, one for each contact that rubs. Departures are slow where
//! a contact stays within the tolerance of its gap, `u^2/(2 pull)`, or of its rate.

use super::complement::Complement;
use crate::state::State;

/// Forces and accelerations below this share of their terms, and of what those beside them press, are none.
pub(super) const NOTHING: f64 = 1e-9;

/// What is left of a slip that has been taken away, at most.
const TAKEN: f64 = 1e-3;

/// See the [module](self).
#[derive(Default)]
pub(super) struct Touching {
    pub of: Vec<usize>,
    /// Departure that is none.
    pub still: Vec<f64>,
    /// The tolerances of gap and rate.
    pub gap: Vec<f64>,
    pub rate: Vec<f64>,
    /// Whether each may come into force: its gap is zero.
    pub at_zero: Vec<bool>,
    pub restitution: Vec<f64>,
    /// The forces with which they press.
    pub force: Vec<f64>,
    pub rubs: Vec<Rub>,
    /// Rates now, accelerations without contacts, and the change of velocities by a unit impulse of each row.
    pub u: Vec<f64>,
    pub opening: Vec<f64>,
    /// The size of the terms of these accelerations.
    pub terms: Vec<f64>,
    pub y: Vec<f64>,
    pub g: Vec<f64>,
}

/// Friction of a contact that touches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rub {
    /// The law, and its contact among those that touch.
    pub law: usize,
    pub contact: usize,
    /// Coefficients.
    pub sticking: f64,
    pub sliding: f64,
    /// Slip that is none.
    pub slow: f64,
    /// Which way an event has said that it begins to slide.
    pub begins: Option<bool>,
    /// Whether an event has said that it stops.
    pub stops: bool,
}

impl Touching {
    pub fn len(&self) -> usize {
        self.of.len()
    }

    /// Contacts and rows of friction.
    pub fn rows(&self) -> usize {
        self.len() + self.rubs.len()
    }

    pub fn g(&self, i: usize, j: usize) -> f64 {
        self.g[self.rows() * i + j]
    }

    /// The row of friction.
    pub fn along(&self, rub: usize) -> usize {
        self.len() + rub
    }

    /// Leaves out what is not coupled with these laws, or others that approach: nothing changes there.
    pub fn keep_coupled(&mut self, of: impl Fn(usize) -> bool) {
        let (n, rows) = (self.len(), self.rows());
        let changes = |i: &usize| of(self.of[*i]) || self.u[*i] < -self.still[*i];
        let rubs = self.rubs.iter().filter(|rub| of(rub.law));
        let mut kept = vec![false; rows];
        let mut waiting: Vec<usize> = (0..n).filter(changes).collect();
        waiting.extend(rubs.map(|rub| rub.contact));
        waiting.iter().for_each(|i| kept[*i] = true);
        while let Some(i) = waiting.pop() {
            for j in 0..rows {
                let own = self.contact(i) == self.contact(j);
                if !kept[j] && (own || self.g(i, j) != 0.0 || self.g(j, i) != 0.0) {
                    kept[j] = true;
                    waiting.push(j);
                }
            }
        }
        let both = |k: &usize| kept[k / rows] && kept[k % rows];
        self.g = (0..rows * rows).filter(both).map(|k| self.g[k]).collect();
        let nv = self.y.len() / rows.max(1);
        let own = (0..self.y.len()).filter(|k| kept[k / nv]);
        self.y = own.map(|k| self.y[k]).collect();
        retain(&mut self.u, &kept);
        let before = |i: usize| kept[..i].iter().filter(|kept| **kept).count();
        self.rubs.retain(|rub| kept[rub.contact]);
        for rub in &mut self.rubs {
            rub.contact = before(rub.contact);
        }
        let lists = [
            &mut self.still,
            &mut self.gap,
            &mut self.rate,
            &mut self.restitution,
            &mut self.force,
        ];
        lists.into_iter().for_each(|list| retain(list, &kept));
        retain(&mut self.at_zero, &kept);
        retain(&mut self.of, &kept);
    }

    /// The contact of a row.
    fn contact(&self, row: usize) -> usize {
        let rub = row.checked_sub(self.len());
        rub.map_or(row, |rub| self.rubs[rub].contact)
    }

    /// Impulses; returns the kinetic energy lost.
    pub fn push(&mut self, impulse: &[f64], s: &mut State) -> f64 {
        let (n, nv) = (self.rows(), s.v.len());
        let mut lost = 0.0;
        for (i, impulse) in impulse.iter().enumerate().filter(|(_, z)| **z != 0.0) {
            for (v, y) in s.v.iter_mut().zip(&self.y[nv * i..nv * (i + 1)]) {
                *v += impulse * y;
            }
            let before = self.u[i];
            for (row, u) in self.u.iter_mut().enumerate() {
                *u += self.g[n * row + i] * impulse;
            }
            lost -= 0.5 * impulse * (before + self.u[i]);
        }
        lost
    }

    /// Finds the forces of some contacts at rest, from those that they had on, as if nothing rubbed.
    pub fn press(&mut self, stand: &[bool]) {
        let stand: Vec<usize> = (0..self.len()).filter(|i| stand[*i]).collect();
        let opening: Vec<f64> = stand.iter().map(|&i| self.opening[i]).collect();
        let mut problem = Complement::new(&opening, |i, j| self.g(stand[i], stand[j]));
        for (i, &at) in stand.iter().enumerate() {
            problem.begin(i, self.force[at]);
        }
        let forces = problem.solve();
        self.force.fill(0.0);
        for (i, force) in stand.into_iter().zip(forces) {
            self.force[i] = force;
        }
    }

    /// Speed of departure with which a contact stays within the tolerance of its gap, or of its rate.
    pub fn slow(&self, i: usize) -> f64 {
        let pull = self.g(i, i) * self.force[i];
        let least = self.rate[i].max(self.still[i]);
        least.max((2.0 * pull * self.gap[i]).sqrt())
    }

    /// The force of a contact that is none: of rounding. Normals are known to a share of their length, whatever `G` says
    /// of two that are nearly square: a ball that stands on another and touches a wall beside it does not press there.
    pub fn quiet(&self, i: usize) -> f64 {
        let own = self.g(i, i);
        let beside = (0..self.len()).filter(|&j| self.g(i, j) != 0.0);
        let others = beside.map(|j| (own * self.g(j, j)).sqrt() * self.force[j]);
        NOTHING * others.fold(self.terms[i], f64::max) / own
    }

    /// Which of those that may rest do not bounce: fewer and fewer, as what would hold them is gone.
    pub fn rest(&mut self, may: impl Fn(usize) -> bool) -> Vec<bool> {
        let n = self.len();
        let mut rests = self.at_zero.clone();
        loop {
            self.press(&rests);
            let mut fewer = false;
            for i in (0..n).filter(|i| rests[*i]).collect::<Vec<_>>() {
                let most = if may(i) { self.slow(i) } else { self.still[i] };
                if self.u[i] > most {
                    rests[i] = false;
                    fewer = true;
                }
            }
            if !fewer {
                return rests;
            }
        }
    }

    /// Whether the slip of friction is so slow that it is taken away.
    fn is_slow(&self, rub: usize) -> bool {
        let Rub { slow, stops, .. } = self.rubs[rub];
        stops || self.u[self.along(rub)].abs() <= slow
    }

    /// Whether it has been taken away: rows that depend on others keep theirs.
    pub fn is_still(&self, rub: usize) -> bool {
        self.u[self.along(rub)].abs() <= TAKEN * self.rubs[rub].slow
    }

    /// Impulses that take back departures of contacts that rest and slips that are none, with whom they push.
    pub fn landing(&self, rests: &[bool]) -> Vec<f64> {
        let mut landing = Complement::new(&self.u[..self.rows()], |i, j| self.g(i, j));
        for i in (0..self.len()).filter(|i| rests[*i]) {
            landing.hold(i);
        }
        for (rub, own) in self.rubs.iter().enumerate() {
            if rests[own.contact] && self.is_slow(rub) {
                landing.hold(self.along(rub));
            } else {
                landing.leave_alone(self.along(rub));
            }
        }
        landing.solve()
    }
}

fn retain<T>(list: &mut Vec<T>, kept: &[bool]) {
    let mut at = kept.iter();
    list.retain(|_| at.next().copied().unwrap_or(false));
}
