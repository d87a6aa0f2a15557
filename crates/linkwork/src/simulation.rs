//! A system, options, and the run they make.

mod driving;
mod unknowns;

use crate::attempts::Attempts;
use crate::audit::Audit;
use crate::auto::Field;
use crate::branches::Branches;
use crate::checkpoint::{self, Heading, Schedule};
use crate::conditioning::Watch;
use crate::coordinates::{self, Unknowns};
use crate::doubts::{self, Doubt};
use crate::explain;
use crate::notes::Note;
use crate::observe::{Both, Recorder, Sink};
use crate::options::{Opt, Options, Outputs};
use crate::pace::{self, Pace};
use crate::room;
use crate::run::{Ending, Run};
use crate::settings::{OptionError, Settings};
use crate::start::about_start;
use crate::store::Manifest;
use crate::table::Table;
use cpu_time::ThreadTime;
use driving::{Records, drive, elapsed};
use linkwork_dae::drive::{self, EventLog, Observer};
use linkwork_dae::initial::{self, Start};
use linkwork_dae::state::State;
use linkwork_dae::system::{Row, Rows, System};
use linkwork_mbs::text::{self, Document};
use linkwork_mbs::{Model, ModelError};
use std::path::Path;

/// A simulation to be run.
///
/// ```
/// use linkwork::mbs::{Body, BodyRef, Model, joint::Revolute};
/// use linkwork::{Simulation, Verdict};
///
/// let mut model = Model::planar("pendulum").gravity([0.0, -9.81]);
/// let rod = model.add_body(Body::planar("rod", 1.0, 0.1).at([0.5, 0.0]));
/// model.add_joint("hinge", BodyRef::GROUND, rod, Revolute::pin([0.0, 0.0]));
///
/// let run = Simulation::of(&model)?.method("gen-alpha").rtol(1e-6).t_end(1.0).run()?;
/// assert_eq!(run.verdict, Verdict::Converged);
/// let angle = run.channel("rod.angle").expect("every body has its angle");
/// assert_eq!(angle.len(), 201);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Every other option goes by [`Simulation::options`]; coordinates are chosen when it is made, by
/// [`Simulation::in_coordinates`].
pub struct Simulation {
    name: String,
    system: Box<dyn System>,
    options: Options,
    /// The coordinates that it was made in; `None` where a system brings its own.
    made: Option<Options>,
    /// Unknowns in absolute and in joint coordinates, where the latter were chosen; see [`Simulation::settle`].
    chosen: Option<Unknowns>,
    /// Hash of what makes the model what it is.
    identity: u64,
    /// Checkpoints that the text of the model asks for; see [`Simulation::saving_in`].
    saving: Options,
    /// The mechanism, where it is one.
    model: Option<Box<Model>>,
    kept: Kept,
}

/// What a run keeps of its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kept {
    /// Rows, and accounts of energy and constraints.
    All,
    /// Rows: it cannot judge itself by accounts.
    Rows,
    /// Rows, up to near the end of positions and velocities alone.
    Motion,
}

/// The share of the way on which rows of a motion are positions and velocities alone. What is promised of the end is
/// held against the last tenth, where polynomials over long steps must not be off by more than the steps.
const ALONE: f64 = 0.85;

impl Kept {
    /// What that many rows stand for, in the measure of [`crate::pace`].
    pub fn of_rows(self, rows: usize) -> f64 {
        match self {
            Kept::All | Kept::Rows => pace::of_rows(rows),
            Kept::Motion => ALONE * pace::of_motion(rows) + (1.0 - ALONE) * pace::of_rows(rows),
        }
    }
}

impl Simulation {
    /// A simulation of any system.
    pub fn new(system: Box<dyn System>) -> Simulation {
        Simulation {
            name: "system".into(),
            identity: checkpoint::hash_of_system(&*system),
            system,
            options: Options::new(),
            made: None,
            chosen: None,
            saving: Options::new(),
            model: None,
            kept: Kept::All,
        }
    }

