//! Assembled mechanisms in space: blocks against differences along the tangent, outputs, words,
//! text.

// Matrices are compared entry by entry; indices say which.
#![allow(clippy::needless_range_loop)]
// Published values keep their published digits.
#![allow(clippy::excessive_precision)]

mod flexible;
mod frames;
mod mechanism;

use flexible::flexible;
use frames::Numbers;
use linkwork_dae::chart;
use linkwork_dae::state::State;
use linkwork_dae::system::{Blocks, EnergyAccount, Part, Parts, Row, System, Terms};
use linkwork_mbs::force::{FORCES, ForceEntry, SpringDamper};
use linkwork_mbs::geometry::Marker;
use linkwork_mbs::joint::{Fixture, JOINTS, JointEntry, Revolute, Spherical};
use linkwork_mbs::model::Rotation;
use linkwork_mbs::sensor::{
    AngleSensor, DisplacementSensor, DistanceSensor, OrientationSensor, PointSensor, VelocitySensor,
};
use linkwork_mbs::{Body, BodyRef, Model, assemble, system, text};
use mechanism::accelerate;
use std::collections::BTreeSet;

const GROUND: BodyRef = BodyRef::GROUND;

/// Numbers that make a force which exists at all states around the start; bushings do not for bodies
/// turned too far.
fn within_domain(
    entry: &ForceEntry,
    bodies: &Model,
    [from, to]: [BodyRef; 2],
    n: &mut Numbers,
) -> Numbers {
    for _ in 0..100 {
        let seed = n.0;
        let force = entry.example(&mut || n.next());
        let from = if force.is_external() { GROUND } else { from };
        let mut alone = bodies.clone();
        alone.add_force("alone", from, to, force);
        let Ok(mut sys) = assemble(&alone.named("alone")) else {
            continue;
        };
        let mut r = vec![0.0; sys.facts().dims.nv];
        let exists = (0..60).all(|i| {
            // farther than the tests go: close to its bound a force bends too much for differences
            let mut s = random_state(&sys, &mut Numbers(i));
            let mut far = Numbers(i + 100);
            s.q.iter_mut().for_each(|q| *q += 0.6 * far.next());
            let mut want = Terms {
                r: Some(&mut r),
                ..Terms::default()
            };
            sys.eval(&s.at(), &mut want).is_ok()
        });
        if exists {
            return Numbers(seed);
        }
    }
    panic!("no `{}` exists near the start", entry.kind);
}

/// Every kind of joint and force between bodies of every kind.
fn zoo() -> Model {
    let mut m = Model::new("").gravity([0.3, -0.2, -9.81]);
    let mut tensor = Body::rigid("a", 1.2, [0.4, 0.5, 0.6])
        .at([0.5, 0.1, 0.2])
        .turned([0.3, -0.4, 0.2])
        .centred([0.1, 0.0, -0.05]);
    tensor.shape = linkwork_mbs::body::Shape::Rigid {
        inertia: [[0.4, 0.05, -0.02], [0.05, 0.5, 0.01], [-0.02, 0.01, 0.6]],
    };
    let a = m.add_body(tensor);
    let rod = Body::rigid("b", 0.7, [0.1, 0.2, 0.25]).at([1.4, -0.3, 0.5]);
    let b = m.add_body(rod.turned([0.0, 0.7, -0.1]).spinning([1.0, 0.0, 2.0]));
    inhabited(m, [a, b])
}

/// The same with flexible bodies: everything is attached to frames that bend and turn with them.
fn flexible_zoo() -> Model {
    let mut m = Model::new("").gravity([0.3, -0.2, -9.81]);
    let a = flexible("a", 5)
        .at([0.5, 0.1, 0.2])
        .turned([0.3, -0.4, 0.2]);
    let a = m.add_body(a).on_frame(2);
    let b = flexible("b", 8).at([1.4, -0.3, 0.5]);
    let b = m.add_body(b.turned([0.0, 0.7, -0.1])).on_frame(1);
    inhabited(m, [a, b])
}

