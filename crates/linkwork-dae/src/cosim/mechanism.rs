//! A system with an integrator of its own as a subsystem.
//!
//! Inputs are those of [`Facts::inputs`](crate::system::Facts::inputs), outputs are channels of the system; they must not depend
//! on accelerations or reactions. A jump of the inputs at a macro point is one of forces only: a
//! multistep method keeps its history, order and step, a one-step method its step.

use super::{Entry, Motion, Polynomial, Subsystem, Trouble, Why};
use crate::control::StepController;
use crate::drive::{Cause, Ending, Engine, Failure, Flow, Observer, ObserverError, Plan, View};
use crate::initial::{self, Start, StartError, StartReport};
use crate::linear::LinearSolver;
use crate::memory::Memory;
use crate::saddle::Saddle;
use crate::state::{State, Tolerances, Weights};
use crate::stepper::Stepper;
use crate::system::{After, Row, Rows, System};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Attempted micro steps within one macro step. More than this are needed only where something in the
/// subsystem is faster than the coupling by many orders of magnitude, by mistake most often; and
/// whoever means it can shorten the macro steps.
pub const MAX_MICRO_STEPS: u64 = 1_000_000;

/// The parts of an integrator.
pub struct Integrator {
    /// Time discretisation.
    pub stepper: Box<dyn Stepper>,
    /// Step control.
    pub controller: Box<dyn StepController>,
    /// Solver for accelerations and reactions.
    pub linear: Box<dyn LinearSolver>,
    /// Tolerances and bounds of micro steps; the end time is that of the whole run.
    pub plan: Plan,
}

impl Integrator {
    /// The engine that it makes with a system whose start has kept these rows.
    pub fn engine<'a>(self, sys: &'a mut dyn System, rows: &Rows) -> Engine<'a> {
        let saddle = Saddle::new(sys, rows, self.linear);
        Engine::new(sys, self.stepper, self.controller, saddle, self.plan)
    }
}

/// See the [module](self).
pub struct Mechanism<'a> {
    engine: Engine<'a>,
    start: State,
    rows: Rows,
    report: StartReport,
    /// Whether the integrator has begun, or has been put somewhere by a tape.
    begun: bool,
    bound: bool,
    channels: Vec<usize>,
    values: Vec<f64>,
    feedthrough: bool,
    inputs: usize,
    differential: Vec<bool>,
    /// Positions on a chart, whose base the two runs may move at different times: only their
    /// velocities can be compared.
    charted: Vec<usize>,
    weights: Weights,
    /// The inputs of the step before.
    last: Vec<Polynomial>,
    observer: Option<Box<dyn Observer + Send + 'a>>,
    /// Attempts that one macro step, and the whole run, may take.
    limits: [u64; 2],
    /// Raised by whoever wants it to stop within a macro step.
    halt: Option<Arc<AtomicBool>>,
    /// When velocities first jumped in the last macro step, and when an event ended the run.
    jumped: Option<f64>,
    ended: Option<f64>,
    /// What the observer remembers, on its way to a tape. The twin has no observer and skips it.
    notes: Memory,
    words: Vec<f64>,
}

impl<'a> Mechanism<'a> {
    /// A subsystem whose outputs are the channels with the given numbers. `tolerances` are those of
    /// the coupling. Fails where the system has no consistent start.
    pub fn new(
        sys: &'a mut dyn System,
        integrator: Integrator,
        tolerances: &Tolerances,
        channels: Vec<usize>,
    ) -> Result<Mechanism<'a>, StartError> {
        let guess = sys.facts().guess.clone();
        let Start {
            state,
            rows,
            report,
        } = initial::start(sys, &guess)?;
        let differential = sys.facts().differential.clone();
        let inputs = sys.facts().inputs.len();
        let charted = sys.chart().map_or(Vec::new(), |chart| {
            let rows = chart.pattern().into_iter();
            rows.map(|(row, _)| row as usize).collect()
        });
        let weights = Weights::new(sys, tolerances);
        let values = vec![0.0; sys.channels().len()];
        let limits = [MAX_MICRO_STEPS, integrator.plan.max_attempts];
        Ok(Mechanism {
            engine: integrator.engine(sys, &rows),
            start: state,
            rows,
            report,
            begun: false,
            bound: false,
            channels,
            values,
            feedthrough: false,
            inputs,
            differential,
            charted,
            weights,
            last: vec![Polynomial::default(); inputs],
            observer: None,
            limits,
            halt: None,
            jumped: None,
            ended: None,
            notes: Memory::writing(),
            words: Vec::new(),
        })
    }

    /// The same with an observer of its accepted steps. Steps that are taken back are taken back from
    /// the observer too: its memory is restored and it is told to resume.
    #[must_use]
    pub fn observed(mut self, observer: Box<dyn Observer + Send + 'a>) -> Mechanism<'a> {
        self.observer = Some(observer);
        self
    }

    /// The same with a flag that stops it after the present micro step. A macro step that was not
    /// finished does not count.
    #[must_use]
    pub fn stopped_by(mut self, flag: Arc<AtomicBool>) -> Mechanism<'a> {
        self.halt = Some(flag);
        self
    }

    /// The same with another bound than [`MAX_MICRO_STEPS`].
    #[must_use]
    pub fn with_micro_steps(mut self, attempts: u64) -> Mechanism<'a> {
        self.limits[0] = attempts;
        self
    }

    /// The same with outputs that depend on inputs at the same instant, if so.
    #[must_use]
    pub fn with_feedthrough(mut self, feedthrough: bool) -> Mechanism<'a> {
        self.feedthrough = feedthrough;
        self
    }

    /// What the start found.
    pub fn start_report(&self) -> &StartReport {
        &self.report
    }

    fn set_inputs(&mut self, values: &[f64]) {
        for (i, value) in values.iter().enumerate() {
            self.set_input(i, &Polynomial::constant(*value));
        }
    }

    fn set_input(&mut self, input: usize, course: &Polynomial) {
        if let Some(inputs) = self.engine.system().inputs() {
            inputs.set_input(input, course);
        }
    }

    fn is_halted(&self) -> bool {
        is_raised(self.halt.as_deref())
    }

    fn now(&self) -> f64 {
        if self.begun {
            self.engine.state().t
        } else {
            self.start.t
        }
    }

    fn told(failure: Failure) -> Trouble {
        Trouble {
            t: failure.t,
            why: Why::Integration(failure),
        }
    }

    /// Lets the integrator begin at the start that was settled last.
    fn begin(&mut self) -> Result<(), Trouble> {
        if self.begun {
            return Ok(());
        }
        let nobody: &mut dyn Observer = &mut ();
        let observer = match &mut self.observer {
            Some(observer) => &mut **observer as &mut dyn Observer,
            None => nobody,
        };
        self.engine
            .begin(&self.start, &self.rows, observer)
            .map_err(Mechanism::told)?;
        self.weights.start(&self.start);
        (self.begun, self.bound) = (true, true);
        Ok(())
    }
}

