//! Whether a run ends where its tolerance promises, and what is done where it does not.
//!
//! Local errors are known, but what becomes of them on the way is not: a damped motion forgets them, a
//! vibration adds them up, a chaotic one lets them grow. A companion at ten times the tolerance is subject to
//! all of this. Control of local errors makes global ones proportional to the tolerance (Hairer, Norsett &
//! Wanner 1993, II.4), so that the distance of two such runs is about that of the looser one from the truth:
//!
//! ```text
//!  e(10 rtol) ~ 10 e(rtol)      d = |y(10 rtol) - y(rtol)| ~ 9 e(rtol)
//! ```
//!
//! A run is taken as it is where the two are within [`GOOD`] tolerances. Where they are not, the run becomes the
//! companion of a tighter one, which takes its place, and so on, until two agree or the work exceeds [`TOTAL`]
//! times that of the first. Where the last two are farther apart than was promised the run is doubted, so that
//! errors need not be proportional to the tolerance for the promise to hold: they may stay as they are.
//! Where far too much is missing the tolerance falls by `k` tens at once, and distances may be `(10^k - 1) / 9` as large.
//!
//! A run whose method was named, that saves its states, or whose rows are too many for the memory is judged as it is.

use super::{Budget, Pair, pairs, work};
use crate::compare::STILL;
use crate::doubts::Doubt;
use crate::notes::Note;
use crate::options::{Options, Outputs};
use crate::run::{Ending, Run};
use crate::simulation::Simulation;
use crate::table::Table;
use linkwork_dae::drive::Observer;
use linkwork_dae::system::{Reference, System};
use linkwork_mbs::error::ModelError;
use serde::Serialize;

/// Tolerances of a run and of its companion.
const RATIO: f64 = 10.0;
/// Distance of two runs, in tolerances, below which nothing more is done.
const GOOD: f64 = 10.0;
/// Work of all runs, relative to the first.
const TOTAL: f64 = 8.0;
/// A companion looser than this says nothing.
const LOOSEST: f64 = 1e-2;
/// A run tighter than this is at the mercy of rounding.
const TIGHTEST: f64 = 1e-12;
/// Least share of the farthest motion of its unit that a channel is held against: tolerances are those of a
/// unit, not of every channel that hardly moves. Part of what is promised, as `docs/verdicts.md` measures it.
const FAINT: f64 = 0.1;
/// Rows of a companion: they tell how far channels move.
const ROWS: usize = 200;

/// An estimated error.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// Error of positions and velocities in the last row, in tolerances that were asked for.
    pub tolerances: f64,
    /// How far the last two runs, whose tolerances differ by ten, end from each other.
    pub apart: f64,
    /// The channel that is off most.
    pub channel: String,
    /// The tolerance that was asked for.
    pub asked: f64,
    /// Work of all runs relative to the first: evaluations and factorisations.
    pub work: f64,
}

/// Makes the same model with other options.
type Make<'a> = dyn FnMut(&Options) -> Result<Simulation, ModelError> + 'a;

/// Estimates the error at the end of a run and puts it into the run, with a doubt where it is larger than what
/// was promised. `asked` is what the run was made of; where that leaves the method open, a run that is not good
/// enough is replaced by a tighter one, a note tells, and the options of that one are returned. Runs with a fixed
/// step and those that went on from a saved state are left as they are.
pub fn estimate(
    run: &mut Run,
    asked: &Options,
    make: &mut Make<'_>,
    observer: &mut dyn Observer,
) -> Option<Options> {
    let rtol = run.options.rtol.filter(|_| run.options.step.is_none())?;
    let whole = run.ending == Ending::Finished && run.restarted_at.is_none();
    if !whole || run.times().is_empty() {
        return None;
    }
    let mut ladder = Ladder {
        asked,
        rtol,
        first: work(&run.stats),
        spent: work(&run.stats),
        ranges: None,
        make,
        observer,
    };
    let mut found = ladder.looser(run);
    let open = asked.method.is_none() && asked.checkpoint.is_none();
    let replaced = match open && run.times().len() >= run.rows {
        true => ladder.tighten(run, &mut found),
        false => {
            found = found.or_else(|| ladder.tighter(run));
            None
        }
    };
    let spent = ladder.spent / ladder.first.max(1.0);
    if let Some(found) = found {
        if !(found.apart <= found.allowed) {
            run.doubts.push(Doubt::Inaccurate {
                apart: found.apart,
                channel: found.channel.clone(),
            });
        }
        run.estimate = Some(Estimate {
            tolerances: found.error,
            apart: found.apart,
            channel: found.channel,
            asked: rtol,
            work: spent,
        });
        run.judge();
    }
    replaced
}

