//! Step and order control on fast, lightly damped vibrations: the elastic slider crank, a forced
//! oscillator and a chain of pendulums.
//!
//! ```text
//!  cargo run --release -p linkwork-problems --example vibration [WORDS]
//! ```
//!
//! Prints the lines whose label contains the words: steps, rejected attempts, digits or the error in
//! tolerances at the end, steps at orders 1 to 5, and what the stability watch did. Tolerances of
//! the crank are `scaled` (absolute ones from the sizes of the coordinates) or `equal`.

use linkwork_dae::drive::{Ending, Flow, Observer, ObserverError, View};
use linkwork_dae::system::System;
use linkwork_problems::chain::Chain;
use linkwork_problems::oscillator::Oscillator;
use linkwork_problems::slider_crank::{SliderCrank, Start};
use linkwork_problems::small::Small;
use linkwork_problems::study::Setup;

/// Counts accepted steps by order.
#[derive(Default)]
struct Orders([u64; 6]);

impl Observer for Orders {
    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        self.0[view.order.min(5)] += 1;
        Ok(Flow::Continue)
    }
}

/// The numbers of a column.
fn column(table: &str, column: usize) -> Vec<f64> {
    let lines = table.lines().skip(1);
    let number = |l: &str| l.split(',').nth(column)?.parse().ok();
    lines.filter_map(number).collect()
}

/// How the positions at the end are compared.
enum Measure {
    Digits,
    Tolerances,
}

/// Runs and prints one line if it is wanted.
fn line(
    label: &str,
    setup: &Setup,
    sys: &mut dyn System,
    exact: &[f64],
    measure: &Measure,
) -> Result<(), String> {
    let wanted = std::env::args().skip(1).collect::<Vec<_>>().join(" ");
    if !label.contains(&wanted) {
        return Ok(());
    }
    let mut setup = setup.clone();
    setup.plan.max_attempts = 200_000;
    let mut orders = Orders::default();
    let out = setup.run(sys, &mut orders)?;
    let t = &setup.plan.tolerances;
    let unit = |exact: f64| match measure {
        Measure::Digits => exact.abs(),
        Measure::Tolerances => t.rtol * exact.abs() + t.atol.unwrap_or(0.0),
    };
    let errors = out.state.q.iter().zip(exact);
    let worst = errors.fold(0.0f64, |m, (q, e)| m.max((q - e).abs() / unit(*e)));
    let end = match (&out.ending, measure) {
        (Ending::Finished, Measure::Digits) => format!("digits {:5.2}", -worst.log10()),
        (Ending::Finished, Measure::Tolerances) => format!("error {worst:6.1}"),
        _ => "too long    ".to_string(),
    };
    println!(
        "{label:34} steps {:6}  rejected {:5}  {end}  orders {:?}  {}",
        out.stats.steps,
        out.stats.rejected,
        &orders.0[1..],
        out.notes.first().map_or("", |n| n)
    );
    Ok(())
}

fn crank() -> Result<(), String> {
    let cases = [
        (
            "linear",
            SliderCrank::default(),
            include_str!("../reference/slider_crank_consistent.csv"),
        ),
        (
            "nonlinear",
            SliderCrank {
                start: Start::Published,
                nonlinear: true,
                damped: false,
            },
            include_str!("../reference/slider_crank_nonlinear.csv"),
        ),
        (
            "from rest",
            SliderCrank {
                start: Start::Rest,
                ..SliderCrank::default()
            },
            include_str!("../reference/slider_crank_rest.csv"),
        ),
    ];
    let scaled = [1e-3, 1e-4, 1e-5, 1e-6].map(|t| ("scaled", t));
    let equal = [1e-6, 1e-7, 3.2e-8, 1e-8, 1e-9, 1e-10].map(|t| ("equal", t));
    for (name, problem, table) in cases {
        let exact = &column(table, 1)[..7];
        for formulation in ["ggl", "index1", "index3"] {
            for (kind, tolerance) in scaled.into_iter().chain(equal) {
                let mut setup = Setup::new("bdf", formulation, 0.1, tolerance);
                if kind == "scaled" {
                    setup.plan.tolerances.atol = None;
                }
                let label = format!("crank {name} {formulation} {kind} {tolerance:.1e}");
                let mut sys = Small::new(problem.clone());
                line(&label, &setup, &mut sys, exact, &Measure::Digits)?;
            }
        }
    }
    Ok(())
}

fn oscillators() -> Result<(), String> {
    for omega in [10.0, 100.0, 1000.0] {
        for ratio in [0.0, 1e-3, 1e-2] {
            for tolerance in [1e-3, 1e-4, 1e-6, 1e-8] {
                let problem = Oscillator { omega, ratio };
                let exact = problem.exact(20.0);
                let mut setup = Setup::new("bdf", "ggl", 20.0, tolerance);
                setup.plan.tolerances.atol_v = Some(tolerance);
                let label = format!("oscillator {omega} {ratio} {tolerance:.0e}");
                let mut sys = Small::new(problem);
                line(&label, &setup, &mut sys, &exact, &Measure::Tolerances)?;
            }
        }
    }
    Ok(())
}

fn chain() -> Result<(), String> {
    const N: usize = 14;
    let exact = &column(include_str!("../reference/chain_n14.csv"), 4)[..N];
    for tolerance in [1e-3, 1e-4, 1e-5, 1e-6] {
        let mut setup = Setup::new("bdf", "ggl", 200.0, tolerance);
        setup.plan.tolerances.atol = Some(0.01 * tolerance);
        setup.plan.tolerances.atol_v = Some(0.01 * tolerance);
        let label = format!("chain {N} {tolerance:.0e}");
        let mut sys = Chain::new(N, std::f64::consts::TAU * 0.05, 0.0);
        line(&label, &setup, &mut sys, exact, &Measure::Tolerances)?;
    }
    Ok(())
}

fn main() -> Result<(), String> {
    crank()?;
    oscillators()?;
    chain()
}
