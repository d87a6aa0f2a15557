//! Verified runs: the motion computed once more by an independent way, compared channel by channel.
//!
//! A run can only judge itself by what it sees; a leap over an event, a wrong branch, a tolerance that does
//! not hold what it promises are seen from outside. The companion is of another family of methods, in
//! the other coordinates, at a tenth of the tolerance, and does not step far without looking. Where it
//! turns out to be much dearer than the run, as explicit methods are on stiff models, the run's own
//! method at a tenth of the tolerance in the other coordinates takes its place.
//!
//! ```text
//!  e_c(t) = |x_c(t) - y_c(t)| / range of x_c        e(t) = max_c e_c(t)
//!  chaos: log e(t) grows along a line, e ~ exp(rate t); nothing is determined beyond its horizon
//! ```

mod estimate;
mod growth;

pub use estimate::{Estimate, estimate};
pub use growth::Growth;

use crate::compare;
use crate::doubts::Doubt;
use crate::options::{Options, Outputs};
use crate::run::{Ending, Run};
use crate::simulation::Simulation;
use crate::table::Table;
use linkwork_dae::drive::{Flow, Observer, ObserverError, View};
use linkwork_dae::stats::Stats;
use linkwork_dae::stepper::{Family, STEPPERS};
use linkwork_mbs::error::ModelError;
use serde::Serialize;
use std::collections::HashMap;

/// The run promises an error at its end below this many tolerances.
const PROMISED: f64 = 100.0;
/// Error relative to the range of a channel at which two motions part.
const PARTED: f64 = 1e-2;
/// Work of a companion, relative to that of the run.
const BUDGET: f64 = 1.5;
/// Share of the budget that a companion may use before it is judged by its progress.
const PATIENCE: f64 = 0.1;
/// Companions look at the motion at least this often.
const LOOKS: f64 = 20.0;
/// Channels told by name.
const TOLD: usize = 10;

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
    /// Rows compared.
    pub rows: usize,
    /// Error of positions and velocities in the last row, relative to their ranges.
    pub end_error: f64,
    /// The same in tolerances of the run; none for a fixed step.
    pub tolerances: Option<f64>,
    /// Digits to which all positions and velocities agree throughout.
    pub digits: f64,
    /// The channels that agree least.
    pub worst: Vec<Agreement>,
    /// Where the motions part, if they do.
    pub parting: Option<Parting>,
    /// How errors grow, where they grow exponentially.
    pub growth: Option<Growth>,
    /// Work of the companion relative to the run: evaluations and factorisations.
    pub work: f64,
}

/// Repeats a run by an independent way and puts what it finds, and what speaks against the run, into it.
/// `make` puts the same model together with other options; coordinates are among them.
pub fn verify(
    run: &mut Run,
    make: &mut dyn FnMut(&Options) -> Result<Simulation, ModelError>,
    observer: &mut dyn Observer,
) {
    if run.failure().is_some() || run.times().len() < 2 {
        return;
    }
    let mut asked = run.options.clone();
    if run.times().len() < run.rows {
        // as many rows as are here to be compared
        asked.outputs = Some(Outputs::At(run.times().into()));
    }
    let plans = companions(&asked);
    let last = plans.len() - 1;
    let mut trouble = String::from("no other way was found");
    for (i, options) in plans.iter().enumerate() {
        let mut budget = Budget {
            limit: if i < last {
                work(&run.stats)
            } else {
                f64::INFINITY
            },
            span: [run.times()[0], run.t_last],
            dear: false,
            inner: observer,
        };
        let mut simulation = match make(options) {
            Ok(simulation) => simulation,
            Err(e) => {
                trouble = e.to_string();
                continue;
            }
        };
        match simulation.run_with(&mut budget) {
            Ok(other) if budget.dear || other.ending != Ending::Finished => {
                trouble = match other.failure() {
                    Some(why) => why.cause.clone(),
                    None => "it took too long".into(),
                };
            }
            Ok(other) => {
                let found = compare(run, &other);
                run.doubts.extend(found.doubt(run));
                run.verification = Some(found);
                run.judge();
                return;
            }
            Err(e) => trouble = e.to_string(),
        }
    }
    run.doubts.push(Doubt::Unverified { why: trouble });
    run.judge();
}

