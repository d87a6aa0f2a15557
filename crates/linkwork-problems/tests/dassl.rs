//! The method `dassl` does what DASSL does.

use linkwork_dae::drive::Ending;
use linkwork_problems::chain::Chain;
use linkwork_problems::explicit::Explicit;
use linkwork_problems::study::{Outcome, Setup};

/// A swinging chain of `n` rods, all from 0.5 rad, with the first step of DASSL.
fn swing(n: usize, t_end: f64, share: f64, jacobian: &'static str) -> Outcome {
    let mut setup = Setup::new("dassl", "ggl", t_end, 1e-4 * share);
    setup.jacobian = jacobian;
    setup.plan.tolerances.atol = Some(1e-6 * share);
    setup.plan.tolerances.atol_v = Some(1e-6 * share);
    let mut sys = Explicit::new(Chain::new(n, std::f64::consts::TAU * 0.05, 0.5));
    let start = setup.start(&mut sys).unwrap();
    let sum: f64 = start
        .state
        .a
        .iter()
        .map(|a| (a / (1e-6 * share)).powi(2))
        .sum();
    let rate = (sum / (2 * n) as f64).sqrt();
    setup.plan.first_step = Some((1e-3 * t_end).min(0.5 / rate));
    setup.run(&mut sys, &mut ()).unwrap()
}

/// Steps, rejections, evaluations and calls of an independent implementation of the published
/// algorithm (dense differences), written for this comparison. Decisions at the level of rounding may
/// differ from machine to machine: half a per cent of the steps.
#[test]
fn steps_and_evaluations_are_those_of_the_published_algorithm() {
    for (n, t_end, share, expected) in [
        (3, 10.0, 1.0, [455, 2, 18, 542]),
        (3, 10.0, 1e-2, [955, 6, 26, 1135]),
        (4, 5.0, 1e-3, [691, 2, 34, 819]),
    ] {
        let out = swing(n, t_end, share, "classical");
        assert_eq!(out.ending, Ending::Finished);
        let s = &out.stats;
        let found = [
            s.steps,
            s.rejected,
            s.jacobian_evaluations,
            s.residual_evaluations,
        ];
        for (found, expected) in found.into_iter().zip(expected) {
            let most = 1.max(expected / 200);
            assert!(found.abs_diff(expected) <= most, "{n}: {s:?}");
        }
    }
}

/// A hundredth of the tolerance is a hundredth of the error, more or less: the iteration of DASSL leaves
/// a third of the tolerance in each step, but no bias.
#[test]
fn errors_follow_the_tolerance() {
    let reference = swing(3, 2.0, 1e-6, "exact").state.q;
    let error = |share: f64| {
        let q = swing(3, 2.0, share, "classical").state.q;
        let apart = q.iter().zip(&reference).map(|(q, e)| (q - e).abs());
        apart.fold(0.0, f64::max)
    };
    let errors = [1.0, 1e-2, 1e-4].map(error);
    assert!(errors[0] < 20.0 * 5e-5, "{errors:?}");
    for pair in errors.windows(2) {
        let gain = pair[0] / pair[1];
        assert!((10.0..1000.0).contains(&gain), "{errors:?}");
    }
}
