//! Fast, lightly damped vibrations: the elastic slider crank against its references at t = 0.1 and
//! a forced oscillator against its closed form.
//!
//! The references were computed in extended precision by an extrapolation method of order 16; the
//! nonlinear and damped ones start from the published values. Digits are those of the worst relative
//! error of the seven positions, of which the smallest, 5e-6 m, is far below the scale of 1e-3 m that
//! its tolerance refers to.

use linkwork_dae::drive::{Ending, Flow, Observer, ObserverError, View};
use linkwork_problems::chain::Chain;
use linkwork_problems::oscillator::Oscillator;
use linkwork_problems::slider_crank::{SliderCrank, Start};
use linkwork_problems::small::Small;
use linkwork_problems::study::{Outcome, Setup, runge_kutta};

fn reference(text: &str) -> Vec<f64> {
    text.lines()
        .skip(1)
        .map(|l| l.split(',').nth(1).unwrap().parse().unwrap())
        .collect()
}

const CONSISTENT: &str = include_str!("../reference/slider_crank_consistent.csv");

/// Steps taken at orders up to 2.
#[derive(Default)]
struct Low(u64);

impl Observer for Low {
    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        self.0 += u64::from(view.order <= 2);
        Ok(Flow::Continue)
    }
}

fn setup(method: &'static str, formulation: &'static str, tolerance: f64) -> Setup {
    let mut setup = Setup::new(method, formulation, 0.1, tolerance);
    // absolute tolerances from the scale of each coordinate
    setup.plan.tolerances.atol = None;
    setup
}

fn run(setup: &Setup, problem: SliderCrank, exact: &str) -> (Outcome, f64) {
    let out = setup.run(&mut Small::new(problem), &mut ()).unwrap();
    assert_eq!(out.ending, Ending::Finished);
    let exact = reference(exact);
    let error = |i: usize| ((out.state.q[i] - exact[i]) / exact[i]).abs();
    let worst = (0..7).map(error).fold(0.0, f64::max);
    (out, -worst.log10())
}

/// The equations, options and starts, free of any implicit method: with 20 000 classical
/// Runge-Kutta steps the fastest mode has `omega h` = 0.12 and a phase error of 4e-3 at the end,
/// which is seen where the start excites it.
#[test]
fn runge_kutta_meets_every_reference() {
    let published = |nonlinear, damped| SliderCrank {
        start: Start::Published,
        nonlinear,
        damped,
    };
    let rest = SliderCrank {
        start: Start::Rest,
        ..SliderCrank::default()
    };
    let cases = [
        (SliderCrank::default(), CONSISTENT),
        (
            published(false, false),
            include_str!("../reference/slider_crank_published.csv"),
        ),
        (
            published(true, false),
            include_str!("../reference/slider_crank_nonlinear.csv"),
        ),
        (
            published(false, true),
            include_str!("../reference/slider_crank_damped.csv"),
        ),
        (rest, include_str!("../reference/slider_crank_rest.csv")),
    ];
    for (problem, exact) in cases {
        let text = format!("{problem:?}");
        let excited = problem.start == Start::Rest;
        let mut sys = Small::new(problem);
        let start = setup("bdf", "ggl", 1e-6).start(&mut sys).unwrap();
        let moved = start.report.moved.iter().enumerate();
        for (i, moved) in moved {
            // the published position of the block does not close the loop by 2e-10
            let bound = if i == 2 { 3e-10 } else { 1e-15 };
            assert!(
                moved.abs() < bound,
                "{text}: coordinate {i} moved {moved:e}"
            );
        }
        let end = runge_kutta(&mut sys, &start, 0.1, 20_000).unwrap();
        let exact = reference(exact);
        let found = [&end.q[..], &end.v, &end.a, &end.lambda].concat();
        // the assembly moves the block of the published start by 2e-10 of 0.17
        for i in 0..7 {
            let error = ((found[i] - exact[i]) / exact[i]).abs();
            let bound = if excited { 1e-3 } else { 1e-5 };
            assert!(error < bound, "{text}: position {i}: {error:.1e}");
        }
    }
}

