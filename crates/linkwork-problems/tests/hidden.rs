//! Forces that jump without the system having said so: found, met from the left, left to the right.

use linkwork_dae::drive::{Ending, EventLog, Flow, Observer, ObserverError, View};
use linkwork_dae::log::{Attempt, Outcome};
use linkwork_dae::state::Tolerances;
use linkwork_dae::stats::Stats;
use linkwork_dae::system::After;
use linkwork_problems::hybrid::forced::{Hidden, Secret};
use linkwork_problems::hybrid::ridden::Ridden;
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

/// Lists events, counts attempts over a time that failed and evaluations from the first of them until something was
/// found, and keeps the lengths of the last steps before it, of which the last was cut to meet the jump.
#[derive(Default)]
struct Look {
    log: EventLog,
    at: f64,
    failed: u64,
    before: u64,
    searched: u64,
    places: Vec<f64>,
    behind: [f64; 3],
    /// Whether a step was attempted: the stretch that leads up to a jump is seen without.
    stepped: bool,
}

impl Observer for Look {
    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        if std::mem::take(&mut self.stepped) && view.to <= self.at {
            let [a, b, _] = self.behind;
            self.behind = [view.to - view.from, a, b];
        }
        Ok(Flow::Continue)
    }

    fn on_attempt(&mut self, attempt: &Attempt, stats: &Stats) {
        self.stepped = true;
        let over = attempt.t <= self.at && self.at <= attempt.t + attempt.h;
        if self.failed == 0 {
            self.before = stats.search_evaluations;
        }
        if over && !matches!(attempt.outcome, Outcome::Accepted { .. }) {
            self.failed += 1;
        }
    }

    fn on_event(&mut self, view: &mut View<'_>, after: After) -> Result<(), ObserverError> {
        self.searched = view.stats.search_evaluations - self.before;
        self.places.push(view.state().q[0]);
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

const TOLERANCES: [f64; 5] = [1e-3, 1e-4, 1e-5, 1e-6, 1e-8];

/// What is asked of a jump at a time: found once and nothing else, to 1e-6 of the steps before it, for few attempts and
/// evaluations.
fn complaint(
    method: &'static str,
    formulation: &'static str,
    tol: f64,
    secret: Secret,
) -> Option<String> {
    let Hidden::Time(at) = secret.hidden else {
        return Some("not at a time".into());
    };
    let force = secret.force;
    let (out, look) = run_and_look(method, formulation, tol, secret);
    let (located, rejected, searched) = (out.stats.located, look.failed, look.searched);
    let before = look.behind.iter().fold(0.0, |m: f64, h| m.max(*h));
    let found = look.log.happenings.iter().find(|h| h.kind == "found");
    let off = found.map_or(f64::INFINITY, |h| (h.t - at).abs());
    let case = format!(
        "{method} {tol:.0e} {force} at {at}: located {located} off {:.1e} rejected {rejected} searched {searched} of {} steps {}",
        off / before,
        out.stats.search_evaluations,
        out.stats.steps,
    );
    println!("{case}");
    let fine = located == 1 && off <= 1e-6 * before && rejected <= 3 && searched <= 40;
    (!fine).then_some(case)
}

#[test]
fn a_hidden_jump_is_found_for_few_evaluations() {
    let mut bad = Vec::new();
    for (method, formulation) in METHODS {
        for tol in TOLERANCES {
            for k in 0..8 {
                let hidden = Hidden::Time(0.913 + 0.025 * f64::from(k));
                let secret = Secret {
                    hidden,
                    force: 40.0,
                };
                bad.extend(complaint(method, formulation, tol, secret));
            }
        }
    }
    assert!(bad.is_empty(), "{} {bad:#?}", bad.len());
}

/// A place anywhere in the second half of the first period and beyond, behind a step that ends a hair before it among them.
fn anywhere(seed: &mut u64) -> f64 {
    *seed = (seed.wrapping_mul(6_364_136_223_846_793_005)).wrapping_add(1_442_695_040_888_963_407);
    0.6 + 0.9 * ((*seed >> 11) as f64 / (1u64 << 53) as f64)
}

/// Wherever it lies, also right behind the end of a step, and where an error estimate does not look: no force that is so
/// large is passed over.
#[test]
fn a_hidden_jump_is_found_anywhere() {
    let (mut bad, mut seed) = (Vec::new(), 2026);
    for (method, formulation) in METHODS {
        for tol in TOLERANCES {
            for force in [40.0, 60.0, 100.0] {
                for _ in 0..60 {
                    let hidden = Hidden::Time(anywhere(&mut seed));
                    let secret = Secret { hidden, force };
                    bad.extend(complaint(method, formulation, tol, secret));
                }
            }
        }
    }
    assert!(bad.is_empty(), "{} {bad:#?}", bad.len());
}

/// At loose tolerances a weak jump fails no test of some methods. Then it does not matter: the end is as far off as with
/// others, at most 48 tolerances in 7200 runs, 664 of which passed it unseen.
#[test]
fn a_weak_jump_that_is_not_seen_does_no_harm() {
    let (mut bad, mut seed) = (Vec::new(), 2027);
    let end = |method, formulation, tol, secret| {
        let mut setup = Setup::new(method, formulation, 2.0, tol);
        setup.plan.tolerances = Tolerances::relative(tol);
        let out = setup.run(&mut Small::new(secret), &mut EventLog::default());
        out.unwrap()
    };
    for (method, formulation) in METHODS {
        for tol in [1e-3, 1e-4] {
            for force in [2.0, 5.0, 10.0, 20.0] {
                for _ in 0..6 {
                    let hidden = Hidden::Time(anywhere(&mut seed));
                    let secret = Secret { hidden, force };
                    let exact = end("dop853", "projected", 1e-10, secret.clone()).state;
                    let out = end(method, formulation, tol, secret);
                    // of the size of the motion, and of ten times that in a second
                    let x = (out.state.q[0] - exact.q[0]).abs() / tol;
                    let v = (out.state.v[0] - exact.v[0]).abs() / (10.0 * tol);
                    let (off, located) = (x.max(v), out.stats.located);
                    let case = format!(
                        "{method} {tol:.0e} {force} {hidden:?}: {off:.1} located {located}"
                    );
                    println!("{case}");
                    if !(off < 100.0) {
                        bad.push(case);
                    }
                }
            }
        }
    }
    assert!(bad.is_empty(), "{} {bad:#?}", bad.len());
}

/// A force that begins to grow is no jump, however fast it grows.
#[test]
fn kinks_are_not_taken_for_jumps() {
    let mut seed = 17;
    for (method, formulation) in METHODS {
        for tol in TOLERANCES {
            for force in [40.0, 400.0, 4000.0] {
                for _ in 0..6 {
                    let hidden = Hidden::Kink(anywhere(&mut seed));
                    let (out, _) = run(method, formulation, tol, Secret { hidden, force });
                    assert_eq!(
                        out.stats.located, 0,
                        "{method} {tol:.0e} {force} {hidden:?}"
                    );
                }
            }
        }
    }
}

/// A light mass that follows at once, on a stiff damper: what leads up to the jump must be as stable as the steps are.
#[test]
fn a_hidden_jump_beside_a_stiff_damper_is_passed() {
    let end = |method, formulation, tol, at| {
        let mut setup = Setup::new(method, formulation, 2.0, tol);
        setup.plan.tolerances.atol = None;
        let ridden = Ridden {
            base: Secret {
                hidden: Hidden::Time(at),
                force: 40.0,
            },
            damping: 1e4,
        };
        let out = setup.run(&mut Small::new(ridden), &mut EventLog::default());
        out.unwrap()
    };
    for at in [0.913, 0.964, 1.03] {
        let exact = end("radau", "index3", 1e-11, at).state;
        for (method, formulation) in METHODS {
            // explicit methods do not go far here, the trapezoidal rule lets such a damper ring
            if matches!(method, "dopri5" | "dop853" | "adams" | "newmark") {
                continue;
            }
            for tol in [1e-3, 1e-5] {
                let out = end(method, formulation, tol, at);
                let s = out.state;
                assert_eq!(out.ending, Ending::Finished, "{method} {tol:.0e}");
                for i in 0..2 {
                    let (x, v) = ((s.q[i] - exact.q[i]) / tol, (s.v[i] - exact.v[i]) / tol);
                    // what methods of order 2 leave without jumps, too: 220 and 240
                    assert!(
                        x.abs() < 400.0 && v.abs() < 400.0,
                        "{method} {tol:.0e} {at} {i}: {x:.0} {v:.0}"
                    );
                }
            }
        }
    }
}

/// Where the jump depends on the motion, the past promises it only roughly; it is looked for again from
/// nearby. The motion passes the place five times; when that is hangs on the tolerance, where it is does not.
#[test]
fn a_hidden_jump_in_place_is_found() {
    let (place, passages) = (0.3, 5);
    let mut bad = Vec::new();
    for (method, formulation) in METHODS {
        for tol in TOLERANCES {
            let secret = Secret {
                hidden: Hidden::Place(place),
                force: 20.0,
            };
            let (out, look) = run_and_look(method, formulation, tol, secret);
            let s = out.stats;
            let off = look.places.iter().map(|x| (x - place).abs());
            let off = off.fold(0.0, f64::max);
            let case = format!(
                "{method} {tol:.0e}: located {} off {off:.1e} m rejected {} search {} steps {}",
                s.located,
                s.rejected + s.newton_failures,
                s.search_evaluations,
                s.steps
            );
            println!("{case}");
            // at loose tolerances some passages fail no test
            let enough = if tol > 1e-6 { 2 } else { passages };
            if s.located < enough || s.located > passages || !(off <= tol) {
                bad.push(case);
            }
        }
    }
    assert!(bad.is_empty(), "{} {bad:#?}", bad.len());
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
