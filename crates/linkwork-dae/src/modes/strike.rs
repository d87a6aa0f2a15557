//! Impacts at a state: which contacts take part, how each answers an impulse, what becomes of them.

use super::impact::{Collision, Directions};
use super::{Mode, Modes, STILL, TOUCHING};
use crate::law::{Law, Limit};
use crate::saddle::{Saddle, SaddleError};
use crate::state::{State, Weights};
use crate::system::System;

impl Modes {
    /// Impacts of the rows that have closed, with all others that touch.
    pub(super) fn strike(
        &mut self,
        hits: &[(usize, bool)],
        sys: &mut dyn System,
        s: &mut State,
        w: &Weights,
    ) -> Result<(), SaddleError> {
        let Some(mut free) = self.free.take() else {
            return Ok(());
        };
        let done = self.strike_with(&mut free, hits, sys, s, w);
        self.free = Some(free);
        done
    }

    fn strike_with(
        &mut self,
        free: &mut Saddle,
        hits: &[(usize, bool)],
        sys: &mut dyn System,
        s: &mut State,
        w: &Weights,
    ) -> Result<(), SaddleError> {
        let nv = s.v.len();
        let mut released = vec![0.0; nv];
        let gamma = free.take_accelerations(sys, s, &mut released)?.to_vec();
        self.evaluate(sys, s, true)?;
        let before = self.cv.clone();
        let (mut of, mut collision) = (Vec::new(), Collision::default());
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
            let touches =
                hit.is_some() || self.mode[k] == Mode::Closed || self.c[row] <= TOUCHING * size;
            if !touches {
                continue;
            }
            of.push(k);
            let piles_up = hit.is_some_and(|(_, piles_up)| *piles_up);
            let pull = self.pull(k, free.c_q(), &s.a);
            let alone = self.pull(k, free.c_q(), &released) + gamma[row];
            let slow = self.slow(k, free.c_q(), pull.max(alone), w);
            let slow = slow.max(STILL * speed);
            collision.contact(before[row], if piles_up { 0.0 } else { restitution }, slow);
        }
        let contacts = of.len();
        for k in 0..self.laws.len() {
            let (by, sliding, second) = match self.laws[k].law {
                Law::Dry(Limit::Pressed { by, sliding, .. }) => (by, sliding, None),
                Law::Cone(cone) => (cone.by, cone.sliding, self.law(cone.second)),
                _ => continue,
            };
            let Some(i) = of[..contacts].iter().position(|k| self.laws[*k].row == by) else {
                continue;
            };
            let directions = match second {
                None => Directions::Line,
                Some(_) => Directions::Plane,
            };
            let own = std::iter::once((k, directions));
            for (k, directions) in own.chain(second.map(|k| (k, Directions::Second))) {
                of.push(k);
                collision.friction(before[self.laws[k].row as usize], i, sliding, directions);
            }
        }
        let mut y = vec![0.0; nv * of.len()];
        for (k, y) in of.iter().zip(y.chunks_exact_mut(nv)) {
            free.respond(&self.entries[*k], y)?;
        }
        let c_q = free.c_q();
        collision.couple(|i, j| {
            let along = self.entries[of[i]].iter();
            along.map(|&(e, column)| c_q[e] * y[nv * j + column]).sum()
        });
        self.lost += collision.solve(self.rule);
        for (impulse, y) in collision.impulses().iter().zip(y.chunks_exact(nv)) {
            for (v, y) in s.v.iter_mut().zip(y) {
                *v += impulse * y;
            }
        }
        for (i, &k) in of[..contacts].iter().enumerate() {
            let was_hit = collision.impulses()[i] > 0.0;
            let met = was_hit || hits.iter().any(|(hit, _)| *hit == k);
            let rests = collision.rests(i) && (met || self.mode[k] == Mode::Closed);
            let piled_up = hits.contains(&(k, true));
            let mode = if rests { Mode::Closed } else { Mode::Open };
            if rests && piled_up {
                self.mode[k] = mode;
                self.tell(k, "rests");
            } else if mode == self.mode[k] && was_hit {
                self.tell(k, "hits");
            }
            self.turn(k, mode);
        }
        self.spare.fill(false);
        self.outlook.forget();
        self.evaluate(sys, s, true)?;
        self.rub(free.c_q(), &s.v);
        Ok(())
    }

    /// How fast the rate of a gap falls with these accelerations. Velocity terms are small against what presses.
    pub(super) fn pull(&self, k: usize, c_q: &[f64], a: &[f64]) -> f64 {
        let along = self.entries[k].iter();
        -along.map(|&(e, j)| c_q[e] * a[j]).sum::<f64>()
    }

    /// Speed of departure with which a contact stays within the tolerance of its gap, or of its rate:
    /// `u^2/(2 pull)` is how far it would bounce. What supports it may be gone or stay: the larger pull counts.
    fn slow(&self, k: usize, c_q: &[f64], pull: f64, w: &Weights) -> f64 {
        let [gap, rate] = self.tolerances(k, c_q, w);
        rate.max((2.0 * pull.max(0.0) * gap).sqrt())
    }

    /// The tolerances of a gap and of its rate, those of the run: what a step may use of them says nothing of contacts.
    pub(super) fn tolerances(&self, k: usize, c_q: &[f64], w: &Weights) -> [f64; 2] {
        let (own, share) = (self.entries[k].iter(), w.share());
        own.fold([0.0f64; 2], |[gap, rate], &(e, j)| {
            let c = c_q[e].abs() / share;
            [gap.max(c / w.q[j]), rate.max(c / w.v[j])]
        })
    }
}