/// Elements of every kind on two bodies in space, a point and a body in a plane.
fn inhabited(mut m: Model, [a, b]: [BodyRef; 2]) -> Model {
    let mut n = Numbers(41);
    let p = m.add_body(Body::point("p", 0.3).at([2.0, 0.5, -0.4]));
    let flat = Body::planar("c", 2.0, 0.9).at([-1.0, 0.8, 0.3]);
    let c = m.add_body(flat.turned([0.0, 0.0, 1.9]));
    let bodies = m.clone();
    // what follows a signal brings coordinates of its own, as heavy as a mountain; wheels leave their rails
    let plain = |n: &mut Numbers, entry: &JointEntry| {
        let joint = entry.example(&mut || n.next());
        joint.target().is_none() && joint.companion("").is_none()
    };
    for (i, entry) in JOINTS.iter().enumerate() {
        if !plain(&mut Numbers(1), entry) {
            continue;
        }
        m.add_joint(format!("j{i}"), a, b, entry.example(&mut || n.next()));
        m.add_joint(format!("g{i}"), GROUND, b, entry.example(&mut || n.next()));
        m.add_joint(format!("k{i}"), b, c, entry.example(&mut || n.next()));
        // a body in a plane cannot close just any joint
        let mut again = Numbers(n.0);
        let mut alone = bodies.clone();
        alone.add_joint("alone", c, GROUND, entry.example(&mut || n.next()));
        if assemble(&alone).is_ok() {
            let joint = entry.example(&mut || again.next());
            m.add_joint(format!("f{i}"), c, GROUND, joint);
        }
    }
    m.add_joint("ball", a, p, Spherical::at([2.0, 0.5, -0.4]));
    for (i, entry) in FORCES.iter().enumerate() {
        for (k, (from, to)) in [(a, b), (b, c), (GROUND, a)].into_iter().enumerate() {
            let mut again = within_domain(entry, &bodies, [from, to], &mut n);
            let force = entry.example(&mut || again.next());
            let from = if force.is_external() { GROUND } else { from };
            m.add_force(format!("f{i}_{k}"), from, to, force);
        }
    }
    let spring = SpringDamper::between(
        Marker::global([0.0, 3.0, 0.0]),
        Marker::body([0.0; 3]),
        [10.0, 1.0],
        None,
    );
    m.add_force("hanger", GROUND, p, spring);
    let point = Marker::body([0.1, 0.2, 0.3]);
    m.add_sensor("s1", GROUND, b, PointSensor::at(point));
    m.add_sensor(
        "s2",
        GROUND,
        p,
        DistanceSensor::between(Marker::global([1.0; 3]), Marker::body([0.0; 3])),
    );
    let fixture = Fixture::at([0.0; 3], [0.2, 0.1, 1.0]);
    m.add_sensor("s3", a, b, AngleSensor { fixture });
    m.add_sensor("s4", a, c, OrientationSensor::default());
    let point = Marker::body([-0.2, 0.3, 0.1]);
    m.add_sensor("s5", GROUND, a, VelocitySensor::at(point));
    let fixture = Fixture::at([0.3, -0.2, 0.4], [0.2, 0.9, -0.5]);
    m.add_sensor("s6", a, c, DisplacementSensor { fixture });
    m.named("zoo")
}

fn random_state(sys: &dyn System, n: &mut Numbers) -> State {
    let d = sys.dims();
    let mut s = State::new(d);
    s.t = n.next();
    s.q = sys.facts().guess.q.clone();
    for q in &mut s.q {
        *q += 0.2 * n.next();
    }
    for x in s.v.iter_mut().chain(&mut s.a).chain(&mut s.lambda) {
        *x = n.next();
    }
    for x in &mut s.x {
        *x = n.next();
    }
    s
}

