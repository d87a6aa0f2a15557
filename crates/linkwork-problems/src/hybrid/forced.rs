//! An oscillator of mass 1 and stiffness 100 under forces that jump: known by the clock, known in place,
//! or not known at all.

use super::remember;
use crate::small::Equations;
use linkwork_dae::memory::Memory;
use linkwork_dae::state::State;
use linkwork_dae::system::{After, At};

const STIFFNESS: f64 = 100.0;
const OMEGA: f64 = 10.0;

/// What the force does between instants of the clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Course {
    /// `+force` and `-force` by turns, each for half a period.
    Square {
        /// Size, N.
        force: f64,
        /// Period, s.
        period: f64,
    },
    /// `force` from `from` to `to`.
    Pulse {
        /// Size, N.
        force: f64,
        /// Beginning, s.
        from: f64,
        /// End, s.
        to: f64,
    },
    /// Rises from `-force` to `force` in every period.
    Sawtooth {
        /// Size, N.
        force: f64,
        /// Period, s.
        period: f64,
    },
}

/// The oscillator, at rest at first.
#[derive(Clone)]
pub struct Forced {
    /// The force.
    pub course: Course,
    /// Instants passed, the start included.
    pub passed: usize,
}

impl Forced {
    /// At the start.
    pub fn new(course: Course) -> Forced {
        Forced { course, passed: 0 }
    }

    /// The instant after `k` others.
    fn instant(&self, k: usize) -> Option<f64> {
        let k = k as f64;
        match self.course {
            Course::Square { period, .. } => Some(0.5 * period * k),
            Course::Sawtooth { period, .. } => Some(period * k),
            Course::Pulse { from, to, .. } => [0.0, from, to].get(k as usize).copied(),
        }
    }

    /// Force and its rate after `k` instants.
    fn force_after(&self, k: usize, t: f64) -> (f64, f64) {
        match self.course {
            Course::Square { force, .. } => (if k % 2 == 1 { force } else { -force }, 0.0),
            Course::Pulse { force, .. } => (if k == 2 { force } else { 0.0 }, 0.0),
            Course::Sawtooth { force, period } => {
                let rate = 2.0 * force / period;
                let since = t - self.instant(k.saturating_sub(1)).unwrap_or(0.0);
                (rate * since - force, rate)
            }
        }
    }

    /// Position and velocity at `t`, piece by piece.
    pub fn at(&self, t: f64) -> (f64, f64) {
        let (mut x, mut v) = (0.0, 0.0);
        for k in 1.. {
            let Some(from) = self.instant(k - 1).filter(|from| *from < t) else {
                break;
            };
            let to = self.instant(k).unwrap_or(t).min(t);
            // x = p + A cos + B sin with the force's own line as p
            let (f, rate) = self.force_after(k, from);
            let (p, slope) = (f / STIFFNESS, rate / STIFFNESS);
            let (a, b) = (x - p, (v - slope) / OMEGA);
            let dt = to - from;
            let (sin, cos) = (OMEGA * dt).sin_cos();
            x = p + slope * dt + a * cos + b * sin;
            v = slope + OMEGA * (b * cos - a * sin);
        }
        (x, v)
    }
}

impl Equations for Forced {
    const N: usize = 1;

    fn names(&self) -> Vec<(&'static str, &'static str)> {
        vec![("mass", "m")]
    }

    fn start(&self) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        (vec![0.0], vec![0.0], vec![])
    }

    fn scale(&self, _: usize) -> f64 {
        0.1
    }

    fn mass(&self, _: &[f64], _: f64, m: &mut [f64]) {
        m[0] = 1.0;
    }

    fn force(&self, at: &At<'_>, f: &mut [f64]) {
        f[0] = self.force_after(self.passed, at.t).0 - STIFFNESS * at.q[0];
    }

    fn force_q(&self, _: &At<'_>, f_q: &mut [f64], _: &mut [f64], _: &mut [f64]) {
        f_q[0] = -STIFFNESS;
    }

    fn next_time_event(&self, _: f64) -> Option<f64> {
        self.instant(self.passed)
    }

    fn on_time_event(&mut self, s: &mut State) -> After {
        while self.instant(self.passed).is_some_and(|t| t <= s.t) {
            self.passed += 1;
        }
        After::Restart
    }

    fn memory(&mut self, m: &mut Memory) {
        remember(m, &mut self.passed);
    }
}

/// Where a force jumps that nobody is told about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Hidden {
    /// At a time.
    Time(f64),
    /// Where the mass passes a place.
    Place(f64),
    /// Nowhere: from a time on it grows, by its size in every second.
    Kink(f64),
    /// Nowhere: it changes over `width` about a time.
    Soft {
        /// The time.
        at: f64,
        /// How long it takes.
        width: f64,
    },
}

/// A damped oscillator `x'' + 0.4 x' + (2 pi)^2 x = 10 cos 3t`, from `x = 1`, with a further force that is
/// switched on in secret.
#[derive(Clone)]
pub struct Secret {
    /// Where.
    pub hidden: Hidden,
    /// The further force.
    pub force: f64,
}

impl Equations for Secret {
    const N: usize = 1;

    fn names(&self) -> Vec<(&'static str, &'static str)> {
        vec![("mass", "m")]
    }

    fn start(&self) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        (vec![1.0], vec![0.0], vec![])
    }

    fn mass(&self, _: &[f64], _: f64, m: &mut [f64]) {
        m[0] = 1.0;
    }

    fn force(&self, at: &At<'_>, f: &mut [f64]) {
        let on = match self.hidden {
            Hidden::Time(t) => f64::from(u8::from(at.t > t)),
            Hidden::Place(x) => f64::from(u8::from(at.q[0] < x)),
            Hidden::Kink(t) => (at.t - t).max(0.0),
            Hidden::Soft { at: t, width } => 0.5 + 0.5 * ((at.t - t) / width).tanh(),
        };
        let omega = std::f64::consts::TAU;
        f[0] =
            10.0 * (3.0 * at.t).cos() + self.force * on - omega * omega * at.q[0] - 0.4 * at.v[0];
    }

    fn force_q(&self, _: &At<'_>, f_q: &mut [f64], f_v: &mut [f64], _: &mut [f64]) {
        f_q[0] = -std::f64::consts::TAU.powi(2);
        f_v[0] = -0.4;
    }
}
