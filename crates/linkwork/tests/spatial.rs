//! Runs of mechanisms in space: conserved quantities, and planar mechanisms built in space.

use linkwork::mbs::joint::{Revolute, Spherical};
use linkwork::mbs::sensor::AngleSensor;
use linkwork::mbs::{self, Body, BodyRef, Model};
use linkwork::{Options, Run, Simulation, Verdict};

const GROUND: BodyRef = BodyRef::GROUND;

fn run(model: &Model, t_end: f64, rtol: f64, method: &str, formulation: &str) -> Run {
    let mut options = Options {
        t_end: Some(t_end),
        ..Options::default()
    };
    options.rtol = Some(rtol);
    options.method = Some(method.into());
    options.formulation = Some(formulation.into());
    let run = Simulation::of(model)
        .unwrap()
        .options(options)
        .run()
        .unwrap();
    // Rows out of the plane of planar bodies are redundant, and said to be.
    let redundant = run
        .doubts
        .iter()
        .all(|d| matches!(d, linkwork::Doubt::ReactionsNotUnique { .. }));
    let what = format!("{method} {formulation}: {:?} {:?}", run.doubts, run.ending);
    assert!(
        run.verdict == Verdict::Converged || run.verdict == Verdict::Degraded && redundant,
        "{what}"
    );
    run
}

fn last(run: &Run, name: &str) -> f64 {
    let channel = run.channel(name).unwrap_or_else(|| panic!("{name}"));
    channel[channel.len() - 1]
}

/// A tumbling body: energy and the global angular momentum stay. The unstable middle axis turns
/// over several times; errors grow by a factor of about 100, so a tolerance of 1e-8 leaves 1e-5.
#[test]
fn a_free_body_keeps_energy_and_angular_momentum() {
    let inertia = [1.0, 2.0, 3.0];
    for (method, formulation) in [("bdf", "ggl"), ("bdf", "index3"), ("gen-alpha", "ggl")] {
        let mut m = Model::new("");
        let tumbling = [0.02, 2.0, -0.01];
        m.add_body(Body::rigid("b", 1.5, inertia).spinning(tumbling));
        // generalised-alpha is of second order and damps
        let (rtol, bound) = match method {
            "gen-alpha" => (1e-6, 1e-3),
            _ => (1e-8, 1e-5),
        };
        let r = run(&m.named("free"), 10.0, rtol, method, formulation);
        let e = r.energy.unwrap();
        assert!(e.imbalance().abs() < bound, "{method} {formulation} {e:?}");
        // L = R J omega from the recorded quaternion
        let q = ["w", "x", "y", "z"].map(|k| last(&r, &format!("b.quaternion.{k}")));
        let l: [f64; 3] = std::array::from_fn(|i| {
            let axis = ["x", "y", "z"][i];
            inertia[i] * last(&r, &format!("b.omega.{axis}"))
        });
        let rotation = linkwork::dae::rotation::matrix(q);
        let l = linkwork::dae::rotation::apply(&rotation, l);
        for i in 0..3 {
            let want = inertia[i] * tumbling[i];
            let error = (l[i] - want).abs();
            assert!(error < 10.0 * bound, "{method} {formulation}: {l:?}");
        }
    }
}

fn double_pendulum_in_space(axis: [f64; 3]) -> Model {
    let mut m = Model::new("").gravity([0.0, -9.81, 0.0]);
    let a = m.add_body(Body::rigid("a", 1.0, [0.2, 0.1, 0.3]).at([0.5, 0.0, 0.2]));
    let b = m.add_body(Body::rigid("b", 0.5, [0.3, 0.2, 0.1]).at([1.5, 0.0, 0.2]));
    m.add_joint("o", GROUND, a, Revolute::at([0.0; 3], axis));
    m.add_joint("k", a, b, Revolute::at([1.0, 0.0, 0.0], axis));
    m.named("double")
}

/// The planar double pendulum, the same with rigid bodies in space and with planar ones: the
/// coordinates differ, so do the errors, of the order of the tolerance times the length of the run.
#[test]
fn a_planar_mechanism_built_in_space_moves_as_in_the_plane() {
    let mut plane = Model::planar("plane").gravity([0.0, -9.81]);
    let a = plane.add_body(Body::planar("a", 1.0, 0.3).at([0.5, 0.0]));
    let b = plane.add_body(Body::planar("b", 0.5, 0.1).at([1.5, 0.0]));
    plane.add_joint("o", GROUND, a, Revolute::pin([0.0; 2]));
    plane.add_joint("k", a, b, Revolute::pin([1.0, 0.0]));
    let mut flat = Model::new("").gravity([0.0, -9.81, 0.0]);
    let a = flat.add_body(Body::planar("a", 1.0, 0.3).at([0.5, 0.0, 0.2]));
    let b = flat.add_body(Body::planar("b", 0.5, 0.1).at([1.5, 0.0, 0.2]));
    flat.add_joint("o", GROUND, a, Spherical::at([0.0, 0.0, 0.2]));
    flat.add_joint("k", a, b, Spherical::at([1.0, 0.0, 0.2]));
    let flat = flat.named("flat");
    let rigid = double_pendulum_in_space([0.0, 0.0, 1.0]);
    let want = run(&plane, 2.0, 1e-9, "bdf", "ggl");
    for (model, z) in [(&rigid, true), (&flat, false)] {
        let got = run(model, 2.0, 1e-9, "bdf", "ggl");
        for name in [
            "a.x",
            "b.x",
            "b.y",
            "b.y.velocity",
            "k.reaction.x",
            "o.reaction.y",
        ] {
            let (x, y) = (last(&got, name), last(&want, name));
            assert!((x - y).abs() < 1e-6 * (1.0 + y.abs()), "{name}: {x} {y}");
        }
        if z {
            let (yaw, angle) = (last(&got, "b.yaw"), last(&want, "b.angle"));
            assert!((yaw - angle).sin().abs() < 1e-6, "{yaw} {angle}");
            assert!((last(&got, "b.z") - 0.2).abs() < 1e-9);
        }
    }
}

