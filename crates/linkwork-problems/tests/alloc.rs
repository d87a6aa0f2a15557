//! No heap allocation inside a step once a run has started, nor when it is saved to a tape that has
//! held it before and restored from it.

use linkwork_dae::drive::{Ending, Flow, Observer, ObserverError, View};
use linkwork_dae::memory::Memory;
use linkwork_problems::andrews::Andrews;
use linkwork_problems::heavy_top::TOP;
use linkwork_problems::hybrid::friction::Belt;
use linkwork_problems::hybrid::impact::{Ball, WallPendulum};
use linkwork_problems::rigid_body::RigidBody;
use linkwork_problems::slider_crank::SliderCrank;
use linkwork_problems::small::Small;
use linkwork_problems::study::{Setup, jacobians, methods};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use std::alloc::System;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn allocations() -> usize {
    let stats = ALLOCATOR.stats();
    stats.allocations + stats.reallocations
}

/// Notes the allocations of the process at the start and at the last step seen.
#[derive(Default)]
struct Counter {
    first: Option<usize>,
    last: usize,
}

impl Observer for Counter {
    fn on_start(&mut self, _: &mut View<'_>) -> Result<(), ObserverError> {
        self.first = Some(allocations());
        Ok(())
    }

    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        // dense output with consistent accelerations is part of a step
        view.consistent(0.5 * (view.from + view.to))?;
        self.last = allocations();
        Ok(Flow::Continue)
    }
}

/// Stops after so many steps.
struct Until(u64);

impl Observer for Until {
    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        Ok(if view.stats.steps == self.0 {
            Flow::Stop
        } else {
            Flow::Continue
        })
    }
}

fn save_and_restore(setup: &Setup) {
    let mut sys = Andrews::default();
    let start = setup.start(&mut sys).unwrap();
    let controller = setup.controller().unwrap();
    let mut engine = setup.engine(&mut sys, &start, controller).unwrap();
    let ending = engine.run(&start.state, &start.rows, &mut Until(10));
    assert_eq!(ending, Ending::Stopped);
    let mut m = Memory::writing();
    engine.save_into(&mut (), &mut m);
    assert_eq!(engine.proceed(&mut Until(20)), Ending::Stopped);
    let before = allocations();
    engine.restore(&mut (), &mut m).unwrap();
    engine.save_into(&mut (), &mut m);
    assert_eq!(
        allocations(),
        before,
        "{} {}",
        setup.method,
        setup.formulation
    );
}

/// Neither do restarts at the ticks of a sampled controller.
fn samples() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/sampled.toml");
    let source = std::fs::read_to_string(path).unwrap();
    let model = linkwork_mbs::text::read(&source).unwrap().model;
    for stepper in methods() {
        for formulation in stepper.formulations {
            let setup = Setup::new(stepper.name, formulation, 1.0, 1e-5);
            let mut counter = Counter::default();
            let mut sys = linkwork_mbs::assemble(&model).unwrap();
            let out = setup.run(&mut sys, &mut counter).unwrap();
            assert_eq!(out.ending, Ending::Finished);
            assert!(out.stats.restarts > 20);
            let what = format!("{} {formulation}", stepper.name);
            assert_eq!(Some(counter.last), counter.first, "{what}: allocations");
        }
    }
}

/// Neither do switches, impacts and what follows them.
fn switches() {
    for stepper in methods() {
        for formulation in stepper.formulations {
            let setup = Setup::new(stepper.name, formulation, 2.5, 1e-5);
            let all: [Box<dyn linkwork_dae::system::System>; 3] = [
                Box::new(Small::new(Ball::new(0.8))),
                Box::new(Small::new(WallPendulum)),
                Box::new(Small::new(Belt { mode: 0 })),
            ];
            for mut sys in all {
                let mut counter = Counter::default();
                let out = setup.run(&mut *sys, &mut counter).unwrap();
                let what = format!("{} {formulation}", stepper.name);
                assert_eq!(out.ending, Ending::Finished, "{what}");
                assert!(out.stats.switches > 1, "{what}");
                assert_eq!(Some(counter.last), counter.first, "{what}: allocations");
            }
        }
    }
}

/// Neither does a chart that is re-based in every step, nor a history that is carried along.
fn rotations() {
    for stepper in methods() {
        for formulation in stepper.formulations {
            for jacobian in jacobians() {
                let mut setup = Setup::new(stepper.name, formulation, 0.1, 1e-5);
                setup.jacobian = jacobian;
                let mut counter = Counter::default();
                let mut sys = RigidBody::new(TOP, true);
                if setup.stepper(&sys).is_err() {
                    continue;
                }
                let out = setup.run(&mut sys, &mut counter).unwrap();
                assert_eq!(out.ending, Ending::Finished);
                let what = format!("{} {formulation}", stepper.name);
                assert_eq!(Some(counter.last), counter.first, "{what}: allocations");
            }
        }
    }
}