    /// The same that keeps no more of its way than this.
    pub(crate) fn keeping(self, kept: Kept) -> Simulation {
        Simulation { kept, ..self }
    }

    /// A simulation of a mechanism.
    pub fn of(model: &Model) -> Result<Simulation, ModelError> {
        Simulation::in_coordinates(model, &Options::new())
    }

    /// A simulation of a mechanism in the coordinates that options ask for, with all of these options.
    pub fn in_coordinates(model: &Model, options: &Options) -> Result<Simulation, ModelError> {
        let name = if model.name.is_empty() {
            "model"
        } else {
            &model.name
        };
        let system = coordinates::system(model, options)?;
        let mut simulation = Simulation::new(system);
        simulation.made = Some(coordinates::only(options));
        simulation.model = Some(Box::new(model.clone()));
        Ok(simulation
            .named(name)
            .identified(&text::write(model))
            .options(options.clone()))
    }

    /// A simulation as a model text describes it, `[simulation]` included.
    pub fn from_document(document: &Document) -> Result<Simulation, ModelError> {
        Simulation::from_document_with(document, Options::new())
    }

    /// The same, with options that go before those of the model text. A refusal of what is given here
    /// points at no place of the text.
    pub fn from_document_with(
        document: &Document,
        given: Options,
    ) -> Result<Simulation, ModelError> {
        let own = Options::read(document.simulation.fields())?;
        let saves = |o: &Opt<Options>| o.name.starts_with("checkpoint");
        let options = given.clone().or(own.clone().only(|o| !saves(o)));
        let made = Simulation::in_coordinates(&document.model, &options);
        let made = made.map_err(|e| match coordinates::culprit(&document.model, &options) {
            Some(key) if given.has(key) => e,
            Some(key) => e.at(document.simulation.fields().span(key)),
            None => document.locate(e),
        });
        Ok(Simulation {
            saving: own.only(saves),
            ..made?
        })
    }

    /// The file of checkpoints that the text of the model names. Nothing is written to it before
    /// [`Simulation::saving_in`]: a text does not choose where files appear, and a second run of the same text must
    /// not write over those of the first.
    pub fn names_checkpoint(&self) -> Option<&Path> {
        self.saving.checkpoint.as_deref()
    }

    /// The same with the checkpoints that the text of the model asks for, in this directory, unless others are
    /// asked for.
    #[must_use]
    pub fn saving_in(mut self, dir: &Path) -> Simulation {
        let mut saving = self.saving.clone();
        saving.checkpoint = saving.checkpoint.map(|file| dir.join(file));
        self.options = self.options.or(saving);
        self
    }

    /// The same under another name.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Simulation {
        self.name = name.into();
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

    /// The same to another end time, s.
    #[must_use]
    pub fn t_end(self, t_end: f64) -> Simulation {
        self.options(Options::new().t_end(t_end))
    }

    /// The same by another method.
    #[must_use]
    pub fn method(self, name: &str) -> Simulation {
        self.options(Options::new().method(name))
    }

    /// The same with another relative tolerance.
    #[must_use]
    pub fn rtol(self, rtol: f64) -> Simulation {
        self.options(Options::new().rtol(rtol))
    }

    /// Name of the model.
    pub fn name(&self) -> &str {
        &self.name
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
        let asked = coordinates::only(&self.options);
        if asked != self.made.clone().unwrap_or_default() {
            return Err(OptionError::new(
                "coordinates",
                "the coordinates of this simulation cannot be changed any more".into(),
                "give them when it is made: Simulation::in_coordinates",
            ));
        }
        let mut settings = Settings::new(&self.options, self.system.facts().guess.t)?;
        settings.suit(&*self.system)?;
        settings.options.coordinates = self.coordinates().map(String::from);
        Ok(settings)
    }

    /// Finds a consistent start without running.
    pub fn start(&mut self) -> Result<Start, initial::StartError> {
        let guess = self.system.facts().guess.clone();
        initial::start(&mut *self.system, &guess)
    }

