//! A history for multistep methods: a few steps of the classical Runge-Kutta method behind an event.
//!
//! At order 1 a multistep method takes some ten steps to come back to the order and step that it had. Four
//! steps of order 4, all of one size, hand it five points at once. Their size is half of the last step
//! and is checked: two steps each against one of twice their size,
//!
//! ```text
//!  |y_2 - y_double| / 15 <= 0.3 tolerances
//! ```
//!
//! (Gear 1980 on starters for methods of variable order.) Not for stiff systems, where the steps would be
//! tiny: they begin at order 1, and after some vain attempts without trying.
//!
//! Where the next event is too near for a history to be of use, as between the instants of sampled controls, two
//! such steps lead there. Order 1 from instant to instant would have one error, of one sign, in each of thousands:
//! within the tolerance, and together enough damping to hide that a loop is unstable.

use super::Engine;
use crate::initial::Algebraic;
use crate::memory::Memory;
use crate::ode;
use crate::saddle::Saddle;
use crate::state::{State, Weights};
use crate::stats::Stats;
use crate::stepper::{Choice, Stepper};
use crate::system::System;

/// Steps, and the order of the history they make.
const STEPS: usize = 4;
/// Steps to a target that is near: no history is wanted there, and two can be checked.
const FEW: usize = 2;
/// Share of the tolerance that two steps may leave.
const ALLOWED: f64 = 0.3;
/// Reductions of the step before it is given up, and the share of the last step below which it is.
const REDUCTIONS: usize = 2;
const STIFF: f64 = 0.05;
/// Vain attempts in a row after which none is made any more.
const PATIENCE: u32 = 3;
/// First steps at order 1 that make a way too short for a history: they double.
const SHORT: f64 = 100.0;
/// A block that would leave less than this share of the way to a target meets it.
const MEETS: f64 = 0.8;

/// See the [module](self).
pub(super) struct Starter {
    nodes: Vec<State>,
    stage: State,
    double: State,
    y: Vec<f64>,
    rates: Vec<f64>,
    sum: Vec<f64>,
    differential: Vec<bool>,
    vain: u32,
    /// Steps that make the newest one: several where a history was made.
    pub steps: usize,
    /// The step that would have done last time; 0: none did.
    hint: f64,
}

impl Starter {
    pub fn new(sys: &dyn System, stepper: &dyn Stepper) -> Starter {
        let dims = sys.dims();
        let used = stepper.takes_history();
        let (nodes, n) = if used {
            (STEPS + 1, 2 * dims.nv + dims.nx)
        } else {
            (0, 0)
        };
        let differential = sys.facts().differential.clone();
        let room = || {
            if used {
                State::new(dims)
            } else {
                State::default()
            }
        };
        Starter {
            nodes: (0..nodes).map(|_| room()).collect(),
            stage: room(),
            double: room(),
            y: vec![0.0; n],
            rates: vec![0.0; n],
            sum: vec![0.0; n],
            differential,
            vain: 0,
            steps: 1,
            hint: 0.0,
        }
    }

    /// Whether it is worth a trial.
    fn is_hopeful(&self) -> bool {
        !self.nodes.is_empty() && self.vain < PATIENCE
    }

    /// A run begins.
    pub fn begin(&mut self) {
        (self.vain, self.hint, self.steps) = (0, 0.0, 1);
    }

    pub fn memory(&mut self, m: &mut Memory) {
        m.u32(&mut self.vain);
        m.f64(&mut self.hint);
    }
}

/// What a step of the starter needs beside itself.
pub(super) struct Means<'m> {
    pub sys: &'m mut dyn System,
    pub saddle: &'m mut Saddle,
    pub algebraic: &'m mut Algebraic,
    pub stats: &'m mut Stats,
}

impl Means<'_> {
    fn accelerate(&mut self, s: &mut State) -> Option<()> {
        self.stats.right_hand_sides += 1;
        self.algebraic.solve(self.sys, s).ok()?;
        self.saddle.accelerate(self.sys, s).ok()
    }

    /// The same on the constraints.
    pub fn land(&mut self, s: &mut State) -> Option<()> {
        let dims = self.sys.dims();
        if dims.nc > 0 {
            self.stats.projection_evaluations += 1;
            self.saddle.project_position(self.sys, s).ok()?;
        }
        if dims.rows() > 0 {
            self.stats.projection_evaluations += 1;
            self.saddle.project_velocity(self.sys, s).ok()?;
        }
        self.accelerate(s)
    }
}

