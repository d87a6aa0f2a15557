//! Work against accuracy on chains of rods.
//!
//! ```text
//!  cargo bench -p linkwork-problems --bench rods [N ...]
//! ```
//!
//! Digits are those of the worst absolute error of the angles at t = 0.3 s, against a run of our own
//! at a tolerance a thousand times tighter than the tightest shown. Processor time of the integration
//! without the start, the smallest of five batches of runs (one run for long chains).

mod timing;

use linkwork_dae::drive::Ending;
use linkwork_dae::state::Tolerances;
use linkwork_dae::system::System;
use linkwork_mbs::assemble;
use linkwork_mbs::tree::joint_coordinates::Form;
use linkwork_problems::rod_chain::{rod_chain, rod_chain_in_angles};
use linkwork_problems::study::{Outcome, Setup};
use std::time::Instant;
use timing::processor_seconds;

const T_END: f64 = 0.3;

/// What the chain is described by.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Coordinates {
    /// Positions and angles of the rods.
    Bodies,
    /// Angles of the hinges.
    Angles,
}
use Coordinates::{Angles, Bodies};

fn run(
    n: usize,
    coordinates: Coordinates,
    method: (&'static str, &'static str),
    tolerance: f64,
    batches: u32,
) -> Result<(Outcome, f64), String> {
    let (mut bodies, mut hinges);
    let sys: &mut dyn System = match coordinates {
        Bodies => {
            bodies = assemble(&rod_chain(n)).map_err(|e| e.message)?;
            &mut bodies
        }
        Angles => {
            hinges = rod_chain_in_angles(n, Form::Cheaper).map_err(|e| e.message)?;
            &mut hinges
        }
    };
    let mut setup = Setup::new(method.0, method.1, T_END, tolerance);
    setup.plan.tolerances = Tolerances::relative(tolerance);
    let start = setup.start(sys)?;
    let mut finished = || -> Result<Outcome, String> {
        let out = setup.run_from(sys, &start, setup.controller()?, &mut ())?;
        match out.ending {
            Ending::Finished => Ok(out),
            other => Err(format!("{method:?} at {tolerance:.0e}: {other:?}")),
        }
    };
    let clock = Instant::now();
    let mut out = finished()?;
    // the processor's own count has steps of some milliseconds: short runs are repeated
    let runs = (0.08 / clock.elapsed().as_secs_f64()).clamp(1.0, 500.0) as u32;
    let mut seconds = f64::INFINITY;
    for _ in 0..batches {
        let before = processor_seconds(&clock);
        for _ in 0..runs {
            out = finished()?;
        }
        seconds = seconds.min((processor_seconds(&clock) - before) / f64::from(runs));
    }
    Ok((out, seconds))
}

/// Angles of the rods.
fn angles(coordinates: Coordinates, out: &Outcome) -> Vec<f64> {
    let mut turned = 0.0;
    match coordinates {
        Bodies => out.state.q.iter().skip(2).step_by(3).copied().collect(),
        Angles => (out.state.q.iter())
            .map(|q| {
                turned += q;
                turned
            })
            .collect(),
    }
}

/// Of the worst difference.
fn digits(a: &[f64], b: &[f64]) -> f64 {
    let apart = a.iter().zip(b).map(|(a, b)| (a - b).abs());
    -apart.fold(0.0, f64::max).log10()
}

/// Time for given digits: between the two runs that enclose them the logarithm of time is taken as
/// linear in the digits, as it is for a method of fixed order. Runs that another one beats in both do
/// not count.
fn time_for(target: f64, runs: &[(f64, f64)]) -> Option<f64> {
    let mut best: Vec<(f64, f64)> = (runs.iter().copied())
        .filter(|a| !runs.iter().any(|b| b.0 >= a.0 && b.1 < a.1))
        .collect();
    best.sort_by(|a, b| a.0.total_cmp(&b.0));
    let above = best.iter().position(|r| r.0 >= target)?;
    let (digits, ms) = best[above];
    let Some(below) = above.checked_sub(1) else {
        return Some(ms);
    };
    let share = (target - best[below].0) / (digits - best[below].0);
    Some(best[below].1 * (ms / best[below].1).powf(share))
}

fn main() -> Result<(), String> {
    let mut sizes: Vec<usize> = (std::env::args().skip(1))
        .filter_map(|a| a.parse().ok())
        .collect();
    if sizes.is_empty() {
        sizes = vec![16, 64, 256];
    }
    for n in sizes {
        let large = n > 500;
        let batches = if large { 1 } else { 5 };
        let (tight, other) = if large { (1e-9, 1e-8) } else { (1e-11, 1e-10) };
        let reference = angles(Bodies, &run(n, Bodies, ("bdf", "ggl"), tight, 0)?.0);
        // other coordinates, other method: what both agree on is the motion
        let check = angles(
            Angles,
            &run(n, Angles, ("dop853", "projected"), other, 0)?.0,
        );
        let agreed = digits(&reference, &check);
        println!("N = {n}: two references agree to {agreed:.1} digits");
        println!("coordinates, method, form, tolerance, digits, steps, rejected, ms");
        for (coordinates, method) in [
            (Bodies, ("bdf", "index3")),
            (Bodies, ("bdf", "ggl")),
            (Bodies, ("dop853", "projected")),
            (Bodies, ("dopri5", "projected")),
            (Angles, ("bdf", "index3")),
            (Angles, ("bdf", "ggl")),
            (Angles, ("dop853", "projected")),
            (Angles, ("dopri5", "projected")),
        ] {
            let mut runs = Vec::new();
            for exponent in 3..=(if large { 6 } else { 8 }) {
                let tolerance = 10f64.powi(-exponent);
                let (out, seconds) = match run(n, coordinates, method, tolerance, batches) {
                    Ok(done) => done,
                    Err(e) => {
                        println!("{e}");
                        continue;
                    }
                };
                let digits = digits(&angles(coordinates, &out), &reference);
                runs.push((digits, 1e3 * seconds));
                println!(
                    "{coordinates:?} {:8} {:9} {tolerance:.0e} {:6.2} {:6} {:5} {:9.2}",
                    method.0,
                    method.1,
                    digits,
                    out.stats.steps,
                    out.stats.rejected,
                    1e3 * seconds
                );
            }
            print!("ms for digits:");
            for target in 3..=8 {
                if let Some(ms) = time_for(f64::from(target), &runs) {
                    print!("  {target}: {ms:.2}");
                }
            }
            println!();
        }
    }
    Ok(())
}
