//! What errors are measured against: two tight runs of different families that agree.
//!
//! Every setting is held against a run of another family than its own, so that no method is its own judge.
//! How far the two are apart is how far any error can be told.

use super::conduct::{Conduct, Fit};
use super::measure::{Measures, Motion};
use super::{Setting, StudyError, fits};
use crate::compare::digits;
use linkwork_dae::stepper::Family;
use serde::Serialize;

/// Tight runs, the preferred ones first, each with the tolerances that it is tried at.
const TIGHT: [(&str, &str, [f64; 2]); 4] = [
    ("dop853", "projected", [1e-12, 1e-10]),
    ("bdf", "ggl", [1e-11, 1e-9]),
    ("adams", "projected", [1e-12, 1e-10]),
    ("rosenbrock", "state-space", [1e-9, 1e-7]),
];
/// What there is when fewer than two of them reach the end.
const SPARE: [(&str, &str, [f64; 2]); 1] = [("gen-alpha", "ggl", [1e-6, 1e-4])];
/// A tight run may cost this many times what the pilot costs at its tightest tolerance.
const PATIENCE: f64 = 30.0;

/// A tight run.
#[derive(Clone, Debug, Serialize)]
pub struct Tight {
    /// How it was made.
    #[serde(flatten)]
    pub setting: Setting,
    /// Counted work.
    pub work: f64,
    /// Processor time of its steps, s.
    pub seconds: f64,
    #[serde(skip)]
    pub(super) motion: Motion,
    #[serde(skip)]
    family: Option<Family>,
}

/// Two tight runs of different families.
#[derive(Clone, Debug, Serialize)]
pub struct Reference {
    /// The runs; a single one if no other reached the end.
    pub runs: Vec<Tight>,
    /// How far they are apart for each measure: what errors cannot be told below. Infinite for a single
    /// run.
    pub apart: Vec<f64>,
    /// The time from which on they do not agree to the most digits that are wanted, if there is one.
    pub parted: Vec<Option<f64>>,
    /// Tight runs that did not reach the end, and why.
    pub unfinished: Vec<(String, String)>,
}

impl Reference {
    /// Digits that can be told for each measure; infinite for a single run, which nothing has checked.
    pub fn digits(&self) -> Vec<f64> {
        let told = |&error: &f64| match self.is_checked() {
            true => digits(error),
            false => f64::INFINITY,
        };
        self.apart.iter().map(told).collect()
    }

    /// Whether a second run of another family has confirmed the first.
    pub fn is_checked(&self) -> bool {
        self.runs.len() > 1
    }

    /// The run that a setting is held against: one of another family.
    pub(super) fn judge(&self, setting: &Setting) -> Option<&Tight> {
        let family = setting.family();
        let other = self.runs.iter().find(|run| run.family != family);
        other.or(self.runs.first())
    }

    /// Makes the tight runs and chooses the two that agree best. `pilot` is the work of the pilot at its
    /// tightest tolerance.
    pub(super) fn find(
        conduct: &Conduct<'_>,
        measures: &Measures,
        pilot: f64,
    ) -> Result<Reference, StudyError> {
        let budget = if pilot.is_nan() {
            f64::INFINITY
        } else {
            PATIENCE * pilot
        };
        let (mut found, mut unfinished) = (Vec::new(), Vec::new());
        for candidates in [&TIGHT[..], &SPARE[..]] {
            if found.len() >= 2 {
                break;
            }
            for tried in conduct.pool(candidates, |c| tight(conduct, measures, c, budget)) {
                match tried {
                    Ok(run) => found.push(run),
                    Err(why) => unfinished.push(why),
                }
            }
        }
        let digits = conduct.ask.digits.iter().copied().fold(0.0, f64::max);
        match best_pair(&found, measures) {
            Some((i, k)) => {
                let courses = measures.courses(&found[k].motion, &found[i].motion);
                let parted = courses.iter().map(|course| {
                    let lost = course.iter().position(|e| *e > 10f64.powf(-digits));
                    lost.map(|row| found[i].motion.times[row])
                });
                let worst = |course: &Vec<f64>| course.iter().copied().fold(0.0, f64::max);
                Ok(Reference {
                    apart: courses.iter().map(worst).collect(),
                    parted: parted.collect(),
                    runs: vec![found[i].clone(), found[k].clone()],
                    unfinished,
                })
            }
            None if found.is_empty() => {
                let reasons = unfinished.iter().map(|(who, why)| format!("{who}: {why}"));
                let reasons: Vec<String> = reasons.collect();
                let message = format!(
                    "no tight run reached the end, so there is nothing to measure errors against: {}",
                    reasons.join("; ")
                );
                Err(StudyError::new(
                    message,
                    "a shorter t_end, or more time for each run",
                ))
            }
            None => Ok(Reference {
                apart: vec![f64::INFINITY; measures.names.len()],
                parted: vec![None; measures.names.len()],
                runs: found,
                unfinished,
            }),
        }
    }
}

/// Runs one of the candidates at the tightest tolerance that reaches the end.
fn tight(
    conduct: &Conduct<'_>,
    measures: &Measures,
    (method, formulation, tolerances): &(&'static str, &'static str, [f64; 2]),
    budget: f64,
) -> Result<Tight, (String, String)> {
    let setting = Setting {
        method,
        formulation,
        coordinates: conduct.coordinates(*formulation == "state-space"),
        rtol: f64::NAN,
    };
    let priced = fits::of(conduct.build, &setting, &conduct.ask.base);
    let priced = priced.map_err(|why| (setting.words(), why))?;
    let fit = Fit {
        setting,
        price: priced.price,
    };
    let mut reason = String::new();
    for &rtol in tolerances {
        let outcome = conduct.run(&fit, rtol, budget);
        match outcome.run {
            Some(run) => {
                return Ok(Tight {
                    family: fit.setting.family(),
                    setting: fit.setting.at(rtol),
                    work: outcome.work,
                    seconds: outcome.seconds,
                    motion: measures.motion(&run.table),
                });
            }
            None => reason = outcome.reason(),
        }
    }
    Err((fit.setting.words(), reason))
}

/// The two that are the least apart in their worst measure.
fn best_pair(found: &[Tight], measures: &Measures) -> Option<(usize, usize)> {
    let pairs = (0..found.len()).flat_map(|i| (i + 1..found.len()).map(move |k| (i, k)));
    let apart = |(i, k): (usize, usize)| {
        let errors = measures.errors(&found[k].motion, &found[i].motion);
        errors.into_iter().fold(0.0, f64::max)
    };
    let pairs = pairs.filter(|&(i, k)| found[i].family != found[k].family);
    pairs.min_by(|&a, &b| apart(a).total_cmp(&apart(b)))
}
