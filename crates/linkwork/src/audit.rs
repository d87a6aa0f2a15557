//! Accounts kept along a run, independent of the integrator: constraint residuals and energy.
//!
//! ```text
//!  position level  max |C|                 velocity level  max |C_q v + C_t|
//!  work            sum over steps of h (w1 P(t1) + ... + wn P(tn)), at the stages of a collocation method, else
//!                  by Lobatto's rule that suits the order
//!  balance         E(end) - E(start) - work
//!  hidden          max sum |lambda_i C_i|: what constraints are open by, times what closes them
//! ```
//!
//! `P` is the power of everything the energy does not cover. Where a constraint moves with time
//! (`C_t` not 0) the power of its drive depends on the reaction, as does that of forces that follow
//! reactions, so consistent multipliers are computed there; elsewhere positions and velocities suffice.

use crate::pace::of_rows;
use linkwork_dae::drive::{Flow, Observer, ObserverError, View};
use linkwork_dae::memory::Memory;
use linkwork_dae::state::State;
use linkwork_dae::system::{After, At, Energy, Part, System, Terms};

/// Largest constraint residuals of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ConstraintResidual {
    /// Largest `|C|`.
    pub position: f64,
    /// Largest `|C_q v + C_t|`.
    pub velocity: f64,
}

/// The energy account of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EnergyAccount {
    /// Energy at the start, J.
    pub start: f64,
    /// Energy at the end, J.
    pub end: f64,
    /// Work of everything that the energy does not cover, J.
    pub work: f64,
    /// What impacts have taken, J.
    pub impacts: f64,
    /// Of the energy at the start, that of parts that bend, J.
    pub strain_start: f64,
    /// The same at the end, J.
    pub strain_end: f64,
    /// The largest that they had, J; 0 where nothing bends.
    pub strain_most: f64,
    /// Energy in play: the largest kinetic energy or swing of potential energy, and the work done in
    /// either direction, J.
    pub exchanged: f64,
}

impl EnergyAccount {
    /// Energy that appeared from nowhere, J.
    pub fn imbalance(&self) -> f64 {
        self.end - self.start - self.work + self.impacts
    }
}

/// Energy that nobody accounts for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Hidden {
    /// The most of it, J.
    pub energy: f64,
    /// When.
    pub t: f64,
}

/// Keeps the accounts.
pub struct Audit {
    c: Vec<f64>,
    cv: Vec<f64>,
    rest: Vec<f64>,
    /// The state that is being looked at.
    state: State,
    residual: ConstraintResidual,
    latest: ConstraintResidual,
    residual_scale: f64,
    seen: Option<Energy>,
    account: Option<EnergyAccount>,
    /// Largest kinetic energy.
    kinetic: f64,
    potential: Swing,
    gross_work: f64,
    last_power: f64,
    /// Where it started.
    start: Vec<f64>,
    scale: Vec<f64>,
    covered: f64,
    hidden: Hidden,
    /// What the accounts took, in evaluations.
    work: f64,
}

/// A quadrature with the ends of a step among its points.
struct Lobatto {
    /// Weight of either end.
    ends: f64,
    /// Points within the step, as shares of it, and their weights.
    inner: &'static [(f64, f64)],
}

/// Simpson's rule, of order 4.
const THREE: Lobatto = Lobatto {
    ends: 1.0 / 6.0,
    inner: &[(0.5, 2.0 / 3.0)],
};

/// Five points, of order 8: `1/2 -+ sqrt(3/7)/2` and the middle.
const FIVE: Lobatto = Lobatto {
    ends: 1.0 / 20.0,
    inner: &[
        (0.172_673_164_646_011_43, 49.0 / 180.0),
        (0.5, 16.0 / 45.0),
        (0.827_326_835_353_988_6, 49.0 / 180.0),
    ],
};

