//! A stride over contacts and friction whose modes change without end at one time: velocities at its end are found as a whole,
//! and what happens within it is not asked.
//!
//! ```text
//!  u+ = u + h a + G z                       a: accelerations without contacts and friction, z: impulses over the stride
//!  0 <= z_n  complementary to  u+_n + C/h >= 0
//!  |z_t| <= f z_n  or  h F,   z_t against u+_t where it is at its limit           (Moreau 1988; Stewart & Trinkle 1996)
//! ```
//!
//! Unlike forces, such impulses always exist: who jams within is stopped. Nothing bounces. By projections one row after the other,
//! which end with rows that depend on each other as well; what they leave is taken away where velocities are moved onto the
//! rows in force. Positions follow the velocities of the end, so that energy does not rise.

use super::complement::Independent;
use super::{Mode, Modes, TOUCHING};
use crate::chart;
use crate::law::{Law, Limit, size};
use crate::saddle::{Saddle, SaddleError};
use crate::state::{State, Weights};
use crate::system::System;

/// Sweeps over all rows at most, and what a sweep changes of the rates when they have ended.
const SWEEPS: usize = 5000;
const ENDED: f64 = 1e-13;
/// Impulses below this share of their terms are none.
const NOTHING: f64 = 1e-9;
/// Friction is at its limit from this share on.
const AT_LIMIT: f64 = 1.0 - 1e-9;

/// What a row can bear.
#[derive(Clone, Copy)]
enum Bears {
    /// A contact, with what is left of its gap.
    Presses { gap: f64 },
    /// Friction of a contact among the rows, with its coefficient.
    Rubs { contact: usize, coefficient: f64 },
    /// Other friction, with what it can bear.
    Most(f64),
}

/// A row, or two across each other.
struct Place {
    law: usize,
    /// Its rows among those of the stride.
    row: usize,
    wide: bool,
    bears: Bears,
}

