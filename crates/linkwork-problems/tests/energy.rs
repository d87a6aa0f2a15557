//! Energy over a thousand periods.

use linkwork_dae::control::fixed::Fixed;
use linkwork_dae::drive::{Ending, Flow, Observer, ObserverError, View};
use linkwork_dae::system::{At, Energy, System};
use linkwork_problems::oscillator::Oscillator;
use linkwork_problems::pendulum::Pendulum;
use linkwork_problems::small::{Equations, Small};
use linkwork_problems::study::Setup;

/// Largest and last change of the energy.
#[derive(Default)]
struct Drift {
    start: Option<f64>,
    largest: f64,
    last: f64,
}

impl Observer for Drift {
    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        let s = view.state().clone();
        let e = view.sys.energy(&s).unwrap().total();
        let start = *self.start.get_or_insert(e);
        self.last = e - start;
        self.largest = self.largest.max(self.last.abs());
        Ok(Flow::Continue)
    }
}

/// The pendulum in its angle: no constraint, so the trapezoidal rule is symmetric in time.
#[derive(Clone)]
struct Angle;

impl Equations for Angle {
    const N: usize = 1;

    fn names(&self) -> Vec<(&'static str, &'static str)> {
        vec![("angle", "rad")]
    }

    fn start(&self) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        (vec![std::f64::consts::FRAC_PI_2], vec![0.0], Vec::new())
    }

    fn mass(&self, _: &[f64], _: f64, m: &mut [f64]) {
        m[0] = 1.0;
    }

    fn force(&self, at: &At<'_>, f: &mut [f64]) {
        f[0] = -at.q[0].sin();
    }

    fn force_q(&self, at: &At<'_>, f_q: &mut [f64], _: &mut [f64], _: &mut [f64]) {
        f_q[0] = -at.q[0].cos();
    }

    fn energy(&self, q: &[f64], v: &[f64], _: f64) -> Option<Energy> {
        Some(Energy {
            kinetic: 0.5 * v[0] * v[0],
            potential: -q[0].cos(),
            ..Energy::default()
        })
    }
}

/// From the horizontal, g = 1, 60 steps a period: energy swings by 1.
fn drift(sys: &mut dyn System, method: &'static str, rho: f64, periods: f64) -> Drift {
    const PERIOD: f64 = 7.416_298_709_205_488;
    let mut setup = Setup::new(method, "ggl", periods * PERIOD, 1e-10);
    setup.tuning.rho = rho;
    let start = setup.start(sys).unwrap();
    let fixed = Box::new(Fixed::new(PERIOD / 60.0, 2));
    let mut drift = Drift::default();
    let out = setup.run_from(sys, &start, fixed, &mut drift).unwrap();
    assert_eq!(out.ending, Ending::Finished);
    drift
}

/// The trapezoidal rule does not damp: its energy error swings with the motion, of the size h^2,
/// and does not grow from the hundredth to the thousandth period.
#[test]
fn newmark_keeps_the_energy_bounded() {
    let mut sys = Small::new(Angle);
    let short = drift(&mut sys, "newmark", 0.0, 100.0);
    let long = drift(&mut sys, "newmark", 0.0, 1000.0);
    println!("largest {:.2e} {:.2e}", short.largest, long.largest);
    assert!(
        long.largest < 1.1 * short.largest,
        "{:.2e} after {:.2e}",
        long.largest,
        short.largest
    );
    assert!(long.largest < 0.01, "{:.2e}", long.largest);
}

/// In Cartesian coordinates the correction onto the circle acts at the end of a step only, which is
/// not symmetric: the energy drifts, but only with the square of the step.
#[test]
fn newmark_with_a_constraint_drifts_slowly() {
    let mut sys = Small::new(Pendulum { g: 1.0, side: 1.0 });
    let drift = drift(&mut sys, "newmark", 0.0, 100.0);
    println!("largest {:.2e} last {:.2e}", drift.largest, drift.last);
    assert!(drift.largest < 0.1, "{:.2e}", drift.largest);
}

/// With rho = 0.8 a resolved motion loses little: the damping of low frequencies is of third order
/// in h. (High frequencies lose a fifth of their amplitude in every step.)
#[test]
fn numerical_damping_spares_resolved_motion() {
    let mut sys = Small::new(Angle);
    let damped = drift(&mut sys, "gen-alpha", 0.8, 100.0);
    println!("last {:.2e} largest {:.2e}", damped.last, damped.largest);
    assert!(damped.last < 0.0, "it must dissipate: {:.2e}", damped.last);
    assert!(damped.largest < 0.1, "{:.2e}", damped.largest);
}

/// A vibration of 100 rad/s at steps of 0.1 s (10 rad a step): rho = 0.8 takes a fifth of its
/// amplitude a step and leaves the slow mode alone; without damping it stays.
#[test]
fn numerical_damping_takes_the_unresolved_mode() {
    let fast = |method: &'static str| {
        let mut sys = Small::new(Oscillator {
            omega: 100.0,
            ratio: 0.0,
        });
        let mut setup = Setup::new(method, "ggl", 20.0, 1e-10);
        setup.tuning.rho = 0.8;
        let start = setup.start(&mut sys).unwrap();
        let fixed = Box::new(Fixed::new(0.1, 2));
        let out = setup.run_from(&mut sys, &start, fixed, &mut ()).unwrap();
        assert_eq!(out.ending, Ending::Finished);
        let exact = Oscillator {
            omega: 1e4,
            ratio: 0.0,
        }
        .exact(20.0);
        // the slow mode is followed whatever the fast one does
        assert!(
            (out.state.q[0] - exact[0]).abs() < 0.02,
            "{method}: {:?}",
            out.state.q
        );
        out.state.v[1].abs()
    };
    let (damped, kept) = (fast("gen-alpha"), fast("newmark"));
    println!("{damped:.1e} {kept:.1e}");
    assert!(
        damped < 0.05 * kept.max(0.05),
        "{damped:.1e} against {kept:.1e}"
    );
}
