//! Spectral radius of a right-hand side by the nonlinear power method (Sommeijer, Shampine & Verwer
//! 1998):
//!
//! ```text
//!  z = y + delta v / |v|,   v <- f(z) - f(y),   rho = sqrt( |v_n| |v_{n-1}| ) / delta
//! ```
//!
//! The geometric mean of two iterations is what makes it work in mechanics: for a vibration the
//! single ratios alternate between `w^2` and 1 times a unit of time.

use super::track::Track;
use crate::corrector::Retry;
use crate::memory::Memory;
use crate::state::Weights;
use crate::stats::Stats;
use crate::system::System;

const MAX_ITERATIONS: usize = 50;
const ACCURACY: f64 = 0.05;
/// The estimate comes from below.
const SAFETY: f64 = 1.2;

/// The last direction, from which the next estimate starts.
#[derive(Default)]
pub(super) struct SpectralRadius {
    direction: Vec<f64>,
    point: Vec<f64>,
    rates: Vec<f64>,
    scale: Vec<f64>,
    begun: bool,
}

impl SpectralRadius {
    pub fn memory(&mut self, m: &mut Memory) {
        let SpectralRadius {
            direction,
            point: _,
            rates: _,
            scale: _,
            begun,
        } = self;
        m.slice(direction);
        m.bool(begun);
    }

    pub fn reset(&mut self, n: usize) {
        self.direction = vec![0.0; n];
        self.point = vec![0.0; n];
        self.rates = vec![0.0; n];
        self.scale = vec![0.0; n];
        self.begun = false;
    }

    fn norm(&self, x: &[f64]) -> f64 {
        let sum: f64 = x
            .iter()
            .zip(&self.scale)
            .map(|(x, s)| (x * s).powi(2))
            .sum();
        sum.sqrt()
    }

    /// Typical sizes of the unknowns, so that a direction has no unit.
    fn weigh(&mut self, w: &Weights) {
        let nv = w.v.len();
        for i in 0..nv {
            self.scale[i] = 1.0 / w.scale()[i];
            self.scale[nv + i] = 1.0 / w.speed(i);
        }
        for (s, x) in self.scale[2 * nv..].iter_mut().zip(w.scale_x()) {
            *s = 1.0 / x;
        }
    }

    /// An upper estimate of the spectral radius at the newest accepted point.
    pub fn radius(
        &mut self,
        track: &mut Track,
        sys: &mut dyn System,
        w: &Weights,
        stats: &mut Stats,
    ) -> Result<f64, Retry> {
        self.weigh(w);
        let t = track.now.t;
        if !self.begun {
            // no symmetry of the mechanism may hide a mode from the first direction
            for (i, (d, s)) in self.direction.iter_mut().zip(&self.scale).enumerate() {
                *d = (1.0 + 0.5 * (i as f64 * 0.618_033_988_749_895).fract()) / s;
            }
            self.begun = true;
        }
        let delta = f64::EPSILON.sqrt() * self.norm(&track.y).max(1.0);
        let (mut last, mut rho) = (0.0, 0.0);
        for iteration in 0..MAX_ITERATIONS {
            let length = self.norm(&self.direction);
            if length == 0.0 || length.is_nan() {
                self.begun = false;
                break;
            }
            let c = delta / length;
            let y = track.y.iter().zip(&self.direction);
            for (z, (y, d)) in self.point.iter_mut().zip(y) {
                *z = y + c * d;
            }
            track.rates(sys, stats, t, &self.point, &mut self.rates)?;
            for (d, (a, b)) in self
                .direction
                .iter_mut()
                .zip(self.rates.iter().zip(&track.f))
            {
                *d = a - b;
            }
            let ratio = self.norm(&self.direction) / delta;
            let new = (ratio * last).sqrt();
            last = ratio;
            let settled = (new - rho).abs() <= ACCURACY * new;
            rho = new;
            if iteration > 1 && settled {
                break;
            }
        }
        Ok(if rho.is_finite() { SAFETY * rho } else { 0.0 })
    }
}
