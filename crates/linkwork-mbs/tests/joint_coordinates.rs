//! Mechanisms in joint coordinates: blocks against differences, motion and reactions against the same
//! model in absolute coordinates, trees in words.

// Published values keep their published digits.
#![allow(clippy::excessive_precision)]

mod mechanism;
mod space;

use linkwork_dae::chart;
use linkwork_dae::cosim::Polynomial;
use linkwork_dae::formulation::index3::Scaling;
use linkwork_dae::formulation::{FORMULATIONS, Matrix, Means};
use linkwork_dae::implicit::Implicit;
use linkwork_dae::jacobian::JACOBIANS;
use linkwork_dae::linear::SparseLu;
use linkwork_dae::state::{Link, State};
use linkwork_dae::system::{Blocks, Part, Parts, Row, Rows, System, Terms};
use linkwork_mbs::spatial::force::{FORCES, SpringDamper};
use linkwork_mbs::spatial::geometry::Marker;
use linkwork_mbs::spatial::joint::{
    Cylindrical, Distance, Fixed, Fixture, Planar, Prismatic, Revolute, Spherical, Universal,
};
use linkwork_mbs::spatial::{Body, Mechanism, Sensor};
use linkwork_mbs::tree::joint_coordinates::Form;
use linkwork_mbs::tree::{Explicit, JointCoordinates};
use linkwork_mbs::{BodyRef, Model, assemble, text};
use mechanism::{accelerate, squeezer};
use space::Numbers;

const GROUND: BodyRef = BodyRef::GROUND;

/// Every joint that can carry a body, with the carried body first and second; a floating body, forces
/// of every kind between bodies far apart in the tree, a point and a planar body.
fn spatial_tree() -> (Mechanism, Vec<BodyRef>) {
    let mut n = Numbers(5);
    let mut m = Mechanism::new().gravity([0.3, -0.2, -9.81]);
    let mut bodies = Vec::new();
    for i in 0..8 {
        let at = [0.7 * i as f64, 0.3 * n.next(), 0.3 * n.next()];
        let turn = n.vector(0.3);
        let body = Body::rigid(format!("b{i}"), 1.0 + 0.1 * i as f64, [0.2, 0.3, 0.4]);
        let body = body.at(at).turned(turn).centred([0.05, -0.02, 0.03]);
        bodies.push(m.add_body(body));
    }
    let between = |i: usize| [0.7 * i as f64 - 0.35, 0.1, -0.05];
    let axis = [0.3, 0.5, 0.9];
    m.add_joint(
        "revolute",
        GROUND,
        bodies[0],
        Revolute::at(between(0), axis),
    );
    m.add_joint(
        "prismatic",
        bodies[1],
        bodies[0],
        Prismatic::at(between(1), axis),
    );
    m.add_joint(
        "cylindrical",
        bodies[1],
        bodies[2],
        Cylindrical::at(between(2), axis),
    );
    let cross = Universal::at(between(3), [1.0, 0.0, 0.2], [-0.2, 0.3, 1.0]);
    m.add_joint("universal", bodies[3], bodies[2], cross);
    m.add_joint("fixed", bodies[3], bodies[4], Fixed::at(between(4)));
    m.add_joint("spherical", bodies[4], bodies[5], Spherical::at(between(5)));
    m.add_joint("planar", bodies[2], bodies[6], Planar::at(between(6), axis));
    // bodies[7] floats
    let p = m.add_body(Body::point("p", 0.3).at([2.0, 0.5, -0.4]));
    let c = m.add_body(Body::planar("c", 2.0, 0.9).at([-1.0, 0.8, 0.3]));
    // a bushing is only defined for bodies that are nearly aligned
    let kinds = FORCES.iter().filter(|f| f.kind != "bushing");
    for (i, entry) in kinds.enumerate() {
        let ends = [
            (bodies[5], bodies[6]),
            (bodies[7], bodies[3]),
            (GROUND, bodies[2]),
        ];
        for (k, (from, to)) in ends.into_iter().enumerate() {
            let force = (entry.example)(&mut || n.next());
            let from = if force.is_external() { GROUND } else { from };
            m.add_force(format!("f{i}_{k}"), from, to, force);
        }
    }
    for (name, from, to) in [("hanger", bodies[5], p), ("stay", c, bodies[6])] {
        let spring = SpringDamper {
            a: Marker::body([0.0; 3]),
            b: Marker::body([0.0; 3]),
            stiffness: 10.0,
            damping: 1.0,
            free_length: None,
        };
        m.add_force(name, from, to, spring);
    }
    let fixture = Fixture::at([0.0; 3], [0.2, 0.1, 1.0]);
    let (a, b) = (bodies[5], bodies[7]);
    m.add_sensor("s3", Sensor::Angle { a, b, fixture });
    bodies.extend([p, c]);
    (m, bodies)
}

