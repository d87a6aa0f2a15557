//! Relays that slide: the share of each side that keeps their functions at zero.
//!
//! Where a relay draws the motion to the zero of its function `u` from both sides, Filippov's solution (1988) stays there, with
//! a mean of what acts on either side,
//!
//! ```text
//!  y' = f0 + sum_k alpha_k (f1_k - f0),     du/dt = u_y y' + u_t = 0,     0 <= alpha_k <= 1
//! ```
//!
//! Forces, and with them accelerations and rates of states, depend on each share along a straight line: those of one half and one more
//! solution for each relay tell what it changes, and a small linear system gives the shares ("equivalent control", Utkin 1992).
//! What steps and dense output leave of `u` is taken away by the impulse of the relays themselves, along the same changes.
//! Bad at: many relays at once, each of which costs a solution wherever accelerations are asked for.

use super::{Saddle, SaddleError};
use crate::state::State;
use crate::system::System;

/// A share that changes the rate of its function by less than this, relative to the rate, does not change it.
const UNCHANGED: f64 = 1e-10;
/// Newton steps onto the zeros; one is enough where functions are linear in velocities and states.
const STEPS: usize = 3;

/// What shares change, by columns.
#[derive(Default)]
pub(super) struct Slide {
    shares: Vec<f64>,
    /// Values of the functions, and their rates with all shares at one half.
    base: Vec<[f64; 2]>,
    moved: Vec<[f64; 2]>,
    /// Rates of the functions by shares, row by row.
    rates: Vec<f64>,
    /// Accelerations and rates of states at one half, then by each share.
    fields: Vec<f64>,
    solution: Vec<f64>,
}

/// How many relays slide.
pub(super) fn count(sys: &mut dyn System) -> usize {
    sys.switching().map_or(0, |switching| switching.sliding())
}

fn share(sys: &mut dyn System, shares: &[f64]) {
    if let Some(switching) = sys.switching() {
        switching.share(shares);
    }
}

impl Saddle {
    /// Accelerations with the shares that keep all relays sliding.
    pub(super) fn slide_along(
        &mut self,
        sys: &mut dyn System,
        s: &mut State,
    ) -> Result<(), SaddleError> {
        self.with_shares(sys, s, 0.0, |saddle, sys, s| saddle.accelerate_once(sys, s))
    }

    /// Does something while all relays have the shares that keep them sliding at a state, or draw their functions to zero at
    /// the rate `chi`.
    pub(super) fn with_shares<T>(
        &mut self,
        sys: &mut dyn System,
        s: &mut State,
        chi: f64,
        act: impl FnOnce(&mut Saddle, &mut dyn System, &mut State) -> Result<T, SaddleError>,
    ) -> Result<T, SaddleError> {
        let mut slide = std::mem::take(&mut self.slide);
        let done = slide.find(self, sys, s, chi).and_then(|()| {
            share(sys, &slide.shares);
            act(self, sys, s)
        });
        share(sys, &[]);
        self.slide = slide;
        done
    }

    /// Moves velocities and states by the impulses of relays that slide, so that their functions are zero.
    pub(crate) fn return_to_slides(
        &mut self,
        sys: &mut dyn System,
        s: &mut State,
    ) -> Result<(), SaddleError> {
        if count(sys) == 0 {
            return Ok(());
        }
        let mut slide = std::mem::take(&mut self.slide);
        let mut done = Ok(());
        let mut last = f64::INFINITY;
        slide.begin(sys, s);
        for _ in 0..STEPS {
            done = slide.probe(self, sys, s);
            let open = slide.base.iter().fold(0.0f64, |m, [u, _]| m.max(u.abs()));
            // rounding: no further progress; NaN must not pass
            if done.is_err() || open == 0.0 || !(open < 0.5 * last) {
                break;
            }
            last = open;
            slide.solve(|[value, _]| value);
            slide.strike(s);
        }
        share(sys, &[]);
        self.slide = slide;
        done
    }
}

impl Slide {
    /// Room for all relays; each may have a share.
    fn begin(&mut self, sys: &mut dyn System, s: &State) {
        let (n, size) = (count(sys), s.a.len() + s.xdot.len());
        self.shares.clear();
        self.shares.resize(n, 0.5);
        self.base.resize(n, [0.0; 2]);
        self.moved.resize(n, [0.0; 2]);
        self.rates.resize(n * n, 0.0);
        self.fields.resize((n + 1) * size, 0.0);
        self.solution.resize(n, 0.0);
    }

