//! Assembled mechanisms: blocks against differences, published values, energy, words.

// Matrices are compared entry by entry; indices say which.
#![allow(clippy::needless_range_loop)]
// Published values keep their published digits.
#![allow(clippy::excessive_precision)]

mod mechanism;
mod numbers;

use linkwork_dae::state::State;
use linkwork_dae::system::{At, Blocks, EnergyAccount, Part, Parts, Reference, Row, System, Terms};
use linkwork_mbs::force::{AppliedForce, SpringDamper, Torque, TorsionSpring};
use linkwork_mbs::geometry::Marker;
use linkwork_mbs::joint::{Distance, Drive, Fixed, PointOnLine, Prismatic, Revolute};
use linkwork_mbs::sensor::{AngleSensor, DistanceSensor, PointSensor};
use linkwork_mbs::{Assembly, Body, BodyRef, Formula, Model, assemble};
use mechanism::{accelerate, squeezer};
use numbers::Numbers;
use std::collections::BTreeSet;

const GROUND: BodyRef = BodyRef::GROUND;

fn formula(text: &str) -> Formula {
    Formula::parse(text).unwrap()
}

/// Every kind of joint and force, several of them on the same bodies, rigid and point bodies.
fn zoo() -> Model {
    let mut m = Model::planar("zoo").gravity([0.3, -9.81]);
    let a = m.add_body(Body::planar("a", 1.2, 0.4).at([0.5, 0.1]).turned(0.2));
    let b = m.add_body(Body::planar("b", 0.7, 0.1).at([1.4, -0.3]).turned(-0.7));
    let p = m.add_body(Body::bead("p", 0.3).at([2.0, 0.5]));
    let c = m.add_body(Body::planar("c", 2.0, 0.9).at([-1.0, 0.8]).turned(1.9));
    m.add_joint("hinge", GROUND, a, Revolute::pin([0.0, 0.0]));
    m.add_joint("knee", a, b, Revolute::pin([1.0, 0.2]));
    m.add_joint("pin", b, p, Revolute::pin([2.0, 0.5]));
    let rod = Distance::between(Marker::body([0.1, 0.2]), Marker::ORIGIN, None);
    m.add_joint("rod", c, p, rod);
    m.add_joint("slot", a, c, PointOnLine::at([-0.5, 0.5], [1.0, 0.3]));
    m.add_joint("guide", b, c, Prismatic::at([0.2, 0.1], [0.4, 1.0]));
    m.add_joint("weld", a, c, Fixed::at([0.3, 0.3]));
    m.add_joint("crank_drive", a, b, Drive::turn(formula("sin(2*t)")));
    let mut drive = Drive::displacement([0.0; 2], [1.0, 1.0], formula("0.1*t^2"));
    drive.fixture.a = Marker::body([0.1, 0.0]);
    (drive.fixture.b, drive.fixture.axis_a) = (Marker::ORIGIN, [1.0, 1.0].into());
    m.add_joint("lift", c, p, drive);
    let spring = SpringDamper::between(
        Marker::body([0.2, -0.1]),
        Marker::body([0.0, 0.3]),
        [40.0, 3.0],
        Some(0.6),
    );
    m.add_force("spring", a, c, spring);
    let to_point = SpringDamper::between(
        Marker::global([0.0, 3.0]),
        Marker::ORIGIN,
        [10.0, 0.0],
        None,
    );
    m.add_force("hanger", GROUND, p, to_point);
    let twist = TorsionSpring::planar(5.0, 0.4, Some(0.1));
    m.add_force("twist", a, b, twist);
    let push = AppliedForce {
        point: Marker::body([0.2, 0.4]),
        force: [
            formula("3*cos(t)"),
            Formula::constant(-1.0),
            Formula::constant(0.0),
        ],
        body_fixed: true,
        flat: false,
    };
    m.add_force("push", GROUND, b, push);
    m.add_force(
        "pull",
        GROUND,
        c,
        AppliedForce::constant([0.3, 0.1], [1.0, 2.0]),
    );
    m.add_force("motor", GROUND, a, Torque::constant(0.7));
    m.add_sensor("tip", GROUND, b, PointSensor::at(Marker::body([0.5, 0.0])));
    m.add_sensor("bend", a, b, AngleSensor::turn());
    m.add_sensor(
        "gap",
        c,
        p,
        DistanceSensor::between(Marker::ORIGIN, Marker::ORIGIN),
    );
    m
}

