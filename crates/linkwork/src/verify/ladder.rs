//! Runs of one motion at ever smaller tolerances: each is held against the one before, the last one is the result.
//!
//! A companion at ten times the tolerance costs about four fifths of the run, and is enough where the two are within
//! what is promised. Where they are not, the run becomes the companion of a tighter one, by as many tens as are missing,
//! which takes its place.
//!
//! A run whose method and tolerance were named, that saves its states, or whose rows are too many for the memory is
//! judged as it is: where the first companion is too far off, one at a hundred times the tolerance tells how errors fall.

use super::again::{Again, Limit, Why};
use super::found::{Found, RATIO};
use super::{BUDGET, LOOSEST, TIGHTEST, plain};
use crate::doubts::Doubt;
use crate::notes::Note;
use crate::options::{Options, Outputs};
use crate::pace::{of_rows, work};
use crate::run::Run;

/// Work of all runs, relative to the first. A motion that magnifies its errors by 10^4 needs a run that is tighter by as
/// many tens: `10^(4/9) = 2.8` times the work by a method of order 8, beside the first run and its companion, and once
/// more where the first look told too little.
const TOTAL: f64 = 8.0;
/// Tens by which a run is tighter that tells whether exponential growth goes on.
const TRIED: f64 = 2.0;
/// Rows of a looser companion: they tell how far channels move, and how errors grow.
const ROWS: usize = 200;

/// See the [module](self).
pub(super) struct Ladder<'c, 'a, 'b> {
    pub again: &'c mut Again<'a, 'b>,
    /// The tolerance that was asked for, and what is promised of the end.
    pub unit: f64,
    pub promised: f64,
    /// By how much steps become dearer with a ten of tolerance, at least.
    pub dearer: f64,
}

impl Ladder<'_, '_, '_> {
    /// Holds a run against looser ones, as it is.
    pub fn judge(&mut self, run: &Run) -> Result<Found, String> {
        let found = match self.looser(run) {
            Ok(found) => found,
            // a looser run may say nothing, but a tighter one does
            Err(_) => return self.tighter(run),
        };
        if found.is_kept(self.promised) {
            return Ok(found);
        }
        Ok(match self.above(run, 2.0) {
            Ok(farther) => found.confirmed_by(&self.again.distance([run, &farther], self.promised)),
            Err(_) => found,
        })
    }

    /// Holds a run against looser ones; tighter runs take its place until it is good enough. What the last companion
    /// told, or why there is none, and the options of the run that is the result now.
    pub fn climb(&mut self, run: &mut Run) -> (Result<Found, String>, Option<Options>) {
        let mut found = self.looser(run);
        let mut taken = None;
        let began = run.tolerance().unwrap_or(self.unit);
        let mut rtol = began;
        while !(found.as_ref()).is_ok_and(|found| found.is_kept(self.promised))
            || is_repairable(run)
        {
            let mut tens = found.as_ref().map_or(1.0, |found| self.missing(found, run));
            let left = self.again.left(TOTAL);
            // as many tens as can be paid and are above rounding: a nearer run may tell that they suffice
            let is_too_much = |tens: f64| {
                work(&run.stats) * self.dearer.powf(tens) + of_rows(run.rows) > left
                    || plain(rtol / RATIO.powf(tens)) < TIGHTEST
            };
            while tens >= 1.0 && is_too_much(tens) {
                tens -= 1.0;
            }
            if tens < 1.0 {
                break;
            }
            rtol = plain(rtol / RATIO.powf(tens));
            let options = self.again.options(run, rtol);
            let mut next = match self.again.run(run, &options, up_to(left)) {
                Ok(next) => next,
                Err(why) => {
                    found = found.map_err(|_| why.words(TOTAL));
                    break;
                }
            };
            self.learn([run, &next], tens);
            let distance = self.again.distance([&next, run], self.promised);
            let told = Found::below(distance, run, tens, found.as_ref().ok());
            next.doubts.retain(|d| holds(d, self.unit / rtol));
            next.judge();
            // a run that doubts itself takes no other's place, but it can tell
            if next.doubts.len() > run.doubts.len() {
                found = found.or(Ok(told.at_its_worst()));
                break;
            }
            let kept = |n: &&Note| matches!(n, Note::Looks(_) | Note::Import(_));
            let notes: Vec<Note> = run.notes.iter().filter(kept).cloned().collect();
            next.notes.extend(notes);
            next.notes.push(Note::Tightened { began, rtol });
            *run = next;
            taken = Some(options);
            found = Ok(told);
        }
        (found, taken)
    }

    /// What tens of tolerance cost, from two runs. Steps of order one become `sqrt(10)` times as many: what is dearer is
    /// so for another reason, as where one of the two has turned to a method that suits it less, and may be otherwise
    /// the next time.
    fn learn(&mut self, [looser, run]: [&Run; 2], tens: f64) {
        let ratio = work(&run.stats) / work(&looser.stats);
        self.dearer = ratio.powf(1.0 / tens).clamp(1.0, RATIO.sqrt());
    }

    /// The tens that a run is missing. What exponential growth would ask for is not believed as long as tighter runs can
    /// be paid: a motion that leaves an unstable state once looks the same, and may do so at two looks in turn.
    fn missing(&self, found: &Found, run: &Run) -> f64 {
        let tens = found.missing((self.unit, self.promised), run.t_last);
        match found.growth() {
            Some(_) => tens.min(TRIED),
            None => tens,
        }
    }

    /// What a run at ten times the tolerance tells.
    fn looser(&mut self, run: &Run) -> Result<Found, String> {
        let companion = self.above(run, 1.0)?;
        self.learn([&companion, run], 1.0);
        let distance = self.again.distance([run, &companion], self.promised);
        let found = Found::below(distance, &companion, 1.0, None);
        self.again.ranges = Some(companion.table);
        Ok(found)
    }

    /// A run that is looser than another by some tens.
    fn above(&mut self, run: &Run, tens: f64) -> Result<Run, String> {
        let rtol = run.tolerance().unwrap_or(f64::NAN) * RATIO.powf(tens);
        if !(rtol <= LOOSEST) {
            return Err("nothing looser tells of a tolerance like this".into());
        }
        let options = Options {
            outputs: Some(Outputs::Uniform(ROWS)),
            ..self.again.options(run, rtol)
        };
        let most = BUDGET * self.again.first;
        (self.again.motion(run, &options, up_to(most))).map_err(|why| why.words(BUDGET))
    }

    /// The distance of the run from a tighter one, which is nearly its error.
    fn tighter(&mut self, run: &Run) -> Result<Found, String> {
        let rtol = run.tolerance().unwrap_or(self.unit) / RATIO;
        let options = self.again.options(run, rtol.max(TIGHTEST));
        let left = up_to(self.again.left(TOTAL));
        let next = self.again.motion(run, &options, left);
        let next = next.map_err(|why: Why| why.words(TOTAL))?;
        let distance = self.again.distance([run, &next], self.promised);
        Ok(Found::beside(distance, &next))
    }
}

/// As much work as this, wherever on the way it is done.
fn up_to(most: f64) -> Limit {
    Limit { most, judged: None }
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
