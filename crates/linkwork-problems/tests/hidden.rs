//! Forces that jump without the system having said so: found, met from the left, left to the right.

use linkwork_dae::drive::{Ending, EventLog, Flow, Observer, ObserverError, View};
use linkwork_dae::log::{Attempt, Outcome};
use linkwork_dae::stats::Stats;
use linkwork_dae::system::After;
use linkwork_problems::hybrid::forced::{Hidden, Secret};
use linkwork_problems::small::Small;
use linkwork_problems::study::{self, Setup};

const METHODS: [(&str, &str); 15] = [
    ("bdf", "ggl"),
    ("bdf-fixed-leading", "ggl"),
    ("bdf-quasi", "ggl"),
    ("ndf", "ggl"),
    ("gen-alpha", "index3"),
    ("hht", "index3"),
    ("newmark", "ggl"),
    ("radau", "index3"),
    ("dopri5", "projected"),
    ("dop853", "projected"),
    ("adams", "projected"),
    ("rock4", "projected"),
    ("rkc2", "projected"),
    ("rosenbrock", "state-space"),
    ("w", "state-space"),
];

/// Lists events, counts attempts over a time that failed, and keeps the lengths of the last steps before it, of which
/// the last was cut to meet the jump.
#[derive(Default)]
struct Look {
    log: EventLog,
    at: f64,
    failed: u64,
    behind: [f64; 3],
}

impl Observer for Look {
    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        if view.to <= self.at {
            let [a, b, _] = self.behind;
            self.behind = [view.to - view.from, a, b];
        }
        Ok(Flow::Continue)
    }

    fn on_attempt(&mut self, attempt: &Attempt, _: &Stats) {
        let over = attempt.t <= self.at && self.at <= attempt.t + attempt.h;
        if over && !matches!(attempt.outcome, Outcome::Accepted { .. }) {
            self.failed += 1;
        }
    }

    fn on_event(&mut self, view: &mut View<'_>, after: After) -> Result<(), ObserverError> {
        self.log.on_event(view, after)
    }
}

fn run(
    method: &'static str,
    formulation: &'static str,
    tol: f64,
    secret: Secret,
) -> (study::Outcome, EventLog) {
    let (out, look) = run_and_look(method, formulation, tol, secret);
    (out, look.log)
}

fn run_and_look(
    method: &'static str,
    formulation: &'static str,
    tol: f64,
    secret: Secret,
) -> (study::Outcome, Look) {
    let mut setup = Setup::new(method, formulation, 2.0, tol);
    setup.plan.tolerances.atol = None;
    let mut look = Look::default();
    if let Hidden::Time(at) = secret.hidden {
        look.at = at;
    }
    let out = setup.run(&mut Small::new(secret), &mut look).unwrap();
    assert_eq!(out.ending, Ending::Finished);
    (out, look)
}

#[test]
fn a_hidden_jump_is_found_for_few_evaluations() {
    let mut bad = Vec::new();
    for (method, formulation) in METHODS {
        for tol in [1e-4, 1e-6, 1e-8] {
            for k in 0..8 {
                let at = 0.913 + 0.025 * f64::from(k);
                let hidden = Hidden::Time(at);
                let secret = |force| Secret { hidden, force };
                let (out, look) = run_and_look(method, formulation, tol, secret(40.0));
                let (smooth, _) = run_and_look(method, formulation, tol, secret(0.0));
                let s = out.stats;
                let rejected = look.failed;
                let before = look.behind.iter().fold(0.0, |m: f64, h| m.max(*h));
                let found = look.log.happenings.iter().find(|h| h.kind == "found");
                let off = found.map_or(f64::INFINITY, |h| (h.t - at).abs());
                println!(
                    "{method} {tol:.0e} {at:.3}: located {} off {off:.1e} rejected {rejected} search {} steps {} ({})",
                    s.located, s.search_evaluations, s.steps, smooth.stats.steps
                );
                // where a step or two fail and the next one passes the error test, or none does, nothing tells: methods
                // of order 2 at loose tolerances, which pass it as they pass anything else
                let passed = s.located == 0 && (tol > 1e-5 || rejected == 0);
                let found = s.located == 1 && off <= 1e-6 * before && s.search_evaluations <= 40;
                // two of the methods of order 2 need a fourth at 1e-4
                let most = if tol > 1e-5 { 4 } else { 3 };
                if !(passed || found) || rejected > most {
                    bad.push(format!("{method} {tol:.0e} {at:.3}"));
                }
            }
        }
    }
    assert!(bad.is_empty(), "{} {bad:#?}", bad.len());
}

/// Where the jump depends on the motion, the past promises it only roughly; it is looked for again from
/// nearby.
#[test]
fn a_hidden_jump_in_place_is_found() {
    let mut missed = Vec::new();
    for (method, formulation) in METHODS {
        for tol in [1e-4, 1e-6, 1e-8] {
            let secret = |force| Secret {
                hidden: Hidden::Place(0.3),
                force,
            };
            let (out, log) = run(method, formulation, tol, secret(20.0));
            let s = out.stats;
            println!(
                "{method} {tol:.0e}: first {:?} located {} rejected {} search {} steps {}",
                log.happenings.first().map(|h| h.t - 0.242_159_97),
                s.located,
                s.rejected + s.newton_failures,
                s.search_evaluations,
                s.steps
            );
            // the first passage is at 0.24215997 s
            let first = log.happenings.first();
            if s.located == 0 {
                missed.push(format!("{method} {tol:.0e}"));
            } else {
                let off = first.map_or(f64::NAN, |h| h.t - 0.242_159_97);
                let nearest = (log.happenings.iter()).any(|h| (h.t - 0.242_159_97).abs() < 1.0);
                assert!(nearest && off.is_finite(), "{method} {tol:.0e}");
            }
        }
    }
    println!("{} missed: {missed:?}", missed.len());
    assert!(missed.len() <= 7, "{missed:#?}");
}

#[test]
fn smooth_changes_are_not_taken_for_jumps() {
    for (method, formulation) in METHODS {
        for tol in [1e-4, 1e-6, 1e-8] {
            for width in [f64::INFINITY, 0.2, 0.02] {
                let hidden = Hidden::Soft { at: 1.0, width };
                let (out, _) = run(
                    method,
                    formulation,
                    tol,
                    Secret {
                        hidden,
                        force: 40.0,
                    },
                );
                assert_eq!(out.stats.located, 0, "{method} {tol:.0e} {width}");
            }
        }
    }
}
