//! A saved run continues to the last bit, whatever it is made of; a tape that does not belong to it
//! is refused, never a panic.

use linkwork_dae::drive::{Ending, Engine, Flow, Observer, ObserverError, View};
use linkwork_dae::initial::Start;
use linkwork_dae::memory::{Memory, MemoryError, hash};
use linkwork_dae::stats::Stats;
use linkwork_dae::stepper::Family;
use linkwork_dae::system::System;
use linkwork_problems::andrews::Andrews;
use linkwork_problems::heavy_top::TOP;
use linkwork_problems::rigid_body::RigidBody;
use linkwork_problems::study::{Setup, jacobians, methods};
use linkwork_problems::{PROBLEMS, servo, sleigh, small};
use proptest::prelude::*;
use std::sync::LazyLock;

/// Every bit of every accepted state and of a point within its step, with the counters; stops where
/// it is told.
#[derive(Clone, Debug, Default, PartialEq)]
struct Trace {
    steps: Vec<(Vec<u64>, Stats)>,
    stop_at: Vec<u64>,
    resumed: u32,
}

impl Observer for Trace {
    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        let mut bits = vec![view.from.to_bits(), view.to.to_bits(), view.order as u64];
        let mut add = |values: &[f64]| bits.extend(values.iter().map(|x| x.to_bits()));
        let s = view.state();
        for values in [&s.q, &s.v, &s.a, &s.lambda, &s.x, &s.xdot] {
            add(values);
        }
        // not in every step, so that the pivots of the saddle system depend on the past
        if view.stats.steps.is_multiple_of(3) {
            let s = view.consistent(0.25 * view.from + 0.75 * view.to)?;
            for values in [&s.q, &s.v, &s.a, &s.lambda, &s.x, &s.xdot] {
                add(values);
            }
        }
        self.steps.push((bits, *view.stats));
        let stop = self.stop_at.contains(&view.stats.steps);
        Ok(if stop { Flow::Stop } else { Flow::Continue })
    }

    fn on_resume(&mut self, _: f64) {
        self.resumed += 1;
    }
}

fn engine<'a>(setup: &Setup, sys: &'a mut dyn System, start: &Start) -> Engine<'a> {
    let controller = setup.controller().unwrap();
    setup.engine(sys, start, controller).unwrap()
}

/// A run that is saved at some of its steps, all it saw, and the tapes.
fn saved(setup: &Setup, sys: &mut dyn System, at: &[u64]) -> (Trace, Vec<Vec<u64>>) {
    let start = setup.start(sys).unwrap();
    let mut engine = engine(setup, sys, &start);
    let mut trace = Trace {
        stop_at: at.to_vec(),
        ..Trace::default()
    };
    let mut tapes = Vec::new();
    let mut ending = engine.run(&start.state, &start.rows, &mut trace);
    while ending == Ending::Stopped {
        tapes.push(engine.save(&mut trace));
        ending = engine.proceed(&mut trace);
    }
    assert_eq!(ending, Ending::Finished);
    (trace, tapes)
}

/// The rest of a run from a tape, in an engine of its own.
fn continued(setup: &Setup, sys: &mut dyn System, tape: &[u64]) -> Result<Trace, MemoryError> {
    let start = setup.start(sys).unwrap();
    let mut engine = engine(setup, sys, &start);
    let mut trace = Trace::default();
    engine.resume(&start.rows, &mut trace, tape.to_vec())?;
    assert_eq!(trace.resumed, 1);
    assert_eq!(engine.proceed(&mut trace), Ending::Finished);
    Ok(trace)
}

