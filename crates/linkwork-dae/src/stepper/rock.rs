//! Stabilised explicit methods: many cheap stages for a long real stability interval.
//!
//! Per step the number of stages `s` follows from `h rho`, `rho` being an estimate of the spectral
//! radius; intervals grow like `s^2`, so a step twice as long costs 1.4 times as much. Order 4
//! ([`Kind::Rock4`]) or 2 ([`Kind::Rkc2`]). A penalty on the constraints, whose eigenvalues are
//! real, is no burden: its rate is a few times the spectral radius. Bad at: stiff vibrations, whose
//! eigenvalues lie outside the interval, and at anything that an implicit method does in one solve.

mod rkc2;
mod rock4;

use super::radius::SpectralRadius;
use super::stiffness::Stiffness;
use super::track::{Track, combine};
use super::{Choice, Stepper, Trial};
use crate::corrector::Retry;
use crate::memory::Memory;
use crate::ode::{Ode, measure};
use crate::state::{State, Weights};
use crate::stats::Stats;
use crate::system::{Rows, System};
use rock4::LAST;

/// Accepted steps after which the spectral radius is estimated anew.
const RENEW_AFTER: u32 = 25;
/// Rate of the penalty in units of the spectral radius. It must not follow the step: at constant
/// `h chi` the stages, which are of low order, leave the constraints by `h^2` and the penalty turns
/// that into an error of the step.
const PENALTY: f64 = 20.0;
/// The interval must exceed `h rho` by this much.
const MARGIN: f64 = 1.05;
/// Interval from which on the estimate of order 4 is enlarged. Its leading coefficient is `0.02/l`
/// for an interval `l`, that of the error itself hardly changes; the root of what is missing is made
/// up for, because the estimate also sees stiff modes, whose share must not be blown up.
const WELL_ESTIMATED: f64 = 32.0;

/// What remains from step to step of the departure to be expected.
const FADING: f64 = 0.7;

/// Which family of methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Order 4, 5 to 100 stages.
    Rock4,
    /// Order 2, 2 to 200 stages.
    Rkc2,
}

/// See the [module](self).
pub struct Rock {
    kind: Kind,
    track: Track,
    spectrum: SpectralRadius,
    /// Spectral radius of the mechanism, without the penalty.
    rho: f64,
    /// Accepted steps with this estimate; `None`: there is none.
    age: Option<u32>,
    chebyshev: rkc2::Method,
    /// The last stages and the end of the step.
    k: Vec<Vec<f64>>,
    /// Three neighbours of a recurrence.
    g: [Vec<f64>; 3],
    rates: Vec<f64>,
    error: Vec<f64>,
    stiffness: Stiffness,
    h: f64,
    limited: bool,
    /// An attempt that has not been accepted.
    pending: bool,
    /// The latest stage of all members, in steps.
    reach: f64,
    /// Departure of the last attempt from its past, and what was to be expected.
    departure: Option<[f64; 2]>,
    /// The last accepted step, and how far it and those before have departed.
    departed: Option<[f64; 2]>,
}

impl Rock {
    /// A family of methods over the given equations.
    pub fn new(ode: Ode, kind: Kind) -> Rock {
        Rock {
            kind,
            track: Track::new(ode),
            spectrum: SpectralRadius::default(),
            rho: 0.0,
            age: None,
            chebyshev: rkc2::Method::new(),
            k: Vec::new(),
            g: Default::default(),
            rates: Vec::new(),
            error: Vec::new(),
            stiffness: Stiffness::default(),
            h: 0.0,
            limited: false,
            pending: false,
            reach: match kind {
                Kind::Rock4 => rock4::reach(),
                Kind::Rkc2 => 1.0,
            },
            departure: None,
            departed: None,
        }
    }

    /// The estimate of order 4 knows the last four stages: what changes before them, it does not see.
    fn depart(&mut self, w: &Weights) {
        let (track, h, out) = (&self.track, self.h, &mut self.g[0]);
        let t = track.now.t + h;
        let known = (track.dense).departure(t, &track.y_next, &track.f_next, out);
        let like = |[last, e]: [f64; 2]| e * (h / last).powi(rock4::ORDER + 1);
        self.departure = (known && self.kind == Kind::Rock4)
            .then(|| [measure(out, w).0, self.departed.map_or(0.0, like)]);
    }

    /// Renews the spectral radius and, from it, the rate of the penalty.
    fn look(&mut self, sys: &mut dyn System, w: &Weights, stats: &mut Stats) -> Result<(), Retry> {
        let track = &mut self.track;
        let relaxes = track.ode.relaxes();
        if relaxes {
            track.ode.set_chi(0.0);
            Self::refresh(track, sys, stats)?;
        }
        self.rho = self.spectrum.radius(track, sys, w, stats)?;
        if relaxes {
            // a mechanism without forces still has the rate of its motion
            let motion = w.scale().first().map_or(0.0, |scale| w.speed(0) / scale);
            track.ode.set_chi(PENALTY * self.rho.max(motion));
            Self::refresh(track, sys, stats)?;
        }
        self.age = Some(0);
        Ok(())
    }

