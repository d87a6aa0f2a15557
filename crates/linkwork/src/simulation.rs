//! A system, options, and the run they make.

use crate::audit::Audit;
use crate::auto::{self, Advice};
use crate::checkpoint::{self, Checkpoint, Heading, Schedule};
use crate::coordinates;
use crate::doubts;
use crate::explain;
use crate::following;
use crate::observe::{Both, Recorder};
use crate::options::{Coordinates, Options};
use crate::run::{Ending, Recipe, Run, Verdict};
use crate::settings::{OptionError, Settings};
use cpu_time::ThreadTime;
use linkwork_dae::control::fixed::Fixed;
use linkwork_dae::control::{CONTROLLERS, StepController};
use linkwork_dae::drive::{self, Engine, Flow, Observer, View};
use linkwork_dae::initial::{self, Start};
use linkwork_dae::jacobian::excitation::Following;
use linkwork_dae::limiter::Limiters;
use linkwork_dae::log::Attempt;
use linkwork_dae::memory::Memory;
use linkwork_dae::saddle::{Saddle, SaddleError};
use linkwork_dae::state::State;
use linkwork_dae::stats::Stats;
use linkwork_dae::stepper::{Kit, Stepper, Unfit};
use linkwork_dae::system::{After, Rows, System};
use linkwork_mbs::text::{self, Document};
use linkwork_mbs::{Model, ModelError};
use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A simulation to be run.
///
/// ```
/// use linkwork::mbs::{Body, BodyRef, Model, joint::Revolute};
/// use linkwork::{Options, Simulation, Verdict};
///
/// let mut model = Model::planar("pendulum").gravity([0.0, -9.81]);
/// let rod = model.add_body(Body::planar("rod", 1.0, 0.1).at([0.5, 0.0]));
/// model.add_joint("hinge", BodyRef::GROUND, rod, Revolute::pin([0.0, 0.0]));
///
/// let options = Options { t_end: Some(1.0), ..Options::default() };
/// let run = Simulation::from_model(&model)?.options(options).run(&mut ())?;
/// assert_eq!(run.verdict, Verdict::Converged);
/// let angle = run.channel("rod.angle").expect("every body has its angle");
/// assert_eq!(angle.len(), 201);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Simulation {
    name: String,
    system: Box<dyn System>,
    options: Options,
    coordinates: Option<&'static str>,
    /// The coordinates that it was made in.
    made: Coordinates,
    /// Hash of what makes the model what it is.
    identity: u64,
}

impl Simulation {
    /// A simulation of any system.
    pub fn new(system: Box<dyn System>) -> Simulation {
        Simulation {
            name: "system".into(),
            identity: checkpoint::hash_of_system(&*system),
            system,
            options: Options::default(),
            coordinates: None,
            made: Coordinates::default(),
        }
    }

    /// A simulation of a mechanism.
    pub fn from_model(model: &Model) -> Result<Simulation, ModelError> {
        Simulation::in_coordinates(model, &Coordinates::default())
    }

    /// A simulation of a mechanism in the given coordinates.
    pub fn in_coordinates(
        model: &Model,
        coordinates: &Coordinates,
    ) -> Result<Simulation, ModelError> {
        let name = if model.name.is_empty() {
            "model"
        } else {
            &model.name
        };
        let system = coordinates::system(model, coordinates)?;
        let options = Options {
            coordinates: coordinates.clone(),
            ..Options::default()
        };
        let mut simulation = Simulation::new(system);
        simulation.made.clone_from(coordinates);
        Ok(simulation
            .named(name)
            .coordinates(coordinates::word(coordinates))
            .identified(&text::write(model))
            .options(options))
    }

    /// A simulation as a model text describes it, `[simulation]` included.
    pub fn from_document(document: &Document) -> Result<Simulation, ModelError> {
        Simulation::from_document_in(document, Coordinates::default())
    }

    /// The same, with coordinates that go before those of the model text. A refusal of what is given
    /// here points at no place of the text.
    pub fn from_document_in(
        document: &Document,
        given: Coordinates,
    ) -> Result<Simulation, ModelError> {
        let mut options = Options::read(document.simulation.fields())?;
        options.coordinates = given.clone().or(options.coordinates);
        let simulation = Simulation::in_coordinates(&document.model, &options.coordinates);
        let simulation = simulation.map_err(|e| {
            match coordinates::culprit(&document.model, &options.coordinates) {
                Some(key) if given.value(key).is_some() => e,
                Some(key) => e.at(document.simulation.fields().span(key)),
                None => document.locate(e),
            }
        })?;
        Ok(simulation.options(options))
    }

