//! How cost grows with the number of bodies: chains of rods in absolute coordinates.
//!
//! ```text
//!  cargo bench -p linkwork-problems --bench scale [N ...]
//! ```
//!
//! Microseconds per body: one residual, one residual with all derivative blocks, one step of BDF in
//! the index-3 form (predictor, blocks, factorisation, solve, error); then the start of the run and
//! the largest memory so far.

use linkwork_dae::drive::{Ending, Flow, Observer, ObserverError, View};
use linkwork_dae::system::{Blocks, Parts, System, Terms};
use linkwork_mbs::assemble;
use linkwork_problems::rod_chain::rod_chain;
use linkwork_problems::study::Setup;
use std::time::Instant;

/// Steps that are timed, after as many that are not.
const STEPS: usize = 30;

struct Watch {
    steps: usize,
    since: Instant,
    seconds: f64,
}

impl Observer for Watch {
    fn on_step(&mut self, _: &mut View<'_>) -> Result<Flow, ObserverError> {
        self.steps += 1;
        if self.steps == STEPS {
            self.since = Instant::now();
        }
        if self.steps == 2 * STEPS {
            self.seconds = self.since.elapsed().as_secs_f64() / STEPS as f64;
            return Ok(Flow::Stop);
        }
        Ok(Flow::Continue)
    }
}

/// Shortest of a few timings of `work`, each over enough repetitions to matter.
fn shortest(bodies: usize, mut work: impl FnMut()) -> f64 {
    let repeat = (200_000 / bodies).max(1);
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let since = Instant::now();
        for _ in 0..repeat {
            work();
        }
        best = best.min(since.elapsed().as_secs_f64() / repeat as f64);
    }
    best
}

/// Largest resident memory of this process, MiB, where the system tells.
fn memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with("VmHWM:"))?;
    let kib: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib / 1024.0)
}

fn measure(n: usize, formulation: &'static str) -> Result<(), String> {
    let mut sys = assemble(&rod_chain(n)).map_err(|e| e.message)?;
    let setup = Setup::new("bdf", formulation, 0.3, 1e-4);
    let since = Instant::now();
    let start = setup.start(&mut sys)?;
    let started = since.elapsed().as_secs_f64();

    let dims = sys.facts().dims;
    let mut blocks = Blocks::new(&sys.facts().patterns);
    let (mut r, mut c) = (vec![0.0; dims.nv], vec![0.0; dims.nc]);
    let mut failure = None;
    let residual = shortest(n, || {
        let mut want = Terms {
            r: Some(&mut r),
            c: Some(&mut c),
            ..Terms::default()
        };
        failure = sys.eval(&start.state.at(), &mut want).err();
    });
    let with_blocks = shortest(n, || {
        let mut want = Terms {
            r: Some(&mut r),
            c: Some(&mut c),
            ..Terms::default()
        };
        failure = (sys.linearise(&start.state.at(), &mut want, Parts::ALL, &mut blocks)).err();
    });
    if let Some(e) = failure {
        return Err(e.to_string());
    }
    let mut watch = Watch {
        steps: 0,
        since: Instant::now(),
        seconds: f64::NAN,
    };
    let out = setup.run_from(&mut sys, &start, setup.controller()?, &mut watch)?;
    if watch.seconds.is_nan() && !matches!(out.ending, Ending::Finished) {
        return Err(format!("the run ended early: {:?}", out.ending));
    }
    let per_body = 1e6 / n as f64;
    println!(
        "{n:7} {formulation:7} {:9.4} {:9.4} {:9.3} {:9.2} s {:7.0} MiB",
        residual * per_body,
        with_blocks * per_body,
        watch.seconds * per_body,
        started,
        memory().unwrap_or(f64::NAN),
    );
    Ok(())
}

fn main() -> Result<(), String> {
    let mut sizes: Vec<usize> = (std::env::args().skip(1))
        .filter_map(|a| a.parse().ok())
        .collect();
    if sizes.is_empty() {
        sizes = vec![100, 1000, 10_000];
    }
    println!("     N form     residual    blocks      step    start       memory   (us per body)");
    for n in sizes {
        for formulation in ["index3", "ggl"] {
            measure(n, formulation)?;
        }
    }
    Ok(())
}
