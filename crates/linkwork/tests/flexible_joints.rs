//! Flexible bodies in joint coordinates: the same motion as in absolute ones, modes against beam elements, and what it costs.

use linkwork::mbs::text;
use linkwork::mbs::tree::JointCoordinates;
use linkwork::mbs::tree::joint_coordinates::Form;
use linkwork::modes::{Point, named_modes};
use linkwork::sparsity::sparsity;
use linkwork::{Options, Run, Simulation, Verdict};
use linkwork_dae::system::System;
use std::fmt::Write;

fn simulation(model: &str, coordinates: &str, options: Options) -> Simulation {
    let document = text::read(model).unwrap_or_else(|e| panic!("{e:?}\n{model}"));
    let options = Options {
        coordinates: Some(coordinates.into()),
        ..options
    };
    Simulation::from_document_with(&document, options).unwrap()
}

fn run(model: &str, coordinates: &str, t_end: f64, rtol: f64, method: &str) -> Run {
    let options = Options {
        t_end: Some(t_end),
        rtol: Some(rtol),
        method: Some(method.into()),
        ..Options::default()
    };
    let run = simulation(model, coordinates, options).run().unwrap();
    println!("{coordinates} {method} {rtol:e}: {} steps", run.stats.steps);
    assert_ne!(run.verdict, Verdict::Failed, "{:?}", run.ending);
    run
}

fn last(run: &Run, name: &str) -> f64 {
    *run.channel(name)
        .unwrap_or_else(|| panic!("{name}"))
        .last()
        .unwrap()
}

fn built_in(name: &str) -> &'static str {
    let entry = linkwork::catalogue::MODELS.iter().find(|m| m.name == name);
    entry.unwrap().text
}

/// A robot arm in space and a slider crank in the plane.
#[test]
fn both_coordinates_tell_the_same_motion() {
    let cases = [
        (
            "flexible_arm",
            0.5,
            &["tool.x", "tool.y", "tool.z", "upper.end.y", "lower.mode1"][..],
            1e-5,
        ),
        (
            "elastic_slider_crank",
            0.02,
            &["block.x", "rod.mode1", "rod.mode4"],
            1e-4,
        ),
    ];
    for (name, t_end, channels, bound) in cases {
        for method in ["bdf", "radau", "gen-alpha"] {
            let runs = ["absolute", "joint"]
                .map(|coordinates| run(built_in(name), coordinates, t_end, 1e-8, method));
            // of the second order: its own error is larger than what others differ by
            let bound = if method == "gen-alpha" {
                10.0 * bound
            } else {
                bound
            };
            for channel in channels {
                let [a, b] = runs.each_ref().map(|run| last(run, channel));
                println!("{name} {method} {channel}: {a} {b}");
                assert!(
                    (a - b).abs() < bound * (1e-3 + a.abs()),
                    "{name} {method} {channel}: {a} {b}"
                );
            }
        }
    }
}

