//! Derivatives of the state-space equations by differences of their right-hand side, where the blocks of
//! a system do not tell them: rows of velocities are in force (what rolls, what sticks), or multipliers are
//! tied to others (what slides).
//!
//! ```text
//!  F(t, w, p):  u from C = 0,  v from C_q v + C_t = 0 and g = 0,  a from the acceleration level
//! ```
//!
//! Rows `g = 0` are invariants of these equations: accelerations keep them, and wherever `F` is evaluated
//! velocities are moved onto them first. So the method has as many unknowns as without them, and `F` does not
//! change where `p` leaves them. Central differences are good to ten digits; a further term of the order of the
//! step is what linearly implicit methods of order 4 could not do without.

use super::Rosenbrock;
use crate::corrector::Retry;
use crate::reduced::ARM;
use crate::state::Weights;
use crate::stats::Stats;
use crate::system::System;

/// Arm of central differences, relative to what is moved: their error is its square, and rounding over it.
fn arm(x: f64, size: f64) -> f64 {
    f64::EPSILON.cbrt() * x.abs().max(size)
}

impl Rosenbrock {
    /// Fills `slope` at the beginning of a step of size `h`; its mass is one.
    pub(super) fn difference(
        &mut self,
        sys: &mut dyn System,
        h: f64,
        w: &Weights,
        stats: &mut Stats,
    ) -> Result<(), Retry> {
        let (d, p) = self.sizes();
        let nv = self.track.now.v.len();
        stats.jacobian_evaluations += 1;
        let before = stats.right_hand_sides;
        let speed = self.speed(h, w);
        self.slope.mass.fill(0.0);
        for i in 0..d {
            self.slope.mass[i * d + i] = 1.0;
        }
        for k in 0..d {
            let j = self.track.ode.reduced.independent()[k];
            let by = arm(self.track.y[j], w.size(j));
            self.column(sys, stats, by, |this, by| {
                this.stage[j] += by;
                let reduced = &this.track.ode.reduced;
                for (i, &u) in reduced.dependent().iter().enumerate() {
                    this.stage[u] += reduced.tangent()[i * d + k] * by;
                }
            })?;
            for i in 0..p {
                self.slope.by_w[i * d + k] = self.right[i];
            }
            let by = f64::EPSILON.cbrt() * speed * w.size(j);
            self.column(sys, stats, by, |this, by| this.stage[nv + j] += by)?;
            for i in 0..p {
                self.slope.by_p[i * p + k] = self.right[i];
            }
        }
        for k in d..p {
            let j = 2 * nv + k - d;
            let by = arm(self.track.y[j], 1.0 / w.x[k - d]);
            self.column(sys, stats, by, |this, by| this.stage[j] += by)?;
            for i in 0..p {
                self.slope.by_p[i * p + k] = self.right[i];
            }
        }
        self.slope.by_t.fill(0.0);
        if !self.scheme.rough {
            self.along_time(sys, stats, ARM * h)?;
        }
        stats.residual_evaluations_for_jacobians += stats.right_hand_sides - before;
        stats.right_hand_sides = before;
        Ok(())
    }

    /// The speeds that a step meets, relative to typical sizes. Friction in a plane turns with its slip: what is
    /// slow may not be moved by more than a little of its speed, and what begins to move by a little of what it gains.
    fn speed(&self, h: f64, w: &Weights) -> f64 {
        let now = &self.track.now;
        let of = |x: &[f64]| {
            let all = x.iter().enumerate();
            all.fold(0.0f64, |m, (i, x)| m.max((x / w.size(i)).abs()))
        };
        let speed = of(&now.v) + h * of(&now.a);
        if speed > 0.0 { speed } else { w.rate() }
    }

    /// A quotient of central differences into `right`.
    fn column(
        &mut self,
        sys: &mut dyn System,
        stats: &mut Stats,
        by: f64,
        change: impl Fn(&mut Rosenbrock, f64),
    ) -> Result<(), Retry> {
        let t = self.track.now.t;
        for side in [by, -by] {
            self.stage.copy_from_slice(&self.track.y);
            change(self, side);
            self.track
                .rates(sys, stats, t, &self.stage, &mut self.rates)?;
            std::mem::swap(&mut self.right, &mut self.sum);
            self.take_right();
        }
        // the first of the two is in `sum`
        for (minus, plus) in self.right.iter_mut().zip(&self.sum) {
            *minus = (plus - *minus) / (2.0 * by);
        }
        Ok(())
    }

    /// Derivatives by time, forwards: the step may begin where a force jumps, and its own way is smooth.
    fn along_time(
        &mut self,
        sys: &mut dyn System,
        stats: &mut Stats,
        arm: f64,
    ) -> Result<(), Retry> {
        let t = self.track.now.t;
        let (near, far) = (t + arm, t + 2.0 * arm);
        let (a, b) = (near - t, far - t);
        let near = (near, b / (a * (b - a)));
        let far = (far, -a / (b * (b - a)));
        for (t, weight) in [(t, -near.1 - far.1), near, far] {
            self.stage.copy_from_slice(&self.track.y);
            self.track
                .rates(sys, stats, t, &self.stage, &mut self.rates)?;
            self.take_right();
            for (by_t, f) in self.slope.by_t.iter_mut().zip(&self.right) {
                *by_t += weight * f;
            }
        }
        Ok(())
    }
}