#[derive(Default)]
struct Problem {
    places: Vec<Place>,
    /// Laws of all rows.
    of: Vec<usize>,
    u: Vec<f64>,
    /// Rates that the forces make in a second, and the size of their terms.
    rate: Vec<f64>,
    terms: Vec<f64>,
    y: Vec<f64>,
    g: Vec<f64>,
    z: Vec<f64>,
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
        let Some(mut free) = self.free.take() else {
            return Ok(());
        };
        let done = self.stride_with(&mut free, choose, sys, s, w);
        self.free = Some(free);
        done?;
        for switch in crossed {
            let (k, _) = self.owner(*switch);
            self.tell(k, "chatters");
        }
        Ok(())
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
        let Some(free) = self.free.take() else {
            return false;
        };
        let [most, _] = self.tolerances(k, free.c_q(), w);
        let stays = sides.into_iter().all(|s| {
            let slip = |modes: &Modes| {
                let [x, y] = modes.slip(k, &modes.cv);
                x.hypot(y)
            };
            self.evaluate(sys, s, true).is_ok() && time * slip(self) <= most
        });
        self.free = Some(free);
        stays
    }

    fn stride_with(
        &mut self,
        free: &mut Saddle,
        choose: impl FnOnce([f64; 2]) -> f64,
        sys: &mut dyn System,
        s: &mut State,
        w: &Weights,
    ) -> Result<(), SaddleError> {
        self.forget_changes();
        self.outlook.begin();
        let mut a = vec![0.0; s.v.len()];
        let gamma = free.take_accelerations(sys, s, &mut a)?.to_vec();
        self.evaluate(sys, s, true)?;
        let lasts = self.lasts_for(free.c_q(), &a, w);
        let h = choose(lasts);
        let mut problem = self.problem(free, sys, s, [&a, &gamma], h, w)?;
        problem.solve(h);
        for (v, a) in s.v.iter_mut().zip(&a) {
            *v += h * a;
        }
        let nv = s.v.len();
        for (z, y) in problem.z.iter().zip(problem.y.chunks_exact(nv)) {
            s.v.iter_mut().zip(y).for_each(|(v, y)| *v += z * y);
        }
        let after = problem.after(h);
        let mean = problem.u.iter().zip(&after).map(|(a, b)| 0.5 * (a + b));
        self.lost -= problem.z.iter().zip(mean).map(|(z, u)| z * u).sum::<f64>();
        let d: Vec<f64> = s.v.iter().map(|v| h * v).collect();
        chart::advance(sys, &mut s.q, &d);
        for (x, rate) in s.x.iter_mut().zip(&s.xdot) {
            *x += h * rate;
        }
        s.t += h;
        self.evaluate(sys, s, true)?;
        self.take_over(&problem, &after, free, w);
        Ok(())
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

    /// The rows that take part.
    fn problem(
        &self,
        free: &mut Saddle,
        sys: &mut dyn System,
        s: &State,
        [a, gamma]: [&[f64]; 2],
        h: f64,
        w: &Weights,
    ) -> Result<Problem, SaddleError> {
        let nv = s.v.len();
        let mut problem = Problem::default();
        let mut contacts = Vec::new();
        let add = |problem: &mut Problem, k: usize, c_q: &[f64]| {
            let row = self.laws[k].row as usize;
            let rate = -self.pull(k, c_q, a) - gamma[row];
            problem.of.push(k);
            problem.u.push(self.cv[row]);
            problem.rate.push(rate);
            problem
                .terms
                .push(self.sizes(k, c_q, &s.v)[1] + h * (self.sizes(k, c_q, a)[1] + gamma[row].abs()));
        };
        for k in 0..self.laws.len() {
            let Law::OneSided { .. } = self.laws[k].law else {
                continue;
            };
            let row = self.laws[k].row as usize;
            let rate = -self.pull(k, free.c_q(), a) - gamma[row];
            let ahead = self.c[row] + h * self.cv[row].min(0.0) + h * h * rate.min(0.0);
            let [size, _] = self.sizes(k, free.c_q(), &s.v);
            let near = self.mode[k] == Mode::Closed || ahead <= TOUCHING * size;
            if near && self.mode[k] != Mode::Off {
                contacts.push((self.laws[k].row, problem.of.len()));
                problem.places.push(Place {
                    law: k,
                    row: problem.of.len(),
                    wide: false,
                    bears: Bears::Presses {
                        gap: self.c[row].max(0.0),
                    },
                });
                add(&mut problem, k, free.c_q());
            }
        }
        let contact = |by: u32| contacts.iter().find(|(row, _)| *row == by).map(|c| c.1);
        for k in 0..self.laws.len() {
            let [_, slow] = self.tolerances(k, free.c_q(), w);
            let slip = self.slip(k, &self.cv);
            let still = slip[0].hypot(slip[1]) <= slow;
            let rubs = |by: u32, sticking: f64, sliding: f64| {
                contact(by).map(|contact| Bears::Rubs {
                    contact,
                    coefficient: if still { sticking } else { sliding },
                })
            };
            let mut most = |ratio: f64, reaction: f64| {
                let capacity = sys.capacities().map_or(0.0, |c| c.capacity(k, s));
                let ratio = if still { ratio } else { 1.0 };
                Some(Bears::Most(h * ratio * capacity.max(0.0) * reaction))
            };
            let (bears, second) = match self.laws[k].law {
                Law::Dry(Limit::Given { ratio }) => (most(ratio, 1.0), None),
                Law::Dry(Limit::Reacting { by, ratio }) => (most(ratio, size(&by, &s.lambda)), None),
                Law::Dry(Limit::Pressed { by, sticking, sliding }) => (rubs(by, sticking, sliding), None),
                Law::Cone(cone) => (rubs(cone.by, cone.sticking, cone.sliding), self.law(cone.second)),
                Law::OneSided { .. } | Law::Led | Law::Held { .. } => continue,
            };
            let Some(bears) = bears else { continue };
            problem.places.push(Place {
                law: k,
                row: problem.of.len(),
                wide: second.is_some(),
                bears,
            });
            for k in std::iter::once(k).chain(second) {
                add(&mut problem, k, free.c_q());
            }
        }
        problem.y = vec![0.0; nv * problem.of.len()];
        for (k, y) in problem.of.iter().zip(problem.y.chunks_exact_mut(nv)) {
            free.respond(&self.entries[*k], y)?;
        }
        let c_q = free.c_q();
        for &k in &problem.of {
            for y in problem.y.chunks_exact(nv) {
                let along = self.entries[k].iter();
                let g = along.map(|&(e, column)| c_q[e] * y[column]).sum();
                problem.g.push(g);
            }
        }
        problem.z = vec![0.0; problem.of.len()];
        Ok(problem)
    }

    /// Gives all rows the modes of the end of a stride.
    fn take_over(&mut self, problem: &Problem, after: &[f64], free: &Saddle, w: &Weights) {
        self.spare.fill(false);
        let mut met = vec![false; self.laws.len()];
        for place in &problem.places {
            let (k, i) = (place.law, place.row);
            met[k] = true;
            let z = [problem.z[i], if place.wide { problem.z[i + 1] } else { 0.0 }];
            let slip = [after[i], if place.wide { after[i + 1] } else { 0.0 }];
            let bears = z[0].hypot(z[1]);
            let most = match place.bears {
                Bears::Presses { .. } => {
                    let presses = z[0] * problem.diagonal(i) > NOTHING * problem.terms[i];
                    self.quiet[k] = 0.0;
                    self.turn(k, if presses { Mode::Closed } else { Mode::Open });
                    continue;
                }
                Bears::Rubs { contact, .. } if self.mode[problem.of[contact]] != Mode::Closed => {
                    self.turn(k, Mode::Off);
                    continue;
                }
                Bears::Rubs { contact, coefficient } => coefficient * problem.z[contact],
                Bears::Most(most) => most,
            };
            if bears < AT_LIMIT * most {
                self.turn(k, Mode::Sticks);
            } else if place.wide {
                self.slide_off(k, z.map(|z| -z), slip, free, w);
            } else {
                let terms = NOTHING * problem.terms[i];
                let positive = if slip[0].abs() > terms { slip[0] > 0.0 } else { z[0] < 0.0 };
                self.turn(k, Mode::Slides { positive });
            }
        }
        for k in 0..self.laws.len() {
            if let (Law::OneSided { .. }, false) = (self.laws[k].law, met[k])
                && self.mode[k] != Mode::Off
            {
                self.turn(k, Mode::Open);
            }
        }
        self.unpress();
        self.leave_dependent(problem);
        self.changed = true;
    }

    /// Leaves rows that depend on others to these: contacts come first, those that press most before others.
    fn leave_dependent(&mut self, problem: &Problem) {
        let n = problem.of.len();
        let presses = |place: &&Place| matches!(place.bears, Bears::Presses { .. });
        let (mut order, rubs): (Vec<&Place>, Vec<&Place>) = problem.places.iter().partition(presses);
        let force = |place: &Place| problem.z[place.row] * problem.diagonal(place.row).sqrt();
        order.sort_by(|a, b| force(b).total_cmp(&force(a)));
        let mut rows = Independent::new(n, |i, j| problem.g[n * i + j]);
        for place in order.into_iter().chain(rubs) {
            let wide = usize::from(place.wide);
            for i in place.row..=place.row + wide {
                let k = problem.of[i];
                let in_force = matches!(self.mode[k], Mode::Closed | Mode::Sticks);
                if in_force && !rows.take(i) {
                    self.spare[k] = true;
                }
            }
        }
        self.unpress();
    }
}

