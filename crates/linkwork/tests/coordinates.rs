//! Every model runs in joint coordinates as it does in absolute ones: same motion, same reactions, same
//! freedoms.

use linkwork::dae::stepper::STEPPERS;
use linkwork::dae::system::Row;
use linkwork::mbs::text;
use linkwork::mbs::tree::JointCoordinates;
use linkwork::mbs::tree::joint_coordinates::Form;
use linkwork::options::Outputs;
use linkwork::{Options, Run, Simulation, Verdict};
use std::f64::consts::TAU;
use std::path::PathBuf;

fn models() -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let files = std::fs::read_dir(folder).expect("the folder of models");
    let mut files: Vec<PathBuf> = files.map(|f| f.expect("readable").path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "toml"));
    files.sort();
    // undamped vibrations, which take long and grow errors, and a contact that is found by iteration: these have
    // tests of their own
    let apart = [
        "elastic_slider_crank",
        "flexible_arm",
        "springboard",
        "wheelset",
        "carriage",
    ];
    files.retain(|f| {
        apart
            .iter()
            .all(|name| !f.ends_with(format!("{name}.toml")))
    });
    assert!(files.len() >= 10);
    files
}

fn model(name: &str) -> PathBuf {
    let mut all = models().into_iter();
    all.find(|f| f.ends_with(format!("{name}.toml")))
        .expect("there")
}

fn coordinates(word: &str, formalism: Option<&str>) -> Options {
    Options {
        coordinates: Some(word.into()),
        formalism: formalism.map(str::to_string),
        ..Options::default()
    }
}

fn run(file: &PathBuf, coordinates: Options, method: &str, rtol: f64) -> Run {
    let document = text::read(&std::fs::read_to_string(file).expect("readable")).expect("sound");
    let options = Options {
        method: Some(method.into()),
        // fresh blocks: what kept ones leave undone is no matter of coordinates
        jacobian: (method == "bdf").then(|| "exact".into()),

        rtol: Some(rtol),
        outputs: Some(Outputs::Uniform(100)),
        ..Options::default()
    };
    let mut simulation = Simulation::from_document_with(&document, coordinates).expect("sound");
    let end = (document.model.counts()[0] > 12).then_some(0.2);
    if let Some(end) = end {
        simulation = simulation.t_end(end);
    }
    simulation.options(options).run().expect("runs")
}

/// Rows at the same times. Events add rows, and where they repeat a time the last one counts.
fn common(a: &[f64], b: &[f64]) -> Vec<(usize, usize)> {
    let last = |t: &[f64], i: usize| t.get(i + 1) != Some(&t[i]);
    let mut rows = Vec::new();
    for (i, t) in a.iter().enumerate().filter(|(i, _)| last(a, *i)) {
        let at = b.partition_point(|x| x <= t);
        if at > 0 && b[at - 1] == *t {
            rows.push((i, at - 1));
        }
    }
    rows
}

/// The largest difference of two runs, relative to the size of the channel, and its name. Channels that
/// are rounding beside others of the same unit have no size of their own.
fn difference(a: &Run, b: &Run, which: impl Fn(&str) -> bool) -> (f64, String) {
    let mut worst = (0.0, String::new());
    for channel in a.table.channels() {
        let name = &channel.name;
        if !which(name) {
            continue;
        }
        let rows = common(a.table.times(), b.table.times());
        let [x, y] = [a, b].map(|r| r.channel(name).expect("there"));
        let x: Vec<f64> = rows.iter().map(|r| x[r.0]).collect();
        let y: Vec<f64> = rows.iter().map(|r| y[r.1]).collect();
        let size = x.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        let alike = (a.table.channels().iter()).filter(|c| c.unit == channel.unit);
        let others = alike.filter_map(|c| a.channel(&c.name)).flatten();
        let size = others.fold(size, |m, x| m.max(1e-4 * x.abs()));
        // less than the tolerances let through is nothing
        let size = if size > 1e-7 { size } else { 1.0 };
        for (x, y) in x.iter().zip(&y) {
            let mut error = (x - y).abs();
            if channel.unit == "rad" {
                // yaw jumps by a turn
                error = error.min((error - TAU).abs());
            }
            error /= size;
            if error > worst.0 || !error.is_finite() {
                worst = (error, name.clone());
            }
        }
    }
    worst
}

fn is_acceleration_level(name: &str) -> bool {
    [
        "reaction",
        "acceleration",
        "rate",
        "force",
        "torque",
        "tension",
    ]
    .iter()
    .any(|word| name.contains(word))
}