/// Nor do mechanisms in space, in either coordinates of their rotations.
fn in_space() {
    for model in ["heavy_top", "driven"] {
        for rotation in ["vectors", "euler-parameters"] {
            let path = format!("{}/../../models/heavy_top.toml", env!("CARGO_MANIFEST_DIR"));
            let mut source = std::fs::read_to_string(path).unwrap();
            if model == "driven" {
                // a prescribed angle is counted over whole turns
                source = source.replace("spherical", "revolute");
                source = source.replace("at = [0, 0, 0]", "at = [0, 0, 0]\naxis = [0, 0, 1]");
                source += "[[joint]]\nname = \"motor\"\nkind = \"drive\"\nbody_b = \"top\"\n\
                           axis = [0, 0, 1]\nvalue = \"-4.61538*t - 30*t^2\"\n";
                source = source.replace("[0, \"150 rad/s\", -4.61538]", "[0, 0, -4.61538]");
            }
            let set = [format!("model.rotation={rotation}")];
            let model = linkwork_mbs::text::read_with(&source, &set).unwrap().model;
            for stepper in methods() {
                for formulation in stepper.formulations {
                    let setup = Setup::new(stepper.name, formulation, 0.1, 1e-4);
                    let mut counter = Counter::default();
                    let mut sys = linkwork_mbs::system(&model).unwrap();
                    if setup.stepper(&*sys).is_err() {
                        continue;
                    }
                    let out = setup.run(&mut *sys, &mut counter).unwrap();
                    let what = format!("{} {formulation} {rotation}", stepper.name);
                    assert_eq!(out.ending, Ending::Finished, "{what}");
                    assert_eq!(Some(counter.last), counter.first, "{what}: allocations");
                }
            }
        }
    }
}

/// Nor do flexible bodies.
fn flexible() {
    let text = include_str!("models/driven_arm.toml");
    let model = linkwork_mbs::text::read(text).unwrap().model;
    for stepper in methods() {
        for formulation in stepper.formulations {
            let setup = Setup::new(stepper.name, formulation, 0.1, 1e-4);
            let mut counter = Counter::default();
            let mut sys = linkwork_mbs::system(&model).unwrap();
            if setup.stepper(&*sys).is_err() {
                continue;
            }
            let out = setup.run(&mut *sys, &mut counter).unwrap();
            let what = format!("{} {formulation}, flexible", stepper.name);
            assert_eq!(out.ending, Ending::Finished, "{what}");
            assert_eq!(Some(counter.last), counter.first, "{what}: allocations");
        }
    }
}

/// Nor do models in joint coordinates, in either formalism and form, outputs with all reactions included.
fn joint_coordinates() {
    use linkwork_dae::system::System;
    use linkwork_mbs::tree::joint_coordinates::Form;
    use linkwork_mbs::tree::{Explicit, JointCoordinates};
    /// Looks at every state.
    struct Watch(Counter, Vec<f64>);
    impl Observer for Watch {
        fn on_start(&mut self, view: &mut View<'_>) -> Result<(), ObserverError> {
            self.0.on_start(view)
        }
        fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
            let s = view.state().clone();
            let before = allocations();
            view.sys.observe(&s, &mut self.1);
            assert_eq!(allocations(), before, "outputs");
            Ok(Flow::Continue)
        }
    }
    for name in ["squeezer", "sampled", "spherical_pendulum", "heavy_top"] {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models");
        let source = std::fs::read_to_string(format!("{folder}/{name}.toml")).unwrap();
        let model = linkwork_mbs::text::read(&source).unwrap().model;
        for (explicit, form) in [
            (false, Form::Stored),
            (false, Form::Augmented),
            (true, Form::Stored),
        ] {
            let build = || -> Box<dyn System> {
                let system = JointCoordinates::in_form(&model, &[], form).unwrap();
                if explicit {
                    Box::new(Explicit::new(system).unwrap())
                } else {
                    Box::new(system)
                }
            };
            for stepper in methods() {
                let formulation = stepper.formulations[0];
                let t_end = if name == "sampled" { 0.5 } else { 0.02 };
                let setup = Setup::new(stepper.name, formulation, t_end, 1e-5);
                let mut sys = build();
                if setup.stepper(&*sys).is_err() {
                    continue;
                }
                let mut counter = Counter::default();
                let out = setup.run(&mut *sys, &mut counter).unwrap();
                let what = format!("{name} {} {formulation} {explicit} {form:?}", stepper.name);
                assert_eq!(out.ending, Ending::Finished, "{what}");
                assert_eq!(Some(counter.last), counter.first, "{what}: allocations");
            }
            let mut sys = build();
            let setup = Setup::new("bdf", "ggl", 0.01, 1e-4);
            let room = vec![0.0; sys.channels().len()];
            setup
                .run(&mut *sys, &mut Watch(Counter::default(), room))
                .unwrap();
        }
    }
}