/// Dense matrix of a block.
fn dense(
    sys: &dyn System,
    blocks: &Blocks,
    part: Part,
    rows: usize,
    columns: usize,
) -> Vec<Vec<f64>> {
    let mut m = vec![vec![0.0; columns]; rows];
    for (&(i, j), x) in sys.patterns()[part].iter().zip(&blocks[part]) {
        m[i as usize][j as usize] += x;
    }
    m
}

struct Values {
    r: Vec<f64>,
    c: Vec<f64>,
    cv: Vec<f64>,
}

fn values(sys: &mut dyn System, s: &State) -> Values {
    let d = sys.dims();
    let mut v = Values {
        r: vec![f64::NAN; d.nv],
        c: vec![f64::NAN; d.nc],
        cv: vec![f64::NAN; d.rows()],
    };
    let mut want = Terms {
        r: Some(&mut v.r),
        c: Some(&mut v.c),
        cv: Some(&mut v.cv),
        ..Terms::default()
    };
    sys.eval(&s.at(), &mut want).unwrap();
    v
}

/// Increments of 1e-6 leave 1e-10 relative to forces of order 100.
#[test]
fn blocks_equal_differences_along_the_tangent() {
    check_blocks(&mut assemble(&zoo()).unwrap());
}

/// Off the unit sphere on purpose. Bodies behind maps have the last coordinates.
#[test]
fn blocks_in_euler_parameters_equal_differences() {
    let mut model = zoo();
    let count = assemble(&model).unwrap().facts().dims;
    model.rotation = Rotation::EulerParameters;
    let mut sys = system(&model).unwrap();
    let d = sys.dims();
    assert_eq!((d.nv, d.nc, d.ng), (count.nv + 2, count.nc + 2, count.ng));
    check_blocks(&mut *sys);
    let row = Row::Constraint(count.nc + 1);
    assert_eq!(sys.describe(row), "body `b`, norm of its Euler parameters");
    assert_eq!(
        sys.describe(Row::Velocity(10)),
        "body `a`, rate of its Euler parameter 1"
    );
    assert_eq!(sys.describe(Row::Position(13)), "body `b`, x");
    check_pieces(&mut *sys);
}

#[test]
fn blocks_of_flexible_bodies_equal_differences() {
    let model = flexible_zoo();
    let mut sys = assemble(&model).unwrap();
    // two bodies of six freedoms and two modes, a point, a body in a plane
    assert_eq!(sys.facts().dims.nv, 2 * 8 + 3 + 3);
    check_blocks(&mut sys);
    check_pieces(&mut sys);
    let written = text::write(&model);
    let back = text::read(&written).unwrap_or_else(|e| panic!("{e:?}\n{written}"));
    assert_eq!(text::write(&back.model), written);
    let mut again = assemble(&back.model).unwrap();
    let s = random_state(&sys, &mut Numbers(5));
    assert_eq!(values(&mut sys, &s).r, values(&mut again, &s).r);
}

