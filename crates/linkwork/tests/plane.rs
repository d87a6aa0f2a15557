//! The plane is a part of space: planar models give the same motion as models in space, with planar bodies and
//! with rigid bodies that are held in the plane.

#[path = "plane/mod.rs"]
mod kinds;

use kinds::{Case, FORCE_CASES, JOINT_CASES, SENSOR_CASES};
use linkwork::mbs::body::Shape;
use linkwork::mbs::force::FORCES;
use linkwork::mbs::joint::{JOINTS, Planar, PointOnPlane};
use linkwork::mbs::sensor::SENSORS;
use linkwork::mbs::text::{self, Document};
use linkwork::mbs::{Body, BodyRef, Model};
use linkwork::options::Outputs;
use linkwork::{Options, Run, Simulation, Verdict};
use std::path::PathBuf;
use std::sync::Arc;

const UP: [f64; 3] = [0.0, 0.0, 1.0];

fn read(source: &str) -> Document {
    text::read(source).unwrap_or_else(|e| panic!("{e:#?}\n{source}"))
}

/// The model as text of a model in space, read again.
fn with_planar_bodies(model: &Model) -> Model {
    read(&text::write(&model.clone().in_space())).model
}

/// Whether a pin holds a body.
fn pinned(model: &Model, body: BodyRef) -> bool {
    let holds = |j: &linkwork::mbs::model::NamedJoint| [j.a, j.b].contains(&body);
    let mut joints = model.joints.iter();
    joints.any(|j| holds(j) && j.joint.kind() == "revolute")
}

/// The same with bodies that have all freedoms, and joints that hold them in the plane. Angles of bodies, which
/// rigid bodies do not have, are given by sensors.
fn held_in_the_plane(model: &Model) -> Model {
    let mut held = model.clone().in_space();
    let mut sensors = String::new();
    let mut replaced = Vec::new();
    for (i, body) in model.bodies.iter().enumerate() {
        let of = &mut held.bodies[i];
        let name = format!("{}_held", body.name);
        let at = of.centre();
        let this = BodyRef::from_index(i);
        match body.shape {
            Shape::Planar { inertia: j, angle } => {
                let mut inertia = [[0.0; 3]; 3];
                // those about x and y must not matter
                (inertia[0][0], inertia[1][1], inertia[2][2]) = (0.8 * j, 0.9 * j, j);
                of.shape = Shape::Rigid { inertia };
                of.orientation = [(0.5 * angle).cos(), 0.0, 0.0, (0.5 * angle).sin()];
                held.add_joint(name, BodyRef::GROUND, this, Planar::at(at, UP));
                let angle = format!("{}_angle", body.name);
                sensors += &format!(
                    "[[sensor]]\nname = \"{angle}\"\nkind = \"angle\"\nbody_b = \"{}\"\naxis = [0, 0, 1]\n\
                     normal_a = [1, 0, 0]\nnormal_b = [1, 0, 0]\n",
                    body.name
                );
                replaced.push((format!("{}.angle", body.name), angle));
            }
            Shape::Modal(ref modal) => {
                let mut bent = (**modal).clone();
                bent.flat = false;
                for p in bent.points.iter_mut().filter(|p| p.mass > 0.0) {
                    // a line of points must resist turns about itself
                    p.inertia = [1e-3 * p.mass, 2e-3 * p.mass, p.inertia[2]];
                }
                of.shape = Shape::Modal(Arc::new(bent));
                held.add_joint(name, BodyRef::GROUND, this, Planar::at(at, UP));
                let angle = format!("{}_angle", body.name);
                sensors += &format!(
                    "[[sensor]]\nname = \"{angle}\"\nkind = \"angle\"\nbody_b = \"{}\"\naxis = [0, 0, 1]\n\
                     normal_a = [1, 0, 0]\nnormal_b = [1, 0, 0]\n",
                    body.name
                );
                replaced.push((format!("{}.angle", body.name), angle));
            }
            // a pin turns about a point for nothing
            Shape::Bead if pinned(model, this) => {
                let j = 0.1 * of.mass;
                let inertia = [[j, 0.0, 0.0], [0.0, j, 0.0], [0.0, 0.0, j]];
                of.shape = Shape::Rigid { inertia };
                held.add_joint(name, BodyRef::GROUND, this, Planar::at(at, UP));
            }
            _ => {
                of.shape = Shape::Point;
                held.add_joint(name, BodyRef::GROUND, this, PointOnPlane::at(at, UP));
            }
        }
    }
    // what does not turn is as in the start pose: rigid bodies have no angles
    let source = text::write(&held);
    let mut source: String = source.lines().fold(String::new(), |mut all, line| {
        if !line.starts_with("angle = ") {
            all += line;
            all.push('\n');
        }
        all
    });
    for (from, to) in &replaced {
        source = source.replace(from, to);
    }
    read(&(source + &sensors)).model
}