/// A pendulum that bends, by modes and by elements that may bend far, in both coordinates: apart by little of what bending
/// makes of the motion, which a stiff one tells; it keeps its energy.
#[test]
fn modes_and_elements_swing_alike_in_both_coordinates() {
    let stock = |young: f64| {
        format!(
            "[model]\ngravity = [0, -9.81]\n\
             [[section]]\nname = \"s\"\nkind = \"rectangle\"\nheight = 0.02\nwidth = 0.03\n\
             [[material]]\nname = \"m\"\nyoung = {young:e}\npoisson = 0.3\ndensity = 2000\n"
        )
    };
    let modal = |young: f64| {
        let stock = stock(young);
        format!(
            "{stock}[[body]]\nname = \"arm\"\nkind = \"flexible_beam\"\nlength = 1\nsection = \"s\"\nmaterial = \"m\"\n\
             mode_set = \"clamped\"\nmodes = [4, 2]\n\
             [[joint]]\nname = \"pin\"\nkind = \"revolute\"\nbody_b = \"arm\"\n"
        )
    };
    let elements = |count: usize| {
        let stock = stock(1e9);
        format!(
            "{stock}[[beam]]\nname = \"arm\"\npoints = [[0, 0], [1, 0]]\nelements = {count}\nsection = \"s\"\nmaterial = \"m\"\n\
             [[joint]]\nname = \"pin\"\nkind = \"revolute\"\nbody_b = \"arm_start\"\n"
        )
    };
    let path = |model: &str, tip: &str, coordinates: &str| -> Vec<[f64; 2]> {
        let run = run(model, coordinates, 0.6, 1e-7, "radau");
        let energy = run.energy.as_ref().expect("an account");
        println!("{energy:?}");
        let lost = energy.end - energy.start - energy.work;
        assert!(lost.abs() < 1e-7 * energy.exchanged, "{energy:?}");
        let [x, y] = ["x", "y"].map(|axis| run.channel(&format!("{tip}.{axis}")).unwrap());
        x.iter().zip(y).map(|(x, y)| [*x, *y]).collect()
    };
    let apart = |a: &[[f64; 2]], b: &[[f64; 2]]| {
        let pairs = a.iter().zip(b);
        let far = pairs.map(|(a, b)| (a[0] - b[0]).hypot(a[1] - b[1]));
        far.fold(0.0, f64::max)
    };
    let both = ["absolute", "joint"];
    let by_modes = both.map(|c| path(&modal(1e9), "arm.end", c));
    let by_elements = both.map(|c| path(&elements(24), "arm_e24", c));
    let stiff = both.map(|c| path(&modal(1e14), "arm.end", c));
    for own in [&by_modes, &by_elements] {
        assert!(apart(&own[0], &own[1]) < 1e-5);
    }
    for (k, coordinates) in both.into_iter().enumerate() {
        let bending = apart(&by_modes[k], &stiff[k]);
        let found = apart(&by_modes[k], &by_elements[k]);
        println!("{coordinates}: {found:e} of {bending:e}");
        assert!(bending > 1e-3, "{coordinates}: {bending}");
        assert!(
            found < 0.05 * bending,
            "{coordinates}: {found} of {bending}"
        );
    }
}

/// Frequencies do not depend on coordinates.
#[test]
fn modes_are_those_of_absolute_coordinates() {
    for name in ["flexible_arm", "elastic_slider_crank"] {
        let [a, b] = ["absolute", "joint"].map(|coordinates| {
            let mut simulation = simulation(built_in(name), coordinates, Options::default());
            let modes = named_modes(&mut simulation, Point::Start).unwrap();
            let mut all: Vec<f64> = modes.modes.iter().map(|m| m.natural_hz).collect();
            all.retain(|f| *f > 1e-3);
            all.sort_by(f64::total_cmp);
            all
        });
        assert_eq!(a.len(), b.len(), "{a:?} {b:?}");
        assert!(!a.is_empty());
        for (a, b) in a.iter().zip(&b) {
            assert!((a / b - 1.0).abs() < 1e-6, "{name}: {a} {b}");
        }
    }
}

/// A chain of so many flexible links.
fn chain(links: usize) -> String {
    let mut model = String::from(
        "[model]\nplanar = false\ngravity = [0, 0, -9.81]\n\
         [[section]]\nname = \"s\"\nkind = \"circle\"\ndiameter = 0.05\n\
         [[material]]\nname = \"m\"\nyoung = 1e9\npoisson = 0.3\ndensity = 2000\n",
    );
    for i in 0..links {
        let _ = write!(
            model,
            "[[body]]\nname = \"l{i}\"\nkind = \"flexible_beam\"\nlength = 1\nsection = \"s\"\nmaterial = \"m\"\n\
             mode_set = \"clamped\"\nmodes = [1, 1, 0, 1]\nposition = [{i}, 0, 0]\n"
        );
        let on = match i {
            0 => "ground".into(),
            _ => format!("l{}.end", i - 1),
        };
        let _ = write!(
            model,
            "[[joint]]\nname = \"j{i}\"\nkind = \"revolute\"\nbody_a = \"{on}\"\nbody_b = \"l{i}\"\n\
             at = [{i}, 0, 0]\naxis = [0, 1, 0]\n"
        );
    }
    model
}