fn is_raised(flag: Option<&AtomicBool>) -> bool {
    flag.is_some_and(|flag| flag.load(Ordering::Relaxed))
}

/// An observer, or none, and a flag that stops it.
struct StoppableObserver<'o, 'a> {
    inner: Option<&'o mut (dyn Observer + Send + 'a)>,
    halt: Option<&'o AtomicBool>,
    jumped: Option<f64>,
    ended: Option<f64>,
}

impl<'o, 'a> StoppableObserver<'o, 'a> {
    fn new(
        observer: &'o mut Option<Box<dyn Observer + Send + 'a>>,
        halt: Option<&'o AtomicBool>,
    ) -> StoppableObserver<'o, 'a> {
        StoppableObserver {
            inner: match observer {
                Some(observer) => Some(&mut **observer),
                None => None,
            },
            halt,
            jumped: None,
            ended: None,
        }
    }
}

impl Observer for StoppableObserver<'_, '_> {
    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        let flow = match &mut self.inner {
            Some(inner) => inner.on_step(view)?,
            None => Flow::Continue,
        };
        Ok(match is_raised(self.halt) {
            true => Flow::Stop,
            false => flow,
        })
    }

    fn on_event(&mut self, view: &mut View<'_>, after: After) -> Result<(), ObserverError> {
        if matches!(after, After::Jump | After::Stop) {
            self.jumped.get_or_insert(view.to);
        }
        if after == After::Stop {
            self.ended.get_or_insert(view.to);
        }
        match &mut self.inner {
            Some(inner) => inner.on_event(view, after),
            None => Ok(()),
        }
    }

    fn memory(&mut self, m: &mut Memory) {
        if let Some(inner) = &mut self.inner {
            inner.memory(m);
        }
    }
}

