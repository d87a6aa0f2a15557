//! One point of a motion, the trial point of a step, tolerances and weighted norms.

use crate::chart::Rates;
use crate::memory::Memory;
use crate::system::{At, Dims, Reference, Row, System};

/// One point of the motion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// Time.
    pub t: f64,
    /// Configuration.
    pub q: Vec<f64>,
    /// Velocity.
    pub v: Vec<f64>,
    /// Acceleration.
    pub a: Vec<f64>,
    /// Multipliers of holonomic, then non-holonomic rows; 0 for dropped rows.
    pub lambda: Vec<f64>,
    /// First-order and algebraic states.
    pub x: Vec<f64>,
    /// Derivatives of the first-order states.
    pub xdot: Vec<f64>,
}

impl State {
    /// A zero state.
    pub fn new(dims: Dims) -> State {
        State {
            t: 0.0,
            q: vec![0.0; dims.nq],
            v: vec![0.0; dims.nv],
            a: vec![0.0; dims.nv],
            lambda: vec![0.0; dims.rows()],
            x: vec![0.0; dims.nx],
            xdot: vec![0.0; dims.nx],
        }
    }

    /// The state as a place to evaluate.
    pub fn at(&self) -> At<'_> {
        At {
            t: self.t,
            q: &self.q,
            v: &self.v,
            a: &self.a,
            lambda: &self.lambda,
            x: &self.x,
        }
    }

    /// Copies another state of the same size without allocating.
    pub fn copy_from(&mut self, other: &State) {
        self.t = other.t;
        self.q.copy_from_slice(&other.q);
        self.v.copy_from_slice(&other.v);
        self.a.copy_from_slice(&other.a);
        self.lambda.copy_from_slice(&other.lambda);
        self.x.copy_from_slice(&other.x);
        self.xdot.copy_from_slice(&other.xdot);
    }

    /// Saves or restores the state.
    pub fn memory(&mut self, m: &mut Memory) {
        let State {
            t,
            q,
            v,
            a,
            lambda,
            x,
            xdot,
        } = self;
        m.section("state");
        m.f64(t);
        for values in [q, v, a, lambda, x, xdot] {
            m.slice(values);
        }
    }
}

/// Two numbers that carry a time discretisation: `qdot = .. + qdot * dq`, `vdot = .. + vdot * dv`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Link {
    /// Change of `q'` per unit of `q` (s1).
    pub qdot: f64,
    /// Change of `v'` per unit of `v` (s2).
    pub vdot: f64,
}

impl Link {
    /// Saves or restores both numbers.
    pub fn memory(&mut self, m: &mut Memory) {
        let Link { qdot, vdot } = self;
        m.f64(qdot);
        m.f64(vdot);
    }
}

/// The trial point a stepper predicts and the corrector improves.
#[derive(Clone, Debug, Default)]
pub struct Stage {
    /// The trial state; `a` and `xdot` hold the discrete derivatives of `v` and `x`.
    pub s: State,
    /// Discrete derivative of `q`.
    pub qdot: Vec<f64>,
    /// What that derivative is on a chart.
    pub rates: Rates,
    /// Stabilising multiplier (GGL); length nc + ng, 0 on non-holonomic rows.
    pub xi: Vec<f64>,
    /// Increment of `q` since the prediction.
    pub dq: Vec<f64>,
    /// Increment of `v` since the prediction.
    pub dv: Vec<f64>,
    /// Increment of `x` since the prediction.
    pub dx: Vec<f64>,
    /// Step size.
    pub h: f64,
    /// The time discretisation.
    pub link: Link,
}

impl Stage {
    /// A zero stage.
    pub fn new(dims: Dims) -> Stage {
        Stage {
            s: State::new(dims),
            qdot: vec![0.0; dims.nv],
            rates: Rates::default(),
            xi: vec![0.0; dims.rows()],
            dq: vec![0.0; dims.nv],
            dv: vec![0.0; dims.nv],
            dx: vec![0.0; dims.nx],
            h: 0.0,
            link: Link::default(),
        }
    }

    /// Copies another stage of the same size without allocating.
    pub fn copy_from(&mut self, other: &Stage) {
        self.s.copy_from(&other.s);
        self.qdot.copy_from_slice(&other.qdot);
        self.rates = other.rates;
        self.xi.copy_from_slice(&other.xi);
        self.dq.copy_from_slice(&other.dq);
        self.dv.copy_from_slice(&other.dv);
        self.dx.copy_from_slice(&other.dx);
        self.h = other.h;
        self.link = other.link;
    }