    /// Finds the shares that keep the functions at zero.
    fn find(
        &mut self,
        saddle: &mut Saddle,
        sys: &mut dyn System,
        s: &mut State,
        chi: f64,
    ) -> Result<(), SaddleError> {
        self.begin(sys, s);
        // anew where one has turned out to have none, for the others feel what its layer makes of it
        loop {
            self.probe(saddle, sys, s)?;
            self.solve(|[value, rate]| rate + chi * value);
            let mut settled = true;
            for (share, change) in self.shares.iter_mut().zip(&self.solution) {
                settled &= share.is_nan() || !change.is_nan();
                if change.is_nan() {
                    *share = f64::NAN;
                }
            }
            if settled {
                break;
            }
        }
        for (share, change) in self.shares.iter_mut().zip(&self.solution) {
            *share += change;
        }
        Ok(())
    }

    /// Finds what each share changes from one half, of those that have one.
    fn probe(
        &mut self,
        saddle: &mut Saddle,
        sys: &mut dyn System,
        s: &mut State,
    ) -> Result<(), SaddleError> {
        let (n, size) = (self.shares.len(), s.a.len() + s.xdot.len());
        self.rates.fill(0.0);
        for k in 0..=n {
            // one half each, then all of one
            if k > 0 {
                if self.shares[k - 1].is_nan() {
                    continue;
                }
                self.shares[k - 1] = 1.0;
            }
            share(sys, &self.shares);
            saddle.accelerate_once(sys, s)?;
            let (of_base, rest) = self.fields.split_at_mut(size);
            let found = s.a.iter().chain(&s.xdot);
            let Some(switching) = sys.switching() else {
                return Ok(());
            };
            if k == 0 {
                switching.drift(s, &mut self.base);
                of_base.iter_mut().zip(found).for_each(|(to, x)| *to = *x);
                continue;
            }
            self.shares[k - 1] = 0.5;
            switching.drift(s, &mut self.moved);
            for (i, ([_, moved], [_, base])) in self.moved.iter().zip(&self.base).enumerate() {
                let rate = 2.0 * (moved - base);
                let told = rate.abs() > UNCHANGED * (moved.abs() + base.abs());
                self.rates[i * n + k - 1] = if told { rate } else { 0.0 };
            }
            let field = &mut rest[(k - 1) * size..k * size];
            for ((to, base), x) in field.iter_mut().zip(of_base).zip(found) {
                *to = 2.0 * (x - *base);
            }
        }
        Ok(())
    }

    /// Changes of shares that take away what is left of each function; NaN for those that change nothing.
    ///
    /// Relays of one function have one share. Gaussian elimination, row by row in the order of the relays: each draws the motion
    /// to its own zero, so its own entry is the pivot.
    fn solve(&mut self, left: impl Fn([f64; 2]) -> f64) {
        let n = self.solution.len();
        let Slide {
            base,
            rates,
            solution,
            ..
        } = self;
        let same = |i: usize, j: usize| base[i] == base[j];
        // columns of relays of one function are added to that of the first
        let first = |j: usize| (0..j).find(|i| same(*i, j)).unwrap_or(j);
        for j in 0..n {
            let to = first(j);
            if to != j {
                for i in 0..n {
                    rates[i * n + to] += std::mem::take(&mut rates[i * n + j]);
                }
            }
        }
        for (x, base) in solution.iter_mut().zip(base.iter()) {
            *x = -left(*base);
        }
        for k in 0..n {
            let pivot = rates[k * n + k];
            if first(k) != k || !(pivot < 0.0) {
                continue;
            }
            for i in (0..n).filter(|i| *i != k) {
                let factor = rates[i * n + k] / pivot;
                for j in k..n {
                    rates[i * n + j] -= factor * rates[k * n + j];
                }
                solution[i] -= factor * solution[k];
            }
        }
        for k in 0..n {
            let pivot = rates[k * n + k];
            solution[k] = match first(k) {
                own if own == k && pivot < 0.0 => solution[k] / pivot,
                own if own == k => f64::NAN,
                other => solution[other],
            };
        }
    }

    /// Moves velocities and states by the changes found.
    fn strike(&self, s: &mut State) {
        let size = s.v.len() + s.x.len();
        for (k, c) in self
            .solution
            .iter()
            .enumerate()
            .filter(|(_, c)| !c.is_nan())
        {
            let field = &self.fields[(k + 1) * size..(k + 2) * size];
            for (x, d) in s.v.iter_mut().chain(&mut s.x).zip(field) {
                *x += c * d;
            }
        }
    }
}
