//! Which method suits a model, now and later.
//!
//! ```text
//!  explicit, high order (dop853):  cheap steps and many digits, no longer than z/|lambda| for the fastest mode
//!  collocation (radau):            dear steps of any length and high order, stable on vibrations
//!  bdf:                            where collocation does not fit a model, or could not go on
//! ```
//!
//! The fastest mode of the system, from a few evaluations, says whether explicit steps are limited by
//! accuracy: then implicit ones would be too, and nothing is cheaper. Where it would limit them, an implicit method
//! begins. That is foreseen, not tried: trials at a start see short steps that are about to grow.
//!
//! The choice is looked at again ([`pilot`]). Where explicit steps have come to a limit, or implicit ones are
//! so short that explicit ones could keep up, the other kind runs a few steps on a copy of the system ([`trial`]), paid
//! from a share of the work that the run has done. What counts is how far each gets with its work, in
//! instructions as [`Price`] counts them, weighed by the digits kept at one tolerance; the run itself is the
//! trial of its own method. Work is counted, not timed, and no copy looks at the end of the run: the same model takes
//! the same turns on every machine, whether or not it was saved and continued in between.

mod pilot;
mod trial;

pub(crate) use pilot::Pilot;

use crate::coordinates::Unknowns;
use crate::doubts::MANY_REJECTIONS;
use crate::notes::Note;
use crate::price::{Price, passes, price};
use crate::settings::Settings;
use linkwork_dae::initial::Start;
use linkwork_dae::memory::Memory;
use linkwork_dae::spectrum::{Mode, fastest_modes};
use linkwork_dae::state::{State, Weights};
use linkwork_dae::stepper::Family;
use linkwork_dae::system::{Rows, System};
use std::sync::OnceLock;
use trial::Progress;

/// Methods to choose from, with their formulations, and how many times cheaper than the first each must be at
/// the same tolerance to be as cheap at the same digits: one-step methods keep about as many, backward differentiation, of
/// order 5, ends some five times as far off, `5^(1/5)`.
const FIELD: &[(&str, &str, f64)] = &[
    ("dop853", "projected", 1.0),
    ("radau", "index3", 1.0),
    ("bdf", "ggl", 1.4),
];
/// Evaluations in an explicit step.
const STAGES: f64 = 12.0;
/// Stages of collocation times their iterations, and its factorisations, in a step.
const ITERATED: f64 = 20.0;
const SYSTEMS: f64 = 3.0;
/// Steps of one-step methods, and of backward differentiation, that a trial takes: from the length that the run has
/// to their own, which may be many times longer, and as many again.
const ONE_STEP: f64 = 8.0;
const MULTISTEP: f64 = 40.0;
/// Share of the work of a run that may go into a trial.
const SHARE: f64 = 0.5;
/// `h |lambda|` of the longest stable explicit steps.
const REACH: f64 = 6.0;
/// Explicit steps of a motion are not begun with where a mode is so many times faster than its rate: about a
/// radian is the longest step that accuracy would allow, they would reach half of it, and an implicit one costs two.
const STIFF: f64 = 2.0 * REACH;
/// How much better another method must be: a turn costs a start.
const BETTER: f64 = 1.25;

/// A method that may be taken.
struct Lane {
    settings: Settings,
    /// See [`FIELD`].
    handicap: f64,
    /// Found when it is needed: factors have to be looked at for that.
    worth: OnceLock<Worth>,
}

/// What a method costs.
#[derive(Clone, Copy, Debug)]
struct Worth {
    price: Price,
    /// Work of a step, more or less.
    step: f64,
    /// Steps of a trial, and their work.
    steps: u64,
    trial: f64,
}

impl Worth {
    fn new(price: Price, family: Family) -> Worth {
        let p = &price;
        let (step, steps) = match family {
            Family::Collocation => {
                let stages = ITERATED * (p.evaluation + p.solve);
                let matrices = p.derivatives + SYSTEMS * p.factorisation;
                (stages + matrices + p.step, ONE_STEP)
            }
            Family::Bdf => {
                let solved = p.evaluation + p.factorisation + p.solve;
                (solved + p.derivatives + p.step, MULTISTEP)
            }
            _ => {
                let solved = p.evaluation + p.factorisation + p.solve;
                (STAGES * solved + p.step, ONE_STEP)
            }
        };
        Worth {
            price,
            step,
            steps: steps as u64,
            trial: steps * step,
        }
    }
}

