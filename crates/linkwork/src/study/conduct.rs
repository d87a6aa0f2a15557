//! The course of a study: prices, pilot, reference, rounds.

use super::findings;
use super::fits::{self, Priced};
use super::measure::{Measures, Motion};
use super::reference::Reference;
use super::{Ask, Build, FAR, PATIENCE, Row, Setting, Study, StudyError, Watch, pool, setting};
use crate::compare::digits;
use crate::price::Price;
use crate::run::{Ending, Run, Verdict};
use linkwork_dae::drive::{Flow, Observer, ObserverError, View};
use linkwork_dae::stats::Stats;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// More digits than wanted by this much are not asked for.
const SPARE_DIGITS: f64 = 1.0;

/// A setting without its tolerance that fits the model, with what its parts cost.
pub(super) struct Fit {
    pub setting: Setting,
    pub price: Price,
}

/// What a run left behind.
pub(super) struct Outcome {
    /// The run, if it reached its end.
    pub run: Option<Run>,
    stats: Stats,
    pub work: f64,
    pub seconds: f64,
    /// Share of the time that it got through.
    share: f64,
    /// Why it did not, in a word and in a sentence.
    without: Option<(&'static str, String)>,
}

impl Outcome {
    fn none(word: &'static str, reason: String) -> Outcome {
        Outcome {
            run: None,
            stats: Stats::default(),
            work: 0.0,
            seconds: 0.0,
            share: 0.0,
            without: Some((word, reason)),
        }
    }

    pub fn reason(self) -> String {
        self.without.map_or_else(String::new, |(_, reason)| reason)
    }
}

pub(super) struct Conduct<'a> {
    pub ask: &'a Ask,
    pub build: &'a Build<'a>,
    watch: &'a Watch<'a>,
    begin: Instant,
    fits: Vec<Fit>,
    done: AtomicUsize,
}

impl<'a> Conduct<'a> {
    pub fn study(
        ask: &'a Ask,
        build: &'a Build<'a>,
        watch: &'a Watch<'a>,
    ) -> Result<Study, StudyError> {
        let begin = Instant::now();
        let wanted = setting::all(ask)?;
        let priced = pool::all(&wanted, ask.threads, |s| fits::of(build, s, &ask.base));
        let (mut fits, mut left_out, mut known) = (Vec::new(), Vec::new(), None::<Priced>);
        for (setting, priced) in wanted.into_iter().zip(priced) {
            match priced {
                Ok(found) => {
                    let price = found.price;
                    fits.push(Fit { setting, price });
                    known.get_or_insert(found);
                }
                Err(why) => left_out.push((setting.words(), why)),
            }
        }
        let Some(known) = known else {
            let why = left_out.first().map_or("", |l| &l.1);
            let help = "`linkwork check` looks at the model";
            return Err(StudyError::new(
                format!("no setting can be run: {why}"),
                help,
            ));
        };
        let conduct = Conduct {
            ask,
            build,
            watch,
            begin,
            fits,
            done: AtomicUsize::new(0),
        };
        conduct.rounds(known, left_out)
    }

    /// Coordinates of tight runs: the first, or, where fewer dependent ones are better, the last.
    pub fn coordinates(&self, few: bool) -> Option<String> {
        let all = &self.ask.coordinates;
        if few { all.last() } else { all.first() }.cloned()
    }

    pub fn pool<T: Sync, R: Send>(&self, jobs: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
        pool::all(jobs, self.ask.threads, work)
    }

    fn rounds(self, known: Priced, left_out: Vec<(String, String)>) -> Result<Study, StudyError> {
        let measures = Measures::new(&known.channels, &self.ask.channels)?;
        let mut tolerances = self.ask.tolerances.clone();
        tolerances.sort_by(|a, b| b.total_cmp(a));
        tolerances.dedup();
        self.tell(0);
        let pilot = &self.fits[0];
        let pilots: Vec<(Outcome, Option<Motion>)> = self.pool(&tolerances, |&rtol| {
            let mut outcome = self.run(pilot, rtol, f64::INFINITY);
            self.tell(1);
            // tables may be large
            let motion = outcome.run.as_mut().map(|run| {
                let motion = measures.motion(&run.table);
                run.table = crate::table::Table::default();
                motion
            });
            (outcome, motion)
        });
        let works = || pilots.iter().filter(|p| p.1.is_some()).map(|p| p.0.work);
        let most = works().fold(f64::NAN, f64::max);
        let budgets: Vec<f64> = (pilots.iter())
            .map(|p| match p.1 {
                Some(_) => PATIENCE * p.0.work,
                None if most.is_nan() => f64::INFINITY,
                None => PATIENCE * most,
            })
            .collect();
        let reference = Reference::find(&self, &measures, most)?;
        let judged = |fit: &Fit, rtol, outcome, motion| {
            Row::new(fit.setting.at(rtol), outcome, motion, &measures, &reference)
        };
        let of_pilot = pilots.into_iter().zip(&tolerances);
        let mut rows: Vec<Vec<Row>> = vec![
            of_pilot
                .map(|((outcome, motion), &rtol)| judged(pilot, rtol, outcome, motion))
                .collect(),
        ];
        rows.resize_with(self.fits.len(), Vec::new);
        let others: Vec<usize> = (1..self.fits.len()).collect();
        for (&rtol, &budget) in tolerances.iter().zip(&budgets) {
            let round = self.pool(&others, |&i| {
                let fit = &self.fits[i];
                let outcome = match self.needless(&rows[i], budget, &reference) {
                    Some(why) => Outcome::none("not tried", why),
                    None => self.run(fit, rtol, budget),
                };
                self.tell(1);
                let motion = outcome.run.as_ref().map(|run| measures.motion(&run.table));
                judged(fit, rtol, outcome, motion)
            });
            for (&i, row) in others.iter().zip(round) {
                rows[i].push(row);
            }
        }
        let rows: Vec<Row> = rows.into_iter().flatten().collect();
        let findings = findings::all(&rows, &measures.names, &self.ask.digits, &reference);
        Ok(Study {
            model: known.model,
            t_end: known.t_end,
            measures: measures.names,
            cut_short: self.over().is_some(),
            rows,
            left_out,
            findings,
            reference,
            seconds: self.begin.elapsed().as_secs_f64(),
        })
    }

