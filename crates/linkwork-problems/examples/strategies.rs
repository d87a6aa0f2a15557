//! Work of the Jacobian strategies on the carriage and the passenger car: what an evaluation, an
//! update and an iteration cost, counted and by the clock.
//!
//! ```text
//!  cargo run --release -p linkwork-problems --example strategies              both, every strategy
//!  valgrind --tool=callgrind --toggle-collect='strategies::counted*' \
//!      target/release/examples/strategies car partitioned                     instructions
//! ```
//!
//! Counts of single runs are luck: a third word multiplies the tolerances, 0.99 or 1.01, for others.

use linkwork_dae::system::System;
use linkwork_problems::car::Car;
use linkwork_problems::study::{Outcome, Setup, jacobians};
use linkwork_problems::train::{Declared, Train};
use std::time::Instant;

const REPEATS: u32 = 20;

fn setup(problem: &str, jacobian: &'static str, share: f64) -> Setup {
    let (t_end, rtol, atol) = match problem {
        "train" => (15.0, 1e-4, 1e-4),
        _ => (5.0, 1e-4, 1e-5),
    };
    let mut setup = Setup::new("bdf", "ggl", t_end, share * rtol);
    setup.plan.tolerances.atol = Some(share * atol);
    setup.plan.tolerances.atol_v = Some(share * atol);
    setup.jacobian = jacobian;
    setup
}

fn build(problem: &str) -> Box<dyn System> {
    match problem {
        "train" => Box::new(Train::new(Declared::Topology)),
        _ => Box::new(Car::new(0.003)),
    }
}

/// Start and steps.
#[inline(never)]
fn counted(setup: &Setup, sys: &mut dyn System) -> Result<Outcome, String> {
    setup.run(sys, &mut ())
}

fn report(problem: &str, jacobian: &'static str, share: f64, repeats: u32) -> Result<(), String> {
    let setup = setup(problem, jacobian, share);
    let mut best = f64::INFINITY;
    let mut last = None;
    for _ in 0..repeats {
        let mut sys = build(problem);
        let clock = Instant::now();
        last = Some(counted(&setup, &mut *sys)?);
        best = best.min(clock.elapsed().as_secs_f64());
    }
    let Some(out) = last else { return Ok(()) };
    let s = &out.stats;
    println!(
        "{problem:5} {jacobian:12} {:7.2} ms  {:4} steps, {:3} rejected  {:5} residuals + {:5} for {:3} \
         evaluations  {:4} updates, {:4} kept, {:4} factorisations, {:4} iterations",
        1e3 * best,
        s.steps,
        s.rejected,
        s.residual_evaluations,
        s.residual_evaluations_for_jacobians,
        s.jacobian_evaluations,
        s.jacobian_updates,
        s.factors_kept,
        s.factorisations,
        s.newton_iterations,
    );
    Ok(())
}

fn main() -> Result<(), String> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [problem, jacobian, ..] = &args[..] {
        let name = jacobians().find(|name| name == jacobian);
        let name = name.ok_or_else(|| format!("no strategy is called `{jacobian}`"))?;
        let share = args.get(2).map_or(Ok(1.0), |x| x.parse());
        let share = share.map_err(|e| format!("share of the tolerance: {e}"))?;
        return report(problem, name, share, 1);
    }
    for problem in ["train", "car"] {
        for jacobian in ["classical", "dense", "grouped", "partitioned", "extended"] {
            report(problem, jacobian, 1.0, REPEATS)?;
        }
    }
    Ok(())
}