/// Nor do blocks that follow driven joints and forces of time, the search for their slopes included.
fn excitations() {
    use linkwork_dae::system::System;
    use linkwork_mbs::tree::{Explicit, JointCoordinates};
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models");
    let mut source = std::fs::read_to_string(format!("{folder}/boarding_bridge.toml")).unwrap();
    source += "[[force]]\nname = \"wind\"\nkind = \"force\"\nbody_b = \"cab\"\n\
               point = [0.5, 0, 1]\nz = \"2e3*sin(t)\"\n";
    let model = linkwork_mbs::text::read(&source).unwrap().model;
    for (method, formulation) in [
        ("bdf", "ggl"),
        ("bdf", "index3"),
        ("dassl", "ggl"),
        ("gen-alpha", "index3"),
    ] {
        let joints = || JointCoordinates::new(&model, &[]).unwrap();
        let systems: [Box<dyn System>; 3] = [
            Box::new(joints()),
            Box::new(Explicit::new(joints()).unwrap()),
            linkwork_mbs::system(&model).unwrap(),
        ];
        for mut sys in systems {
            let count = sys.facts().excitations.len();
            let mut setup = Setup::new(method, formulation, 40.0, 1e-4);
            setup.jacobian = "extended";
            let mut counter = Counter::default();
            let out = setup.run(&mut *sys, &mut counter).unwrap();
            let what = format!("{method} {formulation}, {count} excitations");
            assert_eq!(out.ending, Ending::Finished, "{what}");
            assert!(out.stats.excitation_updates > 0 || count == 1, "{what}");
            assert_eq!(Some(counter.last), counter.first, "{what}: allocations");
        }
    }
}

/// Nor do constraints of velocities, threads that count turns and drives by tables.
fn rolling_and_threads() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../models/rolling_disc.toml"
    );
    let disc = std::fs::read_to_string(path).unwrap();
    let nut = r#"
[model]
planar = false
gravity = [0, 0, -9.81]
[[body]]
name = "nut"
mass = 1
inertia = 0.01
[[joint]]
name = "thread"
kind = "screw"
body_b = "spindle"
body_a = "nut"
at = [0, 0, 0]
axis = [0, 0, 1]
pitch = 0.05
[[body]]
name = "spindle"
mass = 1
inertia = 0.01
[[joint]]
name = "bearing"
kind = "revolute"
body_b = "spindle"
at = [0, 0, 0]
axis = [0, 0, 1]
[[joint]]
name = "motor"
kind = "drive"
body_b = "spindle"
axis = [0, 0, 1]
value = [[0, 0], [0.1, 0.3], [0.2, 0.2], [0.3, 0.5]]
"#;
    for source in [disc.as_str(), nut] {
        let model = linkwork_mbs::text::read(source).unwrap().model;
        for stepper in methods() {
            for formulation in stepper.formulations {
                let setup = Setup::new(stepper.name, formulation, 0.2, 1e-4);
                let mut counter = Counter::default();
                let mut sys = linkwork_mbs::system(&model).unwrap();
                if setup.stepper(&*sys).is_err() {
                    continue;
                }
                let out = setup.run(&mut *sys, &mut counter).unwrap();
                let what = format!("{} {formulation}", stepper.name);
                assert_eq!(out.ending, Ending::Finished, "{what}");
                assert_eq!(Some(counter.last), counter.first, "{what}: allocations");
            }
        }
    }
}

/// Neither does the search for modes where vibrations make orders unstable.
fn modes() {
    for formulation in ["ggl", "index3", "index1"] {
        let mut setup = Setup::new("bdf", formulation, 0.02, 1e-4);
        setup.plan.tolerances.atol = None;
        let mut counter = Counter::default();
        let mut sys = Small::new(SliderCrank::default());
        let out = setup.run(&mut sys, &mut counter).unwrap();
        assert_eq!(out.ending, Ending::Finished);
        assert_eq!(out.notes.len(), 1, "{formulation}: modes were looked for");
        assert_eq!(
            Some(counter.last),
            counter.first,
            "{formulation}: allocations"
        );
    }
}

// Without the test harness: the counter is that of the whole process, and the harness allocates in a
// thread of its own.
fn main() {
    samples();
    switches();
    joint_coordinates();
    rotations();
    in_space();
    flexible();
    rolling_and_threads();
    excitations();
    modes();
    for stepper in methods() {
        for formulation in stepper.formulations {
            for jacobian in jacobians() {
                let mut setup = Setup::new(stepper.name, formulation, 0.03, 1e-6);
                setup.jacobian = jacobian;
                // far too long for any method, so that a rejected step is among them
                setup.plan.first_step = Some(5e-3);
                let mut counter = Counter::default();
                let out = setup.run(&mut Andrews::default(), &mut counter).unwrap();
                assert_eq!(out.ending, Ending::Finished);
                save_and_restore(&setup);
                assert!(out.stats.rejected > 0, "rejected steps must be among them");
                assert_eq!(
                    Some(counter.last),
                    counter.first,
                    "{} {} {}: allocations after start",
                    stepper.name,
                    formulation,
                    jacobian
                );
            }
        }
    }
}
