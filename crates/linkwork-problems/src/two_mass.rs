//! Two masses on springs with a spring and a damper between them, cut in the middle.
//!
//! ```text
//!  m1 x1'' = -c1 x1 - d1 v1 - F      F = cc (x1 - x2) + dc (v1 - v2)
//!  m2 x2'' = -c2 x2 - d2 v2 + F
//! ```
//!
//! The test problem of co-simulation. Each half is a [`Subsystem`] written by hand: its equation is
//! linear, its inputs are polynomials, so that Taylor series solve it to rounding and nothing but the
//! coupling error is left.

use linkwork_dae::cosim::{
    Connection, Coupling, Entry, Member, Motion, Polynomial, Subsystem, Trouble, Why,
};
use linkwork_dae::memory::{Memory, MemoryError};

/// Masses, wall springs and dampers of the halves.
const MASS: [f64; 2] = [1.0, 2.0];
const SPRING: [f64; 2] = [3.0, 5.0];
const DAMPER: [f64; 2] = [0.1, 0.2];
/// Spring and damper between them.
const COUPLING_SPRING: f64 = 4.0;
const COUPLING_DAMPER: f64 = 0.3;
/// `x1, v1, x2, v2` at the start.
pub const START: [f64; 4] = [1.0, 0.3, -0.5, 0.2];
/// Terms of a series, and the longest step for which they are enough.
const TERMS: usize = 24;
const LONGEST: f64 = 0.1;

/// The motion of the whole at time `t`: `x1, v1, x2, v2`, by Taylor series of the coupled equations.
pub fn exact(t: f64) -> [f64; 4] {
    let pieces = (t / LONGEST).ceil().max(1.0);
    let h = t / pieces;
    let mut z = START;
    for _ in 0..pieces as usize {
        let (mut term, mut sum) = (z, z);
        for n in 1..=TERMS {
            term = rates(&term).map(|r| r * h / n as f64);
            for (s, t) in sum.iter_mut().zip(term) {
                *s += t;
            }
        }
        z = sum;
    }
    z
}

fn rates(z: &[f64; 4]) -> [f64; 4] {
    let f = COUPLING_SPRING * (z[0] - z[2]) + COUPLING_DAMPER * (z[1] - z[3]);
    [
        z[1],
        (-SPRING[0] * z[0] - DAMPER[0] * z[1] - f) / MASS[0],
        z[3],
        (-SPRING[1] * z[2] - DAMPER[1] * z[3] + f) / MASS[1],
    ]
}

/// One half; its inputs are place and velocity of the other, its outputs its own.
#[derive(Clone, Debug)]
pub struct Half {
    side: usize,
    t: f64,
    x: f64,
    v: f64,
    rtol: f64,
    /// Place beyond which it gives up, for tests of failures.
    pub wall: f64,
}

impl Half {
    /// The left (0) or right (1) half, with the tolerance of the coupling.
    pub fn new(side: usize, rtol: f64) -> Half {
        let side = side.min(1);
        Half {
            side,
            t: 0.0,
            x: START[2 * side],
            v: START[2 * side + 1],
            rtol,
            wall: f64::INFINITY,
        }
    }

    /// The same at another time in another state.
    #[must_use]
    pub fn at(mut self, t: f64, x: f64, v: f64) -> Half {
        (self.t, self.x, self.v) = (t, x, v);
        self
    }

    /// Place and velocity.
    pub fn state(&self) -> [f64; 2] {
        [self.x, self.v]
    }

    /// One Taylor step with inputs given by their coefficients about its beginning:
    /// `m (n+1)(n+2) a_{n+2} = -k a_n - d (n+1) a_{n+1} + p_n`.
    fn step(&mut self, h: f64, inputs: &[Polynomial]) {
        let (m, s) = (MASS[self.side], self.side);
        let (k, d) = (SPRING[s] + COUPLING_SPRING, DAMPER[s] + COUPLING_DAMPER);
        let place = shifted(&inputs[0], self.t);
        let speed = shifted(&inputs[1], self.t);
        let mut a = [0.0; TERMS + 2];
        (a[0], a[1]) = (self.x, self.v);
        for n in 0..TERMS {
            let i = n as f64;
            let p = |c: &[f64; 4]| c.get(n).copied().unwrap_or(0.0);
            let force = COUPLING_SPRING * p(&place) + COUPLING_DAMPER * p(&speed);
            a[n + 2] = (force - k * a[n] - d * (i + 1.0) * a[n + 1]) / (m * (i + 1.0) * (i + 2.0));
        }
        let (mut x, mut v) = (0.0, 0.0);
        for n in (0..TERMS + 2).rev() {
            x = x * h + a[n];
            if n > 0 {
                v = v * h + n as f64 * a[n];
            }
        }
        (self.x, self.v) = (x, v);
    }
}