/// The same with loops of several sorts.
fn spatial_loops() -> Mechanism {
    let (mut m, bodies) = spatial_tree();
    let b = |i: usize| bodies[i];
    let ends = [(b(5), b(6)), (b(7), b(4)), (b(9), b(5))];
    for (k, (from, to)) in ends.into_iter().enumerate() {
        let [a, b] = [[0.1, 0.2, -0.3], [-0.1, 0.05, 0.2]].map(Marker::body);
        let length = None;
        m.add_joint(format!("rod{k}"), from, to, Distance { a, b, length });
    }
    let ball = Spherical::at([4.0, 0.3, 0.2]);
    m.add_joint("ball", b(7), b(6), ball);
    m
}

/// A planar tree with a loop, a point, a floating body, controls.
const PLANAR: &str = r#"
[model]
gravity = [0.5, -9.81]
[[body]]
name = "a"
mass = 1.0
inertia = 0.2
position = [0.5, 0.1]
angle = 0.3
[[body]]
name = "b"
mass = 2.0
inertia = 0.3
position = [1.5, 0.4]
angle = 7.0
[[body]]
name = "c"
mass = 1.5
inertia = 0.1
position = [2.1, -0.4]
angle = -0.5
[[body]]
name = "d"
mass = 0.5
inertia = 0.1
position = [2.5, -0.6]
angle = 0.1
[[body]]
name = "free"
mass = 0.7
inertia = 0.2
position = [0.1, 1.5]
angle = 0.4
angular_velocity = 1.0
[[body]]
name = "p"
kind = "point"
mass = 0.4
position = [1.0, -1.0]
[[joint]]
name = "hinge"
kind = "revolute"
body_b = "a"
at = [0, 0]
[[joint]]
name = "guide"
kind = "prismatic"
body_a = "b"
body_b = "a"
at = [1.0, 0.2]
axis = [1, 0.4]
[[joint]]
name = "elbow"
kind = "revolute"
body_a = "b"
body_b = "c"
at = [1.8, 0]
[[joint]]
name = "weld"
kind = "fixed"
body_a = "c"
body_b = "d"
at = [2.3, -0.5]
[[joint]]
name = "rod"
kind = "distance"
body_a = "d"
body_b = "free"
point_a = [0.1, 0.1]
[[joint]]
name = "string"
kind = "distance"
body_a = "c"
body_b = "p"
[[joint]]
name = "wave"
kind = "drive"
body_a = "a"
body_b = "c"
value = "-0.8 + 0.3*sin(2*t)"
[[force]]
name = "spring"
kind = "spring_damper"
body_a = "d"
body_b = "a"
point_a = [0.1, 0.2]
stiffness = 100
damping = 3
[[sensor]]
name = "swing"
kind = "angle"
body_a = "a"
body_b = "d"
[[control]]
name = "motor"
kind = "filter"
input = "swing + 0.1*c.x.velocity"
time = 0.1
[[force]]
name = "torque"
kind = "torque"
body_b = "b"
torque = "3*motor + swing"
"#;