    /// The rates at the accepted point for the present rate of the penalty.
    fn refresh(track: &mut Track, sys: &mut dyn System, stats: &mut Stats) -> Result<(), Retry> {
        let mut f = std::mem::take(&mut track.f);
        let result = track.ode.rates(sys, stats, track.now.t, &track.y, &mut f);
        track.f = f;
        result
    }

    /// Step of order 2; the part of the estimate that needs no rates at the end.
    fn chebyshev(
        &mut self,
        sys: &mut dyn System,
        stats: &mut Stats,
        s: usize,
        h: f64,
    ) -> Result<(), Retry> {
        let track = &mut self.track;
        let t = track.now.t;
        let [before, now, new] = &mut self.g;
        let stages = self.chebyshev.stages(s);
        let Some((first, others)) = stages.split_first() else {
            return Ok(());
        };
        before.copy_from_slice(&track.y);
        let mut node = first.node;
        for (i, x) in now.iter_mut().enumerate() {
            *x = track.y[i] + first.mu_rate * h * track.f[i];
        }
        for k in others {
            track.rates(sys, stats, t + node * h, now, &mut self.rates)?;
            for (i, x) in new.iter_mut().enumerate() {
                *x = (1.0 - k.mu - k.nu) * track.y[i]
                    + k.mu * now[i]
                    + k.nu * before[i]
                    + h * (k.mu_rate * self.rates[i] + k.gamma_rate * track.f[i]);
            }
            std::mem::swap(before, now);
            std::mem::swap(now, new);
            node = k.node;
        }
        for (i, e) in self.error.iter_mut().enumerate() {
            *e = 0.8 * (track.y[i] - now[i]) + 0.4 * h * track.f[i];
        }
        track.y_next.copy_from_slice(now);
        track.land(sys, stats, h)?;
        for (e, f) in self.error.iter_mut().zip(&track.f_next) {
            *e += 0.4 * h * f;
        }
        Ok(())
    }

    /// Step of order 4 with its estimate.
    fn orthogonal(
        &mut self,
        sys: &mut dyn System,
        stats: &mut Stats,
        method: &rock4::Method,
        h: f64,
    ) -> Result<(), Retry> {
        let track = &mut self.track;
        let t = track.now.t;
        let [before, now, new] = &mut self.g;
        before.copy_from_slice(&track.y);
        for (i, x) in now.iter_mut().enumerate() {
            *x = track.y[i] + method.mu[0] * h * track.f[i];
        }
        for j in 1..method.mu.len() {
            let (mu, nu) = (method.mu[j], method.nu[j]);
            let node = method.nodes[j];
            track.rates(sys, stats, t + node * h, now, &mut self.rates)?;
            for (i, x) in new.iter_mut().enumerate() {
                *x = mu * h * self.rates[i] + nu * now[i] + (1.0 - nu) * before[i];
            }
            std::mem::swap(before, now);
            std::mem::swap(now, new);
        }
        let base = method.nodes[method.mu.len()];
        for (j, row) in method.a.iter().enumerate() {
            combine(now, h, &row[..j], &self.k, new);
            let node = base + row[..j].iter().sum::<f64>();
            track.rates(sys, stats, t + node * h, new, &mut self.k[j])?;
        }
        combine(now, h, &method.b, &self.k, &mut track.y_next);
        track.land(sys, stats, h)?;
        self.k[LAST].copy_from_slice(&track.f_next);
        self.error.fill(0.0);
        for (e, k) in method.error.iter().zip(&self.k) {
            for (o, k) in self.error.iter_mut().zip(k) {
                *o += h * e * k;
            }
        }
        Ok(())
    }

    /// Order of the error estimate.
    fn estimate_order(&self) -> usize {
        match self.kind {
            Kind::Rock4 => 3,
            Kind::Rkc2 => 2,
        }
    }

    /// Points of the dense output.
    fn points(&self) -> usize {
        match self.kind {
            Kind::Rock4 => 3,
            Kind::Rkc2 => 2,
        }
    }

    /// Longest `h rho` on offer.
    fn longest(&self) -> f64 {
        match self.kind {
            Kind::Rock4 => rock4::methods().last().map_or(0.0, |m| m.interval),
            Kind::Rkc2 => rkc2::longest(),
        }
    }

