//! A mechanism in space in Euler parameters: four plain numbers for every rotation and their norm
//! as a constraint, `q' = v`.
//!
//! Elements know only the tangent: small rotations and angular velocities in body axes. This system
//! wraps an [`Assembly`] and changes variables, with `n^2 = e . e` and `L = 2 G` (Nikravesh 1988):
//!
//! ```text
//!  omega = B e'        B(e) = L(e)/n^2             P = diag(I, B)
//!  alpha = B e'' + b   b = -2 (e . e')/n^2 omega   since L(e') e' = 0
//!
//!  r = P' r~ + e mu                    (e . e - 1)/2 = 0       multiplier mu
//!  M = P' M~ P     Q = P' (Q~ - M~ b)  gamma = gamma~ - C~_q b
//!  C_q = C~_q P    (C_q v)_q = (C~_q v)_q P + C~_q W          W = (B e')_e
//!  D = P' (D~ P + M~ b_v)              f_q = f~_q P + f~_v W
//!  K = P' (K~ P + D~ W + M~ A) + (B' tau)_e + mu I            A = (B e'' + b)_e,  tau = r~ of the body
//! ```
//!
//! A tilde marks what the assembly computes. Because `B` is divided by the norm, everything is
//! exact also where an iterate leaves the sphere: the length of `e` means nothing, and the norm
//! row alone holds it. By `L(e) p = -L(p) e`,
//!
//! ```text
//!  (B p)_e = -L(p)/n^2 - 2/n^2 (B p) e'        (B' tau)_e = T(tau)/n^2 - 2/n^2 (B' tau) e'
//! ```

mod blocks;
mod operators;
mod system;

use crate::assemble::assemble;
use crate::assembly::Assembly;
use crate::error::ModelError;
use crate::model::{Model, Rotation};
use blocks::Jobs;
use linkwork_dae::rotation::{Quaternion, compose, inverse, log};
use linkwork_dae::state::State;
use linkwork_dae::system::{Blocks, Dims, Facts, System};
use operators::{Four, Operators};
use std::sync::Arc;

/// A model ready to be simulated, in the coordinates that it asks for.
pub fn system(model: &Model) -> Result<Box<dyn System>, ModelError> {
    let assembly = assemble(model)?;
    let in_euler_parameters = model.rotation == Rotation::EulerParameters;
    Ok(if in_euler_parameters {
        Box::new(EulerParameters::new(assembly))
    } else {
        Box::new(assembly)
    })
}

/// What does not change.
#[derive(Debug)]
struct Layout {
    /// Sizes of the wrapped system.
    inner: Dims,
    facts: Facts,
    /// First entry of each rotation in the wrapped coordinates, and the orientation there.
    rotations: Vec<(usize, Quaternion)>,
    jobs: Jobs,
}

impl Layout {
    /// First Euler parameter of a rotation.
    fn first(&self, k: usize) -> usize {
        self.rotations[k].0 + k
    }

    /// Row of the norm of a rotation.
    fn norm_row(&self, k: usize) -> usize {
        self.inner.nc + k
    }
}

/// See the [module](self).
#[derive(Debug)]
pub struct EulerParameters {
    assembly: Assembly,
    layout: Arc<Layout>,
    /// The point in the coordinates of the assembly.
    state: State,
    operators: Vec<Operators>,
    /// Values of the assembly.
    r: Vec<f64>,
    force: Vec<f64>,
    mass: Vec<f64>,
    c_q: Vec<f64>,
    c: Vec<f64>,
    cv: Vec<f64>,
    gamma: Vec<f64>,
    blocks: Blocks,
}

fn four(x: &[f64], first: usize) -> Four {
    [x[first], x[first + 1], x[first + 2], x[first + 3]]
}

/// Copies entries; rotations have four here and three there. Missing vectors stay missing.
fn narrow(layout: &Layout, from: &[f64], to: &mut [f64], turn: impl Fn(usize) -> [f64; 3]) {
    let (mut read, mut write) = (0, 0);
    for (k, (first, _)) in layout.rotations.iter().enumerate() {
        let plain = first - write;
        to[write..write + plain].copy_from_slice(&from[read..read + plain]);
        to[*first..first + 3].copy_from_slice(&turn(k));
        (read, write) = (read + plain + 4, first + 3);
    }
    to[write..].copy_from_slice(&from[read..]);
}