fn run(model: &Model, t_end: f64, coordinates: &str, rtol: f64) -> Result<Run, String> {
    let options = Options {
        t_end: Some(t_end),
        rtol: Some(rtol),
        method: Some("bdf".into()),
        coordinates: Some(coordinates.into()),
        outputs: Some(Outputs::Uniform(1)),
        ..Options::default()
    };
    let simulation = Simulation::in_coordinates(model, &options);
    let run = simulation.map_err(|e| e.to_string())?.run();
    let run = run.map_err(|e| e.to_string())?;
    match run.verdict {
        Verdict::Failed => Err(format!("{:?}", run.ending)),
        _ => Ok(run),
    }
}

fn last(run: &Run, name: &str) -> f64 {
    let channel = run.channel(name).unwrap_or_else(|| panic!("{name}"));
    channel[channel.len() - 1]
}

/// Where the bodies of a planar model are at the end of a run: x, y, angle and their rates.
fn end(model: &Model, run: &Run) -> Vec<f64> {
    let mut all = Vec::new();
    for body in &model.bodies {
        for channel in ["x", "y", "x.velocity", "y.velocity"] {
            all.push(last(run, &format!("{}.{channel}", body.name)));
        }
        if body.is_oriented() {
            // rigid bodies in space have no angle, but a sensor and a spin
            let angle = format!("{}.angle", body.name);
            let named = [angle.clone(), format!("{}_angle", body.name)];
            let known = named.iter().find(|name| run.channel(name).is_some());
            let known = known.unwrap_or_else(|| panic!("{angle}"));
            all.extend([last(run, known), last(run, &format!("{known}.velocity"))]);
        }
    }
    all
}

/// The largest difference, by the size of the numbers or one.
fn apart(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    let pairs = a.iter().zip(b);
    pairs.fold(0.0, |worst, (x, y)| {
        let apart = (x - y).abs() / (1.0 + x.abs());
        // a number that is none is infinitely far
        if apart <= worst {
            worst
        } else {
            apart.max(if apart.is_nan() { f64::INFINITY } else { 0.0 })
        }
    })
}

/// Runs a planar model in the plane and in both forms in space, in both coordinates; complaints about what
/// differs.
fn compare(
    what: &str,
    model: &Model,
    t_end: f64,
    rtol: f64,
    bound: f64,
    complaints: &mut Vec<String>,
) {
    let plane = run(model, t_end, "absolute", rtol);
    let want = end(model, &plane.unwrap_or_else(|e| panic!("{what}: {e}")));
    // as it stands, equations are the same to the last bit
    let same = run(&model.clone().in_space(), t_end, "absolute", rtol);
    if end(model, &same.unwrap_or_else(|e| panic!("{what}: {e}"))) != want {
        complaints.push(format!("{what}: not the same bits in space"));
    }
    let forms = [
        ("plane", model.clone()),
        ("planar bodies", with_planar_bodies(model)),
        ("held bodies", held_in_the_plane(model)),
    ];
    for (form, model_in) in forms {
        for coordinates in ["absolute", "joint"] {
            let name = format!("{what}, {form}, {coordinates}");
            // among the joints that hold bodies the tree leaves hinges out, on which rotors must sit
            if form == "held bodies" && coordinates == "joint" && what.starts_with("rotor") {
                continue;
            }
            match run(&model_in, t_end, coordinates, rtol) {
                Ok(found) => {
                    let apart = apart(&want, &end(model, &found));
                    println!("{name}: {apart:.1e}");
                    if !(apart <= bound) {
                        complaints.push(format!("{name}: off by {apart:.1e}"));
                    }
                }
                Err(why) => complaints.push(format!("{name}: {why}")),
            }
        }
    }
}

fn check(cases: &[Case], kinds: &[(&str, bool)]) {
    for (kind, in_plane) in kinds {
        let has = cases.iter().any(|case| case.kind == *kind);
        assert_eq!(has, *in_plane, "`{kind}` in the plane and among the cases");
    }
    let mut complaints = Vec::new();
    for (i, case) in cases.iter().enumerate() {
        let what = format!("{} ({i})", case.kind);
        let model = read(&case.text()).model;
        compare(&what, &model, case.t_end, 1e-9, 1e-6, &mut complaints);
    }
    assert!(complaints.is_empty(), "{complaints:#?}");
}

#[test]
fn every_planar_joint_moves_as_in_space() {
    let kinds: Vec<_> = JOINTS.iter().map(|e| (e.kind, e.in_plane)).collect();
    check(JOINT_CASES, &kinds);
}

