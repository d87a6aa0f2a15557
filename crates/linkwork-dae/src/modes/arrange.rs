//! Contacts without friction at an event: who bounces, who rests, who presses. All that touch, at once.
//!
//! ```text
//!  impulses       of those that approach, with restitution                                 modes/impact.rs
//!  velocities     u = 0 of those that do not bounce, the others that touch: u >= 0         min |v+ - v|_M
//!  forces         0 <= N  complementary to  W a + G N - gamma >= 0                          of those with u = 0
//! ```
//!
//! A contact does not bounce when it would stay within the tolerance of its gap, `u^2/(2 pull)`; what pulls it back is what it
//! would bear at rest, with the others at rest that do not bounce either: `pull = G N`. Departures so slow are taken back, and
//! whoever would approach by that is pushed, in one problem: taken back one by one they would set each other off for ever. It is
//! a projection onto a cone, so no energy comes of it. Then those that press are in force and all others are open, at rest
//! or leaving.
//!
//! Forces and gaps are known to rounding. What is not told from zero behind an event has its zero below that (`level`), so
//! that it crosses where it has clearly gone, and not at once again.

use super::complement::Complement;
use super::impact::Collision;
use super::{Mode, Modes, STILL, TOUCHING};
use crate::law::Law;
use crate::saddle::{Saddle, SaddleError};
use crate::state::{State, Weights};
use crate::system::System;

/// Forces and accelerations below this share of their terms, and of what those beside them press, are none.
const NOTHING: f64 = 1e-9;
/// What moving positions onto rows leaves of a gap, relative to the size of its terms.
const LEFT: f64 = 1e-11;

/// The contacts that touch.
#[derive(Default)]
struct Touching {
    of: Vec<usize>,
    /// Departure that is none.
    still: Vec<f64>,
    /// The tolerances of gap and rate.
    gap: Vec<f64>,
    rate: Vec<f64>,
    /// Whether each may come into force: its gap is zero.
    at_zero: Vec<bool>,
    restitution: Vec<f64>,
    /// Their rates now, their accelerations without them, and the change of velocities by a unit impulse of each.
    u: Vec<f64>,
    opening: Vec<f64>,
    /// The size of the terms of these accelerations.
    terms: Vec<f64>,
    y: Vec<f64>,
    g: Vec<f64>,
    /// The forces with which they press.
    force: Vec<f64>,
}

impl Touching {
    fn len(&self) -> usize {
        self.of.len()
    }

    fn g(&self, i: usize, j: usize) -> f64 {
        self.g[self.len() * i + j]
    }

    /// Leaves out what is not coupled with these contacts, or others that approach: nothing changes there.
    fn keep_coupled(&mut self, of: impl Fn(usize) -> bool) {
        let n = self.len();
        let changes = |i: &usize| of(self.of[*i]) || self.u[*i] < -self.still[*i];
        let mut kept = vec![false; n];
        let mut waiting: Vec<usize> = (0..n).filter(changes).collect();
        waiting.iter().for_each(|i| kept[*i] = true);
        while let Some(i) = waiting.pop() {
            for j in 0..n {
                if !kept[j] && (self.g(i, j) != 0.0 || self.g(j, i) != 0.0) {
                    kept[j] = true;
                    waiting.push(j);
                }
            }
        }
        let both = |k: &usize| kept[k / n] && kept[k % n];
        self.g = (0..n * n).filter(both).map(|k| self.g[k]).collect();
        let nv = self.y.len() / n.max(1);
        let own = (0..self.y.len()).filter(|k| kept[k / nv]);
        self.y = own.map(|k| self.y[k]).collect();
        let lists = [
            &mut self.still,
            &mut self.gap,
            &mut self.rate,
            &mut self.restitution,
            &mut self.u,
            &mut self.force,
        ];
        lists.into_iter().for_each(|list| retain(list, &kept));
        retain(&mut self.at_zero, &kept);
        retain(&mut self.of, &kept);
    }

