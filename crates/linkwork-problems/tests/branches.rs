//! Independent coordinates that are exchanged on the way: the assembly branch stays, and steps too long
//! to know it are cut.

use linkwork_dae::control::fixed::Fixed;
use linkwork_dae::corrector::Retry;
use linkwork_dae::drive::{Ending, Flow, Observer, ObserverError, View};
use linkwork_dae::reduced::Reduced;
use linkwork_dae::state::State;
use linkwork_dae::stats::Stats;
use linkwork_dae::stepper::{STEPPERS, StepperEntry};
use linkwork_dae::system::{System, Terms};
use linkwork_problems::study::Setup;

/// Largest difference of positions and velocities.
fn distance(a: &State, b: &State) -> f64 {
    let pairs = a.q.iter().zip(&b.q).chain(a.v.iter().zip(&b.v));
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// The crank-rocker linkage of the examples with a spinning crank. The typical length decides
/// which coordinates are integrated: angles where it is large, positions where it is small.
fn four_bar(length: f64) -> Box<dyn System> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/four_bar.toml");
    let source = std::fs::read_to_string(path).unwrap();
    let mut model = linkwork_mbs::text::read(&source)
        .unwrap()
        .model
        .length(length);
    let crank = &mut model.bodies[0];
    assert_eq!(crank.name, "crank");
    let (sin, cos) = crank.site().pose.angle.sin_cos();
    crank.angular_velocity = [0.0, 0.0, 12.0];
    crank.velocity = [-3.0 * sin, 3.0 * cos, 0.0];
    crank.velocity_trust = linkwork_mbs::body::Trust::Exact;
    Box::new(linkwork_mbs::assemble(&model).unwrap())
}

/// Watches on which side of the line from crank pin to rocker pivot the rocker pin is.
#[derive(Default)]
struct Branch {
    side: Option<bool>,
    flips: u32,
    turns: f64,
    open: f64,
}

impl Observer for Branch {
    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        let s = view.state().clone();
        let (crank, rocker) = (s.q[2], s.q[8]);
        let pin = [0.5 * crank.cos(), 0.5 * crank.sin()];
        let elbow = [1.5 + 1.2 * rocker.cos(), 1.2 * rocker.sin()];
        let line = [1.5 - pin[0], -pin[1]];
        let arm = [elbow[0] - pin[0], elbow[1] - pin[1]];
        let side = line[0] * arm[1] - line[1] * arm[0] > 0.0;
        if self.side.is_some_and(|before| before != side) {
            self.flips += 1;
        }
        self.side = Some(side);
        self.turns = crank / std::f64::consts::TAU;
        let mut c = vec![0.0; view.sys.dims().nc];
        let mut want = Terms {
            c: Some(&mut c),
            ..Terms::default()
        };
        view.sys.eval(&s.at(), &mut want)?;
        self.open = c.iter().fold(self.open, |m, x| m.max(x.abs()));
        Ok(Flow::Continue)
    }
}

/// A crank-rocker cannot leave its branch; with coordinates exchanged on the way the crank turns
/// freely through several revolutions at every tolerance, and ends where index-2 BDF ends.
#[test]
fn full_turns_stay_on_their_branch() {
    let t_end = 5.0;
    let tight = Setup::new("bdf", "ggl", t_end, 1e-11);
    let exact = |length| tight.run(&mut *four_bar(length), &mut ()).unwrap().state;
    let exact = [1.5, 0.1].map(exact);
    let with = |s: &&StepperEntry| s.formulations.contains(&"state-space");
    for stepper in STEPPERS.iter().filter(with) {
        // order 2 would take its time
        let tightest = if stepper.name == "w" { 4 } else { 7 };
        for (k, case) in (2..=tightest).flat_map(|k| [(k, 0), (k, 1)]) {
            let (length, exact) = ([1.5, 0.1][case], &exact[case]);
            let setup = Setup::new(stepper.name, "state-space", t_end, 10f64.powi(-k));
            let mut branch = Branch::default();
            let out = setup.run(&mut *four_bar(length), &mut branch).unwrap();
            let what = format!("{} 1e-{k} {length}", stepper.name);
            assert_eq!(out.ending, Ending::Finished, "{what}");
            println!(
                "{what}: {} steps, {} rejected, {} partitions, {} evaluations, {:.2} turns, open {:.1e}, error {:.1e}",
                out.stats.steps,
                out.stats.rejected,
                out.stats.partitions,
                out.stats.projection_evaluations,
                branch.turns,
                branch.open,
                distance(&out.state, exact)
            );
            assert_eq!(branch.flips, 0, "{what}");
            assert!(branch.turns > 7.0, "{what}: {} turns", branch.turns);
            if k == 7 {
                let error = distance(&out.state, exact);
                assert!(error < 1e-2, "{what}: {error:.1e}");
            }
            let exchanges = if length < 1.0 { 10 } else { 1 };
            assert!(out.stats.partitions >= exchanges, "{what}: {:?}", out.stats);
            assert!(branch.open < 1e-12, "{what}: {:.1e}", branch.open);
        }
    }
}

