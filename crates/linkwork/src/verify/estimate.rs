//! How far the end of a run is off, from the same motion at ten times the tolerance.
//!
//! Local errors are known, but what becomes of them on the way is not: a damped motion forgets them, a
//! vibration adds them up, a chaotic one lets them grow. The looser companion is subject to all of this.
//! Global errors go with a power of the tolerance close to 1 ([`POWER`]), so that its distance tells that of
//! the run itself from the truth, at about two thirds of the work of the run.
//!
//! ```text
//!  e(rtol) ~ rtol^p,   |y(10 rtol) - y(rtol)| ~ (10^p - 1) e(rtol)
//! ```

use super::{Budget, Pair, pairs, work};
use crate::doubts::Doubt;
use crate::notes::Note;
use crate::options::{Options, Outputs};
use crate::run::{Ending, Run};
use crate::simulation::Simulation;
use linkwork_dae::drive::Observer;
use linkwork_dae::system::Reference;
use linkwork_mbs::error::ModelError;
use serde::Serialize;

/// Tolerance of the companion, relative to that of the run.
const LOOSER: f64 = 10.0;
/// Measured exponent of end errors over tolerances; steps become more than errors become less.
const POWER: f64 = 0.85;
/// A companion looser than this says nothing.
const LOOSEST: f64 = 1e-2;
/// Work of the companion, relative to that of the run, beyond which it is given up.
const WORTH: f64 = 1.0;
/// Least share of the farthest motion of its unit that a channel is held against: tolerances are those of a
/// unit, not of every channel that hardly moves.
const FAINT: f64 = 0.1;
/// One companion tells an error to about this factor: what it cannot tell from a broken promise is doubted.
const MARGIN: f64 = 3.0;
/// Share of the size of the model below which places count as standing still.
const STANDS: f64 = 1e-3;

/// An estimated error.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// Error of positions and velocities in the last row, in tolerances.
    pub tolerances: f64,
    /// The channel that is off most.
    pub channel: String,
    /// Work of the companion relative to the run: evaluations and factorisations.
    pub work: f64,
}

/// Estimates the error at the end of a run and puts it into the run, with a doubt where it is larger than
/// what was promised. Runs with a fixed step, restarted ones, and those whose companion is dear or fails are left
/// as they are.
pub fn estimate(
    run: &mut Run,
    make: &mut dyn FnMut(&Options) -> Result<Simulation, ModelError>,
    observer: &mut dyn Observer,
) {
    let adaptive = run.options.rtol.filter(|_| run.options.step.is_none());
    let Some(rtol) = adaptive.filter(|rtol| LOOSER * rtol <= LOOSEST) else {
        return;
    };
    let whole = run.ending == Ending::Finished && run.restarted_at.is_none();
    if !whole || run.times().len() < 2 {
        return;
    }
    let mut budget = Budget {
        limit: WORTH / super::BUDGET * work(&run.stats),
        span: [run.times()[0], run.t_last],
        dear: false,
        inner: observer,
    };
    let Ok(mut simulation) = make(&companion(run, rtol)) else {
        return;
    };
    let Ok(other) = simulation.run_with(&mut budget) else {
        return;
    };
    if budget.dear || other.ending != Ending::Finished || other.t_last != run.t_last {
        return;
    }
    let facts = simulation.system().facts();
    let places = facts.scale.iter().zip(&facts.reference);
    let lengths = places.filter(|(_, r)| **r == Reference::Place);
    let length = lengths.map(|(scale, _)| *scale).fold(0.0, f64::max);
    let Some(found) = compare(run, &other, rtol, length) else {
        return;
    };
    if MARGIN * found.tolerances > super::PROMISED {
        run.doubts.push(Doubt::Inaccurate {
            tolerances: found.tolerances,
            channel: found.channel.clone(),
        });
    }
    run.estimate = Some(found);
    run.judge();
}

/// The same run, looser.
fn companion(run: &Run, rtol: f64) -> Options {
    let made = &run.options;
    let turned = run.notes.iter().any(|n| matches!(n, Note::Turned { .. }));
    Options {
        t_end: made.t_end,
        // as many rows as are here to be compared
        outputs: match run.times().len() < run.rows {
            true => Some(Outputs::At(run.times().into())),
            false => made.outputs.clone(),
        },
        method: made.method.clone().filter(|_| !turned),
        coordinates: made.coordinates.clone(),
        max_step: made.max_step,
        atol: made.atol.map(|atol| LOOSER * atol),
        atol_v: made.atol_v.map(|atol| LOOSER * atol),
        ..Options::new()
    }
    .rtol(LOOSER * rtol)
}

fn compare(run: &Run, other: &Run, rtol: f64, length: f64) -> Option<Estimate> {
    let (mine, theirs) = (&run.table, &other.table);
    let last = [mine.times().len() - 1, theirs.times().len().checked_sub(1)?];
    let pairs = pairs(mine, theirs, FAINT);
    let has_units = pairs.iter().any(Pair::moves);
    // a mechanism whose places do not move has no errors of places
    let widest = |unit: &str| {
        let same = pairs.iter().filter(|p| p.unit == unit);
        same.map(|p| p.scale).fold(0.0, f64::max)
    };
    let least = |unit: &str| match unit {
        "m" => STANDS * length,
        "m/s" => STANDS * length * widest("rad/s"),
        _ => 0.0,
    };
    let mut most = (0.0f64, "");
    for pair in pairs.iter().filter(|p| p.moves() || !has_units) {
        let scale = pair.scale.max(least(pair.unit));
        let error = pair.difference(last[0], last[1]) / scale;
        if error > most.0 || error.is_nan() {
            most = (error, pair.name);
        }
    }
    let (apart, channel) = most;
    Some(Estimate {
        tolerances: apart / (LOOSER.powf(POWER) - 1.0) / rtol,
        channel: channel.into(),
        work: work(&other.stats) / work(&run.stats).max(1.0),
    })
}