/// Every joint of the arm carries a body, at ends that modes move as well: a coordinate for each hinge, amplitudes, and no equation
/// is left. Explicit methods run without one.
#[test]
fn joints_on_frames_that_bend_carry_bodies() {
    let document = text::read(built_in("flexible_arm")).unwrap_or_else(|e| panic!("{e:?}"));
    let arm = JointCoordinates::new(&document.model, &[]).unwrap();
    let outline = arm.outline();
    assert_eq!((outline.coordinates, outline.constraints), (12, 0));
    let carried = |body: &str| {
        let branch = outline.branches.iter().find(|b| b.body == body);
        branch.map(|b| b.on.clone()).unwrap_or_default()
    };
    assert_eq!(
        ["upper", "lower", "tool"].map(carried),
        ["ground", "upper.end", "lower.end"]
    );
    let model = built_in("flexible_arm");
    let [a, b] = ["dop853", "bdf"].map(|method| run(model, "joint", 0.05, 1e-8, method));
    for channel in ["tool.x", "tool.y", "upper.mode1", "lower.mode1"] {
        let [a, b] = [&a, &b].map(|run| last(run, channel));
        assert!((a - b).abs() < 1e-7, "{channel}: {a} {b}");
    }
}

/// The same arm with modes of interfaces, which move both ends of a link: joints carry the links at ends that bend as well.
#[test]
fn joints_carry_bodies_by_frames_that_bend() {
    let model = built_in("flexible_arm")
        .replace("mode_set = \"clamped\"", "mode_set = \"interface\"")
        .replace("body_b = \"upper\"\nat", "body_b = \"upper.start\"\nat")
        .replace("body_b = \"lower\"\nat", "body_b = \"lower.start\"\nat");
    let document = text::read(&model).unwrap_or_else(|e| panic!("{e:?}"));
    let outline = JointCoordinates::new(&document.model, &[])
        .unwrap()
        .outline();
    assert_eq!((outline.coordinates, outline.constraints), (12, 0));
    assert_eq!(outline.branches[1].on, "upper.end");
    let [a, b] = ["absolute", "joint"].map(|c| run(&model, c, 0.2, 1e-8, "bdf"));
    for channel in ["tool.x", "tool.y", "tool.z", "upper.mode1", "lower.mode2"] {
        let [a, b] = [&a, &b].map(|run| last(run, channel));
        println!("{channel}: {a} {b}");
        assert!((a - b).abs() < 1e-6, "{channel}: {a} {b}");
    }
}

/// Neither relations nor factors of a step per body become more with the number of bodies.
#[test]
fn cost_is_in_proportion_to_the_number_of_bodies() {
    let entries = |links: usize| {
        let document = text::read(&chain(links)).unwrap_or_else(|e| panic!("{e:?}"));
        let system = JointCoordinates::in_form(&document.model, &[], Form::Augmented).unwrap();
        let facts = system.facts();
        assert_eq!((facts.dims.nv, facts.dims.rows()), (4 * links, 0));
        let relations = facts.auxiliary.clone().expect("relations").entries.len();
        let method = Options {
            t_end: Some(1.0),
            ..Options::new().method("bdf")
        };
        let mut simulation = simulation(&chain(links), "joint", method);
        let (settings, start) = (simulation.settings().unwrap(), simulation.start().unwrap());
        let matrix = sparsity(simulation.system(), &settings, &start).unwrap();
        let matrix = matrix.expect("an implicit method");
        assert_eq!(matrix.form(), "augmented");
        let factors = matrix.factor.expect("regular") as f64;
        [relations as f64, factors, matrix.work.factor]
    };
    let [small, middle, large] = [20, 40, 80].map(entries);
    println!("{small:?} {middle:?} {large:?}");
    for k in 0..3 {
        let growth = (large[k] - middle[k]) / (middle[k] - small[k]);
        assert!((growth - 2.0).abs() < 0.1, "{k}: {growth}");
    }
}
