//! Observed orders of convergence on a rheonomic DAE with configuration-dependent mass.
//!
//! The reference is a classical Runge-Kutta solution that shares nothing with the steppers but the
//! equations. Steps climb gently from a tiny first one, so that the start at order 1 leaves no
//! trace; then they are constant or alternate.

use linkwork_dae::control::{StepController, Verdict};
use linkwork_dae::state::State;
use linkwork_dae::stepper::{Choice, Trial};
use linkwork_problems::rheonomic::Rheonomic;
use linkwork_problems::small::Small;
use linkwork_problems::study::{Setup, runge_kutta};

const T_END: f64 = 1.5;

/// Climbs to step `h` and order `order`, then repeats `pattern` times `h`.
struct Climb {
    h: f64,
    order: usize,
    growth: f64,
    pattern: &'static [f64],
    base: f64,
    count: usize,
}

impl StepController for Climb {
    fn judge(&mut self, trial: &Trial, _: f64) -> Verdict {
        self.base = (self.base * self.growth).min(self.h);
        let ratio = if self.base < self.h {
            1.0
        } else {
            self.count += 1;
            self.pattern[self.count % self.pattern.len()]
        };
        Verdict::Accept(Choice {
            h: ratio * self.base,
            order: (trial.order + 1).min(self.order),
        })
    }

    fn start(&mut self, _: f64) -> Choice {
        Choice {
            h: self.base,
            order: self.order.min(1),
        }
    }
}

fn solve(method: &'static str, formulation: &'static str, order: usize, h: f64, first: f64, pattern: &'static [f64]) -> State {
    let mut sys = Small::new(Rheonomic);
    // the tolerance only sets how far the corrector iterates
    let setup = Setup::new(method, formulation, T_END, 1e-11);
    let start = setup.start(&mut sys).unwrap();
    let climb = Climb {
        h,
        order,
        growth: 1.1,
        pattern,
        base: first,
        count: 0,
    };
    let out = setup.run_from(&mut sys, &start, Box::new(climb), &mut ()).unwrap();
    assert_eq!(out.ending, linkwork_dae::drive::Ending::Finished);
    out.state
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Observed orders of q, v and lambda between the last two step sizes.
fn orders(method: &'static str, formulation: &'static str, order: usize, h: f64, first: f64, pattern: &'static [f64]) -> [f64; 3] {
    let mut sys = Small::new(Rheonomic);
    let start = Setup::new(method, formulation, T_END, 1e-11).start(&mut sys).unwrap();
    let exact = runge_kutta(&mut sys, &start, T_END, 20_000).unwrap();
    let error = |h| {
        let s = solve(method, formulation, order, h, first, pattern);
        [
            distance(&s.q, &exact.q),
            distance(&s.v, &exact.v),
            distance(&s.lambda, &exact.lambda),
        ]
    };
    let (coarse, fine) = (error(h), error(0.5 * h));
    let mut p = [0.0; 3];
    for i in 0..3 {
        p[i] = (coarse[i] / fine[i]).log2();
    }
    println!("{method} {formulation} order {order}: errors {coarse:.2e?} {fine:.2e?} orders {p:.2?}");
    p
}

#[test]
fn bdf_has_the_order_of_its_formula() {
    for order in 1..=5 {
        // steps where the error is asymptotic and still far above rounding
        let h = [0.002, 0.004, 0.01, 0.016, 0.02][order - 1];
        for formulation in ["ggl", "index3"] {
            let p = orders("bdf", formulation, order, h, 1e-8, &[1.0]);
            let checked = if formulation == "ggl" { 3 } else { 2 };
            for (what, p) in ["q", "v", "lambda"].iter().zip(p).take(checked) {
                assert!((p - order as f64).abs() < 0.25, "{formulation} k={order} {what}: {p:.2}");
            }
        }
    }
}

#[test]
fn generalised_alpha_is_second_order_for_constant_and_alternating_steps() {
    for formulation in ["index3", "ggl"] {
        for pattern in [&[1.0][..], &[1.5, 0.5]] {
            let p = orders("gen-alpha", formulation, 2, 0.005, 0.005, pattern);
            for (what, p) in ["q", "v"].iter().zip(p) {
                assert!((p - 2.0).abs() < 0.25, "{formulation} {pattern:?} {what}: {p:.2}");
            }
        }
    }
}
