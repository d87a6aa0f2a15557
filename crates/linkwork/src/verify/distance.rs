//! How far two results of one model are apart.
//!
//! ```text
//!  e_c(t) = |x_c(t) - y_c(t)| / range of x_c        e(t) = max_c e_c(t)
//! ```
//!
//! Two ranges: digits of a channel are its own, down to a thousandth of the farthest of its unit. The error at the end,
//! which is promised in tolerances, is held against a tenth of the farthest at least: tolerances are those of a unit, not
//! of every channel that hardly moves. Motions part where a channel is off by one per cent of the first, unless that is
//! within what is promised of the second.

use super::growth::Way;
use super::{Agreement, PARTED, Parting};
use crate::compare::{self, Meaning, STILL};
use crate::options::Outputs;
use crate::run::Run;
use crate::table::Table;
use linkwork_dae::system::{Reference, System};
use std::collections::HashMap;

/// Least share of the farthest motion of its unit that the end of a channel is held against. Part of what is promised,
/// as `docs/verdicts.md` measures it.
const FAINT: f64 = 0.1;
/// The last share of a motion that tells what its end may be like: differences of vibrations pass through zero.
const TAIL: f64 = 0.1;
/// Channels told by name.
const TOLD: usize = 10;

/// See the [module](self).
pub(super) struct Distance {
    pub rows: usize,
    /// Of positions and velocities in the last row, and the channel that is off most.
    pub end: f64,
    pub channel: String,
    /// The largest of the last tenth.
    pub tail: f64,
    /// Of positions and velocities over all rows.
    pub most: f64,
    pub worst: Vec<Agreement>,
    pub parting: Option<Parting>,
    /// How errors grow up to there.
    pub way: Option<Way>,
}

impl Distance {
    /// Between two results; a third one may tell more of how far channels move. `length` is the size of places,
    /// `promised` the error that ends may have.
    pub fn between(
        [mine, theirs]: [&Run; 2],
        also: Option<&Table>,
        length: f64,
        promised: f64,
    ) -> Distance {
        let promised = promised.min(FAINT * PARTED);
        let uniform = !matches!(mine.options.outputs, Some(Outputs::Steps));
        let rows = rows_in_common(&mine.table, &theirs.table, uniform);
        let pairs = pairs(&mine.table, &theirs.table, also);
        // equations of one's own have no units to tell by
        let has_units = pairs.iter().any(|p| p.moves);
        let last = [mine, theirs].map(|run| run.times().len().saturating_sub(1));
        let span = mine.t_last - mine.times()[0];
        let least = Least::of(&pairs, last[0], length, span);
        let times: Vec<f64> = rows.iter().map(|[i, _]| mine.times()[*i]).collect();
        let late = times.partition_point(|t| *t < mine.t_last - TAIL * span);
        let mut spread = vec![0.0f64; rows.len()];
        let mut found = Distance {
            rows: rows.len(),
            end: 0.0,
            channel: String::new(),
            tail: 0.0,
            most: 0.0,
            worst: Vec::new(),
            parting: None,
            way: None,
        };
        let mut errors: Vec<(f64, f64, &Pair<'_>)> = Vec::with_capacity(pairs.len());
        let mut apart = vec![0.0; rows.len()];
        for pair in &pairs {
            for (apart, [i, j]) in apart.iter_mut().zip(&rows) {
                *apart = pair.difference(*i, *j);
            }
            let error = apart.iter().copied().fold(0.0, f64::max) / pair.scale;
            let at_the_end = apart.last().map_or(f64::NAN, |apart| apart / pair.scale);
            errors.push((error, at_the_end, pair));
            if has_units && !pair.moves {
                continue;
            }
            for (spread, apart) in spread.iter_mut().zip(&apart) {
                *spread = spread.max(apart / pair.scale);
            }
            let scale = pair.faint.max(least.of_pair(pair));
            let near = (PARTED * pair.scale).max(promised * scale);
            let parted = apart.iter().position(|apart| !(*apart <= near));
            let t = parted.map(|k| times[k]);
            if let Some(t) = t.filter(|t| found.parting.as_ref().is_none_or(|p| *t < p.t)) {
                found.parting = Some(Parting {
                    t,
                    channel: pair.name.into(),
                });
            }
            found.most = found.most.max(error);
            let end = pair.difference(last[0], last[1]) / scale;
            if end > found.end || end.is_nan() {
                (found.end, found.channel) = (end, pair.name.into());
            }
            let around = apart[late..].iter().map(|apart| apart / scale);
            found.tail = around.fold(found.tail.max(end), f64::max);
        }
        errors.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.2.name.cmp(b.2.name)));
        errors.truncate(TOLD);
        let told = errors
            .into_iter()
            .map(|(error, at_the_end, pair)| Agreement {
                channel: pair.name.into(),
                unit: pair.unit.into(),
                difference: error * pair.scale,
                error,
                digits: digits(error),
                at_the_end,
            });
        found.worst = told.collect();
        found.way = Way::of(&times, &spread, PARTED).filter(|_| found.parting.is_some());
        found
    }
}