/// How far two runs end from each other, in tolerances.
struct Distance {
    apart: f64,
    /// What that says of the error of the run.
    error: f64,
    /// What keeps the promise.
    allowed: f64,
    channel: String,
}

/// Runs whose tolerances differ by ten.
struct Ladder<'a, 'b> {
    asked: &'a Options,
    rtol: f64,
    first: f64,
    spent: f64,
    /// Of the looser run, whose rows tell how far channels move.
    ranges: Option<Table>,
    make: &'a mut Make<'b>,
    observer: &'a mut dyn Observer,
}

impl Ladder<'_, '_> {
    /// The distance of the run from a looser one that is cheaper.
    fn looser(&mut self, run: &Run) -> Option<Distance> {
        if RATIO * self.rtol > LOOSEST {
            return None;
        }
        let turned = run.notes.iter().any(|n| matches!(n, Note::Turned { .. }));
        let options = Options {
            outputs: Some(Outputs::Uniform(ROWS)),
            // races were held already
            method: run.options.method.clone().filter(|_| !turned),
            ..self.options(run, RATIO * self.rtol)
        };
        let (companion, length) = self.run(run, &options, super::BUDGET * self.first)?;
        let found = compare([run, &companion], None, self.rtol, length);
        self.ranges = Some(companion.table);
        found
    }

    /// The distance of the run from a tighter one, which is nearly its error.
    fn tighter(&mut self, run: &Run) -> Option<Distance> {
        let options = self.options(run, (self.rtol / RATIO).max(TIGHTEST));
        let (next, length) = self.run(run, &options, TOTAL * self.first - self.spent)?;
        let found = compare([run, &next], None, self.rtol, length)?;
        Some(Distance {
            error: found.apart,
            ..found
        })
    }

    /// Puts tighter runs into the place of the run until two are near each other; the options of the last.
    fn tighten(&mut self, run: &mut Run, found: &mut Option<Distance>) -> Option<Options> {
        let mut taken = None;
        let mut rtol = self.rtol;
        let excess = |found: &Option<Distance>| match found {
            Some(found) => found.error * (RATIO - 1.0) / GOOD,
            None => f64::INFINITY,
        };
        while !(excess(found) <= 1.0) || repairable(run) {
            // as many tens as proportional errors need
            let tens = match found {
                Some(_) => excess(found).log10().floor().max(1.0),
                None => 1.0,
            };
            let ratio = RATIO.powf(tens);
            rtol = plain(rtol / ratio);
            let left = TOTAL * self.first - self.spent;
            if rtol < TIGHTEST || left <= 0.0 {
                break;
            }
            let options = self.options(run, rtol);
            let Some((mut next, length)) = self.run(run, &options, left) else {
                break;
            };
            let distance = compare([&next, run], self.ranges.as_ref(), self.rtol, length);
            let Some(distance) = distance else {
                break;
            };
            next.doubts.retain(|d| holds(d, self.rtol / rtol));
            next.judge();
            // a run that doubts itself takes no other's place, but it can tell
            if next.doubts.len() > run.doubts.len() {
                found.get_or_insert(Distance {
                    error: distance.apart,
                    ..distance
                });
                break;
            }
            let kept = |n: &&Note| matches!(n, Note::Looks(_) | Note::Import(_));
            let told: Vec<Note> = run.notes.iter().filter(kept).cloned().collect();
            next.notes.extend(told);
            next.notes.push(Note::Tightened {
                asked: self.rtol,
                rtol,
            });
            *run = next;
            *found = Some(Distance {
                error: distance.apart / (ratio - 1.0),
                allowed: super::PROMISED * (ratio - 1.0) / (RATIO - 1.0),
                ..distance
            });
            taken = Some(options);
        }
        taken
    }