    /// The same under another name.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Simulation {
        self.name = name.into();
        self
    }

    /// The same with a word for its coordinates.
    #[must_use]
    pub fn coordinates(mut self, word: &'static str) -> Simulation {
        self.coordinates = Some(word);
        self
    }

    /// The same with a text that tells it from others: a checkpoint is continued only by a simulation
    /// with the same text. A mechanism brings its own; for other systems it should hold their
    /// parameters.
    #[must_use]
    pub fn identified(mut self, text: &str) -> Simulation {
        self.identity = checkpoint::hash_of(text.as_bytes());
        self
    }

    /// The same with options laid over those it has.
    #[must_use]
    pub fn options(mut self, options: Options) -> Simulation {
        self.options = options.or(self.options);
        self
    }

    /// Name of the model.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The word for its coordinates, if it has one.
    pub fn coordinate_word(&self) -> Option<&'static str> {
        self.coordinates
    }

    /// The system.
    pub fn system(&mut self) -> &mut dyn System {
        &mut *self.system
    }

    /// The options given so far.
    pub fn given(&self) -> &Options {
        &self.options
    }

    /// The options, complete and checked.
    pub fn settings(&self) -> Result<Settings, OptionError> {
        let (asked, made) = (&self.options.coordinates, &self.made);
        if asked != made {
            return Err(OptionError {
                option: "coordinates",
                message: "the coordinates of this simulation cannot be changed any more".into(),
                help: Some("give them when it is made: Simulation::in_coordinates".into()),
            });
        }
        let mut settings = Settings::new(&self.options, self.system.guess().t)?;
        settings.suit(&*self.system)?;
        Ok(settings)
    }

    /// Finds a consistent start without running.
    pub fn start(&mut self) -> Result<Start, initial::StartError> {
        let guess = self.system.guess();
        initial::start(&mut *self.system, &guess)
    }

    /// Runs to the end, or as far as it goes. Options that cannot be honoured are the only error:
    /// a run that fails is a result too.
    ///
    /// With `restart` it goes on from a saved run; its table begins after the saved state, its
    /// counters and accounts are those of the whole.
    pub fn run(&mut self, observer: &mut dyn Observer) -> Result<Run, OptionError> {
        let mut settings = self.settings()?;
        if settings.reads_blocks() {
            self.system.store_blocks();
        }
        let records = self.records(&settings)?;
        // a method that does not suit the system is an option that cannot be honoured
        drop(stepper(&settings, &*self.system)?);
        let clock = ThreadTime::try_now().ok();
        let mut run = match self.start() {
            Ok(start) => {
                let mut advice = None;
                if settings.auto {
                    let found = auto::advise(&*self.system, &start, settings.rtol, settings.t_end);
                    settings = settings.advised(&found)?;
                    advice = Some(found);
                }
                let mut run = self.run_from(start, &settings, records, observer)?;
                if let Some(Advice {
                    method,
                    formulation,
                    reason,
                    ..
                }) = advice
                {
                    run.notes
                        .insert(0, format!("chose {method} in {formulation} form: {reason}"));
                }
                run
            }
            Err(why) => self.no_start(&settings, &why),
        };
        run.cpu_seconds = elapsed(clock);
        Ok(run)
    }

    /// The saved run to go on with and the file to save this one to, as far as they are asked for.
    fn records(&self, settings: &Settings) -> Result<Records, OptionError> {
        let asked = &self.options.checkpoints;
        let made = self.coordinates.map(|_| &self.made);
        let heading = Heading::new(self.identity, made, settings);
        let restart = match &asked.restart {
            None => None,
            Some(path) => {
                let saved = Checkpoint::read(path)?;
                let differences = heading.differences(&saved.heading);
                if !differences.is_empty() {
                    return Err(checkpoint::refused(path, &differences.join("; ")));
                }
                Some((path.clone(), saved.words))
            }
        };
        if let Some(path) = &asked.checkpoint {
            checkpoint::check_writable(path)?;
        }
        let schedule = asked.checkpoint.as_ref().map(|path| Schedule {
            path: path.clone(),
            steps: settings.checkpoint_steps,
            interval: settings.checkpoint_interval,
            heading,
        });
        Ok(Records { restart, schedule })
    }

    fn run_from(
        &mut self,
        start: Start,
        settings: &Settings,
        records: Records,
        observer: &mut dyn Observer,
    ) -> Result<Run, OptionError> {
        let Start {
            state,
            rows,
            report,
        } = start;
        let sys = &mut *self.system;
        let mut recorder = Recorder::new(sys, settings.outputs, settings.t_end);
        let mut audit = Audit::new(sys);
        let mut own = Both(&mut recorder, &mut audit);
        let mut all = Both(&mut own, observer);
        let drive = drive(sys, settings, records, &state, &rows, &mut all)?;

        let mut doubts = doubts::about_start(sys, &report);
        doubts.extend(doubts::about_motion(
            settings,
            &drive.stats,
            &audit,
            recorder.incomplete(),
            !matches!(drive.ending, drive::Ending::Failed(_)),
        ));
        if let Some(why) = &drive.unsaved {
            doubts.push(format!("the checkpoint could not be written: {why}"));
        }
        let t_last = drive.last.t;
        let ending = match &drive.ending {
            drive::Ending::Finished => Ending::Finished,
            drive::Ending::Stopped => {
                doubts.insert(
                    0,
                    format!("stopped at t = {t_last} before the end, {}", settings.t_end),
                );
                Ending::Stopped
            }
            drive::Ending::Failed(why) => Ending::Failed(explain::failure(sys, settings, why)),
        };
        let verdict = match ending {
            Ending::Failed(_) => Verdict::Failed,
            _ if doubts.is_empty() => Verdict::Converged,
            _ => Verdict::Degraded,
        };
        if recorder.last_time().is_none_or(|t| t < t_last) {
            keep_last(sys, settings, &rows, drive.last, &mut recorder);
        }
        let mut notes = drive.notes;
        if settings.jacobian.name == "extended" {
            notes.extend(drive.following.as_ref().and_then(following::note));
        }
        Ok(Run {
            model: self.name.clone(),
            recipe: recipe(settings, self.coordinates),
            table: recorder.into_table(),
            t_last,
            verdict,
            doubts,
            ending,
            restarted_at: drive.restarted_at,
            start: Some(report),
            stats: drive.stats,
            notes,
            following: drive.following,
            limiters: drive.limiters.by_owner(sys),
            constraint_residual: audit.residual(),
            energy: audit.energy(),
            cpu_seconds: 0.0,
            step_cpu_seconds: drive.step_cpu_seconds,
            longest_step_seconds: drive.longest_step_seconds,
        })
    }

    /// The best pose that was found is kept as the only row.
    fn no_start(&mut self, settings: &Settings, why: &initial::StartError) -> Run {
        let sys = &mut *self.system;
        let mut recorder = Recorder::new(sys, settings.outputs, settings.t_end);
        if let Some(state) = why.state() {
            recorder.push_state(sys, state);
        }
        Run {
            model: self.name.clone(),
            recipe: recipe(settings, self.coordinates),
            table: recorder.into_table(),
            t_last: f64::NAN,
            verdict: Verdict::Failed,
            doubts: Vec::new(),
            ending: Ending::Failed(explain::no_start(sys, why)),
            restarted_at: None,
            start: None,
            stats: Stats::default(),
            notes: Vec::new(),
            following: None,
            limiters: Vec::new(),
            constraint_residual: Audit::new(sys).residual(),
            energy: None,
            cpu_seconds: 0.0,
            step_cpu_seconds: 0.0,
            longest_step_seconds: 0.0,
        }
    }
}