#[test]
fn errors_fall_with_the_tolerance() {
    for (method, formulation, tolerances, digits) in [
        ("bdf", "ggl", [1e-3, 1e-5, 1e-7], [0.7, 2.1, 3.1]),
        ("bdf", "index1", [1e-3, 1e-5, 1e-7], [0.7, 2.1, 3.1]),
        ("bdf", "index3", [1e-3, 1e-5, 1e-7], [0.7, 1.5, 2.5]),
        ("gen-alpha", "index3", [1e-3, 1e-5, 1e-7], [0.5, 1.5, 1.8]),
    ] {
        for (tolerance, least) in tolerances.into_iter().zip(digits) {
            let setup = setup(method, formulation, tolerance);
            let (out, digits) = run(&setup, SliderCrank::default(), CONSISTENT);
            assert!(
                digits > least,
                "{method} {formulation} {tolerance:e}: {digits:.2} digits, {:?}",
                out.stats
            );
        }
    }
}

/// Thirteen tolerances from 3e-5 to 3e-4.
fn tolerances() -> impl Iterator<Item = f64> {
    (0..13).map(|i| 3e-5 * 10f64.powf(f64::from(i) / 12.0))
}

/// Those of them at which order 2 is damping long enough to be believed.
fn loose() -> impl Iterator<Item = f64> {
    tolerances().filter(|&t| t > 5e-5)
}

/// What a family of runs must keep to; steps as at tolerance 1e-4, which order 2 takes in proportion
/// to the third root.
struct Bounds {
    steps: f64,
    rejected: f64,
    /// Least share of steps up to order 2.
    low: f64,
}

fn keeps(formulation: &'static str, problem: SliderCrank, exact: &str, bounds: Bounds) -> Vec<f64> {
    let digits = loose().map(|tolerance| {
        let setup = setup("bdf", formulation, tolerance);
        let mut low = Low::default();
        let mut sys = Small::new(problem.clone());
        let out = setup.run(&mut sys, &mut low).unwrap();
        let what = format!("{formulation} {problem:?} {tolerance:.1e}: {:?}", out.stats);
        let steps = out.stats.steps as f64;
        assert!(steps * (tolerance / 1e-4).cbrt() < bounds.steps, "{what}");
        assert!(
            (out.stats.rejected as f64) < bounds.rejected * steps,
            "{what}"
        );
        assert!(low.0 as f64 >= bounds.low * steps, "{what}: {} low", low.0);
        assert_eq!(out.notes.len(), 1, "{:?}", out.notes);
        assert!(out.notes[0].contains("order limited"), "{:?}", out.notes);
        run(&setup, problem.clone(), exact).1
    });
    digits.collect()
}

/// By itself, whatever the tolerance, and the same from starts that differ by 1e-8. Measured: at most
/// 889 steps in terms of 1e-4, and 833 there (2947 without the watch); 4 %
/// rejected; at least 98 % up to order 2; 2.3 to 2.5 digits up to 1e-4, down to 1.2 at 3e-4 (at 3e-5 to 4e-5 they are followed). One
/// vibration, at 1.3e3 rad/s, is a tenth of the deflection and is followed through 20 periods.
#[test]
fn crank_runs_at_order_2_by_itself() {
    let published = SliderCrank {
        start: Start::Published,
        ..SliderCrank::default()
    };
    let exact = include_str!("../reference/slider_crank_published.csv");
    for (problem, exact) in [(SliderCrank::default(), CONSISTENT), (published, exact)] {
        let bounds = Bounds {
            steps: 1100.0,
            rejected: 0.07,
            low: 0.9,
        };
        let digits = keeps("ggl", problem, exact, bounds);
        for (tolerance, digits) in loose().zip(digits) {
            let least = if tolerance < 1.05e-4 { 1.8 } else { 1.0 };
            assert!(digits > least, "{tolerance:.1e}: {digits:.2} digits");
        }
    }
    let out = run(
        &setup("bdf", "ggl", 1e-4),
        SliderCrank::default(),
        CONSISTENT,
    );
    assert!(out.0.stats.steps < 950, "{:?}", out.0.stats);
    assert!(out.1 > 1.8, "{:.2} digits", out.1);
}

/// Half a per cent of damping changes nothing for high orders. Measured: 681 steps, 4 %, 2.2 to 3.6 digits.
#[test]
fn damped_crank_runs_at_order_2_by_itself() {
    let problem = SliderCrank {
        start: Start::Published,
        nonlinear: false,
        damped: true,
    };
    let bounds = Bounds {
        steps: 800.0,
        rejected: 0.08,
        low: 0.85,
    };
    let exact = include_str!("../reference/slider_crank_damped.csv");
    let digits = keeps("ggl", problem, exact, bounds);
    assert!(digits.iter().all(|&d| d > 1.9), "{digits:.2?}");
}