/// Contacts, ropes, belts and clutches: rows that come into force and go are part of what is saved.
#[test]
fn a_run_with_contacts_and_friction_continues_to_the_last_bit() {
    fn system(file: &str) -> Box<dyn System> {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/");
        let text = std::fs::read_to_string(format!("{folder}{file}.toml")).unwrap();
        let document = linkwork_mbs::text::read(&text).unwrap();
        linkwork_mbs::system(&document.model).unwrap()
    }
    let at: Vec<u64> = (1..400).step_by(7).collect();
    for (t_end, build) in [
        (4.5, (|| system("bouncing_ball")) as fn() -> Box<dyn System>),
        (2.5, || system("belt")),
        (16.0, || system("clutch")),
        (3.0, || system("slack_rope")),
    ] {
        for (method, formulation) in [
            ("bdf", "ggl"),
            ("bdf", "index3"),
            ("gen-alpha", "index3"),
            ("dop853", "projected"),
            ("adams", "projected"),
        ] {
            let setup = Setup::new(method, formulation, t_end, 1e-6);
            let (plain, _) = saved(&setup, &mut *build(), &[]);
            let steps = plain.steps.len() as u64;
            let at: Vec<u64> = at.iter().copied().filter(|n| *n < steps).collect();
            let (whole, tapes) = saved(&setup, &mut *build(), &at);
            assert_eq!(plain.steps, whole.steps, "{method}: saving changes the run");
            for (tape, n) in tapes.iter().zip(&at) {
                let rest = continued(&setup, &mut *build(), tape).unwrap();
                let same = whole
                    .steps
                    .iter()
                    .position(|s| s.1.steps > *n)
                    .unwrap_or(whole.steps.len());
                assert!(
                    rest.steps == whole.steps[same..],
                    "{method} {formulation} from step {n}"
                );
            }
        }
    }
}