fn random_state(sys: &Assembly, n: &mut Numbers) -> State {
    let mut s = State::new(sys.facts().dims);
    s.t = n.next();
    s.q = sys.facts().guess.q.clone();
    for q in &mut s.q {
        *q += 0.2 * n.next();
    }
    for x in s.v.iter_mut().chain(&mut s.a).chain(&mut s.lambda) {
        *x = n.next();
    }
    s
}

fn all_parts() -> Parts {
    Part::ALL.into_iter().fold(Parts::NONE, |set, p| set | p)
}

/// `r`, `C`, `C_q v + C_t`.
fn residuals(sys: &mut Assembly, s: &State) -> [Vec<f64>; 3] {
    let d = sys.facts().dims;
    let (mut r, mut c, mut cv) = (vec![0.0; d.nv], vec![0.0; d.nc], vec![0.0; d.nc]);
    let mut want = Terms {
        r: Some(&mut r),
        c: Some(&mut c),
        cv: Some(&mut cv),
        ..Terms::default()
    };
    sys.eval(&s.at(), &mut want).unwrap();
    [r, c, cv]
}

fn dense(sys: &Assembly, part: Part, values: &[f64]) -> Vec<Vec<f64>> {
    let d = sys.facts().dims;
    let rows = match part {
        Part::Cq | Part::CVq => d.nc,
        _ => d.nv,
    };
    let mut m = vec![vec![0.0; d.nv]; rows];
    for (&(i, j), x) in sys.facts().patterns[part].iter().zip(values) {
        m[i as usize][j as usize] += x;
    }
    m
}

#[test]
fn patterns_have_no_double_entries() {
    for model in [zoo(), squeezer()] {
        let sys = assemble(&model).unwrap();
        for part in Part::ALL {
            let entries = &sys.facts().patterns[part];
            let unique: BTreeSet<_> = entries.iter().collect();
            assert_eq!(unique.len(), entries.len(), "{part:?} of {}", model.name);
        }
    }
}