    fn tell(&self, more: usize) {
        let now = self.done.fetch_add(more, Ordering::Relaxed) + more;
        (self.watch.tell)(now, self.fits.len() * self.ask.tolerances.len());
    }

    /// Why nothing more is begun.
    fn over(&self) -> Option<&'static str> {
        if self.watch.stop.is_raised() {
            return Some("the study was stopped");
        }
        (self.begin.elapsed() > self.ask.limit).then_some("the time of the study was up")
    }

    /// Why a tighter run of a setting would say nothing new, or cost too much again.
    fn needless(&self, before: &[Row], budget: f64, reference: &Reference) -> Option<String> {
        let last = before.iter().rfind(|row| row.work > 0.0)?;
        if last.without == Some("given up") {
            // no tighter run is cheaper, but it may be worth more
            let whole = last.work / last.share.max(1e-9);
            return (whole > budget).then(|| "too dear at a looser tolerance already".to_string());
        }
        let wanted = self.ask.digits.iter().copied().fold(0.0, f64::max) + SPARE_DIGITS;
        let told = reference.digits();
        let enough = |(digits, told): (&f64, &f64)| *digits >= wanted.min(*told);
        let all = last.without.is_none() && last.digits.iter().zip(&told).all(enough);
        all.then(|| "accurate enough".to_string())
    }

    /// Runs a setting to its end, or until it has cost too much.
    pub fn run(&self, fit: &Fit, rtol: f64, budget: f64) -> Outcome {
        if let Some(why) = self.over() {
            return Outcome::none("not tried", why.to_string());
        }
        let mut simulation = match (self.build)(&fit.setting.at(rtol).options(&self.ask.base)) {
            Ok(simulation) => simulation,
            Err(why) => return Outcome::none("failed", why),
        };
        let mut allowance = Allowance {
            conduct: self,
            price: fit.price,
            budget,
            dear: false,
        };
        let run = match simulation.run_with(&mut allowance) {
            Ok(run) => run,
            Err(why) => return Outcome::none("failed", why.to_string()),
        };
        let t_start = run.times().first().copied().unwrap_or(0.0);
        let t_end = run.options.t_end.unwrap_or(f64::NAN);
        let share = (run.t_last - t_start) / (t_end - t_start);
        let without = match &run.ending {
            Ending::Finished => None,
            Ending::Failed(why) => {
                let cause = why.cause.lines().next().unwrap_or_default();
                Some(("failed", cause.to_string()))
            }
            Ending::Stopped if allowance.dear => {
                let words = "too dear: what may be spent was spent at";
                let reached = (100.0 * share).floor();
                Some(("given up", format!("{words} {reached} % of the time")))
            }
            Ending::Stopped => {
                let why = self.over().unwrap_or("it was stopped");
                Some(("not tried", why.to_string()))
            }
        };
        Outcome {
            stats: run.stats,
            work: fit.price.work(&run.stats),
            seconds: run.step_cpu_seconds,
            share,
            run: without.is_none().then_some(run),
            without,
        }
    }
}

/// Stops a run that has cost too much, or whose study is over.
struct Allowance<'a> {
    conduct: &'a Conduct<'a>,
    price: Price,
    budget: f64,
    dear: bool,
}

impl Observer for Allowance<'_> {
    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        self.dear = self.price.work(view.stats) > self.budget;
        // the clock is read now and then only
        let late = view.stats.steps.is_multiple_of(64) && self.conduct.over().is_some();
        Ok(if self.dear || late {
            Flow::Stop
        } else {
            Flow::Continue
        })
    }
}

impl Row {
    fn new(
        setting: Setting,
        outcome: Outcome,
        motion: Option<Motion>,
        measures: &Measures,
        reference: &Reference,
    ) -> Row {
        let judge = reference.judge(&setting);
        let errors = match (&motion, judge) {
            (Some(motion), Some(judge)) => measures.errors(motion, &judge.motion),
            _ => vec![f64::NAN; measures.names.len()],
        };
        let verdict = outcome.run.as_ref().map(|run| run.verdict);
        let told = reference.digits();
        let of_stats = &outcome.stats;
        let (word, reason) = match outcome.without {
            Some((word, reason)) => (Some(word), Some(reason)),
            None => (None, None),
        };
        Row {
            far: verdict == Some(Verdict::Converged)
                && (errors.iter().zip(&told))
                    .any(|(e, told)| *e > FAR * setting.rtol && digits(*e) < *told),
            digits: (errors.iter().zip(&told))
                .map(|(error, told)| digits(*error).min(*told))
                .collect(),
            errors,
            setting,
            verdict,
            without: word,
            reason,
            steps: of_stats.steps,
            evaluations: of_stats.evaluations(),
            factorisations: of_stats.factorisations,
            solves: of_stats.solves,
            work: outcome.work,
            seconds: outcome.seconds,
            share: outcome.share,
        }
    }
}
