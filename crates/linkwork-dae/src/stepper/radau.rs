//! Radau IIA: collocation at Radau's points, 3, 5 or 7 stages of order 5, 9 or 13.
//!
//! ```text
//!  stages i = 1..s at t_n + c_i h:    q'_i = (1/h) sum_j w_ij (q_j - q_n),    v'_i, x'_i likewise
//!  index 3:     M v'_i + C_q' lambda_i = Q,   C = 0,   v_i = q'_i
//!  stabilised:  M v'_i + C_q' lambda_i = Q,   W (q'_i - v_i) + C_q' xi_i = 0,   C_q v_i + C_t = 0,   C = 0
//! ```
//!
//! The last stage is the end of the step (Hairer & Wanner 1996, IV.5). In index 3 velocities have order
//! s only, but their error is normal to the constraints: projected at the end of every step they have the order of the
//! positions, 2s - 1, for half the unknowns of the stabilised form. Accelerations and multipliers of accepted states are
//! those of the acceleration level. A-stable and stiffly accurate at every order, so fast vibrations that are not excited
//! do not limit the step.
//!
//! Bad at: equations that switch often (a failed solve costs `s` stages), very large systems where factors dominate.

mod collocation;
mod frames;
mod pair;
mod past;
mod scheme;

use super::{Choice, ITERATIONS_REACH, Stepper, Trial};
use crate::corrector::Retry;
use crate::implicit::Implicit;
use crate::jacobian::excitation::Following;
use crate::memory::Memory;
use crate::saddle::{Saddle, SaddleError};
use crate::state::{State, Weights};
use crate::stats::Stats;
use crate::system::{Rows, System};
use collocation::{Collocation, Course, Measure};
use past::Past;
use scheme::Scheme;

/// Highest order on offer.
pub const MAX_ORDER: usize = 13;

/// See the [module](self).
pub struct Radau {
    schemes: Vec<Scheme>,
    /// The one of the last attempt.
    used: usize,
    equations: Collocation,
    saddle: Saddle,
    constrained: bool,
    now: State,
    next: State,
    past: Past,
    course: Course,
}

/// The method of an order, or of the next higher one there is.
fn of_order(order: usize) -> usize {
    match order {
        0..6 => 0,
        6..10 => 1,
        _ => 2,
    }
}

/// The method with so many stages.
fn of_stages(stages: usize) -> usize {
    (stages.max(3) - 3) / 2
}

impl Radau {
    /// The method over the given parts, for equations that are known to be `stiff` or not.
    pub fn new(implicit: Implicit, stiff: bool) -> Radau {
        Radau {
            schemes: Scheme::all(),
            used: 0,
            saddle: Saddle::unbound(implicit.matrix.solver.another()),
            equations: Collocation::new(implicit, stiff),
            constrained: false,
            now: State::default(),
            next: State::default(),
            past: Past::default(),
            course: Course::default(),
        }
    }

    /// The method of the last accepted step.
    fn last(&self) -> &Scheme {
        &self.schemes[of_stages(self.past.stages())]
    }

    /// Moves the base of a chart to the newest state.
    fn rebase(&mut self, sys: &mut dyn System) {
        let nodes = self.last().nodes;
        let Radau { now, past, .. } = self;
        if let Some(chart) = sys.chart_mut()
            && chart.rebase(now.t, &now.q)
        {
            past.carry(chart, nodes);
            chart.carry(now.t, &mut now.q, &mut now.v);
        }
    }

    /// Solves for the stages and estimates their error.
    fn solve(
        &mut self,
        sys: &mut dyn System,
        w: &Weights,
        stats: &mut Stats,
    ) -> Result<Trial, Retry> {
        let scheme = &self.schemes[self.used];
        let measure = Measure::new(w.rtol(), scheme.stages);
        let now = &self.now;
        let equations = &mut self.equations;
        self.course = equations.solve(sys, w, stats, (scheme, now, &measure))?;
        let (err, worst) = equations.estimate(w, stats, (scheme, now, &measure));
        Ok(Trial {
            err: [f64::INFINITY, f64::INFINITY, err, f64::INFINITY],
            difference: [f64::INFINITY; 4],
            order: scheme.order(),
            worst,
            iterations: self.course.iterations,
            contraction: self.course.contraction,
            rate: w.rate(),
        })
    }