    fn step(&mut self, sys: &mut dyn System, stats: &mut Stats, rho: f64) -> Result<f64, Retry> {
        let (h, z) = (self.h, MARGIN * self.h * rho);
        match self.kind {
            Kind::Rkc2 => {
                let s = rkc2::stages_for(z).min(rkc2::MAX_STAGES);
                self.chebyshev(sys, stats, s, h)?;
                Ok(1.0)
            }
            Kind::Rock4 => {
                let all = rock4::methods();
                let method = all.iter().find(|m| m.interval >= z).or(all.last());
                let Some(method) = method else {
                    return Ok(f64::NAN);
                };
                self.orthogonal(sys, stats, method, h)?;
                Ok((method.interval / WELL_ESTIMATED).sqrt().max(1.0))
            }
        }
    }
}

impl Stepper for Rock {
    fn memory(&mut self, m: &mut Memory) {
        let Rock {
            kind,
            track,
            spectrum,
            rho,
            age,
            chebyshev: _,
            k: _,
            g: _,
            rates: _,
            error: _,
            stiffness,
            h,
            limited,
            pending,
            reach: _,
            departure: _,
            departed,
        } = self;
        m.section("rock");
        m.same(*kind as u64);
        track.memory(m);
        spectrum.memory(m);
        m.f64(rho);
        let mut known = age.is_some();
        let mut steps = age.unwrap_or(0);
        m.bool(&mut known);
        m.u32(&mut steps);
        *age = known.then_some(steps);
        stiffness.memory(m);
        m.f64(h);
        m.bool(limited);
        m.bool(pending);
        let mut known = departed.is_some();
        let mut values = departed.unwrap_or_default();
        m.bool(&mut known);
        m.slice(&mut values);
        *departed = known.then_some(values);
    }

    fn keeps_step(&self) -> bool {
        true
    }

    fn start(&mut self, sys: &dyn System, s: &State, _: &[f64], _: f64) {
        self.track.start(sys, s);
        self.age = None;
        self.pending = false;
        self.departure = None;
        self.departed = None;
    }

    fn bind(&mut self, sys: &mut dyn System, keep: &Rows) {
        self.track.bind(sys, keep, 3);
        let n = self.track.y.len();
        self.spectrum.reset(n);
        self.k = vec![vec![0.0; n]; LAST + 1];
        self.g = std::array::from_fn(|_| vec![0.0; n]);
        self.rates = vec![0.0; n];
        self.error = vec![0.0; n];
        self.stiffness.reset(n, None);
        // the table is read before the first step, not within it
        rock4::methods();
    }

    /// A step that more stages than there are would be needed for is taken shorter than asked.
    fn attempt(
        &mut self,
        sys: &mut dyn System,
        w: &Weights,
        stats: &mut Stats,
        next: Choice,
    ) -> Result<Trial, Retry> {
        let before = stats.right_hand_sides;
        self.track.rebase(sys);
        // a rejected step may have come from a radius that has grown
        let rejected = std::mem::replace(&mut self.pending, true);
        let old = |age: u32| age >= RENEW_AFTER || (rejected && age > 0);
        if self.age.is_none_or(old) {
            self.look(sys, w, stats)?;
        }
        let rho = self.rho.max(self.track.ode.chi());
        let longest = self.longest() / (MARGIN * rho);
        self.limited = next.h > longest;
        self.h = if self.limited { longest } else { next.h };
        let factor = self.step(sys, stats, rho)?;
        stats.count_step(before);
        self.depart(w);
        let (err, worst) = measure(&self.error, w);
        let mut err = factor * err;
        let order = self.estimate_order();
        if self.limited && err <= 1.0 {
            // what the step asked for would have had, but no reason to refuse the shorter one
            let power = order as i32 + 1;
            err = (err * (next.h / self.h).powi(power)).clamp(err, 1.0);
        }
        Ok(Trial {
            err: [f64::INFINITY, f64::INFINITY, err, f64::INFINITY],
            difference: [f64::INFINITY; 4],
            order,
            worst,
            iterations: 0,
            contraction: 0.0,
            rate: w.rate(),
        })
    }

    fn departure(&self) -> Option<[f64; 2]> {
        self.departure
    }

    fn accept(&mut self) {
        // what stiff modes leave in the rates comes and goes
        self.departed = (self.departure).map(|[e, expected]| [self.h, e.max(FADING * expected)]);
        self.track.accept();
        self.pending = false;
        self.age = self.age.map(|age| age + 1);
        self.stiffness
            .step(self.track.now.t, self.h, self.rho, self.limited);
    }

    fn state(&self) -> &State {
        &self.track.now
    }

    fn interpolate(&self, t: f64, out: &mut State) {
        self.track.interpolate(t, self.points(), out);
    }

    fn reach(&self) -> f64 {
        self.reach
    }

    fn extrapolate(&self, t: f64, out: &mut State) -> f64 {
        self.track.extrapolate(t, self.points(), out)
    }

    fn max_order(&self) -> usize {
        match self.kind {
            Kind::Rock4 => rock4::ORDER as usize,
            Kind::Rkc2 => 2,
        }
    }

    fn notes(&self, out: &mut Vec<String>) {
        self.stiffness.note(out);
    }
}
