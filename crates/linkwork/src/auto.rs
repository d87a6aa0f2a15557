//! Which method suits a model, now and later.
//!
//! ```text
//!  explicit, high order (dop853):  cheap steps and many digits, no longer than z/|lambda| for the fastest mode
//!  collocation (radau):            dear steps of any length and high order, stable on vibrations
//!  bdf:                            the cheapest implicit steps, of lower order
//! ```
//!
//! What can be foreseen is not tried. The fastest mode of the system, from a few evaluations, says whether
//! explicit steps are limited by accuracy: then implicit ones of lower order would be too, and nothing is
//! cheaper, unless the motion is hardly smooth. It also says how far explicit steps could get at best, and that may be less than what an implicit
//! method does. Only in between methods race on copies of the system ([`trial`]): what counts is how far they
//! get with the second half of some work, in instructions as [`Price`] counts them, weighed by the digits that
//! they keep at one tolerance. The run itself is the trial of its own method.
//!
//! The choice is looked at again ([`pilot`]) and the run goes on with another method where that has become
//! cheaper. Work is counted, not timed, and no copy looks at the end of the run: the same model takes the same
//! turns on every machine, whether or not it was saved and continued in between.

mod pilot;
mod trial;

pub(crate) use pilot::Pilot;

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
/// the same tolerance to be as cheap at the same digits: about what the digits of the elastic slider crank and
/// of the squeezer make of it.
const FIELD: &[(&str, &str, f64)] = &[
    ("dop853", "projected", 1.0),
    ("radau", "index3", 1.5),
    ("bdf", "ggl", 2.0),
];
/// Evaluations in an explicit step.
const STAGES: f64 = 12.0;
/// Explicit steps, and steps of backward differentiation, that a trial pays for: until their length has
/// settled, and as many again.
const EXPLICIT_STEPS: f64 = 8.0;
const IMPLICIT_STEPS: f64 = 40.0;
/// `h |lambda|` of the longest stable explicit steps.
const REACH: f64 = 6.0;
/// Explicit steps of a motion are not begun with where a mode is so many times faster than its rate: about a
/// radian is the longest step that accuracy would allow.
const STIFF: f64 = 30.0;
/// A fastest mode that has changed by this factor makes another system.
const ANOTHER: f64 = 10.0;
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
    /// Work of a step, more or less, and of a trial.
    step: f64,
    trial: f64,
}

impl Worth {
    fn new(price: Price, explicit: bool) -> Worth {
        let p = &price;
        let solved = p.evaluation + p.factorisation + p.solve;
        let (step, steps) = match explicit {
            true => (STAGES * solved + p.step, EXPLICIT_STEPS),
            false => (solved + p.derivatives + p.step, IMPLICIT_STEPS),
        };
        Worth {
            price,
            step,
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
            Worth::new(price, self.is_explicit())
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
            let _ = self.worth.set(Worth::new(price, self.is_explicit()));
        }
    }

    fn name(&self) -> &'static str {
        self.settings.recipe.method.name
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
    /// Whether trials are allowed, and the fastest mode at the last ones, 1/s.
    may_race: bool,
    raced_at: f64,
}

/// What to go on with.
struct Chosen {
    way: usize,
    reason: String,
    /// The fastest mode where that took trials, 1/s.
    raced_at: Option<f64>,
}

