//! The solver's own story of a run, in bounded memory: step, order, error and who limited it, work,
//! rejections with their reasons, constraint residuals and the energy account, over time.
//!
//! ```text
//!  attempts --> open bin --(`width` accepted steps)--> bins, at most BINS
//!                                                      full: neighbours merge, width doubles
//! ```
//!
//! A bin keeps extremes and sums, so that merging loses no peak and no count. Rejected attempts are
//! listed one by one up to REJECTIONS; beyond that every second is dropped, and counted.

use crate::attempts::words;
use crate::audit::Audit;
use linkwork_dae::drive::{Flow, Observer, ObserverError, View};
use linkwork_dae::log::{Attempt, Outcome};
use linkwork_dae::stats::Stats;
use linkwork_dae::system::{After, Row, System};
use serde::Serialize;

/// Most bins that are kept.
pub const BINS: usize = 2048;
/// Most rejected attempts that are listed.
pub const REJECTIONS: usize = 1024;

/// Some neighbouring accepted steps with all attempts that led to them.
#[derive(Clone, Copy, Debug)]
struct Bin {
    from: f64,
    to: f64,
    steps: u32,
    h_least: f64,
    h_most: f64,
    order_least: usize,
    order_most: usize,
    error: f64,
    worst: Option<Row>,
    iterations: u64,
    jacobians: u64,
    factorisations: u64,
    evaluations: u64,
    rejected: u32,
    unsolved: u32,
    position: f64,
    velocity: f64,
    kinetic: f64,
    potential: f64,
    imbalance: f64,
}

impl Bin {
    const EMPTY: Bin = Bin {
        from: f64::NAN,
        to: f64::NAN,
        steps: 0,
        h_least: f64::INFINITY,
        h_most: 0.0,
        order_least: usize::MAX,
        order_most: 0,
        error: 0.0,
        worst: None,
        iterations: 0,
        jacobians: 0,
        factorisations: 0,
        evaluations: 0,
        rejected: 0,
        unsolved: 0,
        position: 0.0,
        velocity: 0.0,
        kinetic: f64::NAN,
        potential: f64::NAN,
        imbalance: f64::NAN,
    };

    /// This bin and the next as one. Energies are those at the end.
    fn with(mut self, next: &Bin) -> Bin {
        self.h_least = self.h_least.min(next.h_least);
        self.h_most = self.h_most.max(next.h_most);
        self.order_least = self.order_least.min(next.order_least);
        self.order_most = self.order_most.max(next.order_most);
        if next.error > self.error {
            (self.error, self.worst) = (next.error, next.worst);
        }
        self.to = next.to;
        self.steps += next.steps;
        self.iterations += next.iterations;
        self.jacobians += next.jacobians;
        self.factorisations += next.factorisations;
        self.evaluations += next.evaluations;
        self.rejected += next.rejected;
        self.unsolved += next.unsolved;
        self.position = self.position.max(next.position);
        self.velocity = self.velocity.max(next.velocity);
        self.kinetic = next.kinetic;
        self.potential = next.potential;
        self.imbalance = next.imbalance;
        self
    }
}

/// A rejected attempt.
#[derive(Clone, Copy, Debug)]
struct Rejection {
    t: f64,
    h: f64,
    order: usize,
    error: f64,
    reason: &'static str,
    worst: Option<Row>,
}

/// Records a run for its page.
pub struct Lanes {
    bins: Vec<Bin>,
    /// Accepted steps of a full bin.
    width: u32,
    open: Bin,
    rejections: Vec<Rejection>,
    /// Rejections for each one in the list.
    stride: u64,
    seen: u64,
    before: Stats,
    /// Accounts of its own: those of the run keep the largest values only.
    audit: Audit,
    started: bool,
}

impl Lanes {
    /// An empty record.
    pub fn new(sys: &dyn System) -> Lanes {
        Lanes {
            bins: Vec::with_capacity(BINS),
            width: 1,
            open: Bin::EMPTY,
            rejections: Vec::with_capacity(REJECTIONS),
            stride: 1,
            seen: 0,
            before: Stats::default(),
            audit: Audit::new(sys),
            started: false,
        }
    }

    fn close(&mut self) {
        if self.bins.len() == BINS {
            for i in 0..BINS / 2 {
                self.bins[i] = self.bins[2 * i].with(&self.bins[2 * i + 1]);
            }
            self.bins.truncate(BINS / 2);
            self.width = self.width.saturating_mul(2);
        }
        if self.open.steps >= self.width {
            self.bins.push(self.open);
            self.open = Bin::EMPTY;
        }
    }

    fn list(&mut self, rejection: Rejection) {
        if self.seen.is_multiple_of(self.stride) {
            if self.rejections.len() == REJECTIONS {
                let mut index = 0;
                self.rejections.retain(|_| {
                    index += 1;
                    index % 2 == 1
                });
                self.stride *= 2;
            }
            if self.seen.is_multiple_of(self.stride) {
                self.rejections.push(rejection);
            }
        }
        self.seen += 1;
    }