    /// Impulses; returns the kinetic energy lost.
    fn push(&mut self, impulse: &[f64], s: &mut State) -> f64 {
        let (n, nv) = (self.len(), s.v.len());
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

    /// Finds the forces of some contacts at rest, from those that they had on.
    fn press(&mut self, stand: &[bool]) {
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
    fn slow(&self, i: usize) -> f64 {
        let pull = self.g(i, i) * self.force[i];
        let least = self.rate[i].max(self.still[i]);
        least.max((2.0 * pull * self.gap[i]).sqrt())
    }

    /// The force of a contact that is none: of rounding. Normals are known to a share of their length, whatever `G` says
    /// of two that are nearly square: a ball that stands on another and touches a wall beside it does not press there.
    fn quiet(&self, i: usize) -> f64 {
        let own = self.g(i, i);
        let beside = (0..self.len()).filter(|&j| self.g(i, j) != 0.0);
        let others = beside.map(|j| (own * self.g(j, j)).sqrt() * self.force[j]);
        NOTHING * others.fold(self.terms[i], f64::max) / own
    }

    /// Which of those that may rest do not bounce: fewer and fewer, as what would hold them is gone.
    fn rest(&mut self, may: impl Fn(usize) -> bool) -> Vec<bool> {
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
}

impl Modes {
    /// Gives all contacts that touch the modes that they have behind an event; `hits` have just met, some of them for the
    /// last time.
    pub(super) fn arrange(
        &mut self,
        hits: &[(usize, bool)],
        leaving: &[usize],
        sys: &mut dyn System,
        s: &mut State,
        w: &Weights,
    ) -> Result<(), SaddleError> {
        let Some(mut free) = self.free.take() else {
            return Ok(());
        };
        let done = self.arrange_with(&mut free, hits, leaving, sys, s, w);
        self.free = Some(free);
        done
    }

    fn arrange_with(
        &mut self,
        free: &mut Saddle,
        hits: &[(usize, bool)],
        leaving: &[usize],
        sys: &mut dyn System,
        s: &mut State,
        w: &Weights,
    ) -> Result<(), SaddleError> {
        let mut touching = self.touching(free, hits, sys, s, w)?;
        touching.keep_coupled(|k| leaving.contains(&k) || hits.iter().any(|hit| hit.0 == k));
        self.open_up(&mut touching, free, sys, s)?;
        let struck = self.bounce(&mut touching, s);
        let may: Vec<bool> = (touching.of.iter().zip(&struck))
            .map(|(&k, struck)| {
                let met = *struck || hits.iter().any(|(hit, _)| *hit == k);
                met || self.mode[k] == Mode::Closed
            })
            .collect();
        let rests = touching.rest(|i| may[i]);
        let mut landing = Complement::new(&touching.u, |i, j| touching.g(i, j));
        rests
            .iter()
            .enumerate()
            .filter(|(_, rests)| **rests)
            .for_each(|(i, _)| landing.hold(i));
        self.lost += touching.push(&landing.solve(), s);
        self.open_up(&mut touching, free, sys, s)?;
        let stand: Vec<bool> = (0..touching.len())
            .map(|i| touching.at_zero[i] && touching.u[i] <= touching.still[i])
            .collect();
        touching.press(&stand);
        for i in 0..touching.len() {
            let k = touching.of[i];
            self.quiet[k] = touching.quiet(i);
            let presses = touching.force[i] > self.quiet[k];
            let mode = if presses { Mode::Closed } else { Mode::Open };
            if presses && hits.contains(&(k, true)) {
                self.mode[k] = mode;
                self.tell(k, "rests");
            } else if mode == self.mode[k] && struck[i] {
                self.tell(k, "hits");
            }
            self.turn(k, mode);
        }
        self.spare.fill(false);
        self.outlook.forget();
        Ok(())
    }

    /// The contacts that touch, with what they answer to impulses.
    fn touching(
        &mut self,
        free: &mut Saddle,
        hits: &[(usize, bool)],
        sys: &mut dyn System,
        s: &State,
        w: &Weights,
    ) -> Result<Touching, SaddleError> {
        let nv = s.v.len();
        let mut released = vec![0.0; nv];
        free.take_accelerations(sys, s, &mut released)?;
        self.evaluate(sys, s, true)?;
        let mut found = Touching::default();
        for k in 0..self.laws.len() {
            let Law::OneSided { restitution } = self.laws[k].law else {
                continue;
            };
            let far = self.mode[k] == Mode::Open && self.outlook.is_far(k);
            if far || self.mode[k] == Mode::Off {
                continue;
            }
            self.measure(k, free.c_q());
            let row = self.laws[k].row as usize;
            let hit = hits.iter().find(|(hit, _)| *hit == k);
            let [size, speed] = self.sizes(k, free.c_q(), &s.v);
            let held = hit.is_some() || self.mode[k] == Mode::Closed;
            if !held && self.c[row] > TOUCHING * size {
                continue;
            }
            let [_, pull] = self.sizes(k, free.c_q(), &released);
            let [gap, rate] = self.tolerances(k, free.c_q(), w);
            found.of.push(k);
            found.still.push(still([size, speed], pull));
            found.gap.push(gap);
            found.rate.push(rate);
            found.at_zero.push(held || self.c[row] <= LEFT * size);
            let piles_up = hit.is_some_and(|(_, piles_up)| *piles_up);
            found
                .restitution
                .push(if piles_up { 0.0 } else { restitution });
            found.u.push(self.cv[row]);
            let closed = self.mode[k] == Mode::Closed;
            found.force.push(if closed { -s.lambda[row] } else { 0.0 });
        }
        found.y = vec![0.0; nv * found.of.len()];
        for (k, y) in found.of.iter().zip(found.y.chunks_exact_mut(nv)) {
            free.respond(&self.entries[*k], y)?;
        }
        let c_q = free.c_q();
        for &k in &found.of {
            for y in found.y.chunks_exact(nv) {
                let along = self.entries[k].iter();
                found
                    .g
                    .push(along.map(|&(e, column)| c_q[e] * y[column]).sum());
            }
        }
        Ok(found)
    }

    /// Takes the accelerations of gaps without forces of contacts.
    fn open_up(
        &self,
        touching: &mut Touching,
        free: &mut Saddle,
        sys: &mut dyn System,
        s: &State,
    ) -> Result<(), SaddleError> {
        let mut a = vec![0.0; s.v.len()];
        let gamma = free.take_accelerations(sys, s, &mut a)?.to_vec();
        let gamma = |k: usize| gamma[self.laws[k].row as usize];
        let opening = |&k: &usize| -self.pull(k, free.c_q(), &a) - gamma(k);
        let terms = |&k: &usize| self.sizes(k, free.c_q(), &a)[1] + gamma(k).abs();
        touching.opening = touching.of.iter().map(opening).collect();
        touching.terms = touching.of.iter().map(terms).collect();
        Ok(())
    }

    /// Impacts of those that approach; tells who was struck.
    fn bounce(&mut self, touching: &mut Touching, s: &mut State) -> Vec<bool> {
        let n = touching.len();
        if (0..n).all(|i| touching.u[i] >= -touching.still[i]) {
            return vec![false; n];
        }
        touching.press(&touching.at_zero.clone());
        let mut collision = Collision::default();
        for i in 0..n {
            collision.contact(touching.u[i], touching.restitution[i], touching.slow(i));
        }
        collision.couple(|i, j| touching.g(i, j));
        collision.solve(self.rule);
        self.lost += touching.push(collision.impulses(), s);
        collision.impulses().iter().map(|z| *z > 0.0).collect()
    }

    /// Takes what is not told from zero behind an event for positive: forces, and gaps that do not close.
    pub fn level(&mut self, sys: &mut dyn System, s: &State) {
        if self.is_empty() || !self.smooth || self.evaluate(sys, s, true).is_err() {
            return;
        }
        let Some(free) = self.free.take() else {
            return;
        };
        for k in 0..self.laws.len() {
            let Law::OneSided { .. } = self.laws[k].law else {
                continue;
            };
            let row = self.laws[k].row as usize;
            self.sunk[k] = match self.mode[k] {
                Mode::Closed if !self.spare[k] => {
                    let (force, quiet) = (-s.lambda[row], self.quiet[k]);
                    if force.abs() <= quiet {
                        force.min(0.0) - quiet
                    } else {
                        0.0
                    }
                }
                Mode::Open if !self.outlook.is_far(k) => {
                    let [size, speed] = self.sizes(k, free.c_q(), &s.v);
                    let [_, pull] = self.sizes(k, free.c_q(), &s.a);
                    let still = still([size, speed], pull);
                    let (gap, u) = (self.c[row], self.cv[row]);
                    if gap > LEFT * size || u < -still {
                        0.0
                    } else if u > still {
                        gap.min(0.0)
                    } else {
                        gap.min(0.0) - LEFT * size
                    }
                }
                _ => 0.0,
            };
        }
        self.free = Some(free);
    }
}

fn retain<T>(list: &mut Vec<T>, kept: &[bool]) {
    let mut at = kept.iter();
    list.retain(|_| at.next().copied().unwrap_or(false));
}

/// Speed of departure that is none: of rounding, or gone before a gap is more than rounding.
fn still([size, speed]: [f64; 2], pull: f64) -> f64 {
    (STILL * speed).max((2.0 * pull.max(0.0) * LEFT * size).sqrt())
}