    /// Forgets increments and the stabilising multiplier: the stage is at its prediction.
    pub fn clear_increments(&mut self) {
        self.dq.fill(0.0);
        self.dv.fill(0.0);
        self.dx.fill(0.0);
        self.xi.fill(0.0);
    }
}

/// Error tolerances of a run.
///
/// Steps of order `p` have the local error `c h^(p+1)`, and `T/h` of them add up to `T c^(1/(p+1)) rtol^(p/(p+1))`
/// where each may use `rtol`: in proportion to the tolerance if each may use `rtol^((p+1)/p)` instead (Stetter 1980;
/// Soederlind & Wang 2006). For order 2 the difference is a factor 1000 at `1e-6`, for order 5 it is 16. Methods say
/// whether it matters ([`Stepper::adds_up`](crate::stepper::Stepper::adds_up)).
#[derive(Clone, Debug, PartialEq)]
pub struct Tolerances {
    /// Relative tolerance.
    pub rtol: f64,
    /// Absolute tolerance of positions (m, rad); `None`: `rtol` times the scale of each coordinate.
    pub atol: Option<f64>,
    /// Absolute tolerance of velocities; `None`: derived from the speed of the motion.
    pub atol_v: Option<f64>,
    /// Absolute tolerances of single positions, velocities and states; of several for one the last counts.
    pub own: Vec<(Row, f64)>,
    /// Whether a step may use all of them, whatever the order of the method: as published studies print them.
    pub of_step: bool,
}

impl Tolerances {
    /// A relative tolerance, absolute ones derived from the model.
    pub fn relative(rtol: f64) -> Tolerances {
        Tolerances {
            rtol,
            atol: None,
            atol_v: None,
            own: Vec::new(),
            of_step: false,
        }
    }

    /// What a step of a method of this order may use of them, so that the error of the whole is in proportion to them.
    pub fn share_of_step(&self, order: usize) -> f64 {
        match self.of_step {
            true => 1.0,
            // no step is held to less than rounding
            false => (self.rtol.powf(1.0 / order as f64))
                .max(ROUNDING / self.rtol)
                .min(1.0),
        }
    }
}

/// Inverse error weights, one per unknown: `1 / (rtol * reference + atol)`.
///
/// Made anew by the driver after each accepted step and read by everybody else. Absolute
/// tolerances of velocities follow the motion: `atol_v = omega * atol_q` with `omega` half the
/// fastest relative rate seen so far. A tenth instead takes up to a fifth more steps for the same
/// error on the seven-body mechanism.
///
/// Where places are counted from, and how fast that travels, means nothing to a motion: no place counts for
/// more than its typical size, no velocity for more than the fastest rate makes of that, and the rate of a
/// place is how much its velocity has changed since the start.
///
/// States are relative to the largest value that they have had, or to a small share of their typical size.
///
/// A step may use a share of the tolerances. Where that is less than what rounding makes it is more for a while, up to all.
#[derive(Clone, Debug)]
pub struct Weights {
    /// Inverse weights of positions.
    pub q: Vec<f64>,
    /// Inverse weights of velocities.
    pub v: Vec<f64>,
    /// Inverse weights of first-order and algebraic states.
    pub x: Vec<f64>,
    tolerances: Tolerances,
    /// Absolute tolerances of each position, velocity and state, where they are given.
    atol: Vec<Option<f64>>,
    atol_v: Vec<Option<f64>>,
    atol_x: Vec<Option<f64>>,
    scale: Vec<f64>,
    scale_x: Vec<f64>,
    reference: Vec<Reference>,
    /// Velocities that changes are counted from: those of places at the start, 0 for all others.
    travel: Vec<f64>,
    /// Largest value of each state so far.
    largest_x: Vec<f64>,
    omega: f64,
    /// What a step may use, and what that was to be.
    share: f64,
    least_share: f64,
}

/// Share of the fastest rate that the scale of velocities follows.
const SHARE_OF_FASTEST_RATE: f64 = 0.5;
/// Rate up to which travel counts, 1/s: what travels near its equilibrium would else be held to tolerances next to
/// its rounding.
const RATE_OF_TRAVEL: f64 = 0.5;
/// Error of places and velocities that no tolerance goes below, relative to themselves.
const ROUNDING: f64 = 64.0 * f64::EPSILON;
/// The tolerance of a state refers at least to this share of its typical size, which is a guess: states that
/// stay far below it would otherwise not be controlled at all.
const LEAST_SHARE_OF_STATE: f64 = 1e-3;
/// A step may use so much of what the one before it could, once rounding has asked for more than was to be used.
const TAKEN_BACK: f64 = 0.97;

