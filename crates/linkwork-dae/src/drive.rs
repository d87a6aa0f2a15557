//! The main loop: attempt, judge, accept or reject, tell the observer. Read it first.

mod approach;
mod clock;
mod cross;
mod dead_end;
mod ending;
mod events;
mod locate;
mod observer;
mod pile;
mod record;
mod resume;
mod rows;
mod search;
mod segment;
mod starter;
mod step_size;
mod stride;
mod ways;

use crate::chart;
use crate::control::failure::Failures;
use crate::control::{StepController, Verdict};
use crate::corrector::Retry;
use crate::initial::Algebraic;
use crate::jacobian::excitation::Following;
use crate::limiter::Limiters;
use crate::log::{Attempt, Log, Outcome};
use crate::memory::Memory;
use crate::modes::Modes;
use crate::saddle::{Saddle, SaddleError};
use crate::spectrum::Spectrum;
use crate::state::{State, Tolerances, Weights};
use crate::stats::Stats;
use crate::stepper::{Choice, Stepper};
use crate::switching::watch::Watch;
use crate::system::{Rows, System};
pub use ending::{Cause, Ending, Failure};
use events::Watched;
pub use observer::{Flow, Observer, ObserverError, Occasion, OwnError, View};
use pile::Pile;
pub use record::{EventLog, Happening};
use resume::Progress;
use search::Search;
use starter::Starter;
use std::time::{Duration, Instant};
pub(crate) use step_size::fit;
use step_size::{EVENT_STRETCH, first_step};
pub(crate) use ways::Way;
use ways::Ways;

/// What a run is asked for.
#[derive(Clone, Debug)]
pub struct Plan {
    /// End time.
    pub t_end: f64,
    /// Error tolerances.
    pub tolerances: Tolerances,
    /// What a step may use of them.
    pub share: f64,
    /// First step; `None`: from the first accelerations.
    pub first_step: Option<f64>,
    /// Largest step.
    pub max_step: f64,
    /// Attempts before the run is given up.
    pub max_attempts: u64,
    /// Whether accelerations and multipliers of accepted states are taken from the acceleration
    /// level (index 1).
    pub consistent: bool,
    /// Whether the run must be fit to be continued beyond its end, see [`Engine::save`].
    pub continued: bool,
}

impl Plan {
    /// A plan with defaults for everything but the end time and the tolerances.
    pub fn new(t_end: f64, tolerances: Tolerances) -> Plan {
        Plan {
            t_end,
            tolerances,
            share: 1.0,
            first_step: None,
            max_step: f64::INFINITY,
            max_attempts: u64::MAX,
            consistent: false,
            continued: false,
        }
    }
}

/// Attempts at one step before the run is given up.
const MAX_RETRIES: u32 = 60;
/// Steps in a row from which the end is out of reach before the run is given up.
const HOPELESS: u32 = 10_000;
/// A step below this share of the time, or of the first step, cannot advance the clock reliably.
const SMALLEST_STEP: f64 = 16.0 * f64::EPSILON;

/// System, stepper, controller and what they share during a run.
pub struct Engine<'a> {
    sys: &'a mut dyn System,
    stepper: Box<dyn Stepper>,
    controller: Box<dyn StepController>,
    /// Other steppers that the run may change to.
    ways: Ways,
    saddle: Saddle,
    weights: Weights,
    scratch: State,
    /// The accepted state with accelerations and multipliers of the acceleration level, in index 1.
    consistent: State,
    algebraic: Algebraic,
    jerk: Vec<f64>,
    /// Which rows of contacts and friction are in force, and whether the stepper is yet to learn of it.
    modes: Modes,
    rebound: bool,
    /// Switching functions of the system, then of these rows; and how their zeros follow each other.
    watch: Watch,
    pile: Pile,
    /// The state at which a step is cut, and the one at which it began.
    cut: State,
    begun: State,
    /// Whether equations are not smooth where the run is to begin anew.
    rough: bool,
    /// Whether the system has anything to say about where it is not smooth.
    switching: bool,
    starter: Starter,
    search: Search,
    /// For controllers that ask for modes.
    spectrum: Option<Spectrum>,
    /// Rate of the motion at the start, 1/s.
    rate: f64,
    /// Whether the system has a chart.
    curved: bool,
    plan: Plan,
    progress: Progress,
    /// The run before its end first shortened a step, once that has happened.
    uncut: Option<Memory>,
    log: Log,
    failures: Failures,
    /// Counters.
    pub stats: Stats,
    /// Who limited the step.
    pub limiters: Limiters,
    /// The longest that an accepted step with all its attempts took by the clock.
    pub longest_step: Duration,
    /// What the attempts at the present step have taken so far.
    spent: Duration,
    /// Steps in a row that are lost in the rounding of the time that is left.
    lost: u32,
}