/// What a run has to do with files of checkpoints.
struct Records {
    restart: Option<(PathBuf, Vec<u64>)>,
    schedule: Option<Schedule>,
}

/// What the driver leaves behind.
struct Drive {
    ending: drive::Ending,
    last: State,
    stats: Stats,
    limiters: Limiters,
    notes: Vec<String>,
    following: Option<Following>,
    step_cpu_seconds: f64,
    longest_step_seconds: f64,
    restarted_at: Option<f64>,
    /// Why a checkpoint could not be written.
    unsaved: Option<io::Error>,
}

fn drive(
    sys: &mut dyn System,
    settings: &Settings,
    records: Records,
    state: &State,
    rows: &Rows,
    observer: &mut dyn Observer,
) -> Result<Drive, OptionError> {
    let stepper = stepper(settings, sys)?;
    let controller = controller(settings, &*stepper);
    let saddle = Saddle::new(sys, rows, (settings.linear.build)());
    let mut timed = Timed {
        inner: observer,
        spent: Duration::ZERO,
    };
    let mut plan = settings.plan();
    plan.continued = records.schedule.is_some();
    let mut engine = Engine::new(sys, stepper, controller, saddle, plan);
    let restarted_at = match records.restart {
        None => None,
        Some((path, words)) => {
            engine
                .resume(rows, &mut timed, words)
                .map_err(|e| checkpoint::refused(&path, &e.to_string()))?;
            let t = engine.state().t;
            if t >= settings.t_end {
                let why = format!("it is at t = {t}, the end is at {}", settings.t_end);
                return Err(checkpoint::refused(&path, &why));
            }
            Some(t)
        }
    };
    let go = |engine: &mut Engine<'_>, observer: &mut dyn Observer| match restarted_at {
        None => engine.run(state, rows, observer),
        Some(_) => engine.proceed(observer),
    };
    let clock = ThreadTime::try_now().ok();
    let wall = Instant::now();
    let (ending, unsaved) = match &records.schedule {
        None => (go(&mut engine, &mut timed), None),
        Some(schedule) => checkpoint::drive(&mut engine, schedule, &mut timed, go),
    };
    let (cpu, wall) = (elapsed(clock), wall.elapsed().as_secs_f64());
    // Reading the processor clock costs as much as part of a step; the wall clock does not. The
    // share of the observers is measured with the latter and taken off the former.
    let share = (timed.spent.as_secs_f64() / wall.max(f64::MIN_POSITIVE)).min(1.0);
    Ok(Drive {
        ending,
        last: engine.state().clone(),
        stats: engine.stats,
        limiters: engine.limiters.clone(),
        notes: engine.notes(),
        following: engine.following(),
        step_cpu_seconds: cpu * (1.0 - share),
        longest_step_seconds: engine.longest_step.as_secs_f64(),
        restarted_at,
        unsaved,
    })
}