impl Weights {
    /// Weights for a system.
    pub fn new(sys: &dyn System, tolerances: &Tolerances) -> Weights {
        let Dims { nq, nv, nx, .. } = sys.dims();
        let scale = sys.facts().scale.clone();
        let scale_x = sys.facts().scale_x.clone();
        let mut atol = vec![tolerances.atol; nq];
        let mut atol_v = vec![tolerances.atol_v; nv];
        let mut atol_x = vec![None; nx];
        for (row, own) in &tolerances.own {
            let place = match row {
                Row::Position(i) => atol.get_mut(*i),
                Row::Velocity(i) => atol_v.get_mut(*i),
                Row::State(i) => atol_x.get_mut(*i),
                Row::Constraint(_) => None,
            };
            if let Some(place) = place {
                *place = Some(*own);
            }
        }
        Weights {
            q: vec![0.0; nq],
            v: vec![0.0; nv],
            x: vec![0.0; nx],
            tolerances: tolerances.clone(),
            atol,
            atol_v,
            atol_x,
            scale,
            scale_x,
            reference: sys.facts().reference.clone(),
            travel: vec![0.0; nv],
            largest_x: vec![0.0; nx],
            omega: 0.0,
            share: 1.0,
            least_share: 1.0,
        }
    }

    /// The same for steps that may use a share of the tolerances.
    pub fn of_steps(self, share: f64) -> Weights {
        Weights {
            share,
            least_share: share,
            ..self
        }
    }

    /// What a step may use of the tolerances now.
    pub fn share(&self) -> f64 {
        self.share
    }

    /// Rounding makes more than a step may use: lets it use twice as much. One correction tells little of what the next will
    /// be, and shares that follow the largest are too large for most steps. `false`: it may use all already.
    pub fn loosen(&mut self) -> bool {
        if self.share >= 1.0 {
            return false;
        }
        let before = self.share;
        self.share = (2.0 * before).min(1.0);
        let all = self.q.iter_mut().chain(&mut self.v).chain(&mut self.x);
        all.for_each(|w| *w *= before / self.share);
        true
    }

    /// Makes the weights at the start of a run and returns the rate of the motion there, 1/s: that
    /// of angular velocities, of what the accelerations will make of all, or that at which places travel, up to
    /// half of 1/s. A motion that starts in equilibrium, or nearly so, is taken to have a rate of 1/s: the
    /// duration of the run must not matter, or a run to a later end would begin differently.
    pub fn start(&mut self, s: &State) -> f64 {
        const EQUILIBRIUM: f64 = 1e-6;
        for ((v0, v), reference) in self.travel.iter_mut().zip(&s.v).zip(&self.reference) {
            *v0 = if *reference == Reference::Place {
                *v
            } else {
                0.0
            };
        }
        let (mut rate, mut travelling) = (0.0f64, 0.0f64);
        let motion = s.v.iter().zip(&s.a).zip(&self.travel).zip(&self.scale);
        for (((v, a), v0), scale) in motion {
            let turning = ((v - v0) / scale).abs();
            rate = rate.max(turning).max((a / scale).abs().sqrt());
            travelling = travelling.max((v0 / scale).abs());
        }
        rate = rate.max(travelling.min(RATE_OF_TRAVEL));
        if rate < EQUILIBRIUM {
            rate = 1.0;
        }
        self.omega = SHARE_OF_FASTEST_RATE * rate;
        self.largest_x.fill(0.0);
        self.share = self.least_share;
        self.renew(s);
        rate
    }

    /// Renews the weights at an accepted state.
    pub fn renew(&mut self, s: &State) {
        let mut fastest = 0.0;
        for ((v, v0), scale) in s.v.iter().zip(&self.travel).zip(&self.scale) {
            let rate = (v - v0).abs() / scale;
            fastest = if rate > fastest { rate } else { fastest };
        }
        self.omega = self.omega.max(SHARE_OF_FASTEST_RATE * fastest);
        self.share = (TAKEN_BACK * self.share).max(self.least_share);
        let (omega, fastest, rtol) = (self.omega, self.rate(), self.tolerances.rtol);
        let per_share = 1.0 / self.share;
        // what is far or fast still has its rounding
        let share = |x: f64, most: f64| {
            let x = x.abs();
            let (part, least) = (
                rtol * if x < most { x } else { most },
                per_share * ROUNDING * x,
            );
            if least > part { least } else { part }
        };
        let weights = self.q.iter_mut().zip(&mut self.v);
        let at = s.q.iter().zip(&s.v).zip(&self.scale).zip(&self.reference);
        let atol = self.atol.iter().zip(&self.atol_v);
        for (((w_q, w_v), (((q, v), &scale), reference)), (atol, atol_v)) in
            weights.zip(at).zip(atol)
        {
            let of_q = match reference {
                Reference::Itself => rtol * q.abs(),
                Reference::Place => share(*q, scale),
                Reference::Size => rtol * scale,
            };
            let atol_q = atol.unwrap_or(rtol * scale);
            let atol_v = atol_v.unwrap_or(omega * atol_q);
            *w_q = per_share / (of_q + atol_q);
            *w_v = per_share / (share(*v, fastest * scale) + atol_v);
        }
        let states = self.x.iter_mut().zip(&s.x).zip(&self.scale_x);
        for ((((w, x), scale), largest), own) in states.zip(&mut self.largest_x).zip(&self.atol_x) {
            *largest = largest.max(x.abs());
            let size = largest.min(*scale).max(LEAST_SHARE_OF_STATE * scale);
            *w = per_share / (rtol * x.abs() + own.unwrap_or(rtol * size));
        }
    }