/// Axes on both bodies say how a slider is turned, whatever the angles at the start, which are guesses.
#[test]
fn a_slider_is_turned_as_its_axes_say() {
    let text = r#"
model = { name = "slider" }
body = [{ name = "cart", mass = 2, inertia = 0.3, angle = 0.1 }]
joint = [{ name = "guide", kind = "prismatic", body_b = "cart", axis_a = [1, 0.3], axis_b = [1, 0.1] }]
"#;
    let model = read(text).model;
    for model in [model.clone(), with_planar_bodies(&model)] {
        for coordinates in ["absolute", "joint"] {
            let run = run(&model, 0.1, coordinates, 1e-6).unwrap();
            let want = 0.3_f64.atan() - 0.1_f64.atan();
            assert!((last(&run, "cart.angle") - want).abs() < 1e-12);
        }
    }
}

#[test]
fn every_planar_force_acts_as_in_space() {
    let kinds: Vec<_> = FORCES.iter().map(|e| (e.kind, e.in_plane)).collect();
    check(FORCE_CASES, &kinds);
}

#[test]
fn every_planar_sensor_reads_as_in_space() {
    let kinds: Vec<_> = SENSORS.iter().map(|e| (e.kind, e.in_plane)).collect();
    check(SENSOR_CASES, &kinds);
}

/// Equations of a model in joint coordinates, or in absolute ones.
fn equations(model: &Model, coordinates: &str) -> usize {
    let options = Options {
        coordinates: Some(coordinates.into()),
        ..Options::default()
    };
    let mut simulation = Simulation::in_coordinates(model, &options).unwrap();
    simulation.system().facts().dims.rows()
}

/// Joints that the lists mark by `joint` carry bodies, in the plane and in space, and leave no equation; all others
/// stay equations.
#[test]
fn joints_carry_bodies_as_the_lists_say() {
    let mut seed = 0.3_f64;
    let mut draw = || {
        seed = (seed * 97.31 + 0.137).fract();
        2.0 * seed - 1.0
    };
    let carries = |kind: &str, draw: &mut dyn FnMut() -> f64| {
        let entry = JOINTS.iter().find(|e| e.kind == kind).expect("a kind");
        entry.example(draw).hinge().is_some()
    };
    for case in JOINT_CASES {
        let model = read(&case.text()).model;
        let mut carrying = model.clone();
        carrying
            .joints
            .retain(|j| carries(j.joint.kind(), &mut draw));
        let left = equations(&model, "absolute") - equations(&carrying, "absolute");
        assert_eq!(
            equations(&model, "joint"),
            left,
            "{} in the plane",
            case.kind
        );
    }
    for entry in JOINTS {
        let mut model = Model::new(entry.kind);
        let body = model.add_body(Body::rigid("b", 1.0, [1.0; 3]));
        model.add_joint("j", BodyRef::GROUND, body, entry.example(&mut draw));
        let left = equations(&model, "joint");
        assert_eq!(
            left == 0,
            carries(entry.kind, &mut draw),
            "{} in space",
            entry.kind
        );
    }
}

/// Ends of runs that would take long, or in which errors grow, s.
const SHORT: &[(&str, f64)] = &[
    ("squeezer", 0.02),
    ("four_bar", 0.5),
    ("door", 0.5),
    ("suspension", 0.5),
    ("sampled", 0.3),
    ("stick_slip", 1.0),
    ("isolator", 1.0),
    ("crane", 2.0),
    ("clutch", 5.0),
    ("engine", 0.05),
    ("elastic_slider_crank", 0.002),
    ("springboard", 0.2),
];

/// The models that are planar, with when their runs end.
fn planar_models() -> Vec<(String, Model, f64)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let files = std::fs::read_dir(folder).expect("the folder of models");
    let mut files: Vec<PathBuf> = files.map(|f| f.expect("readable").path()).collect();
    files.sort();
    files.retain(|file| file.extension().is_some_and(|e| e == "toml"));
    let mut found = Vec::new();
    for file in files {
        let document = read(&std::fs::read_to_string(&file).expect("readable"));
        if document.model.axes != linkwork::mbs::model::Axes::Plane {
            continue;
        }
        let name = document.model.name.clone();
        let own = Options::read(document.simulation.fields())
            .expect("sound")
            .t_end;
        let t_end = SHORT.iter().find(|(n, _)| *n == name).map(|s| s.1);
        let t_end = t_end.unwrap_or(own.expect("an end").min(2.0));
        found.push((name, document.model, t_end));
    }
    found
}

#[test]
fn every_planar_model_moves_as_in_space() {
    let models = planar_models();
    assert!(models.len() >= 19, "{}", models.len());
    let mut complaints = Vec::new();
    for (name, model, t_end) in &models {
        compare(name, model, *t_end, 1e-8, 1e-5, &mut complaints);
    }
    assert!(complaints.is_empty(), "{complaints:#?}");
}
