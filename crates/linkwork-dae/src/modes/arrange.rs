//! Contacts at an event: who bounces, who rests, who presses, whose friction sticks. All that touch, at once.
//!
//! ```text
//!  impulses       of those that approach, with restitution                                 modes/impact.rs
//!  velocities     u = 0 of those that do not bounce, the others that touch: u >= 0         min |v+ - v|_M
//!  forces         0 <= N  complementary to  W a + G N - gamma >= 0                          of those with u = 0
//!                 of those that rub with |T| <= f N                                         modes/grip.rs
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

use super::grip::Way;
use super::impact::{Collision, Directions};
use super::touching::{Rub, Touching};
use super::{Lent, Mode, Modes, STILL, TOUCHING};
use crate::law::{Law, Limit};
use crate::saddle::{Saddle, SaddleError};
use crate::state::{State, Weights};
use crate::system::System;

/// What moving positions onto rows leaves of a gap, relative to the size of its terms.
const LEFT: f64 = 1e-11;

/// What has crossed at an event.
#[derive(Debug, Default)]
pub(super) struct Crossed {
    /// Gaps that closed, some of them for the last time.
    pub hits: Vec<(usize, bool)>,
    /// Contacts that would pull.
    pub leaving: Vec<usize>,
    /// Friction that begins to slide, and which way.
    pub begins: Vec<(usize, bool)>,
    /// Friction that has come to rest.
    pub stops: Vec<usize>,
}

impl Crossed {
    pub fn is_empty(&self) -> bool {
        let Crossed {
            hits,
            leaving,
            begins,
            stops,
        } = self;
        hits.is_empty() && leaving.is_empty() && begins.is_empty() && stops.is_empty()
    }

    fn has(&self, k: usize) -> bool {
        let of_gaps = self.hits.iter().map(|(hit, _)| hit).chain(&self.leaving);
        let of_rubs = self.begins.iter().map(|(k, _)| k).chain(&self.stops);
        of_gaps.chain(of_rubs).any(|own| *own == k)
    }

    /// Whether a gap has closed, and whether for the last time.
    fn hit(&self, k: usize) -> Option<bool> {
        let own = self.hits.iter().find(|(hit, _)| *hit == k);
        own.map(|(_, piles_up)| *piles_up)
    }
}

impl Modes {
    /// Gives all contacts that touch, and their friction, the modes that they have behind an event. `false`: friction jams,
    /// and nothing has changed.
    pub(super) fn arrange(
        &mut self,
        crossed: &Crossed,
        sys: &mut dyn System,
        s: &mut State,
        w: &Weights,
    ) -> Result<bool, SaddleError> {
        let Some(mut free) = self.free.take() else {
            return Ok(true);
        };
        let done = self.arrange_with(&mut free, crossed, sys, s, w);
        self.free = Some(free);
        done
    }

    fn arrange_with(
        &mut self,
        free: &mut Saddle,
        crossed: &Crossed,
        sys: &mut dyn System,
        s: &mut State,
        w: &Weights,
    ) -> Result<bool, SaddleError> {
        let mut touching = self.touching(free, crossed, sys, s, w)?;
        touching.keep_coupled(|k| crossed.has(k));
        self.open_up(&mut touching, free, sys, s)?;
        let (before, lost) = (s.v.clone(), self.lost);
        let struck = self.bounce(&mut touching, s);
        let may: Vec<bool> = (touching.of.iter().zip(&struck))
            .map(|(&k, struck)| {
                let met = *struck || crossed.hit(k).is_some();
                met || self.mode[k] == Mode::Closed
            })
            .collect();
        let rests = touching.rest(|i| may[i]);
        let landing = touching.landing(&rests);
        self.lost += touching.push(&landing, s);
        self.open_up(&mut touching, free, sys, s)?;
        let stand: Vec<bool> = (0..touching.len())
            .map(|i| touching.at_zero[i] && touching.u[i] <= touching.still[i])
            .collect();
        let ways = if touching.rubs.is_empty() {
            touching.press(&stand);
            Vec::new()
        } else if let Some(ways) = touching.grip(&stand) {
            ways
        } else {
            s.v.copy_from_slice(&before);
            self.lost = lost;
            return Ok(false);
        };
        for k in 0..self.laws.len() {
            // friction that others hold stays so where nothing changes
            self.spare[k] &= matches!(self.laws[k].law, Law::Dry(_));
        }
        for i in 0..touching.len() {
            let k = touching.of[i];
            self.quiet[k] = touching.quiet(i);
            let presses = touching.force[i] > self.quiet[k];
            let mode = if presses { Mode::Closed } else { Mode::Open };
            if presses && crossed.hit(k) == Some(true) {
                self.mode[k] = mode;
                self.tell(k, "rests");
            } else if mode == self.mode[k] && struck[i] {
                self.tell(k, "hits");
            }
            self.turn(k, mode);
        }
        for (rub, way) in touching.rubs.iter().zip(ways) {
            let closed = self.mode[touching.of[rub.contact]] == Mode::Closed;
            let mode = match way {
                _ if !closed => Mode::Off,
                Way::Sticks | Way::Spare => Mode::Sticks,
                Way::Slides { positive } | Way::Led { positive } => Mode::Slides { positive },
            };
            self.turn(rub.law, mode);
            self.spare[rub.law] = closed && matches!(way, Way::Led { .. } | Way::Spare);
            self.lent[rub.law] = Lent::default();
        }
        self.outlook.forget();
        Ok(true)
    }

