//! What a result is worth: the motion computed once more, and compared channel by channel.
//!
//! A run can only judge itself by what it sees. What becomes of its errors on the way, a leap over an event, a wrong
//! branch are seen from outside. There are two looks at a result: the [estimate](Look::Estimate) of every plain run, by
//! a cheaper one of the same kind, which may lead to tighter ones (`verify/ladder.rs`), and its
//! [verification](Look::Verify) by another way (`verify/independent.rs`), which measures it as it is.
//!
//! Where errors grow exponentially, `e ~ exp(rate t)`, the motion is chaotic: nothing is determined beyond its horizon.

mod again;
mod distance;
mod found;
mod growth;
mod independent;
mod ladder;

pub use growth::Growth;

use crate::doubts::Doubt;
use crate::notes::Note;
use crate::options::Options;
use crate::run::{Ending, Run};
use crate::settings::DEFAULT_RTOL;
use crate::simulation::Simulation;
use again::Again;
use distance::digits;
use found::Found;
use growth::Way;
use ladder::Ladder;
use linkwork_dae::drive::Observer;
use linkwork_mbs::error::ModelError;
use serde::Serialize;

/// A run promises an error at its end below this many tolerances.
const PROMISED: f64 = 100.0;
/// Error relative to the range of a channel at which two motions part.
const PARTED: f64 = 1e-2;
/// Work of companions, relative to that of the run.
const BUDGET: f64 = 1.5;
/// A companion looser than this says nothing.
const LOOSEST: f64 = 1e-2;
/// A run tighter than this is at the mercy of rounding.
pub(crate) const TIGHTEST: f64 = 1e-12;

/// What a run is held against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// The same way with ten times the tolerance, or more: tells how far the end is off.
    Estimate,
    /// An independent way with a tenth of the tolerance, or a quarter.
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
/// the method or the tolerance was left open an estimate that is not good enough leads to a tighter run, which replaces
/// the first: a note tells, and the options of that one are returned.
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
    // however much tighter the default of the method is; a fixed step stands for one that promises not to part
    let tolerance = (run.tolerance()).map(|rtol| asked.rtol.unwrap_or(rtol.max(DEFAULT_RTOL)));
    let unit = tolerance.unwrap_or(PARTED / PROMISED);
    let mut again = Again::new(run, asked, make, observer);
    let (found, replaced, promised) = match look {
        Look::Estimate => {
            let promised = PROMISED * unit;
            let mut ladder = Ladder {
                again: &mut again,
                unit,
                promised,
                dearer: 1.0,
            };
            // whether tighter runs may take the place of the first
            let open = (asked.method.is_none() || asked.rtol.is_none())
                && asked.checkpoint.is_none()
                && run.times().len() >= run.rows;
            let (found, replaced) = match open {
                true => ladder.climb(run),
                false => (ladder.judge(run), None),
            };
            (found, replaced, promised)
        }
        Look::Verify => {
            let promised = (PROMISED * unit).min(PARTED);
            let found = independent::hold(&mut again, run, promised);
            (found, None, promised)
        }
    };
    let work = again.work();
    match found {
        Ok(found) => {
            let missing = found.missing((unit, promised), run.t_last);
            let rtol = run.tolerance().unwrap_or(unit) / found::RATIO.powf(missing);
            let needed = run.tolerance().map(|_| rtol);
            match doubt(&found, tolerance, promised, needed) {
                Some(doubt) => run.doubts.push(doubt),
                None => trust(run),
            }
            run.verification = Some(Verification::new(found, tolerance, work));
        }
        Err(why) if look == Look::Verify => run.doubts.push(Doubt::Unverified { why }),
        Err(why) => run.notes.push(Note::Unmeasured { why }),
    }
    run.judge();
    replaced
}

/// Attempts that failed speak against a run as long as nobody has looked at its end.
fn trust(run: &mut Run) {
    let rough = |d: &Doubt| match d {
        Doubt::ManyFailures { failed, steps } => Some((*failed, *steps)),
        _ => None,
    };
    let notes = run.doubts.iter().filter_map(rough);
    (run.notes).extend(notes.map(|(failed, steps)| Note::Rough { failed, steps }));
    run.doubts.retain(|d| rough(d).is_none());
}

impl Verification {
    fn new(found: Found, asked: Option<f64>, work: f64) -> Verification {
        let (independent, error) = (found.is_independent(), found.error());
        let growth = found.growth();
        let Found {
            distance,
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
            growth,
            work,
        }
    }
}

/// What a companion speaks against, if anything; `needed` is the tolerance that should do, if only rounding allowed it.
fn doubt(found: &Found, asked: Option<f64>, promised: f64, needed: Option<f64>) -> Option<Doubt> {
    let distance = &found.distance;
    // what is looser may part from the run
    let parting = (distance.parting.as_ref()).filter(|_| found.is_independent());
    let (error, bound) = (found.at_most(), found.bound(promised));
    if error <= bound && parting.is_none() {
        return None;
    }
    if let (Some(growth), Some(parting)) = (found.growth(), &distance.parting) {
        return Some(Doubt::Chaotic {
            rate: growth.rate,
            horizon: plain(parting.t),
            needed,
        });
    }
    Some(Doubt::Inaccurate {
        error,
        tolerances: asked.map(|rtol| error / rtol),
        bound,
        channel: parting.map_or(&distance.channel, |p| &p.channel).clone(),
        parted: parting.map(|p| plain(p.t)),
        companion: found.companion.clone(),
        helps: needed.filter(|rtol| *rtol >= TIGHTEST),
        early: distance.way == Some(Way::Short),
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

/// A number as a user would write it: a thousandth of 1e-8 is 1e-11, without the rounding of the quotient.
fn plain(x: f64) -> f64 {
    format!("{x:.9e}").parse().unwrap_or(x)
}
