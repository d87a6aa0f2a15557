//! What a result is worth: the motion computed once more, and compared channel by channel.
//!
//! A run can only judge itself by what it sees. What becomes of its errors on the way, a leap over an event, a wrong
//! branch are seen from outside. One ladder of runs ([`ladder`](self)) serves two looks at a result: the
//! [estimate](Look::Estimate) of every plain run, by a cheaper one of the same kind, and its
//! [verification](Look::Verify) by a method of another family, in the other coordinates, at a tenth of the tolerance,
//! that does not step far without looking. Where that turns out to be much dearer than the run, as explicit methods are
//! on stiff models, the run's own method takes its place.
//!
//! Where errors grow exponentially, `e ~ exp(rate t)`, the motion is chaotic: nothing is determined beyond its horizon.

mod distance;
mod growth;
mod ladder;

pub use growth::Growth;

use crate::doubts::Doubt;
use crate::notes::Note;
use crate::options::Options;
use crate::run::{Ending, Run};
use crate::simulation::Simulation;
use distance::digits;
use ladder::{Found, Ladder};
use linkwork_dae::drive::Observer;
use linkwork_mbs::error::ModelError;
use serde::Serialize;

/// A run promises an error at its end below this many tolerances.
const PROMISED: f64 = 100.0;
/// Error relative to the range of a channel at which two motions part.
const PARTED: f64 = 1e-2;

/// What a run is held against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// The same way with ten times the tolerance, or more: tells how far the end is off.
    Estimate,
    /// An independent way with a tenth of the tolerance.
    Verify,
}

/// How far a channel agrees.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Agreement {
    /// Its name.
    pub channel: String,
    /// Its unit.
    pub unit: String,
    /// Largest difference.
    pub difference: f64,
    /// The same relative to the range of the channel.
    pub error: f64,
    /// Digits that agree throughout.
    pub digits: f64,
    /// The error in the last row.
    pub at_the_end: f64,
}

/// Where two motions part.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Parting {
    /// Time of the first row that is off by one per cent.
    pub t: f64,
    /// The channel.
    pub channel: String,
}

/// What a comparison found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verification {
    /// How the motion was computed the second time.
    pub companion: String,
    /// Whether that was another way than that of the run.
    pub independent: bool,
    /// Rows compared.
    pub rows: usize,
    /// Distance of positions and velocities in the last row, relative to their ranges.
    pub end_error: f64,
    /// What that says of the error of the run, in tolerances that were asked for; none for a fixed step.
    pub tolerances: Option<f64>,
    /// The channel that is off most there.
    pub channel: String,
    /// The tolerance that was asked for; none for a fixed step.
    pub asked: Option<f64>,
    /// Digits to which all positions and velocities agree throughout.
    pub digits: f64,
    /// The channels that agree least.
    pub worst: Vec<Agreement>,
    /// Where the motions part, if they do.
    pub parting: Option<Parting>,
    /// How errors grow, where they grow exponentially.
    pub growth: Option<Growth>,
    /// Work of all runs relative to the first: evaluations and factorisations.
    pub work: f64,
}

/// Computes a motion once more and puts what that tells, and what speaks against the run, into the run. `asked` is
/// what the run was made of, `make` puts the same model together with other options; coordinates are among them. Where
/// the method or the tolerance was left open a run that is not good enough is replaced by a tighter one, a note tells,
/// and the options of that one are returned.
///
/// Nothing is done about runs that have not reached their end; estimates need a tolerance and the whole of a motion.
pub fn verify(
    run: &mut Run,
    (look, asked): (Look, &Options),
    make: &mut dyn FnMut(&Options) -> Result<Simulation, ModelError>,
    observer: &mut dyn Observer,
) -> Option<Options> {
    let told = run.ending == Ending::Finished && run.times().len() > 1;
    let whole = run.tolerance().is_some() && run.restarted_at.is_none();
    if !told || look == Look::Estimate && !whole {
        return None;
    }
    let mut ladder = Ladder::new(run, (look, asked), make, observer);
    let tolerance = ladder.asked(run);
    let (found, replaced) = ladder.climb(run);
    match found {
        Ok(found) => {
            let (work, bound) = (ladder.work(), ladder.bound());
            let forgets = ladder.is_out_of_reach(&found, run.t_last);
            run.doubts.extend(doubt(&found, tolerance, bound, forgets));
            run.verification = Some(Verification::new(found, tolerance, work));
        }
        Err(why) if look == Look::Verify => run.doubts.push(Doubt::Unverified { why }),
        Err(why) => run.notes.push(Note::Unmeasured { why }),
    }
    run.judge();
    replaced
}

impl Verification {
    fn new(found: Found, asked: Option<f64>, work: f64) -> Verification {
        let independent = found.is_independent();
        let Found {
            distance,
            error,
            companion,
            ..
        } = found;
        Verification {
            companion,
            independent,
            rows: distance.rows,
            end_error: distance.end,
            tolerances: asked.map(|rtol| error / rtol),
            channel: distance.channel,
            asked,
            digits: digits(distance.most),
            worst: distance.worst,
            parting: distance.parting,
            growth: distance.growth,
            work,
        }
    }
}

/// What a companion speaks against, if anything; `forgets`: no tolerance would do.
fn doubt(found: &Found, asked: Option<f64>, bound: f64, forgets: bool) -> Option<Doubt> {
    let distance = &found.distance;
    // what is looser may part from the run
    let parting = (distance.parting.as_ref()).filter(|_| found.is_independent());
    // two that are so far apart do not tell how far either is off
    let bound = match distance.end > PARTED {
        true => bound.min(PARTED),
        false => bound,
    };
    if found.at_most <= bound && parting.is_none() {
        return None;
    }
    if let (Some(growth), Some(parting), true) = (&distance.growth, &distance.parting, forgets) {
        return Some(Doubt::Chaotic {
            rate: growth.rate,
            horizon: parting.t,
        });
    }
    Some(Doubt::Inaccurate {
        error: found.at_most,
        tolerances: asked.map(|rtol| found.at_most / rtol),
        bound,
        channel: parting.map_or(&distance.channel, |p| &p.channel).clone(),
        parted: parting.map(|p| p.t),
        companion: found.companion.clone(),
    })
}

/// A way of computing in words.
fn words(o: &Options) -> String {
    let word = |option: &str| o.value(option).unwrap_or_default();
    let mut text = format!("{}, {}", word("method"), word("formulation"));
    if let Some(coordinates) = &o.coordinates {
        text.push_str(&format!(", {coordinates} coordinates"));
    }
    match o.rtol {
        Some(rtol) => text + &format!(", rtol {rtol:.0e}"),
        None => text,
    }
}