impl Starter {
    /// One step from a state with its accelerations to `t`; `out` has none yet.
    pub fn step(
        [stage, out]: [&mut State; 2],
        [y, rates, sum]: [&mut [f64]; 3],
        from: &State,
        t: f64,
        means: &mut Means<'_>,
    ) -> Option<()> {
        let h = t - from.t;
        ode::pack(from, y);
        ode::pack_rates(means.sys, from, rates);
        sum.copy_from_slice(y);
        stage.copy_from(from);
        for (c, b) in [(0.5, 1.0), (0.5, 2.0), (1.0, 2.0)] {
            for (sum, rate) in sum.iter_mut().zip(&*rates) {
                *sum += b * h / 6.0 * rate;
            }
            let here = if c == 1.0 { t } else { from.t + c * h };
            advance(y, c * h, rates, here, stage);
            means.accelerate(stage)?;
            ode::pack_rates(means.sys, stage, rates);
        }
        out.copy_from(stage);
        advance(sum, h / 6.0, rates, t, out);
        Some(())
    }

    /// Weighted distance of two states.
    fn distance(&self, a: &State, b: &State, w: &Weights) -> f64 {
        let mut top = 0.0f64;
        let mut see = |a: &[f64], b: &[f64], w: &[f64]| {
            for ((a, b), w) in a.iter().zip(b).zip(w) {
                let e = ((a - b) * w).abs();
                // NaN must not pass
                top = if e <= top { top } else { e };
            }
        };
        see(&a.q, &b.q, &w.q);
        see(&a.v, &b.v, &w.v);
        for (i, _) in (self.differential.iter().enumerate()).filter(|(_, d)| **d) {
            see(&a.x[i..=i], &b.x[i..=i], &w.x[i..=i]);
        }
        top
    }

    /// Weighted error of the parabola through three nodes, at most `h^3 x3/(9 sqrt 3)` with the third derivative `x3`,
    /// from its slope at the last one, `x' + h^2 x3/3`.
    fn gap(&mut self, sys: &dyn System, nodes: &[State], h: f64, w: &Weights) -> f64 {
        let share = 1.0 / 27f64.sqrt();
        let [first, middle, last] = nodes else {
            return f64::NAN;
        };
        let nv = last.v.len();
        ode::pack(first, &mut self.y);
        ode::pack(middle, &mut self.sum);
        ode::pack_rates(sys, last, &mut self.rates);
        let newest = [&last.q, &last.v, &last.x].into_iter().flatten();
        let weights = [&w.q, &w.v, &w.x].into_iter().flatten();
        let mut top = 0.0f64;
        for (i, (y, w)) in newest.zip(weights).enumerate() {
            if i >= 2 * nv && !self.differential[i - 2 * nv] {
                continue;
            }
            let slope = 1.5 * y - 2.0 * self.sum[i] + 0.5 * self.y[i];
            let e = share * ((slope - h * self.rates[i]) * w).abs();
            // NaN must not pass
            top = if e <= top { top } else { e };
        }
        top
    }