    /// The run as it was asked for, with another tolerance.
    fn options(&self, run: &Run, rtol: f64) -> Options {
        let made = &run.options;
        let first = made.rtol.unwrap_or(rtol);
        Options {
            atol: made.atol.map(|atol| atol * rtol / first),
            atol_v: made.atol_v.map(|atol| atol * rtol / first),
            checkpoint: None,
            checkpoint_steps: None,
            checkpoint_interval: None,
            restart: None,
            ..self.asked.clone()
        }
        .rtol(rtol)
    }

    /// One more run, given up where it costs more than a limit or ends elsewhere, and the size of the model.
    fn run(&mut self, run: &Run, options: &Options, limit: f64) -> Option<(Run, f64)> {
        let mut simulation = (self.make)(options).ok()?;
        let mut budget = Budget {
            limit: limit / super::BUDGET,
            span: [run.times()[0], run.t_last],
            dear: false,
            inner: self.observer,
        };
        let other = simulation.run_with(&mut budget).ok()?;
        self.spent += work(&other.stats);
        let ended = !budget.dear && other.ending == Ending::Finished;
        (ended && other.t_last == run.t_last).then(|| (other, length(simulation.system())))
    }
}

/// A number as a user would write it: a thousandth of 1e-8 is 1e-11, without the rounding of the quotient.
fn plain(x: f64) -> f64 {
    format!("{x:.9e}").parse().unwrap_or(x)
}

/// Whether a doubt of a tighter run is one at the tolerance that was asked for, so many times larger. Bounds of energy
/// go with the power `p/(p + 1)` of the tolerance, at least its root.
fn holds(doubt: &Doubt, looser: f64) -> bool {
    match doubt {
        Doubt::ConstraintsOpen { by, bound } => !(*by <= bound * looser),
        Doubt::EnergyUnbalanced {
            missing,
            exchanged,
            bound,
        } => !(*missing <= bound * looser.sqrt() * exchanged),
        _ => true,
    }
}

/// Whether a tighter run may mend what speaks against a run.
fn repairable(run: &Run) -> bool {
    let mends = |d: &Doubt| {
        matches!(
            d,
            Doubt::ConstraintsOpen { .. } | Doubt::EnergyUnbalanced { .. }
        )
    };
    run.doubts.iter().any(mends)
}

/// Typical size of places.
fn length(system: &dyn System) -> f64 {
    let facts = system.facts();
    let places = facts.scale.iter().zip(&facts.reference);
    let lengths = places.filter(|(_, r)| **r == Reference::Place);
    lengths.map(|(scale, _)| *scale).fold(0.0, f64::max)
}

/// Distance of the last rows, relative to how far channels move in these runs and in one more.
fn compare(runs: [&Run; 2], also: Option<&Table>, rtol: f64, length: f64) -> Option<Distance> {
    let [mine, theirs] = runs.map(|run| &run.table);
    let [Some(i), Some(j)] = [mine, theirs].map(|t| t.times().len().checked_sub(1)) else {
        return None;
    };
    let pairs = pairs(mine, theirs, also, FAINT);
    let has_units = pairs.iter().any(Pair::moves);
    let widest = |unit: &str| {
        let same = pairs.iter().filter(|p| p.unit == unit);
        same.map(|p| p.scale).fold(0.0, f64::max)
    };
    // what neither moves nor turns, beside the size and the speed of the mechanism, has no errors of its own;
    // joint coordinates know no places, but the rows do
    let length = match length > 0.0 {
        true => length,
        false => {
            let places = pairs.iter().filter(|p| p.unit == "m");
            places.map(|p| p.values[0][i].abs()).fold(0.0, f64::max)
        }
    };
    let turning = widest("rad/s");
    let rate = match length > 0.0 {
        true => turning.max(widest("m/s") / length),
        false => turning,
    };
    let least = |pair: &Pair<'_>| match pair.unit {
        "m" => STILL * length,
        "m/s" => STILL * length * rate,
        "rad" => STILL,
        "rad/s" => STILL * rate,
        _ if pair.moves() => STILL,
        _ => 0.0,
    };
    let mut most = (0.0f64, "");
    for pair in pairs.iter().filter(|p| p.moves() || !has_units) {
        let error = pair.difference(i, j) / pair.scale.max(least(pair));
        if error > most.0 || error.is_nan() {
            most = (error, pair.name);
        }
    }
    let apart = most.0 / rtol;
    Some(Distance {
        apart,
        error: apart / (RATIO - 1.0),
        allowed: super::PROMISED,
        channel: most.1.into(),
    })
}