#[test]
fn blocks_equal_central_differences() {
    let mut n = Numbers(1);
    for model in [zoo(), squeezer()] {
        let mut sys = assemble(&model).unwrap();
        let h = 1e-6 * sys.length();
        for _ in 0..4 {
            let s = random_state(&sys, &mut n);
            let mut blocks = Blocks::new(&sys.facts().patterns);
            sys.linearise(&s.at(), &mut Terms::default(), all_parts(), &mut blocks)
                .unwrap();
            let exact = Part::ALL.map(|p| dense(&sys, p, &blocks[p]));
            // Which residual, differentiated by what, gives each block.
            for (part, which, by) in [
                (Part::Mass, 0, 'a'),
                (Part::Cq, 1, 'q'),
                (Part::Rq, 0, 'q'),
                (Part::Rv, 0, 'v'),
                (Part::CVq, 2, 'q'),
            ] {
                for j in 0..sys.facts().dims.nv {
                    let mut shifted = |h: f64| {
                        let mut s = s.clone();
                        match by {
                            'q' => s.q[j] += h,
                            'v' => s.v[j] += h,
                            _ => s.a[j] += h,
                        }
                        residuals(&mut sys, &s)[which].clone()
                    };
                    let (hi, lo) = (shifted(h), shifted(-h));
                    for (i, row) in exact[part as usize].iter().enumerate() {
                        let slope = (hi[i] - lo[i]) / (2.0 * h);
                        // Forces of order 1e2, rounding 1e-14 / 1e-6; the squeezer has stiffness
                        // 4530 at h = 1e-7, hence the relative part.
                        let size = row.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
                        assert!(
                            (row[j] - slope).abs() < 1e-6 * size,
                            "{part:?}[{i}][{j}] of {}: {} instead of {slope}",
                            model.name,
                            row[j]
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn terms_do_not_depend_on_what_else_is_wanted() {
    let mut sys = assemble(&zoo()).unwrap();
    let s = random_state(&sys, &mut Numbers(2));
    let d = sys.facts().dims;
    let mut blocks = Blocks::new(&sys.facts().patterns);
    let entries = sys.facts().patterns[Part::Cq].len();
    let [mut r, mut force] = [vec![f64::NAN; d.nv], vec![f64::NAN; d.nv]];
    let [mut c, mut cv, mut gamma] = [(); 3].map(|()| vec![f64::NAN; d.nc]);
    let mut c_q = vec![f64::NAN; entries];
    let mut mass = vec![f64::NAN; d.nv];
    let mut want = Terms {
        r: Some(&mut r),
        mass: Some(&mut mass),
        force: Some(&mut force),
        c: Some(&mut c),
        c_q: Some(&mut c_q),
        cv: Some(&mut cv),
        gamma: Some(&mut gamma),
        ..Terms::default()
    };
    sys.linearise(&s.at(), &mut want, all_parts(), &mut blocks)
        .unwrap();
    let [r2, c2, cv2] = residuals(&mut sys, &s);
    assert_eq!((&r, &c, &cv), (&r2, &c2, &cv2));
    assert_eq!(c_q, blocks[Part::Cq]);
    assert_eq!(mass, blocks[Part::Mass]);
    // r = M a + C_q' lambda - Q, put together by hand.
    let c_q = dense(&sys, Part::Cq, &c_q);
    for i in 0..d.nv {
        let load: f64 = (0..d.nc).map(|k| c_q[k][i] * s.lambda[k]).sum();
        let want = mass[i] * s.a[i] + load - force[i];
        assert!((r[i] - want).abs() < 1e-12 * (1.0 + want.abs()));
    }
    // Only positions are needed for C, and a copy agrees bit for bit.
    let mut alone = vec![f64::NAN; d.nc];
    let at = At {
        t: s.t,
        q: &s.q,
        v: &[],
        a: &[],
        lambda: &[],
        x: &[],
    };
    let mut want = Terms {
        c: Some(&mut alone),
        ..Terms::default()
    };
    sys.fork().eval(&at, &mut want).unwrap();
    assert_eq!(alone, c);
}

#[test]
fn squeezer_starts_with_the_published_accelerations() {
    let mut sys = assemble(&squeezer()).unwrap();
    let d = sys.facts().dims;
    assert_eq!((d.nv, d.nc), (21, 20));
    let mut s = State::new(d);
    s.q = sys.facts().guess.q.clone();
    let [_, c, _] = residuals(&mut sys, &s);
    // The start position is printed with 30 digits: the loops close to rounding.
    assert!(c.iter().all(|c| c.abs() < 1e-15), "{c:?}");
    accelerate(&mut sys, &mut s);
    let channels = sys.facts().channels.to_vec();
    let mut out = vec![0.0; channels.len()];
    sys.observe(&s, &mut out);
    let get = |name: &str| out[channels.iter().position(|c| c.name == name).unwrap()];
    let beta = 14222.4439199541139;
    let theta = -10666.8329399655854;
    // Condition of the dense 41 x 41 system: a few digits are lost.
    let close = |got: f64, want: f64| (got - want).abs() < 1e-9 * beta;
    assert!(close(get("crank.angle.acceleration"), beta));
    assert!(close(get("rod.angle.acceleration"), beta + theta));
    assert!(close(get("triangle.angle.acceleration"), 0.0));
    assert!(close(get("lower_arm.angle.acceleration"), 0.0));
    // Published equations: lambda' (E of the rod - E of the triangle), so lambda acts on the
    // triangle, which is body b here.
    assert!((get("e3.reaction.x") - 98.5668703962410896).abs() < 1e-7);
    assert!((get("e3.reaction.y") + 6.12268834425566266).abs() < 1e-7);
    assert!(get("g.reaction.x").abs() < 1e-7);
}

/// A crank turned by a drive, a rod and a piston on rails: every state follows from the angle.
fn driven_slider_crank() -> Model {
    let mut m = Model::planar("slider crank").gravity([0.0, -9.81]);
    let crank = m.add_body(Body::planar("crank", 1.0, 0.01).at([0.1, 0.0]));
    let rod = m.add_body(Body::planar("rod", 0.5, 0.02).at([0.5, 0.0]));
    let piston = m.add_body(Body::bead("piston", 0.8).at([0.8, 0.0]));
    m.add_joint(
        "main",
        GROUND,
        crank,
        Revolute::between([0.0; 2], [-0.1, 0.0]),
    );
    m.add_joint(
        "big_end",
        crank,
        rod,
        Revolute::between([0.1, 0.0], [-0.3, 0.0]),
    );
    m.add_joint(
        "small_end",
        rod,
        piston,
        Revolute::between([0.3, 0.0], [0.0; 2]),
    );
    m.add_joint(
        "rails",
        GROUND,
        piston,
        PointOnLine::at([0.0; 2], [1.0, 0.0]),
    );
    m.add_joint(
        "engine",
        GROUND,
        crank,
        Drive::turn(formula("0.4 + 3*t + 2*t^2")),
    );
    let gas = SpringDamper::between(
        Marker::global([1.5, 0.2]),
        Marker::ORIGIN,
        [30.0, 4.0],
        Some(0.3),
    );
    m.add_force("gas", GROUND, piston, gas);
    m
}

/// The configuration and velocity at time `t` in closed form.
fn slider_crank_state(sys: &mut Assembly, t: f64) -> State {
    let mut s = State::new(sys.facts().dims);
    s.t = t;
    let (angle, rate) = (0.4 + 3.0 * t + 2.0 * t * t, 3.0 + 4.0 * t);
    let (sin, cos) = angle.sin_cos();
    let rod = -(0.2 * sin / 0.6_f64).asin();
    let rod_rate = -0.2 * cos * rate / (0.6 * rod.cos());
    s.q = vec![
        0.1 * cos,
        0.1 * sin,
        angle,
        0.2 * cos + 0.3 * rod.cos(),
        0.2 * sin + 0.3 * rod.sin(),
        rod,
        0.2 * cos + 0.6 * rod.cos(),
        0.0,
    ];
    s.v = vec![
        -0.1 * sin * rate,
        0.1 * cos * rate,
        rate,
        -0.2 * sin * rate - 0.3 * rod.sin() * rod_rate,
        0.2 * cos * rate + 0.3 * rod.cos() * rod_rate,
        rod_rate,
        -0.2 * sin * rate - 0.6 * rod.sin() * rod_rate,
        0.0,
    ];
    accelerate(sys, &mut s);
    s
}

#[test]
fn energy_changes_by_the_power_of_drives_and_dampers() {
    let mut sys = assemble(&driven_slider_crank()).unwrap();
    let h = 1e-5;
    for t in [0.0, 0.13, 0.4, 0.77] {
        let s = slider_crank_state(&mut sys, t);
        let [r, c, cv] = residuals(&mut sys, &s);
        for x in r.iter().chain(&c).chain(&cv) {
            assert!(
                x.abs() < 1e-10,
                "closed form does not satisfy the equations"
            );
        }
        let power = sys.energy(&s).unwrap().power;
        let mut total = |t: f64| {
            let s = slider_crank_state(&mut sys, t);
            sys.energy(&s).unwrap().total()
        };
        let rate = (total(t + h) - total(t - h)) / (2.0 * h);
        // Truncation 1e-10 times a third derivative of order 1e3.
        assert!(
            (power - rate).abs() < 1e-6 * (1.0 + rate.abs()),
            "{power} {rate}"
        );
        // The torque of the drive on the crank is what the energy account calls power.
        let channels = sys.facts().channels.to_vec();
        let mut out = vec![0.0; channels.len()];
        sys.observe(&s, &mut out);
        let get = |name: &str| out[channels.iter().position(|c| c.name == name).unwrap()];
        let drive = get("engine.reaction.torque") * get("crank.angle.velocity");
        let (p, v) = (1.5 - get("piston.x"), get("piston.x.velocity"));
        let damper = -4.0 * (p * v / p.hypot(0.2)).powi(2);
        assert!((power - drive - damper).abs() < 1e-10 * (1.0 + power.abs()));
    }
}

#[test]
fn free_bodies_keep_the_energy_account_too() {
    // Without joints accelerations follow from forces alone; random states need no projection.
    let mut model = zoo();
    model.joints.clear();
    let mut sys = assemble(&model).unwrap();
    let mut n = Numbers(4);
    for _ in 0..20 {
        let mut s = random_state(&sys, &mut n);
        accelerate(&mut sys, &mut s);
        let power = sys.energy(&s).unwrap().power;
        let h = 1e-6;
        let mut total = |h: f64| {
            let mut s = s.clone();
            for i in 0..s.q.len() {
                s.q[i] += h * s.v[i];
                s.v[i] += h * s.a[i];
            }
            sys.energy(&s).unwrap().total()
        };
        let rate = (total(h) - total(-h)) / (2.0 * h);
        // Energies of order 100: rounding 1e-14 / 1e-6 = 1e-8.
        assert!(
            (power - rate).abs() < 1e-6 * (1.0 + rate.abs()),
            "{power} {rate}"
        );
    }
}

#[test]
fn reactions_carry_the_weight() {
    // A beam clamped at its left end, centre of mass 0.5 m to the right.
    let mut m = Model::planar("beam").gravity([0.0, -10.0]);
    let beam = m.add_body(Body::planar("beam", 2.0, 0.1).at([0.5, 0.0]));
    m.add_joint("clamp", GROUND, beam, Fixed::at([0.0, 0.0]));
    let mut sys = assemble(&m).unwrap();
    let mut s = State::new(sys.facts().dims);
    s.q = sys.facts().guess.q.clone();
    accelerate(&mut sys, &mut s);
    let mut out = vec![0.0; sys.facts().channels.len()];
    sys.observe(&s, &mut out);
    let names: Vec<_> = sys
        .facts()
        .channels
        .iter()
        .map(|c| c.name.as_str())
        .collect();
    let get = |name: &str| out[names.iter().position(|n| *n == name).unwrap()];
    assert!((get("clamp.reaction.x")).abs() < 1e-12);
    assert!((get("clamp.reaction.y") - 20.0).abs() < 1e-12);
    assert!((get("clamp.reaction.torque") - 10.0).abs() < 1e-12);
    assert!(names.contains(&"beam.angle.acceleration"));
}

#[test]
fn unknowns_and_equations_have_words() {
    let sys = assemble(&zoo()).unwrap();
    assert_eq!(
        sys.facts().names.describe(Row::Position(2)),
        "body `a`, angle"
    );
    assert_eq!(
        sys.facts().names.describe(Row::Velocity(7)),
        "body `p`, y velocity"
    );
    assert_eq!(
        sys.facts().names.describe(Row::Velocity(10)),
        "body `c`, angular velocity"
    );
    assert_eq!(
        sys.facts().names.describe(Row::Constraint(1)),
        "joint `hinge`, y coincidence"
    );
    assert_eq!(sys.facts().names.owner(Row::Constraint(3)), "knee");
    assert_eq!(sys.facts().names.owner(Row::Position(8)), "c");
    assert!(
        sys.facts()
            .names
            .describe(Row::Constraint(99))
            .contains("does not exist")
    );
}

#[test]
fn scales_and_weights_make_metres_and_radians_comparable() {
    let mut m = Model::planar("m");
    let a = Body::planar("a", 1.0, 1.0).at([3.0, 1.0]).exact_pose();
    m.add_body(a.moving([1.0, 0.0]));
    m.add_body(Body::bead("p", 1.0).at([-1.0, 2.0]));
    let sys = assemble(&m).unwrap();
    let scale = sys.facts().scale.clone();
    assert_eq!(scale, [4.0, 4.0, 1.0, 4.0, 4.0]);
    let guess = sys.facts().guess.clone();
    assert_eq!(guess.weight_q, [62500.0, 62500.0, 1e6, 0.0625, 0.0625]);
    // what is not given follows from what is
    assert_eq!(guess.weight_v, [0.0625, 0.0625, 1e-9, 6.25e-11, 6.25e-11]);
    use Reference::{Place, Size};
    assert_eq!(sys.facts().reference, [Place, Place, Size, Place, Place]);
    let sys = assemble(&m.length(0.5)).unwrap();
    assert_eq!(sys.length(), 0.5);
}

/// Of two points that a rod brings together by 1 m the one that weighs 3 moves a third as far as the other.
#[test]
fn start_weights_share_out_what_joints_move() {
    let read = |weight: &str| {
        let text = format!(
            r#"
[model]
length = 1

[[body]]
name = "a"
kind = "point"
mass = 1
position = [0, 0]
start_weight = {weight}

[[body]]
name = "b"
kind = "point"
mass = 1
position = [2, 0]

[[joint]]
name = "rod"
kind = "distance"
body_a = "a"
body_b = "b"
length = 1
"#
        );
        linkwork_mbs::text::read(&text)
    };
    for (weight, moved) in [("1", 0.5), ("3", 0.25), ("100", 1.0 / 101.0)] {
        let model = read(weight).unwrap().model;
        let mut sys = assemble(&model).unwrap();
        let guess = sys.facts().guess.clone();
        let start = linkwork_dae::initial::start(&mut sys, &guess).unwrap();
        let [a, b] = [start.state.q[0], start.state.q[2]];
        assert!((a - moved).abs() < 1e-9, "{weight}: {a}");
        assert!((b - a - 1.0).abs() < 1e-9, "{weight}: {b}");
    }
    for refused in ["0", "1000", "-1"] {
        assert!(read(refused).is_err(), "{refused}");
    }
}