/// Fixed steps of a third of a turn are longer than a step may be that knows its branch: they are
/// cut, not believed.
#[test]
fn fixed_steps_that_are_too_long_are_cut() {
    for stepper in ["dopri5", "rosenbrock", "w"] {
        let mut sys = four_bar(0.1);
        let setup = Setup::new(stepper, "state-space", 2.0, 1e-4);
        let start = setup.start(&mut *sys).unwrap();
        let fixed = Box::new(Fixed::new(0.2, 4));
        let mut branch = Branch::default();
        let out = setup
            .run_from(&mut *sys, &start, fixed, &mut branch)
            .unwrap();
        assert_eq!(out.ending, Ending::Finished, "{stepper}");
        assert_eq!(branch.flips, 0, "{stepper}");
        assert!(out.stats.steps > 20, "{stepper}: {:?}", out.stats);
        assert!(branch.turns > 2.5, "{stepper}: {}", branch.turns);
    }
}

/// What a fixed step costs at most, constraints included: three right-hand sides with a matrix for
/// Rosenbrock-Nyström, two for the W-method; each with a few corrections of dependent positions.
#[test]
fn fixed_steps_have_a_bounded_cost() {
    for (method, right_hand_sides, evaluations) in [
        ("rosenbrock", 3, 30),
        ("w", 2, 20),
        ("dopri5", 6, 50),
        ("adams", 2, 20),
    ] {
        let mut sys = four_bar(1.5);
        let setup = Setup::new(method, "state-space", 1.0, 1e-4);
        let start = setup.start(&mut *sys).unwrap();
        let fixed = Box::new(Fixed::new(5e-3, 4));
        let out = setup.run_from(&mut *sys, &start, fixed, &mut ()).unwrap();
        assert_eq!((out.ending, out.stats.steps), (Ending::Finished, 200));
        println!("{method}: {:?}", out.stats);
        assert_eq!(out.stats.most_right_hand_sides, right_hand_sides);
        assert!(
            out.stats.most_evaluations <= evaluations,
            "{method}: {:?}",
            out.stats
        );
        assert!(out.stats.most_evaluations >= 2 * right_hand_sides);
    }
}

/// Dependent positions of the other assembly, fed in as a prediction, close all constraints and are
/// refused all the same.
#[test]
fn another_branch_is_refused() {
    let mut sys = four_bar(1.5);
    let setup = Setup::new("rosenbrock", "state-space", 1.0, 1e-4);
    let start = setup.start(&mut *sys).unwrap();
    let mut reduced = Reduced::default();
    let mut stats = Stats::default();
    reduced.bind(&*sys, &start.rows);
    reduced.begin(&mut *sys, &start.state, &mut stats).unwrap();
    let mut s = start.state.clone();
    // the rocker mirrored at the line from crank pin to rocker pivot, the coupler with it
    let crank = s.q[2];
    let pin = [0.5 * crank.cos(), 0.5 * crank.sin()];
    let line = (-pin[1]).atan2(1.5 - pin[0]);
    s.q[8] = 2.0 * line - s.q[8];
    s.q[5] = 2.0 * line - s.q[5];
    let elbow = [1.5 + 1.2 * s.q[8].cos(), 1.2 * s.q[8].sin()];
    (s.q[3], s.q[4]) = (0.5 * (pin[0] + elbow[0]), 0.5 * (pin[1] + elbow[1]));
    (s.q[6], s.q[7]) = (1.5 + 0.6 * s.q[8].cos(), 0.6 * s.q[8].sin());
    let mut c = vec![0.0; sys.dims().nc];
    let mut want = Terms {
        c: Some(&mut c),
        ..Terms::default()
    };
    sys.eval(&s.at(), &mut want).unwrap();
    assert!(c.iter().all(|x| x.abs() < 1e-12), "{c:?}");
    let found = reduced.recover(&mut *sys, &mut s, &mut stats);
    let Err(Retry::Branch { departure, .. }) = found else {
        panic!("{found:?}");
    };
    assert!(departure > 0.75);
    // the branch of the start is not
    let mut s = start.state.clone();
    reduced.begin(&mut *sys, &start.state, &mut stats).unwrap();
    reduced.recover(&mut *sys, &mut s, &mut stats).unwrap();
}
