//! Modes of all contacts and friction at once, from what they bear over a while (`modes/moreau.rs`): where one by one they set each
//! other off, and over a stride, where they change without end at one time.
//!
//! A stride is short, nothing bounces in it, and what happens within is not asked. Positions follow the velocities of its end, so
//! that energy does not rise.
//!
//! Rows that depend on others cannot be in force beside these. They bear a share of what one of them bears, as found here: so all
//! feet of a table stand on the ground, and friction of each stays within its limit.

use super::complement::Independent;
use super::moreau::{Bears, Place, Problem};
use super::{Lent, Mode, Modes, TOUCHING};
use crate::chart;
use crate::law::{Law, Limit, size};
use crate::saddle::{Saddle, SaddleError};
use crate::state::{State, Weights};
use crate::system::System;

/// Impulses below this share of their terms are none.
const NOTHING: f64 = 1e-9;
/// Friction is at its limit from this share on.
const AT_LIMIT: f64 = 1.0 - 1e-9;

/// For how long rows are looked at.
#[derive(Clone, Copy)]
enum Span {
    /// What touches now has the modes of a moment later.
    Moment,
    /// What may touch in the meantime takes part.
    Over,
}

impl Modes {
    /// Takes a state over a stride, whose length is chosen from how long a tolerance of rates and of gaps lasts, and gives all
    /// rows the modes of its end. `crossed` are the switches that change without end.
    pub fn stride(
        &mut self,
        crossed: &[usize],
        choose: impl FnOnce([f64; 2]) -> f64,
        sys: &mut dyn System,
        s: &mut State,
        w: &Weights,
    ) -> Result<(), SaddleError> {
        self.forget_changes();
        self.with_free(|modes, free| {
            let (mut problem, a, h) = modes.problem(free, (Span::Over, choose), sys, s, w)?;
            problem.solve(h);
            let after = problem.after(h);
            let mean = problem.u.iter().zip(&after).map(|(a, b)| 0.5 * (a + b));
            modes.lost -= problem.z.iter().zip(mean).map(|(z, u)| z * u).sum::<f64>();
            let nv = s.v.len();
            s.v.iter_mut().zip(&a).for_each(|(v, a)| *v += h * a);
            for (z, y) in problem.z.iter().zip(problem.y.chunks_exact(nv)) {
                s.v.iter_mut().zip(y).for_each(|(v, y)| *v += z * y);
            }
            let d: Vec<f64> = s.v.iter().map(|v| h * v).collect();
            chart::advance(sys, &mut s.q, &d);
            s.x.iter_mut()
                .zip(&s.xdot)
                .for_each(|(x, rate)| *x += h * rate);
            s.t += h;
            modes.evaluate(sys, s, true)?;
            modes.take_over(&problem, &after, free, w);
            Ok(())
        })?;
        for switch in crossed {
            let (k, _) = self.owner(*switch);
            self.tell(k, "chatters");
        }
        Ok(())
    }

    /// Gives all rows the modes that they have a moment later.
    pub(super) fn decide(
        &mut self,
        sys: &mut dyn System,
        s: &State,
        w: &Weights,
    ) -> Result<(), SaddleError> {
        let moment = |[rate, _]: [f64; 2]| rate;
        self.with_free(|modes, free| {
            let (mut problem, _, h) = modes.problem(free, (Span::Moment, moment), sys, s, w)?;
            if !h.is_finite() {
                // nothing is pulled anywhere
                return Ok(());
            }
            problem.solve(h);
            modes.take_over(&problem, &problem.after(h), free, w);
            Ok(())
        })
    }

    /// Whether a row goes no further than its tolerance in some time, with its rates on both sides of an event.
    pub fn stays(
        &mut self,
        switch: usize,
        time: f64,
        sys: &mut dyn System,
        sides: [&State; 2],
        w: &Weights,
    ) -> bool {
        let (k, _) = self.owner(switch);
        let stays = self.with_free(|modes, free| {
            let [most, _] = modes.tolerances(k, free.c_q(), w);
            let mut speed = 0.0f64;
            for s in sides {
                modes.evaluate(sys, s, true)?;
                let [x, y] = modes.slip(k, &modes.cv);
                speed = speed.max(x.hypot(y));
            }
            Ok(time * speed > most)
        });
        stays == Ok(false)
    }