    /// Saves or restores the weights with the fastest rate seen so far.
    pub fn memory(&mut self, m: &mut Memory) {
        let Weights {
            q,
            v,
            x,
            tolerances: _,
            atol: _,
            atol_v: _,
            atol_x: _,
            scale: _,
            scale_x: _,
            reference: _,
            travel,
            largest_x,
            omega,
            share,
            least_share: _,
        } = self;
        m.section("weights");
        for values in [q, v, x, travel, largest_x] {
            m.slice(values);
        }
        m.f64(omega);
        m.f64(share);
    }

    /// Relative tolerance.
    pub fn rtol(&self) -> f64 {
        self.tolerances.rtol
    }

    /// Typical size of each configuration entry.
    pub fn scale(&self) -> &[f64] {
        &self.scale
    }

    /// Typical size of each first-order or algebraic state.
    pub fn scale_x(&self) -> &[f64] {
        &self.scale_x
    }

    /// Fastest rate of the motion so far, relative to the scales of its coordinates, 1/s.
    pub fn rate(&self) -> f64 {
        self.omega / SHARE_OF_FASTEST_RATE
    }

    /// Whether a tolerance of velocities was given.
    pub fn controls_velocities(&self) -> bool {
        self.atol_v.iter().any(Option::is_some)
    }

    /// Typical size of a position entry.
    pub fn size(&self, i: usize) -> f64 {
        self.scale[i]
    }

    /// Typical size of a velocity entry.
    pub fn speed(&self, i: usize) -> f64 {
        self.omega * self.scale[i]
    }
}

/// Largest weighted entry and where it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Peak {
    /// The weighted maximum norm.
    pub norm: f64,
    /// Index of the entry that attains it.
    pub index: usize,
}

/// Weighted maximum norm of `x` with the index of its largest entry. A NaN entry wins.
pub fn peak(x: &[f64], inverse_weight: &[f64]) -> Peak {
    let mut p = Peak::default();
    for (i, (x, w)) in x.iter().zip(inverse_weight).enumerate() {
        let e = (x * w).abs();
        if e > p.norm || e.is_nan() {
            p = Peak { norm: e, index: i };
            if e.is_nan() {
                break;
            }
        }
    }
    p
}

/// Weighted maximum norm of `x`.
pub fn norm(x: &[f64], inverse_weight: &[f64]) -> f64 {
    let mut top = [0.0f64; 4];
    let mut sum = [0.0f64; 4];
    let mut include = |l: usize, x: f64, w: f64| {
        let e = (x * w).abs();
        top[l] = if e > top[l] { e } else { top[l] };
        sum[l] += e;
    };
    let (xs, x_rest) = x.as_chunks::<4>();
    let (ws, w_rest) = inverse_weight.as_chunks::<4>();
    for (x, w) in xs.iter().zip(ws) {
        for l in 0..4 {
            include(l, x[l], w[l]);
        }
    }
    for (x, w) in x_rest.iter().zip(w_rest) {
        include(0, *x, *w);
    }
    // a sum keeps the NaN that comparisons lose
    if sum.iter().sum::<f64>().is_nan() {
        f64::NAN
    } else {
        top.iter().fold(0.0, |m, &x| if x > m { x } else { m })
    }
}

/// The worse of a position and a velocity peak, as a row of the system.
pub fn worse(q: Peak, v: Peak) -> (f64, Row) {
    if v.norm > q.norm || v.norm.is_nan() {
        (v.norm, Row::Velocity(v.index))
    } else {
        (q.norm, Row::Position(q.index))
    }
}