/// Coefficients about another time.
fn shifted(p: &Polynomial, t: f64) -> [f64; 4] {
    let s = t - p.origin;
    let [c0, c1, c2, c3] = p.c;
    [
        c0 + s * (c1 + s * (c2 + s * c3)),
        c1 + s * (2.0 * c2 + s * 3.0 * c3),
        c2 + 3.0 * s * c3,
        c3,
    ]
}

impl Subsystem for Half {
    fn inputs(&self) -> usize {
        2
    }

    fn outputs(&self) -> usize {
        2
    }

    fn sizes(&self) -> (usize, usize) {
        (1, 1)
    }

    fn start(&mut self, _: &[f64]) -> Result<f64, Trouble> {
        Ok(self.t)
    }

    fn advance(&mut self, to: f64, inputs: &[Polynomial]) -> Result<(), Trouble> {
        let pieces = ((to - self.t) / LONGEST).ceil().max(1.0);
        let h = (to - self.t) / pieces;
        for _ in 0..pieces as usize {
            self.step(h, inputs);
            self.t += h;
            if self.x.abs() > self.wall {
                return Err(Trouble {
                    t: self.t,
                    why: Why::Told("it has hit the wall".into()),
                });
            }
        }
        self.t = to;
        Ok(())
    }

    fn output(&mut self, _: &[f64], out: &mut [f64]) -> Result<(), Trouble> {
        out.copy_from_slice(&[self.x, self.v]);
        Ok(())
    }

    fn motion(&mut self, out: &mut Motion) {
        (out.q[0], out.v[0]) = (self.x, self.v);
        out.weight_q[0] = 1.0 / (self.rtol * (1.0 + self.x.abs()));
        out.weight_v[0] = 1.0 / (self.rtol * (1.0 + self.v.abs()));
    }

    fn describe(&self, entry: Entry) -> String {
        match entry {
            Entry::Position(_) => "place".into(),
            Entry::Rate(_) => "velocity".into(),
        }
    }

    fn save(&mut self, tape: &mut Memory) {
        tape.clear();
        self.memory(tape);
        let _ = tape.finish();
    }

    fn restore(&mut self, tape: &mut Memory) -> Result<(), Trouble> {
        let read = |half: &mut Half, tape: &mut Memory| -> Result<(), MemoryError> {
            tape.rewind()?;
            half.memory(tape);
            tape.finish()
        };
        read(self, tape).map_err(|why| Trouble {
            t: self.t,
            why: Why::Memory(why),
        })
    }
}

impl Half {
    fn memory(&mut self, m: &mut Memory) {
        m.section("half");
        for x in [&mut self.t, &mut self.x, &mut self.v] {
            m.f64(x);
        }
    }
}

/// Each half sees the motion of the other.
#[derive(Clone, Debug)]
pub struct Cross(Vec<Connection>);

impl Default for Cross {
    fn default() -> Cross {
        Cross(vec![Connection {
            name: "spring".into(),
            inputs: vec![0, 1, 2, 3],
        }])
    }
}

impl Coupling for Cross {
    fn couple(&mut self, outputs: &[f64], inputs: &mut [f64]) {
        inputs[..2].copy_from_slice(&outputs[2..]);
        inputs[2..].copy_from_slice(&outputs[..2]);
    }

    fn connections(&self) -> &[Connection] {
        &self.0
    }
}

/// Both halves, each with a twin.
pub fn members<'a>(rtol: f64) -> Vec<Member<'a>> {
    let member = |side: usize, name: &str| Member {
        name: name.into(),
        main: Box::new(Half::new(side, rtol)) as Box<dyn Subsystem>,
        twin: Some(Box::new(Half::new(side, rtol)) as Box<dyn Subsystem>),
    };
    vec![member(0, "left"), member(1, "right")]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The series of a half with the exact course of the other cut into cubic pieces approaches the
    /// whole like the fourth power of the piece.
    #[test]
    fn halves_and_whole_have_the_same_equations() {
        let error = |pieces: usize| {
            let h = 1.0 / pieces as f64;
            let mut half = Half::new(0, 1e-6);
            for i in 0..pieces {
                let t = i as f64 * h;
                let nodes = [t, t + h / 3.0, t + 2.0 * h / 3.0, t + h];
                let other = nodes.map(exact);
                let course = |k: usize| Polynomial::through(t, &nodes, &other.map(|z| z[2 + k]));
                half.advance(t + h, &[course(0), course(1)]).unwrap();
            }
            (half.x - exact(1.0)[0]).abs() + (half.v - exact(1.0)[1]).abs()
        };
        let (coarse, fine) = (error(4), error(8));
        assert!(fine < 1e-5 && coarse / fine > 12.0, "{coarse:e} {fine:e}");
    }
}