fn every_combination(t_end: f64, tol: f64, build: fn() -> Box<dyn System>, at: &[u64]) {
    for stepper in methods() {
        for formulation in stepper.formulations {
            for jacobian in jacobians() {
                for linear in ["sparse", "dense"] {
                    let mut setup = Setup::new(stepper.name, formulation, t_end, tol);
                    // the absolute tolerance of velocities follows the fastest rate seen
                    setup.plan.tolerances.atol = None;
                    setup.jacobian = jacobian;
                    setup.linear = linear;
                    if setup.stepper(&*build()).is_err() {
                        // algebraic states are not for explicit methods
                        continue;
                    }
                    let name = format!("{} {formulation} {jacobian} {linear}", stepper.name);
                    let (plain, _) = saved(&setup, &mut *build(), &[]);
                    // high orders need few steps
                    let steps = plain.steps.len() as u64;
                    let at: Vec<u64> = at.iter().copied().filter(|&n| n < steps).collect();
                    assert!(at.len() > 1, "{name}: {steps} steps");
                    let (whole, tapes) = saved(&setup, &mut *build(), &at);
                    assert_eq!(plain.steps, whole.steps, "{name}: saving changes the run");
                    assert_eq!(tapes.len(), at.len(), "{name}: {} steps", whole.steps.len());
                    for (tape, &n) in tapes.iter().zip(&at) {
                        let rest = continued(&setup, &mut *build(), tape)
                            .unwrap_or_else(|e| panic!("{name}: {e}"));
                        let expected = &whole.steps[n as usize..];
                        assert_eq!(rest.steps.len(), expected.len(), "{name} from step {n}");
                        for (i, (a, b)) in rest.steps.iter().zip(expected).enumerate() {
                            assert!(a == b, "{name} from step {n}: differs {i} steps later");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn squeezer_continues_to_the_last_bit() {
    let build = || Box::new(Andrews::default()) as Box<dyn System>;
    every_combination(0.03, 1e-4, build, &[1, 2, 7, 23, 61]);
}

/// With blocks that follow a driven joint, before and after their slopes are found, and once they have been
/// given up.
#[test]
fn followed_excitations_continue_to_the_last_bit() {
    use linkwork_mbs::tree::{Explicit, JointCoordinates};
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models");
    for (name, t_end) in [("boarding_bridge", 60.0), ("cardan_shaft", 1.0)] {
        let source = std::fs::read_to_string(format!("{folder}/{name}.toml")).unwrap();
        let model = linkwork_mbs::text::read(&source).unwrap().model;
        let build = |explicit: bool| -> Box<dyn System> {
            let joints = JointCoordinates::new(&model, &[]).unwrap();
            if explicit {
                Box::new(Explicit::new(joints).unwrap())
            } else {
                Box::new(joints)
            }
        };
        for (method, formulation) in [("bdf", "ggl"), ("gen-alpha", "index3")] {
            for explicit in [false, true] {
                let mut setup = Setup::new(method, formulation, t_end, 1e-4);
                setup.jacobian = "extended";
                let what = format!("{name} {method} {explicit}");
                let at = [1, 5, 30, 45];
                let (whole, tapes) = saved(&setup, &mut *build(explicit), &at);
                assert_eq!(tapes.len(), at.len(), "{what}");
                let last = whole.steps.last().unwrap();
                assert!(last.1.excitation_updates > 0, "{what}");
                for (tape, n) in tapes.iter().zip(at) {
                    let rest = continued(&setup, &mut *build(explicit), tape).unwrap();
                    assert!(rest.steps == whole.steps[n as usize..], "{what} from {n}");
                }
            }
        }
    }
}

/// With the order limited by the modes of the system, and with vibrations that are followed.
#[test]
fn watched_vibrations_continue_to_the_last_bit() {
    use linkwork_problems::slider_crank::{SliderCrank, Start};
    for start in [Start::Consistent, Start::Rest] {
        let build = || {
            small::Small::new(SliderCrank {
                start,
                ..SliderCrank::default()
            })
        };
        for formulation in ["ggl", "index3"] {
            let mut setup = Setup::new("bdf", formulation, 0.02, 1e-4);
            setup.plan.tolerances.atol = None;
            let at = [10, 30, 60, 90, 120, 150];
            let (whole, tapes) = saved(&setup, &mut build(), &at);
            for (tape, n) in tapes.iter().zip(at) {
                let rest = continued(&setup, &mut build(), tape).unwrap();
                let expected = &whole.steps[n as usize..];
                assert!(rest.steps == expected, "{start:?} {formulation} from {n}");
            }
        }
    }
}

#[test]
fn nonholonomic_rows_continue_to_the_last_bit() {
    let build = || Box::new(small::Small::new(sleigh::Sleigh)) as Box<dyn System>;
    every_combination(2.0, 1e-5, build, &[1, 5, 19]);
}

#[test]
fn first_order_and_algebraic_states_continue_to_the_last_bit() {
    let build = || Box::new(small::Small::new(servo::Servo)) as Box<dyn System>;
    every_combination(2.0, 1e-5, build, &[1, 5, 19]);
}

/// Joint coordinates remember their own bases beside those, held inputs and turns of the assembly.
#[test]
fn joint_coordinates_continue_to_the_last_bit() {
    use linkwork_mbs::tree::joint_coordinates::Form;
    use linkwork_mbs::tree::{Explicit, JointCoordinates};
    for name in ["squeezer", "sampled", "spherical_pendulum", "heavy_top"] {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models");
        let source = std::fs::read_to_string(format!("{folder}/{name}.toml")).unwrap();
        let model = linkwork_mbs::text::read(&source).unwrap().model;
        for (method, formulation, explicit, form) in [
            ("bdf", "ggl", false, Form::Stored),
            ("bdf", "ggl", false, Form::Augmented),
            ("bdf", "ggl", true, Form::Stored),
            ("gen-alpha", "index3", false, Form::Stored),
            ("gen-alpha", "index3", false, Form::Augmented),
            ("gen-alpha", "index3", true, Form::Stored),
            ("dopri5", "projected", false, Form::Stored),
            ("dopri5", "projected", false, Form::Augmented),
            ("adams", "projected", false, Form::Stored),
            ("adams", "projected", false, Form::Augmented),
        ] {
            let build = || -> Box<dyn System> {
                let system = JointCoordinates::in_form(&model, &[], form).unwrap();
                if explicit {
                    Box::new(Explicit::new(system).unwrap())
                } else {
                    Box::new(system)
                }
            };
            let mut setup = Setup::new(method, formulation, 0.02, 1e-6);
            setup.plan.tolerances.atol = None;
            if name == "sampled" {
                setup.plan.t_end = 0.5;
            }
            let (plain, _) = saved(&setup, &mut *build(), &[]);
            let steps = plain.steps.len() as u64;
            let at: Vec<u64> = [1, 2, 7, 19].into_iter().filter(|n| *n < steps).collect();
            let (whole, tapes) = saved(&setup, &mut *build(), &at);
            assert!(plain.steps == whole.steps && !tapes.is_empty());
            for (tape, n) in tapes.iter().zip(at) {
                let rest = continued(&setup, &mut *build(), tape).unwrap();
                let expected = &whole.steps[n as usize..];
                assert!(
                    rest.steps == expected,
                    "{name} {form:?} {method} from step {n}"
                );
            }
        }
    }
}

/// The base of a chart moves with every step and is part of what is remembered.
#[test]
fn rotations_continue_to_the_last_bit() {
    let build = || Box::new(RigidBody::new(TOP, true)) as Box<dyn System>;
    every_combination(0.1, 1e-4, build, &[1, 2, 7, 19]);
}

/// A hinge in space that is driven through whole turns: bases and counted turns are on the tape.
fn driven_hinge(rotation: &str) -> Box<dyn System> {
    let text = "[model]\nplanar = false\ngravity = [0, -9.81, 0]\n\
                [[body]]\nname = \"b\"\nmass = 1\ninertia = [0.2, 0.3, 0.4]\nposition = [0.3, 0.4, 0]\n\
                [[joint]]\nname = \"h\"\nkind = \"revolute\"\nbody_b = \"b\"\nat = [0, 0, 0]\naxis = [0.6, 0, 0.8]\n\
                [[joint]]\nname = \"m\"\nkind = \"drive\"\nbody_b = \"b\"\naxis = [0.6, 0, 0.8]\nvalue = \"8*t^2\"\n";
    let set = [format!("model.rotation={rotation}")];
    let model = linkwork_mbs::text::read_with(text, &set).unwrap().model;
    linkwork_mbs::system(&model).unwrap()
}

#[test]
fn mechanisms_in_space_continue_to_the_last_bit() {
    every_combination(1.5, 1e-4, || driven_hinge("vectors"), &[1, 5, 19]);
    every_combination(1.5, 1e-4, || driven_hinge("euler-parameters"), &[1, 5, 19]);
}

/// A flexible arm on a driven hinge: rotation, amplitudes and turns behind maps.
fn driven_arm() -> Box<dyn System> {
    let text = include_str!("models/driven_arm.toml");
    let model = linkwork_mbs::text::read(text).unwrap().model;
    linkwork_mbs::system(&model).unwrap()
}

#[test]
fn flexible_bodies_continue_to_the_last_bit() {
    every_combination(0.4, 1e-4, driven_arm, &[1, 5, 19]);
}

/// The end of a run shortens its last steps; what is saved then is the run before that, so that it
/// equals a longer one.
#[test]
fn a_finished_run_continues_as_the_longer_one() {
    for stepper in methods() {
        for formulation in stepper.formulations {
            let run = |t_end: f64, tape: Option<Vec<u64>>| {
                let mut setup = Setup::new(stepper.name, formulation, t_end, 1e-5);
                setup.plan.tolerances.atol = None;
                setup.plan.continued = true;
                let mut sys = Andrews::default();
                let start = setup.start(&mut sys).unwrap();
                let mut engine = engine(&setup, &mut sys, &start);
                let mut trace = Trace::default();
                let ending = match tape {
                    Some(tape) => {
                        engine.resume(&start.rows, &mut trace, tape).unwrap();
                        engine.proceed(&mut trace)
                    }
                    None => engine.run(&start.state, &start.rows, &mut trace),
                };
                assert_eq!(ending, Ending::Finished);
                let tape = engine.save(&mut trace);
                (trace, tape)
            };
            let (half, tape) = run(0.01, None);
            let (rest, _) = run(0.02, Some(tape.clone()));
            let first = rest.steps[0].1.steps as usize - 1;
            assert!(first < half.steps.len(), "the last steps are made again");
            assert!(first + 12 > half.steps.len(), "but only a few");
            if stepper.family == Family::Bdf {
                let (whole, _) = run(0.02, None);
                assert_eq!(rest.steps, whole.steps[first..]);
            } else {
                // the start of these takes a difference over a share of the duration
                let (longer, _) = run(0.03, Some(tape));
                let common = rest.steps.len() - 12;
                assert_eq!(rest.steps[..common], longer.steps[..common]);
            }
        }
    }
}

/// The same parts, but other parameters, another system or another part.
#[test]
fn foreign_tapes_are_refused_with_a_reason() {
    let setup = Setup::new("bdf", "ggl", 0.005, 1e-4);
    let (_, tapes) = saved(&setup, &mut Andrews::default(), &[5]);
    let refuse = |setup: &Setup, sys: &mut dyn System| {
        let why = continued(setup, sys, &tapes[0]).unwrap_err();
        why.to_string()
    };
    let andrews = || Andrews::default();
    let mut other = setup.clone();
    other.method = "gen-alpha";
    assert_eq!(
        refuse(&other, &mut andrews()),
        "it holds `order` where `element` is needed"
    );
    other = setup.clone();
    other.method = "bdf-quasi";
    assert_eq!(
        refuse(&other, &mut andrews()),
        "part `bdf` had other parameters"
    );
    other = setup.clone();
    other.jacobian = "dense";
    assert_eq!(
        refuse(&other, &mut andrews()),
        "it holds `exact` where `differ` is needed"
    );
    other = setup.clone();
    other.linear = "dense";
    assert_eq!(
        refuse(&other, &mut andrews()),
        "it holds `sparse` where `dense` is needed"
    );
    other = setup.clone();
    other.max_order = 3;
    assert_eq!(
        refuse(&other, &mut andrews()),
        "part `order` had other parameters"
    );
    let pendulum = PROBLEMS.iter().find(|p| p.name == "iftomm-a01").unwrap();
    assert_eq!(
        refuse(&setup, &mut *(pendulum.build)(&[]).unwrap()),
        "part `weights`: a list of 7 values where 2 are needed"
    );
}

/// A stepper that is bound and has factors is restored without allocating anything it keeps, so it
/// can go back and forth; what comes out is the same every time.
#[test]
fn one_engine_can_go_back() {
    let setup = Setup::new("gen-alpha", "index3", 0.01, 1e-4);
    let mut sys = Andrews::default();
    let start = setup.start(&mut sys).unwrap();
    let mut engine = engine(&setup, &mut sys, &start);
    let mut trace = Trace {
        stop_at: vec![10],
        ..Trace::default()
    };
    assert_eq!(
        engine.run(&start.state, &start.rows, &mut trace),
        Ending::Stopped
    );
    let tape = engine.save(&mut trace);
    trace = Trace::default();
    assert_eq!(engine.proceed(&mut trace), Ending::Finished);
    for _ in 0..2 {
        let mut again = Trace::default();
        engine
            .resume(&start.rows, &mut again, tape.clone())
            .unwrap();
        let mut copy = Memory::writing();
        engine.save_into(&mut again, &mut copy);
        assert_eq!(copy.words(), tape, "what was read is written again");
        assert_eq!(engine.proceed(&mut again), Ending::Finished);
        assert_eq!(again.steps, trace.steps);
    }
}

/// A valid tape of every kind of stepper.
static TAPES: LazyLock<Vec<(Setup, Vec<u64>)>> = LazyLock::new(|| {
    [("bdf", "index3"), ("ndf", "ggl"), ("gen-alpha", "index3")]
        .into_iter()
        .map(|(method, formulation)| {
            let mut setup = Setup::new(method, formulation, 0.002, 1e-6);
            setup.jacobian = "dense";
            setup.plan.max_attempts = 100;
            let (_, tapes) = saved(&setup, &mut Andrews::default(), &[6]);
            (setup, tapes[0].clone())
        })
        .collect()
});

/// Resumes and, where that works, proceeds; neither may panic.
fn survive(setup: &Setup, tape: Vec<u64>) -> Result<Ending, MemoryError> {
    let mut sys = Andrews::default();
    let start = setup.start(&mut sys).unwrap();
    let mut engine = engine(setup, &mut sys, &start);
    engine.resume(&start.rows, &mut (), tape)?;
    Ok(engine.proceed(&mut ()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn damaged_tapes_are_refused(which in 0usize..3, at in any::<prop::sample::Index>(), flip in 1u64..) {
        let (setup, tape) = &TAPES[which];
        let mut garbled = tape.clone();
        garbled[at.index(tape.len())] ^= flip;
        prop_assert_eq!(survive(setup, garbled), Err(MemoryError::Damaged));
        let truncated = tape[..at.index(tape.len())].to_vec();
        prop_assert_eq!(survive(setup, truncated), Err(MemoryError::Damaged));
    }

    /// Even a tape with a fitting seal may hold nonsense: numbers that no run has, lists too long.
    #[test]
    fn forged_tapes_do_not_panic(
        which in 0usize..3,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u64>()), 1..4),
        keep in any::<prop::sample::Index>(),
        truncate in prop::bool::weighted(0.2),
    ) {
        let (setup, tape) = &TAPES[which];
        let mut forged = tape[..tape.len() - 1].to_vec();
        for (at, word) in changes {
            let i = at.index(forged.len());
            forged[i] = word;
        }
        if truncate {
            forged.truncate(keep.index(forged.len()));
        }
        forged.push(hash(&forged));
        let _ = survive(setup, forged);
    }

    /// The same where single words decide: small numbers in every place.
    #[test]
    fn small_numbers_in_wrong_places_do_not_panic(
        which in 0usize..3,
        at in any::<prop::sample::Index>(),
        word in 0u64..20,
    ) {
        let (setup, tape) = &TAPES[which];
        let mut forged = tape[..tape.len() - 1].to_vec();
        let i = at.index(forged.len());
        forged[i] = word;
        forged.push(hash(&forged));
        let _ = survive(setup, forged);
    }
}
