//! Example systems against single models of the same, by tolerance, and what a co-simulation tells.

mod systems;

use linkwork::Verdict;
use linkwork::cosim::CosimOptions;
use systems::{distance, reference, run, system, tolerance, whole};

#[test]
#[ignore = "measures"]
fn measure() {
    for name in ["lorry", "two_mass", "chain"] {
        let (text, pairs) = whole(name);
        let s = system(name, &[]);
        let t_end = s.options().t_end.unwrap();
        let exact = reference(&text, t_end);
        for approach in ["extrapolation", "interpolation"] {
            for degree in [2, 3] {
                for rtol in [1e-3, 1e-4, 1e-5, 1e-6, 1e-7] {
                    let mut o = tolerance(rtol);
                    o.degree = Some(degree);
                    o.approach = Some(approach.into());
                    let run = run(&s, &o);
                    let r = run.report.as_ref().unwrap();
                    let e = distance(&run, &exact, &pairs);
                    println!(
                        "{name} {approach} {degree} {rtol:e}: {e:.2e} = {:.1} tol, {} steps {} rejected, micro {:?}, {:.0} ms {:?}",
                        e / rtol,
                        r.accepted,
                        r.rejected,
                        run.parts.iter().map(|p| p.stats.steps).sum::<u64>(),
                        1e3 * run.wall_seconds,
                        run.doubts
                    );
                }
            }
        }
    }
}