fn models() -> Vec<(&'static str, Model)> {
    vec![
        ("tree in space", spatial_tree().0.model("tree")),
        ("loops in space", spatial_loops().model("loops")),
        ("plane", text::read(PLANAR).expect("sound").model),
        ("squeezer", squeezer()),
        ("stewart", stewart()),
    ]
}

fn random_state(sys: &dyn System, n: &mut Numbers) -> State {
    let mut s = State::new(sys.dims());
    s.t = n.next();
    let d: Vec<f64> = s.v.iter().map(|_| 0.2 * n.next()).collect();
    s.q = sys.guess().q;
    chart::advance(sys, &mut s.q, &d);
    let all = s.v.iter_mut().chain(&mut s.a).chain(&mut s.lambda);
    for x in all.chain(&mut s.x) {
        *x = n.next();
    }
    s
}

struct Values {
    r: Vec<f64>,
    c: Vec<f64>,
    cv: Vec<f64>,
    f: Vec<f64>,
}

fn values(sys: &mut dyn System, s: &State) -> Values {
    let d = sys.dims();
    let zeros = |n: usize| vec![0.0; n];
    let mut v = Values {
        r: zeros(d.nv),
        c: zeros(d.nc),
        cv: zeros(d.rows()),
        f: zeros(d.nx),
    };
    let mut want = Terms {
        r: Some(&mut v.r),
        c: Some(&mut v.c),
        cv: Some(&mut v.cv),
        f: Some(&mut v.f),
        ..Terms::default()
    };
    sys.eval(&s.at(), &mut want).expect("finite");
    v
}

fn column(sys: &dyn System, blocks: &Blocks, part: Part, rows: usize, j: usize) -> Vec<f64> {
    let mut out = vec![0.0; rows];
    for (&(i, k), x) in sys.patterns()[part].iter().zip(&blocks[part]) {
        if k as usize == j {
            out[i as usize] += x;
        }
    }
    out
}

/// Central differences with 1e-6 lose half the digits: 1e-7 of the largest entry is expected.
#[test]
fn blocks_equal_differences() {
    for (name, model) in models() {
        let mut sys = JointCoordinates::new(&model, &[]).expect(name);
        check_blocks(name, &mut sys);
        let mut explicit = Explicit::new(sys).expect(name);
        let form = explicit.stage_form_mut().expect("explicit");
        check_blocks(&format!("{name}, explicit"), form);
    }
}

