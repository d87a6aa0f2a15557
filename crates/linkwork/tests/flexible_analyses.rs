//! What every analysis makes of flexible bodies: the choice of the method, who rules the steps, energies of modes, deformed
//! shapes, kinematics, balance and co-simulation.

use linkwork::catalogue::MODELS;
use linkwork::cosim::{CosimOptions, CoupledSystem};
use linkwork::dae::drive::Flow;
use linkwork::dae::stepper::STEPPERS;
use linkwork::kinematics::kinematics;
use linkwork::mbs::text;
use linkwork::{Note, Options, Simulation, Verdict};

mod runs;

use runs::{channel, last, simulation};

/// A steel rod on a pin, clamped modes, so many of bending and of tension.
fn rod(modes: [usize; 2], more: &str) -> String {
    format!(
        "[model]\ngravity = [0, -9.81]\n\
         [[section]]\nname = \"s\"\nkind = \"rectangle\"\nheight = 0.01\nwidth = 0.02\n\
         [[material]]\nname = \"m\"\nyoung = 2e11\npoisson = 0.3\ndensity = 7800\n\
         [[body]]\nname = \"rod\"\nkind = \"flexible_beam\"\nlength = 1\nsection = \"s\"\nmaterial = \"m\"\n\
         mode_set = \"clamped\"\nmodes = {modes:?}\n{more}\
         [[joint]]\nname = \"pin\"\nkind = \"revolute\"\nbody_b = \"rod\"\nat = [0, 0]\n"
    )
}

/// The same clamped, without weight: its modes know nothing of each other.
fn held(model: &str) -> String {
    let light = model.replace("gravity = [0, -9.81]\n", "");
    light.replace("\"revolute\"", "\"fixed\"")
}

/// The third mode of bending is excited and followed: it rules the steps, and is named, in both coordinates.
#[test]
fn who_rules_the_steps_is_told_down_to_the_mode() {
    let model = held(&rod([3, 0], "amplitudes = [0, 0, 1e-3]\n"));
    for coordinates in ["absolute", "joint"] {
        let document = text::read(&model).unwrap_or_else(|e| panic!("{e:?}"));
        let options = Options::new()
            .coordinates(coordinates)
            .method("bdf")
            .rtol(1e-8);
        let simulation = Simulation::from_document_with(&document, options).unwrap();
        let run = simulation.t_end(0.02).run().unwrap();
        println!("{:?}", run.limiters);
        assert_eq!(run.limiters[0].owner, "rod, bending along y 3");
    }
}

/// Modes far above the motion are stepped over by a method that is stable on vibrations.
#[test]
fn a_method_that_is_stable_on_vibrations_is_chosen() {
    let named = |name: &str| {
        let entry = MODELS.iter().find(|m| m.name == name).expect("built in");
        entry.text.to_string()
    };
    for model in ["elastic_slider_crank", "springboard"].map(named) {
        let run = simulation(&model).run().unwrap();
        let taken = run.notes.iter().filter_map(|note| match note {
            Note::Chose { method, .. } | Note::Turned { method, .. } => Some(*method),
            _ => None,
        });
        let taken: Vec<&str> = taken.collect();
        println!("{taken:?}, {} steps", run.stats.steps);
        assert_eq!(run.verdict, Verdict::Converged, "{:?}", run.doubts);
        let stable = |method: &&str| ["radau", "gen-alpha"].contains(method);
        assert!(taken.last().is_some_and(stable), "{:?}", run.notes);
    }
}

/// The arm costs explicit steps 3 to 5 times as much at 3 to 6 digits (1243 steps at 1e-3, 1989 at 1e-7): collocation carries it
/// from its start to its end.
#[test]
fn the_arm_is_carried_by_collocation() {
    let entry = MODELS.iter().find(|m| m.name == "flexible_arm");
    for rtol in [1e-4, 1e-5, 1e-6, 1e-7] {
        let document = text::read(entry.expect("built in").text).unwrap();
        let options = Options::new().rtol(rtol);
        let mut simulation = Simulation::from_document_with(&document, options).unwrap();
        let run = simulation.run().unwrap();
        println!("{rtol:e}: {} steps, {:?}", run.stats.steps, run.notes);
        assert!(run.stats.steps < 500, "{rtol:e}: {:?}", run.notes);
    }
}