/// Both runs are exact to far less than the bound; it leaves room for the growth of errors, which the
/// four-bar linkage and the tops multiply by some thousands. Accelerations and reactions lose two more
/// digits. The door has redundant hinges: their reactions are not unique, and the rows that absolute
/// coordinates keep of them become dependent on the way, which BDF bears. Cars are stiff and long to
/// compute: a short time has to do. So is the bridge, and its bogie moves up and down by a thousandth of
/// what it moves out, which is what tolerances refer to.
#[test]
fn every_model_moves_alike() {
    let mut wrong = Vec::new();
    for file in models() {
        let name = file.file_stem().expect("a name").to_string_lossy();
        let (method, rtol, bound) = match &*name {
            "door" => ("bdf", 1e-8, 1e-6),
            "hmmwv" | "passenger_car" => ("bdf", 1e-8, 1e-3),
            "boarding_bridge" => ("bdf", 1e-8, 1e-2),
            _ => ("dop853", 1e-10, 1e-6),
        };
        let [absolute, joint] =
            ["absolute", "joint"].map(|c| run(&file, coordinates(c, None), method, rtol));
        for run in [&absolute, &joint] {
            assert_ne!(run.verdict, Verdict::Failed, "{name}");
        }
        let start = |r: &Run| r.start.clone().expect("starts");
        assert_eq!(start(&absolute).dof, start(&joint).dof, "{name}");
        let motion = difference(&absolute, &joint, |n| !is_acceleration_level(n));
        if !(motion.0 < bound) {
            wrong.push(format!("{name}: {motion:?}"));
        }
        if start(&absolute).redundant.is_empty() && bound < 1e-3 {
            let reactions = difference(&absolute, &joint, is_acceleration_level);
            if !(reactions.0 < 100.0 * bound) {
                wrong.push(format!("{name}: {reactions:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Whether a channel tells of the motion. What should be zero has no digits.
fn moves(run: &Run, name: &str) -> bool {
    let channel = run.channel(name).expect("there");
    let size = channel.iter().fold(0.0f64, |m, x| m.max(x.abs()));
    !is_acceleration_level(name) && size > 1e-6
}

/// A run in joint coordinates with new derivatives in every step, in the given form, which is otherwise chosen by cost.
fn run_in_form(file: &PathBuf, form: Form, method: &str, rtol: f64) -> Run {
    let document = text::read(&std::fs::read_to_string(file).expect("readable")).expect("sound");
    let asked = Simulation::from_document_with(&document, coordinates("joint", None));
    let mut options = asked.expect("sound").given().clone();
    options.coordinates = None;
    let system = JointCoordinates::in_form(&document.model, &[], form).expect("sound");
    let own = Options {
        method: Some(method.into()),
        jacobian: (method == "bdf").then(|| "exact".into()),

        rtol: Some(rtol),
        outputs: Some(Outputs::Uniform(100)),
        t_end: (document.model.counts()[0] > 12).then_some(0.2),
        ..Options::default()
    };
    let simulation = Simulation::new(Box::new(system)).options(options);
    simulation.options(own).run().expect("runs")
}

/// Stored blocks and relations along the tree are the same matrix to rounding, so that runs differ by
/// what motions make of rounding. Cars and the bridge are stiff: their bounds are those between
/// coordinates.
#[test]
fn every_model_moves_alike_in_both_forms() {
    let mut wrong = Vec::new();
    for file in models() {
        let name = file.file_stem().expect("a name").to_string_lossy();
        let stiff = match &*name {
            "hmmwv" | "passenger_car" => Some(1e-3),
            "boarding_bridge" => Some(1e-2),
            _ => None,
        };
        for (method, rtol, bound) in [("bdf", 1e-9, 1e-6), ("dop853", 1e-10, 1e-6)] {
            if stiff.is_some() && method != "bdf" {
                continue;
            }
            let bound = stiff.unwrap_or(bound);
            let [stored, augmented] =
                [Form::Stored, Form::Augmented].map(|f| run_in_form(&file, f, method, rtol));
            assert_eq!(stored.verdict, augmented.verdict, "{name}, {method}");
            let motion = difference(&stored, &augmented, |n| moves(&stored, n));
            if !(motion.0 < bound) {
                wrong.push(format!("{name}, {method}: {motion:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Coordinates are independent of the method. Bounds are what methods of order 2 reach at this
/// tolerance in absolute coordinates as well.
#[test]
fn every_method_runs() {
    for name in [
        "squeezer",
        "spherical_pendulum",
        "heavy_top",
        "servo",
        "sampled",
    ] {
        let file = model(name);
        let reference = run(&file, coordinates("absolute", None), "bdf", 1e-9);
        for method in STEPPERS {
            let in_space = name == "spherical_pendulum" || name == "heavy_top";
            if in_space && method.formulations[0] == "state-space" {
                continue;
            }
            let joint = run(&file, coordinates("joint", None), method.name, 1e-6);
            let sound = joint.verdict == Verdict::Converged;
            assert!(sound, "{name}, {}: {:?}", method.name, joint.doubts);
            let motion = difference(&reference, &joint, |n| moves(&reference, n));
            let bound = if name == "heavy_top" { 0.05 } else { 5e-3 };
            assert!(motion.0 < bound, "{name}, {}: {motion:?}", method.name);
        }
    }
}

#[test]
fn what_cannot_be_is_refused_by_name() {
    let refused = |name: &str, coordinates: Options| {
        let text = std::fs::read_to_string(model(name)).expect("readable");
        let document = text::read(&text).expect("sound");
        let made = Simulation::from_document_with(&document, coordinates);
        made.err().expect("refused").message
    };
    let message = refused("squeezer", coordinates("absolute", Some("explicit")));
    assert_eq!(message, "formalism has no effect in absolute coordinates");
    let mut wrong = coordinates("joint", None);
    wrong.cut = Some(vec!["nothing".into()]);
    let message = refused("squeezer", wrong);
    assert_eq!(message, "there is no joint `nothing` to cut");
    let message = refused("squeezer", coordinates("polar", None));
    assert_eq!(message, "`polar` is not a known coordinates");

    // coordinates cannot be changed afterwards
    let text = std::fs::read_to_string(model("pendulum")).expect("readable");
    let document = text::read(&text).expect("sound");
    let simulation = Simulation::from_document(&document).expect("sound");
    let e = simulation.options(coordinates("joint", None)).run().err();
    assert_eq!(e.map(|e| e.option), Some("coordinates"));

    // explicit methods have no iteration that could see another form
    let explicit = coordinates("joint", Some("explicit"));
    let simulation = Simulation::from_document_with(&document, explicit).expect("sound");
    let e = simulation.method("dop853").run().err();
    assert_eq!(e.map(|e| e.option), Some("formalism"));
}

/// A rigid body, and joints on it.
fn slab(joints: &str) -> String {
    "[model]\ngravity = [0, -9.81]\n[[body]]\nname = \"slab\"\nmass = 2\ninertia = 0.3\n\
     position = [0.5, 0]\n[[body]]\nname = \"bob\"\nmass = 1\ninertia = 0.1\nposition = [2, 0]\n\
     [simulation]\nt_end = 1\n"
        .to_string()
        + joints
}

const HINGE: &str =
    "[[joint]]\nname = \"hinge\"\nkind = \"revolute\"\nbody_b = \"slab\"\nat = [0, 0]\n";
const ROD: &str =
    "[[joint]]\nname = \"rod\"\nkind = \"distance\"\nbody_a = \"slab\"\nbody_b = \"bob\"\n";

fn simulation(text: &str, cut: &[&str]) -> Result<Simulation, linkwork::mbs::ModelError> {
    let document = text::read(text).map_err(|mut list| list.remove(0))?;
    let cut: Vec<String> = cut.iter().map(|name| name.to_string()).collect();
    let coordinates = Options {
        cut: (!cut.is_empty()).then_some(cut),
        ..coordinates("joint", None)
    };
    Simulation::from_document_with(&document, coordinates)
}

/// What is cut has to be there, once, and able to carry a body.
#[test]
fn cuts_without_effect_are_refused() {
    let text = slab(&format!("{HINGE}{ROD}"));
    let refused = |cut: &[&str]| simulation(&text, cut).err().expect("refused");
    let e = refused(&["hing"]);
    assert_eq!(e.message, "there is no joint `hing` to cut");
    assert_eq!(e.help.as_deref(), Some("did you mean `hinge`?"));
    let e = refused(&["rod"]);
    assert_eq!(
        e.message,
        "cut `rod` has no effect: joints of kind distance never carry a body"
    );
    assert!(e.help.is_some());
    let e = refused(&["hinge", "hinge"]);
    assert_eq!(e.message, "cut `hinge` is said twice");
}

/// A body whose only joint is cut floats, with all its coordinates and the equations of the joint: the
/// same motion, one that the projection keeps to rounding.
#[test]
fn a_body_whose_joint_is_cut_floats() {
    let text = slab(HINGE);
    let runs = [&[][..], &["hinge"]].map(|cut: &[&str]| {
        let mut simulation = simulation(&text, cut).expect("sound");
        let dims = simulation.system().dims();
        assert_eq!(
            (dims.nv, dims.nc),
            if cut.is_empty() { (4, 0) } else { (6, 2) }
        );
        let options = Options {
            method: Some("dop853".into()),

            rtol: Some(1e-10),
            ..Options::default()
        };
        simulation.options(options).run().expect("runs")
    });
    let motion = difference(&runs[0], &runs[1], |_| true);
    assert!(motion.0 < 1e-7, "{motion:?}");
}

#[test]
fn a_joint_from_a_body_to_itself_is_refused() {
    let joint = "[[joint]]\nname = \"knot\"\nkind = \"revolute\"\nbody_a = \"slab\"\n\
                 body_b = \"slab\"\nat = [0, 0]\n";
    let e = simulation(&slab(joint), &[]).err().expect("refused");
    assert_eq!(
        e.message,
        "joint `knot`: `body_a` and `body_b` are the same"
    );
}

/// The start of joint coordinates says what that of absolute ones says: which joint stays open.
#[test]
fn a_loop_that_cannot_close_is_named() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/bad");
    let text = std::fs::read_to_string(format!("{folder}/contradictory_loop.toml"));
    let mut simulation = simulation(&text.expect("readable"), &[]).expect("sound");
    let run = simulation.run().expect("tells");
    assert_eq!(run.verdict, Verdict::Failed);
    let words = run.failure().expect("explained").to_string();
    assert!(words.contains("hinge_"), "{words}");
    assert!(words.contains("check lengths"), "{words}");
}

/// A tree joint that other joints lock: no freedom is left, and both coordinates say the same of it.
#[test]
fn a_locked_joint_leaves_no_freedom() {
    let second = HINGE.replace("hinge", "bolt").replace("[0, 0]", "[1, 0]");
    let guide = "[[joint]]\nname = \"guide\"\nkind = \"fixed\"\nbody_b = \"bob\"\nat = [2, 0]\n";
    let text = slab(&format!("{HINGE}{second}{guide}"));
    let document = text::read(&text).expect("sound");
    let starts = ["absolute", "joint"].map(|c| {
        let mut s = Simulation::from_document_with(&document, coordinates(c, None)).expect("sound");
        s.start().expect("starts").report
    });
    for report in &starts {
        assert_eq!(report.dof, 0);
        assert_eq!(report.redundant.len(), 1);
    }
}

/// `[simulation]` may ask for joint coordinates and name the joints to cut.
#[test]
fn model_texts_choose_coordinates() {
    let mut text = std::fs::read_to_string(model("squeezer")).expect("readable");
    let heading = "[simulation]\n";
    let at = text.find(heading).expect("there") + heading.len();
    let document = text::read(&text).expect("sound");
    let cut = &document.model.joints[0].name;
    text.insert_str(at, &format!("coordinates = \"joint\"\ncut = [\"{cut}\"]\n"));
    let document = text::read(&text).expect("sound");
    let mut simulation = Simulation::from_document(&document).expect("sound");
    assert_eq!(simulation.given().coordinates.as_deref(), Some("joint"));
    let dims = simulation.system().dims();
    assert_eq!((dims.nv, dims.nc), (7, 6));
    assert_eq!(simulation.system().owner(Row::Constraint(0)), *cut);
}

/// Wheels turn by many turns, and their quaternions from row to row by less than half of one.
#[test]
fn orientations_keep_their_signs() {
    let text = std::fs::read_to_string(model("passenger_car")).expect("readable");
    let document = text::read(&text).expect("sound");
    let simulation = Simulation::from_document_with(&document, coordinates("joint", None));
    let options = Options {
        method: Some("dop853".into()),
        rtol: Some(1e-4),
        outputs: Some(Outputs::Uniform(100)),
        ..Options::default()
    };
    let mut simulation = simulation.expect("sound").options(options).t_end(2.0);
    let run = simulation.run().expect("runs");
    let names = run.table.channels().iter().map(|c| c.name.as_str());
    let bodies: Vec<&str> = (names.filter_map(|n| n.strip_suffix(".quaternion.w"))).collect();
    assert!(bodies.len() > 4, "{bodies:?}");
    for body in bodies {
        let of = |part: &str| run.channel(&format!("{body}.quaternion.{part}"));
        let parts = ["w", "x", "y", "z"].map(|part| of(part).expect("there"));
        for row in 1..parts[0].len() {
            let along: f64 = parts.iter().map(|x| x[row - 1] * x[row]).sum();
            assert!(along >= 0.0, "{body}, row {row}: {along}");
        }
    }
}