impl Lane {
    /// What it costs, from factors at the state where that is first asked.
    fn worth(&self, sys: &dyn System, state: &State, rows: &Rows) -> Worth {
        let found = self.worth.get_or_init(|| {
            let mut copy = sys.fork();
            let passes = passes(&*copy);
            let price = price(&mut *copy, &self.settings, (state, rows), passes);
            Worth::new(price, self.family())
        });
        *found
    }

    /// Saves or restores what it costs, which depends on when that was asked.
    fn memory(&self, m: &mut Memory) {
        let mut known = self.worth.get().is_some();
        m.bool(&mut known);
        if !known {
            return;
        }
        let mut price = self.worth.get().map_or(Price::default(), |w| w.price);
        for x in price.parts() {
            m.f64(x);
        }
        if m.is_reading() {
            // a run that is put back knows it already
            let _ = self.worth.set(Worth::new(price, self.family()));
        }
    }

    fn name(&self) -> &'static str {
        self.settings.recipe.method.name
    }

    fn family(&self) -> Family {
        self.settings.recipe.method.family
    }

    fn is_explicit(&self) -> bool {
        !self.settings.recipe.method.is_implicit()
    }
}

/// The methods that can run a system.
#[derive(Default)]
pub(crate) struct Field {
    lanes: Vec<Lane>,
}

/// What a run has done lately.
#[derive(Clone, Copy, Debug)]
struct Running {
    way: usize,
    progress: Progress,
    /// The method to try.
    challenger: Option<usize>,
    /// The work it has done, and that before which nothing is to be tried.
    work: f64,
    until: f64,
}

/// What to go on with.
struct Chosen {
    way: usize,
    reason: String,
    /// Whether that took a trial.
    tried: bool,
    /// Work of the run that would pay for one.
    awaits: Option<f64>,
}

impl Chosen {
    /// Without trials.
    fn foreseen(way: usize, reason: String) -> Chosen {
        Chosen {
            way,
            reason,
            tried: false,
            awaits: None,
        }
    }
}

impl Field {
    /// The methods that fit a system under these settings.
    pub fn new(sys: &dyn System, settings: &Settings) -> Field {
        let mut lanes = Vec::new();
        for &(method, formulation, handicap) in FIELD {
            let Some(mut settings) = settings.by(method, formulation) else {
                continue;
            };
            // it is taken where explicit steps are held: a run and a trial that had to learn so first, by slow solves and by such that
            // fail, would seem dearer than they are
            settings.recipe.tuning.stiff = true;
            if settings.suit(sys).is_ok() {
                lanes.push(Lane {
                    settings,
                    handicap,
                    worth: OnceLock::new(),
                });
            }
        }
        Field { lanes }
    }

    /// Settings with each of the methods, by their numbers.
    pub fn settings(&self) -> impl Iterator<Item = &Settings> {
        self.lanes.iter().map(|lane| &lane.settings)
    }

    /// The number of the method to begin with, and why; `unknowns` where coordinates were chosen, too.
    pub fn first(
        &self,
        sys: &dyn System,
        start: &Start,
        unknowns: Option<Unknowns>,
    ) -> (usize, Option<Note>) {
        if self.lanes.is_empty() {
            return (0, None);
        }
        let Chosen { way, reason, .. } = self.begin(sys, &start.state, &start.rows);
        let recipe = &self.lanes[way].settings.recipe;
        let note = Note::Chose {
            method: recipe.method.name,
            formulation: recipe.formulation.name,
            unknowns,
            reason,
        };
        (way, Some(note))
    }

    /// The first method of a kind, among those that have not failed (as bits by their numbers).
    fn of_kind(&self, explicit: bool, failed: u64) -> Option<usize> {
        let fits = |i: &usize| self.lanes[*i].is_explicit() == explicit && failed >> i & 1 == 0;
        (0..self.lanes.len()).find(fits)
    }