/// All methods in all their forms, in both coordinates, move a rod that swings and bends to the same place.
#[test]
fn every_method_moves_a_flexible_body() {
    let document = text::read(&rod([2, 0], "damping_ratio = 0.02\n")).unwrap();
    let run = |coordinates: &str, method: &str, formulation: Option<&str>, rtol: f64| {
        let options = Options {
            t_end: Some(0.1),
            formulation: formulation.map(str::to_string),
            ..runs::options(coordinates, method, rtol)
        };
        Simulation::from_document_with(&document, options)
            .unwrap()
            .run()
    };
    let exact = run("absolute", "radau", None, 1e-9).unwrap();
    for coordinates in ["absolute", "joint"] {
        for method in STEPPERS {
            for formulation in method.formulations {
                let what = format!("{} {formulation} {coordinates}", method.name);
                let found = run(coordinates, method.name, Some(formulation), 1e-6);
                let found = found.unwrap_or_else(|e| panic!("{what}: {e:?}"));
                assert_eq!(
                    found.verdict,
                    Verdict::Converged,
                    "{what}: {:?}",
                    found.doubts
                );
                // methods of order 2 accumulate more of what a step may err
                for (name, bound) in [
                    ("rod.end.x", 5e-6),
                    ("rod.end.y", 5e-5),
                    ("rod.mode1", 5e-5),
                ] {
                    let [a, b] = [&found, &exact].map(|run| last(run, name));
                    assert!((a - b).abs() < bound, "{what} {name}: {a} {b}");
                }
            }
        }
    }
}

/// Two undamped modes of a rod that nothing else excites: each keeps its energy, whose sum beside that of the pendulum is the
/// account of the run.
#[test]
fn modes_keep_their_energies() {
    let model = held(&rod([2, 0], "amplitudes = [2e-4, 1e-4]\n"));
    let document = text::read(&model).unwrap_or_else(|e| panic!("{e:?}"));
    let options = Options::new().method("radau").rtol(1e-8);
    let simulation = Simulation::from_document(&document).unwrap();
    let run = simulation.options(options).t_end(0.2).run().unwrap();
    let energies = ["rod.mode1.energy", "rod.mode2.energy"].map(|name| channel(&run, name));
    for of_mode in energies {
        let most = of_mode.iter().fold(0.0f64, |m, e| m.max(*e));
        let least = of_mode.iter().fold(f64::INFINITY, |m, e| m.min(*e));
        println!("{least:e} {most:e}");
        assert!(most > 0.0 && (most - least) < 1e-3 * most, "{least} {most}");
    }
    let account = run.energy.expect("an account");
    let sum = energies[0][0] + energies[1][0];
    let strains = channel(&run, "rod.strain_energy");
    let kept = [account.strain_start, account.strain_end];
    for (strain, kept) in [strains[0], last(&run, "rod.strain_energy")]
        .iter()
        .zip(kept)
    {
        assert!((strain - kept).abs() < 1e-9 * sum, "{strain} {account:?}");
    }
    let strain = strains[0];
    assert!((strain / sum - 1.0).abs() < 1e-9, "{strain} {sum}");
    assert!(
        (account.start / sum - 1.0).abs() < 1e-6,
        "{account:?} {sum}"
    );
    assert!(account.imbalance().abs() < 1e-5 * sum, "{account:?}");
}