    /// Runs to the end, or as far as it goes. Options that cannot be honoured are the only error:
    /// a run that fails is a result too.
    ///
    /// With `restart` it goes on from a saved run; its table begins after the saved state, its
    /// counters and accounts are those of the whole.
    pub fn run(&mut self) -> Result<Run, OptionError> {
        self.settle();
        self.run_with(&mut ())
    }

    /// The same with somebody who looks on, and may stop it.
    pub fn run_with(&mut self, observer: &mut dyn Observer) -> Result<Run, OptionError> {
        self.run_onto(None, observer)
    }

    /// What the folder of a run with these settings will be: results that go there as they come.
    pub fn manifest(&self, settings: &Settings) -> Manifest {
        Manifest::new("run", &self.name, self.identity, &settings.options)
    }

    /// The same with rows that also go elsewhere as they come. In memory they are thinned then if there are too
    /// many.
    pub fn run_onto(
        &mut self,
        rows: Option<&mut (dyn Sink + Send)>,
        observer: &mut dyn Observer,
    ) -> Result<Run, OptionError> {
        let settings = self.settings()?;
        if rows.is_none() {
            self.check_room(&settings)?;
        }
        let records = self.records(&settings)?;
        let clock = ThreadTime::try_now().ok();
        let mut run = match settings.recipe.start(&mut *self.system) {
            Ok(start) => self.run_chosen(start, &settings, records, rows, observer)?,
            Err(why) => match self.beside(&settings, &why)? {
                None => self.no_start(&settings, rows, &why),
                Some((start, branches)) => {
                    let mut run = self.run_chosen(start, &settings, records, rows, observer)?;
                    match branches {
                        Some(b) if b.agree() => run.notes.insert(0, Note::Branches(b)),
                        Some(b) => run.doubts.insert(0, Doubt::Branches(b)),
                        None => {}
                    }
                    run
                }
            },
        };
        run.judge();
        run.cpu_seconds = elapsed(clock);
        Ok(run)
    }

    /// Runs from a start, by the method that suits it if that is left open.
    fn run_chosen(
        &mut self,
        start: Start,
        settings: &Settings,
        records: Records,
        rows: Option<&mut (dyn Sink + Send)>,
        observer: &mut dyn Observer,
    ) -> Result<Run, OptionError> {
        if !settings.auto {
            return self.run_from(start, settings, None, records, rows, observer);
        }
        let field = Field::new(&*self.system, settings);
        let (way, note) = field.first(&*self.system, &start, self.chosen);
        let chosen = field.settings().nth(way).unwrap_or(settings);
        let mut run = self.run_from(start, chosen, Some((&field, way)), records, rows, observer)?;
        run.notes.splice(..0, note);
        Ok(run)
    }

    /// Starts beside a singular pose that chooses no branch of motion, compared by where they end; the first of them. `None`
    /// for other reasons not to start, and where there are none. A run that goes on began with the first, and told.
    fn beside(
        &mut self,
        settings: &Settings,
        why: &initial::StartError,
    ) -> Result<Option<(Start, Option<Branches>)>, OptionError> {
        let initial::StartError::SingularStart { state, .. } = why else {
            return Ok(None);
        };
        let sys = &mut *self.system;
        let (guess, scale) = (sys.facts().guess.clone(), sys.facts().scale.clone());
        let guesses = initial::beside(sys, &guess, state);
        let (mut moved, mut ends) = (Vec::new(), Vec::new());
        let compared = match self.options.restart {
            None => &guesses[..],
            Some(_) => &[],
        };
        for guess_beside in compared {
            let Ok(start) = initial::start(sys, guess_beside) else {
                continue;
            };
            let field = settings.auto.then(|| Field::new(&*sys, settings));
            let first = field.as_ref().map(|f| (f, f.first(&*sys, &start, None).0));
            let chosen = first.and_then(|(f, way)| f.settings().nth(way));
            let chosen = chosen.unwrap_or(settings);
            let (state, rows) = (&start.state, &start.rows);
            let drive = drive(sys, chosen, first, Records::default(), state, rows, &mut ())?;
            let failed = matches!(drive.ending, drive::Ending::Failed(_));
            ends.push((!failed).then_some(drive.last.q));
            let by = |i: usize| state.q[i] - guess.q[i];
            let far = |i: &usize| (by(*i) / scale[*i]).abs();
            let farthest = (0..scale.len()).max_by(|i, j| far(i).total_cmp(&far(j)));
            let i = farthest.unwrap_or(0);
            moved.push((sys.describe(Row::Position(i)), by(i)));
        }
        let name = |i| sys.describe(Row::Position(i));
        let branches =
            (!compared.is_empty()).then(|| Branches::compare(moved, &ends, &scale, name));
        // the others have left their traces in the system
        let start = guesses.first().map(|guess| initial::start(sys, guess));
        Ok(start.and_then(Result::ok).map(|start| (start, branches)))
    }

