//! The squeezing mechanism against its 21-digit reference at t = 0.03.
//!
//! The fast rotation (1140 rad/s) turns every error into a time shift, so the end error is two to
//! three decades above the tolerance; end errors also change sign as the tolerance changes, which
//! makes single ones accidentally small. What must fall is the largest error along the motion.

use linkwork_dae::drive::{Ending, Flow, Observer, ObserverError, View};
use linkwork_problems::andrews::Andrews;
use linkwork_problems::study::{Outcome, Setup};

fn reference() -> Vec<f64> {
    include_str!("../reference/andrews.csv")
        .lines()
        .skip(1)
        .map(|l| l.split(',').nth(1).unwrap().parse().unwrap())
        .collect()
}

fn end_error(out: &Outcome) -> f64 {
    let exact = reference();
    assert_eq!(out.ending, Ending::Finished);
    (0..7)
        .map(|i| ((out.state.q[i] - exact[i]) / exact[i]).abs())
        .fold(0.0, f64::max)
}

fn run(setup: &Setup) -> Outcome {
    setup.run(&mut Andrews::default(), &mut ()).unwrap()
}

/// Positions at a hundred equal times.
#[derive(Default)]
struct Sampler(Vec<Vec<f64>>);

impl Observer for Sampler {
    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        while self.0.len() < 100 {
            let t = 0.03 * (self.0.len() + 1) as f64 / 100.0;
            if t > view.to {
                break;
            }
            self.0.push(view.motion(t).q.clone());
        }
        Ok(Flow::Continue)
    }
}

fn samples(setup: &Setup) -> Vec<Vec<f64>> {
    let mut sampler = Sampler::default();
    let out = setup.run(&mut Andrews::default(), &mut sampler).unwrap();
    assert_eq!(out.ending, Ending::Finished);
    sampler.0
}

#[test]
fn bdf_error_falls_with_the_tolerance_down_to_1e_minus_7() {
    let exact = samples(&Setup::new("bdf", "ggl", 0.03, 1e-12));
    for formulation in ["ggl", "index3"] {
        let mut last = f64::INFINITY;
        for k in 3..=9 {
            let setup = Setup::new("bdf", formulation, 0.03, 10f64.powi(-k));
            let error = samples(&setup)
                .iter()
                .zip(&exact)
                .flat_map(|(a, b)| a.iter().zip(b).map(|(a, b)| (a - b).abs()))
                .fold(0.0, f64::max);
            assert!(
                error < 0.5 * last,
                "{formulation} 1e-{k}: {error:.1e} after {last:.1e}"
            );
            last = error;
        }
        let out = run(&Setup::new("bdf", formulation, 0.03, 1e-9));
        let error = end_error(&out);
        assert!(error < 1e-7, "{formulation}: {error:.1e}");
    }
}

/// Order 2 under error control: the error follows tolerance to the power 2/3.
#[test]
fn generalised_alpha_converges_like_its_order() {
    for formulation in ["index3", "ggl"] {
        let error = |k: i32| {
            end_error(&run(&Setup::new(
                "gen-alpha",
                formulation,
                0.03,
                10f64.powi(-k),
            )))
        };
        let (coarse, fine) = (error(4), error(8));
        let slope = (coarse / fine).log10() / 4.0;
        assert!((0.5..0.95).contains(&slope), "{formulation}: {slope:.2}");
        assert!(fine < 2e-5, "{formulation}: {fine:.1e}");
    }
}

/// Steps and residuals of the default control stay where they were measured.
#[test]
fn work_stays_in_its_band() {
    // formulation, tolerance, steps measured
    for (formulation, tol, steps) in [
        ("ggl", 1e-6, 287),
        ("index3", 1e-6, 285),
        ("ggl", 1e-9, 899),
    ] {
        let out = run(&Setup::new("bdf", formulation, 0.03, tol));
        let ratio = out.stats.steps as f64 / steps as f64;
        assert!(
            (0.9..1.1).contains(&ratio),
            "{formulation} {tol}: {} steps",
            out.stats.steps
        );
        let per_step = out.stats.residual_evaluations as f64 / out.stats.steps as f64;
        assert!(
            per_step < 1.25,
            "{formulation} {tol}: {per_step} residuals per step"
        );
        assert_eq!(out.stats.newton_failures, 0);
    }
}

/// Blocks by differences, kept over many steps, only change how the corrector gets there.
#[test]
fn difference_blocks_give_the_same_motion() {
    for formulation in ["ggl", "index3"] {
        let mut setup = Setup::new("bdf", formulation, 0.03, 1e-7);
        let exact = run(&setup);
        setup.jacobian = "dense";
        let differences = run(&setup);
        let gap = (0..7)
            .map(|i| (exact.state.q[i] - differences.state.q[i]).abs())
            .fold(0.0, f64::max);
        // both are within the error of the tolerance, about 500 times 1e-7
        assert!(gap < 1e-4, "{formulation}: {gap:.1e}");
        let stats = differences.stats;
        assert!(
            stats.jacobian_evaluations * 5 < stats.steps,
            "{formulation}: blocks by differences are kept over several steps: {stats:?}"
        );
    }
}

/// Kept factors and kept force blocks save most evaluations, in index 3 too, where factors filter the
/// error.
#[test]
fn recombination_saves_most_evaluations_of_the_blocks() {
    for method in ["bdf", "gen-alpha"] {
        for formulation in ["ggl", "index3"] {
            let mut setup = Setup::new(method, formulation, 0.03, 1e-6);
            let every = run(&setup);
            setup.jacobian = "exact-reuse";
            let kept = run(&setup);
            let name = format!("{method} {formulation}: {:?}", kept.stats);
            assert_eq!(kept.ending, Ending::Finished, "{name}");
            assert!(kept.stats.jacobian_updates > 0, "{name}");
            assert!(kept.stats.factors_kept > 0, "{name}");
            assert!(
                2 * kept.stats.jacobian_evaluations < every.stats.jacobian_evaluations,
                "{name}"
            );
            // the corrector only gets there on another way
            let ratio = kept.stats.steps as f64 / every.stats.steps as f64;
            assert!((0.9..1.1).contains(&ratio), "{name}");
        }
    }
}

/// Position and velocity constraints hold in the stabilised form far below the tolerance of the
/// motion: velocities to 1e-10 m/s at rtol 1e-6 (speeds at the crank pin are 8 m/s).
#[test]
fn stabilised_velocities_satisfy_their_constraints() {
    use linkwork_dae::initial::constraint_residuals;
    use linkwork_dae::system::Rows;

    #[derive(Default)]
    struct Worst(f64, f64);
    impl Observer for Worst {
        fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
            let s = view.state().clone();
            let rows = Rows::all(view.sys.dims());
            let (c, cv) = constraint_residuals(view.sys, &s, &rows)?;
            (self.0, self.1) = (self.0.max(c), self.1.max(cv));
            Ok(Flow::Continue)
        }
    }
    let mut worst = Worst::default();
    let setup = Setup::new("bdf", "ggl", 0.03, 1e-6);
    setup.run(&mut Andrews::default(), &mut worst).unwrap();
    assert!(worst.0 < 1e-12, "position {:.1e}", worst.0);
    assert!(worst.1 < 1e-10, "velocity {:.1e}", worst.1);
}
