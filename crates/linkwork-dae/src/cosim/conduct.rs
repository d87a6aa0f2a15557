//! The main loop of a co-simulation: approximate, run everybody twice, judge, exchange.
//!
//! The first step after a start or a jump has no past to predict from. It is made with constant
//! inputs, and its second run with the values that the first one led to: that gives an estimate of
//! the same kind, at the price of one step without parallel runs. The same is done where an input has
//! become what its past did not announce (a bump within the step): extrapolation and prediction agree
//! there, and both are wrong.

mod exchange;
mod inputs;
mod judge;
mod record;
mod repeat;

use super::account::{ConnectionAccount, Ending, Guarantee, MacroStep, MemberAccount, Report};
use super::pi::PiController;
use super::plan::Plan;
use super::signal::{Approximation, Signal};
use super::workers::{MemberRuns, Round, Workers, hold};
use super::{Coupling, Member, Trouble};
use crate::drive::{Flow, fit};
use repeat::Cut;
use std::ops::Range;

/// Sees every attempted macro step.
pub trait Watch {
    /// After an attempt; with the inputs at its end if it counts, else at its beginning.
    fn on_step(&mut self, step: &MacroStep, inputs: &[f64]) -> Flow;

    /// Whether the whole should be saved now: after an accepted step, or at the end (`None`).
    fn wants_tape(&mut self, step: Option<&MacroStep>) -> bool {
        let _ = step;
        false
    }

    /// The whole as [`resume`] takes it.
    fn on_tape(&mut self, words: &[u64]) {
        let _ = words;
    }
}

/// A watcher that looks away.
impl Watch for () {
    fn on_step(&mut self, _: &MacroStep, _: &[f64]) -> Flow {
        Flow::Continue
    }
}

/// A step below this share of the time, or of the first step, cannot advance the clock reliably.
const SMALLEST_STEP: f64 = 16.0 * f64::EPSILON;
/// How far a step may be stretched to meet an event or the end.
const STRETCH: f64 = 1.001;
/// Growth of the steps of a start to a constant step.
const RISE: f64 = 2.0;
/// Steps in which less than this share of the time that is left has been covered, after which the end is out of reach.
const HOPELESS: u64 = 10_000;
const NO_PROGRESS: f64 = 1e-9;

/// Runs the members to the end of the plan, or as far as they go.
pub fn conduct(
    members: Vec<Member<'_>>,
    coupling: &mut dyn Coupling,
    plan: &Plan,
    watch: &mut dyn Watch,
) -> Report {
    let begun = begin(members, coupling, plan, watch, None);
    // nothing was read that could be refused
    begun.unwrap_or_else(|trouble| Report {
        ending: failed(0, trouble),
        ..Report::empty()
    })
}

/// The same, from where a tape says that [`conduct`] was: to the last bit the run that wrote it. The end
/// time and the number of threads may be others. Fails where the tape does not fit the members.
pub fn resume(
    members: Vec<Member<'_>>,
    coupling: &mut dyn Coupling,
    plan: &Plan,
    watch: &mut dyn Watch,
    words: &[u64],
) -> Result<Report, Trouble> {
    begin(members, coupling, plan, watch, Some(words))
}

fn begin(
    members: Vec<Member<'_>>,
    coupling: &mut dyn Coupling,
    plan: &Plan,
    watch: &mut dyn Watch,
    tape: Option<&[u64]>,
) -> Result<Report, Trouble> {
    let members: Vec<MemberRuns<'_>> = members.into_iter().map(MemberRuns::new).collect();
    let estimated = members.iter().all(|s| s.twin.is_some());
    Workers::run(&members, plan.threads, |workers| {
        let mut conductor = Conductor::new(workers, coupling, plan, estimated);
        let started = match tape {
            Some(words) => {
                conductor.resume(words)?;
                Ok(())
            }
            None => conductor.start(),
        };
        let ending = match started {
            Ok(()) => {
                let ending = conductor.run(watch);
                conductor.keep(watch, None);
                ending
            }
            Err(ending) => ending,
        };
        Ok(conductor.report(ending))
    })
}

struct Conductor<'c, 'a, 'b> {
    workers: &'c Workers<'a, 'b>,
    coupling: &'c mut dyn Coupling,
    plan: &'c Plan,
    estimated: bool,
    /// Share of the tolerance that a step may use.
    share: f64,
    feedthrough: bool,
    /// Inputs and outputs of each member in the lists of all.
    inputs_of: Vec<Range<usize>>,
    outputs_of: Vec<Range<usize>>,
    outputs: Vec<f64>,
    /// Inputs at the present macro point.
    inputs: Vec<f64>,
    fresh: Vec<f64>,
    /// Extrapolations and what was used, at the end of the step.
    extrapolated: Vec<f64>,
    used: Vec<f64>,
    signals: Vec<Signal>,
    held: Vec<bool>,
    /// `None` for held inputs and those without a past.
    steps: Vec<Option<Approximation>>,
    /// Largest value of each input.
    largest: Vec<f64>,
    /// Largest distance of each input from what it should have been, and the sum of squares.
    defects: Vec<[f64; 2]>,
    /// How often each entry of each member ruled the error.
    rulers: Vec<[Vec<u64>; 2]>,
    controller: PiController,
    t: f64,
    h: f64,
    first: f64,
    /// Whether the steps of a start have not yet grown to the constant step.
    rising: bool,
    failures: u32,
    /// Where the step is cut because a member jumps.
    cut: Option<Cut>,
    /// The end of the first step that failed: who gets beyond has left the trouble behind.
    beyond: f64,
    /// What the last failure was about.
    trouble: Option<(usize, Trouble)>,
    report: Report,
}