    /// Leaves rows in force that depend on others to these. Tells whether there was any.
    pub fn leave_dependent(
        &mut self,
        sys: &mut dyn System,
        s: &State,
    ) -> Result<bool, SaddleError> {
        self.with_free(|modes, free| {
            free.take_impulses(sys, s)?;
            let mut problem = Problem::default();
            let rank = |k: &usize| !matches!(modes.laws[*k].law, Law::OneSided { .. });
            let mut of: Vec<usize> = (0..modes.laws.len())
                .filter(|&k| modes.is_in_force(k))
                .collect();
            of.sort_by_key(rank);
            problem.of = of;
            modes.answers(&mut problem, free)?;
            let mut rows = Independent::new(problem.len(), |i, j| problem.g(i, j));
            let mut any = false;
            for i in 0..problem.len() {
                if !rows.take(i) {
                    modes.leave(problem.of[i], Lent::default());
                    any = true;
                }
            }
            modes.unpress();
            Ok(any)
        })
    }

    fn with_free<T: Default>(
        &mut self,
        act: impl FnOnce(&mut Modes, &mut Saddle) -> Result<T, SaddleError>,
    ) -> Result<T, SaddleError> {
        let Some(mut free) = self.free.take() else {
            return Ok(T::default());
        };
        let done = act(self, &mut free);
        self.free = Some(free);
        done
    }

    pub(super) fn is_in_force(&self, k: usize) -> bool {
        let moves = !self.laws[k].law.is_held() && !self.spare[k];
        moves && matches!(self.mode[k], Mode::Closed | Mode::Sticks)
    }

    /// The rows that take part, accelerations without them, and how long they are looked at.
    fn problem(
        &mut self,
        free: &mut Saddle,
        (span, choose): (Span, impl FnOnce([f64; 2]) -> f64),
        sys: &mut dyn System,
        s: &State,
        w: &Weights,
    ) -> Result<(Problem, Vec<f64>, f64), SaddleError> {
        self.outlook.begin();
        let mut a = vec![0.0; s.v.len()];
        let gamma = free.take_accelerations(sys, s, &mut a)?.to_vec();
        self.evaluate(sys, s, true)?;
        let h = choose(self.lasts_for(free.c_q(), &a, w));
        let mut problem = Problem::default();
        self.contacts(&mut problem, free.c_q(), [&s.v, &a], (span, h), w);
        self.frictions(&mut problem, free.c_q(), sys, s, h, w);
        for &k in &problem.of {
            let row = self.laws[k].row as usize;
            let [_, pull] = self.sizes(k, free.c_q(), &a);
            let [_, speed] = self.sizes(k, free.c_q(), &s.v);
            problem.u.push(self.cv[row]);
            problem
                .rate
                .push(-self.pull(k, free.c_q(), &a) - gamma[row]);
            problem.terms.push(speed + h * (pull + gamma[row].abs()));
        }
        self.answers(&mut problem, free)?;
        problem.z = vec![0.0; problem.len()];
        Ok((problem, a, h))
    }

    /// How long it takes until accelerations change a rate of what touches, and a gap, by its tolerance.
    fn lasts_for(&self, c_q: &[f64], a: &[f64], w: &Weights) -> [f64; 2] {
        let mut lasts = [f64::INFINITY; 2];
        for k in 0..self.laws.len() {
            let touches = match self.laws[k].law {
                Law::OneSided { .. } => {
                    let c = self.c[self.laws[k].row as usize];
                    c <= TOUCHING * self.sizes(k, c_q, a)[0] && self.mode[k] != Mode::Off
                }
                Law::Dry(_) | Law::Cone(_) => self.mode[k] != Mode::Off,
                Law::Led | Law::Held { .. } => false,
            };
            let [_, pull] = self.sizes(k, c_q, a);
            if touches && pull > 0.0 {
                let [gap, rate] = self.tolerances(k, c_q, w);
                lasts[0] = lasts[0].min(rate / pull);
                if let Law::OneSided { .. } = self.laws[k].law {
                    lasts[1] = lasts[1].min((2.0 * gap / pull).sqrt());
                }
            }
        }
        lasts
    }