    /// The method to begin with: explicit, unless a fast mode would hold its steps.
    fn begin(&self, sys: &dyn System, state: &State, rows: &Rows) -> Chosen {
        let (Some(explicit), Some(implicit)) = (self.of_kind(true, 0), self.of_kind(false, 0))
        else {
            return Chosen::foreseen(0, "no method of another kind fits this model".into());
        };
        let (way, reason) = match self.fastest(explicit, sys, state, rows) {
            Some(rate) if rate < STIFF * self.rate(explicit, sys, state) => (explicit, calm(rate)),
            Some(rate) => {
                let held = REACH / rate;
                let why =
                    format!("a mode of {rate:.1e} 1/s would hold explicit steps at {held:.1e} s");
                (implicit, why)
            }
            None => (implicit, "its modes cannot be told".into()),
        };
        self.lanes[way].worth(sys, state, rows);
        Chosen::foreseen(way, reason)
    }

    /// The method to go on with from a state, and why.
    fn choose(&self, sys: &dyn System, state: &State, rows: &Rows, now: Running) -> Chosen {
        let Running { way, progress, .. } = now;
        let stay = || Chosen::foreseen(way, String::new());
        let Some(challenger) = now.challenger else {
            return stay();
        };
        let other = &self.lanes[challenger];
        let explicit = if other.is_explicit() { challenger } else { way };
        let fastest = self.fastest(explicit, sys, state, rows);
        let score = |i: usize, p: Progress| p.ahead() / self.lanes[i].handicap;
        let hopeful = match fastest {
            // explicit steps that accuracy limits are not bettered
            Some(rate) if explicit == way => {
                !(progress.failures < MANY_REJECTIONS && progress.h * rate < self.calm(way))
            }
            Some(rate) => {
                let at_best = REACH / rate / other.worth(sys, state, rows).step;
                at_best / other.handicap > score(way, progress)
            }
            None => true,
        };
        if !hopeful {
            return stay();
        }
        let awaits = now.until.max(other.worth(sys, state, rows).trial / SHARE);
        if now.work < awaits {
            return Chosen {
                awaits: Some(awaits),
                ..stay()
            };
        }
        let found = trial::run(other, sys, (state, progress.h), rows);
        let won = score(challenger, found) > BETTER * score(way, progress);
        let reason = format!(
            "its steps are {:.1e} s; with the same work {} gets {:.1} % as far",
            found.h * found.growth,
            self.lanes[way].name(),
            100.0 * progress.ahead() / found.ahead()
        );
        Chosen {
            way: if won { challenger } else { way },
            reason,
            tried: true,
            awaits: None,
        }
    }

    /// The fastest mode at a state, 1/s; none where it cannot be found.
    fn fastest(&self, way: usize, sys: &dyn System, state: &State, rows: &Rows) -> Option<f64> {
        let mut copy = sys.fork();
        let mut saddle = self.lanes[way].settings.recipe.saddle(&*copy, rows);
        let rate = self.rate(way, sys, state);
        let modes = fastest_modes(&mut *copy, &mut saddle, state, rate).ok()?;
        modes.first().map(Mode::rate)
    }

    /// `h |lambda|` of explicit steps that follow the fastest mode, with an error of a tolerance, `(h |lambda|)^9/9!`,
    /// and a quarter more. Where steps are longer that mode does not move, and stability may limit them.
    fn calm(&self, way: usize) -> f64 {
        const FACTORIAL: f64 = 362_880.0;
        1.25 * (FACTORIAL * self.lanes[way].settings.rtol()).powf(1.0 / 9.0)
    }

    /// Rate of the motion, 1/s.
    fn rate(&self, way: usize, sys: &dyn System, state: &State) -> f64 {
        let tolerances = &self.lanes[way].settings.recipe.plan.tolerances;
        Weights::new(sys, tolerances).start(state)
    }
}

/// Why explicit steps are right.
fn calm(rate: f64) -> String {
    format!("nothing stiff limits its steps, no mode is faster than {rate:.1e} 1/s")
}
