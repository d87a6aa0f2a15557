//! Step and order control on fast, lightly damped vibrations: the elastic slider crank and a forced
//! oscillator, with the order limited to 2 and free.
//!
//! ```text
//!  cargo run --release -p linkwork-problems --example vibration
//! ```

use linkwork_dae::drive::{Flow, Observer, View};
use linkwork_dae::saddle::SaddleError;
use linkwork_dae::system::System;
use linkwork_problems::oscillator::Oscillator;
use linkwork_problems::slider_crank::SliderCrank;
use linkwork_problems::small::Small;
use linkwork_problems::study::{Outcome, Setup};

const CRANK: &str = include_str!("../reference/slider_crank_consistent.csv");

/// Sums the orders of accepted steps.
#[derive(Default)]
struct Orders(f64);

impl Observer for Orders {
    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, SaddleError> {
        self.0 += view.order as f64;
        Ok(Flow::Continue)
    }
}

fn run(setup: &Setup, sys: &mut dyn System) -> Result<(Outcome, f64), String> {
    let mut orders = Orders::default();
    let out = setup.run(sys, &mut orders)?;
    let mean = orders.0 / out.stats.steps.max(1) as f64;
    Ok((out, mean))
}

fn report(label: &str, error: &str, setup: &Setup, out: &Outcome, order: f64) {
    println!(
        "{label:24} {:8} kmax {} tol {:.0e}  steps {:6}  rejected {:5}  order {order:.1}  {error}  {}",
        setup.formulation,
        setup.max_order,
        setup.plan.tolerances.rtol,
        out.stats.steps,
        out.stats.rejected,
        out.notes.first().map_or("", |n| n)
    );
}

fn crank(formulation: &'static str, max_order: usize, tolerance: f64) -> Result<(), String> {
    let exact: Vec<f64> = CRANK
        .lines()
        .skip(1)
        .filter_map(|l| l.split(',').nth(1)?.parse().ok())
        .collect();
    let mut setup = Setup::new("bdf", formulation, 0.1, tolerance);
    setup.plan.tolerances.atol = None;
    setup.plan.max_attempts = 200_000;
    setup.max_order = max_order;
    let (out, order) = run(&setup, &mut Small::new(SliderCrank::default()))?;
    let error = |i: usize| ((out.state.q[i] - exact[i]) / exact[i]).abs();
    let worst = (0..7).map(error).fold(0.0, f64::max);
    let text = format!("digits {:.2}", -worst.log10());
    report("crank", &text, &setup, &out, order);
    Ok(())
}

fn oscillator(omega: f64, ratio: f64, max_order: usize, tolerance: f64) -> Result<(), String> {
    const T_END: f64 = 20.0;
    let problem = Oscillator { omega, ratio };
    let exact = problem.exact(T_END);
    let mut setup = Setup::new("bdf", "ggl", T_END, tolerance);
    setup.plan.tolerances.atol_v = Some(tolerance);
    setup.plan.max_attempts = 200_000;
    setup.max_order = max_order;
    let (out, order) = run(&setup, &mut Small::new(problem))?;
    let error = (0..2).map(|i| (out.state.q[i] - exact[i]).abs());
    let text = format!("error {:.0e}", error.fold(0.0, f64::max));
    let label = format!("omega {omega} ratio {ratio}");
    report(&label, &text, &setup, &out, order);
    Ok(())
}

fn main() -> Result<(), String> {
    for formulation in ["ggl", "index3"] {
        for max_order in [2, 5] {
            for k in 3..=6 {
                crank(formulation, max_order, 10f64.powi(-k))?;
            }
        }
    }
    if std::env::var("SC").is_ok() {
        return Ok(());
    }
    for (omega, ratio) in [
        (100.0, 0.0),
        (100.0, 0.01),
        (100.0, 0.1),
        (1000.0, 0.01),
        (1000.0, 0.3),
    ] {
        for tolerance in [1e-3, 1e-5] {
            for max_order in [2, 5] {
                oscillator(omega, ratio, max_order, tolerance)?;
            }
        }
    }
    Ok(())
}