impl<'a> Engine<'a> {
    /// Puts a run together. `saddle` has been made for the kept rows.
    pub fn new(
        sys: &'a mut dyn System,
        stepper: Box<dyn Stepper>,
        controller: Box<dyn StepController>,
        saddle: Saddle,
        plan: Plan,
    ) -> Engine<'a> {
        let dims = sys.dims();
        let weights = Weights::new(sys, &plan.tolerances).of_steps(plan.share);
        let spectrum = controller.may_want_modes().then(|| Spectrum::new(sys));
        let modes = Modes::new(sys);
        let of_system = sys.switching().map(|s| s.switches().to_vec());
        let mut switches = of_system.unwrap_or_default();
        switches.extend_from_slice(modes.switches());
        let switching = sys.switching().is_some();
        let differential = sys.facts().differential.clone();
        Engine {
            starter: Starter::new(sys, &*stepper),
            stepper,
            controller,
            ways: Ways::default(),
            saddle,
            weights,
            scratch: State::new(dims),
            consistent: State::new(dims),
            algebraic: Algebraic::new(sys),
            jerk: Vec::with_capacity(dims.nv + dims.nx),
            modes,
            rebound: false,
            watch: Watch::new(&switches),
            pile: Pile::new(switches.len()),
            cut: State::new(dims),
            begun: State::new(dims),
            rough: false,
            switching,
            search: Search::new(dims, differential),
            spectrum,
            rate: 0.0,
            curved: sys.chart().is_some(),
            plan,
            progress: Progress::new(Choice { h: 0.0, order: 1 }, 0.0),
            uncut: None,
            log: Log::new(),
            failures: Failures::default(),
            stats: Stats::default(),
            limiters: Limiters::new(dims),
            longest_step: Duration::ZERO,
            spent: Duration::ZERO,
            lost: 0,
            sys,
        }
    }

    /// The newest accepted state.
    pub fn state(&self) -> &State {
        // a run that an event has ended has no step from there on
        if self.plan.consistent || self.pile.stuck {
            &self.consistent
        } else {
            self.stepper.state()
        }
    }

    /// What has come of following the excitations; `None` where derivatives do not follow any.
    pub fn following(&self) -> Option<Following> {
        self.stepper.following()
    }

    /// What the stepper and the step controller have to say about the run, in words.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        // whoever has other ways needs no advice to take one
        if self.ways.is_only() {
            self.stepper.notes(&mut notes);
        }
        self.controller.notes(&mut notes);
        notes
    }

    /// Runs from a consistent state to the end of the plan. On a chart the state is about the base
    /// that the system has now: a state found before another run with the same system is void.
    pub fn run(&mut self, s: &State, rows: &Rows, observer: &mut dyn Observer) -> Ending {
        let t0 = s.t;
        let first = match self.start(s, rows) {
            Ok(first) => first,
            Err(cause) => return self.fail(t0, cause),
        };
        self.progress = Progress::new(first, self.plan.t_end - t0);
        self.uncut = None;
        if let Err(e) = observer.on_start(&mut self.view(t0, t0, 0)) {
            return self.fail(t0, e.into());
        }
        match self.meet_switches(observer) {
            Ok(Flow::Continue) => self.proceed(observer),
            Ok(Flow::Stop) => Ending::Stopped,
            Err(cause) => self.fail(t0, cause),
        }
    }

    /// Goes on with a run that was stopped or resumed, as if nothing had happened.
    pub fn proceed(&mut self, observer: &mut dyn Observer) -> Ending {
        loop {
            match self.advance(observer) {
                Ok(None) => {}
                Ok(Some(ending)) => return ending,
                Err(cause) => return self.fail(self.reached(), cause),
            }
        }
    }

    /// One attempt at a step, and what follows from it. Says how the run ends, if it does.
    fn advance(&mut self, observer: &mut dyn Observer) -> Result<Option<Ending>, Cause> {
        let t = self.stepper.state().t;
        let smallest = SMALLEST_STEP * t.abs().max(self.progress.first);
        if self.plan.t_end - t <= smallest {
            return Ok(Some(Ending::Finished));
        }
        let ahead = self.look_at_the_clock(t, smallest, observer);
        let next = ahead.next;
        self.check_hope(t, next.h, smallest)?;
        self.progress.attempts += 1;
        self.modes.doze(self.sys);
        let clock = Instant::now();
        let seeded = self.seed(ahead.target);
        let verdict = match seeded {
            Some(choice) => Some(Verdict::Accept(choice)),
            None => self.attempt(t, next),
        };
        self.spent += clock.elapsed();
        if let Some(attempt) = self.log.last() {
            observer.on_attempt(attempt, &self.stats);
        }
        let choice = match verdict {
            Some(Verdict::Accept(choice)) => choice,
            Some(Verdict::Reject(again)) => return self.retry(t, next, Some(again), observer),
            None => return self.retry(t, next, None, observer),
        };
        self.progress.retries = 0;
        self.failures.passed();
        self.progress.next = choice;
        self.longest_step = self.longest_step.max(self.spent);
        self.spent = Duration::ZERO;
        if seeded.is_none() {
            self.starter.steps = 1;
            self.keep_begin();
            self.stepper.accept();
        }
        let to = self.stepper.state().t;
        self.progress.accepted(t, to);
        if seeded.is_none() {
            let order = next.order as f64;
            self.progress.promised = Some([next.h, self.progress.error, order]);
        }
        // the step was cut by the clock, not by its error
        let uncut = ahead.wanted.max(choice.h);
        let attempted = self.log.last().filter(|_| seeded.is_none());
        let order = attempted.map_or(choice.order, |attempt| attempt.order);
        let flow = self.conclude(t, to, order, uncut, ahead.event, observer)?;
        Ok((flow == Flow::Stop).then_some(Ending::Stopped))
    }

    /// Whether there is any use in another attempt.
    fn check_hope(&mut self, t: f64, h: f64, smallest: f64) -> Result<(), Cause> {
        let Progress {
            retries, attempts, ..
        } = self.progress;
        // NaN must not pass
        if !(h > smallest) {
            return Err(Cause::StepTooSmall { h });
        }
        if retries > MAX_RETRIES {
            return Err(Cause::TooManyRetries { retries });
        }
        // a clock that adds such steps never gets there
        self.lost = match h < f64::EPSILON * (self.plan.t_end - t) {
            true => self.lost + 1,
            false => 0,
        };
        if self.lost > HOPELESS {
            return Err(Cause::OutOfReach { h });
        }
        if attempts >= self.plan.max_attempts {
            return Err(Cause::OutOfAttempts { attempts });
        }
        Ok(())
    }

    /// After an attempt that was rejected, with what to try next if anything is left.
    fn retry(
        &mut self,
        t: f64,
        tried: Choice,
        again: Option<Choice>,
        observer: &mut dyn Observer,
    ) -> Result<Option<Ending>, Cause> {
        self.progress.retries += u32::from(again.is_some());
        if self.exchange_rows(tried.h)? {
            return Ok(None);
        }
        let Some(again) = again else {
            let attempts = self.failures.singular() + 1;
            return Err(Cause::Singular { attempts });
        };
        match self.progress.kink.take() {
            Some(uncut) => self.leave_kink(uncut)?,
            None => self.progress.next = self.look_ahead(t, tried, again, observer)?,
        }
        Ok(None)
    }

    /// All that follows an accepted step: switches within it, observers, events at its end.
    fn conclude(
        &mut self,
        from: f64,
        to: f64,
        order: usize,
        uncut: f64,
        event: Option<f64>,
        observer: &mut dyn Observer,
    ) -> Result<Flow, Cause> {
        let (mut from, mut flow) = (from, Flow::Continue);
        if !self.watch.is_empty() {
            match self.watch_step(from, to, order, uncut, observer)? {
                Watched::Whole(begin, told) => (from, flow) = (begin, told),
                Watched::Back => return Ok(Flow::Continue),
                Watched::Cut(told) => {
                    let now = self.stepper.state().t;
                    if told == Flow::Continue && event.is_some_and(|event| now >= event) {
                        return self.pass_event(uncut, observer);
                    }
                    return Ok(told);
                }
            }
        }
        self.weights.renew(self.stepper.state());
        self.answer_controller();
        self.make_consistent().map_err(Cause::Output)?;
        if from < to {
            let told = observer.on_step(&mut self.view(from, to, order));
            if told? == Flow::Stop {
                flow = Flow::Stop;
            }
        }
        if self.progress.suspect.is_some_and(|[stop, ..]| to >= stop) {
            self.cross(uncut, observer)?;
        } else if event.is_some_and(|event| to >= event)
            && self.pass_event(uncut, observer)? == Flow::Stop
        {
            flow = Flow::Stop;
        }
        Ok(flow)
    }

    fn start(&mut self, s: &State, rows: &Rows) -> Result<Choice, Cause> {
        // nothing here depends on the end of the run, so that a run to a later end begins the same
        self.controller.aim(self.plan.tolerances.rtol);
        self.rate = self.weights.start(s);
        self.consistent.copy_from(s);
        self.begin_modes(rows)?;
        if !self.rebound {
            self.stepper.bind(self.sys, rows);
        }
        self.pile.clear();
        self.starter.begin();
        self.begin_watch();
        Ok(self.start_stepper(self.plan.first_step))
    }

    /// Starts the stepper at the consistent state, with this step or one from the accelerations.
    fn start_stepper(&mut self, h: Option<f64>) -> Choice {
        if std::mem::take(&mut self.rebound) {
            self.stepper.bind(self.sys, &self.modes.rows());
        }
        if let Some(switching) = self.sys.switching() {
            switching.centre();
        }
        // that of another start says nothing here, and is not there after a restart
        self.jerk.clear();
        if self.stepper.wants_jerk() {
            self.find_jerk();
        }
        let s = &self.consistent;
        let order = self.stepper.first_order();
        let from_accelerations = || first_step(s, &self.jerk, &self.weights, self.rate, order);
        let h = h.unwrap_or_else(from_accelerations);
        let h = h.min(self.plan.max_step).min(self.rotation_limit(1, s));
        let (t, choice) = (s.t, self.controller.start(h));
        let h = match self.next_event(t) {
            Some(to) => fit(choice.h, t, to, EVENT_STRETCH),
            None => choice.h,
        };
        self.progress.started();
        self.stepper
            .start(self.sys, &self.consistent, &self.jerk, h);
        if std::mem::take(&mut self.rough) {
            self.stepper.beware();
        }
        choice
    }

    /// Attempts a step and judges it, with all bookkeeping. `None`: nothing is left to try.
    fn attempt(&mut self, t: f64, next: Choice) -> Option<Verdict> {
        let result = self
            .stepper
            .attempt(self.sys, &self.weights, &mut self.stats, next);
        if self.curved && self.plan.consistent {
            // the same configuration, about the base that the attempt has moved
            let q = &self.stepper.state().q;
            self.consistent.q.copy_from_slice(q);
        }
        // methods of one step have an order of their own
        let order = (result.as_ref()).map_or(next.order, |trial| trial.order);
        let (verdict, outcome) = match result {
            Ok(trial) => {
                self.limiters.count(trial.worst);
                let mut err = trial.error();
                let mut verdict = self.controller.judge(&trial, next.h);
                if let (Verdict::Accept(_), Some(off)) = (verdict, self.leaps(t, next)) {
                    (verdict, err) = (Verdict::Reject(next), off);
                }
                self.progress.error = err;
                let worst = trial.worst;
                let outcome = match verdict {
                    Verdict::Accept(_) => {
                        self.stats.accept_step();
                        Outcome::Accepted { err, worst }
                    }
                    Verdict::Reject(_) => {
                        self.stats.rejected += 1;
                        Outcome::Rejected { err, worst }
                    }
                };
                (Some(verdict), outcome)
            }
            Err(why) => {
                if let Retry::Diverged { worst, .. }
                | Retry::Slow { worst, .. }
                | Retry::Rounding { worst, .. }
                | Retry::Branch { worst, .. } = &why
                {
                    self.limiters.count(*worst);
                }
                self.progress.error = f64::INFINITY;
                self.controller.failed();
                let again = match why {
                    Retry::Rounding { .. } if self.weights.loosen() => Some(next),
                    _ => self.failures.respond(&why, next),
                };
                (again.map(Verdict::Reject), Outcome::Unsolved(why))
            }
        };
        self.log.push(Attempt {
            t,
            h: next.h,
            order,
            outcome,
        });
        verdict
    }

    /// Finds the error of another order and the modes of the system where the step controller asks
    /// for them.
    fn answer_controller(&mut self) {
        if let Some(order) = self.controller.wants_error_at() {
            self.controller.hear_error(self.stepper.error_at(order));
        }
        if !self.controller.wants_modes() {
            return;
        }
        let Some(spectrum) = &mut self.spectrum else {
            return;
        };
        let (state, rate) = (self.stepper.state(), self.weights.rate());
        let modes = spectrum.modes(self.sys, &mut self.saddle, state, rate);
        // without a value they may be anywhere
        self.controller.hear_modes(modes.unwrap_or_default());
    }

    /// Rates of the accelerations and of `xdot` along the motion from the consistent state, by one
    /// difference; 0 where they have no value.
    fn find_jerk(&mut self) {
        let dt = 1e-5 / self.rate;
        let s = &self.consistent;
        let ahead = &mut self.scratch;
        ahead.copy_from(s);
        ahead.t += dt;
        // the accelerations are solved for below: until then they are the step
        for i in 0..s.v.len() {
            ahead.a[i] = dt * (s.v[i] + 0.5 * dt * s.a[i]);
            ahead.v[i] += dt * s.a[i];
        }
        chart::advance(self.sys, &mut ahead.q, &ahead.a);
        for (x, xdot) in ahead.x.iter_mut().zip(&s.xdot) {
            *x += dt * xdot;
        }
        let found = self.algebraic.solve(self.sys, ahead).is_ok()
            && self.saddle.accelerate(self.sys, ahead).is_ok();
        let before = s.a.iter().chain(&s.xdot);
        let behind = ahead.a.iter().chain(&ahead.xdot);
        self.jerk.clear();
        self.jerk
            .extend((before.zip(behind)).map(|(a, b)| if found { (b - a) / dt } else { 0.0 }));
    }

    /// Index 1: accelerations and multipliers of the accepted state from the acceleration level.
    fn make_consistent(&mut self) -> Result<(), SaddleError> {
        if self.plan.consistent {
            self.consistent.copy_from(self.stepper.state());
            self.saddle.accelerate(self.sys, &mut self.consistent)?;
        }
        Ok(())
    }

    fn view(&mut self, from: f64, to: f64, order: usize) -> View<'_> {
        if !self.plan.consistent {
            self.consistent.copy_from(self.stepper.state());
        }
        View {
            from,
            to,
            order,
            steps: self.starter.steps,
            occasion: None,
            stats: &self.stats,
            sys: self.sys,
            stepper: &mut *self.stepper,
            between: None,
            saddle: &mut self.saddle,
            modes: &self.modes,
            scratch: &mut self.scratch,
            now: &self.consistent,
        }
    }

    fn fail(&self, t: f64, cause: Cause) -> Ending {
        Ending::Failed(Failure {
            t,
            cause,
            recent: self.log.attempts(),
        })
    }
}
