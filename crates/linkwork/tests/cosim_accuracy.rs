//! Errors of co-simulations of the example systems against single models of the same: proportional to
//! the tolerance, below a stated number of tolerances, with fewer steps than constant ones.

mod systems;

use linkwork::Verdict;
use systems::{FACTOR, distance, reference, run, system, tolerance, whole};

const TOLERANCES: [f64; 5] = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7];

/// The factor holds for all tolerances, with a verdict without doubts; returns the errors in tolerances.
fn keeps_its_tolerance(name: &str, degree: usize, approach: &str, tolerances: &[f64]) -> Vec<f64> {
    let (text, pairs) = whole(name);
    let system = system(name, &[]);
    let exact = reference(&text, system.options().t_end.unwrap());
    let errors = tolerances.iter().map(|&rtol| {
        let mut options = tolerance(rtol);
        options.degree = Some(degree);
        options.approach = Some(approach.into());
        let run = run(&system, &options);
        let error = distance(&run, &exact, &pairs) / rtol;
        let case = format!("{name}, degree {degree}, {approach}, {rtol:e}");
        assert_eq!(run.verdict, Verdict::Converged, "{case}: {:?}", run.doubts);
        assert!(error < FACTOR, "{case}: {error} tolerances");
        error
    });
    errors.collect()
}

/// The error is proportional to the tolerance: over four decades the number of tolerances changes by
/// less than a factor 2. (With the whole tolerance for every step it would grow by 10^(4/4) = 10.)
#[test]
fn the_error_is_proportional_to_the_tolerance() {
    for name in ["two_mass", "lorry", "top"] {
        let errors = keeps_its_tolerance(name, 2, "extrapolation", &TOLERANCES);
        let least = errors.iter().fold(f64::INFINITY, |m, e| m.min(*e));
        let most = errors.iter().fold(0.0f64, |m, e| m.max(*e));
        assert!(most < 2.0 * least, "{name}: {errors:?}");
    }
}

#[test]
fn a_chain_keeps_its_tolerance() {
    keeps_its_tolerance("chain", 2, "extrapolation", &TOLERANCES);
}

#[test]
fn controllers_keep_their_tolerance() {
    for name in ["servo", "positioning"] {
        keeps_its_tolerance(name, 2, "extrapolation", &TOLERANCES);
    }
}

/// Interpolation and the other degrees solve the same problem. Low degrees take very many steps at tight
/// tolerances: 1/rtol of them with degree 0, and the stiff cuts of the chain ten times more.
#[test]
fn approaches_and_degrees_keep_the_tolerance() {
    keeps_its_tolerance("two_mass", 0, "extrapolation", &TOLERANCES[..1]);
    for name in ["two_mass", "lorry", "top", "positioning"] {
        keeps_its_tolerance(name, 1, "extrapolation", &TOLERANCES[..1]);
    }
    for name in ["two_mass", "lorry", "chain", "top", "positioning"] {
        keeps_its_tolerance(name, 3, "extrapolation", &TOLERANCES[..3]);
        keeps_its_tolerance(name, 2, "interpolation", &TOLERANCES[..2]);
        keeps_its_tolerance(name, 3, "interpolation", &TOLERANCES[..2]);
    }
}

/// As many constant steps as the adaptive run took attempts are less accurate, and so are those of
/// three lengths in between; examples/macro_steps.rs searches for the best one. All examples but the
/// sampled servo, whose macro steps are its sampling intervals.
#[test]
fn adaptive_steps_beat_constant_ones() {
    for name in ["two_mass", "lorry", "chain", "top", "positioning"] {
        let (text, pairs) = whole(name);
        let system = system(name, &[]);
        let t_end = system.options().t_end.unwrap();
        let exact = reference(&text, t_end);
        for rtol in [1e-3, 1e-4] {
            let adaptive = run(&system, &tolerance(rtol));
            let error = distance(&adaptive, &exact, &pairs);
            let attempts = adaptive.report.as_ref().unwrap().steps.len() as f64;
            for fewer in [1.0, 1.2, 1.5, 2.0] {
                let mut options = tolerance(rtol);
                options.step = Some(t_end / (attempts / fewer).round());
                let constant = distance(&run(&system, &options), &exact, &pairs);
                assert!(
                    constant > error,
                    "{name} {rtol:e}, {attempts} attempts: {error:e}, {fewer} times fewer: {constant:e}"
                );
            }
        }
    }
}

/// Steps of a start grow to the constant step, and their error does not rule the run: halving the step
/// divides it by 2^3, the order of velocities over a run.
#[test]
fn constant_steps_have_the_order_of_their_degree() {
    let (text, pairs) = whole("two_mass");
    let system = system("two_mass", &[]);
    let exact = reference(&text, 10.0);
    let error = |step: f64| {
        let mut options = tolerance(1e-8);
        options.step = Some(step);
        let run = run(&system, &options);
        let longest = run.report.as_ref().unwrap().steps.iter();
        let longest = longest.fold(0.0f64, |m, s| m.max(s.h));
        assert!((longest - step).abs() < 2e-3 * step, "{longest} {step}");
        distance(&run, &exact, &pairs)
    };
    let order = (error(0.04) / error(0.02)).log2();
    assert!((order - 3.0).abs() < 0.3, "{order}");
}

/// Euler parameters instead of rotation vectors: another way to the same motion.
#[test]
fn coordinates_of_rotations_agree() {
    let (text, pairs) = whole("top");
    let exact = reference(&text, 2.0);
    let system = system("top", &["top.model.rotation=euler-parameters"]);
    let run = run(&system, &tolerance(1e-4));
    let error = distance(&run, &exact, &pairs);
    assert!(error < FACTOR * 1e-4, "{error:e}");
    let quaternion: Vec<f64> = ["w", "x", "y", "z"]
        .iter()
        .map(|c| {
            *run.channel("top", &format!("top.quaternion.{c}"))
                .unwrap()
                .last()
                .unwrap()
        })
        .collect();
    let norm = quaternion.iter().map(|x| x * x).sum::<f64>();
    assert!((norm - 1.0).abs() < 1e-6, "{norm}");
}