impl Problem {
    fn diagonal(&self, i: usize) -> f64 {
        self.g[(self.of.len() + 1) * i]
    }

    /// Rates at the end of the stride.
    fn after(&self, h: f64) -> Vec<f64> {
        let n = self.of.len();
        (0..n)
            .map(|i| {
                let row = self.g[n * i..n * (i + 1)].iter().zip(&self.z);
                self.u[i] + h * self.rate[i] + row.map(|(g, z)| g * z).sum::<f64>()
            })
            .collect()
    }

    /// Finds the impulses.
    fn solve(&mut self, h: f64) {
        let n = self.of.len();
        let mut u = self.after(h);
        let size = self.terms.iter().fold(0.0f64, |m, t| m.max(*t));
        for _ in 0..SWEEPS {
            let mut most = 0.0f64;
            for place in &self.places {
                let i = place.row;
                let own = self.diagonal(i);
                if !(own > 0.0) {
                    continue;
                }
                let mut z = [self.z[i], 0.0];
                let before = z;
                if let Bears::Presses { gap } = place.bears {
                    z[0] = (z[0] - (u[i] + gap / h) / own).max(0.0);
                } else {
                    let limit = match place.bears {
                        Bears::Rubs { contact, coefficient } => coefficient * self.z[contact],
                        Bears::Most(most) => most,
                        Bears::Presses { .. } => continue,
                    };
                    z[0] -= u[i] / own;
                    if place.wide {
                        // as stiff as both together, so that the way of the slip is kept
                        let stiff = own + self.diagonal(i + 1);
                        z = [self.z[i] - u[i] / stiff, self.z[i + 1] - u[i + 1] / stiff];
                    }
                    let bears = z[0].hypot(z[1]);
                    if bears > limit {
                        z = z.map(|z| z * limit / bears);
                    }
                }
                let rows = if place.wide { 2 } else { 1 };
                let old = if place.wide { [self.z[i], self.z[i + 1]] } else { before };
                for half in 0..rows {
                    let change = z[half] - old[half];
                    self.z[i + half] = z[half];
                    if change != 0.0 {
                        for (row, u) in u.iter_mut().enumerate() {
                            *u += self.g[n * row + i + half] * change;
                        }
                        most = most.max((self.diagonal(i + half) * change).abs());
                    }
                }
            }
            if most <= ENDED * size {
                break;
            }
        }
    }
}