fn check_blocks(name: &str, sys: &mut dyn System) {
    const H: f64 = 1e-6;
    let d = sys.dims();
    let mut n = Numbers(3);
    for round in 0..3 {
        let s = random_state(sys, &mut n);
        let mut blocks = Blocks::new(sys.patterns());
        let none = &mut Terms::default();
        sys.linearise(&s.at(), none, Parts::ALL, &mut blocks)
            .expect(name);
        let check = |exact: &[f64], high: &[f64], low: &[f64], what: &str| {
            let size = (exact.iter().chain(high)).fold(1.0f64, |m, x| m.max(x.abs()));
            for (i, x) in exact.iter().enumerate() {
                let difference = (high[i] - low[i]) / (2.0 * H);
                let error = (difference - x).abs();
                assert!(
                    error < 2e-7 * size,
                    "{name}, {round}: {what} in row {i}: {x} but {difference}"
                );
            }
        };
        for j in 0..d.nv {
            let moved = |sys: &mut dyn System, h: f64, which: usize| {
                let mut m = s.clone();
                match which {
                    0 => {
                        let mut d = vec![0.0; d.nv];
                        d[j] = h;
                        chart::advance(sys, &mut m.q, &d);
                    }
                    1 => m.v[j] += h,
                    _ => m.a[j] += h,
                }
                values(sys, &m)
            };
            let what = sys.describe(Row::Position(j));
            let of = |part, rows| column(sys, &blocks, part, rows, j);
            let by_q = [of(Part::Rq, d.nv), of(Part::CVq, d.rows())];
            let [f_q, f_v] = [of(Part::Fq, d.nx), of(Part::Fv, d.nx)];
            let mut c_q = of(Part::Cq, d.rows());
            let by_v = of(Part::Rv, d.nv);
            let by_a = of(Part::Mass, d.nv);
            let (high, low) = (moved(sys, H, 0), moved(sys, -H, 0));
            check(&by_q[0], &high.r, &low.r, &format!("K by {what}"));
            check(&by_q[1], &high.cv, &low.cv, &format!("(C_q v)_q by {what}"));
            check(&f_q, &high.f, &low.f, &format!("f_q by {what}"));
            let (high_v, low_v) = (moved(sys, H, 1), moved(sys, -H, 1));
            check(&by_v, &high_v.r, &low_v.r, &format!("D by {what}"));
            check(&c_q, &high_v.cv, &low_v.cv, &format!("C_q by {what}"));
            check(&f_v, &high_v.f, &low_v.f, &format!("f_v by {what}"));
            c_q.truncate(d.nc);
            check(&c_q, &high.c, &low.c, &format!("C_q of C by {what}"));
            let (high, low) = (moved(sys, H, 2), moved(sys, -H, 2));
            check(&by_a, &high.r, &low.r, &format!("M by {what}"));
        }
        for j in 0..d.nx {
            let mut moved = |h: f64| {
                let mut m = s.clone();
                m.x[j] += h;
                values(sys, &m)
            };
            let (high, low) = (moved(H), moved(-H));
            let of = |part, rows| column(sys, &blocks, part, rows, j);
            check(&of(Part::Rx, d.nv), &high.r, &low.r, "r_x");
            check(&of(Part::Fx, d.nx), &high.f, &low.f, "f_x");
        }
        for j in 0..d.rows() {
            let mut moved = |h: f64| {
                let mut m = s.clone();
                m.lambda[j] += h;
                values(sys, &m)
            };
            let (high, low) = (moved(H), moved(-H));
            let mut r_l = column(sys, &blocks, Part::Rl, d.nv, j);
            if !sys.patterns().whole_r_l {
                for (&(i, k), x) in sys.patterns()[Part::Cq].iter().zip(&blocks[Part::Cq]) {
                    r_l[k as usize] += if i as usize == j { *x } else { 0.0 };
                }
            }
            check(&r_l, &high.r, &low.r, "r by lambda");
        }
    }
}

/// The explicit form is the residual one divided by the mass matrix: `M r_explicit = r`, at any point.
#[test]
fn explicit_form_is_divided_by_the_mass_matrix() {
    for (name, model) in models() {
        let sys = JointCoordinates::new(&model, &[]).expect(name);
        let mut explicit = Explicit::new(sys).expect(name);
        let mut n = Numbers(17);
        let s = random_state(&explicit, &mut n);
        let d = explicit.dims();
        let form = explicit.stage_form_mut().expect("explicit");
        let divided = values(form, &s).r;
        let residual = values(&mut explicit, &s).r;
        let mut mass = vec![0.0; explicit.patterns()[Part::Mass].len()];
        let mut want = Terms {
            mass: Some(&mut mass),
            ..Terms::default()
        };
        explicit.eval(&s.at(), &mut want).expect(name);
        let mut product = vec![0.0; d.nv];
        for (&(i, j), m) in explicit.patterns()[Part::Mass].iter().zip(&mass) {
            product[i as usize] += m * divided[j as usize];
        }
        let size = residual.iter().fold(1.0f64, |m, x| m.max(x.abs()));
        for (a, b) in product.iter().zip(&residual) {
            // the mass matrices of these models have condition numbers below 1e5
            assert!((a - b).abs() < 1e-10 * size, "{name}: {a} but {b}");
        }
    }
}