    /// Contacts that are closed or may close: impulses of others turn rates round.
    fn contacts(
        &self,
        problem: &mut Problem,
        c_q: &[f64],
        [v, a]: [&[f64]; 2],
        (span, h): (Span, f64),
        w: &Weights,
    ) {
        for k in 0..self.laws.len() {
            let Law::OneSided { .. } = self.laws[k].law else {
                continue;
            };
            let row = self.laws[k].row as usize;
            let [size, speed] = self.sizes(k, c_q, v);
            let [_, pull] = self.sizes(k, c_q, a);
            let [gap, _] = self.tolerances(k, c_q, w);
            let reach = match span {
                Span::Over => (h * (speed + h * pull)).max(gap),
                Span::Moment => TOUCHING * size,
            };
            let near = self.mode[k] == Mode::Closed || self.c[row] <= reach;
            if near && self.mode[k] != Mode::Off {
                let gap = self.c[row].max(0.0);
                problem.places.push(Place {
                    law: k,
                    row: problem.of.len(),
                    wide: false,
                    bears: Bears::Presses { gap },
                });
                problem.of.push(k);
            }
        }
    }

    /// Friction of these contacts, and all other.
    fn frictions(
        &self,
        problem: &mut Problem,
        c_q: &[f64],
        sys: &mut dyn System,
        s: &State,
        h: f64,
        w: &Weights,
    ) {
        let contacts = problem.len();
        for k in 0..self.laws.len() {
            let slip = self.slip(k, &self.cv);
            let still = slip[0].hypot(slip[1]) <= self.tolerances(k, c_q, w)[1];
            let rubs = |by: u32, sticking: f64, sliding: f64, of: &[usize]| {
                let contact = of.iter().position(|k| self.laws[*k].row == by)?;
                Some(Bears::Rubs {
                    contact,
                    coefficient: if still { sticking } else { sliding },
                })
            };
            let mut most = |ratio: f64, reaction: f64| {
                let capacity = sys.capacities().map_or(0.0, |c| c.capacity(k, s));
                let ratio = if still { ratio } else { 1.0 };
                Some(Bears::Most(h * ratio * capacity.max(0.0) * reaction))
            };
            let of = &problem.of[..contacts];
            let (bears, second) = match self.laws[k].law {
                Law::Dry(Limit::Given { ratio }) => (most(ratio, 1.0), None),
                Law::Dry(Limit::Reacting { by, ratio }) => {
                    (most(ratio, size(&by, &s.lambda)), None)
                }
                Law::Dry(Limit::Pressed {
                    by,
                    sticking,
                    sliding,
                }) => (rubs(by, sticking, sliding, of), None),
                Law::Cone(cone) => {
                    let bears = rubs(cone.by, cone.sticking, cone.sliding, of);
                    (bears, self.law(cone.second))
                }
                Law::OneSided { .. } | Law::Led | Law::Held { .. } => continue,
            };
            let Some(bears) = bears else { continue };
            problem.places.push(Place {
                law: k,
                row: problem.of.len(),
                wide: second.is_some(),
                bears,
            });
            problem.of.extend(std::iter::once(k).chain(second));
        }
    }

