//! Dry friction with true sticking: a block on a belt, an oscillator that comes to rest.

use super::remember;
use crate::small::Equations;
use linkwork_dae::memory::Memory;
use linkwork_dae::state::State;
use linkwork_dae::switching::{Crossing, Sense, Switch};
use linkwork_dae::system::{After, At};

const STICK: usize = 0;
/// Slipping against the positive direction of the velocity, and along it.
const SLOWER: usize = 1;
const FASTER: usize = 2;

/// A block of mass 1 on a spring of stiffness 100 on a belt that runs at 0.05 m/s: friction 4 N at most
/// while it sticks, 3 N while it slips. It begins at rest with the belt.
///
/// ```text
///  first slip at 0.8 s, then every 0.4 + 2/w (pi - atan(D w/v0)),   D = 0.01 m, w = 10 rad/s
/// ```
#[derive(Clone)]
pub struct Belt {
    /// 0 sticks, 1 slower than the belt.
    pub mode: usize,
}

impl Belt {
    const STIFFNESS: f64 = 100.0;
    const SPEED: f64 = 0.05;
    const STATIC: f64 = 4.0;
    const KINETIC: f64 = 3.0;

    /// Time from slip to slip.
    pub const PERIOD: f64 = 0.806_888_787_159_140_5;
}

impl Equations for Belt {
    const N: usize = 1;

    fn names(&self) -> Vec<(&'static str, &'static str)> {
        vec![("block", "m")]
    }

    fn start(&self) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        (vec![0.0], vec![Belt::SPEED], vec![])
    }

    fn scale(&self, _: usize) -> f64 {
        0.05
    }

    fn mass(&self, _: &[f64], _: f64, m: &mut [f64]) {
        m[0] = 1.0;
    }

    fn force(&self, at: &At<'_>, f: &mut [f64]) {
        f[0] = if self.mode == STICK {
            0.0
        } else {
            Belt::KINETIC - Belt::STIFFNESS * at.q[0]
        };
    }

    fn force_q(&self, _: &At<'_>, f_q: &mut [f64], _: &mut [f64], _: &mut [f64]) {
        f_q[0] = if self.mode == STICK {
            0.0
        } else {
            -Belt::STIFFNESS
        };
    }

    fn switches(&self) -> Vec<Switch> {
        vec![
            Switch::new("slips", Sense::Mode),
            Switch {
                recorded: false,
                scale: Belt::SPEED,
                ..Switch::new("sticks", Sense::Mode)
            },
        ]
    }

    fn values(&self, s: &State, out: &mut [f64]) {
        let (friction, slower) = (Belt::STIFFNESS * s.q[0], Belt::SPEED - s.v[0]);
        (out[0], out[1]) = if self.mode == STICK {
            (Belt::STATIC - friction, f64::INFINITY)
        } else {
            (f64::INFINITY, slower)
        };
    }

    fn on_switch(&mut self, crossed: &[Crossing], s: &mut State) -> After {
        if crossed[0].switch == 0 {
            self.mode = SLOWER;
            After::Restart
        } else {
            self.mode = STICK;
            s.v[0] = Belt::SPEED;
            After::Jump
        }
    }

    fn memory(&mut self, m: &mut Memory) {
        remember(m, &mut self.mode);
    }
}

/// A mass of 1 on a spring of stiffness 100 with dry friction of 3 N, drawn to 0.2 m: it turns at 0.2,
/// -0.14, 0.08 and stays at -0.02 m, after 3 pi/10 s.
#[derive(Clone)]
pub struct Rub {
    /// 0 stays, 1 moves backwards, 2 forwards.
    pub mode: usize,
}

impl Rub {
    const STIFFNESS: f64 = 100.0;
    const FRICTION: f64 = 3.0;

    /// A mass that begins to move.
    pub fn new() -> Rub {
        Rub { mode: SLOWER }
    }

    fn direction(&self) -> f64 {
        match self.mode {
            SLOWER => -1.0,
            FASTER => 1.0,
            _ => 0.0,
        }
    }
}

impl Default for Rub {
    fn default() -> Rub {
        Rub::new()
    }
}

impl Equations for Rub {
    const N: usize = 1;

    fn names(&self) -> Vec<(&'static str, &'static str)> {
        vec![("mass", "m")]
    }

    fn start(&self) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        (vec![0.2], vec![0.0], vec![])
    }

    fn scale(&self, _: usize) -> f64 {
        0.2
    }

    fn mass(&self, _: &[f64], _: f64, m: &mut [f64]) {
        m[0] = 1.0;
    }

    fn force(&self, at: &At<'_>, f: &mut [f64]) {
        f[0] = if self.mode == STICK {
            0.0
        } else {
            -Rub::STIFFNESS * at.q[0] - Rub::FRICTION * self.direction()
        };
    }

    fn force_q(&self, _: &At<'_>, f_q: &mut [f64], _: &mut [f64], _: &mut [f64]) {
        if self.mode != STICK {
            f_q[0] = -Rub::STIFFNESS;
        }
    }

    fn switches(&self) -> Vec<Switch> {
        vec![Switch::new("turns", Sense::Mode)]
    }

    fn values(&self, s: &State, out: &mut [f64]) {
        out[0] = if self.mode == STICK {
            f64::INFINITY
        } else {
            self.direction() * s.v[0]
        };
    }

    fn on_switch(&mut self, _: &[Crossing], s: &mut State) -> After {
        s.v[0] = 0.0;
        let spring = -Rub::STIFFNESS * s.q[0];
        self.mode = if spring.abs() <= Rub::FRICTION {
            STICK
        } else if spring > 0.0 {
            FASTER
        } else {
            SLOWER
        };
        After::Jump
    }

    fn memory(&mut self, m: &mut Memory) {
        remember(m, &mut self.mode);
    }
}