/// Digits that an error relative to the range leaves.
pub(super) fn digits(error: f64) -> f64 {
    compare::digits(error).max(0.0)
}

/// Typical size of places.
pub(super) fn length(system: &dyn System) -> f64 {
    let facts = system.facts();
    let places = facts.scale.iter().zip(&facts.reference);
    let lengths = places.filter(|(_, r)| **r == Reference::Place);
    lengths.map(|(scale, _)| *scale).fold(0.0, f64::max)
}

/// What errors at the end are relative to at least: what neither moves nor turns, beside the size and the speed of the
/// mechanism, has no errors of its own. The speed is at least one that leads as far as its size in the whole time: less
/// is rounding, where nothing can move.
struct Least {
    length: f64,
    rate: f64,
}

impl Least {
    fn of(pairs: &[Pair<'_>], last: usize, length: f64, span: f64) -> Least {
        let widest = |unit: &str| {
            let same = pairs.iter().filter(|p| p.unit == unit);
            same.map(|p| p.faint).fold(0.0, f64::max)
        };
        // joint coordinates know no places, but the rows do
        let length = match length > 0.0 {
            true => length,
            false => {
                let places = pairs.iter().filter(|p| p.unit == "m");
                places.map(|p| p.values[0][last].abs()).fold(0.0, f64::max)
            }
        };
        let turning = widest("rad/s");
        let rate = match length > 0.0 {
            true => turning.max(widest("m/s") / length),
            false => turning,
        };
        Least {
            length,
            rate: rate.max(1.0 / span),
        }
    }

    fn of_pair(&self, pair: &Pair<'_>) -> f64 {
        let Least { length, rate } = self;
        match pair.unit {
            "m" => STILL * length,
            "m/s" => STILL * length * rate,
            "rad" => STILL,
            "rad/s" => STILL * rate,
            _ if pair.moves => STILL,
            _ => 0.0,
        }
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
            // the two sides of an event, each with its own
            j += 1;
        }
    }
    rows
}

/// A channel in both results.
struct Pair<'a> {
    name: &'a str,
    unit: &'a str,
    meaning: Meaning,
    /// Whether it is a position or velocity, and not what follows from them by the equations of motion.
    moves: bool,
    values: [&'a [f64]; 2],
    /// What its digits, and what its end, are relative to.
    scale: f64,
    faint: f64,
}

impl Pair<'_> {
    fn difference(&self, i: usize, j: usize) -> f64 {
        let (a, b) = (self.values[0][i], self.values[1][j]);
        if a.is_nan() && b.is_nan() {
            return 0.0;
        }
        self.meaning.difference(a, b)
    }
}

/// Channels of both results.
fn pairs<'a>(mine: &'a Table, theirs: &'a Table, also: Option<&Table>) -> Vec<Pair<'a>> {
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
            let (unit, meaning) = (&*channel.unit, Meaning::of(&channel.name));
            let moves =
                ["m", "rad", "m/s", "rad/s"].contains(&unit) || meaning == Meaning::Quaternion;
            // what rows of a motion alone do not tell
            if !moves && b.first().is_some_and(|b| b.is_nan()) {
                continue;
            }
            all.push(Pair {
                name: &channel.name,
                unit,
                meaning,
                moves,
                values: [a, b],
                scale: 0.0,
                faint: 0.0,
            });
        }
    }
    let range = |p: &Pair<'_>| {
        let third = also.and_then(|table| table.column(p.name));
        let all = p.values.into_iter().chain(third);
        all.map(compare::range).fold(0.0, f64::max)
    };
    let ranges: Vec<f64> = all.iter().map(range).collect();
    let [scales, faint] =
        [STILL, FAINT].map(|share| compare::scales(&ranges, all.iter().map(|p| p.unit), share));
    for (pair, (scale, faint)) in all.iter_mut().zip(scales.into_iter().zip(faint)) {
        (pair.scale, pair.faint) = (scale, faint);
    }
    // what never moves in any channel of its unit says nothing
    all.retain(|p| p.scale > 1e-200);
    all
}
