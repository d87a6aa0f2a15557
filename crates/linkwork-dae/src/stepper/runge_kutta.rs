//! Embedded explicit Runge-Kutta pairs on an [`Ode`].
//!
//! The step goes on with the higher order. The rates at its end are those of the first stage of the
//! next step; they are taken *after* the projection, so that nothing is evaluated twice: the
//! estimate then sees a point that is off by the drift of the step, which changes it by one order
//! of `h` more than its own. Dense output is that of the pair where it has one, paid for by further
//! stages of steps that pass the error test, else Hermite's. Bad at: stiff systems (it says so) and kinks.

use super::stiffness::Stiffness;
use super::tableau::Tableau;
use super::track::{Track, combine};
use super::{Choice, Stepper, Trial};
use crate::corrector::Retry;
use crate::memory::Memory;
use crate::ode::{Ode, measure};
use crate::state::{State, Weights};
use crate::stats::Stats;
use crate::system::{Row, Rows, System};

/// A step from a place where forces begin as `t^e`, `1 < e`, has an error of `h^(e + 1)` at least.
const ROUGH_ORDER: usize = 2;

/// See the [module](self).
pub struct RungeKutta {
    tableau: &'static Tableau,
    track: Track,
    k: Vec<Vec<f64>>,
    stage: Vec<f64>,
    error: Vec<f64>,
    stiffness: Stiffness,
    /// Whether it starts where the equations are not smooth.
    rough: bool,
    /// Coefficients of the dense output, those of the attempt second, and whether there are any.
    curve: [Vec<Vec<f64>>; 2],
    extended: [bool; 2],
    /// Step and fastest rate of the attempt.
    h: f64,
    rate: f64,
    /// The last accepted step.
    step: f64,
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
            rough: false,
            curve: Default::default(),
            extended: [false; 2],
            h: 0.0,
            rate: 0.0,
            step: 0.0,
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
        // the quotient of the two is of order h^8 (Hairer, Nørsett & Wanner 1993, II.10), where the motion is smooth: of a
        // force t^(3/2) it is a third of the error, but the finer one by itself is 1.5 times as large
        let (coarse, _) = sum(t.coarse);
        let (fine, worst) = sum(t.error);
        if self.rough {
            return (fine, worst);
        }
        let scale = (fine * fine + 0.01 * coarse * coarse).sqrt();
        let err = if scale == 0.0 {
            0.0
        } else {
            fine * fine / scale
        };
        (err, worst)
    }
}

impl RungeKutta {
    /// Further stages and the coefficients of the dense output of an attempt that may be accepted.
    fn extend(&mut self, sys: &mut dyn System, stats: &mut Stats) -> Result<(), Retry> {
        let Some(extension) = self.tableau.extension else {
            return Ok(());
        };
        let (track, h) = (&mut self.track, self.h);
        let end = self.tableau.b.len();
        for (i, (row, c)) in extension.a.iter().zip(extension.c).enumerate() {
            combine(&track.y, h, row, &self.k, &mut self.stage);
            let t = track.now.t + c * h;
            track.rates(sys, stats, t, &self.stage, &mut self.k[end + 1 + i])?;
        }
        let [change, first, second, others @ ..] = &mut self.curve[1][..] else {
            return Ok(());
        };
        for i in 0..change.len() {
            let (k_first, k_last) = (self.k[0][i], self.k[end][i]);
            change[i] = track.y_next[i] - track.y[i];
            first[i] = h * k_first - change[i];
            second[i] = 2.0 * change[i] - h * (k_first + k_last);
        }
        for (f, d) in others.iter_mut().zip(extension.d) {
            f.fill(0.0);
            for (w, k) in d.iter().zip(&self.k).filter(|(w, _)| **w != 0.0) {
                for (f, k) in f.iter_mut().zip(k) {
                    *f += h * w * k;
                }
            }
        }
        self.extended[1] = true;
        Ok(())
    }