    /// The record in words and numbers.
    pub fn story(&self, sys: &dyn System) -> Story {
        let mut owners: Vec<String> = Vec::new();
        let mut number = |row: Option<Row>| -> i32 {
            let Some(row) = row else {
                return -1;
            };
            let owner = sys.culprit(row);
            let found = owners.iter().position(|o| *o == owner);
            found.unwrap_or_else(|| {
                owners.push(owner);
                owners.len() - 1
            }) as i32
        };
        let mut bins = self.bins.clone();
        bins.extend((self.open.steps > 0).then_some(self.open));
        let column = |f: fn(&Bin) -> f64| bins.iter().map(f).collect::<Vec<f64>>();
        let limiter = bins.iter().map(|b| number(b.worst)).collect();
        let rejections = (self.rejections.iter())
            .map(|r| RejectionLine {
                t: r.t,
                h: r.h,
                order: r.order,
                error: r.error.is_finite().then_some(r.error),
                reason: r.reason,
                limiter: number(r.worst),
            })
            .collect();
        Story {
            steps_per_bin: self.width,
            from: column(|b| b.from),
            to: column(|b| b.to),
            steps: column(|b| f64::from(b.steps)),
            h_least: column(|b| b.h_least),
            h_most: column(|b| b.h_most),
            order_least: column(|b| b.order_least as f64),
            order_most: column(|b| b.order_most as f64),
            error: column(|b| b.error),
            limiter,
            iterations: column(|b| b.iterations as f64),
            jacobians: column(|b| b.jacobians as f64),
            factorisations: column(|b| b.factorisations as f64),
            evaluations: column(|b| b.evaluations as f64),
            rejected: column(|b| f64::from(b.rejected)),
            unsolved: column(|b| f64::from(b.unsolved)),
            position: column(|b| b.position),
            velocity: column(|b| b.velocity),
            kinetic: column(|b| b.kinetic),
            potential: column(|b| b.potential),
            imbalance: column(|b| b.imbalance),
            rejections,
            rejections_seen: self.seen,
            owners,
        }
    }
}

impl Observer for Lanes {
    fn on_start(&mut self, view: &mut View<'_>) -> Result<(), ObserverError> {
        self.started = true;
        self.audit.on_start(view)
    }

    fn on_attempt(&mut self, attempt: &Attempt, stats: &Stats) {
        let (reason, error, worst) = match &attempt.outcome {
            Outcome::Accepted { err, worst } => {
                if *err >= self.open.error {
                    (self.open.error, self.open.worst) = (*err, Some(*worst));
                }
                (None, *err, Some(*worst))
            }
            Outcome::Rejected { err, worst } => {
                self.open.rejected += 1;
                (Some("error above the tolerance"), *err, Some(*worst))
            }
            Outcome::Unsolved(why) => {
                self.open.unsolved += 1;
                let (words, worst) = words(why);
                (Some(words), f64::NAN, worst)
            }
        };
        let b = &self.before;
        self.open.iterations += stats.newton_iterations - b.newton_iterations;
        self.open.jacobians += stats.jacobian_evaluations - b.jacobian_evaluations;
        self.open.factorisations += stats.factorisations - b.factorisations;
        self.open.evaluations += stats.evaluations() - b.evaluations();
        self.before = *stats;
        if let Some(reason) = reason {
            self.list(Rejection {
                t: attempt.t,
                h: attempt.h,
                order: attempt.order,
                error,
                reason,
                worst,
            });
        }
    }

    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        if self.started {
            self.audit.on_step(view)?;
        } else {
            // a run that goes on from a saved state
            self.started = true;
            self.audit.on_start(view)?;
        }
        let h = view.to - view.from;
        let residual = self.audit.latest_residual();
        let bin = &mut self.open;
        if bin.steps == 0 {
            bin.from = view.from;
        }
        bin.to = view.to;
        bin.steps += 1;
        bin.h_least = bin.h_least.min(h);
        bin.h_most = bin.h_most.max(h);
        bin.order_least = bin.order_least.min(view.order);
        bin.order_most = bin.order_most.max(view.order);
        bin.position = bin.position.max(residual.position);
        bin.velocity = bin.velocity.max(residual.velocity);
        if let (Some(e), Some(account)) = (self.audit.latest_energy(), self.audit.energy()) {
            bin.kinetic = e.kinetic;
            bin.potential = e.potential;
            bin.imbalance = account.imbalance();
        }
        if bin.steps >= self.width {
            self.close();
        }
        Ok(Flow::Continue)
    }

    fn on_event(&mut self, view: &mut View<'_>, after: After) -> Result<(), ObserverError> {
        self.audit.on_event(view, after)
    }

    fn on_resume(&mut self, _: f64) {
        self.started = false;
    }
}