    /// Makes some nodes from the first one on with steps of `h`; the last one is at `end` if that is
    /// given. Returns the step that was good enough.
    fn run(
        &mut self,
        steps: usize,
        h: f64,
        end: Option<f64>,
        w: &Weights,
        means: &mut Means<'_>,
    ) -> Option<f64> {
        let last = h;
        let (mut h, mut end) = (h, end);
        let mut stage = std::mem::take(&mut self.stage);
        let mut double = std::mem::take(&mut self.double);
        let mut nodes = std::mem::take(&mut self.nodes);
        let t = nodes[0].t;
        let mut made = None;
        for reduction in 0..=REDUCTIONS {
            let at = |j: usize| match end {
                Some(end) if j == steps => end,
                _ => t + j as f64 * h,
            };
            let mut ok = Some(());
            for j in 1..=steps {
                let (old, new) = nodes.split_at_mut(j);
                let room = [&mut self.y[..], &mut self.rates, &mut self.sum];
                ok = Starter::step([&mut stage, &mut new[0]], room, &old[j - 1], at(j), means)
                    .and_then(|()| means.land(&mut new[0]));
                if ok.is_none() {
                    break;
                }
                if j % 2 == 0 {
                    let room = [&mut self.y[..], &mut self.rates, &mut self.sum];
                    let made = [&mut stage, &mut double];
                    ok = Starter::step(made, room, &nodes[j - 2], at(j), means);
                    let e = self.distance(&nodes[j], &double, w) / 15.0;
                    let (e, power) = match steps {
                        FEW => (e.max(self.gap(means.sys, &nodes[..=FEW], h, w)), 1.0 / 3.0),
                        _ => (e, 0.2),
                    };
                    // NaN: by far too long
                    let factor = 0.8 * (ALLOWED / e).powf(power);
                    if ok.is_some() && e <= ALLOWED {
                        if j == 2 && steps > FEW {
                            self.hint = h * factor.min(2.0);
                        }
                        continue;
                    }
                    h *= if factor > 0.3 { factor.min(0.9) } else { 0.3 };
                    ok = None;
                    break;
                }
            }
            if ok.is_some() {
                made = Some(h);
                break;
            }
            end = None;
            if h < STIFF * last || reduction == REDUCTIONS {
                break;
            }
        }
        (self.stage, self.double, self.nodes) = (stage, double, nodes);
        made
    }
}

/// `s = y + c rates` at `t`.
fn advance(y: &[f64], c: f64, rates: &[f64], t: f64, s: &mut State) {
    s.t = t;
    let parts = [&mut s.q, &mut s.v, &mut s.x];
    let sums = y.iter().zip(rates).map(|(y, r)| y + c * r);
    for (o, x) in parts.into_iter().flatten().zip(sums) {
        *o = x;
    }
}

impl Engine<'_> {
    /// Number and size of the steps of a history behind an event that has so much room, where one is to be made.
    fn seed_steps(&mut self, room: f64) -> Option<(usize, f64)> {
        let last = self.progress.fresh?;
        let (steps, mut h) = match room < SHORT * self.progress.next.h {
            true => (FEW, room / FEW as f64),
            false => (STEPS, self.starter.hint.clamp(0.5 * last, 2.0 * last)),
        };
        if !self.starter.is_hopeful() || !self.controller.takes_over(0.5 * last, steps) {
            return None;
        }
        h = h.min(self.plan.max_step / steps as f64);
        if self.curved {
            h = h.min(self.rotation_limit(steps, self.stepper.state()));
        }
        if self.switching {
            // all of them are looked through as one step
            h = h.min(self.feature_limit() / steps as f64);
        }
        Some((steps, h))
    }

    /// Whether it depends on the end of the run how it goes on from `t`.
    pub(super) fn seeds_to_the_end(&mut self, t: f64) -> bool {
        let room = self.plan.t_end - t;
        self.seed_steps(room)
            .is_some_and(|(steps, h)| steps == FEW || steps as f64 * h > MEETS * room)
    }

    /// Gives a multistep method that has just begun anew a history, up to `target` at most. `None`: it
    /// has to begin at order 1.
    pub(super) fn seed(&mut self, target: Option<f64>) -> Option<Choice> {
        let target = target.unwrap_or(self.plan.t_end);
        let room = target - self.stepper.state().t;
        let wanted = self.seed_steps(room);
        self.progress.fresh = None;
        let (steps, mut h) = wanted?;
        let blocks = steps as f64;
        let end = (blocks * h > MEETS * room).then_some(target);
        if end.is_some() {
            h = room / blocks;
        }
        if !self.plan.consistent {
            self.consistent.copy_from(self.stepper.state());
        }
        self.starter.nodes[0].copy_from(&self.consistent);
        let mut means = Means {
            sys: self.sys,
            saddle: &mut self.saddle,
            algebraic: &mut self.algebraic,
            stats: &mut self.stats,
        };
        let made = self.starter.run(steps, h, end, &self.weights, &mut means);
        let Some(h) = made else {
            self.starter.vain += 1;
            return None;
        };
        (self.starter.vain, self.starter.steps) = (0, steps);
        let nodes = &self.starter.nodes[..=steps];
        self.stepper.seed(self.sys, nodes, h);
        self.stats.accept_step();
        Some(self.controller.take_over(h, steps))
    }
}
