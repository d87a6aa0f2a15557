//! Impacts: a ball on a floor, a pendulum beside a wall.

use super::{GRAVITY, remember};
use crate::small::Equations;
use linkwork_dae::memory::Memory;
use linkwork_dae::state::State;
use linkwork_dae::switching::{Crossing, Sense, Switch};
use linkwork_dae::system::{After, At};

/// A ball that falls from rest at height 1 and keeps `restitution` of its speed at every impact:
///
/// ```text
///  t_n = t_1 (1 + 2 e (1 - e^(n-1)) / (1 - e)),   t_1 = sqrt(2/g),   t_n -> t_1 (1 + e) / (1 - e)
/// ```
///
/// Where the impacts pile up it comes to rest.
#[derive(Clone)]
pub struct Ball {
    /// Share of the speed that is left, 0 to 1.
    pub restitution: f64,
    /// 1 at rest.
    pub mode: usize,
}

impl Ball {
    /// A ball in the air.
    pub fn new(restitution: f64) -> Ball {
        Ball {
            restitution,
            mode: 0,
        }
    }

    /// Time of impact `n`, from 1 on.
    pub fn impact(&self, n: u32) -> f64 {
        let (e, first) = (self.restitution, (2.0 / GRAVITY).sqrt());
        first * (1.0 + 2.0 * e * (1.0 - e.powi(n as i32 - 1)) / (1.0 - e))
    }

    /// Height and velocity at `t`.
    pub fn at(&self, t: f64) -> (f64, f64) {
        let first = (2.0 / GRAVITY).sqrt();
        if t < first {
            return (1.0 - 0.5 * GRAVITY * t * t, -GRAVITY * t);
        }
        let mut n = 1;
        while n < 400 && self.impact(n + 1) <= t {
            n += 1;
        }
        let (dt, v) = (
            t - self.impact(n),
            self.restitution.powi(n as i32) * GRAVITY * first,
        );
        if n == 400 {
            return (0.0, 0.0);
        }
        (v * dt - 0.5 * GRAVITY * dt * dt, v - GRAVITY * dt)
    }
}

impl Equations for Ball {
    const N: usize = 1;

    fn names(&self) -> Vec<(&'static str, &'static str)> {
        vec![("height", "m")]
    }

    fn start(&self) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        (vec![1.0], vec![0.0], vec![])
    }

    fn mass(&self, _: &[f64], _: f64, m: &mut [f64]) {
        m[0] = 1.0;
    }

    fn force(&self, _: &At<'_>, f: &mut [f64]) {
        f[0] = if self.mode == 0 { -GRAVITY } else { 0.0 };
    }

    fn switches(&self) -> Vec<Switch> {
        vec![Switch::new("floor", Sense::Mode)]
    }

    fn values(&self, s: &State, out: &mut [f64]) {
        out[0] = if self.mode == 0 {
            s.q[0]
        } else {
            f64::INFINITY
        };
    }

    fn on_switch(&mut self, crossed: &[Crossing], s: &mut State) -> After {
        s.q[0] = 0.0;
        if crossed[0].accumulates.is_some() {
            self.mode = 1;
            s.v[0] = 0.0;
        } else {
            s.v[0] *= -self.restitution;
        }
        After::Jump
    }

    fn memory(&mut self, m: &mut Memory) {
        remember(m, &mut self.mode);
    }
}

/// A pendulum of length 1 as a point on a rod, released at +60 degrees beside a vertical wall at
/// `x = -sin 0.3`, which it leaves with 0.7 of the velocity across it.
#[derive(Clone)]
pub struct WallPendulum;

impl WallPendulum {
    /// Angle of the wall, rad.
    pub const WALL: f64 = -0.3;
    /// Times of the first four impacts (elliptic integrals).
    pub const IMPACTS: [f64; 4] = [
        0.635_492_413_545_112_3,
        1.944_565_496_332_282,
        3.332_374_879_240_172,
        4.822_524_600_399_952,
    ];
    const RESTITUTION: f64 = 0.7;
}

impl Equations for WallPendulum {
    const N: usize = 2;
    const C: usize = 1;

    fn names(&self) -> Vec<(&'static str, &'static str)> {
        vec![("x", "m"), ("y", "m")]
    }

    fn start(&self) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        let (sin, cos) = std::f64::consts::FRAC_PI_3.sin_cos();
        (vec![sin, -cos], vec![0.0; 2], vec![])
    }

    fn mass(&self, _: &[f64], _: f64, m: &mut [f64]) {
        m.copy_from_slice(&[1.0, 0.0, 0.0, 1.0]);
    }

    fn force(&self, _: &At<'_>, f: &mut [f64]) {
        f.copy_from_slice(&[0.0, -GRAVITY]);
    }

    fn constraint(&self, q: &[f64], _: f64, c: &mut [f64]) {
        c[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0);
    }

    fn c_q(&self, q: &[f64], _: f64, c_q: &mut [f64]) {
        c_q.copy_from_slice(q);
    }

    fn cv_q(&self, _: &[f64], v: &[f64], _: f64, out: &mut [f64]) {
        out.copy_from_slice(v);
    }

    fn lambda_q(&self, _: &[f64], lambda: &[f64], _: f64, out: &mut [f64]) {
        out[0] += lambda[0];
        out[3] += lambda[0];
    }

    fn gamma(&self, _: &[f64], v: &[f64], _: f64, gamma: &mut [f64]) {
        gamma[0] = -(v[0] * v[0] + v[1] * v[1]);
    }

    fn switches(&self) -> Vec<Switch> {
        vec![Switch::new("wall", Sense::Mode)]
    }

    fn values(&self, s: &State, out: &mut [f64]) {
        out[0] = s.q[0] - WallPendulum::WALL.sin();
    }

    fn on_switch(&mut self, _: &[Crossing], s: &mut State) -> After {
        // the wall pushes along x; the rod takes what is radial: along the tangent (-y, x) with
        // velocity w, an impulse P changes w by -y P, and v_x = -y w must become -0.7 times itself
        let (x, y) = (s.q[0], s.q[1]);
        let w = x * s.v[1] - y * s.v[0];
        let w = -WallPendulum::RESTITUTION * w;
        (s.v[0], s.v[1]) = (-y * w, x * w);
        After::Jump
    }
}