/// The rule for steps of an order: long ones of a high order need more points, and several that are shown as one.
fn rule(view: &View<'_>) -> &'static Lobatto {
    match view.order > 5 || view.steps > 1 {
        true => &FIVE,
        false => &THREE,
    }
}

/// The share of a step at which it is seen whether drives move: at its ends they may be at rest, as where they turn
/// back, and in the middle of a motion to and fro.
const ASIDE: f64 = 0.4;

/// What an energy takes: a pass over the system, and consistent multipliers where its power depends on them.
fn of_energy(driven: bool) -> f64 {
    1.0 + if driven { of_rows(1) } else { 0.0 }
}

/// Smallest and largest value seen.
#[derive(Clone, Copy)]
struct Swing {
    low: f64,
    high: f64,
}

impl Swing {
    const NONE: Swing = Swing {
        low: f64::INFINITY,
        high: f64::NEG_INFINITY,
    };

    fn see(&mut self, x: f64) {
        self.low = self.low.min(x);
        self.high = self.high.max(x);
    }

    fn memory(&mut self, m: &mut Memory) {
        let Swing { low, high } = self;
        m.f64(low);
        m.f64(high);
    }

    fn width(&self) -> f64 {
        (self.high - self.low).max(0.0)
    }
}

impl Audit {
    /// Empty accounts for a system.
    pub fn new(sys: &dyn System) -> Audit {
        let dims = sys.dims();
        let scale = sys.facts().scale.clone();
        Audit {
            c: vec![0.0; dims.nc],
            cv: vec![0.0; dims.rows()],
            rest: vec![0.0; dims.nv],
            state: State::new(dims),
            residual: ConstraintResidual::default(),
            latest: ConstraintResidual::default(),
            seen: None,
            residual_scale: scale.iter().copied().fold(f64::INFINITY, f64::min),
            account: None,
            kinetic: 0.0,
            potential: Swing::NONE,
            gross_work: 0.0,
            last_power: 0.0,
            start: Vec::new(),
            scale,
            covered: 0.0,
            hidden: Hidden::default(),
            work: 0.0,
        }
    }

    /// What the accounts took, in the measure of [`crate::pace`].
    pub(crate) fn work(&self) -> f64 {
        self.work
    }

    /// How far any coordinate has gone from its start, in its typical sizes.
    pub fn covered(&self) -> f64 {
        self.covered
    }

    /// The largest energy that open constraints hide.
    pub(crate) fn hidden(&self) -> Hidden {
        self.hidden
    }

    fn cover(&mut self, q: &[f64]) {
        for ((q, start), scale) in q.iter().zip(&self.start).zip(&self.scale) {
            self.covered = self.covered.max(((q - start) / scale).abs());
        }
    }

    /// Largest residuals so far.
    pub fn residual(&self) -> ConstraintResidual {
        self.residual
    }

    /// Residuals at the last accepted step.
    pub fn latest_residual(&self) -> ConstraintResidual {
        self.latest
    }

    /// Kinetic and potential energy at the last accepted step, J.
    pub fn latest_energy(&self) -> Option<Energy> {
        self.seen
    }

    /// The smallest typical size of a coordinate: what residuals of positions are compared with.
    pub fn residual_scale(&self) -> f64 {
        if self.residual_scale.is_finite() {
            self.residual_scale
        } else {
            1.0
        }
    }

    /// The energy account so far; `None` when the system keeps none.
    pub fn energy(&self) -> Option<EnergyAccount> {
        self.account.map(|account| EnergyAccount {
            exchanged: self.kinetic.max(self.potential.width()) + self.gross_work,
            ..account
        })
    }

    /// Counts the residuals at the end of the step.
    fn see_constraints(&mut self, view: &mut View<'_>) {
        if self.cv.is_empty() {
            return;
        }
        self.state.copy_from(view.state());
        self.work += 1.0;
        let mut want = Terms {
            c: Some(&mut self.c),
            cv: Some(&mut self.cv),
            ..Terms::default()
        };
        if view.sys.eval(&self.state.at(), &mut want).is_err() {
            return;
        }
        let largest = |values: &[f64]| {
            let held = values.iter().enumerate().filter(|(i, _)| view.holds(*i));
            held.fold(0.0, |m: f64, (_, x)| m.max(x.abs()))
        };
        self.latest = ConstraintResidual {
            position: largest(&self.c),
            velocity: largest(&self.cv),
        };
        let rows = self.c.iter().zip(&self.state.lambda).enumerate();
        let held = rows.filter(|(i, _)| view.holds(*i));
        let hidden = held.map(|(_, (c, lambda))| (c * lambda).abs()).sum();
        if hidden > self.hidden.energy {
            self.hidden = Hidden {
                energy: hidden,
                t: view.to,
            };
        }
        self.residual.position = self.residual.position.max(self.latest.position);
        self.residual.velocity = self.residual.velocity.max(self.latest.velocity);
    }

    /// Whether power depends on multipliers, by what is so at a share of the step: constraints move with time, or forces
    /// follow reactions.
    fn is_driven(&mut self, view: &mut View<'_>, share: f64) -> bool {
        // what slides works by its share
        let slides = view.sys.switching().is_some_and(|k| k.sliding() > 0);
        if slides || self.cv.is_empty() {
            return slides;
        }
        self.state.copy_from(view.state());
        self.work += 1.0;
        let at_rest = At {
            t: view.from + share * (view.to - view.from),
            v: &self.rest,
            ..self.state.at()
        };
        let mut want = Terms {
            cv: Some(&mut self.cv),
            ..Terms::default()
        };
        view.sys.eval(&at_rest, &mut want).is_err()
            || self.cv.iter().any(|x| *x != 0.0)
            // what slips works by its multiplier
            || !view.sys.facts().laws.is_empty()
            || !view.sys.facts().patterns[Part::Rl].is_empty()
    }

    fn energy_at(&mut self, view: &mut View<'_>, t: f64, driven: bool) -> Option<Energy> {
        self.work += of_energy(driven);
        let consistent = if driven {
            view.consistent(t).ok()
        } else {
            None
        };
        match consistent {
            Some(s) => self.state.copy_from(s),
            None => self.state.copy_from(view.motion(t)),
        }
        self.state.t = t;
        view.sys.energy(&self.state)
    }

    /// Mean power over the step that ends so: from its stages, else from points within it.
    fn mean_power(&mut self, view: &mut View<'_>, driven: bool, end: Energy) -> Option<f64> {
        let (mut sum, mut stages) = (0.0, 0);
        while let Some((weight, stage)) = view.stage(stages, driven) {
            self.state.copy_from(stage);
            self.work += of_energy(driven);
            sum += weight * view.sys.energy(&self.state)?.power;
            stages += 1;
        }
        if stages > 0 {
            return Some(sum);
        }
        let (h, rule) = (view.to - view.from, rule(view));
        sum = rule.ends * (self.last_power + end.power);
        for (node, weight) in rule.inner {
            let t = view.from + node * h;
            sum += weight * self.energy_at(view, t, driven)?.power;
        }
        Some(sum)
    }
}

impl Observer for Audit {
    fn on_start(&mut self, view: &mut View<'_>) -> Result<(), ObserverError> {
        self.start.clone_from(&view.state().q);
        self.see_constraints(view);
        let driven = self.is_driven(view, 1.0);
        self.seen = self.energy_at(view, view.to, driven);
        if let Some(e) = self.seen {
            self.kinetic = self.kinetic.max(e.kinetic);
            self.potential.see(e.potential);
            self.last_power = e.power;
            self.account = Some(EnergyAccount {
                start: e.total(),
                end: e.total(),
                strain_start: e.strain,
                strain_end: e.strain,
                strain_most: e.strain,
                ..EnergyAccount::default()
            });
        }
        Ok(())
    }

    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        self.see_constraints(view);
        let driven = self.is_driven(view, ASIDE);
        self.cover(&view.state().q);
        if self.account.is_none() {
            return Ok(Flow::Continue);
        }
        let end = self.energy_at(view, view.to, driven);
        self.seen = end;
        let power = end.and_then(|end| self.mean_power(view, driven, end));
        if let (Some(account), Some(power), Some(e)) = (&mut self.account, power, end) {
            let work = (view.to - view.from) * power;
            account.work += work;
            account.end = e.total();
            account.strain_end = e.strain;
            account.strain_most = account.strain_most.max(e.strain);
            self.gross_work += work.abs();
            self.kinetic = self.kinetic.max(e.kinetic);
            self.potential.see(e.potential);
            self.last_power = e.power;
        }
        Ok(Flow::Continue)
    }

    fn memory(&mut self, m: &mut Memory) {
        let Audit {
            c: _,
            cv: _,
            rest: _,
            state: _,
            residual: ConstraintResidual { position, velocity },
            latest: _,
            residual_scale: _,
            seen: _,
            account,
            kinetic,
            potential,
            gross_work,
            last_power,
            start,
            scale: _,
            covered,
            hidden: Hidden { energy, t },
            work,
        } = self;
        m.section("audit");
        m.f64(position);
        m.f64(velocity);
        let mut kept = account.is_some();
        m.bool(&mut kept);
        if m.is_reading() {
            *account = kept.then(EnergyAccount::default);
        }
        if let Some(account) = account {
            let EnergyAccount {
                start,
                end,
                work,
                impacts,
                strain_start,
                strain_end,
                strain_most,
                exchanged,
            } = account;
            for x in [start, end, work, impacts, exchanged] {
                m.f64(x);
            }
            for x in [strain_start, strain_end, strain_most] {
                m.f64(x);
            }
        }
        m.f64(kinetic);
        potential.memory(m);
        m.f64(gross_work);
        m.f64(last_power);
        m.list(start);
        m.f64(covered);
        m.f64(energy);
        m.f64(t);
        m.f64(work);
    }

    /// Power jumps with the forces, the energy with velocities and with what springs hang on: impacts take some, and impulses of joints
    /// that move and of events, roads and lengths that jump do work.
    fn on_event(&mut self, view: &mut View<'_>, after: After) -> Result<(), ObserverError> {
        if after == After::Continue || self.account.is_none() {
            return Ok(());
        }
        self.see_constraints(view);
        let driven = self.is_driven(view, 1.0);
        let energy = self.energy_at(view, view.to, driven);
        if let (Some(account), Some(e)) = (&mut self.account, energy) {
            self.last_power = e.power;
            let lost = view.lost_in_impacts() - account.impacts;
            let work = e.total() - account.end + lost;
            account.impacts += lost;
            account.work += work;
            account.end = e.total();
            account.strain_end = e.strain;
            account.strain_most = account.strain_most.max(e.strain);
            self.gross_work += work.abs() + lost;
        }
        Ok(())
    }
}
