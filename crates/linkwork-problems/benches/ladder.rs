//! What each Jacobian strategy costs on the three systems of Arnold, Fuchs & Fuehrer (2006).
//!
//! ```text
//!  cargo bench -p linkwork-problems --bench ladder                    every system and strategy
//!  cargo bench -p linkwork-problems --bench ladder -- car extended    one of them
//!  valgrind --tool=callgrind --toggle-collect='ladder::counted*' \
//!      target/release/deps/ladder-* count car extended 0              instructions: start and steps
//! ```
//!
//! `train` (railway carriage, 98 equations), `chain` (14 pendulums; without constraints the stabilised
//! form is that of first order in 28 unknowns) and `car` (30 joint coordinates, 92 equations), each with
//! the tolerances of the paper and `bdf`. Where steps are at a stability limit, counts change with the
//! last digit of the tolerance, so a table takes medians: the last word moves the tolerance by so many
//! millionths. `python3 docs/benchmarks.py ladder` makes the table of `docs/benchmarks.md`.

use linkwork_dae::drive::Ending;
use linkwork_dae::state::State;
use linkwork_dae::system::System;
use linkwork_problems::car::Car;
use linkwork_problems::chain::Chain;
use linkwork_problems::study::{Outcome, Setup, jacobians};
use linkwork_problems::train::{Declared, Train};

const CHAIN: &str = include_str!("../reference/chain_n14.csv");

/// One system with its tolerances.
struct Case {
    name: &'static str,
    t_end: f64,
    rtol: f64,
    atol: f64,
    build: fn() -> Box<dyn System>,
}

const CASES: [Case; 3] = [
    Case {
        name: "train",
        t_end: 15.0,
        rtol: 1e-4,
        atol: 1e-4,
        build: || Box::new(Train::new(Declared::Topology)),
    },
    Case {
        name: "chain",
        t_end: 200.0,
        rtol: 1e-4,
        atol: 1e-6,
        build: || Box::new(Chain::new(14, std::f64::consts::TAU * 0.05, 0.0)),
    },
    Case {
        name: "car",
        t_end: 5.0,
        rtol: 1e-4,
        atol: 1e-5,
        build: || Box::new(Car::new(0.003)),
    },
];

impl Case {
    fn setup(&self, strategy: &'static str, share: f64) -> Setup {
        let mut setup = Setup::new("bdf", "ggl", self.t_end, share * self.rtol);
        setup.plan.tolerances.atol = Some(share * self.atol);
        setup.plan.tolerances.atol_v = Some(share * self.atol);
        setup.jacobian = strategy;
        setup
    }

    /// Positions at the end: published ones, or those of a run a thousand times tighter.
    fn exact(&self) -> Result<Vec<f64>, String> {
        if self.name == "chain" {
            let last = |line: &str| line.split(',').nth(4)?.parse().ok();
            return Ok(CHAIN.lines().skip(1).filter_map(last).take(14).collect());
        }
        let setup = self.setup("partitioned", 1e-3);
        Ok(setup.run(&mut *(self.build)(), &mut ())?.state.q)
    }

    /// Worst error of a position in tolerances.
    fn error(&self, s: &State, exact: &[f64]) -> f64 {
        (s.q.iter().zip(exact)).fold(0.0, |m: f64, (q, e)| {
            m.max((q - e).abs() / (self.rtol * e.abs() + self.atol))
        })
    }
}

/// Consistent start and integration.
#[inline(never)]
fn counted(setup: &Setup, sys: &mut dyn System) -> Result<Outcome, String> {
    setup.run(sys, &mut ())
}

fn run(case: &Case, strategy: &'static str, millionths: u32) -> Result<Outcome, String> {
    let setup = case.setup(strategy, 1.0 + 1e-6 * f64::from(millionths));
    let mut sys = (case.build)();
    let out = counted(&setup, &mut *sys)?;
    match out.ending {
        Ending::Finished => Ok(out),
        Ending::Failed(why) => Err(format!("stopped at t = {}: {:?}", why.t, why.cause)),
        Ending::Stopped => Err("stopped".into()),
    }
}

fn report(case: &Case, strategy: &'static str, millionths: u32, exact: &[f64]) {
    let out = match run(case, strategy, millionths) {
        Ok(out) => out,
        Err(e) => return println!("{:6} {strategy:12} {e}", case.name),
    };
    let s = &out.stats;
    println!(
        "{:6} {strategy:12} error {:7.2}  steps {:5}  residuals {:6}  for Jacobians {:6}  evaluations {:5}  \
         updates {:5}  factorisations {:5}",
        case.name,
        case.error(&out.state, exact),
        s.steps,
        s.residual_evaluations,
        s.residual_evaluations_for_jacobians,
        s.jacobian_evaluations,
        s.jacobian_updates,
        s.factorisations,
    );
}

fn main() -> Result<(), String> {
    let args: Vec<String> = (std::env::args().skip(1))
        .filter(|a| !a.starts_with("--"))
        .collect();
    let mut words: Vec<&str> = args.iter().map(|a| &**a).collect();
    let count = words.first() == Some(&"count");
    if count {
        words.remove(0);
    }
    let named = |name: &str| words.first().is_none_or(|w| *w == name);
    let millionths = words.get(2).and_then(|w| w.parse().ok()).unwrap_or(0);
    for case in CASES.iter().filter(|c| named(c.name)) {
        let exact = if count { Vec::new() } else { case.exact()? };
        for name in jacobians().chain(["auto"]) {
            if words.get(1).is_some_and(|w| *w != name) {
                continue;
            }
            if count {
                run(case, name, millionths)?;
            } else {
                report(case, name, millionths, &exact);
            }
        }
    }
    Ok(())
}
