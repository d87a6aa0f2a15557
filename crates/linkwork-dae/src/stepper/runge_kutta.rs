//! Embedded explicit Runge-Kutta pairs on an [`Ode`].
//!
//! The step goes on with the higher order. The rates at its end are those of the first stage of the
//! next step; they are taken *after* the projection, so that nothing is evaluated twice: the
//! estimate then sees a point that is off by the drift of the step, which changes it by one order
//! of `h` more than its own. Bad at: stiff systems (it says so) and kinks.

use super::stiffness::Stiffness;
use super::tableau::Tableau;
use super::track::{Track, combine};
use super::{Choice, Stepper, Trial};
use crate::corrector::Retry;
use crate::ode::{Ode, measure};
use crate::state::{State, Weights};
use crate::stats::Stats;
use crate::system::{Row, Rows, System};

/// See the [module](self).
pub struct RungeKutta {
    tableau: &'static Tableau,
    track: Track,
    k: Vec<Vec<f64>>,
    stage: Vec<f64>,
    error: Vec<f64>,
    stiffness: Stiffness,
    /// Step and fastest rate of the attempt.
    h: f64,
    rate: f64,
}

impl RungeKutta {
    /// A pair over the given equations.
    pub fn new(ode: Ode, tableau: &'static Tableau) -> RungeKutta {
        RungeKutta {
            tableau,
            track: Track::new(ode),
            k: Vec::new(),
            stage: Vec::new(),
            error: Vec::new(),
            stiffness: Stiffness::default(),
            h: 0.0,
            rate: 0.0,
        }
    }

    fn estimate(&mut self, w: &Weights) -> (f64, Row) {
        let t = self.tableau;
        let mut sum = |weights: &[f64]| {
            self.error.fill(0.0);
            for (e, k) in weights.iter().zip(&self.k).filter(|(e, _)| **e != 0.0) {
                for (o, k) in self.error.iter_mut().zip(k) {
                    *o += self.h * e * k;
                }
            }
            measure(&self.error, w)
        };
        if t.coarse.is_empty() {
            return sum(t.error);
        }
        // the quotient of the two is of order h^8 (Hairer, Nørsett & Wanner 1993, II.10)
        let (coarse, _) = sum(t.coarse);
        let (fine, worst) = sum(t.error);
        let scale = (fine * fine + 0.01 * coarse * coarse).sqrt();
        let err = if scale == 0.0 {
            0.0
        } else {
            fine * fine / scale
        };
        (err, worst)
    }
}

impl Stepper for RungeKutta {
    fn start(&mut self, sys: &mut dyn System, keep: &Rows, s: &State, _: &[f64], _: f64) {
        self.track.start(sys, keep, s, self.tableau.dense);
        let n = self.track.y.len();
        self.k = vec![vec![0.0; n]; self.tableau.b.len() + 1];
        self.stage = vec![0.0; n];
        self.error = vec![0.0; n];
        self.stiffness.reset(n, None);
    }

    fn attempt(
        &mut self,
        sys: &mut dyn System,
        w: &Weights,
        stats: &mut Stats,
        next: Choice,
    ) -> Result<Trial, Retry> {
        let (table, h) = (self.tableau, next.h);
        let track = &mut self.track;
        let t = track.now.t;
        let before = stats.right_hand_sides;
        self.h = h;
        self.k[0].copy_from_slice(&track.f);
        for (i, row) in table.a.iter().enumerate() {
            combine(&track.y, h, row, &self.k, &mut self.stage);
            let t = t + table.c[i + 1] * h;
            track.rates(sys, stats, t, &self.stage, &mut self.k[i + 1])?;
        }
        let (y, y_next) = (&track.y, &mut track.y_next);
        combine(y, h, table.b, &self.k, y_next);
        track.land(sys, stats, h)?;
        let stages = table.b.len();
        self.k[stages].copy_from_slice(&track.f_next);
        let y = [&track.y_next[..], &self.stage];
        let f = [&track.f_next[..], &self.k[stages - 1]];
        self.rate = self.stiffness.rate(y, f, w);
        stats.count_step(before);
        let (err, worst) = self.estimate(w);
        Ok(Trial {
            err: [f64::INFINITY, f64::INFINITY, err, f64::INFINITY],
            order: table.estimate,
            worst,
            iterations: 0,
        })
    }

    fn accept(&mut self) {
        self.track.accept();
        let at_limit = self.h * self.rate > self.tableau.stability;
        self.stiffness
            .step(self.track.now.t, self.h, self.rate, at_limit);
    }

    fn state(&self) -> &State {
        &self.track.now
    }

    fn interpolate(&self, t: f64, out: &mut State) {
        self.track.interpolate(t, self.tableau.dense, out);
    }

    fn max_order(&self) -> usize {
        self.tableau.order
    }

    fn notes(&self, out: &mut Vec<String>) {
        self.stiffness.note(out);
    }
}
