//! Dynamics of every model whose joints make a tree: against itself, differences and the run's engine.

use linkwork::dynamics::{Dynamics, DynamicsError, Matrix, Partials};
use linkwork::import::{Choices, urdf};
use linkwork::mbs::{Model, text};
use std::path::Path;

/// Two rods on hinges with a spring and a damper from the ground to the tip, and a torque that follows
/// an angle.
const SPRINGS: &str = r#"
[model]
name = "springs"
gravity = [0, -9.81]
[[body]]
name = "upper"
mass = 2
inertia = 0.2
position = [0.5, 0]
[[body]]
name = "lower"
mass = 1
inertia = 0.1
position = [1.5, 0.1]
angle = 0.2
[[joint]]
name = "shoulder"
kind = "revolute"
body_b = "upper"
point_b = [-0.5, 0]
[[joint]]
name = "elbow"
kind = "revolute"
body_a = "upper"
body_b = "lower"
point_a = [0.5, 0]
point_b = [-0.5, 0]
[[force]]
name = "spring"
kind = "spring_damper"
body_b = "lower"
point_a = [0.3, 1]
point_b = [0.5, 0]
stiffness = 200
damping = 3
free_length = 0.5
[[force]]
name = "motor"
kind = "torque"
body_b = "upper"
torque = "-4*upper.angle - upper.angle.velocity"
"#;

/// Every model of the collection, and the robot.
fn models() -> Vec<(String, Model)> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models"));
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().to_string();
        let source = || std::fs::read_to_string(&path).unwrap();
        if name.ends_with(".toml") {
            // couplings of models are in other files of the same kind
            if let Ok(document) = text::read(&source()) {
                all.push((name, document.model));
            }
        } else if name.ends_with(".urdf") {
            let robot = urdf::read(&source(), &name, &Choices::default()).unwrap();
            all.push((name, robot.model));
        }
    }
    let springs = text::read(SPRINGS).unwrap();
    all.push(("springs".to_string(), springs.model));
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all
}

fn wave(n: usize, seed: f64) -> Vec<f64> {
    (0..n).map(|i| (seed + 2.3 * i as f64).sin()).collect()
}

fn size(x: &[f64]) -> f64 {
    x.iter().fold(1.0, |m, x| m.max(x.abs()))
}

fn inverse(d: &mut Dynamics, q: &[f64], v: &[f64], a: &[f64]) -> Vec<f64> {
    let mut tau = vec![0.0; q.len()];
    d.inverse_dynamics(q, v, a, &mut tau).unwrap();
    tau
}