    /// The contacts that touch, with what they and their friction answer to impulses.
    fn touching(
        &mut self,
        free: &mut Saddle,
        crossed: &Crossed,
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
            let hit = crossed.hit(k);
            let [size, speed] = self.sizes(k, free.c_q(), &s.v);
            let held = hit.is_some() || self.mode[k] == Mode::Closed;
            if !held && self.c[row] > TOUCHING * size {
                continue;
            }
            let mut y = vec![0.0; nv];
            if self.turns_by_itself(k, (free, &mut y), self.cv[row], speed)? {
                self.turns[k] = true;
                self.turn(k, Mode::Open);
                continue;
            }
            let [_, pull] = self.sizes(k, free.c_q(), &released);
            let [gap, rate] = self.tolerances(k, free.c_q(), w);
            found.of.push(k);
            found.still.push(still([size, speed], pull));
            found.gap.push(gap);
            found.rate.push(rate);
            found.at_zero.push(held || self.c[row] <= LEFT * size);
            let piles_up = hit == Some(true);
            found
                .restitution
                .push(if piles_up { 0.0 } else { restitution });
            found.u.push(self.cv[row]);
            let closed = self.mode[k] == Mode::Closed;
            found.force.push(if closed { -s.lambda[row] } else { 0.0 });
        }
        self.rubbing(&mut found, free, crossed, s, w);
        let rubs = found.rubs.iter().map(|rub| &rub.law);
        let rows: Vec<usize> = found.of.iter().chain(rubs).copied().collect();
        found.y = vec![0.0; nv * rows.len()];
        for (k, y) in rows.iter().zip(found.y.chunks_exact_mut(nv)) {
            free.respond(&self.entries[*k], y)?;
        }
        let c_q = free.c_q();
        for &k in &rows {
            for y in found.y.chunks_exact(nv) {
                let along = self.entries[k].iter();
                found
                    .g
                    .push(along.map(|&(e, column)| c_q[e] * y[column]).sum());
            }
        }
        Ok(found)
    }

    /// Friction of the contacts that touch.
    fn rubbing(
        &self,
        found: &mut Touching,
        free: &Saddle,
        crossed: &Crossed,
        s: &State,
        w: &Weights,
    ) {
        for (k, law) in self.laws.iter().enumerate() {
            let Law::Dry(Limit::Pressed {
                by,
                sticking,
                sliding,
            }) = law.law
            else {
                continue;
            };
            let own = |contact: &usize| self.laws[*contact].row == by;
            let Some(contact) = found.of.iter().position(own) else {
                continue;
            };
            let [_, speed] = self.sizes(k, free.c_q(), &s.v);
            let [_, rate] = self.tolerances(k, free.c_q(), w);
            let begins = crossed.begins.iter().find(|(begins, _)| *begins == k);
            found.u.push(self.cv[law.row as usize]);
            found.rubs.push(Rub {
                law: k,
                contact,
                sticking,
                sliding,
                slow: rate.max(STILL * speed),
                begins: begins.map(|(_, positive)| *positive),
                stops: crossed.stops.contains(&k),
            });
        }
    }

    /// Takes the accelerations of gaps and slips without forces of contacts.
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
        let rubs = touching.rubs.iter().map(|rub| &rub.law);
        let rows: Vec<usize> = touching.of.iter().chain(rubs).copied().collect();
        touching.opening = rows.iter().map(opening).collect();
        touching.terms = rows.iter().map(terms).collect();
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
        for (k, rub) in touching.rubs.iter().enumerate() {
            let rate = touching.u[touching.along(k)];
            collision.friction(rate, rub.contact, rub.sliding, Directions::Line);
        }
        collision.couple(|i, j| touching.g(i, j));
        collision.solve(self.rule);
        self.lost += touching.push(collision.impulses(), s);
        collision.impulses()[..n].iter().map(|z| *z > 0.0).collect()
    }

    /// Takes what is not told from zero behind an event for positive: forces, and gaps that do not close.
    pub fn level(&mut self, sys: &mut dyn System, s: &State) {
        if self.is_empty() || !self.at_once || self.evaluate(sys, s, true).is_err() {
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
                Mode::Open if std::mem::take(&mut self.turns[k]) => {
                    let [size, _] = self.sizes(k, free.c_q(), &s.v);
                    self.c[row].min(0.0) - TOUCHING * size
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

/// Speed of departure that is none: of rounding, or gone before a gap is more than rounding.
fn still([size, speed]: [f64; 2], pull: f64) -> f64 {
    (STILL * speed).max((2.0 * pull.max(0.0) * LEFT * size).sqrt())
}
