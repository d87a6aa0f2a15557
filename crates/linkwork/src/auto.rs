//! Which method suits a model, now and later: methods race for a while on copies of the system.
//!
//! ```text
//!  explicit, high order: cheap steps and many digits, as long as nothing fast and damped limits them
//!  implicit (bdf):       dear steps, of any length
//! ```
//!
//! No detector of stiffness is needed: every method is given the same work, in instructions as [`Price`]
//! counts them, and what tells is how far it gets with the second half of it, once its start is over. The
//! race is repeated when ten times its work has been spent, and the run goes on with another method where
//! that has become cheaper. Work is counted, not timed, and no copy looks at the end of the run: the
//! same model takes the same turns on every machine, whether or not it was saved and continued in between.

mod pilot;

pub(crate) use pilot::Pilot;

use crate::notes::Note;
use crate::price::{Price, passes, price};
use crate::settings::Settings;
use linkwork_dae::drive::{Flow, Observer, ObserverError, View};
use linkwork_dae::initial::Start;
use linkwork_dae::state::State;
use linkwork_dae::system::{Rows, System};

/// Methods that race, with their formulations; the one that keeps more digits at a tolerance first.
const FIELD: &[(&str, &str)] = &[("dop853", "projected"), ("bdf", "ggl")];
/// Steps of the first method that the work of a race pays for.
const RACE_STEPS: f64 = 16.0;
/// Evaluations in such a step.
const STAGES: f64 = 12.0;
/// How much cheaper a later one of the field must be, since at one tolerance it is less accurate; an
/// earlier one need only be as cheap.
const ADVANTAGE: f64 = 2.0;

/// A method that may be taken.
struct Lane {
    settings: Settings,
    price: Price,
}

/// The methods that can run a system.
#[derive(Default)]
pub(crate) struct Field {
    lanes: Vec<Lane>,
    /// Work of a race, for each method.
    work: f64,
}

/// How far a method got in a race.
#[derive(Clone, Copy, Debug, Default)]
struct Progress {
    /// Simulated time for a unit of work.
    pace: f64,
    /// The last step.
    h: f64,
}

impl Field {
    /// The methods that fit a system under these settings.
    pub fn new(sys: &mut dyn System, settings: &Settings, start: &Start) -> Field {
        let mut lanes = Vec::new();
        for (method, formulation) in FIELD {
            let Some(mut settings) = settings.by(method, formulation) else {
                continue;
            };
            if settings.suit(sys).is_ok() {
                let passes = passes(sys);
                let price = price(sys, &settings, start, passes);
                lanes.push(Lane { settings, price });
            }
        }
        let work = lanes.first().map_or(0.0, |lane| {
            let p = &lane.price;
            RACE_STEPS * (STAGES * (p.evaluation + p.factorisation + p.solve) + p.step)
        });
        Field { lanes, work }
    }

    /// Settings with each of the methods, by their numbers.
    pub fn settings(&self) -> impl Iterator<Item = &Settings> {
        self.lanes.iter().map(|lane| &lane.settings)
    }

    /// Name of a method.
    fn name(&self, way: usize) -> &'static str {
        self.lanes[way].settings.recipe.method.name
    }

    /// The number of the method to begin with, and why.
    pub fn first(&self, sys: &dyn System, start: &Start) -> (usize, Option<Note>) {
        let (way, reason) = match self.lanes.len() {
            0 => return (0, None),
            1 => (0, "no other method fits this model".into()),
            _ => self.race(sys, &start.state, &start.rows, 0),
        };
        let recipe = &self.lanes[way].settings.recipe;
        let note = Note::Chose {
            method: recipe.method.name,
            formulation: recipe.formulation.name,
            reason,
        };
        (way, Some(note))
    }

    /// The number of the method to go on with from a state after `now`, and why.
    fn race(&self, sys: &dyn System, state: &State, rows: &Rows, now: usize) -> (usize, String) {
        let run = |lane: &Lane| self.run(lane, sys, state, rows);
        let all: Vec<Progress> = self.lanes.iter().map(run).collect();
        let mut best = now;
        for (i, other) in all.iter().enumerate() {
            let needed = if i < now { 1.0 } else { ADVANTAGE };
            if other.pace > needed * all[now].pace && other.pace > all[best].pace {
                best = i;
            }
        }
        let reason = self.reason(&all, best);
        (best, reason)
    }

    fn reason(&self, all: &[Progress], best: usize) -> String {
        let of = |i: usize| all[i].pace / all[best].pace.max(f64::MIN_POSITIVE);
        let others = (0..all.len()).filter(|i| *i != best);
        let next = others.max_by(|a, b| all[*a].pace.total_cmp(&all[*b].pace));
        let Some(next) = next else {
            return "no other method fits this model".into();
        };
        let (h, share) = (all[best].h, 100.0 * of(next));
        let explicit = !self.lanes[best].settings.recipe.method.is_implicit();
        if !(all[best].pace > 0.0) {
            return "no method gets anywhere in a trial".into();
        }
        if explicit {
            format!(
                "nothing stiff limits its steps of {h:.1e} s; with the same work {} gets {share:.0} % as far \
                 at this tolerance, with fewer digits",
                self.name(next)
            )
        } else {
            format!(
                "its steps of {h:.1e} s pass over what is fast and damped; with the same work {} gets only \
                 {share:.2} % as far",
                self.name(next)
            )
        }
    }

    fn run(&self, lane: &Lane, sys: &dyn System, state: &State, rows: &Rows) -> Progress {
        let mut copy = sys.fork();
        let mut recipe = lane.settings.recipe.clone();
        recipe.plan.t_end = f64::MAX;
        recipe.plan.max_attempts = u64::MAX;
        let mut trial = Trial::new(lane.price, self.work, state.t);
        // what cannot be put together gets nowhere
        if let Ok(mut engine) = recipe.engine(&mut *copy, rows) {
            engine.run(state, rows, &mut trial);
        }
        trial.progress()
    }
}

/// Looks on while a method races.
struct Trial {
    price: Price,
    budget: f64,
    start: f64,
    /// Time and work when half of it was spent, and now.
    half: Option<[f64; 2]>,
    now: [f64; 2],
    h: f64,
}

impl Trial {
    fn new(price: Price, budget: f64, start: f64) -> Trial {
        Trial {
            price,
            budget,
            start,
            half: None,
            now: [start, 0.0],
            h: 0.0,
        }
    }

    fn progress(&self) -> Progress {
        let [t0, w0] = self.half.unwrap_or([self.start, 0.0]);
        let [t, w] = self.now;
        let spent = w - w0;
        Progress {
            pace: if spent > 0.0 { (t - t0) / spent } else { 0.0 },
            h: self.h,
        }
    }
}

impl Observer for Trial {
    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        let work = self.price.work(view.stats);
        self.h = view.to - view.from;
        self.now = [view.to, work];
        if self.half.is_none() && work >= 0.5 * self.budget {
            self.half = Some(self.now);
            return Ok(Flow::Continue);
        }
        Ok(match work >= self.budget {
            true => Flow::Stop,
            false => Flow::Continue,
        })
    }
}