/// Two bars on ball joints, thrown sideways: only energy is conserved.
#[test]
fn a_double_spherical_pendulum_keeps_its_energy() {
    let mut m = Model::new("").gravity([0.0, 0.0, -9.81]);
    let bar = |name: &str, x: f64| Body::rigid(name, 1.0, [0.002, 0.08, 0.09]).at([x, 0.0, 0.0]);
    let a = m.add_body(
        bar("a", 0.5)
            .spinning([3.0, 0.0, 1.0])
            .moving([0.0, 0.5, 0.0]),
    );
    let b = m.add_body(bar("b", 1.5).moving([0.0, 1.0, 0.0]));
    m.add_joint("o", GROUND, a, Spherical::at([0.0; 3]));
    m.add_joint("k", a, b, Spherical::at([1.0, 0.0, 0.0]));
    let model = m.named("double");
    for (method, formulation) in [("bdf", "ggl"), ("bdf", "index3")] {
        let r = run(&model, 3.0, 1e-8, method, formulation);
        let e = r.energy.unwrap();
        // Chaotic, but local: the sum of the local errors of about a thousand steps.
        assert!(
            e.imbalance().abs() < 1e-4 * e.exchanged,
            "{formulation} {e:?}"
        );
        assert!(r.constraint_residual.position < 1e-6);
    }
}

/// The heavy top from its model text against a reference of 2e-10, by both coordinates of the
/// rotation. At 150 rad/s the orientation has turned by 30 rad; tolerances of 1e-7 add up over a
/// hundred steps to some 1e-6.
#[test]
fn the_heavy_top_follows_its_reference() {
    let reference = include_str!("../../linkwork-problems/reference/heavy_top.csv");
    let numbers = |line: &str| -> Vec<f64> { line.split(',').flat_map(str::parse).collect() };
    let mut rows = reference.lines().map(numbers);
    let want = rows.find(|row| row.first() == Some(&0.2)).unwrap();
    let text = include_str!("../../../models/heavy_top.toml");
    for rotation in ["vectors", "euler-parameters"] {
        let set = [format!("model.rotation={rotation}")];
        let document = mbs::text::read_with(text, &set).unwrap();
        let r = run(&document.model, 0.2, 1e-7, "bdf", "ggl");
        for (name, want) in ["x", "y", "z"].into_iter().zip(&want[1..]) {
            let got = last(&r, &format!("top.{name}"));
            assert!((got - want).abs() < 1e-5, "{rotation} {name}: {got} {want}");
        }
        // Constant, and a coordinate of its own only with rotation vectors.
        let spin = (last(&r, "top.omega.y") - 150.0).abs();
        let bound = if rotation == "vectors" { 1e-4 } else { 1e-2 };
        assert!(spin < bound, "{rotation} {spin}");
        assert!(r.constraint_residual.position < 1e-7);
    }
}