    /// Refuses more rows than memory holds, where all of them are kept.
    pub(crate) fn check_room(&self, settings: &Settings) -> Result<(), OptionError> {
        let Outputs::Uniform(n) = settings.outputs else {
            return Ok(());
        };
        let columns = self.system.facts().channels.len() + 1;
        let help = "ask for fewer outputs, or for files: rows that go to files need no memory";
        room::for_numbers(n as f64 + 1.0, columns as f64)
            .map_err(|why| OptionError::new("outputs", why, help))
    }

    /// The saved run to go on with and the file to save this one to, as far as they are asked for.
    fn records(&self, settings: &Settings) -> Result<Records, OptionError> {
        let heading = Heading::new(self.identity, &settings.options.lines());
        let asked = &self.options;
        let restart = checkpoint::to_restart(&heading, asked.restart.as_deref())?;
        if let Some(path) = &asked.checkpoint {
            checkpoint::check_writable(path)?;
        }
        let schedule = asked.checkpoint.as_ref().map(|path| Schedule {
            path: path.clone(),
            steps: asked.checkpoint_steps,
            interval: asked.checkpoint_interval,
            heading,
        });
        Ok(Records { restart, schedule })
    }

    fn run_from(
        &mut self,
        start: Start,
        settings: &Settings,
        field: Option<(&Field, usize)>,
        records: Records,
        rows_out: Option<&mut (dyn Sink + Send)>,
        observer: &mut dyn Observer,
    ) -> Result<Run, OptionError> {
        let Start {
            state,
            rows,
            report,
        } = start;
        let t_end = settings.t_end();
        let sys = &mut *self.system;
        let recorder = Recorder::new(sys, settings.outputs.clone(), t_end).to(rows_out);
        let mut recorder = match self.kept {
            Kept::All | Kept::Rows => recorder,
            Kept::Motion => recorder.of_motion(ALONE),
        };
        let mut audit = Audit::new(sys);
        let mut events = EventLog::default();
        let mut attempts = Attempts::new(settings.outputs == Outputs::Steps);
        let mut pace = Pace::default();
        let mut steps = Both(&mut attempts, &mut pace);
        let mut logs = Both(&mut events, &mut steps);
        let mut nobody = ();
        let account: &mut dyn Observer = match self.kept {
            Kept::All => &mut audit,
            Kept::Rows | Kept::Motion => &mut nobody,
        };
        let mut accounts = Both(account, &mut logs);
        let mut own = Both(&mut recorder, &mut accounts);
        let asked = settings.options.condition == Some(true) && self.kept == Kept::All;
        let mut condition = asked.then(|| Watch::new(settings, &rows, state.t));
        let mut nobody = ();
        let judge: &mut dyn Observer = match &mut condition {
            Some(watch) => watch,
            None => &mut nobody,
        };
        let mut others = Both(judge, observer);
        let mut all = Both(&mut own, &mut others);
        let drive = drive(sys, settings, field, records, &state, &rows, &mut all)?;

        let mut run = Run::new(&self.name, &settings.options, Table::default());
        let t_last = drive.last.t;
        run.t_last = t_last;
        run.ending = match (&drive.ending, events.ended_by()) {
            (drive::Ending::Finished, _) => Ending::Finished,
            (drive::Ending::Stopped, Some(h)) => {
                let (event, t) = (h.name.clone(), h.t);
                run.notes.push(Note::EndedBy { event, t });
                Ending::Finished
            }
            (drive::Ending::Stopped, None) => {
                run.doubts.push(Doubt::Stopped { t: t_last, t_end });
                Ending::Stopped
            }
            (drive::Ending::Failed(why), _) => Ending::Failed(explain::failure(sys, settings, why)),
        };
        let (of_start, noted) = about_start(sys, &report, settings.options.strict == Some(true));
        run.doubts.extend(of_start);
        run.notes.extend(noted);
        let finished = run.failure().is_none();
        let incomplete = recorder.incomplete();
        let of_motion = doubts::about_motion(settings, &drive.stats, &audit, incomplete, finished);
        run.doubts.extend(of_motion);
        if let Some(why) = drive.unsaved.map(|e| e.to_string()) {
            run.doubts.push(Doubt::NotSaved { why });
        }
        // where a run finishes, the rows that were asked for are all there
        let early = drive.ending != drive::Ending::Finished;
        if early && recorder.last_time().is_none_or(|t| t < t_last) {
            keep_last(sys, settings, &rows, drive.last, &mut recorder);
        }
        run.rows = recorder.made();
        run.table = recorder.into_table();
        if run.table.times().len() < run.rows {
            run.notes.push(Note::Thinned {
                kept: run.table.times().len(),
                rows: run.rows,
            });
        }
        run.notes.extend(Note::on_jumps(&events));
        run.notes.extend(Note::on_piles(&events));
        run.notes.extend(Note::on_chatter(&events));
        run.notes.extend(drive.turns);
        if drive.stats.exchanges > 0 {
            run.notes.push(Note::Exchanged(drive.stats.exchanges));
        }
        run.notes
            .extend(drive.notes.into_iter().map(Note::Integrator));
        // told only where it was asked for
        let follow = settings.recipe.jacobian.is_some_and(|j| j.follow);
        let following = drive.following.as_ref().filter(|_| follow);
        run.notes.extend(following.and_then(Note::on_following));
        run.restarted_at = drive.restarted_at;
        run.start = Some(report);
        run.stats = drive.stats;
        run.pace = pace;
        run.beside = self.kept.of_rows(run.rows) + audit.work();
        run.events = events;
        run.attempts = attempts.named(sys);
        run.following = drive.following;
        run.limiters = drive.limiters.by_owner(sys);
        run.constraint_residual = audit.residual();
        run.conditioning = condition.and_then(|watch| watch.found);
        run.energy = audit.energy();
        run.step_cpu_seconds = drive.step_cpu_seconds;
        run.longest_step_seconds = drive.longest_step_seconds;
        Ok(run)
    }

    /// The best pose that was found is kept as the only row.
    fn no_start(
        &mut self,
        settings: &Settings,
        mut rows: Option<&mut (dyn Sink + Send)>,
        why: &initial::StartError,
    ) -> Run {
        let sys = &mut *self.system;
        if let Some(rows) = &mut rows {
            rows.begin(None);
        }
        let recorder = Recorder::new(sys, settings.outputs.clone(), settings.t_end());
        let mut recorder = recorder.to(rows);
        if let Some(state) = why.state() {
            recorder.push_state(sys, state);
        }
        let mut run = Run::new(&self.name, &settings.options, recorder.into_table());
        run.ending = Ending::Failed(explain::no_start(sys, why));
        run
    }
}

/// The last accepted state of a run that ended early becomes its last row.
fn keep_last(
    sys: &mut dyn System,
    settings: &Settings,
    rows: &Rows,
    mut last: State,
    recorder: &mut Recorder<'_>,
) {
    let mut saddle = settings.recipe.saddle(sys, rows);
    if saddle.accelerate(sys, &mut last).is_err() {
        last.a.fill(f64::NAN);
        last.lambda.fill(f64::NAN);
    }
    recorder.push_state(sys, &last);
}