/// From rest every vibration is far above the tolerance, that at 6.6e3 rad/s by a factor of 100 in
/// positions: it must be followed, at order 5 and steps within its stable range. Measured: 3488 to
/// 4632 steps, 9 % rejected at 3e-5 and 1 % at 1e-4, and 1.4 digits whatever the tolerance, by what
/// order 5 damps at that step.
#[test]
fn vibrations_above_the_tolerance_are_followed() {
    let problem = SliderCrank {
        start: Start::Rest,
        ..SliderCrank::default()
    };
    for tolerance in tolerances() {
        let setup = setup("bdf", "ggl", tolerance);
        let exact = include_str!("../reference/slider_crank_rest.csv");
        let (out, digits) = run(&setup, problem.clone(), exact);
        let what = format!("{tolerance:.1e}: {digits:.2} digits, {:?}", out.stats);
        assert!(out.stats.steps < 5000, "{what}");
        assert!(out.stats.rejected * 8 < out.stats.steps, "{what}");
        assert!(digits > 1.25, "{what}");
        assert!(out.notes[0].contains("follow"), "{:?}", out.notes);
    }
}

/// In index 3 the accelerations after a change of the step are off by `h^(k-1)`, which order 2 passes
/// on to the rod at every change; its velocities count by their own frequencies. Measured: 1046 steps in the middle of
/// thirteen tolerances, 3500 where order 2 promises too little (1385 to 3995 by the rate of the motion instead).
#[test]
fn crank_in_index_3() {
    let mut steps: Vec<u64> = tolerances()
        .map(|tolerance| {
            let setup = setup("bdf", "index3", tolerance);
            let (out, digits) = run(&setup, SliderCrank::default(), CONSISTENT);
            let what = format!("{tolerance:.1e}: {digits:.2} digits, {:?}", out.stats);
            assert!(out.stats.steps < 4000, "{what}");
            assert!(out.stats.rejected * 6 < out.stats.steps, "{what}");
            assert!(digits > 1.2, "{what}");
            out.stats.steps
        })
        .collect();
    steps.sort_unstable();
    println!("{steps:?}");
    assert!(steps[steps.len() / 2] < 1300, "{steps:?}");
}

/// Steps with the default tolerance of velocities beside those with one so loose that it never decides, about the tolerances of
/// Ren and Zhou. Measured: 1.1 to 1.4 times as many, for as many digits or more; up to 8 times where what constraints make of vibrations in
/// velocities of the rigid coordinates counts as a motion of these.
#[test]
fn velocities_of_vibrations_hold_no_steps_in_index_3() {
    for rtol in [3e-5, 5e-5, 8e-5, 1e-4, 1.25e-4, 2e-4, 3e-4] {
        for atol in [5e-7, 1e-6, 2e-6] {
            let [usual, loose] = [None, Some(1e-2)].map(|atol_v| {
                let mut setup = Setup::new("bdf", "index3", 0.1, rtol);
                setup.plan.tolerances.atol = Some(atol);
                setup.plan.tolerances.atol_v = atol_v;
                let (out, digits) = run(&setup, SliderCrank::default(), CONSISTENT);
                (out.stats.steps as f64, digits)
            });
            let what = format!("{rtol:e} {atol:e}: {usual:?} {loose:?}");
            assert!(usual.0 < 1.6 * loose.0, "{what}");
            assert!(usual.1 > loose.1 - 0.15, "{what}");
        }
    }
}

/// With small absolute tolerances all vibrations matter, and order 2 would need as many steps as
/// following. Measured: 3522 and 3603 steps, 16 rejected, 3.5 and 3.4 digits at 1e-8; 4263 and 4989
/// steps, 10 % rejected, 3.4 digits at 1e-9.
#[test]
fn crank_is_followed_with_small_tolerances() {
    for formulation in ["ggl", "index3"] {
        for (tolerance, most) in [(1e-8, 3900), (1e-9, 5500)] {
            let setup = Setup::new("bdf", formulation, 0.1, tolerance);
            let (out, digits) = run(&setup, SliderCrank::default(), CONSISTENT);
            let what = format!(
                "{formulation} {tolerance:.1e}: {digits:.2}, {:?}",
                out.stats
            );
            assert!(out.stats.steps < most, "{what}");
            assert!(digits > 3.1, "{what}");
        }
    }
}