/// The squeezer as seven rigid bodies and ten hinges in space: 50 equations for 42 coordinates, of
/// which nine are redundant.
#[test]
fn the_squeezer_in_space_moves_as_in_the_plane() {
    use linkwork::mbs::force::{SpringDamper, Torque};
    let planar = mbs::text::read(include_str!("../../../models/squeezer.toml")).unwrap();
    let planar = planar.model;
    let mut m = Model::new("squeezer");
    for b in &planar.bodies {
        let mbs::body::Shape::Planar { inertia, angle } = b.shape else {
            panic!("{b:?}")
        };
        let body = Body::rigid(&b.name, b.mass, [inertia; 3]).at(b.position);
        m.add_body(body.turned(angle));
    }
    for j in &planar.joints {
        let [a, b] = j.joint.markers().map(|p| p.unwrap());
        m.add_joint(&j.name, j.a, j.b, Revolute::between(a, b));
    }
    for f in &planar.forces {
        let fields = f.force.fields();
        let number = |key: &str| {
            let found = fields.iter().find(|(name, _)| *name == key);
            match found.map(|(_, value)| value) {
                Some(mbs::field::Value::Number(x)) => *x,
                other => panic!("{key}: {other:?}"),
            }
        };
        if f.force.kind() == "torque" {
            m.add_force(&f.name, f.a, f.b, Torque::constant(number("torque")));
        } else {
            let [a, b] = f.force.markers().map(|p| p.unwrap());
            let law = [number("stiffness"), number("damping")];
            let spring = SpringDamper::between(a, b, law, Some(number("free_length")));
            m.add_force(&f.name, f.a, f.b, spring);
        }
    }
    let space = m;
    let want = run(&planar, 0.03, 1e-9, "bdf", "ggl");
    let got = run(&space, 0.03, 1e-9, "bdf", "ggl");
    assert_eq!(got.start.as_ref().map(|s| s.dof), Some(1));
    assert_eq!(got.verdict, Verdict::Converged);
    let said = |n: &linkwork::Note| n.to_string().contains("not unique");
    assert!(got.notes.iter().any(said), "redundant rows are reported");
    for b in &planar.bodies {
        for what in ["x", "y", "x.velocity"] {
            let name = format!("{}.{what}", b.name);
            let (x, y) = (last(&got, &name), last(&want, &name));
            // About z a rotation vector is an angle: the steps are those of the plane, and only
            // roundings differ, which the motion magnifies to some 1e-11 rad.
            assert!((x - y).abs() < 1e-9 * (1.0 + y.abs()), "{name}: {x} {y}");
        }
        let (yaw, angle) = (
            last(&got, &format!("{}.yaw", b.name)),
            last(&want, &format!("{}.angle", b.name)),
        );
        assert!(
            (yaw - angle).sin().abs() < 1e-9,
            "{}: {yaw} {angle}",
            b.name
        );
    }
}

/// A drive that turns a hinge through ten turns: the angle is counted on, by both coordinates.
#[test]
fn a_drive_turns_many_times() {
    use linkwork::mbs::joint::{Drive, Fixture};
    use linkwork::mbs::model::Rotation;
    for rotation in [Rotation::Vectors, Rotation::EulerParameters] {
        let mut m = Model::new("").rotation(rotation).gravity([0.0, -9.81, 0.0]);
        let axis = [0.6, 0.0, 0.8];
        let b = m.add_body(Body::rigid("b", 1.0, [0.2, 0.3, 0.4]).at([0.3, 0.4, 0.0]));
        m.add_joint("hinge", GROUND, b, Revolute::at([0.0; 3], axis));
        let value = mbs::Formula::parse("3*t^2").unwrap();
        m.add_joint("motor", GROUND, b, Drive::angle(axis, value));
        let fixture = Fixture::at([0.0; 3], axis);
        m.add_sensor("turned", GROUND, b, AngleSensor { fixture });
        let r = run(&m.named("motor"), 5.0, 1e-7, "bdf", "ggl");
        // 75 rad; the constraint holds it to the tolerance of the corrector
        let angle = last(&r, "turned");
        assert!((angle - 75.0).abs() < 1e-6, "{rotation:?} {angle}");
        assert!(
            (last(&r, "turned.velocity") - 30.0).abs() < 1e-5,
            "{rotation:?}"
        );
        let e = r.energy.unwrap();
        assert!(
            e.imbalance().abs() < 1e-4 * e.work.abs(),
            "{rotation:?} {e:?}"
        );
    }
}

/// Every planar model as one in space with planar bodies: told with three axes, it moves to the last bit
/// as before, in both coordinates.
#[test]
fn planar_models_move_alike_in_space() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models");
    let mut seen = 0;
    for file in std::fs::read_dir(folder).expect("the models") {
        let file = file.expect("readable").path();
        if file.extension().is_none_or(|e| e != "toml") {
            continue;
        }
        let source = std::fs::read_to_string(&file).expect("readable");
        let plane = mbs::text::read(&source).expect("sound").model;
        if plane.axes == mbs::model::Axes::Space {
            continue;
        }
        seen += 1;
        let mut space = plane.clone();
        space.axes = mbs::model::Axes::Space;
        for coordinates in ["absolute", "joint"] {
            let chosen = Options::new().coordinates(coordinates).t_end(0.02);
            let end = |model: &Model| {
                let mut simulation = Simulation::in_coordinates(model, &chosen).expect("sound");
                let run = simulation.run().expect("runs");
                assert_ne!(run.verdict, Verdict::Failed, "{file:?}");
                run
            };
            let (plane_run, space_run) = (end(&plane), end(&space));
            assert_eq!(plane_run.stats, space_run.stats, "{file:?} {coordinates}");
            for body in &plane.bodies {
                for (what, _) in body.coordinates() {
                    let name = format!("{}.{what}", body.name);
                    let (x, y) = (last(&plane_run, &name), last(&space_run, &name));
                    assert_eq!(x.to_bits(), y.to_bits(), "{file:?} {coordinates} {name}");
                }
            }
        }
    }
    assert!(seen >= 9, "{seen}");
}