    /// The end of the step: velocities on their constraints, accelerations and multipliers of the
    /// acceleration level. Where these have no value, at a singular pose, those of the stage.
    fn arrive(&mut self, sys: &mut dyn System, stats: &mut Stats, h: f64) -> Result<(), Retry> {
        let end = &self.equations.stages[self.schemes[self.used].stages - 1].s;
        self.next.copy_from(end);
        self.next.t = self.now.t + h;
        if !self.constrained {
            return Ok(());
        }
        stats.projection_evaluations += 2;
        stats.factorisations += 1;
        stats.solves += 2;
        let arrived = self.saddle.arrive(sys, &mut self.next);
        stats.settling_evaluations += self.saddle.take_settled();
        match arrived {
            Ok(()) => Ok(()),
            Err(SaddleError::Eval(e)) => Err(Retry::Eval(e)),
            Err(_) => {
                self.next.copy_from(end);
                self.next.t = self.now.t + h;
                Ok(())
            }
        }
    }
}

impl Stepper for Radau {
    fn bind(&mut self, sys: &mut dyn System, keep: &Rows) {
        let dims = sys.dims();
        self.equations.bind(sys, keep);
        self.saddle.bind(sys, keep);
        self.constrained = !keep.c.is_empty();
        (self.now, self.next) = (State::new(dims), State::new(dims));
        self.past = Past::new(dims, sys.chart().is_some());
    }

    fn start(&mut self, _: &dyn System, s: &State, _: &[f64], _: f64) {
        self.equations.restart();
        self.now.copy_from(s);
        self.past.known = false;
    }

    fn keeps_step(&self) -> bool {
        true
    }

    fn leaves_constraints(&self) -> bool {
        true
    }

    /// That of the error estimate with the fewest stages.
    fn first_order(&self) -> usize {
        3
    }

    fn attempt(
        &mut self,
        sys: &mut dyn System,
        w: &Weights,
        stats: &mut Stats,
        next: Choice,
    ) -> Result<Trial, Retry> {
        self.rebase(sys);
        self.used = of_order(next.order);
        let last = &self.schemes[of_stages(self.past.stages())];
        let scheme = &self.schemes[self.used];
        (self.equations).predict((scheme, last), &self.past, &self.now, next.h);
        let trial = match sys.stage_form_mut() {
            Some(form) => self.solve(form, w, stats),
            None => self.solve(sys, w, stats),
        }?;
        self.arrive(sys, stats, next.h)?;
        Ok(trial)
    }

    fn accept(&mut self) {
        let scheme = &self.schemes[self.used];
        let stages = &mut self.equations.stages[..scheme.stages];
        let departure = &self.equations.departure;
        (self.past).take((&self.now, &self.next), stages, scheme, departure);
        std::mem::swap(&mut self.now, &mut self.next);
        self.equations.accepted(&self.course);
    }

    fn state(&self) -> &State {
        &self.now
    }

    fn interpolate(&self, t: f64, out: &mut State) {
        out.copy_from(&self.now);
        out.t = t;
        if self.past.known {
            self.past.interpolate(self.last(), t, out);
        }
    }

    fn stage(&self, span: [f64; 2], i: usize, out: &mut State) -> Option<f64> {
        if span != [self.past.t, self.now.t] {
            return None;
        }
        let last = self.last();
        self.past.stage(last, i, out)?;
        Some(last.weights()[i])
    }

    fn extrapolate(&self, t: f64, out: &mut State) -> f64 {
        out.copy_from(&self.now);
        out.t = t;
        if !self.past.known {
            let dt = t - self.now.t;
            for (q, v) in out.q.iter_mut().zip(&self.now.v) {
                *q += dt * v;
            }
            return 1.0;
        }
        let last = self.last();
        (self.past).along(last, t, &mut out.q, &mut out.v, &mut out.x);
        self.past.astray(last, t)
    }

    fn reach(&self) -> f64 {
        ITERATIONS_REACH
    }

    fn largest_gap(&self) -> f64 {
        let nodes = self.schemes[self.used].nodes;
        let gaps = nodes.windows(2).map(|c| c[1] - c[0]);
        gaps.fold(nodes[0], f64::max)
    }

    fn max_order(&self) -> usize {
        MAX_ORDER
    }

    fn following(&self) -> Option<Following> {
        self.equations.following()
    }

    fn memory(&mut self, m: &mut Memory) {
        let Radau {
            schemes: _,
            used,
            equations,
            saddle,
            constrained: _,
            now,
            next: _,
            past,
            course: _,
        } = self;
        m.section("radau");
        m.index(used, 0..=2);
        now.memory(m);
        past.memory(m);
        equations.memory(m);
        saddle.memory(m);
    }
}