    /// The own dense output at `t` of the last step.
    fn evaluate(&self, t: f64, out: &mut State) {
        let end = self.track.now.t;
        let theta = 1.0 + (t - end) / self.step;
        let curve = &self.curve[0];
        self.track.fill(t, out, |i, y| {
            let mut sum = 0.0;
            for (j, f) in curve.iter().enumerate().rev() {
                sum = (sum + f[i]) * if j % 2 == 0 { theta } else { 1.0 - theta };
            }
            // the first coefficient is the whole change of the step
            y - curve[0][i] + sum
        });
    }
}

impl Stepper for RungeKutta {
    fn memory(&mut self, m: &mut Memory) {
        let RungeKutta {
            tableau,
            track,
            k: _,
            stage: _,
            error: _,
            stiffness,
            rough,
            curve,
            extended,
            h,
            rate,
            step,
        } = self;
        m.section("pair");
        m.same(tableau.order as u64);
        track.memory(m);
        stiffness.memory(m);
        m.bool(rough);
        for coefficients in curve.iter_mut().flatten() {
            m.slice(coefficients);
        }
        for known in extended {
            m.bool(known);
        }
        for x in [h, rate, step] {
            m.f64(x);
        }
    }

    fn keeps_step(&self) -> bool {
        true
    }

    fn put_back(&mut self, sys: &mut dyn System, s: &mut State) -> bool {
        self.track.ode.put_back(sys, s)
    }

    fn leaves_constraints(&self) -> bool {
        true
    }

    fn start(&mut self, sys: &dyn System, s: &State, _: &[f64], _: f64) {
        self.track.start(sys, s);
        self.extended = [false; 2];
        self.rough = false;
    }

    fn beware(&mut self) {
        self.rough = true;
    }

    fn bind(&mut self, sys: &mut dyn System, keep: &Rows) {
        self.track.bind(sys, keep, self.tableau.dense);
        let n = self.track.y.len();
        let further = self.tableau.extension.map_or(0, |e| e.c.len());
        self.k = vec![vec![0.0; n]; self.tableau.b.len() + 1 + further];
        let terms = self.tableau.extension.map_or(0, |e| 3 + e.d.len());
        self.curve = std::array::from_fn(|_| vec![vec![0.0; n]; terms]);
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
        if self.track.rebase(sys) {
            // the curve of the last step is about the base that it was made with
            self.extended[0] = false;
        }
        let track = &mut self.track;
        let t = track.now.t;
        let before = stats.right_hand_sides;
        track.begin(sys, stats)?;
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
        let (err, worst) = self.estimate(w);
        self.extended[1] = false;
        if err <= 1.0 {
            self.extend(sys, stats)?;
        }
        stats.count_step(before);
        Ok(Trial {
            err: [f64::INFINITY, f64::INFINITY, err, f64::INFINITY],
            difference: [f64::INFINITY; 4],
            order: match self.rough {
                true => ROUGH_ORDER,
                false => table.estimate,
            },
            worst,
            iterations: 0,
            contraction: 0.0,
            rate: w.rate(),
        })
    }

    fn accept(&mut self) {
        self.track.accept();
        self.rough = false;
        self.curve.swap(0, 1);
        self.extended.swap(0, 1);
        self.step = self.h;
        let at_limit = self.h * self.rate > self.tableau.stability;
        self.stiffness
            .step(self.track.now.t, self.h, self.rate, at_limit);
    }

    fn state(&self) -> &State {
        &self.track.now
    }

    fn interpolate(&self, t: f64, out: &mut State) {
        // without further stages it is of a lower order than what the points before tell, if there are any
        let plain = self.tableau.extension.is_some_and(|e| e.c.is_empty());
        let told = plain && self.track.dense.known() >= self.tableau.dense;
        if self.extended[0] && !told {
            self.evaluate(t, out);
        } else {
            self.track.interpolate(t, self.tableau.dense, out);
        }
    }

    fn extrapolate(&self, t: f64, out: &mut State) -> f64 {
        self.track.extrapolate(t, self.tableau.dense, out)
    }

    fn largest_gap(&self) -> f64 {
        self.tableau.largest_gap()
    }

    fn max_order(&self) -> usize {
        self.tableau.order
    }

    fn notes(&self, out: &mut Vec<String>) {
        self.stiffness.note(out);
    }
}