/// Forward dynamics undoes inverse dynamics to rounding, the mass matrix is the derivative by
/// accelerations, derivatives of inverse dynamics are those of differences (1e-7 of the force) and those of
/// forward dynamics undo them; with and without the forces of elements. Closed mechanisms are refused.
#[test]
fn every_tree_answers_and_every_loop_is_refused() {
    let (mut trees, mut closed, mut with_elements, mut flexible) = (0, 0, 0, 0);
    for (name, model) in models() {
        for build in [Dynamics::new, Dynamics::of_bodies] {
            let mut d = match build(&model) {
                Ok(d) => d,
                Err(DynamicsError::Closed { joints, equations }) => {
                    assert!(!joints.is_empty() && equations > 0, "{name}");
                    closed += 1;
                    continue;
                }
                Err(e) => {
                    assert!(matches!(e, DynamicsError::Model(_)), "{name}: {e}");
                    continue;
                }
            };
            trees += 1;
            flexible += usize::from(name == "flexible_arm.toml");
            let n = d.coordinates();
            // rotation vectors stay at their base, where coordinates are the tangent
            let q = d.start().0.to_vec();
            let (v, a) = (wave(n, 0.3), wave(n, 1.7));
            let tau = inverse(&mut d, &q, &v, &a);
            let bodies = inverse(&mut Dynamics::of_bodies(&model).unwrap(), &q, &v, &a);
            with_elements += usize::from(tau != bodies);
            let mut back = vec![0.0; n];
            d.forward_dynamics(&q, &v, &tau, &mut back).unwrap();
            for (x, y) in a.iter().zip(&back) {
                assert!((x - y).abs() < 1e-8, "{name}: {x} and {y}");
            }
            let mut mass = Matrix::zero(n, n);
            d.mass_matrix(&q, &mut mass).unwrap();
            let mut by = Partials::new(n);
            d.inverse_derivatives(&q, &v, &a, &mut by).unwrap();
            assert_eq!(by.by_input, mass, "{name}");
            let (h, scale) = (1e-5, size(&tau));
            for k in 0..n {
                let moved = |x: &[f64], h: f64| {
                    let mut x = x.to_vec();
                    x[k] += h;
                    x
                };
                let mut of = |q: [&[f64]; 2], v: [&[f64]; 2], a: [&[f64]; 2]| -> Vec<f64> {
                    let p = inverse(&mut d, q[0], v[0], a[0]);
                    let m = inverse(&mut d, q[1], v[1], a[1]);
                    p.iter().zip(&m).map(|(p, m)| (p - m) / (2.0 * h)).collect()
                };
                let [q2, v2, a2] = [&q, &v, &a].map(|x| [moved(x, h), moved(x, -h)]);
                let pair = |x: &'_ [Vec<f64>; 2]| -> [Vec<f64>; 2] { x.clone() };
                let ([qp, qm], [vp, vm], [ap, am]) = (pair(&q2), pair(&v2), pair(&a2));
                for (what, exact, apart) in [
                    ("q", &by.by_q, of([&qp, &qm], [&v, &v], [&a, &a])),
                    ("v", &by.by_v, of([&q, &q], [&vp, &vm], [&a, &a])),
                    ("a", &by.by_input, of([&q, &q], [&v, &v], [&ap, &am])),
                ] {
                    let scale = size(&exact.column(k)).max(scale);
                    for (i, x) in apart.iter().enumerate() {
                        let e = (x - exact[(i, k)]).abs() / scale;
                        assert!(e < 1e-6, "{name}: {i} by {what}{k}, {e:.1e}");
                    }
                }
            }
            let mut forward = Partials::new(n);
            d.forward_derivatives(&q, &v, &tau, &mut back, &mut forward)
                .unwrap();
            for (own, other) in [
                (&forward.by_q, &by.by_q),
                (&forward.by_v, &by.by_v),
                (&forward.by_input, &Matrix::unit(n).scaled(-1.0)),
            ] {
                let left = mass.times(own).plus(other);
                let scale = size(other.row(0)).max(other.size());
                assert!(left.size() < 1e-8 * scale, "{name}: {:.1e}", left.size());
            }
        }
    }
    assert!(
        trees >= 10 && closed >= 10 && with_elements >= 1 && flexible == 2,
        "{trees} {closed} {with_elements} {flexible}"
    );
}

/// Jacobians are the rates of frames, in the plane and in space.
#[test]
fn jacobians_are_rates_of_frames() {
    for (name, model) in models() {
        let Ok(mut d) = Dynamics::new(&model) else {
            continue;
        };
        let n = d.coordinates();
        let q = d.start().0.to_vec();
        let mut jacobian = Matrix::zero(6, n);
        for body in 0..model.counts()[0] {
            d.jacobian(&q, body, &mut jacobian).unwrap();
            for k in 0..n {
                let mut at = |h: f64| {
                    let mut q = q.clone();
                    q[k] += h;
                    d.frame(&q, body).unwrap().position
                };
                let h = 1e-5;
                let (p, m) = (at(h), at(-h));
                for i in 0..3 {
                    let e = ((p[i] - m[i]) / (2.0 * h) - jacobian[(i, k)]).abs();
                    assert!(e < 1e-8, "{name}, body {body}: {i} by {k}, {e:.1e}");
                }
            }
        }
        assert!(d.body("no such body").is_err());
        assert!(d.frame(&q, 10_000).is_err());
    }
}