impl<'c, 'a, 'b> Conductor<'c, 'a, 'b> {
    fn new(
        workers: &'c Workers<'a, 'b>,
        coupling: &'c mut dyn Coupling,
        plan: &'c Plan,
        estimated: bool,
    ) -> Conductor<'c, 'a, 'b> {
        let (mut inputs_of, mut outputs_of) = (Vec::new(), Vec::new());
        let (mut inputs, mut outputs, mut feedthrough) = (0, 0, false);
        let mut rulers = Vec::new();
        let mut members = Vec::new();
        for runs in workers.members() {
            let sub = &hold(&runs.main).sub;
            inputs_of.push(inputs..inputs + sub.inputs());
            outputs_of.push(outputs..outputs + sub.outputs());
            inputs += sub.inputs();
            outputs += sub.outputs();
            feedthrough |= sub.feedthrough();
            let (positions, rates) = sub.sizes();
            rulers.push([vec![0; positions], vec![0; rates]]);
            members.push(MemberAccount {
                name: runs.name.clone(),
                ..MemberAccount::default()
            });
        }
        Conductor {
            // defects are forces that act all the time: they add up in proportion to themselves
            share: if estimated { plan.share_of_step() } else { 1.0 },
            feedthrough,
            inputs_of,
            outputs_of,
            outputs: vec![0.0; outputs],
            inputs: vec![0.0; inputs],
            fresh: vec![0.0; inputs],
            extrapolated: vec![0.0; inputs],
            used: vec![0.0; inputs],
            signals: vec![Signal::default(); inputs],
            held: (0..inputs).map(|i| coupling.is_held(i)).collect(),
            steps: vec![None; inputs],
            largest: vec![0.0; inputs],
            defects: vec![[0.0; 2]; inputs],
            rulers,
            controller: PiController::default(),
            t: 0.0,
            h: 0.0,
            first: 0.0,
            rising: plan.step.is_some(),
            failures: 0,
            cut: None,
            beyond: f64::NEG_INFINITY,
            trouble: None,
            report: Report {
                guarantee: if estimated {
                    Guarantee::Estimated
                } else {
                    Guarantee::ForwardOnly
                },
                connections: vec![ConnectionAccount::default(); coupling.connections().len()],
                members,
                ..Report::empty()
            },
            workers,
            coupling,
            plan,
            estimated,
        }
    }

    fn run(&mut self, watch: &mut dyn Watch) -> Ending {
        let mut mark = (self.attempts(), self.t);
        loop {
            let smallest = self.smallest();
            let left = self.plan.t_end - self.t;
            if left <= smallest {
                return Ending::Finished;
            }
            let attempts = self.attempts();
            if attempts >= self.plan.max_steps {
                return Ending::OutOfSteps;
            }
            if attempts - mark.0 >= HOPELESS {
                if self.t - mark.1 < NO_PROGRESS * left {
                    let (h, member) = (self.h.min(self.longest()), self.slowest());
                    return Ending::OutOfReach { h, member };
                }
                mark = (attempts, self.t);
            }
            let event = self.next_event(smallest);
            let cut = self.cut.map(|cut| cut.to);
            let cut = cut.filter(|cut| event.is_none_or(|event| *cut < event));
            let event = cut.or(event);
            let constant = self.plan.step.filter(|_| !self.rising);
            let wanted = constant.unwrap_or(self.h).min(self.longest());
            let target = event.unwrap_or(self.plan.t_end);
            let h = fit(wanted, self.t, target, STRETCH);
            if !(h > smallest) {
                if let Some((member, trouble)) = self.trouble.take() {
                    return failed(member, trouble);
                }
                let member = self.slowest();
                return Ending::StepTooSmall { h, member };
            }
            // the sum that the step was fitted for, not one that is rounded
            let to = if self.t + h >= target {
                target
            } else {
                self.t + h
            };
            let from = self.t;
            match self.attempt(to, h, wanted, watch) {
                Ok(None) => {}
                Ok(Some(ending)) => return ending,
                Err(ending) => {
                    self.t = from;
                    self.go_back();
                    return ending;
                }
            }
        }
    }

    fn attempts(&self) -> u64 {
        self.report.accepted + self.report.rejected + self.report.failed
    }

    /// A step that cannot advance the clock reliably.
    fn smallest(&self) -> f64 {
        SMALLEST_STEP * self.t.abs().max(self.first)
    }

    /// The member that ruled the error most often.
    fn slowest(&self) -> usize {
        let members = self.report.members.iter().enumerate();
        let slowest = members.max_by_key(|(_, m)| m.limited);
        slowest.map_or(0, |(i, _)| i)
    }

    fn longest(&self) -> f64 {
        self.plan
            .step
            .unwrap_or(f64::INFINITY)
            .min(self.plan.max_step)
    }

    /// Whether a step that is too wrong is made again: at constant steps only those that have no full
    /// past.
    fn repeats_steps(&self, degree: usize, without_past: bool) -> bool {
        self.plan.step.is_none() || self.rising && (without_past || degree < self.plan.degree)
    }

    /// The next time event of a member before the end.
    fn next_event(&self, smallest: f64) -> Option<f64> {
        let events = (self.workers.members().iter())
            .filter_map(|s| hold(&s.main).sub.next_event(self.t))
            .filter(|event| *event < self.plan.t_end - smallest);
        events.min_by(f64::total_cmp)
    }

    /// One macro step. Says how the run ends with it, if it does; with an error the step does not count.
    fn attempt(
        &mut self,
        to: f64,
        h: f64,
        wanted: f64,
        watch: &mut dyn Watch,
    ) -> Result<Option<Ending>, Ending> {
        let without_past = self.approximate(to);
        self.workers.round(if self.estimated && !without_past {
            Round::Both
        } else {
            Round::Mains
        });
        if let Some((member, trouble)) = self.trouble() {
            return self.fail(member, trouble, h, watch).map(stops);
        }
        let jump = self.jump();
        if let Some(cut) = jump.and_then(|at| self.cut_for(at, to, h)) {
            return Ok(stops(self.cut_at(cut, h, watch)));
        }
        let from = std::mem::replace(&mut self.t, to);
        let read = self.exchange();
        self.t = from;
        match read {
            Err(Ending::Failed { member, trouble }) => {
                return self.fail(member, trouble, h, watch).map(stops);
            }
            other => other?,
        }
        let surprised = self.estimated && !without_past && self.is_surprised();
        if self.estimated && (without_past || surprised) {
            self.look_back(to);
            self.workers.round(Round::Twins);
            if let Some((member, trouble)) = self.trouble() {
                return self.fail(member, trouble, h, watch).map(stops);
            }
        }
        let degrees = self.steps.iter().flatten().map(|s| s.degree);
        let degree = degrees
            .min()
            .unwrap_or(if without_past { 0 } else { self.plan.degree });
        let mut step = MacroStep {
            t: self.t,
            h,
            degree,
            error: 0.0,
            accepted: true,
        };
        let order = degree as f64 + 2.0;
        if self.estimated {
            let worst = self.estimate(to, without_past, surprised);
            step.error = worst.error;
            self.count_limiter(&worst);
            // NaN must not pass
            if !(worst.error <= 1.0) && self.repeats_steps(degree, without_past) {
                step.accepted = false;
                self.report.rejected += 1;
                self.report.steps.push(step);
                self.h = h * self.controller.rejected(worst.error, order);
                self.repeat();
                return Ok(stops(watch.on_step(&step, &self.inputs)));
            }
        }
        self.t = to;
        self.keep_accounts(to, h);
        let order = if self.estimated {
            order
        } else {
            step.error = self.defect();
            degree as f64 + 1.0
        };
        self.report.largest_error = self.report.largest_error.max(step.error);
        if step.error > 1.0 {
            self.report.exceeded += 1;
        }
        if self.estimated {
            self.report.accumulated += step.error * self.share;
        }
        let mut factor = self.controller.accepted(step.error, order);
        if self.plan.step.is_some() && !self.repeats_steps(degree, without_past) {
            factor = RISE;
        }
        // a step that the clock has cut says nothing against a longer one
        self.h = if factor >= 1.0 {
            (h * factor).max(wanted)
        } else {
            h * factor
        };
        self.rising &= self.h < self.longest();
        self.report.accepted += 1;
        self.report.steps.push(step);
        if to >= self.beyond {
            self.failures = 0;
            self.trouble = None;
        }
        self.cut = None;
        let passed = self.pass_events(from, to)?;
        let jumped = passed || jump.is_some();
        for (i, u) in self.inputs.iter().enumerate() {
            let changed = jump.is_some() || passed && self.fresh[i].to_bits() != u.to_bits();
            if self.held[i] || changed {
                self.signals[i].restart(to, *u);
            } else {
                self.signals[i].push(to, *u);
            }
        }
        if jumped {
            let without_past = |(s, held): (&Signal, &bool)| !held && s.known() < 2;
            if self.signals.iter().zip(&self.held).any(without_past) {
                self.h = self.h.min(self.first);
                self.rising = self.plan.step.is_some();
                self.controller.restart();
            }
        }
        self.workers.turn();
        self.set_back(false);
        let flow = watch.on_step(&step, &self.inputs);
        self.keep(watch, Some(&step));
        Ok(self.ended().or(stops(flow)))
    }
}

/// What the watcher has asked for.
fn stops(flow: Flow) -> Option<Ending> {
    (flow == Flow::Stop).then_some(Ending::Stopped)
}

fn failed(member: usize, trouble: Trouble) -> Ending {
    Ending::Failed { member, trouble }
}
