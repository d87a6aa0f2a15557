//! Work against accuracy on the squeezing mechanism and the elastic slider crank.
//!
//! ```text
//!  cargo bench -p linkwork-problems --bench work                 every variant, wall time
//!  valgrind --tool=callgrind --toggle-collect='work::counted*' \
//!      target/release/deps/work-* VARIANT TOLERANCE              instructions: start and steps
//! ```
//!
//! VARIANT is `angles` (7 angles, 6 constraints, by hand), `bodies` (7 bodies, 10 revolute joints) or
//! `crank` (elastic slider crank, consistent start), a method and a formulation, joined by commas:
//! `angles,bdf,ggl`; a Jacobian strategy and a linear solver may follow: `angles,bdf,ggl,dense,sparse`.
//! With `work::integrate*` callgrind collects the steps alone. Digits are those of the worst relative
//! error of the positions (of the crank angle for bodies) at the end. `docs/benchmarks.py` makes the
//! tables of `docs/benchmarks.md` from such runs.

use linkwork_dae::drive::Ending;
use linkwork_dae::system::System;
use linkwork_problems::andrews::Andrews;
use linkwork_problems::slider_crank::SliderCrank;
use linkwork_problems::small::Small;
use linkwork_problems::study::{Outcome, Setup};
use std::time::Instant;

const SQUEEZER: &str = include_str!("../../../models/squeezer.toml");
const ANDREWS: &str = include_str!("../reference/andrews.csv");
const CRANK: &str = include_str!("../reference/slider_crank_consistent.csv");

/// The seven positions at the end.
fn reference(table: &str) -> Vec<f64> {
    table
        .lines()
        .skip(1)
        .filter_map(|l| l.split(',').nth(1)?.parse().ok())
        .take(7)
        .collect()
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Problem {
    Angles,
    Bodies,
    Crank,
}

/// One problem with one method.
struct Variant {
    problem: Problem,
    method: &'static str,
    formulation: &'static str,
    jacobian: &'static str,
    linear: &'static str,
}

impl Variant {
    fn parse(text: &'static str) -> Option<Variant> {
        let mut parts = text.split(',');
        Some(Variant {
            problem: match parts.next()? {
                "angles" => Problem::Angles,
                "bodies" => Problem::Bodies,
                "crank" => Problem::Crank,
                _ => return None,
            },
            method: parts.next()?,
            formulation: parts.next()?,
            jacobian: parts.next().unwrap_or("exact"),
            linear: parts.next().unwrap_or("sparse"),
        })
    }

    fn name(&self) -> &'static str {
        match self.problem {
            Problem::Angles => "angles",
            Problem::Bodies => "bodies",
            Problem::Crank => "crank ",
        }
    }

    fn system(&self) -> Result<Box<dyn System>, String> {
        match self.problem {
            Problem::Angles => return Ok(Box::new(Andrews::default())),
            Problem::Crank => return Ok(Box::new(Small::new(SliderCrank::default()))),
            Problem::Bodies => {}
        }
        let document = linkwork_mbs::text::read(SQUEEZER).map_err(|e| format!("{e:?}"))?;
        let system = linkwork_mbs::assemble(&document.model).map_err(|e| format!("{e:?}"))?;
        Ok(Box::new(system))
    }

    fn setup(&self, tolerance: f64) -> Setup {
        let t_end = if self.problem == Problem::Crank {
            0.1
        } else {
            0.03
        };
        let mut setup = Setup::new(self.method, self.formulation, t_end, tolerance);
        (setup.jacobian, setup.linear) = (self.jacobian, self.linear);
        if self.problem == Problem::Bodies {
            // metres and radians: absolute tolerances from the size of the mechanism
            setup.plan.tolerances.atol = None;
        }
        setup
    }

    fn digits(&self, sys: &dyn System, out: &Outcome) -> f64 {
        let exact = reference(match self.problem {
            Problem::Crank => CRANK,
            _ => ANDREWS,
        });
        let errors: Vec<f64> = if self.problem == Problem::Bodies {
            let crank = (0..sys.dims().nv).find(|&i| {
                sys.describe(linkwork_dae::system::Row::Position(i)) == "body `crank`, angle"
            });
            crank
                .map(|i| (out.state.q[i] - exact[0]) / exact[0])
                .into_iter()
                .collect()
        } else {
            (0..7)
                .map(|i| (out.state.q[i] - exact[i]) / exact[i])
                .collect()
        };
        let worst = errors.iter().map(|e| e.abs()).fold(0.0, f64::max);
        -worst.log10()
    }
}

/// Consistent start and integration: what a run costs besides reading the model and writing.
#[inline(never)]
fn counted(setup: &Setup, sys: &mut dyn System) -> Result<Outcome, String> {
    let start = setup.start(sys)?;
    integrate(setup, sys, &start)
}

/// The integration alone.
#[inline(never)]
fn integrate(
    setup: &Setup,
    sys: &mut dyn System,
    start: &linkwork_dae::initial::Start,
) -> Result<Outcome, String> {
    setup.run_from(sys, start, setup.controller()?, &mut ())
}

fn report(variant: &Variant, tolerance: f64, repeat: usize) -> Result<(), String> {
    let setup = variant.setup(tolerance);
    let mut best = f64::INFINITY;
    let mut last = None;
    for _ in 0..repeat {
        let mut sys = variant.system()?;
        let begin = Instant::now();
        let out = counted(&setup, &mut *sys)?;
        best = best.min(begin.elapsed().as_secs_f64());
        last = Some((sys, out));
    }
    let Some((sys, out)) = last else {
        return Ok(());
    };
    if out.ending != Ending::Finished {
        println!(
            "{} {:9} {:6} tol {tolerance:.1e}  not finished: reached t = {:.3e} in {} steps",
            variant.name(),
            variant.method,
            variant.formulation,
            out.state.t,
            out.stats.steps,
        );
        return Ok(());
    }
    println!(
        "{} {:9} {:6} tol {tolerance:.1e}  digits {:5.2}  steps {:5}  residuals {:5}  factorisations {:5}  {:8.3} ms",
        variant.name(),
        variant.method,
        variant.formulation,
        variant.digits(&*sys, &out),
        out.stats.steps,
        out.stats.residual_evaluations,
        out.stats.factorisations,
        1e3 * best
    );
    Ok(())
}

fn main() -> Result<(), String> {
    let args: &'static [String] = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with("--"))
        .collect::<Vec<_>>()
        .leak();
    if let [variant, tolerance, ..] = args {
        let variant = Variant::parse(variant).ok_or("VARIANT: angles,bdf,ggl and the like")?;
        let tolerance: f64 = tolerance.parse().map_err(|e| format!("{tolerance}: {e}"))?;
        return report(&variant, tolerance, 1);
    }
    for problem in [Problem::Angles, Problem::Bodies] {
        for (method, formulation) in [("bdf", "ggl"), ("bdf", "index3"), ("gen-alpha", "index3")] {
            let variant = Variant {
                problem,
                method,
                formulation,
                jacobian: "exact",
                linear: "sparse",
            };
            for k in 6..=18 {
                report(&variant, 10f64.powf(-0.5 * f64::from(k)), 20)?;
            }
        }
    }
    Ok(())
}