/// Other ways to the same motion, the most independent first.
fn companions(made: &Options) -> Vec<Options> {
    let method = made.method.as_deref().unwrap_or(STEPPERS[0].name);
    let family = STEPPERS.iter().find(|e| e.name == method).map(|e| e.family);
    let other = match family {
        Some(Family::RungeKutta) => "adams",
        _ => "dop853",
    };
    let coordinates = match made.coordinates.as_deref() {
        Some("joint") => "absolute",
        _ => "joint",
    };
    let rtol = 0.1 * made.rtol.filter(|_| made.step.is_none()).unwrap_or(1e-5);
    let t_end = made.t_end.unwrap_or(0.0);
    let base = Options {
        t_end: made.t_end,
        outputs: made.outputs.clone(),
        atol: made.atol.map(|atol| 0.1 * atol),
        atol_v: made.atol_v.map(|atol| 0.1 * atol),
        ..Options::new()
    };
    let base = base.rtol(rtol.max(1e-13)).max_step(t_end.abs() / LOOKS);
    let mut all = Vec::new();
    for method in [other, method] {
        for coordinates in [Some(coordinates), None] {
            let options = base.clone().method(method);
            // systems that bring their own coordinates have no others
            all.push(match coordinates {
                Some(word) if made.coordinates.is_some() => options.coordinates(word),
                Some(_) => continue,
                None => Options {
                    coordinates: made.coordinates.clone(),
                    ..options
                },
            });
        }
    }
    all
}

/// What a run has cost, in evaluations and factorisations.
fn work(s: &Stats) -> f64 {
    let evaluations = s.residual_evaluations
        + s.residual_evaluations_for_jacobians
        + s.right_hand_sides
        + s.projection_evaluations;
    (evaluations + 2 * s.factorisations + s.solves) as f64
}

/// Gives up a companion that will be much dearer than the run.
struct Budget<'a> {
    limit: f64,
    span: [f64; 2],
    dear: bool,
    inner: &'a mut dyn Observer,
}

impl Observer for Budget<'_> {
    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        let [from, to] = self.span;
        let done = (view.to - from) / (to - from);
        let spent = work(view.stats) / (BUDGET * self.limit);
        if spent > PATIENCE && spent > PATIENCE + done {
            self.dear = true;
            return Ok(Flow::Stop);
        }
        self.inner.on_step(view)
    }
}

/// Compares two results of one model.
fn compare(run: &Run, other: &Run) -> Verification {
    let (mine, theirs) = (&run.table, &other.table);
    let uniform = !matches!(run.options.outputs, Some(Outputs::Steps));
    let rows = rows_in_common(mine, theirs, uniform);
    let pairs = pairs(mine, theirs, None, compare::STILL);
    // equations of one's own have no units to tell by
    let has_units = pairs.iter().any(Pair::moves);
    let mut spread = vec![0.0f64; rows.len()];
    let mut parting: Option<Parting> = None;
    let mut all = Vec::new();
    let mut moving = Vec::new();
    for pair in &pairs {
        let errors = || {
            rows.iter()
                .map(|[i, j]| pair.difference(*i, *j) / pair.scale)
        };
        let error = errors().fold(0.0, f64::max);
        let agreement = Agreement {
            channel: pair.name.into(),
            unit: pair.unit.into(),
            difference: error * pair.scale,
            error,
            digits: digits(error),
            at_the_end: errors().next_back().unwrap_or(f64::NAN),
        };
        if pair.moves() || !has_units {
            for (spread, error) in spread.iter_mut().zip(errors()) {
                *spread = spread.max(error);
            }
            let parted = errors().position(|error| !(error <= PARTED));
            let t = parted.map(|k| mine.times()[rows[k][0]]);
            if let Some(t) = t.filter(|t| parting.as_ref().is_none_or(|p| *t < p.t)) {
                parting = Some(Parting {
                    t,
                    channel: pair.name.into(),
                });
            }
            moving.push((agreement.at_the_end, error));
        }
        all.push(agreement);
    }
    let end_error = moving.iter().map(|m| m.0).fold(0.0, f64::max);
    let error = moving.iter().map(|m| m.1).fold(0.0, f64::max);
    all.sort_by(|a, b| b.error.total_cmp(&a.error).then(a.channel.cmp(&b.channel)));
    all.truncate(TOLD);
    let times: Vec<f64> = rows.iter().map(|[i, _]| mine.times()[*i]).collect();
    let rtol = run.options.rtol.filter(|_| run.options.step.is_none());
    Verification {
        companion: words(&other.options),
        rows: rows.len(),
        end_error,
        tolerances: rtol.map(|rtol| end_error / rtol),
        digits: digits(error),
        worst: all,
        growth: Growth::of(&times, &spread, PARTED),
        parting,
        work: work(&other.stats) / work(&run.stats).max(1.0),
    }
}