/// A rejected attempt with its owner by number; -1: none.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RejectionLine {
    /// Time before the step.
    pub t: f64,
    /// Step size.
    pub h: f64,
    /// Order.
    pub order: usize,
    /// Error over tolerance, where the step could be solved.
    pub error: Option<f64>,
    /// Why it was rejected.
    pub reason: &'static str,
    /// The part that ruled it, in [`Story::owners`]; -1: none.
    pub limiter: i32,
}

/// The record of a run: columns over bins of accepted steps. Without a value: null.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct Story {
    pub steps_per_bin: u32,
    pub from: Vec<f64>,
    pub to: Vec<f64>,
    pub steps: Vec<f64>,
    pub h_least: Vec<f64>,
    pub h_most: Vec<f64>,
    pub order_least: Vec<f64>,
    pub order_most: Vec<f64>,
    pub error: Vec<f64>,
    pub limiter: Vec<i32>,
    pub iterations: Vec<f64>,
    pub jacobians: Vec<f64>,
    pub factorisations: Vec<f64>,
    pub evaluations: Vec<f64>,
    pub rejected: Vec<f64>,
    pub unsolved: Vec<f64>,
    pub position: Vec<f64>,
    pub velocity: Vec<f64>,
    pub kinetic: Vec<f64>,
    pub potential: Vec<f64>,
    pub imbalance: Vec<f64>,
    pub rejections: Vec<RejectionLine>,
    pub rejections_seen: u64,
    pub owners: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, Simulation};
    use linkwork_mbs::text;

    fn recorded(model: &str, t_end: f64) -> (crate::Run, Story) {
        let entry = crate::catalogue::MODELS.iter().find(|m| m.name == model);
        let document = text::read(entry.expect("it is built in").text).expect("it reads");
        let options = Options::new().t_end(t_end);
        let mut simulation = Simulation::from_document(&document).expect("it assembles");
        simulation = simulation.options(options);
        let mut lanes = Lanes::new(simulation.system());
        let run = simulation.run_with(&mut lanes).expect("options are sound");
        let story = lanes.story(simulation.system());
        (run, story)
    }

    #[test]
    fn counts_agree_with_those_of_the_run() {
        let (run, story) = recorded("squeezer", 0.03);
        let sum = |column: &[f64]| column.iter().sum::<f64>() as u64;
        assert_eq!(sum(&story.steps), run.stats.steps);
        assert_eq!(sum(&story.rejected), run.stats.rejected);
        assert_eq!(sum(&story.unsolved), run.stats.newton_failures);
        assert_eq!(sum(&story.iterations), run.stats.newton_iterations);
        assert_eq!(sum(&story.jacobians), run.stats.jacobian_evaluations);
        assert_eq!(
            story.rejections_seen,
            run.stats.rejected + run.stats.newton_failures
        );
        let most = |column: &[f64]| column.iter().copied().fold(0.0, f64::max);
        assert_eq!(most(&story.position), run.constraint_residual.position);
        assert_eq!(most(&story.velocity), run.constraint_residual.velocity);
        let energy = run.energy.expect("the squeezer keeps account");
        assert_eq!(story.imbalance.last(), Some(&energy.imbalance()));
        assert!(story.error.iter().all(|e| *e <= 1.0));
        assert!(
            story
                .limiter
                .iter()
                .all(|l| (*l as usize) < story.owners.len())
        );
    }

    #[test]
    fn a_long_run_stays_within_bounds_and_loses_no_peak() {
        let (run, story) = recorded("squeezer", 1.0);
        assert!(run.stats.steps as usize > BINS, "{}", run.stats.steps);
        assert!(story.to.len() <= BINS && story.to.len() >= BINS / 2);
        assert!(story.steps_per_bin > 1);
        assert!(story.rejections.len() <= REJECTIONS);
        let sum = |column: &[f64]| column.iter().sum::<f64>() as u64;
        assert_eq!(sum(&story.steps), run.stats.steps);
        assert_eq!(story.to.last(), Some(&run.t_last));
        let most = story.position.iter().copied().fold(0.0, f64::max);
        assert_eq!(most, run.constraint_residual.position);
        assert!(story.from.windows(2).all(|w| w[0] < w[1]));
    }

    #[test]
    fn events_are_listed() {
        let (run, story) = recorded("sampled", 0.5);
        let page = crate::view::pages::of_run(&run, &Default::default(), Some(story));
        assert_eq!(page.events.len(), run.events.happenings.len());
        assert!(page.events.len() > 5 && page.events_left_out == 0);
        assert!(
            page.events
                .iter()
                .all(|e| e.kind == "clock" && e.after == "forces jump")
        );
    }
}