/// Every output of the same state is the same to rounding, reactions of the joints of the tree and of
/// loops included: 1e-9 of the largest value, since the pivots of nearly touching forces lose digits.
#[test]
fn motion_and_reactions_are_those_of_absolute_coordinates() {
    for (name, model) in models() {
        let mut joint = JointCoordinates::new(&model, &[]).expect(name);
        let mut absolute = assemble(&model).expect(name);
        assert_eq!(joint.channels(), absolute.channels(), "{name}");
        let mut n = Numbers(11);
        for _ in 0..3 {
            let mut s = random_state(&joint, &mut n);
            if joint.dims().nc > 0 {
                // loops are only closed at the start
                s.q = joint.guess().q;
                s.t = joint.guess().t;
            }
            accelerate(&mut joint, &mut s);
            let mut same = joint.absolute(&s).clone();
            accelerate(&mut absolute, &mut same);
            let mut out = [(); 2].map(|()| vec![0.0; absolute.channels().len()]);
            joint.observe(&s, &mut out[0]);
            absolute.observe(&same, &mut out[1]);
            let size = out[1].iter().fold(1.0f64, |m, x| m.max(x.abs()));
            for (k, channel) in absolute.channels().iter().enumerate() {
                let error = (out[0][k] - out[1][k]).abs();
                assert!(
                    error < 1e-9 * size,
                    "{name}, {}: {} but {}",
                    channel.name,
                    out[0][k],
                    out[1][k]
                );
            }
            let [a, b] = [joint.energy(&s), absolute.energy(&same)].map(Option::unwrap);
            assert!((a.kinetic - b.kinetic).abs() < 1e-10 * b.kinetic, "{name}");
            assert!((a.power - b.power).abs() < 1e-8 * size, "{name}");
        }
    }
}

/// Models of the folder, too.
fn every_model() -> Vec<(String, Model)> {
    let own = models().into_iter().map(|(name, m)| (name.to_string(), m));
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models");
    let files = std::fs::read_dir(folder).expect("the folder of models");
    let mut files: Vec<_> = files.map(|f| f.expect("readable").path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "toml"));
    files.sort();
    let read = files.into_iter().map(|f| {
        let text = std::fs::read_to_string(&f).expect("readable");
        let name = f.file_stem().expect("a name").to_string_lossy().to_string();
        (name, text::read(&text).expect("sound").model)
    });
    own.chain(read).collect()
}

/// What is solved with relations along the tree solves the equations with stored blocks, to rounding:
/// the residual is compared with the sum of its terms. Steps, a chart that bends, constraints of all
/// sorts and states are in every matrix.
#[test]
fn relations_along_the_tree_are_the_stored_blocks() {
    let link = Link {
        qdot: 13.0,
        vdot: 17.0,
    };
    for (name, model) in every_model() {
        let mut forms = [Form::Stored, Form::Augmented]
            .map(|form| JointCoordinates::in_form(&model, &[], form).expect(&name));
        let mut n = Numbers(19);
        let s = random_state(&forms[0], &mut n);
        for formulation in FORMULATIONS {
            let Means::Placement(build) = formulation.means else {
                continue;
            };
            for scaling in [Scaling::Both, Scaling::Right, Scaling::None] {
                let rows = Rows::all(forms[0].dims());
                let mut numbers = Numbers(23);
                let [stored, augmented] = forms.each_mut().map(|sys| {
                    let jacobian = (JACOBIANS[0].build)();
                    let solver = Box::new(SparseLu::new());
                    let mut own = Implicit::new(build(scaling), jacobian, solver);
                    own.bind(sys, &rows);
                    let (form, matrix) = (&mut own.form, &mut own.matrix);
                    let none = &mut Terms::default();
                    sys.linearise(&s.at(), none, form.parts(), &mut matrix.blocks)
                        .expect(&name);
                    let mut same = Numbers(29);
                    for b in &mut matrix.bend {
                        *b = 0.1 * same.next();
                    }
                    form.combine(&matrix.blocks, &matrix.bend, link, &mut matrix.values);
                    own
                });
                let size = stored.form.size();
                let b: Vec<f64> = (0..size).map(|_| numbers.next()).collect();
                let mut x = b.clone();
                let mut augmented = augmented;
                let factors = augmented.matrix.factor(&mut *augmented.form, link);
                assert!(factors.is_ok(), "{name}, {}", formulation.name);
                augmented.matrix.solve(&mut x);
                let Matrix {
                    pattern, values, ..
                } = &stored.matrix;
                let (mut residual, mut terms) = (b.clone(), vec![0.0; size]);
                for (t, b) in terms.iter_mut().zip(&b) {
                    *t = b.abs();
                }
                for (j, x) in x.iter().enumerate() {
                    for k in pattern.span(j) {
                        let i = pattern.row[k] as usize;
                        residual[i] -= values[k] * x;
                        terms[i] += (values[k] * x).abs();
                    }
                }
                for (i, (r, t)) in residual.iter().zip(&terms).enumerate() {
                    assert!(
                        r.abs() < 1e-11 * t,
                        "{name}, {} {scaling:?}, {:?}: {r:e} of {t:e}",
                        formulation.name,
                        stored.form.unknown(i)
                    );
                }
            }
        }
    }
}