impl Verification {
    /// What it speaks against, if anything.
    fn doubt(&self, run: &Run) -> Option<Doubt> {
        let bound = match run.options.rtol.filter(|_| run.options.step.is_none()) {
            Some(rtol) => (PROMISED * rtol).min(PARTED),
            None => PARTED,
        };
        if self.end_error <= bound && self.parting.is_none() {
            return None;
        }
        if let (Some(growth), Some(parting)) = (&self.growth, &self.parting) {
            return Some(Doubt::Chaotic {
                rate: growth.rate,
                horizon: parting.t,
            });
        }
        let channel = match &self.parting {
            Some(parting) => parting.channel.clone(),
            None => self
                .worst
                .first()
                .map(|w| w.channel.clone())
                .unwrap_or_default(),
        };
        Some(Doubt::Disagrees {
            end_error: self.end_error,
            bound,
            channel,
            parted: self.parting.as_ref().map(|p| p.t),
        })
    }
}

/// Rows of the same time. Where rows are steps only the last ones are.
fn rows_in_common(mine: &Table, theirs: &Table, uniform: bool) -> Vec<[usize; 2]> {
    let (a, b) = (mine.times(), theirs.times());
    if !uniform {
        return vec![[a.len() - 1, b.len() - 1]];
    }
    // events add rows of their own, two at a time
    let (mut rows, mut j) = (Vec::new(), 0);
    for (i, t) in a.iter().enumerate() {
        let near = 1e-12 * t.abs();
        while j < b.len() && b[j] < t - near {
            j += 1;
        }
        if j < b.len() && (b[j] - t).abs() <= near {
            rows.push([i, j]);
        }
    }
    rows
}

/// A channel in both results.
struct Pair<'a> {
    name: &'a str,
    unit: &'a str,
    values: [&'a [f64]; 2],
    scale: f64,
}

impl Pair<'_> {
    /// Whether it is a position or velocity, and not what follows from them by the equations of motion.
    fn moves(&self) -> bool {
        ["m", "rad", "m/s", "rad/s"].contains(&self.unit) || self.name.contains(".quaternion.")
    }

    fn difference(&self, i: usize, j: usize) -> f64 {
        let (a, b) = (self.values[0][i], self.values[1][j]);
        if a.is_nan() && b.is_nan() {
            return 0.0;
        }
        compare::difference(self.name, a, b)
    }
}

/// Channels of both results; one that hardly moves is held against a share of the farthest of its unit. A third
/// result may tell more of how far they move.
fn pairs<'a>(
    mine: &'a Table,
    theirs: &'a Table,
    also: Option<&Table>,
    share: f64,
) -> Vec<Pair<'a>> {
    let mut all: Vec<Pair<'a>> = Vec::new();
    let places: HashMap<&str, usize> = (theirs.channels().iter().enumerate())
        .map(|(i, c)| (c.name.as_str(), i))
        .collect();
    // what an orientation is, its quaternion tells: near a pitch of a quarter turn yaw and roll are anything
    let is_told = |name: &str| {
        let angle = [".yaw", ".pitch", ".roll"];
        let body = angle.iter().find_map(|angle| name.strip_suffix(angle));
        body.is_some_and(|body| places.contains_key(&*format!("{body}.quaternion.w")))
    };
    let columns = mine.channels().iter().zip(mine.columns());
    for (channel, a) in columns.filter(|(c, _)| !is_told(&c.name)) {
        if let Some(b) = places
            .get(channel.name.as_str())
            .map(|i| &theirs.columns()[*i])
        {
            all.push(Pair {
                name: &channel.name,
                unit: &channel.unit,
                values: [a, b],
                scale: 0.0,
            });
        }
    }
    let range = |p: &Pair<'_>| {
        let third = also.and_then(|table| table.column(p.name));
        let all = p.values.into_iter().chain(third);
        all.map(compare::range).fold(0.0, f64::max)
    };
    let ranges: Vec<f64> = all.iter().map(range).collect();
    let scales = compare::scales(&ranges, all.iter().map(|p| p.unit), share);
    for (pair, scale) in all.iter_mut().zip(scales) {
        pair.scale = scale;
    }
    // what never moves in any channel of its unit says nothing
    all.retain(|p| p.scale > 1e-200);
    all
}

/// Digits that an error relative to the range leaves.
fn digits(error: f64) -> f64 {
    compare::digits(error).max(0.0)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn companions_are_of_another_kind() {
        let made = Options::new().method("bdf").rtol(1e-4).t_end(1.0);
        let all = companions(&made.clone().coordinates("absolute"));
        let of = |o: &Options| [o.value("method"), o.value("coordinates")].map(Option::unwrap);
        assert_eq!(of(&all[0]), ["dop853", "joint"]);
        assert_eq!(of(&all[1]), ["dop853", "absolute"]);
        assert_eq!(of(&all[2]), ["bdf", "joint"]);
        assert!(all.iter().all(|o| o.rtol.unwrap() < 0.11e-4));
        // a system of its own coordinates
        assert!(companions(&made).iter().all(|o| o.coordinates.is_none()));
    }
}