pub(crate) fn stepper(
    settings: &Settings,
    sys: &dyn System,
) -> Result<Box<dyn Stepper>, OptionError> {
    let kit = Kit {
        formulation: settings.formulation,
        jacobian: settings.jacobian,
        linear: settings.linear,
    };
    let stepper = settings.method.build(&kit, &settings.tuning, sys);
    stepper.map_err(|e| {
        // a method with one formulation only brings it along
        let chosen = settings.method.formulations.len() > 1;
        let option = match &e {
            Unfit::Nonholonomic { .. } if chosen => "formulation",
            _ => "method",
        };
        OptionError::unfit(option, &e)
    })
}

pub(crate) fn controller(settings: &Settings, stepper: &dyn Stepper) -> Box<dyn StepController> {
    let order = settings
        .max_order
        .map_or(stepper.max_order(), |n| n.min(stepper.max_order()));
    let usual = CONTROLLERS
        .iter()
        .find(|c| c.name == settings.method.controller);
    let by_name = settings.order_control.or(usual);
    match (settings.step, by_name) {
        (Some(h), _) => Box::new(Fixed { h, order }),
        (None, Some(entry)) => (entry.build)(order),
        (None, None) => (CONTROLLERS[0].build)(order),
    }
}

fn recipe(settings: &Settings, coordinates: Option<&'static str>) -> Recipe {
    Recipe {
        method: settings.method.name,
        formulation: settings.formulation.name,
        coordinates,
        jacobian: settings.jacobian.name,
        linear: settings.linear.name,
        rtol: settings.step.is_none().then_some(settings.rtol),
        order_control: settings.order_control_name(),
        t_end: settings.t_end,
    }
}

/// The last accepted state of a run that ended early becomes its last row.
fn keep_last(
    sys: &mut dyn System,
    settings: &Settings,
    rows: &Rows,
    mut last: State,
    recorder: &mut Recorder,
) {
    let mut saddle = Saddle::new(sys, rows, (settings.linear.build)());
    if saddle.accelerate(sys, &mut last).is_err() {
        last.a.fill(f64::NAN);
        last.lambda.fill(f64::NAN);
    }
    recorder.push_state(sys, &last);
}

fn elapsed(clock: Option<ThreadTime>) -> f64 {
    clock
        .and_then(|c| c.try_elapsed().ok())
        .map_or(f64::NAN, |d| d.as_secs_f64())
}

/// Measures the time spent in observers.
struct Timed<'a> {
    inner: &'a mut dyn Observer,
    spent: Duration,
}

impl Observer for Timed<'_> {
    fn on_start(&mut self, view: &mut View<'_>) -> Result<(), SaddleError> {
        let clock = Instant::now();
        let result = self.inner.on_start(view);
        self.spent += clock.elapsed();
        result
    }

    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, SaddleError> {
        let clock = Instant::now();
        let result = self.inner.on_step(view);
        self.spent += clock.elapsed();
        result
    }

    fn on_attempt(&mut self, attempt: &Attempt, stats: &Stats) {
        self.inner.on_attempt(attempt, stats);
    }

    fn on_resume(&mut self, t: f64) {
        self.inner.on_resume(t);
    }

    fn memory(&mut self, m: &mut Memory) {
        self.inner.memory(m);
    }

    fn on_event(&mut self, view: &mut View<'_>, after: After) -> Result<(), SaddleError> {
        let clock = Instant::now();
        let result = self.inner.on_event(view, after);
        self.spent += clock.elapsed();
        result
    }
}