impl Subsystem for Mechanism<'_> {
    fn inputs(&self) -> usize {
        self.inputs
    }

    fn outputs(&self) -> usize {
        self.channels.len()
    }

    fn sizes(&self) -> (usize, usize) {
        let s = &self.start;
        (s.v.len(), s.v.len() + s.x.len())
    }

    fn start(&mut self, inputs: &[f64]) -> Result<f64, Trouble> {
        self.set_inputs(inputs);
        let sys = self.engine.system();
        let guess = sys.facts().guess.clone();
        match initial::start(sys, &guess) {
            Ok(start) => {
                self.start = start.state;
                self.report = start.report;
                self.begun = false;
                Ok(guess.t)
            }
            Err(why) => Err(Trouble {
                t: guess.t,
                why: Why::Start(why),
            }),
        }
    }

    fn advance(&mut self, to: f64, inputs: &[Polynomial]) -> Result<(), Trouble> {
        self.begin()?;
        let now = self.now();
        let mut jumped = false;
        for (i, p) in inputs.iter().enumerate() {
            jumped |= p.at(now).to_bits() != self.last[i].at(now).to_bits();
            self.last[i] = *p;
            self.set_input(i, p);
        }
        if jumped {
            self.engine.renew_inputs().map_err(Mechanism::told)?;
        }
        let [within_step, in_all] = self.limits;
        self.engine.allow(within_step, in_all);
        let mut stoppable = StoppableObserver::new(&mut self.observer, self.halt.as_deref());
        let mut ending = self.engine.proceed_to(to, &mut stoppable);
        if ending == Ending::Stopped && stoppable.ended.is_some() {
            // what the step does behind the end is nobody's business
            stoppable.inner = None;
            while ending == Ending::Stopped && !is_raised(stoppable.halt) {
                ending = self.engine.proceed_to(to, &mut stoppable);
            }
        }
        (self.jumped, self.ended) = (stoppable.jumped, stoppable.ended);
        match ending {
            Ending::Finished => {
                self.weights.renew(self.engine.state());
                Ok(())
            }
            Ending::Stopped if self.is_halted() => Err(Trouble {
                t: self.now(),
                why: Why::Stopped,
            }),
            Ending::Stopped => Err(Trouble {
                t: self.now(),
                why: Why::Told("its observer stopped it".into()),
            }),
            Ending::Failed(Failure {
                t,
                cause: Cause::OutOfAttempts { attempts },
                ..
            }) if attempts < in_all => Err(Trouble {
                t,
                why: Why::TooManySteps { steps: within_step },
            }),
            Ending::Failed(failure) => Err(Mechanism::told(failure)),
        }
    }

    fn output(&mut self, inputs: &[f64], out: &mut [f64]) -> Result<(), Trouble> {
        self.set_inputs(inputs);
        if self.begun {
            self.engine
                .observe(&mut self.values)
                .map_err(Mechanism::told)?;
        } else {
            self.engine.system().observe(&self.start, &mut self.values);
        }
        for (o, channel) in out.iter_mut().zip(&self.channels) {
            *o = self.values.get(*channel).copied().unwrap_or(f64::NAN);
        }
        Ok(())
    }

    fn feedthrough(&self) -> bool {
        self.feedthrough
    }

    fn motion(&mut self, out: &mut Motion) {
        let s = self.engine.state();
        let n = s.v.len();
        out.q.copy_from_slice(&s.q[..n]);
        out.v[..n].copy_from_slice(&s.v);
        out.v[n..].copy_from_slice(&s.x);
        out.weight_q.copy_from_slice(&self.weights.q[..n]);
        for &i in &self.charted {
            out.weight_q[i] = 0.0;
        }
        out.weight_v[..n].copy_from_slice(&self.weights.v);
        let of_states = self.differential.iter().zip(&self.weights.x);
        for (o, (differential, w)) in out.weight_v[n..].iter_mut().zip(of_states) {
            *o = if *differential { *w } else { 0.0 };
        }
    }

    fn next_event(&mut self, t: f64) -> Option<f64> {
        self.engine.system().time_events()?.next_time_event(t)
    }

    fn pass_event(&mut self, inputs: &[f64]) -> Result<(), Trouble> {
        self.begin()?;
        self.set_inputs(inputs);
        let mut stoppable = StoppableObserver::new(&mut self.observer, None);
        let passed = self.engine.meet_event(&mut stoppable);
        self.ended = self.ended.or(stoppable.ended);
        passed.map_err(Mechanism::told)
    }

    fn jumped(&self) -> Option<f64> {
        self.jumped
    }

    fn ended(&self) -> Option<f64> {
        self.ended
    }

    fn describe(&self, entry: Entry) -> String {
        let n = self.start.v.len();
        let row = match entry {
            Entry::Position(i) => Row::Position(i),
            Entry::Rate(i) if i < n => Row::Velocity(i),
            Entry::Rate(i) => Row::State(i - n),
        };
        self.engine.system_ref().describe(row)
    }

    fn micro_steps(&self) -> u64 {
        self.engine.counters().steps
    }

    fn save(&mut self, tape: &mut Memory) {
        // a start that has no accelerations fails in the first step, which says so
        let _ = self.begin();
        tape.clear();
        self.weights.memory(tape);
        for p in &mut self.last {
            p.memory(tape);
        }
        self.engine.tape(tape);
        self.words.clear();
        if let Some(observer) = &mut self.observer {
            self.notes.clear();
            observer.memory(&mut self.notes);
            let _ = self.notes.finish();
            let words = self.notes.words().iter();
            self.words.extend(words.map(|w| f64::from_bits(*w)));
        }
        tape.list(&mut self.words);
        let _ = tape.finish();
    }

    fn restore(&mut self, tape: &mut Memory) -> Result<(), Trouble> {
        let t = self.now();
        let refused = |why| Trouble {
            t,
            why: Why::Memory(why),
        };
        if !self.bound {
            self.engine.bind(&self.rows);
            (self.begun, self.bound) = (true, true);
        }
        tape.rewind().map_err(refused)?;
        self.weights.memory(tape);
        for p in &mut self.last {
            p.memory(tape);
        }
        self.engine.tape(tape);
        tape.list(&mut self.words);
        tape.finish().map_err(refused)?;
        if let Some(observer) = &mut self.observer {
            let words = self.words.iter().map(|w| w.to_bits());
            let mut notes = Memory::reading(words.collect()).map_err(refused)?;
            observer.memory(&mut notes);
            notes.finish().map_err(refused)?;
            observer.on_resume(self.engine.state().t);
        }
        Ok(())
    }
}