    /// What rows answer to impulses.
    fn answers(&self, problem: &mut Problem, free: &mut Saddle) -> Result<(), SaddleError> {
        let nv = self.outlook.coordinates();
        problem.y = vec![0.0; nv * problem.len()];
        for (k, y) in problem.of.iter().zip(problem.y.chunks_exact_mut(nv)) {
            free.respond(&self.entries[*k], y)?;
        }
        let c_q = free.c_q();
        let g = problem.of.iter().flat_map(|&k| {
            let answer = move |y: &[f64]| -> f64 {
                let along = self.entries[k].iter();
                along.map(|&(e, column)| c_q[e] * y[column]).sum()
            };
            problem.y.chunks_exact(nv).map(answer)
        });
        problem.g = g.collect();
        Ok(())
    }

    /// Gives all rows the modes that impulses tell.
    fn take_over(&mut self, problem: &Problem, after: &[f64], free: &Saddle, w: &Weights) {
        self.spare.fill(false);
        let mut met = vec![false; self.laws.len()];
        for place in &problem.places {
            let (k, i) = (place.law, place.row);
            let (z, slip) = (place.of(&problem.z), place.of(after));
            met[k] = true;
            let none = NOTHING * problem.terms[i];
            let most = match place.bears {
                Bears::Presses { .. } => {
                    let presses = z[0] * problem.g(i, i) > none;
                    self.quiet[k] = 0.0;
                    self.turn(k, if presses { Mode::Closed } else { Mode::Open });
                    continue;
                }
                Bears::Rubs { contact, .. } if self.mode[problem.of[contact]] != Mode::Closed => {
                    self.turn(k, Mode::Off);
                    continue;
                }
                Bears::Rubs {
                    contact,
                    coefficient,
                } => coefficient * problem.z[contact],
                Bears::Most(most) => most,
            };
            if z[0].hypot(z[1]) < AT_LIMIT * most {
                self.turn(k, Mode::Sticks);
            } else if place.wide {
                self.slide_off(k, z.map(|z| -z), slip, free, w);
            } else {
                let positive = if slip[0].abs() > none {
                    slip[0] > 0.0
                } else {
                    z[0] < 0.0
                };
                self.turn(k, Mode::Slides { positive });
            }
        }
        for k in 0..self.laws.len() {
            let one_sided = matches!(self.laws[k].law, Law::OneSided { .. });
            if one_sided && !met[k] && self.mode[k] != Mode::Off {
                self.turn(k, Mode::Open);
            }
        }
        self.unpress();
        self.lend(problem);
        self.changed = true;
    }

    /// Leaves rows that depend on others to these, with what they bear beside them. Contacts come first, those that press most
    /// before others.
    fn lend(&mut self, problem: &Problem) {
        let presses = |place: &&Place| matches!(place.bears, Bears::Presses { .. });
        let (mut order, rubs): (Vec<&Place>, Vec<&Place>) =
            problem.places.iter().partition(presses);
        let force = |place: &Place| problem.z[place.row] * problem.g(place.row, place.row).sqrt();
        order.sort_by(|a, b| force(b).total_cmp(&force(a)));
        let first = order.first().map(|place| place.row);
        order.extend(rubs);
        let mut rows = Independent::new(problem.len(), |i, j| problem.g(i, j));
        for place in order {
            for i in place.row..=place.row + usize::from(place.wide) {
                let k = problem.of[i];
                if !self.is_in_force(k) || rows.take(i) {
                    continue;
                }
                let lent = match place.bears {
                    // what it stands beside is first among them
                    Bears::Presses { .. } => first.map(|j| (problem.of[j], problem.z[j])),
                    Bears::Rubs { contact, .. } => {
                        let own = problem.of[contact];
                        match first {
                            Some(j) if self.spare[own] => Some((problem.of[j], problem.z[j])),
                            _ => Some((own, problem.z[contact])),
                        }
                    }
                    Bears::Most(most) => Some((k, -most)),
                };
                let lent = lent.filter(|(_, z)| *z != 0.0).map(|(by, z)| Lent {
                    row: self.laws[by].row,
                    share: problem.z[i] / z,
                });
                self.leave(k, lent.unwrap_or_default());
            }
        }
    }
}
