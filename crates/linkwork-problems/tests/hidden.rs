//! Forces that jump without the system having said so: found, met from the left, left to the right.

use linkwork_dae::drive::{Ending, EventLog};
use linkwork_problems::hybrid::forced::{Hidden, Secret};
use linkwork_problems::small::Small;
use linkwork_problems::study::{Outcome, Setup};

const METHODS: [(&str, &str); 12] = [
    ("bdf", "ggl"),
    ("bdf-fixed-leading", "ggl"),
    ("bdf-quasi", "ggl"),
    ("ndf", "ggl"),
    ("gen-alpha", "index3"),
    ("hht", "index3"),
    ("dopri5", "projected"),
    ("dop853", "projected"),
    ("adams", "projected"),
    ("rock4", "projected"),
    ("rosenbrock", "state-space"),
    ("w", "state-space"),
];

fn run(
    method: &'static str,
    formulation: &'static str,
    tol: f64,
    secret: Secret,
) -> (Outcome, EventLog) {
    let mut setup = Setup::new(method, formulation, 2.0, tol);
    setup.plan.tolerances.atol = None;
    let mut log = EventLog::default();
    let out = setup.run(&mut Small::new(secret), &mut log).unwrap();
    assert_eq!(out.ending, Ending::Finished);
    (out, log)
}

#[test]
fn a_hidden_jump_is_found_for_few_evaluations() {
    let mut bad = Vec::new();
    for (method, formulation) in METHODS {
        for tol in [1e-4, 1e-6, 1e-8] {
            for k in 0..8 {
                let at = 0.913 + 0.025 * f64::from(k);
                let hidden = Hidden::Time(at);
                let (out, log) = run(
                    method,
                    formulation,
                    tol,
                    Secret {
                        hidden,
                        force: 40.0,
                    },
                );
                let without = Secret { hidden, force: 0.0 };
                let (smooth, _) = run(method, formulation, tol, without);
                let s = out.stats;
                let rejected = (s.rejected + s.newton_failures) as i64
                    - (smooth.stats.rejected + smooth.stats.newton_failures) as i64;
                let found = log.happenings.iter().find(|h| h.kind == "found");
                let off = found.map_or(f64::INFINITY, |h| (h.t - at).abs());
                println!(
                    "{method} {tol:.0e} {at:.3}: located {} off {off:.1e} rejected {rejected} search {} steps {} ({})",
                    s.located, s.search_evaluations, s.steps, smooth.stats.steps
                );
                // what error control passes without trouble need not be found
                let passed = s.located == 0 && rejected <= 3;
                let found = s.located == 1 && off <= 1e-7 && s.search_evaluations <= 40;
                if !passed && (!found || rejected > 3) {
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
                "{method} {tol:.0e}: located {} rejected {} search {} steps {}",
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
    assert!(missed.len() <= 12, "{missed:#?}");
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