/// A platform on six legs of two halves each: cross below, slider between, ball above.
fn stewart() -> Model {
    let mut m = Mechanism::new().gravity([0.0, 0.0, -9.81]);
    let platform = m.add_body(Body::rigid("platform", 10.0, [0.5, 0.5, 1.0]).at([0.0, 0.0, 1.0]));
    for i in 0..6 {
        let (s, c) = (i as f64).sin_cos();
        let (foot, head) = ([1.2 * c, 1.2 * s, 0.0], [0.7 * c, 0.6 * s, 1.0]);
        let along: [f64; 3] = std::array::from_fn(|k| head[k] - foot[k]);
        let at = |share: f64| -> [f64; 3] { std::array::from_fn(|k| foot[k] + share * along[k]) };
        let lower = m.add_body(Body::rigid(format!("l{i}"), 1.0, [0.1, 0.1, 0.1]).at(at(0.25)));
        let upper = m.add_body(Body::rigid(format!("u{i}"), 1.0, [0.1, 0.1, 0.1]).at(at(0.75)));
        let level = [-along[1], along[0], 0.0];
        let across = [along[2], 0.0, -along[0]];
        let share =
            (level[0] * across[0] + level[1] * across[1]) / (level[0].powi(2) + level[1].powi(2));
        let square: [f64; 3] = std::array::from_fn(|k| across[k] - share * level[k]);
        m.add_joint(
            format!("cross{i}"),
            GROUND,
            lower,
            Universal::at(foot, level, square),
        );
        m.add_joint(
            format!("slider{i}"),
            lower,
            upper,
            Prismatic::at(at(0.5), along),
        );
        m.add_joint(format!("ball{i}"), upper, platform, Spherical::at(head));
    }
    m.model("stewart")
}

/// Counted by hand.
#[test]
fn trees_in_words() {
    let outline = |model: &Model, cut: &[String]| {
        let system = JointCoordinates::new(model, cut).expect("sound");
        system.outline()
    };
    // seven angles; ten hinges, seven of which carry a body
    let o = outline(&squeezer(), &[]);
    assert_eq!((o.coordinates, o.constraints), (7, 6));
    let names: Vec<&str> = o.cut.iter().map(|c| c.0.as_str()).collect();
    assert_eq!(names, ["e3", "e4", "e6"]);
    let o = outline(&squeezer(), &["b".into(), "a5".into(), "a7".into()]);
    assert_eq!((o.coordinates, o.constraints), (7, 6));
    let names: Vec<&str> = o.cut.iter().map(|c| c.0.as_str()).collect();
    assert_eq!(names, ["b", "a5", "a7"]);
    // hinge, guide, elbow; a body and a point that float; two rods and a drive
    let o = outline(&text::read(PLANAR).expect("sound").model, &[]);
    assert_eq!((o.coordinates, o.constraints), (3 + 3 + 2, 3));
    // two and one for each leg, three of the ball that carries the platform; five balls are cut
    let o = outline(&stewart(), &[]);
    assert_eq!((o.coordinates, o.constraints), (6 * 3 + 3, 5 * 3));
    let e = JointCoordinates::new(&squeezer(), &["g7".into()]).err();
    assert_eq!(
        e.map(|e| e.message),
        Some("there is no joint `g7` to cut".into())
    );
}

