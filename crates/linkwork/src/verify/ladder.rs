//! Runs of one motion at ever smaller tolerances: each is held against another, the last one is the result.
//!
//! Steps of a method of order `p` whose local error, `h^(p+1)`, is held at the tolerance leave a global one of `h^p`
//! (Hairer, Norsett & Wanner 1993, II.4), so that the distance of two runs that are `k` tens of tolerance apart tells the
//! error of the tighter one:
//!
//! ```text
//!  e(rtol) ~ rtol^q,   q = p/(p + 1)       d = |y(10^k rtol) - y(rtol)| = (10^(q k) - 1) e(rtol)
//! ```
//!
//! A companion at ten times the tolerance costs about two thirds of the run, and is enough where `e` is within
//! [`GOOD`] tolerances: if errors did not fall with the tolerance at all they would be as large as `d`, which then is
//! still within what is promised. Where it is not, the run becomes the companion of a tighter one, by as many tens as are
//! missing, which takes its place; now there are two distances, and they tell `q` as it really is. An independent
//! companion, by another method in other coordinates at a tenth of the tolerance, is nearly the truth: its
//! distance is the error.
//!
//! A run whose method and tolerance were named, that saves its states, or whose rows are too many for the memory is
//! judged as it is: by a companion at a hundred times the tolerance, which is cheaper, and where that is not near by one at
//! ten times as well.

use super::distance::{Distance, length};
use super::{Look, PARTED, PROMISED};
use crate::doubts::Doubt;
use crate::notes::Note;
use crate::options::{Options, Outputs};
use crate::run::{Ending, Run};
use crate::settings::DEFAULT_RTOL;
use crate::simulation::Simulation;
use crate::table::Table;
use linkwork_dae::drive::{Flow, Observer, ObserverError, View};
use linkwork_dae::stats::Stats;
use linkwork_dae::stepper::{Family, STEPPERS};
use linkwork_mbs::error::ModelError;

/// A ten of tolerance.
const RATIO: f64 = 10.0;
/// By how many tens the first companion of a run that is judged as it is is looser.
const FAR: f64 = 2.0;
/// `p/(p + 1)` for order 5: the automatic choice takes none that is lower for long.
const POWER: f64 = 5.0 / 6.0;
/// An error of so many tolerances is left as it is.
const GOOD: f64 = 10.0;
/// Work of all runs, relative to the first. A motion that magnifies its errors by 10^4 needs a run that is tighter by as
/// many tens: five times the work by a method of order 5, beside the first run and its companion.
const TOTAL: f64 = 8.0;
/// Work of an independent companion, relative to that of the run.
const BUDGET: f64 = 1.5;
/// Share of their budget that companions may use before they are judged by their progress: explicit ones of stiff
/// motions get nowhere. Those of the same kind have their work where the run has it, which may be early.
const PATIENCE: f64 = 0.1;
const OWN_PATIENCE: f64 = 0.5;
/// A companion looser than this says nothing.
const LOOSEST: f64 = 1e-2;
/// A run tighter than this is at the mercy of rounding.
const TIGHTEST: f64 = 1e-12;
/// Rows of a looser companion: they tell how far channels move, and how errors grow.
const ROWS: usize = 200;
/// Independent companions look at the motion at least this often.
const LOOKS: f64 = 20.0;

/// Why a run was given up.
const DEAR: &str = "a second run takes too long";

/// Makes the same model with other options.
pub(super) type Make<'a> = dyn FnMut(&Options) -> Result<Simulation, ModelError> + 'a;

/// What a companion has told of a run.
pub(super) struct Found {
    pub distance: Distance,
    /// Error of the run at its end.
    pub error: f64,
    /// The companion in words.
    pub companion: String,
    /// By how many tens it is looser; none where it is nearly the truth.
    tens: Option<f64>,
    /// The same where an end that happens to be near is not trusted.
    around: f64,
    /// By how much a run becomes dearer with a ten of tolerance, at least.
    dearer: f64,
    /// Error at the end if nothing is taken for granted of how errors follow the tolerance.
    pub at_most: f64,
}