/// A co-simulation: a rod on a pin and a mass on a spring hold each other by a spring between the end of the rod and the mass.
#[test]
fn a_flexible_body_takes_part_in_a_co_simulation() {
    let end = "[[sensor]]\nname = \"end\"\nkind = \"point\"\nbody = \"rod.end\"\n";
    let flexible = rod([2, 0], "damping_ratio = 0.02\n") + end;
    let block = "[[body]]\nname = \"mass\"\nkind = \"point\"\nmass = 1\nposition = [1, -0.5]\n\
                 [[joint]]\nname = \"track\"\nkind = \"point_on_line\"\nbody_b = \"mass\"\nat = [1, -0.5]\naxis = [0, 1]\n";
    let port = "[[sensor]]\nname = \"eye\"\nkind = \"point\"\nbody = \"mass\"\n";
    let head = "[model]\nname = \"block\"\ngravity = [0, -9.81]\n";
    let system = "[system]\nname = \"pair\"\n[[subsystem]]\nname = \"arm\"\nmodel = \"arm\"\n\
                  [[subsystem]]\nname = \"load\"\nmodel = \"load\"\n\
                  [[element]]\nname = \"hook\"\nkind = \"bushing\"\nport_a = \"arm.end\"\nport_b = \"load.eye\"\n\
                  stiffness = [300, 300]\ndamping = [3, 3]\noffset = [0, -0.5]\n[simulation]\nt_end = 0.3\nrtol = 1e-5\n";
    let mut find = |word: &str| match word {
        "arm" => Ok(("arm".to_string(), flexible.clone())),
        "load" => Ok(("load".to_string(), format!("{head}{block}{port}"))),
        other => Err(format!("no model {other}")),
    };
    let coupled = CoupledSystem::read("pair", "pair", system, &[], &mut find);
    let coupled = coupled.unwrap_or_else(|e| panic!("{e:#?}"));
    let options = CosimOptions {
        threads: Some(1),
        ..CosimOptions::default()
    };
    let found = coupled.run(&options, &mut |_, _| Flow::Continue).unwrap();
    assert!(found.failure.is_none(), "{:?}", found.failure);
    // the same in one model
    let pull = |body: &str, sign: &str| {
        let axis = |axis: &str, offset: f64| {
            format!(
                "{axis} = \"{sign}(300*(eye.{axis} - end.{axis} - ({offset:?})) + 3*(eye.{axis}.velocity - end.{axis}.velocity))\"\n"
            )
        };
        let name = body.replace('.', "_");
        format!("[[force]]\nname = \"on_{name}\"\nkind = \"force\"\nbody_b = \"{body}\"\n")
            + &axis("x", 0.0)
            + &axis("y", -0.5)
    };
    let whole = flexible.clone() + block + port + &pull("rod.end", "") + &pull("mass", "-");
    let whole = runs::ended(&whole, 0.3, 1e-8, "bdf");
    for (part, name) in [
        ("arm", "rod.end.y"),
        ("arm", "rod.mode1"),
        ("load", "mass.y"),
    ] {
        let course = found.channel(part, name).expect("told");
        let [a, b] = [course[course.len() - 1], last(&whole, name)];
        println!("{name}: {a} {b}");
        assert!((a - b).abs() < 2e-4, "{name}: {a} {b}");
    }
}

/// With its amplitudes held by what its ends are driven to, a body that bends is moved without forces; freedoms that are left
/// are named.
#[test]
fn kinematics_know_amplitudes() {
    let drive = "[[joint]]\nname = \"motor\"\nkind = \"drive\"\nquantity = \"angle\"\nbody_b = \"rod\"\nvalue = \"t\"\n";
    let free = rod([1, 0], "") + drive;
    let refused = kinematics(&mut simulation(&free).t_end(0.1), &mut |_| true);
    let told = format!("{}", refused.expect_err("its mode is free"));
    assert!(told.contains("bending along y 1"), "{told}");
    // its end is moved along a circle ahead of the rod
    let held = "[[joint]]\nname = \"tip\"\nkind = \"drive\"\nquantity = \"angle\"\nbody_a = \"rod\"\nbody_b = \"rod.end\"\nvalue = \"0.01*t\"\n";
    let run = kinematics(&mut simulation(&(free + held)).t_end(0.1), &mut |_| true).unwrap();
    let (amplitude, end) = (channel(&run, "rod.mode1"), channel(&run, "rod.end.y"));
    let rows = amplitude.len();
    assert!(amplitude[rows - 1] > 0.0, "{amplitude:?}");
    // the first mode of a cantilever moves its tip by 0.7265 of the slope there times the length
    let across = 0.7265 * 1e-3;
    let wanted = 0.1f64.sin() + across * 0.1f64.cos();
    assert!((end[rows - 1] - wanted).abs() < 1e-6, "{}", end[rows - 1]);
}

/// A line that resists no bending is no beam: told with the number, and what there is instead.
#[test]
fn cables_are_no_beams() {
    let model = "[[section]]\nname = \"s\"\nkind = \"general\"\narea = 1e-4\nsecond_moments = [0, 0]\n\
                 [[material]]\nname = \"m\"\nyoung = 1e9\npoisson = 0.3\ndensity = 1000\n\
                 [[beam]]\nname = \"line\"\npoints = [[0, 0], [1, 0]]\nelements = 4\nsection = \"s\"\nmaterial = \"m\"\n";
    let errors = text::read(model).expect_err("no bending stiffness");
    let told = &errors[0];
    println!("{told:?}");
    assert!(
        told.message.contains("second_moments") || told.message.contains("EI"),
        "{told:?}"
    );
}