/// Signals from outside reach the assembly.
#[test]
fn inputs_are_those_of_the_model() {
    let push = "[[control]]\nname = \"push\"\nkind = \"input\"\n\
                [[force]]\nname = \"pushed\"\nkind = \"torque\"\nbody_b = \"a\"\ntorque = \"push\"\n";
    let model = text::read(&format!("{PLANAR}{push}")).expect("sound").model;
    let mut sys = JointCoordinates::new(&model, &[]).expect("sound");
    assert_eq!(sys.inputs(), assemble(&model).expect("sound").inputs());
    assert_eq!(sys.inputs(), ["push"]);
    let s = random_state(&sys, &mut Numbers(1));
    let before = values(&mut sys, &s).r;
    sys.set_input(0, &Polynomial::constant(2.0));
    let after = values(&mut sys, &s).r;
    // a torque on the first body works on the angle of its hinge
    assert!((before[0] - after[0] - 2.0).abs() < 1e-12);
}

/// A coupler without mass: the loop says how it moves, but there is nothing to divide by.
#[test]
fn massless_bodies_are_no_matter_for_the_explicit_formalism() {
    let text = "[[body]]\nname = \"crank\"\nmass = 1\ninertia = 0.1\nposition = [0.5, 0.5]\n\
                [[body]]\nname = \"rocker\"\nmass = 1\ninertia = 0.1\nposition = [2.5, 0.5]\n\
                [[body]]\nname = \"coupler\"\nmass = 0\ninertia = 0\nposition = [1.5, 1]\n\
                [[joint]]\nname = \"left\"\nkind = \"revolute\"\nbody_b = \"crank\"\nat = [0, 0]\n\
                [[joint]]\nname = \"right\"\nkind = \"revolute\"\nbody_b = \"rocker\"\nat = [3, 0]\n\
                [[joint]]\nname = \"elbow\"\nkind = \"revolute\"\nbody_a = \"crank\"\n\
                body_b = \"coupler\"\nat = [1, 1]\n\
                [[joint]]\nname = \"wrist\"\nkind = \"revolute\"\nbody_a = \"rocker\"\n\
                body_b = \"coupler\"\nat = [2, 1]\n";
    let model = text::read(text).expect("sound").model;
    let mut sys = JointCoordinates::new(&model, &[]).expect("sound");
    let mut s = State::new(sys.dims());
    s.q = sys.guess().q;
    accelerate(&mut sys, &mut s);
    let e = Explicit::new(sys).expect_err("refused");
    assert_eq!(
        e.message,
        "formalism explicit cannot solve for joint `elbow`, angle: nothing that moves with it has \
         inertia to divide by"
    );
    assert!(e.help.is_some_and(|help| help.contains("residual")));
}

/// Two sliders along one line with nothing in between: only their sum has inertia, and rounding is none.
#[test]
fn inertia_that_is_rounding_is_none() {
    let text = "[[body]]\nname = \"shuttle\"\nmass = 0\ninertia = 0\n\
                [[body]]\nname = \"load\"\nmass = 0.7\ninertia = 0.3\n\
                [[joint]]\nname = \"bed\"\nkind = \"prismatic\"\nbody_b = \"shuttle\"\n\
                at = [0, 0]\naxis = [1, 0.3]\n\
                [[joint]]\nname = \"slide\"\nkind = \"prismatic\"\nbody_a = \"shuttle\"\n\
                body_b = \"load\"\nat = [0.1, 0.2]\naxis = [1, 0.3]\n";
    let model = text::read(text).expect("sound").model;
    let sys = JointCoordinates::new(&model, &[]).expect("sound");
    let e = Explicit::new(sys).expect_err("refused");
    assert!(
        e.message.contains("joint `bed`, displacement"),
        "{}",
        e.message
    );
}