impl Found {
    /// Whether the companion is nearly the truth.
    pub fn is_independent(&self) -> bool {
        self.tens.is_none()
    }
}

/// See the [module](self).
pub(super) struct Ladder<'a, 'b> {
    look: Look,
    asked: &'a Options,
    /// The tolerance that was asked for, however much tighter the default of the method is; a fixed step stands for one
    /// that promises not to part.
    unit: f64,
    /// Whether tighter runs may take the place of the first.
    open: bool,
    first: f64,
    spent: f64,
    /// Of the looser run, whose rows tell how far channels move.
    ranges: Option<Table>,
    length: f64,
    make: &'a mut Make<'b>,
    observer: &'a mut dyn Observer,
}

impl<'a, 'b> Ladder<'a, 'b> {
    /// For a run that is at its end.
    pub fn new(
        run: &Run,
        (look, asked): (Look, &'a Options),
        make: &'a mut Make<'b>,
        observer: &'a mut dyn Observer,
    ) -> Ladder<'a, 'b> {
        let work = work(&run.stats);
        let unit = match run.tolerance() {
            Some(rtol) => asked.rtol.unwrap_or(rtol.max(DEFAULT_RTOL)),
            None => PARTED / PROMISED,
        };
        Ladder {
            look,
            asked,
            unit,
            open: (asked.method.is_none() || asked.rtol.is_none())
                && asked.checkpoint.is_none()
                && run.times().len() >= run.rows,
            first: work,
            spent: work,
            ranges: None,
            length: 0.0,
            make,
            observer,
        }
    }

    /// The tolerance that was asked for; none for a fixed step.
    pub fn asked(&self, run: &Run) -> Option<f64> {
        run.tolerance().map(|_| self.unit)
    }

    /// Work of all runs relative to the first.
    pub fn work(&self) -> f64 {
        self.spent / self.first.max(1.0)
    }

    /// What is promised of the end, relative to the ranges of channels.
    pub fn bound(&self) -> f64 {
        match self.look {
            Look::Estimate => PROMISED * self.unit,
            Look::Verify => (PROMISED * self.unit).min(PARTED),
        }
    }

    /// How many times farther off than good enough a run is.
    fn excess(&self, found: &Found) -> f64 {
        if !found.is_independent() {
            // what is parted is too far apart to tell how far
            let told = found.around / (GOOD * self.unit);
            return match found.distance.end > PARTED {
                true => told.max(found.distance.end / PARTED),
                false => told,
            };
        }
        // a measure needs no margin, and the end is not all that it looks at
        let of_end = found.error / self.bound();
        match &found.distance.parting {
            Some(_) => of_end.max(found.distance.most / PARTED),
            None => of_end,
        }
    }

    /// Holds a run against others; where the way was left open, tighter runs take its place until it is good enough.
    /// What the last companion told, or why there is none, and the options of the run that is the result now.
    pub fn climb(&mut self, run: &mut Run) -> (Result<Found, String>, Option<Options>) {
        let (mut found, mut companion) = match self.look {
            Look::Estimate => (self.looser(run), None),
            Look::Verify => match self.independent(run) {
                Ok(other) => (Ok(self.beside(run, &other)), Some(other)),
                Err(why) => (Err(why), None),
            },
        };
        let mut taken = None;
        let Some(mut rtol) = run.tolerance().filter(|_| self.open) else {
            // a looser run may say nothing, but a tighter one does
            if let (Look::Estimate, Err(_)) = (self.look, &found) {
                found = self.tighter(run);
            }
            return (found, None);
        };
        let began = rtol;
        while self.is_wanting(run, &found) {
            let mut tens = (found.as_ref()).map_or(1.0, |found| self.missing(found, run.t_last));
            let left = TOTAL * self.first - self.spent;
            let dearer = found.as_ref().map_or(1.0, |found| found.dearer);
            // as many tens as can be paid: a nearer run may tell that they suffice
            while tens >= 1.0 && work(&run.stats) * dearer.powf(tens) > left {
                tens -= 1.0;
            }
            rtol = plain(rtol / RATIO.powf(tens));
            if rtol < TIGHTEST || tens < 1.0 {
                break;
            }
            let options = self.options(run, rtol);
            let mut next = match self.run(run, &options, (left, 1.0)) {
                Ok(next) => next,
                Err(why) => {
                    found = found.map_err(|_| why);
                    break;
                }
            };
            let mut told = match &companion {
                Some(other) => self.beside(&next, other),
                None => self.below(&next, run, tens, found.as_ref().ok()),
            };
            next.doubts.retain(|d| holds(d, self.unit / rtol));
            next.judge();
            // a run that doubts itself takes no other's place, but it can tell
            if next.doubts.len() > run.doubts.len() {
                (told.error, told.at_most) = (told.distance.end, told.distance.end);
                found = found.or(Ok(told));
                break;
            }
            let kept = |n: &&Note| matches!(n, Note::Looks(_) | Note::Import(_));
            let notes: Vec<Note> = run.notes.iter().filter(kept).cloned().collect();
            next.notes.extend(notes);
            next.notes.push(Note::Tightened { began, rtol });
            *run = next;
            taken = Some(options);
            // a companion that is no better than the run that it is to judge
            if companion.is_some()
                && self.excess(&told) > 1.0
                && let Ok(other) = self.independent(run)
            {
                told = self.beside(run, &other);
                companion = Some(other);
            }
            found = Ok(told);
        }
        (found, taken)
    }

    /// Whether a tighter run should take the place of this one.
    fn is_wanting(&self, run: &Run, found: &Result<Found, String>) -> bool {
        match (found, self.look) {
            (Ok(found), _) => !(self.excess(found) <= 1.0) || is_repairable(run),
            (Err(_), look) => look == Look::Estimate,
        }
    }

    /// Whether no tolerance would do.
    pub fn is_out_of_reach(&self, found: &Found, t_end: f64) -> bool {
        self.unit / RATIO.powf(self.missing(found, t_end)) < TIGHTEST
    }

    /// The tens of tolerance that a run is missing.
    fn missing(&self, found: &Found, t_end: f64) -> f64 {
        let mut excess = self.excess(found);
        if let (Some(growth), Some(parting)) = (&found.distance.growth, &found.distance.parting) {
            // what is saturated at the end would have gone on to grow
            let grown = PARTED * (growth.rate * (t_end - parting.t)).exp();
            excess = excess.max(excess / found.distance.tail * grown);
        }
        excess.log10().ceil().max(1.0)
    }

    /// The distance of the run from looser ones, which are cheaper.
    fn looser(&mut self, run: &Run) -> Result<Found, String> {
        let mut before = None;
        // one that is replaced if need be needs the nearer companion more often than this one saves
        if !self.open
            && let Ok(companion) = self.above(run, FAR)
        {
            let found = self.below(run, &companion, FAR, None);
            self.ranges = Some(companion.table);
            if found.distance.tail <= GOOD * self.unit * (RATIO.powf(POWER) - 1.0) {
                return Ok(found);
            }
            before = Some(found);
        }
        let companion = match self.above(run, 1.0) {
            Ok(companion) => companion,
            Err(why) => return before.ok_or(why),
        };
        let mut found = self.below(run, &companion, 1.0, None);
        match before {
            Some(far) => {
                // (10^(2 q) - 1)/(10^q - 1) = 10^q + 1; errors that fall faster than the tolerance do so by accident
                let q = (far.distance.tail / found.distance.tail - 1.0).log10();
                if q <= 1.0 {
                    found.at_most *= part((RATIO.powf(q.min(POWER)) - 1.0).recip());
                }
            }
            None => self.ranges = Some(companion.table),
        }
        Ok(found)
    }

    /// A run that is looser than another by some tens.
    fn above(&mut self, run: &Run, tens: f64) -> Result<Run, String> {
        let rtol = run.tolerance().unwrap_or(f64::NAN) * RATIO.powf(tens);
        if !(rtol <= LOOSEST) {
            return Err("nothing looser tells of a tolerance like this".into());
        }
        let turned = has_turned(run);
        let options = Options {
            outputs: Some(Outputs::Uniform(ROWS)),
            // races were held already
            method: run.options.method.clone().filter(|_| !turned),
            ..self.options(run, rtol)
        };
        self.run(run, &options, (TOTAL * self.first - self.spent, 1.0))
    }

    /// The distance of the run from a tighter one, which is nearly its error.
    fn tighter(&mut self, run: &Run) -> Result<Found, String> {
        let rtol = run.tolerance().unwrap_or(self.unit) / RATIO;
        let options = self.options(run, rtol.max(TIGHTEST));
        let next = self.run(run, &options, (TOTAL * self.first - self.spent, 1.0))?;
        Ok(self.beside(run, &next))
    }

    /// A companion of another kind at a tenth of the tolerance.
    fn independent(&mut self, run: &Run) -> Result<Run, String> {
        let mut made = run.options.clone();
        if run.times().len() < run.rows {
            // as many rows as are here to be compared
            made.outputs = Some(Outputs::At(run.times().into()));
        }
        let turned = has_turned(run);
        let plans = companions(&made, turned);
        let mut why = String::from("no other way was found");
        let mut dear = None;
        for (i, options) in plans.iter().enumerate() {
            // what is too dear in one kind of coordinates is so in the other
            if dear.is_some() && dear == options.method {
                continue;
            }
            // the last one has to do
            let limit = match i + 1 < plans.len() {
                true => BUDGET * work(&run.stats),
                false => f64::INFINITY,
            };
            let own = options.method.is_none() || options.method == made.method;
            let patience = if own { OWN_PATIENCE } else { PATIENCE };
            match self.run(run, options, (limit, patience)) {
                Ok(other) => return Ok(other),
                Err(trouble) => {
                    if trouble == DEAR && i + 2 < plans.len() {
                        dear.clone_from(&options.method);
                    }
                    why = trouble;
                }
            }
        }
        Err(why)
    }

    fn distance(&self, run: &Run, other: &Run) -> Distance {
        Distance::between(
            [run, other],
            self.ranges.as_ref(),
            self.length,
            self.bound(),
        )
    }

    /// What a run that is nearly the truth tells of another.
    fn beside(&self, run: &Run, other: &Run) -> Found {
        let distance = self.distance(run, other);
        Found {
            error: distance.end,
            around: distance.end,
            dearer: 1.0,
            at_most: distance.end,
            companion: super::words(&other.options),
            tens: None,
            distance,
        }
    }

    /// What a run that is looser by some tens tells of another; `before`: what was told of the looser one.
    fn below(&self, run: &Run, looser: &Run, tens: f64, before: Option<&Found>) -> Found {
        let distance = self.distance(run, looser);
        let seen = before.and_then(|before| before.tens.map(|k| (before.distance.tail, k)));
        let measured = seen.map(|(tail, k)| ((tail / distance.tail).log10() / k).clamp(0.0, 1.0));
        let share = part((RATIO.powf(measured.unwrap_or(POWER) * tens) - 1.0).recip());
        let error = share * distance.end;
        let rtol = looser.tolerance().unwrap_or(f64::NAN);
        Found {
            error,
            around: share * distance.tail,
            dearer: (work(&run.stats) / work(&looser.stats))
                .powf(1.0 / tens)
                .max(1.0),
            at_most: if measured.is_some() {
                error
            } else {
                distance.end
            },
            companion: format!("the same way with rtol {rtol:.0e}"),
            tens: Some(tens),
            distance,
        }
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

    /// One more run, given up where it costs more than a limit or ends elsewhere.
    fn run(
        &mut self,
        run: &Run,
        options: &Options,
        (limit, patience): (f64, f64),
    ) -> Result<Run, String> {
        let mut simulation = (self.make)(options).map_err(|e| e.to_string())?;
        let mut budget = Budget {
            limit,
            patience,
            span: [run.times()[0], run.t_last],
            dear: false,
            inner: self.observer,
        };
        let other = simulation
            .run_with(&mut budget)
            .map_err(|e| e.to_string())?;
        self.spent += work(&other.stats);
        if budget.dear {
            return Err(DEAR.into());
        }
        if other.ending != Ending::Finished || other.t_last != run.t_last {
            return Err(match other.failure() {
                Some(why) => why.cause.clone(),
                None => format!("a second run ended at t = {}", other.t_last),
            });
        }
        self.length = self.length.max(length(simulation.system()));
        Ok(other)
    }
}

/// Whether the method changed on the way: the one that it began with says little of what it cost.
fn has_turned(run: &Run) -> bool {
    run.notes.iter().any(|n| matches!(n, Note::Turned { .. }))
}

/// Other ways to the same motion, the most independent first. The method of a run that has `turned` is chosen anew.
fn companions(made: &Options, turned: bool) -> Vec<Options> {
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
    let rtol = made.rtol.filter(|_| made.step.is_none()).unwrap_or(1e-5) / RATIO;
    let t_end = made.t_end.unwrap_or(0.0);
    let base = Options {
        t_end: made.t_end,
        outputs: made.outputs.clone(),
        atol: made.atol.map(|atol| atol / RATIO),
        atol_v: made.atol_v.map(|atol| atol / RATIO),
        ..Options::new()
    };
    let base = base.rtol(rtol.max(TIGHTEST)).max_step(t_end.abs() / LOOKS);
    let mut all = Vec::new();
    for method in [Some(other), Some(method).filter(|_| !turned)] {
        for coordinates in [Some(coordinates), None] {
            let options = Options {
                method: method.map(Into::into),
                ..base.clone()
            };
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

/// Gives up a run that will cost more than a limit.
struct Budget<'a> {
    limit: f64,
    /// Share of it that may be used before a run is judged by its progress.
    patience: f64,
    span: [f64; 2],
    dear: bool,
    inner: &'a mut dyn Observer,
}

impl Observer for Budget<'_> {
    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        let [from, to] = self.span;
        let done = (view.to - from) / (to - from);
        let spent = work(view.stats) / self.limit;
        if spent > self.patience + (1.0 - self.patience) * done {
            self.dear = true;
            return Ok(Flow::Stop);
        }
        self.inner.on_step(view)
    }
}

/// The part of a distance that is the error of the tighter run: all of it where that is not known.
fn part(share: f64) -> f64 {
    if (0.0..1.0).contains(&share) {
        share
    } else {
        1.0
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
fn is_repairable(run: &Run) -> bool {
    let mends = |d: &Doubt| {
        matches!(
            d,
            Doubt::ConstraintsOpen { .. } | Doubt::EnergyUnbalanced { .. }
        )
    };
    run.doubts.iter().any(mends)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn companions_are_of_another_kind() {
        let made = Options::new().method("bdf").rtol(1e-4).t_end(1.0);
        let all = companions(&made.clone().coordinates("absolute"), false);
        let of = |o: &Options| [o.value("method"), o.value("coordinates")].map(Option::unwrap);
        assert_eq!(of(&all[0]), ["dop853", "joint"]);
        assert_eq!(of(&all[1]), ["dop853", "absolute"]);
        assert_eq!(of(&all[2]), ["bdf", "joint"]);
        assert!(all.iter().all(|o| o.rtol.unwrap() < 0.11e-4));
        // a system of its own coordinates
        let own = companions(&made, true);
        assert!(own.iter().all(|o| o.coordinates.is_none()));
        assert_eq!((own.len(), own[1].method.is_none()), (2, true));
    }
}