fn check_blocks(sys: &mut dyn System) {
    const STEP: f64 = 1e-6;
    const CLOSE: f64 = 1e-7;
    const LONG: f64 = 1e-5;
    let d = sys.dims();
    let mut n = Numbers(3);
    for _ in 0..3 {
        let s = random_state(sys, &mut n);
        let mut blocks = Blocks::new(sys.patterns());
        sys.linearise(&s.at(), &mut Terms::default(), Parts::ALL, &mut blocks)
            .unwrap();
        let of = |part, rows| dense(sys, &blocks, part, rows, d.nv);
        let (c_q, cv_q) = (of(Part::Cq, d.rows()), of(Part::CVq, d.rows()));
        let (k, damping, mass) = (of(Part::Rq, d.nv), of(Part::Rv, d.nv), of(Part::Mass, d.nv));
        // every kind at once adds up to large forces, and differences to their rounding
        let size = (values(sys, &s).r.iter()).fold(0.0_f64, |m, r| m.max(r.abs()));
        let rounding = f64::EPSILON * size / STEP;
        assert!(rounding < 1e-5, "forces of {size:e}");
        let close = |got: f64, hi: f64, lo: f64, what: &str| {
            let want = (hi - lo) / (2.0 * STEP);
            assert!(
                (got - want).abs() < CLOSE * (1.0 + want.abs()) + rounding,
                "{what} {got} {want}, forces of {size:e}"
            );
        };
        for j in 0..d.nv {
            let moved = |sys: &dyn System, h: f64| {
                let mut step = vec![0.0; d.nv];
                step[j] = h;
                let mut s = s.clone();
                chart::advance(sys, &mut s.q, &step);
                s
            };
            let (hi, lo) = (moved(sys, STEP), moved(sys, -STEP));
            let (hi, lo) = (values(sys, &hi), values(sys, &lo));
            // longer steps round less, two of them are free of third derivatives (Richardson)
            let mut change = |h: f64| {
                let (hi, lo) = (moved(sys, h), moved(sys, -h));
                let (hi, lo) = (values(sys, &hi).r, values(sys, &lo).r);
                hi.iter().zip(&lo).map(|(a, b)| a - b).collect::<Vec<f64>>()
            };
            let (one, two) = (change(LONG), change(2.0 * LONG));
            for i in 0..d.nc {
                close(c_q[i][j], hi.c[i], lo.c[i], "C_q");
            }
            for i in 0..d.rows() {
                close(cv_q[i][j], hi.cv[i], lo.cv[i], "CV_q");
            }
            for i in 0..d.nv {
                let change = (8.0 * one[i] - two[i]) / 6.0 * (STEP / LONG);
                close(k[i][j], change, 0.0, "K");
            }
            let mut by = |what: fn(&mut State) -> &mut Vec<f64>| {
                let (mut hi, mut lo) = (s.clone(), s.clone());
                what(&mut hi)[j] += STEP;
                what(&mut lo)[j] -= STEP;
                (values(sys, &hi), values(sys, &lo))
            };
            let (hi, lo) = by(|s| &mut s.v);
            for i in 0..d.rows() {
                close(c_q[i][j], hi.cv[i], lo.cv[i], "C_q or G_v");
            }
            for i in 0..d.nv {
                close(damping[i][j], hi.r[i], lo.r[i], "D");
            }
            let (hi, lo) = by(|s| &mut s.a);
            for i in 0..d.nv {
                close(mass[i][j], hi.r[i], lo.r[i], "M");
            }
        }
    }
}

#[test]
fn entries_are_unique_and_all_terms_agree() {
    check_pieces(&mut assemble(&zoo()).unwrap());
}

