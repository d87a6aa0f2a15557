//! A run held against another way to the same motion: another method of the same kind, explicit or implicit, in other
//! coordinates, at a smaller tolerance, that does not step far without looking.
//!
//! What that may cost is known before: [`BUDGET`](super::BUDGET) runs. Explicit runs have a companion of another
//! family at a tenth of the tolerance. Implicit ones are repeated by collocation, which needs the fewest steps for its
//! digits, so that of a run by collocation no more than coordinates, tolerance and looks differ. It is of order 5: a
//! tenth of the tolerance costs `10^(1/6)` times the work, which is all of the budget, a quarter `4^(1/6) = 1.26` times.
//!
//! A companion that will not get to the end is given up early, and the run's own way at ten times the tolerance takes its
//! place, which costs no more than the run did. Then the result is an estimate, and says so.

use super::again::{Again, Limit, Why};
use super::found::{Found, RATIO};
use super::{BUDGET, LOOSEST, TIGHTEST};
use crate::notes::Note;
use crate::options::{Options, Outputs};
use crate::run::Run;
use linkwork_dae::stepper::{Family, STEPPERS};

/// Independent companions look at the motion at least this often.
const LOOKS: f64 = 20.0;
/// Work, relative to the run, after which a companion is judged by where the run had its own, as long as one run is left
/// of the budget: before, starts differ too much.
const JUDGED: f64 = 0.25;
/// By how much implicit ones are tighter.
const QUARTER: f64 = 4.0;
/// The tolerance that stands for a fixed step.
const STEADY: f64 = 1e-5;

/// Holds a run against an independent one.
pub(super) fn hold(again: &mut Again<'_, '_>, run: &Run, promised: f64) -> Result<Found, String> {
    let mut made = run.options.clone();
    if run.times().len() < run.rows {
        // as many rows as are here to be compared
        made.outputs = Some(Outputs::At(run.times().into()));
    }
    let method = made.method.as_deref().unwrap_or(STEPPERS[0].name);
    let entry = STEPPERS.iter().find(|e| e.name == method);
    // what a run began with says little of one that has turned to another method
    let turned = run.notes.iter().any(|n| matches!(n, Note::Turned { .. }));
    let family = entry.map(|e| e.family).filter(|_| !turned);
    let total = 1.0 + BUDGET;
    let mut why = String::from("no other way was found");
    let mut others = companions(&made, family);
    if again.chose_coordinates(run) {
        // those that cost less were taken: the other ones are beyond the budget, so that they come last
        others.rotate_left(1);
    }
    for options in others {
        let limit = Limit {
            most: again.left(total),
            judged: Some([JUDGED * again.first, again.left(BUDGET)]),
        };
        match again.companion(run, &options, limit) {
            Ok(other) => {
                return Ok(Found::beside(
                    again.distance([run, &other], promised),
                    &other,
                ));
            }
            Err(Why::Dear) => {
                why = Why::Dear.words(BUDGET);
                break;
            }
            Err(Why::Other(trouble)) => why = trouble,
        }
    }
    let rtol = RATIO * tolerance(&made);
    if rtol > LOOSEST {
        return Err(why);
    }
    let own = Options {
        method: made.method.clone().filter(|_| !again.is_open()),
        ..base(&made, rtol)
    };
    let limit = Limit {
        most: again.left(total),
        judged: None,
    };
    let Ok(other) = again.companion(run, &own, limit) else {
        return Err(why);
    };
    let distance = again.distance([run, &other], promised);
    let mut found = Found::below(distance, &other, 1.0, None);
    if run.tolerance().is_none() {
        found = found.at_its_worst();
    }
    found.companion = format!("{} ({why})", super::words(&other.options));
    Ok(found)
}

/// A way with nothing of the run but what is asked of it, at some tolerance.
fn base(made: &Options, rtol: f64) -> Options {
    let first = tolerance(made);
    let base = Options {
        t_end: made.t_end,
        outputs: made.outputs.clone(),
        coordinates: made.coordinates.clone(),
        atol: made.atol.map(|atol| atol * rtol / first),
        atol_v: made.atol_v.map(|atol| atol * rtol / first),
        ..Options::new()
    };
    let t_end = made.t_end.unwrap_or(0.0);
    base.rtol(rtol).max_step(t_end.abs() / LOOKS)
}

/// The tolerance of a run, or what stands for it.
fn tolerance(made: &Options) -> f64 {
    let rtol = made.rtol.filter(|_| made.step.is_none());
    rtol.unwrap_or(STEADY)
}

/// Other ways to the same motion, the most independent first; without a family they choose their method.
fn companions(made: &Options, family: Option<Family>) -> Vec<Options> {
    let (other, tighter) = match family {
        Some(Family::RungeKutta) => (Some("adams"), RATIO),
        Some(Family::Adams) => (Some("dop853"), RATIO),
        Some(_) => (Some("radau"), QUARTER),
        None => (None, QUARTER),
    };
    let coordinates = match made.coordinates.as_deref() {
        Some("joint") => Some("absolute"),
        Some(_) => Some("joint"),
        // systems that bring their own coordinates have no others
        None => None,
    };
    let same = base(made, (tolerance(made) / tighter).max(TIGHTEST));
    let by = |method: Option<&str>| Options {
        method: method.map(Into::into),
        ..same.clone()
    };
    let elsewhere = coordinates.map(|word| by(other).coordinates(word));
    let mut all: Vec<Options> = elsewhere.into_iter().collect();
    all.push(by(other));
    let own = made.method.as_deref();
    if other.is_some() && other != own {
        all.push(by(own));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn companions_are_of_another_way_and_the_same_kind() {
        let made = |method: &str| Options::new().method(method).rtol(1e-4).t_end(1.0);
        let of = |o: &Options| [o.value("method"), o.value("coordinates")].map(Option::unwrap);
        let explicit = Some(Family::RungeKutta);
        let all = companions(&made("dop853").coordinates("absolute"), explicit);
        assert_eq!(of(&all[0]), ["adams", "joint"]);
        assert_eq!(of(&all[1]), ["adams", "absolute"]);
        assert_eq!(of(&all[2]), ["dop853", "absolute"]);
        assert!(all.iter().all(|o| o.rtol.unwrap() < 0.11e-4));
        let implicit = Some(Family::Bdf);
        let all = companions(&made("bdf").coordinates("joint"), implicit);
        assert_eq!(of(&all[0]), ["radau", "absolute"]);
        assert!(all.iter().all(|o| o.rtol.unwrap() < 0.26e-4));
        // a system of its own coordinates
        let own = companions(&made("dop853"), None);
        assert!(own.iter().all(|o| o.coordinates.is_none()));
        assert_eq!((own.len(), own[0].method.is_none()), (1, true));
    }
}