/// The reverse of [`narrow`], for vectors along the tangent.
fn widen(layout: &Layout, from: &[f64], to: &mut [f64], turn: impl Fn(usize, [f64; 3]) -> Four) {
    let (mut read, mut write) = (0, 0);
    for (k, (first, _)) in layout.rotations.iter().enumerate() {
        let plain = first - read;
        to[write..write + plain].copy_from_slice(&from[read..read + plain]);
        let three = [from[*first], from[first + 1], from[first + 2]];
        to[write + plain..write + plain + 4].copy_from_slice(&turn(k, three));
        (read, write) = (first + 3, write + plain + 4);
    }
    to[write..].copy_from_slice(&from[read..]);
}

impl EulerParameters {
    /// The mechanism with all its rotations in Euler parameters.
    pub fn new(assembly: Assembly) -> EulerParameters {
        let inner = assembly.facts().dims;
        let rotations = assembly.rotations();
        let count = rotations.len();
        let dims = Dims {
            nq: inner.nq + count,
            nv: inner.nv + count,
            nc: inner.nc + count,
            ..inner
        };
        let (jobs, patterns) = Jobs::new(&assembly.facts().patterns, inner, &rotations);
        let mut layout = Layout {
            inner,
            facts: Facts {
                dims,
                patterns,
                ..assembly.facts().clone()
            },
            rotations,
            jobs,
        };
        layout.tell(assembly.facts());
        EulerParameters::with(assembly, Arc::new(layout))
    }

    fn with(assembly: Assembly, layout: Arc<Layout>) -> EulerParameters {
        use linkwork_dae::system::Part;
        let inner = layout.inner;
        let zeros = |n: usize| vec![0.0; n];
        EulerParameters {
            state: State::new(inner),
            operators: vec![Operators::default(); layout.rotations.len()],
            r: zeros(inner.nv),
            force: zeros(inner.nv),
            mass: zeros(assembly.facts().patterns[Part::Mass].len()),
            c_q: zeros(assembly.facts().patterns[Part::Cq].len()),
            c: zeros(inner.nc),
            cv: zeros(inner.rows()),
            gamma: zeros(inner.rows()),
            blocks: Blocks::new(&assembly.facts().patterns),
            assembly,
            layout,
        }
    }

    /// Takes a point over into the coordinates of the assembly; empty vectors count as zero.
    fn enter(&mut self, t: f64, q: &[f64], v: &[f64], a: &[f64]) {
        let layout = &*self.layout;
        let zero = [0.0; 4];
        for (k, operators) in self.operators.iter_mut().enumerate() {
            let first = layout.first(k);
            let e = four(q, first);
            let rate = if v.is_empty() { zero } else { four(v, first) };
            let second = if a.is_empty() { zero } else { four(a, first) };
            *operators = Operators::new(e, rate, second);
        }
        let operators = &self.operators;
        self.state.t = t;
        narrow(layout, q, &mut self.state.q, |k| {
            let turned = compose(inverse(layout.rotations[k].1), operators[k].e);
            log(turned)
        });
        if v.is_empty() {
            self.state.v.fill(0.0);
        } else {
            narrow(layout, v, &mut self.state.v, |k| operators[k].omega);
        }
        if a.is_empty() {
            self.state.a.fill(0.0);
        } else {
            narrow(layout, a, &mut self.state.a, |k| operators[k].alpha);
        }
    }

    /// Takes multipliers over; missing ones count as zero.
    fn enter_multipliers(&mut self, lambda: &[f64]) {
        let layout = &*self.layout;
        let (nc, count) = (layout.inner.nc, layout.rotations.len());
        let to = &mut self.state.lambda;
        if lambda.is_empty() {
            to.fill(0.0);
        } else {
            to[..nc].copy_from_slice(&lambda[..nc]);
            to[nc..].copy_from_slice(&lambda[nc + count..]);
        }
    }

    /// Takes a whole state over.
    fn enter_state(&mut self, s: &State) {
        self.enter(s.t, &s.q, &s.v, &s.a);
        self.enter_multipliers(&s.lambda);
        self.state.x.copy_from_slice(&s.x);
    }
}