fn check_pieces(sys: &mut dyn System) {
    for part in Part::ALL {
        let entries = &sys.patterns()[part];
        let set: BTreeSet<_> = entries.iter().collect();
        assert_eq!(set.len(), entries.len(), "{part:?}");
    }
    // r = M a + C_q' lambda - Q from its pieces; forces of order 100.
    let s = random_state(sys, &mut Numbers(9));
    let d = sys.dims();
    let whole = values(sys, &s).r;
    let (mut force, mut mass) = (vec![0.0; d.nv], vec![0.0; sys.patterns()[Part::Mass].len()]);
    let mut c_q = vec![0.0; sys.patterns()[Part::Cq].len()];
    let mut want = Terms {
        force: Some(&mut force),
        mass: Some(&mut mass),
        c_q: Some(&mut c_q),
        ..Terms::default()
    };
    sys.eval(&s.at(), &mut want).unwrap();
    let mut sum: Vec<f64> = force.iter().map(|q| -q).collect();
    for (&(i, j), m) in sys.patterns()[Part::Mass].iter().zip(&mass) {
        sum[i as usize] += m * s.a[j as usize];
    }
    for (&(i, j), x) in sys.patterns()[Part::Cq].iter().zip(&c_q) {
        sum[j as usize] += x * s.lambda[i as usize];
    }
    for (a, b) in whole.iter().zip(&sum) {
        assert!((a - b).abs() < 1e-11 * (1.0 + a.abs()), "{a} {b}");
    }
    // C_q a - gamma is the rate of C_q v + C_t along the motion.
    const STEP: f64 = 1e-6;
    let mut gamma = vec![0.0; d.rows()];
    let mut want = Terms {
        gamma: Some(&mut gamma),
        ..Terms::default()
    };
    sys.eval(&s.at(), &mut want).unwrap();
    let mut second: Vec<f64> = gamma.iter().map(|x| -x).collect();
    for (&(i, j), x) in sys.patterns()[Part::Cq].iter().zip(&c_q) {
        second[i as usize] += x * s.a[j as usize];
    }
    let after = |sys: &dyn System, h: f64| {
        let step: Vec<f64> = (0..d.nv)
            .map(|i| h * s.v[i] + 0.5 * h * h * s.a[i])
            .collect();
        let mut s = s.clone();
        s.t += h;
        chart::advance(sys, &mut s.q, &step);
        for i in 0..d.nv {
            s.v[i] += h * s.a[i];
        }
        s
    };
    let (hi, lo) = (after(sys, STEP), after(sys, -STEP));
    let (hi, lo) = (values(sys, &hi).cv, values(sys, &lo).cv);
    for i in 0..d.rows() {
        let want = (hi[i] - lo[i]) / (2.0 * STEP);
        assert!(
            (second[i] - want).abs() < 1e-7 * (1.0 + want.abs()),
            "row {i}"
        );
    }
}

#[test]
fn text_reads_back_what_it_wrote() {
    let model = zoo();
    let written = text::write(&model);
    let back = text::read(&written).unwrap_or_else(|e| panic!("{e:?}\n{written}"));
    let (mut a, mut b) = (assemble(&model).unwrap(), assemble(&back.model).unwrap());
    assert_eq!(text::write(&back.model), written);
    // The same numbers: markers are referred to the centre of mass before they are written.
    let s = random_state(&a, &mut Numbers(5));
    assert_eq!(values(&mut a, &s).r, values(&mut b, &s).r);
    assert_eq!(a.facts().channels, b.facts().channels);
}

/// A bar on a ball joint, started as a spherical pendulum: its reaction carries weight and
/// centripetal force.
#[test]
fn reactions_hold_a_spinning_bar() {
    let mut m = Model::new("").gravity([0.0, 0.0, -10.0]);
    let bar = Body::rigid("bar", 2.0, [0.3, 0.3, 0.1]).at([0.0, 0.0, -1.5]);
    let bar = m.add_body(bar.moving([3.0, 0.0, 0.0]).spinning([0.0, -2.0, 0.0]));
    m.add_joint("ball", GROUND, bar, Spherical::at([0.0; 3]));
    let mut sys = assemble(&m.named("bar")).unwrap();
    let mut s = State::new(sys.facts().dims);
    let guess = sys.facts().guess.clone();
    (s.q, s.v) = (guess.q, guess.v);
    accelerate(&mut sys, &mut s);
    let mut out = vec![0.0; sys.facts().channels.len()];
    sys.observe(&s, &mut out);
    let value = |name: &str| {
        let at = sys.facts().channels.iter().position(|c| c.name == name);
        out[at.unwrap_or_else(|| panic!("{name}"))]
    };
    // m (g + v^2/l) = 2 (10 + 9/1.5)
    assert!((value("ball.reaction.z") - 32.0).abs() < 1e-12);
    assert!(value("ball.reaction.x").abs() < 1e-12);
    assert!((value("bar.z.acceleration") - 6.0).abs() < 1e-12);
    assert!((value("bar.spin.y") + 2.0).abs() < 1e-15);
    assert!((value("bar.quaternion.w") - 1.0).abs() < 1e-15);
    let e = sys.energy(&s).unwrap();
    // 2 * 9 / 2 + 0.3 * 4 / 2, -2 * 10 * 1.5
    assert!((e.kinetic - 9.6).abs() < 1e-13 && (e.potential + 30.0).abs() < 1e-13);
}