impl Field {
    /// The methods that fit a system under these settings.
    pub fn new(sys: &dyn System, settings: &Settings) -> Field {
        // products with blocks need them stored, and stored blocks of long trees are full
        let tableau = sys.patterns().generators > 0;
        let mut lanes = Vec::new();
        for &(method, formulation, handicap) in FIELD {
            let Some(mut settings) = settings.by(method, formulation) else {
                continue;
            };
            let multiplies = settings.recipe.method.family == Family::Collocation;
            if settings.suit(sys).is_ok() && !(multiplies && tableau) {
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

    /// The number of the method to begin with, and why.
    pub fn first(&self, sys: &dyn System, start: &Start) -> (usize, Option<Note>) {
        let (way, reason) = match self.lanes.len() {
            0 => return (0, None),
            1 => (0, "no other method fits this model".into()),
            _ => {
                let chosen = self.choose(sys, &start.state, &start.rows, None);
                (chosen.way, chosen.reason)
            }
        };
        let recipe = &self.lanes[way].settings.recipe;
        let note = Note::Chose {
            method: recipe.method.name,
            formulation: recipe.formulation.name,
            reason,
        };
        (way, Some(note))
    }

    /// The number of the method to go on with from a state, and why.
    fn choose(&self, sys: &dyn System, state: &State, rows: &Rows, now: Option<Running>) -> Chosen {
        let explicit = self.lanes.iter().position(Lane::is_explicit);
        // where there are no modes to be found everything has to be tried
        let fastest = explicit.and_then(|i| self.fastest(i, sys, state, rows));
        let chosen = |way, reason| Chosen {
            way,
            reason,
            raced_at: None,
        };
        if let (Some(way), Some(rate)) = (explicit, fastest) {
            let calm = match now {
                Some(now) => {
                    let smooth = now.progress.failures < MANY_REJECTIONS;
                    now.way == way && smooth && now.progress.h * rate < self.calm(way)
                }
                None => rate < STIFF * self.rate(way, sys, state),
            };
            if calm {
                self.lanes[way].worth(sys, state, rows);
                let why = format!(
                    "nothing stiff limits its steps, no mode is faster than {rate:.1e} 1/s"
                );
                return chosen(way, why);
            }
        }
        let same = |now: &Running| {
            fastest
                .is_none_or(|rate| rate < ANOTHER * now.raced_at && now.raced_at < ANOTHER * rate)
        };
        if let Some(now) = now.filter(|now| !now.may_race && same(now)) {
            return chosen(now.way, String::new());
        }
        self.race(sys, state, rows, now, fastest)
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

    /// Tries what cannot be foreseen.
    fn race(
        &self,
        sys: &dyn System,
        state: &State,
        rows: &Rows,
        now: Option<Running>,
        fastest: Option<f64>,
    ) -> Chosen {
        let mut found: Vec<Option<Progress>> = vec![None; self.lanes.len()];
        if let Some(now) = now {
            found[now.way] = Some(now.progress);
        }
        let score =
            |i: usize, p: &Option<Progress>| p.map_or(0.0, |p| p.pace / self.lanes[i].handicap);
        // implicit ones first: they tell whether explicit steps can keep up
        let (explicit, implicit): (Vec<usize>, Vec<usize>) =
            (0..self.lanes.len()).partition(|&i| self.lanes[i].is_explicit());
        for i in implicit.into_iter().chain(explicit) {
            let lane = &self.lanes[i];
            let best = found.iter().enumerate().map(|(i, p)| score(i, p));
            let best = best.fold(0.0, f64::max);
            let at_best = match fastest {
                Some(rate) if lane.is_explicit() => {
                    REACH / rate / lane.worth(sys, state, rows).step / lane.handicap
                }
                _ => f64::INFINITY,
            };
            if found[i].is_none() && at_best > best {
                found[i] = Some(trial::run(lane, sys, state, rows));
            }
        }
        let mut best = now.map_or(0, |now| now.way);
        for (i, progress) in found.iter().enumerate() {
            let needed = if now.is_some_and(|now| now.way == best) {
                BETTER
            } else {
                1.0
            };
            if score(i, progress) > needed * score(best, &found[best]) {
                best = i;
            }
        }
        let at_best = |i: usize| {
            let step = self.lanes[i].worth(sys, state, rows).step;
            fastest.map(|rate| (rate, REACH / rate / step))
        };
        let reason = self.reason(&found, best, &at_best);
        Chosen {
            way: best,
            reason,
            raced_at: Some(fastest.unwrap_or(0.0)),
        }
    }

    fn reason(
        &self,
        found: &[Option<Progress>],
        best: usize,
        at_best: &dyn Fn(usize) -> Option<(f64, f64)>,
    ) -> String {
        let won = found[best].unwrap_or_default();
        if !(won.pace > 0.0) {
            return "no method gets anywhere in a trial".into();
        }
        let other = |i: usize| {
            let name = self.lanes[i].name();
            let share = |pace: f64| 100.0 * pace / won.pace;
            match (found[i], at_best(i)) {
                (Some(p), _) => format!("{name} gets {:.1} % as far", share(p.pace)),
                (None, Some((rate, pace))) => {
                    format!(
                        "{name} {:.2} % at best, for a mode of {rate:.1e} 1/s",
                        share(pace)
                    )
                }
                (None, None) => format!("{name} was not tried"),
            }
        };
        let others = (0..found.len()).filter(|i| *i != best).map(other);
        let others: Vec<String> = others.collect();
        format!(
            "its steps are {:.1e} s; with the same work {}",
            won.h,
            others.join(", ")
        )
    }
}