/// Undamped modes from 0.6 to 21 rad/s, all taking part: at order 2 the chain takes 3890 steps at
/// 1e-4, 11393 at 1e-5, and ends 300 tolerances off. Measured: 6388 and 6466 steps, 3 and 29.
#[test]
fn chain_of_pendulums_is_followed() {
    const N: usize = 14;
    let table = include_str!("../reference/chain_n14.csv").lines().skip(1);
    let last = |l: &str| l.split(',').nth(4).unwrap().parse().unwrap();
    let exact: Vec<f64> = table.map(last).take(N).collect();
    for (rtol, steps, tolerances) in [(1e-4, 7000, 20.0), (1e-5, 7000, 60.0)] {
        let atol = 0.01 * rtol;
        let mut setup = Setup::new("bdf", "ggl", 200.0, rtol);
        setup.plan.tolerances.atol = Some(atol);
        setup.plan.tolerances.atol_v = Some(atol);
        let mut sys = Chain::new(N, std::f64::consts::TAU * 0.05, 0.0);
        let out = setup.run(&mut sys, &mut ()).unwrap();
        assert_eq!(out.ending, Ending::Finished);
        assert!(out.stats.steps < steps, "{rtol:e}: {:?}", out.stats);
        for (q, e) in out.state.q.iter().zip(&exact) {
            let error = (q - e).abs() / (rtol * e.abs() + atol);
            assert!(error < tolerances, "{rtol:e}: {error:.1}");
        }
    }
}

fn oscillator(omega: f64, ratio: f64, tolerance: f64) -> Outcome {
    let problem = Oscillator { omega, ratio };
    let exact = problem.exact(20.0);
    let mut setup = Setup::new("bdf", "ggl", 20.0, tolerance);
    setup.plan.tolerances.atol_v = Some(tolerance);
    let out = setup.run(&mut Small::new(problem), &mut ()).unwrap();
    assert_eq!(out.ending, Ending::Finished);
    for (q, exact) in out.state.q.iter().zip(exact) {
        // errors of the slow mode add up over three periods
        let error = (q - exact).abs();
        assert!(
            error < 100.0 * tolerance,
            "{omega} {ratio} {tolerance:e}: {error:.1e}"
        );
    }
    out
}

/// Steps measured: 781, 1499 and 2530. Without the watch 760, 1798 and 8684; at order 2 alone 1210 at
/// 1e-3 and 9901 at 1e-5. The bounds are 1.3
/// times what doubling of steps needs instead of growth, 900 and 3050, and their geometric mean.
#[test]
fn oscillator_is_not_trapped() {
    for (tolerance, most) in [(1e-3, 1170), (1e-4, 2150), (1e-5, 3965)] {
        let out = oscillator(1000.0, 0.01, tolerance);
        assert!(out.stats.steps < most, "{tolerance:e}: {:?}", out.stats);
    }
}

/// A well damped fast mode needs no limit.
#[test]
fn damped_oscillator_keeps_its_orders() {
    for (tolerance, most) in [(1e-3, 130), (1e-5, 270)] {
        let out = oscillator(1000.0, 0.3, tolerance);
        assert!(out.stats.steps < most, "{tolerance:e}: {:?}", out.stats);
        assert!(out.notes.is_empty(), "{:?}", out.notes);
    }
}

/// The closed form against 50 000 classical Runge-Kutta steps, `omega h` = 0.04: a phase error of
/// 4e-5 after 2000 rad, of the amplitude 1e-3.
#[test]
fn oscillator_has_its_closed_form() {
    for ratio in [0.0, 0.1] {
        let problem = Oscillator {
            omega: 100.0,
            ratio,
        };
        let exact = problem.exact(20.0);
        let mut sys = Small::new(problem);
        let start = Setup::new("bdf", "ggl", 20.0, 1e-6)
            .start(&mut sys)
            .unwrap();
        let end = runge_kutta(&mut sys, &start, 20.0, 50_000).unwrap();
        for (q, exact) in end.q.iter().zip(exact) {
            let error = (q - exact).abs();
            assert!(error < 1e-7, "ratio {ratio}: {error:.1e}");
        }
    }
}