#[test]
fn unknowns_and_rows_have_words() {
    let mut m = Model::new("");
    let b = m.add_body(Body::rigid("arm", 1.0, [1.0; 3]));
    m.add_joint("hinge", GROUND, b, Revolute::at([0.0; 3], [0.0, 0.0, 1.0]));
    let sys = assemble(&m.named("words")).unwrap();
    let text = |row| sys.facts().names.describe(row);
    assert_eq!(
        text(Row::Position(4)),
        "body `arm`, rotation about its y axis"
    );
    assert_eq!(text(Row::Velocity(2)), "body `arm`, z velocity");
    assert_eq!(
        text(Row::Constraint(3)),
        "joint `hinge`, first tilt of the axis"
    );
    assert_eq!(sys.facts().names.owner(Row::Constraint(0)), "hinge");
    assert!(text(Row::Constraint(9)).contains("does not exist"));
}

#[test]
fn kinds_of_the_other_sort_are_explained() {
    let planar = "[[body]]\nname = \"b\"\nmass = 1\ninertia = 1\n\
                  [[joint]]\nname = \"j\"\nkind = \"spherical\"\nbody_b = \"b\"\n";
    let errors = text::read(planar).unwrap_err();
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0].label, "exists in models in space");
    let spatial = "[model]\nplanar = false\n[[body]]\nname = \"b\"\nmass = 1\ninertia = 1\n\
                   position = [1, 2]\n";
    let errors = text::read(spatial).unwrap_err();
    assert!(errors[0].message.contains("3 components"), "{errors:?}");
    let mut both = Model::planar("both");
    both.add_body(Body::point("p", 1.0));
    assert!(assemble(&both).is_err());
    let leaves = "[[body]]\nname = \"b\"\nmass = 1\ninertia = 1\nposition = [1, 2, 3]\n";
    let errors = text::read(leaves).unwrap_err();
    assert!(errors[0].message.contains("leaves the plane"), "{errors:?}");
    let help = errors[0].help.as_deref().unwrap_or_default();
    assert!(help.contains("planar = false"), "{errors:?}");
    let level = leaves.replace("[1, 2, 3]", "[1, 2, 0]");
    assert_eq!(
        text::read(&level).unwrap().model.bodies[0].position,
        [1.0, 2.0, 0.0]
    );
}

#[test]
fn orientations_have_several_forms() {
    let forms = [
        "quaternion = [0.5, 0.5, 0.5, 0.5]",
        "rotation_axis = [1, 1, 1]\nrotation_angle = \"120 deg\"",
        "rotation_vector = [1.2091995761561452, 1.2091995761561452, 1.2091995761561452]",
        "cardan = [\"90 deg\", \"90 deg\", 0]",
        "euler = [\"90 deg\", \"90 deg\", 0]",
    ];
    for form in forms {
        let source = format!(
            "[model]\nplanar = false\n[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 2, 3]\n{form}\n"
        );
        let document = text::read(&source).unwrap_or_else(|e| panic!("{form}: {e:?}"));
        let r = document.model.bodies[0].rotation();
        // x goes to y, y to z, z to x
        let want = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        for i in 0..9 {
            let (r, want) = (r.as_flattened()[i], want.as_flattened()[i]);
            assert!((r - want).abs() < 1e-15, "{form}: {r} {want}");
        }
    }
    let twice = "[model]\nplanar = false\n[[body]]\nname = \"b\"\nmass = 1\ninertia = 1\n\
                 cardan = [0, 0, 0]\neuler = [0, 0, 0]\n";
    assert!(
        text::read(twice).unwrap_err()[0]
            .message
            .contains("already")
    );
}
